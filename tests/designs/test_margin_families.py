"""Tests against margins are members of the family of all metrics and groups."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.designs.margins import margin_pairs_of, n_margin_tables
from pycompare.designs.planned_pairs import joint_family
from tests.conftest import wide
from tests.r_session import run

pytestmark = pytest.mark.usefixtures("blank_pictures")

METRICS = tuple(f"m{i}" for i in range(6))
PLAN = pc.Plan(
    blocks="folds",
    protocol="held-out",
    family="all",
    together="no",
    control="A1",
    margin=dict.fromkeys(METRICS, 1.0),
    hypothesis="non-inferiority",
    margin_alpha=0.05,
)


def scores(rng: np.random.Generator, a: int, worse: float = 1.0) -> pc.Scores:
    """Scores of six metrics whose algorithms are worse than A1 by a true amount."""
    values = rng.normal(size=(30, a, len(METRICS)))
    values[:, 1:] -= worse
    metrics = tuple(pc.Metric(name, "higher") for name in METRICS)
    return dataclasses.replace(wide(values[:, :, 0]), values=values, metrics=metrics)


def within(comparison: Any) -> pd.DataFrame:
    """The tests against margins of all metrics, one below the other."""
    tables = [one.within_margin.table for one in comparison.only.analyses]
    return pd.concat(tables, ignore_index=True)


def test_a_false_claim_within_the_margin_is_as_rare_as_planned() -> None:
    # The algorithm is worse by exactly the margin in all of six metrics. When each
    # metric was a family of its own, 0.285 of the studies had a false claim.
    rng = np.random.default_rng(1)
    n = 200
    false = 0
    for _ in range(n):
        data, tables = scores(rng, 2), n_margin_tables(PLAN, METRICS)
        planned = [margin_pairs_of(data, PLAN, name, tables) for name in METRICS]
        tests = [one for one in planned if one is not None]
        members = joint_family(tests, "all metrics", 0.95).members
        false += any(one.as_columns()["shown"].any() for one in members)
    assert false / n <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / n)


@pytest.mark.parametrize("a", [2, 3])
def test_margins_of_all_metrics_are_adjusted_together(a: int) -> None:
    data = scores(np.random.default_rng(2), a, worse=0.4)
    comparison = pc.compare(data, PLAN)
    table = within(comparison)
    adjusted = pc.adjust(table["p_value"].to_numpy(), "holm")
    assert np.array_equal(table["p_adjusted"], adjusted)
    assert table["shown"].tolist() == (adjusted <= 0.05).tolist()
    assert 0 < table["shown"].sum() < len(table)
    # Intervals have the level of the last step of the whole family.
    own = comparison.only.analyses[3].within_margin
    last = 0.05 / (len(table) - table["shown"].sum())
    assert own.level == pytest.approx(1 - last)
    for row in own.table.itertuples():
        one = pc.equivalence(
            data, margin=1.0, kind="non-inferiority", metric="m3",
            algorithms=(row.algorithm_1, "A1"), alpha=1 - own.level,
        )  # fmt: skip
        assert row.conf_low == pytest.approx(one.conf_low, rel=1e-12)
        assert row.shown == (row.conf_low > -1.0)
    family = comparison.families[-1]
    assert family.against_margin and not family.decides
    assert np.array_equal(family.table["p_holm"], adjusted)
    assert f"Holm adjustment over {family.family}" in comparison.summary()


def test_each_metric_alone_has_the_margins_of_its_own_family() -> None:
    data = scores(np.random.default_rng(2), 3, worse=0.55)
    alone = dataclasses.replace(PLAN, family="metric")
    for one in pc.compare(data, alone).only.analyses:
        public = pc.equivalence_pairs(
            data, margin=1.0, kind="non-inferiority", metric=one.metric.name,
            control="A1", alpha=0.05,
        )  # fmt: skip
        assert one.within_margin.table.equals(public.table)
        assert one.within_margin.adjusted_here


def test_r_repeats_margins_of_a_family() -> None:
    comparison = pc.compare(scores(np.random.default_rng(2), 3, 0.55), PLAN)
    own = comparison.only.analyses[1].within_margin
    assert own.r_call().arguments["adjust"] == "none"
    assert "p_adjusted" not in own.r_values()
    for result in (own, comparison.families[-1]):
        [found] = run([result.r_call()])
        for name, value in result.r_values().items():
            assert_digits(value, found[name], at_least=10, what=name)
