"""Shared parts of the analysis of one metric, whatever the analysis."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from pycompare.base.metric import Metric
from pycompare.base.tables import Columns
from pycompare.designs.decisions import Decision
from pycompare.designs.planned_pairs import decisive_of
from pycompare.designs.replicates import RunsWithin
from pycompare.methods.pairs.adjusted_pairs import bound_note
from pycompare.methods.pairs.superiority import SuperiorityResult
from pycompare.results.result import (
    BEFORE_GATE,
    NumberSource,
    Pairs,
    PairsResult,
    Test,
    plain,
    rows_of,
)

if TYPE_CHECKING:
    import pandas as pd

    from pycompare.designs.planned_posterior import PlannedPosterior
    from pycompare.designs.task_aggregates import TaskAggregates
    from pycompare.methods.pairs.margin_pairs import MarginPairsResult

PAIRS_WORDS = (
    "method",
    "estimate_name",
    "statistic_name",
    "adjust",
    "family",
    "interval",
    "level",
    "control",
    "reference",
    "p_source",
    "notes",
)
"""Statements of results.json about each method of comparing pairs."""

_ENDS = ("algorithm_1", "algorithm_2")
Titled = tuple[str, Any]
Compared = PairsResult | SuperiorityResult
"""Tests of pairs with raw and adjusted p-values."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Analysis:
    """All results for one metric.

    Attributes
    ----------
    kind : str
        Which analysis it is: ``ranks``, ``means``, ``two algorithms``, ``data sets`` or
        ``thresholds``; within that of data sets also ``over data sets``.
    metric : Metric
    decisions : sequence of Decision
        Decisions of the plan about each pair, strongest evidence first.
    runs : tuple of RunsWithin
        If each cell has several runs and the plan keeps them; one a data set on the
        analysis of data sets.
    within_margin : MarginPairsResult or None
        Equivalence or non-inferiority of pairs, if a margin is planned; two
        algorithms on blocks of one kind have theirs in ``TwoAnalysis.equivalence``.
    posterior : PlannedPosterior or None
        Posterior probabilities of pairs, if they are planned.
    tasks : TaskAggregates or None
        Aggregates over tasks and runs, if they are planned.
    compared : mapping of str to tuple of Pairs
        Each comparison of the plan's pairs by its adjustments, as its family decides
        it. The primary analysis is the first.
    """

    kind: ClassVar[str]
    has_ranks: ClassVar[bool] = True
    of_pairs: ClassVar[bool] = False
    """Whether a table of all pairs, or against a control, decides."""
    metric: Metric
    decisions: Sequence[Decision]
    runs: tuple[RunsWithin, ...] = ()
    within_margin: MarginPairsResult | None = None
    posterior: PlannedPosterior | None = None
    tasks: TaskAggregates | None = None
    compared: Mapping[str, tuple[Compared, ...]] = field(
        default_factory=dict, repr=False, metadata={"export": False}
    )

    @property
    def decisive(self) -> Any:
        """The pairs that decide; None if there are none."""
        return decisive_of(self.compared)

    @property
    def deciding_result(self) -> Any:
        """The result among ``results`` that the decisions are made from."""
        return None if self.decisive is None else self.decisive.tested_by

    @property
    def test_of_all(self) -> Test | None:
        """The test of no difference at all, if there is one."""
        return None

    @property
    def margin_test(self) -> Any:
        """The tests against the margin of the metric, if it has one."""
        return self.within_margin

    @property
    def rests_on(self) -> tuple[Any, ...]:
        """The tests that the conclusion rests on."""
        tests = (self.deciding_result, self.test_of_all, self.margin_test)
        return tuple(test for test in tests if test is not None)

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of everything computed, in the report's order."""
        raise NotImplementedError

    def beside(self) -> tuple[Titled, ...]:
        """Return title and result of what accompanies any primary analysis."""
        rows: list[Titled] = [row for runs in self.runs for row in runs.results()]
        if self.within_margin is not None:
            rows.append((self.within_margin.method, self.within_margin))
        if self.posterior is not None:
            rows.append((self.posterior.title, self.posterior.pairs))
        if self.tasks is not None:
            rows += self.tasks.results()
        return tuple(rows)

    def not_in_r(self) -> tuple[str, ...]:
        """Return the adjustments that R cannot repeat for so many algorithms."""
        names = (
            pairs.called
            for tables in self.compared.values()
            for pairs in tables
            if pairs.adjusted_here and not pairs.repeatable
        )
        return tuple(dict.fromkeys(names))

    def decision_sources(self) -> dict[str, NumberSource]:
        """Return whose p-values the decisions repeat: the first of those compared."""
        return {} if self.decisive is None else decided_by_source(self.decisive)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision."""
        names = [
            f.name for f in dataclasses.fields(self) if f.metadata.get("export", True)
        ]
        return {"kind": self.kind, **{name: self.plain_field(name) for name in names}}

    def plain_field(self, name: str) -> Any:
        """Return a field as plain values; an analysis within it has its own."""
        value = vars(self)[name]
        if name == "decisions":
            return rows_of(plain(value), ("better", "worse"), self.decision_sources())
        return value.to_dict() if isinstance(value, Analysis) else plain(value)


def decided_by_source(by: PairsResult) -> dict[str, NumberSource]:
    """Return the sources of decisions by a comparison of pairs; a gate is not R's."""
    return {
        "p_value": NumberSource(by.tested_by, "p_value"),
        "p_adjusted": _adjusted_of(by),
    }


