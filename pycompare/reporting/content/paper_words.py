"""Results in the past tense, as a paper reports them: from facts, never from text.

Numbers are those of the tables of a page: the estimates and intervals that one sentence
lists share their decimals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pycompare.base.formatting.counts import counted, were
from pycompare.base.formatting.numbers import percent
from pycompare.designs.analysis import Analysis
from pycompare.designs.pair_methods import short_title
from pycompare.reporting.content import wording
from pycompare.reporting.content.build import BETWEEN, Field, table
from pycompare.reporting.content.facts import Outcome, PairFact
from pycompare.reporting.content.margin_forest import margin_places
from pycompare.reporting.content.margin_report import MarginTest, margin_text
from pycompare.reporting.content.rivals import (
    against,
    first_and_second,
    places,
    reference,
)
from pycompare.reporting.document import (
    Table,
    aligned,
    interval_text,
    p_equals,
)
from pycompare.results.result import Test

if TYPE_CHECKING:
    from pycompare.data.predictions import Predictions
    from pycompare.data.scores import Scores
    from pycompare.methods.multireader.result import MRMCResult

MOST_LISTED = 10
"""Comparisons whose numbers one paragraph or table lists."""
_MOST_CLAIMS = 6
"""Claims against a margin that one paragraph lists."""


def of_outcome(outcome: Outcome, title: str = "") -> Iterator[str]:
    """Yield method and results of one family of pairs, each a sentence or two."""
    start = f"{title}: " if title else ""
    rate = wording.begun(outcome.guarantee.stated(outcome.alpha))
    yield f"{start}{_method(outcome)}. {rate}."
    test = outcome.omnibus
    if test is not None and not math.isnan(test.statistic):
        no = "" if test.rejected(outcome.alpha) else "not "
        yield (
            f"The omnibus test was {no}significant ({test.name}: "
            f"{wording.test_result(test, outcome.alpha)})."
        )
    if len(outcome.untested) == len(outcome.pairs):
        yield "No pair could be tested."
    elif len(outcome.pairs) == 1:
        yield _one_pair(outcome)
    else:
        yield from _several(outcome)


def _method(outcome: Outcome) -> str:
    """Return the comparison and its tests, over which family."""
    n, over = len(outcome.pairs), f", over {outcome.family}" * bool(outcome.family)
    if outcome.control is not None:
        others = counted(n, f"other {outcome.noun}", f"other {outcome.nouns}")
        what = f"{outcome.control} was compared with {others}"
    elif n == 1:
        [fact] = outcome.pairs
        what = f"{fact.subject} and {fact.object} were compared"
    else:
        what = f"All {wording.count(n)} pairs were compared"
    return f"{what} by {_within(outcome.method)}{over}"


_COMMON = ("Corrected", "Exact", "Mean", "Paired", "Score", "Typical")
"""Words that begin the name of a method, and that are no names of people."""


def _within(method: str) -> str:
    """Return the name of a method as it stands within a sentence."""
    common = method.partition(" ")[0] in _COMMON
    return f"{method[:1].lower()}{method[1:]}" if common else method


def _one_pair(outcome: Outcome) -> str:
    """Return the result about two algorithms."""
    [fact] = outcome.pairs
    evidence = wording.evidence(fact, places(outcome))
    if fact.significant:
        return (
            f"{fact.subject} was significantly better than {fact.object} ({evidence})."
        )
    return (
        f"{fact.subject} and {fact.object} did not differ significantly ({evidence})."
    )


def _several(outcome: Outcome) -> Iterator[str]:
    """Yield how many pairs differed, who was best, and the numbers."""
    n, every = len(outcome.significant), len(outcome.pairs)
    kind = "comparisons" if outcome.control is not None else "pairwise comparisons"
    if outcome.out_of_reach:
        yield outcome.out_of_reach
    elif not n:
        yield f"None of the {wording.count(every)} {kind} was significant."
    else:
        many = "All" if n == every else f"{wording.begun(wording.count(n))} of the"
        verb = "was" if n == 1 and every > 1 else "were"
        yield f"{many} {wording.count(every)} {kind} {verb} significant."
    if outcome.values:
        names = outcome.leaders
        best = f"{wording.number_of(outcome, names[0])}{outcome.counted}"
        verb = "had" if len(names) == 1 else "shared"
        yield (
            f"{wording.listing(names, nouns=outcome.nouns)} {verb} the {outcome.best} "
            f"{outcome.quantity} ({best})."
        )
    subject, facts = listed(outcome)
    if subject is not None:
        yield from _standing(outcome, subject)
    if subject is None and not outcome.significant:
        yield from _closest(outcome)
    elif facts:
        yield _numbers(outcome, subject, facts)
    lost = len(outcome.untested)
    if lost:
        yield f"{counted(lost, 'pair')} could not be tested."


def _standing(outcome: Outcome, subject: str) -> Iterator[str]:
    """Yield which algorithms one was better than, worse than and not separated from."""
    about = outcome.facts_of(subject)
    worse = [f.object for f in about if f.significant and f.subject == subject]
    better = [f.subject for f in about if f.significant and f.object == subject]
    same = [
        f.other(subject) for f in about if f.relation == "no significant difference"
    ]
    place = outcome.better_in
    kind = "" if place is None else f"a significantly better {place.of_one}"
    than = f"had {kind} than" if kind else "was significantly better than"
    them = f"each had {kind} than" if kind else "were significantly better than"
    if worse:
        yield f"{subject} {than} {_names(worse, outcome)}."
    if better:
        verb = than if len(better) == 1 else them
        yield f"{wording.begun(_names(better, outcome))} {verb} {subject}."
    if same:
        yield f"{subject} did not differ significantly from {_names(same, outcome)}."


def _names(names: Sequence[str], outcome: Outcome) -> str:
    return wording.listing(names, MOST_LISTED, outcome.nouns)


def listed(outcome: Outcome) -> tuple[str | None, list[PairFact]]:
    """Return the comparisons that a paper lists, and whose they are.

    Those of the control, or of the best algorithm, with each other one: nearest first,
    ``MOST_LISTED`` at most, in the direction of ``against``. Without one best algorithm
    the significant pairs, or the closest one.
    """
    subject = reference(outcome)
    if subject is not None:
        return subject, against(outcome, subject)[:MOST_LISTED]
    facts = outcome.significant or outcome.closest[:1]
    return None, list(facts[:MOST_LISTED])


def _numbers(outcome: Outcome, subject: str | None, facts: Sequence[PairFact]) -> str:
    """Return estimate, interval and adjusted p-value of each comparison."""
    first, nothing = facts[0], "–"
    estimates = [_estimate(fact, outcome) for fact in facts]
    intervals = [_interval(fact, outcome) for fact in facts]
    limited = any(text != nothing for text in intervals)
    parts = []
    for fact, estimate, interval in zip(facts, estimates, intervals, strict=True):
        name = fact.other(subject) if subject is not None else fact.title
        numbers = " ".join(x for x in (estimate, interval) if x != nothing)
        p = p_equals(fact.p_adjusted, fact.alpha)
        if math.isnan(fact.p_adjusted):
            p = "not tested"
        parts.append(f"{name}: {numbers}, {p}" if numbers else f"{name}: {p}")
    adjusted = "adjusted p-values" if outcome.adjusts else "p-values"
    what = adjusted
    if first.estimate is not None:
        kind = first.estimate_names
        at = f"{_level(facts)} and " if limited else ""
        what = f"{kind}, {at}{adjusted}" if at else f"{kind} and {adjusted}"
    by = BETWEEN[first.null]
    first_name, second_name = "first", "second"
    if subject is not None:
        first_name, second_name = first_and_second(outcome, subject, "the other")
    whose = f"{first_name} {by} {second_name}"
    if first.estimate is None:
        whose = f"comparisons with {subject}" if subject is not None else "of pairs"
    more = _left(outcome, subject, facts)
    return f"{wording.begun(what)} ({whose}){more} were {'; '.join(parts)}."


def _closest(outcome: Outcome) -> Iterator[str]:
    """Yield the pair with the smallest p-value, if none was significant."""
    tied = outcome.closest
    if tied:
        adjusted = "adjusted " * outcome.adjusts
        also = f" and {counted(len(tied) - 1, 'other pair')}" * (len(tied) > 1)
        yield (
            f"The smallest {adjusted}p-value was that of {tied[0].title}{also} "
            f"({wording.evidence(tied[0], places(outcome))})."
        )


def _left(outcome: Outcome, subject: str | None, facts: Sequence[PairFact]) -> str:
    """Return the message that only some comparisons are listed, if so."""
    every = len(outcome.pairs if subject is None else outcome.facts_of(subject))
    if len(facts) == every:
        return ""
    if (
        subject is None
        and outcome.significant
        and len(facts) == len(outcome.significant)
    ):
        return " of the significant pairs"
    which = (
        "nearest" if subject is not None and facts[0].estimate is not None else "first"
    )
    return f" of the {which} {len(facts)} of {every} comparisons"


def _estimate(fact: PairFact, outcome: Outcome) -> str:
    """Return an estimate as the first table of a page has it."""
    return aligned(fact.estimate, places(outcome), 3)


def _interval(fact: PairFact, outcome: Outcome) -> str:
    """Return an interval as the first table of a page has it."""
    if fact.interval is None or any(map(math.isnan, fact.interval)):
        return "–"
    return interval_text(fact.interval, places(outcome))


def _level(facts: Sequence[PairFact]) -> str:
    """Return the kind of intervals: their level, if they have one in common."""
    levels = {fact.level for fact in facts if fact.interval is not None}
    if len(levels) > 1:
        low, high = percent(min(levels)), percent(max(levels))
        return f"intervals of level {low} to {high}"
    return f"{percent(*levels)} intervals"


def sources_of(analysis: Analysis) -> list[str]:
    """Return the sources of the tests that the conclusion on one metric rests on."""
    return [test.reference for test in analysis.rests_on if test.reference]


def of_margin(analysis: Analysis) -> list[str]:
    """Return the result against the margin of one metric, if there is one."""
    tests = analysis.margin_test
    if tests is None:
        return []
    if isinstance(tests, Test):
        return [_claim_of_two(tests)]
    rows = list(tests.as_columns().sorted_by("p_adjusted").itertuples())
    shown = [row for row in rows if row.shown]
    many = len(shown) if shown else "none"
    sides = "equivalence" if tests.kind == "equivalence" else "non-inferiority"
    to = "" if tests.control is None else f" to {tests.control}"
    how = (
        f"{tests.tests} tests, {short_title(tests.adjust)} adjustment, one-sided "
        f"alpha = {tests.alpha:g}"
    )
    head = (
        f"{wording.begun(sides)}{to} in {tests.metric} ({_bounds(tests)}) was shown "
        f"for {many} of {counted(len(rows), 'pair')} ({how})"
    )
    listed_rows = [r for r in shown or rows[:1] if not math.isnan(r.p_adjusted)]
    at = margin_places(tests)
    told = [_row(row, tests.alpha, at) for row in listed_rows[:_MOST_CLAIMS]]
    smallest = "" if shown else "the smallest adjusted p-value is that of "
    return [f"{head}: {smallest}{'; '.join(told)}." if told else f"{head}."]


def _row(row: Any, alpha: float, at: int | None) -> str:
    """Return pair, estimate, interval and adjusted p-value of a row."""
    limits = interval_text((row.conf_low, row.conf_high), at)
    p = p_equals(row.p_adjusted, alpha)
    pair = f"{row.algorithm_1} – {row.algorithm_2}"
    return f"{pair} {aligned(row.estimate, at, 3)} {limits}, adjusted {p}"


def _claim_of_two(test: Any) -> str:
    """Return the result of two algorithms."""
    sides = "equivalence of" if test.kind == "equivalence" else "non-inferiority of"
    link = "and" if test.kind == "equivalence" else "to"
    pair = f"{wording.begun(sides)} {test.algorithm_1} {link} {test.algorithm_2}"
    if math.isnan(test.p_value):
        return f"{pair} ({_bounds(test)}) could not be tested."
    no = "" if test.shown else "not "
    return (
        f"{pair} ({_bounds(test)}) was {no}shown ({test.tests} test, one-sided alpha = "
        f"{test.alpha:g}: {wording.ci(test)}, {p_equals(test.p_value, test.alpha)})."
    )


def of_claims(study: MRMCResult) -> list[str]:
    """Return the claims of readers against a margin, if there is one."""
    if study.claims is None:
        return []
    told = []
    for claim, rows in study.claims.groupby("claim", sort=False):
        shown = rows[rows["p_adjusted"] <= rows["alpha"]].sort_values("p_adjusted")
        pairs = [
            f"{row.algorithm_1} to {row.algorithm_2} "
            f"({p_equals(row.p_adjusted, row.alpha)})"
            for row in shown.head(_MOST_CLAIMS).itertuples()
        ]
        which = f": {', '.join(pairs)}" if pairs else ""
        told.append(f"{claim}, {len(shown)} of {len(rows)} shown{which}")
    return [
        f"At a margin of {study.margin:g} (one-sided adjusted tests): "
        f"{'; '.join(told)}."
    ]


def _bounds(test: MarginTest) -> str:
    within = "margin " if test.kind == "equivalence" else "difference "
    return f"{within}{margin_text(test)}"


def of_gaps(data: Scores | Predictions) -> list[str]:
    """Return how much of the data was missing, and the treatment of it."""
    gone, sentences = data.dropped, []
    if gone.blocks:
        n = len(gone.blocks)
        sentences.append(f"{counted(n, 'block')} with missing cells {were(n)} dropped.")
    if gone.cells:
        n = len(gone.cells)
        sentences.append(f"{counted(n, 'cell')} {were(n)} missing.")
    return sentences


def table_of(outcome: Outcome) -> Table | None:
    """Return the comparisons of ``listed`` as a table for a paper, if there are any."""
    subject, facts = listed(outcome)
    if not facts:
        return None
    first = facts[0]
    by = BETWEEN[first.null]
    head = "Pair" if subject is None else f"{subject} compared with"
    if subject is not None and first.estimate is not None:
        head = f"{subject} {by}"
        if subject == outcome.control:
            head = f"Rival {by} {subject}"
    levels = {fact.level for fact in facts if fact.interval is not None}
    name = "CI" if not outcome.adjusts else "interval"
    interval = f"{percent(*levels)} {name}" if len(levels) == 1 else name
    return table(
        " ".join([f"{wording.direction(outcome.metric)}.", _source(outcome)]),
        facts,
        Field(
            head,
            "label",
            "title" if subject is None else lambda fact: fact.other(subject),
        ),
        *[Field(first.estimate_name, "digits", lambda fact: _estimate(fact, outcome))]
        * (first.estimate is not None),
        *[Field(interval, "digits", lambda fact: _interval(fact, outcome))]
        * bool(levels),
        *[Field("level", "text", lambda fact: percent(fact.level))] * (len(levels) > 1),
        Field(
            "adjusted p" if outcome.adjusts else "p", "p", "p_adjusted", outcome.alpha
        ),
    )


def _source(outcome: Outcome) -> str:
    """Return how a table was made."""
    return wording.begun(f"{outcome.method}.")
