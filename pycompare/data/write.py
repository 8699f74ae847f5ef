"""Scores to a file that `read_scores` reads again: whole, or not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.base.whole_file import write_stream
from pycompare.data.scores import Scores

if TYPE_CHECKING:
    import pyarrow as pa

_ENDINGS = (".parquet", ".feather", ".csv")


def check_out(path: Path, overwrite: bool) -> None:
    """Reject a file that cannot be written, before any work is done.

    Raises
    ------
    InputError
        If its ending is of no known format, its folder is not there, or it exists
        and ``overwrite`` is False.
    """
    if path.suffix.lower() not in _ENDINGS:
        raise InputError(
            f"{show(path.name)}: give a name that ends with {', '.join(_ENDINGS)}"
        )
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {path.parent}")
    if path.is_dir() or (path.exists() and not overwrite):
        raise InputError(f"{path} exists; choose another name or set --overwrite")


def write_scores(scores: Scores, path: Path, *, overwrite: bool = False) -> None:
    """Write one row for each block and algorithm, one column for each metric.

    Parquet and Feather carry the notes, directions and the SHA-256 of the scores in
    the metadata of their schema, under ``pycompare``.

    Raises
    ------
    InputError
        As `check_out`.
    """
    check_out(path, overwrite)
    ending = path.suffix.lower()
    write_stream(path, lambda stream: _write(scores, stream, ending))


def _write(scores: Scores, part: BinaryIO, ending: str) -> None:
    if ending == ".csv":
        scores.to_frame().to_csv(part, index=False)
        return
    from pyarrow import feather, parquet

    if ending == ".parquet":
        parquet.write_table(_table(scores), part)
    else:
        feather.write_feather(_table(scores), part)


def _table(scores: Scores) -> pa.Table:
    import pyarrow as pa

    table = pa.Table.from_pandas(scores.to_frame(), preserve_index=False)
    told = {b"pycompare": json.dumps(described(scores)).encode()}
    return table.replace_schema_metadata({**(table.schema.metadata or {}), **told})


def described(scores: Scores) -> dict[str, Any]:
    """Return in plain values what scores are."""
    return {
        "n_blocks": scores.n_blocks,
        "algorithms": list(scores.algorithms),
        "metrics": {metric.name: metric.better for metric in scores.metrics},
        "notes": list(scores.notes),
        "missing": scores.missing,
        "dropped_blocks": list(scores.dropped.blocks),
        "missing_cells": len(scores.dropped.cells),
        "sha256": scores.sha256,
    }
