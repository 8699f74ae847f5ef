"""Checks of linear models by formula: textbook experiments, and awkward ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.interop.rscript import reference_folder
from pycompare.methods.models.emmeans import Contrasts, MarginalMeans
from pycompare.methods.models.linear_model import LinearModel
from pycompare.results.result import Result

from ..agreement import Case, Check, Package, Wanted
from ..making import CLOSED, TAIL

SOLVED = Wanted(11, "lm() solves least squares by QR, a digit or so is lost")
OF_ZERO = Wanted(11, "estimates that are nearly 0 differ by rounding", floor=1e-3)
NONCENTRAL = Wanted(7, "the root of R's pt(ncp =), which has 12 decimals", floor=0.1)
Rules = dict[str, Wanted]
RULES: Rules = {
    "*": SOLVED,
    "p_value": Wanted(10, TAIL.why),
    "estimate": OF_ZERO,
    "statistic": OF_ZERO,
    "df1": CLOSED,
    "std_effect": OF_ZERO,
    "std_low": NONCENTRAL,
    "std_high": NONCENTRAL,
}
TERMS: Rules = RULES | {"conf_low": NONCENTRAL, "conf_high": NONCENTRAL}
"""Limits of partial eta squared invert R's noncentral F."""


@cache
def experiment(name: str) -> pd.DataFrame:
    """Return a published experiment; golden/experiments.R says where it is from."""
    golden = reference_folder().parents[1] / "golden"
    return pd.read_csv(golden / f"experiment_{name}.csv")


def designed(seed: int, gaps: int = 0, noise: float = 1.0) -> pd.DataFrame:
    """Return a factorial over data sets and folds, with covariates."""
    rng = np.random.default_rng(seed)
    rows = [
        {"data": f"d{i}", "fold": f"f{j}", "learner": f"L{a}", "prep": f"p{p}"}
        for i in range(6)
        for j in range(3)
        for a in range(3)
        for p in range(2)
    ]
    frame = pd.DataFrame(rows)
    size = rng.normal(size=6)
    frame["size"] = size[frame["data"].str[1:].astype(int)]
    frame["time"] = rng.gamma(2.0, size=len(frame))
    effect = frame["learner"].str[1:].astype(float) + frame["time"] / 3
    frame["error"] = effect + noise * rng.normal(size=len(frame))
    frame["auc"] = rng.normal(size=len(frame)) - effect / 2
    return frame.drop(index=rng.choice(len(frame), gaps, replace=False))


def unequal_folds(seed: int) -> pd.DataFrame:
    """Return a factorial whose folds have the names of their data sets; cells lack."""
    frame = designed(seed)
    frame = frame[frame["data"].isin(["d0", "d1", "d2"])]
    lacks = (frame["data"] == "d0") & (frame["fold"] == "f2")
    lacks |= (frame["data"] == "d1") & (frame["learner"] == "L2")
    return frame[~lacks].assign(fold=frame["data"] + frame["fold"])


def sequences(seed: int, groups: int = 3) -> pd.DataFrame:
    """Return units that run two algorithms in the sequence of their group."""
    rng = np.random.default_rng(seed)
    rows = [
        {"group": f"g{g}", "unit": f"g{g}u{u}", "alg": alg, "y": g + rng.normal()}
        for g in range(groups)
        for u in range(groups)
        for alg in ("AAB", "ABB", "AAB")[g]
    ]
    frame = pd.DataFrame(rows)
    frame["kind"] = np.where(frame["group"] == "g0", "x", "y")
    spread = 2 * rng.normal(size=groups**2)
    frame["y"] += spread[pd.factorize(frame["unit"])[0]]
    return frame


