"""The R program of a result gives the result."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from tests.methods.multireader.readers import simulated
from tests.methods.multireader.test_designs import own_readers
from tests.r_session import run_source

pytestmark = pytest.mark.r


@pytest.mark.parametrize("options", [{}, {"method": "dbm", "df": "1992"}], ids=str)
def test_r_code_repeats_the_numbers(options):
    repeated(pc.mrmc(simulated(t=3, r=3, n=20, grid=0.5), **options))


def test_r_code_repeats_other_designs_and_components():
    ratings = simulated(t=2, r=3, n=24, grid=0.5)
    repeated(
        pc.mrmc(
            own_readers(simulated(t=2, r=6, n=20)), margin=0.1, hypothesis="equivalence"
        )
    )
    repeated(
        pc.mrmc(
            simulated(t=3, r=3, n=20),
            margin=0.1,
            hypothesis="non-inferiority",
            control="M2",
        )
    )
    repeated(pc.variance_components(ratings, method="one-shot"))
    repeated(pc.variance_components(ratings, method="dbm"))
    repeated(pc.variance_components(simulated(t=3, r=4, n=20), level=0.8))


def repeated(found):
    answer = run_source(found.r_code())
    for name, ours in found.r_values().items():
        assert_digits(np.ravel(ours), np.ravel(answer[name]), at_least=9, what=name)
