"""Scores by block and algorithm, from a table and its owner's statements about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import Levels, nearest, show, show_all
from pycompare.base.metric import Metric
from pycompare.data.columns import is_text
from pycompare.data.labelled import require_labels
from pycompare.data.layout import long_cells, wide_cells
from pycompare.data.missing import Cells
from pycompare.data.percent import ALL
from pycompare.data.reading.answers import Answers
from pycompare.data.reading.cases import truth_column
from pycompare.data.reading.columns import derived_column
from pycompare.data.reading.doubts import Doubt, refuse_doubts
from pycompare.data.reading.gaps import gaps
from pycompare.data.reading.grouped import keyed_by_group
from pycompare.data.reading.judge_column import judge_column
from pycompare.data.reading.judged import judged, verdicts
from pycompare.data.reading.labels import (
    alike,
    column_of_sources,
    confirmed_sources,
    disjoint,
)
from pycompare.data.reading.levels import level_notes
from pycompare.data.reading.rows import empty_row, status_column, summary_row
from pycompare.data.reading.seen import Seen
from pycompare.data.reading.shape import (
    metric_column,
    metric_in_names,
    repeats,
    transposed,
)
from pycompare.data.reading.shifted import shifted
from pycompare.data.reading.tables import (
    LongerTable,
    TurnedTable,
    numbered,
    unstacked,
    with_parts,
)
from pycompare.data.reading.text import header, odd_cells
from pycompare.data.reading.values import code, direction, impossible, odd_label
from pycompare.data.roles import RoleColumns
from pycompare.data.runs import over_runs
from pycompare.data.table import DataTable, index_notes

_Rule = Callable[[Seen], Iterator[Doubt]]
_OF_SHAPE: tuple[_Rule, ...] = (
    header,
    truth_column,
    transposed,
    metric_in_names,
    repeats,
    metric_column,
    status_column,
)
"""Rules that need names and labels only."""
_OF_SCORES: tuple[_Rule, ...] = (
    *(
        judge_column,
        summary_row,
        empty_row,
        derived_column,
        impossible,
        code,
        odd_label,
    ),
    *(direction, alike),
    *(disjoint, shifted, gaps),
)
"""Rules that need the scores."""
_OF_SIZE = (summary_row, derived_column, shifted)
"""Rules that large tables do without."""


def read_long(
    table: DataTable,
    columns: RoleColumns,
    metrics: tuple[Metric, ...],
    answers: Answers,
    *,
    missing: str,
) -> tuple[Cells, tuple[str, ...]]:
    """Read a long table as its owner means it; return also notes for the report.

    Raises
    ------
    DoubtError
        With all signs that it is read otherwise, which the answers leave open.
    InputError
        As ``long_cells``; or if an answer names an absent part.
    """
    names = [metric.name for metric in metrics]
    judge = [] if columns.judge is None else [columns.judge]
    if judge and answers.metric_column is not None:
        raise InputError(
            setting("judge", columns.judge)
            + " is the score of one metric, and "
            + setting("metric_column", answers.metric_column)
            + " has several in rows; keep the rows of one and leave metric_column out"
        )
    table.require_rows()
    table = _without_columns(table, answers)
    table = _marked(table, answers, _infinitely_bad(metrics, answers, missing))
    of_scores = names if answers.value is None else [answers.value]
    _all_in_percent(table, [*of_scores, *judge])
    table = with_parts(table, columns.given().values())
    table, columns = _numbered(table, columns, answers)
    table = keyed_by_group(table, columns.given(), gaps=missing != "error")
    table = _without_rows(table, columns, answers)
    if answers.truth is not None:
        table = judged(
            table, _of_value(answers, names), answers.truth, metrics, columns.given()
        )
    if answers.one_is is not None:
        value = None if answers.value is None else [answers.value]
        table = verdicts(table, [*(value or names), *judge], answers.one_is)
    if answers.metric_column is not None and answers.value is not None:
        refuse_doubts(odd_cells(table, [answers.value], columns), answers)
        within = [name for name in columns.given().values() if name in table.names]
        of_rows = (answers.metric_column, answers.value)
        table = unstacked(table, within, *of_rows, names)
    seen = Seen(table, columns, False, metrics, missing=missing, answers=answers)

    def read() -> Cells:
        return require_labels(long_cells(table, columns, metrics=names))

    if not columns.given().keys() >= {"algorithm", "block"} or not all(
        name in table.names for name in columns.given().values()
    ):
        return read(), ()  # refused with what is wrong
    odd = odd_cells(table, names, columns)  # looked for only if something is doubtful
    cells, confirmed = _settled(seen, read, answers, odd)
    cells = dataclasses.replace(
        cells, sources=column_of_sources(cells, columns, answers)
    )
    told = (
        *index_notes(table, columns.given().values()),
        *answers.notes(confirmed),
        *level_notes(cells.scored, metrics),
        *_same_notes(cells.scored),
    )
    return cells, (*table.notes, *told)


def read_wide(
    table: DataTable,
    columns: RoleColumns,
    metric: Metric,
    algorithms: Sequence[str] | None,
    answers: Answers,
    *,
    missing: str,
    transpose: bool = False,
) -> tuple[Cells, tuple[str, ...]]:
    """Read a wide table as its owner means it; return also notes for the report.

    Raises
    ------
    DoubtError, InputError
        As `read_long`, ``wide_cells``.
    """
    table.require_rows()
    _require_wide_number(columns, answers)
    whole = {*table.names}
    bad = (_bad_infinity(metric),) if missing == "worst" else ()
    table = _without_columns(_marked(table, answers, bad), answers)
    left_out = whole - {*table.names}
    labelled = {*columns.given().values(), answers.truth}
    others = [name for name in table.names if name not in labelled]
    if algorithms is not None and not isinstance(algorithms, str):
        others = [*algorithms]
    _all_in_percent(table, others)
    table = with_parts(table, columns.given().values())
    if "dataset" in columns.given():
        table, columns = _numbered(table, columns, answers)
    table = keyed_by_group(table, columns.given())
    kept = [name for name in others if f"algorithm={name}" not in answers.leave_out]
    if answers.truth is not None:
        classes = {name: name for name in kept if name in table.names}
        of_roles = columns.given().values()
        table = judged(table, classes, answers.truth, (metric,), of_roles)
    elif answers.one_is is not None:
        table = verdicts(table, kept, answers.one_is)
    if transpose:
        table = _of_numbers_alone(table, columns)
        scored = [name for name in table.names if name != columns.block]
        refuse_doubts(odd_cells(table, scored, RoleColumns()), answers)
        table, columns = _turned(table, columns)
    labelled = set(columns.given().values())
    free = [name for name in table.names if name not in labelled]
    if not transpose:
        free = [name for name in free if f"algorithm={name}" not in answers.leave_out]
    left = _without_rows(table, columns, answers, wide=True)
    chosen = algorithms
    if algorithms is not None and not isinstance(algorithms, str):
        gone = left_out | ({*table.names} - {*left.names})
        chosen = [name for name in algorithms if name not in gone]
    seen = Seen(
        *(left, columns, True, (metric,)),
        turned=transpose,
        algorithms=tuple(map(str, chosen)) if chosen is not None else tuple(free),
        named=algorithms is not None,
        missing=missing,
        answers=answers,
    )

    def read() -> Cells:
        return wide_cells(left, columns, metric=metric.name, algorithms=chosen)

    if any(name not in left.names for name in labelled):
        return read(), ()  # refused with what is wrong
    odd = () if transpose else odd_cells(left, seen.algorithms, columns)
    cells, confirmed = _settled(seen, read, answers, odd)
    cells = dataclasses.replace(
        cells, sources=column_of_sources(cells, columns, answers)
    )
    told = (
        *index_notes(left, (*columns.given().values(), *seen.algorithms)),
        *answers.notes(confirmed),
        *level_notes(cells, (metric,)),
        *_same_notes(cells),
    )
    return cells, (*left.notes, *told)


def _settled(
    seen: Seen,
    read: Callable[[], Cells],
    answers: Answers,
    odd: Iterable[Doubt] = (),
) -> tuple[Cells, tuple[str, ...]]:
    """Return the scores, and the confirmed doubts, if nothing is left open."""
    of_shape = [doubt for rule in _OF_SHAPE for doubt in rule(seen)]

    def unread() -> list[Doubt]:
        """Return doubts that may be why the cells cannot be read."""
        return [*odd, *of_shape, *(() if seen.large else summary_row(seen))]

    confirmed = refuse_doubts(unread(), answers) if of_shape else ()
    try:
        cells = _without_marks(read(), answers, seen.table.judged, seen.columns.judge)
    except InputError:
        refuse_doubts(unread(), answers)
        raise
    seen = dataclasses.replace(seen, cells=cells.scored)
    rules = [rule for rule in _OF_SCORES if not (seen.large and rule in _OF_SIZE)]
    with np.errstate(all="ignore"):  # sums of huge scores are no summary of others
        doubts = [doubt for rule in rules for doubt in rule(seen)]
    confirmed += refuse_doubts(doubts, answers) + confirmed_sources(cells, answers)
    return cells, tuple(dict.fromkeys(confirmed))


def _numbered(
    table: DataTable, columns: RoleColumns, answers: Answers
) -> tuple[DataTable, RoleColumns]:
    """Return a table with rows numbered as the owner specifies, and its roles.

    Blocks are numbered within an algorithm and data set, runs within a cell.
    """
    role = answers.number
    if role is None:
        return table, columns
    if getattr(columns, role) is not None:
        raise InputError(
            setting("number", role)
            + " and "
            + setting(role, getattr(columns, role))
            + " both set it; leave one of them out"
        )
    within = ("algorithm", "dataset", *(("block",) if role == "replicate" else ()))
    parts = [columns.given()[name] for name in within if name in columns.given()]
    if any(name not in table.names for name in parts):
        return table, columns  # refused with what is wrong
    name = role
    while name in table.names:
        name += "_"
    return numbered(table, name, parts), columns._replace(**{role: name})


def _require_wide_number(columns: RoleColumns, answers: Answers) -> None:
    """Reject what a wide table cannot have: runs, metrics in rows, two labels."""
    for name in ("metric_column", "value"):
        if getattr(answers, name) is not None:
            raise InputError(
                setting(name, getattr(answers, name))
                + " is for long tables: a wide one holds one metric"
            )
    if answers.number == "replicate":
        raise InputError(
            setting("number", "replicate")
            + " is for long tables: a wide one has one score in each cell"
        )
    if answers.number and columns.block is not None:
        raise InputError(
            setting("number", "block")
            + " and "
            + setting("block", columns.block)
            + " both set it; leave one of them out"
        )


def _all_in_percent(table: DataTable, scores: Sequence[str]) -> None:
    """Declare all columns of scores in percent, if the owner states this."""
    if ALL in table.percent and ALL not in table.names:
        table.percent = table.percent - {ALL} | {*scores}


def _marked(table: DataTable, answers: Answers, bad: tuple[str, ...]) -> DataTable:
    """Return the table with what its owner states that stands for a missing score.

    ``bad`` are infinite scores that count as missing ones, as ``answers.na`` has them.
    """
    table.missing_marks = (*answers.na, *bad)
    return table


def _of_value(answers: Answers, names: Sequence[str]) -> dict[str, str]:
    """Return the column of predicted classes of a long table, and its metric.

    Raises
    ------
    InputError
        If the column is not named.
    """
    if answers.value is None:
        raise InputError(
            setting("truth", answers.truth)
            + " needs the column of predicted classes beside it: "
            + setting("value", ...)
        )
    return {answers.value: names[0]}


def _infinitely_bad(
    metrics: tuple[Metric, ...], answers: Answers, missing: str
) -> tuple[str, ...]:
    """Return the infinite scores that are treated as the worst one, if missing ones do.

    Metrics in rows share a column: their infinite scores do if all have one direction.
    """
    if missing != "worst":
        return ()
    if answers.value is not None and len({metric.better for metric in metrics}) > 1:
        return ()
    return tuple(
        f"{answers.value or metric.name}={_bad_infinity(metric)}" for metric in metrics
    )


def _bad_infinity(metric: Metric) -> str:
    return "inf" if metric.better == "lower" else "-inf"


def _judge_without_marks(cells: Cells, answers: Answers, judge: str | None) -> Cells:
    """Return cells in which a judge's scores that stand for missing ones are none."""
    if cells.judge is None:
        return cells
    scores = cells.judge
    for column, mark in map(answers.mark_of, answers.na):
        if mark is not None and column in (None, judge):
            scores = np.where(scores == mark, np.nan, scores)
    return dataclasses.replace(cells, judge=scores)


