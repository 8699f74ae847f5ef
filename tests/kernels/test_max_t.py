"""Studentised sums under flips: columns, lists of signs, and the critical value."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.kernels import max_t
from pycompare.kernels.r_random import Uniforms


def centred(seed, n, m):
    d = np.random.default_rng(seed).normal(size=(n, m))
    return max_t.unit_columns(d - d.mean(axis=0))


def test_columns_have_length_1_whatever_their_scale_and_zeros_stay():
    d = np.array([[3.0, 0.0, 1e300], [-4.0, 0.0, 1e300]])
    expected = [[0.6, 0.0, math.sqrt(0.5)], [-0.8, 0.0, math.sqrt(0.5)]]
    assert_digits(max_t.unit_columns(d), expected, at_least=14)


@pytest.mark.parametrize(
    ("n", "flips", "listed"), [(5, 16, True), (5, 15, False), (70, 10**6, False)]
)
def test_all_flips_are_listed_if_they_are_no_more_than_asked_for(n, flips, listed):
    signs = max_t.signs_for(n, flips, 3)
    assert signs.listed is listed
    assert signs.count == (16 if listed else flips)
    assert signs.size == (16 if listed else flips + 1)


@pytest.mark.parametrize("cells", [2_000_000, 20])
def test_listed_signs_are_all_there_once_the_first_block_fixed(cells, monkeypatch):
    monkeypatch.setattr(max_t, "CELLS", cells)
    rows = np.concatenate(list(max_t.signs_for(4, 8, 0).sums(np.eye(4))))
    assert rows.shape == (8, 4) and (rows[:, 0] == 1).all() and (rows[0] == 1).all()
    assert len({tuple(row) for row in rows}) == 8 and set(rows.ravel()) == {-1.0, 1.0}


@pytest.mark.parametrize("flips", [32, 50])
@pytest.mark.parametrize("alpha", [0.05, 0.0625, 0.3])
def test_just_above_the_critical_value_the_p_value_is_at_most_alpha(flips, alpha):
    z, signs = centred(2, 6, 3), max_t.signs_for(6, flips, 1)
    largest = np.concatenate([np.max(np.abs(sums), axis=1) for sums in signs.sums(z)])
    others = largest[1:] if signs.listed else largest
    at = max_t.critical_value(z, signs, alpha)

    def p(t):
        return (1 + np.sum(others >= t)) / signs.size

    if p(math.inf) > alpha:
        assert at == math.inf
    else:
        assert p(at * (1 + 1e-9)) <= alpha < p(at)


def test_at_level_1_no_value_is_inside():
    z, signs = centred(4, 4, 2), max_t.signs_for(4, 8, 0)
    assert max_t.critical_value(z, signs, 1.0) == 0.0


@pytest.mark.parametrize(("n", "cells"), [(1, 7), (31, 7), (64, 40), (301, 10**6)])
def test_packed_signs_are_the_bits_of_r_s_numbers_lowest_first(n, cells, monkeypatch):
    flips, seed = 9, 5
    drawn = Uniforms(seed).draw(flips, -(-n // 32))
    words = np.floor(drawn * 2**32).astype(np.int64)
    bits = (words[:, :, None] >> np.arange(32)) & 1
    expected = (1 - 2 * bits.reshape(flips, -1))[:, :n]
    x = np.random.default_rng(n).integers(-9, 9, (n, 3)).astype(float)
    monkeypatch.setattr(max_t, "CELLS", cells)
    monkeypatch.setattr(max_t, "PACKED", 0)
    sums = np.vstack([*max_t.Signs(n, flips, seed).sums(x)])
    assert sums.tolist() == (expected @ x).tolist()


def test_equal_blocks_get_their_signs_together_as_r_draws_them(monkeypatch):
    monkeypatch.setattr(max_t, "PACKED", 0)
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 2, (500, 2)).astype(float)
    signs = max_t.signs_for(500, 7, 4, rows)
    assert signs.patterns.counts.sum() == 500
    assert (np.diff(signs.patterns.first) > 0).all()
    # R: qbinom(matrix(runif(4 * flips), 4), counts, 0.5)
    uniforms = Uniforms(4).draw(7, 4)
    minus = stats.binom.ppf(uniforms, signs.patterns.counts, 0.5)
    expected = (signs.patterns.counts - 2 * minus) @ rows[signs.patterns.first]
    assert np.vstack([*signs.sums(rows)]).tolist() == expected.tolist()
    # More than one kind of rows in 32: each has a sign of its own.
    assert max_t.signs_for(500, 7, 4, rng.random((500, 2))).patterns is None


@pytest.mark.parametrize("seed", range(3))
def test_signs_of_patterns_have_the_distribution_of_single_signs(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    rows = rng.choice([0.0, 1.0], p=[0.3, 0.7], size=(200, 2))
    z = max_t.unit_columns(rows @ [[1, 1], [-1, 0]])
    alone = max_t.signs_for(200, 20_000, 1)
    monkeypatch.setattr(max_t, "PACKED", 0)
    together = max_t.signs_for(200, 20_000, 2, rows)
    assert together.patterns is not None
    first, other = (np.vstack([*signs.sums(z)]).round(9) for signs in (alone, together))
    assert np.allclose(np.cov(first.T), np.cov(other.T), atol=0.05)
    for k in (0, 1):
        assert stats.ks_2samp(first[:, k], other[:, k]).statistic < 0.025
