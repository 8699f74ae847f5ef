"""Comparisons of pairs whose adjusted p-values R can repeat, or cannot."""

from __future__ import annotations

from dataclasses import dataclass

from pycompare.data.blocks import Blocks
from pycompare.multiplicity.adjust import repeatable_in_r
from pycompare.results import PairsResult, internal


@dataclass(frozen=True, kw_only=True, eq=False)
class AdjustedPairs(PairsResult):
    """Pairs whose p-values are adjusted by a method of ``adjust``.

    Attributes
    ----------
    blocks : Blocks
        The scores that were compared; of clustered cases their totals.
    """

    blocks: Blocks = internal()

    @property
    def n_blocks(self) -> int:
        """Independent blocks."""
        return len(self.blocks.values)

    @property
    def repeatable(self) -> bool:
        """Whether R can adjust these p-values; for some it lists all partitions."""
        able = repeatable_in_r(self.adjust, len(self.algorithms))
        return self.adjusted_here and able
