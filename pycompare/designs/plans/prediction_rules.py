"""Rules of a plan about thresholds and about predictions."""

from __future__ import annotations

from typing import Any

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import have
from pycompare.base.labels import show_all
from pycompare.data.measures.registry import MEASURES, Measure, find
from pycompare.data.predictions import Predictions, positives_of
from pycompare.data.scores import Scores
from pycompare.designs.known import OPEN, THRESHOLDS
from pycompare.designs.plans.data_rules import (
    control_that_is_not_there,
    folds_of_several_data_sets,
    folds_without_data_sets,
    one_data_set_for_all,
)
from pycompare.designs.plans.fields import PlanFields, asks
from pycompare.designs.plans.keys import PlanRule, rule

OF_PREDICTIONS = (
    "thresholds",
    "loss_ratios",
    "threshold_rule",
    "threshold_adjust",
    "thresholds_joined",
    "fpr_range",
    "undefined",
    "generalise",
)
"""Keys that a table of scores has no use for."""


def use_predictions(name: str) -> str:
    """Return the reason why a key has no use for a table of scores."""
    compare = "compare the predictions (in a plan file: label, score and positive in "
    if name == "generalise":
        return (
            "generalise is for predictions, and a table of scores has no cases any "
            f"more: {compare}[data], and case), or leave the key out: scores of "
            "training sets with one test set concern new training sets only"
        )
    return (
        f"{name} is for predictions, and a table of scores has no thresholds any "
        f"more: {compare}[data]), or measure the predictions at one threshold "
        "(pycompare measure) and leave the key out"
    )


def of_scores(plan: PlanFields) -> list[str]:
    """Return the keys of a plan that only predictions have a use for."""
    return [name for name in OF_PREDICTIONS if getattr(plan, name) is not None]


def _without_use(name: str) -> PlanRule:
    """Return the rule that rejects one key for a table of scores."""

    @rule(name)
    def thresholds_of_scores(plan: PlanFields, scores: Scores) -> str | None:
        given = of_scores(plan)[:1] == [name]
        return use_predictions(name) if given else None

    return thresholds_of_scores


@rule("thresholds", "loss_ratios")
def _thresholds_in_two_ways(plan: PlanFields) -> str | None:
    """Reject thresholds and loss ratios together."""
    if plan.thresholds is None or plan.loss_ratios is None:
        return None
    return "give thresholds or loss_ratios, not both: a ratio r means r/(1 + r)"


@rule("loss_ratios")
def _ratios_of_one_threshold(plan: PlanFields) -> str | None:
    """Reject loss ratios whose thresholds are one number."""
    if plan.loss_ratios is None or len(set(plan.theta)) == len(plan.theta):
        return None
    return "loss_ratios: two of them mean the same threshold; leave one out"


def _one_threshold(name: str) -> PlanRule:
    """Return the rule that rejects a key for several thresholds at one."""

    @rule(name, "thresholds", "loss_ratios")
    def rule_without_thresholds(plan: PlanFields) -> str | None:
        if plan.sweeps or getattr(plan, name) is None:
            return None
        if plan.joins:
            joined = setting("thresholds_joined", True)
            return (
                f"{name} is for wins at thresholds, and "
                + joined
                + (" tests the metrics at all thresholds as one vector: leave it out")
            )
        if name == "threshold_adjust" and plan.threshold_rule is not None:
            return None
        return f"{name} is for several thresholds, and there are {len(plan.theta)}"

    return rule_without_thresholds


@rule("thresholds_joined", "thresholds", "loss_ratios")
def _nothing_to_join(plan: PlanFields) -> str | None:
    """Reject to join the metrics of one threshold, or of none."""
    if not plan.thresholds_joined or plan.joins:
        return None
    return (
        setting("thresholds_joined", True)
        + f" is for several thresholds, and there are {len(plan.theta)}"
    )


@rule("thresholds_joined", "blocks", "average_folds", "generalise", "together")
def _joined_without_folds(plan: PlanFields) -> str | None:
    """Reject joined thresholds if no mean vectors of folds are compared."""
    joined = setting("thresholds_joined", True)
    if not plan.joins:
        return None
    if plan.together == "no":
        return joined + " and " + setting("together", "no") + " contradict each other"
    wrong = plan.blocks not in ("folds", OPEN.name) or plan.average_folds
    if not wrong and plan.generalise is None:
        return None
    return (
        joined
        + " compares mean vectors over the folds of one data set: leave the key out, "
        "or plan " + setting("blocks", "folds")
    )


