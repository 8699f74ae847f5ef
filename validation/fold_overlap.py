"""Corrected t tests of two real learners of exactly equal expectation, by protocol.

Each learner is trained on its own independent copy of the features, with the same
labels and splits, so that both have one expected error for every size of the training
set. Any rejection is false. Compared are the published overlap term (c = 1) and the
enlarged one that plans take; see ``docs/guide/folds.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import pycompare as pc

Floats = NDArray[np.float64]
RUNS = 80
"""Runs of one cell in a chunk; 25 chunks are 2,000."""
CASES = (60, 100, 300)
FEATURES = 10
POPULATIONS = {"4 of 10 features": (4, 0.5), "1 of 10 features": (1, 1.0)}
"""Features on which the classes differ, and by how many standard deviations."""
ALPHA = 0.05


class ByAnIrrelevantSign(ClassifierMixin, BaseEstimator):
    """An artificial learner: a column without use selects which feature decides.

    Its choice is common to training sets that share most cases, as no real learner's
    is; no correction by sizes holds for it.
    """

    def fit(self, x: Floats, y: Floats) -> ByAnIrrelevantSign:
        """Choose a feature by the sign of the mean of the last column."""
        self.classes_ = np.unique(y)
        self.column_ = int(x[:, -1].mean() > 0)  # 0 tells the classes apart, 1 not
        of = [x[y == label, self.column_].mean() for label in self.classes_]
        self.cut_ = float(np.mean(of))
        self.up_ = of[1] >= of[0]
        return self

    def predict(self, x: Floats) -> Floats:
        """Return the class on whose side of the cut each case lies."""
        above = (x[:, self.column_] > self.cut_) == self.up_
        return np.asarray(self.classes_[above.astype(int)])


LEARNERS: dict[str, Callable[[], Any]] = {
    "stump": lambda: DecisionTreeClassifier(max_depth=1, random_state=0),
    "tree": lambda: DecisionTreeClassifier(max_depth=3, random_state=0),
    "1-NN": lambda: KNeighborsClassifier(1),
    "naive Bayes": GaussianNB,
    "LDA": LinearDiscriminantAnalysis,
    "artificial": ByAnIrrelevantSign,
}


@dataclass(frozen=True)
class Protocol:
    """A cross-validation: so many repeats of so many folds."""

    repeats: int
    folds: int

    @property
    def name(self) -> str:
        """What the protocol is called."""
        once = f"single {self.folds}-fold"
        return once if self.repeats == 1 else f"{self.repeats} x {self.folds}-fold"

    @property
    def blocks(self) -> int:
        """Splits in all."""
        return self.repeats * self.folds

    def enlarged(self) -> float:
        """Return the overlap term that a plan takes."""
        plan = pc.Plan(blocks="folds", protocol="cross-validation", n_folds=self.folds)
        return plan.correction(self.blocks)["overlap"]


PROTOCOLS = tuple(
    Protocol(repeats, folds) for folds in (10, 5, 3) for repeats in (10, 1)
)


def differences(
    learner: str,
    population: str,
    n: int,
    folds: int,
    repeats: int,
    rng: np.random.Generator,
) -> Floats:
    """Draw a data set; return the differences in error of both learners by split."""
    labels = np.arange(n) % 2
    shape = (2, n, FEATURES)
    features = rng.normal(size=shape)
    # The artificial learner has one good feature, and one that is of no use.
    artificial = learner == "artificial"
    shifted, shift = (1, 2.0) if artificial else POPULATIONS[population]
    features[:, :, :shifted] += shift * labels[:, None]
    rows = [
        [
            float(np.mean(_predicted(learner, x, labels, train, test) != labels[test]))
            for x in features
        ]
        for train, test in _splits(labels, folds, repeats, rng)
    ]
    return np.array(rows) @ [1.0, -1.0]


def _splits(
    labels: NDArray[np.int_], folds: int, repeats: int, rng: np.random.Generator
) -> Iterator[tuple[NDArray[np.int_], NDArray[np.int_]]]:
    """Yield the splits of every repetition."""
    for _ in range(repeats):
        seed = int(rng.integers(2**31))
        splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
        yield from splitter.split(labels, labels)


def _predicted(
    learner: str,
    x: Floats,
    labels: NDArray[np.int_],
    train: NDArray[np.int_],
    test: NDArray[np.int_],
) -> NDArray[Any]:
    """Train on some cases; return the predicted labels of others."""
    # The data are right as they are drawn; to check them takes a third of the time.
    with config_context(assume_finite=True, skip_parameter_validation=True):
        fitted = LEARNERS[learner]()
        if isinstance(fitted, DecisionTreeClassifier):  # which has single precision
            seen, new = (np.float32(x[rows]) for rows in (train, test))
            fitted.fit(seen, labels[train], check_input=False)
            return np.asarray(fitted.predict(new, check_input=False))
        return np.asarray(fitted.fit(x[train], labels[train]).predict(x[test]))


def rejects(d: Floats, folds: int, overlap: float) -> bool:
    """Tell whether the corrected t test rejects equal expected errors."""
    scores = pc.Scores(
        values=np.stack([d, np.zeros(len(d))], axis=1)[:, :, None],
        blocks=tuple(map(str, range(len(d)))),
        algorithms=("first", "second"),
        metrics=(pc.Metric("error", "lower"),),
    )
    test = pc.paired_t(scores, n_train=folds - 1, n_test=1, overlap=overlap)
    return test.rejected(ALPHA)


def chunk(
    seed: int,
    runs: int = RUNS,
    learners: tuple[str, ...] = tuple(LEARNERS),
    cases: tuple[int, ...] = CASES,
) -> dict[str, Any]:
    """Count false rejections of every learner, size, protocol and overlap term."""
    counts: dict[str, int] = {}
    for place, learner in enumerate(LEARNERS):
        if learner not in learners:
            continue
        populations = list(POPULATIONS)[: 1 if learner == "artificial" else None]
        for population, n in product(populations, cases):
            of = list(POPULATIONS).index(population)
            rng = np.random.default_rng([seed, 5, place, of, n])
            for _, folds in product(range(runs), (10, 5, 3)):
                d = differences(learner, population, n, folds, 10, rng)
                for key, rejected in _decided(d, folds):
                    name = f"{learner}, {population}, n = {n}, {key}"
                    counts[name] = counts.get(name, 0) + rejected
    return {"runs": runs, "rejections": counts}


def _decided(d: Floats, folds: int) -> Iterator[tuple[str, bool]]:
    """Yield what each test of all repetitions, and of the first one, decides."""
    for protocol in PROTOCOLS:
        if protocol.folds == folds:
            used = d[: protocol.blocks]
            for overlap in (1.0, protocol.enlarged()):
                key = f"{protocol.name}, c = {overlap:.4g}"
                yield key, rejects(used, folds, overlap)


def conclude(chunks: list[dict[str, Any]]) -> str:
    """List the rejection rates of true nulls at 0.05, and the largest of each term."""
    runs = sum(made["runs"] for made in chunks)
    rates = {
        key: sum(made["rejections"][key] for made in chunks) / runs
        for key in chunks[0]["rejections"]
    }
    lines = [f"{runs} runs each; nominal {ALPHA}"]
    lines += [f"  {key}: {rate:.4f}" for key, rate in rates.items()]
    largest: dict[str, float] = {}
    for key, rate in rates.items():
        learner, _, _, rest = key.split(", ", 3)
        kind = "artificial learner" if learner == "artificial" else "real learners"
        test = f"{kind}, {rest}"
        largest[test] = max(largest.get(test, 0.0), rate)
    lines += [f"  largest, {test}: {rate:.4f}" for test, rate in largest.items()]
    return "\n".join(lines)
