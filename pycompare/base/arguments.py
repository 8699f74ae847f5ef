"""Checks of arguments that many functions share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import lru_cache
from numbers import Integral, Real
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show, show_all
from pycompare.base.typing import Floats

_EXACT = 2**53
"""A double holds every whole number up to here."""
_NO_NUMBERS = bool | np.bool_ | np.timedelta64
"""Types that Python and NumPy register as numbers, and that measure nothing."""


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is one real number; truth values and text are none."""
    return isinstance(value, Real) and not isinstance(value, _NO_NUMBERS)


def is_whole(value: Any) -> TypeGuard[int]:
    """Return whether a value is one whole number of a type of whole numbers."""
    return isinstance(value, Integral) and not isinstance(value, _NO_NUMBERS)


def is_finite(value: Any) -> TypeGuard[float]:
    """Return whether a value is a number that a double holds, and finite."""
    try:
        return is_number(value) and math.isfinite(value)
    except OverflowError:  # a whole number or a fraction beyond the largest double
        return False


def check_flags(**flags: Any) -> None:
    """Reject a choice of yes or no that is neither True nor False."""
    for name, value in flags.items():
        if not isinstance(value, bool | np.bool_):
            raise InputError(setting(name, value) + ": give True or False")


LEAST_ALPHA = 1e-12
"""The least error rate: 1 minus a much smaller one is 1 in doubles."""
AN_ALPHA = f"a number between 0 and 1, at least {LEAST_ALPHA:g}"


def check_alpha(alpha: float) -> None:
    """Reject an error rate outside (0, 1), or one whose level of confidence is 1."""
    # Parts of an error rate, such as its half, may be below the least of the whole.
    if not (is_finite(alpha) and 0 < 1 - alpha < 1):
        raise InputError(setting("alpha", alpha) + f": give {AN_ALPHA}")


def alpha_or_level(
    alpha: float | None, level: float | None, *, joint: bool = False
) -> tuple[float | None, float]:
    """Return the alpha with which intervals agree, and their level until decisions.

    Alpha is None if ``level`` is given in its place. Neither is given: alpha is
    0.05, or with ``joint`` the level 0.95.
    """
    if alpha is not None and level is not None:
        raise InputError(
            f"alpha={alpha}, level={level}: intervals that agree with decisions at "
            "alpha, or with a level of their own; give one of them"
        )
    if level is None and (alpha is not None or not joint):
        alpha = 0.05 if alpha is None else alpha
        check_alpha(alpha)
        return alpha, 1 - alpha
    level = 0.95 if level is None else level
    check_level(level)
    return None, level


def check_level(level: float) -> None:
    """Reject a confidence level outside (0, 1)."""
    if not (is_finite(level) and 0 < level < 1):
        raise InputError(
            setting("level", level) + ": give a confidence level between 0 and 1"
        )


_MADE_WITH = {
    "Scores": "; make them with Scores.from_frame or Scores.from_wide, or measure "
    "predictions with Predictions.measure",
    "Ratings": "; make them with Ratings.from_frame",
}


def require(value: object, wanted: type) -> None:
    """Reject a value that is not of a class of ours, and state how to make one."""
    if not isinstance(value, wanted):
        name = wanted.__name__
        raise InputError(
            f"expected {name}, got {type(value).__name__}{_MADE_WITH.get(name, '')}"
        )


def check_word(name: str, value: Any, known: Iterable[str]) -> None:
    """Reject a word that is none of the known ones."""
    words = tuple(known)
    if value not in words:
        two = len(words) == 2
        listed = " or ".join(map(repr, words)) if two else "one of " + show_all(words)
        raise InputError(setting(name, value) + f": choose {listed}")


def check_seed(seed: Any) -> None:
    """Reject a random seed that is no whole number from 0 on."""
    if not is_whole(seed) or seed < 0:
        raise InputError(setting("seed", seed) + ": give a whole number, 0 or more")


def check_resampling(seed: Any, resamples: Any, *, least: int) -> None:
    """Reject a seed and a number of resamples that draw nothing."""
    if seed is not None:
        check_seed(seed)
    if resamples is not None and (not is_whole(resamples) or resamples < least):
        raise InputError(
            setting("resamples", resamples) + f": give a whole number, {least} or more"
        )


