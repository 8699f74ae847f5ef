"""Measures of predictions: 450 folds, one large test set, 50 million in Parquet."""

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn import metrics

import pycompare as pc
from pycompare.kernels import cumulative_counts
from validation.benchmarks.timing import Row, medians

RATES = [
    *("tpr", "fpr", "tnr", "fnr", "precision", "npv", "error", "accuracy", "f1"),
    *("mcc", "balanced_accuracy", "tp", "fp", "fn", "tn", "auc", "auc_pr"),
]
STREAMED = 50_000_000
DECLARED = {"precision": 1.0, "npv": 1.0, "mcc": 0.0}
ROLES: dict[str, Any] = {
    "algorithm": "algorithm",
    "block": "fold",
    "label": "label",
    "score": "score",
    "positive": True,
}


def cases(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Labels and probabilities."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.3
    return label, 1 / (1 + np.exp(-rng.normal(size=n) - label))


def folds(n_folds: int, n: int, algorithms: int, seed: int) -> pd.DataFrame:
    """Predictions, group by group."""
    label, score = cases(n_folds * algorithms * n, seed)
    names = np.array([f"A{j}" for j in range(algorithms)])
    return pd.DataFrame(
        {
            "fold": np.repeat(np.arange(n_folds), algorithms * n),
            "algorithm": np.tile(np.repeat(names, n), n_folds),
            "label": label,
            "score": score,
        }
    )


def one_by_one(label: np.ndarray, score: np.ndarray) -> list[float]:
    """Average precision of each row by scikit-learn."""
    pairs = zip(label, score, strict=True)
    return [metrics.average_precision_score(y, s) for y, s in pairs]


def areas(label: np.ndarray, score: np.ndarray) -> np.ndarray:
    """Average precision of each row by ours."""
    offsets = np.arange(len(label) + 1) * label.shape[1]
    return cumulative_counts.average_precision(
        cumulative_counts.steps(score.ravel(), label.ravel(), offsets)
    )


def benchmarks() -> Iterator[Row]:
    y, s = cases(450 * 200, 1)
    batch = y.reshape(450, 200), s.reshape(450, 200)
    big = cases(1_000_000, 2)
    measured = pc.Predictions.from_frame(folds(90, 200, 5, 3), **ROLES)
    calls: dict[str, Callable[[], object]] = {
        "ours": partial(areas, *batch),
        "sklearn": partial(one_by_one, *batch),
        "ours big": partial(pc.auc_pr, *big, positive=True, method="average-precision"),
        "sklearn big": partial(metrics.average_precision_score, *big),
        "all": partial(
            measured.measure,
            RATES,
            threshold=np.arange(21) / 20,
            undefined=DECLARED,
        ),
    }
    found = medians(calls, 5)
    yield Row(
        "average precision of 450 folds x 200 cases",
        found["ours"],
        peer="scikit-learn",
        peer_seconds=found["sklearn"],
    )
    yield Row(
        "average precision, 1e6 cases",
        found["ours big"],
        peer="scikit-learn",
        peer_seconds=found["sklearn big"],
    )
    yield Row("17 measures at 21 thresholds, 450 groups of 200", found["all"])
    yield from streamed()


def streamed() -> Iterator[Row]:
    """50 million predictions of 2250 groups, as files of 15 data sets."""
    with tempfile.TemporaryDirectory() as folder:
        for data in range(15):
            table = folds(30, STREAMED // 2250, 5, data)
            table.insert(0, "data", f"d{data}")
            path = Path(folder) / f"{data:02}.parquet"
            table.to_parquet(path, index=False, row_group_size=2**19)
        del table
        for workers in (1, 2):
            call = partial(
                pc.measure_file,
                folder,
                metrics=RATES,
                dataset="data",
                threshold=np.arange(21) / 20,
                undefined=DECLARED,
                workers=workers,
                **ROLES,
            )
            name = f"50 million predictions in Parquet, workers={workers}"
            yield Row(name, medians({"once": call}, 1)["once"], 60.0)
