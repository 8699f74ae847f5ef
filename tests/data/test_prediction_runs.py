"""Predictions with runs and groups: measured, compared, or refused by name."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from tests.data.tables import refused

pytestmark = pytest.mark.usefixtures("blank_pictures")

N = 12
ROLES = {"algorithm": "model", "block": "fold", "dataset": "data", "label": "truth",
         "score": "p", "positive": "y"}  # fmt: skip
RUNS = {"replicate": "seed", "case": "case"}
GROUPS = {"group": "domain"}


def cases(*, seeds=("s1", "s2", "s3"), folds=2, datasets=6) -> pd.DataFrame:
    """Two algorithms on folds of data sets; the runs have the same cases."""
    rng = np.random.default_rng(11)
    rows = [
        (
            f"g{d // 3}",
            f"d{d}",
            f"f{k}",
            model,
            seed,
            f"{k}-{i}",
            "yn"[i % 3 > 0],
        )
        for d in range(datasets)
        for k in range(folds)
        for model in ("a,b", "<script>")
        for seed in seeds
        for i in range(N)
    ]
    names = ["domain", "data", "fold", "model", "seed", "case", "truth"]
    return pd.DataFrame(rows, columns=names).assign(p=rng.random(len(rows)))


TABLE = cases()


def by_hand(frame: pd.DataFrame) -> pd.DataFrame:
    """The error of each run, as a table of scores."""
    wrong = (frame["p"] >= 0.5) != (frame["truth"] == "y")
    keys = ["domain", "data", "fold", "model", "seed"]
    return (
        wrong.groupby([frame[key] for key in keys]).mean().rename("error").reset_index()
    )


def test_measures_keep_runs_and_groups():
    found = pc.Predictions.from_frame(TABLE, **ROLES, **RUNS, **GROUPS)
    scores = found.measure("error")
    wanted = pc.Scores.from_frame(
        by_hand(TABLE), algorithm="model", block="fold", dataset="data", group="domain",
        replicate="seed", metrics={"error": "lower"},
    )  # fmt: skip
    assert scores.blocks == wanted.blocks and scores.groups == wanted.groups
    assert scores.replicates == wanted.replicates and scores.datasets == wanted.datasets
    order = [scores.algorithms.index(name) for name in wanted.algorithms]
    np.testing.assert_array_equal(scores.runs[:, order], wanted.runs)


def test_labels_of_runs_may_differ_from_cell_to_cell():
    seeds = TABLE["seed"] + TABLE["model"] + TABLE["fold"]
    nested = pc.Predictions.from_frame(TABLE.assign(seed=seeds), **ROLES, **RUNS)
    scores = nested.measure("error")
    assert scores.replicates == ("1", "2", "3")
    alike = pc.Predictions.from_frame(TABLE, **ROLES, **RUNS).measure("error")
    np.testing.assert_array_equal(scores.runs, alike.runs)


def test_one_run_is_what_its_rows_are():
    found = pc.Predictions.from_frame(TABLE, **ROLES, **RUNS, **GROUPS)
    assert found.run_names == ("s1", "s2", "s3")
    one = found.of_run("s2")
    rows = TABLE[TABLE["seed"] == "s2"]
    wanted = pc.Predictions.from_frame(rows, case="case", **ROLES, **GROUPS)
    assert one.blocks == wanted.blocks and one.groups == wanted.groups
    np.testing.assert_array_equal(one.score, wanted.score)
    np.testing.assert_array_equal(one.case, wanted.case)
    with refused("runs: there is no 's4'"):
        found.of_run("s4")


def test_runs_and_groups_are_compared():
    found = pc.Predictions.from_frame(TABLE, **ROLES, **RUNS, **GROUPS)
    plan = {"metrics": ("error",), "family": "metric"}
    with pytest.raises(pc.PlanError, match="3 runs of each algorithm"):
        pc.compare(found, pc.Plan(**plan))
    comparison = pc.compare(found, pc.Plan(**plan, replicates="keep"))
    assert [part.group for part in comparison.parts] == ["g0", "g1"]
    assert comparison.plan.blocks == "folds-of-datasets"
    assert all(part.analyses[0].runs is not None for part in comparison.parts)
    with pytest.raises(pc.PlanError, match="family"):
        pc.compare(found, pc.Plan(metrics=("error",), replicates="keep"))


def test_data_sets_with_one_fold_and_runs_are_no_folds():
    found = pc.Predictions.from_frame(cases(folds=1), **ROLES, **RUNS)
    plan = pc.Plan(metrics=("error",), replicates="average")
    comparison = pc.compare(found, plan)
    assert comparison.plan.blocks == "datasets" and comparison.scores.n_blocks == 6


@pytest.mark.parametrize("held", [RUNS, GROUPS])
def test_several_thresholds_refuse_runs_and_groups_by_name(held):
    found = pc.Predictions.from_frame(TABLE, **ROLES, **held)
    plan = pc.Plan(metrics=("tp", "fp"), thresholds=5)
    with pytest.raises(
        pc.PlanError, match=f"{next(iter(held))}: at several .* plan one"
    ):
        pc.compare(found, plan)


def test_curves_refuse_several_runs_and_take_one():
    found = pc.Predictions.from_frame(TABLE, **ROLES, **RUNS)
    for use in (
        pc.compare_curves,
        lambda cases: pc.mean_curve(cases, algorithm="a,b", dataset="d0"),
        pc.Ratings.from_predictions,
    ):
        with refused("3 runs of each algorithm", r"of_run\('s1'\)"):
            use(found)
    assert pc.compare_curves(found.of_run("s1")).analyses


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (lambda t: t.assign(seed="s1"), "already|one run at most"),
        (lambda t: t[t["seed"] == "s1"], "one run at most"),
        (lambda t: t.assign(seed=None), "no label"),
        (lambda t: t.assign(domain=t["fold"]), "lies in one group"),
        (lambda t: t[:-3 * N], "3 pairs of block and algorithm have no scores.*d5/f1"),
        (lambda t: t[(t["seed"] != "s2") | (t["case"] != "0-1")],
         "run 's2' has other cases than run 's1'"),
        (lambda t: t.assign(case=t["case"] + t["seed"]), "has other cases"),
    ],
)  # fmt: skip
def test_runs_that_are_none_are_refused(change, part):
    with refused(part):
        pc.Predictions.from_frame(change(TABLE), **ROLES, **RUNS, **GROUPS)


def test_unequal_numbers_of_runs_are_averaged_as_they_are():
    scores = pc.Predictions.from_frame(TABLE[:-N], **ROLES, **RUNS).measure("error")
    whole = pc.Predictions.from_frame(TABLE, **ROLES, **RUNS).measure("error")
    assert scores.runs_per_cell == (2, 3) and scores.blocks == whole.blocks
    assert np.isnan(scores.runs).sum() == 1
    lacks = np.isnan(scores.runs).any(axis=-1)
    assert np.array_equal(scores.values[~lacks], whole.values[~lacks])
    [block], [algorithm], _ = np.nonzero(lacks)
    own = whole.runs[block, algorithm, 0, :2].mean()
    assert scores.values[lacks] == pytest.approx([own])
    assert any("2 to 3 runs" in note for note in scores.notes)


def test_runs_of_other_sizes_are_refused_where_cases_have_no_names():
    table = TABLE.drop(TABLE.index[(TABLE["seed"] == "s3") & (TABLE["case"] == "1-2")])
    with refused("run 's3' has other cases", "other blocks"):
        pc.Predictions.from_frame(table, replicate="seed", **ROLES)


def test_a_block_that_lacks_a_run_is_dropped_as_a_whole():
    how = {**ROLES, **RUNS, "missing": "drop-block"}
    scores = pc.Predictions.from_frame(TABLE[:-N], **how).measure("error")
    assert scores.n_blocks == 11 and "d5/f1" not in scores.blocks
    assert scores.runs.shape == (11, 2, 1, 3)


def test_the_commands_read_runs_and_groups(pycompare, tmp_path):
    path, scores = tmp_path / "cases.parquet", tmp_path / "scores.csv"
    TABLE.to_parquet(path)
    options = [f"--{role}={name}" for role, name in (ROLES | RUNS | GROUPS).items()]
    given = ("measure", path, *options, "--metric", "error", "--out", scores)
    status, text, said = pycompare(*given)
    assert status == 0, said
    command = text.rsplit("Compare them: ", 1)[1].split()[1:-1]
    assert {"--replicate", "--group"} <= set(command)
    status, text, said = pycompare(*command, tmp_path / "report")
    assert status == 0, said
    assert text.startswith("Algorithms: '<script>', 'a,b'") or "a,b" in text
    alone = scores.read_bytes()
    status, _, said = pycompare(*given, "--overwrite", "--workers", "2")
    assert status == 0 and scores.read_bytes() == alone, said


def test_a_plan_file_reads_runs_and_groups(tmp_path):
    TABLE.to_csv(tmp_path / "cases.csv", index=False)
    roles = "\n".join(f'{k} = "{v}"' for k, v in (ROLES | RUNS | GROUPS).items())
    path = tmp_path / "plan.toml"
    path.write_text(
        f'[data]\nfile = "cases.csv"\n{roles}\n[metrics]\nerror = "lower"\n'
        '[plan]\nfamily = "metric"\nreplicates = "average"\n'
    )
    plan = pc.read_plan(path)
    comparison = pc.compare(plan.read_data(), plan)
    assert comparison.scores.group_names == ("g0", "g1")
    assert comparison.scores.replicates == ("s1", "s2", "s3")
