"""The text of a plan file: its tables, and sentences that state on which line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from pycompare.base.errors import NAMED, PlanError, Setting, spelled
from pycompare.designs.plans.problems import PlanProblem
from pycompare.designs.plans.toml_lines import Path, key_lines
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
