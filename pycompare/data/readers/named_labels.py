"""Fields of a record that the caller named for a role, in any format."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import nearest, show, show_all
from pycompare.data.table_folder import PATH

_ROLES = ("algorithm", "replicate", "group", "cluster")
"""Roles that a field of a record can have in every format."""
_PART = re.compile(r"-?[1-9]\d*")


@dataclass(frozen=True)
class NamedLabels:
    """Which fields of a record hold the labels of which roles.

    Attributes
    ----------
    algorithm, replicate, group, cluster : str or None
        A field; within objects with points, ``doc.subject``; ``FIELD/N`` is part N of
        its label between ``/``, and ``path`` the path of the record's file. Several
        fields are a JSON list of their names (`joined`), and the label is a list, too.
    path : str
        Of the file below the input, less its ending.
    """

    algorithm: str | None = None
    replicate: str | None = None
    group: str | None = None
    cluster: str | None = None
    path: str = ""

    @cached_property
    def given(self) -> dict[str, str]:
        """The fields that are named, by role."""
        named = {role: getattr(self, role) for role in _ROLES}
        return {role: name for role, name in named.items() if name is not None}

    def of(self, record: Mapping[str, Any]) -> dict[str, str]:
        """Return the labels of a record by role.

        Raises
        ------
        InputError
            If it has no such field, or no label there.
        """
        labels = {
            role: self.label(role, name, record) for role, name in self.given.items()
        }
        if empty := [role for role, label in labels.items() if not label]:
            raise InputError(
                setting(empty[0], self.given[empty[0]]) + " has no label here"
            )
        return labels

    def label(self, role: str, name: str, record: Mapping[str, Any]) -> str:
        """Return the label in a field of a record; "" if it is empty.

        Raises
        ------
        InputError
            If it has no such field, or an object or a list there.
        """
        content, there = self._field(name, record)
        if there:
            return _label(role, name, content)
        if fields := _listed(name):
            return json.dumps([self._required(role, field, record) for field in fields])
        field, slash, digits = name.rpartition("/")
        if slash and _PART.fullmatch(digits):
            content, there = self._field(field, record)
            if there:
                label = _label(role, field, content)
                return _part(role, name, label, int(digits)) if label else ""
        known = [PATH, *dict.fromkeys(name for name, _ in _fields(record))]
        raise InputError(
            setting(role, name)
            + f": there is no such field{nearest(name, known)}; choose one of "
            f"{show_all(known)}"
        )

    def _required(self, role: str, name: str, record: Mapping[str, Any]) -> str:
        """Return the label in one of several fields; none may be empty."""
        if label := self.label(role, name, record):
            return label
        raise InputError(setting(role, name) + " has no label here")

    def _field(self, name: str, record: Mapping[str, Any]) -> tuple[Any, bool]:
        """Return the value of a field, and whether it is there."""
        if name in record:
            return record[name], True
        if name == PATH:
            return self.path, True
        return next(((v, True) for n, v in _fields(record) if n == name), (None, False))


def joined(names: Sequence[str]) -> str:
    """Return several fields as the name of one."""
    return json.dumps(list(names))


def _listed(name: str) -> list[str]:
    """Return the fields of a name that `joined` made; none of another name."""
    try:
        names = json.loads(name) if name.startswith("[") else None
    except ValueError:
        return []
    return names if isinstance(names, list) and all(map(_is_text, names)) else []


def _is_text(name: object) -> bool:
    return isinstance(name, str)


def _fields(record: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield names and values; those of objects within objects are joined by points."""
    for key, value in record.items():
        if isinstance(value, Mapping) and value:
            yield from _fields(value, f"{above}{key}.")
        else:
            yield above + str(key), value


def _label(role: str, name: str, value: Any) -> str:
    """Return a value as a label, "" if it is empty."""
    if value is None:
        return ""
    if isinstance(value, str | int | float | bool):
        return str(value)
    raise InputError(setting(role, name) + f" is no label here: {show(value)}")


def _part(role: str, name: str, label: str, number: int) -> str:
    """Return part N of a label, the first one 1, the last one -1."""
    parts = label.split("/")
    at = number - 1 if number > 0 else len(parts) + number
    if not 0 <= at < len(parts):
        raise InputError(
            setting(role, name)
            + f": {show(label)} has {counted(len(parts), 'part')} between '/'"
        )
    return parts[at]
