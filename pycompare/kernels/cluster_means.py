"""Means of clustered numbers: CR2 variance and Satterthwaite degrees of freedom.

A mean over all cases is the intercept of a linear model. Here is its closed form, which
needs only the total of each cluster. The weighted mean of several benchmarks is a sum
over independent strata.
"""

from __future__ import annotations

import numpy as np

from pycompare.base.typing import Floats, Ints


def sums_by(codes: Ints, x: Floats) -> Floats:
    """Return the sums of the rows of each stratum, shape (n_strata, m)."""
    if not codes.any():
        return np.asarray(x.sum(axis=0, keepdims=True))
    member = np.equal.outer(np.arange(codes.max() + 1), codes).astype(float)
    return np.asarray(member @ x)


def variances(residual_totals: Floats, weights: Floats, codes: Ints) -> Floats:
    """Return the CR2 variance of the sum of each stratum, shape (n_strata, m).

    Parameters
    ----------
    residual_totals : ndarray, shape (g, m)
        Of each cluster the sum of differences from the mean of its stratum.
    weights : ndarray, shape (g,)
        Cases in each cluster, or numbers in proportion to them within each stratum.
    codes : ndarray of int, shape (g,)
        The stratum of each cluster.

    Notes
    -----
    With leverage n_g / n the adjusted residual total is that of the cluster over
    sqrt(1 - n_g / n): the adjustment matrix acts on a constant column.

    References
    ----------
    .. [1] Bell, R. M., McCaffrey, D. F. (2002). Survey Methodology 28, 169-181.
    """
    share = weights / sums_by(codes, weights[:, None])[codes, 0]
    return sums_by(codes, np.square(residual_totals) / (1 - share)[:, None])


def welch_satterthwaite(variances: Floats, df: Floats) -> Floats:
    """Return degrees of freedom of sums of variances, shape (m,).

    Parameters
    ----------
    variances : ndarray, shape (n_strata, m)
    df : ndarray, shape (n_strata,)
        Degrees of freedom of each; if all variances are 0 the smallest is returned.

    References
    ----------
    .. [1] Satterthwaite, F. E. (1946). Biometrics Bulletin 2, 110-114.
    """
    largest = variances.max(axis=0)
    share = variances / np.where(largest > 0, largest, 1.0)
    below = np.sum(np.square(share) / df[:, None], axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        sum_df = share.sum(axis=0) ** 2 / below
    return np.where(largest > 0, sum_df, df.min())


def degrees_of_freedom(sizes: Floats) -> float:
    """Return Satterthwaite's degrees of freedom for independent, equal variances.

    Notes
    -----
    The variance estimate is a quadratic form of normal errors; with P the matrix of
    covariances of its g parts, df = (tr P)^2 / tr P^2, where P has the entries
    n_g / n^2 and -n_g n_h / (n^3 sqrt((1 - n_g / n)(1 - n_h / n))). n - 1 if each
    cluster is one case, g - 1 if all have one size.

    References
    ----------
    .. [1] Pustejovsky, J. E., Tipton, E. (2018). J. Bus. Econ. Statist. 36, 672-683.
    """
    share = sizes / sizes.sum()
    # All entries times n, of which the ratio is free.
    weight = share / np.sqrt(1 - share)
    square_off = np.sum(weight**2) ** 2 - np.sum(weight**4)
    return float(1 / (np.sum(share**2) + square_off))