WARP = partial(experiment, "warpbreaks")
NPK, OATS, MACHINES = (partial(experiment, n) for n in ("npk", "oats", "machines"))
OBRIEN, SLEEP = (partial(experiment, n) for n in ("obrienkaiser", "sleepstudy"))
FRAMES: dict[str, tuple[Callable[[], pd.DataFrame], str, dict[str, Any]]] = {
    "npk, blocks": (NPK, "yield ~ C(block) + C(N) * C(P) + C(K)", {"type": 1}),
    "npk, strata": (NPK, "yield ~ C(N) * C(P) * C(K)", {"within": "block"}),
    **{
        f"warpbreaks unbalanced, type {t}": (
            lambda: WARP().drop(index=[0, 4, 29]),
            "breaks ~ wool * tension",
            {"type": t},
        )
        for t in (1, 2, 3)
    },
    "oats, split plot": (
        OATS,
        "yield ~ Variety * C(nitro)",
        {"within": "Block/Variety"},
    ),
    "machines, workers": (MACHINES, "score ~ Machine", {"within": "Worker/Machine"}),
    "O'Brien and Kaiser": (
        OBRIEN,
        "value ~ treatment * gender * phase * C(hour)",
        {"within": "C(subject)/(phase * C(hour))", "type": 1},
    ),
    "sleepstudy, slopes of subjects": (
        SLEEP,
        "Reaction ~ C(Subject) * Days",
        {"type": 1},
    ),
    "sleepstudy, cubic": (SLEEP, "log(Reaction) ~ C(Subject) + poly(Days, 3)", {}),
    **{
        f"covariate and gaps, type {t}": (
            partial(designed, 3, 7),
            "cbind(error, auc) ~ learner * prep + time + learner:time",
            {"type": t},
        )
        for t in (1, 2, 3)
    },
    "folds in data sets": (
        partial(designed, 4),
        "cbind(error, auc) ~ learner * prep + learner * size",
        {"within": "data/fold"},
    ),
    "one-way, no constant": (partial(designed, 5), "error ~ 0 + learner", {"type": 1}),
    "folds named by their data sets": (
        partial(unequal_folds, 7),
        "error ~ learner + data/fold",
        {"type": 1},
    ),
    "a data set without one learner": (
        partial(unequal_folds, 8),
        "error ~ prep + learner * data",
        {"type": 1},
    ),
    "one learner less, type 3": (
        partial(unequal_folds, 9),
        "error ~ prep + learner * data",
        {"type": 3},
    ),
    "empty cells, type 3": (
        partial(unequal_folds, 8),
        "cbind(error, auc) ~ prep + learner * data + learner:time",
        {"type": 3},
    ),
    "centred and scaled": (
        partial(designed, 6, 2),
        "error ~ learner * center(time) + scale(size)",
        {},
    ),
}


def without_rows(
    make: Callable[[], pd.DataFrame], rows: list[int]
) -> Callable[[], pd.DataFrame]:
    """Return what makes a table without some rows."""
    return lambda: make().drop(index=rows)


