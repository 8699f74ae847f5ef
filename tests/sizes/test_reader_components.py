"""Power of readers and cases from components of variance of areas."""

import json

import numpy as np
import pytest
from scipy import special

import pycompare as pc
from pycompare import sizes
from pycompare.base.testing import assert_digits
from pycompare.kernels import reader_moments as rm
from pycompare.methods.multireader.error_terms import hillis
from pycompare.sizes.cases import correlation_of
from tests.command_line import command
from validation.checks.power import VAN_DYKE
from validation.reader_pilots import drawn, pilots

CLASSIC = {"areas": (0.897037, 0.940837322), "components": VAN_DYKE}
CLASSIC |= {"component_cases": 114, "n_readers": 10}


def test_published_components_give_the_published_power_and_size():
    # RJafroc: SsPowerGivenJK(J = 10, K = 165) and SsSampleSizeKGivenJ(J = 10).
    design = sizes.MrmcCases(**CLASSIC)
    assert_digits(design.formula(165, 0.05), 0.8054199, at_least=6)
    assert pc.power(design, trials=0).n_required == 163


def test_ordinal_pilots_give_hillis_power_from_their_own_components():
    found = pilots(3, 20, readers=3, positive=20, negative=30)
    assert found["digits"] > 9
    assert found["kept"] >= 10


def test_simulated_studies_reject_as_often_as_normal_pseudovalues():
    design = sizes.MrmcCases(**CLASSIC | {"n_readers": 4})
    n, trials, rng = 60, 1000, np.random.default_rng(5)
    of, ratio = VAN_DYKE, 114.0
    case = ratio * of["COV3"]
    both, reader_case = (
        ratio * (of["COV2"] - of["COV3"]),
        ratio * (of["COV1"] - of["COV3"]),
    )
    rest = ratio * (of["ERROR"] - of["COV1"] - of["COV2"] + of["COV3"])
    shapes = {
        (2, 4, 1): of["VAR_TR"],
        (1, 1, n): case,
        (2, 1, n): both,
        (1, 4, n): reader_case,
        (2, 4, n): rest,
    }
    y = np.array(CLASSIC["areas"])[:, None, None] + sum(
        np.sqrt(v) * rng.standard_normal((trials, *shape))
        for shape, v in shapes.items()
    )
    squares = [rm.of_pseudovalues(one) for one in y]
    error = [hillis(one, 3) for one in squares]
    p = [
        special.fdtrc(1, e.df, s.between / e.mean_square)
        for s, e in zip(squares, error, strict=True)
    ]
    q = design.p_values(np.random.default_rng(6), n, 20_000)
    one, other = np.mean(np.array(p) <= 0.05), np.mean(q <= 0.05)
    assert abs(one - other) < 3 * np.sqrt(one * (1 - one) / trials)


def test_without_an_effect_simulated_studies_keep_the_level():
    design = sizes.MrmcCases(**CLASSIC | {"areas": (0.9, 0.9)})
    p = design.p_values(np.random.default_rng(1), 165, 20_000)
    assert 0.044 < np.mean(p <= 0.05) < 0.056
    assert_digits(design.formula(165, 0.05), 0.05, at_least=8)


def test_negative_components_count_as_0():
    negative = {"VAR_TR": -0.0001, "COV2": 0.0002}
    design = sizes.Mrmc(
        areas=(0.8, 0.85, 0.9),
        components=VAN_DYKE | negative,
        component_cases=114,
        n_cases=114,
    )
    least = VAN_DYKE | {"VAR_TR": 0.0, "COV2": VAN_DYKE["COV3"]}
    at_0 = sizes.Mrmc(
        areas=design.areas, components=least, component_cases=114, n_cases=114
    )
    assert design.formula(5, 0.05) == at_0.formula(5, 0.05)
    assert [note.partition(" = ")[0] for note in design.remarks[1:]] == [
        "VAR_TR",
        "COV2 - COV3",
    ]
    assert len(at_0.remarks) == 1


def test_a_negative_difference_of_covariances_keeps_the_pilots_mean_square():
    # Hillis et al. (2011): VAR_TR = MS(TR) - error + Cov1 + max(Cov2 - Cov3, 0).
    found = 0
    for seed in range(40):
        pilot = drawn(seed, readers=3, positive=12, negative=12)
        parts = pc.mrmc(pilot).anova.set_index("term")["mean_sq"]
        design = sizes.MrmcCases.from_ratings(pilot)
        of = design.components
        found += of["COV2"] < of["COV3"]
        own = of["VAR_TR"] + design.figures.alone(24)
        assert_digits(own, parts["TR"], at_least=9)
    assert found


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"components": None, "component_cases": None}, "reader, modality_reader"),
        ({"component_cases": None}, "component_cases=None: give the number"),
        ({"component_cases": 1}, "2 or more"),
        ({"components": None}, "component_cases is for components"),
        ({"reader": 0.1, "error": 0.2}, "reader, error state the same"),
        ({"components": {"VAR": 1.0}}, "'VAR' is no component"),
        ({"components": {"COV1": 1.0}}, "lacks VAR_TR, COV2, COV3, ERROR"),
        ({"components": [1, 2]}, "a number for each name"),
        ({"components": VAN_DYKE | {"COV1": np.inf}}, "COV1=inf is no finite"),
        ({"components": VAN_DYKE | {"ERROR": 0.0}}, "ERROR=0 leaves no variance"),
        ({"components": VAN_DYKE | {"COV1": 0.01}}, "a variance cannot be negative"),
    ],
)
def test_what_are_no_components_is_refused(changed, message):
    with pytest.raises(pc.InputError, match=message):
        sizes.MrmcCases(**CLASSIC | changed)


