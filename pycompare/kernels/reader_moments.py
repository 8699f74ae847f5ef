"""Mean squares and covariances of figures of merit by modality and reader.

Obuchowski and Rockette (1995) model the figure of merit of modality i and reader j as
theta_ij = mu + tau_i + R_j + (tau R)_ij + e_ij, where the errors, which come from the
cases, have one variance and three covariances:

    Var   same modality, same reader
    Cov1  same reader, other modality
    Cov2  same modality, other reader
    Cov3  other modality, other reader

Dorfman, Berbaum and Metz (1992) analyse pseudovalues Y_ijk by a three-way analysis of
variance. Its mean squares over n cases are the same numbers in another form (Hillis et
al. 2005, Statistics in Medicine 24, 1579-1607): MS(T)/n, MS(TR)/n are those of theta,
MS(TC)/n = Var - Cov1 + (r - 1)(Cov2 - Cov3), and
(MS(TC) - MS(TRC))/n = r (Cov2 - Cov3), with jackknife covariances.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pycompare.base.typing import Floats


@dataclass(frozen=True)
class Contrast:
    """Mean squares of a comparison of modalities, in squared units of the figure.

    Arrays of any one shape: one element a comparison.

    Attributes
    ----------
    between : ndarray
        Mean square between modalities, MS(T). NaN for one modality.
    readers : ndarray
        Mean square of readers within it: MS(TR), or MS(R) of one modality. NaN with
        one reader.
    cases : ndarray
        n-th part of the pseudovalues' MS(TC): r times the variance that cases alone
        give to the mean over readers.
    excess : ndarray
        n-th part of MS(TC) - MS(TRC): r (Cov2 - Cov3). NaN with one reader.
    """

    between: Floats
    readers: Floats
    cases: Floats
    excess: Floats


@dataclass(frozen=True)
class ReaderMoments:
    """Moments of figures for analyses of readers and modalities and covariances.

    Attributes
    ----------
    theta : ndarray, shape (..., t, r)
        Figures of merit.
    same_reader : ndarray, shape (..., t, t)
        Covariances of two modalities, summed over readers.
    any_readers : ndarray, shape (..., t, t)
        The same, summed over all ordered pairs of readers, equal or not.
    """

    theta: Floats
    same_reader: Floats
    any_readers: Floats


def moments(theta: Floats, covariance: Floats) -> ReaderMoments:
    """Sum covariances over readers.

    Parameters
    ----------
    theta : ndarray, shape (..., t, r)
    covariance : ndarray, shape (..., t, r, t, r)
    """
    return ReaderMoments(
        theta,
        np.einsum("...ijkj->...ik", covariance),
        covariance.sum(axis=(-3, -1)),
    )


def spread(theta: Floats) -> tuple[Floats, Floats, Floats]:
    """Return MS(T), MS(R) and MS(TR) of figures of shape (..., t, r)."""
    t, r = theta.shape[-2:]
    mean = theta.mean(axis=(-2, -1), keepdims=True)
    modality = theta.mean(axis=-1, keepdims=True)
    reader = theta.mean(axis=-2, keepdims=True)
    # Obuchowski & Rockette (1995): analysis of variance of theta_ij.
    rest = theta - modality - reader + mean
    with np.errstate(divide="ignore", invalid="ignore"):
        return (
            r * np.sum((modality - mean) ** 2, axis=(-2, -1)) / (t - 1),
            t * np.sum((reader - mean) ** 2, axis=(-2, -1)) / np.float64(r - 1),
            np.sum(rest**2, axis=(-2, -1)) / np.float64((t - 1) * (r - 1)),
        )


def own_less_other(square: Floats) -> Floats:
    """Return the mean diagonal less the mean off-diagonal element of (..., t, t)."""
    t = square.shape[-1]
    own = np.trace(square, axis1=-2, axis2=-1)
    other = square.sum(axis=(-2, -1)) - own
    return own / t - other / (t * (t - 1))


def all_modalities(moments: ReaderMoments) -> Contrast:
    """Return the comparison of all modalities, covariances averaged over them."""
    r = moments.theta.shape[-1]
    between, _, readers = spread(moments.theta)
    # Hillis et al. (2005): MS(TC) / n, and r (Cov2 - Cov3) as their difference.
    every = own_less_other(moments.any_readers)
    with np.errstate(divide="ignore", invalid="ignore"):
        excess = (every - own_less_other(moments.same_reader)) / np.float64(r - 1)
    return Contrast(between, readers, every / r, excess)


def pairs(moments: ReaderMoments) -> Contrast:
    """Return each pair of modalities separately, shape (..., t (t - 1) / 2).

    Mean squares and covariances are those of the two modalities alone.
    """
    t, r = moments.theta.shape[-2:]
    first, second = np.array(list(combinations(range(t), 2))).T
    d = moments.theta[..., first, :] - moments.theta[..., second, :]
    mean = d.mean(axis=-1)
    rest = d - mean[..., None]

    def halved(square: Floats) -> Floats:
        own = square[..., first, first] + square[..., second, second]
        return own / 2 - square[..., first, second]

    every = halved(moments.any_readers)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Contrast(
            between=r * mean**2 / 2,
            readers=np.sum(rest**2, axis=-1) / 2 / np.float64(r - 1),
            cases=every / r,
            excess=(every - halved(moments.same_reader)) / np.float64(r - 1),
        )


def each_modality(moments: ReaderMoments) -> Contrast:
    """Return each modality separately, shape (..., t); ``excess`` is r Cov2."""
    r = moments.theta.shape[-1]
    own = np.diagonal(moments.same_reader, axis1=-2, axis2=-1)
    every = np.diagonal(moments.any_readers, axis1=-2, axis2=-1)
    rest = moments.theta - moments.theta.mean(axis=-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        return Contrast(
            between=np.full(own.shape, np.nan),
            readers=np.sum(rest**2, axis=-1) / np.float64(r - 1),
            cases=every / r,
            excess=(every - own) / np.float64(r - 1),
        )


@dataclass(frozen=True)
class Components:
    """Obuchowski and Rockette's components of variance; estimates can be negative.

    Attributes
    ----------
    reader, interaction : ndarray
        Variances of readers, and of readers by modality. NaN with one reader.
    error, cov1, cov2, cov3 : ndarray
        Variance and covariances of the errors.
    """

    reader: Floats
    interaction: Floats
    error: Floats
    cov1: Floats
    cov2: Floats
    cov3: Floats


def components(moments: ReaderMoments) -> Components:
    """Estimate the components by equating mean squares to their expectations.

    E MS(R) = t (reader + Cov1 - Cov3) + E MS(TR), and
    E MS(TR) = interaction + Var - Cov1 - Cov2 + Cov3. Nothing is cut at zero here.
    """
    t, r = moments.theta.shape[-2:]
    _, ms_reader, ms_both = spread(moments.theta)
    own = np.trace(moments.same_reader, axis1=-2, axis2=-1)
    other = moments.same_reader.sum(axis=(-2, -1)) - own
    own_any = np.trace(moments.any_readers, axis1=-2, axis2=-1)
    other_any = moments.any_readers.sum(axis=(-2, -1)) - own_any
    with np.errstate(divide="ignore", invalid="ignore"):
        # Means over the pairs of figures that share what the name says.
        error = own / (t * r)
        cov1 = other / np.float64(t * (t - 1) * r)
        cov2 = (own_any - own) / np.float64(t * r * (r - 1))
        cov3 = (other_any - other) / np.float64(t * (t - 1) * r * (r - 1))
        return Components(
            # Obuchowski & Rockette (1995): E MS(R) and E MS(TR), solved.
            reader=(ms_reader - ms_both) / t - cov1 + cov3,
            interaction=ms_both - error + cov1 + cov2 - cov3,
            error=error,
            cov1=cov1,
            cov2=cov2,
            cov3=cov3,
        )


_TERMS = ("T", "R", "C", "TR", "TC", "RC", "TRC")
"""Terms of the analysis of pseudovalues: modality, reader, case and interactions."""


def three_way(y: Floats) -> dict[str, tuple[int, Floats]]:
    """Return degrees of freedom and sums of squares of pseudovalues by term.

    Parameters
    ----------
    y : ndarray, shape (..., t, r, n)
    """
    t, r, n = y.shape[-3:]
    axes = {"T": -3, "R": -2, "C": -1}
    sizes = {"T": t, "R": r, "C": n}
    rest = y - y.mean(axis=(-3, -2, -1), keepdims=True)
    table = {}
    for term in _TERMS:
        gone = tuple(axes[name] for name in axes if name not in term)
        effect = rest.mean(axis=gone, keepdims=True) if gone else rest
        # What is left of an effect is that of this term: the lower ones are taken out.
        rest = rest - effect
        repeats = int(np.prod([sizes[name] for name in axes if name not in term]))
        df = int(np.prod([sizes[name] - 1 for name in term]))
        table[term] = df, repeats * np.sum(effect**2, axis=(-3, -2, -1))
    return table


def of_pseudovalues(y: Floats) -> Contrast:
    """Return the comparison of modalities by the analysis of their pseudovalues.

    Parameters
    ----------
    y : ndarray, shape (..., t, r, n)
    """
    n = y.shape[-1]
    table = three_way(y)

    def mean_square(term: str) -> Floats:
        df, squares = table[term]
        with np.errstate(divide="ignore", invalid="ignore"):
            return squares / np.float64(df) / n

    cases = mean_square("TC")
    return Contrast(
        mean_square("T"), mean_square("TR"), cases, cases - mean_square("TRC")
    )


def pairs_of_pseudovalues(y: Floats) -> Contrast:
    """Return each pair of modalities by the analysis of its own pseudovalues."""
    both = list(combinations(range(y.shape[-3]), 2))
    return of_pseudovalues(np.stack([y[..., pair, :, :] for pair in both], axis=-4))


def each_of_pseudovalues(y: Floats) -> Contrast:
    """Return each modality by the two-way analysis of its own pseudovalues."""
    r, n = y.shape[-2:]
    mean = y.mean(axis=(-2, -1), keepdims=True)
    reader = y.mean(axis=-1, keepdims=True)
    case = y.mean(axis=-2, keepdims=True)
    rest = y - reader - case + mean
    with np.errstate(divide="ignore", invalid="ignore"):
        cases = r * np.sum((case - mean) ** 2, axis=(-2, -1)) / (n - 1) / n
        both = np.sum(rest**2, axis=(-2, -1)) / np.float64((r - 1) * (n - 1)) / n
        return Contrast(
            between=np.full(mean.shape[:-2], np.nan),
            readers=np.sum((reader - mean) ** 2, axis=(-2, -1)) / np.float64(r - 1),
            cases=cases,
            excess=cases - both,
        )
