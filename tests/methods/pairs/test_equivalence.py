import math

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels.matched_pairs import least_units
from tests.conftest import golden, golden_names, wide
from tests.methods.pairs.test_ttest import SLEEP, of_differences


@pytest.mark.parametrize("name", golden_names("paired_"))
def test_one_sided_tests_are_rs_of_shifted_differences(name):
    case = golden(name)
    outputs = case["outputs"]
    d = np.array(case["input"]["d"], float)
    # Shifted by the margin, the test against the margin is R's test against 0.
    found = pc.equivalence(of_differences(d - 0.5), margin=0.5)
    below = pc.equivalence(of_differences(d + 0.5), margin=0.5)
    for part, entry in ((found.lower, "t_greater"), (below.upper, "t_less")):
        expected = outputs[entry]["value"]
        assert_digits(part.statistic, expected["statistic"]["t"], at_least=12)
        assert_digits(part.p_value, expected["p.value"], at_least=11)
    assert found.p_value == max(found.lower.p_value, found.upper.p_value)


@pytest.mark.parametrize("kind", ["equivalence", "non-inferiority"])
@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("sizes", [{}, {"n_train": 90, "n_test": 10}])
def test_p_is_small_just_when_the_interval_lies_within_the_margins(kind, better, sizes):
    rng = np.random.default_rng(11)
    shown = 0
    for _ in range(60):
        x = rng.normal([rng.normal(scale=0.4), 0], 0.5, size=(12, 2))
        found = pc.equivalence(
            wide(x, better), margin=0.6, kind=kind, alpha=0.1, **sizes
        )
        within = (
            found.margin_low <= found.conf_low and found.conf_high <= found.margin_high
        )
        assert found.shown == within
        shown += within
    assert 0 < shown < 60


def test_interval_is_that_of_paired_t_at_level_one_minus_two_alpha():
    found = pc.equivalence(wide(SLEEP), margin=3.0)
    t = pc.paired_t(wide(SLEEP), level=0.9)
    limits = [found.conf_low, found.conf_high]
    assert_digits(limits, [t.conf_low, t.conf_high], at_least=14)
    assert found.level == 0.9 and found.estimate == t.estimate


def test_non_inferiority_looks_at_the_metrics_direction():
    x = np.random.default_rng(5).normal([0.5, 0], size=(20, 2))
    options = {"margin": 0.2, "kind": "non-inferiority"}
    accuracy = pc.equivalence(wide(x, "higher"), **options)
    error = pc.equivalence(wide(x, "lower"), **options)
    assert (accuracy.margin_low, accuracy.margin_high) == (-0.2, math.inf)
    assert (error.margin_low, error.margin_high) == (-math.inf, 0.2)
    assert accuracy.p_value < 0.05 < error.p_value
    assert accuracy.upper is None and error.lower is None
    assert accuracy.lower.name == "mean difference above -0.2"
    assert error.upper.name == "mean difference below 0.2"
    mirrored = pc.equivalence(wide(-x, "lower"), **options)
    assert mirrored.p_value == accuracy.p_value


@pytest.mark.parametrize(
    ("values", "margin"),
    [
        ([[0.3, 0.1 + 0.2], *([[0.5, 0.5]] * 5)], 0.01),
        ([[0.5, 0.51]] * 10, 0.02),
        ([[0.75, 0.25]] * 4, 0.5),
        ([[1, 1]] * 300, 0.02),
    ],
)
def test_where_all_differences_are_equal_there_is_no_p_value_against_a_margin(
    values, margin
):
    for kind in ("equivalence", "non-inferiority"):
        for sizes in ({}, {"n_train": 90, "n_test": 10}):
            found = pc.equivalence(wide(values), margin=margin, kind=kind, **sizes)
            assert math.isnan(found.p_value) and found.p_source == "none"
            assert math.isnan(found.statistic) and not found.shown
            assert "no p-value against a margin" in found.notes[0]
    pairs = pc.equivalence_pairs(wide(np.repeat(values, 2, axis=1)), margin=margin)
    assert not pairs.table["shown"].any() and pairs.table["p_adjusted"].isna().any()


@pytest.mark.parametrize(
    ("margin", "alpha", "least"),
    [
        (0.01, 0.025, 368),
        (0.02, 0.025, 183),
        (0.03, 0.025, 122),
        (0.05, 0.025, 72),
        (0.1, 0.025, 36),
        (0.02, 0.05, 149),
        (0.1, 0.00125, 64),
        (1.5, 0.05, 1),
    ],
)
def test_the_smallest_size_is_where_equal_answers_are_rarer_than_alpha(
    margin, alpha, least
):
    assert least_units(margin, alpha) == least
    if margin < 1:
        assert (1 - margin) ** least <= alpha < (1 - margin) ** (least - 1)


def test_right_and_wrong_answers_below_the_smallest_size_are_refused():
    options = {"margin": 0.05, "kind": "non-inferiority"}
    one_loss = np.ones((72, 2))
    one_loss[0, 0] = 0
    told = r"margin=0.05: 71 right/wrong units are too few .*; that takes 72 units"
    with pytest.raises(pc.DesignError, match=told):
        pc.equivalence(wide(one_loss[:71]), **options)
    found = pc.equivalence(wide(one_loss), **options)
    assert 0 < found.p_value < 1 and "up to 0.14" in found.notes[0]
    graded = one_loss.copy()
    graded[1, 0] = 0.5
    assert pc.equivalence(wide(graded[:30]), **options).notes == ()
    with pytest.raises(pc.DesignError, match="that takes 80 units"):
        pc.equivalence_pairs(wide(np.ones((79, 3))), margin=0.05)


def test_the_largest_error_that_is_stated_is_what_enumeration_finds():
    """No wins, losses at the margin: the worst case found, each cell by the test."""
    for n, margin, alpha, stated in ((434, 0.01, 0.05, 0.18), (478, 0.01, 0.025, 0.14)):
        error = 0.0
        for losses in range(1, 8):
            values = np.ones((n, 2))
            values[:losses, 0] = 0
            options = {"kind": "non-inferiority", "alpha": alpha, "margin": margin}
            if not pc.equivalence(wide(values, "higher"), **options).shown:
                break
            error += stats.binom.pmf(losses, n, margin)
        assert stated - 0.02 < error <= stated


def test_a_margin_that_is_none_is_refused():
    scores = wide(SLEEP)
    for margin in (0, -1, math.inf, math.nan, (1, 2), (-1, -0.5), (1, 2, 3)):
        with pytest.raises(pc.InputError, match="margin="):
            pc.equivalence(scores, margin=margin)
    with pytest.raises(pc.InputError, match="margin: expected numbers, got text"):
        pc.equivalence(scores, margin="a")
    with pytest.raises(pc.InputError, match="one positive number"):
        pc.equivalence(scores, margin=(-1, 1), kind="non-inferiority")
    with pytest.raises(pc.InputError, match="kind='superiority'"):
        pc.equivalence(scores, margin=1, kind="superiority")
    with pytest.raises(pc.InputError, match="is empty"):
        pc.equivalence(scores, margin=1, alpha=0.6)
