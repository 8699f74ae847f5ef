"""``pycompare model``: the tables of a formula, or one line and status 2."""

import json

import pytest

import pycompare as pc
from pycompare.base.testing import assert_digits
from validation.checks.models import designed


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "runs.csv"
    designed(1).to_csv(path, index=False)
    return path


def test_it_prints_what_the_function_returns(pycompare, table):
    formula = "cbind(error, auc) ~ learner * prep"
    status, text, _ = pycompare(
        *("model", table, "--formula", formula, "--within", "data", "--json"),
        *("--means", "learner:prep", "--contrasts", "learner"),
    )
    found = json.loads(text)["tables"]
    wanted = pc.linear_model(designed(1), formula, within="data")
    assert status == 0
    got = [row["p_value"] for row in found["Tests of terms"][:3]]
    assert_digits(got, wanted.anova["p_value"][:3], at_least=12)
    assert len(found["Means of error by learner:prep"]) == 6
    assert len(found["Comparisons of auc by learner (holm)"]) == 3
    assert "Multivariate tests of learner:prep" in found
    status, text, _ = pycompare("model", table, "--formula", formula)
    assert status == 0 and "Tests of terms" in text


def test_unbalanced_units_print_variances(pycompare, tmp_path):
    path = tmp_path / "gaps.csv"
    designed(1, 6).to_csv(path, index=False)
    status, text, _ = pycompare(
        *("model", path, "--formula", "cbind(error, auc) ~ learner", "--json"),
        *("--within", "data", "--df", "satterthwaite"),
    )
    found = json.loads(text)
    assert status == 0 and "Satterthwaite" in found["notes"][0]
    assert len(found["tables"]["Variances of units (REML)"]) == 4


def test_bad_formulas_and_files_are_one_line(pycompare, table, tmp_path):
    for formula in ("error ~", "error ~ I(x)", "error ~ nothing"):
        status, _, said = pycompare("model", table, "--formula", formula)
        assert status == 2 and said.count("\n") == 1
    status, _, said = pycompare("model", tmp_path / "no.csv", "--formula", "a ~ b")
    assert status == 2 and "no.csv" in said


def test_an_unknown_column_is_answered_with_all_columns_of_the_file(pycompare, table):
    for formula, within in (("error ~ lerner", "data"), ("error ~ learner", "dta")):
        status, _, err = pycompare(
            "model", table, "--formula", formula, "--within", within
        )
        assert status == 2 and "the data have no column" in err and "did you" in err
        assert all(f"'{name}'" in err for name in designed(1).columns)


def test_a_cell_that_is_no_number_is_named(pycompare, tmp_path):
    frame = designed(1).astype({"error": str})
    frame.loc[3, "error"] = "inf"
    frame.to_csv(tmp_path / "runs.csv", index=False)
    status, _, err = pycompare(
        "model", tmp_path / "runs.csv", "--formula", "error ~ learner"
    )
    assert status == 2 and "'error' is not numeric, first in row 4: 'inf'" in err


def test_an_integer_that_no_float_holds_is_named_where_it_is(pycompare, tmp_path):
    frame = designed(1).astype({"error": str})
    frame.loc[3, "error"] = "9007199254740993"
    frame.to_csv(tmp_path / "runs.csv", index=False)
    status, _, err = pycompare(
        "model", tmp_path / "runs.csv", "--formula", "error ~ learner"
    )
    assert status == 2
    assert "first in row 4: '9007199254740993' is an integer that float64" in err
