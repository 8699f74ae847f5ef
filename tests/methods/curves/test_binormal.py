"""The area under a binormal ROC curve."""

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.base.testing import assert_digits


def drawn(n=60, seed=1, apart=1.0, spread=1.5):
    rng = np.random.default_rng(seed)
    label = np.repeat([1, 0], n)
    return label, np.concatenate(
        [rng.normal(apart, spread, size=n), rng.normal(size=n)]
    )


def test_the_area_is_that_of_its_curve():
    found = pc.binormal_auc(*drawn(), positive=1)
    fpr = (np.arange(200_000) + 0.5) / 200_000
    tpr = stats.norm.cdf(found.intercept + found.slope * stats.norm.ppf(fpr))
    assert tpr.mean() == pytest.approx(found.estimate, abs=1e-6)


def test_many_normal_cases_have_the_area_of_counted_pairs():
    label, score = drawn(200_000, seed=2)
    found = pc.binormal_auc(label, score, positive=1)
    counted = pc.auc(label, score, positive=1)
    assert found.estimate == pytest.approx(counted, abs=4 * found.std_error)
    truth = stats.norm.cdf(1 / np.sqrt(1 + 1.5**2))
    assert found.estimate == pytest.approx(truth, abs=4 * found.std_error)


def test_the_standard_error_is_that_of_simulated_tables():
    areas = [pc.binormal_auc(*drawn(40, seed=s), positive=1) for s in range(800)]
    spread = np.std([a.estimate for a in areas])
    assert np.mean([a.std_error for a in areas]) == pytest.approx(spread, rel=0.1)


@pytest.mark.parametrize("unit", [2.0**-300, 2.0**300])
def test_unit_shift_and_class_do_not_matter(unit):
    label, score = drawn()
    one = pc.binormal_auc(label, score, positive=1)
    scaled = pc.binormal_auc(label, score * unit, positive=1)
    shifted = pc.binormal_auc(label, score + 7, positive=1)
    other = pc.binormal_auc(label, -score, positive=0)
    for name in ("estimate", "conf_low", "conf_high", "std_error"):
        assert_digits(getattr(scaled, name), getattr(one, name), at_least=13)
        assert_digits(getattr(shifted, name), getattr(one, name), at_least=10)
        assert_digits(getattr(other, name), getattr(one, name), at_least=12)


def test_separated_classes_have_an_interval():
    found = pc.binormal_auc(
        [1, 1, 1, 0, 0, 0], [5.0, 6.0, 7.0, 1.0, 2.0, 3.0], positive=1
    )
    assert 0.5 < found.conf_low < found.estimate < found.conf_high <= 1


@pytest.mark.parametrize(
    ("label", "score", "message"),
    [
        ([1, 0, 0], [1.0, 2.0, 3.0], "1 positive case"),
        ([1, 1, 0, 0], [1.0, 1.0, 0.0, 0.0], "both classes do not vary"),
        ([1, 1, 0, 0], [1.0, np.inf, 0.0, 1.0], "infinite"),
    ],
)
def test_what_cannot_be_used_is_named(label, score, message):
    with pytest.raises(pc.PyCompareError, match=message):
        pc.binormal_auc(label, score, positive=1)
