"""The closed permutation test of all pairs: results, identities, refusals."""

from itertools import combinations, permutations, product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_names, wide


def normal(seed, n, means):
    return np.random.default_rng(seed).normal(means, size=(n, len(means)))


@pytest.mark.parametrize("name", golden_names("closed_permutation_"))
def test_it_agrees_with_the_derivation_in_r(name):
    case = golden(name)
    x = np.reshape(case["input"]["x"], (-1, case["input"]["blocks"])).T
    for on in ("ranks", "scores"):
        expected = case["outputs"][on]["value"]
        got = pc.closed_permutation(wide(x), on=on, permutations=99, seed=5).table
        for column in ("statistic", "p_value", "p_adjusted"):
            assert_digits(got[column], expected[column], at_least=12, what=column)


def test_two_algorithms_have_the_exact_sign_test():
    x = normal(1, 13, [0, 0.4])
    wins = int(np.sum(x[:, 0] > x[:, 1]))
    row = pc.closed_permutation(wide(x)).table.iloc[0]
    assert_digits(row["p_adjusted"], stats.binomtest(wins, 13).pvalue, at_least=13)
    assert row["p_value"] == row["p_adjusted"]


def test_pairs_of_ranks_have_the_p_of_sign_flips():
    x = normal(2, 9, [0, 0.3, 0.9, 1])
    exact = pc.rank_pairs(wide(x), p_value="sign-flips").table["p_value"]
    got = pc.closed_permutation(wide(x), permutations=50).table["p_value"]
    assert got.tolist() == exact.tolist()


def test_pairs_of_scores_have_the_p_of_sign_flips():
    x = normal(3, 9, [0, 0.3, 0.9])
    flips = pc.max_t(wide(x)).table["p_value"]
    got = pc.closed_permutation(wide(x), on="scores").table["p_value"]
    assert got.tolist() == flips.tolist()


def test_an_algorithm_apart_in_all_few_blocks_is_found():
    # 7 blocks: sign flips of a pair have p >= 1/64, and 6 pairs find nothing.
    x = normal(4, 7, [0, 0.1, 0.2, 9])
    alone = pc.rank_pairs(wide(x), p_value="sign-flips")
    together = pc.closed_permutation(wide(x))
    assert not alone.rejected(0.05).any()
    found = together.table[together.rejected(0.05)]
    assert set(found["algorithm_2"]) == {"A4"}
    assert len(found) == 3


def test_labels_and_direction_change_nothing_but_random_numbers():
    x = normal(5, 5, [0, 0.5, 1.4])  # 6^4 permutations: all listed
    one = pc.closed_permutation(wide(x))
    frame = pd.DataFrame(x[::-1, [2, 0, 1]], columns=["A3", "A1", "A2"])
    other = pc.closed_permutation(
        pc.Scores.from_wide(frame, metric="score", better="lower")
    )
    assert one.seed is None
    matrix = one.matrix()
    assert_digits(other.matrix().loc[matrix.index, matrix.columns], matrix, at_least=14)


def test_the_result_reports_what_was_random():
    x = normal(6, 6, [0, 0.5, 1.4])
    got = pc.closed_permutation(wide(x), permutations=500, seed=9)
    assert (got.n_listed, got.n_drawn, got.seed) == (0, 1, 9)
    assert any("500 random permutations, seed 9" in note for note in got.notes)
    every = pc.closed_permutation(wide(x), permutations=6**5)
    assert (every.n_listed, every.n_drawn, every.seed) == (1, 0, None)
    assert np.abs(every.table["p_adjusted"] - got.table["p_adjusted"]).max() < 0.08


@pytest.mark.parametrize("unit", [1e-300, 1e300])
def test_scores_in_tiny_and_huge_units_are_the_same_test(unit):
    x = normal(7, 7, [0, 0.5, 1.4, 0.2]) / 8
    plain = pc.closed_permutation(wide(x), on="scores", permutations=99).table
    scaled = pc.closed_permutation(wide(x * unit), on="scores", permutations=99).table
    assert scaled["p_adjusted"].tolist() == plain["p_adjusted"].tolist()
    assert_digits(scaled["estimate"] / unit, plain["estimate"], at_least=12)


