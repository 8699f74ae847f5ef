"""Strengths of models from battles, with sets of ranks."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

import pycompare as pc
from pycompare.methods.battles.strengths import BattlesResult

from .own_python import interpreter
from .timing import Benchmark, Work, command

LARGE = "200 models, 1,000,000 battles of 8,000 voters, a new process"
ROUNDS = 5
RANKED = """
import gc, sys
gc.set_threshold(400_000)  # as the command does
import pycompare as pc
pc.rank_sets(pc.battles(pc.read_battles(sys.argv[1])))
import resource
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
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


def of_file(path: Path) -> dict[str, float]:
    """Rank the models of a file; return the memory that it took."""
    call = [sys.executable, "-c", RANKED, str(path)]
    told = subprocess.run(call, check=True, capture_output=True, text=True).stdout
    return {"MB": float(told)}


READ = """
import sys, warnings
warnings.simplefilter("ignore")
import pandas as pd
votes = pd.read_csv(sys.argv[1])
"""
EVALICA = f"""
import evalica
winner = evalica.Winner
words = {{"first": winner.X, "second": winner.Y, "tie": winner.Draw}}
for seed in range({ROUNDS}):
    drawn = votes.sample(frac=1, replace=True, random_state=seed)
    won = drawn["winner"].map(words)
    evalica.bradley_terry(drawn["model_1"], drawn["model_2"], won)
"""
ARENA_RANK = """
from arena_rank.models.bradley_terry import BradleyTerry
from arena_rank.utils.data_utils import PairDataset
words = {"first": "model_a", "second": "model_b"}
votes["winner"] = votes["winner"].replace(words)
data = PairDataset.from_pandas(votes, competitor_cols=["model_1", "model_2"])
BradleyTerry(n_competitors=len(data.competitors)).compute_ratings_and_cis(data)
"""


def by_peer(code: str) -> Work:
    """Return what runs a peer on a file, in a new process of its environment."""

    def work(path: Path) -> None:
        command(str(interpreter()), "-c", READ + code, str(path))(0)

    return work


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
        size=LARGE,
        data=large,
        ours=of_file,
        peer=by_peer(EVALICA),
        by=f"evalica, {ROUNDS} bootstrap rounds of the usual 100",
        ratio=0.1 * 100 / ROUNDS,
        seconds=5,
        most={"MB": 1000.0},
        turns=3,
        warm_up=False,
    ),
    Benchmark(
        name="strengths from battles, with sets of ranks, from a CSV file",
        size=LARGE,
        data=large,
        ours=of_file,
        peer=by_peer(ARENA_RANK),
        by="arena-rank, single intervals without voters",
        ratio=0.7,
        seconds=5,
        turns=3,
        warm_up=False,
    ),
)
