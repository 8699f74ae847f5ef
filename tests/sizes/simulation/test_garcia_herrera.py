"""García and Herrera's study: weights, procedures, what is counted."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.sizes.simulation import garcia_herrera as gh
from tests.data.tables import refused

STUDY = gh.GarciaHerrera(k=[0.0, 20.0], permutations=99)


def test_p_values_and_adjustments_are_those_of_the_public_functions():
    rows = STUDY.drawn(5.0, np.random.default_rng(1))
    x = STUDY.table.values[rows][:, :, 0]
    scores = STUDY.scores_of(x)
    found = dict(STUDY.adjusted(x, 7))
    for title, name in gh.PROCEDURES.items():
        wanted = pc.rank_pairs(scores, adjust=name, std_error="textbook").table
        assert_digits(found[title], wanted["p_adjusted"], at_least=11)
    wanted = pc.closed_permutation(scores, permutations=99, seed=7).table
    assert_digits(found["closed permutation"], wanted["p_adjusted"], at_least=14)
    assert list(found) == [*gh.PROCEDURES, *gh.OURS]


def test_data_sets_are_drawn_one_after_the_other_by_weight():
    study = gh.GarciaHerrera(n_datasets=5)
    d = study.table.values[:, 0, 0] - study.table.values[:, 1, 0]
    weight = 1 / (1 + np.exp(-20 * d))
    rng = np.random.default_rng(2)
    drawn = [study.drawn(20.0, rng) for _ in range(4000)]
    assert all(len(set(rows)) == 5 for rows in drawn)
    first = Counter(int(rows[0]) for rows in drawn)
    share = np.array([first[i] / 4000 for i in range(30)])
    expected = weight / weight.sum()
    error = np.sqrt(expected * (1 - expected) / 4000)
    assert (np.abs(share - expected) < 4.5 * error).all()


def test_the_pair_and_all_pairs_are_counted():
    p = np.array([[0.01, 0.04, 0.2, 0.5, 1, 1, 1, 1, 1, 1]])
    found = STUDY.told(p)
    assert STUDY.place == 0
    assert found[gh.OF_PAIR].tolist() == [True]
    assert found[gh.OF_ALL].tolist() == [2]
    assert found[gh.APV_OF_PAIR].tolist() == [0.01]
    assert found[gh.APV_OF_ALL][0] == pytest.approx(0.675)
    swapped = gh.GarciaHerrera(first="Kernel", second="1-NN")
    assert swapped.place == 5  # (1-NN, Kernel) among the pairs of five


def test_sharper_procedures_reject_more_and_bias_helps():
    found = pc.simulate(STUDY, trials=20, seed=3).wide()
    for what, sign in ((gh.OF_ALL, 1), (gh.APV_OF_ALL, -1)):
        at = [sign * found[f"{what}, {name}"] for name in gh.PROCEDURES]
        assert all((a <= b).all() for a, b in pairwise(at))
    apv = found[f"{gh.APV_OF_PAIR}, Holm"]
    assert apv["k = 20"] < apv["k = 0"]


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"k": [-1.0]}, "at least 0"),
        ({"n_datasets": 31}, "the table has 30 data sets"),
        ({"n_datasets": 4}, "n_datasets=4"),
        ({"first": "C4"}, "'C4' is none of C4.5"),
        ({"first": "1-NN"}, "give two algorithms"),
    ],
)
def test_settings_out_of_range_are_refused(bad, words):
    with refused(words):
        gh.GarciaHerrera(**bad)
