"""Ellipses in the plane of two responses: of the points, and of their mean.

An ellipse is a centre, a root R of the covariance (S = R R') and a radius r: the points
``centre + r R u``, u on the unit circle. Responses are brought to one size before
anything is squared, so that one in 1e-9 units beside one in 1e9 units keeps its digits.
A covariance of rank 1 makes a segment, one of rank 0 a point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from pycompare.base.typing import Floats
from pycompare.kernels import student
from pycompare.kernels.ranks import TIE_ULPS
from pycompare.kernels.sscp import centred, mean


@dataclass(frozen=True, eq=False)
class Spread:
    """Mean and covariance of points in the plane.

    Attributes
    ----------
    centre : ndarray, shape (..., 2)
    root : ndarray, shape (..., 2, 2)
        ``root root'`` is the sample covariance (denominator n - 1); a column is exactly
        0 if only rounding is left.
    rank : ndarray of int, shape (...)
        Of the covariance.
    n : int
        Number of points.
    """

    centre: Floats
    root: Floats
    rank: NDArray[np.int_]
    n: int


def spread(points: ArrayLike, magnitude: ArrayLike | None = None) -> Spread:
    """Return mean and covariance of points (..., n, 2).

    Parameters
    ----------
    points : array_like, shape (..., n, 2)
        Finite numbers.
    magnitude : array_like, shape (..., 2), optional
        Size of the numbers that the points were computed from, whose last places are
        their noise; by default that of the points.
    """
    given = np.asarray(points, float)
    size = np.abs(given).max(axis=-2) if magnitude is None else np.asarray(magnitude)
    exponent = np.frexp(size)[1]
    small = np.ldexp(given, -exponent[..., None, :])
    noise = TIE_ULPS * np.finfo(float).eps * np.ldexp(size, -exponent)
    axes, length = _standard_axes(centred(small), noise)
    n = given.shape[-2]
    scale = np.ldexp(length / math.sqrt(max(n - 1, 1)), exponent)
    return Spread(
        centre=np.ldexp(mean(small, -2)[..., 0, :], exponent),
        root=scale[..., :, None] * axes,
        rank=np.any(axes != 0, axis=-2).sum(axis=-1),
        n=n,
    )


def _standard_axes(rest: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Return axes of responses of length 1, (..., 2, 2), and their lengths (..., 2)."""
    constant = np.abs(rest).max(axis=-2) <= noise
    rest = np.where(constant[..., None, :], 0.0, rest)
    length = np.where(constant, 1.0, np.linalg.norm(rest, axis=-2))
    standard = rest / length[..., None, :]
    # A row of zeros, so that a single point has two singular values too.
    rows = np.concatenate([standard, np.zeros_like(standard[..., :1, :])], axis=-2)
    _, d, vt = np.linalg.svd(rows, full_matrices=False)
    n = rest.shape[-2]
    floor = math.sqrt(n) * np.where(constant, 0.0, noise / length).max(axis=-1)
    d = np.where(d <= floor[..., None], 0.0, d)
    return vt.mT * d[..., None, :], length


def normal_radius(level: float, rank: int) -> float:
    """Return r of the contour that holds ``level`` of a normal distribution.

    Notes
    -----
    R: ``sqrt(qchisq(level, rank))``; with rank 2 it is sqrt(-2 log(1 - level)).
    """
    if rank == 0:
        return 0.0
    # chi2 on nu degrees of freedom is twice a gamma variable of shape nu / 2.
    return math.sqrt(2 * float(special.gammaincinv(rank / 2, level)))


def pooled(spreads: Sequence[Spread], points: Sequence[Floats]) -> list[Spread]:
    """Return spreads with the covariance within all groups of points together.

    The denominator is the number of points less that of groups; ``rank`` is that of the
    pooled covariance. There must be more points than groups.
    """
    rest = [p - s.centre for p, s in zip(points, spreads, strict=True)]
    together = np.concatenate(rest)
    size = np.abs(np.concatenate(points)).max(axis=0)
    within = spread(together, size)
    df = len(together) - len(spreads)
    root = within.root * math.sqrt((len(together) - 1) / df)
    return [replace(s, root=root, rank=within.rank) for s in spreads]


def mean_radius(alpha: float, n: int, rank: int, df: int | None = None) -> float:
    """Return r of the confidence region of the mean of n points.

    A point lies outside exactly when Hotelling's T2 rejects it as the mean at
    ``alpha``: r^2 = rank df / (n (df - rank + 1)) F, F on (rank, df - rank + 1).
    ``df`` is that of the covariance, n - 1 by default; more if it is pooled.

    Notes
    -----
    R: ``sqrt(rank * df / (n * (df - rank + 1)) * qf(alpha, rank, df - rank + 1,
    lower.tail = FALSE))``.
    """
    if rank == 0:
        return 0.0
    df = n - 1 if df is None else df
    # With rank 1 Hotelling's T2 is the square of t.
    if rank == 1:
        return student.isf(alpha / 2, df) / math.sqrt(n)
    # F on (2, m): its tail is (1 + 2 F / m)^(-m / 2).
    return math.sqrt(df / n * math.expm1(-2 * math.log(alpha) / (df - 1)))


def outline(
    centre: ArrayLike, root: ArrayLike, radius: ArrayLike, count: int = 181
) -> Floats:
    """Return points (..., count, 2) around an ellipse, the last one the first.

    An odd ``count`` has both ends of a segment among them.
    """
    angles = np.linspace(0.0, 2 * np.pi, count)
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
    around = circle @ np.asarray(root, float).mT
    reach = np.asarray(radius, float)[..., None, None]
    points: Floats = np.asarray(centre, float)[..., None, :] + reach * around
    return points
