"""Checks of the tests of two algorithms."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.interop.r_call import RCall
from pycompare.kernels import davidson
from pycompare.kernels.davidson import Games
from pycompare.methods.pairs.wilcoxon import WilcoxonResult
from pycompare.methods.posteriors.common import PROBABILITIES

from .. import cases as data
from ..agreement import Case, Check, Package, Wanted
from ..making import CLOSED, TAIL, Makers, check

PAIRS: Makers = {
    "normal 10x2": lambda: data.scores(data.normal(10, 2, 51)),
    "normal 49x2, lower is better": lambda: data.scores(
        data.normal(49, 2, 52), "lower"
    ),
    "no difference 12x2": lambda: data.scores(data.normal(12, 2, 53, 0.0)),
    "strong 60x2": lambda: data.scores(data.normal(60, 2, 54, 4.0)),
    "ties and zeros 20x2": lambda: data.scores(data.integers(20, 2, 55, 8)),
    "rounding noise 15x2": lambda: data.scores(data.integers(15, 2, 56, 9) * 0.1 + 0.7),
    "all one way 8x2": lambda: data.scores(
        np.abs(data.normal(8, 2, 57)) * np.array([1.0, -1.0])
    ),
    "two blocks": lambda: data.scores(np.array([[1.0, 0.2], [2.0, 1.9]])),
    "equal differences 6x2": lambda: data.scores(
        np.arange(6.0)[:, None] / 10 + np.array([0.1, 0.3])
    ),
    "no differences 5x2": lambda: data.scores(np.arange(5.0)[:, None] + np.zeros(2)),
    "scale 1e-300 8x2": lambda: data.scores(data.normal(8, 2, 59) * 1e-300),
    "scale 1e299 8x2": lambda: data.scores(data.normal(8, 2, 60) * 1e299),
}
INTEGRAL = Wanted(9, "R integrates to 1e-12")
NONCENTRAL = Wanted(9, "R's noncentral pt has 12 decimals")
ALTERNATIVES: tuple[Any, ...] = ("two-sided", "greater", "less")


def t_checks() -> list[Check]:
    """Return the checks of paired t tests."""
    bounds = {"effect_low": NONCENTRAL, "effect_high": NONCENTRAL}
    made = [
        check(
            f"paired t, {alternative}",
            Package("stats::t.test(paired = TRUE); root of stats::pt"),
            PAIRS,
            partial(pc.paired_t, alternative=alternative, level=level),
            **bounds,
        )
        for alternative, level in zip(ALTERNATIVES, (0.95, 0.9, 0.99), strict=True)
    ]
    made += [
        check(
            f"corrected resampled t, {alternative}",
            "derivation in R",
            PAIRS,
            partial(pc.paired_t, alternative=alternative, n_train=90, n_test=10),
            **bounds,
        )
        for alternative in ALTERNATIVES
    ]
    made.append(
        check(
            "corrected resampled t, enlarged overlap term",
            "derivation in R",
            PAIRS,
            partial(pc.paired_t, n_train=90, n_test=10, overlap=2.25),
            **bounds,
        )
    )
    return made


def wilcoxon_checks() -> list[Check]:
    """Return the checks of Wilcoxon's test: each form, each policy, each direction."""
    forms: tuple[Any, ...] = ("exact", "normal", "normal-corrected")
    policies: tuple[Any, ...] = ("wilcox", "pratt")
    return [
        check(
            f"Wilcoxon signed rank, {form}, zeros: {zeros}, {alternative}",
            Package("coin::wilcoxsign_test, stats::wilcox.test"),
            PAIRS,
            partial(
                pc.wilcoxon,
                p_value=form,
                zeros=zeros,
                alternative=alternative,
                level=level,
            ),
        )
        for form in forms
        for zeros in policies
        for alternative, level in zip(ALTERNATIVES, (0.95, 0.9, 0.99), strict=True)
    ] + [
        check(
            "Wilcoxon signed rank, p and interval that agree with the estimate",
            Package("coin::wilcoxsign_test, stats::wilcox.test"),
            {**PAIRS, "mostly ties 24x2": _mostly_ties, "zeros and ones": _ones},
            _of_its_estimate,
        )
    ]


def _of_its_estimate(scores: pc.Scores) -> WilcoxonResult:
    return pc.wilcoxon(scores).of_its_estimate()


