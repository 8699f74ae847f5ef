"""Files of iMRMC and workbooks of RJafroc: their columns need no names.

The files are written here after the descriptions of both programs (iMRMC 4, CC0;
RJafroc 2.1.3, GPL-3); none is copied. The ratings are random.
"""

from __future__ import annotations

import re
import tomllib

import numpy as np
import openpyxl
import pandas as pd
import pytest

import pycompare as pc
from tests.command_line import command

READERS, MODALITIES, CASES = ("r1", "r2", "r3"), ("A", "B"), tuple(range(1, 13))
RNG = np.random.default_rng(7)
ROWS = pd.DataFrame(
    {
        "reader": reader,
        "case": f"c{case}",
        "modality": modality,
        "rating": round(float(RNG.normal() + case % 2), 3),
        "truth": case % 2,
    }
    for modality in MODALITIES
    for reader in READERS
    for case in CASES
)
ROLES = {name: name for name in ("modality", "reader", "case", "rating", "truth")}


def same_analysis(ratings: pc.Ratings) -> None:
    wanted = pc.mrmc(pc.Ratings.from_frame(ROWS, **ROLES, positive=1)).table
    pd.testing.assert_frame_equal(pc.mrmc(ratings).table, wanted)


def assert_a_plan_needs_nothing(path) -> None:
    """A starter plan is complete, because the file has the roles of its columns."""
    text = pc.starter_plan(path, readers=True, folder=path.parent)
    held = tomllib.loads(text)
    assert held == {"data": {"file": path.name}, "readers": {}, "plan": {}}
    assert not re.search(r"(?m)^# (modality|truth|cluster|marks|lesion) =", text)
    (path.parent / "plan.toml").write_text(text)
    wanted = pc.mrmc(pc.read_ratings(path)).p_value
    assert pc.run_plan(path.parent / "plan.toml").result.p_value == wanted


def imrmc_rows(truth="truth") -> list[str]:
    of_cases = ROWS.drop_duplicates("case")
    told = [
        f"{truth},{c},truth,{y}"
        for c, y in zip(of_cases.case, of_cases.truth, strict=True)
    ]
    rated = [
        f"{r.reader}, {r.case}, {r.modality}, {r.rating}" for r in ROWS.itertuples()
    ]
    return [*told, *rated]


@pytest.mark.parametrize("truth", ["truth", "-1", "TRUTH"])
def test_files_of_imrmc(tmp_path, truth):
    path = tmp_path / "study.imrmc"
    lines = ["A study", "NR:3", "", "BEGIN DATA:", *imrmc_rows(truth), ""]
    path.write_text("\n".join(lines))
    same_analysis(pc.read_ratings(path))
    status, output, error = command("mrmc", path)
    assert status == 0, error
    assert "A" in output and "B" in output
    assert_a_plan_needs_nothing(path)


def test_a_csv_file_with_the_columns_of_imrmc(tmp_path):
    rows = [line.replace(" ", "").split(",") for line in imrmc_rows()]
    table = pd.DataFrame(rows, columns=["readerID", "caseID", "modalityID", "score"])
    table.to_csv(tmp_path / "df.csv")  # with an index, as R writes it
    same_analysis(pc.read_ratings(tmp_path / "df.csv"))
    assert_a_plan_needs_nothing(tmp_path / "df.csv")
    table[table.readerID != "truth"].to_csv(tmp_path / "df.csv", index=False)
    with pytest.raises(
        pc.InputError, match=r"modality=\.\.\., reader.*name the column"
    ):
        pc.read_ratings(tmp_path / "df.csv")
    status, _, error = command("mrmc", tmp_path / "df.csv")
    assert status == 2 and "--modality, --reader, --case, --rating: name" in error


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (["r1,c1,A,0.5"], "there is no line BEGIN DATA"),
        (
            ["BEGIN DATA:", "truth,c1,truth,0", "r1,c1,A"],
            "line 3: 3 cells, expected re",
        ),
        (["BEGIN DATA:", "truth,c1,truth,2"], "line 2: the true class is '2'; it is 0"),
        (["BEGIN DATA:", "truth,c1,t,0", "truth,c1,t,1"], "case 'c1' has two true cla"),
        (["BEGIN DATA:", "truth,c1,t,0", "r1,c2,A,1"], "without a true class: 'c2'"),
        (["BEGIN DATA:", "truth,c1,t,0", "r1,c1,A,x"], "line 3: 'x' is no rating"),
        (["BEGIN DATA:", "truth,c1,truth,0"], "there are no ratings"),
    ],
)
def test_damaged_files_of_imrmc_are_refused(tmp_path, lines, problem):
    (path := tmp_path / "study.imrmc").write_text("\n".join(lines))
    with pytest.raises(pc.InputError, match=f"study.imrmc: .*{problem}"):
        pc.read_ratings(path)


