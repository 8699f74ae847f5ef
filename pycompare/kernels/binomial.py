"""Exact tests and intervals of a share, from the incomplete beta function."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Floats = NDArray[np.float64]


def tails(successes: ArrayLike, failures: ArrayLike) -> tuple[Floats, Floats]:
    """Return P(X <= successes) and P(X >= successes), X binomial with share 1/2.

    Notes
    -----
    R: ``pbinom``; each tail is an incomplete beta function, at 1/2 the other's mirror.
    """
    x, y = np.asarray(successes), np.asarray(failures)
    return (
        np.asarray(special.bdtr(x, x + y, 0.5), float),
        np.asarray(special.bdtr(y, x + y, 0.5), float),
    )


def p_values(
    successes: ArrayLike, failures: ArrayLike, alternative: str = "two-sided"
) -> Floats:
    """Return exact p-values of share 1/2; 1 where there are no trials.

    Notes
    -----
    R: ``binom.test(successes, successes + failures)$p.value``.
    """
    lower, upper = tails(successes, failures)
    if alternative == "two-sided":
        return np.minimum(1.0, 2 * np.minimum(lower, upper))
    return upper if alternative == "greater" else lower


def clopper_pearson(
    successes: int, failures: int, alternative: str, level: float
) -> tuple[float, float]:
    """Return the exact confidence limits of a share.

    Notes
    -----
    R: ``binom.test(successes, successes + failures)$conf.int``.
    """
    if successes + failures == 0:
        return math.nan, math.nan
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    low, high = 0.0, 1.0
    if successes and alternative != "less":
        low = float(special.betaincinv(successes, failures + 1, tail))
    if failures and alternative != "greater":
        high = float(special.betainccinv(successes + 1, failures, tail))
    return low, high
