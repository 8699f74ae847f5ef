"""Scheffe's method: every contrast of means at once."""

from __future__ import annotations

import math

from scipy import special

from pycompare.base.checked import checked
from pycompare.base.typing import Sizes
from pycompare.data.scores import Scores
from pycompare.methods.linear.pairs import MeanContrasts, MeanPairsResult, contrasts


@checked
def scheffe(
    scores: Scores,
    *,
    metric: str | None = None,
    blocked: bool = True,
    level: float = 0.95,
    n_train: Sizes | None = None,
    n_test: Sizes | None = None,
) -> MeanPairsResult:
    """Compare all pairs of adjusted means by Scheffe's test.

    Some contrast of means is significant exactly when ``anova`` is; for pairs alone
    Tukey's method is more powerful.

    Parameters
    ----------
    scores, metric, blocked, level, n_train, n_test
        As in ``tukey``.

    Returns
    -------
    MeanPairsResult

    Raises
    ------
    DesignError
        As ``tukey``.

    Notes
    -----
    Equations 5.3, 5.5 of docs/equations.md.

    p = P(F > t^2 / (a - 1)) on (a - 1, df_E). R: ``pf(t^2 / (a - 1), a - 1, df,
    lower.tail = FALSE)``; ``summary(pairs(emmeans(...)), adjust = "scheffe")``.
    Without residual variance as ``tukey``.

    References
    ----------
    .. [1] Scheffe, H. (1953). Biometrika 40, 87-104.

    Examples
    --------
    >>> import pycompare as pc
    >>> pairs = pc.scheffe(pc.example("folds"), metric="error")
    >>> pairs.table[["algorithm_1", "algorithm_2", "p_adjusted"]].head(2).round(3)
      algorithm_1 algorithm_2  p_adjusted
    0         QDA        9-NN       0.012
    1         QDA         LDA       0.001
    """
    return scheffe_of(
        contrasts(scores, metric, blocked, level, None, n_train, n_test), level
    )


def scheffe_of(contrasts: MeanContrasts, level: float) -> MeanPairsResult:
    """Return the comparisons of all pairs of a fit."""
    df1 = contrasts.a - 1.0
    pairs: MeanPairsResult = contrasts.result(
        MeanPairsResult,
        special.fdtrc(df1, contrasts.df, contrasts.t() ** 2 / df1),
        math.sqrt(df1 * special.fdtri(df1, contrasts.df, level)),
        method="Scheffe's contrasts",
        adjust="scheffe",
        interval=f"simultaneous {100 * level:g}% (Scheffé)",
        level=level,
        reference="Scheffe (1953) Biometrika 40, 87-104",
        r_method="scheffe",
    )
    return pairs
