"""Random-effects synthesis of studies."""

import math

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import synthesis as kernel
from pycompare.results.guarantees import MEASURED

# dat.bcg of metadat 1.2, log risk ratios of 13 trials, and what metafor 3.8 prints for
# rma(yi, vi, test = "knha"), confint and predict.
BCG = (
    (-0.8893113339, 0.325584765),
    (-1.585388657, 0.1945811214),
    (-1.348073148, 0.4153679654),
    (-1.44155119, 0.0200100319),
    (-0.2175473222, 0.05121017217),
    (-0.7861155858, 0.006905618456),
    (-1.620898224, 0.2230172476),
    (0.01195233352, 0.003961579298),
    (-0.4694176487, 0.05643421046),
    (-1.371344803, 0.07302479361),
    (-0.3393588283, 0.01241221397),
    (0.4459134006, 0.5325058452),
    (-0.01731394822, 0.07140465968),
)
PRINTED = {
    "estimate": -0.71453235,
    "std_error": 0.18079175,
    "statistic": -3.95223989,
    "p_value": 0.00192002,
    "conf_low": -1.10844372,
    "conf_high": -0.32062097,
    "tau2": 0.31324333,
    "q": 152.23300808,
}


def drawn(k, seed, spread=0.5):
    rng = np.random.default_rng(seed)
    error = rng.uniform(0.1, 0.5, size=k)
    return rng.normal(0.3, np.hypot(error, spread)), error


def test_the_bcg_trials_are_those_of_metafor():
    y, v = np.array(BCG).T
    found = pc.synthesis(y, std_error=np.sqrt(v))
    for name, printed in PRINTED.items():
        # By default metafor stops if tau2 changes by less than 1e-5.
        assert getattr(found, name) == pytest.approx(printed, abs=2e-7), name
    # confint and predict print six digits.
    assert found.tau2_low == pytest.approx(0.1197, abs=1e-4)
    assert found.tau2_high == pytest.approx(1.1115, abs=1e-4)
    assert found.i2 == pytest.approx(0.92221386, abs=1e-5)


def test_equal_errors_give_the_t_test_of_the_estimates():
    y, _ = drawn(9, 1)
    found = pc.synthesis(y, std_error=np.full(9, 0.05))
    t = stats.ttest_1samp(y, 0.0)
    assert_digits(found.statistic, t.statistic, at_least=11)
    assert_digits(found.p_value, t.pvalue, at_least=11)
    assert_digits(found.tau2, y.var(ddof=1) - 0.05**2, at_least=10)


def test_without_spread_weights_are_inverse_variances():
    error = np.array([0.5, 0.3, 0.9, 0.7])
    found = pc.synthesis([0.1, 0.12, 0.09, 0.11], std_error=error)
    assert found.tau2 == 0 and found.tau2_low == 0
    weight = error**-2 / np.sum(error**-2)
    assert_digits(found.table["weight"], weight, at_least=13)
    assert any("closer together" in note for note in found.notes)
    assert any("smaller than the one with known" in note for note in found.notes)


@pytest.mark.parametrize("seed", range(8))
def test_tau2_has_the_highest_likelihood(seed):
    y, error = drawn(5, seed, 0.4)
    v = error**2
    found = kernel.reml(y, v)
    grid = np.concatenate([[0.0], np.geomspace(1e-6, 20, 4000)])
    best = max(kernel._likelihood(t, y, v) for t in grid)
    assert kernel._likelihood(found, y, v) >= best - 1e-12


def test_limits_of_tau2_are_quantiles_of_q():
    y, error = drawn(12, 3)
    found = pc.synthesis(y, std_error=error, level=0.9)
    for limit, share in ((found.tau2_low, 0.05), (found.tau2_high, 0.95)):
        q = kernel.generalised_q(limit, y, error**2)
        assert_digits(stats.chi2.sf(q, 11), share, at_least=10)


