"""Values and tables as TOML text. Names are data: whatever they hold reads back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.designs.plans.keys import keys_of

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text: str) -> str:
    """Quote text on one line; what cannot be seen is written as its code.

    Raises
    ------
    InputError
        If the text holds a lone surrogate, which no UTF-8 file can.
    """
    return '"' + "".join(map(_character, text)) + '"'


def key(name: str) -> str:
    """Write a key, in quotes unless it is plain."""
    return name if _BARE.fullmatch(name) else quoted(name)


def value(given: Any) -> str:
    """Write a value of a plan: text, a truth value, a number, a list, or a table."""
    if isinstance(given, str):
        return quoted(given)
    if isinstance(given, bool):
        return "true" if given else "false"
    if isinstance(given, Integral):
        return repr(int(given))
    if isinstance(given, Real):
        return repr(float(given))
    if isinstance(given, Mapping):
        parts = (f"{key(name)} = {value(entry)}" for name, entry in given.items())
        return f"{{ {', '.join(parts)} }}"
    assert isinstance(given, Sequence), given
    return f"[{', '.join(map(value, given))}]"


def lines(values: Mapping[str, Any]) -> str:
    """Write one line per key."""
    return "".join(f"{key(name)} = {value(given)}\n" for name, given in values.items())


def table(name: str, owner: Any) -> str:
    """Write the keys of a plan as one table; open settings are left out."""
    given = {field: getattr(owner, field) for field in keys_of(type(owner))}
    return f"[{name}]\n" + lines(
        {k: v for k, v in given.items() if v not in (None, ())}
    )


def plan_text(roles: Any, metrics: Iterable[Any], plan: Any) -> str:
    """Write a whole plan file."""
    directions = {metric.name: metric.better for metric in metrics}
    return "\n".join(
        (
            table("data", roles),
            "[metrics]\n" + lines(directions),
            table("plan", plan),
        )
    )


def _character(character: str) -> str:
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        raise InputError(
            f"the name with {show(character)} is not UTF-8, and a plan file is; "
            "rename it"
        )
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
