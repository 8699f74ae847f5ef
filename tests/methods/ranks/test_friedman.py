import math

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import friedman_exact
from pycompare.kernels.ranks import midranks
from tests.conftest import golden, golden_matrix, golden_names, wide

CASES = golden_names("ranks_")


def scores_of(case: dict) -> pc.Scores:
    return pc.Scores.from_wide(
        golden_matrix(case["input"]["X"]), metric="score", better="higher"
    )


@pytest.mark.parametrize("name", CASES)
def test_agrees_with_r_friedman_test(name):
    case = golden(name)
    got, expected = pc.friedman(scores_of(case)), case["outputs"]
    r = expected["friedman_stats"]["value"]
    chi2 = r["statistic"]["Friedman chi-squared"]
    assert_digits(got.statistic, chi2, at_least=13, what="chi2")
    assert got.df == r["parameter"]["df"]
    assert_digits(got.p_value, r["p.value"], at_least=12, what="p")
    ranks = list(expected["mean_ranks_decreasing"]["value"].values())
    assert_digits(got.mean_ranks, ranks, at_least=14, what="mean ranks")
    w = expected["kendall_W_irr_tie_corrected"]["value"]["value"]
    assert_digits(got.kendall_w.estimate, w, at_least=12, what="W")


@pytest.mark.parametrize("name", CASES)
def test_uncorrected_form_agrees_with_scmamp(name):
    case = golden(name)
    got, expected = (
        pc.friedman(scores_of(case), ties="uncorrected"),
        case["outputs"],
    )
    chi2 = expected["friedman_scmamp_no_tie_correction"]["value"]["statistic"]
    # scmamp's formula cancels: 12 digits of the larger of its two terms remain.
    assert_digits(got.statistic, next(iter(chi2.values())), at_least=11.5, what="chi2")
    w = expected["kendall_W_irr_uncorrected"]["value"]["value"]
    assert_digits(got.kendall_w.estimate, w, at_least=12, what="W")


@pytest.mark.parametrize("name", CASES)
def test_iman_davenport_agrees_with_r(name):
    case = golden(name)
    got = pc.friedman(scores_of(case)).iman_davenport
    r = case["outputs"]["iman_davenport_tie_corrected"]["value"]
    assert_digits(got.statistic, next(iter(r["statistic"].values())), at_least=12)
    assert got.df == tuple(r["parameter"].values())
    if math.isfinite(got.statistic):
        assert_digits(got.p_value, next(iter(r["p.value"].values())), at_least=11)


def test_published_study_of_garcia_and_herrera(garcia_herrera):
    uncorrected = pc.friedman(garcia_herrera, ties="uncorrected")
    corrected = pc.friedman(garcia_herrera)
    ranks = uncorrected.mean_ranks.round(3).tolist()
    assert ranks == [2.100, 3.250, 2.200, 4.333, 3.117]
    assert round(uncorrected.statistic, 3) == 39.647
    assert round(corrected.statistic, 3) == 39.913
    assert round(uncorrected.iman_davenport.statistic, 3) == 14.309


def test_corrected_iman_davenport_is_the_blocked_anova_f_on_ranks(garcia_herrera):
    import statsmodels.formula.api as smf
    from statsmodels.stats.anova import anova_lm

    ranks = midranks(garcia_herrera.oriented())
    n, a = ranks.shape
    block, algorithm = np.indices((n, a))
    data = pd.DataFrame(
        {"y": ranks.ravel(), "b": block.ravel(), "t": algorithm.ravel()}
    )
    table = anova_lm(smf.ols("y ~ C(b) + C(t)", data).fit())
    got = pc.friedman(garcia_herrera).iman_davenport
    assert_digits(got.statistic, table.loc["C(t)", "F"], at_least=12)
    assert_digits(got.p_value, table.loc["C(t)", "PR(>F)"], at_least=11)


def test_two_algorithms_reduce_to_the_sign_test_statistic():
    x = np.random.default_rng(1).normal(size=(25, 2))
    wins = np.sum(x[:, 0] > x[:, 1])
    got = pc.friedman(wide(x))
    assert_digits(got.statistic, (2 * wins - 25) ** 2 / 25, at_least=14)
    exact = pc.friedman(wide(x), p_value="exact")
    assert_digits(exact.p_value, stats.binomtest(wins, 25).pvalue, at_least=13)


