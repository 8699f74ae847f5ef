"""aeon and tsml-eval: results by estimator and measure, means, and predictions."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pycompare.base.errors import InputError
from pycompare.data.compressed import opened_text
from pycompare.data.readers.formats import Format, Head, Other, Part, Wanted
from pycompare.data.readers.rows import (
    TABLES,
    at_lines,
    chosen,
    directions,
    number,
    stem,
    table_cells,
)

_DIRECTIONS = directions(
    higher="accuracy auroc balacc f1 clacc ami ari mi nmi ri r2",
    lower="logloss mse mae mape rmse fittime predicttime memoryusage",
)
_CORNER = re.compile(r"(?i)(resamples?|folds?):,")


def _matches(head: Head) -> bool:
    """Return whether the header counts resamples."""
    return _CORNER.match(head.text) is not None


def _read(path: Path, wanted: Wanted) -> Part | Other:
    """Read the results of one estimator, which is in the file's name."""
    estimator, _, measure = stem(path).rpartition("_")
    if not estimator:
        raise InputError(f"{path.name}: name the file ESTIMATOR_MEASURE.csv")

    def roles(dataset: str, resample: str) -> _OfCell:
        return _OfCell(estimator, f"{dataset}/{resample}", {"resample": resample})

    return _table(path, wanted, measure, roles)


class _OfCell(NamedTuple):
    """Labels of a cell, and those of its parts that have names of their own."""

    algorithm: str
    block: str
    of: dict[str, str]


def _table(
    path: Path,
    wanted: Wanted,
    measure: str,
    roles: Callable[[str, str], _OfCell | None],
) -> Part | Other:
    """Read a table of one measure whose first column has the data sets.

    Parameters
    ----------
    path, wanted
    measure : str
        The name of the metric; its last word is that of the direction.
    roles : callable
        From data set and column to the labels of a cell; None: the cell is no score.
    """
    if wanted.metric not in (None, measure):
        return Other((measure,))
    rows = wanted.rows()
    with at_lines(path, table_cells(path)) as table:
        for row in table:
            cells = iter(row.items())
            _, dataset = next(cells)
            for column, text in cells:
                cell = roles(dataset, column)
                if cell is None:
                    continue
                value = number(text, measure)
                rows.add(cell.algorithm, cell.block, value, dataset=dataset, of=cell.of)
    return Part(rows, measure, _DIRECTIONS.get(measure.rpartition("_")[2]))


AEON = Format(
    name="aeon",
    program="aeon and tsml-eval",
    files="ESTIMATOR_MEASURE.csv, as on timeseriesclassification.com",
    endings=TABLES,
    columns="algorithm and metric: the file's name; data set: the first column; block: "
    "resample; score: the cell",
    block="a resample of a data set; resample 0 is its published split",
    metrics="by the measure in the file's name",
    trap="resamples of one data set share cases: they are folds, not data sets. A "
    "folder with files of several measures needs metric",
    matches=_matches,
    read=_read,
)


_MEANS = re.compile(r"([^,]*Estimators:|(TEST|TRAIN)(CL-ACC|ACC|RI|ARI|MI|AMI|NMI)),")
_CLUSTERERS = re.compile(r"(?:(?P<how>.+)_)?(?P<split>TEST|TRAIN)_(?P<measure>\w+)")


def _matches_means(head: Head) -> bool:
    """Return whether the corner is that of such a table; ranks are no scores."""
    if stem(head.path).endswith("_ranks"):
        return False
    return _MEANS.match(head.text) is not None


def _read_means(path: Path, wanted: Wanted) -> Part | Other:
    """Read the means of all estimators on all data sets."""
    name = stem(path).removesuffix("_mean")
    match = _CLUSTERERS.fullmatch(name)
    how = f"{match['how']}_" if match and match["how"] else ""
    measure = f"{match['split']}_{match['measure']}" if match else name

    def roles(dataset: str, estimator: str) -> _OfCell | None:
        if not estimator:  # one table has an empty second column
            return None
        of = {"estimator": estimator, "dataset": dataset}
        return _OfCell(how + estimator, dataset, of)

    return _table(path, wanted, measure, roles)


TSML_MEANS = Format(
    name="tsml-means",
    program="tsml-eval",
    files="MEASURE_mean.csv of evaluate_classifiers and the like, or TEST_MEASURE.csv "
    "of clusterers",
    endings=TABLES,
    columns="algorithm: the column, with the part of the file's name before TEST or "
    "TRAIN; metric: the file's name; block: the first column; score: the cell",
    block="a data set",
    metrics="by the measure in the file's name",
    trap="means over resamples: if the folder has the resamples as well, these are "
    "read. MEASURE_ranks.csv holds ranks and is left unchanged. Results on training "
    "sets "
    "(TRAIN) are a metric of their own",
    summary_of="aeon",
    matches=_matches_means,
    read=_read_means,
)


_NAME = re.compile(r"testResample\d+\.csv")
_FIRST = re.compile(r"[^,\n]+,[^,\n]+,TEST,\d+,")
"""Data set, estimator, kind and resample; those of training sets are left unchanged."""
_SAME = 1e-6


def _matches_predictions(head: Head) -> bool:
    """Return whether the first line names a data set and an estimator."""
    return bool(_NAME.fullmatch(head.path.name) and _FIRST.match(head.text))


def _read_predictions(path: Path, wanted: Wanted) -> Part:
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
    return Part(rows, metric, _DIRECTIONS[metric])


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
    matches=_matches_predictions,
    read=_read_predictions,
)