def array(values: Any, what: str) -> NDArray[Any]:
    """Return the values of an argument, in their order, as an array of any type.

    Parameters
    ----------
    values : array_like
        List, array, or column of a frame.
    what : str
        What holds them, for messages: ``"score"``.

    Raises
    ------
    InputError
        For what has no order or can be read only once, records, rows of unequal
        lengths, and values under a mask, which NumPy would hand on as if they were
        not masked.
    """
    try:
        raw = np.asarray(values)
    except ValueError as error:
        if "inhomogeneous" not in str(error):
            raise
        raise InputError(
            what + ": the rows differ in length or in depth; give rows of one length"
        ) from None
    if raw.dtype.kind == "O" and raw.ndim == 0 and not _is_scalar(values):
        raise InputError(
            what + f": {show(values)} of type {type(values).__name__} is no list of "
            "values; give a list, an array or a column of a frame"
        )
    if raw.dtype.kind == "V":
        raise InputError(what + ": expected one value at each place, got records")
    _refuse_masked(values, raw, what)
    # pandas takes no other order of bytes.
    return raw.astype(raw.dtype.newbyteorder("="), copy=False)


def case_labels(values: Any, what: str) -> NDArray[Any]:
    """Return the labels of cases as an array of any type.

    Raises
    ------
    InputError
        As `array`, and for a label that is missing.
    """
    labels = array(values, what)
    missing = np.argwhere(_missing(labels))
    if len(missing):
        raise InputError(
            what + f": {len(missing)} of {labels.size} values are missing, first"
            f"{_at(missing[0])}; leave such cases out"
        )
    return labels


def same_rows(**columns: Any) -> None:
    """Reject columns of pandas that hold the same rows in another order.

    Rows are paired by their positions. Columns whose rows have other names are treated
    as they stand: predictions often come without the names of the cases.

    Raises
    ------
    InputError
        If two have the same names of rows, but not in one order.
    """
    named = [
        (what, column.index)
        for what, column in columns.items()
        if not callable(getattr(column, "index", len))  # a list has a method
    ]
    for what, index in named[1:]:
        first, other = named[0]
        if len(index) != len(other) or index.equals(other):
            continue
        if index.is_unique and other.is_unique and not len(index.difference(other)):
            at = int(np.argmax(index != other))
            raise InputError(
                f"{first} and {what} have the same rows in another order, first at "
                f"position {at + 1}: {show(other[at])} and {show(index[at])}; put them "
                "into one order, or give arrays (to_numpy()) if positions are right"
            )


def numbers(values: Any, what: str, *, truth_values: bool = False) -> Floats:
    """Return an argument of numbers as float64 of the same shape.

    Parameters
    ----------
    values : array_like
        Numbers of any type that a double can hold; one that is missing (None, NaN, a
        missing value of pandas) becomes NaN.
    what : str
        What holds them, for messages: ``"p-values"``.
    truth_values : bool, default False
        Take true and false, if nothing else is there, for 1 and 0.

    Raises
    ------
    InputError
        As `array`, and for text, dates, complex and truth values, and for numbers
        that no double holds; names the first.
    """
    raw = array(values, what)
    kind = raw.dtype.kind
    if isinstance(values, list | tuple) and (kind in "US" or _altered(values)):
        raw, kind = np.array(values, object), "O"
    if kind == "O":
        return _from_objects(raw, what, truth_values)
    if kind == "b" and truth_values:
        return raw.astype(float)
    if kind not in "iuf":
        first = [show(_plain(value)) for value in raw.ravel()[:1]]
        received = ", first ".join([_KINDS.get(kind, f"type {raw.dtype}"), *first])
        raise InputError(what + f": expected numbers, got {received}")
    if kind in "iu" and raw.size and not _all_exact(raw):
        return _from_objects(raw.astype(object), what, truth_values)
    with np.errstate(over="ignore"):
        floats: Floats = np.array(raw, dtype=float)
    if raw.dtype.itemsize > floats.dtype.itemsize:
        lost = np.isinf(floats) & ~np.isinf(raw)
        if lost.any():
            raise InputError(_no_double(np.argwhere(lost)[0], raw[lost][0], what))
    return floats


_KINDS = {
    "b": "true or false",
    "c": "complex numbers",
    "M": "dates",
    "m": "times",
    "U": "text",
    "S": "bytes",
}
"""What an array holds that are no numbers."""


def _is_scalar(value: Any) -> bool:
    """Return whether an object is one value, not a collection of them."""
    return isinstance(value, Real | Decimal | np.ndarray)


def _altered(values: Sequence[Any]) -> bool:
    """Return whether NumPy turns a value of lists into another beside numbers.

    That is true, false or a whole number that no double holds.
    """
    return any(
        isinstance(value, bool | np.bool_)
        or (isinstance(value, int) and abs(value) > _EXACT)
        or (isinstance(value, list | tuple) and _altered(value))
        for value in values
    )


