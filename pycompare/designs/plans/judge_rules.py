"""Rules of a plan about labels of people beside a judge's scores."""

from __future__ import annotations

from pycompare.base.errors import setting
from pycompare.base.labels import show
from pycompare.data.scores import Scores
from pycompare.designs.known import LABELS
from pycompare.designs.pair_methods import LABELS_ALL_PAIRS
from pycompare.designs.plans.fields import PlanFields, without_use
from pycompare.designs.plans.keys import PlanRule, rule

_HOW = (
    "how the labelled items were chosen is not in the plan: set "
    + setting("labels", "random")
    + ", or "
    + setting("labels", "strata")
    + " with "
    + setting("stratum", ...)
    + ". Labels of items that somebody picked (hard ones, ones the judge doubts) "
    "cannot be corrected"
)


@rule("labels", "blocks")
def _labels_of_other_blocks(plan: PlanFields) -> str | None:
    """Reject labels of anything but items of one test set."""
    if plan.labels is None or plan.blocks in ("by-columns", "cases"):
        return None
    return (
        setting("labels", plan.labels)
        + " is for items of one test set: set "
        + setting("blocks", "cases")
    )


@rule("labels", *LABELS.unused)
def _keys_beside_labels(plan: PlanFields) -> str | None:
    """Reject settings that have no form for labels of people beside a judge."""
    return None if plan.labels is None else without_use(plan, "labels", LABELS.unused)


@rule("labels", "adjust")
def _adjustments_of_labels(plan: PlanFields) -> str | None:
    """Reject adjustments that no study of labels has measured."""
    wrong = [name for name in plan.adjust if name not in LABELS_ALL_PAIRS]
    if plan.labels is None or not wrong:
        return None
    return (
        f"adjust: {', '.join(wrong)}: with "
        + setting("labels", plan.labels)
        + f" choose {', '.join(LABELS_ALL_PAIRS)}"
    )


@rule("labels", "blocks")
def _labels_and_judge(plan: PlanFields, scores: Scores) -> str | None:
    """Ask how labelled items were chosen; reject the answer if there is no judge."""
    if (scores.judge is None) == (plan.labels is None):
        return None
    if scores.judge is not None:
        return _HOW
    return (
        setting("labels", plan.labels)
        + " is for labels of people beside a judge's scores of all answers: name their "
        "column (" + setting("judge", ...) + "), or leave it out"
    )


@rule("labels")
def _labels_and_strata(plan: PlanFields, scores: Scores) -> str | None:
    """Reject strata that the plan does not use, and a plan that lacks them."""
    if plan.labels is None or (scores.strata is None) == (plan.labels == "random"):
        return None
    if scores.strata is None:
        return (
            setting("labels", "strata")
            + " needs the column of strata from which the labelled items were drawn: "
            + setting("stratum", ...)
        )
    return (
        setting("stratum", ...)
        + " is for labels drawn within strata: set "
        + setting("labels", "strata")
        + ", or leave it out"
    )


@rule("labels")
def _labels_in_groups(plan: PlanFields, scores: Scores) -> str | None:
    """Reject clusters, groups and data sets of labelled items."""
    if plan.labels is None:
        return None
    for name, held in (
        ("cluster", scores.clusters),
        ("group", scores.groups),
        ("dataset", scores.datasets),
    ):
        if held is not None:
            return (
                setting(name, ...)
                + " and "
                + setting("labels", plan.labels)
                + " exclude each other, because their error rate has not been "
                "measured: leave it out"
                + ("" if name == "cluster" else ", or name it as stratum")
            )
    return None


@rule("labels")
def _labels_of_one(plan: PlanFields, scores: Scores) -> str | None:
    """Reject a comparison of one algorithm."""
    if plan.labels is None or scores.n_algorithms > 1:
        return None
    return (
        f"there is one algorithm, {show(scores.algorithms[0])}, and nothing to compare "
        "it with; pc.labels gives its mean"
    )


JUDGE_RULES: tuple[PlanRule, ...] = (
    _labels_of_other_blocks,
    _keys_beside_labels,
    _adjustments_of_labels,
)
"""Each takes a plan and returns the problem and its remedy, or None."""
JUDGED_DATA_RULES: tuple[PlanRule, ...] = (
    _labels_and_judge,
    _labels_and_strata,
    _labels_in_groups,
    _labels_of_one,
)
"""Each takes a plan and scores and returns the problem and its remedy, or None."""
