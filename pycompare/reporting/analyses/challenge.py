"""Rankings of challenges as a page presents them: by mean ranks, or without a test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pycompare.base.formatting.counts import counted
from pycompare.base.tables import AnyTable
from pycompare.designs.challenge import ChallengeAnalysis, RankingAnalysis
from pycompare.methods.cases.challenge import ChallengeResult
from pycompare.methods.cases.challenge_tasks import RANK_FIRST, TEST_FIRST
from pycompare.reporting import document as doc
from pycompare.reporting.content import build, challenge_report, wording, words
from pycompare.reporting.content.analysis_report import A, AnalysisReport
from pycompare.reporting.content.build import Method, of_method
from pycompare.reporting.content.facts import Outcome, SensitivityAnalysis
from pycompare.reporting.content.outcomes import compared
from pycompare.reporting.content.page import PageResult
from pycompare.reporting.document import Block, Figure, section
from pycompare.results.guarantees import CASES, NO_TEST

_BLOCKS = "Blocks are cases of a challenge, as specified."
_RANKED = {
    "rank-then-aggregate": "Algorithms are ranked within each case, then by the {} of "
    "their ranks.",
    "aggregate-then-rank": "Algorithms are ranked by the {} of their scores.",
    "test-then-rank": "Algorithms are ranked by the share of rivals that they beat in "
    "one-sided signed rank tests ({} alpha = {:g}).",
}
_TIES = {
    "mean": "Ties share their mean rank; failures share the mean of the last ranks of "
    "their case.",
    "min": "Ties have the first of their ranks; failures have the rank after all "
    "scores of their case.",
}
_WEIGHTS = "Tasks are weighted: {}."
_BY_FLIPS = (
    "Pairs are compared by sign flips of whole {}: sums of differences of ranks, the "
    "largest of all pairs, step-down (max-T)."
)
_RESAMPLED = "Resamples draw {} with replacement{}."
_SCOPE = (
    "The conclusions concern these algorithms as they are, on cases like these{}. They "
    "do not extend to newly trained algorithms or to other tasks."
)
_ORDER = (
    "The order describes these cases. There is no test of its quantity, so nothing "
    "about new cases follows."
)
_INDEPENDENT = (
    "Cases are assumed to be independent. Cases of one patient are not: name their "
    "clusters (--cluster)."
)
_CLUSTERS = "Clusters of cases are assumed to be independent."
_OPPOSED = (
    "If tasks rank the algorithms in opposite ways, the test of weighted mean ranks is "
    "conservative."
)


def _planned(result: ChallengeResult) -> Iterator[str]:
    """Yield how algorithms are ranked, in words."""
    if result.ranking == TEST_FIRST:
        by = "Holm's adjustment over the ordered pairs of a task,"
        word = by if result.adjust == "holm" else "no adjustment,"
        yield _RANKED[result.ranking].format(word, result.alpha)
    else:
        aggregate = str(result.aggregate)
        share = aggregate not in ("mean", "median")
        word = f"{aggregate} quantile" if share else aggregate
        yield _RANKED[result.ranking].format(word)
    yield _TIES[result.tied_ranks]
    if result.weights:
        shown = ", ".join(f"{n} {w:.3g}" for n, w in result.weights.items())
        yield _WEIGHTS.format(shown)
    within = " within tasks" if result.weights else ""
    yield _RESAMPLED.format(_units(result), within)


def _units(result: ChallengeResult) -> str:
    """Return the units of resamples and flips: cases, or clusters of cases."""
    return "cases" if result.n_clusters is None else "clusters of cases"


def _limits(result: ChallengeResult) -> Iterator[str]:
    """Yield assumptions about cases, failures, tasks and resamples."""
    yield _INDEPENDENT if result.n_clusters is None else _CLUSTERS
    if result.weights and result.n_clusters is None:
        yield challenge_report.TASKS
    if result.as_columns()["failures"].any():
        yield challenge_report.FAILURES
    yield challenge_report.RESAMPLES


def _what(analysis: ChallengeAnalysis | RankingAnalysis) -> str:
    """Return what figures show: ``Mean rank in dice (higher is better), 50 cases``."""
    result = analysis.challenge
    by = wording.begun(challenge_report.ranked_by(result))
    of = f" in {wording.direction(analysis.metric)}" * (result.ranking == RANK_FIRST)
    return f"{by}{of}, {counted(result.n_cases, 'case')}"


class _RankedReport(AnalysisReport[A]):
    """What all rankings of challenges share."""

    drawn = "flips of signs"

    @property
    def lead(self) -> ChallengeResult:
        """The ranking of the first metric: all have the same form."""
        analysis: ChallengeAnalysis | RankingAnalysis = self.analyses[0]  # type: ignore[assignment]
        return analysis.challenge

    def uses_of_seed(self) -> list[str]:
        """Return resamples, and flips if there are any."""
        return [*super().uses_of_seed(), "resamples of cases"]

    def plan(self) -> list[str]:
        """Return the plan in words."""
        told = [_BLOCKS, *_planned(self.lead)]
        if self.lead.pairs is not None:
            told.append(_BY_FLIPS.format(_units(self.lead)))
        return [*told, words.as_it_stands(self.comparison)]


class ChallengeReport(_RankedReport[ChallengeAnalysis]):
    """Algorithms by mean ranks within cases."""

    def methods(self) -> Iterator[Method]:
        """Yield the comparisons of the plan with error rates and sources."""
        for analysis in self.analyses:
            for pairs in analysis.pairs:
                yield of_method(pairs, self.comparison.plan, CASES)

    def scope(self) -> list[str]:
        """Return the scope of the conclusions."""
        tasks = f" of these {len(self.lead.weights)} tasks" * bool(self.lead.weights)
        return [_SCOPE.format(tasks), words.AMONG.format("cases")]

    def limits(self) -> list[str]:
        """Return the assumptions and limits of the analysis."""
        return [
            *_limits(self.lead),
            *[_OPPOSED] * bool(self.lead.weights),
            *words.adjustment_limits(self.comparison),
            words.NOT_EQUALITY,
        ]

    def outcome(self, analysis: ChallengeAnalysis) -> Outcome:
        """Return the facts about pairs of mean ranks."""
        pairs = analysis.decisive
        outcome = compared(
            analysis,
            self.comparison,
            values=pairs.placed(),
            quantity=challenge_report.ranked_by(analysis.challenge),
        )
        return replace(outcome, better_in=pairs.placement)

    def untested(self, analysis: ChallengeAnalysis) -> list[str]:
        """Return nothing: every pair has a test."""
        return []

    def remarks(self, analysis: ChallengeAnalysis) -> Iterator[str]:
        """Yield stability, failures and notes."""
        yield from challenge_report.remarks(analysis.challenge)
        yield from map(wording.sentence, analysis.decisive.notes)

    def alternatives(
        self, analysis: ChallengeAnalysis
    ) -> Iterator[SensitivityAnalysis]:
        """Yield the same ranking of other cases, and tests of mean scores."""
        for other in analysis.others:
            yield SensitivityAnalysis(
                name=other.name,
                assumes=other.assumes,
                significant=other.significant,
                same_quantity=other.same_quantity,
            )

    def sentences(self, analysis: ChallengeAnalysis) -> list[str]:
        """Return everything that is stated about one metric, the ranking first."""
        return [
            challenge_report.first(analysis.challenge),
            *super().sentences(analysis),
        ]

    def result(self, analysis: ChallengeAnalysis, prefix: str) -> PageResult:
        """Return everything about one metric, the ranking first."""
        result = super().result(analysis, prefix)
        lead = challenge_report.first(analysis.challenge)
        return replace(result, answer=doc.joined(lead, result.answer))

    def blocks(self, analysis: ChallengeAnalysis) -> Iterator[Block]:
        """Yield the ranking and the pairs."""
        yield from challenge_report.tables(analysis.challenge)
        yield section("Pairwise comparisons", build.pairs(analysis, self.alpha))

    def figures(self, analysis: ChallengeAnalysis) -> Iterator[Figure]:
        """Yield the figures of one metric; the first shows ranks with their sets."""
        yield from challenge_report.figures(analysis.challenge, _what(analysis))

    def csv_tables(self, analysis: ChallengeAnalysis) -> dict[str, AnyTable]:
        """Return the tables of one metric for CSV files, full precision."""
        ranked = challenge_report.csv_tables(analysis.challenge)
        return ranked | build.frames(pairs=analysis.pairs_table())


class RankingReport(_RankedReport[RankingAnalysis]):
    """An order of algorithms without a test of pairs."""

    def methods(self) -> list[Method]:
        """Return the quantity of the order; there is no test."""
        name = wording.begun(challenge_report.ranked_by(self.lead))
        return [(name, NO_TEST, self.lead.reference)]

    def scope(self) -> list[str]:
        """Return that the order describes these cases."""
        return [_ORDER]

    def limits(self) -> list[str]:
        """Return the assumptions and limits of the order."""
        counts = [challenge_report.COUNTS] * (self.lead.ranking == TEST_FIRST)
        return [*counts, *_limits(self.lead)]

    def outcome(self, analysis: RankingAnalysis) -> Outcome | None:
        """Return nothing: no pair is decided."""
        return None

    def untested(self, analysis: RankingAnalysis) -> list[str]:
        """Return nothing; ``remarks`` state that there is no test."""
        return []

    def remarks(self, analysis: RankingAnalysis) -> Iterator[str]:
        """Yield who comes first, and that this is no claim."""
        yield challenge_report.first(analysis.challenge)
        yield from challenge_report.remarks(analysis.challenge)
        yield from map(wording.sentence, analysis.challenge.notes)

    def alternatives(self, analysis: RankingAnalysis) -> Iterator[SensitivityAnalysis]:
        """Yield nothing: there is no analysis to compare with."""
        yield from ()

    def reported(self, analysis: RankingAnalysis) -> str:
        """Return the ranking in the past tense."""
        result = analysis.challenge
        table = result.as_columns()
        by = challenge_report.ranked_by(result)
        told = "; ".join(
            f"{table['algorithm'][at]} {wording.value(float(table['value'][at]))}"
            for at in result.order
        )
        return f"Algorithms ranked by {by}: {told}. This order was not tested."

    def blocks(self, analysis: RankingAnalysis) -> Iterator[Block]:
        """Yield the ranking."""
        return challenge_report.tables(analysis.challenge)

    def figures(self, analysis: RankingAnalysis) -> Iterator[Figure]:
        """Yield the figures of one metric."""
        return challenge_report.figures(analysis.challenge, _what(analysis))

    def csv_tables(self, analysis: RankingAnalysis) -> dict[str, AnyTable]:
        """Return the tables of one metric for CSV files, full precision."""
        return challenge_report.csv_tables(analysis.challenge)
