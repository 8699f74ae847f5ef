"""A test is called what it is, and conclusions have the scope that it gives them."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.comparison_report import report_of
from pycompare.reporting.content import fold_words, margin_report
from tests.conftest import wide

SIZES = {"n_train": 90, "n_test": 10}


def scores(n=10, a=2, seed=1, constant=False):
    values = np.random.default_rng(seed).normal(size=(n, a))
    if constant:
        values[:, 1] = values[:, 0] + 0.5
    return wide(values)


@pytest.mark.parametrize(
    ("sizes", "name"), [({}, "paired t"), (SIZES, "corrected resampled t")]
)
@pytest.mark.parametrize("kind", ["equivalence", "non-inferiority"])
def test_equivalence_is_titled_by_its_test(sizes, name, kind):
    found = pc.equivalence(scores(), margin=0.5, kind=kind, **sizes)
    assert found.name == f"{kind.capitalize()} of A1 and A2, {name}"
    plan = pc.Plan(
        blocks="folds",
        margin=0.5,
        hypothesis=kind,
        control="A1" if kind == "non-inferiority" else None,
        **(sizes or {"protocol": "held-out"}),
    )
    told = pc.compare(scores(), plan).summary()
    by = "t" if not sizes else "corrected resampled t"
    assert f"one-sided {by} test" in told
    for other in {"t", "corrected resampled t"} - {by}:
        assert f"one-sided {other} test" not in told
    planned, _ = margin_report.plan_sentences(pc.compare(scores(a=3), plan).only)
    assert f"by one-sided {by} tests" in planned


@pytest.mark.parametrize("shift", [0.5, -0.5])
def test_an_infinite_t_is_called_a_test_of_sign_changes(shift):
    values = np.random.default_rng(2).normal(size=(7, 1)) + np.array([0, shift])
    found = pc.paired_t(wide(values))
    assert found.statistic == -np.copysign(np.inf, shift)
    assert found.p_value == 2.0**-6 and found.p_source == "exact"
    assert found.name.startswith("Exact test of sign changes, t being infinite, A1")
    assert "Fisher" in found.reference and "Nadeau" not in found.reference


def test_folds_with_an_infinite_t_have_no_test_of_sign_changes():
    values = np.random.default_rng(3).normal(size=(8, 3))
    values[:, 1] = values[:, 0] + 1
    one = pc.paired_t(wide(values[:, :2]), **SIZES)
    assert np.isnan(one.p_value) and one.name.startswith("Corrected resampled t test")
    assert "Nadeau" in one.reference
    pairs = pc.corrected_pairs(wide(values), **SIZES)
    assert pairs.method == "corrected resampled t tests"
    values[:, 2] = values[:, 0] - 1
    told = pc.compare(wide(values), pc.Plan(blocks="folds", **SIZES)).summary()
    assert "sign changes" not in told and "No difference can be tested" in told


@pytest.mark.parametrize("a", [2, 3])
@pytest.mark.parametrize("options", [{}, SIZES, {**SIZES, "adjust": ("tukey",)}])
def test_corrected_tests_are_about_new_training_and_test_sets(a, options):
    if a == 2 and "adjust" in options:
        return
    plan = pc.Plan(blocks="folds", **options)
    told = fold_words.scope(pc.compare(scores(a=a), plan).only)
    corrected = options == SIZES
    assert (fold_words.NEW_SETS in told) == corrected
    assert (fold_words.WHICH_SETS in told) == corrected
    assert (fold_words.GENERALISES in told) == (not corrected)
    assert "new training and test sets" in fold_words.NEW_SETS


@pytest.mark.parametrize("n", [5, 6])
def test_two_algorithms_on_few_folds_have_no_disagreement_by_hopeless_tests(n):
    values = np.column_stack([10 + np.arange(n) / 100, 11 + np.arange(n) / 90])
    comparison = pc.compare(wide(values), pc.Plan(blocks="folds", protocol="held-out"))
    stated = report_of(comparison).statements(comparison.analyses[0])
    cannot = "Wilcoxon signed rank test and Exact sign test cannot reach significance"
    assert any(cannot in text for text in stated.remarks) == (n == 5)
    assert not any(other.differs_on(stated.outcome) for other in stated.alternatives)
    cannot = [other for other in stated.alternatives if other.hopeless]
    assert len(cannot) == (2 if n == 5 else 0)
    assert not any(other.agrees(stated.outcome) for other in cannot)


def test_a_test_that_can_reject_still_disagrees():
    values = np.column_stack([np.zeros(8), [1, 1, 1, 1, 1, 1, -0.1, -0.1]])
    values[:, 1] += np.arange(8) / 100
    comparison = pc.compare(wide(values), pc.Plan(blocks="folds", protocol="held-out"))
    [analysis] = comparison.analyses
    assert analysis.test.p_value <= 0.05 < analysis.sign.p_value
    stated = report_of(comparison).statements(analysis)
    [signs] = [o for o in stated.alternatives if o.name.startswith("Exact sign test")]
    assert not signs.agrees(stated.outcome) and not signs.hopeless
    assert "cannot reach significance" not in comparison.summary()
    assert report_of(comparison.only).limits()


def test_z_tests_of_mean_ranks_on_two_blocks_agree_with_nothing():
    ranks = [[1, 2, 3, 4, 5, 6, 7, 8, 9], [2, 1, 4, 3, 6, 5, 8, 9, 7]]
    comparison = pc.compare(
        wide(np.array(ranks, float)), pc.Plan(blocks="datasets", compares="ranks")
    )
    stated = report_of(comparison).statements(comparison.analyses[0])
    pairs = [o for o in stated.alternatives if o.significant is not None]
    assert len(pairs) == 6
    for other in pairs:
        assert len(other.hopeless) == 36 and not other.agrees(stated.outcome)
    told = "No other analysis could reject any pair, whatever the scores."
    assert told in comparison.summary()
    # z of 8 ranks is 2.92, p = 0.0035: 36 p is above 0.05, and 8 p below.
    plan = pc.Plan(blocks="datasets", compares="ranks", control="A1")
    made = pc.compare(comparison.scores, plan)
    others = report_of(made).statements(made.analyses[0]).alternatives
    [holm] = [other for other in others if other.name == "Z tests, Holm"]
    assert not holm.hopeless
