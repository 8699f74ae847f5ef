"""Errors that used to be weak: what is wrong, where, and what to do."""

from __future__ import annotations

import pytest

import pycompare as pc
from tests.command_line import command

TABLE = "d,svm,knn\n" + "".join(f"d{i},0.{i}1,0.{i}{(3 * i) % 10}\n" for i in range(9))
OPTIONS = ("--wide", "--metric", "accuracy:higher", "--blocks", "datasets")


@pytest.fixture
def table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE)
    return "t.csv"


def refused(*words):
    status, printed, told = command("compare", *words)
    assert status == 2 and printed == ""
    return " ".join(told.split())


def test_a_picture_is_named_whatever_its_ending(table, tmp_path):
    (tmp_path / "p.csv").write_bytes(b"\x89PNG\r\n\x1a\n\x00\xff")
    assert "p.csv: the file is a PNG picture, whatever" in refused("p.csv", *OPTIONS)
    (tmp_path / "x.docx").write_bytes(b"PK\x03\x04")
    told = refused("x.docx")
    assert "it is a text document (ending '.docx'), not a table; save" in told


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("--metrc", "accuracy:higher"), "Did you mean '--metric'?"),
        ((*OPTIONS[:3], "--blocks", "dataset"), "did you mean 'datasets'?"),
        (("--wide", "--metric", "accuracy:hihger"), "did you mean 'higher'?"),
        ((*OPTIONS, "--style", "pages"), "did you mean 'page'?"),
        ((*OPTIONS, "--control", "smv"), "did you mean 'svm'?"),
    ],
)
def test_one_suggestion_before_any_output(table, words, hint):
    told = refused(table, *words)
    assert hint in told and told.lower().count("did you mean") == 1


def test_too_few_algorithms_or_blocks_have_advice():
    one = [{"d": f"d{i}", "svm": 0.1 * i} for i in range(4)]
    with pytest.raises(pc.InputError, match="got 1: 'svm'; add the scores of a second"):
        pc.Scores.from_wide(one, block="d", algorithms=["svm"], metric="a",
                            better="higher")  # fmt: skip
    row = [{"d": "d1", "svm": 0.1, "knn": 0.2}]
    with pytest.raises(pc.InputError, match="further data sets, folds or cases, or"):
        pc.Scores.from_wide(row, block="d", algorithms=["svm", "knn"], metric="a",
                            better="higher")  # fmt: skip


def test_help_has_ten_options_and_help_all_the_rest():
    status, shown, _ = command("compare", "--help")
    assert status == 0 and len(shown.splitlines()) <= 45
    options = [x for x in shown.splitlines() if x.startswith("  --")]
    assert len(options) == 11 and options[-1].startswith("  --help-all")
    status, every, _ = command("compare", "--help-all")
    assert status == 0 and len(every.splitlines()) > 200
    for title in ("Data:", "Decisions:", "Folds:", "Margins:", "Output:"):
        assert f"\n{title}\n" in every and title not in shown


@pytest.mark.usefixtures("blank_pictures")
def test_without_out_the_folder_is_report_and_nothing_is_lost(table, tmp_path):
    status, printed, _ = command("compare", table, *OPTIONS)
    assert status == 0 and "report.html" in printed
    assert (tmp_path / "report" / "report.html").exists()
    assert "report holds an earlier report; choose" in refused(table, *OPTIONS)
    assert command("compare", table, *OPTIONS, "--overwrite")[0] == 0


def test_a_folder_that_is_no_report_is_left_alone(table, tmp_path):
    (tmp_path / "report").mkdir()
    (tmp_path / "report" / "thesis.txt").write_text("kept")
    told = refused(table, *OPTIONS, "--overwrite")
    assert "was not written by pycompare; it is left unchanged" in told
    assert [p.name for p in (tmp_path / "report").iterdir()] == ["thesis.txt"]
