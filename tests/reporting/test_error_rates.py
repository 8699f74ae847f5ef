"""Which conditions of a guarantee the plan itself says do not hold."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import pycompare as pc
from pycompare.designs import error_rates
from pycompare.results.guarantees import BLOCKS, FOLDS, MODEL_OF_FOLDS, guarantee


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
    assert pc.Plan(**options).violated == broken


@pytest.mark.parametrize(
    ("options", "units"),
    [
        ({"blocks": "folds"}, FOLDS),
        ({"blocks": "datasets"}, BLOCKS),
        ({"blocks": "folds-of-datasets"}, BLOCKS),
        ({"blocks": "folds-of-datasets", "compares": "model"}, MODEL_OF_FOLDS),
    ],
)
def test_the_plan_says_what_the_blocks_of_its_comparison_are(options, units):
    assert error_rates.of_plan(pc.Plan(**options)) == units


@pytest.mark.parametrize(
    ("basis", "broken"), [("means/corrected", ("new-test-sets",)), ("ranks/exact", ())]
)
def test_only_what_shares_training_data_loses_its_guarantee(basis, broken):
    found = SimpleNamespace(
        basis=basis,
        adjust="holm",
        control=None,
        clustered=False,
        fixed=(),
        decided_in=None,
    )
    rate = error_rates.error_rate(found, pc.Plan(protocol="held-out"), BLOCKS)
    assert rate.broken == broken


@pytest.mark.parametrize(("blocks", "units"), [("folds", FOLDS), ("datasets", BLOCKS)])
def test_margins_of_folds_have_the_guarantee_of_folds(blocks, units):
    found = SimpleNamespace(
        basis="margins/t",
        adjust="holm",
        control=None,
        clustered=False,
        fixed=(),
        decided_in=None,
    )
    claim = guarantee("margins/t/holm")
    assert error_rates.of_margin(found, pc.Plan(blocks=blocks)) == claim.of(units)
