"""measure_file: the same numbers as in memory, from any layout, after any end."""

from __future__ import annotations

import errno
import os
import signal
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from pyarrow import parquet

import pycompare as pc
from pycompare.apps.streaming import stream
from pycompare.base.parallel import progress, unfinished
from pycompare.data.measures import measure
from tests.data.tables import refused

ROLES = {
    "algorithm": "model",
    "block": "fold",
    "dataset": "data",
    "label": "label",
    "score": "score",
    "positive": "yes",
}


@pytest.fixture(autouse=True)
def every_line(monkeypatch):
    monkeypatch.setattr(progress, "_EVERY", 0)


def done_in(line: str) -> int:
    """Return how many portions are done; -2 of other lines."""
    return int(line.split()[0]) if "portions" in line else -2


METRICS = ["tpr", "fpr", "error", "auc", "auc_pr", "average_precision", "brier"]


def frame(n: int = 20, folds: int = 5) -> pd.DataFrame:
    rng = np.random.default_rng(11)
    parts = []
    for data in ("a", "b"):
        for fold in range(folds):
            label = rng.random(n) < 0.4
            label[:2] = True, False
            for model in ("svm", "knn", "nb"):
                parts.append(
                    pd.DataFrame(
                        {
                            "data": data,
                            "fold": fold,
                            "model": model,
                            "case": np.arange(n),
                            "label": np.where(label, "yes", "no"),
                            "score": np.round(rng.random(n), 2),
                        }
                    )
                )
    return pd.concat(parts, ignore_index=True)


def in_one_file(table: pd.DataFrame, path: Path) -> Path:
    table.to_parquet(path / "p.parquet", index=False, row_group_size=47)
    return path / "p.parquet"


def in_partitions(table: pd.DataFrame, path: Path) -> Path:
    parquet.write_to_dataset(
        pa.Table.from_pandas(table), path / "p", partition_cols=["data", "model"]
    )
    return path / "p"


def scattered(table: pd.DataFrame, path: Path) -> Path:
    return in_one_file(table.sample(frac=1, random_state=3), path)


def with_categories(table: pd.DataFrame, path: Path) -> Path:
    names = ["data", "model", "label"]
    return in_one_file(table.astype(dict.fromkeys(names, "category")), path)


LAYOUTS = [in_one_file, in_partitions, scattered, with_categories]


@pytest.fixture(autouse=True)
def small_portions(monkeypatch):
    monkeypatch.setattr(stream, "ROWS", 70)


@pytest.fixture
def path(tmp_path):
    return in_one_file(frame(), tmp_path)


def values(scores: pc.Scores) -> pd.DataFrame:
    """Scores as a frame that does not depend on the order of the labels."""
    return scores.to_frame().sort_values(["block", "algorithm"], ignore_index=True)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("case", [None, "case"])
def test_files_give_what_memory_gives(tmp_path, layout, case):
    file = layout(frame(), tmp_path)
    found = pc.measure_file(file, metrics=METRICS, case=case, **ROLES)
    memory = pc.read_predictions(file, **ROLES).measure(METRICS)
    assert found.sha256 == memory.sha256
    assert found.notes == memory.notes
    assert vars(found.source) == vars(memory.source)
    direct = pc.Predictions.from_frame(frame(), **ROLES).measure(METRICS)
    pd.testing.assert_frame_equal(values(found), values(direct), rtol=1e-14)


def test_other_cases_of_another_algorithm_are_told_as_in_memory(tmp_path):
    table = frame().drop(index=[0, 1, 2])
    file = in_one_file(table, tmp_path)
    found = pc.measure_file(file, metrics="auc", **ROLES)
    memory = pc.read_predictions(file, **ROLES).measure("auc")
    assert "not tested on the same cases" in found.notes[0]
    assert found.notes == memory.notes


