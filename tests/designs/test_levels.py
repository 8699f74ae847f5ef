"""Scores whose level differs by 1,000 times between data sets are asked about.

The table of errors is made up after a published one that is not free to copy: mean
absolute errors of two forecasts of 20 series, each in the unit of its series, from
0.44 to 56,800. Five of the series are of one domain, whose unit could be another.
"""

from __future__ import annotations

import dataclasses
import re
import shlex

import numpy as np
import pytest

import pycompare as pc
from tests.command_line import command
from tests.conftest import wide

BASE = np.array(
    [0.44, 0.817, 1.52, 2.82, 5.24, 9.74, 18.1, 33.6, 62.4, 116, 215, 400, 744, 1380,
     2570, 4770, 8860, 16500, 30600, 56800]
)  # fmt: skip
RATIO = np.array(
    [0.919, 0.933, 1.023, 1.05, 1.128, 1.086, 1.02, 0.936, 0.872, 0.939, 0.98, 0.949,
     0.945, 0.884, 0.972, 1.003, 1.002, 0.99, 0.978, 0.855]
)  # fmt: skip
DOMAIN = slice(2, 7)


def series(unit: float = 1.0, a: int = 2) -> pc.Scores:
    """Return errors on 20 series; those of one domain in another unit."""
    base = BASE.copy()
    base[DOMAIN] *= unit
    columns = [base, base * RATIO, base * RATIO[::-1]][:a]
    scores = wide(np.column_stack(columns), better="lower")
    return dataclasses.replace(scores, metrics=(pc.Metric("mae", "lower"),))


def p_value(scores: pc.Scores, **keys) -> float:
    [analysis] = pc.compare(scores, pc.Plan(blocks="datasets", **keys)).analyses
    [decision] = analysis.decisions
    return decision.p_value


def test_the_unit_of_one_domain_decides_differences_but_no_ratio():
    own = {unit: p_value(series(unit), scale="difference") for unit in (1, 1000)}
    assert own == pytest.approx({1: 0.0328, 1000: 0.5958}, abs=1e-4)
    one, other = (p_value(series(unit), scale="ratio") for unit in (1, 1000))
    assert one == pytest.approx(other, rel=1e-12)


def test_the_question_names_what_arrived_and_each_answer():
    with pytest.raises(pc.PlanError) as refused:
        pc.compare(series(a=3), pc.Plan(blocks="datasets"))
    told = str(refused.value)
    assert "levels: medians of 'mae' by block range from 0.404 to 52199" in told
    for way in ("scale='ratio'", "compares='ranks'", "scale='difference'"):
        assert way in told


@pytest.mark.parametrize("shape", ["options", "plan"])
def test_following_each_answer_gives_a_report(shape, tmp_path, blank_pictures):
    series(a=3).to_wide().to_csv(tmp_path / "mae.csv")
    said = ["compare", str(tmp_path / "mae.csv")]
    as_toml = tmp_path / "plan.toml"
    if shape == "options":
        said += ["--wide", "--metric", "mae:lower"]
    else:
        as_toml.write_text(
            '[data]\nfile = "mae.csv"\nformat = "wide"\nblock = "block"\n'
            '[metrics]\nmae = "lower"\n[plan]\nblocks = "datasets"\n'
        )
        said = ["run", str(as_toml)]
    code, _, asked = command(*said, "--out", tmp_path / "r")
    assert code == 2 and not (tmp_path / "r").exists()
    sign = r"--{} \w+" if shape == "options" else r'{} = "\w+"'
    ways = re.findall(sign.format("(?:scale|compares)"), asked)
    assert len(ways) == 3, asked
    plan = as_toml.read_text() if shape == "plan" else ""
    for number, way in enumerate(ways):
        more = shlex.split(way) if shape == "options" else []
        if shape == "plan":
            as_toml.write_text(plan + way + "\n")
        out = tmp_path / f"r{number}"
        code, _, wrong = command(*said, *more, "--out", out)
        assert code == 0 and (out / "report.html").exists(), wrong


def test_groups_are_asked_about_one_by_one():
    scores = series(a=3)
    near = dataclasses.replace(
        scores, groups=tuple("ab"[value > 100] for value in BASE.tolist())
    )
    keys = {"blocks": "datasets", "family": "metric"}
    assert pc.compare(near, pc.Plan(**keys)).part("a").analyses
    with pytest.raises(pc.PlanError, match="levels: medians of 'mae'"):
        pc.compare(near, pc.Plan(**keys, groups="each-and-all"))
    apart = dataclasses.replace(
        scores, groups=tuple("ab"[at < 2] for at in range(len(BASE)))
    )
    with pytest.raises(pc.PlanError, match="group 'a': levels: medians of 'mae'"):
        pc.compare(apart, pc.Plan(**keys))


@pytest.mark.parametrize("name", ["garcia-herrera-2008", "folds"])
def test_the_examples_are_not_asked_about(name):
    assert pc.compare(pc.example(name)).analyses
