"""Means of clustered numbers: CR2 variance and Satterthwaite degrees of freedom.

A mean over all cases is the intercept of a linear model. Here is its closed form, which
needs only the total of each cluster.
"""

from __future__ import annotations

import numpy as np

from pycompare.typing import Floats


def variances(residual_totals: Floats, sizes: Floats) -> Floats:
    """Return CR2 variances of means.

    Parameters
    ----------
    residual_totals : ndarray, shape (g, m)
        Of each cluster the sum of differences from the mean over all cases.
    sizes : ndarray, shape (g,)
        Cases in each cluster.

    Notes
    -----
    With leverage n_g / n the adjusted residual total is that of the cluster over
    sqrt(1 - n_g / n): the adjustment matrix acts on a constant column.

    References
    ----------
    .. [1] Bell, R. M., McCaffrey, D. F. (2002). Survey Methodology 28, 169-181.
    """
    n = sizes.sum()
    adjusted = 1 / (1 - sizes / n)
    return np.asarray(adjusted @ np.square(residual_totals) / n**2)


def degrees_of_freedom(sizes: Floats) -> float:
    """Return Satterthwaite's degrees of freedom for independent, equal variances.

    Notes
    -----
    The variance estimate is a quadratic form of normal errors; with P the matrix of
    covariances of its g parts, df = (tr P)^2 / tr P^2, where P has the entries
    n_g / n^2 and -n_g n_h / (n^3 sqrt((1 - n_g / n)(1 - n_h / n))). n - 1 where each
    cluster is one case, g - 1 where all have one size.

    References
    ----------
    .. [1] Pustejovsky, J. E., Tipton, E. (2018). J. Bus. Econ. Statist. 36, 672-683,
       eq. 11.
    """
    share = sizes / sizes.sum()
    # All entries times n, of which the ratio is free.
    weight = share / np.sqrt(1 - share)
    square_off = np.sum(weight**2) ** 2 - np.sum(weight**4)
    return float(1 / (np.sum(share**2) + square_off))
