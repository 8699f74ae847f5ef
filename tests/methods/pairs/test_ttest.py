import math

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_names, wide

FORMS = {"t": "two-sided", "t_less": "less", "t_greater": "greater"}
# Student's (1908) extra hours of sleep, as in R's data set sleep.
SLEEP = np.transpose(
    [
        [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
        [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
    ]
)


def of_differences(d, better="higher") -> pc.Scores:
    d = np.asarray(d, float)
    return wide(np.stack([d, np.zeros_like(d)], axis=1), better)


@pytest.mark.parametrize("name", golden_names("paired_"))
@pytest.mark.parametrize("entry", FORMS)
def test_agrees_with_r(name, entry):
    case = golden(name)
    expected = case["outputs"][entry]["value"]
    found = pc.paired_t(of_differences(case["input"]["d"]), alternative=FORMS[entry])
    assert_digits(found.statistic, expected["statistic"]["t"], at_least=14)
    assert found.df == expected["parameter"]["df"]
    assert_digits(found.p_value, expected["p.value"], at_least=13)
    assert_digits(found.estimate, expected["estimate"]["mean of x"], at_least=14)
    interval = [found.conf_low, found.conf_high]
    assert_digits(interval, expected["conf.int"], at_least=13)


@pytest.mark.parametrize("name", golden_names("ranks_sim"))
def test_any_two_of_many_algorithms_agree_with_r(name):
    case = golden(name)
    x = np.array(case["input"]["X"]["matrix"], float)
    scores = wide(x)
    expected = stats.ttest_rel(x[:, 0], x[:, 2])
    found = pc.paired_t(scores, algorithms=("A1", "A3"))
    assert_digits(found.statistic, expected.statistic, at_least=12)
    assert_digits(found.p_value, expected.pvalue, at_least=11)


def test_students_sleep():
    found = pc.paired_t(wide(SLEEP))
    # R's help page of t.test: t = -4.0621, df = 9, p-value = 0.002833.
    assert round(found.statistic, 4) == -4.0621
    assert round(found.p_value, 6) == 0.002833
    assert [round(v, 7) for v in (found.conf_low, found.conf_high)] == [
        -2.4598858,
        -0.7001142,
    ]


@pytest.mark.parametrize("alternative", FORMS.values())
def test_direction_is_first_minus_second_in_the_unit_of_the_metric(alternative):
    x = np.random.default_rng(3).normal(size=(9, 2))
    up = pc.paired_t(wide(x, "higher"), alternative=alternative)
    down = pc.paired_t(wide(x, "lower"), alternative=alternative)
    assert up.to_frame().equals(down.to_frame())
    assert up.estimate == pytest.approx(np.mean(x[:, 0] - x[:, 1]), rel=1e-14)


def test_exchanging_the_algorithms_mirrors_everything():
    x = np.random.default_rng(4).normal(size=(9, 2))
    one = pc.paired_t(wide(x), alternative="less")
    other = pc.paired_t(wide(x), alternative="greater", algorithms=("A2", "A1"))
    assert one.p_value == other.p_value and one.statistic == -other.statistic
    assert (one.conf_low, one.conf_high) == (-other.conf_high, -other.conf_low)
    assert one.effect.conf_low == -other.effect.conf_high


def test_no_overlap_is_the_ordinary_test_and_more_overlap_a_smaller_t():
    scores = wide(np.random.default_rng(5).normal([1, 0], size=(30, 2)))
    plain = pc.paired_t(scores)
    tiny = pc.paired_t(scores, n_train=1e18, n_test=1)
    assert_digits(tiny.statistic, plain.statistic, at_least=14)
    corrected = pc.paired_t(scores, n_train=90, n_test=10)
    # Nadeau and Bengio: 1/n becomes 1/n + n_test/n_train.
    ratio = math.sqrt((1 / 30) / (1 / 30 + 1 / 9))
    assert_digits(corrected.statistic, plain.statistic * ratio, at_least=14)
    assert corrected.df == 29 and corrected.p_value > plain.p_value
    assert corrected.effect.estimate == plain.effect.estimate


def test_interval_of_the_mean_holds_zero_just_when_p_is_above_alpha():
    rng = np.random.default_rng(6)
    for _ in range(50):
        found = pc.paired_t(wide(rng.normal([1.2, 0], size=(6, 2))), level=0.9)
        covers = found.conf_low < 0 < found.conf_high
        assert covers == (not found.rejected(0.1))
        assert (found.effect.conf_low < 0 < found.effect.conf_high) == covers


def test_limits_of_cohens_dz_invert_the_noncentral_t():
    found = pc.paired_t(wide(SLEEP))
    t, df, root = found.statistic, found.df, math.sqrt(10)
    for limit, p in ((found.effect.conf_low, 0.025), (found.effect.conf_high, 0.975)):
        assert stats.nct.sf(t, df, limit * root) == pytest.approx(p, rel=1e-8)
    assert found.effect.estimate == pytest.approx(t / root, rel=1e-14)


def test_equal_differences_are_flagged_and_keep_an_exact_p_value():
    # 0.1 + 0.2 - 0.3 is not 0 in binary: the differences are equal up to rounding.
    x = [[0.3, 0.1], [0.1 + 0.2, 0.1], [0.7, 0.5], [0.9, 0.7]]
    for alternative, p in (("two-sided", 1 / 8), ("greater", 1 / 16), ("less", 1.0)):
        found = pc.paired_t(wide(x), alternative=alternative)
        assert found.statistic == math.inf and found.p_value == p
        assert found.p_source == "exact" and "variance is zero" in found.notes[0]
        assert math.isnan(found.conf_low) and math.isnan(found.effect.conf_high)
    mirrored = pc.paired_t(wide(x), algorithms=("A2", "A1"), alternative="less")
    assert mirrored.statistic == -math.inf and mirrored.p_value == 1 / 16


def test_equal_algorithms_cannot_be_tested():
    found = pc.paired_t(wide([[0.3, 0.1 + 0.2], [0.5, 0.5], [0.7, 0.7]]))
    assert math.isnan(found.statistic) and math.isnan(found.p_value)
    assert found.estimate == 0 and "no difference can be tested" in found.notes[0]
    assert not found.rejected(0.05)


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 1e9, 1e299])
def test_the_unit_changes_no_digit_of_the_test(scale):
    x = np.random.default_rng(7).normal(size=(8, 2))
    one, other = pc.paired_t(wide(x)), pc.paired_t(wide(x * scale))
    assert_digits(other.statistic, one.statistic, at_least=13)
    assert_digits(other.conf_low, one.conf_low * scale, at_least=13)


