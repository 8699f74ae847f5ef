"""Sentences of the analysis of cases (items of one test set)."""

from __future__ import annotations

from pycompare.analyses.cases import CaseAnalysis
from pycompare.analyses.group_comparison import GroupComparison
from pycompare.formatting.counts import counted
from pycompare.plans.post_hoc import described
from pycompare.reporting.content import words
from pycompare.reporting.content.facts import states

_SCOPE = (
    "The conclusions concern these algorithms as they are, on cases like these. They "
    "do not extend to newly trained algorithms or to other benchmarks."
)
_BLOCKS = "Blocks are cases (items) of one test set, as planned."
_INDEPENDENT = (
    "Cases are taken as independent. Items that share a text, a patient or a template "
    "are not: name their clusters (--cluster)."
)
_CLUSTERS = (
    "Clusters of cases are taken as independent; cases within a cluster may depend on "
    "each other in any way. With few clusters the t tests are approximate."
)
_BY_MCNEMAR = (
    "McNemar's test counts the cases on which only one of two algorithms is right. It "
    "does not ask how hard a case is."
)
_BY_CLUSTERS = (
    "Pairs are compared by mean differences over cases, with cluster-robust (CR2) "
    "standard errors and Satterthwaite degrees of freedom."
)
_BY_T = "Pairs are compared by paired t tests over cases, each with its own variance."


def plan_sentences(comparison: GroupComparison) -> list[str]:
    """Return the plan in words."""
    first = comparison.analyses[0]
    assert isinstance(first, CaseAnalysis)
    return [
        _BLOCKS,
        _how(first),
        _adjusted(comparison.plan.adjust[0], comparison.scores.n_algorithms == 2),
        words.gate(comparison.plan.gate),
        words.as_it_stands(comparison),
    ]


def _how(analysis: CaseAnalysis) -> str:
    """Say how pairs are compared."""
    if analysis.binary:
        return _BY_MCNEMAR
    return _BY_T if analysis.n_clusters is None else _BY_CLUSTERS


@states
def _adjusted(name: str, one: bool) -> str:
    """Say how p-values are adjusted."""
    if one:
        return "There is one pair for each metric, so p-values are not adjusted."
    return f"The primary analysis adjusts pairs by {described(name).title}."


def scope(comparison: GroupComparison) -> list[str]:
    """Return the scope of the conclusions, and what limits them."""
    return [*words.gaps(comparison.scores), _SCOPE]


def limits(comparison: GroupComparison) -> list[str]:
    """Return what the analysis assumes and what it does not show."""
    clustered = comparison.scores.clusters is not None
    return [
        _CLUSTERS if clustered else _INDEPENDENT,
        *words.adjustment_limits(comparison),
        *words.doubts(comparison.compared),
        words.NOT_EQUALITY,
    ]


@states
def sample(n_cases: int, n_clusters: int | None) -> str:
    """Return how many cases were compared, in how many clusters."""
    text = counted(n_cases, "case")
    if n_clusters is None:
        return text
    return f"{text} in {counted(n_clusters, 'cluster')}"
