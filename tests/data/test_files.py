"""Scores from files: what is read, from which bytes, and what is refused."""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import feather, ipc
from scipy.stats import rankdata

from pycompare.data import Scores, example, example_path, read_scores, text_rows
from pycompare.data.reading.answers import DOUBTS
from tests.data.tables import LONG, refused

WIDE = {"wide": True, "metric": "error", "better": "lower"}

TEXT = """block,algorithm,error
b1,svm,0.1
b1,knn,0.2
b2,svm,0.3
b2,knn,0.4
"""


@pytest.fixture
def write(tmp_path):
    """Write a file and return its path."""

    def write(content: str | bytes, name: str = "scores.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def frame() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "block": ["b1", "b1", "b2", "b2"],
            "algorithm": ["svm", "knn"] * 2,
            "error": [0.1, 0.2, 0.3, 0.4],
        }
    )


# ---- the example ---------------------------------------------------------------------


def test_the_example_has_the_mean_ranks_that_the_paper_prints():
    # García & Herrera (2008), JMLR 9, 2677-2694: three decimals.
    scores = example()
    assert scores.shape == (30, 5, 1) and scores.blocks[0] == "Abalone"
    assert scores.algorithms == ("C4.5", "1-NN", "NaiveBayes", "Kernel", "CN2")
    ranks = rankdata(scores.oriented(), axis=1).mean(axis=0)
    assert ranks.round(3).tolist() == [2.1, 3.25, 2.2, 4.333, 3.117]


def test_the_example_is_found_by_path_and_an_unknown_one_refused():
    assert example_path().name == "garcia_herrera_2008.csv"
    assert example("garcia-herrera-2008").source.rows == 30
    with refused("no example 'garcia-herrera'", "did you mean"):
        example("garcia-herrera")


# ---- formats -------------------------------------------------------------------------


def test_every_format_gives_the_same_scores(write, tmp_path):
    table = pa.Table.from_pandas(frame())
    paths = [write(TEXT), write(TEXT.replace(",", "\t"), "scores.TSV")]
    for ending in ("parquet", "feather", "arrow"):
        paths.append(tmp_path / f"scores.{ending}")
    frame().to_parquet(paths[2])
    feather.write_feather(table, paths[3])
    with ipc.new_stream(paths[4], table.schema) as stream:
        stream.write_table(table)
    wanted = Scores.from_frame(frame(), **LONG).sha256
    for path in paths:
        scores = read_scores(path, **LONG)
        assert scores.sha256 == wanted
        assert scores.source.format == path.suffix[1:].lower()


def test_the_source_is_the_hash_of_the_bytes_in_the_file(write):
    path = write(TEXT)
    source = read_scores(str(path), **LONG).source
    assert source.name == "scores.csv" and source.size == len(TEXT)
    assert source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert source.rows == 4
    assert source.sha256 in read_scores(path, **LONG).summary()


def test_a_file_is_read_once(write, monkeypatch):
    path, reads = write(TEXT), []
    original = Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda self: reads.append(self) or original(self)
    )
    read_scores(path, **LONG)
    assert reads == [path]


@pytest.mark.parametrize(
    "content",
    [
        "\ufeff" + TEXT,
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("\n", "\r"),
        TEXT.rstrip("\n"),
        TEXT + "\n\n\r\n",
        TEXT.replace("b1", '"b1"').replace("0.1", '"0.1"'),
        TEXT.replace(",0.2", ", 0.2 "),
    ],
    ids=["bom", "crlf", "cr", "no-newline", "blank-end", "quotes", "spaces"],
)
def test_harmless_differences_of_csv_files_do_not_matter(write, content):
    wanted = Scores.from_frame(frame(), **LONG).sha256
    assert read_scores(write(content), **LONG).sha256 == wanted


def test_a_wide_file_takes_its_first_column_as_blocks(write):
    scores = read_scores(write("k,svm,knn\n007,0.1,0.2\n1e5,0.3,0.4\n"), **WIDE)
    assert scores.blocks == ("007", "1e5") and scores.algorithms == ("svm", "knn")


