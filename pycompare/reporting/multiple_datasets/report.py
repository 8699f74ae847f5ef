"""Folds of several data sets as a page tells them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pycompare.analyses.decisions import unable
from pycompare.analyses.multiple_datasets import DatasetsAnalysis, OverDatasets
from pycompare.multiplicity.guarantees import NO_TEST, Where
from pycompare.pairs.paired_t_pairs import PairedTPairsResult
from pycompare.plans.fields import Verdict
from pycompare.reporting.content import figures, wording, words
from pycompare.reporting.content.analysis_report import AnalysisReport, Tables, Texts
from pycompare.reporting.content.build import Method, of_method, of_test
from pycompare.reporting.content.facts import Alternative, significant
from pycompare.reporting.content.outcomes import NAMES, method
from pycompare.reporting.document import Figure
from pycompare.reporting.multiple_datasets import tables
from pycompare.reporting.multiple_datasets import words as datasets_words
from pycompare.reporting.multivariate import methods as together_methods

_ASSUMES: dict[Verdict, str] = {
    "ranks": "asks how often one is better, on data sets like these",
    "sign": "asks on how many data sets one is significantly better",
    "means": "asks for the mean difference on data sets like these",
    "model": "asks for the mean difference on these very data sets",
}


class MultipleDatasetsReport(AnalysisReport[DatasetsAnalysis]):
    """Each data set by itself, then the comparisons over data sets."""

    texts = Texts(
        datasets_words.plan_sentences, datasets_words.scope, datasets_words.limits
    )
    tables = Tables(tables.blocks, tables.csv_tables)

    def methods(self) -> list[Method]:
        """Return the methods with their error rates and sources."""
        first, plan = self.analyses[0], self.comparison.plan
        each = first.each[0]
        rows: list[Method] = [
            of_test(
                each.omnibus,
                plan,
                "folds",
                "On each data set: blocked ANOVA",
                "; on the data set",
            )
        ]
        for pairs in each.pairs:
            start, end = f"On each data set: {pairs.method}, ", "; on the data set"
            title, rate, _ = of_method(pairs, plan, "folds", start, end)
            rows.append((title, rate, pairs.reference))
        rows.append(("Table of wins", NO_TEST, first.wins.reference))
        rows += [row for over in first.over for row in self.methods_over(over)]
        rows.append(of_test(first.interaction, plan, "folds"))
        return [*rows, *together_methods(self.comparison)]

    def methods_over(self, over: OverDatasets) -> Iterator[Method]:
        """Yield the methods of one comparison over data sets."""
        start = f"Over data sets, {NAMES[over.key]}: "
        where: Where = "model" if over.key == "model" else "blocks"
        plan = self.comparison.plan
        if over.test is not None:
            title = over.test.name.split(",")[0]
            yield of_test(over.test, plan, where, f"{start}{title}")
        if len(over.decisive.algorithms) == 2 and not over.joint:
            return
        for pairs in over.pairs:
            own = "paired t tests, " * isinstance(pairs, PairedTPairsResult)
            yield of_method(pairs, plan, where, f"{start}{own}")

    def untested(self, analysis: DatasetsAnalysis) -> list[str]:
        """Say why nothing can be tested; nothing if anything can."""
        over = analysis.planned
        if not words.untested(over):
            return []
        notes = () if over.test is None else over.test.notes
        why = notes[-1] if notes else "no data set has a test of any pair"
        return [f"Reason: {why}.", _totals(analysis)]

    def remarks(self, analysis: DatasetsAnalysis) -> Iterator[str]:
        """Yield warnings, the interaction, and how often each algorithm wins."""
        over = analysis.planned
        yield from words.at_odds(over, over.test, self.alpha)
        yield from _out_of_reach(over, "The planned sign tests", self.alpha)
        yield _interaction(analysis, self.alpha)
        yield _totals(analysis)
        for one in analysis.over:
            if one is not over:
                yield from _out_of_reach(one, f"Sensitivity: {_named(one)}", self.alpha)

    def alternatives(self, analysis: DatasetsAnalysis) -> Iterator[Alternative]:
        """Yield the other comparisons over data sets."""
        planned, alpha = analysis.planned.test, self.alpha
        for other in analysis.over:
            if other.key == analysis.verdict:
                continue
            test, omnibus = other.test, None
            if test is not None and not math.isnan(test.p_value):
                made = test.rejected(alpha)
                alike = planned is None or made == planned.rejected(alpha)
                omnibus = (test.p_value, alike)
            yield Alternative(
                name=wording.begun(_named(other)),
                assumes=_ASSUMES[other.key],
                omnibus=omnibus,
                significant=significant(other.decisions),
                hopeless=frozenset(unable(other.decisive, alpha)),
            )

    def note(self, analysis: DatasetsAnalysis) -> str:
        """Say so where the size of the table alone chose the comparison of pairs."""
        if analysis.verdict != "ranks" or analysis.ranks is None:
            return ""
        return words.chosen_by_size(self.comparison, analysis.ranks.decisive)

    def figures(self, analysis: DatasetsAnalysis) -> Iterator[Figure]:
        """Yield the figures of one metric; the first shows the conclusion."""
        if len(analysis.planned.decisive.algorithms) > 2:
            order = sorted(analysis.over, key=lambda over: over is not analysis.planned)
            for over in order:
                yield from self.figures_of(over, over is analysis.planned)
        scores = self.comparison.compared
        yield from figures.distributions(scores, analysis.metric, "data set")

    def figures_of(self, over: OverDatasets, planned: bool) -> Iterator[Figure]:
        """Yield the figures of one comparison over data sets."""
        n, on = self.comparison.compared.n_blocks, wording.direction(over.metric)
        what = f"{wording.begun(NAMES[over.key])}, {on}, {n} data sets"
        shown = self.shown(over.decisive, what, "" if planned else f"{over.key}_")
        if over.key == "ranks":
            yield from figures.diagram(shown)
        elif over.key == "sign":
            yield from figures.p_values(shown)
        elif planned or over.key == "means":
            yield from figures.differences(shown)
        if planned or over.key == "sign":
            yield from figures.order(shown)


def _named(over: OverDatasets) -> str:
    """Return what a comparison over data sets is called."""
    return f"{NAMES[over.key]}, {method(over.decisive)}"


def _out_of_reach(over: OverDatasets, start: str, alpha: float) -> Iterator[str]:
    """Say which pairs an exact test of so few data sets cannot find significant."""
    made, exact = over.decisions, over.decisive
    return words.out_of_reach(start, made, exact, alpha, "data set")


def _totals(analysis: DatasetsAnalysis) -> str:
    """Say how often each algorithm wins."""
    found = analysis.wins.totals
    assert found is not None
    count = sum(made.rejected for on in analysis.each for made in on.decisions)
    every = sum(len(on.decisions) for on in analysis.each)
    ordered = found.sort_values(ascending=False, kind="stable")
    shown = ", ".join(f"{name} {int(wins)}" for name, wins in ordered.items())
    return (
        f"On single data sets, {count} of {every} pairwise comparisons are "
        f"significant. Data sets (of {analysis.wins.n_datasets}) on which an algorithm "
        f"beats at least one other: {shown}."
    )


def _interaction(analysis: DatasetsAnalysis, alpha: float) -> str:
    """Say whether differences change from data set to data set."""
    test = analysis.interaction
    if math.isnan(test.p_value):
        return (
            f"Whether differences change from data set to data set cannot be tested: "
            f"{test.notes[0]}."
        )
    shown = f"{test.name}: {wording.test_result(test, alpha)}"
    if test.rejected(alpha):
        return (
            f"Differences change from data set to data set ({shown}). Results of one "
            f"model of all folds need not hold on other data sets."
        )
    return (
        f"No significant change of differences from data set to data set ({shown}). "
        f"This does not show that there is none."
    )
