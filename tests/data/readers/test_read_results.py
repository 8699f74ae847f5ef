"""Result files of other programs.

No file here was made by the program: each is typed after its documented schema.
"""

from __future__ import annotations

import csv
import json
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

import pycompare as pc

pytestmark = pytest.mark.usefixtures("blank_pictures")


def sample(item: int, right: float, **more) -> dict:
    """A line of lm-evaluation-harness with --log_samples."""
    return {
        "doc_id": item,
        "doc": {"question": f"q{item}", "text": "x" * 50},
        "target": f"t{item}",
        "arguments": {"gen_args_0": {"arg_0": "prompt", "arg_1": "answer"}},
        "resps": [["r"]],
        "filtered_resps": ["r"],
        "filter": "none",
        "metrics": ["acc"],
        "doc_hash": f"d{item}",
        "prompt_hash": "p",
        "target_hash": f"h{item}",
        "acc": right,
    } | more


def write_samples(folder: Path, model: str, lines: list[dict], task="arc") -> Path:
    path = folder / model / f"samples_{task}_2026-01-02T03-04-05.678.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def write_csv(path: Path, rows: list[dict]) -> Path:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


# ---- lm-evaluation-harness -----------------------------------------------------------


@given(st.permutations(range(6)), st.lists(st.integers(0, 1), min_size=12, max_size=12))
@settings(max_examples=15)
def test_documents_are_paired_by_their_hashes_whatever_their_order(
    tmp_path_factory, order, right
):
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder, "A", [sample(i, right[i]) for i in range(6)])
    shifted = [sample(i, right[6 + i], doc_id=at) for at, i in enumerate(order)]
    write_samples(folder, "B", shifted)
    scores = pc.read_results(folder)
    assert scores.algorithms == ("A", "B") and scores.n_blocks == 6
    expected = np.column_stack([right[:6], right[6:]])
    assert np.array_equal(scores.column("acc"), expected)
    assert scores.metrics[0].better == "higher" and "lm-eval" in scores.notes[0]


def test_tasks_are_groups_and_repeated_documents_are_items(tmp_path):
    for model in "AB":
        write_samples(tmp_path, model, [sample(0, 1), sample(1, 0), sample(0, 1)])
        write_samples(tmp_path, model, [sample(0, 1), sample(5, 0)], task="mmlu")
    scores = pc.read_results(tmp_path)
    assert scores.group_names == ("arc", "mmlu")
    assert scores.n_blocks == 5 and scores.blocks[2].endswith("#2")


def test_several_filters_and_metrics_have_to_be_named(tmp_path):
    for model in "AB":
        lines = [
            sample(i, i % 2, filter=name, metrics=["acc", "f1"], f1=0.5)
            for i in range(3)
            for name in ("strict", "flexible")
        ]
        write_samples(tmp_path, model, lines)
    with pytest.raises(pc.InputError, match="line 1: metric: name one of 'acc'"):
        pc.read_results(tmp_path)
    with pytest.raises(pc.InputError, match="filter: name one of 'strict'"):
        pc.read_results(tmp_path, metric="f1")
    found = pc.read_results(tmp_path, metric="acc", filter="flexible")
    assert found.n_blocks == 3


def test_an_unknown_direction_is_asked_for(tmp_path):
    for model in "AB":
        lines = [sample(i, 1, metrics=["quality"], quality=0.3 * i) for i in range(3)]
        write_samples(tmp_path, model, lines)
    with pytest.raises(pc.InputError, match="state whether higher or lower"):
        pc.read_results(tmp_path)
    found = pc.read_results(tmp_path, better="lower")
    assert found.metrics[0].better == "lower"