def _without_marks(
    cells: Cells, answers: Answers, labelled: Collection[str], judge: str | None
) -> Cells:
    """Return the scores less the numbers that stand for missing ones.

    Those ``labelled`` were labels, of which missing ones are gone by now.
    """
    cells = _judge_without_marks(cells, answers, judge)
    held = cells.values if cells.runs is None else cells.runs
    gone = np.zeros(held.shape, bool)
    for entry in answers.na:
        column, mark = answers.mark_of(entry)
        if mark is None:
            continue
        here = held == mark
        if labelled:
            here &= _of_numbers(cells, labelled)[(..., *[None] * (held.ndim - 3))]
        if column is not None:
            metric = np.array([name == column for name in cells.metrics])
            own = np.array([name == column for name in cells.algorithms])
            chosen = metric[None, None, :] | own[None, :, None]
            here &= chosen if held.ndim == 3 else chosen[..., None]
        gone |= here
    if not gone.any():
        return cells
    left = np.where(gone, np.nan, held)
    if cells.runs is None:
        return dataclasses.replace(cells, values=left)
    return dataclasses.replace(cells, values=over_runs(left), runs=left)


def _of_numbers(cells: Cells, labelled: Collection[str]) -> NDArray[np.bool_]:
    """Return which scores were numbers, shape (n_blocks, n_algorithms, n_metrics)."""
    axes = (cells.labels.block, cells.algorithms, cells.metrics)
    free = [np.array([label not in labelled for label in axis]) for axis in axes]
    return free[0][:, None, None] & free[1][None, :, None] & free[2][None, None, :]


