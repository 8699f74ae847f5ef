"""The mean curve of an algorithm over folds: ROC, precision-recall, least cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pycompare.base.arguments import (
    check_level,
    check_seed,
    check_word,
    is_whole,
    numbers,
)
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import label_positions, show, show_all
from pycompare.data.measures.chance import below_chance
from pycompare.data.predictions import Predictions
from pycompare.kernels import cumulative_counts, curve_lines, polylines, rates, student
from pycompare.kernels.polylines import Line
from pycompare.methods.curves.interval import auc_interval
from pycompare.results.result import Estimate, Result, internal

CurveKind = Literal["roc", "pr", "cost"]
Average = Literal["vertical", "threshold"]
MOST = 2001
"""Distinct x, or thresholds, that a mean curve is taken at."""

_AREAS = {
    "roc": "AUC",
    "pr": "AUC-PR",
    "cost": "area under the least cost",
}
_AXES = {
    "roc": ("fpr", "tpr"),
    "pr": ("recall", "precision"),
    "cost": ("probability_cost", "expected_cost"),
}
_SHARED = (
    "intervals and band assume independent folds; folds that share training cases "
    "vary less than new data would"
)
_ONE_FOLD = "one fold has no band"
_THINNED = "taken at {} of {} distinct values; the area is that of the whole curves"
_AGREE = (
    "there is no interval at a place at which all folds agree, and intervals near the "
    "corners, at which few folds differ, are too short: use the band there"
)
_ALIKE = "all folds have the same area, so their variance is 0"


@dataclass(frozen=True, kw_only=True, eq=False)
class MeanCurve(Result):
    """Mean curve of one algorithm over the folds of one data set.

    Attributes
    ----------
    algorithm : str
    kind, average : str
    table : DataFrame
        Vertices of the mean curve: two columns for the axes (``fpr tpr``, ``recall
        precision`` or ``probability_cost expected_cost``), then ``conf_low conf_high``,
        the t interval at this place (NaN if all folds agree), and ``band_low
        band_high``, the band that holds the whole curve; NaN if there is none. Of two
        rows with the same place the first is the limit from the left.
    area : Estimate
        Mean area of the folds with its t interval; DeLong's for the AUC of one fold.
    half_width : float
        Half the width of the band.
    seed, draws : int
        Behind the band.
    folds : tuple of str
        The blocks that have a curve.
    left_out : int
        Blocks without scores or with one class only.
    """

    algorithm: str
    kind: CurveKind
    average: Average
    table: pd.DataFrame
    area: Estimate
    level: float
    half_width: float
    seed: int
    draws: int
    folds: tuple[str, ...]
    left_out: int
    method: str
    reference: str
    notes: tuple[str, ...]
    lines: tuple[Line, ...] = internal()
    counted: cumulative_counts.Steps = internal()
    arguments: dict[str, Any] = internal()

    @property
    def line(self) -> Line:
        """Vertices of the mean curve."""
        x, y = (self.as_columns()[name].astype(float) for name in _AXES[self.kind])
        return x, y

    def points_at(self, thresholds: ArrayLike) -> pd.DataFrame:
        """Return the places of thresholds, averaged over folds.

        Returns
        -------
        DataFrame
            Columns ``threshold fpr tpr precision``: cases with a score >=
            threshold are classified as positive. The mean precision is NaN if a
            fold calls nothing positive. The mean place need not lie on a vertical
            average.
        """
        at = numbers(thresholds, "thresholds")
        if at.ndim > 1 or np.isnan(at).any():
            raise InputError(f"thresholds={show(thresholds)}: give a vector of numbers")
        counts = cumulative_counts.counts_at(self.counted, at)
        measures = (rates.fpr(counts), rates.tpr(counts), rates.precision(counts))
        means = [values.mean(axis=0) for values in measures]
        names = ("threshold", "fpr", "tpr", "precision")
        return pd.DataFrame(dict(zip(names, [at, *means], strict=True)))

    def r_call(self) -> RCall | None:
        """Return the R call for vertical averages of whole ROC curves, else None."""
        whole = len(self.as_columns()) < 2 * MOST
        if self.kind != "roc" or self.average != "vertical" or not whole:
            return None
        if len(self.folds) < 2:
            return None
        return RCall(("mean_curve",), "mean_curve_reference", self.arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the mean curve, its t intervals, and the mean area with its own."""
        names = ("fpr", "tpr", "conf_low", "conf_high")
        return self.columns_in_r(*names) | {
            "area": self.area.estimate,
            "area_low": self.area.conf_low,
            "area_high": self.area.conf_high,
        }


