from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import rankdata

import pycompare as pc
from tests.conftest import wide

pytestmark = pytest.mark.usefixtures("blank_pictures")


def limits(x, level):
    table = pc.rank_prediction(wide(x, "lower"), level=level).table
    return list(zip(table["predicted_low"], table["predicted_high"], strict=True))


@pytest.mark.parametrize("seed", range(6))
def test_a_rank_is_possible_if_enough_blocks_are_as_far_from_the_mean(seed):
    rng = np.random.default_rng(seed)
    x = np.round(rng.normal(0.5 * np.arange(4), 1, (11, 4)), seed % 2)
    level = (0.8, 0.9)[seed % 2]
    found = limits(x, level)
    for own, (low, high) in zip(rankdata(x, axis=1).T, found, strict=True):
        possible = []
        for new in np.arange(1, 4.5, 0.5):
            every = np.append(own, new)
            far = np.abs(every - every.mean())
            if np.mean(far >= far[-1] - 1e-9) > 1 - level + 1e-12:
                possible.append(new)
        assert (low, high) == (possible[0], possible[-1])


@pytest.mark.parametrize(("n", "level"), [(9, 0.8), (12, 0.9), (19, 0.95)])
def test_of_any_blocks_the_share_predicted_from_the_others_is_at_least_the_level(
    n, level
):
    x = np.random.default_rng(n).exponential(1 + np.arange(5) / 3, (n, 5)).round(1)
    ranks = rankdata(x, axis=1)
    inside = np.zeros(5)
    for left in range(n):
        found = np.array(limits(np.delete(x, left, 0), level))
        inside += (found[:, 0] <= ranks[left]) & (ranks[left] <= found[:, 1])
    assert (inside / n >= level).all()


def test_few_blocks_leave_every_rank_possible():
    x = np.tile(np.arange(4.0), (19, 1))
    assert limits(x[:18], 0.95) == [(1, 4)] * 4
    assert limits(x, 0.95) == [(1, 1), (2, 2), (3, 3), (4, 4)]
    few = pc.rank_prediction(wide(x[:18], "lower"))
    assert few.notes and "fewer than 19" in few.summary()
    assert not pc.rank_prediction(wide(x, "lower")).notes


def test_a_higher_level_gives_longer_intervals():
    x = np.random.default_rng(5).normal(size=(40, 6))
    for lower, higher in combinations((0.5, 0.8, 0.9, 0.95, 0.99), 2):
        for (a, b), (c, d) in zip(limits(x, lower), limits(x, higher), strict=True):
            assert c <= a <= b <= d


def test_a_comparison_over_data_sets_predicts_ranks_at_the_level_of_its_sets():
    comparison = pc.compare(
        pc.example(), pc.Plan(blocks="datasets", compares="ranks", alpha=0.1)
    )
    [made] = comparison.only.rank_predictions.values()
    own = pc.rank_prediction(pc.example(), level=0.9)
    assert made.table.equals(own.table)
    titles = [title for title, _ in comparison.results()]
    assert titles.count("Prediction of ranks on a new data set") == 1
    told = comparison.to_dict()["rank_predictions"]
    assert told["accuracy"]["table"] == own.table.to_dict("records")
    cases = pc.compare(pc.example(), pc.Plan(blocks="cases"))
    assert cases.only.rank_predictions == {}
    control = pc.compare(
        pc.example(), pc.Plan(blocks="datasets", compares="ranks", control="CN2")
    )
    assert control.only.rank_predictions == {}


@pytest.mark.parametrize("adjust", ["BH", "BY"])
def test_predicted_ranks_need_no_family_wise_error(adjust, tmp_path):
    plan = pc.Plan(blocks="datasets", compares="ranks", adjust=(adjust,))
    comparison = pc.compare(pc.example(), plan)
    assert comparison.only.rank_sets == {}
    [made] = comparison.only.rank_predictions.values()
    own = pc.rank_prediction(pc.example())
    assert made.table.equals(own.table)
    out = pc.report(comparison, tmp_path / "page")
    text = (out / "report.html").read_text("utf-8")
    assert "95% prediction interval of the rank on one new data set" in text
    table = pd.read_csv(out / "tables" / "rank_predictions.csv")
    assert table["predicted_high"].tolist() == own.table["predicted_high"].tolist()
