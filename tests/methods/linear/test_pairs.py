import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_names, wide
from tests.methods.linear.witness import gappy, scores_of

CASES = golden_names("ranks_")
METHODS = [pc.tukey, pc.scheffe, pc.pairwise_t]


@pytest.mark.parametrize("name", CASES)
def test_tukey_agrees_with_emmeans(name):
    case = golden(name)
    got = pc.tukey(scores_of(case)).table
    outputs = case["outputs"]
    expected = outputs["emmeans_tukey_blocked"]["value"]
    estimate = np.atleast_1d(expected["estimate"])
    # Means that are equal on paper differ by rounding in R.
    size = np.abs(np.array(case["input"]["X"]["matrix"], float)).max()
    assert np.abs(got["estimate"] - estimate).max() < 1e-13 * size
    error = np.atleast_1d(expected["SE"])
    assert_digits(got["std_error"], error, at_least=12)
    assert_digits(got["df"], np.atleast_1d(expected["df"]), at_least=15)
    # ptukey has absolute accuracy only.
    p = np.atleast_1d(outputs["tukeyHSD_blocked_p_upper"]["value"])
    assert np.abs(got["p_adjusted"] - p).max() < 1e-8


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("form", ["blocked", "oneway"])
def test_tukey_intervals_agree_with_tukeyhsd(name, form):
    case = golden(name)
    got = pc.tukey(scores_of(case), blocked=form == "blocked").table
    r = np.array(case["outputs"][f"tukeyHSD_{form}"]["value"]["matrix"], float)
    size = np.abs(np.array(case["input"]["X"]["matrix"], float)).max()
    # TukeyHSD subtracts the other way round; qtukey has 4 to 7 digits.
    assert np.abs(got["estimate"] + r[:, 0]).max() < 1e-12 * size
    half = (r[:, 2] - r[:, 1]) / 2
    assert_digits((got["conf_high"] - got["conf_low"]) / 2, half, at_least=4)
    assert np.abs(got["p_adjusted"] - r[:, 3]).max() < 1e-8


def test_tukey_agrees_with_r_on_warpbreaks_and_npk():
    case = golden("classic_warpbreaks")
    d = pd.DataFrame({k: case["input"][k] for k in ("breaks", "tension")})
    x = np.stack([d["breaks"][d["tension"] == t] for t in "LMH"], axis=1)
    got = pc.tukey(wide(x), blocked=False).table
    r = np.array(case["outputs"]["tukey_tension_oneway"]["value"]["matrix"])
    assert_digits(got["estimate"], -r[:, 0], at_least=12)
    assert_digits(got["conf_low"], -r[:, 2], at_least=7)
    assert_digits(got["p_adjusted"], r[:, 3], at_least=8)


def test_tukey_one_way_is_that_of_scipy():
    x = np.random.default_rng(1).normal(size=(9, 4)) + np.arange(4)
    got = pc.tukey(wide(x), blocked=False)
    theirs = stats.tukey_hsd(*x.T)
    upper = np.triu_indices(4, 1)
    assert_digits(got.table["p_adjusted"], theirs.pvalue[upper], at_least=7)
    low = theirs.confidence_interval(0.95).low[upper]
    assert_digits(got.table["conf_low"], low, at_least=5)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("blocked", [True, False])
def test_two_algorithms_reduce_to_t(method, blocked):
    x = np.random.default_rng(2).normal(size=(12, 2))
    test = stats.ttest_rel if blocked else stats.ttest_ind
    expected = test(x[:, 0], x[:, 1])
    row = method(wide(x), blocked=blocked).table.iloc[0]
    assert_digits(row["statistic"], expected.statistic, at_least=13)
    assert_digits(row["p_value"], expected.pvalue, at_least=12)
    assert_digits(row["p_adjusted"], expected.pvalue, at_least=12)
    interval = expected.confidence_interval(0.95)
    assert_digits(row["conf_low"], interval.low, at_least=12)
    assert_digits(row["conf_high"], interval.high, at_least=12)


def test_dunnett_with_one_comparison_is_t():
    x = np.random.default_rng(3).normal(size=(12, 2))
    expected = stats.ttest_rel(x[:, 1], x[:, 0])
    row = pc.dunnett(wide(x), control="A1").table.iloc[0]
    assert_digits(row["p_adjusted"], expected.pvalue, at_least=12)
    assert (row["algorithm_1"], row["algorithm_2"]) == ("A2", "A1")


def test_scheffe_is_never_below_tukey(garcia_herrera):
    for scores in (garcia_herrera, gappy()):
        tukey, scheffe = pc.tukey(scores).table, pc.scheffe(scores).table
        assert (scheffe["p_adjusted"] >= tukey["p_adjusted"]).all()
        assert (scheffe["conf_low"] <= tukey["conf_low"]).all()
        assert (tukey["p_adjusted"] >= tukey["p_value"]).all()


def test_dunnett_is_never_above_bonferroni_nor_below_t(garcia_herrera):
    control = garcia_herrera.algorithms[2]
    dunnett = pc.dunnett(garcia_herrera, control=control).table
    t = pc.pairwise_t(garcia_herrera, control=control, adjust="bonferroni").table
    assert (dunnett["p_adjusted"] <= t["p_adjusted"] * (1 + 1e-12)).all()
    assert (dunnett["p_adjusted"] >= t["p_value"]).all()
    assert_digits(dunnett["estimate"], t["estimate"], at_least=15)


