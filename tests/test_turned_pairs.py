"""A square of pairs below the diagonal is what the pairs turned round give.

Each public comparison of pairs is made of the algorithms in the other order as well.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.results.result import Pairs
from tests.conftest import wide
from tests.methods.over_datasets.many_folds import folds_of
from tests.runs import runs_of, simulated

RNG = np.random.default_rng(5)
NORMAL = wide(RNG.normal(size=(14, 4)) + 0.5 * np.arange(4))
FAMILIES = dataclasses.replace(NORMAL, clusters=tuple("aabbbcddefghhi"))
RUNS = runs_of(simulated(b=8))
RIGHT = wide((RNG.normal(size=(80, 1)) + RNG.normal(size=(80, 4)) > 0).astype(float))
CLUSTERED = dataclasses.replace(RIGHT, clusters=tuple(f"c{i // 4}" for i in range(80)))
FOLDS = folds_of((6,) * 7, 3, effect=0.7)
VECTORS = folds_of((14,), 3, effect=1.0, metrics={"error": "lower", "auc": "higher"})
MAKERS: dict[str, tuple[pc.Scores, Callable[[pc.Scores], Any]]] = {
    "mcnemar": (RIGHT, pc.mcnemar_pairs),
    "shares": (RIGHT, pc.share_pairs),
    "shares, clusters": (CLUSTERED, pc.share_pairs),
    "clusters": (CLUSTERED, pc.cluster_pairs),
    "crossed runs": (RUNS, pc.crossed_pairs),
    "these items": (RUNS, pc.these_items),
    "ranks": (NORMAL, pc.rank_pairs),
    "nemenyi": (NORMAL, pc.nemenyi),
    "sign flips": (NORMAL, lambda s: pc.rank_pairs(s, p_value="sign-flips")),
    "paired t": (NORMAL, pc.paired_t_pairs),
    "corrected t": (NORMAL, lambda s: pc.corrected_pairs(s, n_train=90, n_test=10)),
    "signed ranks": (NORMAL, pc.signed_rank_pairs),
    "signed ranks, clusters": (FAMILIES, pc.clustered_signed_rank_pairs),
    "tukey": (NORMAL, pc.tukey),
    "pairwise t": (NORMAL, pc.pairwise_t),
    "signs": (FOLDS, lambda s: pc.sign_grid(pc.wins(s))),
    "signs, ties dropped": (FOLDS, lambda s: pc.sign_grid(pc.wins(s), ties="drop")),
    "vectors": (VECTORS, pc.hotelling_pairs),
}


def numeric(pairs: Pairs) -> list[str]:
    """Return the columns of numbers of a table of pairs."""
    columns = pairs.as_columns().items()
    return [n for n, c in columns if np.asarray(c).dtype.kind in "iuf"]


@pytest.mark.parametrize("name", MAKERS)
def test_a_turned_pair_has_the_numbers_of_the_other_order(name: str) -> None:
    scores, make = MAKERS[name]
    pairs = make(scores)
    turned = make(scores.select(algorithms=scores.algorithms[::-1]))
    for column in numeric(pairs):
        got, again = pairs.matrix(column), turned.matrix(column)
        wanted = again.loc[got.index, got.columns]
        assert_digits(got.to_numpy(), wanted.to_numpy(), at_least=9, what=column)


def test_areas_turn_with_their_pair() -> None:
    rng = np.random.default_rng(1)
    ill = np.repeat([True, False], 40)
    tests = {name: k * ill + rng.normal(size=80) for k, name in enumerate("abc")}
    pairs = pc.delong(ill, tests, positive=True)
    turned = pc.delong(ill, dict(reversed(tests.items())), positive=True)
    for column in numeric(pairs):
        got, again = pairs.matrix(column), turned.matrix(column)
        wanted = again.loc[got.index, got.columns]
        assert_digits(got.to_numpy(), wanted.to_numpy(), at_least=9, what=column)


def test_counts_and_odds_of_mcnemars_test() -> None:
    # 17 right only by A, 28 only by B: the matrix had 17 on both sides.
    right = np.array([[1, 0]] * 17 + [[0, 1]] * 28 + [[1, 1]] * 9)
    frame = pd.DataFrame(right, columns=["A", "B"])
    scores = pc.Scores.from_wide(frame, metric="accuracy", better="higher")
    pairs = pc.mcnemar_pairs(scores)
    only, odds = pairs.matrix("only_1"), pairs.matrix("odds_ratio")
    assert (only.loc["A", "B"], only.loc["B", "A"]) == (17, 28)
    assert_digits(odds.loc["A", "B"], 17 / 28, at_least=14)
    assert_digits(odds.loc["B", "A"], 28 / 17, at_least=14)
    low, high = pairs.matrix("odds_low"), pairs.matrix("odds_high")
    assert_digits(low.loc["B", "A"], 1 / high.loc["A", "B"], at_least=14)
