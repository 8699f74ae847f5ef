"""Linear models by formula on random designs, each contrast against R's emmeans.

Factors are crossed, lie within each other or both, cells are empty, covariates have
slopes of groups: a mean or contrast is estimated there exactly if it is by emmeans.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.errors import DesignError
from pycompare.methods.models.emmeans import Contrasts, MarginalMeans
from pycompare.methods.models.linear_model import LinearModel
from validation.r import Worker, run

_FORMULAS = (
    "y ~ alg + data/fold", "y ~ alg * data + data:fold", "y ~ alg + data:fold",
    "y ~ alg + data + fold", "y ~ alg * data + fold", "y ~ alg + prep * data",
    "y ~ alg * prep + data", "y ~ alg * prep * data", "y ~ (alg + prep + data)^2",
    "y ~ alg + data/prep/fold", "y ~ prep + alg * x", "y ~ alg * x + data/fold",
    "y ~ alg + alg:prep", "y ~ prep:data + alg", "y ~ 0 + alg + prep:data",
    "y ~ alg * prep + prep:x", "y ~ alg + prep + data + fold",
    "y ~ alg/prep + data", "y ~ data/(prep + fold) + alg",
)  # fmt: skip


def random_model(seed: int) -> tuple[pd.DataFrame, str]:
    """Return a random design with empty cells, and a formula."""
    rng = np.random.default_rng([seed, 37])
    sizes = {"alg": 2 + rng.integers(2), "data": 2 + rng.integers(2),
             "prep": 2 + rng.integers(2), "fold": 2 + rng.integers(2)}  # fmt: skip
    cells = np.array(np.meshgrid(*map(np.arange, sizes.values()), indexing="ij"))
    cells = cells.reshape(len(sizes), -1).T
    # Whole cells of two factors are empty, then single rows.
    for _ in range(rng.integers(3)):
        two = rng.choice(len(sizes), 2, replace=False)
        gone = cells[rng.integers(len(cells))]
        cells = cells[~(cells[:, two] == gone[two]).all(axis=1)]
    kept = rng.random(len(cells)) < rng.choice([1.0, 0.9, 0.6])
    cells = cells[kept] if kept.sum() > 12 else cells
    cells = np.repeat(cells, 1 + rng.integers(2), axis=0)
    frame = pd.DataFrame(cells, columns=list(sizes))
    for name in sizes:
        frame[name] = [f"{name}{k}" for k in frame[name]]
    if rng.random() < 0.5:  # folds are named by their data set
        frame["fold"] = frame["data"] + frame["fold"]
    frame["x"] = rng.normal(10, 2, len(frame)).round(2)
    frame["y"] = rng.normal(size=len(frame)).round(3) + cells.sum(axis=1)
    return frame, str(rng.choice(_FORMULAS))


Asked = tuple[str, MarginalMeans | Contrasts]


def asked(model: LinearModel) -> Iterator[Asked]:
    """Yield means, slopes and contrasts of a model, with what they are."""
    grid = model.fit.grid
    names = list(grid.factors)
    several = [*names, (names[0], names[-1])]
    for of in several:
        means = model.emmeans(of)
        yield f"means of {of}", means
        yield f"pairs of {of}", means.contrasts()
    both = model.emmeans((names[0], names[-1]))
    if set(both.factors) - set(grid.with_groups([names[-1]])):
        yield f"{names[0]} by {names[-1]}", both.contrasts(by=names[-1])
    if not set(both.factors) & set(grid.nests):
        yield "differences of differences", both.contrasts("interaction")
    for covariate in grid.covariates:
        slopes = model.slopes(covariate, names[0])
        yield f"slopes of {names[0]}", slopes
        yield f"pairs of slopes of {names[0]}", slopes.contrasts()


def differing(seed: int, worker: Worker) -> tuple[int, list[str]]:
    """Return how many tables of a random model were compared, and those that differ."""
    frame, formula = random_model(seed)
    try:
        model = pc.linear_model(frame, formula)
    except DesignError:  # no rows are left for error
        return 0, []
    made = list(asked(model))
    answers = run([found.r_call() for _, found in made], timeout=600, worker=worker)
    wrong = []
    for (what, found), answer in zip(made, answers, strict=True):
        for name in ("estimate", "std_error"):
            ours = found.table[name].to_numpy(float)
            theirs = np.atleast_1d(np.asarray(answer[name], float))
            size = np.nanmax(np.abs(theirs), initial=1.0)
            near = {"rtol": 1e-7, "atol": 1e-9 * size, "equal_nan": True}
            if ours.shape != theirs.shape or not np.allclose(ours, theirs, **near):
                wrong.append(f"design {seed}, {formula}: {what}, {name}")
    return len(made), wrong


def chunk(seed: int) -> dict[str, Any]:
    """Compare the means and contrasts of 8 random models with those of emmeans."""
    with Worker() as worker:
        found = [differing(8 * seed + i, worker) for i in range(8)]
    wrong = [one for _, many in found for one in many]
    return {"designs": 8, "tables": sum(n for n, _ in found), "wrong": wrong}


def conclude(chunks: list[dict[str, Any]]) -> str:
    """Say how many tables agreed, and name those that did not."""
    designs, tables = (sum(c[name] for c in chunks) for name in ("designs", "tables"))
    wrong = [one for c in chunks for one in c["wrong"]]
    head = f"{tables} tables of {designs} designs, {len(wrong)} differ from emmeans"
    return "\n".join([head, *(f"  {one}" for one in wrong)])