def test_a_wide_file_takes_a_named_block_column_and_some_algorithms(write):
    path = write("svm,k,n,knn\n0.1,a,9,0.2\n0.3,b,9,0.4\n")
    scores = read_scores(path, **WIDE, block="k", algorithms=["svm", "knn"])
    assert scores.blocks == ("a", "b")
    assert scores.column().tolist() == [[0.1, 0.2], [0.3, 0.4]]


def test_row_names_written_by_r_are_a_column_without_a_name(write):
    scores = read_scores(write('"","svm","knn"\n"a",0.1,0.2\n"b",0.3,0.4\n'), **WIDE)
    assert scores.blocks == ("a", "b")


def test_the_stored_index_of_a_pandas_file_names_the_blocks(tmp_path):
    wide = Scores.from_frame(frame(), **LONG).to_wide()
    wide.to_parquet(tmp_path / "w.parquet")
    wide.reset_index().to_feather(tmp_path / "w.feather")
    for name in ("w.parquet", "w.feather"):
        scores = read_scores(tmp_path / name, **WIDE)
        assert scores.blocks == ("b1", "b2") and scores.algorithms == ("svm", "knn")


def test_a_first_column_of_decimal_numbers_is_not_taken_for_labels(write, tmp_path):
    text = "svm,knn,lda\n0.1,0.2,0.3\n1,5,6\n"
    with refused("first column 'svm' holds decimal numbers", "block="):
        read_scores(write(text), **WIDE)
    assert read_scores(write(text), **WIDE, block="svm").blocks == ("0.1", "1")
    pd.DataFrame({"svm": [0.1, 0.2], "b": [1.0, 2]}).to_parquet(tmp_path / "x.parquet")
    with refused("first column 'svm' holds decimal numbers"):
        read_scores(tmp_path / "x.parquet", **WIDE)


# ---- labels in text ------------------------------------------------------------------

AS_WRITTEN = [
    "nan",
    "NA",
    "None",
    "007",
    "1e5",
    "in side",
    "TRUE",
    "=1+1",
    "1.0",
    "é中",
]


def test_labels_of_a_csv_file_are_read_exactly_as_written(write):
    lines = [f"{b},{a},1" for b in AS_WRITTEN for a in ("null", "x" * 200_000)]
    path = write("block,algorithm,error\n" + "\n".join(lines))
    scores = read_scores(path, **LONG)
    assert list(scores.blocks) == AS_WRITTEN
    assert scores.algorithms == ("null", "x" * 200_000)


def test_outer_blanks_are_no_part_of_labels_and_names(write):
    path = write(TEXT.replace("b1", " b1 ").replace("svm", "\tsvm"))
    scores = read_scores(path, **LONG)
    assert scores.blocks == ("b1", "b2") and scores.algorithms == ("svm", "knn")
    path = write(TEXT.replace("algorithm", "  algorithm "))
    assert read_scores(path, **LONG).algorithms == ("svm", "knn")


def test_quoted_labels_may_hold_delimiters_and_quotes(write):
    path = write(TEXT.replace("svm", '"svm, ""rbf"""'))
    assert read_scores(path, **LONG).algorithms == ('svm, "rbf"', "knn")


@pytest.mark.parametrize(
    ("old", "new", "parts"),
    [
        ("b1,knn", ",knn", ["column 'block', line 3", "empty"]),
        ("b1,knn", "b 1\x00,knn", ["column 'block', line 3", "x00"]),
        ("b1,knn", '"b\x1b1",knn', ["column 'block', line 3", "x1b"]),
        ("b2,svm", " b1,svm", ["block='b1', algorithm='svm'", "line 2 and line 4"]),
    ],
)
def test_labels_that_cannot_be_used_are_refused_by_line(write, old, new, parts):
    with refused("^scores.csv: ", *parts):
        read_scores(write(TEXT.replace(old, new)), **LONG)


