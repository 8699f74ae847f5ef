"""Cases (items) of one test set as a page presents them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pandas as pd

from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import number, percent
from pycompare.base.tables import AnyTable, Columns
from pycompare.designs.cases import CaseAnalysis
from pycompare.designs.pair_methods import described
from pycompare.methods.cases.crossed_pairs import CrossedPairsResult
from pycompare.methods.cases.share_pairs import SharePairsResult
from pycompare.methods.cases.these_items import TheseItemsResult
from pycompare.methods.cases.weighted_pairs import WeightedMeans
from pycompare.reporting import document as doc
from pycompare.reporting.content import (
    benchmark_report,
    build,
    challenge_report,
    figures,
    item_report,
    ranks,
    wording,
    words,
)
from pycompare.reporting.content.analysis_report import AnalysisReport
from pycompare.reporting.content.build import PAIR, Field, Method, of_method, of_test
from pycompare.reporting.content.facts import Outcome, SensitivityAnalysis
from pycompare.reporting.content.outcomes import is_alone, of_means
from pycompare.reporting.content.page import PageResult
from pycompare.reporting.document import Block, Figure, Table, fold, section
from pycompare.results.guarantees import CASES
from pycompare.results.result import Result

_SCOPE = (
    "The conclusions concern these algorithms as they are, on cases like these. They "
    "do not extend to newly trained algorithms or to other benchmarks."
)
_GROUPS_SCOPE = (
    "The conclusions concern these algorithms as they are, on new groups of cases like "
    "these {n}. They do not extend to newly trained algorithms."
)
_WEIGHTED_SCOPE = (
    "The conclusions concern these algorithms as they are, on cases like these from "
    "these {n} benchmarks, {weighted} ({weights}). The benchmarks are fixed, "
    "not sampled: the conclusions do not extend to other benchmarks or other weights."
)
_WEIGHTED = {
    "equal": "with equal weights as declared",
    "cases": "weighted as declared by their numbers of cases",
}
"""How benchmarks are weighted by a rule."""
_BY_WEIGHTS = (
    "Pairs are compared by the weighted average of the benchmarks' mean differences; "
    "cases of different benchmarks are not pooled. Each benchmark has its own "
    "variance{clusters}; degrees of freedom are Welch and Satterthwaite's."
)
_INDEPENDENT = (
    "Cases are assumed to be independent. Items that share a text, a patient or a "
    "template are not: name their clusters (--cluster)."
)
_CLUSTERS = (
    "Clusters of cases are assumed to be independent; cases within a cluster may "
    "depend on each other in any way. With few clusters the t tests are approximate."
)
_BY_MCNEMAR = (
    "Pairs are compared by McNemar's test of the discordant cases, on which only one "
    "of two algorithms is right: the share that one of them wins is 1/2 if their "
    "accuracies are equal. It does not use how difficult a case is."
)
_BY_SCORES = (
    "Pairs are compared by score tests of the difference between their shares of right "
    "answers to the same cases{size}. Intervals are Tango's, of the same test."
)
_EFFECTIVE = ", at the effective number of cases that their {units} leave"
_BY_CLUSTERS = (
    "Pairs are compared by mean differences over cases, with cluster-robust (CR2) "
    "standard errors and Satterthwaite degrees of freedom."
)
_BY_CROSSED = (
    "Pairs are compared by the largest of three p-values: of t tests for new items, "
    "for new {runs}, and for both (Hillis). Intervals have the largest of the three "
    "widths."
)
_SHARED_FIXED = (
    "The conclusions concern these algorithms as they are, on cases like these, under "
    "these {n} {runs}, averaged. Other {runs} may differ."
)
_SHARED_SAMPLED = (
    "The conclusions concern these algorithms as they are, on new cases and new {runs} "
    "like these {n}. They are never more certain than for these {runs} or these cases "
    "alone. Hand-tuned variants are no sample."
)
_NEW_TRAININGS = {
    "fixed": "The conclusions concern these {n} trainings of each algorithm, averaged, "
    "on cases like these. New trainings may differ.",
    "sampled": "The conclusions concern new trainings of these algorithms, like these "
    "{n}, on new cases. They are never more certain than for these trainings or these "
    "cases alone.",
}
_FIXED = (
    "The conclusions concern new answers of these algorithms to these {n} cases. They "
    "do not extend to other cases."
)
_BY_ANSWERS = (
    "Pairs are compared by the spread of the answers to each case: the cases are "
    "fixed, and their answers are drawn anew."
)
_INDEPENDENT_ANSWERS = (
    "Answers to a case are assumed to be drawn independently. Clusters of cases do not "
    "enter, because the cases are fixed."
)
_NOT_SEPARATED = (
    "Each case has one answer, so these cases cannot be separated from cases "
    "like these: an interval for these cases would be as wide at most."
)
_DRAWN_ANEW = "Runs are answers drawn anew for each case, as specified."
_UNEQUALLY_DRAWN = (
    "The mean of a case with fewer answers is less precise. The standard errors "
    "include this, because they are estimated from the differences of the cases' means."
)
_SHARED = "All cases have the same {n} {runs}, as specified."
_BY_T = "Pairs are compared by paired t tests over cases, each with its own variance."
_WITHOUT_FLIPS = (CrossedPairsResult, TheseItemsResult)
_MOST_NAMED = 8
"""Benchmarks whose weights one sentence names."""
_COUNTS = ["algorithm_1", "algorithm_2", "only_1", "only_2", "n_effective"]
_ODDS = ["algorithm_1", "algorithm_2", "only_1", "only_2"]
_ODDS += ["odds_ratio", "odds_low", "odds_high"]


class CasesReport(AnalysisReport[CaseAnalysis]):
    """Blocks are cases (items) of one test set."""

    drawn = "flips of signs"

    def plan(self) -> list[str]:
        """Return the plan in words."""
        plan = self.comparison.plan
        by = f"The primary analysis adjusts pairs by {described(plan.adjust[0]).title}."
        return [
            *dict.fromkeys(map(_blocks_are, self.analyses)),
            *self._runs_are(),
            *self._tests(),
            words.ONE_PAIR if self.comparison.scores.n_algorithms == 2 else by,
            words.gate(plan.gate),
            words.as_it_stands(self.comparison),
        ]

    def _runs_are(self) -> list[str]:
        """Describe several runs of the cases."""
        plan, labels = self.comparison.plan, self.comparison.scores.replicates
        if labels is None:
            return []
        shared = _SHARED.format(n=len(labels), runs=plan.runs)
        fewest, most = self.comparison.scores.runs_per_cell
        told = [shared if plan.crosses_runs else _DRAWN_ANEW]
        return [*told, _UNEQUALLY_DRAWN] if fewest < most else told

    def _tests(self) -> list[str]:
        """Return how pairs are compared, in each metric if they differ in that."""
        told: dict[str, list[str]] = {}
        for analysis in self.analyses:
            how = _test_of(analysis, str(self.comparison.plan.runs))
            told.setdefault(how, []).append(analysis.metric.name)
        if len(told) == 1:
            return list(told)
        return [f"In {wording.listing(names)}: {how}" for how, names in told.items()]

    def methods(self) -> Iterator[Method]:
        """Yield the comparisons of the plan with error rates and sources."""
        for analysis in self.analyses:
            yield of_test(analysis.omnibus, self.comparison.plan, CASES)
            first = analysis.decisive
            if not is_alone(first):
                yield wording.begun(first.method), words.EACH, first.reference
            for pairs in analysis.pairs:
                yield of_method(pairs, self.comparison.plan, CASES)

    def scope(self) -> list[str]:
        """Return the scope of the conclusions, and its limits."""
        weighted = self.analyses[0].weighted
        scope, benchmark = _SCOPE, self.analyses[0].benchmark
        if benchmark is not None and benchmark.of_groups:
            scope = _GROUPS_SCOPE.format(n=benchmark.n_groups)
        if weighted is not None:
            shown = _weights(weighted.benchmarks)
            n = len(weighted.benchmarks)
            rule = self.comparison.plan.weights
            how = _WEIGHTED.get(rule) if isinstance(rule, str) else None
            scope = _WEIGHTED_SCOPE.format(
                n=n, weighted=how or "weighted as declared", weights=shown
            )
        plan, labels = self.comparison.plan, self.comparison.scores.replicates
        if plan.runs_scope is not None and labels is not None:
            shared = _SHARED_FIXED if plan.runs_scope == "fixed" else _SHARED_SAMPLED
            if plan.runs == "trainings":
                shared = _NEW_TRAININGS[plan.runs_scope]
            scope = shared.format(n=len(labels), runs=plan.runs)
        if plan.items_scope == "fixed":
            scope = _FIXED.format(n=self.analyses[0].n_cases)
        return [*words.gaps(self.comparison.scores), scope]

    def limits(self) -> list[str]:
        """Return the assumptions and limits of the analysis."""
        clustered = self.comparison.scores.clusters is not None
        fixed = self.comparison.plan.items_scope == "fixed"
        assumed = _CLUSTERS if clustered else _INDEPENDENT
        return [
            _INDEPENDENT_ANSWERS if fixed else assumed,
            *words.adjustment_limits(self.comparison),
            *words.doubts(self.comparison.compared),
            *self._one_answer(),
            words.NOT_EQUALITY,
        ]

    def _one_answer(self) -> list[str]:
        """Return that just these cases have no interval, if each has one answer."""
        several = self.comparison.scores.replicates is not None
        never = self.comparison.plan.answers == "deterministic"
        return [] if several or never else [_NOT_SEPARATED]

    def outcome(self, analysis: CaseAnalysis) -> Outcome:
        """Return the facts about the primary analysis of one metric."""
        decisive = analysis.decisive
        means = decisive.positions * (1 if decisive.lower_is_better else -1)
        outcome = of_means(analysis, self.comparison, means, decisive)
        if analysis.weighted is None:
            return outcome
        return replace(outcome, quantity=f"weighted {outcome.quantity}")

    def remarks(self, analysis: CaseAnalysis) -> Iterator[str]:
        """Yield notes and warnings."""
        means = () if analysis.weighted is None else analysis.weighted.notes
        notes = dict.fromkeys((*analysis.decisive.notes, *means))
        if analysis.challenge is not None:
            yield from challenge_report.remarks(analysis.challenge)
        yield from map(wording.sentence, notes)
        yield from words.at_odds(analysis, analysis.omnibus, self.alpha)

    def alternatives(self, analysis: CaseAnalysis) -> Iterator[SensitivityAnalysis]:
        """Yield the other methods of the plan."""
        if len(analysis.decisions) > 1 or analysis.joint:
            yield from self.other_pairs(analysis)
        # In a larger family their adjusted p-values cannot be compared.
        if analysis.benchmark is not None and not analysis.joint:
            yield from benchmark_report.alternatives(analysis.benchmark, self.alpha)
        if analysis.scopes is not None and not analysis.joint:
            yield from benchmark_report.alternatives(analysis.scopes, self.alpha)

    def sentences(self, analysis: CaseAnalysis) -> list[str]:
        """Return everything that is stated about one metric, in words."""
        told, outcome = super().sentences(analysis), self.statements(analysis).outcome
        beside = analysis.benchmark or analysis.scopes
        if analysis.challenge is not None:
            told = [challenge_report.first(analysis.challenge), *told]
        if beside is None or outcome is None:
            return told
        return [*told, *benchmark_report.sentences(outcome, beside)]

    def result(self, analysis: CaseAnalysis, prefix: str) -> PageResult:
        """Return everything about one metric."""
        result, outcome = super().result(analysis, prefix), self.facts(analysis)
        if analysis.challenge is not None:
            lead = challenge_report.first(analysis.challenge)
            result = replace(result, answer=doc.joined(lead, result.answer))
        if analysis.benchmark is not None:
            beside = benchmark_report.answers(outcome, analysis.benchmark)
            return replace(result, beside=beside)
        if analysis.scopes is None:
            return result
        beside = benchmark_report.answers(outcome, analysis.scopes, "scopes")
        return replace(result, beside=beside)

    def blocks(self, analysis: CaseAnalysis) -> Iterator[Block]:
        """Yield pairs, accuracies and the omnibus test."""
        if analysis.challenge is not None:
            yield from challenge_report.tables(analysis.challenge)
        yield section("Pairwise comparisons", build.pairs(analysis, self.alpha))
        test = build.tests("Omnibus test.", (analysis.omnibus,))
        yield fold("Omnibus test", test)
        details = fold(
            "Accuracies and discordant cases",
            _accuracies(analysis),
            _discordant(analysis),
        )
        if details.blocks:
            yield details
        if analysis.weighted is not None:
            yield section("Weighted means", _weighted(analysis, analysis.weighted))
        if analysis.scopes is not None and analysis.scopes.means is not None:
            yield fold("Cases and answers", *item_report.tables(analysis))
        if analysis.benchmark is not None:
            yield section(
                "Groups",
                benchmark_report.groups(analysis, analysis.benchmark),
                benchmark_report.notes(analysis.benchmark),
            )

    def figures(self, analysis: CaseAnalysis) -> Iterator[Figure]:
        """Yield the figures of one metric; the first shows the conclusion."""
        n = counted(analysis.n_cases, "case")
        if analysis.n_clusters is not None:
            n += f" in {counted(analysis.n_clusters, 'cluster')}"
        weighted = analysis.weighted is not None
        mean = "Weighted mean" if weighted else "Mean"
        what = f"{mean} {wording.direction(analysis.metric)}, {n}"
        shown = self.shown(analysis.decisive, what)
        if analysis.challenge is not None:
            yield from challenge_report.figures(analysis.challenge, what)
        if is_alone(analysis.decisive):
            yield from figures.differences(shown)
            return
        ranked = self.ranks(analysis)
        if ranked is not None:
            yield ranks.intervals(ranked, shown, self.comparison.claim(ranked))
        # Pictures of blocks would pool the benchmarks, cases of sampled prompts are not
        # independent, and fixed cases are no sample.
        drawn_cases = not isinstance(analysis.decisive, _WITHOUT_FLIPS)
        yield from item_report.figures(analysis)
        if not weighted and drawn_cases:
            yield from figures.chances(shown, self.comparison.compared, analysis.metric)

    def csv_tables(self, analysis: CaseAnalysis) -> dict[str, AnyTable]:
        """Return the tables of one metric for CSV files, full precision."""
        odds, shares = _odds(analysis), _shares(analysis)
        return build.frames(
            omnibus=analysis.omnibus,
            pairs=analysis.pairs_table(),
            accuracies=analysis.accuracies,
            odds_ratios=None if odds is None else odds.only(_ODDS),
            discordant=None if shares is None else shares.as_columns().only(_COUNTS),
            **(
                {}
                if analysis.challenge is None
                else challenge_report.csv_tables(analysis.challenge)
            ),
            **_weighted_frames(analysis),
            **item_report.csv_tables(analysis),
            **(
                {}
                if analysis.benchmark is None
                else benchmark_report.csv_tables(analysis.benchmark)
            ),
        )


def _blocks_are(analysis: CaseAnalysis) -> str:
    if analysis.weighted is None:
        return "Blocks are cases (items) of one test set, as specified."
    n = len(analysis.weighted.benchmarks)
    return f"Blocks are cases (items) of {n} benchmarks, as specified."


def _test_of(analysis: CaseAnalysis, runs: str) -> str:
    """Return how pairs of one metric are compared; ``runs``: the names of the runs."""
    if isinstance(analysis.decisive, CrossedPairsResult):
        return _BY_CROSSED.format(runs=runs)
    if isinstance(analysis.decisive, TheseItemsResult):
        return _BY_ANSWERS
    clustered = analysis.n_clusters is not None
    if analysis.weighted is not None:
        return _BY_WEIGHTS.format(clusters=" (CR2, by clusters)" * clustered)
    shares = _shares(analysis)
    if shares is not None:
        units = "clusters" if clustered else "runs"
        effective = shares.p_source == "effective-size"
        size = _EFFECTIVE.format(units=units) if effective else ""
        return _BY_SCORES.format(size=size)
    if analysis.binary:
        return _BY_MCNEMAR
    return _BY_CLUSTERS if clustered else _BY_T


def _weighted_frames(analysis: CaseAnalysis) -> dict[str, AnyTable]:
    """Return the tables of weighted means for CSV files."""
    if analysis.weighted is None:
        return {}
    means = analysis.weighted
    return {"weighted_means": means.as_columns(), "benchmarks": means.benchmarks}


def _weights(benchmarks: pd.DataFrame) -> str:
    """Return the benchmarks with their weights in words."""
    rows = benchmarks.head(_MOST_NAMED).itertuples()
    weights = [f"{row.benchmark} {number(row.weight, 3)}" for row in rows]
    more = len(benchmarks) - _MOST_NAMED
    return ", ".join(weights) + (
        f" and {more} more (see the table)" if more > 0 else ""
    )


def _weighted(analysis: CaseAnalysis, means: WeightedMeans) -> Table:
    """Return the weighted mean of each algorithm."""
    name = analysis.metric.name
    return build.table(
        f"Weighted mean {name} of each algorithm with its individual t interval. "
        f"Overlapping intervals are not a test.",
        _best_first(means, analysis),
        Field("Algorithm", "label", "algorithm"),
        Field(f"weighted mean {name}", "number", "estimate", digits=4),
        build.ci(means.level),
        Field("standard error", "number", "std_error", digits=4),
        build.DF,
        file="weighted_means",
    )


def _best_first(means: Result, analysis: CaseAnalysis) -> Columns:
    """Return the mean of each algorithm, the best first."""
    higher = analysis.metric.better == "higher"
    return means.as_columns().sorted_by("estimate", descending=higher)


def _accuracies(analysis: CaseAnalysis) -> Table | None:
    accuracies = analysis.accuracies
    if accuracies is None:
        return None
    return build.table(
        f"Mean {accuracies.metric} of each algorithm with its individual Wilson "
        f"interval. Overlapping intervals are not a test."
        + "".join(f" {wording.sentence(note)}" for note in accuracies.notes),
        _best_first(accuracies, analysis),
        Field("Algorithm", "label", "algorithm"),
        Field(accuracies.metric, "number", "estimate", digits=4),
        build.ci(accuracies.level),
        Field("ones", "count", "ones"),
        Field("cases", "count", "n"),
        file="accuracies",
    )


def _shares(analysis: CaseAnalysis) -> SharePairsResult | None:
    """Return the score tests of pairs, if any were made."""
    shares = (p for p in analysis.pairs if isinstance(p, SharePairsResult))
    return next(shares, None)


def _odds(analysis: CaseAnalysis) -> Columns | None:
    """Return the pairs with the odds ratio of their discordant cases, if any have."""
    tables = (pairs.as_columns() for pairs in analysis.pairs)
    return next((table for table in tables if "odds_ratio" in table), None)


def _discordant(analysis: CaseAnalysis) -> Table | None:
    """Return the cases on which two algorithms differ, and their odds ratio."""
    level, table = percent(analysis.decisive.level), _odds(analysis)
    if table is None:
        return _wins_and_losses(_shares(analysis))
    return build.table(
        f"Cases on which only the first, or only the second, has 1; their ratio, the "
        f"conditional odds ratio, with {level} intervals of the same test, each.",
        table,
        PAIR,
        Field("only first", "count", "only_1"),
        Field("only second", "count", "only_2"),
        Field("odds ratio", "number", "odds_ratio"),
        Field(f"{level} CI", "interval", lambda row: (row.odds_low, row.odds_high)),
        file="odds_ratios",
    )


def _wins_and_losses(shares: SharePairsResult | None) -> Table | None:
    """Return what one of two algorithms alone answers right, and the size behind it."""
    if shares is None:
        return None
    if shares.p_source != "effective-size":
        return build.table(
            "Cases on which only the first, or only the second, has 1.",
            shares.as_columns(),
            PAIR,
            Field("only first", "count", "only_1"),
            Field("only second", "count", "only_2"),
            file="discordant",
        )
    return build.table(
        "Sums over cases of the mean differences in favour of the first, and of the "
        "second; number of independent cases with one answer that would have the same "
        "standard error.",
        shares.as_columns(),
        PAIR,
        Field("first ahead", "number", "only_1"),
        Field("second ahead", "number", "only_2"),
        Field("effective cases", "number", "n_effective"),
        file="discordant",
    )
