import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import binomial
from tests.conftest import wide


def of_counts(ones: list[int], n: int) -> pc.Scores:
    return wide(np.arange(n)[:, None] < np.array(ones))


def test_agrees_with_scipy():
    scores = of_counts([0, 1, 17, 49, 50], 50)
    for method, theirs in (("wilson", "wilson"), ("clopper-pearson", "exact")):
        found = pc.accuracy_intervals(scores, method=method, level=0.9).table
        for row in found.itertuples():
            limits = stats.binomtest(int(row.ones), 50).proportion_ci(0.9, theirs)
            assert_digits([row.conf_low, row.conf_high], limits, at_least=11)
    found = pc.accuracy_intervals(scores, method="jeffreys").table
    for row in found.iloc[1:4].itertuples():
        beta = stats.beta(row.ones + 0.5, 50.5 - row.ones)
        limits = beta.ppf([0.025, 0.975])
        assert_digits([row.conf_low, row.conf_high], limits, at_least=11)


def test_published_limits():
    # Newcombe (1998), Statist. Med. 17, 857-872, table I: 81 of 263, 15 of 148.
    for ones, n, limits in ((81, 263, (0.2553, 0.3662)), (15, 148, (0.0624, 0.1605))):
        row = pc.accuracy_intervals(of_counts([ones, 0], n)).table.iloc[0]
        assert (round(row.conf_low, 4), round(row.conf_high, 4)) == limits


@pytest.mark.parametrize("method", ["wilson", "jeffreys", "clopper-pearson"])
def test_limits_at_the_ends(method):
    found = pc.accuracy_intervals(of_counts([0, 20], 20), method=method).table
    assert found["conf_low"][0] == 0 and found["conf_high"][1] == 1
    assert 0 < found["conf_high"][0] < 0.25
    assert_digits(found["conf_low"][1], 1 - found["conf_high"][0], at_least=12)


def test_an_unknown_word_is_refused():
    with pytest.raises(pc.InputError, match="method='wald': choose one of 'wilson'"):
        pc.accuracy_intervals(of_counts([1, 2], 4), method="wald")


def covered(n, expected):
    """Coverage of Wilson's 95% limits, by all counts of n cases."""
    ones = np.arange(n + 1)
    low, high = binomial.wilson(ones / n, n, 0.95)
    share = expected / n
    return stats.binom.pmf(ones, n, share)[(low <= share) & (share <= high)].sum()


def test_few_right_or_wrong_answers_are_told_where_limits_cover_less():
    for n in (50, 1000):
        assert min(covered(n, e) for e in np.linspace(0.15, 0.2, 50)) < 0.85
        assert min(covered(n, e) for e in np.linspace(0.9, 1.1, 50)) < 0.92
        assert min(covered(n, e) for e in np.linspace(4.1, n / 2, 500)) > 0.92
    few, many = (pc.accuracy_intervals(of_counts(c, 50)) for c in ([45, 9], [44, 6]))
    [note] = few.notes
    assert "0.84 at 0.95" in note and many.notes == ()
    assert pc.accuracy_intervals(of_counts([45, 9], 50), method="jeffreys").notes == ()
    assert pc.item_means(of_counts([45, 9], 50)).notes == few.notes
    page = pc.compare(of_counts([48, 30], 50), pc.Plan(blocks="cases"))
    assert note in page.analyses[0].accuracies.notes
