"""WEKA Experimenter: results of cross-validations as CSV.

A block is a fold of a run on a data set. Traps: one scheme with several options is
several algorithms; sizes of training and test sets come with each row, and the tests
over folds need them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pycompare.readers.formats import Format, Found, Head, Wanted
from pycompare.readers.rows import (
    Gathered,
    at_line,
    chosen,
    csv_rows,
    number,
    required,
)

_DIRECTIONS = {
    "Percent_correct": "higher",
    "Kappa_statistic": "higher",
    "Area_under_ROC": "higher",
    "Area_under_PRC": "higher",
    "F_measure": "higher",
    "Percent_incorrect": "lower",
    "Mean_absolute_error": "lower",
    "Root_mean_squared_error": "lower",
    "Relative_absolute_error": "lower",
    "Root_relative_squared_error": "lower",
}
_SIZES = ("Number_of_training_instances", "Number_of_testing_instances")


def _matches(head: Head) -> bool:
    """Return whether the header has the keys of an experiment."""
    return {"Key_Dataset", "Key_Run", "Key_Scheme"} <= head.columns


def _read(paths: Sequence[Path], wanted: Wanted) -> Found:
    """Read one metric of all schemes."""
    rows, sizes, metric = Gathered(), dict[tuple[str, ...], None](), wanted.metric
    for path in paths:
        for line, row in csv_rows(path):
            with at_line(path, line):
                if metric is None or metric not in row:
                    known = [name for name in _DIRECTIONS if name in row]
                    metric = chosen("metric", metric, known)
                dataset, run = required(row, "Key_Dataset"), required(row, "Key_Run")
                fold = row.get("Key_Fold", "")
                sizes[tuple(row.get(name, "") for name in _SIZES)] = None
                rows.add(
                    _scheme(row),
                    f"{dataset}/{run}" + (f".{fold}" if fold else ""),
                    number(row[metric], metric),
                    dataset=dataset,
                )
    assert metric is not None
    told = "; ".join(f"{train} and {test}" for train, test in list(sizes)[:3])
    note = f"sizes of training and test sets: {told}" + "; ..." * (len(sizes) > 3)
    return Found(rows, metric, _DIRECTIONS.get(metric), (note,))


def _scheme(row: dict[str, str]) -> str:
    """Return the scheme with its options, without the name of the package."""
    name = required(row, "Key_Scheme").strip("'").removeprefix("weka.classifiers.")
    options = row.get("Key_Scheme_options", "").strip("'").strip()
    return f"{name} {options}".strip()


WEKA = Format("weka", "WEKA Experimenter, CSV", (".csv",), _matches, _read)
