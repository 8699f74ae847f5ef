"""Means of two at places of their order are those of sorted means, to the bit."""

from __future__ import annotations

import numpy as np
import pytest

from pycompare.kernels import walsh_averages
from pycompare.kernels.walsh_averages import means_of_two, ordered_means

RNG = np.random.default_rng(4)
D = RNG.normal(size=(9, 90))
ROWS = {
    "normal": D,
    "ties": np.round(D, 1),
    "all equal": np.full((3, 100), 0.25),
    "two heaps": np.repeat([[-1.0, 1.0]], 40, axis=0).T.reshape(1, -1),
    "few large": np.where(RNG.random((5, 100)) < 0.9, 1e-3, 1e3) * D[:5, :1],
    "heavy tails": RNG.standard_cauchy((6, 101)),
    "next to overflow": np.ldexp(D[:, :60], 1019),
    "next to zero": np.ldexp(D[:, :60], -1074 + 20),
    "short": D[:, :28],
    "not so short": D[:, :29],
    "one number": D[:, :1],
}


@pytest.mark.parametrize("name", ROWS)
def test_they_are_those_of_sorted_means(name):
    d = ROWS[name]
    means = np.sort(means_of_two(d), axis=1)
    n = means.shape[1]
    middle = (n - 1) // 2
    for places in (
        (0,),
        (n - 1,),
        (middle, n - 1 - middle),
        (n // 3, 0, n - 1, middle),
        (min(5, n - 1), 0, n - 1 - n // 50, n // 20),
        (n - 1 - n // 40, n - 1),
    ):
        assert np.array_equal(ordered_means(d, places), means[:, list(places)])


def test_the_means_are_those_of_each_two_numbers():
    d = D[:2, :7]
    first, second = np.triu_indices(7)
    pairs = np.sort((d[:, first] + d[:, second]) / 2, axis=1)
    assert np.allclose(np.sort(means_of_two(d), axis=1), pairs, rtol=1e-14, atol=0)


def test_a_margin_that_is_too_small_grows(monkeypatch):
    """The numbers that the margin comes from change the time and no mean."""
    monkeypatch.setattr(walsh_averages, "_n_some", lambda n: n - 1)
    d = np.where(RNG.random((4, 100)) < 0.5, 0.0, 1.0) + 1e-9 * RNG.normal(
        size=(4, 100)
    )
    means = np.sort(means_of_two(d), axis=1)
    for place in (0, 1200, 1300, 2525, 3700, 5049):
        chosen = ordered_means(d, (place,))
        assert np.array_equal(chosen, means[:, [place]])
    walsh_averages._some_pairs.cache_clear()
