"""From the rows of a table to scores by block, algorithm and metric."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted, have
from pycompare.base.labels import (
    Levels,
    label_text,
    one_line,
    require_two,
    show,
    unique_labels,
)
from pycompare.data.block_labels import BlockLabels, of_pairs, row_groups
from pycompare.data.missing import Cells
from pycompare.data.roles import RoleColumns
from pycompare.data.runs import over_runs, places_within
from pycompare.data.table import DataTable, InfiniteError, require_percent_of
from pycompare.data.units import algorithm_columns, refuse_two_units


class BlockCodes(NamedTuple):
    """The block of each row, and the labels of the blocks."""

    labels: BlockLabels
    codes: NDArray[np.intp]

    def row_label(self, row: int) -> str:
        """Return the label of the block of a row."""
        return self.labels.block[self.codes[row]]


def long_cells(
    table: DataTable, columns: RoleColumns, *, metrics: Iterable[str]
) -> Cells:
    """Read a long table, one row for each block and algorithm, and run if any.

    Parameters
    ----------
    table : DataTable
    columns : RoleColumns
        With data sets, a block is the pair of both labels. A data set, or a block if
        there are no data sets, lies in one group, and a block in one cluster.
    metrics : iterable of str
        Columns of scores.

    Returns
    -------
    Cells
        A pair of block and algorithm without a row is NaN.

    Raises
    ------
    InputError
        If a column is missing or has two roles, a label or a score cannot be
        read, a pair of block and algorithm has two rows (of one run), or none has two
        runs, or a data set lies in two groups.
    """
    metrics = tuple(label_text(name) for name in metrics)
    try:
        return _long_cells(table, columns, metrics)
    except InfiniteError as error:
        if columns.judge is None:
            raise
        # Beside a judge no missing score counts as the worst.
        raise InputError(f"{error.fault}; correct the score") from None


def _long_cells(
    table: DataTable, columns: RoleColumns, metrics: tuple[str, ...]
) -> Cells:
    """Read a long table; the error of an infinite score takes no account of a judge."""
    roles = columns.roles("long")
    table.require_roles(roles | {f"metric {show(m)}": m for m in metrics})
    scored = (*metrics, roles["judge"]) if "judge" in roles else metrics
    require_percent_of(table, scored)
    table.require_rows()
    algorithms = table.levels(roles["algorithm"])
    block, dataset = roles["block"], roles.get("dataset")
    rows = block_codes(table, block, dataset)
    refuse_sparse((len(rows.labels), len(algorithms.labels)), table.n_rows)
    if "replicate" in roles:
        runs = table.levels(roles["replicate"])
        cells = _run_cells(table, rows, algorithms, runs, metrics)
    else:
        cells = _single_cells(table, rows, algorithms, metrics)
    return dataclasses.replace(
        cells,
        labels=BlockLabels(
            rows.labels.block,
            rows.labels.dataset,
            groups_of(table, rows, roles.get("group"), block, dataset),
            _one_of_each(table, rows, roles.get("cluster"), "cluster"),
            _one_of_each(table, rows, roles.get("stratum"), "stratum"),
        ),
        called_folds=_called_folds(block),
        judge=_judge_of(table, rows, algorithms, roles.get("judge")),
    )


def _judge_of(
    table: DataTable, rows: BlockCodes, columns: Levels, judge: str | None
) -> NDArray[np.float64] | None:
    """Read the score that a judge gave each answer, if a column has them.

    Rows of one answer, labelled by several people, repeat it.
    """
    if judge is None:
        return None
    numbers = table.scores(judge)
    scores = np.full((len(rows.labels), len(columns.labels)), np.nan)
    scores[rows.codes, columns.codes] = numbers
    other = numbers != scores[rows.codes, columns.codes]
    other &= ~np.isnan(numbers)
    if other.any():
        at = int(np.argmax(other))
        raise InputError(
            f"column {show(judge)} has two scores of one answer, first: block="
            f"{show(rows.row_label(at))}, algorithm="
            f"{show(columns.labels[columns.codes[at]])} in {table.row(at)}; a judge "
            "scores an answer once: average its scores"
        )
    return scores


def _single_cells(
    table: DataTable, rows: BlockCodes, columns: Levels, metrics: tuple[str, ...]
) -> Cells:
    """Read a long table with one row for each block and algorithm."""
    shape = (len(rows.labels), len(columns.labels))
    _refuse_repeats(table, rows, columns)
    values = np.full((*shape, len(metrics)), np.nan)
    for position, name in enumerate(metrics):
        values[rows.codes, columns.codes, position] = _scores_of(table, name)
    absent = shape[0] * shape[1] - table.n_rows
    return Cells(values, rows.labels, columns.labels, metrics, n_absent=absent)


def _called_folds(column: str | None) -> bool:
    """Return whether a column of blocks is called folds: ``fold``, ``CV fold 1``."""
    words = re.split(r"[^a-z]+", "" if column is None else str(column).casefold())
    return not {"fold", "folds"}.isdisjoint(words)


def _scores_of(table: DataTable, metric: str) -> NDArray[np.float64]:
    """Read one metric of a long table, in one unit."""
    scores = table.scores(metric)
    refuse_two_units(table, (metric,), scores[:, np.newaxis], metric)
    return scores


def _run_cells(
    table: DataTable,
    rows: BlockCodes,
    columns: Levels,
    replicates: Levels,
    metrics: tuple[str, ...],
) -> Cells:
    """Read a long table with several runs of each block and algorithm.

    A run is known by its place in its cell: runs are nested, and labels that differ
    from cell to cell (running numbers, or the like) are as informative.
    """
    shape = (len(rows.labels), len(columns.labels))
    cell = rows.codes * shape[1] + columns.codes
    _refuse_one_run_twice(table, rows, columns, replicates)
    place, labels = run_places(cell, replicates)
    runs = np.full((*shape, len(metrics), len(labels)), np.nan)
    for position, name in enumerate(metrics):
        numbers = _scores_of(table, name)
        runs[rows.codes, columns.codes, position, place] = numbers
    no_row = np.ones((*shape, len(labels)), bool)
    no_row[rows.codes, columns.codes, place] = False
    return Cells(
        over_runs(runs),
        rows.labels,
        columns.labels,
        metrics,
        n_absent=shape[0] * shape[1] - np.unique(cell).size,
        runs=runs,
        replicates=labels,
        no_row=no_row,
    )


def run_places(
    cell: NDArray[np.intp], replicates: Levels
) -> tuple[NDArray[np.intp], tuple[str, ...]]:
    """Return the place of each row's run in its cell, and labels of the places.

    ``cell`` is the block and algorithm of each row; rows of one run have one label.
    """
    keys = cell * len(replicates.labels) + replicates.codes
    pairs, first, row = np.unique(keys, return_index=True, return_inverse=True)
    n_runs = int(np.bincount(pairs // len(replicates.labels)).max())
    if n_runs < 2:
        raise InputError(
            "replicate: every block and algorithm has one run at most, so there is no "
            "spread of runs; leave replicate out"
        )
    if len(replicates.labels) == n_runs:
        return replicates.codes, replicates.labels
    order = np.argsort(first)
    place = np.empty_like(pairs)
    place[order] = places_within(pairs[order] // len(replicates.labels))
    return place[row], tuple(str(i + 1) for i in range(n_runs))


def _refuse_one_run_twice(
    table: DataTable, rows: BlockCodes, columns: Levels, replicates: Levels
) -> None:
    """Reject two rows of one run of one block and algorithm."""
    cell = rows.codes * len(columns.labels) + columns.codes
    keys = cell * len(replicates.labels) + replicates.codes
    _, first, counts = np.unique(keys, return_index=True, return_counts=True)
    twice = first[counts > 1]
    if twice.size:
        at = int(twice.min())
        raise InputError(
            f"{counted(twice.size, 'run')} of a block and algorithm {have(twice.size)} "
            f"more than one row, first: block={show(rows.row_label(at))}, "
            f"algorithm={show(columns.labels[columns.codes[at]])}, replicate="
            f"{show(replicates.labels[replicates.codes[at]])} in "
            f"{_first_two(table, keys == keys[at])}; keep one, or name what shows the "
            "rows apart ("
            + setting("block", ...)
            + ", "
            + setting("dataset", ...)
            + ")"
        )


def groups_of(
    table: DataTable,
    rows: BlockCodes,
    group: str | None,
    block: str,
    dataset: str | None,
) -> tuple[str, ...] | None:
    """Read the group of each block, if a column names groups."""
    if group is None:
        return None
    groups = table.levels(group)
    if dataset is None:
        group_of = row_groups(table.levels(block), groups, "block")
        return tuple(group_of[name] for name in rows.labels.block)
    group_of = row_groups(table.levels(dataset), groups, "data set")
    assert rows.labels.dataset is not None
    return tuple(group_of[name] for name in rows.labels.dataset)


def _one_of_each(
    table: DataTable, rows: BlockCodes, column: str | None, what: str
) -> tuple[str, ...] | None:
    """Read the cluster, or the stratum, of each block, if a column names them."""
    if column is None:
        return None
    owners = Levels(rows.labels.block, rows.codes)
    label_of = row_groups(owners, table.levels(column), "block", what)
    return tuple(label_of[name] for name in rows.labels.block)


def wide_cells(
    table: DataTable,
    columns: RoleColumns,
    *,
    metric: str,
    algorithms: Sequence[str] | None,
) -> Cells:
    """Read a wide table: rows are blocks, columns are algorithms.

    Parameters
    ----------
    table : DataTable
    columns : RoleColumns
        Without blocks, the table's own row labels are taken.
    metric : str
        Names of the scores.
    algorithms : sequence of str or None
        Columns of scores; None takes all but those of labels, and rejects columns that
        seem to be something else.

    Raises
    ------
    InputError
        If a column is missing or has two roles, a label or a score cannot be
        read, or a block has two rows.
    """
    named = columns.roles("wide")
    table.require_roles(named)
    rows = _wide_blocks(table, named)
    if algorithms is None:
        unnamed = [name for name in table.names if name not in named.values()]
        algorithms = algorithm_columns(table, unnamed)
    if isinstance(algorithms, str):
        raise InputError(
            setting("algorithms", algorithms) + ": give the names in a list"
        )
    of_scores = tuple(map(label_text, algorithms))
    labels = unique_labels(map(one_line, of_scores), what="the algorithm columns")
    require_two("algorithms", labels)
    roles = {f"algorithm {show(name)}": name for name in of_scores}
    table.require_roles(named | roles)
    require_percent_of(table, of_scores)
    table.require_rows()
    if len(rows.labels) < table.n_rows:
        counts = np.bincount(rows.codes)
        again = int(np.argmax(counts > 1))
        folds = "" if "dataset" in named else "; if rows are folds, name the columns "
        if folds:
            folds += setting("dataset", ...) + " and " + setting("block", ...)
            folds += ", or number them: " + setting("dataset", columns.block)
            folds += " and " + setting("number", "block") + " in the place of "
            folds += setting("block", ...)
        raise InputError(
            f"block={show(rows.labels.block[again])} appears in {counts[again]} rows, "
            f"first {_first_two(table, rows.codes == again)}; if each row is one "
            "score, the table is long: name its column of algorithms; otherwise give "
            "each row its own block label" + folds
        )
    values = np.stack([*table.scores_of(of_scores).values()], axis=1)
    refuse_two_units(table, of_scores, values, metric)
    return Cells(
        values[:, :, np.newaxis],
        dataclasses.replace(
            rows.labels,
            group=_row_labels(table, named.get("group")),
            cluster=_row_labels(table, named.get("cluster")),
        ),
        labels,
        (label_text(metric),),
        called_folds=_called_folds(columns.block),
    )


def _wide_blocks(table: DataTable, named: Mapping[str, str]) -> BlockCodes:
    """Read the block of each row of a wide table; without labels rows are numbered."""
    if "block" in named:
        return block_codes(table, named["block"], named.get("dataset"))
    if "dataset" in named:
        raise InputError(
            setting("dataset", named["dataset"])
            + " needs a column of folds beside it: "
            + setting("block", ...)
            + "; if none has them, number them: "
            + setting("number", "block")
        )
    rows = table.row_levels(besides=[*named.values()])
    return BlockCodes(BlockLabels(rows.labels), rows.codes)


def _row_labels(table: DataTable, name: str | None) -> tuple[str, ...] | None:
    """Read the label of each row of a wide table in one column."""
    if name is None:
        return None
    levels = table.levels(name)
    return tuple(levels.labels[code] for code in levels.codes)


def block_codes(table: DataTable, block: str, dataset: str | None) -> BlockCodes:
    """Read the block of each row: the fold, or the pair of data set and fold."""
    folds = table.levels(block)
    if dataset is None:
        return BlockCodes(BlockLabels(folds.labels), folds.codes)
    datasets = table.levels(dataset)
    pairs, codes = _pairs(datasets, folds)
    return BlockCodes(of_pairs(pairs), codes)


def _pairs(
    left: Levels, right: Levels
) -> tuple[list[tuple[str, str]], NDArray[np.intp]]:
    """Distinct pairs of labels in order of first appearance, and each row's pair."""
    keys = left.codes * len(right.labels) + right.codes
    distinct, first, codes = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    parts = (divmod(int(key), len(right.labels)) for key in distinct[order])
    return [(left.labels[i], right.labels[j]) for i, j in parts], rank[codes]


