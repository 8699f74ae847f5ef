"""Equivalence and non-inferiority as a plan asks for them, on every analysis."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.plans.plan_file import PlanFile
from pycompare.reporting.content import margin_report
from tests.conftest import wide
from tests.over_datasets.many_folds import folds_of

pytestmark = pytest.mark.usefixtures("blank_pictures")

SIZES = {"n_train": 90, "n_test": 10}
ENLARGED = {**SIZES, "overlap": 2.25}


def values(n=20, a=4, seed=3):
    rng = np.random.default_rng(seed)
    return 0.3 * rng.normal(size=(n, a)) + np.array([0, 0, 0.1, 2.0])[:a]


@pytest.mark.parametrize(
    ("options", "sizes"),
    [({"blocks": "datasets"}, {}), ({"protocol": "held-out"}, {}), (SIZES, ENLARGED)],
)
def test_every_road_tests_the_pairs_that_the_method_itself_tests(options, sizes):
    scores = wide(values())
    plan = pc.Plan(margin=0.9, alpha=0.1, **{"blocks": "folds", **options})
    comparison = pc.compare(scores, plan)
    [got] = comparison.analyses
    alone = pc.equivalence_pairs(scores, margin=0.9, alpha=0.1, **sizes)
    assert got.within_margin.to_dict() == alone.to_dict()
    assert 0 < alone.table["shown"].sum() < 6
    rows = alone.table[alone.table["shown"]]
    shown = set(zip(rows["algorithm_1"], rows["algorithm_2"], strict=True))
    assert set(margin_report.supported(got.within_margin)) == shown
    [line, *_] = margin_report.sentences(got)
    for row in alone.table.itertuples():
        assert (f"{row.algorithm_1} – {row.algorithm_2}" in line) == row.shown
    assert got.within_margin in [result for _, result in comparison.results()]


def test_folds_of_data_sets_compare_the_means_of_data_sets():
    scores = folds_of([4] * 12, effect=0.3)
    [got] = pc.compare(scores, pc.Plan(margin=1.5)).analyses
    alone = pc.equivalence_pairs(pc.dataset_means(scores), margin=1.5)
    assert got.within_margin.to_dict() == alone.to_dict()


@pytest.mark.parametrize("control", [None, "A1", "A2"])
@pytest.mark.parametrize("binary", [False, True])
def test_two_algorithms_on_cases_are_tested_against_the_margin(control, binary):
    drawn = values(40, 2)
    scores = wide((drawn > 0) * 1.0 if binary else drawn)
    kind = "equivalence" if control is None else "non-inferiority"
    margin = 0.3
    plan = pc.Plan(blocks="cases", margin=margin, margin_kind=kind, control=control)
    comparison = pc.compare(scores, plan)
    [got] = comparison.analyses
    other = [name for name in scores.algorithms if name != control]
    pair = scores.select(algorithms=[*other, control] if control else None)
    alone = pc.equivalence(pair, margin=margin, kind=kind, alpha=plan.margin_error)
    [row] = got.within_margin.table.itertuples()
    assert row.p_value == pytest.approx(alone.p_value, rel=1e-12)
    assert row.shown == (alone.p_value <= plan.margin_error)
    [line, *_] = margin_report.sentences(got)
    assert line in comparison.summary() and "margin" in line


@pytest.mark.parametrize("a", [2, 4])
def test_non_inferiority_is_to_the_control(a):
    scores = wide(values(a=a), "lower")
    plan = pc.Plan(
        blocks="folds",
        protocol="held-out",
        margin=0.4,
        margin_kind="non-inferiority",
        margin_alpha=0.05,
        control="A1",
    )
    comparison = pc.compare(scores, plan)
    [got] = comparison.analyses
    line = next(t for t in comparison.summary().split("\n") if "on-inferior" in t)
    if a == 2:
        order = ["A2", "A1"]
        alone = pc.equivalence(
            scores, margin=0.4, kind="non-inferiority", algorithms=order, alpha=0.05
        )
        assert got.equivalence.to_dict() == alone.to_dict()
        assert ("Non-inferiority of A2 to A1 is shown" in line) == alone.shown
        assert "difference below 0.4 " in line
    else:
        found = margin_report.supported(got.within_margin)
        assert {first for first, _ in found} == {"A2", "A3"}
        assert "A4" not in line


def test_each_metric_has_a_margin_of_its_own_in_its_unit(tmp_path):
    table = np.stack([values(), 1000 * values(seed=4)], axis=2)
    metrics = (pc.Metric("auc", "higher"), pc.Metric("<b>cost", "lower"))
    names = tuple(f"A{j + 1}" for j in range(4))
    scores = pc.Scores(table, tuple(map(str, range(20))), names, metrics)
    plan = pc.Plan(blocks="folds", protocol="held-out", margin={"<b>cost": 500.0})
    one, other = pc.compare(scores, plan).analyses
    assert one.within_margin is None
    alone = pc.equivalence_pairs(scores, metric="<b>cost", margin=500.0)
    assert other.within_margin.to_dict() == alone.to_dict()
    out = pc.report(pc.compare(scores, plan), tmp_path / "out")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Equivalence is tested, too" in page and "<b>cost" not in page
    assert "&lt;b&gt;cost [−500, 500]" in page
    assert (out / "tables" / "metric2_within_margin.csv").is_file()
    assert not (out / "tables" / "metric1_within_margin.csv").exists()
    again = pc.Plan.from_toml(plan.to_toml())
    assert again == plan


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"margin_kind": "equivalence"}, "needs a margin"),
        ({"margin": 1, "margin_kind": "non-inferiority"}, "name the control"),
        ({"margin": 0}, "margin=0"),
        ({"margin": {}}, "empty"),
        ({"margin": {"score": -1}}, "positive"),
        ({"margin": {"scroe": 1.0}}, "did you mean 'score'"),
        ({"margin": 1, "margin_kind": "superiority"}, "margin_kind"),
    ],
)
def test_margins_that_cannot_be_are_refused(options, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.compare(wide(values()), pc.Plan(blocks="folds", **options))


def test_one_margin_for_metrics_in_several_units_is_refused_with_the_way_out():
    scores = pc.example("folds")
    ways = "'error', 'auc': name those with a margin"
    with pytest.raises(pc.PlanError, match=ways):
        pc.compare(scores, pc.Plan(margin=0.1))


def test_a_margin_where_cells_are_missing_is_refused():
    x = values()
    x[0, 0] = np.nan
    scores = wide(x, missing="model")
    with pytest.raises(pc.PlanError, match="drop-block"):
        pc.compare(scores, pc.Plan(blocks="folds", protocol="held-out", margin=1.0))


def test_a_plan_file_names_margins_in_a_table():
    text = """
