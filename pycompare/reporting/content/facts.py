"""What a page states, as facts; ``wording`` turns them into sentences.

A fact has its subject, relation and object, the metric, the method, the estimate with
its interval, the adjusted p-value and alpha. Tests check facts; no code compares or
edits sentences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from pycompare.base.made_rows import MadeRows
from pycompare.base.metric import Metric
from pycompare.base.tables import MadeColumn
from pycompare.base.typing import Bools, Floats, Ints
from pycompare.designs.decisions import Decision, Decisions
from pycompare.designs.firmness import (
    Firmness,
    LeftOut,
    OtherAnalysis,
    OtherDecisions,
    OtherOmnibus,
)
from pycompare.results.guarantees import Guarantee
from pycompare.results.pair_rows import (
    Pair,
    PairRows,
    PairSides,
    PairWinners,
    marks,
    sides,
)
from pycompare.results.placement import Placement
from pycompare.results.result import Test


class Remark(str):
    """A sentence that carries its fact: two of them state the same if the facts do."""

    fact: Hashable


def stated(text: str, **values: Hashable) -> Remark:
    """Return a sentence with the values that its text names; both are its fact."""
    remark = Remark(text.format(**values))
    remark.fact = (text, tuple(values.items()))
    return remark


_TURNED: dict[float, Callable[[float], float]] = {
    0.0: lambda x: -x,
    0.5: lambda x: 1 - x,
    1.0: lambda x: 1 / x if x else math.inf,
}
"""Estimates of pairs that are turned round, by the value of no difference."""

_SAME_LEVEL = _SAME_P = 1e-9
Relation = Literal["better", "no significant difference", "not tested"]


def _size_of(value: float) -> float:
    """Return a number without its sign and rounding error."""
    return float(f"{abs(value):.12g}")


@dataclass(frozen=True, kw_only=True)
class PairFact:
    """Decisions about two algorithms."""

    # The algorithm that did better, how it stands to the other one, and that one.
    subject: str
    relation: Relation
    object: str
    metric: Metric
    # Subject minus object; None where the method estimates nothing in a unit.
    estimate: float | None
    interval: tuple[float, float] | None
    level: float  # of the interval
    lower_is_better: bool  # whether a smaller estimate favours the subject
    p_value: float
    p_adjusted: float
    alpha: float
    method: str  # test and adjustment
    estimate_name: str = "difference"
    estimate_names: str = "differences"  # of several
    # The estimate of algorithms that do not differ; 1 of ratios, 1/2 of shares.
    null: float = 0.0
    alone: bool = False  # whether no other pair is compared

    @property
    def significant(self) -> bool:
        """Whether the subject is significantly better."""
        return self.relation == "better"

    @property
    def pair(self) -> frozenset[str]:
        """The two algorithms."""
        return frozenset((self.subject, self.object))

    @property
    def contradicted(self) -> bool:
        """Whether the interval holds no difference if the test rejects, or not.

        One of a level that so few blocks can reach does not contradict the test.
        """
        if self.level < 1 - self.alpha - _SAME_LEVEL:
            return False
        return self.apart

    @property
    def apart(self) -> bool:
        """The same whatever the level of the interval."""
        if self.interval is None or any(map(math.isnan, self.interval)):
            return False
        low, high = self.interval
        tested = self.relation != "not tested"
        return tested and self.significant == (low <= self.null <= high)

    @property
    def title(self) -> str:
        """The two algorithms, the better one first."""
        return f"{self.subject} – {self.object}"

    def distance(self) -> float:
        """Return the size of the difference; -1 if it has no number."""
        if self.estimate is None or math.isnan(self.estimate):
            return -1.0
        if self.null != 1:
            return abs(self.estimate - self.null)
        return abs(math.log(self.estimate)) if self.estimate > 0 else math.inf

    @property
    def ahead(self) -> float:
        """By how much the estimate favours the subject; NaN without an estimate."""
        if self.estimate is None:
            return math.nan
        apart = self.estimate - self.null
        return -apart if self.lower_is_better else apart

    def other(self, name: str) -> str:
        """Return the algorithm that one is compared with."""
        return self.object if self.subject == name else self.subject

    def seen_from(self, name: str) -> PairFact:
        """Return the fact with the estimate of ``name`` minus the other algorithm."""
        if self.object != name:
            return self
        turned = replace(self, subject=name, object=self.subject)
        turn = _TURNED[self.null]
        low, high = self.interval or (0.0, 0.0)
        return replace(
            turned,
            estimate=None if self.estimate is None else turn(self.estimate),
            interval=self.interval and (turn(high), turn(low)),
        )


_UNTESTED, _RETAINED, _BETTER = range(3)
RELATIONS: tuple[Relation, ...] = (
    "not tested",
    "no significant difference",
    "better",
)


@dataclass(frozen=True, eq=False)
class FactColumns:
    """The columns behind the facts of many pairs.

    Attributes
    ----------
    rows : PairRows
        Subject and object of each fact.
    relation : ndarray of int8
        Places among the three relations.
    p_value, p_adjusted, level : ndarray
    estimate : ndarray, MadeColumn or None
        None if the method estimates nothing in a unit.
    interval : tuple of two ndarray or MadeColumn, or None
    common : mapping of str
        The other fields, which all facts share.
    """

    rows: PairRows
    relation: PairSides
    p_value: Floats
    p_adjusted: Floats
    level: Floats
    estimate: AnyColumn | None
    interval: tuple[AnyColumn, AnyColumn] | None
    common: Mapping[str, Any]

    def some(self, kept: Ints) -> FactColumns:
        """Return some of the facts."""
        interval = self.interval
        if interval is not None:
            interval = _some(interval[0], kept), _some(interval[1], kept)
        return FactColumns(
            self.rows.take(kept),
            self.relation[kept],
            self.p_value[kept],
            self.p_adjusted[kept],
            self.level[kept],
            None if self.estimate is None else _some(self.estimate, kept),
            interval,
            self.common,
        )

    def facts(self) -> list[PairFact]:
        """Return all of the facts."""
        m, names = len(self.rows), self.rows.names
        low, high = self.interval or (None, None)
        columns = (
            self.rows.first.tolist(),
            self.rows.second.tolist(),
            self.relation.tolist(),
            *(c.tolist() for c in (self.p_value, self.p_adjusted, self.level)),
            *(_listed(column, m) for column in (self.estimate, low, high)),
        )
        return [
            PairFact(
                subject=names[first],
                relation=RELATIONS[relation],
                object=names[second],
                p_value=p_value,
                p_adjusted=p_adjusted,
                level=level,
                estimate=estimate,
                interval=None if self.interval is None else (low, high),
                **self.common,
            )
            for first, second, relation, p_value, p_adjusted, level, estimate, low, high
            in zip(*columns, strict=True)
        ]  # fmt: skip

    @property
    def not_made(self) -> bool:
        """Whether estimates or intervals are computed for the pairs that are read."""
        own = (self.estimate, *(self.interval or ()))
        return any(isinstance(column, MadeColumn) for column in own)

    @property
    def contradicted(self) -> bool:
        """Whether an interval contradicts its decision; see ``PairFact``.

        Intervals that are computed when they are read are made of the decisions.
        """
        if self.interval is None or isinstance(self.interval[0], MadeColumn):
            return False
        null, alpha = self.common.get("null", 0.0), self.common["alpha"]
        low, high = map(np.asarray, self.interval)
        known = ~(np.isnan(low) | np.isnan(high) | (self.relation == _UNTESTED))
        known &= self.level >= 1 - alpha - _SAME_LEVEL
        holds = (low <= null) & (null <= high)
        return bool((known & ((self.relation == _BETTER) == holds)).any())


AnyColumn = Floats | MadeColumn
"""Numbers of pairs, computed or not."""


def _some(column: Any, kept: Ints) -> Any:
    """Return some rows; those of a column that is not computed are not yet, either."""
    return column.later(kept) if isinstance(column, MadeColumn) else column.take(kept)


def _listed(column: AnyColumn | None, n: int) -> list[Any]:
    return [None] * n if column is None else np.asarray(column).tolist()


class PairFacts(MadeRows[PairFact]):
    """Facts about pairs, strongest evidence first.

    Parameters
    ----------
    held : FactColumns or None
        None if the facts were made one by one.
    facts : sequence of PairFact
        Those that were.
    kept : ndarray of int, optional
        The places of these facts among the columns, which are taken when they are
        read: few are read of millions of pairs.
    """

    def __init__(
        self,
        held: FactColumns | None,
        facts: Sequence[PairFact] = (),
        kept: Ints | None = None,
    ) -> None:
        self._held, self._listed, self._kept = held, facts, kept
        whole = facts if held is None else held.rows
        super().__init__(len(whole if kept is None else kept))

    def _make(self, row: int) -> PairFact:
        if self._held is None:
            return self._listed[row]
        return self._held.some(self._places(np.array([row]))).facts()[0]

    @classmethod
    def of(cls, facts: Sequence[PairFact]) -> PairFacts:
        """Return facts with their columns."""
        return facts if isinstance(facts, PairFacts) else cls(None, facts)

    def __getitem__(self, at: Any) -> Any:
        if self._held is None or not isinstance(at, slice):
            return super().__getitem__(at)
        kept = self._places(np.arange(len(self))[at])
        return tuple(self._held.some(kept).facts())

    def __iter__(self) -> Iterator[PairFact]:
        for start in range(0, len(self), _FACTS_AT_ONCE):
            yield from self[start : start + _FACTS_AT_ONCE]

    def _places(self, rows: Ints) -> Ints:
        """Return the places of some of these facts among the columns."""
        return rows if self._kept is None else self._kept[rows]

    def _column(self, column: Any) -> Any:
        """Return the part of a column, or of the pairs, that is of these facts."""
        return column if self._kept is None else _some(column, self._kept)

    @property
    def columns(self) -> FactColumns | None:
        """The columns; None if the facts were made one by one."""
        if self._held is None or self._kept is None:
            return self._held
        return self._held.some(self._kept)

    @cached_property
    def rows(self) -> PairRows:
        """Subject and object of each fact."""
        if self._held is None:
            return PairRows.of((fact.subject, fact.object) for fact in self._listed)
        return self._column(self._held.rows)

    @cached_property
    def relation(self) -> PairSides:
        """0 if a pair is not tested, 2 if the subject is better, else 1."""
        if self._held is None:
            each = [RELATIONS.index(fact.relation) for fact in self._listed]
            return np.array(each, np.int8)
        return self._column(self._held.relation)

    @cached_property
    def p_value(self) -> Floats:
        """The raw p-values."""
        if self._held is None:
            return np.array([fact.p_value for fact in self._listed], float)
        return self._column(self._held.p_value)

    @cached_property
    def p_adjusted(self) -> Floats:
        """The adjusted p-values."""
        if self._held is None:
            return np.array([fact.p_adjusted for fact in self._listed], float)
        return self._column(self._held.p_adjusted)

    @property
    def estimate(self) -> Floats:
        """The estimates; NaN where a method estimates nothing."""
        if self._held is None:
            known = [fact.estimate for fact in self._listed]
            return np.array([math.nan if e is None else e for e in known], float)
        if self._held.estimate is None:
            return np.full(len(self), math.nan)
        return np.asarray(self._column(self._held.estimate))

    def where(self, marked: Bools | Ints) -> PairFacts:
        """Return some of the facts."""
        kept: Any = np.arange(len(self), dtype=np.int32)[marked]
        if self._held is None:
            return PairFacts(None, [self._listed[row] for row in kept.tolist()])
        return PairFacts(self._held, kept=self._places(kept))

    def among(self, pairs: Set[Pair]) -> PairFacts:
        """Return the facts about some pairs."""
        return self.where(marks(pairs, self.rows))

    def seen_from(self, name: str) -> list[PairFact]:
        """Return the facts about one algorithm, each as it is seen from it."""
        if name not in self._seen:
            about = self.where(self.rows.rows_with(name))
            self._seen[name] = [fact.seen_from(name) for fact in about]
        return self._seen[name]

    @cached_property
    def _seen(self) -> dict[str, list[PairFact]]:
        """The facts about algorithms that pages ask for many times."""
        return {}

    @cached_property
    def _few(self) -> FactColumns | None:
        """The columns; of those that are not computed the rows that pages show."""
        columns = self.columns
        if columns is None or not columns.not_made:
            return columns
        shown = np.zeros(len(self), bool)
        shown[:_MOST_SHOWN] = True
        for name in self._seen:
            shown[self.rows.rows_with(name)] = True
        return columns.some(np.flatnonzero(shown))

    @cached_property
    def _sizes(self) -> Floats:
        """The sizes of the estimates in order."""
        few = self._few
        if few is None or few.estimate is None:
            return np.sort(np.abs(self.estimate))
        return np.sort(np.abs(np.asarray(few.estimate)))

    def has_estimate(self, value: float) -> bool:
        """Return whether a number is the estimate of a pair, whatever its sign."""
        wanted = _size_of(value)
        return any(_size_of(x) == wanted for x in _near(self._sizes, abs(value)))

    def has_interval(self, limits: Sequence[float]) -> bool:
        """Return whether limits are those of a pair, whatever their signs and order."""
        wanted = frozenset(map(_size_of, limits))
        if self._few is None:
            return wanted in self._interval_sizes
        if self._few.interval is None:
            return False
        smaller, larger = self._limits
        start, end = _around(smaller, min(map(abs, limits)))
        near = zip(smaller[start:end].tolist(), larger[start:end].tolist(), strict=True)
        return any(frozenset(map(_size_of, both)) == wanted for both in near)

    @cached_property
    def _limits(self) -> tuple[Floats, Floats]:
        """The sizes of the limits, in the order of the smaller one."""
        assert self._few is not None and self._few.interval is not None
        low, high = (np.abs(np.asarray(limit)) for limit in self._few.interval)
        smaller, larger = np.minimum(low, high), np.maximum(low, high)
        order = np.argsort(smaller, kind="stable")
        return smaller[order], larger[order]

    @cached_property
    def _interval_sizes(self) -> set[frozenset[float]]:
        """The intervals of facts that are made already."""
        return {frozenset(map(_size_of, f.interval)) for f in self if f.interval}


_FACTS_AT_ONCE = 1000
_MOST_SHOWN = 1000
"""Pairs of a page's tables at most, the strongest evidence first."""
_SAME_SIZE = 1e-11
"""Two numbers of the same size differ by less, as a share of the larger one."""


