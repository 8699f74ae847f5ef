"""Folds that share training data: what is corrected, and the error that is left."""

import math

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, wide
from tests.methods.over_datasets.many_folds import folds_of

SIZES = {"n_train": 90, "n_test": 10}


def of_golden():
    case = golden("shared_training_data")
    scores = folds_of(case["folds"], a=3)
    x = np.reshape(case["by_row"], (-1, 3))
    return case, with_values(scores, x)


def with_values(scores, x):
    return pc.Scores(
        x[:, :, None],
        scores.blocks,
        scores.algorithms,
        scores.metrics,
        scores.datasets,
    )


def test_equal_sizes_divide_f_of_the_interaction():
    scores = folds_of([10] * 5, a=3)
    plain = pc.dataset_interaction(scores)
    got = pc.dataset_interaction(scores, **SIZES)
    ratio = 1 + 10 / 9
    assert_digits(got.statistic, plain.statistic / ratio, at_least=12)
    assert_digits(got.p_value, stats.f.sf(got.statistic, *got.df), at_least=11)
    assert got.df == plain.df and got.sum_sq == plain.sum_sq
    assert_digits(got.variance_ratio, [ratio] * 5, at_least=14)
    assert list(got.variance_ratio.index) == [f"d{i}" for i in range(1, 6)]
    assert "corrected" in got.name and "divided by 2.11111" in got.notes[0]
    assert (plain.variance_ratio == 1).all() and plain.notes == ()


def test_the_interaction_is_that_of_gls_with_the_correlation_held_fixed():
    case, scores = of_golden()
    q = case["gls"]["overlap"]
    got = pc.dataset_interaction(scores, n_train=1, n_test=q)
    assert_digits(got.statistic, case["gls"]["statistic"], at_least=9)
    assert "weighted by the inverse variance" in got.notes[0]


def test_unequal_sizes_weight_data_sets_by_the_precision_of_their_means():
    case, scores = of_golden()
    overlaps = case["by_formula"]["overlap"]
    tests = {f"d{i}": q for i, q in enumerate(overlaps, start=1)}
    got = pc.dataset_interaction(scores, n_train=1, n_test=tests)
    assert_digits(got.statistic, case["by_formula"]["statistic"], at_least=11)


def test_one_model_of_all_folds_has_wider_errors():
    scores = folds_of([10] * 4, a=3, effect=0.3)
    plain, got = pc.anova(scores), pc.anova(scores, **SIZES)
    ratio = 1 + 10 / 9
    assert_digits(got.variance_ratio, ratio, at_least=14)
    assert_digits(got.statistic, plain.statistic / ratio, at_least=12)
    assert_digits(got.p_value, stats.f.sf(got.statistic, *got.df), at_least=11)
    assert got.table["p_value"].iloc[:-2].isna().all()
    df1, df2 = got.df
    share = df1 * got.statistic / (df1 * got.statistic + df2)
    assert_digits(got.partial_eta2.estimate, share, at_least=12)
    assert got.partial_eta2.conf_high < plain.partial_eta2.conf_high
    epsilon = got.sphericity.greenhouse_geisser
    p = stats.f.sf(got.statistic, epsilon * df1, epsilon * df2)
    assert_digits(got.sphericity.p_greenhouse_geisser, p, at_least=11)
    for method, options in (
        (pc.tukey, {}),
        (pc.scheffe, {}),
        (pc.pairwise_t, {"adjust": "none"}),
        (pc.dunnett, {"control": "A1"}),
    ):
        before = method(scores, **options)
        after = method(scores, **options, **SIZES)
        root = math.sqrt(ratio)
        error = before.table["std_error"] * root
        assert_digits(after.table["std_error"], error, at_least=12)
        t = before.table["statistic"] / root
        assert_digits(after.table["statistic"], t, at_least=12)
        width = before.table["conf_high"] - before.table["conf_low"]
        wider = after.table["conf_high"] - after.table["conf_low"]
        assert_digits(wider, width * root, at_least=11)
        assert (after.table["p_adjusted"] >= before.table["p_adjusted"]).all()
        assert "share training data" in after.notes[0]


def test_unequal_sizes_widen_the_model_by_their_mean_over_folds():
    scores = folds_of([5, 6, 4, 7])
    tests = {"d1": 1, "d2": 2, "d3": 0.5, "d4": 1}
    got = pc.anova(scores, n_train=10, n_test=tests)
    each = [(5, 0.1), (6, 0.2), (4, 0.05), (7, 0.1)]
    ratio = sum(k * (1 + k * q) for k, q in each) / 22
    assert_digits(got.variance_ratio, ratio, at_least=13)


def test_one_data_set_is_corrected_by_its_own_folds():
    scores = wide(np.random.default_rng(0).normal(size=(10, 3)))
    got = pc.anova(scores, n_train=9, n_test=1)
    assert_digits(got.statistic, pc.anova(scores).statistic * 9 / 19, at_least=12)
    two = wide(scores.column()[:, :2])
    t = pc.paired_t(two, n_train=9, n_test=1).statistic
    assert_digits(
        pc.anova(two, n_train=9, n_test=1).statistic, t**2, at_least=12, what="F = t^2"
    )


def test_a_perfect_fit_has_no_p_value_that_takes_folds_as_independent():
    x = np.arange(5.0)[:, None] + np.array([0.0, 1.0, 3.0])
    got = pc.anova(wide(x), n_train=9, n_test=1)
    assert math.isnan(got.p_value) and "share training data" in got.notes[-1]
    assert pc.tukey(wide(x), n_train=9, n_test=1).table["p_adjusted"].isna().all()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"n_train": 9}, pc.InputError, "both n_train and n_test"),
        ({"n_train": {"d1": 9}, "n_test": 1}, pc.InputError, "no size for data set"),
        ({"n_train": 9, "n_test": -1}, pc.InputError, "positive sizes"),
        ({**SIZES, "blocked": False}, pc.DesignError, "leave one out"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        pc.anova(folds_of([4, 5, 6]), **options)


def test_gaps_are_refused():
    x = np.random.default_rng(1).normal(size=(6, 3))
    x[2, 1] = np.nan
    with pytest.raises(pc.DesignError, match="every algorithm on every fold"):
        pc.tukey(wide(x, missing="model"), **SIZES)


@pytest.mark.parametrize(
    ("folds", "overlaps"), [([10] * 10, [1 / 9] * 10), ([5, 10, 20, 4], [1, 0.1, 2, 1])]
)
def test_true_nulls_are_rejected_at_the_nominal_rate(folds, overlaps):
    """Equally correlated folds; uncorrected 0.70 and 0.20 (10 x 10 x 3)."""
    rng, runs, base = np.random.default_rng(5), 600, folds_of(folds, a=3)
    test = {f"d{i}": q for i, q in enumerate(overlaps, start=1)}
    p = np.empty((runs, 4))
    for i in range(runs):
        x = np.vstack(
            [
                math.sqrt(q) * rng.normal(size=(1, 3)) + rng.normal(size=(k, 3))
                for k, q in zip(folds, overlaps, strict=True)
            ]
        )
        scores = with_values(base, x + rng.normal(size=(len(x), 1)))
        p[i] = [
            method(scores, **options).p_value
            for options in ({}, {"n_train": 1, "n_test": test})
            for method in (pc.dataset_interaction, pc.anova)
        ]
    plain_interaction, plain_model, interaction, model = (p <= 0.05).mean(axis=0)
    noise = 3 * math.sqrt(0.05 * 0.95 / runs)
    assert plain_interaction > 0.4 and plain_model > 0.15
    assert abs(interaction - 0.05) < noise
    assert model < 0.05 + noise
