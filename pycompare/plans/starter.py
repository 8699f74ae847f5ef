"""A plan to be filled in: what the table holds, and every key there is."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from pycompare import __version__
from pycompare.data.columns import Column, columns
from pycompare.data.files import named, read_table
from pycompare.data.table import Table
from pycompare.plans import toml_text
from pycompare.plans.keys import ANY_ROAD, Key, Text, Word, keys_of
from pycompare.plans.plan import Plan
from pycompare.plans.roles import Roles

CALLED = {
    "algorithm": ("algorithm", "classifier", "learner", "method", "model"),
    "dataset": ("dataset", "data set", "data_set", "data"),
    "block": ("block", "fold", "split"),
    "replicate": ("replicate", "run", "seed"),
    "group": ("group", "domain"),
}
"""What a column is called whose role is plain from its name."""

MOST_COLUMNS = 200
"""Columns that are listed one by one."""


def starter_plan(
    data: str | PathLike[str], *, wide: bool = False, folder: str | PathLike[str] = "."
) -> str:
    """Return a commented plan for a table of scores, to be filled in.

    Which direction of a score is better is left open, and so are the roles of columns:
    a name that says its role is proposed beside it. ``pc.read_plan`` refuses the plan,
    with the lines, until all of it is filled in.

    Parameters
    ----------
    data : path
        As in ``pc.read_scores``.
    wide : bool, default False
        True if each column is an algorithm.
    folder : path
        Where the plan will be: the path of the data is written relative to it.

    Returns
    -------
    str
        TOML.

    Raises
    ------
    InputError
        If the table cannot be read, or a name in it cannot be written to a file.
    """
    with named(data):
        table, source = read_table(data)
        table.require_rows()
        path = Path(os.path.relpath(data, folder)).as_posix()
        described = columns(table)
        found = proposals(table.names)
        if wide:  # its other columns are algorithms
            found = {role: name for role, name in found.items() if role == "group"}
        parts = (
            [*heading(source.name, table), *told(described)],
            data_table(path, wide, found),
            metric_table(described, wide, found),
            plan_table(),
        )
        return "\n".join("".join(f"{line}\n" for line in part) for part in parts)


def heading(name: str, table: Table) -> Iterator[str]:
    """Yield what this file is and what to do with it."""
    yield f"# Plan for {toml_text.quoted(name)}, written by pycompare {__version__}."
    yield from comment(
        'Fill in every "" and delete the lines of columns that are no scores; until '
        "then the plan is refused. What is proposed comes from names of columns alone, "
        "never from their values: check it. A line that begins with # is not part of "
        "the plan; take the # away to use the key."
    )
    yield "#"
    yield f"# {table.n_rows} rows. Columns, with the number of different values:"


def told(described: tuple[Column, ...]) -> Iterator[str]:
    """Yield one comment a column."""
    for column in described[:MOST_COLUMNS]:
        kind = "numbers" if column.numeric else "labels"
        text = f"{kind}, {column.n_levels} different"
        text += f", {column.n_missing} missing" if column.n_missing else ""
        if column.refusal:
            text = "neither numbers nor labels as it is"
        yield f"#   {toml_text.quoted(column.name)}: {text}"
    if len(described) > MOST_COLUMNS:
        yield f"#   and {len(described) - MOST_COLUMNS} more"


def data_table(path: str, wide: bool, found: dict[str, str]) -> Iterator[str]:
    """Yield the table of roles."""
    keys = keys_of(Roles)
    form = "wide" if wide else "long"
    required = {"file": path, "format": form}
    if not wide:
        required |= {"algorithm": "", "block": ""}
    yield "[data]"
    for key in keys.values():
        if key.name in required:
            yield from explained(key, required[key.name], found.get(key.name))
        else:
            yield from optional(key, found.get(key.name))


def proposals(names: Iterable[str]) -> dict[str, str]:
    """Return the column of each role that is plain from one name alone."""
    found = {}
    for role, words in CALLED.items():
        called = [name for name in names if name.casefold() in words]
        if len(called) == 1:
            found[role] = called[0]
    if "block" not in found and "dataset" in found:
        found["block"] = found.pop("dataset")
    return found


def metric_table(
    described: tuple[Column, ...], wide: bool, found: dict[str, str]
) -> Iterator[str]:
    """Yield the table of directions, none of them filled in."""
    yield "[metrics]"
    words = 'Which scores are better: "higher" or "lower". It is never guessed.'
    if wide:
        yield from comment(words + " The name of the score is yours to choose.")
        names = ["score"]
    else:
        yield from comment(words + " Delete what is no score.")
        scores = [column.name for column in described if column.numeric]
        names = [name for name in scores if name not in found.values()]
    yield from toml_text.lines(dict.fromkeys(names, "")).splitlines()


def plan_table() -> Iterator[str]:
    """Yield every key of the plan with its default."""
    yield "[plan]"
    for key in keys_of(Plan).values():
        yield from optional(key, None)


def explained(key: Key, value: Any, proposed: str | None) -> Iterator[str]:
    """Yield a key with its value, or what is proposed for it."""
    yield ""
    yield from comment(about(key))
    hint = "" if proposed is None else f"  # proposed: {toml_text.quoted(proposed)}"
    yield toml_text.lines({key.name: value}).rstrip("\n") + hint


def optional(key: Key, proposed: str | None) -> Iterator[str]:
    """Yield a key as a comment, with its default or what is proposed."""
    yield ""
    yield from comment(about(key))
    value = key.default if proposed is None else proposed
    if value is None and isinstance(key.kind, Text):
        value = ""
    shown = "" if value is None else f" {toml_text.value(value)}"
    hint = "" if proposed is None else "  # proposed"
    yield f"# {key.name} ={shown}{hint}"


def about(key: Key) -> str:
    """Return what a key means, what it may be and for which comparisons it is."""
    text = key.about
    if isinstance(key.kind, Word):
        words = map(toml_text.quoted, key.kind.words)
        text += f" One of {', '.join(words)}."
    elif not isinstance(key.kind, Text):
        text += f" Give {key.kind.wish}."
    return text if key.roads == ANY_ROAD else f"{text} For {key.roads}."


def comment(text: str) -> Iterator[str]:
    """Yield text as lines of comment."""
    for line in textwrap.wrap(text, 76, break_on_hyphens=False):
        yield f"# {line}"
