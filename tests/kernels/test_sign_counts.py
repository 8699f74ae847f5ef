import numpy as np
import pytest
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.kernels import binomial


def test_an_odd_tie_is_dropped_and_the_others_split():
    won, lost = binomial.counted([7, 4, 0], [5, 4, 0], 15, "split")
    assert won.tolist() == [8, 7, 7]
    assert lost.tolist() == [6, 7, 7]


def test_dropped_ties_count_for_nobody():
    won, lost = binomial.counted([7], [5], 15, "drop")
    assert (won.tolist(), lost.tolist()) == ([7], [5])


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_p_values_are_those_of_the_binomial_test(alternative):
    for wins, losses, n in [(15, 0, 15), (7, 5, 15), (2, 9, 16), (1, 0, 3)]:
        won, lost = binomial.counted(wins, losses, n, "split").astype(int).tolist()
        expected = stats.binomtest(won, won + lost, alternative=alternative).pvalue
        found = binomial.sign_p_values(wins, losses, n, alternative=alternative)
        assert_digits(found, expected, at_least=12)


def test_without_a_data_set_that_counts_nothing_is_tested():
    assert np.isnan(binomial.sign_p_values(0, 0, 1))
    assert np.isnan(binomial.sign_p_values(0, 0, 8, ties="drop"))
    assert binomial.sign_p_values(0, 0, 8) == 1
