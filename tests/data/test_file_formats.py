"""Separators, decimal marks, percent signs, sheets: declared, or named and refused."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

from pycompare.base.errors import InputError
from pycompare.data import Scores, read_scores
from pycompare.data.file_format import FileFormat
from tests.data.tables import refused

WIDE = {"wide": True, "metric": "accuracy", "better": "higher"}
VALUES = [[0.915, 0.85], [0.71, 0.9], [0.5, 0.72]]
TEXT = "data,svm,knn\niris,0.915,0.85\nwine,0.71,0.9\nglass,0.5,0.72\n"
GERMAN = TEXT.replace(",", ";").replace(".", ",")


@pytest.fixture
def write(tmp_path):
    def file(content: str, name: str = "scores.csv"):
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return file


@pytest.fixture
def sheet(tmp_path):
    def file(rows, *, name="scores.xlsx", formats=None, **others):
        openpyxl = pytest.importorskip("openpyxl")
        book = openpyxl.Workbook()
        for title, content in {"first": rows, **others}.items():
            page = book.create_sheet(title)
            for row in content:
                page.append(row)
        for cell, shown in (formats or {}).items():
            book["first"][cell].number_format = shown
        path = tmp_path / name
        book.save(path)
        return path

    return file


ROWS = [["data", "svm", "knn"], ["iris", 0.915, 0.85], ["wine", 0.71, 0.9],
        ["glass", 0.5, 0.72]]  # fmt: skip


# ---- text ----------------------------------------------------------------------------


@pytest.mark.parametrize("sep", [",", ";", "|", "tab", "\t"])
@pytest.mark.parametrize("name", ["scores.csv", "scores.txt"])
def test_a_declared_separator_is_read_whatever_the_ending(write, sep, name):
    mark = "\t" if sep == "tab" else sep
    path = write(TEXT.replace(",", mark), name)
    np.testing.assert_array_equal(
        read_scores(path, sep=sep, **WIDE).column(), np.array(VALUES)
    )


def test_decimal_commas_are_read_when_declared(write):
    read = read_scores(write(GERMAN), sep=";", decimal=",", **WIDE)
    np.testing.assert_array_equal(read.column(), np.array(VALUES))


def test_what_is_not_declared_is_refused_with_what_to_declare(write):
    with refused("one column", "separated by ';'", "sep=';'"):
        read_scores(write(GERMAN), **WIDE)
    with refused("'svm': 3 of 3 values", "line 2: '0,915'", r"decimal=','"):
        read_scores(write(GERMAN), sep=";", **WIDE)


def test_a_point_beside_decimal_commas_is_no_number(write):
    text = GERMAN.replace("0,71", "0.71")
    with refused("1 of 3 values is not numeric", "line 3", "with a decimal comma"):
        read_scores(write(text), sep=";", decimal=",", **WIDE)


@pytest.mark.parametrize(
    ("cell", "part"),
    [(cell, "1 of 3 values is not numeric") for cell in ("1.234,5", "1 234", "=A1")]
    + [(cell, "^scores.csv: marks") for cell in ("<script>", "__import__('os')")],
)
def test_no_cell_is_interpreted(write, cell, part):
    text = GERMAN.replace("0,71", cell)
    with refused(part, "line 3"):
        read_scores(write(text), sep=";", decimal=",", **WIDE)


@pytest.mark.parametrize(
    ("given", "part"),
    [({"sep": ":"}, "choose one of"), ({"sep": ""}, "choose one of"),
     ({"decimal": "·"}, "decimal mark is")],
)  # fmt: skip
def test_another_mark_is_refused(given, part):
    with refused(part):
        FileFormat(**given)


@pytest.mark.parametrize("text", ["", "data;svm;knn\n"])
def test_an_empty_file_is_refused(write, text):
    with refused("empty|no rows"):
        read_scores(write(text), sep=";", decimal=",", **WIDE)


def test_names_are_data_whatever_they_look_like(write):
    names = ["a,b", '"', "margin=1", "<script>", "__import__('os')", "nan", "çédille"]
    header = ";".join('"' + name.replace('"', '""') + '"' for name in names)
    rows = [
        f"d{k};" + ";".join(f"0,{k}{j}1" for j in range(len(names))) for k in range(3)
    ]
    text = "\n".join([f"data;{header}", *rows])
    read = read_scores(write(text), sep=";", decimal=",", **WIDE)
    assert read.algorithms == tuple(names)


# ---- percent -------------------------------------------------------------------------


def test_percentages_are_the_nearest_proportions(write):
    text = "data,svm,knn\niris,91.5%,85\nwine,71 %,90\nglass,0.7%,72\n"
    read = read_scores(write(text), percent=("svm", "knn"), **WIDE)
    assert read.column().tolist() == [[0.915, 0.85], [0.71, 0.9], [0.007, 0.72]]
    assert read.notes == ("in percent, divided by 100: 'knn', 'svm'",)


def test_percent_signs_are_named_with_rows_where_they_are_not_declared(write):
    text = TEXT.replace("0.915", "95%").replace("0.5,", "50%,")
    with refused(
        "'svm': 2 of 3", "line 2: '95%' is a percentage", "line 4", r"percent=\('svm',"
    ):
        read_scores(write(text), **WIDE)


def test_a_column_with_some_percent_signs_is_refused(write):
    text = TEXT.replace("0.915", "95%")
    with refused("'svm': 1 value ", "line 2", "2 values ", "line 3: '0.71'"):
        read_scores(write(text), percent=("svm",), **WIDE)


def test_a_column_in_percent_holds_scores(write):
    for name in ("data", "svn"):
        with refused(f"percent=\\('{name}',\\)", "no column of scores"):
            read_scores(write(TEXT), percent=(name,), **WIDE)


@pytest.mark.parametrize("cell", ["inf%", "nan%", "%", "1e400%"])
def test_percentages_that_are_no_numbers_are_refused(write, cell):
    text = f"data,svm,knn\niris,{cell},0.85\nwine,71%,0.9\nglass,50%,0.72\n"
    with pytest.raises(InputError, match=r"line 2: .* is text|infinite"):
        read_scores(write(text), percent="svm", **WIDE)


def test_a_long_table_and_a_frame_may_be_in_percent(write):
    long = "model,data,accuracy\na,x,95%\nb,x,90%\na,y,71%\nb,y,\n"
    how = {"algorithm": "model", "block": "data", "metrics": {"accuracy": "higher"}}
    read = read_scores(write(long), percent="accuracy", missing="model", **how)
    frame = pd.DataFrame(
        {"model": list("abab"), "data": list("xxyy"), "accuracy": [95, 90, 71, None]}
    )
    again = Scores.from_frame(frame, percent=["accuracy"], missing="model", **how)
    text = frame.assign(accuracy=["95%", "90%", "71%", None])
    signs = Scores.from_frame(text, percent=["accuracy"], missing="model", **how)
    assert read.sha256 == again.sha256 == signs.sha256
    with refused("row 1 ", "a percentage", "percent="):
        Scores.from_frame(text, **how)


# ---- .xlsx ---------------------------------------------------------------------------


def test_a_sheet_gives_the_same_scores_as_text(write, sheet):
    read = read_scores(sheet(ROWS), **WIDE)
    assert read.sha256 == read_scores(write(TEXT), **WIDE).sha256
    assert read.source.format == "xlsx" and read.notes == ("sheet 'first'",)


def test_cells_shown_in_percent_are_proportions(sheet):
    path = sheet(ROWS, formats={"B2": "0.0%", "B3": "0%", "B4": "0%"})
    plain = read_scores(path, **WIDE)
    declared = read_scores(path, percent="svm", **WIDE)
    assert plain.column().tolist() == declared.column().tolist() == VALUES


def test_one_of_several_sheets_is_named(sheet):
    path = sheet(ROWS, notes=[["a note"]], empty=[])
    with refused("2 sheets", "'first', 'notes'", r"name one \(sheet=\.\.\.\)"):
        read_scores(path, **WIDE)
    assert read_scores(path, sheet="first", **WIDE).n_blocks == 3
    with refused("no such sheet", "did you mean 'first'"):
        read_scores(path, sheet="frist", **WIDE)
    with refused("the sheet is empty"):
        read_scores(path, sheet="empty", **WIDE)


@pytest.mark.parametrize(
    ("rows", "part"),
    [
        ([], "empty"),
        (ROWS[:1], "no rows"),
        ([*ROWS, ["oats", "95%", 0.5]], "row 5: '95%' is a percentage"),
        ([*ROWS, ["oats", "x", 0.5]], "'x' .*row 5"),
        ([*ROWS, ["oats", None, 0.5]], "no score.*block='oats', algorithm='svm'"),
        ([*ROWS, ["oats", "=1/3", 0.5]], "cell B5 holds the formula '=1/3'"),
        ([["data", "svm", "svm"], *ROWS[1:]], "column names must differ"),
        ([["data", "svm", None, "n"], *ROWS[1:]], "not numeric|may not be"),
    ],
)
def test_a_sheet_that_cannot_be_used_is_refused_by_name(sheet, rows, part):
    with refused("scores.xlsx: ", part):
        read_scores(sheet(rows), **WIDE)


def test_a_file_that_is_no_workbook_is_refused(write):
    with refused("scores.xlsx: this is not a readable .xlsx file"):
        read_scores(write(TEXT, "scores.xlsx"), **WIDE)


def test_without_openpyxl_the_extra_is_named(sheet, monkeypatch):
    path = sheet(ROWS)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    with refused("pip install openpyxl"):
        read_scores(path, **WIDE)


def test_what_a_format_has_no_use_for_is_refused(write, sheet, tmp_path):
    pd.DataFrame(ROWS[1:], columns=ROWS[0]).to_parquet(tmp_path / "scores.parquet")
    for path in (sheet(ROWS), tmp_path / "scores.parquet"):
        for given in ({"sep": ";"}, {"decimal": ","}):
            with refused(f"{next(iter(given))}=", "is for text files"):
                read_scores(path, **given, **WIDE)
    for path in (write(TEXT), tmp_path / "scores.parquet"):
        with refused("sheet='a' is for .xlsx files"):
            read_scores(path, sheet="a", **WIDE)