GAPS = [0, 7, 30, 44]
MIXED: dict[str, tuple[Callable[[], pd.DataFrame], str, dict[str, Any]]] = {
    **{
        f"oats without 4 plots, {df}": (
            without_rows(OATS, GAPS),
            "yield ~ Variety * C(nitro)",
            {"within": "Block/Variety", "df": df},
        )
        for df in ("kenward-roger", "satterthwaite")
    },
    "machines without 10 runs": (
        without_rows(MACHINES, [1, 2, 5, 7, 11, 12, 17, 33, 34, 52]),
        "score ~ Machine",
        {"within": "Worker/Machine", "df": "satterthwaite"},
    ),
    "sleepstudy without 20 days": (
        without_rows(SLEEP, [*range(3, 180, 10), 11, 52]),
        "Reaction ~ Days",
        {"within": "C(Subject)"},
    ),
    "O'Brien and Kaiser with gaps": (
        without_rows(OBRIEN, [2, 3, 40, 77, 78, 130, 199]),
        "value ~ treatment * phase + C(hour)",
        {"within": "C(subject)/phase"},
    ),
    **{
        f"folds in data sets with gaps, type {t}, {df}": (
            partial(designed, 3, 12),
            "cbind(error, auc) ~ learner * prep + learner:time + time",
            {"within": "data/fold", "type": t, "df": df, "method": "reml"},
        )
        for t, df in ((1, "satterthwaite"), (2, "kenward-roger"), (3, "satterthwaite"))
    },
    "empty cells by REML, type 3": (
        partial(unequal_folds, 8),
        "error ~ prep * learner + learner * data",
        {"within": "fold", "type": 3, "method": "reml"},
    ),
    "a term split over strata": (
        partial(sequences, 7),
        "y ~ group + alg",
        {"within": "unit"},
    ),
    "a term split over strata, aliased with another": (
        partial(sequences, 8),
        "y ~ kind + group + alg",
        {"within": "unit"},
    ),
    "few units that differ in size": (
        without_rows(partial(sequences, 5), [0, 1, 10]),
        "y ~ group",
        {"within": "unit", "method": "reml"},
    ),
    "balanced, by REML": (
        OATS,
        "yield ~ Variety * C(nitro)",
        {"within": "Block/Variety", "method": "reml"},
    ),
}
SEARCHED = Wanted(5, "the search of lmer ends after about 5 digits")
DERIVED = Wanted(4, "lmerTest differentiates numerically at the end of lmer's search")
OF_ZERO_SEARCHED = Wanted(5, SEARCHED.why, floor=1e-3)
NEAR_ZERO_SEARCHED = Wanted(
    6, f"{SEARCHED.why}: limits near 0 have its absolute accuracy", floor=1.0
)
MIXED_RULES: Rules = {
    "conf_low": NONCENTRAL,
    "conf_high": NONCENTRAL,
    "*": SEARCHED,
    "df1": CLOSED,
    "df2": DERIVED,
    "df": DERIVED,
    "p_value": DERIVED,
    "estimate": OF_ZERO_SEARCHED,
    "statistic": OF_ZERO_SEARCHED,
    "variance": Wanted(5, SEARCHED.why, floor=1e-6),
}


SINGLE_STEP_RULES: Rules = (
    RULES
    | MIXED_RULES
    | {
        "p_adjusted": Wanted(
            2.5, "pmvt and we take means over random points, here and there", floor=1e-2
        )
    }
)


def fitted(name: str) -> LinearModel:
    """Fit one of the models."""
    make, formula, options = (FRAMES | MIXED)[name]
    return pc.linear_model(make(), formula, **options)


def of(name: str, result: Result) -> Case:
    """Return the case of a result."""
    call = result.r_call()
    assert call is not None
    return Case(name, call, result.r_values())


def of_aov(name: str, result: MarginalMeans | Contrasts) -> Case:
    """Return the case of a balanced design, by what emmeans makes of ``aov``.

    Standardised differences need the residual deviation, which it does not give.
    """
    call, ours = result.r_call(), result.r_values()
    if call.arguments.get("units"):
        call = replace(call, function="aov_means_reference")
        standardised = ("std_effect", "std_low", "std_high")
        ours = {name: x for name, x in ours.items() if name not in standardised}
    return Case(name, call, ours)


def model_cases() -> Iterator[Case]:
    """Yield the tables of terms."""
    for name in FRAMES:
        yield of(name, fitted(name))


