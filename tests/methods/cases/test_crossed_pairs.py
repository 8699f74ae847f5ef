"""Items under runs that all share, against R's aov and t.test and by identities."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from tests.runs import runs_of, simulated

GOLDEN = json.loads(
    (Path(__file__).parent / "crossed_prompts.json").read_text(encoding="utf-8")
)
RNG = np.random.default_rng(7)


def scores_of(name: str) -> pc.Scores:
    stored = GOLDEN[name]
    return pc.Scores.from_frame(
        pd.DataFrame(stored["rows"], columns=stored["columns"]),
        algorithm="model",
        block="item",
        replicate="prompt",
        metrics={"score": "higher"},
    )


@pytest.mark.parametrize("name", [name for name in GOLDEN if name != "made_by"])
def test_numbers_are_those_of_r(name):
    found = pc.crossed_pairs(scores_of(name))
    stored = GOLDEN[name]
    for row, pair in zip(found.table.to_dict("records"), stored["pairs"], strict=True):
        assert [row["algorithm_1"], row["algorithm_2"]] == pair["pair"]
        wanted = {
            "estimate": pair["difference"],
            "error_new_items": pair["these_prompts"]["se"],
            "error_new_runs": pair["these_items"]["se"],
            "error_new_both": pair["hillis"]["se"],
            "df_new_both": pair["hillis"]["df"],
            "p_new_items": pair["these_prompts"]["p"],
            "p_new_runs": pair["these_items"]["p"],
            "p_new_both": pair["hillis"]["p"],
            "p_value": pair["largest_of_three"]["p"],
        }
        assert {n: row[n] for n in wanted} == pytest.approx(wanted, rel=1e-10)
        if len(stored["pairs"]) == 1:  # its interval has the level of one pair
            limits = [row["conf_low"], row["conf_high"]]
            assert limits == pytest.approx(pair["largest_of_three"]["conf"], rel=1e-10)
    wanted = stored["largest_of_three_holm"]
    assert found.table["p_adjusted"].tolist() == pytest.approx(wanted, rel=1e-10)


def test_the_first_two_are_t_tests_of_means():
    runs = simulated(b=12, a=2, n=5)
    row = pc.crossed_pairs(runs_of(runs)).table.iloc[0]
    d = runs[:, 0] - runs[:, 1]
    of_items = stats.ttest_1samp(d.mean(axis=1), 0).pvalue
    of_runs = stats.ttest_1samp(d.mean(axis=0), 0).pvalue
    assert row["p_new_items"] == pytest.approx(of_items, rel=1e-10)
    assert row["p_new_runs"] == pytest.approx(of_runs, rel=1e-10)
    assert row["p_value"] >= max(of_items, of_runs) * (1 - 1e-10)


def test_no_interval_contradicts_its_decision():
    for seed in range(300):
        rng = np.random.default_rng(seed)
        n, a, r = rng.integers(3, 30), rng.integers(2, 5), rng.integers(3, 7)
        x = simulated(n, a, r, seed=seed, effect=rng.uniform(0, 1))
        x = x + rng.normal(size=(1, a, r)) * rng.uniform(0, 1)
        if seed % 3 == 0:
            x = (x > 0).astype(float)
        found = pc.crossed_pairs(runs_of(x)).table
        holds_0 = (found["conf_low"] <= 0) & (found["conf_high"] >= 0)
        known = found["conf_low"].notna()
        assert (holds_0 != (found["p_adjusted"] <= 0.05))[known].all()


def test_a_pair_has_the_same_p_value_without_the_others():
    scores = runs_of(simulated(b=15, a=4, n=4))
    every = pc.crossed_pairs(scores).table
    for row in every.to_dict("records"):
        two = scores.select(algorithms=[row["algorithm_1"], row["algorithm_2"]])
        assert pc.crossed_pairs(two).table["p_value"][0] == row["p_value"]


def test_one_difference_everywhere_and_equal_means():
    x = np.zeros((9, 3, 4))
    x[:, 1] = 1.0
    row = pc.crossed_pairs(runs_of(x)).table
    by_pair = {(r.algorithm_1, r.algorithm_2): r for r in row.itertuples()}
    assert by_pair["A0", "A1"].p_value == 2.0**-3
    assert np.isnan(by_pair["A0", "A1"].conf_low)
    assert by_pair["A0", "A2"].p_value == 1.0
    assert np.isnan(by_pair["A0", "A2"].conf_low)


def test_units_do_not_matter():
    runs = simulated(b=10, a=3, n=4)
    p = pc.crossed_pairs(runs_of(runs)).table["p_value"]
    for factor in (1e-290, 1e290):
        again = pc.crossed_pairs(runs_of(runs * factor)).table["p_value"]
        assert again.tolist() == pytest.approx(p.tolist(), rel=1e-9)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: runs_of(simulated(n=2)), "2 runs cannot stand for other runs"),
        (lambda: runs_of(simulated(b=2)), "2 items cannot stand for other items"),
        (lambda: pc.example(), "name the column of runs"),
        (
            lambda: dataclasses.replace(
                runs_of(simulated(b=8)), clusters=tuple("aabbccdd")
            ),
            "items are in clusters",
        ),
    ],
)
def test_what_cannot_be_tested_is_refused(make, words):
    with pytest.raises(pc.DesignError, match=words):
        pc.crossed_pairs(make())
