"""tsml-eval: files of predictions, one an estimator, data set and resample."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pycompare.base.errors import InputError
from pycompare.data.compressed import opened_text
from pycompare.data.readers.aeon import DIRECTIONS
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import at_lines, chosen, number

_NAME = re.compile(r"testResample\d+\.csv")
_FIRST = re.compile(r"[^,\n]+,[^,\n]+,TEST,\d+,")
"""Data set, estimator, kind and resample; those of training sets are left unchanged."""
_SAME = 1e-6


def _matches(head: Head) -> bool:
    """Return whether the first line names a data set and an estimator."""
    return bool(_NAME.fullmatch(head.path.name) and _FIRST.match(head.text))


def _read(path: Path, wanted: Wanted) -> Part:
    """Read the result in the third line; its meaning follows from the predictions."""
    rows, head, pairs = wanted.rows(), list[list[str]](), list[tuple[float, float]]()
    with at_lines(path, _lines(path)) as lines:
        for cells in lines:
            if len(head) < 3:
                head.append(cells)
            elif len(cells) < 2:
                raise InputError("no true and predicted value")
            else:
                true, predicted = (
                    number(cells[0], "true"),
                    number(cells[1], "predicted"),
                )
                pairs.append((true, predicted))
        if len(head) < 3 or not pairs:
            raise InputError("no predictions; was the file cut off?")
    dataset, estimator, _, resample = head[0][:4]
    result = number(head[2][0], "result")
    metric = _metric(path, result, pairs)
    chosen("metric", wanted.metric, [metric])
    of = {"dataset": dataset, "estimator": estimator, "resample": resample}
    rows.add(estimator, f"{dataset}/{resample}", result, dataset=dataset, of=of)
    return Part(rows, metric, DIRECTIONS[metric])


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    with opened_text(path, newline="") as file:
        for at, line in enumerate(file, start=1):
            if line.strip():
                yield at, next(csv.reader([line]), [])


def _metric(path: Path, result: float, pairs: list[tuple[float, float]]) -> str:
    """Describe the result of a file, by computing it again.

    Whole numbers are classes.
    """
    classes = all(value.is_integer() for pair in pairs for value in pair)
    name = "accuracy" if classes else "mse"
    true, predicted = np.array(pairs).T
    with np.errstate(over="ignore", invalid="ignore"):
        mean = float(np.mean(true == predicted if classes else (true - predicted) ** 2))
    if abs(result - mean) <= _SAME * max(1.0, abs(mean)):
        return name
    what = "accuracy" if classes else "mean squared error"
    raise InputError(
        f"{path.name}: the third line begins with {result:g}, and the {what} of the "
        f"predictions is {mean:g}; results of clusterers and forecasters are not read"
    )


TSML_PREDICTIONS = Format(
    name="tsml-predictions",
    program="tsml-eval",
    files="ESTIMATOR/Predictions/DATA/testResampleN.csv of its experiments",
    endings=(".csv",),
    pattern="testResample*.csv",
    columns="algorithm, data set and resample: the first line; score: the first number "
    "of the third line",
    block="a resample of a data set; resample 0 is its published split",
    metrics="accuracy is higher, the mean squared error of regression is lower",
    trap="the third line does not state what its number is: it is computed again from "
    "the predictions. trainResampleN.csv is left unchanged",
    again="an estimator has two results of a resample: leave one of them in the folder",
    matches=_matches,
    read=_read,
)