def _mostly_ties() -> pc.Scores:
    more = np.r_[np.zeros(18), 1 + np.arange(6) / 10]
    return data.scores(np.stack([more, np.zeros(24)], axis=1))


def _ones() -> pc.Scores:
    """Return differences of 0 and 1: the interval begins at 0, which p rejects."""
    return data.scores(np.stack([np.repeat([0.0, 1], [17, 8]), np.zeros(25)], axis=1))


def sign_checks() -> list[Check]:
    """Return the checks of the sign test."""
    policies: tuple[Any, ...] = ("drop", "split")
    return [
        check(
            f"sign test, ties: {ties}, {alternative}",
            Package("stats::binom.test"),
            PAIRS,
            partial(pc.sign_test, ties=ties, alternative=alternative, level=level),
        )
        for ties in policies
        for alternative, level in zip(ALTERNATIVES, (0.95, 0.9, 0.99), strict=True)
    ]


def _exponential(make: Any) -> pc.Scores:
    """Return positive scores of some that may not be."""
    scores: pc.Scores = make()
    return dataclasses.replace(scores, values=np.exp(scores.values / 3))


def posterior_checks() -> list[Check]:
    """Return the checks of posterior probabilities of pairs."""
    some = ("normal 10x2", "normal 49x2, lower is better", "ties and zeros 20x2")
    tables = {name: PAIRS[name] for name in some}
    made = []
    for rope in (0.0, 0.5):
        named = f"region of {rope:g}"
        made += [
            check(
                f"Bayesian sign test, {named}",
                "derivation: stats::integrate, stats::qbeta",
                tables,
                partial(pc.bayesian_sign, rope=rope),
                **dict.fromkeys(PROBABILITIES, INTEGRAL),
            ),
            check(
                f"Bayesian signed rank test, {named}",
                "derivation: all sums of two differences",
                tables,
                partial(pc.bayesian_signed_rank, rope=rope, draws=1000, seed=3),
            ),
            check(
                f"Bayesian correlated t test, {named}",
                Package("stats::pt, stats::qt"),
                tables,
                partial(pc.bayesian_correlated_t, rope=rope, n_train=90, n_test=10),
                **dict.fromkeys(PROBABILITIES, TAIL),
            ),
        ]
    ratios = {name: partial(_exponential, make) for name, make in tables.items()}
    forms: dict[str, Callable[..., Any]] = {
        "sign": pc.bayesian_sign,
        "signed rank": partial(pc.bayesian_signed_rank, draws=1000, seed=3),
    }
    made += [
        check(
            f"Bayesian {name} test, ratios",
            "derivation: the same of logarithms",
            ratios,
            partial(form, rope=0.2, scale="ratio"),
            **dict.fromkeys(PROBABILITIES, INTEGRAL),
        )
        for name, form in forms.items()
    ]
    return made


def battle_checks() -> list[Check]:
    """Return the checks of strengths from battles."""
    rules = {"*": Wanted(9, "R's slope of the penalty is numerical")}
    options: dict[str, dict[str, Any]] = {
        "Davidson's ties": {},
        "order ignored": {"position": "ignore"},
        "half wins, Holm": {"ties": "half", "adjust": "holm"},
        "ties dropped, Bergmann-Hommel": {
            "ties": "drop", "position": "ignore", "adjust": "bergmann-hommel",
        },
    }  # fmt: skip

    def cases(chosen: Any) -> list[Case]:
        made: dict[str, Any] = {}
        for name, seed, models, voters in (
            ("5 models", 81, 5, None), ("4 models, 15 voters", 82, 4, 15),
        ):  # fmt: skip
            made[name] = pc.battles(_battles(seed, models, voters), **chosen)
        return [Case(name, t.r_call(), t.r_values()) for name, t in made.items()]

    return [
        *(
            Check(
                f"strengths from battles, {name}",
                "derivation: stats::optim",
                partial(cases, chosen),
                rules,
            )
            for name, chosen in options.items()
        ),
        Check(
            "strengths from battles, no order, no penalty",
            Package("psychotools::btmodel(undecided = TRUE)"),
            _davidson_cases,
            {"*": Wanted(6, "psychotools ends its search at 1e-8 of the likelihood")},
        ),
    ]


