"""Multivariate analysis of variance: algorithms compared in several metrics at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.arguments import check_alpha, check_word, numbers
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show_all
from pycompare.base.tables import Columns, is_frame, stacked
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.kernels import manova as kernel
from pycompare.kernels.manova import Approximation
from pycompare.methods.linear.canonical import CanonicalVariates, canonical_variates
from pycompare.methods.linear.dependencies import Dependency
from pycompare.methods.linear.responses import Responses, responses
from pycompare.results.adjust import adjust as adjust_p_values
from pycompare.results.result import Result, Test, internal, rejected

ManovaStatistic = Literal["wilks", "pillai", "hotelling-lawley", "roy"]

_NOTHING = (
    "no metric differs, within blocks if there are any, so no difference can be tested"
)
_ROY = "an upper bound of F, so its p-value is a lower bound: never decide by it alone"
_NO_F = "no F: its denominator has no degrees of freedom"


@dataclass(frozen=True, kw_only=True, eq=False)
class Dimensionality(Result):
    """Test of the number of dimensions in which mean vectors differ.

    Attributes
    ----------
    table : DataFrame
        ``r statistic df p_value``: the hypothesis of row r is that r dimensions hold
        all differences; r = 0 is that of no difference.
    alpha : float
    dimension : int
        The first r that is not rejected at alpha; the number of rows if all are.
    method : str
        ``bartlett``; ``likelihood-ratio``, with the estimated covariance; or
        ``known-covariance``.
    reference : str
    """

    table: pd.DataFrame
    alpha: float
    dimension: int
    method: str
    reference: str
    responses: Responses = internal()
    covariance: Floats | None = internal()

    def r_call(self) -> RCall | None:
        """Return the call that computes D2_r from R's eigenvalues."""
        if not len(self.as_columns()):
            return None
        return RCall(
            ("responses", "manova"),
            "dimensionality_reference",
            self.responses.r_arguments() | self._asked(),
        )

    def _asked(self) -> dict[str, Any]:
        """Return what R needs to know of another method than Bartlett's."""
        asked = {} if self.method == "bartlett" else {"method": self.method}
        if self.covariance is None:
            return asked
        return asked | {"covariance": self.held("covariance")}

    def r_values(self) -> dict[str, Any]:
        """Return the columns of the table."""
        columns = ("r", "statistic", "df", "p_value")
        return self.columns_in_r(*columns)


