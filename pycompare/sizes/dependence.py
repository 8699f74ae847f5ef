"""What simulated scores share: clusters, runs, groups and several metrics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pycompare.base.arguments import is_finite, is_whole
from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show
from pycompare.base.typing import Floats


def _require_share(name: str, value: float, of: str) -> None:
    """Reject anything but a correlation from 0 to below 1."""
    if not (is_finite(value) and 0 <= value < 1):
        raise InputError(
            setting(name, value) + f": give a number from 0, for {of}, to below 1"
        )


def _require_several(name: str, value: Any, of: str) -> None:
    """Reject anything but a whole number of 2 or more."""
    if not (is_whole(value) and value >= 2):
        raise InputError(
            setting(name, value) + f": give the {of}, a whole number of 2 or more"
        )


@dataclass(frozen=True)
class BlockClusters:
    """Clusters of blocks of one size, whose scores depend on each other.

    Attributes
    ----------
    size : int
        Blocks of a cluster; 1: blocks are independent.
    correlation : float
        Of the normal numbers behind the scores of one algorithm on two blocks of a
        cluster; of a difference between two algorithms it is the same.
    """

    size: int = 1
    correlation: float = 0.0

    def __post_init__(self) -> None:
        if not (is_whole(self.size) and self.size >= 1):
            raise InputError(
                setting("per_cluster", self.size)
                + ": give the blocks of a cluster, a whole number of 1 or more"
            )
        _require_share(
            "cluster_correlation",
            self.correlation,
            "blocks that do not depend on each other",
        )

    @property
    def words(self) -> str:
        """Return size and correlation; empty of independent blocks."""
        if self.size == 1:
            return ""
        return f", clusters of {self.size} with a correlation of {self.correlation:g}"


ALONE = BlockClusters()
"""Blocks that are independent."""


@dataclass(frozen=True)
class BlockRuns:
    """Several runs of each algorithm on each block.

    Attributes
    ----------
    count : int
        Runs of each algorithm on each block; 1: there are none.
    correlation : float
        Of the normal numbers behind the scores of one algorithm on one block in two
        runs; of a difference between two algorithms it is the same.
    shared : float
        The same of two blocks in one run, which all blocks share: a training, a prompt
        or a judge.
    fixed : bool
        Conclusions concern these shared runs, whose mean effect is then 0.
    """

    count: int = 1
    correlation: float = 1.0
    shared: float = 0.0
    fixed: bool = False

    def __post_init__(self) -> None:
        if self.count == 1 and self.correlation == 1:
            return
        _require_several("n_runs", self.count, "runs of each algorithm on each block")
        _require_share(
            "run_correlation", self.correlation, "runs that share nothing of a block"
        )
        _require_share(
            "shared_run_correlation", self.shared, "runs that have no effect"
        )
        if self.correlation + self.shared >= 1:
            raise InputError(
                setting("shared_run_correlation", self.shared)
                + f": with run_correlation {self.correlation:g} it must be below "
                f"{1 - self.correlation:.4g}, since both are shares of one variance"
            )

    @property
    def words(self) -> str:
        """Return the number and correlations of runs; empty without runs."""
        if self.count == 1:
            return ""
        run = f", of two blocks in one run {self.shared:g}" if self.shared else ""
        return (
            f", {self.count} runs of each cell, correlation of a difference in two "
            f"runs of one block {self.correlation:g}{run}"
        )


class Normals(NamedTuple):
    """Normal numbers of variance 1: the part that is fixed, and all of it."""

    fixed: Floats
    """(blocks or 1, algorithms, metrics, runs); 0 if nothing is fixed."""
    whole: Floats
    """(blocks, algorithms, metrics, runs)."""


@dataclass(frozen=True)
class Dependence:
    """How the normal numbers behind scores depend on each other.

    Attributes
    ----------
    clusters : BlockClusters
    runs : BlockRuns
    n_metrics : int
    metric_correlation : float
        Of a difference of two algorithms in two metrics.
    folds : float
        Of a difference in two folds of one study, which share training data; 0 for
        independent blocks.
    """

    clusters: BlockClusters = ALONE
    runs: BlockRuns = BlockRuns()
    n_metrics: int = 1
    metric_correlation: float = 0.0
    folds: float = 0.0

    def __post_init__(self) -> None:
        _require_share("fold_correlation", self.folds, "folds that share nothing")
        if self.n_metrics == 1:
            return
        lowest = -1 / (self.n_metrics - 1)
        if not (
            is_finite(self.metric_correlation) and lowest < self.metric_correlation < 1
        ):
            raise InputError(
                setting("metric_correlation", self.metric_correlation)
                + f": {self.n_metrics} metrics can have one above {lowest:g} and "
                "below 1"
            )

    @property
    def fixed_share(self) -> float:
        """Share of the variance that is fixed."""
        return self.runs.shared if self.runs.fixed else 0.0

    def draw(self, rng: np.random.Generator, n: int, k: int) -> Normals:
        """Draw the numbers of n blocks, or clusters of blocks, of k algorithms."""
        size, r = self.clusters.size, self.clusters.correlation
        block = self._numbers(rng, n * size, k, 1)
        if size > 1 and r:
            shared = np.repeat(self._numbers(rng, n, k, 1), size, axis=0)
            block = math.sqrt(r) * shared + math.sqrt(1 - r) * block
        if self.folds:
            # What a study's folds share does not show in the spread within the study.
            share = self.folds / (1 - self.folds)
            block = block + math.sqrt(share) * self._numbers(rng, 1, k, 1)
        fixed = np.zeros((1, k, self.n_metrics, 1))
        runs = self.runs
        if runs.count == 1:
            return Normals(fixed, block)
        own = self._numbers(rng, n * size, k, runs.count)
        whole = math.sqrt(runs.correlation) * block
        whole = whole + math.sqrt(1 - runs.correlation - runs.shared) * own
        if runs.shared:
            run = math.sqrt(runs.shared) * self._numbers(rng, 1, k, runs.count)
            if runs.fixed:
                run -= run.mean(axis=3, keepdims=True)
                run *= math.sqrt(runs.count / (runs.count - 1))
                fixed = run
            whole = whole + run
        return Normals(fixed, whole)

    def _numbers(self, rng: np.random.Generator, n: int, k: int, runs: int) -> Floats:
        """Draw numbers that depend on each other over metrics only."""
        z = rng.standard_normal((n, k, self.n_metrics, runs))
        if self.n_metrics == 1 or not self.metric_correlation:
            return z
        root = root_of_equal(self.metric_correlation, self.n_metrics)
        return np.asarray(np.einsum("bkmr,ml->bklr", z, root))

    @property
    def words(self) -> str:
        """Return what depends on what; empty if nothing does."""
        folds = (
            f", correlation of a difference in two folds {self.folds:g}"
            if self.folds
            else ""
        )
        metrics = (
            f", correlation of a difference in two metrics {self.metric_correlation:g}"
            if self.n_metrics > 1
            else ""
        )
        return f"{folds}{self.clusters.words}{self.runs.words}{metrics}"


INDEPENDENT = Dependence()
"""Independent blocks, on which each algorithm has a score."""


def root_of_equal(correlation: float, size: int) -> Floats:
    """Return the symmetric root of a matrix of equal correlations.

    Differences of two of the numbers that it mixes are a multiple of those before, so
    that their correlations with others are kept.
    """
    own = math.sqrt(1 - correlation)
    every = (math.sqrt(1 - correlation + size * correlation) - own) / size
    return np.asarray(own * np.eye(size) + every)


@dataclass(frozen=True)
class BlockGroups:
    """Groups of blocks, and which share of all blocks each has.

    Attributes
    ----------
    shares : mapping of str to float
    """

    shares: Mapping[str, float]

    def __post_init__(self) -> None:
        if len(self.shares) < 2:
            raise InputError(
                setting("group_shares", dict(self.shares))
                + ": give the share of each of two groups or more"
            )
        for name, share in self.shares.items():
            if not (is_finite(share) and share > 0):
                raise InputError(
                    setting("group_shares", share)
                    + f": give a number above 0 for {show(name)}"
                )

    @property
    def names(self) -> tuple[str, ...]:
        """The groups in the order in which they were stated."""
        return tuple(self.shares)

    @property
    def weights(self) -> tuple[float, ...]:
        """Share of each group; they add up to 1."""
        total = sum(self.shares.values())
        return tuple(share / total for share in self.shares.values())

    def sizes(self, n: int) -> tuple[int, ...]:
        """Return how many of n blocks, or clusters, each group has."""
        exact = np.array(self.weights) * n
        whole = np.floor(exact).astype(int)
        rest = np.argsort(-(exact - whole), kind="stable")[: n - int(whole.sum())]
        whole[rest] += 1
        if whole.min() < 2:
            short = self.names[int(np.argmin(whole))]
            raise InputError(
                setting("n", n)
                + f": group {show(short)} would have {whole.min()} of them; each "
                "group needs 2 or more"
            )
        return tuple(whole.tolist())


@dataclass(frozen=True)
class FoldNoise:
    """Folds of each data set, whose scores spread around its mean.

    Attributes
    ----------
    count : int
        Folds of each data set.
    sds : tuple of float
        One a metric: standard deviation of the scores of one algorithm over the folds
        of one data set.
    correlation : float
        Of a difference in two folds of one data set, which share training data.
    """

    count: int
    sds: tuple[float, ...]
    correlation: float

    def __post_init__(self) -> None:
        _require_several("folds_per_dataset", self.count, "folds of each data set")
        for sd in self.sds:
            if not (is_finite(sd) and sd > 0):
                raise InputError(setting("fold_sd", sd) + ": give a number above 0")
        _require_share("fold_correlation", self.correlation, "folds that share nothing")

    def dependence(self, metric_correlation: float) -> Dependence:
        """Return that of the folds of several data sets: folds are in clusters."""
        return Dependence(
            clusters=BlockClusters(self.count, self.correlation),
            n_metrics=len(self.sds),
            metric_correlation=metric_correlation,
        )

    @property
    def spreads(self) -> tuple[float, ...]:
        """Standard deviation of a fold's score with what all folds share."""
        return tuple(sd / math.sqrt(1 - self.correlation) for sd in self.sds)

    @property
    def words(self) -> str:
        """Return how many folds, and their spread."""
        return (
            f", {self.count} folds of each with a standard deviation of "
            f"{' and '.join(f'{sd:g}' for sd in self.sds)}, correlation of a "
            f"difference in two folds {self.correlation:g}"
        )
