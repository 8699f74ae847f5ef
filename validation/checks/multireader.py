"""Checks of analyses of readers and cases."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.methods.multireader.margins import margin_pairs

from ..agreement import Case, Check, Package, Wanted

CLOSED = Wanted(11, "closed form; covariances are differences of means")
SMALL = Wanted(
    9, "small differences of mean squares, relative to the error", floor=1e-4
)


def ratings(
    t: int, r: int, n: int, seed: int, grid: float = 0.0, clusters: int = 0
) -> pc.Ratings:
    """Make correlated normal ratings of two classes, rounded to a grid if wanted."""
    rng = np.random.default_rng(seed)
    truth = rng.random(n) < 0.4
    truth[:6] = [True, False, True, False, True, False]
    x = rng.normal(size=(t, r, n)) + rng.normal(size=n) + rng.normal(size=(r, n))
    x += truth * (
        1 + 0.3 * np.arange(t)[:, None, None] + rng.normal(size=(t, r, 1)) / 3
    )
    return pc.Ratings(
        values=np.round(x / grid) * grid if grid else x,
        truth=truth,
        modalities=tuple(f"M{i}" for i in range(t)),
        readers=tuple(f"R{j}" for j in range(r)),
        cases=tuple(f"c{k}" for k in range(n)),
        cluster=np.arange(n) // (n // clusters) % clusters if clusters else None,
        clusters=tuple(f"p{i}" for i in range(clusters)),
    )


DATA: Mapping[str, Callable[[], pc.Ratings]] = {
    "2 x 4 x 40": lambda: ratings(2, 4, 40, 1),
    "3 x 5 x 30, ties": lambda: ratings(3, 5, 30, 2, grid=0.5),
    "4 x 3 x 24, few levels": lambda: ratings(4, 3, 24, 3, grid=1.0),
    "2 x 2 x 16": lambda: ratings(2, 2, 16, 4),
}
CLUSTERED = {
    "3 x 4 x 40, 20 clusters": lambda: ratings(3, 4, 40, 5, clusters=20),
    "2 x 3 x 30, 10 clusters, ties": lambda: ratings(2, 3, 30, 6, 0.5, clusters=10),
}


def part(design: str, t: int, r: int, n: int, seed: int) -> pc.Ratings:
    """Make ratings of a design that is not factorial."""
    every = ratings(t, r, n, seed, grid=0.25)
    i, j, k = np.ogrid[:t, :r, :n]
    # Cases are dealt class by class, so that every cell has cases of both.
    assert every.truth is not None
    block = np.argsort(np.argsort(~every.truth, kind="stable"))
    hidden = {
        "readers-in-modalities": (j % t != i) | (k < 0),
        "cases-in-readers": (block % 2 != j % 2) | (i < 0),
        "cases-in-modalities": (block % t != i) | (j < 0),
        "incomplete": ((j == 0) & (i == 1)) | ((j == 1) & (i == 0)) | (block % 7 == j),
    }[design]
    values = np.where(np.broadcast_to(hidden, every.shape), np.nan, every.values)
    return dataclasses.replace(every, values=values, design=design)  # type: ignore[arg-type]


PARTS = {
    "readers in modalities, 3 x 9 x 40": lambda: part(
        "readers-in-modalities", 3, 9, 40, 7
    ),
    "cases in groups of readers, 2 x 6 x 60": lambda: part(
        "cases-in-readers", 2, 6, 60, 8
    ),
    "cases in modalities, 2 x 4 x 60": lambda: part("cases-in-modalities", 2, 4, 60, 9),
    "incomplete, 3 x 6 x 50": lambda: part("incomplete", 3, 6, 50, 10),
}


def cases_of(
    data: Mapping[str, Callable[[], pc.Ratings]], options: dict[str, Any]
) -> Iterator[Case]:
    """Make one case per data set."""
    for name, build in data.items():
        result = pc.mrmc(build(), **options)
        call = result.r_call()
        assert call is not None, f"{name} has no R call"
        yield Case(name, call, result.r_values())


def one_shot_cases() -> Iterator[Case]:
    """Yield the components of all modalities and differences."""
    for name, build in reversed([*DATA.items()]):  # R lists pairs: smallest first
        result = pc.variance_components(build(), method="one-shot")
        call = result.r_call()
        assert call is not None
        yield Case(name, call, result.r_values())


def interval_cases(method: Any) -> Iterator[Case]:
    """Yield components of readers with their intervals."""
    for name, build in {**DATA, **CLUSTERED}.items():
        result = pc.variance_components(build(), method=method, level=0.9)
        call = result.r_call()
        assert call is not None
        yield Case(name, call, result.r_values())


GLMER = {
    "deviance": Wanted(7, "glmer ends its search at rhoend"),
    "omnibus_statistic": Wanted(5, "difference of two deviances", floor=1e-2),
    "omnibus_p_value": Wanted(4, "difference of two deviances"),
    "*": Wanted(4, "glmer ends its search at rhoend", floor=1e-2),
    "std_error": Wanted(3, "glmer has second derivatives by differences"),
    "conf_low": Wanted(3, "glmer has second derivatives by differences", floor=1e-2),
    "conf_high": Wanted(3, "glmer has second derivatives by differences", floor=1e-2),
    "p_value": Wanted(2, "glmer has second derivatives by differences", floor=1e-6),
    "p_adjusted": Wanted(2, "glmer has second derivatives by differences", floor=1e-6),
}


_DELONG: dict[str, Any] = {"covariance": "delong"}


def single_cases() -> Iterator[Case]:
    """Yield the means of one modality."""
    scopes: tuple[dict[str, Any], ...] = (
        {},
        {"readers": "fixed", "covariance": "delong"},
        {"cases": "fixed", "figure": "sensitivity", "threshold": 0.8},
        {"covariance": "unbiased", "level": 0.8},
    )
    for place, options in enumerate(scopes):
        for name, build in DATA.items():
            found = pc.single_modality(build(), modality="M1", null=0.6, **options)
            call = found.r_call()
            assert call is not None
            yield Case(f"{name}, {place + 1}", call, found.r_values())
    others: list[tuple[str, Callable[[], pc.Ratings], dict[str, Any]]]
    others = [(n, b, {}) for n, b in (CLUSTERED | {"nested": PARTS[NESTED]}).items()]
    others += [(f"{n}, DeLong", b, _DELONG) for n, b in CLUSTERED.items()]
    others += [(f"{n}, mean", b, {"figure": "mean"}) for n, b in DATA.items()]
    for name, build, options in others:
        found = pc.single_modality(build(), modality="M0", **options)
        call = found.r_call()
        assert call is not None
        yield Case(name, call, found.r_values())


def standalone_cases() -> Iterator[Case]:
    """Yield comparisons of a reader that reads alone."""
    scopes: tuple[dict[str, Any], ...] = (
        {},
        {"readers": "fixed", "covariance": "delong"},
        {"cases": "fixed", "figure": "sensitivity", "threshold": 0.8},
        {"covariance": "unbiased", "level": 0.8, "adjust": "bonferroni"},
        {"figure": "mean"},
    )
    made = [
        (f"{name}, {place}", build, options)
        for place, options in enumerate(scopes, start=1)
        for name, build in DATA.items()
        if len(build().readers) > 2
    ]
    made += [(name, build, {}) for name, build in CLUSTERED.items()]
    made.append(("a modality of its own", own_modality, {}))
    for name, build, options in made:
        ratings_of = build()
        found = pc.standalone(ratings_of, reader=ratings_of.readers[0], **options)
        call = found.r_call()
        assert call is not None
        yield Case(name, call, found.r_values())


def own_modality() -> pc.Ratings:
    """Make ratings in which the first reader alone reads with the first modality."""
    every = ratings(3, 6, 50, 14)
    i, j, _ = np.ogrid[:3, :6, :50]
    values = np.where((i == 0) == (j == 0), every.values, np.nan)
    return dataclasses.replace(every, values=values, design="incomplete")


def marks(t: int, r: int, normal: int, diseased: int, seed: int) -> pc.Ratings:
    """Make free-response marks of cases with up to three lesions."""
    rng = np.random.default_rng(seed)
    lesions = np.r_[np.zeros(normal, int), rng.integers(1, 4, size=diseased)]
    rows = []
    for i, j, k in np.ndindex(t, r, len(lesions)):
        of = {"modality": f"M{i}", "reader": f"R{j}", "case": f"c{k}"}
        for _ in range(rng.poisson(0.6)):
            rows.append({**of, "lesion": None, "rating": round(rng.normal(), 1)})
        for m in range(lesions[k]):
            if rng.random() < 0.8:
                x = round(rng.normal(0.8 + 0.2 * i + 0.1 * j), 1)
                rows.append({**of, "lesion": f"L{m}", "rating": x})
    cases = [{"case": f"c{k}", "n_lesions": int(n)} for k, n in enumerate(lesions)]
    roles = {name: name for name in ("modality", "reader", "case", "lesion", "rating")}
    return pc.Ratings.from_marks(rows, cases=cases, n_lesions="n_lesions", **roles)


def mark_cases() -> Iterator[Case]:
    """Yield analyses of free-response marks."""
    data = {
        "2 x 4 x 40": marks(2, 4, 18, 22, 15),
        "3 x 3 x 50": marks(3, 3, 25, 25, 16),
    }
    for name, ratings_of in data.items():
        made = {
            "weighted": pc.mrmc(ratings_of, figure="wafroc"),
            "unweighted": pc.mrmc(ratings_of, figure="afroc", error="pooled"),
            "pseudovalues": pc.mrmc(ratings_of, figure="wafroc", method="dbm"),
            "one modality": pc.single_modality(
                ratings_of, modality="M1", figure="wafroc", null=0.6
            ),
            "standalone": pc.standalone(ratings_of, reader="R1", figure="wafroc"),
        }
        for kind, found in made.items():
            call = found.r_call()
            assert call is not None
            yield Case(f"{name}, {kind}", call, found.r_values())


def margin_cases(kind: Any, control: str | None) -> Iterator[Case]:
    """Yield tests against a margin, as a comparison with ``generalise`` makes them."""
    scopes: tuple[dict[str, Any], ...] = ({}, {"readers": "fixed"}, {"cases": "fixed"})
    for name, build in {**DATA, **CLUSTERED, **PARTS}.items():
        for place, scope in enumerate(scopes, start=1):
            found = pc.mrmc(build(), control=control, **scope)
            result = margin_pairs(found, margin=0.15, kind=kind, alpha=0.05)
            call = result.r_call()
            assert call is not None
            yield Case(f"{name}, {place}", call, result.r_values())


NESTED = "cases in groups of readers, 2 x 6 x 60"


def glmm_cases() -> Iterator[Case]:
    """Yield mixed models of 0/1 outcomes."""
    data = ratings(3, 6, 50, 11)
    choices: dict[str, dict[str, Any]] = {
        "accuracy, logit": {"outcome": "accuracy"},
        "accuracy, probit": {"outcome": "accuracy", "link": "probit"},
        "sensitivity": {"outcome": "sensitivity"},
        "specificity, with a control": {"outcome": "specificity", "control": "M1"},
        "accuracy, modality x reader": {
            "outcome": "accuracy",
            "random": ("case", "reader", "modality x reader"),
        },
    }
    for name, options in choices.items():
        result = pc.glmm(data, threshold=0.8, **options)
        call = result.r_call()
        assert call is not None
        yield Case(name, call, result.r_values())


def check(
    statistic: str,
    r_function: str,
    options: dict[str, Any],
    data: Mapping[str, Callable[[], pc.Ratings]] = DATA,
) -> Check:
    """Make the check of one set of options over the data sets."""
    return Check(
        statistic,
        r_function,
        lambda: cases_of(data, options),
        {"*": CLOSED, "component": SMALL, "covariance": SMALL},
    )


def multireader_checks() -> list[Check]:
    """Return the checks of ``mrmc``."""
    fixed: dict[str, Any] = {"readers": "fixed"}
    part: dict[str, Any] = {"figure": "partial_auc", "fpr_range": (0.1, 0.6)}
    hits: dict[str, Any] = {"figure": "sensitivity", "threshold": 0.8}
    right: dict[str, Any] = {"figure": "specificity", "threshold": 0.4}
    dbm: dict[str, Any] = {"method": "dbm"}
    strata = "pseudovalues one by one, aov(Error())"
    return [
        check(
            "OR, jackknife, the largest of three p-values",
            "pseudovalues one by one, aov, pt",
            {},
        ),
        check(
            "OR, jackknife, pairs as published",
            "pseudovalues one by one, aov",
            {"pair_tests": "published"},
        ),
        check(
            "OR, DeLong, pooled error",
            "pROC::cov, aov",
            {"covariance": "delong"} | {"error": "pooled"},
        ),
        check("OR, unbiased", "definition, aov", {"covariance": "unbiased"}),
        check(
            "OR, fixed readers, DeLong", "pROC::cov", fixed | {"covariance": "delong"}
        ),
        check("OR, fixed cases", "aov", {"cases": "fixed", "adjust": "shaffer"}),
        check("DBM, Hillis' df", strata, dbm | {"level": 0.9}),
        check("DBM, level and alpha", strata, dbm | {"level": 0.9, "alpha": 0.05}),
        check(
            "DBM, df of 1992, pooled error",
            strata,
            dbm | {"df": "1992", "error": "pooled"},
        ),
        check(
            "DBM, fixed readers", strata, dbm | fixed | {"adjust": "bergmann-hommel"}
        ),
        check("OR, partial AUC", "pROC::auc(partial.auc), aov", part),
        check("OR, sensitivity, DeLong", "cov, aov", hits | {"covariance": "delong"}),
        check("DBM, specificity", strata, dbm | right),
        check(
            "OR, mean of ratings",
            "cov, aov",
            {"figure": "mean", "better": "higher"},
        ),
        check(
            "OR, claims against a margin",
            "pt",
            {"margin": 0.1, "hypothesis": "equivalence", "adjust": "holm"},
        ),
        check(
            "OR, comparisons with a control, claims against a margin",
            "pt",
            {
                "margin": 0.1,
                "hypothesis": "equivalence",
                "control": "M1",
                "adjust": "hommel",
            },
        ),
        check(
            "OR, claims against a margin, pairs as published",
            "pt",
            {"margin": 0.1, "hypothesis": "equivalence", "pair_tests": "published"},
        ),
        check(
            "OR, claims, lower is better",
            "pt",
            {
                "margin": 0.3,
                "hypothesis": "equivalence",
                "adjust": "hommel",
                "figure": "mean",
                "better": "lower",
            },
        ),
        Check(
            "one-shot components",
            "all pairs of scores listed",
            one_shot_cases,
            {"*": SMALL},
        ),
        Check(
            "one modality over readers and cases",
            "pseudovalues one by one, var, pROC::cov, qt",
            single_cases,
            {"*": SMALL},
        ),
        Check(
            "marks of readers (AFROC areas)",
            "pairs of lesions and normal cases, pseudovalues one by one",
            mark_cases,
            {"*": SMALL},
        ),
        Check(
            "standalone reader against readers",
            "pseudovalues one by one, var, pROC::cov, qt",
            standalone_cases,
            {"*": SMALL},
        ),
        *(
            Check(
                f"{kind} over readers and cases, {against}",
                "pt, qt",
                partial(margin_cases, kind, control),
                {"*": CLOSED},
            )
            for kind, control, against in (
                ("equivalence", None, "all pairs"),
                ("equivalence", "M1", "with a control"),
                ("non-inferiority", "M1", "with a control"),
            )
        ),
        Check(
            "mixed model of 0/1 outcomes, Laplace",
            Package("lme4::glmer"),
            glmm_cases,
            GLMER,
        ),
        *(
            Check(
                f"components of variance with intervals, {method}",
                "pseudovalues one by one, anova(lm), qf",
                partial(interval_cases, method),
                {"*": SMALL},
            )
            for method in ("or", "dbm")
        ),
        check("OR, clusters of cases", "leaving out clusters, aov", {}, CLUSTERED),
        *(
            check(
                f"OR, clusters of cases, DeLong, {options.get('figure', 'auc')}",
                "definition (Obuchowski 1997), aov",
                {"covariance": "delong", **options},
                CLUSTERED,
            )
            for options in ({}, hits, {"figure": "mean", "better": "higher"})
        ),
        *(
            check(
                f"OR, nested and incomplete, readers {r}, cases {c}",
                "derivation",
                {"readers": r, "cases": c},
                PARTS,
            )
            for r, c in (("random", "random"), ("fixed", "random"), ("random", "fixed"))
        ),
    ]
