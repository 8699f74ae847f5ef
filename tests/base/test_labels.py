"""Labels are data: shown as they came, refused if two read alike."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest

import pycompare as pc
from pycompare.base.labels import levels, nearest, unknown_control
from pycompare.data import Scores
from tests.data.tables import LONG, long_scores, refused

WIDE = {"metric": "auc", "better": "higher"}


CODE_LIKE = [
    "nan",
    "NA",
    "None",
    "007",
    "1e5",
    " lead",
    "<b>x</b>",
    "=1+1",
    "__x",
    "é" * 9,
]


def test_labels_are_data_and_never_interpreted():
    n = len(CODE_LIKE)
    frame = pd.DataFrame(
        {
            "block": CODE_LIKE * 2,
            "algorithm": ["L0"] * n + ["x" * 200_000] * n,
            "error": np.arange(2.0 * n),
        }
    )
    scores = Scores.from_frame(frame, **LONG)
    assert list(scores.blocks) == CODE_LIKE
    assert scores.algorithms[1] == "x" * 200_000
    assert Scores.from_frame(scores.to_frame(), **LONG).sha256 == scores.sha256


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([3, 4, 5], ("3", "4", "5")),
        ([3.0, 0.1, -0.0], ("3", "0.1", "0")),
        ([1e16, 1e300, 2.5], ("1e+16", "1e+300", "2.5")),
        ([True, False, "x"], ("True", "False", "x")),
        (pd.to_datetime(["2020-01-01", "2020-01-02", "2020-01-03"]), None),
        (pd.Categorical([30, 20, 10]), ("30", "20", "10")),
        (pd.array([3, 2, 1], dtype="Int64"), ("3", "2", "1")),
        (pd.Series([np.str_("a"), "b", np.int64(7)], dtype=object), ("a", "b", "7")),
    ],
)
def test_label_text_is_written_plainly(values, labels):
    frame = pd.DataFrame({"block": values, "a": [1.0, 2, 3], "b": [3.0, 2, 1]})
    scores = Scores.from_wide(frame, **WIDE, block="block")
    assert scores.blocks == (labels or tuple(str(v) for v in values))


def test_the_same_label_in_numpy_and_python_types_is_one_label():
    names = [np.str_("svm"), "knn", "svm", "knn", "svm", "knn"]
    scores = long_scores(algorithm=pd.Series(names, dtype=object))
    assert scores.algorithms == ("svm", "knn")


@pytest.mark.parametrize(
    ("labels", "parts"),
    [
        (["a", " a", "b"], ["' a'", "differ only by spaces"]),
        (["caf\xe9", "cafe\u0301", "b"], [r"caf\\xe9", r"cafe\\u0301", "normal form"]),
        ([1, "1", "b"], [r"1 \(int\)", r"'1' \(str\)", "the same text"]),
        ([1.0, 1, "b"], [r"1.0 \(float\)", r"1 \(int\)"]),
        ([True, "True", "b"], [r"True \(bool\)", r"'True' \(str\)"]),
    ],
)
def test_labels_that_read_alike_are_refused_and_both_are_named(labels, parts):
    frame = pd.DataFrame({"k": pd.Series(labels, dtype=object), "x": 1.0, "y": 2.0})
    with refused("column 'k'", r"row 1 .* row 2", *parts):
        Scores.from_wide(frame, **WIDE, block="k")


@pytest.mark.parametrize(
    ("label", "part"),
    [
        ("", "empty"),
        (" \u00a0", "empty"),
        ("a\x00", "x00"),
        ("\x1b[31m", "x1b"),
        ("\x7f", "x7f"),
        ("\ud800", "ud800"),
    ],
)
def test_labels_that_cannot_be_shown_are_refused(label, part):
    names = pd.Series(["knn", label] * 3, dtype=object)
    with refused("column 'algorithm', row 2", part):
        long_scores(algorithm=names)


@pytest.mark.parametrize("gap", [None, float("nan"), pd.NA, pd.NaT])
def test_a_missing_label_is_refused_though_the_text_nan_is_not(gap):
    names = pd.Series(["nan", "knn", "nan", gap, gap, "knn"], dtype=object)
    with refused("column 'algorithm' has no label in 2 of 6 rows, first: row 4"):
        long_scores(algorithm=names)


def test_a_missing_label_is_refused_in_every_kind_of_column():
    for gap in (
        pd.array([1, None, 2], "Int64"),
        [1.5, np.nan, 2],
        pd.Categorical([1, None, 2]),
    ):
        frame = pd.DataFrame({"k": gap, "a": 1.0, "b": 2.0})
        with refused("column 'k' has no label in 1 of 3 rows, first: row 2"):
            Scores.from_wide(frame, **WIDE, block="k")
    for gap in (pl.Series([1.5, float("nan"), 2]), pl.Series(["a", None, "b"])):
        frame = pl.DataFrame({"k": gap, "a": [1.0] * 3, "b": [2.0] * 3})
        with refused("column 'k' has no label in 1 of 3 rows, first: row 2"):
            Scores.from_wide(frame, **WIDE, block="k")


def test_a_list_is_no_label():
    with refused("column 'algorithm' must hold text or numbers", "list"):
        long_scores(algorithm=pd.Series([["a"], ["b"]] * 3, dtype=object))


CONTROLLED = {
    "corrected_pairs": partial(pc.corrected_pairs, n_train=90, n_test=10),
    "equivalence_pairs": partial(pc.equivalence_pairs, margin=1.0),
    "dunnett": pc.dunnett,
    "rank_pairs": pc.rank_pairs,
    "compare": lambda scores, control: pc.compare(scores, pc.Plan(control=control)),
}


@pytest.mark.parametrize("name", CONTROLLED)
def test_a_control_that_is_no_algorithm_is_refused_alike_everywhere(name):
    scores = pc.Scores.from_wide(
        {"forest": [1.0, 2.0, 3.0], "bayes": [1.0, 3.0, 2.0], "k-NN": [3.0, 1.0, 2.5]},
        metric="error",
        better="lower",
    )
    told = r"control 'forst' is not an algorithm; did you mean 'forest'\?; there are "
    with pytest.raises(pc.InputError, match=told + "'forest', 'bayes', 'k-NN'"):
        CONTROLLED[name](scores, control="forst")


def test_a_control_that_is_no_text_is_refused_like_any_other():
    assert "control 3 is not an algorithm; there" in unknown_control(3, ["a", "b"])


def test_names_that_are_equally_near_are_all_suggested_in_any_order():
    names = ["accuracy", "AUC", "Auc", "svm_1", "svm_2"]
    for order in (names, names[::-1]):
        assert nearest("auc", order) == "; did you mean 'AUC' or 'Auc'?"
        assert nearest("svm_3", order) == "; did you mean 'svm_1' or 'svm_2'?"
        assert nearest("acuracy", order) == "; did you mean 'accuracy'?"
    assert nearest("A", [f"A{i}" for i in range(4)]) == ""


@pytest.mark.parametrize("written", ["one\ntwo", "one \r\n two", "one\ttwo"])
def test_a_line_end_within_a_label_is_a_blank(tmp_path, written):
    names = pd.Series(["knn", written] * 3, dtype=object)
    assert long_scores(algorithm=names).algorithms == ("knn", "one two")
    frame = pd.DataFrame({"k": [written, "b"], written: [0.1, 0.2], "c": [0.2, 0.1]})
    direct = Scores.from_wide(frame, **WIDE, block="k")
    assert direct.blocks == ("one two", "b") and direct.algorithms == ("one two", "c")
    assert direct.select(blocks=["b", written]).blocks == ("b", "one two")
    for ending in ("csv", "parquet"):
        path = tmp_path / f"w.{ending}"
        to_file = frame.to_csv if ending == "csv" else frame.to_parquet
        to_file(path, index=False)
        read = pc.read_scores(path, **WIDE, wide=True, block="k")
        assert read.sha256 == direct.sha256


def test_labels_that_differ_in_a_line_end_only_are_refused():
    frame = pd.DataFrame({"k": ["a b", "a\nb"], "x": 1.0, "y": 2.0})
    with refused("column 'k'", r"row 1 .* row 2", "differ only by line ends"):
        Scores.from_wide(frame, **WIDE, block="k")


@pytest.mark.parametrize("unseen", ["\u200b", "\u00ad", "\u202e", "\ufeff", "\u2066"])
def test_labels_that_differ_by_what_cannot_be_seen_read_alike(unseen):
    with pytest.raises(pc.InputError, match="by invisible characters"):
        levels(["a", "b", f"a{unseen}"], what="algorithm")
    with pytest.raises(pc.InputError, match=r"the label is empty"):
        levels(["a", f" {unseen}"], what="algorithm")
    joined = ["👩\u200d🔬", f"b{unseen}"]
    assert list(levels(joined, what="algorithm").labels) == joined
