"""Sums and products with twice the digits, against exact fractions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from pycompare.kernels import double_double


@pytest.fixture
def numbers():
    rng = np.random.default_rng(5)
    return rng.normal(size=50) * 10.0 ** rng.integers(-6, 6, size=50)


def exactly(values):
    return [Fraction(float(x)) for x in np.ravel(values)]


def test_what_rounding_lost_makes_sums_and_products_exact(numbers):
    a, b = numbers[:25], numbers[25:]
    for function, operator in (
        (double_double.two_sum, Fraction.__add__),
        (double_double.two_product, Fraction.__mul__),
    ):
        rounded, lost = function(a, b)
        whole = list(map(operator, exactly(a), exactly(b)))
        found = map(Fraction.__add__, exactly(rounded), exactly(lost))
        assert list(found) == whole
        assert rounded.tolist() == [float(one) for one in whole]


def test_halves_add_up_and_their_products_are_exact(numbers):
    high, low = double_double.halves(numbers)
    assert list(map(Fraction.__add__, exactly(high), exactly(low))) == (
        exactly(numbers)
    )
    for half in (high, low):
        squares = [one * one for one in exactly(half)]
        assert exactly(half * half) == squares


def fractions_of(y, basis, first):
    return [
        [
            float(
                sum(
                    (Fraction(float(row[k])) - Fraction(float(first[k])))
                    * Fraction(float(basis[k, j]))
                    for k in range(len(first))
                )
            )
            for j in range(basis.shape[1])
        ]
        for row in y
    ]


def nearly_dependent(seed, n):
    y = np.random.default_rng(seed).normal(size=(n, 3))
    y[:, 2] = y[:, 0] + y[:, 1] * (1 + 1e-13) + 1e3
    return y + 1e6


BASIS = np.array([[1.0, 0.5], [1.0, -0.1], [-1.0, 0.3]])


def test_a_product_that_cancels_keeps_its_digits():
    y = nearly_dependent(1, 6)
    found = double_double.product(y, BASIS)
    np.testing.assert_allclose(
        found, fractions_of(y, BASIS, y[0]), rtol=1e-15, atol=1e-22
    )
    assert (found[0] == 0).all()


def test_tables_start_at_the_first_row_without_gaps_in_all_of_them():
    y = np.stack([nearly_dependent(2, 5), nearly_dependent(3, 5)])
    y[0, 0, 1] = y[1, 1, 2] = np.nan
    found = double_double.product(y, BASIS)
    assert np.isnan(found[0, 0]).all() and np.isnan(found[1, 1]).all()
    for table, own in zip(y, found, strict=True):
        whole = ~np.isnan(table).any(axis=1)
        np.testing.assert_allclose(
            own[whole],
            fractions_of(table[whole], BASIS, table[2]),
            rtol=1e-15,
            atol=1e-22,
        )
