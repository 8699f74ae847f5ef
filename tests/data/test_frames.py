"""Frames of any library, and the cells of their score columns."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from pycompare.data import Scores
from tests.data.tables import LONG, long_frame, long_scores, refused

WIDE = {"metric": "auc", "better": "higher"}


# ---- frames of any library -----------------------------------------------------------


@pytest.mark.parametrize(
    "convert",
    [
        pl.from_pandas,
        pa.Table.from_pandas,
        lambda f: f.to_dict("records"),
        lambda f: f.to_dict("list"),
        lambda f: f.astype({"algorithm": "category", "block": object}),
        lambda f: f.convert_dtypes(),
        lambda f: pl.from_pandas(f).cast({"algorithm": pl.Categorical}),
        lambda f: f.set_index(pd.Index([7, 7, 1, 0, 0, 3])),
    ],
    ids=[
        "polars",
        "arrow",
        "records",
        "dict",
        "category",
        "nullable",
        "plcat",
        "index",
    ],
)
def test_frames_of_any_library_give_the_same_scores(convert):
    assert (
        Scores.from_frame(convert(long_frame()), **LONG).sha256 == long_scores().sha256
    )


@pytest.mark.parametrize(
    "column",
    [
        pd.array([1, 2, 3, 4, 5, None], dtype="Int64"),
        pd.array([1, 2, 3, 4, 5, None], dtype="Float64"),
        pd.array([1, 2, 3, 4, 5, None], dtype="float64[pyarrow]"),
        pd.Series([Decimal(1), 2, np.int8(3), 4.0, np.float32(5), pd.NA], dtype=object),
        np.array([1, 2, 3, 4, 5, np.nan], "f4"),
    ],
    ids=["Int64", "Float64", "arrow", "object", "float32"],
)
def test_every_kind_of_number_is_read_and_its_null_is_a_missing_cell(column):
    scores = Scores.from_frame(long_frame(error=column), **LONG, missing="model")
    np.testing.assert_array_equal(
        scores.column(), [[1.0, 2.0], [3.0, 4.0], [5.0, np.nan]]
    )
    assert scores.dropped.cells == (("b3", "knn", "error"),)


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([1, 2, 3, 4, 5, None]),
        pl.Series([1.0, 2, 3, 4, None, float("nan")])[[0, 1, 2, 3, 0, 5]],
        pl.Series([1, 2, 3, 4, 5, None], dtype=pl.Int128),
        pl.Series([Decimal(1), Decimal(2), Decimal(3), Decimal(4), Decimal(5), None]),
    ],
    ids=["int", "nan", "int128", "decimal"],
)
def test_polars_numbers_and_nulls_are_read(column):
    frame = pl.from_pandas(long_frame()).with_columns(column.alias("error"))
    scores = Scores.from_frame(frame, **LONG, missing="model")
    assert np.isnan(scores.column()[2, 1])
    assert scores.column()[1].tolist() == [3, 4]


def test_a_lazy_frame_and_a_list_of_lists_are_refused_with_what_to_do():
    with refused("got LazyFrame", "collect"):
        Scores.from_frame(pl.from_pandas(long_frame()).lazy(), **LONG)
    with refused("one dict for each row"):
        Scores.from_frame([["b1", "svm", 0.1]], **LONG)
    with refused("got str"):
        Scores.from_frame("scores.csv", **LONG)
    with refused("do not make a table"):
        Scores.from_frame({"block": ["b1"], "algorithm": []}, **LONG)


# ---- scores --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "part"),
    [
        ("0,5", "'0,5' is text"),
        (True, "True is true or false"),
        (1j, "of type complex"),
        (2**53 + 1, "9007199254740993 is an integer that float64 cannot hold"),
        (10**400, "an integer that float64 cannot hold"),
        ([1], "of type list"),
    ],
)
def test_a_score_that_is_no_number_is_refused_by_column_count_and_row(cell, part):
    cells = pd.Series([0.1, cell, 0.3, cell, 0.5, None], dtype=object)
    with refused("column 'error': 2 of 6 values are not numeric", "row 2", part):
        long_scores(error=cells)


@pytest.mark.parametrize(
    "column",
    [
        ["1", "2", "3", "4", "5", "6"],
        pd.Categorical(["1", "2"] * 3),
        pd.to_datetime(["2020-01-01"] * 6),
        np.arange(6) * 1j,
        pd.array([1, 2, 3, 4, 5, 2**60 + 1], dtype="Int64"),
        np.array([0, 1, 2, 3, 4, 2**64 - 1], dtype="u8"),
    ],
    ids=["text", "category", "date", "complex", "Int64", "uint64"],
)
def test_a_column_of_another_type_is_refused(column):
    with refused("column 'error': . of 6 values (is|are) not numeric"):
        long_scores(error=column)


def test_large_integers_that_float64_holds_exactly_are_kept():
    cells = [2**53, 2**60, -(2**62), 0, 1, 2]
    assert long_scores(error=cells).column().ravel().tolist() == cells


@pytest.mark.parametrize("cell", [np.inf, -np.inf])
def test_an_infinite_score_is_refused(cell):
    with refused("column 'error' is infinite in 1 of 6 rows, first: row 3"):
        long_scores(error=[0.1, 0.2, cell, 0.4, 0.5, 0.6])


def test_fewer_than_two_algorithms_or_blocks_are_refused():
    with refused("at least 2 algorithms, got 1: 'svm'"):
        Scores.from_frame(long_frame().query("algorithm == 'svm'"), **LONG)
    with refused("at least 2 blocks, got 1: 'b1'"):
        Scores.from_frame(long_frame().head(2), **LONG)
    with refused("at least 2 algorithms, got 0"):
        Scores.from_wide(pd.DataFrame({"k": ["a", "b"]}), **WIDE, block="k")


def test_a_repeated_pair_is_refused_with_both_rows():
    frame = long_frame(block=["b1", "b1", "b2", "b2", "b2", "b3"])
    with refused(
        "1 pair",
        "block='b2', algorithm='svm' in row 3 .* and row 5",
        "replicate=",
    ):
        Scores.from_frame(frame, **LONG)


def test_wrong_columns_are_refused_before_they_fill_the_memory():
    n = 5_000
    frame = pd.DataFrame({"block": range(n), "algorithm": range(n), "error": 0.5})
    with refused("5000 rows cannot fill 5000 blocks x 5000 algorithms"):
        Scores.from_frame(frame, **LONG, missing="model")
