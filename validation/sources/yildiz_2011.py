"""Yildiz, Aslan and Alpaydin (2011): five algorithms on 22 of their 36 data sets.

C4.5 is Weka's J48; the others are scikit-learn's, as `learners` has them, with an
indicator for each value of a nominal feature. The cells of the confusion matrix of each
of ten stratified folds are kept; everything else follows from them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import pycompare as pc
from pycompare.apps.experiments import learners
from pycompare.base.metric import Direction
from validation.chunk_lines import read_lines
from validation.sources.keel import Known, Table, read

PAPER = "yildiz-2011"
ALGORITHMS = ("c45", "svm", "lda", "qda", "knn")
FOLDS, QUICK = 10, 1000
REPEATED = {"breast": 100, "pima": 100, "spect": 10}
"""Data sets of the paper's examples, and how often they are divided."""

ERROR, RATES, PRECISION = "error", ("tpr", "fpr"), ("precision", "tpr")
CELLS = ("tp", "fn", "fp", "tn")

Counts = dict[str, list[list[int]]]
"""By algorithm: tp, fn, fp, tn of each fold."""
Runs = dict[tuple[str, int], Counts]
"""By data set and division."""


@dataclass(frozen=True)
class TwoClasses:
    """A data set of two classes, and which is called positive.

    The paper does not say which is. Tests of (tpr, fpr) do not depend on it.
    """

    known: Known
    positive: str


DATASETS = (
    TwoClasses(Known("vote", "housevotes", 232, 16, 2), "democrat"),
    TwoClasses(Known("spect", "spect", 267, 22, 2, 0.4457), "1"),
    TwoClasses(Known("heart", "heart", 270, 13, 2, 54.4333), "2"),
    TwoClasses(Known("haberman", "haberman", 306, 3, 2, 52.4575), "positive"),
    TwoClasses(Known("bupa", "bupa", 345, 6, 2, 90.1594), "2"),
    TwoClasses(Known("ionosphere", "ionosphere", 351, 33, 2, 0.8917), "g"),
    TwoClasses(Known("cylinder", "bands", 365, 19, 2, 44.9671), "band"),
    TwoClasses(Known("monks", "monk-2", 432, 6, 2, 2.0), "1"),
    # Benign: the sentence of the paper's Figure 2 then holds.
    TwoClasses(Known("breast", "wisconsin", 683, 9, 2, 4.4422), "2"),
    TwoClasses(Known("australian", "australian", 690, 14, 2, 0.6783), "1"),
    TwoClasses(Known("pima", "pima", 768, 8, 2, 3.8451), "tested_positive"),
    TwoClasses(Known("mammographic", "mammographic", 830, 5, 2, 4.3940), "1"),
    TwoClasses(Known("tictactoe", "tic-tac-toe", 958, 9, 2), "positive"),
    TwoClasses(Known("german", "german", 1000, 20, 2, 20.903, 1), "2"),
    TwoClasses(
        Known("satellite47", "satimage", 2134, 36, 2, 71.7591, kept=("4", "7")), "4"
    ),
    TwoClasses(Known("titanic", "titanic", 2201, 3, 2, -0.0008), "1.0"),
    TwoClasses(Known("krusk", "chess", 3196, 36, 2), "won"),
    TwoClasses(Known("spambase", "spambase", 4597, 57, 2, 0.1046), "1"),
    TwoClasses(Known("mushroom", "mushroom", 5644, 22, 2), "p"),
    TwoClasses(Known("ringnorm", "ring", 7400, 20, 2, 211.8264), "1"),
    TwoClasses(Known("twonorm", "twonorm", 7400, 20, 2, 0.007), "1"),
    TwoClasses(Known("magic", "magic", 19020, 10, 2, 53.2502), "g"),
)
"""The data sets that can be had, the quick ones first."""


def finished(path: Path) -> Runs:
    """Return the counts of each data set and division."""
    lines = [line for line in read_lines(path) if line["paper"] == PAPER]
    return {(line["dataset"], line["division"]): line["counts"] for line in lines}


