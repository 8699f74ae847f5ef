import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.methods.curves.curves import cases


def folded(**options):
    label, scores = cases()
    fold = np.arange(90) // 18
    return pc.cv_auc(label, scores.C1, positive="ill", fold=fold, **options)


def test_estimate_is_the_mean_of_fold_areas():
    label, scores = cases()
    found = folded()
    areas = [
        pc.auc(label[i : i + 18], scores.C1[i : i + 18], positive="ill")
        for i in range(0, 90, 18)
    ]
    assert list(found.fold_areas["auc"]) == areas
    assert_digits(found.estimate, np.mean(areas), at_least=15)
    assert (found.n_cases, found.n_folds, found.n_repeats) == (90, 5, 1)


def test_one_fold_is_delong_with_n_for_n_minus_one():
    label, scores = cases(n=4000, grid=20)
    found = pc.cv_auc(label, scores.C1, positive="ill", fold=np.zeros(4000))
    from pycompare.kernels import placements

    c = placements.delong(label == "ill", scores.C1.to_numpy()[None])
    n1, n0 = int(c.n_positive), int(c.n_negative)
    variance = c.positive * (n1 - 1) / n1**2 + c.negative * (n0 - 1) / n0**2
    assert_digits(found.std_error**2, variance[0, 0], at_least=12)


def test_influence_of_ledell_with_unequal_folds():
    # Their formula step by step: mean over folds of the mean square.
    label, scores = cases(n=91, grid=2)
    fold = np.minimum(np.arange(91) // 30, 2)
    truth, score = label == "ill", scores.C1.to_numpy()
    share = truth.mean()
    squares = []
    for v in range(3):
        t, s = truth[fold == v], score[fold == v]
        wins = (s[t][:, None] > s[~t]) + (s[t][:, None] == s[~t]) / 2
        positive = (wins.mean(axis=1) - wins.mean()) / share
        negative = (wins.mean(axis=0) - wins.mean()) / (1 - share)
        squares.append(np.mean(np.concatenate([positive, negative]) ** 2))
    found = pc.cv_auc(label, score, positive="ill", fold=fold)
    assert_digits(found.std_error, np.sqrt(np.mean(squares) / 91), at_least=13)


def test_repeating_the_same_predictions_changes_nothing():
    label, scores = cases()
    fold = np.arange(90) // 18
    once = folded()
    thrice = pc.cv_auc(
        np.tile(label, 3),
        np.tile(scores.C1, 3),
        fold=np.tile(fold, 3),
        positive="ill",
        repeat=np.repeat(["a", "b", "c"], 90),
        case=np.tile(np.arange(90), 3),
    )
    assert_digits(thrice.estimate, once.estimate, at_least=14)
    assert_digits(thrice.std_error, once.std_error, at_least=13)
    assert (thrice.n_cases, thrice.n_folds, thrice.n_repeats) == (90, 5, 3)


def test_order_of_rows_has_no_effect():
    label, scores = cases()
    fold = np.arange(90) // 18
    at = np.random.default_rng(0).permutation(90)
    other = pc.cv_auc(label[at], scores.C1.iloc[at], positive="ill", fold=fold[at])
    assert_digits(other.std_error, folded().std_error, at_least=13)


def test_coverage_over_new_cases():
    # Scores of one fixed model: the true AUC is that of two normals 1 apart.
    from scipy import special

    true = special.ndtr(1 / np.sqrt(2))
    rng = np.random.default_rng(5)
    inside = 0
    for _ in range(400):
        label = np.arange(120) % 2
        score = rng.normal(size=120) + label
        found = pc.cv_auc(label, score, positive=1, fold=np.arange(120) // 24)
        inside += found.conf_low <= true <= found.conf_high
    assert 0.90 <= inside / 400 <= 0.98


def test_perfect_folds_have_no_interval():
    found = pc.cv_auc([0, 1, 0, 1], [1, 2, 3, 4], positive=1, fold=[1, 1, 2, 2])
    assert found.estimate == 1 and np.isnan([found.conf_low, found.conf_high]).all()
    assert "no variance" in found.notes[0]
    tied = pc.cv_auc([0, 1] * 6, np.zeros(12), positive=1, fold=np.arange(12) // 4)
    assert tied.estimate == 0.5 and "equal scores" in tied.notes[0]


@pytest.mark.parametrize(
    ("change", "error", "says"),
    [
        ({"repeat": np.ones(90)}, pc.InputError, "both repeat and case"),
        (
            {"repeat": np.arange(90) % 2, "case": np.arange(90)},
            pc.DesignError,
            "each repeat has every case once",
        ),
        ({"repeat": np.ones(3), "case": np.ones(3)}, pc.InputError, "one per row"),
        ({"fold": np.arange(90)}, pc.DesignError, "one class only"),
        ({"fold": np.ones(9)}, pc.InputError, "one per case"),
    ],
)
def test_bad_folds_are_refused(change, error, says):
    label, scores = cases()
    options = {"fold": np.arange(90) // 18} | change
    with pytest.raises(error, match=says):
        pc.cv_auc(label, scores.C1, positive="ill", **options)


def test_a_case_with_two_labels_is_refused():
    with pytest.raises(pc.DesignError, match="both labels"):
        pc.cv_auc(
            [0, 1, 1, 0],
            [1, 2, 3, 4],
            positive=1,
            fold=[1, 1, 1, 1],
            repeat=[1, 1, 2, 2],
            case=[1, 2, 1, 2],
        )
