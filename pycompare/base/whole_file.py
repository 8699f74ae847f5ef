"""A file that is whole or not there, whatever ends the program or the machine."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from pycompare.base.errors import InputError
from pycompare.base.file_errors import about

_ASIDE = ".part"
"""What stands between a file's name and the process, while it is written aside."""


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a file aside, have it on disk, then give it its name."""
    aside = path.with_name(f".{path.name}{_ASIDE}{os.getpid()}")
    try:
        with about(path, aside):
            write(aside)
        # Without this a machine that stops may keep the name and lose the content.
        _on_disk(aside)
        os.replace(aside, path)
        if os.name == "posix":
            _on_disk(path.parent)
    finally:
        aside.unlink(missing_ok=True)


def write_stream(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Let ``write`` fill an open file; else as `write_whole`.

    For libraries that take no name that is not UTF-8.
    """

    def fill(aside: Path) -> None:
        with aside.open("wb") as stream:
            write(stream)

    write_whole(path, fill)


def read_regular(path: Path) -> bytes:
    """Read a file; never a pipe or a device, which may have no end.

    Raises
    ------
    InputError
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        raise InputError(f"{path} is a pipe or a device; give a file")
    return path.read_bytes()


def remove_strays(folder: Path) -> None:
    """Remove files that killed runs left aside; what another run writes stays."""
    for stray in folder.rglob(f".*{_ASIDE}*"):
        process = stray.name.rpartition(_ASIDE)[2]
        if not (
            process.isdecimal() and int(process) != os.getpid() and runs(int(process))
        ):
            stray.unlink(missing_ok=True)


def runs(process: int) -> bool:
    """Return whether a process runs; what belongs to another user does."""
    if os.name != "posix":
        return True  # elsewhere signal 0 is no question
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _on_disk(path: Path) -> None:
    """Wait until a file or folder is on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
