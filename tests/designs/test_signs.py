"""Each result of pairs states which sign of its estimate is good."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.metric import Metric
from pycompare.designs.decisions import decisions
from pycompare.methods.pairs.closed_permutation import closed_permutation
from pycompare.methods.pairs.max_t import max_t
from pycompare.results.result import PairsResult
from tests.conftest import wide

FOLDS = {"n_train": 90, "n_test": 10}
PAIRS: dict[str, Callable[[pc.Scores], PairsResult]] = {
    "ranks": pc.rank_pairs,
    "nemenyi": pc.nemenyi,
    "tukey": pc.tukey,
    "scheffe": pc.scheffe,
    "pairwise t": pc.pairwise_t,
    "dunnett": partial(pc.dunnett, control="A1"),
    "corrected": partial(pc.corrected_pairs, **FOLDS),
    "paired t": pc.paired_t_pairs,
    "max-t": partial(max_t, on="scores"),
    "max-t of ranks": partial(max_t, on="ranks"),
    "closed": partial(closed_permutation, on="scores"),
    "closed of ranks": partial(closed_permutation, on="ranks"),
}


def turned(scores: pc.Scores) -> pc.Scores:
    """Return minus the scores, of which the other direction is better."""
    [metric] = scores.metrics
    other = "lower" if metric.better == "higher" else "higher"
    return dataclasses.replace(
        scores, values=-scores.values, metrics=(Metric(metric.name, other),)
    )


@pytest.mark.parametrize("name", PAIRS)
def test_turned_scores_are_decided_alike(name):
    rng = np.random.default_rng(8)
    scores = wide(rng.normal([0.0, 0.4, 0.8, 1.6], 1, (9, 4)), better="higher")
    one, other = PAIRS[name](scores), PAIRS[name](turned(scores))
    np.testing.assert_allclose(one.worse_by, other.worse_by, rtol=1e-9)
    assert [d.pair for d in decisions(one, 0.05)] == [
        d.pair for d in decisions(other, 0.05)
    ]
    for made in (one, other):
        table = made.table
        best = dict(zip(made.algorithms, np.mean(scores.column(), axis=0), strict=True))
        far = decisions(made, 0.05)[0]  # A4 is far above all others
        assert best[far.better] > best[far.worse]
        worse = made.worse_by > 0
        assert np.array_equal(worse, (table["estimate"] > 0) == made.lower_is_better)


def test_areas_are_better_where_they_are_larger():
    rng = np.random.default_rng(9)
    label = np.repeat([0, 1], 40)
    scores = {"noise": rng.normal(size=80), "good": label + 0.7 * rng.normal(size=80)}
    for found in (
        pc.delong(label, scores, positive=1),
        pc.partial_auc_pairs(label, scores, positive=1, low=0, high=0.5, resamples=200),
        pc.auc_pr_pairs(label, scores, positive=1, resamples=200),
    ):
        [made] = decisions(found, 0.05)
        assert made.better == "good"
