"""Two algorithms, on folds of one data set or over data sets, as a page presents it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pycompare import plotting
from pycompare.base.formatting.numbers import percent
from pycompare.base.tables import AnyTable
from pycompare.designs.error_rates import of_plan
from pycompare.designs.one_pair import how_much_worse, used_by
from pycompare.designs.plans.fields import PValues
from pycompare.designs.two_algorithms import TwoAnalysis
from pycompare.kernels.binomial import smallest_p
from pycompare.kernels.signed_rank import MOST
from pycompare.methods.pairs.common import PairedTest
from pycompare.methods.pairs.equivalence import EquivalenceResult
from pycompare.methods.pairs.sign import SignTestResult
from pycompare.methods.pairs.ttest import PairedTResult
from pycompare.methods.pairs.wilcoxon import OPPOSED, RANK_BISERIAL, WilcoxonResult
from pycompare.reporting.analyses import rank_tests
from pycompare.reporting.analyses.multiple_datasets import (
    SYMMETRIC_LOGARITHMS,
    typical_ratio,
)
from pycompare.reporting.analyses.multivariate import methods as together_methods
from pycompare.reporting.content import build, figures, fold_words, wording, words
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.build import Field, Method, of_method, of_test
from pycompare.reporting.content.facts import Outcome, SensitivityAnalysis, stated
from pycompare.reporting.content.margin_report import different_too, margin_text
from pycompare.reporting.content.outcomes import compared
from pycompare.reporting.document import (
    Block,
    Figure,
    Inline,
    Strong,
    Table,
    fold,
    p_equals,
    section,
)
from pycompare.results.result import Estimate, rejected

_ASSUMES = {
    PairedTResult: "normal differences",
    WilcoxonResult: "symmetric differences",
    SignTestResult: "no distribution of the differences",
}
_SHAPES = (
    "The t tests assume normal differences, and Wilcoxon's test symmetric ones. The "
    "sign test assumes neither."
)
_ONE_UNIT = (
    f"{_SHAPES} The first two compare differences between data sets, so a point of "
    f"{{metric}} must mean the same on all of them."
)
_BY_WILCOXON = (
    "The primary analysis is Wilcoxon's signed rank test of the differences{of} "
    "(Demšar 2006), p-value {source}."
)
_P_FROM: dict[PValues, str] = {
    "by-size": f"exact up to {MOST} data sets, normal beyond",
    "exact": "exact, as specified",
    "approximate": "normal, as specified",
}


class TwoAlgorithmsReport(AnalysisReport[TwoAnalysis]):
    """Two algorithms on folds of one data set, or over data sets."""

    @property
    def over_datasets(self) -> bool:
        """Whether the blocks are independent data sets."""
        return self.comparison.plan.design.over_datasets

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        plan, end = self.comparison.plan, words.as_it_stands(self.comparison)
        single = [words.ONE_PAIR] if plan.family != "all" else []
        if self.over_datasets:
            source = _P_FROM[plan.p_values]
            of = " of logarithms" if plan.as_ratios else ""
            wilcoxon = stated(_BY_WILCOXON, source=source, of=of)
            return [rank_tests.blocks_are(self.comparison), wilcoxon, *single, end]
        test = "a paired t test of the folds"
        if plan.test_train_ratio is not None:
            sizes = fold_words.sizes(self.comparison)
            test = f"a corrected resampled t test ({sizes})"
        return [
            fold_words.blocks_are(self.comparison),
            f"The primary analysis is {test}.",
            *single,
            *fold_words.together(self.comparison),
            end,
        ]

    def methods(self) -> list[Method]:
        """Return the tests with their error rates and sources."""
        rows = [row for analysis in self.analyses for row in self._methods_of(analysis)]
        return [*rows, *together_methods(self.comparison)]

    def _methods_of(self, analysis: TwoAnalysis) -> list[Method]:
        """Return the tests of one metric with their error rates and sources."""
        plan = self.comparison.plan
        rows = [
            of_test(test, plan, of_plan(plan), test.short_name)
            for _, test in analysis.results()
        ]
        if plan.family == "all":
            pair_results = next(iter(analysis.compared.values()))
            rows += [of_method(pairs, plan, of_plan(plan)) for pairs in pair_results]
        return rows

    def scope(self) -> list[str]:
        """Return the scope of the conclusions, and its limits."""
        if self.over_datasets:
            return rank_tests.scope(self.comparison)
        gaps = words.gaps(self.comparison.scores)
        return [*gaps, *fold_words.scope(self.comparison)]

    def limits(self) -> list[str]:
        """Return the assumptions and limits of the analysis."""
        doubts = words.doubts(self.comparison.compared)
        if self.over_datasets:
            return [
                rank_tests.INDEPENDENT,
                *(
                    [SYMMETRIC_LOGARITHMS]
                    if self.comparison.plan.as_ratios
                    else [
                        stated(_ONE_UNIT, metric=analysis.metric.name)
                        for analysis in self.analyses
                    ]
                ),
                *words.few(self.comparison.compared.n_blocks),
                *doubts,
            ]
        return [
            *fold_words.shared(self.comparison),
            f"{_SHAPES} All but a corrected t test assume independent folds.",
            *fold_words.together_limits(self.comparison),
            *doubts,
            *words.not_equality(self.comparison),
        ]

    def outcome(self, analysis: TwoAnalysis) -> Outcome:
        """Return the facts about the primary analysis of one metric."""
        test = analysis.test
        level = test.reached
        outcome = compared(analysis, self.comparison, in_unit=True, level=level)
        minus = "divided by" if test.blocks.scale == "ratio" else "minus"
        name = f"{test.short_name} of {test.algorithm_1} {minus} {test.algorithm_2}"
        method = f"{name} ({wording.test_result(test)})"
        return replace(outcome, method=method, control=None)

    def untested(self, analysis: TwoAnalysis) -> list[str]:
        """Return the reason why nothing can be tested; nothing if anything can."""
        if not math.isnan(analysis.test.p_value):
            return []
        return words.nothing_tested(analysis.test)

    def remarks(self, analysis: TwoAnalysis) -> Iterator[str]:
        """Yield warnings, the effect size, and what a margin shows."""
        test = analysis.test
        if math.isinf(test.statistic):
            yield f"Beware: {test.notes[0]}."
        if test.shortfall:
            reached = percent(test.reached)
            yield f"The interval has a level of {reached}{test.shortfall}."
        if OPPOSED in test.notes:
            yield wording.sentence(OPPOSED)
        if isinstance(test, WilcoxonResult):
            size = wording.value(test.rank_biserial)
            yield f"{wording.begun(RANK_BISERIAL)}: {size}."
        else:
            assert analysis.t is not None  # the test
            yield _effect(analysis.t.effect)
        yield from typical_ratio(self.facts(analysis))
        cannot = [
            each
            for each in (test, *analysis.witnesses)
            if _cannot_reject(each, self.alpha)
        ]
        if cannot:
            names = wording.listing([weak.short_name for weak in cannot])
            used = max(used_by(weak) or 0 for weak in cannot)
            blocks = "with so few blocks"
            if used < test.n_blocks:
                blocks += f": of {test.n_blocks}, {wording.differing(used)}"
            yield f"{names} cannot reach significance {blocks}."

    def claims(self, analysis: TwoAnalysis) -> list[Inline]:
        """Return whether equivalence or non-inferiority is shown."""
        return _equivalence(analysis) or super().claims(analysis)

    def alternatives(self, analysis: TwoAnalysis) -> Iterator[SensitivityAnalysis]:
        """Yield the sensitivity analyses."""
        folds = ", independent folds" if not self.over_datasets else ""
        pair = frozenset((analysis.test.algorithm_1, analysis.test.algorithm_2))
        for test in analysis.witnesses:
            p = analysis.p_of(test)
            yield SensitivityAnalysis(
                name=f"{test.short_name} ({p_equals(p, self.alpha)})",
                assumes=f"{_ASSUMES[type(test)]}{folds}",
                significant={pair: _favoured(test)} if rejected(p, self.alpha) else {},
                hopeless=frozenset((pair,) if _cannot_reject(test, self.alpha) else ()),
                n_used=used_by(test),
                same_quantity=test.estimate_name == analysis.test.estimate_name,
                short=test.short_name,
            )

    def blocks(self, analysis: TwoAnalysis) -> Iterator[Block]:
        """Yield the tests and the estimates."""
        caption = "Two-sided tests of no difference; the first is the primary analysis."
        tests = (analysis.test, *analysis.witnesses)
        yield section("Tests", build.tests(caption, tests))
        yield fold("Estimates", estimates(analysis))
        within = analysis.equivalence
        if within is not None:
            against = (within, within.lower, within.upper)
            caption = (
                f"{_claim(within)}; one-sided alpha = {within.alpha:g}. The first row "
                f"has the largest p-value of the others, all of which must reject."
            )
            shown = [test for test in against if test is not None]
            table = build.tests(caption, shown)
            yield fold(within.kind.capitalize(), table)

    def second(self, analysis: TwoAnalysis) -> Figure | None:
        """Return the histogram of differences, if they have a common unit."""
        if self.comparison.plan.as_ratios:
            return None
        scores, metric = self.comparison.compared, analysis.metric
        names = (analysis.test.algorithm_1, analysis.test.algorithm_2)
        block = "data set" if self.over_datasets else "fold"
        return Figure(
            "difference_histogram",
            partial(
                plotting.paired_histograms,
                scores,
                algorithms=names,
                metric=metric.name,
                only_differences=True,
            ),
            f"Differences of {metric.name} ({names[0]} minus {names[1]}) within "
            f"{scores.n_blocks} {block}s, which the tests use. Triangle: mean; dashed: "
            f"no difference.",
            "Histogram of the differences between both algorithms.",
        )

    def figures(self, analysis: TwoAnalysis) -> Iterator[Figure]:
        """Yield the scores of both algorithms."""
        scores, block = self.comparison.compared, "fold"
        if self.over_datasets:
            block = "data set"
        yield from figures.distributions(scores, analysis.metric, block)

    def csv_tables(self, analysis: TwoAnalysis) -> dict[str, AnyTable]:
        """Return the tests for a CSV file, full precision."""
        tests = build.stacked((analysis.test, *analysis.witnesses))
        return build.frames(tests=tests, equivalence=analysis.equivalence)


def _effect(effect: Estimate) -> str:
    """Return ``Cohen's d_z: 0.41, 95% CI [0.02, 0.79].``."""
    text = f"{wording.begun(effect.name)}: {wording.value(effect.estimate)}"
    unknown = math.isnan(effect.conf_low) or math.isnan(effect.conf_high)
    return f"{text}." if unknown else f"{text}, {wording.ci(effect)}."


