"""Marginal means with weights in proportion to the rows of the data."""

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits


def unbalanced(seed=1, n=60):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "a": rng.choice(["<b>", "NA", "z"], n),
            "b": rng.choice(["u", "v"], n, p=[0.8, 0.2]),
            "x": rng.normal(size=n),
            "y": rng.normal(size=n),
        }
    )


def test_a_saturated_model_gives_weighted_cell_means():
    frame = unbalanced()
    model = pc.linear_model(frame, "y ~ a * b")
    means = model.emmeans("a", weights="proportional")
    share = frame["b"].value_counts(normalize=True)
    cells = frame.groupby(["a", "b"])["y"].mean().unstack()
    wanted = (cells * share[cells.columns]).sum(axis=1)
    got = means.table.set_index("a")["estimate"]
    assert_digits(got[wanted.index], wanted, at_least=11)
    assert means.weighting == "proportional"


def test_balanced_rows_have_equal_weights():
    rows = [(a, b, i) for a in "xyz" for b in "uv" for i in range(3)]
    frame = pd.DataFrame(rows, columns=["a", "b", "i"])
    frame["y"] = np.random.default_rng(2).normal(size=len(frame))
    model = pc.linear_model(frame, "y ~ a * b")
    one, two = (model.emmeans("a", weights=w).table for w in ("equal", "proportional"))
    for name in ("estimate", "std_error", "conf_low"):
        assert_digits(two[name], one[name], at_least=12)


def test_differences_of_an_additive_model_do_not_depend_on_weights():
    model = pc.linear_model(unbalanced(), "y ~ a + b")
    one, two = (
        model.contrasts("a", weights=w).table for w in ("equal", "proportional")
    )
    assert_digits(two["estimate"], one["estimate"], at_least=10)
    assert_digits(two["p_adjusted"], one["p_adjusted"], at_least=9)


def test_slopes_are_weighted_too():
    frame = unbalanced()
    model = pc.linear_model(frame, "y ~ x * b")
    each = model.slopes("x", "b").table.set_index("b")["estimate"]
    share = frame["b"].value_counts(normalize=True)
    mean = model.slopes("x", weights="proportional").table["estimate"].iloc[0]
    assert_digits(mean, (each * share[each.index]).sum(), at_least=11)
    assert_digits(model.slopes("x").table["estimate"].iloc[0], each.mean(), at_least=11)


def test_factors_within_others_are_rejected():
    rows = [(d, f"{d}{f}", a) for d in "pq" for f in range(3) for a in "xy"]
    frame = pd.DataFrame(rows, columns=["data", "fold", "alg"])
    frame["y"] = np.random.default_rng(3).normal(size=len(frame))
    model = pc.linear_model(frame, "y ~ data / fold + alg")
    with pytest.raises(pc.DesignError, match="'fold' lies within 'data'"):
        model.emmeans("alg", weights="proportional")
    with pytest.raises(pc.InputError, match="weights='rows': choose"):
        model.emmeans("alg", weights="rows")
