"""Wins, losses and effective sizes of pairs that answer the same cases."""

from __future__ import annotations

import math

import numpy as np

from pycompare.base.errors import DesignError
from pycompare.base.typing import Floats, Ints
from pycompare.data.blocks import Blocks, cluster_totals
from pycompare.data.scores import Scores
from pycompare.kernels import cluster_means
from pycompare.kernels import matched_pairs as kernel
from pycompare.methods.cases.answers import n_answers, right_answers_of
from pycompare.methods.pairs.mcnemar_pairs import binary

FEWEST_CLUSTERS = 20
"""Of the score test at its effective size."""


def runs_of(scores: Scores, blocks: Blocks) -> float | None:
    """Return the answers per case; None if it has one. Reject other scores."""
    if scores.runs is None:
        binary(blocks)
        return None
    return n_answers(
        right_answers_of(scores, blocks, method="runs", what="the score test is for")
    )


def share_counts(
    scores: Scores, blocks: Blocks, pairs: list[tuple[int, int]], n_runs: float | None
) -> dict[str, Floats]:
    """Return the columns of each pair before any test.

    Returns
    -------
    dict of ndarray
        ``estimate``, ``std_error`` and ``df`` of the mean difference, ``only_1`` and
        ``only_2`` (sums of the positive and of the negative differences of cases), and
        ``n_effective``.
    """
    x = np.abs(blocks.values)
    n = len(x)
    totals = cluster_totals(blocks, scores.clusters)
    units = len(totals.values)
    if scores.clusters is not None and units < FEWEST_CLUSTERS:
        raise DesignError(
            f"{units} clusters are too few for the score test at its "
            f"effective size; it takes {FEWEST_CLUSTERS}"
        )
    first, second = np.array(pairs).T
    if scores.clusters is None and n_runs is None:
        both = x.T @ x  # cases that two algorithms answer right: whole, and so exact
        right = both.diagonal()
        only_1, only_2 = (right[at] - both[first, second] for at in (first, second))
        return counted_once(only_1.astype(np.int64), only_2.astype(np.int64), n)
    only_1, only_2, squares = _sums(x, first, second)
    mean = (only_1 - only_2) / n
    if scores.clusters is None:
        variance = np.maximum(squares - n * mean**2, 0.0) / (n - 1) / n
        df = n - 1.0
    else:
        variance = _robust_variances(totals, first, second)
        df = cluster_means.degrees_of_freedom(totals.cases)
    most = float(n * (n_runs or 1))
    *_, size = kernel.effective_counts(only_1, only_2, n, variance, units, most)
    if n_runs is None:  # counts
        only_1, only_2 = only_1.astype(np.int64), only_2.astype(np.int64)
    return {
        "estimate": mean,
        "std_error": np.sqrt(variance),
        "df": np.full(len(pairs), df),
        "only_1": only_1,
        "only_2": only_2,
        "n_effective": size,
    }


def counted_once(only_1: Ints, only_2: Ints, n: int) -> dict[str, Floats]:
    """Return the columns of `share_counts` for independent cases with one answer."""
    mean = (only_1 - only_2) / n
    variance = np.maximum((only_1 + only_2) / n - mean**2, 0.0) / n
    return {
        "estimate": mean,
        "std_error": np.sqrt(variance),
        "df": np.full(len(mean), math.inf),
        "only_1": only_1,
        "only_2": only_2,
        "n_effective": np.full(len(mean), float(n)),
    }


def _sums(x: Floats, first: Ints, second: Ints) -> tuple[Floats, Floats, Floats]:
    """Return sums of positive and negative parts of differences, and of squares."""
    above, below, squares = np.zeros((3, len(first)))
    for place, (i, j) in enumerate(zip(first, second, strict=True)):
        d = x[:, i] - x[:, j]
        above[place], below[place] = d[d > 0].sum(), -d[d < 0].sum()
        squares[place] = d @ d
    return above, below, squares


def _robust_variances(totals: Blocks, first: Ints, second: Ints) -> Floats:
    """Return CR2 variances of mean differences over cases in clusters."""
    x, sizes = np.abs(totals.values), totals.cases
    n = sizes.sum()
    d = x[:, first] - x[:, second]
    residual = d - sizes[:, None] * d.sum(axis=0) / n
    [variance] = cluster_means.variances(residual, sizes, totals.codes)
    return np.asarray(variance / n**2)
