"""``diff`` says which inputs, settings, conclusions and numbers changed."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.reporting.evidence.conclusions import conclusions
from tests.conftest import wide
from tests.reporting.evidence.reports import MAKERS

pytestmark = pytest.mark.usefixtures("blank_pictures")


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


def with_margin(to, shift, kind):
    """Write a report in which A2 is worse than A1 by some ``shift``."""
    values = np.random.default_rng(0).normal(size=(30, 3)) * 0.3 + [0, shift, 0.05]
    control = {"control": "A1"} if kind == "non-inferiority" else {}
    plan = pc.Plan(blocks="datasets", margin=0.3, hypothesis=kind, **control)
    return pc.report(pc.compare(wide(values), plan), to)


@pytest.mark.parametrize("kind", ["non-inferiority", "equivalence"])
def test_a_margin_that_is_no_longer_shown_is_said_first(tmp_path, kind):
    a = with_margin(tmp_path / "a", 0, kind)
    found = pc.diff(a, with_margin(tmp_path / "b", -0.4, kind))
    rows = found.of("conclusions").set_index("place")
    pair = "A2 – A1" if kind == "non-inferiority" else "A1 – A2"
    row = rows.loc[f"analyses/0/within_margin/table: {pair}"]
    assert (row["first"], row["second"]) == ("shown", "not shown")
    first, *_ = found.summary().splitlines()
    assert first == f"{len(rows)} of {found.n_conclusions} conclusions changed."
    held = found.to_dict()
    assert held["conclusions_changed"] == len(rows) == found.conclusions_changed
    unchanged = pc.diff(a, with_margin(tmp_path / "c", 1e-6, kind))
    assert not unchanged.same and unchanged.conclusions_changed == 0
    assert unchanged.summary().startswith("None of ")


ROW = {"algorithm_1": "A", "algorithm_2": "B", "p_value": 0.01}
FACTS = [
    # A part of results.json, and its conclusion at 0.05.
    ([{**ROW, "p_adjusted": 0.01, "estimate": 1}], "significant, estimate above 0"),
    ([{**ROW, "p_adjusted": 0.01, "estimate": -1}], "significant, estimate below 0"),
    ([{**ROW, "p_adjusted": 0.0501}], "not significant"),
    ([{**ROW, "p_adjusted": 0.05}], "significant"),
    ([{**ROW, "p_adjusted": "NaN"}], "not tested"),
    ({"alpha": 0.001, "table": [{**ROW, "p_adjusted": 0.01}]}, "not significant"),
    ([{**ROW, "p_adjusted": "NaN", "shown": False}], "not tested"),
    (
        {name: [one] for name, one in {**ROW, "p_adjusted": 1}.items()},
        "not significant",
    ),
    ([ROW], None),  # nothing has adjusted it
    ({"checks": [{"name": "x", "p_value": 0.01}]}, None),
    ({"name": "x", "p_value": 0.01}, "significant"),
    ([{"term": "alg", "p_value": 0.2}], "not significant"),
    ([{"dataset": "d", "verdict": "tie"}], "tie"),
    ({"n_required": 34}, "n = 34"),
]


@pytest.mark.parametrize(("results", "word"), FACTS)
def test_facts_of_results(results, word):
    assert list(conclusions({"part": results}, 0.05).values()) == [word] * (
        word is not None
    )


def test_facts_are_found_by_name_in_any_order_of_rows():
    rows = [
        {"better": b, "worse": w, "p_adjusted": p, "rejected": p < 0.05}
        for b, w, p in (("A", "B", 0.01), ("C", "A", 0.2), ("B", "C", 0.6))
    ]
    found = conclusions({"decisions": rows}, 0.05)
    assert found == conclusions({"decisions": rows[::-1]}, 0.05)
    assert found["decisions: A – B"] == "A significantly better"
    turned = [{**rows[0], "better": "B", "worse": "A"}, *rows[1:]]
    turned = conclusions({"decisions": turned}, 0.05)
    assert turned["decisions: A – B"] == "B significantly better"
    twice = conclusions({"decisions": [rows[0], rows[0]]}, 0.05)
    assert list(twice) == ["decisions: A – B", "decisions: A – B (2)"]


@pytest.mark.parametrize("kind", MAKERS)
def test_every_kind_of_report_has_conclusions(reports, kind):
    found = pc.diff(reports(kind), reports(kind))
    assert found.same
    if kind == "gate":  # its verdict, and its decisions: on the whole, on two slices
        assert found.n_conclusions == 4
    else:
        assert found.n_conclusions >= 10


def test_rows_are_compared_by_their_names_in_whatever_order(tmp_path):
    """One score moves one algorithm: the others' pairs have no difference."""
    scores = pc.example()
    values = scores.values.copy()
    values[:, 4] -= 0.2  # the order of the pairs by evidence changes
    moved = dataclasses.replace(scores, values=values)
    for name, given in (("first", scores), ("second", moved)):
        plan = pc.Plan(blocks="datasets", adjust=("bonferroni",))
        pc.report(pc.compare(given, plan), tmp_path / name, formats="text")
    places = pc.diff(tmp_path / "first", tmp_path / "second").of("numbers")["place"]
    pairs = [p for p in places if " – " in p and p.endswith(("/estimate", "/p_value"))]
    assert len(pairs) > 20
    assert not [p for p in pairs if "CN2" not in p and "rank" not in p]