@checked
def mean_curve(
    predictions: Predictions,
    *,
    kind: CurveKind = "roc",
    algorithm: str | None = None,
    dataset: str | None = None,
    average: Average = "vertical",
    interpolation: str | None = None,
    level: float = 0.95,
    seed: int | None = None,
    draws: int | None = None,
) -> MeanCurve:
    """Return the mean curve of an algorithm over folds, with intervals and a band.

    Parameters
    ----------
    predictions : Predictions
        Blocks are the folds of one data set.
    kind : {"roc", "pr", "cost"}
        ROC curve; precision over recall; or least normalised expected cost over the
        probability cost (Drummond and Holte), each fold at its own best threshold.
    algorithm : str, optional
        Needed if there are several.
    dataset : str, optional
        Needed if there are several.
    average : {"vertical", "threshold"}
        Mean of the heights at every place of the x axis; or, ROC only, mean of the
        points that have the same threshold, for scores on one scale.
    interpolation : str, optional
        For ``"pr"``: ``"trapezoid"`` (default), ``"davis-goadrich"`` or
        ``"average-precision"``, as in ``auc_pr``.
    level : float
        Confidence level of each interval, and of the band as a whole.
    seed, draws : int, optional
        Of the band of a vertical average; 0 and 4000 if not given.

    Returns
    -------
    MeanCurve

    Raises
    ------
    InputError
        If no single algorithm and data set is named, for an unknown kind, average or
        interpolation, or an option that belongs to another one.

    Notes
    -----
    The area under a vertical average is the mean of the areas. Its interval at a place
    is a t interval over folds, none if all folds agree. It is too short near the
    corners, at which few folds differ: in simulations with 10 folds of 5 positive cases
    and areas of 0.92, 91% of 95% intervals contain the mean at a false positive rate of
    0.1, and 64% at 0.5.
    The band has a fixed width, to hold in the corners too (Campbell 1994): half of it
    is the quantile of the largest deviation of the mean curve, by the Gaussian
    multiplier bootstrap over folds, over the root of chi2 / df. Its expectation is the
    mean curve of folds of this size.

    R: ``approx`` on each fold's curve, ``t.test`` at each place.

    References
    ----------
    .. [1] Fawcett, T. (2006). Pattern Recognition Letters 27, 861-874, sec. 8.
    .. [2] Campbell, G. (1994). Statistics in Medicine 13, 499-508.
    .. [3] Chernozhukov, V., Chetverikov, D., Kato, K. (2013). Annals of Statistics 41,
       2786-2819.
    .. [4] Macskassy, S., Provost, F. (2004). Confidence bands for ROC curves. ROCAI.
    .. [5] Drummond, C., Holte, R. C. (2006). Machine Learning 65, 95-130.

    Examples
    --------
    >>> import pycompare as pc
    >>> cases = pc.example("predictions")
    >>> curve = pc.mean_curve(cases, algorithm="LDA", dataset="g1")
    >>> print(f"mean area {curve.area.estimate:.3f}, band +- {curve.half_width:.3f}")
    mean area 0.816, band +- 0.195
    """
    check_level(level)
    _check_words(kind, average, interpolation)
    if average == "threshold" and (seed is not None or draws is not None):
        raise InputError("seed and draws are for the band of average='vertical'")
    draws = 4000 if draws is None else draws
    if not is_whole(draws) or draws < 1:
        raise InputError(setting("draws", draws) + ": give 1 or more")
    if seed is not None:
        check_seed(seed)
    name = _one_of("algorithm", algorithm, predictions.algorithms)
    blocks = blocks_of(predictions, dataset)
    groups, counted = _counted_groups(predictions, name, blocks)
    lines = _fold_lines(counted, kind, interpolation)
    seed = seed or 0
    notes: list[str] = []
    if average == "threshold":
        table, half = _by_threshold(counted), math.nan
        method = "mean of the points of each threshold"
    else:
        table, half, notes = _by_place(lines, kind, level, seed, draws)
        method = "mean of the heights at each place"
    if interpolation or kind == "pr":
        method += f", {interpolation or 'trapezoid'}"
    rows = _group_rows(predictions, name, groups)
    area = _mean_area(lines, kind, level, rows)
    notes += [_SHARED if len(groups) > 1 else _ONE_FOLD]
    notes += below_chance(area.estimate) if kind == "roc" else ()
    return MeanCurve(
        algorithm=name,
        kind=kind,
        average=average,
        table=table,
        area=area,
        level=level,
        half_width=half,
        seed=seed,
        draws=draws,
        folds=tuple(predictions.blocks[b] for b in groups),
        left_out=len(blocks) - len(groups),
        method=method,
        reference="Fawcett (2006) Pattern Recognit. Lett. 27, 861-874; Campbell (1994) "
        "Stat. Med. 13, 499-508",
        notes=tuple(notes),
        lines=lines,
        counted=counted,
        arguments={**rows, "level": level},
    )


