"""Faults of the program that ``reproduce.R`` has to name.

A number that is changed in results.json after the report is written is easily found.
A fault of the program makes the number wrong before: in a result, or where results are
put together, and what is written is then consistent in itself. Here the program is made
wrong, and what the real writer makes of it is compared with R's lists of the true
report, by the rules of ``compare_results.R``; R runs once per report.

`chunk` makes every fault of one random comparison (``make study``).
"""

from __future__ import annotations

import csv
import dataclasses
import io
import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import pycompare as pc
from pycompare.base.formatting.packed import pack
from pycompare.base.interop.r_program import program
from pycompare.base.tables import Columns
from pycompare.designs.compare import Comparison
from pycompare.reporting.comparison_folder import every_result
from pycompare.reporting.evidence.json_places import leaves
from pycompare.reporting.evidence.r_numbers import numbers_file
from pycompare.results.adjust import ADJUSTMENTS
from pycompare.results.result import Result, plain

from .random_plans import case

HELD = {
    "corrected/positions": "means of the analysis of variance, repeated",
    "_disagrees?/": "decisions, repeated beside those of another analysis",
    "variance_ratio": "sizes of the plan, divided",
    "together/canonical_variates": "beside the multivariate test, not in its own list",
    "together/means": "beside the multivariate test, not in its own list",
    "together/orderings": "beside the multivariate test, not in its own list",
    "together/univariate": "beside the multivariate test, not in its own list",
    "together/checks/box_m": "Box's M itself; R has its chi-squared and F",
    "equivalence/": "R's t tests against margins return no statistic in one list",
    "within_margin/table/[0-9]+/(statistic|df)": "R returns none, of two tests",
    "p_smallest": "R adjusts it within one table only",
    "n_needed": "a search for a sample size",
}
"""Places that R's lists have no numbers for, as regular expressions, and why."""


def held(place: str) -> bool:
    """Return whether a place is known to have no number of R."""
    return any(re.search(pattern, place) for pattern in HELD)


_UNITLESS = ("omega", "eta2", "statistic", "skewness")
Lists = Mapping[str, Mapping[str, Any]]
"""R's lists of a report: ``result_1`` to name to numbers."""


_DUMP = """
held <- mget(ls(pattern = "^(result|input)_[0-9]+$"))
for (one in names(held)) {
  for (name in names(held[[one]])) {
    numbers <- sprintf("%.17g", as.numeric(held[[one]][[name]]))
    cat("LIST", one, name, paste(numbers, collapse = " "), sep = "\\t")
    cat("\\n")
  }
}
"""


