"""Means of people's labels with a judge: numbers of R's lm, and published ones."""

import numpy as np
import pytest
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.kernels.judged_means import Judged, fit, mean_limits

# evaluatellm's printed example: counts of (label, judge).
COUNTS = {(0, 0): 76, (0, 1): 26, (1, 0): 27, (1, 1): 121}
PAIR = np.array([0]), np.array([1])


def evaluatellm():
    cells = np.repeat(np.array(list(COUNTS), float), list(COUNTS.values()), axis=0)
    y, f = cells[:, :1], cells[:, 1:]
    return Judged(y, f, np.array([3135 / 5000]), 5000)


def three_models():
    i, a = np.arange(1, 41)[:, None], np.arange(1, 4)[None]
    f = ((7 * i + 3 * a) % 10 < 8 - a).astype(float)
    y = np.where((i + 2 * a) % 6 == 0, 1 - f, f)[:12]
    return Judged(y, f[:12], f.mean(axis=0), 40)


def test_estimate_and_slope_are_those_of_evaluatellm():
    fitted = fit([evaluatellm()], zero_or_one=True)
    assert_digits(fitted.slope, 0.5609933294, at_least=9)
    assert_digits(fitted.estimates, [0.6138787398], at_least=9)
    # PPI++'s lambda is the slope times the share of items without a label.
    assert_digits(fitted.slope * (1 - 250 / 5000), 0.5329436629, at_least=9)


def test_evaluatellms_own_interval_is_that_of_ppi_with_a_normal_quantile():
    """Stored: its standard error and limits, with unlabelled items as they are."""
    part = evaluatellm()
    weight = fit([part], zero_or_one=True).slope * part.unlabelled
    n, rest = part.n, part.items - part.n
    unlabelled = (3135 - part.judge.sum()) / rest
    error = part.labels - weight * part.judge
    of_judge = unlabelled * (1 - unlabelled) / (rest - 1)
    own = np.sqrt(error.var(ddof=1) / n + weight**2 * of_judge)
    assert_digits(own, 0.02604910405, at_least=9)
    estimate = part.labels.mean() + weight * (unlabelled - part.judge.mean())
    limits = estimate + stats.norm.ppf([0.025, 0.975]) * own
    assert_digits(limits, [0.5628234341, 0.6649340456], at_least=9)


def test_intervals_of_one_mean_have_four_pseudo_labels():
    part = evaluatellm()
    fitted = fit([part], zero_or_one=True)
    parts = mean_limits([part], fitted, zero_or_one=True, scale=(0.0, 1.0))
    for error, low, high in (
        (parts.like, 0.5617888861, 0.6649369455),
        (parts.these, 0.5636472258, 0.6630786058),
    ):
        half = stats.t.isf(0.025, parts.df_like) * error
        got = parts.centre[0] - half[0], parts.centre[0] + half[0]
        assert_digits(got, (low, high), at_least=9)


def test_differences_are_those_of_lm():
    """R: lm(y ~ item + model + f), and its residuals."""
    fitted = fit([three_models()], zero_or_one=True)
    assert_digits(fitted.slope, 0.6571428571, at_least=9)
    wanted = [0.5219047619, 0.4561904762, 0.3333333333]
    assert_digits(fitted.estimates, wanted, at_least=9)
    first, second = np.array([0, 0]), np.array([2, 1])
    these, df = fitted.these.of_pairs(first, second)
    like, _ = fitted.like.of_pairs(first, second)
    assert_digits(these, [1.371757370e-1, 1.378730975e-1], at_least=9)
    assert_digits(like, [1.808482007e-1, 1.832820895e-1], at_least=9)
    t = (fitted.estimates[0] - fitted.estimates[2]) / np.array([these[0], like[0]])
    p = 2 * stats.t.sf(np.abs(t), df[0])
    assert_digits(p, [0.19925186, 0.32163656], at_least=7)


def test_slope_is_the_coefficient_of_a_regression_with_all_dummies():
    part = three_models()
    n, k = part.labels.shape
    item = np.kron(np.eye(n), np.ones((k, 1)))
    model = np.kron(np.ones((n, 1)), np.eye(k))
    design = np.column_stack([item, model[:, 1:], part.judge.ravel()])
    slope = np.linalg.lstsq(design, part.labels.ravel(), rcond=None)[0][-1]
    assert_digits(fit([part], zero_or_one=True).slope, slope, at_least=10)


def test_one_stratum_that_is_split_by_a_constant_keeps_the_estimate():
    """Equal shares labelled, one judge's mean: strata give the plain mean."""
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, (20, 2)).astype(float)
    f = np.vstack([y[:10], y[10:]]).copy()
    mean = f.mean(axis=0)
    halves = [Judged(y[:10], f[:10], f[:10].mean(axis=0), 50) for _ in range(2)]
    halves[1] = Judged(y[10:], f[10:], f[10:].mean(axis=0), 50)
    fitted = fit(halves, zero_or_one=True)
    assert_digits(fitted.estimates, mean, at_least=12)


def test_judge_without_spread_has_no_slope():
    y = np.random.default_rng(1).normal(size=(12, 3))
    part = Judged(y, np.full((12, 3), 0.1), np.full(3, 0.1), 40)
    fitted = fit([part], zero_or_one=False)
    assert fitted.slope == 0
    assert_digits(fitted.estimates, y.mean(axis=0), at_least=14)


def test_labels_of_all_items_leave_no_error_for_these_items():
    y = np.random.default_rng(1).integers(0, 2, (12, 2)).astype(float)
    part = Judged(y, 1 - y, (1 - y).mean(axis=0), 12)
    these, _ = fit([part], zero_or_one=True).these.of_pairs(*PAIR)
    assert these == pytest.approx(0)


def test_half_a_pseudo_label_keeps_the_error_of_equal_labels_above_0():
    one = np.ones((30, 2))
    fitted = fit([Judged(one, one, np.ones(2), 500)], zero_or_one=True)
    error, _ = fitted.like.of_pairs(*PAIR)
    # V = (0 + I/2) / ((m - 2) m) (1 - n/N) + (I/2) / ((m - 1) N), m = 31.
    wanted = 1 / (29 * 31) * (1 - 30 / 500) + 1 / (30 * 500)
    assert_digits(error[0] ** 2, wanted, at_least=12)
