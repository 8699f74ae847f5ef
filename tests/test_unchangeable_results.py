"""Nobody changes a result by changing what it hands out.

The example of each public function is run. Each frame, series and array that is read
from what it returns, at any depth, is changed in place; read again, it is as before.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.results.result import HandedOut, plain
from tests.syntax import nodes_of
from tests.test_public_results import analyses, of_example

Steps = tuple[Any, ...]
TABLES = (pd.DataFrame, pd.Series, np.ndarray)


def names_of(value: Any) -> list[str]:
    """Return the public fields and (cached) properties of a dataclass.

    The data behind a result (``internal``) is no part of what it hands out.
    """
    internal = {f.name for f in dataclasses.fields(value) if behind(value, f)}
    fields = [f.name for f in dataclasses.fields(value) if f.name not in internal]
    computed = [
        name
        for kind in type(value).__mro__
        for name, held in vars(kind).items()
        if isinstance(held, property | cached_property | HandedOut)
    ]
    known = dict.fromkeys(fields + computed)
    return [n for n in known if not n.startswith("_") and n not in internal]


def behind(value: Any, field: dataclasses.Field[Any]) -> bool:
    """Return whether a field holds objects behind a result, and no table."""
    hidden = field.name == "decided_in" or not field.metadata.get("export", True)
    return hidden and not isinstance(vars(value).get(field.name), (*TABLES, dict))


def read(value: Any, path: Steps) -> Any:
    """Read what stands at a path of names, keys and places."""
    for step in path:
        value = getattr(value, step) if isinstance(step, str) else value[step[0]]
    return value


def tables_in(
    value: Any, path: Steps = (), seen: set[int] | None = None
) -> Iterator[Steps]:
    """Yield the paths of all frames, series and arrays that a reader can reach."""
    seen = set() if seen is None else seen
    if isinstance(value, TABLES):
        yield path
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from tables_in(one, (*path, (key,)), seen)
    elif isinstance(value, list | tuple):
        for at, one in enumerate(value):
            yield from tables_in(one, (*path, (at,)), seen)
    elif dataclasses.is_dataclass(value) and id(value) not in seen and len(path) < 12:
        seen.add(id(value))
        for name in names_of(value):
            try:
                one = getattr(value, name)
            except (ValueError, LookupError, NotImplementedError, AssertionError):
                continue
            yield from tables_in(one, (*path, name), seen)


def changed(table: Any) -> bool:
    """Change a table in place, and tell whether that was possible."""
    try:
        if isinstance(table, np.ndarray):
            flat = table.reshape(-1) if table.flags.c_contiguous else table
            flat[...] = None if table.dtype == object else 7
        else:
            table.iloc[:] = None
            if isinstance(table, pd.DataFrame):
                table["added"] = 1
                table.columns.name = "renamed"
    except (ValueError, TypeError):
        return False
    return True


def text(table: Any) -> str:
    return repr(plain(table))


@pytest.mark.parametrize("name", analyses())
def test_what_is_read_from_a_result_does_not_change_it(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.chdir(tmp_path)
    for found in of_example(name, monkeypatch)[:1]:
        moved = []
        for path in list(tables_in(found)):
            before = text(read(found, path))
            changed(read(found, path))
            if text(read(found, path)) != before:
                moved.append(path)
        assert moved == []


def test_a_report_does_not_see_what_a_reader_did_to_a_table() -> None:
    comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets", compares="ranks"))
    before = plain(comparison.to_dict())
    pairs = comparison.analyses[0].pairs[0]
    table = pairs.table
    table["p_adjusted"] = table["p_adjusted"].round(2)
    table.iloc[:] = table.iloc[::-1].to_numpy()
    table["p_adjusted"] = "text"
    assert pairs.matrix().loc["C4.5", "1-NN"] == pairs.as_columns()["p_adjusted"][0]
    assert plain(comparison.to_dict()) == before


ROOMS = ("results", "methods", "designs", "sizes", "plotting", "reporting")
"""Rooms that work on results; `apps` hands them to users, as frames."""
OTHER_TABLES = {
    "table": {"block", "build", "comparison", "forest", "matrix", "own", "pa",
              "reading", "toml_text"},
    "to_frame": {"battles", "predictions", "ratings"},
}  # fmt: skip
"""What has a table and is no result: parts of pages, readings, tables of data."""
NO_RESULTS = {"diff.py", "docx.py", "for_paper.py", "garcia_herrera.py", "page.py",
              "several.py"}  # fmt: skip
"""Files whose own ``table`` is no table of a result."""


def frames_read(path: Path) -> Iterator[str]:
    """Yield where code reads the frame of a result, which `as_columns` is for."""
    own = {"table"} if path.name in NO_RESULTS else set()
    for node in nodes_of(path):
        if isinstance(node, ast.Attribute) and node.attr in OTHER_TABLES.keys() - own:
            of = ast.unparse(node.value)
            if of not in OTHER_TABLES[node.attr]:
                yield f"{path.name}:{node.lineno}: {of}.{node.attr}"


def test_our_own_code_reads_tables_of_results_in_one_way():
    root = Path(pc.__file__).parent
    files = [path for room in ROOMS for path in sorted((root / room).rglob("*.py"))]
    read = [place for path in files for place in frames_read(path)]
    assert read == []
