"""A table of wins over data sets: who was significantly better, how often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import is_finite, numbers
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.labels import require_two, show, unique_labels
from pycompare.base.tables import Columns
from pycompare.base.typing import Bools, Ints
from pycompare.results.result import Result

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, kw_only=True, eq=False)
class WinTable(Result):
    """A table of wins of algorithms over each other.

    Attributes
    ----------
    wins : DataFrame of int
        Row beats column, on so many data sets; 0 on the diagonal.
    n_datasets : int
    totals : Series of int or None
        Data sets on which an algorithm beats at least one other (Aslan's (2009) column
        "total", a union and not a sum); None if only the table is known.
    control : str or None
        The algorithm that each other one was compared with, and no two others; their
        counts are 0.
    reference : str

    Examples
    --------
    >>> import pycompare as pc
    >>> table = pc.win_table([[0, 12], [1, 0]], 15, algorithms=("A", "B"))
    >>> int(table.wins.loc["A", "B"]), table.n_datasets
    (12, 15)
    """

    wins: pd.DataFrame
    n_datasets: int
    totals: pd.Series | None = None
    control: str | None = None
    reference: str = "Aslan (2009) sec. 6.1"

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, in the order of the data."""
        return tuple(self.wins.index)

    @property
    def losses(self) -> pd.DataFrame:
        """Row is beaten by column, on so many data sets."""
        return self.wins.T.copy()

    @property
    def ties(self) -> pd.DataFrame:
        """Data sets on which neither is better; 0 on the diagonal."""
        ties = self.n_datasets - self.wins - self.wins.T
        return ties.where(self.compared, 0)

    @property
    def compared(self) -> Bools:
        """Return which two algorithms were compared."""
        if self.control is None:
            return ~np.eye(len(self.wins), dtype=bool)
        own = np.array(self.algorithms, dtype=object) == self.control
        return own[:, None] ^ own[None, :]

    def as_columns(self) -> Columns:
        """Return the wins, row beats column, with the totals if they are known."""
        frame = self.wins.copy()
        if self.totals is not None:
            frame.insert(
                len(frame.columns), "total", self.totals, allow_duplicates=True
            )
        return Columns.of(frame)

    def heading(self) -> str:
        """Return the events that the table counts."""
        against = "" if self.control is None else f", against {self.control} only"
        return f"Wins over {self.n_datasets} data sets, row beats column{against}"

    def summary(self, digits: int = 4) -> str:
        """Return the table as text."""
        return f"{self.heading()}\n{self.as_columns().pandas().to_string()}"

    def counts(self) -> Ints:
        """Return the wins as an array."""
        return self.wins.to_numpy(dtype=int)

    def counts_for_r(self) -> dict[str, Any]:
        """Return the counts row by row, under R's names."""
        squares = {
            name: getattr(self, name).to_numpy(float).ravel()
            for name in ("wins", "ties", "losses")
        }
        return squares | {"totals": np.asarray(self.totals, float)}

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values; tables as rows in the order of algorithms."""
        fields = super().to_dict()
        for name in ("wins", "losses", "ties"):
            fields[name] = getattr(self, name).to_numpy().tolist()
        return {"algorithms": list(self.algorithms), **fields}


@checked
def win_table(
    wins: pd.DataFrame | ArrayLike,
    n_datasets: int,
    *,
    algorithms: Sequence[str] | None = None,
    totals: Mapping[str, int] | pd.Series | None = None,
) -> WinTable:
    """Return a table of wins over data sets from counts, such as published ones.

    Parameters
    ----------
    wins : square DataFrame or array of whole numbers
        Row beats column; the diagonal is 0.
    n_datasets : int
        All data sets, ties included.
    algorithms : sequence of str, optional
        Labels; those of the frame, or 1, 2, ... by default.
    totals : mapping or Series, optional
        Data sets on which each algorithm beats at least one other.

    Returns
    -------
    WinTable

    Raises
    ------
    InputError
        If the table is not square, has other labels on its rows than on its columns,
        holds something else than whole numbers, or has more wins and losses of a pair
        than there are data sets.

    Examples
    --------
    >>> import pycompare as pc
    >>> table = pc.win_table([[0, 12, 3], [1, 0, 2], [3, 4, 0]], 15)
    >>> table.wins
       1   2  3
    1  0  12  3
    2  1   0  2
    3  3   4  0
    """
    import pandas as pd

    values = _whole_numbers(wins)
    if isinstance(wins, pd.DataFrame):
        frame: pd.DataFrame = wins
        if list(frame.index) != list(frame.columns):
            raise InputError("rows and columns of the wins must have the same labels")
        algorithms = list(frame.index) if algorithms is None else algorithms
    if algorithms is None:
        algorithms = [str(i + 1) for i in range(len(values))]
    names = unique_labels(algorithms, what="algorithms")
    require_two("algorithms", names)
    if len(names) != len(values):
        raise InputError(f"{len(names)} algorithms and a table of {len(values)} rows")
    _check_counts(values, names, n_datasets)
    return WinTable(
        wins=labelled(values, names),
        n_datasets=int(n_datasets),
        totals=None if totals is None else _labelled_totals(totals, names),
    )


def as_win_table(wins: Any, n_datasets: int | None) -> WinTable:
    """Return a table of wins from what a caller has."""
    if isinstance(wins, WinTable):
        if n_datasets not in (None, wins.n_datasets):
            raise InputError(
                f"n_datasets={n_datasets}, but the wins are over {wins.n_datasets} "
                f"data sets; leave n_datasets out"
            )
        return wins
    if n_datasets is None:
        raise InputError(
            "a table of wins does not show the number of data sets, because ties are "
            "not in it: give n_datasets"
        )
    return win_table(wins, n_datasets)


def _whole_numbers(wins: Any) -> Ints:
    """Return a square array of whole numbers, or state what is wrong with it."""
    values = numbers(wins, "wins")
    if values.ndim != 2 or values.shape[0] != values.shape[1]:
        raise InputError(
            f"wins of shape {values.shape}: give a square table, row beats column"
        )
    bad = np.argwhere(~((values >= 0) & (values == np.round(values))))
    if len(bad):
        i, j = bad[0]
        raise InputError(
            f"wins are counts, and row {i + 1}, column {j + 1} is {values[i, j]:g}"
        )
    return values.astype(int)


def _check_counts(values: Ints, names: tuple[str, ...], n_datasets: int) -> None:
    """Reject counts that cannot be."""
    if not is_finite(n_datasets) or n_datasets % 1 or n_datasets < 1:
        raise InputError(f"n_datasets={n_datasets!r}: give a whole number, at least 1")
    if np.diagonal(values).any():
        i = int(np.flatnonzero(np.diagonal(values))[0])
        raise InputError(
            f"{show(names[i])} has {values[i, i]} wins over itself; the diagonal is 0"
        )
    over = np.argwhere(values + values.T > n_datasets)
    if len(over):
        i, j = over[0]
        raise InputError(
            f"{show(names[i])} and {show(names[j])} have {values[i, j]} and "
            f"{values[j, i]} wins over each other, more than n_datasets={n_datasets}"
        )


def labelled(values: Ints, names: Sequence[str]) -> pd.DataFrame:
    """Return a square table with the algorithms on both sides."""
    import pandas as pd

    index = pd.Index(list(names), dtype=object)
    return pd.DataFrame(values, index=index, columns=index)


def _labelled_totals(
    totals: Mapping[str, int] | pd.Series, names: tuple[str, ...]
) -> pd.Series:
    """Return the totals in the order of the algorithms."""
    import pandas as pd

    if not isinstance(totals, Mapping | pd.Series):
        raise InputError(f"totals={show(totals)}: give a dict or a Series")
    given = dict(totals.items())
    if set(given) != set(names):
        raise InputError(
            f"totals are for {sorted(map(str, given))}, the algorithms are "
            f"{list(names)}"
        )
    return pd.Series([given[name] for name in names], index=list(names))
