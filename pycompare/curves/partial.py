"""Partial AUCs of classifiers on the same cases, by the stratified bootstrap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pycompare.arguments import check_level
from pycompare.curves.delong import divided, two_sided
from pycompare.curves.interval import check_resampling
from pycompare.errors import InputError
from pycompare.kernels import placements, resampled_curves
from pycompare.kernels.partial_area import corrected, partial_area
from pycompare.measures.cases import Cases, Floats, many_scores, one_score
from pycompare.measures.roc import Axis, axes, check_part
from pycompare.multiplicity.adjust import adjust_all_pairs, adjustment
from pycompare.results import Estimate, PairsResult

REFERENCE = (
    "McClish (1989) Med. Decis. Making 9, 190-195; Robin et al. (2011) BMC "
    "Bioinformatics 12:77"
)
SAME_RESAMPLES = "all resamples have the same area, so they say nothing of its error"
NO_VARIANCE = "these had the same difference in every resample and cannot be tested: "


@dataclass(frozen=True, kw_only=True, eq=False)
class PartialAucResult(PairsResult):
    """Partial AUCs and all their differences; ``positions`` are minus the areas.

    Attributes
    ----------
    area : DataFrame
        One row per classifier: ``estimate std_error conf_low conf_high``.
    low, high : float
        The part of ``axis`` (``fpr`` or ``tpr``).
    mcclish : bool
        Whether the areas were rescaled to 1/2 for chance and 1 for the best.
    seed, resamples : int
    """

    area: pd.DataFrame
    low: float
    high: float
    axis: str
    mcclish: bool
    seed: int
    resamples: int


def partial_auc_pairs(
    label: ArrayLike,
    scores: Any,
    *,
    positive: object,
    low: float,
    high: float,
    axis: Axis = "fpr",
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
        Confidence level of the percentile intervals, each by itself.
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
    """
    check(low, high, axis, level, seed, resamples)
    chosen = adjustment(adjust)
    if chosen.name == "nemenyi":
        raise InputError("adjust='nemenyi' is for mean ranks; choose 'holm'")
    cases = many_scores(label, scores, positive)
    measure = partial(areas_of, low=low, high=high, axis=axis, mcclish=mcclish)
    estimate = np.array([measure(*steps_of(cases, row))[0] for row in cases.score])
    drawn = resampled_curves.resampled(
        cases.truth, cases.score, measure, np.random.default_rng(seed), resamples
    )
    table = pair_table(cases, estimate, drawn, level)
    p = np.nan_to_num(table["p_value"].to_numpy(), nan=1.0)
    adjusted = adjust_all_pairs(p, len(cases.names), chosen)
    table.insert(7, "p_adjusted", np.where(table["p_value"].isna(), np.nan, adjusted))
    untested = table[table["p_value"].isna()]
    which = ", ".join(untested["algorithm_1"] + " and " + untested["algorithm_2"])
    return PartialAucResult(
        table=table,
        positions=pd.Series(-estimate, pd.Index(cases.names)),
        method="bootstrap of partial AUCs",
        estimate_name=f"difference of areas over {axis} from {low:g} to {high:g}",
        statistic_name="z",
        adjust=chosen.name,
        family=f"all {len(table)} pairs of {len(cases.names)} classifiers",
        interval=f"{100 * level:g} % percentiles for each pair by itself",
        level=level,
        control=None,
        reference=REFERENCE,
        notes=(NO_VARIANCE + which,) if which else (),
        area=area_table(cases, estimate, drawn, level),
        low=low,
        high=high,
        axis=axis,
        mcclish=mcclish,
        seed=seed,
        resamples=resamples,
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

    def to_frame(self) -> pd.DataFrame:
        """Return one row."""
        return Estimate.to_frame(self).assign(std_error=self.std_error)


def partial_auc_interval(
    label: ArrayLike,
    score: ArrayLike,
    *,
    positive: object,
    low: float,
    high: float,
    axis: Axis = "fpr",
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
    InputError
        As ``roc_curve``; if the part is none; fewer than two resamples.

    Notes
    -----
    R: ``pROC::ci.auc(method = "bootstrap")`` with ``partial.auc``; random, so equal to
    its Monte Carlo error only.

    References
    ----------
    .. [1] McClish, D. K. (1989). Medical Decision Making 9, 190-195.
    """
    check(low, high, axis, level, seed, resamples)
    cases = one_score(label, score, positive)
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
        estimate=float(measure(*steps_of(cases, cases.score[0]))[0]),
        conf_low=float(limits[0][0]),
        conf_high=float(limits[1][0]),
        level=level,
        method="stratified bootstrap, percentiles",
        notes=(note,) if error else (note, SAME_RESAMPLES),
        std_error=error,
        seed=seed,
        resamples=resamples,
    )


def check(
    low: float, high: float, axis: str, level: float, seed: int, resamples: int
) -> None:
    """Refuse arguments that make no sense."""
    check_level(level)
    check_part(low, high, axis)
    check_resampling(seed, resamples, least=2)


def steps_of(
    cases: Cases, score: Floats
) -> tuple[placements.Counts, placements.Counts]:
    """Return cumulative counts of one classifier, with a 0 first, as one row."""
    steps = placements.steps(cases.truth, score)
    both = (steps.false_positive, steps.true_positive)
    first, second = (np.concatenate([[0], counts])[None] for counts in both)
    return first, second


def areas_of(
    fp: placements.Counts,
    tp: placements.Counts,
    low: float,
    high: float,
    axis: str,
    mcclish: bool,
) -> Floats:
    """Return the partial area of each row of cumulative counts."""
    x, y = axes(fp / fp[:, -1:], tp / tp[:, -1:], axis)
    area = partial_area(x, y, low, high)
    return corrected(area, low, high, axis) if mcclish else area


def spread(drawn: Floats) -> Floats:
    """Return standard deviations of columns, exactly 0 where nothing varies."""
    constant = np.all(drawn == drawn[0], axis=0)
    return np.where(constant, 0.0, np.std(drawn, axis=0, ddof=1))


def percentiles(drawn: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the equal-tailed percentile limits of columns; NaN if nothing varies."""
    tails = [(1 - level) / 2, (1 + level) / 2]
    limits = np.where(spread(drawn) > 0, np.quantile(drawn, tails, axis=0), np.nan)
    return limits[0], limits[1]


def area_table(
    cases: Cases, estimate: Floats, drawn: Floats, level: float
) -> pd.DataFrame:
    """Return the areas with their intervals."""
    low, high = percentiles(drawn, level)
    columns = {
        "estimate": estimate,
        "std_error": spread(drawn),
        "conf_low": low,
        "conf_high": high,
    }
    return pd.DataFrame(columns, index=pd.Index(cases.names))


def pair_table(
    cases: Cases, estimate: Floats, drawn: Floats, level: float
) -> pd.DataFrame:
    """Return differences with their bootstrap errors, z and intervals."""
    first, second = np.array(list(combinations(range(len(cases.names)), 2))).T
    names = np.array(cases.names, dtype=object)
    away = drawn[:, first] - drawn[:, second]
    difference, error = estimate[first] - estimate[second], spread(away)
    z = divided(difference, error)
    low, high = percentiles(away, level)
    return pd.DataFrame(
        {
            "algorithm_1": names[first],
            "algorithm_2": names[second],
            "estimate": difference,
            "std_error": error,
            "statistic": z,
            "df": np.full(len(z), np.inf),
            "p_value": two_sided(z),
            "conf_low": low,
            "conf_high": high,
        }
    )
