"""The files of a folder that is read as a whole, also behind links to folders."""

from __future__ import annotations

import os
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.base.labels import show


def files_below(root: Path, *, hidden: str) -> list[Path]:
    """Return all files below a folder, sorted; links to folders are followed.

    Parameters
    ----------
    root : Path
    hidden : str
        Files and folders whose names begin with one of these characters are left out.

    Raises
    ------
    InputError
        If a link leads back to a folder that holds it.
    OSError
        If a folder may not be read: its files would be missing without a word.
    """
    files: list[Path] = []
    _collect(root, hidden, (), files)
    return sorted(files)


def _collect(at: Path, hidden: str, above: tuple[str, ...], files: list[Path]) -> None:
    """Add the files of a folder and of those in it."""
    real = os.path.realpath(at)
    if real in above:
        raise InputError(
            f"{show(str(at))} is a link to a folder that contains it, an endless "
            "loop; remove the link"
        )
    for name in os.listdir(at):
        if name[0] in hidden:
            continue
        if (inside := at / name).is_dir():
            _collect(inside, hidden, (*above, real), files)
        else:
            files.append(inside)
