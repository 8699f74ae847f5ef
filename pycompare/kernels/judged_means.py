"""Means of people's labels on a sample of items that a judge scored in full.

With labels y and judge's scores f of n of N items: two-phase regression, in which one
slope for all algorithms, pooled within items, keeps differences free of contradictions.
The half pseudo-label keeps a variance estimated of few labels away from 0.

References
----------
.. [1] Cochran, W. G. (1977). Sampling Techniques, 3rd ed., sec. 12.6, 5.5.
.. [2] Angelopoulos, A. N., Duchi, J. C., Zrnic, T. (2023). PPI++. arXiv:2311.01453.
.. [3] Agresti, A., Min, Y. (2005). Biometrics 61, 515-523.
.. [4] Bonett, D. G., Price, R. M. (2012). J. Educ. Behav. Stat. 37, 479-488.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pycompare.base.typing import Floats, Ints

_ROUNDING = 1e-12
_LOST_TO_SLOPE = 2
"""Degrees of freedom that a mean and a slope take."""


@dataclass(frozen=True)
class Judged:
    """Items of one stratum.

    Attributes
    ----------
    labels, judge : ndarray, shape (n, K)
        Of the labelled items.
    judge_means : ndarray, shape (K,)
        Over all items.
    items : int
        All items, N.
    """

    labels: Floats
    judge: Floats
    judge_means: Floats
    items: int

    @property
    def n(self) -> int:
        """Labelled items."""
        return len(self.labels)

    @property
    def unlabelled(self) -> float:
        """Share of the items that have no label."""
        return 1 - self.n / self.items


@dataclass(frozen=True)
class StratumVariances:
    """Covariances of estimates, stratum by stratum.

    Attributes
    ----------
    parts : ndarray, shape (strata, K, K)
        With the squared weights of the strata.
    df : ndarray, shape (strata,)
    between : ndarray, shape (K, K)
        What differences between strata add, for items that are a sample.
    """

    parts: Floats
    df: Floats
    between: Floats

    @property
    def total(self) -> Floats:
        """The covariance of the estimates."""
        return np.asarray(self.parts.sum(axis=0) + self.between)

    def of_pairs(self, first: Ints, second: Ints) -> tuple[Floats, Floats]:
        """Return standard errors of differences and their degrees of freedom."""
        v = self.parts
        own = (
            v[:, first, first] + v[:, second, second] - 2 * v[:, first, second]
        ).clip(0)
        error = np.sqrt(own.sum(axis=0) + _of_differences(self.between, first, second))
        return error, _satterthwaite(own, self.df)


@dataclass(frozen=True)
class JudgedFit:
    """Estimates of the mean label of each algorithm.

    Attributes
    ----------
    slope : float
        What a point of the judge is worth in labels; 0 if it has no spread.
    estimates, label_means, judge_means : ndarray, shape (K,)
        With the judge, of the labels only, and of the judge only.
    these, like : StratumVariances
        For these items, and for items like these.
    these_alone, like_alone : ndarray, shape (K, K)
        Covariances of ``label_means``.
    """

    slope: float
    estimates: Floats
    label_means: Floats
    judge_means: Floats
    these: StratumVariances
    like: StratumVariances
    these_alone: Floats
    like_alone: Floats


def _pooled_slope(strata: Sequence[Judged]) -> float:
    """Return the coefficient of f in ``lm(y ~ stratum:item + stratum:model + f)``."""
    cross = square = size = 0.0
    for part in strata:
        y, f = _within_items(part.labels), _within_items(part.judge)
        cross += float((y * f).sum())
        square += float((f * f).sum())
        size += float((part.judge**2).sum())
    # A judge without spread has squares of rounding errors.
    return cross / square if square > _ROUNDING**2 * size else 0.0


def fit(
    strata: Sequence[Judged], *, zero_or_one: bool, slope: float | None = None
) -> JudgedFit:
    """Estimate the mean label of each algorithm.

    Parameters
    ----------
    strata : sequence of Judged
        One: the labelled items are a random sample of all.
    zero_or_one : bool
        Whether every label is 0 or 1: each stratum then has half a pseudo-label.
    slope : float, optional
        A slope that is not estimated: 0 of the labels only.
    """
    if slope is None:
        slope = _pooled_slope(strata)
    total = sum(part.items for part in strata)
    share = np.array([part.items / total for part in strata])
    labels = np.array([part.labels.mean(axis=0) for part in strata])
    judge = np.array([part.judge.mean(axis=0) for part in strata])
    of_all = np.array([part.judge_means for part in strata])
    by_stratum = labels + slope * (of_all - judge)
    estimates = share @ by_stratum
    k = len(estimates)
    pseudo = np.eye(k) / 2 if zero_or_one else np.zeros((k, k))
    these, sampled, alone = [], [], []
    for part in strata:
        y = part.labels - part.labels.mean(axis=0)
        e = y - slope * (part.judge - part.judge.mean(axis=0))
        m = part.n + int(zero_or_one)
        squares = y.T @ y + pseudo
        weight = (part.items / total) ** 2
        left = weight * part.unlabelled / m
        these.append(left * (e.T @ e + pseudo) / (m - _LOST_TO_SLOPE))
        alone.append(left * squares / (m - 1))
        sampled.append(weight * squares / ((m - 1) * part.items))
    apart = by_stratum - estimates
    between = (apart.T * share) @ apart / total
    df = np.array([part.n - _LOST_TO_SLOPE for part in strata], float)
    of_items = np.array(these), np.array(sampled)
    return JudgedFit(
        slope=slope,
        estimates=estimates,
        label_means=share @ labels,
        judge_means=share @ of_all,
        these=StratumVariances(of_items[0], df, np.zeros((k, k))),
        like=StratumVariances(of_items[0] + of_items[1], df, between),
        these_alone=sum(alone, np.zeros((k, k))),
        like_alone=sum(alone, np.zeros((k, k))) + of_items[1].sum(axis=0) + between,
    )


@dataclass(frozen=True)
class MeanLimits:
    """Parts of the interval of each algorithm's mean.

    Attributes
    ----------
    centre : ndarray, shape (K,)
        The middle; of 0/1 labels not the estimate.
    these, like : ndarray, shape (K,)
        Standard errors for these items, and for items like these.
    df_these, df_like : ndarray, shape (K,)
    """

    centre: Floats
    these: Floats
    like: Floats
    df_these: Floats
    df_like: Floats


def mean_limits(
    strata: Sequence[Judged],
    fitted: JudgedFit,
    *,
    zero_or_one: bool,
    scale: tuple[float, float],
) -> MeanLimits:
    """Return the parts of the intervals of means.

    Parameters
    ----------
    strata : sequence of Judged
    fitted : JudgedFit
        Of these strata.
    zero_or_one : bool
        Whether every label is 0 or 1. A sample then has four pseudo-labels of weight
        1/2, at 0 and 1 with either end of ``scale``; a stratum two, at 0 and 1 with its
        own mean of the judge.
    scale : (float, float)
        Least and largest score of the judge.
    """
    total = sum(part.items for part in strata)
    k = len(fitted.estimates)
    parts = [
        _mean_of(part, fitted.slope, _pseudo(part, len(strata), zero_or_one, scale), k)
        for part in strata
    ]
    share = np.array([part.items / total for part in strata])[:, None]
    centres, these, sampled, df = (
        np.array(values) for values in zip(*parts, strict=True)
    )
    centre = (share * centres).sum(axis=0)
    own, of_items = share**2 * these, share**2 * sampled
    between = (share * (centres - centre) ** 2).sum(axis=0) / total
    return MeanLimits(
        centre=centre,
        these=np.sqrt(own.sum(axis=0)),
        like=np.sqrt((own + of_items).sum(axis=0) + between),
        df_these=_satterthwaite(own, df),
        df_like=_satterthwaite(own + of_items, df),
    )


def _pseudo(
    part: Judged, n_strata: int, zero_or_one: bool, scale: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return pseudo-labels and the judge's scores beside them, shape (p, K)."""
    k = part.labels.shape[1]
    if not zero_or_one:
        return np.empty((0, k)), np.empty((0, k))
    if n_strata == 1:
        ends = np.array(scale)[[0, 1, 0, 1]]
        ones = np.ones((1, k))
        return np.array([0.0, 0, 1, 1])[:, None] * ones, ends[:, None] * ones
    middle = part.judge.mean(axis=0)
    return np.array([0.0, 1.0])[:, None] * np.ones((1, k)), np.array([middle, middle])


