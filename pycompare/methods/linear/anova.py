"""Analysis of variance of algorithms on common blocks, or one-way."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from scipy import special

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats, Sizes
from pycompare.data.scores import Scores
from pycompare.kernels import noncentral_f
from pycompare.methods.linear.design import BlockDesign
from pycompare.methods.linear.fit import AnovaFit, fit
from pycompare.methods.linear.sphericity import Sphericity, sphericity
from pycompare.results.result import (
    Estimate,
    Result,
    Test,
    internal,
    later,
    made_when_read,
)
from pycompare.results.schema import QuantityKind, ResultQuantity, Schema, column

CORRECTED = ", corrected for shared training data"
_NO_INTERVAL = "no interval: F is not a finite number"


_EFFECT: tuple[tuple[str, QuantityKind, str], ...] = (
    ("estimate", "share", ""),
    ("conf_low", "limit", "_conf_low"),
    ("conf_high", "limit", "_conf_high"),
)
"""Numbers of an effect size, and the ends of R's names."""
_SPHERICITY: tuple[tuple[str, QuantityKind, str], ...] = (
    ("statistic", "statistic", "mauchly"),
    ("df", "df", "sphericity_df"),
    ("p_value", "p", "mauchly_p_value"),
    ("greenhouse_geisser", "share", "greenhouse_geisser"),
    ("huynh_feldt", "share", "huynh_feldt"),
    ("p_greenhouse_geisser", "p", "p_greenhouse_geisser"),
    ("p_huynh_feldt", "p", "p_huynh_feldt"),
)
"""Numbers of sphericity, and R's names."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AnovaResult(Test):
    """Analysis of variance; the test itself is that of the algorithms.

    Attributes
    ----------
    table : DataFrame
        ``term df sum_sq mean_sq statistic p_value``: terms in the order of
        ``formula``, each adjusted for those before it, then ``residual``, whose
        statistic and p-value are NaN. Sums of squares are in the metric's squared unit.
    formula : str
        The model over safe names: ``y0`` are the scores.
    partial_eta2, omega2, generalised_eta2 : Estimate
        Shares of variance that the algorithms explain.
    sphericity : Sphericity or None
        For complete blocks of three algorithms or more, with a residual.
    means : Series
        Means of the algorithms, adjusted for blocks, in the metric's own unit.
    level : float
        Confidence level of the effect sizes.
    variance_ratio : float
        What F was divided by for shared training data; 1 without a correction.
    fit : AnovaFit
    """

    table: pd.DataFrame = made_when_read()
    formula: str
    partial_eta2: Estimate = made_when_read()
    omega2: Estimate = made_when_read()
    generalised_eta2: Estimate = made_when_read()
    sphericity: Sphericity | None = made_when_read()
    means: pd.Series = made_when_read()
    level: float
    variance_ratio: float
    fit: AnovaFit = internal()
    corrected: str = field(default="", repr=False, metadata={"export": False})
    """R's name of the epsilon behind ``p_value``; empty: none."""

    schema: ClassVar[Schema] = (
        column("term", "label", r=None),
        column("df", "df"),
        column("sum_sq", "sum", unit="metric squared"),
        column("mean_sq", "sum", unit="metric squared"),
        column("statistic", "statistic"),
        column("p_value", "p"),
        ResultQuantity("means", "mean", unit="metric"),
        ResultQuantity("variance_ratio", "ratio"),
        *(
            ResultQuantity(f"{effect}/{name}", kind, r=f"{effect}{end}")
            for effect in ("partial_eta2", "omega2", "generalised_eta2")
            for name, kind, end in _EFFECT
        ),
        *(
            ResultQuantity(f"sphericity/{name}", kind, r=r, only="sphericity")
            for name, kind, r in _SPHERICITY
        ),
    )

    as_columns = Result.as_columns

    def r_also(self) -> dict[str, tuple[str, int]]:
        """Return the entries of the table that the test repeats."""
        terms = list(self.as_columns()["term"])
        k, last = terms.index("algorithm") + 1, len(terms)
        if self.corrected:  # its degrees of freedom are products
            own = (f"p_{self.corrected}", 1)
            return {"statistic": ("statistic", k), "p_value": own}
        return {
            "statistic": ("statistic", k),
            "p_value": ("p_value", k),
            "df/0": ("df", k),
            "df/1": ("df", last),
        }

    @property
    def basis(self) -> str:
        """The test's key in the ledger of guarantees."""
        return f"omnibus/anova{'' if self.variance_ratio == 1 else '-corrected'}"

    def r_call(self) -> RCall | None:
        """Return the call of ``anova(lm(score ~ block + algorithm))``.

        None for an exact p-value without blocks, which R does not count, and if a
        perfect fit is not tested, since its blocks share training data.
        """
        untested = self.p_source == "none" and math.isinf(self.statistic)
        if untested or (self.fit.e == 0 and not self.fit.design.blocked):
            return None
        arguments = {
            **self.fit.r_arguments(),
            "level": self.level,
            "sphericity": self.sphericity is not None,
        }
        return RCall(("linear", "anova"), "anova_reference", arguments)


