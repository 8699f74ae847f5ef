"""A folder of tables or records of one kind as one table, with the path of each row."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError, PyCompareError
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import readable
from pycompare.data.compressed import kind_of, unpacked, without_endings
from pycompare.data.delimited import TextTable
from pycompare.data.folder_files import files_below
from pycompare.data.frames import as_table
from pycompare.data.records import ENDINGS as RECORDS
from pycompare.data.records import columns_of_records
from pycompare.data.source import Source
from pycompare.data.table import DataTable

PATH = "path"
"""The column that holds the path of a row's file, below the folder, less its ending."""


def read_table_folder(
    folder: Path,
    endings: tuple[str, ...],
    parse_text: Callable[[bytes, str], TextTable],
    binary: Mapping[str, Callable[[bytes, str], dict[str, list[Any]]]],
    percent: Collection[str] | None,
) -> tuple[DataTable, Source]:
    """Read all files of a folder, which are of one kind, as one table.

    Parameters
    ----------
    folder : Path
        Names that begin with a point or an underscore are passed over.
    endings : tuple of str
        Endings of text tables that can be read.
    parse_text : callable
        Makes a table of the bytes of such a file and its ending.
    binary : mapping of str to callable
        By ending of a file of columns, what makes them of its bytes and its ending.
    percent : collection of str or None
        Columns in percent, of records.

    Raises
    ------
    InputError
        If there is no such file, files are of several kinds, or their columns differ.
    """
    files = files_below(folder, hidden="._")
    kinds = Counter(kind_of(file) for file in files)
    known = (*endings, *RECORDS, *binary)
    if len(kinds) != 1 or not {*kinds} <= {*known}:
        told = ", ".join(f"{counted(n, 'file')} {kind}" for kind, n in kinds.items())
        raise InputError(
            f"the folder has {told or 'no files'}; a folder of tables holds files of "
            f"one of {', '.join(known)}, also with .gz or .zst behind it"
        )
    [kind] = kinds
    texts: list[tuple[str, TextTable]] = []
    records: list[tuple[str, dict[str, list[Any]]]] = []
    digest, size = hashlib.sha256(), 0
    for file in files:
        name = file.relative_to(folder).as_posix()
        written = file.read_bytes()
        digest.update(f"{name}\0{len(written)}\0".encode() + written)
        size += len(written)
        try:
            content = unpacked(written, file)
            if kind not in endings:
                columns = binary.get(kind, columns_of_records)(content, kind)
                records.append((without_endings(name), columns))
            else:
                texts.append((without_endings(name), parse_text(content, kind)))
        except PyCompareError as error:
            raise error.at(readable(name)) from None
    if texts:
        table: DataTable = TextTable.together(PATH, texts)
    else:
        table = as_table(_below(records), percent)
    what = f"folder of {kind[1:]}"
    return table, Source(folder.name, digest.hexdigest(), size, table.n_rows, what)


def _below(parts: list[tuple[str, dict[str, list[Any]]]]) -> dict[str, list[Any]]:
    """Put records below each other; one without a key has None there."""
    names = dict.fromkeys(name for _, columns in parts for name in columns)
    sizes = [len(next(iter(columns.values()), ())) for _, columns in parts]
    together = {
        name: [
            cell
            for (_, columns), size in zip(parts, sizes, strict=True)
            for cell in columns.get(name, [None] * size)
        ]
        for name in names
    }
    if PATH not in names:
        paths = zip(parts, sizes, strict=True)
        together[PATH] = [path for (path, _), size in paths for _ in range(size)]
    return together
