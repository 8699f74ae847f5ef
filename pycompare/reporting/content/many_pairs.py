"""Tables of very many pairs: files with some of the pairs, and one file with all.

A CSV file of a million pairs is of no use to a reader and slow for every program. Above
100,000 pairs a CSV file has the best algorithm against each other one, neighbours in
the order, and the leaders of tiers against one another; all p-values are in a file of
columns.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from pycompare.base.tables import AnyTable, Columns, LabelColumn, MadeColumn
from pycompare.methods.pairs.common import MANY
from pycompare.reporting import document as doc
from pycompare.reporting.content.facts import Outcome
from pycompare.reporting.content.page import PageResult
from pycompare.reporting.content.rivals import reference
from pycompare.reporting.content.tiers import tiers
from pycompare.results.pair_rows import PairRows, PairSet, marks, pair_rows_of

_ALL = "all_pairs"
"""The file with all pairs."""
_TIERS = "tiers"
_ENDS = ("algorithm_1", "algorithm_2")
_MOST_LEADERS = 300
"""Leaders of tiers that are compared with one another in CSV files."""
_NOTE = (
    "CSV files have {some:,} of the {every:,} pairs: {subject} against each other "
    "{noun}, neighbours in the order, and leaders of tiers against one another. "
    "{columns} {file} has the p-values of all pairs. Estimates and intervals of other "
    "pairs: Comparison.interval in Python."
)


def with_some(result: PageResult, outcome: Outcome | None, suffix: str) -> PageResult:
    """Return a result whose CSV files have some of very many pairs.

    ``suffix`` is that of the file with all pairs.
    """
    if outcome is None or len(outcome.pairs) <= MANY or not outcome.values:
        return result
    shown = _shown(outcome)
    tables = {name: _some(table, shown) for name, table in result.tables.items()}
    subject = reference(outcome) or outcome.leaders[0]
    note = _NOTE.format(
        some=len(shown),
        every=len(outcome.pairs),
        subject=subject,
        noun=outcome.noun,
        columns="The Parquet file" if suffix == ".parquet" else "The NumPy file",
        file=f"tables/{result.prefix}{_ALL}{suffix}",
    )
    return replace(
        result,
        tables={**tables, _TIERS: _tiers(outcome)},
        whole={_ALL: _whole(outcome, result.tables.get("agreement"))},
        blocks=(doc.Paragraph(note, "note"), *result.blocks),
    )


def _shown(outcome: Outcome) -> PairSet:
    """Return the pairs that CSV files have."""
    rows = outcome.facts.rows
    place = np.array([rows.places[name] for name in outcome.values], np.intp)
    subject = reference(outcome) or outcome.leaders[0]
    shown = np.zeros(len(rows), bool)
    shown[rows.rows_with(subject)] = True
    leaders = np.array([rows.places[tier[0]] for tier in tiers(outcome)], np.intp)
    first, second = np.triu_indices(len(leaders[:_MOST_LEADERS]), 1)
    near = PairRows(rows.names, place[:-1], place[1:])
    led = PairRows(rows.names, leaders[first], leaders[second])
    for some in (near, led):
        at, _ = rows.located(some)
        shown[at[at >= 0]] = True
    return PairSet(rows, shown)


def _some(table: AnyTable, shown: PairSet) -> AnyTable:
    """Return the rows of the pairs that are shown, if it is a table of many pairs."""
    if len(table) <= MANY or not isinstance(table, Columns):
        return table
    if not all(name in table for name in _ENDS):
        return table
    rows = pair_rows_of(table, shown.rows.names)
    return table.take(np.flatnonzero(marks(shown, rows)))


def _tiers(outcome: Outcome) -> Columns:
    """Return the algorithms in their order, each with its tier."""
    tier = {
        name: place
        for place, group in enumerate(tiers(outcome), start=1)
        for name in group
    }
    names = list(outcome.values)
    return Columns(
        {
            outcome.noun: names,
            "place": np.arange(1, len(names) + 1),
            "value": np.array([*outcome.values.values()]),
            "tier": np.array([tier[name] for name in names]),
        }
    )


def _whole(outcome: Outcome, agreement: AnyTable | None) -> Columns:
    """Return all pairs, strongest evidence first, the better algorithm first.

    Numbers that are computed for the pairs that are read are not in it.
    """
    facts, columns = outcome.facts, outcome.facts.columns
    assert columns is not None
    rows = facts.rows
    table: dict[str, Any] = {
        name: LabelColumn(rows.names, ends)
        for name, ends in zip(_ENDS, rows.ends_of_all, strict=True)
    }
    if isinstance(columns.estimate, np.ndarray):
        table["estimate"] = columns.estimate
    if columns.interval and not isinstance(columns.interval[0], MadeColumn):
        table["conf_low"], table["conf_high"] = columns.interval
    table |= {"p_value": facts.p_value, "p_adjusted": facts.p_adjusted}
    if isinstance(agreement, Columns) and len(agreement) == len(rows):
        kept = [name for name in agreement if name.startswith("p_adjusted_")]
        table |= {name: agreement.as_stored(name) for name in kept}
    return Columns(table)
