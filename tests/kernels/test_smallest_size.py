"""The smallest size that reaches a power, wherever the search begins."""

from __future__ import annotations

import math

import pytest

from pycompare.kernels.power import smallest_size


@pytest.mark.parametrize("near", [0.0, 1.5, 40.0, 600_000.0, 2e6, math.inf])
@pytest.mark.parametrize("least", [1, 2, 10])
@pytest.mark.parametrize("needed", [1, 2, 9, 37, 40, 599_999, 10**6, 10**6 + 1])
def test_it_is_found_from_anywhere(needed, least, near):
    asked = []

    def power(size: int) -> float:
        asked.append(size)
        return float(size >= needed)

    found = smallest_size(power, 0.8, least, near=near)
    assert found == (max(needed, least) if needed <= 10**6 else None)
    assert all(least <= size <= 10**6 for size in asked)


def test_from_near_it_the_search_is_short():
    asked = []

    def power(size: int) -> float:
        asked.append(size)
        return float(size >= 2_000)

    assert smallest_size(power, 0.8, near=1_990) == 2_000
    assert len(asked) < 10
