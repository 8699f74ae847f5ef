"""Folders of Parquet files: which files there are, and the keys in their paths.

A folder ``fold=3`` gives all rows below it the text ``3`` in a column ``fold``, as
Hive, Spark, pandas, polars and pyarrow write partitions.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pycompare.base.errors import InputError, refused
from pycompare.base.labels import nearest, readable, show, show_all
from pycompare.data.folder_files import files_below
from pycompare.data.source import Source

if TYPE_CHECKING:
    import pyarrow as pa

_NULL = "__HIVE_DEFAULT_PARTITION__"


@dataclass(frozen=True)
class ParquetFile:
    """One Parquet file.

    Attributes
    ----------
    path : str
    name : str
        Path within the folder, or the name of the only file.
    keys : mapping of str to str
        Columns whose value the path gives.
    is_input : bool
        Whether it is the input itself, which messages name already.
    """

    path: str
    name: str
    keys: dict[str, str] = field(default_factory=dict)
    is_input: bool = False

    @property
    def called(self) -> str:
        """Its name in messages about the input."""
        return "the file" if self.is_input else self.name

    @property
    def before(self) -> str:
        """What a message about its content begins with."""
        return "" if self.is_input else f"{self.name}: "


def damages() -> tuple[type[Exception], ...]:
    """Return what pyarrow raises for a damaged file; names may be no UTF-8."""
    import pyarrow as pa

    return (pa.ArrowException, OSError, UnicodeDecodeError)


def parts_of(path: str | Path) -> tuple[ParquetFile, ...]:
    """List the Parquet files of a folder, or the one file, in the order of names.

    Names that begin with ``_`` or ``.`` are not data, by the convention of all
    programs that write such folders.

    Raises
    ------
    InputError
        If there is none, or if there are other files.
    """
    root = Path(path)
    if not root.is_dir():
        return (ParquetFile(str(root), root.name, is_input=True),)
    parts = []
    for file in files_below(root, hidden="_."):
        inside = file.relative_to(root)
        if file.suffix.lower() != ".parquet":
            raise InputError(
                f"the folder holds {show(str(inside))} beside Parquet files; move it "
                "away, or let its name begin with _"
            )
        parts.append(ParquetFile(str(file), str(inside), _keys(inside)))
    if not parts:
        raise InputError("the folder holds no .parquet file")
    return tuple(parts)


def _keys(inside: Path) -> dict[str, str]:
    keys = {}
    for part in inside.parts[:-1]:
        name, equals, value = part.partition("=")
        if equals:
            if value == _NULL:
                raise InputError(f"{inside}: the folder {show(part)} has no label")
            if readable(part) != part:
                raise InputError(
                    f"{readable(str(inside))}: the folder gives a label that is not "
                    "UTF-8; rename it"
                )
            keys[unquote(name)] = unquote(value)
    return keys


def require_columns(
    part: ParquetFile, names: Sequence[str], there: Sequence[str]
) -> None:
    """Reject a file without a column that is needed."""
    known = [*there, *part.keys]
    for name in names:
        if list(there).count(name) > 1:
            raise InputError(
                f"{part.before}column names must differ; more than once: {show(name)}"
            )
        if name not in known:
            raise InputError(
                f"{part.before}there is no column {show(name)}{nearest(name, known)}; "
                f"columns: {show_all(known)}"
            )
        if name in part.keys and name in there:
            raise InputError(
                f"{part.before}column {show(name)} is in the file and in its path; "
                "remove one"
            )


def _with_keys(table: pa.Table, part: ParquetFile, names: Sequence[str]) -> pa.Table:
    """Return the columns in the order of names, those of the path included."""
    import pyarrow as pa

    columns: list[Any] = []
    for name in names:
        if name in part.keys:
            codes = pa.repeat(pa.scalar(0, pa.int32()), table.num_rows)
            columns.append(pa.DictionaryArray.from_arrays(codes, [part.keys[name]]))
        else:
            columns.append(table[name])
    return pa.table(columns, names=list(names))


def read_folder(path: Path, names: Sequence[str]) -> tuple[pa.Table, Source]:
    """Read some columns of all Parquet files of a folder; hash the data read.

    Raises
    ------
    InputError
        If a file cannot be read, lacks a column, or has other types than the first.
    """
    import pyarrow as pa
    from pyarrow import parquet

    tables = []
    digest, size = sha256(), 0
    for part in parts_of(path):
        content = Path(part.path).read_bytes()
        digest.update(os.fsencode(f"{part.name}\n{sha256(content).hexdigest()}\n"))
        size += len(content)
        with refused(f"{part.name} is no readable file", *damages()):
            file = parquet.ParquetFile(pa.BufferReader(content))
            require_columns(part, names, file.schema_arrow.names)
            read = file.read(columns=[name for name in names if name not in part.keys])
            read.validate(full=True)
        tables.append(_with_keys(read, part, names))
    with refused("the files have columns of different types", pa.ArrowException):
        whole = pa.concat_tables(tables).unify_dictionaries()
    return whole, Source(path.name, digest.hexdigest(), size, whole.num_rows, "parquet")
