"""Files typed after their documented schemas: their programs do not install here.

Every Eval Ever needs a later Python, mlr3 and tidymodels are R packages that Debian
lacks, W&B needs its server, KEEL its whole workbench, and aeon reads such files but
writes none.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import pycompare as pc
from tests.data.readers.test_read_results import write_csv

# ---- Every Eval Ever: schema 0.3.0 of instance-level results -------------------------


def instance(model: str, item: int, right: bool, **more) -> dict:
    return {
        "schema_version": "0.3.0",
        "evaluation_id": f"sums/{model}/1",
        "model_id": model,
        "evaluation_name": "sums",
        "sample_id": f"s{item}",
        "sample_hash": f"{item:064x}"[::-1],
        "interaction_type": "single_turn",
        "input": {"raw": f"q{item}", "reference": [str(item)]},
        "output": {"raw": ["a"]},
        "answer_attribution": [],
        "evaluation": {"score": float(right), "is_correct": right},
    } | more


def write_instances(folder: Path, name: str, lines: list[dict], config=None) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}_samples.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    if config is not None:
        result = {"evaluation_name": "sums", "metric_config": config}
        text = json.dumps({"evaluation_results": [result]})
        (folder / f"{name}.json").write_text(text)
    return path


def test_instances_are_paired_by_their_hashes(tmp_path):
    write_instances(tmp_path, "a", [instance("A", i, i < 3) for i in range(5)])
    renamed = [instance("B", i, i < 4, sample_id=f"other{i}") for i in (4, 2, 0, 3, 1)]
    write_instances(tmp_path, "b", renamed)
    scores = pc.read_results(tmp_path)
    assert scores.items and scores.metrics[0].better == "higher"
    assert scores.column().T.tolist() == [[1, 1, 1, 0, 0], [1, 1, 1, 1, 0]]


def test_instances_without_hashes_are_paired_by_question_and_reference(tmp_path):
    for model in "AB":
        lines = [instance(model, i, i > 1, sample_hash=None) for i in range(3)]
        write_instances(tmp_path, model, lines)
    assert pc.read_results(tmp_path).n_blocks == 3


def test_the_same_sample_again_is_a_run_and_another_name_another_item(tmp_path):
    for model in "AB":
        lines = [instance(model, i, i == 0) for i in (0, 1, 0, 1)]
        write_instances(tmp_path, model, lines)
    scores = pc.read_results(tmp_path)
    assert scores.replicates == ("1", "2") and scores.n_blocks == 2
    for model in "AB":
        again = instance(model, 0, True, sample_id="copy")
        write_instances(tmp_path, model, [instance(model, 0, False), again])
    scores = pc.read_results(tmp_path)
    assert scores.replicates is None and scores.blocks[1].endswith("#copy")


@pytest.mark.parametrize(("lower", "better"), [(True, "lower"), (False, "higher")])
def test_the_aggregate_beside_instances_tells_the_direction(tmp_path, lower, better):
    for model in "AB":
        lines = lines_of(model)
        lines[0]["evaluation"]["score"] = 0.5
        write_instances(tmp_path, model, lines)
    with pytest.raises(pc.InputError, match="state whether higher or lower 'score'"):
        pc.read_results(tmp_path)
    correct = pc.read_results(tmp_path, metric="is_correct")
    assert correct.metrics[0].better == "higher"
    for model in "AB":
        write_instances(tmp_path, model, lines_of(model), {"lower_is_better": lower})
    assert pc.read_results(tmp_path).metrics[0].better == better


def lines_of(model: str) -> list[dict]:
    return [instance(model, i, i > 1) for i in range(3)]


def test_an_unknown_level_and_errors_of_instances(tmp_path):
    unknown = {"lower_is_better": False, "has_unknown_level": True}
    for model in "AB":
        lines = lines_of(model)
        lines[0]["error"] = "timeout"
        lines[1]["evaluation"]["score"] = -1
        write_instances(tmp_path, model, lines, unknown)
    scores = pc.read_results(tmp_path, missing="drop-block")
    assert scores.n_blocks == 2 and len(scores.dropped.blocks) == 1
    assert any("1 instance with an error" in note for note in scores.notes)


def test_an_instance_without_its_evaluation_is_refused_with_its_line(tmp_path):
    lines = [instance("A", 0, True), instance("A", 1, True, evaluation={})]
    write_instances(tmp_path, "a", lines)
    with pytest.raises(
        pc.InputError, match=r"a_samples\.jsonl: line 2: evaluation has"
    ):
        pc.read_results(tmp_path)


# ---- KEEL: the example in the help of Vis-Clas-Tabular -------------------------------

RATES = """

