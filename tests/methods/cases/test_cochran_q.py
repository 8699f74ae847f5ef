import math

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_names, wide


@pytest.mark.parametrize("name", golden_names("cochran_"))
def test_agrees_with_r(name):
    case = golden(name)
    found = pc.cochran_q(wide(case["input"]["B"]))
    value = case["outputs"]["by_formula"]["value"]
    assert_digits(found.statistic, value["Q"], at_least=13)
    assert_digits(found.p_value, value["p"], at_least=12)
    friedman = case["outputs"]["friedman_test_on_01"]["value"]
    assert_digits(found.p_value, friedman["p.value"], at_least=12)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_it_is_friedmans_test_of_0_and_1(better):
    x = np.random.default_rng(1).integers(0, 2, (60, 4)).astype(float)
    found, ranked = pc.cochran_q(wide(x, better)), pc.friedman(wide(x, better))
    assert_digits(found.statistic, ranked.statistic, at_least=13)
    assert_digits(found.shares, x.mean(axis=0), at_least=15)


def test_two_algorithms_are_mcnemars_chi_squared():
    x = np.random.default_rng(2).integers(0, 2, (60, 2)).astype(float)
    pair = pc.mcnemar(wide(x), p_value="chi2")
    found = pc.cochran_q(wide(x))
    assert_digits(found.statistic, pair.statistic, at_least=14)
    assert_digits(found.p_value, pair.p_value, at_least=13)


def test_algorithms_that_always_agree_cannot_be_tested():
    found = pc.cochran_q(wide([[1, 1, 1], [0, 0, 0]]))
    assert math.isnan(found.statistic) and math.isnan(found.p_value)
    assert found.p_source == "none" and "agree on every case" in found.notes[0]


def test_few_cases_are_noted():
    x = np.eye(3)
    assert "only 3 cases" in pc.cochran_q(wide(x)).notes[0]
    assert pc.cochran_q(wide(np.tile(x, (4, 1)))).notes == ()


def test_graded_scores_are_refused():
    with pytest.raises(pc.InputError, match="other than 0 and 1, first case '2'"):
        pc.cochran_q(wide([[1, 0], [0.3, 1]]))
