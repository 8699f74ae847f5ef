"""Means weighted over benchmarks: pairs, means of algorithms, and flips."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import cluster_means
from tests.conftest import golden, wide

COLUMNS = ["estimate", "std_error", "statistic", "df", "p_value", "p_adjusted"]
COLUMNS += ["conf_low", "conf_high"]


def scored(x, benchmark, cluster=None, better="higher") -> pc.Scores:
    frame = pd.DataFrame(x, columns=[f"A{j + 1}" for j in range(x.shape[1])])
    names = list(frame)
    frame["task"] = [f"b{k}" for k in benchmark]
    roles = {"group": "task"}
    if cluster is not None:
        frame["text"] = [f"t{g}" for g in cluster]
        roles["cluster"] = "text"
    return pc.Scores.from_wide(
        frame, metric="score", better=better, algorithms=names, **roles
    )


def drawn(sizes, a=3, seed=1):
    rng = np.random.default_rng(seed)
    benchmark = np.repeat(np.arange(len(sizes)), sizes)
    x = rng.normal(size=(len(benchmark), a)) * (1 + benchmark[:, None])
    return x + 0.3 * np.arange(a), benchmark


def named(weights, start=0):
    return {f"b{k}": w for k, w in enumerate(weights, start)}


# ---- agreement with R ----------------------------------------------------------------


def test_two_benchmarks_are_welchs_test_in_r():
    case = golden("weighted_two_33x4")
    given, expected = case["input"], case["outputs"]["pairs"]["value"]
    x = np.reshape(given["x"], (-1, given["cases"])).T
    scores = scored(x, given["benchmark"])
    found = pc.weighted_pairs(scores, weights=named(given["weights"], 1)).table
    for column in COLUMNS:
        assert_digits(found[column], expected[column], at_least=12, what=column)


def test_the_standard_error_of_clusters_is_that_of_clubsandwich():
    case = golden("weighted_clusters_50x3")
    given, expected = case["input"], case["outputs"]["pairs"]["value"]
    x = np.reshape(given["x"], (-1, given["cases"])).T
    scores = scored(x, given["benchmark"], given["cluster"])
    found = pc.weighted_pairs(scores, weights=named(given["weights"], 1)).table
    for column in ("estimate", "std_error"):
        assert_digits(found[column], expected[column], at_least=12, what=column)


# ---- identities ----------------------------------------------------------------------


def test_one_size_and_equal_weights_give_the_pooled_mean_difference():
    x, benchmark = drawn((20, 20, 20))
    weights = named((1, 1, 1))
    found = pc.weighted_pairs(scored(x, benchmark), weights=weights).table
    pooled = pc.paired_t_pairs(wide(x)).table
    assert_digits(found["estimate"], pooled["estimate"], at_least=13)
    means = pc.weighted_means(scored(x, benchmark), weights=weights)
    assert_digits(means.table["estimate"], x.mean(axis=0), at_least=13)


@pytest.mark.parametrize("test", [pc.weighted_pairs, pc.max_t])
def test_a_weight_near_1_gives_the_comparison_on_that_benchmark(test):
    x, benchmark = drawn((12, 15, 9))
    scores = scored(x, benchmark)
    found = test(scores, weights={"b0": 1e-13, "b1": 1, "b2": 1e-13}).table
    alone = pc.paired_t_pairs if test is pc.weighted_pairs else pc.max_t
    expected = alone(scores.of_group("b1")).table
    # Flips of other benchmarks change nothing but which flips are drawn.
    names = COLUMNS if test is pc.weighted_pairs else ["estimate", "std_error"]
    for column in names:
        assert_digits(found[column], expected[column], at_least=9, what=column)


def test_weights_have_no_unit_and_the_larger_ones_no_limit():
    x, benchmark = drawn((12, 15))
    scores = scored(x, benchmark)
    one = pc.weighted_pairs(scores, weights={"b0": 1, "b1": 3}).table
    for unit in (1e-300, 4e307, 0.25):
        weights = {"b1": 3 * unit, "b0": unit}
        other = pc.weighted_pairs(scores, weights=weights).table
        for column in COLUMNS:
            assert_digits(other[column], one[column], at_least=12, what=column)


def test_parts_add_up_with_welch_and_satterthwaites_degrees_of_freedom():
    x, benchmark = drawn((7, 12, 30), seed=4)
    w = np.array([0.5, 0.3, 0.2])
    row = pc.weighted_pairs(scored(x, benchmark), weights=named(w)).table.iloc[0]
    d = [x[benchmark == k, 0] - x[benchmark == k, 1] for k in range(3)]
    n = np.array([len(part) for part in d])
    own = w**2 * np.array([part.var(ddof=1) for part in d]) / n
    mean, error = w @ [part.mean() for part in d], np.sqrt(own.sum())
    df = own.sum() ** 2 / np.sum(own**2 / (n - 1))
    t = mean / error
    half = stats.t.isf(0.025 / 3, df) * error
    expected = [
        mean,
        error,
        t,
        df,
        2 * stats.t.sf(abs(t), df),
        mean - half,
        mean + half,
    ]
    names = [name for name in COLUMNS if name != "p_adjusted"]
    for name, value in zip(names, expected, strict=True):
        assert_digits(row[name], value, at_least=11, what=name)


def test_one_benchmark_leaves_its_own_degrees_of_freedom():
    parts = np.array([[4.0, 0.0], [0.0, 0.0]])
    df = cluster_means.welch_satterthwaite(parts, np.array([9.0, 3.0]))
    assert df.tolist() == [9.0, 3.0]
    alike = cluster_means.welch_satterthwaite(np.ones((5, 1)), np.full(5, 6.0))
    assert_digits(alike, [30.0], at_least=14)


def test_lower_is_better_turns_positions_and_no_difference():
    x, benchmark = drawn((9, 14))
    weights = named((2, 1))
    one = pc.weighted_pairs(scored(x, benchmark), weights=weights)
    other = pc.weighted_pairs(scored(x, benchmark, better="lower"), weights=weights)
    assert one.table.equals(other.table)
    assert_digits(one.positions, -other.positions, at_least=14)


def test_few_degrees_of_freedom_are_named():
    x, benchmark = drawn((3, 40))
    few = pc.weighted_pairs(scored(x, benchmark), weights={"b0": 0.9, "b1": 0.1})
    assert "2.0 degrees of freedom in some pair" in few.notes[-1]
    many = pc.weighted_pairs(scored(x, benchmark), weights={"b0": 0.01, "b1": 0.99})
    assert "degrees of freedom" not in " ".join(many.notes)


@pytest.mark.parametrize("call", [pc.weighted_pairs, pc.max_t, pc.weighted_means])
def test_few_cases_on_a_benchmark_are_named_with_how_far_off_results_then_are(call):
    for n, said in ((19, True), (20, False)):
        x, benchmark = drawn((n, 40))
        notes = " ".join(call(scored(x, benchmark), weights=named((1, 1))).notes)
        assert ("benchmark 'b0' has 19 cases, fewer than 20" in notes) is said
        assert ("of 95% intervals contain the true value" in notes) is said


def test_few_clusters_on_a_benchmark_are_named():
    x, benchmark = drawn((40, 60))
    owners = tuple(str(i // 4) for i in range(100))
    scores = dataclasses.replace(scored(x, benchmark), clusters=owners)
    found = pc.weighted_pairs(scores, weights=named((1, 1)))
    assert "benchmark 'b0' has 10 clusters, fewer than 20" in found.notes


# ---- means of algorithms -------------------------------------------------------------


def test_means_have_the_interval_of_their_own_parts():
    x, benchmark = drawn((10, 25))
    found = pc.weighted_means(scored(x, benchmark), weights=named((3, 1)), level=0.9)
    row = found.table.iloc[1]
    y = [x[benchmark == k, 1] for k in (0, 1)]
    welch = stats.ttest_ind(0.75 * y[0], -0.25 * y[1], equal_var=False)
    low, high = welch.confidence_interval(0.9)
    assert_digits(
        row[["estimate", "df", "conf_low", "conf_high"]].to_numpy(float),
        [0.75 * y[0].mean() + 0.25 * y[1].mean(), welch.df, low, high],
        at_least=11,
    )
    assert_digits(found.on_each["estimate"][[1, 4]], [p.mean() for p in y], at_least=13)


def test_limits_of_right_answers_are_cut_and_absent_without_variance():
    x = np.column_stack([np.ones(12), np.r_[np.ones(11), 0], np.tile([1.0, 0], 6)])
    found = pc.weighted_means(scored(x, [0] * 6 + [1] * 6), weights=named((1, 1))).table
    assert found["conf_low"].isna().tolist() == [True, False, False]
    assert found["conf_high"][1] == 1 and found["estimate"][0] == 1
    graded = pc.weighted_means(
        scored(2 * x, [0] * 6 + [1] * 6), weights=named((1, 1))
    ).table
    assert graded["conf_high"][1] > 2


# ---- flips ---------------------------------------------------------------------------


def test_flips_are_of_cases_times_weight_over_size():
    x, benchmark = drawn((4, 6))
    weights = np.array([0.7, 0.3])
    found = pc.max_t(scored(x, benchmark), weights=named(weights)).table
    signs = np.array(list(itertools.product([1, -1], repeat=10)))
    rows = x * (weights / [4, 6])[benchmark][:, None]
    d = np.column_stack([rows[:, i] - rows[:, j] for i, j in ((0, 1), (0, 2), (1, 2))])
    flipped = np.abs(signs @ d) / np.linalg.norm(d, axis=0)
    seen = np.abs(d.sum(axis=0)) / np.linalg.norm(d, axis=0)
    assert_digits(found["estimate"], d.sum(axis=0), at_least=13)
    assert_digits(found["p_value"], (flipped >= seen - 1e-11).mean(axis=0), at_least=13)
    largest = (flipped.max(axis=1) >= seen.max() - 1e-11).mean()
    assert_digits(found["p_adjusted"].min(), largest, at_least=13)


def test_limits_of_flips_move_the_means_of_benchmarks_as_least_squares_does():
    x, benchmark = drawn((4, 7), a=2)
    w, n = np.array([0.6, 0.4]), np.array([4, 7])
    scores = scored(x, benchmark)
    found = pc.max_t(scores, weights=named(w), level=0.9).table.iloc[0]
    d = x[:, 0] - x[:, 1]
    means = np.array([d[benchmark == k].mean() for k in (0, 1)])
    signs = np.array(list(itertools.product([1], *[[1, -1]] * 10)))
    factors = (w / n)[benchmark]
    centred = factors * (d - means[benchmark])
    null = np.sort(np.abs(signs[1:] @ centred) / np.linalg.norm(centred))[::-1]
    critical = null[int(0.1 * len(signs)) - 1]
    for limit in (found.conf_low, found.conf_high):
        # Least squares with the weighted mean at the limit.
        moved = means - (w / n) / (w @ (w / n)) * (w @ means - limit)
        assert_digits(w @ moved, limit, at_least=12)
        residual = factors * (d - moved[benchmark])
        t = abs(residual.sum()) / np.linalg.norm(residual)
        assert_digits(t, critical, at_least=9)


@pytest.mark.parametrize("clusters", [False, True])
def test_many_pairs_have_the_numbers_of_each_pair(monkeypatch, clusters):
    x, benchmark = drawn((12, 30, 18), a=5, seed=9)
    owner = np.arange(60) // 3 if clusters else None
    alike = x * 300
    alike[:, 1] = alike[:, 0] + x[:, 1]
    weights = named((0.5, 0.2, 0.3))
    for values in (x, alike, (x > 0).astype(float)):
        scores = scored(values, benchmark, owner)
        one = pc.max_t(scores, flips=300, weights=weights)
        monkeypatch.setattr("pycompare.methods.pairs.max_t.LARGE", 0)
        many = pc.max_t(scores, flips=300, weights=weights)
        monkeypatch.undo()
        for column in one.table.columns[2:]:
            if column != "df":
                expected = one.table[column].to_numpy()
                np.testing.assert_allclose(
                    many.table[column], expected, rtol=1e-10, atol=1e-13 * x.max()
                )


@pytest.mark.parametrize("clusters", [False, True])
def test_many_pairs_have_the_same_t_tests(monkeypatch, clusters):
    x, benchmark = drawn((12, 30, 18), a=5, seed=9)
    owner = np.arange(60) // 3 if clusters else None
    right = (x > 0).astype(float)
    right[:12, 1] = right[:12, 0]  # a benchmark without any difference
    alike = x * 300
    alike[:, 1] = alike[:, 0] + np.array([0.1, 0.2, 0.3])[benchmark]
    for values in (x, right, alike):
        scores = scored(values, benchmark, owner)
        one = pc.weighted_pairs(scores, weights=named((0.5, 0.2, 0.3)))
        monkeypatch.setattr("pycompare.methods.cases.cluster_pairs.LARGE", 0)
        many = pc.weighted_pairs(scores, weights=named((0.5, 0.2, 0.3)))
        monkeypatch.undo()
        for column in one.table.columns[2:]:
            expected = one.table[column].to_numpy()
            np.testing.assert_allclose(many.table[column], expected, rtol=1e-10)
        assert one.notes == many.notes


def test_differences_that_cancel_over_benchmarks_are_no_evidence():
    """Flips count what benchmarks differ by as noise; t tests do not."""
    rng = np.random.default_rng(3)
    d = np.r_[np.full(40, 5.0), np.full(40, -5.0)] + 0.1 * rng.normal(size=80)
    x = np.column_stack([d, np.zeros(80)])
    scores = scored(x, [0] * 40 + [1] * 40)
    weights = named((1, 1))
    assert pc.max_t(scores, weights=weights).table["p_value"][0] > 0.9
    assert 0.001 < pc.weighted_pairs(scores, weights=weights).table["p_value"][0] < 1


# ---- edges ---------------------------------------------------------------------------


def test_constant_differences_have_the_bound_of_flips_and_ties_p_1():
    x, benchmark = drawn((5, 6), a=2)
    base = x[:, 0]
    apart = base + np.where(benchmark == 0, 0.5, 0.25)
    found = pc.weighted_pairs(
        scored(np.column_stack([base, apart, base]), benchmark), weights=named((1, 1))
    )
    moved, tied = found.table.iloc[0], found.table.iloc[1]
    rows = np.where(benchmark == 0, 0.5 / 10, 0.25 / 12)
    bound = 2 * np.exp(-(rows.sum() ** 2) / (2 * np.sum(rows**2)))
    assert np.isinf(moved["statistic"]) and tied["p_value"] == 1
    assert_digits(moved["p_value"], bound, at_least=11)
    flips = pc.max_t(
        scored(np.column_stack([base, apart]), benchmark), weights=named((1, 1))
    )
    assert moved["p_value"] >= flips.table["p_value"][0]
    told = "; ".join(found.notes)
    assert "6 of 6 standard errors" in told
    assert "1 of 3 pairs have no difference at all" in told
    assert "2 of 3 pairs have one difference on each benchmark" in told


@pytest.mark.parametrize("test", [pc.weighted_pairs, pc.weighted_means, pc.max_t])
@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"b0": 1, "b2": 1}, "no group 'b2'.*groups: 'b0', 'b1'"),
        ({"b0": 1}, "1 of 2 groups have no weight, first 'b1'"),
        ({"b0": 1, "b1": 0}, "'b1' has 0; give a positive, finite"),
        ({"b0": 5e-324, "b1": 1}, "'b0' has 5e-324, less than 1e-100 of the largest"),
        ({"b0": 1, "b1": float("inf")}, "'b1' has inf"),
        ({"b0": 1, "b1": float("nan")}, "'b1' has nan"),
        ({"b0": 1, "b1": True}, "'b1' has True"),
        ({"b0": 1, "b1": "2"}, "'b1' has '2'"),
        ([0.5, 0.5], "give a mapping"),
    ],
)
def test_weights_that_are_not_those_of_the_benchmarks_are_refused(
    test, weights, message
):
    x, benchmark = drawn((5, 6))
    with pytest.raises(pc.InputError, match=f"weights.*{message}"):
        test(scored(x, benchmark), weights=weights)


def test_scores_that_cannot_be_weighted_are_refused():
    x, benchmark = drawn((5, 6))
    with pytest.raises(pc.InputError, match=r"two benchmarks or more.*no such column"):
        pc.weighted_pairs(wide(x), weights={"b0": 1})
    with pytest.raises(pc.DesignError, match="cluster 't4' has cases of two groups"):
        pc.weighted_pairs(
            scored(x, benchmark, [0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9]),
            weights=named((1, 1)),
        )
    with pytest.raises(pc.DesignError, match="group 'b0' has one cluster"):
        pc.weighted_pairs(
            scored(x, benchmark, [0] * 5 + list(range(1, 7))), weights=named((1, 1))
        )
    with pytest.raises(pc.DesignError, match="group 'b0' has one case"):
        pc.max_t(scored(*drawn((1, 6))), weights=named((1, 1)))


def test_a_result_says_what_was_weighted():
    x, benchmark = drawn((8, 12))
    found = pc.weighted_pairs(
        scored(x, benchmark, np.arange(20) // 2), weights=named((3, 1))
    )
    assert found.clustered and found.hypotheses.transitive
    rows = found.benchmarks.to_dict("list")
    assert rows["weight"] == [0.75, 0.25] and rows["cases"] == [8, 12]
    assert rows["clusters"] == [4, 6]
    assert found.notes[0] == (
        "20 cases of 2 benchmarks, with the weights 'b0' 0.75, 'b1' 0.25"
    )
