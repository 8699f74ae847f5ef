"""The installed files of pycompare against the hashes of its wheel's RECORD."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from importlib import metadata
from typing import Any

_NAME = "pycompare-stats"


@dataclass(frozen=True)
class Installed:
    """How many files RECORD has a hash of, those that differ, and why none is known."""

    files: int
    changed: tuple[str, ...] = ()
    reason: str = ""

    @property
    def verified(self) -> bool:
        """Whether every file is that of the wheel."""
        return self.files > 0 and not self.changed and not self.reason


def installed_files(name: str = _NAME) -> Installed:
    """Hash every file that the wheel's RECORD names."""
    try:
        found = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return Installed(0, reason="pycompare is not installed as a package")
    named = [file for file in found.files or () if file.hash is not None]
    if not any(file.suffix == ".py" and len(file.parts) > 1 for file in named):
        return Installed(0, reason="installed in development mode, not from a wheel")
    changed = tuple(str(file) for file in named if not _as_recorded(file))
    return Installed(len(named), changed)


def _as_recorded(file: Any) -> bool:
    """Return whether a file has the hash of RECORD."""
    try:
        content = file.locate().read_bytes()
    except OSError:
        return False
    made = hashlib.new(file.hash.mode, content).digest()
    text = base64.urlsafe_b64encode(made).rstrip(b"=").decode("ascii")
    return bool(text == file.hash.value)
