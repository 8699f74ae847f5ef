"""Sums of powers in the levels of Rom's procedure."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pycompare.multiplicity import rom


@pytest.mark.parametrize("n", [1, 2, rom._TERMS - 1, rom._TERMS, rom._TERMS + 50])
def test_powers_are_added_up(n):
    alpha = np.array([0.0, 1e-9, 0.05, 0.5, 0.999, 1.0])
    expected = [math.fsum(a**i for i in range(1, n + 1)) for a in alpha]
    assert rom._powers(alpha, n) == pytest.approx(expected, rel=1e-11)
