"""Means, contrasts and slopes at chosen values of covariates."""

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits


def trials(seed=1, n=50):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "a": rng.choice(["<b>", "NA", "z"], n),
            "size": rng.gamma(3, size=n) + 1,
            "time": rng.normal(7, 2, size=n),
        }
    )
    return frame.assign(y=frame["size"] * frame["time"] + rng.normal(size=n))


def same(one, other, at_least=9):
    for name in ("estimate", "std_error", "df", "conf_low", "conf_high"):
        assert_digits(one.table[name], other.table[name], at_least=at_least)


def test_a_slope_at_a_value_is_that_of_a_model_about_this_value():
    frame = trials()
    model = pc.linear_model(frame, "y ~ a * size * time")
    about = pc.linear_model(
        frame.assign(time=frame["time"] - 5.5), "y ~ a * size * time"
    )
    got = model.slopes("size", "a", at={"time": 5.5})
    same(got, about.slopes("size", "a", at={"time": 0.0}))
    assert got.at == {"time": 5.5} and got.notes == ()
    assert "at = list" in str(got.r_code()) or "at_names" in str(got.r_code())


def test_the_mean_is_the_default():
    frame = trials(2)
    model = pc.linear_model(frame, "y ~ a * size * time")
    means = {name: float(frame[name].mean()) for name in ("size", "time")}
    same(model.emmeans("a", at=means), model.emmeans("a"))
    same(model.slopes("time", "a", at=means), model.slopes("time", "a"))


def test_means_at_a_value_lie_on_the_line():
    model = pc.linear_model(trials(3), "y ~ a * size + log(time)")
    at = [model.emmeans("a", at={"size": v}).table["estimate"] for v in (2.0, 3.0)]
    slopes = model.slopes("size", "a").table["estimate"]
    assert_digits(at[1] - at[0], slopes, at_least=9)
    pairs = model.contrasts("a", at={"size": 2.0}).table["estimate"]
    assert_digits(pairs.iloc[0], at[0].iloc[0] - at[0].iloc[1], at_least=9)


def test_a_value_outside_the_data_is_an_extrapolation():
    model = pc.linear_model(trials(4), "y ~ a * size")
    [note] = model.emmeans("a", at={"size": 1e3}).notes
    assert note.startswith("extrapolation: size = 1000 lies outside the data, 1.")
    assert note in model.contrasts("a", at={"size": 1e3}).notes


def test_values_are_numbers_of_covariates():
    model = pc.linear_model(trials(5), "y ~ a * size + log(time)")
    for at, message in (
        ({"a": 1.0}, r"at: 'a' is no covariate .*'size'"),
        ({"size": "2"}, "at: 'size' has '2'; give a finite number"),
        ({"size": float("nan")}, "give a finite number"),
        ({"time": -1.0}, r"at: log\(time\) is not defined for -1.0"),
        ([2.0], r"at=\[2.0\]: give a value for each covariate"),
    ):
        with pytest.raises(pc.InputError, match=message):
            model.emmeans("a", at=at)
