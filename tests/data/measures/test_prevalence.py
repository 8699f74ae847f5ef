"""Precision and its area at another share of positive cases."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits

METHODS = ("trapezoid", "davis-goadrich", "average-precision")


def drawn(seed=1, n=60):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.3
    return label, np.round(rng.normal(size=n) + label, 1)


@pytest.mark.parametrize("method", METHODS)
def test_negative_cases_taken_twice_halve_the_odds(method):
    label, score = drawn()
    odds = label.sum() / (~label).sum() / 2
    again = np.concatenate([label, label[~label]])
    scores = np.concatenate([score, score[~label]])
    wanted = pc.auc_pr(again, scores, positive=True, method=method).estimate
    asked = {"positive": True, "method": method, "prevalence": odds / (1 + odds)}
    assert_digits(pc.auc_pr(label, score, **asked).estimate, wanted, at_least=13)


@pytest.mark.parametrize("hull", [False, True])
def test_precision_is_bayes_rule(hull):
    label, score = drawn()
    curve = pc.pr_curve(label, score, positive=True, prevalence=0.01, hull=hull)
    table = curve.table.iloc[1:]
    tpr, fpr = table["tp"] / label.sum(), table["fp"] / (~label).sum()
    assert_digits(
        table["precision"], 0.01 * tpr / (0.01 * tpr + 0.99 * fpr), at_least=12
    )
    assert curve.prevalence == 0.01


@pytest.mark.parametrize("method", METHODS)
def test_the_share_of_the_cases_changes_nothing(method):
    label, score = drawn()
    one = pc.auc_pr(label, score, positive=True, method=method)
    asked = {"positive": True, "method": method, "prevalence": label.mean()}
    assert_digits(pc.auc_pr(label, score, **asked).estimate, one.estimate, at_least=13)
    assert one.prevalence is None


@pytest.mark.parametrize("prevalence", [0, 1, -0.1, 1.5, float("nan")])
def test_a_share_lies_between_0_and_1(prevalence):
    label, score = drawn()
    for function in (pc.auc_pr, pc.pr_curve):
        with pytest.raises(pc.InputError, match=r"prevalence=.*between 0 and 1"):
            function(label, score, positive=True, prevalence=prevalence)
