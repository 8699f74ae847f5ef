"""Sums of powers in the levels of Rom's procedure."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pycompare as pc
from pycompare.multiplicity import rom
from pycompare.testing import assert_digits


@pytest.mark.parametrize("n", [1, 2, rom._TERMS - 1, rom._TERMS, rom._TERMS + 50])
def test_powers_are_added_up(n):
    alpha = np.array([0.0, 1e-9, 0.05, 0.5, 0.999, 1.0])
    expected = [math.fsum(a**i for i in range(1, n + 1)) for a in alpha]
    assert rom._powers(alpha, n) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("p", [0.99e-100, 1e-100, 1.01e-100])
def test_levels_go_on_where_the_first_term_is_the_whole_critical_value(p):
    assert_digits(pc.adjust([p, 0.3, 0.4], "rom")[0], 3 * p, at_least=12)
