"""CSV text that no spreadsheet runs, and in which different labels stay different."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

_FORMULA = re.compile(r"[\s']*[=+\-@]")


def to_csv(table: pd.DataFrame) -> str:
    """Return CSV text in which no cell is a formula for a spreadsheet.

    A label that begins with ``= + - @`` gets an apostrophe in front; results.json has
    the labels as they are.
    """
    return columns_csv(
        [(str(name), table.iloc[:, i].tolist()) for i, name in enumerate(table)]
    )


def columns_csv(columns: Sequence[tuple[str, Iterable[Any]]]) -> str:
    """Return columns as CSV text, numbers with all digits; names may repeat."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([no_formula(name) for name, _ in columns])
    writer.writerows(zip(*(map(_cell, values) for _, values in columns), strict=True))
    return text.getvalue()


def no_formula(value: object) -> object:
    """Return text that a spreadsheet shows instead of running it.

    Different labels stay different: ``'=1`` gets one more apostrophe.
    """
    if isinstance(value, str) and _FORMULA.match(value):
        return f"'{value}"
    return value


def _cell(value: Any) -> Any:
    """Return a cell as it is written; a missing number is empty.

    The writer gives other numbers all their digits.
    """
    if isinstance(value, float):
        return "" if math.isnan(value) else value
    return "" if value is pd.NA else no_formula(value)
