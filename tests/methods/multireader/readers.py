"""Ratings for tests: correlated scores of modalities, readers and cases."""

from __future__ import annotations

import numpy as np

import pycompare as pc
from tests.conftest import golden


def simulated(t=3, r=4, n=40, *, seed=0, shift=0.3, grid=0.0, **options) -> pc.Ratings:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2 == 0
    values = rng.normal(size=(t, r, n)) + rng.normal(size=n) + rng.normal(size=(r, n))
    values += truth * (1 + shift * np.arange(t))[:, None, None]
    values += 0.4 * truth * rng.normal(size=(t, r, 1))
    if grid:
        values = np.round(values / grid) * grid
    return made(values, truth, **options)


def made(values, truth, **options) -> pc.Ratings:
    t, r, n = np.shape(values)
    return pc.Ratings(
        values=values,
        truth=truth,
        modalities=tuple(f"M{i + 1}" for i in range(t)),
        readers=tuple(f"R{j + 1}" for j in range(r)),
        cases=tuple(f"c{k + 1}" for k in range(n)),
        **options,
    )


def of_golden(name: str) -> tuple[pc.Ratings, dict]:
    case = golden(name)
    ratings = pc.Ratings.from_frame(
        case["input"],
        modality="treatment",
        reader="reader",
        case="case",
        truth="truth",
        rating="rating",
    )
    return ratings, {key: entry["value"] for key, entry in case["outputs"].items()}
