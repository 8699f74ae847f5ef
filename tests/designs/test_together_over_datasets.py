"""All metrics together on each of several data sets: the tables of all of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from tests.methods.over_datasets.many import scores_of

N = {"d1": 8, "d2": 7, "d3": 6}


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(4)
    rows = [
        {"d": d, "f": i, "a": f"A{j}", "x": rng.normal() + j, "y": rng.normal() - j}
        for d, n in N.items()
        for i in range(n)
        for j in range(3)
    ]
    return pc.Scores.from_frame(
        pd.DataFrame(rows),
        algorithm="a",
        block="f",
        dataset="d",
        metrics={"x": "lower", "y": "higher"},
    )


@pytest.fixture(scope="module")
def together(scores):
    return pc.compare(
        scores, pc.Plan(blocks="folds-of-datasets", protocol="held-out")
    ).datasets_together


def test_the_table_of_pairs_has_those_of_every_data_set(together):
    table = together.pairs_table()
    assert table["dataset"].tolist() == [d for d in N for _ in range(3)]
    alone = pd.concat([one.pairs.to_frame() for one in together.each])
    columns = ["algorithm_1", "algorithm_2", "p_value", "p_adjusted"]
    assert table[columns].to_numpy().tolist() == alone[columns].to_numpy().tolist()
    assert len(together.to_dict()["pairs"]) == 9


def test_the_table_of_data_sets_has_wilks_lambda_of_each(together):
    table = together.data_sets_table()
    assert table["dataset"].tolist() == list(N)
    assert table["folds"].tolist() == list(N.values())
    expected = [one.manova.wilks.statistic for one in together.each]
    assert table["wilks"].tolist() == expected
    assert table["p_value"].tolist() == [one.manova.p_value for one in together.each]
    assert (table["refusal"] == "").all()


def test_orderings_stand_by_data_set(together):
    table = together.orderings_table()
    alone = [one.orders.to_frame().assign(dataset=one.dataset) for one in together.each]
    assert table.equals(pd.concat(alone, ignore_index=True))
    assert set(table["dataset"]) == set(N)


def test_means_of_data_sets_stand_together_over_data_sets_unless_unwanted(scores):
    plan = {"blocks": "folds-of-datasets", "adjust": ("holm",)}
    found = pc.compare(scores, pc.Plan(**plan, protocol="held-out"))
    assert found.together.blocks == "data sets"
    without = pc.compare(scores, pc.Plan(**plan, together="no", protocol="held-out"))
    assert without.datasets_together is None and without.together is None
    one = pc.compare(scores, pc.Plan(**plan, metrics=("x",), protocol="held-out"))
    assert one.datasets_together is None


def test_wins_by_total_cost_wait_for_the_test_of_all_algorithms_where_planned():
    rng = np.random.default_rng(4)
    tables = [
        10 + rng.normal(size=(6, 3, 2)) + rng.normal(size=(1, 3, 1)) for _ in range(4)
    ]
    costs = scores_of(tables, {"fp": "lower", "fn": "lower"})
    found = {
        gate: pc.compare(
            costs,
            pc.Plan(cost_ratio=2.0, compares="wins", gate=gate, protocol="held-out"),
        ).datasets_together.wins.wins
        for gate in ("none", "omnibus")
    }
    free, gated = found["none"].to_numpy(), found["omnibus"].to_numpy()
    assert free[0, 1] == 1 and gated[0, 1] == 0
    assert (gated <= free).all() and gated[1:, 0].tolist() == [2, 2]
