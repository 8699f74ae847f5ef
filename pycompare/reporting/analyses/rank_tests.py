"""Ranks over blocks, which are independent data sets, as a page presents them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from pycompare import plotting
from pycompare.base.formatting.numbers import number, percent
from pycompare.base.tables import AnyTable, Columns, stacked
from pycompare.designs.analysis import Analysis
from pycompare.designs.decisions import unable
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.pair_methods import FLIPS, short_title
from pycompare.designs.rank_tests import RankAnalysis
from pycompare.methods.ranks.known import FRIEDMAN, RANK_TESTS
from pycompare.methods.ranks.pairs import RankPairsResult
from pycompare.reporting.content import (
    build,
    figures,
    related,
    tiers,
    wording,
    words,
)
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.build import PAIR, WINS, Field, Method, of_method
from pycompare.reporting.content.facts import Outcome, SensitivityAnalysis, stated
from pycompare.reporting.content.outcomes import compared
from pycompare.reporting.content.wording import sentence
from pycompare.reporting.document import Block, Figure, Paragraph, Table, fold, section
from pycompare.results.guarantees import BLOCKS
from pycompare.results.pair_rows import PairWinners
from pycompare.results.placement import Placement
from pycompare.results.result import rejected

if TYPE_CHECKING:
    pass


SCOPE = related.of_independent(
    "The conclusions concern data sets like these, assumed to be independent of "
    "one another."
)
UNDECLARED = (
    "No data set column states the kind of blocks, so they are assumed to be "
    "independent data sets. If they are folds of one data set, set --blocks folds; if "
    "they are cases of one test set, --blocks cases."
)
INDEPENDENT = (
    "Blocks are assumed to be independent. Folds or variants of one data set are not: "
    "their p-values would be too small. Name families of data sets as clusters "
    "(--cluster)."
)
_BY_RANKS = (
    "Rank tests ask how often one algorithm is better, not by how much. "
    "Hodges-Lehmann differences estimate by how much; they assume differences that are "
    "symmetric about their median."
)
_OWN_ERROR = (
    "Each pair is tested for exchangeability within blocks, with its own variance. Two "
    "algorithms with equal mean ranks may still differ, for example if one is far less "
    "stable."
)
_COMMON_ERROR = (
    "The standard error of a difference in mean ranks assumes that all algorithms "
    "perform equally. If others differ, it may be wrong for two equal ones. Each "
    "decision then depends on all algorithms in the table (Benavoli, Corani and "
    "Mangili 2016, JMLR 17(5))."
)
_FRIEDMAN_DRAWN = (
    "Friedman's p-value is from random permutations within blocks (the rule for few "
    "blocks). The chi-squared p-value of so few is too large."
)
_ROUNDED = "Scores are rounded to {decimals} decimals first."
_ULPS = (
    "Scores within 64 units in the last place tie, so that rounding error breaks no "
    "tie."
)
_STD_ERROR = {
    "permutation": "The standard error of a difference in mean ranks is that of "
    "permutations within blocks, corrected for ties as the omnibus test is.",
    "textbook": "The standard error of a difference in mean ranks is the textbook one, "
    "as specified. It is not corrected for ties, and too large with many.",
}
PValueSource = Literal["exact", "flips", "approximate"]
Reason = Literal["planned", "size", "ranks", "gaps"]
_REASONS: dict[Reason, str] = {
    "planned": "as specified",
    "size": "the rule for tables of this size",
    "ranks": "exact ones are available for Friedman's ranks only",
    "gaps": "exact ones need a complete table, and cells are missing",
}
_FOR_LARGE = {
    "normal": "Chi-squared and normal p-values",
    "flips": "The omnibus tests and Nemenyi's test",
    "permuted": "The omnibus tests other than Friedman's, and Nemenyi's test",
    "exact": "The p-values of the primary analysis are exact. Comparison intervals and "
    "the other omnibus tests",
}


class RankTestsReport(AnalysisReport[RankAnalysis]):
    """Blocks are independent data sets, compared by rank."""

    kinds = (("normal", "Z tests"), ("exact", "Exact tests"))

    def plan(self) -> list[str]:
        """Return the plan in words."""
        comparison, plan = self.comparison, self.comparison.plan
        by_size = (
            words.chosen_by_size(comparison, analysis.decisive)
            for analysis in self.analyses
        )
        chosen = list(dict.fromkeys(filter(None, by_size)))
        return [
            blocks_are(comparison),
            ties(plan.decimals, plan.rank_test),
            words.gate(plan.gate),
            p_value_sentence(comparison),
            *self._of_friedman(),
            *chosen,
            _STD_ERROR[plan.std_error],
            *words.exact_form(comparison),
            words.as_it_stands(comparison),
        ]

    def _of_friedman(self) -> list[str]:
        """Return a note if Friedman's p-value is of random permutations."""
        drawn = any(words.is_permuted(analysis.omnibus) for analysis in self.analyses)
        return [_FRIEDMAN_DRAWN] * drawn

    def methods(self) -> list[Method]:
        """Return the comparisons of the plan with error rates and sources."""
        plan = self.comparison.plan
        return [
            of_method(pairs, plan, BLOCKS)
            for analysis in self.analyses
            for pairs in analysis.pairs
        ]

    def scope(self) -> list[str]:
        """Return the scope of the conclusions, and its limits."""
        return [*scope(self.comparison), words.AMONG_THESE]

    def limits(self) -> list[str]:
        """Return the assumptions and limits of the analysis."""
        decisive = [analysis.decisive for analysis in self.analyses]
        by_flips = all(pairs.called in FLIPS for pairs in decisive)
        what = _FOR_LARGE["flips" if by_flips else "normal"]
        if not by_flips and all(map(_is_exact, self.analyses)):
            what = _FOR_LARGE["exact"]
        permuted = ("exact", "permutation")
        if by_flips and all(o.omnibus.p_source in permuted for o in self.analyses):
            what = _FOR_LARGE["permuted"]
        n, compared = self.comparison.compared.n_blocks, self.comparison.compared
        few = stated("; {n} blocks are few", n=n) if n < words.FEW else ""
        gaps = (
            f"{words.GAPS} Aligned ranks, Quade's test, Nemenyi's critical difference "
            f"and win counts need complete tables and are omitted."
        )
        return [
            INDEPENDENT,
            _BY_RANKS,
            _OWN_ERROR if by_flips else _COMMON_ERROR,
            stated("{what} are for large samples{few}.", what=what, few=few),
            *words.adjustment_limits(self.comparison),
            *words.doubts(compared),
            *([] if compared.complete else [gaps]),
        ]

    def outcome(self, analysis: RankAnalysis) -> Outcome:
        """Return the facts about the primary analysis of one metric."""
        placement = _placement(analysis)
        outcome = compared(
            analysis,
            self.comparison,
            values=analysis.decisive.placed(),
            quantity=placement.of_one,
            omnibus=analysis.omnibus,
        )
        return replace(outcome, better_in=placement)

    def remarks(self, analysis: RankAnalysis) -> Iterator[str]:
        """Yield warnings."""
        test, effects = analysis.omnibus, analysis.superiority
        if math.isnan(test.p_value):
            yield f"{test.name}: not available. Reason: {test.notes[0]}."
        yield from words.at_odds(analysis, test, self.alpha)
        if effects is not None:
            sign = "An exact sign test of a single pair"
            decisions = analysis.decisions
            yield from words.out_of_reach(sign, decisions, effects, self.alpha, "block")

    def alternatives(self, analysis: RankAnalysis) -> Iterator[SensitivityAnalysis]:
        """Yield the sensitivity analyses."""
        planned = analysis.omnibus.rejected(self.alpha)
        for test in analysis.witnesses:
            yield SensitivityAnalysis(
                name=test.name,
                assumes="no large samples"
                if test.p_source == "exact"
                else f"large samples ({test.p_source} distribution)",
                omnibus=(test.p_value, test.rejected(self.alpha) == planned),
            )
        yield from self.other_pairs(analysis)
        yield from sign_tests(analysis, self.alpha)

    def note(self, analysis: RankAnalysis) -> str:
        """Return a note if the size of the table alone chose the test of pairs."""
        return words.chosen_by_size(self.comparison, analysis.decisive)

    def blocks(self, analysis: RankAnalysis) -> Iterator[Block]:
        """Yield the tables of one metric, open ones first."""
        return blocks(analysis, self.alpha)

    def csv_tables(self, analysis: RankAnalysis) -> dict[str, AnyTable]:
        """Return the tables of one metric for CSV files, full precision."""
        return csv_tables(analysis)

    def figures(self, analysis: RankAnalysis) -> Iterator[Figure]:
        """Yield the figures of one metric; the first shows the conclusion."""
        shown = self.shown(analysis.decisive, shown_as(analysis, self.comparison))
        yield from tiers.of_many(self.facts(analysis))
        yield from figures.diagram(shown)
        yield from _nemenyi(analysis, self.alpha)
        yield from self.detailed(analysis, shown)
        yield from figures.distributions(
            self.comparison.compared, analysis.metric, "data set"
        )


