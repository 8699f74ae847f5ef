"""The rank analysis as a page tells it."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from pycompare.analyses.rank_tests import RankAnalysis
from pycompare.reporting.common import order_figures, words
from pycompare.reporting.content import ranks
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.facts import Statements
from pycompare.reporting.page import tables
from pycompare.reporting.page.figures import Drawing
from pycompare.reporting.page.section import Part, present
from pycompare.reporting.page.tables import Table
from pycompare.reporting.rank_tests import rank_figures, rank_tables, rank_words


class RankTestsReport(AnalysisReport[RankAnalysis]):
    """Blocks are independent data sets, compared by rank."""

    def question(self) -> str:
        """Return the question that the comparison answers."""
        return words.question(self.comparison, "blocks")

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        return rank_words.plan_sentences(self.comparison)

    def methods(self) -> Table:
        """Return the adjustments with their sources."""
        return rank_tables.methods_table(self.comparison)

    def scope(self) -> list[str]:
        """Return what the conclusions are about."""
        return [rank_words.ABOUT]

    def caveats(self) -> list[str]:
        """Return what nobody should read a verdict without."""
        return [*super().caveats(), *rank_words.caveats(self.comparison)]

    def limits(self) -> list[str]:
        """Return what the analysis rests on and what it does not say."""
        return rank_words.limits(self.comparison)

    def statements(self, analysis: RankAnalysis) -> Statements:
        """Return everything that is stated about one metric, as facts."""
        return ranks.statements(self.comparison, analysis)

    def parts(self, analysis: RankAnalysis) -> list[Part]:
        """Return ranks, omnibus tests, pairs and effect sizes."""
        return rank_parts(analysis, self.alpha)

    def drawings(self, analysis: RankAnalysis) -> Iterable[Drawing]:
        """Draw the pictures of one metric."""
        return rank_figures.drawings(self.comparison, analysis)

    def left_out(self, analysis: RankAnalysis) -> str | None:
        """Say which pictures there are not, because algorithms are too many."""
        return order_figures.left_out(analysis.decisive)

    def csv_tables(self, analysis: RankAnalysis) -> dict[str, pd.DataFrame]:
        """Return the tables of one metric for CSV files, full precision."""
        return rank_tables.csv_tables(analysis)


PLANNED = (
    "the planned one, the others are sensitivity analysis",
    "makes the verdict",
)
BESIDE = (
    "the one that the verdict quotes, all of them are sensitivity analysis",
    "is the one that the verdict is compared with",
)
"""What the first omnibus test and the first adjustment are."""


def rank_parts(
    analysis: RankAnalysis, alpha: float, firsts: tuple[str, str] = PLANNED
) -> list[Part]:
    """Return the tables of one rank analysis."""
    test, adjustment = firsts
    return [
        present("Ranks", rank_tables.ranks_table(analysis)),
        present("Omnibus tests", rank_tables.omnibus_table(analysis, alpha, test)),
        present("Pairs", tables.pairs_table(analysis, alpha, adjustment)),
        present(
            "Effect sizes",
            agreement(analysis),
            rank_tables.differences_table(analysis),
            rank_tables.effects_table(analysis, alpha)
            or "Wins and ties need a complete table; cells are missing here.",
        ),
    ]


def agreement(analysis: RankAnalysis) -> str | None:
    """Return Kendall's W as text; None where cells are missing."""
    if analysis.agreement is None:
        return None
    return (
        f"Agreement of the blocks: {analysis.agreement.summary()}. 0: no agreement, 1: "
        f"all blocks rank alike."
    )
