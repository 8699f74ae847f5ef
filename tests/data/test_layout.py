"""Long and wide tables: roles, data sets, blocks."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pycompare.base.errors import InputError
from pycompare.data import Metric, Scores
from tests.data.tables import LONG, long_frame, long_scores, refused

WIDE = {"metric": "auc", "better": "higher"}


# ---- columns and roles ---------------------------------------------------------------


def test_a_missing_column_is_named_with_the_nearest_and_all_there_are():
    with refused(
        "algorithm: there is no column 'algoritm'",
        "did you mean 'algorithm'",
        "'block', 'algorithm', 'error'",
    ):
        Scores.from_frame(long_frame(), **LONG | {"algorithm": "algoritm"})
    with refused("metric 'eror': there is no column 'eror'"):
        Scores.from_frame(long_frame(), **LONG | {"metrics": {"eror": "lower"}})


def test_a_role_that_is_in_the_index_is_told_to_reset_it():
    with refused("'block' is in the index", "reset_index"):
        Scores.from_frame(long_frame().set_index("block"), **LONG)


@pytest.mark.parametrize(
    "changes",
    [
        {"algorithm": "block"},
        {"metrics": {"algorithm": "lower"}},
        {"dataset": "block"},
    ],
)
def test_a_column_with_two_roles_is_refused(changes):
    with refused("two roles|cannot be called"):
        Scores.from_frame(long_frame(), **LONG | changes)


def test_a_metric_that_is_also_a_role_is_refused():
    frame = long_frame().rename(columns={"block": "fold_id"})
    with refused("column 'fold_id' has two roles, block and metric 'fold_id'"):
        Scores.from_frame(
            frame, algorithm="algorithm", block="fold_id", metrics={"fold_id": "lower"}
        )


@pytest.mark.parametrize(
    ("columns", "name"), [(["a", "b", "a"], "'a'"), ([1, "1", "b"], "'1'")]
)
def test_duplicate_column_names_are_refused(columns, name):
    frame = pd.DataFrame([[1.0, 2, 3], [4, 5, 6]], columns=columns)
    with refused("column names must differ", name):
        Scores.from_wide(frame, **WIDE)
    if columns[0] == "a":
        with refused("column names must differ", name):
            Scores.from_wide(pa.table([[1.0], [2.0], [3.0]], names=columns), **WIDE)


def test_columns_of_several_levels_are_refused():
    columns = pd.MultiIndex.from_tuples([("a", "x"), ("a", "y")])
    with refused("several levels"):
        Scores.from_wide(pd.DataFrame([[1.0, 2], [3, 4]], columns=columns), **WIDE)


@pytest.mark.parametrize("metrics", [{}, ["error"], "error", None])
def test_metrics_without_directions_are_refused(metrics):
    with refused("metrics must map"):
        Scores.from_frame(long_frame(), **LONG | {"metrics": metrics})


@pytest.mark.parametrize("word", ["max", "Higher", True, None, ""])
def test_a_bad_direction_word_is_refused(word):
    with refused("metric 'error'", "'higher' or 'lower'"):
        Scores.from_frame(long_frame(), **LONG | {"metrics": {"error": word}})


def test_a_column_named_by_a_number_can_be_any_role():
    frame = long_frame().set_axis([0, 1, 2], axis="columns")
    scores = Scores.from_frame(frame, block=0, algorithm=1, metrics={2: "lower"})
    assert scores.sha256 != long_scores().sha256
    assert scores.metric("2").name == "2" and scores.algorithms == ("svm", "knn")


@pytest.mark.parametrize("name", ["", "a\nb", "algorithm"])
def test_a_metric_name_that_cannot_be_used_is_refused(name):
    with pytest.raises(InputError):
        Metric(name, "lower")


def test_empty_tables_are_refused():
    with refused("no rows, only columns: 'block', 'algorithm', 'error'"):
        Scores.from_frame(long_frame().iloc[:0], **LONG)
    with refused("no columns"):
        Scores.from_frame(pd.DataFrame(), **LONG)


# ---- data sets -----------------------------------------------------------------------


def test_a_dataset_column_makes_a_block_of_each_pair():
    frame = long_frame(
        set=["iris", "iris", "iris", "iris", "wine", "wine"], block=[1, 1, 2, 2, 1, 1]
    )
    scores = Scores.from_frame(frame, **LONG, dataset="set")
    assert scores.blocks == ("iris/1", "iris/2", "wine/1")
    assert scores.datasets == ("iris", "iris", "wine")
    assert scores.folds == ("1", "2", "1")
    assert "2 data sets: 'iris', 'wine'" in scores.summary()


def test_pairs_whose_labels_would_be_equal_are_kept_apart():
    frame = long_frame(
        set=["a/b", "a/b", "a", "a", r"a\/b", r"a\/b"],
        block=["c", "c", "b/c", "b/c", "c", "c"],
    )
    scores = Scores.from_frame(frame, **LONG, dataset="set")
    assert scores.n_blocks == 3 and len(set(scores.blocks)) == 3
    assert scores.datasets == ("a/b", "a", r"a\/b")
    assert scores.folds == ("c", "b/c", "c")


def test_a_dataset_is_dropped_with_its_block():
    frame = long_frame(
        set=["iris", "iris", "wine", "wine", "zoo", "zoo"],
        error=[0.1, None, 0.3, 0.4, 0.5, 0.6],
    )
    scores = Scores.from_frame(frame, **LONG, dataset="set", missing="drop-block")
    assert scores.datasets == ("wine", "zoo") and scores.folds == ("b2", "b3")
    assert scores.dropped.blocks == ("iris/b1",)


# ---- wide tables ---------------------------------------------------------------------


def test_a_wide_table_takes_its_block_column_wherever_it_stands():
    frame = pd.DataFrame({"a": [1.0, 2], "k": ["x", "y"], "b": [3.0, 4]})
    scores = Scores.from_wide(frame, **WIDE, block="k")
    assert scores.blocks == ("x", "y") and scores.algorithms == ("a", "b")
    assert scores.metrics[0].better == "higher"


def test_a_wide_table_takes_a_named_or_labelled_index():
    frame = pd.DataFrame({"a": [1.0, 2], "b": [3.0, 4]})
    for index in (["x", "y"], pd.RangeIndex(2, name="fold"), [5, 7]):
        scores = Scores.from_wide(frame.set_axis(index), **WIDE)
        assert scores.blocks == tuple(str(label) for label in index)


def test_a_wide_table_of_numbers_alone_numbers_its_blocks():
    frame = pd.DataFrame({0: [1.0, 2], 1: [3.0, 4]})
    scores = Scores.from_wide(frame, **WIDE)
    assert scores.blocks == ("1", "2") and scores.algorithms == ("0", "1")


@pytest.mark.parametrize("convert", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_first_column_of_text_is_not_guessed_to_be_the_blocks(convert):
    frame = convert({"k": ["x", "y"], "a": [1.0, 2.0], "b": [3.0, 4.0]})
    with refused(
        "first column 'k' holds text", r"block=\.\.\.\); columns of text: 'k'"
    ):
        Scores.from_wide(frame, **WIDE)


def test_a_wide_table_can_name_its_algorithms():
    frame = pd.DataFrame({"n": [9, 9], "a": [1.0, 2], "b": [3.0, 4]}, index=["x", "y"])
    assert Scores.from_wide(frame, **WIDE, algorithms=["b", "a"]).algorithms == (
        "b",
        "a",
    )
    with refused("algorithm 'z': there is no column 'z'"):
        Scores.from_wide(frame, **WIDE, algorithms=["a", "z"])
    with refused("column 'a' has two roles, block and algorithm 'a'"):
        Scores.from_wide(frame, **WIDE, block="a", algorithms=["a", "b"])


def test_a_wide_table_refuses_repeated_and_nested_blocks():
    frame = pd.DataFrame({"a": [1.0, 2, 3], "b": [3.0, 4, 5]}, index=["x", "y", "x"])
    with refused("block='x' appears in 2 rows", r"row 1 .* and row 3"):
        Scores.from_wide(frame, **WIDE)
    nested = frame.set_axis(pd.MultiIndex.from_product([["d"], [1, 2, 3]]))
    with refused("index has 2 levels", "reset_index"):
        Scores.from_wide(nested, **WIDE)
