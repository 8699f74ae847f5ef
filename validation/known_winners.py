"""Scores whose truth is known: all algorithms alike, or A1 better by a stated amount.

Every generator takes ``rng`` and ``better``, by how much A1's expected score is higher
than that of all others, which are alike. Higher is better. With ``better=0`` no two
algorithms differ in expectation.
"""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray
from scipy import special

import pycompare as pc

Floats = NDArray[np.float64]
Rng = np.random.Generator

TRAIN, TEST = 9, 1
"""Sizes behind the folds of ``overlapping_folds``, as of 10-fold cross-validation."""
CASES, FEATURES, APART = 200, 2, 1.0
"""Of the learners: cases of a data set, features of each, distance of the classes."""


def table(values: Floats, datasets: int | None = None) -> pc.Scores:
    """Make scores of values (b, a) or (b, a, p); rows are dealt to data sets evenly."""
    values = values.reshape(*values.shape[:2], -1)
    b, a, p = values.shape
    blocks: tuple[str, ...] = tuple(f"b{i}" for i in range(b))
    owners = None
    if datasets is not None:
        owners = tuple(f"d{i * datasets // b}" for i in range(b))
        blocks = tuple(f"{d}/{i}" for i, d in enumerate(owners))
    return pc.Scores(
        values=values,
        blocks=blocks,
        algorithms=tuple(f"A{j + 1}" for j in range(a)),
        metrics=tuple(pc.Metric(f"m{k + 1}", "higher") for k in range(p)),
        datasets=owners,
    )


def first(a: int, better: float) -> Floats:
    """Return the expected scores of the algorithms."""
    return better * (np.arange(a) == 0)


def data_sets(rng: Rng, better: float, n: int = 15, a: int = 5) -> pc.Scores:
    """Return independent data sets of different level and spread, normal within."""
    spread = np.exp(rng.normal(size=(n, 1)) / 2)
    noise = rng.normal(size=(n, a)) + first(a, better)
    return table(3 * rng.normal(size=(n, 1)) + spread * noise)


def folds(rng: Rng, better: float, n: int = 10, a: int = 5) -> pc.Scores:
    """Return folds of one data set with errors that are independent."""
    noise = rng.normal(size=(n, a)) + first(a, better)
    return table(rng.normal(size=(n, 1)) + noise)


def overlapping_folds(rng: Rng, better: float, n: int = 10, a: int = 5) -> pc.Scores:
    """Return folds whose errors correlate as Nadeau and Bengio (2003) assume.

    Any two folds of an algorithm have correlation n_test / (n_train + n_test): what
    they share is drawn once for the whole data set. Algorithms that are alike over data
    sets drawn anew are not alike on the one at hand.
    """
    rho = TEST / (TRAIN + TEST)
    shared = np.sqrt(rho) * rng.normal(size=(1, a))
    own = np.sqrt(1 - rho) * rng.normal(size=(n, a))
    return table(rng.normal(size=(n, 1)) + shared + own + first(a, better))


def metrics_on_folds(
    rng: Rng, better: float, n: int = 20, a: int = 4, p: int = 3
) -> pc.Scores:
    """Return folds in correlated metrics of different scale; A1 is better in all."""
    mixing = np.array([[1.0, 0, 0], [0.7, 0.7, 0], [-0.5, 0.3, 0.8]])[:p, :p]
    noise = rng.normal(size=(n, a, p)) @ mixing.T + first(a, better)[:, None]
    return table((rng.normal(size=(n, 1, p)) + noise) * 10.0 ** np.arange(p))


def folds_of_data_sets(
    rng: Rng,
    better: float,
    interaction: float = 0.0,
    n: int = 15,
    a: int = 4,
    k: int = 10,
) -> pc.Scores:
    """Return folds of data sets.

    ``interaction`` is the standard deviation of what an algorithm is better or worse on
    each data set. At 0 the algorithms are alike on each of these data sets; above 0
    they are alike only in expectation over data sets.
    """
    own = interaction * rng.normal(size=(n, 1, a))
    noise = rng.normal(size=(n, k, a)) + first(a, better)
    level = 3 * rng.normal(size=(n, 1, 1)) + rng.normal(size=(n, k, 1)) / 2
    return table((level + own + noise).reshape(n * k, a), n)


def metrics_of_data_sets(
    rng: Rng, better: float, interaction: float = 0.5, n: int = 15, a: int = 4
) -> pc.Scores:
    """Return three folds of each data set in three correlated metrics.

    The algorithms are alike in expectation over data sets, and differ on each.
    """
    mixing = np.array([[1.0, 0, 0], [0.7, 0.7, 0], [-0.5, 0.3, 0.8]])
    own = interaction * rng.normal(size=(n, 1, a, 3)) @ mixing.T
    noise = rng.normal(size=(n, 3, a, 3)) @ mixing.T + first(a, better)[:, None]
    values = 3 * rng.normal(size=(n, 1, 1, 3)) + own + noise
    return table((values * 10.0 ** np.arange(3)).reshape(n * 3, a, 3), n)


def overlapping_folds_of_data_sets(
    rng: Rng, better: float, n: int = 15, a: int = 3, k: int = 10
) -> pc.Scores:
    """Return folds as ``overlapping_folds`` does, for each of several data sets."""
    rho = TEST / (TRAIN + TEST)
    shared = np.sqrt(rho) * rng.normal(size=(n, 1, a))
    own = np.sqrt(1 - rho) * rng.normal(size=(n, k, a))
    level = 3 * rng.normal(size=(n, 1, 1)) + rng.normal(size=(n, k, 1))
    return table((level + shared + own + first(a, better)).reshape(n * k, a), n)


