"""These items and items like these: both intervals, and the pairs of fixed items."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.errors import DesignError, InputError, PlanError
from pycompare.base.testing import assert_digits
from pycompare.kernels import new_answers
from tests.designs.test_cases import scores as cases
from tests.methods.cases.test_matched_shares import gpqa, of_runs
from tests.runs import runs_of, unequal_runs

GPQA = of_runs(gpqa(), names=("nano", "mini"))
SAMPLES = {"blocks": "cases", "runs": "samples", "replicates": "average"}


def drawn(n, runs, chance, seed=1):
    """Answers of models with a chance for each item, shape (n, models, runs)."""
    rng = np.random.default_rng(seed)
    return (rng.random((n, chance.shape[1], runs)) < chance[:, :, None]).astype(float)


def direct(answers, better="higher"):
    """Scores of answers of shape (items, models, runs), without a reader."""
    n, a, r = answers.shape
    several = {}
    if r > 1:
        several["runs"] = answers[:, :, None]
        several["replicates"] = tuple(f"r{k}" for k in range(r))
    return pc.Scores(
        values=answers.mean(axis=2)[:, :, None],
        blocks=tuple(f"q{i}" for i in range(n)),
        algorithms=tuple(f"m{j}" for j in range(a)),
        metrics=(pc.Metric("right", better),),
        **several,
    )


def test_gpqa_has_the_numbers_of_the_specification():
    means = pc.item_means(GPQA).table
    wanted = {
        "estimate": [0.675758, 0.617172],
        "low_these": [0.65711, 0.59939],
        "high_these": [0.69387, 0.63462 + 2e-5],
        "low_like": [0.61931, 0.55748],
        "high_like": [0.72752, 0.67352],
    }
    for name, values in wanted.items():
        assert means[name].tolist() == pytest.approx(values, rel=2e-5), name
    [row] = pc.these_items(GPQA).table.itertuples()
    assert_digits(row.std_error, 0.0130010, at_least=5)
    assert_digits([row.conf_low, row.conf_high], [0.0331043, 0.0840674], at_least=5)
    assert_digits(row.between + row.within / 5, 0.1528955, at_least=6)
    assert_digits(row.within / 5, 0.0331313, at_least=6)


def test_one_answer_and_no_clusters_are_wilson_and_t():
    right = cases()
    table, known = pc.item_means(right).table, pc.accuracy_intervals(right).table
    for name in ("low", "high"):
        wanted = known[f"conf_{name}"].to_numpy()
        assert_digits(table[f"{name}_like"].to_numpy(), wanted, at_least=12)
    assert table["low_these"].isna().all()
    graded = cases(graded=True)
    table, x = pc.item_means(graded).table, graded.values[:, 0, 0]
    wanted = stats.t.interval(0.95, len(x) - 1, x.mean(), stats.sem(x))
    assert_digits(table.loc[0, ["low_like", "high_like"]], wanted, at_least=11)


def test_graded_answers_to_one_item_are_welch():
    """One item: the difference of two samples with equal counts."""
    runs = np.random.default_rng(2).normal(size=(1, 2, 6))
    answers = new_answers.of_runs(runs)
    error, _ = new_answers.mean_error(answers, [0, 1])
    wanted = stats.ttest_ind(*runs[0], equal_var=False)
    t = (runs[0, 0].mean() - runs[0, 1].mean()) / error
    assert_digits(t, wanted.statistic, at_least=12)
    error, df = new_answers.mean_error(answers, [0])
    assert_digits(error, stats.sem(runs[0, 0]), at_least=12)
    assert_digits(df, 5, at_least=12)


def test_unequal_numbers_of_answers_leave_items_their_weight():
    values = np.random.default_rng(3).normal(size=(12, 2, 7))
    scores = unequal_runs(values)
    answers = new_answers.of_runs(scores.runs[:, :, 0])
    given = [row[~np.isnan(row)] for row in scores.runs[:, 0, 0]]
    assert len({len(row) for row in given}) > 1
    wanted = [stats.sem(row) ** 2 for row in given]
    assert_digits(answers.variances[:, 0], wanted, at_least=12)
    [row] = pc.these_items(scores).table.itertuples()
    assert_digits(row.std_error, np.sqrt(answers.variances.sum()) / 12, at_least=12)


def test_clusters_do_not_enter_these_items():
    in_texts = of_runs(gpqa(), np.arange(198) // 3, names=("nano", "mini"))
    assert pc.these_items(in_texts).table.equals(pc.these_items(GPQA).table)
    own, other = pc.item_means(in_texts).table, pc.item_means(GPQA).table
    assert own["low_these"].equals(other["low_these"])
    assert not own["low_like"].equals(other["low_like"])


def test_the_effective_size_is_between_items_and_answers():
    alike = np.repeat(np.arange(40)[:, None] % 2, 2, axis=1).astype(float)
    scores = of_runs(np.repeat(alike[:, :, None], 5, axis=2))
    n = pc.accuracy_intervals(
        pc.Scores.from_wide(
            {"new": alike[:, 0].tolist(), "old": alike[:, 1].tolist()},
            metric="right", better="higher",
        )
    ).table  # fmt: skip
    low = pc.item_means(scores).table["low_like"]
    assert (low <= n["conf_low"] * (1 + 1e-9)).all()
    assert_digits(pc.these_items(scores).table["estimate"][0] + 1, 1.0, at_least=15)


def test_no_interval_contradicts_its_decision():
    rng = np.random.default_rng(5)
    significant = 0
    for seed in range(120):
        n, a, r = rng.integers(5, 40), rng.integers(2, 5), rng.integers(2, 6)
        chance = rng.uniform(0, 1, (n, 1)) * rng.uniform(0.5, 1, (1, a))
        answers = drawn(n, r, chance, seed)
        if seed % 3 == 0:
            answers = answers + rng.normal(size=answers.shape)
        found = pc.these_items(direct(answers)).table
        holds_0 = (found["conf_low"] <= 0) & (found["conf_high"] >= 0)
        assert (holds_0 != (found["p_adjusted"] <= 0.05)).all()
        significant += int((~holds_0).sum())
    assert 50 < significant


@pytest.mark.parametrize(
    ("n", "runs", "chance"),
    [
        (30, 2, lambda rng, n: rng.uniform(0, 1, (n, 1)).repeat(2, 1)),
        (200, 3, lambda rng, n: np.full((n, 2), 0.97)),
        (40, 5, lambda rng, n: np.round(rng.uniform(0.01, 0.99, (n, 2)), 0) * 0.9),
    ],
)
def test_both_intervals_cover(n, runs, chance):
    """Of 300 tables .93 of shares are covered, three errors (.045) aside."""
    rng = np.random.default_rng(8)
    fixed = chance(rng, n)
    inside = np.zeros(2)
    for seed in range(300):
        table = pc.item_means(direct(drawn(n, runs, fixed, seed))).table
        truth = fixed.mean(axis=0)
        within = (table["low_these"] <= truth) & (truth <= table["high_these"])
        inside += within.to_numpy()
    assert (inside / 300 >= 0.93 - 0.045).all()


def test_answers_that_never_vary_have_no_test():
    runs = np.round(np.random.default_rng(1).normal(size=(10, 2, 1)), 1)
    found = pc.these_items(runs_of(runs.repeat(2, axis=2)))
    assert np.isnan(found.table["p_value"][0]) and "are not tested" in found.notes[0]


def test_one_answer_cannot_be_separated():
    with pytest.raises(DesignError, match="cannot be separated"):
        pc.these_items(cases())
    scores = runs_of(np.ones((6, 2, 2)))
    gone = scores.runs.copy()
    gone[2, 1, 0, 1] = np.nan
    with pytest.raises(DesignError, match="'A1' has 1 answer to item 'f2'"):
        pc.these_items(dataclasses.replace(scores, runs=gone))


def test_the_plan_chooses_which_population_leads():
    for scope, first in (("sampled", "Cases like these"), ("fixed", "These cases")):
        comparison = pc.compare(GPQA, pc.Plan(**SAMPLES, items_scope=scope))
        [analysis] = comparison.analyses
        lead, other = analysis.scopes.answers
        assert lead.name == first and lead.role == "primary"
        assert lead.pairs is analysis.decisive and other.role == "supplementary"
        estimates = {float(a.pairs.table["estimate"][0]) for a in (lead, other)}
        assert np.ptp(list(estimates)) < 1e-15
        [stated] = comparison.only.estimands.values()
        assert ("new answers" in stated.population) == (scope == "fixed")


BAD = {
    "takes two answers": ({"items_scope": "fixed"}, lambda: cases()),
    "one test set": ({"items_scope": "fixed", "blocks": "datasets"}, lambda: cases()),
    "items have several answers": (
        {**SAMPLES, "answers": "deterministic"}, lambda: GPQA,
    ),
    "is tested by pycompare gate": (
        {
            **SAMPLES, "items_scope": "fixed", "margin": 0.1, "control": "mini",
            "hypothesis": "non-inferiority",
        },
        lambda: GPQA,
    ),
    "all items share prompts": (
        {
            **SAMPLES, "runs": "prompts", "runs_scope": "fixed",
            "items_scope": "fixed",
        },
        lambda: GPQA,
    ),
    "p_values: not available": (
        {**SAMPLES, "items_scope": "fixed", "p_values": "exact"}, lambda: GPQA,
    ),
    "adjust: max-t: not available": (
        {**SAMPLES, "items_scope": "fixed", "adjust": ("max-t",)}, lambda: GPQA,
    ),
}  # fmt: skip


@pytest.mark.parametrize("said", BAD)
def test_statements_that_do_not_fit_are_rejected(said):
    options, make = BAD[said]
    with pytest.raises((PlanError, DesignError, InputError), match=said):
        pc.compare(make(), pc.Plan(**{"blocks": "cases", **options}))
