"""Comparisons of pairs whose adjusted p-values R can repeat, or cannot."""

from __future__ import annotations

from dataclasses import dataclass

from pycompare.multiplicity.adjust import repeatable_in_r
from pycompare.results import PairsResult


@dataclass(frozen=True, kw_only=True, eq=False)
class AdjustedPairs(PairsResult):
    """Pairs whose p-values are adjusted by a method of ``adjust``."""

    @property
    def repeatable(self) -> bool:
        """Whether R can adjust these p-values; for some it lists all partitions."""
        able = repeatable_in_r(self.adjust, len(self.algorithms))
        return self.adjusted_here and able
