"""Power curves: what is drawn is what the table has."""

import numpy as np
import pytest

import pycompare as pc
from pycompare import plotting, sizes


def by_gid(axes, gid):
    return next(artist for artist in axes.get_children() if artist.get_gid() == gid)


def test_lines_and_band_are_those_of_the_table():
    design = sizes.Sign(win=0.8)
    found = pc.power(design, n=[40, 10, 20], trials=300, seed=2)
    axes = plotting.power_curve(found, target=0.8)
    table = found.table.sort_values("n")
    x, y = by_gid(axes, "by-formula").get_data()
    assert np.array_equal(x, table["n"]) and np.array_equal(y, table["power_formula"])
    assert np.array_equal(
        by_gid(axes, "simulated").get_ydata(), table["power_simulated"]
    )
    edges = by_gid(axes, "band").get_paths()[0].vertices[:, 1]
    assert edges.min() == table["conf_low"].min()
    assert edges.max() == table["conf_high"].max()
    assert set(by_gid(axes, "target").get_ydata()) == {0.8}
    assert axes.get_xlabel() == "Number of data sets"


def test_a_formula_without_studies_has_no_band():
    found = pc.power(sizes.Sign(win=0.8), n=[10, 20], trials=0)
    gids = {artist.get_gid() for artist in plotting.power_curve(found).get_children()}
    assert "by-formula" in gids and not {"band", "simulated", "target"} & gids


def test_the_curves_of_a_plan_are_its_shares():
    text = (
        '[data]\nfile = "x.csv"\nformat = "wide"\nblock = "d"\n'
        'algorithms = ["a", "b", "c"]\n[metrics]\nm = "higher"\n'
        '[plan]\nblocks = "datasets"\nmargin = 0.1\nhypothesis = "equivalence"\n'
    )
    plan = pc.PlanFile(content=text.encode())
    truth = {"effects": {"a": 0.05}, "sd": 0.05, "correlation": 0.5}
    found = pc.planned_power(plan, n=[14, 12], trials=4, **truth)
    axes = plotting.power_curve(found)
    for name, gid in (
        ("better: all of these", "all-true-differences"),
        ("within margin: any of these", "margin,-any-pair-within-it"),
    ):
        rows = found.table[found.table["conclusion"] == name].sort_values("n")
        x, y = by_gid(axes, gid).get_data()
        assert x.tolist() == [12, 14] and y.tolist() == rows["share"].tolist()
    equal = pc.planned_power(
        plan, n=[12, 14], trials=2, **{**truth, "effects": {"a": 0}}
    )
    assert set(equal.curves()) == {
        "margin, all pairs within it", "margin, any pair within it"
    }  # fmt: skip


def test_one_size_is_refused():
    found = pc.power(sizes.Sign(win=0.8), n=20, trials=0)
    with pytest.raises(pc.InputError, match="two sizes or more"):
        plotting.power_curve(found)
