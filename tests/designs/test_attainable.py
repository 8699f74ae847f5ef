"""What no outcome can reach is the first sentence of every analysis that knows it."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.attainable import too_few
from tests.conftest import wide


def strongest(n: int, a: int) -> pc.Scores:
    """Return n blocks with one order of algorithms, at distances that do not tie."""
    return wide(np.outer(1e6 + np.arange(n) + 1, np.arange(float(a))))


def weak(n: int, a: int) -> pc.Scores:
    rng = np.random.default_rng(4)
    return wide(rng.normal(size=(n, a)))


def first(scores: pc.Scores, **keys) -> str:
    return pc.compare(scores, pc.Plan(**keys)).summary().splitlines()[0]


RANKS = {"blocks": "datasets", "compares": "ranks"}
ONE_TABLE = [
    # algorithms, keys, fewest blocks
    (2, {"blocks": "datasets"}, 6),
    (2, {"blocks": "datasets", "alpha": 0.01}, 8),
    (3, RANKS, 6),
    (4, RANKS, 7),
    (6, RANKS, 7),
    (4, RANKS | {"control": "A1"}, 6),
    (9, RANKS, 6),
    (9, RANKS | {"control": "A1"}, 6),
    (4, RANKS | {"adjust": ("sign-flips",)}, 8),
    (4, RANKS | {"omnibus": "aligned-ranks"}, 8),
    (4, RANKS | {"omnibus": "quade"}, 8),
    (45, RANKS | {"omnibus": "quade"}, 16),
    (4, {"blocks": "datasets", "compares": "means", "adjust": ("max-t",)}, 6),
]


@pytest.mark.parametrize(("a", "keys", "enough"), ONE_TABLE)
def test_the_fewest_blocks_are_those_of_the_strongest_table(a, keys, enough):
    """With one block less nothing is found, whatever the scores; the page says so."""
    told = first(strongest(enough - 1, a), **keys)
    assert "No outcome of " in told
    assert f"; {enough} data sets are the fewest that can show a difference" in told
    assert "No outcome" in first(weak(enough - 1, a), **keys)
    found = pc.compare(strongest(enough, a), pc.Plan(**keys))
    assert any(made.rejected for made in found.analyses[0].decisions)
    assert "No outcome" not in first(weak(enough, a), **keys)


def test_signs_of_wins_count_data_sets():
    rng = np.random.default_rng(1)
    for n, possible in ((5, False), (8, True)):
        x = rng.normal(size=(4 * n, 4)) / 10 + np.arange(4.0)
        owners = tuple(f"d{i // 4}" for i in range(4 * n))
        scores = dataclasses.replace(wide(x), datasets=owners)
        plan = {"compares": "wins", "protocol": "held-out"}
        told = first(scores, blocks="folds-of-datasets", **plan)
        assert ("No outcome" in told) != possible, told
    assert "8 data sets are the fewest" in first(
        dataclasses.replace(wide(x[:20]), datasets=owners[:20]),
        blocks="folds-of-datasets",
        **plan,
    )


def test_ties_are_no_reason_to_say_that_no_outcome_could():
    x = np.zeros((8, 2))
    x[:3, 1] = 1.0
    told = first(wide(x), blocks="datasets")
    assert "No outcome" not in told


def test_a_family_counts_all_of_its_tables():
    scores = weak(10, 3)
    both = dataclasses.replace(
        scores,
        values=np.concatenate([scores.values, scores.values[::-1]], axis=2),
        metrics=(scores.metrics[0], pc.Metric("other", "higher")),
    )
    for n, alpha, possible in ((10, 0.05, True), (10, 0.01, False)):
        part = both.select(blocks=both.blocks[:n])
        found = pc.compare(part, pc.Plan(**RANKS, family="all", alpha=alpha))
        pairs = found.analyses[0].decisive
        assert pairs.adjust == "holm"
        # 6 pairs: 6 x 2^-9 = .0117
        assert (too_few(pairs, alpha) is None) == possible
    assert too_few(pairs, 0.01).enough == 11


def test_clusters_of_cases_are_called_so():
    scores = dataclasses.replace(weak(12, 3), clusters=tuple("aaabbbcccddd"))
    told = first(scores, blocks="cases", adjust=("max-t",))
    assert "No outcome of four clusters could be significant; 6 clusters are" in told


def test_tests_without_a_smallest_p_value_say_nothing():
    for keys in (
        {"blocks": "datasets", "compares": "means"},
        RANKS | {"p_values": "approximate"},
        {"blocks": "folds", "protocol": "held-out"},
        {"blocks": "cases"},
    ):
        assert "No outcome" not in first(weak(4, 3), **keys)
