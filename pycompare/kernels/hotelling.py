"""Hotelling's T2 of many pairs of mean vectors, data sets or thresholds at once.

T2 = d' S^-1 d / v, with d the difference of two mean vectors, S the covariance matrix
of error and v the variance of a difference if that of error is 1. With residuals
A = Q R and S = A'A / df it is df |d R^-1|^2 / v: neither S nor its inverse is formed.
That is the one eigenvalue of E^-1 H, times df, of an analysis of variance whose
hypothesis has one degree of freedom, and dependent metrics are left out as there;
nearly dependent ones are moved to a basis without that trouble, as there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from pycompare.base.typing import Bools, Floats, Ints
from pycompare.kernels import double_double
from pycompare.kernels.manova import EPS, Triangle, divided, triangle

Samples = Literal["paired", "two-sample", "two-sample-unequal"]


@dataclass(frozen=True, eq=False)
class VectorDifferences:
    """Differences of mean vectors, and the residuals that they are compared with.

    Attributes
    ----------
    mean : ndarray, shape (..., m, p)
    residuals : ndarray, shape (..., m or 1, n, p)
        E = residuals' residuals; 1 if all pairs share their error. Rows of zeros do no
        harm.
    variance : ndarray, shape (..., m)
        Variance of a difference if the variance of error is 1.
    df : ndarray, shape (..., m)
        Degrees of freedom of error.
    groups : pair of ndarray or None
        Degrees of freedom of each of two covariance matrices that may differ, (..., m)
        each; half of the residuals belong to each.
    """

    mean: Floats
    residuals: Floats
    variance: Floats
    df: Floats
    groups: tuple[Floats, Floats] | None = None

    @property
    def hypothesis(self) -> Floats:
        """F with H = F'F, shape (..., m, 1, p)."""
        factor: Floats = (self.mean / np.sqrt(self.variance)[..., None])[..., None, :]
        return factor


@dataclass(frozen=True, eq=False)
class HotellingTests:
    """Hotelling's T2 of m pairs; NaN if a pair could not be tested.

    Attributes
    ----------
    t2, f, df1, df2, p_value : ndarray, shape (..., m)
        ``df1`` is the rank; F on (df1, df2) is exact for normal scores, but with
        covariance matrices that may differ.
    df : ndarray, shape (..., m)
        Degrees of freedom of S: df2 = df - df1 + 1.
    rank, total : ndarray of int, shape (..., m)
        Rank of the residuals, and of residuals and difference together: if it is
        larger, a difference has no error to be compared with.
    kept : ndarray of bool, shape (..., m, p)
        The metrics that do not depend on those before them.
    direction : ndarray, shape (..., m, p)
        w = S^-1 d: of all combinations of the metrics it has the largest t, t^2 = T2.
        0 for the metrics left out.
    deviation : ndarray, shape (..., m, p)
        Standard deviation of error of each metric.
    """

    t2: Floats
    f: Floats
    df1: Floats
    df2: Floats
    p_value: Floats
    df: Floats
    rank: Ints
    total: Ints
    kept: Bools
    direction: Floats
    deviation: Floats


def all_pairs(n_algorithms: int) -> tuple[Ints, Ints]:
    """Return the pairs (0, 1), (0, 2), ... as two arrays."""
    first, second = np.triu_indices(n_algorithms, 1)
    return first, second


def hotelling(y: Floats, *, method: Samples = "paired") -> HotellingTests:
    """Compare all pairs of algorithms in many tables.

    Parameters
    ----------
    y : ndarray, shape (..., b, a, p)
        Blocks, algorithms, metrics, each metric in a unit in which squares neither
        overflow nor vanish. NaN in cells that have no score.
    method : {"paired", "two-sample", "two-sample-unequal"}

    Returns
    -------
    HotellingTests
        Of shapes (..., a (a - 1) / 2), pairs in the order of `all_pairs`.
    """
    whole, present = filled(y)
    noise = EPS * np.abs(whole).max(axis=(-3, -2))
    first, second = all_pairs(y.shape[-2])
    of_pairs = differences(whole, present, first, second, method)
    return compare(of_pairs, noise, Rebased(y, first, second, method))


def filled(y: Floats) -> tuple[Floats, Bools]:
    """Return tables (..., b, a, p) without NaN, and which cells had all metrics.

    The others hold the scores of a cell that has: they must not be far from the rest.
    """
    present = np.asarray(~np.isnan(y).any(axis=-1))
    if present.all():
        return y, present
    *_, b, a, p = y.shape
    cells = y.reshape(-1, b * a, p)
    some = present.reshape(-1, b * a).argmax(axis=-1)
    start = cells[np.arange(len(cells)), some].reshape(*y.shape[:-3], 1, 1, p)
    return np.where(present[..., None], y, np.nan_to_num(start)), present


