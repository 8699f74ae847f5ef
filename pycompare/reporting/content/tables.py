"""Tables that all analyses share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Sized
from dataclasses import replace

import pandas as pd

from pycompare.formatting.numbers import percent
from pycompare.reporting.content import wording
from pycompare.reporting.content.build import Field, table
from pycompare.reporting.content.facts import Alternative, Outcome, PairFact
from pycompare.reporting.document import Table

_MOST_AGAINST = 9
"""Rows of the small table on the first screen."""
_MOST_NAMED = 4
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
    facts = (
        outcome.pairs
        if one is None
        else [_turned(f, one) for f in outcome.facts_of(one)]
    )
    about = (
        f"{outcome.method}."
        if one is None
        else f"{one} ({_value_of(outcome, one)}) against each other {outcome.noun}."
    )
    bold = f"Bold: significant at {outcome.alpha:g}."
    quantity = Field(outcome.quantity, "estimate", lambda f: outcome.values[f.object])
    return table(
        " ".join([about, bold, *_at_odds(facts[:_MOST_AGAINST])]),
        facts[:_MOST_AGAINST],
        Field("Pair", "label", lambda fact: f"{fact.subject} – {fact.object}")
        if one is None
        else Field(f"{one} compared with", "label", "object"),
        Field("adjusted p", "p", "p_adjusted", outcome.alpha),
        *_differences(facts),
        *([quantity] if outcome.values and one else []),
    )


def _turned(fact: PairFact, first: str) -> PairFact:
    """Return a row whose difference is of ``first`` minus the other algorithm."""
    if fact.object != first:
        return fact
    low, high = fact.interval or (0.0, 0.0)
    return replace(
        fact,
        subject=first,
        object=fact.subject,
        estimate=None if fact.estimate is None else -fact.estimate,
        interval=fact.interval and (-high, -low),
    )


def _at_odds(facts: Sequence[PairFact]) -> Iterator[str]:
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


def _value_of(outcome: Outcome, name: str) -> str:
    """Return ``mean rank 2.10``."""
    if name not in outcome.values:
        return outcome.metric.name
    return f"{outcome.quantity} {wording.value(outcome.values[name])}{outcome.counted}"


def _differences(facts: Sequence[PairFact]) -> list[Field]:
    """Return the columns of a difference and its interval, where any pair has them."""
    estimated = [fact for fact in facts if fact.estimate is not None]
    limited = [fact for fact in facts if fact.interval is not None]
    return [
        *(Field(f.estimate_name, "estimate", "estimate") for f in estimated[:1]),
        *(Field(f"{percent(f.level)} CI", "interval", "interval") for f in limited[:1]),
    ]


def overview(outcomes: Sequence[tuple[str, Outcome]]) -> Table:
    """Return one row a result: the best algorithm, and how many pairs differ."""

    def smallest(one: Outcome) -> float | None:
        tested = (*one.significant, *one.retained)
        return min((fact.p_adjusted for fact in tested), default=None)

    found = [one for _, one in outcomes]
    titles = {id(one): title for title, one in outcomes}
    made = table(
        "All results. Bold: significant.",
        found,
        Field("Result", "label", lambda one: titles[id(one)]),
        Field("best", "text", lambda one: wording.listing(one.leaders, 3) or "–"),
        Field("its value", "estimate", lambda o: next(iter(o.values.values()), None)),
        Field("significant pairs", "digits", lambda one: _share(one.significant, one)),
        Field("smallest adjusted p", "p", smallest, found[0].alpha),
    )
    return replace(made, most=30)


def _share(significant: Sized, outcome: Outcome) -> str:
    """Return ``3 of 10``."""
    return f"{len(significant)} of {len(outcome.pairs)}"


def sensitivity(outcome: Outcome, others: Sequence[Alternative]) -> Table | None:
    """Return one row an analysis: what it assumes, and where it decides otherwise."""
    if not others:
        return None

    def significant(one: Alternative) -> str:
        return "–" if one.significant is None else _share(one.significant, outcome)

    def omnibus(one: Alternative) -> float | None:
        return one.omnibus and one.omnibus[0]

    tested = any(one.omnibus is not None for one in others)
    return table(
        f"Sensitivity analyses of {outcome.metric.name}. The conclusion rests on the "
        f"primary analysis alone: {wording.tally(outcome)}.",
        others,
        Field("Analysis", "label", "name"),
        *([Field("omnibus p", "p", omnibus, outcome.alpha)] if tested else []),
        Field("significant pairs", "digits", significant),
        Field(
            "differs from the primary analysis on",
            "text",
            lambda one: _changed(one, outcome),
        ),
        Field("assumes", "text", "assumes"),
    )


def _changed(one: Alternative, outcome: Outcome) -> str:
    """Name the pairs that an analysis decides otherwise."""
    facts = one.differs_on(outcome)
    few = f"; {len(one.hopeless)} pairs cannot be significant with so few blocks"
    end = few if one.hopeless else ""
    if one.omnibus is not None and not one.omnibus[1]:
        end = f"; the omnibus test{end}"
    if not facts:
        return f"no pair{end}"
    named = [f"{f.subject} – {f.object}" for f in facts[:_MOST_NAMED]]
    more = len(facts) - len(named)
    return ", ".join([*named, *([f"{more} more"] if more else [])]) + end
