"""Runs within blocks: strata, components of variance, and what R has of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import mean_square_intervals
from pycompare.results.guarantees import MEASURED
from tests.conftest import golden, golden_names
from tests.runs import runs_of, simulated


def of_golden(name: str) -> pc.Scores:
    return pc.Scores.from_frame(
        pd.DataFrame(golden(name)["input"]),
        algorithm="algorithm",
        block="block",
        replicate="run",
        metrics={"score": "higher"},
    )


@pytest.mark.parametrize("name", golden_names("runs_"))
def test_agrees_with_r_aov_in_strata(name):
    found, stored = pc.replicated_anova(of_golden(name)), golden(name)["outputs"]
    strata = stored["strata"]["value"]
    for column in ("df", "sum_sq", "mean_sq"):
        assert_digits(found.table[column], strata[column], at_least=12, what=column)
    assert_digits(found.statistic, strata["statistic"], at_least=12, what="F")
    assert_digits(found.p_value, strata["p_value"], at_least=11, what="p")
    interaction = stored["interaction"]["value"]
    assert_digits(
        found.interaction.statistic, interaction["statistic"], at_least=12, what="F_ab"
    )
    assert_digits(
        found.interaction.p_value, interaction["p_value"], at_least=10, what="p_ab"
    )


@pytest.mark.parametrize("name", golden_names("runs_"))
def test_components_are_those_of_reml_where_none_is_negative(name):
    found = pc.replicated_anova(of_golden(name))
    expected = golden(name)["outputs"]["reml"]["value"]["components"]
    if found.components["unfloored"].min() < 0:
        # REML pools what is left where it puts a component at 0.
        assert expected[1] == 0 and found.components["estimate"][1] == 0
        assert any("negative" in note for note in found.notes)
    else:
        # lmer's search ends where its likelihood is flat.
        assert_digits(found.components["estimate"], expected, at_least=4.5, what="REML")


def test_machines_have_the_published_components():
    """Pinheiro and Bates (2000), sec. 1.3: fm2Machine, standard deviations."""
    found = pc.replicated_anova(of_golden("runs_machines"))
    deviations = found.components["std_dev"].round(3)
    assert deviations.tolist() == [4.781, 3.730, 0.962]
    assert round(found.statistic, 4) == 20.5761 and found.df == (2.0, 10.0)


@pytest.mark.parametrize("shape", [(8, 3, 4), (2, 2, 2), (5, 6, 3), (12, 2, 9)])
def test_algorithms_and_pairs_are_those_of_the_cell_means(shape):
    b, a, n = shape
    scores = runs_of(simulated(b, a, n))
    means = replace(scores, runs=None, replicates=None)
    found, blocked = pc.replicated_anova(scores), pc.anova(means)
    assert (found.statistic, found.p_value) == (blocked.statistic, blocked.p_value)
    assert_digits(
        found.table["sum_sq"][1:3],
        n * blocked.table["sum_sq"].iloc[-2:].to_numpy(),
        at_least=12,
        what="SS",
    )
    pairs = pc.tukey(means).table
    assert_digits(
        np.full(len(pairs), found.std_error),
        pairs["std_error"],
        at_least=12,
        what="standard error of a difference",
    )


@pytest.mark.parametrize("n", [2, 3, 10])
def test_strata_add_up_to_the_total(n):
    values = simulated(n=n)
    squares = pc.replicated_anova(runs_of(values)).table["sum_sq"]
    total = ((values - values.mean()) ** 2).sum()
    assert_digits(squares.sum(), total, at_least=12, what="total")


def test_two_algorithms_reduce_to_the_paired_t_test_of_means():
    values = simulated(a=2)
    t = stats.ttest_rel(*values.mean(axis=-1).T)
    found = pc.replicated_anova(runs_of(values))
    assert_digits(found.statistic, t.statistic**2, at_least=11, what="F = t^2")
    assert_digits(found.p_value, t.pvalue, at_least=10, what="p")


def test_copying_runs_changes_no_algorithm_and_no_pair():
    values = simulated(n=3)
    once = pc.replicated_anova(runs_of(values))
    thrice = pc.replicated_anova(runs_of(np.concatenate([values] * 3, axis=-1)))
    assert_digits(thrice.statistic, once.statistic, at_least=12, what="F")


def test_the_plan_for_the_same_numbers_is_the_standard_error_as_measured():
    found = pc.replicated_anova(runs_of(simulated()))
    assert found.components["unfloored"].min() > 0
    again = found.standard_error(n_blocks=8, n_runs=4)
    assert_digits(again, found.std_error, at_least=12, what="standard error")
    table = found.planning.set_index(["n_blocks", "n_runs"])["std_error"]
    assert table[(8, 4.0)] == again
    assert_digits(table[(16, 4.0)], again / math.sqrt(2), at_least=12, what="16 blocks")
    limit = found.standard_error(n_blocks=8, n_runs=math.inf)
    assert table[(8, math.inf)] == limit
    # What more runs cannot take away is the share that is no run noise.
    left = (limit / again) ** 2
    assert_digits(1 - left, found.run_share.estimate, at_least=11, what="share")


@pytest.mark.parametrize("bad", [0, -1, 0.5, math.nan])
def test_a_plan_for_less_than_one_is_refused(bad):
    found = pc.replicated_anova(runs_of(simulated()))
    with pytest.raises(pc.InputError, match="n_runs="):
        found.standard_error(n_blocks=3, n_runs=bad)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize("df", [(2.0, 10.0), (9.0, 120.0), (1.0, 1.0), (30.0, 4.0)])
def test_the_large_sample_interval_is_positive_where_f_rejects(level, df):
    """Ting et al.: at F's own upper point the lower end is 0, by construction."""
    tail = (1 - level) / 2
    point = special.fdtri(*df, 1 - tail)
    at = mean_square_intervals.difference_interval(point, 1.0, df, level)
    assert abs(at.low) < 1e-10 * point
    above = mean_square_intervals.difference_interval(1.01 * point, 1.0, df, level)
    below = mean_square_intervals.difference_interval(0.99 * point, 1.0, df, level)
    assert above.low > 0 > below.low
    point = special.fdtri(*df, tail)
    upper = mean_square_intervals.difference_interval(point, 1.0, df, level).high
    assert abs(upper) < 1e-10


