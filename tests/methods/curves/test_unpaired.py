import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_names
from tests.methods.curves.curves import cases


def halves(**options):
    label, scores = cases(n=100)
    return pc.delong_unpaired(
        label[:40],
        scores.C1[:40],
        label[40:],
        scores.C2[40:],
        positive="ill",
        **options,
    )


@pytest.mark.parametrize("name", golden_names("roc_"))
def test_agrees_with_proc(name):
    case = golden(name)
    y, scores = np.array(case["input"]["y"]), np.array(case["input"]["scores"])
    split = case["outputs"]["split_for_unpaired"]["value"]
    first, second = np.array(split["idx1"]) - 1, np.array(split["idx2"]) - 1
    key = "roc_test_delong_unpaired_model1_idx1_vs_model2_idx2"
    wanted = case["outputs"][key]["value"]
    found = pc.delong_unpaired(
        y[first], scores[first, 0], y[second], scores[second, 1], positive=1
    )
    assert_digits([found.area_1, found.area_2], wanted["auc"], at_least=14)
    # pROC subtracts rounded areas.
    lost = np.log10(1 / abs(found.estimate))
    assert_digits(found.statistic, wanted["D"], at_least=14.5 - lost)
    assert_digits(found.df, wanted["df"], at_least=13)
    assert_digits(found.p_value, wanted["p"], at_least=12)


def test_variances_of_different_cases_add_up():
    found = halves()
    label, scores = cases(n=100)
    one = pc.auc_interval(label[:40], scores.C1[:40], positive="ill")
    other = pc.auc_interval(label[40:], scores.C2[40:], positive="ill")
    assert_digits(
        found.std_error, np.hypot(one.std_error, other.std_error), at_least=14
    )


def test_interval_and_test_decide_alike():
    for alternative in ("two-sided", "greater", "less"):
        p = halves(alternative=alternative).p_value
        at_p = halves(alternative=alternative, level=1 - p)
        edge = at_p.conf_high if alternative == "less" else at_p.conf_low
        edge = (
            edge if at_p.estimate > 0 or alternative != "two-sided" else at_p.conf_high
        )
        assert abs(edge) < 1e-12


def test_one_sided_p_values_add_up_to_one():
    greater = halves(alternative="greater").p_value
    assert_digits(greater + halves(alternative="less").p_value, 1.0, at_least=15)


def test_two_perfect_curves_cannot_be_tested():
    found = pc.delong_unpaired(
        [0, 0, 1, 1], [1, 2, 3, 4], [0, 0, 1, 1], [1, 2, 3, 4], positive=1
    )
    assert np.isnan([found.statistic, found.p_value, found.conf_low, found.df]).all()
    assert "cannot be tested" in found.notes[0]
    constant = [0, 1] * 4, [1] * 8
    tied = pc.delong_unpaired(*constant, *constant, positive=1)
    assert tied.area_1 == 0.5 and "equal scores" in tied.notes[0]


def test_bad_input_is_refused():
    with pytest.raises(pc.DesignError, match="two of each"):
        pc.delong_unpaired([0, 1, 1], [1, 2, 3], [0, 0, 1, 1], [1, 2, 3, 4], positive=1)
    with pytest.raises(pc.InputError, match="alternative='both'"):
        halves(alternative="both")
