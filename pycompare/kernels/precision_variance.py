"""Variance and effective size of an average precision."""

from __future__ import annotations

import numpy as np

from pycompare.base.typing import Floats, Ints
from pycompare.kernels.cumulative_counts import Steps


def variance(steps: Steps) -> Floats:
    """Return the variance of each group's average precision; NaN for a class of one.

    Every case has an influence: the gain in average precision if the case counts a
    little more within its class. The variance is the sum over both classes of the
    squares about their mean, times n/(n - 1), as DeLong's is for the AUC.
    """
    gained, lost = (c - steps.before(c) for c in (steps.tp, steps.fp))
    called = (steps.tp + steps.fp).astype(float)
    precision = steps.tp / called
    # A case counts at its own step and at all later ones.
    of_positive = precision + _from_here(steps, gained * steps.fp / called**2)
    of_negative = -_from_here(steps, gained * steps.tp / called**2)
    n = steps.positives.astype(float)
    sides = ((gained, of_positive, n), (lost, of_negative, steps.negatives))
    squares = [_squares(steps, *side) for side in sides]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((squares[0] + squares[1]) / n**2)


def _from_here(steps: Steps, terms: Floats) -> Floats:
    """Add up the terms of a step and of all later ones of its group."""
    total = np.cumsum(terms[::-1])[::-1]
    after = np.append(total, 0.0)[steps.offsets[1:]]
    return np.asarray(total - after[steps.group])


def _squares(steps: Steps, times: Ints, influence: Floats, n: Floats | Ints) -> Floats:
    """Return n/(n - 1) times the squares about the mean of the cases of one class."""
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = steps.sums(times * influence) / n
        squares = steps.sums(times * (influence - mean[steps.group]) ** 2)
        return np.where(np.asarray(n) > 1, squares * (n / (n - 1.0)), np.nan)


def _least_size(n_positive: int) -> float:
    """Return the effective size of an average precision near 1: n1 / (1 + ... + 1/n1).

    A negative case above all n1 positive ones takes (1 + 1/2 + ... + 1/n1) / n1 of the
    average precision away, or nearly so much, and one event of this size, rare as it
    is, makes the variance that of so many cases.
    """
    return n_positive / float(np.sum(1 / np.arange(1, n_positive + 1)))


def effective_size(area: Floats, variances: Floats, n_positive: int) -> Floats:
    """Return the numbers of right or wrong cases with the variances of areas.

    1 / n = (1 - w) V / (A (1 - A)) + w / L with L = ``_least_size`` and
    w = 1 / (1 + L A (1 - A))^2. Without estimated variance (V = 0, or NaN for a class
    of one case), and for an area of 0 or 1, it is L.
    """
    least = _least_size(n_positive)
    spread = area * (1 - area)
    known = (variances > 0) & (spread > 0)
    weight = 1 / (1 + least * spread) ** 2
    own = np.where(known, variances, 1.0) / np.where(known, spread, 1.0)
    size = 1 / ((1 - weight) * own + weight / least)
    return np.where(known, size, least)
