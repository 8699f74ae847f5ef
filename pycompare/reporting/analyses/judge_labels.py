"""People's labels and a judge's scores, as a page presents them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import percent
from pycompare.base.tables import AnyTable, Columns
from pycompare.designs.judge_labels import LabelsAnalysis
from pycompare.designs.pair_methods import described
from pycompare.methods.cases.judge_labels import LIKE, THESE, LabelsResult
from pycompare.reporting import document as doc
from pycompare.reporting.content import build, figures, ranks, wording, words
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.build import PAIR, Field, Method, of_method
from pycompare.reporting.content.facts import Outcome, PairFact, SensitivityAnalysis
from pycompare.reporting.content.forest import forest
from pycompare.reporting.content.outcomes import compared, is_alone, of_one_pair
from pycompare.reporting.content.rivals import places, reference, shown
from pycompare.reporting.document import Block, Figure, Table, section
from pycompare.results.guarantees import CASES

_SCOPE = (
    "The conclusions concern these algorithms as they are, on items like these, if the "
    "labelled items were drawn at random{within}. Judge and people are these: another "
    "judge, or other people, may differ."
)
_BLOCKS = "Blocks are items of one test set, as specified."
_CHOSEN = {
    "random": "The labelled items were drawn at random from all items, as specified.",
    "strata": "The labelled items were drawn at random within strata that were known "
    "before, as specified.",
}
_TESTS = (
    "Pairs are compared by mean labels. The judge's scores of all items enter with one "
    "slope for all algorithms, which is estimated on the labelled items; the judge "
    "need not be right. t has two degrees of freedom less than there are labelled items"
    "{pseudo}."
)
_PSEUDO = ", and half a pseudo-label keeps variances of labels 0 and 1 away from 0"
_LIMITS = (
    "Labelled items that somebody picked (hard ones, ones the judge doubts) bias the "
    "result, and no check here can see this."
)
_INDEPENDENT = (
    "Items are assumed to be independent. Items that share a text or a template are "
    "not, and the error rate for these has not been measured."
)
_HOLLOW = "Hollow marks without an interval: the judge only, not tested."
_USELESS = 0.05
"""Share of the variance below which a judge adds nothing worth a sentence."""


class LabelsReport(AnalysisReport[LabelsAnalysis]):
    """Blocks are items: some labelled by people, all scored by a judge."""

    drawn = "max-T"

    def plan(self) -> list[str]:
        """Return the plan in words."""
        plan = self.comparison.plan
        by = f"The primary analysis adjusts pairs by {described(plan.adjust[0]).title}."
        if plan.adjust[0] == "max-t":
            by = (
                "The primary analysis adjusts pairs by max-T (step-down, draws from "
                "their joint t distribution)."
            )
        share = self.analyses[0].labels.fitted_to_shares
        return [
            _BLOCKS,
            _CHOSEN[str(plan.labels)],
            _TESTS.format(pseudo=_PSEUDO * share),
            words.ONE_PAIR if self.comparison.scores.n_algorithms == 2 else by,
            words.as_it_stands(self.comparison),
        ]

    def methods(self) -> Iterator[Method]:
        """Yield the comparisons of the plan with error rates and sources."""
        for analysis in self.analyses:
            first = analysis.decisive
            if not is_alone(first):
                yield wording.begun(first.method), words.EACH, first.reference
            for pairs in analysis.pairs:
                yield of_method(pairs, self.comparison.plan, CASES)

    def scope(self) -> list[str]:
        """Return the scope of the conclusions, and its limits."""
        within = " within their strata" * (self.comparison.plan.labels == "strata")
        return [_SCOPE.format(within=within)]

    def limits(self) -> list[str]:
        """Return the assumptions and limits of the analysis."""
        return [
            _INDEPENDENT,
            _LIMITS,
            *words.adjustment_limits(self.comparison),
            words.NOT_EQUALITY,
        ]

    def outcome(self, analysis: LabelsAnalysis) -> Outcome:
        """Return the facts about the primary analysis of one metric."""
        labels = analysis.labels
        means = labels.positions * (1 if labels.lower_is_better else -1)
        outcome = compared(
            analysis,
            self.comparison,
            values=means,
            quantity=f"mean {analysis.metric.name}",
            in_unit=True,
        )
        outcome = replace(outcome, n_blocks=labels.labels)
        alone = len(outcome.pairs) == 1
        return of_one_pair(outcome, labels) if alone else outcome

    def note(self, analysis: LabelsAnalysis) -> str:
        """Return the worth of the judge, and its own difference."""
        labels, outcome = analysis.labels, self.facts(analysis)
        told = [
            f"{counted(labels.labels, 'item')} of {labels.items:,} "
            f"{'is' if labels.labels == 1 else 'are'} labelled by people; the judge "
            "scored all."
        ]
        row = _row_of(labels, outcome.pairs[0])
        told.append(_worth(labels, row.gain, outcome.pairs[0]))
        told.append(_alone(labels, outcome))
        told.append(_of_these(labels, outcome))
        return " ".join(told)

    def untested(self, analysis: LabelsAnalysis) -> list[str]:
        """Return nothing: every pair has a test."""
        return []

    def remarks(self, analysis: LabelsAnalysis) -> Iterator[str]:
        """Yield notes and warnings."""
        yield from map(wording.sentence, analysis.labels.notes)

    def alternatives(self, analysis: LabelsAnalysis) -> Iterator[SensitivityAnalysis]:
        """Yield the other methods of the plan, and other estimates."""
        if len(analysis.decisions) > 1:
            yield from self.other_pairs(analysis)
        for other in analysis.others:
            holm = "" if len(analysis.decisions) == 1 else ", Holm"
            yield SensitivityAnalysis(
                name=f"{other.name}{holm}",
                assumes=other.assumes,
                significant=analysis.significant(other, self.alpha),
                same_quantity=other.same_quantity,
                short=other.short,
            )

    def forest(self, analysis: LabelsAnalysis) -> doc.Forest | None:
        """Return the differences, and those of the judge only as hollow marks."""
        outcome, labels = self.facts(analysis), analysis.labels
        beneath = [
            (f"{_name(fact, outcome)}, judge only", _judge_alone(labels, fact))
            for fact in shown(outcome)
        ]
        return forest(outcome, None, beneath, hollow=_HOLLOW)

    def blocks(self, analysis: LabelsAnalysis) -> Iterator[Block]:
        """Yield pairs, both populations and means."""
        yield section("Pairwise comparisons", build.pairs(analysis, self.alpha))
        yield section("Both populations", _populations(analysis, self.alpha))
        yield section("Mean of each algorithm", _means(analysis))

    def figures(self, analysis: LabelsAnalysis) -> Iterator[Figure]:
        """Yield the figures of one metric."""
        labels = analysis.labels
        n = f"{counted(labels.labels, 'labelled item')} of {labels.items:,}"
        shown_pairs = self.shown(
            labels, f"Mean {wording.direction(analysis.metric)}, {n}"
        )
        if is_alone(labels):
            yield from figures.differences(shown_pairs)
            return
        ranked = self.ranks(analysis)
        if ranked is not None:
            yield ranks.intervals(ranked, shown_pairs, self.comparison.claim(ranked))

    def csv_tables(self, analysis: LabelsAnalysis) -> dict[str, AnyTable]:
        """Return the tables of one metric for CSV files, full precision."""
        labels = analysis.labels
        return build.frames(
            pairs=analysis.pairs_table(),
            means=Columns.of(labels.held("means")),
            populations=Columns.of(labels.held("populations")),
        )


def _row_of(labels: LabelsResult, fact: PairFact) -> Any:
    """Return the row of a pair."""
    table = labels.as_columns()
    ends = {fact.subject, fact.object}
    return next(
        row for row in table.itertuples() if {row.algorithm_1, row.algorithm_2} == ends
    )


def _judge_alone(labels: LabelsResult, fact: PairFact) -> float:
    """Return the difference of the judge's means, as a fact has its estimate."""
    row = _row_of(labels, fact)
    turned = row.algorithm_1 != fact.subject
    return -row.judge_alone if turned else float(row.judge_alone)


