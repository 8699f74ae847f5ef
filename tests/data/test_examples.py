import subprocess
import sys

import numpy as np
import pytest

import pycompare as pc
from tests.methods.ranks.test_pairs import TABLE_5
from validation.example_data import folds as make_folds
from validation.example_data import predictions as make_predictions


def test_the_folds_are_what_their_script_makes():
    made = "\n".join(make_folds.rows()) + "\n"
    assert made == pc.example_path("folds").read_text(encoding="utf-8")


def test_the_script_prints_them():
    module = "validation.example_data.folds"
    run = subprocess.run([sys.executable, "-m", module], capture_output=True, text=True)
    assert run.stdout == pc.example_path("folds").read_text(encoding="utf-8")


def test_the_predictions_are_what_their_script_makes():
    made = "\n".join(make_predictions.rows()) + "\n"
    assert made == pc.example_path("predictions").read_text(encoding="utf-8")
    found = pc.example("predictions")
    assert (found.n_blocks, found.algorithms) == (80, ("QDA", "LDA", "NaiveBayes"))
    assert found.score.size == 5760 and len(set(found.datasets)) == 8


def test_the_folds_are_folds_of_one_data_set():
    scores = pc.example("folds")
    assert scores.shape == (30, 5, 2)
    assert set(scores.datasets) == {"gaussians"}
    assert [m.better for m in scores.metrics] == ["lower", "higher"]
    assert pc.compare(scores).analyses[0].kind == "estimates"
    sizes = pc.Plan(n_train=216, n_test=24)
    assert pc.compare(scores, sizes).analyses[0].kind == "means"


def test_areas_count_ties_half():
    scores = np.array([0.1, 0.4, 0.4, 0.8])
    positive = np.array([False, True, False, True])
    assert make_folds.area(scores, positive) == 0.875


def test_each_repeat_tests_every_case_once():
    rng = np.random.default_rng(0)
    positive = np.arange(make_folds.CASES) % 2 == 0
    folds = make_folds.stratified(positive, rng)
    assert np.bincount(folds).tolist() == [24] * 10
    assert np.bincount(folds[positive]).tolist() == [12] * 10


def test_an_unknown_example_is_refused_with_the_names_there_are():
    with pytest.raises(pc.InputError, match=r"did you mean 'folds'.*garcia"):
        pc.example("fold")


def test_the_plan_of_the_published_analysis_gives_the_published_p_values():
    plan = pc.read_plan(pc.example_path("garcia-herrera-2008-plan"))
    [analysis] = pc.compare(pc.example(), plan.plan).analyses
    names = ("bonferroni", "holm", "shaffer", "bergmann-hommel")  # as in their table 5
    tables = {pairs.adjust: pairs.table for pairs in analysis.pairs}
    assert {*tables} == {*names} and analysis.decisive.adjust == "bergmann-hommel"
    for at, name in enumerate(names):
        for row in tables[name].itertuples():
            pair = (row.algorithm_1, row.algorithm_2)
            printed = (TABLE_5.get(pair) or TABLE_5[pair[::-1]])[at]
            room = 6e-5 if printed > 1e-4 else 6e-4 * printed
            assert row.p_adjusted == pytest.approx(printed, abs=room), (name, pair)
