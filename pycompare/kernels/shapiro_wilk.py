"""Shapiro and Wilk's W with Royston's approximation, in double precision.

Algorithm AS R94. SciPy's port keeps its seven-digit normal quantiles; here, as in R,
they have all digits, and 1 - W is made from a difference of unit vectors.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.polynomial.polynomial import polyval
from scipy import special

from pycompare.base.typing import Floats

# Royston (1995): corrections of the two outer weights; mean and log standard deviation
# of the transformed 1 - W for 4 to 11 observations, and for 12 or more.
_OUTER = (0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056)
_SECOND = (0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633)
_GAMMA = (-2.273, 0.459)
_SMALL_MEAN = (0.544, -0.39978, 0.025054, -6.714e-4)
_SMALL_LOG_SD = (1.3822, -0.77857, 0.062767, -0.0020322)
_LARGE_MEAN = (-1.5861, -0.31082, -0.083751, 0.0038915)
_LARGE_LOG_SD = (-0.4803, -0.082676, 0.0030302)


def shapiro_wilk(x: Floats) -> tuple[float, float]:
    """Return W and its p-value for 3 to 5000 observations that differ.

    Notes
    -----
    R: ``shapiro.test(x)``.

    References
    ----------
    .. [1] Royston, P. (1995). Appl. Statist. 44, 547-551.
    """
    n = len(x)
    ordered = np.sort(x)
    ordered = ordered - ordered.mean()
    ordered /= np.linalg.norm(ordered)
    coefficients = weights(n)
    # Of unit vectors, 1 - cos is half the squared distance: no cancellation near W = 1.
    apart = float(np.sum(np.square(ordered - coefficients))) / 2
    below = apart * (2 - apart)
    return 1 - below, _p_value(below, n)


def weights(n: int) -> Floats:
    """Return the antisymmetric weights of the ordered observations, of length 1."""
    if n == 3:
        return np.array([-1.0, 0.0, 1.0]) / math.sqrt(2)
    # Royston (1995): Blom's scores in place of expected normal order statistics.
    m = special.ndtri((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    total = float(m @ m)
    inverse_root = 1 / math.sqrt(n)
    own = [polyval(inverse_root, _OUTER) + m[-1] / math.sqrt(total)]
    if n > 5:
        own.append(polyval(inverse_root, _SECOND) + m[-2] / math.sqrt(total))
    k = len(own)
    left = total - 2 * float(np.sum(m[-k:] ** 2))
    a = m * math.sqrt((1 - 2 * sum(w * w for w in own)) / left)
    a[::-1][:k] = own
    a[:k] = np.negative(own)
    normalised: Floats = a / np.linalg.norm(a)
    return normalised


def _p_value(below: float, n: int) -> float:
    """Return the p-value of W = 1 - below."""
    if n == 3:
        exact = 6 / math.pi * (math.asin(math.sqrt(1 - below)) - math.pi / 3)
        return max(0.0, exact)
    # Royston (1995): log(1 - W), transformed, is nearly normal.
    y = math.log(below) if below > 0 else -math.inf
    if n <= 11:
        limit = float(polyval(n, _GAMMA))
        if y >= limit:
            return 1e-99  # beyond the range of the approximation, as in R
        y = -math.log(limit - y)
        mean, log_sd = polyval(n, _SMALL_MEAN), polyval(n, _SMALL_LOG_SD)
    else:
        mean = polyval(math.log(n), _LARGE_MEAN)
        log_sd = polyval(math.log(n), _LARGE_LOG_SD)
    return float(special.ndtr((mean - y) / math.exp(log_sd)))
