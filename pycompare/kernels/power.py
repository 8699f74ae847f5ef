"""Power of tests of normal scores and of counts, without approximation.

Each function returns the probability that a test at level alpha rejects, given the true
effect in the units of its standard error.
"""

from __future__ import annotations

import math

import numpy as np
import scipy
from scipy import special

from pycompare.kernels import binomial, noncentral_f, student
from pycompare.typing import Floats, Ints


def t_two_sided(df: float, shift: float, alpha: float) -> float:
    """Return P(|T| > t), T noncentral t with noncentrality ``shift``.

    Notes
    -----
    R: ``power.t.test(..., strict = TRUE)``.
    """
    t = student.isf(alpha / 2, df)
    return _above(t, df, shift) + _above(t, df, -shift)


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
    Given S = s / sigma both tests reject where the estimate lies between
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
    found, _ = scipy.integrate.quad(
        rejected, max(first, 1e-300), last, epsabs=1e-14, epsrel=1e-12, limit=200
    )
    return float(found)


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
    found = np.full(m.shape, -1)
    some = binomial.smallest_p(m) <= alpha
    of = m[some]
    k = np.floor(special.bdtrik(alpha / 2, of, 0.5)).astype(np.intp)
    # The inverse may be off by rounding where a p-value is close to alpha.
    k = np.where(binomial.p_values(k, of - k) <= alpha, k, k - 1)
    found[some] = np.where(binomial.p_values(k + 1, of - k - 1) <= alpha, k + 1, k)
    return found


def _binomial_pmf(k: Ints, n: int, p: float) -> Floats:
    """Return the probabilities of counts of n trials. R: ``dbinom``."""
    log_choose = -np.log(n + 1.0) - special.betaln(k + 1, n - k + 1)
    return np.exp(log_choose + special.xlogy(k, p) + special.xlog1py(n - k, -p))


def normal_quantile(alpha: float) -> float:
    """Return the z that a two-sided test at alpha must reach."""
    return float(-special.ndtri(alpha / 2))


def reader_test(
    t: int, r: int, own: float, shared: float, effect: float, alpha: float
) -> float:
    """Return the power of Obuchowski and Rockette's test with Hillis' df.

    Parameters
    ----------
    t, r : int
        Modalities and readers.
    own : float
        Expected mean square of modality x reader, MS(TR).
    shared : float
        r (Cov2 - Cov3), taken as known.
    effect : float
        r times the sum of squares of the modalities' true AUCs about their mean.

    Notes
    -----
    The degrees of freedom of the test follow from MS(TR) = own S^2, S^2 being
    chi2 / df. Given S the mean square of modalities is a noncentral chi-squared, and
    the power is the mean over S. Hillis, Obuchowski and Berbaum (2011) take S = 1.
    """
    df, df1 = (t - 1) * (r - 1), t - 1
    error = own + shared
    log_constant = df / 2 * math.log(df / 2) - special.gammaln(df / 2) + math.log(2)

    def rejected(s: float) -> float:
        own_error = own * s * s + shared
        # Hillis (2007), eq. 8, up to where F has no more than its chi-squared limit.
        df2 = min(df * (own_error / (own * s * s)) ** 2, 1e12)
        f = own_error / special.fdtri(df2, df1, alpha)
        below = special.chndtr(df1 * f / error, df1, effect / error)
        log_density = log_constant + (df - 1) * math.log(s) - df * s * s / 2
        return float((1 - below) * math.exp(log_density))

    spread = 12 / math.sqrt(2 * df)  # S is within 12 standard deviations of 1
    first = max(1e-12, 1 - spread)
    found, _ = scipy.integrate.quad(
        rejected, first, 1 + spread, epsabs=1e-13, epsrel=1e-11, limit=200
    )
    return float(found)


def skewed_above(x: float, mean: float, sd: float, skewness: float) -> float:
    """Return P(X > x) of a shifted gamma distribution with these moments.

    The Pearson distribution of type III: the normal one where nothing is skewed.
    """
    z = (x - mean) / sd
    if abs(skewness) < 1e-6:
        return float(special.ndtr(-z))
    shape = 4 / skewness**2
    at = shape + math.copysign(math.sqrt(shape), skewness) * z
    tail = special.gammaincc if skewness > 0 else special.gammainc
    return float(tail(shape, max(at, 0.0)))
