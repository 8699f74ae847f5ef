import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import wide

# Skillings & Mack (1981) as in Hollander & Wolfe, example 7.8: assembly times of four
# methods by nine people; SM = 15.493 on 3 degrees of freedom.
ASSEMBLY = np.array(
    [
        [3.2, 4.1, 3.8, 4.2],
        [3.1, 3.9, 3.4, 4.0],
        [4.3, 3.5, 4.6, 4.8],
        [3.5, 3.6, 3.9, 4.0],
        [3.6, 4.2, 3.7, 3.9],
        [4.5, 4.7, 3.7, np.nan],
        [np.nan, 4.2, 3.4, np.nan],
        [4.3, 4.6, 4.4, 4.9],
        [3.5, np.nan, 3.7, 3.9],
    ]
)


def test_complete_table_is_friedmans_test(garcia_herrera):
    for ties in ("corrected", "uncorrected"):
        got = pc.skillings_mack(garcia_herrera, ties=ties)
        friedman = pc.friedman(garcia_herrera, ties=ties)
        assert_digits(got.statistic, friedman.statistic, at_least=13)
        assert_digits(got.p_value, friedman.p_value, at_least=12)
        assert_digits(got.mean_ranks, friedman.mean_ranks, at_least=13)


def test_agrees_with_the_published_example_and_its_formula():
    got = pc.skillings_mack(
        wide(ASSEMBLY, better="lower", missing="model"), ties="uncorrected"
    )
    sums, covariance = np.zeros(4), np.zeros((4, 4))
    for row in ASSEMBLY:
        seen = np.flatnonzero(~np.isnan(row))
        k = len(seen)
        rank = row[seen].argsort().argsort() + 1
        sums[seen] += np.sqrt(12 / (k + 1)) * (rank - (k + 1) / 2)
        for j in seen:
            covariance[j, j] += k - 1
            covariance[j, seen[seen != j]] -= 1
    inverse = np.linalg.inv(covariance[1:, 1:])
    assert_digits(got.statistic, sums[1:] @ inverse @ sums[1:], at_least=12)
    assert got.df == 3
    assert got.n_missing == 4
    assert round(got.statistic, 3) == 15.493  # as printed


def test_two_algorithms_agree_with_the_pairwise_z():
    x = np.random.default_rng(6).normal(size=(20, 2))
    x[3, 1] = np.nan
    scores = wide(x, missing="model")
    test = pc.skillings_mack(scores)
    pair = pc.rank_pairs(scores, method="skillings-mack", adjust="none").table
    assert test.unused_blocks == ("4",)
    assert_digits(pair["statistic"][0] ** 2, test.statistic, at_least=12)
    assert_digits(pair["p_value"][0], test.p_value, at_least=12)


def test_pairs_of_a_complete_table_are_friedmans():
    x = np.random.default_rng(7).normal(size=(12, 4))
    incomplete = pc.rank_pairs(wide(x), method="skillings-mack", adjust="holm").table
    complete = pc.rank_pairs(wide(x), method="friedman", adjust="holm").table
    for column in ("estimate", "std_error", "statistic", "p_value", "p_adjusted"):
        assert_digits(incomplete[column], complete[column], at_least=11, what=column)


def test_unconnected_algorithms_are_refused_by_name():
    x = np.full((6, 4), np.nan)
    x[:3, :2] = np.random.default_rng(1).normal(size=(3, 2))
    x[3:, 2:] = np.random.default_rng(2).normal(size=(3, 2))
    with pytest.raises(pc.DesignError, match=r"\['A1', 'A2'\] with \['A3', 'A4'\]"):
        pc.skillings_mack(wide(x, missing="model"))


def test_its_size_holds_with_missing_cells():
    rng = np.random.default_rng(9)
    p = []
    for _ in range(600):
        x = rng.normal(size=(20, 4))
        x[rng.random(x.shape) < 0.2] = np.nan
        x[:, 0] = np.where(np.isnan(x).all(axis=1), 0.0, x[:, 0])
        p.append(pc.skillings_mack(wide(x, missing="model")).p_value)
    assert abs(np.mean(np.array(p) <= 0.05) - 0.05) < 0.03


@pytest.mark.parametrize("adjust", ["shaffer-dynamic", "bergmann-hommel", "holm"])
def test_rounding_does_not_split_tied_pairs(adjust):
    x = np.tile([1.0, 3, 0, 2], (3, 1))
    fitted = pc.rank_pairs(wide(x), method="skillings-mack", adjust=adjust)
    exact = pc.rank_pairs(wide(x), std_error="permutation", adjust=adjust)
    assert_digits(
        fitted.table["p_adjusted"], exact.table["p_adjusted"], at_least=10, what=adjust
    )


def test_algorithms_linked_by_tied_blocks_only_are_refused_in_pairs_too():
    x = np.array([[2 / 3] * 6, [1 / 3, 2 / 3, 0, 2 / 3, np.nan, np.nan]])
    scores = wide(x, missing="model")
    for run in (pc.skillings_mack, pc.rank_pairs):
        options = {} if run is pc.skillings_mack else {"method": "skillings-mack"}
        with pytest.raises(pc.DesignError, match="no block with different scores"):
            run(scores, **options)


@pytest.mark.parametrize("n", [1, 20, 21])
def test_up_to_twenty_blocks_with_a_single_score_are_named(n):
    single = np.full((n, 4), np.nan)
    single[:, 0] = 1.0
    scores = wide(np.vstack([ASSEMBLY, single]), better="lower", missing="model")
    [note] = [x for x in pc.skillings_mack(scores).notes if "single score" in x]
    assert note.startswith(f"{n} block{'s' if n > 1 else ''} with a single score")
    assert ("were" if n > 1 else "was") in note
    assert note.endswith(", ..." if n == 21 else scores.blocks[-1])
