"""What there are reports of, one of each kind: of each R repeats the numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.methods.models.linear_model import LinearModel

from .checks.agents import scores_of_runs
from .checks.challenges import challenge_scores
from .checks.models import FRAMES
from .checks.multireader import marks

Maker = Callable[[], Any]


# ---- data ---------------------------------------------------------------------------


def cases(graded: bool = False, **options: Any) -> pc.Scores:
    """Return scores of four algorithms on 120 cases in 12 texts, right or graded."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(120, 1)) + rng.normal([0, 0.1, 0.8, 1.2], 1, (120, 4))
    frame = pd.DataFrame(x if graded else (x > 0).astype(int), columns=list("ABCD"))
    frame["text"] = [f"t{i // 10}" for i in range(len(frame))]
    frame["half"] = np.where(frame.index < 60, "u", "v")
    return pc.Scores.from_wide(
        frame, metric="answer", better="higher", algorithms=list("ABCD"), **options
    )


def items(**options: Any) -> pc.Scores:
    """Return right answers of three models to 60 items, four runs of each."""
    rng = np.random.default_rng(3)
    easy = 1.5 * rng.normal(size=(60, 1, 1)) + [[[0.6], [0.2], [0.0]]]
    i, j, k = np.indices((60, 3, 4)).reshape(3, -1)
    right = rng.random((60, 3, 4)) < 1 / (1 + np.exp(-easy))
    rows = {"model": np.array(list("ABC"))[j], "item": i, "run": k}
    return pc.Scores.from_frame(
        pd.DataFrame({**rows, "accuracy": right.ravel().astype(int)}),
        algorithm="model", block="item", replicate="run",
        metrics={"accuracy": "higher"}, **options,
    )  # fmt: skip


def judged(labelled: int = 40) -> pc.Scores:
    """Return answers of three models that a judge scored, some labelled by people."""
    rng = np.random.default_rng(4)
    right = rng.random((120, 3)) < [0.8, 0.6, 0.5]
    said = np.where(rng.random((120, 3)) < 0.8, right, ~right)
    i, j = np.indices((120, 3)).reshape(2, -1)
    human = np.where(i < labelled, right.ravel(), np.nan)
    frame = pd.DataFrame({"model": np.array(list("ABC"))[j], "item": i})
    frame["judge"], frame["human"] = said.ravel().astype(int), human
    frame["half"] = np.where(i % 2, "odd", "even")
    return pc.Scores.from_frame(
        frame, algorithm="model", block="item", judge="judge", stratum="half",
        metrics={"human": "higher"},
    )  # fmt: skip


def battles(adjust: Any = "holm") -> Any:
    """Return strengths of four models in 400 battles of 25 voters."""
    rng = np.random.default_rng(1)
    first = rng.integers(0, 4, 400)
    second = (first + rng.integers(1, 4, 400)) % 4
    u = np.array([1, 0.5, 0, -0.5])[first] - np.array([1, 0.5, 0, -0.5])[second]
    u = u + rng.normal(size=400)
    names = np.array(list("ABCD"))
    votes = {
        "model_a": names[first],
        "model_b": names[second],
        "winner": np.where(u > 0.4, "model_a", np.where(u < -0.4, "model_b", "tie")),
        "voter": np.arange(400) % 25,
    }
    played = pc.Battles.from_frame(pd.DataFrame(votes), voter="voter")
    return pc.battles(played, adjust=adjust)


def folds(seed: int = 8, datasets: int = 8, **shape: Any) -> pc.Scores:
    """Return two metrics of three algorithms on three folds of several data sets."""
    rng = np.random.default_rng(seed)
    rows = [
        {"a": f"A{j}", "d": f"d{k}", "f": f, "s": 0.4 * j, "t": -0.3 * j}
        for k in range(datasets)
        for f in range(3)
        for j in range(3)
    ]
    frame = pd.DataFrame(rows)
    frame[["s", "t"]] += rng.normal(size=(len(frame), 2))
    return pc.Scores.from_frame(
        frame, algorithm="a", block="f", dataset="d",
        metrics={"s": "higher", "t": "lower"}, **shape,
    )  # fmt: skip


