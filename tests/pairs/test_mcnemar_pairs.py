import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pycompare as pc
from pycompare.kernels import paired_proportions as kernel
from pycompare.kernels.paired_proportions import PairCounts
from pycompare.testing import assert_digits
from tests.conftest import golden, golden_names, wide

FORMS = ("exact", "mid-p", "chi2", "chi2-corrected")


def counts(*four: float) -> PairCounts:
    return PairCounts(*(np.array([float(c)]) for c in four))


def answers(n: int, a: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 2, (n, a)).astype(float)


@pytest.mark.parametrize("name", golden_names("cochran_"))
def test_agrees_with_r(name):
    case = golden(name)
    outputs = {key: entry["value"] for key, entry in case["outputs"].items()}
    found = pc.mcnemar_pairs(wide(case["input"]["B"]), adjust="none").table
    expected = outputs["mcnemar_exact_binom"]
    assert_digits(found["p_value"], expected, at_least=12)


@pytest.mark.parametrize("form", FORMS)
def test_each_pair_is_the_test_of_two_algorithms(form):
    scores = wide(answers(40, 4, 1))
    for row in pc.mcnemar_pairs(scores, p_value=form, adjust="holm").table.itertuples():
        pair = (row.algorithm_1, row.algorithm_2)
        alone = pc.mcnemar(scores, algorithms=pair, p_value=form)
        assert_digits(row.p_value, alone.p_value, at_least=14)
        assert (row.only_1, row.only_2) == (alone.only_1, alone.only_2)
        if form == "chi2":
            assert_digits(row.statistic**2, alone.statistic, at_least=14)


def test_published_intervals():
    # Fagerland, Lydersen and Laake (2014), airway hyper-responsiveness: 1, 1, 7, 12.
    airway = counts(1, 1, 7, 12)
    low, high = kernel.newcombe(airway, 0.95)
    assert (round(low[0], 3), round(high[0], 3)) == (-0.507, -0.026)
    ratio, low, high = kernel.odds_ratio(airway.only_1, airway.only_2, 0.95)
    assert round(ratio[0], 3) == 0.143
    assert (f"{low[0]:.5f}", round(high[0], 2)) == ("0.00317", 1.11)


def test_the_exact_interval_of_the_odds_ratio_holds_1_unless_the_test_rejects():
    for b in range(12):
        for c in range(12):
            if b + c == 0:
                continue
            p = pc.mcnemar([b, c]).p_value
            _, low, high = kernel.odds_ratio(
                np.array(float(b)), np.array(float(c)), 0.95
            )
            assert (low <= 1 <= high) == (p > 0.05)


@given(st.tuples(*[st.integers(0, 40)] * 4).filter(any))
def test_intervals_hold_the_difference_and_change_sides_with_the_algorithms(four):
    both, b, c, neither = four
    low, high = kernel.newcombe(counts(both, b, c, neither), 0.9)
    d = (b - c) / sum(four)
    assert -1 <= low <= d + 1e-12 and d - 1e-12 <= high <= 1
    other = kernel.newcombe(counts(both, c, b, neither), 0.9)
    assert_digits(low, -other[1], at_least=9)


def test_no_correlation_joins_wilsons_limits_by_pythagoras():
    table = counts(4, 4, 4, 4)
    low, high = kernel.newcombe(table, 0.95)
    one = pc.accuracy_intervals(wide([[1, 1]] * 8 + [[0, 0]] * 8)).table
    p, lower, upper = one.loc[0, ["estimate", "conf_low", "conf_high"]]
    half = math.hypot(p - lower, upper - p)
    assert_digits([low[0], high[0]], [-half, half], at_least=13)


def test_pairs_that_agree_on_every_case_have_p_1():
    x = answers(30, 3, 2)
    x[:, 2] = x[:, 1]
    found = pc.mcnemar_pairs(wide(x))
    row = found.table.iloc[2]
    assert row.p_value == row.p_adjusted == 1 and row.estimate == 0
    assert math.isnan(row.odds_ratio) and row.conf_low < 0 < row.conf_high
    assert found.notes == ("1 of 3 pairs agree on every case: p = 1",)


def test_many_cases_are_counted_exactly():
    x = answers(5000, 3, 3)
    found = pc.mcnemar_pairs(wide(x)).table
    assert found["only_1"][0] == np.sum(x[:, 0] > x[:, 1])
    assert found["only_2"][2] == np.sum(x[:, 1] < x[:, 2])


def test_the_direction_of_the_metric_changes_who_is_better_and_nothing_else():
    x = answers(50, 3, 4)
    up, down = pc.mcnemar_pairs(wide(x)), pc.mcnemar_pairs(wide(x, "lower"))
    assert up.table.equals(down.table)
    assert_digits(up.positions, -down.positions, at_least=15)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (
            [[0, 1], [1, 0.5]],
            {},
            "1 of 2 cases has a score of 'score' other than 0 and 1",
        ),
        ([[0, 1], [1, 0]], {"p_value": "midp"}, "choose 'exact', 'mid-p'"),
        ([[0, 1], [1, 0]], {"adjust": "nemenyi"}, "is for mean ranks"),
        ([[0, 1], [1, 0]], {"control": "A9", "adjust": "holm"}, "A9"),
        ([[0, 1], [1, 0]], {"control": "A1"}, "no logical relations"),
        ([[0, 1], [1, 0]], {"level": 1.0}, "level=1.0"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(scores, options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.mcnemar_pairs(wide(scores), **options)
