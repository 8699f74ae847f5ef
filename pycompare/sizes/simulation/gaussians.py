"""Two classes of normal features, and classifiers trained on them (Maloof 2002).

Nine independent features have mean 0 in the negative class and 1 in the positive one,
and one standard deviation, which makes the Mahalanobis distance d'.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from pycompare.base.typing import Bools, Floats, Singles

FEATURES = 9


class NormalClasses(NamedTuple):
    """Two normal classes.

    Attributes
    ----------
    d_prime : float
        Mahalanobis distance of their means.
    n : int
        Training cases of each class; a test set has a quarter of that.
    """

    d_prime: float
    n: int

    @property
    def sd(self) -> float:
        """Standard deviation of each feature."""
        return math.sqrt(FEATURES) / self.d_prime

    @property
    def truth(self) -> Bools:
        """Classes of a test set, positive cases first."""
        m = self.n // 4
        return np.arange(2 * m) < m

    def draw(self, rng: np.random.Generator, *sets: int, n: int) -> Singles:
        """Draw sets of n positive, then n negative cases: (*sets, 2 n, features)."""
        x = rng.standard_normal((*sets, 2 * n, FEATURES), dtype=np.float32)
        x *= np.float32(self.sd)
        x[..., :n, :] += 1
        return x

    def study(self, rng: np.random.Generator, sets: int) -> tuple[Singles, Singles]:
        """Draw training sets and one test set."""
        return self.draw(rng, sets, n=self.n), self.draw(rng, n=self.n // 4)


def naive_bayes(known: Singles, x: Singles) -> Floats:
    """Return the log odds of the positive class by Gaussian naive Bayes.

    Parameters
    ----------
    known : ndarray, shape (sets, 2 n, features)
        Training sets, positive cases first.
    x : ndarray, shape (cases, features)

    Returns
    -------
    ndarray, shape (sets, cases)
    """
    n = known.shape[1] // 2
    training = known.astype(float)
    log_densities = []
    for part in (training[:, :n], training[:, n:]):
        mean, variance = part.mean(axis=1), part.var(axis=1, ddof=1)
        z = (x - mean[:, None]) ** 2 / variance[:, None]
        log_densities.append(
            -(z.sum(axis=-1) + np.log(variance).sum(axis=-1)[:, None]) / 2
        )
    return np.asarray(log_densities[0] - log_densities[1])


def neighbours(known: Singles, x: Singles, k: int) -> tuple[Floats, Floats]:
    """Return ratings of the nearest neighbour and of k nearest neighbours.

    Parameters
    ----------
    known : ndarray, shape (2 n, features)
        A training set, positive cases first.
    x : ndarray, shape (cases, features)
    k : int

    Returns
    -------
    nearest : ndarray, shape (cases,)
        Distance to the nearest negative case less that to the nearest positive one.
    votes : ndarray, shape (cases,)
        Positive cases among the k nearest.
    """
    n = len(known) // 2
    # One product gives the squared distances, less those of x from the origin.
    left = np.column_stack([-2 * x, np.ones(len(x), x.dtype)])
    square = left @ np.column_stack([known, np.sum(known * known, axis=1)]).T
    last = np.partition(square, k - 1, axis=1)[:, k - 1]
    own = np.sum(x * x, axis=1)
    positive, negative = (
        np.sqrt(np.maximum(square[:, part].min(axis=1) + own, 0))
        for part in (slice(n), slice(n, None))
    )
    votes = np.count_nonzero(square[:, :n] <= last[:, None], axis=1)
    return (negative - positive).astype(float), votes.astype(float)
