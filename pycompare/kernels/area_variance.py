"""Standard errors and effective sizes of an AUC, from the AUC and few numbers more."""

from __future__ import annotations

import math

import numpy as np

from pycompare.base.typing import Floats


def hanley_mcneil(area: float, n_positive: int, n_negative: int) -> float:
    """Return the standard error of an AUC for exponential scores.

    Q1 = A / (2 - A), Q2 = 2 A^2 / (1 + A), and the variance is
    (A (1 - A) + (n1 - 1)(Q1 - A^2) + (n0 - 1)(Q2 - A^2)) / (n1 n0)
    (Hanley and McNeil 1982, Radiology 143, 29-36). It is 0 at A = 0 and A = 1.
    """
    # Q1 - A^2 and Q2 - A^2 with their common factor A (1 - A) taken out.
    # Hanley & McNeil (1982), eq. 1 and 2:
    q1 = (1 - area) / (2 - area)
    q2 = area / (1 + area)
    inner = 1 + (n_positive - 1) * q1 + (n_negative - 1) * q2
    return math.sqrt(area * (1 - area) * inner / n_positive / n_negative)


def agarwal(n_positive: int, n_negative: int, level: float) -> float:
    """Return the half width of the distribution-free interval of an AUC.

    sqrt(ln(2 / delta) / (2 rho (1 - rho) N)) with delta = 1 - level and rho the share
    of positives (Agarwal et al. 2005, JMLR 6, 393-425).
    """
    pairs_per_case = n_positive * n_negative / (n_positive + n_negative)
    # Agarwal et al. (2005): rho (1 - rho) N is n1 n0 / N.
    return math.sqrt(math.log(2 / (1 - level)) / (2 * pairs_per_case))


def effective_size(area: float, variance: float, least: float) -> float:
    """Return the number of right or wrong cases with the variance of an AUC.

    1 / n = (1 - w) / n_D + w / m with w = 1 / (1 + m A (1 - A))^2: between the size
    that DeLong's variance has, n_D = A (1 - A) / V, and the size ``least`` = m of the
    smaller class, because the few wrong cases near A = 1 hardly estimate a variance. No
    score law has a larger variance than A (1 - A) / m: equation 8.5 of
    docs/equations.md has the proof. Without estimated variance (V = 0, or NaN for a
    class of one case) it is m.
    """
    spread = area * (1 - area)
    if not (variance > 0 and spread > 0):
        return least
    weight = 1 / (1 + least * spread) ** 2
    return max(1 / ((1 - weight) * variance / spread + weight / least), least)


def cortes_mohri(
    n_errors: int, n_positive: int, n_negative: int
) -> tuple[float, float]:
    """Return mean and standard deviation of the AUC of a classifier with k errors.

    Every ordering of the cases with every cut that misclassifies ``n_errors`` of them
    counts once (Cortes and Mohri 2004, before their closed form, which holds only for
    k <= min(m, n)). With x false positives the a positives and b negatives above the
    cut, and the c and d below it, are in random order among themselves.

    Parameters
    ----------
    n_errors : int
        0 to all cases.
    n_positive, n_negative : int
        At least 1.
    """
    m, n, k = n_positive, n_negative, n_errors
    x = np.arange(max(0, k - m), min(k, n) + 1.0)
    a, b, c, d = m - k + x, x, k - x, n - x
    weight = _weights(a, b, c, d)
    # Mann & Whitney (1947): counts of a and b cases in random order have the mean
    # a b / 2 and the variance a b (a + b + 1) / 12.
    centre = a * d + a * b / 2 + c * d / 2
    spread = (a * b * (a + b + 1) + c * d * (c + d + 1)) / 12
    mean = float(np.sum(weight * centre))
    # Variance of a mixture: the mean variance and the variance of the means.
    variance = float(np.sum(weight * (spread + (centre - mean) ** 2)))
    return mean / (m * n), math.sqrt(variance) / (m * n)


def _weights(a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
    """Return C(a+b, b) C(c+d, c) for x = x0, x0 + 1, ..., scaled to the sum 1.

    Logarithms of the ratios of neighbours, added outwards from the largest weight: the
    weights that matter are few steps away and lose no digits, for any number of cases.
    """
    above, below = (a + b)[:-1], (c + d)[:-1]
    # C(a+b+2, b+1) / C(a+b, b), then C(c+d-2, c-1) / C(c+d, c).
    ratio = (above + 2) * (above + 1) / ((a[:-1] + 1) * (b[:-1] + 1))
    ratio *= c[:-1] * d[:-1] / (below * (below - 1))
    steps = np.log(ratio)
    top = int(np.argmax(np.concatenate([[0.0], np.cumsum(steps)])))
    down = -np.cumsum(steps[:top][::-1])[::-1]
    logs = np.concatenate([down, [0.0], np.cumsum(steps[top:])])
    weights = np.exp(logs)
    return np.asarray(weights / weights.sum())
