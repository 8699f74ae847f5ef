"""Sums of powers in the levels of Rom's procedure."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import rom


@pytest.mark.parametrize("n", [1, 2, rom._TERMS - 1, rom._TERMS, rom._TERMS + 50])
def test_powers_are_added_up(n):
    alpha = np.array([0.0, 1e-9, 0.05, 0.5, 0.999, 1.0])
    expected = [math.fsum(a**i for i in range(1, n + 1)) for a in alpha]
    assert rom._powers(alpha, n) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("p", [0.99e-100, 1e-100, 1.01e-100])
def test_levels_go_on_where_the_first_term_is_the_whole_critical_value(p):
    assert_digits(pc.adjust([p, 0.3, 0.4], "rom")[0], 3 * p, at_least=12)


@pytest.mark.parametrize("alpha", [1e-9, 0.3, 0.99, 1.0])
def test_critical_values_of_many_hypotheses_are_those_of_the_whole_sum(alpha):
    # Cut after 40 terms the sum had 11 digits left at rank 43 and alpha = 1.
    got = rom.rom_critical_values(np.float64(alpha), 80)
    with mpmath.workdps(30):
        a, c = mpmath.mpf(alpha), [mpmath.mpf(alpha)]
        for i in range(2, 81):
            parts = (mpmath.binomial(i, j) * c[j] ** (i - j) for j in range(1, i - 1))
            c.append((sum(a**j for j in range(1, i)) - sum(parts)) / i)
    assert_digits(got, [float(x) for x in c], at_least=12)


@pytest.mark.parametrize("middle", [1e-3, 0.3, 0.9, 0.9999])
@pytest.mark.parametrize("m", [3, 20, 300])
def test_levels_have_the_p_values_as_critical_values(m, middle):
    # Each level lies on some stretch of the search, the first and the last too.
    rank = np.arange(1, m + 1)
    level = middle + (1 - middle) * np.linspace(0.5, 0, m, endpoint=False) ** 2
    critical = rom.rom_critical_values(level, m)[rank - 1, rank - 1]
    assert_digits(pc.adjust(critical, "rom"), level, at_least=11)


@pytest.mark.parametrize("u", rom._EDGES[1:])
def test_the_largest_p_value_is_its_own_level_at_the_ends_of_stretches(u):
    p = -np.expm1(-u)
    assert pc.adjust([p / 2, p], "rom").tolist() == pytest.approx([p, p], rel=1e-13)
    assert pc.adjust([p], "rom") == p
