"""Checks of wins over data sets and thresholds, and of their sign tests."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.designs.threshold_sweep import ThresholdsAnalysis
from pycompare.methods.over_datasets.threshold_wins import ThresholdWinsResult
from pycompare.results.result import Result

from ..agreement import Case, Check, Package, Wanted
from ..cases import Floats

EXACT = Wanted(15, "whole numbers")
BINOMIAL = Wanted(12, "closed form")
ROOT = Wanted(12, "R's qbeta")
LEAST_SQUARES = Wanted(10, "the tail of a statistic that lm() or cov() make")
PTUKEY = Wanted(6, "R's ptukey has absolute accuracy only", floor=1e-3)
FOLDS = 10


def folds(
    seed: int, a: int, metrics: dict[str, Any], n_datasets: int, make: Any
) -> pc.Scores:
    """Make scores of folds within data sets."""
    rng = np.random.default_rng(seed)
    tables = [make(rng, FOLDS + i % 2, a, len(metrics)) for i in range(n_datasets)]
    cells = [(i, j) for i, t in enumerate(tables) for j in range(len(t))]
    return pc.Scores(
        np.concatenate(tables),
        tuple(f"d{i}/f{j}" for i, j in cells),
        tuple(f"A{j}" for j in range(a)),
        tuple(pc.Metric(name, better) for name, better in metrics.items()),
        tuple(f"d{i}" for i, _ in cells),
    )


def normal(rng: np.random.Generator, b: int, a: int, p: int) -> Floats:
    """Return correlated scores with effects of folds and algorithms."""
    mixed = rng.normal(size=(b, a, p)) @ rng.normal(size=(p, p))
    return mixed + rng.normal(size=(b, 1, p)) + 0.8 * rng.normal(size=(1, a, p))


def counts(thresholds: tuple[float, ...]) -> Callable[..., Floats]:
    """Return a maker of tp, fp, fn, tn at thresholds; rank 2, at 0 and 1 rank 0."""

    def make(rng: np.random.Generator, b: int, a: int, _: int) -> Floats:
        quality = 0.2 * rng.random(a)[None, :, None]
        positive = rng.normal(0.6, 0.4, size=(b, a, 40)) + quality
        negative = rng.normal(0.4, 0.4, size=(b, a, 60)) - quality
        columns = []
        for t in thresholds:
            tp = (np.clip(positive, 0, 0.999) >= t).sum(axis=2)
            fp = (np.clip(negative, 0, 0.999) >= t).sum(axis=2)
            columns += [tp, fp, 40 - tp, 60 - fp]
        return np.stack(columns, axis=-1).astype(float)

    return make


COUNTS: dict[str, Any] = {"tp": "higher", "fp": "lower", "fn": "lower", "tn": "higher"}


def of_thresholds(seed: int, a: int, n_datasets: int) -> pc.Scores:
    """Make confusion counts at eleven thresholds."""
    thresholds = tuple(i / 10 for i in range(11))
    names = {f"{m}@{t:g}": d for t in thresholds for m, d in COUNTS.items()}
    return folds(seed, a, names, n_datasets, counts(thresholds))


def cases_of(makers: dict[str, Callable[[], Result]]) -> Iterator[Case]:
    """Make one case per result."""
    for name, make in makers.items():
        result = make()
        call = result.r_call()
        assert call is not None, f"{name} has no R call"
        yield Case(name, call, result.r_values())


def table(seed: int, a: int, n: int) -> Floats:
    """Return a table of wins over n data sets."""
    rng = np.random.default_rng(seed)
    won = np.triu(rng.binomial(n, rng.random((a, a))), 1)
    lost = np.triu(rng.binomial(n - won, rng.random((a, a))), 1)
    return (won + lost.T).astype(float)


def grids() -> dict[str, Callable[[], Result]]:
    """Return sign tests of tables of wins, in every form."""
    made: dict[str, Callable[[], Result]] = {}
    for a, n in ((2, 7), (5, 15), (6, 400)):
        for form in ("two-sided", "greater"):
            for ties in ("split", "drop"):
                for adjust in ("bonferroni", "holm", "BH"):
                    made[f"{a} algorithms, {n} data sets, {form}, {ties}, {adjust}"] = (
                        partial(
                            pc.sign_grid,
                            table(a, a, n),
                            n,
                            alternative=form,
                            ties=ties,
                            adjust=adjust,
                        )
                    )
    made["no tie counts"] = partial(
        pc.sign_grid, [[0, 0, 5], [0, 0, 5], [0, 0, 0]], 5, ties="drop"
    )
    made["Hommel"] = partial(pc.sign_grid, table(7, 5, 30), 30, adjust="hommel")
    for adjust in ("bonferroni", "holm"):
        made[f"against a control, {adjust}"] = partial(
            pc.sign_grid, table(8, 5, 20), 20, control="3", adjust=adjust
        )
    return made


def one_metric(better: str, **options: Any) -> dict[str, Callable[[], Result]]:
    """Return wins in one metric."""
    return {
        f"{n} data sets x {a}": partial(
            pc.wins, folds(n, a, {"score": better}, n, normal), **options
        )
        for n, a in ((4, 3), (6, 5), (5, 2))
    }


def several_metrics(**options: Any) -> dict[str, Callable[[], Result]]:
    """Return wins in several metrics."""
    two: dict[str, Any] = {"x": "lower", "y": "higher"}
    return {
        "two metrics": partial(
            pc.wins,
            folds(7, 4, two, 5, normal),
            metrics=["x", "y"],
            costs={"x": 1.0, "y": -0.5},
            **options,
        ),
        "TP FP FN TN, rank 2": partial(
            pc.wins,
            folds(8, 4, COUNTS, 5, counts((0.5,))),
            metrics=list(COUNTS),
            cost_ratio=2.0,
            **options,
        ),
        "tested TP and FP, decided by FP and FN": partial(
            pc.wins,
            folds(9, 3, COUNTS, 4, counts((0.4,))),
            metrics=["tp", "fp"],
            loss=[[0, 1], [3, 0]],
            **options,
        ),
    }


def without_variation(n: int) -> Result:
    """Return wins of data sets in which differences are the same in all folds."""

    def make(rng: np.random.Generator, b: int, a: int, p: int) -> Floats:
        means = rng.integers(3, size=(1, a, p)) / 4
        return np.asarray(rng.integers(9, size=(b, 1, p)) + means)

    scores = folds(n, 4, {"score": "lower"}, n, make)
    return pc.wins(scores, method="paired-t", adjust="holm")


def thresholds(**options: Any) -> dict[str, Callable[[], Result]]:
    """Return wins over thresholds."""
    return {
        f"{n} data sets x {a} x 11 thresholds": partial(
            pc.threshold_wins, of_thresholds(n, a, n), **options
        )
        for n, a in ((3, 3), (4, 4))
    }


def planned(data: pc.Predictions, **plan: Any) -> ThresholdWinsResult:
    """Return the wins over thresholds of predictions under a plan."""
    [analysis] = pc.compare(data, pc.Plan(**plan)).analyses
    assert isinstance(analysis, ThresholdsAnalysis)
    return analysis.won


def one_data_set() -> pc.Predictions:
    """Return the predictions on one data set of the example."""
    every = pc.example("predictions")
    rows = [i for i, name in enumerate(every.datasets or ()) if name == "g2"]
    groups = every.n_algorithms * np.array([rows[0], rows[-1] + 1])
    first, last = every.offsets[groups]
    return dataclasses.replace(
        every,
        score=every.score[first:last],
        is_positive=every.is_positive[first:last],
        case=None,
        cases=(),
        offsets=every.offsets[groups[0] : groups[1] + 1] - first,
        blocks=tuple(every.blocks[i] for i in rows),
        datasets=tuple("g2" for _ in rows),
    )


def predicted() -> dict[str, Callable[[], Result]]:
    """Return wins over thresholds of predictions under plans."""
    several, rates = pc.example("predictions"), ("precision", "recall")
    options: dict[str, Any] = {"metrics": rates, "undefined": 1}
    return {
        "8 data sets, 5 thresholds": partial(
            planned, several, metrics=tuple(COUNTS), thresholds=5
        ),
        "8 data sets, precision and recall at loss ratios": partial(
            planned,
            several,
            loss_ratios=(0.5, 1, 2),
            threshold_rule="any",
            gate="omnibus",
            **options,
        ),
        "one data set": partial(planned, one_data_set(), thresholds=5, **options),
    }


def wins_checks() -> list[Check]:
    """Return the checks of wins and their sign tests."""
    whole = {"wins": EXACT, "totals": EXACT, "grid": EXACT, "*": LEAST_SQUARES}

    def check(
        title: str,
        r: str,
        makers: dict[str, Callable[[], Result]],
        wanted: dict[str, Wanted],
    ) -> Check:
        return Check(title, r, partial(cases_of, makers), wanted)

    limits = {"conf_low": ROOT, "conf_high": ROOT}
    return [
        check(
            "sign tests over data sets",
            Package("binom.test, p.adjust"),
            grids(),
            {"*": BINOMIAL, "n_used": EXACT, "statistic": EXACT, **limits},
        ),
        check(
            "wins by Tukey",
            "anova(lm()), ptukey",
            one_metric("lower"),
            whole | {"p_pairs": PTUKEY, "p_adjusted": PTUKEY},
        ),
        check(
            "wins by t tests with the model's error",
            "anova(lm()), pt, p.adjust",
            one_metric("higher", method="pairwise-t", adjust="holm"),
            whole,
        ),
        check(
            "wins by paired t tests",
            "lm() + eigen, mahalanobis, p.adjust",
            one_metric("higher", method="paired-t"),
            whole,
        ),
        check(
            "wins by paired t tests, differences that do not vary",
            "arrangements counted",
            {f"{n} data sets": partial(without_variation, n) for n in (4, 7)},
            whole,
        ),
        check(
            "wins by Hotelling's T2 and risk",
            "lm() + eigen, mahalanobis, p.adjust",
            several_metrics()
            | {"no omnibus test": several_metrics(omnibus=False)["two metrics"]},
            whole,
        ),
        check(
            "wins by two-sample T2 and risk",
            "lm() + eigen, mahalanobis, p.adjust",
            several_metrics(method="two-sample"),
            whole,
        ),
        check(
            "wins over thresholds, right-tailed sign test",
            "lm() + eigen, mahalanobis, binom.test",
            thresholds(),
            whole,
        ),
        check(
            "wins over thresholds, sign tests adjusted",
            "lm() + eigen, mahalanobis, binom.test, p.adjust",
            thresholds(method="two-sample", adjust="holm", threshold_adjust="holm"),
            whole,
        ),
        check(
            "wins at any threshold",
            "lm() + eigen, mahalanobis",
            thresholds(rule="any"),
            whole,
        ),
        check(
            "wins over thresholds of predictions under a plan",
            "lm() + eigen, mahalanobis, binom.test",
            predicted(),
            whole,
        ),
    ]
