"""Data sets in clusters (families, domains), as a page presents them."""

from __future__ import annotations

from collections import Counter

from pycompare.base.formatting.counts import counted
from pycompare.data.scores import Scores
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.plans.related_rules import relates
from pycompare.reporting.content.facts import stated

SCOPE = (
    "The conclusions concern clusters of data sets like these, assumed to be "
    "independent of one another. Data sets of one cluster may depend on each other."
)
_IGNORED = (
    "Families of related data sets are not independent: treated as if they were, "
    "{least} "
    "to {most} of simulated tables had a false decision at {level}."
)
_FOUND = {"least": "0.11", "most": "0.76", "level": "0.05"}
"""What dependence does; from validation/RELATED_DATASETS.md, as `LARGEST_ERROR`."""
UNDECLARED = (
    "No data set column states the kind of blocks, so they are assumed to be data sets "
    "in clusters. If they are cases of one test set, set --blocks cases."
)
ONLY = "the one quantity for data sets in clusters"
ALONE = (
    "Mean ranks, mean differences and sign tests assume independent data sets. They "
    "are not computed."
)
LIMITS = (
    "Clusters of data sets are assumed to be independent, and the differences of a "
    "cluster jointly symmetric about their centre. Each data set has the same weight, "
    "so large clusters count more."
)
LARGEST_ERROR = (
    "Signed rank tests of clusters: nominal 0.05; if a condition fails, up to 0.15 "
    "of simulated tables had a false decision (pairs of clusters share an effect), and "
    "0.14 (skewed differences)."
)
_CLUSTERS = (
    "The data sets are in {clusters}{sizes}, given by the column of clusters. Whole "
    "clusters change their sign together, and every rule of size counts clusters."
)


def of_independent(scope: str) -> str:
    """Return a scope of independent data sets, with what dependence does."""
    return stated(f"{scope} {_IGNORED}", **_FOUND)


def in_clusters(comparison: GroupComparison) -> bool:
    """Return whether data sets in clusters are compared."""
    return relates(comparison.plan, comparison.scores)


def n_clusters(scores: Scores) -> int:
    """Return how many clusters there are."""
    return len(set(scores.clusters or ()))


def clusters_are(comparison: GroupComparison) -> str:
    """Return how many clusters there are, of how many data sets."""
    sizes = Counter(comparison.compared.clusters or ()).values()
    low, high = min(sizes), max(sizes)
    of = f"{low}" if low == high else f"{low} to {high}"
    return stated(
        _CLUSTERS,
        clusters=counted(len(sizes), "cluster"),
        sizes=f" of {of}",
    )


def noun_of(comparison: GroupComparison) -> str:
    """Return the names of the independent units over data sets."""
    return "cluster" if in_clusters(comparison) else "data set"


def n_units(comparison: GroupComparison) -> int:
    """Return how many independent units are compared: data sets, or clusters."""
    compared = comparison.compared
    return n_clusters(compared) if in_clusters(comparison) else compared.n_blocks
