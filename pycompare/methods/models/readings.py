"""How columns were read, in words; numbers that are likely to be labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show
from pycompare.base.typing import Floats
from pycompare.methods.models.columns import Categories, Covariate, ModelColumn
from pycompare.methods.models.grammar import Factor, Term, written
from pycompare.methods.models.mixed import UnitRows

_NAMES_OF_UNITS = ("block", "fold", "subject", "id")
"""Columns of such names hold labels, also if these are numbers."""
_MOST = 20
"""Responses that have a line each."""


def refuse_numbers_of_units(
    columns: Mapping[Factor, ModelColumn], strata: Sequence[Term]
) -> None:
    """Reject whole numbers that repeat as a line if they are likely to be labels."""
    units = {factor.column for term in strata for factor in term}
    for factor, column in columns.items():
        name = factor.column
        called = name.lower() in _NAMES_OF_UNITS or name.lower().endswith("_id")
        if factor.transform or not (called or name in units):
            continue
        if isinstance(column, Covariate) and _repeats(column.raw):
            why = "is in within, too" if name in units else "has the name of units"
            raise InputError(
                f"formula: column {show(name)} holds {_numbers(column.raw)}, and {why}"
                f": write C({written(name)}) to compare them as groups, or "
                f"center({written(name)}) for a line"
            )


def readings(
    columns: Mapping[Factor, ModelColumn],
    responses: Floats,
    names: Sequence[str],
    units: Sequence[UnitRows],
) -> tuple[str, ...]:
    """Return how each column was read, one line each.

    Parameters
    ----------
    columns : mapping of Factor to ModelColumn
    responses : ndarray, shape (n, p)
        In their own units.
    names : sequence of str
        Of the responses.
    units : sequence of UnitRows
        Kinds of units, coarsest first.
    """
    lines = [
        f"{name}: response, {counted(len(y), 'number')} from {y.min():.6g} to "
        f"{y.max():.6g}"
        for name, y in zip(names[:_MOST], responses.T, strict=False)
    ]
    if len(names) > _MOST:
        lines.append(f"{counted(len(names) - _MOST, 'more response')}")
    for name, cells, _ in units:
        lines.append(f"{name}: {_sized(np.bincount(cells), 'unit')}")
    for factor, column in columns.items():
        lines += _of_column(factor, column)
        if units:
            what = "group" if isinstance(column, Categories) else "value"
            lines.append(_place(factor.column, _codes(column), what, units))
    return tuple(dict.fromkeys(lines))


def whole_numbers(columns: Mapping[Factor, ModelColumn]) -> Iterator[str]:
    """Yield columns read as numbers although they may be labels."""
    for factor, column in columns.items():
        if _may_be_labels(factor, column):
            yield from _of_column(factor, column)


def _may_be_labels(factor: Factor, column: ModelColumn) -> bool:
    """Return whether a column as it is holds whole numbers that repeat."""
    number = isinstance(column, Covariate) and not factor.transform
    return number and _repeats(column.raw)  # type: ignore[union-attr]


def _of_column(factor: Factor, column: ModelColumn) -> Iterator[str]:
    """Yield how one column of the terms was read."""
    if isinstance(column, Categories):
        yield f"{factor.label}: {_sized(np.bincount(column.codes), 'group')}"
        return
    name, x = factor.column, column.raw
    if _may_be_labels(factor, column):
        yield (
            f"{name}: {_numbers(x)}, read as a number (1 df); C({written(name)}) "
            f"compares them as groups, center({written(name)}) is a line"
        )
        return
    df = max(factor.degree, 1)
    yield (
        f"{factor.label}: {counted(len(np.unique(x)), 'different number')} from "
        f"{x.min():.6g} to {x.max():.6g}, read as a number ({df} df)"
    )


def _numbers(x: Floats) -> str:
    """Return how many whole numbers there are, and how often each."""
    return _sized(np.unique(x, return_counts=True)[1], "whole number")


def _sized(sizes: NDArray[np.intp], what: str) -> str:
    """Return how many of something there are and how many rows each has."""
    low, high = int(sizes.min()), int(sizes.max())
    rows = counted(low, "row") if low == high else f"{low} to {counted(high, 'row')}"
    return f"{counted(len(sizes), what)}, {rows} each"


def _repeats(x: Floats) -> bool:
    """Return whether numbers are whole and some appear in several rows."""
    return bool((x == np.rint(x)).all()) and len(np.unique(x)) < len(x)


def _codes(column: ModelColumn) -> NDArray[np.intp]:
    """Return which of its values each row of a column has."""
    if isinstance(column, Categories):
        return column.codes
    return np.unique(column.raw, return_inverse=True)[1]


def _place(
    name: str, codes: NDArray[np.intp], what: str, units: Sequence[UnitRows]
) -> str:
    """Return between which units a column varies, and within which."""
    values = int(codes.max()) + 1
    within = ""
    for kind, cells, _ in units:
        pairs = np.unique(np.column_stack([cells, codes]), axis=0)
        own = np.bincount(pairs[:, 0])
        if own.max() == 1:
            return f"{name} varies {within}between {kind}"
        within = f"within {kind} and "
    every = f"{'both' if values == 2 else f'all {values}'} {what}s"
    several, many = int(np.sum(own > 1)), counted(len(own), "unit")
    if own.min() == 1:
        return f"{name} varies within {kind}: in {several} of the {many}"
    rows = every if own.min() == values else f"several {what}s"
    return f"{name} varies within {kind}: each of the {many} has rows of {rows}"
