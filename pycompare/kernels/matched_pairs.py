"""Two shares on the same cases: tests and limits of their difference.

Of n cases one algorithm wins w (right when the other is wrong) and loses l. The
difference of the shares is P(win) - P(loss). Its score test (Tango 1998), the exact
unconditional distribution of that statistic, and a test of means of bounded numbers
(Gaffke 2005) are tests of any value of the difference, such as a margin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.typing import Floats

_HALVINGS = 60
"""Of an interval of length 2: below the last bit of a limit."""
_TIE = 1e-11
"""Statistics this close, relative to 1 + |z|, are equal but for rounding."""
_PER_DEVIATION = 4
"""Points of the grid per standard deviation of the counts."""
_PEAKS, _NEAR = 4, 0.9
"""The largest p is looked for around so many points of the grid, all near the highest:
in a quarter of a standard deviation p rises by some hundredths of itself at most."""
_GOLDEN = (math.sqrt(5) - 1) / 2


def score_statistic(
    wins: ArrayLike, losses: ArrayLike, n: ArrayLike, difference: ArrayLike
) -> Floats:
    """Return Tango's score statistic of P(win) - P(loss) against a value.

    Parameters
    ----------
    wins, losses, n : array_like of float
        Counts, or counts at an effective size. They broadcast.
    difference : array_like
        The value tested, between -1 and 1 (exclusive).

    Returns
    -------
    ndarray
        Standard normal in large samples; 0 if nothing differs from the value.

    Notes
    -----
    At difference 0 its square is McNemar's chi-squared without continuity correction.

    References
    ----------
    .. [1] Tango, T. (1998). Statist. Med. 17, 891-908.
    """
    w, losses, n, value = np.broadcast_arrays(
        *(np.asarray(x, float) for x in (wins, losses, n, difference))
    )
    excess = w - losses - n * value
    spread = np.sqrt(n * _score_variance(w, losses, n, value))
    return np.divide(excess, spread, out=np.zeros_like(spread), where=spread > 0)


def _score_variance(
    wins: Floats, losses: Floats, n: Floats, difference: Floats
) -> Floats:
    """Return the variance of one case's win minus loss, given the difference.

    The most likely probability of the rarer outcome solves a quadratic equation
    (Tango 1998), whose discriminant is a sum of squares here: nothing cancels.
    """
    size = np.abs(difference)
    commoner = np.where(difference > 0, wins, losses)
    rarer = np.where(difference > 0, losses, wins)
    a, b, c = 2 * n * size, commoner * (1 + size), rarer * (1 - size)
    q = (a + b + c + np.hypot(a - b + c, 2 * np.sqrt(b * c))) / (4 * n)
    return np.asarray(np.maximum(2 * q - size * (1 + size), 0.0))


def score_limits(
    wins: ArrayLike, losses: ArrayLike, n: ArrayLike, critical: ArrayLike
) -> tuple[Floats, Floats]:
    """Return Tango's score limits of P(win) - P(loss).

    Parameters
    ----------
    wins, losses, n : array_like of float
        As in `score_statistic`.
    critical : array_like
        The limits are the values with this statistic and its negative, not below 0.
    """
    w, losses, n, wanted = np.broadcast_arrays(
        *(np.asarray(x, float) for x in (wins, losses, n, critical))
    )
    estimate = (w - losses) / n

    def limit(outer: float) -> Floats:
        """Halve the interval from the estimate to the outer end."""
        inside, outside = estimate.copy(), np.full_like(estimate, outer)
        for _ in range(_HALVINGS):
            middle = (inside + outside) / 2
            statistic = score_statistic(w, losses, n, middle)
            within = -outer * statistic <= wanted
            inside = np.where(within, middle, inside)
            outside = np.where(within, outside, middle)
        return np.asarray(inside)

    return limit(-1.0), limit(1.0)


def effective_counts(
    wins: ArrayLike,
    losses: ArrayLike,
    n: ArrayLike,
    variance: ArrayLike,
    least: ArrayLike,
    most: ArrayLike,
) -> tuple[Floats, Floats, Floats]:
    """Return wins, losses and n at the effective size of cases with runs or clusters.

    Parameters
    ----------
    wins, losses : array_like
        Sums over cases of the positive parts of each case's mean difference, and of
        the negative parts.
    n : array_like
        Cases.
    variance : array_like
        Estimated variance of the mean difference.
    least, most : array_like
        Bounds of the effective size: the independent units and all answers.

    Notes
    -----
    The effective size is that of independent cases with one answer each, the same wins
    and losses and the same variance of the mean difference.
    """
    w, losses, n, variance, least, most = np.broadcast_arrays(
        *(np.asarray(x, float) for x in (wins, losses, n, variance, least, most))
    )
    spread = np.maximum((w + losses) / n - ((w - losses) / n) ** 2, 0.0)
    size = np.divide(spread, variance, out=least.copy(), where=variance > 0)
    size = np.clip(size, least, most)
    return w * size / n, losses * size / n, size


def exact_p(
    wins: int,
    losses: int,
    n: int,
    difference: float,
    alternative: str,
    gamma: float = 0.0,
) -> float:
    """Return the exact unconditional p-value of the score statistic.

    Parameters
    ----------
    wins, losses, n : int
        Counts; 20,000 cases take below a second with ``gamma``, above 1 s without.
    difference : float
        The value of P(win) - P(loss) at the edge of the null hypothesis.
    alternative : {"greater", "less", "two-sided"}
        What P(win) - P(loss) is if the null hypothesis is false. Two-sided for
        difference 0 only.
    gamma : float
        0: the largest p over all shares of discordant cases. Above 0 (a thousandth of
        the level in use): the largest over their Clopper-Pearson interval of level
        1 - gamma, plus gamma (Berger and Boos).

    Notes
    -----
    The null hypothesis holds every share of discordant cases if ``difference`` is not
    below 0 (``greater``), and shares of -difference or more if it is. For a share below
    the difference, P(win) - P(loss) is the share at most: every discordant case a win.

    Tables are ordered by `score_statistic`. Given the discordant cases, wins are
    binomial, and within these more wins mean a larger statistic, so that p is a sum of
    binomial tails over the number of discordant cases.

    References
    ----------
    .. [1] Berger, R. L., Boos, D. D. (1994). JASA 89, 1012-1016.
    .. [2] Sidik, K. (2003). Comput. Statist. Data Anal. 43, 23-32.
    """
    if alternative == "less":  # losses take the place of wins
        return exact_p(losses, wins, n, -difference, "greater", gamma)
    observed = float(score_statistic(wins, losses, n, difference))
    if alternative == "two-sided":
        observed = abs(observed)
    sides = 2 if alternative == "two-sided" else 1
    low, high = abs(difference), 1.0
    if gamma > 0:
        # Clopper & Pearson (1934), of the share of discordant cases.
        discordant = wins + losses
        if discordant > 0:
            limit = special.betaincinv(discordant, n - discordant + 1, gamma / 2)
            low = max(low, float(limit))
        if discordant < n:
            limit = special.betainccinv(discordant + 1, n - discordant, gamma / 2)
            high = min(high, float(limit))
    tail = _Tail(n, difference, observed, sides)
    if low > high:
        # All shares of the interval are below |difference|: none allows the null
        # hypothesis of a loss so large, or all allow that of a gain at most so large.
        return gamma if difference < 0 else min(1.0, gamma + tail(high))
    return min(1.0, gamma + _largest(tail, n, abs(difference), low, high))


@lru_cache(maxsize=256)
def two_sided_level(n: int, alpha: float) -> float:
    """Return the largest level of the two-sided score test of difference 0.

    That is McNemar's chi-squared test without continuity correction at nominal level
    ``alpha``, over all shares of discordant cases among ``n``.
    """
    critical = -float(special.ndtri(alpha / 2))
    return _largest(_Tail(n, 0.0, critical, 2), n, 0.0, 0.0, 1.0)


class _Tail:
    """P(statistic >= observed), as a function of the share of discordant cases."""

    def __init__(self, n: int, difference: float, observed: float, sides: int) -> None:
        self.n, self.difference, self.sides = n, difference, sides
        counts = np.arange(n + 1.0)
        self.least = least_wins(counts, n, difference, observed)
        self.log_choose = -special.betaln(counts + 1, n - counts + 1) - math.log(n + 1)
        # Terms left out: of e^-40 of a normal tail's size.
        self.reach = 40 + max(observed, 0.0) ** 2
        self.given: Floats | None = None
        if difference == 0:  # the share of wins is 1/2 whatever their number
            self.given = self._given(counts, self.least, 0.5)

    def __call__(self, share: float) -> float:
        """Return the probability at one share of discordant cases."""
        n = self.n
        # Bernstein: P(|D - n share| >= far) <= 2 exp(-reach).
        third = self.reach / 3
        far = third + math.sqrt(
            third**2 + 2 * self.reach * n * share * max(1 - share, 0.0)
        )
        first = max(0, math.ceil(n * share - far))
        last = min(n, math.floor(n * share + far))
        at = slice(first, last + 1)
        counts = np.arange(first, last + 1.0)
        weights = np.exp(
            self.log_choose[at]
            + special.xlogy(counts, share)
            + special.xlog1py(n - counts, -share)
        )
        if self.given is not None:
            return float(weights @ self.given[at])
        of_wins = min(max((share + self.difference) / (2 * share), 0.0), 1.0)
        return float(weights @ self._given(counts, self.least[at], of_wins))

    def _given(self, counts: Floats, least: Floats, of_wins: float) -> Floats:
        """Return the probability of the statistic, given the discordant cases."""
        inner = (least > 0) & (least <= counts)
        x, y = np.where(inner, least, 1.0), np.where(inner, counts - least + 1, 1.0)
        # NIST DLMF 8.17.5: P(X >= x) = I_p(x, n - x + 1).
        upper = np.where(inner, special.betainc(x, y, of_wins), least <= 0)
        if self.sides == 1:
            return upper
        both = 2 * least > counts
        return np.asarray(np.where(both, 2 * upper, 1.0))


def least_wins(counts: Floats, n: int, difference: float, observed: float) -> Floats:
    """Return the fewest wins with a statistic >= observed, per discordant cases.

    One more than the discordant cases if there are none.
    """
    wanted = observed - _TIE * (1 + abs(observed))
    below, least = np.full_like(counts, -1.0), counts + 1
    for _ in range(math.ceil(math.log2(n + 2)) + 1):
        middle = np.floor((below + least) / 2)
        tried = np.clip(middle, 0.0, counts)
        reaches = score_statistic(tried, counts - tried, n, difference) >= wanted
        inside = (middle > below) & (middle < least)
        least = np.where(inside & reaches, middle, least)
        below = np.where(inside & ~reaches, middle, below)
    return least


def _largest(
    tail: Callable[[float], float], n: int, size: float, low: float, high: float
) -> float:
    """Return the largest probability over shares of discordant cases low to high.

    With share = size + (1 - size) sin^2 a, one standard deviation of the counts is
    1 / (2 sqrt(n)) in a, or more: an even grid in a leaves no peak out. Peaks are then
    closed in by golden sections.
    """

    def at(angle: float) -> float:
        return tail(min(max(size + (1 - size) * math.sin(angle) ** 2, low), high))

    def angle_of(share: float) -> float:
        return math.asin(math.sqrt(min(max((share - size) / (1 - size), 0.0), 1.0)))

    start, end = angle_of(low), angle_of(high)
    n_points = math.ceil((end - start) * 2 * math.sqrt(n) * _PER_DEVIATION) + 2
    grid = np.linspace(start, end, n_points)
    values = np.array([at(angle) for angle in grid.tolist()])
    higher = np.r_[-np.inf, values, -np.inf]
    peaks = np.flatnonzero((values >= higher[:-2]) & (values >= higher[2:]))
    largest = float(values.max())
    peaks = peaks[values[peaks] >= _NEAR * largest]
    for peak in peaks[np.argsort(-values[peaks])][:_PEAKS].tolist():
        left, right = grid[max(peak - 1, 0)], grid[min(peak + 1, n_points - 1)]
        largest = max(largest, _peak(at, float(left), float(right)))
    return largest


def _peak(at: Callable[[float], float], left: float, right: float) -> float:
    """Return the largest value between two points by golden sections."""
    inner = [right - _GOLDEN * (right - left), left + _GOLDEN * (right - left)]
    values = [at(inner[0]), at(inner[1])]
    best = max(values)
    for _ in range(20):  # the rest of the bracket is 7e-5 of it, and p is flat there
        if values[0] >= values[1]:
            right, inner[1], values[1] = inner[1], inner[0], values[0]
            inner[0] = right - _GOLDEN * (right - left)
            values[0] = at(inner[0])
        else:
            left, inner[0], values[0] = inner[0], inner[1], values[1]
            inner[1] = left + _GOLDEN * (right - left)
            values[1] = at(inner[1])
        best = max(best, *values)
    return best


def bounded_p(x: Floats, lowest: float) -> float:
    """Return Gaffke's p-value of the hypothesis that a mean is 0 or less.

    Parameters
    ----------
    x : ndarray, shape (n,)
        Independent numbers of one distribution.
    lowest : float
        The lowest value that they can have, below 0.

    Returns
    -------
    float
        P(sum of E_j x_j <= 0) over j = 0, ..., n, with x_0 = lowest and independent
        standard exponential E_j. No draws: an integral with about 13 digits.

    Notes
    -----
    Validity is proved for numbers with two values, of which one is the lowest
    (Clopper-Pearson's test); for others no violation is known.

    References
    ----------
    .. [1] Gaffke, N. (2005). Three test statistics for a nonparametric one-sided
       hypothesis on the mean of a nonnegative variable. Math. Methods Statist. 14,
       451-467.
    .. [2] Learned-Miller, E., Thomas, P. S. (2020). arXiv:1905.06208.
    """
    values, counts = np.unique(np.append(x, lowest), return_counts=True)
    values = values / np.abs(values).max()
    kept = np.abs(values) > _SMALLEST
    values, counts = values[kept], counts[kept].astype(float)
    if values.max() < 0:
        return 1.0
    if values.min() > 0:
        return 0.0
    if counts @ values > 0:
        return _sum_below_0(values, counts)
    return 1 - _sum_below_0(-values, counts)


def _sum_below_0(values: Floats, counts: Floats) -> float:
    """Return P(sum of E_j x_j < 0) if the mean of the sum is above 0.

    With K the cumulant function it is -1/(2 pi i) of the integral of e^K(s) / s along
    Re s = c, for any c between 1/min(x) and 0. At the saddle it does not oscillate.
    """
    c = _saddle(values, counts)
    curvature = float(counts @ (values / (1 - c * values)) ** 2) + 1 / c**2
    width = 1 / math.sqrt(curvature)
    log_top = -float(counts @ np.log1p(-c * values)) - math.log(-c)
    total, first = 0.0, 0
    while True:
        # t = width sinh(u): the trapezoidal rule has an error of e^-(pi^2 / 2 step).
        u = _STEP * np.arange(first, first + _NODES)
        s = c + 1j * width * np.sinh(u)
        log_height = -np.log(-s)
        for value, count in _portions(values, counts):
            log_height -= np.log(1 - np.outer(s, value)) @ count
        terms = np.exp(log_height - log_top).real * np.cosh(u)
        if first == 0:
            terms[0] /= 2
        total += float(terms.sum())
        first += _NODES
        if np.abs(terms[-2:]).max() < 1e-17 * abs(total):
            break
    p = math.exp(log_top) * width * _STEP * total / math.pi
    return min(1.0, p)


_SMALLEST = 1e-100
"""Of numbers over the largest: squares of smaller ones are no doubles."""
_STEP = 0.1
_NODES = 32
_AT_ONCE = 1 << 15
"""Numbers whose complex logarithms are held at once, per node."""


def _portions(values: Floats, counts: Floats) -> list[tuple[Floats, Floats]]:
    """Return both in portions of limited length."""
    starts = range(0, len(values), _AT_ONCE)
    return [(values[i : i + _AT_ONCE], counts[i : i + _AT_ONCE]) for i in starts]


def _saddle(values: Floats, counts: Floats) -> float:
    """Return the negative c with K'(c) = 1/c, by halving; K' - 1/c increases."""
    left, right = 1 / float(values.min()), 0.0
    for _ in range(_HALVINGS):
        middle = (left + right) / 2
        slope = float(counts @ (values / (1 - middle * values))) - 1 / middle
        left, right = (middle, right) if slope < 0 else (left, middle)
    return (left + right) / 2


def bounded_limit(x: Floats, width: float, alpha: float) -> float:
    """Return the lower limit of a mean, of which `bounded_p` is ``alpha``.

    Parameters
    ----------
    x : ndarray, shape (n,)
        Numbers between -width and width.
    alpha : float
        The limit has confidence level 1 - alpha.
    """

    def excess(value: float) -> float:
        """Return log p less that of alpha: it rises with the value."""
        return math.log(max(bounded_p(x - value, -width - value), 1e-300)) - wanted

    wanted, mean = math.log(alpha), float(np.mean(x))
    if mean <= -width:
        return -width
    limit = scipy.optimize.brentq(excess, -width, mean, xtol=1e-14 * width, rtol=1e-14)
    return float(limit)


def least_units(margin: float, alpha: float) -> int:
    """Return how many independent units a valid test against a margin needs.

    A rate of loss just at the margin leaves all n units alike with probability
    (1 - margin)^n. A test that passes such tables has at least that error, so that n
    is at least ln(alpha) / ln(1 - margin).

    Parameters
    ----------
    margin : float
        As a part of the largest possible difference.
    alpha : float
        Error rate of the one-sided test.

    Examples
    --------
    >>> least_units(0.02, 0.025), least_units(0.05, 0.025), least_units(0.02, 0.05)
    (183, 72, 149)
    """
    if margin >= 1 or margin == 0:  # 0: of a range without ends nothing is known
        return 1
    return math.ceil(math.log(alpha) / math.log1p(-margin))
