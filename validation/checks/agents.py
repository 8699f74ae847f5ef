"""Checks of aggregates, pairs and profiles of runs on fixed tasks."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.metric import Metric
from pycompare.data.runs import mean_of_runs

from ..agreement import Check, Wanted
from ..making import CLOSED, Makers, check

BOUNDED = Wanted(12, CLOSED.why, 1.0)
"""Limits of shares and of differences: what cancels has no digits of its own."""
DERIVED = "derivation in R, with pycompare's resamples"


def scores_of_runs(
    n_tasks: int, n_algorithms: int, n_runs: int, seed: int, **options: Any
) -> pc.Scores:
    """Return runs of tasks of different levels; some runs fail.

    ``ragged`` leaves out runs beyond two at random; ``ties`` rounds scores.
    """
    rng = np.random.default_rng(seed)
    shape = (n_tasks, n_algorithms, 1, n_runs)
    level = np.exp(rng.normal(-0.5, 1.0, (n_tasks, 1, 1, 1)))
    runs = level * (1 + 0.4 * rng.normal(size=shape))
    runs = (
        runs * (rng.random(shape) > 0.1) + 0.1 * np.arange(n_algorithms)[:, None, None]
    )
    if options.get("ties"):
        runs = np.round(runs, 1)
    if options.get("ragged"):
        runs[..., 2:][rng.random((*shape[:3], n_runs - 2)) < 0.4] = np.nan
    return pc.Scores(
        values=mean_of_runs(runs),
        runs=runs,
        replicates=tuple(str(k + 1) for k in range(n_runs)),
        blocks=tuple(f"task {k + 1}" for k in range(n_tasks)),
        algorithms=tuple(f"A{k + 1}" for k in range(n_algorithms)),
        metrics=(Metric("return", options.get("better", "higher")),),
    )


def _lower() -> pc.Scores:
    return scores_of_runs(4, 2, 10, 4, better="lower")


def _still() -> pc.Scores:
    """Return runs of which those of the first algorithm do not vary."""
    scores = scores_of_runs(5, 3, 4, 8)
    assert scores.runs is not None
    runs = scores.runs.copy()
    runs[:, 0] = runs[:, 0, :, :1]
    return replace(scores, runs=runs, values=mean_of_runs(runs))


RUNS: Makers = {
    "26 tasks, 5 runs": lambda: scores_of_runs(26, 3, 5, 1),
    "6 tasks, 3 runs, ties": lambda: scores_of_runs(6, 4, 3, 2, ties=True),
    "10 tasks, 2 to 8 runs": lambda: scores_of_runs(10, 3, 8, 3, ragged=True),
    "4 tasks, 10 runs, lower is better": _lower,
    "runs that do not vary": _still,
    "huge scores": lambda: pc.normalised_scores(
        scores_of_runs(5, 2, 4, 5), low=0.0, high=1e-100
    ),
}


def agent_checks() -> list[Check]:
    """Return the checks of this file."""
    forms: dict[str, dict[str, Any]] = {
        "t": {},
        "t, with a gap": {"gamma": 0.8, "level": 0.9},
        "bootstrap": {"gamma": 1.0, "interval": "bootstrap", "draws": 200, "seed": 7},
        "bootstrap, textbook": {
            "interval": "bootstrap-textbook", "draws": 150, "seed": 1,
        },
    }  # fmt: skip
    aggregates = [
        check(f"aggregates of runs, {name}", DERIVED, RUNS,
              partial(pc.run_aggregates, **options))
        for name, options in forms.items()
    ]  # fmt: skip
    pairs = [
        check(f"pairs of runs, {name}", DERIVED, RUNS,
              partial(pc.run_pairs, **options))
        for name, options in {**forms, "a control": {"control": "A2"}}.items()
    ]  # fmt: skip
    one_scale: dict[str, Any] = {
        "low": {f"task {k}": 3.0 + k for k in range(1, 5)}, "high": 0.5,
    }  # fmt: skip
    losses: Makers = {"4 tasks, lower is better": _lower}
    normalised = [
        check("aggregates of runs, normalised", DERIVED, losses,
              partial(pc.run_aggregates, gamma=1.0, **one_scale)),
        check("pairs of runs, normalised", DERIVED, losses,
              partial(pc.run_pairs, **one_scale)),
        check("profiles of runs, normalised", DERIVED, losses,
              partial(pc.run_profiles, draws=200, **one_scale),
              conf_low=BOUNDED, conf_high=BOUNDED),
    ]  # fmt: skip
    profiles = check(
        "profiles of runs",
        DERIVED,
        RUNS,
        partial(pc.run_profiles, draws=200, seed=3),
        conf_low=BOUNDED,
        conf_high=BOUNDED,
    )
    return [*aggregates, *pairs, profiles, *normalised]
