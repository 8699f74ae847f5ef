"""Jackknife pseudovalues, and covariances of areas that come with them.

The jackknife of an AUC needs no AUC without a case: with V the placements of the
positive cases (V10) and the negative ones (V01),
A(-k) = (n1 A - V10_k) / (n1 - 1) without positive case k. So the pseudovalue
N A - (N - 1) A(-k) is A + (N - 1) (V10_k - A) / (n1 - 1), and likewise for a negative
case (Hanley and Hajian-Tilaki 1997, Academic Radiology 4, 49-58). The same holds for
every mean over one class, whose V is the case's own score.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.typing import Bools, Floats
from pycompare.kernels.concordance import products_of_wins
from pycompare.kernels.placements import (
    DelongAreas,
    delong,
    doubled_placements,
    placements,
    ratio,
)

_MOST_PAIRS = 2**19
"""Pairs of cases that are compared one by one; more are counted by sorting."""
AT_ONCE = 2**22
"""Half pairs held at a time: bounds the memory."""


def _pseudovalues(area: Floats, component: Floats, truth: Bools) -> Floats:
    """Return pseudovalues of a figure that is a mean over each class.

    Parameters
    ----------
    area : ndarray, shape (...)
        The mean of ``component`` over the positive cases, and over the negative ones.
    component : ndarray, shape (..., n)
        Placements, or scores of one class and ``area`` in the other.
    truth : ndarray of bool, shape (..., n)

    Returns
    -------
    ndarray, shape (..., n)
        Their mean is ``area``. Infinite if a class has one case only.
    """
    n = component.shape[-1]
    n_positive = truth.sum(axis=-1, keepdims=True)
    others = np.where(truth, n_positive, n - n_positive) - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        # Hanley & Hajian-Tilaki (1997): A + (N - 1) (V_k - A) / (n_class - 1).
        return area[..., None] + (n - 1) / others * (component - area[..., None])


def auc(label: ArrayLike, score: ArrayLike) -> tuple[Floats, Floats]:
    """Return AUCs and their jackknife pseudovalues.

    Parameters
    ----------
    label : array_like of bool, shape (..., n)
        True for positive cases. Leading axes broadcast.
    score : array_like, shape (..., n)

    Returns
    -------
    area : ndarray, shape (...)
    pseudo : ndarray, shape (..., n)

    Examples
    --------
    >>> area, pseudo = auc([True, True, True, False, False], [3, 2, 0, 1, 0])
    >>> float(area), pseudo.round(3).tolist()
    (0.75, [1.25, 1.25, -0.25, 0.417, 1.083])
    """
    place = placements(label, score)
    truth = np.broadcast_to(np.asarray(label, bool), place.shape)
    doubled = doubled_placements(label, score)
    wins = np.sum(doubled * truth, axis=-1)
    n_positive = truth.sum(axis=-1)
    area = ratio(wins, n_positive, truth.shape[-1] - n_positive)
    return area, _pseudovalues(area, place, truth)


def jackknife_covariance(components: DelongAreas) -> Floats:
    """Return the jackknife covariances of areas: of their pseudovalues, over n.

    (N - 1) / N (S10 / (n1 - 1) + S01 / (n0 - 1)), with S10 and S01 DeLong's
    covariances of placements: the sums of squares of the pseudovalues above, with no
    pseudovalue made.
    """
    n1 = np.asarray(components.n_positive, float)[..., None, None]
    n0 = np.asarray(components.n_negative, float)[..., None, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        # The sums of squares of those pseudovalues over N (N - 1).
        both = components.positive / (n1 - 1) + components.negative / (n0 - 1)
        return np.asarray((n1 + n0 - 1) / (n1 + n0) * both)


def unbiased_covariance(label: ArrayLike, score: ArrayLike) -> Floats:
    """Return the unbiased (one-shot) covariances of AUCs on the same cases.

    The product of two AUCs less the mean product of half pairs that share no case
    (Gallas 2006, Academic Radiology 13, 353-362): for independent cases the second is
    unbiased for the product of their expectations. A variance can be negative. Written
    in DeLong's covariances S10, S01 and the covariance S of half pairs, so that nothing
    large is subtracted:
    n0 S10 / (n1 (n0 - 1)) + n1 S01 / (n0 (n1 - 1)) - S / ((n1 - 1) (n0 - 1)).

    Parameters
    ----------
    label : array_like of bool, shape (n,)
        Two cases of each class at least.
    score : array_like, shape (..., k, n)

    Returns
    -------
    ndarray, shape (..., k, k)
    """
    truth = np.asarray(label, bool)
    x = np.asarray(score, float)
    components = delong(truth, x)
    n1, n0 = int(truth.sum()), int((~truth).sum())
    products = _products_of_pairs(truth, x) / (4 * n1 * n0)
    # S, the covariance of half pairs: the mean product less the product of means.
    products -= components.area[..., :, None] * components.area[..., None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        return (
            components.positive * np.float64(n0) / (n1 * (n0 - 1))
            + components.negative * np.float64(n1) / (n0 * (n1 - 1))
            - products / np.float64((n1 - 1) * (n0 - 1))
        )


def _products_of_pairs(truth: Bools, x: Floats) -> Floats:
    """Return, for two scores, the sum of products of their doubled wins, pair by pair.

    Whole numbers, summed exactly below 2^53.
    """
    up, down = x[..., truth], x[..., ~truth]
    shape = x.shape[:-1]
    if up.shape[-1] * down.shape[-1] > _MOST_PAIRS:
        tables = x.reshape(-1, *x.shape[-2:])
        counted = [products_of_wins(truth, table) for table in tables]
        return np.reshape(counted, (*shape, shape[-1]))
    total = np.zeros((*shape, shape[-1]))
    step = max(1, AT_ONCE // max(1, int(np.prod(shape)) * down.shape[-1]))
    for at in range(0, up.shape[-1], step):
        part = up[..., at : at + step, None]
        won = (part > down[..., None, :]) * 1.0
        won += part >= down[..., None, :]
        won = won.reshape(*shape, -1)
        total += won @ np.swapaxes(won, -1, -2)
    return total
