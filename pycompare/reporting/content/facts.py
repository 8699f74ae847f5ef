"""What a page states, as facts; ``wording`` turns them into sentences.

A fact has its subject, relation and object, the metric, the method, the estimate with
its interval, the adjusted p-value and alpha. Tests check facts; no code compares or
edits sentences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from pycompare.base.metric import Metric
from pycompare.designs.decisions import Decision
from pycompare.designs.firmness import Firmness, LeftOut, OtherDecision, OtherOmnibus
from pycompare.results.guarantees import Guarantee
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

_SAME_LEVEL = 1e-9
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


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The facts about one family of pairs in one metric."""

    metric: Metric
    # What the algorithms are ordered by, such as "mean rank"; empty where they have
    # no number of their own.
    quantity: str
    values: Mapping[str, float]  # that number of each algorithm, best first
    pairs: tuple[PairFact, ...]  # strongest evidence first
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
    def estimate_sizes(self) -> set[float]:
        """The estimates of the pairs as their columns are recognised by."""
        return {size_of(f.estimate) for f in self.pairs if f.estimate is not None}

    @cached_property
    def interval_sizes(self) -> set[frozenset[float]]:
        """The same of their intervals."""
        return {frozenset(map(size_of, f.interval)) for f in self.pairs if f.interval}

    @cached_property
    def by_pair(self) -> dict[frozenset[str], PairFact]:
        """The facts by their pairs."""
        return {fact.pair: fact for fact in self.pairs}

    @cached_property
    def better_of(self) -> dict[frozenset[str], str]:
        """The pairs that differ significantly, each with the better algorithm."""
        facts = self.by_pair.items()
        return {pair: fact.subject for pair, fact in facts if fact.significant}

    @cached_property
    def significant(self) -> list[PairFact]:
        """The pairs that differ significantly."""
        return [fact for fact in self.pairs if fact.significant]

    @cached_property
    def retained(self) -> list[PairFact]:
        """The pairs that were tested and do not differ significantly."""
        return [f for f in self.pairs if f.relation == "no significant difference"]

    @cached_property
    def closest(self) -> list[PairFact]:
        """The retained pairs with the smallest p-value; the largest difference first.

        If several share it, none is closer to significance than the others.
        """
        if not self.retained:
            return []
        least = self.retained[0].p_adjusted
        tied = [f for f in self.retained if math.isclose(f.p_adjusted, least)]
        return sorted(tied, key=PairFact.distance, reverse=True)

    @cached_property
    def adjusts(self) -> bool:
        """Whether any p-value was adjusted."""
        return any(fact.p_adjusted != fact.p_value for fact in self.pairs)

    @cached_property
    def untested(self) -> list[PairFact]:
        """The pairs without a p-value."""
        return [fact for fact in self.pairs if fact.relation == "not tested"]

    @cached_property
    def leaders(self) -> list[str]:
        """The algorithms with the best number."""
        if not self.values:
            return []
        best = next(iter(self.values.values()))
        return [name for name, x in self.values.items() if math.isclose(x, best)]

    def beaten_by(self, name: str) -> list[str]:
        """Return the algorithms that one is significantly better than."""
        return self._beaten.get(name, [])

    @cached_property
    def _beaten(self) -> dict[str, list[str]]:
        """The algorithms that each is significantly better than."""
        beaten: dict[str, list[str]] = {}
        for fact in self.significant:
            beaten.setdefault(fact.subject, []).append(fact.object)
        return beaten

    def facts_of(self, name: str) -> list[PairFact]:
        """Return the facts about one algorithm, strongest evidence first."""
        return [fact for fact in self.pairs if name in (fact.subject, fact.object)]


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
    hopeless: frozenset[frozenset[str]] = frozenset()
    # How many blocks an exact test of one pair counts: those with a difference.
    n_used: int | None = None
    # Whether its pairs are compared in the quantity of the primary analysis.
    same_quantity: bool = False
    short: str = ""  # the name in the head of a column; by default the whole name

    def differs_on(self, outcome: Outcome) -> list[PairFact]:
        """Return the pairs on which it disagrees with the primary analysis.

        A pair that it could not reject with so few blocks is neither here nor an
        agreement: see ``undecided``.
        """
        if self.significant is None:
            return []
        planned, own = outcome.better_of, self.significant
        otherwise = {
            pair
            for pair in planned.keys() | own.keys()
            if planned.get(pair) != own.get(pair)
        }
        otherwise -= self.hopeless
        known = outcome.by_pair.items() if otherwise else ()
        return [fact for pair, fact in known if pair in otherwise]

    def undecided(self, outcome: Outcome) -> int:
        """Return how many of the tested pairs it could not reject, whatever the scores.

        That it retains them is no agreement, whatever the primary analysis decides.
        """
        if not self.hopeless:
            return 0
        return sum(pair in self.hopeless for pair in outcome.by_pair)

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
        planned = outcome.better_of
        decisions = [
            OtherDecision(
                analysis=other.name,
                quantity="same" if other.same_quantity else "another",
                algorithm_1=fact.subject,
                algorithm_2=fact.object,
                better=better,
                able=pair not in other.hopeless,
                agrees=better == planned.get(pair, ""),
            )
            for other in self.alternatives
            if other.significant is not None
            for pair, fact in outcome.by_pair.items()
            for better in (other.significant.get(pair, ""),)
        ]
        return Firmness(
            title=title,
            pairs=tuple((fact.subject, fact.object) for fact in outcome.pairs),
            decisions=tuple(decisions),
            omnibus=tuple(
                OtherOmnibus(other.name, *other.omnibus)
                for other in self.alternatives
                if other.omnibus is not None
            ),
            left_out=left_out,
        )


def relation(decision: Decision) -> Relation:
    """Return how the better algorithm of a decision stands to the other."""
    if math.isnan(decision.p_adjusted):
        return "not tested"
    return "better" if decision.rejected else "no significant difference"


def significant(decisions: Sequence[Decision]) -> dict[frozenset[str], str]:
    """Return the rejected pairs, each with the better algorithm."""
    return {
        decision.pair: decision.better for decision in decisions if decision.rejected
    }