def trained(t: int = 3, r: int = 4, n: int = 40) -> pc.Predictions:
    """Return scores of t algorithms, each trained r times, on one test set."""
    rng = np.random.default_rng(1)
    ill = np.arange(n) % 2 == 0
    z = rng.normal(size=(t, r, n)) + rng.normal(size=n)
    z += ill * np.linspace(1.0, 2.0, t)[:, None, None]
    i, j, k = np.indices(z.shape).reshape(3, -1)
    frame = pd.DataFrame(
        {
            "algorithm": i,
            "set": j,
            "case": k,
            "ill": ill[k],
            "p": 1 / (1 + np.exp(-z.ravel())),
        }
    )
    return pc.Predictions.from_frame(
        frame.astype({"algorithm": str, "set": str, "case": str}),
        algorithm="algorithm", block="set", label="ill", score="p", positive=True,
        case="case",
    )  # fmt: skip


def predictions(data: str = "", **columns: Any) -> pc.Predictions:
    """Return the predictions of the example, of all data sets or of one."""
    frame = pd.read_csv(pc.example_path("predictions"))
    frame = frame.query("data == @data") if data else frame
    return pc.Predictions.from_frame(
        frame, algorithm="algorithm", label="class", score="probability",
        positive="yes", **columns,
    )  # fmt: skip


def ratings(modalities: int = 3) -> pc.Ratings:
    """Return ratings of 45 cases by four readers."""
    model = pc.RoeMetz(
        separation=tuple(np.linspace(1.2, 1.9, modalities)), reader=0.01,
        modality_reader=0.01, case=0.3, modality_case=0.3, reader_case=0.2, error=0.2,
    )  # fmt: skip
    return model.draw(n_readers=4, n_positive=20, n_negative=25, seed=1)


# ---- what is reported ---------------------------------------------------------------


def compared(make: Callable[[], Any], **plan: Any) -> pc.Comparison:
    """Compare scores or predictions."""
    return pc.compare(make(), pc.Plan(**plan))


def curves(make: Callable[[], pc.Predictions], **options: Any) -> pc.CurveComparison:
    """Compare curves."""
    return pc.compare_curves(make(), **options)


def read(make: Callable[[], pc.Ratings], **options: Any) -> Any:
    """Compare modalities."""
    return pc.mrmc(make(), **options)


def alone(make: Callable[[], pc.Ratings], **options: Any) -> Any:
    """Analyse one modality."""
    return pc.single_modality(make(), **options)


def modelled(name: str) -> LinearModel:
    """Fit a linear model of the validation."""
    frame, formula, options = FRAMES[name]
    return pc.linear_model(frame(), formula, **options)


