"""Exact tests and intervals of a share, from the incomplete beta function."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.typing import Floats

_HALVINGS = 60
"""Of an interval of shares, until it is as short as its rounding error."""


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
    """Return exact p-values of share 1/2; 1 if there are no trials.

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


def mid_p(
    successes: ArrayLike, failures: ArrayLike, alternative: str = "two-sided"
) -> Floats:
    """Return exact p-values of share 1/2 with half of the observed probability.

    Notes
    -----
    Half of the observed count's probability is left out of each tail, as in Fagerland,
    Lydersen & Laake (2013); 1 if there are no trials.
    """
    x, y = np.asarray(successes, float), np.asarray(failures, float)
    # A tail without the observed count, averaged with the tail that has it.
    lower = (np.where(x > 0, _at_most(x - 1, y + 1), 0.0) + _at_most(x, y)) / 2
    upper = (np.where(y > 0, _at_most(y - 1, x + 1), 0.0) + _at_most(y, x)) / 2
    two_sided = np.minimum(1.0, 2 * np.minimum(lower, upper))
    tail = {"two-sided": two_sided, "less": lower, "greater": upper}[alternative]
    return np.where(x + y > 0, tail, 1.0)


def clopper_pearson(
    successes: ArrayLike, failures: ArrayLike, alternative: str, level: float
) -> tuple[Floats, Floats]:
    """Return the exact confidence limits of shares; NaN if there are no trials.

    Counts need not be whole: effective sample sizes have fractions.

    Notes
    -----
    R: ``binom.test(successes, successes + failures)$conf.int``.
    """
    x, y = np.asarray(successes, float), np.asarray(failures, float)
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    # Clopper & Pearson (1934): the shares at which each tail is what is left over.
    low = special.betaincinv(np.where(x > 0, x, 1.0), y + 1, tail)
    high = special.betainccinv(x + 1, np.where(y > 0, y, 1.0), tail)
    low = np.where((x > 0) & (alternative != "less"), low, 0.0)
    high = np.where((y > 0) & (alternative != "greater"), high, 1.0)
    return np.where(x + y > 0, low, np.nan), np.where(x + y > 0, high, np.nan)


def mid_p_limits(
    successes: ArrayLike, failures: ArrayLike, alternative: str, level: float
) -> tuple[Floats, Floats]:
    """Return the shares at which a mid-p tail is the remainder; NaN of no trials.

    They lie inside of Clopper and Pearson's. No success has the lower limit 0, no
    failure the upper limit 1.

    References
    ----------
    .. [1] Berry, G., Armitage, P. (1995). The Statistician 44, 417-423.
    """
    x, y = np.asarray(successes, float), np.asarray(failures, float)
    tail = (1 - level) / 2 if alternative == "two-sided" else 1 - level
    # Failures are the successes of the other side: one solution serves both limits.
    low = np.where(alternative == "less", 0.0, _lower_mid_p(x, y, tail))
    high = np.where(alternative == "greater", 1.0, 1 - _lower_mid_p(y, x, tail))
    return np.where(x + y > 0, low, np.nan), np.where(x + y > 0, high, np.nan)


def _lower_mid_p(x: Floats, y: Floats, tail: float) -> Floats:
    """Return the share whose P(X > x) + P(X = x) / 2 is ``tail``; 0 of no success."""
    some = np.where(x > 0, x, 1.0)
    below = special.betaincinv(some, y + 1, tail)  # Clopper and Pearson's
    above = np.where(y > 0, x / np.maximum(x + y, 1.0), 1.0)
    for _ in range(_HALVINGS):
        share = (below + above) / 2
        more = np.where(y > 0, special.betainc(x + 1, np.maximum(y, 1.0), share), 0.0)
        is_above = (more + special.betainc(some, y + 1, share)) / 2 > tail
        below, above = (
            np.where(is_above, below, share),
            np.where(is_above, share, above),
        )
    return np.where(x > 0, (below + above) / 2, 0.0)


def wilson(share: ArrayLike, n: ArrayLike, level: float) -> tuple[Floats, Floats]:
    """Return Wilson's score limits of shares of n.

    Notes
    -----
    R: ``prop.test(share * n, n, correct = FALSE)$conf.int``.
    """
    return wilson_at(share, n, -float(special.ndtri((1 - level) / 2)))


def wilson_at(share: ArrayLike, n: ArrayLike, critical: float) -> tuple[Floats, Floats]:
    """Return Wilson's limits of shares of n, whole or not, for a critical value."""
    p, n = np.asarray(share, float), np.asarray(n, float)
    z2 = critical**2
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = np.sqrt(p * (1 - p) * z2 / n + z2 * z2 / (4 * n * n)) / (1 + z2 / n)
    # 0 and 1 are exact limits; rounding must not pass them.
    low, high = np.maximum(0.0, centre - half), np.minimum(1.0, centre + half)
    return np.where(p > 0, low, 0.0), np.where(p < 1, high, 1.0)


def jeffreys(
    successes: ArrayLike, failures: ArrayLike, level: float
) -> tuple[Floats, Floats]:
    """Return Jeffreys' limits of shares: quantiles of Beta(x + 1/2, n - x + 1/2).

    The lower limit of no success is 0, and the upper one of no failure is 1.

    Notes
    -----
    R: ``qbeta``. Brown, Cai & DasGupta (2001) Statist. Sci. 16, 101-133.
    """
    x, y = np.asarray(successes, float), np.asarray(failures, float)
    tail = (1 - level) / 2
    low = special.betaincinv(x + 0.5, y + 0.5, tail)
    high = special.betainccinv(x + 0.5, y + 0.5, tail)
    return np.where(x > 0, low, 0.0), np.where(y > 0, high, 1.0)


def counted(wins: ArrayLike, losses: ArrayLike, n: ArrayLike, ties: str) -> Floats:
    """Return the wins and losses that a sign test counts, shape (2, ...).

    Parameters
    ----------
    wins, losses, n : array_like of int, shapes that broadcast
        ``n - wins - losses`` are ties.
    ties : {"split", "drop"}
        Split: half of them to each side, an odd one dropped (Aslan 2009, sec. 4.6).
        Drop: none counts.
    """
    won, lost = np.asarray(wins, float), np.asarray(losses, float)
    # Aslan (2009), sec. 4.6: half of the ties to each side, an odd one dropped.
    each = (np.asarray(n, float) - won - lost) // 2 if ties == "split" else 0.0
    return np.stack(np.broadcast_arrays(won + each, lost + each))


def sign_p_values(
    wins: ArrayLike,
    losses: ArrayLike,
    n: ArrayLike,
    *,
    ties: str = "split",
    alternative: str = "two-sided",
) -> Floats:
    """Return exact p-values; NaN if nothing counts.

    ``greater``: wins are more frequent than losses.
    """
    won, lost = counted(wins, losses, n, ties)
    p = p_values(won, lost, alternative)
    return np.where(won + lost > 0, p, np.nan)
