"""Which number of results.json is which number of the R program."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from pycompare.interop.r_program import csv_name, settings_of
from pycompare.reporting.evidence.csv_text import columns_csv
from pycompare.reporting.evidence.json_places import is_number, leaves
from pycompare.typing import Floats, Ints

_NUMBERS = "numbers"
_LEFT_OUT = ("provenance", "data", "plan", "alpha")
"""What results.json says at its top that is no result."""
_MINUS = "minus "
_PLAIN_DIGITS = 5
"""Significant digits of a number that does not occur by chance."""
_Names = tuple[str, str]
"""Last two names of a place in results.json."""
_NEARLY = 1e-11
"""Relative distance of numbers that may be equal to 13 digits."""


class Counterpart(NamedTuple):
    """A number of R: the result's place from 1, its name in R's list, and where.

    A name that begins with ``minus`` stands for R's number times -1: positions are
    means or their opposites, and an estimate may be that of the pair turned round.
    ``digits`` is how many must agree: fewer where R ends a search early. ``kind`` is
    ``input`` for a setting that R's function is given.
    """

    result: int
    name: str
    element: int
    digits: int = 10
    kind: str = "result"


def numbers_file(
    results: Mapping[str, Any], titled: Sequence[tuple[str, Any]]
) -> dict[str, str]:
    """Return the table that the R program compares by; none without R.

    Columns: ``value``, the place among all values of results.json; ``place`` in words;
    ``result``, ``name`` and ``element``, R's number; ``digits`` that must agree.
    Numbers without a counterpart have no ``result``; ``why`` says the reason.
    """
    held = [
        (at, place, *_named(place), _as_float(value))
        for at, (place, value) in enumerate(leaves(results), start=1)
        if is_number(value) and place.split("/")[0] not in _LEFT_OUT
    ]
    turned = [-number for *_, names, _, number in held if _TURNED & {*names}]
    wanted = _Wanted(
        np.unique([*(number for *_, number in held), *turned]),
        max((element for *_, element, _ in held), default=0),
    )
    known = _Known(titled, wanted)
    rows = [(*one, known.counterpart(*one[2:])) for one in held]
    if not any(found for *_, found in rows):
        return {}
    columns: list[tuple[str, list[Any]]] = [
        ("value", [at for at, *_ in rows]),
        ("place", [place for _, place, *_ in rows]),
        ("result", [f"{f.kind}_{f.result}" if f else "" for *_, f in rows]),
        ("name", [f.name if f else "" for *_, f in rows]),
        ("element", [f.element if f else "" for *_, f in rows]),
        ("digits", [f.digits if f else "" for *_, f in rows]),
        ("why", ["" if f else _reason(names, v) for *_, names, _, v, f in rows]),
    ]
    text = columns_csv(columns)
    return {csv_name(_NUMBERS, text): text}


_SETTINGS = {
    "alpha", "bound", "cost_ratio", "decimals", "level", "margin", "n_folds", "n_test",
    "n_train", "resamples", "seed", "threshold", "thresholds",
}  # fmt: skip


_TURNED = {"positions", "estimate", "raw", "standardised", "structure"}
"""Quantities that may be the opposite of R's."""
_OF_LABELS = {"positions", "block_ranks"}
"""What has a number for each label of the data."""


def _reason(names: _Names, value: float) -> str:
    """Return why R has no number for one of results.json."""
    if np.isnan(value):
        return "undefined, with the reason in the report"
    if np.isinf(value) and names[-1].startswith("df"):
        return "infinite degrees of freedom, of a normal distribution"
    if _SETTINGS & set(names):
        return "settings of the analysis"
    if "permutation" in names:
        return "random permutations, of which R draws others"
    whole = np.isfinite(value) and value == int(value)
    if whole and not names[-1].startswith("p_"):
        return "counts, places and other whole numbers"
    of_labels = [name for name in names if name in _OF_LABELS]
    return f"{(of_labels or names)[-1]}: not computed by the R functions"


def _as_float(value: Any) -> float:
    """Return a number of results.json, in which NaN and infinity are text."""
    return float(value.replace("inity", "")) if isinstance(value, str) else float(value)


class _Places:
    """Where R has one value under one name: every place, found without a search.

    Most values have one place and need no tables.
    """

    def __init__(self, order: int) -> None:
        self.order = order
        self.every: list[Counterpart] = []

    @cached_property
    def by_result(self) -> dict[int, dict[int, Counterpart]]:
        found: dict[int, dict[int, Counterpart]] = {}
        for one in self.every:
            found.setdefault(one.result, {}).setdefault(one.element, one)
        return found

    @cached_property
    def by_element(self) -> dict[int, Counterpart]:
        return {one.element: one for one in reversed(self.every)}

    def nearest(self, result: int, element: int) -> Counterpart:
        """Return the place in that result if it has one, of that element if it can."""
        if len(self.every) == 1:
            return self.every[0]
        here = self.by_result.get(result)
        if here is None:
            return self.by_element.get(element) or self.every[0]
        return here.get(element) or next(iter(here.values()))


