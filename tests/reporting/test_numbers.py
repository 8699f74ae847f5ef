import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pycompare.base.formatting.numbers import degrees, number, p_equals, p_text
from pycompare.plotting.p_matrix import p_text as figure_p_text
from pycompare.reporting import document

WRITERS = (p_text, document.p_text, figure_p_text)
"""Of texts, of pages, of figures."""


def read(text):
    return float(text.replace("−", "-").removeprefix(">"))


@pytest.mark.parametrize("write", [p_text, figure_p_text])
@given(st.floats(0, 1), st.sampled_from([0.05, 0.01, 0.1, 0.05 / 10]))
def test_a_shown_p_value_never_contradicts_its_verdict(write, p, alpha):
    text = write(p, alpha)
    if p > 0:
        assert (read(text) <= alpha) == (p <= alpha)


def test_no_p_equals_something_above():
    assert p_equals(0.9995, 0.05) == "p > 0.999"
    assert p_equals(0.0311) == "p = 0.0311"
    assert p_equals(1.0) == "p = 1"


@pytest.mark.parametrize("write", WRITERS)
@pytest.mark.parametrize("alpha", [None, 0.05, 0.9996])
@given(p=st.floats(1e-300, 1, exclude_max=True))
@example(p=0.9997)
def test_a_p_value_below_one_is_not_shown_as_one(write, alpha, p):
    assert read(write(p, alpha).removeprefix("< ")) < 1


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (0.05, "0.0500"),
        (0.0500000001, "0.0500000001"),
        (0.04999999, "0.0500"),
        (4.487e-8, "4.49e−8"),
        (1.0, "1"),
        (0.99999, ">0.999"),
        (0.0, "0 (below 5e−324)"),
        (math.nan, "undefined"),
    ],
)
def test_p_values_are_shown_as_a_reader_expects(p, shown):
    assert p_text(p, 0.05) == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (39.91275, "39.91"),
        (0.098, "0.09800"),
        (-1.15, "−1.150"),
        (12345.678, "12346"),
        (1e300, "1.000e300"),
        (1e-300, "1.000e−300"),
        (math.inf, "∞"),
        (0.0, "0"),
        (None, ""),
    ],
)
def test_numbers_keep_four_digits(value, shown):
    assert number(value) == shown


def test_degrees_of_freedom():
    assert degrees((4.0, 116.0)) == "4, 116"
    assert degrees(math.inf) == "∞"
    assert degrees(None) == ""


@given(st.floats(-1e12, 1e12, allow_subnormal=False))
def test_rounding_keeps_the_digits_it_shows(value):
    if value:
        assert read(number(value, 6)) == pytest.approx(value, rel=5e-6)
