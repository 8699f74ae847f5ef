"""How firm the decisions are: a sentence and the matrix of pairs and analyses.

Sensitivity analyses are counted decision by decision, in two groups. Those of the
quantity that the primary analysis compares can contradict it; those of another
quantity answer another question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from pycompare.base.formatting.counts import counted, every_one_of
from pycompare.base.made_rows import MadeRows
from pycompare.base.tables import AnyTable, Columns, LabelColumn
from pycompare.designs.firmness import Firmness, WhichQuantity
from pycompare.reporting import document as doc
from pycompare.reporting.content.facts import (
    Outcome,
    PairFact,
    PairFacts,
    Statements,
)
from pycompare.reporting.content.page import UNABLE, UNABLE_MEANS, PageResult
from pycompare.reporting.content.rivals import against, named, reference
from pycompare.results.pair_rows import PairSet

_FILE = "firmness"
"""The CSV file with all pairs."""
_ALL_ROWS, _NEAREST, _MOST_ROWS, _MOST_OF_MANY = 10, 10, 20, 12
"""All pairs are rows if they are few; else the nearest rivals and pairs that change."""
_MOST_CHANGING = 4
"""Decisions that change, of each of several results, in one matrix of all of them."""
_CHANGING = "Decisions that change in at least one analysis."
_MOST_PAIRS = 2
"""Pairs that a sentence names: four algorithms."""
_MOST_COLUMNS = 4
"""Columns of a group of analyses; the folded table has all."""
_GROUPS: Mapping[WhichQuantity, str] = {
    "same": "same quantity",
    "another": "another quantity",
}
_HELD = ("", "holds", "changes")
"""Cells of the CSV file; the first if no analysis could reject a pair."""
_DIFFERENCES = ("significant", "not significant")
"""Names of the two decisions about a difference."""
_CLAIMS = ("shown", "not shown")
"""Those about a margin."""
DIFFERENCES_TITLE = "How firm are the differences?"
_LEFT_OUT_TITLE = "drop one {unit}"
_LEFT_OUT = (
    "{n}/{n}: the same decision, whichever {unit} is left out of the primary analysis."
)
_NOT_LEFT_OUT = "No {unit} was left out in turn: {why}."
_NONE_MADE = "No other analysis tests these pairs."


def shown(result: PageResult, stated: Statements, firmness: Firmness) -> PageResult:
    """Return a result with the sentence, the matrix and its notes."""
    assert stated.outcome is not None
    headings = {other.name: other.heading for other in stated.alternatives}
    matrix = _FirmnessMatrix(stated.outcome, firmness, headings, _DIFFERENCES)
    return _with_matrix(result, matrix, _FILE)


def claims_shown(
    result: PageResult, outcome: Outcome, firmness: Firmness
) -> PageResult:
    """Return a result with the firmness of its claims about a margin.

    They are of the hypothesis of the plan, so that of the differences is folded.
    """
    headings = {name: name for q in _GROUPS for name in firmness.analyses(q)}
    matrix = _FirmnessMatrix(outcome, firmness, headings, _CLAIMS)
    folded = doc.fold(DIFFERENCES_TITLE, *result.firm) if result.firm else None
    before = replace(
        result,
        firm_title=PageResult.firm_title,
        sensitivity=doc.present(folded, *result.sensitivity),
    )
    return _with_matrix(before, matrix, f"{_FILE}_margin")


def _with_matrix(result: PageResult, matrix: _FirmnessMatrix, file: str) -> PageResult:
    """Return a result with the sentence, a matrix and its notes."""
    outcome, firmness = matrix.outcome, matrix.firmness
    told = verdict(outcome, firmness)
    several = len(matrix.columns()) > 1
    shown = [matrix.block()] if several else []
    notes = matrix.notes(file)
    return replace(
        result,
        verdict=told,
        firm=(doc.Paragraph(told, "verdict"), *shown, *notes),
        changing=matrix.changing() if several else None,
        tables={**result.tables, file: _table(firmness)},
    )


def verdict(outcome: Outcome, firmness: Firmness) -> doc.Inline:
    """Return the sentences on what holds and what changes, the headline's own first."""
    if not any(firmness.tested_rows(quantity).any() for quantity in _GROUPS):
        if not firmness.decisions and not firmness.left_out.n_units:
            return _NONE_MADE
        return "No other analysis could reject any pair, whatever the scores."
    if len(firmness.pairs) == 1:
        return _of_one(firmness)
    own = _own(outcome, firmness)
    groups = [s for quantity in _GROUPS if (s := _of_group(firmness, quantity))]
    return doc.joined((doc.Strong(own),) if own else "", *groups)


def _fragile(firmness: Firmness) -> PairSet:
    """Return the pairs that some analysis decides differently."""
    same, another = (firmness.fragile_rows(quantity) for quantity in _GROUPS)
    return PairSet(firmness.rows, same | another)


