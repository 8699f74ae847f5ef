"""Studies of level call what ``pc.mrmc`` does, and draw what their names say."""

from __future__ import annotations

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.sizes.simulation import reader_tests as tests
from pycompare.sizes.simulation.reader_level import (
    LAYOUTS,
    REJECTED,
    ReaderDesigns,
    ReaderLevel,
    RoeMetzStudy,
    roe_metz,
)
from tests.data.tables import refused
from tests.methods.multireader.readers import made

OPTIONS = {
    tests.HILLIS: {},
    tests.DELONG: {"covariance": "delong"},
    tests.DBM: {"method": "dbm", "df": "1992"},
    tests.FIXED_READERS: {"readers": "fixed"},
    tests.TWO_WAY: {"cases": "fixed"},
}
PAIRS = {"own": tests.PAIRS_OWN, "pooled": tests.PAIRS_POOLED}


@pytest.mark.parametrize("t", [2, 3])
def test_many_studies_at_once_are_the_studies_one_by_one(t):
    truth, x = roe_metz(t, 4, 15)(np.random.default_rng(0), 5)
    found = tests.p_values(truth, x)
    for i, values in enumerate(x):
        ratings = made(values, truth)
        for name, options in OPTIONS.items():
            p = pc.mrmc(ratings, **options).p_value
            assert_digits(found[name][i], p, at_least=9)
        for error, name in PAIRS.items() if t > 2 else ():
            one = pc.mrmc(
                ratings,
                error=error,
                pair_tests="published",
                adjust="bergmann-hommel",
            )
            least = one.table["p_adjusted"].min()
            assert_digits(found[name][i], least, at_least=9)


def test_studies_have_the_modalities_readers_and_cases_of_their_names():
    rng = np.random.default_rng(1)
    draws = ReaderLevel().draws
    assert len(draws) == 7
    for name, draw in draws.items():
        truth, x = draw(rng, 1)
        assert x.shape[0] == 1 and x.shape[-1] == len(truth)
        assert truth.sum() * 2 == len(truth)
        if "n = 400" in name:
            assert x.shape[1:3] == (2, 10) and len(truth) == 200


def test_an_erratic_modality_has_the_same_expected_auc():
    rng = np.random.default_rng(2)
    truth, x = ReaderLevel().draws["Roe-Metz, 4 x 5 x 100, the last modality erratic"](
        rng, 400
    )
    up, down = x[..., truth].mean(axis=-1), x[..., ~truth].mean(axis=-1)
    spread = (up - down).std(axis=(0, 2))
    assert spread[-1] > 1.5 * spread[:-1].max()
    probability = (x[..., truth][..., :40] > x[..., ~truth][..., :40]).mean(
        axis=(0, 2, 3)
    )
    assert np.ptp(probability) < 0.02


def test_the_settings_are_the_model():
    study = RoeMetzStudy(separation=[1.5, 1.5], n_readers=3, n_cases=21)
    truth, x = study.draw(np.random.default_rng(3), 2)
    assert x.shape == (2, 2, 3, 21) and truth.sum() == 10
    assert study.model.auc.round(4).tolist() == [0.8543, 0.8543]
    found = pc.simulate(study, trials=20)
    assert found.table["condition"].unique().tolist() == [
        "2 modalities x 3 readers x 21 cases"
    ]


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"separation": [1.0]}, "give two modalities or more"),
        ({"n_readers": 1}, "n_readers=1"),
        ({"n_cases": 4}, "n_cases=4"),
        ({"reader": -0.1}, "reader=-0.1"),
    ],
)
def test_settings_out_of_range_are_refused(bad, words):
    with refused(words):
        RoeMetzStudy(**bad)


@pytest.mark.parametrize("name", LAYOUTS)
def test_designs_are_what_ratings_take_them_for(name):
    found = ReaderDesigns().run(name, np.random.default_rng(4), 2)
    assert set(found[REJECTED]) <= {0.0, 1.0}
