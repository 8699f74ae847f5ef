"""Tables as people bring them, made by a seed: good ones, and ones with faults."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

UCI = (
    *("iris", "wine", "glass", "sonar", "heart", "zoo", "yeast", "car", "balance"),
    *("ecoli", "vowel", "pima", "letter", "segment", "vehicle", "waveform", "credit-a"),
    *("hepatitis", "lymph", "audiology", "soybean", "splice", "tic-tac-toe", "krkp"),
)
LEARNERS = ("svm", "knn", "NaiveBayes", "C4.5", "RF", "MLP", "XGBoost")
MODELS = ("org/llama-7b", "org/mistral-7b", "lab/phi-2", "lab/qwen-14b", "x/gemma-9b")
TASKS = ("MMLU", "GSM8K", "HellaSwag", "BoolQ", "PIQA", "Winogrande", "BBH", "GPQA")


@dataclass
class Known:
    """A table, and what its owner knows about it.

    Attributes
    ----------
    frame : DataFrame
    answers : dict
        Arguments by name, as the owner would give them if asked.
    kind : str
        Shape, gap and labels, for counts.
    """

    frame: pd.DataFrame
    answers: dict[str, Any]
    kind: str
    notes: list[str] = field(default_factory=list)


def labels_of(random: np.random.Generator, n: int, kind: str) -> list[str]:
    """Return labels of data sets of a kind."""
    names = [f"{one}{'' if i < len(UCI) else i}" for i, one in enumerate(UCI * 5)][:n]
    if kind == "slash":
        return [f"{'uci' if i % 2 else 'kaggle'}/{one}" for i, one in enumerate(names)]
    if kind == "numbers":
        return [str(3 + 7 * i) for i in range(n)]
    if kind == "odd":
        odd = ['a "b"', "x, y", "é 名前", "--flag", "=1+1", "two\nlines", "l" * 2000]
        return [*odd, *names][:n]
    if kind == "twins":
        names[1] = names[0].upper()
    if kind == "zeros":
        names[:2] = ["task 1", "task 01"]
    if kind == "summary":
        names[-1] = str(random.choice(["Average", "Mittelwert", "Avg. rank", "Wins"]))
    return names


LABELS = ("plain", "slash", "numbers", "odd", "twins", "zeros", "summary")
GAPS = ("none", "empty", "dash", "code", "row", "many", "impossible")
SHAPES = (
    *("wide", "long", "board", "folds", "rows", "classes", "verdicts", "runs"),
    *("status", "extra"),
)


def faulty(seed: int) -> Known:
    """Return a table of one shape, with gaps and labels of some kind."""
    random = np.random.default_rng(seed)
    shape = SHAPES[seed % len(SHAPES)]
    gap = GAPS[seed // len(SHAPES) % len(GAPS)]
    kind = str(random.choice(LABELS))
    n, k = int(random.integers(6, 24)), int(random.integers(2, 6))
    values = pd.DataFrame(random.integers(301, 989, (n, k)) / 1000).astype(object)
    values.columns = [*LEARNERS[:k]]
    _with_gaps(values, gap, random)
    values.insert(0, "dataset", labels_of(random, n, kind))
    made = _SHAPED[shape](values, random)
    made.kind = f"{shape}, {gap}, {kind}"
    made.answers.setdefault("na", ["-", "n/a", "-1"])
    made.answers.setdefault("better", "higher")
    return made


def _with_gaps(values: pd.DataFrame, gap: str, random: np.random.Generator) -> None:
    """Put gaps of a kind into scores."""
    n, k = values.shape
    some = random.permutation(n * k)[: max(3, n * k // 12)]
    for at in some.tolist():
        row, column = divmod(at, k)
        if gap in ("empty", "many"):
            values.iloc[row, column] = None
        elif gap == "dash":
            values.iloc[row, column] = "-" if at % 2 else "n/a"
        elif gap == "code":
            values.iloc[row, column] = -1
    if gap == "row":
        values.iloc[1, :] = None
    if gap == "many":
        values.iloc[: n - 2, k - 1] = None
    if gap == "impossible":
        values.iloc[0, 0] = 1.75


def _wide(values: pd.DataFrame, _: np.random.Generator) -> Known:
    algorithms = [*values.columns[1:]]
    return Known(values, {"block": "dataset", "algorithms": algorithms}, "")


def _long(values: pd.DataFrame, random: np.random.Generator) -> Known:
    frame = values.melt("dataset", var_name="classifier", value_name="accuracy")
    frame = frame.iloc[random.permutation(len(frame))]
    return Known(frame, {"algorithm": "classifier", "block": "dataset"}, "")


def _board(values: pd.DataFrame, _: np.random.Generator) -> Known:
    columns = [*values.columns[1:]]
    frame = values.set_index("dataset").rename_axis("model").reset_index()
    frame.columns = ["model", *TASKS[: len(columns)]]
    frame["model"] = [f"org/{one}" for one in frame["model"]]
    frame["Params"] = [7, 13] * (len(frame) // 2) + [7] * (len(frame) % 2)
    return Known(frame, {"block": "model"}, "")


def _folds(values: pd.DataFrame, _: np.random.Generator) -> Known:
    parts = [values.assign(fold=fold) for fold in ("1", "2", "3")]
    return Known(pd.concat(parts), {"block": "fold", "dataset": "dataset"}, "")


def _rows(values: pd.DataFrame, _: np.random.Generator) -> Known:
    frame = values.melt("dataset", var_name="classifier", value_name="value")
    both = pd.concat([frame.assign(metric="accuracy"), frame.assign(metric="f1")])
    roles = {"metric_column": "metric", "value": "value", "block": "dataset"}
    return Known(both, roles | {"algorithm": "classifier"}, "")


def _classes(values: pd.DataFrame, random: np.random.Generator) -> Known:
    names = ("cat", "dog", "bird") if len(values) % 2 else (0, 1, 0)
    true = random.integers(3, size=len(values))
    frame = pd.DataFrame({"id": range(len(values)), "label": [names[t] for t in true]})
    for name in values.columns[1:]:
        said = np.where(random.random(len(true)) < 0.7, true, 0)
        frame[name] = [names[t] for t in said]
    return Known(frame, {"truth": "label", "blocks": "cases"}, "")


def _verdicts(values: pd.DataFrame, random: np.random.Generator) -> Known:
    frame = pd.DataFrame({"question": [f"q{i}" for i in range(len(values))]})
    for name in values.columns[1:]:
        right = random.random(len(frame)) < 0.6
        frame[name] = np.where(right, "pass", "fail")
    return Known(frame, {"one_is": "pass", "blocks": "cases"}, "")


def _runs(values: pd.DataFrame, _: np.random.Generator) -> Known:
    frame = values.melt("dataset", var_name="classifier", value_name="accuracy")
    both = pd.concat([frame.assign(seed=seed) for seed in (1, 2, 3)])
    roles = {"algorithm": "classifier", "block": "dataset", "replicate": "seed"}
    return Known(both, roles | {"replicates": "average"}, "")


def _status(values: pd.DataFrame, random: np.random.Generator) -> Known:
    frame = values.melt("dataset", var_name="classifier", value_name="accuracy")
    failed = random.random(len(frame)) < 0.05
    frame["status"] = np.where(failed, "FAILED", "FINISHED")
    return Known(frame, {"algorithm": "classifier", "block": "dataset"}, "")


def _extra(values: pd.DataFrame, _: np.random.Generator) -> Known:
    algorithms = [*values.columns[1:]]
    numbers = values[algorithms].apply(pd.to_numeric, errors="coerce")
    frame = values.assign(Best=numbers.max(axis=1), note="text", n=range(len(values)))
    return Known(frame, {"block": "dataset", "algorithms": algorithms}, "")


_SHAPED = {
    "wide": _wide,
    "long": _long,
    "board": _board,
    "folds": _folds,
    "rows": _rows,
    "classes": _classes,
    "verdicts": _verdicts,
    "runs": _runs,
    "status": _status,
    "extra": _extra,
}


# ---- tables without a fault ----------------------------------------------------------


def good(seed: int) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Return a table without a fault, and how it is read."""
    random = np.random.default_rng(seed)
    names = [*_GOOD]
    metric, better, draw = _GOOD[names[seed % len(names)]]
    n, k = int(random.integers(6, 40)), int(random.integers(2, 6))
    if metric in ("right", "reward"):
        n += 60
    level = random.normal(size=(n, 1))
    values = draw(random, level + 0.4 * random.normal(size=(n, k)))
    kind = str(random.choice(["plain", "slash", "numbers"]))
    blocks = labels_of(random, n, kind)
    blocks = [f"{b}-{i}" if i >= len(UCI) else b for i, b in enumerate(blocks)]
    if seed % 5 == 1:
        blocks[n // 2] = str(random.choice(["total", "mean", "best", "rank"]))
    algorithms = [*(MODELS if seed % 2 else LEARNERS)][:k]
    frame = pd.DataFrame(values, columns=algorithms[: values.shape[1]])
    frame.insert(0, "dataset", blocks)
    options: dict[str, Any] = {"wide": True, "metric": metric, "better": better}
    options["block"] = "dataset"
    if seed % 3 == 2:
        frame = frame.melt("dataset", var_name="method", value_name=metric)
        frame = frame.assign(time=random.gamma(2, 3, len(frame)).round(2), note="ok")
        options = {"algorithm": "method", "block": "dataset"}
        options["metrics"] = {metric: better}
    return frame, options


def _logit(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x - 1))