def _of_one(firmness: Firmness) -> doc.Inline:
    """Return the sentence about one pair."""
    apart = [o.analysis for o in firmness.decisions if o.able and not o.agrees]
    [pair] = firmness.pairs
    without = firmness.left_out.changes.get(frozenset(pair), ())
    if without:
        unit = firmness.left_out.unit
        apart.append(
            f"{len(without)} of {firmness.left_out.n_units} analyses without one "
            f"{unit} ({named(without)})"
        )
    if not apart:
        return (doc.Strong("The decision is the same in every analysis."),)
    return (doc.Strong("The decision changes"), f": {named(apart)}.")


def _own(outcome: Outcome, firmness: Firmness) -> str:
    """Return the sentence about the decisions of the headline's algorithm."""
    subject = reference(outcome)
    if subject is None:
        return ""
    fragile, n = _fragile(firmness), len(firmness.rows.rows_with(subject))
    rivals = [f.other(subject) for f in against(outcome, subject) if f.pair in fragile]
    if not rivals:
        none = "is the same" if n == 1 else "are the same"
        start = "The decision" if n == 1 else every_one_of(n, "decisions")
        return f"{start} on {subject} {none} in every analysis."
    if n == 1:
        return f"The decision on {subject} changes in at least one analysis."
    verb = "changes" if len(rivals) == 1 else "change"
    if len(rivals) == n:
        all_of_them = every_one_of(n, "decisions")
        return f"{all_of_them} on {subject} change in at least one analysis."
    return (
        f"{len(rivals):,} of the {n:,} decisions on {subject} {verb} in at least one "
        f"analysis: against {named(rivals)}."
    )


def _of_group(firmness: Firmness, quantity: WhichQuantity) -> str:
    """Return how many decisions hold in one group, and which change."""
    n = int(firmness.tested_rows(quantity).sum())
    if not n:
        return ""
    fragile = firmness.fragile(quantity)
    apart = MadeRows(len(fragile), lambda row: " – ".join(fragile[row]))
    kind = "the same quantity" if quantity == "same" else "another quantity"
    noun = "decision" if n == 1 else "pairwise decisions"
    few = len(firmness.pairs) - n
    end = f" ({few} more could not be rejected, whatever the scores)" if few else ""
    if not apart:
        verb = "holds" if n == 1 else "hold"
        every = f"The one {noun}" if n == 1 else every_one_of(n, noun)
        return f"{every} {verb} in the analyses of {kind}{end}."
    firm = n - len(apart)
    verb = "holds" if firm == 1 else "hold"
    change = "changes" if len(apart) == 1 else "change"
    return (
        f"{firm:,} of {n:,} {noun} {verb} in every analysis of {kind}{end}; "
        f"{named(apart, _MOST_PAIRS)} {change}."
    )


def _table(firmness: Firmness) -> AnyTable:
    """Return one row per pair for a CSV file: what holds, and without what it changes.

    A cell is empty if no analysis of the group could reject the pair.
    """
    rows = firmness.rows
    columns: dict[str, Any] = {
        "algorithm_1": LabelColumn(rows.names, rows.first),
        "algorithm_2": LabelColumn(rows.names, rows.second),
    }
    for quantity in _GROUPS:
        changes = firmness.fragile_rows(quantity)
        codes = np.where(firmness.tested_rows(quantity), 1 + changes.view(np.int8), 0)
        columns[f"{quantity}_quantity"] = LabelColumn(_HELD, codes)
    changed = np.zeros(len(rows), np.int64)
    for pair, units in firmness.left_out.changes.items():
        changed[rows.row(pair)] = len(units)
    return Columns(columns | {"n_left_out_changes": changed})


