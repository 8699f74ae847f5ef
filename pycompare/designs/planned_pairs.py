"""Tests of pairs that a plan names, before and after their family is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from pycompare.designs.plans.plan import Plan
from pycompare.results.family import Family
from pycompare.results.result import Pairs, Test

P = TypeVar("P", bound=Pairs)


@dataclass(frozen=True, eq=False)
class PlannedPairs:
    """Raw tests of pairs of one table, and how the plan wants them adjusted.

    Attributes
    ----------
    tests : Pairs or SuperiorityResult
    adjust : str
        A name of ``pc.adjust``, or that of the tests' own distribution.
    monotone : bool
    gate : Test or None
        The test of all algorithms, if the plan has that gate.
    """

    tests: Any
    adjust: str
    monotone: bool = False
    gate: Test | None = None

    def decided_alone(self) -> Any:
        """Return the tests as they are decided separately."""
        return Family(
            tables=(self.tests,),
            adjust=None if self.tests.adjust == self.adjust else self.adjust,
            gates=(self.gate,),
            monotone=self.monotone,
        ).members[0]


def with_own_adjustment(tests: Pairs, gate: Test | None) -> PlannedPairs:
    """Plan tests adjusted by their own distribution, or by what replaces it."""
    return PlannedPairs(tests, tests.adjust, gate=gate)


Decided = Mapping[str, tuple[Any, ...]]
"""Comparisons of pairs by where they stand, as they are decided."""


def decisive_of(decided: Decided) -> Any:
    """Return the comparison of pairs that decides: the first; None if there is none.

    Nothing else states which result is the primary analysis.
    """
    first = next(iter(decided.values()), ())
    return first[0] if first else None


def each_decided_alone(
    planned: Mapping[str, Sequence[PlannedPairs]],
) -> dict[str, tuple[Any, ...]]:
    """Return the comparisons of one table, each as a family of its own."""
    return {
        key: tuple(pairs.decided_alone() for pairs in tables)
        for key, tables in planned.items()
    }


def gate_of(test: Test, plan: Plan) -> Test | None:
    """Return the test that pairs have to wait for; None without a gate."""
    return None if plan.gate == "none" else test


def after_gate(pairs: P, test: Test, plan: Plan) -> P:
    """Return pairs that are decided only if the test of all algorithms rejects."""
    gated: P = with_own_adjustment(pairs, gate_of(test, plan)).decided_alone()
    return gated


def joint_family(tables: Sequence[PlannedPairs], words: str, level: float) -> Family:
    """Return tests of several tables as one family."""
    first = tables[0]
    return Family(
        tables=tuple(table.tests for table in tables),
        adjust=first.adjust,
        gates=tuple(table.gate for table in tables),
        words=words,
        level=level,
        monotone=first.monotone,
    )
