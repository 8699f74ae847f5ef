"""Checks of permutation tests of several metrics, and of multivariate residuals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.typing import Floats
from pycompare.kernels import permutation

from ..agreement import Check, Package, Wanted
from ..making import check

COUNTED = Wanted(14, "a count of permutations")
SQUARES = Wanted(10, "adonis2 works on squared distances between all rows")
DETERMINANTS = Wanted(10, "determinants of cross products in R")
RESIDUALS = Wanted(9, "residuals of lm() carry its rounding")


def metrics_of(values: Floats, **options: Any) -> pc.Scores:
    """Make scores from a blocks x algorithms x metrics array."""
    names = [f"m{k}" for k in range(values.shape[2])]
    rows = [
        {"block": f"b{i}", "algorithm": f"A{j}", **dict(zip(names, cell, strict=True))}
        for i, row in enumerate(values.tolist())
        for j, cell in enumerate(row)
    ]
    return pc.Scores.from_frame(
        rows,
        algorithm="algorithm",
        block="block",
        metrics=dict.fromkeys(names, "higher"),
        **options,
    )


def normal(b: int, a: int, p: int, seed: int, spread: float = 0.4) -> Floats:
    """Return correlated normal metrics with block and algorithm effects."""
    rng = np.random.default_rng(seed)
    mixed = rng.normal(size=(b, a, p)) @ rng.normal(size=(p, p))
    effects = spread * rng.normal(size=(a, p))
    return np.asarray(mixed + rng.normal(size=(b, 1, p)) + effects)


def gaps(values: Floats, seed: int) -> pc.Scores:
    """Take one cell out of each of three blocks."""
    rng = np.random.default_rng(seed)
    rows = rng.choice(len(values), 3, replace=False)
    values[rows, rng.integers(0, values.shape[1], 3)] = np.nan
    return metrics_of(values, missing="model")


def folds(seed: int) -> pc.Scores:
    """Return two metrics of three algorithms on folds of three data sets."""
    rng = np.random.default_rng(seed)
    rows = [
        {"d": f"d{d}", "f": f, "a": f"A{j}", "u": u + d, "v": v}
        for d in range(3)
        for f in range(5)
        for j in range(3)
        for u, v in [rng.normal(size=2).tolist()]
    ]
    return pc.Scores.from_frame(
        rows,
        algorithm="a",
        block="f",
        dataset="d",
        metrics={"u": "higher", "v": "lower"},
    )


def confusion(seed: int) -> pc.Scores:
    """Return TP, FP, TN, FN of folds with fixed class sizes: rank 2."""
    rng = np.random.default_rng(seed)
    tp, fp = rng.integers(20, 40, (2, 12, 4)).astype(float)
    return metrics_of(np.stack([tp, fp, 60 - fp, 50 - tp], axis=-1))


CASES: dict[str, Callable[[], pc.Scores]] = {
    "normal 10x3x2": lambda: metrics_of(normal(10, 3, 2, 50)),
    "normal 30x5x4": lambda: metrics_of(normal(30, 5, 4, 51)),
    "two algorithms 15x2x3": lambda: metrics_of(normal(15, 2, 3, 52)),
    "one metric 12x4": lambda: metrics_of(normal(12, 4, 1, 53)),
    "units 1e-9, 1, 1e9, 12x3": lambda: metrics_of(
        normal(12, 3, 3, 54) * [1e-9, 1.0, 1e9]
    ),
    "strong 20x4x3": lambda: metrics_of(normal(20, 4, 3, 55, 4.0)),
    "confusion counts of rank 2, 12x4": lambda: confusion(56),
    "cells missing 12x4x2": lambda: gaps(normal(12, 4, 2, 57), 58),
    "folds in data sets 3x5x3": lambda: folds(59),
}
SPREAD_OUT = {
    name: make
    for name, make in CASES.items()
    if name
    not in ("one metric 12x4", "confusion counts of rank 2, 12x4", "normal 30x5x4")
}
"""Two metrics or three, and no ties. In four, searches from different random numbers
end in halves whose determinants differ in the second digit, R's own among them."""
SMALL: dict[str, Callable[[], pc.Scores]] = {
    "normal 5x3x2": lambda: metrics_of(normal(5, 3, 2, 60)),
    "ties 5x3x2": lambda: metrics_of(
        np.random.default_rng(61).integers(0, 4, (5, 3, 2)).astype(float)
    ),
    "two algorithms 9x2x2": lambda: metrics_of(normal(9, 2, 2, 62)),
    "cells missing 5x3x2": lambda: gaps(normal(5, 3, 2, 63), 64),
}
DEALT: dict[str, Callable[[], pc.Scores]] = {
    "normal 3x3x2": lambda: metrics_of(normal(3, 3, 2, 65)),
    "two algorithms 6x2x3": lambda: metrics_of(normal(6, 2, 3, 66)),
}


