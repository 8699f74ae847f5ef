"""What a page needs to know of an analysis: facts, tables and figures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from pycompare.base.tables import AnyTable
from pycompare.designs.analysis import Analysis
from pycompare.designs.decisions import rejected_pairs, unable
from pycompare.designs.error_rates import error_rate, of_plan
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.pair_methods import FLIPS, short_title
from pycompare.methods.orders.rank_sets import RankSets
from pycompare.methods.ranks.friedman import FriedmanResult
from pycompare.methods.ranks.pairs import RankPairsResult
from pycompare.reporting import document as doc
from pycompare.reporting.content import figures as shared
from pycompare.reporting.content import (
    fold_words,
    margin_report,
    posterior_report,
    ranks,
    runs_report,
    task_report,
    wording,
    words,
)
from pycompare.reporting.content.build import Method
from pycompare.reporting.content.facts import (
    Outcome,
    SensitivityAnalysis,
    Statements,
)
from pycompare.reporting.content.firm_report import DIFFERENCES_TITLE
from pycompare.reporting.content.forest import forest
from pycompare.reporting.content.margin_forest import margin_forest
from pycompare.reporting.content.outcomes import method
from pycompare.reporting.content.page import PageResult
from pycompare.reporting.content.sources import FactRows
from pycompare.reporting.content.tables import (
    against_best,
    in_step,
    of_two,
    sensitivity,
)
from pycompare.results.result import PairsResult

if TYPE_CHECKING:
    pass


_SAME = "as the primary analysis"
A = TypeVar("A", bound=Analysis)


class AnalysisReport(ABC, Generic[A]):
    """One comparison as its analysis reports it.

    A type of analysis states its own parts, and overrides unusual ones.
    """

    drawn: str = "permutations"  # what the tests of pairs may draw at random
    # What tests of pairs are called, by the source of their p-values.
    kinds: tuple[tuple[str, str], ...] = ()

    def __init__(self, comparison: GroupComparison, results: int = 1) -> None:
        self.comparison = comparison
        self.one_figure = shared.one_each(results)
        self.alpha = comparison.plan.alpha
        self._statements: dict[A, Statements] = {}
        self._outcomes: dict[A, Outcome | None] = {}

    def question(self, where: str) -> str:
        """Return the question that the comparison answers; ``where`` ends it."""
        return words.question(self.comparison, where)

    @property
    def analyses(self) -> tuple[A, ...]:
        """The analyses of all metrics."""
        return cast("tuple[A, ...]", self.comparison.analyses)

    def uses_of_seed(self) -> list[str]:
        """Return the random factors in this analysis."""
        tested = [
            tests for analysis in self.analyses for tests in analysis.compared.values()
        ]
        drawn = any(test.is_drawn for tests in tested for test in tests)
        omnibus = any(
            isinstance(result, FriedmanResult) and words.is_permuted(result)
            for analysis in self.analyses
            for _, result in analysis.results()
        )
        together = fold_words.uses_of_seed(self.comparison)
        friedman = ["the permutation p-value of Friedman's test"]
        return [
            *([self.drawn] if drawn else []),
            *friedman * omnibus,
            *together,
            *posterior_report.uses_of_seed(self.analyses),
            *task_report.uses_of_seed(self.analyses),
        ]

    def depends_on_seed(self) -> bool:
        """Return whether conclusions depend on the random seed."""
        facts = [self.statements(analysis).outcome for analysis in self.analyses]
        return any(
            analysis.decisive is not None and analysis.decisive.is_drawn
            for analysis in self.analyses
        ) or any(
            outcome is not None and words.is_permuted(outcome.omnibus)
            for outcome in facts
        )

    def data(self, origin: dict[str, Any]) -> FactRows | None:
        """Return the description of the data, if it is not the usual one."""
        return None

    @abstractmethod
    def plan(self) -> list[str]:
        """Return the plan in sentences, the kind of blocks first."""

    @abstractmethod
    def methods(self) -> Iterable[Method]:
        """Return the methods with their error rates and sources."""

    @abstractmethod
    def scope(self) -> list[str]:
        """Return the scope of the conclusions, and its limits."""

    @abstractmethod
    def limits(self) -> list[str]:
        """Return the assumptions and limits of the analysis."""

    def statements(self, analysis: A) -> Statements:
        """Return everything that is stated about one metric, as facts."""
        if analysis not in self._statements:
            self._statements[analysis] = self._stated(analysis)
        return self._statements[analysis]

    def _stated(self, analysis: A) -> Statements:
        """Return the facts of one metric, found anew."""
        facts = self._known(analysis)
        untested = self.untested(analysis)
        if untested:
            return Statements(outcome=facts, remarks=tuple(untested))
        return Statements(
            outcome=facts,
            remarks=tuple(self.remarks(analysis)),
            alternatives=tuple(self.alternatives(analysis)),
            note=self.note(analysis),
        )

    def facts(self, analysis: A) -> Outcome:
        """Return the facts about the primary analysis of one metric that has any."""
        known = self._known(analysis)
        assert known is not None
        return known

    def _known(self, analysis: A) -> Outcome | None:
        """Return the facts, which are collected once: of many pairs they take time."""
        if analysis not in self._outcomes:
            self._outcomes[analysis] = self.outcome(analysis)
        return self._outcomes[analysis]

    @abstractmethod
    def outcome(self, analysis: A) -> Outcome | None:
        """Return the facts about the primary analysis of one metric, if it has any."""

    def untested(self, analysis: A) -> Sequence[str]:
        """Return the reason why nothing can be tested; nothing if anything can."""
        tested: Any = analysis
        if not words.untested(tested):
            return []
        test = tested.omnibus if tested.omnibus.notes else tested.decisive
        return words.nothing_tested(test)

    @abstractmethod
    def remarks(self, analysis: A) -> Iterable[str]:
        """Yield the notes for readers besides the outcome: effects, warnings."""

    @abstractmethod
    def alternatives(self, analysis: A) -> Iterable[SensitivityAnalysis]:
        """Yield the sensitivity analyses."""

    def other_pairs(self, analysis: Any) -> Iterator[SensitivityAnalysis]:
        """Yield the other comparisons of the same pairs by the plan."""
        plan = self.comparison.plan
        for pairs in analysis.pairs[1:]:
            same = pairs.method == analysis.decisive.method
            yield SensitivityAnalysis(
                name=self._name_of(pairs, same=same),
                assumes=_SAME
                if same
                else error_rate(pairs, plan, of_plan(plan)).assumed,
                significant=rejected_pairs(pairs, self.alpha),
                hopeless=unable(pairs, self.alpha),
                same_quantity=pairs.estimate_name == analysis.decisive.estimate_name,
                short=short_title(pairs.called)
                if same or pairs.called in FLIPS
                else self._name_of(pairs, same=same),
            )

    def _name_of(self, pairs: PairsResult, *, same: bool) -> str:
        """Return the adjustment, and the test if it is another one."""
        title = short_title(pairs.called)
        if pairs.called in FLIPS:
            return f"{title} ({pairs.method})"
        if same:
            return f"{title} adjustment"
        source = pairs.p_source if isinstance(pairs, RankPairsResult) else ""
        kind = dict(self.kinds).get(source)
        return f"{kind or wording.begun(pairs.method)}, {title}"

    def note(self, analysis: A) -> str:
        """Return what belongs to the method, such as how it was chosen."""
        return ""

    def sentences(self, analysis: A) -> list[str]:
        """Return everything that is stated about one metric, margins too, in words."""
        statements, claims = self.statements(analysis), self.claims(analysis)
        told = wording.sentences(statements)
        posterior = posterior_report.told(analysis, self.comparison)
        posterior += task_report.told(analysis)
        if not claims:
            return [*told, *posterior]
        first, *more = map(doc.plain, claims)
        answer, *rest = told
        if statements.outcome is not None:
            answer = doc.plain(wording.headed(statements.outcome))
        return [
            f"{wording.direction(analysis.metric)}: {first}",
            *more,
            f"{wording.SUPPLEMENTARY}: {answer}",
            *rest,
            *posterior,
        ]

    def claims(self, analysis: A) -> list[doc.Inline]:
        """Return the claims of the tests against the margin of a metric, if it has one.

        They are of the hypothesis of the plan, so they come before the differences.
        """
        return margin_report.claims(analysis)

    def margin_method(self, analysis: A) -> str:
        """Return how the claims were found, with their error rate."""
        return margin_report.method(analysis, self.comparison.plan)

    def margin_forest(self, analysis: A) -> doc.Forest | None:
        """Return the first figure of a plan with a margin, if there are differences."""
        tests = analysis.margin_test
        return None if tests is None else margin_forest(tests)

    def ranks(self, analysis: A) -> RankSets | None:
        """Return the confidence sets of ranks of one metric, if any are shown."""
        sets = self.comparison.rank_sets.get(analysis.metric.name)
        return sets if sets and len(sets.as_columns()) >= ranks.FEWEST else None

    def detailed(
        self, analysis: A, shown: shared.ShownPairs, *, independent: bool = True
    ) -> Iterator[doc.Figure]:
        """Yield sets of ranks, chances of pairs, and scores of few data sets.

        ``independent``: whether blocks are, as intervals of chances need.
        """
        metric, scores = analysis.metric, self.comparison.compared
        ranked = self.ranks(analysis)
        if ranked and shared.few(ranked.pairs):
            yield ranks.intervals(ranked, shown, self.comparison.claim(ranked))
        if independent:
            yield from shared.chances(shown, scores, metric)
        if self.comparison.plan.design.over_datasets:
            one_unit = not self.comparison.plan.as_ratios
            yield from shared.profiles(scores, metric, one_unit=one_unit)

    def forest(self, analysis: A) -> doc.Forest | None:
        """Return the first figure: differences with intervals, if pairs have them.

        Pairs that are compared in mean ranks have none.
        """
        outcome = self.statements(analysis).outcome
        if outcome is None or outcome.better_in or self.untested(analysis):
            return None
        margin = self.comparison.plan.margin_of(analysis.metric.name)
        band = None if margin is None else (-margin, margin)
        if margin is not None and self.comparison.plan.as_ratios:
            band = (1 / (1 + margin), 1 + margin)
        return forest(outcome, band)

    def second(self, analysis: A) -> doc.Figure | None:
        """Return the figure below the first one: the structure of all algorithms."""
        return None

    @abstractmethod
    def blocks(self, analysis: A) -> Iterable[doc.Block]:
        """Yield the tables of one metric, open ones first."""

    @abstractmethod
    def figures(self, analysis: A) -> Iterable[doc.Figure]:
        """Yield the figures of one metric; the first shows the conclusion."""

    def shown(
        self, pairs: PairsResult, what: str, prefix: str = ""
    ) -> shared.ShownPairs:
        """Return pairs for figures; ``what`` is compared, on what."""
        return shared.ShownPairs(pairs, self.alpha, what, method(pairs), prefix)

    def left_out(self, analysis: A) -> str | None:
        """Return which figures are omitted, because algorithms are too many."""
        pairs = analysis.decisive
        return None if pairs is None else shared.left_out(pairs)

    @abstractmethod
    def csv_tables(self, analysis: A) -> dict[str, AnyTable]:
        """Return the tables of one metric for CSV files, full precision."""

    def title(self, analysis: A) -> str:
        """Return the title of the results of one metric."""
        return wording.direction(analysis.metric)

    def reported(self, analysis: A) -> str:
        """Return estimates in the past tense, if no pair is tested."""
        return ""

    def result(self, analysis: A, prefix: str) -> PageResult:
        """Return everything about one metric."""
        stated = self.statements(analysis)
        outcome = stated.outcome
        claims = self.claims(analysis)
        ranked = self.ranks(analysis)
        predicted = self.comparison.rank_predictions.get(analysis.metric.name)
        drawings = iter(self.figures(analysis))
        first = self.forest(analysis) if not claims else self.margin_forest(analysis)
        lead = next(drawings, None) if first is None else self.second(analysis)
        told = (*stated.remarks, *claims[1:])
        answer, *remarks = told if outcome is None else (wording.headed(outcome), *told)
        method: doc.Inline = ""
        if outcome is not None:
            method = wording.method(outcome, stated.note)
        if claims:
            differences = doc.joined(f"{wording.SUPPLEMENTARY}:", answer, method)
            method = doc.joined(self.margin_method(analysis), differences)
            answer = claims[0]
        table: doc.Table | None = None
        if outcome is not None and first is None:
            small = against_best(outcome) or of_two(outcome)
            table = small and in_step(small, outcome)
        blocks = doc.present(
            doc.Bullets(tuple(remarks)) if remarks else None,
            *self.blocks(analysis),
            ranks.block(
                ranked,
                ranks.unit_of(self.comparison),
                self.comparison.claim(ranked),
                predicted,
            )
            if ranked
            else ranks.predictions(predicted),
            *runs_report.blocks(self.comparison, analysis),
            *margin_report.blocks(analysis),
            *posterior_report.blocks(self.comparison, analysis, prefix),
            *task_report.blocks(analysis, prefix),
            None
            if self.one_figure
            else drawn(drawings, prefix, self.left_out(analysis)),
        )
        return PageResult(
            title=self.title(analysis),
            prefix=prefix,
            answer=answer,
            method=method,
            firm_title=DIFFERENCES_TITLE if claims else PageResult.firm_title,
            figure=lead and replace(lead, name=f"{prefix}{lead.name}"),
            forest=first
            and replace(
                first,
                figure=replace(first.figure, name=f"{prefix}{first.figure.name}"),
            ),
            table=table,
            blocks=tuple(in_step(block, outcome) for block in blocks),
            sensitivity=doc.present(
                None if outcome is None else sensitivity(outcome, stated.alternatives),
            ),
            tables=self.csv_tables(analysis)
            | ranks.all_csv_tables(ranked, predicted)
            | runs_report.csv_tables(analysis)
            | margin_report.csv_tables(analysis)
            | posterior_report.csv_tables(analysis)
            | task_report.csv_tables(analysis),
            not_in_r=analysis.not_in_r(),
        )


def drawn(
    figures: Iterable[doc.Figure], prefix: str, left_out: str | None = None
) -> doc.FoldedSection | None:
    """Return figures under the names of their files, folded, and which are omitted."""
    named = [replace(figure, name=f"{prefix}{figure.name}") for figure in figures]
    omitted = doc.Paragraph(left_out) if left_out else None
    title = f"Figures ({len(named)})" if named else "Figures that are left out"
    shown = doc.fold(title, *named, omitted)
    return shown if shown.blocks else None
