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
from pycompare.results.pair_rows import Pair, PairRows, Winners, marks, sides
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


def size_of(value: float) -> float:
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
    """What the facts of many pairs are made of.

    Attributes
    ----------
    rows : PairRows
        Subject and object of each fact.
    relation : ndarray of int8
        Places among the three relations.
    p_value, p_adjusted, level : ndarray
    estimate : ndarray or None
        None where the method estimates nothing in a unit.
    interval : tuple of two ndarray, or None
    common : mapping of str
        The other fields, which all facts share.
    """

    rows: PairRows
    relation: Ints
    p_value: Floats
    p_adjusted: Floats
    level: Floats
    estimate: Floats | None
    interval: tuple[Floats, Floats] | None
    common: Mapping[str, Any]

    def fact(self, row: int) -> PairFact:
        """Return one fact."""
        subject, other = self.rows.ends(row)
        low, high = self.interval or (None, None)
        return PairFact(
            subject=subject,
            relation=RELATIONS[self.relation[row]],
            object=other,
            p_value=float(self.p_value[row]),
            p_adjusted=float(self.p_adjusted[row]),
            level=float(self.level[row]),
            estimate=None if self.estimate is None else float(self.estimate[row]),
            interval=None
            if low is None or high is None
            else (float(low[row]), float(high[row])),
            **self.common,
        )

    @property
    def contradicted(self) -> bool:
        """Whether an interval contradicts its decision; see ``PairFact``."""
        if self.interval is None:
            return False
        null, alpha = self.common.get("null", 0.0), self.common["alpha"]
        low, high = self.interval
        known = ~(np.isnan(low) | np.isnan(high) | (self.relation == _UNTESTED))
        known &= self.level >= 1 - alpha - _SAME_LEVEL
        holds = (low <= null) & (null <= high)
        return bool((known & ((self.relation == _BETTER) == holds)).any())


class PairFacts(MadeRows[PairFact]):
    """Facts about pairs, strongest evidence first.

    Attributes
    ----------
    rows : PairRows
        Subject and object of each.
    relation : ndarray of int8
        0 if a pair is not tested, 2 if the subject is better, else 1.
    p_value, p_adjusted, estimate : ndarray
        NaN where a method estimates nothing.
    """

    def __init__(
        self,
        rows: PairRows,
        relation: Ints,
        numbers: tuple[Floats, Floats, Floats],
        make: Callable[[int], PairFact],
        columns: FactColumns | None = None,
    ) -> None:
        super().__init__(len(rows), make)
        self.rows, self.relation = rows, relation
        self.p_value, self.p_adjusted, self.estimate = numbers
        self.columns = columns

    @classmethod
    def made_of(cls, columns: FactColumns) -> PairFacts:
        """Return the facts of columns."""
        estimate = columns.estimate
        if estimate is None:
            estimate = np.broadcast_to(math.nan, columns.p_value.shape)
        numbers = columns.p_value, columns.p_adjusted, estimate
        return cls(columns.rows, columns.relation, numbers, columns.fact, columns)

    @classmethod
    def of(cls, facts: Sequence[PairFact]) -> PairFacts:
        """Return facts that are made already."""
        if isinstance(facts, PairFacts):
            return facts
        numbers = [
            (f.p_value, f.p_adjusted, math.nan if f.estimate is None else f.estimate)
            for f in facts
        ]
        p_value, p_adjusted, estimate = np.array(numbers, float).reshape(-1, 3).T
        return cls(
            PairRows.of((fact.subject, fact.object) for fact in facts),
            np.array([RELATIONS.index(fact.relation) for fact in facts], np.int8),
            (p_value, p_adjusted, estimate),
            facts.__getitem__,
        )

    def where(self, marked: Bools | Ints) -> PairFacts:
        """Return some of the facts."""
        kept = np.arange(len(self))[marked]
        numbers = (self.p_value[kept], self.p_adjusted[kept], self.estimate[kept])
        make, of = self._make, self.relation[kept]
        return PairFacts(
            self.rows.take(kept), of, numbers, lambda row: make(int(kept[row]))
        )

    def among(self, pairs: Set[Pair]) -> PairFacts:
        """Return the facts about some pairs."""
        return self.where(marks(pairs, self.rows))

    def seen_from(self, name: str) -> list[PairFact]:
        """Return the facts about one algorithm, each as it is seen from it."""
        if name not in self._seen:
            about = self.rows.rows_with(name).tolist()
            self._seen[name] = [self[row].seen_from(name) for row in about]
        return self._seen[name]

    @cached_property
    def _seen(self) -> dict[str, list[PairFact]]:
        """The facts about algorithms that pages ask for many times."""
        return {}

    @cached_property
    def _by_size(self) -> tuple[Ints, Floats]:
        """The facts by the sizes of their estimates, and these in order."""
        size = np.abs(self.estimate)
        order = np.argsort(size, kind="stable")
        return order, size[order]

    def has_estimate(self, value: float) -> bool:
        """Return whether a number is the estimate of a pair, whatever its sign."""
        _, sizes = self._by_size
        wanted = size_of(value)
        return any(size_of(x) == wanted for x in _near(sizes, abs(value)))

    def has_interval(self, limits: Sequence[float]) -> bool:
        """Return whether limits are those of a pair, whatever their signs and order."""
        wanted = frozenset(map(size_of, limits))
        known = self._interval_sizes if self.columns is None else None
        if known is not None:
            return wanted in known
        assert self.columns is not None
        if self.columns.interval is None:
            return False
        smaller, order, larger = self._by_limits
        start, end = _around(smaller, min(map(abs, limits)))
        return any(
            frozenset((size_of(smaller[at]), size_of(larger[order[at]]))) == wanted
            for at in range(start, end)
        )

    @cached_property
    def _by_limits(self) -> tuple[Floats, Ints, Floats]:
        """The smaller limits in order, whose they are, and the larger ones."""
        assert self.columns is not None and self.columns.interval is not None
        low, high = map(np.abs, self.columns.interval)
        smaller, larger = np.minimum(low, high), np.maximum(low, high)
        order = np.argsort(smaller, kind="stable")
        return smaller[order], order, larger

    @cached_property
    def _interval_sizes(self) -> set[frozenset[float]]:
        """The intervals of facts that are made already."""
        return {frozenset(map(size_of, f.interval)) for f in self if f.interval}


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
    def better_of(self) -> Winners:
        """The pairs that differ significantly, each with the better algorithm."""
        better = (self.facts.relation == _BETTER).astype(np.int8)
        return Winners(self.facts.rows, better)

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


def relations(decisions: Decisions) -> Ints:
    """Return how the better algorithm of each decision stands to the other."""
    tested = ~np.isnan(decisions.p_adjusted)
    return np.where(tested, _RETAINED + decisions.rejected, _UNTESTED).astype(np.int8)


def significant(decisions: Sequence[Decision]) -> Winners:
    """Return the rejected pairs, each with the better algorithm."""
    return Decisions.of(decisions).winners