def names_of(scores: pc.Scores) -> list[str]:
    """Return the names of all metrics."""
    return [metric.name for metric in scores.metrics]


def with_orders(scores: pc.Scores, blocked: bool, **options: Any) -> Any:
    """Run the test with 199 permutations that R gets, too."""
    rows = np.nonzero(~np.isnan(scores.values).any(axis=2))[0]
    strata = permutation.strata_of(rows if blocked else np.zeros_like(rows))
    rng = np.random.default_rng(len(rows))
    [orders] = permutation.on_random_permutations(
        lambda _, orders: orders, None, strata, 199, rng, 199
    )
    return pc.permutation_manova(
        scores,
        metrics=names_of(scores),
        blocked=blocked,
        permutations=orders,
        **options,
    )


def listed(scores: pc.Scores, blocked: bool, **options: Any) -> Any:
    """Run the test with all arrangements, which R lists again."""
    found = pc.permutation_manova(
        scores, metrics=names_of(scores), blocked=blocked, seed=1, **options
    )
    assert found.listed, "too many arrangements for this check"
    return found


FORMS: dict[str, tuple[str, str, dict[str, Any], Wanted]] = {
    "Wilks' lambda": (
        "det(crossprod(resid(lm())))",
        "wilks",
        {},
        DETERMINANTS,
    ),
    "pseudo-F": (
        Package("vegan::adonis2"),
        "trace",
        {"standardise": "none"},
        SQUARES,
    ),
    "pseudo-F of standardised metrics": (
        Package("vegan::adonis2"),
        "trace",
        {"standardise": "sd"},
        SQUARES,
    ),
}


def permutation_checks() -> list[Check]:
    """Return the checks of permutation tests, by permutations given and by listing."""
    made = []
    for title, (r_function, statistic, options, wanted) in FORMS.items():
        for blocked in (True, False):
            form = "within blocks" if blocked else "one-way"
            for how, method, cases in (
                ("permutations given", with_orders, CASES),
                ("all arrangements", listed, SMALL if blocked else DEALT),
            ):
                made.append(
                    check(
                        f"permutation test of {title}, {form}, {how}",
                        r_function,
                        cases,
                        partial(
                            method, blocked=blocked, statistic=statistic, **options
                        ),
                        **{"*": wanted, "p_value": COUNTED},
                    )
                )
    return made


def multivariate_residual_checks() -> list[Check]:
    """Return the checks of Box's M, Mardia and Henze-Zirkler."""
    return [
        check(
            f"Box's M, Mardia, Henze-Zirkler, {'blocked' if blocked else 'one-way'}",
            "psych::mardia, derivations from cov() and mahalanobis()",
            CASES,
            partial(pc.multivariate_checks, blocked=blocked),
            **{"*": RESIDUALS},
        )
        for blocked in (True, False)
    ] + [
        check(
            f"minimum covariance determinant, {'blocked' if blocked else 'one-way'}",
            Package("rrcov::CovMcd"),
            SPREAD_OUT,
            partial(pc.multivariate_outliers, blocked=blocked, seed=1),
            **{"*": RESIDUALS},
        )
        for blocked in (True, False)
    ]


def multivariate_permutation_checks() -> list[Check]:
    """Return all checks of this file."""
    return permutation_checks() + multivariate_residual_checks()
