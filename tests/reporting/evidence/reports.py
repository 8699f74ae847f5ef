"""One report of each kind, for the tests of manifests and verification."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from tests.conftest import wide
from tests.many_predictions import predictions
from tests.runs import runs_of, simulated, unequal_runs
from validation.checks.models import designed
from validation.r_reports import KINDS

DATE = "1700000000"
"""Of all reports."""
HOSTILE = (
    "=1+1",
    "'=1+1",
    "''x",
    '<b>"q"</b>',
    "a,b;c\\n \\input{x} $ %",
    "שלום 名前 🎉 quit()'",
)
"""Six names: R needs half a minute to test all sets of eight."""


def hostile(**options) -> pc.Scores:
    """Scores whose labels are formulas, markup, code and many alphabets."""
    rng = np.random.default_rng(5)
    rows = [
        {"a": name, "b": f"-{k}|{name}", "@u": rng.normal(), "=s": rng.normal()}
        for k in range(6)
        for name in HOSTILE
    ]
    frame = pd.DataFrame(rows)
    frame["b"] = np.repeat([f"-{name}" for name in HOSTILE], len(HOSTILE))
    metrics = {"@u": "higher", "=s": "lower"}
    return pc.Scores.from_frame(
        frame, algorithm="a", block="b", metrics=metrics, **options
    )


def grouped() -> pc.Scores:
    """Scores of folds of data sets in two groups, with a missing cell."""
    rng = np.random.default_rng(8)
    rows = [
        {
            "a": f"A{j}",
            "d": f"d{k}",
            "f": f,
            "g": "xy"[k % 2],
            "s": rng.normal(),
            "t": j,
        }
        for k in range(8)
        for f in range(3)
        for j in range(3)
    ]
    frame = pd.DataFrame(rows)
    frame["s"], frame["t"] = rng.normal(size=(2, len(frame))) + frame["t"].to_numpy()
    frame.loc[4, "s"] = np.nan
    return pc.Scores.from_frame(
        frame, algorithm="a", block="f", dataset="d", group="g", missing="drop-block",
        metrics={"s": "higher", "t": "lower"},
    )  # fmt: skip


def of(comparison: pc.Comparison) -> Callable[[Path], Path]:
    return lambda to: pc.report(comparison, to, command=["pycompare", "compare"])


def example(to: Path) -> Path:
    return of(pc.compare(pc.example(), pc.Plan(blocks="datasets")))(to)


def folds(to: Path) -> Path:
    plan = pc.Plan(n_train=216, n_test=24)
    return of(pc.compare(pc.example("folds"), plan))(to)


def sweep(to: Path) -> Path:
    plan = pc.Plan(thresholds=5, metrics=("tp", "fp", "tn", "fn"))
    return of(pc.compare(predictions(n_datasets=3, folds=6), plan))(to)


def curves(to: Path) -> Path:
    table = pd.read_csv(pc.example_path("predictions")).query("data == 'g1'")
    cases = pc.Predictions.from_frame(
        table, algorithm="algorithm", block="fold", case="case", label="class",
        score="probability", positive="yes",
    )  # fmt: skip
    return pc.report(pc.compare_curves(cases, n_train=216, n_test=24), to)


def model(to: Path) -> Path:
    names = {"L0": "<b>", "L1": "=1"}
    frame = designed(1).assign(learner=lambda x: x["learner"].replace(names))
    frame["error"] = np.exp(frame["error"])
    formula = "cbind(log(error), auc) ~ learner * prep + scale(time)"
    return pc.report(pc.linear_model(frame, formula, within="data"), to)


def mrmc(to: Path) -> Path:
    model = pc.RoeMetz(
        separation=(1.5, 1.8), reader=0.01, modality_reader=0.01, case=0.3,
        modality_case=0.3, reader_case=0.2, error=0.2,
    )  # fmt: skip
    drawn = model.draw(n_readers=4, n_positive=20, n_negative=25, seed=1)
    ratings = dataclasses.replace(drawn, modalities=("=old", "<b>new"))
    found = pc.mrmc(
        ratings,
        margin=0.1,
        hypothesis="equivalence",
        covariance="bootstrap",
        resamples=200,
    )
    return pc.report(found, to)


def battles(to: Path) -> Path:
    """Report battles of models with hostile names in two groups, by forty voters."""
    rng = np.random.default_rng(3)
    n = 400
    first = rng.integers(0, 4, n)
    second = (first + rng.integers(1, 4, n)) % 4
    winner = np.array(["model_a", "tie", "model_b"])[rng.integers(0, 3, n)]
    names = np.array(["=old", "<b>new", "C", "D"])
    frame = {
        "model_a": names[first], "model_b": names[second], "winner": winner,
        "judge": rng.integers(0, 40, n).astype(str),
        "language": np.array(["-en", "de"])[rng.integers(0, 2, n)],
    }  # fmt: skip
    read = pc.Battles.from_frame(pd.DataFrame(frame), group="language")
    return pc.report(pc.battles(read, adjust="holm", elo=True), to)


BENCHMARKS = ("law",) * 8 + ("maths",) * 12
"""Of 20 cases."""


def answered(to: Path, *, n_runs: int = 1, **plan: Any) -> Path:
    """Report right and wrong answers of four models, in runs that all cases share."""
    values = simulated(40, 4, n_runs, effect=0.4)
    right = (values > np.median(values)).astype(float)
    scores = wide(right[:, :, 0]) if n_runs == 1 else runs_of(right)
    return of(pc.compare(scores, pc.Plan(blocks="cases", **plan)))(to)


MAKERS: dict[str, Callable[[Path], Path]] = {
    "example": example,
    "folds": folds,
    "sweep": sweep,
    "curves": curves,
    "model": model,
    "mrmc": mrmc,
    "battles": battles,
    "hostile": lambda to: of(pc.compare(hostile(), pc.Plan(blocks="datasets")))(to),
    "runs": lambda to: of(
        pc.compare(runs_of(simulated()), pc.Plan(blocks="datasets", replicates="keep"))
    )(to),
    "unequal": lambda to: of(
        pc.compare(
            unequal_runs(simulated(6)),
            pc.Plan(blocks="datasets", replicates="average"),
        )
    )(to),
    "margin": partial(answered, margin=0.3, hypothesis="equivalence"),
    "prompts": partial(
        answered, n_runs=4, replicates="average", runs="prompts", runs_scope="sampled"
    ),
    "weighted": lambda to: of(
        pc.compare(
            dataclasses.replace(wide(simulated(20, 3, 1)[:, :, 0]), groups=BENCHMARKS),
            pc.Plan(blocks="cases", family="metric", weights="cases", adjust=("holm",)),
        )
    )(to),
    "tasks": lambda to: of(
        pc.compare(
            unequal_runs(simulated(6, n=5)),
            pc.Plan(
                blocks="datasets",
                replicates="average",
                run_aggregates="normalised",
                reference_low=-9,
                reference_high=9.5,
                gamma=0.5,
            ),
        )
    )(to),
    "posterior": lambda to: of(
        pc.compare(
            pc.example(),
            pc.Plan(
                compares="bayes",
                bayes="signed-rank",
                rope=0.02,
                draws=400,
                scale="ratio",
                level=0.9,
                decide_at=0.9,
            ),
        )
    )(to),
    "gate": lambda to: of(
        pc.gate(
            runs_of((simulated(90, 2, 3, effect=0.4) > 0).astype(float)),
            baseline="A0",
            candidate="A1",
            margin=0.3,
            slices={"topic": ["x", "y", "y"] * 30},
            runs="samples",
        )
    )(to),
    "groups": lambda to: of(pc.compare(grouped(), pc.Plan(family="all")))(to),
}
FOR_R: dict[str, Callable[[Path], Path]] = {
    "readers": lambda to: pc.report(KINDS["readers, Obuchowski-Rockette"](), to),
    "trained": lambda to: pc.report(KINDS["shared test set, both"](), to),
}
"""Kinds whose R program alone is tested."""