@rule("threshold_rule", "threshold_adjust")
def _adjustment_of_no_tests(plan: PlanFields) -> str | None:
    """Reject to adjust sign tests that are not made."""
    if plan.threshold_rule != "any" or plan.threshold_adjust in (None, "none"):
        return None
    return (
        setting("threshold_rule", "any")
        + " has no sign tests to adjust; leave threshold_adjust out"
    )


@rule("alpha", "threshold_rule")
def _one_sided_at_large_alpha(plan: PlanFields) -> str | None:
    """Reject a level at which both of two algorithms could win."""
    if plan.threshold_rule != "sign" or plan.alpha < 0.5:
        return None
    return (
        setting("alpha", plan.alpha)
        + ": right-tailed sign tests need an alpha below 0.5"
    )


@rule("alpha", "threshold_rule", "thresholds", "loss_ratios")
def _thresholds_too_few_for_a_sign_test(plan: PlanFields) -> str | None:
    """Reject sign tests over too few thresholds to be significant."""
    count = len(plan.theta)
    smallest = 0.5**count
    if not plan.sweeps or plan.threshold_rule != "sign" or smallest <= plan.alpha:
        return None
    return (
        f"{count} thresholds: a right-tailed sign test over them has no p-value below "
        f"{smallest:g}, so that at alpha={plan.alpha:g} no algorithm could ever win; "
        "plan more thresholds, one, or " + setting("threshold_rule", "any")
    )


@rule("thresholds", "loss_ratios", "blocks", "average_folds")
def _thresholds_without_folds(plan: PlanFields) -> str | None:
    """Reject several thresholds if there are no folds to test within."""
    if not plan.sweeps or not (plan.blocks == "datasets" or plan.average_folds):
        return None
    return (
        "at several thresholds all metrics are tested over the folds of each data set: "
        "name the column of data sets and keep the folds ("
        + setting("blocks", "folds-of-datasets")
        + "), "
        "or set "
        + setting("blocks", "folds")
        + " if the blocks are folds of one data set; or plan one "
        "threshold"
    )


def _not_at_several(name: str) -> PlanRule:
    """Return the rule that rejects one key at several thresholds."""

    @rule(name, "thresholds", "loss_ratios")
    def no_use_at_several_thresholds(plan: PlanFields) -> str | None:
        if not plan.sweeps or not asks(plan, name, THRESHOLDS.unused):
            return None
        why = THRESHOLDS.unused[name].why
        return f"{name}: at several thresholds {why}; leave it out, or plan one"

    return no_use_at_several_thresholds


def _measures_of(plan: PlanFields) -> list[Measure]:
    """Return the measures of a plan that there are."""
    return [MEASURES[name] for name in plan.metrics if name in MEASURES]


def why_no_measure(name: str) -> str | None:
    """Return the reason why a metric of predictions cannot be, if so."""
    try:
        measure = find(name)
    except InputError as error:
        return error.message
    if measure.needs in ("cost", "share"):
        return (
            f"{name} needs more than a name: measure it first (pycompare measure), and "
            f"compare those scores"
        )
    return None


@rule("metrics")
def _metrics_that_are_no_measures(
    plan: PlanFields, predictions: Predictions
) -> str | None:
    """Reject what cannot be measured."""
    if not plan.metrics:
        return (
            "metrics: name the measures, such as ('error', 'auc') or, at "
            "several thresholds, ('tp', 'fp', 'tn', 'fn')"
        )
    if len(set(plan.metrics)) < len(plan.metrics):
        return "metrics: one of them is named twice"
    wrong = [why for name in plan.metrics if (why := why_no_measure(name)) is not None]
    return "; ".join(wrong) or None


@rule("metrics", "thresholds", "loss_ratios")
def _measures_without_thresholds(
    plan: PlanFields, predictions: Predictions
) -> str | None:
    """Reject thresholds for measures that have none."""
    without = [m.name for m in _measures_of(plan) if not m.at_threshold]
    if len(plan.theta) > 1 and without:
        return (
            f"{show_all(without)} {have(len(without))} no threshold: at several "
            "thresholds plan measures of counts, such as tp, fp, tn and fn, or "
            "precision and recall"
        )
    if plan.theta and without and len(without) == len(plan.metrics):
        key = "loss_ratios" if plan.thresholds is None else "thresholds"
        use = "does" if len(without) == 1 else "do"
        return (
            f"{key}: a threshold is planned, and {show_all(without)} {use} not use one"
        )
    return None


