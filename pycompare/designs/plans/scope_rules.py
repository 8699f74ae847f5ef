"""Rules of a plan about training sets that share one test set."""

from __future__ import annotations

from pycompare.base.errors import setting
from pycompare.base.labels import show, show_all
from pycompare.data.predictions import Predictions
from pycompare.designs.known import SHARED_TEST_SET
from pycompare.designs.pair_methods import MEANS
from pycompare.designs.plans.fields import PlanFields, asks
from pycompare.designs.plans.keys import PlanRule, rule
from pycompare.designs.plans.margin_rules import value_of_which

FIGURE_OF = {
    "auc": "auc",
    "partial_auc": "partial_auc",
    "tpr": "sensitivity",
    "recall": "sensitivity",
    "sensitivity": "sensitivity",
    "tnr": "specificity",
    "specificity": "specificity",
    "error": "mean",
    "accuracy": "mean",
    "brier": "mean",
    "log_loss": "mean",
}
"""The figure of merit of each measure that is an AUC or a mean over cases."""


def _not_with_scope(name: str) -> PlanRule:
    """Return the rule that rejects one key beside the scope."""

    @rule(name, "generalise")
    def no_use_with_one_test_set(plan: PlanFields) -> str | None:
        if plan.generalise is None or not asks(plan, name, SHARED_TEST_SET.unused):
            return None
        return (
            f"{name}: with "
            + setting("generalise", plan.generalise)
            + f" {SHARED_TEST_SET.unused[name].why}; leave it out"
        )

    return no_use_with_one_test_set


@rule("generalise", "blocks")
def _scope_over_data_sets(plan: PlanFields) -> str | None:
    """Reject the scope of one test set if there are several."""
    if plan.generalise is None or plan.blocks in ("by-columns", "folds"):
        return None
    return (
        setting("generalise", plan.generalise)
        + " is for training sets of one data set, and "
        + setting("blocks", plan.blocks)
        + " has several: compare each data set separately, or leave it out"
    )


@rule("generalise", "protocol")
def _scope_of_other_protocols(plan: PlanFields) -> str | None:
    """Reject the scope of one test set if test sets change."""
    if plan.generalise is None or plan.protocol in (None, "held-out", "disjoint"):
        return None
    return (
        setting("generalise", plan.generalise)
        + " is for training sets with one test set, and in "
        + setting("protocol", plan.protocol)
        + " each has its own: leave one of them out"
    )


@rule("generalise", "adjust")
def _pooled_methods(plan: PlanFields) -> str | None:
    """Reject methods that rest on one error for all pairs."""
    wrong = [name for name in plan.adjust if name in MEANS]
    if plan.generalise is None or not wrong:
        return None
    return (
        f"adjust: {', '.join(wrong)}: each pair has its own error with "
        + setting("generalise", plan.generalise)
        + "; choose bergmann-hommel, holm or another name of pc.adjust"
    )


@rule("generalise", "family", "metrics")
def _family_of_one_metric(plan: PlanFields) -> str | None:
    """Reject a family over metrics if there is one."""
    if plan.generalise is None or plan.family != "all" or len(plan.metrics) != 1:
        return None
    return setting("family", "all") + " is for several metrics; leave it out"


@rule("generalise", "blocks", "thresholds", "loss_ratios")
def _scope_left_open(plan: PlanFields, predictions: Predictions) -> str | None:
    """Ask whom conclusions concern if all training sets share the test set."""
    one_set = plan.blocks_of(predictions) == "folds" or plan.blocks == "by-columns"
    if plan.generalise is not None or plan.sweeps or not one_set:
        return None
    if not predictions.one_test_set:
        return None
    return (
        f"all {predictions.n_blocks} blocks are tested on the same "
        f"{int(predictions.sizes[0, 0])} cases: they are training sets with one test "
        "set, and the plan does not say the scope of conclusions: set "
        + setting("generalise", "both")
        + " (new training sets and new cases), "
        + setting("generalise", "training-sets")
        + " (new training sets, these cases) or "
        + setting("generalise", "cases")
        + " (these trained classifiers, new cases)"
    )


@rule("generalise", "protocol", "blocks", "thresholds", "loss_ratios")
def _shared_in_several_data_sets(
    plan: PlanFields, predictions: Predictions
) -> str | None:
    """Ask what conclusions concern if folds of data sets share their test set."""
    folds = plan.blocks_of(predictions) == "folds-of-datasets"
    if plan.generalise is not None or plan.sweeps or not folds:
        return None
    names = predictions.shared_test_sets
    if not names or (plan.protocol == "held-out" and not plan.corrects):
        return None
    others = f" (and {len(names[1:])} more)" if names[1:] else ""
    start = f"in data set {show(names[0])}{others} all folds are tested on the same "
    if plan.protocol is not None or plan.corrects:
        return (
            f"protocol: {start}cases, so corrections for test sets that change do not "
            "hold: leave out the sizes, and set " + setting("protocol", "held-out")
        )
    return (
        f"{start}cases: they are training sets with one test set, and the plan does "
        "not state the scope of conclusions: set "
        + setting("protocol", "held-out")
        + " (new training sets, these cases) or "
        + setting("average_folds", True)
        + " (new data sets); for new cases compare each data set separately with "
        + setting("generalise", "both")
    )


