"""P-values and sign tests on pages where blocks are few or cells are missing."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.designs.pair_methods import PUBLISHED
from pycompare.reporting.analyses import multiple_datasets as datasets_tables
from pycompare.reporting.analyses import rank_tests
from pycompare.reporting.comparison_report import report_of
from tests.conftest import wide
from tests.methods.over_datasets.many_folds import folds_of


def ladder(n, a=3, noise=0.0):
    """Scores of a algorithms that differ in every block."""
    rng = np.random.default_rng(7)
    return np.arange(a) + np.arange(n)[:, None] / 100 + noise * rng.normal(size=(n, a))


def ranked(values, **plan):
    plan = {"adjust": PUBLISHED, **plan}
    if plan.get("omnibus") == "quade":
        plan["adjust"] = PUBLISHED[:-1]
    return pc.compare(
        wide(values), pc.Plan(blocks="datasets", **{"compares": "ranks"} | plan)
    ).only


def source_of(comparison):
    """Where the p-values of each metric come from, and why."""
    return [rank_tests.p_source(comparison, found) for found in comparison.analyses]


def test_missing_cells_are_the_reason_for_approximate_p_values_not_the_size():
    z = {"adjust": ("bergmann-hommel",)}
    assert source_of(ranked(ladder(8), **z)) == [("exact", "size")]
    gappy = ladder(8)
    gappy[0, 0] = np.nan
    scores = wide(gappy, missing="model")
    found = pc.compare(scores, pc.Plan(blocks="datasets", compares="ranks", **z)).only
    assert source_of(found) == [("approximate", "gaps")]


def test_other_ranks_than_friedmans_and_large_tables_have_their_own_reason():
    z = {"adjust": ("bergmann-hommel",)}
    assert source_of(ranked(ladder(8), omnibus="quade", **z)) == [
        ("approximate", "ranks")
    ]
    assert source_of(ranked(ladder(30), **z)) == [("approximate", "size")]
    for kind in ("approximate", "exact"):
        assert source_of(ranked(ladder(8), p_values=kind)) == [(kind, "planned")]


def test_metrics_with_and_without_missing_cells_are_told_apart():
    values = np.stack([ladder(8), ladder(8)], axis=-1)
    values[0, 0, 1] = np.nan
    scores = pc.Scores(
        values=values,
        blocks=tuple(f"b{i}" for i in range(8)),
        algorithms=("A", "B", "C"),
        metrics=(pc.Metric("auc", "higher"), pc.Metric("error", "lower")),
        missing="model",
    )
    plan = pc.Plan(blocks="datasets", compares="ranks", adjust=("bergmann-hommel",))
    found = pc.compare(scores, plan).only
    assert source_of(found) == [("exact", "size"), ("approximate", "gaps")]
    told = rank_tests.p_value_sentence(found)
    assert "in auc are exact" in told and "in error are approximate" in told


@pytest.mark.parametrize(("n", "few"), [(8, True), (12, False)])
def test_exact_p_values_are_not_called_rough(n, few):
    exact = " ".join(report_of(ranked(ladder(n))).limits())
    assert "P-values of the primary analysis are exact".lower() in exact.lower()
    assert "Chi-squared" not in exact
    rough = " ".join(report_of(ranked(ladder(n), p_values="approximate")).limits())
    assert "Chi-squared and normal p-values are for large samples" in rough
    for told in (exact, rough):
        assert (f"{n} blocks are few" in told) == few


def signs(comparison):
    """The sign tests among the sensitivity analyses, and their limits in words."""
    [analysis] = comparison.analyses
    stated = report_of(comparison).statements(analysis)
    lines = [s for s in stated.remarks if "cannot reach significance" in s]
    return stated.alternatives[-1], stated.outcome, lines


@pytest.mark.parametrize("n", [6, 7])
def test_sign_tests_of_too_few_blocks_are_no_disagreement(n):
    comparison = ranked(ladder(n))  # every block ranks alike
    assert any(d.rejected for d in comparison.analyses[0].decisions)
    found, outcome, lines = signs(comparison)
    cannot = "cannot reach significance: 6 blocks count, and the smallest possible"
    assert len(lines) == (n == 6)
    assert all(cannot in s and "adjusted p-value is 0.094." in s for s in lines)
    assert len(found.hopeless) == (len(outcome.pairs) if n == 6 else 0)
    if n == 6:
        assert found.differs_on(outcome) == []


def test_a_pair_whose_blocks_tie_cannot_reach_significance_by_itself():
    values = ladder(9)
    values[:5, 1] = values[:5, 0]
    comparison = ranked(values, alpha=0.05, p_values="approximate")
    table = comparison.analyses[0].superiority.table
    assert (table["p_smallest"] > 0.05).tolist() == [True, False, False]
    found, outcome, [line] = signs(comparison)
    assert "cannot reach significance for A2 – A1: 4 blocks count" in line
    assert found.hopeless == {frozenset(("A1", "A2"))}
    assert not any(f.pair in found.hopeless for f in found.differs_on(outcome))


def test_sign_tests_that_can_reject_disagree_where_they_do():
    values = np.random.default_rng(5).normal(size=(30, 3)) + np.array([0, 0.4, 1.4])
    comparison = ranked(values)
    [analysis] = comparison.analyses
    table = analysis.superiority.table
    by_signs = {
        frozenset((r.algorithm_1, r.algorithm_2))
        for r in table.itertuples()
        if r.p_adjusted <= 0.05
    }
    differ = [d for d in analysis.decisions if d.rejected != (d.pair in by_signs)]
    found, outcome, lines = signs(comparison)
    assert not lines
    assert [f.pair for f in found.differs_on(outcome)] == [d.pair for d in differ]
    assert found.agrees(outcome) == (not differ)


def test_the_smallest_p_value_is_that_of_a_family_of_all_tables():
    values = np.stack([ladder(8), ladder(8)], axis=-1)
    scores = pc.Scores(
        values=values,
        blocks=tuple(f"b{i}" for i in range(8)),
        algorithms=("A", "B", "C"),
        metrics=(pc.Metric("auc", "higher"), pc.Metric("error", "lower")),
    )
    found = pc.compare(
        scores, pc.Plan(blocks="datasets", compares="ranks", family="all")
    )
    for analysis in found.analyses:
        table = analysis.superiority.table
        assert table["p_smallest"].tolist() == [6 * 2.0**-7] * 3
        assert table["p_adjusted"].tolist() == [6 * 2.0**-7] * 3


@pytest.mark.parametrize(("count", "reached"), [(5, False), (8, True)])
def test_sign_tests_of_wins_on_few_data_sets_are_no_disagreement(count, reached):
    scores = folds_of([6] * count, 3, effect=8.0)
    comparison = pc.compare(scores)
    [analysis] = comparison.analyses
    table = analysis.by("wins").decisive.table
    assert (table["p_smallest"] == min(1, 3 * 2.0 ** (1 - count))).all()
    told = comparison.summary()
    limit = f"cannot reach significance: {count} data sets count"
    assert (limit in told) != reached
    shown = datasets_tables.agreement(analysis, 0.05)
    if not reached:
        assert analysis.disagree["wins"] == ()
        assert "cannot reach significance with so few data sets" in shown.caption
    plan = pc.Plan(compares="wins")
    told = pc.compare(scores, plan).summary()
    assert ("The primary tests cannot reach significance: 5" in told) != reached


def test_one_difference_is_not_counted():
    scores = folds_of([6] * 8, 2, effect=8.0)
    told = pc.compare(scores).summary()
    assert "1 of 1" not in told


def test_no_message_recommends_an_adjustment_without_family_wise_control():
    with pytest.raises(pc.InputError, match="holm") as error:
        pc.rank_pairs(wide(ladder(8)), adjust="shaffer", control="A1")
    assert "finner" not in str(error.value)