def _davidson_cases() -> list[Case]:
    """Return fits of Davidson's model that psychotools has, too."""
    made = []
    for name, seed, models in (("5 models", 81, 5), ("3 models", 83, 3)):
        battles = _battles(seed, models, None)
        codes = battles.first * models + battles.second
        pairs, at = np.unique(codes, return_inverse=True)
        wins, ties, losses = (
            np.bincount(at[battles.outcome == won], minlength=len(pairs)).astype(float)
            for won in (1.0, 0.5, 0.0)
        )
        first, second = pairs // models, pairs % models
        n = wins + ties + losses
        games = Games(first, second, n, wins + ties / 2, ties, models)
        fitted = davidson.fit(games, order=False, ties=True, penalised=False)
        c, last = fitted.inverse, models - 1
        variances = [c[i, i] + c[last, last] - 2 * c[i, last] for i in range(last)]
        ends = {"first": first + 1.0, "second": second + 1.0}
        counts = {"wins": wins, "ties": ties, "losses": losses}
        call = RCall(("battles_psychotools",), "davidson_psychotools", ends | counts)
        values = {
            "strengths": (fitted.theta - fitted.theta[last])[:last],
            "log_nu": fitted.log_nu,
            "errors": np.sqrt(variances),
            "log_likelihood": fitted.log_likelihood,
        }
        made.append(Case(name, call, values))
    return made


def _battles(seed: int, models: int, voters: int | None) -> pc.Battles:
    """Return 240 battles of some models, of unequal strength."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, models, 240)
    second = (first + rng.integers(1, models, 240)) % models
    gap = 0.4 * (second - first) + 0.2
    u = rng.random(240) * (1 + np.exp(gap) + 0.6 * np.exp(gap / 2))
    outcome = np.where(u < np.exp(gap), 1.0, np.where(u < np.exp(gap) + 1, 0.0, 0.5))
    names = tuple("ABCDEF"[:models])
    of = None if voters is None else rng.integers(0, voters, 240)
    labels = () if voters is None else tuple(f"v{k}" for k in range(voters))
    return pc.Battles(
        models=names, first=first, second=second, outcome=outcome, voter=of,
        voters=labels,
    )  # fmt: skip


def five_by_two_checks() -> list[Check]:
    """Return the check of both 5x2cv tests."""
    rules = {"*": CLOSED, "f_p_value": TAIL, "t_p_value": TAIL}

    def cases() -> list[Case]:
        tables = {
            f"{name} 5x2": data.normal(5, 2, seed, 0.0) * scale
            for name, seed, scale in (
                ("normal", 61, 1.0),
                ("small", 62, 1e-300),
                ("large", 63, 1e299),
            )
        }
        tables["strong 5x2"] = data.normal(5, 2, 64, 0.0) + 20.0
        tables["no differences"] = np.zeros((5, 2))
        results = {name: pc.five_by_two_cv(d) for name, d in tables.items()}
        return [Case(name, t.r_call(), t.r_values()) for name, t in results.items()]

    return [Check("5x2cv F and t", "definitions; stats::pf, pt", cases, rules)]


def mcnemar_checks() -> list[Check]:
    """Return the checks of McNemar's test."""
    counts = [(0, 0), (0, 5), (1, 7), (6, 6), (9, 3), (150, 86), (400, 20), (999, 1000)]
    forms: tuple[Any, ...] = ("exact", "mid-p", "chi2", "chi2-corrected")

    def cases(form: Any, alternative: Any) -> Iterator[Case]:
        for pair in counts:
            found = pc.mcnemar(pair, p_value=form, alternative=alternative)
            yield Case(f"{pair}", found.r_call(), found.r_values())

    return [
        Check(
            f"McNemar, {form}, {alternative}",
            behind_mcnemar(form),
            partial(cases, form, alternative),
            {"*": CLOSED, "p_value": TAIL},
        )
        for form in forms
        for alternative in ALTERNATIVES
        if "chi2" not in form or alternative == "two-sided"
    ]


def behind_mcnemar(form: str) -> str:
    """Return who has a p-value of McNemar's test; no package has the mid-p."""
    if form == "mid-p":
        return "dbinom"
    return Package("stats::mcnemar.test" if "chi2" in form else "stats::binom.test")


