"""Cells without a score: the three policies and their reports."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from pycompare.data import Scores
from tests.data.tables import LONG, long_frame, refused

WIDE = {"metric": "auc", "better": "higher"}


def gappy() -> pd.DataFrame:
    """Four blocks; b1 lacks the score of knn, b3 has no row for svm."""
    frame = pd.DataFrame(
        {
            "block": np.repeat(["b1", "b2", "b3", "b4"], 2),
            "algorithm": ["svm", "knn"] * 4,
            "error": [0.1, None, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8],
        }
    )
    return frame.drop(index=4)


def test_missing_cells_and_absent_rows_are_refused_with_the_remedies():
    with refused(
        "2 of 8 cells have no score",
        "1 pair .* no row",
        "block='b1', algorithm='knn'",
        "drop-block",
        "worst",
    ) as told:
        Scores.from_frame(gappy(), **LONG)
    assert "model" not in str(told.value)  # of two algorithms: refused later
    third = gappy().query("algorithm == 'svm'").assign(algorithm="tree")
    with refused("drop-block", "missing='model'", "worst"):
        Scores.from_frame(pd.concat([gappy(), third]), **LONG)


def test_drop_block_drops_incomplete_blocks_and_reports_them():
    scores = Scores.from_frame(gappy(), **LONG, missing="drop-block")
    assert scores.blocks == ("b2", "b4") and scores.complete
    assert scores.column().tolist() == [[0.3, 0.4], [0.7, 0.8]]
    assert scores.dropped.blocks == ("b1", "b3")
    assert scores.dropped.cells == (("b1", "knn", "error"), ("b3", "svm", "error"))
    assert scores.missing == "drop-block"


def test_model_keeps_the_gaps_and_reports_them():
    scores = Scores.from_frame(gappy(), **LONG, missing="model")
    assert scores.shape == (4, 2, 1) and not scores.complete
    assert np.isnan(scores.column()).tolist() == [[0, 1], [0, 0], [1, 0], [0, 0]]
    assert scores.dropped.blocks == ()
    assert scores.dropped.cells == (("b1", "knn", "error"), ("b3", "svm", "error"))


def test_a_policy_changes_nothing_where_nothing_is_missing():
    hashes = {
        Scores.from_frame(long_frame(), **LONG, missing=policy).sha256
        for policy in ("error", "drop-block", "model")
    }
    assert len(hashes) == 1


def test_drop_block_refuses_to_leave_fewer_than_two_blocks():
    frame = pd.DataFrame({"a": [1.0, 2, 3], "b": [1.0, None, None]})
    with refused("would drop 2 of 3 blocks", "in how many of them: 'b' in 2"):
        Scores.from_wide(frame, **WIDE, missing="drop-block", confirmed=["impossible"])


@pytest.mark.parametrize(
    ("frame", "part"),
    [
        ({"a": [1.0, 2], "b": [None, None], "c": [1.0, 2]}, "algorithm='b'"),
        ({"a": [1.0, None], "b": [2.0, None], "c": [3.0, None]}, "block='2'"),
    ],
)
def test_model_refuses_a_block_or_algorithm_without_any_score(frame, part):
    with refused("no score at all", part):
        Scores.from_wide(
            pd.DataFrame(frame),
            **WIDE,
            missing="model",
            confirmed=["impossible", "empty-row"],
        )


def test_a_block_without_any_score_in_one_of_two_metrics_is_refused_by_metric():
    frame = long_frame(auc=[None, None, 0.5, 0.5, 0.5, 0.5])
    metrics = {"error": "lower", "auc": "higher"}
    with refused("block='b1' in metric 'auc'"):
        Scores.from_frame(frame, **LONG | {"metrics": metrics}, missing="model")
    with refused("2 of 12 cells", "metric='auc'"):
        Scores.from_frame(frame, **LONG | {"metrics": metrics})
    kept = Scores.from_frame(frame, **LONG | {"metrics": metrics}, missing="drop-block")
    assert kept.blocks == ("b2", "b3")


def test_an_unknown_policy_is_refused():
    with refused("missing must be one of", "'drop-block'"):
        Scores.from_frame(gappy(), **LONG, missing="drop")