def _placement(analysis: RankAnalysis) -> Placement:
    """Return which ranks algorithms are placed by."""
    placement = analysis.decisive.placement
    assert placement is not None
    return placement


def shown_as(analysis: RankAnalysis, comparison: GroupComparison) -> str:
    """Return what figures show: ``Mean ranks in accuracy, 30 data sets``."""
    name = wording.begun(_placement(analysis).title)
    n = comparison.compared.n_blocks
    block = f"{comparison.plan.design.unit}s"
    return f"{name} in {wording.direction(analysis.metric)}, {n} {block}"


def _nemenyi(analysis: RankAnalysis, alpha: float) -> Iterator[Figure]:
    """Yield Nemenyi's diagram and intervals, if the test was made."""
    nemenyi = analysis.nemenyi
    if nemenyi is None or words.untested(analysis) or not figures.few(nemenyi):
        return
    if math.isnan(nemenyi.critical_difference):  # all scores of each block are tied
        return
    cd = number(nemenyi.critical_difference, 3)
    yield Figure(
        "nemenyi",
        partial(plotting.critical_difference, nemenyi, alpha=alpha),
        f"Sensitivity, Nemenyi test: mean ranks at least the critical difference {cd} "
        f"apart differ significantly (alpha = {alpha:g}).",
        "Critical difference diagram by Nemenyi's test.",
    )
    yield Figure(
        "mean_ranks",
        partial(plotting.mean_ranks, nemenyi),
        f"Mean ranks with comparison intervals. Algorithms whose intervals do not "
        f"overlap differ by Nemenyi's test (alpha = {alpha:g}). They are not "
        f"confidence intervals.",
        "Mean ranks with comparison intervals.",
    )


