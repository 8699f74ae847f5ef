"""Data of any size for the sweep: each maker takes a seed and dimensions."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc

Arguments = tuple[Any, ...]


def _names(letter: str, count: int) -> tuple[str, ...]:
    return tuple(f"{letter}{i}" for i in range(count))


def _grouped(letter: str, of: int, count: int) -> tuple[str, ...]:
    """Return names of groups of neighbours."""
    return tuple(f"{letter}{i // of}" for i in range(count))


# ---- scores -------------------------------------------------------------------------


def _values(seed: int, blocks: int, algorithms: int, metrics: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    skill = 0.1 * np.arange(algorithms)[:, None] / algorithms
    level = rng.normal(size=(blocks, 1, 1))
    return level + skill + rng.normal(size=(blocks, algorithms, metrics))


def _scores(values: np.ndarray, **more: Any) -> pc.Scores:
    blocks, algorithms, metrics = values.shape
    of_metrics = tuple(pc.Metric(name, "higher") for name in _names("m", metrics))
    return pc.Scores(
        values, _names("b", blocks), _names("A", algorithms), of_metrics, **more
    )


def incomplete(seed: int, *, blocks: int = 7) -> Arguments:
    """Make scores of three of seven algorithms per block, each two equally often."""
    values = _values(seed, blocks + -blocks % 7, 7, 1)
    for block in range(len(values)):
        away = np.setdiff1d(np.arange(7), (block + np.array([0, 1, 3])) % 7)
        values[block, away] = np.nan
    return (_scores(values, missing="model"),)


def scores(seed: int, *, blocks: int = 16, algorithms: int = 4) -> Arguments:
    """Make scores of algorithms on data sets."""
    return (_scores(_values(seed, blocks, algorithms, 1)),)


def pair(seed: int, *, blocks: int = 16) -> Arguments:
    """Make scores of two algorithms."""
    return scores(seed, blocks=blocks, algorithms=2)


def tied(seed: int, *, blocks: int = 16, algorithms: int = 4) -> Arguments:
    """Make scores that are often equal."""
    return (_scores(np.round(_values(seed, blocks, algorithms, 1), 1)),)


def grades(seed: int, *, blocks: int = 64, algorithms: int = 2) -> Arguments:
    """Make grades in [0, 1]."""
    return (_scores(1 / (1 + np.exp(-_values(seed, blocks, algorithms, 1)))),)


def several(
    seed: int, *, blocks: int = 32, algorithms: int = 4, metrics: int = 2
) -> Arguments:
    """Make scores by several metrics."""
    return (_scores(_values(seed, blocks, algorithms, metrics)),)


def by_metrics(seed: int, *, metrics: int = 2) -> Arguments:
    """Make scores of two algorithms on many blocks."""
    return several(seed, blocks=1024, algorithms=2, metrics=metrics)


def answers(seed: int, *, items: int = 64, algorithms: int = 4) -> Arguments:
    """Make right and wrong answers."""
    values = (_values(seed, items, algorithms, 1) > 0).astype(float)
    return (_scores(values, items=True),)


def two_answers(seed: int, *, items: int = 64) -> Arguments:
    """Make answers of two algorithms."""
    return answers(seed, items=items, algorithms=2)


def clusters(seed: int, *, items: int = 64, algorithms: int = 3) -> Arguments:
    """Make answers to items of texts, four of each."""
    values = (_values(seed, items, algorithms, 1) > 0).astype(float)
    return (_scores(values, items=True, clusters=_grouped("t", 4, items)),)


def families(seed: int, *, blocks: int = 64, algorithms: int = 3) -> Arguments:
    """Make scores on data sets of families, four of each."""
    values = _values(seed, blocks, algorithms, 1)
    return (_scores(values, clusters=_grouped("t", 4, blocks)),)


def tasks(seed: int, *, items: int = 64, algorithms: int = 3) -> Arguments:
    """Make answers to items of two tasks."""
    values = (_values(seed, items, algorithms, 1) > 0).astype(float)
    groups = _grouped("g", (items + 1) // 2, items)
    return (_scores(values, items=True, groups=groups),)


def folds(
    seed: int, *, datasets: int = 8, folds: int = 5, algorithms: int = 3
) -> Arguments:
    """Make scores on folds of data sets."""
    values = _values(seed, datasets * folds, algorithms, 1)
    return (_scores(values, datasets=_grouped("d", folds, datasets * folds)),)


def two_on_folds(seed: int, *, datasets: int = 8, folds: int = 5) -> Arguments:
    """Make scores of two algorithms on folds."""
    values = _values(seed, datasets * folds, 2, 1)
    return (_scores(values, datasets=_grouped("d", folds, datasets * folds)),)


def cuts(seed: int, *, datasets: int = 8, thresholds: int = 4) -> Arguments:
    """Make two metrics at thresholds, on five folds of each data set."""
    values = _values(seed, datasets * 5, 3, 2 * thresholds)
    names = [f"{m}@{i / thresholds:g}" for i in range(thresholds) for m in ("fp", "fn")]
    return (
        pc.Scores(
            values,
            _names("b", datasets * 5),
            _names("A", 3),
            tuple(pc.Metric(name, "lower") for name in names),
            _grouped("d", 5, datasets * 5),
        ),
    )


def _long(
    seed: int, blocks: int, algorithms: int, runs: int, *, right: bool
) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    block, algorithm, run = (
        of.ravel() for of in np.indices((blocks, algorithms, runs))
    )
    score = rng.normal(size=blocks)[block] + rng.normal(size=block.size)
    return pd.DataFrame(
        {
            "block": block,
            "algorithm": algorithm,
            "run": run,
            "text": block // 4,
            "score": (score > 0).astype(float) if right else score,
        }
    )


def _of_runs(frame: pd.DataFrame, **more: str) -> Arguments:
    roles: dict[str, Any] = {"algorithm": "algorithm", "block": "block"}
    roles |= {"replicate": "run", "metrics": {"score": "higher"}} | more
    return (pc.Scores.from_frame(frame, **roles),)


def runs(
    seed: int, *, blocks: int = 16, algorithms: int = 3, runs: int = 3
) -> Arguments:
    """Make scores of several runs."""
    return _of_runs(_long(seed, blocks, algorithms, runs, right=False))


def runs_of_texts(
    seed: int, *, blocks: int = 32, algorithms: int = 3, runs: int = 3
) -> Arguments:
    """Make scores of runs on items of texts."""
    frame = _long(seed, blocks, algorithms, runs, right=False)
    return _of_runs(frame, cluster="text")


def answers_of_runs(
    seed: int, *, items: int = 32, algorithms: int = 2, runs: int = 3
) -> Arguments:
    """Make answers of several runs."""
    return _of_runs(_long(seed, items, algorithms, runs, right=True))


def judged(seed: int, *, items: int = 128, algorithms: int = 3) -> Arguments:
    """Make a judge's scores of all items, with people's labels of a quarter."""
    frame = _long(seed, items, algorithms, 1, right=True)
    human = frame["score"].where(frame["block"] % 4 == 0)
    roles: dict[str, Any] = {"algorithm": "algorithm", "block": "block"}
    roles |= {"judge": "score", "metrics": {"human": "higher"}}
    return (pc.Scores.from_frame(frame.assign(human=human), **roles),)


def table(
    seed: int, *, blocks: int = 16, algorithms: int = 3, runs: int = 1
) -> Arguments:
    """Make a long table."""
    return (_long(seed, blocks, algorithms, runs, right=False),)


def cut_table(seed: int, *, blocks: int = 16, thresholds: int = 4) -> Arguments:
    """Make a long table of thresholds."""
    return (_long(seed, blocks, 2, thresholds, right=False),)


# ---- cases --------------------------------------------------------------------------


def _label(seed: int, cases: int) -> np.ndarray:
    label = np.random.default_rng(seed).random(cases) < 0.4
    label[:4] = True, False, True, False
    return label


def _score(seed: int, label: np.ndarray) -> np.ndarray:
    return np.random.default_rng([seed, 1]).normal(size=label.size) + label


def cases(seed: int, *, cases: int = 64) -> Arguments:
    """Make labels and scores of cases."""
    label = _label(seed, cases)
    return label, _score(seed, label)


def probabilities(seed: int, *, cases: int = 64) -> Arguments:
    """Make labels and probabilities."""
    label = _label(seed, cases)
    return label, 1 / (1 + np.exp(-_score(seed, label)))


def _each(seed: int, label: np.ndarray, algorithms: int) -> dict[str, np.ndarray]:
    return {
        name: _score(seed + i, label) for i, name in enumerate(_names("A", algorithms))
    }


def classifiers(seed: int, *, cases: int = 64, algorithms: int = 2) -> Arguments:
    """Make labels, and scores of several classifiers."""
    label = _label(seed, cases)
    return label, _each(seed, label, algorithms)


def models(seed: int, *, cases: int = 64, algorithms: int = 2) -> Arguments:
    """Make labels, and probabilities of several classifiers."""
    label, every = classifiers(seed, cases=cases, algorithms=algorithms)
    return label, {name: 1 / (1 + np.exp(-score)) for name, score in every.items()}


def tests(seed: int, *, cases: int = 128, algorithms: int = 2) -> Arguments:
    """Make labels, and results of diagnostic tests."""
    label, every = classifiers(seed, cases=cases, algorithms=algorithms)
    return (
        label.astype(int),
        {name: (score > 0.5).astype(int) for name, score in every.items()},
    )


def unpaired(seed: int, *, cases: int = 64) -> Arguments:
    """Make labels and scores of two sets of cases."""
    first, second = _label(seed, cases), _label(seed + 1, cases)
    return first, _score(seed, first), second, _score(seed + 1, second)


def crossed(seed: int, *, cases: int = 64, folds: int = 4) -> Arguments:
    """Make labels, scores and folds."""
    label = np.arange(cases) % 2 == 0
    return label, _score(seed, label), np.arange(cases) // 2 % folds


def crossed_classifiers(
    seed: int, *, cases: int = 64, folds: int = 4, algorithms: int = 2
) -> Arguments:
    """Make labels, scores of several classifiers, and folds."""
    label, _, fold = crossed(seed, cases=cases, folds=folds)
    return label, _each(seed, label, algorithms), fold


def losses(seed: int, *, cases: int = 64, folds: int = 4) -> Arguments:
    """Make losses and folds."""
    label, _, fold = crossed(seed, cases=cases, folds=folds)
    return _label(seed, label.size).astype(float), fold


def confused(seed: int, *, cases: int = 64, classes: int = 4) -> Arguments:
    """Make true and predicted classes."""
    label, predicted = np.random.default_rng(seed).integers(0, classes, (2, cases))
    label[: cases // 4], predicted[: cases // 4] = 0, 1  # one pair above all
    return label, predicted


def predicted(
    seed: int, *, folds: int = 6, cases: int = 32, algorithms: int = 3
) -> Arguments:
    """Make predictions of cases of folds."""
    positive = np.tile(np.arange(cases) % 3 == 0, folds * algorithms)
    return (
        pc.Predictions(
            score=1 / (1 + np.exp(-_score(seed, positive))),
            is_positive=positive,
            offsets=np.arange(0, positive.size + 1, cases),
            blocks=_names("f", folds),
            algorithms=_names("A", algorithms),
            positive="yes",
            negative="no",
        ),
    )


def prediction_table(
    seed: int, *, folds: int = 6, cases: int = 32, algorithms: int = 3
) -> Arguments:
    """Make a long table of predictions."""
    [made] = predicted(seed, folds=folds, cases=cases, algorithms=algorithms)
    return (made.to_frame(),)


_MODEL = {
    **{"reader": 0.01, "modality_reader": 0.01, "case": 0.3},
    **{"modality_case": 0.3, "reader_case": 0.2, "error": 0.2},
}


def rated(
    seed: int, *, cases: int = 32, readers: int = 4, modalities: int = 2
) -> Arguments:
    """Make ratings of cases, half of them positive."""
    model = pc.RoeMetz(separation=(1.0,) * modalities, **_MODEL)
    half = cases // 2
    return (model.draw(n_readers=readers, n_positive=half, n_negative=half, seed=seed),)


def read_alone(seed: int, *, cases: int = 32, readers: int = 4) -> Arguments:
    """Make ratings by one modality."""
    return rated(seed, cases=cases, readers=readers, modalities=1)


def rating_table(seed: int, *, cases: int = 32, readers: int = 4) -> Arguments:
    """Make a long table of ratings."""
    [made] = rated(seed, cases=cases, readers=readers)
    return (made.to_frame(),)


# ---- battles, p-values, results -----------------------------------------------------


def fought(seed: int, *, battles: int = 256, models: int = 4) -> Arguments:
    """Make battles of models."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, models, battles)
    second = (first + rng.integers(1, models, battles)) % models
    return (
        pc.Battles(
            models=_names("M", models),
            first=first,
            second=second,
            outcome=rng.choice([0.0, 0.5, 1.0], battles),
        ),
    )


