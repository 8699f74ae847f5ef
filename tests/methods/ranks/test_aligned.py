import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_matrix, golden_names, wide


@pytest.mark.parametrize("name", golden_names("ranks_"))
def test_uncorrected_form_agrees_with_scmamps_formula_on_true_ties(name):
    case = golden(name)
    outputs = case["outputs"]
    scores = pc.Scores.from_wide(
        golden_matrix(case["input"]["X"]), metric="score", better="higher"
    )
    got = pc.aligned_ranks(scores, ties="uncorrected")
    r = outputs["aligned_ranks_stat_signif12_same_formula"]["value"]
    assert_digits(got.statistic, r["T"], at_least=12, what="T")
    assert_digits(got.p_value, r["p"], at_least=11, what="p")
    means = list(outputs["aligned_ranks_colmeans_signif12"]["value"].values())
    # scmamp ranks the largest first, we rank the best first: the same here.
    assert_digits(got.mean_ranks, means, at_least=13, what="mean aligned ranks")


def test_true_ties_of_garcia_and_herreras_table_are_kept(garcia_herrera):
    outputs = golden("ranks_gh2008")["outputs"]
    integers = outputs["intscaled_aligned_ranks_scmamp"]["value"]["statistic"]["T"]
    split = outputs["aligned_ranks_scmamp"]["value"]["statistic"]["T"]
    got = pc.aligned_ranks(garcia_herrera, ties="uncorrected").statistic
    assert_digits(got, integers, at_least=13)
    assert abs(got - split) > 0.03


def test_corrected_and_uncorrected_agree_without_ties():
    x = np.random.default_rng(2).normal(size=(12, 4))
    corrected = pc.aligned_ranks(wide(x)).statistic
    assert_digits(
        corrected, pc.aligned_ranks(wide(x), ties="uncorrected").statistic, at_least=13
    )


def test_a_shift_of_one_block_changes_nothing():
    x = np.random.default_rng(4).integers(0, 50, size=(10, 4)).astype(float)
    shifted = x.copy()
    shifted[3] += 1024.0
    assert pc.aligned_ranks(wide(x)).statistic == pytest.approx(
        pc.aligned_ranks(wide(shifted)).statistic, rel=1e-13
    )


def test_its_null_distribution_is_near_chi2():
    rng = np.random.default_rng(8)
    p = [pc.aligned_ranks(wide(rng.normal(size=(20, 4)))).p_value for _ in range(800)]
    assert abs(np.mean(np.array(p) <= 0.05) - 0.05) < 0.025


def test_all_tied_is_undefined_with_a_reason():
    got = pc.aligned_ranks(wide(np.tile([[1.0], [2.0], [3.0]], 3)))
    assert np.isnan(got.p_value)
    assert got.notes
