"""Terms of the variance of a mean over folds that share training data.

The variance of a mean difference over k splits is s^2 (1/k + c n_test/n_train). Nadeau
and Bengio (2003) have c = 1. With it the test rejects too often, in simulations of
real learners with equal expected error. An enlarged c keeps the level with most of
them, not with decision stumps on 60 cases (``LARGEST``). It is chosen by simulation,
not by a theorem; see validation/FOLD_OVERLAP.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real

from pycompare.base.errors import InputError, setting


@dataclass(frozen=True)
class LargestErrors:
    """Largest shares of true null hypotheses that were rejected at 0.05.

    Attributes
    ----------
    published, published_artificial : float
        With c = 1: of real learners, and of an artificial one.
    enlarged : float
        With the enlarged c, of real learners other than stumps.
    stumps, four_stumps : float
        Of stumps, and family-wise of all pairs of four.
    artificial : float
    """

    published: float
    published_artificial: float
    enlarged: float
    stumps: float
    four_stumps: float
    artificial: float


LARGEST = LargestErrors(0.27, 0.53, 0.04, 0.11, 0.14, 0.41)
"""What pages print; a test holds them against validation/fold_overlap.json."""
PUBLISHED = 1.0
"""The overlap term of Nadeau and Bengio (2003)."""
MOST_FOLDS = 10
"""Folds of a single run up to which the enlarged term has been studied."""
_FEW_FOLDS, _LEAST, _MOST_OF_A_RUN = 5, 1.25, 1.75
_AT_NO_TEST, _SLOPE = 2.7, 4.5


def ratio_of_sizes(n_train: float | None, n_test: float | None) -> float:
    """Return n_test / n_train, 0 without a correction."""
    if n_train is None and n_test is None:
        return 0.0
    if n_train is None or n_test is None:
        raise InputError(
            "give both "
            + setting("n_train")
            + " and "
            + setting("n_test")
            + ", or neither"
        )
    if not (0 < n_train < math.inf and 0 < n_test < math.inf):
        raise InputError(
            setting("n_train", n_train)
            + ", "
            + setting("n_test", n_test)
            + ": give the positive sizes of a "
            "training set and its test set"
        )
    return n_test / n_train


def overlap_term(n_train: float | None, n_test: float | None, overlap: float) -> float:
    """Return ``overlap`` n_test / n_train, 0 without a correction; reject bad values.

    Examples
    --------
    >>> overlap_term(90, 10, 2.25)
    0.25
    """
    given: object = overlap
    number = isinstance(given, Real) and not isinstance(given, bool)
    if not number or not 0 < overlap < math.inf:
        raise InputError(
            setting("overlap", overlap)
            + ": give a positive number; 1 is the published "
            "correction (Nadeau and Bengio 2003)"
        )
    ratio = ratio_of_sizes(n_train, n_test)
    if not ratio and overlap != PUBLISHED:
        raise InputError(
            setting("overlap", overlap)
            + " is of the correction for shared training data: give "
            + setting("n_train")
            + " and "
            + setting("n_test")
            + ", or leave it out"
        )
    return overlap * ratio


def folds_of_run(n_train: float, n_test: float) -> int:
    """Return the folds of one repetition of a cross-validation, by its sizes.

    Examples
    --------
    >>> folds_of_run(90, 10), folds_of_run(90.9, 10.1)
    (10, 10)
    """
    return round((n_train + n_test) / n_test)


def enlarged_of_run(n_folds: int) -> float:
    """Return the enlarged overlap term c of one run of a cross-validation.

    1.75 for 10 folds, 1.25 for 2 to 5, linear in between.

    Examples
    --------
    >>> [enlarged_of_run(k) for k in (2, 5, 8, 10)]
    [1.25, 1.25, 1.55, 1.75]
    """
    beyond = max(n_folds - _FEW_FOLDS, 0) / (MOST_FOLDS - _FEW_FOLDS)
    return _LEAST + beyond * (_MOST_OF_A_RUN - _LEAST)


def enlarged_of_repeats(n_train: float, n_test: float) -> float:
    """Return the enlarged overlap term c of repeated splits: max(1.25, 2.7 - 4.5 f).

    f = n_test / (n_train + n_test) is the share of cases in a test set.

    Examples
    --------
    >>> [round(enlarged_of_repeats(k - 1, 1), 6) for k in (10, 5, 4, 3, 2)]
    [2.25, 1.8, 1.575, 1.25, 1.25]
    """
    return max(_LEAST, _AT_NO_TEST - _SLOPE * n_test / (n_train + n_test))