def _name(fact: PairFact, outcome: Outcome) -> str:
    subject = reference(outcome)
    return fact.title if subject is None else fact.other(subject)


def _worth(labels: LabelsResult, gain: float, fact: PairFact) -> str:
    """Return how many labels the judge is worth, for one pair."""
    if math.isnan(gain) or gain < _USELESS:
        return "The judge adds nothing here: people's labels give the same interval."
    more = round(labels.labels / (1 - gain)) - labels.labels
    of = "" if fact.alone else f" for {fact.title}"
    return f"The judge is worth {counted(more, 'more label')}{of}."


def _alone(labels: LabelsResult, outcome: Outcome) -> str:
    """Return the judge's own difference of the first pair."""
    fact, at = outcome.pairs[0], places(outcome)
    judge = _judge_alone(labels, fact)
    apart = judge - (fact.estimate or 0.0)
    favours = fact.subject if (apart < 0) == fact.lower_is_better else fact.object
    told = f"The judge's own scores differ by {doc.aligned(judge, at, 3)}"
    size = doc.aligned(abs(apart), at, 3)
    if apart == 0 or size.startswith("<"):  # 0, or a rounding error
        return f"{told}."
    return f"{told}: it favours {favours} by {size}."


def _of_these(labels: LabelsResult, outcome: Outcome) -> str:
    """Return the interval of the first pair for these items with no others."""
    fact, at = outcome.pairs[0], places(outcome)
    ends = (fact.subject, fact.object)
    for row in labels.of_population(THESE).itertuples():
        if {row.algorithm_1, row.algorithm_2} == {*ends}:
            turned = row.algorithm_1 != fact.subject
            low, high = row.conf_low, row.conf_high
            if turned:
                low, high = -high, -low
            limits = doc.interval_text((low, high), at)
            return f"On these {labels.items:,} items its interval is {limits}."
    raise LookupError(f"no row of {ends}")