@pytest.mark.parametrize(
    ("no", "yes", "positive"),
    [(0, 1, 1), (False, True, True), (0.0, 1.0, 1), (-1, 1, "1")],
)
def test_labels_may_be_of_any_type(tmp_path, no, yes, positive):
    table = frame()
    table["label"] = np.where(table["label"] == "yes", yes, no)
    roles = ROLES | {"positive": positive}
    found = pc.measure_file(in_one_file(table, tmp_path), metrics="auc", **roles)
    wanted = pc.Predictions.from_frame(frame(), **ROLES).measure("auc")
    assert found.sha256 == wanted.sha256


def test_categories_that_no_row_has_are_no_labels(tmp_path):
    table = frame().astype({"model": "category", "label": "category"})
    for name in ("model", "label"):
        table[name] = table[name].cat.add_categories(["a ghost"])
    file = in_one_file(table, tmp_path)
    found = pc.measure_file(file, metrics="auc", **ROLES)
    assert found.sha256 == pc.read_predictions(file, **ROLES).measure("auc").sha256


def test_files_without_rows_are_passed_over(tmp_path):
    folder = tmp_path / "p"
    folder.mkdir()
    table = frame()
    table.head(0).to_parquet(folder / "a.parquet", index=False)
    table.to_parquet(folder / "b.parquet", index=False)
    found = pc.measure_file(folder, metrics="auc", **ROLES)
    wanted = pc.Predictions.from_frame(table, **ROLES).measure("auc")
    assert found.sha256 == wanted.sha256
    (folder / "b.parquet").unlink()
    with refused("p: there are no rows"):
        pc.measure_file(folder, metrics="auc", **ROLES)


def test_one_data_set_needs_no_column(tmp_path):
    table = frame().query("data == 'a'").drop(columns="data")
    roles = {role: name for role, name in ROLES.items() if role != "dataset"}
    found = pc.measure_file(in_one_file(table, tmp_path), metrics="auc", **roles)
    assert found.blocks == ("0", "1", "2", "3", "4")
    assert found.datasets is None


@pytest.mark.parametrize("layout", [in_one_file, scattered])
def test_the_size_of_portions_changes_no_bit(tmp_path, monkeypatch, layout):
    file = layout(frame(), tmp_path)
    hashes = set()
    for rows in (1, 70, 10_000):
        monkeypatch.setattr(stream, "ROWS", rows)
        hashes.add(pc.measure_file(file, metrics=METRICS, **ROLES).sha256)
    assert len(hashes) == 1


def test_other_files_are_read_as_a_whole(tmp_path, path):
    text = tmp_path / "p.csv"
    frame().to_csv(text, index=False)
    found = pc.measure_file(text, metrics="auc", **ROLES)
    assert found.sha256 == pc.measure_file(path, metrics="auc", **ROLES).sha256
    found = pc.measure_file(text, metrics="auc", workers=2, **ROLES)
    assert found.sha256 == pc.measure_file(path, metrics="auc", **ROLES).sha256


# ---- classes, cases, policies --------------------------------------------------------


def test_classes_are_chosen_as_in_memory(tmp_path):
    table = frame()
    table.loc[table["case"] % 5 == 2, "label"] = "maybe"
    file = in_one_file(table, tmp_path)
    with refused("p.parquet: there are 3 classes", "rest=True"):
        pc.measure_file(file, metrics="auc", **ROLES)
    with refused("positive: no case has the label 'ja'"):
        pc.measure_file(file, metrics="auc", **ROLES | {"positive": "ja"})
    for options in ({"rest": True}, {"classes": ("yes", "no")}):
        found = pc.measure_file(file, metrics="auc", **ROLES, **options)
        memory = pc.read_predictions(file, **ROLES, **options).measure("auc")
        assert found.sha256 == memory.sha256
    assert "left out 120 scores" in found.notes[0]


