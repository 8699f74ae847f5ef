"""Intervals of differences of mean ranks are made for comparing, and called so."""

import numpy as np
import pytest

import pycompare as pc
from pycompare import plotting
from pycompare.reporting.comparison_report import report_of
from pycompare.reporting.content import build
from tests.conftest import wide

pytestmark = pytest.mark.usefixtures("blank_pictures")


def ladder():
    """Five algorithms that rank alike in every block: differences of 1 to 4 ranks."""
    return wide(np.arange(10)[:, None] + np.arange(5.0))


def test_one_may_leave_the_possible_range_and_is_no_confidence_interval(tmp_path):
    comparison = pc.compare(
        ladder(),
        pc.Plan(blocks="datasets", compares="ranks", adjust=("bergmann-hommel",)),
    )
    [analysis] = comparison.analyses
    table = analysis.decisive.table
    assert table["estimate"].abs().max() == 4 < table["conf_high"].max()
    shown = build.pairs(analysis, 0.05)
    assert shown.columns[2].title == "95% comparison interval"
    assert "Comparison intervals are simultaneous, studentised range" in shown.caption
    assert "It is not a confidence interval" in shown.caption
    made = report_of(comparison.only).figures(analysis)
    assert any("with comparison intervals" in figure.caption for figure in made)
    page = (pc.report(comparison, tmp_path / "out") / "report.html").read_text("utf-8")
    assert "95% comparison interval" in page
    assert "half-width" not in page


def test_a_table_of_ties_has_no_figure_of_an_undefined_critical_difference():
    """The caption named "the critical difference undefined"."""
    comparison = pc.compare(
        wide(np.ones((6, 3))), pc.Plan(blocks="datasets", compares="ranks")
    )
    [analysis] = comparison.analyses
    assert np.isnan(analysis.nemenyi.critical_difference)
    made = report_of(comparison.only).figures(analysis)
    assert not any("Nemenyi" in figure.caption for figure in made)


@pytest.mark.parametrize("control", [None, "A1"])
def test_it_excludes_zero_where_its_criterion_rejects(control):
    values = np.random.default_rng(2).normal(size=(20, 5)) + 0.5 * np.arange(5)
    found = pc.rank_pairs(
        wide(values),
        adjust="nemenyi" if control is None else "bonferroni",
        control=control,
    )
    table = found.table
    away = (table["conf_low"] > 0) | (table["conf_high"] < 0)
    assert (away == (table["p_adjusted"] <= 0.05)).all()
    assert 0 < away.sum() < len(away)
    assert found.interval_name == "comparison interval"


def test_differences_of_means_keep_their_intervals():
    values = np.random.default_rng(2).normal(size=(20, 3))
    comparison = pc.compare(wide(values), pc.Plan(blocks="folds", protocol="held-out"))
    [analysis] = comparison.analyses
    shown = build.pairs(analysis, 0.05)
    assert shown.columns[2].title == "95% interval"
    assert "omparison interval" not in shown.caption
    ranks = build.pairs(analysis.ranks, 0.05)
    assert ranks.columns[2].title == "95% comparison interval"


def test_the_picture_calls_them_so():
    axes = plotting.mean_ranks(pc.nemenyi(ladder()))
    text = " ".join(t.get_text() for t in axes.figure.findobj(match=has_text))
    assert "the comparison interval of a difference" in " ".join(text.split())


def has_text(artist):
    return hasattr(artist, "get_text") and bool(artist.get_text())
