"""Differences of cross-validated AUCs on the same folds."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.base.testing import assert_digits
from tests.methods.curves.curves import cases


def pairs(**options):
    label, scores = cases()
    fold = np.arange(90) // 18
    return pc.cv_auc_pairs(label, scores, positive="ill", fold=fold, **options)


def test_estimates_are_differences_of_cross_validated_aucs():
    label, scores = cases()
    found = pairs()
    for row in found.table.to_dict("records"):
        one, other = (
            pc.cv_auc(label, scores[row[f"algorithm_{k}"]], positive="ill",
                      fold=np.arange(90) // 18).estimate
            for k in (1, 2)
        )  # fmt: skip
        assert row["estimate"] == pytest.approx(one - other, rel=1e-12, abs=1e-15)


def test_one_fold_is_delong_with_n_for_n_minus_one():
    label, scores = cases(n=4000, grid=20)
    own = pc.cv_auc_pairs(label, scores, positive="ill", fold=np.zeros(4000)).table
    delong = pc.delong(label, scores, positive="ill").table
    for row in own.to_dict("records"):
        names = {row["algorithm_1"], row["algorithm_2"]}
        [wanted] = [
            other for other in delong.to_dict("records")
            if {other["algorithm_1"], other["algorithm_2"]} == names
        ]  # fmt: skip
        assert abs(row["estimate"]) == pytest.approx(abs(wanted["estimate"]))
        assert row["std_error"] == pytest.approx(wanted["std_error"], rel=2e-3)


def test_a_useless_second_score_leaves_the_error_of_the_first():
    """Equal scores have an AUC of 1/2 and no influence."""
    label, scores = cases()
    both = {"own": scores.C1, "none": np.zeros(90)}
    fold = np.arange(90) // 18
    row = pc.cv_auc_pairs(label, both, positive="ill", fold=fold).table.iloc[0]
    alone = pc.cv_auc(label, scores.C1, positive="ill", fold=fold)
    assert_digits(row["std_error"], alone.std_error, at_least=13, what="error")
    assert_digits(row["estimate"], alone.estimate - 0.5, at_least=13, what="estimate")


def test_equal_scores_have_no_interval():
    label, scores = cases()
    both = {"a": scores.C1, "b": scores.C1}
    found = pc.cv_auc_pairs(label, both, positive="ill", fold=np.arange(90) // 18)
    assert found.notes[-1].startswith("'a' and 'b' rank the cases of every fold alike")
    row = found.table.iloc[0]
    assert row["estimate"] == 0
    assert np.isnan(row["conf_low"])


def test_repeats_without_cases_are_rejected():
    with pytest.raises(InputError, match="give both repeat and case"):
        pairs(repeat=np.ones(90))