@dataclass(frozen=True)
class _Wanted:
    """Which numbers of R can be the counterpart of one in results.json.

    ``values`` are those of results.json, rising; ``last`` is the last element of a
    list that it asks for.
    """

    values: Floats
    last: int

    @cached_property
    def ends(self) -> Floats:
        """The values, between infinities."""
        return np.concatenate([[-np.inf], self.values, [np.inf]])

    def of(self, numbers: Floats) -> Ints:
        """Return where numbers are that may equal a value, and be asked for.

        Past the last element only the first of equal ones is. NaN is not: what is
        undefined here is another number in R.
        """
        above = np.searchsorted(self.values, numbers)
        width = _NEARLY * np.abs(numbers)
        with np.errstate(invalid="ignore"):  # infinity less infinity
            low, high = numbers - self.ends[above], self.ends[above + 1] - numbers
            close = (low <= width) | (high <= width) | np.isinf(numbers)
        found = np.flatnonzero(close & ~np.isnan(numbers))
        asked = found < self.last
        asked[np.unique(numbers[found], return_index=True)[1]] = True
        return found[asked]


class _Known:
    """The numbers that R computes, by value and name, if they are wanted."""

    def __init__(self, titled: Sequence[tuple[str, Any]], wanted: _Wanted) -> None:
        self.by_value: dict[str, dict[str, _Places]] = {}
        self.settings: dict[tuple[str, str], Counterpart] = {}
        self.last = Counterpart(0, "", 0)
        for result, (_, one) in enumerate(titled, start=1):
            for name, value in settings_of(one.r_call()).items():
                setting = Counterpart(result, name, 1, kind="input")
                self.settings.setdefault((name, _key(value)), setting)
            for counterpart, value in _numbers(result, one, wanted):
                named = self.by_value.setdefault(_key(value), {})
                places = named.setdefault(counterpart.name, _Places(len(named)))
                places.every.append(counterpart)

    def counterpart(
        self, names: _Names, element: int, value: float
    ) -> Counterpart | None:
        """Return R's number for one of results.json.

        Numbers that occur by chance, such as counts, need the same name as well.
        """
        found = self._found(names, element, value)
        if not found and value:
            found = [
                (one._replace(name=f"{_MINUS}{one.name}"), same, order)
                for one, same, order in self._found(names, element, -value)
                if _may_be_turned(one.name, names)
            ]
        if not found:
            return self.settings.get((names[-1], _key(value)))
        self.last, *_ = max(
            found,
            key=lambda at: (
                at[0].name == names[-1],
                at[0].result == self.last.result,
                at[0].element == element,
                at[1],
                -at[0].result,
                at[2],
            ),
        )
        return self.last

    def _found(
        self, names: _Names, element: int, value: float
    ) -> list[tuple[Counterpart, bool, int]]:
        """Return R's numbers of that value, with whether they have the name."""
        return [
            (places.nearest(self.last.result, element), same, -places.order)
            for in_r, places in self.by_value.get(_key(value), {}).items()
            if (same := _same_name(in_r, names)) or not _is_plain(value)
        ]


def _numbers(
    result: int, one: Any, wanted: _Wanted
) -> Iterator[tuple[Counterpart, float]]:
    """Yield the numbers of one result as R names them, those that are wanted."""
    if one.r_call() is None:
        return
    for name, values in one.r_values().items():
        digits = one.r_digits.get(name, 10)
        numbers = np.ravel(np.asarray(values, float))
        for at in wanted.of(numbers):
            yield Counterpart(result, name, int(at) + 1, digits), float(numbers[at])


def _key(value: float) -> str:
    """Return a number to 13 digits: the last bits differ by the way of computing."""
    return f"{value + 0.0:.12e}"


def _is_plain(value: float) -> bool:
    """Tell whether other quantities may have the same value by chance."""
    return not np.isfinite(value) or float(f"{value:.{_PLAIN_DIGITS - 1}e}") == value


def _named(place: str) -> tuple[_Names, int]:
    """Return the last two names of a place, and the last number in it, from 1."""
    above, _, last = place.rpartition("/")
    names, element = _named_above(above) if above else (("", ""), 1)
    if last.isdecimal():  # which, unlike a digit, int() takes
        return names, int(last) + 1
    if last == "first":  # where a shortened list begins
        return names, element
    return (names[1], last), element


_named_above = lru_cache(maxsize=1000)(_named)
"""The same of what holds values: each holds several."""


def _may_be_turned(in_r: str, names: _Names) -> bool:
    """Tell whether a quantity may be the opposite of R's."""
    of_means = in_r in ("means", "mean_ranks", "area") and "positions" in names
    pairs = in_r == "estimate" == names[-1]
    return of_means or pairs or (in_r.startswith("canonical_") and names[-1] in in_r)


@lru_cache(maxsize=10_000)
def _same_name(in_r: str, names: _Names) -> bool:
    """Tell whether a name of R's list belongs to the last names of a place."""
    p_values = in_r.startswith("p_") and names[-1].startswith("p_")
    positions = in_r in ("mean_ranks", "means", "area") and "positions" in names
    return (
        p_values
        or positions
        or (names[-1] == "df" and in_r in ("df1", "df2"))
        or any(n == in_r or (len(n) > 2 and (n in in_r or in_r in n)) for n in names)
    )
