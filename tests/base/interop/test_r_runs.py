"""R's reference functions for runs within blocks, against second witnesses in R."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.interop.r_call import RCall
from pycompare.base.testing import assert_digits
from tests.r_session import run
from tests.runs import runs_of, simulated

pytestmark = pytest.mark.r


def call(files: str, function: str, **arguments: Any) -> dict[str, Any]:
    (found,) = run([RCall(tuple(files.split()), function, arguments)])
    return found


def test_the_quadratic_form_is_the_printed_formula_without_ties():
    x = np.random.default_rng(1).normal(size=(6, 12))
    files = "ranks mack_skillings"
    form = call(files, "mack_skillings_reference", x=x, algorithms=4)
    printed = call(files, "mack_skillings_printed", x=x, algorithms=4)
    assert_digits(form["statistic"], printed["statistic"], at_least=12, what="MS")


def test_with_one_run_a_cell_the_reference_is_friedman_test():
    x = np.random.default_rng(2).integers(0, 4, size=(9, 4)).astype(float)
    form = call("ranks mack_skillings", "mack_skillings_reference", x=x, algorithms=4)
    friedman = call(
        "ranks friedman", "friedman_reference", x=x, better="lower", ties="corrected"
    )
    for name in ("statistic", "p_value"):
        assert_digits(form[name], friedman[name], at_least=12, what=name)


def test_the_r_code_of_the_results_runs_and_agrees():
    scores = runs_of(simulated())
    for result in (
        pc.replicated_anova(scores),
        pc.mack_skillings(scores),
        pc.mack_skillings(runs_of(simulated(b=2, n=2)), p_value="exact"),
    ):
        (found,) = run([result.r_call()])
        for name, ours in result.r_values().items():
            assert_digits(ours, found[name], at_least=9, what=name)
