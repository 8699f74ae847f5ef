"""How firm decisions are: the decisions of sensitivity analyses, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from pycompare.base.made_rows import MadeRows
from pycompare.base.typing import Bools
from pycompare.results.pair_rows import PairLabels, PairRows, PairSides, marks
from pycompare.results.result import plain_list

if TYPE_CHECKING:
    import pandas as pd

WhichQuantity = Literal["same", "another"]
"""Whether an analysis compares the quantity of the primary analysis."""
_GROUPS: tuple[WhichQuantity, ...] = ("same", "another")


@dataclass(frozen=True)
class OtherDecision:
    """What one sensitivity analysis decides about one pair.

    ``better`` is the algorithm in favour of which it rejects; empty if it rejects
    nothing. ``able`` is False if it could reject nothing, whatever the scores.
    """

    analysis: str
    quantity: WhichQuantity
    algorithm_1: str
    algorithm_2: str
    better: str
    able: bool
    agrees: bool


@dataclass(frozen=True, eq=False)
class OtherAnalysis:
    """What one sensitivity analysis decides about each pair of a table.

    Attributes
    ----------
    name : str
    quantity : {"same", "another"}
    better : ndarray of int8
        1 if it rejects in favour of the first algorithm of a pair, -1 of the second, 0
        if it rejects nothing.
    able, agrees : ndarray of bool
        As in ``OtherDecision``.
    """

    name: str
    quantity: WhichQuantity
    better: PairSides
    able: Bools
    agrees: Bools


class OtherDecisions(MadeRows[OtherDecision]):
    """What each sensitivity analysis decides about each pair, one analysis first."""

    def __init__(self, rows: PairRows, analyses: Sequence[OtherAnalysis]) -> None:
        super().__init__(len(rows) * len(analyses))
        self.rows, self.analyses = rows, tuple(analyses)

    @classmethod
    def of(cls, rows: PairRows, listed: Sequence[OtherDecision]) -> OtherDecisions:
        """Return decisions as columns; an analysis that lists none is not able."""
        if isinstance(listed, OtherDecisions):
            return listed
        named: dict[tuple[WhichQuantity, str], OtherAnalysis] = {}
        for decision in listed:
            key, m = (decision.quantity, decision.analysis), len(rows)
            nothing = np.zeros((3, m), np.int8)
            own = named.setdefault(
                key,
                OtherAnalysis(
                    *key[::-1], nothing[0], nothing[1].astype(bool), nothing[2] == 0
                ),
            )
            row = rows.row((decision.algorithm_1, decision.algorithm_2))
            own.able[row], own.agrees[row] = decision.able, decision.agrees
            first = rows.ends(row)[0]
            side = 1 if decision.better == first else -1
            own.better[row] = side * bool(decision.better)
        return cls(rows, [*named.values()])

    def _make(self, row: int) -> OtherDecision:
        which, row = divmod(row, len(self.rows))
        other, (first, second) = self.analyses[which], self.rows.ends(row)
        return OtherDecision(
            analysis=other.name,
            quantity=other.quantity,
            algorithm_1=first,
            algorithm_2=second,
            better=("", first, second)[other.better[row]],
            able=bool(other.able[row]),
            agrees=bool(other.agrees[row]),
        )


@dataclass(frozen=True)
class OtherOmnibus:
    """Another test of no difference at all; ``agrees`` with the primary one."""

    analysis: str
    p_value: float
    agrees: bool


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Decisions of the primary analysis when one unit is left out in turn.

    Attributes
    ----------
    unit : str
        Omitted parts: a data set, a case, a cluster or a fold.
    n_units : int
        How many were left out, one at a time; 0 if it was not done.
    changes : mapping of frozenset of str to tuple of str
        The pairs whose decision changes, with the units without which it does.
    hopeless : frozenset of frozenset of str
        Pairs that could not be rejected with one unit less, whatever the scores.
    why_not : str
        Why it was not done; empty if it was.
    """

    unit: str
    n_units: int
    changes: Mapping[frozenset[str], tuple[str, ...]]
    hopeless: frozenset[frozenset[str]] = frozenset()
    why_not: str = ""


