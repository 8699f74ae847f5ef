"""Tables whose rows, columns or cells are something else than they are read as."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show, show_all
from pycompare.data.columns import is_text
from pycompare.data.reading.doubts import Doubt
from pycompare.data.reading.seen import Seen
from pycompare.data.reading.words import (
    BENCHMARKS,
    describes,
    is_derived,
    is_metric,
    is_of_algorithms,
    names_a_quantity,
    words_of,
)
from pycompare.data.units import whys_by_scale

_SIZE = re.compile(r"\d(?:\.\d+)?[bm]\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:seed|run|fold|rep|repeat|repetition|trial|resample|split)[\s_-]*\d+",
    re.IGNORECASE,
)
_RUNS = re.compile(r"(?:seed|run|fold|rep|repeat|trial)?\d+", re.IGNORECASE)


def transposed(seen: Seen) -> Iterator[Doubt]:
    """Yield a wide table whose first column holds algorithms, as leaderboards do."""
    if not seen.wide or seen.turned or seen.columns.block is None:
        return
    column = seen.columns.block
    if not is_of_algorithms(column):
        return
    labels = seen.table.levels(column).labels
    others = [name for name in seen.table.names if name != column]
    derived = [
        name
        for name in others
        if is_derived(name) or describes(name) or names_a_quantity(name)
    ]
    known = [name for name in others if not BENCHMARKS.isdisjoint(words_of(name))]
    sized = [label for label in labels if "/" in label or _SIZE.search(label)]
    described = any(is_text(seen.table, name) for name in others)
    if not (derived or known or sized or described or _other_scales(seen, others)):
        return
    yield Doubt(
        "transposed",
        f"column {show(column)} seems to hold the algorithms ({show_all(labels)}), and "
        f"the other columns their data sets or cases ({show_all(others)})",
        change="read rows as algorithms: " + setting("transpose", True),
    )


def _other_scales(seen: Seen, names: list[str]) -> bool:
    """Return whether columns are of different scales, as those of quantities are."""
    values = {}
    for name in names:
        try:
            values[name] = seen.table.numbers(name)
        except InputError:  # a column of labels
            continue
    return bool(whys_by_scale(values))


def metric_in_names(seen: Seen) -> Iterator[Doubt]:
    """Yield columns that are algorithms times metrics: ``svm_acc``, ``svm_f1``."""
    if not seen.wide or seen.named or seen.turned:
        return
    for mark in ("/", "_", " ", "."):
        split = [name.rsplit(mark, 1) for name in seen.algorithms]
        if len(split) >= 4 and all(len(parts) == 2 for parts in split):
            yield from _crossed(split)
            return


def _crossed(split: list[list[str]]) -> Iterator[Doubt]:
    """Yield names whose first and last parts are all crossed, with metrics last."""
    first = {parts[0] for parts in split}
    last = {parts[1] for parts in split}
    complete = len(first) * len(last) == len(split)
    if min(len(first), len(last)) < 2 or not complete:
        return
    if all(map(is_metric, last)) or all(map(_RUNS.fullmatch, last)):
        yield Doubt(
            "metric-in-names",
            f"names of columns are {show_all(sorted(first))} with each of "
            f"{show_all(sorted(last))}: several metrics or runs of each algorithm",
            change="name the columns of one metric: " + setting("algorithms", ...),
        )


def repeats(seen: Seen) -> Iterator[Doubt]:
    """Yield columns that are numbered runs or folds: ``seed1``, ``fold 2``."""
    if not seen.wide or seen.named or seen.turned or len(seen.algorithms) < 2:
        return
    if all(map(_NUMBERED.fullmatch, seen.algorithms)):
        yield Doubt(
            "repeats",
            f"columns {show_all(seen.algorithms)} are called runs or folds, not "
            "algorithms",
            change="name the columns that are algorithms: "
            + setting("algorithms", ...),
        )


def metric_column(seen: Seen) -> Iterator[Doubt]:
    """Yield a column of labels that are names of metrics."""
    if seen.wide:
        return
    roles = {"block", "dataset", "replicate", "group", "cluster"}
    for role, column in seen.columns.given().items():
        if role not in roles:
            continue
        labels = seen.table.levels(column).labels
        if len(labels) > 1 and all(map(is_metric, labels)):
            yield Doubt(
                "metric-column",
                f"column {show(column)} ({role}) holds names of metrics "
                f"({show_all(labels)}): scores of several metrics are in one column",
                (column,),
                tuple(f"{role}={label}" for label in labels[1:]),
                "name it: "
                + setting("metric_column", column)
                + ", the column of scores with "
                + setting("value", ...)
                + ", and the metrics by their names",
            )
