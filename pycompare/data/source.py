"""The file that data were read from."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

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
    """

    name: str
    sha256: str
    size: int | None
    rows: int
    format: str

    def __post_init__(self) -> None:
        """Keep a name that every format of a report can hold."""
        object.__setattr__(self, "name", readable(self.name))


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
