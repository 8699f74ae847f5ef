"""Step-down max-T by sign flips: all flips listed by hand, coin, and identities."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels.r_random import Uniforms
from tests.conftest import golden, golden_names, wide


def normal(seed, n, means):
    return np.random.default_rng(seed).normal(means, size=(n, len(means)))


def signs_of(n):
    return np.array(list(product([1, -1], repeat=n)))


def differences(x):
    return np.column_stack(
        [x[:, i] - x[:, j] for i, j in combinations(range(x.shape[1]), 2)]
    )


def studentised(d):
    return np.abs(d.sum(axis=0)) / np.sqrt(np.sum(d**2, axis=0))


def largest_by_subset(d, subset):
    """Share of all flips in which the largest of some statistics is reached."""
    seen = studentised(d[:, subset]).max()
    flipped = [studentised(s[:, None] * d[:, subset]).max() for s in signs_of(len(d))]
    return np.mean(np.array(flipped) >= seen - 1e-11)


@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_closed_test_of_the_largest_statistic(seed):
    # Each intersection of hypotheses by its own largest statistic, all flips listed; a
    # pair's adjusted p is the largest of all intersections that it is part of.
    x = normal(seed, 8, [0, 0.3, 1.2])
    d = differences(x)
    expected = [
        max(
            largest_by_subset(d, list(subset))
            for size in (1, 2, 3)
            for subset in combinations(range(3), size)
            if pair in subset
        )
        for pair in range(3)
    ]
    got = pc.max_t(wide(x)).table
    assert_digits(got["p_adjusted"], expected, at_least=14)
    alone = [largest_by_subset(d, [pair]) for pair in range(3)]
    assert_digits(got["p_value"], alone, at_least=14)


@pytest.mark.parametrize("name", golden_names("max_t_"))
def test_it_agrees_with_coin(name):
    case = golden(name)
    x = np.reshape(case["input"]["x"], (-1, case["input"]["blocks"])).T
    expected = case["outputs"]["step_down"]["value"]
    got = pc.max_t(wide(x), flips=20_000).table
    assert_digits(np.abs(got["statistic"]), expected["statistic"], at_least=13)
    # Monte Carlo error of 100,000 flips there, and of 20,000 here where drawn.
    error = np.sqrt(0.25 / 20_000)
    assert np.abs(got["p_adjusted"] - expected["p_adjusted"]).max() < 4 * error


def test_two_algorithms_have_the_sign_flip_test():
    x = np.random.default_rng(1).exponential(size=(11, 2)) * [1, 1.6]
    d = x[:, 0] - x[:, 1]
    expected = np.mean(np.abs(signs_of(11) @ d) >= abs(d.sum()) - 1e-12)
    row = pc.max_t(wide(x)).table.iloc[0]
    assert row["p_value"] == row["p_adjusted"] == expected
    t = stats.ttest_1samp(d, 0).statistic
    assert_digits(
        row["statistic"], t / np.sqrt((t**2 + 10) / 11), at_least=12, what="t and T"
    )


def test_ranks_of_two_algorithms_have_the_sign_test():
    x = np.random.default_rng(2).normal(size=(10, 2))
    wins = int(np.sum(x[:, 0] > x[:, 1]))
    row = pc.max_t(wide(x), on="ranks").table.iloc[0]
    assert_digits(row["p_adjusted"], stats.binomtest(wins, 10).pvalue, at_least=13)


def test_ranks_have_the_raw_p_of_sign_flips(garcia_herrera):
    few = garcia_herrera.select(blocks=garcia_herrera.blocks[:10])
    exact = pc.rank_pairs(few, p_value="sign-flips", adjust="none").table["p_value"]
    assert pc.max_t(few, on="ranks").table["p_value"].tolist() == exact.tolist()


def test_flips_are_listed_only_where_there_are_no_more():
    x = np.random.default_rng(3).normal(size=(9, 3))
    listed, drawn = pc.max_t(wide(x), flips=256), pc.max_t(wide(x), flips=255)
    assert (listed.listed, listed.n_flips, listed.seed) == (True, 256, None)
    assert (drawn.listed, drawn.n_flips, drawn.seed) == (False, 255, 1)
    assert "no Monte Carlo error" in listed.notes[0]
    assert "seed 1" in drawn.notes[0]
    assert np.all(np.abs(listed.table["p_value"] - drawn.table["p_value"]) < 0.13)


def test_drawn_flips_are_those_of_runif_and_p_is_never_0():
    x = normal(4, 20, [0, 0, 9])
    got = pc.max_t(wide(x), flips=99, seed=123)
    u = Uniforms(123).draw(99, 20)
    d = differences(x)
    flipped = np.array([studentised(np.where(s < 0.5, -1, 1)[:, None] * d) for s in u])
    seen = studentised(d)
    assert_digits(
        got.table["p_value"], (1 + (flipped >= seen).sum(axis=0)) / 100, at_least=14
    )
    assert got.table["p_adjusted"].min() == 0.01


def test_the_size_of_a_chunk_changes_nothing(monkeypatch):
    x = np.random.default_rng(5).normal(size=(18, 4)) + 0.5 * np.arange(4)
    whole = pc.max_t(wide(x), flips=500)
    monkeypatch.setattr("pycompare.kernels.max_t.CELLS", 1000)
    parts = pc.max_t(wide(x), flips=500)
    pd.testing.assert_frame_equal(whole.table, parts.table, rtol=1e-14)


def test_labels_and_blocks_in_another_order_change_nothing():
    rng = np.random.default_rng(6)
    x = rng.normal(size=(9, 4)) + 0.4 * np.arange(4)
    columns, rows = rng.permutation(4), rng.permutation(9)
    frame = pd.DataFrame(
        x[np.ix_(rows, columns)], columns=[f"A{j + 1}" for j in columns]
    )
    one = pc.max_t(wide(x)).matrix()
    other = pc.max_t(pc.Scores.from_wide(frame, metric="score", better="higher"))
    assert_digits(other.matrix().loc[one.index, one.columns], one, at_least=14)


def test_a_control_is_compared_with_every_other():
    x = normal(7, 10, [0, 0.2, 0.9, 1.5])
    got = pc.max_t(wide(x), control="A1")
    assert got.table["algorithm_1"].tolist() == ["A2", "A3", "A4"]
    assert set(got.table["algorithm_2"]) == {"A1"}
    everything = pc.max_t(wide(x)).matrix("p_value")
    assert got.table["p_value"].tolist() == everything.loc["A1"].tolist()[1:]
    fewer = got.matrix("p_adjusted").loc["A1"][1:]
    assert (fewer <= pc.max_t(wide(x)).matrix().loc["A1"][1:]).all()


def test_intervals_invert_the_statistic():
    x = normal(8, 10, [0, 0.3, 1.2])
    got = pc.max_t(wide(x), level=0.9).table
    d = differences(x)
    centred = d - d.mean(axis=0)
    others = [studentised(s[:, None] * centred).max() for s in signs_of(10)[1:512]]
    # A sum counts as one of 512 flips: 51 may be as large, so 50 others.
    critical = np.sort(others)[::-1][50]
    for end in ("conf_low", "conf_high"):
        assert_digits(
            studentised(d - got[end].to_numpy()), np.full(3, critical), at_least=12
        )


def test_an_interval_is_in_the_metrics_own_unit_whatever_the_direction():
    x = np.random.default_rng(9).normal(size=(12, 3))
    high, low = pc.max_t(wide(x, "higher")).table, pc.max_t(wide(x, "lower")).table
    for column in ("estimate", "conf_low", "conf_high", "p_adjusted"):
        assert_digits(high[column], low[column], at_least=13)
    assert_digits(high["estimate"][0], np.mean(x[:, 0] - x[:, 1]), at_least=13)


def test_intervals_hold_all_differences_as_often_as_they_say():
    rng = np.random.default_rng(10)
    true = np.array([0.0, 0.0, 1.0, 3.0])
    pairs = differences(true[None, :])[0]
    held = 0
    for _ in range(200):
        x = true + rng.normal(size=(16, 4)) * [1, 1, 3, 0.5] + rng.normal(size=(16, 1))
        table = pc.max_t(wide(x), flips=499, level=0.9).table
        held += (table["conf_low"] <= pairs).all() & (table["conf_high"] >= pairs).all()
    assert 200 * 0.9 - 3 * np.sqrt(200 * 0.09) <= held


def test_too_few_blocks_have_no_bounded_interval():
    x = np.random.default_rng(11).normal(size=(5, 2))
    got = pc.max_t(wide(x), level=0.95)
    assert got.table["conf_low"][0] == -np.inf
    assert any("too few sign flips" in note for note in got.notes)
    assert np.isfinite(pc.max_t(wide(x), level=0.9).table["conf_low"][0])


def test_ranks_have_no_interval_and_the_result_says_why():
    got = pc.max_t(wide(np.random.default_rng(12).normal(size=(9, 3))), on="ranks")
    assert got.table[["conf_low", "conf_high"]].isna().all(axis=None)
    assert got.interval.startswith("not available: ")


def test_algorithms_that_tie_everywhere_have_p_one():
    x = np.random.default_rng(13).normal(size=(10, 3))
    x[:, 1] = x[:, 0] + 0.1 + 0.2 - 0.3  # rounding is no difference
    got = pc.max_t(wide(x))
    row = got.table.iloc[0]
    assert row["p_value"] == row["p_adjusted"] == 1
    assert np.isnan(row["statistic"])
    assert row["estimate"] == 0
    assert any("1 of 3 pairs tie" in note for note in got.notes)


def test_differences_of_large_scores_are_not_joined():
    # At 1e12 with spread 1, what 64 units in the last place hold is no rounding.
    d = np.array([0.01, -0.012, 0.3, 0.5, -0.2, 0.004, 0.6, 0.1])
    x = 1e12 + np.stack([d, np.zeros_like(d)], axis=1)
    exact = x[:, 0] - x[:, 1]
    row = pc.max_t(wide(x)).table.iloc[0]
    sums = np.abs(signs_of(8) @ exact)
    assert row["p_value"] == np.mean(sums >= abs(exact.sum()) - 1e-12)
    assert_digits(row["estimate"], exact.mean(), at_least=14)
    closed = pc.closed_permutation(wide(x), on="scores").table
    assert closed["p_value"][0] == row["p_value"]


def test_a_constant_difference_has_the_smallest_p_and_no_width():
    x = np.random.default_rng(14).normal(size=(10, 3))
    x[:, 2] = x[:, 0] + 0.3  # not exactly the same in all blocks
    row = pc.max_t(wide(x)).table.iloc[1]
    assert row["p_value"] == 2.0**-9
    assert row["conf_low"] == row["conf_high"] == row["estimate"]


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_scores_in_tiny_and_huge_units_are_the_same_test(unit):
    x = np.random.default_rng(15).normal(size=(12, 4)) / 8
    plain, scaled = pc.max_t(wide(x)).table, pc.max_t(wide(x * unit)).table
    assert scaled["p_adjusted"].tolist() == plain["p_adjusted"].tolist()
    for column in ("estimate", "std_error", "conf_low", "conf_high"):
        assert_digits(scaled[column] / unit, plain[column], at_least=12)


def test_what_it_cannot_use_is_refused_by_name(garcia_herrera):
    x = np.random.default_rng(16).normal(size=(6, 3))
    x[0, 0] = np.nan
    with pytest.raises(pc.DesignError, match="max_t needs a complete table"):
        pc.max_t(wide(x, missing="model"))
    with pytest.raises(pc.InputError, match="on='rank'"):
        pc.max_t(garcia_herrera, on="rank")
    with pytest.raises(pc.InputError, match="flips=0"):
        pc.max_t(garcia_herrera, flips=0)
    with pytest.raises(pc.InputError, match="seed=-3"):
        pc.max_t(garcia_herrera, seed=-3)
    with pytest.raises(pc.InputError, match="SVM"):
        pc.max_t(garcia_herrera, control="SVM")


def _awkward(seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(12, 5))
    alike = x.copy()
    alike[:, 1] = alike[:, 0] + 1e-9 * rng.normal(size=12)
    alike[:, 3] = alike[:, 2]
    apart = x.copy()
    apart[:, 4] = apart[:, 0] + 0.1
    return {
        "normal": x,
        "far from 0": x + 1e6,
        "right or wrong": rng.integers(0, 2, (12, 5)).astype(float),
        "counts": rng.integers(0, 9, (12, 5)).astype(float),
        "alike": alike,
        "always the same difference": apart,
        "small": x * 1e-300,
        "large": x * 1e299,
        "tenths": rng.integers(0, 9, (12, 5)) * 0.1 + 0.7,
        "below 1": rng.random((12, 5)) * 0.4 + 0.5,
        "all alike": np.zeros((12, 5)),
    }


@pytest.mark.parametrize("on", ["scores", "ranks"])
@pytest.mark.parametrize("flips", [500, 4096])
@pytest.mark.parametrize("name", _awkward(0))
def test_many_pairs_have_the_numbers_of_each_pair(name, flips, on, monkeypatch):
    """The sums of columns give what the sums of differences give."""
    scores = wide(_awkward(7)[name], "lower")
    one = pc.max_t(scores, on=on, flips=flips)
    monkeypatch.setattr("pycompare.methods.pairs.max_t.LARGE", 0)
    many = pc.max_t(scores, on=on, flips=flips)
    wanted = 12 if name not in ("alike", "far from 0") else 6
    for column in one.table.columns[2:]:
        got, expected = many.table[column].to_numpy(), one.table[column].to_numpy()
        if column in ("p_value", "p_adjusted"):
            assert np.array_equal(got, expected), column
            continue
        magnitude = np.nanmax(np.abs(expected), initial=0.0)
        if not np.isfinite(magnitude) or magnitude == 0:
            assert np.array_equal(got, expected, equal_nan=True), column
        else:
            scaled = got / magnitude, expected / magnitude
            np.testing.assert_allclose(*scaled, rtol=10.0**-wanted, atol=1e-14)
    assert many.notes == one.notes


@pytest.mark.parametrize("on", ["scores", "ranks"])
@pytest.mark.parametrize(("flips", "least"), [(9, "0.1"), (19, None)])
def test_too_few_flips_for_a_significant_pair_are_named(on, flips, least):
    x = np.random.default_rng(1).normal(size=(12, 3)) + 9 * np.arange(3)
    found = pc.max_t(wide(x), on=on, flips=flips)
    assert found.table["p_adjusted"].min() == 1 / (flips + 1)
    told = f"no adjusted p-value of so few sign flips can be below {least}"
    assert (told in found.notes) is (least is not None)


def test_flips_of_equal_items_are_those_that_r_draws():
    # R 4.2.2, max_t_reference of the same table: qbinom of runif for each pattern.
    rng, n = np.random.default_rng(1), 12_000
    ease = rng.random(n)
    right = [
        (ease * 0.5 + rng.random(n) * 0.5 < 0.6 + 0.003 * j) * 1.0 for j in (0, 1, 2)
    ]
    frame = pd.DataFrame(np.transpose(right), columns=["m0", "m1", "m2"])
    frame["item"] = np.arange(n)
    scores = pc.Scores.from_frame(
        frame.melt("item", var_name="model", value_name="right"),
        algorithm="model",
        block="item",
        metrics={"right": "higher"},
    )
    table = pc.max_t(scores, seed=3).table
    assert table["p_value"].tolist() == [0.1352, 0.9067, 0.1695]
    assert table["p_adjusted"].tolist() == [0.2920, 0.9067, 0.2920]
    low = [-0.00421110441439, -0.01116642107269, -0.01880257575023]
    assert_digits(table["conf_low"].to_numpy(), low, at_least=11)
