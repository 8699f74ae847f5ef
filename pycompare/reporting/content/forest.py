"""The first figure and table: one algorithm minus each rival, with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pycompare.base.formatting.numbers import percent
from pycompare.plotting.forest import ForestLine
from pycompare.plotting.forest import forest as drawn
from pycompare.reporting import document as doc
from pycompare.reporting.content import wording
from pycompare.reporting.content.build import BETWEEN, ESTIMATES, Field, table
from pycompare.reporting.content.facts import Outcome, PairFact
from pycompare.reporting.content.rivals import (
    against,
    first_and_second,
    places,
    reference,
    shown,
)

_NAME = 20
"""Letters of a name beside the axis."""


def forest(
    outcome: Outcome,
    band: tuple[float, float] | None = None,
    beneath: Sequence[tuple[str, float]] = (),
    noun: str = "",
    hollow: str = "",
) -> doc.Forest | None:
    """Return the first figure with its table; None if pairs have no estimates.

    ``beneath``: names and estimates that describe, such as those of single readers
    (the ``noun``), which are not tested. They are dots, or hollow marks if ``hollow``
    states what these are.
    """
    facts, subject = shown(outcome), reference(outcome)
    if not facts or not all(map(_estimated, facts)):
        return None
    first = facts[0]
    minus = BETWEEN[first.null]
    title = f"{first.estimate_name} in {outcome.metric.name}"
    if subject is None and len(facts) == 1:
        title = f"{first.subject} {minus} {first.object}, {title}"
    elif subject is None:
        title = f"first {minus} second, {title}"
    else:
        first_name, second_name = first_and_second(outcome, subject, "rival")
        title = f"{first_name} {minus} {second_name}, {title}"
    rows = tuple(
        doc.ForestRow(
            float(f.estimate or 0.0), None if f.apart else _limits(f), f.significant
        )
        for f in facts
    )
    names = [_name(f, subject) for f in facts]
    drawing: list[ForestLine] = [
        (name, row.estimate, row.limits, row.shown)
        for name, row in zip(names, rows, strict=True)
    ]
    mark = False if hollow else None
    drawing += [(name, estimate, None, mark) for name, estimate in beneath]
    caption = _caption(outcome, facts, subject)
    listed = _table(outcome, facts, subject, caption)
    if beneath:
        caption += f" {hollow}" if hollow else f" Dots: each {noun}, not tested."
        at, rest = places(outcome), (None,) * (len(listed.columns) - 2)
        more = tuple((name, doc.aligned(x, at, 3), *rest) for name, x in beneath)
        listed = replace(listed, caption=caption, rows=(*listed.rows, *more))
    rows += tuple(doc.ForestRow(estimate, None, mark) for _, estimate in beneath)
    return doc.Forest(
        doc.Figure(
            "differences",
            partial(drawn, drawing, title, null=first.null, band=band),
            f"{ESTIMATES[first.null].capitalize()}s: {title}. {caption}",
            "; ".join(
                f"{n}: {numbers(f, outcome)}" for n, f in zip(names, facts, strict=True)
            ),
        ),
        listed,
        rows,
        title,
        _sides(outcome, facts, subject),
        first.null,
        band,
    )


def _estimated(fact: PairFact) -> bool:
    return fact.estimate is not None and math.isfinite(fact.estimate)


def _name(fact: PairFact, subject: str | None) -> str:
    return fact.title if subject is None else fact.other(subject)


def numbers(fact: PairFact, outcome: Outcome) -> str:
    """Return the estimate of a pair and its interval: ``0.007 [−0.024, 0.071]``."""
    at = places(outcome)
    estimate = doc.aligned(fact.estimate, at, 3)
    limits = _limits(fact)
    return estimate + (f" {doc.interval_text(limits, at)}" if limits else "")


def _limits(fact: PairFact) -> tuple[float, float] | None:
    """Return the interval of a fact, if it has one."""
    known = fact.interval is not None and not any(map(math.isnan, fact.interval))
    return fact.interval if known else None


def _table(
    outcome: Outcome, facts: Sequence[PairFact], subject: str | None, caption: str
) -> doc.Table:
    """Return the table beside the picture."""
    first = facts[0]
    heading = "Pair" if subject is None else "Rival, nearest first"
    alone = first.alone
    intervals = any(map(_limits, facts))
    name = ESTIMATES[first.null]
    level = f"[{percent(first.level)} CI]" if alone else "[interval]"
    values = []
    if subject is not None and outcome.values:
        kind: doc.ColumnKind = "count" if outcome.whole else "estimate"
        as_number = int if outcome.whole else float
        values = [
            Field(
                outcome.quantity,
                kind,
                lambda f: as_number(outcome.values[f.other(subject)]),
            )
        ]
    return table(
        caption,
        facts,
        Field(heading, "label", lambda f: _name(f, subject)),
        Field(
            f"{name} {level}" if intervals else name,
            "digits",
            lambda f: numbers(f, outcome),
        ),
        Field("p" if alone else "adj. p", "p", "p_adjusted", outcome.alpha),
        *values,
    )


def _caption(outcome: Outcome, facts: Sequence[PairFact], subject: str | None) -> str:
    """Describe the intervals, and the meaning of the marks."""
    told = []
    every = len(outcome.pairs) if subject is None else len(against(outcome, subject))
    if every > len(facts):
        told.append(f"The {len(facts)} smallest differences of {every}.")
    if subject is not None and outcome.values:
        own = wording.number_of(outcome, subject)
        told.append(f"{subject}: {outcome.quantity} {own}{outcome.counted}.")
    if any(map(_limits, facts)):
        told.append(_intervals(outcome, facts))
    told.append(f"Filled marks and bold values are significant at {outcome.alpha:g}.")
    return " ".join(told)


def _intervals(outcome: Outcome, facts: Sequence[PairFact]) -> str:
    """Return at which level intervals are, and that they agree with the decisions."""
    null = f"{facts[0].null:g}"
    if facts[0].alone:
        return f"Interval: {percent(facts[0].level)}."
    levels = sorted({fact.level for fact in facts})
    level = percent(levels[0])
    if len(levels) > 1:
        level = f"{level} to {percent(levels[-1])}"
    how = f"Intervals: {level} each"
    if outcome.intervals:
        how = f"Intervals: {outcome.intervals}"
    return f"{how}; each leaves out {null} exactly when adj. p ≤ {outcome.alpha:g}."


def _sides(
    outcome: Outcome, facts: Sequence[PairFact], subject: str | None
) -> tuple[str, str]:
    """Return what lies on which side of no difference."""
    mine, other = "first", "second"
    if subject is not None:
        mine, other = first_and_second(outcome, subject, "rival")
    elif len(facts) == 1:
        mine, other = facts[0].subject, facts[0].object
    return better_sides(mine, other, "lower" if facts[0].lower_is_better else "higher")


def better_sides(first: str, second: str, better: str) -> tuple[str, str]:
    """Return who is better left and right of no difference, of first minus second."""
    mine, other = (f"{_short(name)} better" for name in (first, second))
    return (mine, other) if better == "lower" else (other, mine)


def _short(name: str) -> str:
    return name if len(name) <= _NAME else f"{name[: _NAME - 1]}…"
