"""Checks of tests and intervals of cases (items): right or wrong, clustered, ranked."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import partial
from typing import Any, get_args

import numpy as np
import pandas as pd

import pycompare as pc
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats
from pycompare.methods.cases.accuracy_intervals import AccuracyIntervalMethod
from pycompare.methods.cases.group_means import group_means
from pycompare.methods.pairs.mcnemar import McNemarPValue

from .. import cases as data
from ..agreement import Case, Check, Package, Wanted
from ..making import CLOSED, TAIL, Makers, check
from .challenges import challenge_checks


def answers(n: int, a: int, seed: int, spread: float = 0.4) -> Floats:
    """Return right (1) and wrong (0) answers to items of several difficulties."""
    rng = np.random.default_rng(seed)
    level = rng.normal(size=(n, 1)) + spread * np.arange(a)
    return (level + rng.normal(size=(n, a)) > 0).astype(float)


RIGHT: Makers = {
    "answers 12x3": lambda: data.scores(answers(12, 3, 1)),
    "answers 200x5": lambda: data.scores(answers(200, 5, 2, 0.1)),
    "answers 3000x4": lambda: data.scores(answers(3000, 4, 3, 0.05)),
    "errors 60x4, lower is better": lambda: data.scores(answers(60, 4, 4), "lower"),
    "two alike 40x3": lambda: data.scores(answers(40, 2, 5)[:, [0, 1, 1]]),
    "always right 30x3": lambda: data.scores(
        np.column_stack([np.ones(30), answers(30, 2, 6)])
    ),
    "two algorithms 25x2": lambda: data.scores(answers(25, 2, 7)),
}


def case_checks() -> list[Check]:
    """Return the checks of this file."""
    return [
        *mcnemar_checks(),
        *matched_share_checks(),
        *gate_checks(),
        *share_pair_checks(),
        *crossed_pair_checks(),
        *judge_label_checks(),
        *item_checks(),
        *bounded_mean_checks(),
        *share_checks(),
        *cluster_checks(),
        *clustered_run_checks(),
        *weight_checks(),
        *rank_set_checks(),
        *challenge_checks(),
    ]


def mcnemar_checks() -> list[Check]:
    """Return the checks of McNemar's tests of pairs."""
    forms: dict[str, dict[str, Any]] = {
        **{
            f"{form}, {adjust}": {"p_value": form, "adjust": adjust}
            for form, adjust in zip(
                get_args(McNemarPValue),
                ("bergmann-hommel", "holm", "shaffer", "hommel"),
                strict=True,
            )
        },
        "exact, a control": {"adjust": "holm", "control": "A2", "alpha": 0.2},
    }
    return [
        check(
            f"McNemar of pairs, {title}",
            Package("stats::binom.test, mcnemar.test, prop.test, p.adjust"),
            RIGHT,
            partial(pc.mcnemar_pairs, **options),
        )
        for title, options in forms.items()
    ]


def matched_share_checks() -> list[Check]:
    """Return the checks of shares on the same cases against a margin."""
    one_answer = {
        "answers 200x3": lambda: data.scores(answers(200, 3, 21, 0.1)),
        "answers 1500x2": lambda: data.scores(answers(1500, 2, 22, 0.02)),
        "errors 60x4, lower is better": lambda: data.scores(answers(60, 4, 4), "lower"),
        "two alike 40x3": lambda: data.scores(answers(40, 2, 5)[:, [0, 1, 1]]),
        "far apart 80x2": lambda: data.scores(answers(80, 2, 23, 3.0)),
    }
    several = {
        "runs 120x2x5": lambda: _answers_of_runs(120, 2, 5, 24),
        "runs 120x2, unequal": lambda: _answers_of_runs(120, 2, 5, 30, unequal=True),
        "runs in clusters 160x3x2": lambda: _answers_of_runs(160, 3, 2, 25, 4),
        "clusters 240x2": lambda: _answers_of_runs(240, 2, 1, 26, 6),
    }
    forms: dict[str, dict[str, Any]] = {
        "equivalence": {"margin": 0.12},
        "two margins and a control": {
            "margin": (-0.08, 0.2),
            "control": "A2",
            "adjust": "hommel",
            "alpha": 0.1,
        },
        "non-inferiority": {
            "margin": 0.1,
            "control": "A1",
            "kind": "non-inferiority",
            "adjust": "bonferroni",
        },
    }
    largest = Wanted(8, "the largest p over the share of discordant cases is searched")
    p = dict.fromkeys(("p_lower", "p_upper", "p_value", "p_adjusted"), largest)
    return [
        check(
            f"matched shares, {title}, {kind}",
            "derivation in R",
            makers,
            partial(pc.matched_shares, **options | wider),
            **rules,
        )
        for kind, makers, rules, wider in (
            ("one answer", one_answer, p, {}),
            ("runs or clusters", several, {}, {"alpha": 0.1}),
        )
        for title, options in forms.items()
    ]


