"""Estimates over folds as a page presents them: no test, and what would give one."""

from __future__ import annotations

from collections.abc import Iterator

from pycompare.base.tables import AnyTable
from pycompare.designs.fold_estimates import EstimatesAnalysis
from pycompare.reporting.content import build, figures, fold_words, wording, words
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.build import PAIR, Field, Method
from pycompare.reporting.content.facts import Outcome, SensitivityAnalysis
from pycompare.reporting.document import Block, Figure, section
from pycompare.results.guarantees import NO_TEST

_THESE = (
    "The estimates describe these {}s. No conclusion about new training sets, cases "
    "or data sets follows."
)


class FoldEstimatesReport(AnalysisReport[EstimatesAnalysis]):
    """Folds without the sizes of training and test sets."""

    def plan(self) -> list[str]:
        """Return the plan in sentences."""
        if self.one_test_set:
            return [fold_words.ONE_SET_BLOCKS, fold_words.OVERLAPPING]
        return [fold_words.blocks_are(self.comparison), fold_words.NOTHING_TESTED]

    @property
    def one_test_set(self) -> bool:
        """Whether the blocks are training sets with one test set."""
        return self.comparison.plan.generalise is not None

    @property
    def unit(self) -> str:
        """What a block is."""
        return "training set" if self.one_test_set else "fold"

    def methods(self) -> list[Method]:
        """Return the estimated quantity; there are no tests."""
        return [("Means and differences", NO_TEST, "")]

    def scope(self) -> list[str]:
        """Return the scope of the estimates, and what a test needs."""
        gaps = words.gaps(self.comparison.scores)
        return [*gaps, _THESE.format(self.unit)]

    def limits(self) -> list[str]:
        """Return why nothing is tested."""
        shared = fold_words.OVERLAPPING if self.one_test_set else fold_words.SHARED
        return [shared, *words.doubts(self.comparison.compared)]

    def outcome(self, analysis: EstimatesAnalysis) -> Outcome | None:
        """Return nothing: no pair is decided."""
        return None

    def untested(self, analysis: EstimatesAnalysis) -> list[str]:
        """Return nothing; ``remarks`` state why there are no tests."""
        return []

    def remarks(self, analysis: EstimatesAnalysis) -> Iterator[str]:
        """Yield the best mean, and that it is no claim."""
        means = analysis.estimates.means
        if self.one_test_set:
            yield fold_words.TO_GENERALISE
        first, *rest = means
        side = "lowest" if analysis.metric.better == "lower" else "highest"
        others = [f"{name} {wording.value(means[name])}" for name in rest]
        yield (
            f"Estimates only, no claim: {first} has the {side} mean "
            f"{analysis.metric.name} ({wording.value(means[first])}; "
            f"{wording.listing(others)})."
        )
        if not self.one_test_set:
            yield fold_words.TO_TEST

    def reported(self, analysis: EstimatesAnalysis) -> str:
        """Return the means in the past tense, and that nothing was tested."""
        means = analysis.estimates.means
        told = "; ".join(f"{name} {wording.value(x)}" for name, x in means.items())
        return (
            f"Means over {self.unit}s: {told}. These were estimates without a test, "
            f"because {self.unit}s share training data."
            if not self.one_test_set
            else f"Means over training sets: {told}. These were estimates without a "
            f"test, because the training sets share cases."
        )

    def alternatives(
        self, analysis: EstimatesAnalysis
    ) -> Iterator[SensitivityAnalysis]:
        """Yield nothing: there is no analysis to compare with."""
        yield from ()

    def blocks(self, analysis: EstimatesAnalysis) -> Iterator[Block]:
        """Yield differences of pairs and means."""
        estimates, name = analysis.estimates, analysis.metric.name
        why = (
            "training sets share cases."
            if self.one_test_set
            else "folds share training data, and the sizes of the sets are not given."
        )
        pairs = build.table(
            f"Differences of {name} over {self.unit}s, "
            f"{build.minus(estimates.as_columns())}. No p-values or intervals: {why}",
            estimates.as_columns(),
            PAIR,
            Field("mean difference", "number", "estimate"),
            Field("smallest", "number", "lowest"),
            Field("largest", "number", "highest"),
            Field(f"{self.unit}s", "digits", lambda row: str(row.n_folds)),
            file="differences",
        )
        yield section("Differences", pairs)
        caption = f"Algorithms by mean {name}, best first."
        yield section(
            "Means", build.positions(caption, estimates.means, f"mean {name}")
        )

    def figures(self, analysis: EstimatesAnalysis) -> Iterator[Figure]:
        """Yield the scores of all folds."""
        scores = self.comparison.compared
        yield from figures.distributions(scores, analysis.metric, self.unit)

    def csv_tables(self, analysis: EstimatesAnalysis) -> dict[str, AnyTable]:
        """Return the differences for a CSV file, full precision."""
        return build.frames(differences=analysis.estimates)
