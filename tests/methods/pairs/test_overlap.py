"""Overlap terms of corrected t tests: c of shared/CV.md, and what refuses them."""

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.methods.pairs.overlap import (
    enlarged_of_repeats,
    enlarged_of_run,
    folds_of_run,
)
from tests.conftest import wide

TWELVE = np.random.default_rng(4).normal([0, 0.4, 0.8], size=(12, 3))


def overlap_of(n_blocks, **keys):
    """Return the factor that a plan of folds has for so many splits."""
    return pc.Plan(blocks="folds", **keys).correction(n_blocks)["overlap"]


@pytest.mark.parametrize(
    ("n_folds", "c"),
    [(20, 2.475), (10, 2.25), (5, 1.8), (4, 1.575), (3, 1.25), (2, 1.25)],
)
def test_repeated_splits_have_the_term_of_their_share_of_test_cases(n_folds, c):
    assert enlarged_of_repeats(n_folds - 1, 1) == pytest.approx(c, rel=1e-14)
    protocol = {"protocol": "cross-validation"}
    repeated = overlap_of(10 * n_folds, n_folds=n_folds, **protocol)
    by_sizes = overlap_of(10 * n_folds, n_train=n_folds - 1, n_test=1, **protocol)
    resampled = overlap_of(2, n_train=n_folds - 1, n_test=1, protocol="resampling")
    unknown = overlap_of(n_folds, n_train=n_folds - 1, n_test=1)
    assert {repeated, by_sizes, resampled, unknown} == {
        enlarged_of_repeats(n_folds - 1, 1)
    }


@pytest.mark.parametrize(
    ("n_folds", "c"), [(2, 1.25), (5, 1.25), (6, 1.35), (8, 1.55), (10, 1.75)]
)
def test_a_single_run_has_the_term_of_its_number_of_folds(n_folds, c):
    assert enlarged_of_run(n_folds) == pytest.approx(c, rel=1e-14)
    protocol = {"protocol": "cross-validation"}
    assert overlap_of(n_folds, n_folds=n_folds, **protocol) == enlarged_of_run(n_folds)
    sizes = {"n_train": 7.5 * (n_folds - 1), "n_test": 7.5}
    assert overlap_of(n_folds, **sizes, **protocol) == enlarged_of_run(n_folds)
    # One split more than the folds of a repetition is a repetition.
    assert overlap_of(n_folds + 1, **sizes, **protocol) == enlarged_of_repeats(**sizes)


def test_sizes_of_unequal_folds_are_their_means():
    assert folds_of_run(90.9, 10.1) == folds_of_run(91, 10) == 10


def test_one_is_the_published_term_in_every_protocol():
    for keys in (
        {"protocol": "cross-validation", "n_folds": 15},
        {"n_train": 90, "n_test": 10},
        {"n_train": 90, "n_test": 10, "protocol": "resampling"},
    ):
        assert overlap_of(15, overlap=1, **keys) == 1
        assert pc.Plan(blocks="folds", overlap=1.0, **keys).overlap == 1


def test_the_term_is_in_test_interval_and_effect():
    scores = wide(TWELVE[:, :2])
    d = TWELVE[:, 0] - TWELVE[:, 1]
    got = pc.paired_t(scores, n_train=9, n_test=1, overlap=2.25)
    error = d.std(ddof=1) * np.sqrt(1 / 12 + 2.25 / 9)
    t = d.mean() / error
    assert got.std_error == pytest.approx(error, rel=1e-12)
    assert got.p_value == pytest.approx(2 * stats.t.sf(abs(t), 11), rel=1e-10)
    half = stats.t.isf(0.025, 11) * error
    assert got.conf_high - got.estimate == pytest.approx(half, rel=1e-10)
    pairs = pc.corrected_pairs(scores, n_train=9, n_test=1, overlap=2.25)
    assert pairs.table["p_value"].item() == got.p_value
    within = pc.equivalence(scores, margin=2, n_train=9, n_test=1, overlap=2.25)
    assert within.std_error == got.std_error
    assert pc.paired_t(scores, n_train=9, n_test=1).overlap == 1
    plain = d.std(ddof=1) * np.sqrt(1 / 12 + 1 / 9)
    assert pc.paired_t(scores, n_train=9, n_test=1).std_error == pytest.approx(plain)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"overlap": 2.25}, "overlap=2.25.*n_train"),
        ({"overlap": 0, "n_train": 9, "n_test": 1}, "overlap=0: give a positive"),
        ({"overlap": "enlarged", "n_train": 9, "n_test": 1}, "'enlarged'.*positive"),
    ],
)
def test_functions_refuse_a_term_that_is_no_number_or_has_no_sizes(options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.paired_t(wide(TWELVE[:, :2]), **options)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"overlap": 2, "n_train": 9, "n_test": 1}, "'enlarged', or the number 1"),
        ({"overlap": True, "n_train": 9, "n_test": 1}, "'enlarged', or the number 1"),
        ({"overlap": "big", "n_train": 9, "n_test": 1}, "'enlarged', or the number 1"),
        ({"overlap": 1}, "overlap=1.*give n_train"),
        ({"overlap": 1, "protocol": "held-out"}, "overlap=1.*give n_train"),
        ({"overlap": 1, "blocks": "datasets"}, "independent data sets"),
        ({"overlap": 1, "blocks": "cases"}, "overlap: no use"),
    ],
)
def test_plans_refuse_other_numbers_and_a_term_without_use(keys, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.Plan(**{"blocks": "folds", **keys})


def test_a_single_run_of_more_folds_than_were_studied_needs_the_published_term():
    plan = {"protocol": "cross-validation", "n_folds": 12}
    with pytest.raises(pc.PlanError, match=r"single run of 12 folds.*overlap=1"):
        pc.compare(wide(TWELVE), pc.Plan(blocks="folds", **plan))
    made = pc.compare(wide(TWELVE), pc.Plan(blocks="folds", overlap=1, **plan))
    [analysis] = made.analyses
    expected = pc.corrected_pairs(
        wide(TWELVE), n_train=11, n_test=1, adjust="bergmann-hommel", alpha=0.05
    )
    assert analysis.decisive.table.equals(expected.table)


@pytest.mark.parametrize(("overlap", "said"), [("enlarged", "c = 2.25"), (1, "c = 1")])
@pytest.mark.parametrize("a", [2, 3])
def test_the_scope_has_the_term_and_the_levels_that_were_measured(overlap, said, a):
    plan = pc.Plan(blocks="folds", n_train=9, n_test=1, overlap=overlap)
    text = pc.compare(wide(TWELVE[:, :a]), plan).summary()
    assert "Nominal 0.05." in text and said in text and "up to 0.27" in text
    assert ("at or below 0.04" in text) == (overlap == "enlarged")
