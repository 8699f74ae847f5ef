"""A plan to be filled in: the contents of the table, and every key there is."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from pycompare.base.arguments import check_flags
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.version import __version__
from pycompare.data.columns import DataColumn, columns
from pycompare.data.file_format import AS_ENDING, OF_EVERY_FILE, FileFormat
from pycompare.data.files import named, read_table
from pycompare.data.measures.registry import MEASURES
from pycompare.data.reading.called import CALLED, OF_CASES, proposals
from pycompare.data.roles import required_of
from pycompare.data.table import DataTable
from pycompare.designs.plans import toml_text
from pycompare.designs.plans.analysis_plan import AnalysisPlanFile, Opening
from pycompare.designs.plans.analysis_plans import PLAN_FILES
from pycompare.designs.plans.column_roles import PREDICTIONS, Roles
from pycompare.designs.plans.keys import (
    ANY_DESIGN,
    PlanKey,
    Text,
    Word,
    WordOrOne,
    keys_of,
)
from pycompare.designs.plans.plan import Plan

_COUNTS = ("tp", "fp", "tn", "fn")
"""Measures that a plan for predictions begins with."""

_OF_PREDICTIONS = "predictions have one row per case and algorithm"

_UNTIL_THEN = (
    "; until then the plan is rejected. Proposals come from the names of columns, "
    "never from their values: check them. "
)
_FILL_IN = f'Fill in every ""{_UNTIL_THEN}'
_FILL_IN_SCORES = (
    f'Fill in every "" and delete the lines of columns that are not scores{_UNTIL_THEN}'
)
_COMMENTS = (
    "Lines that begin with # are not part of the plan; remove the # to use the key."
)

_MOST_COLUMNS = 200
"""Columns that are listed one by one."""


@checked
def starter_plan(
    data: str | PathLike[str],
    *,
    wide: bool = False,
    predictions: bool = False,
    model: bool = False,
    readers: bool = False,
    curves: bool = False,
    battles: bool = False,
    marks: bool = False,
    folder: str | PathLike[str] = ".",
    sep: str | None = None,
    decimal: str = ".",
    sheet: str | None = None,
    header: str | None = None,
) -> str:
    """Return a plan file to fill in, with every key explained.

    Which direction of a score is better is left open, and so are the roles of columns:
    a name that shows its role is proposed beside it. ``pc.read_plan`` rejects the plan,
    with the lines, until all of it is filled in.

    Parameters
    ----------
    data : path
        As in ``pc.read_scores``.
    wide : bool, default False
        True if each column is an algorithm.
    predictions : bool, default False
        True if a row is one case with its true class and an algorithm's score. The plan
        then begins with the confusion is treated as metrics: their directions are
        known.
    model : bool, default False
        True for the plan of a linear model by formula (``pc.linear_model``): the table
        ``[model]`` takes the place of ``[metrics]`` and ``[plan]``.
    readers : bool, default False
        True for the plan of readers and cases (``pc.mrmc``): the table ``[readers]``.
    curves : bool, default False
        True for the plan of ROC curves (``pc.compare_curves``): ``[curves]``.
    battles : bool, default False
        True for the plan of battles (``pc.battles``).
    marks : bool, default False
        With readers: True if a row is a free-response mark (``pc.read_marks``). A
        workbook of RJafroc states it.
    folder : path
        Where the plan will be: the path of the data is written relative to it.
    sep, decimal, sheet, header
        How the file is written, as in ``pc.read_scores``; the plan says it as well.

    Returns
    -------
    str
        TOML.

    Raises
    ------
    InputError
        If the table cannot be read, a name in it cannot be written to a file, or it is
        to be more than one of wide, of predictions, and of a model, readers, curves or
        battles; or if marks are given without readers.

    Examples
    --------
    >>> import pycompare as pc
    >>> plan = pc.starter_plan(pc.example_path("folds"))
    >>> print(*[line for line in plan.splitlines() if line.startswith("[")])
    [data] [metrics] [plan]
    """
    check_flags(wide=wide, predictions=predictions, model=model, readers=readers)
    check_flags(curves=curves, battles=battles, marks=marks)
    asked = {"model": model, "readers": readers, "curves": curves, "battles": battles}
    rows = {name: PLAN_FILES[name].row for name, is_asked in asked.items() if is_asked}
    kind = PLAN_FILES[next(iter(rows))] if rows else None
    rows |= {"predictions": _OF_PREDICTIONS} if predictions else {}
    names = [*rows, *["wide"] * wide]
    if rows and len(names) > 1:
        raise InputError(rows[names[0]] + ": leave " + setting(names[1], True) + " out")
    if marks and not readers:
        raise InputError(setting("marks", True) + " needs " + setting("readers", True))
    with named(data):
        form = FileFormat(sep=sep, decimal=decimal, sheet=sheet, header=header)
        if kind is not None:
            opening = kind.opening(Path(data), form, marks=marks)
            declared = _declared(data, folder, form)
            to_do = _FILL_IN if opening.to_fill_in else ""
            return _text(
                _heading(Path(data).name, opening.data, to_do),
                *_of_analysis(kind, opening, declared),
            )
        table, source = read_table(data, form)
        declared, described = _declared(data, folder, form), columns(table)
        by_role = proposals(table.names, _called(wide, predictions))
        required = required_of("wide" if wide else "long")
        parts = (
            _heading(source.name, table, _FILL_IN_SCORES),
            _data_table(
                declared | {"format": "wide" if wide else "long"},
                (*required, *PREDICTIONS * predictions),
                by_role,
            ),
            _measure_table()
            if predictions
            else _metric_table(described, wide, by_role),
            _plan_table(),
        )
        return _text(*parts)


def _of_analysis(
    kind: type[AnalysisPlanFile], opening: Opening, declared: dict[str, Any]
) -> Iterator[Iterable[str]]:
    """Yield the tables of a plan of one analysis."""
    by_role = kind.proposed(opening.data.names)
    given = declared | dict(opening.given)
    if kind.data_format:
        given["format"] = kind.data_format
    for table, owner in kind.tables.items():
        yield _keys_of_table(table, owner, opening, by_role, given)


def _keys_of_table(
    table: str,
    owner: type,
    opening: Opening,
    by_role: dict[str, str],
    given: dict[str, Any],
) -> Iterator[str]:
    """Yield the keys of a table that the file has a use for."""
    yield f"[{table}]"
    for key in keys_of(owner).values():
        if key.name in given:
            yield from _explained(key, given[key.name], None)
        elif key.name in opening.left_out:
            continue
        elif key.name in opening.to_fill_in:
            yield from _explained(key, "", by_role.get(key.name))
        else:
            yield from _optional(key, by_role.get(key.name))


def _text(*parts: Iterable[str]) -> str:
    """Return the lines of the parts, an empty line between parts."""
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts)


def _declared(
    data: str | PathLike[str], folder: str | PathLike[str], form: FileFormat
) -> dict[str, Any]:
    """Return the path of the data, and how the file is written if not by default."""
    given = {name: getattr(form, name) for name in OF_EVERY_FILE}
    path = Path(os.path.relpath(data, folder)).as_posix()
    differ = {k: v for k, v in given.items() if v != getattr(AS_ENDING, k)}
    return {"file": path} | differ


def _called(wide: bool, predictions: bool) -> dict[str, tuple[str, ...]]:
    """Return the roles that the columns of a table may have."""
    if wide:  # its other columns are algorithms
        return {"group": CALLED["group"]}
    return CALLED | OF_CASES if predictions else CALLED


def _heading(name: str, table: DataTable, what_to_do: str) -> Iterator[str]:
    """Yield what this file is, what to do with it, and one line per column."""
    table.require_rows()
    yield f"# Plan for {toml_text.quoted(name)}, written by pycompare {__version__}."
    yield from _comment(what_to_do + _COMMENTS)
    yield "#"
    yield f"# {table.n_rows} rows. Columns, with the number of different values:"
    described = columns(table)
    for column in described[:_MOST_COLUMNS]:
        kind = "numbers" if column.numeric else "labels"
        text = f"{kind}, {column.n_levels} different"
        text += f", {column.n_missing} missing" if column.n_missing else ""
        if column.refusal:
            text = "neither numbers nor labels in all rows"
        yield f"#   {toml_text.quoted(column.name)}: {text}"
    if len(described) > _MOST_COLUMNS:
        yield f"#   and {len(described) - _MOST_COLUMNS} more"


def _data_table(
    given: dict[str, str], open_roles: tuple[str, ...], by_role: dict[str, str]
) -> Iterator[str]:
    """Yield the table of roles; those that are open have to be filled in."""
    keys = keys_of(Roles)
    required = given | dict.fromkeys(open_roles, "")
    yield "[data]"
    for key in keys.values():
        if key.name in required:
            yield from _explained(key, required[key.name], by_role.get(key.name))
        else:
            yield from _optional(key, by_role.get(key.name))


def _metric_table(
    described: tuple[DataColumn, ...], wide: bool, by_role: dict[str, str]
) -> Iterator[str]:
    """Yield the table of directions, none of them filled in."""
    yield "[metrics]"
    words = 'Which scores are better: "higher" or "lower". It is never guessed.'
    if wide:
        yield from _comment(words + " The name of the score is yours to choose.")
        names = ["score"]
    else:
        yield from _comment(words + " Delete lines without scores.")
        scores = [column.name for column in described if column.numeric]
        names = [name for name in scores if name not in by_role.values()]
    yield from toml_text.lines(dict.fromkeys(names, "")).splitlines()


def _measure_table() -> Iterator[str]:
    """Yield the measures that a plan for predictions begins with."""
    yield "[metrics]"
    yield from _comment(
        "Measures of the predictions: tp, fp, tn, fn, error, tpr, fpr, "
        "precision, recall, auc, ... Each direction is that of the measure."
    )
    better = {name: MEASURES[name].better for name in _COUNTS}
    yield from toml_text.lines(better).splitlines()


def _plan_table() -> Iterator[str]:
    """Yield every key of the plan with its default."""
    yield "[plan]"
    for key in keys_of(Plan).values():
        yield from _optional(key, None)


def _explained(key: PlanKey, value: Any, proposed: str | None) -> Iterator[str]:
    """Yield a key with its value, or a proposal for it."""
    yield ""
    yield from _comment(about(key))
    hint = "" if proposed is None else f"  # proposed: {toml_text.quoted(proposed)}"
    yield toml_text.lines({key.name: value}).rstrip("\n") + hint


def _optional(key: PlanKey, proposed: str | None) -> Iterator[str]:
    """Yield a key as a comment, with its default or proposal."""
    yield ""
    yield from _comment(about(key))
    value = key.default if proposed is None else proposed
    if value is None and isinstance(key.kind, Text):
        value = ""
    shown = "" if value is None else f" {toml_text.value(value)}"
    hint = "" if proposed is None else "  # proposed"
    yield f"# {key.name} ={shown}{hint}"


def about(key: PlanKey) -> str:
    """Return the meaning of a key, its values and the comparisons that use it."""
    text = key.about
    if isinstance(key.kind, Word) and not isinstance(key.kind, WordOrOne):
        words = map(toml_text.quoted, key.kind.words)
        text += f" One of {', '.join(words)}."
    elif not isinstance(key.kind, Text):
        text += f" Give {key.kind.expected}."
    return text if key.applies_to == ANY_DESIGN else f"{text} For {key.applies_to}."


def _comment(text: str) -> Iterator[str]:
    """Yield text as lines of comment."""
    for line in textwrap.wrap(text, 76, break_on_hyphens=False):
        yield f"# {line}"
