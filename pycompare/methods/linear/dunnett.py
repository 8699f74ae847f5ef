"""Dunnett's comparisons of algorithms with a control, single-step or step-down."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import check_flags
from pycompare.base.checked import checked
from pycompare.base.typing import Floats, Sizes
from pycompare.data.scores import Scores
from pycompare.kernels import many_to_one, multivariate_t
from pycompare.methods.linear.pairs import MeanContrasts, MeanPairsResult, contrasts
from pycompare.results.result import MayDraw

_SINGLE_STEP = "Dunnett (1955) JASA 50, 1096-1121"
_STEP_DOWN = "Dunnett & Tamhane (1991) Stat. Med. 10, 939-947"
_RANDOM_POINTS = (
    "missing cells leave the correlations of the comparisons without a quadrature: "
    "p-values and intervals are means over scrambled Sobol points (Genz and Bretz "
    "2002), random seed {seed}; standard errors of the adjusted p-values are {error} "
    "at most"
)
_SINGLE_STEP_INTERVALS = (
    "intervals are those of the single-step method, so one may include 0 although the "
    "step-down test rejects"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class DunnettResult(MayDraw, MeanPairsResult):
    """Comparisons with a control; see ``MeanPairsResult``.

    Attributes
    ----------
    seed : int or None
        Random seed of p-values and intervals; None if they are by quadrature.
    p_errors : ndarray
        Standard errors of ``p_adjusted``; 0 by quadrature, which has 12 digits.
    """

    seed: int | None
    p_errors: Floats


@checked
def dunnett(
    scores: Scores,
    *,
    control: str,
    metric: str | None = None,
    blocked: bool = True,
    step_down: bool = False,
    level: float = 0.95,
    n_train: Sizes | None = None,
    n_test: Sizes | None = None,
    seed: int = 0,
) -> DunnettResult:
    """Compare each algorithm's adjusted mean with a control's by Dunnett's test.

    Parameters
    ----------
    scores : Scores
        Blocks may lack algorithms if the scores were read with ``missing="model"``.
    control : str
        One of the algorithms.
    metric, blocked, level, n_train, n_test
        As in ``tukey``.
    step_down : bool, default False
        Step-down Dunnett: the largest t is compared with the distribution of the
        largest of all, the next with that of the largest of the others, and so on. It
        has the same error rate and finds at least as much.
    seed : int, default 0
        Used only if missing cells make the correlations of the comparisons no
        products, as they may be for five algorithms or more; ``notes`` state this.

    Returns
    -------
    DunnettResult
        ``estimate`` is the algorithm minus the control, two-sided. Intervals are those
        of the single-step method.

    Raises
    ------
    DesignError
        As ``tukey``.
    InputError
        If the control is no algorithm.

    Notes
    -----
    Equations 5.3, 5.6 of docs/equations.md.

    p = P(max_j |T_j| > |t|), T multivariate t with the correlations of the contrasts.
    If these are products l_i l_j, as in every complete or one-way table, it is a
    two-dimensional quadrature with more than 10 digits; else the difference from the
    nearest products is a mean over random points, whose standard error is given.
    The step-down p-value of the j-th largest |t| is the largest of P(max |T| > |t|)
    over the steps up to j, each over the comparisons that are left: the closed test of
    all intersection hypotheses. R:
    ``summary(multcomp::glht(fit, mcp(algorithm = "Dunnett")))``, which is random in
    the fourth digit; step-down with ``test = adjusted("free")``.
    Without residual variance as ``tukey``.

    References
    ----------
    .. [1] Dunnett, C. W. (1955). JASA 50, 1096-1121.
    .. [2] Dunnett, C. W., Tamhane, A. C. (1991). Stat. Med. 10, 939-947.
    .. [3] Genz, A., Bretz, F. (2002). J. Comput. Graph. Statist. 11, 950-971.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.dunnett(pc.example(), control="NaiveBayes", step_down=True)
    >>> found.table["p_adjusted"].round(4).tolist()
    [0.623, 0.0641, 0.0, 0.623]
    """
    check_flags(step_down=step_down)
    mean_contrasts = contrasts(scores, metric, blocked, level, control, n_train, n_test)
    return dunnett_of(mean_contrasts, level, step_down=step_down, seed=seed)


def dunnett_of(
    contrasts: MeanContrasts, level: float, *, step_down: bool = False, seed: int = 0
) -> DunnettResult:
    """Return the comparisons of a fit with its control."""
    largest = largest_of(contrasts, seed)
    p, errors = (_step_down_p if step_down else _single_step_p)(contrasts.t(), largest)
    name = "dunnett-step-down" if step_down else "dunnett"
    notes = [_SINGLE_STEP_INTERVALS] if step_down and len(p) > 1 else []
    if largest.seed is not None:
        notes.append(_RANDOM_POINTS.format(seed=seed, error=f"{errors.max():.1g}"))
    pairs: DunnettResult = contrasts.result(
        DunnettResult,
        p,
        largest.quantile(1 - level),
        more_notes=tuple(notes),
        method=f"{'Step-down ' * step_down}Dunnett's comparisons with a control",
        adjust=name,
        interval=f"simultaneous {100 * level:g}% (Dunnett)",
        level=level,
        reference=_STEP_DOWN if step_down else _SINGLE_STEP,
        r_method=name,
        seed=largest.seed,
        p_errors=errors,
    )
    return pairs


@dataclass(frozen=True, eq=False)
class DunnettMaximum:
    """The distribution of the largest of the comparisons' |t|, or of some of them.

    Attributes
    ----------
    correlation : ndarray, shape (m, m)
    loadings : ndarray, shape (m,), or None
        If correlations are their products.
    df : float
    seed : int or None
        Of random points, if there are no loadings.
    """

    correlation: Floats
    loadings: Floats | None
    df: float
    seed: int | None

    def sf(self, t: float, kept: NDArray[np.intp]) -> tuple[float, float]:
        """Return P(largest |T| > t) over some comparisons, and its standard error."""
        if self.loadings is not None:
            return many_to_one.sf(t, self.loadings[kept], self.df), 0.0
        assert self.seed is not None
        part = self.correlation[np.ix_(kept, kept)]
        cube = multivariate_t.uniform_cube(len(part) - 1, self.seed)
        tail = multivariate_t.sf(t, part, self.df, cube)
        return tail.value, tail.error

    def quantile(self, p: float) -> float:
        """Return the half width of a simultaneous interval, in standard errors."""
        if self.loadings is not None:
            return _product_quantile(tuple(self.loadings.tolist()), self.df, p)
        assert self.seed is not None
        cube = multivariate_t.uniform_cube(len(self.correlation) - 1, self.seed)
        return multivariate_t.isf(p, self.correlation, self.df, cube)


@lru_cache(maxsize=64)
def _product_quantile(loadings: tuple[float, ...], df: float, p: float) -> float:
    """Return the quantile if correlations are products."""
    return many_to_one.isf(p, np.array(loadings), df)


def _single_step_p(t: Floats, largest: DunnettMaximum) -> tuple[Floats, Floats]:
    """Return P(largest of all > |t|), and standard errors."""
    every = np.arange(len(t))
    tails = np.array([largest.sf(abs(float(value)), every) for value in t])
    return tails[:, 0], tails[:, 1]


def _step_down_p(t: Floats, largest: DunnettMaximum) -> tuple[Floats, Floats]:
    """Return step-down p-values, and standard errors.

    Dunnett and Tamhane (1991): the closed test whose intersections are tested by their
    largest |t|, in m steps.
    """
    order = np.argsort(-np.abs(t), kind="stable")
    steps = [largest.sf(abs(float(t[order[j]])), order[j:]) for j in range(len(t))]
    p, errors = np.array(steps).T
    # Where a step's p is below the one before, that one counts, with its error.
    decisive = np.array([int(np.argmax(p[: j + 1])) for j in range(len(p))])
    adjusted, spread = np.empty(len(t)), np.empty(len(t))
    adjusted[order], spread[order] = p[decisive], errors[decisive]
    return adjusted, spread


def largest_of(contrasts: MeanContrasts, seed: int) -> DunnettMaximum:
    """Return the distribution of the largest |t| of comparisons with a control."""
    v, at, control = contrasts.fit.design.unscaled, contrasts.first, contrasts.second[0]
    # Cov(m_i - m_0, m_j - m_0) for error variance 1.
    covariance = v[np.ix_(at, at)] - v[at, control][:, None]
    covariance = covariance - v[control, at][None, :] + v[control, control]
    error = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(error, error)
    loadings = many_to_one.product_loadings(correlation)
    if loadings is None and contrasts.fit.e == 0:
        loadings = np.zeros(len(at))  # every number is replaced by an exact one
    return DunnettMaximum(
        correlation, loadings, contrasts.df, seed if loadings is None else None
    )
