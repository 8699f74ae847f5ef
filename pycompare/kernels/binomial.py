"""Exact tests and intervals of a share, from the incomplete beta function."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from pycompare.typing import Floats


def tails(successes: ArrayLike, failures: ArrayLike) -> tuple[Floats, Floats]:
    """Return P(X <= successes) and P(X >= successes), X binomial with share 1/2.

    Notes
    -----
    R: ``pbinom``.
    """
    x, y = np.asarray(successes, float), np.asarray(failures, float)
    return _at_most(x, y), _at_most(y, x)


def _at_most(x: Floats, y: Floats) -> Floats:
    """Return P(X <= x) of x + y trials with share 1/2.

    This form of the incomplete beta function has 14 digits with a thousand trials,
    ``special.bdtr`` 12.
    """
    # NIST DLMF 8.17.5: P(X <= x) = 1 - I_p(x + 1, y), p = 1/2.
    tail = special.betaincc(x + 1, np.maximum(y, 1.0), 0.5)
    return np.where(y > 0, tail, 1.0)


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


def smallest_p(n: ArrayLike, alternative: str = "two-sided") -> Floats:
    """Return the smallest p-value that n trials can have: all of them on one side.

    Every adjustment rises with each raw p-value, so that these, adjusted, are the
    smallest adjusted p-values that there can be.
    """
    sides = 2.0 if alternative == "two-sided" else 1.0
    return np.minimum(1.0, np.ldexp(sides, -np.asarray(n, int)))


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
    # Clopper & Pearson (1934): the shares at which each tail is what is left over.
    if successes and alternative != "less":
        low = float(special.betaincinv(successes, failures + 1, tail))
    if failures and alternative != "greater":
        high = float(special.betainccinv(successes + 1, failures, tail))
    return low, high
