"""Shared parts of every result, and the words its columns use.

Results are frozen and keep full precision. Frames and what few readers ask for are made
when they are read (`later`), always from numbers that are computed already; our own
code reads the arrays behind a frame (`inside`). A reader gets a copy of each frame and
series, and read-only arrays: nothing that is read changes a result (`Unchangeable`).
The column words, everywhere: ``term contrast estimate std_error statistic df df1
df2 p_value p_adjusted conf_low conf_high``; pairs add ``algorithm_1`` and
``algorithm_2``.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.base.errors import InputError
from pycompare.base.formatting.numbers import degrees, interval, number, p_equals
from pycompare.base.formatting.tables import table_text
from pycompare.base.hypotheses import Hypotheses
from pycompare.base.interop import rscript
from pycompare.base.interop.r_call import RCall
from pycompare.base.made_rows import MadeRows
from pycompare.base.tables import (
    AnyTable,
    Columns,
    Held,
    Labelled,
    MadeColumn,
    Matrix,
    is_frame,
    is_missing,
    is_series,
    read_only,
)
from pycompare.results.pair_rows import PairLabels, PairRows, pair_rows_of
from pycompare.results.placement import Placement
from pycompare.results.schema import (
    MINUS,
    Schema,
    Turned,
    column,
    turned_of,
    values_for_r,
)

if TYPE_CHECKING:
    import pandas as pd


def rejected(p_adjusted: ArrayLike, alpha: float) -> NDArray[np.bool_]:
    """Return which hypotheses are rejected: ``p_adjusted <= alpha``.

    This is the only place where a decision is made. NaN (a hypothesis that could not
    be tested) is never rejected.
    """
    return np.asarray(p_adjusted, float) <= alpha


class WithinFamily(Protocol):
    """The family in which tests of pairs are decided."""

    @property
    def alone(self) -> bool:
        """Whether it is one table."""
        ...

    @property
    def members(self) -> tuple[Any, ...]:
        """Its tables as they are decided in it."""
        ...


class HandedOut:
    """A field or cached property of which readers get a copy, or read-only arrays.

    It may be given as arrays or as the call that makes it; see `later`.
    """

    def __init__(self, make: Callable[[Any], Any] | None = None) -> None:
        self.make = make
        self.__doc__ = None if make is None else make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            if self.make is not None:
                return self
            raise AttributeError(self.name)  # a dataclass asks for the default
        if self.make is not None and self.name not in vars(instance):
            vars(instance)[self.name] = self.make(instance)
        return _handed_out(_held(instance, self.name))

    def __set__(self, instance: Any, value: Any) -> None:
        vars(instance)[self.name] = value


def _handed_out(value: Any) -> Any:
    """Return a value as a reader gets it: what changes there changes nothing here."""
    if isinstance(value, Held):
        return value.pandas()
    if isinstance(value, np.ndarray):
        return read_only(value)
    if isinstance(value, dict):
        return {key: _handed_out(entry) for key, entry in value.items()}
    return value.copy() if is_frame(value) or is_series(value) else value


_CHANGEABLE = re.compile(
    r"\b(dict|DataFrame|Series|NDArray|ndarray|Floats|Ints|Bools)\b"
)
"""Annotations of what a reader could change in place."""


class Unchangeable:
    """Dataclasses whose returned values cannot change them.

    Fields and cached properties that are frames, series, arrays or dicts of them by
    their annotations are handed out as copies, arrays read-only.
    """

    def __new__(cls, *values: Any, **fields: Any) -> Self:
        """Make an instance; the first of a class has its attributes guarded."""
        if "_guarded" not in vars(cls):
            for kind in cls.__mro__:
                if issubclass(kind, Unchangeable):
                    _guard(kind)
            cls._guarded = True
        return super().__new__(cls)

    _guarded: ClassVar[bool]

    def held(self, name: str) -> Any:
        """Return a field as our own code reads it: the arrays, and no copy."""
        return _held(self, name) if name in vars(self) else getattr(self, name)


def _guard(kind: type) -> None:
    """Let the attributes of one class be handed out; dataclasses are made by now."""
    for name, annotation in inspect.get_annotations(kind).items():
        given = vars(kind).get(name)
        if _CHANGEABLE.search(str(annotation)) and not isinstance(given, HandedOut):
            _put(kind, name, HandedOut())
    for name, given in list(vars(kind).items()):
        if isinstance(given, cached_property):
            returned = inspect.get_annotations(given.func).get("return")
            if _CHANGEABLE.search(str(returned)):
                _put(kind, name, HandedOut(given.func))


def _put(kind: type, name: str, attribute: HandedOut) -> None:
    attribute.__set_name__(kind, name)
    setattr(kind, name, attribute)


@dataclass(frozen=True, kw_only=True, eq=False)
class Result(Unchangeable):
    """Common part of all results."""

    r_digits: ClassVar[Mapping[str, int]] = {}
    """Digits of R's numbers by name, if R's function has fewer than ten."""

    @property
    def clustered(self) -> bool:
        """Whether blocks are clusters of cases, which may depend on each other."""
        return False

    @property
    def is_drawn(self) -> bool:
        """Whether flips or permutations were drawn at random."""
        return False

    @property
    def fixed(self) -> tuple[str, ...]:
        """Limits of conclusions as it is: ``readers`` or ``cases``."""
        return ()

    @property
    def decided_in(self) -> WithinFamily | None:
        """The family in which it is decided; None: separately."""
        return None

    @property
    def adjusted_here(self) -> bool:
        """Whether R's function of this table alone repeats ``p_adjusted``."""
        return self.decided_in is None or self.decided_in.alone

    def to_frame(self) -> pd.DataFrame:
        """Return a tidy table, one row per test or estimate, full precision."""
        return self.as_columns().pandas()

    def as_columns(self) -> Columns:
        """Return the tidy table as our own code reads it, and nothing else does."""
        held = _held(self, "table")
        if not isinstance(held, Columns):
            held = vars(self)["table"] = Columns.of(held)
        return held

    def columns_in_r(self, *names: str) -> dict[str, Any]:
        """Return columns as R's function of this table has them: before any gate.

        Columns that are computed when they are read stay so.
        """
        table = self.as_columns()
        if BEFORE_GATE in table:
            table = table.but(p_adjusted=table[BEFORE_GATE])
        waiting = table.not_made
        return {
            name: table.as_stored(name) if name in waiting else _as_doubles(table[name])
            for name in names
        }

    def as_written(self) -> Columns:
        """Return the tidy table as CSV files have it."""
        return self.as_columns()

    def r_call(self) -> RCall | None:
        """Return the R call that repeats this result, None if R has none."""
        return None

    schema: ClassVar[Schema] = ()
    """What its numbers are; a result without one overrides what follows from it."""

    def r_values(self) -> dict[str, Any]:
        """Return our numbers under the names of the R function's list."""
        return values_for_r(self, self.schema)

    def r_code(self) -> str:
        """Return self-contained R code that repeats every number of this result."""
        return rscript.code(self)

    def summary(self, digits: int = 4) -> str:
        """Return the result as text, rounded to ``digits`` significant digits."""
        return table_text(self.as_columns(), digits)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold; NaN and infinity as text."""
        return {
            f.metadata.get("name", f.name): plain(
                getattr(self, f.metadata["of"])
                if "of" in f.metadata
                else self.held(f.name)
            )
            for f in dataclasses.fields(self)
            if f.metadata.get("export", True)
        }

    def row_labels(self) -> Sequence[Any]:
        """Return what R's numbers are of, in their order: the pairs of a table, ..."""
        return [()]

    def labels_in_r(self, name: str) -> Sequence[str]:
        """Return R's labels of the elements of a list; none if it has none."""
        return ()

    def r_also(self) -> dict[str, tuple[str, int]]:
        """Return R's name and element of places that repeat a number, from 1."""
        return {}

    @property
    def drawn_in_python(self) -> frozenset[str]:
        """Names of numbers that follow from draws that R does not have."""
        return frozenset()

    r_beside: ClassVar[frozenset[str]] = frozenset()
    """R's names of numbers that results.json has beside the result, if anywhere."""
    r_paths: ClassVar[Mapping[str, str]] = {}
    """Where a number of R stands in ``to_dict``, if not under R's own name."""

    def places_in_r(self) -> dict[str, str]:
        """Return the path of each number of R that is declared."""
        declared = {q.in_r: q.path for q in self.schema if q.in_r is not None}
        return declared | dict(self.r_paths)

    def r_by_column(self) -> dict[str, int]:
        """Return matrices that R has column by column, with their columns."""
        return {}

    def _repr_html_(self) -> str:
        return self.as_columns().pandas().to_html(escape=True)


