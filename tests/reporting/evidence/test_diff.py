"""``diff`` says which inputs, settings, conclusions and numbers changed."""

from __future__ import annotations

import json

import numpy as np
import pytest

import pycompare as pc
from pycompare.errors import InputError
from tests.conftest import wide


def report(to, seed=0, **plan):
    values = np.random.default_rng(seed).normal(size=(20, 3)) + np.arange(3)
    comparison = pc.compare(wide(values), pc.Plan(blocks="datasets", **plan))
    return pc.report(comparison, to)


def test_the_same_analysis_has_no_differences(tmp_path):
    found = pc.diff(report(tmp_path / "a"), report(tmp_path / "b"))
    assert found.same and found.compared > 200
    assert "Numbers: 0 differences" in found.summary()


def test_another_adjustment_is_a_setting_and_changes_numbers(tmp_path):
    one = report(tmp_path / "a", adjust=["holm"])
    found = pc.diff(one, report(tmp_path / "b", adjust=["bonferroni"]))
    assert found.of("inputs").empty
    assert found.of("settings")["place"].tolist() == ["adjust/0"]
    assert found.of("settings")["second"].tolist() == ["bonferroni"]
    assert not found.of("numbers").empty


def test_other_scores_are_inputs_and_conclusions_name_the_pair(tmp_path):
    found = pc.diff(report(tmp_path / "a"), report(tmp_path / "b", seed=9, alpha=1e-9))
    assert "scores as analysed" in found.of("inputs")["place"].tolist()
    assert "alpha" in found.of("settings")["place"].tolist()
    row = (
        found.of("conclusions").set_index("place").loc["analyses/0/decisions: A1 – A3"]
    )
    assert row["second"] == "not significant" and "better" in row["first"]


def test_the_command_shows_differences_and_its_status(tmp_path, pycompare):
    a, b = report(tmp_path / "a"), report(tmp_path / "b", alpha=0.01)
    assert pycompare("diff", a, a)[0] == 0
    status, text, _ = pycompare("diff", a, b)
    assert status == 1 and "alpha" in text
    status, text, _ = pycompare("diff", a, b, "--json")
    rows = json.loads(text)["differences"]
    assert {"part": "settings", "place": "alpha", "first": 0.05, "second": 0.01} in rows


def test_reports_of_two_kinds_are_refused(reports, tmp_path):
    with pytest.raises(InputError, match="two kinds"):
        pc.diff(reports("model"), reports("example"))
    with pytest.raises(InputError, match=r"has no manifest\.json"):
        pc.diff(reports("example"), tmp_path)
