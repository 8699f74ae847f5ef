"""Aggregates over tasks and runs, beside rliable and by identities."""

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits
from tests.methods.agents.witness import STORED, normalised
from validation.checks.agents import scores_of_runs
from validation.run_aggregates import scores_of

FOUR, FIVE = range(4), range(5)


def of(result, aggregate, algorithm="A"):
    """Return one row of aggregates."""
    table = result.table.set_index(["algorithm", "aggregate"])
    return table.loc[(algorithm, aggregate)]


@pytest.mark.parametrize("name", ["iqm", "mean", "median", "optimality_gap"])
@pytest.mark.parametrize(
    ("runs", "of_rliable"), [(FOUR, "four runs"), (FIVE, "five runs, four times")]
)
def test_estimates_are_those_of_rliable(name, runs, of_rliable):
    """Of 130 scores rliable keeps 66: each taken four times has exactly the half."""
    result = pc.run_aggregates(
        normalised(runs, runs), gamma=1, interval="bootstrap", draws=100
    )
    wanted = STORED["aggregates"][of_rliable][name]
    assert_digits(of(result, name)["estimate"], wanted, at_least=13, what=name)


def test_limits_of_the_textbook_bootstrap_are_those_of_rliable():
    """Both have 50,000 resamples; quantiles of both have Monte Carlo error."""
    result = pc.run_aggregates(
        normalised(FOUR, FOUR), gamma=1, interval="bootstrap-textbook", draws=50_000
    )
    wanted = STORED["intervals of four runs"]
    for name in ("iqm", "mean", "median", "optimality_gap"):
        row = of(result, name)
        for end, own in (("low", row["conf_low"]), ("high", row["conf_high"])):
            away = abs(own - wanted[end][name])
            assert away < 0.03 * (wanted["high"][name] - wanted["low"][name]), name


def test_published_scores_had_the_printed_median_and_mean():
    """What rliable's notebook prints of SPR is what rliable computes from its runs."""
    published = STORED["published"]
    for name, printed in published["printed"].items():
        assert_digits(published["SPR"][name], printed, at_least=14, what=name)


def test_with_equal_numbers_of_runs_the_trimmed_mean_is_scipys():
    runs = np.random.default_rng(1).normal(size=(8, 2, 6))
    result = pc.run_aggregates(scores_of(runs))
    for j, name in enumerate("AB"):
        wanted = stats.trim_mean(runs[:, j], 0.25, axis=None)
        assert_digits(of(result, "iqm", name)["estimate"], wanted, at_least=13, what="")


def test_each_task_has_the_same_weight_whatever_its_runs():
    ragged = scores_of_runs(6, 2, 8, 3, ragged=True)
    result = pc.run_aggregates(ragged)
    wanted = ragged.values[:, :, 0].mean(axis=0)
    for j, name in enumerate(ragged.algorithms):
        own = of(result, "mean", name)["estimate"]
        assert_digits(own, wanted[j], at_least=13, what=name)
    assert result.runs_per_task[0] < result.runs_per_task[1]


def test_runs_taken_twice_change_no_estimate():
    once = scores_of_runs(5, 2, 6, 4, ragged=True)
    twice = scores_of(np.concatenate([once.runs[:, :, 0]] * 2, axis=-1))
    tables = [pc.run_aggregates(s, gamma=0.7).table for s in (once, twice)]
    np.testing.assert_allclose(tables[0]["estimate"], tables[1]["estimate"], rtol=1e-13)


def test_the_mean_of_two_tasks_has_the_limits_of_welch():
    """Half the sum of two means: the error of Welch's t, with its df."""
    x, y = np.random.default_rng(2).normal(size=(2, 7)) * [[1.0], [3.0]]
    row = of(pc.run_aggregates(scores_of(np.stack([[x, x], [y, y]]))), "mean")
    welch = stats.ttest_ind(x, -y, equal_var=False).confidence_interval()
    assert_digits(row["conf_low"], welch.low / 2, at_least=12, what="low")
    assert_digits(row["conf_high"], welch.high / 2, at_least=12, what="high")


def test_a_gap_without_clipping_is_the_distance_of_the_mean():
    table = pc.run_aggregates(scores_of_runs(6, 2, 4, 5), gamma=100.0)
    gap, mean = (of(table, name, "A1") for name in ("optimality_gap", "mean"))
    assert_digits(gap["estimate"], 100 - mean["estimate"], at_least=12, what="gap")
    assert_digits(gap["std_error"], mean["std_error"], at_least=12, what="error")


