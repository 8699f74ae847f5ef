"""Second witnesses of linear models by formula in Python: statsmodels and pingouin."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.methods.models.fit import Type
from pycompare.methods.models.linear_model import LinearModel

from ..agreement import Case, Check, Wanted
from ..making import TAIL
from .libraries import EIGEN, NUMBERS, SQUARES, against
from .models import NPK, OBRIEN, WARP, designed, without_rows

WARP_GAPS = without_rows(WARP, [0, 4, 29])
TAILS = Wanted(10, TAIL.why)
Made = tuple[Callable[[], pd.DataFrame], str, tuple[str, ...], tuple[str, ...]]
OF_STATSMODELS: dict[str, Made] = {
    "warpbreaks without 3 looms": (WARP_GAPS, "breaks", ("wool", "tension"), ()),
    "npk": (NPK, "yield", ("C(N)", "C(P)", "C(K)"), ()),
    "gaps and a covariate": (
        partial(designed, 3, 7),
        "error",
        ("learner", "prep"),
        ("time",),
    ),
}
"""Name -> table, response, factors that are crossed, covariates."""


def model_library_checks() -> list[Check]:
    """Return the checks of linear models by formula against Python libraries."""
    rules = {"*": SQUARES, "p_value": TAILS}
    named = "linear model by formula"
    return [
        against("statsmodels", "anova_lm", named, anova_cases, **rules),
        against(
            "statsmodels",
            "MANOVA",
            f"{named}, several responses",
            manova_cases,
            **rules | {"*": EIGEN},
        ),
        against("pingouin", "rm_anova", f"{named}, two within", rm_cases, **rules),
        against("pingouin", "mixed_anova", f"{named}, units", mixed_cases, **rules),
        against("pingouin", "ancova", f"{named}, covariates", ancova_cases, **rules),
    ]


def tested(
    model: LinearModel, terms: Sequence[str], *more: str
) -> dict[str, np.ndarray]:
    """Return columns of the table of terms, in an order of terms."""
    rows = model.anova.set_index("term").loc[list(terms)]
    names = ("df1", "statistic", "p_value", *more)
    return {name: rows[name].to_numpy(float) for name in names}


def anova_cases() -> Iterator[Case]:
    """Yield the tests of terms by type."""
    for name, (make, y, factors, covariates) in OF_STATSMODELS.items():
        right = " + ".join((*covariates, " * ".join(factors)))
        kinds: tuple[Type, ...] = (1, 2, 3)
        for kind in kinds:
            # With covariates the two have another order of terms, which type I has.
            if kind == 1 and covariates:
                continue
            model = pc.linear_model(make(), f"{y} ~ {right}", type=kind)
            ours = tested(model, model.terms, "sum_sq")
            call = partial(anova_lm, make(), y, model.terms, kind)
            yield Case(f"{name}, type {kind}", call, ours)


def by_sums(table: pd.DataFrame, term: str) -> str:
    """Return a term with effects that sum to zero, as patsy writes it."""
    plain = [part.removeprefix("C(").removesuffix(")") for part in term.split(":")]
    factor = [
        name if pd.api.types.is_float_dtype(table[name]) else f"C({name}, Sum)"
        for name in plain
    ]
    return ":".join(factor)


def quoted(y: str) -> str:
    """Return a response whose name is a word of Python."""
    return f'Q("{y}")'


def anova_lm(table: pd.DataFrame, y: str, terms: Sequence[str], kind: int) -> NUMBERS:
    """Ask statsmodels."""
    from statsmodels.formula.api import ols
    from statsmodels.stats.anova import anova_lm

    names = [by_sums(table, term) for term in terms]
    fit = ols(f"{quoted(y)} ~ {' + '.join(names)}", table).fit()
    rows = anova_lm(fit, typ=kind).loc[names]
    return {
        "df1": rows["df"].to_numpy(float),
        "statistic": rows["F"].to_numpy(float),
        "p_value": rows["PR(>F)"].to_numpy(float),
        "sum_sq": rows["sum_sq"].to_numpy(float),
    }


def manova_cases() -> Iterator[Case]:
    """Yield multivariate tests of type III, which are those of statsmodels."""
    table = designed(3, 7)
    model = pc.linear_model(table, "cbind(error, auc) ~ learner * prep + time", type=3)
    for term, made in model.manova.items():
        rows = made.table
        ours = {
            "statistic": rows["statistic"].to_numpy(float),
            # statsmodels approximates Hotelling-Lawley's trace otherwise.
            "f": rows["f"].to_numpy(float)[[0, 1, 3]],
            "p_value": rows["p_value"].to_numpy(float)[[0, 1, 3]],
        }
        yield Case(term, partial(mv_test, table, model.terms, term), ours)


def mv_test(table: pd.DataFrame, terms: Sequence[str], term: str) -> NUMBERS:
    """Ask statsmodels."""
    from statsmodels.multivariate.manova import MANOVA

    right = " + ".join(by_sums(table, one) for one in terms)
    made = MANOVA.from_formula(f"error + auc ~ {right}", table).mv_test()
    rows = made.results[by_sums(table, term)]["stat"].to_numpy(float)
    return {
        "statistic": rows[:, 0],
        "f": rows[[0, 1, 3], 3],
        "p_value": rows[[0, 1, 3], 4],
    }


def rm_cases() -> Iterator[Case]:
    """Yield two factors within subjects."""
    terms = ("phase", "C(hour)", "phase:C(hour)")
    units = "C(subject)/(phase * C(hour))"
    made = pc.linear_model(OBRIEN(), "value ~ phase * C(hour)", within=units)
    ours = tested(made, terms, "df2", "epsilon_gg", "p_gg")
    yield Case("O'Brien and Kaiser", partial(rm_anova, OBRIEN()), ours)


def pingouin_rows(found: pd.DataFrame, names: Mapping[str, str]) -> NUMBERS:
    """Return columns of a table of pingouin under our names."""
    return {ours: found[name].to_numpy(float) for ours, name in names.items()}


def rm_anova(table: pd.DataFrame) -> NUMBERS:
    """Ask pingouin."""
    import pingouin

    roles: dict[str, Any] = {"within": ["phase", "hour"], "subject": "subject"}
    found = pingouin.rm_anova(table, dv="value", detailed=True, **roles)
    return pingouin_rows(found, {
        "df1": "ddof1", "df2": "ddof2", "statistic": "F", "p_value": "p_unc",
        "epsilon_gg": "eps", "p_gg": "p_GG_corr",
    })  # fmt: skip


def split(seed: int) -> pd.DataFrame:
    """Return data sets of two kinds, each learner once on each."""
    table = designed(seed)
    kind = np.where(table["data"].isin(["d0", "d1", "d2"]), "text", "image")
    groups = table.assign(kind=kind).groupby(["data", "kind", "learner"])
    return groups["error"].mean().reset_index()


def mixed_cases() -> Iterator[Case]:
    """Yield one factor between units and one within."""
    for seed in (2, 5):
        table = split(seed)
        model = pc.linear_model(table, "error ~ kind * learner", within="data")
        terms = ("kind", "learner", "kind:learner")
        ours = tested(model, terms, "df2", "sum_sq", "partial_eta2")
        yield Case(f"kinds of data sets {seed}", partial(mixed_anova, table), ours)


def mixed_anova(table: pd.DataFrame) -> NUMBERS:
    """Ask pingouin."""
    import pingouin

    roles: dict[str, Any] = {"within": "learner", "between": "kind", "subject": "data"}
    found = pingouin.mixed_anova(table, dv="error", **roles)
    return pingouin_rows(found, {
        "df1": "DF1", "df2": "DF2", "statistic": "F", "p_value": "p_unc",
        "sum_sq": "SS", "partial_eta2": "np2",
    })  # fmt: skip


def ancova_cases() -> Iterator[Case]:
    """Yield learners adjusted for covariates."""
    for names in (("time",), ("time", "size")):
        table = designed(3, 7)
        model = pc.linear_model(table, f"error ~ learner + {' + '.join(names)}")
        ours = tested(model, ("learner", *names), "sum_sq", "partial_eta2")
        title = f"learner with {' and '.join(names)}"
        yield Case(title, partial(ancova, table, list(names)), ours)


def ancova(table: pd.DataFrame, names: list[str]) -> NUMBERS:
    """Ask pingouin."""
    import pingouin

    roles: dict[str, Any] = {"covar": names, "between": "learner"}
    found = pingouin.ancova(table, dv="error", **roles).iloc[:-1]
    return pingouin_rows(found, {
        "df1": "DF", "statistic": "F", "p_value": "p_unc", "sum_sq": "SS",
        "partial_eta2": "np2",
    })  # fmt: skip
