"""Are the residuals of a linear model normal? Shapiro and Wilk's test."""

from __future__ import annotations

import pandas as pd

from pycompare.kernels.shapiro_wilk import shapiro_wilk
from pycompare.methods.models.fit import ModelFit

_FEWEST, _MOST = 3, 5000


def residual_normality(fit: ModelFit) -> pd.DataFrame:
    """Return Shapiro and Wilk's test of the residuals of each response.

    Parameters
    ----------
    fit : ModelFit
        ``LinearModel.fit``.

    Returns
    -------
    DataFrame
        ``response stratum n statistic p_value``, of the finest stratum that has
        residuals. A mixed model, too few or too many rows, or residuals that are equal
        have no row.

    Notes
    -----
    R: ``shapiro.test(residuals(lm()))``. With error strata, residuals are those of
    ``proj(aov())``, which are slightly dependent.
    """
    columns = ["response", "stratum", "n", "statistic", "p_value"]
    rows = []
    layers = [layer for layer in fit.layers if layer.df_error > 1]
    if layers and _FEWEST <= fit.n <= _MOST:
        residual = fit.residuals(layers[-1], slice(None))
        for name, column in zip(fit.names, residual.T, strict=True):
            if column.any():
                rows.append((name, layers[-1].name, fit.n, *shapiro_wilk(column)))
    return pd.DataFrame(rows, columns=columns)
