"""Checks of the assumptions of an analysis of variance, made on its residuals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns, stacked
from pycompare.data.scores import Scores
from pycompare.kernels import shapiro_wilk as kernel
from pycompare.kernels.sscp import OrthogonalPart, RowCells, factors
from pycompare.kernels.units import binary_unit
from pycompare.methods.linear.fit import AnovaFit, fit
from pycompare.results.result import Result, Test, internal

NO_RESIDUAL = "the residual variance is zero: there is nothing to check"
_MIRRORED = (
    "two algorithms in complete blocks have mirrored residuals, so their spreads are "
    "equal whatever the scores"
)
_CORRELATED = (
    "residuals of blocks are correlated: the p-value is approximate, as is usual for "
    "this check"
)
_SHAPIRO = "Shapiro & Wilk (1965) Biometrika 52, 591-611; Royston (1995) AS R94"
_LEVENE = "Levene (1960); Brown & Forsythe (1974) JASA 69, 364-367"
_TUKEY = "Tukey (1949) Biometrics 5, 232-242"
_FEW, _MANY = 3, 5000
"""Numbers of residuals that Royston's approximation holds for."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ResidualChecks(Result):
    """Tests of the residuals of one analysis of variance.

    Small p-values speak against the assumption. They are reported beside the planned
    analysis and never choose it.

    Attributes
    ----------
    shapiro_wilk : Test
        Normal residuals.
    levene, brown_forsythe : Test
        Equal spread of the algorithms about their means, about their medians.
    nonadditivity : Test or None
        No interaction of the product form between blocks and algorithms; None for a
        one-way design.
    formula : str
        The model over safe names.
    fit : AnovaFit
    """

    shapiro_wilk: Test
    levene: Test
    brown_forsythe: Test
    nonadditivity: Test | None
    formula: str
    fit: AnovaFit = internal()

    @property
    def tests(self) -> dict[str, Test]:
        """The tests there are, by name."""
        tests = {
            "shapiro_wilk": self.shapiro_wilk,
            "levene": self.levene,
            "brown_forsythe": self.brown_forsythe,
        }
        if self.nonadditivity is not None:
            tests["nonadditivity"] = self.nonadditivity
        return tests

    def as_columns(self) -> Columns:
        """Return one row per test."""
        return stacked(test.as_columns() for test in self.tests.values())

    def r_call(self) -> RCall | None:
        """Return the call that repeats the tests that are defined, None without any."""
        defined = [n for n, t in self.tests.items() if not math.isnan(t.statistic)]
        if not defined:
            return None
        arguments = {**self.fit.r_arguments(), "tests": defined}
        return RCall(("linear", "residuals"), "residuals_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return statistics, p-values and df of the tests that are defined."""
        values: dict[str, Any] = {}
        for name, test in self.tests.items():
            if not math.isnan(test.statistic):
                values[name] = test.statistic
                values[f"{name}_p_value"] = test.p_value
                if test.df is not None:
                    values[f"{name}_df"] = test.df
        return values


@checked
def residual_checks(
    scores: Scores, *, metric: str | None = None, blocked: bool = True
) -> ResidualChecks:
    """Test residuals for normality, equal variances and additivity.

    Parameters
    ----------
    scores, metric, blocked
        As in ``anova``.

    Returns
    -------
    ResidualChecks
        A test that is undefined has NaN and states why.

    Raises
    ------
    DesignError
        As ``anova``.

    Notes
    -----
    R: ``shapiro.test(resid(fit))``; ``anova(lm(abs(r - center) ~ algorithm))`` of the
    residuals r, for one-way tables ``car::leveneTest``; the last term of ``anova(lm(
    score ~ block + algorithm + I(fitted(fit)^2)))``, one degree of freedom.

    References
    ----------
    .. [1] Royston, P. (1995). Appl. Statist. 44, 547-551.
    .. [2] Brown, M. B., Forsythe, A. B. (1974). JASA 69, 364-367.
    .. [3] Tukey, J. W. (1949). Biometrics 5, 232-242.

    Examples
    --------
    >>> import pycompare as pc
    >>> checks = pc.residual_checks(pc.example("folds"), metric="error")
    >>> print(f"Shapiro-Wilk: p = {checks.shapiro_wilk.p_value:.3f}")
    Shapiro-Wilk: p = 0.873
    """
    return residual_checks_of(fit(scores, metric, blocked))


def residual_checks_of(model: AnovaFit) -> ResidualChecks:
    """Return the checks of the residuals of a fit."""
    return ResidualChecks(
        shapiro_wilk=_shapiro_wilk(model),
        levene=_equal_spread(model, "mean"),
        brown_forsythe=_equal_spread(model, "median"),
        nonadditivity=_nonadditivity(model) if model.design.blocked else None,
        formula=model.design.formula,
        fit=model,
    )


def undefined(
    name: str,
    statistic_name: str,
    df: float | tuple[float, ...] | None,
    reference: str,
    why: str,
) -> Test:
    """Return a test that cannot be made, with the reason."""
    return Test(
        name=name,
        statistic_name=statistic_name,
        statistic=math.nan,
        df=df,
        p_value=math.nan,
        p_source="none",
        reference=reference,
        notes=(why,),
    )


def _f_test(
    name: str, f: float, df: tuple[float, float], reference: str, notes: tuple[str, ...]
) -> Test:
    """Return a test by the F distribution."""
    return Test(
        name=name,
        statistic_name="F",
        statistic=f,
        df=df,
        p_value=float(special.fdtrc(*df, f)),
        p_source="F",
        reference=reference,
        notes=notes,
    )


def _shapiro_wilk(model: AnovaFit) -> Test:
    """Return Shapiro and Wilk's W of the residuals."""
    name, n = "Shapiro-Wilk test of normal residuals", model.design.n
    if model.e == 0:
        return undefined(name, "W", None, _SHAPIRO, NO_RESIDUAL)
    if not _FEW <= n <= _MANY:
        why = f"{n} residuals: the approximation holds for {_FEW} to {_MANY}"
        return undefined(name, "W", None, _SHAPIRO, why)
    w, p = kernel.shapiro_wilk(model.residuals())
    return Test(
        name=name,
        statistic_name="W",
        statistic=w,
        df=None,
        p_value=p,
        p_source="Royston's approximation",
        reference=_SHAPIRO,
    )


def _equal_spread(model: AnovaFit, centre: str) -> Test:
    """Return the F of distances of residuals from their algorithm's mean or median."""
    name = "Levene's test" if centre == "mean" else "Brown-Forsythe test"
    name += f" of equal spread, distances from the {centre}"
    design = model.design
    df = (float(design.df_hypothesis), float(design.n - len(model.algorithms)))
    if model.e == 0:
        return undefined(name, "F", df, _LEVENE, NO_RESIDUAL)
    if design.blocked and design.complete and len(model.algorithms) == 2:
        return undefined(name, "F", df, _LEVENE, _MIRRORED)
    table = np.full(design.present.shape, np.nan)
    table[design.present] = model.residuals()
    middle = np.nanmean if centre == "mean" else np.nanmedian
    distances = np.abs(table - middle(table, axis=0))[design.present]
    algorithm = RowCells(np.nonzero(design.present)[1])
    parts = (
        OrthogonalPart(RowCells(np.zeros(design.n, int)), 1),
        OrthogonalPart(algorithm, int(df[0])),
    )
    sums = factors(parts, distances[:, None])
    h, e = float(sums.h[0, 0]), float(sums.e[0, 0])
    rounding = design.n * model.noise**2
    h = 0.0 if h <= rounding else h
    if e <= rounding:
        why = "all distances of an algorithm are equal: F has no error"
        return undefined(name, "F", df, _LEVENE, why)
    notes = (_CORRELATED,) if design.blocked else ()
    return _f_test(name, (h / df[0]) / (e / df[1]), df, _LEVENE, notes)


def _nonadditivity(model: AnovaFit) -> Test:
    """Return Tukey's F of one degree of freedom for squared fitted values."""
    name = "Tukey's test of additivity, one degree of freedom"
    design = model.design
    df = (1.0, design.df_error - 1.0)
    if model.e == 0:
        return undefined(name, "F", df, _TUKEY, NO_RESIDUAL)
    if df[1] < 1:
        why = "one degree of freedom for error is used up by the test"
        return undefined(name, "F", df, _TUKEY, why)
    residuals = model.residuals()
    scores = model.scaled[design.present]
    fitted = scores - scores.mean() - residuals
    # Only the ratios of the fitted values count: no fourth power may overflow.
    fitted = fitted / binary_unit(fitted)
    squared = np.full(design.present.shape, np.nan)
    squared[design.present] = np.square(fitted)
    direction = design.factors(squared[:, :, None]).error[:, 0]
    length = float(direction @ direction)
    if length <= 1e-24 * float(np.sum(fitted**4)):
        why = "blocks or algorithms do not differ: there is no product to look for"
        return undefined(name, "F", df, _TUKEY, why)
    explained = float(residuals @ direction) ** 2 / length
    explained = 0.0 if explained <= design.n * model.noise**2 else explained
    # What the direction leaves of the residuals, not a difference of sums.
    rest = residuals - direction * (float(residuals @ direction) / length)
    if np.abs(rest).max() <= model.noise:
        why = "the residuals are that product and nothing else: F has no error"
        return undefined(name, "F", df, _TUKEY, why)
    f = explained / (float(rest @ rest) / df[1])
    return _f_test(name, f, df, _TUKEY, ())
