"""The analysis of means as a page tells it."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from pycompare.analyses.blocked_anova import LinearAnalysis
from pycompare.reporting.blocked_anova import (
    linear_figures,
    linear_tables,
    linear_words,
)
from pycompare.reporting.common import fold_words, order_figures, words
from pycompare.reporting.content import means
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.facts import Statements
from pycompare.reporting.page import tables
from pycompare.reporting.page.figures import Drawing
from pycompare.reporting.page.section import Part, present
from pycompare.reporting.page.tables import Table
from pycompare.reporting.rank_tests import rank_tables
from pycompare.reporting.rank_tests.rank_report import BESIDE, rank_parts


class BlockedAnovaReport(AnalysisReport[LinearAnalysis]):
    """Blocks are folds of one data set, compared by analysis of variance."""

    def randomness(self) -> str:
        """Return the seed and what it is for."""
        band = "the simulated band of the normal quantile pictures"
        return fold_words.randomness(self.comparison, band)

    def question(self) -> str:
        """Return the question that the comparison answers."""
        return words.question(self.comparison, "folds of one data set")

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        return linear_words.plan_sentences(self.comparison)

    def methods(self) -> Table:
        """Return the methods with their sources."""
        return linear_tables.methods_table(self.comparison)

    def caveats(self) -> list[str]:
        """Return what a verdict over folds is about, and what it rests on."""
        return [*super().caveats(), *fold_words.caveats(self.comparison)]

    def limits(self) -> list[str]:
        """Return what the analysis rests on and what it does not say."""
        return linear_words.limits(self.comparison)

    def statements(self, analysis: LinearAnalysis) -> Statements:
        """Return everything that is stated about one metric, as facts."""
        return means.statements(self.comparison, analysis)

    def parts(self, analysis: LinearAnalysis) -> list[Part]:
        """Return means, analysis of variance, pairs, checks; then the ranks."""
        return [
            present(
                "Means",
                linear_tables.means_table(analysis),
                linear_tables.cliques_text(analysis),
            ),
            present(
                "Analysis of variance",
                linear_tables.anova_table(analysis, self.alpha),
                linear_tables.effects_table(analysis),
                linear_tables.sphericity_table(analysis, self.alpha),
            ),
            *self.pairs_parts(analysis),
            present("Checks", linear_tables.checks_table(analysis, self.alpha)),
            *(
                Part(f"Rank analysis (sensitivity): {p.heading.lower()}", p.content)
                for p in rank_parts(analysis.ranks, self.alpha, BESIDE)
            ),
        ]

    def pairs_parts(self, analysis: LinearAnalysis) -> list[Part]:
        """Return the comparisons of pairs, those that make the verdict first."""
        corrected = present(
            "Pairs, corrected for shared training data",
            linear_tables.corrected_table(analysis, self.alpha)
            or fold_words.no_correction(self.comparison),
        )
        if not analysis.corrected_decides:
            return [
                present("Pairs", tables.pairs_table(analysis, self.alpha)),
                corrected,
            ]
        first = "stands beside the verdict, which is corrected"
        table = tables.pairs_table(analysis, self.alpha, first)
        return [corrected, present("Pairs, folds taken as independent", table)]

    def drawings(self, analysis: LinearAnalysis) -> Iterable[Drawing]:
        """Draw the pictures of one metric."""
        return linear_figures.drawings(self.comparison, analysis)

    def left_out(self, analysis: LinearAnalysis) -> str | None:
        """Say which pictures there are not, because algorithms are too many."""
        return order_figures.left_out(analysis.decisive)

    def csv_tables(self, analysis: LinearAnalysis) -> dict[str, pd.DataFrame]:
        """Return the tables of one metric for CSV files, full precision."""
        ranks = rank_tables.csv_tables(analysis.ranks)
        return linear_tables.csv_tables(analysis) | {
            f"ranks_{name}": table for name, table in ranks.items()
        }
