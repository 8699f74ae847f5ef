"""What margins need of the scores that they are for: one rule per function."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pycompare.base.errors import setting
from pycompare.base.labels import nearest, show_all
from pycompare.data.reading.worst import known_range
from pycompare.data.scores import Scores
from pycompare.designs.plans.data_rules import (
    answers_are_right_or_wrong,
    gaps,
    right_or_wrong,
)
from pycompare.designs.plans.fields import PlanFields
from pycompare.designs.plans.keys import PlanRule, rule
from pycompare.designs.plans.related_rules import relates
from pycompare.designs.quantity import TYPICAL_DIFFERENCE
from pycompare.methods.pairs.equivalence import too_few_units


def range_of_scores(
    plan: PlanFields, scores: Scores, metric: str
) -> tuple[float, float] | None:
    """Return the lowest and the highest score that a metric can have.

    As planned; else as the name of the metric implies, if both are finite and hold the
    scores. None if nothing declares it.
    """
    planned = plan.range_of(metric)
    if planned is not None:
        return planned
    values = scores.column(metric)
    known = known_range(metric, values)
    if known is None or not np.isfinite(known).all():
        return None
    low, high = known
    return known if low <= np.nanmin(values) and np.nanmax(values) <= high else None


def _with_margin(plan: PlanFields, scores: Scores) -> list[str]:
    """Return the metrics that are compared and have a margin."""
    names = [metric.name for metric in scores.metrics]
    wanted = plan.metrics or tuple(names)
    return [n for n in names if n in wanted and plan.margin_of(n) is not None]


@rule("range")
def _scores_outside_range(plan: PlanFields, scores: Scores) -> str | None:
    """Reject a range of no metric, one for several, and scores outside of it."""
    if plan.range is None:
        return None
    given = setting("range", plan.range)
    names = [metric.name for metric in scores.metrics]
    if isinstance(plan.range, Mapping):
        unknown = [name for name in plan.range if name not in names]
        if unknown:
            return (
                f"range: there is no metric {unknown[0]!r}{nearest(unknown[0], names)}"
                f"; metrics: {show_all(names)}"
            )
    elif len(names) > 1:
        return (
            f"{given}: a range is in its metric's unit, and there are {len(names)} "
            f"metrics, {show_all(names)}: give each its own ("
            + setting("range", ...)
            + ")"
        )
    for name in names:
        ends, values = plan.range_of(name), scores.column(name)
        if ends is None:
            continue
        outside = values[(values < ends[0]) | (values > ends[1])]
        if outside.size:
            return f"{given}: {name!r} has scores outside of it, first: {outside[0]:g}"
    return None


@rule("margin", "range", "blocks")
def _margin_of_clusters(plan: PlanFields, scores: Scores) -> str | None:
    """Reject what no test against a margin holds for: graded scores in clusters."""
    in_clusters = scores.clusters is not None and plan.blocks_of(scores) == "cases"
    if plan.margin is None or scores.clusters is None or not in_clusters:
        return None
    graded = [
        name
        for name in _with_margin(plan, scores)
        if not answers_are_right_or_wrong(scores, (name,))
    ]
    if not graded:
        return None
    if any(range_of_scores(plan, scores, name) is None for name in graded):
        return (
            setting("margin", plan.margin)
            + ": the t tests of graded scores assume independent cases, and these are "
            "in clusters; declare the lowest and the highest possible score ("
            + setting("range", ...)
            + ") for the bounded test, or leave the margin out"
        )
    sizes = sorted(Counter(scores.clusters).values())
    if sizes[0] == sizes[-1]:
        return None
    return (
        setting("margin", plan.margin)
        + f": clusters have {sizes[0]} to {sizes[-1]} cases, and the bounded test of "
        "graded scores is for clusters of one size; leave it out"
    )


@rule("margin", "p_values")
def _margin_of_conditional_tests(plan: PlanFields, scores: Scores) -> str | None:
    """Reject McNemar's conditional p-values beside a margin of another quantity."""
    if plan.blocks != "cases" or plan.margin is None or plan.p_values == "by-size":
        return None
    if not answers_are_right_or_wrong(scores, plan.metrics):
        return None
    return (
        setting("margin", plan.margin)
        + " is of the difference of shares of right answers, and "
        + setting("p_values", plan.p_values)
        + " of the share of discordant cases that one algorithm wins; leave one out"
    )


