"""Many data sets: wins, thresholds, sign tests."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import pycompare as pc
from validation.benchmarks.timing import Row, medians
from validation.checks_wins import COUNTS, counts

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


PAGES = {
    "report: 300 data sets x 10 algorithms x 5 folds": (300, 5, 10, 1),
    "report: 12 metrics x 8 algorithms x 20 folds of one data set": (1, 20, 8, 12),
    "report: 100 algorithms x 30 folds of one data set": (1, 30, 100, 1),
}
MOST_SECONDS, MOST_MEGABYTES = 15.0, 10.0


def pages() -> Iterator[Row]:
    """Time large reports, and say how large their pages are."""
    for title, (n_datasets, b, a, p) in PAGES.items():
        rng = np.random.default_rng(91)
        made = rng.normal(size=(n_datasets, b, a, p)) + 0.4 * np.arange(a)[:, None]
        names = {f"metric {i + 1}": "lower" for i in range(p)}
        comparison = pc.compare(scores_of(n_datasets, b, a, made, names))
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            out = pc.report(comparison, Path(folder) / "out")
            seconds = time.perf_counter() - start
            size = (out / "report.html").stat().st_size / 1e6
        if size > MOST_MEGABYTES:
            raise AssertionError(f"{title}: the page has {size:.1f} MB")
        yield Row(f"{title}, page of {size:.1f} MB", seconds, MOST_SECONDS)


def benchmarks() -> Iterator[Row]:
    rng = np.random.default_rng(90)
    error = scores_of(100, 10, 20, rng.normal(size=(100, 10, 20)), {"error": "lower"})
    made = np.stack([counts(THRESHOLDS)(rng, 30, 5, 84) for _ in range(15)])
    names = {f"{m}@{t:g}": d for t in THRESHOLDS for m, d in COUNTS.items()}
    several = scores_of(15, 30, 5, made, names)
    predicted = predictions_of(rng, 15, 30, 5, 100)
    sweep = pc.Plan(metrics=tuple(COUNTS), thresholds=THRESHOLDS)
    calls = {
        "thresholds: 15 data sets x 5 x 30 folds x 21 x 4 counts, all T2, sign tests": (
            lambda: pc.sign_grid(pc.threshold_wins(several))
        ),
        "the same from 225,000 predictions, measured and compared as planned": (
            lambda: pc.compare(predicted, sweep)
        ),
        "the part of it that measures 4 counts at 21 thresholds": (
            lambda: predicted.measure(list(COUNTS), threshold=THRESHOLDS)
        ),
        "wins by Tukey: 100 data sets x 20 algorithms x 10 folds": (
            lambda: pc.sign_grid(pc.wins(error))
        ),
    }
    bounds = (2.0, 2.0, 2.0, 5.0)
    for (title, seconds), bound in zip(medians(calls, 7).items(), bounds, strict=True):
        yield Row(title, seconds, bound)
    yield from pages()