def _adjusted_of(by: PairsResult) -> NumberSource:
    """Return the source of adjusted p-values; of one pair alone they are raw."""
    test = by.tested_by
    alone = test is not by and by.adjusted_here
    return NumberSource(test, "p_value") if alone else adjusted_source(by)


def adjusted_source(by: Pairs | SuperiorityResult) -> NumberSource:
    """Return the source of adjusted p-values, after any gate."""
    return NumberSource(by, "p_adjusted", by.gate)


@dataclass(frozen=True, kw_only=True, eq=False)
class ComparedPairs(Analysis):
    """Pairs of algorithms, compared by one method or more.

    Attributes
    ----------
    pairs : tuple of PairsResult
        One per method of the plan; the first is decisive, unless an analysis states
        more.
    cliques : tuple of tuple of str, optional
        Groups without a significant difference, by the decisive method; none with a
        control. None if they are more than 1,000.
    """

    of_pairs = True
    pairs: tuple[PairsResult, ...]
    cliques: tuple[tuple[str, ...], ...] | None

    @property
    def in_unit(self) -> bool:
        """Whether differences are in the metric's own unit and direction."""
        return False

    @property
    def joint(self) -> bool:
        """Whether the family holds pairs of other metrics or groups too."""
        return not self.decisive.adjusted_here

    def pairs_table(self) -> pd.DataFrame:
        """Return the pairs with all adjusted p-values side by side."""
        return self.pairs_columns().pandas()

    def pairs_columns(self) -> Columns:
        """Return that table as pages and files read it."""
        named = self.pairs[0].as_written()
        own = {n: named.as_stored(n) for n in named if n != BEFORE_GATE}
        adjusted = {
            f"p_{pairs.called}": pairs.as_columns()["p_adjusted"]
            for pairs in self.pairs
        }
        return Columns(own | adjusted, named.index)

    def _sources(self) -> dict[str, NumberSource]:
        """Return whose numbers are in the columns of ``pairs_columns``."""
        first = self.pairs[0]
        return (
            first.column_sources()
            | {"p_adjusted": _adjusted_of(first)}
            | {f"p_{pairs.called}": _adjusted_of(pairs) for pairs in self.pairs}
        )

    def results(self) -> tuple[Titled, ...]:
        """Return title and result of each method."""
        return tuple((f"{p.method}, adjusted: {p.adjust}", p) for p in self.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold, at full precision."""
        fields = Analysis.to_dict(self)
        fields["pairs_by"] = [
            {name: plain(getattr(pairs, name, None)) for name in PAIRS_WORDS}
            | ({"bound": note} if (note := bound_note(pairs)) else {})
            for pairs in self.pairs
        ]
        return fields

    def plain_field(self, name: str) -> Any:
        """Return a field; pairs are one table with all p-values side by side."""
        if name == "pairs":
            return rows_of(plain(self.pairs_columns()), _ENDS, self._sources())
        return super().plain_field(name)


@dataclass(frozen=True, kw_only=True, eq=False)
class PairsAnalysis(ComparedPairs):
    """An omnibus test, then pairs of algorithms; see ``ComparedPairs``.

    Attributes
    ----------
    omnibus : Test
        The test of no difference at all.
    """

    omnibus: Test

    @property
    def test_of_all(self) -> Test:
        """The test of no difference at all."""
        return self.omnibus
