"""KEEL: tables of classification rates by fold, and outputs of methods."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.data.compressed import opened_text
from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import at_lines, chosen, number

_TITLE = "Table: Classification rate by algorithm and by fold"
_SEED = re.compile(r"_s(\d+)\.stat$")
_UNCLASSIFIED = "Not Classified"
_NAMES = {
    "Correctly Classified": "accuracy",
    "Area Under the ROC Curve": "auc",
    "Geometric Mean": "geometric_mean",
}


def _matches(head: Head) -> bool:
    """Return whether the table of rates by fold begins the file."""
    return _TITLE in head.text[:1000]


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of the table of test results; those of training are left out."""
    with opened_text(path, newline="") as file:
        within = False
        for at, line in enumerate(file, start=1):
            text = line.strip()
            if text in ("TEST RESULTS", "TRAIN RESULTS"):
                within = text == "TEST RESULTS"
            elif within and text:
                yield at, next(csv.reader([text]))


def _read(path: Path, wanted: Wanted) -> Part:
    """Read the rates of all algorithms on the folds of one data set."""
    rows, seed = wanted.rows(), _SEED.search(path.name)
    head: list[tuple[str, str]] = []
    dataset, metric, names = "", "", list[str]()
    with at_lines(path, _lines(path)) as table:
        for cells in table:
            if not dataset:
                dataset, names = cells[0], cells[1:]
                head = _joined(names)
            elif not cells[0]:
                head = list(zip(names, cells[1:], strict=False))
            else:
                metric = _metric(head, wanted.metric)
                _require_width(cells, len(names))
                for (algorithm, kind), text in zip(head, cells[1:], strict=True):
                    if kind != _UNCLASSIFIED:
                        rows.add(
                            algorithm,
                            f"{dataset}/{cells[0]}",
                            number(text, metric),
                            dataset=dataset,
                            run=seed[1] if seed else "",
                            of={"fold": cells[0]},
                        )
    return Part(rows, metric, "higher")


def _joined(names: list[str]) -> list[tuple[str, str]]:
    """Return algorithm and rate of a heading of one line: algorithm--rate."""
    return [
        (name.rpartition("--")[0], name.rpartition("--")[2]) for name in names if name
    ]


def _metric(head: list[tuple[str, str]], asked: str | None) -> str:
    kinds = dict.fromkeys(kind for _, kind in head if kind != _UNCLASSIFIED)
    return chosen("metric", asked, [_NAMES.get(kind, kind) for kind in kinds])


def _require_width(cells: list[str], n: int) -> None:
    if len(cells) != n + 1:
        raise InputError(f"{len(cells)} cells, and the header has {n + 1}")


KEEL = Format(
    name="keel",
    program="KEEL",
    files="DATA_ByFoldByClassifier_sSEED.stat of the module Vis-Clas-Tabular",
    endings=(".stat",),
    columns="algorithm and data set: the heading; block: fold; run: the seed in the "
    "file's name; score: the rate",
    block="a fold of a data set; several seeds are runs",
    metrics="rates correctly classified, area under the ROC curve and geometric mean "
    "are higher",
    trap="the table of training results follows in the same file: it is left out, as "
    "are the columns of cases that were not classified",
    matches=_matches,
    read=_read,
)
