"""Strengths of models from battles, with sets of ranks."""

from __future__ import annotations

import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

import pycompare as pc
from pycompare.methods.battles.strengths import BattlesResult

from .timing import Benchmark, command

RANKED = """
import gc, sys
gc.set_threshold(400_000)  # as the command does
import pycompare as pc
pc.rank_sets(pc.battles(pc.read_battles(sys.argv[1])))
"""


def fought(seed: int, models: int, n: int, voters: int) -> pc.Battles:
    """Return battles of models on a ladder, by voters of whom some vote often."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, models, n)
    second = (first + rng.integers(1, models, n)) % models
    strength = np.linspace(-1, 1, models)
    s = strength[first] - strength[second] + 0.1
    chance = np.stack([np.exp(s), 0.5 * np.exp(s / 2), np.ones(n)])
    u = rng.random(n) * chance.sum(axis=0)
    outcome = np.where(u < chance[0], 1.0, np.where(u < chance[:2].sum(0), 0.5, 0.0))
    often = 1 / np.arange(1, voters + 1)
    return pc.Battles(
        models=tuple(f"model {k}" for k in range(models)),
        first=first,
        second=second,
        outcome=outcome,
        voter=rng.choice(voters, n, p=often / often.sum()),
        voters=tuple(f"voter {v}" for v in range(voters)),
    )


def small(seed: int) -> pc.Battles:
    return fought(seed, 20, 10_000, 500)


def ranked(battles: pc.Battles) -> None:
    result = pc.battles(battles)
    assert isinstance(result, BattlesResult)
    pc.rank_sets(result)


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is removed at the end."""
    return tempfile.TemporaryDirectory()


def large(_: int) -> Path:
    path = Path(folder().name) / "votes.csv"
    if not path.exists():
        fought(1, 200, 1_000_000, 8_000).to_frame().to_csv(path, index=False)
    return path


def of_file(path: Path) -> None:
    command(sys.executable, "-c", RANKED, str(path))(0)


BENCHMARKS = (
    Benchmark(
        name="strengths from battles, with sets of ranks",
        size="20 models, 10,000 battles of 500 voters",
        data=small,
        ours=ranked,
        seconds=0.3,
    ),
    Benchmark(
        name="strengths from battles, with sets of ranks, from a CSV file",
        size="200 models, 1,000,000 battles of 8,000 voters, a new process",
        data=large,
        ours=of_file,
        seconds=5,
        turns=3,
        warm_up=False,
    ),
)
