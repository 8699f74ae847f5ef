import math

import numpy as np
import pytest

import pycompare as pc
from pycompare.testing import assert_digits
from tests.conftest import golden, golden_names, wide
from tests.pairs.test_ttest import SLEEP, of_differences


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


def test_equal_algorithms_are_equivalent_with_an_exact_p_value():
    scores = wide([[0.3, 0.1 + 0.2], *([[0.5, 0.5]] * 5)])
    found = pc.equivalence(scores, margin=0.01)
    assert found.p_value == 2.0**-6 and found.p_source == "exact"
    assert "variance is zero" in found.notes[0]
    outside = pc.equivalence(wide([[0.75, 0.25]] * 4), margin=0.25)
    assert outside.p_value == 1
    on_margin = pc.equivalence(wide([[0.75, 0.25]] * 4), margin=0.5)
    assert math.isnan(on_margin.p_value) and "equal the margin" in on_margin.notes[0]
    assert not on_margin.shown


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
