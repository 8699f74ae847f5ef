"""Aggregates of runs with a bootstrap, beside what rliable took."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import numpy as np

import pycompare as pc

from ..run_aggregates import scores_of
from .timing import Benchmark

STORED = json.loads(
    (Path(__file__).parents[1] / "rliable" / "witness.json").read_text(encoding="utf-8")
)
FASTER = 5
"""By how much ours should be faster than rliable, which has an environment of its own:
``witness.py`` measures its CPU time of these aggregates, resamples and sizes."""


def runs_of(seed: int) -> pc.Scores:
    """Return runs of two algorithms; rliable's time is of one."""
    rng = np.random.default_rng(seed)
    return scores_of(rng.gamma(2.0, 0.5, (len(STORED["scores"]), 2, 4)))


BENCHMARKS = (
    Benchmark(
        name="interquartile mean, mean, median, optimality gap with the bootstrap",
        size="2 algorithms x 26 tasks x 4 runs, 50,000 resamples (rliable: one)",
        data=runs_of,
        ours=partial(
            pc.run_aggregates,
            gamma=1.0,
            interval="bootstrap-textbook",
            draws=STORED["draws"],
        ),
        seconds=round(STORED["intervals of four runs"]["seconds"] / FASTER, 1),
    ),
    Benchmark(
        name="interquartile mean, mean, optimality gap with t limits",
        size="2 algorithms x 26 tasks x 4 runs",
        data=runs_of,
        ours=partial(pc.run_aggregates, gamma=1.0),
        seconds=0.01,
    ),
)
