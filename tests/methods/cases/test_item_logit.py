"""Mixed models of items: the exact likelihood, GPQA, R's numbers, refusals."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy import integrate, optimize, special, stats

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits
from pycompare.kernels import item_logit as kernel
from tests.designs.test_cases import scores as cases
from tests.methods.cases.test_items import direct
from tests.methods.cases.test_matched_shares import gpqa, of_runs

GPQA = of_runs(gpqa(), names=("nano", "mini"))


def counts():
    return kernel.RightAnswers(gpqa().sum(axis=2), np.full((198, 2), 5.0))


def test_gpqa_has_the_exact_numbers():
    """The log-likelihood is that of R's nested ``integrate``."""
    found = pc.item_logit(GPQA)
    assert_digits(found.log_likelihood, -561.9605284, at_least=9)
    assert_digits(found.table["intercept"], [2.082895, 1.445027], at_least=5.5)
    assert_digits([found.sd_item, found.sd_own], [3.483256, 2.337248], at_least=6)
    spread = np.hypot(found.sd_item, found.sd_own)
    for b, share in zip(found.table["intercept"], found.table["estimate"], strict=True):
        whole = integrate.quad(
            lambda z, b=b: special.expit(b + spread * z) * stats.norm.pdf(z), -10, 10
        )
        assert_digits(share, whole[0], at_least=8)
    assert_digits(found.pairs["std_error"][0], 0.026782, at_least=3)


def test_one_effect_is_that_of_glmer():
    """``glmer(nAGQ = 25)``: its likelihood is not higher, its estimates are near."""
    found = kernel.fit(counts(), with_own=False)
    theirs = [1.576444591, 1.062292464, 2.918358]
    assert_digits([*found.intercepts, found.sd_item], theirs, at_least=4)
    of_theirs, _ = kernel.log_likelihood(counts(), np.array(theirs[:2]), theirs[2], 0.0)
    assert of_theirs <= found.log_likelihood


def test_the_likelihood_is_a_double_integral():
    right, answers = np.array([[2.0, 4.0]]), np.array([[3.0, 5.0]])
    b, sd_item, sd_own = np.array([0.7, -0.4]), 1.3, 0.8

    z, weights = np.polynomial.hermite_e.hermegauss(80)
    weights = weights / weights.sum()
    each = [
        stats.binom.pmf(
            right[0, j], answers[0, j],
            special.expit(b[j] + sd_item * z[:, None] + sd_own * z),
        ) @ weights
        for j in (0, 1)
    ]  # fmt: skip
    whole = weights @ (each[0] * each[1])
    data = kernel.RightAnswers(right, answers)
    value, _ = kernel.log_likelihood(data, b, sd_item, sd_own)
    assert_digits(value, np.log(whole), at_least=8)


@pytest.mark.parametrize(("models", "runs"), [(3, 3), (10, 5), (40, 1), (2, 96)])
def test_the_likelihood_of_many_answers_is_its_integral(models, runs):
    """The more answers an item has, the narrower its likelihood."""
    rng = np.random.default_rng(models)
    ease, b = rng.normal(size=(6, 1)), rng.normal(size=models)
    right = rng.binomial(runs, special.expit(b + ease)).astype(float)
    data = kernel.RightAnswers(right, np.full(right.shape, float(runs)))
    value, _ = kernel.log_likelihood(data, b, 1.3, 0.0)

    def chance(u: float, item: int) -> float:
        each = stats.binom.logpmf(right[item], runs, special.expit(b + 1.3 * u))
        return np.exp(each.sum() + shift) * stats.norm.pdf(u)

    total = 0.0
    for item in range(6):
        each = stats.binom.logpmf(right[item], runs, special.expit(b))
        shift = -each.sum()
        whole = integrate.quad(chance, -8, 8, (item,), epsabs=0, limit=500)[0]
        total += np.log(whole) - shift
    assert_digits(value, total, at_least=7)


