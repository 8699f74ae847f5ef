"""Posterior probabilities of the pairs of one metric, as a plan decides by them."""

from __future__ import annotations

from dataclasses import dataclass

from pycompare.methods.posteriors.common import PosteriorPairs, PracticalAnswer


@dataclass(frozen=True, kw_only=True)
class PracticalDecision:
    """The answer of a plan about one pair.

    Attributes
    ----------
    algorithm_1, algorithm_2 : str
    answer : {"better", "equivalent", "worse", "undecided"}
        About algorithm_1, in practice.
    """

    algorithm_1: str
    algorithm_2: str
    answer: PracticalAnswer


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannedPosterior:
    """Posterior probabilities of the pairs of one metric, and the answers of a plan.

    Attributes
    ----------
    title : str
        The name of the method.
    pairs : PosteriorPairs
    decisions : tuple of PracticalDecision
        One for each pair; empty if the plan has neither a probability nor losses.
    """

    title: str
    pairs: PosteriorPairs
    decisions: tuple[PracticalDecision, ...]

    @property
    def answers(self) -> list[PracticalAnswer]:
        """The answer of each pair."""
        return [decision.answer for decision in self.decisions]
