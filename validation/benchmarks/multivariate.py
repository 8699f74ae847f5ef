"""Several metrics at once: Hotelling's T2, MANOVA, permutations, residuals."""

from __future__ import annotations

from typing import Any

import numpy as np

import pycompare as pc
from pycompare.kernels import hotelling as t2
from pycompare.kernels import manova as kernel
from validation.checks import multivariate_permutation as permuted
from validation.checks.manova import counts, several

from .calls import pingouin_t2, two
from .timing import Benchmark

SIZE = "5 x 30, 4 metrics"
SHAPE = 15, 21
"""Data sets and thresholds."""
BATCH = 10_000


def five(seed: int) -> pc.Scores:
    return several(30, 5, 4, seed)


def dependent(seed: int) -> pc.Scores:
    """Return four counts of rank 2, the algorithms in random order."""
    order = np.random.default_rng(seed).permutation(4)
    data = counts()
    return data.select(algorithms=[data.algorithms[i] for i in order])


def normal(seed: int) -> pc.Scores:
    return permuted.metrics_of(permuted.normal(30, 5, 4, seed))


def grid(seed: int) -> tuple[np.ndarray, pc.Scores]:
    """Return tables of a grid, and one pair for the peer."""
    return np.tile(dependent(seed).values, (*SHAPE, 1, 1, 1)), two(seed)


def tables(seed: int) -> tuple[np.ndarray, pc.Scores]:
    """Return many tables, and one for the peer."""
    return np.random.default_rng(seed).normal(size=(BATCH, 30, 5, 4)), five(seed)


def four_p_values(data: tuple[np.ndarray, pc.Scores]) -> list[np.ndarray]:
    roots, df1, df2 = kernel.complete_roots(data[0], blocked=True)
    tests = kernel.tests(roots.eigenvalues, roots.rank, df1, df2)
    return [test.p_value for test in tests.values()]


def statsmodels(data: pc.Scores) -> object:
    from statsmodels.multivariate.manova import MANOVA

    responses = " + ".join(metric.name for metric in data.metrics)
    formula = f"{responses} ~ C(block) + C(algorithm)"
    return MANOVA.from_formula(formula, data.to_frame()).mv_test()


def permutations(name: str, **options: Any) -> Benchmark:
    return Benchmark(
        name=f"permutation_manova, {name}, 9999 permutations",
        size=SIZE,
        data=normal,
        ours=lambda data: pc.permutation_manova(data, seed=1, **options),
    )


def each_pair(method: Any) -> Benchmark:
    return Benchmark(
        name=f"hotelling_pairs, {method}, each pair",
        size=SIZE,
        data=five,
        ours=lambda data: pc.hotelling_pairs(data, method=method).table,
        count=10,
        peer=pingouin_t2,
        by="pingouin, one test",
        seconds=5e-4,
    )


BENCHMARKS = (
    *map(each_pair, ("paired", "two-sample", "contrast")),
    Benchmark(
        name="hotelling in a batch, each pair",
        size="4 x 20, 4 counts of rank 2, 315 tables",
        data=grid,
        ours=lambda data: t2.hotelling(data[0]),
        count=6 * SHAPE[0] * SHAPE[1],
        peer=lambda data: pingouin_t2(data[1]),
        by="pingouin, one test",
        seconds=6e-5,
    ),
    Benchmark(
        name="manova",
        size=SIZE,
        data=five,
        ours=pc.manova,
        peer=statsmodels,
        by="statsmodels",
        seconds=2e-3,
    ),
    Benchmark(
        name="manova",
        size="4 x 20, 4 counts of rank 2",
        data=dependent,
        ours=pc.manova,
        seconds=2e-3,
    ),
    Benchmark(
        name="manova in a batch, four p-values, each table",
        size=f"{SIZE}, {BATCH:,} tables",
        data=tables,
        ours=four_p_values,
        count=BATCH,
        peer=lambda data: statsmodels(data[1]),
        by="statsmodels, one table",
        seconds=12e-6,
    ),
    permutations("Wilks"),
    permutations("pseudo-F", statistic="trace", standardise="sd"),
    permutations("one-way", blocked=False),
    Benchmark(
        name="permutation_manova, Wilks, 9999 permutations",
        size="5 x 10,000, 4 metrics",
        data=lambda seed: permuted.metrics_of(permuted.normal(10_000, 5, 4, seed)),
        ours=lambda data: pc.permutation_manova(data, seed=1),
        seconds=6,
        turns=3,
    ),
    Benchmark(
        name="multivariate_checks",
        size=SIZE,
        data=normal,
        ours=pc.multivariate_checks,
        seconds=2e-3,
    ),
)
