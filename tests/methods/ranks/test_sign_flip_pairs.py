"""Pairs of ranks by the signs of their differences."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels.ranks import midranks
from tests.conftest import golden, golden_names, wide


def flips(scores, **options):
    return pc.rank_pairs(scores, p_value="sign-flips", **options)


def all_swaps(x, i, j):
    """Every table that swapping two algorithms in some blocks makes."""
    for swaps in product([False, True], repeat=len(x)):
        moved = x.copy()
        rows = np.array(swaps)
        moved[rows, i], moved[rows, j] = x[rows, j], x[rows, i]
        yield moved


@pytest.mark.parametrize("name", golden_names("sign_flips_"))
def test_p_values_are_those_of_coin(name):
    case = golden(name)
    x = np.reshape(case["input"]["x"], (-1, case["input"]["blocks"])).T
    p = flips(wide(x, "lower")).table["p_value"]
    # coin subtracts from 1: absolute accuracy.
    assert_digits(p, case["outputs"]["exact"]["value"]["p_value"], at_least=12)


@pytest.mark.parametrize("method", ["friedman", "aligned", "quade"])
def test_p_is_the_share_of_all_tables_with_the_two_swapped(method):
    x = np.random.default_rng(4).integers(0, 9, (6, 3)).astype(float)
    got = flips(wide(x, "lower"), method=method, adjust="none").table

    def differences(values):
        positions = pc.rank_pairs(
            wide(values, "lower"), method=method, adjust="none"
        ).positions.to_numpy()
        return {
            (i, j): positions[i] - positions[j] for i, j in combinations(range(3), 2)
        }

    seen = differences(x)
    for at, pair in enumerate(seen):
        swapped = [abs(differences(t)[pair]) for t in all_swaps(x, *pair)]
        share = np.mean(np.array(swapped) >= abs(seen[pair]) - 1e-9)
        assert got["p_value"][at] == share


def test_two_algorithms_have_the_exact_sign_test():
    x = np.random.default_rng(3).integers(0, 4, (17, 2)).astype(float)
    row = flips(wide(x)).table.iloc[0]
    wins, losses = np.sum(x[:, 0] > x[:, 1]), np.sum(x[:, 0] < x[:, 1])
    assert_digits(
        row["p_value"], stats.binomtest(wins, wins + losses).pvalue, at_least=14
    )
    assert row["p_adjusted"] == row["p_value"]


def test_aligned_ranks_of_two_algorithms_have_the_exact_signed_rank_test():
    # Aligned ranks of a pair mirror each other: D is the signed rank of |x - y|, less a
    # constant; the same order of |x - y| gives Wilcoxon's test where ranks are whole.
    x = np.random.default_rng(8).normal(size=(13, 2))
    ranks = midranks((x - x.mean(axis=1, keepdims=True)).ravel()).reshape(x.shape)
    d = ranks[:, 0] - ranks[:, 1]
    signs = np.array(list(product([-1, 1], repeat=13)))
    share = np.mean(np.abs(signs @ d) >= abs(d.sum()))
    got = flips(wide(x), method="aligned", adjust="none").table["p_value"][0]
    assert got == share


def test_other_algorithms_far_away_change_nothing():
    x = np.random.default_rng(6).normal(size=(14, 2))
    alone = flips(wide(x), adjust="none").matrix("p_value")
    far = np.column_stack([x, x.max() + 1 + np.arange(14.0), x.min() - 5 * np.ones(14)])
    among = flips(wide(far), adjust="none").matrix("p_value")
    assert among.loc["A1", "A2"] == alone.loc["A1", "A2"]


def test_labels_and_order_change_nothing():
    rng = np.random.default_rng(9)
    x = rng.integers(0, 6, (12, 5)).astype(float)
    columns, rows = rng.permutation(5), rng.permutation(12)
    one = flips(wide(x)).matrix()
    frame = pd.DataFrame(
        x[np.ix_(rows, columns)], columns=[f"A{j + 1}" for j in columns]
    )
    other = flips(pc.Scores.from_wide(frame, metric="score", better="higher")).matrix()
    assert other.loc[one.index, one.columns].equals(one)


def test_garcia_and_herreras_decisions_stay_and_middle_pairs_are_clearer(
    garcia_herrera,
):
    z, exact = pc.rank_pairs(garcia_herrera), flips(garcia_herrera)
    assert (z.rejected(0.05) == exact.rejected(0.05)).all()
    middle = z.table["p_adjusted"].between(0.02, 0.05)
    assert middle.sum() == 5
    assert (exact.table["p_adjusted"][middle] < 0.0152).all()


def test_bergmann_hommel_is_that_of_the_matrix():
    x = np.random.default_rng(10).normal(size=(15, 6)) + 0.3 * np.arange(6)
    got = flips(wide(x))
    again = pc.adjust(got.matrix("p_value"), "bergmann-hommel")
    pd.testing.assert_frame_equal(got.matrix("p_adjusted"), again)


def test_there_is_no_interval_and_the_result_says_why():
    got = flips(wide(np.random.default_rng(1).normal(size=(9, 3))))
    assert got.table[["conf_low", "conf_high"]].isna().all(axis=None)
    assert got.interval.startswith("not available: ")
    assert got.p_source == "sign-flips"
    assert "exact" in got.method


def test_standard_error_is_that_of_the_signs():
    x = np.random.default_rng(2).normal(size=(7, 3))
    ranks = midranks(-x)
    d = ranks[:, 0] - ranks[:, 2]
    signs = np.array(list(product([-1, 1], repeat=7)))
    row = flips(wide(x)).table.iloc[1]
    assert_digits(row["std_error"], np.std(signs @ d / 7), at_least=13)
    assert_digits(row["estimate"], d.mean(), at_least=13)
    assert_digits(row["statistic"], row["estimate"] / row["std_error"], at_least=13)


def test_algorithms_that_tie_everywhere_have_p_one_and_a_note():
    x = np.random.default_rng(11).normal(size=(10, 3))
    x[:, 1] = x[:, 0]
    got = flips(wide(x))
    row = got.table.iloc[0]
    assert row["p_value"] == row["p_adjusted"] == 1
    assert np.isnan(row["statistic"])
    assert any("1 of 3 pairs tie in every block" in note for note in got.notes)


def test_too_few_blocks_to_reject_anything_are_noted():
    def told(n, **options):
        x = np.tile([1.0, 2.0, 3.0, 4.0], (n, 1))  # one order in all blocks
        got = flips(wide(x), **options)
        notes = [note for note in got.notes if "so few blocks" in note]
        return got.table["p_adjusted"].min(), notes

    # Six pairs: 6 * 2^(1 - n) is 0.094 with 7 blocks and 0.047 with 8.
    least, [note] = told(7)
    assert least == 6 / 64
    assert "below 0.0938" in note
    assert told(8) == (6 / 128, [])
    assert told(8, level=0.99)[1]
    assert told(7, adjust="hommel")[1] == []
    for name in ("bonferroni", "holm", "shaffer", "shaffer-dynamic"):
        assert told(7, adjust=name) == (least, [note])


def test_many_blocks_have_the_saddlepoint_and_say_so():
    x = np.random.default_rng(12).normal(size=(1001, 2))
    got = flips(wide(x))
    assert got.p_source == "sign-flips-saddlepoint"
    assert any("saddlepoint" in note for note in got.notes)
    wins = int(np.sum(x[:, 0] > x[:, 1]))
    assert_digits(
        got.table["p_value"], [stats.binomtest(wins, 1001).pvalue], at_least=6
    )


def test_what_does_not_go_with_sign_flips_is_refused_by_name(garcia_herrera):
    with pytest.raises(pc.InputError, match="skillings-mack"):
        flips(garcia_herrera, method="skillings-mack")
    with pytest.raises(pc.InputError, match="std_error='textbook'"):
        flips(garcia_herrera, std_error="textbook")
    with pytest.raises(pc.InputError, match="nemenyi"):
        flips(garcia_herrera, adjust="nemenyi")
    x = np.ones((5, 3))
    x[0, 0] = np.nan
    with pytest.raises(pc.DesignError, match="complete table"):
        flips(wide(x, missing="model"))


def test_a_control_has_the_same_raw_p(garcia_herrera):
    everything = flips(garcia_herrera, adjust="none").matrix("p_value")
    got = flips(garcia_herrera, control="CN2", adjust="holm").table
    for row in got.itertuples():
        assert row.p_value == everything.loc["CN2", row.algorithm_1]


def test_scores_in_tiny_and_huge_units_have_the_same_p():
    x = np.random.default_rng(13).normal(size=(12, 4))
    plain = flips(wide(x)).table["p_value"]
    for unit in (1e-300, 1e300):
        assert flips(wide(unit * x)).table["p_value"].equals(plain)