def sign_tests(analysis: RankAnalysis, alpha: float) -> Iterator[SensitivityAnalysis]:
    """Yield the exact sign tests of each pair alone."""
    effects = analysis.superiority
    if effects is None:
        return
    table = effects.as_columns()
    better = np.where(table["wins"] > table["losses"], np.int8(1), np.int8(-1))
    better[~rejected(table["p_adjusted"], alpha)] = 0
    yield SensitivityAnalysis(
        name=f"Exact sign tests of each pair alone, {short_title(effects.adjust)}",
        assumes="blocks are independent; each pair is tested by its own wins",
        short=f"wins: sign tests, {short_title(effects.adjust)}",
        significant=PairWinners(effects.pair_rows, better),
        hopeless=unable(effects, alpha),
    )


# ---- sentences


def scope(comparison: GroupComparison) -> list[str]:
    """Return the scope; warn if nobody stated the kind of blocks."""
    # Who names a group (of data sets) has said it.
    told = blocks_are(comparison)
    silent = comparison.group is None and told in (UNDECLARED, related.UNDECLARED)
    warning = words.not_equality(comparison)
    said = [told] * silent
    scope = related.SCOPE if related.in_clusters(comparison) else SCOPE
    return [*words.gaps(comparison.scores), scope, *warning, *said]


def blocks_are(comparison: GroupComparison) -> str:
    """Return the kind of blocks, and who stated it."""
    if comparison.plan.average_folds:
        return "Each data set is one block: the mean of its folds is compared."
    are = "data sets" if related.in_clusters(comparison) else "independent data sets"
    if comparison.asked.names_blocks:
        return f"Blocks are {are}, as specified."
    if comparison.scores.datasets is not None:
        return f"Blocks are {are}, one block each."
    return related.UNDECLARED if related.in_clusters(comparison) else UNDECLARED


def ties(decimals: int | None, rank_test: str) -> str:
    """Return how algorithms are ranked."""
    how = _ULPS if decimals is None else _ROUNDED
    text = f"{RANK_TESTS[rank_test].how}; tied scores share their mean rank. {how}"
    return stated(text, decimals=decimals)


def p_value_sentence(comparison: GroupComparison) -> str:
    """Return where p-values come from, and why; metrics may differ by missing cells."""
    told: dict[str, list[str]] = {}
    for analysis in comparison.analyses:
        kind = _p_text(comparison, analysis)
        told.setdefault(kind, []).append(analysis.metric.name)
    several = len(told) > 1
    return stated(
        "{kinds}",
        kinds=" ".join(
            f"P-values of pairs{f' in {wording.listing(names)}' * several} are {kind}."
            for kind, names in told.items()
        ),
    )


def _p_text(comparison: GroupComparison, analysis: Analysis) -> str:
    """Return where the p-values of one metric come from, in words."""
    kind, why = p_source(comparison, analysis)
    if kind == "flips":
        assert isinstance(analysis, RankAnalysis)
        decisive = analysis.decisive
        return f"from the {decisive.method} ({'; '.join(decisive.notes)})"
    if kind == "exact":
        return f"exact, from permutations within blocks ({_REASONS[why]})"
    return f"approximate, from the normal distribution ({_REASONS[why]})"