def league(seed: int, *, models: int = 4) -> Arguments:
    """Make 20 battles per model."""
    return fought(seed, battles=20 * models, models=models)


def p_values(seed: int, *, p_values: int = 16) -> Arguments:
    """Make p-values."""
    return (np.random.default_rng(seed).random(p_values) ** 3,)


def graph(seed: int, *, p_values: int = 4) -> Arguments:
    """Make p-values, and a graph in which each passes its level to the next."""
    [p] = globals()["p_values"](seed, p_values=p_values)
    weights = np.zeros(p_values)
    weights[0] = 1
    return p / 100, weights, np.eye(p_values, k=1)


def compared(seed: int, *, blocks: int = 32, algorithms: int = 4) -> Arguments:
    """Compare pairs."""
    [made] = scores(seed, blocks=blocks, algorithms=algorithms)
    return (pc.rank_pairs(made, adjust="holm"),)


def jointly(seed: int, *, blocks: int = 32, algorithms: int = 4) -> Arguments:
    """Compare pairs by the largest statistic."""
    [made] = scores(seed, blocks=blocks, algorithms=algorithms)
    return (pc.max_t(made, flips=999, seed=1),)


def won(seed: int, *, algorithms: int = 3) -> Arguments:
    """Make wins over 30 data sets."""
    wins = np.random.default_rng(seed).integers(0, 15, (algorithms, algorithms))
    return wins - np.diag(np.diag(wins)), 30


