"""Checks of the univariate linear models."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.interop.r_call import RCall
from pycompare.results.result import Result

from .. import cases as data
from ..agreement import Case, Check, Package, Wanted
from ..making import TAIL, check

LEAST_SQUARES = Wanted(11, "lm() solves least squares by QR, a digit or so is lost")
NONCENTRAL = Wanted(7, "the root of R's pf(ncp =), which ends at absolute accuracy")
COMPLETE = {k: v for k, v in data.COMPLETE.items() if "scale" not in k}
QTUKEY_LIMIT = Wanted(7, "the root of R's ptukey, absolute accuracy", floor=0.1)
QTUKEY_LIMITS = dict.fromkeys(
    ("conf_low", "conf_high", "significant_difference"), QTUKEY_LIMIT
)
PTUKEY = Wanted(6, "R's ptukey has absolute accuracy only", floor=1e-3)
OF_ZERO = Wanted(11, "equal means differ by rounding in lm()", floor=0.1)
NESTED = Wanted(9, "nested integrate() of R, absolute in the tails", floor=1e-6)
RANDOM = Wanted(3, "random points on both sides, absolute error near 1e-5", floor=0.1)
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
    "a block with one score 9x3": lambda: one_alone(),
}


def one_missing() -> pc.Scores:
    """Return a table that lacks one cell."""
    values = data.normal(10, 4, 41)
    values[3, 2] = np.nan
    return data.scores(values, missing="model")


def one_alone() -> pc.Scores:
    """Return a table with a block that has one algorithm."""
    values = data.normal(9, 3, 42)
    values[4, 1:] = np.nan
    return data.scores(values, missing="model")


def linear_checks() -> list[Check]:
    """Return the checks of analyses of variance and what follows them."""
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
                    Package("anova(lm()), pf(ncp), mauchly.test"),
                    cases,
                    partial(pc.anova, blocked=blocked),
                    **rules,
                )
            )
    return [
        *made,
        *overlap_checks(rules),
        *pair_checks(),
        *unequal_variance_checks(),
    ]


def overlap_checks(rules: dict[str, Wanted]) -> list[Check]:
    """Return the checks of folds within data sets that share training data."""
    makers = {
        f"folds in data sets {n}x{k}x{a}": partial(folds_of_data_sets, n, k, a, seed)
        for seed, (n, k, a) in enumerate(((2, 2, 2), (4, 5, 3), (3, 10, 5)), start=50)
    }
    ours = {"*": LEAST_SQUARES, "p_value": Wanted(10, TAIL.why)}
    sizes: dict[str, Any] = {"n_train": 9.0, "n_test": 1.0}
    pairs = ours | QTUKEY_LIMITS
    return [
        check(
            "interaction of algorithm and data set",
            Package("anova(lm(), lm())"),
            makers,
            pc.dataset_interaction,
            **ours,
        ),
        check(
            "interaction of algorithm and data set, folds that share training data",
            "lm.fit of whitened columns (own derivation)",
            makers | {"folds of unequal data sets": unequal_folds},
            by_sizes,
            **ours,
        ),
        gls_check({**makers, "folds of unequal data sets": unequal_folds}),
        check(
            "analysis of variance, blocked, folds that share training data",
            "anova(lm()), pf(ncp); divisor 1' V 1 / n",
            makers,
            partial(pc.anova, **sizes),
            **rules,
        ),
        check(
            "Tukey, blocked, folds that share training data",
            "ptukey, root of ptukey, vcov(lm())",
            makers,
            partial(pc.tukey, **sizes),
            **pairs | {"p_adjusted": PTUKEY, "estimate": OF_ZERO},
        ),
    ]


def unequal_folds() -> pc.Scores:
    """Return folds of three data sets, unequally many."""
    scores = folds_of_data_sets(3, 6, 3, 60)
    return scores.select(blocks=[b for i, b in enumerate(scores.blocks) if i % 7 != 5])


def by_sizes(scores: pc.Scores) -> Result:
    """Test the interaction with n_test / n_train of 1/9, 2/9, ... by data set."""
    names = dict.fromkeys(scores.datasets or ())
    tests = {name: i / 9 for i, name in enumerate(names, start=1)}
    return pc.dataset_interaction(scores, n_train=1.0, n_test=tests)


def gls_check(makers: dict[str, Callable[[], pc.Scores]]) -> Check:
    """Return the check of the corrected interaction against nlme::gls."""

    def cases() -> Iterator[Case]:
        for name, make in makers.items():
            result = pc.dataset_interaction(make(), n_train=9.0, n_test=1.0)
            call = result.r_call()
            again = RCall(
                call.files, "dataset_interaction_gls_reference", call.arguments
            )
            yield Case(name, again, {"statistic": result.statistic})

    return Check(
        "interaction of folds that share training data, second witness",
        Package("nlme::gls, corCompSymm(fixed = TRUE)"),
        cases,
        {"*": Wanted(8, "gls() scales by a likelihood search")},
    )


def unequal_variance_checks() -> list[Check]:
    """Return the checks of means of independent samples."""
    own = COMPLETE | INCOMPLETE
    few = {name: own[name] for name in list(own)[:4] if "15x8" not in name}
    gaps = {name: INCOMPLETE[name] for name in list(INCOMPLETE)[:2]}
    tail = Wanted(10, TAIL.why)
    rules = {"*": LEAST_SQUARES, "p_value": tail, "p_adjusted": PTUKEY}
    rules |= {"estimate": OF_ZERO, "statistic": OF_ZERO} | QTUKEY_LIMITS
    return [
        check(
            "Welch's test of equal means",
            Package("stats::oneway.test"),
            few | gaps,
            pc.welch_anova,
            **{"*": LEAST_SQUARES, "p_value": tail},
        ),
        check(
            "Games-Howell, pairs of means",
            "ptukey, root of ptukey, t.test (own derivation)",
            few | gaps,
            pc.games_howell,
            **rules,
        ),
    ]


def pair_checks() -> list[Check]:
    """Return the checks of comparisons of adjusted means."""
    tail = Wanted(10, TAIL.why)
    lm = {"*": LEAST_SQUARES, "p_value": tail, "p_adjusted": tail}
    lm |= {"estimate": OF_ZERO, "statistic": OF_ZERO}
    limits = QTUKEY_LIMITS
    every = COMPLETE | INCOMPLETE
    some = {k: v for k, v in every.items() if "15x8" not in k and "20x5" not in k}
    # The quickest comes first: --quick asks R for one case of each check.
    first_four = {"normal 10x3": some["normal 10x3"], **dict(list(some.items())[:4])}
    made = []
    for blocked in (True, False):
        form = "blocked" if blocked else "one-way"
        made += [
            check(
                f"Tukey, {form}",
                "ptukey, root of ptukey, vcov(lm())",
                every,
                partial(pc.tukey, blocked=blocked),
                **lm | limits | {"p_adjusted": PTUKEY},
            ),
            check(
                f"Scheffe, {form}",
                "pf, vcov(lm())",
                every,
                partial(pc.scheffe, blocked=blocked),
                **lm,
            ),
            check(
                f"Dunnett, {form}",
                "nested integrate()",
                small_complete() if blocked else first_four,
                partial(against_last, blocked=blocked),
                **lm | limits | {"p_adjusted": NESTED},
            ),
        ]
        made.append(
            check(
                f"Dunnett, step-down, {form}",
                "nested integrate()",
                small_complete(),
                partial(against_last, blocked=blocked, step_down=True),
                **lm | limits | {"p_adjusted": NESTED},
            )
        )
        made += [
            check(
                f"t tests of pairs, {adjust}, {form}",
                "pt, p.adjust, vcov(lm())",
                some,
                partial(pc.pairwise_t, blocked=blocked, adjust=adjust),
                **lm,
            )
            for adjust in ("holm", "BH", "bergmann-hommel")
        ]
        made += [
            check(
                f"t tests of pairs, {adjust}, intervals of decisions, {form}",
                "pt, qt, p.adjust, vcov(lm())",
                some,
                partial(pc.pairwise_t, blocked=blocked, adjust=adjust, alpha=0.05),
                **lm,
            )
            for adjust in ("holm", "hommel")
        ]
    for step_down in (False, True):
        form = "step-down, " * step_down
        made.append(
            check(
                f"Dunnett, {form}correlations that are no products",
                "mvtnorm::pmvt, vcov(lm())",
                {"gaps 8x4": gaps_of_four, "gaps 10x6": gaps_of_six},
                partial(against_last, blocked=True, step_down=step_down),
                **lm | {"p_adjusted": RANDOM, "conf_low": RANDOM, "conf_high": RANDOM},
            )
        )
    witnesses = [emmeans_check(every), glht_check(), car_check()]
    return [*made, *witnesses, *residual_check_list()]


def gaps_of_four() -> pc.Scores:
    """Return four algorithms on blocks of which some lack one."""
    return data.gappy(data.normal(8, 4, 62), 0.1)


def gaps_of_six() -> pc.Scores:
    """Return six algorithms on blocks of which some lack one."""
    return data.gappy(data.normal(10, 6, 61), 0.1)


def emmeans_check(makers: dict[str, Callable[[], pc.Scores]]) -> Check:
    """Return the check of adjusted means and their differences against emmeans."""

    def cases() -> Iterator[Case]:
        for name, make in makers.items():
            scores = make()
            result = pc.pairwise_t(scores, adjust="none")
            call = result.r_call()
            assert call is not None  # these scores leave an error
            again = RCall(call.files, "emmeans_reference", call.arguments)
            columns = ("estimate", "std_error", "statistic", "df", "p_value", "means")
            ours = {column: result.r_values()[column] for column in columns}
            ours["tukey"] = pc.tukey(scores).r_values()["p_adjusted"]
            yield Case(name, again, ours)

    rules = {
        "*": LEAST_SQUARES,
        "estimate": OF_ZERO,
        "statistic": OF_ZERO,
        "p_value": Wanted(10, "tail of a distribution"),
        "tukey": PTUKEY,
    }
    return Check(
        "Adjusted means, differences, Tukey, second witness: emmeans",
        Package("emmeans::emmeans, pairs(adjust = 'tukey')"),
        cases,
        rules,
    )


def glht_check() -> Check:
    """Return the check of Dunnett's p-values against multcomp."""

    def cases() -> Iterator[Case]:
        for name, make in small_complete().items():
            for blocked in (True, False):
                scores = make()
                result = against_last(scores, blocked)
                call = result.r_call()
                assert call is not None  # these scores leave an error
                given = {
                    "x": call.arguments["x"],
                    "blocked": blocked,
                    "control": scores.algorithms[-1],
                }
                yield Case(
                    f"{name}, {'blocked' if blocked else 'one-way'}",
                    RCall(call.files, "dunnett_multcomp_reference", given),
                    {"p_adjusted": result.r_values()["p_adjusted"]},
                )

    noise = Wanted(4, "mvtnorm's random integration, to 1e-6", floor=0.1)
    return Check(
        "Dunnett, second witness: multcomp",
        Package("multcomp::glht(mcp('Dunnett'))"),
        cases,
        {"*": noise},
    )


