"""Permutation tests of several metrics: against vegan's numbers, and by counting."""

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import permutation as kernel
from tests.conftest import golden

ADONIS = ("adonis_3x10x2", "adonis_5x15x4")
NAMES = tuple("stuvwxyz")


def many(values, **options) -> pc.Scores:
    """Scores from a blocks x algorithms x metrics array."""
    values = np.asarray(values, float)
    rows = [
        {"block": i, "algorithm": f"A{j}", **dict(zip(NAMES, cell, strict=False))}
        for i, row in enumerate(values)
        for j, cell in enumerate(row)
    ]
    metrics = dict.fromkeys(NAMES[: values.shape[2]], "higher")
    return pc.Scores.from_frame(
        rows, algorithm="algorithm", block="block", metrics=metrics, **options
    )


def permuted_test(scores: pc.Scores, **options):
    names = [metric.name for metric in scores.metrics]
    return pc.permutation_manova(scores, metrics=names, **options)


def normal(b, a, p, seed, spread=0.5):
    rng = np.random.default_rng(seed)
    effect = spread * rng.normal(size=(a, p))
    return rng.normal(size=(b, a, p)) + rng.normal(size=(b, 1, p)) + effect


def of_golden(case):
    y = np.array(case["input"]["Y"])
    a = max(case["input"]["alg"])
    return many(y.reshape(-1, a, y.shape[1]))


def fit_residuals(y, *groups):
    columns = [(g[:, None] == np.unique(g)).astype(float) for g in groups]
    x = np.hstack([np.ones((len(y), 1)), *columns])
    return y - x @ np.linalg.lstsq(x, y, rcond=None)[0]


def brute_force_p(values, statistic, blocked=True):
    """Least squares for every permutation of the cells there are."""
    rows, columns = np.nonzero(~np.isnan(values).any(axis=2))
    y = values[rows, columns]
    groups = [columns, rows] if blocked else [columns]

    def evidence(order):
        e = fit_residuals(y[list(order)], *groups)
        e = e.T @ e
        return -(np.linalg.det(e) if statistic == "wilks" else np.trace(e))

    cells = range(len(y))
    if blocked:
        within = [permutations(np.flatnonzero(rows == i)) for i in np.unique(rows)]
        orders = [sum(deal, ()) for deal in product(*within)]
    else:
        orders = list(permutations(cells))
    permuted = np.array([evidence(order) for order in orders])
    observed = evidence(cells)
    return np.mean(permuted >= observed - 1e-9 * abs(observed))


@pytest.mark.parametrize("name", ADONIS)
@pytest.mark.parametrize(
    ("entry", "matrix", "blocked"),
    [
        ("adonis2_blk_alg_terms_within_blocks", "perm_within_blocks", True),
        ("adonis2_alg_only_free", "perm_free", False),
        ("adonis2_alg_only_within_blocks", "perm_within_blocks", False),
    ],
)
def test_agrees_with_vegan_on_the_same_permutations(name, entry, matrix, blocked):
    case = golden(name)
    expected = case["outputs"][entry]["value"]
    orders = np.array(case["input"][matrix]) - 1
    got = permuted_test(
        of_golden(case),
        blocked=blocked,
        statistic="trace",
        standardise="none",
        permutations=orders,
    )
    at = expected["term"].index("alg")
    assert_digits(got.statistic, expected["F"][at], at_least=13)
    assert_digits(got.p_value, expected["p"][at], at_least=15)
    assert list(got.table["df"]) == expected["Df"]
    assert_digits(got.table["sum_sq"], expected["SS"], at_least=13)
    assert_digits(got.table["r2"], expected["R2"], at_least=13)
    if blocked:
        key = "permutation_F_values_blk_alg_terms_within_blocks"
        stored = case["outputs"][key]["value"]
        assert_digits(got.permuted, stored, at_least=11)


@pytest.mark.parametrize("statistic", ["wilks", "trace"])
@pytest.mark.parametrize("gap", [False, True])
def test_listed_arrangements_are_all_that_there_are(statistic, gap):
    values = normal(4, 3, 2, 1)
    if gap:
        values[1, 2] = values[3, 0] = np.nan
    options = {} if statistic == "wilks" else {"standardise": "none"}
    scores = many(values, missing="model")
    got = permuted_test(scores, statistic=statistic, seed=1, **options)
    assert got.listed and got.p_source == "exact" and got.seed is None
    assert got.n_permutations == (6 * 6 * 2 * 2 if gap else 6**3)
    assert_digits(got.p_value, brute_force_p(values, statistic), at_least=12)


