"""Whether one curve lies above another: bands, sentences, and what is rejected."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import curve_differences
from tests.methods.curves.curves import cases
from tests.r_session import run_source


def found(label=None, scores=None, **options):
    """Compare two curves, with few resamples."""
    if label is None:
        label, scores = cases(k=2)
    return pc.curve_dominance(
        label, scores, positive="ill", **{"resamples": 199, **options}
    )


def apart(n=200, shift=3.0, seed=0):
    """Labels, and a classifier that is far better than another."""
    rng = np.random.default_rng(seed)
    label = np.where(np.arange(n) % 2 == 0, "ill", "well")
    better = rng.normal(size=n) + shift * (label == "ill")
    return label, pd.DataFrame({"better": better, "chance": rng.normal(size=n)})


def test_heights_are_those_of_both_curves():
    label, scores = cases(k=2, grid=2.0)
    table = found(label, scores).table
    first, second = (
        pc.roc_curve(label, scores[name], positive="ill") for name in scores
    )
    for at, difference in table[["fpr", "estimate"]].to_numpy():
        heights = []
        for curve in (first, second):
            here = curve.tpr[curve.fpr == at]
            before = np.flatnonzero(curve.fpr < at)
            if len(here):
                heights.append(here.min())
            else:
                ends = [before[-1], before[-1] + 1]
                heights.append(np.interp(at, curve.fpr[ends], curve.tpr[ends]))
        assert difference == pytest.approx(heights[0] - heights[1])


def test_curves_that_are_exchanged_have_the_other_sign():
    label, scores = cases(k=2)
    one, other = found(label, scores), found(label, scores[scores.columns[::-1]])
    assert_digits(one.table["estimate"], -other.table["estimate"], at_least=14)
    assert_digits(one.table["conf_low"], -other.table["conf_high"], at_least=12)
    assert one.p_value == other.p_value
    assert (one.shortfall_1, one.shortfall_2) == (other.shortfall_2, other.shortfall_1)


def test_only_the_order_of_scores_counts():
    label, scores = cases(k=2)
    one, other = found(label, scores), found(label, np.exp(scores / 3))
    assert one.p_value == other.p_value
    assert_digits(one.table["conf_low"], other.table["conf_low"], at_least=14)


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])
@pytest.mark.parametrize("seed", range(3))
def test_the_band_leaves_out_0_exactly_when_p_is_small(level, seed):
    label, scores = cases(n=80, k=2, seed=seed)
    scores.iloc[:, 0] += 0.8 * (label == "ill")
    here = found(label, scores, level=level)
    assert (len(here.ranges) > 0) == (here.p_value <= 1 - level + 1e-12)
    assert_digits(here.estimate, _at(here)["estimate"], at_least=15)


def _at(result):
    rows = result.table[result.table.iloc[:, 0] == result.place]
    return rows.iloc[np.argmax(np.abs(rows["estimate"] - result.estimate) == 0)]


def test_bands_of_several_pairs_have_their_level_together():
    label, scores = cases(k=2)
    scores.iloc[:, 0] += 0.8 * (label == "ill")
    one = found(label, scores, level=0.98)
    of_four = found(label, scores, level=0.92, n_pairs=4)
    assert_digits(of_four.table["conf_low"], one.table["conf_low"], at_least=13)
    assert of_four.p_value == one.p_value
    assert of_four.p_adjusted == min(1.0, 4 * one.p_value)
    assert "92% simultaneous band of 4 pairs [" in of_four.sentence
    assert "], adj. p = " in of_four.sentence and "], p = " in one.sentence


@pytest.mark.parametrize("seed", range(4))
def test_a_band_of_a_family_leaves_out_0_exactly_when_adjusted_p_is_small(seed):
    label, scores = cases(n=80, k=2, seed=seed)
    scores.iloc[:, 0] += (0.6 + 0.3 * seed) * (label == "ill")
    here = found(label, scores, level=0.8, n_pairs=3)
    assert (len(here.ranges) > 0) == (here.p_adjusted <= 0.2 + 1e-12)


def test_a_far_better_classifier_is_above_and_the_sentence_says_where():
    label, scores = apart()
    here = found(label, scores)
    assert set(here.ranges["algorithm"]) == {"better"}
    low, high = here.ranges.iloc[0][["low", "high"]]
    rows = here.table[here.table["fpr"].between(low, high)]
    assert (rows["conf_low"] > 0).mean() > 0.9 and low < 0.1 < 0.6 < high
    assert here.on_these_cases == "first"
    assert "ROC curve of better is significantly above that of chance" in here.sentence
    assert here.sentence.endswith("On these cases better is nowhere below chance.")
    assert here.shortfall_1 < 0.2 < 0.5 < here.shortfall_2
    other = found(label, scores[["chance", "better"]])
    assert other.on_these_cases == "second"


def test_curves_that_cross_significantly_have_ranges_of_both():
    rng = np.random.default_rng(5)
    n = 600
    label = np.where(np.arange(n) % 2 == 0, "ill", "well")
    ill = label == "ill"
    # One finds half of the ill without an error, the other is good at the other end.
    early = np.where(ill & (rng.random(n) < 0.5), 5.0, rng.normal(size=n))
    late = np.where(~ill & (rng.random(n) < 0.5), -5.0, rng.normal(size=n))
    here = found(label, {"early": early, "late": late})
    assert set(here.ranges["algorithm"]) == {"early", "late"}
    assert "cross significantly" in here.sentence
    assert here.on_these_cases == "crossing"


def test_equal_scores_are_not_tested():
    label, scores = cases(k=2)
    same = pd.DataFrame({"A": scores.iloc[:, 0], "B": scores.iloc[:, 0]})
    here = found(label, same)
    assert np.isnan(here.p_value) and here.ranges.empty and here.r_call() is not None
    assert here.on_these_cases == "equal" and "are the same" in here.sentence
    assert "not tested" in here.sentence


def test_part_of_the_axis_is_compared():
    here = found(kind="pr", low=0.25, high=0.75)
    assert here.table["recall"].iloc[0] == 0.25 and here.table["recall"].max() == 0.75
    assert "recall" in here.sentence


def test_a_long_axis_is_thinned_and_a_note_says_so():
    rng = np.random.default_rng(1)
    label = np.where(np.arange(2000) % 2 == 0, "ill", "well")
    scores = rng.normal(size=(2000, 2)) + (label == "ill")[:, None]
    here = found(label, scores, resamples=19)
    assert len(here.table) == 501
    assert any("501 of" in note for note in here.notes)


def test_the_scale_of_the_band_is_that_of_its_equation():
    rng = np.random.default_rng(2)
    observed, drawn = rng.normal(size=6), rng.normal(size=(99, 6))
    band = curve_differences.band(observed, drawn, 0.1)
    variance = np.mean((drawn - observed) ** 2, axis=0)
    scale = np.sqrt(variance + variance.max() / 10)
    largest = np.sort(np.abs((drawn - observed) / scale).max(axis=1))
    assert_digits(band.half, largest[-10] * scale, at_least=13)
    assert_digits(band.statistic, np.abs(observed / scale).max(), at_least=13)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "cost"}, "kind"),
        ({"low": 0.5, "high": 0.5}, "the lower one first"),
        ({"low": -0.1}, "numbers from 0 to 1"),
        ({"resamples": 18}, "needs 19 at least"),
        ({"resamples": 1}, "resamples"),
        ({"level": 1.0}, "level"),
        ({"n_pairs": 0}, "n_pairs=0: give a whole number, 1 or more"),
        ({"n_pairs": 11}, "band of level 0.995455 needs 219 at least"),
        ({"seed": -1}, "seed"),
    ],
)
def test_arguments_that_mean_nothing_are_rejected(options, message):
    with pytest.raises(pc.InputError, match=message):
        found(**options)


def test_two_classifiers_and_five_cases_of_a_class_are_needed():
    with pytest.raises(pc.InputError, match="there are 3 classifiers"):
        found(*cases(k=3))
    with pytest.raises(pc.DesignError):
        found(*cases(n=9, k=2))


@pytest.mark.r
@pytest.mark.parametrize("kind", ["roc", "pr"])
def test_r_code_repeats_the_numbers(kind):
    here = found(kind=kind, resamples=49, level=0.8, n_pairs=2)
    assert "p_adjusted" in here.r_values()
    run_source(here.r_code())


@pytest.mark.r
@pytest.mark.parametrize("kind", ["roc", "pr"])
def test_r_code_repeats_the_difference_if_there_are_too_many_resamples(kind):
    rng = np.random.default_rng(1)
    label = np.where(np.arange(1300) % 2 == 0, "ill", "well")
    scores = rng.normal(size=(1300, 2)) + (label == "ill")[:, None]
    here = found(label, scores, kind=kind)
    assert set(here.r_values()) == {"at", "difference"} and here.notes
    run_source(here.r_code())