def by_strata_cases() -> Iterator[Case]:
    """Yield the tests of terms that ``aov`` and ``car::Anova`` do not have."""
    rng = np.random.default_rng(1)
    rows = [
        {"data": f"d{u}", "learner": f"L{j}", "prep": f"p{k}"}
        for u in range(5)
        for j in range(8)
        for k in range(2)
    ]
    whole = pd.DataFrame(rows).assign(
        error=rng.normal(size=80), auc=rng.normal(size=80)
    )
    empty = whole[~((whole["learner"] == "L2") & (whole["prep"] == "p1"))]
    formula = "cbind(error, auc) ~ learner * prep"
    cases: dict[str, tuple[pd.DataFrame, dict[str, Any]]] = {
        "strata without 3 rows": (whole.iloc[:-3], {"within": "data"}),
        "strata without a cell": (empty, {"within": "data"}),
        "no strata, without a cell": (empty, {}),
    }
    for name, (frame, options) in cases.items():
        for type_ in (2, 3):
            model = pc.linear_model(frame, formula, type=type_, **options)
            yield of(f"{name}, type {type_}", model)
            yield of(f"{name}, type {type_}, Wilks", model.manova_of("learner:prep"))


def manova_cases() -> Iterator[Case]:
    """Yield the multivariate tests of terms."""
    for name in (
        "covariate and gaps, type 1",
        "covariate and gaps, type 2",
        "covariate and gaps, type 3",
        "empty cells, type 3",
        "folds in data sets",
    ):
        for term, made in fitted(name).manova.items():
            yield of(f"{name}: {term}", made)


MEANS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("oats, split plot", ("Variety",)),
    ("oats, split plot", ("nitro",)),
    ("oats, split plot", ("Variety", "nitro")),
    ("warpbreaks unbalanced, type 2", ("wool", "tension")),
    ("machines, workers", ("Machine",)),
    ("centred and scaled", ("learner",)),
    ("folds named by their data sets", ("learner",)),
    ("folds named by their data sets", ("fold",)),
    ("a data set without one learner", ("prep",)),
    ("a data set without one learner", ("learner", "data")),
)


def means_cases() -> Iterator[Case]:
    """Yield marginal means and their contrasts."""
    for name, factors in MEANS:
        means = fitted(name).emmeans(factors)
        title = f"{name}: {', '.join(factors)}"
        yield of_aov(title, means)
        yield of_aov(f"{title}, pairs", means.contrasts())
        yield of_aov(f"{title}, trends", means.contrasts("polynomial"))
    model = pc.linear_model(designed(8, 3), "error ~ learner * time + prep")
    slopes = model.slopes("time", "learner")
    yield of("slopes of learners", slopes)
    yield of("slopes of learners, pairs", slopes.contrasts())


def proportional_cases() -> Iterator[Case]:
    """Yield means whose other factors have weights in proportion to their rows."""
    for name, factors in (
        ("warpbreaks unbalanced, type 2", ("tension",)),
        ("warpbreaks unbalanced, type 2", ("wool",)),
    ):
        means = fitted(name).emmeans(factors, weights="proportional")
        yield of(f"{name}: {', '.join(factors)}", means)
        yield of(f"{name}: {', '.join(factors)}, pairs", means.contrasts())
    frame = designed(8, 3).iloc[:-5]
    model = pc.linear_model(frame, "error ~ learner * time + prep")
    yield of("mean slope", model.slopes("time", weights="proportional"))
    yield of("two factors", model.emmeans("learner", weights="proportional"))
    yield of("slopes", model.slopes("time", "prep", weights="proportional"))


def with_weights(seed: int, gaps: int = 0) -> pd.DataFrame:
    """Return a factorial whose rows are means of so many runs."""
    frame = designed(seed, gaps)
    rng = np.random.default_rng(seed + 100)
    return frame.assign(runs=rng.integers(1, 12, len(frame)))


WEIGHTED: dict[str, tuple[Callable[[], pd.DataFrame], str, dict[str, Any]]] = {
    **{
        f"covariate and gaps, type {t}": (
            partial(with_weights, 3, 7),
            "cbind(error, auc) ~ learner * prep + time + learner:time",
            {"type": t},
        )
        for t in (1, 2, 3)
    },
    "balanced": (partial(with_weights, 4), "error ~ learner * prep", {}),
    "no constant": (partial(with_weights, 5), "error ~ 0 + time + size", {"type": 1}),
    "empty cells, type 3": (
        lambda: with_weights(6).query("learner != 'L1' or data != 'd2'"),
        "cbind(error, auc) ~ prep + learner * data",
        {"type": 3},
    ),
    "empty cells, type 2": (
        lambda: with_weights(6).query("learner != 'L1' or data != 'd2'"),
        "error ~ prep + learner * data",
        {"type": 2},
    ),
}