def _refuse_masked(values: Any, raw: NDArray[Any], what: str) -> None:
    """Reject values under a mask."""
    if np.ma.isMaskedArray(values):
        mask = np.ma.getmaskarray(values)
    elif raw.dtype.kind == "O":
        cells = [value is np.ma.masked for value in raw.ravel().tolist()]
        mask = np.reshape(np.array(cells, bool), raw.shape)
    else:
        return
    places = np.argwhere(mask)
    if len(places):
        raise InputError(
            what + f": {len(places)} of {raw.size} values are masked, first"
            f"{_at(places[0])}; leave them out, or fill them (.filled)"
        )


def _all_exact(whole: NDArray[Any]) -> bool:
    """Return whether whole numbers are within what doubles can distinguish."""
    return int(whole.max()) <= _EXACT and int(whole.min()) >= -_EXACT


def _from_objects(raw: NDArray[Any], what: str, truth_values: bool) -> Floats:
    """Return Python objects as floats; a missing one becomes NaN."""
    cells = raw.ravel().tolist()
    truth = truth_values and all(isinstance(cell, bool | np.bool_) for cell in cells)
    floats = np.empty(raw.shape)
    for at, cell in zip(np.ndindex(raw.shape), cells, strict=True):
        if _is_missing(cell):
            floats[at] = np.nan
            continue
        if not (is_number(cell) or isinstance(cell, Decimal) or truth):
            raise InputError(
                what + f": expected numbers, got {show(cell)} of type "
                f"{type(cell).__name__}{_at(at)}"
            )
        if (number := as_double(cell)) is None:
            raise InputError(_no_double(at, cell, what))
        floats[at] = number
    return floats


def _missing(raw: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which values are missing."""
    if raw.dtype.kind == "O":
        flags = [_is_missing(cell) for cell in raw.ravel().tolist()]
        return np.reshape(np.array(flags, bool), raw.shape)
    if raw.dtype.kind in "mM":
        return np.isnat(raw)
    return np.asarray(raw != raw)


def _is_missing(cell: Any) -> bool:
    """Return whether an object stands for a missing value."""
    if cell is None:
        return True
    if isinstance(cell, Decimal):
        return cell.is_nan()
    if is_of_pandas(cell):
        import pandas as pd

        return cell is pd.NA or cell is pd.NaT
    return isinstance(cell, Real) and cell != cell


def is_of_pandas(value: Any) -> bool:
    """Return whether the class of a value is of pandas, or derived from one that is.

    Who asks this first imports pandas only if there is something of it.
    """
    return _is_class_of_pandas(type(value))  # type: ignore[arg-type]


@lru_cache
def _is_class_of_pandas(kind: type) -> bool:
    return any(base.__module__.partition(".")[0] == "pandas" for base in kind.__mro__)


def as_double(number: Any) -> float | None:
    """Return a number as a double; None if no double is near, or is that number."""
    try:
        double = float(number)
    except (OverflowError, ValueError):  # too large, or a signalling NaN
        return None
    whole = int(number) if is_whole(number) else 0
    if abs(whole) > _EXACT and int(double) != whole:
        return None
    infinite = isinstance(number, Decimal) and number.is_infinite()
    return None if math.isinf(double) and not infinite and number != double else double


def _no_double(at: Sequence[int], number: Any, what: str) -> str:
    """Return the message that a number cannot be held."""
    return (
        what + f": float64 cannot hold {show(_plain(number))}{_at(at)}; give smaller "
        "numbers"
    )


def _plain(number: Any) -> Any:
    return number.item() if isinstance(number, np.generic) else number


def _at(place: Sequence[int]) -> str:
    """Name a value's place among several, counted from 1."""
    return f" at position {', '.join(str(i + 1) for i in place)}" if len(place) else ""


def orders_within(
    permutations: ArrayLike, groups: NDArray[Any], leaves: str
) -> NDArray[np.int64]:
    """Return permutations that were handed in, each a row of positions.

    ``leaves`` states what is wrong about one that moves a position to another group.
    """
    orders, n = array(permutations, "permutations"), len(groups)
    if orders.ndim != 2 or orders.shape[1] != n or not len(orders):
        raise InputError(
            f"permutations have shape {orders.shape}; give one row of {n} positions "
            "for each permutation"
        )
    wrong = (np.sort(orders, axis=1) != np.arange(n)).any(axis=1)
    if wrong.any():
        raise InputError(
            f"row {np.argmax(wrong)} of permutations does not hold each position "
            f"0, ..., {n - 1} once; R counts from 1: subtract 1"
        )
    orders = orders.astype(np.int64)
    mixed = (groups[orders] != groups).any(axis=1)
    if mixed.any():
        raise InputError(f"row {np.argmax(mixed)} of permutations {leaves}")
    return orders
