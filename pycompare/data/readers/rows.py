"""Rows of one foreign file: a score of an algorithm on a block, with its labels."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
from array import array
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError, refused, setting
from pycompare.base.labels import show, show_all
from pycompare.data.compressed import kind_of, opened, opened_text, without_endings
from pycompare.data.partitions import damages
from pycompare.data.readers.named_labels import NamedLabels

_LONGEST_CELL = 2**31 - 1
"""Bytes of one CSV cell: prompts and answers are long."""
_DECODE = json.JSONDecoder().raw_decode
"""What ``json.loads`` does, without looking for encodings at each line."""
_EMPTY = ("", "NaN", "nan", "NA", "?", "None")


_NO_NAMES = NamedLabels()
LabelsOfBlock = tuple[str | None, str | None, str | None]
"""Data set, group and cluster of a block."""


def same_labels(
    block: str, before: LabelsOfBlock, now: LabelsOfBlock, given: Mapping[str, str]
) -> None:
    """Reject a block with two groups or clusters, if the caller named them."""
    for role, first, other in zip(
        ("group", "cluster"), before[1:], now[1:], strict=True
    ):
        if role in given and first != other:
            raise InputError(
                setting(role, given[role])
                + f": block={show(block)} has two, {show(first)} and {show(other)}; "
                "name a field that is the same in all records of a block"
            )


class BrokenLine(InputError):
    """A line that cannot be read at all; the message begins with its place."""


class Rows:
    """Scores as they are read; only the labels that differ are kept.

    Three numbers are held for each row, four with prompts, whatever else it contains.

    Parameters
    ----------
    named : NamedLabels
        Fields that the caller named for a role: they go before those of the format.
    infinite : bool
        Whether scores may be infinite: missing ones are treated as the worst.
    """

    def __init__(
        self, named: NamedLabels = _NO_NAMES, *, infinite: bool = False
    ) -> None:
        self._named, self._infinite = named, infinite
        self.named = named.given
        self.blocks: dict[str, int] = {}
        self.columns: dict[tuple[str, str], int] = {}
        self.labels: list[LabelsOfBlock] = []
        self.block, self.column = array("i"), array("i")
        self.value = array("d")
        self.prompt = array("q")

    def add(
        self,
        algorithm: str,
        block: str,
        value: float,
        *,
        dataset: str | None = None,
        group: str | None = None,
        cluster: str | None = None,
        run: str = "",
        prompt: str | None = None,
        of: Mapping[str, Any] | None = None,
    ) -> None:
        """Add one score; a block keeps the labels that it had first.

        ``prompt`` is the prompt's text or hash; ``of`` is the record, in which the
        caller may have named fields.
        """
        if math.isinf(value) and not self._infinite:
            raise InputError(
                f"the score {value} is infinite; if it is that of a failure, count it "
                "as the worst one: " + setting("missing", "worst")
            )
        given = self.named
        if given:
            labels = self._named.of({} if of is None else of)
            algorithm = labels.get("algorithm", algorithm)
            group, cluster = labels.get("group", group), labels.get("cluster", cluster)
            run = labels.get("replicate", run)
        at = self.blocks.setdefault(block, len(self.blocks))
        if at == len(self.labels):
            self.labels.append((dataset, group, cluster))
        elif given:
            same_labels(block, self.labels[at], (dataset, group, cluster), given)
        self.block.append(at)
        column = (algorithm, run)
        self.column.append(self.columns.setdefault(column, len(self.columns)))
        self.value.append(value)
        if prompt is not None:
            self._add_prompt(prompt)

    def _add_prompt(self, prompt: str) -> None:
        """Keep a number of the last row's prompt; 0 if a row has none."""
        digest = hashlib.sha256(prompt.encode("utf-8", "surrogatepass")).digest()
        self.prompt.extend([0] * (len(self.value) - len(self.prompt) - 1))
        self.prompt.append(int.from_bytes(digest[:8], "big", signed=True))


@contextmanager
def at_lines(path: Path, lines: Iterable[tuple[int, Any]]) -> Iterator[Iterator[Any]]:
    """Give rows without their numbers; put file and line before an error's message."""
    at = 0

    def rows() -> Iterator[Any]:
        nonlocal at
        for line, row in lines:
            at = line
            yield row

    try:
        yield rows()
    except BrokenLine:
        raise
    except InputError as error:
        error.at(f"{shown(path)}: line {at}" if at else shown(path))
        raise


def stem(path: Path) -> str:
    """Return a file's name less its ending, also that of a compressed file."""
    return without_endings(path.name)


def shown(path: Path) -> str:
    """Return a file's name with its folder: names of models are often the folder's."""
    return f"{path.parent.name}/{path.name}" if path.parent.name else path.name


