"""The rank analysis as a page tells it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from pycompare import plotting
from pycompare.analyses.decisions import decisions, unable
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.rank_tests import RankAnalysis
from pycompare.formatting.numbers import number
from pycompare.multiplicity.guarantees import guarantee_of
from pycompare.plans.post_hoc import FLIPS, short_title
from pycompare.reporting.content import figures, wording, words
from pycompare.reporting.content.analysis_report import AnalysisReport, Tables, Texts
from pycompare.reporting.content.build import Method, of_method
from pycompare.reporting.content.facts import Alternative, significant
from pycompare.reporting.content.outcomes import method, singular
from pycompare.reporting.document import Figure
from pycompare.reporting.rank_tests import tables
from pycompare.reporting.rank_tests import words as rank_words
from pycompare.results import PairsResult, rejected

_SAME = "as the primary analysis"
_SIGNS = "blocks are independent; each pair is tested by its own wins"


class RankTestsReport(AnalysisReport[RankAnalysis]):
    """Blocks are independent data sets, compared by rank."""

    texts = Texts(rank_words.plan_sentences, rank_words.scope, rank_words.limits)
    tables = Tables(tables.blocks, tables.csv_tables)

    def methods(self) -> list[Method]:
        """Return the comparisons of the plan with error rates and sources."""
        plan, pairs = self.comparison.plan, self.analyses[0].pairs
        return [of_method(found, plan, "blocks") for found in pairs]

    def remarks(self, analysis: RankAnalysis) -> Iterator[str]:
        """Yield warnings."""
        test = analysis.omnibus
        if math.isnan(test.p_value):
            yield f"{test.name}: not available. Reason: {test.notes[0]}."
        yield from words.at_odds(analysis, test, self.alpha)
        yield from _out_of_reach(analysis, self.alpha)

    def alternatives(self, analysis: RankAnalysis) -> Iterator[Alternative]:
        """Yield the sensitivity analyses."""
        alpha = self.alpha
        planned = analysis.omnibus.rejected(alpha)
        for test in analysis.witnesses:
            yield Alternative(
                name=test.name,
                assumes="no large samples"
                if test.p_source == "exact"
                else f"large samples ({test.p_source} distribution)",
                omnibus=(test.p_value, test.rejected(alpha) == planned),
            )
        for pairs in analysis.pairs[1:]:
            yield Alternative(
                name=_name_of(analysis, pairs),
                assumes=_SAME
                if pairs.method == analysis.decisive.method
                else guarantee_of(pairs).assumed,
                significant=significant(decisions(pairs, alpha)),
                hopeless=frozenset(unable(pairs, alpha)),
            )
        yield from _sign_tests(analysis, alpha)

    def note(self, analysis: RankAnalysis) -> str:
        """Say so where the size of the table alone chose the test of pairs."""
        return words.chosen_by_size(self.comparison, analysis.decisive)

    def figures(self, analysis: RankAnalysis) -> Iterator[Figure]:
        """Yield the figures of one metric; the first shows the conclusion."""
        shown = figures.Shown(
            pairs=analysis.decisive,
            alpha=self.alpha,
            what=shown_as(analysis, self.comparison),
            method=method(analysis.decisive),
        )
        yield from diagram(shown, analysis)
        yield from _nemenyi(analysis, self.alpha)
        yield from figures.order(shown)
        yield from figures.p_values(shown)
        scores = self.comparison.compared
        yield figures.distributions(scores, analysis.metric, "data set")


def shown_as(analysis: RankAnalysis, comparison: GroupComparison) -> str:
    """Return what figures show: ``Mean ranks in accuracy, 30 data sets``."""
    name = f"{wording.begun(singular(analysis.decisive.estimate_name))}s"
    n = comparison.compared.n_blocks
    block = "folds" if comparison.plan.blocks == "folds" else "data sets"
    return f"{name} in {wording.direction(analysis.metric)}, {n} {block}"


def diagram(shown: figures.Shown, analysis: RankAnalysis) -> Iterator[Figure]:
    """Yield the critical difference diagram."""
    return figures.diagram(shown, analysis.decisive, "1 = best")


def _nemenyi(analysis: RankAnalysis, alpha: float) -> Iterator[Figure]:
    """Yield Nemenyi's diagram and intervals, where the test was made."""
    found = analysis.nemenyi
    if found is None or words.untested(analysis):
        return
    cd = number(found.critical_difference, 3)
    yield Figure(
        "nemenyi",
        partial(plotting.critical_difference, found, alpha=alpha),
        f"Sensitivity, Nemenyi test: mean ranks at least the critical difference {cd} "
        f"apart differ significantly (alpha = {alpha:g}).",
        "Critical difference diagram by Nemenyi's test.",
    )
    yield Figure(
        "mean_ranks",
        partial(plotting.mean_ranks, found),
        f"Mean ranks with comparison intervals. Algorithms whose intervals do not "
        f"overlap differ by Nemenyi's test (alpha = {alpha:g}). They are not "
        f"confidence intervals.",
        "Mean ranks with comparison intervals.",
    )


def _out_of_reach(analysis: RankAnalysis, alpha: float) -> Iterator[str]:
    """Say which pairs an exact test of so few blocks cannot find significant alone."""
    effects = analysis.superiority
    cannot = set() if effects is None else unable(effects, alpha)
    if effects is not None and cannot:
        yield words.out_of_reach(
            "An exact sign test of a single pair",
            [d for d in analysis.decisions if d.pair in cannot],
            len(analysis.decisions),
            effects.table,
            alpha,
            "block",
        )


def _name_of(analysis: RankAnalysis, pairs: PairsResult) -> str:
    """Return the adjustment, and the test where it is another one."""
    if pairs.called in FLIPS:
        return f"{short_title(pairs.called)} ({pairs.method})"
    if pairs.method == analysis.decisive.method:
        return f"{short_title(pairs.called)} adjustment"
    kinds = {"normal": "Z tests", "exact": "Exact tests"}
    kind = kinds.get(getattr(pairs, "p_source", ""), wording.begun(pairs.method))
    return f"{kind}, {short_title(pairs.called)}"


def _sign_tests(analysis: RankAnalysis, alpha: float) -> Iterator[Alternative]:
    """Yield the exact sign tests of each pair alone."""
    effects = analysis.superiority
    if effects is None:
        return
    found = effects.table[rejected(effects.table["p_adjusted"], alpha)]
    yield Alternative(
        name=f"Exact sign tests of each pair alone, {short_title(effects.adjust)}",
        assumes=_SIGNS,
        significant={
            frozenset((row.algorithm_1, row.algorithm_2)): row.algorithm_1
            if row.wins > row.losses
            else row.algorithm_2
            for row in found.itertuples()
        },
        hopeless=frozenset(unable(effects, alpha)),
    )
