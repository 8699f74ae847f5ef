"""The columns that a formula names, checked, under names that are safe to evaluate.

A formula engine evaluates its input: a column named like code runs, a level
named ``nan`` loses its rows. So the engine only ever sees ``v0, v1, ...`` with levels
``L0, L1, ...`` and numbers ``x0, x1, ...``; labels come back on the results.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pycompare.base import arguments
from pycompare.base.errors import InputError, refused, setting
from pycompare.base.labels import label_text, nearest, show, show_all
from pycompare.base.typing import Floats
from pycompare.data.delimited import not_a_score
from pycompare.kernels.units import exact_mean
from pycompare.methods.models.grammar import Factor, written


@dataclass(frozen=True, eq=False)
class Categories:
    """A factor of groups.

    Attributes
    ----------
    codes : ndarray of int, shape (n,)
    levels : tuple of str
        In the order of the categories if the column has one, else as they come.
    """

    codes: NDArray[np.intp]
    levels: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Covariate:
    """A number of each row, perhaps in several columns (``poly``).

    Attributes
    ----------
    raw : ndarray, shape (n,)
        As in the data, before any transformation.
    transform, degree
        As in ``Factor``.
    centre, spread : float
        Of ``center`` and ``scale``: mean and standard deviation of the data.
    knots : tuple of (float, float)
        Of ``poly``: coefficients of the recurrence, which other values follow as well.
    """

    raw: Floats
    transform: str
    degree: int
    centre: float = 0.0
    spread: float = 1.0
    knots: tuple[tuple[float, float], ...] = ()

    def columns(self, values: Floats | None = None) -> Floats:
        """Return the columns of the data, or of other values, shape (n, columns)."""
        x = self.raw if values is None else np.asarray(values, float)
        if self.transform == "log":
            x = np.log(x)
        elif self.transform == "sqrt":
            x = np.sqrt(x)
        elif self.transform == "poly":
            return _polynomials((x - self.centre) / self.spread, self.knots)
        return ((x - self.centre) / self.spread)[:, None]

    def takes(self, value: float) -> bool:
        """Return whether the transformation of a value is a number."""
        if self.transform == "log":
            return value > 0
        return self.transform != "sqrt" or value >= 0


ModelColumn = Categories | Covariate


def _polynomials(x: Floats, knots: Iterable[tuple[float, float]]) -> Floats:
    """Return orthogonal polynomials by their three-term recurrence; R's ``poly``."""
    polynomials = [np.zeros_like(x), np.ones_like(x)]
    for shift, norm in knots:
        polynomials.append((x - shift) * polynomials[-1] - norm * polynomials[-2])
    return np.column_stack(polynomials[2:])


def _read_column(frame: pd.DataFrame, factor: Factor) -> ModelColumn:
    """Return one column of the data as a formula uses it.

    Raises
    ------
    InputError
        If it is not there, has missing or infinite values, or cannot be transformed.
    """
    values = require(frame, factor.column)
    numeric = _is_numeric(values)
    if factor.transform == "C" or not numeric:
        if factor.transform not in ("", "C"):
            raise InputError(
                f"{factor.label}: the column {show(factor.column)} contains no numbers"
            )
        if not factor.transform and isinstance(values.iloc[0], _TIMES):
            raise InputError(
                f"column {show(factor.column)} contains dates or times, first "
                f"{show(values.iloc[0])}: turn them into numbers, such as days, or "
                f"compare them as groups, C({written(factor.column)})"
            )
        return _categories(values, factor.column)
    return _covariate(numbers(values, factor.column), factor)


_TIMES = date | timedelta | np.datetime64 | np.timedelta64
"""Cells that are dates, points in time or durations; those of pandas are Python's."""


def _is_numeric(values: pd.Series) -> bool:
    """Return whether a column is of numbers, also of exact ones as databases have."""
    if pd.api.types.is_bool_dtype(values):
        return False
    if pd.api.types.is_numeric_dtype(values):
        return True
    if isinstance(values.dtype, pd.CategoricalDtype):
        return False
    cells = values.tolist()
    return all(arguments.is_number(c) or isinstance(c, Decimal) for c in cells)


def is_truth(values: pd.Series) -> bool:
    """Return whether a column is of true and false, some of which may be missing."""
    if pd.api.types.is_bool_dtype(values):
        return True
    if values.dtype != object:
        return False
    present = values[values.notna()]
    return len(present) > 0 and all(isinstance(v, bool | np.bool_) for v in present)


