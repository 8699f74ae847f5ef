"""Items by difficulty and rest correlation: what is drawn is what the table has."""

import numpy as np
import pytest

import pycompare as pc
from pycompare import plotting
from pycompare.base.errors import InputError
from pycompare.plotting.item_map import caption
from tests.designs.test_cases import scores as cases


def test_the_dots_are_the_items_of_the_table():
    rng = np.random.default_rng(1)
    ease = rng.normal(size=(30, 1)) + np.linspace(-1, 1, 15)
    right = (ease + rng.logistic(size=(30, 15)) > 0).astype(int)
    right[3] = 1
    table = {f"m{j}": right[:, j].tolist() for j in range(15)}
    found = pc.item_table(pc.Scores.from_wide(table, metric="right", better="higher"))
    axes = plotting.item_map(found)
    [dots] = [a for a in axes.get_children() if a.get_gid() == "items"]
    assert f"{found.negative_by_chance:.0%} are" in " ".join(caption(found))
    known = found.table.dropna()
    assert len(known) < 30
    assert np.array_equal(dots.get_xdata(), known["difficulty"])
    assert np.array_equal(dots.get_ydata(), known["rest_correlation"])


def test_too_few_models_have_no_picture():
    with pytest.raises(InputError, match="too few models"):
        plotting.item_map(pc.item_table(cases()))
