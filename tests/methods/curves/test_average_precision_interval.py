import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.base.testing import assert_digits
from pycompare.kernels import binomial, cumulative_counts, precision_variance
from tests.methods.curves.curves import cases


def by_hand(truth, score):
    """Average precision with weights of cases, as a function of the weights."""

    def area(weight):
        share = np.where(truth, weight / weight[truth].mean(), 0.0)
        other = np.where(truth, 0.0, weight / weight[~truth].mean())
        above = score[None, :] >= score[truth][:, None]
        tp, fp = above @ share, above @ other
        return np.average(tp / (tp + fp), weights=share[truth])

    return area


@pytest.mark.parametrize("grid", [1e9, 4])
def test_the_variance_is_that_of_the_derivatives_by_the_weight_of_each_case(grid):
    label, scores = cases(n=40, k=1, grid=grid)
    truth, score = label == "ill", scores.C1.to_numpy()
    area, h = by_hand(truth, score), 1e-4
    slopes = []
    for i in range(40):
        up, down = np.ones(40), np.ones(40)
        up[i], down[i] = 1 + h, 1 - h
        slopes.append((area(up) - area(down)) / (2 * h))
    slopes = np.array(slopes)
    sizes = [truth.sum(), (~truth).sum()]
    sides = (slopes[truth], slopes[~truth])
    wanted = sum(
        n / (n - 1) * np.sum((of - of.mean()) ** 2)
        for n, of in zip(sizes, sides, strict=True)
    )
    found = pc.average_precision_interval(label, score, positive="ill")
    assert_digits(found.std_error**2, wanted, at_least=6)
    own = pc.auc_pr(label, score, positive="ill", method="average-precision")
    assert found.estimate == own.estimate


def test_the_error_is_about_that_of_many_resamples():
    label, scores = cases(n=600, k=1)
    drawn = pc.auc_pr_pairs(
        label, {"a": scores.C1, "b": -scores.C1}, positive="ill", resamples=1000
    )
    found = pc.average_precision_interval(label, scores.C1, positive="ill")
    assert abs(found.std_error / drawn.area["std_error"]["a"] - 1) < 0.1


def test_right_and_wrong_alike_have_the_limits_of_the_effective_size():
    label, scores = cases(n=80, k=1)
    found = pc.average_precision_interval(label, scores.C1, positive="ill", level=0.9)
    a, v, n1 = found.estimate, found.std_error**2, found.n_positive
    least = n1 / sum(1 / i for i in range(1, n1 + 1))
    w = 1 / (1 + least * a * (1 - a)) ** 2
    n = 1 / ((1 - w) * v / (a * (1 - a)) + w / least)
    low, high = binomial.clopper_pearson(n * a, n * (1 - a), "two-sided", 0.9)
    assert_digits([found.conf_low, found.conf_high], [low, high], at_least=12)


@pytest.mark.parametrize("n_negative", [1, 50])
def test_one_positive_case_and_a_perfect_score_have_an_interval(n_negative):
    label = np.repeat([1, 0], [1, n_negative])
    found = pc.average_precision_interval(label, label, positive=1)
    assert (found.estimate, found.conf_high) == (1.0, 1.0)
    assert np.isclose(found.conf_low, 0.025) and np.isnan(found.std_error)


def test_groups_have_the_variances_that_each_has_alone():
    rng = np.random.default_rng(5)
    truth = np.repeat([True, False], [6, 30])
    score = rng.integers(0, 9, (4, 36)).astype(float)
    steps = cumulative_counts.steps(score.ravel(), np.tile(truth, 4), 36 * np.arange(5))
    alone = [
        pc.average_precision_interval(truth, row, positive=True).std_error
        for row in score
    ]
    assert_digits(np.sqrt(precision_variance.variance(steps)), alone, at_least=12)


def test_pairs_of_average_precisions_have_these_intervals_and_other_areas_have_not():
    label, scores = cases(k=2)
    draw = {"positive": "ill", "resamples": 50}
    found = pc.auc_pr_pairs(label, scores, method="average-precision", **draw)
    for name, row in found.area.iterrows():
        one = pc.average_precision_interval(label, scores[name], positive="ill")
        got = row[["estimate", "std_error", "conf_low", "conf_high"]].to_numpy(float)
        wanted = [one.estimate, one.std_error, one.conf_low, one.conf_high]
        assert_digits(got, wanted, at_least=12)
    other = pc.auc_pr_pairs(label, scores, method="trapezoid", **draw)
    assert not np.allclose(other.area["conf_low"], found.area["conf_low"])


def test_bad_input_is_refused():
    with pytest.raises(InputError, match="level"):
        pc.average_precision_interval([0, 1], [0, 1], positive=1, level=95)
    with pytest.raises(InputError):
        pc.average_precision_interval([1, 1], [0, 1], positive=1)
