import math

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.methods.orders.dominance import dominance_order
from tests.conftest import wide

SIZES = {"n_train": 90, "n_test": 10}


def table(n=10, a=4, seed=1):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, a)) + 0.6 * np.arange(a)


@pytest.mark.parametrize("better", ["higher", "lower"])
def test_each_pair_is_the_corrected_t_test_of_the_two(better):
    scores = wide(table(), better)
    got = pc.corrected_pairs(scores, **SIZES, level=0.94)
    for row in got.table.itertuples():
        pair = (row.algorithm_1, row.algorithm_2)
        one = pc.paired_t(scores, algorithms=pair, level=0.99, **SIZES)
        mine = [row.estimate, row.std_error, row.statistic, row.df, row.p_value]
        theirs = [one.estimate, one.std_error, one.statistic, one.df, one.p_value]
        assert_digits(mine, theirs, at_least=14)
        # Six pairs share 6 % between them.
        limits = [one.conf_low, one.conf_high]
        assert_digits([row.conf_low, row.conf_high], limits, at_least=13)


def test_the_adjustment_is_that_of_the_raw_p_values():
    got = pc.corrected_pairs(wide(table()), **SIZES, adjust="hommel").table
    assert_digits(got["p_adjusted"], pc.adjust(got["p_value"], "hommel"), at_least=15)


def test_the_correction_never_makes_a_p_value_smaller():
    scores = wide(table())
    corrected = pc.corrected_pairs(scores, **SIZES).table
    for row in corrected.itertuples():
        pair = (row.algorithm_1, row.algorithm_2)
        assert row.p_value > pc.paired_t(scores, algorithms=pair).p_value


def test_a_control_is_subtracted_from_each_other_as_in_dunnett():
    scores = wide(table())
    got = pc.corrected_pairs(scores, **SIZES, control="A2")
    dunnett = pc.dunnett(scores, control="A2").table
    assert got.table["algorithm_1"].tolist() == dunnett["algorithm_1"].tolist()
    assert set(got.table["algorithm_2"]) == {"A2"}
    assert_digits(got.table["estimate"], dunnett["estimate"], at_least=12)


def test_positions_are_lower_for_better_means():
    x = table()
    low = pc.corrected_pairs(wide(x, "lower"), **SIZES).positions
    high = pc.corrected_pairs(wide(x, "higher"), **SIZES).positions
    assert_digits(low, x.mean(axis=0), at_least=14)
    assert_digits(high, -x.mean(axis=0), at_least=14)


def test_two_algorithms_alike_cannot_be_tested_and_count_in_the_family():
    x = table(9, 2)
    got = pc.corrected_pairs(wide(x[:, [0, 1, 1]]), **SIZES)
    p = got.table["p_value"].to_numpy()
    assert math.isnan(p[2])
    adjusted = got.table["p_adjusted"].to_numpy()
    assert_digits(adjusted[:2], pc.adjust([p[0], p[1], 1.0], "holm")[:2], at_least=15)
    assert math.isnan(adjusted[2])
    assert "1 of 3 pairs" in got.notes[0]


def test_a_pair_is_compared_over_the_blocks_that_both_have():
    x = table(8, 3)
    x[2, 0] = np.nan
    got = pc.corrected_pairs(wide(x, missing="model"), **SIZES)
    assert got.table["df"].tolist() == [6.0, 6.0, 7.0]
    alone = pc.corrected_pairs(wide(np.delete(x, 2, axis=0)[:, :2]), **SIZES).table
    assert_digits(got.table["p_value"][:1], alone["p_value"], at_least=14)
    assert "cells are missing" in got.notes[0]


def test_a_pair_without_two_common_blocks_is_left_untested_with_the_reason():
    x = table(5, 3)
    x[1:, 0] = x[0, 2] = np.nan
    x[1:3, 0] = 0.5, 0.7
    x[1:3, 1] = np.nan
    scores = wide(x, missing="model")
    got = pc.corrected_pairs(scores, **SIZES)
    assert got.table["p_value"].isna().tolist() == [True, False, False]
    assert got.notes[1].startswith("A1 and A2 share 1 of 5 blocks")
    assert len(got.notes) == 2
    p = got.table["p_value"].to_numpy()
    holm = pc.adjust([1.0, *p[1:]], "holm")[1:]
    assert_digits(got.table["p_adjusted"][1:], holm, at_least=15)
    found = pc.compare(scores, pc.Plan(blocks="folds", **SIZES))
    assert "share 1 of 5 blocks" in " ".join(found.analyses[0].corrected.notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_train": 0}, "positive"),
        ({"adjust": "nemenyi"}, "mean ranks"),
        ({"adjust": "shaffer", "control": "A1"}, "all pairs"),
        ({"control": "zz"}, "'zz' is not an algorithm"),
        ({"level": 1.0}, "level=1.0"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.corrected_pairs(wide(table()), **(SIZES | options))


def test_a_pair_without_variance_is_said_not_to_be_corrected():
    x = table()
    x[:, 1] = x[:, 0] + 0.25
    got = pc.corrected_pairs(wide(x), **SIZES)
    assert math.isinf(got.table["statistic"][0])
    assert math.isnan(got.table["p_value"][0])
    assert got.notes[0].startswith("1 of 6 pairs: all blocks have the same difference")
    one = pc.paired_t(wide(x), algorithms=("A1", "A2"), **SIZES)
    assert math.isnan(one.p_value) and "have no error rate" in one.notes[0]
    assert pc.corrected_pairs(wide(table()), **SIZES).notes == ()


def test_who_is_better_is_told_by_the_folds_that_both_have():
    # A2 is a little better than A1 on every fold, and was not scored on the easy ones.
    x = np.repeat([0.0, 10.0], 6)[:, None] + np.array([0.5, 0.0])
    x += 0.01 * np.cos(np.arange(24)).reshape(12, 2)
    x[:6, 1] = np.nan
    found = pc.corrected_pairs(wide(x, "lower", missing="model"), n_train=9, n_test=1)
    assert found.rejected(0.05).all()
    assert found.positions["A1"] < found.positions["A2"]
    assert found.table["estimate"][0] > 0
    assert found.better().tolist() == [[False, False], [True, False]]
    assert dominance_order(found).groups == (("A2",), ("A1",))
