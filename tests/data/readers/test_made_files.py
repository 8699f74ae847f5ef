"""Files that the programs themselves made, in the folder made, with the scripts.

Each ``make_NAME.py`` says which version made them. Formats without such files are in
test_read_results.py, typed after their documentation.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.data.readers.known import all_formats, formats_of
from tests.command_line import command

MADE = Path(__file__).parent / "made"


def test_lm_eval_samples():
    with pytest.raises(pc.InputError, match="name one of 'strict', 'loose'"):
        pc.read_results(MADE / "lm-eval", metric="exact_match")
    with pytest.raises(
        pc.InputError, match="'nope': choose one of 'acc', 'exact_match'"
    ):
        pc.read_results(MADE / "lm-eval", metric="nope")
    with pytest.raises(pc.InputError, match="several, 'acc', 'exact_match'; name one"):
        pc.read_results(MADE / "lm-eval", filter="loose")
    strict = pc.read_results(MADE / "lm-eval", metric="exact_match", filter="strict")
    assert strict.n_blocks == 6 and "filter: strict (sums)" in strict.notes
    assert any("2 files without exact_match left unchanged" in n for n in strict.notes)


def test_lm_eval_samples_of_one_task(tmp_path):
    for path in MADE.glob("lm-eval/*/samples_quiz*"):
        copy = tmp_path / path.parent.name / path.name
        copy.parent.mkdir()
        copy.write_bytes(path.read_bytes())
    scores = pc.read_results(tmp_path)
    assert scores.items and scores.algorithms == ("first", "second")
    assert scores.column("acc").T.tolist() == [[1, 1, 0, 0, 0, 1], [0, 0, 1, 1, 1, 0]]
    assert pc.compare(scores).plan.blocks == "cases"
    with pytest.raises(pc.InputError, match="filter='strict': the files have 'none'"):
        pc.read_results(tmp_path, filter="strict")


def test_arrays_of_lm_eval_have_the_means_of_its_results():
    folder = MADE / "lm-eval-old"
    means = [
        json.loads((folder / model / "results.json").read_text())["results"]
        for model in ("first", "second")
    ]
    scores = pc.read_results(folder, metric="acc_norm")
    assert scores.algorithms == ("first", "second")
    assert all(block.startswith("quiz/") for block in scores.blocks)
    wanted = [mean["quiz"]["acc_norm,none"] for mean in means]
    assert scores.column().mean(axis=0).tolist() == wanted
    with pytest.raises(pc.InputError, match="name one of 'none', 'filter 2'"):
        pc.read_results(folder, metric="exact_match")
    for filter_, name in (("none", "strict"), ("filter 2", "loose")):
        scores = pc.read_results(folder, metric="exact_match", filter=filter_)
        wanted = [mean["sums"][f"exact_match,{name}"] for mean in means]
        assert scores.column().mean(axis=0).tolist() == wanted


def test_revisions_splits_and_subsets_of_mteb():
    with pytest.raises(pc.InputError, match="filter: name one of 'dev', 'test'"):
        pc.read_results(MADE / "mteb")
    scores = pc.read_results(MADE / "mteb", filter="test")
    assert scores.algorithms == ("org__first/abc1", "org__first/abc2", "org__second")
    for at, folder in enumerate(
        ("org__first/abc1", "org__first/abc2", "org__second/1")
    ):
        for block, row in zip(scores.blocks, scores.column(), strict=True):
            path = MADE / "mteb" / folder / f"{block}.json"
            held = json.loads(path.read_text())["scores"]["test"]
            mean = np.mean([subset["main_score"] for subset in held])
            assert row[at] == pytest.approx(mean, rel=1e-12)
    english = pc.read_results(MADE / "mteb", filter="test/en")
    assert english.column("main_score")[0].tolist() != scores.column()[0].tolist()
    with pytest.raises(pc.InputError, match=r": 1 pair of .* of several revisions"):
        pc.read_results(MADE / "mteb", filter="test", algorithm="model")


def test_sessions_of_moabb():
    scores = pc.read_results(MADE / "moabb")
    table = pd.read_csv(MADE / "moabb" / "results.csv")
    means = table.pivot_table("score", "subject", "pipeline", aggfunc="mean")
    assert scores.algorithms == tuple(means.columns)
    assert sorted(map(tuple, scores.column().round(9))) == sorted(
        map(tuple, means.to_numpy().round(9))
    )
    assert "sessions of a subject: their mean, as MOABB has it" in scores.notes


def test_predictions_and_evaluations_of_tsml_eval_hold_the_same():
    folder = MADE / "tsml-eval"
    predictions = pc.read_results(folder / "predictions")
    assert predictions.algorithms[0] == "1NN-ED (KNeighborsTimeSeriesClassifier)"
    evaluation = pc.read_results(folder / "evaluation", metric="accuracy")
    assert evaluation.algorithms == ("1NN-ED", "Dummy")
    assert evaluation.blocks == predictions.blocks == ("Steps/0", "Steps/1", "Waves/0",
                                                       "Waves/1")  # fmt: skip
    assert evaluation.column().tolist() == predictions.column().tolist()
    losses = pc.read_results(folder / "evaluation" / "LogLoss")
    assert losses.metrics[0].better == "lower"


@pytest.mark.parametrize(
    ("name", "metric", "shape", "better"),
    [
        ("regression", None, (9, 2), "lower"),
        ("kasba", None, (3, 3), "higher"),
        ("clustering", None, (3, 6), "higher"),
        ("measures", None, (3, 6), "higher"),
    ],
)
def test_published_tables_of_tsml_eval(name, metric, shape, better):
    scores = pc.read_results(MADE / "tsml-eval" / "published" / name, metric=metric)
    assert scores.shape[:2] == shape and scores.metrics[0].better == better


def test_runs_of_the_automl_benchmark_one_framework_of_which_failed():
    folder = MADE / "amlb"
    with pytest.raises(pc.InputError, match="'RandomForest' in 6; leave") as refused:
        pc.read_results(folder)
    assert "drop-block" not in str(refused.value)  # nothing would be left
    assert "missing='model'" not in str(refused.value)
    left = pc.read_results(folder, leave_out=["algorithm=RandomForest"])
    assert left.algorithms == ("constantpredictor", "DecisionTree")
    assert {*left.datasets} == {"binary", "multi", "number"} and left.n_blocks == 6
    assert "results are in auc, neg_logloss, neg_rmse; higher is better in each" in (
        left.notes
    )
    worst = pc.read_results(folder, missing="worst")
    at = worst.algorithms.index("RandomForest")
    constant = worst.algorithms.index("constantpredictor")
    assert worst.column()[:, at].tolist() == worst.column()[:, constant].tolist()


def test_inspect_samples_with_epochs_and_an_error():
    path = MADE / "inspect" / "samples.csv"
    with pytest.raises(pc.InputError, match="state whether higher or lower 'includes'"):
        pc.read_results(path)
    with pytest.raises(pc.InputError, match="fewer than 2 runs"):
        pc.read_results(path, better="higher")
    scores = pc.read_results(path, better="higher", missing="drop-block")
    assert scores.algorithms == ("mockllm/first", "mockllm/second")
    assert scores.replicates == ("1", "2") and scores.dropped.blocks == ("sums/5",)
    expected = [[1, 1], [1, 0], [0.5, 0.5], [1, 1]]
    assert scores.column().tolist() == expected
    assert "2 samples ended with an error: no score" in scores.notes
    with pytest.raises(pc.InputError, match="no column 'model': write the table by"):
        pc.read_results(MADE / "inspect" / "no_model.csv")


@pytest.mark.parametrize("kind", ["eval", "json"])
def test_logs_of_inspect_hold_what_its_table_holds(kind):
    folder = MADE / "inspect-logs" / kind
    with pytest.raises(pc.InputError, match=r"fewer than 2 runs.*is treated as failed"):
        pc.read_results(folder, better="higher")
    scores = pc.read_results(folder, better="higher", missing="drop-block")
    assert scores.algorithms == ("mockllm/first", "mockllm/second")
    expected = [[1, 1], [1, 0], [0.5, 0.5], [1, 1]]
    assert scores.column("includes").tolist() == expected
    assert "2 samples ended with an error: no score" in scores.notes
    failed = pc.read_results(folder, better="higher", missing="worst", worst=0)
    assert failed.column()[failed.blocks.index("sums/5")].tolist() == [1, 0]
    named = pc.read_results(
        folder, better="higher", missing="drop-block", algorithm="eval.model"
    )
    assert named.algorithms == scores.algorithms


def test_a_log_of_inspect_that_is_cut_off_is_named(tmp_path):
    for path in (MADE / "inspect-logs" / "eval").iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes()[:9000])
    with pytest.raises(pc.InputError, match=r"\.eval: this is no readable .eval file"):
        pc.read_results(tmp_path, better="higher")


def test_swe_bench_reports_of_models_with_points_in_their_names():
    scores = pc.read_results(MADE / "swe-bench")
    assert scores.algorithms == ("model-3.5", "model-3.7") and scores.items
    assert scores.column().T.tolist() == [
        [1, 1, 0, 0, 1, 1, 0, 0],
        [1, 1, 1, 0, 1, 0, 0, 0],
    ]
    assert scores.clusters == ("astropy__astropy",) * 4 + ("django__django",) * 4
    assert pc.compare(scores).plan.blocks == "cases"  # clusters are of cases


def test_summaries_of_nnunet_have_its_means():
    folder = MADE / "nnu-net"
    for label in ("1", "2", "(1, 2)"):
        given = {"metric": "Dice", "filter": label, "missing": "drop-block"}
        scores = pc.read_results(folder, **given)
        assert scores.algorithms == ("plain", "resenc")
        means = [
            json.loads(path.read_text())["mean"][label]["Dice"]
            for path in sorted(folder.rglob("summary.json"))
        ]
        read = [scores.column()[:3].mean(axis=0), scores.column()[3:].mean(axis=0)]
        assert np.transpose(read).ravel() == pytest.approx(means, rel=1e-12)
        assert ("plain: 1 case without Dice" in scores.notes) == (label == "2")


def test_instances_of_helm_whose_statistic_is_no_number_are_missing():
    given = {"metric": "exact_match", "filter": "original"}
    with pytest.raises(pc.InputError, match="algorithm='org_second' has 0"):
        pc.read_results(MADE / "helm", **given)
    scores = pc.read_results(MADE / "helm", **given, missing="drop-block")
    assert scores.algorithms == ("org_first", "org_second")
    assert scores.column().T.tolist() == [[1, 1, 0], [1, 0, 0]]
    assert scores.replicates == ("0", "1")


def test_trec_eval_measures():
    scores = pc.read_results(MADE / "trec_eval", metric="map")
    assert scores.algorithms == ("bm25", "dense") and scores.n_blocks == 6 == len(
        set(scores.blocks) - {"all"}
    )
    with pytest.raises(pc.InputError, match="name one of 'P_10', 'map', 'recip_rank'"):
        pc.read_results(MADE / "trec_eval")


def test_a_query_without_results_counts_as_the_field_has_it(tmp_path):
    shutil.copytree(MADE / "trec_eval", folder := tmp_path / "results")
    lines = (folder / "dense.eval").read_text().splitlines(keepends=True)
    left = [line for line in lines if "\t303\t" not in line]
    (folder / "dense.eval").write_text("".join(left))
    words = ("compare", folder, "--metric", "map", "--out", tmp_path / "out")
    status, _, error = command(*words)
    assert status == 2 and "is set to 0 (trec_eval -c): --missing worst" in error
    status, output, error = command(*words, "--missing", "worst")
    assert status == 0, error
    assert "1 of 12 cells are missing and treated as the worst score" in output
    assert "based on the others" not in output


@pytest.mark.parametrize(("ending", "digits"), [("csv", 13), ("arff", 6)])
def test_weka_experiments(ending, digits):
    scores = pc.read_results(MADE / "weka" / ending, metric="Percent_correct")
    assert scores.algorithms == ("rules.OneR -B 6", "trees.J48 -C 0.25 -M 2")
    assert set(scores.datasets) == {"iris", "weather.symbolic"} and scores.n_blocks == 6
    right = scores.column() * np.array([50, 50, 50, 5, 5, 4])[:, None] / 100
    assert np.abs(right - right.round()).max() < 10.0**-digits
    assert (
        scores.notes[-1]
        == "sizes of training and test sets: 100 and 50; 9 and 5; 10 and 4"
    )
    assert scores.folds[:3] == ("1.1", "1.2", "1.3")


def test_weka_csv_and_arff_hold_the_same():
    both = [
        pc.read_results(MADE / "weka" / kind, metric="Kappa_statistic")
        for kind in ("csv", "arff")
    ]
    np.testing.assert_allclose(both[0].values, both[1].values, atol=1e-6)
    assert both[0].blocks == both[1].blocks
    assert both[0].algorithms == both[1].algorithms


def test_tabarena_results_and_imputed_ones():
    scores = pc.read_results(MADE / "tabarena" / "results.csv")
    assert scores.algorithms == ("GBM", "RF", "LR")
    assert scores.metrics[0].better == "lower" and scores.n_blocks == 6
    assert pc.compare(scores).plan.blocks == "folds-of-datasets"
    imputed = MADE / "tabarena" / "imputed.csv"
    with pytest.raises(pc.InputError, match="1 of 18 cells has no score"):
        pc.read_results(imputed)
    kept = pc.read_results(imputed, missing="drop-block")
    assert kept.dropped.blocks == ("adult/1",)
    assert "1 imputed result of a fallback method: missing" in kept.notes


def test_openml_evaluations_by_task_and_by_fold():
    means = pc.read_results(MADE / "openml" / "means.csv")
    folds = pc.read_results(MADE / "openml" / "folds.csv")
    assert means.metrics[0].better == "higher"
    assert means.n_blocks == 3 and folds.n_blocks == 12
    np.testing.assert_allclose(
        folds.column().reshape(3, 4, 2).mean(axis=1), means.column()
    )
    assert pc.compare(means).plan.blocks == "datasets"
    by_setup = pc.read_results(MADE / "openml" / "means.csv", algorithm="setup_id")
    assert by_setup.algorithms == ("100", "101")


def test_two_openml_runs_of_a_flow_are_refused(tmp_path):
    table = pd.read_csv(MADE / "openml" / "means.csv")
    again = table.head(2).assign(run_id=999, setup_id=777)
    path = tmp_path / "twice.csv"
    pd.concat([table, again]).to_csv(path, index=False)
    with pytest.raises(pc.InputError, match=r'several scores.*algorithm="setup_id"'):
        pc.read_results(path)


def test_scikit_learn_searches():
    folder = MADE / "scikit-learn"
    scores = pc.read_results(folder, metric="accuracy")
    assert scores.algorithms[0] == "{'max_depth': 1}" and scores.n_blocks == 10
    table = pd.read_csv(folder / "iris.csv")
    np.testing.assert_allclose(
        scores.column()[:5].mean(axis=0), table["mean_test_accuracy"]
    )
    negated = pc.read_results(folder, metric="neg_log_loss")
    assert negated.metrics[0].better == "higher" and (negated.values < 0).all()
    with pytest.raises(pc.InputError, match="name one of 'accuracy', 'neg_log_loss'"):
        pc.read_results(folder)


@pytest.mark.usefixtures("blank_pictures_here")
def test_mlflow_runs_on_the_command_line(pycompare, tmp_path):
    path, out = MADE / "mlflow" / "runs.csv", tmp_path / "out"
    roles = ("--algorithm", "params.model", "--block", "params.fold")
    chosen = ("--dataset", "params.data", "--metric", "accuracy:higher")
    given = ("compare", path, "--results-format", "mlflow", *roles, *chosen)
    status, text, _ = pycompare(*given, "--missing", "drop-block", "--out", out)
    assert status == 0 and "read as mlflow (MLflow): 1 file" in text
    assert "1 block dropped: 'iris/3'" in text


def test_mlflow_runs():
    path = MADE / "mlflow" / "runs.csv"
    roles = {"algorithm": "params.model", "block": "params.fold", "metric": "accuracy"}
    with pytest.raises(pc.InputError, match="no score"):
        pc.read_results(path, **roles, better="higher")
    scores = pc.read_results(path, **roles, better="higher", missing="drop-block")
    assert scores.algorithms == ("tree", "forest") and scores.n_blocks == 3
    assert scores.notes[-2:] == (
        "1 run without these labels left out",
        "1 run not finished, no score",
    )
    with pytest.raises(pc.InputError, match=r"block: name the column, one of 'params"):
        pc.read_results(path, metric="loss", algorithm="params.model", better="lower")
    with pytest.raises(pc.InputError, match="there is no such field"):
        pc.read_results(path, **roles | {"block": "params.seed"}, better="higher")


def test_a_failed_run_is_missing_where_columns_are_named(pycompare, tmp_path):
    path = MADE / "mlflow" / "runs.csv"
    roles = ("--algorithm", "params.model", "--block", "params.fold")
    words = (*roles, "--dataset", "params.data", "--metric", "accuracy:higher")
    status, _, told = pycompare("compare", path, *words, "--out", tmp_path / "out")
    assert status == 2 and "1 of 8 cells has no score" in told


BESIDE = ("results.json", "model_meta.json", "_ranks.csv", "_p_values.csv", "NOTICE")
"""Ends of names of files that programs write beside their scores, or of a licence."""
FORMATS_OF = {
    "lm-eval-old": ("lm-eval",),
    "tsml-eval": ("aeon", "tsml-means", "tsml-predictions"),
}
"""Formats in a folder that is not called as its one format."""
FILES = sorted(
    p
    for p in MADE.rglob("*")
    if p.is_file() and not p.name.endswith((".py", ".pyc", *BESIDE))
)


@pytest.mark.parametrize(
    "path", FILES, ids=lambda path: str(path.relative_to(MADE)).partition("_20")[0]
)
def test_every_file_is_of_one_format(path):
    [kind] = formats_of(path, list(all_formats().values()))
    folder = path.relative_to(MADE).parts[0].replace("_", "-")
    assert kind.name in FORMATS_OF.get(folder, (folder,))