def test_the_large_sample_interval_is_exact_without_a_second_variance():
    found = mean_square_intervals.difference_interval(3.0, 0.0, (7.0, 20.0), 0.9)
    exact = mean_square_intervals.variance_interval(3.0, 7.0, 0.9)
    assert_digits(found, exact, at_least=12, what="chi2 interval")
    assert_digits(
        exact.low, 21.0 / stats.chi2.isf(0.05, 7), at_least=12, what="lower end"
    )


def test_intervals_cover_what_they_promise():
    """1,000 tables; 3 Monte Carlo errors are 2 points."""
    rng = np.random.default_rng(5)
    b, a, n, hits = 8, 3, 3, np.zeros(4)
    for _ in range(1000):
        cells = 2 * rng.normal(size=(b, 1)) + rng.normal(size=(b, a)) * 0.7
        scores = runs_of_array(cells[:, :, None] + rng.normal(size=(b, a, n)))
        found = pc.replicated_anova(scores)
        parts = found.components
        truth = np.array([4.0, 0.49, 1.0])
        hits[:3] += (parts["conf_low"] <= truth) & (truth <= parts["conf_high"])
        share = (1 / n) / (0.49 + 1 / n)
        hits[3] += found.run_share.conf_low <= share <= found.run_share.conf_high
    assert np.all(np.abs(hits / 1000 - 0.95) < 0.021), hits


def runs_of_array(values: np.ndarray) -> pc.Scores:
    """Scores without the detour of a table, for many of them."""
    from pycompare.data.runs import over_runs

    b, a, n = values.shape
    runs = values[:, :, None, :]
    return pc.Scores(
        over_runs(runs),
        tuple(f"f{i}" for i in range(b)),
        tuple(f"A{j}" for j in range(a)),
        (pc.Metric("score", "lower"),),
        runs=runs,
        replicates=tuple(f"s{k}" for k in range(n)),
    )


def test_runs_taken_as_blocks_reject_true_nulls_and_the_strata_do_not():
    """The docstring's figures: 38.5 % of 20,000 tables at a nominal 5 %."""
    rng = np.random.default_rng(1)
    b, a, n, trials = 10, 3, 5, 20_000
    cells = rng.normal(size=(trials, b, a, 1)) + rng.normal(size=(trials, b, 1, 1))
    values = cells + rng.normal(size=(trials, b, a, n))
    naive = blocked_p(np.moveaxis(values, 3, 2).reshape(trials, b * n, a))
    assert abs((naive <= 0.05).mean() - 0.385) < 0.011
    strata = blocked_p(values.mean(axis=-1))
    assert abs((strata <= 0.05).mean() - 0.05) < 0.005
    one = pc.replicated_anova(runs_of_array(values[0]))
    assert_digits(one.p_value, strata[0], at_least=10, what="the same p")


def blocked_p(x: np.ndarray) -> np.ndarray:
    """p-values of blocked analyses of variance of tables (..., blocks, algorithms)."""
    b, a = x.shape[-2:]
    rows, columns = x.mean(axis=-1, keepdims=True), x.mean(axis=-2, keepdims=True)
    grand = x.mean(axis=(-2, -1), keepdims=True)
    h = b * ((columns - grand) ** 2).sum(axis=(-2, -1)) / (a - 1)
    e = ((x - rows - columns + grand) ** 2).sum(axis=(-2, -1)) / ((a - 1) * (b - 1))
    return stats.f.sf(h / e, a - 1, (a - 1) * (b - 1))


