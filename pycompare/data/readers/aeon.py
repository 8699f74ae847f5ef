"""aeon and tsml: folders of results, one CSV file an estimator and measure."""

from __future__ import annotations

import re
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.data.readers.formats import Format, Head, Other, Part, Wanted
from pycompare.data.readers.rows import (
    TABLES,
    at_lines,
    directions,
    number,
    stem,
    table_cells,
)

DIRECTIONS = directions(
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
    if wanted.metric not in (None, measure):
        return Other((measure,))
    rows = wanted.rows()
    with at_lines(path, table_cells(path)) as table:
        for row in table:
            cells = iter(row.items())
            _, dataset = next(cells)
            for resample, text in cells:
                rows.add(
                    estimator,
                    f"{dataset}/{resample}",
                    number(text, measure),
                    dataset=dataset,
                    of={"resample": resample},
                )
    return Part(rows, measure, DIRECTIONS.get(measure))


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
