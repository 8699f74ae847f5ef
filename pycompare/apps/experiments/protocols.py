"""How a data set is divided into training and test sets: the papers' protocols."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from pycompare.base.arguments import is_finite, is_whole
from pycompare.base.checked import checked_class
from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.base.typing import Bools, Indices


class Split(NamedTuple):
    """One fold: its label, and the cases to learn from and to be tested on."""

    fold: str
    train: Indices
    test: Indices


@dataclass(frozen=True)
class Protocol(ABC):
    """A way to divide the cases; all splits keep the shares of the classes."""

    @property
    @abstractmethod
    def least(self) -> int:
        """The number of cases that each class needs."""

    @property
    @abstractmethod
    def overlap(self) -> Fraction:
        """Return n_test / n_train: what `paired_t` corrects for, by both numbers."""

    @abstractmethod
    def splits(self, is_positive: Bools, seed: int) -> list[Split]:
        """Divide the cases, the same way for the same seed."""


@checked_class
@dataclass(frozen=True)
class HeldOut(Protocol):
    """Protocol: one test set, resampled training sets (Aslan 2009, sec. 3.2.3).

    A third of the cases is the test set. The others, Aslan's ``train-all``, are divided
    into ``folds`` parts; training set i is ``train-all`` without part i. Part i is not
    used further (in Aslan's study it is not, either). Both divisions are stratified,
    which Aslan does not state.

    Attributes
    ----------
    folds : int
        Number of training sets.
    test : Fraction or float
        Share of the cases in the test set.

    Examples
    --------
    >>> import pycompare as pc
    >>> pc.HeldOut(10)
    HeldOut(folds=10, test=Fraction(1, 3))
    """

    folds: int = 30
    test: Fraction | float = Fraction(1, 3)

    def __post_init__(self) -> None:
        _require_folds("folds", self.folds)
        _require_share("test", self.test)

    @property
    def least(self) -> int:
        """Enough for one in each part and in the test set."""
        return max(
            int(np.ceil((self.folds + 1) / (1 - float(self.test)))),
            int(np.ceil(2 / float(self.test))),
        )

    @property
    def overlap(self) -> Fraction:
        """Return n_test / n_train."""
        test = Fraction(self.test)
        return test / ((1 - test) * Fraction(self.folds - 1, self.folds))

    def splits(self, is_positive: Bools, seed: int) -> list[Split]:
        """Divide the cases."""
        from sklearn.model_selection import StratifiedShuffleSplit

        share = float(self.test)
        outer = StratifiedShuffleSplit(1, test_size=share, random_state=seed)
        train_all, test = next(outer.split(is_positive, is_positive))
        train_all, test = np.sort(train_all), np.sort(test)
        parts = _stratified(is_positive[train_all], self.folds, seed)
        return [
            Split(fold, train_all[train], test)
            for fold, (train, _) in zip(_labels(self.folds), parts, strict=True)
        ]


@checked_class
@dataclass(frozen=True)
class StratifiedFolds(Protocol):
    """Protocol: stratified k-fold cross-validation.

    Attributes
    ----------
    folds : int

    Examples
    --------
    >>> import pycompare as pc
    >>> pc.StratifiedFolds(10)
    StratifiedFolds(folds=10)
    """

    folds: int = 10

    def __post_init__(self) -> None:
        _require_folds("folds", self.folds)

    @property
    def least(self) -> int:
        """One in each fold."""
        return self.folds

    @property
    def overlap(self) -> Fraction:
        """Return n_test / n_train."""
        return Fraction(1, self.folds - 1)

    def splits(self, is_positive: Bools, seed: int) -> list[Split]:
        """Divide the cases."""
        divisions = _stratified(is_positive, self.folds, seed)
        return [
            Split(fold, *parts)
            for fold, parts in zip(_labels(self.folds), divisions, strict=True)
        ]


@checked_class
@dataclass(frozen=True)
class RepeatedFolds(StratifiedFolds):
    """Protocol: stratified k-fold cross-validation, repeated with new divisions.

    A fold is labelled ``repeat-fold``.

    Attributes
    ----------
    folds, repeats : int

    Examples
    --------
    >>> import pycompare as pc
    >>> pc.RepeatedFolds(folds=10, repeats=10)
    RepeatedFolds(folds=10, repeats=10)
    """

    repeats: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_folds("repeats", self.repeats)

    def splits(self, is_positive: Bools, seed: int) -> list[Split]:
        """Divide the cases."""
        rng = np.random.default_rng(seed)
        seeds = rng.integers(2**31, size=self.repeats).tolist()
        return [
            Split(f"{repeat}-{fold}", *parts)
            for repeat, again in zip(_labels(self.repeats), seeds, strict=True)
            for fold, parts in zip(
                _labels(self.folds),
                _stratified(is_positive, self.folds, again),
                strict=True,
            )
        ]


@checked_class
@dataclass(frozen=True)
class FiveByTwo(RepeatedFolds):
    """Protocol: five replications of 2-fold cross-validation (Dietterich 1998).

    The ten blocks of a data set, ``1-1``, ``1-2``, ``2-1``, ..., in this order are the
    5 x 2 differences that `five_by_two_cv` takes.

    Examples
    --------
    >>> import pycompare as pc
    >>> pc.FiveByTwo()
    FiveByTwo(folds=2, repeats=5)
    """

    folds: int = 2
    repeats: int = 5

    def __post_init__(self) -> None:
        if (self.folds, self.repeats) != (2, 5):
            raise InputError("FiveByTwo has 2 folds and 5 repeats; see RepeatedFolds")


@checked_class
@dataclass(frozen=True)
class DisjointSets(Protocol):
    """Protocol: training sets that share no case, each with a test set of its own.

    The cases are divided at random into ``sets`` parts with equal shares of the
    classes, and each part into a training and a test set. Scores of different parts are
    independent, given the data set's population: ``pc.Plan(protocol="disjoint")``
    compares them by plain paired t tests. Conclusions concern training sets of that
    smaller size.

    Attributes
    ----------
    sets : int
        Number of training sets.
    test : Fraction or float
        Share of each part's cases in its test set.

    Examples
    --------
    >>> import pycompare as pc
    >>> pc.DisjointSets(5)
    DisjointSets(sets=5, test=Fraction(1, 3))
    """

    sets: int = 5
    test: Fraction | float = Fraction(1, 3)

    def __post_init__(self) -> None:
        _require_folds("sets", self.sets)
        _require_share("test", self.test)

    @property
    def least(self) -> int:
        """One to learn from and one to be tested on in each part."""
        return 2 * self.sets

    @property
    def overlap(self) -> Fraction:
        """Return 0: training sets share nothing that a test would correct for."""
        return Fraction(0)

    def splits(self, is_positive: Bools, seed: int) -> list[Split]:
        """Divide the cases."""
        rng = np.random.default_rng(seed)
        train: list[list[Indices]] = [[] for _ in range(self.sets)]
        test: list[list[Indices]] = [[] for _ in range(self.sets)]
        for label in (True, False):
            of_class = rng.permutation(np.flatnonzero(is_positive == label))
            for place, part in enumerate(np.array_split(of_class, self.sets)):
                wanted = round(float(self.test) * len(part))
                n_test = min(max(wanted, 1), len(part) - 1)
                test[place].append(part[:n_test])
                train[place].append(part[n_test:])
        return [
            Split(fold, *(np.sort(np.concatenate(rows)) for rows in parts))
            for fold, *parts in zip(_labels(self.sets), train, test, strict=True)
        ]


def _stratified(
    is_positive: Bools, folds: int, seed: int
) -> Iterator[tuple[Indices, Indices]]:
    from sklearn.model_selection import StratifiedKFold

    splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
    splits: Any = splitter.split(is_positive, is_positive)
    return iter(splits)


def _labels(n: int) -> list[str]:
    """Label 1 ... n with as many digits as n, so that they sort as they count."""
    return [f"{i + 1:0{len(str(n))}d}" for i in range(n)]


def _require_share(name: str, share: Fraction | float) -> None:
    """Reject a share of the cases that leaves none on one side."""
    if not is_finite(share) or not 0 < share < 1:
        raise InputError(f"{name}={show(share)}: give a share between 0 and 1")


def _require_folds(name: str, n: int) -> None:
    if not is_whole(n) or n < 2:
        raise InputError(f"{name}={n!r}: give a whole number of at least 2")
