"""Corners of result files of programs, written in their shape.

Each writer says after which version it is typed; no file is copied. Files that the
programs made are in test_made_files.py.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from tests.data.readers.test_read_results import write_csv


def write_json(path: Path, value, **how) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2, **how))
    return path


# ---- lm-evaluation-harness 0.4.0 (MIT): __main__.py writes an array for each task ----


def old_samples(model: str, n: int = 4, **more) -> list[dict]:
    return [
        {
            "doc_id": i,
            "doc": {"question": f"q{i}"},
            "target": " x",
            "arguments": [["p", " x"]],
            "resps": [[[-1.0, False]]],
            "filtered_resps": [[-1.0, False]],
            "acc": float((i + (model == "B")) % 2),
            "f1": [0, 1],
        }
        | more
        for i in range(n)
    ]


def test_arrays_of_samples_with_the_tasks_of_results_beside_them(tmp_path):
    for model in "AB":
        name = f"pretrained__org__{model}_arc_easy.jsonl"
        write_json(tmp_path / model / name, old_samples(model))
        write_json(tmp_path / model / "results.json", {"results": {"arc_easy": {}}})
    scores = pc.read_results(tmp_path)
    assert scores.algorithms == ("A", "B") and scores.blocks[0].startswith("arc_easy/")
    assert scores.column("acc").T.tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]


def test_arrays_of_samples_without_results_are_of_the_file(tmp_path):
    for model in "AB":
        write_json(tmp_path / f"pretrained__{model}_arc.jsonl", old_samples(model))
    scores = pc.read_results(tmp_path)
    assert scores.algorithms == ("pretrained__A_arc", "pretrained__B_arc")
    assert scores.n_blocks == 4 and scores.groups is None


def test_filters_of_arrays_have_no_names(tmp_path):
    for model in "AB":
        twice = [*old_samples(model, acc=0.0), *old_samples(model, acc=1.0)]
        write_json(tmp_path / model / f"{model}_gsm8k.jsonl", twice)
    with pytest.raises(pc.InputError, match="filter: name one of 'none', 'filter 2'"):
        pc.read_results(tmp_path)
    found = pc.read_results(tmp_path, filter="filter 2")
    assert found.n_blocks == 4 and (found.column() == 1).all()


def test_pairs_and_lists_are_not_offered(tmp_path):
    for model in "AB":
        write_json(tmp_path / f"{model}.jsonl", old_samples(model, bleu=["a", "b"]))
    assert pc.read_results(tmp_path).metrics[0].name == "acc"
    with pytest.raises(pc.InputError, match=r"metric='f1' holds .*one has none.*'acc'"):
        pc.read_results(tmp_path, metric="f1")
    for model in "AB":
        alone = [{k: v for k, v in s.items() if k != "acc"} for s in old_samples(model)]
        write_json(tmp_path / f"{model}.jsonl", alone)
    with pytest.raises(pc.InputError, match=r"one number \(pairs or lists: 'f1'\)"):
        pc.read_results(tmp_path)


# ---- tsml-eval b7166541 (BSD-3-Clause): folders of results ---------------------------

CORNERS = ("Resamples:", "folds:", "Folds:")


@pytest.mark.parametrize("corner", CORNERS)
def test_corners_of_tsml_eval(tmp_path, corner):
    for name, add in (("ROCKET", 0.1), ("TSF", 0.0)):
        rows = [
            {corner: data, "0": 0.5 + add, "1": 0.6, "2": 0.7 - add}
            for data in ("ArrowHead", "Trace")
        ]
        write_csv(tmp_path / f"{name}_accuracy.csv", rows)
    scores = pc.read_results(tmp_path)
    assert scores.algorithms == ("ROCKET", "TSF") and scores.n_blocks == 6
    assert scores.column()[0].tolist() == [0.6, 0.5]


def means(corner="Estimators:", **columns) -> list[dict]:
    return [
        {corner: data} | {name: f"{0.1 * i + add}" for name, add in columns.items()}
        for i, data in enumerate(("ArrowHead", "Trace", "Wine"))
    ]


def test_means_are_read_where_there_are_no_resamples(tmp_path):
    write_csv(tmp_path / "accuracy_mean.csv", means(ROCKET=0.1, TSF=0.2))
    write_csv(tmp_path / "accuracy_ranks.csv", means(ROCKET=1, TSF=2))
    write_csv(tmp_path / "logloss_mean.csv", means(ROCKET=1, TSF=2))
    scores = pc.read_results(tmp_path, metric="accuracy")
    assert scores.column()[1].tolist() == [0.2, 0.1 + 0.2]
    assert pc.compare(scores).plan.blocks == "datasets"
    with pytest.raises(pc.InputError, match="'accuracy', 'logloss'; name one"):
        pc.read_results(tmp_path)
    for name in ("ROCKET", "TSF"):
        rows = [{"Resamples:": "Trace", "0": 0.5, "1": 0.6}]
        (tmp_path / "all_resamples").mkdir(exist_ok=True)
        write_csv(tmp_path / "all_resamples" / f"{name}_accuracy.csv", rows)
    scores = pc.read_results(tmp_path, metric="accuracy")
    assert scores.blocks == ("Trace/0", "Trace/1")
    assert "3 files of no such format left unchanged" in " ".join(scores.notes)


def test_clusterers_of_files_of_test_and_training_sets(tmp_path):
    for how in ("KMeans_Forgy", "KMedoids_Plus"):
        for split in ("TEST", "TRAIN"):
            table = means(f"{split}CL-ACC", msm=0.1, dtw=0.2)
            write_csv(tmp_path / f"{how}_{split}_clacc.csv", table)
    scores = pc.read_results(tmp_path, metric="TEST_clacc")
    assert scores.algorithms[:2] == ("KMeans_Forgy_msm", "KMeans_Forgy_dtw")
    assert scores.n_algorithms == 4 and scores.metrics[0].better == "higher"
    write_csv(tmp_path / "KMeans_Forgy_TEST_clacc.csv", means("TESTCL-ACC", **{"": 1}))
    assert pc.read_results(tmp_path, metric="TEST_clacc").n_algorithms == 2


def write_predictions(folder: Path, name: str, data: str, resample: int, right: int):
    lines = [
        f"{data},{name},TEST,{resample},MILLISECONDS,PREDICTIONS,Generated by a test",
        "{'n_jobs': 1}",
        f"{right / 4},0,1,2,3,2,,-1,-1",
        *(f"1.0,{float(i < right)},,0.5,0.5" for i in range(4)),
    ]
    path = folder / name / "Predictions" / data / f"testResample{resample}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    return path


def test_predictions_of_tsml_eval(tmp_path):
    for name, add in (("ROCKET", 1), ("TSF", 0)):
        for data in ("Trace", "Wine"):
            for resample in range(2):
                path = write_predictions(tmp_path, name, data, resample, resample + add)
                train = path.read_text().replace("TEST", "TRAIN")
                (path.parent / f"trainResample{resample}.csv").write_text(train)
    scores = pc.read_results(tmp_path)
    assert (
        scores.algorithms == ("ROCKET", "TSF") and scores.metrics[0].better == "higher"
    )
    assert scores.column("accuracy")[:2].tolist() == [[0.25, 0], [0.5, 0.25]]
    path.write_text(path.read_text().replace("0.25,0,1", "7.5,0,1"))
    with pytest.raises(pc.InputError, match=r"testResample1.csv: .* 7\.5, and the acc"):
        pc.read_results(tmp_path)
    whole = path.read_text()
    path.write_text("\n".join(whole.splitlines()[:2]))
    with pytest.raises(pc.InputError, match="no predictions; was the file cut off"):
        pc.read_results(tmp_path)
    path.write_text(whole)
    for path in tmp_path.rglob("*Resample*.csv"):
        head, _, _, *rows = path.read_text().splitlines()
        found = [row.replace("1.0,", f"{i + 0.5},", 1) for i, row in enumerate(rows)]
        cells = [row.split(",") for row in found]
        mse = np.mean([(float(c[0]) - float(c[1])) ** 2 for c in cells])
        path.write_text("\n".join([head, "{}", f"{mse},1", *found]))
    assert pc.read_results(tmp_path).metrics[0].better == "lower"


# ---- AutoML benchmark of 2019 (MIT): no metric, no constraint, losses not negated ----


def runs_of_2019(**more) -> list[dict]:
    rows = []
    for task, metric in (("kc2", "auc"), ("wine", "logloss")):
        for framework, value in (("tpot", 0.6), ("autoweka", 0.5)):
            for fold in range(4):
                own = {"acc": 0.9, "auc": "", "logloss": ""} | {
                    metric: value + fold / 9
                }
                rows.append(
                    {
                        "id": "openml.org/t/1", "task": task, "framework": framework,
                        "fold": fold, "result": value + fold / 9, "mode": "aws",
                        "version": "0.1", "seed": 1, "info": "",
                    } | own | more
                )  # fmt: skip
    return rows


def test_losses_of_2019_are_negated(tmp_path):
    scores = pc.read_results(write_csv(tmp_path / "results.csv", runs_of_2019()))
    assert scores.metrics[0].better == "higher" and scores.n_blocks == 8
    assert scores.column()[[0, 4]].tolist() == [[0.6, 0.5], [-0.6, -0.5]]
    assert any("results of 1 task are losses" in note for note in scores.notes)
    assert "results are in auc, neg_logloss; higher is better in each" in scores.notes


def test_one_run_in_a_wrong_column_does_not_hide_the_metric(tmp_path):
    rows = runs_of_2019()
    rows[8] |= {"auc": rows[8]["logloss"], "logloss": ""}
    scores = pc.read_results(write_csv(tmp_path / "results.csv", rows))
    assert scores.column()[4].tolist() == [-0.6, -0.5]
    untold = [row | {"auc": "", "logloss": ""} for row in rows]
    with pytest.raises(pc.InputError, match="does not show the metric of task 'kc2'"):
        pc.read_results(write_csv(tmp_path / "results.csv", untold))


def test_runs_without_a_result_are_counted_by_framework(tmp_path):
    rows = runs_of_2019()
    for i in (4, 5, 13):
        rows[i] |= {"result": "", "auc": "", "logloss": ""}
    path = write_csv(tmp_path / "results.csv", rows)
    with pytest.raises(pc.InputError, match="3 of 16 cells have no score"):
        pc.read_results(path)
    kept = pc.read_results(path, missing="drop-block")
    assert "3 runs without a result: autoweka 3" in kept.notes
    auc = pc.read_results(path, metric="auc", missing="drop-block")
    assert set(auc.datasets) == {"kc2"} and "1 task without auc left out" in auc.notes
    with pytest.raises(pc.InputError, match="'result', 'acc', 'auc', 'logloss'"):
        pc.read_results(path, metric="f2")


# ---- MTEB 1.12 to 2 (Apache-2.0): TaskResult.to_disk ---------------------------------


def task_result(name: str, value: float, splits=("test",), subsets=("default",)):
    return {
        "dataset_revision": "abc",
        "evaluation_time": 1.5,
        "kg_co2_emissions": None,
        "mteb_version": "1.12.41",
        "scores": {
            split: [
                {
                    "accuracy": value / 2, "hf_subset": subset, "languages": ["x"],
                    "main_score": value + at / 10, "scores_per_experiment": [{}],
                }
                for at, subset in enumerate(subsets)
            ]
            for split in splits
        },
        "task_name": name,
    }  # fmt: skip


@pytest.fixture
def mteb(tmp_path):
    for add, model in enumerate(("orgA__llama", "orgB__llama")):
        for i in range(3):
            folder = tmp_path / "results" / model / "rev1"
            result = task_result(f"T{i}", (i + add) / 8)
            write_json(folder / f"T{i}.json", result, sort_keys=True)
        write_json(folder / "model_meta.json", {"name": model, "revision": "rev1"})
    return tmp_path / "results"


def test_tasks_of_mteb(mteb):
    scores = pc.read_results(mteb)
    assert scores.algorithms == ("orgA__llama", "orgB__llama")
    assert scores.column("main_score").T.tolist() == [
        [0, 0.125, 0.25],
        [0.125, 0.25, 0.375],
    ]
    assert scores.metrics[0].better == "higher"
    with pytest.raises(pc.InputError, match="higher or lower 'accuracy' is better"):
        pc.read_results(mteb, metric="accuracy")


def test_revisions_of_mteb_are_kept_apart_unless_the_model_is_named(mteb):
    for i in range(3):
        path = mteb / "orgA__llama" / "rev2" / f"T{i}.json"
        write_json(path, task_result(f"T{i}", 0.5))
    scores = pc.read_results(mteb)
    assert scores.algorithms == (
        "orgA__llama/rev1", "orgA__llama/rev2", "orgB__llama",
    )  # fmt: skip
    with pytest.raises(pc.InputError, match=r"several scores.*of several revisions"):
        pc.read_results(mteb, algorithm="model")
    for name in ("T0", "T1"):
        (mteb / "orgA__llama" / "rev1" / f"{name}.json").unlink()
    (mteb / "orgA__llama" / "rev2" / "T2.json").unlink()
    assert pc.read_results(mteb, algorithm="path/1").n_algorithms == 2


def test_experiments_of_mteb_are_models_of_their_own(mteb):
    for model in ("orgA__llama", "orgB__llama"):
        for i in range(3):
            folder = mteb / model / "rev1" / "experiments" / "dim_256"
            write_json(folder / f"T{i}.json", task_result(f"T{i}", i / 4))
    scores = pc.read_results(mteb)
    assert scores.algorithms == (
        *("orgA__llama", "orgA__llama/dim_256", "orgB__llama"),
        "orgB__llama/dim_256",
    )
    assert scores.column()[2].tolist() == [0.25, 0.5, 0.375, 0.5]


def test_splits_and_subsets_of_mteb(mteb):
    for model in ("orgA__llama", "orgB__llama"):
        result = task_result("S", 0.25, ("test", "dev"), ("de", "en"))
        write_json(mteb / model / "rev1" / "S.json", result)
    with pytest.raises(pc.InputError, match=r"S.json: filter: name one of 'test', "):
        pc.read_results(mteb)
    scores = pc.read_results(mteb, filter="test")
    assert scores.column()[scores.blocks.index("S")] == pytest.approx([0.3, 0.3])
    one = pc.read_results(mteb, filter="test/de")
    assert one.column()[one.blocks.index("S")].tolist() == [0.25, 0.25]
    with pytest.raises(pc.InputError, match=r"no subset 'fr' of test; choose .*/de"):
        pc.read_results(mteb, filter="test/fr")
    result = task_result("S", 0.25, ("test",), ("en",))
    write_json(mteb / "orgB__llama" / "rev1" / "S.json", result)
    with pytest.raises(pc.InputError, match="scores of S are means over 'de', 'en"):
        pc.read_results(mteb, filter="test")


# ---- HELM of 2026 (Apache-2.0): per_instance_stats.json ------------------------------


def statistic(name: str, mean: float) -> dict:
    return {
        "name": {"name": name, "split": "test"},
        "count": 1,
        "sum": mean,
        "mean": mean,
    }


def write_helm(folder: Path, model: str, scenario: str, copies=(None, "typos")) -> None:
    stats = [
        {
            "instance_id": f"id{i}",
            **({"perturbation": {"name": copy, "robustness": True}} if copy else {}),
            "train_trial_index": trial,
            "stats": [
                statistic("num_references", 4),
                statistic("exact_match", float((i + trial) % 2 and copy is None)),
                statistic("f1_score", 0.5),
            ],
        }
        for i in range(4)
        for trial in (0, 1)
        for copy in copies
    ]
    name = f"{scenario},model={model.replace('/', '_')}"
    write_json(folder / name / "per_instance_stats.json", stats)
    write_json(folder / name / "stats.json", [statistic("exact_match", 0.5)])
    spec = {"name": name, "adapter_spec": {"model": model, "method": "generation"}}
    write_json(folder / name / "run_spec.json", spec)


def test_perturbed_copies_and_trials_of_helm(tmp_path):
    for model in ("org/a", "org/b"):
        write_helm(tmp_path, model, "mmlu:subject=anatomy")
        write_helm(tmp_path, model, "boolq:mode=plain", copies=(None,))
    with pytest.raises(pc.InputError, match="metric: name one of 'exact_match', 'f"):
        pc.read_results(tmp_path)
    with pytest.raises(pc.InputError, match="filter: name one of 'original', 'typos'"):
        pc.read_results(tmp_path, metric="exact_match")
    scores = pc.read_results(tmp_path, metric="exact_match", filter="original")
    assert scores.algorithms == ("org/a", "org/b") and scores.items
    assert scores.replicates == ("0", "1") and scores.n_blocks == 8
    assert (scores.column() == 0.5).all()
    assert scores.group_names == ("boolq:mode=plain", "mmlu:subject=anatomy")
    (tmp_path / "boolq:mode=plain,model=org_a" / "run_spec.json").unlink()
    with pytest.raises(pc.InputError, match=r"algorithm='org_a' has 0"):
        pc.read_results(tmp_path, metric="f1_score", filter="original")


# ---- SWE-bench experiments of 2026 (no licence: typed after its description) ---------

ALL = (
    "astropy__astropy-1",
    "astropy__astropy-2",
    "django__django-1",
    "django__django-2",
)


@pytest.fixture
def submissions(tmp_path):
    for name, resolved in (("2024_a", ALL[:2]), ("2025_b", ALL[2:])):
        lists = {"no_generation": [ALL[3]], "no_logs": [], "resolved": list(resolved)}
        write_json(tmp_path / name / "results" / "results.json", lists)
        by = {"astropy/astropy": {"resolved": 1, "total": 2}}
        write_json(tmp_path / name / "results" / "resolved_by_repo.json", by)
    details = {i: {"cost": 0.1, "api_calls": 9, "resolved": i in ALL[1:3]} for i in ALL}
    write_json(tmp_path / "2026_c" / "per_instance_details.json", details)
    return tmp_path


@pytest.mark.parametrize("ending", ["txt", "jsonl", "json", "csv", "parquet"])
def test_submissions_with_a_list_of_instances(submissions, ending):
    with pytest.raises(pc.InputError, match=r"not what else was tried.*instances\.txt"):
        pc.read_results(submissions)
    table = pd.DataFrame({"repo": "r", "instance_id": ALL})
    path = submissions / f"instances.{ending}"
    if ending == "txt":
        path.write_text("\n".join(ALL) + "\n")
    elif ending == "csv":
        table.to_csv(path, index=False)
    elif ending == "parquet":
        table.to_parquet(path)
    else:
        table.to_json(path, orient="records", lines=ending == "jsonl")
    scores = pc.read_results(submissions)
    assert scores.algorithms == ("2024_a", "2025_b", "2026_c")
    assert scores.column().T.tolist() == [[1, 1, 0, 0], [0, 0, 1, 1], [0, 1, 1, 0]]
    assert scores.clusters == ("astropy__astropy",) * 2 + ("django__django",) * 2


def test_an_instance_that_the_list_does_not_have_is_refused(submissions):
    (submissions / "instances.txt").write_text("\n".join(ALL[1:]))
    with pytest.raises(
        pc.InputError, match=r"1 resolved instance not in the list.*y-1"
    ):
        pc.read_results(submissions)
    (submissions / "instances.jsonl").write_text("{}")
    with pytest.raises(pc.InputError, match="several lists of instances"):
        pc.read_results(submissions)


# ---- MOABB 1.4 (BSD-3-Clause): Results.to_dataframe ----------------------------------


def eeg(subjects=4, sessions=("0train", "1test")) -> list[dict]:
    return [
        {
            "score": 0.5 + s / 10 + k / 100 + (name == "CSP+LDA") / 50,
            "time": 0.1, "samples": 100, "subject": s, "session": session,
            "channels": 22, "n_sessions": 2, "dataset": data, "pipeline": name,
        }
        for data in ("BNCI2014-001", "Zhou2016")
        for s in range(subjects)
        for k, session in enumerate(sessions)
        for name in ("CSP+LDA", "TS+LR")
    ]  # fmt: skip


def test_sessions_of_moabb_are_averaged(tmp_path):
    scores = pc.read_results(write_csv(tmp_path / "data.csv", eeg()))
    assert scores.algorithms == ("CSP+LDA", "TS+LR") and scores.n_blocks == 8
    assert scores.column()[0] == pytest.approx([0.525, 0.505])
    assert scores.group_names == ("BNCI2014-001", "Zhou2016") and scores.items
    path = write_csv(tmp_path / "data.csv", eeg()[1:])
    with pytest.raises(pc.InputError, match="1 of 16 cells has no score"):
        pc.read_results(path)
    path = write_csv(tmp_path / "data.csv", [*eeg(), eeg()[0]])
    with pytest.raises(pc.InputError, match=r"a second score of pipeline 'CSP.LDA'"):
        pc.read_results(path)


# ---- nnU-Net 2 and 1 (Apache-2.0): save_summary_json, and NiftiEvaluator -------------


def write_summary(folder: Path, first: int, add: float, empty=()) -> None:
    cases = [
        {
            "metrics": {
                label: {
                    "Dice": math.nan if i in empty else (i + add) / 10,
                    "FN": 1, "FP": 1, "IoU": 0.4, "TN": 9, "TP": 3, "n_pred": 4,
                    "n_ref": 4,
                }
                for label in ("1", "(1, 2)")
            },
            "prediction_file": f"/out/c{i}.nii.gz",
            "reference_file": f"/labels/c{i}.nii.gz",
        }
        for i in range(first, first + 3)
    ]  # fmt: skip
    summary = {"foreground_mean": {"Dice": 0.5}, "mean": {}, "metric_per_case": cases}
    write_json(folder / "summary.json", summary, sort_keys=True)


def test_cases_of_nnunet_by_label_and_fold(tmp_path):
    for model, add in (("resenc", 1), ("plain", 0)):
        for fold in (0, 1):
            folder = tmp_path / model / f"fold_{fold}" / "validation"
            write_summary(folder, 3 * fold, add, empty=(4,) if model == "plain" else ())
    given = {"metric": "Dice", "filter": "(1, 2)"}
    with pytest.raises(pc.InputError, match=r"filter: name one of '\(1, 2\)', '1'"):
        pc.read_results(tmp_path, metric="Dice")
    with pytest.raises(pc.InputError, match=r"both empty.*missing='drop-block'"):
        pc.read_results(tmp_path, **given)
    scores = pc.read_results(tmp_path, **given, missing="drop-block")
    assert scores.algorithms == ("plain", "resenc")
    assert scores.blocks == ("c0", "c1", "c2", "c3", "c5")
    assert scores.column()[-1].tolist() == [0.5, 0.6]
    assert "plain: 1 case without Dice" in scores.notes


def test_the_first_version_of_nnunet(tmp_path):
    for model in ("a", "b"):
        cases = [
            {
                "1": {"Dice": i / 10, "Hausdorff Distance 95": 2.0 + i},
                "reference": f"C:\\labels\\c{i}.nii.gz", "test": f"/out/c{i}.nii.gz",
            }
            for i in range(3)
        ]  # fmt: skip
        summary = {"author": "x", "results": {"all": cases, "mean": {}}, "task": "t"}
        write_json(tmp_path / model / "summary.json", summary)
    scores = pc.read_results(tmp_path, metric="Dice")
    assert scores.blocks == ("c0", "c1", "c2")
    with pytest.raises(pc.InputError, match="higher or lower 'Hausdorff Distance 95'"):
        pc.read_results(tmp_path, metric="Hausdorff Distance 95")


# ---- arrays of scores, as rliable 1.2 (Apache-2.0) takes them ------------------------


def test_arrays_of_runs_and_games(tmp_path):
    games = np.arange(12.0).reshape(3, 4)
    np.savez(tmp_path / "scores.npz", DQN=games, C51=games + 1)
    scores = pc.read_results(tmp_path / "scores.npz", better="higher")
    assert scores.algorithms == ("DQN", "C51") and scores.replicates == ("1", "2", "3")
    assert scores.column()[0].tolist() == [4, 5] and scores.blocks[3] == "task 4"
    for name, runs in (("DQN", games), ("C51", games + 1)):
        (tmp_path / "npy").mkdir(exist_ok=True)
        np.save(tmp_path / "npy" / f"{name}.npy", runs[:1])
    one = pc.read_results(tmp_path / "npy", better="higher", metric="hns")
    assert one.replicates is None and one.metrics[0].name == "hns"


@pytest.mark.parametrize(
    ("arrays", "problem"),
    [
        ({"a": np.zeros((2, 3, 4)), "b": np.zeros((2, 3, 4))}, r"shape \(2, 3, 4\)"),
        (
            {"a": np.zeros((2, 3)), "b": np.zeros((2, 4))},
            "'b' has 4 tasks, and the",
        ),
        (
            {"a": np.array([{"x": 1}], object)},
            "no arrays of numbers; save a ",
        ),
        ({"a": np.array([["x"]])}, "no arrays of numbers"),
    ],
)
def test_other_arrays_are_refused(tmp_path, arrays, problem):
    np.savez(tmp_path / "scores.npz", **arrays)
    with pytest.raises(pc.InputError, match=problem):
        pc.read_results(tmp_path / "scores.npz", better="higher")


# ---- folders and files that end alike ------------------------------------------------


def test_models_whose_folders_end_alike_are_two(tmp_path):
    for at, group in enumerate(("orgA", "orgB")):
        folder = tmp_path / "nnunet" / group / "unet" / "fold_0" / "validation"
        write_summary(folder, 3 * at, at)
        lists = {"no_generation": [], "no_logs": [], "resolved": [ALL[at]]}
        path = tmp_path / "swe" / group / "agent" / "results" / "results.json"
        write_json(path, lists)
        run = tmp_path / "trec" / group / "bm25.eval"
        run.parent.mkdir(parents=True)
        run.write_text("".join(f"map\t{q}\t0.{q + at}\n" for q in range(1, 5)))
    (tmp_path / "swe" / "instances.txt").write_text("\n".join(ALL))
    for name, model in (("swe", "agent"), ("trec", "bm25")):
        scores = pc.read_results(tmp_path / name)
        assert scores.algorithms == (f"orgA/{model}", f"orgB/{model}")
    given = {"metric": "Dice", "filter": "1"}
    with pytest.raises(pc.InputError, match="6 of 12 cells have no score"):
        pc.read_results(tmp_path / "nnunet", **given)
