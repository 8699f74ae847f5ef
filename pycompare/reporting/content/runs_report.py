"""Runs within blocks as a page reports them: sentences, tables, CSV files."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pycompare.base.formatting.numbers import number
from pycompare.base.tables import AnyTable, Columns, stacked
from pycompare.designs.analysis import Analysis
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.plans.data_rules import answers_are_right_or_wrong
from pycompare.designs.replicates import RunsWithin
from pycompare.reporting.content import build, wording
from pycompare.reporting.content.build import Field, Method, limits_of, of_test, table
from pycompare.reporting.content.facts import stated
from pycompare.reporting.content.wording import sentence, test_result
from pycompare.reporting.document import Block, Paragraph, Table, fold
from pycompare.results.guarantees import FOLDS, MEASURED, OUTSIDE
from pycompare.results.result import Test, rejected

if TYPE_CHECKING:
    from pycompare.methods.linear.clustered_runs import ClusteredRuns
    from pycompare.methods.linear.replicated_anova import ReplicatedAnova

_AVERAGED = (
    "Each algorithm has {n} runs on each block. As specified (replicates = average), "
    "the score of a cell is the mean of its runs; runs are not analysed further."
)
_UNEQUAL = (
    "Each algorithm has {fewest} to {most} runs on each block. As specified "
    "(replicates = average), the score of a cell is the mean of its own runs; runs are "
    "not analysed further."
)
_KEPT = (
    "Each algorithm has {n} runs on each block. The primary analysis uses the mean of "
    "each cell's runs, because runs are not further blocks. As specified (replicates = "
    "keep), the runs are also analysed separately."
)
_CONSERVATIVE = (
    "The correction for shared training data treats the whole variance of a fold's "
    "mean difference as shared. Run noise is not shared, so with much of it the "
    "correction is too large."
)
_NESTED = (
    "Runs are assumed to be independent draws within their algorithm and block, on the "
    "same training and test set. Repetitions that divide the cases anew are blocks, "
    "not runs."
)
_NESTED_IN_CLUSTERS = (
    "Runs are assumed to be independent draws within their algorithm and case, and "
    "components of variance treat clusters as a sample of clusters."
)
_NO_STRATA = (
    "The runs have no analysis of variance, because scores of different data sets have "
    "no common unit."
)
MOST_DETAILS = 100
"""Data sets with details on the page; with more only the CSV files have them."""
_END = ", within these blocks"
_IN_FILES = Paragraph(
    "Strata, components and standard errors of each data set are in",
    files=("runs_strata", "runs_components", "runs_planning"),
)
_NO_MODEL = (
    "The tests of this analysis of variance assume equal variances, which right and "
    "wrong answers do not have: their p-values are approximate. The estimates of "
    "components need no such assumption."
)


_IN_CLUSTERS = {
    "cluster": "cluster",
    "case": "case within cluster",
    "algorithm": "algorithm",
    "cluster:algorithm": "algorithm × cluster",
    "case:algorithm": "algorithm × case within cluster",
    "run": "run within case",
    "": "",
}
"""Names of the terms of cases in clusters."""


def _names(unit: str) -> dict[str, str]:
    """Return the page's names of the terms; ``unit``: fold or case."""
    return {
        "block": unit,
        "algorithm": "algorithm",
        "block:algorithm": f"algorithm × {unit}",
        "run": "run within both",
        "": "",
    }


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return the treatment of runs, if there are any."""
    labels = comparison.scores.replicates
    if labels is None:
        return []
    text = _KEPT if comparison.plan.replicates == "keep" else _AVERAGED
    fewest, most = comparison.scores.runs_per_cell
    if fewest == most:
        return [stated(text, n=len(labels))]
    return [stated(_UNEQUAL, fewest=fewest, most=most)]


def limits(comparison: GroupComparison) -> list[str]:
    """Return the assumptions of the analysis of runs."""
    if comparison.scores.replicates is None:
        return []
    if comparison.scores.clusters is not None:
        return [_NESTED_IN_CLUSTERS]
    return [_NESTED, *[_CONSERVATIVE] * (comparison.plan.test_train_ratio is not None)]


def method_rows(comparison: GroupComparison) -> list[Method]:
    """Return the methods of runs, with their sources."""
    runs = [runs for analysis in comparison.analyses for runs in analysis.runs]
    if not runs:
        return []
    strata, ranks = runs[0].strata, runs[0].ranks
    title, of_all = "Analysis of variance of runs", "Mack-Skillings test of all runs"
    rows = [] if strata is None else [(title, OUTSIDE, strata.reference)]
    if ranks is not None:
        of_ranks = of_test(ranks, comparison.plan, FOLDS, of_all, _END)
        rows.append(of_ranks)
    return rows


def blocks(comparison: GroupComparison, analysis: Analysis) -> Iterator[Block]:
    """Yield the analysis of runs of one metric, folded, and of each data set."""
    alpha, runs = comparison.plan.alpha, analysis.runs
    if not runs:
        return
    if len(runs) == 1 and runs[0].dataset is None:
        name = analysis.metric.name
        right = answers_are_right_or_wrong(comparison.scores, (name,))
        told = _of_table(analysis, runs[0], alpha, right_or_wrong=right)
        yield fold(f"Runs within {runs[0].unit}s", *told)
        return
    each: list[Block] = [_IN_FILES]
    if len(runs) <= MOST_DETAILS:
        each = [
            fold(
                f"Runs within folds of {within.dataset}",
                *_of_table(analysis, within, alpha),
            )
            for within in runs
        ]
    title = "Runs within folds, data set by data set"
    yield fold(title, _over_datasets(analysis), *each)


def _of_table(
    analysis: Analysis, runs: RunsWithin, alpha: float, *, right_or_wrong: bool = False
) -> Iterator[Block]:
    """Yield the results of the runs of one table of scores."""
    from pycompare.methods.linear.clustered_runs import ClusteredRuns
    from pycompare.methods.linear.replicated_anova import of_answers

    strata, unit = runs.strata, runs.unit
    if strata is None:
        yield Paragraph(_NO_STRATA)
    else:
        metric = analysis.metric.name
        if isinstance(strata, ClusteredRuns):
            told, tables = _of_clusters(strata, alpha), _cluster_tables(metric, strata)
        else:
            told, tables = findings(strata, alpha, unit), _tables(metric, strata, unit)
        yield Paragraph(" ".join(told))
        if right_or_wrong:
            short = () if isinstance(strata, ClusteredRuns) else of_answers(strata.runs)
            yield Paragraph(" ".join([_NO_MODEL, *map(sentence, short)]))
        yield from tables
    if runs.ranks is not None:
        yield build.tests(
            f"All runs of a block ranked together ({analysis.metric.name}). This is "
            f"not the question of the primary analysis.",
            [runs.ranks],
        )


def _of_clusters(strata: ClusteredRuns, alpha: float) -> Iterator[str]:
    """Yield the results of the strata of clusters, cases and runs, in sentences."""
    yield _changes(strata, alpha, "cluster", "differences between its cases")
    yield _changes(strata.of_cases, alpha, "case", "run noise")
    shares = list(strata.shares().values())
    if not math.isnan(shares[0]):
        clusters, cases, runs = (f"{100 * share:.0f}%" for share in shares)
        yield (
            f"Of the variance of a mean difference, {clusters} comes from clusters, "
            f"{cases} from cases within clusters and {runs} from runs. More runs "
            f"remove at most the last part, more cases in each cluster at most the "
            f"last two; the rest takes more clusters."
        )


def findings(strata: ReplicatedAnova, alpha: float, unit: str) -> Iterator[str]:
    """Yield the results of the strata, in sentences."""
    share = strata.run_share
    yield _changes(strata.interaction, alpha, unit, "run noise")
    if not math.isnan(share.conf_low):
        yield (
            f"The share of run noise in the variance of a mean difference is "
            f"{wording.value(share.estimate)} ({wording.ci(share)}). More runs "
            f"remove at most that share; the rest takes more {unit}s."
        )


def _changes(test: Test, alpha: float, unit: str, noise: str) -> str:
    """Return whether differences change from unit to unit by more than noise."""
    shown = f"(interaction: {test_result(test, alpha)})"
    if math.isnan(test.p_value):
        return sentence(test.notes[0])
    if rejected(test.p_value, alpha):
        return (
            f"Differences between algorithms change from {unit} to {unit} by more "
            f"than {noise} {shown}."
        )
    return (
        f"No significant change of differences from {unit} to {unit} beyond {noise} "
        f"{shown}. This does not show that there is none."
    )


def _tables(metric: str, strata: ReplicatedAnova, unit: str) -> Iterator[Table]:
    """Yield strata, components of variance and standard errors for other numbers."""
    names = _names(unit)
    yield _strata_table(
        f"Analysis of variance of all runs of {metric}: {strata.n_blocks} {unit}s, "
        f"{strata.n_runs} runs in each cell ({strata.reference}). The error of the "
        f"algorithms is algorithm × {unit}, so their F is that of the cell means.",
        strata,
        names,
    )
    yield table(
        f"Components of the variance of one run's {metric} (ANOVA estimates, {unit}s "
        f"random). Negative estimates are set to 0. Intervals assume normal scores. "
        + sentence(MEASURED["replicated_anova, skewed runs"].text),
        strata.components,
        Field("Component", "label", lambda row: names[str(row.component)]),
        _VARIANCE,
        build.ci(strata.level),
        _DEVIATION,
        Field("interval method", "text", lambda row: str(row.method)),
    )
    yield table(
        f"For planning a study: standard error of a mean difference in {metric} with "
        f"other numbers of {unit}s and runs (here: {number(strata.std_error)}). "
        f"{unit.capitalize()}s are assumed independent.",
        strata.planning,
        Field(f"{unit.capitalize()}s", "label", lambda row: _count(row.n_blocks)),
        _RUNS,
        _ERROR,
    )


def _cluster_tables(metric: str, strata: ClusteredRuns) -> Iterator[Table]:
    """Yield the same tables for cases in clusters."""
    yield _strata_table(
        f"Analysis of variance of all runs of {metric}: {strata.n_cases} cases in "
        f"{strata.n_clusters} clusters, {strata.n_runs} runs in each cell "
        f"({strata.reference}). Algorithms are compared by the primary analysis.",
        strata,
        _IN_CLUSTERS,
    )
    yield table(
        f"Components of the variance of one run's {metric} (estimates by moments, "
        f"clusters and cases random). Negative estimates are 0.",
        strata.components,
        Field("Component", "label", lambda row: _IN_CLUSTERS[str(row.component)]),
        _VARIANCE,
        _DEVIATION,
        Field("share in the variance of a difference", "number", "share"),
    )
    yield table(
        f"For planning a study: standard error of a mean difference in {metric} with "
        f"other numbers of clusters, cases and runs. Clusters are assumed independent, "
        f"with relative sizes as here. The first row is this study; its tests use each "
        f"pair's own standard error.",
        strata.planning,
        Field("Clusters", "label", lambda row: _count(row.n_clusters)),
        Field("cases in a cluster, mean", "digits", lambda row: _count(row.n_cases)),
        _RUNS,
        _ERROR,
    )


def _strata_table(
    caption: str, strata: ReplicatedAnova | ClusteredRuns, names: Mapping[str, str]
) -> Table:
    return build.anova(
        caption,
        strata,
        names,
        lambda row: bool(row.error),
        Field("error term", "text", lambda row: names[str(row.error)]),
    )


def _count(n: float) -> str:
    """Return a number of blocks or runs, or a mean of counts with one decimal."""
    if math.isinf(n):
        return "∞"
    return f"{n:.0f}" if n == round(n) else f"{n:.1f}"


_VARIANCE = Field("variance", "number", "estimate", digits=4)
_DEVIATION = Field("standard deviation", "number", "std_dev", digits=4)
_RUNS = Field("runs in each cell", "digits", lambda row: _count(row.n_runs))
_ERROR = Field("standard error", "number", "std_error", digits=4)


def _over_datasets(analysis: Analysis) -> Table:
    """Return one row per data set: what runs and the interaction add."""
    from pycompare.methods.linear.replicated_anova import ReplicatedAnova

    known = [
        (within, within.strata)
        for within in analysis.runs
        if isinstance(within.strata, ReplicatedAnova)
    ]

    def deviation(component: str) -> Field:
        title = f"sd {_names('fold')[component]}"

        def of(row: tuple[RunsWithin, ReplicatedAnova]) -> float:
            parts = row[1].components.set_index("component")["std_dev"]
            return float(parts[component])

        return Field(title, "number", of)

    return table(
        f"Runs of {analysis.metric.name} on each data set. p: interaction of algorithm "
        f"and fold, beyond run noise, not adjusted over data sets. p of all runs: Mack "
        f"and Skillings' test.",
        known,
        Field("Data set", "label", lambda row: str(row[0].dataset)),
        Field("p", "p", lambda row: row[1].interaction.p_value),
        Field("F", "number", lambda row: row[1].interaction.statistic),
        Field("share of run noise", "number", lambda row: row[1].run_share.estimate),
        Field("CI of the share", "interval", lambda row: limits_of(row[1].run_share)),
        deviation("block:algorithm"),
        deviation("run"),
        Field("folds", "count", lambda row: row[1].n_blocks),
        Field("runs", "count", lambda row: row[1].n_runs),
        Field("p of all runs", "p", lambda row: row[0].ranks.p_value),
    )


def csv_tables(analysis: Analysis) -> dict[str, AnyTable]:
    """Return the tables of runs for CSV files, full precision."""
    if not analysis.runs:
        return {}
    from pycompare.methods.linear.clustered_runs import ClusteredRuns

    tables: dict[str, list[Columns]] = {}
    for runs in analysis.runs:
        own: dict[str, Any] = build.frames(mack_skillings=runs.ranks)
        strata = runs.strata
        if strata is not None:
            own |= build.frames(
                strata=strata,
                components=strata.components,
                share=None if isinstance(strata, ClusteredRuns) else strata.run_share,
                planning=strata.planning,
            )
        head = {} if runs.dataset is None else {"dataset": runs.dataset}
        for name, given in own.items():
            columns = Columns(head | dict(Columns.of(given).items()))
            tables.setdefault(f"runs_{name}", []).append(columns)
    return {name: stacked(parts) for name, parts in tables.items()}