# ---- cells in text -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1", 1.0),
        ("+1.", 1.0),
        (".5", 0.5),
        ("-0", -0.0),
        ("1e-300", 1e-300),
        ("1E300", 1e300),
        ("5e-324", 5e-324),
        ("0.1000000000000000055511151231257827", 0.1),
        ("9007199254740992", 2.0**53),
        ("000000000000000000001", 1.0),
    ],
)
def test_a_cell_is_read_as_float_reads_it(write, cell, value):
    scores = read_scores(write(TEXT.replace("0.1", cell)), **LONG)
    assert scores.column()[0, 0].tobytes() == np.float64(value).tobytes()


@pytest.mark.parametrize("cell", ["", "NA", "NaN", "nan", '""', "  "])
def test_a_missing_cell_is_empty_or_says_so(write, cell):
    path = write(TEXT.replace("0.1", cell))
    with refused(
        "scores.csv: 1 of 4 cells has no score", "block='b1', algorithm='svm'"
    ):
        read_scores(path, **LONG)
    scores = read_scores(path, **LONG, missing="model")
    assert scores.dropped.cells == (("b1", "svm", "error"),)


@pytest.mark.parametrize(
    "cell",
    ['"0,5"', "1_000", "0x1p3", "1e", "--1", "1 000", "٠", "1,5e3x", "1j"],
)  # fmt: skip
def test_a_cell_that_is_no_number_is_refused_by_column_line_and_cell(write, cell):
    cell = cell if cell.startswith('"') else f'"{cell}"'
    with refused(
        r"column 'error': 1 of 4 values is not numeric \(line 3: "
        + repr(cell.strip('"')).replace("+", r"\+")
        + (" is a number with another" if "0,5" in cell else " is text")
    ):
        read_scores(write(TEXT.replace("0.2", cell)), **LONG)


@pytest.mark.parametrize("cell", ["abc", "N/A", "null", "True", "-nan", "+", "."])
def test_a_text_among_scores_is_a_question_with_its_place(write, cell):
    with refused(
        r"marks: text stands in the place of 1 score: "
        rf"{re.escape(repr(cell))} \(1 of them, first: line 3, column 'error'\)",
        re.escape(f"correct it, or read it as missing: na=({cell!r},)"),
    ):
        read_scores(write(TEXT.replace("0.2", cell)), **LONG)


def test_an_integer_that_float64_cannot_hold_is_refused(write):
    with refused("line 2: '9007199254740993' is an integer that float64 cannot hold"):
        read_scores(write(TEXT.replace("0.1", "9007199254740993")), **LONG)


@pytest.mark.parametrize("cell", ["inf", "-Inf", "Infinity", "1e400", "9" * 5000])
def test_an_infinite_cell_is_refused(write, cell):
    with refused("column 'error' is infinite in 1 of 4 rows, first: line 3"):
        read_scores(write(TEXT.replace("0.2", cell)), **LONG)


@settings(max_examples=60)
@given(st.lists(st.floats(-1e300, 1e300), min_size=4, max_size=4))
def test_scores_written_by_repr_come_back_bit_for_bit(tmp_path_factory, cells):
    path = tmp_path_factory.getbasetemp() / "bits.csv"
    given = frame().assign(error=cells).rename(columns={"error": "score"})
    lines = [f"{b},{a},{y!r}" for b, a, y in given.itertuples(index=False)]
    path.write_text("block,algorithm,score\n" + "\n".join(lines))
    how = LONG | {"metrics": {"score": "lower"}, "confirmed": DOUBTS}
    wanted = Scores.from_frame(given, **how).sha256
    assert read_scores(path, **how).sha256 == wanted


