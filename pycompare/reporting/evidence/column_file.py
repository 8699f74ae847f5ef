"""A large table as a file of columns: Parquet, or NumPy's format without pyarrow."""

from __future__ import annotations

import io
from importlib.util import find_spec

import numpy as np

from pycompare.base.tables import Columns, LabelColumn


def suffix() -> str:
    """Return the suffix of such files: ``.parquet`` if pyarrow is installed."""
    return ".npz" if find_spec("pyarrow") is None else ".parquet"


def columns_file(table: Columns) -> bytes:
    """Return a table as the bytes of a file; labels are codes with their names."""
    return _npz(table) if suffix() == ".npz" else _parquet(table)


def _parquet(table: Columns) -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    columns = {
        name: pa.DictionaryArray.from_arrays(
            pa.array(held.codes.astype(np.int32)), pa.array(list(held.names))
        )
        if isinstance(held := table.as_stored(name), LabelColumn)
        else pa.array(held)
        for name in table
    }
    written = io.BytesIO()
    parquet.write_table(pa.table(columns), written, compression="zstd")
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
