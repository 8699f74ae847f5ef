"""Tukey's honestly significant difference."""

import math

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.testing import assert_digits


def test_pairs_differ_exactly_if_they_are_further_apart_than_the_hsd():
    scores = pc.example()
    pairs = pc.tukey(scores, level=0.9)
    apart = pairs.table["estimate"].abs() >= pairs.significant_difference
    assert (apart == (pairs.table["p_adjusted"] <= 0.1)).all()
    assert 0 < apart.sum() < len(apart)


def test_the_hsd_is_half_of_each_interval_in_any_unit():
    scores = pc.example("folds")
    frame = scores.to_frame()
    pairs = pc.tukey(scores, metric="error")
    half = (pairs.table["conf_high"] - pairs.table["conf_low"]) / 2
    assert_digits(half, np.full(10, pairs.significant_difference), at_least=11)
    per_million = pc.Scores.from_frame(
        frame.assign(error=frame["error"] * 1e6),
        algorithm="algorithm", block="fold", metrics={"error": "lower"},
    )  # fmt: skip
    larger = pc.tukey(per_million, metric="error").significant_difference
    assert_digits(larger, pairs.significant_difference * 1e6, at_least=11)


def test_missing_cells_have_no_single_hsd():
    frame = pd.DataFrame(
        {
            "a": list("xyz") * 4,
            "b": np.repeat(range(4), 3),
            "m": np.random.default_rng(1).normal(size=12),
        }
    ).drop(index=0)
    scores = pc.Scores.from_frame(
        frame, algorithm="a", block="b", metrics={"m": "lower"}, missing="model"
    )
    assert math.isnan(pc.tukey(scores).significant_difference)
