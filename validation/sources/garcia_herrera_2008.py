"""García and Herrera (2008): accuracies of four of their five algorithms.

C4.5 is Weka's J48, 1-NN its IB1 (numeric features scaled to [0, 1], nominal ones equal
or not), naive Bayes its NaiveBayes, all with their defaults: J48 has the confidence of
0.25 and two cases a leaf that the paper has. The paper cuts numbers into intervals for
naive Bayes and CN2: both are run so as well, by Orange in an environment of its own,
on the sets of at most 1000 cases.
"""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from pycompare.apps.experiments import learners
from pycompare.base.errors import InputError
from validation.chunk_lines import read_lines
from validation.sources.keel import KNOWN, Known, Table, read

LEARNERS = {
    "C4.5": "trees.J48",
    "1-NN": "lazy.IB1",
    "NaiveBayes": "bayes.NaiveBayes",
}
PAPER = "garcia-herrera-2008"
CN2, WITH_INTERVALS = "CN2", "NaiveBayes, intervals"
OF_ORANGE = {WITH_INTERVALS: "NaiveBayes", CN2: "CN2"}
FOLDS, SEED = 10, 2008
SECONDS = 60
"""Processor time of a learner of Orange on one data set, all folds."""
QUICK = 1000
"""Cases at most of a data set of the quick run, and of Orange's learners."""
ORANGE = Path(__file__).parents[2] / ".venv" / "orange" / "bin" / "python"
_INSTALL = (
    "CN2 needs Orange in an environment of its own: make .venv/.orange, or leave its "
    "learners out (--without-orange)"
)

Accuracies = dict[str, dict[str, list[float]]]
"""By data set and algorithm; empty where CN2 did not end."""


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


def left_of_orange(path: Path) -> Iterator[tuple[Known, str]]:
    """Yield what is not yet run of Orange's learners."""
    done = finished(path)
    for known in KNOWN:
        for name in OF_ORANGE:
            if known.cases <= QUICK and name not in done.get(known.name, {}):
                yield known, name


def run_orange(known: Known, name: str, folder: Path) -> dict[str, Any]:
    """Run a learner of Orange on one data set; return its accuracies.

    There are none if it takes too long.

    Raises
    ------
    InputError
        If Orange is missing, or its program fails.
    """
    if not ORANGE.exists():
        raise InputError(_INSTALL)
    table = read(known, folder)
    with TemporaryDirectory() as place:
        cases = Path(place, "cases.npz")
        np.savez(
            cases,
            features=table.features,
            label=table.label.astype(float),
            fold=_fold_of(table),
            nominal=np.array(list(table.nominal), int),
        )
        program = Path(__file__).with_name("orange_learners.py")
        run = subprocess.run(
            [str(ORANGE), str(program), str(cases), OF_ORANGE[name], str(SECONDS)],
            capture_output=True,
            text=True,
            check=False,
        )
    ended = run.returncode == 0
    if not ended and run.returncode not in (-signal.SIGXCPU, -signal.SIGKILL):
        raise InputError(f"{name} failed on {known.name}: {run.stderr.strip()[-300:]}")
    line = {"paper": PAPER, "dataset": known.name, "algorithm": name}
    return line | {"accuracy": json.loads(run.stdout) if ended else []}


def _fold_of(table: Table) -> np.ndarray:
    """Return the fold of each case."""
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED)
    fold = np.zeros(len(table.label), int)
    for k, (_, test) in enumerate(folds.split(table.features, table.label)):
        fold[test] = k
    return fold


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