def weighted(name: str) -> LinearModel:
    """Fit one of the models of rows with weights."""
    make, formula, options = WEIGHTED[name]
    return pc.linear_model(make(), formula, row_weights="runs", **options)


def weighted_cases() -> Iterator[Case]:
    """Yield models whose rows have weights, with what follows from them."""
    for name in WEIGHTED:
        model = weighted(name)
        yield of(name, model)
        if len(model.responses) > 1:
            yield of(f"{name}, Wilks", model.manova_of("learner"))
    model = weighted("balanced")
    for weights in ("equal", "proportional"):
        means = model.emmeans("learner", weights=weights)
        yield of(f"means, {weights} cells", means)
        yield of(f"pairs, {weights} cells", means.contrasts())
    model = weighted("covariate and gaps, type 2")
    yield of("covariates at means", model.emmeans("learner", response="error"))
    slopes = model.slopes("time", "learner", response="auc")
    yield of("slopes", slopes)
    yield of("slopes, pairs", slopes.contrasts())


def at_cases() -> Iterator[Case]:
    """Yield means and slopes at chosen values of covariates."""
    frame = with_weights(8, 3)
    model = pc.linear_model(frame, "error ~ learner * time * size")
    for at in ({"time": 3.0}, {"time": 0.5, "size": -1.0}):
        title = ", ".join(f"{name} = {value:g}" for name, value in at.items())
        means = model.emmeans("learner", at=at)
        yield of(f"means at {title}", means)
        yield of(f"pairs at {title}", means.contrasts())
        yield of(f"mean slope at {title}", model.slopes("time", at=at))
        slopes = model.slopes("time", "learner", at=at)
        yield of(f"slopes at {title}", slopes)
        yield of(f"pairs of slopes at {title}", slopes.contrasts())
    curved = pc.linear_model(
        frame, "error ~ prep * log(time) + center(size) * prep", row_weights="runs"
    )
    yield of("log, weights", curved.emmeans("prep", at={"time": 4.0, "size": 1.0}))
    units = fitted("folds in data sets")
    means = units.emmeans("learner", response="error", at={"size": 0.3})
    yield of("error strata", means)
    yield of("error strata, pairs", means.contrasts())


UNBALANCED = (("O'Brien and Kaiser", "treatment"), ("folds in data sets", "learner"))


def strata_means_cases() -> Iterator[Case]:
    """Yield means over error strata, balanced or not, and their contrasts."""
    for name, factor in (*UNBALANCED, ("oats, split plot", "Variety")):
        model = fitted(name)
        means = model.emmeans(factor, response=model.fit.names[0])
        yield of(f"{name}: {factor}", means)
        yield of(f"{name}: {factor}, pairs", means.contrasts())
        decided = means.contrasts(alpha=0.1)
        yield of(f"{name}: {factor}, pairs, intervals of decisions", decided)


SINGLE_STEP: tuple[tuple[str, tuple[str, ...], dict[str, Any]], ...] = (
    ("oats, split plot", ("Variety",), {}),
    ("oats, split plot", ("nitro",), {}),
    ("oats, split plot", ("nitro",), {"method": "polynomial"}),
    ("oats, split plot", ("Variety", "nitro"), {"method": "interaction"}),
    ("warpbreaks unbalanced, type 2", ("wool", "tension"), {}),
    ("warpbreaks unbalanced, type 2", ("wool", "tension"), {"by": "wool"}),
    (
        "warpbreaks unbalanced, type 2",
        ("wool", "tension"),
        {"method": "control", "control": ("A", "L")},
    ),
    ("centred and scaled", ("learner",), {}),
    ("machines without 10 runs", ("Machine",), {}),
    ("oats without 4 plots, kenward-roger", ("Variety",), {"method": "effects"}),
)


