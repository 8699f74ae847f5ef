"""Outlying residuals of a MANOVA, by distances of the minimum covariance determinant.

One outlier pulls means and covariances towards itself, so that classical distances
mask it. The minimum covariance determinant (MCD) is that of the half of the residuals
whose covariance matrix has the smallest determinant.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import special

from pycompare.base.arguments import check_seed
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import counted
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Bools, Floats
from pycompare.data.scores import Scores
from pycompare.kernels.min_cov_det import closest_half, consistency
from pycompare.kernels.multivariate_normality import whitened
from pycompare.methods.linear.assumptions import NO_RESIDUAL
from pycompare.methods.linear.responses import Responses, responses
from pycompare.results.result import MayDraw, Result, internal, made_when_read

_QUANTILE = 0.975
"""Of chi2: the convention for both the reweighting and the limit of distances."""
_PLANE = 1e-7
"""A half of the whitened residuals with a smaller singular value lies on a plane."""
_MIRRORED = (
    "two algorithms in complete blocks have mirrored residuals: those of the first are "
    "used, half the differences of each block"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class MultivariateOutliers(MayDraw, Result):
    """Distances of the residuals of a multivariate analysis of variance.

    A description of the data: it chooses no analysis and removes no score.

    Attributes
    ----------
    table : DataFrame
        One row per residual: ``block algorithm distance robust_distance outlying``.
        ``distance`` is Mahalanobis' with the mean and covariance of all residuals,
        ``robust_distance`` that with the reweighted MCD's; ``outlying`` if the latter
        exceeds ``limit``.
    limit : float
        Square root of the 0.975 quantile of chi2 with ``len(metrics)`` degrees of
        freedom.
    half : int
        Residuals that the raw MCD is made of.
    n_outlying : int
    metrics : tuple of str
        The metrics that distances are made of: those that do not follow from others.
    seed : int
        Random seed of the search.
    notes : tuple of str
    """

    table: pd.DataFrame = made_when_read()
    limit: float
    half: int
    n_outlying: int
    metrics: tuple[str, ...]
    seed: int
    notes: tuple[str, ...]
    fit: Responses = internal()

    def as_columns(self) -> Columns:
        """Return ``table``."""
        return Columns.of(self.held("table"))

    def r_call(self) -> RCall:
        """Return the call of ``rrcov::CovMcd``, which has random starts too."""
        files = ("responses", "multivariate_outliers")
        arguments = self.fit.r_arguments()
        return RCall(files, "multivariate_outliers_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return both distances and their limit."""
        rows = self.as_columns()
        return {
            "distance": rows["distance"].astype(float),
            "robust_distance": rows["robust_distance"].astype(float),
            "limit": self.limit,
            "half": self.half,
        }


@checked
def multivariate_outliers(
    scores: Scores,
    *,
    metrics: Sequence[str] | None = None,
    blocked: bool = True,
    seed: int = 0,
) -> MultivariateOutliers:
    """Return robust distances of the residuals of a multivariate analysis of variance.

    Parameters
    ----------
    scores, metrics, blocked
        As in ``manova``.
    seed : int, default 0
        Random seed of the search for the half with the smallest determinant.

    Returns
    -------
    MultivariateOutliers

    Raises
    ------
    DesignError
        As ``manova``; if half of the residuals or more lie on a plane; or if there are
        too few residuals for a half that spans the metrics.
    InputError
        For unknown metrics.

    Notes
    -----
    Equation 6.6 of docs/equations.md.

    FAST-MCD from 500 random starts, of floor((n + p + 1) / 2) residuals; covariances
    are made consistent for normal residuals and reweighted once, without corrections
    for small samples. About 2.5 of 100 clean residuals lie beyond the limit if there
    are many, and more with few: 12 of 100 of 20 residuals in 2 metrics, 5 of 40, 2.7
    of 150 (simulated). With four metrics or more, other seeds may find another half
    with nearly the same determinant, and distances that differ in the second digit.

    R: ``rrcov::CovMcd(alpha = 1/2, use.correction = FALSE)``, which calls
    ``robustbase::covMcd``.

    References
    ----------
    .. [1] Rousseeuw, P. J., Van Driessen, K. (1999). Technometrics 41, 212-223.
    .. [2] Croux, C., Haesbroeck, G. (1999). J. Multivariate Anal. 71, 161-190.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.multivariate_outliers(pc.example("folds"), seed=1)
    >>> print(f"{found.n_outlying} of {len(found.table)} beyond {found.limit:.2f}")
    8 of 150 beyond 2.72
    """
    check_seed(seed)
    model = responses(scores, metrics, blocked)
    rows, at = np.nonzero(model.design.present)
    e = model.working.error[:, model.error.kept]
    mirrored = blocked and model.design.complete and len(model.algorithms) == 2
    if mirrored:
        e, rows, at = e[at == 0], rows[at == 0], at[at == 0]
    n, p = e.shape
    half = (n + p + 1) // 2
    if p == 0:
        raise DesignError(NO_RESIDUAL)
    if half <= p + 1:
        raise DesignError(
            f"{counted(n, 'residual')} are too few for the outliers of "
            f"{counted(p, 'metric')}: name fewer metrics, or add blocks"
        )
    z = whitened(e - e.mean(axis=0))
    robust = np.sqrt(_robust_squares(z, half, seed))
    limit = math.sqrt(float(special.chdtri(p, 1 - _QUANTILE)))
    beyond = robust > limit
    return MultivariateOutliers(
        table=Columns(
            {
                "block": [model.blocks[i] for i in rows],
                "algorithm": [model.algorithms[j] for j in at],
                "distance": np.linalg.norm(z, axis=1) * math.sqrt((n - 1) / n),
                "robust_distance": robust,
                "outlying": beyond,
            }
        ),
        limit=limit,
        half=half,
        n_outlying=int(beyond.sum()),
        metrics=model.kept,
        seed=seed,
        notes=(*model.notes, *([_MIRRORED] if mirrored else [])),
        fit=model,
    )


def _robust_squares(z: Floats, half: int, seed: int) -> Floats:
    """Return squared distances by the reweighted MCD of whitened residuals (n, p)."""
    n, p = z.shape
    inside = closest_half(z, half, np.random.default_rng(seed))
    part = z[inside] - z[inside].mean(axis=0)
    if np.linalg.svd(part, compute_uv=False)[-1] <= _PLANE * math.sqrt(n):
        raise DesignError(
            "half of the residuals or more lie on a plane of the metrics, so that "
            "distances are not defined: name fewer metrics"
        )
    raw = _squares(z, inside)
    return _squares(z, raw < special.chdtri(p, 1 - _QUANTILE))


def _squares(z: Floats, inside: Bools) -> Floats:
    """Return squared distances by the mean and consistent covariance of some rows."""
    n, p = z.shape
    rest = z - z[inside].mean(axis=0)
    _, triangle = np.linalg.qr(rest[inside] / math.sqrt(inside.sum() - 1))
    turned = np.linalg.solve(triangle.T, rest.T)
    squares: Floats = np.sum(turned**2, axis=0)
    return squares / consistency(p, float(inside.sum()) / n)
