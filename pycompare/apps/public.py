"""The public names of pycompare, which load when they are first used."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from pycompare.base.environment import given_date

_PACKAGE = "pycompare"
_ROOMS = ("plotting", "sizes")
"""Rooms that are public as a whole."""

_NAME = re.compile(r"^from (\w+\.\S+) import [(\s]*([A-Za-z]\w*)", re.MULTILINE)
"""A line of ``pycompare/__init__.pyi``, which type checkers read."""

PUBLIC = {
    name: module
    for module, name in _NAME.findall(
        (Path(__file__).parents[1] / "__init__.pyi").read_text(encoding="utf-8")
    )
}
"""Public name -> module that defines it."""


@cache
def load(name: str) -> Any:
    """Return a public name, or a public room, of the package."""
    if name in _ROOMS:
        return import_module(f"{_PACKAGE}.{name}")
    if name not in PUBLIC:
        raise AttributeError(f"module {_PACKAGE!r} has no attribute {name!r}")
    if PUBLIC[name] != "pycompare.base.errors":  # these load no library
        given_date()
    return getattr(import_module(PUBLIC[name]), name)


def names() -> list[str]:
    """List the public names."""
    return sorted([*PUBLIC, "__version__"])
