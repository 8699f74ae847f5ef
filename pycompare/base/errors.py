"""What pycompare raises: one root to catch, and the builtin a caller expects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

_MOST_SHOWN = 1000
"""Characters of a value in a message: advice is shorter, and shown whole."""
NAMED = object()
"""Value of a setting that a message names without one."""


@dataclass(frozen=True)
class Setting:
    """A parameter named in a message; each front end spells it in its own way.

    Attributes
    ----------
    name : str
        As in Python.
    value : object
        The value to give or that was given; ``...``: some value; ``NAMED``: none.
    """

    name: str
    value: Any = NAMED

    def __str__(self) -> str:
        """Spell it as a keyword argument."""
        if self.value is NAMED:
            return self.name
        return f"{self.name}={'...' if self.value is ... else _shortened(self.value)}"


def _shortened(value: object) -> str:
    """Return a value as Python writes it; one that fills the screen without its middle.

    Examples
    --------
    >>> _shortened("a"), len(_shortened("a" * 10_000))
    ("'a'", 503)
    """
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:400]}...{text[-100:]}"


class Message(str):
    """Text whose settings stay apart from its words, so that no label is taken for one.

    As text it is spelled for Python. Adding text on either side keeps the settings;
    formatting it into other text does not.

    Attributes
    ----------
    parts : tuple of str or Setting
    """

    parts: tuple[str | Setting, ...]

    def __new__(cls, *parts: str | Setting) -> Message:
        """Join words and settings."""
        message = super().__new__(cls, "".join(map(str, parts)))
        message.parts = parts
        return message

    def __getnewargs__(self) -> tuple[Any, ...]:
        """Let it come back from another process."""
        return self.parts

    def __add__(self, other: str) -> Message:
        """Append text or another message."""
        return Message(*self.parts, *parts_of(other))

    def __radd__(self, other: str) -> Message:
        """Put text before it."""
        return Message(other, *self.parts)


def parts_of(text: str) -> tuple[str | Setting, ...]:
    """Return words and settings of a text, which may have no settings."""
    return text.parts if isinstance(text, Message) else (text,)


def setting(name: str, value: Any = NAMED) -> Message:
    """Name a parameter within a message, with the value to give; see ``Setting``."""
    return Message(Setting(name, value))


def joined(separator: str, texts: Iterable[str]) -> str:
    """Join messages, as ``separator.join`` does, and keep their settings."""
    message = Message()
    for i, text in enumerate(texts):
        message = message + (separator if i else "") + text
    return message


def spelled(text: str, spell: Callable[[Setting], str]) -> str:
    """Return a message with its settings as a front end spells them."""
    return "".join(
        spell(part) if isinstance(part, Setting) else part for part in parts_of(text)
    )


class PyCompareError(Exception):
    """Base class of the errors that pycompare raises on purpose.

    Examples
    --------
    >>> import pycompare as pc
    >>> issubclass(pc.InputError, pc.PyCompareError)
    True
    """

    @property
    def message(self) -> str:
        """The rejected value and what to do; settings apart, if it has any."""
        return self.args[0] if self.args else ""

    def at(self, place: str) -> PyCompareError:
        """Put the place where it arose in front of the message; return the error."""
        self.args = (f"{place}: " + self.message,)
        return self


class InputError(PyCompareError, ValueError):
    """Raised for data or arguments that cannot be used; states what to do.

    Examples
    --------
    >>> import pycompare as pc
    >>> try:
    ...     pc.adjust([0.01, 1.2], "holm")
    ... except pc.InputError as error:
    ...     print(str(error).split(";")[0])
    1 of 2 p-values is not in [0, 1], first: number 2 is 1.2
    """


@contextmanager
def refused(what: str, *errors: type[Exception]) -> Iterator[None]:
    """Raise some errors as an ``InputError``: ``what``, then why; never our own."""
    try:
        yield
    except PyCompareError:
        raise
    except errors as error:
        raise InputError(f"{what}: {' '.join(str(error).split())}") from error


class DesignError(PyCompareError, ValueError):
    """Raised when valid data do not have the design that a method needs.

    Examples
    --------
    >>> import pycompare as pc
    >>> try:
    ...     pc.dataset_means(pc.example("folds"))
    ... except pc.DesignError as error:
    ...     print(str(error).split(";")[0])
    this needs two data sets or more, and all blocks belong to 'gaussians'
    """


class PlanError(InputError, DesignError):
    """Raised for an invalid plan, with all of its problems.

    Attributes
    ----------
    problems : tuple
        Each with the keys that it is about.
    lines : tuple of str
        One sentence per problem; of a plan file with the file's name and the line.
    in_file : bool
        Whether the plan is a file.

    Examples
    --------
    >>> import pycompare as pc
    >>> try:
    ...     pc.Plan(alpha=2, seed=-1)
    ... except pc.PlanError as error:
    ...     for line in error.lines:
    ...         print(line)
    alpha=2: give a number between 0 and 1, at least 1e-12
    seed=-1: give a whole number from 0 on
    """

    def __init__(self, problems: Sequence[Any], lines: Sequence[str] = ()) -> None:
        self.problems: tuple[Any, ...] = tuple(problems)
        self.in_file = bool(lines)
        self.lines: tuple[str, ...] = tuple(lines) or tuple(map(str, problems))
        first, *others = self.lines
        numbered = [f"  ({i}) {line}" for i, line in enumerate(self.lines, start=1)]
        several = [f"{len(self.lines)} problems:", *numbered]
        super().__init__("\n".join(several) if others else first)

    def __reduce__(self) -> tuple[Any, ...]:
        """Let it come back from another process."""
        return type(self), (self.problems, self.lines), {"in_file": self.in_file}


class DoubtError(InputError):
    """Raised for a table that may be read otherwise than its owner means it.

    Attributes
    ----------
    doubts : tuple
        Each with its name, its places and the ways to answer it.
    lines : tuple of str
        A question for each, with these ways.

    Examples
    --------
    >>> import pycompare as pc
    >>> table = {"data": ["a", "b", "Average"], "x": [1, 2, 1.5], "y": [3, 4, 3.5]}
    >>> try:
    ...     pc.Scores.from_wide(table, block="data", metric="cost", better="lower")
    ... except pc.DoubtError as error:
    ...     print(error.doubts[0].name, error.doubts[0].places)
    summary-row ('Average',)
    """

    def __init__(self, doubts: Sequence[Any], lines: Sequence[str]) -> None:
        self.doubts: tuple[Any, ...] = tuple(doubts)
        self.lines: tuple[str, ...] = tuple(lines)
        super().__init__(joined("\n", self.lines))

    def __reduce__(self) -> tuple[Any, ...]:
        """Let it come back from another process."""
        return type(self), (self.doubts, self.lines)

    def at(self, place: str) -> PyCompareError:
        """Put the place in front of each question; return the error."""
        self.lines = tuple(f"{place}: " + line for line in self.lines)
        self.args = (joined("\n", self.lines),)
        return self


def respell(error: PyCompareError, spell: Callable[[Setting], str]) -> None:
    """Spell all that an error advises as a front end does."""
    error.args = (spelled(error.message, spell),)
    if isinstance(error, DoubtError):
        error.lines = tuple(spelled(line, spell) for line in error.lines)


class ReferenceUnavailable(PyCompareError, RuntimeError):
    """Raised when R, an R package or the R process fails.

    Examples
    --------
    >>> import pycompare as pc
    >>> issubclass(pc.ReferenceUnavailable, pc.PyCompareError)
    True
    """
