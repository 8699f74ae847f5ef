"""Which conditions of a guarantee the plan itself says do not hold."""

from __future__ import annotations

import pytest

import pycompare as pc
from pycompare.reporting.content import error_rates


@pytest.mark.parametrize(
    ("options", "broken"),
    [
        ({}, ()),
        ({"protocol": "cross-validation"}, ("independent-folds",)),
        ({"protocol": "held-out"}, ("independent-folds", "new-test-sets")),
        ({"n_train": 90, "n_test": 10}, ("independent-folds",)),
    ],
)
def test_folds_are_not_independent_where_the_plan_says_how_they_share_data(
    options, broken
):
    assert error_rates.violated(pc.Plan(**options)) == broken


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"blocks": "folds"}, "folds"),
        ({"blocks": "datasets"}, "blocks"),
        ({"blocks": "folds-of-datasets"}, "blocks"),
        ({"blocks": "folds-of-datasets", "verdict": "model"}, "model"),
    ],
)
def test_the_plan_says_what_the_blocks_of_its_comparison_are(options, where):
    assert error_rates.of_blocks(pc.Plan(**options)) == where
