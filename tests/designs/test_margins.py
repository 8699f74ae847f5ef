"""Equivalence and non-inferiority as a plan asks for them, on every analysis."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

import pycompare as pc
from pycompare.designs.plans.plan_file import PlanFile
from pycompare.reporting.content import margin_report
from tests.conftest import wide
from tests.methods.over_datasets.many_folds import folds_of

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
    plan = pc.Plan(
        margin=0.9,
        hypothesis="equivalence",
        alpha=0.1,
        **{"blocks": "folds", **options},
    )
    comparison = pc.compare(scores, plan)
    [got] = comparison.analyses
    typical = options.get("blocks") == "datasets"
    test = pc.signed_rank_margins if typical else pc.equivalence_pairs
    alone = test(scores, margin=0.9, alpha=0.1, **sizes)
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
    [got] = pc.compare(scores, pc.Plan(margin=1.5, hypothesis="equivalence")).analyses
    alone = pc.signed_rank_margins(pc.dataset_means(scores), margin=1.5)
    assert got.within_margin.to_dict() == alone.to_dict()


@pytest.mark.parametrize("control", [None, "A1", "A2"])
@pytest.mark.parametrize("binary", [False, True])
def test_two_algorithms_on_cases_are_tested_against_the_margin(control, binary):
    drawn = values(40, 2)
    scores = wide((drawn > 0) * 1.0 if binary else drawn)
    kind = "equivalence" if control is None else "non-inferiority"
    margin = 0.3
    plan = pc.Plan(blocks="cases", margin=margin, hypothesis=kind, control=control)
    comparison = pc.compare(scores, plan)
    [got] = comparison.analyses
    other = [name for name in scores.algorithms if name != control]
    pair = scores.select(algorithms=[*other, control] if control else None)
    options = {"margin": margin, "kind": kind, "alpha": plan.margin_error}
    if binary:
        alone = pc.matched_shares(pair, control=control, **options)
        [p] = alone.table["p_value"]
    else:
        p = pc.equivalence(pair, **options).p_value
    [row] = got.within_margin.table.itertuples()
    assert row.p_value == pytest.approx(p, rel=1e-12)
    assert row.shown == (p <= plan.margin_error)
    [line, *_] = margin_report.sentences(got)
    assert line in comparison.summary() and "margin" in line


@pytest.mark.parametrize("a", [2, 4])
def test_non_inferiority_is_to_the_control(a):
    scores = wide(values(a=a), "lower")
    plan = pc.Plan(
        blocks="folds",
        protocol="held-out",
        margin=0.4,
        hypothesis="non-inferiority",
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
    plan = pc.Plan(
        blocks="folds",
        protocol="held-out",
        margin={"<b>cost": 500.0},
        hypothesis="equivalence",
    )
    one, other = pc.compare(scores, plan).analyses
    assert one.within_margin is None
    alone = pc.equivalence_pairs(scores, metric="<b>cost", margin=500.0)
    assert other.within_margin.to_dict() == alone.to_dict()
    out = pc.report(pc.compare(scores, plan), tmp_path / "out")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "Equivalence is tested by" in page and "<b>cost" not in page
    assert "&lt;b&gt;cost [−500, 500]" in page
    assert (out / "tables" / "metric2_within_margin.csv").is_file()
    assert not (out / "tables" / "metric1_within_margin.csv").exists()
    again = pc.Plan.from_toml(plan.to_toml())
    assert again == plan


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"hypothesis": "equivalence"}, "needs a margin"),
        ({"margin": 1}, "needs its hypothesis"),
        ({"margin": 1, "hypothesis": "non-inferiority"}, "name the control"),
        ({"margin": 0}, "margin=0"),
        ({"margin": {}}, "empty"),
        ({"margin": {"score": -1}}, "positive"),
        (
            {"margin": {"scroe": 1.0}, "hypothesis": "equivalence"},
            "did you mean 'score'",
        ),
        ({"margin": 1, "hypothesis": "superiority"}, "hypothesis"),
    ],
)
def test_margins_that_cannot_be_are_refused(options, message):
    with pytest.raises(pc.PlanError, match=message):
        pc.compare(wide(values()), pc.Plan(blocks="folds", **options))


def test_one_margin_for_metrics_in_several_units_is_refused_with_the_way_out():
    scores = pc.example("folds")
    ways = "'error', 'auc': name those with a margin"
    with pytest.raises(pc.PlanError, match=ways):
        pc.compare(scores, pc.Plan(margin=0.1, hypothesis="equivalence"))


def test_a_margin_where_cells_are_missing_is_refused():
    x = values()
    x[0, 0] = np.nan
    scores = wide(x, missing="model")
    with pytest.raises(pc.PlanError, match="drop-block"):
        pc.compare(
            scores,
            pc.Plan(
                blocks="folds",
                protocol="held-out",
                margin=1.0,
                hypothesis="equivalence",
            ),
        )


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
hypothesis = "non-inferiority"
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
    plan = pc.Plan(blocks="cases", hypothesis=kind, **options)
    [made] = pc.compare(scores, plan).analyses
    method = pc.matched_shares if right else pc.equivalence_pairs
    alone = method(scores, kind=kind, **options)
    assert made.within_margin.to_dict() == alone.to_dict()
    assert margin_report.sentences(made)


def answers(n=160, a=3, seed=8):
    """Answers that are right or wrong, of which few differ."""
    rng = np.random.default_rng(seed)
    return ((rng.random((n, 1)) < 0.7) ^ (rng.random((n, a)) < 0.02)) * 1.0


def test_few_cases_are_tested_exactly_and_the_first_sentence_says_what_they_cannot():
    plan = pc.Plan(blocks="cases", margin=0.02, hypothesis="equivalence")
    [made] = pc.compare(wide(answers(50, 2)), plan).analyses
    [line] = margin_report.sentences(made)
    assert made.within_margin.p_source == "exact"
    assert "50 independent units alike" in line and "takes 149 units" in line


def test_margins_over_clusters_of_right_and_wrong_answers_have_the_effective_size():
    clusters = tuple(f"t{i // 2}" for i in range(160))
    scores = dataclasses.replace(wide(answers()), clusters=clusters)
    plan = pc.Plan(blocks="cases", margin=0.1, hypothesis="equivalence")
    comparison = pc.compare(scores, plan)
    [made] = comparison.analyses
    alone = pc.matched_shares(scores, margin=0.1)
    assert made.within_margin.to_dict() == alone.to_dict()
    assert alone.p_source == "effective-size" and alone.table["shown"].any()
    [line, *_] = margin_report.sentences(made)
    assert "0.043" in line and line in comparison.summary()
    with pytest.raises(pc.PlanError, match="too few"):
        pc.compare(
            scores, pc.Plan(blocks="cases", margin=0.02, hypothesis="equivalence")
        )


@pytest.mark.parametrize(
    ("data", "plan"),
    [
        (answers, pc.Plan(blocks="cases", margin=0.1, hypothesis="equivalence")),
        (
            values,
            pc.Plan(
                blocks="folds",
                protocol="held-out",
                margin=0.9,
                hypothesis="equivalence",
            ),
        ),
    ],
)
def test_a_page_says_that_each_interval_agrees(data, plan):
    [fold] = margin_report.blocks(pc.compare(wide(data()), plan).analyses[0])
    assert "each lies within the margins exactly if its pair is significant" in str(
        fold
    )


def test_graded_cases_carry_the_largest_error_of_the_t_test():
    rng = np.random.default_rng(1)
    scores = wide(0.9 + 0.02 * rng.random((200, 2)))
    [made] = pc.compare(
        scores, pc.Plan(blocks="cases", margin=0.02, hypothesis="equivalence")
    ).analyses
    [line, *_] = margin_report.sentences(made)
    assert "Equivalent" in line and "up to 0.36" in line
    # The law behind it: small differences, and whole losses just at the margin.
    margin, noise, n_tables = 0.02, 0.02, 4000
    lost = rng.random((n_tables, 50)) < margin / (1 - noise / 2)
    small = noise * (0.5 - rng.random((n_tables, 50)))
    d = np.where(lost, noise / 2 - 1, small)
    t = (d.mean(axis=1) + margin) / (d.std(axis=1, ddof=1) / np.sqrt(50))
    assert abs(np.mean(stats.t.sf(t, 49) <= 0.025) - 0.36) < 0.03


@pytest.mark.parametrize("runs", [1, 4])
def test_answers_of_several_runs_have_the_effective_size(runs):
    rng = np.random.default_rng(5)
    right = (rng.random((120, 1, 1)) < 0.7) ^ (rng.random((120, 2, runs)) < 0.05)
    x = right * 1.0
    one = wide(x.mean(axis=-1))
    more = {"runs": x[:, :, None], "replicates": tuple(map(str, range(runs)))}
    scores = dataclasses.replace(one, **more) if runs > 1 else one
    several = {"replicates": "average", "runs": "samples"} if runs > 1 else {}
    plan = pc.Plan(blocks="cases", margin=0.1, hypothesis="equivalence", **several)
    [made] = pc.compare(scores, plan).analyses
    source = made.within_margin.p_source
    assert source == ("exact" if runs == 1 else "effective-size")
    if runs > 1:
        assert made.within_margin.n_runs == runs
        with pytest.raises(pc.PlanError, match="120 right/wrong units"):
            small = dataclasses.replace(plan, margin=0.01)
            pc.compare(scores, small)


@pytest.mark.parametrize("p_values", ["exact", "mid-p", "approximate"])
def test_conditional_p_values_have_no_margin(p_values):
    plan = pc.Plan(
        blocks="cases", margin=0.1, hypothesis="equivalence", p_values=p_values
    )
    with pytest.raises(pc.PlanError, match="difference of shares"):
        pc.compare(wide(answers()), plan)
