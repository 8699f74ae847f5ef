"""Benchmarks (groups of cases) with declared weights: strata of a weighted mean."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, get_args

import numpy as np

from pycompare.base.arguments import is_finite
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.labels import Levels, levels, nearest, show_all
from pycompare.base.typing import Floats, Ints, WeightRule
from pycompare.data.scores import Scores

_LEAST = 1e-100
"""Of weights, as a part of the largest: squares of smaller ones are no doubles."""
_RULES = get_args(WeightRule)
"""Weights without numbers."""


@dataclass(frozen=True, eq=False)
class Strata:
    """Benchmarks (groups of cases) with declared weights.

    Attributes
    ----------
    names : tuple of str
    codes : ndarray of int, shape (n_rows,)
        The benchmark of each row.
    weights, counts : ndarray, shape (n_benchmarks,)
        Weights, of sum 1, and cases.
    """

    names: tuple[str, ...]
    codes: Ints
    weights: Floats
    counts: Floats

    @property
    def factors(self) -> Floats:
        """What each row is multiplied by: the weighted mean is then the sum of rows."""
        return np.asarray((self.weights / self.counts)[self.codes])

    @property
    def shares(self) -> Floats:
        """How far the mean of each benchmark moves if the weighted mean moves by 1.

        These are the moves of least squares under a given weighted mean; their own
        weighted mean is 1.
        """
        moved = self.weights / self.counts
        return np.asarray(moved / (self.weights @ moved))


def strata_of(scores: Scores, weights: Any) -> Strata:
    """Return the benchmarks with declared weights; clusters, if any, are the rows.

    Raises
    ------
    InputError
        If weights do not name exactly the groups, or are not positive and finite; if a
        word is neither ``equal`` nor ``cases``.
    DesignError
        If a cluster has cases of two benchmarks, or a benchmark fewer than two rows.
    """
    cases = _strata_of_cases(scores, weights)
    codes = cases.codes
    if scores.clusters is not None:
        codes = _benchmark_of_each(levels(scores.clusters, what="clusters"), codes)
    _require_two_rows(cases.names, codes, scores)
    return replace(cases, codes=codes)


def tasks_of(scores: Scores, weights: Any) -> Strata:
    """Return the tasks with declared weights; the rows are cases.

    A cluster, such as a patient, may have cases of several tasks.

    Raises
    ------
    InputError
        As `strata_of`.
    DesignError
        If a task has fewer than two cases, or clusters.
    """
    tasks = _strata_of_cases(scores, weights)
    codes = tasks.codes
    if scores.clusters is not None:
        n = len(tasks.names)
        owner = np.asarray(levels(scores.clusters, what="clusters").codes)
        codes = np.unique(owner * n + codes) % n
    _require_two_rows(tasks.names, codes, scores)
    return tasks


def _strata_of_cases(scores: Scores, weights: Any) -> Strata:
    """Return the groups of cases with their weights."""
    groups = levels(scores.groups or (), what="groups")
    codes = np.asarray(groups.codes)
    counts = np.bincount(codes, minlength=len(groups.labels)).astype(float)
    given = _checked_weights(weights, groups.labels, counts)
    return Strata(groups.labels, codes, given, counts)


def _require_two_rows(names: tuple[str, ...], codes: Ints, scores: Scores) -> None:
    """Reject a group of one case, or cluster."""
    rows = np.bincount(codes, minlength=len(names))
    if rows.min() < 2:
        what = "case" if scores.clusters is None else "cluster"
        raise DesignError(
            f"group {names[int(rows.argmin())]!r} has one {what}, and its "
            "error needs two or more; leave it out"
        )


def _benchmark_of_each(clusters: Levels, codes: Ints) -> Ints:
    """Return the benchmark of each cluster; reject clusters of cases of several."""
    owner = np.asarray(clusters.codes)
    benchmarks = np.zeros(len(clusters.labels), int)
    benchmarks[owner] = codes
    apart = np.flatnonzero(benchmarks[owner] != codes)
    if len(apart):
        label = clusters.labels[owner[apart[0]]]
        raise DesignError(
            f"cluster {label!r} has cases of two groups, and weighted groups must be "
            "independent; name clusters so that each lies within one group"
        )
    return benchmarks


def _checked_weights(weights: Any, names: tuple[str, ...], counts: Floats) -> Floats:
    """Return weights of sum 1 in the order of the groups, which have so many cases."""
    if message := unfit_weights(weights, names):
        raise InputError(message)
    if isinstance(weights, str):
        return _normalised(counts if weights == "cases" else np.ones(len(names)))
    ordered = np.array([float(weights[name]) for name in names])
    return _normalised(ordered)


def _normalised(weights: Floats) -> Floats:
    """Return weights of sum 1."""
    unit = weights / weights.max()
    return np.asarray(unit / unit.sum())


def unfit_weights(weights: Any, names: tuple[str, ...]) -> str | None:
    """Return the reason why weights are not those of these groups, if they are not."""
    if len(names) < 2:
        return (
            "weights are of two benchmarks or more, named by a column of groups ("
            + setting("group", ...)
            + f"), and there is {'one' if names else 'no such column'}; leave them out"
        )
    if isinstance(weights, str) and weights in _RULES:
        return None
    if not isinstance(weights, Mapping):
        rules = " or ".join(map(repr, _RULES))
        return (
            setting("weights")
            + f": give a mapping of each group to its weight, or {rules}"
            + (nearest(weights, _RULES) if isinstance(weights, str) else "")
        )
    absent = [name for name in weights if name not in names]
    if absent:
        return (
            f"weights: there is no group {absent[0]!r}"
            f"{nearest(str(absent[0]), names)}; groups: {show_all(names)}"
        )
    without = [name for name in names if name not in weights]
    if without:
        return (
            f"weights: {len(without)} of {len(names)} groups have no weight, first "
            f"{without[0]!r}; give each a positive one, or leave the group out"
        )
    wrong = [name for name in names if not _positive(weights[name])]
    if wrong:
        return (
            f"weights: {wrong[0]!r} has {weights[wrong[0]]!r}; give a positive, finite "
            "number"
        )
    largest = max(weights[name] for name in names)
    slight = [name for name in names if weights[name] < _LEAST * largest]
    if slight:
        return (
            f"weights: {slight[0]!r} has {weights[slight[0]]!r}, less than {_LEAST:g} "
            "of the largest weight; leave the group out"
        )
    return None


def _positive(value: Any) -> bool:
    """Return whether a value is a positive, finite number."""
    return is_finite(value) and value > 0
