"""What a number of a result is, declared once.

A declaration states where a number stands, its meaning, its value if a pair is turned
round, and what R calls it. Frames, squares of pairs, ``r_values`` and the links
of results.json to R's numbers come from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pycompare.base.tables import Held, is_frame, is_series, is_table

QuantityKind = Literal[
    "count", "df", "error", "estimate", "label", "limit", "mean", "p", "ratio",
    "share", "statistic", "sum",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Turned:
    """What becomes of a column if the algorithms of a pair change places.

    Attributes
    ----------
    by : {"same", "minus", "inverse", "rest", "share"}
        ``rest``: the remainder of ``column``, such as a count of all trials;
        ``share``: the remainder of 1.
    column : str
        The column that it changes places with; empty: none.
    """

    by: Literal["same", "minus", "inverse", "rest", "share"] = "same"
    column: str = ""

    def of(self, own: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
        """Return the numbers of turned pairs; ``other`` is ``column``, or ``own``."""
        if self.by == "inverse":
            with np.errstate(divide="ignore"):
                return np.asarray(1 / other)
        if self.by == "rest":
            return np.asarray(other - own)
        if self.by == "share":
            return np.asarray(1 - other)
        return -other if self.by == "minus" else other


_SAME = Turned()
MINUS = Turned("minus")


@dataclass(frozen=True, slots=True)
class ResultQuantity:
    """A number or column of a result.

    Attributes
    ----------
    path : str
        Where it stands in ``to_dict``: ``table/p_value``, ``omnibus/statistic``.
    kind : str
    unit : str
        ``metric``, ``rank``, ``position`` (the quantity in which the pairs are
        compared) or nothing.
    turned : Turned
        What becomes of it if a pair is turned round.
    r : str or None
        R's name; by default the path without ``table``. None: R has no such number.
    only : str
        Attribute of the result that states whether R has it; empty: always.
    """

    path: str
    kind: QuantityKind
    unit: str = ""
    turned: Turned = _SAME
    r: str | None = ""
    only: str = ""

    @property
    def name(self) -> str:
        """The column's name, the last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def in_r(self) -> str | None:
        """R's name."""
        default = self.path.removeprefix("table/").replace("/", "_")
        return default if self.r == "" else self.r


Schema = tuple[ResultQuantity, ...]


def column(name: str, kind: QuantityKind, **options: Any) -> ResultQuantity:
    """Return a column of the result's own table."""
    return ResultQuantity(f"table/{name}", kind, **options)


def changed(schema: Schema, *names: str, **options: Any) -> Schema:
    """Return a schema with another declaration of some columns, or of all."""
    return tuple(
        replace(q, **options) if not names or q.name in names else q for q in schema
    )


def of_ratios(schema: Schema) -> Schema:
    """Return a schema whose estimate is a ratio, of no unit, with its limits."""
    return _without_unit(schema, "ratio", "inverse")


def of_shares(schema: Schema) -> Schema:
    """Return a schema whose estimate is a share of two, with its error and limits."""
    schema = changed(schema, "std_error", unit="")
    return _without_unit(schema, "share", "share")


def _without_unit(
    schema: Schema, kind: QuantityKind, turned: Literal["inverse", "share"]
) -> Schema:
    """Return a schema with an estimate and limits of no unit, turned in one way."""
    for end, other in {"low": "conf_high", "high": "conf_low"}.items():
        schema = changed(schema, f"conf_{end}", unit="", turned=Turned(turned, other))
    return changed(schema, "estimate", kind=kind, unit="", turned=Turned(turned))


def turned_of(schema: Schema, name: str) -> Turned:
    """Return what becomes of a column if a pair is turned round."""
    return next((q.turned for q in schema if q.path == f"table/{name}"), _SAME)


def values_for_r(result: Any, schema: Iterable[ResultQuantity]) -> dict[str, Any]:
    """Return a result's numbers under R's names."""
    return {
        q.in_r: _value(result, q.path)
        for q in schema
        if q.in_r is not None and (not q.only or getattr(result, q.only))
    }


def _value(result: Any, path: str) -> Any:
    """Return what stands at a path of a result, rows of matrices one after another."""
    first, _, rest = path.partition("/")
    if first == "table":
        return result.columns_in_r(rest)[rest]
    part = result.held(first)
    for name in rest.split("/") if rest else ():
        part = part[name] if is_table(part) else getattr(part, name)
    if is_frame(part) or is_series(part) or isinstance(part, Held):
        return np.ravel(np.asarray(part, float))
    return part
