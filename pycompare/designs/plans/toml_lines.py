"""On which line of a TOML text each key stands; tomllib does not state.

The text is one that ``tomllib`` has read: the scan looks for keys and ends of values
only, and checks nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable

Path = tuple[str | int, ...]

_SPACE = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")  # white space, line ends and comments
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*'{3,5}"
    r'|"(?:[^"\\]|\\.)*"'
    r"|'[^']*'",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^,\]}#\r\n]+")  # numbers, dates, truth values


def key_lines(text: str) -> dict[Path, int]:
    """Return the line, counted from 1, of every key, table and entry of a list.

    Parameters
    ----------
    text : str
        TOML without a byte-order mark.

    Returns
    -------
    dict
        From the path, such as ``("plan", "adjust", 0)``, to the line on which its key
        (or the entry of the list) begins; a table's is that of its first mention.
    """
    return _Scan(text).lines


class _Scan:
    """A place in the text, and the lines found up to it."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.counted, self.line = 0, 1
        self.lines: dict[Path, int] = {}
        self.entries: dict[Path, int] = {}
        self.document()

    def document(self) -> None:
        """Read headers and pairs to the end."""
        table: Path = ()
        while self.skip(_GAP):
            if self.peek() == "[":
                table = self.header()
            else:
                self.pair(table)

    def header(self) -> Path:
        """Read ``[a.b]`` or ``[[a.b]]`` and return the path of what follows."""
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        self.at += brackets
        path = self.key(())
        if brackets == 2:
            place = self.entries.get(path, 0)
            self.entries[path] = place + 1
            path = (*path, place)
            self.note(path)
        self.at += brackets
        return path

    def pair(self, table: Path) -> None:
        """Read ``key = value``."""
        path = self.key(table)
        self.at += 1  # the equals sign
        self.skip(_SPACE)
        self.value(path)

    def key(self, path: Path) -> Path:
        """Read a dotted key and return its path, noting each part."""
        while True:
            self.skip(_SPACE)
            path = (*path, self.part())
            self.note(path)
            self.skip(_SPACE)
            if self.peek() != ".":
                return path
            if path in self.entries:  # [a.b] after [[a]] is about the last a
                path = (*path, self.entries[path] - 1)
            self.at += 1

    def part(self) -> str:
        """Read one part of a key."""
        token = self.take(_STRING if self.peek() in "\"'" else _BARE_KEY)
        if token[0] not in "\"'":
            return token
        return str(tomllib.loads(f"k = {token}")["k"])

    def value(self, path: Path) -> None:
        """Read a value, and its contents."""
        first = self.peek()
        if first == "[":
            self.inside("]", path, self.entry)
        elif first == "{":
            self.inside("}", path, lambda path, _: self.pair(path))
        else:
            self.take(_STRING if first in "\"'" else _PLAIN)

    def inside(self, end: str, path: Path, read: Callable[[Path, int], None]) -> None:
        """Read what stands between brackets, divided by commas."""
        self.at += 1
        place = 0
        while self.skip(_GAP) and self.peek() != end:
            if self.peek() == ",":
                self.at += 1
                continue
            read(path, place)
            place += 1
        self.at += 1

    def entry(self, path: Path, place: int) -> None:
        """Read one entry of a list."""
        self.note((*path, place))
        self.value((*path, place))

    def note(self, path: Path) -> None:
        """Keep the line on which a path is first mentioned."""
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        self.lines.setdefault(path, self.line)

    def peek(self) -> str:
        """Return the next character."""
        return self.text[self.at]

    def skip(self, pattern: re.Pattern[str]) -> bool:
        """Step over what matches; False at the end of the text."""
        self.take(pattern)
        return self.at < len(self.text)

    def take(self, pattern: re.Pattern[str]) -> str:
        """Return what matches here and step over it."""
        match = pattern.match(self.text, self.at)
        assert match is not None, f"not TOML at character {self.at}"
        self.at = match.end()
        return match.group()