def _check_words(kind: str, average: str, interpolation: str | None) -> None:
    """Reject unknown words, and words that belong to another kind."""
    check_word("kind", kind, _AXES)
    check_word("average", average, get_args(Average))
    if average == "threshold" and kind != "roc":
        raise InputError(f"average='threshold' is for kind='roc', not {kind!r}")
    if interpolation is not None and kind != "pr":
        raise InputError(f"interpolation is for kind='pr', not {kind!r}; leave it out")
    if interpolation is not None and interpolation not in curve_lines.PR:
        words = ", ".join(curve_lines.PR)
        raise InputError(f"interpolation={interpolation!r}: choose one of {words}")


def _one_of(what: str, name: str | None, names: tuple[str, ...]) -> str:
    """Return the name given, or the only one."""
    if name is None and len(names) == 1:
        return names[0]
    if name is None:
        raise InputError(
            f"there are {len(names)} {what}s, {show_all(names)}: name one, {what}=..."
        )
    label_positions(what, [name], names)
    return name


def blocks_of(predictions: Predictions, dataset: str | None) -> list[int]:
    """Return the blocks of one data set, or all if no data sets are named."""
    predictions.require_one_run()
    if predictions.datasets is None:
        if dataset is not None:
            raise InputError(
                f"dataset={show(dataset)}: these predictions name no data sets"
            )
        return list(range(predictions.n_blocks))
    chosen = _one_of("dataset", dataset, tuple(dict.fromkeys(predictions.datasets)))
    return [b for b, name in enumerate(predictions.datasets) if name == chosen]


def _counted_groups(
    predictions: Predictions, algorithm: str, blocks: list[int]
) -> tuple[list[int], cumulative_counts.Steps]:
    """Return the blocks that have both classes, and their counts."""
    parts = {b: predictions.rows(predictions.blocks[b], algorithm) for b in blocks}
    positive = predictions.is_positive
    kept = [b for b, rows in parts.items() if np.unique(positive[rows]).size > 1]
    if not kept:
        raise InputError(
            f"algorithm={show(algorithm)} has no block with cases of both classes"
        )
    sizes = [parts[b].stop - parts[b].start for b in kept]
    return kept, cumulative_counts.steps(
        np.concatenate([predictions.score[parts[b]] for b in kept]),
        np.concatenate([predictions.is_positive[parts[b]] for b in kept]),
        np.concatenate([[0], np.cumsum(sizes)]),
    )


