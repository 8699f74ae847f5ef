"""Families: tests of pairs whose p-values are adjusted together.

A test of pairs is made once, without any adjustment. A family is one such table, or
those of all metrics and groups; adjustment, gate and words are the family's, and its
members are the same tests as they are decided in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from pycompare.base.typing import Floats
from pycompare.results.adjust import (
    Adjustment,
    adjust_family,
    adjustment,
    family_adjustment,
)
from pycompare.results.result import BEFORE_GATE, OwnLimits, Test, changed

_GATED = ", if the test of all algorithms rejects"


@dataclass(frozen=True, kw_only=True, eq=False)
class Family:
    """Tables of tests of pairs whose p-values are adjusted together.

    Attributes
    ----------
    tables : tuple of Pairs
        Raw: adjusted by ``none``, or by what their own distribution gives.
    adjust : str or None
        Any name of ``pc.adjust``; None for one table that is adjusted by its own
        distribution (Tukey, Dunnett, max-T).
    gates : tuple of Test or None
        For each table the test of all algorithms that has to reject before its pairs
        may; none at all without a gate.
    words : str
        The hypotheses of several tables; one table states its own.
    level : float or None
        That of the intervals of several tables together.
    monotone : bool
        As in ``pc.adjust``.
    """

    tables: tuple[Any, ...]
    adjust: str | None
    gates: tuple[Test | None, ...] = ()
    words: str = ""
    level: float | None = None
    monotone: bool = False

    @property
    def alone(self) -> bool:
        """Whether it is one table."""
        return len(self.tables) == 1

    @property
    def size(self) -> int:
        """How many hypotheses there are."""
        return sum(len(table.as_columns()) for table in self.tables)

    @cached_property
    def chosen(self) -> Adjustment:
        """The adjustment; rejected if the hypotheses do not allow it."""
        assert self.adjust is not None
        if not self.alone:
            return adjustment(self.adjust)
        [table] = self.tables
        return family_adjustment(self.adjust, table.hypotheses, table.control)

    @cached_property
    def members(self) -> tuple[Any, ...]:
        """The tables as they are decided in the family."""
        gates = self.gates or (None,) * len(self.tables)
        return tuple(
            self._member(*parts)
            for parts in zip(self.tables, self.columns, gates, strict=True)
        )

    @property
    def before_gate(self) -> Floats:
        """The adjusted p-values of all hypotheses, before any gate."""
        return np.concatenate([columns["p_adjusted"] for columns in self.columns])

    @cached_property
    def columns(self) -> Sequence[dict[str, Floats]]:
        """The adjusted columns of each table, before any gate."""
        if self.adjust is None:
            return [{} for _ in self.tables]
        if self.alone:
            [table] = self.tables
            return [table.adjusted_columns(self.chosen, self.monotone)]
        raw = [table.raw_p() for table in self.tables]
        ends = np.cumsum([len(columns["p_adjusted"]) for columns in raw])[:-1]
        by_name = {
            name: np.split(
                adjust_family(
                    np.concatenate([columns[name] for columns in raw]), 0, self.chosen
                ),
                ends,
            )
            for name in raw[0]
            if all(name in columns for columns in raw)
        }
        return [
            {name: parts[at] for name, parts in by_name.items()}
            for at in range(len(raw))
        ]

    def _member(self, table: Any, columns: dict[str, Floats], gate: Test | None) -> Any:
        """Return a table as it is decided."""
        words: dict[str, Any] = {}
        if self.adjust is not None:
            words = table.words_of(self.chosen, self.monotone)
        if not self.alone:
            words |= {"family": self.words} | self._limits(table)
        if gate is not None:
            before = columns.get("p_adjusted")
            before = table.as_columns()["p_adjusted"] if before is None else before
            gated = np.maximum(before, gate.p_value)
            if np.array_equal(gated, before, equal_nan=True):
                gated = before  # of millions of pairs, one column
            columns = columns | {"p_adjusted": gated, BEFORE_GATE: before}
            words["gate"] = gate
            words["family"] = f"{words.get('family', table.family)}{_GATED}"
        if not columns and not words:
            return table
        if self.adjust is not None:
            more, fields = table.following(columns, self)
            columns, words = columns | more, words | fields
        held = table.as_columns().but(**columns)
        return changed(table, table=held, decided_in=self, **words)

    def _limits(self, table: Any) -> dict[str, str]:
        """Return how the intervals of one table go with those of the whole family."""
        bare = np.isnan(table.as_columns()["conf_low"].astype(float)).all()
        if bare or has_own_limits(table):
            return {}
        assert self.level is not None
        return {
            "interval": f"{table.interval}, at {100 * table.level:.10g}% in this "
            f"table, so that those of the whole family are simultaneous at "
            f"{100 * self.level:.10g}%"
        }


class Adjustable:
    """Tests of pairs that any family may hold: each has a p-value of its own."""

    @property
    def tested_by(self) -> Any:
        """The result whose raw p-values these are."""
        return self

    def raw_p(self: Any) -> dict[str, Floats]:
        """Return the p-values behind each adjusted column."""
        return {"p_adjusted": np.asarray(self.as_columns()["p_value"], float)}

    def adjusted(self: Any, adjust: str, *, monotone: bool = False) -> Any:
        """Return the same tests with p-values adjusted over this table."""
        return Family(tables=(self,), adjust=adjust, monotone=monotone).members[0]

    def adjusted_columns(
        self: Any, chosen: Adjustment, monotone: bool
    ) -> dict[str, Floats]:
        """Return the columns that an adjustment over this table makes."""
        a = len(self.algorithms)
        return {n: adjust_family(p, a, chosen) for n, p in self.raw_p().items()}

    def following(
        self, columns: dict[str, Floats], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the columns, and the fields, that follow from adjusted p-values."""
        return {}, {}

    def words_of(self, chosen: Adjustment, monotone: bool) -> dict[str, Any]:
        """Return the fields that state which adjustment was made."""
        return {"adjust": chosen.name}


def has_own_limits(table: Any) -> bool:
    """Return whether a family of several tables does not share out the intervals."""
    return isinstance(table, OwnLimits) and table.own_limits
