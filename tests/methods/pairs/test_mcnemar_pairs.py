import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import paired_proportions as kernel
from pycompare.results.result import rejected
from tests.conftest import golden, golden_names, wide

FORMS = ("exact", "mid-p", "chi2", "chi2-corrected")


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


def of_counts(only_1: int, only_2: int) -> pc.Scores:
    return wide([[1, 0]] * only_1 + [[0, 1]] * only_2 + [[1, 1], [0, 0]])


def test_published_odds_ratio():
    # Fagerland, Lydersen and Laake (2014), airway hyper-responsiveness: 1 and 7.
    row = pc.mcnemar_pairs(of_counts(1, 7)).table.iloc[0]
    assert round(row.odds_ratio, 3) == 0.143
    assert (f"{row.odds_low:.5f}", round(row.odds_high, 2)) == ("0.00317", 1.11)


@pytest.mark.parametrize("form", FORMS)
def test_the_interval_of_two_is_that_of_the_test_of_two_algorithms(form):
    row = pc.mcnemar_pairs(of_counts(3, 11), p_value=form).table.iloc[0]
    alone = pc.mcnemar([3, 11], p_value=form)
    for name in ("estimate", "conf_low", "conf_high"):
        assert_digits(getattr(row, name), getattr(alone, name), at_least=15)
    assert_digits(row.odds_low, row.conf_low / (1 - row.conf_low), at_least=15)


def test_limits_of_mid_p_are_the_shares_whose_mid_p_value_is_what_is_left():
    for only_1, only_2 in ((0, 4), (1, 9), (6, 6), (40, 3), (120, 150)):
        n = only_1 + only_2
        low, high = kernel.limits(only_1, only_2, "mid-p", 0.9)
        if only_1:
            tail = stats.binom.sf(only_1, n, low) + stats.binom.pmf(only_1, n, low) / 2
            assert_digits(tail, 0.05, at_least=11)
        tail = stats.binom.cdf(only_1 - 1, n, high)
        tail += stats.binom.pmf(only_1, n, high) / 2
        assert_digits(tail, 0.05, at_least=11)


@pytest.mark.parametrize("form", FORMS)
def test_the_interval_excludes_a_half_exactly_where_the_test_rejects(form):
    counts = np.arange(0.0, 40.0)
    b, c = (grid.ravel() for grid in np.meshgrid(counts, counts))
    low, high = kernel.limits(b, c, form, 0.95)
    p = kernel.p_values(b, c, form)
    assert np.array_equal((low <= 0.5) & (high >= 0.5), ~rejected(p, 0.05))


@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from(FORMS))
def test_intervals_hold_the_share_and_change_sides_with_the_algorithms(b, c, form):
    low, high = kernel.limits(b, c, form, 0.9)
    assert 0 <= low <= high <= 1
    if b + c:
        assert low <= b / (b + c) <= high
    other = kernel.limits(c, b, form, 0.9)
    assert_digits(low, 1 - other[1], at_least=9)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("adjust", ["holm", "bergmann-hommel", "hommel"])
def test_no_interval_contradicts_its_decision(form, adjust):
    rng = np.random.default_rng(7)
    for trial in range(85):  # with every form and adjustment, 1,020 tables
        n, a = rng.integers(5, 80), rng.integers(2, 6)
        skill = rng.random(a) * rng.choice([0.1, 0.9])
        x = (rng.random((n, a)) < skill).astype(float)
        better = "higher" if trial % 2 else "lower"
        options = {"p_value": form, "adjust": adjust, "alpha": 0.1}
        found = pc.mcnemar_pairs(wide(x, better), **options).table
        excludes = (found["conf_low"] > 0.5) | (found["conf_high"] < 0.5)
        assert np.array_equal(excludes, rejected(found["p_adjusted"], 0.1))
        inside = (found["conf_low"] <= found["estimate"]) & (
            found["estimate"] <= found["conf_high"]
        )
        assert (inside | found["estimate"].isna()).all()


def test_pairs_that_agree_on_every_case_have_p_1():
    x = answers(30, 3, 2)
    x[:, 2] = x[:, 1]
    found = pc.mcnemar_pairs(wide(x))
    row = found.table.iloc[2]
    assert row.p_value == row.p_adjusted == 1 and math.isnan(row.estimate)
    assert math.isnan(row.odds_ratio) and (row.conf_low, row.conf_high) == (0, 1)
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
    assert up.estimate_name.endswith("the first wins")
    assert down.estimate_name.endswith("the first loses")
    assert np.array_equal(up.worse_by, -down.worse_by)
    assert_digits(up.positions, -down.positions, at_least=15)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (
            [[0, 1], [1, 0.5]],
            {},
            "1 of 2 cases has a score of 'score' other than 0 and 1",
        ),
        ([[0, 1], [1, 0]], {"p_value": "midp"}, "choose one of 'exact', 'mid-p'"),
        ([[0, 1], [1, 0]], {"adjust": "nemenyi"}, "is for mean ranks"),
        ([[0, 1], [1, 0]], {"control": "A9", "adjust": "holm"}, "A9"),
        ([[0, 1], [1, 0]], {"control": "A1"}, "no logical relations"),
        ([[0, 1], [1, 0]], {"alpha": 1.0}, "alpha=1.0"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(scores, options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.mcnemar_pairs(wide(scores), **options)
