"""Wide tables of cases: predicted classes, verdicts or scores beside true classes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show, show_all
from pycompare.data.classes import positive_of
from pycompare.data.columns import DataColumn
from pycompare.data.reading.called import OF_CASES, proposals
from pycompare.data.reading.doubts import Doubt
from pycompare.data.reading.judged import class_of
from pycompare.data.reading.seen import Seen
from pycompare.data.roles import ROLES
from pycompare.data.table import DataTable
from pycompare.data.units import why_by_name

_TRUTH = {"label": ROLES["label"].called}
_PREDICTED = (
    *("prediction", "predicted", "pred", "y_pred", "yhat", "y_hat", "predicted_class"),
    *("output", "response", "answer", "choice"),
)
"""Name of a column of a long table that holds predicted classes."""
_MOST_CLASSES = 0.5
"""Of rows so many classes at most: more are names."""
_AMONG = 0.5
"""Of cells so many at least name a true class if they are predictions."""
_FEWEST_CASES = 20


class WideCases(NamedTuple):
    """Columns of a wide table whose rows are cases.

    Attributes
    ----------
    truth : str
        Column of true classes.
    columns : tuple of str
        Answers of algorithms about the cases.
    said : {"classes", "0 and 1", "scores"}
        Their contents; of 0 and 1 the values do not show whether they are predicted
        classes, or state which is right.
    """

    truth: str
    columns: tuple[str, ...]
    said: Literal["classes", "0 and 1", "scores"]


def _true_classes(
    table: DataTable, names: Iterable[str]
) -> tuple[str, tuple[str, ...]]:
    """Return the column of true classes and its classes; ``""`` if there is none.

    It is called so, and its labels repeat.
    """
    truth = proposals(names, _TRUTH).get("label")
    if truth is None:
        return "", ()
    try:
        classes = table.levels(truth).labels
    except InputError:  # gaps, or labels that read alike
        return "", ()
    if not 2 <= len(classes) <= _MOST_CLASSES * table.n_rows:
        return "", ()
    return truth, classes


def _names_classes(table: DataTable, name: str, classes: Collection[str]) -> bool:
    """Return whether the cells of a column are mostly labels among classes."""
    rows = np.flatnonzero(~table.absent(name, besides=classes))
    if not rows.size:
        return False
    try:
        levels = table.taken(rows, (name,)).levels(name)
    except InputError:
        return False
    known = {class_of(label) for label in classes}
    among = np.array([class_of(label) in known for label in levels.labels])
    return bool(among[levels.codes].mean() >= _AMONG)


def wide_cases(table: DataTable, names: Collection[str]) -> WideCases | None:
    """Return the parts of a wide table of cases; None if it is none.

    ``names`` are the columns that may hold the answers of algorithms.
    """
    truth, classes = _true_classes(table, table.names)
    if not truth:
        return None
    others = [name for name in names if name != truth]
    said = tuple(name for name in others if _names_classes(table, name, classes))
    if len(said) >= 2:
        plain = positive_of([class_of(label) for label in classes])
        return WideCases(truth, said, "classes" if plain is None else "0 and 1")
    scores = tuple(name for name in others if _has_scores(table, name))
    if len(scores) < 2 or table.n_rows < _FEWEST_CASES:
        return None
    return WideCases(truth, scores, "scores")


def _has_scores(table: DataTable, name: str) -> bool:
    """Return whether a column holds numbers that are no counts."""
    if why_by_name(name):
        return False
    try:
        numbers = table.numbers(name)
    except InputError:
        return False
    there = numbers[~np.isnan(numbers)]
    return bool(there.size and (there % 1 != 0).any())


def truth_column(seen: Seen) -> Iterator[Doubt]:
    """Yield a column of true classes that is left aside, or treated as an algorithm."""
    if not seen.wide or seen.turned or seen.columns.block in (*seen.algorithms, ""):
        return
    taken = {*seen.columns.given().values()}
    free = [name for name in seen.algorithms if name not in taken]
    cases = wide_cases(seen.table, [name for name in free if name in seen.table.names])
    if cases is None or cases.truth in taken:
        return
    if cases.said == "scores":
        _, classes = _true_classes(seen.table, seen.table.names)
        if positive_of(classes) is None:
            return
        holds = "scores of cases"
        change = "compare their ROC curves: pycompare curves"
    else:
        holds = "the same classes"
        if cases.said == "0 and 1":
            holds += ", which are predicted ones, or 1 if an answer is right"
        change = "these are predicted classes: " + setting("truth", cases.truth)
    yield Doubt(
        "truth-column",
        f"column {show(cases.truth)} seems to hold true classes of cases, and "
        f"{show_all(cases.columns)} {holds}",
        (cases.truth,),
        (f"column={cases.truth}",),
        change,
    )


def of_wide_cases(
    table: DataTable, described: Iterable[DataColumn], cases: WideCases
) -> tuple[dict[str, Any], list[str]]:
    """Return arguments for a wide table of cases, and the open questions."""
    of_rows = [
        column
        for column in described
        if column.name not in (cases.truth, *cases.columns)
    ]
    arguments: dict[str, Any] = {"wide": True} | block_of(table, of_rows)
    taken = {cases.truth, *cases.columns, arguments.get("block")}
    if {*table.names} - taken or cases.said == "0 and 1":
        arguments["algorithms"] = [*cases.columns]
    if cases.said == "classes":
        arguments["truth"] = cases.truth
    return arguments | {"metric": "accuracy", "better": "higher"}, []


def not_measured(cases: WideCases) -> str:
    """Return why a wide table of predicted classes is not measured."""
    return (
        f"columns {show_all(cases.columns)} seem to hold predicted classes, and "
        f"{show(cases.truth)} the true ones, if scores of cases are measured; "
        "compare how often they are right: pycompare compare FILE"
    )


def scores_of_cases(cases: WideCases) -> str:
    """Return the question about a wide table of scores of cases."""
    return (
        f"columns {show_all(cases.columns)} seem to hold scores of cases, and "
        f"{show(cases.truth)} their true classes: measure them (pycompare measure) or "
        "compare their curves (pycompare curves); or, if the rows are blocks and "
        f"{show(cases.truth)} is something else, compare them: "
        + setting("wide", True)
        + " with "
        + setting("leave_out", (f"column={cases.truth}",))
    )


def block_of(table: DataTable, described: Iterable[DataColumn]) -> dict[str, Any]:
    """Return the column whose labels differ in all rows, or that rows are numbered."""
    unique = [
        column for column in described
        if not column.refusal and not column.n_missing
        and column.n_levels == table.n_rows
        and not (column.numeric and (table.numbers(column.name) % 1 != 0).any())
    ]  # fmt: skip
    called = proposals([column.name for column in unique])
    of_cases = proposals([column.name for column in unique], OF_CASES)
    text = [column.name for column in unique if not column.numeric]
    names = [called.get("block"), of_cases.get("case"), *text]
    names += [column.name for column in unique]
    chosen = next((name for name in names if name is not None), None)
    return {"number": "block"} if chosen is None else {"block": chosen}


def two_labels(
    table: DataTable, names: Iterable[str], *, fewest: int = 2
) -> tuple[tuple[str, ...], list[str]]:
    """Return two labels and the columns, ``fewest`` at least, that hold these alone.

    Nothing if there are none, or other labels stand in as many columns.
    """
    pairs: dict[frozenset[str], list[str]] = {}
    for name in names:
        rows = np.flatnonzero(~table.absent(name, besides=()))
        if not rows.size:
            continue
        try:
            labels = table.taken(rows, (name,)).levels(name).labels
        except InputError:
            continue
        if len(labels) <= 2:
            pairs.setdefault(frozenset(labels), []).append(name)
    whole = [pair for pair in pairs if len(pair) == 2]
    if len(whole) != 1:
        return (), []
    [pair] = whole
    columns = [n for n in names if any(n in pairs[own] for own in pairs if own <= pair)]
    return (tuple(sorted(pair)), columns) if len(columns) >= fewest else ((), [])


def long_classes(table: DataTable, names: Collection[str]) -> tuple[str, str]:
    """Return the columns of true and of predicted classes of a long table, or ``""``.

    Both are called so, and hold the same classes.
    """
    truth, classes = _true_classes(table, names)
    value = proposals(names, {"value": _PREDICTED}).get("value")
    if not truth or value in (None, truth):
        return "", ""
    assert value is not None
    return (truth, value) if _names_classes(table, value, classes) else ("", "")
