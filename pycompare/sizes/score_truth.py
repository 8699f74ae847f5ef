"""Tables of scores of a planned study, drawn from a truth that is stated."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np
from scipy import optimize, special

from pycompare.base.arguments import is_finite
from pycompare.base.errors import InputError, setting
from pycompare.base.typing import Floats
from pycompare.kernels.bivariate_normal import both_below
from pycompare.sizes.dependence import root_of_equal

_MOST_LATENT = 1 - 1e-9
"""Correlation at which the answers of two algorithms go together as far as they can."""


class ScoreTruth(ABC):
    """What scores of several algorithms in one metric are drawn from.

    Attributes
    ----------
    effects : tuple of float
        One an algorithm: the mean less that of an algorithm without an effect, or the
        ratio to it.
    """

    effects: tuple[float, ...]
    kind: ClassVar[str]
    common: ClassVar[bool]
    """Whether all algorithms share a number of each block: the first of them."""

    @abstractmethod
    def scores(self, fixed: Floats, whole: Floats, variance: float = 1.0) -> Floats:
        """Make scores of normal numbers, both (blocks, algorithms, runs).

        ``whole`` has the numbers, ``fixed`` the part of them that is fixed, and
        ``variance`` is that of the rest.
        """

    @abstractmethod
    def words(self, unit: str) -> str:
        """Return everything but the effects; ``unit`` is a block, in the plural."""


@dataclass(frozen=True, kw_only=True)
class NormalScores(ScoreTruth):
    """Normal scores; or positive ones whose logarithms are normal.

    Attributes
    ----------
    effects : tuple of float
    sd : float
        Standard deviation of the scores of one algorithm over the blocks of one study;
        with ``as_ratios`` of their logarithms.
    correlation : float
        Of the scores of two algorithms over blocks.
    as_ratios : bool
    """

    effects: tuple[float, ...]
    sd: float
    correlation: float
    as_ratios: bool = False

    kind: ClassVar[str] = "graded"
    common: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not (is_finite(self.sd) and self.sd > 0):
            raise InputError(setting("sd", self.sd) + ": give a number above 0")
        lowest = -1 / (len(self.effects) - 1)
        if not (is_finite(self.correlation) and lowest < self.correlation < 1):
            raise InputError(
                setting("correlation", self.correlation)
                + f": {len(self.effects)} algorithms can have one above {lowest:g} and "
                "below 1"
            )
        if self.as_ratios and min(self.effects) <= 0:
            raise InputError(
                setting("effects", min(self.effects))
                + ": the plan compares ratios, so an effect is a ratio above 0, such "
                "as 1.05"
            )

    @property
    def sd_difference(self) -> float:
        """Standard deviation of the difference of two algorithms over blocks."""
        return self.sd * math.sqrt(2 * (1 - self.correlation))

    def scores(self, fixed: Floats, whole: Floats, variance: float = 1.0) -> Floats:
        """Make scores of normal numbers; the fixed part has a mean of 0 already."""
        root = self.sd * root_of_equal(self.correlation, len(self.effects))
        mean = np.log(self.effects) if self.as_ratios else np.asarray(self.effects)
        values = mean[:, None] + np.einsum("bkr,kl->blr", whole, root)
        return np.exp(values) if self.as_ratios else np.asarray(values)

    def words(self, unit: str) -> str:
        """Return spread and correlation."""
        of = "logarithms of the scores" if self.as_ratios else "scores"
        law = "log-normal" if self.as_ratios else "normal"
        return (
            f"{law} scores, standard deviation of {of} over {unit} {self.sd:g}, "
            f"correlation of two algorithms {self.correlation:g} (so their differences "
            f"have a standard deviation of {self.sd_difference:.3g})"
        )


@dataclass(frozen=True, kw_only=True)
class AnswerTruth(ScoreTruth):
    """Right (1) or wrong (0) answers to independent cases.

    An answer is right if a standard normal number lies below the quantile of the
    share; the numbers of two algorithms have the same correlation for all pairs.

    Attributes
    ----------
    effects : tuple of float
    base : float
        Share of right answers of an algorithm without an effect.
    correlation : float
        Of the answers of two algorithms (0/1), the mean over all pairs.
    """

    effects: tuple[float, ...]
    base: float
    correlation: float

    kind: ClassVar[str] = "right/wrong"
    common: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not (is_finite(self.base) and 0 < self.base < 1):
            raise InputError(
                setting("base", self.base)
                + ": give the share of right answers, between 0 and 1"
            )
        wrong = [e for e in self.effects if not 0 < self.base + e < 1]
        if wrong:
            raise InputError(
                setting("effects", wrong[0])
                + f": with base {self.base:g} the share of right answers is "
                f"{self.base + wrong[0]:g}; it must lie between 0 and 1"
            )
        most = self._mean_correlation(_MOST_LATENT)
        if not (is_finite(self.correlation) and 0 <= self.correlation < most):
            raise InputError(
                setting("correlation", self.correlation)
                + f": answers with such shares can have one from 0 to below {most:.4g}"
            )

    @property
    def shares(self) -> tuple[float, ...]:
        """Share of right answers of each algorithm."""
        return tuple(self.base + effect for effect in self.effects)

    def _pairs(self) -> tuple[Floats, Floats]:
        """Return the shares of the two algorithms of each pair."""
        first, second = np.array(list(combinations(self.shares, 2))).T
        return first, second

    def _mean_correlation(self, latent: float) -> float:
        """Return the mean correlation of answers for one of the normal numbers."""
        p, q = self._pairs()
        both = both_below(special.ndtri(p), special.ndtri(q), latent)
        spread = np.sqrt(p * (1 - p) * q * (1 - q))
        return float(np.mean((both - p * q) / spread))

    @property
    def latent(self) -> float:
        """Correlation of the normal numbers."""
        if self.correlation == 0:
            return 0.0
        return float(
            optimize.brentq(
                lambda r: self._mean_correlation(r) - self.correlation,
                0.0,
                _MOST_LATENT,
                xtol=1e-12,
            )
        )

    @property
    def discordant(self) -> float:
        """Share of cases that only one of two has right, mean over pairs."""
        p, q = self._pairs()
        both = both_below(special.ndtri(p), special.ndtri(q), self.latent)
        return float(np.mean(p + q - 2 * both))

    def scores(self, fixed: Floats, whole: Floats, variance: float = 1.0) -> Floats:
        """Make answers of normal numbers, the first of which all algorithms share.

        With a fixed part the threshold is that of which the share of right answers,
        averaged over this part, is the stated one.
        """
        latent = self.latent
        return np.asarray(
            _combined(whole, latent)
            <= self._thresholds(_combined(fixed, latent), variance)[:, None],
            float,
        )

    def _thresholds(self, fixed: Floats, variance: float) -> Floats:
        """Return below which number an answer is right, one an algorithm."""
        if not fixed.any():
            return np.asarray(special.ndtri(np.asarray(self.shares)))
        sd = math.sqrt(variance)

        def share(at: float, part: Floats) -> float:
            return float(np.mean(special.ndtr((at - part) / sd)))

        reach = 10 + float(np.abs(fixed).max())
        return np.array(
            [
                optimize.brentq(
                    lambda at, a=a, wanted=wanted: share(at, fixed[:, a]) - wanted,
                    -reach,
                    reach,
                    xtol=1e-12,
                )
                for a, wanted in enumerate(self.shares)
            ]
        )

    def words(self, unit: str) -> str:
        """Return the share of right answers and their correlation."""
        return (
            f"right/wrong answers to independent {unit}, of which an algorithm without "
            f"an effect has {self.base:g} right, correlation of the answers of two "
            f"algorithms {self.correlation:g} (so one of two alone is right on a share "
            f"of {self.discordant:.3g})"
        )


def _combined(numbers: Floats, latent: float) -> Floats:
    """Return numbers of algorithms with such a correlation, shape (., k, runs)."""
    shared, own = numbers[:, :1], numbers[:, 1:]
    return np.asarray(math.sqrt(latent) * shared + math.sqrt(1 - latent) * own)


def effects_of(
    effects: dict[str, float], labels: Sequence[str], *, neutral: float
) -> tuple[float, ...]:
    """Return the effect of each algorithm; those that are not named have none."""
    unknown = [name for name in effects if name not in labels]
    if unknown:
        raise InputError(
            setting("effects", unknown[0])
            + f": no algorithm is called so; there are {', '.join(labels)}"
        )
    for name, value in effects.items():
        if not is_finite(value):
            raise InputError(
                setting("effects", value) + f": give a finite number for {name}"
            )
    return tuple(float(effects.get(label, neutral)) for label in labels)
