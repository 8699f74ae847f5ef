"""Work that is done, in files that are read only as they were written.

A file begins with a hash of its subject and content. So one that was cut,
damaged, copied from elsewhere or planted is never read: that work is done again.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from pycompare.base.parallel.whole_file import write_whole

_SIZE = hashlib.sha256().digest_size


def seal(path: Path, of: str, content: bytes) -> None:
    """Write a file: it is whole, or it is not there."""
    text = _digest(of, content) + content
    write_whole(path, lambda aside: aside.write_bytes(text))


def unseal(path: Path, of: str) -> bytes | None:
    """Return the content of a file; None if it was written for something else."""
    try:
        held = path.read_bytes()
    except OSError:
        return None
    content = held[_SIZE:]
    return content if held[:_SIZE] == _digest(of, content) else None


def _digest(of: str, content: bytes) -> bytes:
    name = hashlib.sha256(of.encode("utf-8", "surrogateescape")).digest()
    return hashlib.sha256(name + content).digest()
