"""Maloof's study: classifiers, tests and published tables."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels.placements import auc
from pycompare.sizes.simulation import reader_tests as tests
from pycompare.sizes.simulation.gaussians import NormalClasses, naive_bayes, neighbours
from pycompare.sizes.simulation.maloof import AGREE, PUBLISHED, Maloof
from tests.data.tables import refused


def test_classes_are_as_far_apart_as_they_say():
    problem = NormalClasses(1.66, 4000)
    x = problem.draw(np.random.default_rng(1), n=4000).astype(float)
    difference = x[:4000].mean(axis=0) - x[4000:].mean(axis=0)
    distance = np.sqrt(np.sum(difference**2)) / x[4000:].std()
    assert distance == pytest.approx(1.66, rel=0.03)
    assert problem.truth.sum() == 1000


def test_naive_bayes_gives_log_odds():
    problem = NormalClasses(1.0, 20)
    known, x = problem.study(np.random.default_rng(2), 3)
    found = naive_bayes(known, x)
    for j, one in enumerate(known.astype(float)):
        parts = [
            stats.norm.logpdf(x, part.mean(axis=0), part.std(axis=0, ddof=1))
            for part in (one[:20], one[20:])
        ]
        assert np.allclose(found[j], (parts[0] - parts[1]).sum(axis=1), rtol=1e-5)


def test_neighbours_are_the_nearest():
    problem = NormalClasses(1.33, 32)
    known, x = problem.study(np.random.default_rng(3), 1)
    nearest, votes = neighbours(known[0], x, 9)
    distance = np.linalg.norm(x[:, None].astype(float) - known[0], axis=-1)
    expected = distance[:, 32:].min(axis=1) - distance[:, :32].min(axis=1)
    assert np.allclose(nearest, expected, atol=1e-4)
    order = np.argsort(distance, axis=1)[:, :9]
    assert np.array_equal(votes, (order < 32).sum(axis=1))


def test_one_way_analysis_is_that_of_scipy():
    theta = np.random.default_rng(4).normal(size=(3, 4, 6))
    expected = [stats.f_oneway(*one).pvalue for one in theta]
    assert_digits(tests.one_way(theta), expected, at_least=11)


def test_the_two_way_analysis_is_that_of_the_aucs():
    study = Maloof(d_prime=[1.0], n=[40], training_sets=5)
    problem = NormalClasses(1.0, 40)
    x = study.rated(problem, np.random.default_rng(5))
    theta = auc(problem.truth, x)
    table = pd.DataFrame(theta.T, columns=["NB", "1-NN", "9-NN"])
    scores = pc.Scores.from_wide(table, metric="auc", better="higher")
    p = tests.p_values(problem.truth, x[None])
    assert_digits(p[tests.TWO_WAY][0], pc.anova(scores).p_value, at_least=9)


def test_published_shares_stand_beside_ours():
    study = Maloof(n=[100], d_prime=[1.0])
    found = pc.simulate(study, trials=3)
    table = found.table.set_index("statistic")
    assert table.loc[tests.TWO_WAY, "published"] == 0.897
    assert table.loc[tests.DBM, "published"] == 0.686
    assert table.loc[AGREE, "published"] == 0.617
    assert len(PUBLISHED) == len(Maloof().conditions) == 12


def test_what_the_tests_decide_adds_up():
    found = pc.simulate(Maloof(n=[40], d_prime=[1.0]), trials=50).table
    share = found.set_index("statistic")["estimate"]
    assert share[AGREE] + share["only ANOVA rejects"] + share[
        "only DBM rejects"
    ] == pytest.approx(1)
    both = share[tests.TWO_WAY] - share["only ANOVA rejects"]
    assert both == pytest.approx(share[tests.DBM] - share["only DBM rejects"])


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"n": [7]}, "give different whole numbers, each at least 8"),
        ({"n": [40, 40]}, "give different"),
        ({"n": [40.5]}, "whole numbers"),
        ({"n": []}, "whole numbers"),
        ({"d_prime": [0.0]}, "finite numbers, each at least 0.01"),
        ({"d_prime": ["far"]}, "finite numbers"),
        ({"d_prime": [float("inf")]}, "finite numbers"),
        ({"training_sets": 1}, "training_sets=1: give a whole number from 2 on"),
    ],
)
def test_settings_out_of_range_are_refused(bad, words):
    with refused(words):
        Maloof(**bad)
