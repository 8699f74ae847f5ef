"""Rankings of challenges with their stability and sets of ranks, and a page of one.

challengeR 1.0.5 takes 4.0 s of CPU for 100 resamples of the small challenge (three
tasks of 50, 50 and 121 cases, five algorithms); it is not in Debian, so that number is
stored here, not measured again. Ours makes 1,000 resamples, and the sets.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import pycompare as pc

from .timing import Benchmark

CHALLENGER = 4.0
"""CPU seconds of challengeR for 100 resamples of the small challenge."""


def challenge_of(seed: int, sizes: tuple[int, ...], a: int) -> pc.Scores:
    """Return Dice-like scores of algorithms on tasks of so many cases."""
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    latent = rng.normal(1.5, 1.0, (n, 1)) + rng.normal(size=(n, a))
    return pc.Scores(
        1 / (1 + np.exp(-latent - 0.02 * np.arange(a)))[:, :, None],
        blocks=tuple(f"c{i}" for i in range(n)),
        algorithms=tuple(f"A{i}" for i in range(a)),
        metrics=(pc.Metric("dice", "higher"),),
        groups=tuple(np.repeat([f"t{k}" for k in range(len(sizes))], sizes).tolist()),
    )


def small(seed: int) -> pc.Scores:
    return challenge_of(seed, (50, 50, 121), 5)


def large(seed: int) -> pc.Scores:
    return challenge_of(seed, (500,) * 10, 50)


def ranked(scores: pc.Scores) -> None:
    pc.challenge(scores, ranking="rank-then-aggregate", weights="equal")


def page_of(scores: pc.Scores) -> None:
    plan = pc.Plan(blocks="cases", ranking="rank-then-aggregate", weights="equal")
    with tempfile.TemporaryDirectory() as folder:
        pc.report(pc.compare(scores, plan), Path(folder) / "report")


BENCHMARKS = (
    Benchmark(
        name="ranking of a challenge, 1,000 resamples, sets of ranks",
        size="three tasks of 50, 50 and 121 cases, 5 algorithms",
        data=small,
        ours=ranked,
        seconds=CHALLENGER / 10,
    ),
    Benchmark(
        name="ranking of a challenge with its report",
        size="10 tasks of 500 cases, 50 algorithms",
        data=large,
        ours=page_of,
        seconds=5,
        turns=3,
        warm_up=False,
    ),
)
