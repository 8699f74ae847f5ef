"""Tests and limits of the difference of two shares on the same cases."""

import itertools
import math
import time

import numpy as np
import pytest
from scipy import optimize, stats

from pycompare.base.testing import assert_digits
from pycompare.kernels import matched_pairs as kernel
from pycompare.kernels import student

RNG = np.random.default_rng(41)
GAMMA = 2.5e-5
"""A thousandth of the level .025."""

# Right answers of two models to 198 items of GPQA Diamond, five answers each: row, the
# right answers of gpt-5-nano; column, those of gpt-5.4-mini. Counted from
# examples/data/gpqa_diamond_scores.csv of stephlinds/evalconfidence ba5613a
# (Apache License 2.0).
GPQA = np.array(
    [
        [19, 3, 2, 2, 4, 1],
        [5, 2, 4, 1, 1, 4],
        [6, 2, 0, 1, 2, 2],
        [3, 5, 1, 0, 2, 9],
        [2, 3, 2, 2, 2, 8],
        [6, 8, 5, 5, 7, 67],
    ]
)
RUNS = 5


def gpqa_differences():
    """Mean difference, nano minus mini, per item."""
    nano, mini = np.indices(GPQA.shape)
    return np.repeat((nano - mini).ravel() / RUNS, GPQA.ravel())


# Published or computed apart (issue 40): n, wins, losses, margin, alternative, z, exact
# p, p by Berger and Boos.
GOLDENS = [
    (44, 0, 1, 0.1, "greater", 1.708564, 0.0571089, 0.0571339),  # Tango (1998)
    (200, 2, 3, 0.05, "greater", 2.629607611, 0.0044240, 0.00304855),
    (198, 10, 14, 0.1, "greater", 2.857609, 0.00225120, 0.00176597),
    (100, 4, 6, 0.05, "less", None, 0.84164628, 0.82482181),
    (198, 22, 45, 0.05, "less", None, 0.07312187, 0.05342114),
    (198, 28, 19, 0.05, "greater", 2.690611, 0.00433015, 0.0034193),  # GPQA, run 1
]


@pytest.mark.parametrize("golden", GOLDENS, ids=lambda golden: str(golden[:5]))
def test_statistics_and_exact_p_values_are_the_published_ones(golden):
    n, wins, losses, margin, alternative, z, exact, restricted = golden
    if z is not None:
        assert_digits(kernel.score_statistic(wins, losses, n, -margin), z, at_least=6)
    p = kernel.exact_p(wins, losses, n, -margin, alternative)
    assert_digits(p, exact, at_least=5)
    p = kernel.exact_p(wins, losses, n, -margin, alternative, GAMMA)
    assert_digits(p, restricted, at_least=4.5)


def test_limits_are_those_of_propcis():
    low, high = kernel.score_limits(0, 1, 44, stats.norm.isf(0.025))
    assert_digits(low, -0.118077, at_least=5)
    assert_digits(high, 0.059393, at_least=5)
    low, high = kernel.score_limits(28, 19, 198, stats.norm.isf(0.025))
    assert_digits(low, -0.0230363, at_least=5)
    assert_digits(high, 0.1148090, at_least=6)


def by_enumeration(n, wins, losses, difference, alternative, shares):
    """The largest probability of all tables with a statistic as large."""
    tables = [(w, x) for w in range(n + 1) for x in range(n + 1 - w)]
    z = np.array([kernel.score_statistic(w, x, n, difference) for w, x in tables])
    observed = kernel.score_statistic(wins, losses, n, difference)
    if alternative == "two-sided":
        z, observed = np.abs(z), abs(observed)
    if alternative == "less":
        z, observed = -z, -observed
    chosen = [[w, x, n - w - x] for (w, x), each in zip(tables, z, strict=True)
              if each >= observed - 1e-9]  # fmt: skip

    def probability(share):
        won, lost = (share + difference) / 2, (share - difference) / 2
        p = np.maximum([won, lost, 1 - share], 0)
        return stats.multinomial.pmf(chosen, n, p / p.sum()).sum()

    values = [probability(share) for share in shares]
    at = int(np.argmax(values))
    ends = shares[max(at - 1, 0)], shares[min(at + 1, len(shares) - 1)]
    best = optimize.minimize_scalar(
        lambda share: -probability(share), bounds=ends, method="bounded",
        options={"xatol": 1e-9},
    )  # fmt: skip
    return max(*values, -best.fun)


