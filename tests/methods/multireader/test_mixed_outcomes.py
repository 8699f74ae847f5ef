"""Mixed models of 0/1 outcomes beside lme4's, and refusals."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits
from tests.conftest import golden, golden_names
from tests.methods.multireader.readers import made, simulated

WANTED = {
    # lme4 ends its search at rhoend, and has second derivatives by differences.
    "deviance": 7,
    "estimate": 5,
    "effect": 4,
    "sd": 4,
    "std_error": 3,
    "omnibus_statistic": 6,
    "omnibus_p_value": 4,
}
OPTIONS = {"outcome": "accuracy", "threshold": 0.8}


def binary(t=3, r=5, n=40, **options) -> pc.Ratings:
    plain = simulated(t=t, r=r, n=n, **options)
    return made((plain.values >= 0.6) * 1.0, None)


@pytest.mark.parametrize("name", golden_names("glmm_"))
def test_estimates_agree_with_lme4(name):
    case = golden(name)
    given = case["input"]
    shape = given["modalities"], given["readers"], given["cases"]
    ratings = made(np.reshape(given["y"], shape), None)
    found = pc.glmm(ratings, link=given["link"], random=tuple(given["random"]))
    wanted = case["outputs"]["glmer"]["value"]
    order = found.random.set_index("effect")["sd"]
    values = found.r_values() | {"sd": order[given["random"]]}
    # glmer ends its search near 0 where the maximum is at 0.
    wanted["sd"] = np.where(np.array(wanted["sd"]) < 1e-4, 0.0, wanted["sd"])
    for key, digits in WANTED.items():
        assert_digits(
            np.ravel(values[key]),
            np.ravel(wanted[key]),
            at_least=digits,
            what=key,
        )


def test_outcomes_are_decisions_by_the_threshold():
    ratings = simulated(t=2, r=4, n=40)
    right = (ratings.values >= 0.8) == ratings.truth
    by_hand = pc.glmm(made(right * 1.0, None))
    assert_digits(
        pc.glmm(ratings, **OPTIONS).table["estimate"],
        by_hand.table["estimate"],
        at_least=12,
    )
    hits = pc.glmm(ratings, outcome="sensitivity", threshold=0.8)
    assert hits.n_outcomes == 2 * 4 * int(ratings.truth.sum())
    ill = made(right[..., ratings.truth] * 1.0, None)
    assert_digits(hits.deviance, pc.glmm(ill).deviance, at_least=12)


def test_pairs_are_differences_of_effects_and_the_better_comes_first():
    found = pc.glmm(binary())
    effect = found.effects.set_index("algorithm")["estimate"]
    for row in found.table.itertuples():
        wanted = effect[row.algorithm_1] - effect[row.algorithm_2]
        assert row.estimate == pytest.approx(wanted, rel=1e-12)
    assert found.positions.idxmin() == effect.idxmax()
    p = pc.adjust(found.table["p_value"].to_numpy(), "holm")
    assert_digits(found.table["p_adjusted"], p, at_least=14)
    held = found.to_dict()
    assert held["omnibus"]["statistic_name"] == "chi2"
    assert "Likelihood-ratio" in found.summary()


def test_two_modalities_wald_and_likelihood_ratio_are_near():
    found = pc.glmm(binary(t=2, n=200))
    z2 = float(found.table["statistic"].iloc[0]) ** 2
    assert found.omnibus.statistic == pytest.approx(z2, rel=0.1)


def test_incomplete_tables_are_analysed():
    ratings = binary(t=2)
    values = ratings.values.copy()
    values[0, 0, :3] = np.nan
    found = pc.glmm(made(values, None, design="incomplete"))
    assert found.n_outcomes == ratings.values.size - 3


def test_a_standard_deviation_of_0_is_told():
    rng = np.random.default_rng(2)
    flat = made(rng.integers(0, 2, (2, 3, 40)) * 1.0, None)
    found = pc.glmm(flat)
    zero = found.random[found.random["sd"] == 0]["effect"]
    assert len(zero)
    assert found.notes[0] == f"estimated standard deviation 0: {', '.join(zero)}"


def test_tests_that_reject_too_often_are_noted():
    """With 4 readers z rejected 16 of 100 true hypotheses, without the effect 32."""
    few = "with 4 readers Wald's z and the likelihood ratio test reject too often"
    own = "the model has no effect of modality x reader"
    every = ("case", "reader", "modality x reader")
    for readers, random, wanted in (
        (4, every, [few]),
        (4, every[:2], [few, own]),
        (20, every, []),
        (20, every[:2], [own]),
    ):
        found = pc.glmm(binary(t=2, r=readers), random=random)
        notes = [note for note in found.notes if not note.startswith("estimated")]
        assert len(notes) == len(wanted), notes
        assert all(map(str.startswith, notes, wanted))


@pytest.mark.parametrize(
    ("ratings", "options", "error", "says"),
    [
        (simulated(), {}, InputError, "ratings of 0 and 1"),
        (simulated(), {"outcome": "accuracy"}, InputError, "needs threshold"),
        (binary(), {"threshold": 1.0}, InputError, "has no threshold"),
        (binary(), {"outcome": "hits"}, InputError, "choose one of"),
        (binary(), {"link": "cloglog"}, InputError, "choose .logit. or"),
        (binary(), {"random": ("case",)}, InputError, "'case' and 'reader'"),
        (binary(), {"random": "case"}, InputError, "'case' and 'reader'"),
        (binary(), {"level": 2}, InputError, "level"),
        (binary(), {"adjust": "nemenyi"}, InputError, "nemenyi"),
        (
            binary(),
            {"outcome": "accuracy", "threshold": 1.0},
            InputError,
            "true classes",
        ),
        (simulated(), OPTIONS | {"threshold": np.inf}, InputError, "finite number"),
        (simulated(r=1), OPTIONS, DesignError, "no sample of readers"),
        (simulated(t=1), OPTIONS, DesignError, "needs two modalities"),
        (simulated(), OPTIONS | {"threshold": -99.0}, DesignError, "did not end"),
        (np.ones(3), {}, InputError, "expected Ratings"),
    ],
)
def test_what_cannot_be_fitted_is_refused(ratings, options, error, says):
    with pytest.raises(error, match=says):
        pc.glmm(ratings, **options)


def test_a_modality_that_is_always_right_is_refused_by_name():
    values = binary().values.copy()
    values[1] = 1
    with pytest.raises(DesignError, match="all outcomes of modality 'M2' are 1"):
        pc.glmm(made(values, None))


@pytest.mark.r
def test_r_code_repeats_the_numbers():
    from tests.r_session import run_source

    found = pc.glmm(simulated(t=2, r=4, n=30), link="probit", **OPTIONS)
    answer = run_source(found.r_code())
    assert_digits(found.deviance, answer["deviance"], at_least=7)
    assert_digits(found.table["estimate"], np.ravel(answer["estimate"]), at_least=4)


def test_labels_are_data():
    ratings = binary(t=2)
    odd = dataclasses.replace(ratings, modalities=("1; stop()", "b' || 1"))
    assert "1; stop" not in pc.glmm(odd).r_code()
