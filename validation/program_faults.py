"""Faults of the program that ``reproduce.R`` has to name.

A number that is changed in results.json after the report is written is easily found.
A fault of the program makes the number wrong before: in a result, or where results are
put together, and what is written is then consistent in itself. Here the program is made
wrong, and what the real writer makes of it is compared with R's lists of the true
report, by the rules of ``compare_results.R``; R runs once per report.

`chunk` makes every fault of one kind of report, or of a random comparison (``make
study``).
"""

from __future__ import annotations

import csv
import dataclasses
import io
import math
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.formatting.packed import pack
from pycompare.base.interop.r_program import Program
from pycompare.base.tables import Columns, Labelled
from pycompare.base.typing import Floats
from pycompare.reporting.evidence.json_places import is_number, items_of, leaves
from pycompare.reporting.evidence.r_numbers import numbers_file
from pycompare.reporting.evidence.without_r import NO_REASON
from pycompare.results.adjust import ADJUSTMENTS
from pycompare.results.result import Result

from .fault_kinds import FAULT_KINDS, contents_of, told_of
from .random_plans import case

_UNITLESS = ("omega", "eta2", "statistic", "skewness")
Lists = Mapping[str, Mapping[str, tuple[Floats, list[str]]]]
"""R's lists of a report: ``result_1`` to name to its numbers, and to their labels."""


_DUMP = """
held <- mget(ls(pattern = "^(result|input)_[0-9]+$"))
for (one in names(held)) {
  for (name in names(held[[one]])) {
    found <- held[[one]][[name]]
    numbers <- sprintf("%.17g", as.numeric(found))
    labels <- vapply(enc2utf8(as.character(names(found))), function(label) {
      paste(charToRaw(label), collapse = "")
    }, "")
    cat("LIST", one, name, paste(numbers, collapse = " "), "", sep = "\\t")
    cat(labels, "\\n")
  }
}
"""


@dataclass
class Reported:
    """A report as the real writer has it, and R's lists of its numbers."""

    result: Any
    told: Mapping[str, Any]
    program: Program
    lists: Lists

    @classmethod
    def of(cls, result: Any) -> Reported:
        """Return the report of a result; R runs once."""
        contents = contents_of(result)
        return cls(
            result,
            contents.results(),
            contents.program,
            lists_of(contents.program, contents.evidence.data.files),
        )

    @cached_property
    def rows(self) -> dict[str, dict[str, str]]:
        """Return the rows of numbers.csv by their place."""
        return {
            row["place"]: row for row in numbers_of(self.told, self.program.results)
        }

    def unnamed(self, wrong: Mapping[str, Any]) -> list[str]:
        """Return places that are wrong in results, and that R's lists do not name.

        ``wrong``: other numbers, by their place.
        """
        rows = self.rows
        return [
            place
            for place, value in wrong.items()
            if not rows[place]["result"] or _agrees(value, rows[place], self.lists)
        ]


def lists_of(program: Program, data: Mapping[str, str]) -> Lists:
    """Run the program of a report in R; return the lists that it compares with.

    ``data`` are the files with the data of the report.
    """
    text = program.text[: program.text.rindex("compare_results(folder")] + _DUMP
    lists: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data").mkdir()
        for name, content in {**data, **program.files}.items():
            (Path(folder) / "data" / name).write_bytes(pack(name, content))
        script = Path(folder) / "lists.R"
        script.write_text(text, encoding="utf-8")
        run = subprocess.run(
            ["Rscript", "--vanilla", script],
            capture_output=True, encoding="utf-8", check=True, timeout=600,
        )  # fmt: skip
    for line in run.stdout.splitlines():
        if line.startswith("LIST\t"):
            _, one, name, numbers, labels = line.split("\t")
            lists.setdefault(one, {})[name] = (
                np.array([float(x.replace("NA", "nan")) for x in numbers.split()]),
                [bytes.fromhex(x).decode("utf-8") for x in labels.split()],
            )
    return lists


