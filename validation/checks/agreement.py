"""Checks of the decisions of tests on several metrics."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

import pycompare as pc

from ..agreement import Check, Package, Wanted
from ..making import Makers, check


def folds(a: int, n_datasets: int, n_folds: int, metrics: int, seed: int) -> pc.Scores:
    """Return scores of folds within data sets, some pairs of algorithms alike."""
    rng = np.random.default_rng(seed)
    shape = (n_datasets, n_folds, a, metrics)
    effect = rng.normal(size=(n_datasets, 1, a, metrics)) * 0.4
    values = (rng.normal(size=shape) + effect).reshape(-1, a, metrics)
    names = [f"data {i}" for i in range(n_datasets) for _ in range(n_folds)]
    return pc.Scores(
        values,
        tuple(f"{name}/{i}" for i, name in enumerate(names)),
        tuple(f"A{j}" for j in range(a)),
        tuple(pc.Metric(f"m{k}", "lower") for k in range(metrics)),
        tuple(names),
    )


def alike(scores: pc.Scores) -> pc.Scores:
    """Return scores in which a pair does not differ, and one differs by a constant."""
    values = scores.values.copy()
    values[:, 1, 0] = values[:, 0, 0]
    values[:, 1, 1] = values[:, 0, 1] + 0.25
    return replace(scores, values=values)


TABLES: Makers = {
    "4 algorithms, 3 data sets": lambda: folds(4, 3, 10, 3, 301),
    "5 algorithms, 4 data sets, 30 folds": lambda: folds(5, 4, 30, 3, 302),
    "no variance": lambda: alike(folds(3, 2, 8, 3, 304)),
    "two algorithms": lambda: folds(2, 5, 4, 3, 303),
}


def counts() -> pc.Scores:
    """Return counts of which the third is what the second leaves of a total."""
    scores = folds(3, 3, 12, 3, 305)
    values = np.round(50 + 10 * scores.values)
    values[..., 2] = 100 - values[..., 1]
    return replace(scores, values=values)


TOGETHER = ("4 algorithms, 3 data sets", "5 algorithms, 4 data sets, 30 folds")


def agreement_checks() -> list[Check]:
    """Return the checks with and without the correction."""
    wanted = Wanted(11, "tail of a distribution")
    every = partial(pc.agreement, metrics=("m0", "m1", "m2"))
    return [
        check(
            "Agreement of decisions",
            Package("stats::t.test(paired = TRUE), table"),
            TABLES,
            every,
            **{f"p_{k}": wanted for k in (1, 2, 3)},
        ),
        check(
            "Agreement of decisions, corrected t",
            "derivation in R",
            TABLES,
            partial(every, n_train=58, n_test=30),
            **{f"p_{k}": wanted for k in (1, 2, 3)},
        ),
        check(
            "Agreement of decisions, metrics together",
            Package("stats::t.test(paired = TRUE), mahalanobis, qr"),
            {name: TABLES[name] for name in TOGETHER} | {"counts": counts},
            partial(pc.agreement, metrics=("m0", ("m1", "m2"), ("m0", "m1", "m2"))),
            **{f"p_{k}": wanted for k in (1, 2, 3)},
        ),
    ]
