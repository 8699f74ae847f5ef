"""The one writer of reports: page, numbers, pictures, R code in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from pycompare.reporting.content.page import Report, Result
from pycompare.reporting.edition import Edition
from pycompare.reporting.render import FORMATS


def write(report: Report, results: dict[str, Any], new: Path, edition: Edition) -> None:
    """Write every file of a report into a new folder.

    ``results`` is what results.json holds.
    """
    for part in ("tables", "figures"):
        (new / part).mkdir()
    for result in report.results:
        write_tables(result, new)
    document = report.document()
    for figure in document.figures():
        path = new / "figures" / f"{figure.name}.svg"
        path.write_text(figure.svg, encoding="utf-8")
    for made in (FORMATS[name] for name in edition.formats):
        (new / f"report.{made.ending}").write_bytes(made.render(document))
    if any(FORMATS[name].figures == "pdf" for name in edition.formats):
        for figure in document.figures():
            (new / "figures" / f"{figure.name}.pdf").write_bytes(figure.pdf())
    (new / "repeat_in_R.R").write_text(report.script, encoding="utf-8")
    text = json.dumps(results, indent=1, allow_nan=False)
    (new / "results.json").write_text(f"{text}\n", encoding="utf-8")


def write_tables(result: Result, new: Path) -> None:
    """Write the tables of one result as CSV, full precision."""
    for name, table in result.tables.items():
        path = new / "tables" / f"{result.prefix}{name}.csv"
        path.write_text(to_csv(table), encoding="utf-8")


def to_csv(table: pd.DataFrame) -> str:
    """Return CSV text in which no cell is a formula for a spreadsheet.

    A label that begins with ``= + - @`` gets an apostrophe in front; results.json has
    the labels as they are.
    """
    safe = table.copy()
    safe.columns = [no_formula(c) for c in safe.columns]
    for name in safe.columns:
        if not pd.api.types.is_numeric_dtype(safe[name]):
            safe[name] = [no_formula(v) for v in safe[name]]
    return safe.to_csv(index=False, lineterminator="\n")


def no_formula(value: object) -> object:
    """Return text that a spreadsheet shows instead of running it."""
    if isinstance(value, str) and value.lstrip()[:1] in ("=", "+", "-", "@"):
        return f"'{value}"
    return value