@checked
def anova(
    scores: Scores,
    *,
    metric: str | None = None,
    blocked: bool = True,
    level: float = 0.95,
    n_train: Sizes | None = None,
    n_test: Sizes | None = None,
) -> AnovaResult:
    """Test equal mean scores of algorithms by analysis of variance.

    Fits ``score ~ block + algorithm``; blocks are fixed effects, and the algorithms
    are adjusted for them, so that a missing cell keeps the test exact.

    Parameters
    ----------
    scores : Scores
        At least two algorithms and two blocks. If blocks are folds of several data
        sets, the table splits the blocks' row into data sets and folds in them. Cells
        may be missing if the scores were read with ``missing="model"``.
    metric : str, optional
        One of ``scores.metrics``, in its own unit; needed if there are several.
    blocked : bool, default True
        False leaves the blocks out: a one-way analysis of rows that have nothing in
        common.
    level : float
        Confidence level of the effect sizes' intervals.
    n_train, n_test : float or mapping of data set to float, optional
        Sizes of each training and test set behind the folds, both or neither; for
        complete blocks. F of the algorithms is divided by 1 + k n_test/n_train, k folds
        a data set, or by its mean over folds if data sets differ; blocks then have
        no F, and effect sizes rest on the corrected one.

    Returns
    -------
    AnovaResult
        ``statistic`` is F of the algorithms. A perfect fit has an infinite F, which
        has no distribution: the p-value is the exact one of the permutation test, and
        a note states this. If no scores differ at all F is NaN.

    Raises
    ------
    DesignError
        If the blocks do not connect the algorithms, or no error degrees of freedom are
        left.
    InputError
        For an unknown metric.

    Notes
    -----
    Equations 5.1, 5.2, 5.3 of docs/equations.md.

    R: ``anova(lm(score ~ block + algorithm))``, the row before Residuals. Randomised
    blocks: Aslan (2009), eq. 4.35-4.55 (with errata: block effects sum to zero over
    blocks). ``pf`` and this function take F's upper tail, never 1 - cdf.

    Effect sizes. The population quantity of both partial ones is the share
    L / (L + df_E), L the noncentrality of F: what differences between the algorithms'
    true means contribute to the sum of squares within blocks. With b complete blocks
    that is s2 / (s2 + (b - 1) / b v), s2 the variance of the a true means (divisor
    a - 1) and v that of the error. Partial eta2 = SS_H / (SS_H + SS_E) estimates it
    with an upward bias; partial omega2 = df_H (F - 1) / (df_H F + df_E + 1), which may
    be negative, nearly without one. The interval of both is exact: that of L, as a
    share. R's effectsize has the same estimates and limits in ``F_to_eta2``, the same
    estimate in ``F_to_omega2``. Generalised eta2 = SS_H / SS_total of blocks with two
    algorithms or more, which are measured and not manipulated; its quantity,
    L / (L + df_E SS_rest / SS_E), takes the observed share of blocks as known.

    A perfect fit leaves no residual variance. Its p-value is the share of arrangements
    that fit as well: (prod m_i! / a!)^(b - 1) within b complete blocks, where m_i of
    the a algorithms have equal means, 2^(1 - b) for two as in ``paired_t``; all deals
    of the scores if one-way; NaN for blocks with missing cells. Rows of blocks have no
    p-value then.

    References
    ----------
    .. [1] Montgomery, D. C. (2017). Design and Analysis of Experiments, 9th ed.,
       sec. 4.1.
    .. [2] Steiger, J. H. (2004). Psychol. Methods 9, 164-182.
    .. [3] Olejnik, S., Algina, J. (2003). Psychol. Methods 8, 434-447.
    .. [4] Nadeau, C., Bengio, Y. (2003). Machine Learning 52, 239-281.
    .. [5] Ben-Shachar, M. S., Ludecke, D., Makowski, D. (2020). effectsize. JOSS 5,
       2815.

    Examples
    --------
    >>> import pycompare as pc
    >>> anova = pc.anova(pc.example("folds"), metric="error")
    >>> anova.table[["term", "df", "sum_sq", "statistic"]].round(3)
            term     df  sum_sq  statistic
    0      block   29.0   0.661      7.692
    1  algorithm    4.0   0.136     11.501
    2   residual  116.0   0.344        NaN
    >>> print(f"partial omega squared = {anova.omega2.estimate:.3f}")
    partial omega squared = 0.258
    """
    check_level(level)
    model = fit(scores, metric, blocked, n_train, n_test)
    rows, sums = _sums_before(model.design, model.scaled, model.noise)
    columns = _anova_columns(model, rows, sums)
    f, df = model.f, model.df
    return AnovaResult(
        short="analysis of variance",
        name="analysis of variance"
        + (", blocked" if blocked else ", one-way")
        + (CORRECTED if model.overlaps is not None else ""),
        statistic_name="F",
        statistic=f,
        df=df,
        p_value=float(columns["p_value"][-2]),
        p_source=p_source(model),
        reference="Montgomery (2017) Design and Analysis of Experiments, sec. 4.1",
        notes=model.notes + model.no_error,
        table=Columns(columns),
        formula=model.design.formula,
        partial_eta2=later(_effect_size, model, level, "partial eta2"),
        omega2=later(_effect_size, model, level, "partial omega2"),
        generalised_eta2=later(_effect_size, model, level, "generalised eta2"),
        sphericity=later(sphericity, model),
        means=model.per_algorithm(model.means()),
        level=level,
        variance_ratio=model.variance_ratio,
        fit=model,
    )