def gate_checks() -> list[Check]:
    """Return the checks of gates: all members, their limits and Holm's adjustment."""
    halves = {"slices": {"part": ["x", "y"] * 100}}
    pair: dict[str, Any] = {"baseline": "A1", "candidate": "A2"}
    runs: dict[str, Any] = {"margin": 0.15, "runs": "samples"}
    clustered = {"margin": 0.2, "small": "report", "range": (0, 1)}
    forms: dict[str, tuple[Any, dict[str, Any]]] = {
        "exact, slices": (
            lambda: data.scores(answers(200, 2, 31, 0.1)),
            {"margin": 0.1, **halves},
        ),
        "errors": (
            lambda: data.scores(answers(200, 2, 32, 0.3), "lower"),
            {"margin": 0.06, "budget": 3},
        ),
        "effective size": (lambda: _answers_of_runs(200, 2, 4, 33), runs | halves),
        "effective size, texts": (
            lambda: _answers_of_runs(200, 2, 2, 34, 4),
            runs | {"margin": 0.2},
        ),
        "these items": (
            lambda: _answers_of_runs(200, 2, 4, 35),
            runs | {"items_scope": "fixed"},
        ),
        "bounded, texts": (
            lambda: _answers_of_runs(240, 2, 1, 36, 4),
            clustered | {"decided_by": "bounded"},
        ),
        "t, texts": (
            lambda: _answers_of_runs(240, 2, 1, 37, 4),
            {"margin": 0.2, "decided_by": "t"},
        ),
    }
    largest = Wanted(8, "the largest p over the share of discordant cases is searched")
    names = ("p_not_worse", "p_worse", "p_not_worse_holm", "p_worse_holm")
    return [
        check(
            f"gate, {title}",
            "derivation in R",
            {title: make},
            partial(pc.gate, **pair, **options),
            **dict.fromkeys(names, largest),
        )
        for title, (make, options) in forms.items()
    ]


def share_pair_checks() -> list[Check]:
    """Return the checks of shares of right answers, all pairs."""
    tables = {
        "answers 12x3": lambda: data.scores(answers(12, 3, 1)),
        "answers 200x4": lambda: data.scores(answers(200, 4, 2, 0.2)),
        "answers 4000x3": lambda: data.scores(answers(4000, 3, 3, 0.05)),
        "errors 60x4, lower is better": lambda: data.scores(answers(60, 4, 4), "lower"),
        "two alike 40x3": lambda: data.scores(answers(40, 2, 5)[:, [0, 1, 1]]),
        "runs 80x3x4": lambda: _answers_of_runs(80, 3, 4, 27),
        "runs 80x3, unequal": lambda: _answers_of_runs(80, 3, 4, 29, unequal=True),
        "clusters 200x3": lambda: _answers_of_runs(200, 3, 1, 28, 5),
    }
    forms: dict[str, dict[str, Any]] = {
        "Holm": {},
        "a control, Hommel": {"control": "A2", "adjust": "hommel", "alpha": 0.1},
        "Bergmann-Hommel": {"adjust": "bergmann-hommel"},
    }
    largest = Wanted(8, "the largest p over the share of discordant cases is searched")
    return [
        check(
            f"share pairs, {title}",
            "derivation in R",
            tables,
            partial(pc.share_pairs, **options),
            p_value=largest,
            p_adjusted=largest,
        )
        for title, options in forms.items()
    ]