def _kinds() -> Mapping[str, Maker]:
    found: dict[str, Maker] = {
        "cases, right or wrong": partial(compared, cases, blocks="cases"),
        "cases, right or wrong, control": partial(
            compared, cases, blocks="cases", control="A"
        ),
        "cases, clustered": partial(
            compared, partial(cases, cluster="text"), blocks="cases"
        ),
        "cases, graded": partial(
            compared, partial(cases, graded=True), blocks="cases"
        ),
        "cases, graded and clustered": partial(
            compared, partial(cases, graded=True, cluster="text"), blocks="cases"
        ),
        "cases, groups": partial(
            compared, partial(cases, group="half"), blocks="cases", family="metric",
            groups="each-and-all",
        ),
        "items with runs": partial(
            compared, items, blocks="cases", runs="samples", replicates="keep"
        ),
        "items with runs, these items": partial(
            compared, items, blocks="cases", runs="samples", replicates="average",
            items_scope="fixed", control="B",
        ),
        "labels beside a judge": partial(
            compared, judged, blocks="cases", labels="strata"
        ),
        "challenge over tasks, failures": partial(
            compared, lambda: challenge_scores((12, 20), 4, 5, failing=0.05),
            blocks="cases", ranking="rank-then-aggregate", weights="equal",
        ),
        "challenge by tests": partial(
            compared, lambda: challenge_scores((25,), 4, 6), blocks="cases",
            ranking="test-then-rank",
        ),
        "runs of agents": partial(
            compared, lambda: scores_of_runs(6, 3, 4, 3), blocks="datasets",
            replicates="average", run_aggregates="as-measured", gamma=1.0,
        ),
        "battles": battles,
        "battles, max-T": partial(battles, "max-t"),
        "margin beside a control, data sets": partial(
            compared, folds, control="A0", margin={"s": 0.5},
            hypothesis="equivalence", blocks="folds-of-datasets",
        ),
        "non-inferiority beside a control, folds": partial(
            compared, partial(folds, datasets=1), control="A1", margin={"s": 0.5},
            hypothesis="non-inferiority", n_train=90, n_test=10,
        ),
        "margin beside a control, averaged folds": partial(
            compared, folds, control="A0", margin={"s": 0.5}, average_folds=True,
            hypothesis="equivalence",
        ),
        "two algorithms": partial(
            compared, lambda: pc.example().select(algorithms=["C4.5", "1-NN"])
        ),
        "threshold sweep": partial(
            compared, partial(predictions, dataset="data", block="fold"), thresholds=5,
            metrics=("tp", "fp", "tn", "fn"),
        ),
        "curves of folds": partial(
            curves, partial(predictions, "g1", block="fold", case="case")
        ),
        "curves at a threshold, control's adjustment": partial(
            curves, partial(predictions, "g1", block="data", case="case"),
            threshold=0.5, adjust="hochberg",
        ),
        "curves of one test set": partial(
            curves, partial(predictions, "g1", block="data", case="case"),
            risk_threshold=0.3, bins="equal-mass", n_bins=8, whole_curves=True,
        ),
    }  # fmt: skip
    for scope in ("both", "cases", "training-sets"):
        found[f"shared test set, {scope}"] = partial(
            compared, trained, metrics=("auc",), generalise=scope, protocol="disjoint"
        )
    found["shared test set, sensitivity and specificity"] = partial(
        compared,
        trained,
        metrics=("sensitivity", "specificity"),
        generalise="both",
        protocol="disjoint",
    )
    found["shared test set, margin and control"] = partial(
        compared,
        trained,
        metrics=("auc",),
        generalise="both",
        protocol="disjoint",
        margin=0.1,
        hypothesis="equivalence",
        control="0",
    )
    for name, options in MRMC.items():
        found[f"readers, {name}"] = partial(read, ratings, **options)
    found["readers, free-response marks"] = partial(
        read, partial(marks, 2, 4, 30, 30, 21), figure="wafroc"
    )
    found["readers, a standalone reader"] = lambda: pc.standalone(
        ratings(), reader="R2"
    )
    found["readers, one modality"] = partial(alone, ratings, modality="M1")
    for name in FRAMES:
        found[f"model, {name}"] = partial(modelled, name)
    return found


MRMC: dict[str, dict[str, Any]] = {
    "Obuchowski-Rockette": {},
    "Dorfman-Berbaum-Metz": {"method": "dbm"},
    "DeLong's covariances": {"covariance": "delong"},
    "unbiased covariances": {"covariance": "unbiased"},
    "bootstrap": {"covariance": "bootstrap", "resamples": 200},
    "fixed readers": {"readers": "fixed"},
    "fixed cases": {"cases": "fixed"},
    "margin and control": {
        "margin": 0.1,
        "hypothesis": "non-inferiority",
        "control": "M1",
    },
    "sensitivity": {"figure": "sensitivity", "threshold": 1.0},
    "partial area": {"figure": "partial_auc", "fpr_range": (0.0, 0.3)},
}
KINDS = _kinds()
