"""Portions that are done, kept on disk, so that a run that was ended can go on."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.errors import InputError

Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Kept:
    """A folder with one file for each portion that is done.

    Attributes
    ----------
    folder : Path
    """

    folder: Path

    @classmethod
    def open(cls, folder: Path, request: str) -> Kept:
        """Make the folder, or go on with one that an ended run left.

        Parameters
        ----------
        folder : Path
        request : str
            What is computed, from which data; only the same can go on.

        Raises
        ------
        InputError
            If the folder is of another run.
        """
        note = folder / "request.json"
        if note.exists():
            if json.loads(note.read_text(encoding="utf-8")) != request:
                raise InputError(
                    f"{folder} holds the unfinished run of another request, or of "
                    "data that have changed since; remove it to begin anew"
                )
            return cls(folder)
        if folder.exists() and any(folder.iterdir()):
            raise InputError(f"{folder} is there already and is not ours; move it away")
        folder.mkdir(parents=True, exist_ok=True)
        _write(note, json.dumps(request).encode())
        return cls(folder)

    def done(self, n_portions: int) -> dict[int, Arrays]:
        """Return the portions that are done."""
        found = {}
        for number in range(n_portions):
            path = self._path(number)
            if path.exists():
                with np.load(path) as stored:
                    found[number] = dict(stored)
        return found

    def keep(self, number: int, arrays: Arrays) -> None:
        """Write one portion: the file is whole, or it is not there."""
        path = self._path(number)
        part = path.with_suffix(f".part{os.getpid()}")
        with part.open("wb") as stream:
            np.savez(stream, allow_pickle=False, **arrays)
        part.replace(path)

    def remove(self) -> None:
        """Remove the folder: the run is over."""
        shutil.rmtree(self.folder)

    def _path(self, number: int) -> Path:
        return self.folder / f"portion-{number:06}.npz"


def _write(path: Path, content: bytes) -> None:
    part = path.with_suffix(f".part{os.getpid()}")
    part.write_bytes(content)
    part.replace(path)
