"""What a page needs to know of an analysis: sentences, tables and pictures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Generic, TypeVar

import pandas as pd

from pycompare.analyses.analysis import Analysis
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.reporting.common import margin_report, runs_report
from pycompare.reporting.common.words import direction, gaps
from pycompare.reporting.content import wording
from pycompare.reporting.content.facts import Statements
from pycompare.reporting.page.figures import Drawing, drawn
from pycompare.reporting.page.section import Part, Section, pictures
from pycompare.reporting.page.tables import Table

A = TypeVar("A", bound=Analysis)


class AnalysisReport(ABC, Generic[A]):
    """One comparison as its analysis tells it."""

    def __init__(self, comparison: GroupComparison) -> None:
        self.comparison = comparison
        self.alpha = comparison.plan.alpha

    def randomness(self) -> str:
        """Return the seed and what it is for."""
        return "none: no step of this analysis is random"

    def data(self, origin: dict[str, Any]) -> list[tuple[str, str]] | None:
        """Return the description of the data, where it is not the usual one."""
        return None

    @abstractmethod
    def question(self) -> str:
        """Return the question that the comparison answers."""

    @abstractmethod
    def plan(self) -> list[str]:
        """Return the plan in sentences."""

    @abstractmethod
    def methods(self) -> Table:
        """Return the methods with their sources."""

    def caveats(self) -> list[str]:
        """Return what nobody should read a verdict without."""
        return gaps(self.comparison.scores)

    @abstractmethod
    def limits(self) -> list[str]:
        """Return what the analysis rests on and what it does not say."""

    def scope(self) -> list[str]:
        """Return what the conclusions are about, where the caveats do not say it."""
        return []

    @abstractmethod
    def statements(self, analysis: A) -> Statements:
        """Return everything that is stated about one metric, as facts."""

    def stated(self, analysis: A) -> Statements:
        """Return the statements, those about a margin too."""
        found = self.statements(analysis)
        margin = margin_report.sentences(analysis)
        return replace(found, remarks=(*found.remarks, *margin))

    def sentences(self, analysis: A) -> list[str]:
        """Return everything that is stated about one metric, in sentences."""
        return wording.sentences(self.stated(analysis))

    @abstractmethod
    def parts(self, analysis: A) -> list[Part]:
        """Return the tables of one metric under their headings."""

    @abstractmethod
    def drawings(self, analysis: A) -> Iterable[Drawing]:
        """Draw the pictures of one metric."""

    def left_out(self, analysis: A) -> str | None:
        """Say which pictures there are not, because algorithms are too many."""
        return None

    def section(self, analysis: A, prefix: str) -> Section:
        """Return everything about one metric."""
        figures = drawn(self.drawings(analysis))
        return Section(
            title=direction(analysis.metric),
            prefix=prefix,
            verdict=tuple(self.sentences(analysis)),
            parts=(
                *self.parts(analysis),
                *runs_report.parts(self.comparison, analysis),
                *margin_report.parts(analysis),
                *pictures(figures, self.left_out(analysis)),
            ),
            figures=figures,
            tables=self.csv_tables(analysis)
            | runs_report.csv_tables(analysis)
            | margin_report.csv_tables(analysis),
            not_in_r=analysis.not_in_r(),
        )

    @abstractmethod
    def csv_tables(self, analysis: A) -> dict[str, pd.DataFrame]:
        """Return the tables of one metric for CSV files, full precision."""
