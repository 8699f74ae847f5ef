"""The analysis of cases as a page tells it."""

from __future__ import annotations

from collections.abc import Iterator

from pycompare.analyses.cases import CaseAnalysis
from pycompare.analyses.decisions import decisions
from pycompare.multiplicity.guarantees import guarantee_of
from pycompare.plans.post_hoc import FLIPS, short_title
from pycompare.reporting.cases import tables
from pycompare.reporting.cases import words as case_words
from pycompare.reporting.content import figures, ranks, wording, words
from pycompare.reporting.content.analysis_report import AnalysisReport, Tables, Texts
from pycompare.reporting.content.build import Method, of_method, of_test
from pycompare.reporting.content.facts import Alternative, significant
from pycompare.reporting.content.outcomes import method
from pycompare.reporting.document import Figure
from pycompare.results import PairsResult

_SAME = "as the primary analysis"


class CasesReport(AnalysisReport[CaseAnalysis]):
    """Blocks are cases (items) of one test set."""

    texts = Texts(case_words.plan_sentences, case_words.scope, case_words.limits)
    tables = Tables(tables.blocks, tables.csv_tables)
    drawn = "flips of signs"

    def methods(self) -> list[Method]:
        """Return the comparisons of the plan with error rates and sources."""
        plan = self.comparison.plan
        rows: list[Method] = []
        for analysis in self.analyses:
            rows.append(of_test(analysis.omnibus, plan, "blocks"))
            rows += [of_method(pairs, plan, "blocks") for pairs in analysis.pairs]
        return rows

    def remarks(self, analysis: CaseAnalysis) -> Iterator[str]:
        """Yield notes and warnings."""
        yield from map(wording.sentence, analysis.decisive.notes)
        yield from words.at_odds(analysis, analysis.omnibus, self.alpha)

    def alternatives(self, analysis: CaseAnalysis) -> Iterator[Alternative]:
        """Yield the other methods of the plan."""
        if len(analysis.decisions) == 1 and not analysis.joint:
            return
        better = analysis.metric.better
        for found in analysis.pairs[1:]:
            same = found.method == analysis.decisive.method
            yield Alternative(
                name=_name_of(found, same=same),
                assumes=_SAME if same else guarantee_of(found).assumed,
                significant=significant(decisions(found, self.alpha, better)),
            )

    def figures(self, analysis: CaseAnalysis) -> Iterator[Figure]:
        """Yield the figures of one metric; the first shows the conclusion."""
        n = case_words.sample(analysis.n_cases, analysis.n_clusters)
        shown = figures.Shown(
            pairs=analysis.decisive,
            alpha=self.alpha,
            what=f"Mean {wording.direction(analysis.metric)}, {n}",
            method=method(analysis.decisive),
        )
        ranked = self.ranks(analysis)
        if ranked is not None:
            yield ranks.intervals(ranked, shown)
        yield from figures.order(shown)
        yield from figures.p_values(shown)


def _name_of(found: PairsResult, *, same: bool) -> str:
    """Return the adjustment, and the test where it is another one."""
    title = short_title(found.called)
    if found.called in FLIPS:
        return f"{title} ({found.method})"
    return f"{title} adjustment" if same else f"{found.method}, {title}"