def _around(ordered: Floats, value: float) -> tuple[int, int]:
    """Return the ends of the part of ordered numbers that are near a value."""
    ends = value * (1 - _SAME_SIZE), value * (1 + _SAME_SIZE)
    start, end = (
        np.searchsorted(ordered, ends[0]),
        np.searchsorted(ordered, ends[1], "right"),
    )
    return int(start), int(end)


def _near(ordered: Floats, value: float) -> Iterator[float]:
    """Yield the different numbers that are near a value."""
    start, end = _around(ordered, value)
    yield from dict.fromkeys(ordered[start:end].tolist())


class _FactsByPair(Mapping[Pair, PairFact]):
    """The facts by their pairs."""

    def __init__(self, facts: PairFacts) -> None:
        self.facts = facts

    def __getitem__(self, pair: Pair) -> PairFact:
        row = self.facts.rows.row(pair)
        if row < 0:
            raise KeyError(pair)
        return self.facts[row]

    def __iter__(self) -> Iterator[Pair]:
        return map(frozenset, self.facts.rows.labels)

    def __len__(self) -> int:
        return len(self.facts)


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The facts about one family of pairs in one metric."""

    metric: Metric
    # What the algorithms are ordered by, such as "mean rank"; empty where they have
    # no number of their own.
    quantity: str
    values: Mapping[str, float]  # that number of each algorithm, best first
    pairs: Sequence[PairFact]  # strongest evidence first
    omnibus: Test | None  # the test of no difference at all
    method: str  # test and adjustment, spelled out
    # The pairs that were adjusted together, in words; empty if they are "pairs".
    family: str
    guarantee: Guarantee  # the error rate over that family, and what it rests on
    alpha: float
    control: str | None
    # What the best number is: "lowest" or "highest" in the metric's unit.
    best: str = "best"
    counted: str = ""  # how it is counted, which follows it: "; ties count half"
    noun: Literal["algorithm", "modality", "model"] = "algorithm"  # what is compared
    # What a pair is compared in, where "better" alone would say more: mean ranks.
    better_in: Placement | None = None
    # Whether a heading names the metric, so that sentences need not.
    headed: bool = False
    n_blocks: int | None = None  # how many were compared, where that is one number
    # That no outcome of so few blocks could be significant, and how many would do.
    out_of_reach: str = ""
    # Whether values are whole numbers: ranks that count algorithms.
    whole: bool = False
    intervals: str = ""  # what the intervals of pairs are

    @property
    def nouns(self) -> str:
        """The nouns of the compared, if there are several."""
        return "modalities" if self.noun == "modality" else f"{self.noun}s"

    @property
    def within(self) -> str:
        """`` in accuracy``; empty under a heading that names the metric."""
        return "" if self.headed else f" in {self.metric.name}"

    @cached_property
    def facts(self) -> PairFacts:
        """The facts with their columns."""
        return PairFacts.of(self.pairs)

    @cached_property
    def by_pair(self) -> Mapping[Pair, PairFact]:
        """The facts by their pairs."""
        return _FactsByPair(self.facts)

    @cached_property
    def better_of(self) -> PairWinners:
        """The pairs that differ significantly, each with the better algorithm."""
        better = (self.facts.relation == _BETTER).astype(np.int8)
        return PairWinners(self.facts.rows, better)

    @cached_property
    def significant(self) -> PairFacts:
        """The pairs that differ significantly."""
        return self.facts.where(self.facts.relation == _BETTER)

    @cached_property
    def retained(self) -> PairFacts:
        """The pairs that were tested and do not differ significantly."""
        return self.facts.where(self.facts.relation == _RETAINED)

    @cached_property
    def closest(self) -> Sequence[PairFact]:
        """The retained pairs with the smallest p-value; the largest difference first.

        If several share it, none is closer to significance than the others.
        """
        retained = self.retained
        if not retained:
            return []
        p, least = retained.p_adjusted, retained.p_adjusted[0]
        tied = retained.where(np.abs(p - least) <= _SAME_P * np.maximum(p, least))
        away, null = tied.estimate, tied[0].null
        distance = np.abs(away - null)
        if null == 1:
            positive = away > 0
            distance[positive] = np.abs(np.log(away[positive]))
            distance[~positive] = math.inf
        distance[np.isnan(away)] = -1.0
        return tied.where(np.argsort(-distance, kind="stable"))

    @cached_property
    def adjusts(self) -> bool:
        """Whether any p-value was adjusted."""
        return bool((self.facts.p_adjusted != self.facts.p_value).any())

    @cached_property
    def untested(self) -> PairFacts:
        """The pairs without a p-value."""
        return self.facts.where(self.facts.relation == _UNTESTED)

    @cached_property
    def leaders(self) -> list[str]:
        """The algorithms with the best number."""
        if not self.values:
            return []
        best = next(iter(self.values.values()))
        return [name for name, x in self.values.items() if math.isclose(x, best)]

    def beaten_by(self, name: str) -> list[str]:
        """Return the algorithms that one is significantly better than."""
        rows = self.significant.rows
        at = rows.places.get(name, -1)
        return [rows.names[k] for k in rows.second[rows.first == at].tolist()]

    def wins_and_losses(self) -> tuple[dict[str, int], dict[str, int]]:
        """Return how many others each algorithm is better than, and worse than."""
        rows = self.significant.rows
        wins, losses = (
            np.bincount(ends, minlength=len(rows.names)).tolist()
            for ends in (rows.first, rows.second)
        )
        return dict(zip(rows.names, wins, strict=True)), dict(
            zip(rows.names, losses, strict=True)
        )

    def facts_of(self, name: str) -> PairFacts:
        """Return the facts about one algorithm, strongest evidence first."""
        return self.facts.where(self.facts.rows.rows_with(name))

    def without(self, name: str | None) -> PairFacts:
        """Return the facts about the others, strongest evidence first."""
        if name is None:
            return self.facts
        rows = np.ones(len(self.facts), bool)
        rows[self.facts.rows.rows_with(name)] = False
        return self.facts.where(rows)


@dataclass(frozen=True, kw_only=True)
class SensitivityAnalysis:
    """Another analysis of the same pairs: a sensitivity analysis."""

    name: str
    assumes: str
    # The p-value of its test of no difference at all, and whether the primary test
    # agrees.
    omnibus: tuple[float, bool] | None = None
    # Its significant pairs, each with the better algorithm; None where it tests no
    # pairs.
    significant: Mapping[frozenset[str], str] | None = None
    # Pairs that it cannot reject with so few blocks, whatever the scores.
    hopeless: Set[Pair] = frozenset()
    # How many blocks an exact test of one pair counts: those with a difference.
    n_used: int | None = None
    # Whether its pairs are compared in the quantity of the primary analysis.
    same_quantity: bool = False
    short: str = ""  # the name in the head of a column; by default the whole name

    def differs_on(self, outcome: Outcome) -> PairFacts:
        """Return the pairs on which it disagrees with the primary analysis.

        A pair that it could not reject with so few blocks is neither here nor an
        agreement: see ``undecided``.
        """
        facts = outcome.facts
        if self.significant is None:
            return facts.where(np.zeros(len(facts), bool))
        planned = facts.relation == _BETTER
        differs = sides(self.significant, facts.rows) != planned
        return facts.where(differs & ~marks(self.hopeless, facts.rows))

    def undecided(self, outcome: Outcome) -> int:
        """Return how many of the tested pairs it could not reject, whatever the scores.

        That it retains them is no agreement, whatever the primary analysis decides.
        """
        return int(marks(self.hopeless, outcome.facts.rows).sum())

    def agrees(self, outcome: Outcome) -> bool:
        """Return whether it can decide everything, and does as the primary analysis."""
        alike = self.omnibus is None or self.omnibus[1]
        decides = not self.undecided(outcome)
        return alike and decides and not self.differs_on(outcome)

    @property
    def heading(self) -> str:
        """Its name in the head of a column."""
        return self.short or self.name


@dataclass(frozen=True, kw_only=True)
class Statements:
    """Everything that a page states about the results of one metric."""

    outcome: Outcome | None
    # What a reader must know besides the outcome: effect sizes, warnings.
    remarks: tuple[str, ...] = ()
    alternatives: tuple[SensitivityAnalysis, ...] = ()
    note: str = ""  # what belongs to the method, such as how it was chosen

    def firmness(self, title: str, outcome: Outcome, left_out: LeftOut) -> Firmness:
        """Return the decisions of the alternatives about each pair of the outcome."""
        rows = outcome.facts.rows
        planned = outcome.facts.relation == _BETTER
        others = [
            (other, sides(other.significant, rows))
            for other in self.alternatives
            if other.significant is not None
        ]
        decisions = [
            OtherAnalysis(
                name=other.name,
                quantity="same" if other.same_quantity else "another",
                better=better,
                able=~marks(other.hopeless, rows),
                agrees=better == planned,
            )
            for other, better in others
        ]
        return Firmness(
            title=title,
            pairs=rows.labels,
            decisions=OtherDecisions(rows, decisions),
            omnibus=tuple(
                OtherOmnibus(other.name, *other.omnibus)
                for other in self.alternatives
                if other.omnibus is not None
            ),
            left_out=left_out,
        )


def relations(decisions: Decisions) -> PairSides:
    """Return how the better algorithm of each decision stands to the other."""
    tested = ~np.isnan(decisions.p_adjusted)
    return np.where(tested, _RETAINED + decisions.rejected, _UNTESTED).astype(np.int8)


def significant(decisions: Sequence[Decision]) -> PairWinners:
    """Return the rejected pairs, each with the better algorithm."""
    return Decisions.of(decisions).winners
