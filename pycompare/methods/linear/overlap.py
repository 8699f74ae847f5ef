"""Folds that share training data: how much wider their means are spread.

Differences of algorithms on J folds of a data set are equally correlated. With
q = n_test / n_train the correlation is q / (1 + q) (Nadeau and Bengio 2003), so that
the variance of their mean is 1 + J q times the estimate from the spread of the folds.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import DesignError, InputError
from pycompare.base.labels import show
from pycompare.base.typing import Floats, Sizes
from pycompare.data.scores import Scores
from pycompare.methods.linear.design import BlockDesign
from pycompare.methods.pairs.overlap import ratio_of_sizes


def block_overlap(
    scores: Scores, n_train: Sizes | None, n_test: Sizes | None
) -> Floats | None:
    """Return n_test / n_train of each block; None without a correction.

    Raises
    ------
    InputError
        If only one is given, a size is not positive, or a data set has none.
    """
    if n_train is None and n_test is None:
        return None
    labels = scores.datasets or ("",) * scores.n_blocks
    ratios = {
        name: ratio_of_sizes(
            _size_of(n_train, name, "n_train"), _size_of(n_test, name, "n_test")
        )
        for name in dict.fromkeys(labels)
    }
    return np.array([ratios[name] for name in labels])


def _size_of(sizes: Sizes | None, dataset: str, name: str) -> float | None:
    """Return the size for one data set."""
    if not isinstance(sizes, Mapping):
        return sizes
    if dataset not in sizes:
        of = f"data set {show(dataset)}" if dataset else "blocks without a data set"
        raise InputError(f"{name}: the table has no size for {of}")
    return sizes[dataset]


def dataset_ratios(overlaps: Floats, numbers: NDArray[np.int_]) -> Floats:
    """Return 1 + J q of each data set; ``numbers`` are the data sets of blocks."""
    sums: Floats = np.bincount(numbers, weights=overlaps).astype(float)
    return 1 + sums  # J q, since q is the same for all J folds


def variance_ratio(overlaps: Floats | None, design: BlockDesign) -> float:
    """Return how many times the variance of a mean over all folds becomes.

    1 without a correction. The mean over folds of 1 + J q, since a difference over all
    folds weights each data set by its J folds.

    Raises
    ------
    DesignError
        One-way, or if cells are missing: a difference then rests on other folds
        than the next, and no single number corrects all.
    """
    if overlaps is None:
        return 1.0
    if not design.blocked:
        raise DesignError(
            "n_train and n_test correct for folds that share training data, and "
            "blocked=False assumes independent rows: leave one out"
        )
    if not design.present.all():
        raise DesignError(
            "n_train and n_test need every algorithm on every fold; read the scores "
            'with missing="drop-block", or use corrected_pairs'
        )
    numbers = design.datasets
    owner = np.zeros(len(overlaps), int) if numbers is None else numbers
    return float(dataset_ratios(overlaps, owner)[owner].mean())
