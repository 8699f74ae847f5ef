"""Net benefit of decisions at a threshold, case by case."""

from __future__ import annotations

import numpy as np

from pycompare.base.typing import Bools, Floats


def benefits(truth: Bools, treated: Bools, threshold: float) -> Floats:
    """Return the net benefit of each case: its mean is that of the decision rule.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    treated : ndarray of bool, shape (..., n)
    threshold : float
        In (0, 1): odds at which a false positive outweighs a true one.

    Notes
    -----
    TP / n - FP / n * t / (1 - t) (Vickers and Elkin 2006).
    """
    odds = threshold / (1 - threshold)
    return np.asarray(np.where(truth, 1.0, -odds) * treated)
