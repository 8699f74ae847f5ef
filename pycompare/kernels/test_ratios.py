"""Ratios of predictive values and of likelihood ratios of tests on the same cases.

Each measure is a quotient of counts of cases, so the logarithm of a ratio of two tests
is a sum of logarithms of counts. Its variance follows from the multinomial law of
cases: the sum over cases of the squared derivative, which is that of Moskowitz and
Pepe (2006) and of Gu and Pepe (2009).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np

from pycompare.base.typing import Bools, Floats

TestMeasure = Literal["ppv", "npv", "lr_positive", "lr_negative"]
_MEASURES: Mapping[TestMeasure, tuple[bool, bool]] = {
    "ppv": (True, True),
    "npv": (False, False),
    "lr_positive": (True, True),
    "lr_negative": (False, True),
}
"""Result of the test that a measure is about, and the class in its numerator."""


def of_tests(truth: Bools, calls: Bools, measure: TestMeasure) -> Floats:
    """Return the measure of each test, shape (k,); NaN or infinite if undefined.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    calls : ndarray of bool, shape (k, n)
        Cases that each test calls positive.
    """
    called, of_class = _MEASURES[measure]
    chosen = calls == called
    top = (chosen & (truth == of_class)).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        if measure in ("ppv", "npv"):
            return np.asarray(top / chosen.sum(axis=1))
        bottom = (chosen & (truth != of_class)).sum(axis=1)
        return np.asarray(
            (top / (truth == of_class).sum()) / (bottom / (truth != of_class).sum())
        )


def log_gradient(truth: Bools, calls: Bools, measure: TestMeasure) -> Floats:
    """Return the derivative of each log measure by each case, shape (k, n).

    Numbers of cases of a class cancel in a ratio of two tests and are left out. Not
    finite if a count is 0.
    """
    called, of_class = _MEASURES[measure]
    chosen = calls == called
    top = chosen & (truth == of_class)
    bottom = chosen if measure in ("ppv", "npv") else chosen & (truth != of_class)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(
            top / top.sum(axis=1, keepdims=True)
            - bottom / bottom.sum(axis=1, keepdims=True)
        )


def weighted_score(
    truth: Bools, first: Bools, second: Bools, measure: TestMeasure
) -> float:
    """Return Kosinski's statistic of equal predictive values; NaN if it is 0/0.

    Parameters
    ----------
    truth, first, second : ndarray of bool, shape (n,)
    measure : {"ppv", "npv"}
    """
    called, of_class = _MEASURES[measure]
    by_first, by_second = first == called, second == called
    right = truth == of_class
    n1, n2 = int(by_first.sum()), int(by_second.sum())
    if not n1 or not n2:
        return float("nan")
    value_1, value_2 = (by_first & right).sum() / n1, (by_second & right).sum() / n2
    pooled = (n1 * value_1 + n2 * value_2) / (n1 + n2)
    both = by_first & by_second
    # Kosinski (2013), eq. 8 and 9: the covariance of cases that both tests call.
    shared = (both & right).sum() * (1 - pooled) ** 2 + (
        both & ~right
    ).sum() * pooled**2
    spread = pooled * (1 - pooled) - 2 * shared / (n1 + n2)
    variance = spread * (1 / n1 + 1 / n2)
    return float((value_1 - value_2) ** 2 / variance) if variance > 0 else float("nan")
