"""Laws of labels of people and a judge's scores, for the studies of ``pc.labels``."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from scipy import stats

import pycompare as pc
from pycompare.base.typing import Bools, Floats

Kind = Literal[
    "useless",
    "weak",
    "generous",
    "excellent",
    "fond of the first",
    "yes",
    "yes, always",
]


@dataclass(frozen=True)
class Law:
    """Models, a judge, and who labels how many items.

    Attributes
    ----------
    accuracies : tuple of float
        Of the models, as people label them.
    judge : str
    labels, items : int
    strata : bool
        Whether hard and easy items are strata with half of the labels each.
    """

    accuracies: tuple[float, ...]
    judge: Kind
    labels: int
    items: int = 500
    strata: bool = False

    def answers(self, rng: Generator, items: int) -> tuple[Floats, Floats, Bools]:
        """Return labels and judge's scores of answers, and which items are hard."""
        k = len(self.accuracies)
        level = rng.normal(size=(items, 1))
        cut = stats.norm.isf(self.accuracies) * math.sqrt(2)
        y = (level + rng.normal(size=(items, k)) > cut).astype(float)
        u = rng.random((items, k))
        hard = level[:, 0] + 0.5 * rng.normal(size=items) < -0.8
        f = {
            "useless": u < 0.7,
            "weak": np.where(u < 0.7, y, 1 - y),
            "generous": np.where(y == 1, 1, u < 0.6),
            "excellent": np.where(u < 0.97, y, 1 - y),
            "fond of the first": np.where(u < 0.85, y, 1 - y),
            "yes": np.where(y == 1, 1, u < 0.9),
            "yes, always": np.where(y == 1, 1, u < 0.96),
        }[self.judge].astype(float)
        if self.judge == "fond of the first":
            f[:, 0] = np.maximum(f[:, 0], rng.random(items) < 0.3)
        return y, f, hard

    def draw(self, rng: Generator) -> tuple[pc.Scores, Floats]:
        """Return one table, and the labels that people would give to all items."""
        y, f, hard = self.answers(rng, self.items)
        kept = np.zeros(self.items, bool)
        parts = [hard, ~hard] if self.strata else [np.ones(self.items, bool)]
        for part in parts:
            own = np.flatnonzero(part)
            count = min(self.labels // len(parts), len(own))
            kept[rng.choice(own, count, replace=False)] = True
        scores = pc.Scores(
            values=np.where(kept[:, None], y, np.nan)[:, :, None],
            blocks=tuple(map(str, range(self.items))),
            algorithms=tuple(f"m{i}" for i in range(y.shape[1])),
            metrics=(pc.Metric("human", "higher"),),
            judge=f,
            strata=tuple(np.where(hard, "hard", "easy").tolist())
            if self.strata
            else None,
        )
        return scores, y
