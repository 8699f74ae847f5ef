"""Dunnett: step-down, and correlations that are no products."""

import math

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import many_to_one, multivariate_t
from pycompare.methods.linear.dunnett import largest_of
from pycompare.methods.linear.pairs import contrasts
from tests.conftest import golden, wide
from tests.methods.linear.witness import gappy

TABLES = golden("dunnett_gaps")["tables"]


def of_golden(name):
    x = np.array(TABLES[name]["by_row"], float)
    return wide(x.reshape(-1, TABLES[name]["columns"]), missing="model")


def correlation_of(scores, control="A1"):
    return largest_of(contrasts(scores, None, True, 0.95, control), 0).correlation


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("step_down", [False, True])
def test_p_values_are_those_of_multcomp(name, step_down):
    got = pc.dunnett(of_golden(name), control="A1", step_down=step_down)
    theirs = TABLES[name]["free" if step_down else "single_step"]
    assert got.table["p_adjusted"].tolist() == pytest.approx(theirs, abs=5e-5)
    assert (got.seed is None) == ("gaps" not in name)
    assert any("Sobol" in note for note in got.notes) == ("gaps" in name)
    if got.seed is not None:
        assert 0 < got.p_errors.max() < 1e-5


def test_step_down_is_the_closed_test_of_the_largest_t():
    scores = wide(np.random.default_rng(3).normal(size=(9, 5)) + 0.5 * np.arange(5))
    found = contrasts(scores, None, True, 0.95, "A1")
    t, largest = np.abs(found.t()), largest_of(found, 0)
    expected = np.zeros(4)
    for members in range(1, 16):
        kept = np.array([j for j in range(4) if members >> j & 1])
        p, _ = largest.sf(float(t[kept].max()), kept)
        expected[kept] = np.maximum(expected[kept], p)
    got = pc.dunnett(scores, control="A1", step_down=True)
    assert_digits(got.table["p_adjusted"], expected, at_least=13)
    single = pc.dunnett(scores, control="A1")
    assert (got.table["p_adjusted"] <= single.table["p_adjusted"]).all()
    assert (got.table["p_adjusted"] >= got.table["p_value"] * (1 - 1e-12)).all()
    assert got.table["conf_low"].equals(single.table["conf_low"])
    assert got.adjust == "dunnett-step-down" and "single-step" in got.notes[-1]


def test_one_comparison_has_no_step_to_take():
    scores = wide(np.random.default_rng(4).normal(size=(9, 2)))
    got = pc.dunnett(scores, control="A1", step_down=True)
    assert_digits(got.table["p_adjusted"], got.table["p_value"], at_least=12)
    assert not got.notes


@pytest.mark.parametrize("df", [4, 30])
def test_products_agree_with_their_quadrature(df):
    """A correlation that is a product, from points alone: no control variate helps."""
    loadings = np.array([0.3, 0.6, 0.8, 0.5])
    r = np.outer(loadings, loadings)
    np.fill_diagonal(r, 1)
    cube = multivariate_t.uniform_cube(3, 5)
    for t in (1.0, 2.5, 4.0):
        apart = multivariate_t.over_scales(t, (r, np.eye(4)), df, cube)
        exact = many_to_one.sf(t, loadings, df) - many_to_one.sf(t, np.zeros(4), df)
        error = apart.std(ddof=1) / math.sqrt(len(apart))
        assert abs(apart.mean() - exact) < 5 * error < 1e-3
        whole = multivariate_t.sf(t, r, df, cube)
        assert_digits(whole.value, many_to_one.sf(t, loadings, df), at_least=9)


def test_any_correlations_agree_with_scipy():
    r = np.array([[1.0, 0.6, 0.1], [0.6, 1.0, -0.3], [0.1, -0.3, 1.0]])
    assert many_to_one.product_loadings(r) is None
    cube = multivariate_t.uniform_cube(2, 0)
    for t in (1.0, 2.0, 3.0):
        inside = stats.multivariate_t.cdf(
            np.full(3, t),
            shape=r,
            df=12,
            lower_limit=np.full(3, -t),
            maxpts=400_000,
            random_state=1,
        )
        ours = multivariate_t.sf(t, r, 12, cube)
        assert ours.value == pytest.approx(1 - inside, abs=5e-5)
        assert ours.error < 2e-4
    half = multivariate_t.isf(0.05, r, 12, cube)
    assert multivariate_t.sf(half, r, 12, cube).value == pytest.approx(0.05, rel=1e-5)


def test_signs_of_correlations_do_not_matter_to_the_size_of_t():
    loadings = np.array([0.4, -0.6, 0.7])
    r = np.outer(loadings, loadings)
    np.fill_diagonal(r, 1)
    found = many_to_one.product_loadings(r)
    assert_digits(found, np.abs(loadings), at_least=12)
    two = many_to_one.product_loadings(np.array([[1, -0.49], [-0.49, 1]]))
    assert_digits(two, [0.7, 0.7], at_least=12)


def test_limits_of_any_correlations():
    r = correlation_of(gappy(a=6))
    cube = multivariate_t.uniform_cube(4, 0)
    assert multivariate_t.sf(0.0, r, 9, cube).value == 1
    assert multivariate_t.sf(math.inf, r, 9, cube).value == 0
    assert math.isnan(multivariate_t.sf(math.nan, r, 9, cube).value)
    one = multivariate_t.isf(0.05, np.eye(1), 9, cube)
    assert_digits(one, stats.t.isf(0.025, 9), at_least=12)


def test_random_points_change_with_the_seed_and_with_nothing_else():
    scores = gappy(a=6)
    first, again, other = (
        pc.dunnett(scores, control="A1", seed=seed) for seed in (1, 1, 2)
    )
    assert first.table.equals(again.table) and first.seed == 1
    p, q = (r.table["p_adjusted"].to_numpy() for r in (first, other))
    assert (p != q).any()
    assert (np.abs(p - q) < 6 * np.hypot(first.p_errors, other.p_errors) + 1e-12).all()
    bonferroni = np.minimum(1, 5 * first.table["p_value"])
    assert (first.table["p_adjusted"] <= bonferroni + 1e-12).all()


def test_a_perfect_fit_has_exact_p_values():
    x = np.arange(5.0)[:, None] + np.array([0.0, 1.0, 3.0])
    got = pc.dunnett(wide(x), control="A1", step_down=True)
    assert got.adjust == "bonferroni" and not any("single-step" in n for n in got.notes)


def test_a_plan_takes_step_down_dunnett():
    scores = wide(np.random.default_rng(5).normal(size=(9, 4)) + 0.6 * np.arange(4))
    plan = pc.Plan(
        blocks="folds",
        protocol="held-out",
        control="A1",
        adjust=("dunnett-step-down", "holm"),
    )
    comparison = pc.compare(scores, plan)
    [got] = comparison.analyses
    alone = pc.dunnett(scores, control="A1", step_down=True)
    assert got.decisive.table.equals(alone.table)
    assert "Step-down Dunnett" in comparison.summary()
    with pytest.raises(pc.PlanError, match="compares with a control"):
        pc.Plan(blocks="folds", protocol="held-out", adjust=("dunnett-step-down",))