SIDE = 50
"""Positive cases of a fold, and negative ones."""


def confusion_counts(
    rng: Rng,
    better: float,
    interaction: float = 0.0,
    trade: float = 0.0,
    n: int = 15,
    a: int = 3,
    k: int = 8,
) -> pc.Scores:
    """Return tp, fp, tn and fn of folds of data sets.

    A case's score is normal, ``quality`` above 0 if it is positive and below if not.
    ``better`` is added to A1's quality, ``interaction`` spreads it over data sets.
    ``trade`` moves the threshold of every other algorithm up and of the rest down: more
    of one error, less of the other, and the same risk where both cost the same.
    """
    quality = qualities(rng, better, interaction, n, a, k)
    moved = trade * np.where(np.arange(a) % 2 == 0, 1.0, -1.0)
    fn = rng.binomial(SIDE, special.ndtr(moved - quality))
    fp = rng.binomial(SIDE, special.ndtr(-moved - quality))
    return counted({"": (fp, fn)})


def counts_at_thresholds(
    rng: Rng,
    better: float,
    interaction: float = 0.0,
    n: int = 15,
    a: int = 3,
    k: int = 8,
) -> pc.Scores:
    """Return the counts of the same scores at five thresholds."""
    quality = qualities(rng, better, interaction, n, a, k)[..., None]
    positive = special.ndtr(rng.normal(size=(n, k, a, SIDE)) + quality)
    negative = special.ndtr(rng.normal(size=(n, k, a, SIDE)) - quality)
    return counted(
        {
            f"@{t:g}": ((negative >= t).sum(axis=-1), (positive < t).sum(axis=-1))
            for t in THRESHOLDS
        }
    )


THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7)


def qualities(
    rng: Rng, better: float, interaction: float, n: int, a: int, k: int
) -> Floats:
    """Return how far apart an algorithm scores the classes, per data set and fold."""
    easy = 0.8 + 0.2 * rng.normal(size=(n, 1, 1)) + 0.1 * rng.normal(size=(n, k, 1))
    return np.asarray(
        easy + interaction * rng.normal(size=(n, 1, a)) + first(a, better)
    )


def counted(found: dict[str, tuple[NDArray[np.int64], NDArray[np.int64]]]) -> pc.Scores:
    """Make scores of false positives and negatives (n, k, a), by end of the name."""
    columns, metrics = [], []
    for end, (fp, fn) in found.items():
        columns += [SIDE - fn, fp, SIDE - fp, fn]
        metrics += [
            pc.Metric(f"tp{end}", "higher"),
            pc.Metric(f"fp{end}", "lower"),
            pc.Metric(f"tn{end}", "higher"),
            pc.Metric(f"fn{end}", "lower"),
        ]
    n, k, a = columns[0].shape
    values = np.stack(columns, axis=-1).reshape(n * k, a, -1).astype(float)
    return dataclasses.replace(table(values, n), metrics=tuple(metrics))


def cross_validated_learners(
    rng: Rng, better: float, k: int = 10, a: int = 4
) -> pc.Scores:
    """Return accuracies of learners in k-fold cross-validation of one data set.

    Nearest-centroid classifiers, each with features of its own for the same cases; the
    classes lie ``APART + better`` apart in A1's, ``APART`` in all others'. The learners
    are alike over all data sets that could have been drawn.
    """
    x, label = cases(rng, better, a, CASES)
    test = np.arange(CASES) % k
    right = [
        accuracy(x[test != i], label[test != i], x[test == i], label[test == i])
        for i in range(k)
    ]
    return table(np.stack(right))


def learners_held_out(rng: Rng, better: float, k: int = 30, a: int = 4) -> pc.Scores:
    """Return accuracies of the same learners by ASL's protocol (``pc.HeldOut``).

    One third is held out as the test set of all folds; the rest is in k parts, and each
    training set leaves out one.
    """
    x, label = cases(rng, better, a, CASES)
    held = np.arange(CASES) % 3 == 0
    part = np.cumsum(~held) % k
    right = []
    for i in range(k):
        train = ~held & (part != i)
        right.append(accuracy(x[train], label[train], x[held], label[held]))
    return table(np.stack(right))


def learners_on_new_data(rng: Rng, better: float, k: int = 10, a: int = 4) -> pc.Scores:
    """Return accuracies of the same learners, training and test set new each time."""
    right = []
    for _ in range(k):
        x, label = cases(rng, better, a, CASES)
        held = np.arange(CASES) % k == 0
        right.append(accuracy(x[~held], label[~held], x[held], label[held]))
    return table(np.stack(right))


def cases(rng: Rng, better: float, a: int, n: int) -> tuple[Floats, NDArray[np.bool_]]:
    """Draw features (n, a, FEATURES) and labels of both classes."""
    label = rng.permutation(n) % 2 == 0
    apart = APART + first(a, better)
    x = rng.normal(size=(n, a, FEATURES))
    x[:, :, 0] += label[:, None] * apart
    return x, label


def accuracy(
    x: Floats, label: NDArray[np.bool_], x_test: Floats, truth: NDArray[np.bool_]
) -> Floats:
    """Return each learner's share of right answers on the test set."""
    positive, negative = x[label].mean(axis=0), x[~label].mean(axis=0)
    towards = positive - negative
    side = np.einsum("naf,af->na", x_test - (positive + negative) / 2, towards)
    return np.asarray(np.mean((side > 0) == truth[:, None], axis=0))
