"""Methods of the study that call the public functions, one run after another.

They are slow, and few: tables with missing cells, mean vectors of two samples, areas
compared by resampled cases, differences of one size.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pycompare as pc
from pycompare.results.result import PairsResult, Test

from .methods import ALPHA, FEWEST, PERMUTED, Method, Signs, plain
from .tables import family
from .truths import EXCHANGEABLE, MEAN, MEAN_RANK, PARTIAL_AUC, PR_AREA, VECTOR

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

RESAMPLES = 400
"""Of the cases, for each comparison of areas."""
PERMUTATIONS = 199
LEAST_FPR, MOST_FPR = 0.0, 0.3


def scores(x: Floats) -> pc.Scores:
    """Return scores (b, a) or (b, a, p), higher better; NaN is a missing cell."""
    x = x.reshape(*x.shape[:2], -1)
    b, a, p = x.shape
    return pc.Scores(
        values=x,
        blocks=tuple(f"b{i}" for i in range(b)),
        algorithms=tuple(f"A{j + 1}" for j in range(a)),
        metrics=tuple(pc.Metric(f"m{k + 1}", "higher") for k in range(p)),
        missing="model" if np.isnan(x).any() else "error",
    )


def decisions(found: PairsResult, a: int, control: bool, lower: bool) -> Signs:
    """Return the signs of a result's pairs, in the order of a family."""
    square = np.zeros((a, a), np.int8)
    table = found.table[found.table["p_adjusted"] <= ALPHA]
    first, second = (
        [int(name[1:]) - 1 for name in table[column]]
        for column in ("algorithm_1", "algorithm_2")
    )
    sign = np.sign(table["estimate"].to_numpy()) * (-1 if lower else 1)
    square[first, second], square[second, first] = sign, -sign
    return square[family(a, control)]


def incomplete(adjust: str, control: bool, data: Floats) -> Signs:
    """Decide by mean ranks of tables with missing cells (runs, n, a)."""
    a = data.shape[2]
    made = (
        pc.rank_pairs(
            scores(x),
            method="skillings-mack",
            adjust=adjust,
            control=f"A{a}" if control else None,
        )
        for x in data
    )
    return np.stack([decisions(found, a, control, True) for found in made])


def of_one_size(data: Floats) -> Signs:
    """Decide where the model leaves no residual, by changes of sign."""
    made = (pc.pairwise_t(scores(x), adjust="holm") for x in data)
    return np.stack(
        [
            decisions(found, data.shape[2], False, False)
            * (found.basis == "means/sign-changes")
            for found in made
        ]
    )


def vectors(sample: Any, adjust: str, data: Floats) -> Signs:
    """Decide by T2 of mean vectors (runs, n, a, p) of algorithms as samples."""
    made = (pc.hotelling_pairs(scores(x), method=sample, adjust=adjust) for x in data)
    return np.stack([found.rejected(ALPHA).to_numpy() for found in made]).astype(
        np.int8
    )


def areas(compare: Callable[..., PairsResult], data: tuple[Floats, Bools]) -> Signs:
    """Decide by areas of scores (runs, a, n) of the same cases, Holm."""
    score, truth = data
    made = []
    for seed, x in enumerate(score):
        columns = {f"A{j + 1}": row for j, row in enumerate(x)}
        found = compare(
            truth, columns, positive=True, adjust="holm", resamples=RESAMPLES, seed=seed
        )
        made.append(decisions(found, len(x), False, False))
    return np.stack(made)


def skillings_mack(data: Floats) -> Signs:
    """Test that all algorithms are alike in tables with missing cells."""
    return tested(pc.skillings_mack(scores(x)) for x in data)


def permuted_vectors(data: Floats) -> Signs:
    """Test that mean vectors (runs, n, a, p) are alike by permutations in blocks."""
    return tested(
        pc.permutation_manova(scores(x), permutations=PERMUTATIONS, seed=seed)
        for seed, x in enumerate(data)
    )


def of_all_runs(data: Floats) -> Signs:
    """Test that algorithms are alike by the ranks of all runs (runs, n, a, k)."""
    return tested(pc.mack_skillings(with_runs(x)) for x in data)


def with_runs(x: Floats) -> pc.Scores:
    """Return scores (b, a, k) of k runs of each algorithm on each block."""
    plain = scores(x.mean(axis=2))
    return dataclasses.replace(
        plain,
        runs=x[:, :, None, :],
        replicates=tuple(f"r{k}" for k in range(x.shape[2])),
    )


def tested(results: Iterable[Test]) -> Signs:
    """Return which tests reject."""
    return np.array([[found.rejected(ALPHA)] for found in results], np.int8)


def method(
    key: str,
    title: str,
    hypothesis: str,
    decide: Callable[..., Signs],
    share: float = PERMUTED,
) -> Method:
    """Return a method with fewer runs."""
    return plain(key, title, decide, hypothesis, share)


INCOMPLETE = (
    method(
        "skillings-mack/normal/bergmann-hommel",
        "z of mean ranks with missing cells, Bergmann-Hommel",
        MEAN_RANK,
        partial(incomplete, "bergmann-hommel", False),
    ),
    method(
        "skillings-mack/normal/holm/control",
        "z of mean ranks with missing cells, Holm",
        MEAN_RANK,
        partial(incomplete, "holm", True),
    ),
    method("omnibus/skillings-mack", "Skillings-Mack", EXCHANGEABLE, skillings_mack),
)
ONE_SIZE = tuple(
    method(
        f"{where}/sign-changes/holm",
        f"changes of sign of {words}, Holm",
        MEAN,
        of_one_size,
        FEWEST,
    )
    for where, words in (
        ("means", "blocks"),
        ("folds", "folds"),
        ("model", "folds of these data sets"),
    )
)
VECTORS_PERMUTED = method(
    "omnibus/permutation-manova",
    "permutation MANOVA, Wilks",
    EXCHANGEABLE,
    permuted_vectors,
)
ALL_RUNS = method("omnibus/mack-skillings", "Mack-Skillings", EXCHANGEABLE, of_all_runs)
SAMPLES = tuple(
    method(
        f"mean-vectors/{sample}-T2/{adjust}",
        f"{words}, {title}",
        VECTOR,
        partial(vectors, sample, adjust),
    )
    for sample, words in (
        ("two-sample", "T2 of two samples"),
        ("two-sample-unequal", "T2 of two samples, unequal covariances"),
        ("contrast", "T2 of contrasts of the model"),
    )
    for adjust, title in (("bergmann-hommel", "Bergmann-Hommel"),)
)
AREAS = (
    method(
        "partial-auc/bootstrap/holm",
        f"partial AUC up to a false positive rate of {MOST_FPR:g}, Holm",
        PARTIAL_AUC,
        partial(areas, partial(pc.partial_auc_pairs, low=LEAST_FPR, high=MOST_FPR)),
        FEWEST,
    ),
    method(
        "auc-pr/bootstrap/holm",
        "area under the precision-recall curve, Holm",
        PR_AREA,
        partial(areas, pc.auc_pr_pairs),
        FEWEST,
    ),
)
