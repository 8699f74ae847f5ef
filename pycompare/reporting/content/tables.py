"""Tables that all analyses share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from pycompare.formatting.numbers import percent
from pycompare.reporting.content import wording
from pycompare.reporting.content.facts import Alternative, Outcome, PairFact
from pycompare.reporting.document import Column, Table

MOST_AGAINST = 9
"""Rows of the small table on the first screen."""
MOST_NAMED = 4
"""Pairs that a cell names."""


def named_by_us(
    frame: pd.DataFrame, cells: str, rows: Sequence[str] = ("algorithm",)
) -> pd.DataFrame:
    """Return a table of the user's names with columns that only we have named.

    ``cells`` stands before a column's own name, ``rows`` names the levels of the index:
    an algorithm or metric may be called like a column of ours.
    """
    made = pd.DataFrame(frame.to_numpy(), columns=[f"{cells} {c}" for c in frame])
    for place, name in enumerate(rows):
        made.insert(place, name, frame.index.get_level_values(place))
    return made


def against_best(outcome: Outcome) -> Table | None:
    """Return the best algorithm, or the control, against each other one."""
    if len(outcome.pairs) < 2:
        return None
    one = outcome.control or (outcome.leaders[0] if outcome.values else None)
    facts = outcome.pairs if one is None else outcome.facts_of(one)
    head = "Pair" if one is None else f"{one} compared with"
    differences = difference_columns(facts)
    rows = tuple(against(fact, one, outcome, differences) for fact in facts)
    columns = [
        Column(head, "label"),
        Column("adjusted p", "p", outcome.alpha),
        *differences,
        *([Column(outcome.quantity, "estimate")] if outcome.values and one else []),
    ]
    caption = (
        f"{outcome.method}. Bold: significant at {outcome.alpha:g}."
        if one is None
        else f"{one} ({value_of(outcome, one)}) against each other algorithm. Bold: "
        f"significant at {outcome.alpha:g}."
    )
    shown = " ".join([caption, *at_odds(facts[:MOST_AGAINST])])
    return Table(shown, tuple(columns), rows[:MOST_AGAINST])


def at_odds(facts: Sequence[PairFact]) -> Iterator[str]:
    """Say why an interval and the test of its pair disagree, if any do."""
    decided = [
        (fact.significant, fact.interval[0] <= 0 <= fact.interval[1])
        for fact in facts
        if fact.interval is not None and fact.relation != "not tested"
    ]
    if (True, True) in decided:
        yield (
            "An interval may include 0 although the pair differs significantly: "
            "simultaneous intervals are wider than the adjusted tests require."
        )
    if (False, False) in decided:
        yield (
            "An interval may exclude 0 although the pair does not differ "
            "significantly: it is not adjusted as the p-value is."
        )


def value_of(outcome: Outcome, name: str) -> str:
    """Return ``mean rank 2.10``."""
    if name not in outcome.values:
        return outcome.metric.name
    return f"{outcome.quantity} {wording.value(outcome.values[name])}"


def difference_columns(facts: Sequence[PairFact]) -> list[Column]:
    """Return the columns of a difference and its interval, where any pair has them."""
    estimated = [fact for fact in facts if fact.estimate is not None]
    limited = [fact for fact in facts if fact.interval is not None]
    return [
        *(Column(fact.estimate_name, "estimate") for fact in estimated[:1]),
        *(Column(f"{percent(fact.level)} CI", "interval") for fact in limited[:1]),
    ]


def against(
    fact: PairFact, one: str | None, outcome: Outcome, columns: Sequence[Column]
) -> tuple[object, ...]:
    """Return one row of ``against_best``; None where a pair has no difference."""
    swap = fact.object == one
    other = fact.subject if swap else fact.object
    numbers: dict[str, object] = {"estimate": fact.estimate, "interval": fact.interval}
    if swap and fact.estimate is not None:
        numbers["estimate"] = -fact.estimate
    if swap and fact.interval is not None:
        numbers["interval"] = (-fact.interval[1], -fact.interval[0])
    return (
        f"{fact.subject} – {fact.object}" if one is None else other,
        fact.p_adjusted,
        *(numbers[column.kind] for column in columns),
        *([outcome.values[other]] if outcome.values and one is not None else []),
    )


def overview(outcomes: Sequence[tuple[str, Outcome]]) -> Table:
    """Return one row a result: the best algorithm, and how many pairs differ."""
    alpha = outcomes[0][1].alpha
    rows = tuple(
        (
            title,
            wording.listing(one.leaders, 3) if one.values else "–",
            next(iter(one.values.values()), None),
            f"{len(one.significant)} of {len(one.pairs)}",
            min(
                (f.p_adjusted for f in (*one.significant, *one.retained)), default=None
            ),
        )
        for title, one in outcomes
    )
    columns = (
        Column("Result", "label"),
        Column("best"),
        Column("its value", "estimate"),
        Column("significant pairs", "digits"),
        Column("smallest adjusted p", "p", alpha),
    )
    return Table("All results. Bold: significant.", columns, rows, most=30)


def sensitivity(outcome: Outcome, others: Sequence[Alternative]) -> Table | None:
    """Return one row an analysis: what it assumes, and where it decides otherwise."""
    if not others:
        return None
    rows = tuple(
        (
            one.name,
            one.omnibus and one.omnibus[0],
            "–"
            if one.significant is None
            else f"{len(one.significant)} of {len(outcome.pairs)}",
            changed(one, outcome),
            one.assumes,
        )
        for one in others
    )
    columns = (
        Column("Analysis", "label"),
        Column("omnibus p", "p", outcome.alpha),
        Column("significant pairs", "digits"),
        Column("differs from the primary analysis on"),
        Column("assumes"),
    )
    caption = (
        f"Sensitivity analyses of {outcome.metric.name}. The conclusion rests on the "
        f"primary analysis alone: {wording.tally(outcome)}."
    )
    kept = [place for place in range(len(columns)) if place != 1 or omnibus(others)]
    return Table(
        caption,
        tuple(columns[place] for place in kept),
        tuple(tuple(row[place] for place in kept) for row in rows),
    )


def omnibus(others: Sequence[Alternative]) -> bool:
    """Tell whether any sensitivity analysis has an omnibus test."""
    return any(one.omnibus is not None for one in others)


def changed(one: Alternative, outcome: Outcome) -> str:
    """Name the pairs that an analysis decides otherwise."""
    facts = one.differs_on(outcome)
    few = f"; {len(one.hopeless)} pairs cannot be significant with so few blocks"
    end = few if one.hopeless else ""
    if one.omnibus is not None and not one.omnibus[1]:
        end = f"; the omnibus test{end}"
    if not facts:
        return f"no pair{end}"
    named = [f"{f.subject} – {f.object}" for f in facts[:MOST_NAMED]]
    more = len(facts) - len(named)
    return ", ".join([*named, *([f"{more} more"] if more else [])]) + end