def test_a_class_that_a_portion_lacks_is_no_error(tmp_path):
    table = frame()
    table.loc[table["fold"] == 1, "label"] = "no"
    file = in_one_file(table, tmp_path)
    with refused("6 pairs", "block='a/1', algorithm='svm' has only 'no'"):
        pc.measure_file(file, metrics="auc", **ROLES)
    found = pc.measure_file(
        file, metrics="auc", one_class="undefined", missing="drop-block", **ROLES
    )
    assert found.dropped.blocks == ("a/1", "b/1")


def test_a_missing_fold_follows_the_policy(tmp_path):
    table = frame()
    gone = (table["fold"] == 1) & (table["model"] == "nb") & (table["data"] == "b")
    file = in_one_file(table[~gone], tmp_path)
    with refused("1 pairs", "block='b/1', algorithm='nb'"):
        pc.measure_file(file, metrics="auc", **ROLES)
    for missing in ("drop-block", "model"):
        options = {"missing": missing, "case": "case"}
        found = pc.measure_file(file, metrics="auc", **ROLES, **options)
        memory = pc.read_predictions(file, **ROLES, **options).measure("auc")
        assert found.sha256 == memory.sha256
        assert found.dropped.blocks == memory.dropped.blocks


def test_cases_must_be_the_same_with_the_same_label(tmp_path):
    table = frame()
    file = in_one_file(table.drop(index=25), tmp_path)
    with refused("block='a/0'", r"algorithm='knn' \(19 scores\)", "'svm' .20"):
        pc.measure_file(file, metrics="auc", case="case", **ROLES)
    table.loc[25, "label"] = "yes" if table.loc[25, "label"] == "no" else "no"
    file = in_one_file(table, tmp_path)
    with refused("block='a/0'", "or their labels"):
        pc.measure_file(file, metrics="auc", case="case", **ROLES)
    table = frame()
    table.loc[25, "case"] = 6
    file = in_one_file(table, tmp_path)
    with refused("1 scores in block='a/0', algorithm='knn'", "has one already"):
        pc.measure_file(file, metrics="auc", case="case", **ROLES)


@pytest.mark.parametrize(
    ("column", "value", "said"),
    [
        ("score", np.nan, "row group 1.*no score in 1"),
        ("score", np.inf, "row group 1.*infinite in 1"),
        ("fold", None, "column 'fold' has rows without a label"),
        ("label", None, "column 'label' has rows without a label"),
        ("model", "svm ", "two labels read alike"),
        ("score", 1.5, "outside .0, 1.*block='a/0', algorithm='nb'"),
    ],
)
def test_rows_that_cannot_be_used_are_refused(tmp_path, column, value, said):
    table = frame()
    if value is None:
        table[column] = table[column].astype(object)
    table.loc[50, column] = value
    with refused("p.parquet", said):
        pc.measure_file(in_one_file(table, tmp_path), metrics="error", **ROLES)


def test_wrong_columns_and_files_are_refused(tmp_path, path):
    with refused("there is no column 'scores'; did you mean 'score'"):
        pc.measure_file(path, metrics="auc", **ROLES | {"score": "scores"})
    with refused("column 'score' has two roles, label and score"):
        pc.measure_file(path, metrics="auc", **ROLES | {"label": "score"})
    with refused(r"^q.parquet: cannot read the file: No such file.* Check the sp"):
        pc.measure_file(tmp_path / "q.parquet", metrics="auc", **ROLES)
    with refused("no measure 'acu'"):
        pc.measure_file(tmp_path / "q.parquet", metrics="acu", **ROLES)


