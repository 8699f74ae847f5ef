"""Pairs of algorithms that are right or wrong on the same cases: score tests."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import matched_pairs as kernel
from pycompare.methods.cases.share_pairs import share_tests, without_case
from tests.methods.cases.test_matched_shares import gpqa, of_runs, scores_of


def test_runs_have_the_numbers_of_gpqa():
    [row] = pc.share_pairs(of_runs(gpqa())).table.itertuples()
    assert_digits(row.estimate, 0.0585859, at_least=6)
    assert_digits(row.n_effective, 327.8083, at_least=6)
    assert_digits(row.p_value, 0.0375275, at_least=5)
    assert_digits(row.conf_low, 0.0034757, at_least=4.5)
    assert_digits(row.conf_high, 0.1142516, at_least=6)


@pytest.mark.parametrize("control", [None, "B"])
@pytest.mark.parametrize("n", [30, 25_000])
def test_tests_without_a_case_are_those_of_the_other_cases(n, control):
    values = (np.random.default_rng(n).random((n, 4, 1)) < 0.6).astype(float)
    names = tuple(f"c{i}" for i in range(n))
    scores = pc.Scores(values, names, tuple("ABCD"), (pc.Metric("acc", "lower"),))
    whole = share_tests(scores, control=control)
    for case in (0, 7, n - 1):
        found = without_case(whole, values[case, :, 0])
        others = share_tests(scores.taken(np.arange(n) != case), control=control)
        pd.testing.assert_frame_equal(found.table, others.table, check_exact=True)
        assert (found.p_source, found.method) == (others.p_source, others.method)
        assert (found.n_cases, found.notes) == (others.n_cases, others.notes)


@pytest.mark.parametrize("counts", [(20, 9, 2, 49), (50, 3, 3, 24), (50, 0, 0, 30)])
def test_few_cases_have_the_exact_distribution(counts):
    found = pc.share_pairs(scores_of(*counts))
    [row] = found.table.itertuples()
    assert found.p_source == "exact"
    _, only_new, only_old, _ = counts
    n = sum(counts)
    p = kernel.exact_p(only_new, only_old, n, 0.0, "two-sided")
    assert row.p_value == p
    if only_new == only_old:
        assert p == 1 and row.conf_low <= 0 <= row.conf_high


def test_many_cases_have_mcnemars_chi_squared():
    scores = scores_of(5000, 210, 160, 630)
    found = pc.share_pairs(scores)
    [row] = found.table.itertuples()
    [chi2] = pc.mcnemar_pairs(scores, p_value="chi2", adjust="none").table.itertuples()
    assert found.p_source == "score"
    assert chi2.estimate == 210 / 370 and row.estimate == (210 - 160) / 6000
    for name in ("statistic", "p_value", "only_1", "only_2"):
        assert_digits(getattr(row, name), getattr(chi2, name), at_least=12)
    limits = kernel.score_limits(210, 160, 6000, stats.norm.isf(0.025))
    assert_digits([row.conf_low, row.conf_high], limits, at_least=10)


@pytest.mark.parametrize(
    ("n", "alpha", "source"),
    [(80, 0.05, "exact"), (60, 0.01, "exact"), (60, 0.05, "score")],
)
def test_the_number_of_cases_and_alpha_decide_which_p_value(n, alpha, source):
    level = kernel.two_sided_level(n, alpha)
    assert (level > 1.1 * alpha) == (source == "exact")
    assert pc.share_pairs(scores_of(n, 0, 0, 0), alpha=alpha).p_source == source
    assert pc.share_pairs(scores_of(n - 9, 9, 0, 0), alpha=alpha).p_source == source


@pytest.mark.parametrize("adjust", ["holm", "bergmann-hommel", "hommel", "none"])
def test_no_interval_contradicts_a_decision(adjust):
    rng, rejected = np.random.default_rng(12), []
    for _ in range(60):
        hard = rng.normal(size=(int(rng.integers(8, 60)), 1))
        right = hard + 0.7 * rng.normal(size=(len(hard), 3)) > [0.0, 0.1, 0.7]
        frame = pd.DataFrame(right * 1, columns=["a", "b", "old"])
        scores = pc.Scores.from_wide(frame, metric="share", better="higher")
        for control in (None, "old"):
            if control and adjust == "bergmann-hommel":
                continue
            table = pc.share_pairs(scores, adjust=adjust, control=control).table
            decided = table["p_adjusted"] <= 0.05
            excludes = (table["conf_low"] > 0) | (table["conf_high"] < 0)
            assert (decided == excludes).all()
            assert (table["conf_low"] <= table["estimate"]).all()
            assert (table["conf_high"] >= table["estimate"]).all()
            rejected += decided.tolist()
    assert any(rejected) and not all(rejected)


def test_the_level_of_the_intervals_is_that_of_the_last_step():
    rng = np.random.default_rng(9)
    right = rng.random((400, 1)) < 0.7
    wrong = rng.random((400, 3)) < [0.02, 0.03, 0.3]
    frame = pd.DataFrame((right & ~wrong) * 1, columns=["a", "b", "c"])
    found = pc.share_pairs(pc.Scores.from_wide(frame, metric="s", better="higher"))
    assert (found.table["p_adjusted"] <= 0.05).tolist() == [False, True, True]
    assert_digits(found.level, 0.95, at_least=12)
    assert found.interval == "95% each, at the level of the last step"
    row = found.table.iloc[1]
    z = kernel.score_statistic(row["only_1"], row["only_2"], 400, row["conf_low"])
    assert_digits(z, stats.norm.isf(0.025), at_least=9)


def test_pairs_that_agree_on_every_case_have_a_note():
    found = pc.share_pairs(scores_of(40, 0, 0, 9))
    assert "agree on every case" in found.notes[0]
    assert found.table["p_value"].tolist() == [1.0]
    assert found.table["statistic"].tolist() == [0.0]


def test_few_clusters_are_refused():
    scores = of_runs(gpqa(), np.arange(198) // 20)
    with pytest.raises(pc.DesignError, match="10 clusters are too few"):
        pc.share_pairs(scores)
