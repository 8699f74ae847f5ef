"""Columns of tables: what a cell holds says how it is written, aligned and sorted.

Rows hold values at full precision. A column's kind rounds them:

``label``, ``text``
    Words, on the left; a label names the row and may be sorted.
``count``
    Whole numbers.
``estimate``, ``number``
    Numbers with as many decimals in every row, so that points stand below each other.
``interval``
    Two limits, ``(low, high)``.
``p``
    p-values, three decimals, never 0; those at most ``alpha`` are marked.
``digits``
    Text made of numbers: degrees of freedom, wins / ties / losses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pycompare.formatting.numbers import number
from pycompare.formatting.rounding import fixed
from pycompare.reporting.document.inline import Inline

Kind = Literal[
    "label", "text", "count", "number", "estimate", "interval", "p", "digits"
]
_WORDS = frozenset({"label", "text"})
_NONE = "–"
"""Written where there is no value."""
_MOST_DECIMALS = 6
_SMALLEST_P, _LARGEST_P = 0.001, 0.999


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    title: str
    kind: Kind = "text"  # see the module
    # Of a column of p-values: those at most "alpha" are marked as significant.
    alpha: float | None = None
    digits: int = 3  # significant digits of the largest number

    @property
    def numeric(self) -> bool:
        """Whether cells stand on the right, in figures of equal width."""
        return self.kind not in _WORDS


@dataclass(frozen=True)
class Cell:
    """A cell as it is shown: text, the number to sort by, whether it is marked."""

    text: Inline
    order: float | None = None
    marked: bool = False


def cells(column: Column, values: Sequence[Any]) -> list[Cell]:
    """Return the cells of one column."""
    return _FORMATS[column.kind](column, values)


def p_text(p: float, alpha: float | None = None) -> str:
    """Return a p-value with three decimals, more where rounding would cross alpha.

    Examples
    --------
    >>> p_text(0.01234), p_text(4e-9), p_text(0.99999), p_text(0.0500001, 0.05)
    ('0.012', '< 0.001', '> 0.999', '0.0500001')
    >>> p_text(2.8349e-8, 2.834e-8)
    '2.835e−8'
    """
    if math.isnan(p):
        return _NONE
    if p < _SMALLEST_P and (alpha is None or alpha >= _SMALLEST_P):
        return f"< {_SMALLEST_P}"
    if p == 1:
        return "1.000"
    if p > _LARGEST_P and (alpha is None or alpha < _LARGEST_P):
        return f"> {_LARGEST_P}"
    if not p:
        return "< 5e−324"
    for digits in range(3, 18):
        text = number(p, digits) if p < _SMALLEST_P / 10 else fixed(p, digits)
        shown = float(text.replace("−", "-"))
        if alpha is None or (shown <= alpha) == (p <= alpha):
            return text
    return repr(p)


def p_equals(p: float, alpha: float | None = None) -> str:
    """Return ``p = 0.012`` or ``p < 0.001``.

    Examples
    --------
    >>> p_equals(0.01234), p_equals(4e-9)
    ('p = 0.012', 'p < 0.001')
    """
    text = p_text(p, alpha)
    return f"p {text}" if text[0] in "<>" else f"p = {text}"


def decimals(values: Sequence[float], digits: int) -> int | None:
    """Return how many decimals show ``digits`` digits of the largest number.

    None where the largest is too small or too large for plain decimals.
    """
    finite = [abs(v) for v in values if math.isfinite(v) and v != 0]
    if not finite:
        return 0
    exponent = math.floor(math.log10(max(finite)))
    if not -_MOST_DECIMALS < exponent < _MOST_DECIMALS + 1:
        return None
    return min(max(0, digits - 1 - exponent), _MOST_DECIMALS + digits)


def aligned(value: float | None, places: int | None, digits: int) -> str:
    """Return a number with so many decimals; what would become 0 with more of them."""
    if value is None or math.isnan(value):
        return _NONE
    if places is None or not math.isfinite(value):
        return number(value, digits)
    text = fixed(value, places)
    if value and not float(text):
        return _small(value, places)
    return text.replace("-", "−")


def _small(value: float, places: int) -> str:
    """Return ``0.00012``; what is smaller still, such as rounding error, as a bound."""
    needed = 1 - math.floor(math.log10(abs(value)))
    if needed <= _MOST_DECIMALS + 2:
        return f"{value:.{needed}f}".replace("-", "−")
    least = f"{10**-places:.{places}f}"
    return f"< {least}" if value > 0 else f"> −{least}"


def _words(column: Column, values: Sequence[Inline]) -> list[Cell]:
    return [Cell(value) for value in values]


def _counts(column: Column, values: Sequence[int | None]) -> list[Cell]:
    return [Cell(_NONE) if v is None else Cell(str(v), float(v)) for v in values]


def _numbers(column: Column, values: Sequence[float | None]) -> list[Cell]:
    known = [v for v in values if v is not None]
    places = decimals(known, column.digits)
    return [Cell(aligned(v, places, column.digits), v) for v in values]


def _intervals(
    column: Column, values: Sequence[tuple[float, float] | None]
) -> list[Cell]:
    places = decimals([limit for v in values if v is not None for limit in v], 3)
    return [Cell(_NONE) if v is None else _interval(v, places) for v in values]


def _interval(limits: tuple[float, float], places: int | None) -> Cell:
    if all(map(math.isnan, limits)):
        return Cell(_NONE)
    low, high = (aligned(limit, places, 3) for limit in limits)
    return Cell(f"[{low}, {high}]", limits[0])


def _p_values(column: Column, values: Sequence[float | None]) -> list[Cell]:
    return [
        Cell(_NONE)
        if p is None
        # The one rule of decisions, pycompare.results.rejected, on one number.
        else Cell(
            p_text(p, column.alpha), p, column.alpha is not None and p <= column.alpha
        )
        for p in values
    ]


_FORMATS: dict[str, Callable[[Column, Sequence[Any]], list[Cell]]] = {
    "label": _words,
    "text": _words,
    "digits": _words,
    "count": _counts,
    "number": _numbers,
    "estimate": _numbers,
    "interval": _intervals,
    "p": _p_values,
}
