"""Truths about areas under ROC curves of cases in clusters, and what goes wrong."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.typing import Bools, Ints

from .counts import ALPHA, true_means
from .truths import EQUAL, NAMES, Generator
from .weighted import SMALL


@dataclass(frozen=True)
class Areas:
    """A truth about AUCs of cases in clusters, such as the patients of images.

    Cases of a cluster share an effect, and one of each classifier.

    Attributes
    ----------
    means : tuple of float
        How far the classes are apart by each classifier; equal numbers have equal AUCs.
    clusters : int
    unequal : bool
        Clusters of 1 to 11 cases; else all have 6.
    apart : bool
        All cases of a cluster have one class, four in ten are positive; else each
        cluster has a share of positive cases of its own.
    violates : tuple of str
    """

    means: tuple[float, ...]
    clusters: int
    unequal: bool = False
    apart: bool = False
    violates: tuple[str, ...] = ()

    def draw(self, rng: Generator) -> tuple[Bools, pd.DataFrame, Ints]:
        """Draw truths, scores of the classifiers, and clusters."""
        g, a = self.clusters, len(self.means)
        sizes = np.full(g, 6)
        if self.unequal:
            sizes = np.rint(np.linspace(1, 11, g)).astype(int)
        owner = np.repeat(np.arange(g), sizes)
        share = (rng.random(g) < 0.4) * 1.0 if self.apart else rng.beta(1, 1.5, size=g)
        truth = rng.random(len(owner)) < share[owner]
        own = rng.normal(size=(len(owner), a)) + 0.7 * rng.normal(size=(g, a))[owner]
        common = rng.normal(size=len(owner)) + 0.7 * rng.normal(size=g)[owner]
        x = own + common[:, None] + np.outer(truth, 1 + np.array(self.means))
        return truth, pd.DataFrame(x, columns=pd.Index(list(NAMES[:a]))), owner


AREAS: Mapping[str, Areas] = {
    **{
        f"4 equal, {g} clusters of {'1 to 11' if unequal else '6'}, {text}": Areas(
            EQUAL,
            g,
            unequal,
            apart,
            (SMALL,) if g * (0.4 if apart else 1) <= 50 else (),
        )
        for g in (20, 50, 100, 200)
        for unequal in (False, True)
        for text, apart in (("both classes in a cluster", False), ("one class", True))
    },
    "2 + 2 equal among 5, 200 clusters of 1 to 11, both classes in a cluster": Areas(
        (0.0, 0.0, 0.5, 1.0, 1.0), 200, True
    ),
}
OF_AREAS = {
    f"auc/delong-clusters/{adjust}": adjust for adjust in ("bergmann-hommel", "holm")
}


def area_shares(name: str, truth: Areas, runs: int) -> dict[str, Any]:
    """Return shares of data with an error, and those whose first interval holds 0."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    wrong, covered = dict.fromkeys(OF_AREAS, 0.0), 0.0
    for _ in range(runs):
        label, scores, owner = truth.draw(rng)
        for key, adjust in OF_AREAS.items():
            found = pc.delong(
                label, scores, positive=True, cluster=owner, adjust=adjust, level=0.95
            )
            one, two = true_means(found.table, truth.means)
            equal = one == two
            wrong[key] += bool((found.rejected(ALPHA) & equal).any()) / runs
        first = found.table.iloc[0]
        covered += bool(first["conf_low"] <= 0 <= first["conf_high"]) / runs
    return {"wrong": wrong, "covered": covered}
