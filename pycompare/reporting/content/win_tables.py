"""Tables of wins over data sets, and of sign tests of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd

from pycompare.designs.pair_methods import short_title
from pycompare.methods.over_datasets.sign_grid import SignGridResult
from pycompare.methods.over_datasets.win_table import WinTable
from pycompare.methods.over_datasets.wins import WinsResult
from pycompare.reporting.content import build
from pycompare.reporting.content.build import PAIR, WINS, Field
from pycompare.reporting.content.tables import named_by_us
from pycompare.reporting.document import Table


def counts_for_csv(won: WinTable) -> pd.DataFrame:
    """Return the counts of wins, row beats column, with totals if they are known."""
    frame = named_by_us(won.wins, "wins over")
    if won.totals is not None:
        frame["total"] = won.totals.to_numpy()
    return frame


def of_counts(
    caption: str,
    wins: pd.DataFrame,
    totals: pd.Series,
    compared: Callable[[str, str], bool],
) -> Table:
    """Return on how many data sets the row beats the column, and totals."""
    order = [str(n) for n in totals.sort_values(ascending=False, kind="stable").index]

    def against(other: str) -> Field:
        return Field(
            other,
            "count",
            lambda name: int(wins.loc[name, other]) if compared(name, other) else None,
        )

    total = Field("total", "count", lambda name: int(totals[name]))
    row = Field("Row beats column", "label", str)
    return build.table(caption, order, row, total, *map(against, order), file="wins")


def wins(won: WinsResult) -> Table:
    """Return a table of wins with totals."""
    place = {name: i for i, name in enumerate(won.algorithms)}
    assert won.totals is not None
    return of_counts(
        f"Wins: on how many of {won.n_datasets} data sets the row is significantly "
        f"better than the column ({won.method}, alpha = {won.alpha:g} on each). "
        f"Total: data sets on which it beats at least one other.",
        won.wins,
        won.totals,
        lambda name, other: bool(won.compared[place[name], place[other]]),
    )


def sign_rows(
    adjustments: Sequence[SignGridResult], alpha: float, *, file: str
) -> Table:
    """Return sign tests with the p-values of several adjustments; the first decides."""
    first = adjustments[0]
    return build.table(
        f"Exact two-sided sign tests of wins over {first.family}. Ties are split "
        f"equally; an odd tie is dropped. Bold: adjusted p ≤ {alpha:g}.",
        build.by_evidence(first.as_columns()),
        PAIR,
        *(build.adjusted(p, alpha, short_title(p.called)) for p in adjustments),
        WINS,
        Field("counted", "count", "n_used"),
        Field("raw p", "p", "p_value"),
        file=file,
    )