def internal() -> Any:
    """Make a dataclass field that ``to_dict`` leaves out (the data behind a result)."""
    return field(repr=False, metadata={"export": False})


def exported_as(name: str, of: str) -> Any:
    """Make a field, None by default, that ``to_dict`` gives as a property."""
    return field(default=None, repr=False, metadata={"name": name, "of": of})


def made_when_read() -> Any:
    """Make a dataclass field that takes a value, arrays or what `later` returns.

    Of arrays (`Columns`, `Labelled`) a reader gets the frame or series.
    """
    return HandedOut()


def later(make: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """Return the value of a field as a call that is made when it is first read."""
    return partial(make, *arguments, **options)


def _held(result: object, name: str) -> Any:
    """Return the value behind a field, which is made when it is first read."""
    held = vars(result)[name]
    if isinstance(held, partial):
        held = vars(result)[name] = held()
    return held


def changed(result: Any, **fields: Any) -> Any:
    """Return a result with some fields changed; frames of the others stay unmade."""
    kept = {f.name: vars(result)[f.name] for f in dataclasses.fields(result)}
    return type(result)(**(kept | fields))


class MayDraw:
    """Results that may be of random draws: they have a ``seed`` then."""

    @property
    def is_drawn(self: Any) -> bool:
        """Whether flips or permutations were drawn at random."""
        return self.seed is not None


@dataclass(frozen=True, kw_only=True, eq=False)
class Test(Result):
    """One test of one hypothesis.

    Attributes
    ----------
    name : str
        The test and its form, in words.
    statistic_name : str
        ``chi2``, ``F``, ``z``, ...
    statistic : float
        NaN if it is undefined; ``notes`` states why.
    df : float, tuple of float or None
        Degrees of freedom of the reference distribution.
    p_value : float
        Raw p-value. NaN only if nothing could be tested.
    p_source : str
        Where the p-value comes from: the distribution's name, ``exact`` or
        ``permutation``.
    reference : str
        The source of the method.
    notes : tuple of str
        Notes for readers: undefined numbers and why, approximations.
    """

    name: str
    statistic_name: str
    statistic: float
    df: float | tuple[float, ...] | None
    p_value: float
    p_source: str
    reference: str
    notes: tuple[str, ...] = ()
    short: str = field(default="", repr=False, metadata={"export": False})
    """The name without its settings and the algorithms, if it is another one."""

    __test__ = False  # pytest collects classes by the name

    @property
    def short_name(self) -> str:
        """The name of the test alone, as lists of methods have it."""
        return self.short or self.name

    @property
    def basis(self) -> str:
        """The test's key in the ledger of guarantees; empty: it claims none."""
        return ""

    def as_columns(self) -> Columns:
        """Return one row; a pair of degrees of freedom is ``df1`` and ``df2``."""
        return self.as_row()

    def as_row(self) -> Columns:
        """Return the row of the test itself, without those of others beside it."""
        pair = self.df if isinstance(self.df, tuple) else (self.df, None)
        row = {
            "test": self.name,
            "statistic_name": self.statistic_name,
            "statistic": self.statistic,
            "df1": pair[0],
            "df2": pair[1],
            "p_value": self.p_value,
            "p_source": self.p_source,
        }
        return Columns.of_row(row)

    def summary(self, digits: int = 4) -> str:
        """Return the test in one line, and a line per note."""
        return "\n".join((self.test_line(digits), *self.note_lines()))

    def test_line(self, digits: int) -> str:
        """Return the statistic with its p-value."""
        df = f"({degrees(self.df)})" if self.df is not None else ""
        p = p_equals(self.p_value, digits=digits)
        statistic = f"{self.statistic_name}{df} = {number(self.statistic, digits)}"
        return f"{self.name}: {statistic}, {p} ({self.p_source})"

    def note_lines(self) -> list[str]:
        """Return a line per note."""
        return [f"  note: {note}" for note in self.notes]

    def rejected(self, alpha: float) -> bool:
        """Return whether ``p_value <= alpha``."""
        return bool(rejected(self.p_value, alpha))


@dataclass(frozen=True, kw_only=True, eq=False)
class Estimate(Result):
    """A number with its confidence interval.

    Attributes
    ----------
    name, method : str
        The estimated quantity, and how the interval is made.
    estimate, conf_low, conf_high : float
        NaN if undefined.
    level : float
        Confidence level in (0, 1).
    """

    name: str
    estimate: float
    conf_low: float
    conf_high: float
    level: float
    method: str
    notes: tuple[str, ...] = ()

    def as_columns(self) -> Columns:
        """Return one row."""
        row = {
            "name": self.name,
            "estimate": self.estimate,
            "conf_low": self.conf_low,
            "conf_high": self.conf_high,
            "level": self.level,
            "method": self.method,
        }
        return Columns.of_row(row)

    def summary(self, digits: int = 4) -> str:
        """Return the estimate with its interval in one line."""
        limits = interval(self.conf_low, self.conf_high, self.level, digits)
        return (
            f"{self.name} = {number(self.estimate, digits)}, {limits} ({self.method})"
        )


class Told(dict[str, Any]):
    """Statements of results.json of a result, and which result it is."""

    def __init__(self, said: Mapping[str, Any], result: Result) -> None:
        super().__init__(said)
        self.result = result


class NumberSource(NamedTuple):
    """Where R has the numbers of a column: a result, and its name in R's list.

    A result of one number has it for every row. ``gate`` is the test whose p-value they
    are at least. ``at`` is the element of the list, from 1; 0: that of the labels.
    """

    result: Result
    name: str
    gate: Test | None = None
    at: int = 0


Sources = (
    Mapping[str, NumberSource]
    | Callable[[int, Mapping[str, Any]], Mapping[str, NumberSource]]
)
"""Of each column; or its result by row and place, if rows are of several."""


class MergedRows(list[Any]):
    """Rows of results.json that are put together from tables of several results.

    ``labels`` are the columns that state which row of a result's table each is of;
    ``sources`` whose numbers the other columns hold.
    """

    def __init__(
        self, rows: Sequence[Any], labels: tuple[str, ...], sources: Sources
    ) -> None:
        super().__init__(rows)
        self.labels, self.sources = labels, sources

    def of_row(self, at: int) -> Mapping[str, NumberSource]:
        """Return the sources of a row's columns."""
        return self.sources(at, self[at]) if callable(self.sources) else self.sources


class Fields(dict[str, Any]):
    """Values of results.json by name that repeat numbers of several results.

    ``sources`` states whose, by the path below: ``error/A1``.
    """

    def __init__(
        self, said: Mapping[str, Any], sources: Mapping[str, NumberSource]
    ) -> None:
        super().__init__(said)
        self.sources = sources


def rows_of(rows: Any, labels: tuple[str, ...], sources: Sources) -> Any:
    """Return plain rows, or their beginning, with whose numbers they hold."""
    if isinstance(rows, dict):
        return rows | {"first": MergedRows(rows["first"], labels, sources)}
    return MergedRows(rows, labels, sources)


class TooManyValues(Exception):
    """There are more values than there is room for."""


@dataclass
class _Lists:
    most: int
    room: float


_lists: ContextVar[_Lists | None] = ContextVar("lists", default=None)


@contextmanager
def short_lists(most: int | None, room: float = math.inf) -> Iterator[None]:
    """Let `plain` begin lists and tables only, with ``most`` entries; None: all.

    Omitted parts is never made. With more than ``room`` values in tables, or in one
    list, it raises `TooManyValues`.
    """
    token = _lists.set(_Lists(sys.maxsize if most is None else most, room))
    try:
        yield
    finally:
        _lists.reset(token)


@contextmanager
def whole_lists() -> Iterator[None]:
    """Let `plain` write whole lists and tables, whatever stands around it."""
    token = _lists.set(None)
    try:
        yield
    finally:
        _lists.reset(token)


def beginning(first: Any, n: int) -> Any:
    """Return the entries that are kept of ``n``: so that nobody takes them for all."""
    return first if len(first) == n else {"entries": n, "first": first}


def _as_doubles(column: NDArray[Any]) -> NDArray[np.float64] | MadeColumn:
    """Return numbers as doubles; a million counts become doubles when they are read."""
    if column.dtype == float or len(column) <= _MANY_ROWS:
        return column.astype(float, copy=False)
    return MadeColumn(len(column), lambda rows: column[rows].astype(float))


_MANY_ROWS = 100_000


def plain(value: Any) -> Any:
    """Turn a value into what JSON can hold, at full precision."""
    # Most values are of these types, and need no further question.
    kind = type(value)
    if kind is str or kind is int or kind is bool:
        return value
    if kind is float:
        # Adding 0 takes the sign of -0, and nothing else.
        return value + 0.0 if math.isfinite(value) else _not_finite(value)
    if kind is dict:
        return {str(k): plain(v) for k, v in value.items()}
    if kind is list:
        return plain_list(value)
    if isinstance(value, Result):
        return Told(value.to_dict(), value)
    if kind is Told or kind is MergedRows or kind is Fields:
        return value
    if isinstance(value, Columns) or is_frame(value):
        return _plain_rows(value)
    if isinstance(value, Matrix):
        return _plain_rows(value.pandas())
    if isinstance(value, Labelled) or is_series(value):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, tuple | list | MadeRows):
        return plain_list(value)
    return _plain_scalar(value)


