"""Rank tests of pairs, Bergmann-Hommel and the studentised range."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd
from scipy import stats

import pycompare as pc
from pycompare.kernels import exhaustive, studentized_range
from pycompare.kernels.ranks import midranks
from validation import cases

from .calls import FIVE, five_wide, scores
from .timing import Benchmark


def automatic(data: tuple[pc.Scores, pd.DataFrame]) -> object:
    import autorank

    with (
        contextlib.redirect_stdout(io.StringIO()),
        warnings.catch_warnings(action="ignore"),
    ):
        return autorank.autorank(data[1], force_mode="nonparametric", verbose=False)


def on_ranks(
    a: int, seed: int, *, n: int, spread: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rank sums of a random table and their raw p-values."""
    data = cases.scores(cases.normal(n, a, seed, spread))
    p = pc.rank_pairs(data, adjust="none").matrix("p_value").to_numpy(copy=True)
    np.fill_diagonal(p, 1.0)
    return midranks(data.oriented()).sum(axis=0), p


def wilcoxon_p(seed: int) -> np.ndarray:
    """Return p-values of the pairs of 20 algorithms; the effects differ by seed."""
    x = cases.normal(60, 20, seed, 0.05 * (seed % 6 + 1))
    return square([stats.wilcoxon(x[:, i], x[:, j]).pvalue for i, j in pairs(20)])


def forty(seed: int) -> np.ndarray:
    """Return p-values of the pairs of 40 algorithms: few, some or many small ones."""
    u = np.random.default_rng([2, seed]).random(780)
    return square((u**6 / 10, u / 100, u)[seed % 3])


def pairs(a: int) -> list[tuple[int, int]]:
    return [(i, j) for i in range(a) for j in range(i + 1, a)]


def square(p: np.ndarray | list[float]) -> np.ndarray:
    """Return p-values of pairs as a symmetric matrix."""
    a = round((1 + np.sqrt(1 + 8 * len(p))) / 2)
    found = np.ones((a, a))
    found[np.triu_indices(a, 1)] = p
    return np.minimum(found, found.T)


def bergmann_hommel() -> Iterator[Benchmark]:
    sizes = ((20, 30, 0.05, 9), (100, 60, 2.0, 6), (179, 121, 20.0, 6))
    for a, n, seconds, turns in sizes:
        for label, spread in (("no", 0.0), ("small", 0.02), ("large", 0.2)):
            yield Benchmark(
                name=f"Bergmann-Hommel of mean ranks, {label} differences",
                size=f"{a} x {n}",
                data=partial(on_ranks, a, n=n, spread=spread),
                ours=lambda data: exhaustive.bergmann_hommel_line(*data),
                seconds=seconds,
                turns=turns,
            )
    yield Benchmark(
        name="Bergmann-Hommel of Wilcoxon p-values, exact",
        size="20 x 60",
        data=wilcoxon_p,
        ours=exhaustive.bergmann_hommel,
        seconds=10,
        turns=6,
    )
    yield Benchmark(
        name="adjust, bergmann-hommel, of unstructured p-values",
        size="40 algorithms",
        data=forty,
        ours=lambda p: pc.adjust(p, "bergmann-hommel"),
        seconds=5,
        turns=6,
    )


def tails(df: float) -> Benchmark:
    """Return 1000 tails in one call; SciPy's are ten."""
    return Benchmark(
        name="tail of the studentised range",
        size=f"5 means, df = {df:g}, 1000 at once",
        data=lambda seed: np.random.default_rng(seed).uniform(0.5, 14, 1000),
        ours=lambda q: studentized_range.sf(q, 5, df),
        peer=lambda q: stats.studentized_range.sf(q[:10], 5, df),
        by="SciPy, 10 at once",
        count=1000,
        peer_count=10,
        seconds=20e-6,
    )


BENCHMARKS = (
    Benchmark(
        name="friedman and nemenyi",
        size=FIVE,
        data=five_wide,
        ours=lambda data: (pc.friedman(data[0]), pc.nemenyi(data[0])),
        peer=automatic,
        by="autorank",
    ),
    *(tails(df) for df in (np.inf, 116.0)),
    *bergmann_hommel(),
    Benchmark(
        name="rank_pairs, sign flips, Bergmann-Hommel",
        size="20 x 60",
        data=scores(60, 20),
        ours=lambda data: pc.rank_pairs(data, p_value="sign-flips"),
        seconds=0.2,
    ),
    Benchmark(
        name="closed_permutation, 9999 permutations",
        size="6 x 10",
        data=scores(10, 6),
        ours=pc.closed_permutation,
        seconds=1,
    ),
    Benchmark(
        name="max_t, 10,000 flips",
        size="20 x 100",
        data=scores(100, 20),
        ours=lambda data: pc.max_t(data, flips=10_000),
        seconds=1,
    ),
)
