"""Portions that are done, kept on disk, so that a run that was ended can go on."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError
from pycompare.base.parallel.sealed import seal, unseal
from pycompare.base.parallel.whole_file import remove_strays, write_whole

_NOTE = "request.json"
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Kept:
    """A folder with one file for each portion that is done.

    Attributes
    ----------
    folder : Path
    request : str
        Computation, from which data.
    """

    folder: Path
    request: str

    @classmethod
    def open(cls, folder: Path, request: str) -> Kept:
        """Make the folder, or go on with one that an ended run left.

        Parameters
        ----------
        folder : Path
        request : str
            Computation, from which data; only the same can go on.

        Raises
        ------
        InputError
            If the folder is of another run.
        """
        note = folder / _NOTE
        if note.exists():
            if _read(note) != request:
                raise InputError(
                    f"{folder} holds the unfinished run of another request, of data "
                    "that have changed since, or one whose request.json is damaged; "
                    "remove it to begin anew"
                )
            return cls(folder, request)
        # A killed run may have left the beginning of its note.
        if folder.exists() and any(
            not path.name.startswith(f".{_NOTE}") for path in folder.iterdir()
        ):
            raise InputError(f"{folder} is there already and is not ours; move it away")
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(request)
        write_whole(note, lambda aside: aside.write_text(text, encoding="utf-8"))
        return cls(folder, request)

    def done(self, n_portions: int) -> dict[int, Arrays]:
        """Return the portions that are done; one that is not as written is not."""
        portions = {}
        for number in range(n_portions):
            content = unseal(self._path(number), self._of(number))
            if content is not None:
                with np.load(io.BytesIO(content), allow_pickle=False) as stored:
                    portions[number] = dict(stored)
        return portions

    def keep(self, number: int, arrays: Arrays) -> None:
        """Write one portion: the file is whole, or it is not there."""
        stream = io.BytesIO()
        np.savez(stream, allow_pickle=False, **arrays)
        seal(self._path(number), self._of(number), stream.getvalue())

    def remove(self) -> None:
        """Remove the kept files: the run is over. What others put there stays.

        The note goes last, so that leftovers of a killed run are recognised.
        """
        remove_strays(self.folder)
        for path in [*self.folder.glob("portion-*"), self.folder / _NOTE]:
            if not path.is_dir():
                path.unlink(missing_ok=True)
        if not any(self.folder.iterdir()):
            self.folder.rmdir()

    def _of(self, number: int) -> str:
        return f"portion {number} of {self.request}"

    def _path(self, number: int) -> Path:
        return self.folder / f"portion-{number:06}.npz"


def _read(note: Path) -> Any:
    """Return what a run is about; None if the file cannot be read."""
    try:
        return json.loads(note.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
