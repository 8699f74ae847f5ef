import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.kernels import placements
from pycompare.methods.multireader import roe_metz

MODEL = {
    "separation": (1.0, 1.5),
    "reader": 0.2,
    "modality_reader": 0.1,
    "case": 0.3,
    "modality_case": 0.15,
    "reader_case": 0.25,
    "error": 0.4,
}


def test_the_covariances_are_those_of_the_model():
    model = pc.RoeMetz(**MODEL, spread=1.5)
    rng = np.random.default_rng(0)
    _, x = model.sample(rng, n_readers=2, n_positive=2, n_negative=2, trials=60_000)
    m = MODEL
    wanted = {
        # what two ratings share -> the variances that they have in common
        (0, 0, 0): ["reader", "modality_reader", *roe_metz.OF_CASES],
        (1, 0, 0): ["reader", "case", "reader_case"],
        (0, 1, 0): ["case", "modality_case"],
        (0, 0, 1): ["reader", "modality_reader"],
        (1, 1, 0): ["case"],
        (1, 0, 1): ["reader"],
        (0, 1, 1): [],
    }
    for start, scale in ((0, 1.5), (2, 1.0)):
        first = x[:, 0, 0, start]
        for (i, j, k), names in wanted.items():
            other = x[:, i, j, start + k]
            found = np.cov(first, other)[0, 1] / scale**2
            # 60,000 studies: a covariance has an error of 0.006 or less.
            assert abs(found - sum(m[name] for name in names)) < 0.03
    means = x[..., :2].mean(axis=(0, 2, 3)) - x[..., 2:].mean(axis=(0, 2, 3))
    np.testing.assert_allclose(means, MODEL["separation"], atol=0.03)


def test_the_expected_auc_is_that_of_many_studies():
    model = pc.RoeMetz(**MODEL, spread=1.3)
    rng = np.random.default_rng(1)
    truth, x = model.sample(rng, n_readers=3, n_positive=10, n_negative=10, trials=4000)
    areas = placements.auc(truth, x).mean(axis=-1)
    error = areas.std(axis=0) / np.sqrt(len(areas))
    assert (np.abs(areas.mean(axis=0) - model.auc) < 4 * error).all()


def test_a_seed_gives_the_same_study():
    model = pc.RoeMetz(**MODEL)
    sizes = {"n_readers": 3, "n_positive": 8, "n_negative": 12}
    one, two, other = (model.draw(**sizes, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.values, two.values)
    assert not np.array_equal(one.values, other.values)
    assert one.truth.sum() == 8 and one.shape == (2, 3, 20)
    assert np.isfinite(pc.mrmc(one).p_value)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"reader": -0.1}, "reader=-0.1: give a variance"),
        ({"error": float("nan")}, "error=nan"),
        ({"spread": 0.0}, "spread=0.0: give a positive number"),
        ({"separation": (1.0, float("inf"))}, "finite numbers"),
        (dict.fromkeys(roe_metz.OF_CASES, 0.0), "must be positive"),
    ],
)
def test_bad_parameters_are_refused(changed, says):
    with pytest.raises(pc.InputError, match=says):
        pc.RoeMetz(**MODEL | changed)


def test_studies_without_readers_or_cases_are_refused():
    model = pc.RoeMetz(**MODEL)
    with pytest.raises(pc.InputError, match="n_readers=0"):
        model.draw(n_readers=0, n_positive=2, n_negative=2, seed=1)
    with pytest.raises(pc.InputError, match="n_negative=0"):
        model.draw(n_readers=2, n_positive=2, n_negative=0, seed=1)


def test_a_model_is_found_again_from_its_expected_components():
    model = pc.RoeMetz(**MODEL | {"case": 0.3, "modality_case": 0.15, "error": 0.3})
    found = pc.RoeMetz.from_components(
        model.auc, model.components(25, 40), n_positive=25, n_negative=40
    )
    for name in MODEL:
        assert_digits(getattr(found, name), getattr(model, name), at_least=8, what=name)
    wanted = model.components(25, 40)
    again = found.components(25, 40)
    for name in wanted:
        assert_digits(again[name], wanted[name], at_least=8, what=name)


def test_negative_components_count_as_0():
    model = pc.RoeMetz(**MODEL | {"error": 0.3})
    parts = model.components(25, 40) | {"modality x reader": -0.001, "reader": -0.002}
    found = pc.RoeMetz.from_components(model.auc, parts, n_positive=25, n_negative=40)
    assert found.reader == found.modality_reader == 0.0


@pytest.mark.parametrize(
    ("area", "changed", "says"),
    [
        ((1.0, 0.9), {}, "between 0 and 1"),
        ((0.8, 0.9), {"Cov3": 0.5}, "Cov3=0.5 is larger"),
    ],
)
def test_components_of_no_model_are_refused(area, changed, says):
    parts = pc.RoeMetz(**MODEL).components(25, 40) | changed
    with pytest.raises(pc.InputError, match=says):
        pc.RoeMetz.from_components(area, parts, n_positive=25, n_negative=40)


def test_covariances_that_need_too_much_variance_of_cases_are_refused():
    even = {"separation": (1.0, 1.0), "reader": 0.0, "modality_reader": 0.0}
    none = {"modality_case": 0.0, "reader_case": 0.0, "case": 0.3}
    one = pc.RoeMetz(**even | none | {"modality_case": 0.5, "error": 0.2})
    two = pc.RoeMetz(**even | none | {"reader_case": 0.5, "error": 0.2})
    parts = one.components(20, 20) | {"Cov1": two.components(20, 20)["Cov1"]}
    with pytest.raises(pc.InputError, match=r"add up to 1\.3, more than 1"):
        pc.RoeMetz.from_components(one.auc, parts, n_positive=20, n_negative=20)
