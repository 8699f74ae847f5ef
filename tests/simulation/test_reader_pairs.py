"""The study of all pairs of modalities with few readers."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.simulation import reader_pairs


@pytest.mark.parametrize(("t", "r"), [(3, 3), (4, 2)])
def test_its_p_values_are_those_of_mrmc_in_three_scopes(t, r):
    model = pc.RoeMetz(
        separation=(1.5,) * t,
        reader=0.3,
        modality_reader=0.3,
        case=0.3,
        modality_case=0.3,
        reader_case=0.2,
        error=0.2,
    )
    truth, x = model.sample(
        np.random.default_rng(3), n_readers=r, n_positive=20, n_negative=20, trials=3
    )
    p = reader_pairs.pair_p_values(truth, x)
    for i, values in enumerate(x):
        ratings = pc.Ratings(
            values=values,
            truth=truth,
            modalities=tuple(map(str, range(t))),
            readers=tuple(map(str, range(r))),
            cases=tuple(map(str, range(40))),
        )
        result = pc.mrmc(ratings)
        by_scope = result.scopes["p_value"].to_numpy().reshape(3, -1)
        np.testing.assert_allclose(
            p[reader_pairs.HILLIS][i], result.table["p_value"], rtol=1e-9
        )
        np.testing.assert_allclose(
            p[reader_pairs.LARGEST][i], by_scope.max(axis=0), rtol=1e-9
        )


def test_three_readers_of_eight_modalities_need_the_largest_of_three():
    study = reader_pairs.ReaderPairs()
    made = study.run(
        "8 modalities x 3 readers, readers very unlike", np.random.default_rng(1), 400
    )
    assert made[reader_pairs.HILLIS].mean() > 0.15
    assert made[reader_pairs.LARGEST].mean() < 0.05
