"""Sentences that both roads over folds of one data set share."""

from __future__ import annotations

from pycompare.plans.post_hoc import described
from pycompare.procedure.group_comparison import GroupComparison
from pycompare.reporting.numbers import number
from pycompare.reporting.words import listing

GENERALISES = (
    "The blocks are folds of one data set. The result is about other training sets "
    "drawn from the same data, with the same test data at hand; it says nothing about "
    "other data sets, and nothing about other cases."
)
SHARED = (
    "Folds share training data, so their scores are not independent: tests that take "
    "them as independent underestimate the error, and reject too often (Nadeau and "
    "Bengio 2003: the variance of a mean over k folds is more nearly "
    "(1/k + n_test/n_train) times that of one fold than 1/k times)."
)
GIVE_SIZES = (
    "The sizes of training and test sets are not in the plan (n_train, n_test; --train "
    "N --test N), so nothing here is corrected for that: even a small p-value may not "
    "survive the correction."
)
READ_AS_NORMAL = (
    "Checks of the assumptions stand beside the analysis and never change it: a small "
    "p-value of a check is a reason to read the rank analysis beside it, and a large "
    "one is no proof, with few folds least of all."
)


def caveats(comparison: GroupComparison) -> list[str]:
    """Return what a verdict over folds is about, and what it rests on."""
    open_sizes = comparison.plan.overlap is None
    return [GENERALISES, SHARED, *([GIVE_SIZES] if open_sizes else [])]


def blocks_are(comparison: GroupComparison) -> str:
    """Say what the blocks are, and who said so."""
    datasets = comparison.scores.datasets
    of = f", {datasets[0]}," if datasets is not None else ""
    if comparison.asked.blocks == "folds":
        return f"Blocks are folds of one data set{of} as planned."
    return (
        f"Blocks are folds of one data set{of} since the data set column holds that "
        "one alone. Plan blocks='folds' (--blocks folds) to say so yourself."
    )


def together(comparison: GroupComparison) -> list[str]:
    """Say what is done with several metrics at once."""
    if comparison.together is None:
        left_out = comparison.plan.together == "no" and len(comparison.analyses) > 1
        return ["Metrics are not compared together, as planned."] if left_out else []
    pairs = (
        ""
        if comparison.together.pairs is None
        else f" Pairs of mean vectors are compared by paired T2, adjusted by "
        f"{described(comparison.together.pairs.adjust).title}."
    )
    return [
        "All metrics together are compared by a blocked multivariate analysis of "
        f"variance; Wilks' Lambda makes its verdict.{pairs} It is a question of its "
        "own, and no metric's verdict waits for it."
    ]


def randomness(comparison: GroupComparison, *uses: str) -> str:
    """Return the seed and what it is for; ``uses`` are what pictures use it for."""
    found = comparison.together
    test = None if found is None else found.permutation
    if test is not None and test.seed is not None:
        uses = (*uses, "the permutation p-value of all metrics together")
    if not uses:
        return "none: no step of this analysis is random"
    return f"{comparison.plan.seed}, for {listing(uses)}; no verdict is random"


def together_limits(comparison: GroupComparison) -> list[str]:
    """Return what the tests of several metrics at once rest on."""
    if comparison.together is None:
        return []
    return [
        "The multivariate analysis of variance takes errors as multivariate normal "
        "with one covariance matrix; paired T2 takes each pair's differences so, with "
        "a matrix of their own. The permutation test takes algorithms without a "
        "difference as exchangeable within folds, in spread too."
    ]


def sizes(comparison: GroupComparison) -> str:
    """Return the sizes of the sets in words."""
    plan = comparison.plan
    assert plan.n_train is not None and plan.n_test is not None
    return f"n_train = {number_of(plan.n_train)}, n_test = {number_of(plan.n_test)}"


def number_of(size: float) -> str:
    """Return a size as it was given."""
    return f"{size:.10g}"


def times(ratio: float) -> str:
    """Say how much larger the corrected variance is."""
    return f"{number(ratio, 3)} times the variance that independent folds would have"
