"""The text of a plan file: its tables, and sentences that state on which line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pycompare.base.errors import NAMED, PlanError, Setting, spelled
from pycompare.designs.plans.problems import PlanProblem
from pycompare.designs.plans.toml_text import key, value

_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
_SPELLING = (
    "names go in quotes, numbers without; a decimal point; true and false in small "
    "letters; each key once and with a value"
)
"""What TOML asks for, if tomllib's own words do not state what to do."""


@dataclass(frozen=True)
class Finding:
    """One problem of a plan file, and the keys that it is about.

    Attributes
    ----------
    paths : tuple of tuple
        Such as ``("plan", "alpha")``.
    message : str
    value : object
        What stands there, if that is what is wrong.
    """

    paths: tuple[Path, ...]
    message: str
    value: Any = NAMED


def in_table(table: str, problems: Iterable[PlanProblem]) -> list[Finding]:
    """Place problems of a plan in a table of its file."""
    return [
        Finding(
            tuple(
                (table, name) if problem.item is None else (table, name, problem.item)
                for name in problem.keys
            ),
            problem.message,
            problem.value,
        )
        for problem in problems
    ]


class PlanText:
    """A plan file as it was read.

    Attributes
    ----------
    name : str
        Of the file, for messages.
    document : dict
        What ``tomllib`` read.
    lines : dict
        Path of each key to its line.

    Raises
    ------
    PlanError
        If it is not TOML.
    """

    def __init__(self, text: str, name: str) -> None:
        self.name = name
        text = text.removeprefix("\ufeff")
        try:
            self.document = tomllib.loads(text)
            self.lines = key_lines(text)
        except RecursionError:
            raise PlanError([], [f"{name}: lists stand too deeply in lists"]) from None
        except ValueError as error:  # TOMLDecodeError, and numbers that are too long
            raise PlanError([], [self.syntax(str(error), text)]) from None

    def syntax(self, message: str, text: str) -> str:
        """Return where the text is no TOML."""
        place = _PLACE.search(message)
        last = text.rstrip().count("\n") + 1
        where = f", line {place[1] or last}" if place else ""
        reason = _PLACE.sub("", message)
        return f"{self.name}{where}: {reason}; this is not TOML ({_SPELLING})"

    def refuse(self, findings: Iterable[Finding]) -> None:
        """Raise if there is any problem, with all of them in the order of lines."""
        ordered = sorted(findings, key=lambda finding: self.lines_of(finding)[:1])
        if ordered:
            raise PlanError(ordered, [self.sentence(finding) for finding in ordered])

    def lines_of(self, finding: Finding) -> list[int]:
        """Return the lines that a problem is about, its tables' if its keys have none.

        A rule may ask about more keys than the file has.
        """
        known = {self.lines[path] for path in finding.paths if path in self.lines}
        tables = {
            self.lines[path[:1]] for path in finding.paths if path[:1] in self.lines
        }
        return sorted(known or tables)

    def sentence(self, finding: Finding) -> str:
        """Return what is wrong, where, and what to do."""
        numbers = self.lines_of(finding)
        word = "line" if len(numbers) == 1 else "lines"
        where = f", {word} {' and '.join(map(str, numbers))}" if numbers else ""
        told = spelled(finding.message, as_toml)
        return f"{self.name}{where}: {self.given(finding)}{told}"

    def given(self, finding: Finding) -> str:
        """Repeat the contents of the file."""
        if finding.value is NAMED:
            return ""
        name = next(part for part in finding.paths[0][1:] if isinstance(part, str))
        return f"{key(name)} = {_shown(finding.value)}: "


def as_toml(part: Setting) -> str:
    """Spell a setting as a plan file does."""
    if part.value is NAMED or part.value is ...:
        return part.name
    if part.name == "better":
        return f"{_written(part.value)} in [metrics]"
    if part.name == "wide":
        return 'format = "wide"' if part.value else 'format = "long"'
    return f"{part.name} = {_written(part.value)}"


def _written(given: Any) -> str:
    """Write a value as in the file, whole: it is there to be copied."""
    return value(given) if _writable(given) else repr(given)


def _shown(given: Any) -> str:
    """Write a value as in the file, shortened if it is long."""
    text = _written(given)
    return text if len(text) <= 60 else f"{text[:45]}...{text[-10:]}"


def _writable(given: Any) -> bool:
    """Return whether a value is one that plans are made of."""
    if isinstance(given, list | tuple):
        return all(map(_writable, given))
    if isinstance(given, dict):
        return all(map(_writable, given.values()))
    return isinstance(given, str | bool | int | float)


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
