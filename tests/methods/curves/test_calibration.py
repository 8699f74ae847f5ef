"""Calibration error within bins: estimate, test, limits."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels.binned_calibration import bin_of, binned, share_above

MASS = {"positive": True, "bins": "equal-mass", "n_bins": 10}


def cases(n=400, slope=1.0, seed=1):
    rng = np.random.default_rng(seed)
    score = rng.beta(0.8, 1.5, size=n)
    odds = (score / (1 - score)) ** slope
    return rng.random(n) < odds / (1 + odds), score


def test_the_square_is_the_mean_over_pairs_of_cases():
    label, score = cases(60)
    found = pc.calibration_error(
        label, score, positive=True, bins="equal-width", n_bins=3
    )
    d, total = label - score, 0.0
    for low in (0, 1 / 3, 2 / 3):
        of = d[(score >= low) & (score < low + 1 / 3)]
        pairs = np.outer(of, of)
        total += len(of) * pairs[~np.eye(len(of), dtype=bool)].mean()
    assert_digits(found.table["squared"], [total / 60], at_least=12)
    assert_digits(found.table["estimate"] ** 2, [max(total / 60, 0)], at_least=12)


def test_one_score_in_each_bin_is_the_estimate_of_kumar():
    rng = np.random.default_rng(2)
    score = rng.choice([0.1, 0.3, 0.6, 0.9], size=400)
    label = rng.random(400) < score**1.3
    found = pc.calibration_error(
        label, score, positive=True, bins="equal-width", n_bins=5
    )
    # uncertainty-calibration 0.1.4, unbiased_square_ce
    assert_digits(found.table["squared"], [4.163899365490827e-05], at_least=9)


def test_bins_of_equal_mass_hold_equally_many_cases_and_ties_stay_together():
    label, score = cases()
    found = pc.calibration_error(label, score, **MASS)
    assert list(found.by_bin["n"]) == [40] * 10
    tied = np.round(score, 1)
    by_bin = pc.calibration_error(label, tied, **MASS).by_bin
    assert by_bin["n"].sum() == 400
    for low, high in zip(by_bin["low"], by_bin["high"], strict=True):
        inside = ((tied >= low) & (tied < high)) | ((high == 1) & (tied == 1))
        assert inside.sum() in set(by_bin["n"])


def test_the_p_value_is_the_share_of_calibrated_outcomes_as_extreme():
    label, score = cases(300, slope=0.8)
    of = binned(score, label, bin_of(score, "equal-mass", 10)[0])
    rng = np.random.default_rng(3)
    drawn = rng.random((40_000, 300)) < score
    place = bin_of(score, "equal-mass", 10)[0]
    gaps = np.array([(drawn - score)[:, place == b].mean(axis=1) for b in range(10)])
    share = np.mean((gaps**2).T @ of.weight >= of.plug_in)
    assert share_above(of, 0.0) == pytest.approx(share, abs=0.006)


def test_the_tail_is_a_noncentral_chi_squared_if_all_bins_are_alike():
    score = np.full(500, 0.5)
    label = np.arange(500) % 100 < 57
    of = binned(score, label, np.repeat(np.arange(5), 100))
    error = 0.1
    # variance of a gap with a share of 0.6; five equal gaps, five degrees of freedom
    unit = 0.6 * 0.4 / 100
    exact = stats.ncx2.sf(5 * of.plug_in / unit, 5, 5 * error**2 / unit)
    assert share_above(of, error) == pytest.approx(exact, abs=0.002)


@pytest.mark.parametrize("slope", [1.0, 0.4])
def test_the_interval_begins_at_0_exactly_if_calibration_is_not_rejected(slope):
    for seed in range(40):
        row = pc.calibration_error(*cases(200, slope, seed), **MASS).table.iloc[0]
        assert (row["conf_low"] == 0) == (row["p_value"] >= 0.025)
        assert row["conf_low"] <= row["conf_high"] <= 1


def test_a_wider_level_has_a_wider_interval():
    rows = [
        pc.calibration_error(*cases(slope=0.5), **MASS, level=level).table.iloc[0]
        for level in (0.8, 0.95, 0.99)
    ]
    assert sorted(r["conf_low"] for r in rows)[::-1] == [r["conf_low"] for r in rows]
    assert sorted(r["conf_high"] for r in rows) == [r["conf_high"] for r in rows]


def test_the_other_class_and_another_order_have_the_same_error():
    label, score = cases()
    at = np.random.default_rng(4).permutation(len(label))
    width = {"bins": "equal-width", "n_bins": 7}
    one = pc.calibration_error(label, score, positive=True, **width).table
    moved = pc.calibration_error(label[at], score[at], positive=True, **width).table
    other = pc.calibration_error(label, 1 - score, positive=False, **width).table
    for name in ("squared", "p_value", "conf_low", "conf_high"):
        assert_digits(moved[name], one[name], at_least=9)
        assert_digits(other[name], one[name], at_least=9)


def test_the_top_label_is_a_binary_outcome():
    rng = np.random.default_rng(5)
    p = rng.dirichlet([1, 1, 2], size=300)
    label = np.array(["a", "b", "c"])[[rng.choice(3, p=row) for row in p]]
    options = {"bins": "equal-mass", "n_bins": 8}
    found = pc.calibration_error(
        label, dict(zip("abc", p.T, strict=True)), top_label=True, **options
    )
    right = np.array(["a", "b", "c"])[p.argmax(axis=1)] == label
    same = pc.calibration_error(right, p.max(axis=1), positive=True, **options)
    assert found.outcome == "top label"
    columns = ["squared", "p_value", "conf_low", "conf_high"]
    pd.testing.assert_frame_equal(found.table[columns], same.table[columns])


def test_single_cases_of_a_bin_are_left_out_with_a_note():
    found = pc.calibration_error(
        [1, 0, 1, 0, 1],
        [0.05, 0.91, 0.92, 0.5, 0.55],
        positive=1,
        bins="equal-width",
        n_bins=10,
    )
    assert list(found.by_bin["n"]) == [2, 2]
    assert found.notes[0] == "score: left out 1 case, with no other in the bin"


def test_certain_scores_without_an_error_have_an_interval():
    found = pc.calibration_error(
        [0, 1] * 50, [0.0, 1.0] * 50, positive=1, bins="equal-width", n_bins=2
    ).table.iloc[0]
    assert (found["estimate"], found["conf_low"], found["p_value"]) == (0, 0, 1)
    assert 0 < found["conf_high"] < 0.5


@pytest.mark.parametrize(
    ("scores", "change", "message"),
    [
        ([0.1, 1.2, 0.3], {}, "case 2 has 1.2"),
        ([0.1, 0.2, 0.3], {"bins": "mass"}, "bins='mass': choose"),
        ([0.1, 0.2, 0.3], {"n_bins": 0}, "n_bins=0: give a whole number"),
        ([0.1, 0.2, 0.3], {"n_bins": True}, "n_bins=True"),
        ([0.1, 0.2, 0.3], {"positive": None}, "give either positive=..."),
        ([0.1, 0.2, 0.3], {"top_label": True}, "give either positive=..."),
        (
            [0.1, 0.2, 0.3],
            {"top_label": True, "positive": None},
            "a column for each class",
        ),
        (
            {"0": [0.1, 0.2, 0.3], "2": [0.9, 0.8, 0.7]},
            {"top_label": True, "positive": None},
            "no column has the name of the class '1'",
        ),
        (
            {"0": [0.1, 0.2, 0.3], "1": [0.9, 0.9, 0.7]},
            {"top_label": True, "positive": None},
            "probabilities of case 2 have the sum 1.1",
        ),
        ([0.1, 0.5, 0.9], {}, "no bin has two cases"),
    ],
)
def test_what_cannot_be_used_is_named(scores, change, message):
    options = {"positive": 1, "bins": "equal-width", "n_bins": 10, **change}
    with pytest.raises((pc.InputError, pc.DesignError), match=message):
        pc.calibration_error([1, 0, 1], scores, **options)


def test_few_rounded_scores_have_limits_in_order():
    rng = np.random.default_rng(0)
    for trial in range(200):
        n = int(rng.integers(4, 30))
        score, label = np.round(rng.random(n), 1), np.arange(n) % 2
        found = pc.calibration_error(
            label[rng.permutation(n)],
            score,
            positive=1,
            bins=("equal-mass", "equal-width")[trial % 2],
            n_bins=int(rng.integers(1, 3)),
            level=0.5,
        ).table.iloc[0]
        assert 0 <= found["conf_low"] <= found["conf_high"] <= 1


def test_shares_that_do_not_vary_give_both_tails():
    label, score = [1, 1, 0, 0], [0.7, 0.7, 0.2, 0.2]
    found = pc.calibration_error(
        label, score, positive=1, bins="equal-width", n_bins=2, level=0.5
    ).table.iloc[0]
    # With the observed gaps every case is certain: no larger error gives them.
    assert found["conf_high"] == pytest.approx(np.sqrt((0.3**2 + 0.2**2) / 2))


def test_shares_that_are_too_close_to_the_scores_are_named():
    """Half of the cases of a score of one half: no sample is as even as a rule."""
    found = pc.calibration_error(
        np.repeat([1, 0], 50), np.full(100, 0.5), positive=1, bins="equal-width",
        n_bins=5,
    )  # fmt: skip
    assert found.table.loc[0, "conf_high"] == 0
    assert "than in 2.5% of samples from a calibrated classifier" in found.notes[0]


def test_an_estimate_below_its_interval_is_named():
    """One outcome of a rare kind: its share has the variance of its square."""
    found = pc.calibration_error(
        [1] + [0] * 99, np.full(100, 0.001), positive=1, bins="equal-width", n_bins=1
    )
    [row] = found.table.to_dict("records")
    assert row["estimate"] == 0 < row["conf_low"] and row["p_value"] < 0.01
    assert "below its interval" in found.notes[0]
