"""How firm decisions are: the decisions of sensitivity analyses, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

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
    pairs : tuple of (str, str)
        The pairs of the primary analysis, strongest evidence first, the better first.
    decisions : tuple of OtherDecision
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
    pairs: tuple[tuple[str, str], ...]
    decisions: tuple[OtherDecision, ...]
    omnibus: tuple[OtherOmnibus, ...]
    left_out: LeftOut

    def analyses(self, quantity: WhichQuantity) -> tuple[str, ...]:
        """Return the names of the sensitivity analyses of one group."""
        return self._analyses[quantity]

    @cached_property
    def _analyses(self) -> dict[WhichQuantity, tuple[str, ...]]:
        """The names of each group: pages ask many times."""
        named = dict.fromkeys((o.quantity, o.analysis) for o in self.decisions)
        return {
            group: tuple(name for quantity, name in named if quantity == group)
            for group in _GROUPS
        }

    def tested(self, quantity: WhichQuantity) -> tuple[tuple[str, str], ...]:
        """Return the pairs that at least one analysis of the group could decide."""
        return self._tested[quantity]

    @cached_property
    def _tested(self) -> dict[WhichQuantity, tuple[tuple[str, str], ...]]:
        """The pairs that can be decided, of each group: pages ask many times."""
        return {quantity: self._tested_in(quantity) for quantity in _GROUPS}

    def _tested_in(self, quantity: WhichQuantity) -> tuple[tuple[str, str], ...]:
        able = {_pair(decision) for decision in self._able(quantity)}
        if quantity == "same" and self.left_out.n_units:
            able |= {*map(frozenset, self.pairs)} - self.left_out.hopeless
        return tuple(pair for pair in self.pairs if frozenset(pair) in able)

    def fragile(self, quantity: WhichQuantity) -> tuple[tuple[str, str], ...]:
        """Return the pairs that some analysis of the group decides otherwise."""
        return self._fragile[quantity]

    @cached_property
    def _fragile(self) -> dict[WhichQuantity, tuple[tuple[str, str], ...]]:
        """The pairs that are decided otherwise, of each group."""
        return {quantity: self._fragile_in(quantity) for quantity in _GROUPS}

    def _fragile_in(self, quantity: WhichQuantity) -> tuple[tuple[str, str], ...]:
        apart = {
            _pair(decision) for decision in self._able(quantity) if not decision.agrees
        }
        if quantity == "same":
            apart |= self.left_out.changes.keys()
        return tuple(pair for pair in self.pairs if frozenset(pair) in apart)

    def sentence(self, quantity: WhichQuantity) -> str:
        """Return how many decisions are the same in every analysis of the group.

        Empty if no analysis of the group could decide any pair.
        """
        n = len(self.tested(quantity))
        if not n:
            return ""
        firm = n - len(self.fragile(quantity))
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

        def of_pair(ends: tuple[str, str]) -> dict[str, Any]:
            pair = frozenset(ends)
            return {
                "algorithm_1": ends[0],
                "algorithm_2": ends[1],
                "same_quantity": self._agreed["same"].get(pair),
                "another_quantity": self._agreed["another"].get(pair),
                "changes_without": list(left_out.changes.get(pair, ())),
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
            "decisions": plain_list(self.decisions, vars),
            "omnibus": [
                {"analysis": test.analysis, "agrees": test.agrees}
                for test in self.omnibus
            ],
        }

    @cached_property
    def _agreed(self) -> dict[WhichQuantity, dict[frozenset[str], bool]]:
        """Whether all analyses agree on each pair that one of the group can decide."""
        fragile = {q: {*map(frozenset, self.fragile(q))} for q in _GROUPS}
        return {
            q: {p: p not in fragile[q] for p in map(frozenset, self.tested(q))}
            for q in _GROUPS
        }

    def _able(self, quantity: WhichQuantity) -> Sequence[OtherDecision]:
        """Return the decisions of analyses that could have decided otherwise."""
        return [o for o in self.decisions if o.quantity == quantity and o.able]


def _pair(decision: OtherDecision) -> frozenset[str]:
    """Return the two algorithms of a decision."""
    return frozenset((decision.algorithm_1, decision.algorithm_2))