@pytest.mark.parametrize("statistic", ["wilks", "trace"])
def test_one_way_arrangements_are_all_deals(statistic):
    values = normal(3, 2, 2, 2)
    options = {} if statistic == "wilks" else {"standardise": "none"}
    got = permuted_test(
        many(values), statistic=statistic, blocked=False, seed=1, **options
    )
    assert got.n_permutations == 20
    expected = brute_force_p(values, statistic, blocked=False)
    assert_digits(got.p_value, expected, at_least=12)


def exact_lambda(values):
    """det E of two metrics in rational arithmetic: lambda times a constant."""
    b, a, _ = values.shape
    y = np.vectorize(Fraction)(values.astype(int).astype(object))
    e = (
        y
        - y.sum(axis=1, keepdims=True) / Fraction(a)
        - y.sum(axis=0, keepdims=True) / Fraction(b)
        + y.sum(axis=(0, 1), keepdims=True) / Fraction(a * b)
    ).reshape(-1, 2)
    (s, t), (u, v) = e.T @ e
    return s * v - t * u, s + v


@pytest.mark.parametrize("seed", range(4))
def test_ties_count_as_in_exact_arithmetic(seed):
    values = np.random.default_rng(seed).integers(0, 4, (4, 3, 2)).astype(float)
    orders = list(permutations(range(3)))
    arranged = [
        exact_lambda(
            np.stack([row[list(o)] for row, o in zip(values, deal, strict=True)])
        )
        for deal in product(orders, repeat=4)
    ]
    shown = exact_lambda(values)
    # 0.1 is no double: the scores tie in decimals, and differ by rounding.
    scores = many(0.1 * values + 1000.3)
    for i, options in enumerate(({}, {"statistic": "trace", "standardise": "none"})):
        expected = np.mean([found[i] <= shown[i] for found in arranged])
        got = permuted_test(scores, seed=1, **options)
        assert_digits(got.p_value, expected, at_least=12)


def test_random_p_is_near_the_exact_one(monkeypatch):
    scores = many(normal(5, 3, 2, 3, 0.6))
    exact = permuted_test(scores, seed=1).p_value
    monkeypatch.setattr("pycompare.kernels.drawn.LISTED", 0)
    got = permuted_test(scores, seed=1, permutations=20_000)
    assert got.seed == 1 and not got.listed
    assert abs(got.p_value - exact) < 4 * math.sqrt(exact * (1 - exact) / 20_000)
    assert got.p_value == permuted_test(scores, seed=1, permutations=20_000).p_value
    assert got.p_value != permuted_test(scores, seed=2, permutations=20_000).p_value


def test_wilks_is_the_same_for_any_combination_of_metrics():
    values = normal(12, 4, 3, 4)
    mixed = values @ np.array([[1, 2, 0], [0, 1, 3], [1, 0, 1]]) * [1, 1e-9, 1e9]
    near, far = (permuted_test(many(v), seed=5) for v in (values, mixed))
    assert near.p_value == far.p_value
    assert_digits(far.statistic, near.statistic, at_least=12)


def test_sd_makes_the_trace_the_same_in_all_units():
    values = normal(12, 4, 3, 5)
    options = {"statistic": "trace", "standardise": "sd", "seed": 5}
    near = permuted_test(many(values), **options)
    for scale in ([1, 1e-9, 1e9], [1e-300, 1, 1e290]):
        far = permuted_test(many(values * scale), **options)
        assert far.p_value == near.p_value
        assert_digits(far.statistic, near.statistic, at_least=12)
    options["standardise"] = "none"
    raw = permuted_test(many(values * [1, 1e-9, 1e9]), **options)
    alone = permuted_test(many(values[:, :, 2:]), statistic="trace", seed=5)
    assert_digits(raw.statistic, alone.statistic, at_least=12)
    assert raw.p_value == alone.p_value != near.p_value
    huge = permuted_test(many(values * [1, 1, 4e305]), **options)
    assert huge.p_value == alone.p_value and np.isinf(huge.table["sum_sq"].iloc[-1])


@pytest.mark.parametrize("blocked", [True, False])
def test_one_metric_is_the_permuted_analysis_of_variance(blocked):
    scores = many(normal(10, 3, 1, 6))
    wilks = permuted_test(scores, blocked=blocked, seed=7)
    trace = permuted_test(scores, blocked=blocked, statistic="trace", seed=7)
    anova = pc.anova(scores, blocked=blocked)
    assert trace.p_value == wilks.p_value
    assert_digits(trace.statistic, anova.statistic, at_least=13)
    assert_digits(wilks.statistic, 1 - anova.partial_eta2.estimate, at_least=12)
    sums = anova.table["sum_sq"]
    assert_digits(trace.table["sum_sq"][:-1], sums, at_least=12)


