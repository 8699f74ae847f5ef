"""The studies of level call what ``pc.mrmc`` does."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.testing import assert_digits
from tests.multireader.readers import made
from validation import multireader_level as level

OPTIONS = {
    "OR, Hillis' df, jackknife": {},
    "OR, Hillis' df, DeLong": {"covariance": "delong"},
    "DBM, df of 1992": {"method": "dbm", "df": "1992"},
    "fixed readers": {"readers": "fixed"},
    "two-way ANOVA of AUCs": {"cases": "fixed"},
}
PAIRS = {"own": "pairs, own error", "pooled": "pairs, pooled error"}


@pytest.mark.parametrize("t", [2, 3])
def test_many_studies_at_once_are_the_studies_one_by_one(t):
    rng = np.random.default_rng(0)
    truth, x = level.roe_metz(t, 4, 15)(rng, 5)
    found = level.p_values(truth, x)
    for i, values in enumerate(x):
        ratings = made(values, truth)
        for name, options in OPTIONS.items():
            assert_digits(
                found[name][i], pc.mrmc(ratings, **options).p_value, at_least=9
            )
        for error, name in PAIRS.items() if t > 2 else ():
            one = pc.mrmc(ratings, error=error, adjust="bergmann-hommel")
            least = one.table["p_adjusted"].min()
            p = found[f"{name}, Bergmann-Hommel"][i]
            assert_digits(p, least, at_least=9)


def test_studies_have_the_modalities_readers_and_cases_of_their_names():
    rng = np.random.default_rng(1)
    for name, study in level.STUDIES.items():
        truth, x = study(rng, 1)
        assert x.shape[0] == 1 and x.shape[-1] == len(truth)
        assert truth.sum() * 2 == len(truth)
        if "n = 400" in name:
            assert x.shape[1:3] == (2, 10) and len(truth) == 200


@pytest.mark.parametrize("name", level.DESIGNS)
def test_designs_are_what_ratings_take_them_for(name):
    assert level.design_rejections(name, 2) in (0, 1, 2)


def test_nearest_neighbours_vote():
    rng = np.random.default_rng(2)
    x, known = rng.normal(size=(7, 3)), rng.normal(size=(40, 3))
    label = (np.arange(40) < 20).astype(np.float32)
    distance = ((x[:, None] - known) ** 2).sum(axis=-1)
    order = np.argsort(distance, axis=1)[:, : level.NEIGHBOURS]
    assert np.array_equal(level.voted(x, known, label), label[order].sum(axis=1))


def test_the_page_says_how_many_levels_lie_in_the_band():
    name = "OR, Hillis' df, jackknife"
    counts = {study: {name: 200} for study in level.STUDIES}
    text = level.page(counts, {"a design": 50}, 4000)
    assert "| a design | 0.0500 |" in text
    assert "4 of 4 levels" in text and "0.0500" in text
    first = next(iter(counts))
    assert "3 of 4 levels" in level.page(counts | {first: {name: 400}}, {}, 4000)
