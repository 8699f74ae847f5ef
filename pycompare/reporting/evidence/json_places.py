"""Numbers of results.json by their place in it, and lines by theirs."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from operator import eq
from typing import Any

_KEY = re.compile(r'\s*"((?:[^"\\]|\\.)*)": ')
Leaf = tuple[str, Any]
HOLDERS = (dict, list)
"""Kinds of values of results.json that hold others."""
_DIGITS = 12
"""Digits that must agree if the software or the machine is another one."""


def leaves(value: Any, place: str = "") -> Iterator[Leaf]:
    """Yield every value that holds no others, with its place: ``analyses/0/metric``."""
    waiting = [(place, value)]
    while waiting:
        place, inner = waiting.pop()
        if isinstance(inner, HOLDERS):
            waiting += reversed(items_of(inner, place))
        else:
            yield place, inner


def items_of(value: Any, place: str) -> list[Leaf]:
    """Return what a value holds, each with its place."""
    before = f"{place}/" if place else ""
    if isinstance(value, list):
        return [(f"{before}{at}", each) for at, each in enumerate(value)]
    if not isinstance(value, dict):
        return []
    # The names at the top may be places themselves.
    if not place:
        return [(str(key), each) for key, each in value.items()]
    return [(before + _escaped(str(key)), each) for key, each in value.items()]


def differing(
    first: Any, other: Any, same: Callable[[Any, Any], bool] = eq
) -> list[tuple[str, Any, Any]]:
    """Return where two values differ, with both; None if one has nothing."""
    old, new = dict(leaves(first)), dict(leaves(other))
    return [
        (place, old.get(place), new.get(place))
        for place in dict.fromkeys([*old, *new])
        if not (place in old and place in new and same(old[place], new[place]))
    ]


def is_number(value: Any) -> bool:
    """Return whether a value of results.json is a number; NaN is written as text."""
    if type(value) is float:  # most are
        return True
    if isinstance(value, bool):
        return False
    return isinstance(value, int | float) or value in ("NaN", "Infinity", "-Infinity")


def same(first: Any, other: Any) -> bool:
    """Return whether two values agree: numbers in all digits that can be expected."""
    if isinstance(first, bool) or isinstance(other, bool):
        return first is other
    if isinstance(first, int | float) and isinstance(other, int | float):
        return math.isclose(first, other, rel_tol=10.0**-_DIGITS)
    return bool(first == other)


def _escaped(key: str) -> str:
    """Return a key in which no slash separates (as in a JSON pointer)."""
    if "~" in key or "/" in key:
        return key.replace("~", "~0").replace("/", "~1")
    return key


def place_of_line(lines: Sequence[str], at: int) -> str:
    """Return where a line of indented JSON is, as ``leaves`` names the place."""
    around: list[tuple[str | None, int]] = []
    place: str | None = None
    for line in lines[: at + 1]:
        text = line.strip().removesuffix(",")
        if text in ("]", "}"):
            place = around.pop()[0] if around else None
            continue
        place = _of_line(around, line)
        if text.endswith(("{", "[")):
            around.append((place, 0))
    parts = [name for name, _ in around if name is not None]
    opened = lines[at].strip().removesuffix(",").endswith(("{", "[", "}", "]"))
    return "/".join([*parts, *([] if opened or place is None else [place])])


def _of_line(around: list[tuple[str | None, int]], line: str) -> str | None:
    """Return the key of a line, or its place in a list; None for the whole."""
    if match := _KEY.match(line):
        key = json.loads(f'"{match[1]}"')
        # The names at the top may be places themselves.
        return _escaped(key) if len(around) > 1 else key
    if not around:
        return None
    name, place = around[-1]
    around[-1] = (name, place + 1)
    return str(place)
