"""Differences of AUCs on the same cases: exact counts, variances, all together."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pycompare.kernels.placements import doubled_placements
from pycompare.typing import Bools, Floats, Ints

_RELATIVE = 1e-10
"""Directions with less than this share of the variances have none. Rounding is near
1e-15; a difference in one of 1e4 x 1e4 pairs of cases is above it."""


@dataclass(frozen=True)
class Differences:
    """AUCs of classifiers, all differences, and the test that all are equal.

    Attributes
    ----------
    area : ndarray, shape (k,)
    covariance : ndarray, shape (k, k)
    estimate, variance : ndarray, shape (k, k)
        Row minus column, from differences of whole counts: a variance is exactly 0
        where two classifiers put every pair of cases in the same order.
    statistic : float
        Quadratic form of the differences in the inverse of their covariance.
    rank : int
        Differences that have a variance of their own: the degrees of freedom.
    unexplained : bool
        Whether a direction without variance has a difference that is not 0.
    """

    area: Floats
    covariance: Floats
    estimate: Floats
    variance: Floats
    statistic: float
    rank: int
    unexplained: bool


@dataclass(frozen=True)
class Sides:
    """Doubled placements, or whole-numbered contrasts of them, by class.

    Attributes
    ----------
    positive : ndarray of int64, shape (k, n1)
    negative : ndarray of int64, shape (k, n0)
    """

    positive: Ints
    negative: Ints

    @property
    def area(self) -> Floats:
        """AUCs, or contrasts of AUCs: one division from exact."""
        pairs = self.positive.shape[1] * self.negative.shape[1]
        return np.asarray(self.positive.sum(axis=1) / (2 * pairs))

    @property
    def covariance(self) -> Floats:
        """Covariance matrix of the areas."""
        n1, n0 = self.positive.shape[1], self.negative.shape[1]
        # DeLong et al. (1988): S = S10 / n1 + S01 / n0.
        return _covariance(self.positive, n0) / n1 + _covariance(self.negative, n1) / n0

    def minus_first(self) -> Sides:
        """Return the contrasts of all later rows with the first."""
        return Sides(
            self.positive[1:] - self.positive[0], self.negative[1:] - self.negative[0]
        )

    def pair(self, i: int, j: int) -> Sides:
        """Return one row, row i minus row j."""
        return Sides(
            (self.positive[i] - self.positive[j])[None],
            (self.negative[i] - self.negative[j])[None],
        )


def _covariance(counts: Ints, n_others: int) -> Floats:
    """Return covariances of placements, given as doubled counts of the other class.

    The counts are shifted by whole numbers near their means, so that the sums of
    products are whole numbers, exact below 2^53.
    """
    n = counts.shape[1]
    shift = np.rint(counts.sum(axis=1, keepdims=True) / n)
    d = counts - shift
    sums = counts.sum(axis=1) - n * shift[:, 0]
    # Not d @ d.T: for a few long rows BLAS waits for its threads on a busy machine.
    products = np.einsum("in,jn->ij", d, d) - np.outer(sums, sums) / n
    return np.asarray(products / (n - 1) / (2 * n_others) ** 2)


def differences(truth: Bools, score: Floats) -> Differences:
    """Return the differences of the AUCs of k classifiers.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
        At least two cases of each class.
    score : ndarray, shape (k, n)
    """
    doubled = doubled_placements(truth[None], score)
    sides = Sides(doubled[:, truth], doubled[:, ~truth])
    k = len(doubled)
    estimate, variance = np.zeros((k, k)), np.zeros((k, k))
    for i, j in combinations(range(k), 2):
        pair = sides.pair(i, j)
        estimate[i, j] = pair.area[0]
        variance[i, j] = pair.covariance[0, 0]
    return Differences(
        sides.area,
        sides.covariance,
        estimate - estimate.T,
        variance + variance.T,
        *quadratic_form(sides.minus_first()),
    )


def quadratic_form(contrasts: Sides) -> tuple[float, int, bool]:
    """Return statistic, rank, and whether a difference has no variance.

    Any contrasts of full rank give the same statistic; here all are with the first.
    """
    area, covariance = contrasts.area, contrasts.covariance
    moving = np.diag(covariance) > 0
    unit = np.sqrt(np.diag(covariance))[moving]
    values, vectors = np.linalg.eigh(
        covariance[np.ix_(moving, moving)] / np.outer(unit, unit)
    )
    projected = vectors.T @ (area[moving] / unit)
    used = values > _RELATIVE * len(unit)
    # Without variance, a difference of half a pair is large in standard errors.
    left = np.abs(projected[~used]) > 1e-6
    unexplained = bool(left.any() or np.any(area[~moving]))
    # DeLong et al. (1988): (L A)' (L S L')^- (L A), chi2 on the rank of L S L'.
    statistic = float(np.sum(projected[used] ** 2 / values[used]))
    return statistic, int(used.sum()), unexplained