@rule("fpr_range", "metrics")
def _range_of_partial_areas(plan: PlanFields, predictions: Predictions) -> str | None:
    """Reject a partial area without its range, and a range without a partial area."""
    asked = "partial_auc" in plan.metrics
    if asked == (plan.fpr_range is not None):
        return None
    if asked:
        return (
            "metrics: partial_auc needs the false positive rates it is taken over, "
            "such as " + setting("fpr_range", (0.0, 0.2))
        )
    return setting("fpr_range", plan.fpr_range) + " is for the metric partial_auc"


@rule("undefined", "metrics")
def _undefined_measures_that_are_not(
    plan: PlanFields, predictions: Predictions
) -> str | None:
    """Reject a value of 0/0 that no measure takes."""
    if plan.undefined is None or undefined_values(plan):
        return None
    return (
        f"undefined = {plan.undefined}: none of {show_all(plan.metrics)} is 0/0, or "
        f"may be {plan.undefined} there; leave it out"
    )


def undefined_values(plan: PlanFields) -> dict[str, float]:
    """Return what each measure is to be if it is 0/0."""
    value = plan.undefined
    if value is None:
        return {}
    return {m.name: value for m in _measures_of(plan) if value in m.if_undefined}


@rule("thresholds", "loss_ratios")
def _thresholds_of_no_probabilities(
    plan: PlanFields, predictions: Predictions
) -> str | None:
    """Reject thresholds as costs for scores that are no probabilities."""
    score = predictions.score
    outside = int(((score < 0) | (score > 1)).sum())
    by_costs = plan.sweeps or plan.loss_ratios is not None
    if not outside or not by_costs:
        return None
    return (
        f"{outside} of {score.size} scores are outside [0, 1], and a threshold implies "
        f"costs of errors only for probabilities of the positive class; turn the "
        f"scores into probabilities, or plan one threshold in their own unit"
    )


@rule("thresholds", "loss_ratios")
def _thresholds_over_groups_or_runs(
    plan: PlanFields, predictions: Predictions
) -> str | None:
    """Reject groups and runs at several thresholds."""
    held = {"group": predictions.groups, "replicate": predictions.replicates}
    given = [name for name, there in held.items() if there is not None]
    if not plan.sweeps or not given:
        return None
    why = {
        role: THRESHOLDS.unused[key].why
        for role, key in (("group", "groups"), ("replicate", "replicates"))
    }
    return (
        f"{given[0]}: at several thresholds {why[given[0]]}; plan one threshold, or "
        "read the predictions without " + setting(given[0], ...)
    )


@rule("thresholds", "loss_ratios", "blocks")
def _groups_without_predictions(
    plan: PlanFields, predictions: Predictions
) -> str | None:
    """Reject folds that an algorithm has no predictions on."""
    empty = int((predictions.sizes == 0).sum())
    if not plan.sweeps or not empty:
        return None
    return (
        f"{empty} of {predictions.sizes.size} pairs of fold and algorithm have no "
        f"predictions, and these tests need all; read the predictions with "
        + setting("missing", "drop-block")
    )


