"""Checks of multivariate analysis of variance."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.interop.r_call import RCall
from pycompare.methods.linear.manova import ManovaResult
from pycompare.results.result import Result

from ..agreement import Case, Check, Package, Wanted
from ..making import check

ROOTS = Wanted(10, "R forms E = R'R, which squares the condition of the residuals")
TAIL = Wanted(9, "tail of a distribution: the last digits of the roots, magnified")
SMALL = Wanted(
    8, "small roots beside large ones have absolute accuracy in R", floor=1e-6
)
Makers = dict[str, Callable[[], pc.Scores]]


def several(
    b: int, a: int, p: int, seed: int, *, spread: float = 0.4, gaps: float = 0.0
) -> pc.Scores:
    """Return correlated scores in p metrics; a share of the cells is missing."""
    rng = np.random.default_rng(seed)
    mix = rng.normal(size=(p, p)) + 2 * np.eye(p)
    y = rng.normal(size=(b, a, p)) @ mix + rng.normal(size=(b, 1, p))
    y += spread * np.arange(a)[:, None] * rng.random(p)
    holes = rng.random((b, a)) < gaps
    holes[:2] = False
    return from_cells(y, ~holes, [f"m{j}" for j in range(p)])


def from_cells(y: np.ndarray, present: np.ndarray, names: list[str]) -> pc.Scores:
    """Return scores of the cells that are there."""
    rows, at = np.nonzero(present)
    frame = pd.DataFrame(y[rows, at], columns=names)
    frame["block"] = [f"b{i}" for i in rows]
    frame["algorithm"] = [f"A{j}" for j in at]
    return pc.Scores.from_frame(
        frame,
        algorithm="algorithm",
        block="block",
        metrics=dict.fromkeys(names, "lower"),
        missing="error" if present.all() else "model",
    )


def folds_of_data_sets() -> pc.Scores:
    """Return two metrics of folds within data sets."""
    rng = np.random.default_rng(71)
    rows = [
        {"d": f"d{d}", "f": f, "a": f"A{j}", "x": rng.normal() + d, "y": rng.random()}
        for d in range(4)
        for f in range(5)
        for j in range(3)
    ]
    return pc.Scores.from_frame(
        rows,
        algorithm="a",
        block="f",
        dataset="d",
        metrics={"x": "lower", "y": "higher"},
    )


def counts() -> pc.Scores:
    """Return confusion counts of fixed class sizes: four metrics of rank 2."""
    rng = np.random.default_rng(72)
    true = rng.binomial(40, 0.8, (20, 4)) + np.arange(4)
    false = rng.binomial(60, 0.2, (20, 4))
    y = np.stack([true, false, 60 - false, 40 - true], axis=-1).astype(float)
    return from_cells(y, np.ones((20, 4), bool), ["TP", "FP", "TN", "FN"])


def units() -> pc.Scores:
    """Return metrics in units from 1e-9 to 1e9."""
    y = several(15, 4, 3, 73).values * np.array([1e-9, 1.0, 1e9])
    return from_cells(y, np.ones((15, 4), bool), ["small", "one", "large"])


def strange_names() -> pc.Scores:
    """Return metrics whose names are code, markup and not ASCII."""
    y = several(9, 3, 3, 74).values
    names = ["__import__('os')", '<b>"\\n', "名前 = x"]
    return from_cells(y, np.ones((9, 3), bool), names)


COMPLETE: Makers = {
    "10 blocks, 3 algorithms, 2 metrics": lambda: several(10, 3, 2, 60),
    "30x5, 4 metrics": lambda: several(30, 5, 4, 61),
    "15x8, 3 metrics": lambda: several(15, 8, 3, 62),
    "two algorithms 20x2, 3 metrics": lambda: several(20, 2, 3, 63),
    "one metric 12x4": lambda: several(12, 4, 1, 64),
    "no difference 25x4, 3 metrics": lambda: several(25, 4, 3, 65, spread=0.0),
    "strong 40x5, 3 metrics": lambda: several(40, 5, 3, 66, spread=5.0),
    "more metrics than algorithms 20x3, 5": lambda: several(20, 3, 5, 67),
    "no denominator for a trace 2x5, 4": lambda: several(2, 5, 4, 68),
}
AWKWARD: Makers = {
    "counts of rank 2, 20x4": counts,
    "units 1e-9 to 1e9": units,
    "strange names 9x3": strange_names,
    "gaps 20x4, 3 metrics": lambda: several(20, 4, 3, 69, gaps=0.15),
    "gaps 12x5, 2 metrics": lambda: several(12, 5, 2, 70, gaps=0.25),
    "folds in data sets 4x5x3": folds_of_data_sets,
}


def manova_checks() -> list[Check]:
    """Return the checks of manova, its dimensions, and their second witnesses."""
    rules = {
        "*": ROOTS,
        "p_value": TAIL,
        "bartlett_p_value": TAIL,
        "eigenvalues": SMALL,
        "canonical_raw": SMALL,
        "canonical_standardised": SMALL,
        "canonical_structure": SMALL,
    }
    every = COMPLETE | AWKWARD
    made = []
    for blocked in (True, False):
        form = "blocked" if blocked else "one-way"
        fitted = partial(pc.manova, blocked=blocked)
        made += [
            check(
                f"MANOVA with canonical variates, {form}",
                "lm(), eigen(), stats:::Wilks ...",
                every,
                fitted,
                **rules,
            ),
            check(
                f"Bartlett's dimensionality D2_r, {form}",
                "lm(), eigen(), pchisq",
                every,
                partial(dimensionality, blocked=blocked),
                **{"*": SMALL, "p_value": TAIL},
            ),
            check(
                f"Likelihood-ratio dimensionality, {form}",
                "lm(), eigen(), pchisq",
                every,
                partial(likelihood_dimensionality, blocked=blocked),
                **{"*": SMALL, "p_value": TAIL},
            ),
            check(
                f"Likelihood-ratio dimensionality, known covariance, {form}",
                "lm(), eigen(), pchisq",
                every,
                partial(known_covariance, blocked=blocked),
                **{"*": SMALL, "p_value": TAIL},
            ),
        ]
    return made + witnesses()


def dimensionality(scores: pc.Scores, *, blocked: bool) -> Result:
    """Return the dimensionality test of a MANOVA."""
    return pc.manova(scores, blocked=blocked).dimensionality


def likelihood_dimensionality(scores: pc.Scores, *, blocked: bool) -> Result:
    """Return the likelihood-ratio test of the dimension of a MANOVA."""
    return pc.manova(scores, blocked=blocked).likelihood_dimensionality()


def known_covariance(scores: pc.Scores, *, blocked: bool) -> Result:
    """Return the same with a covariance that is known, of correlations of 0.3."""
    spread = np.nanstd(scores.values, axis=(0, 1))
    p = len(scores.metrics)
    known = np.outer(spread, spread) * (0.7 * np.eye(p) + 0.3)
    return pc.manova(scores, blocked=blocked).likelihood_dimensionality(known)


def witnesses() -> list[Check]:
    """Return the checks against R's packages themselves."""
    ordinary = {k: v for k, v in COMPLETE.items() if "denominator" not in k}
    several_metrics = {k: v for k, v in ordinary.items() if "one metric" not in k}
    gaps = {k: v for k, v in AWKWARD.items() if "gaps" in k}
    columns = ("statistic", "f", "df1", "df2", "p_value")
    car = several_metrics | gaps
    rrcov = {k: v for k, v in several_metrics.items() if "two algorithms" not in k}
    return [
        witness("summary.manova", "summary_manova_reference", several_metrics, columns),
        witness("car::Anova, type II", "car_manova_reference", car, columns),
        witness(
            "rrcov::Wilks.test, one-way",
            "rrcov_wilks_reference",
            rrcov,
            ("statistic", "bartlett"),
            blocked=False,
        ),
    ]


def witness(
    title: str,
    function: str,
    makers: Makers,
    columns: tuple[str, ...],
    *,
    blocked: bool = True,
) -> Check:
    """Return a check of the same numbers against another R function."""

    def cases() -> list[Case]:
        made = []
        for name, make in makers.items():
            result = pc.manova(make(), blocked=blocked)
            call = result.r_call()
            assert call is not None
            # The order of the means is of no use to a witness without means.
            rest = {k: v for k, v in call.arguments.items() if k != "algorithms"}
            made.append(
                Case(
                    name,
                    RCall(call.files, function, rest),
                    {c: numbers(result, c, function) for c in columns},
                )
            )
        return made

    rules = {"*": ROOTS, "p_value": TAIL}
    return Check(f"MANOVA, second witness: {title}", Package(title), cases, rules)


def numbers(result: ManovaResult, column: str, function: str) -> object:
    """Return a column of the four tests; of Wilks' alone for rrcov."""
    values = result.r_values()[column]
    alone = function.startswith("rrcov") and column == "statistic"
    return values[0] if alone else values
