"""``--cross-check``: R's digits are in the report, and a difference ends with 1."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import pycompare as pc
from pycompare.base.errors import ReferenceUnavailable
from pycompare.base.interop import rscript
from pycompare.base.interop.r_program import no_program
from pycompare.reporting.document import Table
from pycompare.reporting.evidence import cross_check as module
from pycompare.reporting.evidence.cross_check import CrossCheck, cross_check, shown

pytestmark = pytest.mark.usefixtures("blank_pictures")

SCORES = "d,a,b,c\nx,1,2,3\ny,2,3,1\nz,3,1,2\nu,1,2,4\nv,1,3,2\n"


def words(tmp_path: Path) -> tuple[object, ...]:
    (tmp_path / "scores.csv").write_text(SCORES)
    return (
        "compare", tmp_path / "scores.csv", "--wide", "--metric", "error:lower",
        "--blocks", "datasets", "--compares", "ranks",  # these need no package of R
        "--out", tmp_path / "report", "--cross-check",
    )  # fmt: skip


@pytest.mark.r
def test_the_digits_are_on_the_page_in_the_folder_and_on_the_terminal(
    pycompare, tmp_path
):
    status, _, told = pycompare(*words(tmp_path))
    assert status == 0, told
    found = module.read_cross_check(tmp_path / "report")
    assert found.passed and found.agree == found.compared > 100 and found.wanted == 10
    assert sum(n for _, n in found.digits) == found.compared
    assert f"Cross-check: {found.conclusion}" in told
    assert found.r_version.startswith("R 4.")
    page = (tmp_path / "report" / "report.html").read_text()
    assert found.conclusion in page and "Digits that agree" in page
    assert pc.verify(tmp_path / "report").passed


@pytest.mark.r
def test_a_difference_ends_with_status_1_and_is_named(pycompare, tmp_path, monkeypatch):
    source = rscript.reference_source
    broken = lambda stem: source(stem).replace("w = chi2 /", "w = 1.1 * chi2 /")  # noqa: E731
    monkeypatch.setattr("pycompare.base.interop.r_program.reference_source", broken)
    status, _, told = pycompare(*words(tmp_path))
    assert status == 1
    assert "DIFFERS analyses/0/omnibus/kendall_w" in told
    assert (
        "DIFFERS analyses/0/omnibus/kendall_w"
        in (tmp_path / "report" / "report.html").read_text()
    )


def test_without_r_nothing_is_computed_and_the_option_is_named(
    pycompare, tmp_path, monkeypatch
):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    status, _, told = pycompare(*words(tmp_path))
    assert status == 2 and not (tmp_path / "report").exists()
    assert "--cross-check" in told and "Rscript" in told and told.count("\n") == 1


@pytest.mark.r
def test_a_missing_package_is_named(reports, tmp_path):
    folder = shutil.copytree(reports("example"), tmp_path / "report")
    program = folder / "reproduce.R"
    text = program.read_text().replace("require_packages(", 'require_packages("zz"); (')
    program.write_text(text)
    with pytest.raises(ReferenceUnavailable, match="zz"):
        cross_check(folder)


def test_a_program_that_compares_nothing_says_so(tmp_path):
    (tmp_path / "reproduce.R").write_text(no_program("too many").text)
    found = cross_check(tmp_path)
    assert found.passed and "no number was compared" in found.conclusion


def test_what_differs_is_a_list_on_the_page_cut_with_a_sentence():
    lines = tuple(f"DIFFERS place/{k}: 1, in R 2" for k in range(30))
    found = CrossCheck(
        r_version="R 4.2.2", agree=1, compared=31, wanted=10, digits=((12, 1), (0, 30)),
        listed=("3 without a counterpart: settings",), differs=lines,
    )  # fmt: skip
    blocks = shown(found)
    assert not found.passed
    assert any("10 more differ" in str(block) for block in blocks)
    [table] = [block for block in blocks if isinstance(block, Table)]
    assert table.rows == found.digits


def test_what_was_written_is_read_back(tmp_path):
    found = CrossCheck(
        r_version="R 4.2.2", agree=2, compared=2, wanted=10, digits=((16, 2),),
        listed=(), differs=(),
    )  # fmt: skip
    module.write_cross_check(found, tmp_path)
    assert module.read_cross_check(tmp_path) == found
    assert json.loads((tmp_path / module.CROSS_CHECK).read_text())["agree"] == 2


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("sleep 30 & sleep 30", "took longer than 0.3 s"),
        ("head -c 2000 /dev/zero", "printed 2000 bytes, more than 1000"),
        ("echo '5 of 5 numbers'", "ended with status 0: $"),
        ("sleep 30 & echo no >&2; exit 3", "ended with status 3: no"),
    ],
)
def test_a_program_that_is_not_r_is_ended_with_what_it_started(
    tmp_path, monkeypatch, script, message
):
    (tmp_path / "reproduce.R").write_text("1")
    rscript_of_another = tmp_path / "Rscript"
    rscript_of_another.write_text(f"#!/bin/sh\n{script}\n")
    rscript_of_another.chmod(0o755)
    monkeypatch.setattr(module, "require_rscript", lambda: str(rscript_of_another))
    monkeypatch.setattr(module, "_MOST_PRINTED", 1000)
    with pytest.raises(ReferenceUnavailable, match=message):
        cross_check(tmp_path, timeout=0.3 if "longer" in message else 60)
