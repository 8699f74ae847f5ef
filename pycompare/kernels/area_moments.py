"""Moments of AUCs of normal and exponential ratings, and of DeLong's test of them.

An AUC, or the difference of two, is the mean of a score h(X, Y) over all pairs of a
positive and a negative case. Hoeffding's decomposition has a part of each case, the
projections g(X) and g(Y), and a part g12(X, Y) of each pair. Power follows from the
mean, the variance and the skewness of the statistic that the test compares with 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy import special

from pycompare.base.typing import Floats
from pycompare.kernels.bivariate_normal import both_below

_NODES = {1: 60, 2: 24}
"""Of Gauss-Hermite quadrature over each of one or two ratings of a case."""
_CELLS = 400
"""Equally probable cells of one rating, for integrals up to a rating."""


class ScoreMoments(NamedTuple):
    """Mean, standard deviation and skewness."""

    mean: float
    sd: float
    skewness: float


@dataclass(frozen=True)
class Projections:
    """Parts of a mean of scores; both classes have them alike.

    Attributes
    ----------
    mean : float
        Of the score: an AUC, or a difference of two.
    single, pair : float
        Variances of g and of g12.
    weight : ndarray, shape (nodes,)
        Of the nodes of a quadrature over the ratings of a case.
    own : ndarray, shape (nodes,)
        g.
    cross : ndarray, shape (nodes,)
        E[g(Y) g12(x, Y)].
    square_cross, cross_cross : ndarray, shape (nodes,)
        The same with g(Y)^2, and with ``cross`` of Y, in place of g(Y).
    """

    mean: float
    single: float
    pair: float
    weight: Floats
    own: Floats
    cross: Floats
    square_cross: Floats
    cross_cross: Floats

    def variance(self, n_positive: int, n_negative: int, pairs: int = 1) -> float:
        """Return the variance of the mean score; DeLong's expects two ``pairs``."""
        each = self.single * (1 / n_positive + 1 / n_negative)
        return each + pairs * self.pair / (n_positive * n_negative)

    def moments(self, n_positive: int, n_negative: int) -> ScoreMoments:
        """Return the moments of the mean score."""
        variance = self.variance(n_positive, n_negative)
        # The third cumulant of a U-statistic, without terms of smaller order.
        third = self.weight @ self.own**3 * (1 / n_positive**2 + 1 / n_negative**2)
        third += 6 * (self.weight @ (self.own * self.cross)) / n_positive / n_negative
        return ScoreMoments(self.mean, sqrt(variance), float(third) / variance**1.5)

    def less_error(
        self, n_positive: int, n_negative: int, z: float, sign: int
    ) -> ScoreMoments:
        """Return the moments of sign * D - z S, D the mean score, S DeLong's error.

        ``D > z S`` holds exactly when DeLong's test rejects. With S^2 = V, S is taken
        as s + (V - s^2) / (2 s) - (V - s^2)^2 / (8 s^3); V is linear and quadratic in
        the cases.
        """
        m, n, w = n_positive, n_negative, self.weight
        s = sqrt(self.variance(m, n, pairs=2))
        square, t = self.own**2 - self.single, z / (2 * s)

        def of_class(m: int, n: int) -> tuple[Floats, Floats, Floats]:
            """Return the parts of V, of D - z S, and the latter's means with g12."""
            v = square / m + 2 * self.cross / n
            crossed = self.square_cross / m + 2 * self.cross_cross / n
            return v, sign * self.own - t * v, sign * self.cross - t * crossed

        (v1, l1, x1), (v2, l2, x2) = of_class(m, n), of_class(n, m)
        of_v = float(w @ v1**2 / m + w @ v2**2 / n)
        both = float(w @ (self.own * v1) / m + w @ (self.own * v2) / n)
        variance = self.variance(m, n) + t * t * of_v - 2 * t * sign * both
        third = w @ l1**3 / m**2 + w @ l2**3 / n**2
        third += 6 * sign * (w @ (l1 * x2)) / (m * n)
        quadratic = -((w @ (l1 * self.own) / m) ** 2) / m
        quadratic -= (w @ (l2 * self.own) / n) ** 2 / n
        crossed = w @ (l1 * self.own * x2) / m + w @ (l2 * self.own * x1) / n
        quadratic += 2 * crossed / (m * n)
        quadratic += w @ x2**2 / (n * n * m) + w @ x1**2 / (m * m * n)
        third -= 6 * t * quadratic
        third += 6 * t / (4 * s * s) * (w @ (l1 * v1) / m + w @ (l2 * v2) / n) ** 2
        mean = sign * self.mean - z * s * (1 - of_v / (8 * s**4))
        return ScoreMoments(mean, sqrt(variance), float(third) / variance**1.5)


@lru_cache(maxsize=16)
def binormal(separation: tuple[float, ...], correlation: float = 0.0) -> Projections:
    """Return the parts of the AUC of one rating, or of the first less the second.

    Parameters
    ----------
    separation : tuple of float
        Means of the normal ratings of positive cases; negative ones have 0, and all
        have variance 1. Positive ratings less their means, and negative ones with the
        other sign, have one distribution: so both classes have the same parts.
    correlation : float
        Of the two ratings of a case.
    """
    return _Binormal(np.array(separation), correlation).projections()


