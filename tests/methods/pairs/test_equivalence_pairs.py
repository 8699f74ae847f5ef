import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import wide

SIZES = {"n_train": 90, "n_test": 10}


def table(n=12, a=4, seed=1, spread=0.2):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, a)) + spread * np.arange(a)


@pytest.mark.parametrize("sizes", [{}, SIZES])
@pytest.mark.parametrize("better", ["higher", "lower"])
def test_each_pair_is_the_test_of_the_two_at_the_level_of_the_last_step(better, sizes):
    scores = wide(table(), better)
    got = pc.equivalence_pairs(scores, margin=1.2, alpha=0.06, **sizes)
    last = (1 - got.level) / 2
    for row in got.table.itertuples():
        pair = (row.algorithm_1, row.algorithm_2)
        one = pc.equivalence(scores, margin=1.2, algorithms=pair, alpha=last, **sizes)
        mine = [row.estimate, row.p_value, row.conf_low, row.conf_high]
        assert_digits(
            mine, [one.estimate, one.p_value, one.conf_low, one.conf_high], at_least=12
        )
        assert max(row.p_lower, row.p_upper) == row.p_value
    adjusted = pc.adjust(got.table["p_value"], "holm")
    assert got.table["p_adjusted"].tolist() == adjusted.tolist()
    assert got.table["shown"].tolist() == (adjusted <= 0.06).tolist()
    n_shown = int(got.table["shown"].sum())
    assert last >= 0.06 / max(1, len(got.table) - n_shown) - 1e-15


@pytest.mark.parametrize("adjust", ["holm", "bonferroni", "hommel"])
def test_just_the_pairs_within_the_margins_have_intervals_that_lie_there(adjust):
    seen = set()
    for seed in range(30):
        scores = wide(table(15, 3, seed) * 0.6)
        got = pc.equivalence_pairs(scores, margin=0.7, adjust=adjust, alpha=0.1)
        within = (got.table["conf_low"] > -0.7) & (got.table["conf_high"] < 0.7)
        assert (got.table["shown"] == within).all()
        seen |= set(within)
    assert seen == {True, False}


@pytest.mark.parametrize(("better", "sign"), [("higher", 1), ("lower", -1)])
def test_the_others_are_not_inferior_to_the_control(better, sign):
    x = sign * (table(20, 3, 3, 0.0) * 0.2 + np.array([0.0, 1.0, -1.0]))
    got = pc.equivalence_pairs(
        wide(x, better), margin=0.3, kind="non-inferiority", control="A1"
    ).table
    assert got["algorithm_2"].tolist() == ["A1", "A1"]
    assert got["shown"].tolist() == [True, False]


def test_family_error_on_the_margin_is_at_most_alpha():
    # The first two lie exactly on the margin from the third and from each other.
    rng, runs, wrong = np.random.default_rng(8), 400, 0
    for _ in range(runs):
        x = 0.5 * rng.normal(size=(10, 3)) + np.array([-1.0, 0.0, 1.0])
        got = pc.equivalence_pairs(wide(x), margin=1.0, alpha=0.1)
        wrong += bool(got.table["shown"].any())
    assert wrong / runs <= 0.1 + 3 * (0.1 * 0.9 / runs) ** 0.5
    assert wrong > 0


def test_a_pair_that_cannot_be_tested_is_named_and_counts():
    x = np.c_[table(8, 2), table(8, 1)]
    x[:, 1] = x[:, 0] + 0.5
    got = pc.equivalence_pairs(wide(x), margin=0.5).table
    row = got[(got["algorithm_1"] == "A1") & (got["algorithm_2"] == "A2")].iloc[0]
    assert np.isnan(row["p_adjusted"]) and not row["shown"] and "margin" in row["notes"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "non-inferiority"}, "name a control"),
        ({"margin": (-1.0, 2.0)}, "no order"),
        ({"adjust": "shaffer"}, "not transitive"),
        ({"adjust": "bergmann-hommel", "control": "A1"}, "not transitive"),
        ({"adjust": "nemenyi"}, "mean ranks"),
        ({"control": "A9"}, "not an algorithm"),
        ({"margin": -1.0}, "one positive number"),
        ({"kind": "same"}, "choose 'equivalence'"),
        ({"n_train": 9}, "both"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.equivalence_pairs(wide(table()), **{"margin": 1.0, **options})


def test_missing_cells_are_refused():
    x = table()
    x[2, 1] = np.nan
    with pytest.raises(pc.DesignError, match="missing"):
        pc.equivalence_pairs(wide(x, missing="model"), margin=1.0)


def test_units_change_nothing():
    x = table()
    one = pc.equivalence_pairs(wide(x), margin=1.2).table
    for unit in (1e-300, 1e300):
        other = pc.equivalence_pairs(wide(x * unit), margin=1.2 * unit).table
        assert_digits(other["p_value"], one["p_value"], at_least=12)
        assert_digits(other["conf_low"] / unit, one["conf_low"], at_least=12)
