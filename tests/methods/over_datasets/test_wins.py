import dataclasses
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits
from pycompare.methods.over_datasets.dataset_tables import on_each_dataset
from tests.conftest import wide
from tests.methods.over_datasets.many import counts, normal, scores_of

UPPER = np.triu_indices(4, 1)


def each_dataset(scores):
    """Return the name and the folds of each data set."""
    return on_each_dataset(lambda _, name, part: (name, part), None, scores)


def by_hand(scores, pairs_of, value_of, alpha, p_omnibus=None):
    """Wins by the definition, data set by data set."""
    wins = np.zeros((scores.n_algorithms,) * 2, int)
    totals = np.zeros(scores.n_algorithms, int)
    for _, part in each_dataset(scores):
        p = pairs_of(part)
        first = 0.0 if p_omnibus is None else p_omnibus(part)
        value = value_of(part)
        better = value[:, None] < value[None, :]
        beaten = better & (p <= alpha) & (first <= alpha)
        wins += beaten
        totals += beaten.any(axis=1)
    return wins, totals


@pytest.mark.parametrize("better", ["lower", "higher"])
@pytest.mark.parametrize("omnibus", [True, False])
def test_wins_by_tukey_are_those_of_each_data_set(better, omnibus):
    scores = normal(8, seed=1, better=better)
    found = pc.wins(scores, omnibus=omnibus)
    sign = -1 if better == "higher" else 1
    wins, totals = by_hand(
        scores,
        lambda part: pc.tukey(part).matrix().to_numpy(),
        lambda part: sign * part.column().mean(axis=0),
        0.05,
        (lambda part: pc.anova(part).p_value) if omnibus else None,
    )
    assert found.wins.to_numpy().tolist() == wins.tolist()
    assert found.totals.tolist() == totals.tolist()
    assert wins.sum() > 5


def test_the_omnibus_test_takes_wins_away_and_never_adds_one():
    scores = normal(30, seed=2, spread=0.3)
    with_it = pc.wins(scores, method="pairwise-t", adjust="none").counts()
    without = pc.wins(
        scores, method="pairwise-t", adjust="none", omnibus=False
    ).counts()
    assert (with_it <= without).all()
    assert with_it.sum() < without.sum()


@pytest.mark.parametrize("adjust", ["bonferroni", "holm", "bergmann-hommel"])
def test_paired_t_is_the_paired_t_of_each_pair(adjust):
    scores = normal(5, b=12, seed=3)
    table = pc.wins(scores, method="paired-t", adjust=adjust).decisions
    for name, part in each_dataset(scores):
        rows = table[table["dataset"] == name]
        raw = np.ones((4, 4))
        for row in rows.itertuples():
            test = pc.paired_t(part, algorithms=(row.algorithm_1, row.algorithm_2))
            assert_digits(row.p_value, test.p_value, at_least=11)
            i = part.algorithms.index(row.algorithm_1)
            j = part.algorithms.index(row.algorithm_2)
            raw[i, j] = raw[j, i] = test.p_value
        expected = pc.adjust(raw, adjust)[UPPER]
        assert_digits(rows["p_pairs"], expected, at_least=11)


def test_pairwise_t_has_the_error_of_the_model():
    scores = normal(4, seed=4)
    table = pc.wins(scores, method="pairwise-t", adjust="holm").decisions
    parts = [pc.pairwise_t(part, adjust="holm") for _, part in each_dataset(scores)]
    expected = np.concatenate([p.table["p_adjusted"] for p in parts])
    assert_digits(table["p_pairs"], expected, at_least=14)


def test_a_function_of_the_scores_of_one_data_set_may_test_the_pairs():
    scores = normal(6, seed=5)
    method = partial(pc.corrected_pairs, n_train=9, n_test=1)
    found = pc.wins(scores, method=method, omnibus=False)
    plain = pc.wins(scores, method="paired-t", adjust="holm", omnibus=False)
    assert (found.counts() <= plain.counts()).all()
    assert found.method.startswith("corrected")
    assert found.r_call() is None
    ranks = pc.wins(scores, method=pc.nemenyi, omnibus=False)
    assert ranks.value_name.startswith("position")
    assert ranks.counts().sum() > 0


def test_two_algorithms_have_no_test_before_their_pair():
    scores = normal(5, a=2, seed=6)
    found = pc.wins(scores)
    assert "p_omnibus" not in found.decisions
    assert found.omnibus == ""


def t2_of(part, metrics):
    return pc.hotelling_pairs(part, metrics=metrics).matrix().to_numpy()


