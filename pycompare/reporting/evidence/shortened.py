"""results.json of a large comparison: long lists only begin there, tables have all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

_MOST_VALUES = 100_000
"""Values of results.json that are written whole: about 3 MB."""
_LENGTHS = (1000, 300, 100, 30, 10)
"""Entries of a list that are kept, as many as there is room for."""
_MOST_NAMES = 1000
"""Entries of a mapping by names, above which it is shortened as a list is."""
_WHOLE = ("provenance", "plan", "rank_sets")
"""What is never shortened: how it was made, and what certificates say."""


def shortened(results: Mapping[str, Any]) -> dict[str, Any]:
    """Return what results.json holds: everything, or the beginnings of long lists.

    A shortened list is ``{"entries": how many, "first": [...]}``, so that nobody takes
    it for the whole; ``shortened`` at the top says how many are kept, and where all
    are.
    """
    if _few(results):
        return dict(results)
    for most in _LENGTHS:
        made = cut(results, most)
        if _few(made):
            break
    return {**made, "shortened": {"most": most, "complete": "tables"}}


def alike(results: Mapping[str, Any], written: Mapping[str, Any]) -> dict[str, Any]:
    """Return results shortened as those that were written."""
    if "shortened" not in written:
        return dict(results)
    found: dict[str, Any] = cut(results, written["shortened"]["most"])
    return found


def cut(value: Any, most: int) -> Any:
    """Return plain values with lists of more than ``most`` entries shortened.

    Mappings of very many names too.
    """
    first: Any
    if isinstance(value, Mapping):
        n = len(value)
        kept = value.items() if n <= _MOST_NAMES else islice(value.items(), most)
        first = {k: v if k in _WHOLE else cut(v, most) for k, v in kept}
    elif isinstance(value, list | tuple):
        n = len(value)
        first = [cut(one, most) for one in value[:most]]
    else:
        return value
    return first if len(first) == n else {"entries": n, "first": first}


def _few(results: Any) -> bool:
    """Tell whether everything may be written; of more values no more are counted."""
    return sum(1 for _ in islice(_single(results), _MOST_VALUES + 1)) <= _MOST_VALUES


def _single(value: Any) -> Iterator[Any]:
    """Yield the values that hold no others."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if not isinstance(value, list | tuple):
        yield value
        return
    for one in value:
        yield from _single(one)
