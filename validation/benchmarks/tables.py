"""Scores read from a long table, and the largest number of cliques."""

from collections.abc import Iterator
from functools import partial

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.orders.cliques import maximal_cliques
from validation.benchmarks.timing import Row, medians


def benchmarks() -> Iterator[Row]:
    n, k = 10_000, 10
    frame = pd.DataFrame(
        {
            "block": np.repeat([f"b{i}" for i in range(n)], k),
            "algorithm": np.tile([f"a{i}" for i in range(k)], n),
            "error": np.linspace(0, 1, n * k),
        }
    )
    read = partial(
        pc.Scores.from_frame,
        frame,
        algorithm="algorithm",
        block="block",
        metrics={"error": "lower"},
    )
    yield Row("Scores of 100,000 rows", medians({"read": read}, 7)["read"], 0.5)
    # Moon and Moser (1965): ten groups of three, adjacent where groups differ.
    neighbours = [((1 << 30) - 1) & ~(7 << 3 * (i // 3)) for i in range(30)]
    every = medians({"cliques": lambda: list(maximal_cliques(neighbours))}, 3)
    yield Row("59,049 cliques of 30 algorithms", every["cliques"], 1.0)
