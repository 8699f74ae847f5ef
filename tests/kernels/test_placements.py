import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from pycompare.base.testing import assert_digits
from pycompare.kernels import placements as kernel


def cases(n=60, seed=0, grid=7, rows=()):
    rng = np.random.default_rng(seed)
    label = rng.random((*rows, n)) < 0.4
    label[..., :2] = [True, False]
    score = rng.normal(size=(*rows, n)) + label
    return label, np.round(score * grid) / grid


def half_pairs(label, score):
    """Twice the wins of each case, one pair after another."""
    wins = 2 * (score[label][:, None] > score[~label]) + (
        score[label][:, None] == score[~label]
    )
    out = np.zeros(len(label), int)
    out[label], out[~label] = wins.sum(axis=1), wins.sum(axis=0)
    return out


@pytest.mark.parametrize("grid", [1, 3, 1e6])
def test_every_half_pair_is_counted(grid):
    label, score = cases(grid=grid)
    wanted = half_pairs(label, score)
    assert np.array_equal(kernel.doubled_placements(label, score), wanted)
    doubled, n1, n0 = kernel.doubled_wins(label, score)
    assert doubled == wanted[label].sum() == wanted[~label].sum()
    assert kernel.auc(label, score) == doubled / (2 * n1 * n0)


def test_area_equals_mann_whitney_of_scipy():
    label, score = cases(n=500)
    u = stats.mannwhitneyu(score[label], score[~label]).statistic
    assert kernel.auc(label, score) == u / (label.sum() * (~label).sum())


def test_trapezoids_under_the_steps_are_the_same_area_to_the_last_bit():
    label, score = cases(n=500)
    s = kernel.steps(label, score)
    fp = np.concatenate([[0], s.false_positive])
    tp = np.concatenate([[0], s.true_positive])
    doubled = np.sum(np.diff(fp) * (tp[1:] + tp[:-1]))
    assert kernel.auc(label, score) == doubled / (2 * tp[-1] * fp[-1])


def test_a_batch_gives_what_its_rows_give():
    label, score = cases(rows=(4, 3), n=31)
    area = kernel.auc(label, score)
    place = kernel.placements(label, score)
    for at in np.ndindex(4, 3):
        assert area[at] == kernel.auc(label[at], score[at])
        assert np.array_equal(place[at], kernel.placements(label[at], score[at]))


def test_labels_serve_every_row_of_scores():
    label, _ = cases()
    score = np.random.default_rng(5).normal(size=(2, 5, 60))
    area = kernel.auc(label, score)
    assert area.shape == (2, 5)
    assert area[1, 3] == kernel.auc(label, score[1, 3])


def test_mean_placement_of_either_class_is_the_area():
    label, score = cases()
    place = kernel.placements(label, score)
    area = kernel.auc(label, score)
    assert_digits(place[label].mean(), area, at_least=14, what="V10")
    assert_digits(place[~label].mean(), area, at_least=14, what="V01")


def test_zeros_of_both_signs_tie_and_infinities_are_scores():
    assert kernel.auc([True, False], [0.0, -0.0]) == 0.5
    assert kernel.auc([True, False], [-0.0, 0.0]) == 0.5
    label = [True, False, True, False]
    assert kernel.auc(label, [np.inf, -np.inf, np.inf, 3]) == 1
    assert kernel.auc(label, [np.inf, np.inf, 0, -np.inf]) == 0.625


def test_a_row_without_a_class_or_with_nan_has_no_area():
    label = np.array([[1, 1], [0, 0], [1, 0], [1, 0]], bool)
    area = kernel.auc(label, [[1, 2], [1, 2], [1, 2], [np.nan, 2]])
    assert np.array_equal(area, [np.nan, np.nan, 0, np.nan], equal_nan=True)
    assert kernel.auc(np.zeros((3, 0), bool), np.zeros((3, 0))).shape == (3,)


def test_ten_million_ties_are_one_half():
    label = np.arange(10**7) % 3 == 0
    assert kernel.auc(label, np.ones(10**7)) == 0.5


def test_order_of_the_cases_does_not_matter():
    label, score = cases()
    other = np.random.default_rng(1).permutation(60)
    assert kernel.auc(label[other], score[other]) == kernel.auc(label, score)
    place = kernel.doubled_placements(label, score)
    again = kernel.doubled_placements(label[other], score[other])
    assert np.array_equal(place[other], again)


def test_covariance_is_that_of_the_placements():
    label, _ = cases(n=80)
    score = np.stack([cases(n=80, seed=s)[1] for s in range(4)])
    found = kernel.delong(label, score)
    place = kernel.placements(label, score)
    s10, s01 = np.cov(place[:, label]), np.cov(place[:, ~label])
    wanted = s10 / label.sum() + s01 / (~label).sum()
    assert_digits(found.covariance, wanted, at_least=12, what="covariance")
    assert np.array_equal(found.area, kernel.auc(label, score))


def test_components_of_a_batch_are_those_of_its_rows():
    label, score = cases(rows=(3, 4), n=25)
    label = label[:, 0]
    found = kernel.delong(label, score)
    assert found.covariance.shape == (3, 4, 4)
    for row in range(3):
        alone = kernel.delong(label[row], score[row]).covariance
        assert np.array_equal(found.covariance[row], alone)


def test_nearly_perfect_areas_keep_the_digits_of_their_variance():
    # One of 2000 x 2000 pairs is lost: S10 and S01 are 1/n of (1/2000)^2.
    n = 2000
    label = np.arange(2 * n) >= n
    score = np.arange(2.0 * n)
    score[n], score[n - 1] = n - 1, n
    variance = kernel.delong(label, score[None]).covariance[0, 0]
    one = (1 / n - 1 / n**2) * n / (n - 1) / n**2
    assert_digits(variance, 2 * one / n, at_least=14, what="variance")


@given(
    label=arrays(bool, (3, 8)),
    score=arrays(float, (3, 8), elements=st.sampled_from([-np.inf, -0.0, 0.0, 1, 2.5])),
)
def test_any_small_batch_is_counted_pair_by_pair(label, score):
    doubled, n1, n0 = kernel.doubled_wins(label, score)
    place = kernel.doubled_placements(label, score)
    for row in range(3):
        wanted = half_pairs(label[row], score[row])
        assert np.array_equal(place[row], wanted)
        assert doubled[row] == wanted[label[row]].sum()
        assert (n1[row], n0[row]) == (label[row].sum(), (~label[row]).sum())