@pytest.mark.parametrize(
    "said",
    [
        "there is no column",
        "more than once",
        "rows without a label",
        "not numeric",
        "the file cannot be read",
        "cannot read the file",
    ],
)
def test_a_message_names_the_file_once(tmp_path, said):
    table, path = frame(), tmp_path / "answers.parquet"
    if said == "rows without a label":
        table["fold"] = table["fold"].astype(object)
        table.loc[50, "fold"] = None
    if said == "not numeric":
        table["score"] = "high"
    held = pa.Table.from_pandas(table, preserve_index=False)
    if said == "more than once":
        held = held.append_column("fold", held["fold"])
    parquet.write_table(held, path)
    if said == "the file cannot be read":
        path.write_bytes(b"PAR1")
    if said == "cannot read the file":
        path.unlink()
    roles = ROLES | ({"score": "other"} if said == "there is no column" else {})
    with pytest.raises(pc.InputError, match=f"^answers.parquet: .*{said}") as refusal:
        pc.measure_file(path, metrics="error", **roles)
    assert str(refusal.value).count("answers") == 1


@pytest.mark.parametrize("how", ["replaced", "rewritten"])
def test_a_file_that_changes_while_it_is_read_is_refused(tmp_path, monkeypatch, how):
    """Else some portions were of the old rows, and the hash that of the new ones."""
    monkeypatch.setattr(stream, "ROWS", 20)
    path = in_one_file(frame(), tmp_path)
    other = tmp_path / "other" / path.name
    other.parent.mkdir()
    changed = frame().assign(score=lambda table: 1 - table["score"])
    in_one_file(changed, other.parent)

    def change(line: str) -> None:
        if done_in(line) == 3 and how == "replaced":
            other.replace(path)
        elif done_in(line) == 3:
            path.write_bytes(other.read_bytes())

    with refused(r"^p.parquet: the file changed while it was read"):
        pc.measure_file(path, metrics=METRICS, progress=change, **ROLES)


# ---- workers, and what is kept -------------------------------------------------------


def children() -> list[int]:
    """Processes of the pool that work for this one."""
    own = Path(f"/proc/{os.getpid()}/task")
    pids = [int(p) for t in own.iterdir() for p in (t / "children").read_text().split()]
    # The tracker of the pool's resources is no worker.
    return [p for p in pids if b"--process-name" in cmdline(p)]