def _populations(analysis: LabelsAnalysis, alpha: float) -> Table:
    """Return every pair for both populations."""
    labels = analysis.labels
    alone = is_alone(labels)
    held = Columns.of(labels.held("populations"))
    return build.table(
        f"Differences for {LIKE} (primary) and for {THESE} only, of which the labelled "
        "ones are a sample. Each interval excludes 0 exactly when its p-value is "
        f"significant; joint intervals are simultaneous {percent(labels.level)} "
        "intervals. Gain: share of the variance that the judge saves.",
        held,
        PAIR,
        Field("population", "text", "population"),
        Field("difference", "number", "estimate", digits=4),
        Field("interval", "interval", lambda row: (row.conf_low, row.conf_high)),
        Field("joint interval", "interval", _joint),
        Field("p" if alone else "adjusted p", "p", "p_adjusted", alpha),
        Field("gain", "number", "gain", digits=2),
        file="populations",
    )


def _joint(row: Any) -> tuple[float, float]:
    """Return the limits that hold together."""
    return row.joint_low, row.joint_high


def _means(analysis: LabelsAnalysis) -> Table:
    """Return the mean label of each algorithm, for both populations."""
    labels, name = analysis.labels, analysis.metric.name
    held = Columns.of(labels.held("means"))
    return build.table(
        f"Mean {name} of each algorithm with its individual t interval; of the labels "
        "only, and of the judge only. Overlapping intervals are not a test.",
        held,
        Field("Algorithm", "label", "algorithm"),
        Field("population", "text", "population"),
        Field(f"mean {name}", "number", "estimate", digits=4),
        build.ci(labels.level),
        Field("standard error", "number", "std_error", digits=4),
        Field("labels only", "number", "label_mean", digits=4),
        Field("judge only", "number", "judge_mean", digits=4),
        file="means",
    )
