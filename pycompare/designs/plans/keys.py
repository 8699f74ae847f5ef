"""Keys of a plan: each declared once, with type, default, explanation and use.

A key is a dataclass field made by `declare`. What reads, checks, writes and explains
plans goes by these declarations, so that a new key is one new field.
"""

from __future__ import annotations

import dataclasses
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cache
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any

from pycompare.base.arguments import AN_ALPHA, LEAST_ALPHA
from pycompare.base.errors import InputError, setting
from pycompare.base.labels import nearest
from pycompare.designs.plans.problems import PlanProblem

Fault = tuple[int | str | None, str]
"""Position in a list, or name in a table, if one entry is wrong; and what to do."""

ANY_DESIGN = "any comparison"
FOLDS = "folds, of one data set or of several"
DATASETS = "independent data sets"
FOLDS_OF_DATASETS = "folds of several data sets"
DATASETS_OR_FOLDS = "independent data sets; folds of several data sets"
GROUPS = "data sets in groups"
BENCHMARKS = "cases of several benchmarks (groups)"
OF_TASKS = "independent data sets with runs (replicate)"


class Kind(ABC):
    """The values that a key may have."""

    expected: str

    @abstractmethod
    def allows(self, value: Any) -> bool:
        """Return whether a value is of the type and in range."""

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of a value."""
        if not self.allows(value):
            yield None, f"give {self.expected}"


def _is_a(kind: type, value: Any) -> bool:
    """Return whether a value is of a kind of numbers; True and False are of none."""
    return isinstance(value, kind) and not isinstance(value, bool)


@dataclass(frozen=True)
class Number(Kind):
    """A finite number above ``low`` and, if there is one, below ``high``.

    ``with_low``: whether ``low`` itself is allowed.
    """

    low: float
    high: float = float("inf")
    expected: str = "a positive number"
    with_low: bool = False

    def allows(self, value: Any) -> bool:
        """Return whether it is a number within the limits."""
        number = _is_a(Real, value)
        if number and self.with_low and value == self.low:
            return True
        # A whole number may be larger than any float.
        return number and self.low < value < self.high and value <= sys.float_info.max


ERROR_RATE = Number(LEAST_ALPHA, 1, AN_ALPHA, with_low=True)


@dataclass(frozen=True)
class NumberBy(Kind):
    """One number for all, or a table with one for each data set, or metric."""

    number: Number | Whole
    of: str

    @property
    def expected(self) -> str:  # type: ignore[override]
        """Return the numbers that are expected, in words."""
        return f"{self.number.expected}, or a table with one for each {self.of}"

    def allows(self, value: Any) -> bool:
        """Return whether it is such a number or table."""
        return not list(self.faults(value))

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of the number, or of each entry of the table."""
        if not isinstance(value, Mapping):
            yield from self.number.faults(value)
        elif not value:
            yield None, f"the table is empty; give {self.expected}"
        else:
            for name, entry in value.items():
                if not isinstance(name, str) or not self.number.allows(entry):
                    yield (
                        str(name),
                        f"{name!r} has {entry!r}; give {self.number.expected}",
                    )


@dataclass(frozen=True)
class RangeBy(Kind):
    """The two ends of a range, or a table with those of each metric."""

    expected: str = (
        "the lowest and the highest possible score, such as [0, 1], or a table with "
        "both for each metric"
    )

    def allows(self, value: Any) -> bool:
        """Return whether it is such a pair or table."""
        return not list(self.faults(value))

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of the pair, or of each entry of the table."""
        if not isinstance(value, Mapping):
            if not _is_range(value):
                yield None, f"give {self.expected}"
        elif not value:
            yield None, f"the table is empty; give {self.expected}"
        else:
            for name, entry in value.items():
                if not isinstance(name, str) or not _is_range(entry):
                    yield (
                        str(name),
                        f"{name!r} has {entry!r}; give the lowest and the highest "
                        "possible score, such as [0, 1]",
                    )


def _is_range(value: Any) -> bool:
    """Return whether it is two finite numbers, the lower one first."""
    pair = isinstance(value, list | tuple) and len(value) == 2
    number = Number(float("-inf"))
    return pair and all(map(number.allows, value)) and value[0] < value[1]


@dataclass(frozen=True)
class NumberOfEach(NumberBy):
    """A table with one number for each group, or a word for it; no single number."""

    words: tuple[str, ...] = ()

    @property
    def expected(self) -> str:  # type: ignore[override]
        """Return the numbers and words that are expected."""
        table = f"a table with {self.number.expected} for each {self.of}"
        return " or ".join([table, *map(repr, self.words)])

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of the word, the table or each entry."""
        if isinstance(value, Mapping):
            yield from super().faults(value)
        elif not (isinstance(value, str) and value in self.words):
            hint = nearest(value, self.words) if isinstance(value, str) else ""
            yield None, f"give {self.expected}{hint}"


