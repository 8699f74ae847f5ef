"""An analysis whose pairs wait for the family in which they are decided."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pycompare.designs.analysis import Analysis
from pycompare.designs.planned_pairs import Decided, PlannedPairs, each_decided_alone

MARGIN = "margin"
"""The primary tests against a margin; others are ``margin/NAME``."""


@dataclass(frozen=True, eq=False)
class Draft:
    """Everything about one metric but what follows from adjusted p-values.

    Attributes
    ----------
    planned : mapping of str to tuple of PlannedPairs
        The comparisons of pairs, that of the primary analysis first.
    decide : callable
        Makes the analysis of the comparisons as they are decided.
    margins : mapping of str to tuple of PlannedPairs
        Tests against a margin, those of the primary analysis by `MARGIN`.
    """

    planned: Mapping[str, tuple[PlannedPairs, ...]]
    decide: Callable[[Decided], Analysis]
    margins: Mapping[str, tuple[PlannedPairs, ...]] = field(default_factory=dict)

    @property
    def tables(self) -> dict[str, tuple[PlannedPairs, ...]]:
        """All tables that families may have as members."""
        return {**self.planned, **self.margins}

    def decided(self, decided: Decided) -> Analysis:
        """Return the analysis with comparisons as their families decide them."""
        analysis = self.decide({key: decided[key] for key in self.tables})
        [within] = decided[MARGIN] if MARGIN in self.margins else (None,)
        return dataclasses.replace(
            analysis,
            compared={key: decided[key] for key in self.planned},
            within_margin=within,
        )

    def decided_alone(self) -> Analysis:
        """Return the analysis with each table as its own family."""
        return self.decided(each_decided_alone(self.tables))
