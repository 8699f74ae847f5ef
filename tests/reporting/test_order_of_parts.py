"""No sentence speaks for all metrics, groups or blocks with the words of the first."""

import re

import numpy as np
import pytest

import pycompare as pc
from pycompare.reporting.comparison_report import ComparisonReport
from pycompare.reporting.content import family_report
from pycompare.reporting.document import plain

RNG = np.random.default_rng(37)
RIGHT = (RNG.random((60, 3)) < [0.6, 0.7, 0.8]).astype(float)
GRADED = RNG.normal(size=(60, 3)) + np.array([0, 0.2, 0.5])


def scores(first, second, a=3, **options):
    """Return two metrics of the first algorithms."""
    values = np.stack([first[:, :a], second[:, :a]], axis=2)
    metrics = (pc.Metric("right", "higher"), pc.Metric("loss", "lower"))
    blocks = tuple(f"b{i}" for i in range(len(values)))
    return pc.Scores(values, blocks, tuple("ABC"[:a]), metrics, **options)


def with_gap(values):
    values = values.copy()
    values[0, 0] = np.nan
    return values


GROUPS = ("small",) * 4 + ("large",) * 40
DATASETS = {"blocks": "datasets"}
MADE = {
    "cases": (scores(RIGHT, GRADED), {"blocks": "cases"}),
    "two on cases": (scores(RIGHT, GRADED, 2), {"blocks": "cases"}),
    "cases, one family": (scores(RIGHT, GRADED), {"blocks": "cases", "family": "all"}),
    "two on cases, one family": (
        scores(RIGHT, GRADED, 2),
        {"blocks": "cases", "family": "all"},
    ),
    "two": (scores(GRADED[:9], RIGHT[:9], 2), DATASETS),
    "two, one family": (
        scores(GRADED[:9], RIGHT[:9], 2),
        {**DATASETS, "family": "all"},
    ),
    "ranks with a gap": (
        scores(with_gap(GRADED[:9]), RIGHT[:9], missing="model"),
        {**DATASETS, "adjust": ("holm",)},
    ),
    "two on folds": (scores(GRADED[:9], RIGHT[:9], 2), {"blocks": "folds"}),
    "data sets": (
        scores(GRADED, -GRADED[::-1], datasets=tuple(f"d{i // 10}" for i in range(60))),
        {"compares": "means"},
    ),
    "groups": (
        scores(GRADED[:44], RIGHT[:44], groups=GROUPS),
        {**DATASETS, "family": "metric"},
    ),
    "groups, one family": (
        scores(GRADED[:44], GRADED[:44][::-1], groups=GROUPS),
        {**DATASETS, "family": "all"},
    ),
}


def words(text):
    """Return the words of a sentence; lists of names may be in any order."""
    return tuple(sorted(re.findall(r"[^\s,;.:()]+", text)))


def stated(given, plan):
    comparison = pc.compare(given, pc.Plan(**plan))
    told = ComparisonReport(comparison)
    lines = [*told.plan(), *told.scope(), *told.limits()]
    cells = told.methods().cells()
    lines += [" | ".join(plain(cell.text) for cell in row) for row in cells]
    if comparison.families:
        lines.append(family_report.method(comparison))
    return {words(plain(line)) for line in lines}


def turned(given, plan, how):
    """Return the same data with metrics, or blocks and with them groups, reversed."""
    if how == "metrics":
        names = tuple(m.name for m in given.metrics)[::-1]
        return given, {**plan, "metrics": names}
    return given.select(blocks=given.blocks[::-1]), plan


@pytest.mark.parametrize("how", ["metrics", "blocks"])
@pytest.mark.parametrize("name", MADE)
def test_the_order_of_metrics_groups_and_blocks_changes_no_sentence(name, how):
    given, plan = MADE[name]
    before, after = stated(given, plan), stated(*turned(given, plan, how))
    assert before - after == after - before == set()


def test_each_metric_on_cases_has_its_test():
    given, plan = MADE["cases"]
    told = " ".join(ComparisonReport(pc.compare(given, pc.Plan(**plan))).plan())
    assert "In right: Pairs are compared by score tests" in told
    assert "In loss: Pairs are compared by paired t tests" in told
