"""Scores with several runs of each algorithm on each block, for these tests."""

from __future__ import annotations

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.data.reading.answers import DOUBTS

LONG = {
    "algorithm": "a",
    "block": "f",
    "replicate": "r",
    "metrics": {"score": "higher"},
}


def frame_of(values, datasets=None) -> pd.DataFrame:
    """Long table of an array (blocks, algorithms, runs), a row a run."""
    values = np.asarray(values, float)
    rows = [
        {"f": f"f{i}", "a": f"A{j}", "r": f"s{k}", "score": values[i, j, k]}
        for i, j, k in np.ndindex(*values.shape)
    ]
    if datasets is not None:
        for row in rows:
            row["d"] = datasets[int(row["f"][1:])]
    return pd.DataFrame(rows)


def runs_of(values, datasets=None, **options) -> pc.Scores:
    """Scores of an array (blocks, algorithms, runs)."""
    roles = LONG | ({} if datasets is None else {"dataset": "d"})
    how = {"confirmed": DOUBTS, **roles, **options}
    return pc.Scores.from_frame(frame_of(values, datasets), **how)


def unequal_runs(values, **options) -> pc.Scores:
    """Scores without rows of some runs: cells have one run less than others, or two."""
    frame = frame_of(values)
    i, j, k = np.indices(np.shape(values)).reshape(3, -1)
    lacks = (k > 0) & ((2 * i + j + 3 * k) % 5 == 0)
    how = {"confirmed": DOUBTS, **LONG, **options}
    return pc.Scores.from_frame(frame[~lacks], **how)


def simulated(b=8, a=3, n=4, seed=1, interaction=0.5, effect=0.5) -> np.ndarray:
    """Runs with blocks, algorithms, their interaction and noise."""
    rng = np.random.default_rng(seed)
    cells = rng.normal(size=(b, 1)) + effect * np.arange(a)
    cells = cells + interaction * rng.normal(size=(b, a))
    return cells[:, :, None] + rng.normal(size=(b, a, n)) * 0.5