def _group_rows(
    predictions: Predictions, algorithm: str, blocks: list[int]
) -> dict[str, Any]:
    """Return truth, score and fold of each row."""
    parts = [predictions.rows(predictions.blocks[b], algorithm) for b in blocks]
    truth = [predictions.is_positive[rows] for rows in parts]
    return {
        "truth": np.concatenate(truth).astype(float),
        "score": np.concatenate([predictions.score[rows] for rows in parts]),
        "fold": np.repeat(np.arange(len(parts)) + 1.0, [len(part) for part in truth]),
    }


def _fold_lines(
    counted: cumulative_counts.Steps, kind: CurveKind, interpolation: str | None
) -> tuple[Line, ...]:
    """Return the curve of each fold."""
    line_of = {
        "roc": curve_lines.roc,
        "pr": curve_lines.PR[interpolation or "trapezoid"],
        "cost": curve_lines.least_cost,
    }[kind]
    return tuple(
        line_of(*curve_lines.counts(counted, g)) for g in range(counted.n_groups)
    )


def _by_place(
    lines: tuple[Line, ...], kind: CurveKind, level: float, seed: int, draws: int
) -> tuple[pd.DataFrame, float, list[str]]:
    """Average heights; return vertices with limits, half the band, and notes."""
    at, distinct = polylines.common_axis(lines, MOST)
    values = np.stack([polylines.heights(line, at) for line in lines])
    mean = values.mean(axis=0)
    reach, half = np.full(mean.shape, math.nan), math.nan
    if len(lines) > 1:
        reach = polylines.t_half_widths(values, level)
        rng = np.random.default_rng(seed)
        half = polylines.fixed_half_width(values, level, rng, draws)
    x, y = _AXES[kind]
    table = pd.DataFrame({x: np.repeat(at, 2), y: mean})
    for name, width in (("conf", reach), ("band", half)):
        table[f"{name}_low"] = np.maximum(mean - width, 0.0)
        table[f"{name}_high"] = np.minimum(mean + width, 1.0)
    notes = [_THINNED.format(at.size, distinct)] if at.size < distinct else []
    if len(lines) > 1 and np.isnan(reach[1:-1]).any():  # ends agree by definition
        notes.append(_AGREE)
    return table, half, notes


def _by_threshold(counted: cumulative_counts.Steps) -> pd.DataFrame:
    """Average the points of each distinct score, the largest first."""
    scores = np.unique(counted.score)[::-1]
    if scores.size > MOST:
        kept = np.linspace(0, scores.size - 1, MOST).round().astype(int)
        scores = scores[kept]
    counts = cumulative_counts.counts_at(counted, scores)
    table = pd.DataFrame(
        {
            "fpr": np.r_[0.0, rates.fpr(counts).mean(axis=0)],
            "tpr": np.r_[0.0, rates.tpr(counts).mean(axis=0)],
        }
    )
    return table.assign(**dict.fromkeys(LIMITS, math.nan))


LIMITS = ("conf_low", "conf_high", "band_low", "band_high")


def _mean_area(
    lines: tuple[Line, ...], kind: CurveKind, level: float, rows: dict[str, Any]
) -> Estimate:
    """Return the mean area of the folds with its interval."""
    areas = np.array([polylines.area(line) for line in lines])
    n, name = len(areas), _AREAS[kind]
    if n == 1 and kind == "roc" and min(np.bincount(rows["truth"].astype(int))) > 1:
        return auc_interval(rows["truth"], rows["score"], positive=1, level=level)
    mean, error = float(areas.mean()), math.nan
    notes: tuple[str, ...] = ("one fold: no interval",) if n == 1 else ()
    if n > 1 and np.ptp(areas) > 0:
        error = float(areas.std(ddof=1)) / math.sqrt(n)
    elif n > 1:
        notes = (_ALIKE,)
    half = student.isf((1 - level) / 2, n - 1) * error if n > 1 else math.nan
    return Estimate(
        name=f"mean {name} of folds" if n > 1 else name,
        estimate=mean,
        conf_low=float(np.maximum(mean - half, 0.0)),
        conf_high=float(np.minimum(mean + half, 1.0)),
        level=level,
        method="t of the areas of folds",
        notes=notes,
    )
