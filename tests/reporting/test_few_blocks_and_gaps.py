"""P-values and sign tests on pages where blocks are few or cells are missing."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.common import words
from pycompare.reporting.datasets import datasets_tables
from pycompare.reporting.ranks import rank_words
from tests.conftest import wide
from tests.over_datasets.many_folds import folds_of


def ladder(n, a=3, noise=0.0):
    """Scores of a algorithms that differ in every block."""
    rng = np.random.default_rng(7)
    return np.arange(a) + np.arange(n)[:, None] / 100 + noise * rng.normal(size=(n, a))


def ranked(values, **plan):
    return pc.compare(wide(values), pc.Plan(blocks="datasets", **plan)).only


def p_values_of(comparison):
    return rank_words.p_value_sentence(comparison)


def test_missing_cells_are_the_reason_for_approximate_p_values_not_the_size():
    complete = p_values_of(ranked(ladder(8)))
    assert "exact, from permutations" in complete and "tables of this size" in complete
    gappy = ladder(8)
    gappy[0, 0] = np.nan
    scores = wide(gappy, missing="model")
    told = p_values_of(pc.compare(scores, pc.Plan(blocks="datasets")).only)
    assert "approximate, chi-squared" in told
    assert "exact ones need a complete table, and cells are missing" in told
    assert "size" not in told


def test_other_ranks_than_friedmans_and_large_tables_have_their_own_reason():
    told = p_values_of(ranked(ladder(8), omnibus="quade"))
    assert "approximate, F" in told and "Friedman's ranks only" in told
    told = p_values_of(ranked(ladder(30)))
    assert "approximate, chi-squared" in told and "tables of this size" in told
    assert "as planned" in p_values_of(ranked(ladder(8), p_values="approximate"))
    assert "as planned" in p_values_of(ranked(ladder(8), p_values="exact"))


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
    told = p_values_of(pc.compare(scores, pc.Plan(blocks="datasets")).only)
    assert "P-values of ranks on auc are exact" in told
    assert "P-values of ranks on error are approximate" in told


@pytest.mark.parametrize(("n", "few"), [(8, True), (12, False)])
def test_exact_p_values_are_not_called_rough(n, few):
    exact = " ".join(rank_words.limits(ranked(ladder(n))))
    assert "P-values of the primary analysis are exact".lower() in exact.lower()
    assert "Chi-squared" not in exact
    rough = " ".join(rank_words.limits(ranked(ladder(n), p_values="approximate")))
    assert "Chi-squared and normal p-values are for large samples" in rough
    for told in (exact, rough):
        assert (f"with {n} blocks they are rough" in told) == few


def sign_lines(comparison):
    [analysis] = comparison.analyses
    return rank_words.sign_tests(analysis, comparison.plan.alpha)


@pytest.mark.parametrize("n", [6, 7])
def test_sign_tests_of_too_few_blocks_are_no_disagreement(n):
    comparison = ranked(ladder(n))  # every block ranks alike
    assert any(d.rejected for d in comparison.analyses[0].decisions)
    [line] = sign_lines(comparison)
    cannot = "cannot reach significance (6 blocks count, and the smallest possible"
    assert (cannot in line) == (n == 6)
    assert ("adjusted p-value is 0.09375)" in line) == (n == 6)
    assert (" agree" in line or "disagree" in line) == (n == 7)


def test_a_pair_whose_blocks_tie_cannot_reach_significance_by_itself():
    values = ladder(9)
    values[:5, 1] = values[:5, 0]
    comparison = ranked(values, alpha=0.05, p_values="approximate")
    table = comparison.analyses[0].superiority.table
    assert (table["p_smallest"] > 0.05).tolist() == [True, False, False]
    lines = sign_lines(comparison)
    assert len(lines) == 2 and "A2 – A1" in lines[1]
    assert "These sign tests cannot reach significance for" in lines[1]
    assert "4 blocks count" in lines[1] and "A1" not in lines[0].split("(")[0]


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
    [line] = sign_lines(comparison)
    if differ:
        assert line.endswith(
            f"disagree on {words.listing([words.pair(d) for d in differ])}."
        )
    else:
        assert line.endswith(" agree.")


def test_the_smallest_p_value_is_that_of_a_family_of_all_tables():
    values = np.stack([ladder(8), ladder(8)], axis=-1)
    scores = pc.Scores(
        values=values,
        blocks=tuple(f"b{i}" for i in range(8)),
        algorithms=("A", "B", "C"),
        metrics=(pc.Metric("auc", "higher"), pc.Metric("error", "lower")),
    )
    found = pc.compare(scores, pc.Plan(blocks="datasets", family="all"))
    for analysis in found.analyses:
        table = analysis.superiority.table
        assert table["p_smallest"].tolist() == [6 * 2.0**-7] * 3
        assert table["p_adjusted"].tolist() == [6 * 2.0**-7] * 3


@pytest.mark.parametrize(("count", "reached"), [(5, False), (8, True)])
def test_sign_tests_of_wins_on_few_data_sets_are_no_disagreement(count, reached):
    scores = folds_of([6] * count, 3, effect=8.0)
    comparison = pc.compare(scores)
    [analysis] = comparison.analyses
    table = analysis.by("sign").decisive.table
    assert (table["p_smallest"] == min(1, 3 * 2.0 ** (1 - count))).all()
    told = comparison.summary()
    limit = f"cannot reach significance ({count} data sets count"
    assert (limit in told) != reached
    shown = datasets_tables.agreement_table(analysis, 0.05)
    if not reached:
        assert analysis.disagree["sign"] == ()
        assert "does not count for 'all agree'" in shown.caption
    plan = pc.Plan(verdict="sign")
    told = pc.compare(scores, plan).summary()
    assert ("The planned sign tests cannot reach significance (5" in told) != reached


def test_one_difference_is_not_counted():
    values = np.random.default_rng(1).normal(size=(12, 2)) + np.array([0, 5.0])
    scores = folds_of([6] * 8, 2, effect=8.0)
    told = pc.compare(scores).summary()
    assert "1 of 1" not in told
    comparison = ranked(np.column_stack([values, values[:, 0] - 9]), control="A1")
    [analysis] = comparison.analyses
    one = words.summary_line(alone(analysis), comparison.plan)
    assert one.startswith("The difference is significant at 0.05 by ")
    two = words.summary_line(analysis, comparison.plan)
    assert two.startswith("2 of 2 differences are")


def alone(analysis):
    """The analysis with one decision of those it has."""
    import dataclasses

    return dataclasses.replace(analysis, decisions=analysis.decisions[:1])


def test_no_message_recommends_an_adjustment_without_family_wise_control():
    with pytest.raises(pc.InputError, match="holm") as error:
        pc.rank_pairs(wide(ladder(8)), adjust="shaffer", control="A1")
    assert "finner" not in str(error.value)
