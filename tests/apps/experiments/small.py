"""What the tests of this folder share: tiny data, quick estimators."""

from __future__ import annotations

import os
import signal
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import pycompare as pc
from pycompare.base.errors import InputError


def features(n: int = 60, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Three features and the labels yes and no, about as many of each."""
    rng = np.random.default_rng(seed)
    label = np.where(np.arange(n) % 2 == 0, "yes", "no")
    return rng.normal(size=(n, 3)) + (label == "yes")[:, None], label


def data(n: int = 60, seed: int = 0) -> pc.DataSet:
    x, y = features(n, seed)
    return pc.DataSet.of(x, y, positive="yes")


def algorithms() -> dict[str, object]:
    """One estimator without randomness and one with."""
    tree = DecisionTreeClassifier(max_features=1, min_samples_leaf=3)
    return {"NB": GaussianNB(), "tree": tree}


def run(folder: Path, **options) -> pc.Predictions:
    given = {
        "datasets": {"one": data(seed=1), "two": data(seed=2)},
        "algorithms": algorithms(),
        "protocol": pc.StratifiedFolds(3),
        "seed": 5,
        "progress": False,
    } | options
    return pc.experiment(
        given.pop("datasets"), given.pop("algorithms"), folder=folder, **given
    )


def files(folder: Path) -> dict[str, bytes]:
    """Every file of a folder, path and content."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def refused(*parts: str):
    """Expect an InputError whose message holds all the parts in order."""
    return pytest.raises(InputError, match="(?s)" + ".*".join(parts))


class Seen(ClassifierMixin, BaseEstimator):
    """Its score is a number of what it was trained on; it warns when it is told to."""

    def __init__(self, warn: bool = False, random_state: int | None = None) -> None:
        self.warn = warn
        self.random_state = random_state

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.total_ = X.sum() + self.random_state / 2**31
        if self.warn:
            warnings.warn("first line\nsecond line", UserWarning, stacklevel=1)
        return self

    def decision_function(self, X):
        return self.total_ + X[:, 0]

    def predict(self, X):
        return self.classes_[(self.decision_function(X) > 0).astype(int)]


class Deadly(Seen):
    """Kills its own process the first time, by a file that remembers."""

    def __init__(self, memory="", random_state=None):
        super().__init__(random_state=random_state)
        self.memory = memory

    def fit(self, X, y):
        path = Path(self.memory)
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            return super().fit(X, y)
        # Not before the other worker has finished a fold, however long that takes.
        while not list(path.parent.rglob("*.parquet")):
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(X, y)
