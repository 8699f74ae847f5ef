"""Scores: what comes out of the door, unchanged and hashed."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import pickle
import struct
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pycompare.data import Dropped, Metric, Scores
from pycompare.data.reading.answers import DOUBTS
from tests.conftest import wide
from tests.data.tables import LONG, long_frame, long_scores, refused

# ---- what comes out ------------------------------------------------------------------


def test_a_long_table_becomes_blocks_by_algorithms_by_metrics():
    scores = long_scores()
    assert scores.shape == (3, 2, 1)
    assert (scores.n_blocks, scores.n_algorithms) == (3, 2)
    assert scores.blocks == ("b1", "b2", "b3")
    assert scores.algorithms == ("svm", "knn")
    assert scores.column().tolist() == [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]
    assert scores.complete
    assert scores.datasets is None and scores.source is None
    assert scores.dropped.blocks == () and scores.dropped.cells == ()


def test_labels_keep_their_order_of_first_appearance_not_the_alphabet():
    frame = long_frame().iloc[::-1]
    scores = Scores.from_frame(frame, **LONG)
    assert scores.blocks == ("b3", "b2", "b1")
    assert scores.algorithms == ("knn", "svm")
    assert scores.column()[0].tolist() == [0.6, 0.5]


def test_values_are_float64_and_read_only_even_after_pickle_and_copy():
    scores = long_scores()
    for each in (scores, pickle.loads(pickle.dumps(scores)), copy.deepcopy(scores)):
        assert each.values.dtype == np.float64
        for array in (each.values, each.column(), each.oriented()):
            with pytest.raises(ValueError, match="read-only"):
                array[0, 0] = 1.0
        assert each.sha256 == scores.sha256


def test_scores_do_not_share_memory_with_the_callers_array():
    values = np.arange(4.0).reshape(2, 2, 1)
    scores = Scores(values, ("b1", "b2"), ("a", "b"), (Metric("y", "lower"),))
    values[:] = 9
    assert scores.column().tolist() == [[0, 1], [2, 3]]


def test_oriented_makes_lower_better_and_has_no_negative_zero():
    frame = pd.DataFrame({"a": [0.0, 0.9], "b": [-0.0, 0.8]})
    higher = Scores.from_wide(frame, metric="auc", better="higher").oriented()
    assert higher.tolist() == [[0, 0], [-0.9, -0.8]]
    lower = Scores.from_wide(frame, metric="error", better="lower").oriented()
    assert lower.tolist() == [[0, 0], [0.9, 0.8]]
    assert not np.signbit(higher[0]).any() and not np.signbit(lower[0]).any()


def test_extreme_scores_and_negative_zero_are_kept_bit_for_bit():
    values = [1e-300, 1e300, 5e-324, -0.0, 2.0**53, -1.5]
    got = long_scores(error=values).column().ravel()
    assert got.tobytes() == np.array(values).tobytes()


def test_a_metric_is_found_by_name_and_none_is_enough_for_one():
    frame = long_frame(auc=0.5)
    scores = Scores.from_frame(
        frame, **LONG | {"metrics": {"error": "lower", "auc": "higher"}}
    )
    assert scores.metric("auc").better == "higher"
    assert long_scores().metric().name == "error"
    with refused("name the metric", "'error', 'auc'"):
        scores.column()
    with refused("no metric 'aux'", "did you mean 'auc'"):
        scores.metric("aux")


def test_select_keeps_labels_in_the_order_asked():
    scores = Scores.from_frame(
        long_frame(set=["d"] * 4 + ["e"] * 2), **LONG, dataset="set"
    )
    part = scores.select(algorithms=["knn", "svm"], blocks=["e/b3", "d/b1"])
    assert part.algorithms == ("knn", "svm") and part.blocks == ("e/b3", "d/b1")
    assert part.datasets == ("e", "d") and part.folds == ("b3", "b1")
    assert part.column().tolist() == [[0.6, 0.5], [0.2, 0.1]]


def test_select_refuses_unknown_repeated_and_too_few_labels():
    scores = long_scores()
    with refused("algorithms: there is no 'swm'", "did you mean 'svm'"):
        scores.select(algorithms=["swm", "knn"])
    with refused("algorithms must differ", "'svm' appears 2 times"):
        scores.select(algorithms=["svm", "svm"])
    with refused("at least 2 algorithms, got 1: 'svm'"):
        scores.select(algorithms="svm")
    with refused("at least 2 blocks"):
        scores.select(blocks=["b1"])


def test_repr_and_summary_say_what_there_is():
    frame = long_frame(error=[0.1, None, 0.3, 0.4, 0.5, 0.6])
    scores = Scores.from_frame(frame, **LONG, missing="drop-block")
    assert repr(scores) == "<Scores: 2 blocks x 2 algorithms, error (lower is better)>"
    text = scores.summary()
    assert "algorithms: 'svm', 'knn'" in text
    assert "missing cells: 1" in text and "block='b1', algorithm='knn'" in text
    assert "1 block dropped: 'b1'" in text
    assert scores.sha256 in text


# ---- the content hash ----------------------------------------------------------------


def test_the_content_hash_is_the_same_on_every_platform():
    # A fixed number: it may change only with the definition of the hash.
    assert long_scores().sha256 == (
        "75f66d2038da9a19e79cdacf9df40f5d6a9d981e3b1f9ba4ddceb870c1589271"
    )


def test_the_content_hash_can_be_computed_by_hand():
    labels = (
        '{"algorithms": ["svm", "knn"], "blocks": ["b1", "b2", "b3"], '
        '"datasets": null, "metrics": [["error", "lower"]]}'
    )
    values = struct.pack("<6d", 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
    wanted = hashlib.sha256(labels.encode() + values).hexdigest()
    assert long_scores().sha256 == wanted


def test_the_content_hash_sees_labels_direction_and_every_bit():
    base = long_scores()
    others = [
        long_scores(algorithm=["svm", "k-nn"] * 3),
        long_scores(error=[np.nextafter(0.1, 1), 0.2, 0.3, 0.4, 0.5, 0.6]),
        Scores.from_frame(
            long_frame(),
            **LONG | {"metrics": {"error": "higher"}},
            confirmed=["direction"],
        ),
    ]
    assert len({s.sha256 for s in [base, *others]}) == 4
    assert base.sha256 == Scores.from_frame(long_frame(), **LONG).sha256


def test_the_content_hash_does_not_see_which_nan_marks_a_gap():
    quiet, odd = np.array([0x7FF8000000000000, 0xFFF8000000000001], "u8").view("f8")
    hashes = {
        Scores.from_frame(
            long_frame(error=[nan, 2, 3, 4, 5, 6]), **LONG, missing="model"
        ).sha256
        for nan in (quiet, odd)
    }
    assert len(hashes) == 1


# ---- the constructor -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"values": np.zeros((2, 2))}, "shape"),
        ({"values": np.zeros((2, 3, 1))}, "shape"),
        (
            {"values": np.array([[[True], [1]], [[1], [1]]], object)},
            "expected numbers, got True",
        ),
        ({"values": np.full((2, 2, 1), np.inf)}, "infinite"),
        ({"values": np.array([[[np.nan], [1]], [[1], [1]]])}, "NaN"),
        ({"blocks": ("b", "b")}, "blocks must differ"),
        (
            {"algorithms": ("a",), "values": np.zeros((2, 1, 1))},
            "at least 2 algorithms",
        ),
        ({"metrics": ()}, "one Metric or more"),
        ({"datasets": ("d",)}, "datasets must hold one label"),
        ({"missing": "ignore"}, "missing must be one of"),
    ],
)
def test_the_constructor_refuses_parts_that_do_not_fit(changes, part):
    parts = {
        "values": np.zeros((2, 2, 1)),
        "blocks": ("b1", "b2"),
        "algorithms": ("a1", "a2"),
        "metrics": (Metric("y", "lower"),),
    }
    with refused(part):
        Scores(**parts | changes)


# ---- identities ----------------------------------------------------------------------


# No character that cannot be shown, none that normalises to another.
LABELS = st.lists(
    st.text("abcXYZ019 ._-/\\'\"<=é中", min_size=1).filter(str.strip),
    min_size=2,
    max_size=6,
    unique_by=str.strip,
)
NUMBERS = st.floats(-1e300, 1e300)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[str], list[str], np.ndarray]:
    blocks, algorithms = draw(LABELS), draw(LABELS)
    size = len(blocks) * len(algorithms)
    cells = draw(st.lists(NUMBERS, min_size=size, max_size=size))
    return blocks, algorithms, np.reshape(cells, (len(blocks), len(algorithms)))


@settings(max_examples=60)
@given(tables())
def test_long_and_wide_tables_give_the_same_scores_and_back(table):
    blocks, algorithms, cells = table
    wide = pd.DataFrame(cells, index=pd.Index(blocks, name="k"), columns=algorithms)
    how = {"metric": "y", "better": "lower", "algorithms": algorithms}
    how |= {"confirmed": DOUBTS}
    scores = Scores.from_wide(wide, **how)
    assert scores.blocks == tuple(blocks) and scores.algorithms == tuple(algorithms)
    assert scores.column().tobytes() == cells.tobytes()
    again = Scores.from_frame(
        scores.to_frame(),
        **{"algorithm": "algorithm", "block": "block", "metrics": {"y": "lower"}},
        confirmed=DOUBTS,
    )
    back = Scores.from_wide(again.to_wide(), **how)
    assert scores.sha256 == again.sha256 == back.sha256


@settings(max_examples=60)
@given(tables(), st.randoms(use_true_random=False))
def test_shuffled_rows_change_the_order_of_labels_and_nothing_else(table, random):
    blocks, algorithms, cells = table
    rows = [
        {"b": b, "a": a, "y": cells[i, j]}
        for i, b in enumerate(blocks)
        for j, a in enumerate(algorithms)
    ]
    random.shuffle(rows)
    scores = Scores.from_frame(
        pd.DataFrame(rows),
        **{"algorithm": "a", "block": "b", "metrics": {"y": "lower"}},
        confirmed=DOUBTS,
    )
    assert scores.blocks == tuple(dict.fromkeys(row["b"] for row in rows))
    assert scores.algorithms == tuple(dict.fromkeys(row["a"] for row in rows))
    sorted_again = scores.select(algorithms=algorithms, blocks=blocks)
    assert sorted_again.column().tobytes() == cells.tobytes()


def test_a_table_with_data_sets_goes_out_and_in_again():
    frame = long_frame(set=["a/b", "a/b", "a", "a", "c", "c"], block=list("ccbbdd"))
    scores = Scores.from_frame(frame, **LONG, dataset="set")
    again = Scores.from_frame(
        scores.to_frame(), **LONG | {"block": "fold"}, dataset="dataset"
    )
    assert list(scores.to_frame().columns) == [
        "dataset", "fold", "block", "algorithm", "error"
    ]  # fmt: skip
    assert again.sha256 == scores.sha256


def test_a_hundred_thousand_rows_become_one_table():
    n, k = 10_000, 10
    frame = pd.DataFrame(
        {
            "block": np.repeat([f"b{i}" for i in range(n)], k),
            "algorithm": np.tile([f"a{i}" for i in range(k)], n),
            "error": np.linspace(0, 1, n * k),
        }
    )
    scores = Scores.from_frame(frame, **LONG)
    assert scores.shape == (n, k, 1)


def test_the_blocks_of_a_data_set_can_be_replaced_by_one():
    frame = long_frame(set=["d"] * 4 + ["e"] * 2)
    scores = Scores.from_frame(frame, **LONG, dataset="set")
    means = np.stack([scores.values[:2].mean(axis=0), scores.values[2]])
    one_each = replace(scores, values=means, blocks=("d", "e"), datasets=("d", "e"))
    assert one_each.folds == ("d", "e")
    np.testing.assert_allclose(one_each.column(), [[0.2, 0.3], [0.5, 0.6]])


def test_the_parts_are_compared_by_identity_not_by_value():
    assert Dropped() != Dropped()
    assert Metric("y", "lower") != Metric("y", "lower")


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_tests_make_the_scores_that_a_frame_of_plain_names_has(better):
    values = np.random.default_rng(1).normal(size=(12, 3))
    frame = pd.DataFrame(values, columns=["A1", "A2", "A3"])
    read = Scores.from_wide(frame, metric="score", better=better)
    made = wide(values, better)
    for field in dataclasses.fields(Scores):
        if field.name != "values":  # Metric has no equality of its own
            assert repr(getattr(read, field.name)) == repr(getattr(made, field.name))
    assert np.array_equal(read.values, made.values)