@pytest.mark.parametrize("ratio", [1.0, 0.2, 5.0])
def test_several_metrics_are_decided_by_total_risk(ratio):
    scores = counts(7, b=20, seed=7)
    names = ["tp", "fp", "fn", "tn"]
    found = pc.wins(scores, metrics=names, cost_ratio=ratio)
    wins, totals = by_hand(
        scores,
        lambda part: t2_of(part, names),
        lambda part: (
            ratio * part.column("fp").mean(axis=0) + part.column("fn").mean(axis=0)
        ),
        0.05,
        lambda part: pc.manova(part, metrics=names).p_value,
    )
    assert found.wins.to_numpy().tolist() == wins.tolist()
    assert found.totals.tolist() == totals.tolist()
    assert wins.sum() > 5


@pytest.mark.parametrize("method", ["paired", "two-sample", "two-sample-unequal"])
def test_p_values_of_several_metrics_are_those_of_hotelling_pairs(method):
    tables = [
        np.random.default_rng(i).normal(size=(b, 4, 3))
        for i, b in enumerate([9, 12, 9])
    ]
    scores = scores_of(tables, {"x": "lower", "y": "higher", "z": "lower"})
    found = pc.wins(
        scores, metrics=["x", "y"], method=method, costs={"x": 1.0}
    ).decisions
    parts = [
        pc.hotelling_pairs(part, metrics=["x", "y"], method=method)
        for _, part in each_dataset(scores)
    ]
    for column, ours in (("p_value", "p_value"), ("p_adjusted", "p_pairs")):
        expected = np.concatenate([p.table[column] for p in parts])
        assert_digits(found[ours], expected, at_least=11)
    manova = [
        pc.manova(part, metrics=["x", "y"]).wilks.p_value
        for _, part in each_dataset(scores)
    ]
    assert_digits(found["p_omnibus"], np.repeat(manova, 6), at_least=11)


def test_a_cost_ratio_a_loss_matrix_and_costs_say_the_same():
    scores = counts(5, seed=8)
    names = ["tp", "fp"]
    one = pc.wins(scores, metrics=names, cost_ratio=3.0)
    two = pc.wins(scores, metrics=names, loss=[[0, 3], [1, 0]])
    three = pc.wins(scores, metrics=names, costs={"fp": 3.0, "fn": 1.0})
    each = {f"d{i + 1}": 3.0 for i in range(5)}
    four = pc.wins(scores, metrics=names, costs={"fp": each, "fn": 1.0})
    for other in (two, three, four):
        pd.testing.assert_frame_equal(one.decisions, other.decisions)


def test_rates_with_class_sizes_decide_like_counts():
    scores = counts(5, seed=9)
    values = scores.values / np.array([40.0, 60.0, 40.0, 60.0])
    names = {"tpr": "higher", "fpr": "lower", "fnr": "lower", "tnr": "higher"}
    rates = scores_of(np.split(values, 5), names)
    one = pc.wins(scores, metrics=["tp", "fp"], cost_ratio=2.0)
    other = pc.wins(rates, metrics=["tpr", "fpr"], costs={"fpr": 2.0 * 60, "fnr": 40.0})
    assert one.counts().tolist() == other.counts().tolist()
    with pytest.raises(InputError, match="weigh rates by the class sizes"):
        pc.wins(rates, metrics=["tpr", "fpr"], cost_ratio=2.0)


def test_algorithms_that_are_alike_tie_with_a_reason_and_without_an_exception():
    rng = np.random.default_rng(10)
    same = np.repeat(rng.normal(size=(8, 1, 1)), 3, axis=1)
    other = rng.normal(size=(8, 3, 1)) + 3 * np.arange(3)[:, None]
    scores = scores_of([same, other], {"e": "lower"})
    for method in ("tukey", "paired-t", "pairwise-t"):
        found = pc.wins(scores, method=method)
        rows = found.decisions[found.decisions["dataset"] == "d1"]
        assert (rows["verdict"] == "tie").all()
        assert rows["p_value"].isna().all()
        assert rows["reason"].str.contains("no difference can be tested").all()
        assert found.wins.loc["A1", "A3"] == 1


