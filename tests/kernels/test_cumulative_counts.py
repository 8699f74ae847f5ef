"""The kernels of steps: against goldens, scikit-learn, placements and identities."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from sklearn import metrics

from pycompare.base.testing import assert_digits
from pycompare.kernels import cumulative_counts, placements, rates
from tests.conftest import golden, golden_names


def ragged(seed: int, sizes: list[int], levels: int | None = None):
    """Groups of different sizes; both classes in each; ties if levels are few."""
    rng = np.random.default_rng(seed)
    n = sum(sizes)
    score = rng.integers(0, levels, n).astype(float) if levels else rng.normal(size=n)
    offsets = np.concatenate(([0], np.cumsum(sizes)))
    label = rng.random(n) < 0.4
    for start in offsets[:-1]:
        label[start : start + 2] = True, False
    return score, label, offsets


SIZES = [7, 200, 31, 2, 64]
KINDS = {"continuous": None, "ties": 4, "all equal": 1}


@pytest.fixture(params=KINDS)
def groups(request):
    return ragged(3, SIZES, KINDS[request.param])


def each(groups):
    score, label, offsets = groups
    for a, b in itertools.pairwise(offsets):
        yield label[a:b], score[a:b]


@pytest.mark.parametrize("name", golden_names("roc_"))
def test_areas_agree_with_r(name):
    data = golden(name)
    y = np.array(data["input"]["y"], bool)
    s = np.array(data["input"]["scores"], float).T
    offsets = np.arange(len(s) + 1) * y.size
    found = cumulative_counts.steps(s.ravel(), np.tile(y, len(s)), offsets)
    out = {k: v["value"] for k, v in data["outputs"].items() if "value" in v}
    assert_digits(cumulative_counts.auc(found), out["auc"], at_least=15)
    wanted = {
        cumulative_counts.average_precision: out["average_precision_by_hand_in_R"],
        cumulative_counts.pr_trapezoid: out[
            "pr_trapezoid_by_hand_in_R_anchor_first_precision"
        ],
    }
    davis = [
        row["auc.davis.goadrich"]
        for row in out["pr_auc_PRROC_integral_and_davis_goadrich"]
    ]
    if davis[0] is not None:  # PRROC was not asked for it in the largest data
        wanted[cumulative_counts.pr_davis_goadrich] = davis
    for area, expected in wanted.items():
        assert_digits(area(found), expected, at_least=14, what=area.__name__)


def test_trapezoids_are_the_mann_whitney_share_to_the_last_bit(groups):
    found = cumulative_counts.auc(cumulative_counts.steps(*groups))
    expected = [placements.auc(label, score) for label, score in each(groups)]
    assert np.array_equal(found, expected)


def test_areas_and_counts_agree_with_scikit_learn(groups):
    found = cumulative_counts.steps(*groups)
    precision = [metrics.average_precision_score(y, s) for y, s in each(groups)]
    assert_digits(cumulative_counts.average_precision(found), precision, at_least=13)
    straight = []
    for y, s in each(groups):
        p, r, _ = metrics.precision_recall_curve(y, s)
        straight.append(metrics.auc(r, p))
    assert_digits(cumulative_counts.pr_trapezoid(found), straight, at_least=13)
    for t in (-np.inf, -0.3, 0.0, 1.0, 2.5, np.inf):
        counts = cumulative_counts.counts_at(found, [t])
        for g, (y, s) in enumerate(each(groups)):
            (tn, fp), (fn, tp) = metrics.confusion_matrix(y, s >= t, labels=[0, 1])
            assert [c[g, 0] for c in counts] == [tp, fp, fn, tn]


def test_rates_agree_with_scikit_learn(groups):
    counts = cumulative_counts.counts_at(cumulative_counts.steps(*groups), [0.0])
    wanted = {
        rates.mcc: metrics.matthews_corrcoef,
        rates.kappa: metrics.cohen_kappa_score,
        rates.f1: metrics.f1_score,
        rates.accuracy: metrics.accuracy_score,
        rates.balanced_accuracy: metrics.balanced_accuracy_score,
    }
    for ours, theirs in wanted.items():
        found = ours(counts)[:, 0]
        for value, (y, s) in zip(found, each(groups), strict=True):
            if not np.isnan(value):
                assert_digits(value, theirs(y, s >= 0), at_least=13)


def test_f1_is_the_harmonic_mean_of_precision_and_recall(groups):
    counts = cumulative_counts.counts_at(
        cumulative_counts.steps(*groups), [-0.5, 0.0, 0.5]
    )
    some = counts.tp > 0
    precision, recall = rates.precision(counts)[some], rates.tpr(counts)[some]
    harmonic = 2 / (1 / precision + 1 / recall)
    assert_digits(rates.f1(counts)[some], harmonic, at_least=14)


def test_the_full_partial_area_is_the_area_and_parts_add_up(groups):
    found = cumulative_counts.steps(*groups)
    assert_digits(
        cumulative_counts.partial_auc(found, 0, 1),
        cumulative_counts.auc(found),
        at_least=14,
    )
    parts = sum(
        cumulative_counts.partial_auc(found, low, high)
        for low, high in ((0, 0.13), (0.13, 0.5), (0.5, 1))
    )
    assert_digits(parts, cumulative_counts.auc(found), at_least=13)


def test_partial_area_agrees_with_scikit_learn():
    groups = ragged(8, SIZES)
    found = cumulative_counts.partial_auc(cumulative_counts.steps(*groups), 0.0, 0.3)
    for value, (y, s) in zip(found, each(groups), strict=True):
        fpr, tpr, _ = metrics.roc_curve(y, s, drop_intermediate=False)
        inside = fpr <= 0.3
        x = np.r_[fpr[inside], 0.3]
        height = np.interp(0.3, *ends(fpr, tpr, 0.3))
        assert_digits(value, metrics.auc(x, np.r_[tpr[inside], height]), at_least=12)


def ends(fpr, tpr, at):
    """The two corners of the curve around a false positive rate."""
    right = int(np.argmax(fpr > at))
    return fpr[[right - 1, right]], tpr[[right - 1, right]]


def test_a_curve_of_one_point_has_the_balanced_accuracy_as_area():
    score, label, offsets = ragged(5, SIZES)
    called = (score >= 0.2).astype(float)
    found = cumulative_counts.steps(called, label, offsets)
    balanced = rates.balanced_accuracy(cumulative_counts.counts_at(found, [0.5]))[:, 0]
    assert_digits(cumulative_counts.auc(found), balanced, at_least=14)


def test_a_perfect_classifier_has_areas_of_one():
    label = np.array([True, True, False, True, False])
    found = cumulative_counts.steps(label.astype(float), label, [0, 5])
    areas = (
        cumulative_counts.auc,
        cumulative_counts.pr_trapezoid,
        cumulative_counts.pr_davis_goadrich,
    )
    assert all(
        area(found) == 1 for area in (*areas, cumulative_counts.average_precision)
    )


def test_without_information_precision_is_the_share_of_positives():
    score, label, offsets = ragged(6, SIZES, levels=1)
    found = cumulative_counts.steps(score, label, offsets)
    share = found.positives / np.diff(offsets)
    assert_digits(cumulative_counts.average_precision(found), share, at_least=14)
    assert_digits(cumulative_counts.pr_davis_goadrich(found), share, at_least=14)
    assert_digits(cumulative_counts.pr_trapezoid(found), (1 + share) / 2, at_least=14)
    assert np.array_equal(cumulative_counts.auc(found), np.full(len(SIZES), 0.5))


def test_one_case_a_step_leaves_nothing_to_interpolate():
    score, label, offsets = ragged(9, SIZES)
    for start, end in itertools.pairwise(offsets):
        label[start + np.argmax(score[start:end])] = True
    found = cumulative_counts.steps(score, label, offsets)
    straight = cumulative_counts.pr_trapezoid(found)
    assert_digits(cumulative_counts.pr_davis_goadrich(found), straight, at_least=14)


def test_interpolates_as_in_the_example_of_davis_and_goadrich():
    # 20 positives; A = (5 tp, 5 fp), B = (10 tp, 30 fp): sec. 4 of the paper prints
    # the precisions between them.
    cases = [(3.0, 5, 5), (2.0, 5, 25), (1.0, 10, 30)]
    score = np.concatenate([np.full(p + n, s) for s, p, n in cases])
    label = np.concatenate([np.arange(p + n) < p for _, p, n in cases])
    between = np.array([0.5, 0.375, 0.318, 0.286, 0.265, 0.25])
    area = 5 * 0.5 + np.sum(between[1:] + between[:-1]) / 2 + 10 * 0.25
    found = cumulative_counts.pr_davis_goadrich(
        cumulative_counts.steps(score, label, [0, score.size])
    )
    assert abs(found[0] - area / 20) < 0.0005 * 5 / 20


def test_groups_may_be_empty_or_of_one_class():
    label = np.array([True, True, False, False])
    score = np.array([0.9, 0.8, 0.7, 0.6])
    found = cumulative_counts.steps(score, label, [0, 0, 2, 2, 4, 4])
    assert found.positives.tolist() == [0, 2, 0, 0, 0]
    assert found.negatives.tolist() == [0, 0, 0, 2, 0]
    for area in (
        cumulative_counts.auc,
        lambda f: cumulative_counts.partial_auc(f, 0, 0.5),
    ):
        assert np.isnan(area(found)).all()
    for area in (
        cumulative_counts.average_precision,
        cumulative_counts.pr_trapezoid,
        cumulative_counts.pr_davis_goadrich,
    ):
        assert np.isnan(area(found)).tolist() == [True, False, True, True, True]
        assert area(found)[1] == 1
    counts = cumulative_counts.counts_at(found, [0.85, 0.65])
    assert counts.tp[1].tolist() == [1, 2]
    assert counts.fp[3].tolist() == [0, 1]
    assert rates.tpr(counts)[1].tolist() == [0.5, 1.0]
    assert np.isnan(rates.fpr(counts)[1]).all()


def test_signed_zeros_tie_and_a_threshold_counts_its_own_score():
    found = cumulative_counts.steps(
        np.array([0.0, -0.0]), np.array([True, False]), [0, 2]
    )
    assert found.score.tolist() == [0.0]
    assert cumulative_counts.auc(found) == 0.5
    assert cumulative_counts.counts_at(found, [-0.0]).tp.item() == 1


def test_the_order_of_cases_does_not_matter(groups):
    score, label, offsets = groups
    rng = np.random.default_rng(0)
    order = np.concatenate(
        [a + rng.permutation(b - a) for a, b in itertools.pairwise(offsets)]
    )
    one, other = (
        cumulative_counts.steps(*groups),
        cumulative_counts.steps(score[order], label[order], offsets),
    )
    for area in (
        cumulative_counts.auc,
        cumulative_counts.pr_davis_goadrich,
        cumulative_counts.average_precision,
    ):
        assert np.array_equal(area(one), area(other))


def test_ten_million_ties_are_counted():
    n = 10_000_000
    label = np.zeros(n, bool)
    label[: n // 4] = True
    found = cumulative_counts.steps(np.zeros(n), label, [0, n])
    assert cumulative_counts.auc(found) == 0.5
    assert found.tp.tolist() == [n // 4]
