"""What posterior probabilities need of a plan and of scores: one rule per function."""

from __future__ import annotations

from pycompare.base.errors import setting
from pycompare.data.scores import Scores
from pycompare.designs.plans.data_rules import gaps
from pycompare.designs.plans.fields import PlanFields
from pycompare.designs.plans.keys import PlanRule, keys_of, rule
from pycompare.designs.plans.margin_rules import value_of_which
from pycompare.designs.plans.related_rules import relates

_WITHOUT_BAYES = ("rope", "prior", "draws", "decide_at", "rope_loss")
_OVER_DATA_SETS = ("signed-rank", "sign", "bradley-terry")
_FITS = {
    "datasets": _OVER_DATA_SETS,
    "folds": ("correlated-t",),
    "folds-of-datasets": (*_OVER_DATA_SETS, "hierarchical"),
    "cases": (),
}
"""The posterior probabilities that each kind of blocks has."""
_BLOCKS = {
    "datasets": "independent data sets",
    "folds": "folds of one data set",
    "folds-of-datasets": "folds of several data sets",
    "cases": "cases",
}
_NEED_SIZES = ("correlated-t", "hierarchical")


@rule("bayes", *_WITHOUT_BAYES, "compares")
def _keys_without_bayes(plan: PlanFields) -> str | None:
    """Reject keys of posterior probabilities that are not planned."""
    if plan.bayes is not None:
        return None
    if plan.compares == "bayes":
        return (
            setting("compares", "bayes")
            + " needs the posterior probabilities that it compares by: give "
            + setting("bayes", ...)
        )
    given = [name for name in _WITHOUT_BAYES if getattr(plan, name) is not None]
    if not given:
        return None
    return (
        setting(given[0], getattr(plan, given[0]))
        + " is of posterior probabilities: give "
        + setting("bayes", ...)
        + ", or leave it out"
    )


@rule("bayes", "rope")
def _region_without_size(plan: PlanFields) -> str | None:
    """Reject posterior probabilities without a region of practical equivalence."""
    if plan.bayes is None or plan.rope is not None:
        return None
    return (
        setting("bayes", plan.bayes)
        + " needs the largest difference that does not matter in practice, in the "
        "metric's unit, and it has no default: give " + setting("rope", ...)
    )


@rule("bayes", "prior", "draws")
def _keys_of_other_posteriors(plan: PlanFields) -> str | None:
    """Reject a weight or a number of draws that the posterior does not have."""
    if plan.bayes is None:
        return None
    if plan.prior is not None and plan.bayes not in ("signed-rank", "sign"):
        name, why = "prior", "its prior distribution has no weight"
    elif plan.draws is not None and not plan.posterior_draws:
        name, why = "draws", "its probabilities are exact"
    else:
        return None
    return (
        setting(name, getattr(plan, name))
        + " has no use with "
        + setting("bayes", plan.bayes)
        + f": {why}; leave it out"
    )


@rule("decide_at", "rope_loss")
def _two_ways_to_decide(plan: PlanFields) -> str | None:
    """Reject a probability and losses together."""
    if plan.decide_at is None or plan.rope_loss is None:
        return None
    return (
        "give "
        + setting("decide_at")
        + " or "
        + setting("rope_loss")
        + ", not both: each decides all pairs"
    )


@rule("bayes", "blocks", "generalise", "thresholds", "loss_ratios")
def _posterior_of_other_blocks(plan: PlanFields) -> str | None:
    """Reject posterior probabilities that the blocks do not have."""
    if plan.bayes is None or not plan.names_blocks:
        return None
    start = setting("bayes", plan.bayes)
    if plan.sweeps or plan.generalise is not None:
        what = "several thresholds" if plan.sweeps else "one shared test set"
        return f"{start} is not for predictions with {what}: leave it out"
    fits = _FITS[plan.blocks]
    if plan.bayes in fits:
        return None
    instead = (
        " or ".join(setting("bayes", name) for name in fits) + ", or leave it out"
        if fits
        else "leave it out"
    )
    return f"{start} is not for {_BLOCKS[plan.blocks]}: {instead}"


@rule("bayes", "scale")
def _ratios_of_folds(plan: PlanFields) -> str | None:
    """Reject ratios under a model of mean differences."""
    if plan.bayes not in _NEED_SIZES or not plan.as_ratios:
        return None
    return (
        setting("scale", "ratio")
        + " has no use with "
        + setting("bayes", plan.bayes)
        + ", a model of mean differences: leave one of them out"
    )