def test_hundreds_of_runs_have_estimates_and_errors():
    """Likelihoods of so many answers are below all floats."""
    rng = np.random.default_rng(5)
    chance = special.expit(rng.normal(size=(60, 1)) + 0.7 * rng.normal(size=(60, 2)))
    errors = []
    for runs in (10, 100, 1000):
        right = rng.binomial(runs, chance).astype(float)
        data = kernel.RightAnswers(right, np.full(right.shape, float(runs)))
        fitted = kernel.fit(data, with_own=True)
        sds = fitted.sd_item, fitted.sd_own
        value, gradient = kernel.log_likelihood(data, fitted.intercepts, *sds)
        assert np.isfinite(value) and np.abs(gradient).max() < 1e-3
        errors.append(np.sqrt(np.diag(kernel.shares(fitted)[1])))
    # Items are drawn: their part of the error stays, and that of answers goes.
    assert errors[0].max() > errors[1].max()
    np.testing.assert_allclose(errors[2], errors[1], rtol=0.1)


def test_the_gradient_is_that_of_the_likelihood():
    at = np.array([1.0, 0.5, np.log(2.0), np.log(1.5)])
    _, gradient = kernel.log_likelihood(counts(), at[:2], 2.0, 1.5)
    for place in range(4):
        ends = []
        for step in (-1e-5, 1e-5):
            x = at.copy()
            x[place] += step
            ends.append(kernel.log_likelihood(counts(), x[:2], *np.exp(x[2:]))[0])
        assert_digits(gradient[place], (ends[1] - ends[0]) / 2e-5, at_least=5)


def test_a_spread_that_is_not_there_is_held_at_0():
    right = np.zeros((60, 2, 4))  # less spread than by chance
    right[:, 0, :3] = right[:, 1, :1] = 1
    right[::6, 1, 1] = 1
    found = pc.item_logit(direct(right))
    assert found.sd_item == 0 and found.sd_own == 0
    assert "of items and of models on items was" in found.notes[-1]
    p = right.mean(axis=(0, 2))
    assert_digits(found.table["estimate"], p, at_least=5)
    wanted = np.sqrt(p * (1 - p) / 240)
    assert_digits(found.table["std_error"], wanted, at_least=3)


def test_limits_of_a_share_are_those_of_its_logit():
    """Limits around a share near 1 went beyond it."""
    right = np.ones((20, 2, 1))
    right[0], right[1, 1] = 0, 0
    table = pc.item_logit(direct(right)).table
    assert (table["high"] < 1).all() and (table["low"] > 0).all()
    p, error = table["estimate"], table["std_error"]
    half = stats.norm.isf(0.025) * error / (p * (1 - p))
    assert (p + stats.norm.isf(0.025) * error > 1).any()
    assert_digits(special.logit(table["low"]), special.logit(p) - half, at_least=9)
    assert_digits(special.logit(table["high"]), special.logit(p) + half, at_least=9)


def test_difficulties_fall_with_right_answers():
    items = pc.item_table(GPQA)
    right = gpqa().sum(axis=(1, 2))
    table = items.table
    means = table["difficulty"].groupby(right).mean()
    assert (np.diff(means) < 0).all() and len(means) == 11
    assert_digits(table["wrong"], 1 - right / 10, at_least=12)
    assert len(items.all_fail) == (right == 0).sum()
    assert len(items.all_solve) == (right == 10).sum()
    ahead = gpqa().sum(axis=2) @ [1, -1]
    assert len(items.won) == (ahead > 0).sum() and len(items.lost) == (ahead < 0).sum()
    turned = dataclasses.replace(
        GPQA, values=1 - GPQA.values, runs=1 - GPQA.runs,
        metrics=(pc.Metric("error", "lower"),),
    )  # fmt: skip
    same = pc.item_table(turned).table["difficulty"]
    assert np.allclose(same, table["difficulty"], rtol=1e-3, atol=1e-3)