def test_what_does_not_fit_is_refused_by_name(garcia_herrera):
    with pytest.raises(pc.DesignError, match="name two, algorithms="):
        pc.paired_t(garcia_herrera)
    with pytest.raises(pc.InputError, match="give two names"):
        pc.paired_t(garcia_herrera, algorithms=("C4.5",))
    with pytest.raises(pc.InputError, match="nothing"):
        pc.paired_t(garcia_herrera, algorithms=("C4.5", "nothing"))
    scores = wide(SLEEP)
    with pytest.raises(pc.InputError, match=r"alternative='two\.sided'"):
        pc.paired_t(scores, alternative="two.sided")
    with pytest.raises(pc.InputError, match="both n_train and n_test"):
        pc.paired_t(scores, n_train=90)
    with pytest.raises(pc.InputError, match="n_test=0"):
        pc.paired_t(scores, n_train=90, n_test=0)
    with pytest.raises(pc.InputError, match="level=95"):
        pc.paired_t(scores, level=95)
    with pytest.raises(pc.InputError, match="too small for a double"):
        pc.paired_t(wide([[1e-320, 0.0], [0.0, 0.0]]))
    with pytest.raises(pc.InputError, match="expected Scores"):
        pc.paired_t(SLEEP)


def test_missing_cells_of_other_algorithms_do_not_matter():
    x = np.random.default_rng(8).normal(size=(6, 3))
    x[2, 2] = np.nan
    scores = wide(x, missing="model")
    assert pc.paired_t(scores, algorithms=("A1", "A2")).n_blocks == 6
    with pytest.raises(pc.DesignError, match="missing"):
        pc.paired_t(scores, algorithms=("A1", "A3"))


def test_summary_gives_the_difference_and_its_interval():
    text = pc.paired_t(wide(SLEEP)).summary(digits=4)
    assert "mean difference of score = −1.580" in text
    assert "[−2.460, −0.7001]" in text
    assert "V = " in pc.wilcoxon(wide(SLEEP)).summary()
    one_sided = pc.mcnemar([3, 9], alternative="less").summary()
    assert "share of algorithm_1 in the discordant cases = 0.25" in one_sided
    assert "one-sided interval [0, " in one_sided


def test_differences_of_large_scores_are_not_joined():
    # At 1e12 with spread 1, what 64 units in the last place hold is no rounding.
    d = np.array([0.01, -0.012, 0.3, 0.5, -0.2, 0.004, 0.6, 0.1])
    x = 1e12 + np.stack([d, np.zeros_like(d)], axis=1)
    exact = x[:, 0] - x[:, 1]
    found = pc.paired_t(wide(x))
    assert_digits(found.p_value, stats.ttest_1samp(exact, 0).pvalue, at_least=12)
    corrected = pc.corrected_pairs(wide(x), n_train=9, n_test=1).table
    alone = pc.paired_t(of_differences(exact), n_train=9, n_test=1)
    assert_digits(corrected["p_value"][0], alone.p_value, at_least=12)
    # Ranks and signs still tie there.
    assert pc.sign_test(wide(x)).n_used == 5


@pytest.mark.parametrize("ulps", [0, 2, 6, 12, 20, 60])
def test_what_counts_as_equal_is_the_same_in_an_analysis_of_variance(ulps):
    x = np.array([[0.75, 0.5], [0.5, 0.25], [0.8125, 0.5625], [0.9375, 0.6875]])
    for shift in (0.0, 0.25):
        y = x - [shift, 0.0]
        y[0, 0] += ulps * np.finfo(float).eps / 2
        t, f = pc.paired_t(wide(y)), pc.anova(wide(y))
        assert math.isnan(t.statistic) == math.isnan(f.statistic)
        assert math.isinf(t.statistic) == math.isinf(f.statistic)
        if math.isinf(t.statistic):
            assert f.p_value == t.p_value == 1 / 8