@pytest.mark.parametrize(
    ("n", "wins", "losses", "difference", "alternative"),
    [
        (12, 4, 1, -0.1, "greater"),
        (12, 1, 4, -0.1, "less"),
        (15, 3, 0, 0.05, "greater"),
        (15, 5, 1, 0.0, "two-sided"),
        (9, 0, 0, 0.0, "two-sided"),
        (14, 0, 3, -0.3, "greater"),
        (10, 10, 0, -0.2, "less"),
    ],
)
def test_exact_p_is_the_sum_over_all_tables(n, wins, losses, difference, alternative):
    p = kernel.exact_p(wins, losses, n, difference, alternative)
    shares = np.linspace(abs(difference), 1, 400)
    expected = by_enumeration(n, wins, losses, difference, alternative, shares)
    assert_digits(p, expected, at_least=9)


@pytest.mark.parametrize("n", [30, 200])
@pytest.mark.parametrize("difference", [-0.3, -0.05, 0.0, 0.1])
def test_the_statistic_rises_with_wins_among_the_discordant_cases(n, difference):
    """On which the sum over binomial tails rests."""
    for discordant in range(1, n + 1):
        wins = np.arange(discordant + 1)
        z = kernel.score_statistic(wins, discordant - wins, n, difference)
        assert (np.diff(z) > 0).all()


@pytest.mark.parametrize(
    ("n", "margin", "gamma", "n_tables"),
    [
        pytest.param(50, 0.02, 0.0, 445, marks=pytest.mark.slow),  # 445: issue 40
        (24, 0.1, GAMMA, None),
    ],
)
def test_the_exact_test_has_its_level(n, margin, gamma, n_tables):
    alpha = 0.025
    chosen = np.array([
        (wins, losses, n - wins - losses)
        for wins in range(n + 1)
        for losses in range(n + 1 - wins)
        if kernel.exact_p(wins, losses, n, -margin, "greater", gamma) <= alpha
    ])  # fmt: skip
    assert n_tables in (len(chosen), None)
    levels = [
        stats.multinomial.pmf(
            chosen, n, [(share - margin) / 2, (share + margin) / 2, 1 - share]
        ).sum()
        for share in np.linspace(margin, 1, 60)
    ]
    assert 0.02 < max(levels) <= alpha


def test_margin_0_is_mcnemar_without_continuity_correction():
    wins, losses = RNG.integers(0, 40, (2, 50))
    z = kernel.score_statistic(wins, losses, 200, 0.0)
    total = np.maximum(wins + losses, 1)
    assert_digits(z**2, (wins - losses) ** 2 / total, at_least=13)
    assert kernel.score_statistic(0, 0, 10, 0.0) == 0


def test_wins_and_losses_change_places_with_the_sign_of_the_difference():
    for wins, losses, difference in [(7, 3, -0.05), (0, 2, 0.1), (4, 4, 0.0)]:
        z = kernel.score_statistic(wins, losses, 60, difference)
        assert z == -kernel.score_statistic(losses, wins, 60, -difference)
        low, high = kernel.score_limits(wins, losses, 60, 1.7)
        assert kernel.score_limits(losses, wins, 60, 1.7) == (-high, -low)
        # p of not worse by a margin is p of worse by it with the roles exchanged.
        p = kernel.exact_p(wins, losses, 60, difference, "greater", GAMMA)
        assert p == kernel.exact_p(losses, wins, 60, -difference, "less", GAMMA)


def test_a_wider_margin_has_a_smaller_p_value():
    margins = np.linspace(0.0, 0.5, 200)
    for wins, losses, n in [(3, 8, 60), (0, 0, 40), (25, 5, 90)]:
        z = kernel.score_statistic(wins, losses, n, -margins)
        assert (np.diff(z) > 0).all()
    d = RNG.choice([-1, -0.5, 0, 0.5], size=40, p=[0.1, 0.1, 0.6, 0.2])
    p = [kernel.bounded_p(d + m, -1 + m) for m in margins]
    assert (np.diff(p) < 0).all()


def test_limits_are_where_the_statistic_is_critical():
    critical = 2.1
    for wins, losses, n in [(7.5, 2.25, 31.0), (3, 3, 40), (0, 4, 9), (0, 0, 12)]:
        limits = kernel.score_limits(wins, losses, n, critical)
        for limit, sign in zip(limits, (1, -1), strict=True):
            z = kernel.score_statistic(wins, losses, n, limit)
            assert_digits(z, sign * critical, at_least=11)
    low, high = kernel.score_limits([5, 0], [0, 5], 5, critical)
    assert high[0] == 1 and low[1] == -1