def test_folds_within_data_sets_have_their_own_row():
    rng = np.random.default_rng(8)
    rows = [
        {"d": d, "f": f, "a": f"A{j}", "u": rng.normal() + d, "v": rng.normal()}
        for d in range(3)
        for f in range(4)
        for j in range(3)
    ]
    metrics = {"u": "higher", "v": "lower"}
    scores = pc.Scores.from_frame(
        rows, algorithm="a", block="f", dataset="d", metrics=metrics
    )
    got = permuted_test(scores, statistic="trace", standardise="none", seed=1)
    assert list(got.table["term"])[:2] == ["dataset", "block in dataset"]
    assert list(got.table["df"]) == [2, 9, 2, 22, 35]
    frame = pd.DataFrame(rows)[["u", "v"]]
    total = ((frame - frame.mean()) ** 2).to_numpy().sum()
    assert_digits(got.table["sum_sq"].iloc[-1], total, at_least=12)


def test_metrics_that_follow_from_others_change_nothing():
    y = np.array(golden("manova_confusion_rank2_full")["input"]["Y"]["matrix"])
    values = y.reshape(30, 5, 4)
    full, reduced = (
        permuted_test(many(values), seed=1),
        permuted_test(many(values[..., :2]), seed=1),
    )
    assert (full.rank, reduced.rank) == (2, 2)
    assert full.p_value == reduced.p_value
    assert_digits(full.statistic, reduced.statistic, at_least=12)
    assert any("rank 2, not 4: u = " in note for note in full.notes)
    assert not any("rank" in note for note in reduced.notes)


def test_constant_and_duplicated_metrics_change_nothing():
    values = normal(12, 3, 2, 9)
    more = np.concatenate([values, values[..., :1], np.full((12, 3, 1), 0.7)], axis=2)
    full, plain = permuted_test(many(more), seed=1), permuted_test(many(values), seed=1)
    assert full.p_value == plain.p_value and full.rank == 2
    options = {"statistic": "trace", "standardise": "sd", "seed": 1}
    assert permuted_test(many(more[..., [0, 1, 3]]), **options).p_value == (
        permuted_test(many(values), **options).p_value
    )


def test_scores_that_do_not_differ_are_no_test():
    values = np.repeat(normal(6, 1, 2, 10), 3, axis=1)
    for options in ({}, {"statistic": "trace", "standardise": "sd"}):
        got = permuted_test(many(values), seed=1, **options)
        assert math.isnan(got.statistic) and math.isnan(got.p_value)
        assert got.p_source == "none" and "do not differ" in got.notes[0]
        assert got.r_call() is None


def test_a_perfect_fit_is_flagged_and_keeps_a_valid_p():
    values = normal(5, 1, 2, 11) + normal(1, 3, 2, 12)
    wilks = permuted_test(many(values), seed=1)
    assert wilks.statistic < 1e-20 and any("perfect fit" in n for n in wilks.notes)
    trace = permuted_test(many(values), seed=1, statistic="trace", standardise="none")
    assert trace.p_value == 1 / 6**4
    assert wilks.p_value >= trace.p_value


def test_a_strong_effect_is_no_perfect_fit():
    values = normal(12, 3, 3, 18) + 1e6 * normal(1, 3, 3, 19)
    got = permuted_test(many(values), seed=1)
    assert got.statistic < 1e-20 and not any("perfect" in n for n in got.notes)


def test_nearly_dependent_metrics_keep_their_digits():
    # The scores are exact in both forms: whole numbers, and half of them far away.
    rng = np.random.default_rng(20)
    values = rng.integers(0, 100, (15, 4, 3)).astype(float)
    near = values.copy()
    near[..., 2] += 2.0**22 * values[..., 0]
    got, wanted = (permuted_test(many(v), seed=1) for v in (near, values))
    assert got.p_value == wanted.p_value
    assert_digits(got.statistic, wanted.statistic, at_least=11)


