"""Records in JSON, folders of tables and parts of labels: rows with named values."""

from __future__ import annotations

import gzip
import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import pycompare as pc
from tests.command_line import command

pytestmark = pytest.mark.usefixtures("blank_pictures")

MODELS, ITEMS = ("llama", "qwen", "phi"), tuple(f"q{i}" for i in range(6))
SCORES = {
    (m, q): (7 * i + 3 * j) % 11 / 10
    for i, m in enumerate(MODELS)
    for j, q in enumerate(ITEMS)
}
RECORDS = [
    {"model": m, "question": q, "acc": score, "run": {"hours": 2, "tags": ["a"]}}
    for (m, q), score in SCORES.items()
]
NESTED = {m: {q: SCORES[m, q] for q in ITEMS} for m in MODELS}
ROLES = {"algorithm": "model", "block": "question", "metrics": {"acc": "higher"}}
WANTED = [[SCORES[m, q] for m in MODELS] for q in ITEMS]


def lines():
    return "\n".join(map(json.dumps, RECORDS)) + "\n\n"


def zstandard(content):
    return pa.compress(content, codec="zstd", asbytes=True)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", json.dumps(RECORDS).encode()),
        ("a.jsonl", lines().encode()),
        ("a.jsonl.gz", gzip.compress(lines().encode(), mtime=0)),
        ("a.jsonl.zst", zstandard(lines().encode())),
        ("a.JSON", b"\xef\xbb\xbf" + json.dumps(RECORDS).encode()),
    ],
)
def test_records_are_a_table_with_names_joined_by_points(tmp_path, name, content):
    (path := tmp_path / name).write_bytes(content)
    reading = pc.propose(path)
    assert reading.columns == ("model", "question", "acc", "run.hours", "run.tags")
    assert {k: reading.arguments[k] for k in ROLES} == ROLES
    scores = reading.accept()
    assert scores.column().tolist() == WANTED
    assert scores.source.name == name


def test_scores_by_algorithm_and_block_may_have_runs(tmp_path):
    roles = {"algorithm": "algorithm", "block": "block", "metrics": {"score": "lower"}}
    (path := tmp_path / "a.json").write_text(json.dumps(NESTED))
    assert pc.read_scores(path, **roles).column().tolist() == WANTED
    runs = {m: {q: [s, s + 1] for q, s in own.items()} for m, own in NESTED.items()}
    path.write_text(json.dumps(runs))
    scores = pc.read_scores(path, **roles, replicate="run")
    assert len(scores.replicates) == 2
    assert scores.column()[0].tolist() == [s + 0.5 for s in WANTED[0]]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": {"q": {"x": 1}}}', "'a', 'q': .*is no score"),
        ('{"a": {"q": 1, "q": 2}}', "the key 'q' twice"),
        ("[1, 2]", "record 1 is '?1'?, not an object"),
        ("3", "not an array of objects"),
        ("[]", "no records"),
        ('{"a": ', "not JSON"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_other_json_is_refused_with_its_place(tmp_path, text, problem):
    (path := tmp_path / "a.json").write_text(text)
    with pytest.raises(pc.InputError, match=problem):
        pc.read_scores(path, **ROLES)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv.gz", gzip.compress(b"a,b\n", mtime=0)[:-9]),
        ("a.csv.zst", b"a,b\n"),
        ("a.csv.zst", zstandard(b"a,b\n" * 99)[:-9]),
    ],
)
def test_a_damaged_archive_is_refused(tmp_path, name, content):
    (path := tmp_path / name).write_bytes(content)
    with pytest.raises(pc.InputError, match="no readable"):
        pc.read_scores(path, **ROLES)


def test_an_array_within_one_object_holds_the_records(tmp_path):
    for model in MODELS:
        items = [{"id": q, "grade": {"acc": SCORES[model, q]}} for q in ITEMS]
        run = {"model": {"name": model}, "items": items, "tags": ["a"]}
        (tmp_path / f"{model}.json").write_text(json.dumps(run))
    roles = {"algorithm": "model.name", "block": "items.id"}
    scores = pc.read_scores(tmp_path, **roles, metrics={"items.grade.acc": "higher"})
    assert scores.to_wide()[list(MODELS)].to_numpy().tolist() == WANTED
    (path := tmp_path / "phi.json").write_text(json.dumps(run | {"errors": [{}]}))
    with pytest.raises(pc.InputError, match="several arrays of objects, 'items', 'err"):
        pc.read_scores(path, **roles, metrics={"items.grade.acc": "higher"})


