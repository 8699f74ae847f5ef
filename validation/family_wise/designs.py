"""Scores of known truth that are no single table: folds, metrics, learners, cases.

Every generator takes ``rng``, the number of runs and ``better``, by how much A1 is
better than all others, which are alike; runs are the first axis of what it returns.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.typing import Bools, Floats

Rng = np.random.Generator

TRAIN, TEST = 9, 1
"""Sizes behind folds that overlap, as of 10-fold cross-validation."""
OVERLAP = TEST / TRAIN
RHO = TEST / (TRAIN + TEST)
"""Correlation of two such folds (Nadeau and Bengio 2003)."""
CASES, FEATURES, APART = 200, 2, 1.0
"""Of the learners: cases of a data set, features of each, distance of the classes."""
SIDE = 50
"""Positive cases of a fold, and negative ones."""
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7)
MIXING = np.array([[1.0, 0, 0], [0.7, 0.7, 0], [-0.5, 0.3, 0.8]])


def first(a: int, better: float) -> Floats:
    """Return the expected scores of the algorithms."""
    return better * (np.arange(a) == 0)


def folds(
    rng: Rng, runs: int, better: float, *, n: int, a: int, overlap: bool
) -> Floats:
    """Return folds of one data set (runs, n, a), independent or overlapping."""
    own = rng.standard_normal((runs, n, a)) + first(a, better)
    if overlap:
        own *= np.sqrt(1 - RHO)
        own += np.sqrt(RHO) * rng.standard_normal((runs, 1, a))
        own += (1 - np.sqrt(1 - RHO)) * first(a, better)
    return rng.standard_normal((runs, n, 1)) + own


def with_gaps(rng: Rng, runs: int, better: float, *, n: int, a: int) -> Floats:
    """Return blocks of which half lack one cell, at random (NaN)."""
    x = rng.standard_normal((runs, n, 1)) + rng.standard_normal((runs, n, a))
    x += first(a, better)
    lost = rng.integers(0, 2 * a, (runs, n, 1)) == np.arange(a)
    return np.where(lost, np.nan, x)


def of_one_size(rng: Rng, runs: int, better: float, *, n: int, a: int) -> Floats:
    """Return scores of which one algorithm is better by 1 in each block, by a coin.

    ``better`` is 0 for a fair coin; 1 for one that always shows the first algorithm.
    """
    wins = rng.random((runs, n, 1)) < (1 + better) / 2
    level = np.floor(3 * rng.standard_normal((runs, n, 1)))
    return level + np.where(wins, first(a, 1.0), 1 - first(a, 1.0))


def two_kinds(
    rng: Rng, runs: int, better: float, *, sets: int, a: int, kind: float = 0.0
) -> Floats:
    """Return scores of two kinds of data sets (runs, 2, sets, a).

    ``kind`` is by how much the first kind is easier for all algorithms.
    """
    level = rng.standard_normal((runs, 2, sets, 1))
    level[:, 0] += kind
    return level + rng.standard_normal((runs, 2, sets, a)) + first(a, better)


def runs_on_blocks(
    rng: Rng, runs: int, better: float, *, n: int, a: int, k: int
) -> Floats:
    """Return k runs of each algorithm on each block (runs, n, a, k)."""
    level = rng.standard_normal((runs, n, 1, 1))
    return level + rng.standard_normal((runs, n, a, k)) + first(a, better)[:, None]


def samples(
    rng: Rng, runs: int, better: float, *, n: int, a: int, noisier: float = 1.0
) -> Floats:
    """Return three correlated metrics of algorithms on blocks of their own.

    The scores of the last algorithm vary ``noisier`` times as much.
    """
    noise = rng.standard_normal((runs, n, a, 3)) @ MIXING.T
    noise[:, :, -1] *= noisier
    return (noise + first(a, better)[:, None]) * 10.0 ** np.arange(3)


def folds_of_data_sets(
    rng: Rng,
    runs: int,
    better: float,
    *,
    sets: int,
    k: int,
    a: int,
    interaction: float = 0.0,
    overlap: bool = False,
) -> Floats:
    """Return folds of data sets (runs, sets, k, a).

    ``interaction`` is the standard deviation of what an algorithm is better or worse on
    each data set; at 0 the algorithms are alike on each of these data sets.
    """
    own = interaction * rng.standard_normal((runs, sets, 1, a))
    noise = rng.standard_normal((runs, sets, k, a))
    if overlap:
        noise *= np.sqrt(1 - RHO)
        noise += np.sqrt(RHO) * rng.standard_normal((runs, sets, 1, a))
    level = 3 * rng.standard_normal((runs, sets, 1, 1))
    level = level + rng.standard_normal((runs, sets, k, 1)) / 2
    return level + own + noise + first(a, better)


def metrics_on_folds(rng: Rng, runs: int, better: float, *, n: int, a: int) -> Floats:
    """Return three correlated metrics of different scale (runs, n, a, 3)."""
    noise = rng.standard_normal((runs, n, a, 3)) @ MIXING.T
    noise += first(a, better)[:, None]
    return (rng.standard_normal((runs, n, 1, 3)) + noise) * 10.0 ** np.arange(3)


def metrics_of_data_sets(
    rng: Rng, runs: int, better: float, *, sets: int, a: int
) -> Floats:
    """Return data-set means of three metrics of three folds (runs, sets, a, 3)."""
    own = 0.5 * rng.standard_normal((runs, sets, 1, a, 3)) @ MIXING.T
    noise = rng.standard_normal((runs, sets, 3, a, 3)) @ MIXING.T
    noise += first(a, better)[:, None]
    values = 3 * rng.standard_normal((runs, sets, 1, 1, 3)) + own + noise
    return np.asarray((values * 10.0 ** np.arange(3)).mean(axis=2))


# ---- learners -----------------------------------------------------------------------


def cases(
    rng: Rng, runs: int, better: float, a: int, n: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Draw features (runs, n, a, FEATURES) and labels of two equal classes."""
    label = rng.random((runs, n)).argsort(axis=1) % 2 == 0
    x = rng.standard_normal((runs, n, a, FEATURES))
    x[..., 0] += label[..., None] * (APART + first(a, better))
    return x, label