@rule("generalise", "protocol", "n_train", "n_test")
def _correction_of_one_test_set(
    plan: PlanFields, predictions: Predictions
) -> str | None:
    """Reject a protocol, or sizes, that the cases contradict."""
    if plan.protocol not in ("cross-validation", "resampling") and not plan.corrects:
        return None
    if plan.generalise is not None or not predictions.one_test_set:
        return None
    return (
        f"protocol: all {predictions.n_blocks} blocks are tested on the same cases, "
        "so corrections for test sets that change do not hold: leave out protocol and "
        "the sizes, and set "
        + setting("generalise", "both")
        + ", 'training-sets' or 'cases'"
    )


@rule("generalise", "replicates")
def _scope_of_other_designs(plan: PlanFields, predictions: Predictions) -> str | None:
    """Reject the scope of one test set if there is none that is known."""
    if plan.generalise is None or predictions.one_test_set:
        return None
    start = setting("generalise", plan.generalise)
    if predictions.replicates is not None:
        return (
            start + " is for one run of each training set, and there are "
            f"{len(predictions.run_names)}: read one run, or make each run a training "
            "set of its own"
        )
    if predictions.case is None:
        return (
            start + " compares the same cases in all blocks, and the predictions do "
            "not name their cases: name their column (" + setting("case", ...) + ")"
        )
    if (several := len(set(predictions.datasets or ()))) > 1:
        return (
            start + f" is for one data set, and there are {several}: compare each by "
            "itself, or leave it out"
        )
    return (
        start + " is for training sets with one test set, and these blocks have "
        "different cases, or there is one block: leave it out"
    )


@rule("generalise", "metrics")
def _metrics_without_cases(plan: PlanFields, predictions: Predictions) -> str | None:
    """Reject measures that are neither AUCs nor means over cases."""
    wrong = [name for name in plan.metrics if name not in FIGURE_OF]
    if plan.generalise is None or not wrong:
        return None
    return (
        f"metrics: {show_all(wrong)}: with "
        + setting("generalise", plan.generalise)
        + f" a metric is an AUC or a mean over cases, one of {', '.join(FIGURE_OF)}; "
        "for others measure the predictions (pycompare measure) and compare the "
        "scores with " + setting("protocol", "held-out")
    )


@rule("margin", "metrics")
def _margin_of_no_metric(plan: PlanFields, predictions: Predictions) -> str | None:
    """Reject one margin for several metrics, and margins of no metric."""
    if plan.generalise is None:
        return None
    return value_of_which("margin", plan.margin, plan.metrics)


@rule("generalise", "thresholds", "adjust")
def _adjustment_of_one_pair(plan: PlanFields, predictions: Predictions) -> str | None:
    """Reject to adjust if there is one comparison."""
    alone = predictions.n_algorithms == 2 and plan.family != "all"
    open_or_default = not plan.adjust or plan.adjust == plan.defaults
    if not (plan.generalise or plan.sweeps) or not alone or open_or_default:
        return None
    return (
        f"adjust: {', '.join(plan.adjust)}: two algorithms are one comparison on each "
        f"metric, and nothing is adjusted; leave it out"
    )


@rule("gate", "thresholds")
def _gate_of_one_pair(plan: PlanFields, predictions: Predictions) -> str | None:
    """Reject a gate if the test of all algorithms is the test of the pair."""
    if plan.gate != "omnibus" or not plan.sweeps or predictions.n_algorithms > 2:
        return None
    return (
        setting("gate", "omnibus")
        + ": two algorithms are compared by one test; leave it out"
    )


SCOPE_RULES: tuple[PlanRule, ...] = (
    _scope_over_data_sets,
    _scope_of_other_protocols,
    _pooled_methods,
    _family_of_one_metric,
    *map(_not_with_scope, SHARED_TEST_SET.unused),
)
"""Each takes a plan and returns the problem and its remedy, or None."""

TEST_SET_RULES: tuple[PlanRule, ...] = (
    _scope_left_open,
    _shared_in_several_data_sets,
    _correction_of_one_test_set,
    _scope_of_other_designs,
    _metrics_without_cases,
    _margin_of_no_metric,
    _adjustment_of_one_pair,
    _gate_of_one_pair,
)
"""Each takes a plan and predictions and returns the problem, or None."""