def plain_list(values: Sequence[Any], make: Callable[[Any], Any] = plain) -> Any:
    """Return a list of what ``make`` makes of each value, or its beginning."""
    lists, n = _lists.get(), len(values)
    if lists is None:
        return [make(value) for value in values]
    kept = min(n, lists.most)
    if kept > lists.room:
        raise TooManyValues
    # Only values that are made when they are read are worth counting before.
    lists.room -= kept * isinstance(values, MadeRows)
    return beginning([make(value) for value in values[:kept]], n)


def _plain_rows(table: AnyTable) -> Any:
    """Return a table as a list of rows, made of plain columns, or its beginning.

    Labels of rows that have a name of their own, such as ``algorithm_1``, come first,
    unless a column, such as a metric of the user's, has the same name.
    """
    if not isinstance(table, Columns):
        labels = set(table.index.names)
        if None not in labels and labels.isdisjoint(table.columns):
            table = table.reset_index()
    lists, n = _lists.get(), len(table)
    if lists is not None:
        table = table.head(lists.most)
        lists.room -= len(table) * len(list(table))
        if lists.room < 0:
            raise TooManyValues
    names = [str(name) for name in table]
    columns = [_plain_column(column) for _, column in table.items()]
    rows = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    return beginning(rows, n)


def _plain_column(column: NDArray[Any] | pd.Series) -> list[Any]:
    """Return a column as plain values; finite numbers need no look at each."""
    if column.dtype == float and np.isfinite(column).all():
        return (np.asarray(column) + 0.0).tolist()
    return [plain(value) for value in np.asarray(column, object).tolist()]


