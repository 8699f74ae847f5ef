"""An analysis whose pairs wait for the family in which they are decided."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pycompare.analyses.analysis import Analysis
from pycompare.analyses.planned_pairs import Decided, PlannedPairs, each_decided_alone


@dataclass(frozen=True, eq=False)
class Draft:
    """Everything about one metric but what follows from adjusted p-values.

    Attributes
    ----------
    planned : mapping of str to tuple of PlannedPairs
        The comparisons of pairs, that of the primary analysis first.
    decide : callable
        Makes the analysis of the comparisons as they are decided.
    """

    planned: Mapping[str, tuple[PlannedPairs, ...]]
    decide: Callable[[Decided], Analysis]

    def decided(self, made: Decided) -> Analysis:
        """Return the analysis with comparisons as their families decide them."""
        own = {key: made[key] for key in self.planned}
        return dataclasses.replace(self.decide(own), compared=own)

    def decided_alone(self) -> Analysis:
        """Return the analysis with each table as its own family."""
        return self.decided(each_decided_alone(self.planned))
