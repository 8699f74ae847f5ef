"""Pairs of three or more modalities by the largest of three p-values."""

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import percent
from pycompare.base.testing import assert_digits
from pycompare.methods.multireader.largest import NAMES, LargestMRMCResult
from pycompare.methods.multireader.margins import margin_pairs
from pycompare.results.guarantees import guarantee_of
from tests.methods.multireader.readers import simulated
from tests.methods.multireader.test_designs import own_readers

PAIR = ["algorithm_1", "algorithm_2"]
PUBLISHED = {"pair_tests": "published"}


def drawn(t, r, seed, shift=0.0, n=40):
    model = pc.RoeMetz(
        separation=(*(1.0,) * (t - 1), 1.0 + shift),
        reader=0.05,
        modality_reader=0.1,
        case=0.3,
        modality_case=0.3,
        reader_case=0.2,
        error=0.2,
    )
    return model.draw(n_readers=r, n_positive=n, n_negative=n, seed=seed)


@pytest.mark.parametrize("method", ["or", "dbm"])
@pytest.mark.parametrize("control", [None, "M2"])
@pytest.mark.parametrize("r", [2, 4])
def test_p_is_the_largest_of_those_of_three_scopes(method, control, r):
    ratings = simulated(t=4, r=r, n=40)
    found = pc.mrmc(ratings, method=method, control=control)
    scopes = {"new_cases": {"readers": "fixed"}, "new_readers": {"cases": "fixed"}}
    each = {
        name: pc.mrmc(
            ratings, method=method, control=control, **PUBLISHED, **scopes.get(name, {})
        ).table
        for name in NAMES
    }
    p = np.array([each[name]["p_value"] for name in NAMES])
    assert_digits(found.table["p_value"], p.max(axis=0), at_least=13)
    at = p.argmax(axis=0)
    for name in ("std_error", "statistic", "df"):
        wanted = np.array([each[of][name] for of in NAMES])[at, range(len(at))]
        assert_digits(found.table[name], wanted, at_least=13, what=name)
    for name in NAMES:
        assert_digits(found.table[f"p_{name}"], each[name]["p_value"], at_least=13)
        assert_digits(
            found.table[f"error_{name}"], each[name]["std_error"], at_least=13
        )
        assert_digits(found.table[f"df_{name}"], each[name]["df"], at_least=13)
    wanted = pc.adjust(found.table["p_value"].to_numpy(), "holm")
    assert_digits(found.table["p_adjusted"], wanted, at_least=13)


def test_new_readers_are_the_paired_t_test_over_readers():
    ratings = simulated(t=3, r=5, n=40)
    found = pc.mrmc(ratings)
    figures = found.by_reader.pivot(index="reader", columns="algorithm")["estimate"]
    for row in found.table.itertuples():
        t = stats.ttest_rel(figures[row.algorithm_1], figures[row.algorithm_2])
        assert_digits(row.p_new_readers, t.pvalue, at_least=10)
        assert row.df_new_readers == 4


def test_the_test_of_all_modalities_and_of_two_stay_as_published():
    ratings = simulated(t=4, r=3, n=40)
    found, published = pc.mrmc(ratings), pc.mrmc(ratings, **PUBLISHED)
    assert isinstance(found, LargestMRMCResult)
    for name in ("statistic", "df", "p_value"):
        assert getattr(found.omnibus, name) == getattr(published.omnibus, name)
    assert not isinstance(published, LargestMRMCResult)
    np.testing.assert_array_equal(found.areas, published.areas)
    assert (found.table["p_value"] >= published.table["p_value"]).all()
    two = pc.mrmc(ratings.select(["M1", "M2"]))
    assert two.pair_tests == "published" and "p_new_both" not in two.table
    wanted = published.table.iloc[0]
    assert_digits(two.table["p_value"][0], wanted["p_value"], at_least=12)


@pytest.mark.parametrize(
    ("adjust", "control"),
    [
        *((adjust, None) for adjust in ("holm", "bonferroni", "bergmann-hommel", "BH")),
        ("holm", "M1"),
        ("hommel", "M1"),
    ],
)
def test_no_interval_contradicts_its_decision(adjust, control):
    held = 0
    for seed in range(20):
        ratings = drawn(t=3 + seed % 2, r=2 + seed % 4, seed=seed, shift=2.0)
        found = pc.mrmc(ratings, adjust=adjust, control=control)
        table = found.table
        excludes = (table["conf_low"] > 0) | (table["conf_high"] < 0)
        assert (excludes == found.rejected(0.05)).all()
        assert found.level >= 0.95 - 1e-12
        held += int(excludes.sum())
    assert held > 5


def test_intervals_are_hulls_at_the_level_of_the_last_step():
    ratings = drawn(t=3, r=5, seed=5, shift=1.2)
    found = pc.mrmc(ratings, level=0.9, alpha=0.05)
    left = 3 - int(found.rejected(0.05).sum())
    assert_digits(1 - found.level, 0.05 / max(1, left), at_least=12)
    assert found.descriptive_level == 0.9
    wide = pc.mrmc(ratings, level=found.level, alpha=0.05, **PUBLISHED).scopes
    hull = wide.groupby(PAIR, sort=False)
    assert_digits(found.table["conf_low"], hull["conf_low"].min(), at_least=12)
    assert_digits(found.table["conf_high"], hull["conf_high"].max(), at_least=12)
    areas = pc.mrmc(ratings, level=0.9, **PUBLISHED).areas
    np.testing.assert_array_equal(found.areas["conf_low"], areas["conf_low"])