def _favoured(test: PairedTest) -> str:
    return test.algorithm_2 if how_much_worse(test) > 0 else test.algorithm_1


def _cannot_reject(test: PairedTest, alpha: float) -> bool:
    """Return whether so few blocks cannot make an exact test significant."""
    n = used_by(test)
    return n is not None and not rejected(smallest_p(n), alpha)


def _equivalence(analysis: TwoAnalysis) -> list[Inline]:
    """Return whether equivalence or non-inferiority is shown by the planned margin."""
    test = analysis.equivalence
    if test is None:
        return []
    if math.isnan(test.p_value):
        return [f"{test.kind.capitalize()} cannot be tested: {test.notes[0]}."]
    pair = [(test.algorithm_1, test.algorithm_2)]
    beware = f" {wording.begun(test.caution)}." if test.shown and test.caution else ""
    evidence = (
        f", one-sided alpha = {test.alpha:g}; "
        f"{p_equals(test.p_value, test.alpha)}, {wording.ci(test)}.{beware}"
    )
    return [
        (Strong(_claim(test)), evidence),
        *(different_too(pair, test.kind, analysis.decisions) if test.shown else []),
    ]


def _claim(test: EquivalenceResult) -> str:
    """Return the results shown, or not, and by which tests."""
    first, second, no = test.algorithm_1, test.algorithm_2, "" if test.shown else "not "
    by = "t" if test.n_train is None else "corrected resampled t"
    if test.kind == "equivalence":
        return (
            f"Equivalence of {first} and {second} is {no}shown within "
            f"{margin_text(test)} (two one-sided {by} tests)"
        )
    return (
        f"Non-inferiority of {first} to {second} is {no}shown, difference "
        f"{margin_text(test)} (one-sided {by} test)"
    )