RIGHT = np.random.default_rng(4).integers(2, size=(3, 6)).astype(bool)
ANSWERS = {
    f"gpt-{k}": {
        f"q{i}": {"said": "ABCD"[i % 4], "right": r} for i, r in enumerate(own)
    }
    for k, own in enumerate(RIGHT.tolist())
}
LISTED = {m: [{"question": q} | a for q, a in of.items()] for m, of in ANSWERS.items()}
BY_MODEL = {
    "objects with named answers": [
        {"model": m, "overall": k / 9, "answers": own}
        for k, (m, own) in enumerate(ANSWERS.items())
    ],
    "objects with listed answers": [
        {"run": {"model": m}, "answers": own} for m, own in LISTED.items()
    ],
    "one object": ANSWERS,
    "one object with more": {
        m: {"date": "2026-11-29", "size": 7 + k, "answers": own}
        for k, (m, own) in enumerate(LISTED.items())
    },
}


@pytest.mark.parametrize("name", BY_MODEL)
def test_answers_of_each_model_are_items(tmp_path, name):
    (path := tmp_path / "a.json").write_text(json.dumps(BY_MODEL[name]))
    reading = pc.propose(path)
    [question] = reading.questions
    assert question.startswith("which direction is better of")
    [metric] = reading.arguments["metrics"]
    assert metric.rpartition(".")[2] == "right"
    scores = pc.read_scores(path, **reading.arguments | {"metrics": {metric: "higher"}})
    assert scores.algorithms == (*ANSWERS,)
    assert scores.column().T.tolist() == RIGHT.tolist()


def test_a_file_of_answers_is_a_model_by_its_path(tmp_path):
    for model, own in ANSWERS.items():
        (tmp_path / f"{model}.json").write_text(json.dumps(own))
    first, _ = pc.propose(tmp_path).open
    assert "which column holds the algorithms" in first and "'path'" in first
    roles = {"algorithm": "path", "block": "item", "metrics": {"right": "higher"}}
    scores = pc.read_scores(tmp_path, **roles)
    assert scores.column().T.tolist() == RIGHT.tolist()


def test_messages_within_records_are_no_items(tmp_path):
    said = [{"role": "user", "content": "?"}] * 6
    rows = [r | {"messages": said} for r in RECORDS]
    (path := tmp_path / "a.json").write_text(json.dumps(rows))
    assert len(pc.read_scores(path, **ROLES).blocks) == len(ITEMS)


def test_objects_that_share_no_block_are_parts_of_one_record(tmp_path):
    run = {"metrics": {"acc": 0.5, "f1": 0.4}, "config": {"seed": 1}}
    (path := tmp_path / "a.json").write_text(json.dumps(run))
    assert pc.propose(path).columns == ("metrics.acc", "metrics.f1", "config.seed")


