"""Rows whose precision is known up to a factor: weights of a linear model."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf

import pycompare as pc
from pycompare.base.testing import assert_digits

FORMULA = "y ~ a * b + x"


def runs(seed=1, n=48, high=9):
    """Return scores that are means of so many runs; labels look like code."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": rng.choice(["<b>", "NA", "z"], n),
            "b": rng.choice(["u", "v"], n),
            "x": rng.normal(40, 3, size=n),
            "w": rng.integers(1, high, n),
        }
    )
    noise = rng.normal(size=n) / np.sqrt(frame["w"])
    return frame.assign(y=1e3 + frame["x"] / 5 + noise, z=rng.normal(size=n))


def numbers(model):
    return model.anova[["df1", "df2", "statistic", "p_value"]].to_numpy(float)


def test_tests_are_those_of_weighted_least_squares():
    frame = runs()
    ours = pc.linear_model(frame, FORMULA, row_weights="w").anova
    fit = smf.wls("y ~ C(a) * C(b) + x", frame, weights=frame["w"]).fit()
    theirs = sm.stats.anova_lm(fit, typ=2)
    names = {"a": "C(a)", "b": "C(b)", "x": "x", "a:b": "C(a):C(b)"}
    rows = ours.set_index("term")
    for own, other in names.items():
        assert_digits(rows.loc[own, "statistic"], theirs.loc[other, "F"], at_least=8)
        assert_digits(rows.loc[own, "p_value"], theirs.loc[other, "PR(>F)"], at_least=8)


def test_sequential_sums_of_squares_are_differences_of_nested_models():
    frame = runs()
    ours = pc.linear_model(frame, "y ~ a + b + x", type=1, row_weights="w").anova
    right = ["1", "C(a)", "C(a) + C(b)", "C(a) + C(b) + x"]
    left = [smf.wls(f"y ~ {r}", frame, weights=frame["w"]).fit().ssr for r in right]
    assert_digits(ours["sum_sq"], [*-np.diff(left), left[-1]], at_least=7)


def test_a_row_of_weight_three_estimates_what_three_rows_do():
    frame = runs(2)
    weighted = pc.linear_model(frame, FORMULA, row_weights="w")
    repeated = pc.linear_model(frame.loc[frame.index.repeat(frame["w"])], FORMULA)
    at = {"x": 40.0}
    one, many = (m.emmeans(["a", "b"], at=at).table for m in (weighted, repeated))
    many = many.set_index(["a", "b"]).loc[list(zip(one["a"], one["b"], strict=True))]
    assert_digits(one["estimate"], many["estimate"], at_least=11)
    # The variance of a row is that of its three runs, on fewer degrees of freedom.
    df = 48 - 7, int(frame["w"].sum()) - 7
    residual = [m.anova["sum_sq"].iloc[-1] for m in (weighted, repeated)]
    assert_digits(residual[0], residual[1], at_least=9)
    ratio = (one["std_error"] / many["std_error"].to_numpy()) ** 2
    assert_digits(ratio, np.full(len(one), df[1] / df[0]), at_least=9)


def test_equal_weights_change_nothing_but_the_sums_of_squares():
    frame = runs(3).assign(w=2.5)
    plain = pc.linear_model(frame, "cbind(y, z) ~ a * b + x", type=3)
    weighted = pc.linear_model(
        frame, "cbind(y, z) ~ a * b + x", type=3, row_weights="w"
    )
    assert_digits(numbers(weighted), numbers(plain), at_least=9)
    assert_digits(weighted.anova["sum_sq"], 2.5 * plain.anova["sum_sq"], at_least=10)
    tests = [m.manova_of("a").table["statistic"] for m in (plain, weighted)]
    assert_digits(tests[0], tests[1], at_least=10)
    assert "variance of a row" in weighted.notes[0] and weighted.row_weights == "w"


@pytest.mark.parametrize("unit", [1e-280, 1e280])
def test_the_unit_of_weights_and_the_order_of_rows_do_not_matter(unit):
    frame = runs(4)
    plain = pc.linear_model(frame, FORMULA, row_weights="w")
    other = frame.assign(w=frame["w"] * unit).sample(frac=1, random_state=1)
    order = {"categories": plain.fit.grid.factors["a"]}
    other["a"] = pd.Categorical(other["a"], **order)
    scaled = pc.linear_model(other, FORMULA, row_weights="w")
    assert_digits(numbers(scaled), numbers(plain), at_least=9)
    assert_digits(
        scaled.contrasts("a").table["p_adjusted"],
        plain.contrasts("a").table["p_adjusted"],
        at_least=9,
    )


def test_balanced_cells_with_unequal_weights_are_no_balanced_design():
    rows = [(a, b, i) for a in "xyz" for b in "uv" for i in range(3)]
    frame = pd.DataFrame(rows, columns=["a", "b", "i"])
    rng = np.random.default_rng(2)
    frame["y"], frame["w"] = rng.normal(size=18), rng.gamma(2, size=18)
    ours = pc.linear_model(frame, "y ~ a + b", row_weights="w").anova
    fit = smf.wls("y ~ C(a) + C(b)", frame, weights=frame["w"]).fit()
    theirs = sm.stats.anova_lm(fit, typ=2)["F"]
    assert_digits(ours["statistic"].iloc[:2], theirs.iloc[:2], at_least=11)


def test_weights_are_positive_numbers_of_independent_rows():
    frame = runs(5)
    with pytest.raises(pc.InputError, match=r"'w' has the weight 0 in row 3: .*leave"):
        pc.linear_model(frame.assign(w=[1, 1, 0] + [1] * 45), FORMULA, row_weights="w")
    with pytest.raises(pc.InputError, match="no column 'runs'"):
        pc.linear_model(frame, FORMULA, row_weights="runs")
    gap = frame.assign(w=[np.nan] + [1.0] * 47)
    with pytest.raises(pc.InputError, match="'w' has 1 missing value"):
        pc.linear_model(gap, FORMULA, row_weights="w")
    model = pc.linear_model(gap, FORMULA, row_weights="w", missing="drop-row")
    assert model.n == 47
    with pytest.raises(pc.DesignError, match=r"row_weights='w': .*one variance"):
        pc.linear_model(frame, "y ~ x", within="a", row_weights="w")
    with pytest.raises(pc.DesignError, match="differ in variance"):
        model.permutation_test("a", seed=1)
    with pytest.raises(pc.DesignError, match="without row weights"):
        model.dispersion_test("a")
