"""Checks of runs within blocks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import get_args

import numpy as np

import pycompare as pc
from pycompare.base.interop.r_call import RCall
from pycompare.methods.multireader.crossed_anova import QuasiF

from .. import cases as data
from ..agreement import Case, Check, Package, Wanted
from ..making import TAIL, check

AOV = Wanted(11, "aov() projects on strata by QR, a digit or so is lost")
FLOOR = Wanted(9, "a difference of mean squares", floor=1e-3)
SHAPES = ((2, 2, 2), (10, 3, 5), (6, 3, 3), (30, 5, 2), (4, 2, 10))


def runs(b: int, a: int, n: int, seed: int, spread: float = 1.0) -> pc.Scores:
    """Return scores of runs whose differences change from block to block."""
    cells = data.normal(b, a, seed)[..., None] * spread + np.arange(a)[:, None] / 2
    noise = data.normal(b * a, n, seed + 1000).reshape(b, a, n)
    return runs_of(cells + noise)


def crossed(b: int, a: int, n: int, seed: int, spread: float = 1.0) -> pc.Scores:
    """Return scores whose algorithms, and blocks, differ from run to run as well."""
    own = data.normal(b, a, seed)[..., None] + np.arange(a)[:, None] / 2
    of_runs = spread * data.normal(a, n, seed + 1000)
    of_both = data.normal(b, n, seed + 2000)[:, None]
    noise = data.normal(b * a, n, seed + 3000).reshape(b, a, n)
    return runs_of(own + of_runs + of_both + noise)


def ties(b: int, a: int, n: int) -> pc.Scores:
    """Return scores of runs of which many are equal."""
    values = data.normal(b * a, n, 60 + b).reshape(b, a, n) * 1.5
    return runs_of(np.round(values + np.arange(a)[:, None] / 2))


def runs_of(values: np.ndarray) -> pc.Scores:
    """Return scores of an array (blocks, algorithms, runs)."""
    rows = [
        {"f": f"f{i}", "a": f"A{j}", "r": k, "score": float(values[i, j, k])}
        for i, j, k in np.ndindex(*values.shape)
    ]
    return pc.Scores.from_frame(
        rows, algorithm="a", block="f", replicate="r", metrics={"score": "lower"}
    )


def replicate_checks() -> list[Check]:
    """Return the checks of runs within blocks."""
    makers = {
        f"runs {b}x{a}x{n}, interaction {spread}": partial(runs, b, a, n, seed, spread)
        for seed, (b, a, n) in enumerate(SHAPES, start=70)
        for spread in (1.0, 0.01)
    }
    tied = {f"ties {b}x{a}x{n}": partial(ties, b, a, n) for b, a, n in SHAPES}
    small = {
        f"{kind} {b}x{a}x{n}": partial(make, b, a, n)
        for b, a, n in ((2, 2, 2), (2, 3, 2), (5, 2, 2), (3, 2, 3), (4, 2, 3))
        for kind, make in (("ties", ties), ("runs", partial(runs, seed=90)))
    }
    shared = {
        f"runs {b}x{a}x{n} for all, spread {spread}": partial(
            crossed, b, a, n, seed, spread
        )
        for seed, (b, a, n) in enumerate(SHAPES, start=110)
        for spread in (1.0, 0.0)
    }
    difference = dict.fromkeys(("components", "conf_low", "conf_high"), FLOOR)
    return [
        check(
            "analysis of variance of runs within blocks",
            Package("aov(Error()), anova(lm()), qf"),
            makers,
            pc.replicated_anova,
            **{"*": AOV, "p_value": Wanted(10, TAIL.why)},
            **difference,
        ),
        *(
            check(
                f"mixed three-way analysis of variance, quasi-F by {rule}",
                "mean squares of aov(); quasi-F by definition",
                shared,
                partial(pc.crossed_anova, quasi_f=rule),
                **{"*": AOV, "p_value": Wanted(9, TAIL.why)},
                **{"table_p_value": Wanted(9, TAIL.why)},
                **difference,
            )
            for rule in get_args(QuasiF)
        ),
        check(
            "Mack-Skillings test",
            "ranks by rank(), quadratic form by solve()",
            makers | tied,
            pc.mack_skillings,
        ),
        check(
            "Mack-Skillings test, exact p",
            "all ways to deal, listed",
            small,
            partial(pc.mack_skillings, p_value="exact"),
        ),
        Check(
            "components of variance, second witness: lme4",
            Package("lme4::lmer by REML"),
            lme4_cases,
            {"*": Wanted(5, "the search of lmer ends after about 5 digits")},
        ),
        Check(
            "components of a mixed three-way analysis, second witness: lme4",
            Package("lme4::lmer by REML"),
            crossed_lme4_cases,
            {"*": Wanted(4, "the search of lmer ends after about 5 digits")},
        ),
    ]


def lme4_cases() -> Iterator[Case]:
    """Make cases in which no component is estimated below 0, where REML has 0."""
    for seed, (b, a, n) in enumerate(((10, 3, 5), (30, 5, 2), (8, 4, 3)), start=80):
        result = pc.replicated_anova(runs(b, a, n, seed))
        values, call = result.r_values(), result.r_call()
        assert call is not None
        assert min(values["components"]) > 0, "another case is wanted"
        given = {key: call.arguments[key] for key in ("x", "algorithms")}
        tested = result.table["term"].tolist().index("algorithm")
        ours = {
            "components": values["components"],
            "statistic": values["statistic"][tested],
        }
        again = RCall(call.files, "replicated_lme4_reference", given)
        yield Case(f"runs {b}x{a}x{n}", again, ours)


def crossed_lme4_cases() -> Iterator[Case]:
    """Make cases in which no component is estimated below 0, where REML has 0."""
    for seed, (b, a, n) in enumerate(((12, 3, 8), (9, 4, 7), (15, 5, 6)), start=130):
        result = pc.crossed_anova(crossed(b, a, n, seed))
        values, call = result.r_values(), result.r_call()
        assert call is not None
        assert min(values["components"]) > 0, "another case is wanted"
        given = {key: call.arguments[key] for key in ("x", "algorithms")}
        again = RCall(call.files, "crossed_lme4_reference", given)
        yield Case(f"runs {b}x{a}x{n}", again, {"components": values["components"]})
