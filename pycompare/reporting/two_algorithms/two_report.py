"""Two algorithms as a page tells it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import pandas as pd

from pycompare.analyses.two_algorithms import TwoAnalysis
from pycompare.formatting.numbers import percent
from pycompare.pairs.common import PairedTest
from pycompare.pairs.equivalence import EquivalenceResult
from pycompare.pairs.wilcoxon import RANK_BISERIAL, WilcoxonResult
from pycompare.reporting.common import fold_words, words
from pycompare.reporting.common.error_rates import error_rate, of_blocks, test_rate
from pycompare.reporting.common.words import direction
from pycompare.reporting.content import two
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.facts import Statements
from pycompare.reporting.multivariate.together_report import methods as together_methods
from pycompare.reporting.page.figures import Drawing
from pycompare.reporting.page.section import Part, present
from pycompare.reporting.page.tables import (
    METHODS_HEADER,
    Cell,
    Table,
    interval,
    label,
    method_row,
    number_cell,
    tests_table,
)
from pycompare.reporting.rank_tests import rank_words
from pycompare.reporting.two_algorithms import two_words


class TwoAlgorithmsReport(AnalysisReport[TwoAnalysis]):
    """Two algorithms on folds of one data set, or over data sets."""

    def randomness(self) -> str:
        """Return the seed and what it is for."""
        return fold_words.randomness(self.comparison)

    def question(self) -> str:
        """Return the question that the comparison answers."""
        over = self.comparison.plan.blocks == "datasets"
        return words.question(
            self.comparison, "data sets" if over else "folds of one data set"
        )

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        return two_words.plan_sentences(self.comparison)

    def methods(self) -> Table:
        """Return the tests with their sources."""
        [first, *_] = self.comparison.analyses
        plan = self.comparison.plan
        rows: list[tuple[Cell, ...]] = [
            (
                label(title.split(",")[0]),
                label(test_rate(result, plan, of_blocks(plan))),
                source(result),
            )
            for title, result in first.results()
        ]
        if plan.family == "all":
            rows += [
                method_row(pairs.adjust, error_rate(pairs, plan, of_blocks(plan)))
                for pairs in next(iter(first.compared().values()))
            ]
        rows += together_methods(self.comparison)
        return Table("Methods of the plan.", METHODS_HEADER, tuple(rows))

    def caveats(self) -> list[str]:
        """Return what the verdict is about, and what it rests on."""
        own = super().caveats()
        if self.comparison.plan.blocks == "datasets":
            return [*own, *rank_words.caveats(self.comparison)]
        return [*own, *fold_words.caveats(self.comparison)]

    def limits(self) -> list[str]:
        """Return what the analysis rests on and what it does not say."""
        return two_words.limits(self.comparison)

    def statements(self, analysis: TwoAnalysis) -> Statements:
        """Return everything that is stated about one metric, as facts."""
        return two.statements(self.comparison, analysis)

    def scope(self) -> list[str]:
        """Return what the conclusions are about."""
        over = self.comparison.plan.blocks == "datasets"
        return [rank_words.ABOUT] if over else []

    def parts(self, analysis: TwoAnalysis) -> list[Part]:
        """Return the tests and the estimates."""
        tests = (analysis.test, *analysis.witnesses)
        caption = (
            f"Tests of no difference in {direction(analysis.metric)}, two-sided. The "
            "first makes the verdict, the others are sensitivity analysis."
        )
        return [
            present("Tests", tests_table(caption, tests, self.alpha)),
            present("Estimates", estimates_table(analysis)),
            *self.equivalence(analysis.equivalence),
        ]

    def equivalence(self, test: EquivalenceResult | None) -> list[Part]:
        """Return the one-sided tests against the margin, if there is one."""
        if test is None:
            return []
        tests = [t for t in (test, test.lower, test.upper) if t is not None]
        caption = f"{two.claim(test)}: all of them must reject. The first row is "
        caption += (
            f"the verdict, the largest p-value of the others. One-sided alpha = "
            f"{test.alpha}."
        )
        table = tests_table(caption, tests, test.alpha)
        return [present(test.kind.capitalize(), table)]

    def drawings(self, analysis: TwoAnalysis) -> Iterable[Drawing]:
        """Draw the scores, paired by blocks."""
        from pycompare import plotting

        blocks = "folds" if self.comparison.plan.blocks == "folds" else "data sets"
        on = direction(analysis.metric)
        scores = self.comparison.compared
        return [
            (
                "paired_histograms",
                partial(
                    plotting.paired_histograms,
                    scores,
                    algorithms=(analysis.test.algorithm_1, analysis.test.algorithm_2),
                    metric=analysis.metric.name,
                ),
                f"Scores of both algorithms on {on}, and their differences within "
                f"{blocks}; the tests see the differences only.",
                "Histograms of both algorithms' scores and of their differences.",
            ),
            (
                "distributions",
                partial(plotting.distributions, scores, metric=analysis.metric.name),
                f"Scores of both algorithms on {on}: quartiles, every {blocks[:-1]} "
                f"as a point, and a grey line joining the scores of each.",
                f"Distributions of {analysis.metric.name} per algorithm.",
            ),
        ]

    def csv_tables(self, analysis: TwoAnalysis) -> dict[str, pd.DataFrame]:
        """Return the tests for a CSV file, full precision."""
        frames = [t.to_frame() for t in (analysis.test, *analysis.witnesses)]
        found = {"tests": pd.concat(frames, ignore_index=True)}
        if analysis.equivalence is not None:
            found["equivalence"] = analysis.equivalence.to_frame()
        return found


def source(result: PairedTest) -> Cell:
    """Return the source of a test."""
    return label(result.reference)


def interval_by(test: PairedTest) -> str:
    """Return what gave an interval, and its level where that falls short."""
    if test.reached == test.level:
        return test.name
    return f"{test.name}; this interval has {percent(test.reached)}{test.shortfall}"


def effect_rows(analysis: TwoAnalysis, test: PairedTest) -> list[tuple[Cell, ...]]:
    """Return the effect size that belongs to a test, if it has one."""
    if isinstance(test, WilcoxonResult):
        r = number_cell(test.rank_biserial, 3)
        return [(label(RANK_BISERIAL), r, Cell("–"), label("Kerby (2014)"))]
    if test is not analysis.t:
        return []
    effect = analysis.t.effect
    limits = interval(effect.conf_low, effect.conf_high)
    number = number_cell(effect.estimate)
    return [(label(effect.name), number, limits, label(effect.method))]


def estimates_table(analysis: TwoAnalysis) -> Table:
    """Return the estimates that come with the tests."""
    tests: tuple[PairedTest, ...] = (analysis.test, *analysis.witnesses)
    rows: list[tuple[Cell, ...]] = []
    for test in tests:
        rows.append(
            (
                label(test.estimate_name),
                number_cell(test.estimate),
                interval(test.conf_low, test.conf_high),
                label(interval_by(test)),
            )
        )
        rows += effect_rows(analysis, test)
    first, second = analysis.test.algorithm_1, analysis.test.algorithm_2
    return Table(
        f"Estimates of {first} minus {second}, in the metric's own unit and direction.",
        ("Estimate of", "Estimate", f"{percent(analysis.test.level)} interval", "By"),
        tuple(rows),
    )
