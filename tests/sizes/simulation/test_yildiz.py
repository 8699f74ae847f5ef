"""Tests on error and on pairs of rates: counts, rates, level and power."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.sizes.simulation import yildiz
from pycompare.sizes.simulation.yildiz import Yildiz
from tests.data.tables import refused


def one(condition, trials=3):
    study = Yildiz()
    kind, value = study.conditions[condition].values()
    draw = {
        yildiz.GAP: study.cut,
        yildiz.ADDED: study.with_negatives,
        yildiz.RATIO: study.with_ratio,
    }[kind]
    return draw(value, np.random.default_rng(1), trials)


def test_the_tests_are_paired_t_and_hotelling():
    counts = one("class ratio 0.1")
    rates = counts.rates()
    found = Yildiz().run("class ratio 0.1", np.random.default_rng(1), 3)
    for i in range(3):
        error = rates["UniErr"][i, :, :, 0]
        p = stats.ttest_rel(error[:, 0], error[:, 1]).pvalue
        assert found["UniErr"][i] == (p <= 0.05)
        d = rates["MultiPR"][i, :, 0] - rates["MultiPR"][i, :, 1]
        mean = d.mean(axis=0)
        t2 = 10 * mean @ np.linalg.solve(np.cov(d.T), mean)
        p = stats.f.sf(t2 * 8 / 18, 2, 8)
        assert found["MultiPR"][i] == (p <= 0.05)


def test_figure_4a_changes_the_false_positive_rate_alone():
    plain, more = one("added true negatives 0"), one("added true negatives 1")
    for name in ("tp", "fp", "fn"):
        assert np.array_equal(getattr(plain, name), getattr(more, name))
    assert np.array_equal(plain.rates()["MultiPR"], more.rates()["MultiPR"])
    second = more.rates()["MultiTF"][:, :, 1, 1]
    assert np.allclose(second, plain.fp[..., 1] / (plain.fp + 2 * plain.tn)[..., 1])


def test_figure_4b_changes_precision_alone():
    plain, other = one("class ratio 0"), one("class ratio 0.5")
    assert np.allclose(plain.rates()["MultiTF"], other.rates()["MultiTF"])
    pr = other.rates()["MultiPR"][:, :, 1, 0]
    tp, fp = plain.tp[..., 1] * 0.5, plain.fp[..., 1] * 1.5
    assert np.allclose(pr, tp / (tp + fp))


def test_equal_thresholds_cannot_be_told_apart():
    found = Yildiz().run("threshold gap 0", np.random.default_rng(2), 5)
    assert not any(np.any(rejected) for rejected in found.values())


def test_rates_hide_from_the_error():
    study = Yildiz(gap=[0.1], added=[0.0], ratio=[0.0])
    found = pc.simulate(study, trials=400, seed=1).wide()
    assert found.loc["threshold gap 0.1", "UniErr"] < 0.09
    assert found.loc["threshold gap 0.1", ["MultiTF", "MultiPR"]].min() > 0.98
    assert found.loc["class ratio 0"].max() < 0.09


def test_expected_rates_are_integrals_of_the_densities():
    row = yildiz.rates_at(np.array([2.3])).iloc[0]
    tpr, _ = integrate.quad(stats.norm(3, 0.3).pdf, 2.3, 6)
    fpr, _ = integrate.quad(stats.norm(2, 0.3).pdf, 2.3, 6)
    assert_digits([row["tpr"], row["fpr"]], [tpr, fpr], at_least=7)
    assert_digits(row["error"], (1 - tpr + fpr) / 2, at_least=7)
    assert_digits(row["precision"], tpr / (tpr + fpr), at_least=7)
    at = yildiz.rates_at(np.array([2.0, 2.5, 3.0]))["error"].round(3)
    assert at.tolist() == [0.25, 0.048, 0.25]  # not the same, as the paper says


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"gap": [-0.1]}, "at least 0"),
        ({"ratio": [1.0]}, "from 0 to below 1"),
        ({"tpr": 1.0}, "tpr=1.0: give numbers between 0 and 1"),
        ({"folds": 3}, "folds=3"),
    ],
)
def test_settings_out_of_range_are_refused(bad, words):
    with refused(words):
        Yildiz(**bad)