class _Binormal:
    """Scores of normal ratings x (as of positive cases), (ratings, cases)."""

    def __init__(self, separation: Floats, correlation: float) -> None:
        k = len(separation)
        self.separation = separation
        self.sign = np.array([1.0, -1.0])[:k]
        self.correlation = correlation + (1 - correlation) * np.eye(k)
        self.half = separation / sqrt(2)
        self.mean = float(self.sign @ special.ndtr(self.half))
        self.single = self._product(self.correlation / 2) - self.mean**2
        self.pair = self._product(self.correlation) - self.mean**2 - 2 * self.single

    def _product(self, correlation: Floats) -> float:
        """Return E[h h'] of scores with these correlations of their differences."""
        h = self.half
        each = both_below(h[:, None], h, correlation)
        return float(self.sign @ each @ self.sign)

    def own(self, x: Floats) -> Floats:
        return np.asarray(self.sign @ special.ndtr(x) - self.mean)

    def cross(self, x: Floats) -> Floats:
        total = -self.mean * (self.sign @ special.ndtr(x)) - self.single
        for k, sign in enumerate(self.sign):
            rho = self.correlation[k] / sqrt(2)
            each = both_below(x, self.half[k], rho[:, None])
            total = total + sign * (self.sign @ each)
        return np.asarray(total)

    def cases(self, first: Floats, second: Floats, k: int) -> Floats:
        """Return ratings, the k-th of which has the deviate ``first``."""
        rho = self.correlation[0, -1]
        other = rho * first + np.sqrt(1 - rho * rho) * second
        deviates = (other, first) if k else (first, other)
        return self.separation[:, None] + np.array(deviates[: len(self.sign)])

    def projections(self) -> Projections:
        nodes, w = np.polynomial.hermite_e.hermegauss(_NODES[len(self.sign)])
        w = w / w.sum()
        # The other rating of a case; one rating has none.
        more, v = (nodes, w) if len(self.sign) > 1 else (np.zeros(1), np.ones(1))
        x = self.cases(np.repeat(nodes, len(more)), np.tile(more, len(nodes)), 0)
        weight = np.outer(w, v).ravel()
        own, cross = self.own(x), self.cross(x)
        edges = np.linspace(0, 1, _CELLS + 1)
        middles = special.ndtri((edges[1:] + edges[:-1]) / 2)
        square_cross = np.full(len(weight), -weight @ own**3)
        cross_cross = np.full(len(weight), -weight @ (own * cross))
        for k, sign in enumerate(self.sign):
            # Means given the k-th rating, integrated up to a negative case's rating:
            # its deviate is minus that of a positive case.
            y = self.cases(np.repeat(middles, len(more)), np.tile(more, _CELLS), k)
            for total, values in (
                (square_cross, self.own(y) ** 2 - self.single),
                (cross_cross, self.cross(y)),
            ):
                given = values.reshape(_CELLS, len(more)) @ v / _CELLS
                from_above = np.append(np.cumsum(given[::-1])[::-1], 0.0)
                total += sign * np.interp(special.ndtr(-x[k]), edges, from_above)
        return Projections(
            mean=self.mean,
            single=self.single,
            pair=self.pair,
            weight=weight,
            own=own,
            cross=cross,
            square_cross=square_cross,
            cross_cross=cross_cross,
        )


def exponential(area: float, n_positive: int, n_negative: int) -> ScoreMoments:
    """Return the moments of an AUC of exponential ratings.

    Notes
    -----
    The variance is that of Hanley and McNeil (1982). With X r times as long as Y on
    average, exp(-X) has the distribution t^(1/r) on (0, 1) and exp(-Y) the uniform.
    """
    m, n, r = n_positive, n_negative, area / (1 - area)
    p = 1 / r
    both_positive, both_negative = area / (2 - area), 2 * area**2 / (1 + area)
    variance = (
        area * (1 - area)
        + (m - 1) * (both_positive - area**2)
        + (n - 1) * (both_negative - area**2)
    ) / (m * n)
    of_positive = _central_third(*(1 / (1 + k * r) for k in (1, 2, 3)))
    of_negative = _central_third(*(1 / (1 + k * p) for k in (1, 2, 3)))
    # E[g(X) g(Y) h(X, Y)], by parts.
    crossed = (1 - area) / (2 * p + 1) - 1 / ((1 + r) * (2 * p + 2))
    crossed -= area * ((1 - area) / (p + 1) - 1 / ((1 + r) * (p + 2)))
    third = -of_positive / m**2 + of_negative / n**2 + 6 * crossed / (m * n)
    return ScoreMoments(area, sqrt(variance), third / variance**1.5)


def _central_third(first: float, second: float, third: float) -> float:
    """Return the third central moment from raw moments."""
    return third - 3 * first * second + 2 * first**3
