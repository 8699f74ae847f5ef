"""Conclusions of whole comparisons: intervals, decisions and raw p-values agree.

``RANDOM_TABLES=50`` draws 1,000 tables; by default there are 280.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.compare import analyse
from tests.conftest import wide

TABLES = int(os.environ.get("RANDOM_TABLES", "14"))
NAMES = ("A1", "A2", "A3", "A4", "A5")
FOLDS = {"blocks": "folds", "protocol": "cross-validation", "n_folds": 3}
RUNS = {"blocks": "cases", "replicates": "average"}
MARGIN = {"margin": 0.4, "hypothesis": "equivalence"}
Rng = np.random.Generator


def graded(rng: Rng, n: int, a: int, runs: int = 0) -> np.ndarray:
    """Return scores of which some tie, and some algorithms differ."""
    shape = (n, a, runs) if runs else (n, a)
    x = rng.normal(size=(n, *[1] * (len(shape) - 1))) + rng.normal(size=shape)
    shift = rng.choice([0.0, 0.5, 2.0]) * np.arange(a)
    return np.round(x + (shift[:, None] if runs else shift), int(rng.integers(0, 4)))


def right(rng: Rng, n: int, a: int, runs: int = 0) -> np.ndarray:
    """Return right/wrong answers, often all right."""
    shape = (n, a, runs) if runs else (n, a)
    share = rng.choice([0.5, 0.9, 0.99]) - rng.choice([0, 0.1, 0.3]) * np.arange(a) / a
    share = np.clip(share, 0, 1)
    same = rng.random((n, *[1] * (len(shape) - 1)))
    own = rng.random(shape) < (share[:, None] if runs else share)
    return np.where(same < 0.5, own, same < 0.75 + 0 * own).astype(float)


def size(rng: Rng) -> tuple[int, int]:
    """Return numbers of blocks and algorithms."""
    return int(rng.integers(7, 40)), int(rng.integers(2, 6))


def with_runs(x: np.ndarray) -> pc.Scores:
    """Return scores of several runs."""
    scores = wide(x.mean(axis=2))
    labels = tuple(str(r) for r in range(x.shape[2]))
    return dataclasses.replace(scores, runs=x[:, :, None, :], replicates=labels)


def with_labels(scores: pc.Scores, field: str, each: int) -> pc.Scores:
    """Return scores whose blocks are in clusters, groups or data sets."""
    labels = tuple(f"{field}{i // each}" for i in range(scores.n_blocks))
    return dataclasses.replace(scores, **{field: labels})


def gaps(rng: Rng) -> pc.Scores:
    """Return scores with missing cells."""
    x = graded(rng, int(rng.integers(14, 40)), 4)
    x[rng.random(x.shape) < 0.1] = np.nan
    x[np.isnan(x).sum(axis=1) > 2] = 0.0
    return wide(x, missing="model")


def nested(rng: Rng) -> pc.Scores:
    """Return folds of several data sets."""
    x = graded(rng, 6 * int(rng.integers(8, 14)), 3)
    apart = rng.choice([0, 10]) * np.array([0, 0, 1])
    return with_labels(wide(x + apart), "datasets", 6)


def two_metrics(rng: Rng) -> pc.Scores:
    """Return scores in two metrics of opposite directions."""
    n, a = size(rng)
    values = np.stack([graded(rng, n, a), -graded(rng, n, a)], axis=2)
    metrics = (pc.Metric("u", "higher"), pc.Metric("w", "lower"))
    return pc.Scores(values, tuple(f"b{i}" for i in range(n)), NAMES[:a], metrics)


ANALYSES: dict[str, tuple[Callable[[Rng], pc.Scores], dict[str, Any]]] = {
    "data sets": (lambda r: wide(graded(r, *size(r))), {"blocks": "datasets"}),
    "data sets, flips": (
        lambda r: wide(graded(r, int(r.integers(7, 12)), 4)),
        {"blocks": "datasets", "adjust": ("step-down-flips",)},
    ),
    "data sets, a control": (
        lambda r: wide(graded(r, *size(r))),
        {"blocks": "datasets", "control": "A1"},
    ),
    "data sets, ratios": (
        lambda r: wide(np.exp(graded(r, *size(r)) / 3)),
        {"blocks": "datasets", "scale": "ratio"},
    ),
    "data sets with gaps": (gaps, {"blocks": "datasets"}),
    "families of data sets": (
        lambda r: with_labels(
            wide(graded(r, 3 * int(r.integers(6, 14)), 3)), "clusters", 3
        ),
        {"blocks": "datasets"},
    ),
    "means of data sets": (
        lambda r: wide(graded(r, *size(r))),
        {"blocks": "datasets", "compares": "means"},
    ),
    "means of data sets behind a gate": (
        lambda r: wide(graded(r, int(r.integers(7, 40)), int(r.integers(3, 6)))),
        {"blocks": "datasets", "compares": "means", "gate": "omnibus"},
    ),
    "two metrics, one family": (
        two_metrics,
        {"blocks": "datasets", "family": "all"},
    ),
    "two metrics of folds, one family": (two_metrics, {**FOLDS, "family": "all"}),
    "folds": (lambda r: wide(graded(r, 30, int(r.integers(2, 6)))), FOLDS),
    "means of folds of data sets": (
        nested,
        {**FOLDS, "blocks": "folds-of-datasets", "compares": "means"},
    ),
    "wins": (nested, {**FOLDS, "blocks": "folds-of-datasets", "compares": "wins"}),
    "right/wrong cases": (
        lambda r: wide(right(r, int(r.integers(20, 90)), int(r.integers(2, 6)))),
        {"blocks": "cases"},
    ),
    "right/wrong cases, McNemar": (
        lambda r: wide(right(r, int(r.integers(20, 90)), 3)),
        {"blocks": "cases", "p_values": "mid-p"},
    ),
    "graded cases": (
        lambda r: wide(graded(r, int(r.integers(20, 90)), int(r.integers(2, 6)))),
        {"blocks": "cases"},
    ),
    "cases in clusters": (
        lambda r: with_labels(wide(right(r, 100, 3)), "clusters", 5),
        {"blocks": "cases"},
    ),
    "samples of cases": (
        lambda r: with_runs(right(r, 40, 3, 4)),
        {**RUNS, "runs": "samples"},
    ),
    "sampled prompts": (
        lambda r: with_runs(graded(r, 30, 3, 4)),
        {**RUNS, "runs": "prompts", "runs_scope": "sampled"},
    ),
    "groups of cases": (
        lambda r: with_labels(wide(right(r, 90, 3)), "groups", 45),
        {"blocks": "cases", "family": "all", "groups": "each-and-all"},
    ),
}


def contradictions(found: pc.Comparison) -> list[str]:
    """Return the pairs whose interval and decision disagree."""
    null, told = (1.0 if found.plan.as_ratios else 0.0), []
    for row in found.pairs.itertuples():
        if np.isnan(row.conf_low) or np.isnan(row.conf_high):
            continue
        middle = 0.5 if "discordant" in row.quantity else null
        excluded = row.conf_low > middle or row.conf_high < middle
        if excluded != row.significant:
            told.append(f"{row}: the interval and the decision disagree")
        if row.estimate < row.conf_low or row.estimate > row.conf_high:
            told.append(f"{row}: the estimate is outside of its interval")
    return told


@pytest.mark.parametrize("name", ANALYSES)
def test_no_interval_of_a_comparison_contradicts_its_decision(name):
    make, keys = ANALYSES[name]
    decided = 0
    for seed in range(TABLES):
        rng = np.random.default_rng([seed, *name.encode()])
        scores = make(rng)
        try:
            found = pc.compare(scores, pc.Plan(**keys))
        except (pc.PlanError, pc.DesignError, pc.InputError):
            continue
        assert contradictions(found) == [], seed
        decided += bool(found.pairs["significant"].any())
    assert decided > TABLES / 20


@pytest.mark.parametrize(
    "name", ["data sets", "data sets with gaps", "data sets, ratios"]
)
@pytest.mark.parametrize("n", [8, 15, 40])
def test_the_raw_p_value_of_a_pair_depends_on_the_pair(name, n):
    """By default, whichever adjustment the size of the table brings."""
    rng = np.random.default_rng(n)
    x = np.round(
        rng.normal(size=(n, 5)) + rng.normal(size=(n, 1)) + np.arange(5) / 2, 1
    )
    keys: dict[str, Any] = {"blocks": "datasets"}
    if name == "data sets, ratios":
        x, keys = np.exp(x), keys | {"scale": "ratio"}
    scores = wide(x)
    if "gaps" in name:
        x[1, 0], x[2, 3] = np.nan, np.nan
        scores = wide(x, missing="model")
    whole = raw(analyse(scores, pc.Plan(**keys)))
    assert len(whole) == 10
    for fewer in (("A1", "A2"), ("A2", "A4", "A5"), ("A1", "A3", "A4", "A5")):
        if "gaps" in name and len(fewer) == 2:
            continue  # a missing cell of two algorithms is refused
        left = raw(analyse(scores.select(algorithms=fewer), pc.Plan(**keys)))
        assert len(left) == len(fewer) * (len(fewer) - 1) // 2
        for pair, p in left.items():
            assert p == pytest.approx(whole[pair], rel=1e-12), (fewer, pair)


def raw(found: pc.Comparison) -> dict[frozenset[str], float]:
    """Return the raw p-value of each pair."""
    [analysis] = found.analyses
    return {made.pair: made.p_value for made in analysis.decisions}
