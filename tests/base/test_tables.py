"""Tables inside: they answer as the frames that users get of them."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.tables import (
    Columns,
    LabelColumn,
    Labelled,
    MadeColumn,
    Matrix,
    is_missing,
    is_table,
    stacked,
)


@pytest.fixture
def table():
    return Columns(
        {
            "pair": LabelColumn(("b", "a"), np.array([1, 0, 1])),
            "p": np.array([0.5, np.nan, 0.1]),
            "n": [3, 4, 5],
            "method": "t",
            "class": [None, 1.5, (1.0, 2.0)],
        }
    )


def test_a_table_answers_as_its_frame(table):
    frame = table.pandas()
    assert len(table) == len(frame) == 3
    assert list(table) == list(frame)
    assert "p" in table and "q" not in table
    for name, column in table.items():
        cells = frame[name].to_numpy(object).tolist()
        assert repr(np.asarray(column, object).tolist()) == repr(cells)
    assert list(map(repr, table.head(2).itertuples())) == [
        repr(row).replace("Pandas(", "Row(") for row in frame.head(2).itertuples()
    ]


def test_rows_keep_what_they_are_called(table):
    rows = np.array([2, 0])
    pd.testing.assert_frame_equal(table.take(rows).pandas(), table.pandas().take(rows))
    marked = np.array([False, True, True])
    pd.testing.assert_frame_equal(table.where(marked).pandas(), table.pandas()[marked])


def test_rows_and_columns_are_chosen_as_in_a_frame(table):
    frame = table.pandas()
    for descending in (False, True):
        ordered = frame.sort_values("p", ascending=not descending, kind="stable")
        got = table.sorted_by("p", descending=descending).pandas()
        pd.testing.assert_frame_equal(got, ordered)
    pd.testing.assert_frame_equal(table.only(["n", "p"]).pandas(), frame[["n", "p"]])
    assert table.row(pair="a").n == 3 and table.row(pair="b").n == 4
    assert list(table.only(["n"]).records()) == [{"n": 3}, {"n": 4}, {"n": 5}]


def test_a_frame_as_columns_gives_the_same_frame(table):
    frame = table.pandas().assign(group=pd.Series([None, "a", "b"], dtype=object))
    pd.testing.assert_frame_equal(Columns.of(frame).pandas(), frame)
    assert Columns.of(table) is table and Columns.of(frame)["n"].tolist() == [3, 4, 5]


def test_columns_have_the_types_of_a_frame(table):
    types = [str(dtype) for dtype in table.pandas().dtypes]
    assert types == ["str", "float64", "int64", "str", "object"]
    bools = Columns({"a": [True, False], "b": [1, 2.5]}).pandas()
    assert [str(dtype) for dtype in bools.dtypes] == ["bool", "float64"]


def test_tables_of_no_rows_and_of_one():
    assert len(Columns({"a": [], "b": []}).pandas()) == 0
    row = {"a": 1, "b": None, "df": (1.0, 2.0)}
    pd.testing.assert_frame_equal(
        Columns.of_row(row).pandas(), pd.DataFrame({k: [v] for k, v in row.items()})
    )


def test_stacked_tables_are_as_pandas_makes_them():
    rows = [
        {"test": "a", "df": 4, "df2": None, "exact": True},
        {"test": "b", "df": 4.5, "df2": 2.0, "exact": False},
        {"test": "c", "df": 5, "df2": 3, "exact": True},
    ]
    tables = [Columns.of_row(row) for row in rows]
    wanted = pd.concat([one.pandas() for one in tables], ignore_index=True)
    pd.testing.assert_frame_equal(stacked(tables).pandas(), wanted)


def test_labelled_numbers_and_matrices_answer_as_pandas():
    numbers = Labelled(np.array([2.0, 1.0]), ("x", "y"))
    series = numbers.pandas()
    assert len(numbers) == 2 and numbers["y"] == series["y"]
    assert list(numbers.items()) == list(series.items())
    assert np.asarray(numbers).tolist() == series.tolist()
    matrix = Matrix(np.eye(2), ("a", "b"), ("x", "y"))
    assert matrix.size == 4 and matrix.pandas().loc["a", "x"] == 1


def test_only_tables_are_tables():
    assert is_table(Columns({"a": [1]})) and is_table(pd.DataFrame({"a": [1]}))
    assert not is_table([1]) and not is_table(pd.Series([1]))
    assert is_missing(None) and is_missing(pd.NA) and not is_missing(float("nan"))


def test_arrays_inside_stay_what_they_are_when_a_frame_is_read():
    pairs = pc.rank_pairs(pc.example())
    table = pairs.as_columns()
    assert isinstance(table, Columns) and isinstance(pairs.table, pd.DataFrame)
    assert pairs.as_columns() is table and pairs.table.equals(table.pandas())
    with pytest.raises(ValueError, match="read-only"):
        table["p_adjusted"][0] = 0.5


_COMMAND = """
import sys
from pycompare.apps.cli import main
try:
    main()
except SystemExit:
    pass
print({"pandas", "pyarrow"} & set(sys.modules))
"""


@pytest.mark.parametrize("formats", ["html", "html,text,latex,md"])
def test_the_command_makes_its_report_without_pandas(tmp_path, formats):
    options = ["--wide", "--blocks", "datasets", "--metric", "accuracy:higher"]
    out = ["--out", str(tmp_path / "report"), "--format", formats]
    command = [sys.executable, "-c", _COMMAND, "compare", str(pc.example_path())]
    ran = subprocess.run([*command, *options, *out], capture_output=True, text=True)
    assert ran.stdout.splitlines()[-1] == "set()", ran.stderr
    assert (tmp_path / "report" / "results.json").is_file()


@pytest.mark.parametrize("seed", range(6))
def test_rows_in_the_order_of_columns_are_those_of_lexsort(seed):
    rng = np.random.default_rng(seed)
    p = rng.integers(0, 8, 40) / 8
    adjusted = np.minimum(1, 3 * p) if seed % 2 else rng.integers(0, 4, 40) / 4
    if seed > 3:
        p[:5] = adjusted[:5] = np.nan
    table = Columns({"p": p, "adjusted": adjusted})
    assert np.array_equal(table.order("p", "adjusted"), np.lexsort((p, adjusted)))
    assert table.order("p", "adjusted") is table.order("p", "adjusted")
    assert np.array_equal(table.order("p"), np.argsort(p, kind="stable"))


def test_rows_of_a_made_column_are_asked_for_by_their_places_alone():
    asked = []

    def make(rows):
        asked.append(rows.tolist())
        return 10.0 * rows

    column = MadeColumn(6, make)
    assert column.take(np.array([4, -1])).tolist() == [40, 50]
    assert column.take(np.arange(6) > 3).tolist() == [40, 50]
    later = column.later(slice(3, 5))
    assert later.take(np.array([1])).tolist() == [40]
    assert asked == [[4, 5], [4, 5], [4]]
