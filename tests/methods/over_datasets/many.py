"""Scores of folds within many data sets, for tests of wins."""

from __future__ import annotations

import numpy as np

import pycompare as pc


def scores_of(
    tables: list[np.ndarray], metrics: dict[str, str], names=None, **options
) -> pc.Scores:
    """Scores from one array (folds, algorithms, metrics) a data set."""
    a = tables[0].shape[1]
    cells = [(i, j) for i, t in enumerate(tables) for j in range(len(t))]
    return pc.Scores(
        np.concatenate(tables),
        tuple(f"d{i + 1}/f{j + 1}" for i, j in cells),
        tuple(names or [f"A{j + 1}" for j in range(a)]),
        tuple(pc.Metric(name, better) for name, better in metrics.items()),
        tuple(f"d{i + 1}" for i, _ in cells),
        **options,
    )


def normal(
    n_datasets=6, b=10, a=4, p=1, *, seed=0, spread=0.6, better="lower"
) -> pc.Scores:
    """Normal scores with effects of folds, algorithms and both in a data set."""
    rng = np.random.default_rng(seed)
    tables = [
        rng.normal(size=(b, a, p))
        + rng.normal(size=(b, 1, 1))
        + spread * rng.normal(size=(1, a, p))
        + spread * np.arange(a)[:, None]
        for _ in range(n_datasets)
    ]
    return scores_of(tables, {f"m{j + 1}": better for j in range(p)})


def counts(n_datasets=6, b=10, a=4, thresholds=(0.5,), *, seed=0) -> pc.Scores:
    """tp, fp, fn, tn of 40 positives and 60 negatives a fold, at thresholds."""
    rng = np.random.default_rng(seed)
    tables = []
    for _ in range(n_datasets):
        quality = 0.5 + 1.5 * rng.random(a)[None, :, None]
        positive = rng.normal(0.5, 0.4, size=(b, a, 40)) + 0.15 * quality
        negative = rng.normal(0.5, 0.4, size=(b, 1, 60)) - 0.15 * quality
        columns = []
        for t in thresholds:
            tp = (np.clip(positive, 0, 1) >= t).sum(axis=2)
            fp = (np.clip(negative, 0, 1) >= t).sum(axis=2)
            columns += [tp, fp, 40 - tp, 60 - fp]
        tables.append(np.stack(columns, axis=-1).astype(float))
    better = {"tp": "higher", "fp": "lower", "fn": "lower", "tn": "higher"}
    several = len(thresholds) > 1
    names = {
        (f"{m}@{t:g}" if several else m): d
        for t in thresholds
        for m, d in better.items()
    }
    return scores_of(tables, names)
