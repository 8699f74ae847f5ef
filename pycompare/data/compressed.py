"""Files that are no plain text: compressed by gzip or Zstandard, or no table at all."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TextIO, cast

from pycompare.base.errors import InputError, refused

_COMPRESSED = (".gz", ".zst")
"""Endings behind that of the content; .zst needs pyarrow."""
_DAMAGES = (OSError, EOFError, zlib.error)


def kind_of(file: Path) -> str:
    """Return the ending of a file, that of its content if it is compressed."""
    ending = file.suffix.lower()
    return file.with_suffix("").suffix.lower() if ending in _COMPRESSED else ending


def without_endings(name: str) -> str:
    """Return a name or path less the ending of its file, also a compressed one's.

    Examples
    --------
    >>> without_endings("a/b.c/samples.x.jsonl.gz")
    'a/b.c/samples.x'
    """
    name = uncompressed_name(name)
    return name[: -len(Path(name).suffix)] if Path(name).suffix else name


def uncompressed_name(name: str) -> str:
    """Return a name or path as it is called without compression."""
    ending = Path(name).suffix
    return name[: -len(ending)] if ending.lower() in _COMPRESSED else name


def unpacked(content: bytes, file: Path) -> bytes:
    """Return the content of a file that may be compressed.

    Raises
    ------
    InputError
        If it is damaged, or pyarrow is not installed for .zst.
    """
    ending = file.suffix.lower()
    if ending not in _COMPRESSED:
        return content
    with refused(f"this is no readable {ending} file", *_DAMAGES):
        if ending == ".gz":
            return gzip.decompress(content)
        with zstandard(io.BytesIO(content)) as stream:
            return stream.read()


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that may be compressed for its content, read piece by piece.

    Raises
    ------
    InputError
        As ``unpacked``.
    """
    ending = path.suffix.lower()
    with path.open("rb") as file:
        if ending not in _COMPRESSED:
            yield file
            return
        with refused(f"this is no readable {ending} file", *_DAMAGES):
            if ending == ".gz":
                with gzip.open(file) as stream:
                    yield cast("IO[bytes]", stream)
            else:
                with zstandard(file) as stream:
                    yield stream


@contextmanager
def opened_text(path: Path, newline: str | None = None) -> Iterator[TextIO]:
    """Open a file as ``opened``, as text in UTF-8."""
    with opened(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8-sig", newline=newline)
        try:
            yield text
        finally:
            text.detach()


@contextmanager
def zstandard(file: IO[bytes]) -> Iterator[IO[bytes]]:
    """Open a file compressed by Zstandard; its damage is an error of pyarrow.

    Raises
    ------
    InputError
        If pyarrow is not installed.
    """
    try:
        import pyarrow as pa
    except ImportError as error:
        raise InputError(".zst files need pyarrow: pip install pyarrow") from error
    stream = pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd")
    yield cast("IO[bytes]", io.BufferedReader(stream))


_BY_BYTES = (
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP file (as .xlsx, .docx and .ods files are)"),
    (b"\xd0\xcf\x11\xe0", "an old Office file (.xls, .doc)"),
    (b"\x1f\x8b", "a gzip file"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "a Feather file"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x80\x04", "a Python pickle"),
)
_BY_ENDING = {
    **dict.fromkeys((".docx", ".doc", ".odt", ".rtf"), "a text document"),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".gif", ".svg"), "a picture"),
    **dict.fromkeys((".pptx", ".ppt", ".odp"), "a presentation"),
    ".pdf": "a PDF document",
    ".xls": "a workbook in the old format",
    ".ods": "an OpenDocument spreadsheet",
    ".zip": "a ZIP file",
    ".gz": "a compressed file",
    ".pkl": "a Python pickle",
    ".rds": "an R object",
}


def by_bytes(content: bytes) -> str:
    """Return what a file is that is no text; empty if its first bytes do not show.

    Examples
    --------
    >>> by_bytes(b"%PDF-1.7 ..."), by_bytes(b"a,b")
    ('a PDF document', '')
    """
    return next((kind for start, kind in _BY_BYTES if content.startswith(start)), "")


def by_ending(ending: str) -> str:
    """Return what files of an ending are; empty if it is not known.

    Examples
    --------
    >>> by_ending(".docx"), by_ending(".csv")
    ('a text document', '')
    """
    return _BY_ENDING.get(ending, "")
