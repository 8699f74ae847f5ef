"""Checks of one family over metrics and groups, and of the tables it is made of."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import numpy as np

import pycompare as pc
from pycompare.apps.comparison import Comparison
from pycompare.base.interop.r_call import RCall

from ..agreement import Case, Check, Wanted
from ..making import CLOSED, TAIL
from .wins import folds, normal

METRICS = {"error": "lower", "auc": "higher"}
ANY = ("holm", "bonferroni", "hommel", "BH", "BY", "sidak", "holland", "finner")
PTUKEY = Wanted(6, "R's ptukey and qtukey have absolute accuracy only", floor=1e-3)


def grouped(seed: int, a: int, n_datasets: int, n_groups: int) -> pc.Scores:
    """Make scores of folds within data sets, dealt to groups."""
    scores = folds(seed, a, METRICS, n_datasets, normal)
    owner = {f"d{i}": f"g{i % n_groups}" for i in range(n_datasets)}
    groups = tuple(owner[name] for name in scores.datasets or ())
    return dataclasses.replace(scores, groups=groups)


def plan(**options: object) -> pc.Plan:
    """Make a plan of one family, with every adjustment that fits any."""
    return pc.Plan(family="all", adjust=ANY, **options)  # type: ignore[arg-type]


def tied() -> pc.Scores:
    """Make data sets of which one group has equal scores only."""
    scores = pc.dataset_means(grouped(4, 3, 12, 2))
    values = np.array(scores.values)
    values[np.array(scores.groups) == "g1"] = 1.0
    return dataclasses.replace(scores, values=values)


MAKERS: dict[str, Callable[[], Comparison]] = {
    "ranks, 3 groups": lambda: pc.compare(
        pc.dataset_means(grouped(1, 4, 15, 3)), plan(groups="each-and-all")
    ),
    "a group that cannot be tested": lambda: pc.compare(tied(), plan()),
    "data sets with folds, 2 groups": lambda: pc.compare(
        grouped(2, 4, 8, 2), plan(compares="means")
    ),
    "a control, omnibus test first": lambda: pc.compare(
        grouped(3, 5, 9, 3), plan(compares="means", control="A1", gate="omnibus")
    ),
    "two algorithms over data sets": lambda: pc.compare(
        pc.dataset_means(grouped(7, 2, 14, 2)), plan(groups="each-and-all")
    ),
    "two algorithms, folds": lambda: pc.compare(grouped(5, 2, 12, 2), plan()),
    "folds of one data set, corrected": lambda: pc.compare(
        folds(6, 4, METRICS, 1, normal), plan(n_train=90, n_test=10)
    ),
}


def families() -> Iterator[Case]:
    """Make one case per family of a comparison."""
    return (
        Case(f"{name}: {family.method}", family.r_call(), family.r_values())
        for name, make in MAKERS.items()
        for family in make().families
    )


def tables() -> Iterator[Case]:
    """Make one case per table of pairs whose p-values are adjusted elsewhere."""
    return (
        Case(f"{name}, table {place}: {pairs.adjust}", call, pairs.r_values())
        for name, make in MAKERS.items()
        for place, part in enumerate(make().parts)
        for analysis in part.analyses
        for found in analysis.compared.values()
        for pairs in found[:1]
        if (call := pairs.r_call()) is not None
    )


def graphs() -> Iterator[Case]:
    """Make one case per graph of hypotheses."""
    for m, seed in ((2, 1), (4, 2), (6, 3), (8, 4)):
        rng = np.random.default_rng(seed)
        g = rng.dirichlet(np.full(m, 0.5), size=m) * rng.uniform(0.4, 1, size=(m, 1))
        np.fill_diagonal(g, 0)
        w, p = rng.dirichlet(np.ones(m)), rng.uniform(size=m) ** 3
        arguments = {"p": p, "weights": w, "transitions": g.ravel("F")}
        call = RCall(("adjust_graph",), "adjust_graph_reference", arguments)
        found = pc.adjust_graph(p, weights=w, transitions=g)
        yield Case(f"{m} hypotheses", call, {"p_adjusted": found})


def steps() -> Iterator[Case]:
    """Make one case per family whose steps are listed."""
    scores = pc.example()
    made = {
        "mean ranks": pc.rank_pairs(scores),
        "a control": pc.rank_pairs(scores, control="CN2", adjust="holm"),
        "Tukey": pc.tukey(scores),
        "signed ranks": pc.signed_rank_pairs(scores),
    }
    for name, pairs in made.items():
        found = pc.step_levels(pairs, alpha=0.1)
        yield Case(name, found.r_call(), found.r_values())


def family_checks() -> list[Check]:
    """Return the checks of families over several tables."""
    return [
        Check(
            "one family over metrics and groups",
            "stats::p.adjust; derivation in R",
            families,
            {"*": CLOSED},
        ),
        Check(
            "tables of one family",
            "pnorm, pt, lm(), binom.test",
            tables,
            {
                "*": Wanted(9, "the tail of a statistic that lm() makes"),
                "p_value": TAIL,
                "conf_low": PTUKEY,
                "conf_high": PTUKEY,
            },
        ),
        Check(
            "graph of hypotheses",
            "closed tests of all intersections (own derivation)",
            graphs,
            {"*": CLOSED},
        ),
        Check(
            "levels of steps of a family",
            "qt; recursion of Shaffer's counts (own derivation)",
            steps,
            {"*": CLOSED},
        ),
    ]
