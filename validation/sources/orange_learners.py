"""Learners of Orange on the folds of a data set, numbers cut into intervals first.

``python orange_learners.py FILE.npz CN2|NaiveBayes SECONDS`` runs in an environment of
its own, which has Orange3 and not this library: see ``requirements/orange.txt``. It
prints the accuracy of each fold as JSON, and is ended after so many seconds of
processor time.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path

import numpy as np
from Orange.classification import NaiveBayesLearner
from Orange.classification.rules import CN2Learner
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.preprocess import Discretize
from Orange.preprocess.discretize import EntropyMDL

LEARNERS = {"CN2": CN2Learner, "NaiveBayes": NaiveBayesLearner}


def main(path: Path, learner: str) -> None:
    """Print the accuracies."""
    with np.load(path) as stored:
        features, label, fold = (stored[name] for name in ("features", "label", "fold"))
        nominal = set(stored["nominal"].tolist())
    columns = [
        DiscreteVariable(f"x{j}", tuple(map(str, range(int(column.max()) + 1))))
        if j in nominal
        else ContinuousVariable(f"x{j}")
        for j, column in enumerate(features.T)
    ]
    classes = DiscreteVariable("class", tuple(map(str, range(int(label.max()) + 1))))
    domain = Domain(columns, classes)
    # The paper cuts numbers into intervals for both, by Fayyad and Irani (1993).
    cut = Discretize(method=EntropyMDL())
    accuracies = []
    for k in np.unique(fold):
        train, test = fold != k, fold == k
        known = cut(Table.from_numpy(domain, features[train], label[train]))
        unknown = Table.from_numpy(domain, features[test], label[test])
        answers = LEARNERS[learner]()(known)(unknown.transform(known.domain))
        accuracies.append(float(np.mean(answers == label[test])))
    print(json.dumps(accuracies))


if __name__ == "__main__":
    seconds = int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    main(Path(sys.argv[1]), sys.argv[2])