def test_items_that_a_model_did_not_answer(tmp_path):
    write_samples(tmp_path, "A", [sample(i, 1) for i in range(4)])
    write_samples(tmp_path, "B", [sample(i, 0) for i in range(1, 4)])
    with pytest.raises(pc.InputError, match="no score"):
        pc.read_results(tmp_path)
    assert pc.read_results(tmp_path, missing="drop-block").n_blocks == 3


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ('{"doc_id": 1, "do', "line 3: not JSON"),
        ("[1, 2]", "line 3: a JSON list, expected an object"),
        (json.dumps(sample(9, "yes")), "line 3: acc='yes' is not a number"),
        (json.dumps(sample(9, float("inf"))), "line 3: the score inf is infinite"),
    ],
)
def test_a_broken_line_is_named(tmp_path, broken, message):
    path = write_samples(tmp_path, "A", [sample(0, 1), sample(1, 0)])
    write_samples(tmp_path, "B", [sample(0, 1), sample(1, 0)])
    path.write_text(path.read_text() + broken + "\n")
    with pytest.raises(pc.InputError, match=message) as refused:
        pc.read_results(tmp_path)
    assert path.name in str(refused.value)


@given(st.integers(1, 4), st.integers(1, 60))
@settings(max_examples=15)
def test_a_file_that_was_cut_off_is_named_with_its_last_line(
    tmp_path_factory, lines, cut
):
    folder = tmp_path_factory.mktemp("cut")
    path = write_samples(folder, "A", [sample(i, 1) for i in range(lines)])
    path.write_bytes(path.read_bytes()[: -1 - cut])
    with pytest.raises(pc.InputError) as refused:
        pc.read_results(folder, "lm-eval" if lines > 1 else None)
    told = str(refused.value)
    assert f"line {lines}: not JSON" in told if lines > 1 else "recognised" in told


def test_memory_grows_with_the_scores_not_with_the_files(tmp_path):
    def peak(length: int) -> int:
        folder = tmp_path / str(length)
        for model in "AB":
            lines = [sample(i, 1, doc={"text": "x" * length}) for i in range(200)]
            write_samples(folder, model, lines)
        tracemalloc.start()
        pc.read_results(folder, "lm-eval")
        top = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return top

    peak(10)
    # Files of 8 MB more; the head that is looked at has 1 MB, as text and decoded.
    assert peak(20_000) - peak(10) < 4_500_000


# ---- the other formats ---------------------------------------------------------------


def test_swe_bench_reports(tmp_path):
    for model, resolved in (("gpt", ["a__b-1", "c__d-2"]), ("claude", ["a__b-1"])):
        report = {
            "total_instances": 4,
            "submitted_ids": ["a__b-1", "a__b-2", "c__d-2"],
            "incomplete_ids": ["c__d-9"],
            "empty_patch_ids": ["a__b-2"],
            "resolved_ids": resolved,
            "error_ids": [],
            "schema_version": 2,
        }
        (tmp_path / f"{model}.run.json").write_text(json.dumps(report))
    scores = pc.read_results(tmp_path)
    assert scores.algorithms == ("claude", "gpt")
    assert scores.column().tolist() == [[1, 1], [0, 0], [0, 1], [0, 0]]
    assert scores.clusters == ("a__b", "a__b", "c__d", "c__d")