# ---- files that cannot be used -------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "parts"),
    [
        ("", ["the file is empty", "0 bytes"]),
        ("\ufeff", ["the file is empty"]),
        ("\n\n", ["the file is empty"]),
        ("block,algorithm,error\n", ["no rows, only columns"]),
        (TEXT.replace("thm,", ","), ["no column 'algorithm'", "mean 'algori'"]),
        (TEXT.replace("block,", "error,"), ["column names must differ", "'error'"]),
        (TEXT.replace(",", ";"), ["one column", "';'"]),
        (TEXT.replace(",", "\t"), ["one column", r"'\\t'"]),
        (TEXT.replace("b2,knn,0.4", "b2,knn"), ["line 5 has 2 cells", "header has 3"]),
        (TEXT.replace("b1,knn,0.2", "b1,knn,0,2"), ["line 3 has 4 cells"]),
        (TEXT.replace("b2,svm", "b\nb2,svm"), ["line 4 has 1 cells"]),
        (TEXT.replace("b2,svm", '"b2"x,svm'), ["line 4", "quotes"]),
        (TEXT.replace("b2,svm", '"b2,svm'), ["line 4", "quotes"]),
        (TEXT.replace("svm", "s\xe9m").encode("latin-1"), ["not UTF-8", "line 2"]),
        (TEXT.encode("utf-16"), ["not UTF-8", "UTF-16"]),
        (TEXT + "b1,svm,0.1\n", ["block='b1', algorithm='svm' in line 2 and line 6"]),
    ],
)  # fmt: skip
def test_a_file_that_cannot_be_used_is_refused_by_name(write, content, parts):
    with refused("^scores.csv: ", *parts):
        read_scores(write(content), **LONG)


def test_lines_are_counted_through_quoted_line_breaks(write):
    text = (
        "block,note,algorithm,error\nb1,'x',svm,1\nb1,\"a\nb\nc\",knn,2\nb2,,svm,oops\n"
    )
    with refused("'oops' .*line 6"):
        read_scores(write(text), **LONG)


def test_a_tsv_file_with_commas_is_refused(write):
    with refused("scores.tsv: ", "one column", "','"):
        read_scores(write(TEXT, "scores.tsv"), **LONG)


OTHER = {
    "scores.xls": "a workbook in the old format",
    "scores.csv.zip": "a ZIP file",
    "scores": "not supported",
}


@pytest.mark.parametrize("name", OTHER)
def test_another_ending_is_refused(write, name):
    with refused(name, OTHER[name], ".parquet", "sep=';'"):
        read_scores(write(TEXT, name), **LONG)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with refused("nothing.csv: cannot read", "No such file"):
        read_scores(tmp_path / "nothing.csv", **LONG)


@pytest.mark.parametrize("ending", ["parquet", "feather", "arrow"])
@pytest.mark.parametrize("content", [TEXT.encode(), b"ARROW1\0\0", b"PAR1PAR1", b""])
def test_a_damaged_binary_file_is_refused(write, ending, content):
    with refused(f"scores.{ending}: ", "no readable|is empty"):
        read_scores(write(content, f"scores.{ending}"), **LONG)


def test_a_missing_pyarrow_is_named_with_what_to_install(write, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with refused("need pyarrow", "pip install pyarrow"):
        read_scores(write(b"PAR1", "scores.parquet"), **LONG)
    assert read_scores(write(TEXT), **LONG).n_blocks == 2


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ({}, ["a long table needs"]),
        ({"algorithm": "a", "metrics": {"y": "lower"}}, ["a long table needs"]),
        (LONG | {"metric": "error"}, ["metric needs wide=True"]),
        ({"wide": True}, ["a wide table needs metric"]),
        (WIDE | {"algorithm": "a", "dataset": "d"}, ["algorithm needs wide"]),
        (WIDE | {"better": "max"}, ["'higher' or 'lower', got 'max'"]),
    ],
)  # fmt: skip
def test_arguments_of_the_other_form_are_refused_before_the_file_is_read(
    arguments, parts
):
    with refused(*parts):
        read_scores("nothing.csv", **arguments)


def test_short_cells_are_held_once():
    rows = text_rows.rows_of("id,A,B\ncase 1,0,1.0\ncase 2,0,1.0\n", ",").cells
    assert rows == [["id", "A", "B"], ["case 1", "0", "1.0"], ["case 2", "0", "1.0"]]
    # "0" is one object anyway.
    assert rows[1][2] is rows[2][2]
