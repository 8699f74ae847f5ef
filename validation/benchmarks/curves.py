"""Areas and rates of scored cases, DeLong, files of predictions, readers."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.kernels import cumulative_counts, placements
from pycompare.kernels import pseudovalues as pseudo

from .timing import Benchmark

RATES = [
    *("tpr", "fpr", "tnr", "fnr", "precision", "npv", "error", "accuracy", "f1"),
    *("mcc", "balanced_accuracy", "tp", "fp", "fn", "tn", "auc", "auc_pr"),
]
STREAMED = 50_000_000
DECLARED = {"precision": 1.0, "npv": 1.0, "mcc": 0.0}
THRESHOLDS = np.arange(21) / 20
ROLES: dict[str, Any] = {
    "algorithm": "algorithm",
    "block": "fold",
    "label": "label",
    "score": "score",
    "positive": True,
}
MODEL = pc.RoeMetz(
    separation=(0.75, 0.75, 0.75),
    reader=0.0055,
    modality_reader=0.0055,
    case=0.3,
    modality_case=0.3,
    reader_case=0.2,
    error=0.2,
)
READERS = {"n_readers": 10, "n_positive": 200, "n_negative": 200}
READERS_SIZE = "3 modalities x 10 readers x 400 cases"
FOLDS = "450 folds x 200 cases"

# ---- data ---------------------------------------------------------------------------


def cases(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return labels and probabilities."""
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.3
    return label, 1 / (1 + np.exp(-rng.normal(size=n) - label))


def batch(seed: int) -> tuple[np.ndarray, np.ndarray]:
    label, score = cases(450 * 200, seed)
    return label.reshape(450, 200), score.reshape(450, 200)


def long(seed: int) -> tuple[np.ndarray, np.ndarray]:
    return cases(10**6, seed)


def levels(seed: int) -> tuple[np.ndarray, np.ndarray]:
    label, score = long(seed)
    return label, np.floor(score * 100)