@dataclass(frozen=True, kw_only=True, eq=False)
class ManovaResult(Test):
    """Multivariate analysis of variance; the test itself is the one asked for.

    Attributes
    ----------
    wilks, pillai, hotelling_lawley, roy : Test
        ``statistic`` is the multivariate one; ``f`` and ``df`` are those of its F.
    bartlett : Test
        Wilks' Lambda by Bartlett's chi2: D2_0.
    eigenvalues : ndarray, shape (s,)
        Of E^-1 H, descending; s = min(rank, number of algorithms - 1).
    dimensionality : Dimensionality
    metrics : tuple of str
        All that were asked for.
    kept : tuple of str
        Those that the tests are made of; their number is ``rank``.
    dropped : tuple of Dependency
        Those that are linear functions of metrics before them.
    formula : str
        The model over safe names: ``y0``, ``y1``, ... are the metrics.
    """

    wilks: MultivariateTest
    pillai: MultivariateTest
    hotelling_lawley: MultivariateTest
    roy: MultivariateTest
    bartlett: Test
    eigenvalues: Floats
    dimensionality: Dimensionality
    metrics: tuple[str, ...]
    kept: tuple[str, ...]
    dropped: tuple[Dependency, ...]
    formula: str
    responses: Responses = internal()

    r_beside: ClassVar[frozenset[str]] = frozenset(
        [
            *("means", "univariate_f", "univariate_df1", "univariate_df2"),
            *(f"univariate_{c}" for c in ("p_value", "p_adjusted", "partial_eta2")),
            *(f"canonical_{c}" for c in ("share", "raw", "standardised", "structure")),
        ]
    )

    def r_also(self) -> dict[str, tuple[str, int]]:
        """Return where the four tests stand in R's lists."""
        places: dict[str, tuple[str, int]] = {}
        names = ("wilks", "pillai", "hotelling_lawley", "roy")
        for k, name in enumerate(names, start=1):
            places |= {f"{name}/{c}": (c, k) for c in ("statistic", "f", "p_value")}
            places |= {f"{name}/df/{i}": (f"df{i + 1}", k) for i in (0, 1)}
            places |= {f"{name}/df{i}": (f"df{i}", k) for i in (1, 2)}
        own_f = (self.statistic, self.p_value)
        at = next(
            (
                k
                for k, test in enumerate(self.tests, 1)
                if own_f == (test.f, test.p_value)
            ),
            next(
                (k for k, t in enumerate(self.tests, 1) if t.statistic == own_f[0]), 0
            ),
        )
        if not at:
            return places
        own = {c: (c, at) for c in ("statistic", "p_value")}
        return places | own | {f"df/{i}": (f"df{i + 1}", at) for i in (0, 1)}

    @property
    def basis(self) -> str:
        """The test's key in the ledger of guarantees."""
        return "omnibus/manova"

    @property
    def rank(self) -> int:
        """Dimensions of the response space."""
        return len(self.kept)

    @property
    def dimension(self) -> int:
        """Number of dimensions in which the mean vectors differ, at alpha."""
        return self.dimensionality.dimension

    def likelihood_dimensionality(
        self, covariance: ArrayLike | pd.DataFrame | None = None
    ) -> Dimensionality:
        """Return the likelihood-ratio test of the dimension, at the same alpha.

        Parameters
        ----------
        covariance : table of shape (p, p), optional
            The known covariance of the metrics within a cell, in their own units, in
            the order of ``metrics`` or a frame with their names. Without it the
            estimate E / df_E takes its place; Bartlett's D2 is closer to chi2 then.

        Raises
        ------
        InputError
            If the covariance is not symmetric and positive definite, or not of these
            metrics.

        Notes
        -----
        The statistic is the sum of the eigenvalues of Sigma^-1 H beyond the first r,
        or df_E times those of E^-1 H, chi2 on (p - r)(df_H - r) (Aslan 2009, eq. 4.78
        and 4.79, which divide within algorithms, with n - a degrees of freedom).
        """
        if covariance is None:
            return _by_likelihood(self.responses, self.dimensionality.alpha)
        known = _known_covariance(covariance, self.metrics, self.responses)
        return _by_known_covariance(self.responses, self.dimensionality.alpha, known)

    @property
    def tests(self) -> tuple[MultivariateTest, ...]:
        """The four tests."""
        return self.wilks, self.pillai, self.hotelling_lawley, self.roy

    @cached_property
    def canonical(self) -> CanonicalVariates:
        """Canonical variates, as many as there are eigenvalues."""
        return canonical_variates(self.responses)

    @cached_property
    def means(self) -> pd.DataFrame:
        """Adjusted means, algorithms x metrics, in the metrics' own units."""
        return pd.DataFrame(
            self.responses.means(), list(self.responses.algorithms), list(self.metrics)
        )

    @cached_property
    def univariate(self) -> pd.DataFrame:
        """Follow-up analyses of variance, adjusted by Holm over the metrics kept.

        One row per metric: ``metric statistic df1 df2 p_value p_adjusted
        partial_eta2``. A metric that the tests leave out, since it depends on those
        kept or does not vary, asks no question of its own: it is no part of the family,
        and its ``p_adjusted`` is NaN.
        """
        return _follow_ups(self.responses)

    def as_columns(self) -> Columns:
        """Return the four tests and Bartlett's, one row each."""
        return stacked(test.as_columns() for test in (*self.tests, self.bartlett))

    def r_call(self) -> RCall | None:
        """Return the call of ``summary(manova(...))``; None if nothing varies."""
        if not self.rank:
            return None
        arguments = {
            **self.responses.r_arguments(),
            "algorithms": list(self.responses.algorithms),
        }
        return RCall(("responses", "manova"), "manova_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return statistics, F, degrees of freedom, p-values and eigenvalues."""
        numbers: dict[str, Any] = {"eigenvalues": self.eigenvalues}
        for name in ("statistic", "f", "df1", "df2", "p_value"):
            numbers[name] = [getattr(test, name) for test in self.tests]
        numbers["bartlett"] = self.bartlett.statistic
        numbers["bartlett_p_value"] = self.bartlett.p_value
        numbers["means"] = self.means[list(self.kept)].to_numpy().ravel(order="F")
        kept = self.univariate[self.univariate["metric"].isin(self.kept)]
        numbers["univariate_f"] = kept["statistic"].to_numpy()
        for name in ("df1", "df2", "p_value", "p_adjusted", "partial_eta2"):
            numbers[f"univariate_{name}"] = kept[name].to_numpy(float)
        numbers["bartlett_df"] = self.bartlett.df
        return numbers | self.canonical.r_values()


@dataclass(frozen=True, kw_only=True, eq=False)
class MultivariateTest(Test):
    """One of the four statistics with its F.

    Attributes
    ----------
    f, df1, df2 : float
        F approximation and its degrees of freedom; ``exact`` states whether it is
        exact.
    exact : bool
    """

    f: float
    df1: float
    df2: float
    exact: bool

    def as_columns(self) -> Columns:
        """Return one row, with F beside the statistic."""
        return super().as_columns().but(f=self.f, exact=self.exact)


@checked
def manova(
    scores: Scores,
    *,
    metrics: Sequence[str] | None = None,
    blocked: bool = True,
    statistic: ManovaStatistic = "wilks",
    alpha: float = 0.05,
) -> ManovaResult:
    """Test equal mean vectors of algorithms by multivariate analysis of variance.

    Fits ``(metric, metric, ...) ~ block + algorithm``, the algorithms adjusted for
    blocks, so that a missing cell keeps the model exact.

    Parameters
    ----------
    scores : Scores
        At least two algorithms and two blocks. A cell that lacks one of the metrics is
        left out, if the scores were read with ``missing="model"``.
    metrics : sequence of str, optional
        The responses, each in its own unit; all of ``scores.metrics`` by default. Which
        direction is better has no part in the test.
    blocked : bool, default True
        False leaves the blocks out: a one-way analysis.
    statistic : {"wilks", "pillai", "hotelling-lawley", "roy"}, default "wilks"
        Which of the four makes ``p_value``; all four are reported.
    alpha : float
        For the dimension: the first D2_r that is not rejected at it.

    Returns
    -------
    ManovaResult

    Raises
    ------
    DesignError
        If a difference between algorithms has no residual variation, or error has fewer
        degrees of freedom than the metrics have dimensions; if the blocks do not
        connect the algorithms.
    InputError
        For metrics that are unknown or named twice, or an unknown statistic.

    Notes
    -----
    Equations 6.1, 6.2 of docs/equations.md.

    H and E are the SSCP matrices of algorithms and residuals (Aslan 2009, sec. 4.5;
    Yildiz et al. 2011, sec. 3), lambda the eigenvalues of E^-1 H, found from
    triangular factors of the residuals and never from determinants. F approximations as
    in ``summary.manova``: Wilks by Rao (exact if the rank or the algorithms' df is 1
    or 2), Pillai, Hotelling-Lawley, Roy. Metrics that depend linearly on those before
    them, to 1e-7 of their own variation, are left out and named; if rank 0 is left
    the result is NaN with the reason.

    R: ``summary(manova(cbind(...) ~ block + algorithm), test = "Wilks")``, row
    ``algorithm``; R rejects dependent responses, and from tol = 0 on it returns
    garbage. statsmodels' ``MANOVA`` uses another F for Hotelling-Lawley.

    References
    ----------
    .. [1] Rao, C. R. (1951). Bull. Int. Statist. Inst. 33, 177-180.
    .. [2] Rencher, A. C., Christensen, W. F. (2012). Methods of Multivariate Analysis,
       3rd ed., ch. 6.
    .. [3] Aslan, O. (2009). M.Sc. thesis, Bogazici University, 4.5, eq. 4.81.

    Examples
    --------
    >>> import pycompare as pc
    >>> manova = pc.manova(pc.example("folds"))
    >>> print(f"Wilks' lambda = {manova.wilks.statistic:.3f}")
    Wilks' lambda = 0.571
    >>> print(f"p = {manova.wilks.p_value:.1e}")
    p = 4.4e-11
    >>> manova.dimension
    1
    """
    check_alpha(alpha)
    check_word("statistic", statistic, get_args(ManovaStatistic))
    model = responses(scores, metrics, blocked)
    values = model.eigenvalues
    tests: dict[str, Any] = {**_four_tests(model, values)}
    main = tests[statistic.replace("-", "_")]
    sizes = _dimensionality(model, values, alpha)
    return ManovaResult(
        name="multivariate analysis of variance, "
        + ("blocked" if blocked else "one-way"),
        statistic_name=main.statistic_name,
        statistic=main.statistic,
        df=main.df,
        p_value=main.p_value,
        p_source=main.p_source,
        reference=main.reference,
        notes=main.notes,
        **tests,
        bartlett=_bartlett(model, values),
        eigenvalues=values,
        dimensionality=sizes,
        metrics=tuple(m.name for m in model.metrics),
        kept=model.kept,
        dropped=model.dropped,
        formula=_formula(model),
        responses=model,
    )


def _formula(model: Responses) -> str:
    """Return the model over safe names: ``y0``, ``y1``, ... are the metrics."""
    names = ", ".join(f"y{j}" for j in np.flatnonzero(model.error.kept))
    return f"cbind({names}) ~ " + " + ".join(model.design.term_formulas)


_NAMES = {
    "wilks": ("Wilks' Lambda", "Lambda", "Rao (1951) Bull. Int. Statist. Inst. 33"),
    "pillai": ("Pillai's trace", "V", "Pillai (1955) Ann. Math. Statist. 26, 117-121"),
    "hotelling_lawley": (
        "Hotelling-Lawley trace",
        "U",
        "Pillai & Samson (1959) Biometrika 46, 160-168",
    ),
    "roy": ("Roy's largest root", "lambda", "Roy (1953) Ann. Math. Statist. 24"),
}
"""Name, symbol and source of each statistic."""


def _four_tests(model: Responses, values: Floats) -> dict[str, MultivariateTest]:
    """Return the four tests."""
    df1, df2 = model.factors.df_hypothesis, model.factors.df_error
    padded = values if len(values) else np.zeros(1)
    approximations = kernel.tests(padded, np.asarray(model.rank), df1, df2)
    s = min(model.rank, df1)
    exact = {"wilks": s <= 2}
    return {
        name: _one_test(name, approximations[name], exact.get(name, s == 1), model)
        for name in _NAMES
    }


def _one_test(
    name: str, approximation: Approximation, exact: bool, model: Responses
) -> MultivariateTest:
    """Return one of the four tests with notes for readers about it."""
    title, symbol, reference = _NAMES[name]
    f, p = float(approximation.f), float(approximation.p_value)
    notes = model.notes
    if model.rank == 0:
        notes = (*notes, _NOTHING)
    elif math.isnan(f):
        notes = (*notes, _NO_F)
    elif name == "roy" and not exact:
        notes = (*notes, _ROY)
    source = "none" if math.isnan(p) else "F" if exact else "F, approximate"
    return MultivariateTest(
        name=title,
        statistic_name=symbol,
        statistic=float(approximation.statistic),
        df=(float(approximation.df1), float(approximation.df2)),
        p_value=p,
        p_source=source,
        reference=reference,
        notes=notes,
        f=f,
        df1=float(approximation.df1),
        df2=float(approximation.df2),
        exact=exact and model.rank > 0,
    )


def _bartlett(model: Responses, values: Floats) -> Test:
    """Return Bartlett's chi2 of Wilks' Lambda."""
    q, v = model.factors.df_hypothesis, model.factors.df_error
    statistic, df, p = (math.nan,) * 3
    if len(values):
        parts = kernel.dimensionality(values, model.rank, q, v)
        statistic, df, p = (float(part[0]) for part in parts)
    return Test(
        name="Wilks' Lambda by Bartlett's approximation",
        statistic_name="chi2",
        statistic=statistic,
        df=df,
        p_value=p,
        p_source="chi2, approximate" if len(values) else "none",
        reference="Bartlett (1947) J. R. Statist. Soc. B 9, 176-197",
        notes=model.notes if len(values) else (*model.notes, _NOTHING),
    )


def _dimensionality(model: Responses, values: Floats, alpha: float) -> Dimensionality:
    """Return Bartlett's D2_r for r = 0 .. s - 1, and the dimension at alpha."""
    q, v = model.factors.df_hypothesis, model.factors.df_error
    tests = kernel.dimensionality(values, model.rank, q, v)
    return _dimensions_of(model, tests, alpha, "bartlett", None)


def _by_likelihood(model: Responses, alpha: float) -> Dimensionality:
    """Return the likelihood-ratio test with the estimated covariance."""
    q, v = model.factors.df_hypothesis, model.factors.df_error
    tests = kernel.likelihood_dimensionality(model.eigenvalues, model.rank, q, v)
    return _dimensions_of(model, tests, alpha, "likelihood-ratio", None)


def _by_known_covariance(
    model: Responses, alpha: float, covariance: Floats
) -> Dimensionality:
    """Return the likelihood-ratio test with a known covariance of the kept metrics."""
    kept, q = model.error.kept, model.factors.df_hypothesis
    units = model.units[kept]
    root = np.linalg.cholesky(covariance / np.outer(units, units))
    white = np.linalg.solve(root, model.factors.hypothesis[:, kept].T)
    roots = np.square(np.linalg.svd(white, compute_uv=False))
    tests = kernel.likelihood_dimensionality(
        roots[: min(model.rank, q)], model.rank, q, 1
    )
    return _dimensions_of(model, tests, alpha, "known-covariance", covariance)


def _known_covariance(
    covariance: Any, metrics: tuple[str, ...], model: Responses
) -> Floats:
    """Return the covariance of the kept metrics."""
    if is_frame(covariance):
        if {*covariance.index} != {*metrics} or {*covariance.columns} != {*metrics}:
            raise InputError(
                f"covariance: its rows and columns must be {show_all(metrics)}"
            )
        covariance = covariance.loc[list(metrics), list(metrics)]
    values = numbers(covariance, "covariance")
    p = len(metrics)
    if values.shape != (p, p):
        raise InputError(
            f"covariance has the shape {values.shape}; {p} metrics need {p} x {p}"
        )
    if not np.isfinite(values).all() or not np.array_equal(values, values.T):
        raise InputError("covariance must be symmetric, of finite numbers")
    own = values[np.ix_(model.error.kept, model.error.kept)]
    spread = np.sqrt(np.maximum(np.diag(own), 0.0))
    if not (spread > 0).all() or _is_singular(own / np.outer(spread, spread)):
        raise InputError(
            f"covariance of {show_all(model.kept)} is not positive definite"
        )
    return own


def _is_singular(correlations: Floats) -> bool:
    return bool(np.linalg.eigvalsh(correlations).min(initial=1.0) <= _SINGULAR)


_SINGULAR = 1e-12
"""Smallest eigenvalue of correlations that are singular but for rounding."""
_BARTLETT = "Bartlett (1947) J. R. Statist. Soc. B 9, 176-197"
_LIKELIHOOD = "Aslan (2009) eq. 4.78, 4.79"


def _dimensions_of(
    model: Responses,
    tests: tuple[Floats, Floats, Floats],
    alpha: float,
    method: str,
    covariance: Floats | None,
) -> Dimensionality:
    statistic, df, p = tests
    kept = np.flatnonzero(~rejected(p, alpha))
    table = pd.DataFrame(
        {"r": range(len(p)), "statistic": statistic, "df": df, "p_value": p}
    )
    return Dimensionality(
        table=table,
        alpha=alpha,
        dimension=int(kept[0]) if len(kept) else len(p),
        method=method,
        reference=_BARTLETT if method == "bartlett" else _LIKELIHOOD,
        responses=model,
        covariance=covariance,
    )


def _follow_ups(model: Responses) -> pd.DataFrame:
    """Return one analysis of variance a metric, adjusted by Holm over those kept."""
    h = np.square(model.factors.hypothesis).sum(axis=0)
    e = np.square(model.factors.error).sum(axis=0)
    # What is smaller than the rounding of the scores is rounding.
    with np.errstate(over="ignore"):  # of a constant like 1e300 all is rounding
        least = np.square(kernel.ROUNDING * model.noise)
    h = np.where(h <= len(model.values) * least, 0.0, h)
    e = np.where(e <= model.design.n * least, 0.0, e)
    df1, df2 = float(model.factors.df_hypothesis), float(model.factors.df_error)
    with np.errstate(divide="ignore", invalid="ignore"):
        f, share = (h / df1) / (e / df2), h / (h + e)
    p = np.where(e > 0, special.fdtrc(df1, df2, f), np.nan)
    kept = model.error.kept & ~np.isnan(p)
    adjusted = np.full(len(p), np.nan)
    if kept.any():
        adjusted[kept] = adjust_p_values(p[kept], "holm")
    return pd.DataFrame(
        {
            "metric": [m.name for m in model.metrics],
            "statistic": f,
            "df1": df1,
            "df2": df2,
            "p_value": p,
            "p_adjusted": adjusted,
            "partial_eta2": share,
        }
    )