def crossed_pair_checks() -> list[Check]:
    """Return the checks of items under runs that all items share."""
    tables = {
        "answers 40x3x4": lambda: _answers_of_runs(40, 3, 4, 41),
        "answers 150x2x3": lambda: _answers_of_runs(150, 2, 3, 42),
        "two alike 30x3x5": lambda: _two_alike(_answers_of_runs(30, 3, 5, 43)),
        "grades 25x4x6": lambda: _grades_of_runs(25, 4, 6, 44),
    }
    forms: dict[str, dict[str, Any]] = {
        "Holm": {},
        "a control, Hommel": {"control": "A2", "adjust": "hommel", "alpha": 0.1},
        "Bergmann-Hommel": {"adjust": "bergmann-hommel"},
    }
    return [
        check(
            f"crossed pairs, {title}",
            "derivation in R",
            tables,
            partial(pc.crossed_pairs, **options),
        )
        for title, options in forms.items()
    ]


def item_checks() -> list[Check]:
    """Return the checks of new answers to these items, and of items like these."""
    several = {
        "answers 80x3x4": lambda: _answers_of_runs(80, 3, 4, 51),
        "answers 60x2, unequal": lambda: _two_at_least(
            _answers_of_runs(60, 2, 6, 52, unequal=True)
        ),
        "grades 40x4x3": lambda: _grades_of_runs(40, 4, 3, 53),
        "texts 120x3x2": lambda: _answers_of_runs(120, 3, 2, 54, 4),
    }
    alone = {
        "answers 90x3": lambda: data.scores(answers(90, 3, 55)),
        "texts 120x2": lambda: _answers_of_runs(120, 2, 1, 56, 3),
        "grades 30x3": lambda: data.scores(data.integers(30, 3, 57, 5) / 4),
    }
    forms: dict[str, dict[str, Any]] = {
        "Holm": {},
        "a control, Hommel": {"control": "A2", "adjust": "hommel", "alpha": 0.1},
        "Bergmann-Hommel": {"adjust": "bergmann-hommel"},
    }
    pairs = [
        check(
            f"these items, {title}",
            "derivation in R",
            several,
            partial(pc.these_items, **options),
        )
        for title, options in forms.items()
    ]
    means = check("means of items", "derivation in R", several | alone, pc.item_means)
    of_logit = dict.fromkeys(
        ("*", "intercept", "estimate", "std_error", "low", "high"),
        Wanted(5, "maximum by optim, and second derivatives by differences"),
    )
    logit = check(
        "mixed model of items",
        "derivation in R",
        {
            "answers 60x2x4": lambda: _of_hard_items(60, 2, 4, 58),
            "answers 80x3": lambda: data.scores(answers(80, 3, 59)),
            "answers 30x2x150": lambda: _of_hard_items(30, 2, 150, 61),
            "one item unlike all others, 60x2x20": lambda: _with_one_unlike(60, 20, 62),
        },
        pc.item_logit,
        **of_logit | {"log_likelihood": Wanted(9, "a maximum is flat")},
    )
    items = check(
        "table of items",
        "derivation in R",
        {
            "answers 80x3": lambda: data.scores(answers(80, 3, 59)),
            "answers 40x16, lower is better": lambda: data.scores(
                answers(40, 16, 60, 0.1), "lower"
            ),
        },
        pc.item_table,
        difficulty=of_logit["*"],
    )
    return [*pairs, means, logit, items]


def _of_hard_items(n: int, a: int, runs: int, seed: int) -> pc.Scores:
    """Return several answers to items whose difficulty all models share."""
    rng = np.random.default_rng(seed)
    level = rng.normal(size=(n, 1, 1)) + 0.6 * rng.normal(size=(n, a, 1))
    return _of_runs((level + rng.logistic(size=(n, a, runs)) > -0.3).astype(float))


def _with_one_unlike(n: int, runs: int, seed: int) -> pc.Scores:
    """Return answers of two models to items that are alike, but that one is hard."""
    rng = np.random.default_rng(seed)
    right = (rng.random((n, 2, runs)) < 0.9).astype(float)
    right[0], right[0, :, 0] = 0.0, 1.0
    return _of_runs(right)


