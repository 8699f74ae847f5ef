"""Checks of Hotelling's T2, of two algorithms and of all pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.interop.r_call import RCall
from pycompare.results.result import Result

from ..agreement import Case, Check, Package, Wanted
from ..cases import Floats
from ..making import check
from .manova import AWKWARD, COMPLETE, Makers, from_cells, several

MAHALANOBIS = Wanted(11, "R forms the covariance matrix, which squares its condition")
COVARIANCE = Wanted(
    11, "a mean near zero, or of dependent coordinates, loses digits in R", floor=0.1
)
OF_ZERO = Wanted(10, "equal means differ by rounding in lm()", floor=1e-3)
NONCENTRAL = Wanted(7, "the root of R's pf(ncp =), which has absolute accuracy")
ONE_MINUS = Wanted(9, "rrcov computes 1 - pf", floor=1e-3)
SAMPLES: tuple[Any, ...] = ("paired", "two-sample", "two-sample-unequal", "contrast")


def alike() -> pc.Scores:
    """Return scores of which the second algorithm is the first again."""
    y = several(15, 4, 2, 76).values.copy()
    y[:, 1] = y[:, 0]
    return from_cells(y, np.ones((15, 4), bool), ["m0", "m1"])


def strange_algorithms() -> pc.Scores:
    """Return scores of algorithms and blocks whose names are code and formulas."""
    names = ['a"b', "__import__('os')", "algorithm", "(Intercept)"]
    y = several(12, 4, 2, 77).values
    rows = [
        {"b": f'b"{i}', "a": names[j], "y ~ x": y[i, j, 0], "y1": y[i, j, 1]}
        for i, j in np.ndindex(12, 4)
    ]
    return pc.Scores.from_frame(
        rows, algorithm="a", block="b", metrics={"y ~ x": "higher", "y1": "lower"}
    )


CASES: Makers = {
    **{k: v for k, v in COMPLETE.items() if "no denominator" not in k},
    **AWKWARD,
    "two algorithms alike 15x4, 2 metrics": alike,
    "strange names of algorithms 12x4": strange_algorithms,
}


def hotelling_checks() -> list[Check]:
    """Return the checks of Hotelling's T2."""
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
            lambda scores: pc.hotelling_pairs(
                scores, adjust="hochberg", control=scores.algorithms[0]
            ),
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
            Package("summary(stats::manova(D ~ 1), intercept = TRUE)"),
            manova_cases,
            {"*": Wanted(9, "eigenvalues of an unsymmetric matrix")},
        ),
        Check(
            "Hotelling's T2, two samples, second witness",
            Package("rrcov::T2.test"),
            rrcov_cases,
            rules,
        ),
        Check(
            "Hotelling's T2 of one sample",
            Package("rrcov::T2.test(mu =)"),
            one_sample_cases,
            rules,
        ),
    ]


def one_sample_cases() -> Iterator[Case]:
    """Yield tests of one algorithm against given means."""
    for name, make in WITNESSED.items():
        scores = make()
        x = scores.values[:, 0]
        given = np.round(x.mean(axis=0) + 0.3 * x.std(axis=0), 2)
        names = [metric.name for metric in scores.metrics]
        result = pc.hotelling_one_sample(
            scores,
            algorithm=scores.algorithms[0],
            means=dict(zip(names, given.tolist(), strict=True)),
        )
        ours = {
            "t2": result.t2,
            "statistic": result.statistic,
            "df": result.df,
            "p_value": result.p_value,
        }
        arguments = {"x": labelled(x), "mu": given.tolist()}
        call = RCall(("hotelling",), "hotelling_one_sample_reference", arguments)
        yield Case(name, call, ours)


WITNESSED = {k: v for k, v in COMPLETE.items() if k in tuple(COMPLETE)[:4]}


def witnessed(
    function: str, sample: Any, arguments: Callable[..., Any]
) -> Iterator[Case]:
    """Return one case per table, the first two algorithms each."""
    for name, make in WITNESSED.items():
        scores = make()
        two = scores.algorithms[:2]
        result = pc.hotelling(scores, algorithms=two, method=sample)
        ours = {
            "t2": result.t2,
            "statistic": result.statistic,
            "df": result.df,
            "p_value": result.p_value,
        }
        x, y = np.moveaxis(scores.values[:, :2], 1, 0)
        yield Case(name, RCall(("hotelling",), function, arguments(x, y)), ours)


def manova_cases() -> Iterator[Case]:
    """Return cases of the intercept of a multivariate model of differences."""
    return witnessed(
        "hotelling_manova_reference",
        "paired",
        lambda x, y: {"d": labelled(x - y)},
    )


def rrcov_cases() -> Iterator[Case]:
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
