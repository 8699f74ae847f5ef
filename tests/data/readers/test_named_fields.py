"""Fields of records that the caller names for a role, in files of any program."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pytest

import pycompare as pc
from tests.command_line import command
from tests.data.readers.test_made_files import MADE
from tests.data.readers.test_read_results import sample, write_samples

pytestmark = pytest.mark.usefixtures("blank_pictures")


def compressed(path):
    """Put a file into an archive of its own."""
    path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()


def test_a_field_of_a_sample_is_the_cluster(tmp_path):
    for model in "AB":
        lines = [
            sample(i, i % 2, doc={"text": f"t{i}", "of": {"story": f"s{i // 2}"}})
            for i in range(6)
        ]
        write_samples(tmp_path, model, lines)
    scores = pc.read_results(tmp_path, cluster="doc.of.story")
    assert scores.clusters == ("s0", "s0", "s1", "s1", "s2", "s2")
    with pytest.raises(pc.InputError, match=r"cluster='doc.of.stories': there is no "):
        pc.read_results(tmp_path, cluster="doc.of.stories")
    with pytest.raises(pc.InputError, match=r"cluster='resps' is no label here"):
        pc.read_results(tmp_path, cluster="resps")


def test_a_part_of_the_path_is_the_algorithm_or_the_run(tmp_path):
    for model in "AB":
        for at in (1, 2):
            path = write_samples(tmp_path, f"{model}/seed{at}", [sample(i, i % 3 == at)
                                 for i in range(4)])  # fmt: skip
            compressed(path)
    scores = pc.read_results(tmp_path, algorithm="path/1", replicate="path/2")
    assert scores.algorithms == ("A", "B") and scores.replicates == ("seed1", "seed2")
    assert scores.column().T.tolist() == [[0, 0.5, 0.5, 0]] * 2
    assert scores.notes[0] == "read as lm-eval (lm-evaluation-harness): 4 files"
    with pytest.raises(pc.InputError, match=r"path/5'.*seed1/samples.*has 3 parts"):
        pc.read_results(tmp_path, algorithm="path/5")


def test_runs_of_other_names_are_numbered_and_a_torn_archive_is_named(tmp_path):
    for model, times in (("A", ("01", "02")), ("B", ("03", "04"))):
        for time in times:
            path = write_samples(tmp_path, model, [sample(i, 1) for i in range(3)])
            path.rename(path.with_name(f"samples_arc_2026-01-{time}T00-00-00.0.jsonl"))
    scores = pc.read_results(tmp_path, replicate="path/-1")
    assert scores.replicates == ("1", "2")
    torn = tmp_path / "A" / "samples_x_2026-01-01T00-00-00.0.jsonl.gz"
    torn.write_bytes(gzip.compress(path.with_name(
        "samples_arc_2026-01-04T00-00-00.0.jsonl").read_bytes() * 99)[:-9])  # fmt: skip
    with pytest.raises(pc.InputError, match=r"0.0.jsonl.gz.*no readable .gz"):
        pc.read_results(tmp_path, replicate="path/-1")


def test_a_block_with_two_groups_is_refused(tmp_path):
    for model in "AB":
        lines = [sample(i, 1, topic=f"{model if i else 'same'}") for i in range(3)]
        write_samples(tmp_path, model, lines)
    with pytest.raises(pc.InputError, match=r"group='topic': .* has two, 'A' and"):
        pc.read_results(tmp_path, group="topic")
    assert pc.read_results(tmp_path, cluster="doc.question").n_blocks == 3


def test_tables_of_programs_may_be_parquet_or_compressed(tmp_path):
    import pandas as pd

    table = pd.read_csv(MADE / "openml" / "folds.csv")
    wanted = pc.read_results(MADE / "openml" / "folds.csv").column()
    table.to_parquet(tmp_path / "folds.parquet")
    assert (pc.read_results(tmp_path / "folds.parquet").column() == wanted).all()
    text = (MADE / "openml" / "folds.csv").read_bytes()
    packed = pa.compress(text, codec="zstd", asbytes=True)
    (tmp_path / "folds.csv.zst").write_bytes(packed)
    assert (pc.read_results(tmp_path / "folds.csv.zst").column() == wanted).all()
    groups = pc.read_results(tmp_path / "folds.parquet", group="data_name")
    assert groups.group_names == tuple(table["data_name"].unique())


def test_a_failed_run_of_mlflow_is_missing_also_where_columns_are_named(tmp_path):
    path = MADE / "mlflow" / "runs.csv"
    roles = ("--algorithm", "params.model", "--block", "params.fold")
    said = ("--metric", "metrics.accuracy:higher", "--out", tmp_path / "out")
    status, _, error = command("compare", path, *roles, *said)
    assert status and "no score" in error
    status, output, error = command(
        "compare", path, *roles, *said, "--missing", "drop-block"
    )
    assert status == 0, error
    assert "1 run not finished, no score" in output


def test_a_plan_names_fields_of_results(tmp_path):
    for model in "AB":
        lines = [sample(i, i % 2, story=f"s{i // 2}") for i in range(6)]
        write_samples(tmp_path / "results", model, lines)
    plan = tmp_path / "plan.toml"
    plan.write_text(
        '[data]\nfile = "results"\nformat = "results"\ncluster = "story"\n'
        '[metrics]\nacc = "higher"\n[plan]\nblocks = "cases"\n'
    )
    assert pc.read_plan(plan).read_data().clusters == (
        "s0",
        "s0",
        "s1",
        "s1",
        "s2",
        "s2",
    )


def test_parts_of_results_are_left_out_as_the_message_advises(tmp_path):
    folder = tmp_path / "results"
    for model in "ABC":
        items = range(2) if model == "C" else range(8)
        write_samples(folder, model, [sample(i, i % 2) for i in items])
    write_samples(folder, "C", [sample(90, 1)], task="only")
    with pytest.raises(pc.InputError, match=r"leave 'C' out .*leave_out=.*algorithm=C"):
        pc.read_results(folder)
    scores = pc.read_results(folder, leave_out=["algorithm=C"])
    assert scores.algorithms == ("A", "B") and scores.n_blocks == 8
    assert scores.notes[-1] == "left out as declared: 'algorithm=C'"
    block = scores.blocks[0]
    fewer = pc.read_results(folder, leave_out=["algorithm=C", f"block={block}"])
    assert fewer.blocks == scores.blocks[1:]
    with pytest.raises(pc.InputError, match=r"no algorithm 'D'.*one of 'A', 'B', 'C'"):
        pc.read_results(folder, leave_out=["algorithm=D"])
    with pytest.raises(pc.InputError, match="no dataset 'x'; there are no labels of"):
        pc.read_results(folder, leave_out=["dataset=x"])
    words = ("compare", folder, "--leave-out", "algorithm=C", "--out", tmp_path / "o")
    status, output, error = command(*words)
    assert status == 0, error
    assert "left out as declared: 'algorithm=C'" in output


def test_runs_that_only_an_algorithm_has_that_is_left_out_go_with_it(tmp_path):
    for model, seeds in (("A", (1,)), ("B", (1,)), ("C", (1, 2))):
        for seed in seeds:
            lines = [sample(i, i % 2) for i in range(4)]
            write_samples(tmp_path, f"{model}/seed{seed}", lines)
    named = {"algorithm": "path/1", "replicate": "path/2"}
    assert pc.read_results(tmp_path, **named).runs_per_cell == (1, 2)
    scores = pc.read_results(tmp_path, **named, leave_out=["algorithm=C"])
    assert scores.replicates is None and scores.algorithms == ("A", "B")
    with pytest.raises(pc.InputError, match="no scores are left"):
        everything = [f"algorithm={name}" for name in "ABC"]
        pc.read_results(tmp_path, **named, leave_out=everything)


EVERY = {
    "lm-eval": ("", {"metric": "acc"}, "doc.question"),
    "inspect": ("samples.csv", {"missing": "drop-block"}, "target"),
    "inspect-logs": ("json", {"missing": "drop-block"}, "target"),
    "swe-bench": ("", {}, "repository"),
    "trec_eval": ("", {"metric": "map"}, "query"),
    "weka": ("csv", {"metric": "Percent_correct"}, "Key_Dataset"),
    "tabarena": ("results.csv", {}, "task"),
    "openml": ("means.csv", {}, "data_name"),
    "mlflow": (
        "runs.csv",
        {"metric": "accuracy", "algorithm": "params.model", "block": "params.fold",
         "missing": "drop-block"},
        "params.fold",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EVERY)
def test_every_format_takes_clusters_and_parts_of_the_path(name):
    inside, given, field = EVERY[name]
    path, given = MADE / name / inside, {"better": "higher"} | given
    plain = pc.read_results(path, **given)
    found = pc.read_results(path, **given, cluster=field)
    assert found.blocks == plain.blocks and len(found.clusters) == found.n_blocks
    with pytest.raises(
        pc.InputError, match="cluster='nowhere': there is no such field"
    ):
        pc.read_results(path, **given, cluster="nowhere")
    given |= {"algorithm": "path/1"}
    if path.is_file():  # one algorithm, or its cells several times
        with pytest.raises(
            pc.InputError, match=r"of one algorithm|have several scores"
        ):
            pc.read_results(path, **given)
    else:
        parts = {file.relative_to(path).parts[0] for file in path.rglob("*.*")}
        own = {name.removesuffix(Path(name).suffix) for name in parts}
        assert {*pc.read_results(path, **given).algorithms} <= own | parts
