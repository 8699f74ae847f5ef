"""Runs within blocks beside the analysis of cell means."""

from __future__ import annotations

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.replicates import analyse_runs
from tests.runs import runs_of, simulated

RUNS = runs_of(simulated())


def within(scores, **options):
    return analyse_runs(scores, pc.Plan(**options), "score")


@pytest.mark.parametrize("word", ["average", None])
def test_only_runs_that_are_kept_are_analysed(word):
    assert within(RUNS, blocks="folds", replicates=word) == ()


def test_runs_of_folds_have_their_strata_and_their_ranks():
    [found] = within(RUNS, blocks="folds", replicates="keep", alpha=0.1)
    alone = pc.replicated_anova(RUNS, level=0.9)
    assert found.strata.to_dict() == alone.to_dict()
    assert found.ranks.p_value == pc.mack_skillings(RUNS).p_value
    titles = [title for title, _ in found.results()]
    assert titles == [
        "Runs within folds: strata",
        f"Runs within blocks: {found.ranks.name}",
    ]


def test_runs_of_data_sets_have_ranks_only():
    plan = {"blocks": "datasets", "replicates": "keep", "decimals": 1}
    [found] = within(RUNS, **plan)
    assert found.strata is None and found.dataset is None
    assert found.ranks.statistic == pc.mack_skillings(RUNS, decimals=1).statistic
    assert found.ranks.statistic != pc.mack_skillings(RUNS).statistic
    [(title, result)] = found.results()
    assert result is found.ranks and title == f"Runs within blocks: {result.name}"


def test_each_data_set_has_its_own_runs():
    values = simulated(b=8)
    scores = runs_of(values, datasets=["d1"] * 4 + ["d2"] * 4)
    found = within(scores, blocks="folds-of-datasets", replicates="keep")
    assert [one.dataset for one in found] == ["d1", "d2"]
    for one, part in zip(found, np.split(values, 2), strict=True):
        assert one.ranks.p_value == pc.mack_skillings(runs_of(part)).p_value
        assert [title.split(":")[0] for title, _ in one.results()] == [
            f"Runs within folds of {one.dataset}",
            f"Runs within blocks of {one.dataset}",
        ]