def centroids(x: Floats, label: Bools, train: Bools) -> tuple[Floats, Floats]:
    """Return the means of both classes in the training cases, (runs, a, FEATURES)."""

    def mean(of: Bools) -> Floats:
        chosen = (of & train).astype(float)
        total = np.einsum("rn,rnaf->raf", chosen, x)
        return np.asarray(total / chosen.sum(axis=1)[:, None, None])

    return mean(label), mean(~label)


def accuracy(x: Floats, label: Bools, train: Bools, test: Bools) -> Floats:
    """Return each learner's share of right answers on the test cases, (runs, a).

    Nearest centroids, each learner with features of its own. ``test`` (n,) is the same
    in all runs.
    """
    positive, negative = centroids(x, label, np.broadcast_to(train, label.shape))
    at = np.flatnonzero(test)
    middle = (positive + negative)[:, None] / 2
    side = np.einsum("rnaf,raf->rna", x[:, at] - middle, positive - negative)
    return np.asarray(np.mean((side > 0) == label[:, at, None], axis=1))


def cross_validated(rng: Rng, runs: int, better: float, *, k: int, a: int) -> Floats:
    """Return accuracies of learners in k-fold cross-validation of one data set."""
    x, label = cases(rng, runs, better, a, CASES)
    fold = np.arange(CASES) % k
    made = [accuracy(x, label, fold != i, fold == i) for i in range(k)]
    return np.stack(made, axis=1)


def held_out(rng: Rng, runs: int, better: float, *, k: int, a: int) -> Floats:
    """Return accuracies on one test set, a training set leaving out one of k parts."""
    x, label = cases(rng, runs, better, a, CASES)
    held = np.arange(CASES) % 3 == 0
    part = np.cumsum(~held) % k
    made = [accuracy(x, label, ~held & (part != i), held) for i in range(k)]
    return np.stack(made, axis=1)


def new_data(rng: Rng, runs: int, better: float, *, k: int, a: int) -> Floats:
    """Return accuracies on training and test sets that are new each time."""
    held = np.arange(CASES) % k == 0
    made = []
    for _ in range(k):
        x, label = cases(rng, runs, better, a, CASES)
        made.append(accuracy(x, label, ~held, held))
    return np.stack(made, axis=1)


# ---- predictions --------------------------------------------------------------------


def qualities(
    rng: Rng, runs: int, better: float, interaction: float, n: int, a: int, k: int
) -> Floats:
    """Return how far apart an algorithm scores the classes, (runs, n, k, a)."""
    easy = 0.8 + 0.2 * rng.standard_normal((runs, n, 1, 1))
    easy = easy + 0.1 * rng.standard_normal((runs, n, k, 1))
    own = interaction * rng.standard_normal((runs, n, 1, a))
    return np.asarray(easy + own + first(a, better))


def confusion_counts(
    rng: Rng,
    runs: int,
    better: float,
    *,
    interaction: float = 0.0,
    trade: float = 0.0,
    n: int = 15,
    a: int = 3,
    k: int = 8,
) -> Floats:
    """Return tp, fp, tn and fn of folds of data sets, (runs, n, k, a, 4).

    A case's score is normal, ``quality`` above 0 if it is positive and below if not.
    ``trade`` moves the threshold of every other algorithm up and of the rest down: more
    of one error, less of the other, and the same risk where both cost the same.
    """
    quality = qualities(rng, runs, better, interaction, n, a, k)
    moved = trade * np.where(np.arange(a) % 2 == 0, 1.0, -1.0)
    fn = rng.binomial(SIDE, special.ndtr(moved - quality))
    fp = rng.binomial(SIDE, special.ndtr(-moved - quality))
    return np.stack([SIDE - fn, fp, SIDE - fp, fn], axis=-1).astype(float)


def counts_at_thresholds(
    rng: Rng,
    runs: int,
    better: float,
    *,
    interaction: float = 0.0,
    n: int = 15,
    a: int = 3,
    k: int = 8,
) -> Floats:
    """Return counts at five thresholds, (runs, n, thresholds, k, a, 4)."""
    quality = qualities(rng, runs, better, interaction, n, a, k)[..., None]
    above = rng.standard_normal((runs, n, k, a, SIDE)) + quality
    below = rng.standard_normal((runs, n, k, a, SIDE)) - quality
    made = []
    for threshold in THRESHOLDS:
        cut = special.ndtri(threshold)  # scores are normal probabilities
        fn = (above < cut).sum(axis=-1)
        fp = (below >= cut).sum(axis=-1)
        made.append(np.stack([SIDE - fn, fp, SIDE - fp, fn], axis=-1))
    return np.stack(made, axis=2).astype(float)


def scored_cases(
    rng: Rng, runs: int, better: float, *, n: int, a: int
) -> tuple[Floats, Bools]:
    """Return scores (runs, a, n) of the same cases, and which are positive (n,).

    Half the cases are positive. What is hard is hard for all: correlation 1/2.
    """
    truth = np.arange(n) < n // 2
    common = rng.standard_normal((runs, 1, n))
    score = (common + rng.standard_normal((runs, a, n))) / np.sqrt(2)
    score += truth * (1.0 + first(a, better))[:, None]
    return score, truth