class _FirmnessMatrix:
    """Pairs by analyses."""

    def __init__(
        self,
        outcome: Outcome,
        firmness: Firmness,
        headings: Mapping[str, str],
        words: tuple[str, str],
    ) -> None:
        self.outcome, self.firmness = outcome, firmness
        self.headings, (self.yes, self.no) = headings, words
        self.others = {other.name: other for other in firmness.others}

    def names(self, quantity: WhichQuantity) -> list[str]:
        """Return the analyses of a group that have a column."""
        return list(self.firmness.analyses(quantity)[:_MOST_COLUMNS])

    def columns(self) -> list[tuple[str, str]]:
        """Return the groups and titles of columns."""
        columns = [("", "primary")]
        for quantity, group in _GROUPS.items():
            columns += [(group, self.headings[name]) for name in self.names(quantity)]
            if quantity == "same" and self.firmness.left_out.n_units:
                title = _LEFT_OUT_TITLE.format(unit=self.firmness.left_out.unit)
                columns.append((group, title))
        return columns

    def rows(self) -> list[PairFact]:
        """Return the pairs that have a row, the nearest rivals of the reference first.

        All if they are few; else the ten nearest rivals, then pairs that change.
        """
        return self._rows

    @cached_property
    def _rows(self) -> list[PairFact]:
        mine, rest = self.split()
        if len(self.outcome.pairs) <= _ALL_ROWS:
            return [*mine, *rest]
        fragile = _fragile(self.firmness)
        shown = [*mine[:_NEAREST]]
        many = len(mine) > _MOST_ROWS
        shown += [fact for fact in mine[_NEAREST:] if fact.pair in fragile]
        most = _MOST_OF_MANY if many else _MOST_ROWS
        if not many:
            shown += rest.among(fragile)[:most]
        return shown[:most] or [*rest[:_NEAREST]]

    def split(self) -> tuple[list[PairFact], PairFacts]:
        """Return the pairs of the reference, the nearest rivals first, and the rest."""
        subject = reference(self.outcome)
        mine = [] if subject is None else against(self.outcome, subject)
        return mine, self.outcome.without(subject)

    def changing(self) -> doc.DecisionMatrix | None:
        """Return the decisions that some analysis changes, if there are any."""
        fragile = _fragile(self.firmness)
        mine, rest = self.split()
        facts = [fact for fact in mine if fact.pair in fragile]
        facts = [*facts, *rest.among(fragile)[:_MOST_CHANGING]][:_MOST_CHANGING]
        if not facts:
            return None
        return doc.DecisionMatrix(
            _CHANGING,
            "Decision that changes",
            tuple(self.columns()),
            tuple((f.title, tuple(self.marks(f))) for f in facts),
            (self.yes, self.no),
        )

    def block(self) -> doc.DecisionMatrix:
        """Return the matrix."""
        subject = reference(self.outcome)
        mine = {f.pair for f in self.rows() if subject in (f.subject, f.object)}
        alone = subject is not None and len(mine) == len(self.rows())
        return doc.DecisionMatrix(
            "Decisions on pairs (rows) by each analysis (columns).",
            f"{subject} and" if alone else "Comparison",
            tuple(self.columns()),
            tuple(
                (
                    fact.other(str(subject)) if alone else fact.title,
                    tuple(self.marks(fact)),
                )
                for fact in self.rows()
            ),
            (self.yes, self.no),
        )

    def marks(self, fact: PairFact) -> Iterator[doc.DecisionMark]:
        """Yield the decision of each analysis about a pair."""
        if fact.relation == "not tested":
            yield doc.DecisionMark(UNABLE)
        else:
            planned = self.outcome.by_pair[fact.pair].significant
            yield doc.DecisionMark(self.yes if planned else self.no, planned)
        for quantity in _GROUPS:
            for name in self.names(quantity):
                yield self.mark(name, fact.pair)
            if quantity == "same" and self.firmness.left_out.n_units:
                yield self.left_out(fact.pair)

    def mark(self, name: str, pair: frozenset[str]) -> doc.DecisionMark:
        """Return the decision of one analysis about a pair."""
        other, row = self.others.get(name), self.firmness.rows.row(pair)
        if other is None or row < 0 or not other.able[row]:
            return doc.DecisionMark(UNABLE)
        better = ("", *self.firmness.rows.ends(row))[other.better[row]]
        text = self.yes if better else self.no
        planned = self.outcome.better_of.get(pair)
        if better and planned and better != planned:
            text = f"{self.yes} for {better}"
        return doc.DecisionMark(text, bool(better), not other.agrees[row])

    def left_out(self, pair: frozenset[str]) -> doc.DecisionMark:
        """Return in how many analyses without one unit the decision is the same."""
        left_out = self.firmness.left_out
        if pair in left_out.hopeless:
            return doc.DecisionMark(UNABLE)
        without = len(left_out.changes.get(pair, ()))
        n = left_out.n_units
        return doc.DecisionMark(f"{n - without}/{n}", changed=without > 0)

    def notes(self, file: str) -> Iterator[doc.Paragraph]:
        """Yield the meaning of the marks, and the omitted parts."""
        left_out, told = self.firmness.left_out, []
        if len(self.columns()) > 1:
            texts = {m.text for f in self.rows() for m in self.marks(f)}
            if left_out.n_units:
                told.append(_LEFT_OUT.format(n=left_out.n_units, unit=left_out.unit))
            if UNABLE in texts:
                told.append(UNABLE_MEANS)
        if left_out.why_not:
            told.append(_NOT_LEFT_OUT.format(unit=left_out.unit, why=left_out.why_not))
        more = sum(
            max(0, len(self.firmness.analyses(q)) - _MOST_COLUMNS) for q in _GROUPS
        )
        if more:
            told.append(
                f"{counted(more, 'further analysis', 'further analyses')}: see "
                f"Sensitivity analyses."
            )
        hidden = len(self.firmness.pairs) - len(self.rows())
        if not hidden:
            if told:
                yield doc.Paragraph(" ".join(told), "note")
            return
        told.append(f"{counted(hidden, 'further pair')}:")
        yield doc.Paragraph(" ".join(told), "note", files=(file,))
