"""Levene-type tests: scipy as a witness, identities, level, refusals."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from validation.checks.models import designed


@pytest.mark.parametrize(("centre", "word"), [("mean", "mean"), ("median", "median")])
def test_one_response_is_scipys_levene(centre, word):
    frame = designed(3, 5)
    made = pc.linear_model(frame, "error ~ learner").dispersion_test(
        "learner", centre=centre
    )
    groups = [part["error"] for _, part in frame.groupby("learner")]
    wanted = stats.levene(*groups, center=word)
    assert_digits(made.statistic, wanted.statistic, at_least=11)
    assert_digits(made.p_value, wanted.pvalue, at_least=10)
    assert not made.notes


def test_units_count_only_if_asked():
    frame = designed(3, 5)
    wide = frame.assign(auc=frame["auc"] * 1000)
    one, other = (
        pc.linear_model(f, "cbind(error, auc) ~ learner * prep") for f in (frame, wide)
    )
    both = ("learner", "prep")
    assert_digits(
        other.dispersion_test(both).statistic,
        one.dispersion_test(both).statistic,
        at_least=10,
    )
    alone = pc.linear_model(wide, "auc ~ learner * prep").dispersion_test(both)
    plain = other.dispersion_test(both, standardise="none")
    assert plain.statistic == pytest.approx(alone.statistic, rel=1e-3)


def test_distances_are_in_the_table():
    made = pc.linear_model(designed(3, 5), "cbind(error, auc) ~ learner + time")
    found = made.dispersion_test(["learner"])
    assert found.table["learner"].tolist() == ["L0", "L1", "L2"]
    assert found.table["n"].sum() == 103 and "approximate" in found.notes[0]
    total = found.table["n"] @ found.table["mean_distance"]
    assert_digits(total, found.distances.sum(), at_least=12)


def test_wider_groups_are_found_and_equal_ones_at_the_level():
    rng = np.random.default_rng(2)
    kind = np.repeat(["a", "b", "c"], 20)
    hits = {1.0: 0, 4.0: 0}
    for width in hits:
        for _ in range(200):
            y = rng.normal(size=(60, 2)) * np.where(kind == "c", width, 1)[:, None]
            frame = pd.DataFrame(y, columns=["u", "v"]).assign(kind=kind)
            model = pc.linear_model(frame, "cbind(u, v) ~ kind")
            hits[width] += model.dispersion_test("kind").p_value <= 0.05
    assert hits[1.0] / 200 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    assert hits[4.0] / 200 > 0.95


def test_constant_residuals_have_no_p_value():
    frame = designed(3).assign(error=1.0)
    made = pc.linear_model(frame, "error ~ learner").dispersion_test("learner")
    assert np.isnan(made.p_value) and "same distance" in made.notes[-1]


def test_what_cannot_be_tested_is_refused():
    model = pc.linear_model(designed(3), "error ~ learner + time")
    for wrong in ("time", "nothing", (), ("learner", "learner")):
        with pytest.raises(pc.InputError, match="factors"):
            model.dispersion_test(wrong)
    for option in ({"centre": "mode"}, {"standardise": "range"}):
        with pytest.raises(pc.InputError, match="choose"):
            model.dispersion_test("learner", **option)
    units = pc.linear_model(designed(3), "error ~ learner", within="data")
    with pytest.raises(pc.DesignError, match="name the units as terms"):
        units.dispersion_test("learner")
