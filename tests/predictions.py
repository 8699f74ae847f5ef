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
    label = np.where(np.arange(n) % 3 == 0, "yes", "no")
    parts = []
    for f in range(folds):
        common = rng.normal(size=n)
        for name, shift in algorithms:
            z = common + rng.normal(size=n) + shift * (label == "yes") - 0.5
            score = 1 / (1 + np.exp(-z))
            score = np.round(score / grid) * grid if grid else score
            part = {"algorithm": name, "block": f"f{f}", "label": label, "score": score}
            parts.append(
                pd.DataFrame(part).assign(case=[f"c{f}-{i}" for i in range(n)])
            )
    return pd.concat(parts, ignore_index=True)


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