def single_step_cases() -> Iterator[Case]:
    """Yield contrasts with single-step p-values."""
    for name, factors, options in SINGLE_STEP:
        means = fitted(name).emmeans(factors)
        made = means.contrasts(adjust="single-step", **options)
        title = f"{name}: {', '.join(factors)}, {options.get('method', 'pairs')}"
        # Not among r_values: R draws other random numbers.
        adjusted = {"p_adjusted": made.table["p_adjusted"].to_numpy(float)}
        yield Case(title, made.r_call(), {**made.r_values(), **adjusted})


def dispersion_cases() -> Iterator[Case]:
    """Yield Levene-type tests that R's packages have."""
    cases: tuple[tuple[str, Any, dict[str, Any]], ...] = (
        ("warpbreaks unbalanced, type 2", "tension", {"centre": "median"}),
        ("warpbreaks unbalanced, type 2", ("wool", "tension"), {"centre": "mean"}),
        ("covariate and gaps, type 2", "learner", {"centre": "mean"}),
        (
            "covariate and gaps, type 2",
            ("learner", "prep"),
            {"centre": "mean", "standardise": "none"},
        ),
    )
    for name, factors, options in cases:
        made = fitted(name).dispersion_test(factors, **options)
        yield of(f"{name}: {factors}, {options['centre']}", made)


def van_valen_cases() -> Iterator[Case]:
    """Yield Levene-type tests about medians of several responses."""
    for name, factors in (
        ("covariate and gaps, type 2", "learner"),
        ("covariate and gaps, type 1", ("learner", "prep")),
    ):
        made = fitted(name).dispersion_test(factors)
        yield of(f"{name}: {factors}, medians", made)


def permuted(name: str, term: str, count: int = 300) -> Case:
    """Return the permutation test of one term, so few that R gets them."""
    made = fitted(name).permutation_test(term, permutations=count, seed=5)
    return of(f"{name}: {term}, permutations", made)


def permutation_cases() -> Iterator[Case]:
    """Yield permutation tests of terms of one response."""
    yield permuted("warpbreaks unbalanced, type 2", "wool")
    yield permuted("warpbreaks unbalanced, type 3", "tension")
    yield permuted("warpbreaks unbalanced, type 1", "wool:tension")
    yield permuted("one learner less, type 3", "learner")
    yield permuted("oats, split plot", "Variety")
    yield permuted("oats, split plot", "C(nitro)")
    yield permuted("machines, workers", "Machine")
    yield permuted("O'Brien and Kaiser", "treatment:phase")
    yield permuted("O'Brien and Kaiser", "phase:C(hour)", 100)
    yield permuted("centred and scaled", "center(time)")
    small = pc.linear_model(designed(4).iloc[:18], "error ~ learner", within="fold")
    yield of("all permutations within folds", small.permutation_test("learner", seed=1))


def permutation_manova_cases() -> Iterator[Case]:
    """Yield permutation tests of terms of several responses."""
    yield permuted("covariate and gaps, type 2", "learner")
    yield permuted("covariate and gaps, type 3", "learner:time")
    yield permuted("folds in data sets", "learner:prep")


def mixed_cases() -> Iterator[Case]:
    """Yield the tests of mixed models."""
    for name in MIXED:
        yield of(name, fitted(name))


def variance_cases() -> Iterator[Case]:
    """Yield the variances of units, of unbalanced and balanced data."""
    for name in (*MIXED, "oats, split plot", "machines, workers"):
        yield of(name, fitted(name).variances)