def five(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return five classifiers' scores of a hundred thousand cases."""
    rng = np.random.default_rng(seed)
    return rng.random(10**5) < 0.5, rng.random((10**5, 5))


def folds(n_folds: int, n: int, algorithms: int, seed: int) -> pd.DataFrame:
    """Return predictions, group by group."""
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


def predictions(seed: int) -> pc.Predictions:
    return pc.Predictions.from_frame(folds(90, 200, 5, seed), **ROLES)


@cache
def _folder() -> tempfile.TemporaryDirectory:
    """Write 50 million predictions of 2250 groups, as files of 15 data sets."""
    folder = tempfile.TemporaryDirectory()
    for data in range(15):
        table = folds(30, STREAMED // 2250, 5, data)
        table.insert(0, "data", f"d{data}")
        path = Path(folder.name) / f"{data:02}.parquet"
        table.to_parquet(path, index=False, row_group_size=2**19)
    return folder


def files(_: int) -> str:
    """Return the folder of the files, which are too large to be new each time."""
    return str(_folder().name)


IN_ANY_ORDER = 10**7


@cache
def _ordered(n: int, order: str) -> tempfile.TemporaryDirectory:
    """Write so many predictions of 1,000 groups, in any order or sorted by group."""
    folder = tempfile.TemporaryDirectory()
    table = folds(200, n // 1000, 5, seed=1)
    if order == "any":
        table = table.sample(frac=1, random_state=1)
    path = Path(folder.name) / "predictions.parquet"
    table.to_parquet(path, index=False, row_group_size=2**18)
    return folder


def in_order(n: int, order: str) -> Path:
    """Return a file with rows in an order."""
    return Path(_ordered(n, order).name) / "predictions.parquet"


def measured(path: Path) -> object:
    return pc.measure_file(path, metrics=["error", "auc"], threshold=0.5, **ROLES)


def ratings(seed: int) -> pc.Ratings:
    return MODEL.draw(**READERS, seed=seed)


def many_ratings(seed: int) -> pc.Ratings:
    model = replace(MODEL, separation=(0.75, 0.75))
    return model.draw(n_readers=10, n_positive=10_000, n_negative=10_000, seed=seed)


def fifty_studies(seed: int) -> tuple[np.ndarray, np.ndarray]:
    truth, x = MODEL.sample(np.random.default_rng(seed), **READERS, trials=50)
    return truth, x.reshape(50, 30, 400)


# ---- calls --------------------------------------------------------------------------

Cases = tuple[np.ndarray, np.ndarray]


def precisions(data: Cases) -> np.ndarray:
    """Return the average precision of each fold."""
    label, score = data
    offsets = np.arange(len(label) + 1) * label.shape[1]
    steps = cumulative_counts.steps(score.ravel(), label.ravel(), offsets)
    return cumulative_counts.average_precision(steps)


def scikit_learn(metric: str, data: Cases) -> float:
    from sklearn import metrics

    return float(getattr(metrics, metric)(*data))


def one_by_one(metric: str, data: Cases) -> list[float]:
    """Return what scikit-learn gives for each fold."""
    return [scikit_learn(metric, one) for one in zip(*data, strict=True)]


def five_areas(data: Cases) -> object:
    label, score = data
    return placements.delong(label, np.ascontiguousarray(score.T))


def streamed(folder: str, *, workers: int) -> object:
    return pc.measure_file(
        folder,
        metrics=RATES,
        dataset="data",
        threshold=THRESHOLDS,
        undefined=DECLARED,
        workers=workers,
        **ROLES,
    )


def of_readers(
    name: str, seconds: float | None, turns: int = 9, **options: Any
) -> Benchmark:
    return Benchmark(
        name=f"mrmc, {name}",
        size=READERS_SIZE,
        data=ratings,
        ours=lambda data: pc.mrmc(data, **options),
        seconds=seconds,
        turns=turns,
    )


BENCHMARKS = (
    Benchmark(
        name="AUC in a batch",
        size=FOLDS,
        data=batch,
        ours=lambda data: placements.auc(*data),
        peer=partial(one_by_one, "roc_auc_score"),
        by="scikit-learn, a loop",
        seconds=2e-3,
    ),
    *(
        Benchmark(
            name=f"AUC, {words}",
            size="1,000,000 cases",
            data=make,
            ours=lambda data: placements.auc(*data),
            peer=partial(scikit_learn, "roc_auc_score"),
            by="scikit-learn",
        )
        for words, make in (("no ties", long), ("100 levels", levels))
    ),
    Benchmark(
        name="average precision in a batch",
        size=FOLDS,
        data=batch,
        ours=precisions,
        peer=partial(one_by_one, "average_precision_score"),
        by="scikit-learn, a loop",
    ),
    Benchmark(
        name="auc_pr, average precision",
        size="1,000,000 cases",
        data=long,
        ours=lambda data: pc.auc_pr(*data, positive=True, method="average-precision"),
        peer=partial(scikit_learn, "average_precision_score"),
        by="scikit-learn",
    ),
    Benchmark(
        name="areas and covariances, DeLong",
        size="5 x 100,000 cases",
        data=five,
        ours=five_areas,
        seconds=40e-3,
    ),
    Benchmark(
        name="delong, with all pairs and the omnibus test",
        size="5 x 100,000 cases",
        data=five,
        ours=lambda data: pc.delong(*data, positive=True),
        seconds=40e-3,
    ),
    Benchmark(
        name="Predictions.measure, 17 metrics at 21 thresholds",
        size="450 groups x 200 cases",
        data=predictions,
        ours=lambda data: data.measure(RATES, threshold=THRESHOLDS, undefined=DECLARED),
    ),
    *(
        Benchmark(
            name=f"measure_file, Parquet, 17 metrics, {workers} worker(s)",
            size="50,000,000 predictions, 21 thresholds",
            data=files,
            ours=partial(streamed, workers=workers),
            seconds=60,
            turns=3,
            warm_up=False,
        )
        for workers in (1, 2)
    ),
    Benchmark(
        name="measure_file, Parquet in any order",
        size=f"{IN_ANY_ORDER:,} predictions of 1,000 groups",
        ours=lambda _: measured(in_order(IN_ANY_ORDER, "any")),
        peer=lambda _: measured(in_order(IN_ANY_ORDER, "by group")),
        by="the same rows sorted by group",
        ratio=2,
        turns=3,
    ),
    of_readers("Obuchowski-Rockette, jackknife", 2e-3),
    of_readers("Obuchowski-Rockette, DeLong", 2e-3, covariance="delong"),
    of_readers("Obuchowski-Rockette, unbiased", None, covariance="unbiased"),
    Benchmark(
        name="mrmc, Obuchowski-Rockette, unbiased",
        size="2 modalities x 10 readers x 20,000 cases",
        data=many_ratings,
        ours=lambda data: pc.mrmc(data, covariance="unbiased"),
        seconds=1.5,
        turns=3,
    ),
    of_readers("Obuchowski-Rockette, bootstrap", None, 6, covariance="bootstrap"),
    of_readers("DBM", None, method="dbm"),
    Benchmark(
        name="AUCs and covariances in a batch, each study",
        size=f"{READERS_SIZE}, 50 studies",
        data=fifty_studies,
        ours=lambda data: pseudo.jackknife_covariance(placements.delong(*data)),
        count=50,
    ),
)
