"""A column called judge, without a role, beside a metric that is often blank."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.labels import show
from pycompare.data.reading.doubts import Doubt
from pycompare.data.reading.seen import Seen
from pycompare.data.reading.words import words_of
from pycompare.data.table import DataTable

_SHARE = 0.1
"""Share of the items from which on blanks are no failures of single answers."""


def called_judge(names: Iterable[str]) -> list[str]:
    """Return the names of columns that are called as the scores of a judge are.

    Examples
    --------
    >>> called_judge(["human", "judge", "llm_judge_score", "prejudged"])
    ['judge', 'llm_judge_score']
    """
    return [name for name in names if "judge" in words_of(name)]


def judge_column(seen: Seen) -> Iterator[Doubt]:
    """Yield a column of a judge that scored all answers, if a metric has few scores.

    People then seem to have labelled a sample of the items. Not asked if the role is
    given, or if the judge has blanks too.
    """
    if seen.cells is None or seen.wide or seen.columns.judge is not None:
        return
    judges = _complete(seen.table, {*seen.columns.given().values()})
    if not judges:
        return
    for at, metric in enumerate(seen.metrics):
        values = seen.cells.values[:, :, at]
        count, n = int(np.isnan(values).all(axis=1).sum()), len(values)
        if metric.name in judges or not _SHARE * n <= count < n:
            continue
        yield Doubt(
            "judge-column",
            f"{show(metric.name)} is blank on {count} of {n} items, which are read as "
            f"missing scores, and {show(judges[0])} has a score in every row, as a "
            "judge of all answers has beside people's labels of some",
            (judges[0],),
            change="name the judge, and how the labelled items were chosen: "
            + setting("judge", judges[0])
            + " and "
            + setting("labels", "random")
            + " (or "
            + setting("labels", "strata")
            + " and "
            + setting("stratum", ...)
            + ") with "
            + setting("blocks", "cases"),
        )
        return


def _complete(table: DataTable, taken: Collection[str]) -> list[str]:
    """Return the columns called judge that hold a number in every row."""
    complete = []
    for name in called_judge(table.names):
        try:
            if name not in taken and not np.isnan(table.numbers(name)).any():
                complete.append(name)
        except InputError:  # names of judges, not their scores
            continue
    return complete