def refuse_sparse(shape: tuple[int, int], n_rows: int) -> None:
    """Reject a wrong column before it asks for an enormous array."""
    if shape[0] * shape[1] > 100 * n_rows + 1_000_000:
        raise InputError(
            f"{n_rows} rows cannot fill {shape[0]} blocks x {shape[1]} algorithms; "
            "do "
            + setting("algorithm", ...)
            + " and "
            + setting("block", ...)
            + " name the right columns?"
        )


def _refuse_repeats(table: DataTable, rows: BlockCodes, columns: Levels) -> None:
    keys = rows.codes * len(columns.labels) + columns.codes
    counts = np.bincount(keys, minlength=len(rows.labels) * len(columns.labels))
    repeated = counts[keys] > 1
    if repeated.any():
        first = int(np.argmax(repeated))
        count = int(np.sum(counts > 1))
        raise InputError(
            f"{counted(count, 'pair')} of block and algorithm {have(count)} more than "
            f"one row, first: block={show(rows.row_label(first))}, algorithm="
            f"{show(columns.labels[columns.codes[first]])} in "
            f"{_first_two(table, keys == keys[first])}; if they are runs of one "
            "cell, name their column ("
            + setting("replicate", ...)
            + "); otherwise name a column that sets them "
            "apart (" + setting("block", ...) + ", " + setting("dataset", ...) + ")"
        )


def _first_two(table: DataTable, mask: NDArray[np.bool_]) -> str:
    return " and ".join(table.row(int(i)) for i in np.flatnonzero(mask)[:2])
