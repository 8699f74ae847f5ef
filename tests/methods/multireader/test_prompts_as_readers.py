"""Prompts as readers: crossed with items, over new prompts and new items."""

import numpy as np
import pytest

import pycompare as pc

ANSWERS = (
    ("10011100000001", "11001000000100", "01001100010101", "11000100000101"),
    ("10011100101111", "11001100001101", "00011100011111", "11011100111011"),
)
"""Right answers (1) of models old and new: 4 prompts x 14 items each. Origin: goldens,
crossed_prompts.json, negative_prompt_component (R 4.2.2: aov, t.test)."""
LARGEST = 0.0164186601029


def test_the_largest_of_three_scopes_is_that_of_crossed_prompts():
    values = np.array([[list(map(int, row)) for row in model] for model in ANSWERS])
    ratings = pc.Ratings(
        values=values.astype(float),
        truth=None,
        modalities=("old", "new"),
        readers=("p1", "p2", "p3", "p4"),
        cases=tuple(f"i{i}" for i in range(1, 15)),
    )
    result = pc.mrmc(ratings, method="dbm", figure="mean", better="higher")
    assert result.scopes["p_value"].max() == pytest.approx(LARGEST, rel=1e-9)
    assert abs(result.table["estimate"][0]) == pytest.approx(0.25, rel=1e-12)
    # Hillis' analysis alone is more certain than these very prompts.
    assert result.p_value < LARGEST / 3
