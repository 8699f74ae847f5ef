import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from tests.methods.over_datasets.many import counts

TEN = tuple(round(i / 10, 1) for i in range(11))
ROLES = {"algorithm": "algo", "block": "fold", "dataset": "d", "threshold": "t"}
COUNTS = {"tp": "higher", "fp": "lower", "fn": "lower", "tn": "higher"}


def long_frame(scores: pc.Scores) -> pd.DataFrame:
    wide = scores.to_frame()
    parts = []
    for t in TEN:
        part = wide[["dataset", "fold", "algorithm"]].set_axis(
            ["d", "fold", "algo"], axis=1
        )
        for name in COUNTS:
            part[name] = wide[f"{name}@{t:g}"]
        parts.append(part.assign(t=t))
    return pd.concat(parts, ignore_index=True)


SCORES = counts(3, b=6, a=3, thresholds=TEN, seed=1)
FRAME = long_frame(SCORES)


@pytest.mark.parametrize("seed", [None, 1])
def test_a_long_table_has_the_scores_of_the_wide_one(seed):
    frame = FRAME if seed is None else FRAME.sample(frac=1, random_state=seed)
    found = pc.threshold_scores(frame, **ROLES, metrics=COUNTS)
    assert [m.name for m in found.metrics] == [m.name for m in SCORES.metrics]
    assert [m.better for m in found.metrics] == [m.better for m in SCORES.metrics]
    again = found.select(algorithms=SCORES.algorithms, blocks=SCORES.blocks)
    np.testing.assert_array_equal(again.values, SCORES.values)
    one, other = pc.threshold_wins(again), pc.threshold_wins(SCORES)
    assert one.grid.tolist() == other.grid.tolist()


def test_other_frames_are_read_alike():
    rows = pc.threshold_scores(FRAME.to_dict("records"), **ROLES, metrics=COUNTS)
    assert rows.sha256 == SCORES.sha256


def test_without_data_sets_there_are_none():
    one = FRAME[FRAME["d"] == "d1"]
    roles = {role: name for role, name in ROLES.items() if role != "dataset"}
    found = pc.threshold_scores(one, **roles, metrics={"tp": "higher"})
    assert found.datasets is None
    assert found.shape == (6, 3, 11)


def test_a_missing_row_is_a_missing_cell():
    with pytest.raises(InputError, match="4 of 2376 cells"):
        pc.threshold_scores(FRAME.drop(index=5), **ROLES, metrics=COUNTS)
    found = pc.threshold_scores(
        FRAME.drop(index=5), **ROLES, metrics=COUNTS, missing="model"
    )
    assert np.isnan(found.values).sum() == 4


@pytest.mark.parametrize(
    ("frame", "roles", "message"),
    [
        (FRAME, {"threshold": "theta"}, "threshold: there is no column 'theta'"),
        (FRAME, {"threshold": "fold"}, "two roles"),
        (pd.concat([FRAME, FRAME.iloc[:2]]), {}, "2 times .* has several rows"),
        (FRAME.assign(t=FRAME["t"].where(FRAME.index != 7)), {}, "no threshold in 1"),
        (FRAME.assign(t="low"), {}, "not numeric"),
        (FRAME.iloc[:0], {}, "no rows"),
    ],
)
def test_what_cannot_be_read_is_refused(frame, roles, message):
    with pytest.raises(InputError, match=message):
        pc.threshold_scores(frame, **ROLES | roles, metrics=COUNTS)
