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
    parts = []
    for d in range(n_datasets):
        for f in range(folds):
            count = n if sizes is None else sizes[f % len(sizes)]
            truth = np.where(np.arange(count) % 4 == 0, "yes", "no")
            hard = rng.normal(size=count)
            for j, name in enumerate(names):
                z = hard + rng.normal(size=count) + (0.5 + shift * j) * (truth == "yes")
                frame = pd.DataFrame({"truth": truth, "p": 1 / (1 + np.exp(0.5 - z))})
                frame = frame.assign(model=name, fold=f"f{f}", data=f"d{d}")
                parts.append(frame.assign(case=np.arange(count)))
    return pd.concat(parts, ignore_index=True)


def predictions(frame=None, *, dataset: str | None = "data", **options):
    """Read them; options of ``cases``."""
    made = cases(**options) if frame is None else frame
    return pc.Predictions.from_frame(made, dataset=dataset, **COLUMNS)