def _of_runs(right: Floats) -> pc.Scores:
    """Return answers, items x models x runs."""
    n, a, runs = right.shape
    return pc.Scores(
        values=right.mean(axis=2)[:, :, None],
        blocks=tuple(f"i{i}" for i in range(n)),
        algorithms=tuple(f"A{j + 1}" for j in range(a)),
        metrics=(pc.Metric("right", "higher"),),
        runs=right[:, :, None],
        replicates=tuple(f"r{k}" for k in range(runs)),
    )


def _two_at_least(scores: pc.Scores) -> pc.Scores:
    """Return the items to which every algorithm has two answers or more."""
    assert scores.runs is not None
    counts = (~np.isnan(scores.runs)).sum(axis=-1)
    return scores.taken(np.flatnonzero(counts.min(axis=(1, 2)) > 1))


def _two_alike(scores: pc.Scores) -> pc.Scores:
    """Return the scores with the first algorithm in place of the last, too."""
    assert scores.runs is not None
    at = [*range(scores.n_algorithms - 1), 0]
    return dataclasses.replace(
        scores, values=scores.values[:, at], runs=scores.runs[:, at]
    )


def _grades_of_runs(n: int, a: int, r: int, seed: int) -> pc.Scores:
    """Return graded scores whose runs, shared by all items, differ for an algorithm."""
    rng = np.random.default_rng(seed)
    x = (rng.normal(size=(n, a, r)) + 0.5 * rng.normal(size=(1, a, r))) ** 2
    rows = [
        {"item": f"i{i}", "model": f"A{j + 1}", "prompt": f"p{k}", "error": value}
        for (i, j, k), value in np.ndenumerate(x)
    ]
    return pc.Scores.from_frame(
        rows, algorithm="model", block="item", replicate="prompt",
        metrics={"error": "lower"},
    )  # fmt: skip


def bounded_mean_checks() -> list[Check]:
    """Return the checks of means of bounded scores against a margin."""
    tables = {
        "grades 60x3": lambda: data.scores(data.integers(60, 3, 31, 5) / 4),
        "grades 200x2, lower is better": lambda: data.scores(
            data.integers(200, 2, 32, 3) / 2, "lower"
        ),
        "answers 90x3": lambda: data.scores(answers(90, 3, 33, 0.1)),
        "clusters 160x2": lambda: _answers_of_runs(160, 2, 1, 34, 4),
    }
    forms: dict[str, dict[str, Any]] = {
        "equivalence": {"margin": 0.3},
        "two margins and a control": {
            "margin": (-0.3, 0.4), "control": "A2", "adjust": "hommel", "alpha": 0.1,
        },
        "non-inferiority": {
            "margin": 0.25, "control": "A1", "kind": "non-inferiority",
        },
    }  # fmt: skip
    inverted = Wanted(9, "integral along a line, and the root of its logarithm")
    names = ("p_lower", "p_upper", "p_value", "p_adjusted", "conf_low", "conf_high")
    return [
        check(
            f"bounded means, {title}",
            "derivation in R",
            tables,
            partial(pc.bounded_means, range=(0, 1), **options),
            **dict.fromkeys(names, inverted),
        )
        for title, options in forms.items()
    ]


def _answers_of_runs(
    n: int,
    a: int,
    runs: int,
    seed: int,
    size: int | None = None,
    *,
    unequal: bool = False,
) -> pc.Scores:
    """Return right and wrong answers, several per item, items in clusters of a size.

    ``unequal``: about a third of the answers after the first are left out.
    """
    rng = np.random.default_rng(seed)
    level = np.round(rng.normal(size=(n, a)), 0)[:, :, None]
    right = (level + rng.normal(size=(n, a, runs)) > 0).astype(float)
    item, algorithm, run = (index.ravel() for index in np.indices(right.shape))
    frame = pd.DataFrame({
        "item": [f"i{i}" for i in item],
        "algorithm": [f"A{j + 1}" for j in algorithm],
        "right": right.ravel(),
    })  # fmt: skip
    roles: dict[str, Any] = {}
    if runs > 1:
        frame["run"] = run
        roles["replicate"] = "run"
    if size is not None:
        frame["text"] = [f"t{i // size}" for i in item]
        roles["cluster"] = "text"
    if unequal:
        frame = frame[(run == 0) | (rng.random(len(run)) > 1 / 3)]
    return pc.Scores.from_frame(
        frame, algorithm="algorithm", block="item", metrics={"right": "higher"}, **roles
    )


