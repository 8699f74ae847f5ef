"""Levels of each step of a family of pairs, and the critical values of each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from pycompare.base.arguments import check_alpha, require
from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.kernels.exhaustive import possible_counts
from pycompare.results.result import PairsResult, Result, made_when_read

if TYPE_CHECKING:
    import pandas as pd

_NAMES = ("bonferroni", "holm", "shaffer")
_SAME = 1e-8
"""Relative distance up to which p-values are those of the statistic's z or t."""


@dataclass(frozen=True, kw_only=True, eq=False)
class StepLevels(Result):
    """The steps of a family, from the smallest p-value to the largest.

    Attributes
    ----------
    table : DataFrame
        One row per pair, by rising p-value: ``step algorithm_1 algorithm_2 statistic df
        p_value``, then for each of Bonferroni, Holm and Shaffer the level of that step
        (``level_holm``: alpha over the hypotheses that can still be true), the critical
        value of the absolute statistic at this level (``critical_holm``; NaN if the
        p-values are not those of z or t) and ``rejected_holm``.
    alpha : float
    statistic_name : str
    """

    table: pd.DataFrame = made_when_read()
    alpha: float
    statistic_name: str

    def r_call(self) -> RCall:
        """Return the call of the levels and quantiles in R."""
        table = self.as_columns()
        arguments = {
            "p": table["p_value"].astype(float),
            "df": table["df"].astype(float),
            "alpha": self.alpha,
            "of_statistic": not bool(np.isnan(table["critical_holm"]).all()),
            "all_pairs": not bool(np.isnan(table["level_shaffer"]).all()),
        }
        return RCall(("adjust", "step_levels"), "step_levels_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return levels and critical values."""
        names = [f"{what}_{name}" for what in ("level", "critical") for name in _NAMES]
        return self.columns_in_r(*names)


@checked
def step_levels(pairs: PairsResult, *, alpha: float = 0.05) -> StepLevels:
    """Return the level and the critical value of each step of a family of pairs.

    Publications list them beside the p-values (García and Herrera's Table 3): a
    hypothesis is rejected if its p-value is at most the level of its step and all
    earlier ones are rejected. Adjusted p-values (``pc.adjust``) state the same.

    Parameters
    ----------
    pairs : PairsResult
        All pairs or comparisons with a control, such as ``pc.rank_pairs``.
    alpha : float, default 0.05
        Family-wise error.

    Returns
    -------
    StepLevels
        Pairs that could not be tested come last, with p = 1. Shaffer's levels are for
        all pairs of transitive hypotheses, NaN otherwise.

    Raises
    ------
    InputError
        For another result, or an alpha outside (0, 1).

    Notes
    -----
    Equations 4.1, 4.2 of docs/equations.md.

    R: ``qnorm`` and ``qt`` at alpha / (2 (m - i + 1)); own derivation of Shaffer's
    numbers of hypotheses.

    References
    ----------
    .. [1] García, S., Herrera, F. (2008). JMLR 9, 2677-2694, Table 3.

    Examples
    --------
    >>> import pycompare as pc
    >>> steps = pc.step_levels(pc.rank_pairs(pc.example()))
    >>> steps.table[["p_value", "level_holm", "level_shaffer"]].head(4).round(4)
       p_value  level_holm  level_shaffer
    0   0.0000      0.0050         0.0050
    1   0.0000      0.0056         0.0083
    2   0.0029      0.0062         0.0083
    3   0.0048      0.0071         0.0083
    """
    require(pairs, PairsResult)
    check_alpha(alpha)
    table = pairs.as_columns()
    raw = table["p_value"].astype(float)
    p = np.where(np.isnan(raw), 1.0, raw)
    order = np.argsort(p, kind="stable")
    p, m = p[order], len(p)
    statistic, df = (table[name].astype(float)[order] for name in ("statistic", "df"))
    columns: dict[str, Any] = {
        "step": np.arange(1, m + 1),
        "algorithm_1": table["algorithm_1"][order],
        "algorithm_2": table["algorithm_2"][order],
        "statistic": statistic,
        "df": df,
        "p_value": p,
    }
    known = _is_of_statistic(statistic, df, raw[order])
    for name, divisor in _divisors(pairs, m).items():
        level = alpha / divisor
        critical = _quantile(level, df) if known else np.full(m, math.nan)
        below = p <= level
        kept = below if name == "bonferroni" else np.logical_and.accumulate(below)
        columns |= {
            f"level_{name}": level,
            f"critical_{name}": critical,
            f"rejected_{name}": kept,
        }
    return StepLevels(
        table=Columns(columns), alpha=alpha, statistic_name=pairs.statistic_name
    )


def _divisors(pairs: PairsResult, m: int) -> dict[str, Floats]:
    """Return by how many hypotheses alpha is divided at each step."""
    left = np.arange(m, 0, -1.0)
    a = len(pairs.algorithms)
    shaffer = np.full(m, math.nan)
    if pairs.control is None and pairs.hypotheses.transitive and m == a * (a - 1) // 2:
        counts = possible_counts(a).astype(float)
        shaffer = counts[np.searchsorted(counts, left, side="right") - 1]
    return dict(zip(_NAMES, (np.full(m, float(m)), left, shaffer), strict=True))


def _is_of_statistic(statistic: Floats, df: Floats, p: Floats) -> bool:
    """Return whether p-values are two-sided ones of z or t."""
    tested = ~np.isnan(p) & np.isfinite(statistic) & ~np.isnan(df)
    if not tested.any() or (~np.isnan(p) & ~tested).any():
        return False
    size, v = np.abs(statistic[tested]), df[tested]
    own = 2 * np.where(np.isinf(v), special.ndtr(-size), special.stdtr(v, -size))
    return bool(np.allclose(own, p[tested], rtol=_SAME, atol=0))


def _quantile(level: Floats, df: Floats) -> Floats:
    """Return critical absolute values of z or t."""
    normal = -special.ndtri(level / 2)
    return np.asarray(np.where(np.isinf(df), normal, -special.stdtrit(df, level / 2)))