def numbers_of(
    told: Mapping[str, Any], titled: Sequence[tuple[str, Any]]
) -> list[dict[str, str]]:
    """Return the rows of numbers.csv, as the writer of reports makes them."""
    texts = numbers_file(told, titled).values()  # none without R
    return [row for text in texts for row in csv.DictReader(io.StringIO(text))]


def differing(told: Mapping[str, Any], program: Program, lists: Lists) -> set[str]:
    """Return the places that differ from R's lists, as ``compare_results.R`` does."""
    held = dict(leaves(told))
    return {
        row["place"]
        for row in numbers_of(told, program.results)
        if row["result"] and not _agrees(held.get(row["place"], "NaN"), row, lists)
    }


def _agrees(value: Any, row: Mapping[str, str], lists: Lists) -> bool:
    """Tell whether a number agrees with R's, to the digits wanted."""
    name = row["name"].removeprefix("minus ")
    numbers, labels = lists.get(row["result"], {}).get(name, (np.array([]), []))
    at = int(row["element"]) - 1
    if label := row["label"].removeprefix("of "):
        at = labels.index(label) if label in labels else len(numbers)
    if at >= len(numbers):
        return False
    numbers = -numbers if name != row["name"] else numbers
    theirs, ours = as_number(value), numbers[at]
    if row["at_least"]:
        owner, of, element = row["at_least"].split("/")
        ours = np.maximum(ours, lists[owner][of][0][int(element) - 1])
    if ours == theirs or (np.isnan(ours) and np.isnan(theirs)):
        return True
    scale = 0.0
    if not name.startswith("p"):
        least = float(any(word in name for word in _UNITLESS))
        scale = max([least, *np.abs(numbers[np.isfinite(numbers)])])
    off = abs(ours - theirs)
    if off <= 1e-15 * scale or max(abs(ours), abs(theirs)) <= 1e-13 * scale:
        return True
    near = abs(theirs) * 10.0 ** -int(row["digits"])
    return bool(math.isfinite(off) and off <= near)


def as_number(value: Any) -> float:
    """Return a number of results.json; NaN and infinity are text there."""
    return float(value.replace("inity", "")) if isinstance(value, str) else float(value)


# ---- wrong where results are put together -------------------------------------------


def wrong_when_written(report: Reported) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each kind of fault of what is put together: other numbers by place.

    Each number is looked up by its place, so that all of a kind are tried at once.
    """
    rows = report.rows
    values = {place: v for place, v in leaves(report.told) if place in rows}
    yield "1e-6", {place: nudged(v, rows[place]) for place, v in values.items()}
    yield "adjusted := raw", dict(_raw_for_adjusted(report.told, values))
    yield "rows permuted", dict(_permuted(report.told, values))


def nudged(value: Any, row: Mapping[str, str]) -> Any:
    """Return a number with a difference that the digits wanted must show."""
    known = as_number(value)
    if not math.isfinite(known):
        return 0.5
    digits = min(int(row["digits"] or 10), 10)
    # The least number of all stands for a limit next to 0.
    return known * (1 + _least(digits)) if abs(known) > 1e-300 else 1e-6


def _least(digits: int) -> float:
    """Return the relative difference that so many digits must show."""
    return max(1e-6, 10.0 ** (1 - digits))


def _tables(value: Any, place: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Yield every table of results.json with its place."""
    if isinstance(value, list) and value and all(isinstance(v, dict) for v in value):
        yield place, value
    for below, one in items_of(value, place):
        yield from _tables(one, below)


