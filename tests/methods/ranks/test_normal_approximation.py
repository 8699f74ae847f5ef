"""What the note on the normal approximation says, by all orders of the ranks."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr
from scipy.stats import studentized_range

import pycompare as pc
from pycompare.methods.ranks import pairs


def laws(n: int, a: int) -> dict[tuple[int, ...], float]:
    """Return the law of the sums of ranks of ``n`` blocks whose orders are alike."""
    found = {(0,) * a: 1.0}
    orders = list(permutations(range(1, a + 1)))
    for _ in range(n):
        after: dict[tuple[int, ...], float] = {}
        for sums, chance in found.items():
            for order in orders:
                at = tuple(s + r for s, r in zip(sums, order, strict=True))
                after[at] = after.get(at, 0.0) + chance / len(orders)
        found = after
    return found


def error(n: int, a: int, smallest: float) -> float:
    """Return the chance that the largest difference of sums has p <= ``smallest``."""
    unit = np.sqrt(n * a * (a + 1) / 6)
    return sum(
        chance
        for sums, chance in laws(n, a).items()
        if 2 * ndtr(-(max(sums) - min(sums)) / unit) <= smallest
    )


@pytest.mark.parametrize("a", [2, 3])
def test_the_largest_error_is_the_one_that_the_note_states(a):
    # Nemenyi's criterion finds the most of those for all pairs.
    limit = studentized_range.isf(0.05, a, np.inf) / np.sqrt(2)
    worst = max(
        error(n, a, 2 * ndtr(-limit)) for n in {2: range(6, 40), 3: (9, 11, 13)}[a]
    )
    assert round(worst, 3) == pairs._ROUGH[a]


@pytest.mark.parametrize(("a", "noted"), [(2, True), (3, True), (4, False)])
def test_the_note_stands_beside_few_algorithms_and_normal_p_values_only(a, noted):
    rng = np.random.default_rng(a)
    frame = pd.DataFrame(rng.normal(size=(9, a)), columns=list("ABCD")[:a])
    table = pc.Scores.from_wide(frame, metric="score", better="lower")
    normal = pc.rank_pairs(table, p_value="normal").notes
    assert any("normal approximation is rough" in note for note in normal) is noted
    flipped = pc.rank_pairs(table, p_value="sign-flips").notes
    assert not any("rough" in note for note in flipped)
