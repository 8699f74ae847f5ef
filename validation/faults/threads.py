"""The same computation in eight threads at once."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pycompare as pc

from .commands import Command
from .processes import DATE


def measured() -> pc.Scores:
    """Measure the example of predictions."""
    return pc.example("predictions").measure(["error", "auc"])


def rated() -> Any:
    """Compare modalities by readers."""
    model = pc.RoeMetz(
        separation=(1.0, 1.2),
        reader=0.01,
        modality_reader=0.01,
        case=0.3,
        modality_case=0.3,
        reader_case=0.2,
        error=0.2,
    )
    return pc.mrmc(model.draw(n_readers=4, n_positive=40, n_negative=40, seed=1))


def modelled() -> Any:
    """Fit a linear model with error strata to the example."""
    frame = pc.example().to_frame()
    return pc.linear_model(frame, "accuracy ~ algorithm", within="block")


def written() -> dict[str, str]:
    """Write a report; return the hashes of its files."""
    with tempfile.TemporaryDirectory() as at:
        out = pc.report(pc.compare(pc.example()), Path(at) / "OUT")
        return Command((out.name,)).content(out.parent)


THREADS: Mapping[str, Callable[[], Any]] = {
    "ranks": lambda: pc.compare(pc.example()).to_dict(),
    "folds": lambda: pc.compare(
        pc.example("folds"), pc.Plan(n_train=216, n_test=24)
    ).to_dict(),
    "flips": lambda: pc.max_t(pc.example()).to_dict(),
    "permutations": lambda: pc.closed_permutation(
        pc.example(), permutations=99
    ).to_dict(),
    "bergmann-hommel": lambda: pc.rank_pairs(pc.example()).to_dict(),
    "measure": lambda: measured().sha256,
    "readers": lambda: rated().to_dict(),
    "model": lambda: modelled().to_dict(),
    "page": written,
}
"""What is computed in eight threads at once."""


def in_threads(name: str, number: int = 0) -> tuple[int, list[str]]:
    """Compute in eight threads at once what one thread computes alone."""
    work = THREADS[name]
    os.environ["SOURCE_DATE_EPOCH"] = DATE
    alone = json.dumps(work())
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: json.dumps(work()), range(8)))
    return 8, [] if found == {alone} else [f"{len(found)} results"]