def test_effective_size_of_runs_is_that_of_gpqa():
    d = gpqa_differences()
    n = len(d)
    variance = np.var(d, ddof=1) / n
    wins, losses = d[d > 0].sum(), -d[d < 0].sum()
    w, x, size = kernel.effective_counts(wins, losses, n, variance, n, n * RUNS)
    assert_digits(size, 327.8083, at_least=6)
    z = kernel.score_statistic(w, x, size, -0.05)
    assert_digits(z, 3.792107, at_least=6)
    assert_digits(student.sf(z, n - 1), 9.929e-5, at_least=3.9)
    z = kernel.score_statistic(w, x, size, 0.0)
    assert_digits(2 * student.sf(z, n - 1), 0.0375275, at_least=5)
    low, high = kernel.score_limits(w, x, size, student.isf(0.025, n - 1))
    assert_digits(low, 0.0034757, at_least=4.5)
    assert_digits(high, 0.1142516, at_least=6)
    # With A as baseline: worse by the margin or not is open.
    z = kernel.score_statistic(x, w, size, -0.05)
    assert_digits(student.sf(z, n - 1), 0.62124, at_least=4.5)
    assert_digits(student.sf(-z, n - 1), 0.37876, at_least=4.5)


def test_effective_size_of_cases_alone_is_their_number():
    wins, losses, n = 9, 4, 50
    variance = ((wins + losses) / n - ((wins - losses) / n) ** 2) / n
    got = kernel.effective_counts(wins, losses, n, variance, n, n)
    assert_digits(got, (wins, losses, n), at_least=14)
    # Without variance, and beyond the bounds.
    assert kernel.effective_counts(0, 0, 50, 0.0, 10, 200) == (0, 0, 10)
    assert kernel.effective_counts(9, 4, 50, 1e-9, 10, 200)[2] == 200
    assert kernel.effective_counts(9, 4, 50, 1.0, 10, 200)[2] == 10


def test_bounded_p_and_limit_are_those_of_gpqa():
    d = gpqa_differences()
    assert_digits(kernel.bounded_p(d + 0.05, -0.95), 0.000132401, at_least=5.5)
    low = kernel.bounded_limit(d, 1.0, 0.025)
    assert_digits(low, -0.0014902, at_least=4.5)
    assert_digits(kernel.bounded_p(d - low, -1 - low), 0.025, at_least=9)


@pytest.mark.parametrize("n", [1, 2, 30, 3000])
@pytest.mark.parametrize("part", [0.2, 0.8, 1.0])
def test_bounded_p_of_two_values_is_clopper_pearsons_test(n, part):
    """P(X >= k), X binomial with the share that makes the mean 0."""
    above = round(n * part)
    x = np.repeat([0.3, -0.7], [above, n - above])
    expected = stats.binom.sf(above - 1, n, 0.7)
    assert_digits(kernel.bounded_p(x, -0.7), expected, at_least=10)


def test_bounded_p_is_the_share_of_weighted_sums_below_0():
    x = np.array([0.4, 0.1, -0.2, 0.6, 0.0, 0.3, 0.25])
    e = np.random.default_rng(5).exponential(size=(400_000, len(x) + 1))
    share = np.mean(e @ np.append(x, -0.8) <= 0)
    error = math.sqrt(share * (1 - share) / len(e))
    assert abs(kernel.bounded_p(x, -0.8) - share) < 4 * error


def test_bounded_p_has_the_digits_of_hypoexponential_sums():
    """With one negative number, p is a product: its exponential exceeds the others."""
    x = RNG.uniform(0.05, 1, size=40)
    expected = np.exp(-np.log1p(x / 0.8).sum())
    assert_digits(kernel.bounded_p(x, -0.8), expected, at_least=12)


def test_the_level_of_mcnemars_chi_squared_over_all_shares():
    """Against the sum over all tables of 20 cases."""
    n, critical = 20, stats.norm.isf(0.025)
    tables = [
        (w, x, n - w - x)
        for w, x in itertools.product(range(n + 1), repeat=2)
        if 0 < w + x <= n and abs(w - x) >= critical * math.sqrt(w + x)
    ]
    level = max(
        stats.multinomial.pmf(tables, n, [s / 2, s / 2, 1 - s]).sum()
        for s in np.linspace(0.01, 1, 500)
    )
    assert_digits(kernel.two_sided_level(n, 0.05), level, at_least=4)


def test_20_000_cases_take_below_a_second():
    start = time.process_time()
    p = kernel.exact_p(900, 1000, 20_000, -0.01, "greater", GAMMA)
    assert 0.010 < p < 0.012 and time.process_time() - start < 1


@pytest.mark.parametrize("tiny", [1e-300, 5e-324, 1e-120])
def test_numbers_that_are_nothing_beside_the_lowest_give_no_error(tiny):
    x = tiny * np.arange(1.0, 31)
    assert kernel.bounded_p(x, -1.0) == 1
    half = [kernel.bounded_p(np.append(own, 0.5), -1.0) for own in (x, 0 * x)]
    assert_digits(half[0], half[1], at_least=12)
    for own in (x, -x, x[::-1] - x):
        limit = kernel.bounded_limit(own, 1.0, 0.025)
        assert_digits(limit, kernel.bounded_limit(0 * x, 1.0, 0.025), at_least=10)
