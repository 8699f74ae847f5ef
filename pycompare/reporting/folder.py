"""Folders that are written aside and renamed, so that none is ever half-written."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from pycompare.errors import InputError


def check_target(target: Path, mark: tuple[str, str], overwrite: bool) -> None:
    """Refuse a folder that exists, unless it is ours and may be replaced.

    ``mark`` is the JSON file that only such a folder holds, and what its ``made_by``
    says.
    """
    if not target.exists() and not target.is_symlink():
        return
    if not _is_ours(target, mark):
        raise InputError(
            f"{target} exists and was not written by pycompare; it is left alone: "
            f"choose another folder"
        )
    if not overwrite:
        raise InputError(
            f"{target} holds an earlier report; choose another folder or say "
            f"overwrite (--overwrite)"
        )


def _is_ours(folder: Path, mark: tuple[str, str]) -> bool:
    """Tell whether a folder holds our mark."""
    file, made_by = mark
    try:
        held = json.loads((folder / file).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(held, dict) and held.get("made_by") == made_by


def write_aside(target: Path, write: Callable[[Path], None]) -> None:
    """Let ``write`` fill a new folder, then put it in the target's place."""
    target.parent.mkdir(parents=True, exist_ok=True)
    aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        new = aside / "new"
        new.mkdir()
        write(new)
        if target.exists():
            target.rename(aside / "old")
        new.rename(target)
    finally:
        shutil.rmtree(aside)
