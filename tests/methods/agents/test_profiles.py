"""Performance profiles of runs with their bands."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from tests.methods.agents.witness import STORED, normalised
from validation import run_aggregates as study
from validation.checks.agents import scores_of_runs


def share_above(table, tau):
    """Return the profile of A at a score."""
    own = table[table["algorithm"] == "A"]
    below = own[own["score"] <= tau]
    return 1.0 if below.empty else below["estimate"].iloc[-1]


def test_shares_are_those_of_rliable():
    wanted = STORED["profile of five runs"]
    table = pc.run_profiles(normalised(range(5), range(5)), draws=100).table
    own = [share_above(table, tau) for tau in wanted["tau"]]
    np.testing.assert_allclose(own, wanted["share"], rtol=1e-12)


def test_the_area_above_zero_is_the_mean():
    """The mean of scores from 0 on is the area under the profile."""
    scores = scores_of_runs(6, 2, 4, 1)
    shifted = pc.normalised_scores(scores, low=-10.0, high=-9.0)
    profile = pc.run_profiles(shifted, draws=100).table
    means = pc.run_aggregates(shifted).table.query("aggregate == 'mean'")
    for name, mean in zip(means["algorithm"], means["estimate"], strict=True):
        own = profile[profile["algorithm"] == name]
        x = np.r_[0.0, own["score"]]
        area = np.sum(np.diff(x) * np.r_[1.0, own["estimate"].iloc[:-1]])
        assert area == pytest.approx(mean, rel=1e-12)


def test_a_band_has_one_width_and_stays_between_0_and_1():
    result = pc.run_profiles(scores_of_runs(8, 2, 5, 2, ties=True))
    for name, half in result.half_widths.to_numpy():
        own = result.table[result.table["algorithm"] == name]
        inner = own[(own["estimate"] > half) & (own["estimate"] < 1 - half)]
        np.testing.assert_allclose(inner["estimate"] - inner["conf_low"], half)
        np.testing.assert_allclose(inner["conf_high"] - inner["estimate"], half)
    assert result.table["conf_low"].min() >= 0
    assert result.table["conf_high"].max() <= 1


def test_lower_scores_that_are_better_are_the_mirror_image():
    higher = scores_of_runs(5, 2, 4, 3)
    lower = scores_of_runs(5, 2, 4, 3, better="lower")
    one, other = (pc.run_profiles(s, draws=200).table for s in (higher, lower))
    own = [t[t["algorithm"] == "A1"] for t in (one, other)]
    assert own[1]["score"].is_monotonic_decreasing
    # A run is better than a score by one direction, or by the other, or equal.
    sums = own[0]["estimate"].to_numpy() + own[1]["estimate"].to_numpy()[::-1]
    assert ((0 < 1 - sums) & (1 - sums < 0.2)).all()


def test_runs_that_do_not_vary_have_no_band():
    runs = np.repeat(np.arange(4.0).reshape(2, 2, 1), 3, axis=2)
    table = pc.run_profiles(study.scores_of(runs)).table
    assert table["conf_low"].isna().all()


@pytest.mark.parametrize(
    ("options", "told"),
    [({"draws": 1}, "draws=1"), ({"seed": -1}, "seed=-1"), ({"level": 1}, "level=1")],
)
def test_bad_settings_are_named(options, told):
    with pytest.raises(InputError, match=told):
        pc.run_profiles(scores_of_runs(4, 2, 3, 7), **options)
