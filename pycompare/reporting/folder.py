"""Folders that are written aside and renamed, so that none is ever half-written."""

from __future__ import annotations

import glob
import json
import os
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.base.file_errors import about
from pycompare.base.formatting.counts import counted, listed
from pycompare.base.whole_file import read_regular, runs
from pycompare.reporting.evidence.manifest import MANIFEST, files_of, read_manifest

_BY_SYSTEMS = (".DS_Store", "Thumbs.db", "desktop.ini")
"""Files that systems put into folders that are looked at."""


@dataclass(frozen=True)
class FolderMark:
    """What only one kind of our folders has: a JSON file that states what made it.

    Attributes
    ----------
    made_by : str
    file : str
        Which states this.
    names : tuple of str
        Patterns of what else a folder of this kind holds; by default the files that its
        manifest lists.
    """

    made_by: str
    file: str = "results.json"
    names: tuple[str, ...] = ()

    def check_target(self, target: Path, overwrite: bool) -> None:
        """Reject a folder that exists, unless it is ours and may be replaced.

        Raises
        ------
        InputError
            If the folder exists and may not be replaced, or is inside a report.
        """
        if (report := _report_around(target)) is not None:
            raise InputError(
                f"{target} is inside the report {report}, which would then differ from "
                "its manifest; choose a folder outside it"
            )
        if not target.exists() and not target.is_symlink():
            return
        if target.is_dir() and _is_in_use(target):
            raise InputError(
                f"{target} is the current folder or the top of a disk, which cannot "
                "be replaced; name a new folder inside it"
            )
        if target.is_dir() and not any(target.iterdir()):
            return  # an empty folder is nobody's
        if not self.is_of(target):
            raise InputError(
                f"{target} holds a report of another kind; it is left unchanged: "
                "choose another folder"
                if _ANY_REPORT.is_of(target)
                else f"{target} exists and was not written by pycompare; it is left "
                "unchanged: choose another folder"
            )
        if not overwrite:
            raise InputError(
                f"{target} holds an earlier report; choose another folder or set "
                f"overwrite (--overwrite)"
            )
        if foreign := self._foreign(target):
            raise InputError(
                f"{target} also holds {counted(len(foreign), 'file')} that pycompare "
                f"did not write, which would be lost: {listed(foreign[:3])}; move such "
                "files away, or choose another folder"
            )

    def _foreign(self, folder: Path) -> list[str]:
        """Return the files in a folder of ours that we have not written."""
        known = {self.file}
        if not self.names:
            with suppress(InputError):
                known.update(read_manifest(folder)["outputs"])
        return [
            name
            for name in files_of(folder)
            if name not in known
            and Path(name).name not in _BY_SYSTEMS
            and not any(fnmatch(name, pattern) for pattern in self.names)
        ]

    def is_of(self, folder: Path) -> bool:
        """Return whether a folder has this mark."""
        try:
            held = json.loads(read_regular(folder / self.file))
        except (OSError, ValueError, RecursionError):
            return False
        return isinstance(held, dict) and held.get("made_by") == self.made_by


_ANY_REPORT = FolderMark("pycompare manifest", MANIFEST)


def _report_around(target: Path) -> Path | None:
    """Return the report that a folder is inside, if there is one."""
    above = Path(os.path.realpath(target)).parents
    return next((folder for folder in above if _ANY_REPORT.is_of(folder)), None)


def _is_in_use(folder: Path) -> bool:
    return os.path.samefile(folder, os.curdir) or os.path.ismount(folder)


def write_aside(target: Path, write: Callable[[Path], None]) -> None:
    """Let ``write`` fill a new folder, then put it in the target's place.

    What killed processes left beside the target goes first. A link stays a link: the
    folder that it names is replaced.
    """
    target = Path(os.path.realpath(target))
    target.parent.mkdir(parents=True, exist_ok=True)
    _clear_killed(target)
    # Its name is known before it is there: a signal in between leaves nothing behind.
    own = f"{_prefix(target)}{os.getpid()}.{secrets.token_hex(8)}"
    aside = target.with_name(own)
    try:
        with about(target):
            aside.mkdir(mode=0o700)
        new = aside / "new"
        new.mkdir()
        with about(target, new):
            write(new)
            _swap(new, target, aside / "old")
    finally:
        if aside.exists():
            shutil.rmtree(aside)


def _clear_killed(target: Path) -> None:
    """Remove what processes left that were killed; an earlier report comes back."""
    for left in target.parent.glob(f"{glob.escape(_prefix(target))}*.*"):
        process = left.name.removeprefix(_prefix(target)).split(".")[0]
        if not process.isdecimal() or runs(int(process)):
            continue
        if (left / "old").exists() and not target.exists():
            (left / "old").rename(target)
        shutil.rmtree(left)


def _swap(new: Path, target: Path, old: Path) -> None:
    """Put a folder in the target's place, or leave the target as it was."""
    if target.exists():
        target.rename(old)
    try:
        new.rename(target)
    except OSError:
        if old.exists():
            old.rename(target)
        raise


def _prefix(target: Path) -> str:
    """Return the prefix of names of files for a target."""
    return f".{target.name}."
