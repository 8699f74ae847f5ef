"""Files to which lines are only added, each with the hash of the line before.

So a line that was edited, taken out, put in or moved is found. A chain that was forged
from its first line, or cut at its end, is whole by itself: who keeps the hash of the
last line finds out.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from pycompare.base.errors import InputError
from pycompare.base.file_errors import about
from pycompare.base.whole_file import read_regular, write_whole

NAMED = 3
"""Problems that an error names."""


class ChainEntry:
    """One line of a chain; a subclass is a frozen dataclass of plain values.

    Among its fields are ``clock``, time of the machine (UTC by ISO 8601), and
    ``previous``, SHA-256 of the line before.
    """

    clock: str | None
    previous: str | None

    @property
    def record(self) -> dict[str, Any]:
        """The fields that the file holds."""
        return dict(vars(self))

    @property
    def line(self) -> str:
        """The entry as the file holds it."""
        return json.dumps(self.record)

    @property
    def sha256(self) -> str:
        """Hash of the line, without its end."""
        return hashlib.sha256(self.line.encode("ascii")).hexdigest()


_ChainEntryT = TypeVar("_ChainEntryT", bound=ChainEntry)


def link_of(line: str, kind: type[_ChainEntryT]) -> _ChainEntryT | None:
    """Return the entry of a line; None if it is none, or written otherwise."""
    try:
        link = kind(**json.loads(line))
        return link if link.line == line else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def broken(links: Sequence[ChainEntry | None]) -> Iterator[str]:
    """Yield where a chain is not as it was written; None is no entry."""
    before: ChainEntry | None = None
    for at, link in enumerate(links, start=1):
        if link is None:
            yield f"entry {at} is not as pycompare writes it"
        elif before is not None:
            if link.previous != before.sha256:
                yield (
                    f"entry {at} does not follow entry {at - 1}: one of them was "
                    "edited, moved or taken out"
                )
            if link.clock is None or (before.clock or "") > link.clock:
                yield f"entry {at} has an earlier clock than entry {at - 1}"
        elif at == 1 and link.previous is not None:
            yield "entry 1 follows an entry that is not there"
        before = link


def told(problems: Sequence[str]) -> str:
    """Return the first problems of a chain and how many more there are."""
    more = f"; and {len(problems) - NAMED} more" if len(problems) > NAMED else ""
    return "; ".join(problems[:NAMED]) + more


def head(links: Sequence[ChainEntry]) -> str | None:
    """Return the hash of the last entry; kept elsewhere, it vouches for all."""
    return links[-1].sha256 if links else None


def now() -> str:
    """Return the time of the machine."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def read_lines(path: Path) -> list[str]:
    """Return the lines of a chain; none of a file that is not there."""
    if not path.exists():
        return []
    with about(path):
        return read_regular(path).decode("utf-8", "replace").splitlines()


def write_lines(path: Path, links: Sequence[ChainEntry]) -> None:
    """Write a chain: the file is that of before, or the new one."""
    text = "".join(f"{link.line}\n" for link in links)
    write_whole(path, lambda aside: aside.write_text(text, encoding="utf-8"))


@contextmanager
def alone(path: Path, what: str) -> Iterator[None]:
    """Let one process at a time read a chain and add to it."""
    lock = path.with_suffix(".lock")
    with about(path, aside=lock):
        try:
            os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except FileExistsError:
            raise InputError(
                f"another command is writing {what}; try again, or remove {lock.name} "
                "if none is running"
            ) from None
    try:
        yield
    finally:
        lock.unlink(missing_ok=True)
