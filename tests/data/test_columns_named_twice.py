"""Files that have two columns of one name: one error in every format, no traceback."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from openpyxl import Workbook
from pyarrow import feather, ipc, parquet

import pycompare as pc

TABLE = pa.table(
    [pa.array(["b1", "b2", "b3"]), *(pa.array([1.0, 2.0, i]) for i in range(4))],
    names=["block", "A", "A", "B", "C"],
)


def write_arrow(path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, ipc.new_file(sink, TABLE.schema) as file:
        file.write_table(TABLE)


def write_stream(path: Path) -> None:
    with pa.OSFile(str(path), "wb") as sink, ipc.new_stream(sink, TABLE.schema) as file:
        file.write_table(TABLE)


def write_sheet(path: Path) -> None:
    book = Workbook()
    book.active.append(TABLE.column_names)
    for row in zip(*(column.to_pylist() for column in TABLE.columns), strict=True):
        book.active.append(list(row))
    book.save(path)


FORMATS: dict[str, Callable[[Path], None]] = {
    "a.parquet": lambda path: parquet.write_table(TABLE, path),
    "a.feather": lambda path: feather.write_feather(TABLE, path),
    "a.arrow": write_arrow,
    "stream.arrow": write_stream,
    "a.xlsx": write_sheet,
    "a.csv": lambda path: path.write_text("block,A,A,B,C\nb1,1,1,0,1\nb2,2,2,1,0\n"),
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_column_is_named(tmp_path, name):
    path = tmp_path / name
    FORMATS[name](path)
    with pytest.raises(pc.InputError, match=r"column names must differ.*'A'"):
        pc.read_scores(path, wide=True, block="block", metric="error", better="lower")


def test_measuring_names_the_column_and_the_file(tmp_path):
    path = tmp_path / "a.parquet"
    parquet.write_table(TABLE, path)
    roles = {"algorithm": "A", "block": "block", "label": "B", "score": "C"}
    with pytest.raises(pc.InputError, match=r"a\.parquet.*must differ.*'A'"):
        pc.measure_file(path, metrics="auc", positive="1", **roles)
