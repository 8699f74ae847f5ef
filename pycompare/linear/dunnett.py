"""Dunnett's comparisons of algorithms with a control."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pycompare.data.scores import Scores
from pycompare.errors import DesignError, setting
from pycompare.kernels import many_to_one
from pycompare.linear.overlap import Sizes
from pycompare.linear.pairs import Contrasts, MeanPairsResult, contrasts

Floats = NDArray[np.float64]


def dunnett(
    scores: Scores,
    *,
    control: str,
    metric: str | None = None,
    blocked: bool = True,
    level: float = 0.95,
    n_train: Sizes | None = None,
    n_test: Sizes | None = None,
) -> MeanPairsResult:
    """Compare each algorithm's adjusted mean with that of a control.

    Parameters
    ----------
    scores : Scores
        A complete table, or ``blocked=False``; blocks with missing cells where the
        correlations of the comparisons are products, as with four algorithms or fewer
        they nearly always are.
    control : str
        One of the algorithms.
    metric, blocked, level, n_train, n_test
        As in ``tukey``.

    Returns
    -------
    MeanPairsResult
        ``estimate`` is the algorithm minus the control, two-sided.

    Raises
    ------
    DesignError
        As ``tukey``; and where missing cells make the correlations of the comparisons
        no product, so that there is no exact p-value by quadrature.
    InputError
        If the control is no algorithm.

    Notes
    -----
    p = P(max_j |T_j| > |t|), T multivariate t with the correlations of the contrasts,
    by a two-dimensional quadrature with more than 10 digits. R:
    ``summary(multcomp::glht(fit, mcp(algorithm = "Dunnett")))``, which is random in
    the fourth digit.
    Without residual variance as ``tukey``.

    References
    ----------
    .. [1] Dunnett, C. W. (1955). JASA 50, 1096-1121.
    """
    found = contrasts(scores, metric, blocked, level, control, n_train, n_test)
    loadings = control_loadings(found)
    p = [many_to_one.sf(abs(float(t)), loadings, found.df) for t in found.t]
    return found.result(
        MeanPairsResult,
        np.array(p),
        dunnett_quantile(tuple(loadings.tolist()), found.df, level),
        method="Dunnett's comparisons with a control",
        adjust="dunnett",
        interval=f"simultaneous {100 * level:g}% (Dunnett)",
        level=level,
        reference="Dunnett (1955) JASA 50, 1096-1121",
        r_method="dunnett",
    )


@lru_cache(maxsize=64)
def dunnett_quantile(loadings: tuple[float, ...], df: float, level: float) -> float:
    """Return the half width of a simultaneous interval, in standard errors."""
    return many_to_one.isf(1 - level, np.array(loadings), df)


def control_loadings(found: Contrasts) -> Floats:
    """Return the loadings of the comparisons' correlations on the control's error."""
    v, at, control = found.fit.design.unscaled, found.first, found.second[0]
    # Cov(m_i - m_0, m_j - m_0) for error variance 1.
    covariance = v[np.ix_(at, at)] - v[at, control][:, None]
    covariance = covariance - v[control, at][None, :] + v[control, control]
    error = np.sqrt(np.diag(covariance))
    loadings = many_to_one.product_loadings(covariance / np.outer(error, error))
    if loadings is None:
        raise DesignError(
            "missing cells make the correlations of the comparisons with "
            f"{found.control!r} other than products, and Dunnett's p-value has no "
            "exact quadrature; use "
            + setting("adjust", "holm")
            + " (pc.pairwise_t), or a "
            "complete table"
        )
    return loadings
