"""Columns of pandas that hold the same rows in another order are not paired."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc

N = 24
ROWS = [f"case {i}" for i in range(N)]
LABEL = pd.Series(np.arange(N) % 2, ROWS)
SCORE = pd.Series(np.sin(np.arange(N)) + LABEL.to_numpy(), ROWS)
SCORES = pd.DataFrame({"one": SCORE, "two": np.cos(np.arange(N))})
FOLD = pd.Series(np.arange(N) // 8, ROWS)
CALLS = {
    "auc": lambda order: pc.auc(LABEL, order(SCORE), positive=1),
    "roc_curve": lambda order: pc.roc_curve(LABEL, order(SCORE), positive=1),
    "delong": lambda order: pc.delong(LABEL, order(SCORES), positive=1),
    "delong, mapping": lambda order: pc.delong(
        LABEL, {"one": SCORE, "two": order(SCORE) ** 2}, positive=1
    ),
    "delong, clusters": lambda order: pc.delong(
        LABEL, SCORES, positive=1, cluster=order(FOLD)
    ),
    "auc_interval": lambda order: pc.auc_interval(
        LABEL, SCORE, positive=1, method="fold-t", fold=order(FOLD)
    ),
    "cv_auc": lambda order: pc.cv_auc(LABEL, SCORE, positive=1, fold=order(FOLD)),
    "most_confused": lambda order: pc.most_confused(LABEL, order(FOLD // 2)),
}


def reversed_rows(column):
    return column.iloc[::-1]


def unnamed(column):
    return column.reset_index(drop=True)


@pytest.mark.parametrize("name", CALLS)
def test_the_same_rows_in_another_order_are_refused(name):
    with pytest.raises(pc.InputError) as refused:
        CALLS[name](reversed_rows)
    told = str(refused.value)
    assert "in another order, first at position 1: 'case 0' and 'case 23'" in told


@pytest.mark.parametrize("name", CALLS)
def test_rows_without_names_of_cases_stand_in_their_order(name):
    assert repr(CALLS[name](unnamed)) == repr(CALLS[name](lambda column: column))
