"""Sphericity: whether all differences of algorithms vary alike over blocks."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, special

from pycompare.base.typing import Floats
from pycompare.methods.linear.fit import AnovaFit
from pycompare.results.result import Test


@dataclass(frozen=True, kw_only=True, eq=False)
class Sphericity(Test):
    """Mauchly's test, with the corrected p-values of the analysis of variance.

    Attributes
    ----------
    statistic : float
        Mauchly's W in (0, 1]; 1 = all differences vary alike.
    greenhouse_geisser, huynh_feldt : float
        Epsilons; both degrees of freedom of F are multiplied by them. Huynh and
        Feldt's may pass 1, and then is set to 1.
    p_greenhouse_geisser, p_huynh_feldt : float
        p-values of F on the corrected degrees of freedom.
    """

    greenhouse_geisser: float
    huynh_feldt: float
    p_greenhouse_geisser: float
    p_huynh_feldt: float

    def r_values(self) -> dict[str, Any]:
        """Return W, its p-value, the epsilons and the corrected p-values."""
        return {
            "mauchly": self.statistic,
            "sphericity_df": self.df,
            "mauchly_p_value": self.p_value,
            "greenhouse_geisser": self.greenhouse_geisser,
            "huynh_feldt": self.huynh_feldt,
            "p_greenhouse_geisser": self.p_greenhouse_geisser,
            "p_huynh_feldt": self.p_huynh_feldt,
        }


def sphericity(model: AnovaFit) -> Sphericity | None:
    """Return Mauchly's test and the epsilons of complete blocks; None if undefined.

    Undefined: one-way, missing cells, two algorithms (one difference is always
    spherical), no residual.

    Notes
    -----
    W = det S / (tr S / q)^q of the covariance S of q = a - 1 orthonormal contrasts,
    its p-value by Box's two-term expansion. R: ``mauchly.test(lm(x ~ 1), X = ~1)``,
    ``anova(lm(x ~ 1), X = ~1, test = "Spherical")``.

    References
    ----------
    .. [1] Mauchly, J. W. (1940). Ann. Math. Statist. 11, 204-209.
    .. [2] Greenhouse, S. W., Geisser, S. (1959). Psychometrika 24, 95-112.
    .. [3] Huynh, H., Feldt, L. S. (1976). J. Educ. Statist. 1, 69-82.
    """
    design = model.design
    b, a = design.n_blocks, design.present.shape[1]
    if not (design.blocked and design.complete) or a == 2 or model.e == 0:
        return None
    q, n = a - 1, b - 1
    # Residuals of complete blocks have rank q at most; their singular values are those
    # of the contrasts, and det S needs no determinant.
    singular = linalg.svdvals(model.residuals().reshape(b, a))[:q]
    singular[singular <= model.noise] = 0.0
    eigenvalues = np.square(singular / singular[0])
    w, p, notes = mauchly(eigenvalues, q, n)
    corrections = epsilons(eigenvalues, q, n, np.asarray(model.f), *model.df)
    numbers: dict[str, Any] = {
        name: float(value) for name, value in corrections.items()
    }
    return Sphericity(
        name="Mauchly's test of sphericity",
        statistic_name="W",
        statistic=w,
        df=q * (q + 1) / 2 - 1,
        p_value=p,
        p_source="none" if math.isnan(p) else "chi2, two terms",
        reference="Mauchly (1940) Ann. Math. Statist. 11, 204-209",
        notes=notes,
        **numbers,
    )


def epsilons(
    eigenvalues: Floats, q: int, n: int, f: Floats, df1: float, df2: float
) -> dict[str, Floats]:
    """Return Greenhouse and Geisser's and Huynh and Feldt's epsilons, and p-values.

    Of eigenvalues (..., q) on n degrees of freedom and F (...). Huynh and Feldt's is
    0/0, that is NaN, for two blocks.
    """
    gg = eigenvalues.sum(axis=-1) ** 2 / np.square(eigenvalues).sum(axis=-1) / q
    with np.errstate(divide="ignore", invalid="ignore"):
        hf = ((n + 1) * q * gg - 2) / (q * np.maximum(n - q * gg, 0.0))
    hf = np.where(n == 1, np.nan, hf)
    least = np.minimum(hf, 1.0)
    return {
        "greenhouse_geisser": gg,
        "huynh_feldt": hf,
        "p_greenhouse_geisser": special.fdtrc(df1 * gg, df2 * gg, f),
        "p_huynh_feldt": special.fdtrc(df1 * least, df2 * least, f),
    }


def mauchly(
    eigenvalues: Floats, q: int, n: int
) -> tuple[float, float, tuple[str, ...]]:
    """Return W, its p-value and notes, from q eigenvalues on n degrees of freedom."""
    if n < q:
        note = f"{n + 1} blocks are too few for {q + 1} algorithms: W needs {q + 1}"
        return math.nan, math.nan, (note,)
    if eigenvalues[-1] < len(eigenvalues) * np.finfo(float).eps ** 2:
        note = "a difference of algorithms is the same in all blocks: W is zero"
        return 0.0, 0.0, (note,)  # no spherical differences have a W of zero
    log_w = float(np.sum(np.log(eigenvalues / eigenvalues.mean())))
    rho = 1 - (2 * q * q + q + 2) / (6 * q * n)
    second = (
        (q + 2)
        * (q - 1)
        * (q - 2)
        * (2 * q**3 + 6 * q * q + 3 * q + 2)
        / (288 * (n * q * rho) ** 2)
    )
    z, f = -n * rho * log_w, q * (q + 1) / 2 - 1
    first, next_term = special.chdtrc(f, z), special.chdtrc(f + 4, z)
    p = first + second * (next_term - first)
    return math.exp(log_w), float(p), ()
