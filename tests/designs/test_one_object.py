"""One object in Python: what comes after ``compare`` repeats no choice."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from tests.conftest import wide
from tests.reporting.whole_pages import COMPARISONS


@pytest.fixture(scope="module")
def comparison():
    return pc.compare(pc.example(), pc.Plan(blocks="datasets"))


def test_pairs_are_the_decisions_with_their_numbers(comparison):
    [analysis] = comparison.analyses
    table, pairs = analysis.decisive.table, comparison.pairs
    assert len(pairs) == len(table) == 10
    kept = table.set_index(["algorithm_1", "algorithm_2"])
    for row in pairs.itertuples():
        one, other = row.algorithm_1, row.algorithm_2
        sign = 1 if (one, other) in kept.index else -1
        own = kept.loc[(one, other) if sign == 1 else (other, one)]
        assert row.estimate == sign * own["estimate"]
        limits = sorted([sign * own["conf_low"], sign * own["conf_high"]])
        assert [row.conf_low, row.conf_high] == limits
        assert row.p_adjusted == own["p_adjusted"] and row.p_value == own["p_value"]
        assert row.significant == (row.p_adjusted <= 0.05)
        assert row.significant == (row.conf_low > 0)
    assert (pairs["metric"] == "accuracy").all() and pairs["group"].isna().all()


@pytest.mark.parametrize(
    "name",
    ["ranks_groups_one_family", "folds_two_metrics", "folds_resampling", "sweep"],
)
def test_every_metric_and_group_is_in_the_frame(name):
    found = pc.compare(*COMPARISONS[name]())
    pairs = found.pairs
    heads = {
        (analysis.metric.name, part.group)
        for part in found.parts
        for analysis in part.analyses
    }
    made = pairs[["metric", "group"]].itertuples(index=False, name=None)
    assert {(m, None if pd.isna(g) else g) for m, g in made} == heads
    assert list(pairs.columns) == list(pc.compare(pc.example(),
        pc.Plan(blocks="datasets")).pairs.columns)  # fmt: skip


def test_what_has_no_test_has_estimates_and_no_p(comparison):
    found = pc.compare(
        wide(np.random.default_rng(1).normal(size=(10, 3))), pc.Plan(blocks="folds")
    )
    pairs = found.pairs
    assert len(pairs) == 3 and pairs["p_adjusted"].isna().all()
    assert not pairs["significant"].any() and pairs["estimate"].notna().all()


def test_the_figure_is_the_first_of_the_page_at_any_width(comparison):
    axes = comparison.figure(width=3.46)
    assert axes.figure.get_size_inches()[0] == pytest.approx(3.46)
    rivals = [t.get_text() for t in axes.get_yticklabels()]
    assert sorted(rivals) == ["1-NN", "CN2", "Kernel", "NaiveBayes"]
    assert axes.get_xlabel().startswith("C4.5 minus rival")


@pytest.mark.usefixtures("blank_pictures")
def test_the_report_is_that_of_pc_report(comparison, tmp_path):
    folder = comparison.report(tmp_path / "out", formats=["text"])
    assert (folder / "report.txt").exists()
    with pytest.raises(TypeError, match="unexpected keyword"):
        comparison.report(tmp_path / "no", format="text")


def test_the_paragraph_is_that_of_methods_text(comparison):
    assert comparison.methods_text() == pc.methods_text(comparison)


def test_a_notebook_shows_the_conclusion_and_the_figure(comparison):
    shown = comparison._repr_html_()
    assert "C4.5 is significantly better than CN2" in shown
    assert shown.count("<img ") == 1 and 'src="data:image/svg+xml,' in shown
    assert "<script" not in shown