def test_exact_p_agrees_with_listing_all_permutations():
    from itertools import permutations, product

    ranks = midranks(np.array([[1, 2, 2], [3, 1, 2], [1, 1, 2], [5, 4, 9.0]]))
    rows = [[np.array(q) for q in permutations(row)] for row in ranks]
    observed = np.sum(ranks.sum(axis=0) ** 2)
    tables = [np.sum(np.sum(t, axis=0) ** 2) >= observed for t in product(*rows)]
    got = friedman_exact.exact_p_value(ranks)
    assert_digits(got, np.mean(tables), at_least=13)


def test_exact_p_of_the_table_published_by_friedman():
    # Friedman (1937), as in Hollander & Wolfe, table A.22: k = 3, n = 4.
    chi2_to_p = {8.0: 0.005, 6.5: 0.042, 6.0: 0.069, 4.5: 0.125}
    perfect = np.tile([1.0, 2, 3], (4, 1))
    assert round(friedman_exact.exact_p_value(perfect), 3) == chi2_to_p[8.0]
    one_swap = perfect.copy()
    one_swap[0] = [2, 1, 3]
    got = pc.friedman(wide(one_swap, better="lower"), p_value="exact")
    assert got.statistic == 6.5
    assert round(got.p_value, 3) == chi2_to_p[6.5]


def test_exact_p_refuses_a_large_table():
    with pytest.raises(pc.DesignError, match="too many for the exact"):
        friedman_exact.exact_p_value(np.tile(np.arange(1.0, 13), (20, 1)))


def test_permutation_p_is_near_the_exact_one_and_reports_its_seed():
    x = np.random.default_rng(3).normal(size=(6, 4))
    exact = pc.friedman(wide(x), p_value="exact").p_value
    got = pc.friedman(wide(x), p_value="permutation", resamples=20_000, seed=7)
    error = 4 * math.sqrt(exact * (1 - exact) / 20_000)
    assert abs(got.p_value - exact) < error
    assert "seed 7" in got.notes[0]
    again = pc.friedman(wide(x), p_value="permutation", resamples=20_000, seed=7)
    assert again.p_value == got.p_value


def test_perfect_agreement_has_infinite_f_and_the_exact_p():
    got = pc.friedman(wide(np.tile([3.0, 2, 1], (5, 1)))).iman_davenport
    assert math.isinf(got.statistic)
    assert_digits(got.p_value, 6.0**-4, at_least=14)
    assert got.p_source == "exact"


def test_float_noise_does_not_split_ties():
    clean = [[0.3, 0.3, 0.1], [0.2, 0.1, 0.3], [0.5, 0.4, 0.3]]
    noisy = [[0.1 + 0.2, 0.3, 0.1], [0.2, 0.1, 0.3], [0.5, 0.4, 0.3]]
    assert noisy[0][0] != clean[0][0]
    expected = pc.friedman(wide(clean)).statistic
    assert pc.friedman(wide(noisy)).statistic == expected


def test_one_huge_score_does_not_tie_the_others():
    got = pc.friedman(wide([[1e20, 0.1, 0.2], [1e20, 0.1, 0.2]], better="lower"))
    assert got.mean_ranks.tolist() == [3, 1, 2]


def test_decimals_decide_what_ties():
    x = [[0.811, 0.812, 0.5], [0.7, 0.6, 0.5], [0.9, 0.8, 0.7]]
    assert pc.friedman(wide(x), decimals=2).mean_ranks.iloc[0] == pytest.approx(3.5 / 3)
    assert pc.friedman(wide(x)).mean_ranks.iloc[0] == pytest.approx(4 / 3)


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_scale_does_not_matter(scale, garcia_herrera):
    x = garcia_herrera.column()
    got = pc.friedman(wide(x * scale))
    assert got.statistic == pc.friedman(garcia_herrera).statistic


def test_all_tied_is_undefined_with_a_reason_and_never_rejected():
    got = pc.friedman(wide(np.ones((4, 3))))
    assert math.isnan(got.statistic)
    assert math.isnan(got.p_value)
    assert "no difference can be tested" in got.notes[0]
    assert not got.rejected(0.05)


def test_missing_cells_are_refused_with_what_to_do():
    x = np.array([[1.0, 2, np.nan], [1, 2, 3], [2, 1, 3]])
    with pytest.raises(pc.DesignError, match="skillings_mack"):
        pc.friedman(wide(x, missing="model"))


