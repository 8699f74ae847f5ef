"""The data of the checks: published, made from a seed, or made to be awkward."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.typing import Floats


def scores(values: Floats, better: Any = "higher", **options: Any) -> pc.Scores:
    """Make scores from a blocks x algorithms array."""
    names = [f"A{j + 1}" for j in range(values.shape[1])]
    frame = pd.DataFrame(values, columns=names)
    how: Any = {"algorithms": names, **options}
    return pc.Scores.from_wide(frame, metric="score", better=better, **how)


def normal(n: int, a: int, seed: int, spread: float = 0.5) -> Floats:
    """Return normal scores with block effects; algorithms ``spread`` apart."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, a)) + rng.normal(size=(n, 1)) + spread * np.arange(a)


def integers(n: int, a: int, seed: int, levels: int = 5) -> Floats:
    """Return whole scores with many ties."""
    return np.random.default_rng(seed).integers(1, levels, (n, a)).astype(float)


def gappy(values: Floats, share: float) -> pc.Scores:
    """Take cells out at random; each block keeps at least one."""
    rng = np.random.default_rng(values.size)
    holes = rng.random(values.shape) < share
    holes[np.arange(len(values)), rng.integers(0, values.shape[1], len(values))] = False
    return scores(np.where(holes, np.nan, values), "lower", missing="model")


def strange_names() -> pc.Scores:
    """Return scores whose labels are code, markup, formulas, and not ASCII."""
    names = ['a"b', "x\\n$y_1$", "__import__('os')", "<script>", "=1+1", "名前 é"]
    frame = pd.DataFrame(normal(9, 6, 31), columns=names)
    frame.insert(0, "block", [f'b"{i}' for i in range(9)])
    return pc.Scores.from_wide(frame, metric="score", better="lower", block="block")


COMPLETE: dict[str, Callable[[], pc.Scores]] = {
    "garcia-herrera 30x5": pc.example,
    "normal 10x3": lambda: scores(normal(10, 3, 1)),
    "normal 15x8": lambda: scores(normal(15, 8, 2, 0.2)),
    "normal 50x4, lower is better": lambda: scores(normal(50, 4, 3), "lower"),
    "no difference 12x5": lambda: scores(normal(12, 5, 4, 0.0)),
    "strong 60x5": lambda: scores(normal(60, 5, 5, 3.0)),
    "two algorithms 15x2": lambda: scores(normal(15, 2, 6)),
    "ties 12x4": lambda: scores(integers(12, 4, 7)),
    "ties, one block all equal 10x5": lambda: scores(
        np.vstack([integers(9, 5, 8), np.full((1, 5), 2.0)])
    ),
    "scale 1e-300 8x3": lambda: scores(normal(8, 3, 9) * 1e-300),
    "scale 1e300 8x3": lambda: scores(normal(8, 3, 10) * 1e299),
    "strange names 9x6": strange_names,
}

INCOMPLETE: dict[str, Callable[[], pc.Scores]] = {
    "few cells missing 8x3": lambda: gappy(normal(8, 3, 11), 0.08),
    "a fifth missing 20x5": lambda: gappy(normal(20, 5, 12), 0.2),
    "ties and gaps 15x4": lambda: gappy(integers(15, 4, 13), 0.25),
    "complete 10x4": lambda: scores(normal(10, 4, 14)),
}


def subsets(values: Floats, size: int) -> pc.Scores:
    """Keep in each block the next subset of so many algorithms: all, in turn."""
    every = list(combinations(range(values.shape[1]), size))
    kept = np.full(values.shape, np.nan)
    for i, row in enumerate(values):
        own = list(every[i % len(every)])
        kept[i, own] = row[own]
    return scores(kept, "lower", missing="model")


BALANCED: dict[str, Callable[[], pc.Scores]] = {
    "3 of 5 in 20": lambda: subsets(normal(20, 5, 83, 0.3), 3),
    "2 of 4 in 12, ties": lambda: subsets(integers(12, 4, 84), 2),
    "4 of 6 in 15": lambda: subsets(normal(15, 6, 85), 4),
    "complete 10x4": lambda: scores(normal(10, 4, 86)),
    "3 of 4 in 8, scale 1e-300": lambda: subsets(normal(8, 4, 87) * 1e-300, 3),
}

MANY_BLOCKS: dict[str, Callable[[], pc.Scores]] = {
    "normal 1001x2": lambda: scores(normal(1001, 2, 80, 0.1)),
    "ties 1100x3": lambda: scores(integers(1100, 3, 81)),
    "normal 800x5": lambda: scores(normal(800, 5, 82, 0.2)),
}

TINY: dict[str, Callable[[], pc.Scores]] = {
    "normal 4x3": lambda: scores(normal(4, 3, 15)),
    "ties 5x3": lambda: scores(integers(5, 3, 16, 4)),
    "normal 3x4": lambda: scores(normal(3, 4, 17)),
    "normal 7x2": lambda: scores(normal(7, 2, 18)),
}


def p_vectors() -> dict[str, Floats]:
    """Return families of p-values: ordinary, tied, tiny, at the bounds, one alone."""
    rng = np.random.default_rng(20)
    return {
        "uniform, 10": rng.random(10),
        "cubed, 15": rng.random(15) ** 3,
        "tiny, 6": 10.0 ** -rng.integers(5, 60, 6),
        "ties, 10": rng.choice([0.001, 0.01, 0.04, 0.5], 10),
        "0 and 1, 6": np.array([0.0, 1.0, 0.02, 0.03, 1.0, 0.0]),
        "large, 3": np.array([0.9, 0.95, 0.99]),
        "one": np.array([0.03]),
    }


def p_tables() -> dict[str, Floats]:
    """Return tables of all pairs for 3 to 7 algorithms."""
    rng = np.random.default_rng(21)
    tables = {}
    for a in (3, 4, 5, 6, 7):
        table = np.ones((a, a))
        upper = np.triu_indices(a, 1)
        table[upper] = rng.random(len(upper[0])) ** 3
        tables[f"cubed, {a} algorithms"] = np.minimum(table, table.T)
        table[upper] = rng.choice([1e-12, 0.004, 0.02, 0.3], len(upper[0]))
        tables[f"ties, {a} algorithms"] = np.minimum(table, table.T)
    return tables


def positive(
    tables: Mapping[str, Callable[[], pc.Scores]],
) -> dict[str, Callable[[], pc.Scores]]:
    """Return tables of positive scores, blocks in units from 0.001 to 10,000."""

    def made(make: Callable[[], pc.Scores]) -> pc.Scores:
        scores = make()
        units = 10.0 ** (np.arange(scores.n_blocks) % 8 - 3)
        return dataclasses.replace(
            scores, values=np.exp2(scores.values) * units[:, None, None]
        )

    return {f"2^ {name}": partial(made, make) for name, make in tables.items()}
