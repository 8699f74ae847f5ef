"""Rows in any order: sorted by group once, in temporary files; the same bits."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import pycompare as pc
from pycompare.apps.streaming import parquet_groups, stream
from tests.apps.streaming.test_stream import (
    METRICS,
    ROLES,
    Ended,
    end_at,
    every_line,  # noqa: F401  (a fixture)
    frame,
    in_one_file,
    values,
)
from tests.data.tables import refused

SORTING = "rows are first sorted by group, in temporary files"


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    """Have portions of some rows, and a folder of temporary files of our own."""
    monkeypatch.setattr(stream, "ROWS", 200)
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def shuffled() -> pd.DataFrame:
    """2,160 rows of 36 groups, in any order; 46 row groups."""
    table = frame(60, folds=6)
    return table.sample(frac=1, random_state=3, ignore_index=True)


@pytest.fixture
def path(tmp_path):
    return in_one_file(shuffled(), tmp_path)


def measured(path, **more):
    return pc.measure_file(path, **({"metrics": METRICS} | ROLES | more))


def by_group(scores: pc.Scores) -> pd.DataFrame:
    return values(scores).reset_index(drop=True)


@pytest.mark.parametrize("case", [None, "case"])
def test_scattered_rows_give_the_bits_of_sorted_ones(tmp_path, path, small, case):
    lines: list[str] = []
    found = measured(path, case=case, progress=lines.append)
    assert lines[0].startswith(f"{SORTING} (0.")
    assert sum(SORTING in line for line in lines) == 1
    assert not list(small.iterdir())
    keys = ["data", "fold", "model"]
    (tmp_path / "sorted").mkdir()
    ordered = shuffled().sort_values(keys, kind="stable", ignore_index=True)
    lines.clear()
    direct = measured(
        in_one_file(ordered, tmp_path / "sorted"), case=case, progress=lines.append
    )
    assert not any(SORTING in line for line in lines)
    pd.testing.assert_frame_equal(by_group(found), by_group(direct), check_exact=True)
    # with cases memory takes these in the order of their labels
    memory = pc.read_predictions(path, **ROLES).measure(METRICS)
    assert (found.sha256, found.notes) == (memory.sha256, memory.notes)
    assert vars(found.source) == vars(memory.source)


@pytest.mark.parametrize("rows", [1, 50, 1000])
def test_the_size_of_files_and_portions_changes_no_bit(path, monkeypatch, rows):
    wanted = measured(path).sha256
    monkeypatch.setattr(stream, "ROWS", rows)
    assert measured(path).sha256 == wanted


def test_each_row_is_read_once_after_the_first_look(path, monkeypatch):
    rows = []
    read = parquet_groups._read_batch

    def counted(source, part, batch, *more):
        rows.append(batch.num_rows)
        return read(source, part, batch, *more)

    monkeypatch.setattr(parquet_groups, "_read_batch", counted)
    measured(path)
    assert sum(rows) == len(shuffled())


def test_a_few_passes_need_no_disk(path, small, monkeypatch):
    monkeypatch.setattr(stream, "ROWS", 1000)
    lines: list[str] = []
    measured(path, progress=lines.append)
    assert not any(SORTING in line for line in lines)


def test_large_row_groups_are_sorted_first_too(tmp_path, monkeypatch):
    table, file = frame(60, folds=6), tmp_path / "p.parquet"
    table.to_parquet(file, index=False, row_group_size=len(table))
    lines: list[str] = []
    found = measured(file, progress=lines.append)
    assert SORTING in lines[0]
    assert found.sha256 == pc.read_predictions(file, **ROLES).measure(METRICS).sha256


def test_classes_of_all_parts_are_seen(tmp_path, path):
    table = shuffled()
    table.loc[len(table) - 1, "label"] = "maybe"
    found = measured(in_one_file(table, tmp_path), classes=("yes", "no"))
    assert "left out 1 scores" in found.notes[0]
    with refused("there are 3 classes"):
        measured(path)
    truths = shuffled().assign(score=lambda t: t["score"] > 0.5)
    file = in_one_file(truths, tmp_path)
    notes = pc.read_predictions(file, **ROLES).measure("error").notes
    assert measured(file, metrics="error").notes == notes
    assert notes


# ---- workers, and what is kept -------------------------------------------------------


def test_processes_sort_and_measure_the_same_bits(path, small):
    assert measured(path, workers=2).sha256 == measured(path).sha256
    assert not list(small.iterdir())


def test_an_ended_run_goes_on_where_it_stopped(tmp_path, path, small):
    keep, seen, lines = tmp_path / "kept", [], []
    with pytest.raises(Ended):
        measured(path, keep=keep, progress=end_at(3, []))
    assert not list(small.iterdir())
    assert len(list(keep.glob("*.done"))) == 3
    found = measured(path, keep=keep, progress=end_at(-1, seen))
    assert next(n for n in seen if n > 0) == 3  # of an earlier run
    assert found.sha256 == measured(path).sha256

    def fails(scores):
        raise Ended

    with pytest.raises(Ended):
        measured(path, keep=keep, write=fails)
    measured(path, keep=keep, progress=lines.append)
    assert not any(SORTING in line for line in lines)  # nothing is left to measure


# ---- the temporary files -------------------------------------------------------------


def test_an_error_leaves_no_temporary_file(tmp_path, small):
    table = shuffled()
    table.loc[len(table) - 1, "score"] = np.nan
    with refused(r"row group \d+, counted from row \d+", "no score in 1"):
        measured(in_one_file(table, tmp_path))
    assert not list(small.iterdir())


def test_too_little_space_is_an_error_before_the_start(path, small, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=10_000))
    with refused(
        r"needs 0\.0 MB of temporary files, but .*temporary has 0\.0 MB free",
        "Set TMPDIR to a folder with more space, or write the file sorted by group",
    ):
        measured(path)
    assert not list(small.iterdir())


def test_a_file_that_cannot_be_written_is_an_error(path, small):
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with refused("sorted in temporary files: .*pycompare-rows.*File too large"):
            measured(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(small.iterdir())


def test_a_temporary_file_that_is_removed_is_an_error(path, small):
    def remove(line: str) -> None:
        if "portions" in line:
            for file in small.glob("*/*"):
                file.unlink()

    with refused("pycompare-rows.*No such file"):
        measured(path, progress=remove)
    assert not list(small.iterdir())


def test_what_killed_runs_left_is_removed_and_nothing_else(path, small):
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    host = socket.gethostname()
    left = small / f"pycompare-rows-{host}-{ended.pid}-x"
    stays = [
        small / f"pycompare-rows-{host}-{os.getppid()}-x",
        small / f"pycompare-rows-other-{ended.pid}-x",
        small / "thesis",
    ]
    for folder in (left, *stays):
        folder.mkdir()
    measured(path)
    assert sorted(small.iterdir()) == sorted(stays)


TOLD_TO_END = """
import os, signal
from pycompare.apps import cli
from pycompare.apps.streaming import parquet_groups, scattered_rows, stream
stream.ROWS = 200
read = scattered_rows.SortedPortion.read
def read_and_end(self):
    if self.number == 3:
        assert list(__import__("pathlib").Path(os.environ["TMPDIR"]).glob("*/*"))
        os.kill(os.getpid(), signal.SIGTERM)
    return read(self)
scattered_rows.SortedPortion.read = read_and_end
cli.main()
"""


def test_a_command_that_is_told_to_end_leaves_nothing(path, small, tmp_path):
    roles = ("--algorithm=model", "--block=fold", "--dataset=data", "--label=label")
    more = ("--score=score", "--positive=yes", "--metric=auc", "--out=s.csv")
    words = [sys.executable, "-c", TOLD_TO_END, "measure", str(path), *roles, *more]
    root = str(Path(pc.__file__).parents[1])
    own = {**os.environ, "PYTHONPATH": root, "TMPDIR": str(small)}
    ended = subprocess.run(
        words, cwd=tmp_path, env=own, check=False, capture_output=True, text=True
    )
    assert ended.returncode == 128 + signal.SIGTERM
    assert SORTING in ended.stderr
    assert not list(small.iterdir())
