"""Bergmann-Hommel and Shaffer's t* by listing all partitions, and cases to try them on.

``python -m tests.kernels.brute_force [CASES] [SEED]`` compares the kernels with the
list on random cases and prints how many disagree in any bit.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from pycompare.kernels import exhaustive

Floats = NDArray[np.float64]


@cache
def exhaustive_sets(a: int) -> NDArray[np.bool_]:
    """List all exhaustive sets of a algorithms, shape (Bell(a) - 1, a (a - 1) / 2).

    A partition is a list of block numbers in which each new block has the next number.
    """
    partitions = [[0]]
    for _ in range(a - 1):
        partitions = [[*s, b] for s in partitions for b in range(max(s) + 2)]
    label = np.array(partitions)
    i, j = np.triu_indices(a, 1)
    together = label[:, i] == label[:, j]
    return together[together.any(axis=1)]


def square(values: NDArray, diagonal: float) -> NDArray:
    """Spread the values of pairs (1,2), (1,3), ... over a symmetric matrix."""
    m = len(values)
    a = round((1 + (1 + 8 * m) ** 0.5) / 2)
    out = np.full((a, a), diagonal, dtype=np.asarray(values).dtype)
    i, j = np.triu_indices(a, 1)
    out[i, j] = out[j, i] = values
    return out


def of_pairs(matrix: NDArray) -> NDArray:
    """Return the pairs (1,2), (1,3), ... of a symmetric matrix."""
    return matrix[np.triu_indices(len(matrix), 1)]


def brute_force_bergmann_hommel(p: Floats) -> Floats:
    """Return the maximum of |I| min p over all exhaustive sets I with the pair."""
    sets = exhaustive_sets(len(p))
    smallest = np.where(sets, of_pairs(p), np.inf).min(axis=1)
    value = np.minimum(1.0, sets.sum(axis=1) * smallest)
    return square(np.where(sets, value[:, None], -1.0).max(axis=0), 1.0)


def brute_force_largest_true_sets(p: Floats) -> NDArray[np.int64]:
    """Return the size of the largest set with the pair and no smaller p-value."""
    sets = exhaustive_sets(len(p))
    smallest = np.where(sets, of_pairs(p), np.inf).min(axis=1)
    allowed = sets & (smallest[:, None] >= of_pairs(p))
    return square(np.where(allowed, sets.sum(axis=1)[:, None], 0).max(axis=0), 0)


@dataclass(frozen=True, eq=False)
class Case:
    """p-values of all pairs; with positions they fall with the distance."""

    p: Floats
    positions: Floats | None = None


def random_case(rng: np.random.Generator, most: int = 7) -> Case:
    """Make a case of 2 to ``most`` algorithms: half of the time on a line."""
    a = int(rng.integers(2, most + 1))
    return line_case(rng, a) if rng.random() < 0.5 else any_case(rng, a)


def any_case(rng: np.random.Generator, a: int) -> Case:
    """Make p-values without order, tied, 0 or 1, tiny, or nearly on a line."""
    m = a * (a - 1) // 2
    uniform = rng.random(m)
    kinds: list[Callable[[], Floats]] = [
        lambda: uniform,
        lambda: uniform * rng.choice([0.3, 0.04, 0.004]),
        lambda: uniform ** rng.choice([3, 10, 100]),
        lambda: np.round(uniform, 1),
        lambda: rng.choice([0.0, 1.0, 0.5, 0.01, 1e-3], m),
        lambda: 10.0 ** rng.integers(-307, 1, m),
        lambda: np.exp(-of_pairs(distances(places(rng, a))) * 9 - uniform),
    ]
    return Case(square(kinds[rng.integers(len(kinds))](), 1.0))


def line_case(rng: np.random.Generator, a: int) -> Case:
    """Make p-values that fall with the distance: normal tails, others, plateaus."""
    x = places(rng, a)
    d = distances(x)
    kinds: list[Callable[[], Floats]] = [
        lambda: 2 * stats.norm.sf(d * rng.choice([0.2, 1.0, 3.0, 8.0, 36.0])),
        lambda: np.exp(-d * rng.choice([0.1, 2.0, 40.0, 700.0])),
        lambda: rng.choice([0.002, 0.1, 1.0]) / (1 + d) ** rng.choice([1, 3]),
        lambda: np.round(np.exp(-d), 1),
        lambda: np.where(d < np.median(d), 1.0, rng.choice([0.0, 1e-300, 0.02])),
    ]
    p = kinds[rng.integers(len(kinds))]()
    np.fill_diagonal(p, 1.0)
    return Case(p, x)


def places(rng: np.random.Generator, a: int) -> Floats:
    """Make positions: spread, tied, on a grid of mean ranks, or in clusters."""
    kind = rng.integers(5)
    if kind == 0:
        return rng.normal(size=a)
    if kind == 1:
        return rng.integers(0, 4, a) / 3
    if kind == 2:
        return rng.integers(0, 12, a) / 7
    if kind == 3:
        return rng.integers(0, 3, a) + rng.normal(scale=0.05, size=a)
    return np.repeat(rng.normal(size=a), 2)[:a]


def distances(x: Floats) -> Floats:
    """Return |x_i - x_j|, rounded so that equal distances are equal in every bit."""
    return np.round(np.abs(x[:, None] - x), 9)


def disagreements(case: Case) -> list[str]:
    """Name the functions whose result differs in any bit from the list's."""
    adjusted = brute_force_bergmann_hommel(case.p)
    counts = brute_force_largest_true_sets(case.p)
    found = {
        "bergmann_hommel": (exhaustive.bergmann_hommel(case.p), adjusted),
        "largest_true_sets": (exhaustive.largest_true_sets(case.p), counts),
    }
    if case.positions is not None:
        on_line = case.positions, case.p
        found |= {
            "bergmann_hommel_line": (
                exhaustive.bergmann_hommel_line(*on_line),
                adjusted,
            ),
            "largest_true_sets_line": (
                exhaustive.largest_true_sets_line(*on_line),
                counts,
            ),
        }
    return [name for name, pair in found.items() if not np.array_equal(*pair)]


def main(cases: int = 5000, seed: int = 0, most: int = 7) -> None:
    """Print how many random cases disagree."""
    rng = np.random.default_rng(seed)
    on_line = wrong = 0
    for _ in range(cases):
        case = random_case(rng, most)
        on_line += case.positions is not None
        names = disagreements(case)
        wrong += bool(names)
        if names:
            print(names, case)
    print(f"{cases} cases, {on_line} on a line, seed {seed}: {wrong} disagree")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