def lists_of(comparison: Comparison) -> Lists:
    """Run the program of a report in R; return the lists that it compares with."""
    made = program(every_result(comparison))
    text = made.text[: made.text.rindex("compare_results(folder")] + _DUMP
    found: dict[str, dict[str, list[float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "data").mkdir()
        for name, content in made.files.items():
            (Path(folder) / "data" / name).write_bytes(pack(name, content))
        script = Path(folder) / "lists.R"
        script.write_text(text, encoding="utf-8")
        run = subprocess.run(
            ["Rscript", "--vanilla", script],
            capture_output=True, encoding="utf-8", check=True, timeout=600,
        )  # fmt: skip
    for line in run.stdout.splitlines():
        if line.startswith("LIST\t"):
            _, one, name, numbers = line.split("\t")
            found.setdefault(one, {})[name] = [
                float(x.replace("NA", "nan")) for x in numbers.split()
            ]
    return found


def named(comparison: Comparison, lists: Lists) -> set[str]:
    """Return the places of results.json that differ from R's lists."""
    return differing(plain(comparison.to_dict()), every_result(comparison), lists)


def differing(
    results: Mapping[str, Any], titled: Sequence[tuple[str, Any]], lists: Lists
) -> set[str]:
    """Return the places that differ from R's lists, as ``compare_results.R`` does."""
    held = dict(leaves(results))
    return {
        row["place"]
        for row in numbers_of(results, titled)
        if row["result"] and not _agrees(held[row["place"]], row, lists)
    }


def numbers_of(
    results: Mapping[str, Any], titled: Sequence[tuple[str, Any]]
) -> list[dict[str, str]]:
    """Return the rows of numbers.csv, as the writer of reports makes them."""
    texts = numbers_file(results, titled).values()  # none without R
    return [row for text in texts for row in csv.DictReader(io.StringIO(text))]


def _agrees(value: Any, row: Mapping[str, str], lists: Lists) -> bool:
    """Tell whether a number agrees with R's, to the digits wanted."""
    name = row["name"].removeprefix("minus ")
    numbers = np.array(lists[row["result"]][name], float)
    element = int(row["element"])
    if element > len(numbers):
        return False
    numbers = -numbers if name != row["name"] else numbers
    theirs = float(value.replace("inity", "")) if isinstance(value, str) else value
    ours = numbers[element - 1]
    if row["at_least"]:
        owner, of, at = row["at_least"].split("/")
        ours = np.maximum(ours, lists[owner][of][int(at) - 1])
    if ours == theirs or (np.isnan(ours) and np.isnan(theirs)):
        return True
    scale = 0.0
    if not name.startswith("p"):
        least = float(any(word in name for word in _UNITLESS))
        scale = max([least, *np.abs(numbers[np.isfinite(numbers)])])
    off = abs(ours - theirs)
    if off <= 1e-15 * scale or max(abs(ours), abs(theirs)) <= 1e-13 * scale:
        return True
    return bool(off <= abs(theirs) * 10.0 ** -int(row["digits"]))


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


def tables_of(comparison: Comparison) -> Iterator[tuple[str, Result, str]]:
    """Yield every column of numbers of every table that R repeats."""
    for title, one in every_result(comparison):
        if one.r_call() is None:
            continue
        table = vars(one).get("table")
        if isinstance(table, Columns):
            names = [n for n, c in table.items() if c.dtype.kind == "f"]
        else:
            frame = getattr(one, "table", None)
            names = [] if frame is None else list(frame.select_dtypes(float))
        for name in names:
            yield title, one, name


@contextmanager
def changed_column(
    one: Result, name: str, change: Callable[[Any], Any]
) -> Iterator[None]:
    """Let a column of a result's table hold other numbers."""
    true = vars(one)["table"]
    values = change(np.asarray(true[name], float).copy())
    if isinstance(true, Columns):
        columns = {n: values if n == name else c for n, c in true.items()}
        vars(one)["table"] = Columns(columns, list(true.index))
    else:
        vars(one)["table"] = true.assign(**{name: values})
    try:
        yield
    finally:
        vars(one)["table"] = true


def slightly(values: Any) -> Any:
    """Change numbers by a millionth; whole numbers that are 0 become 1e-6."""
    return np.where(values == 0, 1e-6, values * (1 + 1e-6))


def moved(values: Any) -> Any:
    """Put numbers into the next rows."""
    return np.roll(values, 1)


def adjustments(comparison: Comparison) -> list[str]:
    """Return the adjustments of a comparison."""
    found = (
        pairs.adjust
        for part in comparison.parts
        for analysis in part.analyses
        for tests in analysis.compared.values()
        for pairs in tests
    )
    return [n for n in dict.fromkeys(found) if n in ADJUSTMENTS and n != "none"]


def wrong_results(comparison: Comparison) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what is written with each column of each result wrong, and its name."""
    true = plain(comparison.to_dict())
    for _, one, name in list(tables_of(comparison)):
        for change in (slightly, moved):
            with changed_column(one, name, change):
                wrong = plain(comparison.to_dict())
            if wrong != true:  # not the same numbers, and part of results.json
                yield f"{type(one).__name__}/table/{name}", wrong


def chunk(seed: int) -> dict[str, Any]:
    """Make every fault of one random comparison; count what R's lists do not name."""
    make_scores, make_plan = case(seed)
    try:
        scores = make_scores()
        plan = make_plan(scores)
        comparison = pc.compare(scores, plan)
    except pc.PyCompareError:
        return {"tried": 0, "adjustments": 0, "escaped": []}
    lists, titled = lists_of(comparison), every_result(comparison)
    escaped = [f"true report: {place}" for place in named(comparison, lists)]
    tried, names = 0, adjustments(comparison)
    true = plain(comparison.to_dict())
    for name in names:
        with raw_adjustment(name):
            faulty = pc.compare(scores, plan)
        same = plain(faulty.to_dict()) == true
        if not same and not named(faulty, lists):
            escaped.append(f"{name} := raw")
    for name, wrong in wrong_results(comparison):
        tried += 1
        if not differing(wrong, titled, lists) and not held(name):
            escaped.append(name)
    return {"tried": tried, "adjustments": len(names), "escaped": escaped}


def conclude(chunks: list[dict[str, Any]]) -> str:
    """Say how many faults escaped, and which."""
    escaped = sorted({name for one in chunks for name in one["escaped"]})
    tried = sum(one["tried"] for one in chunks)
    adjusted = sum(one["adjustments"] for one in chunks)
    return (
        f"{adjusted} forgotten adjustments and {tried} wrong columns of results: "
        f"{len(escaped)} kinds escape{': ' * bool(escaped)}{', '.join(escaped)}"
    )
