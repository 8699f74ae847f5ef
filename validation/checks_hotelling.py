"""Checks of Hotelling's T2, of two algorithms and of all pairs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.results import RCall, Result

from .agreement import Case, Check, Wanted
from .cases import Floats

MAHALANOBIS = Wanted(10, "R forms the covariance matrix, which squares its condition")
COVARIANCE = Wanted(
    10, "a mean near zero, or of dependent coordinates, loses digits in R", floor=0.1
)
OF_ZERO = Wanted(10, "equal means differ by rounding in lm()", floor=1e-3)
NONCENTRAL = Wanted(6, "the root of R's pf(ncp =), which has absolute accuracy")
ONE_MINUS = Wanted(9, "rrcov computes 1 - pf", floor=1e-3)
SAMPLES: tuple[Any, ...] = ("paired", "two-sample", "two-sample-unequal", "contrast")


def frame_of(values: Floats, datasets: int = 0, **options: Any) -> pc.Scores:
    """Make scores of blocks x algorithms x metrics; NaN is a missing cell."""
    b, a, p = values.shape
    names = [f"m{j}" for j in range(p)]
    rows = []
    for i, j in np.ndindex(b, a):
        if not np.isnan(values[i, j]).any():
            cell = {"block": f"b{i}", "algorithm": f"A{j + 1}", "d": f"d{i % 3}"}
            rows.append(cell | dict(zip(names, values[i, j].tolist(), strict=True)))
    if datasets:
        options["dataset"] = "d"
    return pc.Scores.from_frame(
        pd.DataFrame(rows),
        algorithm="algorithm",
        block="block",
        metrics=dict.fromkeys(names, "higher"),
        **options,
    )


def correlated(b: int, a: int, p: int, seed: int, spread: float = 0.4) -> Floats:
    """Return scores of correlated metrics with effects of blocks and algorithms."""
    rng = np.random.default_rng(seed)
    mixed = rng.normal(size=(b, a, p)) @ rng.normal(size=(p, p))
    return (
        mixed
        + rng.normal(size=(b, 1, p))
        + spread * np.arange(a)[:, None] * rng.normal(size=p)
    )


def confusion(b: int, a: int, seed: int) -> Floats:
    """Return TP, FP, TN, FN with class sizes that are the same in all folds."""
    rng = np.random.default_rng(seed)
    tp = rng.integers(20, 40, size=(b, a)) - np.arange(a)
    fp = rng.integers(5, 25, size=(b, a))
    return np.stack([tp, fp, 50 - fp, 40 - tp], axis=-1).astype(float)


def gappy(values: Floats, seed: int) -> Floats:
    """Take one cell in eight out, never the first block's."""
    holes = np.random.default_rng(seed).random(values.shape[:2]) < 1 / 8
    holes[0] = False
    return np.where(holes[..., None], np.nan, values)


def identical(values: Floats) -> Floats:
    """Make the second algorithm the same as the first."""
    made = values.copy()
    made[:, 1] = made[:, 0]
    return made


CASES: dict[str, Callable[[], pc.Scores]] = {
    "normal 10x3x2": lambda: frame_of(correlated(10, 3, 2, 1)),
    "normal 30x5x4": lambda: frame_of(correlated(30, 5, 4, 2)),
    "one metric 12x4x1": lambda: frame_of(correlated(12, 4, 1, 3)),
    "strong 60x5x4": lambda: frame_of(correlated(60, 5, 4, 4, 5.0)),
    "units of 1e-9 and 1e9 15x4x3": lambda: frame_of(
        correlated(15, 4, 3, 5) * np.array([1e-9, 1.0, 1e9])
    ),
    "TP FP TN FN 30x5": lambda: frame_of(confusion(30, 5, 6)),
    "gaps 15x4x2": lambda: frame_of(gappy(correlated(15, 4, 2, 7), 8), missing="model"),
    "folds in data sets 15x4x2": lambda: frame_of(correlated(15, 4, 2, 9), 3),
    "folds in data sets, gaps 15x4x3": lambda: frame_of(
        gappy(correlated(15, 4, 3, 10), 11), 3, missing="model"
    ),
    "two algorithms alike 15x4x2": lambda: frame_of(
        identical(correlated(15, 4, 2, 12))
    ),
}


