"""How firm decisions are: what the sensitivity analyses decide, pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import pandas as pd

Quantity = Literal["same", "another"]
"""Whether an analysis compares the quantity of the primary analysis."""


@dataclass(frozen=True)
class OtherDecision:
    """What one sensitivity analysis decides about one pair.

    ``better`` is the algorithm in favour of which it rejects; empty where it rejects
    nothing. ``able`` is False where it could reject nothing, whatever the scores.
    """

    analysis: str
    quantity: Quantity
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
class Firmness:
    """How firm the decisions on one metric are.

    Sensitivity analyses are counted decision by decision, in two groups: those of the
    quantity that the primary analysis compares (other adjustments and tests of it),
    and those of another quantity. Omnibus tests stand apart: they decide no pair. An
    analysis that could not reject a pair, whatever the scores, neither confirms nor
    contradicts the decision on it.

    Attributes
    ----------
    title : str
        The result that it is about: the metric, and the group where there are any.
    pairs : tuple of (str, str)
        The pairs of the primary analysis, strongest evidence first, the better first.
    decisions : tuple of OtherDecision
        One a sensitivity analysis and pair.
    omnibus : tuple of OtherOmnibus
        The other tests of no difference at all.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.compare(pc.example(), pc.Plan(blocks="datasets")).firmness[0]
    >>> found.sentence("another")
    '8 of 10 pairwise decisions are the same in every analysis of another quantity.'
    >>> found.fragile("another")
    (('1-NN', 'Kernel'), ('NaiveBayes', '1-NN'))
    """

    title: str
    pairs: tuple[tuple[str, str], ...]
    decisions: tuple[OtherDecision, ...]
    omnibus: tuple[OtherOmnibus, ...]

    def analyses(self, quantity: Quantity) -> tuple[str, ...]:
        """Return the names of the sensitivity analyses of one group."""
        names = (one.analysis for one in self.decisions if one.quantity == quantity)
        return tuple(dict.fromkeys(names))

    def tested(self, quantity: Quantity) -> tuple[tuple[str, str], ...]:
        """Return the pairs that at least one analysis of the group could decide."""
        able = {_pair(one) for one in self._able(quantity)}
        return tuple(pair for pair in self.pairs if frozenset(pair) in able)

    def fragile(self, quantity: Quantity) -> tuple[tuple[str, str], ...]:
        """Return the pairs that some analysis of the group decides otherwise."""
        apart = {_pair(one) for one in self._able(quantity) if not one.agrees}
        return tuple(pair for pair in self.pairs if frozenset(pair) in apart)

    def sentence(self, quantity: Quantity) -> str:
        """Say how many decisions are the same in every analysis of the group.

        Empty where no analysis of the group could decide any pair.
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
        """Return one row a sensitivity analysis and pair, as ``OtherDecision``."""
        import pandas as pd

        names = tuple(OtherDecision.__dataclass_fields__)
        return pd.DataFrame([vars(one) for one in self.decisions], columns=list(names))

    def _able(self, quantity: Quantity) -> Sequence[OtherDecision]:
        """Return the decisions of analyses that could have decided otherwise."""
        return [o for o in self.decisions if o.quantity == quantity and o.able]


def _pair(one: OtherDecision) -> frozenset[str]:
    """Return the two algorithms of a decision."""
    return frozenset((one.algorithm_1, one.algorithm_2))