def studies(seed: int, *, studies: int = 8) -> Arguments:
    """Make estimates of studies, and their standard errors."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=studies), rng.uniform(0.5, 1, studies)


def network(seed: int, *, studies: int = 8) -> Arguments:
    """Make studies of one pair each, of three algorithms."""
    estimate, error = globals()["studies"](seed, studies=studies)
    at = np.arange(studies) % 3
    first, second = np.array(["A", "A", "B"])[at], np.array(["B", "C", "C"])[at]
    return estimate, error, np.arange(studies), first, second


def comparison(seed: int, *, blocks: int = 16, algorithms: int = 4) -> Arguments:
    """Compare scores, and give a folder for the report."""
    [made] = scores(seed, blocks=blocks, algorithms=algorithms)
    folder = Path(tempfile.mkdtemp(dir=_folder().name)) / "report"
    return pc.compare(made, pc.Plan(blocks="datasets")), folder


# ---- files --------------------------------------------------------------------------


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is removed at the end."""
    return tempfile.TemporaryDirectory(prefix="sweep-")


def _stored(frame: pd.DataFrame, ending: str = ".csv") -> Path:
    path = Path(_folder().name) / f"table{ending}"
    if ending == ".csv":
        frame.to_csv(path, index=False)
    else:
        frame.to_parquet(path, index=False, row_group_size=2**16)
    return path