def cmdline(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


@pytest.mark.slow
def test_a_killed_worker_changes_no_bit(path, monkeypatch):
    monkeypatch.setattr(stream, "ROWS", 20)
    killed = []

    def kill(line: str) -> None:
        if done_in(line) == 2 and not killed:
            killed.extend(children()[:1])
            os.kill(killed[0], signal.SIGKILL)
            time.sleep(0.2)

    found = pc.measure_file(path, metrics=METRICS, workers=2, progress=kill, **ROLES)
    assert killed
    assert found.sha256 == pc.measure_file(path, metrics=METRICS, **ROLES).sha256


class Ended(Exception):
    pass


def end_at(number: int, seen: list[int]):
    def progress(line: str) -> None:
        seen.append(done_in(line))
        if seen[-1] == number:
            raise Ended

    return progress


def test_an_ended_run_goes_on_where_it_stopped(tmp_path, path):
    keep, seen = tmp_path / "kept", []
    options = {"metrics": METRICS, "keep": keep} | ROLES
    with pytest.raises(Ended):
        pc.measure_file(path, progress=end_at(3, []), **options)
    assert len(list(keep.glob("*.done"))) == 3
    found = pc.measure_file(path, progress=end_at(-1, seen), **options)
    assert seen[0] == 3
    assert found.sha256 == pc.measure_file(path, metrics=METRICS, **ROLES).sha256
    assert not keep.exists()


def test_a_text_file_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(measure, "ROWS", 60)
    path, keep, seen = tmp_path / "p.csv", tmp_path / "kept", []
    frame().to_csv(path, index=False)
    options = {"metrics": METRICS, "keep": keep} | ROLES
    with pytest.raises(Ended):
        pc.measure_file(path, progress=end_at(3, []), **options)
    found = pc.measure_file(path, progress=end_at(-1, seen), **options)
    assert seen[0] == 3
    assert found.sha256 == pc.measure_file(path, metrics=METRICS, **ROLES).sha256
    assert not keep.exists()


def test_what_is_done_is_kept_until_the_scores_are_written(tmp_path, path):
    def fails(scores):
        raise OSError("No space left on device")

    keep, seen, written = tmp_path / "kept", [], []
    options = {"metrics": METRICS, "keep": keep} | ROLES
    with pytest.raises(OSError, match="No space"):
        pc.measure_file(path, write=fails, **options)
    found = pc.measure_file(
        path, write=written.append, progress=end_at(-1, seen), **options
    )
    assert len(set(seen)) == 1  # nothing is measured again
    assert written == [found] and not keep.exists()


@pytest.mark.parametrize("last", range(4))
def test_a_run_that_ends_while_it_cleans_up_can_go_on(
    tmp_path, path, monkeypatch, last
):
    keep, removed, unlink = tmp_path / "kept", [], os.unlink
    options = {"metrics": METRICS, "keep": keep} | ROLES

    def ends(name, **more):
        if Path(name).name.endswith((".done", "_job.json")):
            removed.append(name)
            if len(removed) > last:
                raise Ended
        unlink(name, **more)

    with monkeypatch.context() as patch, pytest.raises(Ended):
        patch.setattr(os, "unlink", ends)
        pc.measure_file(path, **options)
    found = pc.measure_file(path, **options)
    assert found.sha256 == pc.measure_file(path, metrics=METRICS, **ROLES).sha256
    assert not keep.exists()


def test_a_run_that_was_killed_before_its_first_note_is_begun_anew(tmp_path, path):
    keep = tmp_path / "kept"
    keep.mkdir()
    (keep / "._job.json.part999999999").write_text("{")
    pc.measure_file(path, metrics="auc", keep=keep, **ROLES)
    assert not keep.exists()


def test_what_was_kept_of_another_request_is_not_mixed_in(tmp_path, path):
    keep = tmp_path / "kept"
    with pytest.raises(Ended):
        pc.measure_file(path, metrics="auc", keep=keep, progress=end_at(3, []), **ROLES)
    with refused("holds a measurement with another plan"):
        pc.measure_file(path, metrics="tpr", keep=keep, **ROLES)
    os.utime(path)
    with refused("holds a measurement with another plan"):
        pc.measure_file(path, metrics="auc", keep=keep, **ROLES)
    near = {"metrics": "partial_auc", "keep": tmp_path / "near"} | ROLES
    with pytest.raises(Ended):
        pc.measure_file(path, fpr_range=(0, 0.1), progress=end_at(3, []), **near)
    with refused("holds a measurement with another plan"):
        pc.measure_file(path, fpr_range=(0, 0.1 + 1e-9), **near)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("")
    with refused("is not empty and holds no measurement"):
        pc.measure_file(path, metrics="auc", keep=tmp_path / "mine", **ROLES)


def test_an_error_removes_no_finished_work(tmp_path, monkeypatch):
    monkeypatch.setattr(stream, "ROWS", 20)
    table = frame()
    table.loc[50, "score"] = np.nan
    path, keep = tmp_path / "p.parquet", tmp_path / "kept"
    table.to_parquet(path, index=False, row_group_size=20)
    with refused("no score"):
        pc.measure_file(path, metrics="auc", keep=keep, **ROLES)
    assert len(list(keep.glob("*.done"))) == 2


def test_a_full_disk_loses_nothing(tmp_path, path, monkeypatch):
    keep, seal, written = tmp_path / "kept", unfinished._seal, []
    options = {"metrics": METRICS, "keep": keep} | ROLES

    def full(path, of, content):
        if len(written) == 2:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        written.append(path)
        seal(path, of, content)

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(unfinished, "_seal", full)
        pc.measure_file(path, **options)
    assert len(list(keep.glob("*.done"))) == 2
    seen = []
    found = pc.measure_file(path, progress=end_at(-1, seen), **options)
    assert seen[0] == 2
    assert found.sha256 == pc.measure_file(path, metrics=METRICS, **ROLES).sha256
