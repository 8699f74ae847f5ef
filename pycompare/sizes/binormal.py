"""Scores of cases of two classes: normal in each class, by areas under ROC curves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from pycompare.base.arguments import is_finite
from pycompare.base.errors import InputError, setting
from pycompare.base.typing import Bools, Floats
from pycompare.sizes.cases import classes
from pycompare.sizes.dependence import root_of_equal


@dataclass(frozen=True)
class BinormalCases:
    """Cases of two classes that several algorithms score.

    The scores of a class are normal with a variance of 1; the means of the two classes
    differ by the separation, which is the root of 2 times the quantile of the AUC.

    Attributes
    ----------
    areas : tuple of float
        True AUC of each algorithm.
    correlation : float
        Of the scores of two algorithms over the cases of a class.
    prevalence : float
        Share of positive cases.
    """

    areas: tuple[float, ...]
    correlation: float
    prevalence: float

    def __post_init__(self) -> None:
        wrong = [area for area in self.areas if not 0.5 <= area < 1]
        if wrong:
            raise InputError(
                setting("effects", wrong[0])
                + ": with base and effects an AUC must lie between 0.5 and 1"
            )
        lowest = -1 / (len(self.areas) - 1)
        if not (is_finite(self.correlation) and lowest < self.correlation < 1):
            raise InputError(
                setting("correlation", self.correlation)
                + f": {len(self.areas)} algorithms can have one above {lowest:g} and "
                "below 1"
            )
        if not (is_finite(self.prevalence) and 0 < self.prevalence < 1):
            raise InputError(
                setting("prevalence", self.prevalence)
                + ": give the share of positive cases, between 0 and 1"
            )

    @property
    def separations(self) -> Floats:
        """Difference of the class means of each algorithm."""
        return np.asarray(math.sqrt(2) * special.ndtri(np.asarray(self.areas)))

    def truth(self, n: int) -> Bools:
        """Return the classes of n cases, positive ones first."""
        return np.arange(n) < classes(n, self.prevalence)[0]

    def draw(self, rng: np.random.Generator, n: int, separations: Floats) -> Floats:
        """Draw scores of n cases, shape (algorithms, cases)."""
        k = len(self.areas)
        noise = rng.standard_normal((n, k)) @ root_of_equal(self.correlation, k)
        return np.asarray(noise.T + np.where(self.truth(n), separations[:, None], 0.0))

    def probabilities(self, scores: Floats) -> Floats:
        """Return scores as probabilities, right for the stated areas; (., cases)."""
        d = self.separations[:, None]
        odds = math.log(self.prevalence / (1 - self.prevalence))
        return np.asarray(special.expit(d * scores - d * d / 2 + odds))

    def grid(self, n: int) -> Floats:
        """Return scores whose shares are those of the population, (algorithms, n)."""
        truth = self.truth(n)
        standard = np.empty(n)
        for of_class in (truth, ~truth):
            size = int(of_class.sum())
            standard[of_class] = special.ndtri((np.arange(size) + 0.5) / size)
        return np.asarray(standard + np.where(truth, self.separations[:, None], 0.0))

    @property
    def words(self) -> str:
        """Return everything but the areas."""
        return (
            "normal scores in each class, share of positive cases "
            f"{self.prevalence:g}, correlation of the scores of two algorithms "
            f"{self.correlation:g}"
        )


def areas_of(base: float, effects: Sequence[float]) -> tuple[float, ...]:
    """Return the AUC of each algorithm."""
    if not (is_finite(base) and 0.5 <= base < 1):
        raise InputError(
            setting("base", base)
            + ": give the AUC of an algorithm without an effect, from 0.5 to below 1"
        )
    return tuple(base + effect for effect in effects)