def test_rest_correlations_are_those_of_numpy_and_need_models():
    rng = np.random.default_rng(2)
    ease = rng.normal(size=(50, 1)) + np.linspace(-1, 1, 15)
    right = (ease + rng.logistic(size=(50, 15)) > 0).astype(float)
    right[0] = 1.0
    found = pc.item_table(direct(right[:, :, None]))
    correlation = found.table["rest_correlation"]
    rest = (right.sum(axis=0) - right[7]) / 49
    assert_digits(correlation[7], np.corrcoef(right[7], rest)[0, 1], at_least=11)
    assert np.isnan(correlation[0])
    below = 0
    for draw in range(400):
        order = np.random.default_rng(draw).permutation(15)
        others = (right.sum(axis=0) - right) / 49
        pairs = zip(right[1:, order], others[1:], strict=True)
        r = np.array([np.corrcoef(x, y)[0, 1] for x, y in pairs if np.ptp(x)])
        below += (r < -1e-9).mean() / 400
    assert abs(found.negative_by_chance - below) < 0.02
    assert pc.item_table(direct(right[:, :, None]), seed=3).seed == 3
    few = pc.item_table(direct(right[:, :8, None]))
    assert np.isnan(few.negative_by_chance)
    assert few.table["rest_correlation"].isna().all() and "too few" in few.notes[-1]


BAD = {
    "in clusters, a third level": lambda: cases(cluster="text"),
    "19 items are too few": lambda: direct(gpqa()[:19]),
    "all answers of 'm1' are wrong": lambda: direct(gpqa() * [[[1], [0]]]),
    "other than 0 and 1": lambda: cases(graded=True),
}


@pytest.mark.parametrize("said", BAD)
def test_what_has_no_model_is_rejected(said):
    with pytest.raises((DesignError, InputError), match=said):
        pc.item_logit(BAD[said]())


def test_an_item_unlike_all_others_is_integrated_where_it_lies():
    """Of 100 items that are alike but one, this one lies ten SDs away."""
    rng = np.random.default_rng(1)
    n, b = 1000.0, np.array([1.0, 0.4])
    right = rng.binomial(1000, special.expit(b + 0.05 * rng.normal(size=(100, 1))))
    right[0] = 3, 2
    data = kernel.RightAnswers(right.astype(float), np.full(right.shape, n))
    found = kernel.fit(data, with_own=False)
    assert found.reach > 10

    def of_item(counts):
        def log(u):
            at = found.intercepts + u
            each = counts * special.log_expit(at) + (n - counts) * special.log_expit(
                -at
            )
            return each.sum() + stats.norm.logpdf(u, scale=found.sd_item)

        lowest = optimize.minimize_scalar(lambda u: -log(u), bounds=(-9, 3))
        chance = special.expit(found.intercepts + lowest.x)
        far = 10 / np.sqrt(n * np.sum(chance * (1 - chance)))
        whole = integrate.quad(
            lambda u: np.exp(log(u) + lowest.fun), lowest.x - far, lowest.x + far,
            points=[lowest.x], epsrel=1e-10,
        )  # fmt: skip
        choose = special.gammaln([n + 1, *counts + 1, *n - counts + 1])
        both = 2 * choose[0] - choose[1:].sum()
        return np.log(whole[0]) - lowest.fun + both, lowest.x

    each = np.array([of_item(counts) for counts in right])
    assert found.log_likelihood == pytest.approx(each[:, 0].sum(), rel=1e-10)
    assert kernel.easiness(data, found) == pytest.approx(each[:, 1], abs=1e-4)
    at = [*found.intercepts, np.log(found.sd_item)]
    for j in range(3):
        for step in (-0.02, 0.02):
            *near, sd = np.add(at, step * (np.arange(3) == j))
            lower, _ = kernel.log_likelihood(data, near, np.exp(sd), 0.0, found.reach)
            assert lower < found.log_likelihood
    error = np.sqrt(np.diag(kernel.shares(found)[1]))
    assert (error > 0.003).all() and (error < 0.02).all()