EstimateRow = tuple[str, float, tuple[float, float] | None, str]


def _rows_of(analysis: TwoAnalysis, test: PairedTest) -> Iterator[EstimateRow]:
    """Yield the estimate of a test, then the effect size that belongs to it."""
    by = test.name
    if test.reached != test.level:
        by = f"{by}; this interval has {percent(test.reached)}{test.shortfall}"
    yield test.estimate_name, test.estimate, build.limits_of(test), by
    if isinstance(test, WilcoxonResult):
        yield RANK_BISERIAL, test.rank_biserial, None, "Kerby (2014)"
    elif test is analysis.t and isinstance(test, PairedTResult):
        effect = test.effect
        yield effect.name, effect.estimate, build.limits_of(effect), effect.method


def estimates(analysis: TwoAnalysis) -> Table:
    """Return the estimates that come with the tests."""
    tests: tuple[PairedTest, ...] = (analysis.test, *analysis.witnesses)
    first, second = analysis.test.algorithm_1, analysis.test.algorithm_2
    about = f"Estimates of {first} minus {second}, in the metric's own unit."
    if analysis.wilcoxon.scale == "ratio":
        about = f"Estimates of {first} divided by {second}, and share of wins."
    return build.table(
        about,
        [row for test in tests for row in _rows_of(analysis, test)],
        Field("Estimate of", "label", lambda row: row[0]),
        Field("estimate", "number", lambda row: row[1], digits=4),
        Field(f"{percent(analysis.test.level)} CI", "interval", lambda row: row[2]),
        Field("by", "text", lambda row: row[3]),
    )
