"""The scores that rliable was asked about, and its numbers."""

import json
from pathlib import Path

import numpy as np

import pycompare as pc
from validation.run_aggregates import scores_of

STORED = json.loads(
    (Path(__file__).parents[3] / "validation/rliable/witness.json").read_text()
)


def runs_of_games():
    """Return raw scores, games x runs."""
    return np.array([STORED["scores"][game] for game in sorted(STORED["scores"])])


def normalised(first, second):
    """Return normalised scores of two groups of runs as two algorithms."""
    games = sorted(STORED["scores"])
    width = max(len(first), len(second))
    runs = np.full((len(games), 2, width), np.nan)
    for j, chosen in enumerate((first, second)):
        runs[:, j, : len(chosen)] = runs_of_games()[:, chosen]
    scores = scores_of(runs)
    low, high = (
        {f"task {k}": STORED[of][game] for k, game in enumerate(games)}
        for of in ("random", "human")
    )
    return pc.normalised_scores(scores, low=low, high=high)