def swe_bench_report(path, instances):
    half = instances[: len(instances) // 2]
    report = {
        "resolved_instances": len(half),
        "completed_ids": instances,
        "submitted_ids": instances,
        "resolved_ids": half,
    }
    path.write_text(json.dumps(report, indent=4))
    return path


def test_a_swe_bench_report_that_is_cut_off_is_not_left_alone(tmp_path):
    paths = [swe_bench_report(tmp_path / f"{m}.r.json", ["a-1", "a-2"]) for m in "ABC"]
    paths[2].write_text(paths[2].read_text()[:-9])
    with pytest.raises(pc.InputError, match=r"C\.r\.json: not JSON; was .* cut off"):
        pc.read_results(tmp_path)


def test_a_swe_bench_report_of_long_lists_is_recognised(tmp_path):
    instances = [f"astropy__astropy-{n}" for n in range(3000)]
    for model in "AB":
        path = swe_bench_report(tmp_path / f"{model}.r.json", instances)
    assert path.read_text().index("resolved_ids") > 2**16
    assert pc.read_results(tmp_path).n_blocks == 3000


def imputed() -> list[dict]:
    """Results in which one run failed, one has no row, and the baseline is there."""
    rows = amlb()
    named = sorted({row["framework"] for row in rows})
    for row in amlb():
        if row["framework"] == named[0]:
            rows.append(row | {"framework": "constantpredictor", "result": 0.125})
    first, second = [row for row in rows if row["framework"] == named[0]][:2]
    first["result"] = ""
    rows.remove(second)
    return rows


def test_amlb_runs_that_failed_count_as_the_constant_predictor(tmp_path):
    path = write_csv(tmp_path / "results.csv", imputed())
    with pytest.raises(pc.InputError, match=r"constantpredictor.*missing='worst'"):
        pc.read_results(path)
    scores = pc.read_results(path, missing="worst")
    assert scores.algorithms[-1] == "constantpredictor"
    assert (scores.column() == 0.125).sum() == scores.n_blocks + 2
    assert any(
        "2 runs without a result treated as 'constant" in n for n in scores.notes
    )
    without = [r for r in imputed() if r["framework"] != "constantpredictor"]
    path = write_csv(tmp_path / "without.csv", without)
    with pytest.raises(pc.InputError, match="no worst score by its name"):
        pc.read_results(path, missing="worst")
    assert pc.read_results(path, missing="worst", worst=-1).column().min() == -1


def test_infinite_scores_of_programs_count_as_the_worst(tmp_path):
    for name, values in (("A", (3.5, "Infinity", 2.5)), ("B", (4.0, 1.0, "NaN"))):
        cases = ",".join(
            f'{{"metrics": {{"1": {{"HD95": {v}}}}}, '
            f'"prediction_file": "p/c{i}.nii.gz", "reference_file": "r/c{i}.nii.gz"}}'
            for i, v in enumerate(values)
        )
        (tmp_path / name).mkdir()
        (tmp_path / name / "summary.json").write_text(
            f'{{"metric_per_case": [{cases}]}}'
        )
    options = {"metric": "HD95", "better": "lower"}
    with pytest.raises(pc.InputError, match=r"case|line.*inf is infinite.*worst"):
        pc.read_results(tmp_path, **options)
    scores = pc.read_results(tmp_path, **options, missing="worst", worst=99)
    assert scores.column().tolist() == [[3.5, 4.0], [99.0, 1.0], [2.5, 99.0]]
    with pytest.raises(pc.InputError, match=r"outside of it, first: 3\.5"):
        pc.read_results(tmp_path, **options, missing="worst", worst=99, range=(0, 3))
    with pytest.raises(pc.InputError, match="infinite"):
        pc.read_results(
            tmp_path, metric="HD95", better="higher", missing="worst", worst=0
        )


def amlb(**more) -> list[dict]:
    return [
        {
            "id": "openml.org/t/59", "task": task, "framework": framework,
            "constraint": "1h8c", "fold": fold, "result": value + fold / 10,
            "metric": metric, "mode": "aws", "info": "",
        } | more
        for task, metric in (("iris", "neg_logloss"), ("kc2", "auc"))
        for framework, value in (("flaml", 0.5), ("TPOT", 0.4))
        for fold in range(3)
    ]  # fmt: skip


def test_automl_benchmark(tmp_path):
    scores = pc.read_results(write_csv(tmp_path / "results.csv", amlb()))
    assert scores.algorithms == ("flaml", "TPOT") and scores.n_blocks == 6
    assert set(scores.datasets) == {"iris", "kc2"}
    assert "neg_logloss, auc" in scores.notes[-1]
    assert pc.compare(scores).plan.blocks == "folds-of-datasets"


def test_constraints_and_losses_of_the_automl_benchmark(tmp_path):
    both = amlb() + amlb(constraint="4h8c")
    path = write_csv(tmp_path / "results.csv", both)
    with pytest.raises(pc.InputError, match="filter: name one of '1h8c'"):
        pc.read_results(path)
    assert pc.read_results(path, filter="4h8c").n_blocks == 6
    old = write_csv(tmp_path / "old.csv", amlb(metric="logloss"))
    scores = pc.read_results(old)
    assert scores.metrics[0].better == "higher" and scores.column().max() <= 0
    assert any("results of 2 tasks are losses that are not" in n for n in scores.notes)


def test_a_run_that_failed_is_missing(tmp_path):
    rows = amlb()
    rows[4] = rows[4] | {"result": "", "info": "TimeoutError"}
    path = write_csv(tmp_path / "results.csv", rows)
    with pytest.raises(pc.InputError, match="no score"):
        pc.read_results(path)
    assert pc.read_results(path, missing="drop-block").n_blocks == 5


def test_weka_experimenter(tmp_path):
    rows = [
        {
            "Key_Dataset": data, "Key_Run": run, "Key_Fold": fold,
            "Key_Scheme": "weka.classifiers.trees.J48",
            "Key_Scheme_options": options, "Date_time": 1.0,
            "Number_of_training_instances": 135, "Number_of_testing_instances": 15,
            "Percent_correct": 90 + fold + confidence,
            "Root_mean_squared_error": 0.1,
        }
        for data in ("iris", "glass")
        for confidence, options in enumerate(("'-C 0.25'", "'-C 0.5'"))
        for run in (1, 2)
        for fold in (1, 2, 3)
    ]  # fmt: skip
    path = write_csv(tmp_path / "experiment.csv", rows)
    with pytest.raises(pc.InputError, match="metric: name one of 'Percent_correct'"):
        pc.read_results(path)
    scores = pc.read_results(path, metric="Percent_correct")
    assert scores.algorithms == ("trees.J48 -C 0.25", "trees.J48 -C 0.5")
    assert scores.n_blocks == 12 and scores.blocks[0] == "iris/1.1"
    assert "135 and 15" in scores.notes[-1]


def test_trec_eval(tmp_path):
    for system, base in (("bm25", 0.2), ("dense", 0.3)):
        lines = [f"map\t{q}\t{base + q / 100:.4f}" for q in range(301, 306)]
        lines += ["num_q\tall\t5", "map\tall\t0.25"]
        (tmp_path / f"{system}.txt").write_text("\n".join(lines) + "\n")
    scores = pc.read_results(tmp_path)
    assert scores.blocks == ("301", "302", "303", "304", "305")
    assert scores.algorithms == ("bm25", "dense")
    path = tmp_path / "dense.txt"
    path.write_text(path.read_text() + "map 306\n")
    with pytest.raises(pc.InputError, match=r"dense\.txt: line 8: not a measure"):
        pc.read_results(tmp_path, metric="map")


def test_trec_eval_with_blank_and_damaged_lines_is_not_left_alone(tmp_path):
    lines = [f"map\t{q}\t{q / 999:.4f}" for q in range(301, 306)]
    for system in ("bm25", "dense", "third"):
        text = "\n\n".join([*lines, "", ""])
        (tmp_path / f"{system}.eval").write_text(text, encoding="utf-8-sig")
    assert pc.read_results(tmp_path).algorithms == ("bm25", "dense", "third")
    lines[2] = "map\t303\t0.3 3"
    (tmp_path / "third.eval").write_text("\n".join(lines))
    with pytest.raises(pc.InputError, match=r"third\.eval: line 3: not a measure"):
        pc.read_results(tmp_path)


def test_queries_without_results_turn_a_gain_into_none(tmp_path):
    """Of 50 queries a system fails on 3, which the other one answers well."""
    z = norm.ppf((np.arange(47) + 0.5) / 47)
    z *= np.sqrt(46 / (z**2).sum())
    gains = 0.0510 + 0.0909 * z[np.argsort(np.cos(np.arange(47)))]
    base = 0.4 + 0.1 * np.sin(np.arange(50))
    base[47:] = 0.392
    columns = {"bm25": base, "dense": base[:47] + gains}
    for system, values in columns.items():
        lines = [f"map\t{q + 1}\t{v:.4f}\n" for q, v in enumerate(values)]
        (tmp_path / f"{system}.eval").write_text("".join(lines))
    with pytest.raises(pc.InputError, match=r"is set to 0 .*: missing='worst'"):
        pc.read_results(tmp_path)
    for missing, gain, p, significant in (
        ("drop-block", 0.051, 0.0004, True),
        ("worst", 0.024, 0.217, False),
    ):
        scores = pc.read_results(tmp_path, missing=missing)
        [pair] = pc.compare(scores).analyses[0].decisive.table.to_dict("records")
        assert pair["estimate"] == pytest.approx(gain, abs=0.0005)
        assert pair["p_value"] == pytest.approx(p, abs=0.00005 if significant else 5e-4)
        assert (pair["p_adjusted"] <= 0.05) == significant


# ---- which format --------------------------------------------------------------------


def test_what_is_unknown_or_of_several_formats_is_refused(tmp_path):
    with pytest.raises(pc.InputError, match="no such file"):
        pc.read_results(tmp_path / "nothing")
    with pytest.raises(pc.InputError, match="has no files"):
        pc.read_results(tmp_path)
    (tmp_path / "notes.txt").write_text("hello\n")
    with pytest.raises(pc.InputError, match=r"none of 1 file .* is recognised"):
        pc.read_results(tmp_path)
    write_csv(tmp_path / "results.csv", amlb())
    write_samples(tmp_path, "A", [sample(0, 1)])
    with pytest.raises(pc.InputError, match="of several formats, lm-eval"):
        pc.read_results(tmp_path)
    assert pc.read_results(tmp_path, "amlb").n_blocks == 6
    with pytest.raises(pc.InputError, match="format='amlbb'"):
        pc.read_results(tmp_path, "amlbb")


def test_two_runs_of_one_model_are_refused(tmp_path):
    rows = amlb() + amlb()
    with pytest.raises(pc.InputError, match="several scores, first: block='iris/0'"):
        pc.read_results(write_csv(tmp_path / "results.csv", rows))


def test_progress_counts_the_files(tmp_path):
    told: list[str] = []
    pc.read_results(write_csv(tmp_path / "r.csv", amlb()), progress=told.append)
    assert len(told) == 1 and "1 of 1 files" in told[0]


# ---- many files ----------------------------------------------------------------------


def many(folder: Path) -> Path:
    for at, model in enumerate("CABD"):
        for task in ("arc", "mmlu"):
            lines = [sample(i, (i * at) % 3 == 0) for i in range(20 + at)]
            write_samples(folder, model, lines, task)
    return folder


def test_processes_read_the_same_as_one(tmp_path):
    found = [
        pc.read_results(many(tmp_path), missing="drop-block", workers=n) for n in (1, 2)
    ]
    assert found[0].sha256 == found[1].sha256
    assert found[0].source.sha256 == found[1].source.sha256
    assert found[0].source.rows == 2 * (20 + 21 + 22 + 23)
    # The first broken file is named, whoever reads first.
    for name in "BD":
        [path] = (tmp_path / name).glob("*mmlu*")
        path.write_text(path.read_text() + "{\n")
    with pytest.raises(pc.InputError, match=r"B/samples_mmlu.*line 23: not JSON"):
        pc.read_results(tmp_path, workers=2)


@given(st.data())
@settings(max_examples=15)
def test_merged_files_are_the_table_that_was_split(tmp_path_factory, data):
    """Any scores, split into files in any order of rows, come back as they were."""
    n, names = data.draw(st.integers(2, 6)), "ABC"
    right = data.draw(st.lists(st.integers(0, 1), min_size=3 * n, max_size=3 * n))
    table, folder = np.reshape(right, (n, 3)), tmp_path_factory.mktemp("merged")
    for at, name in enumerate(names):
        order = data.draw(st.permutations(range(n)))
        lines = [sample(i, int(table[i, at])) for i in order]
        write_samples(folder, name, lines)
    scores = pc.read_results(folder)
    by_block = dict(zip(scores.blocks, scores.column().tolist(), strict=True))
    first = pc.read_results(folder).blocks
    assert sorted(map(tuple, by_block.values())) == sorted(map(tuple, table.tolist()))
    assert scores.blocks == first and scores.complete


def test_what_was_read_as_what_is_said(tmp_path):
    for model in "AB":
        write_samples(tmp_path, model, [sample(i, i % 2) for i in range(3)])
    (tmp_path / "notes.md").write_text("by hand")
    scores = pc.read_results(tmp_path)
    assert f"'{tmp_path.name}/notes.md'" in scores.notes[-1]
    assert scores.notes[:2] == (
        "read as lm-eval (lm-evaluation-harness): 2 files",
        "score: acc, higher is better, as lm-evaluation-harness has it",
    )
    assert scores.source.name == tmp_path.name and scores.source.format == "lm-eval"
    with pytest.raises(pc.InputError, match="block='b': it has no effect on files of"):
        pc.read_results(tmp_path, block="b")


def test_one_algorithm_is_refused_with_what_names_algorithms(tmp_path):
    write_samples(tmp_path, "A", [sample(i, 1) for i in range(3)])
    (tmp_path / "B.json").write_text("{")
    told = r"of one algorithm, 'A'.*the folder.*1 file .* left unchanged: .*B\.json"
    with pytest.raises(pc.InputError, match=told):
        pc.read_results(tmp_path)


def test_samples_may_begin_with_a_byte_order_mark(tmp_path):
    for model in "AB":
        path = write_samples(tmp_path, model, [sample(i, i % 2) for i in range(3)])
        path.write_text(path.read_text(), encoding="utf-8-sig")
    assert pc.read_results(tmp_path).n_blocks == 3


def test_a_file_of_samples_whose_first_line_is_broken_is_not_left_alone(tmp_path):
    for model in "AB":
        write_samples(tmp_path, model, [sample(i, i % 2) for i in range(3)])
    torn = write_samples(tmp_path, "C", [sample(i, i % 2) for i in range(3)])
    torn.write_text("{" + torn.read_text())
    with pytest.raises(pc.InputError, match=r"C/samples_arc.*line 1: not JSON"):
        pc.read_results(tmp_path)
    torn.write_text('{"acc": 1, "metrics": ["acc"]}\n')
    with pytest.raises(pc.InputError, match=r"C/samples_arc.*line 1: no 'doc'"):
        pc.read_results(tmp_path)


def test_two_runs_of_a_task_in_one_folder_are_refused(tmp_path):
    path = write_samples(tmp_path, "A", [sample(i, 1) for i in range(3)])
    again = path.with_name("samples_arc_2026-02-02T03-04-05.678.jsonl")
    again.write_text(path.read_text())
    with pytest.raises(pc.InputError, match=r"replicate='path/-1'.*or leave one"):
        pc.read_results(tmp_path)


def test_models_with_other_filters_of_a_task_are_refused(tmp_path):
    for model, name in (("A", "strict"), ("B", "loose")):
        lines = [sample(i, 1, filter=name) for i in range(3)]
        write_samples(tmp_path, model, lines)
    with pytest.raises(pc.InputError, match="files of arc have several, 'strict', 'lo"):
        pc.read_results(tmp_path)


# ---- the command line ----------------------------------------------------------------


def test_compare_reads_a_folder_of_results(pycompare, tmp_path):
    rng = np.random.default_rng(0)
    for model, skill in (("A", 0.9), ("B", 0.5), ("C", 0.5)):
        lines = [sample(i, int(rng.random() < skill)) for i in range(40)]
        write_samples(tmp_path / "results", model, lines)
    out = tmp_path / "report"
    status, text, _ = pycompare("compare", tmp_path / "results", "--out", out)
    assert status == 0
    assert text.startswith("read as lm-eval (lm-evaluation-harness): 3 files\n")
    assert "acc (higher is better): A" in text and "score tests" in text
    page = (out / "report.html").read_text()
    assert "block: a document of a task" in page and "cases of one test set" in page
    held = json.loads((out / "results.json").read_text())
    assert held["provenance"]["file"] == "results"
    status, text, _ = pycompare("verify", out)
    assert status == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--metric", "nope"], "--metric nope: choose one of 'acc'"),
        (["--filter", "strict"], "--filter strict: the files have 'none'"),
        (["--results-format", "amlb"], "is recognised as results.csv"),
        (["--results-format", "amlbb"], "'amlbb' is not one of 'lm-eval'"),
        (["--wide"], "--wide is for tables"),
        (["--sep", ";"], "--sep applies to tables"),
        (["--metric", "acc", "--metric", "f1"], "give --metric once"),
        (["--block", "b"], "--block b: it has no effect on files of lm-eval"),
    ],
)
def test_wrong_options_for_results_are_refused(pycompare, tmp_path, options, told):
    for model in "AB":
        lines = [sample(i, i % 2) for i in range(3)]
        write_samples(tmp_path / "results", model, lines)
    where = ("--out", tmp_path / "out")
    status, _, error = pycompare("compare", tmp_path / "results", *options, *where)
    assert status == 2 and told in error and error.count("\n") == 1


