"""Checks that are done, kept on disk, so that a run that was ended can go on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pycompare.base.interop.r_call import RCall
from pycompare.base.parallel.sealed import seal, unseal
from pycompare.base.parallel.whole_file import remove_strays
from pycompare.results.result import plain

from . import r
from .agreement import Case, Check, Row


@dataclass(frozen=True)
class Finished:
    """A folder with one file for each finished check.

    A file's name is the hash of all that its rows depend on: the check, the software,
    R's code, the data, our numbers and the digits wanted. So no file is ever read for
    something else.

    Attributes
    ----------
    folder : Path
    versions : mapping
        Versions of pycompare, of R and of all other software.
    """

    folder: Path
    versions: Mapping[str, Any]

    def key(self, check: Check, cases: Sequence[Case]) -> str:
        """Return the name of the file that holds a check of these cases."""
        calls = [case.call for case in cases if isinstance(case.call, RCall)]
        request = {
            "check": [check.statistic, check.reference, check.source],
            "versions": plain(dict(self.versions)),
            "wanted": {name: asdict(wanted) for name, wanted in check.wanted.items()},
            "ours": [[case.name, plain(dict(case.ours))] for case in cases],
            "calls": r.request_of(calls),
        }
        text = json.dumps(request, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def rows(self, key: str) -> list[Row] | None:
        """Return the rows of a finished check; None if its file is not as written."""
        content = unseal(self._path(key), key)
        return None if content is None else [Row(**r) for r in json.loads(content)]

    def keep(self, key: str, rows: Sequence[Row]) -> None:
        """Write the rows of a check: the file is whole, or it is not there."""
        self.folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps([asdict(row) for row in rows])
        seal(self._path(key), key, text.encode("ascii"))

    def _path(self, key: str) -> Path:
        return self.folder / f"finished-{key}"


def remove(folder: Path) -> None:
    """Remove the files of finished checks, and the folder if nothing else is in it."""
    if not folder.is_dir():
        return
    remove_strays(folder)
    for path in folder.glob("finished-*"):
        if not path.is_dir():
            path.unlink()
    if not any(folder.iterdir()):
        folder.rmdir()