def mixed_means_cases() -> Iterator[Case]:
    """Yield marginal means of mixed models, and their contrasts."""
    for name, factors in (
        ("oats without 4 plots, kenward-roger", ("Variety",)),
        ("oats without 4 plots, satterthwaite", ("Variety", "nitro")),
        ("machines without 10 runs", ("Machine",)),
    ):
        means = fitted(name).emmeans(factors)
        yield of(f"{name}: {', '.join(factors)}", means)
        yield of(f"{name}: {', '.join(factors)}, pairs", means.contrasts())
    model = pc.linear_model(
        designed(4), "error ~ learner * time * size", within="data/fold", method="reml"
    )
    yield of("at a value", model.emmeans("learner", at={"time": 2.0}))
    yield of("slopes at a value", model.slopes("time", "learner", at={"size": 1.0}))


def model_checks() -> list[Check]:
    """Return the checks of linear models by formula."""
    return [
        Check(
            "linear model by formula, tests of terms",
            Package("anova(lm()), car::Anova, summary(aov(Error()))"),
            model_cases,
            TERMS,
        ),
        Check(
            "linear model by formula, types II and III in unbalanced strata",
            "lm.fit() with and without a term, of rows turned by qr() of the units",
            by_strata_cases,
            TERMS,
        ),
        Check(
            "linear model by formula, multivariate tests",
            Package("summary(manova()), car::Anova"),
            manova_cases,
            RULES,
        ),
        Check(
            "estimated marginal means, contrasts, slopes",
            Package("emmeans::emmeans, emmeans::contrast, emmeans::emtrends"),
            means_cases,
            RULES,
        ),
        Check(
            "estimated marginal means, proportional weights",
            Package("emmeans::emmeans(weights = 'proportional')"),
            proportional_cases,
            RULES,
        ),
        Check(
            "linear model by formula, rows with weights",
            Package("lm(weights =), car::Anova, emmeans"),
            weighted_cases,
            TERMS,
        ),
        Check(
            "marginal means and slopes at chosen values of covariates",
            Package("emmeans::emmeans(at =), emmeans::emtrends(at =)"),
            at_cases,
            RULES,
        ),
        Check(
            "marginal means over error strata, balanced or not",
            "MS_s |P_s w|^2 over the strata of aov(), by qr()",
            strata_means_cases,
            RULES,
        ),
        Check(
            "contrasts of marginal means, single-step p-values",
            Package("mvtnorm::pmvt of emmeans::contrast"),
            single_step_cases,
            SINGLE_STEP_RULES,
        ),
        Check(
            "dispersion of groups of residuals",
            Package("anova(vegan::betadisper), car::leveneTest"),
            dispersion_cases,
            RULES,
        ),
        Check(
            "dispersion of groups of residuals, medians of several responses",
            "anova(lm()) of distances from medians",
            van_valen_cases,
            RULES,
        ),
        Check(
            "permutation of residuals, one response",
            Package("vegan::permutest of vegan::rda"),
            permutation_cases,
            RULES,
        ),
        Check(
            "permutation of residuals, several responses",
            "vegan::permutest of vegan::rda; det(E) / det(E + H) of each permutation",
            permutation_manova_cases,
            RULES,
        ),
        Check(
            "mixed model by REML, tests of terms",
            Package("lmerTest::contest of lme4::lmer, pbkrtest"),
            mixed_cases,
            MIXED_RULES,
        ),
        Check(
            "mixed model by REML, variances and likelihood",
            Package("lme4::VarCorr, logLik"),
            variance_cases,
            MIXED_RULES,
        ),
        Check(
            "mixed model by REML, marginal means and contrasts",
            Package("emmeans::emmeans(lmer.df), emmeans::contrast"),
            mixed_means_cases,
            MIXED_RULES | dict.fromkeys(("conf_low", "conf_high"), NEAR_ZERO_SEARCHED),
        ),
    ]