def _mean_of(
    part: Judged, slope: float, pseudo: tuple[Floats, Floats], k: int
) -> tuple[Floats, Floats, Floats, float]:
    """Return centre, variance of labels, variance of items and df of one stratum."""
    extra = len(pseudo[0])
    weight = np.concatenate([np.ones(part.n), np.full(extra, 0.5)])[:, None]
    y = np.concatenate([part.labels, pseudo[0]])
    f = np.concatenate([part.judge, pseudo[1]])
    m = part.n + extra / 2
    y_mean, f_mean = (weight * y).sum(axis=0) / m, (weight * f).sum(axis=0) / m
    y, f = y - y_mean, f - f_mean
    spread = (weight * f * f).sum(axis=0)
    off = part.judge_means - f_mean
    each = np.full(k, 1 / m)
    b = np.full(k, slope)
    if k == 1 and extra:
        flat = spread <= 0
        safe = np.where(flat, 1.0, spread)
        b = np.where(flat, 0.0, (weight * y * f).sum(axis=0) / safe)
        each = each + np.where(flat, 0.0, off**2 / safe)
    rest = (weight * (y - b * f) ** 2).sum(axis=0) / (m - _LOST_TO_SLOPE)
    squares = (weight * y * y).sum(axis=0) / (m - 1)
    return (
        y_mean + b * off,
        rest * each * part.unlabelled,
        squares / part.items,
        m - _LOST_TO_SLOPE,
    )


def _within_items(x: Floats) -> Floats:
    """Return numbers centred by model, and by item if there are several models."""
    x = x - x.mean(axis=0)
    return x - x.mean(axis=1, keepdims=True) if x.shape[1] > 1 else x


def _of_differences(covariance: Floats, first: Ints, second: Ints) -> Floats:
    """Return variances of differences."""
    c = covariance
    return np.asarray(
        (c[first, first] + c[second, second] - 2 * c[first, second]).clip(0)
    )


def _satterthwaite(variances: Floats, df: Floats) -> Floats:
    """Return the degrees of freedom of sums of variances, shape (strata, ...)."""
    if len(df) == 1:
        return np.full(variances.shape[1:], df[0])
    squares = (variances**2 / df.reshape(-1, *[1] * (variances.ndim - 1))).sum(axis=0)
    return np.asarray(variances.sum(axis=0) ** 2 / squares)