def test_json_lines_of_another_layout_are_a_table(pycompare, tmp_path):
    lines = [
        json.dumps({"model": m, "item": i, "right": 1}) for m in "AB" for i in "xy"
    ]
    (tmp_path / "own.jsonl").write_text("\n".join(lines))
    status, read, error = pycompare(
        "compare", tmp_path / "own.jsonl", "--out", tmp_path / "out"
    )
    assert status == 2 and error == "pycompare: 1 open question\n"
    assert "algorithms: column 'model'\n  blocks: column 'item'" in read


def test_a_direction_is_taken_from_the_command_line(pycompare, tmp_path):
    for model in "AB":
        lines = [sample(i, 1, metrics=["q"], q=(i * len(model)) % 3) for i in range(4)]
        write_samples(tmp_path / "r", model, lines)
    where = ("--out", tmp_path / "out")
    status, _, error = pycompare("compare", tmp_path / "r", *where)
    assert status == 2 and "--metric q:higher or q:lower" in error
    status, _, error = pycompare("compare", tmp_path / "nothing", *where)
    assert status == 2 and "no such file or folder" in error


def test_a_plan_file_names_results(pycompare, tmp_path):
    for model in "AB":
        lines = [sample(i, (i + len(model)) % 2) for i in range(6)]
        write_samples(tmp_path / "results", model, lines)
    plan = tmp_path / "plan.toml"
    text = '[data]\nfile = "results"\nformat = "results"\n{}[metrics]\nacc = "higher"\n'
    plan.write_text(text.format("") + '[plan]\nblocks = "cases"\n')
    read = pc.read_plan(plan)
    assert read.read_scores().sha256 == pc.read_results(tmp_path / "results").sha256
    assert pycompare("run", plan, "--out", tmp_path / "out")[0] == 0
    plan.write_text(text.format('results_format = "amlb"\n'))
    with pytest.raises(pc.InputError, match=r"is recognised as results\.csv"):
        pc.read_plan(plan).read_scores()
    for key, told in (
        ('sep = ";"', "sep is for tables"),
        ('format = "long"\nfilter = "a"', "filter is for results of another program"),
    ):
        wrong = text.format(key + "\n").replace('format = "results"\nf', "f")
        plan.write_text(wrong)
        with pytest.raises(pc.PlanError, match=told):
            pc.read_plan(plan)


