"""Partial AUCs of classifiers on the same cases, by the stratified bootstrap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_flags, check_level, check_resampling
from pycompare.base.checked import checked
from pycompare.base.hypotheses import PARTIAL_AUCS
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats, Ints
from pycompare.data.measures.cases import many_scores, one_score
from pycompare.data.measures.roc import RateAxis, axes, check_part
from pycompare.kernels import resampled_curves
from pycompare.kernels.polylines import partial_area, rescaled
from pycompare.methods.curves.bootstrap_pairs import (
    BootstrapPairs,
    compared,
    observed,
    percentiles,
    spread,
)
from pycompare.methods.curves.few_cases import few_cases, require_enough_to_draw
from pycompare.results.adjust import family_adjustment
from pycompare.results.placement import Placement
from pycompare.results.result import Estimate

_REFERENCE = (
    "McClish (1989) Med. Decis. Making 9, 190-195; Robin et al. (2011) BMC "
    "Bioinformatics 12:77"
)
_SAME_RESAMPLES = "all resamples have the same area, so they do not show its error"


@dataclass(frozen=True, kw_only=True, eq=False)
class PartialAucResult(BootstrapPairs):
    """Partial AUCs and all their differences; see ``BootstrapPairs``.

    Attributes
    ----------
    low, high : float
        The part of ``axis`` (``fpr`` or ``tpr``).
    mcclish : bool
        Whether the areas were rescaled to 1/2 for chance and 1 for the best.
    """

    low: float
    high: float
    axis: str
    mcclish: bool

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "partial-auc/bootstrap"


@checked
def partial_auc_pairs(
    label: ArrayLike,
    scores: Any,
    *,
    positive: object,
    low: float,
    high: float,
    axis: RateAxis = "fpr",
    mcclish: bool = False,
    adjust: str = "holm",
    level: float = 0.95,
    seed: int = 0,
    resamples: int = 2000,
) -> PartialAucResult:
    """Compare partial AUCs of two or more classifiers on the same cases.

    Parameters
    ----------
    label, scores, positive, adjust
        As in ``delong``.
    low, high, axis, mcclish
        As in ``RocCurve.partial_auc``.
    level : float
        Confidence level of the percentile intervals, each separately.
    seed, resamples : int
        Cases are drawn with replacement within each class, the same for all
        classifiers; both are reported.

    Returns
    -------
    PartialAucResult
        ``statistic`` is the difference over its standard deviation in the resamples,
        with a two-sided normal p-value.

    Raises
    ------
    DesignError
        If a class has fewer than five cases, which resamples hardly vary.
    InputError
        As ``delong``; if the part is none; fewer than two resamples.

    Notes
    -----
    R: ``pROC::roc.test(method = "bootstrap", paired = TRUE, boot.stratified = TRUE)``
    and ``pROC::ci.auc(method = "bootstrap")`` with ``partial.auc``; random, so equal to
    its Monte Carlo error only.

    References
    ----------
    .. [1] McClish, D. K. (1989). Medical Decision Making 9, 190-195.
    .. [2] Robin, X. et al. (2011). BMC Bioinformatics 12:77.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ill = np.repeat([True, False], 40)
    >>> first = rng.normal(ill)
    >>> tests = {"first": first, "second": first + rng.normal(size=80)}
    >>> pairs = pc.partial_auc_pairs(ill, tests, positive=True, low=0, high=0.2, seed=1)
    >>> pairs.table[["estimate", "p_adjusted"]].round(3)
       estimate  p_adjusted
    0     0.041       0.049
    """
    _check(low, high, axis, mcclish, level, seed, resamples)
    chosen = family_adjustment(adjust, PARTIAL_AUCS)
    cases = many_scores(label, scores, positive)
    measure = partial(areas_of, low=low, high=high, axis=axis, mcclish=mcclish)
    few = few_cases(cases, "partial_auc_pairs")
    fields = compared(cases, measure, chosen, level, seed, resamples)
    fields["notes"] = (*fields["notes"], *few)
    return PartialAucResult(
        **fields,
        method="bootstrap of partial AUCs",
        **Placement(f"areas over {axis} from {low:g} to {high:g}").difference(),
        hypotheses=PARTIAL_AUCS,
        reference=_REFERENCE,
        low=low,
        high=high,
        axis=axis,
        mcclish=mcclish,
    )


@dataclass(frozen=True, kw_only=True, eq=False)
class PartialAucInterval(Estimate):
    """A partial AUC with its bootstrap interval.

    Attributes
    ----------
    std_error : float
        Standard deviation in the resamples.
    seed, resamples : int
    """

    std_error: float
    seed: int
    resamples: int

    def as_columns(self) -> Columns:
        """Return one row."""
        return super().as_columns().but(std_error=self.std_error)


@checked
def partial_auc_interval(
    label: ArrayLike,
    score: ArrayLike,
    *,
    positive: object,
    low: float,
    high: float,
    axis: RateAxis = "fpr",
    mcclish: bool = False,
    level: float = 0.95,
    seed: int = 0,
    resamples: int = 2000,
) -> PartialAucInterval:
    """Return a partial AUC with its stratified bootstrap interval.

    Parameters
    ----------
    label, score, positive
        As in ``roc_curve``.
    low, high, axis, mcclish
        As in ``RocCurve.partial_auc``.
    level, seed, resamples
        As in ``partial_auc_pairs``.

    Returns
    -------
    PartialAucInterval
        Limits are NaN, with the reason, if all resamples have the same area.

    Raises
    ------
    DesignError
        If a class has fewer than five cases, which resamples hardly vary.
    InputError
        As ``roc_curve``; if the part is none; fewer than two resamples.

    Notes
    -----
    R: ``pROC::ci.auc(method = "bootstrap")`` with ``partial.auc``; random, so equal to
    its Monte Carlo error only.

    References
    ----------
    .. [1] McClish, D. K. (1989). Medical Decision Making 9, 190-195.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ill = np.repeat([True, False], 40)
    >>> first = rng.normal(ill)
    >>> tests = {"first": first, "second": first + rng.normal(size=80)}
    >>> area = pc.partial_auc_interval(ill, first, positive=True, low=0, high=0.2)
    >>> print(f"{area.estimate:.3f} [{area.conf_low:.3f}, {area.conf_high:.3f}]")
    0.115 [0.085, 0.153]
    """
    _check(low, high, axis, mcclish, level, seed, resamples)
    cases = one_score(label, score, positive)
    require_enough_to_draw(cases)
    measure = partial(areas_of, low=low, high=high, axis=axis, mcclish=mcclish)
    drawn = resampled_curves.resampled(
        cases.truth, cases.score, measure, np.random.default_rng(seed), resamples
    )
    error = float(spread(drawn)[0])
    limits = percentiles(drawn, level)
    note = f"{resamples} resamples, seed {seed}"
    return PartialAucInterval(
        name=f"{'McClish-corrected ' if mcclish else ''}area over {axis} from {low:g} "
        f"to {high:g}",
        estimate=float(observed(cases, measure)[0]),
        conf_low=float(limits[0][0]),
        conf_high=float(limits[1][0]),
        level=level,
        method="stratified bootstrap, percentiles",
        notes=(
            note,
            *(() if error else (_SAME_RESAMPLES,)),
            *few_cases(cases, "partial_auc_interval"),
        ),
        std_error=error,
        seed=seed,
        resamples=resamples,
    )


def _check(
    low: float,
    high: float,
    axis: str,
    mcclish: bool,
    level: float,
    seed: int,
    resamples: int,
) -> None:
    """Reject arguments that make no sense."""
    check_level(level)
    check_part(low, high, axis)
    check_flags(mcclish=mcclish)
    check_resampling(seed, resamples, least=2)


def areas_of(
    fp: Ints | Floats,
    tp: Ints | Floats,
    low: float,
    high: float,
    axis: str,
    mcclish: bool,
) -> Floats:
    """Return the partial area of each row of cumulative counts."""
    x, y = axes(fp / fp[:, -1:], tp / tp[:, -1:], axis)
    area = partial_area(x, y, low, high)
    return rescaled(area, low, high, axis) if mcclish else area
