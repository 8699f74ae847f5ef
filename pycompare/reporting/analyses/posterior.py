"""Posterior probabilities in place of tests as a page presents them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pycompare.base.tables import AnyTable
from pycompare.designs.planned_posterior import PlannedPosterior
from pycompare.designs.posteriors import PosteriorAnalysis
from pycompare.reporting.content import fold_words, posterior_report, wording, words
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.build import Method
from pycompare.reporting.content.facts import Outcome, SensitivityAnalysis
from pycompare.reporting.content.page import PageResult
from pycompare.reporting.document import Block, Figure, section

_SCOPE = {
    "datasets": "The probabilities are about new data sets, drawn as these were.",
    "folds-of-datasets": "The probabilities are about new data sets, drawn as these "
    "were.",
    "folds": "The probabilities are about new training and test sets of this data set.",
}
_PLANNED = "Posterior probabilities replace the tests, as specified ({title})."


class PosteriorReport(AnalysisReport[PosteriorAnalysis]):
    """Pairs with posterior probabilities, and without tests."""

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        title = _planned(self.analyses[0]).title
        plan = self.comparison.plan
        blocks = (
            fold_words.blocks_are(self.comparison)
            if plan.design.of_folds
            else "Blocks are independent data sets."
        )
        return [blocks, _PLANNED.format(title=title)]

    def depends_on_seed(self) -> bool:
        """Return whether probabilities are drawn."""
        return bool(posterior_report.uses_of_seed(self.analyses))

    def methods(self) -> list[Method]:
        """Return nothing: the posterior has its row, and there are no tests."""
        return []

    def scope(self) -> list[str]:
        """Return the scope of the probabilities."""
        gaps = words.gaps(self.comparison.scores)
        return [*gaps, _SCOPE[self.comparison.plan.blocks]]

    def limits(self) -> list[str]:
        """Return doubts about the data, and that folds share training data."""
        shared = [fold_words.SHARED] * self.comparison.plan.design.of_folds
        return [*shared, *words.doubts(self.comparison.compared)]

    def outcome(self, analysis: PosteriorAnalysis) -> Outcome | None:
        """Return nothing: no pair is tested."""
        return None

    def untested(self, analysis: PosteriorAnalysis) -> list[str]:
        """Return nothing; ``remarks`` have the answer."""
        return []

    def remarks(self, analysis: PosteriorAnalysis) -> Iterator[str]:
        """Yield the decided pairs."""
        yield posterior_report.answer(_planned(analysis), self.comparison)

    def sentences(self, analysis: PosteriorAnalysis) -> list[str]:
        """Return the decided pairs, and how they were found."""
        how = posterior_report.method(_planned(analysis))
        first, *more = super().sentences(analysis)
        metric = wording.direction(analysis.metric)
        return [f"{metric}: {first}", f"Method: {how}", *more]

    def result(self, analysis: PosteriorAnalysis, prefix: str) -> PageResult:
        """Return everything about one metric, the method below its answer."""
        how = posterior_report.method(_planned(analysis))
        return replace(super().result(analysis, prefix), method=how)

    def reported(self, analysis: PosteriorAnalysis) -> str:
        """Return answer and method for a paper."""
        posterior = _planned(analysis)
        told = posterior_report.answer(posterior, self.comparison)
        return f"{told} {posterior_report.method(posterior)}"

    def alternatives(
        self, analysis: PosteriorAnalysis
    ) -> Iterator[SensitivityAnalysis]:
        """Yield nothing: there is no analysis to compare with."""
        yield from ()

    def blocks(self, analysis: PosteriorAnalysis) -> Iterator[Block]:
        """Yield the probabilities of all pairs."""
        posterior = _planned(analysis)
        yield section("Posterior probabilities", *posterior_report.parts(posterior))

    def figures(self, analysis: PosteriorAnalysis) -> Iterator[Figure]:
        """Yield the probabilities as bars, then draws."""
        yield from posterior_report.figures(_planned(analysis))

    def csv_tables(self, analysis: PosteriorAnalysis) -> dict[str, AnyTable]:
        """Return nothing: the posterior has its file."""
        return {}


def _planned(analysis: PosteriorAnalysis) -> PlannedPosterior:
    """Return the posterior probabilities, which such an analysis has."""
    assert analysis.posterior is not None
    return analysis.posterior
