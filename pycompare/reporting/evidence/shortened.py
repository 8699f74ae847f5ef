"""results.json of a large comparison: long lists only begin there, tables have all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any

from pycompare.results.result import (
    Fields,
    MergedRows,
    Told,
    TooManyValues,
    beginning,
    short_lists,
)

_MOST_VALUES = 100_000
"""Values of results.json that are written whole: about 3 MB."""
_MOST_SHORTENED = 30_000
"""Values of results.json that only begins long lists: tables have the rest."""
_LENGTHS = (1000, 300, 100, 30, 10)
"""Entries of a list that are kept, as many as there is room for."""
_MOST_NAMES = 1000
"""Entries of a mapping by names, above which it is shortened as a list is."""
_WHOLE = ("provenance", "plan", "rank_sets")
"""Parts that are never shortened: provenance and certificates."""


def shortened(results: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
    """Return the contents of results.json: everything, or the beginnings of long lists.

    A shortened list is ``{"entries": how many, "first": [...]}``, so that nobody takes
    it for the whole; ``shortened`` at the top states how many are kept, and where all
    are. ``results`` is called for each length: the omitted parts are never made.
    """
    *lengths, least = (None, *_LENGTHS)
    for most in lengths:
        room = _room(most)
        try:
            with short_lists(most, room):
                content = cut(results(), most)
        except TooManyValues:
            continue
        if _fits(content, room):
            return _marked(content, most)
    with short_lists(least):
        return _marked(cut(results(), least), least)


def _marked(content: dict[str, Any], most: int | None) -> dict[str, Any]:
    """Return how many entries are kept, if not all are."""
    if most is None:
        return content
    marked = {**content, "shortened": {"most": most, "complete": "tables"}}
    return Told(marked, content.result) if isinstance(content, Told) else marked


def as_long_as(written: Mapping[str, Any]) -> AbstractContextManager[None]:
    """Let lists be made as long as in results that were written."""
    return short_lists(_kept(written))


def alike(results: Mapping[str, Any], written: Mapping[str, Any]) -> dict[str, Any]:
    """Return results shortened as those that were written."""
    content: dict[str, Any] = cut(results, _kept(written))
    return content


def _kept(written: Mapping[str, Any]) -> int | None:
    """Return how many entries of a list were written; None: all."""
    most: int | None = written.get("shortened", {}).get("most")
    return most


def cut(value: Any, most: int | None) -> Any:
    """Return plain values with lists of more than ``most`` entries shortened.

    Mappings of very many names too.
    """
    first: Any
    if most is None:
        return value
    if isinstance(value, Mapping):
        n = len(value)
        kept = value.items() if n <= _MOST_NAMES else islice(value.items(), most)
        first = {k: v if k in _WHOLE else cut(v, most) for k, v in kept}
        first = Told(first, value.result) if isinstance(value, Told) else first
        first = Fields(first, value.sources) if isinstance(value, Fields) else first
    elif isinstance(value, list | tuple):
        n = len(value)
        first = [cut(entry, most) for entry in value[:most]]
        if isinstance(value, MergedRows):
            first = MergedRows(first, value.labels, value.sources)
    else:
        return value
    return beginning(first, n)


def _room(most: int | None) -> int:
    """Return how many values there is room for: fewer if lists are shortened."""
    return _MOST_VALUES if most is None else min(_MOST_VALUES, _MOST_SHORTENED)


def _fits(results: Any, room: int) -> bool:
    """Return whether there is room for these values."""
    left = [results]
    while left and room >= 0:
        value = left.pop()
        if isinstance(value, dict):
            left.extend(value.values())
        elif isinstance(value, list | tuple):
            left.extend(value)
        else:
            room -= 1
    return room >= 0