def car_check() -> Check:
    """Return the check of the algorithms adjusted for blocks against car."""

    def cases() -> Iterator[Case]:
        for name, make in (COMPLETE | INCOMPLETE).items():
            scores = make()
            result = pc.anova(scores)
            call = result.r_call()
            if call is None or scores.datasets is not None:
                continue
            rows = result.to_frame().set_index("term")
            of = rows.loc["algorithm"]
            ours = {
                "df": rows.loc[["algorithm", "residual"], "df"],
                "sum_sq": rows.loc[["algorithm", "residual"], "sum_sq"],
                "statistic": of["statistic"],
                "p_value": of["p_value"],
            }
            given = {"x": call.arguments["x"]}
            yield Case(name, RCall(call.files, "car_anova_reference", given), ours)

    rules = {"*": LEAST_SQUARES, "p_value": Wanted(10, TAIL.why)}
    title = "analysis of variance with gaps, second witness: car"
    return Check(title, Package("car::Anova(type = 2)"), cases, rules)


def residual_check_list() -> list[Check]:
    """Return the checks of tests on residuals."""
    rules = {"*": Wanted(9, "residuals of lm() carry its rounding")}
    return [
        check(
            f"residual checks, {'blocked' if blocked else 'one-way'}",
            Package("shapiro.test, anova(lm())"),
            COMPLETE | INCOMPLETE,
            partial(pc.residual_checks, blocked=blocked),
            **rules,
        )
        for blocked in (True, False)
    ]


def small_complete() -> dict[str, Callable[[], pc.Scores]]:
    """Return the cases that nested integrals in R can do in seconds."""
    wanted = "two algorithms 15x2", "normal 10x3", "no difference 12x5", "ties 12x4"
    return {name: COMPLETE[name] for name in wanted}


def against_last(scores: pc.Scores, blocked: bool, step_down: bool = False) -> Result:
    """Compare the last algorithm with all others."""
    return pc.dunnett(
        scores,
        control=scores.algorithms[-1],
        blocked=blocked,
        step_down=step_down,
    )