def _turned(table: DataTable, columns: RoleColumns) -> tuple[DataTable, RoleColumns]:
    """Return a table whose rows are algorithms turned round, and its roles."""
    if columns.block is None:
        raise InputError(
            setting("transpose", True)
            + ": name the column of algorithms with "
            + setting("block", ...)
        )
    for role, name in columns.given().items():
        if role != "block":
            raise InputError(
                setting(role, name)
                + " is a column of rows that are blocks, and "
                + setting("transpose", True)
                + " treats rows as algorithms; leave one of them out"
            )
    table.require_roles({"block": columns.block})
    return TurnedTable(table, columns.block), columns


def _of_numbers_alone(table: DataTable, columns: RoleColumns) -> DataTable:
    """Return a table whose rows are algorithms less what describes these, with a note.

    Columns of text; and of true and false, if others hold numbers.
    """
    others = [name for name in table.names if name not in columns.given().values()]
    gone = [name for name in others if is_text(table, name)]
    truths = [name for name in others if table.truth_values(name) is not None]
    if len({*gone, *truths}) < len(others):
        gone = [name for name in others if name in (*gone, *truths)]
    if not gone or len(gone) == len(others):
        return table
    kept = table.taken(
        np.arange(table.n_rows), [name for name in table.names if name not in gone]
    )
    told = f"columns without numbers left out: {show_all(gone)}"
    return LongerTable(kept, score_notes=(told,))


