"""Permutation tests of equal mean vectors: permutational MANOVA, permuted Wilks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_word
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError
from pycompare.base.formatting.counts import degrees_of_freedom
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats, Ints, Standardise
from pycompare.data.scores import Scores
from pycompare.kernels import permutation as kernel
from pycompare.kernels.manova import ROUNDING
from pycompare.kernels.permutation import PermutationStatistic
from pycompare.kernels.sscp import coordinates, without
from pycompare.methods.linear.design import BlockDesign
from pycompare.methods.linear.row_permutations import (
    DealtRows,
    algorithms_of,
    note_of,
    orders_of,
    rows_of,
    shares_of,
)
from pycompare.results.result import MayDraw, Test, internal

_ANDERSON = "Anderson (2001) Austral Ecology 26, 32-46"
_WILKS = "Wilks (1932) Biometrika 24, 471-494, permuted; Pesarin (2001)"
_NOTHING = (
    "the scores do not differ, within blocks if there are any, so that no difference "
    "can be tested"
)
_PERFECT = (
    "perfect fit: in some direction of the metrics the residuals are zero, so Wilks' "
    "lambda is 0; the p-value counts permutations and stays valid"
)
_SHARED_UNIT = (
    "the trace adds up sums of squares of the metrics as they are: the metric with the "
    "largest spread counts most, and another unit gives another p-value"
)
_STANDARDISED = (
    "each metric was divided by its standard deviation about the means of the blocks"
)
_STANDARDISED_ONE_WAY = "each metric was divided by its standard deviation"


@dataclass(frozen=True, kw_only=True, eq=False)
class PermutationManovaResult(MayDraw, Test):
    """A permutation test of the algorithms on several metrics.

    Attributes
    ----------
    statistic_name : str
        ``pseudo-F`` (trace; large values speak against equality) or ``Wilks' lambda``
        (small ones do).
    df : tuple of float
        Degrees of freedom of algorithms and error; no distribution uses them.
    metrics : tuple of str
    rank : int
        Dimensions that the metrics span about their blocks' means.
    standardise : {"none", "sd"} or None
        Treatment of the metrics before their traces were taken; None for Wilks.
    share : float
        Trace: SS of algorithms / (SS of algorithms + SS of error). Wilks: 1 - lambda.
    table : DataFrame or None
        For the trace: ``term df sum_sq r2 statistic p_value`` for the terms in the
        order of ``formula``, ``residual`` and ``total``, as ``vegan::adonis2`` has it.
        Sums of squares are in squared units of the metrics as they were added up.
    n_permutations : int
        Number of permutations; of all arrangements if they were listed.
    listed : bool
        Whether all arrangements were listed: the p-value is exact.
    seed : int or None
        None if nothing was random.
    formula : str
        The model over safe names.
    permuted : ndarray, shape (n_permutations,)
        The statistics of the permutations, the observed arrangement among them only
        if all were listed.
    """

    metrics: tuple[str, ...]
    rank: int
    standardise: Standardise | None
    share: float
    table: pd.DataFrame | None
    n_permutations: int
    listed: bool
    seed: int | None
    formula: str
    permuted: Floats = internal()
    orders: Ints | None = internal()
    rows: DealtRows = internal()

    @property
    def basis(self) -> str:
        """The test's key in the ledger of guarantees."""
        return "omnibus/permutation-manova"

    def r_call(self) -> RCall | None:
        """Return the call that repeats the statistic, and a p-value not drawn here.

        Permutations that were handed in go to ``vegan::adonis2`` (trace) or to
        ``det(E) / det(E + H)`` of ``lm``; arrangements that were listed are listed in R
        again. None if nothing differs.
        """
        if math.isnan(self.statistic):
            return None
        statistic: PermutationStatistic = (
            "wilks" if self.standardise is None else "trace"
        )
        arguments = {
            **self.rows.r_arguments(statistic),
            "statistic": statistic,
            "standardise": self.standardise or "none",
            "orders": None if self.orders is None else self.orders + 1.0,
            "list_all": self.listed,
        }
        files = ("responses", "permutation_manova")
        return RCall(files, "permutation_manova_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the statistic, the table, and the p-value if R can repeat it."""
        values: dict[str, Any] = {"statistic": self.statistic, "df": self.df}
        if self.held("table") is not None:
            values |= dict(self.held("table").only(("sum_sq", "r2")).items())
        if self.listed or self.orders is not None:
            values["p_value"] = self.p_value
        return values


@checked
def permutation_manova(
    scores: Scores,
    *,
    metrics: Sequence[str] | None = None,
    blocked: bool = True,
    statistic: PermutationStatistic = "wilks",
    standardise: Standardise | None = None,
    permutations: int | ArrayLike = 9999,
    seed: int | None = None,
) -> PermutationManovaResult:
    """Test equal distributions of several metrics by a permutation test.

    If the algorithms are alike, a block's rows of scores might as well have been dealt
    to them in any other order. The statistic of the scores as they are is compared with
    that of other orders; no normal distribution is assumed.

    Parameters
    ----------
    scores : Scores
        Cells may be missing if they were read with ``missing="model"``; what a block
        has is permuted among the algorithms that it has, and the test stays exact.
    metrics : sequence of str, optional
        One or more of ``scores.metrics``, all if None; a cell that lacks one of them is
        left out.
    blocked : bool, default True
        Rows are permuted within blocks, and algorithms adjusted for blocks. False:
        one-way, permuted freely.
    statistic : {"wilks", "trace"}
        ``wilks``: Wilks' lambda, det E / det(E + H). Any unit and any nonsingular
        combination of the metrics gives the same p-value. ``trace``: Anderson's
        pseudo-F, (tr H / df_H) / (tr E / df_E), with Euclidean distances; it depends
        on units, needs no inverse, and works with more metrics than error df.
    standardise : {"none", "sd"}
        For ``trace`` with two metrics or more, if it must be chosen: ``none`` adds up
        metrics of one unit as they are; ``sd`` divides each by its standard deviation
        about the block means, which no permutation changes.
    permutations : int or array, default 9999
        Number of random permutations; if there are no more than 100,000 different
        arrangements, all of them are listed instead and the p-value is exact. Or the
        permutations themselves, shape (count, n): row positions 0, ..., n - 1, in the
        order of ``scores.to_frame()`` without empty cells, of the scores that the rows
        get (R's count from 1).
    seed : int
        For a number of permutations it must be given; the result reports it, or None
        if all arrangements were listed. Rejected beside permutations that are given.

    Returns
    -------
    PermutationManovaResult
        The p-value is (1 + #{as extreme}) / (1 + count), never 0 (Phipson and Smyth
        2010), or the exact share of all arrangements. Shares of variation that differ
        by no more than 1e-11 (nearly dependent metrics: 64 eps times the condition
        number) are treated as equal: rounding does not decide. If the scores
        do not differ at all, or for Wilks' lambda by no more than rounding, statistic
        and p-value are NaN.

    Raises
    ------
    DesignError
        If blocks do not connect the algorithms, or ``wilks`` is asked for with fewer
        error degrees of freedom than dimensions.
    InputError
        For unknown metrics or words, permutations that are none or mix blocks, a seed
        that is missing or has nothing to do.

    Notes
    -----
    Equation 6.5 of docs/equations.md.

    R: ``vegan::adonis2(dist(Y) ~ block + algorithm, permutations = P)``, by terms, for
    the trace. Its tolerance is 1.5e-8 in F. adonis2 gives the blocks a p-value
    too, which within blocks is the algorithms' own and gives no information about
    blocks: it is left out here. For Wilks, ``det(crossprod(resid(fit)))`` of each
    permutation.

    Within blocks H + E does not change, so the pseudo-F rises with tr H / tr(H + E) and
    lambda is det(1 - H) in coordinates in which H + E = 1. In complete blocks a common
    relabelling of all blocks changes nothing: (a!)^(b - 1) arrangements are all.

    The hypothesis is exchangeability: algorithms that differ in spread alone can be
    found different. Choose the statistic before looking.

    References
    ----------
    .. [1] Anderson, M. J. (2001). Austral Ecology 26, 32-46.
    .. [2] Phipson, B., Smyth, G. K. (2010). Stat. Appl. Genet. Mol. Biol. 9, 39.
    .. [3] Aslan, O. (2009). M.Sc. thesis, Bogazici University: future work.

    Examples
    --------
    >>> import pycompare as pc
    >>> test = pc.permutation_manova(pc.example("folds"), permutations=999, seed=1)
    >>> print(f"Wilks' lambda = {test.statistic:.3f}, p = {test.p_value:.3f}")
    Wilks' lambda = 0.571, p = 0.001
    """
    given = rows_of(scores, metrics, blocked)
    _check_words(statistic, standardise, len(given.metrics))
    drawn = orders_of(given, permutations, seed)
    design, algorithms = given.design, algorithms_of(given.design)
    common: dict[str, Any] = {
        "name": _title(statistic, blocked),
        "statistic_name": "Wilks' lambda" if statistic == "wilks" else "pseudo-F",
        "df": (float(design.df_hypothesis), float(design.df_error)),
        "reference": _WILKS if statistic == "wilks" else _ANDERSON,
        "metrics": given.metrics,
        "rank": given.responses.rank,
        "standardise": None if statistic == "wilks" else standardise or "none",
        "formula": design.formula,
        "orders": drawn.given,
        "rows": given,
    }
    if not given.within.any() or (statistic == "wilks" and not given.responses.rank):
        return _undefined(common)
    y, rounding, tie, notes = _coordinates(given, statistic, standardise)
    observed = kernel.share(algorithms, y, statistic)
    shares = shares_of(given, drawn, y, statistic)
    reached = kernel.reached(shares, observed, tie)
    p = reached / len(shares) if drawn.listed else (1 + reached) / (1 + len(shares))
    value, share = _observed_statistic(y, design, statistic, rounding)
    if statistic == "wilks" and _residuals_vanish(y, design, rounding):
        notes = (*notes, _PERFECT)
    table = None
    if statistic == "trace":
        table = _adonis_table(given, standardise, value, p)
    return PermutationManovaResult(
        **common,
        statistic=value,
        share=share,
        p_value=p,
        p_source="exact" if drawn.listed else "permutation",
        notes=(*notes, note_of(drawn)),
        table=table,
        n_permutations=len(shares),
        listed=drawn.listed,
        seed=drawn.seed,
        permuted=_as_statistic(shares, design, statistic),
    )


def _title(statistic: PermutationStatistic, blocked: bool) -> str:
    """Name the test in words."""
    name = {
        "wilks": "permutation test of Wilks' lambda",
        "trace": "permutational multivariate analysis of variance",
    }[statistic]
    return name + (", within blocks" if blocked else ", one-way")


def _undefined(common: dict[str, Any]) -> PermutationManovaResult:
    """Return the result if no score differs."""
    return PermutationManovaResult(
        **common,
        statistic=math.nan,
        share=math.nan,
        p_value=math.nan,
        p_source="none",
        notes=(_NOTHING,),
        table=None,
        n_permutations=0,
        listed=False,
        seed=None,
        permuted=np.empty(0),
    )


def _check_words(
    statistic: PermutationStatistic, standardise: Standardise | None, n_metrics: int
) -> None:
    """Reject unknown words, and a trace of several metrics without weights."""
    check_word("statistic", statistic, ("wilks", "trace"))
    if standardise not in (None, "none", "sd"):
        raise InputError(f"standardise={standardise!r}: choose 'none' or 'sd'")
    if statistic == "wilks" and standardise is not None:
        raise InputError(
            "standardise has no effect on statistic='wilks', which is the same in all "
            "units; leave it out"
        )
    if statistic == "trace" and standardise is None and n_metrics > 1:
        raise InputError(
            "the trace adds up the metrics' sums of squares, so it depends on units: "
            "choose standardise='none' for metrics of one unit, standardise='sd' to "
            "divide each by its standard deviation, or statistic='wilks'"
        )


def _coordinates(
    given: DealtRows, statistic: PermutationStatistic, standardise: Standardise | None
) -> tuple[Floats, float, float, tuple[str, ...]]:
    """Return responses as ``kernels.permutation.shares`` needs them, and about them.

    That is: how far rounding may take them, in length, the difference of shares that
    it can make, and notes.
    """
    if statistic == "trace":
        scale = _y_scale(given, standardise)[0]
        y = given.within * scale
        length = float(np.linalg.norm(y))
        rounding = _rounding(given, scale) / length
        return y / length, rounding, kernel.TIE, _trace_notes(given, standardise)
    rank = given.responses.rank
    if given.design.df_error < rank:
        raise DesignError(
            f"{degrees_of_freedom(given.design.df_error)} for error cannot hold "
            f"{rank} metrics: every permutation has Wilks' lambda 0; add blocks, leave "
            f"metrics out, or take statistic='trace'"
        )
    columns = given.independent / np.linalg.norm(given.independent, axis=0)
    kept = given.responses.error.kept
    # Nearly dependent metrics magnify the rounding of the scores.
    s = np.linalg.svd(given.within[:, kept] / given.lengths[kept], compute_uv=False)
    magnified = 64 * float(np.finfo(float).eps * s[0] / s[-1])
    u = np.linalg.qr(columns)[0]
    model = given.responses
    return u, model.rounding, max(kernel.TIE, magnified), model.notes


def _rounding(given: DealtRows, scale: Floats) -> float:
    """Return how far rounding may take responses in the trace's units, in length."""
    noise = given.responses.noise * scale
    return ROUNDING * float(np.linalg.norm(noise)) * math.sqrt(len(given.within))


def _y_scale(given: DealtRows, standardise: Standardise | None) -> tuple[Floats, float]:
    """Return what turns scaled responses into those that the trace adds up, their unit.

    A metric in which nothing differs adds nothing.
    """
    if standardise != "sd":
        units = given.responses.units
        return units / units.max(), float(units.max())
    lengths = given.lengths
    df = len(given.within) - sum(part.df for part in given.design.before)
    scale = np.zeros_like(lengths)
    np.divide(math.sqrt(df), lengths, out=scale, where=lengths > 0)
    return scale, 1.0


def _trace_notes(given: DealtRows, standardise: Standardise | None) -> tuple[str, ...]:
    """Return the terms that the trace adds up."""
    told = replace(given.responses, dropped=()).notes
    if len(given.metrics) == 1:
        return told
    if standardise == "none":
        return (*told, _SHARED_UNIT)
    return (*told, _STANDARDISED if given.design.blocked else _STANDARDISED_ONE_WAY)


def _observed_statistic(
    y: Floats,
    design: BlockDesign,
    statistic: PermutationStatistic,
    rounding: float,
) -> tuple[float, float]:
    """Return the statistic and the share, from residuals and not from 1 - share.

    Differences of the algorithms, and residuals, no longer than ``rounding`` are 0.
    """
    error = without(y, design.parts[-1:])
    hypothesis = coordinates(algorithms_of(design), y.T).T
    if np.linalg.norm(hypothesis) <= rounding:
        return (1.0 if statistic == "wilks" else 0.0), 0.0
    if statistic == "wilks":
        if _residuals_vanish(y, design, rounding):
            return 0.0, 1.0
        diagonal = np.diag(np.linalg.qr(error, mode="r"))
        value = float(np.prod(np.square(diagonal)))
        # det(1 - H) again, for the digits of a share near 0.
        squares = np.square(np.linalg.svd(hypothesis, compute_uv=False))
        with np.errstate(divide="ignore"):
            logarithms = np.log1p(-np.minimum(squares, 1.0))
        return value, -math.expm1(float(np.sum(logarithms)))
    h, e = float(np.sum(hypothesis**2)), float(np.sum(error**2))
    e = 0.0 if e <= rounding**2 else e
    with np.errstate(divide="ignore"):
        f = float(np.float64(h / design.df_hypothesis) / (e / design.df_error))
    return f, h / (h + e)


def _residuals_vanish(y: Floats, design: BlockDesign, rounding: float) -> bool:
    """Return whether some direction of orthonormal responses has no residual."""
    error = without(y, design.parts[-1:])
    return bool(np.linalg.svd(error, compute_uv=False)[-1] <= rounding)


def _as_statistic(
    shares: Floats, design: BlockDesign, statistic: PermutationStatistic
) -> Floats:
    """Turn shares into pseudo-F or lambda."""
    if statistic == "wilks":
        return 1 - shares
    with np.errstate(divide="ignore"):
        return (shares / design.df_hypothesis) / ((1 - shares) / design.df_error)


def _adonis_table(
    given: DealtRows, standardise: Standardise | None, f: float, p_value: float
) -> Columns:
    """Return sums of squares as ``adonis2`` has them."""
    design = given.design
    scale, unit = _y_scale(given, standardise)
    cells = np.full((*design.present.shape, len(scale)), np.nan)
    cells[design.present] = design.responses(given.responses.scaled) * scale
    df, before = design.sums_before(cells)
    within = given.within * scale
    h = np.sum(coordinates(algorithms_of(design), within.T) ** 2)
    e = np.sum(without(within, design.parts[-1:]) ** 2)
    sums = np.array([*(np.trace(s) for s in before), h, e])
    sums[sums <= _rounding(given, scale) ** 2] = 0.0
    sums = np.append(sums, sums.sum())
    with np.errstate(over="ignore", under="ignore"):
        squares = sums * unit * unit
    empty = [math.nan] * len(before)
    return Columns(
        {
            "term": [*design.terms, "residual", "total"],
            "df": [*df, design.df_hypothesis, design.df_error, design.n - 1],
            "sum_sq": squares,
            "r2": sums / sums[-1],
            "statistic": [*empty, f, math.nan, math.nan],
            "p_value": [*empty, p_value, math.nan, math.nan],
        }
    )
