"""Sentences about folds: what conclusions over them concern, and shared training data.

The correction for shared training data is stated here and nowhere else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from pycompare.base.formatting.numbers import number
from pycompare.designs.group_comparison import GroupComparison
from pycompare.designs.pair_methods import MEANS, described
from pycompare.designs.plans.fields import FoldProtocol
from pycompare.methods.pairs.overlap import LARGEST

GENERALISES = (
    "The blocks are folds of one data set. The conclusions concern other training sets "
    "drawn from the same data with the same test data, not other data sets or cases."
)
UNKNOWN = (
    "The plan does not say how the folds were made (set --protocol), so the scope of "
    "conclusions is the narrowest one."
)
NEW_SETS = (
    "The conclusions concern new training and test sets drawn from this one data set, "
    "not other data sets."
)
WHICH_SETS = (
    "The plan does not say how the folds were made (set --protocol). If all training "
    "sets share one test set, the corrected tests do not apply."
)
_OF_THIS_SIZE = (
    "The conclusions concern the algorithms, trained on sets of this size drawn like "
    "these. They do not extend to the trained classifiers or to other data sets."
)
ABOUT: dict[FoldProtocol, str] = {
    "cross-validation": "The blocks are folds of a cross-validation of one data set. "
    + _OF_THIS_SIZE,
    "resampling": "The blocks are random splits of one data set, each with its own "
    f"test set. {_OF_THIS_SIZE}",
    "held-out": "The blocks are training sets of one data set, all tested on one test "
    "set. The conclusions concern other training sets with these test cases, not other "
    "cases or data sets. No correction changes that; for new cases compare the "
    "predictions (generalise).",
    "disjoint": "The blocks are training sets of one data set that share no case. "
    + _OF_THIS_SIZE,
}
"""What conclusions over folds concern, by how the folds were made."""
SHARED = (
    "Folds share training data, so their scores are correlated. Tests that assume "
    "independent folds reject too often (Nadeau and Bengio 2003). The variance of a "
    "mean over k folds is about (1/k + n_test/n_train) times that of one fold, not 1/k "
    "times. With learners that change much from one training set to the next it is "
    "larger still."
)
_PUBLISHED = (
    "Nominal 0.05. The overlap term is the published one (c = 1, as specified). On "
    "repeated cross-validation this test rejected up to "
    f"{LARGEST.published:.2f} of true null hypotheses with real learners. An "
    f"artificial learner reached {LARGEST.published_artificial:.2f}."
)
_ENLARGED = (
    "Nominal 0.05. The usual corrected t test on repeated cross-validation rejected up "
    f"to {LARGEST.published:.2f} of true null hypotheses with real learners. This page "
    "enlarges the overlap term (c = {c}, chosen by simulation). Nearest neighbours, "
    f"naive Bayes and LDA then stayed at or below {LARGEST.enlarged:.2f}; decision "
    f"stumps on 60 cases reached {LARGEST.stumps:.2f} (all pairs of four: "
    f"{LARGEST.four_stumps:.2f}), and an artificial learner {LARGEST.artificial:.2f}."
)
_UNSTUDIED = (
    "The enlarged overlap term is not part of the MANOVA and T2 tests, which are not "
    "corrected for shared training data."
)
OVERLAPPING = (
    "Nothing is claimed about new training sets, because these share cases (unless "
    "protocol = disjoint). Tests of them rejected 0.10 to 0.29 of true null "
    "hypotheses at a nominal 0.05, with training sets that shared 97% of their cases."
)
TO_GENERALISE = (
    "The training sets overlap (protocol = held-out), so no test of new training sets "
    "has an error rate. To test them, draw training sets that share no case and set "
    "--protocol disjoint, or compare these trained classifiers (generalise = cases)."
)
OWN_VARIANCE = "Training sets share no case; each pair has its own variance."
ONE_SET_BLOCKS = (
    "Blocks are training sets of one data set, all tested on the same cases, as the "
    "names of the cases show."
)
NOTHING_TESTED = (
    "Nothing is tested. Folds share training data, and no test of them has an error "
    "rate without the sizes of the training and test sets, which the plan lacks."
)
_SIZES = (
    "give the sizes of each training and test set (set --train and --test), or the "
    "folds of one repetition of a cross-validation (set --protocol cross-validation "
    "and --n-folds)."
)
TO_TEST = f"To test differences, {_SIZES}"
TO_TEST_EACH = f"To test differences on each data set, {_SIZES}"
ONE_TEST_SET = (
    "No corrected tests: the correction is for test sets that change with the training "
    "sets, not for one test set (protocol = held-out). It would reject 98% of true "
    "null hypotheses about new cases."
)
HELD_OUT = (
    "Training sets that share cases make scores dependent. Tests that assume "
    "independent folds then reject too often, even for these test cases."
)
WITHIN_CORRECTED = (
    "Within a data set, wins, the model of all folds and the interaction are corrected "
    "for shared training data. The ANOVA of each data set is not. The overlap term of "
    "the model and of the interaction is the published one (c = 1): larger ones have "
    "been studied for wins only."
)
WITHIN_UNCORRECTED = (
    "Within a data set, tests assume independent folds and reject too often: wins, "
    "their sign tests, the model of all folds and the interaction."
)
READ_CHECKS = (
    "Checks of assumptions never change the analysis. A small p-value is a reason to "
    "read the rank analysis; a large one proves nothing, least of all with few folds."
)


def scope(comparison: GroupComparison) -> list[str]:
    """Return the scope of conclusions and lack."""
    protocol = comparison.plan.protocol
    if protocol == "held-out":
        return [ABOUT[protocol], HELD_OUT]
    plan, two = comparison.plan, comparison.scores.n_algorithms == 2
    by_correction = two or plan.decisive not in MEANS
    corrected = plan.test_train_ratio is not None and by_correction
    level = _overlap_terms(comparison) if corrected else []
    if protocol is not None:
        return [ABOUT[protocol], *level]
    if corrected:
        return [NEW_SETS, *level, WHICH_SETS]
    return [GENERALISES, UNKNOWN]


def _overlap_terms(comparison: GroupComparison) -> list[str]:
    """Return how often corrected t tests reject true nulls with real learners."""
    plan, blocks = comparison.plan, comparison.compared
    if not plan.corrects:
        return []
    if plan.overlap != "enlarged":
        return [_PUBLISHED]
    of_each = comparison.scores.datasets if plan.design.nested else None
    counts = Counter(of_each or ("",) * blocks.n_blocks)
    corrections = [plan.correction(count, name) for name, count in counts.items()]
    terms = sorted(sizes["overlap"] for sizes in corrections if sizes)
    if not terms:
        return []
    low, high = number_of(terms[0]), number_of(terms[-1])
    return [_ENLARGED.format(c=low if low == high else f"{low} to {high}")]


def shared(comparison: GroupComparison) -> list[str]:
    """Return what shared training data do, unless the sets share none."""
    return [] if comparison.plan.protocol == "disjoint" else [SHARED]


def within_data_sets(comparison: GroupComparison) -> list[str]:
    """State how folds were made, and what that means for tests within each data set."""
    protocol = comparison.plan.protocol
    if protocol is None:
        return []
    if not comparison.plan.tests_within:
        return [f"Within each data set: {ABOUT[protocol]}"]
    end = WITHIN_CORRECTED if comparison.plan.corrects else WITHIN_UNCORRECTED
    return [
        f"Within each data set: {ABOUT[protocol]}",
        *([HELD_OUT] if protocol == "held-out" else [end, *_overlap_terms(comparison)]),
    ]


def blocks_are(comparison: GroupComparison) -> str:
    """Return the kind of blocks, and who stated it."""
    datasets = comparison.scores.datasets
    of = f" ({datasets[0]})" if datasets is not None else ""
    design = comparison.plan.design
    if comparison.asked.names_blocks and design.one_dataset:
        return f"Blocks are folds of one data set{of}, as specified."
    if design.nested:
        return "Blocks are folds of several data sets."
    if datasets is None:
        return (
            "Blocks are treated as folds of one data set: so their column is called. "
            "Set "
            "--blocks folds to declare this, or --blocks datasets if they are "
            "independent data sets."
        )
    return (
        f"Blocks are folds of one data set{of}: the data set column holds no other. "
        f"Set --blocks folds to declare this."
    )


def together(comparison: GroupComparison) -> list[str]:
    """Return the treatment of several metrics at once."""
    together = comparison.together
    if together is None:
        left_out = comparison.plan.together == "no" and len(comparison.analyses) > 1
        return ["Metrics are not compared together, as specified."] * left_out
    pairs = ""
    if together.pairs is not None:
        by = described(together.pairs.adjust).title
        pairs = f" Pairs of mean vectors are compared by paired T2, adjusted by {by}."
    return [
        f"All metrics together are compared by a blocked multivariate analysis of "
        f"variance (Wilks' Lambda).{pairs} This is a question of its own."
    ]


def uses_of_seed(comparison: GroupComparison) -> list[str]:
    """Return the random draws of the tests of several metrics."""
    together = comparison.together
    test = None if together is None else together.permutation
    if test is None or test.seed is None:
        return []
    return ["the permutation p-value of all metrics together"]


def together_limits(comparison: GroupComparison) -> list[str]:
    """Return the assumptions of the tests of several metrics at once."""
    if comparison.together is None:
        return []
    return [
        "The multivariate ANOVA assumes multivariate normal errors with one covariance "
        "matrix; paired T2 assumes so for the differences of each pair. The "
        "permutation test assumes that equal algorithms are exchangeable within folds.",
        *[_UNSTUDIED] * (comparison.plan.test_train_ratio is not None),
    ]


def sizes(comparison: GroupComparison) -> str:
    """Return the sizes of the sets in words."""
    plan = comparison.plan
    set_sizes = plan.sizes()
    assert set_sizes is not None
    if plan.n_train is None:
        return of_folds([int(set_sizes["n_train"]) + 1])
    return ", ".join(f"{name} = {number_of(size)}" for name, size in set_sizes.items())


def of_folds(counts: Collection[int]) -> str:
    """Return what follows from the number of folds of a cross-validation."""
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
    """Return how much larger the corrected variance is."""
    return f"{number(ratio, 3)} times the variance that independent folds would have"
