"""Power of tests of normal scores and of counts, without approximation.

Each function returns the probability that a test at level alpha rejects, given the true
effect in the units of its standard error.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import scipy
from scipy import special

from pycompare.base.typing import Floats, Ints
from pycompare.kernels import binomial, noncentral_f, student
from pycompare.kernels.reader_area_moments import Joint


def t_two_sided(df: float, shift: float, alpha: float) -> float:
    """Return P(|T| > t), T noncentral t with noncentrality ``shift``.

    Notes
    -----
    R: ``power.t.test(..., strict = TRUE)``.
    """
    t = student.isf(alpha / 2, df)
    return _above(t, df, shift) + _above(t, df, -shift)


def smallest_size(
    power: Callable[[int], float],
    target: float,
    least: int = 2,
    most: int = 10**6,
    near: float = 0.0,
) -> int | None:
    """Return the smallest size whose power reaches a target; None above ``most``.

    ``power`` grows with the size. The search begins at the size that is ``near``.
    """
    low, high = least - 1, int(min(max(near, least), most))
    step = max(1, high // 50)
    if power(high) < target:
        while power(high) < target:
            if high == most:
                return None
            low, high, step = high, min(high + step, most), 2 * step
    else:
        while high > least and power(lower := max(high - step, least)) >= target:
            high, step = lower, 2 * step
        low = max(high - step, low)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if power(middle) < target else (low, middle)
    return high


def t_one_sided(df: float, shift: float, alpha: float) -> float:
    """Return P(T > t), T noncentral t with noncentrality ``shift``."""
    return _above(student.isf(alpha, df), df, shift)


def _above(t: float, df: float, shift: float) -> float:
    """Return P(T > t) for t >= 0, to about 1e-15 in absolute terms.

    No tail is lost: a power is at least of the order of alpha.
    """
    return max(0.0, 1.0 - student.noncentral_cdf(t, df, shift))


def f_test(df1: float, df2: float, noncentrality: float, alpha: float) -> float:
    """Return P(F > f), F noncentral. R: ``pf(qf(...), ..., ncp)``."""
    f = 1 / special.fdtri(df2, df1, alpha)
    return 1.0 - noncentral_f.cdf(float(f), df1, df2, noncentrality)


def equivalence(df: float, low: float, high: float, alpha: float) -> float:
    """Return the power of two one-sided t tests.

    Parameters
    ----------
    df : float
    low, high : float
        The limits of equivalence less the true difference, in standard errors.

    Notes
    -----
    Given S = s / sigma both tests reject if the estimate lies between
    low + t S and high - t S standard errors from the truth (Phillips 1990, J.
    Pharmacokinetics and Biopharmaceutics 18, 137-144); S^2 is chi2 / df.
    """
    t = student.isf(alpha, df)
    widest = (high - low) / (2 * t)  # beyond it nothing lies between the limits
    log_constant = df / 2 * math.log(df / 2) - special.gammaln(df / 2) + math.log(2)

    def rejected(s: float) -> float:
        inside = special.ndtr(high - t * s) - special.ndtr(low + t * s)
        log_density = log_constant + (df - 1) * math.log(s) - df * s * s / 2
        return float(inside * math.exp(log_density))

    spread = 12 / math.sqrt(2 * df)  # S is within 12 standard deviations of 1
    first, last = max(0.0, 1 - spread), min(widest, 1 + spread)
    if last <= first:
        return 0.0
    power, _ = scipy.integrate.quad(
        rejected, max(first, 1e-300), last, epsabs=1e-14, epsrel=1e-12, limit=200
    )
    return float(power)


def sign_test(n: int, win: float, tie: float, alpha: float) -> float:
    """Return the power of the exact two-sided sign test, ties dropped.

    Parameters
    ----------
    n : int
        Blocks.
    win : float
        Probability that the first is above, given no tie.
    tie : float
        Probability of a tie.

    Notes
    -----
    The number of blocks that count is binomial, and given it the number of wins; with
    discordant pairs of cases as blocks the test is McNemar's exact one.
    """
    m = np.arange(n + 1)
    of_count = _binomial_pmf(m, n, 1 - tie)
    m, of_count = m[of_count > 1e-18], of_count[of_count > 1e-18]
    k = _most_losses(m, alpha)
    m, of_count, k = m[k >= 0], of_count[k >= 0], k[k >= 0]
    # P(W <= k) and P(W >= m - k) of W wins, by the incomplete beta function.
    few = special.betaincc(k + 1, m - k, win)
    many = special.betainc(m - k, k + 1, win)
    return float(of_count @ (few + many))


def _most_losses(m: Ints, alpha: float) -> Ints:
    """Return the largest number on one side of m with a p-value <= alpha; -1: none."""
    # By bisection: SciPy's inverse is wrong, and may not end, for alpha below 1e-290.
    low, high = np.full(m.shape, -1), m // 2 + 1
    while (high - low > 1).any():
        k = (low + high) // 2
        significant = (k >= 0) & (binomial.p_values(k.clip(0), m - k.clip(0)) <= alpha)
        low, high = np.where(significant, k, low), np.where(significant, high, k)
    return low


def _binomial_pmf(k: Ints, n: int, p: float) -> Floats:
    """Return the probabilities of counts of n trials. R: ``dbinom``."""
    log_choose = -np.log(n + 1.0) - special.betaln(k + 1, n - k + 1)
    return np.exp(log_choose + special.xlogy(k, p) + special.xlog1py(n - k, -p))


def normal_quantile(alpha: float) -> float:
    """Return the z that a two-sided test at alpha must reach."""
    return float(-special.ndtri(alpha / 2))


def reader_test(
    t: int,
    r: int,
    own: float,
    shared: float,
    effect: float,
    joint: Joint,
    alpha: float,
) -> float:
    """Return the power of Obuchowski and Rockette's test with Hillis' df.

    Parameters
    ----------
    t, r : int
        Modalities and readers.
    own : float
        Expected mean square of modality x reader, MS(TR).
    shared : float
        r (Cov2 - Cov3).
    effect : float
        Square root of the sum of squares of the modalities' true AUCs about their mean.
    joint : Joint
        Of the difference along the effect, MS(TR) and the estimate of ``shared``.

    Notes
    -----
    MS(TR) is treated as a gamma variable M; given it, the estimate X of ``shared`` as
    normal, and given both the difference as a shifted gamma variable, with means and
    a variance that are linear in M and X. Differences across the effect are normal.
    The power is the mean over M and X of the probability that the test, with the
    degrees of freedom that follow from them, rejects. Our own; Hillis, Obuchowski and
    Berbaum (2011) treat M and X as known and the difference as normal.
    """
    m, weight_m = _gamma_nodes(own**2 / joint.var_m, own, _NODES_M)
    z, weight_x = np.polynomial.hermite_e.hermegauss(_NODES_X)
    m, step = m[:, None], (m - own)[:, None]
    spread = math.sqrt(max(joint.var_x - joint.m_x**2 / joint.var_m, 0.0))
    x = shared + joint.bias + joint.m_x / joint.var_m * step + spread * z
    mean, sd = _given(joint, own, (own + shared) / r, effect, step, spread * z)
    error = m + np.maximum(x, 0.0)
    # Hillis (2007), up to where F has no more than its chi-squared limit.
    df = np.minimum((t - 1) * (r - 1) * (error / m) ** 2, 1e12)
    reached = (t - 1) * error / special.fdtri(df, t - 1, alpha)
    across, weight = np.zeros(1), np.ones(1)
    if t > 2:
        across, weight = _gamma_nodes(t / 2 - 1, (t - 2) * (own + shared), _NODES_X)
    far = np.sqrt(np.maximum(reached[..., None] - across, 0.0) / r)
    mean, sd = mean[..., None], sd[..., None]
    skewness = joint.third / ((own + shared) / r) ** 1.5
    rejected = _skewed_tail((far - mean) / sd, skewness)
    rejected += _skewed_tail((far + mean) / sd, -skewness)
    return float(weight_m @ (rejected @ weight) @ weight_x / weight_x.sum())


_NODES_M, _NODES_X = 80, 25
"""Of quadratures over a mean square, and over a component given it."""


def _gamma_nodes(shape: float, mean: float, n: int) -> tuple[Floats, Floats]:
    """Return nodes and weights of a gamma distribution."""
    power = max(2.0, 2 / shape)  # of a variable whose density is smooth at 0
    y, w = np.polynomial.legendre.leggauss(n)
    edges = special.gammaincinv(shape, 1e-12), special.gammainccinv(shape, 1e-12)
    low, high = (float(edge) ** (1 / power) for edge in edges)
    v = low + (high - low) * (y + 1) / 2
    log_density = (power * shape - 1) * np.log(v) - v**power
    weight = w * np.exp(log_density - log_density.max())
    return v**power * mean / shape, weight / weight.sum()


def _given(
    joint: Joint, own: float, variance: float, effect: float, step: Floats, rest: Floats
) -> tuple[Floats, Floats]:
    """Return mean and standard deviation of the difference, given M and X.

    ``step`` is M less its mean, ``rest`` X less its mean given M.
    """
    by_m = joint.d_m / joint.var_m
    left = joint.var_x - joint.m_x**2 / joint.var_m
    by_x = (joint.d_x - by_m * joint.m_x) / left if left > 0 else 0.0
    unexplained = variance - by_m * joint.d_m - by_x**2 * max(left, 0.0)
    # The part that a mean linear in a gamma variable has is taken off.
    slope = joint.d_d_m / joint.var_m - by_m**2 * 2 * joint.var_m / own
    of_x = joint.d_d_x - joint.m_x / joint.var_m * joint.d_d_m
    slope_x = of_x / left if left > 0 else 0.0
    remaining = unexplained + slope * step + slope_x * rest
    return (
        effect + by_m * step + by_x * rest,
        # The line may fall below 0 far from the mean.
        np.sqrt(np.maximum(remaining, variance / 10)),
    )


def skewed_above(x: float, mean: float, sd: float, skewness: float) -> float:
    """Return P(X > x) of a shifted gamma distribution with these moments.

    The Pearson distribution of type III: the normal one if nothing is skewed.
    """
    return float(_skewed_tail(np.asarray((x - mean) / sd), skewness))


def _skewed_tail(z: Floats, skewness: float) -> Floats:
    """Return P(Z > z) of the standardised distribution."""
    if abs(skewness) < 1e-6:
        return np.asarray(special.ndtr(-z))
    shape = 4 / skewness**2
    at = shape + math.copysign(math.sqrt(shape), skewness) * z
    tail = special.gammaincc if skewness > 0 else special.gammainc
    return np.asarray(tail(shape, np.maximum(at, 0.0)))