@pytest.mark.parametrize("method", [pc.tukey, pc.scheffe, pc.pairwise_t])
def test_an_interval_leaves_out_zero_where_the_pair_is_rejected(method, garcia_herrera):
    options = {"adjust": "bonferroni"} if method is pc.pairwise_t else {}
    got = method(garcia_herrera, level=0.99, **options)
    outside = got.table["conf_low"] * got.table["conf_high"] > 0
    assert outside.tolist() == got.rejected(0.01).tolist()
    assert outside.any() and not outside.all()


def test_dunnett_agrees_with_scipy_to_its_noise():
    x = np.random.default_rng(4).normal(size=(10, 4)) + np.array([0, 0.5, 1, 1])
    theirs = stats.dunnett(*x[:, 1:].T, control=x[:, 0], rng=np.random.default_rng(1))
    ours = pc.dunnett(wide(x), control="A1", blocked=False)
    assert np.abs(ours.table["p_adjusted"] - theirs.pvalue).max() < 3e-4


def test_dunnett_with_gaps_says_where_its_p_values_are_random():
    uneven = pc.dunnett(gappy(), control="A1", blocked=False)
    assert uneven.table["p_adjusted"].notna().all() and uneven.seed is None
    assert pc.dunnett(gappy(), control="A1").seed is None
    random = pc.dunnett(gappy(a=6), control="A1")
    assert random.table["p_adjusted"].notna().all() and random.seed == 0


def test_missing_cells_give_each_contrast_its_own_error():
    scores = gappy()
    got = pc.tukey(scores)
    assert got.method == "Tukey-Kramer"
    assert got.table["std_error"].nunique() > 1
    # Least squares by numpy over treatment columns, an independent route.
    x = scores.column()
    rows, at = np.nonzero(~np.isnan(x))
    design = np.hstack([np.eye(len(x))[rows], np.eye(x.shape[1])[at][:, 1:]])
    solution, residual, *_ = np.linalg.lstsq(design, x[rows, at], rcond=None)
    covariance = np.linalg.inv(design.T @ design)
    contrast = np.zeros(design.shape[1])
    contrast[len(x) + 1], contrast[len(x) + 2] = 1, -1  # A3 - A4
    row = got.table.iloc[-1]
    assert_digits(row["estimate"], contrast @ solution, at_least=11)
    df = len(rows) - design.shape[1]
    variance = contrast @ covariance @ contrast * residual[0] / df
    assert_digits(row["std_error"], math.sqrt(variance), at_least=11)
    means = solution[: len(x)].mean() + np.append(0, solution[len(x) :])
    assert_digits(got.means, means, at_least=11)


def test_pairwise_t_is_adjusted_as_adjust_does(garcia_herrera):
    raw = pc.pairwise_t(garcia_herrera, adjust="none").table["p_value"]
    for name in ("holm", "BH", "hommel"):
        got = pc.pairwise_t(garcia_herrera, adjust=name).table["p_adjusted"]
        assert_digits(got, pc.adjust(raw, name), at_least=15)
    with pytest.raises(pc.InputError, match="choose 'tukey' or 'holm'"):
        pc.pairwise_t(garcia_herrera, adjust="nemenyi")
    with pytest.raises(pc.InputError, match="all pairs"):
        pc.pairwise_t(garcia_herrera, adjust="shaffer", control="CN2")
    with pytest.raises(pc.InputError, match="not an algorithm"):
        pc.dunnett(garcia_herrera, control="nobody")


def test_perfect_fits_are_told_and_not_hidden():
    x = np.arange(5.0)[:, None] + np.array([0.0, 0.0, 3.0])
    got = pc.tukey(wide(x))
    assert math.isnan(got.table["p_adjusted"][0])
    assert got.table["statistic"][1] == -math.inf
    assert got.table["p_adjusted"][1] == 3 / 16
    assert "residual variance is zero" in got.notes[0]


def test_higher_is_better_turns_positions_and_not_estimates():
    x = np.random.default_rng(5).normal(size=(8, 3))
    up, down = pc.tukey(wide(x, "higher")), pc.tukey(wide(x, "lower"))
    assert up.table.equals(down.table)
    assert_digits(up.positions, -down.positions, at_least=15)
    assert_digits(up.means, x.mean(axis=0), at_least=13)


def test_algorithms_share_a_letter_where_their_pair_is_not_rejected(garcia_herrera):
    pairs = pc.tukey(garcia_herrera)
    shown = pc.letters(pairs)
    p = pairs.matrix()
    for first in shown.index:
        for second in shown.index:
            if first != second:
                shared = bool(set(shown[first]) & set(shown[second]))
                assert shared == (p.loc[first, second] > 0.05)
    assert shown.iloc[0] == "a"
    assert list(shown.index) == list(pairs.positions.sort_values().index)


def test_letters_go_on_after_z():
    x = np.random.default_rng(6).normal(size=(4, 28)) * 1e-3 + np.arange(28) * 10
    shown = pc.letters(pc.tukey(wide(x, "lower")))
    assert shown.iloc[[0, 25, 26, 27]].tolist() == ["a", "z", "a1", "b1"]
