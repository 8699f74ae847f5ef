"""The largest studentised sums of many pairs of columns, counted pair by pair."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from pycompare.kernels import max_t, pair_flips


def pairs_of(x):
    first, second = np.array([*combinations(range(x.shape[1]), 2)]).T
    lengths = np.linalg.norm(x[:, first] - x[:, second], axis=0)
    return pair_flips.ColumnPairs(first, second, lengths)


def made(blocks, columns, highest, seed):
    """Whole columns, two of them equal, some shifted, so that decisions differ."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, highest, size=(blocks, columns)).astype(float)
    x[:, : columns // 3] += highest / 2
    x[:, 1] = x[:, 0]
    return np.rint(x)


def by_definition(flipped, pairs, observed, signs):
    """Westfall and Young's step-down counts, of every pair and flip at once."""
    sums = np.abs(flipped[:, pairs.first] - flipped[:, pairs.second])
    with np.errstate(invalid="ignore"):
        sums = np.nan_to_num(sums * (1 / np.maximum(pairs.lengths, 1e-300)))
    sums[:, pairs.lengths == 0] = 0
    limits, seen = observed - max_t.TIE, 0 if signs.listed else 1
    raw = (seen + np.sum(sums >= limits, axis=0)) / signs.size
    adjusted = np.empty(len(observed))
    smallest_p = 0.0
    for e in np.argsort(-observed, kind="stable"):
        # Of equal statistics the earlier one is the larger, as in the step-down.
        at = np.arange(len(observed))
        no_larger = (observed < observed[e]) | ((observed == observed[e]) & (at >= e))
        largest = sums[:, no_larger].max(axis=1)
        p = (seen + np.sum(largest >= limits[e])) / signs.size
        adjusted[e] = smallest_p = max(smallest_p, p)
    return raw, adjusted


@pytest.mark.parametrize(
    ("blocks", "columns", "highest", "kind"),
    [(12, 10, 5, np.int16), (9, 7, 100, np.int16), (12, 12, 90_000, np.int32)],
)
def test_whole_sums_give_the_counts_of_the_definition(blocks, columns, highest, kind):
    x = made(blocks, columns, highest, seed=columns)
    signs = max_t.signs_for(blocks, 400, seed=4)
    pairs = pairs_of(x)
    flips = pair_flips.column_flips(x, signs, np.ones((blocks, 1)))
    assert flips.sums.dtype == kind
    total = np.abs((x[:, pairs.first] - x[:, pairs.second]).sum(axis=0))
    observed = total * pairs.scales
    counted = pair_flips.step_down(flips, pairs, observed)
    flipped = np.vstack([*signs.sums(x)])
    raw, adjusted = by_definition(flipped, pairs, observed, signs)
    assert np.array_equal(counted.raw, raw)
    assert np.array_equal(counted.adjusted, adjusted)
    assert counted.adjusted.min() < counted.adjusted.max()


def test_whole_sums_are_counted_as_the_same_numbers_with_fractions_are():
    x = made(14, 20, 30, seed=2)
    signs = max_t.signs_for(14, 1000, seed=1)
    pairs = pairs_of(x)
    whole = pair_flips.column_flips(x, signs, np.ones((14, 1)))
    floats = pair_flips.ColumnFlips(whole.sums.astype(float), whole.totals, signs)
    observed = np.abs((x[:, pairs.first] - x[:, pairs.second]).sum(axis=0))
    observed = observed * pairs.scales
    one, other = (pair_flips.step_down(f, pairs, observed) for f in (whole, floats))
    assert np.array_equal(one.raw, other.raw)
    assert np.array_equal(one.adjusted, other.adjusted)


def test_the_smallest_whole_number_that_reaches_a_limit_does_so_and_one_less_does_not():
    rng = np.random.default_rng(3)
    scales = 1 / np.sqrt(rng.integers(1, 10**6, size=5000))
    whole = rng.integers(1, 30_000, size=5000)
    limits = whole * scales - np.where(rng.random(5000) < 0.5, 0.0, 1e-11)
    least = pair_flips._least_whole(limits, scales, np.int16)
    assert (least * scales >= limits).all() and ((least - 1) * scales < limits).all()
    none = pair_flips._least_whole(np.array([1.0]), np.array([0.0]), np.int16)
    assert none.tolist() == [32767]
