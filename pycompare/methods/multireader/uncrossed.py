"""Designs in which not every reader reads with every modality.

The mean figure of modality i is that of its readers. For two modalities with r and r'
readers, m of them common, the covariance of the means over readers and cases is

    m / (r r') S + C,

with C the mean covariance over cases of cells of different readers (Cov2 within a
modality, Cov3 between two), and S the covariance of figures within readers, whose
expectation holds the rest. With all readers in common m / (r r') S is the sample
covariance over r, and with unbiased covariances this is the one-shot estimate of Gallas
(2006); with none in common S drops out. Readers nested in modalities and any incomplete
table are special cases, and so is the factorial design.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.typing import Floats
from pycompare.methods.multireader.covariances import ReaderCells
from pycompare.methods.multireader.error_terms import Model
from pycompare.methods.multireader.findings import (
    Findings,
    Means,
    Omnibus,
    f_test,
    root,
)


@dataclass(frozen=True)
class Parts:
    """Covariances of the means of modalities, in parts, shape (t, t).

    Attributes
    ----------
    mean : ndarray, shape (t,)
    readers : ndarray of int, shape (t,)
        Readers of each modality.
    common : ndarray of int, shape (t, t)
        Readers that two modalities have in common.
    between : ndarray, shape (t, t)
        m / (r r') S: from readers, and their own share of the cases.
    shared : ndarray, shape (t, t)
        C: mean covariance over cases of cells of different readers.
    cases : ndarray, shape (t, t)
        Covariances over cases with these readers.
    within : ndarray, shape (t, t)
        S.
    """

    mean: Floats
    readers: NDArray[np.intp]
    common: NDArray[np.intp]
    between: Floats
    shared: Floats
    cases: Floats
    within: Floats


def parts_of(cells: ReaderCells) -> Parts:
    """Return the parts of the covariances of means."""
    there = ~np.isnan(cells.theta)
    t = len(there)
    readers = there.sum(axis=1)
    mean = np.nanmean(cells.theta, axis=1)
    rest = np.where(there, cells.theta - mean[:, None], 0.0)
    common = there.astype(np.intp) @ there.T
    both = np.outer(readers, readers)
    # Expectation of a sum of products of deviations, in units of S.
    factor = common * (1 - 1 / readers[:, None] - 1 / readers[None] + common / both)
    covariance = np.nan_to_num(cells.covariance)
    every = covariance.sum(axis=(1, 3))
    same = np.einsum("ijkj->ik", covariance)
    with np.errstate(divide="ignore", invalid="ignore"):
        within = np.where(factor > 0, rest @ rest.T / factor, np.nan)
        shared = np.where(both > common, (every - same) / (both - common), np.nan)
    between = np.where(common > 0, common / both * within, 0.0)
    assert mean.shape == (t,)
    return Parts(mean, readers, common, between, shared, every / both, within)


def _contrast(square: Floats, i: int, k: int) -> float:
    """Return the variance of a difference from a covariance matrix."""
    return float(square[i, i] + square[k, k] - 2 * square[i, k])


def _pair_error(p: Parts, i: int, k: int, model: Model) -> tuple[float, float]:
    """Return the squared standard error of a difference, and its df."""
    if model.readers == "fixed":
        return _contrast(p.cases, i, k), np.inf
    between = _contrast(p.between, i, k)
    df = _df_between(p, i, k)
    if model.cases == "fixed":
        return between, df
    square = between + max(_contrast(p.shared, i, k), 0.0)
    return square, square**2 / (between**2 / df) if between > 0 else np.inf


def _df_between(p: Parts, i: int, k: int) -> float:
    """Return the df of the part between readers (Satterthwaite).

    That part is a quadratic form of the cells; with G its matrix and Sigma their
    covariance, df = tr(G Sigma)^2 / tr(G Sigma G Sigma). It is r - 1 with all readers
    in common, and Welch's with none.
    """
    ri, rk, m = (int(v) for v in (p.readers[i], p.readers[k], p.common[i, k]))
    both = np.zeros((ri, rk))
    both[range(m), range(m)] = 1.0
    sigma = np.zeros((ri + rk, ri + rk))
    sigma[:ri, :ri] = p.within[i, i] * np.eye(ri)
    sigma[ri:, ri:] = p.within[k, k] * np.eye(rk)
    form = np.zeros_like(sigma)
    form[:ri, :ri] = _centred(ri) / (ri * (ri - 1))
    form[ri:, ri:] = _centred(rk) / (rk * (rk - 1))
    if m:
        sigma[:ri, ri:] = p.within[i, k] * both
        sigma[ri:, :ri] = sigma[:ri, ri:].T
        factor = 1 - 1 / ri - 1 / rk + m / (ri * rk)
        form[:ri, ri:] = -_centred(ri) @ both @ _centred(rk) / (ri * rk * factor)
        form[ri:, :ri] = form[:ri, ri:].T
    product = form @ sigma
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.trace(product) ** 2 / np.sum(product * product.T))


def _centred(n: int) -> Floats:
    """Return the matrix that subtracts a mean."""
    return np.eye(n) - 1 / n


def _one_error(p: Parts, i: int, model: Model) -> tuple[float, float]:
    """Return the squared standard error of one modality's mean, and its df."""
    if model.readers == "fixed":
        return float(p.cases[i, i]), np.inf
    between, df = float(p.between[i, i]), float(p.readers[i] - 1)
    if model.cases == "fixed":
        return between, df
    square = between + max(float(p.shared[i, i]), 0.0)
    return square, square**2 / (between**2 / df) if between > 0 else np.inf


def uncrossed(p: Parts, model: Model) -> Findings:
    """Analyse any design by the covariances of the means of its modalities."""
    t = len(p.mean)
    pairs = list(combinations(range(t), 2))
    errors = np.array([_pair_error(p, i, k, model) for i, k in pairs])
    each = np.array([_one_error(p, i, model) for i in range(t)])
    difference = np.array([p.mean[i] - p.mean[k] for i, k in pairs])
    pair_means = Means(difference, root(errors[:, 0]), errors[:, 1])
    return Findings(
        _omnibus_of(p, pair_means, model),
        Means(p.mean, root(each[:, 0]), each[:, 1]),
        pair_means,
    )


def _omnibus_of(p: Parts, pairs: Means, model: Model) -> Omnibus:
    """Return the test of all modalities, NaN if the design has none."""
    t = len(p.mean)
    if t == 2:
        square = float(pairs.std_error[0]) ** 2
        return f_test(float(pairs.estimate[0]) ** 2, square, 1, float(pairs.df[0]))
    if model.readers == "fixed":
        return _wald(p)
    r = int(p.readers[0])
    others = p.common[~np.eye(t, dtype=bool)]
    if (p.readers != r).any() or others.any():
        return Omnibus("F", np.nan, (t - 1.0, np.nan), np.nan)
    return _nested(p, r, model)


def _nested(p: Parts, r: int, model: Model) -> Omnibus:
    """Test modalities with r readers each: F = MS(T) / D on Hillis' df.

    D = MS(R(T)) + max(r (Cov2 - Cov3), 0) (Hillis 2014, Statistics in Medicine 33,
    330-360).
    """
    t = len(p.mean)
    readers = float(np.mean(np.diag(p.within)))
    own = np.trace(p.shared)
    excess = r * (own / t - (p.shared.sum() - own) / (t * (t - 1)))
    square = readers + (max(excess, 0.0) if model.cases == "random" else 0.0)
    between = r * float(np.var(p.mean, ddof=1))
    df = (square / readers) ** 2 * t * (r - 1) if readers > 0 else np.inf
    return f_test(between, square, t - 1, df)


def _wald(p: Parts) -> Omnibus:
    """Test the means with these readers: a quadratic form of their differences."""
    t = len(p.mean)
    contrasts = np.eye(t)[:-1] - np.eye(t)[1:]
    d = contrasts @ p.mean
    square = contrasts @ p.cases @ contrasts.T
    if np.linalg.matrix_rank(square, hermitian=True) < t - 1:
        return Omnibus("chi2", np.nan, (t - 1.0,), np.nan)
    statistic = float(d @ np.linalg.solve(square, d))
    p_value = float(special.chdtrc(t - 1, statistic))
    return Omnibus("chi2", statistic, (t - 1.0,), p_value)


def components(cells: ReaderCells) -> dict[str, float]:
    """Return the components of variance; nothing is cut at zero.

    Readers and modality x reader are distinguished by readers whom modalities have in
    common, else only their sum is there.
    """
    p = parts_of(cells)
    t, r = cells.theta.shape
    cell = np.arange(t * r)
    modality, reader = np.divmod(cell, r)
    square = cells.covariance.reshape(t * r, t * r)
    same_modality, same_reader = (
        modality[:, None] == modality,
        reader[:, None] == reader,
    )

    def mean(where: NDArray[np.bool_]) -> float:
        values = square[where]
        values = values[~np.isnan(values)]
        return float(values.mean()) if values.size else np.nan

    error, cov1 = mean(same_modality & same_reader), mean(~same_modality & same_reader)
    cov2, cov3 = mean(same_modality & ~same_reader), mean(~same_modality & ~same_reader)
    total = float(np.mean(np.diag(p.within))) - error + cov2
    met = (p.common > 0) & ~np.eye(t, dtype=bool)
    covariances = {"error": error, "Cov1": cov1, "Cov2": cov2, "Cov3": cov3}
    if not met.any():
        return {"reader in modality": total, **covariances}
    alone = float(np.nanmean(p.within[met])) - cov1 + cov3
    return {"reader": alone, "modality x reader": total - alone, **covariances}


def anova(cells: ReaderCells) -> tuple[list[str], Floats, Floats]:
    """Return terms, df and sums of squares: modalities, and readers in them."""
    there = ~np.isnan(cells.theta)
    readers = there.sum(axis=1)
    mean = np.nanmean(cells.theta, axis=1)
    grand = float(np.sum(readers * mean) / readers.sum())
    within = np.nansum((cells.theta - mean[:, None]) ** 2)
    squares = np.array([np.sum(readers * (mean - grand) ** 2), within])
    df = np.array([len(mean) - 1.0, float(np.sum(readers - 1))])
    return ["T", "R(T)"], df, squares
