"""One model that is written in two ways does not become two."""

import numpy as np
import pandas as pd
import pytest

import pycompare as pc

WAYS = [("m1", "M1"), ("model 1", "model1"), ("m1", "m01")]


@pytest.mark.parametrize("two", WAYS)
def test_battles_ask(two):
    frame = pd.DataFrame(
        {
            "model_a": [two[0], "x"] * 3,
            "model_b": ["x", two[1]] * 3,
            "winner": ["model_a", "tie", "model_b"] * 2,
        }
    )
    with pytest.raises(pc.InputError, match=r"\(3 rows\) differ only in .* one model"):
        pc.Battles.from_frame(frame)


@pytest.mark.parametrize("two", WAYS)
@pytest.mark.parametrize("wide", [True, False])
def test_predictions_ask(two, wide):
    scores = dict(zip(two, np.arange(24.0).reshape(2, 12), strict=True))
    frame = pd.DataFrame(scores).assign(fold="f", label=[0, 1] * 6)
    roles = {"block": "fold", "label": "label", "positive": 1}
    if wide:
        roles["algorithms"] = two
    else:
        frame = frame.melt(["fold", "label"], var_name="name", value_name="score")
        roles |= {"algorithm": "name", "score": "score"}
    with pytest.raises(pc.InputError, match=r"\(12 rows\) differ only in .* algorithm"):
        pc.Predictions.from_frame(frame, **roles)


@pytest.mark.parametrize("two", WAYS)
def test_modalities_ask(two):
    rows = [
        {"m": m, "r": r, "c": c, "t": c % 2, "x": (c * 7 + r) % 5}
        for m in two
        for r in range(3)
        for c in range(8)
    ]
    with pytest.raises(pc.InputError, match="are they one modality"):
        pc.Ratings.from_frame(
            rows, modality="m", reader="r", case="c", truth="t", rating="x"
        )
