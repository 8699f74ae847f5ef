"""Bergmann-Hommel and Shaffer's t* by listing every partition: a witness, not a method.

It follows the definitions word for word, and is usable to about 8 algorithms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.typing import Floats

Pair = tuple[int, int]


@dataclass(frozen=True)
class RandomCase:
    """A table of p-values; with positions, p falls with their distance."""

    p: Floats
    positions: Floats | None


def partitions(a: int) -> Iterator[list[list[int]]]:
    """Yield every partition of range(a)."""
    if a == 0:
        yield []
        return
    for smaller in partitions(a - 1):
        for place in range(len(smaller)):
            grown = [list(block) for block in smaller]
            grown[place].append(a - 1)
            yield grown
        yield [*smaller, [a - 1]]


@cache
def exhaustive_sets(a: int) -> tuple[tuple[Pair, ...], ...]:
    """Return the pairs inside the blocks of every partition but all singletons."""
    sets = []
    for blocks in partitions(a):
        pairs = [(i, j) for b in blocks for i in b for j in b if i < j]
        if pairs:
            sets.append(tuple(pairs))
    return tuple(sets)


def brute_force_bergmann_hommel(p: Floats) -> Floats:
    """Return min(1, largest size times smallest p of the sets with the pair)."""
    adjusted = np.zeros_like(p)
    for pairs in exhaustive_sets(len(p)):
        value = min(1.0, len(pairs) * min(p[pair] for pair in pairs))
        for i, j in pairs:
            adjusted[i, j] = adjusted[j, i] = max(adjusted[i, j], value)
    np.fill_diagonal(adjusted, 1.0)
    return adjusted


def brute_force_largest_true_sets(p: Floats) -> NDArray[np.int64]:
    """Return the size of the largest set with the pair and no smaller p; diagonal 0."""
    largest = np.zeros(p.shape, np.int64)
    for pairs in exhaustive_sets(len(p)):
        smallest = min(p[pair] for pair in pairs)
        for i, j in pairs:
            if p[i, j] <= smallest:
                largest[i, j] = largest[j, i] = max(largest[i, j], len(pairs))
    return largest


def random_case(rng: np.random.Generator, largest: int = 7) -> RandomCase:
    """Return a random table: any p-values, or mean ranks with ties and clusters."""
    a = int(rng.integers(2, largest + 1))
    if rng.random() < 0.5:
        return RandomCase(any_p(rng, a), None)
    positions = on_a_line(rng, a)
    distance = np.abs(positions[:, None] - positions[None, :])
    p = 2 * special.ndtr(-distance * rng.choice([0.3, 1.0, 3.0, 10.0]))
    np.fill_diagonal(p, 1.0)
    return RandomCase(p, positions)


def any_p(rng: np.random.Generator, a: int) -> Floats:
    """Return a symmetric table: uniform, small, tied, or with 0 and 1 among them."""
    kinds = (
        lambda n: rng.random(n),
        lambda n: rng.random(n) ** 4,
        lambda n: 10.0 ** -rng.integers(0, 300, n),
        lambda n: rng.choice([0.0, 1e-300, 0.001, 0.01, 0.05, 0.3, 1.0], n),
    )
    p = np.ones((a, a))
    upper = np.triu_indices(a, 1)
    p[upper] = kinds[rng.integers(len(kinds))](len(upper[0]))
    return np.minimum(p, p.T)


def on_a_line(rng: np.random.Generator, a: int) -> Floats:
    """Return positions: anywhere, in clusters, or rank sums with ties."""
    kind = rng.integers(3)
    if kind == 0:
        return rng.normal(size=a)
    if kind == 1:
        return rng.choice([0.0, 1.0, 3.0], a) + 0.1 * rng.integers(0, 3, a)
    return rng.integers(0, 8, a) / 2.0
