import math

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits

DIFFERENCES = np.array(
    [[0.02, -0.01], [0.03, 0.04], [0.01, 0.05], [0.00, 0.02], [0.04, 0.03]]
)


def test_by_hand():
    found = pc.five_by_two_cv(DIFFERENCES)
    # In hundredths: squares 4+1+9+16+1+25+0+4+16+9 = 85; variances
    # 9/2 + 1/2 + 16/2 + 4/2 + 1/2 = 15.5.
    assert_digits(found.statistic, 85 / 31, at_least=14)
    assert_digits(found.dietterich.statistic, 2 / math.sqrt(3.1), at_least=14)
    assert found.df == (10, 5) and found.dietterich.df == 5
    assert_digits(found.p_value, stats.f.sf(85 / 31, 10, 5), at_least=12)
    expected = 2 * stats.t.sf(2 / math.sqrt(3.1), 5)
    assert_digits(found.dietterich.p_value, expected, at_least=12)
    assert found.estimate == pytest.approx(0.023, rel=1e-14)


def test_printed_critical_values():
    # Alpaydin (1999): reject at 0.05 if F > 4.74; Dietterich (1998): |t| > 2.571.
    d = DIFFERENCES.copy()
    means = d.mean(axis=1, keepdims=True)
    # Variances stay, the sum of squares is brought to 4.74 times twice their sum.
    wanted = (4.74 * 2 * 15.5e-4 - 15.5e-4) / np.sum(2 * means**2)
    d = d - means + means * math.sqrt(wanted)
    found = pc.five_by_two_cv(d)
    assert found.statistic == pytest.approx(4.74, rel=1e-12)
    assert round(found.p_value, 3) == 0.050
    # Variances 0 + 3 / 8 + 5 / 8 = 1, so t is the first difference over sqrt(1 / 5).
    d[0] = [2.571 * math.sqrt(0.2), 2.571 * math.sqrt(0.2)]
    d[1:] = [[0.5, 0.0], [0.5, 0.0], [0.5, 0.0], [0.5, -0.5 * (math.sqrt(5) - 1)]]
    t = pc.five_by_two_cv(d).dietterich
    assert t.statistic == pytest.approx(2.571, rel=1e-12)
    assert round(t.p_value, 3) == 0.050


def test_f_is_the_mean_of_the_ten_squared_t():
    squares = []
    for row in range(5):
        for fold in range(2):
            order = [row, *(i for i in range(5) if i != row)]
            folds = [fold, 1 - fold]
            turned = DIFFERENCES[np.ix_(order, folds)]
            squares.append(pc.five_by_two_cv(turned).dietterich.statistic ** 2)
    f = pc.five_by_two_cv(DIFFERENCES).statistic
    assert_digits(f, np.mean(squares), at_least=14)


@pytest.mark.parametrize("scale", [1e-300, -1.0, 1e9, 1e300])
def test_unit_and_direction_change_no_digit(scale):
    one, other = pc.five_by_two_cv(DIFFERENCES), pc.five_by_two_cv(DIFFERENCES * scale)
    assert_digits(other.statistic, one.statistic, at_least=13)
    assert_digits(other.dietterich.p_value, one.dietterich.p_value, at_least=13)


def test_zero_variance_is_flagged():
    found = pc.five_by_two_cv(np.repeat([[0.1], [0.2], [0.1], [0.3], [0.1]], 2, axis=1))
    assert found.statistic == math.inf and math.isnan(found.p_value)
    assert "variance is zero" in found.notes[0] and not found.rejected(0.05)
    nothing = pc.five_by_two_cv(np.zeros((5, 2)))
    assert math.isnan(nothing.statistic) and "can be tested" in nothing.notes[0]


@pytest.mark.parametrize(
    "differences, message",
    [
        (np.zeros((2, 5)), "shape"),
        (np.zeros(10), "five rows"),
        ([[0.0, 1.0]] * 4 + [[0.0, np.nan]], "replication 5, fold 2"),
        ([["a", "b"]] * 5, "expected numbers, got 'a' of type str"),
    ],
)
def test_what_is_not_five_by_two_is_refused(differences, message):
    with pytest.raises(pc.InputError, match=message):
        pc.five_by_two_cv(differences)


@pytest.mark.parametrize(
    ("first", "f", "t", "sources"),
    [
        (0.02, 85 / 31, 2 / math.sqrt(3.1), ("F", "t")),
        (None, math.inf, -math.inf, ("none", "none")),
    ],
)
def test_the_source_of_p_is_named_unless_there_is_none(first, f, t, sources):
    differences = np.full((5, 2), -1.0) if first is None else DIFFERENCES
    found = pc.five_by_two_cv(differences)
    assert (found.p_source, found.dietterich.p_source) == sources
    assert found.statistic == pytest.approx(f, rel=1e-12)
    assert found.dietterich.statistic == pytest.approx(t, rel=1e-12)
