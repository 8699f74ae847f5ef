"""Aggregates over tasks and runs that a plan adds to a comparison over data sets."""

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.errors import PlanError
from validation.checks.agents import scores_of_runs

TABLE = scores_of_runs(12, 3, 4, 1)
ON_TASKS = {
    "blocks": "datasets",
    "replicates": "average",
    "run_aggregates": "as-measured",
}
SCALED = {**ON_TASKS, "run_aggregates": "normalised",
          "reference_low": 0.0, "reference_high": 2.0}  # fmt: skip


def compared(scores=TABLE, **keys):
    """Return the analysis of the first metric."""
    return pc.compare(scores, pc.Plan(**keys)).analyses[0]


def test_results_are_those_of_the_functions():
    tasks = compared(**ON_TASKS, gamma=1.0, alpha=0.1, control="A2").tasks
    for own, wanted in (
        (tasks.aggregates, pc.run_aggregates(TABLE, gamma=1.0, level=0.9)),
        (tasks.pairs, pc.run_pairs(TABLE, gamma=1.0, level=0.9, control="A2")),
        (tasks.profiles, pc.run_profiles(TABLE, level=0.9)),
    ):
        assert own.table.equals(wanted.table)


def test_tests_do_not_change():
    without = {key: v for key, v in ON_TASKS.items() if key != "run_aggregates"}
    plain, more = compared(**without), compared(**ON_TASKS)
    assert plain.decisive.table.equals(more.decisive.table)
    assert plain.tasks is None


def test_normalised_aggregates_are_of_normalised_scores():
    tasks = compared(**SCALED).tasks
    wanted = pc.run_aggregates(pc.normalised_scores(TABLE, low=0.0, high=2.0))
    assert tasks.aggregates.table.equals(wanted.table)
    assert tasks.aggregates.metric == "normalised return"


def test_references_may_differ_between_tasks_and_groups_have_their_own():
    labels = [f"task {k + 1}" for k in range(12)]
    low = {name: 0.1 * k for k, name in enumerate(labels)}
    scores = pc.Scores(
        values=TABLE.values, runs=TABLE.runs, replicates=TABLE.replicates,
        blocks=TABLE.blocks, algorithms=TABLE.algorithms, metrics=TABLE.metrics,
        groups=tuple("uv"[k // 6] for k in range(12)),
    )  # fmt: skip
    plan = pc.Plan(**{**SCALED, "reference_low": low}, family="metric")
    parts = pc.compare(scores, plan).parts
    for part in parts:
        own = {name: low[name] for name in part.scores.blocks}
        wanted = pc.run_aggregates(part.scores, low=own, high=2.0)
        assert part.analyses[0].tasks.aggregates.table.equals(wanted.table)


def test_a_plan_keeps_references_that_are_changed_later():
    low = {f"task {k + 1}": 0.5 for k in range(12)}
    plan = pc.Plan(**{**SCALED, "reference_low": low})
    low["task 1"] = 9.0
    assert plan.reference_low["task 1"] == 0.5


def test_unequal_numbers_of_runs_are_kept():
    ragged = scores_of_runs(8, 2, 6, 2, ragged=True)
    tasks = compared(ragged, **ON_TASKS).tasks
    assert tasks.aggregates.runs_per_task[0] < tasks.aggregates.runs_per_task[1]


def test_the_page_names_scale_population_and_coverage(tmp_path):
    comparison = pc.compare(TABLE, pc.Plan(**SCALED, gamma=1.0))
    pc.report(comparison, tmp_path / "report", formats=["md"])
    [page] = (tmp_path / "report").rglob("*.md")
    text = " ".join(page.read_text().split())
    for told in (
        "Scores are normalised:",
        "highest interquartile mean of normalised return",
        "concern new runs on these tasks, not other tasks",
        "bands of performance profiles",
    ):
        assert told in text


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"gamma": 1.0}, "gamma=1.0 is of aggregates over tasks and runs"),
        (
            {"run_aggregates": "normalised"},
            "run_aggregates='normalised' needs the scores",
        ),
        ({**ON_TASKS, "reference_low": 0.0}, "reference_low=0.0 has no use with"),
        ({**ON_TASKS, "blocks": "folds"}, "is of runs on independent data sets"),
        ({**SCALED, "reference_high": -1.0}, "has low=0 and high=-1"),
        ({**SCALED, "reference_low": {"task 1": 0.0}}, "no reference score for 11"),
        ({**SCALED, "reference_low": {"task 1": "0"}}, "'task 1' has '0'"),
        ({"blocks": "datasets", "run_aggregates": "raw"}, "run_aggregates='raw'"),
    ],
)
def test_keys_that_do_not_fit_are_rejected(keys, told):
    with pytest.raises(PlanError, match=told):
        pc.compare(TABLE, pc.Plan(**{"replicates": "average", **keys}))


def test_tables_without_two_runs_in_each_cell_are_rejected():
    with pytest.raises(PlanError, match="needs several runs of each algorithm"):
        pc.compare(
            pc.example(), pc.Plan(blocks="datasets", run_aggregates="as-measured")
        )
    runs = np.array(TABLE.runs)
    runs[3, 1, :, 1:] = np.nan
    values = np.nanmean(runs, axis=-1)
    scores = pc.Scores(
        values=values, runs=runs, replicates=TABLE.replicates, blocks=TABLE.blocks,
        algorithms=TABLE.algorithms, metrics=TABLE.metrics,
    )  # fmt: skip
    with pytest.raises(PlanError, match="block='task 4', algorithm='A2' has 1"):
        pc.compare(scores, pc.Plan(**ON_TASKS))


def test_the_key_of_earlier_plans_is_rejected_with_its_new_name(tmp_path, pycompare):
    path = tmp_path / "plan.toml"
    path.write_text('[plan]\naggregates = "normalised"\n')
    with pytest.raises(PlanError, match=r"no key 'aggregates'; it is called run_agg"):
        pc.read_plan(path)
    status, _, said = pycompare("compare", path, "--aggregates", "normalised")
    assert status == 2 and "Did you mean '--run-aggregates'?" in said
