"""Scores and predictions of many data sets: wins, thresholds, sign tests."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from validation.checks.wins import COUNTS, counts

from .timing import Benchmark

THRESHOLDS = tuple(round(i / 20, 2) for i in range(21))


def scores_of(
    n_datasets: int, b: int, a: int, values: np.ndarray, names: dict[str, Any]
) -> pc.Scores:
    """Return scores of folds within data sets."""
    cells = [(i, j) for i in range(n_datasets) for j in range(b)]
    return pc.Scores(
        values.reshape(n_datasets * b, a, -1),
        tuple(f"d{i}/f{j}" for i, j in cells),
        tuple(f"A{j}" for j in range(a)),
        tuple(pc.Metric(name, better) for name, better in names.items()),
        tuple(f"d{i}" for i, _ in cells),
    )


def predictions_of(
    rng: np.random.Generator, n_datasets: int, b: int, a: int, n: int
) -> pc.Predictions:
    """Return scores in [0, 1] of n cases a fold, a third of them positive."""
    positive = np.tile(np.arange(n) % 3 == 0, n_datasets * b * a)
    shift = np.tile(np.repeat(0.2 * np.arange(a), n), n_datasets * b)
    z = rng.normal(size=positive.size) + (1 + shift) * positive - 0.5
    cells = [(i, j) for i in range(n_datasets) for j in range(b)]
    return pc.Predictions(
        score=1 / (1 + np.exp(-z)),
        is_positive=positive,
        offsets=np.arange(0, positive.size + 1, n),
        blocks=tuple(f"d{i}/f{j}" for i, j in cells),
        algorithms=tuple(f"A{j}" for j in range(a)),
        datasets=tuple(f"d{i}" for i, _ in cells),
        positive="yes",
        negative="no",
    )


def counts_at(thresholds: tuple[float, ...], seed: int) -> pc.Scores:
    """Return four counts at thresholds, of 5 algorithms on 30 folds of 15 data sets."""
    rng = np.random.default_rng(seed)
    made = np.stack([counts(thresholds)(rng, 30, 5, 0) for _ in range(15)])
    names = {f"{m}@{t:g}": d for t in thresholds for m, d in COUNTS.items()}
    return scores_of(15, 30, 5, made, names)


def predicted(seed: int) -> pc.Predictions:
    return predictions_of(np.random.default_rng(seed), 15, 30, 5, 100)


def errors(seed: int) -> pc.Scores:
    made = np.random.default_rng(seed).normal(size=(100, 10, 20))
    return scores_of(100, 10, 20, made, {"error": "lower"})


SWEEP = pc.Plan(metrics=tuple(COUNTS), thresholds=THRESHOLDS)
SIZE = "15 data sets x 5 x 30 folds, 4 counts at 21 thresholds"

BENCHMARKS = (
    Benchmark(
        name="threshold_wins by T2 and sign_grid",
        size=SIZE,
        data=partial(counts_at, THRESHOLDS),
        ours=lambda data: pc.sign_grid(pc.threshold_wins(data)),
        seconds=2,
        turns=6,
    ),
    Benchmark(
        name="compare, threshold sweep of 225,000 predictions",
        size=SIZE,
        data=predicted,
        ours=lambda data: pc.compare(data, SWEEP),
        seconds=2,
        turns=6,
    ),
    Benchmark(
        name="Predictions.measure, 225,000 predictions",
        size=SIZE,
        data=predicted,
        ours=lambda data: data.measure(list(COUNTS), threshold=THRESHOLDS),
        seconds=2,
        turns=6,
    ),
    Benchmark(
        name="wins by Tukey and sign_grid",
        size="100 data sets x 20 x 10 folds",
        data=errors,
        ours=lambda data: pc.sign_grid(pc.wins(data)),
        seconds=5,
        turns=6,
    ),
)
