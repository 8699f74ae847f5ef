"""The mixed three-way analysis of variance, beside DBM, two-way analyses and R."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.methods.multireader.figures import figure_of
from pycompare.methods.multireader.mrmc import pseudovalues_of
from tests.conftest import golden_names
from tests.methods.multireader.readers import of_golden, simulated
from tests.methods.multireader.test_r import repeated
from tests.runs import runs_of
from tests.runs import simulated as cells


def pseudovalues(ratings: pc.Ratings) -> pc.Scores:
    """Cases as blocks, readers as runs."""
    figure = figure_of("auc", None, None, None, ratings)
    return runs_of(np.transpose(pseudovalues_of(ratings, figure), (2, 0, 1)))


def crossed(b=8, a=3, n=4, seed=1, of_runs=0.5) -> np.ndarray:
    """Cells whose algorithms differ by run as well."""
    rng = np.random.default_rng(seed + 50)
    return cells(b, a, n, seed) + of_runs * rng.normal(size=(1, a, n))


def means_of(table: np.ndarray) -> pc.Scores:
    """One score in each cell of a table of blocks and algorithms."""
    names = tuple(f"f{i}" for i in range(len(table)))
    algorithms = tuple(f"A{j}" for j in range(table.shape[1]))
    metrics = (pc.Metric("score", "higher"),)
    return pc.Scores(table[:, :, None], names, algorithms, metrics)


@pytest.mark.parametrize("name", golden_names("mrmc_sim"))
def test_pseudovalues_have_the_analysis_that_rjafroc_prints(name):
    ratings, outputs = of_golden(name)
    found = pc.crossed_anova(pseudovalues(ratings))
    stored = outputs["RJafroc_DBM_RRRC"]
    tests = stored["RRRC"]["FTests"]
    assert_digits(found.statistic, tests["FStat"][0], at_least=11)
    assert_digits(found.df, tests["DF"], at_least=11)
    assert_digits(found.p_value, tests["p"][0], at_least=10)
    anova = stored["ANOVA"]["TRCanova"]
    for ours, theirs in (("df", "DF"), ("sum_sq", "SS"), ("mean_sq", "MS")):
        assert_digits(found.table[ours], anova[theirs][:7], at_least=11, what=ours)


@pytest.mark.parametrize("rule", ["hillis", "1992"])
@pytest.mark.parametrize("seed", range(4))
def test_it_is_the_analysis_of_dorfman_berbaum_and_metz(rule, seed):
    ratings = simulated(t=3, r=4, n=24, seed=seed)
    found = pc.crossed_anova(pseudovalues(ratings), quasi_f=rule)
    dbm = pc.mrmc(ratings, method="dbm", df=rule, error="pooled")
    assert_digits(found.statistic, dbm.statistic, at_least=10)
    assert_digits(found.df, dbm.omnibus.df, at_least=9)
    assert_digits(found.p_value, dbm.p_value, at_least=9)


def test_two_algorithms_have_the_t_test_for_both_of_their_differences():
    scores = runs_of(crossed(a=2))
    found, pairs = pc.crossed_anova(scores), pc.crossed_pairs(scores).table
    t = pairs["estimate"] / pairs["error_new_both"]
    assert_digits([found.statistic], t**2, at_least=11)
    assert_digits([found.df[1]], pairs["df_new_both"], at_least=11)
    assert_digits([found.p_value], pairs["p_new_both"], at_least=10)


def test_mean_squares_are_those_of_two_way_analyses_of_means():
    x = crossed()
    found = pc.crossed_anova(runs_of(x)).table.set_index("term")
    for axis, term, size in ((2, "block", 4), (0, "run", 8)):
        means = x.mean(axis=axis)
        table = means if axis == 2 else means.T
        two = pc.anova(means_of(table))
        wanted = size * two.table["sum_sq"].to_numpy()[-2:]
        ours = found.loc[["algorithm", f"algorithm:{term}"], "sum_sq"]
        assert_digits(ours, wanted, at_least=11)
    total = np.sum((x - x.mean()) ** 2)
    assert_digits(found["sum_sq"].sum(), total, at_least=12)
    assert found["df"].sum() == x.size - 1


def test_sums_of_mean_squares_have_both_degrees_of_freedom_by_satterthwaite():
    found = pc.crossed_anova(runs_of(crossed()), quasi_f="sums")
    at = found.table.set_index("term")
    square, df = at["mean_sq"], at["df"]

    def of(first, second):
        total = square[first] + square[second]
        parts = square[first] ** 2 / df[first] + square[second] ** 2 / df[second]
        return total, total**2 / parts

    above, df1 = of("algorithm", "residual")
    below, df2 = of("algorithm:run", "algorithm:block")
    assert_digits(found.statistic, above / below, at_least=12)
    assert_digits(found.df, (df1, df2), at_least=12)
    assert_digits(found.p_value, stats.f.sf(above / below, df1, df2), at_least=10)
    assert_digits((found.mean_square, found.error), (above, below), at_least=12)


def test_interactions_are_tested_over_the_residual():
    table = pc.crossed_anova(runs_of(crossed())).table.set_index("term")
    rest = table.loc["residual"]
    for term in ("algorithm:run", "algorithm:block", "block:run"):
        row = table.loc[term]
        f = row["mean_sq"] / rest["mean_sq"]
        assert row["error"] == "residual"
        assert_digits(row["statistic"], f, at_least=12)
        assert_digits(row["p_value"], stats.f.sf(f, row["df"], rest["df"]), at_least=10)
    assert table.loc[["run", "block", "residual"], "p_value"].isna().all()


def test_components_give_the_mean_squares_again():
    x = crossed(b=9, a=4, n=5)
    found = pc.crossed_anova(runs_of(x))
    c = found.components.set_index("component")["unfloored"]
    square = found.table.set_index("term")["mean_sq"]
    at_run = c["residual"] + 9 * c["algorithm:run"]
    assert_digits(square["algorithm:run"], at_run, at_least=11)
    expected = at_run + 4 * c["block:run"] + 4 * 9 * c["run"]
    assert_digits(square["run"], expected, at_least=11)
    expected = c["residual"] + 5 * c["algorithm:block"]
    expected += 4 * c["block:run"] + 4 * 5 * c["block"]
    assert_digits(square["block"], expected, at_least=11)
    inside = found.components
    assert (inside["conf_low"] <= inside["estimate"]).all()
    assert (inside["estimate"] <= inside["conf_high"]).all()


def test_other_units_change_no_test():
    x = crossed()
    for factor in (1e-170, 1e170):
        found = pc.crossed_anova(runs_of(x * factor))
        plain = pc.crossed_anova(runs_of(x))
        assert_digits(found.statistic, plain.statistic, at_least=10)
        assert_digits(found.p_value, plain.p_value, at_least=9)


def test_algorithms_that_are_alike_have_no_f():
    x = np.broadcast_to(cells(6, 1, 3), (6, 3, 3))
    found = pc.crossed_anova(runs_of(x))
    assert np.isnan(found.statistic) and np.isnan(found.p_value)
    assert found.p_source == "none" and found.r_call() is None
    assert any("no error term" in note for note in found.notes)


def test_designs_without_a_crossed_sample_are_rejected():
    x = crossed()
    with pytest.raises(pc.DesignError, match="several data sets"):
        pc.crossed_anova(runs_of(x, datasets=["d", "e"] * 4))
    with pytest.raises(pc.DesignError, match="replicate"):
        pc.crossed_anova(means_of(x.mean(axis=2)))
    with pytest.raises(pc.InputError, match="quasi_f"):
        pc.crossed_anova(runs_of(x), quasi_f="f")


@pytest.mark.r
@pytest.mark.parametrize("rule", ["hillis", "1992", "sums"])
def test_r_code_repeats_the_numbers(rule):
    repeated(pc.crossed_anova(runs_of(crossed()), quasi_f=rule))
