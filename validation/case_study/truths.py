"""Truths to draw cases from: answers, graded scores, clusters, data sets."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy import stats

import pycompare as pc
from pycompare.base.metric import Metric
from pycompare.base.typing import Floats, Ints

Generator = np.random.Generator
METRIC = (Metric("accuracy", "higher"),)
NAMES = "ABCDEFGH"
"""Algorithms of a table, in the order of their true means."""
SKEWED = ("normal", "jointly-symmetric")


def scores_of(
    x: Floats, owner: Ints | None = None, benchmark: Ints | None = None
) -> pc.Scores:
    """Return a table of cases; ``owner`` is the cluster of each."""
    return pc.Scores(
        values=x[:, :, None],
        blocks=tuple(map(str, range(len(x)))),
        algorithms=tuple(NAMES[: x.shape[1]]),
        metrics=METRIC,
        clusters=None if owner is None else tuple(map(str, owner.tolist())),
        groups=None if benchmark is None else tuple(map(str, benchmark.tolist())),
    )


@dataclass(frozen=True)
class Truth:
    """A truth to draw from: the expected scores of all algorithms, and how.

    Attributes
    ----------
    means : tuple of float
        Expected scores, up to a constant; equal numbers are equal algorithms.
    draw : callable
        Makes scores of random generator.
    violates : tuple of str
        Conditions of the ledger of guarantees that do not hold.
    """

    means: tuple[float, ...]
    draw: Callable[[Generator], pc.Scores]
    violates: tuple[str, ...] = ()


def answers(
    abilities: tuple[float, ...], n: int, spread: float = 1.0, shared: float = 0.0
) -> Truth:
    """Draw right and wrong answers to n items of random difficulty.

    ``spread``: noise of the last algorithm; with the ability 0 its accuracy is that of
    the others, though its answers agree with theirs less often. ``shared``: part of the
    noise's variance that algorithms of equal ability have in common.
    """
    noise = np.ones(len(abilities))
    noise[-1] = spread
    group = np.unique(abilities, return_inverse=True)[1]

    def draw(rng: Generator) -> pc.Scores:
        level = rng.normal(size=(n, 1)) + np.array(abilities)
        own = rng.normal(size=(n, len(abilities)))
        if shared:
            common = rng.normal(size=(n, len(abilities)))[:, group]
            own = math.sqrt(shared) * common + math.sqrt(1 - shared) * own
        return scores_of((level + noise * own > 0).astype(float))

    # Of answers that agree so often few cases tell two algorithms apart.
    small = ("large-sample",) if n * (1 - shared) < 30 else ()
    erratic = ("exchangeable",) if spread != 1 else ()
    return Truth(abilities, draw, (*small, *erratic))


def graded(means: tuple[float, ...], n: int, *, skewed: bool = False) -> Truth:
    """Draw graded scores of n items."""

    def draw(rng: Generator) -> pc.Scores:
        size = (n, len(means))
        noise = rng.exponential(size=size) if skewed else rng.normal(size=size)
        return scores_of(rng.normal(size=(n, 1)) + noise + np.array(means))

    return Truth(means, draw, SKEWED if skewed else ())


def clustered(
    means: tuple[float, ...],
    clusters: int,
    *,
    right: bool = True,
    unequal: bool = False,
    skewed: bool = False,
) -> Truth:
    """Draw clusters of 10 items, or of 2 to 18, that share effects of algorithms."""
    a = len(means)
    sizes = np.full(clusters, 10)
    if unequal:
        sizes = np.rint(np.linspace(2, 18, clusters)).astype(int)
    owner = np.repeat(np.arange(clusters), sizes)

    def draw(rng: Generator) -> pc.Scores:
        drawn = rng.exponential(size=(clusters, a)) if skewed else None
        shared = rng.normal(size=(clusters, a)) if drawn is None else drawn - 1
        x = 0.7 * shared[owner] + rng.normal(size=(len(owner), a)) + np.array(means)
        return scores_of((x > 0).astype(float) if right else x, owner)

    violates = ("normal",) if right else ()
    return Truth(means, draw, SKEWED if skewed else violates)


EQUAL = (0.0,) * 4
PARTIAL = (0.0, 0.0, 1.0, 2.0, 2.0)
LADDER = (0.0, 0.15, 0.3, 0.45, 0.6)
TWO_GROUPS = (0.0, 0.0, 0.0, 0.5, 0.5, 0.5)
ONE_APART = (0.0, 0.0, 0.0, 0.0, 0.3)
CASES: Mapping[str, Truth] = {
    **{f"4 equal, {n} items": answers(EQUAL, n) for n in (20, 50, 200)},
    **{f"2 + 2 equal among 5, {n} items": answers(PARTIAL, n) for n in (20, 50, 200)},
    "4 equal, one erratic, 50 items": answers(EQUAL, 50, 4.0),
    "4 equal, one erratic, 200 items": answers(EQUAL, 200, 4.0),
    "2 + 2 equal among 5, alike, 50 items": answers(PARTIAL, 50, shared=0.8),
    "2 + 2 equal among 5, alike, 200 items": answers(PARTIAL, 200, shared=0.8),
}
ALONE: Mapping[str, Truth] = {
    **{f"2 equal, {n} items": answers(EQUAL[:2], n) for n in (20, 50, 200)},
    "2 equal, one erratic, 50 items": answers(EQUAL[:2], 50, 4.0),
    "2 equal, one erratic, 200 items": answers(EQUAL[:2], 200, 4.0),
    "2 equal, alike, 50 items": answers(EQUAL[:2], 50, shared=0.8),
    "2 equal, alike, 200 items": answers(EQUAL[:2], 200, shared=0.8),
}
CLUSTERS: Mapping[str, Truth] = {
    f"{g} clusters of {'2 to 18' if unequal else '10'}, {name}": clustered(
        EQUAL, g, right=right, unequal=unequal, skewed=skewed
    )
    for g in (5, 10, 20, 50)
    for unequal in (False, True)
    for name, right, skewed in (
        ("right or wrong", True, False),
        ("graded", False, False),
        ("graded, skewed", False, True),
    )
}
RANKED: Mapping[str, Truth] = {
    "all equal, 100 items": answers(EQUAL, 100),
    "ladder, 100 items": answers(LADDER, 100),
    "ladder, 1000 items": answers(LADDER, 1000),
    "two groups of three, 100 items": answers(TWO_GROUPS, 100),
    "two groups of three, 1000 items": answers(TWO_GROUPS, 1000),
    "one apart, 300 items": answers(ONE_APART, 300),
    "graded ladder, 30 items": graded(LADDER, 30),
    "graded ladder, 200 items": graded(LADDER, 200),
    "graded two groups, skewed, 30 items": graded(TWO_GROUPS, 30, skewed=True),
    "graded two groups, skewed, 200 items": graded(TWO_GROUPS, 200, skewed=True),
}

# ---- truths about one item or data set ----------------------------------------------


def better_answers(one: float, other: float) -> float:
    """Return the probability that one of ``answers`` is better, ties counted half."""
    right, also = (stats.norm.cdf(m / math.sqrt(2)) for m in (one, other))
    return float(0.5 + (right - also) / 2)


def better_normal(one: float, other: float) -> float:
    """Return the probability that one of ``graded`` scores is better."""
    return float(stats.norm.cdf((one - other) / math.sqrt(2)))


def better_skewed(one: float, other: float) -> float:
    """Return the same of scores with exponential noise, whose difference is Laplace."""
    return float(stats.laplace.cdf(one - other))


Wins = Callable[[float, float], float]
WINS: Mapping[str, tuple[Truth, Wins]] = {
    "right or wrong, 4 equal, 30 items": (answers(EQUAL, 30), better_answers),
    "right or wrong, 4 equal, 200 items": (answers(EQUAL, 200), better_answers),
    "right or wrong, ladder, 30 items": (answers(LADDER, 30), better_answers),
    "right or wrong, ladder, 200 items": (answers(LADDER, 200), better_answers),
    "graded, ladder, 30 items": (graded(LADDER, 30), better_normal),
    "graded, ladder, 200 items": (graded(LADDER, 200), better_normal),
    "graded, far apart, 30 items": (graded((0.0, 1.0, 2.5), 30), better_normal),
    "graded, two groups, skewed, 30 items": (
        graded(TWO_GROUPS, 30, skewed=True),
        better_skewed,
    ),
}
"""Truths, and the probability that one algorithm is better than another."""


def data_sets(means: tuple[float, ...], n: int, spread: float, cases: int = 0) -> Truth:
    """Draw n data sets and a new one, the last.

    ``spread``: how much more the first algorithm depends on the data set than the
    others; ``cases`` of each test set make accuracies, which tie.
    """
    noise = np.ones(len(means))
    noise[0] = spread

    def draw(rng: Generator) -> pc.Scores:
        x = np.array(means) + noise * rng.standard_t(4, size=(n + 1, len(means)))
        if cases:
            x = rng.binomial(cases, stats.norm.cdf(x / 2)) / cases
        return scores_of(x)

    return Truth(means, draw)


PREDICTED: Mapping[str, Truth] = {
    "5 equal, 19 data sets": data_sets((0.0,) * 5, 19, 1.0),
    "ladder, 30 data sets": data_sets(LADDER, 30, 1.0),
    "ladder, one erratic, 30 data sets": data_sets(LADDER, 30, 4.0),
    "ladder, 100 data sets": data_sets(LADDER, 100, 1.0),
    "far apart, 40 data sets": data_sets((0.0, 1.0, 3.0, 6.0), 40, 1.0),
    "accuracies of 20 cases, 25 data sets": data_sets(LADDER, 25, 1.0, 20),
}
