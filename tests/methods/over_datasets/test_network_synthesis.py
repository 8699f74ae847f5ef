"""Synthesis over studies that compare some of several methods."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from pycompare.results.guarantees import MEASURED
from tests.conftest import golden
from validation.checks.diagnostics import network_of

COLUMNS = ("estimate", "std_error", "statistic", "p_value", "conf_low", "conf_high")


def rows(**changes):
    given = {
        "estimate": [0.10, 0.14, -0.03, 0.02, 0.16, 0.11, -0.05, 0.06],
        "std_error": [0.04, 0.05, 0.03, 0.04, 0.04, 0.05, 0.05, 0.04],
        "study": ["s1", "s2", "s3", "s4", "s5", "<b>", "<b>", "<b>"],
        "algorithm_1": list("AABBAABA"),
        "algorithm_2": list("BBCCCBCC"),
    }
    return given | changes


def synthesis(given, **options):
    rest = {name: value for name, value in given.items() if name != "estimate"}
    return pc.network_synthesis(given["estimate"], **rest, **options)


def test_numbers_of_senns_drugs_are_those_of_metafor():
    case = golden("network_senn2013")
    wanted = case["outputs"]["knha"]["value"]
    given = case["input"]
    found = pc.network_synthesis(
        given["estimate"], std_error=given["std_error"], study=given["study"],
        algorithm_1=given["first"], algorithm_2=given["second"], control="placebo",
    )  # fmt: skip
    table = found.table.set_index("algorithm_1").loc[wanted["treatment"]]
    for name in ("estimate", "std_error", "p_value", "conf_low", "conf_high"):
        assert_digits(table[name], wanted[name], at_least=10, what=name)
    assert set(table["df"]) == {wanted["df"]} and set(table["algorithm_2"]) == {
        "placebo"
    }
    for name in ("tau2", "q", "q_p_value"):
        assert_digits(getattr(found, name), wanted[name], at_least=10, what=name)
    assert found.n_studies == 26 and found.q_df == 18


def test_two_methods_are_synthesis():
    rng = np.random.default_rng(3)
    y, error = rng.normal(size=7), rng.uniform(0.2, 0.6, size=7)
    study = [f"s{i}" for i in range(7)]
    one = pc.synthesis(y, std_error=error, level=0.9)
    found = pc.network_synthesis(
        y, std_error=error, study=study, algorithm_1=["A"] * 7, algorithm_2=["B"] * 7,
        level=0.9,
    )  # fmt: skip
    row = found.table.iloc[0]
    for name in (*COLUMNS, "df", "predicted_low", "predicted_high"):
        assert_digits(row[name], getattr(one, name), at_least=11, what=name)
    for name in ("tau2", "tau2_low", "tau2_high", "q", "q_p_value"):
        assert_digits(getattr(found, name), getattr(one, name), at_least=9, what=name)


def test_turned_rows_and_orders_change_nothing():
    first = synthesis(rows()).table
    given = rows()
    turned = {
        "estimate": [-y for y in given["estimate"]][::-1],
        "std_error": given["std_error"][::-1],
        "study": given["study"][::-1],
        "algorithm_1": given["algorithm_2"][::-1],
        "algorithm_2": given["algorithm_1"][::-1],
    }
    other = synthesis(turned).table
    pairs = {
        frozenset(r[:2]): r
        for r in other[["algorithm_1", "algorithm_2", *COLUMNS]].itertuples(index=False)
    }
    for row in first.itertuples():
        same = pairs[frozenset((row.algorithm_1, row.algorithm_2))]
        sign = 1 if same.algorithm_1 == row.algorithm_1 else -1
        assert_digits(sign * same.estimate, row.estimate, at_least=10)
        assert_digits(same.p_value, row.p_value, at_least=9)


@pytest.mark.parametrize("unit", [1e-150, 1e150])
def test_the_unit_does_not_matter(unit):
    first = synthesis(rows()).table
    given = rows()
    scaled = {n: [unit * v for v in given[n]] for n in ("estimate", "std_error")}
    other = synthesis(rows(**scaled)).table
    assert_digits(other["p_adjusted"], first["p_adjusted"], at_least=9)
    assert_digits(other["conf_low"], unit * first["conf_low"], at_least=9)


def test_differences_are_consistent_and_pairs_without_a_study_have_one():
    draw = network_of(9, methods=5, most=2)(np.random.default_rng(1))
    found = synthesis(draw.rows)
    table = found.table.set_index(["algorithm_1", "algorithm_2"])["estimate"]
    names = found.algorithms
    for i in range(1, 4):
        way = table[names[0], names[i]] + table[names[i], names[4]]
        assert_digits(way, table[names[0], names[4]], at_least=9)
    assert (found.table["n_studies"] == 0).any()
    assert found.table["p_adjusted"].between(0, 1).all()


def test_equal_estimates_have_no_spread_and_no_test():
    found = synthesis(rows(estimate=[0.1, 0.1, 0.1, 0.1, 0.2, 0.1, 0.1, 0.2]))
    assert found.tau2 == 0
    assert found.notes[0].startswith("the Hartung-Knapp standard errors are")


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"estimate": [0.10, 0.14, -0.03, 0.02, 0.16, 0.11, -0.05, 0.12]},
         pc.InputError, r"study '<b>': 'B' - 'C' differs by 1.5 standard errors"),
        ({"std_error": [0.04, 0.05, 0.03, 0.04, 0.04, 0.01, 0.05, 0.02]},
         pc.InputError, "no covariance matrix has these standard errors"),
        ({"std_error": [0.0] * 8}, pc.InputError, "number 1 is 0.0: give positive"),
        ({"algorithm_2": list("BBCCCBCB")}, pc.InputError, "twice: average"),
        ({"algorithm_2": list("BBCCCBCA")}, pc.InputError, "'A' with itself"),
        ({"study": ["s1", "s2", "s3", "s4", "s5", "<b>", "<b>", "s7"]},
         pc.InputError, "study '<b>' lacks the difference of 'A' and 'C'"),
        ({"study": ["s1"] * 7}, pc.InputError, "study"),
    ],
)  # fmt: skip
def test_rows_that_are_no_studies_are_rejected(changes, error, message):
    with pytest.raises(error, match=message):
        synthesis(rows(**changes))


def test_methods_without_a_link_and_too_few_studies_are_rejected():
    apart = rows(
        algorithm_1=list("AABBDDDE"), algorithm_2=list("BBCCEEFF"),
        study=list("abcdefgh"),
    )  # fmt: skip
    with pytest.raises(pc.DesignError, match="links 'A', 'B', 'C' with 'D', 'E', 'F'"):
        synthesis(apart)
    few = {name: value[3:5] for name, value in rows().items()}
    with pytest.raises(pc.DesignError, match="no degrees of freedom for the spread"):
        synthesis(few)
    with pytest.raises(pc.InputError, match="control"):
        synthesis(rows(), control="D")


def test_estimates_that_agree_but_for_rounding_have_no_test():
    found = pc.network_synthesis(
        [0.1, 0.1], std_error=[0.1, 0.1], study=["1", "2"],
        algorithm_1=["A", "A"], algorithm_2=["B", "B"],
    )  # fmt: skip
    assert found.table["p_value"].isna().all()
    assert "errors are 0, as all estimates agree" in found.notes[0]
    assert found.r_call() is None


@pytest.mark.parametrize("spread", [0.02, 3.0])
def test_many_studies_without_a_sure_spread_say_that_predictions_are_short(spread):
    found = synthesis(network_of(40, spread=spread)(np.random.default_rng(2)).rows)
    text = MEASURED["network_synthesis, little spread: new study"].text
    assert (found.tau2_low == 0) == (spread < 1)
    assert (text in found.notes) == (spread < 1)
