"""Errors of the system about files: which file, what is wrong, what to do."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pycompare.base.labels import readable

_OTHER_PLACE = "Choose another place."
_ADVICE = {
    errno.ENOSPC: "Free space on this disk, or choose a place on another one.",
    errno.EDQUOT: "Remove files of yours, or choose a place on another disk.",
    errno.EFBIG: "Raise the limit of the size of files (ulimit -f).",
    errno.EACCES: "Check the permissions, or choose another place.",
    errno.EPERM: "Check the permissions, or choose another place.",
    errno.EROFS: _OTHER_PLACE,
    errno.EBUSY: _OTHER_PLACE,
    errno.ENOENT: "Check the spelling and the folder.",
    errno.ENOTDIR: _OTHER_PLACE,
    errno.EISDIR: "Name a file.",
    errno.ENAMETOOLONG: "Choose a shorter name.",
    errno.ELOOP: "Name the file itself, not a link to it.",
    errno.EMFILE: "Raise the limit of open files (ulimit -n).",
}
"""What to do if the reason leaves no doubt."""
_ANY_ADVICE = "Check the disk, or copy the file to another one."


@contextmanager
def about(path: Path, aside: Path | None = None) -> Iterator[None]:
    """Let errors that name no file, or one written aside, name ``path``.

    The system names a file that cannot be opened, not one that cannot be written or
    read any further.
    """
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise  # an error of a library has its own text
        if error.filename is None:
            error.filename = str(path)
        elif aside is not None:
            error.filename = _in_place(os.fsdecode(error.filename), path, aside)
        raise


def _in_place(name: str, path: Path, aside: Path) -> str:
    """Return a name with the final path in place of where it is written aside."""
    given = Path(name)
    inside = given.is_relative_to(aside)
    return str(path / given.relative_to(aside)) if inside else name


def told(error: OSError) -> str:
    """Return one line: the file, what is wrong with it, and what to do."""
    if error.errno is None:
        return str(error)
    where = "standard output or a temporary file"
    if error.filename is not None:
        where = readable(os.fsdecode(error.filename))
    return f"{where}: {why(error)}"


def why(error: OSError) -> str:
    """Return what is wrong with a file that is named already, and what to do."""
    if error.errno is None:
        return str(error)
    return f"{os.strerror(error.errno)}. {_ADVICE.get(error.errno, _ANY_ADVICE)}"