[data]
algorithm = "a"
block = "b"
dataset = "d"
[metrics]
error = "lower"
[plan]
control = "x"
margin = { error = 0.01, eror = 0.2 }
margin_kind = "non-inferiority"
"""
    planned = PlanFile(content=text.encode())
    assert planned.plan.margin == {"error": 0.01, "eror": 0.2}
    scores = pc.Scores(
        values(6, 3)[:, :, None],
        tuple("abcdef"),
        ("x", "y", "z"),
        (pc.Metric("error", "lower"),),
        datasets=("d",) * 6,
    )
    with pytest.raises(pc.PlanError, match="line 10: margin: 'eror'"):
        pc.compare(scores, planned)


@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("kind", ["equivalence", "non-inferiority"])
def test_two_models_over_cases_are_tested_against_the_margin(right, kind):
    rng = np.random.default_rng(4)
    x = np.ones((160, 2)) if right else rng.normal(size=(160, 2))
    x[0, 1] -= 1.0
    scores = wide(x)
    margin = 0.03 if right else 0.5
    control = scores.algorithms[0] if kind == "non-inferiority" else None
    options = {"margin": margin, "control": control}
    plan = pc.Plan(blocks="cases", margin_kind=kind, **options)
    [made] = pc.compare(scores, plan).analyses
    alone = pc.equivalence_pairs(scores, kind=kind, **options)
    assert made.within_margin.to_dict() == alone.to_dict()
    assert margin_report.sentences(made)
