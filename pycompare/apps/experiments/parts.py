"""The folder of an experiment: one Parquet file for each finished fold.

``dataset=<name>/fold=<name>/part.parquet``, names percent-encoded, so that any label is
a safe ASCII path and every reader of Hive partitions finds the label again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.base.whole_file import write_stream

POSITIVE, _NEGATIVE = "positive", "negative"
_LONGEST = 240  # bytes; most file systems hold names of 255
_WARNINGS = b"pycompare warnings"


class Scored(NamedTuple):
    """What one algorithm gave in one fold: scores, and the warnings of its fit."""

    algorithm: str
    score: NDArray[np.float64]
    warnings: dict[str, int]


def part_path(dataset: str, fold: str) -> Path:
    """Path of a fold's file within the folder."""
    return Path(_key("dataset", dataset), _key("fold", fold), "part.parquet")


def _key(column: str, label: str) -> str:
    # quote() leaves the underscore; encoded, no label is Hive's word for null.
    name = f"{column}={quote(label, safe='').replace('_', '%5F')}"
    if len(name) > _LONGEST:
        raise InputError(
            f"{column} {show(label)} makes a folder's name of {len(name)} bytes, and "
            f"{_LONGEST} fit; choose a shorter name"
        )
    return name


def write_part(
    path: Path,
    row: NDArray[np.intp],
    is_positive: NDArray[np.bool_],
    scored: Sequence[Scored],
) -> None:
    """Write the scores of a fold's cases by all algorithms, aside, then rename."""
    import pyarrow as pa
    from pyarrow import parquet

    n, repeats = row.size, len(scored)
    label = np.tile(~is_positive, repeats).astype(np.int8)
    code = np.arange(repeats, dtype=np.int32).repeat(n)
    names = [each.algorithm for each in scored]
    table = pa.table(
        {
            "algorithm": pa.DictionaryArray.from_arrays(pa.array(code), names),
            "case": np.tile(row, repeats),
            "label": pa.DictionaryArray.from_arrays(
                pa.array(label), [POSITIVE, _NEGATIVE]
            ),
            "score": np.concatenate([each.score for each in scored]),
        }
    )
    warned = {each.algorithm: each.warnings for each in scored if each.warnings}
    table = table.replace_schema_metadata({_WARNINGS: json.dumps(warned)})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_stream(path, partial(parquet.write_table, table))


def read_warnings(path: Path) -> dict[str, dict[str, int]]:
    """Read what a fold's fits warned of: algorithm -> text -> count."""
    from pyarrow import parquet

    # pyarrow takes no name that is not UTF-8.
    with path.open("rb") as stream:
        stored = parquet.read_schema(stream).metadata[_WARNINGS]
    warned: dict[str, dict[str, int]] = json.loads(stored)
    return warned


def is_whole(path: Path) -> bool:
    """Return whether a fold's file is there and can be read."""
    import pyarrow as pa

    try:
        read_warnings(path)
    except (pa.ArrowException, OSError, TypeError, KeyError, ValueError):
        return False
    return True
