"""Labels of people on some items, beside a judge's scores of all items."""

from __future__ import annotations

import dataclasses

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted, have
from pycompare.base.labels import show, show_all
from pycompare.data.missing import Cells
from pycompare.data.runs import mean_of_runs

_POLICIES = ("error", "drop-block")
_MOST_NAMED = 5


def require_labels(cells: Cells) -> Cells:
    """Return cells; reject those beside a judge without any label."""
    held = cells.values if cells.runs is None else cells.runs
    if cells.judge is not None and np.isnan(held).all():
        _require_some_labelled(cells, np.ones(len(cells.labels), np.bool_))
    return cells


def labelled_cells(cells: Cells, missing: str) -> tuple[Cells, tuple[str, ...]]:
    """Return cells in which an item has labels of all algorithms or of none.

    Several labels of one answer are averaged. ``missing="drop-block"`` ignores the
    labels of items that lack some, and a note counts these.

    Raises
    ------
    InputError
        If there are several metrics; the judge lacks an answer; no item, or every item,
        is labelled; or labels of some algorithms only against the policy.
    """
    assert cells.judge is not None
    if len(cells.metrics) != 1:
        raise InputError(
            setting("judge", ...)
            + f": a judge scores one metric, and there are {len(cells.metrics)}: "
            f"{show_all(cells.metrics)}; name the one that people labelled"
        )
    if missing not in _POLICIES:
        raise InputError(
            setting("missing", missing)
            + " and "
            + setting("judge", ...)
            + " exclude each other: an item without a label is not missing. Leave "
            "missing out, or set " + setting("missing", "drop-block")
        )
    _require_judged(cells, cells.judge)
    if cells.runs is not None:
        cells = dataclasses.replace(cells, values=mean_of_runs(cells.runs))
    absent = np.isnan(cells.values[:, :, 0])
    lacks = np.asarray(absent.any(axis=1))
    some = np.asarray(lacks & ~absent.all(axis=1))
    notes: tuple[str, ...] = ()
    if some.any() and missing == "error":
        raise InputError(_some_labels(cells, absent, some))
    if some.any():
        cells = _without_labels(cells, some)
        items = counted(int(some.sum()), "item")
        notes = (f"{items} with labels of some algorithms only: treated as unlabelled",)
    _require_some_labelled(cells, lacks)
    return cells, notes


def _require_judged(cells: Cells, judge: NDArray[np.float64]) -> None:
    blank = np.argwhere(np.isnan(judge))
    if len(blank):
        block, algorithm = blank[0].tolist()
        raise InputError(
            f"the judge has no score of {counted(len(blank), 'answer')} of "
            f"{judge.size}, first: block={show(cells.labels.block[block])}, "
            f"algorithm={show(cells.algorithms[algorithm])}; let it score every "
            "answer, or leave the item out: "
            + setting("leave_out", (f"block={cells.labels.block[block]}",))
        )


def _some_labels(
    cells: Cells, absent: NDArray[np.bool_], some: NDArray[np.bool_]
) -> str:
    at = int(np.argmax(some))
    names = np.array(cells.algorithms, dtype=object)
    lacks, has = names[absent[at]].tolist(), names[~absent[at]].tolist()
    n = int(some.sum())
    return (
        f"{counted(n, 'item')} {have(n)} labels of some algorithms only, first: "
        f"block={show(cells.labels.block[at])} has labels of "
        f"{show_all(has[:_MOST_NAMED])} and none of {show_all(lacks[:_MOST_NAMED])}; "
        "label the answers of all algorithms to an item, or ignore these labels ("
        + setting("missing", "drop-block")
        + ")"
    )


def _without_labels(cells: Cells, items: NDArray[np.bool_]) -> Cells:
    """Return cells in which some items have no label."""
    values = np.where(items[:, None, None], np.nan, cells.values)
    if cells.runs is None:
        return dataclasses.replace(cells, values=values)
    runs = np.where(items[:, None, None, None], np.nan, cells.runs)
    return dataclasses.replace(cells, values=values, runs=runs)


def _require_some_labelled(cells: Cells, unlabelled: NDArray[np.bool_]) -> None:
    """Reject a table without labels, and one in which every item has them."""
    [metric] = cells.metrics
    if unlabelled.all():
        raise InputError(
            f"column {show(metric)} has no label on which all algorithms can be "
            "compared; label some items, drawn at random"
        )
    if not unlabelled.any():
        raise InputError(
            f"column {show(metric)} has a label everywhere: every item is labelled, "
            "and people's labels need no judge; leave it out ("
            + setting("judge", ...)
            + ")"
        )
