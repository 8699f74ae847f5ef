"""Large comparisons with their reports: CPU time, size of the page and the folder."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import pycompare as pc
from validation.checks.wins import COUNTS
from validation.published_tables import EMBEDDINGS, scores

from .datasets import THRESHOLDS, predictions_of, scores_of
from .timing import Benchmark

MOST = {"page MB": 5.0, "folder MB": 20.0}
"""Largest sizes of a page and of its folder that were wanted."""
Data = pc.Scores | pc.Predictions
ON_DATA_SETS, ON_CASES = pc.Plan(blocks="datasets"), pc.Plan(blocks="cases")
MEANS = pc.Plan(blocks="datasets", compares="means")
"""Typical differences are estimated from at most 1,000 data sets."""


def one_score_each(n: int, a: int, seed: int, metrics: int = 1) -> pc.Scores:
    """Return scores of algorithms on n data sets, one each."""
    values = np.random.default_rng(seed).normal(size=(n, a, metrics))
    return pc.Scores(
        values + 0.02 * np.arange(a)[:, None],
        tuple(f"b{i}" for i in range(n)),
        tuple(f"A{j}" for j in range(a)),
        tuple(pc.Metric(f"m{i}", "higher") for i in range(metrics)),
    )


def with_ties(n: int, a: int, seed: int) -> pc.Scores:
    """Return such scores of four decimals."""
    whole = one_score_each(n, a, seed)
    return replace(whole, values=np.round(whole.values, 4))


def published_models(seed: int) -> pc.Scores:
    """Return the published scores of 104 embedding models on 41 tasks."""
    return replace(one_score_each(41, 104, seed), values=scores(EMBEDDINGS)[:, :, None])


def items(n: int, a: int, seed: int) -> pc.Scores:
    """Return right and wrong answers of models to items."""
    rng = np.random.default_rng(seed)
    hard = rng.random((n, 1))
    right = rng.random((n, a)) < 0.4 + 0.4 * hard + 0.02 * np.arange(a)
    return replace(one_score_each(n, a, seed), values=right[:, :, None].astype(float))


def of_folds(n_datasets: int, b: int, a: int, seed: int, metrics: int = 1) -> pc.Scores:
    """Return scores of folds of data sets."""
    rng = np.random.default_rng(seed)
    made = rng.normal(size=(n_datasets, b, a, metrics)) + 0.05 * np.arange(a)[:, None]
    made += 0.5 * rng.normal(size=(n_datasets, 1, a, metrics))
    names: dict[str, Any] = {f"m{i}": "lower" for i in range(metrics)}
    return scores_of(n_datasets, b, a, made, names)


def predicted(n_datasets: int, b: int, a: int, n: int, seed: int) -> pc.Predictions:
    return predictions_of(np.random.default_rng(seed), n_datasets, b, a, n)


def reported(data: Data, plan: pc.Plan | None) -> dict[str, float]:
    """Compare and write the report; return the sizes of what was written."""
    comparison = pc.compare(data) if plan is None else pc.compare(data, plan)
    with tempfile.TemporaryDirectory() as folder:
        out = pc.report(comparison, Path(folder) / "out")
        page = (out / "report.html").stat().st_size
        whole = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    return {"page MB": round(page / 1e6, 2), "folder MB": round(whole / 1e6, 2)}


def large(
    size: str,
    seconds: float | None,
    data: Callable[[int], Data],
    plan: pc.Plan | None = None,
    most: dict[str, float] = MOST,
) -> Benchmark:
    return Benchmark(
        name="compare and report",
        size=size,
        data=data,
        ours=lambda data: reported(data, plan),
        seconds=seconds,
        most=most,
        turns=3,
        warm_up=False,
    )


COMMAND = """
import resource
from pycompare.apps.cli import main
try:
    main()
finally:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6)
"""


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is removed at the end."""
    return tempfile.TemporaryDirectory()


