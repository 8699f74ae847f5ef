"""AUC given the number of errors, all orderings and cuts with it equally likely."""

from __future__ import annotations

import math

import numpy as np

from pycompare.base.typing import Floats


def moments(n_errors: int, n_positive: int, n_negative: int) -> tuple[float, float]:
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
