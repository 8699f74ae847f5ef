"""Mardia's skewness and kurtosis, Henze and Zirkler's statistic: of centred data.

All are functions of Mahalanobis products e_i' S^-1 e_j with the population covariance
S = e'e / n. With e = Q R they are n q_i'q_j: no matrix is squared or inverted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from pycompare.base.typing import Floats

CELLS = 4_000_000
"""Numbers held at once."""


def whitened(e: Floats) -> Floats:
    """Return centred data (n, p) of full rank with covariance e'e / n = 1."""
    lengths = np.linalg.norm(e, axis=0)
    white: Floats = np.linalg.qr(e / lengths)[0] * math.sqrt(len(e))
    return white


@dataclass(frozen=True)
class Mardia:
    """Mardia's measures and their tests.

    Attributes
    ----------
    skewness, kurtosis : float
        b1 and b2 with the population covariance.
    chi2, chi2_small : float
        n b1 / 6, and with the factor of Mardia (1974) for small samples.
    df : float
        p (p + 1) (p + 2) / 6.
    z : float
        Kurtosis less p (p + 2), over its asymptotic standard deviation.
    """

    skewness: float
    kurtosis: float
    chi2: float
    chi2_small: float
    df: float
    z: float

    @property
    def p_values(self) -> tuple[float, float, float]:
        """Of ``chi2``, ``chi2_small`` (upper tails) and ``z`` (both tails)."""
        return (
            float(special.chdtrc(self.df, self.chi2)),
            float(special.chdtrc(self.df, self.chi2_small)),
            float(2 * special.ndtr(-abs(self.z))),
        )


def mardia(e: Floats, rounding: float = 0.0) -> Mardia:
    """Return Mardia's measures of centred data (n, p) of rank p.

    Parameters
    ----------
    e : ndarray, shape (n, p)
    rounding : float
        How far rounding may take a row of ``whitened(e)``; skewness that it can
        explain is 0.

    Notes
    -----
    b1 = mean over i, j of (e_i' S^-1 e_j)^3 is the sum of squared third moments of
    whitened data: n p^3 products in place of n^2 p. These p^3 moments keep the digits
    of a small skewness; they are left out if they are too many, and more than n p.

    References
    ----------
    .. [1] Mardia, K. V. (1970). Biometrika 57, 519-530.
    .. [2] Mardia, K. V. (1974). Sankhya B 36, 115-128.
    """
    z = whitened(e)
    n, p = z.shape
    # Mardia (1970): b1 = mean of (e_i' S^-1 e_j)^3, b2 = mean of (e_i' S^-1 e_i)^2.
    of = _cubes if p**3 > max(CELLS, n * p) else _third_moments
    skewness = of(z)
    # The mean of |z|^2 is p, so third moments are off by 3 p times as much.
    skewness = 0.0 if skewness <= (3 * p * rounding) ** 2 else skewness
    kurtosis = float(np.mean(np.square(np.sum(np.square(z), axis=1))))
    # Mardia (1974): the factor of n b1 / 6 in small samples.
    small = (p + 1) * (n + 1) * (n + 3) / (n * ((n + 1) * (p + 1) - 6))
    return Mardia(
        skewness=skewness,
        kurtosis=kurtosis,
        chi2=n * skewness / 6,
        chi2_small=n * small * skewness / 6,
        df=p * (p + 1) * (p + 2) / 6,
        z=(kurtosis - p * (p + 2)) / math.sqrt(8 * p * (p + 2) / n),
    )


def _third_moments(z: Floats) -> float:
    """Return the sum of squared third moments of whitened data (n, p)."""
    n, p = z.shape
    products = np.zeros((p * p, p))
    rows = max(1, CELLS // (p * p))
    for part in (z[i : i + rows] for i in range(0, n, rows)):
        pairs = part[:, :, None] * part[:, None, :]
        products += pairs.reshape(len(part), p * p).T @ part
    return float(np.sum(np.square(products / n)))


def _cubes(z: Floats) -> float:
    """Return the same as the mean of (z_i'z_j)^3."""
    rows = max(1, CELLS // len(z))
    parts = (z[i : i + rows] @ z.T for i in range(0, len(z), rows))
    return float(sum(np.sum(np.square(part) * part) for part in parts)) / len(z) ** 2


def henze_zirkler(e: Floats) -> tuple[float, float]:
    """Return Henze and Zirkler's statistic of centred data (n, p), and its p-value.

    The bandwidth is theirs; the p-value is the upper tail of the lognormal distribution
    with the statistic's mean and variance under normality.

    References
    ----------
    .. [1] Henze, N., Zirkler, B. (1990). Commun. Statist. A 19, 3595-3617.
    """
    z = whitened(e)
    n, p = z.shape
    # Henze & Zirkler (1990): beta^2, the optimal bandwidth of a normal density.
    b2 = ((2 * p + 1) * n / 4) ** (2 / (p + 4)) / 2
    squares = np.sum(np.square(z), axis=1)
    pairs = 0.0
    rows = max(1, CELLS // n)
    for i in range(0, n, rows):
        distances = squares[i : i + rows, None] + squares - 2 * z[i : i + rows] @ z.T
        pairs += float(np.sum(np.exp(-b2 / 2 * np.maximum(distances, 0.0))))
    alone = float(np.sum(np.exp(-b2 / (2 * (1 + b2)) * squares)))
    # Henze & Zirkler (1990): the weighted distance of characteristic functions.
    statistic = (
        pairs / n - 2 * (1 + b2) ** (-p / 2) * alone + n * (1 + 2 * b2) ** (-p / 2)
    )
    mean, variance = henze_zirkler_moments(p, b2)
    spread = math.sqrt(math.log1p(variance / mean**2))
    centre = math.log(mean) - spread**2 / 2
    return statistic, float(special.ndtr((centre - math.log(statistic)) / spread))


def henze_zirkler_moments(p: int, b2: float) -> tuple[float, float]:
    """Return mean and variance of the statistic under normality, squared bandwidth b2.

    After Henze and Zirkler (1990), in p and b2.
    """
    a = 1 + 2 * b2
    w = (1 + b2) * (1 + 3 * b2)
    more = p * (p + 2)
    # Henze & Zirkler (1990).
    mean = 1 - a ** (-p / 2) * (1 + p * b2 / a + more * b2**2 / (2 * a**2))
    variance = (
        2 * (1 + 4 * b2) ** (-p / 2)
        + 2 * a**-p * (1 + 2 * p * b2**2 / a**2 + 3 * more * b2**4 / (4 * a**4))
        - 4 * w ** (-p / 2) * (1 + 3 * p * b2**2 / (2 * w) + more * b2**4 / (2 * w**2))
    )
    return mean, variance
