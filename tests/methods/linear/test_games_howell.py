"""Welch's test and Games-Howell's pairs of independent samples."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits


def scores(x, missing=(), **options):
    rows = [
        {"a": f"A{j}", "b": i, "m": x[i, j]}
        for i, j in np.ndindex(x.shape)
        if (i, j) not in missing
    ]
    if missing:
        options["missing"] = "model"
    return pc.Scores.from_frame(
        pd.DataFrame(rows),
        algorithm="a", block="b", metrics={"m": "higher"}, **options,
    )  # fmt: skip


def unequal(n=12, a=3, seed=1):
    rng = np.random.default_rng(seed)
    return rng.normal(np.arange(a), np.arange(1, a + 1), size=(n, a))


def test_two_algorithms_have_welchs_t_test():
    x = unequal(a=2)
    t = stats.ttest_ind(x[:, 0], x[:, 1], equal_var=False)
    pair = pc.games_howell(scores(x)).table.iloc[0]
    assert_digits(pair["statistic"], t.statistic, at_least=12)
    assert_digits(pair["df"], t.df, at_least=12)
    assert_digits(pair["p_value"], t.pvalue, at_least=11)
    assert_digits(pair["p_adjusted"], t.pvalue, at_least=8)
    test = pc.welch_anova(scores(x))
    assert_digits(test.statistic, t.statistic**2, at_least=11)
    assert_digits(test.p_value, t.pvalue, at_least=10)


def test_welch_is_that_of_scipy_with_gaps():
    x = unequal()
    gaps = {(0, 1), (3, 2), (4, 2)}
    kept = [[x[i, j] for i in range(12) if (i, j) not in gaps] for j in range(3)]
    wanted = stats.f_oneway(*kept, equal_var=False)
    test = pc.welch_anova(scores(x, gaps))
    assert_digits(test.statistic, wanted.statistic, at_least=11)
    assert_digits(test.p_value, wanted.pvalue, at_least=10)


def test_pairs_are_those_of_scipys_games_howell():
    x = unequal(a=4)
    found = pc.games_howell(scores(x))
    wanted = stats.tukey_hsd(*x.T, equal_var=False)
    upper = np.triu_indices(4, 1)
    assert_digits(found.table["estimate"], wanted.statistic[upper], at_least=11)
    assert np.allclose(found.table["p_adjusted"], wanted.pvalue[upper], atol=1e-7)
    limits = wanted.confidence_interval(0.95)
    assert np.allclose(found.table["conf_low"], limits.low[upper], atol=1e-5)


def test_intervals_agree_with_decisions():
    for seed in range(20):
        table = pc.games_howell(scores(unequal(seed=seed, a=4))).table
        apart = (table["conf_low"] > 0) | (table["conf_high"] < 0)
        assert (apart == (table["p_adjusted"] < 0.05)).all()


def test_the_order_of_each_algorithms_scores_does_not_matter():
    x = unequal()
    moved = np.random.default_rng(2).permuted(x, axis=0)
    one, two = (pc.games_howell(scores(y)).table for y in (x, moved))
    assert_digits(two["p_adjusted"], one["p_adjusted"], at_least=10)


def test_an_algorithm_without_a_variance_is_named():
    x = unequal()
    x[:, 1] = 2.0
    with pytest.raises(pc.DesignError, match="all scores of 'A1' are equal"):
        pc.games_howell(scores(x))
    x, gaps = unequal(), {(i, 2) for i in range(1, 12)}
    with pytest.raises(pc.DesignError, match="'A2' has 1 score"):
        pc.welch_anova(scores(x, gaps))


def test_few_scores_of_an_algorithm_are_noted():
    """With 3, 6, 12 and 24 scores Welch's test rejected 8.6% of true hypotheses."""
    x = unequal()
    gaps = {(i, 1) for i in range(7)}
    for method, rows in ((pc.welch_anova, 1), (pc.games_howell, 3)):
        assert len(method(scores(x)).notes) == 1
        notes = method(scores(x, gaps)).notes
        assert notes[1] == "algorithms with fewer than 6 scores: 'A1'"
        assert len(notes) == 2 + rows
        assert all(
            "3, 6, 12 and 24 scores of 4 algorithms" in note for note in notes[2:]
        )
