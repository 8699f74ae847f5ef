"""Fields of results that are made when they are first read."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest

import pycompare as pc

MAKERS = {
    "friedman": pc.friedman,
    "nemenyi": pc.nemenyi,
    "anova": pc.anova,
    "rank_pairs": pc.rank_pairs,
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_result_says_the_same_before_and_after_it_was_read(name, garcia_herrera):
    fresh = MAKERS[name](garcia_herrera)
    copies = [pickle.loads(pickle.dumps(fresh)), copy.deepcopy(fresh)]
    wanted = fresh.to_dict()
    again = dataclasses.replace(fresh)
    assert all(one.to_dict() == wanted for one in [fresh, again, *copies])


def test_a_table_is_fresh_each_time_and_cannot_be_replaced(garcia_herrera):
    found = pc.rank_pairs(garcia_herrera)
    assert found.table is not found.table and found.table.equals(found.table)
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.table = None


def test_a_result_without_its_table_is_refused(garcia_herrera):
    fields = vars(pc.rank_pairs(garcia_herrera)).copy()
    del fields["table"]
    with pytest.raises(TypeError, match="table"):
        type(pc.rank_pairs(garcia_herrera))(**fields)
