"""Joint moments of the statistics of Obuchowski and Rockette's test of areas.

An AUC is the mean of a score of a reader over pairs of a positive and a negative case.
Hoeffding's decomposition gives it parts of the reader, ``a``; of each case, ``p`` alike
for all readers; of each case as one reader reads it, ``w``; and of each pair of cases,
``g`` alike for all readers and ``gw`` of one reader. The means of products of parts
give the moments of the difference D of modalities, of MS(TR) and of the estimated
r (Cov2 - Cov3). The expansion is our own; see docs/equations.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import sqrt
from typing import NamedTuple

import numpy as np
from scipy import special

from pycompare.base.typing import Floats

_POINTS = 15
"""Binary logarithm of the number of points of a Sobol sequence, for integrals."""
_EFFECTS = 9
"""Vectors of normal effects: two readers, three cases, four readings of cases."""

Terms = Mapping[tuple[str, str], float]
"""Coefficients of products of a factor of readers and one of cases."""


class RatingVariances(NamedTuple):
    """Of effects on ratings, as in ``pc.RoeMetz``."""

    reader: float
    modality_reader: float
    case: float
    modality_case: float
    reader_case: float
    error: float


class Joint(NamedTuple):
    """Moments of D, M = MS(TR) and X, the estimate of r (Cov2 - Cov3).

    Attributes
    ----------
    third : float
        Third cumulant of D.
    d_m, d_x, m_x : float
        Covariances.
    d_d_m, d_d_x : float
        Covariances of (D - E[D])^2 with M and with X.
    var_m, var_x : float
        Variances.
    bias : float
        E[X] less r (Cov2 - Cov3).
    """

    third: float
    d_m: float
    d_d_m: float
    var_m: float
    d_x: float
    d_d_x: float
    var_x: float
    m_x: float
    bias: float


def joint_moments(
    separation: tuple[float, ...],
    variances: RatingVariances,
    sizes: tuple[int, int, int],
    own: float,
) -> Joint:
    """Return the joint moments of a study.

    Parameters
    ----------
    separation : tuple of float
        Mean of the positive class less that of the negative one, for each modality.
    variances : RatingVariances
    sizes : tuple of int
        Readers, positive and negative cases.
    own : float
        Expected MS(TR).
    """
    r, m, n = sizes
    readers = {"": 1.0, "r": 1 / r, "rr": 1 / r**2, "pairs": 1 / (r * (r - 1))}
    each, product = 1 / m + 1 / n, 1 / (m * n)
    cases = {"": 1.0, "each": each, "each2": each**2, "pair": product}
    cases |= {"square": 1 / m**2 + 1 / n**2, "cube": 1 / m**3 + 1 / n**3}
    cases["each pair"] = each * product
    moments = [
        sum(value * readers[a] * cases[b] for (a, b), value in terms.items())
        for terms in _expected(separation, variances)
    ]
    third, d_m, d_d_m, var_m, d_x, d_d_x, var_x, m_x, bias = moments
    k = len(separation) - 1
    return Joint(
        third=third,
        d_m=d_m / k,
        d_d_m=d_d_m / k,
        # The first is the variance with normal parts of readers.
        var_m=2 * own**2 / (k * (r - 1)) + var_m / k**2,
        d_x=d_x * r / k,
        d_d_x=d_d_x * r / k,
        var_x=var_x * (r / k) ** 2,
        m_x=m_x * r / k**2,
        bias=bias * r / k,
    )


@lru_cache(maxsize=64)
def _expected(
    separation: tuple[float, ...], variances: RatingVariances
) -> tuple[Terms, ...]:
    """Return the terms of each moment, which hold for all numbers of readers, cases."""
    s = _ScoreParts(np.array(separation), variances)
    return (
        s.third(),
        s.with_readers(),
        s.square_with_readers(),
        s.of_readers(),
        s.with_cases(),
        s.square_with_cases(),
        s.of_cases(),
        s.both(),
        {("", "pair"): _mean(_dot(s.g, s.g))},
    )


def _mean(*factors: Floats) -> float:
    """Return the mean product."""
    return float(np.mean(np.prod(factors, axis=0)))


def _cov(x: Floats, y: Floats) -> float:
    return _mean(x - x.mean(), y)


def _dot(x: Floats, y: Floats) -> Floats:
    """Return the sums of products over modalities, each less its mean."""
    return np.asarray(np.sum((x - x.mean(1, keepdims=True)) * y, axis=1))


def _effects(deviates: Floats, shared: float, own: float) -> Floats:
    """Return effects on modalities, from independent deviates, (points, modalities)."""
    t = deviates.shape[1]
    total = (sqrt(own + t * shared) - sqrt(own)) * deviates.mean(1, keepdims=True)
    return np.asarray(sqrt(own) * deviates + total)


def _deviates(t: int) -> Floats:
    """Return points of a standard normal distribution, (points, effects, t)."""
    from scipy.stats import qmc  # takes long to import, and few need it

    sobol = qmc.Sobol(_EFFECTS * t, scramble=False)
    # The middles of cells, so that no point is at 0.
    points = sobol.random_base2(_POINTS) + 0.5 / 2**_POINTS
    return np.asarray(special.ndtri(points).reshape(-1, _EFFECTS, t))


class _ScoreParts:
    """Parts of scores of modalities at points of all effects, (points, modalities).

    Positive cases' deviates and negative ones' with the other sign have one
    distribution, so both classes have the same parts. ``1`` and ``2`` are two cases,
    one of each class; ``other`` is a second reader.
    """

    def __init__(self, separation: Floats, of: RatingVariances) -> None:
        ndtr, z = special.ndtr, _deviates(len(separation))
        reading = of.reader_case + of.error
        rating = of.case + of.modality_case + reading
        reader = 2 * (of.reader + of.modality_reader)
        shift, shift_other = (
            separation + _effects(z[:, i], 2 * of.reader, 2 * of.modality_reader)
            for i in (0, 3)
        )
        cases = [_effects(z[:, i], of.case, of.modality_case) for i in (1, 2, 8)]
        readings = [_effects(z[:, i], of.reader_case, of.error) for i in (4, 5, 6, 7)]
        mean = ndtr(separation / sqrt(reader + 2 * rating))
        scale, by_reader = sqrt(reader + reading + rating), sqrt(rating)
        self.p1, self.p2, self.p3 = (
            ndtr((separation + c) / scale) - mean for c in cases
        )
        area, area_other = (ndtr(d / sqrt(2 * rating)) for d in (shift, shift_other))
        self.a, self.a_other = area - mean, area_other - mean

        def reading_part(d: Floats, reading: Floats, case: int, area: Floats) -> Floats:
            p = (self.p1, self.p2)[case]
            return np.asarray(ndtr((d + cases[case] + reading) / by_reader) - area - p)

        self.w1, self.w2 = (reading_part(shift, readings[i], i, area) for i in (0, 1))
        self.w1_other, self.w2_other = (
            reading_part(shift_other, readings[2 + i], i, area_other) for i in (0, 1)
        )
        # No variance between readings of a pair: a score of 0 or 1.
        pair = max(sqrt(reader + 2 * reading), 1e-9 * by_reader)
        self.g, self.g3 = (
            ndtr((separation + case + cases[1]) / pair) - mean - p - self.p2
            for case, p in ((cases[0], self.p1), (cases[2], self.p3))
        )
        above = shift + cases[0] + readings[0] + cases[1] + readings[1] > 0
        self.gw = above - area - self.p1 - self.w1 - self.p2 - self.w2 - self.g
        self._compare(mean)

    def _compare(self, mean: Floats) -> None:
        """Take the contrast of the true effect, and products over modalities."""
        self.contrast = unit_contrast(mean)
        parts = (self.a, self.p1, self.p2, self.w1, self.w2, self.g, self.gw)
        d_a, d_p1, d_p2, d_w1, d_w2, d_g, d_gw = (x @ self.contrast for x in parts)
        self.d_a, self.d_p1, self.d_p2 = d_a - d_a.mean(), d_p1, d_p2
        self.d_w1, self.d_w2, self.d_g, self.d_gw = d_w1, d_w2, d_g, d_gw
        self.a_a, self.a_w = _dot(self.a, self.a), _dot(self.a, self.w1)
        self.w_w, self.w_w2 = _dot(self.w1, self.w1), _dot(self.w2, self.w2)
        self.w_12 = _dot(self.w1, self.w2)
        self.p_w, self.p_w2 = _dot(self.p1, self.w1), _dot(self.p2, self.w2)
        p_p, p_p2 = _dot(self.p1, self.p1), _dot(self.p2, self.p2)
        self.p_p, self.p_p2 = p_p - p_p.mean(), p_p2 - p_p2.mean()
        self.p_g = _dot(self.p1, self.g)
        self.w_other = _dot(self.w1_other, self.w1_other)
        middle = np.eye(len(mean)) - 1 / len(mean)
        a = self.a - self.a.mean(0)
        self.of_a = middle @ (a.T @ a / len(a)) @ middle
        self.of_w = middle @ (self.w1.T @ self.w1 / len(a)) @ middle

    def third(self) -> Terms:
        """Third cumulant of D."""
        s = self
        return {
            ("rr", ""): _mean(s.d_a**3),
            ("rr", "each"): 3 * _cov(s.d_a, s.d_w1**2),
            ("rr", "square"): _mean(s.d_w1**3),
            ("r", "square"): 3 * _mean(s.d_p1, s.d_w1**2),
            ("r", "each"): 6 * _mean(s.d_a, s.d_p1, s.d_w1),
            ("", "square"): _mean(s.d_p1**3),
            ("", "pair"): 6 * _mean(s.d_p1, s.d_p2, s.d_g),
            ("r", "pair"): 6
            * _mean(2 * s.d_w1 * s.d_p2 * s.d_gw + s.d_w1 * s.d_w2 * s.d_g),
            ("rr", "pair"): 6 * _mean(s.d_w1, s.d_w2, s.d_gw),
        }

    def with_readers(self) -> Terms:
        """Covariance of D and (t - 1) MS(TR)."""
        s = self
        w1_g, w2_g = _dot(s.w1, s.gw), _dot(s.w2, s.gw)
        return {
            ("", "square"): _mean(s.d_p1, s.w_w),
            ("", "each"): 2 * _mean(s.d_p1, s.a_w),
            ("r", ""): _cov(s.d_a, s.a_a),
            ("r", "each"): _cov(s.d_a, s.w_w) + 2 * _mean(s.a_w, s.d_w1),
            ("r", "square"): _mean(s.d_w1, s.w_w),
            ("", "pair"): 2 * _mean(s.d_p1 * w2_g + s.d_p2 * w1_g + s.d_g * s.w_12),
            ("r", "pair"): 2 * _mean(s.d_w1 * w2_g + s.d_w2 * w1_g + s.d_gw * s.w_12),
        }

    def square_with_readers(self) -> Terms:
        """Covariance of D's squared deviation and (t - 1) MS(TR)."""
        s, c = self, self.contrast
        crossed = float(c @ s.of_a @ s.of_w @ c)
        of_each = _cov(s.d_a**2, s.w_w) + _cov(s.a_a, s.d_w1**2)
        of_each += 4 * (_mean(s.d_a, s.d_w1, s.a_w) - crossed)
        twice = _mean(s.d_w1, s.d_w2, s.w_12) - float(c @ s.of_w @ s.of_w @ c)
        p_w = s.d_p1 * s.d_w1
        return {
            ("rr", ""): _cov(s.d_a**2, s.a_a) - 2 * float(c @ s.of_a @ s.of_a @ c),
            ("rr", "each"): of_each,
            ("rr", "each2"): _cov(s.d_w1**2, s.w_w2) + 2 * twice,
            ("r", "each"): 4 * _mean(s.d_p1, s.d_a, s.a_w) + 2 * _cov(p_w, s.a_a),
            ("r", "each2"): 2 * _cov(p_w, s.w_w2) + 4 * _mean(s.d_p1, s.d_w2, s.w_12),
            ("", "each2"): 2 * _mean(s.d_p1, s.d_p2, s.w_12),
        }

    def of_readers(self) -> Terms:
        """Variance of (t - 1) MS(TR), less that of normal parts of readers."""
        s = self
        both = _cov(s.w_w, s.w_w2) + 2 * _mean(s.w_12**2)
        other = _dot(s.w1_other, s.w2_other)
        return {
            ("r", ""): _cov(s.a_a, s.a_a) - 2 * float(np.sum(s.of_a**2)),
            ("r", "each"): 2 * _cov(s.a_a, s.w_w)
            + 4 * (_mean(s.a_w**2) - float(np.sum(s.of_a * s.of_w))),
            ("r", "each2"): both - 2 * float(np.sum(s.of_w**2)),
            ("", "each"): 4 * _mean(s.a_w, _dot(s.a_other, s.w1_other)),
            ("", "square"): 4 * _mean(s.a_w, s.w_other),
            ("", "cube"): _cov(s.w_w, s.w_other),
            ("", "each2"): 2 * _mean(s.w_12, other),
        }

    def with_cases(self) -> Terms:
        """Covariance of D and (t - 1) (Cov2 - Cov3)."""
        s = self
        return {
            ("", "square"): _mean(s.d_p1, s.p_p),
            ("", "pair"): 4 * _mean(s.d_p2, s.p_g),
            ("r", "each"): 2 * _mean(s.d_a, s.p_w),
            ("r", "square"): 2 * _mean(s.d_w1, s.p_w),
        }

    def square_with_cases(self) -> Terms:
        """Covariance of D's squared deviation and (t - 1) (Cov2 - Cov3)."""
        s = self
        other = self.w1_other @ self.contrast
        of_cube = _mean(s.d_w1**2, s.p_w)
        of_cube += _mean(s.d_w1, other, _dot(s.w1, s.w1_other))
        return {
            ("", "cube"): _mean(s.d_p1**2, s.p_p),
            ("", "each pair"): 4 * _mean(s.d_p1, s.d_p2, s.p_g),
            ("r", "square"): 4 * _mean(s.d_p1, s.d_a, s.p_w),
            ("r", "cube"): 4 * _mean(s.d_p1, s.d_w1, s.p_w),
            ("rr", "each"): 2 * _mean(s.d_a**2, s.p_w),
            ("rr", "square"): 4 * _mean(s.d_a, s.d_w1, s.p_w),
            ("rr", "cube"): 2 * of_cube,
        }

    def of_cases(self) -> Terms:
        """Variance of (t - 1) (Cov2 - Cov3)."""
        s = self
        crossed = _mean(s.p_p2, s.p_g) + _mean(s.p_g, _dot(s.p3, s.g3))
        return {
            ("", "cube"): _mean(s.p_p**2),
            ("", "each pair"): 4 * crossed,
            ("r", "each2"): 4 * _cov(s.p_w, s.p_w2),
            ("r", "cube"): 4 * _mean(s.p_w**2),
            ("pairs", "cube"): 2 * _mean(_dot(s.w1, s.w1_other) ** 2),
        }

    def both(self) -> Terms:
        """Covariance of (t - 1) MS(TR) and (t - 1) (Cov2 - Cov3)."""
        s = self
        return {
            ("r", "each"): 2 * _cov(s.a_a, s.p_w),
            ("", "cube"): _mean(s.p_p, s.w_w),
            ("", "square"): 2 * _mean(s.p_p, s.a_w),
        }


def unit_contrast(area: Floats) -> Floats:
    """Return the direction of the effect; any direction if there is none."""
    effect = area - area.mean()
    if np.max(np.abs(effect)) < 1e-12:
        effect = np.zeros(len(area))
        effect[:2] = 1.0, -1.0
    return np.asarray(effect / np.linalg.norm(effect))