@rule("thresholds", "loss_ratios", "blocks")
def _folds_with_one_class(plan: PlanFields, predictions: Predictions) -> str | None:
    """Reject folds without cases of both classes."""
    positives = positives_of(predictions.is_positive, predictions.offsets)
    sizes = predictions.sizes.ravel()
    one_class = (sizes > 0) & ((positives == 0) | (positives == sizes))
    if not plan.sweeps or not one_class.any():
        return None
    block = predictions.blocks[int(np.argmax(one_class)) // predictions.n_algorithms]
    return (
        f"{int(one_class.sum())} pairs of fold and algorithm have cases of one class "
        f"only, first in {block!r}; draw stratified folds"
    )


@rule("thresholds_joined", "blocks")
def _joined_over_data_sets(plan: PlanFields, predictions: Predictions) -> str | None:
    """Reject joined thresholds of several data sets, or of averaged folds."""
    if not plan.joins or plan.blocks_of(predictions) == "folds":
        return None
    return (
        setting("thresholds_joined", True)
        + " compares mean vectors over the folds of one data set: choose one data set, "
        "or leave the key out, and wins at the thresholds are counted over data sets"
    )


@rule("thresholds_joined", "protocol", "n_train", "n_test", "n_folds")
def _joined_without_sizes(plan: PlanFields, predictions: Predictions) -> str | None:
    """Reject joined thresholds of folds that have estimates only."""
    folds = plan.joins and plan.blocks_of(predictions) == "folds"
    if not folds or plan.tests_within or plan.protocol is not None:
        return None
    return (
        setting("thresholds_joined", True)
        + ": nothing is tested, because folds share training data, and the plan has no "
        "sizes: give "
        + setting("n_train", ...)
        + " and "
        + setting("n_test", ...)
        + ", state how the folds were made ("
        + setting("protocol", ...)
        + "), or leave the key out"
    )


@rule("thresholds", "loss_ratios", "metrics")
def _folds_too_few_for_metrics(
    plan: PlanFields, predictions: Predictions
) -> str | None:
    """Reject data sets on which no pair can be tested in so many metrics."""
    if not plan.sweeps or plan.blocks_of(predictions) == "datasets":
        return None
    owner = np.array(predictions.datasets or [""] * predictions.n_blocks, object)
    few = []
    for name in dict.fromkeys(owner):
        rows = np.flatnonzero(owner == name)
        needed = _independent(plan, predictions, rows)
        if len(rows) - 1 < needed:
            few.append((name, len(rows), needed))
    if not few:
        return None
    name, n, needed = few[0]
    where = f", first {name!r}" if predictions.datasets is not None else ""
    return (
        f"{len(few)} of {len(set(owner))} data sets have too few folds{where}: {n} "
        f"folds leave {n - 1} degrees of freedom to each pair, fewer than the {needed} "
        f"metrics that do not depend on others; plan fewer metrics, or more folds"
    )


_SIDES = {
    "tp": ("tp", "fn"),
    "fp": ("fp", "tn"),
    "tpr": ("tpr", "recall", "sensitivity", "fnr"),
    "fpr": ("fpr", "tnr", "specificity"),
    "error": ("error", "accuracy"),
}
"""Measures of which one implies the others, on the same cases."""


def _independent(plan: PlanFields, predictions: Predictions, rows: Any) -> int:
    """Return how many metrics do not follow from others on these folds."""
    kind = {name: side for side, names in _SIDES.items() for name in names}
    kinds = {kind.get(name, name) for name in plan.metrics}
    positives = positives_of(predictions.is_positive, predictions.offsets)
    sizes = np.stack([predictions.sizes.ravel(), positives])
    of_folds = sizes.reshape(2, -1, predictions.n_algorithms)[:, rows]
    if (of_folds == of_folds[:, :1, :1]).all():
        # Classes of one size in all folds: a rate is a count in another unit.
        kinds = {{"tpr": "tp", "fpr": "fp"}.get(rate, rate) for rate in kinds}
        if {"tp", "fp"} <= kinds:
            kinds -= {"error", "balanced_accuracy"}
    return len(kinds)


SCORE_RULES: tuple[PlanRule, ...] = (*map(_without_use, OF_PREDICTIONS),)
"""Each takes a plan and scores and returns the problem and its remedy, or None."""

THRESHOLD_RULES: tuple[PlanRule, ...] = (
    _thresholds_in_two_ways,
    _ratios_of_one_threshold,
    *map(_one_threshold, ("threshold_rule", "threshold_adjust")),
    _nothing_to_join,
    _joined_without_folds,
    _adjustment_of_no_tests,
    _one_sided_at_large_alpha,
    _thresholds_too_few_for_a_sign_test,
    _thresholds_without_folds,
    *map(_not_at_several, THRESHOLDS.unused),
)
"""Each takes a plan and returns the problem and its remedy, or None."""

DESIGN_RULES: tuple[PlanRule, ...] = (
    folds_of_several_data_sets,
    folds_without_data_sets,
    one_data_set_for_all,
    _folds_too_few_for_metrics,
    _joined_over_data_sets,
    _joined_without_sizes,
)
"""Each takes a plan and one run of predictions: they ask how many blocks there are."""


@rule("blocks")
def _cases_as_predictions(plan: PlanFields, predictions: Predictions) -> str | None:
    """Reject predictions if a table of scores, one row per case, is meant."""
    one_each = int(predictions.sizes.max()) == 1
    if plan.blocks != "cases" or (one_each and not plan.sweeps):
        return None
    return (
        setting("blocks", "cases")
        + " is for scores of cases (right = 1, wrong = 0, or graded), one for each "
        "case and algorithm; predictions of one test set are compared by "
        "pc.compare_curves or with " + setting("generalise", "cases")
    )


PREDICTION_RULES: tuple[PlanRule, ...] = (
    _cases_as_predictions,
    control_that_is_not_there,
    _thresholds_over_groups_or_runs,
    _metrics_that_are_no_measures,
    _measures_without_thresholds,
    _range_of_partial_areas,
    _undefined_measures_that_are_not,
    _thresholds_of_no_probabilities,
    _groups_without_predictions,
    _folds_with_one_class,
)
"""Each takes a plan and predictions and returns what is wrong and what to do."""
