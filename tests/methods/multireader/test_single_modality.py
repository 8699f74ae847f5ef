"""One modality over readers and cases."""

from __future__ import annotations

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import DesignError, InputError
from pycompare.base.testing import assert_digits
from tests.methods.multireader.readers import made, simulated

COLUMNS = ["estimate", "std_error", "df", "conf_low", "conf_high"]
SCOPES = [("random", "random"), ("fixed", "random"), ("random", "fixed")]


@pytest.mark.parametrize("scope", SCOPES, ids=str)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"covariance": "delong"},
        {"figure": "sensitivity", "threshold": 0.8},
        {"figure": "partial_auc", "fpr_range": (0, 0.5)},
    ],
    ids=str,
)
def test_it_is_the_row_of_the_modality_in_a_comparison(scope, options):
    ratings = simulated(t=3, r=5, n=40)
    options = options | dict(zip(("readers", "cases"), scope, strict=True))
    rows = pc.mrmc(ratings, **options).areas.set_index("algorithm")
    for name in ratings.modalities:
        found = pc.single_modality(ratings, modality=name, **options)
        got = found.to_frame()[COLUMNS].to_numpy().ravel()
        assert_digits(got, rows.loc[name, COLUMNS].to_numpy(float), at_least=12)


def test_one_reader_has_delongs_interval():
    ratings = simulated(t=1, r=1, n=60)
    found = pc.single_modality(ratings, readers="fixed", covariance="delong")
    want = pc.auc_interval(
        ratings.truth, ratings.values[0, 0], positive=True, method="delong"
    )
    got = [found.estimate, found.conf_low, found.conf_high]
    assert_digits(got, [want.estimate, want.conf_low, want.conf_high], at_least=12)


def test_the_test_and_the_interval_agree():
    ratings = simulated(t=1, r=4, n=40)
    found = pc.single_modality(ratings)
    assert np.isnan(found.p_value)
    at = pc.single_modality(ratings, null=found.conf_low)
    assert at.p_value == pytest.approx(0.05, rel=1e-9)


def test_fixed_cases_are_the_t_interval_of_readers():
    from scipy import stats

    ratings = simulated(t=1, r=6, n=40)
    found = pc.single_modality(ratings, cases="fixed", null=0.5)
    want = stats.ttest_1samp(found.by_reader["estimate"], 0.5)
    assert_digits(
        [found.statistic, found.p_value], [want.statistic, want.pvalue], at_least=12
    )
    assert found.df == 5


def test_components_of_one_modality():
    found = pc.single_modality(simulated(t=1, r=5, n=40))
    part = found.components.set_index("component")["estimate"]
    between = found.by_reader["estimate"].var()
    assert between == pytest.approx(part["reader"] + part["error"] - part["Cov2"])
    variance = between / 5 + part["Cov2"]
    assert found.std_error == pytest.approx(np.sqrt(variance))


def test_perfect_readers_have_no_interval():
    ratings = simulated(t=1, r=3, n=20)
    perfect = made(np.broadcast_to(ratings.truth * 1.0, (1, 3, 20)), ratings.truth)
    found = pc.single_modality(perfect, null=0.5)
    assert found.estimate == 1
    assert np.isnan(found.p_value)
    assert "nothing is tested" in found.notes[0]


@pytest.mark.parametrize(
    ("ratings", "options", "error", "says"),
    [
        (simulated(), {}, InputError, "'M1', 'M2', 'M3': name one, modality="),
        (simulated(t=1), {"null": "half"}, InputError, "null='half': give a finite"),
        (simulated(), {"modality": "M9"}, InputError, "M9"),
        (simulated(t=1, r=1), {}, DesignError, "choose readers='fixed'"),
        (
            simulated(t=1),
            {"readers": "fixed", "cases": "fixed"},
            InputError,
            "cannot both be fixed",
        ),
        (simulated(t=1), {"readers": "both"}, InputError, "choose 'random'"),
        (simulated(t=1), {"covariance": "bootstrap"}, InputError, "is for comparisons"),
        (simulated(t=1), {"null": np.nan}, InputError, "null=nan"),
        (np.ones(3), {}, InputError, "expected Ratings"),
    ],
)
def test_what_cannot_be_estimated_is_refused(ratings, options, error, says):
    with pytest.raises(error, match=says):
        pc.single_modality(ratings, **options)


def test_a_comparison_of_one_points_here():
    with pytest.raises(DesignError, match=r"pc\.single_modality"):
        pc.mrmc(simulated(t=1))


@pytest.mark.r
def test_r_code_repeats_the_numbers():
    from tests.r_session import run_source

    found = pc.single_modality(simulated(t=1, r=4, n=24), null=0.6)
    answer = run_source(found.r_code())
    for name, ours in found.r_values().items():
        theirs = np.ravel(answer[name]).astype(float)
        assert_digits(np.ravel(ours), theirs, at_least=10, what=name)