def test_scopes_have_the_pairs_of_the_primary_analysis():
    ratings = drawn(t=4, r=3, seed=2, shift=2.0)
    found = pc.mrmc(ratings)
    both = found.scopes.query("population == 'new readers and new cases'")
    for name in ("p_value", "p_adjusted", "conf_low", "conf_high", "std_error"):
        np.testing.assert_array_equal(both[name], found.table[name])
    # With fixed readers the other scopes stay what they are for a user who asks.
    fixed = pc.mrmc(ratings, readers="fixed")
    np.testing.assert_array_equal(fixed.scopes["p_value"][:6], found.table["p_value"])
    bare = pc.mrmc(ratings, readers="fixed", **PUBLISHED)
    assert (bare.scopes["p_value"][:6] < fixed.scopes["p_value"][:6]).any()


def test_margins_have_the_largest_of_three_one_sided_p_values():
    ratings = drawn(t=3, r=4, seed=4, shift=0.5)
    found = pc.mrmc(ratings, margin=0.1, hypothesis="equivalence")
    against = margin_pairs(found, margin=0.1, kind="equivalence", alpha=0.05)
    each = [
        margin_pairs(
            pc.mrmc(ratings, **PUBLISHED, **scope),
            margin=0.1,
            kind="equivalence",
            alpha=0.05,
        ).table
        for scope in ({}, {"readers": "fixed"}, {"cases": "fixed"})
    ]
    wanted = np.max([one["p_value"] for one in each], axis=0)
    assert_digits(against.table["p_value"], wanted, at_least=12)
    assert (against.table["conf_low"] == np.min([o["conf_low"] for o in each], 0)).all()
    claims = found.claims.query("claim == 'equivalent'")
    assert_digits(claims["p_value"], wanted, at_least=12)
    assert guarantee_of(against).rows and "largest-of-three" in against.tests
    plain = margin_pairs(
        pc.mrmc(ratings, **PUBLISHED), margin=0.1, kind="equivalence", alpha=0.05
    )
    assert (plain.table["p_value"] <= against.table["p_value"]).all()
    assert "largest" not in plain.tests


def test_equal_modalities_and_readers_without_spread():
    ratings = simulated(t=3, r=3, n=30)
    values = ratings.values.copy()
    values[1] = values[0]
    same = pc.Ratings(
        values=values,
        truth=ratings.truth,
        modalities=ratings.modalities,
        readers=ratings.readers,
        cases=ratings.cases,
    )
    table = pc.mrmc(same).table
    assert table["estimate"][0] == 0 and np.isnan(table["p_value"][0])
    assert np.isnan(table["conf_low"][0])
    assert np.isfinite(table["p_value"][1:]).all()
    # Readers whose differences are alike set no limit: new cases decide.
    copies = values.copy()
    copies[:, 1:] = copies[:, :1]
    alike = pc.Ratings(
        values=copies,
        truth=ratings.truth,
        modalities=ratings.modalities,
        readers=ratings.readers,
        cases=ratings.cases,
    )
    table = pc.mrmc(alike).table.iloc[1:]
    assert (table["error_new_readers"] == 0).all()
    assert_digits(table["p_value"], table["p_new_cases"], at_least=9)


def test_other_designs_have_it_too():
    nested = own_readers(simulated(t=3, r=9, n=40))
    found = pc.mrmc(nested)
    each = found.table[[f"p_{name}" for name in NAMES]].to_numpy()
    assert isinstance(found, LargestMRMCResult)
    np.testing.assert_array_equal(found.table["p_value"], each.max(axis=1))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pair_tests": "hillis"}, "pair_tests='hillis': choose 'largest' or"),
        ({"error": "pooled"}, "leave out error='pooled'"),
        ({"method": "dbm", "df": "1992"}, "leave out df='1992'"),
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused(options, words):
    ratings = simulated(t=3, r=3, n=30)
    with pytest.raises(InputError) as error:
        pc.mrmc(ratings, **{"pair_tests": "largest", **options})
    assert words in str(error.value)
    if "pair_tests" not in options:
        assert pc.mrmc(ratings, **options).pair_tests == "published"


def test_two_modalities_have_no_largest_of_three():
    with pytest.raises(InputError, match="needs three modalities"):
        pc.mrmc(simulated(t=2, r=3, n=30), pair_tests="largest")
    assert pc.mrmc(simulated(t=2, r=2, n=30), **PUBLISHED).p_value <= 1


@pytest.mark.usefixtures("blank_pictures_here")
def test_the_level_of_the_pairs_stands_apart_from_that_of_means(tmp_path):
    ratings = drawn(t=3, r=3, seed=1, shift=2.5)
    found = pc.mrmc(ratings)
    page = (pc.report(found, tmp_path / "r") / "report.html").read_text()
    assert f"{percent(found.level)} interval" in page
    assert "95% CI" in page and "largest of three p-values" in page
    claim = guarantee_of(found)
    assert claim.key == "multireader/largest/holm" and claim.rows