# ---- units, rounding, and what cannot be ---------------------------------------------


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1e300])
def test_the_unit_of_the_scores_changes_no_test_and_no_share(scale):
    values = simulated()
    plain, other = (pc.replicated_anova(runs_of(values * s)) for s in (1.0, scale))
    for name in ("statistic", "p_value"):
        assert_digits(
            getattr(other, name), getattr(plain, name), at_least=10, what=name
        )
    assert_digits(
        other.interaction.statistic, plain.interaction.statistic, at_least=10, what="F"
    )
    assert_digits(
        other.run_share.conf_high, plain.run_share.conf_high, at_least=10, what="share"
    )
    assert_digits(
        other.planning["std_error"] / scale,
        plain.planning["std_error"],
        at_least=10,
        what="planned",
    )
    assert_digits(
        other.components["std_dev"] / scale,
        plain.components["std_dev"],
        at_least=10,
        what="standard deviations",
    )
    again = other.standard_error(n_blocks=8, n_runs=4)
    assert_digits(again / scale, plain.std_error, at_least=10, what="standard error")


def test_a_large_offset_costs_no_more_digits_than_rounding_the_scores():
    values = np.round(simulated() * 2**20) / 2**20
    plain, moved = (pc.replicated_anova(runs_of(values + s)) for s in (0.0, 2.0**30))
    assert_digits(moved.table["sum_sq"], plain.table["sum_sq"], at_least=9, what="sums")


def test_constant_scores_can_test_nothing():
    found = pc.replicated_anova(runs_of(np.full((4, 3, 2), 0.1)))
    assert math.isnan(found.statistic) and math.isnan(found.p_value)
    assert math.isnan(found.interaction.p_value) and found.r_call() is None
    assert found.components["estimate"].tolist() == [0.0, 0.0, 0.0]
    assert any("do not differ" in note for note in found.notes)
    assert math.isnan(found.run_share.estimate)


def test_runs_that_are_all_alike_leave_nothing_to_test_the_interaction_by():
    cells = simulated(n=1)
    found = pc.replicated_anova(runs_of(np.repeat(cells, 3, axis=2)))
    assert math.isinf(found.interaction.statistic)
    assert math.isnan(found.interaction.p_value)
    assert any("runs of each cell are all alike" in note for note in found.notes)
    assert found.run_share.estimate == 0 and found.p_value > 0
    assert found.p_value == pc.anova(runs_of(np.repeat(cells, 3, axis=2))).p_value


def test_cell_means_without_error_have_the_exact_p_of_the_blocked_analysis():
    noise = np.array([-1.0, 1.0])
    cells = np.arange(3.0) + np.arange(6.0)[:, None]
    scores = runs_of(cells[:, :, None] + noise)
    found = pc.replicated_anova(scores)
    assert found.p_value == pc.anova(scores).p_value == pytest.approx(6.0**-5)
    assert found.p_source == "exact" and found.interaction.p_value == 1.0
    assert found.run_share.estimate == 1.0


def test_right_and_wrong_answers_note_that_intervals_are_too_short():
    """Intervals of the component of answers held it in as few as 34 of 100 tables."""
    rng = np.random.default_rng(1)
    answers = runs_of_array((rng.random((40, 2, 3)) < 0.9).astype(float))
    text = MEASURED["replicated_anova, right or wrong"].text
    for method in (pc.replicated_anova, pc.crossed_anova):
        assert any(note.endswith(text) for note in method(answers).notes)
        graded = method(runs_of_array(rng.normal(size=(40, 2, 3))))
        assert not any(text in note for note in graded.notes)


def test_scores_without_runs_are_refused_with_the_role():
    with pytest.raises(pc.DesignError, match="replicate="):
        pc.replicated_anova(pc.example())


def test_missing_cells_are_refused():
    values = simulated()
    values[2, 1] = np.nan
    with pytest.raises(pc.DesignError, match="1 of 24 cells have no runs"):
        pc.replicated_anova(runs_of(values, missing="model"))


def test_several_data_sets_are_refused():
    scores = runs_of(simulated(b=4), datasets=["x", "x", "y", "y"])
    with pytest.raises(pc.DesignError, match="one data set at a time"):
        pc.replicated_anova(scores)


def test_an_unknown_metric_and_level_are_refused():
    with pytest.raises(pc.InputError, match="auc"):
        pc.replicated_anova(runs_of(simulated()), metric="auc")
    with pytest.raises(pc.InputError, match="level"):
        pc.replicated_anova(runs_of(simulated()), level=1.5)


def test_the_result_is_plain_values_and_r_code():
    found = pc.replicated_anova(runs_of(simulated()))
    held = found.to_dict()
    assert held["components"][1]["component"] == "block:algorithm"
    assert "fit" not in held and "runs" not in held
    code = found.r_code()
    assert code.isascii() and "replicated_anova_reference" in code
    assert "runs within blocks: F(2, 14)" in found.summary()
