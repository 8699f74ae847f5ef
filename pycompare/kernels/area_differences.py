"""Differences of AUCs on the same cases: exact counts, variances, all together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pycompare.base.typing import Bools, Floats, Ints
from pycompare.kernels.placements import doubled_placements

_RELATIVE = 1e-10
"""Directions with less than this share of the variances have none. Rounding is near
1e-15; a difference in one of 1e4 x 1e4 pairs of cases is above it."""
_EXACT = 2.0**53
"""Sums of products of whole numbers are exact below it."""


@dataclass(frozen=True)
class AreaDifferences:
    """AUCs of classifiers, all differences, and the test that all are equal.

    Attributes
    ----------
    area : ndarray, shape (k,)
    covariance : ndarray, shape (k, k)
    estimate, variance : ndarray, shape (k, k)
        Row minus column, from differences of whole counts: a variance is exactly 0
        if two classifiers put every pair of cases in the same order.
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
class PlacementCounts:
    """Doubled placements of the cases of one class, or contrasts of them.

    The counts are shifted by whole numbers near their means, so that the sums of
    products are whole numbers, exact below `_EXACT`.

    Attributes
    ----------
    n : int
        Cases.
    counts : ndarray of int64, shape (k, n), or None
        None: contrasts, of which only the sums are known.
    total : ndarray of int64, shape (k,)
        Their sums.
    shift : ndarray, shape (k,)
    products : ndarray, shape (k, k)
        Sums of products of the shifted counts.
    """

    n: int
    counts: Ints | None
    total: Ints
    shift: Floats
    products: Floats

    @classmethod
    def of(cls, counts: Ints) -> PlacementCounts:
        """Return counts with their sums."""
        n, total = counts.shape[1], counts.sum(axis=1)
        shift = np.rint(total / n)
        d = counts - shift[:, None]
        # Not d @ d.T: for few long rows BLAS waits for its threads on a busy machine.
        return cls(n, counts, total, shift, np.einsum("in,jn->ij", d, d))

    @property
    def sums(self) -> Floats:
        """Sums of the shifted counts."""
        return np.asarray(self.total - self.n * self.shift)

    def covariance(self, n_others: int) -> Floats:
        """Return covariances of placements among so many cases of the other class."""
        products = self.products - np.outer(self.sums, self.sums) / self.n
        return np.asarray(products / (self.n - 1) / (2 * n_others) ** 2)

    def later(self, i: int, n_others: int) -> tuple[Ints, Floats]:
        """Return sums of row i minus each row after it, and these rows' variances."""
        n, after = self.n, np.s_[i + 1 :]
        total = self.total[i] - self.total[after]
        shift = np.rint(total / n)
        if self._inexact:
            counts = np.asarray(self.counts)
            d = counts[i] - counts[after] - shift[:, None]
            products = np.einsum("in,in->i", d, d)
        else:
            own = self.products
            moved = self.shift[i] - self.shift[after] - shift
            products = own[i, i] + np.diag(own)[after] - 2 * own[i, after]
            sums = self.sums[i] - self.sums[after]
            products += n * moved**2 + 2 * moved * sums
        rest = products - (total - n * shift) ** 2 / n
        return total, rest / (n - 1) / (2 * n_others) ** 2

    @property
    def _inexact(self) -> bool:
        """Whether sums of products of differences of rows may be rounded."""
        return bool(8 * self.products.max() + 8 * self.n >= _EXACT)

    def contrasts(self, c: Ints) -> PlacementCounts:
        """Return the differences of rows that ``c`` (m, k) has, 1 and -1 in each row.

        Their products follow from those of the rows if all of these are exact.
        """
        n = self.n
        if self._inexact:
            return PlacementCounts.of(c @ np.asarray(self.counts))
        total = c @ self.total
        shift = np.rint(total / n)
        moved, sums = c @ self.shift - shift, c @ self.sums
        products = c @ self.products @ c.T + n * np.outer(moved, moved)
        products += np.outer(moved, sums) + np.outer(sums, moved)
        return PlacementCounts(n, None, total, shift, products)


@dataclass(frozen=True)
class Sides:
    """Placements of classifiers, or contrasts of them, by class."""

    positive: PlacementCounts
    negative: PlacementCounts

    @property
    def area(self) -> Floats:
        """AUCs, or contrasts of AUCs: one division from exact."""
        pairs = self.positive.n * self.negative.n
        return np.asarray(self.positive.total / (2 * pairs))

    @property
    def covariance(self) -> Floats:
        """Covariance matrix of the areas."""
        n1, n0 = self.positive.n, self.negative.n
        # DeLong et al. (1988): S = S10 / n1 + S01 / n0.
        return self.positive.covariance(n0) / n1 + self.negative.covariance(n1) / n0

    def first_less_others(self) -> Sides:
        """Return the first row minus each row after it."""
        rows = np.eye(len(self.positive.total), dtype=np.int64)
        c = rows[0] - rows[1:]
        return Sides(self.positive.contrasts(c), self.negative.contrasts(c))

    def later(self, i: int) -> tuple[Floats, Floats]:
        """Return areas of row i minus each row after it, and their variances."""
        n1, n0 = self.positive.n, self.negative.n
        total, of_positive = self.positive.later(i, n0)
        _, of_negative = self.negative.later(i, n1)
        return total / (2 * n1 * n0), of_positive / n1 + of_negative / n0


