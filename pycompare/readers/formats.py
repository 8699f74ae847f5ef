"""What a format is: how its files are known, and how their rows are read."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pycompare.readers.rows import Gathered

_HEAD = 2**20
"""Bytes of a file that are looked at to know its format."""


@dataclass(frozen=True)
class Wanted:
    """What the caller chose among several metrics, filters or constraints."""

    metric: str | None = None
    filter: str | None = None


@dataclass(frozen=True)
class Found:
    """What was read: scores, the metric's name and direction, and what to know."""

    rows: Gathered
    metric: str
    better: str | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Format:
    """One foreign format.

    Attributes
    ----------
    name, program : str
        The word that selects it, and who writes it.
    endings : tuple of str
        Endings of its files.
    matches : callable
        Whether the head of a file is of this format.
    read : callable
        Reads files into scores.
    """

    name: str
    program: str
    endings: tuple[str, ...]
    matches: Callable[[Head], bool]
    read: Callable[[Sequence[Path], Wanted], Found]


@dataclass(frozen=True)
class Head:
    """The beginning of a file.

    Attributes
    ----------
    path : Path
    text : str
        The first megabyte, where it is text.
    """

    path: Path
    text: str

    @classmethod
    def of(cls, path: Path) -> Head:
        """Read the beginning of a file."""
        with path.open("rb") as file:
            return cls(path, file.read(_HEAD).decode("utf-8", errors="replace"))

    @property
    def columns(self) -> frozenset[str]:
        """Names of the columns, if the file is comma-separated."""
        line = self.text.split("\n", 1)[0].strip("\r\ufeff")
        return frozenset(name.strip('"') for name in line.split(","))

    @property
    def first_object(self) -> dict[str, Any]:
        """The JSON object of the first line; empty if it is none."""
        return _object(self.text.split("\n", 1)[0])

    @property
    def whole_object(self) -> dict[str, Any]:
        """The JSON object that is the whole file; empty if it is none."""
        if len(self.text) < _HEAD:
            return _object(self.text)
        return _object(self.path.read_text(encoding="utf-8", errors="replace"))


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
