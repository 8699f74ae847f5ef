"""WEKA Experimenter: results of cross-validations as CSV or ARFF."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from pycompare.base.errors import InputError
from pycompare.data.compressed import kind_of, opened_text
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import (
    at_lines,
    column_of,
    directions,
    number,
    required,
    table_rows,
)

_DIRECTIONS = directions(
    higher="Percent_correct Kappa_statistic Area_under_ROC Area_under_PRC F_measure "
    "IR_precision IR_recall Matthews_correlation Weighted_avg_area_under_ROC "
    "Weighted_avg_F_measure Unweighted_macro_avg_F_measure",
    lower="Percent_incorrect Mean_absolute_error Root_mean_squared_error "
    "Relative_absolute_error Root_relative_squared_error",
)
_SIZES = ("Number_of_training_instances", "Number_of_testing_instances")
_KEYS = {"Key_Dataset", "Key_Run", "Key_Scheme"}
_ATTRIBUTE = re.compile(r"(?i)\s*@attribute\s+('(?:[^'\\]|\\.)*'|\S+)")


def _matches(head: Head) -> bool:
    """Return whether the header has the keys of an experiment."""
    if kind_of(head.path) == ".arff":
        named = map(_ATTRIBUTE.match, head.text.splitlines())
        return {match[1].strip("'") for match in named if match} >= _KEYS
    return head.columns >= _KEYS


def _read(path: Path, wanted: Wanted) -> Part:
    """Read one metric of all schemes."""
    rows, sizes, metric = wanted.rows(), dict[tuple[str, ...], None](), ""
    with at_lines(path, _lines(path)) as table:
        for row in table:
            if metric not in row:
                known = [name for name in _DIRECTIONS if name in row]
                metric = column_of(row, wanted.metric, known)
            dataset, run = required(row, "Key_Dataset"), required(row, "Key_Run")
            fold = row.get("Key_Fold", "")
            sizes[tuple(f"{number(row.get(n), n):g}" for n in _SIZES)] = None
            rows.add(
                _scheme(row),
                f"{dataset}/{run}" + (f".{fold}" if fold else ""),
                number(row[metric], metric),
                dataset=dataset,
                of=row,
            )
    return Part(rows, metric, _DIRECTIONS.get(metric), notes=(_sizes(list(sizes)),))


def _sizes(sizes: list[tuple[str, ...]]) -> str:
    """Return the sizes of training and test sets, which tests over folds need."""
    told = "; ".join(map(" and ".join, sizes[:3]))
    more = "; ..." * (len(sizes) > 3)
    return f"sizes of training and test sets: {told}{more}"


def _scheme(row: dict[str, str]) -> str:
    """Return the scheme with its options, without the name of the package."""
    name = required(row, "Key_Scheme").strip("'").removeprefix("weka.classifiers.")
    options = row.get("Key_Scheme_options", "").strip("'").strip()
    return f"{name} {options}".strip()


def _lines(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line number and the values of each row; WEKA quotes by apostrophes."""
    with opened_text(path, newline="") as file:
        names, before = _attributes(file) if kind_of(path) == ".arff" else (None, 0)
        kept = ("\n" if line.startswith("%") else line for line in file)
        reader = csv.reader(kept, quotechar="'", escapechar="\\", skipinitialspace=True)
        yield from table_rows(path, reader, names, before)


def _attributes(file: TextIO) -> tuple[list[str], int]:
    """Return the names of the attributes, and the line of @data."""
    names: list[str] = []
    for at, line in enumerate(iter(file.readline, ""), start=1):
        if line.strip().lower() == "@data":
            return names, at
        match = _ATTRIBUTE.match(line)
        if match:
            names.append(match[1].strip("'"))
    raise InputError("no @data")


WEKA = Format(
    name="weka",
    program="WEKA Experimenter",
    files="the results of an experiment, as CSV or ARFF",
    endings=(".csv", ".arff"),
    columns="algorithm: Key_Scheme with its options; data set: Key_Dataset; block: "
    "Key_Run and Key_Fold; score: the column of the metric",
    block="a fold of a run on a data set",
    metrics="percentages correct, kappa, areas and F are higher; errors lower",
    trap="one scheme with several options is several algorithms. Sizes of training and "
    "test sets come with each row: tests over folds need them (n_train, n_test), and "
    "the notes give them. ARFF keeps six decimals, CSV all: do not mix them",
    matches=_matches,
    read=_read,
)
