"""Text files of a report that are compressed: their names, and their bytes."""

from __future__ import annotations

import gzip
import io
import zlib

from pycompare.base.errors import InputError, refused

_ENDING = ".gz"
_MOST = 2**30
"""Bytes of a file's text: a few megabytes can be packed so that they fill a memory."""
_PART = 2**20


def packed_name(name: str, *, large: bool) -> str:
    """Return the name of a file, which shows whether it is compressed."""
    return f"{name}{_ENDING}" if large else name


def is_packed(name: str) -> bool:
    """Return whether a file is compressed."""
    return name.endswith(_ENDING)


def plain_name(name: str) -> str:
    """Return the name that a file has when it is not compressed."""
    return name.removesuffix(_ENDING)


def pack(name: str, text: str) -> bytes:
    """Return text as the bytes of a file, compressed if its name shows it."""
    content = text.encode("utf-8")
    # Numbers of full precision have no long repeats that more work would find: twice
    # the time saves 7 % of the bytes.
    return gzip.compress(content, 1, mtime=0) if is_packed(name) else content


def unpacked_size(name: str, content: bytes) -> int:
    """Return the bytes of a file's text, which a compressed one states at its end."""
    return int.from_bytes(content[-4:], "little") if is_packed(name) else len(content)


def unpack(name: str, content: bytes) -> bytes:
    """Return the bytes of a file's text.

    Raises
    ------
    InputError
        If a compressed file was changed or cut, and cannot be decompressed, or is
        larger than any of a report.
    """
    if not is_packed(name):
        return content
    unpacked = io.BytesIO()
    with refused("it cannot be decompressed", OSError, EOFError, zlib.error):
        with gzip.open(io.BytesIO(content)) as stream:
            # ``stream.read(_MOST)`` would take that much memory for the smallest file.
            while part := stream.read(_PART):
                unpacked.write(part)
                if unpacked.tell() > _MOST:
                    raise InputError(
                        f"it has more than {_MOST / 2**30:g} GB when decompressed"
                    )
    return unpacked.getvalue()
