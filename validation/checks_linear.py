"""Checks of the univariate linear models."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

import pycompare as pc

from . import cases as data
from .agreement import Check, Wanted

LEAST_SQUARES = Wanted(11, "lm() solves least squares by QR, a digit or so is lost")
NONCENTRAL = Wanted(7, "the root of R's pf(ncp =), which ends at absolute accuracy")
COMPLETE = {k: v for k, v in data.COMPLETE.items() if "scale" not in k}
SPHERICAL = Wanted(10, "R computes the covariance of contrasts, then its eigenvalues")


def folds_of_data_sets(n_datasets: int, n_folds: int, a: int, seed: int) -> pc.Scores:
    """Return scores of folds within data sets, as they come from cross-validation."""
    values = data.normal(n_datasets * n_folds, a, seed)
    frame = [
        {"d": f"d{i // n_folds}", "f": i % n_folds, "a": f"A{j}", "score": float(v)}
        for i, row in enumerate(values)
        for j, v in enumerate(row)
    ]
    return pc.Scores.from_frame(
        frame, algorithm="a", block="f", dataset="d", metrics={"score": "lower"}
    )


INCOMPLETE: dict[str, Callable[[], pc.Scores]] = {
    **data.INCOMPLETE,
    "folds in data sets 4x5x3": lambda: folds_of_data_sets(4, 5, 3, 40),
    "one cell missing 10x4": lambda: one_missing(),
}


def one_missing() -> pc.Scores:
    """Return a table that lacks one cell."""
    values = data.normal(10, 4, 41)
    values[3, 2] = np.nan
    return data.scores(values, missing="model")


def linear_checks() -> list[Check]:
    """Return the checks of analyses of variance and what follows them."""
    from .checks import TAIL, check

    rules = {
        "*": LEAST_SQUARES,
        "p_value": Wanted(10, TAIL.why),
        **{
            f"{name}_conf_{end}": NONCENTRAL
            for name in ("partial_eta2", "omega2", "generalised_eta2")
            for end in ("low", "high")
        },
        **{
            name: SPHERICAL
            for name in (
                "mauchly",
                "mauchly_p_value",
                "greenhouse_geisser",
                "huynh_feldt",
                "p_greenhouse_geisser",
                "p_huynh_feldt",
            )
        },
    }
    made = []
    for title, cases in (("complete", COMPLETE), ("folds or gaps", INCOMPLETE)):
        for blocked in (True, False):
            made.append(
                check(
                    f"analysis of variance, {'blocked' if blocked else 'one-way'}, "
                    f"{title}",
                    "anova(lm()), pf(ncp), mauchly.test",
                    cases,
                    partial(pc.anova, blocked=blocked),
                    **rules,
                )
            )
    return made
