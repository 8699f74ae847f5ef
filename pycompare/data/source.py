"""The file that data were read from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, eq=False)
class Source:
    """The file that scores were read from.

    Attributes
    ----------
    name : str
        File name without its folder.
    sha256 : str
        Hash of the bytes that were read, in hexadecimal.
    size : int
        Number of bytes.
    rows : int
        Rows of data, the header not counted.
    format : str
        Ending of the name: ``"csv"``, ``"tsv"``, ``"xlsx"``, ``"parquet"``,
        ``"feather"``, ``"arrow"``, or another of a text file.
    """

    name: str
    sha256: str
    size: int
    rows: int
    format: str