def _not_finite(value: float) -> str:
    """Return NaN and infinities as text, which JSON has no numbers for."""
    return "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")


def _plain_scalar(value: Any) -> Any:
    """Turn a scalar into what JSON can hold; NaN and infinities become text."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value + 0.0 if math.isfinite(value) else _not_finite(value)
    if is_missing(value):
        return None
    if isinstance(value, bool | int | str):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)
        }
    return str(value)


NOT_AVAILABLE = "not available"
"""Text of ``interval`` if a method has none; the reason follows."""

BEFORE_GATE = "p_pairs"
"""Column of gated pairs: adjusted p-values before the test of all algorithms."""


_OTHER_LIMIT = {
    "low": Turned("minus", "conf_high"),
    "high": Turned("minus", "conf_low"),
}
"""What becomes of limits if a pair is turned round."""


def with_adjustment(table: AnyTable, adjustment: str) -> Columns:
    """Return a table with the adjustment's name beside its adjusted p-values."""
    held = Columns.of(table)
    columns: dict[str, Any] = {}
    for name in held:
        columns[name] = held.as_stored(name)
        if name == "p_adjusted":
            columns["adjust"] = adjustment
    return Columns(columns, held.index)


def _joined_labels(pairs: PairLabels) -> Sequence[str]:
    """Return pairs as R names them; none if two have the same name."""
    if not pairs.differ_joined(" - "):
        return ()
    return MadeRows(len(pairs), lambda row: " - ".join(pairs[row]))


