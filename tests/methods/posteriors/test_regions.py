"""Bayesian sign, signed rank and correlated t tests."""

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits
from pycompare.kernels.dirichlet import largest_shares
from tests.conftest import wide

ANY = {
    "sign": pc.bayesian_sign,
    "signed-rank": pc.bayesian_signed_rank,
    "correlated-t": lambda s, **more: pc.bayesian_correlated_t(
        s, n_train=90, n_test=10, **more
    ),
}


def differences(*, plus, zero, minus):
    """Return scores of two algorithms with differences of 2, 0 and -2."""
    d = np.repeat([2.0, 0.0, -2.0], [plus, zero, minus])
    return wide(np.column_stack([d, np.zeros(len(d))]), better="higher")


def probabilities(result):
    return result.probabilities()[0]


def test_printed_numbers_of_baycomp():
    """Benavoli et al. (2017), naive Bayes and J48 on 54 data sets, rope 1."""
    # 18 data sets favour naive Bayes, 15 neither, 21 J48.
    found = probabilities(
        pc.bayesian_sign(differences(plus=18, zero=15, minus=21), rope=1)
    )
    # Printed from 50,000 draws: four Monte Carlo standard errors.
    assert np.abs(found - [0.26508, 0.13274, 0.60218]).max() < 4 * np.sqrt(
        0.24 / 50_000
    )


@pytest.mark.parametrize("counts", [(2.5, 1, 0.3), (30, 4, 28), (1, 1, 1), (7, 0, 5)])
def test_largest_share_agrees_with_draws(counts):
    draws = np.random.default_rng(1).gamma(np.array(counts, float), size=(200_000, 3))
    found = largest_shares(np.array(counts, float))
    assert_digits(found.sum(), 1.0, at_least=12)
    drawn = np.bincount(draws.argmax(axis=1), minlength=3) / len(draws)
    assert np.abs(found - drawn).max() < 5 * np.sqrt(0.25 / len(draws))


def test_two_shares_are_a_beta_distribution():
    found = largest_shares(np.array([12.5, 0, 7.5]))
    assert_digits(found[0], stats.beta(12.5, 7.5).sf(0.5), at_least=12)


def test_far_tails_keep_their_digits():
    found = largest_shares(np.array([200.0, 1.0, 0.0]))
    assert_digits(found[1], stats.beta(1, 200).sf(0.5), at_least=12)


def test_without_a_region_zeros_count_half():
    even = pc.bayesian_sign(differences(plus=9, zero=4, minus=6), rope=0, prior=1)
    assert_digits(probabilities(even)[0], stats.beta(11.5, 8.5).sf(0.5), at_least=12)
    assert probabilities(even)[1] == 0


