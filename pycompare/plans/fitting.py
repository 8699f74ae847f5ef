"""What a plan may not ask of the scores at hand: one rule a function."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from pycompare.data.labels import nearest
from pycompare.data.missing import MEANS_OF_SOME_FOLDS
from pycompare.data.scores import Scores
from pycompare.plans.keys import Rule, rule

if TYPE_CHECKING:
    from pycompare.plans.plan import Plan

FITS: list[Rule] = []
"""Each takes a plan and scores and returns what is wrong and what to do, or None."""


@rule(FITS, "metrics")
def metrics_that_are_not_there(plan: Plan, scores: Scores) -> str | None:
    """Refuse metrics that these scores do not have."""
    names = [metric.name for metric in scores.metrics]
    absent = [name for name in plan.metrics if name not in names]
    if not absent:
        return None
    told = "; ".join(
        f"there is no metric {name!r}{nearest(name, names)}" for name in absent
    )
    return f"{told}; metrics: {', '.join(map(repr, names))}"


@rule(FITS, "control")
def control_that_is_not_there(plan: Plan, scores: Scores) -> str | None:
    """Refuse a control that is no algorithm."""
    if plan.control is None or plan.control in scores.algorithms:
        return None
    return (
        f"control {plan.control!r} is not an algorithm"
        f"{nearest(plan.control, scores.algorithms)}; there are "
        f"{', '.join(map(repr, scores.algorithms))}"
    )


@rule(FITS, "blocks", "average_folds")
def folds_of_several_data_sets(plan: Plan, scores: Scores) -> str | None:
    """Refuse folds of several data sets as blocks."""
    names, n = set(scores.datasets or ()), len(scores.blocks)
    blocks = plan.blocks_of(scores)
    dependent = blocks == "folds" or len(names) < n
    kept = plan.average_folds or blocks == "folds-of-datasets"
    if kept or len(names) < 2 or not dependent:
        return None
    return (
        f"{len(names)} data sets with {n} folds: folds of one data set are not "
        f"independent blocks for a test over data sets; say blocks='folds-of-datasets' "
        f"to analyse each data set and compare over them, or average_folds=True to "
        f"rank each data set's mean alone"
    )


@rule(FITS, "blocks")
def folds_without_data_sets(plan: Plan, scores: Scores) -> str | None:
    """Refuse too few data sets, or folds, for tests within and over data sets."""
    if plan.blocks_of(scores) != "folds-of-datasets":
        return None
    counts = Counter(scores.datasets or ())
    if len(counts) < 2:
        return (
            "blocks='folds-of-datasets' needs two data sets or more, named by a column "
            "of their own (dataset=...)"
        )
    alone = [name for name, n in counts.items() if n == 1]
    if not alone:
        return None
    return (
        f"{len(alone)} data sets have one fold only, first {alone[0]!r}, and no test "
        f"within one fold can be made: leave them out, or say average_folds=True to "
        f"rank each data set's mean"
    )


@rule(FITS, "blocks")
def folds_with_gaps(plan: Plan, scores: Scores) -> str | None:
    """Refuse folds of several data sets of which some lack a score."""
    if plan.blocks_of(scores) != "folds-of-datasets" or not gaps(plan, scores):
        return None
    return (
        "folds of several data sets need every algorithm on every fold: "
        f"{MEANS_OF_SOME_FOLDS}"
    )


@rule(FITS, "blocks", "average_folds")
def one_data_set_for_all(plan: Plan, scores: Scores) -> str | None:
    """Refuse one data set where the plan needs many."""
    names = set(scores.datasets or ())
    if plan.average_folds and len(names) < 2:
        return (
            "average_folds needs at least two data sets, named by a column of their "
            "own (dataset=...); leave it out to compare over the blocks"
        )
    if plan.blocks != "datasets" or len(names) != 1:
        return None
    return (
        f"blocks='datasets', and the data set column holds one, {names.pop()!r}, for "
        f"all {len(scores.blocks)} blocks: say blocks='folds', or leave the data set "
        f"column out if each block is a data set"
    )


@rule(FITS, "average_folds")
def means_of_some_folds(plan: Plan, scores: Scores) -> str | None:
    """Refuse means over folds of which some have no score."""
    if not plan.average_folds or scores.complete:
        return None
    return f"average_folds needs every fold of every data set: {MEANS_OF_SOME_FOLDS}"


@rule(FITS, "cost_ratio", "metrics")
def costs_of_counts_that_are_not_there(plan: Plan, scores: Scores) -> str | None:
    """Refuse a cost ratio without counts of false positives and negatives."""
    if plan.cost_ratio is None:
        return None
    names = [metric.name.casefold() for metric in scores.metrics]
    if len(plan.metrics or names) > 1 and all(names.count(n) == 1 for n in FALSE):
        return None
    return (
        "cost_ratio needs two metrics or more, and the counts 'fp' and 'fn' among "
        f"those that were read: {', '.join(m.name for m in scores.metrics)}"
    )


FALSE = ("fp", "fn")


@rule(FITS, "margin")
def margin_for_more_than_one_pair(plan: Plan, scores: Scores) -> str | None:
    """Refuse a margin for more than two algorithms or one metric."""
    n_metrics = len(plan.metrics or scores.metrics)
    if plan.margin is None or (scores.n_algorithms == 2 and n_metrics == 1):
        return None
    return (
        f"margin is for two algorithms and one metric, in its unit; there are "
        f"{scores.n_algorithms} algorithms and {n_metrics} metrics: choose them, or "
        f"leave the margin out"
    )


@rule(FITS, "decimals")
def decimals_without_ranks(plan: Plan, scores: Scores) -> str | None:
    """Refuse to round scores that are not ranked."""
    if plan.decimals is None or scores.n_algorithms > 2:
        return None
    if plan.blocks_of(scores) == "datasets":
        return None
    return (
        "decimals rounds scores before they are ranked; two algorithms on folds are "
        "compared by their differences: leave it out, or round the scores"
    )


@rule(FITS, "blocks")
def two_with_gaps(plan: Plan, scores: Scores) -> str | None:
    """Refuse folds that lack one of two algorithms."""
    missing = gaps(plan, scores)
    if not missing or not two_on_folds(plan, scores):
        return None
    name, count = next(iter(missing.items()))
    return (
        f"{count} cells of {name!r} are missing: a fold that lacks one of two "
        "algorithms says nothing about their difference; read the scores with "
        'missing="drop-block"'
    )


@rule(FITS, "p_values")
def exact_with_gaps(plan: Plan, scores: Scores) -> str | None:
    """Refuse exact p-values of ranks where cells are missing."""
    missing = gaps(plan, scores)
    if plan.p_values != "exact" or not missing or two_on_folds(plan, scores):
        return None
    return (
        f"exact p-values need a complete table, cells of {next(iter(missing))!r} are "
        'missing; use p_values="by-size", or read the scores with missing="drop-block"'
    )


@rule(FITS, "together", "metrics")
def too_few_folds_for_all_metrics(plan: Plan, scores: Scores) -> str | None:
    """Refuse a required multivariate analysis that cannot be."""
    blocks = plan.blocks_of(scores)
    if plan.together != "required" or blocks == "datasets":
        return None
    p, a, n = len(plan.metrics or scores.metrics), scores.n_algorithms, scores.n_blocks
    if p < 2:
        return "together='required' needs at least two metrics; there is one"
    # A cell counts where all metrics have a score; T2 of pairs has n - 1 degrees.
    cells = int((~np.isnan(scores.values).any(axis=2)).sum())
    if blocks == "folds-of-datasets":
        n = len(set(scores.datasets or ()))
        cells = n * a
    df = cells - a - n + 1
    if min(df, n - 1) >= p:
        return None
    what = "folds" if blocks == "folds" else "data sets"
    return (
        f"together='required': {n} {what} of {a} algorithms leave {df} degrees of "
        f"freedom of error ({n - 1} for each pair), fewer than the {p} metrics; plan "
        f"fewer metrics or more folds, or say together='if-possible'"
    )


def two_on_folds(plan: Plan, scores: Scores) -> bool:
    """Tell whether the road is that of two algorithms on folds."""
    return scores.n_algorithms == 2 and plan.blocks_of(scores) == "folds"


def gaps(plan: Plan, scores: Scores) -> dict[str, int]:
    """Return how many cells have no score, of the planned metrics that have such."""
    counts = np.isnan(scores.values).sum(axis=(0, 1)).tolist()
    names = [metric.name for metric in scores.metrics]
    wanted = plan.metrics or tuple(names)
    found = dict(zip(names, counts, strict=True))
    return {name: n for name, n in found.items() if n and name in wanted}