def share_checks() -> list[Check]:
    """Return the checks of Cochran's Q and of intervals of accuracies."""

    def by_formula() -> list[Case]:
        found = {name: pc.cochran_q(make()) for name, make in RIGHT.items()}
        return [
            Case(
                name,
                RCall(
                    ("cochran_q",),
                    "cochran_formula_reference",
                    {"x": test.blocks.r_arguments()["x"]},
                ),
                {"statistic": test.statistic, "p_value": test.p_value},
            )
            for name, test in found.items()
        ]

    intervals = [
        check(
            f"intervals of accuracies, {method}",
            Package("stats::prop.test, qbeta, binom.test"),
            RIGHT,
            partial(pc.accuracy_intervals, method=method, level=level),
        )
        for method, level in zip(
            get_args(AccuracyIntervalMethod), (0.95, 0.9, 0.99), strict=True
        )
    ]
    return [
        check("Cochran's Q", Package("stats::friedman.test"), RIGHT, pc.cochran_q),
        Check(
            "Cochran's Q, second witness",
            "formula in R",
            by_formula,
            {"*": CLOSED, "p_value": TAIL},
        ),
        *intervals,
    ]


def clustered(
    sizes: list[int], a: int, seed: int, *, graded: bool = False
) -> pc.Scores:
    """Return answers to items whose clusters share their difficulty, per algorithm."""
    rng = np.random.default_rng(seed)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    shared = rng.normal(size=(len(sizes), a))[owner]
    x = shared + rng.normal(size=(len(owner), a)) + 0.3 * np.arange(a)
    frame = pd.DataFrame(x if graded else x > 0, columns=[f"A{j}" for j in range(a)])
    frame = frame.astype(float).assign(text=[f"t{g}" for g in owner])
    return pc.Scores.from_wide(
        frame,
        metric="score",
        better="higher",
        cluster="text",
        algorithms=list(frame.columns[:-1]),
    )


CLUSTERED: Makers = {
    "12 clusters of 5, 4 algorithms": lambda: clustered([5] * 12, 4, 11),
    "graded, 8 unequal clusters, 3 algorithms": lambda: clustered(
        [2, 3, 4, 5, 6, 9, 12, 20], 3, 12, graded=True
    ),
    "40 clusters, 5 algorithms": lambda: clustered(list(range(1, 41)), 5, 13),
}


def cluster_checks() -> list[Check]:
    """Return the checks of pairs on clustered cases."""

    def by_package() -> list[Case]:
        made = []
        for name, make in CLUSTERED.items():
            scores = make()
            found = pc.cluster_pairs(scores, adjust="none")
            arguments = {"x": scores.column(), "cluster": list(scores.clusters or ())}
            call = RCall(
                ("ranks", "adjust", "cluster_pairs"),
                "cluster_pairs_clubsandwich",
                arguments,
            )
            numbers = ("estimate", "std_error", "statistic", "df", "p_value")
            made.append(Case(name, call, found.columns_in_r(*numbers)))
        return made

    few = {name: make for name, make in CLUSTERED.items() if "40" not in name}
    forms: dict[str, dict[str, Any]] = {
        "Bergmann-Hommel": {},
        "Holm, alpha 0.2": {"adjust": "holm", "alpha": 0.2},
        "a control, Holm": {"adjust": "holm", "control": "A1", "level": 0.8},
    }
    return [
        *(
            check(
                f"clustered pairs, {title}",
                "matrices of the definition in R; stats::p.adjust",
                CLUSTERED,
                partial(pc.cluster_pairs, **options),
            )
            for title, options in forms.items()
        ),
        Check(
            "clustered pairs, second witness",
            Package("clubSandwich::coef_test(vcov = CR2, test = Satterthwaite)"),
            by_package,
            {"*": CLOSED, "p_value": TAIL},
        ),
        check(
            "max-T of clusters, all flips",
            "derivation in R",
            few,
            partial(pc.max_t, flips=4096),
        ),
        check(
            "max-T of clusters, random flips",
            "derivation in R, the same flips by stats::runif",
            CLUSTERED,
            partial(pc.max_t, flips=99, seed=5),
        ),
    ]


