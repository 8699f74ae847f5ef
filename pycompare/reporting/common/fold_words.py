"""Sentences about folds that all analyses over them share."""

from __future__ import annotations

from collections.abc import Collection

from pycompare.analyses.group_comparison import GroupComparison
from pycompare.formatting.numbers import number
from pycompare.plans.fields import Protocol
from pycompare.plans.post_hoc import MEANS, described
from pycompare.reporting.common.words import listing

GENERALISES = (
    "The blocks are folds of one data set. The result is about other training sets "
    "drawn from the same data, with the same test data at hand; it says nothing about "
    "other data sets, and nothing about other cases."
)
UNKNOWN = (
    "The plan does not say how the folds were made (set --protocol), so the scope of "
    "conclusions is the narrowest one."
)
NEW_SETS = (
    "The blocks are folds of one data set. The conclusions concern new training and "
    "test sets drawn from this one data set, not other data sets."
)
WHICH_SETS = (
    "The plan does not say how the folds were made (set --protocol). The corrected t "
    "tests are for cross-validation and random splits, not for training sets that are "
    "all tested on one test set."
)
ABOUT: dict[Protocol, str] = {
    "cross-validation": "The blocks are folds of a cross-validation of one data set: "
    "each case is tested once a run, by an algorithm that was trained on the others. "
    "The result is about the algorithms, trained on sets of this size that are drawn "
    "as these data were, not about the classifiers that were trained; it says nothing "
    "about other data sets.",
    "resampling": "The blocks are random splits of one data set, test sets included. "
    "The result is about the algorithms, trained on sets of this "
    "size that are drawn as these data were, not about the classifiers that were "
    "trained; it says nothing about other data sets.",
    "held-out": "The blocks are training sets of one data set, all tested on one and "
    "the same test set. The result is about other training sets with these very test "
    "cases; it says nothing about other cases, and nothing about other data sets. No "
    "correction changes that: the corrected resampled t test, which is for changing "
    "test sets, rejects 98 % of true nulls about new cases here, and is refused. For "
    "new cases compare over cases (pc.delong, pc.mcnemar).",
}
"""What a verdict over folds is about, by how they were made."""
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


OVERLAP: dict[Protocol, str] = {
    "cross-validation": "Training sets of a cross-validation overlap",
    "resampling": "Training sets of random splits overlap",
}


def caveats(comparison: GroupComparison) -> list[str]:
    """Return what a verdict over folds is about, and what it rests on."""
    return [*about(comparison), *shared(comparison)]


def about(comparison: GroupComparison) -> list[str]:
    """Say what a verdict over folds of one data set is about."""
    protocol = comparison.plan.protocol
    if protocol is not None:
        return [ABOUT[protocol]]
    if corrected_tests_decide(comparison):
        return [NEW_SETS, WHICH_SETS]
    return [GENERALISES, UNKNOWN]


def corrected_tests_decide(comparison: GroupComparison) -> bool:
    """Tell whether corrected resampled t tests make the verdict."""
    plan, two = comparison.plan, comparison.scores.n_algorithms == 2
    return plan.overlap is not None and (two or plan.decisive not in MEANS)


def shared(comparison: GroupComparison) -> list[str]:
    """Say what shared training data does to the tests, and what the plan does to it."""
    protocol, corrected = comparison.plan.protocol, comparison.plan.corrects
    if protocol == "held-out":
        return [HELD_OUT]
    if protocol is None:
        return [SHARED, *([] if corrected else [GIVE_SIZES])]
    return [f"{OVERLAP[protocol]}. {SHARED}", *([] if corrected else [NOT_CORRECTED])]


def no_correction(comparison: GroupComparison) -> str:
    """Say why there are no corrected tests."""
    held_out = comparison.plan.protocol == "held-out"
    return ONE_TEST_SET if held_out else GIVE_SIZES


ONE_TEST_SET = (
    "There are none for one test set (protocol = held-out): the correction is for test "
    "sets that change with the training sets."
)
HELD_OUT = (
    "Training sets that share cases make scores dependent, and tests that take folds "
    "as independent then reject too often even for these test cases."
)
NOT_CORRECTED = (
    "The tests here take these scores as independent, since the sizes of the sets are "
    "not in the plan (n_train, n_test; --train N --test N): they reject too often, and "
    "even a small p-value may not survive the correction."
)


def within_data_sets(comparison: GroupComparison) -> list[str]:
    """Say what how the folds were made means for tests within each data set."""
    protocol, corrected = comparison.plan.protocol, comparison.plan.corrects
    if protocol is None:
        return []
    start = f"Within each data set: {ABOUT[protocol]}"
    if protocol == "held-out":
        return [start, HELD_OUT]
    end = (
        "wins on a data set, the model of all folds and the interaction are corrected "
        "for that"
        if corrected
        else "wins on a data set, the model of all folds and the interaction are not "
        "corrected for that, since the sizes of the sets are not in the plan (n_train, "
        "n_test), and reject too often"
    )
    return [start, f"{OVERLAP[protocol]}: {end}."]


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
    sizes = plan.sizes()
    assert sizes is not None
    if plan.n_train is None:
        return of_folds([int(sizes["n_train"]) + 1])
    return ", ".join(f"{name} = {number_of(size)}" for name, size in sizes.items())


def of_folds(counts: Collection[int]) -> str:
    """Say what follows from the number of folds of a cross-validation."""
    low, high = min(counts), max(counts)
    if low == high:
        return f"n_test/n_train = 1/{low - 1}, {low}-fold cross-validation"
    return (
        f"n_test/n_train = 1/(k - 1), k-fold cross-validation, k from {low} to {high}"
    )


def number_of(size: float) -> str:
    """Return a size as it was given."""
    return f"{size:.10g}"


def times(ratio: float) -> str:
    """Say how much larger the corrected variance is."""
    return f"{number(ratio, 3)} times the variance that independent folds would have"
