"""Seeded scores of folds within data sets, with winners that are known."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import pycompare as pc


def folds_of(
    sizes: Sequence[int],
    a: int = 4,
    *,
    seed: int = 0,
    effect: float = 0.0,
    change: float = 0.5,
    metrics: dict[str, str] | None = None,
    names: Sequence[str] | None = None,
) -> pc.Scores:
    """Normal scores in units of the folds' error.

    ``sizes``: folds of each data set. ``effect``: how much worse (lower is better) each
    algorithm is than the one before it, on every data set alike. ``change``: standard
    deviation of what a data set adds to an algorithm. The first algorithm is the best
    where ``effect`` is positive; with 0 none is.
    """
    rng = np.random.default_rng(seed)
    metrics = metrics or {"error": "lower"}
    p = len(metrics)
    signs = np.array([1.0 if d == "lower" else -1.0 for d in metrics.values()])
    tables = [
        10
        + signs * effect * np.arange(a)[:, None]
        + change * rng.normal(size=(1, a, p))
        + 2 * rng.normal(size=(1, 1, p))
        + rng.normal(size=(n, 1, p))
        + rng.normal(size=(n, a, p))
        for n in sizes
    ]
    cells = [(i + 1, j + 1) for i, n in enumerate(sizes) for j in range(n)]
    return pc.Scores(
        np.concatenate(tables),
        tuple(f"d{i}/f{j}" for i, j in cells),
        tuple(names or [f"A{j + 1}" for j in range(a)]),
        tuple(pc.Metric(name, better) for name, better in metrics.items()),
        tuple(f"d{i}" for i, _ in cells),
    )