def hotelling_checks() -> list[Check]:
    """Return the checks of Hotelling's T2."""
    from .checks import check

    rules = {
        "*": MAHALANOBIS,
        "p_value": MAHALANOBIS,
        "p_adjusted": MAHALANOBIS,
        **dict.fromkeys(("distance_low", "distance_high"), NONCENTRAL),
        **dict.fromkeys(
            (
                "estimate",
                "conf_low",
                "conf_high",
                "bonferroni_low",
                "bonferroni_high",
                "direction",
                "directions",
                "standardised",
            ),
            COVARIANCE,
        ),
    }
    zero = dict.fromkeys(("t2", "statistic", "distance"), OF_ZERO)
    made = []
    for method in SAMPLES:
        made.append(
            check(
                f"Hotelling's T2 of all pairs, {method}",
                "stats::mahalanobis, pf, p.adjust",
                CASES,
                partial(pc.hotelling_pairs, method=method, adjust="holm"),
                **rules | (zero if method == "contrast" else {}),
            )
        )
        if method != "contrast":
            made.append(
                check(
                    f"Hotelling's T2 of two algorithms, {method}",
                    "stats::mahalanobis, pf(ncp =)",
                    CASES,
                    partial(last_two, method=method),
                    **rules,
                )
            )
    made.append(
        check(
            "Hotelling's T2 against a control",
            "stats::mahalanobis, pf, p.adjust",
            CASES,
            partial(pc.hotelling_pairs, adjust="hochberg", control="A1"),
            **rules,
        )
    )
    return [*made, *second_witnesses()]


def last_two(scores: pc.Scores, method: Any) -> Result:
    """Compare the last two algorithms."""
    return pc.hotelling(scores, algorithms=scores.algorithms[-2:], method=method)


def second_witnesses() -> list[Check]:
    """Return checks against R's own tests."""
    rules = {"*": MAHALANOBIS, "p_value": ONE_MINUS}
    return [
        Check(
            "Hotelling's T2, paired, second witness",
            "summary(stats::manova(D ~ 1), intercept = TRUE)",
            manova_cases,
            {"*": Wanted(9, "eigenvalues of an unsymmetric matrix")},
        ),
        Check(
            "Hotelling's T2, two samples, second witness",
            "rrcov::T2.test",
            rrcov_cases,
            rules,
        ),
    ]


WITNESSED = ((10, 2, 2), (30, 4, 4), (60, 3, 2), (12, 5, 3))


def witnessed(function: str, sample: Any, arguments: Callable[..., Any]) -> list[Case]:
    """Return one case per size of table, the first two algorithms each."""
    made = []
    for b, a, p in WITNESSED:
        values = correlated(b, a, p, 100 * b + p)
        result = pc.hotelling(frame_of(values), algorithms=("A1", "A2"), method=sample)
        ours = {
            "t2": result.t2,
            "statistic": result.statistic,
            "df": result.df,
            "p_value": result.p_value,
        }
        call = RCall(("hotelling",), function, arguments(values[:, 0], values[:, 1]))
        made.append(Case(f"normal {b}x{a}x{p}", call, ours))
    return made


def manova_cases() -> list[Case]:
    """Return cases of the intercept of a multivariate model of differences."""
    return witnessed(
        "hotelling_manova_reference",
        "paired",
        lambda x, y: {"d": labelled(x - y)},
    )


def rrcov_cases() -> list[Case]:
    """Return cases of rrcov's test of two samples."""
    return witnessed(
        "hotelling_rrcov_reference",
        "two-sample",
        lambda x, y: {"x": labelled(x), "y": labelled(y)},
    )


def labelled(x: Floats) -> pd.DataFrame:
    """Return a frame with names for its rows and columns."""
    rows = [str(i) for i in range(len(x))]
    return pd.DataFrame(x, rows, [f"m{j}" for j in range(x.shape[1])])
