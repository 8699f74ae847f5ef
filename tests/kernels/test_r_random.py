"""Numbers that R draws, digit by digit."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.kernels.r_random import Uniforms, checked_seed
from tests.conftest import golden

CASES = golden("runif")["outputs"]["runif"]["value"].values()
LATE = [622, 623, 624, 625, 1247, 1248, 1249, 1999]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["seed"]))
def test_uniforms_are_those_of_r(case):
    u = Uniforms(int(case["seed"])).draw(2000)
    assert u[:5].tolist() == case["first"]
    assert u[LATE].tolist() == case["late"]
    # R adds up in extended precision.
    assert u.sum() == pytest.approx(case["sum"], rel=1e-14)


def test_the_stream_goes_on_and_shapes_are_filled_last_axis_first():
    whole = Uniforms(5).draw(24)
    stream = Uniforms(5)
    parts = [stream.draw(2, 3).ravel(), stream.draw(18)]
    assert np.concatenate(parts).tolist() == whole.tolist()


def test_no_number_is_0_or_1():
    class Words:
        def integers(self, low, high, shape, kind):
            return np.array([0, 2**32 - 1, 7], kind).reshape(shape)

    stream = Uniforms(1)
    stream._generator = Words()
    low, high, third = stream.draw(3)
    assert low == 0.5 * 2.328306437080797e-10  # R's fixup
    assert high < 1
    assert third == 7 * 2.3283064365386963e-10


@pytest.mark.parametrize("seed", [-1, 2**31, 1.5, "1", True, None])
def test_seeds_that_r_does_not_take_are_refused(seed):
    with pytest.raises(pc.InputError, match="seed="):
        checked_seed(seed)
