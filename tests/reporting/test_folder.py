"""Folders are replaced as a whole, also after a kill, through links, on full disks."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pycompare.reporting.folder import write_aside


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
