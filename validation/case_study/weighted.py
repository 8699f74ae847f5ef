"""Truths over several benchmarks with weights."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import stats

import pycompare as pc
from pycompare.base.typing import Floats

from .truths import EQUAL, Generator, Truth, scores_of

SMALL = "large-sample"
"""The condition that small benchmarks violate."""


@dataclass(frozen=True)
class Benchmarks:
    """Several benchmarks with weights, from which cases are drawn.

    Attributes
    ----------
    sizes : tuple of int
        Cases of each, or clusters (of 2 to 18 cases).
    weights : tuple of float
    apart : float
        How far algorithms that are equal in the weighted mean are from it on the first
        benchmark, A and C upwards, B and D downwards; the second one makes up for it.
    kind : {"right or wrong", "graded", "skewed"}
    clusters : bool
    """

    sizes: tuple[int, ...]
    weights: tuple[float, ...]
    apart: float = 0.0
    kind: str = "right or wrong"
    clusters: bool = False

    @property
    def named(self) -> dict[str, float]:
        """Weights by name."""
        return {str(k): w for k, w in enumerate(self.weights)}

    def expected(self, means: tuple[float, ...]) -> Floats:
        """Return expected scores, shape (benchmarks, algorithms)."""
        found = np.tile(np.array(means), (len(self.sizes), 1))
        sides = self.apart * (-1.0) ** np.arange(len(means))
        found[0] += sides
        found[1] -= sides * self.weights[0] / self.weights[1]
        return found

    def drawn(self, means: tuple[float, ...], rng: Generator) -> pc.Scores:
        """Draw one table; the last algorithm and the last benchmark are noisier."""
        expected, a = self.expected(means), len(means)
        each = [np.rint(np.linspace(2, 18, n)).astype(int) for n in self.sizes]
        owner = np.repeat(np.arange(sum(self.sizes)), np.concatenate(each))
        rows = np.repeat(np.arange(len(self.sizes)), self.sizes)
        benchmark = rows[owner] if self.clusters else rows
        shared = 0.7 * rng.normal(size=(len(rows), a))
        level = rng.normal(size=(len(benchmark), 1))
        noise = rng.normal(size=(len(benchmark), a))
        if self.kind == "right or wrong":
            total = level + noise + (shared[owner] if self.clusters else 0.0)
            spread = math.sqrt(2.49 if self.clusters else 2.0)
            x = (total + spread * stats.norm.ppf(expected[benchmark]) > 0).astype(float)
        else:
            if self.kind == "skewed":
                noise = rng.exponential(size=noise.shape) - 1
                shared = 0.7 * (rng.exponential(size=shared.shape) - 1)
            noise[:, -1] *= 3
            noise = noise + (shared[owner] if self.clusters else 0.0)
            noise *= 1.0 + benchmark[:, None]
            x = level + noise + expected[benchmark]
        return scores_of(x, owner if self.clusters else None, benchmark)


@dataclass(frozen=True)
class WeightedTruth(Truth):
    """A truth over benchmarks; ``means`` are weighted means."""

    benchmarks: Benchmarks | None = None


def weighted(
    means: tuple[float, ...], made: Benchmarks, *violates: str
) -> WeightedTruth:
    """Return a truth whose weighted means are ``means``."""
    return WeightedTruth(means, partial(made.drawn, means), violates, made)


_HALF = (0.6,) * 4
_TWO_PAIRS = (0.5, 0.5, 0.6, 0.75, 0.75)
_APART = (0.0, 0.0, 1.0, 2.0, 2.0)
_THREE = (0.5, 0.3, 0.2)
_TWENTY = tuple(range(5, 105, 5))


def _three(*sizes: int, **options: Any) -> Benchmarks:
    """Return three benchmarks."""
    return Benchmarks(sizes, _THREE, **options)


WEIGHTED: Mapping[str, WeightedTruth] = {
    "right or wrong, 30 + 60 + 300 items": weighted(_HALF, _three(30, 60, 300)),
    "right or wrong, 30 + 60 + 300 items, unequal on two": weighted(
        _HALF, _three(30, 60, 300, apart=0.2)
    ),
    "right or wrong, 2 + 2 equal among 5, 50 + 50 + 400 items": weighted(
        _TWO_PAIRS, _three(50, 50, 400, apart=0.1)
    ),
    "right or wrong, 10 + 300 items, weight 0.8 on the 10": weighted(
        _HALF, Benchmarks((10, 300), (0.8, 0.2)), SMALL
    ),
    "right or wrong, 20 benchmarks of 5 to 100 items": weighted(
        _HALF, Benchmarks(_TWENTY, (0.05,) * 20)
    ),
    "graded, 10 + 20 + 100 items": weighted(
        EQUAL, _three(10, 20, 100, kind="graded"), SMALL
    ),
    "graded, 40 + 60 + 200 items": weighted(EQUAL, _three(40, 60, 200, kind="graded")),
    "graded, 40 + 60 + 200 items, unequal on two": weighted(
        EQUAL, _three(40, 60, 200, kind="graded", apart=1.0)
    ),
    "graded, 2 + 2 equal among 5, 40 + 60 + 200 items, unequal on two": weighted(
        _APART, _three(40, 60, 200, kind="graded", apart=0.5)
    ),
    "skewed, 10 + 20 + 100 items": weighted(
        EQUAL, _three(10, 20, 100, kind="skewed"), SMALL
    ),
    "skewed, 40 + 60 + 200 items, unequal on two": weighted(
        EQUAL, _three(40, 60, 200, kind="skewed", apart=1.0)
    ),
    **{
        f"{kind}, {text} clusters{', unequal on two' if apart else ''}": weighted(
            _HALF if kind == "right or wrong" else EQUAL,
            _three(*sizes, kind=kind, clusters=True, apart=apart),
            *((SMALL,) if min(sizes) < 20 else ()),
        )
        for sizes, text in (((5, 8, 20), "5 + 8 + 20"), ((20, 30, 60), "20 + 30 + 60"))
        for kind, apart in (
            ("right or wrong", 0.2),
            ("graded", 0.0),
            ("graded", 1.0),
            ("skewed", 0.0),
        )
    },
}