def _raw_for_adjusted(
    told: Mapping[str, Any], values: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    for place, rows in _tables(told):
        for i, row in enumerate(rows):
            raw = row.get("p_value")
            for name in row:
                at = f"{place}/{i}/{name}"
                if (
                    name.startswith("p_")
                    and at in values
                    and raw not in (None, row[name])
                ):
                    if not _like(row[name], raw):
                        yield at, raw


def _permuted(
    told: Mapping[str, Any], values: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    for place, rows in _tables(told):
        for name in dict.fromkeys(name for row in rows for name in row):
            column = [row.get(name) for row in rows]
            sizes = [abs(as_number(v)) for v in column if is_number(v)]
            noise = 1e-12 * max((v for v in sizes if math.isfinite(v)), default=0.0)
            for i, (value, other) in enumerate(
                zip(column, [column[-1], *column[:-1]], strict=True)
            ):
                at = f"{place}/{i}/{name}"
                if at not in values or not is_number(other):
                    continue
                if not _like(value, other, noise):
                    yield at, other


def _like(one: Any, other: Any, noise: float = 0.0) -> bool:
    """Tell whether two numbers are the same but for digits that R may lack."""
    a, b = as_number(one), as_number(other)
    close = math.isclose(a, b, rel_tol=1e-4) or max(abs(a), abs(b)) <= noise
    return a == b or close or (a != a and b != b)


# ---- wrong in a result --------------------------------------------------------------


def slightly(values: Any) -> Any:
    """Change numbers by a millionth; those that are 0 become 1e-6."""
    return np.where(values == 0, 1e-6, values * (1 + 1e-6))


def moved(values: Any) -> Any:
    """Put numbers into the next rows."""
    return np.roll(values, 1)


def _fields(result: Result) -> Iterator[tuple[str, Callable[[Any], Any]]]:
    """Yield what can be wrong in a result, and what makes it so of a change.

    Columns of its tables, and single numbers.
    """
    for field in dataclasses.fields(result):
        if not field.metadata.get("export", True):
            continue
        name, value = field.name, result.held(field.name)
        if isinstance(value, float):
            yield name, partial(_other_number, value)
        elif isinstance(value, Labelled):
            yield name, partial(_other_labelled, value)
        elif isinstance(value, Columns) or hasattr(value, "select_dtypes"):
            for column in value:
                if np.asarray(value[column]).dtype.kind == "f":
                    other = partial(_other_columns, value, column)
                    yield f"{name}/{column}", other


def _other_number(value: float, change: Callable[[Any], Any]) -> float:
    return float(change(np.array(value)))


def _other_labelled(value: Labelled, change: Callable[[Any], Any]) -> Labelled:
    return Labelled(change(np.asarray(value, float)), value.index)


def _other_columns(table: Any, name: str, change: Callable[[Any], Any]) -> Any:
    numbers = change(np.asarray(table[name], float).copy())
    if not isinstance(table, Columns):
        return table.assign(**{name: numbers})
    columns = {n: numbers if n == name else c for n, c in table.items()}
    return Columns(columns, list(table.index))


def results_within(value: Any, seen: dict[int, Result]) -> dict[int, Result]:
    """Return every result that a result holds, itself included."""
    if isinstance(value, Result):
        if id(value) in seen:
            return seen
        seen[id(value)] = value
        for field in dataclasses.fields(value):
            if field.metadata.get("export", True):
                results_within(value.held(field.name), seen)
    elif isinstance(value, Mapping):
        for one in value.values():
            results_within(one, seen)
    elif isinstance(value, list | tuple):
        for one in value:
            results_within(one, seen)
    return seen


@contextmanager
def changed_field(result: Result, name: str, value: Any) -> Iterator[None]:
    """Let a field of a result hold something else."""
    true = vars(result)[name]
    vars(result)[name] = value
    try:
        yield
    finally:
        vars(result)[name] = true


def wrong_results(
    report: Reported, chosen: Callable[[str], bool] = lambda _: True
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what each wrong number of each result makes of what is written.

    Other numbers by their place; faults that change none are left out.
    """
    true = {p: v for p, v in leaves(report.told) if p in report.rows}
    within: dict[int, Result] = {}
    for _, one in report.program.results:
        results_within(one, within)
    for result in within.values():
        for name, make in list(_fields(result)):
            title = f"{type(result).__name__}/{name}"
            if not chosen(title):
                continue
            for change in (slightly, moved):
                field = name.partition("/")[0]
                with changed_field(result, field, make(change)):
                    told = told_of(report.result)
                now = leaves(told)
                wrong = {
                    place: v
                    for place, v in now
                    if is_number(v)
                    and is_number(true.get(place, ""))
                    and true[place] != v
                }
                few = {p for p in wrong if int(report.rows[p]["digits"] or 10) < 7}
                for place in few:
                    least = _least(int(report.rows[place]["digits"]))
                    own, other = as_number(true[place]), as_number(wrong[place])
                    if math.isclose(own, other, rel_tol=least):
                        del wrong[place]
                if wrong:
                    yield title, wrong


# ---- a forgotten adjustment ---------------------------------------------------------


@contextmanager
def raw_adjustment(name: str) -> Iterator[None]:
    """Let one adjustment return the p-values as they are."""
    true = ADJUSTMENTS[name]

    def raw(p: Any, *_: Any, **__: Any) -> Any:
        return np.array(p, float)

    ADJUSTMENTS[name] = dataclasses.replace(true, function=raw)
    try:
        yield
    finally:
        ADJUSTMENTS[name] = true


def adjustments(report: Reported) -> list[str]:
    """Return the adjustments of a report."""
    names: list[str] = []
    for _, one in report.program.results:
        adjust = getattr(one, "adjust", ())
        names += (adjust,) if isinstance(adjust, str) else adjust or ()
    return [n for n in dict.fromkeys(names) if n in ADJUSTMENTS and n != "none"]


# ---- the study ----------------------------------------------------------------------


def escapes(report: Reported, wrong: Mapping[str, Any]) -> list[str]:
    """Return wrong places that are neither named nor known to have no number of R."""
    rows = report.rows
    return [
        place
        for place in report.unnamed(wrong)
        if rows[place]["result"] or rows[place]["why"] == NO_REASON
    ]


def faults_of(
    make: Callable[[], Any], chosen: Callable[[str], bool] = lambda _: True
) -> dict[str, Any]:
    """Make every fault of one kind of report; count what R's lists do not name.

    ``chosen``: says which faults of results are made, by their title.
    """
    report = Reported.of(make())
    true = differing(report.told, report.program, report.lists)
    escaped = {f"true report: {place}" for place in true}
    tried = {"written": 0, "results": 0, "adjustments": 0}
    for fault, wrong in wrong_when_written(report):
        tried["written"] += len(wrong)
        escaped |= {f"{fault}: {place}" for place in escapes(report, wrong)}
    for title, wrong in wrong_results(report, chosen):
        tried["results"] += 1
        escaped |= {f"{title}: {place}" for place in escapes(report, wrong)}
    values = {p: v for p, v in leaves(report.told) if p in report.rows}
    for name in adjustments(report):
        tried["adjustments"] += 1
        with raw_adjustment(name):
            told = told_of(make())
        wrong = {
            place: value
            for place, value in leaves(told)
            if place.rpartition("/")[2].startswith("p_")
            and is_number(value)
            and values.get(place) != value
            and is_number(values.get(place))
        }
        escaped |= {f"{name} := raw: {place}" for place in escapes(report, wrong)}
    numbers = report.rows.values()
    held = sum(not row["result"] for row in numbers)
    given = sum(row["result"].startswith("input") for row in numbers)
    counted = {"numbers": len(numbers), "held": held, "given": given}
    return {**counted, **tried, "escaped": sorted(escaped)}


def _random(seed: int) -> Any:
    make_scores, make_plan = case(seed)
    scores = make_scores()
    return pc.compare(scores, make_plan(scores))


def chunk(seed: int) -> dict[str, Any]:
    """Make every fault of a kind of report; then of random comparisons."""
    kinds = list(FAULT_KINDS.values())
    make = kinds[seed] if seed < len(kinds) else partial(_random, seed)
    try:
        return faults_of(make)
    except pc.PyCompareError:
        return {"escaped": []}


def conclude(chunks: list[dict[str, Any]]) -> str:
    """Say how many faults escaped, and which."""
    escaped = sorted({name for one in chunks for name in one["escaped"]})

    def all_of(name: str) -> int:
        return sum(one.get(name, 0) for one in chunks)

    return (
        f"{all_of('numbers')} numbers, {all_of('held')} of them known to have none of "
        f"R's and {all_of('given')} settings; {all_of('written')} wrong when written, "
        f"{all_of('results')} wrong in a result, {all_of('adjustments')} forgotten "
        f"adjustments: {len(escaped)} escape{': ' * bool(escaped)}{', '.join(escaped)}"
    )
