"""Predictions for tests: correlated scores of some algorithms on folds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

import pycompare as pc

ALGORITHMS = (("tree", 1.0), ("kNN", 1.8))


def rows(
    folds: int = 8,
    n: int = 60,
    *,
    seed: int = 0,
    algorithms: Sequence[tuple[str, float]] = ALGORITHMS,
    grid: float = 0.0,
) -> pd.DataFrame:
    """Scores in (0, 1) of n cases a fold, a third positive; names with their shifts."""
    rng = np.random.default_rng(seed)
    positive = np.arange(n) % 3 == 0
    shifts = np.array([shift for _, shift in algorithms])[:, None]
    scores = []
    for _ in range(folds):
        common, *own = rng.normal(size=(1 + len(algorithms), n))
        scores.append(1 / (1 + np.exp(-(common + own + shifts * positive - 0.5))))
    score = np.concatenate(scores).ravel()
    in_fold = np.repeat([f"f{f}" for f in range(folds)], len(algorithms) * n)
    cases = [[f"c{f}-{i}" for i in range(n)] for f in range(folds)]
    return pd.DataFrame(
        {
            "algorithm": np.tile(np.repeat([name for name, _ in algorithms], n), folds),
            "block": in_fold,
            "label": np.tile(np.where(positive, "yes", "no"), folds * len(algorithms)),
            "score": np.round(score / grid) * grid if grid else score,
            "case": np.concatenate([np.tile(one, len(algorithms)) for one in cases]),
        }
    )


def predictions(*, frame: pd.DataFrame | None = None, **options) -> pc.Predictions:
    """Read rows; options of ``rows`` or, with a frame, of ``from_frame``."""
    made = rows(**options) if frame is None else frame
    return pc.Predictions.from_frame(
        made,
        algorithm="algorithm",
        block="block",
        label="label",
        score="score",
        positive="yes",
        **({} if frame is None else options),
    )