def workbook(path, *, paradigm="ROC", names=("FP", "TP", "TRUTH"), marks=()) -> None:
    book = openpyxl.Workbook()
    book.remove(book.active)
    sheets = {name: book.create_sheet(name) for name in names}
    truth, normal, diseased = (sheets[names[i]] for i in (2, 0, 1))
    truth.append(["CaseID", "LesionID", "Weight", "ReaderID", "ModalityID", "Paradigm"])
    for at, case in enumerate(CASES):
        told = (paradigm, "FCTRL")[at] if at < 2 else None
        ill = case % 2
        truth.append([f"c{case}", ill, ill, "r1,r2,r3", "A,B", told])
    normal.append(["ReaderID", "ModalityID", "CaseID", f"{names[0]}_Rating", None])
    head = ["ReaderID", "ModalityID", "CaseID", "LesionID", f"{names[1]}_Rating"]
    diseased.append(head)
    for row in ROWS.itertuples():
        if row.truth:
            diseased.append([row.reader, row.modality, row.case, 1, row.rating])
        else:
            normal.append([row.reader, row.modality, row.case, row.rating])
    for mark in marks:
        normal.append(mark)
    book.save(path)


@pytest.mark.parametrize("names", [("FP", "TP", "TRUTH"), ("NL", "LL", "Truth")])
def test_workbooks_of_rjafroc(tmp_path, names):
    workbook(tmp_path / "roc.xlsx", names=names)
    same_analysis(pc.read_ratings(tmp_path / "roc.xlsx"))
    assert_a_plan_needs_nothing(tmp_path / "roc.xlsx")
    status, _, error = command("mrmc", tmp_path / "roc.xlsx")
    assert status == 0, error


@pytest.mark.parametrize(
    ("how", "problem"),
    [
        ({"paradigm": "FROC"}, "holds FROC data, with several marks on a case"),
        ({"paradigm": None}, "the column Paradigm does not state ROC"),
        (
            {"marks": [["r1", "A", "c1", 2.0]]},
            "case 'c1' is of the other class in TRUTH",
        ),
        ({"marks": [["r1", "A", "c99", 2.0]]}, "cases without a true class: 'c99'"),
    ],
)
def test_other_workbooks_of_rjafroc_are_refused(tmp_path, how, problem):
    workbook(tmp_path / "study.xlsx", **how)
    with pytest.raises(pc.InputError, match=f"study.xlsx: .*{problem}"):
        pc.read_ratings(tmp_path / "study.xlsx")


def test_columns_that_are_named_are_read_as_a_table(tmp_path):
    ROWS.to_excel(tmp_path / "plain.xlsx", index=False)
    same_analysis(pc.read_ratings(tmp_path / "plain.xlsx", **ROLES, positive=1))
    with pytest.raises(pc.InputError, match=r"plain.xlsx: modality=.*name the column"):
        pc.read_ratings(tmp_path / "plain.xlsx")