def _without_columns(table: DataTable, answers: Answers) -> DataTable:
    """Return a table less the columns that are left out."""
    gone = [
        name for kind, name in map(answers.part_of, answers.leave_out)
        if kind == "column"
    ]  # fmt: skip
    for name in gone:
        _require_there(f"column={name}", name, table.names, "columns")
    if not gone:
        return table
    kept = [name for name in table.names if name not in gone]
    return table.taken(np.arange(table.n_rows), kept)


def _without_rows(
    table: DataTable, columns: RoleColumns, answers: Answers, *, wide: bool = False
) -> DataTable:
    """Return a table less the rows, and columns of algorithms, that are left out."""
    kept = np.ones(table.n_rows, bool)
    names = set(table.names)
    for entry in answers.leave_out:
        kind, label = answers.part_of(entry)
        if kind == "column":
            continue
        if kind == "algorithm" and wide:
            _require_there(entry, label, table.names, "columns")
            names.discard(label)
            continue
        levels = _column_of(table, columns, kind, entry, wide)
        _require_there(entry, label, levels.labels, f"{kind} labels")
        kept &= levels.codes != levels.labels.index(label)
    if kept.all() and len(names) == len(table.names):
        return table
    return table.taken(np.flatnonzero(kept), names)


def _column_of(
    table: DataTable, columns: RoleColumns, kind: str, entry: str, wide: bool
) -> Levels:
    """Return the labels among which an entry of ``leave_out`` names one."""
    column = columns.given().get(kind)
    if column is None and kind == "block" and wide:
        return table.row_levels(besides=list(columns.given().values()))
    if column is None and not wide and kind in table.names:
        column = kind
    if column is None or column not in table.names:
        raise InputError(
            setting("leave_out", (entry,))
            + f": there is no column of {show(kind)}{nearest(kind, table.names)}; "
            f"columns: {show_all(table.names)}"
        )
    return table.levels(column)


def _require_there(entry: str, label: str, labels: Sequence[str], what: str) -> None:
    if label not in labels:
        raise InputError(
            setting("leave_out", (entry,))
            + f": {show(label)} is not there{nearest(label, labels)}; "
            f"{what}: {show_all(labels)}"
        )


_FEWEST_BLOCKS = 5


def _same_notes(cells: Cells) -> Iterator[str]:
    """Yield a note about each set of algorithms that have the same scores."""
    n = len(cells.labels)
    if n < _FEWEST_BLOCKS:
        return
    alike: dict[bytes, list[str]] = {}
    for at, label in enumerate(cells.algorithms):
        own = np.ascontiguousarray(cells.values[:, at])
        if not np.isnan(own).all():
            alike.setdefault(own.tobytes(), []).append(label)
    for labels in alike.values():
        if len(labels) > 1:
            yield f"the same scores on all {n} blocks: {show_all(labels)}"