_GOOD = {
    "accuracy": ("accuracy", "higher", lambda r, x: _logit(x).round(3)),
    "percent": ("accuracy", "higher", lambda r, x: (100 * _logit(x)).round(1)),
    "error": ("error", "lower", lambda r, x: (1 - _logit(x)).round(4)),
    "f1": ("F1", "higher", lambda r, x: _logit(x).round(2)),
    "right": ("right", "higher", lambda r, x: (r.random(x.shape) < 0.7) * 1),
    "rmse": ("rmse", "lower", lambda r, x: np.exp(0.7 * x).round(3)),
    "mcc": ("mcc", "higher", lambda r, x: np.tanh(x).round(3)),
    "reward": ("reward", "higher", lambda r, x: np.sign(x) * (np.abs(x) > 0.5)),
    "seconds": ("seconds", "lower", lambda r, x: np.exp(2 + x).round(2)),
    "bleu": ("bleu", "higher", lambda r, x: (30 + 6 * x).round(1)),
    "judge": ("judge", "higher", lambda r, x: np.clip(np.rint(6 + 2 * x), 1, 10)),
    "loglik": ("log likelihood", "higher", lambda r, x: (-50 + 9 * x).round(2)),
    "count": ("solved", "higher", lambda r, x: np.rint(40 + 12 * x)),
    "logloss": ("logloss", "lower", lambda r, x: np.exp(x - 1).round(4)),
    "r2": ("R2", "higher", lambda r, x: (1 - np.exp(x - 1)).round(3)),
    "auc": ("auc", "higher", lambda r, x: (0.5 + _logit(x) / 2).round(4)),
}
