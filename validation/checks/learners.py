"""Checks of intervals for the error of one learner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.results.result import Result

from ..agreement import Case, Check
from ..making import CLOSED

DERIVED = "derivation in R"


def cv_errors(n: int, folds: int, repeats: int, seed: int, *, graded: bool) -> Result:
    """Return the intervals of losses that are drawn."""
    rng = np.random.default_rng(seed)
    rows = n * repeats
    loss = rng.gamma(2.0, size=rows) if graded else (rng.random(rows) < 0.2) * 1.0
    each = np.concatenate(
        [rng.permutation(np.arange(n) % folds) for _ in range(repeats)]
    )
    repeat = None if repeats == 1 else np.repeat(np.arange(repeats), n)
    return pc.cv_error_intervals(loss, each, repeat=repeat, level=0.9)


def nested(n: int, folds: int, repeats: int, seed: int) -> Result:
    """Return nested cross-validation of the nearer of two class means."""
    rng = np.random.default_rng(seed)
    label = np.arange(n) % 2
    x = label + rng.normal(size=n)

    def losses(train: Any, test: Any) -> Any:
        means = [x[train][label[train] == k].mean() for k in (0, 1)]
        return (x[test] > sum(means) / 2) != label[test]

    return pc.nested_cv(losses, n, n_folds=folds, repeats=repeats, seed=seed)


CASES: dict[str, dict[str, Callable[[], Result]]] = {
    "error of one learner, one cross-validation": {
        "100 cases, 10 folds": partial(cv_errors, 100, 10, 1, 1, graded=False),
        "53 cases, 5 folds, graded": partial(cv_errors, 53, 5, 1, 2, graded=True),
        "60 cases, 20 folds": partial(cv_errors, 60, 20, 1, 3, graded=False),
    },
    "error of one learner, repeats": {
        "40 cases, 3 times 4 folds": partial(cv_errors, 40, 4, 3, 4, graded=True),
    },
    "nested cross-validation": {
        "40 cases, 4 folds": partial(nested, 40, 4, 6, 5),
        "63 cases, 5 folds": partial(nested, 63, 5, 10, 6),
    },
}


def learner_checks() -> list[Check]:
    """Return the checks of this file."""
    return [
        Check(name, DERIVED, partial(_cases, makers), {"*": CLOSED})
        for name, makers in CASES.items()
    ]


def _cases(makers: dict[str, Callable[[], Result]]) -> Iterator[Case]:
    for name, make in makers.items():
        result = make()
        call = result.r_call()
        assert call is not None
        yield Case(name, call, result.r_values())
