"""Wins over thresholds and data sets as a page tells it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd

from pycompare.analyses.group_comparison import GroupComparison
from pycompare.analyses.threshold_sweep import ThresholdsAnalysis
from pycompare.labels import label_text
from pycompare.reporting.content import thresholds, words
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.build import Method
from pycompare.reporting.content.facts import Statements
from pycompare.reporting.content.parts import old_blocks, old_rows
from pycompare.reporting.content.sources import prediction_rows
from pycompare.reporting.document import Block
from pycompare.reporting.multiple_datasets import tables as datasets_tables
from pycompare.reporting.page.figures import Figure, drawn
from pycompare.reporting.page.section import Part, present
from pycompare.reporting.page.tables import Table
from pycompare.reporting.threshold_sweep import (
    thresholds_figures,
    thresholds_tables,
    thresholds_words,
)

MOST_DETAILS = 60
"""Data sets with details of their own on the page; the CSV files have all."""
ELSEWHERE = "They are in tables/data_set_pairs.csv and tables/at_thresholds.csv."


class ThresholdSweepReport(AnalysisReport[ThresholdsAnalysis]):
    """Each threshold by itself, then all of them, then the data sets."""

    def __init__(self, comparison: GroupComparison) -> None:
        super().__init__(comparison)
        [found] = comparison.analyses
        assert isinstance(found, ThresholdsAnalysis)
        self.found = found

    def question(self, where: str) -> str:
        """Return the question that the comparison answers."""
        return thresholds_words.question(self.comparison, self.found)

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        return thresholds_words.plan_sentences(self.comparison, self.found)

    def methods(self) -> list[Method]:
        """Return the methods with their sources."""
        table = thresholds_tables.methods_table(self.found, self.comparison.plan)
        return old_rows(table.rows)

    def scope(self) -> list[str]:
        """Return the scope of the conclusions, and what limits them."""
        return thresholds_words.caveats(self.comparison, self.found)

    def limits(self) -> list[str]:
        """Return what the analysis rests on and what it does not say."""
        return thresholds_words.limits(self.comparison, self.found)

    def data(self, origin: dict[str, Any]) -> list[tuple[str, str]]:
        """Return the description of the data."""
        scores, won = self.comparison.scores, self.found.won
        folds = f"{scores.n_blocks}, folds of {won.n_datasets} data sets"
        if won.n_datasets == 1:
            folds = f"{scores.n_blocks}, folds of one data set"
        theta = ", ".join(label_text(t) for t in won.thresholds[:101])
        return [
            ("File", origin["file"] or "handed over in memory"),
            ("SHA-256 of the file", origin["file_sha256"] or "–"),
            ("SHA-256 of the scores", origin["scores_sha256"]),
            ("Blocks", folds),
            (
                "Algorithms",
                f"{scores.n_algorithms}: {', '.join(scores.algorithms)}",
            ),
            ("Metrics", words.listing(won.metrics)),
            ("Thresholds", f"{len(won.thresholds)}: {theta}"),
            *prediction_rows(self.comparison),
            ("Policy for missing cells", scores.missing),
        ]

    def statements(self, analysis: ThresholdsAnalysis) -> Statements:
        """Return everything that is stated, as facts."""
        return thresholds.statements(self.comparison, analysis)

    def title(self, analysis: ThresholdsAnalysis) -> str:
        """Return the title of the results."""
        return "all thresholds, by risk (lower is better)"

    def blocks(self, analysis: ThresholdsAnalysis) -> Iterable[Block]:
        """Yield the tables, wins first."""
        strips = drawn(thresholds_figures.of_datasets(analysis))
        return old_blocks(
            [
                *self.summary(analysis),
                *self.parts(analysis),
                *self.details(analysis, strips),
            ]
        )

    def figures(self, analysis: ThresholdsAnalysis) -> Iterable[Figure]:
        """Yield the figures over all data sets; the first shows the conclusion."""
        found = drawn(thresholds_figures.drawings(analysis))
        order = ("threshold_pairs", "sign_grid")
        return sorted(found, key=lambda figure: figure.name not in order)

    def summary(self, analysis: ThresholdsAnalysis) -> list[Part]:
        """Return wins with totals and their sign tests."""
        if not analysis.pairs:
            return []
        return [
            present(
                "Wins over data sets",
                thresholds_tables.wins_table(analysis.won),
                datasets_tables.sign_rows(analysis.pairs, self.alpha),
            )
        ]

    def parts(self, analysis: ThresholdsAnalysis) -> list[Part]:
        """Return the thresholds over data sets, then the data sets."""
        made = [
            present(
                "Threshold by threshold",
                thresholds_words.UNADJUSTED,
                thresholds_tables.thresholds_table(analysis.won),
            )
        ]
        if analysis.pairs:
            table = thresholds_tables.datasets_table(analysis)
            made.append(present("Data set by data set", table))
        return made

    def details(
        self, analysis: ThresholdsAnalysis, strips: tuple[Figure, ...]
    ) -> Iterator[Part]:
        """Yield one folded part a data set; the only one is open."""
        alone = not analysis.pairs
        names = list(analysis.n_folds)
        for place, name in enumerate(names[:MOST_DETAILS]):
            content: tuple[str | Table | Figure, ...] = (
                thresholds_words.on_dataset(analysis, name),
                *strips[place : place + 1],
                thresholds_tables.pairs_of_dataset(analysis.won, name),
                thresholds_tables.thresholds_of_dataset(analysis.won, name),
            )
            yield Part(f"Data set {name}", content, folded=not alone)
        if len(names) > MOST_DETAILS:
            yield Part(
                f"And {len(names) - MOST_DETAILS} more data sets",
                (ELSEWHERE,),
            )

    def csv_tables(self, analysis: ThresholdsAnalysis) -> dict[str, pd.DataFrame]:
        """Return the tables for CSV files, full precision."""
        return thresholds_tables.csv_tables(analysis)