@rule("bayes", "n_train", "n_test", "protocol", "n_folds")
def _posterior_without_sizes(plan: PlanFields) -> str | None:
    """Reject models of folds without the sizes that their correlation follows from."""
    if plan.bayes not in _NEED_SIZES or not plan.names_blocks:
        return None
    if plan.corrects:
        return None
    return (
        setting("bayes", plan.bayes)
        + " needs the correlation of folds: give "
        + setting("n_train", ...)
        + " and "
        + setting("n_test", ...)
        + ", or "
        + setting("protocol", "cross-validation")
    )


@rule("bayes", "compares", "replicates")
def _analysis_of_runs(plan: PlanFields) -> str | None:
    """Reject tests of runs if posterior probabilities replace all tests."""
    if plan.compares != "bayes" or plan.replicates != "keep":
        return None
    return (
        setting("replicates", "keep")
        + " adds tests of runs, and "
        + setting("compares", "bayes")
        + " has no tests: set "
        + setting("replicates", "average")
    )


POSTERIOR_RULES: tuple[PlanRule, ...] = (
    _keys_without_bayes,
    _region_without_size,
    _keys_of_other_posteriors,
    _two_ways_to_decide,
    _posterior_of_other_blocks,
    _ratios_of_folds,
    _posterior_without_sizes,
    _analysis_of_runs,
)
"""Each takes a plan and returns the problem and its remedy, or None."""


@rule("rope", "metrics")
def _region_of_which_metric(plan: PlanFields, scores: Scores) -> str | None:
    """Reject one region for metrics in several units, and regions of no metric."""
    names = plan.metrics or tuple(metric.name for metric in scores.metrics)
    if problem := value_of_which("rope", plan.rope, names):
        return problem
    absent = [name for name in names if plan.rope_of(name) is None]
    if plan.bayes is None or not absent:
        return None
    return (
        f"rope: {absent[0]!r} has none, and "
        + setting("bayes", plan.bayes)
        + " is of all metrics; give it one, or name the metrics that are compared ("
        + setting("metrics", ...)
        + ")"
    )


@rule("bayes", "metrics")
def _posterior_with_gaps(plan: PlanFields, scores: Scores) -> str | None:
    """Reject posterior probabilities of tables with missing cells."""
    missing = [] if plan.bayes is None else list(gaps(plan, scores))
    if not missing:
        return None
    return (
        setting("bayes", plan.bayes)
        + f": cells of {missing[0]!r} are missing; read the scores with "
        + setting("missing", "drop-block")
    )


@rule("bayes", "blocks")
def _posterior_of_related(plan: PlanFields, scores: Scores) -> str | None:
    """Reject posterior probabilities of data sets in clusters."""
    if plan.bayes is None or not relates(plan, scores):
        return None
    return (
        setting("bayes", plan.bayes)
        + " assumes independent data sets, and these are in clusters ("
        + setting("cluster", ...)
        + "): leave it out"
    )


POSTERIOR_DATA_RULES: tuple[PlanRule, ...] = (
    _region_of_which_metric,
    _posterior_with_gaps,
    _posterior_of_related,
)
"""Each takes a plan and scores and returns the problem and its remedy, or None."""

_OF_TESTS = (
    *("margin", "gate", "omnibus", "adjust", "alpha", "p_values", "std_error"),
    *("decimals", "monotone", "together", "family", "assumes", "cost_ratio", "loss"),
)
_OF_FOLDS = ("protocol", "n_train", "n_test", "n_folds")


@rule("compares", "bayes", *_OF_TESTS, *_OF_FOLDS, "overlap", "seed")
def tests_beside_posteriors(plan: PlanFields) -> str | None:
    """Reject settings that only tests have if posterior probabilities replace them."""
    if plan.compares != "bayes":
        return None
    unused: tuple[str, ...] = _OF_TESTS
    unused += () if plan.bayes in _NEED_SIZES else _OF_FOLDS
    unused += () if plan.bayes == "correlated-t" else ("overlap",)
    unused += () if plan.posterior_draws else ("seed",)
    keys = keys_of(PlanFields)
    usual = {"adjust": plan.defaults, "family": "metric", "seed": 0}
    given = {name: getattr(plan, name) for name in unused}
    planned = [
        name
        for name, value in given.items()
        if value not in (None, keys[name].default, usual.get(name))
    ]
    if not planned:
        return None
    return (
        setting(planned[0], given[planned[0]])
        + " is of tests, and "
        + setting("compares", "bayes")
        + " has posterior probabilities in their place: leave it out"
    )