def runs_in_clusters(sizes: list[int], a: int, r: int, seed: int) -> pc.Scores:
    """Return scores of runs with all components of variance."""
    rng = np.random.default_rng(seed)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    shared = rng.normal(size=(len(sizes), 1, 1)) + rng.normal(size=(len(sizes), a, 1))
    cells = rng.normal(size=(len(owner), 1, 1)) + rng.normal(size=(len(owner), a, 1))
    x = shared[owner] + cells + 0.5 * rng.normal(size=(len(owner), a, r))
    rows = [
        {
            "t": f"t{owner[i]}",
            "i": f"i{i}",
            "a": f"A{j}",
            "r": k,
            "y": float(x[i, j, k]),
        }
        for i, j, k in np.ndindex(*x.shape)
    ]
    return pc.Scores.from_frame(
        rows,
        algorithm="a",
        block="i",
        cluster="t",
        replicate="r",
        metrics={"y": "higher"},
    )


def clustered_run_checks() -> list[Check]:
    """Return the checks of runs on cases in clusters."""
    equal: Makers = {
        "12 clusters of 4, 3 algorithms, 3 runs": lambda: runs_in_clusters(
            [4] * 12, 3, 3, 21
        ),
        "30 clusters of 3, 2 algorithms, 2 runs": lambda: runs_in_clusters(
            [3] * 30, 2, 2, 22
        ),
    }
    every: Makers = {
        **equal,
        "6 clusters of 1 to 9, 4 algorithms, 2 runs": lambda: runs_in_clusters(
            [1, 2, 9, 5, 1, 4], 4, 2, 23
        ),
        "2 clusters, 2 algorithms, 5 runs": lambda: runs_in_clusters([3, 8], 2, 5, 24),
    }

    def witness(makers: Makers, name: str) -> Iterator[Case]:
        for title, make in makers.items():
            found = pc.clustered_runs(make())
            call = found.r_call()
            assert call is not None
            again = RCall(call.files, name, call.arguments)
            if name.endswith("lme4"):
                ours = {"components": found.components["unfloored"].to_numpy()}
                assert ours["components"].min() > 0, "another case is wanted"
            else:
                rows = found.table[found.table["term"] != "algorithm"]
                ours = {c: rows[c].to_numpy(float) for c in ("df", "sum_sq")}
            yield Case(title, again, ours)

    return [
        check(
            "components of variance of clusters, cases and runs",
            "expected mean squares, means by ave()",
            every,
            pc.clustered_runs,
        ),
        Check(
            "strata of clusters, cases and runs, second witness",
            Package("aov(Error())"),
            partial(witness, every, "clustered_runs_aov"),
            {"*": Wanted(11, "aov() projects on strata by QR, a digit or so is lost")},
        ),
        Check(
            "components of variance of clusters, second witness: lme4",
            Package("lme4::lmer by REML"),
            partial(witness, equal, "clustered_runs_lme4"),
            {"*": Wanted(5, "the search of lmer ends after about 5 digits")},
        ),
    ]


def benchmarks(
    sizes: list[int], seed: int, *, graded: bool = False, clusters: bool = False
) -> pc.Scores:
    """Return scores on several benchmarks, perhaps in clusters of 3 and fewer."""
    rng = np.random.default_rng(seed)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    x = rng.normal(size=(len(owner), 4)) * (1 + owner[:, None]) + 0.3 * np.arange(4)
    frame = pd.DataFrame(x if graded else x > 0, columns=[f"A{j}" for j in range(4)])
    names = list(frame)
    place = np.concatenate([np.arange(n) for n in sizes])
    frame = frame.astype(float).assign(
        task=[f"b{k}" for k in owner],
        text=[f"t{k}-{i // 3}" for k, i in zip(owner, place, strict=True)],
    )
    roles: Any = {"cluster": "text"} if clusters else {}
    return pc.Scores.from_wide(
        frame,
        metric="score",
        better="higher",
        group="task",
        algorithms=names,
        **roles,
    )