def equivalence_checks() -> list[Check]:
    """Return the checks of equivalence and non-inferiority."""
    # t.test squares the scores: it has no digits at 1e-300 and 1e299.
    makers = {name: make for name, make in PAIRS.items() if "scale" not in name}
    rules = {"lower_p_value": TAIL, "upper_p_value": TAIL}
    forms: dict[str, dict[str, Any]] = {
        "equivalence": {"margin": 0.8},
        "equivalence, margins -0.5 and 2": {"margin": (-0.5, 2.0), "alpha": 0.1},
        "equivalence, corrected": {"margin": 0.8, "n_train": 90, "n_test": 10},
        "equivalence, enlarged overlap term": {
            "margin": 0.8,
            "n_train": 90,
            "n_test": 10,
            "overlap": 2.25,
        },
        "non-inferiority": {"margin": 0.3, "kind": "non-inferiority"},
    }
    return [
        check(
            title,
            "derivation in R"
            if "n_train" in options
            else Package("stats::t.test(mu =)"),
            makers,
            partial(pc.equivalence, **options),
            **rules,
        )
        for title, options in forms.items()
    ]


def equivalence_pairs_checks() -> list[Check]:
    """Return the checks of equivalence of several algorithms."""
    tables: Makers = {
        "normal 10x4": lambda: data.scores(data.normal(10, 4, 70)),
        "ties 30x5": lambda: data.scores(data.integers(30, 5, 71), "lower"),
        "alike 25x3": lambda: data.scores(data.normal(25, 3, 72, 0.0) * 0.3),
        "equal differences 9x3": lambda: data.scores(
            np.arange(9.0)[:, None] / 10 + np.array([0.1, 0.3, 0.1])
        ),
        "two algorithms 12x2": lambda: data.scores(data.normal(12, 2, 73)),
    }
    forms: dict[str, dict[str, Any]] = {
        "all pairs, Holm": {"margin": 0.9},
        "all pairs, corrected, Hommel": {
            "margin": 0.9,
            "adjust": "hommel",
            "n_train": 9,
            "n_test": 1,
            "overlap": 1.75,
            "alpha": 0.1,
        },
        "a control, two margins": {"margin": (-0.4, 1.5), "control": "A1"},
        "non-inferiority to a control": {
            "margin": 0.5,
            "control": "A2",
            "kind": "non-inferiority",
            "adjust": "bonferroni",
        },
    }
    return [
        check(
            f"equivalence of pairs, {title}",
            "derivation in R; stats::p.adjust"
            if "n_train" in options
            else Package("stats::t.test(mu =), stats::p.adjust"),
            tables,
            partial(pc.equivalence_pairs, **options),
        )
        for title, options in forms.items()
    ]


def hodges_lehmann_checks() -> list[Check]:
    """Return the checks of differences of pairs in the metric's own unit."""
    tables: Makers = {
        "normal 12x4": lambda: data.scores(data.normal(12, 4, 75)),
        "ties 20x3": lambda: data.scores(data.integers(20, 3, 76), "lower"),
        "gaps 15x4": lambda: data.gappy(data.normal(15, 4, 77), 0.1),
        "few blocks 4x5": lambda: data.scores(data.normal(4, 5, 78)),
    }
    forms: dict[str, dict[str, Any]] = {
        "all pairs": {},
        "a control": {"control": "A2", "level": 0.9},
    }
    return [
        check(
            f"Hodges-Lehmann differences, {title}",
            "stats::wilcox.test(conf.int = TRUE)",
            tables,
            partial(pc.hodges_lehmann, **options),
        )
        for title, options in forms.items()
    ]