def require_known(name: str, columns: Collection[str]) -> None:
    """Reject a column that the data do not have; name those that they have."""
    if name not in columns:
        raise InputError(
            f"the data have no column {show(name)}{nearest(name, columns)}; "
            f"columns: {show_all(columns)}"
        )


def require(frame: pd.DataFrame, name: str) -> pd.Series:
    """Return a column without missing values, or reject it."""
    require_known(name, frame.columns)
    column: pd.Series = frame[name]
    missing = column.isna().to_numpy()
    if missing.any():
        raise InputError(
            f"column {show(name)} has {missing.sum()} missing values, first in row "
            f"{int(np.argmax(missing)) + 1}; leave such rows out, or set "
            + setting("missing", "drop-row")
        )
    return column


def _first_text(values: pd.Series) -> str:
    """Name the first cell that is no score, of some cells that may be."""
    cells = values.astype(str)
    parsed = pd.to_numeric(cells, errors="coerce").to_numpy(dtype=float)
    whys = [not_a_score(cell) for cell in cells]
    at = int(np.argmax(~np.isfinite(parsed) | [why is not None for why in whys]))
    why = "" if whys[at] in (None, "text") else f" is {whys[at]}"
    return f", first in row {at + 1}: {show(values.iloc[at])}{why}"


def numbers(values: pd.Series, name: str) -> Floats:
    """Return a column as finite floats."""
    if not _is_numeric(values):
        raise InputError(f"column {show(name)} is not numeric{_first_text(values)}")
    floats = arguments.numbers(values, f"column {show(name)}")
    bad = ~np.isfinite(floats)
    if bad.any():
        raise InputError(
            f"column {show(name)} is infinite in row {int(np.argmax(bad)) + 1}"
        )
    return floats


def _categories(values: pd.Series, name: str) -> Categories:
    """Return a column as groups; two levels at least."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        used = [c for c in values.cat.categories if (values == c).any()]
    else:
        with refused(f"column {show(name)} must hold text or numbers", TypeError):
            used = list(dict.fromkeys(values.tolist()))
    labels = [label_text(level) for level in used]
    if len(set(labels)) < len(labels):
        raise InputError(f"column {show(name)} has levels that look the same")
    if len(labels) < 2:
        raise InputError(
            f"column {show(name)} has one level, {show_all(labels)}: nothing can be "
            f"compared; leave it out of the formula"
        )
    place = {level: i for i, level in enumerate(used)}
    codes = np.array([place[level] for level in values.tolist()], np.intp)
    return Categories(codes, tuple(labels))


def _covariate(x: Floats, factor: Factor) -> Covariate:
    """Return a column of numbers, transformed."""
    kind, degree = factor.transform, factor.degree
    low = float(x.min())
    if (kind == "log" and low <= 0) or (kind == "sqrt" and low < 0):
        raise InputError(
            f"{factor.label} of {low:g} in row {int(np.argmin(x)) + 1} is not a number"
        )
    if kind in ("center", "scale", "poly") and len(np.unique(x)) <= max(degree, 1):
        raise InputError(
            f"{factor.label}: the column has {len(np.unique(x))} different values, "
            f"too few"
        )
    centre = exact_mean(x) if kind in ("center", "scale", "poly") else 0.0
    spread = 1.0
    if kind in ("scale", "poly"):
        spread = float(np.linalg.norm((x - centre) / (top := np.abs(x - centre).max())))
        spread *= float(top) / math.sqrt(len(x) - 1)
    covariate = Covariate(x, kind, degree, centre, spread)
    if kind != "poly":
        return covariate
    return Covariate(x, kind, degree, centre, spread, _recurrence(x, covariate))


def _recurrence(x: Floats, covariate: Covariate) -> tuple[tuple[float, float], ...]:
    """Return the coefficients of polynomials that are orthogonal over the data."""
    z = (x - covariate.centre) / covariate.spread
    before, now, knots = np.zeros_like(z), np.ones_like(z), []
    length = 1.0
    for _ in range(covariate.degree):
        own = float(now @ now)
        shift = float((z * now) @ now) / own
        norm = own / length if before.any() else 0.0
        knots.append((shift, norm))
        before, now, length = now, (z - shift) * now - norm * before, own
    return tuple(knots)


def read_columns(
    frame: pd.DataFrame, factors: Iterable[Factor]
) -> Mapping[Factor, ModelColumn]:
    """Return all columns of a formula."""
    return {factor: _read_column(frame, factor) for factor in dict.fromkeys(factors)}