def test_equal_risks_tie_even_where_the_mean_vectors_differ():
    rng = np.random.default_rng(11)
    shift = np.array([[0, 0], [2, -2]])
    base = rng.integers(0, 50, size=(20, 1, 2)) + rng.integers(0, 2, size=(20, 2, 1))
    noise = np.stack([np.tile([0, 1], 10), np.tile([0, 0, 1, 1], 5)], axis=1)
    table = (base + shift + noise[:, None, :] * [[0, 0], [1, 0]][0]).astype(float)
    table[:, 1, 0] += np.tile([1.0, -1.0], 10)
    table[:, 1] += table[:, 0].mean(axis=0) + shift[1] - table[:, 1].mean(axis=0)
    scores = scores_of([table, table], {"fp": "lower", "fn": "lower"})
    found = pc.wins(scores, metrics=["fp", "fn"], cost_ratio=1.0)
    assert (found.decisions["p_adjusted"] < 1e-6).all()
    assert found.counts().sum() == 0
    assert pc.wins(scores, metrics=["fp", "fn"], cost_ratio=2.0).counts().sum() == 2


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from(["tukey", "paired-t", "pairwise-t"]))
def test_table_totals_and_decisions_never_contradict(seed, method):
    found = pc.wins(normal(5, b=6, seed=seed), method=method)
    table = found.decisions
    rejected = table["p_adjusted"] <= found.alpha
    assert rejected[table["verdict"] != "tie"].all()
    lower = table["value_1"] < table["value_2"]
    assert (table["verdict"].eq("win") == (rejected & lower)).all()
    pair = ["algorithm_1", "algorithm_2"]
    won = table[table["verdict"] == "win"].groupby(pair).size()
    lost = table[table["verdict"] == "loss"].groupby(pair[::-1]).size()
    again = pd.DataFrame(0, found.wins.index, found.wins.columns)
    for counted in (won, lost):
        for (i, j), n in counted.items():
            again.loc[i, j] += n
    assert again.to_numpy().tolist() == found.wins.to_numpy().tolist()
    assert (found.wins.max(axis=1) <= found.totals).all()
    assert (found.ties + found.wins + found.losses).to_numpy()[UPPER].tolist() == [
        5
    ] * 6


@settings(max_examples=10)
@given(st.integers(0, 10_000), st.permutations(range(4)))
def test_the_order_of_the_algorithms_does_not_matter(seed, order):
    scores = normal(4, b=7, seed=seed)
    names = [scores.algorithms[i] for i in order]
    one = pc.wins(scores).wins.loc[names, names]
    other = pc.wins(scores.select(algorithms=names)).wins
    pd.testing.assert_frame_equal(one, other)


def test_the_unit_of_the_scores_does_not_matter():
    scores = normal(4, p=2, seed=12)
    tiny = dataclasses.replace(scores, values=scores.values * np.array([1e-200, 1e200]))
    one = pc.wins(scores, metrics=["m1", "m2"], costs={"m1": 1.0})
    other = pc.wins(tiny, metrics=["m1", "m2"], costs={"m1": 1.0})
    assert_digits(other.decisions["p_value"], one.decisions["p_value"], at_least=10)
    assert one.counts().tolist() == other.counts().tolist()


def test_cells_may_be_missing_where_the_model_allows_it():
    scores = normal(4, b=8, seed=13)
    values = scores.values.copy()
    values[3, 1] = np.nan
    gappy = dataclasses.replace(scores, values=values, missing="model")
    assert pc.wins(gappy).method == "Tukey-Kramer"
    with pytest.raises(DesignError, match="data set 'd1': 1 of 32 cells"):
        pc.wins(gappy, method="paired-t")


def test_an_algorithm_without_a_score_on_a_data_set_is_refused_by_name():
    scores = normal(4, b=8, seed=13)
    values = scores.values.copy()
    values[8:16, 1] = np.nan
    gappy = dataclasses.replace(scores, values=values, missing="model")
    with pytest.raises(InputError, match="data set 'd2'"):
        pc.wins(gappy)


def test_a_data_set_without_a_difference_rarely_has_a_winner():
    found = pc.wins(normal(400, b=8, seed=17, spread=0.0))
    lost = found.decisions["verdict"].ne("tie").groupby(found.decisions["dataset"])
    # Three standard errors above 5 % of 400.
    assert lost.any().sum() <= 20 + 3 * np.sqrt(400 * 0.05 * 0.95)
    assert lost.any().sum() > 2


ONE = normal(3, seed=14)
TWO = normal(3, p=2, seed=15)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        (wide(np.eye(3)), {}, "read them with dataset="),
        (TWO, {}, "name the metric"),
        (TWO, {"metric": "m3"}, "no metric .m3."),
        (TWO, {"metric": "m1", "metrics": ["m1"]}, "not both"),
        (TWO, {"metrics": ["m1", "m2"]}, "exactly one of"),
        (TWO, {"metrics": ["m1", "m2"], "cost_ratio": 1, "loss": []}, "exactly one of"),
        (TWO, {"metrics": ["m1", "m2"], "cost_ratio": 1}, "needs the counts 'fp'"),
        (TWO, {"metrics": ["m1", "m2"], "cost_ratio": 0}, "above 0"),
        (TWO, {"metrics": ["m1", "m2"], "costs": {"mm": 1}}, "no metric .mm."),
        (TWO, {"metrics": ["m1", "m2"], "costs": {"m1": 0}}, "at least one"),
        (TWO, {"metrics": ["m1"], "costs": {"m1": {"d1": 1}}}, "first 'd2'"),
        (TWO, {"metrics": ["m1"], "loss": [[0, 1]]}, "2 x 2"),
        (TWO, {"metrics": ["m1"], "loss": [[1, 0], [0, 1]]}, "must cost more"),
        (TWO, {"metrics": "m1", "costs": {"m1": 1}}, "one text"),
        (TWO, {"metrics": ["m1"], "method": "tukey", "costs": {"m1": 1}}, "choose one"),
        (ONE, {"cost_ratio": 1.0}, "costs decide between several"),
        (ONE, {"method": "paired"}, "for one metric choose one"),
        (ONE, {"adjust": "holm"}, "Tukey has its own adjustment"),
        (ONE, {"method": pc.nemenyi, "adjust": "holm"}, "function given has its own"),
        (ONE, {"method": "paired-t", "adjust": "nemenyi"}, "mean ranks"),
        (ONE, {"method": pc.anova}, "AnovaResult"),
        (ONE, {"method": partial(pc.pairwise_t, control="A1")}, "control"),
        (ONE, {"alpha": 5}, "alpha"),
        (3, {}, "got int"),
    ],
)
def test_what_cannot_be_asked_is_refused(scores, options, message):
    with pytest.raises(InputError, match=message):
        pc.wins(scores, **options)