def signed_rank_pairs_checks() -> list[Check]:
    """Return the checks of typical differences of pairs, adjusted."""
    tables: Makers = {
        "normal 12x4": lambda: data.scores(
            data.normal(12, 4, 175) + np.array([0, 1, 1, 2.5])
        ),
        "ties 20x3": lambda: data.scores(data.integers(20, 3, 176), "lower"),
        "gaps 15x4": lambda: data.gappy(data.normal(15, 4, 177), 0.1),
        "few blocks 4x5": lambda: data.scores(data.normal(4, 5, 178)),
        "two alike 9x3": lambda: data.scores(data.normal(9, 2, 179)[:, [0, 1, 1]]),
    }
    positive = data.positive(tables)
    ratio: dict[str, Any] = {"scale": "ratio"}
    forms: dict[str, dict[str, Any]] = {
        "Holm": {},
        "a control, Hommel": {"control": "A2", "adjust": "hommel", "alpha": 0.1},
        "unadjusted": {"adjust": "none"},
    }
    flips: dict[str, Any] = {"adjust": "step-down-flips", "permutations": 199}
    joint: dict[str, tuple[Makers, dict[str, Any]]] = {
        "step-down flips": (tables, flips),
        "step-down flips, a control": (tables, flips | {"control": "A2", "seed": 4}),
        "closed permutation": (
            {name: make for name, make in tables.items() if "gaps" not in name}
            | {
                "normal 7x6": lambda: data.scores(data.normal(7, 6, 180), "lower"),
                "3 listed 6x3": lambda: data.scores(data.normal(6, 3, 181)),
            },
            {"adjust": "closed-permutation", "permutations": 99, "alpha": 0.2},
        ),
        "step-down flips of ratios": (positive, flips | ratio),
    }
    return (
        [
            check(
                f"signed rank tests of pairs, {title}",
                Package("stats::wilcox.test, coin::wilcoxsign_test, stats::p.adjust"),
                tables,
                partial(pc.signed_rank_pairs, **options),
            )
            for title, options in forms.items()
        ]
        + [
            check(
                f"signed rank tests of pairs, ratios, {title}",
                Package(
                    "stats::wilcox.test, coin::wilcoxsign_test, base::log, base::exp"
                ),
                positive,
                partial(pc.signed_rank_pairs, **ratio, **options),
            )
            for title, options in forms.items()
        ]
        + [
            check(
                f"signed rank tests of pairs, {title}",
                "derivation in R, same permutations by stats::runif; "
                "partitions::setparts",
                chosen,
                partial(pc.signed_rank_pairs, **options),
            )
            for title, (chosen, options) in joint.items()
        ]
    )


def clustered_signed_rank_checks() -> list[Check]:
    """Return the checks of typical differences over data sets in clusters."""
    sizes = np.repeat(np.arange(9), [1, 2, 3, 1, 2, 2, 1, 1, 2])

    def in_clusters(scores: pc.Scores) -> pc.Scores:
        names = tuple(f"c{one}" for one in sizes)
        return dataclasses.replace(scores, clusters=names)

    shifts = np.array([0, 1, 1, 2.5])
    tables: Makers = {
        "normal 15x4": lambda: in_clusters(
            data.scores(data.normal(15, 4, 182) + shifts)
        ),
        "ties 15x3": lambda: in_clusters(
            data.scores(data.integers(15, 3, 183), "lower")
        ),
        "gaps 15x4": lambda: in_clusters(data.gappy(data.normal(15, 4, 184), 0.1)),
    }
    singles = data.scores(data.integers(12, 3, 185))
    own = dataclasses.replace(singles, clusters=singles.blocks)
    forms: dict[str, dict[str, Any]] = {
        "Holm": {},
        "a control": {"control": "A2", "alpha": 0.1},
        "ratios": {"scale": "ratio"},
    }
    many = data.scores(np.exp(data.normal(34, 3, 186) / 3))
    by_two = tuple(f"c{i // 2}" for i in range(34))
    positive = {
        "17 clusters of two 34x3": lambda: dataclasses.replace(many, clusters=by_two)
    }

    as_ratios = {name: partial(_exponential, make) for name, make in tables.items()}

    return [
        check(
            f"signed rank tests of clusters, {title}",
            "derivation in R, all flips of cluster sums listed",
            {
                **(as_ratios if title == "ratios" else tables),
                "clusters of one 12x3": lambda: own,
                **positive,
            },
            partial(pc.clustered_signed_rank_pairs, **options),
        )
        for title, options in forms.items()
    ]


def signed_rank_margin_checks() -> list[Check]:
    """Return the checks of typical differences against a margin."""
    tables: Makers = {
        "normal 12x4": lambda: data.scores(data.normal(12, 4, 190)),
        "ties 30x3, lower is better": lambda: data.scores(
            data.integers(30, 3, 191), "lower"
        ),
        "two alike 9x3": lambda: data.scores(data.normal(9, 2, 192)[:, [0, 1, 1]]),
        "few 4x2": lambda: data.scores(data.normal(4, 2, 193)),
        "gaps 14x4": lambda: data.gappy(data.normal(14, 4, 194), 0.15),
    }
    forms: dict[str, dict[str, Any]] = {
        "equivalence": {"margin": 1.5},
        "two margins and a control": {
            "margin": (-1.0, 2.0), "control": "A2", "adjust": "hommel", "alpha": 0.1,
        },
        "non-inferiority": {
            "margin": 0.8, "control": "A1", "kind": "non-inferiority",
        },
    }  # fmt: skip
    ratio_forms: dict[str, dict[str, Any]] = {
        "two margins and a control": {"margin": (0.5, 2.5), "control": "A2"},
    }
    return [
        check(
            f"signed rank tests against a margin, {title}",
            Package("stats::wilcox.test, coin::wilcoxsign_test, stats::p.adjust"),
            tables,
            partial(pc.signed_rank_margins, **options),
        )
        for title, options in forms.items()
    ] + [
        check(
            f"signed rank tests against a margin, ratios, {title}",
            Package("stats::wilcox.test, coin::wilcoxsign_test, base::log, base::exp"),
            data.positive(tables),
            partial(pc.signed_rank_margins, scale="ratio", **options),
        )
        for title, options in (forms | ratio_forms).items()
    ]