def _broken(path: Path, line: int, reason: str) -> BrokenLine:
    return BrokenLine(f"{shown(path)}: line {line}: {reason}")


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the object of each line that is not blank."""
    with opened(path) as file:
        for number, line in enumerate(file, start=1):
            line = line.removeprefix(BOM_UTF8) if number == 1 else line
            if line.strip():
                yield number, _object(path, number, line)


def _object(path: Path, number: int, line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line, or reject the line."""
    try:
        text = line.decode().strip()
        record, end = _DECODE(text)
        if end < len(text):
            raise json.JSONDecodeError("Extra data", text, end)
    except ValueError as error:  # JSONDecodeError, and bytes that are not UTF-8
        reason = error.msg if isinstance(error, json.JSONDecodeError) else "not UTF-8"
        raise _broken(
            path,
            number,
            f"not JSON ({reason}); was the file cut off? Write it again, or remove "
            "the line",
        ) from None
    if not isinstance(record, dict):
        kind = type(record).__name__
        raise _broken(path, number, f"a JSON {kind}, expected an object")
    return record


def json_value(path: Path) -> Any:
    """Return the one JSON value of a file."""
    with opened(path) as file:
        return json.loads(file.read().decode("utf-8-sig"))


TABLES = (".csv", ".parquet")
"""Endings of tables, also with that of a compressed file behind them."""


def table_cells(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the number and the cells, as text, of each row of a table."""
    if kind_of(path) == ".parquet":
        yield from _parquet_rows(path)
        return
    with opened_text(path, newline="") as file:
        yield from table_rows(path, csv.reader(file))


def _parquet_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a Parquet file as those of a CSV file with its values."""
    number = 0
    with opened_parquet(path) as file:
        for batch in file.iter_batches():
            for row in batch.to_pylist():
                number += 1
                yield number, {name: _as_cell(value) for name, value in row.items()}


@contextmanager
def opened_parquet(path: Path) -> Iterator[Any]:
    """Open a Parquet file.

    Raises
    ------
    InputError
        If it is damaged, or pyarrow is not installed.
    """
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise InputError(".parquet files need pyarrow: pip install pyarrow") from error
    with refused("this is no readable .parquet file", *damages()):
        if path.suffix.lower() == ".parquet":
            yield parquet.ParquetFile(path)
        else:
            with opened(path) as stream:
                yield parquet.ParquetFile(io.BytesIO(stream.read()))


def _as_cell(value: Any) -> str:
    """Return a value as the text of a cell; objects and lists as JSON."""
    if value is None:
        return ""
    return json.dumps(value) if isinstance(value, dict | list) else str(value)


def table_rows(
    path: Path, reader: Any, head: Sequence[str] | None = None, before: int = 0
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV reader that is ``before`` lines into the file."""
    csv.field_size_limit(_LONGEST_CELL)
    try:
        names: Sequence[str] = next(reader, []) if head is None else head
        for row in reader:
            line = before + reader.line_num
            if not row:
                continue
            if len(row) != len(names):
                raise _broken(
                    path, line, f"{len(row)} cells, and the header has {len(names)}"
                )
            yield line, dict(zip(names, row, strict=True))
    except (csv.Error, UnicodeDecodeError) as error:
        reason = "not UTF-8" if isinstance(error, UnicodeDecodeError) else str(error)
        line = before + reader.line_num + 1
        raise _broken(path, line, f"not CSV ({reason})") from None


def number(value: Any, name: str) -> float:
    """Return a number, NaN for an empty cell; reject anything else."""
    if type(value) is float:
        return value  # nearly all
    if value is None or value in _EMPTY:
        return math.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name}={show(str(value))} is not a number") from None


def chosen(what: str, asked: str | None, known: Sequence[str]) -> str:
    """Return the one that was asked for, or the only one there is."""
    if asked is not None and asked not in known:
        raise InputError(setting(what, asked) + f": choose one of {show_all(known)}")
    if asked is None and len(known) != 1:
        raise InputError(setting(what) + f": name one of {show_all(known)}")
    return known[0] if asked is None else asked


def column_of(row: Mapping[str, Any], asked: str | None, known: Sequence[str]) -> str:
    """Return the column that was asked for, or the only one that is known."""
    return (
        asked if asked in row and asked is not None else chosen("metric", asked, known)
    )


def required(row: Mapping[str, Any], name: str) -> str:
    """Return a label of a row, or reject a row without it."""
    label = row.get(name)
    if label is None or label == "":
        raise InputError(f"no {name!r}")
    return str(label)


def directions(*, higher: str, lower: str) -> dict[str, str]:
    """Return the better direction of metrics, named in two texts."""
    return dict.fromkeys(higher.split(), "higher") | dict.fromkeys(
        lower.split(), "lower"
    )
