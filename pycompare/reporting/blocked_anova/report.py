"""The analysis of means over folds of one data set as a page tells it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import partial

import numpy as np
import pandas as pd

from pycompare import plotting
from pycompare.analyses.blocked_anova import LinearAnalysis, name_of
from pycompare.analyses.decisions import decisions, unable
from pycompare.formatting.counts import have
from pycompare.formatting.rounding import fixed
from pycompare.multiplicity.guarantees import OUTSIDE
from pycompare.plans.post_hoc import MEANS, described, short_title
from pycompare.plotting.style import MOST_MARKS
from pycompare.reporting.blocked_anova import tables
from pycompare.reporting.content import figures, fold_words, wording, words
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.build import Method, of_method, of_test
from pycompare.reporting.content.facts import Alternative, significant
from pycompare.reporting.content.outcomes import method
from pycompare.reporting.document import Block, Figure
from pycompare.reporting.multivariate.report import methods as together_methods
from pycompare.reporting.rank_tests import report as rank_report
from pycompare.reporting.rank_tests import words as rank_words
from pycompare.results import PairsResult, rejected

_ASSUMED = "The ANOVA assumes independent folds, so its p-value is too small."
_NONE_CORRECTED = (
    "The ANOVA is significant although no corrected comparison is: no difference "
    "remains once shared training data are accounted for."
)
_EQUAL = "independent folds, normal errors, equal variance of all differences"
_UNEQUAL = "independent folds, normal errors"
CORRECTED = "normal differences; corrected for shared training data"
_RANKS = "independent folds; no distribution of the scores"


class BlockedAnovaReport(AnalysisReport[LinearAnalysis]):
    """Blocks are folds of one data set, compared by analysis of variance."""

    def uses_of_seed(self) -> list[str]:
        """Return what is random in this analysis."""
        band = "the simulated bands of the normal quantile plots"
        return [band, *super().uses_of_seed()]

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        comparison, plan = self.comparison, self.comparison.plan
        beside = described(plan.t_method(comparison.scores.n_algorithms)).title
        sizes = "" if plan.overlap is None else f" ({fold_words.sizes(comparison)})"
        corrected = (
            [f"Corrected resampled t tests{sizes} are adjusted by {beside}."]
            if plan.overlap is not None
            else []
        )
        rounded = "Only ranks are of rounded scores, not means."
        return [
            fold_words.blocks_are(comparison),
            "The blocked ANOVA, score = fold + algorithm, tests whether any mean "
            "differs.",
            words.gate(plan.gate),
            *words.f_alone(comparison),
            *corrected,
            *words.so_many(comparison),
            *words.exact_form(comparison),
            f"The rank analysis ({described(plan.rank_adjust[0]).title}) is a "
            f"sensitivity analysis. {rank_words.ties(plan.decimals, plan.rank_test)}",
            *([] if plan.decimals is None else [rounded]),
            *fold_words.together(comparison),
            words.as_it_stands(comparison),
        ]

    def methods(self) -> list[Method]:
        """Return the methods with their error rates and sources."""
        each = [row for a in self.analyses for row in self.methods_of(a)]
        return [*each, *together_methods(self.comparison)]

    def methods_of(self, analysis: LinearAnalysis) -> Iterator[Method]:
        """Yield the methods of one metric."""
        plan = self.comparison.plan
        yield of_test(analysis.omnibus, plan, "folds", "ANOVA, blocked")
        for found in analysis.pairs:
            yield of_method(found, plan, "folds")
        if analysis.corrected is not None:
            start = "Corrected resampled t, "
            title, rate, _ = of_method(analysis.corrected, plan, "folds", start)
            yield title, rate, analysis.corrected.reference
        for test in tables.checked(analysis):
            yield test.name, f"{OUTSIDE} (a check)", test.reference
        ranks = analysis.ranks.omnibus
        yield of_test(ranks, plan, "folds", f"Ranks: {ranks.name}")

    def scope(self) -> list[str]:
        """Return the scope of the conclusions, and what limits them."""
        gaps = words.gaps(self.comparison.scores)
        return [*gaps, *fold_words.scope(self.comparison)]

    def limits(self) -> list[str]:
        """Return what the analysis assumes and what it does not show."""
        scores = self.comparison.compared
        gaps = (
            f"{words.GAPS} Algorithms are adjusted for the folds that they have (exact "
            f"general linear model). Tukey's p-values are then conservative (Kramer), "
            f"and sphericity, which needs complete folds, is omitted."
        )
        ratios = [
            f"The correction for shared training data "
            f"({fold_words.sizes(self.comparison)}) gives {fold_words.times(ratio)}."
            for ratio in dict.fromkeys(map(_corrected_ratio, self.analyses))
            if ratio is not None
        ]
        return [
            fold_words.SHARED,
            *ratios,
            "The ANOVA assumes normal errors of equal variance, and folds that affect "
            "all algorithms alike. Tukey, Scheffé, Dunnett and t tests with the "
            "model's error also assume equal variance of all differences (sphericity).",
            fold_words.READ_CHECKS,
            *words.adjustment_limits(self.comparison),
            *fold_words.together_limits(self.comparison),
            *words.doubts(scores),
            *words.not_equality(words.decided(self.comparison)),
            *([] if scores.complete else [gaps]),
        ]

    def untested(self, analysis: LinearAnalysis) -> list[str]:
        """Say why nothing can be tested; nothing if anything can."""
        test = analysis.omnibus
        return words.nothing_tested(test, -1) if words.untested(analysis) else []

    def alternatives(self, analysis: LinearAnalysis) -> Iterator[Alternative]:
        """Yield the sensitivity analyses."""
        alpha = self.alpha
        planned = analysis.omnibus.rejected(alpha)
        for form, (_, p) in analysis.forms().items():
            if form != analysis.form and not math.isnan(p):
                yield Alternative(
                    name=f"ANOVA, {tables.FORMS[form][0]}",
                    assumes=_EQUAL if form == "anova" else _UNEQUAL,
                    omnibus=(p, bool(rejected(p, alpha)) == planned),
                )
        for pairs in (*analysis.pairs, analysis.corrected):
            if pairs is not None and pairs is not analysis.decisive:
                yield _of_pairs(analysis, pairs, alpha)
        ranks, test = analysis.ranks, analysis.ranks.omnibus
        yield Alternative(
            name=f"{test.name}; mean ranks, {short_title(ranks.decisive.called)}",
            assumes=_RANKS,
            omnibus=(test.p_value, test.rejected(alpha) == planned),
            significant=significant(ranks.decisions),
            hopeless=frozenset(unable(ranks.decisive, alpha)),
        )

    def note(self, analysis: LinearAnalysis) -> str:
        """Return what the ANOVA assumes, where it does not decide."""
        return _ASSUMED if analysis.corrected_decides else ""

    def remarks(self, analysis: LinearAnalysis) -> Iterator[str]:
        """Yield effect size, correction and warnings."""
        if math.isinf(analysis.omnibus.statistic):
            yield f"Beware of a {analysis.omnibus.notes[-1]}."
            yield from map(wording.sentence, analysis.decisive.notes[-2:])
        else:
            yield _effect(analysis)
        yield from self.correction(analysis)
        none = not any(made.rejected for made in analysis.decisions)
        if not (analysis.corrected_decides and none):
            yield from words.at_odds(analysis, analysis.omnibus, self.alpha)
        elif analysis.omnibus.rejected(self.alpha):
            yield _NONE_CORRECTED

    def correction(self, analysis: LinearAnalysis) -> Iterator[str]:
        """Yield what the correction for shared training data cannot correct."""
        found = analysis.corrected
        constant = 0 if found is None else int(np.isinf(found.table["statistic"]).sum())
        if found is not None and constant:
            yield (
                f"{constant} of {len(found.table)} pairs {have(constant)} the same "
                f"difference in all folds. Nothing can be corrected there, and the "
                f"p-values assume independent folds."
            )

    def blocks(self, analysis: LinearAnalysis) -> Iterable[Block]:
        """Yield the tables of one metric, open ones first."""
        return tables.blocks(self.comparison, analysis, self.alpha)

    def figures(self, analysis: LinearAnalysis) -> Iterator[Figure]:
        """Yield the figures of one metric; the first shows the conclusion."""
        n, on = self.comparison.compared.n_blocks, wording.direction(analysis.metric)
        shown = figures.Shown(
            pairs=analysis.decisive,
            alpha=self.alpha,
            what=f"{on}, {n} folds",
            method=method(analysis.decisive),
        )
        yield from figures.differences(shown, analysis.decisive)
        yield from figures.p_values(shown)
        yield figures.distributions(self.comparison.compared, analysis.metric, "fold")
        yield from figures.order(shown)
        yield from residuals(analysis, self.comparison.plan.seed or 0)
        what = rank_report.shown_as(analysis.ranks, self.comparison)
        ranks = figures.Shown(
            pairs=analysis.ranks.decisive,
            alpha=self.alpha,
            what=f"Sensitivity: {what}",
            method=method(analysis.ranks.decisive),
            prefix="ranks_",
        )
        yield from rank_report.diagram(ranks, analysis.ranks)

    def csv_tables(self, analysis: LinearAnalysis) -> dict[str, pd.DataFrame]:
        """Return the tables of one metric for CSV files, full precision."""
        return tables.csv_tables(analysis)


def _corrected_ratio(analysis: LinearAnalysis) -> float | None:
    """Return how much larger the corrected variance is, of complete folds."""
    complete = analysis.omnibus.fit.design.complete
    known = analysis.corrected is not None and complete
    return analysis.variance_ratio if known else None


def _effect(analysis: LinearAnalysis) -> str:
    """Say how much of the variance the algorithms explain."""
    omega2 = analysis.omnibus.omega2
    limits = (omega2.conf_low, omega2.conf_high)
    share = fixed(100 * omega2.estimate, 0)
    return (
        f"Algorithms explain about {share}% of the within-fold "
        f"variance (partial omega squared {wording.value(omega2.estimate)}, "
        f"{wording.interval(limits, omega2.level)})."
    )


def residuals(analysis: LinearAnalysis, seed: int) -> Iterator[Figure]:
    """Yield the figures that check the assumptions, where marks are enough."""
    if len(analysis.omnibus.means) <= MOST_MARKS:
        yield Figure(
            "residuals",
            partial(plotting.residuals, analysis.omnibus),
            "Residuals against fitted scores. A funnel suggests unequal variance, a "
            "bow suggests that folds do not affect all algorithms alike.",
            "Residuals against fitted scores; the table of checks has the tests.",
        )
    yield Figure(
        "normal_quantiles",
        partial(plotting.normal_quantiles, analysis.omnibus, seed=seed),
        f"Residuals against normal quantiles. Points of normal residuals lie on a "
        f"line, within the simulated band (seed {seed}).",
        "Normal quantile plot of the residuals; the table of checks has the test.",
    )


def _of_pairs(
    analysis: LinearAnalysis, pairs: PairsResult, alpha: float
) -> Alternative:
    """Return another comparison of the same pairs of means."""
    corrected = pairs is analysis.corrected
    plain = pairs.adjust not in MEANS and not corrected
    return Alternative(
        name=f"{'t tests, ' * plain}{name_of(pairs)}",
        assumes=CORRECTED if corrected else _EQUAL,
        significant=significant(decisions(pairs, alpha, analysis.metric.better)),
    )