def corrected_pairs_checks() -> list[Check]:
    """Return the checks of corrected resampled t tests of several algorithms."""
    tables: Makers = {
        "normal 10x4": lambda: data.scores(data.normal(10, 4, 65)),
        "ties 30x5": lambda: data.scores(data.integers(30, 5, 66), "lower"),
        "two alike 9x3": lambda: data.scores(
            data.normal(9, 2, 67)[:, [0, 1, 1]], "lower"
        ),
        "gaps 20x4": lambda: data.gappy(data.normal(20, 4, 68), 0.1),
        "equal differences 9x3": lambda: data.scores(
            np.arange(9.0)[:, None] / 10 + np.array([0.1, 0.3, 0.1])
        ),
        "two algorithms 12x2": lambda: data.scores(data.normal(12, 2, 69)),
    }
    forms: dict[str, dict[str, Any]] = {
        "Holm": {"n_train": 90, "n_test": 10},
        "Holm, alpha 0.2": {"n_train": 90, "n_test": 10, "alpha": 0.2},
        "Holm, enlarged overlap term": {"n_train": 90, "n_test": 10, "overlap": 2.25},
        "Bergmann-Hommel": {"n_train": 2, "n_test": 1, "adjust": "bergmann-hommel"},
        "a control, Hommel": {
            "n_train": 9,
            "n_test": 1,
            "adjust": "hommel",
            "control": "A2",
            "level": 0.9,
        },
    }
    corrected = [
        check(
            f"corrected resampled t of pairs, {title}",
            "derivation in R; stats::p.adjust",
            tables,
            partial(pc.corrected_pairs, **options),
        )
        for title, options in forms.items()
    ]
    sizes = ("n_train", "n_test", "overlap")
    plain = [
        check(
            f"paired t of pairs, {title}",
            Package("stats::t.test(paired = TRUE), stats::p.adjust"),
            tables,
            partial(
                pc.paired_t_pairs,
                **{k: v for k, v in options.items() if k not in sizes},
            ),
        )
        for title, options in forms.items()
        if "overlap" not in options
    ]
    return [*corrected, *plain, pairwise_check(tables)]


def pairwise_check(makers: Makers) -> Check:
    """Return the check of paired t tests of pairs against pairwise.t.test."""

    def cases() -> Iterator[Case]:
        for name, make in makers.items():
            scores = make()
            result = pc.paired_t_pairs(scores, adjust="hommel")
            if not (scores.complete and np.all(result.as_columns()["std_error"] > 0)):
                continue  # R drops gaps, and stops where all differences are equal
            call = result.r_call()
            arguments = {"x": call.arguments["x"], "adjust": "hommel"}
            again = RCall(call.files, "pairwise_paired_reference", arguments)
            yield Case(name, again, result.columns_in_r("p_adjusted"))

    return Check(
        "paired t of pairs, second witness",
        Package("stats::pairwise.t.test(paired = TRUE)"),
        cases,
        {"*": Wanted(10, "tail of a distribution")},
    )


def two_algorithm_checks() -> list[Check]:
    """Return the checks of every test of two algorithms."""
    return [
        *t_checks(),
        *signed_rank_pairs_checks(),
        *clustered_signed_rank_checks(),
        *signed_rank_margin_checks(),
        *corrected_pairs_checks(),
        *hodges_lehmann_checks(),
        *wilcoxon_checks(),
        *sign_checks(),
        *posterior_checks(),
        *battle_checks(),
        *five_by_two_checks(),
        *mcnemar_checks(),
        *equivalence_checks(),
        *equivalence_pairs_checks(),
    ]
