"""Minimum covariance determinant: the half of some points that lies closest together.

FAST-MCD (Rousseeuw and Van Driessen 1999): from random starts of p + 1 points the half
nearest to the present mean, by the present covariance, takes the place of the points,
which never enlarges the determinant (a C-step). Starts of p + 1 points find smaller
determinants than starts of random halves.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.typing import Bools, Floats

_STARTS, _FIRST_STEPS, _BEST, _STEPS = 500, 2, 10, 200
_NUMBERS = 2_000_000
"""That are worked on at once."""
_RIDGE = 1e-12
"""Keeps covariances of tied points regular; whitened points have variance 1."""


def closest_half(z: Floats, half: int, rng: np.random.Generator) -> Bools:
    """Return which of whitened points (n, p) have the least determinant, ``half``."""
    n, p = z.shape
    first = np.array([rng.choice(n, p + 1, replace=False) for _ in range(_STARTS)])
    size = max(1, _NUMBERS // (n * p))
    halves = []
    for start in range(0, _STARTS, size):
        chosen: NDArray[np.intp] = first[start : start + size]
        for _ in range(_FIRST_STEPS):
            chosen = _nearest(z, chosen, half)
        halves.append(chosen)
    candidates = np.concatenate(halves)
    best = np.argsort(_log_determinants(z, candidates), kind="stable")[:_BEST]
    chosen = candidates[best]
    for _ in range(_STEPS):
        nearer = _nearest(z, chosen, half)
        if np.array_equal(nearer, chosen):
            break
        chosen = nearer
    inside = np.zeros(n, bool)
    inside[chosen[np.argmin(_log_determinants(z, chosen))]] = True
    return inside


def _moments(z: Floats, chosen: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Return means (s, p) and covariances (s, p, p) of chosen points (s, h)."""
    points = z[chosen]
    mean = points.mean(axis=1)
    rest = points - mean[:, None]
    covariance = rest.mT @ rest / max(points.shape[1] - 1, 1)
    return mean, covariance + _RIDGE * np.eye(z.shape[1])


def _nearest(z: Floats, chosen: NDArray[np.intp], half: int) -> NDArray[np.intp]:
    """Return the half that is nearest by the moments of chosen points, sorted."""
    mean, covariance = _moments(z, chosen)
    rest = z[None] - mean[:, None]
    turned = np.linalg.solve(covariance, rest.mT)
    squares = np.einsum("snp,spn->sn", rest, turned)
    nearest = np.argsort(squares, axis=1, kind="stable")[:, :half]
    return np.sort(nearest, axis=1)


def _log_determinants(z: Floats, chosen: NDArray[np.intp]) -> Floats:
    """Return logarithms of the determinants of chosen points' covariances."""
    return np.asarray(np.linalg.slogdet(_moments(z, chosen)[1])[1])


def consistency(p: int, share: float) -> float:
    """Return the factor of the covariance of the normal share nearest the mean.

    Croux and Haesbroeck (1999); 1 of all.

    Examples
    --------
    >>> round(consistency(2, 0.5), 4), consistency(2, 1.0)
    (3.2589, 1.0)
    """
    if share >= 1:
        return 1.0
    quantile = float(special.chdtri(p, 1 - share))
    return share / float(special.gammainc(p / 2 + 1, quantile / 2))
