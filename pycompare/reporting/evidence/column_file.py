"""A large table as a file of columns: Parquet, or NumPy's format without pyarrow."""

from __future__ import annotations

import io
from importlib.util import find_spec

import numpy as np
from numpy.typing import NDArray

from pycompare.base.tables import Columns, LabelColumn

_ROWS = 1 << 18
"""Of a group of rows of a Parquet file."""


def suffix() -> str:
    """Return the suffix of such files: ``.parquet`` if pyarrow is installed."""
    return ".npz" if find_spec("pyarrow") is None else ".parquet"


def columns_file(table: Columns) -> bytes:
    """Return a table as the bytes of a file; labels are codes with their names."""
    return _npz(table) if suffix() == ".npz" else _parquet(table)


def _parquet(table: Columns) -> bytes:
    """Write groups of rows: columns that are computed when read are never whole."""
    import pyarrow as pa
    from pyarrow import parquet

    def group(rows: NDArray[np.intp]) -> pa.Table:
        columns = {}
        for name in table:
            held = table.as_stored(name)
            if isinstance(held, LabelColumn):
                columns[name] = pa.DictionaryArray.from_arrays(
                    pa.array(held.codes[rows].astype(np.int32)),
                    pa.array(list(held.names)),
                )
            else:
                columns[name] = pa.array(held.take(rows))
        return pa.table(columns)

    written, n = io.BytesIO(), len(table)
    first = group(np.arange(min(n, _ROWS)))
    with parquet.ParquetWriter(written, first.schema, compression="zstd") as writer:
        writer.write_table(first)
        for start in range(_ROWS, n, _ROWS):
            writer.write_table(group(np.arange(start, min(n, start + _ROWS))))
    return written.getvalue()


def _npz(table: Columns) -> bytes:
    """Return arrays by the names of columns; ``NAME_names`` are those of codes."""
    arrays = {}
    for name in table:
        held = table.as_stored(name)
        if isinstance(held, LabelColumn):
            arrays[name] = held.codes.astype(np.int32)
            arrays[f"{name}_names"] = np.array(held.names)
        else:
            arrays[name] = np.asarray(held)
    written = io.BytesIO()
    np.savez_compressed(written, allow_pickle=False, **arrays)
    return written.getvalue()
