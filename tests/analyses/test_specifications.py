"""Specification curves: which plans are made, and what they decide."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

import pycompare as pc
from pycompare.analyses.specifications import AS_SCORED
from tests.many_predictions import predictions

pytestmark = pytest.mark.usefixtures("blank_pictures")

DATASETS = pc.Plan(blocks="datasets", specifications=True)
BY_RANKS = pc.Plan(blocks="datasets", compares="ranks", specifications=True)


@pytest.fixture(scope="module")
def example():
    return pc.compare(pc.example(), BY_RANKS)


@pytest.fixture(scope="module")
def curve(example):
    return example.analyses[0].specifications


def test_the_first_specification_is_the_primary_analysis(example, curve):
    first = curve.table[curve.table["specification"] == 1]
    made = {one.pair: one for one in example.analyses[0].decisions}
    assert first["agrees"].all() and set(first["scores"]) == {AS_SCORED}
    for row in first.itertuples():
        one = made[frozenset((row.algorithm_1, row.algorithm_2))]
        assert (one.better, one.p_adjusted) == (row.algorithm_1, row.p_adjusted)
        assert one.rejected == row.significant


def test_each_specification_is_the_plan_that_its_name_says(curve):
    rows = curve.table[curve.table["adjust"] == "max-t"]
    wanted = pc.compare(
        pc.example(), pc.Plan(blocks="datasets", compares="ranks", adjust=("max-t",))
    ).analyses[0]
    made = {one.pair: one.p_adjusted for one in wanted.decisions}
    first = rows[rows["scores"] == AS_SCORED]
    assert len(first) == 10
    for row in first.itertuples():
        pair = frozenset((row.algorithm_1, row.algorithm_2))
        assert made[pair] == row.p_adjusted


def test_quade_of_logits_is_that_of_transformed_scores(curve):
    p = pc.example().values
    scores = dataclasses.replace(pc.example(), values=np.log(p) - np.log1p(-p))
    plan = pc.Plan(
        blocks="datasets", compares="ranks", omnibus="quade", adjust=("sign-flips",)
    )
    wanted = pc.compare(scores, plan).analyses[0]
    made = {one.pair: one.p_value for one in wanted.decisions}
    rows = curve.table[curve.table["scores"] == "logit"]
    rows = rows[rows["test"].str.contains("Quade")]
    found = {
        frozenset((row.algorithm_1, row.algorithm_2)): row.p_value
        for row in rows.itertuples()
    }
    assert found == made


def test_ranks_of_transformed_scores_are_no_other_specification(curve):
    by = ["test", "adjust"]
    for _, rows in curve.table.groupby(by):
        columns = rows.pivot(
            index=["algorithm_1", "algorithm_2"], columns="scores", values="p_value"
        )
        assert not columns.T.duplicated().any()


def test_z_tests_of_mean_ranks_are_in_only_if_planned(curve):
    named = curve.specifications["adjust"].tolist()
    assert "nemenyi" not in named and "holm" not in named
    plan = pc.Plan(
        blocks="datasets",
        compares="ranks",
        specifications=True,
        adjust=("holm", "nemenyi"),
    )
    found = pc.compare(pc.example(), plan).analyses[0].specifications
    assert found.specifications["adjust"].tolist().count("holm") == 1
    assert found.specifications["adjust"][0] == "holm"


def test_shared_training_data_leave_only_corrected_tests():
    plan = pc.Plan(n_train=216, n_test=24, specifications=True, metrics=("auc",))
    found = pc.compare(pc.example("folds"), plan).analyses[0].specifications
    assert set(found.specifications["test"]) == {"corrected resampled t tests"}
    assert set(found.specifications["adjust"]) == {
        "bergmann-hommel", "holm", "bonferroni",
    }  # fmt: skip
    assert found.n == 6


def test_a_model_of_these_data_sets_is_no_specification_for_others():
    given = predictions(n_datasets=4, folds=3).measure(["auc"])
    plan = pc.Plan(
        blocks="folds-of-datasets",
        protocol="held-out",
        compares="means",
        specifications=True,
    )
    made = pc.compare(given, plan)
    found = made.analyses[0].specifications
    tests = " ".join(found.specifications["test"])
    assert "paired t" in tests and "sign test" in tests and "rank" in tests
    model = made.analyses[0].by("model").pairs[0]
    assert not np.isin(model.table["p_value"], found.table["p_value"]).any()


def test_two_algorithms_have_their_three_tests(tmp_path):
    two = pc.example().select(algorithms=["C4.5", "CN2"])
    made = pc.compare(two, DATASETS)
    found = made.analyses[0].specifications
    assert found.n == 5 and len(found.pairs) == 1
    assert pc.verify(pc.report(made, tmp_path / "r"), recompute=True).passed


def test_typical_differences_have_their_other_adjustments_and_quantities():
    plan = dataclasses.replace(DATASETS, seed=None)
    found = pc.compare(pc.example(), plan).analyses[0].specifications
    rows = found.specifications
    own = rows[rows["test"] == "Wilcoxon signed rank tests"]
    assert {*own["adjust"]} == {"holm", "bonferroni", "step-down-flips"} | {
        "closed-permutation"
    }
    assert {"rounded to 2 decimals", "logit", AS_SCORED} & {*rows["scores"]}
    assert any("paired t" in test for test in rows["test"])


def test_shares_count_decisions(curve):
    table = curve.table
    alike = [rows["agrees"].all() for _, rows in table.groupby("specification")]
    assert (curve.n, curve.n_alike) == (len(alike), sum(alike))
    assert curve.share == curve.pairs["agreeing"].sum() / len(table)
    assert (
        curve.pairs["agreeing"].min()
        == curve.of_pair(*curve.most_fragile)["agrees"].sum()
    )
    for row in table.itertuples():
        same = row.p_adjusted <= 0.05
        assert row.significant == same
        assert (row.z >= 0) == (row.better != row.algorithm_2) or not row.significant


@pytest.mark.parametrize("options", [{"family": "all"}, {"thresholds": (0.2, 0.5)}])
def test_designs_without_other_forms_are_refused(options):
    with pytest.raises(pc.PlanError, match="no specification curve"):
        pc.Plan(specifications=True, **options)


def test_a_report_says_what_share_decides_alike(example, tmp_path):
    folder = pc.report(example, tmp_path / "r")
    page = (folder / "report.html").read_text()
    assert "9 of 12 specifications give the primary conclusion on every pair" in page
    assert (folder / "figures" / "specification_curve.svg").exists()
    held = json.loads((folder / "results.json").read_text())
    assert held["analyses"][0]["specifications"]["n"] == 12
    table = (folder / "tables" / "specifications.csv").read_text()
    assert len(table.splitlines()) == 121
