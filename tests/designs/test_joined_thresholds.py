"""Metrics at several thresholds, joined to one vector per fold."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.predictions import predictions, rows

THREE = (("tree", 1.0), ("kNN", 1.8), ("svm", 1.4))
THRESHOLDS = (0.3, 0.5, 0.7)
RATES = {"blocks": "folds", "protocol": "disjoint", "metrics": ("tpr", "fpr")}


def joined(**more) -> pc.Plan:
    """Plan of rates at three thresholds."""
    options = {**RATES, "thresholds": THRESHOLDS, "thresholds_joined": True}
    return pc.Plan(**{**options, **more})


def folds(n: int = 12, **options) -> pc.Predictions:
    """Predictions of three algorithms."""
    return predictions(folds=n, algorithms=THREE, **options)


def test_the_vector_of_each_fold_has_every_metric_at_every_threshold():
    compared = pc.compare(folds(), joined())
    names = tuple(f"{m}@{t:g}" for m in ("tpr", "fpr") for t in THRESHOLDS)
    assert set(compared.together.metrics) == set(names)
    assert {a.metric.name for a in compared.analyses} == set(names)
    assert compared.together.manova.rank == 6
    assert compared.plan.joins and not compared.plan.sweeps


def test_pairs_are_those_of_t2_on_differences_of_the_vectors():
    cases = folds()
    compared = pc.compare(cases, joined())
    y = cases.measure(["tpr", "fpr"], threshold=list(THRESHOLDS)).values
    d = y[:, 0] - y[:, 1]
    n, p = d.shape
    t2 = n * d.mean(axis=0) @ np.linalg.solve(np.cov(d.T), d.mean(axis=0))
    f = t2 * (n - p) / (p * (n - 1))
    row = compared.together.pairs.table.iloc[0]
    assert {row["algorithm_1"], row["algorithm_2"]} == {"tree", "kNN"}
    assert_digits(row["p_value"], stats.f.sf(f, p, n - p), at_least=9)


def test_dependent_metrics_are_left_out_by_name_and_the_rank_is_stated():
    plan = joined(metrics=("tp", "fn", "fp"), thresholds=(0.0, 0.5, 0.7))
    found = pc.compare(folds(), plan).together.manova
    assert found.rank == 4
    assert {"tp@0", "fp@0", "fn@0"} <= set(found.metrics) - set(found.kept)


def test_of_two_algorithms_manova_is_the_test():
    found = pc.compare(predictions(folds=12), joined()).together
    assert found.pairs is None and found.manova.rank == 6


def test_a_report_states_that_thresholds_are_joined(tmp_path):
    compared = pc.compare(folds(), joined(metrics=("tp", "fn", "fp")))
    page = compared.report(tmp_path / "r").joinpath("report.html").read_text("utf-8")
    assert "Metrics at three thresholds joined to one vector per fold" in page
    assert "in 9 metrics together" in page


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"thresholds": (0.5,)}, "is for several thresholds, and there are 1"),
        ({"thresholds": None}, "is for several thresholds, and there are 0"),
        ({"threshold_rule": "any"}, "threshold_rule is for wins at thresholds"),
        ({"threshold_adjust": "holm"}, "threshold_adjust is for wins at thresholds"),
        ({"together": "no"}, "contradict each other"),
        ({"blocks": "folds-of-datasets"}, "over the folds of one data set"),
        ({"blocks": "datasets"}, "over the folds of one data set"),
    ],
)
def test_plans_that_join_nothing_are_rejected(more, message):
    with pytest.raises(pc.PlanError, match=message):
        joined(**more)


def test_predictions_that_do_not_fit_are_rejected():
    with pytest.raises(pc.PlanError, match="no threshold"):
        pc.compare(folds(), joined(metrics=("tpr", "auc")))
    with pytest.raises(pc.PlanError, match="fewer than the 6 metrics"):
        pc.compare(folds(6), joined())
    two = rows(folds=12, algorithms=THREE).assign(data=lambda f: f["block"].str[-1:])
    several = predictions(frame=two, dataset="data")
    with pytest.raises(pc.PlanError, match="choose one data set"):
        pc.compare(several, joined(blocks="by-columns"))
    with pytest.raises(pc.PlanError, match="thresholds is for predictions"):
        pc.compare(folds().measure(["error", "auc"]), joined(metrics=("error",)))


def test_folds_without_sizes_have_no_tests_to_join():
    with pytest.raises(pc.PlanError, match="thresholds_joined=True: nothing is tested"):
        pc.compare(folds(), joined(protocol=None))


def test_a_plan_file_is_written_and_read_back():
    plan = joined()
    assert pc.Plan.from_toml(plan.to_toml()) == plan
