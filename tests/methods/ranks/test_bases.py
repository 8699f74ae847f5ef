"""Names of what was tested and how, as results and the ledger have them."""

from __future__ import annotations

import numpy as np
import pytest

import pycompare as pc
from tests.conftest import wide

SCORES = wide(np.random.default_rng(3).normal(size=(9, 4)))


@pytest.mark.parametrize(
    ("method", "basis"),
    [("friedman", "ranks"), ("aligned", "aligned-ranks"), ("quade", "quade-ranks")],
)
@pytest.mark.parametrize("p_value", ["normal", "sign-flips"])
def test_the_basis_names_ranks_and_p_values(method, basis, p_value):
    found = pc.rank_pairs(SCORES, method=method, p_value=p_value)
    assert found.basis == f"{basis}/{p_value}"


def test_with_missing_cells_the_basis_is_skillings_and_macks():
    values = np.random.default_rng(3).normal(size=(9, 4))
    values[0, 0] = np.nan
    found = pc.rank_pairs(wide(values, missing="model"), method="skillings-mack")
    assert found.basis.startswith("skillings-mack/")


@pytest.mark.parametrize(("on", "of"), [("ranks", "ranks"), ("scores", "differences")])
def test_max_t_says_what_is_flipped(on, of):
    found = pc.max_t(SCORES, on=on)
    assert found.method == f"sign-flip tests of mean {of}"
    assert found.hypotheses.name == (
        "equal mean ranks" if on == "ranks" else "equal means"
    )


@pytest.mark.parametrize(
    ("p_value", "name"),
    [
        ("exact", "only A1"),
        ("mid-p", "only A1"),
        ("chi2", "chi2"),
        ("chi2-corrected", "chi2"),
    ],
)
def test_mcnemar_names_its_statistic(p_value, name):
    right = np.array([[1, 0], [1, 1], [0, 1], [1, 0], [1, 0], [0, 0]])
    assert pc.mcnemar(wide(right), p_value=p_value).statistic_name == name


def test_the_sign_test_names_its_estimate():
    found = pc.sign_test(wide(np.random.default_rng(1).normal(size=(7, 2))))
    assert found.statistic_name == "positive"
    assert found.estimate_name == "share of blocks with a positive difference of score"