@pytest.mark.parametrize(
    ("option", "value"),
    [("ties", "yes"), ("p_value", "normal"), ("decimals", 1.5), ("level", 1.0)],
)
def test_unknown_words_are_refused(option, value, garcia_herrera):
    with pytest.raises(pc.InputError):
        pc.friedman(garcia_herrera, **{option: value})


def test_kendall_w_interval_holds_its_level():
    rng = np.random.default_rng(11)
    effects = np.array([0.0, 0.3, 0.6, 0.9])
    # The population value of W for n blocks, by one very long run.
    many = midranks(rng.normal(size=(200_000, 4)) + effects)
    r = np.sum((many.mean(axis=0) - 2.5) ** 2) / 5
    n, runs = 20, 400
    truth = (1 + (n - 1) * r) / n
    hits = 0
    for _ in range(runs):
        w = pc.friedman(wide(rng.normal(size=(n, 4)) + effects, "lower")).kendall_w
        hits += w.conf_low <= truth <= w.conf_high
    assert 0.93 <= hits / runs <= 0.99


@pytest.mark.parametrize(
    "table",
    [
        [[1, 2.0]] * 15 + [[2, 1.0]] * 15,
        [[1, 2, 3], [2, 3, 1], [3, 1, 2.0]],
        [[1, 1, 1.0]] * 4,
        [[1, 2, 3.0]] * 6,
    ],
)
def test_kendall_w_has_no_interval_without_spread(table):
    for ties in ("corrected", "uncorrected"):
        w = pc.friedman(wide(table), ties=ties).kendall_w
        assert math.isnan(w.conf_low) and math.isnan(w.conf_high)
        assert "superiority" in w.notes[0]


def test_kendall_w_lies_in_its_interval():
    rng = np.random.default_rng(4)
    for _ in range(300):
        x = rng.integers(0, 4, size=(rng.integers(3, 9), rng.integers(3, 6)))
        w = pc.friedman(wide(x)).kendall_w
        if not math.isnan(w.conf_low):
            assert 0 <= w.conf_low <= w.estimate <= w.conf_high <= 1


@pytest.mark.parametrize("decimals", [400, 330])
def test_more_decimals_than_a_double_holds_are_refused(decimals, garcia_herrera):
    with pytest.raises(pc.InputError, match="decimals"):
        pc.friedman(garcia_herrera, decimals=decimals)


@pytest.mark.parametrize("test", [pc.aligned_ranks, pc.quade])
def test_the_largest_scores_do_not_overflow(test):
    u = np.random.default_rng(5).uniform(-1, 1, size=(8, 4))
    assert test(wide(u * 1e301)).statistic == pytest.approx(test(wide(u)).statistic)
    assert test(wide(abs(u) * 1e301)).statistic == pytest.approx(
        test(wide(abs(u))).statistic
    )


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_kendall_w_interval_is_the_jackknife_of_the_mean_rank_correlation(level):
    x = np.random.default_rng(12).normal(size=(9, 4)) + np.arange(4) / 2
    n = len(x)

    def r(values):
        w = pc.friedman(wide(values)).kendall_w.estimate
        return (len(values) * w - 1) / (len(values) - 1)

    pseudo = [n * r(x) - (n - 1) * r(np.delete(x, i, axis=0)) for i in range(n)]
    error = np.std(pseudo, ddof=1) / math.sqrt(n) / (1 - r(x) ** 2)
    half = stats.t.ppf((1 + level) / 2, n - 1) * error
    z = np.tanh(np.arctanh(r(x)) + np.array([-half, half]))
    expected = np.maximum(0, (1 + (n - 1) * z) / n)
    got = pc.friedman(wide(x), level=level).kendall_w
    assert_digits([got.conf_low, got.conf_high], expected, at_least=9)


def test_kendall_w_interval_keeps_its_digits_near_level_1():
    n = 40
    x = np.random.default_rng(4).normal(size=(n, 3)) + np.arange(3)

    def width(level):
        w = pc.friedman(wide(x, "lower"), level=level).kendall_w
        # The mean rank correlation of two blocks, on the scale of Fisher's z.
        limit, estimate = ((n * r - 1) / (n - 1) for r in (w.conf_high, w.estimate))
        return np.arctanh(limit) - np.arctanh(estimate)

    level = 1 - 1e-9
    wanted = [-special.stdtrit(n - 1, (1 - one) / 2) for one in (level, 0.95)]
    assert_digits(width(level) / width(0.95), np.divide(*wanted), at_least=10)
