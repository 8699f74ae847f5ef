"""A family over several tables lowers the level of its pairs and of nothing else."""

import numpy as np
import pytest

import pycompare as pc
from tests.methods.over_datasets.many_folds import folds_of
from tests.reporting.whole_pages import TWO_METRICS


def two_metrics(n=12, a=3, *, seed=1):
    names = [f"d{i + 1}" for i in range(n)]
    metrics = (pc.Metric("x", "higher"), pc.Metric("y", "higher"))
    values = np.random.default_rng(seed).normal(size=(n, a, 2))
    return pc.Scores(values, tuple(names), tuple("ABC"[:a]), metrics)


def test_estimates_of_one_table_keep_the_level_of_the_plan():
    alone = pc.compare(two_metrics(), pc.Plan(compares="ranks")).analyses[0]
    joint = pc.compare(two_metrics(), pc.Plan(compares="ranks", family="all")).analyses[
        0
    ]
    assert (joint.pairs[0].level, alone.pairs[0].level) == (0.975, 0.95)
    assert joint.agreement.conf_high == alone.agreement.conf_high
    assert joint.agreement.level == 0.95
    left, right = joint.differences.table, alone.differences.table
    assert left.equals(right)


def test_effect_sizes_of_folds_keep_the_level_of_the_plan():
    folds = {"n_train": 50, "n_test": 10}
    scores = folds_of((6,), 3, effect=1.0, metrics=TWO_METRICS)
    levels = {
        family: pc.compare(scores, pc.Plan(blocks="folds", family=family, **folds))
        for family in ("metric", "all")
    }
    joint, alone = (levels[family].analyses[0] for family in ("all", "metric"))
    assert joint.pairs[0].level > alone.pairs[0].level
    assert joint.omnibus.omega2.level == alone.omnibus.omega2.level == 0.95


def test_a_level_is_of_what_describes_and_of_no_pair():
    scores = folds_of((6,), 3, effect=1.0)
    plan = {"blocks": "folds", "n_train": 50, "n_test": 10, "adjust": ("tukey",)}
    planned, given = (
        pc.compare(scores, pc.Plan(**plan, level=level)).analyses[0]
        for level in (None, 0.8)
    )
    assert given.omnibus.omega2.level == 0.8
    assert given.decisive.table.equals(planned.decisive.table)
    two = folds_of((6,), 2, effect=1.0)
    with pytest.raises(pc.PlanError, match="the level at which its pair is decided"):
        pc.compare(two, pc.Plan(**plan | {"adjust": ()}, level=0.8))


@pytest.mark.parametrize("n_tables", [1, 3])
def test_the_level_of_pairs_is_shared_by_tables(n_tables):
    plan = pc.Plan(alpha=0.1).of_tables(n_tables)
    assert plan.confidence == 0.9
    assert plan.pair_level == pytest.approx(1 - 0.1 / n_tables, rel=1e-12)
