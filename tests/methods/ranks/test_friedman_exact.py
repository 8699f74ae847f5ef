"""The exact distribution of Friedman's statistic: its parts."""

from __future__ import annotations

import numpy as np

from pycompare.kernels import friedman_exact
from pycompare.kernels.ranks import midranks


def test_the_permutation_p_counts_the_observed_table_as_one():
    ranks = midranks(np.random.default_rng(3).integers(0, 3, size=(4, 3)))
    found = friedman_exact.permutation_p_value(ranks, np.random.default_rng(1), 19)
    orders = np.random.default_rng(1).permuted(
        np.broadcast_to(ranks, (19, *ranks.shape)), axis=-1
    )
    others = np.sum(orders.sum(axis=1) ** 2, axis=-1)
    exceed = np.sum(others >= np.sum(ranks.sum(axis=0) ** 2) - 1e-9)
    assert found == (1 + exceed) / 20


def test_states_too_large_for_one_number_are_not_mixed_up():
    """With a base of 2^22 the third sum would be cut off at 2^64."""
    total = 2**22 - 1
    states = np.array(
        [[0, 0, 0, total], [0, 0, 2**20, total - 2**20], [0, 0, 0, total]]
    )
    found, weights = friedman_exact.merge(states, np.array([0.25, 0.5, 0.25]))
    assert found.tolist() == [states[0].tolist(), states[1].tolist()]
    assert weights.tolist() == [0.5, 0.5]
