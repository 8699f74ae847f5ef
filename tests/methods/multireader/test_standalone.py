"""A standalone reader against the mean of the others."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.conftest import golden
from tests.methods.multireader.readers import simulated
from tests.methods.multireader.test_marks import marks_of_golden

OUTPUTS = {k: v["value"] for k, v in golden("jafroc")["outputs"].items()}


def highest(modality: str) -> pc.Ratings:
    """Return one rating for each case of the stored marks: the highest."""
    case = golden("jafroc")["input"]
    x = np.full((2, 4, 40), -9.0)
    m = case["marks"]
    for i, j, k, rating in zip(
        m["modality"], m["reader"], m["case"], m["rating"], strict=True
    ):
        x[i - 1, j - 1, k - 1] = max(x[i - 1, j - 1, k - 1], rating)
    ratings = pc.Ratings(
        values=x,
        truth=np.array(case["cases"]["lesions"]) > 0,
        modalities=("1", "2"),
        readers=("1", "2", "3", "4"),
        cases=tuple(map(str, range(40))),
    )
    return ratings.select([modality])


@pytest.mark.parametrize(
    ("name", "make", "figure", "cases"),
    [
        ("wAFROC_1T_RRRC", "marks", "wafroc", "random"),
        ("wAFROC_1T_RRFC", "marks", "wafroc", "fixed"),
        ("Wilcoxon_1T_RRRC", "1", "auc", "random"),
        ("Wilcoxon_1T_RRFC", "1", "auc", "fixed"),
        ("Wilcoxon_1T_RRRC_second", "2", "auc", "random"),
    ],
)
def test_the_comparison_is_that_of_rjafroc(name, make, figure, cases):
    ratings = marks_of_golden().select(["1"]) if make == "marks" else highest(make)
    found = pc.standalone(ratings, reader="1", figure=figure, cases=cases)
    wanted, row = OUTPUTS[name], found.table.iloc[0]
    assert_digits(row["standalone"], wanted["fomCAD"], at_least=13)
    assert_digits(found.by_reader["figure"], wanted["fomRAD"], at_least=13)
    assert_digits(row["readers"], wanted["avgRadFom"], at_least=13)
    # RJafroc has the readers less the standalone reader.
    low, high = wanted["CIAvgDiffFom"]
    for ours, theirs in (
        ("estimate", -wanted["avgDiffFom"]),
        ("statistic", -wanted["Tstat"]),
        ("df", wanted["df"]),
        ("p_value", wanted["pval"]),
        ("conf_low", -high),
        ("conf_high", -low),
    ):
        assert_digits(row[ours], theirs, at_least=10, what=ours)


def test_fixed_cases_are_the_t_test_of_the_differences():
    ratings = simulated(t=2, r=6, n=40)
    found = pc.standalone(ratings, reader="R3", cases="fixed")
    for _, row in found.table.iterrows():
        own = found.by_reader["modality"] == row["modality"]
        d = found.by_reader.loc[own, "difference"]
        test = stats.ttest_1samp(d, 0)
        assert_digits([row["statistic"], row["p_value"]], test, at_least=11)
    assert_digits(
        found.table["p_adjusted"],
        pc.adjust(found.table["p_value"], "holm"),
        at_least=14,
    )


@pytest.mark.parametrize("adjust", ["holm", "bonferroni"])
def test_intervals_agree_with_the_adjusted_decisions(adjust):
    ratings = simulated(t=3, r=5, n=80)
    values = ratings.values.copy()
    values[:2, 0] += np.array([[3.0], [0.7]]) * ratings.truth
    found = pc.standalone(
        dataclasses.replace(ratings, values=values), reader="R1", adjust=adjust
    )
    table = found.table
    excludes = (table["conf_low"] > 0) | (table["conf_high"] < 0)
    assert list(excludes) == list(table["p_adjusted"] <= 0.05)
    assert 0 < excludes.sum() < 3 and found.alpha == 0.05
    assert found.level == pytest.approx(1 - 0.05 / (3 - excludes.sum()))
    each = pc.standalone(found.ratings, reader="R1", level=0.95)
    assert each.alpha is None and each.level == 0.95
    assert (each.table["conf_high"] < table["conf_high"]).any()


def test_one_other_reader_is_delongs_test():
    ratings = simulated(t=1, r=2, n=60)
    found = pc.standalone(ratings, reader="R1", readers="fixed", covariance="delong")
    scores = dict(zip(ratings.readers, ratings.values[0], strict=True))
    pair = pc.delong(ratings.truth, scores, positive=True).table.iloc[0]
    row = found.table.iloc[0]
    for name in ("estimate", "std_error", "p_value"):
        assert_digits(row[name], pair[name], at_least=11, what=name)


def test_a_constant_reader_leaves_the_analysis_of_one_modality():
    ratings = simulated(t=1, r=5, n=40)
    values = np.concatenate([np.zeros((1, 1, 40)), ratings.values], axis=1)
    with_constant = dataclasses.replace(
        ratings, values=values, readers=("constant", *ratings.readers)
    )
    row = pc.standalone(with_constant, reader="constant").table.iloc[0]
    one = pc.single_modality(ratings, null=0.5)
    assert row["standalone"] == 0.5
    assert_digits(
        [row["estimate"], row["std_error"], row["df"], row["p_value"]],
        [0.5 - one.estimate, one.std_error, one.df, one.p_value],
        at_least=11,
    )


def test_a_modality_of_its_own_is_compared_with_every_other():
    ratings = simulated(t=3, r=4, n=40)
    values = ratings.values.copy()
    values[0, 1:] = values[1:, 0] = np.nan
    own = dataclasses.replace(ratings, values=values, design="incomplete")
    found = pc.standalone(own, reader="R1")
    assert list(found.table["modality"]) == ["M2", "M3"]
    repeated = ratings.values.copy()
    repeated[:, 0] = ratings.values[0, 0]
    same = pc.standalone(dataclasses.replace(ratings, values=repeated), reader="R1")
    for name in ("estimate", "std_error", "df", "p_value"):
        assert_digits(found.table[name], same.table[name][1:], at_least=10, what=name)


def test_order_of_readers_and_cases_changes_no_number():
    ratings = simulated(t=1, r=5, n=40)
    at = np.random.default_rng(2).permutation(40)
    moved = dataclasses.replace(
        ratings,
        values=ratings.values[:, ::-1][:, :, at],
        truth=ratings.truth[at],
        readers=ratings.readers[::-1],
        cases=tuple(ratings.cases[k] for k in at),
    )
    one = pc.standalone(ratings, reader="R2").table
    two = pc.standalone(moved, reader="R2").table
    for name in ("estimate", "std_error", "df", "p_value", "conf_low"):
        assert_digits(two[name], one[name], at_least=10, what=name)


def test_readers_that_agree_with_it_have_no_test():
    ratings = simulated(t=1, r=3, n=40)
    alike = np.repeat(ratings.values[:, :1], 3, axis=1)
    found = pc.standalone(dataclasses.replace(ratings, values=alike), reader="R1")
    assert found.table["estimate"][0] == 0
    assert np.isnan(found.table["p_value"][0])
    assert any("there is no error" in note for note in found.notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"reader": "X"}, "X"),
        ({"reader": "R1", "covariance": "bootstrap"}, "covariance='bootstrap'"),
        (
            {"reader": "R1", "readers": "fixed", "cases": "fixed"},
            "cannot both be fixed",
        ),
        ({"reader": "R1", "figure": "mean", "better": "lower"}, "has no direction"),
        ({"reader": "R1", "adjust": "shaffer"}, "not transitive"),
        ({"reader": "R1", "alpha": 0.1, "level": 0.9}, "give one of them"),
        ({"reader": "R1", "alpha": 1.0}, "alpha"),
    ],
)
def test_what_cannot_be_used_is_named(options, message):
    with pytest.raises(pc.InputError, match=message):
        pc.standalone(simulated(t=1, r=4, n=40), **options)


def test_too_few_readers_are_named():
    with pytest.raises(pc.DesignError, match="one other reader gives no information"):
        pc.standalone(simulated(t=1, r=2, n=40), reader="R1")
    with pytest.raises(pc.DesignError, match="is the only reader"):
        pc.standalone(simulated(t=1, r=1, n=40), reader="R1")
    ratings = simulated(t=3, r=3, n=40)
    values = ratings.values.copy()
    values[2, 0] = np.nan
    gap = dataclasses.replace(ratings, values=values, design="incomplete")
    with pytest.raises(pc.DesignError, match="has ratings with 2 modalities"):
        pc.standalone(gap, reader="R1")
