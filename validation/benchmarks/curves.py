"""AUC of many folds, of a million cases, DeLong, against scikit-learn."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

import pycompare as pc
from pycompare.kernels import placements
from validation.benchmarks.timing import Row, medians


def benchmarks() -> Iterator[Row]:
    rng = np.random.default_rng(0)
    yield folds(rng)
    yield from one_long(rng)
    yield from delong(rng)


def scikit_learn() -> Callable[..., float] | None:
    try:
        from sklearn.metrics import roc_auc_score
    except ImportError:
        return None
    return roc_auc_score


def folds(rng: np.random.Generator) -> Row:
    """450 folds of 200 cases in one call."""
    score = rng.random((450, 200))
    label = rng.random((450, 200)) < 0.5
    calls: dict = {"ours": partial(placements.auc, label, score)}
    peer = scikit_learn()
    if peer is not None:
        calls["scikit-learn, a loop"] = lambda: [
            peer(y, s) for y, s in zip(label, score, strict=True)
        ]
    return row("AUC, 450 folds x 200 cases", calls, 7, 2e-3)


def one_long(rng: np.random.Generator) -> Iterator[Row]:
    """A million cases, without ties and with a hundred levels."""
    label = rng.random(10**6) < 0.5
    score = rng.random(10**6)
    peer = scikit_learn()
    for words, s in (("no ties", score), ("100 levels", np.floor(score * 100))):
        calls: dict = {"ours": partial(placements.auc, label, s)}
        if peer is not None:
            calls["scikit-learn"] = partial(peer, label, s)
        yield row(f"AUC, 1e6 cases, {words}", calls, 5)


def delong(rng: np.random.Generator) -> Iterator[Row]:
    """Five classifiers on a hundred thousand cases."""
    label = rng.random(10**5) < 0.5
    score = rng.random((10**5, 5))
    kernel = partial(placements.delong, label, np.ascontiguousarray(score.T))
    whole = partial(pc.delong, label, score, positive=True)
    name = "DeLong, 5 x 1e5 cases"
    yield row(f"{name}, areas and covariances", {"ours": kernel}, 10, 40e-3)
    yield row(
        f"{name}, with all pairs and the omnibus test", {"ours": whole}, 10, 40e-3
    )


def row(name: str, calls: dict, runs: int, wanted: float | None = None) -> Row:
    times = medians(calls, runs)
    peer = next((key for key in calls if key != "ours"), None)
    return Row(name, times["ours"], wanted, peer, times[peer] if peer else None)
