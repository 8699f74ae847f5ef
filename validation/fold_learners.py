"""Learners that are trained on many training sets of one data set at once.

Each function takes ``x`` (n, features), ``y`` (n,) of 0 and 1 and ``train`` (splits,
n), and returns the predicted class of every case by the learner of every split. They
are the decision trees, nearest neighbours, naive Bayes and linear discriminants of
scikit-learn, which would take 40 times as long; ``tests/test_fold_overlap.py`` holds
their predictions against scikit-learn's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Bools, Floats, Ints

_ORDER = (2, 8, 4, 9, 1, 6, 7, 3, 0, 5)
"""In which order a tree looks at ten features: the first of two equal splits counts."""


def stump(x: Floats, y: Ints, train: Bools) -> Ints:
    """Return the predictions of decision trees of depth 1."""
    return tree(x, y, train, depth=1)


def tree(x: Floats, y: Ints, train: Bools, depth: int = 3) -> Ints:
    """Return the predictions of decision trees (Gini)."""
    splits, n = train.shape
    x = x[:, [j for j in _ORDER if j < x.shape[1]]]
    order = np.argsort(x, axis=0)
    ranked = np.take_along_axis(x, order, 0)
    # Rows are the nodes of all trees: the cases that learn there, and those that pass.
    members, passing = train, np.ones((splits, n), bool)
    for _ in range(depth):
        feature, cut = _best_splits(ranked, order, y, members)
        left = x.T[feature] <= cut[:, None]
        members = np.concatenate([members & left, members & ~left])
        passing = np.concatenate([passing & left, passing & ~left])
    ones = (members & (y == 1)).sum(axis=1)
    is_one = 2 * ones > members.sum(axis=1)
    voted = (passing & is_one[:, None]).reshape(-1, splits, n)
    return voted.any(axis=0).astype(np.int64)


def _best_splits(
    ranked: Floats, order: Ints, y: Ints, members: Bools
) -> tuple[Ints, Floats]:
    """Return the feature and the cut of each node; infinite if it stays whole."""
    inside = members[:, order].astype(np.float32)
    below = np.cumsum(inside, axis=1)
    ones_below = np.cumsum(inside * y[order], axis=1)
    size, ones = below[:, -1:], ones_below[:, -1:]
    above, ones_above = size - below, ones - ones_below
    with np.errstate(divide="ignore", invalid="ignore"):
        purity = (ones_below**2 + (below - ones_below) ** 2) / below
        purity += (ones_above**2 + (above - ones_above) ** 2) / above
    purity[~((below > 0) & (above > 0))] = -1.0
    nodes, n = len(members), len(ranked)
    flat = purity.transpose(0, 2, 1).reshape(nodes, -1).argmax(axis=1)
    feature, place = flat // n, flat % n
    each = np.arange(nodes)
    counts = below[each, :, feature]
    # The first place with a count is that of a member; the next member comes after it.
    after = (counts <= counts[each, place][:, None]).sum(axis=1)
    cut = (ranked[place, feature] + ranked[np.minimum(after, n - 1), feature]) / 2
    pure = (ones[:, 0, 0] == 0) | (ones[:, 0, 0] == size[:, 0, 0])
    return feature, np.where(pure, np.inf, cut)


def nearest(x: Floats, y: Ints, train: Bools) -> Ints:
    """Return the class of the nearest training case, for test cases; 0 for others."""
    square = (x**2).sum(axis=1)
    distance = square[:, None] + square[None, :] - 2 * x @ x.T
    order = np.argsort(distance, axis=1)
    labels = np.zeros(train.shape, np.int64)
    for split, learns in enumerate(train):
        test = np.flatnonzero(~learns)
        first = learns[order[test]].argmax(axis=1)
        labels[split, test] = y[order[test, first]]
    return labels


def naive_bayes(x: Floats, y: Ints, train: Bools) -> Ints:
    """Return the predictions of Gaussian naive Bayes."""
    scores = []
    for label in (0, 1):
        of = (train & (y == label)).astype(float)
        size = of.sum(axis=1, keepdims=True)
        mean = of @ x / size
        variance = of @ x**2 / size - mean**2
        with np.errstate(divide="ignore"):
            far = (x[None] - mean[:, None]) ** 2 / variance[:, None]
        spread = np.log(variance).sum(axis=1, keepdims=True)
        scores.append(np.log(size) - (far.sum(axis=2) + spread) / 2)
    return (scores[1] > scores[0]).astype(np.int64)


def discriminant(x: Floats, y: Ints, train: Bools) -> Ints:
    """Return the predictions of linear discriminant analysis."""
    products = (x[:, :, None] * x[:, None, :]).reshape(len(x), -1)
    features, splits = x.shape[1], len(train)
    within = np.zeros((splits, features, features))
    means, sizes = [], []
    for label in (0, 1):
        of = (train & (y == label)).astype(float)
        size = of.sum(axis=1, keepdims=True)
        mean = of @ x / size
        outer = size[:, :, None] * mean[:, :, None] * mean[:, None, :]
        within += (of @ products).reshape(splits, features, features) - outer
        means.append(mean)
        sizes.append(size)
    within /= (sizes[0] + sizes[1] - 2)[:, :, None]
    apart, middle = means[1] - means[0], (means[1] + means[0]) / 2
    weights = np.linalg.solve(within, apart[:, :, None])[:, :, 0]
    side = weights @ x.T - (weights * middle).sum(axis=1, keepdims=True)
    return (side + np.log(sizes[1] / sizes[0]) > 0).astype(np.int64)


def by_an_irrelevant_sign(x: Floats, y: Ints, train: Bools) -> Ints:
    """Return the predictions of an artificial learner.

    The sign of the mean of the last column, which is of no use, selects which of two
    features decides. Its choice is common to training sets that share most cases, as no
    real learner's is; no correction by sizes holds for it.
    """
    chosen = (train @ x[:, -1] > 0).astype(np.int64)
    own = x.T[chosen]  # (splits, n)
    of_class = [train & (y == label) for label in (0, 1)]
    mean = [(own * of).sum(axis=1) / of.sum(axis=1) for of in of_class]
    above = own > ((mean[0] + mean[1]) / 2)[:, None]
    return (above == (mean[1] >= mean[0])[:, None]).astype(np.int64)


def in_folds(rng: np.random.Generator, y: Ints, k: int, repeats: int) -> Bools:
    """Return the training sets of a stratified k-fold cross-validation, repeated."""
    found: list[NDArray[np.bool_]] = []
    for _ in range(repeats):
        shuffled = rng.permutation(len(y))
        fold = np.empty(len(y), np.int64)
        fold[shuffled[np.argsort(y[shuffled], kind="stable")]] = np.arange(len(y)) % k
        found.append(fold[None, :] != np.arange(k)[:, None])
    return np.concatenate(found)
