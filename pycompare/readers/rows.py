"""Rows of foreign files, gathered one by one: a score of an algorithm on a block."""

from __future__ import annotations

import csv
import json
import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from pycompare.data.missing import Cells
from pycompare.errors import InputError
from pycompare.labels import show, show_all


class Gathered:
    """Scores as they are read; only the labels that differ are kept.

    Three numbers are held for each row, whatever else the row contains.
    """

    def __init__(self) -> None:
        self.blocks: dict[str, int] = {}
        self.algorithms: dict[str, int] = {}
        self.datasets: list[str | None] = []
        self.groups: list[str | None] = []
        self.clusters: list[str | None] = []
        self._block, self._algorithm = array("q"), array("q")
        self._value = array("d")

    def add(
        self,
        algorithm: str,
        block: str,
        value: float,
        *,
        dataset: str | None = None,
        group: str | None = None,
        cluster: str | None = None,
    ) -> None:
        """Add one score; a block keeps the labels that it had first."""
        at = self.blocks.setdefault(block, len(self.blocks))
        if at == len(self.datasets):
            self.datasets.append(dataset)
            self.groups.append(group)
            self.clusters.append(cluster)
        self._block.append(at)
        algorithm_at = self.algorithms.setdefault(algorithm, len(self.algorithms))
        self._algorithm.append(algorithm_at)
        self._value.append(value)

    def cells(self, metric: str) -> Cells:
        """Return the cells of the table; refuse two scores of one cell."""
        shape = (len(self.blocks), len(self.algorithms))
        blocks = np.frombuffer(self._block, np.int64)
        algorithms = np.frombuffer(self._algorithm, np.int64)
        counts = np.zeros(shape, np.int64)
        np.add.at(counts, (blocks, algorithms), 1)
        if (counts > 1).any():
            i, j = np.argwhere(counts > 1)[0]
            raise InputError(
                f"{int((counts > 1).sum())} pairs of block and algorithm have several "
                f"scores, first: block={show(list(self.blocks)[i])}, algorithm="
                f"{show(list(self.algorithms)[j])}; give files of one run each"
            )
        values = np.full(shape, np.nan)
        values[blocks, algorithms] = np.frombuffer(self._value, float)
        return Cells(
            values[:, :, None],
            tuple(self.blocks),
            tuple(self.algorithms),
            (metric,),
            _labels(self.datasets),
            n_absent=int((counts == 0).sum()),
            groups=_labels(self.groups, several=True),
            clusters=_labels(self.clusters, several=True),
        )


def _labels(
    found: Sequence[str | None], *, several: bool = False
) -> tuple[str, ...] | None:
    """Return labels, or None where there are none (or, if ``several``, one)."""
    if any(label is None for label in found) or (several and len(set(found)) < 2):
        return None
    return tuple(str(label) for label in found)


@contextmanager
def at_line(path: Path, line: int) -> Iterator[None]:
    """Put file and line before the message of an error."""
    try:
        yield
    except InputError as error:
        error.at(f"{path.name}: line {line}")
        raise


def json_lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the object of each line that is not blank."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield number, _object(path, number, line)


def _object(path: Path, number: int, line: bytes) -> dict[str, Any]:
    """Return the JSON object of a line, or refuse the line."""
    try:
        found = json.loads(line)
    except ValueError as error:  # JSONDecodeError, and bytes that are not UTF-8
        reason = getattr(error, "msg", "not UTF-8")
        raise InputError(
            f"{path.name}: line {number}: not JSON ({reason}); was the file cut off? "
            "Write it again, or remove the line"
        ) from None
    if not isinstance(found, dict):
        raise InputError(
            f"{path.name}: line {number}: a JSON {type(found).__name__}, expected an "
            "object"
        )
    return found


def csv_rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line number and the cells of each row of a comma-separated file."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        head = next(reader, [])
        for row in reader:
            if len(row) != len(head):
                raise InputError(
                    f"{path.name}: line {reader.line_num}: {len(row)} cells, and the "
                    f"header has {len(head)}"
                )
            yield reader.line_num, dict(zip(head, row, strict=True))


def number(value: Any, name: str) -> float:
    """Return a finite number, NaN for an empty cell; refuse anything else."""
    if value is None or value in ("", "NaN", "nan", "NA", "?"):
        return math.nan
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name}={show(str(value))} is not a number") from None
    if math.isinf(found):
        raise InputError(f"{name}={value} is infinite")
    return found


def chosen(what: str, asked: str | None, known: Sequence[str]) -> str:
    """Return the one that was asked for, or the only one there is."""
    if asked is not None and asked not in known:
        raise InputError(f"{what}={asked!r}: choose one of {show_all(known)}")
    if asked is None and len(known) != 1:
        raise InputError(f"{what}: name one of {show_all(known)}")
    return known[0] if asked is None else asked


def required(row: Mapping[str, Any], name: str) -> str:
    """Return a label of a row, or refuse a row without it."""
    found = row.get(name)
    if found is None or found == "":
        raise InputError(f"no {name!r}")
    return str(found)