def test_tasks_need_a_family_and_missing_items_a_policy(pycompare, tmp_path):
    """A folder as people have them: two tasks, and a model that lacks an item."""
    for model in "AB":
        for task in ("arc", "mmlu"):
            lines = [sample(i, (i + len(task)) % 2) for i in range(8)]
            kept = lines[(model, task) == ("B", "arc") :]
            write_samples(tmp_path / "r", model, kept, task)
    where = ("--out", tmp_path / "out")
    given = ["compare", tmp_path / "r", *where]
    assert "1 of 32 cells has no score" in pycompare(*given)[2]
    given += ["--missing", "drop-block"]
    told = pycompare(*given)[2]
    assert "the cases are in 2 groups: set --groups all (one benchmark" in told
    assert " --family metric (each" in told
    status, text, _ = pycompare(*given, "--family", "all")
    assert status == 0 and "1 block dropped: 'arc/" in text
    assert "Group arc:" in text and "Group mmlu:" in text


def test_a_blinded_comparison_of_results_names_no_model(pycompare, tmp_path):
    for model in ("zebra", "okapi"):
        lines = [sample(i, (i + len(model)) % 3 == 0) for i in range(2, 9)]
        kept = lines[model == "okapi" :]
        write_samples(tmp_path / "r", model, kept)
    given = ("--missing", "drop-block", "--blind", "--out", tmp_path / "out")
    status, text, _ = pycompare("compare", tmp_path / "r", *given)
    assert status == 0 and "zebra" not in text and "okapi" not in text


