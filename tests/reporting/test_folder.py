"""Folders are replaced as a whole, also after a kill, through links, on full disks."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pycompare as pc
from pycompare.reporting.evidence.manifest import MANIFEST
from pycompare.reporting.folder import FolderMark, write_aside


def fill(folder: Path) -> None:
    (folder / "a.txt").write_text("new")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def dead_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_what_a_killed_process_left_is_removed(tmp_path):
    left = tmp_path / f".out.{dead_process()}.x1"
    (left / "new").mkdir(parents=True)
    write_aside(tmp_path / "out", fill)
    assert names(tmp_path) == ["out"]


def test_an_earlier_report_comes_back_if_the_next_run_fails(tmp_path):
    left = tmp_path / f".out.{dead_process()}.x1"
    (left / "old").mkdir(parents=True)
    (left / "old" / "a.txt").write_text("earlier")

    def fail(folder: Path) -> None:
        fill(folder)
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        write_aside(tmp_path / "out", fail)
    assert names(tmp_path) == ["out"]
    assert (tmp_path / "out" / "a.txt").read_text() == "earlier"


def test_what_a_running_process_writes_and_what_is_not_ours_stay(tmp_path):
    for name in (".out.1.x1", ".out.notes", ".outer.99999999.x"):
        (tmp_path / name).mkdir()
    write_aside(tmp_path / "out", fill)
    assert names(tmp_path) == [".out.1.x1", ".out.notes", ".outer.99999999.x", "out"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_aside(tmp_path / "link", fill)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "a.txt").read_text() == "new"
    assert names(tmp_path) == ["link", "real"]


def test_the_old_folder_stays_if_the_new_one_cannot_take_its_place(
    tmp_path, monkeypatch
):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").write_text("old")
    rename = Path.rename

    def fail(path: Path, to: Path) -> Path:
        if path.name == "new":
            raise OSError("no")
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OSError, match="no"):
        write_aside(tmp_path / "out", fill)
    assert names(tmp_path) == ["out"]
    assert (tmp_path / "out" / "a.txt").read_text() == "old"


def ours(folder: Path) -> Path:
    (folder / "data").mkdir(parents=True)
    write_small(folder / "results.json", {"made_by": "us"})
    write_small(folder / MANIFEST, small_manifest("results.json", "data/a.csv"))
    (folder / "data" / "a.csv").write_text("1")
    (folder / "data" / ".DS_Store").write_text("by the system")
    return folder


def write_small(path: Path, held: object) -> None:
    path.write_text(json.dumps(held))


def small_manifest(*outputs: str) -> dict[str, object]:
    others = dict.fromkeys(("report", "plan", "data", "inputs", "edition"))
    files = {name: {} for name in outputs}
    return {"made_by": "pycompare manifest", "format": 2, "outputs": files} | others


def test_what_an_earlier_report_lists_may_be_replaced(tmp_path):
    FolderMark("us").check_target(ours(tmp_path / "out"), overwrite=True)


@pytest.mark.parametrize("name", ["w.csv", "data/w.csv"])
def test_a_file_of_the_user_is_not_lost_to_overwrite(tmp_path, name):
    out = ours(tmp_path / "out")
    (out / name).write_text("the only copy")
    with pytest.raises(pc.InputError, match=f"1 file .* would be lost: {name}; move"):
        FolderMark("us").check_target(out, overwrite=True)


def test_other_kinds_of_folders_hold_known_names(tmp_path):
    mark = FolderMark("us", names=("badge*.svg",))
    write_small(tmp_path / "results.json", {"made_by": "us"})
    (tmp_path / "badge1.svg").touch()
    mark.check_target(tmp_path, overwrite=True)
    (tmp_path / "mine.svg").touch()
    with pytest.raises(pc.InputError, match=r"lost: mine\.svg"):
        mark.check_target(tmp_path, overwrite=True)


@pytest.mark.skipif(os.name != "posix", reason="pipes have names on POSIX only")
@pytest.mark.parametrize("content", ["pipe", "deep"])
def test_what_is_no_file_or_nested_without_end_is_not_ours(tmp_path, content):
    path = tmp_path / "results.json"
    if content == "pipe":
        os.mkfifo(path)
    else:
        path.write_text("[" * 100_000)
    assert not FolderMark("us").is_of(tmp_path)


def test_no_report_is_written_into_another(tmp_path):
    """Each file of a report is in its manifest."""
    fitted = pc.linear_model({"y": [1.0, 2, 4, 4], "a": [*"xxyy"]}, "y ~ a")
    outer = pc.report(fitted, tmp_path / "outer")
    with pytest.raises(pc.InputError, match="is inside the report "):
        pc.report(fitted, outer / "data" / "x")
    assert pc.verify(outer).passed
