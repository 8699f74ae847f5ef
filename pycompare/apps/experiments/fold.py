"""One fold: every algorithm learns from one training set and scores one test set."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from pycompare.apps.experiments.dataset import DataSet
from pycompare.apps.experiments.estimators import derived_seed, positive_scores, seeded
from pycompare.apps.experiments.parts import Scored, write_part
from pycompare.apps.experiments.protocols import Protocol, Split
from pycompare.base.errors import InputError, PyCompareError
from pycompare.base.labels import show


class FoldKey(NamedTuple):
    """A fold that is to be done: its data set, and which of its splits."""

    dataset: str
    number: int


class ExperimentPlan(NamedTuple):
    """What all folds of an experiment share; a worker gets it once."""

    datasets: Mapping[str, DataSet]
    algorithms: Mapping[str, Any]
    protocol: Protocol
    seed: int


def fold_of(plan: ExperimentPlan, key: FoldKey) -> Fold:
    """Return one fold; the splits of a data set are made once in each process."""
    data = plan.datasets[key.dataset]
    splits = _splits_of(key.dataset, data, plan.protocol, plan.seed)
    return Fold(key.dataset, data, splits[key.number], plan.seed)


def fit_fold(plan: ExperimentPlan, key: FoldKey) -> list[Scored]:
    """Fit and score every algorithm in one fold."""
    fold = fold_of(plan, key)
    return [fold.scored(name, each) for name, each in plan.algorithms.items()]


@lru_cache(maxsize=8)
def _splits_of(
    name: str, data: DataSet, protocol: Protocol, seed: int
) -> Sequence[Split]:
    return protocol.splits(data.is_positive, derived_seed(seed, name, "splits"))


@dataclass(frozen=True, eq=False)
class Fold:
    """A fold of a data set."""

    dataset: str
    data: DataSet
    split: Split
    seed: int

    def write(self, path: Path, scored: Sequence[Scored]) -> None:
        """Write the scores of its test cases."""
        test = self.split.test
        write_part(path, self.data.row[test], self.data.is_positive[test], scored)

    def scored(self, name: str, estimator: Any) -> Scored:
        """Fit one algorithm and score the test set; count its warnings."""
        fitted = seeded(estimator, self.seed_of)
        train, test = self.split.train, self.split.test
        x, y = self.data.features, self.data.is_positive.astype(int)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                fitted.fit(x[train], y[train])
                score = positive_scores(fitted, x[test], 1)
            except PyCompareError as error:
                raise InputError(f"{self.where(name)}: {error}") from error
            except Exception as error:
                raise InputError(
                    f"{self.where(name)}: its fit or its scores failed with "
                    f"{type(error).__name__}: {error}"
                ) from error
        return Scored(name, score, dict(Counter(map(_first_line, caught))))

    def seed_of(self, parameter: str) -> int:
        """Return the seed of a parameter: the same for all algorithms of the fold."""
        return derived_seed(self.seed, self.dataset, self.split.fold, parameter)

    def where(self, algorithm: str) -> str:
        """Name an algorithm on this fold for a message."""
        return (
            f"algorithm={show(algorithm)}, dataset={show(self.dataset)}, "
            f"fold={show(self.split.fold)}"
        )


def _first_line(warning: warnings.WarningMessage) -> str:
    """Return a warning's kind and the first line of its text."""
    text = str(warning.message).strip().partition("\n")[0]
    return f"{warning.category.__name__}: {text}"
