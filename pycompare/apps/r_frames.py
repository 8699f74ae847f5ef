"""Tables from and to an R session: plain lists, with missing values beside them.

R has a missing value for each kind, which does not survive the way to Python:
an integer NA arrives as -2147483648, a logical one as true, a text as "NA". So a column
is a list of values and a list that states which of them are missing, both ways.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from pycompare.base.labels import label_text

RColumn = dict[str, Any]
"""``kind`` (double, integer, logical, character), ``values`` and ``missing``.

A factor is of kind character and has ``levels``.
"""

_IN_PLACE: dict[str, Any] = {
    "double": np.nan, "integer": 0, "logical": False, "character": "",
}  # fmt: skip
"""What stands in the place of a missing value."""
_LARGEST_INTEGER = 2**31 - 1
"""Larger ones are doubles in R."""


def from_r(columns: Mapping[str, RColumn]) -> pd.DataFrame:
    """Return the table of an R data frame; missing values are NaN or None."""
    return pd.DataFrame({name: _series(column) for name, column in columns.items()})


def _series(column: RColumn) -> pd.Series:
    values, missing = _listed(column["values"]), _listed(column["missing"])
    if column["kind"] == "double":
        return pd.Series(np.where(missing, np.nan, np.array(values, float)))
    pairs = zip(values, missing, strict=True)
    cells = [None if gone else value for value, gone in pairs]
    if "levels" in column:  # a factor, whose levels have an order
        kind = pd.CategoricalDtype(_listed(column["levels"]))
        return pd.Series(cells, dtype=kind)
    if column["kind"] == "integer":
        return pd.Series(cells, dtype=float if any(missing) else int)
    return pd.Series(cells, dtype=object)


def _listed(values: Any) -> list[Any]:
    """Return a list; reticulate passes a vector of one element as that element."""
    return list(values) if isinstance(values, list | tuple) else [values]


def to_r(frame: pd.DataFrame) -> dict[str, RColumn]:
    """Return a table as columns of plain lists."""
    return {str(name): _column(frame[name].tolist()) for name in frame}


def _column(values: list[Any]) -> RColumn:
    """Return one column; text unless it is numbers or truth values."""
    missing = [_is_missing(value) for value in values]
    known = [value for value, gone in zip(values, missing, strict=True) if not gone]
    kind = _kind(known)
    cast: Any = {"double": float, "integer": int, "logical": bool}.get(kind, label_text)
    filled = [
        _IN_PLACE[kind] if gone else cast(value)
        for value, gone in zip(values, missing, strict=True)
    ]
    return {"kind": kind, "values": filled, "missing": missing}


def _is_missing(value: Any) -> bool:
    """Return whether a cell holds nothing."""
    return (
        value is None or value is pd.NA or (isinstance(value, float) and value != value)
    )


def _kind(known: list[Any]) -> str:
    """Return R's kind of a column, from its values that are not missing."""
    if known and all(isinstance(value, bool | np.bool_) for value in known):
        return "logical"
    if not all(isinstance(value, int | float | np.number) for value in known):
        return "character"
    whole = all(isinstance(value, int | np.integer) for value in known)
    small = all(abs(value) <= _LARGEST_INTEGER for value in known)
    return "integer" if known and whole and small else "double"
