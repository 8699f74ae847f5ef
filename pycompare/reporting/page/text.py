"""Results as plain text."""

from __future__ import annotations

import pandas as pd

from pycompare.formatting.numbers import degrees, number, p_equals, p_text, percent
from pycompare.pairs.common import PairTest
from pycompare.pairs.wilcoxon import WilcoxonResult
from pycompare.results import Estimate, PairsResult, Result, Test


def summary(result: Result, digits: int = 4) -> str:
    """Return a result as text, rounded to ``digits`` significant digits."""
    if isinstance(result, Test):
        return test_text(result, digits)
    if isinstance(result, Estimate):
        return (
            f"{result.name} = {number(result.estimate, digits)}, "
            f"{percent(result.level)} interval [{number(result.conf_low, digits)}, "
            f"{number(result.conf_high, digits)}] ({result.method})"
        )
    if isinstance(result, PairsResult):
        form = " (monotone)" if getattr(result, "monotone", False) else ""
        head = f"{result.method}; adjusted: {result.adjust}{form}, over {result.family}"
        return f"{head}\n{table_text(result.to_frame(), digits)}"
    return table_text(result.to_frame(), digits)


def test_text(test: Test, digits: int) -> str:
    """Return one line, and a line per note."""
    df = f"({degrees(test.df)})" if test.df is not None else ""
    line = (
        f"{test.name}: {test.statistic_name}{df} = "
        f"{number(test.statistic, digits)}, {p_equals(test.p_value, digits=digits)} "
        f"({test.p_source})"
    )
    lines = [line, *(f"  note: {note}" for note in test.notes)]
    if isinstance(test, PairTest):
        lines.insert(1, f"  {estimate_text(test, digits)}")
    return "\n".join(lines)


def estimate_text(test: PairTest, digits: int) -> str:
    """Return the estimate of a pair with its interval."""
    sides = "" if test.alternative == "two-sided" else "one-sided "
    return (
        f"{test.estimate_name} = {number(test.estimate, digits)}, "
        f"{percent(test.reached)} {sides}interval [{number(test.conf_low, digits)}, "
        f"{number(test.conf_high, digits)}]{short_of(test)}"
    )


def short_of(test: PairTest) -> str:
    """Say that an interval is short of its level, if it is."""
    if not isinstance(test, WilcoxonResult) or test.reached == test.level:
        return ""
    return f" ({test.n_blocks} blocks are too few for {percent(test.level)})"


def table_text(table: pd.DataFrame, digits: int) -> str:
    """Return a table with each number rounded by its kind."""
    shown = table.copy()
    for name in shown.columns:
        if name.startswith("p_") and name != "p_source":
            shown[name] = [p_text(p, digits=digits) for p in shown[name]]
        elif pd.api.types.is_float_dtype(shown[name]):
            shown[name] = [number(v, digits) for v in shown[name]]
    return shown.to_string(index=False)
