"""Predictions on folds of several data sets, for tests of plans about them."""

from __future__ import annotations

import numpy as np
import pandas as pd

import pycompare as pc

COUNTS = ("tp", "fp", "tn", "fn")
COLUMNS = {
    "algorithm": "model",
    "block": "fold",
    "label": "truth",
    "score": "p",
    "positive": "yes",
}


def cases(
    n_datasets=3, folds=8, names=("a", "b", "c"), *, n=40, seed=0, shift=0.8, sizes=None
) -> pd.DataFrame:
    """Scores of n cases a fold (or as many as ``sizes`` says), a quarter positive."""
    rng = np.random.default_rng(seed)
    names = list(names)
    counts = [n if sizes is None else sizes[f % len(sizes)] for f in range(folds)]
    latent = []
    for count in counts * n_datasets:
        drawn = rng.normal(
            size=(1 + len(names), count)
        )  # how hard cases are, then noise
        positive = np.arange(count) % 4 == 0
        better = (0.5 + shift * np.arange(len(names)))[:, None] * positive
        latent.append((drawn[0] + drawn[1:] + better).ravel())
    case = np.concatenate([np.tile(np.arange(count), len(names)) for count in counts])
    model = np.concatenate([np.repeat(np.arange(len(names)), c) for c in counts])
    fold = np.repeat(np.arange(folds), [c * len(names) for c in counts])

    def text(labels, codes):
        return np.tile(np.array(labels, object)[codes], n_datasets)

    return pd.DataFrame(
        {
            "truth": text(["no", "yes"], (case % 4 == 0).astype(int)),
            "p": 1 / (1 + np.exp(0.5 - np.concatenate(latent))),
            "model": text(names, model),
            "fold": text([f"f{f}" for f in range(folds)], fold),
            "data": np.repeat([f"d{d}" for d in range(n_datasets)], len(case)),
            "case": np.tile(case, n_datasets),
        }
    )


def predictions(frame=None, *, dataset: str | None = "data", **options):
    """Read them; options of ``cases``."""
    made = cases(**options) if frame is None else frame
    return pc.Predictions.from_frame(made, dataset=dataset, **COLUMNS)