def test_folders_of_parquet_with_objects_and_lists(tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    for model in MODELS:
        rows = [{k: v for k, v in r.items() if k != "model"} for r in RECORDS
                if r["model"] == model]  # fmt: skip
        pq.write_table(pa.Table.from_pylist(rows), folder / f"{model}.parquet")
    roles = ROLES | {"algorithm": "path"}
    reading = pc.propose(folder)
    assert reading.columns == ("question", "acc", "run.hours", "run.tags", "path")
    scores = pc.read_scores(folder, **roles)
    assert scores.to_wide()[list(MODELS)].to_numpy().tolist() == WANTED
    (folder / "phi.parquet").write_bytes(b"PAR1")
    with pytest.raises(pc.InputError, match=r"phi.parquet: this is no readable"):
        pc.read_scores(folder, **roles)


@pytest.fixture
def results(tmp_path):
    """Write one object a file in nested folders."""
    for (m, q), score in SCORES.items():
        folder = tmp_path / "results" / m / q
        folder.mkdir(parents=True)
        text = json.dumps({"scores": {"acc": score}, "n": 100})
        (folder / "result.json").write_text(text)
    return tmp_path / "results"


def test_parts_of_a_path_have_roles(results, monkeypatch):
    _, output, _ = command("compare", results)
    assert "path/1 ('llama', 'phi', 'qwen'), path/2 ('q0', " in output
    seen = []

    def keep(scores, *_):
        seen.append(scores)

    monkeypatch.setattr("pycompare.apps.cli.compare.compare_and_report", keep)
    roles = ("--algorithm", "path/1", "--block", "path/-2", "--metric")
    status, _, said = command(
        "compare", results, *roles, "scores.acc:higher", "--out", results.parent / "o"
    )
    assert status == 0, said
    wanted = [[SCORES[m, q] for m in sorted(MODELS)] for q in ITEMS]
    assert seen[0].column().tolist() == wanted
    assert seen[0].source.name == "results"
    with pytest.raises(pc.InputError, match=r"'path/9': 'llama/q0/result' .* 3 parts"):
        pc.read_scores(
            results,
            algorithm="path/1",
            block="path/9",
            metrics={"scores.acc": "higher"},
        )


def test_a_folder_of_tables_has_one_header(tmp_path):
    folder = tmp_path / "tables"
    folder.mkdir()
    for m in MODELS:
        rows = "".join(f"{q},{SCORES[m, q]}\n" for q in ITEMS)
        (folder / f"{m}.csv").write_text("question,acc\n" + rows)
    roles = ROLES | {"algorithm": "path"}
    scores = pc.read_scores(folder, **roles)
    assert scores.algorithms == tuple(sorted(MODELS))
    (folder / "phi.csv").write_text("question,acc\nq0,x1\n")
    with pytest.raises(pc.InputError, match="line 2 of phi: 'x1' is text"):
        pc.read_scores(folder, **roles)
    (folder / "phi.csv").write_text("question,accuracy\nq0,1\n")
    with pytest.raises(pc.InputError, match="phi: its columns are 'question', 'accur"):
        pc.read_scores(folder, **roles)
    (folder / "notes.txt").write_text("text")
    with pytest.raises(pc.InputError, match=r"3 files .csv, 1 file .txt"):
        pc.read_scores(folder, **roles)


def test_a_column_of_that_very_name_goes_before_a_part():
    rows = [row | {"model/1": row["model"].upper()} for row in RECORDS]
    scores = pc.Scores.from_frame(rows, **ROLES | {"algorithm": "model/1"})
    assert scores.algorithms == tuple(m.upper() for m in MODELS)
    rows = [row | {"model": f"org/{row['model']}"} for row in RECORDS]
    scores = pc.Scores.from_frame(rows, **ROLES | {"algorithm": "model/-1"})
    assert scores.algorithms == MODELS


def test_a_plan_file_names_parts_of_a_path(results):
    plan = results.parent / "plan.toml"
    plan.write_text(
        '[data]\nfile = "results"\nalgorithm = "path/1"\nblock = "path/2"\n'
        '[metrics]\n"scores.acc" = "higher"\n[plan]\nblocks = "datasets"\n'
    )
    assert pc.read_plan(plan).read_data().shape == (6, 3, 1)
    plan.write_text(plan.read_text().replace("path/2", "when/2"))
    with pytest.raises(pc.PlanError, match="no column 'when/2'"):
        pc.read_plan(plan).read_data()


def test_parts_are_columns_of_predictions_and_ratings_too():
    rows = [
        {
            "where": f"{m}/fold{i % 2}/{i}",
            "y": (i * 5) % 3 > 0,
            "p": (i * 7 + len(m)) % 9,
        }
        for m in MODELS
        for i in range(12)
    ]
    found = pc.Predictions.from_frame(
        rows, algorithm="where/1", block="where/2", label="y", score="p", positive=True
    )
    assert found.algorithms == MODELS and found.blocks == ("fold0", "fold1")
    ratings = pc.Ratings.from_frame(
        [row | {"reader": r} for row in rows for r in "xy"],
        modality="where/1", reader="reader", case="where/3", rating="p", truth="y",
        positive=True,
    )  # fmt: skip
    assert ratings.modalities == MODELS
