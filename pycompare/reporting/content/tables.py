"""Tables that all analyses share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence, Sized
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pycompare.base.formatting.numbers import percent
from pycompare.reporting.content import wording
from pycompare.reporting.content.build import BETWEEN, ESTIMATES, Field, table
from pycompare.reporting.content.facts import (
    Outcome,
    PairFact,
    SensitivityAnalysis,
)
from pycompare.reporting.content.forest import numbers
from pycompare.reporting.content.rivals import (
    against,
    first_and_second,
    first_rows,
    places,
    reference,
    shown,
)
from pycompare.reporting.document import (
    Block,
    ColumnKind,
    FoldedSection,
    Section,
    Table,
)

if TYPE_CHECKING:
    import pandas as pd


B = TypeVar("B", bound=Block)


def named_by_us(
    frame: pd.DataFrame, cells: str, rows: Sequence[str] = ("algorithm",)
) -> pd.DataFrame:
    """Return a table of the user's names with columns that only we have named.

    ``cells`` stands before a column's own name, ``rows`` names the levels of the index:
    an algorithm or metric may be called like a column of ours.
    """
    import pandas as pd

    named = pd.DataFrame(frame.to_numpy(), columns=[f"{cells} {c}" for c in frame])
    for place, name in enumerate(rows):
        named.insert(place, name, frame.index.get_level_values(place))
    return named


def against_best(outcome: Outcome) -> Table | None:
    """Return the best algorithm, or the control, against each other one."""
    if len(outcome.pairs) < 2:
        return None
    subject = reference(outcome)
    facts: Sequence[PairFact] = outcome.pairs
    if subject is not None:
        facts = against(outcome, subject)
    first = first_rows(facts)
    about = f"{outcome.method}."
    if len(first) < len(facts):
        about += f" Shown: the first {len(first)} of {len(facts):,} pairs."
    if subject is not None:
        its = outcome.metric.name
        if subject in outcome.values:
            mean = wording.number_of(outcome, subject)
            its = f"{outcome.quantity} {mean}{outcome.counted}"
        whom = f"each other {outcome.noun}"
        if len(first) < len(facts):
            whom = f"the {len(first)} nearest of {len(facts):,} others"
        about = f"{subject} ({its}) against {whom}."
    estimated = [fact for fact in first if fact.estimate is not None]
    limited = [fact for fact in facts if fact.interval is not None]
    odds = _at_odds(first)
    by, what = next(((BETWEEN[f.null], ESTIMATES[f.null]) for f in estimated), ("", ""))
    first_name, second_name = "first", "second"
    if subject is not None:
        first_name, second_name = first_and_second(outcome, subject, "the other")
    minus = f"{what.capitalize()}s are {first_name} {by} {second_name}."
    bold = f"Values in bold are significant at {outcome.alpha:g}."
    kind: ColumnKind = "count" if outcome.whole else "estimate"
    number_type = int if outcome.whole else float
    quantity = Field(
        outcome.quantity,
        kind,
        lambda f: number_type(outcome.values[f.other(str(subject))]),
    )
    return table(
        " ".join([about, *[minus] * bool(estimated), bold, *odds]),
        first,
        Field("Pair", "label", "title")
        if subject is None
        else Field(
            f"{subject} compared with", "label", lambda f: f.other(str(subject))
        ),
        *(Field(f.estimate_name, "estimate", "estimate") for f in estimated[:1]),
        *_intervals(limited),
        Field("adj. p", "p", "p_adjusted", outcome.alpha),
        *([quantity] if outcome.values and subject else []),
    )


def _intervals(limited: Sequence[PairFact]) -> list[Field]:
    """Return the column of intervals; their levels too, if they differ."""
    if not limited:
        return []
    level = percent(limited[0].level)
    if len({fact.level for fact in limited}) == 1:
        return [Field(f"{level} interval", "interval", "interval")]
    return [
        Field("interval", "interval", "interval"),
        Field("level of interval", "text", lambda fact: percent(fact.level)),
    ]


def of_two(outcome: Outcome) -> Table | None:
    """Return the two numbers that the conclusion compares, if there are any."""
    if len(outcome.pairs) != 1 or not outcome.values:
        return None
    return table(
        f"{wording.begun(outcome.quantity)} of each {outcome.noun}{outcome.counted}.",
        list(outcome.values.items()),
        Field(wording.begun(outcome.noun), "label", itemgetter(0)),
        Field(outcome.quantity, "estimate", itemgetter(1)),
    )


def _at_odds(facts: Sequence[PairFact]) -> Iterator[str]:
    """Yield the reason why an interval and the test of its pair disagree, if any do."""
    decided = [
        (fact.significant, fact.interval[0] <= fact.null <= fact.interval[1])
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


def overview(outcomes: Sequence[tuple[str, Outcome]]) -> Table:
    """Return one row per result: the best algorithm, its nearest rival, the pairs."""

    def nearest(outcome: Outcome) -> PairFact | None:
        known = len(outcome.pairs) == 1 or reference(outcome) is not None
        return next(iter(shown(outcome)), None) if known else None

    def rival(row: tuple[str, Outcome]) -> str:
        fact = nearest(row[1])
        return "–" if fact is None else fact.title

    def estimate(row: tuple[str, Outcome]) -> str:
        fact = nearest(row[1])
        known = fact is not None and fact.estimate is not None
        return numbers(fact, row[1]) if fact is not None and known else "–"

    def adjusted(row: tuple[str, Outcome]) -> float | None:
        fact = nearest(row[1])
        return None if fact is None else fact.p_adjusted

    alone = all(fact.alone for _, outcome in outcomes for fact in outcome.pairs)
    summary = table(
        "Summary by metric; significant values are in bold.",
        outcomes,
        Field("Result", "label", itemgetter(0)),
        Field("best", "text", lambda row: wording.listing(row[1].leaders, 3) or "–"),
        Field("nearest rival", "text", rival),
        Field("difference [interval]", "digits", estimate),
        Field("p" if alone else "adj. p", "p", adjusted, outcomes[0][1].alpha),
        Field("significant pairs", "digits", lambda r: _share(r[1].significant, r[1])),
    )
    return replace(summary, most=30)


def in_step(block: B, outcome: Outcome | None) -> B:
    """Return a block whose columns of estimates have the decimals of the first table.

    Those are columns that hold nothing but estimates, or intervals, of the outcome.
    """
    at = None if outcome is None else places(outcome)
    if outcome is None or at is None:
        return block

    def known(kind: str, value: Any) -> bool:
        if kind == "interval":
            return any(map(math.isnan, value)) or outcome.facts.has_interval(value)
        return math.isnan(value) or outcome.facts.has_estimate(value)

    def aligned(block: Block) -> Block:
        if isinstance(block, Section | FoldedSection):
            return replace(block, blocks=tuple(map(aligned, block.blocks)))
        if not isinstance(block, Table):
            return block
        columns = list(block.columns)
        for place, column in enumerate(columns):
            values = [row[place] for row in block.rows if row[place] is not None]
            kind = column.kind
            numbers = kind in ("number", "estimate", "interval")
            if numbers and values and all(known(kind, value) for value in values):
                columns[place] = replace(column, places=at)
        return replace(block, columns=tuple(columns))

    return cast(B, aligned(block))


def _share(significant: Sized, outcome: Outcome) -> str:
    """Return ``3 of 10``."""
    return f"{len(significant)} of {len(outcome.pairs)}"


def sensitivity(
    outcome: Outcome, others: Sequence[SensitivityAnalysis]
) -> Table | None:
    """Return one row per analysis: test, findings and assumptions."""
    if not others:
        return None

    def significant(other: SensitivityAnalysis) -> str:
        return "–" if other.significant is None else _share(other.significant, outcome)

    alpha = outcome.alpha
    omnibus = Field(
        "omnibus p", "p", lambda other: other.omnibus and other.omnibus[0], alpha
    )
    tested = any(other.omnibus is not None for other in others)
    return table(
        f"Sensitivity analyses of {outcome.metric.name}. The conclusion rests on the "
        f"primary analysis alone: {wording.tally(outcome)}.",
        others,
        Field("Analysis", "label", "name"),
        Field("quantity", "text", _quantity),
        *[omnibus] * tested,
        Field("significant pairs", "digits", significant),
        Field("assumes", "text", "assumes"),
    )


def _quantity(other: SensitivityAnalysis) -> str:
    """Return whether an analysis compares what the primary one compares."""
    if other.significant is None:
        return "–"
    return "same" if other.same_quantity else "another"