@dataclass(frozen=True, kw_only=True)
class Firmness:
    """How firm the decisions on one metric are.

    Sensitivity analyses are counted decision by decision, in two groups: those of the
    quantity that the primary analysis compares (another adjustment or test of it, or
    one data set, case, cluster or fold left out), and those of another quantity (sign
    tests, paired t tests, mean ranks). Omnibus tests stand apart: they decide no pair.
    An analysis that could not reject a pair, whatever the scores, neither confirms nor
    contradicts the decision on it.

    Attributes
    ----------
    title : str
        The result that it is about: the metric, and the group if there are any.
    pairs : sequence of (str, str)
        The pairs of the primary analysis, strongest evidence first, the better first.
    decisions : sequence of OtherDecision
        One a sensitivity analysis and pair.
    omnibus : tuple of OtherOmnibus
        The other tests of no difference at all.
    left_out : LeftOut
        The primary tests without one data set, case, cluster or fold at a time, for at
        most 2,000 tests of pairs. They are of the same quantity.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.compare(pc.example(), pc.Plan(blocks="datasets")).firmness[0]
    >>> found.sentence("another")
    '7 of 10 pairwise decisions are the same in every analysis of another quantity.'
    >>> found.fragile("another")
    (('NaiveBayes', 'CN2'), ('1-NN', 'Kernel'), ('NaiveBayes', '1-NN'))
    >>> found.left_out.n_units, len(found.left_out.changes)
    (30, 0)
    """

    title: str
    pairs: Sequence[tuple[str, str]]
    decisions: Sequence[OtherDecision]
    omnibus: tuple[OtherOmnibus, ...]
    left_out: LeftOut

    @cached_property
    def rows(self) -> PairRows:
        """The pairs, by the places of their algorithms."""
        if isinstance(self.pairs, PairLabels):
            return self.pairs.rows
        return PairRows.of(self.pairs)

    @cached_property
    def others(self) -> tuple[OtherAnalysis, ...]:
        """The sensitivity analyses with their decisions on all pairs."""
        return OtherDecisions.of(self.rows, self.decisions).analyses

    def analyses(self, quantity: WhichQuantity) -> tuple[str, ...]:
        """Return the names of the sensitivity analyses of one group."""
        named = (other.name for other in self.others if other.quantity == quantity)
        return tuple(dict.fromkeys(named))  # two tests may have one name

    def tested(self, quantity: WhichQuantity) -> Sequence[tuple[str, str]]:
        """Return the pairs that at least one analysis of the group could decide."""
        return self.rows.take(self.tested_rows(quantity)).labels

    def tested_rows(self, quantity: WhichQuantity) -> Bools:
        """Return which pairs at least one analysis of the group could decide."""
        return self._tested[quantity]

    @cached_property
    def _tested(self) -> dict[WhichQuantity, Bools]:
        """The pairs that can be decided, of each group: pages ask many times."""
        return {quantity: self._tested_in(quantity) for quantity in _GROUPS}

    def _tested_in(self, quantity: WhichQuantity) -> Bools:
        able = np.zeros(len(self.rows), bool)
        for other in self.others:
            if other.quantity == quantity:
                able |= other.able
        if quantity == "same" and self.left_out.n_units:
            able |= ~marks(self.left_out.hopeless, self.rows)
        return able

    def fragile(self, quantity: WhichQuantity) -> Sequence[tuple[str, str]]:
        """Return the pairs that some analysis of the group decides otherwise."""
        return self.rows.take(self.fragile_rows(quantity)).labels

    def fragile_rows(self, quantity: WhichQuantity) -> Bools:
        """Return which pairs some analysis of the group decides otherwise."""
        return self._fragile[quantity]

    @cached_property
    def _fragile(self) -> dict[WhichQuantity, Bools]:
        """The pairs that are decided otherwise, of each group."""
        return {quantity: self._fragile_in(quantity) for quantity in _GROUPS}

    def _fragile_in(self, quantity: WhichQuantity) -> Bools:
        apart = np.zeros(len(self.rows), bool)
        for other in self.others:
            if other.quantity == quantity:
                apart |= other.able & ~other.agrees
        if quantity == "same":
            apart |= marks(self.left_out.changes.keys(), self.rows)
        return apart

    def sentence(self, quantity: WhichQuantity) -> str:
        """Return how many decisions are the same in every analysis of the group.

        Empty if no analysis of the group could decide any pair.
        """
        n = int(self.tested_rows(quantity).sum())
        if not n:
            return ""
        firm = n - int(self.fragile_rows(quantity).sum())
        of = "the same quantity" if quantity == "same" else "another quantity"
        decided = "pairwise decision" if n == 1 else "pairwise decisions"
        verb = "is" if firm == 1 or n == 1 else "are"
        told = f"{firm} of {n} {decided} {verb} the same in every analysis of {of}."
        left = len(self.pairs) - n
        if not left:
            return told
        return f"{told} On {left} more they could not reject, whatever the scores."

    def to_frame(self) -> pd.DataFrame:
        """Return one row per sensitivity analysis and pair, as ``OtherDecision``."""
        import pandas as pd

        names = tuple(OtherDecision.__dataclass_fields__)
        return pd.DataFrame(
            [vars(decision) for decision in self.decisions], columns=list(names)
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold."""
        left_out = self.left_out
        decisions = plain_list(self.decisions, vars)  # the longest list: it may not fit

        def of_pair(ends: tuple[str, str]) -> dict[str, Any]:
            return {
                "algorithm_1": ends[0],
                "algorithm_2": ends[1],
                "same_quantity": self.agreed("same", ends),
                "another_quantity": self.agreed("another", ends),
                "changes_without": list(left_out.changes.get(frozenset(ends), ())),
            }

        return {
            "title": self.title,
            "sentences": [s for quantity in _GROUPS if (s := self.sentence(quantity))],
            "pairs": plain_list(self.pairs, of_pair),
            "left_out": {
                "unit": left_out.unit,
                "n_units": left_out.n_units,
                "why_not": left_out.why_not,
            },
            "decisions": decisions,
            "omnibus": [
                {"analysis": test.analysis, "agrees": test.agrees}
                for test in self.omnibus
            ],
        }

    def agreed(self, quantity: WhichQuantity, pair: tuple[str, str]) -> bool | None:
        """Return whether all analyses of a group agree on a pair; None: none could."""
        row = self.rows.row(pair)
        if not self.tested_rows(quantity)[row]:
            return None
        return not self.fragile_rows(quantity)[row]