def score_file(seed: int, *, blocks: int = 16, algorithms: int = 3) -> Arguments:
    """Write a long table of scores."""
    frame = _long(seed, blocks, algorithms, 1, right=False)
    return (_stored(frame.astype({"algorithm": str})),)


def wide_file(seed: int, *, blocks: int = 16, algorithms: int = 3) -> Arguments:
    """Write a wide table of scores."""
    values = _values(seed, blocks, algorithms, 1)[:, :, 0]
    frame = pd.DataFrame(values, columns=_names("A", algorithms))
    frame.insert(0, "data", _names("d", blocks))
    return (_stored(frame),)


def prediction_file(seed: int, *, folds: int = 6, cases: int = 32) -> Arguments:
    """Write predictions as text."""
    return (_stored(prediction_table(seed, folds=folds, cases=cases)[0]),)


def prediction_parquet(seed: int, *, folds: int = 6, cases: int = 32) -> Arguments:
    """Write predictions as Parquet."""
    frame = prediction_table(seed, folds=folds, cases=cases)[0]
    return (_stored(frame, ".parquet"),)


def rating_file(seed: int, *, cases: int = 32, readers: int = 4) -> Arguments:
    """Write ratings."""
    return (_stored(rating_table(seed, cases=cases, readers=readers)[0]),)


def battle_file(seed: int, *, battles: int = 256, models: int = 4) -> Arguments:
    """Write battles."""
    return (_stored(fought(seed, battles=battles, models=models)[0].to_frame()),)


def mark_files(seed: int, *, cases: int = 32, readers: int = 2) -> Arguments:
    """Write marks of lesions, one a case, and the table of cases."""
    case = np.arange(cases)
    rows = [
        {"m": m, "r": r, "c": case, "on": np.where(case % 2, "left", ""), "x": 1 + m}
        for m in range(2)
        for r in range(readers)
    ]
    marks = _stored(pd.concat([pd.DataFrame(row) for row in rows]))
    path = marks.with_name("cases.csv")
    pd.DataFrame({"c": case, "n": case % 2}).to_csv(path, index=False)
    return marks, path


def result_files(seed: int, *, items: int = 64, models: int = 2) -> Arguments:
    """Write reports of SWE-bench, one per model."""
    import json

    folder = Path(tempfile.mkdtemp(dir=_folder().name))
    rng = np.random.default_rng(seed)
    names = [f"x-{i}" for i in range(items)]
    for model in _names("M", models):
        right = [
            name for name, r in zip(names, rng.random(items), strict=True) if r > 0.5
        ]
        content = json.dumps({"submitted_ids": names, "resolved_ids": right})
        (folder / f"{model}.run.json").write_text(content, encoding="utf-8")
    return folder, "swe-bench"


def own_losses(seed: int, *, cases: int = 32) -> Arguments:
    """Give a learner's losses, which cost nothing."""
    wrong = _label(seed, cases).astype(float)

    def of(train: Sequence[int], test: Sequence[int]) -> np.ndarray:
        return wrong[test]

    return of, cases