@dataclass(frozen=True)
class Whole(Kind):
    """A whole number from ``low`` on and, if there is an end, up to ``high``."""

    low: int
    high: int | None = None
    expected: str = "a whole number from 0 on"

    def allows(self, value: Any) -> bool:
        """Return whether it is a whole number within the limits."""
        whole = _is_a(Integral, value)
        return whole and self.low <= value and (self.high is None or value <= self.high)


@dataclass(frozen=True)
class Flag(Kind):
    """Yes or no."""

    expected: str = "true or false"

    def allows(self, value: Any) -> bool:
        """Return whether it is a truth value."""
        return isinstance(value, bool)


@dataclass(frozen=True)
class Text(Kind):
    """A name; empty if a starter plan waits to be filled in.

    ``check`` raises InputError for a text without meaning; ``metavar`` stands for
    the text in help.
    """

    expected: str
    check: Callable[[str], Any] | None = None
    metavar: str = "NAME"

    def allows(self, value: Any) -> bool:
        """Return whether it is text."""
        return isinstance(value, str)

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of a value."""
        if isinstance(value, str) and not value:
            yield None, f"not filled in; give {self.expected}"
        elif not self.allows(value):
            yield None, f"give {self.expected} in quotes"
        elif self.check is not None:
            yield from _refusal_of(self.check, None, value)


@dataclass(frozen=True)
class Word(Kind):
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def expected(self) -> str:  # type: ignore[override]
        """Return which."""
        return f"one of {', '.join(map(repr, self.words))}"

    def allows(self, value: Any) -> bool:
        """Return whether it is one of the words."""
        return isinstance(value, str) and value in self.words

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of a value."""
        if isinstance(value, str) and not value:
            yield None, f"not filled in; choose {self.expected}"
        elif not self.allows(value):
            hint = nearest(value, self.words) if isinstance(value, str) else ""
            yield None, f"choose {self.expected}{hint}"


