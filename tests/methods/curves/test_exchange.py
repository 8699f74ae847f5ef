from itertools import product

import numpy as np
import pytest

import pycompare as pc
from tests.methods.curves.curves import cases


def small(n=9, **options):
    label, scores = cases(n=n, k=2, grid=2)
    return pc.auc_exchange(label, scores, positive="ill", **options)


def by_hand(label, scores, alternative):
    ranks = scores.rank().to_numpy()

    def difference(x):
        return pc.auc(label, x[:, 0], positive="ill") - pc.auc(
            label, x[:, 1], positive="ill"
        )

    data = difference(ranks)
    found = []
    for swap in product((False, True), repeat=len(label)):
        found.append(
            difference(np.where(np.array(swap)[:, None], ranks[:, ::-1], ranks))
        )
    found = np.array(found)
    tiny = 1e-12
    far = {
        "two-sided": np.abs(found) >= abs(data) - tiny,
        "greater": found >= data - tiny,
        "less": found <= data + tiny,
    }
    return np.mean(far[alternative])


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_exact_p_is_the_share_of_all_exchanges(alternative):
    label, scores = cases(n=9, k=2, grid=2)
    found = small(p_value="exact", alternative=alternative)
    assert found.p_value == by_hand(label, scores, alternative)
    assert found.statistic == found.area_1 - found.area_2


def test_drawn_p_is_near_the_exact_one_and_repeats():
    exact = small(n=15, p_value="exact").p_value
    drawn = small(n=15, seed=0)
    assert drawn.p_value == small(n=15).p_value
    assert abs(drawn.p_value - exact) < 4 * np.sqrt(exact * (1 - exact) / 10_000)
    assert drawn.notes == ("10000 resamples, seed 0",)


def test_drawn_p_is_never_zero():
    label, scores = cases(n=200, k=1, strength=4.0)
    data = {"a": scores.C1, "b": np.random.default_rng(1).normal(size=200)}
    found = pc.auc_exchange(label, data, positive="ill", resamples=99)
    assert found.p_value == 0.01


def test_p_value_is_near_that_of_delong():
    label, scores = cases(n=300, k=2, seed=4)
    normal = pc.delong(label, scores, positive="ill").table["p_value"][0]
    found = pc.auc_exchange(label, scores, positive="ill").p_value
    assert abs(found - normal) < 0.05


def test_scales_have_no_effect():
    label, scores = cases(n=40, k=2)
    other = scores.assign(C2=np.exp(scores.C2) * 1e6)
    one = pc.auc_exchange(label, scores, positive="ill").p_value
    assert pc.auc_exchange(label, other, positive="ill").p_value == one


def test_equal_ranks_cannot_be_tested():
    found = pc.auc_exchange(
        [0, 1, 0, 1], {"a": [1, 2, 3, 4], "b": [1, 4, 9, 16]}, positive=1
    )
    assert np.isnan(found.p_value) and "nothing can be tested" in found.notes[0]


@pytest.mark.parametrize(
    ("options", "error", "says"),
    [
        ({"p_value": "monte-carlo"}, pc.InputError, "'permutation' or 'exact'"),
        ({"p_value": "exact", "seed": 1}, pc.InputError, "no effect"),
        ({"resamples": 0}, pc.InputError, "1 or more"),
        ({"p_value": "exact", "n": 21}, pc.DesignError, "end at 20 cases"),
    ],
)
def test_bad_options_are_refused(options, error, says):
    with pytest.raises(error, match=says):
        small(**options)