def test_more_metrics_than_error_df_are_for_the_trace():
    values = normal(3, 2, 4, 13)
    with pytest.raises(pc.DesignError, match="2 degrees of freedom for error"):
        permuted_test(many(values), seed=1)
    got = permuted_test(many(values), seed=1, statistic="trace", standardise="none")
    assert got.n_permutations == 4


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "give seed="),
        ({"seed": 1.5}, "0 or more"),
        ({"seed": -1}, "0 or more"),
        ({"seed": 1, "statistic": "roy"}, "choose 'wilks' or 'trace'"),
        ({"seed": 1, "statistic": "trace"}, "choose standardise='none'"),
        ({"seed": 1, "standardise": "sd"}, "no effect"),
        ({"seed": 1, "statistic": "trace", "standardise": "z"}, "'none' or 'sd'"),
        ({"seed": 1, "permutations": 0}, "give 1 or more"),
        ({"seed": 1, "permutations": 99.5}, "whole number"),
        ({"seed": 1, "permutations": [[0, 1, 2, 3, 4, 5]]}, "leave the seed out"),
        ({"permutations": [[0, 1, 2]]}, r"shape \(1, 3\)"),
        ({"permutations": [[1, 2, 3, 4, 5, 6]]}, "R counts from 1"),
        ({"permutations": [[0, 1, 2, 3, 4, 5], [1, 2, 0, 3, 4, 5]]}, "row 1 .* block"),
    ],
)
def test_what_cannot_be_meant_is_refused(options, message):
    with pytest.raises(pc.InputError, match=message):
        permuted_test(many(normal(3, 2, 2, 14)), **options)


@pytest.mark.parametrize(
    ("metrics", "message"),
    [("s", "is one text"), ([], "empty"), (["s", "s"], "named twice"), (["q"], "'q'")],
)
def test_metrics_are_a_list_of_different_names(metrics, message):
    with pytest.raises(pc.InputError, match=message):
        pc.permutation_manova(many(normal(3, 2, 2, 15)), metrics=metrics, seed=1)


def test_differences_within_rounding_have_no_lambda():
    x = 1e15 + np.r_[0:9, 0:3].reshape(4, 3)
    scores = pc.Scores.from_wide(
        pd.DataFrame(x, columns=list("abc")), metric="s", better="higher"
    )
    assert pc.manova(scores).kept == ()
    found = pc.permutation_manova(scores, seed=1)
    assert np.isnan(found.statistic) and np.isnan(found.p_value)
    assert "no difference can be tested" in " ".join(" ".join(found.notes).split())


def test_the_reader_is_told_what_the_trace_adds_up():
    scores = many(normal(6, 3, 2, 16))
    for standardise, words in (("none", "another unit"), ("sd", "was divided by")):
        got = permuted_test(scores, statistic="trace", standardise=standardise, seed=3)
        assert any(words in note for note in got.notes)
        assert any("all 7776 arrangements" in note for note in got.notes)
    assert "pseudo-F" in got.summary()
    many_blocks = permuted_test(many(normal(9, 3, 2, 17)), seed=3)
    assert "9999 random permutations, seed 3" in many_blocks.notes
    assert "permuted" not in many_blocks.to_dict()


@pytest.mark.parametrize("statistic", ["wilks", "trace"])
def test_a_long_table_has_the_p_value_of_a_short_one(monkeypatch, statistic):
    # Both ways to draw estimate one p-value; their difference is Monte Carlo error.
    scores = many(normal(40, 4, 2, 3, spread=0.1))
    options = {"statistic": statistic, "permutations": 9999}
    if statistic == "trace":
        options["standardise"] = "sd"
    first = pc.permutation_manova(scores, seed=1, **options)
    monkeypatch.setattr(kernel, "DEALT", 0)
    second = pc.permutation_manova(scores, seed=2, **options)
    assert second.statistic == first.statistic
    error = math.sqrt(2 * first.p_value * (1 - first.p_value) / 9999)
    assert 0 < abs(first.p_value - second.p_value) < 4 * error
    for kept in (0.1, 0.5, 0.9):
        one, two = (np.quantile(r.permuted, kept) for r in (first, second))
        assert one == pytest.approx(two, rel=0.02)


@pytest.mark.parametrize("blocked", [True, False])
def test_many_algorithms_are_dealt_like_few(blocked):
    """200! orders of a block are more than the largest float."""
    scores = many(normal(4, 200, 2, 3))
    found = pc.permutation_manova(scores, blocked=blocked, permutations=19, seed=1)
    plain = pc.manova(scores, blocked=blocked)
    assert found.statistic == pytest.approx(plain.wilks.statistic, rel=1e-12)
    assert not found.listed and 0.05 <= found.p_value <= 1