@pytest.mark.parametrize("unit", [2.0**-400, 2.0**300])
def test_the_unit_changes_no_test(unit):
    y, error = drawn(7, 4)
    first = pc.synthesis(y, std_error=error)
    other = pc.synthesis(y * unit, std_error=error * unit)
    for name in ("statistic", "p_value", "q", "i2"):
        assert getattr(other, name) == getattr(first, name)
    for name in ("estimate", "conf_low", "predicted_high", "std_error"):
        assert getattr(other, name) == getattr(first, name) * unit


def test_order_and_names_change_nothing_and_signs_turn():
    y, error = drawn(7, 5)
    names = ["<b>", "a,b", "NA", "x'y", 'q"', "$z$", "7"]
    first = pc.synthesis(y, std_error=error, study=names)
    back = pc.synthesis(y[::-1], std_error=error[::-1], study=names[::-1])
    turned = pc.synthesis(-y, std_error=error)
    assert_digits(back.p_value, first.p_value, at_least=12)
    assert list(back.table["study"]) == names[::-1]
    assert_digits(-turned.conf_high, first.conf_low, at_least=12)
    assert_digits(-turned.predicted_high, first.predicted_low, at_least=12)


@pytest.mark.parametrize(
    ("k", "ratio", "spread", "known"),
    [
        (8, 1, 1.0, "synthesis"),
        (8, 10, 1.0, "synthesis, unequal errors"),
        (40, 1, 0.01, "synthesis, little spread"),
        (40, 1, 5.0, None),
    ],
)
def test_prediction_intervals_that_are_too_short_say_so(k, ratio, spread, known):
    """With many studies they are if the variance between studies may be 0."""
    error = np.geomspace(0.1, 0.1 * ratio, k)
    y = stats.norm.ppf((np.arange(k) + 0.5) / k) * error.mean() * spread
    found = pc.synthesis(y, std_error=error)
    new = [note for note in found.notes if note.startswith("prediction intervals are")]
    assert new == ([] if known is None else [MEASURED[f"{known}: new study"].text])
    assert (MEASURED["synthesis, unequal errors"].text in found.notes) == (ratio > 5)


def test_equal_estimates_have_no_test():
    found = pc.synthesis([1.0, 1.0, 1.0], std_error=[1.0, 2.0, 3.0])
    assert math.isnan(found.p_value) and math.isnan(found.conf_low)
    assert any("all estimates are equal" in note for note in found.notes)


@pytest.mark.parametrize(
    ("estimate", "error", "options", "message"),
    [
        ([1.0], [1.0], {}, "1 study: a spread between studies needs two"),
        ([1.0, 2.0], [1.0, 0.0], {}, "std_error number 2 is 0.0: give positive"),
        ([1.0, np.nan], [1.0, 1.0], {}, "estimate number 2 is nan: give finite"),
        ([1.0, 2.0], [1.0], {}, "one number per study"),
        (
            [1.0, 2.0],
            [1.0, 1.0],
            {"study": ["a"]},
            r"study of shape \(1,\) for 2 estimates",
        ),
        ([1.0, 2.0], [1.0, 1.0], {"study": ["a", "a"]}, "'a'"),
        ([1.0, 2.0], [1.0, 1.0], {"level": 2}, "level"),
    ],
)
def test_what_cannot_be_used_is_named(estimate, error, options, message):
    with pytest.raises(pc.PyCompareError, match=message):
        pc.synthesis(estimate, std_error=error, **options)


def test_equal_estimates_with_a_rounded_mean_have_no_test():
    """The mean of four times 0.1 is not 0.1 to the last bit: p was 1e-48."""
    found = pc.synthesis([0.1] * 4, std_error=[0.1] * 4)
    assert found.std_error == 0
    assert np.isnan(found.p_value)
    assert found.r_call() is None
    near = pc.synthesis([0.1, 0.1 + 1e-9, 0.1], std_error=[0.1] * 3)
    assert near.std_error > 0
