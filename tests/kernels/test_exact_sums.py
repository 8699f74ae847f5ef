"""Sums of many rows are those of ``math.fsum``, to the bit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pycompare.kernels.units import exact_sums

RNG = np.random.default_rng(6)
NORMAL = RNG.normal(size=(300, 90))
ROWS = {
    "normal": NORMAL,
    "all positive": np.abs(NORMAL),
    "cancelling": NORMAL - NORMAL.mean(axis=1, keepdims=True),
    "to zero": np.hstack([NORMAL, -NORMAL]),
    "ties of rounding": np.hstack([np.ones((300, 1)), np.full((300, 3), 2.0**-53)]),
    "of many sizes": np.ldexp(NORMAL, RNG.integers(-300, 300, NORMAL.shape)),
    "next to zero": np.ldexp(NORMAL, -1060),
    "decimals": np.round(NORMAL, 2),
    "one column": NORMAL[:, :1],
    "few rows": NORMAL[:5],
}


@pytest.mark.parametrize("name", ROWS)
def test_they_are_rounded_once(name):
    wanted = np.array([math.fsum(row) for row in ROWS[name].tolist()])
    assert np.array_equal(exact_sums(ROWS[name]), wanted)


def test_negligible_sums_are_at_most_so_large():
    rows = ROWS["cancelling"]
    limit = 1e-3
    found = exact_sums(rows, limit)
    wanted = np.array([math.fsum(row) for row in rows.tolist()])
    assert np.abs(found).max() <= limit and np.abs(wanted).max() <= limit
    rows = rows + 1.0
    assert np.array_equal(exact_sums(rows, limit), exact_sums(rows))
