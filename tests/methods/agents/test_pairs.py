"""Pairs of algorithms over tasks and runs."""

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.base.testing import assert_digits
from tests.methods.agents.witness import STORED, normalised
from validation.checks.agents import scores_of_runs
from validation.run_aggregates import scores_of

AHEAD = "probability_of_improvement"


def of(result, quantity):
    """Return the rows of one quantity."""
    return result.table[result.table["quantity"] == quantity].reset_index(drop=True)


def test_the_probability_of_improvement_is_rliables():
    pairs = pc.run_pairs(normalised([0, 1], [2, 3, 4]))
    wanted = STORED["improvement"]["runs 1 and 2 over 3 to 5"]
    assert_digits(of(pairs, AHEAD)["estimate"][0], wanted, at_least=14, what="P")


def test_the_example_in_rliables_tests_has_its_probability():
    x, y = (np.array(STORED["tiny"][name], float).T for name in "xy")
    runs = np.full((2, 2, 4), np.nan)
    runs[:, 0], runs[:, 1, :3] = x, y
    pairs = pc.run_pairs(scores_of(runs))
    wanted = STORED["improvement"]["tiny"]
    assert_digits(of(pairs, AHEAD)["estimate"][0], wanted, at_least=14, what="P")
    assert wanted == pytest.approx(1 / 3)


def test_one_task_is_the_area_with_the_variance_of_delong():
    """Two tasks with the same runs: the mean of two areas, half the variance."""
    rng = np.random.default_rng(1)
    x, y = rng.normal(0.5, 1, 9), rng.normal(0, 1, 7)
    runs = np.full((2, 2, 9), np.nan)
    runs[:, 0], runs[:, 1, :7] = x, y
    row = of(pc.run_pairs(scores_of(runs)), AHEAD).iloc[0]
    label, score = np.r_[np.ones(9), np.zeros(7)], np.r_[x, y]
    area = pc.auc_interval(label, score, positive=1, method="delong")
    assert_digits(row["estimate"], area.estimate, at_least=13, what="area")
    assert_digits(
        row["std_error"] ** 2, area.std_error**2 / 2, at_least=12, what="variance"
    )


def test_the_difference_of_means_of_one_task_twice_is_welchs():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=6), rng.normal(0, 3, 6)
    row = of(pc.run_pairs(scores_of(np.stack([[x, y], [x, y]]))), "mean").iloc[0]
    welch = stats.ttest_ind(x, y, equal_var=False)
    assert_digits(row["std_error"] * 2**0.5 * welch.statistic,
                  x.mean() - y.mean(), at_least=12, what="error")  # fmt: skip
    assert_digits(row["df"], 2 * welch.df, at_least=12, what="df")


@pytest.mark.parametrize("interval", ["t", "bootstrap"])
def test_a_pair_turned_round_has_the_mirrored_numbers(interval):
    scores = scores_of_runs(6, 3, 4, 3, ties=True)
    pairs = pc.run_pairs(scores, control="A1", interval=interval)
    turned = pc.run_pairs(scores, control="A2", interval=interval)
    for quantity in (AHEAD, "iqm", "mean"):
        one = of(pairs, quantity).query("algorithm_2 == 'A2' or algorithm_1 == 'A2'")
        two = of(turned, quantity).query("algorithm_2 == 'A1' or algorithm_1 == 'A1'")
        [one], [two] = one.to_dict("records"), two.to_dict("records")
        sign = 1 if one["algorithm_1"] == two["algorithm_1"] else -1
        centre = 1.0 if quantity == AHEAD and sign < 0 else 0.0
        assert two["estimate"] == pytest.approx(centre + sign * one["estimate"])
        ends = [centre + sign * one[f"conf_{end}"] for end in ("low", "high")]
        assert sorted(ends) == pytest.approx([two["conf_low"], two["conf_high"]])


def test_differences_are_those_of_the_aggregates():
    scores = scores_of_runs(7, 3, 4, 4)
    table = pc.run_aggregates(scores, gamma=0.9).table
    means = table.pivot(index="algorithm", columns="aggregate", values="estimate")
    for row in pc.run_pairs(scores, gamma=0.9).table.to_dict("records"):
        if row["quantity"] != AHEAD:
            own = means[row["quantity"]]
            wanted = own[row["algorithm_1"]] - own[row["algorithm_2"]]
            assert row["estimate"] == pytest.approx(wanted, rel=1e-12)


def test_complete_separation_has_no_interval_and_a_note():
    runs = np.random.default_rng(5).random((3, 2, 4)) + np.array([[[9.0], [0.0]]])
    for interval in ("t", "bootstrap"):
        pairs = pc.run_pairs(scores_of(runs), interval=interval)
        row = of(pairs, AHEAD).iloc[0]
        assert row["estimate"] == 1.0
        assert np.isnan(row["conf_low"])
        assert "1 of 1 pairs have no interval" in pairs.notes[0]


def test_limits_of_a_probability_stay_within_0_and_1():
    runs = np.random.default_rng(6).random((2, 2, 3)) + np.array([[[0.6], [0.0]]])
    row = of(pc.run_pairs(scores_of(runs)), AHEAD).iloc[0]
    assert row["conf_low"] >= 0
    assert row["conf_high"] == 1.0


def test_an_unknown_control_is_named():
    with pytest.raises(InputError, match="control 'B1' is not an algorithm"):
        pc.run_pairs(scores_of_runs(4, 2, 3, 7), control="B1")