@pytest.mark.parametrize("interval", ["t", "bootstrap"])
def test_lower_scores_that_are_better_are_the_mirror_image(interval):
    higher = scores_of_runs(5, 3, 4, 6)
    lower = pc.Scores(
        values=-higher.values, runs=-higher.runs, replicates=higher.replicates,
        blocks=higher.blocks, algorithms=higher.algorithms,
        metrics=(pc.Metric("return", "lower"),),
    )  # fmt: skip
    one = pc.run_aggregates(higher, gamma=0.8, interval=interval).table
    other = pc.run_aggregates(lower, gamma=-0.8, interval=interval).table
    gap = one["aggregate"] == "optimality_gap"
    np.testing.assert_allclose(other["std_error"], one["std_error"], rtol=1e-12)
    np.testing.assert_allclose(
        other["estimate"], np.where(gap, one["estimate"], -one["estimate"]), rtol=1e-12
    )
    np.testing.assert_allclose(
        other["conf_low"], np.where(gap, one["conf_low"], -one["conf_high"]), rtol=1e-12
    )


def test_the_bootstrap_of_one_run_fewer_has_the_variance_of_the_mean():
    scores = scores_of_runs(8, 2, 3, 7)
    linear = pc.run_aggregates(scores).table
    drawn, textbook = (
        pc.run_aggregates(scores, interval=kind, draws=40_000).table
        for kind in ("bootstrap", "bootstrap-textbook")
    )
    error, wanted, small = (
        table.loc[table["aggregate"] == "mean", "std_error"].to_numpy()
        for table in (drawn, linear, textbook)
    )
    np.testing.assert_allclose(error, wanted, rtol=0.02)
    np.testing.assert_allclose(small, wanted * (2 / 3) ** 0.5, rtol=0.02)


def test_equal_runs_have_no_interval_and_a_note():
    runs = np.repeat(np.array([[0.1, 0.3], [0.2, 0.7]])[:, :, None], 3, axis=2)
    runs[0, 1, 0] = 0.5
    for interval in ("t", "bootstrap"):
        result = pc.run_aggregates(scores_of(runs), interval=interval)
        assert np.isnan(of(result, "mean", "A")["conf_low"])
        assert of(result, "mean", "A")["std_error"] == 0
        assert not np.isnan(of(result, "mean", "B")["conf_low"])
        assert "runs of A do not vary" in result.notes[0]


def test_the_seed_makes_the_draws():
    scores = scores_of_runs(4, 2, 3, 8)
    drawn = [
        pc.run_aggregates(scores, interval="bootstrap", draws=500, seed=seed).table
        for seed in (1, 1, 2)
    ]
    assert drawn[0].equals(drawn[1])
    assert not drawn[0].equals(drawn[2])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"draws": 500}, "draws=500 is of the bootstrap"),
        ({"seed": 0}, "seed=0 is of the bootstrap"),
        ({"interval": "bca"}, "interval='bca': choose one of"),
        ({"interval": "bootstrap", "draws": 10}, "whole number from 100"),
        ({"gamma": float("nan")}, "gamma=nan: give the score"),
        ({"level": 95}, "level=95: give a confidence level"),
        ({"metric": "other"}, "other"),
    ],
)
def test_settings_that_do_not_fit_are_rejected(options, told):
    with pytest.raises(InputError, match=told.replace("(", r"\(")):
        pc.run_aggregates(scores_of_runs(4, 2, 3, 9), **options)


def test_tables_without_runs_are_rejected():
    with pytest.raises(DesignError, match="needs several runs"):
        pc.run_aggregates(pc.example())


def test_a_cell_with_one_run_is_named():
    runs = np.random.default_rng(3).normal(size=(4, 2, 3))
    runs[2, 1, 1:] = np.nan
    with pytest.raises(DesignError, match="block='task 2', algorithm='B' with 1"):
        pc.run_aggregates(scores_of(runs))


def test_folds_of_data_sets_are_no_tasks():
    rows = [
        {"a": a, "d": d, "f": f, "r": r, "s": ord(a) * ord(d) % (7.0 + int(f) + int(r))}
        for a in "xy" for d in "uv" for f in "12" for r in "12"
    ]  # fmt: skip
    scores = pc.Scores.from_frame(
        rows, algorithm="a", block="f", dataset="d", replicate="r",
        metrics={"s": "higher"},
    )  # fmt: skip
    with pytest.raises(DesignError, match="blocks are folds"):
        pc.run_aggregates(scores)
