"""Readers and cases: one study, and many at once."""

from collections.abc import Iterator
from functools import partial

import numpy as np

import pycompare as pc
from pycompare.kernels import placements
from pycompare.kernels import pseudovalues as pseudo
from pycompare.multireader.words import CovarianceName
from validation.benchmarks.timing import Row, medians

MODEL = pc.RoeMetz(
    separation=(0.75, 0.75, 0.75),
    reader=0.0055,
    modality_reader=0.0055,
    case=0.3,
    modality_case=0.3,
    reader_case=0.2,
    error=0.2,
)
SIZES = {"n_readers": 10, "n_positive": 200, "n_negative": 200}


def benchmarks() -> Iterator[Row]:
    ratings = MODEL.draw(**SIZES, seed=0)
    name = "mrmc, 3 modalities x 10 readers x 400 cases"
    choices: tuple[tuple[CovarianceName, int, float | None], ...] = (
        ("jackknife", 40, 2e-3),
        ("delong", 40, 2e-3),
        ("unbiased", 20, None),
        ("bootstrap", 3, None),
    )
    for covariance, runs, goal in choices:
        call = partial(pc.mrmc, ratings, covariance=covariance)
        yield row(f"{name}, OR, {covariance}", {"ours": call}, runs, goal)
    dbm = partial(pc.mrmc, ratings, method="dbm")
    yield row(f"{name}, DBM", {"ours": dbm}, 20)
    rng = np.random.default_rng(0)
    truth, x = MODEL.sample(rng, **SIZES, trials=50)
    rows = x.reshape(50, 30, 400)

    def many() -> None:
        pseudo.jackknife_covariance(placements.delong(truth, rows))

    yield row("AUCs and covariances of 50 such studies", {"ours": many}, 10)


def row(name: str, calls: dict, runs: int, wanted: float | None = None) -> Row:
    times = medians(calls, runs)
    peer = next((key for key in calls if key != "ours"), None)
    return Row(name, times["ours"], wanted, peer, times[peer] if peer else None)