@dataclass(frozen=True, eq=False)
class Rebased:
    """Makes the differences of some pairs again, in another basis of their metrics.

    Attributes
    ----------
    y, first, second, method
        As in `hotelling` and `differences`; ``y`` as it came, for a shift may have
        rounded it.
    """

    y: Floats
    first: Ints
    second: Ints
    method: Samples

    def __call__(self, hard: Bools, basis: Floats) -> VectorDifferences:
        """Return differences of shape (h, 1, p) for the h pairs in ``hard``."""
        whole, here = filled(self.y)
        *tables, pair = np.nonzero(hard)
        both = np.stack([self.first[pair], self.second[pair]], axis=-1)
        at = tuple(table[:, None] for table in tables)
        y = np.moveaxis(whole, -2, -3)[(*at, both)]
        present = np.moveaxis(here, -1, -2)[(*at, both)]
        h, _, b, p = y.shape
        moved = double_double.product(y.reshape(h, 2 * b, p), basis).reshape(h, 2, b, p)
        return differences(
            np.moveaxis(moved, 1, 2),
            np.moveaxis(present, 1, 2),
            *all_pairs(2),
            self.method,
        )


def differences(
    y: Floats, present: Bools, first: Ints, second: Ints, method: Samples
) -> VectorDifferences:
    """Return the differences of pairs (first, second) in scores (..., b, a, p).

    ``present`` (..., b, a) shows which cells have scores; the others must be finite.
    """
    if method == "paired":
        return paired(y, present, first, second)
    return _two_sample(y, present, first, second, equal=method == "two-sample")


def paired(y: Floats, present: Bools, first: Ints, second: Ints) -> VectorDifferences:
    """Return mean differences over the blocks that both algorithms of a pair have."""
    both = (present[..., first] & present[..., second]).mT
    d = np.moveaxis(y[..., first, :] - y[..., second, :], -3, -2)
    mean, rest = _centred(d, both)
    k = both.sum(axis=-1)
    with np.errstate(divide="ignore"):
        # Yildiz et al. (2011), eq. 2: T2 = k d' S^-1 d on k - 1 degrees of freedom.
        return VectorDifferences(mean, rest, 1.0 / k, k - 1.0)


def _two_sample(
    y: Floats, present: Bools, first: Ints, second: Ints, *, equal: bool
) -> VectorDifferences:
    """Return differences of means of two samples, with equal covariances or not."""
    mean, rest = _centred(np.moveaxis(y, -3, -2), present.mT)
    n = present.sum(axis=-2).astype(float)
    n1, n2 = n[..., first], n[..., second]
    with np.errstate(divide="ignore", invalid="ignore"):
        # Aslan (2009), eq. 4.82-4.83: T2 = n1 n2 / (n1 + n2) D2, S pooled.
        variance, df = 1 / n1 + 1 / n2, n1 + n2 - 2
        weights = [np.sqrt(df / variance / (m * (m - 1))) for m in (n1, n2)]
    parts = [rest[..., first, :, :], rest[..., second, :, :]]
    if not equal:
        # So that E / df is the mean of both covariance matrices, weighted by 1/n.
        parts = [
            part * np.where(np.isfinite(weight), weight, 1.0)[..., None, None]
            for part, weight in zip(parts, weights, strict=True)
        ]
    return VectorDifferences(
        mean=mean[..., first, :] - mean[..., second, :],
        residuals=np.concatenate(parts, axis=-2),
        variance=variance,
        df=df,
        groups=None if equal else (n1 - 1, n2 - 1),
    )


def _centred(y: Floats, present: Bools) -> tuple[Floats, Floats]:
    """Return means of rows (..., n, p) and the rest; 0 in rows not present.

    The mean of no rows is NaN, and so is then all that is made of it.
    """
    here = present[..., None]
    count = here.sum(axis=-2, keepdims=True).astype(float)
    count[count == 0] = np.nan
    mean = np.where(here, y, 0.0).sum(axis=-2, keepdims=True) / count
    rest = np.where(here, y - mean, 0.0)
    # The second pass takes away what rounding left in the first.
    left = rest.sum(axis=-2, keepdims=True) / count
    return (mean + left)[..., 0, :], np.where(here, rest - left, 0.0)


