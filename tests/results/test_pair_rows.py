"""Pairs by their places: shared by tables, and found again."""

from __future__ import annotations

import numpy as np
import pytest

import pycompare as pc
from pycompare.results import pair_rows
from pycompare.results.pair_rows import PairRows

NAMES = tuple("abcdef")
FIRST, SECOND = (places.astype(np.int32) for places in np.triu_indices(6, 1))
ALL = PairRows(NAMES, FIRST, SECOND)


def test_tables_of_the_same_pairs_share_them():
    scores = pc.example()
    ranks, means = pc.rank_pairs(scores), pc.paired_t_pairs(scores)
    assert ranks.pair_rows is means.pair_rows
    with_control = pc.rank_pairs(scores, control="C4.5", adjust="holm")
    assert with_control.pair_rows is not ranks.pair_rows
    assert len(with_control.pair_rows) == 4


@pytest.mark.parametrize("few", [2, 500])
def test_pairs_are_located_whether_a_square_is_kept_or_not(monkeypatch, few):
    monkeypatch.setattr(pair_rows, "_FEW", few)
    rng = np.random.default_rng(4)
    order, turn = rng.permutation(15)[:9], rng.random(15) < 0.5
    some = ALL.turned(turn).take(order)
    rows, turned = (every := PairRows(NAMES, FIRST, SECOND)).located(some)
    assert rows.tolist() == order.tolist()
    assert turned.tolist() == turn[order].tolist()
    assert ("_square" in vars(every)) == (few == 500)
    back, _ = some.located(ALL)
    assert np.array_equal(np.flatnonzero(back >= 0), np.sort(order))
    assert [some.row(ALL.ends(row)) for row in order] == [*range(9)]


def test_a_table_is_located_in_itself():
    rows, turned = ALL.located(PairRows(NAMES, FIRST.copy(), SECOND.copy()))
    assert rows.tolist() == [*range(15)] and not turned.any()
