"""Tukey's honestly significant difference, with the model's own error."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from pycompare.base.checked import checked
from pycompare.base.typing import Sizes
from pycompare.data.scores import Scores
from pycompare.kernels import studentized_range
from pycompare.methods.linear.pairs import MeanContrasts, MeanPairsResult, contrasts
from pycompare.results.schema import ResultQuantity, Schema

_SAME_ERROR = 1e-9
"""Relative difference up to which standard errors are those of a complete table."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TukeyResult(MeanPairsResult):
    """Pairs of means compared by Tukey's test; see ``MeanPairsResult``.

    Attributes
    ----------
    significant_difference : float
        The honestly significant difference (HSD), in the metric's unit: two means
        differ at ``1 - level`` if they are further apart. NaN if pairs have standard
        errors of their own, as with missing cells, or there is no residual variance.
    """

    significant_difference: float

    schema: ClassVar[Schema] = (
        *MeanPairsResult.schema,
        ResultQuantity("significant_difference", "limit", unit="metric"),
    )


@checked
def tukey(
    scores: Scores,
    *,
    metric: str | None = None,
    blocked: bool = True,
    level: float = 0.95,
    n_train: Sizes | None = None,
    n_test: Sizes | None = None,
) -> TukeyResult:
    """Compare all pairs of adjusted means by Tukey's test.

    Parameters
    ----------
    scores : Scores
        At least two algorithms and two blocks; cells may be missing if the scores were
        read with ``missing="model"``.
    metric : str, optional
        One of ``scores.metrics``, in its own unit; needed if there are several.
    blocked : bool, default True
        Whether the rows are blocks; False compares as after a one-way analysis.
    level : float
        Confidence level of the intervals, together.
    n_train, n_test : float or mapping of data set to float, optional
        Sizes of each training and test set behind the folds, both or neither; for
        complete blocks. Standard errors are multiplied by the root of
        ``variance_ratio``, 1 + k n_test/n_train for k folds of a data set, or its mean
        over folds if data sets differ.

    Returns
    -------
    TukeyResult
        ``estimate`` is algorithm_1 minus algorithm_2 in the metric's unit. An interval
        leaves 0 out exactly when ``p_adjusted < 1 - level``.

    Raises
    ------
    DesignError
        If the blocks do not connect the algorithms, or no error degrees of freedom are
        left.

    Notes
    -----
    Equations 5.3, 5.4 of docs/equations.md.

    p = P(Q > |t| sqrt(2)) with Q the studentised range of a means on the residual
    degrees of freedom, t the difference over its standard error from the model
    (Aslan 2009, eq. 4.30-4.32). Standard errors are each contrast's own, so with
    missing cells this is Tukey and Kramer's method: conservative, exact for complete
    tables. R: ``TukeyHSD(aov(score ~ block + algorithm), "algorithm")``, whose
    differences have the other sign, or ``pairs(emmeans(fit, "algorithm"))``; ``ptukey``
    has absolute accuracy only.

    Without residual variance the studentised range does not exist: p-values are those
    of all changes of sign of a pair's differences (2^(1 - b) for b complete blocks; of
    all deals of the two's scores if one-way), adjusted by Bonferroni, as ``adjust``
    then states, and there are no intervals.

    References
    ----------
    .. [1] Tukey, J. W. (1953). The problem of multiple comparisons. Princeton.
    .. [2] Kramer, C. Y. (1956). Biometrics 12, 307-310.
    .. [3] Hayter, A. J. (1984). Ann. Statist. 12, 61-75.

    Examples
    --------
    >>> import pycompare as pc
    >>> pairs = pc.tukey(pc.example("folds"), metric="error")
    >>> pairs.table[["algorithm_1", "algorithm_2", "p_adjusted"]].head(2).round(3)
      algorithm_1 algorithm_2  p_adjusted
    0         QDA        9-NN       0.003
    1         QDA         LDA       0.000
    >>> print(f"HSD = {pairs.significant_difference:.3f}")
    HSD = 0.039
    """
    return tukey_of(
        contrasts(scores, metric, blocked, level, None, n_train, n_test), level
    )


def tukey_of(contrasts: MeanContrasts, level: float) -> TukeyResult:
    """Return Tukey's test of contrasts of all pairs; see `tukey`."""
    p = studentized_range.sf(
        np.abs(contrasts.t()) * math.sqrt(2), contrasts.a, contrasts.df
    )
    quantile = _tukey_quantile(contrasts.a, contrasts.df, level)
    pairs: TukeyResult = contrasts.result(
        TukeyResult,
        np.asarray(p),
        quantile,
        method="Tukey's HSD" if contrasts.fit.design.complete else "Tukey-Kramer",
        adjust="tukey",
        interval=f"simultaneous {100 * level:g}% (Tukey)",
        level=level,
        reference="Tukey (1953); Kramer (1956) Biometrics 12, 307-310",
        r_method="tukey",
        significant_difference=_significant_difference(contrasts, quantile),
    )
    return pairs


def _significant_difference(contrasts: MeanContrasts, quantile: float) -> float:
    """Return q sqrt(MSE / n), if all pairs have one standard error."""
    errors, fit = contrasts.std_error, contrasts.fit
    if fit.e == 0 or np.ptp(errors) > _SAME_ERROR * errors.max():
        return math.nan
    return float(quantile * errors.mean() * fit.unit)


@lru_cache(maxsize=256)
def _tukey_quantile(a: int, df: float, level: float) -> float:
    """Return the half width of a simultaneous interval, in standard errors."""
    return float(studentized_range.isf(1 - level, a, df)) / math.sqrt(2)
