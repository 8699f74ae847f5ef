"""The file that data were read from."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pycompare.base.labels import readable


@dataclass(frozen=True, eq=False)
class Source:
    r"""The file that scores were read from.

    Attributes
    ----------
    name : str
        File name without its folder; bytes that are not UTF-8 as ``\xff``.
    sha256 : str
        Hash of the bytes that were read, in hexadecimal. While algorithms have codes:
        a keyed hash, ``"HMAC-SHA256 ..."``.
    size : int or None
        Number of bytes; None while algorithms have codes.
    rows : int
        Rows of data, the header not counted.
    format : str
        Ending of the name: ``"csv"``, ``"tsv"``, ``"xlsx"``, ``"parquet"``,
        ``"feather"``, ``"arrow"``, or another of a text file.
    recipe : mapping or None
        How R reads the same data from this file of delimited text; None if it was read
        otherwise than as it stands, or algorithms have codes.
    other_prompts : int
        Items whose prompt is not the same in all their rows, if the file has prompts or
        their hashes.
    """

    name: str
    sha256: str
    size: int | None
    rows: int
    format: str
    recipe: Mapping[str, Any] | None = field(default=None, repr=False)
    other_prompts: int = field(default=0, repr=False)

    def __post_init__(self) -> None:
        """Keep a name that every format of a report can hold."""
        object.__setattr__(self, "name", readable(self.name))

    def told(self) -> dict[str, Any]:
        """Return what a report states of the file."""
        left = ("recipe", *["other_prompts"] * (not self.other_prompts))
        return {name: held for name, held in vars(self).items() if name not in left}


def source_of(path: Path, rows: int) -> Source:
    """Return the file that data were read from, by its bytes as they are now."""
    content = path.read_bytes()
    return Source(
        name=path.name,
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        rows=rows,
        format=path.suffix.removeprefix("."),
    )