def test_components_without_an_error_are_refused():
    none = {"VAR_TR": 0, "COV1": 0.1, "COV2": 0.1, "COV3": 0.1, "ERROR": 0.1}
    design = sizes.MrmcCases(**CLASSIC | {"components": none})
    with pytest.raises(pc.DesignError, match="no variance is left"):
        design.formula(100, 0.05)


def test_a_pilot_holds_for_its_own_share_of_positive_cases():
    pilot = drawn(1)
    share = float(pilot.truth.mean())
    assert sizes.MrmcCases.from_ratings(pilot, prevalence=share).n_readers == 5
    with pytest.raises(pc.InputError, match=r"prevalence=0\.5: .* 0\.395"):
        sizes.MrmcCases.from_ratings(pilot, prevalence=0.5)
    variances = dict.fromkeys(
        ("modality_reader", "case", "modality_case", "reader_case", "error"), 0.2
    )
    stated = sizes.MrmcCases.from_ratings(
        pilot, prevalence=0.5, reader=0.01, **variances
    )
    assert stated.prevalence == 0.5 and stated.components is None


COMMAND = ["power", "mrmc-cases", "--areas", "0.897037", "--areas", "0.940837322"]
COMMAND += ["--n-readers", "10", "--component-cases", "114"]
GIVEN = ",".join(f"{name}={value!r}" for name, value in VAN_DYKE.items())


def test_the_command_takes_components():
    words = [*COMMAND, "--components", GIVEN, "--n", "165", "--trials", "0", "--json"]
    found = json.loads(command(*words)[1])
    assert_digits(found["table"][0]["power_formula"], 0.8054199, at_least=6)
    assert "ERROR 0.0008023" in found["sentence"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("VAR_TR", "'VAR_TR' is no NAME=NUMBER"),
        ("VAR_TR=1,VAR_TR=2", "'VAR_TR=2' is given twice"),
        ("VAR_TR=x", "'VAR_TR=x' is no NAME=NUMBER"),
        ("TR=1", "--components: 'TR' is no component"),
    ],
)
def test_components_that_cannot_be_read_are_shown(given, message):
    status, _, said = command(*COMMAND, "--components", given)
    assert status == 2 and message in said


def test_a_pilot_on_the_command_line_gives_its_components(tmp_path):
    pilot = drawn(2)
    frame = pilot.to_frame()
    frame.to_csv(tmp_path / "pilot.csv", index=False)
    words = ["power", "mrmc-cases", "--pilot", str(tmp_path / "pilot.csv")]
    for role in ("modality", "reader", "case", "rating"):
        words += [f"--pilot-{role}", role]
    words += ["--pilot-truth", "is_positive", "--pilot-positive", "True"]
    found = json.loads(command(*words, "--n", "200", "--trials", "0", "--json")[1])
    design = sizes.MrmcCases.from_ratings(pilot)
    power = found["table"][0]["power_formula"]
    assert_digits(power, design.formula(200, 0.05), at_least=9)


def test_the_fitted_model_says_which_error_variance_it_misses():
    (note,) = pc.variance_components(drawn(1), method="roe-metz").notes
    assert note.startswith("the error variance of an AUC is 0.8")
    model = pc.RoeMetz(
        separation=(1.5, 1.8),
        reader=0.01,
        modality_reader=0.01,
        case=0.3,
        modality_case=0.3,
        reader_case=0.2,
        error=0.2,
    )
    normal = model.draw(n_readers=5, n_positive=60, n_negative=60, seed=3)
    notes = pc.variance_components(normal, method="roe-metz").notes
    assert not any("error variance" in note for note in notes)


def test_an_error_that_no_correlation_gives_is_refused():
    independent = pc.delong(
        np.repeat([0, 1], 40), np.random.default_rng(1).normal(size=(80, 2)), positive=1
    )
    error = float(independent.table["std_error"].iloc[0])
    assert 0 <= correlation_of((0.5, 0.5), error, 40, 40) < 0.3
    with pytest.raises(pc.InputError, match="no correlation gives it"):
        correlation_of((0.5, 0.5), 1.3 * error, 40, 40)