WEIGHTED: Makers = {
    "right or wrong, 8 + 30 items": lambda: benchmarks([8, 30], 21),
    "graded, 5 + 9 items": lambda: benchmarks([5, 9], 22, graded=True),
    "clusters, 13 + 20 items": lambda: benchmarks([13, 20], 23, clusters=True),
}
WEIGHTS = {"b0": 3.0, "b1": 1.0}


def weight_checks() -> list[Check]:
    """Return the checks of means weighted over benchmarks."""
    few = {name: make for name, make in WEIGHTED.items() if "30" not in name}
    forms: dict[str, dict[str, Any]] = {
        "Holm": {},
        "a control, Hommel": {
            "adjust": "hommel",
            "control": "A1",
            "level": 0.8,
        },
        "Bergmann-Hommel": {"adjust": "bergmann-hommel"},
        "Holm, alpha 0.2": {"adjust": "holm", "alpha": 0.2},
    }
    by = partial(partial, weights=WEIGHTS)
    return [
        *(
            check(
                f"weighted pairs, {title}",
                "derivation in R; stats::p.adjust",
                WEIGHTED,
                by(pc.weighted_pairs, **options),
            )
            for title, options in forms.items()
        ),
        check("weighted means", "derivation in R", WEIGHTED, by(pc.weighted_means)),
        check("means of groups", "rowsum", WEIGHTED, group_means),
        _weighted_welch(),
        _weighted_clubsandwich(),
        check(
            "weighted max-T, all flips",
            "derivation in R",
            few,
            by(pc.max_t, flips=2**14),
        ),
        check(
            "weighted max-T, random flips",
            "derivation in R, the same flips by stats::runif",
            WEIGHTED,
            by(pc.max_t, flips=99, seed=5),
        ),
    ]


_WEIGHTED_FILES = ("ranks", "adjust", "cluster_pairs", "weighted_pairs")


def _weighted_welch() -> Check:
    """Return the check against Welch's test of two benchmarks."""

    def cases() -> list[Case]:
        made = []
        for name, make in WEIGHTED.items():
            if "clusters" in name:
                continue
            found = pc.weighted_pairs(make(), weights=WEIGHTS, adjust="none")
            given = found.blocks.r_arguments()
            arguments = {key: given[key] for key in ("x", "stratum", "weights")}
            call = RCall(_WEIGHTED_FILES, "weighted_pairs_welch", arguments)
            numbers = ("estimate", "std_error", "statistic", "df", "p_value")
            made.append(Case(name, call, found.columns_in_r(*numbers)))
        return made

    return Check(
        "weighted pairs, second witness",
        Package("stats::t.test(w1 * d1, -w2 * d2)"),
        cases,
        {"*": CLOSED, "p_value": TAIL},
    )


def _weighted_clubsandwich() -> Check:
    """Return the check of standard errors against a linear model's contrast."""

    def cases() -> list[Case]:
        scores = benchmarks([9, 20, 31], 24, clusters=True)
        weights = {"b0": 0.5, "b1": 0.2, "b2": 0.3}
        found = pc.weighted_pairs(scores, weights=weights, adjust="none")
        arguments = {
            "x": scores.column(),
            "cluster": list(scores.clusters or ()),
            "stratum": [int(name[1:]) + 1.0 for name in scores.groups or ()],
            "weights": list(weights.values()),
        }
        call = RCall(_WEIGHTED_FILES, "weighted_pairs_clubsandwich", arguments)
        numbers = ("estimate", "std_error")
        ours = found.columns_in_r(*numbers)
        return [Case("three benchmarks of clusters", call, ours)]

    return Check(
        "weighted pairs, standard errors of clusters",
        Package("clubSandwich::vcovCR(lm(d ~ 0 + benchmark), type = CR2)"),
        cases,
        {"*": CLOSED},
    )


