"""Box's M: the statistic of equal covariance matrices, and its approximations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from pycompare.base.typing import Floats


@dataclass(frozen=True)
class BoxM:
    """Box's M and its two approximations.

    Attributes
    ----------
    m : float
        (sum of v) ln |S| - sum of v_j ln |S_j|, S the pooled covariance matrix.
    chi2, df : float
        M (1 - c1) on p (p + 1) (g - 1) / 2 degrees of freedom.
    f : float
    df_f : tuple of float
    """

    m: float
    chi2: float
    df: float
    f: float
    df_f: tuple[float, float]

    @property
    def p_values(self) -> tuple[float, float]:
        """Upper tails of ``chi2`` and ``f``."""
        return (
            float(special.chdtrc(self.df, self.chi2)),
            float(special.fdtrc(*self.df_f, self.f)),
        )


def _log_det_cross(factor: Floats, times: float) -> float:
    """Return ln det (times F'F) of a factor (m, p) of rank p."""
    diagonal = np.diag(np.linalg.qr(factor, mode="r"))
    with np.errstate(divide="ignore"):
        return float(np.sum(np.log(times * np.square(diagonal))))


def box_m(groups: Sequence[Floats], scale: float = 1.0, rounding: float = 0.0) -> BoxM:
    """Return Box's M of groups of deviations from their means.

    Parameters
    ----------
    groups : sequence of ndarray, each of shape (n_j, p)
        Of n_j - 1 >= p degrees of freedom each.
    scale : float
        M is multiplied by it before it is compared with chi2 and F.
    rounding : float
        How far rounding may take columns of all groups together that are made
        orthonormal, in length; an M that it can explain is 0.

    References
    ----------
    .. [1] Box, G. E. P. (1949). Biometrika 36, 317-346.
    """
    p, g = groups[0].shape[1], len(groups)
    together = np.vstack(groups)
    # M is the same in any basis: in one in which the pooled sums of squares are the
    # identity, the groups' matrices are near v_j / v of it and their logarithms near 0.
    lengths = np.linalg.norm(together, axis=0)
    q = np.linalg.qr(together / lengths)[0]
    ends = np.cumsum([len(group) for group in groups])[:-1]
    v = np.array([len(group) - 1.0 for group in groups])
    total = v.sum()
    parts = zip(np.split(q, ends), total / v, strict=True)
    logs = np.array([_log_det_cross(part, times) for part, times in parts])
    # Box (1949): M = v ln |S| - sum of v_j ln |S_j|; here ln |S| = 0.
    m = -float(np.sum(v * logs))
    # Where M is near 0, each group's factor has singular values near sqrt(v_j / v).
    m = 0.0 if m <= 2 * rounding * total * math.sqrt(p * g) else m
    df = p * (p + 1) * (g - 1) / 2
    # Box (1949): chi2 on df of M (1 - c1); with c2 the F approximation below.
    c1 = float(np.sum(1 / v) - 1 / total) * (2 * p * p + 3 * p - 1)
    c1 /= 6 * (p + 1) * (g - 1)
    c2 = float(np.sum(1 / v**2) - 1 / total**2) * (p - 1) * (p + 2) / (6 * (g - 1))
    f, df_f = f_of(m * scale, df, c1, c2)
    return BoxM(m=m, chi2=m * scale * (1 - c1), df=df, f=f, df_f=df_f)


def f_of(
    m: float, df: float, c1: float, c2: float
) -> tuple[float, tuple[float, float]]:
    """Return Box's F of M and its degrees of freedom."""
    df2 = (df + 2) / abs(c2 - c1 * c1)
    # Box (1949): the beta distribution behind F changes its form with this sign.
    if c2 > c1 * c1:
        return m * (1 - c1 - df / df2) / df, (df, df2)
    b = df2 / (1 - c1 + 2 / df2)
    rest = b - m
    f = df2 * m / (df * rest) if rest > 0 else np.inf
    return float(f), (df, df2)