@pytest.mark.parametrize("on", ["ranks", "scores"])
def test_algorithms_that_tie_everywhere_have_p_one(on):
    x = normal(8, 8, [0, 0.0, 3])
    x[:, 1] = x[:, 0] + 0.1 + 0.2 - 0.3  # rounding is no difference
    got = pc.closed_permutation(wide(x), on=on, permutations=99)
    row = got.table.iloc[0]
    assert row["p_value"] == row["p_adjusted"] == 1
    assert np.isnan(row["statistic"])
    assert any("1 of 3 pairs tie" in note for note in got.notes)


def test_what_it_cannot_use_is_refused_by_name(garcia_herrera):
    with pytest.raises(pc.DesignError, match=r"at most 10.*max_t"):
        pc.closed_permutation(wide(normal(9, 4, np.zeros(11))))
    x = normal(10, 6, [0, 0, 0])
    x[0, 0] = np.nan
    with pytest.raises(pc.DesignError, match="closed_permutation needs a complete"):
        pc.closed_permutation(wide(x, missing="model"))
    with pytest.raises(pc.InputError, match="on='mean'"):
        pc.closed_permutation(garcia_herrera, on="mean")
    with pytest.raises(pc.InputError, match=r"permutations=2\.5"):
        pc.closed_permutation(garcia_herrera, permutations=2.5)
    with pytest.raises(pc.InputError, match="seed="):
        pc.closed_permutation(garcia_herrera, seed=2**31)


def test_against_a_control_the_largest_subset_with_both_decides():
    x = normal(11, 3, [0, 0.4, 1.1, 1.5])
    got = pc.closed_permutation(wide(x), on="scores", control="A2", permutations=10**6)
    assert got.n_drawn == 0 and got.control == "A2"
    p = {
        others: share_with_control(x[:, [1, *others]])
        for size in (1, 2, 3)
        for others in combinations((0, 2, 3), size)
    }
    for row, j in zip(got.table.itertuples(), (0, 2, 3), strict=True):
        largest = max(value for others, value in p.items() if j in others)
        assert_digits(row.p_adjusted, largest, at_least=14)
        assert_digits(row.p_value, p[j,], at_least=14)
        assert (row.algorithm_1, row.algorithm_2) == (f"A{j + 1}", "A2")


def share_with_control(x):
    """Every permutation within every block; the control is column 0."""
    orders = [list(o) for o in permutations(range(x.shape[1]))]

    def largest(y):
        d = y[:, 1:] - y[:, :1]
        return np.max(np.abs(d.sum(axis=0)) / np.sqrt(np.sum(d**2, axis=0)))

    reached = [
        largest(np.array([row[o] for row, o in zip(x, chosen, strict=True)]))
        >= largest(x) - 1e-11
        for chosen in product(orders, repeat=len(x))
    ]
    return np.mean(reached)


def test_a_control_and_one_algorithm_are_the_pair():
    x = normal(12, 9, [0, 0.5])
    both = pc.closed_permutation(wide(x)).table
    beside = pc.closed_permutation(wide(x), control="A2").table
    assert beside["p_adjusted"].tolist() == both["p_adjusted"].tolist()


def test_seven_blocks_are_enough_beside_a_control():
    x = normal(13, 7, [0, 0.1, 0.2, 0.3, 9])
    found = pc.closed_permutation(wide(x), control="A5")
    assert found.rejected(0.05).all()
    flips = pc.rank_pairs(wide(x), control="A5", adjust="holm", p_value="sign-flips")
    assert not flips.rejected(0.05).any()  # 4 x 1/64


def test_an_unknown_control_is_refused():
    with pytest.raises(pc.InputError, match="'A9'"):
        pc.closed_permutation(wide(normal(14, 5, [0, 1])), control="A9")


@pytest.mark.parametrize(("permutations", "least"), [(9, "0.1"), (19, None)])
def test_too_few_permutations_for_a_significant_pair_are_named(permutations, least):
    x = np.random.default_rng(1).normal(size=(12, 3)) + 9 * np.arange(3)
    found = pc.closed_permutation(wide(x), permutations=permutations)
    assert found.table["p_adjusted"].min() == pytest.approx(1 / (permutations + 1))
    told = f"no adjusted p-value of so few permutations can be below {least}"
    assert (told in found.notes) is (least is not None)
