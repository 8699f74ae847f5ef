"""Data sets: numbers and two classes, or a clear refusal."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import pycompare as pc
from tests.apps.experiments.small import features, refused


def test_frames_and_arrays_are_the_same_data():
    x, y = features(8)
    names = ["a", "b", "c"]
    wanted = pc.DataSet.of(x, y, positive="yes")
    for other in (pd.DataFrame(x, columns=names), pl.DataFrame(x, schema=names)):
        found = pc.DataSet.of(other, pd.Series(y), positive="yes")
        assert np.array_equal(found.features, wanted.features)
        assert found.sha256 == wanted.sha256
    assert wanted.is_positive.tolist() == [True, False] * 4


@pytest.mark.parametrize(
    ("label", "positive", "names"),
    [
        ([1, 0, 1, 0], 1, ("1", "0")),
        ([True, False, True, False], True, ("True", "False")),
        ([2.0, 1.0, 2.0, 1.0], 2, ("2", "1")),
        (["b", "é/", "b", "é/"], "b", ("b", "é/")),
    ],
)
def test_labels_of_any_kind(label, positive, names):
    found = pc.DataSet.of(np.eye(4), label, positive=positive)
    assert (found.positive, found.negative) == names
    assert found.is_positive.tolist() == [True, False, True, False]
    assert "2 " + names[0] in repr(found)


def test_a_pair_of_classes_keeps_the_rows_of_the_table():
    label = ["a", "b", "c", "a", "c", "b"]
    found = pc.DataSet.of(np.eye(6), label, positive="c", classes=("a", "c"))
    assert found.row.tolist() == [0, 2, 3, 4]
    assert found.is_positive.tolist() == [False, True, False, True]
    assert found.smaller_class == 2
    rest = pc.DataSet.of(np.eye(6), label, positive="c", rest=True)
    assert (rest.n, rest.negative) == (6, "not c")


def test_three_classes_are_refused_with_the_ways_out():
    with refused("3 classes", "rest=True", "classes=", "most_confused"):
        pc.DataSet.of(np.eye(3), ["a", "b", "c"], positive="a")


def test_features_that_are_no_numbers_are_named():
    frame = pd.DataFrame({"age": [1, 2], "sex": ["m", "f"]})
    with refused("feature 'sex' holds 'm'", "not a number"):
        pc.DataSet.of(frame, [0, 1], positive=1)
    with refused("sparse"):
        pc.DataSet.of(sparse.eye(2), [0, 1], positive=1)
    with refused("shape \\(2,\\)", "one row per case"):
        pc.DataSet.of([1.0, 2.0], [0, 1], positive=1)


def test_missing_values_are_refused_unless_they_are_declared():
    frame = pd.DataFrame({"age": [1.0, np.nan], "size": pd.array([None, 2], "Int64")})
    with refused("2 of 4 values", "feature 'size' in row 0 is nan", "missing=True"):
        pc.DataSet.of(frame, [0, 1], positive=1)
    found = pc.DataSet.of(frame, [0, 1], positive=1, missing=True)
    assert np.isnan(found.features).tolist() == [[False, True], [True, False]]


@pytest.mark.parametrize("missing", [True, False])
def test_infinite_features_are_refused(missing):
    with refused("feature '1' in row 0 is inf"):
        pc.DataSet.of([[0.0, np.inf], [1, 1]], [0, 1], positive=1, missing=missing)


def test_labels_must_be_there_one_a_row():
    with refused("labels: 1 of 2 values are missing, first at position 2"):
        pc.DataSet.of(np.eye(2), ["a", None], positive="a")
    with refused("2 rows of features and 3 labels"):
        pc.DataSet.of(np.eye(2), ["a", "b", "a"], positive="a")
    with refused("labels of shape"):
        pc.DataSet.of(np.eye(2), [["a", "b"]], positive="a")


def test_parts_that_do_not_fit_are_refused():
    with refused("is_positive does not fit 3 rows", "DataSet.of"):
        pc.DataSet(np.eye(3), np.array([True]), np.arange(3), "a", "b")


def test_the_hash_sees_features_classes_and_rows():
    x, y = features(8)
    seen = {
        pc.DataSet.of(x, y, positive="yes").sha256,
        pc.DataSet.of(x, y, positive="no").sha256,
        pc.DataSet.of(x + 1, y, positive="yes").sha256,
        pc.DataSet.of(x[:, :2], y, positive="yes").sha256,
        pc.DataSet.of(x[::-1], y[::-1], positive="yes").sha256,
    }
    assert len(seen) == 5
