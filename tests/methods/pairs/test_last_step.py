"""Limits that agree with decisions, at their edges."""

from __future__ import annotations

import numpy as np
import pytest

from pycompare.methods.pairs.last_step import agreeing_limits

LEAST = float(np.nextafter(0.0, 1.0))


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("end", [0.0, 1e-17, -1e-17, 0.1])
def test_a_limit_that_is_the_null_value_but_for_rounding_is_left_out(sign, end):
    """At the level of a pair's own p-value its limit is 0, give or take a bit."""
    limits = sorted([sign * end, sign * 0.8])
    low, high = agreeing_limits(
        *(np.array([limit]) for limit in limits),
        np.array([sign * 0.4]),
        np.array([True]),
    )
    near = min(abs(low[0]), abs(high[0]))
    assert near == (LEAST if abs(end) < 1e-12 else end)
    assert low[0] * high[0] >= 0 and np.sign(low[0]) == sign


def test_what_is_not_rejected_holds_the_null_value():
    low, high = agreeing_limits(
        np.array([1e-17]), np.array([0.8]), np.array([0.4]), np.array([False])
    )
    assert low[0] <= 0 <= high[0]
