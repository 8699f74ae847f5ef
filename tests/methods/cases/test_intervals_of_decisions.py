"""Over cases no interval beside a decision contradicts it, whatever the tests."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.designs.pair_methods import draws
from pycompare.results.result import rejected
from tests.conftest import wide

NAMES = ("A", "B", "C", "D", "E")
METHODS = {
    "paired_t_pairs": pc.paired_t_pairs,
    "corrected_pairs": partial(pc.corrected_pairs, n_train=9, n_test=1),
    "cluster_pairs": pc.cluster_pairs,
    "weighted_pairs": partial(pc.weighted_pairs, weights={"g0": 3, "g1": 1}),
}


def graded(rng: np.random.Generator, n: int, a: int, kind: str = "") -> pc.Scores:
    """Return graded scores of cases, some of which tie, in clusters or benchmarks."""
    x = rng.normal(size=(n, 1)) + rng.normal(size=(n, a))
    x = np.round(x + rng.choice([0.0, 0.4, 1.5]) * np.arange(a), rng.integers(0, 3))
    table = {name: x[:, j].tolist() for j, name in enumerate(NAMES[:a])}
    roles = {}
    if kind == "cluster_pairs":
        table["text"] = [f"t{i // 3}" for i in range(n)]
        roles = {"cluster": "text"}
    if kind == "weighted_pairs":
        table["task"] = [f"g{i % 2}" for i in range(n)]
        roles = {"group": "task"}
    better = "higher" if n % 2 else "lower"
    return pc.Scores.from_wide(
        table, metric="grade", better=better, algorithms=NAMES[:a], **roles
    )


def contradictions(pairs, alpha: float) -> int:
    """Count the intervals that exclude 0 without a decision, or hold it beside one."""
    low, high, p = (
        pairs.as_columns()[name].astype(float)
        for name in ("conf_low", "conf_high", "p_adjusted")
    )
    known = ~np.isnan(low)
    excludes = (low > 0) | (high < 0)
    return int(np.sum((excludes != rejected(p, alpha)) & known))


@pytest.mark.parametrize("name", METHODS)
def test_no_interval_contradicts_its_decision(name):
    rng = np.random.default_rng(5)
    for _ in range(63):  # with every method and adjustment, 1,008 tables
        n, a = int(rng.integers(8, 60)), int(rng.integers(2, 6))
        alpha = float(rng.choice([0.01, 0.05, 0.2]))
        raw = METHODS[name](graded(rng, n, a, name), adjust="none", alpha=alpha)
        for adjust in ("holm", "bergmann-hommel", "hommel", "bonferroni"):
            found = raw.adjusted(adjust)
            assert contradictions(found, alpha) == 0
            assert found.level >= 1 - alpha - 1e-12


@pytest.mark.parametrize("name", METHODS)
def test_joint_intervals_are_those_of_a_level(name):
    scores = graded(np.random.default_rng(2), 31, 4, name)
    joint = METHODS[name](scores, adjust="holm", level=0.94)
    # Six pairs share 6 % between them; Holm's first step has the same level.
    alone = METHODS[name](scores, adjust="bonferroni", alpha=0.06)
    if not alone.rejected(0.06).any():
        assert alone.level == pytest.approx(0.99)
    assert joint.level == 0.94 and "Bonferroni" in joint.interval
    assert joint.alpha is None and alone.alpha == 0.06
    with pytest.raises(pc.InputError, match=r"alpha=0.05, level=0.9"):
        METHODS[name](scores, alpha=0.05, level=0.9)


def test_the_level_is_that_of_holms_last_step():
    rng = np.random.default_rng(3)
    scores = wide(rng.normal(size=(40, 4)) + np.array([0, 0, 0, 3]))
    found = pc.paired_t_pairs(scores, alpha=0.05)
    assert found.rejected(0.05).sum() == 3
    assert_digits(found.level, 1 - 0.05 / 3, at_least=15)
    pair = pc.paired_t(scores, algorithms=("A1", "A2"), level=found.level)
    row = found.table.iloc[0]
    assert_digits(
        [row.conf_low, row.conf_high], [pair.conf_low, pair.conf_high], at_least=13
    )


@pytest.mark.parametrize("kind", ["graded", "cluster_pairs", "weighted_pairs"])
def test_the_primary_analysis_of_a_plan_has_them(kind):
    rng = np.random.default_rng(8)
    for trial in range(4):
        scores = graded(rng, int(rng.integers(12, 40)), 3 + trial % 2, kind)
        keys = {"control": "A"} if trial == 0 else {}
        if kind == "weighted_pairs":
            keys |= {"weights": {"g0": 1.0, "g1": 2.0}, "family": "metric"}
        keys["gate"] = "omnibus" if trial % 2 else "none"
        plan = pc.Plan(blocks="cases", alpha=0.1, **keys)
        made = [part.analyses[0].decisive for part in pc.compare(scores, plan).parts]
        assert len(made) == (3 if kind == "weighted_pairs" else 1)
        for pairs in made:
            assert not draws(pairs.adjust)
            assert contradictions(pairs, 0.1) == 0


def test_a_family_of_two_metrics_has_one_last_step():
    rng = np.random.default_rng(4)
    frame = {"item": [f"q{i % 30}" for i in range(90)]}
    frame["model"] = np.repeat(NAMES[:3], 30).tolist()
    for name, shift in (("fluency", 2.0), ("truth", 0.1)):
        frame[name] = (rng.normal(size=90) + np.repeat([0, 0, shift], 30)).tolist()
    scores = pc.Scores.from_frame(
        frame, algorithm="model", block="item",
        metrics={"fluency": "higher", "truth": "higher"},
    )  # fmt: skip
    plan = pc.Plan(blocks="cases", family="all")
    pairs = [one.decisive for one in pc.compare(scores, plan).analyses]
    found = sum(int(one.rejected(0.05).sum()) for one in pairs)
    assert found == 2 and {round(one.level, 12) for one in pairs} == {1 - 0.05 / 4}
    assert sum(contradictions(one, 0.05) for one in pairs) == 0


@pytest.mark.parametrize("kind", ["graded", "cluster_pairs"])
def test_a_level_that_no_interval_has_is_refused(kind):
    scores = graded(np.random.default_rng(1), 31, 3, kind)
    for adjust in ((), ("max-t",)):
        plan = pc.Plan(blocks="cases", level=0.8, adjust=adjust)
        with pytest.raises(pc.InputError, match="level at which its pair is decided"):
            pc.compare(scores, plan)