@dataclass(frozen=True)
class WordUnless(Word):
    """One of a few words; others that people write are rejected with their meaning."""

    unclear: Mapping[str, str] = field(default_factory=dict)

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of a value."""
        meaning = self.unclear.get(value) if isinstance(value, str) else None
        if meaning is None:
            yield from super().faults(value)
        else:
            yield None, f"{meaning}: choose {self.expected}"


@dataclass(frozen=True)
class WordOrOne(Word):
    """One of a few words, or the number 1."""

    @property
    def expected(self) -> str:  # type: ignore[override]
        """Return which."""
        return f"{' or '.join(map(repr, self.words))}, or the number 1"

    def allows(self, value: Any) -> bool:
        """Return whether it is 1 or one of the words."""
        number = isinstance(value, Real) and not isinstance(value, bool)
        return value == 1 if number else super().allows(value)


@dataclass(frozen=True)
class WordOrShare(Kind):
    """One of a few words, or a number between 0 and 1."""

    words: tuple[str, ...]

    @property
    def expected(self) -> str:  # type: ignore[override]
        """Return which."""
        return f"{' or '.join(map(repr, self.words))}, or a number between 0 and 1"

    def allows(self, value: Any) -> bool:
        """Return whether it is one of the words, or such a number."""
        if isinstance(value, str):
            return value in self.words
        return _is_a(Real, value) and 0 < value < 1


@dataclass(frozen=True)
class NameList(Kind):
    """A list of names; ``check`` raises InputError for one that there is not."""

    expected: str = "a list of names"
    check: Callable[[str], Any] | None = None

    def allows(self, value: Any) -> bool:
        """Return whether it is a list of texts."""
        listed = isinstance(value, list | tuple)
        return listed and all(isinstance(name, str) and name for name in value)

    def faults(self, value: Any) -> Iterator[Fault]:
        """Yield the problems of the list or of each entry."""
        if not isinstance(value, list | tuple):
            yield None, f"give {self.expected} (in Python a tuple), even for one name"
            return
        for place, name in enumerate(value):
            if not isinstance(name, str) or not name:
                yield place, f"entry {place + 1} is {name!r}, not a name in quotes"
            elif self.check is not None:
                yield from _refusal_of(self.check, place, name)


def _refusal_of(
    check: Callable[[str], Any], place: int | None, text: str
) -> Iterator[Fault]:
    """Yield why a text is rejected, if so."""
    try:
        check(text)
    except InputError as error:
        yield place, error.message


@dataclass(frozen=True)
class PlanKey:
    """One key of a plan.

    Attributes
    ----------
    name : str
        In the plan file and in Python.
    kind : Kind
    default : object
        None: left open, or not done.
    about : str
        Its meaning, in a sentence or two.
    applies_to : str
        For which comparisons it is; another one rejects it.
    option : str
        How the command line spells it; empty if it does not.
    group : str
        Under which title help and documentation list it.
    """

    name: str
    kind: Kind
    default: Any
    about: str
    applies_to: str
    option: str
    group: str


def declare(
    default: Any,
    kind: Kind,
    about: str,
    *,
    applies_to: str = ANY_DESIGN,
    option: str = "",
    group: str = "Analysis",
) -> Any:
    """Make a dataclass field that is a key of the plan; see ``PlanKey``."""
    metadata = {
        "kind": kind,
        "about": about,
        "applies_to": applies_to,
        "option": option,
        "group": group,
    }
    return dataclasses.field(default=default, metadata=metadata)


def keys_of(owner: type) -> Mapping[str, PlanKey]:
    """Return the keys that a dataclass declares, by name."""
    return _keys_of(owner)


@cache
def _keys_of(owner: type) -> Mapping[str, PlanKey]:
    return MappingProxyType({
        field.name: PlanKey(name=field.name, default=field.default, **field.metadata)
        for field in dataclasses.fields(owner)
        if "kind" in field.metadata
    })  # fmt: skip


def faults(plan: Any) -> tuple[PlanProblem, ...]:
    """Return the problem of each value; None is allowed if it is the default."""
    return tuple(
        PlanProblem((key.name,), message, value)
        if item is None
        else PlanProblem((key.name,), setting(key.name) + ": " + message, item=item)
        for key in keys_of(type(plan)).values()
        if (value := getattr(plan, key.name)) is not None or key.default is not None
        for item, message in key.kind.faults(value)
    )


@dataclass(frozen=True)
class PlanRule:
    """Rules over several keys.

    ``check`` takes the plan (and the scores) and returns the problem, or None.
    """

    keys: tuple[str, ...]
    check: Callable[..., str | None]


def rule(*keys: str) -> Callable[[Callable[..., str | None]], PlanRule]:
    """Make the decorated check a rule about these keys."""
    return lambda check: PlanRule(keys, check)


def broken(
    rules: Iterable[PlanRule], *given: Any, skip: Set[str] = frozenset()
) -> tuple[PlanProblem, ...]:
    """Return the rules that are broken; none is asked about a key in ``skip``."""
    return tuple(
        PlanProblem(rule.keys, message)
        for rule in rules
        if not skip & set(rule.keys) and (message := rule.check(*given)) is not None
    )
