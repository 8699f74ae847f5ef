"""Differences that are rounding only: equal to their mean, or none at all."""

from __future__ import annotations

import numpy as np
import pytest

from pycompare.methods.pairs import block_differences as module

WIDTH = module.ROUNDING
ONES = np.ones((2, 1))
ABOVE = np.nextafter(WIDTH, 1)


@pytest.mark.parametrize(
    ("d", "expected"),
    [
        ([WIDTH, WIDTH], [0.0, 0.0]),
        ([ABOVE, ABOVE], [ABOVE, ABOVE]),
        ([-WIDTH, -WIDTH], [0.0, 0.0]),
        ([-ABOVE, -ABOVE], [-ABOVE, -ABOVE]),
        ([1 - WIDTH, 1 + WIDTH], [1.0, 1.0]),
        ([1 - 2 * WIDTH, 1 + 2 * WIDTH], [1 - 2 * WIDTH, 1 + 2 * WIDTH]),
    ],
)
def test_differences_up_to_the_rounding_of_scores_are_none(d, expected):
    column = np.array(d)[:, None]
    assert (
        module._without_rounding(column, ONES, np.ones(2))[0][:, 0].tolist() == expected
    )


def test_the_largest_score_of_a_pair_says_what_rounding_is():
    d = np.array([[WIDTH, 3 * WIDTH], [WIDTH, 3 * WIDTH]])
    noise = np.array([[1.0, 0.5], [0.25, 4.0]])
    assert module._without_rounding(d, noise, np.ones(2))[0].tolist() == [
        [0.0, 0.0],
        [0.0, 0.0],
    ]
    assert module._without_rounding(d, noise / 4, np.ones(2))[0].tolist() == [
        [WIDTH, 3 * WIDTH],
        [WIDTH, 3 * WIDTH],
    ]
