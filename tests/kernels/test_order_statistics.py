"""Numbers at places of the order of rows are those of sorted rows, to the bit."""

from __future__ import annotations

import numpy as np
import pytest

from pycompare.kernels.order_statistics import order_statistics
from pycompare.methods.pairs.wilcoxon import means_of_two

RNG = np.random.default_rng(4)
D = RNG.normal(size=(9, 90))
ROWS = {
    "means of two": means_of_two(D),
    "ties": np.round(means_of_two(D), 1),
    "all equal": np.full((3, 4000), 0.25),
    "sorted": np.sort(means_of_two(D), axis=1),
    "two heaps": np.repeat([[-1.0, 1.0]], 2500, axis=0).T.reshape(1, -1),
    "infinite": np.where(RNG.random((4, 5000)) < 0.4, np.inf, -np.inf),
    "short": RNG.normal(size=(5, 30)),
}


@pytest.mark.parametrize("name", ROWS)
def test_they_are_those_of_sorted_rows(name):
    rows = ROWS[name]
    n = rows.shape[1]
    middle = (n - 1) // 2
    for places in ((0,), (n - 1,), (middle, n - 1 - middle), (n // 3, 3, n - 2, 4)):
        chosen = order_statistics(rows.copy(), places)
        assert np.array_equal(chosen, np.sort(rows, axis=1)[:, list(places)])


def test_a_row_unlike_its_sample_is_sorted():
    """Of numbers that are large in the sample alone no bracket is right."""
    from pycompare.kernels import order_statistics as module

    rows = RNG.normal(size=(2, 6000))
    rows[0, module._sampled(6000)] += 50
    chosen = order_statistics(rows.copy(), (3000,))
    assert np.array_equal(chosen, np.sort(rows, axis=1)[:, [3000]])
