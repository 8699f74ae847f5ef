from __future__ import annotations

import dataclasses

import pytest

import pycompare as pc
from pycompare.plotting.describe import (
    adjustment_text,
    blocks_text,
    position_title,
    untested_text,
)
from pycompare.results.placement import Placement
from tests.methods.orders.by_hand import pairs_result
from tests.plotting.looking import random_scores

TWO = {"a": 1.0, "b": 2.0}


@pytest.mark.parametrize(("monotone", "form"), [(False, "exact"), (True, "monotone")])
def test_bergmann_hommel_says_which_form_it_is(monotone, form):
    result = pc.rank_pairs(random_scores(9, 3), adjust="holm")
    result = dataclasses.replace(result, adjust="bergmann-hommel", monotone=monotone)
    assert adjustment_text(result).endswith(f"adjustment: bergmann-hommel ({form})")


def test_other_adjustments_are_named_as_they_were_chosen():
    assert adjustment_text(pairs_result(TWO)) == "z test by hand; adjustment: holm"


def test_blocks_are_counted_where_the_result_knows_them():
    assert blocks_text(pc.nemenyi(random_scores(9, 3))) == "; 9 blocks, error"
    assert blocks_text(pairs_result(TWO)) == ""


def test_positions_are_named_after_their_difference():
    result = pairs_result(TWO, placement=Placement("mean aligned ranks"))
    assert position_title(result) == "mean aligned ranks"


def test_untested_comparisons_are_counted_only_if_there_are_any():
    assert untested_text(pairs_result(TWO)) == ""
    wanted = "1 of 1 comparison could not be tested."
    assert untested_text(pairs_result(TWO, undefined=["ab"])) == wanted
