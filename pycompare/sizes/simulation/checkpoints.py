"""Finished chunks on disk, a file each: whole, or not there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pycompare.base.parallel import folder as owned
from pycompare.base.parallel.sealed import seal, unseal

_ENDING = ".chunk"
Sums = dict[str, tuple[int, float, float]]
"""Statistic -> number of trials, sum and sum of squares."""


@dataclass(frozen=True)
class Checkpoints:
    """A folder of finished chunks of one study.

    Every file has the sums of one chunk.

    Attributes
    ----------
    folder : Path
    plan : str
        All that the numbers depend on.
    """

    folder: Path
    plan: str

    @classmethod
    def open(cls, folder: Path, plan: Mapping[str, Any]) -> Checkpoints:
        """Make the folder, or go on with one that an earlier run left.

        Raises
        ------
        InputError
            If the folder is of another study or of something else.
        """
        owned.begin(folder, plan, name="_study.json", what="simulation")
        return cls(folder, json.dumps(plan, sort_keys=True))

    def read(self, name: str) -> Sums | None:
        """Return the sums of one chunk; None if its file is not as written."""
        content = unseal(self._path(name), self._of(name))
        if content is None:
            return None
        return {name: (n, total, sq) for name, (n, total, sq) in json.loads(content)}

    def keep(self, name: str, sums: Sums) -> None:
        """Write one chunk: the file is whole, or it is not there."""
        content = json.dumps(list(sums.items())).encode("ascii")
        seal(self._path(name), self._of(name), content)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{_ENDING}"

    def _of(self, name: str) -> str:
        return f"chunk {name} of {self.plan}"