@pytest.mark.parametrize(
    ("metric", "better"),
    [
        ("acc", "higher"),
        ("acc_norm", "higher"),
        ("prompt_level_strict_acc", "higher"),
        ("exact_match", "higher"),
        ("pass@1", "higher"),
        ("rouge1_max", "higher"),
        ("ter", "lower"),
        ("word_perplexity", "lower"),
        ("brier_score", "lower"),
        ("character_acc", "higher"),  # has "ter" in it
        ("judge_errors", None),
        ("accident_rate", None),
    ],
)
def test_a_direction_is_known_by_the_whole_name(tmp_path, metric, better):
    for model, right in (("a", [1.0, 0.0, 1.0]), ("b", [0.0, 0.0, 1.0])):
        lines = [sample(i, x) for i, x in enumerate(right)]
        renamed = [one | {"metrics": [metric], metric: one["acc"]} for one in lines]
        for one in renamed if metric != "acc" else ():
            del one["acc"]
        write_samples(tmp_path, model, renamed)
    if better:
        assert pc.read_results(tmp_path).metrics[0].better == better
    else:
        with pytest.raises(pc.InputError, match="state whether higher or lower"):
            pc.read_results(tmp_path)


@pytest.mark.parametrize("metric", ["mpe", "msd"])
def test_metrics_whose_best_value_is_0_have_no_direction(tmp_path, metric):
    """Yardstick gives them the direction "zero"."""
    rows = [
        {
            "wflow_id": name,
            "id": f"Fold{k}",
            ".metric": metric,
            ".estimator": "standard",
            ".estimate": k * scale,
        }
        for name, scale in (("tree", 1.0), ("svm", -1.0))
        for k in (1, 2, 3)
    ]
    write_csv(tmp_path / "scores.csv", rows)
    with pytest.raises(pc.InputError, match="state whether higher or lower"):
        pc.read_results(tmp_path / "scores.csv")


def test_models_of_two_folders_with_one_name_are_two(tmp_path):
    for place, model in enumerate(("orgA/llama", "orgB/llama", "phi")):
        write_samples(tmp_path, model, [sample(i, (i + place) % 2) for i in range(6)])
    scores = pc.read_results(tmp_path, "lm-eval")
    assert sorted(scores.algorithms) == ["orgA/llama", "orgB/llama", "phi"]
    assert scores.column("acc").sum() == 9