@rule("margin", "blocks")
def _margin_of_few_answers(plan: PlanFields, scores: Scores) -> str | None:
    """Reject a margin that right/wrong answers are too few for, if they are alike."""
    where = plan.blocks_of(scores)
    if plan.margin is None or where == "folds-of-datasets" or relates(plan, scores):
        return None
    if where == "cases" and scores.clusters is None and scores.runs is None:
        return None  # the exact test has its level with few of them, too
    n = scores.n_blocks
    if scores.clusters is not None:
        sizes = np.array([*Counter(scores.clusters).values()], float)
        n = math.floor(n**2 / float(sizes @ sizes))
    k = scores.n_algorithms
    pairs = k * (k - 1) // 2 if plan.control is None else k - 1
    for metric in plan.metrics or tuple(metric.name for metric in scores.metrics):
        margin = plan.margin_of(metric)
        known = any(metric == scored.name for scored in scores.metrics)
        of_answers = answers_are_right_or_wrong if where == "cases" else right_or_wrong
        if margin is None or not known or not of_answers(scores, (metric,)):
            continue
        if told := too_few_units(n, margin, plan.margin_error / pairs):
            over = f" over {pairs} pairs" if pairs > 1 else ""
            return f"{told} (margin_alpha = {plan.margin_error:g}{over})"
    return None


@rule("margin", "metrics")
def _margin_of_which_metric(plan: PlanFields, scores: Scores) -> str | None:
    """Reject one margin for metrics in several units, and margins of no metric."""
    names = plan.metrics or tuple(metric.name for metric in scores.metrics)
    return value_of_which("margin", plan.margin, names)


def value_of_which(key: str, given: Any, names: Sequence[str]) -> str | None:
    """Return which metric lacks its own value of a key, or which value its metric.

    ``key``: margin or rope, in the unit of a metric, so that each has its own.
    """
    if isinstance(given, Mapping):
        absent = [name for name in given if name not in names]
        if not absent:
            return None
        return (
            f"{key}: {absent[0]!r} is not compared{nearest(absent[0], names)}; "
            f"metrics: {show_all(names)}"
        )
    if given is None or len(names) == 1:
        return None
    return (
        setting(key, given) + f": a {key} is in its metric's unit, and there are "
        f"{len(names)} metrics, {show_all(names)}: name those with a {key}, each with "
        "its own (" + setting(key, ...) + ")"
    )


@rule("margin", "metrics")
def _margin_with_gaps(plan: PlanFields, scores: Scores) -> str | None:
    """Reject a margin if cells are missing, but of typical differences."""
    typical = plan.quantity == TYPICAL_DIFFERENCE and plan.blocks_of(scores) in (
        "datasets",
        "folds-of-datasets",
    )
    if typical and not right_or_wrong(scores, plan.metrics):
        return None  # each pair is tested over the data sets that both have
    missing = [name for name in gaps(plan, scores) if plan.margin_of(name) is not None]
    if not missing:
        return None
    return (
        f"margin: cells of {missing[0]!r} are missing, and each pair is compared over "
        "all blocks; read the scores with " + setting("missing", "drop-block")
    )


MARGIN_RULES: tuple[PlanRule, ...] = (
    _scores_outside_range,
    _margin_of_clusters,
    _margin_of_conditional_tests,
    _margin_of_few_answers,
    _margin_of_which_metric,
    _margin_with_gaps,
)
"""Each takes a plan and scores and returns the problem and its remedy, or None."""
