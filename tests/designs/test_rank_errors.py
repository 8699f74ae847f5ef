"""The standard error of mean ranks: corrected for ties, or as published."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.designs.pair_methods import PUBLISHED
from tests.conftest import wide
from tests.methods.over_datasets.many_folds import folds_of


def tied(n=30, a=5, levels=2, seed=3):
    return wide(np.random.default_rng(seed).integers(0, levels, size=(n, a)))


def ranks_of(scores, **options):
    options = {"adjust": PUBLISHED, **options}
    plan = pc.Plan(blocks="datasets", compares="ranks", **options)
    [analysis] = pc.compare(scores, plan).analyses
    return analysis


def test_pairs_have_the_standard_error_that_the_omnibus_test_has():
    analysis = ranks_of(tied())
    error = analysis.decisive.table["std_error"].to_numpy()
    positions = analysis.decisive.positions.to_numpy()
    # Friedman's chi2, corrected for ties, in terms of the variance of a difference.
    chi2 = 2 * ((positions - positions.mean()) ** 2).sum() / error[0] ** 2
    assert analysis.omnibus.statistic == pytest.approx(chi2, rel=1e-12)
    textbook = ranks_of(tied(), std_error="textbook").decisive
    assert np.allclose(textbook.table["std_error"], np.sqrt(1 / 6), rtol=1e-14)
    assert (error < 0.85 * textbook.table["std_error"]).all()


def test_two_algorithms_have_one_p_value_by_ranks_in_pairs_and_in_all():
    scores = tied(a=2, levels=3)
    pair = pc.rank_pairs(scores, adjust="holm", std_error="permutation")
    p = pc.friedman(scores).p_value
    assert pair.table["p_value"].item() == pytest.approx(p, rel=1e-12)


def test_without_ties_both_are_one():
    scores = wide(np.random.default_rng(1).normal(size=(15, 4)))
    ours, published = (
        ranks_of(scores, std_error=rule).decisive.table["p_adjusted"]
        for rule in ("permutation", "textbook")
    )
    assert_digits(ours, published, at_least=12)


def test_published_numbers_come_by_name(garcia_herrera):
    analysis = ranks_of(garcia_herrera, std_error="textbook")
    published = pc.rank_pairs(garcia_herrera)
    assert analysis.decisive.to_dict() == published.to_dict()
    assert analysis.nemenyi.to_dict() == pc.nemenyi(garcia_herrera).to_dict()
    # García and Herrera (2008), Table 5, 1NN against naive Bayes, exact closed test.
    row = published.matrix("p_adjusted").loc["NaiveBayes", "1-NN"]
    assert row == pytest.approx(0.030337, abs=5e-7)
    ours = ranks_of(garcia_herrera)
    assert (ours.decisive.table["p_value"] < published.table["p_value"]).all()
    cd = pc.nemenyi(garcia_herrera, std_error="permutation").critical_difference
    assert ours.nemenyi.critical_difference == cd
    assert cd < pc.nemenyi(garcia_herrera).critical_difference


def test_the_critical_difference_is_where_pairs_become_significant():
    found = pc.nemenyi(tied(levels=4), std_error="permutation", alpha=0.2)
    cd, table = found.critical_difference, found.table
    assert ((table["p_adjusted"] <= 0.2) == (table["estimate"].abs() >= cd)).all()
    assert table["p_adjusted"].min() <= 0.2 < table["p_adjusted"].max()


@pytest.mark.parametrize("rule", ["permutation", "textbook"])
def test_the_page_says_which(rule):
    from pycompare.reporting.comparison_report import report_of

    comparison = pc.compare(
        tied(), pc.Plan(blocks="datasets", compares="ranks", std_error=rule)
    )
    told = " ".join(report_of(comparison.only).plan())
    assert ("corrected for ties as the omnibus test is" in told) == (
        rule == "permutation"
    )
    assert ("not corrected for ties" in told) == (rule == "textbook")


def test_ranks_beside_other_analyses_have_the_planned_one():
    scores = folds_of([6] * 6, 3)
    [analysis] = pc.compare(
        scores, pc.Plan(compares="ranks", std_error="textbook")
    ).analyses
    assert analysis.ranks.decisive.std_error_rule == "textbook"
    plan = pc.Plan(std_error="textbook", n_train=90, n_test=10)
    [folds] = pc.compare(folds_of([9], 3), plan).analyses
    assert folds.ranks.decisive.std_error_rule == "textbook"


def test_all_tied_pairs_cannot_be_tested_and_the_page_is_made(tmp_path):
    comparison = pc.compare(
        wide(np.ones((20, 3))),
        pc.Plan(blocks="datasets", compares="ranks", adjust=PUBLISHED),
    )
    assert comparison.analyses[0].decisive.table["p_value"].isna().all()
    assert "No difference can be tested" in comparison.summary()
    assert " nan" not in comparison.summary().lower()
    assert (pc.report(comparison, tmp_path / "out") / "report.html").exists()


def test_a_textbook_error_is_refused_where_cells_are_missing():
    values = np.random.default_rng(2).normal(size=(9, 3))
    values[0, 0] = np.nan
    with pytest.raises(pc.PlanError, match="no textbook standard error"):
        ranks_of(wide(values, missing="model"), std_error="textbook")
    assert ranks_of(wide(values, missing="model")).decisive.std_error_rule == (
        "permutation"
    )