def p_source(
    comparison: GroupComparison, analysis: Analysis
) -> tuple[PValueSource, Reason]:
    """Return where the p-values of one metric come from, and why."""
    assert isinstance(analysis, RankAnalysis)
    plan, asked = comparison.plan, comparison.asked
    ranked = comparison.compared
    if analysis.decisive.called in FLIPS:
        return "flips", "size" if asked.adjust == asked.defaults else "planned"
    if _is_exact(analysis):
        return "exact", "planned" if plan.p_values == "exact" else "size"
    if plan.p_values == "approximate":
        return "approximate", "planned"
    if RANK_TESTS[plan.rank_test].ranking != FRIEDMAN:
        return "approximate", "ranks"
    complete = not np.isnan(ranked.column(analysis.metric.name)).any()
    if not complete and plan.exact_for(ranked.n_blocks, ranked.n_algorithms):
        return "approximate", "gaps"
    return "approximate", "size"


def _is_exact(analysis: Analysis) -> bool:
    """Return whether the p-values of pairs of mean ranks are exact."""
    if not isinstance(analysis, RankAnalysis):
        return False
    pairs = analysis.decisive
    return isinstance(pairs, RankPairsResult) and pairs.p_source == "exact"


# ---- tables


def blocks(
    analysis: RankAnalysis, alpha: float, role: str = "", files: str = ""
) -> Iterator[Block]:
    """Yield the tables of one rank analysis.

    ``role`` defines it on the page, ``files`` begins the names of its CSV files.
    """
    pairs = build.pairs(analysis, alpha, role, f"{files}pairs")
    yield section("Pairwise comparisons", pairs)
    caption = "Omnibus tests; the first is the primary one."
    omnibus = (analysis.omnibus, *analysis.witnesses)
    yield fold("Omnibus tests", build.tests(caption, omnibus))
    no_wins = Paragraph("Wins and ties need a complete table; cells are missing here.")
    title = _placement(analysis).of_one
    values = analysis.decisive.placed()
    yield fold(
        "Ranks and effect sizes",
        build.positions(f"Algorithms by {title}, best first.", values, title),
        _agreement(analysis),
        None if analysis.differences is None else differences(analysis, files),
        _superiority(analysis, alpha, files) or no_wins,
    )


def _agreement(analysis: RankAnalysis) -> Paragraph | None:
    """Return Kendall's W as text; None if cells are missing."""
    agreement = analysis.agreement
    if agreement is None:
        return None
    return Paragraph(
        f"Agreement of the blocks: {agreement.name} = "
        f"{wording.value(agreement.estimate)}, {wording.ci(agreement)} "
        f"({agreement.method}). 0: no agreement; 1: all blocks have the same ranks."
    )


def differences(analysis: RankAnalysis, files: str = "") -> Table:
    """Return how far pairs differ, in the metric's own unit."""
    estimates = analysis.differences
    assert estimates is not None
    told = " ".join(map(sentence, estimates.notes))
    level = f"{percent(estimates.reached)} " if estimates.reached > 0 else ""
    return build.table(
        f"Hodges-Lehmann differences in {analysis.metric.name}, "
        f"{build.minus(estimates.as_columns())}: "
        f"medians of the means of all pairs of block differences. Intervals are "
        f"simultaneous over {estimates.family} (Bonferroni, exact signed rank test). "
        f"The matched-pairs rank-biserial correlation r is between −1 and 1. An "
        f"interval may include 0 although mean ranks differ significantly. "
        f"{told}".rstrip(),
        estimates.as_columns(),
        PAIR,
        Field("Hodges-Lehmann difference", "number", "estimate", digits=4),
        Field(f"{level}CI", "interval", build.limits_of),
        Field("r", "number", "rank_biserial"),
        file=f"{files}hodges_lehmann",
    )


def _superiority(analysis: RankAnalysis, alpha: float, files: str) -> Table | None:
    """Return wins, ties, losses and the probability of superiority."""
    effects = analysis.superiority
    if effects is None:
        return None
    return build.table(
        f"Probability that the first is better: (wins + ties / 2) / blocks; 0.5 is no "
        f"difference. Intervals: {effects.method}, individual. Sign tests are exact "
        f"and two-sided, exclude ties, and are adjusted over {effects.family}.",
        effects.as_columns(),
        PAIR,
        Field(f"{short_title(effects.adjust)} p", "p", "p_adjusted", alpha),
        Field("P(first better)", "number", "estimate"),
        build.ci(effects.level),
        WINS,
        Field("sign test p", "p", "p_value"),
        file=f"{files}superiority",
    )


def csv_tables(analysis: RankAnalysis) -> dict[str, AnyTable]:
    """Return the tables of one metric for CSV files, full precision."""
    tests = [analysis.omnibus, *analysis.witnesses]
    ranks = analysis.decisive.held("positions")
    columns = {"algorithm": list(ranks.index), "mean_rank": np.asarray(ranks)}
    return build.frames(
        omnibus=stacked(test.as_row() for test in tests),
        pairs=analysis.pairs_columns(),
        mean_ranks=Columns(columns),
        hodges_lehmann=analysis.differences,
        superiority=analysis.superiority,
    )