def test_signed_ranks_by_all_sums_of_two():
    """The same weights, all pairs of differences added up."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(9, 2)).round(1)
    result = pc.bayesian_signed_rank(
        wide(x, better="higher"), rope=0.5, draws=400, seed=5
    )
    from scipy import special

    from pycompare.kernels.r_random import Uniforms

    u = Uniforms(5).draw(400, 10)
    w = np.column_stack([special.gammaincinv(0.5, u[:, 0]), -np.log(u[:, 1:])])
    w /= w.sum(axis=1, keepdims=True)
    z = np.concatenate([[0], x[:, 0] - x[:, 1]])
    sums = z[:, None] + z
    side = (np.round(sums, 9) > 1) + 0.5 * (np.round(sums, 9) == 1)
    up = np.einsum("di,ij,dj->d", w, side, w)
    assert_digits(result.table["estimate"][0], up.mean(), at_least=12)


def test_signed_rank_without_a_region_has_two_answers():
    table = pc.bayesian_signed_rank(wide(np.eye(5)[:, :2]), rope=0, draws=1000).table
    assert table["probability_equivalent"][0] == 0
    total = table["probability_better"] + table["probability_worse"]
    assert_digits(total[0], 1.0, at_least=14)


def test_correlated_t_has_the_interval_of_the_corrected_test():
    folds = pc.example("folds")
    sizes = {"metric": "error", "n_train": 216, "n_test": 24}
    table = pc.bayesian_correlated_t(folds, rope=0.01, **sizes).table
    tested = pc.corrected_pairs(folds, adjust="none", level=0.95, **sizes).table
    assert_digits(table["estimate"], tested["estimate"], at_least=12)
    p = pc.corrected_pairs(folds, adjust="none", **sizes).table["p_value"]
    without = pc.bayesian_correlated_t(folds, rope=0, **sizes).probabilities()
    assert_digits(2 * np.minimum(without[:, 0], without[:, 2]), p, at_least=11)


@pytest.mark.parametrize("name", ANY)
def test_turning_the_direction_turns_the_answers(name):
    x = np.random.default_rng(2).normal([0, 0.3, 0.6], 1, size=(12, 3))
    up = ANY[name](wide(x, better="higher"), rope=0.2)
    down = ANY[name](wide(x, better="lower"), rope=0.2)
    assert_digits(up.probabilities(), down.probabilities()[:, ::-1], at_least=9)


@pytest.mark.parametrize("name", ANY)
def test_a_pair_does_not_depend_on_other_algorithms(name):
    x = np.random.default_rng(4).normal(size=(10, 4))
    whole = ANY[name](wide(x), rope=0.2).probabilities()
    assert_digits(
        whole[0], ANY[name](wide(x[:, :2]), rope=0.2).probabilities()[0], at_least=15
    )


@pytest.mark.parametrize("name", ANY)
def test_units_change_nothing(name):
    x = np.random.default_rng(5).normal(size=(10, 2)).round(3)
    one = ANY[name](wide(x), rope=0.25).probabilities()
    assert_digits(
        one, ANY[name](wide(x * 1e-200), rope=0.25e-200).probabilities(), at_least=9
    )


def test_equal_differences_have_no_correlated_t():
    x = np.column_stack([np.arange(6.0) + 1, np.arange(6.0)])
    result = ANY["correlated-t"](wide(x), rope=0.1)
    assert np.isnan(result.probabilities()).all()
    assert "same in every block" in result.notes[0]
    assert result.decisions(at=0.9) == ["undecided"]


def test_losses_decide():
    result = pc.bayesian_sign(differences(plus=18, zero=15, minus=21), rope=1)
    assert result.least_loss([[0, 1, 1], [1, 0, 1], [1, 1, 0]]) == ["worse"]
    assert result.least_loss([[0, 0.1, 9], [2, 0, 0.1], [9, 9, 0]]) == ["equivalent"]


@pytest.mark.parametrize("name", ANY)
@pytest.mark.parametrize("rope", [None, -1, np.nan, np.inf, "1", True])
def test_a_region_must_be_a_number(name, rope):
    with pytest.raises((InputError, TypeError), match="rope"):
        ANY[name](pc.example(), rope=rope)


@pytest.mark.parametrize("at", [0.5, 1, 2, "x", None, True])
def test_a_decision_needs_a_probability(at):
    posterior = pc.bayesian_sign(pc.example(), rope=0.01)
    with pytest.raises(InputError, match="at"):
        posterior.decisions(at=at)


@pytest.mark.parametrize("loss", [[[0, 1], [1, 0]], -np.ones((3, 3)), np.ones((3, 3))])
def test_losses_are_checked(loss):
    with pytest.raises(InputError, match="loss"):
        pc.bayesian_sign(pc.example(), rope=0.01).least_loss(loss)


def test_missing_cells_are_refused():
    x = np.random.default_rng(1).normal(size=(6, 3))
    x[0, 0] = np.nan
    scores = pc.Scores.from_wide(
        {name: x[:, k] for k, name in enumerate("ABC")},
        metric="score",
        better="lower",
        missing="model",
    )
    with pytest.raises(DesignError, match="missing"):
        pc.bayesian_sign(scores, rope=0.1)


def test_shares_are_never_below_zero():
    result = pc.bayesian_signed_rank(wide(np.ones((6, 2))), rope=0.1, draws=400)
    row = result.table.iloc[0]
    ends = row[["estimate", "credible_low", "credible_high"]].tolist()
    assert ends == [0.0, 0.0, 0.0]
    assert probabilities(result).tolist() == [0.0, 1.0, 0.0]
