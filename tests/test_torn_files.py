"""Files that a stopped machine or another program damaged: never read as results."""

from __future__ import annotations

import os
import pickle

import numpy as np
import pytest

import pycompare as pc
from pycompare.base.parallel.unfinished import Unfinished
from pycompare.base.whole_file import remove_strays, write_whole
from tests.apps.experiments.small import run


def torn(path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def opened(folder, plan, **more) -> Unfinished:
    return Unfinished(lambda: plan, what="job", keep=folder, **more)


def portions(folder) -> Unfinished:
    kept = Unfinished(lambda: {"request": 1}, what="job", keep=folder)
    for number in range(3):
        kept.keep(number, {"x": np.arange(9.0) + number})
    return kept


def empty(path) -> None:
    path.write_bytes(b"")


def planted(path) -> None:
    path.write_bytes(pickle.dumps({"x": 1}))


def object_array(path) -> None:
    with path.open("wb") as stream:
        np.savez(stream, x=np.array([print], dtype=object))


def other_names(path) -> None:
    with path.open("wb") as stream:
        np.savez(stream, y=np.arange(3.0))


def of_another_portion(path) -> None:
    path.write_bytes(path.with_name("000002.done").read_bytes())


def folder_instead(path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "damage",
    [
        torn,
        empty,
        planted,
        object_array,
        other_names,
        of_another_portion,
        folder_instead,
    ],
)
def test_a_damaged_portion_is_not_done(tmp_path, damage):
    kept = portions(tmp_path / "out")
    damage(tmp_path / "out" / "000001.done")
    done = kept.done(4)
    assert sorted(done) == [0, 2]
    assert done[2]["x"].tolist() == (np.arange(9.0) + 2).tolist()


def test_the_folder_of_a_run_goes_at_its_end_and_takes_nothing_with_it(tmp_path):
    kept = portions(tmp_path / "out")
    kept.remove()
    assert not (tmp_path / "out").exists()
    kept = portions(tmp_path / "out")
    (tmp_path / "out" / "mine").mkdir()
    kept.remove()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine"]


def test_a_folder_in_place_of_the_plan_is_refused(tmp_path):
    (tmp_path / "out" / "_job.json").mkdir(parents=True)
    with pytest.raises(pc.InputError, match=r"_job\.json is damaged"):
        opened(tmp_path / "out", {})


@pytest.mark.parametrize("content", ["", "{", "[" * 100_000])
def test_an_unfinished_run_with_a_damaged_plan_is_refused(tmp_path, content):
    portions(tmp_path / "out")
    (tmp_path / "out" / "_job.json").write_text(content)
    with pytest.raises(pc.InputError, match=r"_job\.json is damaged"):
        portions(tmp_path / "out")


def test_a_damaged_chunk_of_a_study_is_not_done(tmp_path):
    kept = opened(tmp_path / "study", {"seed": 1}, names=["a", "b"])
    for key in range(2):
        kept.keep(key, {"error": [10, 1.0, 1.0]})
    torn(tmp_path / "study" / "a.done")
    assert kept.done(2) == {1: {"error": [10, 1.0, 1.0]}}


def test_a_chunk_of_another_study_or_condition_is_not_done(tmp_path):
    kept = opened(tmp_path / "study", {"seed": 1}, names=["a", "b"])
    kept.keep(0, {"error": [10, 1.0, 1.0]})
    content = (tmp_path / "study" / "a.done").read_bytes()
    (tmp_path / "study" / "b.done").write_bytes(content)
    other = opened(tmp_path / "other", {"seed": 2}, names=["a", "b"])
    (tmp_path / "other" / "a.done").write_bytes(content)
    assert list(kept.done(2)) == [0]
    assert other.done(2) == {}


def test_a_damaged_fold_is_done_again(tmp_path):
    whole = run(tmp_path / "whole")
    run(tmp_path / "torn")
    [fold, *_] = sorted((tmp_path / "torn").rglob("*.parquet"))
    torn(fold)
    again = run(tmp_path / "torn")
    assert np.array_equal(again.score, whole.score)


def test_a_file_that_could_not_be_written_leaves_the_old_one(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("before")

    def fail(aside) -> None:
        aside.write_text("half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_whole(path, fail)
    assert [p.name for p in tmp_path.iterdir()] == ["x.txt"]
    assert path.read_text() == "before"


def test_strays_of_killed_runs_are_removed(tmp_path):
    (tmp_path / f".x.txt.part{os.getpid()}").write_text("half")
    (tmp_path / "x.txt").write_text("whole")
    (tmp_path / f".y.txt.part{os.getppid()}").write_text("another run writes it")
    remove_strays(tmp_path)
    left = {p.name for p in tmp_path.iterdir()}
    assert left == {"x.txt", f".y.txt.part{os.getppid()}"}