class RowsOfPairs:
    """Results with one row per pair whose numbers R's function labels by the pair."""

    @cached_property
    def pair_rows(self: Any) -> PairRows:
        """The pair of each row, by the places of the two among ``algorithms``."""
        return pair_rows_of(self.as_columns(), self.algorithms)

    def row_labels(self) -> PairLabels:
        """Return the pair of each row, in the order of R's numbers."""
        return self.pair_rows.labels

    def labels_in_r(self: Any, name: str) -> Sequence[str]:
        """Return R's labels of a column: the pairs."""
        return _joined_labels(self.row_labels()) if name in self.as_columns() else ()


class OwnLimits:
    """Results whose intervals a family of several tables does not share out."""

    @property
    def own_limits(self) -> bool:
        """Whether the intervals of this result are such."""
        return True


@dataclass(frozen=True, kw_only=True, eq=False)
class Pairs(Result):
    """Tests of pairs of algorithms, one row per pair.

    Attributes
    ----------
    table : DataFrame
        Columns ``algorithm_1 algorithm_2 statistic p_value p_adjusted`` and more;
        ``p_value`` is raw.
    method, statistic_name : str
        The test, and the name of ``statistic``.
    hypotheses : Hypotheses
        The claim of the null hypothesis of each pair, which decides the logic among
        them.
    adjust, family : str
        Adjustment behind ``p_adjusted``, and the family it was made over, in words.
    interval : str
        How the intervals were made; ``interval_name`` defines them.
    level : float
        Level of the intervals.
    control : str or None
        The algorithm that all others are compared with; None for all pairs.
    decided_in : Family or None
        The family that ``p_adjusted`` is over; None: the table as its test made it.
    gate : Test or None
        The test of all algorithms whose p-value ``p_adjusted`` is at least.
    """

    table: pd.DataFrame = made_when_read()
    method: str
    statistic_name: str
    hypotheses: Hypotheses
    adjust: str
    family: str
    interval: str
    level: float
    control: str | None
    reference: str
    notes: tuple[str, ...] = ()
    decided_in: WithinFamily | None = exported_as("adjusted_here", "adjusted_here")

    gate: Test | None = field(default=None, repr=False, metadata={"export": False})

    interval_name: ClassVar[str] = "interval"
    interval_note: ClassVar[str] = ""
    # Whether a rank counts the algorithms that are better, pair by pair: nothing
    # follows from two decisions for a third pair.
    counts_better: ClassVar[bool] = False
    """Notes for readers of such intervals."""
    schema: ClassVar[Schema] = (
        column("algorithm_1", "label", turned=Turned(column="algorithm_2"), r=None),
        column("algorithm_2", "label", turned=Turned(column="algorithm_1"), r=None),
        column("statistic", "statistic"),
        column("p_value", "p"),
        column("p_adjusted", "p", only="adjusted_here"),
    )

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        raise NotImplementedError

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, in the order of the data."""
        raise NotImplementedError

    r_named: ClassVar[bool] = False
    """Whether R's function gives the numbers of pairs under their names."""

    def labels_in_r(self, name: str) -> Sequence[str]:
        """Return R's labels of a list; none if it has none, or two are alike."""
        if not self.r_named or name not in self.as_columns():
            return ()
        return self._labels_in_r

    @cached_property
    def _labels_in_r(self) -> Sequence[str]:
        return _joined_labels(self.row_labels())

    def row_labels(self) -> PairLabels:
        """Return the pair of each row, in the order of R's numbers."""
        return self.pair_rows.labels

    @property
    def tests(self) -> str:
        """The tests, without the algorithms of a single pair."""
        return self.method

    @property
    def called(self) -> str:
        """What a plan calls the method: its adjustment, if that is enough."""
        return self.adjust

    @property
    def repeatable(self) -> bool:
        """Whether R's adjustment is made for so many algorithms."""
        return True

    @property
    def measured(self) -> tuple[str, int] | None:
        """The metric's name, and how many blocks were compared; None: not kept."""
        return None

    @property
    def is_monotone(self) -> bool:
        """Whether adjusted p-values were forced to rise with the raw ones."""
        return False

    @property
    def tested_by(self) -> Result:
        """The result whose raw p-values these are, if another one has them."""
        return self

    def column_sources(self) -> dict[str, NumberSource]:
        """Return whose numbers the columns of the table are, before any family."""
        return {n: NumberSource(self, n) for n in self.as_columns() if n != BEFORE_GATE}

    @property
    def order(self) -> NDArray[np.intp]:
        """Indices of the algorithms as they are listed: in the order of the data."""
        return np.arange(len(self.algorithms))

    def as_written(self) -> Columns:
        """Return the table as CSV files have it: with the name of its adjustment."""
        return with_adjustment(self.as_columns(), self.called)

    def require_all(self, what: str) -> None:
        """Reject comparisons that leave pairs out; ``what`` needs all of them."""
        if self.control is not None:
            raise InputError(
                f"{what} need all pairs, and these compare the control "
                f"{self.control!r} with the others; compare again with control=None"
            )
        a = len(self.algorithms)
        n = len(self.as_columns())
        if n != a * (a - 1) // 2:
            raise InputError(
                f"{what} need all {a * (a - 1) // 2} pairs of {a} algorithms, and the "
                f"table has {n} rows"
            )

    def matrix(self, column: str = "p_adjusted") -> pd.DataFrame:
        """Return one column as a square table; NaN if no pair was compared.

        Rows are algorithm_1 and columns algorithm_2. Below the diagonal pairs are
        turned round: differences and their limits change sign (and sides), ratios are
        inverse, and what belongs to one of the two is that of the other.
        """
        return Matrix(self.square(column), self.algorithms, self.algorithms).pandas()

    def square(self, column: str = "p_adjusted") -> NDArray[np.float64]:
        """Return `matrix` as an array, in the order of ``algorithms``."""
        turned = turned_of(self.schema, column)
        rows, columns = self.pair_rows.first, self.pair_rows.second
        square = np.full((len(self.algorithms),) * 2, np.nan)
        table = self.as_columns()
        own = square[rows, columns] = table[column]
        square[columns, rows] = turned.of(own, table[turned.column or column])
        return square

    def numbers_of(
        self, column: str, located: tuple[NDArray[Any], NDArray[np.bool_]]
    ) -> Any:
        """Return one column for pairs in any order, NaN if one is not compared.

        They are the numbers of `square`; those of a column that is computed when it
        is read stay so. ``located``: of `PairRows.located` for these pairs.
        """
        table, turn = self.as_columns(), turned_of(self.schema, column)
        at, turned = located
        other = turn.column or column

        def some(rows: NDArray[np.intp]) -> NDArray[np.float64]:
            known = at[rows] >= 0
            own = np.where(known, table.some(column, at[rows]).astype(float), np.nan)
            exchanged = np.flatnonzero(turned[rows] & known)
            if exchanged.size:
                held = table.some(other, at[rows][exchanged]).astype(float)
                own[exchanged] = turn.of(own[exchanged], held)
            return own

        if {column, other} & {*table.not_made}:
            return MadeColumn(len(at), some)
        return some(np.arange(len(at)))

    @cached_property
    def pair_rows(self) -> PairRows:
        """The pair of each row, by the places of the two among ``algorithms``."""
        return pair_rows_of(self.as_columns(), self.algorithms)

    def rejected(self, alpha: float) -> pd.Series:
        """Return per row whether ``p_adjusted <= alpha``."""
        import pandas as pd

        table = self.as_columns()
        return pd.Series(rejected(table["p_adjusted"], alpha), table.index)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairsResult(Pairs):
    """Differences of pairs of algorithms in one number; see also ``Pairs``.

    Attributes
    ----------
    table : DataFrame
        Columns ``algorithm_1 algorithm_2 estimate std_error statistic df p_value
        p_adjusted conf_low conf_high``; ``p_value`` is raw, two-sided.
    positions : Series
        The quantity of each algorithm that pairs differ in (mean ranks); lower is
        better.
    estimate_name : str
        What ``estimate`` is (algorithm_1 minus algorithm_2: negative means that
        algorithm_1 is better, or as ``lower_is_better`` specifies).
    """

    positions: pd.Series = made_when_read()
    estimate_name: str
    placement: Placement | None = field(
        default=None, repr=False, metadata={"export": False}
    )
    """What ``positions`` are, if ``estimate`` is a difference of them."""

    @property
    def means_in_unit(self) -> NDArray[np.float64] | None:
        """Means of the algorithms in the metric's unit, if these are compared."""
        return None

    @property
    def on_a_line(self) -> bool:
        """Whether p-values fall with the distance of two positions."""
        return False

    # Which differences in the metric's unit the estimates are; none: of ranks or wins.
    # Or what is compared in their place: "ratio", or the "share" of discordant cases.
    differences: ClassVar[str] = "none"

    @property
    def null(self) -> float:
        """The estimate of two algorithms that do not differ; of shares 1/2."""
        return 0.0

    @property
    def gives_limits(self) -> bool:
        """Whether the method has intervals; ``interval`` states why if not."""
        return True

    schema: ClassVar[Schema] = (
        column("algorithm_1", "label", turned=Turned(column="algorithm_2"), r=None),
        column("algorithm_2", "label", turned=Turned(column="algorithm_1"), r=None),
        column("estimate", "estimate", unit="position", turned=MINUS),
        column("std_error", "error", unit="position"),
        column("statistic", "statistic", turned=MINUS),
        column("df", "df"),
        column("p_value", "p"),
        column("p_adjusted", "p", only="adjusted_here"),
        column("conf_low", "limit", unit="position", turned=_OTHER_LIMIT["low"]),
        column("conf_high", "limit", unit="position", turned=_OTHER_LIMIT["high"]),
    )

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, in the order of the data."""
        return tuple(self.held("positions").index)

    @property
    def lower_is_better(self) -> bool:
        """Whether a negative ``estimate`` means that algorithm_1 is better.

        True of ranks and shares of losses; False of means in the unit of a metric of
        which higher is better.
        """
        return True

    @property
    def worse_by(self) -> NDArray[np.float64]:
        """By pair a number above 0 if algorithm_1 is worse."""
        estimate = self.as_columns()["estimate"].astype(float) - self.null
        return estimate if self.lower_is_better else -estimate

    def summary(self, digits: int = 4) -> str:
        """Return the method with its adjustment, then the table."""
        form = " (monotone)" if self.is_monotone else ""
        head = f"{self.method}; adjusted: {self.adjust}{form}, over {self.family}"
        return f"{head}\n{table_text(self.as_columns(), digits)}"

    def placed(self) -> dict[str, float]:
        """Return the quantity in which the algorithms differ, from best to worst."""
        positions = self.held("positions")
        values = np.asarray(positions, float).tolist()
        names = list(positions.index)
        return {names[i]: values[i] for i in self.order}

    @property
    def n_blocks(self) -> int | None:
        """Independent blocks (clusters) compared; None: more need not reduce errors."""
        return None

    def centred_errors(
        self, estimate: NDArray[np.float64], std_error: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return standard errors of differences about their own mean; NaN: not known.

        Tests may have others: about 0, or that of algorithms that are all alike.
        """
        return std_error

    @property
    def order(self) -> NDArray[np.intp]:
        """Indices of the algorithms from best to worst, ties in data order."""
        return np.argsort(np.asarray(self.held("positions")), kind="stable")

    def better(self) -> NDArray[np.bool_]:
        """Return whether row is better than column in what their test compares."""
        positions = np.asarray(self.held("positions"), float)
        return np.asarray(positions[:, None] < positions[None, :])
