"""People's labels of some items beside a judge's scores of all."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

import numpy as np

import pycompare as pc
from pycompare.base.typing import Bools, Floats

from .own_python import InPython
from .timing import Benchmark

MODELS, ITEMS, LABELS = 30, 20_000, 500
READ = """
import sys, warnings
warnings.simplefilter("ignore")
import numpy as np
from itertools import combinations
from ppi_py import ppi_mean_ci
held = np.load({path!r})
y, f, rest = held["y"], held["f"], held["rest"]
"""
EACH_PAIR = """
for a, b in combinations(range(y.shape[1]), 2):
    of_pair = (part[:, a] - part[:, b] for part in (y, f, rest))
    ppi_mean_ci(*of_pair, alpha=0.05)
"""


def answers(
    seed: int, models: int, items: int, labels: int
) -> tuple[Floats, Floats, Bools]:
    """Return labels and judge's scores of answers, and which items have labels."""
    rng = np.random.default_rng(seed)
    level = rng.normal(size=(items, 1)) + np.linspace(0, 0.6, models)
    y = (level + rng.normal(size=(items, models)) > 0).astype(float)
    f = np.where(rng.random((items, models)) < 0.85, y, 1 - y)
    kept = np.zeros(items, bool)
    kept[rng.choice(items, labels, replace=False)] = True
    return y, f, kept


def scores(seed: int, models: int, items: int, labels: int) -> pc.Scores:
    y, f, kept = answers(seed, models, items, labels)
    return pc.Scores(
        values=np.where(kept[:, None], y, np.nan)[:, :, None],
        blocks=tuple(map(str, range(items))),
        algorithms=tuple(f"model {k}" for k in range(models)),
        metrics=(pc.Metric("human", "higher"),),
        judge=f,
    )


def large(seed: int) -> pc.Scores:
    return scores(seed, MODELS, ITEMS, LABELS)


def small(seed: int) -> pc.Scores:
    return scores(seed, 5, 2_000, 100)


def labelled(data: pc.Scores) -> object:
    return pc.labels(data, chosen="random").table


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is removed at the end."""
    return tempfile.TemporaryDirectory()


def stored() -> str:
    """Return code of the peer that reads labels and scores of the same size."""
    path = Path(folder().name) / "labels.npz"
    y, f, kept = answers(0, MODELS, ITEMS, LABELS)
    np.savez(path, y=y[kept], f=f[kept], rest=f[~kept])
    return READ.format(path=str(path))


BENCHMARKS = (
    Benchmark(
        name="labels beside a judge, all pairs",
        size=f"{MODELS} models x {ITEMS:,} items, {LABELS} labelled",
        data=large,
        ours=labelled,
        peer=InPython(stored, EACH_PAIR),
        by="ppi_py, pair by pair (no joint statements)",
        ratio=1.5,
    ),
    Benchmark(
        name="labels beside a judge, all pairs",
        size="5 models x 2,000 items, 100 labelled",
        data=small,
        ours=labelled,
        seconds=0.02,
    ),
)