def p_source(model: AnovaFit) -> str:
    """Return where the p-value of the algorithms comes from."""
    if not model.zero_residual:
        return "none" if math.isnan(model.f) else "F"
    return "none" if math.isnan(model.exact_p) else "exact"


def _anova_columns(
    model: AnovaFit, df_before: list[int], sums_before: list[float]
) -> dict[str, Any]:
    """Return the columns of the table: a term each row, and the residual."""
    df = np.array([*df_before, *model.df])
    sums = np.array([*sums_before, model.h, model.e])
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        statistic = (sums / df) / model.mse
        statistic[-1] = np.nan
        if model.overlaps is not None:
            statistic[:-2] = np.nan  # how folds' own means depend is not known
            statistic[-2] = model.f
        squares = sums * model.unit * model.unit
        mean_squares = sums / df * model.unit * model.unit
    p = special.fdtrc(df, df[-1], statistic)
    if model.e == 0:
        p[:] = np.nan
        p[-2] = model.exact_p if model.zero_residual else np.nan
    return {
        "term": [*model.design.terms, "residual"],
        "df": df,
        "sum_sq": squares,
        "mean_sq": mean_squares,
        "statistic": statistic,
        "p_value": p,
    }


def _before_algorithms(model: AnovaFit) -> float:
    """Return the sum of squares of blocks that compare algorithms, in ``unit`` squared.

    A block with one algorithm compares nothing: F is the same without it, and so the
    effect sizes have to be.
    """
    design, scaled = model.design, model.scaled
    if design.blocked:
        kept = design.present.sum(axis=1) > 1
        design, scaled = design.part(kept), scaled[kept]
    return sum(_sums_before(design, scaled, model.noise)[1])


def _sums_before(
    design: BlockDesign, scaled: Floats, noise: float
) -> tuple[list[int], list[float]]:
    """Return df and sums of squares of the blocks' terms, 0 if all is rounding."""
    df, sums = design.sums_before(scaled[:, :, None])
    size = float(noise)  # whose square may be infinite
    rounding = design.n * size * size
    return df, [0.0 if s[0, 0] <= rounding else float(s[0, 0]) for s in sums]


def _effect_size(model: AnovaFit, level: float, name: str) -> Estimate:
    """Return one of the shares of variance that the algorithms explain."""
    f, (df1, df2), before = model.f, model.df, _before_algorithms(model)
    if math.isfinite(f):
        limits = [
            noncentral_f.noncentrality(f, df1, df2, p)
            for p in ((1 + level) / 2, (1 - level) / 2)
        ]
        wider = df2 * (1 + before / model.e)
        omega2 = df1 * (f - 1) / (df1 * f + df2 + 1)
    else:
        limits, wider, omega2 = [math.nan] * 2, df2, 1.0 if f > 0 else math.nan
    h = model.h / model.variance_ratio
    total = h + model.e
    shares = {
        "partial eta2": (h / total if total else math.nan, df2),
        "partial omega2": (omega2, df2),
        "generalised eta2": (
            h / (total + before) if total else math.nan,
            wider,
        ),
    }
    estimate, scale = shares[name]
    return Estimate(
        name=name,
        estimate=estimate,
        conf_low=limits[0] / (limits[0] + scale),
        conf_high=limits[1] / (limits[1] + scale),
        level=level,
        method="noncentral F",
        notes=() if math.isfinite(f) else (_NO_INTERVAL,),
    )
