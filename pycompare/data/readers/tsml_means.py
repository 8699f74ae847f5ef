"""tsml-eval: tables of means, one row per data set and one column per estimator."""

from __future__ import annotations

import re
from pathlib import Path

from pycompare.data.readers.aeon import DIRECTIONS
from pycompare.data.readers.formats import Format, Head, Other, Part, Wanted
from pycompare.data.readers.rows import TABLES, at_lines, number, stem, table_cells

_CORNER = re.compile(r"([^,]*Estimators:|(TEST|TRAIN)(CL-ACC|ACC|RI|ARI|MI|AMI|NMI)),")
_CLUSTERERS = re.compile(r"(?:(?P<how>.+)_)?(?P<split>TEST|TRAIN)_(?P<measure>\w+)")


def _matches(head: Head) -> bool:
    """Return whether the corner is that of such a table; ranks are no scores."""
    if stem(head.path).endswith("_ranks"):
        return False
    return _CORNER.match(head.text) is not None


def _read(path: Path, wanted: Wanted) -> Part | Other:
    """Read the means of all estimators on all data sets."""
    name = stem(path).removesuffix("_mean")
    match = _CLUSTERERS.fullmatch(name)
    how = f"{match['how']}_" if match and match["how"] else ""
    measure = f"{match['split']}_{match['measure']}" if match else name
    if wanted.metric not in (None, measure):
        return Other((measure,))
    rows = wanted.rows()
    with at_lines(path, table_cells(path)) as table:
        for row in table:
            cells = iter(row.items())
            _, dataset = next(cells)
            for estimator, text in cells:
                if estimator:  # one table has an empty second column
                    value = number(text, measure)
                    own = how + estimator
                    of = {"estimator": estimator, "dataset": dataset}
                    rows.add(own, dataset, value, dataset=dataset, of=of)
    return Part(rows, measure, DIRECTIONS.get(measure.rpartition("_")[2]))


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
    matches=_matches,
    read=_read,
)
