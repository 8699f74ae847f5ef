"""Data sets in clusters (families, domains): what a plan may ask of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pycompare.base.errors import setting
from pycompare.base.labels import show_all
from pycompare.data.reading.labels import SOURCES, first_parts
from pycompare.data.scores import Scores
from pycompare.designs.pair_methods import FLIPS
from pycompare.designs.plans.fields import DEFAULT_COMPARES, PlanFields
from pycompare.designs.plans.keys import PlanRule, rule

_LEAVE_OUT = "leave the column of clusters out (" + setting("cluster", ...) + ")"


def relates(plan: PlanFields, scores: object) -> bool:
    """Return whether the blocks are data sets in clusters."""
    if not isinstance(scores, Scores) or scores.clusters is None:
        return False
    return plan.blocks_of(scores) == "datasets"


@rule("blocks")
def _clusters_of_folds(plan: PlanFields, scores: Scores) -> str | None:
    """Reject clusters if the blocks are folds."""
    blocks = plan.blocks_of(scores)
    if scores.clusters is None or blocks in ("cases", "datasets"):
        return None
    if blocks == "folds":
        return (
            "clusters are of data sets or of cases, and the blocks are folds of one "
            "data set: " + _LEAVE_OUT
        )
    return (
        "data sets in clusters are compared by the mean of each data set's folds: set "
        + setting("average_folds", True)
        + ", or "
        + _LEAVE_OUT
    )


@rule("blocks", "compares")
def _other_quantities_of_clusters(plan: PlanFields, scores: Scores) -> str | None:
    """Reject to compare ranks or means of data sets in clusters."""
    fits = (None, DEFAULT_COMPARES, "bayes")
    if not relates(plan, scores) or plan.compares in fits:
        return None
    return (
        setting("compares", plan.compares)
        + ": its tests assume independent data sets, and these are in clusters: set "
        + setting("compares", DEFAULT_COMPARES)
        + " (whole clusters flip), or "
        + _LEAVE_OUT
    )


@rule("adjust")
def _flips_of_single_data_sets(plan: PlanFields, scores: Scores) -> str | None:
    """Reject methods that flip or permute single data sets."""
    flips = [name for name in plan.adjust if name in FLIPS]
    if not relates(plan, scores) or not flips:
        return None
    return (
        f"adjust: {', '.join(flips)}: it flips or permutes single data sets, and these "
        "are in clusters: choose holm"
    )


@rule("assumes")
def _assumption_of_clusters(plan: PlanFields, scores: Scores) -> str | None:
    """Reject the choice of an assumption if whole clusters flip."""
    if not relates(plan, scores) or plan.assumes is None:
        return None
    return (
        setting("assumes", plan.assumes)
        + " chooses among tests of independent data sets, and these are in clusters, "
        "whose differences are assumed to be jointly symmetric: leave it out"
    )


@rule(
    *("margin", "hypothesis", "margin_alpha", "range"),
    "replicates",
)
def _not_of_clusters(plan: PlanFields, scores: Scores) -> str | None:
    """Reject, key by key, settings without a form for data sets in clusters."""
    if not relates(plan, scores):
        return None
    first = next(_without_form(plan), None)
    if first is None:
        return None
    name, instead = first
    return (
        setting(name, getattr(plan, name))
        + f" has no form for data sets in clusters: {instead}, or "
        + _LEAVE_OUT
    )


def _without_form(plan: PlanFields) -> Iterator[tuple[str, str]]:
    """Yield keys that clusters of data sets do not have, and what to do instead."""
    mean = "compare the mean of each cluster as one data set"
    if plan.margin is not None:
        yield "margin", f"leave it out, {mean}"
    if plan.replicates == "keep":
        yield "replicates", "set " + setting("replicates", "average")


@rule("blocks", "groups")
def _sources_of_data_sets(plan: PlanFields, scores: Scores) -> str | None:
    """Ask whether data sets of one source depend on each other."""
    blocks = plan.blocks_of(scores)
    if scores.sources is None or scores.clusters is not None:
        return None
    if blocks not in ("datasets", "folds-of-datasets"):
        return None
    owners = dict.fromkeys(scores.datasets or scores.blocks)
    parts = first_parts(owners)
    if not parts:  # blocks were left out
        return None
    column = f"{scores.sources}/1" if scores.sources else ...
    averaged = " with " + setting("average_folds", True)
    return (
        f"sources: labels of {len(owners)} data sets begin with {len(parts)} sources ("
        f"{show_all(parts)}), and related data sets that are treated as independent "
        "give "
        "too many false decisions; set "
        + setting("cluster", column)
        + ("" if blocks == "datasets" else averaged)
        + " (each source is one cluster), name another column of clusters, or confirm "
        "that they are independent: " + setting("confirmed", (SOURCES,))
    )


def most_shared_clusters(scores: Scores) -> int:
    """Return the most clusters that two algorithms share, in every metric.

    A cluster counts if both have a score of one of its data sets.
    """
    assert scores.clusters is not None
    has = np.asarray(~np.isnan(scores.values).any(axis=2)).astype(float)
    clusters = np.array(scores.clusters, object)
    shared = np.zeros((scores.n_algorithms, scores.n_algorithms))
    for name in dict.fromkeys(scores.clusters):
        own = has[clusters == name]
        shared += own.T @ own > 0
    return int(np.max(shared[np.triu_indices(len(shared), 1)], initial=0))


RELATED_RULES: tuple[PlanRule, ...] = (
    _clusters_of_folds,
    _other_quantities_of_clusters,
    _flips_of_single_data_sets,
    _assumption_of_clusters,
    _not_of_clusters,
    _sources_of_data_sets,
)
"""Each takes a plan and scores and returns the problem and its remedy, or None."""
