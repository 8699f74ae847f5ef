"""From a plan of scores and a stated truth to the simulated study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show, show_all
from pycompare.base.metric import Metric
from pycompare.designs.plans.plan import Plan
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.designs.quantity import MODEL
from pycompare.designs.reach import (
    check_countable,
    labels_of,
    plan_of_blocks,
    settled_by_data_sets,
)
from pycompare.sizes.dependence import (
    ALONE,
    BlockClusters,
    BlockGroups,
    BlockRuns,
    Dependence,
    FoldNoise,
)
from pycompare.sizes.score_study import ScoreStudy
from pycompare.sizes.score_truth import (
    AnswerTruth,
    NormalScores,
    ScoreTruth,
    effects_of,
)
from pycompare.sizes.stated_truth import (
    MetricKind,
    Need,
    StatedTruth,
    effects_by_metric,
    require,
)

_ROLES = ("cluster", "group", "replicate")
"""Columns whose contents the truth states."""


def score_study(
    planned: PlanFile,
    truth: StatedTruth,
    n_algorithms: int | None,
    seed: int,
    sizes: list[int],
) -> ScoreStudy:
    """Return the study of a plan of scores, or reject missing and unused parts."""
    for size in sizes:
        check_countable(planned, size, known=_ROLES)
    labels = labels_of(planned, n_algorithms)
    _require_counted(planned)
    in_folds = planned.plan.design.nested and (
        truth.fold_sd is not None or not settled_by_data_sets(planned.plan)
    )
    plan = planned.plan if in_folds else plan_of_blocks(planned)
    metrics = planned.metrics
    if plan.metrics:
        metrics = tuple(m for m in metrics if m.name in plan.metrics)
    _require_effects(truth)
    kinds = {m.name: _kind(plan, truth, m.name) for m in metrics}
    _require_truth(planned, plan, truth, kinds, in_folds)
    groups = None if truth.group_shares is None else BlockGroups(truth.group_shares)
    dependence = _dependence(plan, truth, len(metrics), in_folds)
    return ScoreStudy(
        plan,
        labels,
        metrics,
        _truths(plan, truth, labels, metrics, kinds, groups),
        seed,
        dependence,
        groups,
        _folds(truth, metrics) if in_folds else None,
        joint=len(metrics) > 1 and plan.design.of_folds and plan.together != "no",
    )


def _require_counted(planned: PlanFile) -> None:
    """Reject plans whose conclusions a number of blocks does not settle."""
    plan, roles = planned.plan, planned.roles
    if plan.compares == "bayes":
        raise InputError(
            setting("compares", "bayes")
            + ": posterior probabilities decide nothing at a stated error rate, so "
            "they have no power; plan the tests beside them"
        )
    if plan.design.nested and plan.quantity == MODEL:
        raise InputError(
            setting("compares", MODEL.name)
            + ": its conclusions concern just these data sets, and how algorithms "
            "differ on each of them is no number of data sets; plan "
            + setting("compares", "means")
        )
    if plan.items_scope == "fixed":
        raise InputError(
            setting("items_scope", "fixed")
            + ": its conclusions concern just these items, and how algorithms differ "
            "on each of them is no number of items; plan "
            + setting("items_scope", "sampled")
        )
    if plan.design.nested and roles.replicate is not None:
        raise InputError(
            f"{planned.name} has runs of folds, {setting('replicate', roles.replicate)}"
            ": their means are the scores of the folds; leave replicate out in a copy "
            "and state the spread of these means"
        )


def _require_effects(truth: StatedTruth) -> None:
    """Reject a truth without any effect."""
    if not truth.effects and not truth.group_effects:
        raise InputError(
            setting("effects")
            + ": state the effect of one algorithm or more; of a margin between equal "
            "algorithms it is 0"
        )


def _kind(plan: Plan, truth: StatedTruth, metric: str) -> MetricKind:
    """Return which kind of scores a metric has; only cases have right/wrong ones."""
    answers = truth.of("answers", metric)
    if not plan.design.of_cases:
        if answers is not None:
            raise InputError(
                setting("answers", answers)
                + f" has no use with blocks = {plan.blocks!r}: leave it out"
            )
        return "graded"
    if answers not in get_args(MetricKind):
        raise InputError(
            (setting("answers") if answers is None else setting("answers", answers))
            + ": state which kind of answers the cases have, 'right/wrong' or 'graded'"
        )
    kind: MetricKind = answers
    return kind


def _require_truth(
    planned: PlanFile,
    plan: Plan,
    truth: StatedTruth,
    kinds: Mapping[str, MetricKind],
    in_folds: bool,
) -> None:
    """Reject missing and unused parts of the truth."""
    names = tuple(kinds)
    graded = tuple(name for name, kind in kinds.items() if kind == "graded")
    answered = tuple(name for name in names if name not in graded)
    roles = planned.roles
    clustered, grouped = roles.cluster is not None, roles.group is not None
    runs = roles.replicate is not None
    folds = plan.design.one_dataset or in_folds
    needs = {
        "correlation": Need("that of the scores of two algorithms over blocks", names),
        "sd": Need("the spread of the scores over blocks", graded),
        "base": Need("the share of right answers without an effect", answered),
        "answers": Need("the kind of answers", plan.design.of_cases),
        "fold_correlation": Need(
            "the correlation of a difference in two folds, 0 if they share nothing",
            folds,
        ),
        "fold_sd": Need(
            "the spread of the scores over the folds of a data set",
            names if in_folds else (),
        ),
        "folds_per_dataset": Need("the folds of each data set", in_folds),
        "per_cluster": Need("the blocks of each cluster", clustered),
        "cluster_correlation": Need(
            "the correlation of scores on two blocks of a cluster", clustered
        ),
        "n_runs": Need("the runs of each algorithm on each block", runs),
        "run_correlation": Need(
            "the correlation of a difference in two runs of one block", runs
        ),
        "shared_run_correlation": Need(
            "the correlation of a difference on two blocks in one run, 0 if runs have "
            "no effect",
            runs and plan.crosses_runs,
        ),
        "metric_correlation": Need(
            "the correlation of a difference in two metrics", len(names) > 1
        ),
        "group_shares": Need("the share of blocks of each group", grouped),
        "group_effects": Need("effects in some groups", False, possible=grouped),
    }
    require(truth, needs, names, _without(planned, plan, truth))
    if clustered and truth.per_cluster == 1:
        raise InputError(
            setting("per_cluster", truth.per_cluster)
            + ": a cluster of one block is no cluster; leave the cluster out in a copy "
            "of the plan"
        )


def _without(planned: PlanFile, plan: Plan, truth: StatedTruth) -> str:
    """Return what has no use for the rest of the truth."""
    of_clusters = truth.per_cluster or truth.cluster_correlation is not None
    if of_clusters and planned.roles.cluster is None:
        return "a plan without clusters"
    if truth.group_shares and planned.roles.group is None:
        return "a plan without groups"
    if truth.n_runs is not None and planned.roles.replicate is None:
        return "a plan without runs"
    answers = truth.answers
    if isinstance(answers, str):
        return f"{answers} answers"
    return f"blocks = {plan.blocks!r}"


def _dependence(
    plan: Plan, truth: StatedTruth, n_metrics: int, in_folds: bool
) -> Dependence:
    """Return what scores share."""
    clusters, runs = ALONE, BlockRuns()
    if truth.per_cluster is not None:
        clusters = BlockClusters(truth.per_cluster, truth.cluster_correlation or 0.0)
    if truth.n_runs is not None:
        runs = BlockRuns(
            truth.n_runs,
            truth.run_correlation or 0.0,
            truth.shared_run_correlation or 0.0,
            fixed=plan.runs_scope == "fixed",
        )
    folds = 0.0 if in_folds else truth.fold_correlation or 0.0
    between = truth.metric_correlation or 0.0
    return Dependence(clusters, runs, n_metrics, between, folds)


def _folds(truth: StatedTruth, metrics: tuple[Metric, ...]) -> FoldNoise:
    """Return the folds of data sets."""
    assert truth.folds_per_dataset is not None and truth.fold_correlation is not None
    sds = tuple(truth.of("fold_sd", metric.name) for metric in metrics)
    return FoldNoise(truth.folds_per_dataset, sds, truth.fold_correlation)


def _truths(
    plan: Plan,
    truth: StatedTruth,
    labels: tuple[str, ...],
    metrics: tuple[Metric, ...],
    kinds: Mapping[str, MetricKind],
    groups: BlockGroups | None,
) -> dict[tuple[str | None, str], ScoreTruth]:
    """Return the truth of each group and metric."""
    names = tuple(metric.name for metric in metrics)
    every = effects_by_metric(truth.effects, names)
    own: dict[str, Any] = {}
    for group, effects in (truth.group_effects or {}).items():
        if groups is None or group not in groups.names:
            there = "" if groups is None else f"; there are {show_all(groups.names)}"
            raise InputError(
                setting("group_effects", dict(truth.group_effects or {}))
                + f": no group is called {show(group)}{there}"
            )
        own[group] = effects_by_metric(effects, names, "group_effects")
    drawn = (None,) if groups is None else groups.names
    return {
        (group, name): _truth(
            plan,
            truth,
            labels,
            name,
            kinds[name],
            every[name] | (own.get(group, {}) if group else {}).get(name, {}),
        )
        for group in drawn
        for name in names
    }


def _truth(
    plan: Plan,
    truth: StatedTruth,
    labels: tuple[str, ...],
    metric: str,
    kind: MetricKind,
    effects: dict[str, float],
) -> ScoreTruth:
    """Return the truth of one metric."""
    neutral = 1.0 if plan.as_ratios else 0.0
    given: dict[str, Any] = {
        "effects": effects_of(effects, labels, neutral=neutral),
        "correlation": truth.of("correlation", metric),
    }
    if kind == "right/wrong":
        return AnswerTruth(**given, base=truth.of("base", metric))
    return NormalScores(**given, sd=truth.of("sd", metric), as_ratios=plan.as_ratios)