------------------------------------------------------
Table: Classification rate by algorithm and by fold
Dataset used: pima
------------------------------------------------------

TEST RESULTS

{head}
Fold0,0.6753246753,0.0000000000,0.6623376623,0.0000000000
Fold1,0.7564102564,0.0000000000,0.6923076923,0.0000000000

TRAIN RESULTS

{head}
Fold0,0.7829232996,0.0000000000,0.7727930535,0.0000000000
Fold1,0.7826086957,0.0000000000,0.7695652174,0.0000000000
"""
TWO_LINES = (
    "pima,Linear,Linear,Quadratic,Quadratic\n"
    ",Correctly Classified,Not Classified,Correctly Classified,Not Classified"
)
ONE_LINE = (
    "pima,Linear--Correctly Classified,Linear--Not Classified,"
    "Quadratic--Correctly Classified,Quadratic--Not Classified"
)


@pytest.mark.parametrize("head", [TWO_LINES, ONE_LINE])
def test_keel_rates_of_test_sets_by_fold(tmp_path, head):
    path = tmp_path / "pima_ByFoldByClassifier_s0.stat"
    path.write_text(RATES.format(head=head))
    scores = pc.read_results(tmp_path)
    assert scores.algorithms == ("Linear", "Quadratic")
    assert scores.metrics[0].name == "accuracy"
    assert scores.blocks == ("pima/Fold0", "pima/Fold1")
    assert scores.column()[1].tolist() == [0.7564102564, 0.6923076923]
    path.write_text(RATES.format(head=head).replace("0.6923076923,0.0000000000", "0.6"))
    with pytest.raises(pc.InputError, match=r"s0\.stat: line 1\d: 4 cells"):
        pc.read_results(tmp_path)


def test_keel_seeds_are_runs(tmp_path):
    for seed in (0, 1):
        path = tmp_path / f"pima_ByFoldByClassifier_s{seed}.stat"
        path.write_text(RATES.format(head=TWO_LINES))
    assert pc.read_results(tmp_path).replicates == ("0", "1")


# ---- mlr3: BenchmarkResult$score(predictions = FALSE), 2026 --------------------------


def mlr3_rows(**more) -> list[dict]:
    return [
        {
            "nr": nr, "task_id": task, "learner_id": learner, "resampling_id": "cv",
            "iteration": fold, "classif.ce": 0.1 * nr + 0.01 * fold, "classif.auc": 0.9,
        } | more
        for task in ("sonar", "spam")
        for nr, learner in enumerate(("classif.rpart", "classif.ranger"), start=1)
        for fold in (1, 2, 3)
    ]  # fmt: skip


def test_mlr3_scores(tmp_path):
    path = write_csv(tmp_path / "scores.csv", mlr3_rows(errors="0"))
    scores = pc.read_results(path, metric="classif.ce")
    assert scores.metrics[0].better == "lower" and scores.n_blocks == 6
    assert pc.read_results(path, metric="classif.auc").metrics[0].better == "higher"
    with pytest.raises(pc.InputError, match=r"name one of 'classif\.ce', 'class"):
        pc.read_results(path)
    failed = write_csv(tmp_path / "failed.csv", mlr3_rows(errors="1"))
    notes = pc.read_results(failed, metric="classif.ce").notes
    assert any("12 fits with an error" in note for note in notes)


def test_mlr3_means_are_over_data_sets(tmp_path):
    rows = [row for row in mlr3_rows() if row["iteration"] == 1]
    rows = [{"iters" if k == "iteration" else k: v for k, v in r.items()} for r in rows]
    path = write_csv(tmp_path / "means.csv", rows)
    scores = pc.read_results(path, metric="classif.ce")
    assert scores.blocks == ("sonar", "spam")
    assert pc.compare(scores).plan.blocks == "datasets"


# ---- tidymodels: collect_metrics(summarize = FALSE) ----------------------------------


def tidy_rows(name: str | None, base: float, configs=("pre0_mod0",)) -> list[dict]:
    return [
        ({} if name is None else {"wflow_id": name})
        | {
            ".config": config, "id": repeat, "id2": fold, ".metric": metric,
            ".estimator": "binary", ".estimate": base + at / 10 + up,
        }
        for up, config in enumerate(configs)
        for repeat in ("Repeat1", "Repeat2")
        for at, fold in enumerate(("Fold1", "Fold2"))
        for metric in ("accuracy", "mn_log_loss")
    ]  # fmt: skip


def test_metrics_of_a_workflow_set(tmp_path):
    rows = tidy_rows("glm", 0.5) + tidy_rows("cart", 0.4, ("m1", "m2"))
    path = write_csv(tmp_path / "metrics.csv", rows)
    scores = pc.read_results(path, metric="accuracy")
    assert scores.algorithms == ("glm", "cart m1", "cart m2")
    assert scores.blocks[:2] == ("Repeat1/Fold1", "Repeat1/Fold2")
    lower = pc.read_results(path, metric="mn_log_loss")
    assert lower.metrics[0].better == "lower"


def test_metrics_of_one_workflow_a_file(tmp_path):
    for name, base in (("glm", 0.5), ("cart", 0.4)):
        write_csv(tmp_path / f"{name}.csv", tidy_rows(None, base))
    assert pc.read_results(tmp_path, metric="accuracy").algorithms == ("cart", "glm")


def test_means_over_resamples_are_refused(tmp_path):
    row = {"wflow_id": "a", ".metric": "accuracy", ".estimator": "binary"}
    path = write_csv(tmp_path / "m.csv", [row | {"mean": 0.5, "n": 5, "std_err": 0.1}])
    with pytest.raises(pc.InputError, match="summarize = FALSE"):
        pc.read_results(path)


# ---- W&B: the documented export script -----------------------------------------------


def test_wandb_export(tmp_path):
    rows = [
        {
            "": at, "name": f"{model}-{seed}",
            "summary": str({"acc": 0.5 + seed / 10, "x": float("nan"), "_step": 9}),
            "config": str({"model": model, "seed": seed}),
        }
        for at, (model, seed) in enumerate((m, s) for m in "ab" for s in (1, 2))
    ]  # fmt: skip
    path = write_csv(tmp_path / "project.csv", rows)
    roles = {"algorithm": "config.model", "block": "config.seed"}
    scores = pc.read_results(path, metric="acc", better="higher", **roles)
    assert scores.blocks == ("1", "2") and scores.column().tolist() == [
        [0.6, 0.6],
        [0.7, 0.7],
    ]
    rows[2]["config"] = "__import__('os').getcwd()"
    write_csv(path, rows)
    with pytest.raises(pc.InputError, match="is no table of names and values"):
        pc.read_results(path, metric="acc", better="higher", **roles)


# ---- aeon: files of timeseriesclassification.com -------------------------------------


def test_aeon_results(tmp_path):
    for name, base in (("HC2", 0.9), ("FreshPRINCE", 0.8)):
        for measure in ("accuracy", "logloss"):
            lines = ["Resamples:,0,1,2"]
            lines += [f"{d},{base},{base + 0.01},{base}" for d in ("ACSF1", "Adiac")]
            path = tmp_path / f"{name}_{measure}.csv"
            path.write_text("\n".join(lines) + "\n")
    with pytest.raises(pc.InputError, match="several, 'accuracy', 'logloss'; name one"):
        pc.read_results(tmp_path)
    scores = pc.read_results(tmp_path, metric="accuracy")
    assert scores.algorithms == ("FreshPRINCE", "HC2") and scores.n_blocks == 6
    assert scores.blocks[:2] == ("ACSF1/0", "ACSF1/1")
    assert np.array_equal(scores.column()[0], [0.8, 0.9])
    assert any(
        "2 files without accuracy left unchanged" in note for note in scores.notes
    )
    lower = pc.read_results(tmp_path, metric="logloss")
    assert lower.metrics[0].better == "lower"
