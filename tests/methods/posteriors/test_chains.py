"""Posteriors by Markov chains against long runs of another sampler."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import special, stats

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits
from pycompare.kernels.bradley_terry import ability_draws
from pycompare.kernels.chains import bulk_sample_size, sample_size, split_r_hat
from pycompare.kernels.correlated_folds import FoldMeans, TailPrior, hierarchical_draws
from tests.conftest import wide

WITNESS = json.loads(
    (Path(__file__).parents[3] / "validation/posteriors/witness.json").read_text()
)


def near(found, wanted, sd, size):
    """Whether a mean of so many independent draws lies within four errors."""
    assert abs(found - wanted) < 4 * sd / np.sqrt(size) * 1.5


@pytest.mark.parametrize(
    "case", WITNESS["pairs"], ids=lambda c: "-".join(c["algorithms"])
)
def test_hierarchical_posterior_agrees_with_nuts(case):
    q = len(case["mean"])
    folds = FoldMeans(
        mean=np.array(case["mean"]),
        squares=np.array(case["squares"]),
        n=np.full(q, float(case["n"])),
        rho=np.full(q, case["rho"]),
        largest=case["largest"],
    )
    kept = hierarchical_draws(
        folds,
        TailPrior(),
        chains=4,
        draws=1000,
        warm_up=300,
        generator=np.random.default_rng(7),
    )
    for name in ("delta_0", "sigma_0"):
        mean, sd = case[name][:2]
        near(kept[name].mean(), mean, sd, bulk_sample_size(kept[name]))
    # nu has no variance to speak of: its median.
    size = bulk_sample_size(kept["nu"])
    below = (kept["nu"] < case["nu"][3]).mean()
    near(below, 0.5, 0.5, size)
    tail = (kept["delta_0"] > case["delta_0"][4]).mean()
    near(tail, 0.025, 0.16, bulk_sample_size(kept["delta_0"]))


def test_abilities_agree_with_nuts():
    case = WITNESS["bradley_terry"]
    kept = ability_draws(
        np.array(case["wins"], float),
        spread=0.5,
        chains=4,
        draws=1000,
        warm_up=300,
        generator=np.random.default_rng(3),
    )
    first, second = np.triu_indices(5, 1)
    chance = special.expit(kept["ability"][..., first] - kept["ability"][..., second])
    assert split_r_hat(chance).max() < 1.01
    size = bulk_sample_size(chance).min()
    assert size > 1000
    found = chance.mean(axis=(0, 1))
    assert np.abs(found - case["estimate"]).max() < 4 * 0.08 / np.sqrt(size) * 1.5
    above = (chance > 0.5).mean(axis=(0, 1))
    assert np.abs(above - case["above_half"]).max() < 4 * 0.5 / np.sqrt(size)


@pytest.mark.filterwarnings("error")
def test_steps_that_diverge_are_rejected():
    """With these wins the first steps of the warm-up are too long."""
    wins = np.zeros((5, 5))
    wins[np.triu_indices(5, 1)] = [48, 57, 44, 50, 56, 45, 47, 52, 54, 56]
    wins += np.tril(103 - wins.T, -1)
    kept = ability_draws(
        wins,
        spread=0.5,
        chains=4,
        draws=500,
        warm_up=500,
        generator=np.random.default_rng(0),
    )
    assert split_r_hat(kept["ability"][..., 0]) < 1.1


def test_printed_table_of_bbtcomp():
    """README of bbtcomp, 20 data sets, printed to two digits."""
    printed = [0.53, 0.62, 0.68, 0.79, 0.59, 0.66, 0.77, 0.57, 0.69, 0.63]
    assert (
        np.abs(np.array(WITNESS["bradley_terry"]["estimate"]) - printed).max() < 0.012
    )
    within = [0.49, 0.16, 0.02, 0.00, 0.26, 0.05, 0.00, 0.33, 0.02, 0.11]
    assert np.abs(np.array(WITNESS["bradley_terry"]["within"]) - within).max() < 0.02


def test_diagnostics_of_independent_draws():
    draws = np.random.default_rng(1).standard_cauchy((4, 1000))
    assert split_r_hat(draws) < 1.01
    assert 3000 < bulk_sample_size(draws) < 5500


def test_diagnostics_of_correlated_draws():
    """A first-order autoregression: n (1 - r) / (1 + r) draws."""
    rng, r, n = np.random.default_rng(2), 0.8, 20_000
    x = np.zeros((4, n))
    noise = rng.standard_normal((4, n)) * np.sqrt(1 - r**2)
    x[:, 0] = noise[:, 0]
    for t in range(1, n):
        x[:, t] = r * x[:, t - 1] + noise[:, t]
    wanted = 4 * n * (1 - r) / (1 + r)
    assert 0.85 < sample_size(x) / wanted < 1.15
    assert 0.85 < bulk_sample_size(x) / wanted < 1.15


def test_chains_that_disagree_are_seen():
    rng = np.random.default_rng(3)
    apart = rng.standard_normal((4, 500)) + np.array([0, 0, 0, 1.0])[:, None]
    wider = rng.standard_normal((4, 500)) * np.array([1, 1, 1, 3.0])[:, None]
    assert split_r_hat(apart) > 1.05
    assert split_r_hat(wider) > 1.05


def test_wins_are_counted_and_turned():
    x = np.random.default_rng(2).normal([0, 0.5, 1.0], 1, size=(15, 3)).round(1)
    up = pc.bayesian_bradley_terry(wide(x, better="higher"), rope=0.3, draws=6000)
    down = pc.bayesian_bradley_terry(wide(x, better="lower"), rope=0.3, draws=6000)
    d = np.round(x[:, 0] - x[:, 1], 6)
    row = up.wins.iloc[0]
    assert (row["wins"], row["losses"]) == ((d > 0.3).sum(), (d < -0.3).sum())
    assert row["wins"] == down.wins.iloc[0]["losses"]
    assert abs(up.table["estimate"][0] + down.table["estimate"][0] - 1) < 0.03


def test_two_algorithms_against_integration():
    """One difference of abilities: its posterior by quadrature."""
    wins = np.array([[0, 13.0], [4.0, 0]])
    kept = ability_draws(
        wins,
        spread=0.5,
        chains=4,
        draws=2000,
        warm_up=300,
        generator=np.random.default_rng(5),
    )
    gap = np.linspace(-8, 8, 2001)
    log_sigma = np.linspace(-3, 3, 601)[:, None]
    prior = stats.norm.pdf(gap, scale=np.sqrt(2) * np.exp(log_sigma)) * stats.norm.pdf(
        log_sigma, scale=0.5
    )
    density = prior.sum(axis=0) * special.expit(gap) ** 13 * special.expit(-gap) ** 4
    wanted = (density * special.expit(gap)).sum() / density.sum()
    chance = special.expit(kept["ability"][..., 0] - kept["ability"][..., 1])
    error = chance.std() / np.sqrt(sample_size(chance))
    assert abs(chance.mean() - wanted) < 4 * error


def hierarchical_scores(seed, q=12, n=5, better="lower"):
    rng = np.random.default_rng(seed)
    rows = [
        {"model": m, "data": d, "fold": f, "score": x}
        for d in range(q)
        for centre in [rng.normal(0, 0.05)]
        for i, m in enumerate("AB")
        for f, x in enumerate(0.3 + i * centre + rng.normal(0, 0.03, n))
    ]
    return pc.Scores.from_frame(
        rows, algorithm="model", block="fold", dataset="data", metrics={"score": better}
    )


def test_hierarchical_units_and_direction():
    sizes = {"n_train": 80, "n_test": 20, "draws": 4000}
    low = pc.bayesian_hierarchical(hierarchical_scores(1), rope=0.01, **sizes)
    high = pc.bayesian_hierarchical(
        hierarchical_scores(1, better="higher"), rope=0.01, **sizes
    )
    assert np.abs(low.probabilities() - high.probabilities()[:, ::-1]).max() < 0.06
    assert low.effective_draws >= 400
    assert low.r_hat <= 1.01


def test_hierarchical_needs_three_data_sets():
    with pytest.raises(DesignError, match="3 data sets"):
        pc.bayesian_hierarchical(
            hierarchical_scores(1, q=2), rope=0.01, n_train=80, n_test=20
        )


def test_a_region_far_beyond_all_differences_is_rejected():
    rng = np.random.default_rng(3)
    rows = [
        {"model": m, "data": d, "fold": f, "score": 1e-300 * rng.random()}
        for m in "AB"
        for d in "xyz"
        for f in range(4)
    ]
    scores = pc.Scores.from_frame(
        rows, algorithm="model", block="fold", dataset="data",
        metrics={"score": "higher"},
    )  # fmt: skip
    with pytest.raises(InputError, match="largest difference of A and B"):
        pc.bayesian_hierarchical(scores, rope=1e12, n_train=90, n_test=10)


def test_too_few_draws_say_how_many():
    with pytest.raises(DesignError, match=r"give draws=\d+000"):
        pc.bayesian_bradley_terry(
            wide(np.random.default_rng(1).normal(size=(9, 4))), rope=0, draws=400
        )


def test_error_bars_hold_zero_and_one():
    assert_digits(
        pc.bayesian_bradley_terry(
            wide(np.arange(30.0).reshape(15, 2)), rope=0, draws=2000
        ).table["mc_error"][0]
        < 0.01,
        True,
        at_least=1,
    )
