"""``scale = "ratio"`` in plans, comparisons and reports."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import pycompare as pc
from tests.conftest import wide


def errors(n: int = 20, a: int = 3, seed: int = 1) -> pc.Scores:
    rng = np.random.default_rng(seed)
    x = np.exp(rng.normal(size=(n, a)) / 4 + 0.3 * np.arange(a))
    return wide(x, better="lower")


def compared(scores: pc.Scores, **keys) -> pc.Comparison:
    return pc.compare(scores, pc.Plan(blocks="datasets", scale="ratio", **keys))


@pytest.mark.parametrize("a", [2, 3, 5])
def test_other_units_of_one_domain_move_nothing(a):
    scores = errors(a=a)
    units = np.where(np.arange(20) < 7, 1000.0, 1.0)[:, None, None]
    other = dataclasses.replace(scores, values=scores.values * units)
    for keys in (
        {"scale": "ratio"},
        {"compares": "ranks"} if a > 2 else {"scale": "ratio"},
    ):
        plan = pc.Plan(blocks="datasets", **keys)
        one, two = (pc.compare(s, plan).analyses[0].decisions for s in (scores, other))
        assert [d.pair for d in one] == [d.pair for d in two]
        assert [d.p_adjusted for d in one] == pytest.approx([d.p_adjusted for d in two])
    plan = pc.Plan(blocks="datasets", scale="difference")
    one, two = (pc.compare(s, plan).analyses[0].decisions for s in (scores, other))
    assert [d.p_value for d in one] != pytest.approx([d.p_value for d in two], rel=0.01)


def test_means_of_differences_are_not_computed():
    [analysis] = compared(errors()).analyses
    assert [over.key for over in analysis.over] == ["typical-difference", "ranks"]
    assert analysis.ranks.differences is None
    assert "median_ratio" in analysis.ranks.superiority.table
    names = [test.name for test in (analysis.ranks.omnibus, *analysis.ranks.witnesses)]
    assert not [name for name in names if "ligned" in name or "Quade" in name]
    plain = pc.compare(errors(), pc.Plan(blocks="datasets")).analyses[0].ranks
    assert len(plain.witnesses) == len(analysis.ranks.witnesses) + 2
    [two] = compared(errors(a=2)).analyses
    assert two.t is None
    assert two.test is two.wilcoxon


def test_the_sentence_says_how_many_times():
    comparison = compared(errors())
    text = comparison.summary()
    [row] = pc.signed_rank_pairs(
        errors().select(algorithms=["A1", "A3"]), scale="ratio"
    ).table.to_dict("records")
    assert (
        f"The score of A1 is typically {row['estimate']:.3f} times that of A3" in text
    )
    assert "logarithms of ratios are symmetric about 0" in text


@pytest.mark.parametrize(
    "keys",
    [
        {"blocks": "folds"},
        {"blocks": "cases"},
        {"blocks": "datasets", "compares": "ranks"},
        {"blocks": "datasets", "compares": "means"},
        {"blocks": "folds-of-datasets", "compares": "wins"},
        {"blocks": "folds-of-datasets", "compares": "model"},
        {"compares": "ranks"},
    ],
)
@pytest.mark.parametrize("scale", ["ratio", "difference"])
def test_a_scale_that_nothing_uses_is_refused(keys, scale):
    with pytest.raises(pc.PlanError, match=rf"scale='{scale}' is of typical diff"):
        pc.Plan(scale=scale, **keys)


def test_by_columns_it_is_refused_once_the_blocks_are_known():
    plan = pc.Plan(scale="ratio")
    scores = dataclasses.replace(errors(), datasets=("d",) * 20)
    with pytest.raises(pc.PlanError, match="scale='ratio' is of typical differences"):
        pc.compare(scores, plan)


def test_a_plan_file_keeps_it():
    plan = pc.Plan(blocks="datasets", scale="ratio")
    assert 'scale = "ratio"' in plan.to_toml()
    assert pc.Plan.from_toml(plan.to_toml()) == plan


def test_scores_of_0_are_refused_with_their_cell():
    scores = errors()
    values = scores.values.copy()
    values[2, 1, 0] = 0.0
    bad = dataclasses.replace(scores, values=values)
    with pytest.raises(pc.InputError, match=r"1 of 60 scores is 0 or below.*'A2'"):
        compared(bad)


def test_folds_are_compared_by_ratios_of_their_means():
    scores = dataclasses.replace(
        errors(24), datasets=tuple(f"d{i // 3}" for i in range(24))
    )
    plan = pc.Plan(blocks="folds-of-datasets", scale="ratio")
    [analysis] = pc.compare(scores, plan).analyses
    means = pc.dataset_means(scores)
    wanted = pc.signed_rank_pairs(
        means, scale="ratio", adjust=analysis.planned.decisive.adjust
    )
    got = analysis.planned.decisive.table
    assert got["estimate"].tolist() == wanted.table["estimate"].tolist()
    assert {over.key for over in analysis.over} == {
        "typical-difference",
        "ranks",
        "wins",
    }


def test_margins_are_shares_of_the_ratio():
    [analysis] = compared(
        errors(), margin=0.5, control="A3", hypothesis="non-inferiority"
    ).analyses
    found = analysis.within_margin
    assert found.margin_high == 1.5
    assert found.table["shown"].all()


def test_the_figure_has_a_logarithmic_axis_with_its_line_at_1():
    [analysis] = compared(errors()).analyses
    ax = pc.plotting.mean_differences(analysis.planned.decisive)
    assert ax.get_xscale() == "log"
    [line] = [line for line in ax.lines if line.get_gid() == "one"]
    assert set(line.get_xdata()) == {1.0}
    assert "ratio" in ax.get_xlabel()


def levels() -> pc.Scores:
    """Return errors in units that differ by 10,000 times."""
    scores = errors()
    units = np.where(np.arange(20) < 7, 1e4, 1.0)[:, None, None]
    return dataclasses.replace(scores, values=scores.values * units)


def test_levels_that_differ_by_a_thousand_times_are_asked_about():
    with pytest.raises(pc.PlanError, match="levels: medians of 'score'") as refused:
        pc.compare(levels(), pc.Plan(blocks="datasets"))
    for way in ("scale='ratio'", "compares='ranks'", "scale='difference'"):
        assert way in str(refused.value)


@pytest.mark.parametrize(
    "keys", [{"scale": "ratio"}, {"compares": "ranks"}, {"scale": "difference"}]
)
def test_each_answer_to_the_question_of_levels_runs(keys):
    assert pc.compare(levels(), pc.Plan(blocks="datasets", **keys)).analyses


def test_levels_are_not_asked_about_where_they_say_nothing():
    scores = levels()
    logs = dataclasses.replace(scores, values=np.log(scores.values))  # both signs
    for plain in (logs, errors()):
        assert pc.compare(plain, pc.Plan(blocks="datasets")).analyses
    proportion = dataclasses.replace(
        scores, values=scores.values / 1e6, metrics=(pc.Metric("logloss", "lower"),)
    )
    assert pc.compare(proportion, pc.Plan(blocks="datasets")).analyses


def test_zeros_and_two_algorithms_have_fewer_answers():
    scores = levels().select(algorithms=["A1", "A2"])
    values = scores.values.copy()
    values[0, 0, 0] = 0.0
    with pytest.raises(pc.PlanError) as refused:
        pc.compare(
            dataclasses.replace(scores, values=values), pc.Plan(blocks="datasets")
        )
    assert "scale='difference'" in str(refused.value)
    assert "ratio" not in str(refused.value)
    assert "ranks'" not in str(refused.value)