@dataclass(frozen=True)
class ClusterSides:
    """Totals over clusters of the doubled placements, by class, or contrasts of them.

    Attributes
    ----------
    positive, negative : ndarray of int64, shape (k, n_clusters)
        0 for a cluster without cases of the class.
    n_positive, n_negative : ndarray of int64, shape (n_clusters,)
        Cases of each cluster.
    """

    positive: Ints
    negative: Ints
    n_positive: Ints
    n_negative: Ints

    @classmethod
    def of(cls, doubled: Ints, truth: Bools, cluster: Ints) -> ClusterSides:
        """Sum placements over the clusters, whose codes are 0, 1, ... without gaps."""
        n_clusters, parts = int(cluster.max()) + 1, []
        for members in (truth, ~truth):
            totals = np.zeros((n_clusters, len(doubled)), np.int64)
            np.add.at(totals, cluster[members], doubled[:, members].T)
            parts.append(totals.T)
        sizes = (np.bincount(cluster[m], minlength=n_clusters) for m in (truth, ~truth))
        return cls(*parts, *sizes)

    @property
    def pairs(self) -> int:
        """Pairs of a positive and a negative case."""
        return int(self.n_positive.sum()) * int(self.n_negative.sum())

    @property
    def area(self) -> Floats:
        """AUCs, or contrasts of AUCs: one division from exact."""
        return np.asarray(self.positive.sum(axis=1) / (2 * self.pairs))

    @property
    def covariance(self) -> Floats:
        """Covariance matrix of the areas, clusters treated as independent.

        Obuchowski (1997) has a factor for each class and one for their product. The
        sum is written here with squares only, so that no variance is negative: a
        class is in no more clusters than both are, so its factor is not smaller.
        """
        return self._spread("in,jn->ij")

    def _spread(self, products: str) -> Floats:
        """Return the covariance matrix, or its diagonal, by sums of these products."""
        sides = [
            (_deviations(self.positive, self.n_positive), self.n_positive),
            (_deviations(self.negative, self.n_negative), self.n_negative),
        ]
        both = _of_units(len(self.n_positive))
        added = sides[0][0] + sides[1][0]
        total = both * np.einsum(products, added, added)
        for d, size in sides:
            more = _of_units(int(np.count_nonzero(size))) - both
            total += more * np.einsum(products, d, d)
        return np.asarray(total / (2 * self.pairs) ** 2)

    def _less(self, i: int) -> ClusterSides:
        """Return row i minus each row after it."""
        positive, negative = (x[i] - x[i + 1 :] for x in (self.positive, self.negative))
        return ClusterSides(positive, negative, self.n_positive, self.n_negative)

    def first_less_others(self) -> ClusterSides:
        """Return the first row minus each row after it."""
        return self._less(0)

    def later(self, i: int) -> tuple[Floats, Floats]:
        """Return areas of row i minus each row after it, and their variances."""
        pairs = self._less(i)
        return pairs.area, pairs._spread("in,in->i")


def _deviations(totals: Ints, size: Ints) -> Floats:
    """Return totals of clusters minus what cases of the mean placement would have.

    Exactly 0 if the two are equal.
    """
    n = int(size.sum())
    whole, rest = np.divmod(totals.sum(axis=1), n)
    return np.asarray((totals - np.outer(whole, size)) - np.outer(rest, size) / n)


def _of_units(n: int) -> float:
    return n / (n - 1)


def differences(
    truth: Bools, score: Floats, cluster: Ints | None = None
) -> AreaDifferences:
    """Return the differences of the AUCs of k classifiers.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
        At least two cases of each class.
    score : ndarray, shape (k, n)
    cluster : ndarray of int, shape (n,), optional
        Codes 0, 1, ... of clusters of dependent cases; each class is in two at least.
    """
    doubled = doubled_placements(truth[None], score)
    sides: Sides | ClusterSides
    if cluster is None:
        sides = Sides(
            *(PlacementCounts.of(doubled[:, members]) for members in (truth, ~truth))
        )
    else:
        sides = ClusterSides.of(doubled, truth, cluster)
    k = len(doubled)
    estimate, variance = np.zeros((k, k)), np.zeros((k, k))
    for i in range(k - 1):
        estimate[i, i + 1 :], variance[i, i + 1 :] = sides.later(i)
    return AreaDifferences(
        sides.area,
        sides.covariance,
        estimate - estimate.T,
        variance + variance.T,
        *quadratic_form(sides.first_less_others()),
    )


def quadratic_form(contrasts: Sides | ClusterSides) -> tuple[float, int, bool]:
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
