"""The first figure of a plan with a margin: differences beside the margin."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

from pycompare.base.formatting.numbers import percent
from pycompare.plotting.forest import forest as drawn
from pycompare.reporting import document as doc
from pycompare.reporting.content.build import (
    BETWEEN,
    ESTIMATES,
    Field,
    by_evidence,
    table,
)
from pycompare.reporting.content.forest import better_sides
from pycompare.reporting.content.margin_report import MarginTest, margin_text
from pycompare.reporting.content.rivals import decimals_of, first_rows
from pycompare.results.result import Test


@dataclass(frozen=True)
class _Difference:
    """One difference that is held against the margin."""

    name: str
    estimate: float
    limits: tuple[float, float] | None  # None if it could not be tested
    p_adjusted: float
    shown: bool


def margin_forest(tests: MarginTest) -> doc.Forest | None:
    """Return differences and their intervals beside the margin; None without any."""
    rows, listed = _listed(tests)
    if not any(row.limits for row in listed):
        return None
    at = margin_places(tests)
    null, first, second, alone = 0.0, "first", "second", False
    if isinstance(tests, Test):
        first, second, alone = tests.algorithm_1, tests.algorithm_2, True
    else:
        null = 1.0 if tests.differences == "ratio" else 0.0
        if tests.control is not None:
            first, second = "the other", tests.control
    kind = ESTIMATES[null]
    title = f"{first} {BETWEEN[null]} {second}, {kind} in {tests.metric}"
    band = (tests.margin_low, tests.margin_high)
    caption = _caption(tests, len(rows), len(listed))

    def text(row: _Difference) -> str:
        estimate = doc.aligned(row.estimate, at, 3)
        if row.limits is None:
            return estimate
        return f"{estimate} {doc.interval_text(row.limits, at)}"

    return doc.Forest(
        doc.Figure(
            "margin",
            partial(
                drawn,
                [(row.name, row.estimate, row.limits, row.shown) for row in listed],
                title,
                null=null,
                band=band,
            ),
            f"{kind.capitalize()}s and the margin: {title}. {caption}",
            "; ".join(f"{row.name}: {text(row)}" for row in listed),
        ),
        table(
            caption,
            listed,
            Field("Pair", "label", lambda row: row.name),
            Field(f"{kind} [interval]", "digits", text),
            Field("p" if alone else "adj. p", "p", "p_adjusted", tests.alpha),
        ),
        tuple(doc.ForestRow(row.estimate, row.limits, row.shown) for row in listed),
        title,
        better_sides(first, second, tests.better),
        null,
        band,
    )


def margin_places(tests: MarginTest) -> int | None:
    """Return how many decimals differences have; see ``rivals.places``."""
    _, listed = _listed(tests)
    return decimals_of(
        [row.estimate for row in listed],
        [row.limits for row in listed if row.limits is not None],
    )


def _listed(tests: MarginTest) -> tuple[list[_Difference], list[_Difference]]:
    """Return the differences that have a number, and those of the first figure."""
    rows = [row for row in _rows(tests) if math.isfinite(row.estimate)]
    return rows, first_rows(rows)


def _rows(tests: MarginTest) -> list[_Difference]:
    """Return every difference, the strongest evidence first."""
    if isinstance(tests, Test):
        name = f"{tests.algorithm_1} – {tests.algorithm_2}"
        limits = _known(tests.conf_low, tests.conf_high)
        return [_Difference(name, tests.estimate, limits, tests.p_value, tests.shown)]
    return [
        _Difference(
            f"{row.algorithm_1} – {row.algorithm_2}",
            float(row.estimate),
            _known(float(row.conf_low), float(row.conf_high)),
            float(row.p_adjusted),
            bool(row.shown),
        )
        for row in by_evidence(tests.as_columns()).itertuples()
    ]


def _known(low: float, high: float) -> tuple[float, float] | None:
    return None if math.isnan(low) or math.isnan(high) else (low, high)


def _caption(tests: MarginTest, every: int, shown: int) -> str:
    """Describe the margin, the intervals and the marks."""
    told = [f"Margin: {margin_text(tests)}, shaded."]
    if every > shown:
        told.append(f"The {shown} pairs with the strongest evidence of {every}.")
    interval = tests.interval if not isinstance(tests, Test) else percent(tests.level)
    told.append(
        f"Interval{'s' * (every > 1)}: {interval}; a pair is shown exactly if its "
        "interval lies within the margin."
    )
    told.append(
        f"Filled marks and bold values: {tests.kind} is shown at one-sided alpha = "
        f"{tests.alpha:g}."
    )
    return " ".join(told)
