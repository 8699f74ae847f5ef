"""Intervals of contrasts agree with decisions at alpha."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc

ADJUSTMENTS = ("holm", "bergmann-hommel", "hommel", "bonferroni", "tukey")


def drawn(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    y = rng.normal(size=(9, 4)) + np.arange(4) * rng.random()
    rows = pd.DataFrame(y, columns=list("abcd")).assign(
        block=[f"b{i}" for i in range(9)]
    )
    return rows.melt("block", var_name="learner", value_name="y")


@pytest.mark.parametrize("alpha", [0.05, 0.01])
def test_no_interval_contradicts_its_decision(alpha):
    rejected = 0
    for seed in range(20):
        model = pc.linear_model(drawn(seed), "y ~ learner + block")
        for adjust in ADJUSTMENTS:
            table = model.contrasts("learner", adjust=adjust, alpha=alpha).table
            excludes = (table["conf_low"] > 0) | (table["conf_high"] < 0)
            assert (excludes == (table["p_adjusted"] <= alpha)).all()
            rejected += int(excludes.sum())
    assert 0 < rejected < 20 * len(ADJUSTMENTS) * 6


def test_holms_last_step_gives_the_level():
    model = pc.linear_model(drawn(3), "y ~ learner + block")
    found = model.contrasts("learner", alpha=0.05)
    left = 6 - int((found.table["p_adjusted"] <= 0.05).sum())
    assert found.level == pytest.approx(1 - 0.05 / max(1, left))
    joint = model.contrasts("learner")
    assert joint.interval == "simultaneous 95% (Bonferroni)" and joint.level == 0.95
    with pytest.raises(pc.InputError, match="alpha=2"):
        model.contrasts("learner", alpha=2)
