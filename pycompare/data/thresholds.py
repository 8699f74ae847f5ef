"""A long table with a row for each threshold, read as metrics at thresholds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.labels import label_text, show
from pycompare.base.metric import Direction, as_metrics
from pycompare.data.frames import as_table
from pycompare.data.scores import Scores
from pycompare.data.table import DataTable


@checked
def threshold_scores(
    frame: object,
    *,
    algorithm: str,
    block: str,
    threshold: str,
    metrics: Mapping[str, Direction],
    dataset: str | None = None,
    missing: str = "error",
) -> Scores:
    """Read scores that were measured at several thresholds from a long table.

    Parameters
    ----------
    frame : DataFrame of pandas or polars, pyarrow.Table, list of dict or dict
    algorithm, block, metrics, dataset, missing
        As in ``Scores.from_frame``; metrics such as the counts tp, fp, fn, tn.
    threshold : str
        Column of thresholds, numbers.

    Returns
    -------
    Scores
        With metrics named ``metric@threshold``, thresholds ascending, as
        ``threshold_wins`` takes them.

    Raises
    ------
    InputError
        As ``Scores.from_frame``; if a threshold is missing, or a block, algorithm and
        threshold has two rows.

    Notes
    -----
    R: ``reshape(frame, idvar = c(block, algorithm), timevar = threshold,
    direction = "wide")``.

    Examples
    --------
    >>> import pycompare as pc
    >>> rows = [
    ...     {"model": m, "fold": f, "cut": c, "fp": f + c, "fn": 9 - c}
    ...     for m in "AB" for f in range(3) for c in (0, 1)
    ... ]
    >>> scores = pc.threshold_scores(
    ...     rows, algorithm="model", block="fold", threshold="cut",
    ...     metrics={"fp": "lower", "fn": "lower"},
    ... )
    >>> [metric.name for metric in scores.metrics]
    ['fp@0', 'fn@0', 'fp@1', 'fn@1']
    """
    table = as_table(frame)
    checked = as_metrics(metrics)
    roles = {"algorithm": algorithm, "block": block, "threshold": threshold}
    if dataset is not None:
        roles["dataset"] = dataset
    table.require_roles(roles | {f"metric {show(m.name)}": m.name for m in checked})
    table.require_rows()
    labels = {
        role: table.levels(column)
        for role, column in roles.items()
        if role != "threshold"
    }
    codes = np.stack([levels.codes for levels in labels.values()])
    cells, first, cell = np.unique(
        codes, axis=1, return_index=True, return_inverse=True
    )
    levels, at = np.unique(_numbers(table, threshold), return_inverse=True)
    cell = cell.ravel()
    _refuse_repeats(table, cell * len(levels) + at)
    order = np.argsort(first)  # in order of first appearance
    columns: dict[str, object] = {
        role: [levels.labels[code] for code in cells[k, order]]
        for k, (role, levels) in enumerate(labels.items())
    }
    directions: dict[str, Direction] = {}
    values = np.full((len(checked), len(levels), cells.shape[1]), np.nan)
    for i, metric in enumerate(checked):
        values[i, at, cell] = table.numbers(metric.name)
    for j, level in enumerate(levels.tolist()):
        for i, metric in enumerate(checked):
            name = f"{metric.name}@{label_text(level)}"
            columns[name] = values[i, j, order]
            directions[name] = metric.better
    return Scores.from_frame(
        columns,
        algorithm="algorithm",
        block="block",
        dataset=None if dataset is None else "dataset",
        metrics=directions,
        missing=missing,
    )


def _numbers(table: DataTable, column: str) -> NDArray[np.float64]:
    """Return the thresholds; reject a missing one."""
    thresholds = table.numbers(column)
    absent = np.flatnonzero(np.isnan(thresholds))
    if absent.size:
        raise InputError(
            f"column {show(column)} has no threshold in {absent.size} of "
            f"{thresholds.size} "
            f"rows, first: {table.row(int(absent[0]))}"
        )
    return thresholds + 0.0  # -0.0 is 0.0


def _refuse_repeats(table: DataTable, places: NDArray[np.int_]) -> None:
    """Reject two rows of the same block, algorithm and threshold."""
    _, first, count = np.unique(places, return_index=True, return_counts=True)
    if (count > 1).any():
        repeated = int(np.argmax(count > 1))
        rows = np.flatnonzero(places == places[first[repeated]])
        raise InputError(
            f"{int((count > 1).sum())} times a block, algorithm and threshold has "
            f"several rows, first: {table.row(int(rows[0]))} and "
            f"{table.row(int(rows[1]))}; name a column that distinguishes them as part "
            f"of the block, or average them"
        )
