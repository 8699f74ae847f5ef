"""Means over folds of one data set as a page presents them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from pycompare import plotting
from pycompare.base.formatting.counts import have
from pycompare.base.formatting.rounding import fixed
from pycompare.base.tables import AnyTable, Columns
from pycompare.designs.blocked_anova import LinearAnalysis, name_of
from pycompare.designs.decisions import decisions, unable
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.pair_methods import MEANS, described, short_title
from pycompare.designs.plans.fields import MeanTest
from pycompare.methods.pairs.corrected_pairs import CorrectedPairsResult
from pycompare.plotting.style import MOST_MARKS
from pycompare.reporting.analyses import rank_tests
from pycompare.reporting.analyses.multivariate import methods as together_methods
from pycompare.reporting.content import build, figures, fold_words, wording, words
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.build import Field, Method, of_method, of_test
from pycompare.reporting.content.facts import Outcome, SensitivityAnalysis, significant
from pycompare.reporting.content.outcomes import compared
from pycompare.reporting.document import Block, Figure, Paragraph, Table, fold, section
from pycompare.results.guarantees import FOLDS, OUTSIDE
from pycompare.results.result import Estimate, Test, rejected

_FORMS: dict[MeanTest, tuple[str, str]] = {
    "anova": (
        "uncorrected F",
        "Montgomery (2017) Design and Analysis of Experiments, sec. 4.1",
    ),
    "greenhouse-geisser": (
        "Greenhouse-Geisser",
        "Greenhouse & Geisser (1959) Psychometrika 24, 95-112",
    ),
    "huynh-feldt": ("Huynh-Feldt", "Huynh & Feldt (1976) J. Educ. Statist. 1, 69-82"),
}
_NONE_CORRECTED = (
    "The ANOVA is significant although no corrected comparison is: once shared "
    "training data are accounted for, the scores do not show a difference."
)
_NORMAL = "independent folds, normal errors"
_EQUAL = f"{_NORMAL}, equal variance of all differences"
CORRECTED = "normal differences; corrected for shared training data"
_OWN = "normal differences of training sets that share no case"


class BlockedAnovaReport(AnalysisReport[LinearAnalysis]):
    """Blocks are folds of one data set, compared by analysis of variance."""

    @property
    def disjoint(self) -> bool:
        """Whether training sets share no case."""
        return self.comparison.plan.protocol == "disjoint"

    def uses_of_seed(self) -> list[str]:
        """Return the random factors in this analysis."""
        band = "the simulated bands of the normal quantile plots"
        return [band, *super().uses_of_seed()]

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        comparison, plan = self.comparison, self.comparison.plan
        beside = described(plan.t_method(comparison.scores.n_algorithms)).title
        sizes = (
            ""
            if plan.test_train_ratio is None
            else f" ({fold_words.sizes(comparison)})"
        )
        corrected = f"Corrected resampled t tests{sizes} are adjusted by {beside}."
        if self.disjoint:
            corrected = f"Paired t tests of the training sets are adjusted by {beside}."
        own = plan.test_train_ratio is not None or self.disjoint
        rounded = "Only ranks are of rounded scores, not means."
        return [
            fold_words.blocks_are(comparison),
            "The blocked ANOVA, score = fold + algorithm, tests whether any mean "
            "differs.",
            words.gate(plan.gate),
            *words.f_alone(comparison),
            *([corrected] if own else []),
            *words.so_many(comparison),
            *words.exact_form(comparison),
            f"The rank analysis ({described(plan.rank_adjust[0]).title}) is a "
            f"sensitivity analysis. {rank_tests.ties(plan.decimals, plan.rank_test)}",
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
        yield of_test(analysis.omnibus, plan, FOLDS, "ANOVA, blocked")
        for pairs in analysis.pairs:
            yield of_method(pairs, plan, FOLDS)
        if analysis.corrected is not None:
            start = "Paired t, " if self.disjoint else "Corrected resampled t, "
            title, rate, _ = of_method(analysis.corrected, plan, FOLDS, start)
            yield title, rate, analysis.corrected.reference
        for test in _checked(analysis):
            yield test.name, f"{OUTSIDE} (a check)", test.reference
        ranks = analysis.ranks.omnibus
        yield of_test(ranks, plan, FOLDS, f"Ranks: {ranks.name}")

    def scope(self) -> list[str]:
        """Return the scope of the conclusions, and its limits."""
        gaps = words.gaps(self.comparison.scores)
        return [*gaps, *fold_words.scope(self.comparison)]

    def limits(self) -> list[str]:
        """Return the assumptions and limits of the analysis."""
        scores = self.comparison.compared
        gaps = (
            f"{words.GAPS} Algorithms are adjusted for the folds that they have (exact "
            f"general linear model). Tukey's p-values are then conservative (Kramer), "
            f"and sphericity, which needs complete folds, is omitted."
        )
        ratios = [
            f"The correction for shared training data "
            f"({fold_words.sizes(self.comparison)}) gives {fold_words.times(ratio)}."
            for ratio in dict.fromkeys(
                analysis.variance_ratio
                for analysis in self.analyses
                if analysis.variance_ratio is not None
                and analysis.corrected is not None
                and analysis.omnibus.fit.design.complete
            )
        ]
        return [
            *fold_words.shared(self.comparison),
            *ratios,
            "The ANOVA assumes normal errors of equal variance, and folds that affect "
            "all algorithms alike. Tukey, Scheffé, Dunnett and t tests with the "
            "model's error also assume equal variance of all differences (sphericity).",
            fold_words.READ_CHECKS,
            *words.adjustment_limits(self.comparison),
            *fold_words.together_limits(self.comparison),
            *words.doubts(scores),
            *words.not_equality(self.comparison),
            *([] if scores.complete else [gaps]),
        ]

    def outcome(self, analysis: LinearAnalysis) -> Outcome:
        """Return the facts about the primary analysis of one metric."""
        adjusted = "" if analysis.omnibus.fit.design.complete else "adjusted "
        return compared(
            analysis,
            self.comparison,
            values=analysis.omnibus.means,
            quantity=f"{adjusted}mean {analysis.metric.name}",
            omnibus=analysis.omnibus,
            in_unit=True,
        )

    def untested(self, analysis: LinearAnalysis) -> list[str]:
        """Return the reason why nothing can be tested; nothing if anything can."""
        test = analysis.omnibus
        return words.nothing_tested(test, -1) if words.untested(analysis) else []

    def alternatives(self, analysis: LinearAnalysis) -> Iterator[SensitivityAnalysis]:
        """Yield the sensitivity analyses."""
        alpha = self.alpha
        planned = analysis.omnibus.rejected(alpha)
        for form, (_, p) in analysis.forms().items():
            if form != analysis.form and not math.isnan(p):
                yield SensitivityAnalysis(
                    name=f"ANOVA, {_FORMS[form][0]}",
                    assumes=_EQUAL if form == "anova" else _NORMAL,
                    omnibus=(p, bool(rejected(p, alpha)) == planned),
                )
        own = _OWN if self.disjoint else CORRECTED
        for pairs in (*analysis.pairs, analysis.corrected):
            if pairs is None or pairs is analysis.decisive:
                continue
            corrected = pairs is analysis.corrected
            plain = pairs.adjust not in MEANS and not corrected
            decided = decisions(pairs, alpha)
            yield SensitivityAnalysis(
                name=f"{'t tests, ' * plain}{name_of(pairs)}",
                assumes=own if corrected else _EQUAL,
                significant=significant(decided),
                same_quantity=True,
            )
        ranks, test = analysis.ranks, analysis.ranks.omnibus
        yield SensitivityAnalysis(
            name=f"{test.name}; mean ranks, {short_title(ranks.decisive.called)}",
            assumes="independent folds; no distribution of the scores",
            omnibus=(test.p_value, test.rejected(alpha) == planned),
            significant=significant(ranks.decisions),
            hopeless=unable(ranks.decisive, alpha),
            short=f"mean ranks, {short_title(ranks.decisive.called)}",
        )

    def note(self, analysis: LinearAnalysis) -> str:
        """Return the assumptions of the ANOVA, if it does not decide."""
        if not analysis.corrected_decides or self.disjoint:
            return ""
        text = "The ANOVA assumes independent folds, so its p-value is too small"
        if math.isfinite(analysis.omnibus.statistic):
            text += " and its interval of omega squared too narrow"
        return f"{text}."

    def remarks(self, analysis: LinearAnalysis) -> Iterator[str]:
        """Yield effect size, correction and warnings."""
        if math.isinf(analysis.omnibus.statistic):
            yield f"Beware of a {analysis.omnibus.notes[-1]}."
            yield from map(wording.sentence, analysis.decisive.notes[-2:])
        else:
            yield _effect(analysis)
        yield from self.correction(analysis)
        none = not any(decision.rejected for decision in analysis.decisions)
        if not (analysis.corrected_decides and none):
            yield from words.at_odds(analysis, analysis.omnibus, self.alpha)
        elif analysis.omnibus.rejected(self.alpha) and not self.disjoint:
            yield _NONE_CORRECTED

    def correction(self, analysis: LinearAnalysis) -> Iterator[str]:
        """Yield the tests that cannot be corrected for shared training data."""
        if analysis.corrected is None or self.disjoint:
            return
        statistic = analysis.corrected.as_columns()["statistic"]
        if constant := int(np.isinf(statistic).sum()):
            yield (
                f"{constant} of {len(statistic)} pairs {have(constant)} the same "
                f"difference in all folds. They have an estimate and no test, because "
                f"folds that share training data cannot be flipped."
            )

    def blocks(self, analysis: LinearAnalysis) -> Iterator[Block]:
        """Yield pairs, means, analysis of variance and checks; then the ranks."""
        primary, other = pairs(self.comparison, analysis, self.alpha)
        yield section("Pairwise comparisons", primary)
        yield fold("Means and effect sizes", means(analysis), _effects(analysis))
        test = analysis.omnibus
        caption = (
            f"ANOVA of {analysis.metric.name}, algorithms adjusted for folds "
            f"({test.reference})."
        )
        anova = build.anova(caption, test, {"block": "fold"})
        yield fold("Analysis of variance", anova, sphericity(analysis))
        role = "corrected for shared training data"
        if self.disjoint:
            role = "each pair with its own variance"
        if analysis.corrected_decides:
            role = "one variance" if self.disjoint else "folds assumed independent"
        yield fold(f"Pairwise comparisons: {role}", other)
        yield fold(
            "Checks of assumptions",
            build.tests(
                "Checks of the residuals. A small p-value is evidence against the "
                "assumption. The checks change no analysis.",
                _checked(analysis),
            ),
        )
        role, files = "Sensitivity analysis.", "ranks_"
        ranks = rank_tests.blocks(analysis.ranks, self.alpha, role, files)
        yield fold("Rank analysis (sensitivity)", *ranks)

    def figures(self, analysis: LinearAnalysis) -> Iterator[Figure]:
        """Yield the figures of one metric; the first shows the conclusion."""
        n, on = self.comparison.compared.n_blocks, wording.direction(analysis.metric)
        shown = self.shown(analysis.decisive, f"{on}, {n} folds")
        yield from figures.differences(shown)
        # Folds share training data: no interval of a probability to win is valid.
        yield from self.detailed(analysis, shown, independent=False)
        yield from figures.distributions(
            self.comparison.compared, analysis.metric, "fold"
        )
        yield from _residuals(analysis, self.comparison.plan.seed or 0)
        what = f"Sensitivity: {rank_tests.shown_as(analysis.ranks, self.comparison)}"
        ranks = self.shown(analysis.ranks.decisive, what, "ranks_")
        yield from figures.diagram(ranks)

    def csv_tables(self, analysis: LinearAnalysis) -> dict[str, AnyTable]:
        """Return the tables of one metric for CSV files, full precision."""
        test, means = analysis.omnibus, analysis.omnibus.means
        spherical: Columns | None = None
        if test.sphericity is not None:
            forms = ("greenhouse_geisser", "huynh_feldt")
            names = (*forms, *(f"p_{form}" for form in forms))
            more: dict[str, Any] = {n: getattr(test.sphericity, n) for n in names}
            spherical = test.sphericity.as_columns().but(**more)
        frame = means.rename("mean").rename_axis("algorithm").reset_index()
        if analysis.letters is not None:
            frame["letters"] = [analysis.letters[name] for name in means.index]
        tables = build.frames(
            anova=test,
            effect_sizes=build.stacked(_sizes(analysis)),
            pairs=analysis.pairs_table(),
            means=frame,
            checks=analysis.checks,
            sphericity=spherical,
            corrected=analysis.corrected,
        )
        ranks = rank_tests.csv_tables(analysis.ranks)
        return tables | {f"ranks_{name}": table for name, table in ranks.items()}


def _effect(analysis: LinearAnalysis) -> str:
    """Return how much of the variance the algorithms explain."""
    omega2 = analysis.omnibus.omega2
    if omega2.estimate < 0:  # unbiased for a share of 0, but none itself
        return (
            f"Algorithms explain no visible share of the within-fold variance (partial "
            f"omega squared is estimated below 0, {wording.ci(omega2)})."
        )
    share = fixed(100 * omega2.estimate, 0)
    return (
        f"Algorithms explain about {share}% of the within-fold "
        f"variance (partial omega squared {wording.value(omega2.estimate)}, "
        f"{wording.ci(omega2)})."
    )


def _residuals(analysis: LinearAnalysis, seed: int) -> Iterator[Figure]:
    """Yield the figures that check the assumptions, if marks are enough."""
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


# ---- tables


def pairs(
    comparison: GroupComparison, analysis: LinearAnalysis, alpha: float
) -> tuple[Table, Block]:
    """Return the primary comparison of pairs, and the other one."""
    corrected = analysis.corrected
    role = "Folds are assumed to be independent (sensitivity)."
    if comparison.plan.protocol == "disjoint":
        role = "One variance of all pairs (sensitivity)."
    plain = build.pairs(analysis, alpha, role * analysis.corrected_decides)
    if corrected is None:
        return plain, Paragraph(fold_words.ONE_TEST_SET)
    told = [fold_words.OWN_VARIANCE]
    if isinstance(corrected, CorrectedPairsResult):
        ratio = f"n_test/n_train = {corrected.test_train_ratio:.4g}, c = "
        ratio += fold_words.number_of(corrected.overlap)
        told = [f"Corrected for shared training data ({ratio})."]
    table = build.of_pairs(
        (corrected,),
        alpha,
        role=" ".join([*told, *map(wording.sentence, corrected.notes)]),
        file="corrected",
    )
    return (table, plain) if analysis.corrected_decides else (plain, table)


def means(analysis: LinearAnalysis) -> Table:
    """Return the algorithms by mean, with the letters of their groups."""
    order = analysis.pairs[0].positions.sort_values(kind="stable").index
    ranks, letters = analysis.ranks.decisive.positions, analysis.letters
    adjusted = "" if analysis.omnibus.fit.design.complete else ", adjusted for folds"
    caption = f"Algorithms by mean {analysis.metric.name}{adjusted}, best first."
    more = [Field("mean rank", "number", lambda name: ranks[name])]
    if letters is not None:
        caption += " Algorithms that share a letter do not differ significantly."
        more.append(Field("letters", "digits", lambda name: letters[name]))
    title = f"mean {analysis.metric.name}"
    return build.positions(caption, analysis.omnibus.means[order], title, *more)


def _effects(analysis: LinearAnalysis) -> Table:
    """Return the shares of variance that the algorithms explain."""
    return build.table(
        "Share of variance explained by the algorithms, with intervals from the "
        "noncentral F distribution (Steiger 2004). Partial eta2 and omega2 are shares "
        "of the within-fold variance; generalised eta2 includes the variance between "
        "folds. Both eta2 are too large on average and may exceed their intervals.",
        _sizes(analysis),
        Field("Effect size", "label", "name"),
        Field("estimate", "estimate", "estimate"),
        build.ci(analysis.omnibus.level),
        file="effect_sizes",
    )


def _sizes(analysis: LinearAnalysis) -> tuple[Estimate, ...]:
    test = analysis.omnibus
    return test.partial_eta2, test.omega2, test.generalised_eta2


def sphericity(analysis: LinearAnalysis) -> Table | None:
    """Return F's p-value corrected for differences that vary unequally."""
    forms = analysis.forms()
    if not forms:
        return None

    def title(form: MeanTest) -> str:
        return f"{_FORMS[form][0]}{', primary' if form == analysis.form else ''}"

    return build.table(
        "Sphericity corrections: the degrees of freedom of F times epsilon (1 if all "
        "differences vary equally).",
        list(forms),
        Field("Form", "label", title),
        Field("p", "p", lambda form: forms[form][1]),
        Field("epsilon", "number", lambda form: forms[form][0]),
        Field("source", "text", lambda form: _FORMS[form][1]),
    )


def _checked(analysis: LinearAnalysis) -> list[Test]:
    tests = list(analysis.checks.tests.values())
    if analysis.omnibus.sphericity is not None:
        tests.append(analysis.omnibus.sphericity)
    return tests