def compare(
    differences: VectorDifferences,
    noise: Floats,
    rebased: Callable[[Bools, Floats], VectorDifferences],
) -> HotellingTests:
    """Return Hotelling's T2 of pairs.

    Parameters
    ----------
    differences : VectorDifferences
    noise : ndarray, shape (..., p)
        Rounding of the scores of each metric, in its unit.
    rebased : callable
        Makes the differences of the pairs whose metrics are nearly dependent, given
        which they are, (..., m), and a basis for each, (h, p, p).
    """
    noise = np.broadcast_to(noise[..., None, :], differences.mean.shape)
    error = triangle(
        differences.residuals, noise[..., : differences.residuals.shape[-3], :]
    )
    kept = np.broadcast_to(error.kept, differences.mean.shape)
    rank = kept.sum(axis=-1)
    total = _total_rank(differences, rank, noise)
    t2, df, direction = _solved(differences, error)
    hard = np.broadcast_to(~error.comfortable, rank.shape)
    if hard.any():
        shape = (*rank.shape, *error.r.shape[-2:])
        basis = np.broadcast_to(error.basis(), shape)[hard]
        again = rebased(hard, basis)
        rows = again.residuals
        exact = np.zeros((*rows.shape[:-2], rows.shape[-1]))
        parts = _solved(again, triangle(rows, exact))
        t2[hard], df[hard] = parts[0][:, 0], parts[1][:, 0]
        direction[hard] = (basis @ parts[2].mT)[..., 0]
    short = rank < kept.shape[-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        df2 = df - rank + 1
        # Where residuals have as many dimensions as degrees of freedom, metrics that
        # depend on each other cannot be told from too few blocks.
        bad = (
            (rank == 0)
            | (total > rank)
            | (short & (rank >= differences.df))
            | ~(df2 > 0)
        )
        t2 = np.where(bad, np.nan, t2)
        # Yildiz et al. (2011), eq. 3, and Aslan (2009), eq. 4.84, for any df of S.
        f = t2 * df2 / (df * rank)
        squares = np.einsum(
            "...np,...np->...p", differences.residuals, differences.residuals
        )
        deviation = np.sqrt(squares / differences.df[..., None])
    return HotellingTests(
        t2=t2,
        f=f,
        df1=np.where(bad, np.nan, rank),
        df2=np.where(bad, np.nan, df2),
        p_value=special.fdtrc(rank, df2, f),
        df=df,
        rank=rank,
        total=total,
        kept=kept,
        direction=np.where(bad[..., None], np.nan, direction * kept),
        deviation=deviation,
    )


def _solved(
    differences: VectorDifferences, error: Triangle
) -> tuple[Floats, Floats, Floats]:
    """Return T2, the degrees of freedom of S, and w = S^-1 d."""
    white = divided(differences.mean[..., None, :], error)[..., 0, :]
    half = np.linalg.solve(error.r, white[..., None])[..., 0] / error.norms
    with np.errstate(divide="ignore", invalid="ignore"):
        # T2 = d' (E / df)^-1 d / v, with E = R'R and white = d R^-1.
        t2 = differences.df / differences.variance * np.square(white).sum(axis=-1)
    if differences.groups is None:
        return t2, differences.df.copy(), differences.df[..., None] * half
    # Yildiz et al. (2011), eq. 5: w = S^-1 d.
    return t2, _welch_df(differences, error), differences.df[..., None] * half


def _total_rank(differences: VectorDifferences, rank: Ints, noise: Floats) -> Ints:
    """Return the rank of residuals and difference together."""
    total = rank.copy()
    short = rank < differences.mean.shape[-1]
    if short.any():
        n, p = differences.residuals.shape[-2:]
        rows = np.broadcast_to(differences.residuals, (*rank.shape, n, p))[short]
        with np.errstate(invalid="ignore"):
            hypothesis = np.nan_to_num(differences.hypothesis[short])
        both = triangle(np.concatenate([hypothesis, rows], axis=-2), noise[short])
        total[short] = both.kept.sum(axis=-1)
    return total


def _welch_df(differences: VectorDifferences, error: Triangle) -> Floats:
    """Return the degrees of freedom of a sum of two covariance matrices.

    nu = (p + p^2) / sum over i of (tr((V_i S^-1)^2) + tr(V_i S^-1)^2) / (n_i - 1), by
    Krishnamoorthy and Yu (2004): Nel and van der Merwe's, made invariant.
    """
    assert differences.groups is not None
    white = divided(differences.residuals, error)
    rank = error.kept.sum(axis=-1)
    half = white.shape[-2] // 2
    spread = np.zeros(rank.shape)
    for part, df in zip(
        (white[..., :half, :], white[..., half:, :]), differences.groups, strict=True
    ):
        g = part.mT @ part
        trace = np.trace(g, axis1=-2, axis2=-1)
        with np.errstate(divide="ignore", invalid="ignore"):
            # Krishnamoorthy & Yu (2004): tr(G^2) + tr(G)^2 with G = V_i S^-1.
            spread += (np.square(g).sum(axis=(-2, -1)) + np.square(trace)) / df
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((rank + np.square(rank)) / spread)


def critical(df1: Floats, df2: Floats, alpha: float) -> Floats:
    """Return the value that T2 exceeds with probability alpha, on df = df2 + df1 - 1.

    All combinations of the metrics together lie within its square root times their
    standard errors.
    """
    # The quantile of 1/F at alpha: 1 - alpha would cost digits.
    f = 1 / special.fdtri(df2, df1, alpha)
    # T2 = df1 df / df2 F: eq. 3 of Yildiz et al. (2011) the other way round.
    return np.asarray(df1 * (df2 + df1 - 1) / df2 * f)