def judged(
    items: int,
    labelled: int,
    a: int,
    seed: int,
    *,
    strata: int = 0,
    graded: bool = False,
    better: Any = "higher",
) -> pc.Scores:
    """Return labels of some items beside a judge that is right four times of five."""
    rng = np.random.default_rng(seed)
    y = answers(items, a, seed)
    judge = np.where(rng.random((items, a)) < 0.8, y, 1 - y)
    if graded:
        y, judge = (np.rint(2 + x + rng.normal(size=x.shape)) for x in (y, judge))
    of = rng.integers(0, strata or 1, items)
    kept = np.zeros(items, bool)
    for k in range(strata or 1):
        own = np.flatnonzero(of == k)
        kept[rng.choice(own, labelled // (strata or 1), replace=False)] = True
    return pc.Scores(
        values=np.where(kept[:, None], y, np.nan)[:, :, None],
        blocks=tuple(f"q{i}" for i in range(items)),
        algorithms=tuple(f"A{j}" for j in range(a)),
        metrics=(pc.Metric("human", better),),
        judge=judge,
        strata=tuple(f"s{k}" for k in of.tolist()) if strata else None,
    )


JUDGED: Makers = {
    "right or wrong, 20 of 300": lambda: judged(300, 20, 4, 31),
    "graded, 40 of 200": lambda: judged(200, 40, 3, 32, graded=True),
    "two algorithms, lower is better": lambda: judged(90, 30, 2, 33, better="lower"),
    "one algorithm": lambda: judged(150, 25, 1, 34),
}
JUDGED_IN_STRATA: Makers = {
    "right or wrong, three strata": lambda: judged(300, 45, 4, 35, strata=3),
    "graded, two strata": lambda: judged(120, 30, 3, 36, strata=2, graded=True),
    "one algorithm, two strata": lambda: judged(120, 30, 1, 37, strata=2),
}


def judge_label_checks() -> list[Check]:
    """Return the checks of people's labels beside a judge."""
    several = {name: make for name, make in JUDGED.items() if "one" not in name}
    forms: dict[str, dict[str, Any]] = {
        "max-T": {},
        "Holm, alpha 0.2": {"adjust": "holm", "alpha": 0.2},
        "Bergmann-Hommel": {"adjust": "bergmann-hommel"},
    }
    derived = "derivation in R: lm within items"
    return [
        *(
            check(
                f"labels of people and a judge, {title}",
                derived,
                JUDGED,
                partial(pc.labels, chosen="random", **options),
            )
            for title, options in forms.items()
        ),
        check(
            "labels of people and a judge, a control",
            derived,
            several,
            partial(pc.labels, chosen="random", adjust="holm", control="A1"),
        ),
        check(
            "labels of people and a judge, strata",
            derived,
            JUDGED_IN_STRATA,
            partial(pc.labels, chosen="strata", adjust="holm"),
        ),
        Check(
            "labels of people and a judge, second witness",
            Package("stats::lm(y ~ item + model + f)"),
            lambda: list(map(_judged_lm, several)),
            {"*": CLOSED},
        ),
    ]


def _judged_lm(name: str) -> Case:
    """Return the slope and the means beside those of lm with a column for each item."""
    found = pc.labels(JUDGED[name](), chosen="random", adjust="holm")
    given = found.r_call().arguments
    arguments = {key: given[key] for key in ("y", "judge")}
    call = RCall(("ranks", "adjust", "judge_labels"), "judge_labels_lm", arguments)
    k = found.scores.n_algorithms
    means = found.means["estimate"].to_numpy()[:k]
    return Case(name, call, {"slope": found.slope, "means": means})


def rank_set_checks() -> list[Check]:
    """Return the checks of confidence sets and predictions of ranks."""
    makers: Makers = {
        "garcia-herrera 30x5": pc.example,
        "normal 12x6": lambda: data.scores(data.normal(12, 6, 90, 0.6), "lower"),
        "normal 20x12": lambda: data.scores(data.normal(20, 12, 91, 0.4)),
        "no difference 15x4": lambda: data.scores(data.normal(15, 4, 92, 0.0)),
        "answers 300x7": lambda: data.scores(answers(300, 7, 93, 0.2)),
    }

    def sets(scores: pc.Scores) -> Any:
        return pc.rank_sets(pc.max_t(scores, flips=999), alpha=0.1)

    predict = partial(pc.rank_prediction, level=0.9)
    return [
        check("confidence sets of ranks", "all orders listed in R", makers, sets),
        check("prediction of ranks", "every rank tried in R", makers, predict),
    ]
