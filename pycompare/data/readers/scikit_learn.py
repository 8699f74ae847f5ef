"""scikit-learn: cv_results_ of a search, as CSV."""

from __future__ import annotations

import re
from pathlib import Path

from pycompare.data.readers.formats import Format, Head, Part, Wanted
from pycompare.data.readers.rows import (
    TABLES,
    at_lines,
    chosen,
    directions,
    number,
    required,
    stem,
    table_cells,
)

_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_HIGHER = directions(
    higher="accuracy balanced_accuracy top_k_accuracy average_precision f1 f1_micro "
    "f1_macro f1_weighted precision recall jaccard roc_auc roc_auc_ovr roc_auc_ovo "
    "matthews_corrcoef r2 explained_variance",
    lower="",
)


def _matches(head: Head) -> bool:
    """Return whether the header has candidates and splits."""
    return "params" in head.columns and any(map(_SPLIT.fullmatch, head.columns))


def _read(path: Path, wanted: Wanted) -> Part:
    """Read one metric of all candidates; the file's name is the data set."""
    rows, metric = wanted.rows(), ""
    with at_lines(path, table_cells(path)) as table:
        for row in table:
            splits = [f for f in map(_SPLIT.fullmatch, row) if f]
            known = dict.fromkeys(match[2] for match in splits)
            metric = chosen("metric", wanted.metric, list(known))
            for match in splits:
                if match[2] == metric:
                    value = number(row[match[0]], metric)
                    block = f"{stem(path)}/{match[1]}"
                    name = required(row, "params")
                    rows.add(name, block, value, dataset=stem(path), of=row)
    known_better = metric.startswith("neg_") or metric in _HIGHER
    return Part(rows, metric, "higher" if known_better else None)


SCIKIT_LEARN = Format(
    name="scikit-learn",
    program="scikit-learn",
    files="pandas.DataFrame(search.cv_results_).to_csv(...), a file for each data set",
    endings=TABLES,
    columns="algorithm: params; data set: the file's name; block: split; score: "
    "splitN_test_NAME",
    block="a fold of a data set",
    metrics="names of scorers: scores are higher, and so are negated losses (neg_...); "
    "the name score of a single scorer does not show the direction: better is needed",
    trap="columns of training scores (splitN_train_) and means are left out. The "
    "candidate that was chosen on these folds looks better than it is: compare it on "
    "others (nested cross-validation)",
    matches=_matches,
    read=_read,
)