def test_one_data_set_and_data_sets_too_small_are_refused_by_name():
    with pytest.raises(DesignError, match="all blocks belong to 'd1'"):
        pc.wins(normal(1, seed=16))
    tables = [
        np.random.default_rng(i).normal(size=(b, 3, 2)) for i, b in ((0, 5), (1, 1))
    ]
    scores = scores_of(tables, {"x": "lower", "y": "lower"})
    with pytest.raises(InputError, match="data set 'd2'"):
        pc.wins(scores, metric="x")
    with pytest.raises(DesignError, match="data set 'd2' has one block"):
        pc.wins(scores, metric="x", method="paired-t")
    short = scores_of(
        [t[:2] for t in (tables[0], tables[0])], {"x": "lower", "y": "lower"}
    )
    with pytest.raises(DesignError, match="no pair of algorithms can be tested"):
        pc.wins(short, metrics=["x", "y"], costs={"x": 1.0})


@pytest.mark.parametrize("a", [2, 3, 4])
@pytest.mark.parametrize("adjust", ["bonferroni", "holm"])
def test_a_difference_equal_in_all_folds_is_tested_as_paired_t_and_agreement_do(
    a, adjust
):
    rng = np.random.default_rng(a)
    means = np.array([0.25, 0.5, 0.25, 1.0])[:a, None]
    tables = [rng.integers(9, size=(k, 1, 1)) + means for k in (4, 7, 11)]
    varied = rng.normal(size=(7, a, 1))
    scores = scores_of([*tables, varied], {"m": "lower"})
    found = pc.wins(scores, method="paired-t", adjust=adjust, omnibus=False)
    by_t = [
        pc.paired_t(part, algorithms=pair).p_value
        for _, part in each_dataset(scores)
        for pair in combinations(scores.algorithms, 2)
    ]
    np.testing.assert_allclose(found.decisions["p_value"], by_t, rtol=1e-12)
    both = dataclasses.replace(
        scores,
        values=np.repeat(scores.values, 2, axis=2),
        metrics=(*scores.metrics, pc.Metric("again", "lower")),
    )
    same = pc.agreement(both, metrics=("m", "again")).table["p_m"]
    np.testing.assert_allclose(found.decisions["p_value"], same, rtol=1e-12)
    first = found.decisions[found.decisions["dataset"] == "d3"].iloc[0]
    assert first["p_value"] == 2.0**-10 and first["verdict"] == "win"


def test_the_test_before_is_exact_too_where_nothing_varies():
    means = np.array([1.0, 1.0, 2.0])[:, None]
    tables = [np.arange(k)[:, None, None] + means for k in (4, 6)]
    scores = scores_of(tables, {"m": "lower"})
    found = pc.wins(scores, method="paired-t").decisions
    by_tukey = pc.wins(scores, method="tukey").decisions
    assert found["p_omnibus"].tolist() == by_tukey["p_omnibus"].tolist()
    assert found["p_value"].isna().tolist() == [True, False, False] * 2


@pytest.mark.parametrize(
    ("method", "title"),
    [
        ("paired", "Hotelling's T2, paired"),
        ("two-sample", "Hotelling's T2, two samples with one covariance matrix"),
        (
            "two-sample-unequal",
            "Hotelling's T2, two samples with two covariance matrices",
        ),
    ],
)
def test_wins_of_several_metrics_are_called_by_their_test(method, title):
    scores = normal(3, 8, 3, p=2)
    found = pc.wins(
        scores, metrics=["m1", "m2"], method=method, costs={"m1": 1.0, "m2": 2.0}
    )
    assert found.method == title
    alone = pc.wins(normal(3, 8, 3), method="paired-t")
    assert alone.method == "paired t tests"
