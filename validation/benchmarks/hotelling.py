"""Hotelling's T2: one test, all pairs, and all pairs of many tables in a batch."""

from collections.abc import Iterator
from functools import partial

import numpy as np

import pycompare as pc
from pycompare.kernels import hotelling as kernel
from validation.benchmarks.timing import Row, medians
from validation.checks_manova import counts, several

SHAPE = 15, 21
"""Data sets and thresholds."""


def benchmarks() -> Iterator[Row]:
    two, five = several(30, 2, 4, 90), several(30, 5, 4, 91)
    tables = np.tile(counts().values, (*SHAPE, 1, 1, 1))
    peer, name = pingouin_seconds(two), "pingouin, one test"
    pairs = {
        method: partial(pc.hotelling_pairs, five, method=method)
        for method in ("paired", "two-sample", "contrast")
    }
    found = medians({"one": lambda: pc.hotelling(two), **pairs}, 30)
    yield Row("hotelling, 2 x 30 x 4", found["one"], 2e-3, name, peer)
    for method in pairs:
        title = f"hotelling_pairs, each of 10 pairs, 5 x 30 x 4, {method}"
        yield Row(title, found[method] / 10, 5e-4, name, peer)
    batch = medians({"batch": lambda: kernel.hotelling(tables)}, 7)["batch"]
    count = 6 * tables.shape[0] * tables.shape[1]
    title = f"each of {count} pairs in a batch, four counts of rank 2"
    yield Row(title, batch / count, 6e-5, name, peer)


def pingouin_seconds(data: pc.Scores) -> float:
    """Median seconds of pingouin for the same pair."""
    import pingouin

    x, y = data.values[:, 0], data.values[:, 1]
    calls = {"peer": lambda: pingouin.multivariate_ttest(x, y, paired=True)}
    return medians(calls, 9)["peer"]
