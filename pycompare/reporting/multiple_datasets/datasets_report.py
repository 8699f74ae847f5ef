"""Folds of several data sets as a page tells it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pandas as pd

from pycompare.analyses.multiple_datasets import (
    DatasetsAnalysis,
    OnDataset,
    OverDatasets,
)
from pycompare.linear.anova import AnovaResult
from pycompare.reporting.common import (
    fold_words,
    margin_report,
    order_figures,
    runs_report,
    words,
)
from pycompare.reporting.content import datasets
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.facts import Statements
from pycompare.reporting.multiple_datasets import (
    datasets_figures,
    datasets_tables,
    datasets_words,
)
from pycompare.reporting.page import tables
from pycompare.reporting.page.figures import Drawing, drawn
from pycompare.reporting.page.section import Part, Section, pictures, present
from pycompare.reporting.page.tables import Table
from pycompare.reporting.rank_tests.rank_report import rank_parts

MOST_DETAIL_ROWS = 2000
"""Rows of pairs of all data sets on the page; with more only the CSV file has them."""
BESIDE = (
    "the planned one of ranks, the others are sensitivity analysis",
    "stands beside the verdict",
)
DECIDES = (
    "the planned one, the others are sensitivity analysis",
    "makes the verdict",
)


class MultipleDatasetsReport(AnalysisReport[DatasetsAnalysis]):
    """Each data set by itself, then the comparisons over data sets."""

    def randomness(self) -> str:
        """Return the seed and what it is for."""
        return fold_words.randomness(self.comparison)

    def question(self) -> str:
        """Return the question that the comparison answers."""
        return words.question(self.comparison, "data sets with several folds each")

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        return datasets_words.plan_sentences(self.comparison)

    def methods(self) -> Table:
        """Return the methods with their sources."""
        return datasets_tables.methods_table(self.comparison)

    def caveats(self) -> list[str]:
        """Return what a verdict over data sets is about."""
        return datasets_words.caveats(self.comparison)

    def limits(self) -> list[str]:
        """Return what the analysis rests on and what it does not say."""
        return datasets_words.limits(self.comparison)

    def statements(self, analysis: DatasetsAnalysis) -> Statements:
        """Return everything that is stated about one metric, as facts."""
        return datasets.statements(self.comparison, analysis)

    def section(self, analysis: DatasetsAnalysis, prefix: str) -> Section:
        """Return everything about one metric, a summary with pictures first."""
        figures = drawn(self.drawings(analysis))
        return Section(
            title=words.direction(analysis.metric),
            prefix=prefix,
            verdict=tuple(self.sentences(analysis)),
            parts=(
                *self.summary(analysis),
                *pictures(figures, order_figures.left_out(analysis.planned.decisive)),
                *self.parts(analysis),
                *runs_report.parts(self.comparison, analysis),
                *margin_report.parts(analysis),
            ),
            figures=figures,
            tables=self.csv_tables(analysis)
            | runs_report.csv_tables(analysis)
            | margin_report.csv_tables(analysis),
            not_in_r=analysis.not_in_r(),
        )

    def summary(self, analysis: DatasetsAnalysis) -> list[Part]:
        """Return agreement and wins."""
        sign = analysis.by("sign")
        return [
            present(
                "Agreement of the comparisons over data sets",
                datasets_tables.agreement_table(analysis, self.alpha),
            ),
            present(
                "Wins over data sets",
                datasets_tables.wins_table(analysis),
                datasets_tables.sign_table(sign, self.alpha),
            ),
        ]

    def parts(self, analysis: DatasetsAnalysis) -> list[Part]:
        """Return the comparisons over data sets, then each data set."""
        return [
            *self.ranks(analysis),
            *self.two(analysis),
            *(
                self.over(analysis, analysis.by(key), title)
                for key, title in (
                    ("means", "Means over data sets"),
                    ("model", "All folds in one model"),
                )
            ),
            self.interaction(analysis),
            present(
                "Data set by data set",
                datasets_tables.datasets_table(analysis, self.alpha),
            ),
            *self.details(analysis),
        ]

    def ranks(self, analysis: DatasetsAnalysis) -> list[Part]:
        """Return the rank analysis of data-set means."""
        if analysis.ranks is None:
            return []
        firsts = DECIDES if analysis.verdict == "ranks" else BESIDE
        return [
            Part(f"Ranks over data sets: {p.heading.lower()}", p.content)
            for p in rank_parts(analysis.ranks, self.alpha, firsts)
        ]

    def two(self, analysis: DatasetsAnalysis) -> list[Part]:
        """Return the tests of two algorithms' data-set means."""
        if not analysis.two:
            return []
        caption = (
            "Tests of no difference between the data-set means of the two algorithms, "
            "two-sided."
        )
        table = tables.tests_table(caption, analysis.two, self.alpha)
        return [present("Two algorithms over data sets", table)]

    def over(self, analysis: DatasetsAnalysis, over: OverDatasets, title: str) -> Part:
        """Return an analysis of variance over data sets and its pairs."""
        decides = over.key == analysis.verdict
        first = "makes the verdict" if decides else "stands beside the verdict"
        what = {
            "means": f"Analysis of variance of data-set means of "
            f"{analysis.metric.name}, blocked by data sets; the residual is the "
            f"interaction of algorithm and data set",
            "model": f"Analysis of variance of {analysis.metric.name} over all folds, "
            f"algorithms adjusted for folds",
        }
        test = over.test
        return present(
            title,
            datasets_words.ABOUT[over.key],
            datasets_tables.anova_table(test, what[over.key], self.alpha)
            if isinstance(test, AnovaResult)
            else None,
            tables.pairs_table(over, self.alpha, first),
        )

    def interaction(self, analysis: DatasetsAnalysis) -> Part:
        """Return the test whether differences change from data set to data set."""
        caption = "Whether differences of algorithms change from data set to data set."
        return present(
            "Interaction of algorithm and data set",
            tables.tests_table(caption, [analysis.interaction], self.alpha),
            datasets.interaction(analysis, self.alpha),
        )

    def details(self, analysis: DatasetsAnalysis) -> Iterator[Part]:
        """Yield one folded part a data set."""
        rows = sum(len(found.decisive.table) for found in analysis.each)
        for found in analysis.each:
            yield Part(
                f"Data set {found.dataset}",
                tuple(self.detail(found, rows <= MOST_DETAIL_ROWS)),
                folded=True,
            )

    def detail(self, found: OnDataset, pairs: bool) -> Iterator[str | Table]:
        """Yield what there is to say about one data set."""
        yield datasets_words.on_dataset(found, self.alpha)
        yield datasets_tables.means_table(found)
        if pairs:
            yield datasets_tables.pairs_of_dataset(found, self.alpha)
        else:
            yield "The pairs of all data sets are in tables/data_set_pairs.csv."

    def drawings(self, analysis: DatasetsAnalysis) -> Iterable[Drawing]:
        """Draw the pictures of one metric."""
        return datasets_figures.drawings(self.comparison, analysis)

    def csv_tables(self, analysis: DatasetsAnalysis) -> dict[str, pd.DataFrame]:
        """Return the tables of one metric for CSV files, full precision."""
        return datasets_tables.csv_tables(analysis)