def in_file(make: Callable[[int], pc.Scores], seed: int) -> Path:
    """Return a file with a row of scores for each block."""
    made = make(seed)
    path = Path(folder().name) / f"{len(made.blocks)}x{len(made.algorithms)}.csv"
    if not path.exists():
        text = ["block," + ",".join(made.algorithms)]
        for block, row in zip(made.blocks, made.values[:, :, 0].tolist(), strict=True):
            text.append(f"{block}," + ",".join(map(repr, row)))
        path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return path


def by_command(blocks: str, path: Path) -> dict[str, float]:
    """Compare a file in a new process; return the most memory that it took."""
    out = str(path.with_suffix(".report"))
    options = ("--wide", "--metric", "m0:higher", "--blocks", blocks, "--overwrite")
    call = [sys.executable, "-c", COMMAND, "compare", str(path), *options, "--out", out]
    told = subprocess.run(call, check=True, capture_output=True, text=True).stdout
    return {"MB": float(told.split()[-1])}


def of_file(
    size: str, seconds: float, make: Callable[[int], pc.Scores], blocks: str
) -> Benchmark:
    return Benchmark(
        name="pycompare compare, with its report",
        size=f"{size}, a CSV file, a new process",
        data=partial(in_file, make),
        ours=partial(by_command, blocks),
        seconds=seconds,
        most={"MB": 1000.0},
        turns=3,
        warm_up=False,
    )


BENCHMARKS = (
    of_file(
        "2,000 algorithms x 50 data sets",
        30,
        partial(one_score_each, 50, 2000),
        "datasets",
    ),
    of_file("4 models x 1,000,000 items", 15, partial(items, 1_000_000, 4), "cases"),
    large(
        "200 algorithms x 60 data sets",
        8,
        partial(one_score_each, 60, 200),
        ON_DATA_SETS,
    ),
    large("104 models x 41 tasks, published", 3, published_models, ON_DATA_SETS),
    large(
        "300 algorithms x 30 data sets",
        3,
        partial(one_score_each, 30, 300),
        ON_DATA_SETS,
    ),
    large(
        "500 algorithms x 100 data sets",
        20,
        partial(one_score_each, 100, 500),
        ON_DATA_SETS,
    ),
    large(
        "500 algorithms x 100 data sets, four decimals",
        None,
        partial(with_ties, 100, 500),
        ON_DATA_SETS,
    ),
    large(
        "2,000 algorithms x 50 data sets",
        30,
        partial(one_score_each, 50, 2000),
        ON_DATA_SETS,
        most={"page MB": 1.0, "folder MB": 100.0},
    ),
    large("8 models x 20,000 items", 2, partial(items, 20_000, 8), ON_CASES),
    large("4 models x 1,000,000 items", 15, partial(items, 1_000_000, 4), ON_CASES),
    large(
        "5 algorithms x 100,000 blocks",
        10,
        partial(one_score_each, 100_000, 5),
        MEANS,
    ),
    large(
        "20 algorithms x 300 data sets x 10 folds, 5 metrics",
        60,
        partial(of_folds, 300, 10, 20, metrics=5),
    ),
    large(
        "20 algorithms x 100 data sets x 10 folds, 4 counts at 21 thresholds",
        60,
        partial(predicted, 100, 10, 20, 30),
        pc.Plan(metrics=tuple(COUNTS), thresholds=THRESHOLDS),
    ),
    large(
        "5 algorithms x 30 data sets, 50 metrics",
        None,
        partial(one_score_each, 30, 5, metrics=50),
        ON_DATA_SETS,
    ),
    large("10 algorithms x 300 data sets x 5 folds", 15, partial(of_folds, 300, 5, 10)),
    large(
        "8 algorithms x 20 folds, 12 metrics",
        15,
        partial(of_folds, 1, 20, 8, metrics=12),
    ),
    large("100 algorithms x 30 folds", 15, partial(of_folds, 1, 30, 100)),
)
