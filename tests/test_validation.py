"""The machinery of the validation: nothing but a comparison that agrees is a pass."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

import pycompare as pc
from pycompare.errors import ReferenceUnavailable
from pycompare.interop import r
from pycompare.results import RCall
from validation import agreement, checks, checks_ranks, page
from validation.agreement import Case, Check, Wanted


def check_of(ours):
    case = Case("a case", RCall(("friedman",), "f", {}), ours)
    return Check("a statistic", "R's f", lambda: [case], {"*": Wanted(12, "closed")})


@pytest.fixture
def answering(monkeypatch):
    def answer(value):
        def run(calls, timeout):
            if isinstance(value, Exception):
                raise value
            return [value for _ in calls]

        monkeypatch.setattr(r, "run", run)
        monkeypatch.setattr(r, "versions", lambda: {"R": "test"})

    return answer


def test_equal_numbers_agree(answering):
    answering({"x": [1.0, np.nan], "y": 2.0})
    outcome = agreement.run([check_of({"x": [1.0, np.nan], "y": 2.0})])
    assert outcome.passed
    assert {row.verdict for row in outcome.rows} == {"agrees"}


def test_the_worst_element_decides(answering):
    answering({"x": [1.0, 2.0, 3.0]})
    outcome = agreement.run([check_of({"x": [1.0, 2.0 + 1e-9, 3.0]})])
    [row] = outcome.rows
    assert row.verdict == "differs"
    assert row.r == 2.0
    assert not outcome.passed


@pytest.mark.parametrize(
    "answer",
    [
        ReferenceUnavailable("no R"),
        {},
        {"x": []},
        {"x": [1.0, 2.0]},
    ],
)
def test_what_was_not_compared_is_not_a_pass(answering, answer):
    answering(answer)
    outcome = agreement.run([check_of({"x": 1.0})])
    assert [row.verdict for row in outcome.rows] == ["not verified"]
    assert outcome.rows[0].reason
    assert not outcome.passed


def test_no_rows_at_all_are_not_a_pass(answering):
    answering({})
    assert not agreement.run([]).passed


def broken():
    raise ZeroDivisionError("ours")


@pytest.mark.parametrize("cases", [list, broken])
def test_a_check_without_cases_or_with_a_fault_of_ours_is_not_a_pass(answering, cases):
    answering({"x": 1.0})
    check = Check("empty", "R", cases, {"*": Wanted(12, "closed")})
    outcome = agreement.run([check, check_of({"x": 1.0})])
    assert [row.verdict for row in outcome.rows] == ["not verified", "agrees"]
    assert not outcome.passed


def test_every_check_is_named_once_and_says_what_it_wants():
    made = checks.all_checks()
    assert len({c.statistic for c in made}) == len(made) > 60
    for check in made:
        assert check.wanted_for("anything").why


def test_every_case_asks_r_for_what_we_have():
    for check in checks_ranks.omnibus_checks():
        for case in check.cases():
            assert case.ours
            for value in case.ours.values():
                assert np.asarray(value, float).size


def test_the_page_and_the_json_hold_every_row(answering, tmp_path):
    answering({"x": 1.0})
    outcome = agreement.run([check_of({"x": 1.0, "<y>": 2.0})])
    page.write(outcome, tmp_path / "out")
    held = json.loads((tmp_path / "out" / "agreement.json").read_text())
    assert [row["verdict"] for row in held["rows"]] == ["agrees", "not verified"]
    assert held["passed"] is False
    text = (tmp_path / "out" / "agreement.html").read_text()
    assert "&lt;y&gt;" in text
    assert "Not passed" in text


def test_a_check_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(pc.InputError, match="no check has 'astrology'"):
        pc.validate(tmp_path / "out", only=["astrology"])


def test_without_r_the_command_fails_and_says_not_verified(tmp_path):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("R_")}
    environment["PATH"] = str(tmp_path)
    out = tmp_path / "out"
    command = [sys.executable, "-m", "pycompare.cli", "validate", "--out", str(out)]
    ran = subprocess.run(
        [*command, "--only", "Quade"], env=environment, capture_output=True, text=True
    )
    assert ran.returncode == 1
    assert "not verified" in ran.stdout
    assert "0 agree" in ran.stdout
    assert json.loads((out / "agreement.json").read_text())["passed"] is False