def left(path: Path, quick: bool) -> Iterator[tuple[TwoClasses, int]]:
    """Yield what is not yet run: first one division of all, then all of some."""
    done = finished(path)
    sets = [d for d in DATASETS if not quick or d.known.cases <= QUICK]
    repeated = [d for d in sets if d.known.name in REPEATED]
    for dataset, divisions in [
        *((d, range(1)) for d in sets),
        *((d, range(1, 1 if quick else REPEATED[d.known.name])) for d in repeated),
    ]:
        for division in divisions:
            if (dataset.known.name, division) not in done:
                yield dataset, division


def run_one(dataset: TwoClasses, division: int, folder: Path) -> dict[str, Any]:
    """Run the five algorithms on one division of a data set; return the counts."""
    table = read(dataset.known, folder)
    line = {"paper": PAPER, "dataset": dataset.known.name, "division": division}
    counts = confusions(table, dataset.positive, division)
    return line | {"counts": counts}


def confusions(table: Table, positive: str, division: int) -> Counts:
    """Return the cells of each fold's confusion matrix, by algorithm."""
    truth = table.label == table.classes.index(positive)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=division)
    parts = list(folds.split(table.features, truth))
    return {
        name: [cells_of(learner, table, truth, *part) for part in parts]
        for name, learner in _learners(table).items()
    }


def _learners(table: Table) -> dict[str, Any]:
    own = learners.yil_learners()
    own["c45"] = learners.weka("trees.J48", nominal=table.nominal)
    numeric = {
        name: with_indicators(own[name], table.nominal) for name in ALGORITHMS[1:]
    }
    return {"c45": own["c45"]} | numeric


def with_indicators(learner: Any, nominal: Mapping[int, Sequence[float]]) -> Any:
    """Return a learner that gets an indicator for each value of a nominal feature."""
    if not nominal:
        return learner
    values = [list(own) for own in nominal.values()]
    indicators = OneHotEncoder(categories=values, drop="first", sparse_output=False)
    columns = ColumnTransformer(
        [("nominal", indicators, list(nominal))], remainder="passthrough"
    )
    return make_pipeline(columns, learner)


def cells_of(
    learner: Any, table: Table, truth: np.ndarray, train: np.ndarray, test: np.ndarray
) -> list[int]:
    """Return tp, fn, fp, tn of a learner on one fold."""
    with catch_warnings():
        # Collinear features, and a search that ended early: the paper's programs
        # meet both.
        simplefilter("ignore")
        fitted = clone(learner).fit(table.features[train], truth[train])
        told = np.asarray(fitted.predict(table.features[test]), bool)
    own = truth[test]
    cells = (own & told, own & ~told, ~own & told, ~own & ~told)
    return [int(cell.sum()) for cell in cells]


def scores(runs: Mapping[str, Counts]) -> pc.Scores:
    """Return the error, the rates and the cells of every fold, by data set.

    The precision of a fold without a predicted positive is 0.
    """
    values = np.array(
        [
            [measures_of(counts[name][fold]) for name in ALGORITHMS]
            for counts in runs.values()
            for fold in range(FOLDS)
        ]
    )
    names = [str(name) for name in runs for _ in range(FOLDS)]
    blocks = [f"{name}/{fold}" for name in runs for fold in range(FOLDS)]
    directions: dict[str, Direction] = {
        "error": "lower",
        "fpr": "lower",
        "fn": "lower",
        "fp": "lower",
    }
    metrics = (ERROR, *RATES, PRECISION[0], *CELLS)
    return pc.Scores(
        values,
        tuple(blocks),
        ALGORITHMS,
        tuple(pc.Metric(m, directions.get(m, "higher")) for m in metrics),
        datasets=tuple(names),
    )


def measures_of(cells: Sequence[int]) -> list[float]:
    """Return error, tpr, fpr, precision and the cells themselves."""
    tp, fn, fp, tn = cells
    told = tp + fp
    rates = [tp / (tp + fn), fp / (fp + tn), tp / told if told else 0.0]
    return [(fn + fp) / sum(cells), *rates, *map(float, cells)]
