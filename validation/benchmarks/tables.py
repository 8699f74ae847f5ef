"""Scores read from a long table, and the largest number of cliques."""

from __future__ import annotations

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.methods.orders.cliques import maximal_cliques

from .timing import Benchmark


def frame(seed: int) -> pd.DataFrame:
    n, k = 10_000, 10
    return pd.DataFrame(
        {
            "block": np.repeat([f"b{i}" for i in range(n)], k),
            "algorithm": np.tile([f"a{i}" for i in range(k)], n),
            "error": np.random.default_rng(seed).random(n * k),
        }
    )


# Moon and Moser (1965): ten groups of three, adjacent where groups differ.
NEIGHBOURS = [((1 << 30) - 1) & ~(7 << 3 * (i // 3)) for i in range(30)]

BENCHMARKS = (
    Benchmark(
        name="Scores.from_frame",
        size="100,000 rows",
        data=frame,
        ours=lambda frame: pc.Scores.from_frame(
            frame, algorithm="algorithm", block="block", metrics={"error": "lower"}
        ),
        seconds=0.5,
    ),
    Benchmark(
        name="59,049 maximal cliques",
        size="30 algorithms",
        ours=lambda _: list(maximal_cliques(NEIGHBOURS)),
        seconds=1,
    ),
)
