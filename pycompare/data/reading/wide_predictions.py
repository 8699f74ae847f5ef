"""Predictions of one test set, or with a column of scores for each algorithm."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import label_positions, label_text, show
from pycompare.data.reading.tables import LongerTable
from pycompare.data.roles import RoleColumns
from pycompare.data.table import DataTable

_TEST_SET = "test set"
"""The label of the one block of predictions that have no column of blocks."""


def whole_predictions(
    table: DataTable, columns: RoleColumns, algorithms: Sequence[str] | None
) -> tuple[DataTable, RoleColumns]:
    """Return predictions with a row per case and algorithm, and the roles of columns.

    Parameters
    ----------
    table : DataTable
        One row per case and algorithm; or one per case, if ``algorithms`` is given.
    columns : RoleColumns
        Without ``block`` all cases are of one test set.
    algorithms : sequence of str or None
        RoleColumns of the scores of each algorithm. Without ``case`` rows are numbered.

    Raises
    ------
    InputError
        If a column has two roles, is not there, or those of algorithms and scores are
        named in two ways, or in none.
    """
    refuse_two_ways(columns, algorithms)
    if algorithms:
        table, columns = _stacked(table, columns, [*map(label_text, algorithms)])
    if columns.block is None:
        name = _free(_TEST_SET, table.names)
        table = LongerTable(table, labels={name: [_TEST_SET] * table.n_rows})
        columns = columns._replace(block=name)
    return table, columns


def refuse_two_ways(columns: RoleColumns, algorithms: Sequence[str] | None) -> None:
    """Reject columns of algorithms and scores that are named twice, or not at all."""
    named = [role for role in ("algorithm", "score") if getattr(columns, role)]
    if not algorithms and len(named) < 2:
        raise InputError(
            "name the columns of algorithms and of scores ("
            + setting("algorithm", ...)
            + ", "
            + setting("score", ...)
            + "), or, if each algorithm has a column of scores, these columns ("
            + setting("algorithms", ...)
            + ")"
        )
    if algorithms and named:
        raise InputError(
            setting("algorithms", tuple(algorithms))
            + " names columns of scores, and "
            + setting(named[0], getattr(columns, named[0]))
            + " a column of a table with one row per case and algorithm; leave one of "
            "them out"
        )
    if algorithms and columns.replicate is not None:
        raise InputError(
            setting("replicate", columns.replicate)
            + " is for tables with one row per case and algorithm; leave it out"
        )


def _stacked(
    table: DataTable, columns: RoleColumns, algorithms: list[str]
) -> tuple[LongerTable, RoleColumns]:
    """Return a table with the columns of scores one below the other."""
    label_positions("algorithms", algorithms, table.names)
    for role, name in columns.given().items():
        if name in algorithms:
            raise InputError(f"column {show(name)} has two roles: {role}, and scores")
    n, k = table.n_rows, len(algorithms)
    scores = table.scores_of(algorithms)
    kept = [name for name in table.names if name not in algorithms]
    rows = np.tile(np.arange(n), k)
    algorithm, score = _free("algorithm", kept), _free("score", kept)
    labels = {algorithm: [name for name in algorithms for _ in range(n)]}
    columns = columns._replace(algorithm=algorithm, score=score)
    if columns.case is None:
        columns = columns._replace(case=_free("case", kept))
        assert columns.case is not None
        labels[columns.case] = [str(row + 1) for row in range(n)] * k
    longer = LongerTable(
        table.taken(rows, kept),
        labels=labels,
        scores={score: np.concatenate([scores[name] for name in algorithms])},
    )
    return longer, columns


def _free(name: str, taken: Collection[str]) -> str:
    """Return a name that no column has."""
    while name in taken:
        name += "_"
    return name
