"""Ratios of predictive values and likelihood ratios."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits

# Paired1 of DTComPair 1.2 (diseased, test 1, test 2, cases), and what its functions
# print: pv.rpv, pv.wgs, dlr.regtest. Its relative values are test 2 over test 1 for
# predictive values, test 1 over test 2 for likelihood ratios.
COUNTS = (
    (1, 1, 1, 319), (1, 1, 0, 78), (1, 0, 1, 22), (1, 0, 0, 32),
    (0, 1, 1, 31), (0, 1, 0, 53), (0, 0, 1, 22), (0, 0, 0, 155),
)  # fmt: skip
RATIOS = {
    "ppv": (1 / 1.04860693782046, 0.0199124719009791, 0.017146122186081),
    "npv": (1 / 0.853640336851082, 0.0378367854639457, 2.88556810849985e-05),
    "lr_positive": (0.734569194246662, 0.132608593613874, 0.0200091015152403),
    "lr_negative": (0.576887519260368, 0.137376033544841, 6.21762651682127e-05),
}
SCORES = {"ppv": 0.0193912041446924, "npv": 4.77501160067728e-05}
VALUES = {"ppv": 0.825363825363825, "lr_positive": 2.73511244852708}


def paired(counts=COUNTS):
    rows = [c[:3] for c in counts for _ in range(c[3])]
    ill, first, second = np.array(rows).T
    return ill, {"first": first, "second": second}


def test_the_numbers_are_those_of_dtcompair():
    found = pc.diagnostic_pairs(*paired(), positive=1)
    table = found.table.set_index("measure")
    for measure, (ratio, error, p) in RATIOS.items():
        row = table.loc[measure]
        assert_digits(row["estimate"], ratio, at_least=12, what=measure)
        assert_digits(row["std_error"], error, at_least=11, what=measure)
        assert_digits(row["p_value"], p, at_least=11, what=measure)
    for measure, p in SCORES.items():
        assert_digits(table.loc[measure, "score_p_value"], p, at_least=11)
    tests = found.tests.set_index("algorithm")
    for measure, value in VALUES.items():
        assert_digits(tests.loc["first", measure], value, at_least=12)
    assert found.prevalence == 451 / 712


def test_the_variance_is_that_of_resampled_cases():
    ill, results = paired(tuple((*c[:3], max(c[3] // 4, 5)) for c in COUNTS))
    found = pc.diagnostic_pairs(ill, results, positive=1)
    rng = np.random.default_rng(1)
    drawn = []
    for _ in range(600):
        at = rng.integers(len(ill), size=len(ill))
        again = {name: r[at] for name, r in results.items()}
        drawn.append(pc.diagnostic_pairs(ill[at], again, positive=1).table["estimate"])
    spread = np.log(np.array(drawn, float)).std(axis=0)
    # 600 resamples: a standard deviation of 3 %.
    assert np.allclose(found.table["std_error"], spread, rtol=0.12)


def test_turned_tests_have_inverse_ratios_and_equal_p_values():
    ill, results = paired()
    one = pc.diagnostic_pairs(ill, results, positive=1).table
    turned = dict(reversed(results.items()))
    other = pc.diagnostic_pairs(ill, turned, positive=1).table
    assert_digits(other["estimate"], 1 / one["estimate"], at_least=13)
    assert_digits(other["conf_low"], 1 / one["conf_high"], at_least=13)
    for name in ("p_value", "p_adjusted", "score_p_value"):
        assert_digits(other[name], one[name], at_least=12)


def test_the_other_class_exchanges_predictive_values():
    ill, results = paired()
    one = pc.diagnostic_pairs(ill, results, positive=1).tests
    negated = {name: 1 - r for name, r in results.items()}
    other = pc.diagnostic_pairs(1 - ill, negated, positive=1).tests
    assert list(one["ppv"]) == list(other["npv"])
    assert list(one["sensitivity"]) == list(other["specificity"])
    assert_digits(one["lr_positive"], 1 / other["lr_negative"], at_least=13)


def test_order_and_names_of_tests_and_cases_change_no_number():
    ill, results = paired()
    rng = np.random.default_rng(2)
    third = np.where(rng.random(len(ill)) < 0.1, 1 - results["first"], results["first"])
    hostile = {"<b>": results["first"], "NA": results["second"], "a,b": third}
    at = rng.permutation(len(ill))
    one = pc.diagnostic_pairs(ill, hostile, positive=1).table
    moved = {name: r[at] for name, r in hostile.items()}
    other = pc.diagnostic_pairs(ill[at], moved, positive=1).table
    for name in ("estimate", "p_value", "p_adjusted", "conf_low"):
        assert_digits(other[name], one[name], at_least=12)
    assert list(one["algorithm_2"][:3]) == ["NA", "a,b", "a,b"]


def test_holm_is_over_measures_and_pairs():
    found = pc.diagnostic_pairs(*paired(), positive=1, measures=["npv", "ppv"])
    assert list(found.table["measure"]) == ["ppv", "npv"]
    wanted = pc.adjust(found.table["p_value"].to_numpy(), "holm")
    assert list(found.table["p_adjusted"]) == list(wanted)
    assert found.family == "2 measures of 1 pair"


def test_a_count_of_0_has_no_test():
    counts = tuple((*c[:3], 0 if c[0] == 0 and c[1] else c[3]) for c in COUNTS)
    found = pc.diagnostic_pairs(*paired(counts), positive=1)
    table = found.table.set_index("measure")
    assert np.isnan(table.loc["lr_positive", "p_value"])
    assert np.isfinite(table.loc["npv", "p_value"])
    assert any(
        note.startswith("lr_positive of first and second") for note in found.notes
    )


def test_tests_with_the_same_results_have_no_interval():
    ill, results = paired()
    twice = {"first": results["first"], "again": results["first"]}
    found = pc.diagnostic_pairs(ill, twice, positive=1)
    assert (found.table["estimate"] == 1).all()
    assert found.table[["conf_low", "conf_high", "p_value"]].isna().all(axis=None)
    assert found.table["p_adjusted"].isna().all()
    assert len(found.notes) == 4
    assert "have the same results" in found.notes[0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"measures": ["auc"]}, "measures has 'auc': choose from ppv, npv"),
        ({"measures": []}, "measures has nothing"),
        ({"adjust": "shaffer"}, "not transitive"),
        ({"positive": 2}, "no case has this label"),
    ],
)
def test_what_cannot_be_used_is_named(change, message):
    with pytest.raises(pc.InputError, match=message):
        pc.diagnostic_pairs(*paired(), **{"positive": 1, **change})


def test_scores_are_no_results():
    with pytest.raises(pc.InputError, match=r"result of test 'b' on case 2 is 0\.4"):
        pc.diagnostic_pairs([1, 0], {"a": [1, 0], "b": [1, 0.4]}, positive=1)
