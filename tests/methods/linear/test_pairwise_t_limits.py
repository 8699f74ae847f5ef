"""Intervals of t tests with the model's error agree with decisions at alpha."""

from __future__ import annotations

import numpy as np
import pytest

import pycompare as pc
from tests.conftest import wide


@pytest.mark.parametrize("adjust", ["holm", "bergmann-hommel", "hommel", "bonferroni"])
@pytest.mark.parametrize("control", [None, "A2"])
def test_intervals_exclude_0_exactly_where_the_adjusted_test_rejects(adjust, control):
    if control and adjust == "bergmann-hommel":
        adjust = "hochberg"
    rejected = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        scores = wide(rng.normal(size=(8, 4)) + rng.normal(size=4) * (seed % 4) / 2)
        found = pc.pairwise_t(scores, adjust=adjust, control=control, alpha=0.05)
        table = found.table
        excludes = (table["conf_low"] > 0) | (table["conf_high"] < 0)
        assert (excludes == (table["p_adjusted"] <= 0.05)).all()
        assert found.level >= 0.95
        rejected += excludes.sum()
    assert 0 < rejected < 20 * len(table)


def test_without_an_error_there_are_no_intervals():
    scores = wide([[1.0, 2, 3], [2, 3, 4], [3, 4, 5]])
    found = pc.pairwise_t(scores, alpha=0.05)
    assert found.table[["conf_low", "conf_high"]].isna().all(axis=None)
    assert "no residual variance" in found.interval


def test_a_level_in_place_of_alpha_holds_together():
    scores = wide(np.random.default_rng(1).normal(size=(8, 3)))
    assert pc.pairwise_t(scores).interval == "simultaneous 95% (Bonferroni)"
    with pytest.raises(pc.InputError, match="give one of them"):
        pc.pairwise_t(scores, alpha=0.05, level=0.9)
