"""García and Herrera (2008): accuracies of three of their five algorithms.

C4.5 is Weka's J48, 1-NN its IB1 (numeric features scaled to [0, 1], nominal ones equal
or not), naive Bayes its NaiveBayes, all with their defaults: J48 has the confidence of
0.25 and two cases a leaf that the paper has.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from pycompare.apps.experiments import learners
from validation.chunk_lines import read_lines
from validation.sources.keel import KNOWN, Known, Table, read

LEARNERS = {
    "C4.5": "trees.J48",
    "1-NN": "lazy.IB1",
    "NaiveBayes": "bayes.NaiveBayes",
}
PAPER = "garcia-herrera-2008"
FOLDS, SEED = 10, 2008
QUICK = 1000
"""Cases at most of a data set of the quick run."""

Accuracies = dict[str, dict[str, list[float]]]


def finished(path: Path) -> Accuracies:
    """Return the accuracy of each fold by data set and algorithm."""
    done: Accuracies = {}
    for line in read_lines(path):
        if line["paper"] == PAPER:
            done.setdefault(line["dataset"], {})[line["algorithm"]] = line["accuracy"]
    return done


def left(path: Path, quick: bool) -> Iterator[tuple[Known, str]]:
    """Yield what is not yet run."""
    done = finished(path)
    for known in KNOWN:
        if quick and known.cases > QUICK:
            continue
        for name in LEARNERS:
            if name not in done.get(known.name, {}):
                yield known, name


def run_one(known: Known, name: str, folder: Path) -> dict[str, Any]:
    """Run one algorithm on one data set; return its accuracies."""
    accuracy = accuracies(read(known, folder), LEARNERS[name])
    line = {"paper": PAPER, "dataset": known.name, "algorithm": name}
    return line | {"accuracy": accuracy}


def accuracies(table: Table, classifier: str) -> list[float]:
    """Return the accuracy of each of ten stratified folds."""
    learner = learners.weka(classifier, nominal=table.nominal)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    found = []
    for train, test in folds.split(table.features, table.label):
        fitted = clone(learner).fit(table.features[train], table.label[train])
        right = fitted.predict(table.features[test]) == table.label[test]
        found.append(float(np.mean(right)))
    return found
