"""Designs with two algorithms on common blocks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np
from scipy import special

from pycompare.base.errors import InputError
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.kernels import binomial, power, signed_rank, student
from pycompare.kernels.ranks import midranks
from pycompare.methods.pairs.common import differences, pair_of_blocks, tied
from pycompare.methods.pairs.mcnemar import mcnemar
from pycompare.sizes.design import StudyDesign, finite, positive, share


def _pilot_differences(
    scores: Scores, metric: str | None, algorithms: tuple[str, str] | None, what: str
) -> Floats:
    """Return the differences of two algorithms in a pilot study."""
    blocks = pair_of_blocks(scores, metric, algorithms, method=what)
    return np.asarray(differences(blocks)[0], float)


@dataclass(frozen=True, kw_only=True)
class Differences(StudyDesign):
    """Two algorithms on independent data sets, with normal differences.

    Attributes
    ----------
    sd : float
        Standard deviation of the differences over data sets.
    difference : float
        True mean difference, in the metric's unit.
    """

    sd: float
    difference: float

    units: ClassVar[str] = "data sets"

    def __post_init__(self) -> None:
        finite(self, "difference")
        positive(self, "sd")

    @classmethod
    def from_scores(
        cls,
        scores: Scores,
        *,
        metric: str | None = None,
        algorithms: tuple[str, str] | None = None,
        **stated: float,
    ) -> Self:
        """Take the difference and its spread from a pilot study, unless stated."""
        d = _pilot_differences(scores, metric, algorithms, cls.name)
        estimates = {"difference": float(d.mean()), "sd": float(d.std(ddof=1))}
        return cls.of_pilot(estimates, stated)

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return (
            f"a mean difference of {self.difference:g} (standard deviation {self.sd:g})"
        )

    def standardised(self, n: int) -> float:
        """Return the standard errors of n data sets in one unit of the metric."""
        return math.sqrt(n) / self.sd

    def draw(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw the differences of studies, (trials, n)."""
        return self.difference + self.sd * rng.standard_normal((trials, n))


def _estimates(d: Floats) -> tuple[Floats, Floats]:
    """Return means of rows and their standard errors."""
    return d.mean(axis=1), d.std(axis=1, ddof=1) / math.sqrt(d.shape[1])


@dataclass(frozen=True, kw_only=True)
class PairedT(Differences):
    """The paired t test; see ``Differences``.

    Examples
    --------
    >>> from pycompare import sizes
    >>> round(sizes.PairedT(difference=0.02, sd=0.04).formula(34, 0.05), 4)
    0.8078
    """

    name: ClassVar[str] = "paired-t"
    article: ClassVar[str] = "the "
    test: ClassVar[str] = "paired t test (two-sided)"
    reference: ClassVar[str] = "Cohen (1988) Statistical Power Analysis, chapter 2"

    def formula(self, n: int, alpha: float) -> float:
        """Return the power by the noncentral t distribution."""
        return power.t_two_sided(n - 1, self.difference * self.standardised(n), alpha)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw normal differences; return p-values of the t test."""
        return _two_sided_t(*_estimates(self.draw(rng, n, trials)), n - 1)


def _two_sided_t(mean: Floats, error: Floats, df: int) -> Floats:
    """Return two-sided p-values of means."""
    with np.errstate(divide="ignore"):  # no spread is left beside a large mean: p = 0
        return 2 * student.sf(np.abs(mean) / error, df)


@dataclass(frozen=True, kw_only=True)
class CorrectedT(Differences):
    """Folds that share training data: the corrected resampled t test.

    ``sd`` is that over folds, as observed in one study; see ``Differences``.

    Attributes
    ----------
    test_share : float
        n_test / n_train: 1 / (k - 1) for k-fold cross-validation. The test takes it
        as the ratio of the variance that folds share to the variance of their own.
    """

    test_share: float

    name: ClassVar[str] = "corrected-t"
    article: ClassVar[str] = "the "
    test: ClassVar[str] = "corrected resampled t test (two-sided)"
    units: ClassVar[str] = "folds"
    reference: ClassVar[str] = "Nadeau & Bengio (2003) Machine Learning 52, 239-281"

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "test_share")

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return (
            f"a mean difference of {self.difference:g} (standard deviation over folds "
            f"{self.sd:g}, n_test / n_train = {self.test_share:g})"
        )

    def inflation(self, n: int) -> float:
        """Return the standard error over that of n independent folds."""
        return math.sqrt(1 + n * self.test_share)

    def formula(self, n: int, alpha: float) -> float:
        """Return the power by the noncentral t distribution."""
        shift = self.difference * self.standardised(n) / self.inflation(n)
        return power.t_two_sided(n - 1, shift, alpha)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw differences with a shared part; return p-values of the test."""
        shared = math.sqrt(self.test_share) * rng.standard_normal((trials, 1))
        mean, error = _estimates(self.sd * shared + self.draw(rng, n, trials))
        return _two_sided_t(mean, error * self.inflation(n), n - 1)


@dataclass(frozen=True, kw_only=True)
class Sign(StudyDesign):
    """Two algorithms on independent data sets, compared by the exact sign test.

    Attributes
    ----------
    win : float
        Probability that the first is better, on a data set on which they differ.
    tie : float, default 0
        Probability that they tie.
    """

    win: float
    tie: float = 0.0

    name: ClassVar[str] = "sign"
    article: ClassVar[str] = "the "
    test: ClassVar[str] = "exact sign test (two-sided, ties dropped)"
    units: ClassVar[str] = "data sets"
    reference: ClassVar[str] = "Dixon & Mood (1946) JASA 41, 557-566"
    monotone: ClassVar[bool] = False

    def __post_init__(self) -> None:
        share(self, "win")
        finite(self, "tie")
        if not 0 <= self.tie < 1:
            raise InputError(f"tie={self.tie}: give a number from 0 to below 1")

    @classmethod
    def from_scores(
        cls,
        scores: Scores,
        *,
        metric: str | None = None,
        algorithms: tuple[str, str] | None = None,
        **stated: float,
    ) -> Self:
        """Take the shares of wins and ties from a pilot study, unless stated."""
        blocks = pair_of_blocks(scores, metric, algorithms, method=cls.name)
        d = tied(*differences(blocks))
        if blocks.metric.better == "lower":
            d = -d
        wins, counted = int(np.sum(d > 0)), int(np.sum(d != 0))
        if "win" not in stated and wins in (0, counted):
            raise InputError(
                f"of {len(d)} data sets of the pilot the first algorithm wins {wins} "
                f"and the second {counted - wins}: an estimate needs wins of "
                f"both; state win"
            )
        estimates = {"win": wins / max(counted, 1), "tie": 1 - counted / len(d)}
        return cls.of_pilot(estimates, stated)

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return f"a probability {self.win:g} to win, and {self.tie:g} to tie"

    def numbers(self, n: int) -> int:
        """Return how many random numbers a study of n units takes."""
        return 2

    def formula(self, n: int, alpha: float) -> float:
        """Return the exact power."""
        return power.sign_test(n, self.win, self.tie, alpha)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw wins, losses and ties; return exact p-values."""
        counted = rng.binomial(n, 1 - self.tie, trials)
        wins = rng.binomial(counted, self.win)
        return binomial.p_values(wins, counted - wins)


@dataclass(frozen=True, kw_only=True)
class McNemar(StudyDesign):
    """Two classifiers on the same cases, compared by McNemar's exact test.

    Attributes
    ----------
    only_first : float
        Probability that only the first algorithm is right about a case.
    only_second : float
        Probability that only the second algorithm is right about a case.
    """

    only_first: float
    only_second: float

    name: ClassVar[str] = "mcnemar"
    test: ClassVar[str] = "McNemar's exact test (two-sided)"
    units: ClassVar[str] = "cases"
    reference: ClassVar[str] = "Miettinen (1968) Biometrics 24, 339-352"
    monotone: ClassVar[bool] = False

    def __post_init__(self) -> None:
        share(self, "only_first", "only_second")
        if self.only_first + self.only_second > 1:
            raise InputError(
                f"only_first={self.only_first}, only_second={self.only_second}: they "
                f"exclude each other, and add up to more than 1"
            )

    @classmethod
    def from_scores(
        cls,
        scores: Scores,
        *,
        metric: str | None = None,
        algorithms: tuple[str, str] | None = None,
        **stated: float,
    ) -> Self:
        """Take the shares of discordant cases from a pilot study, unless stated.

        The scores are 1 if an algorithm is right about a case, else 0.
        """
        pilot = mcnemar(scores, metric=metric, algorithms=algorithms)
        counts = {"only_first": pilot.only_1, "only_second": pilot.only_2}
        none = [name for name, k in counts.items() if not k and name not in stated]
        if none:
            raise InputError(
                f"of {pilot.n_cases} cases of the pilot only the first is right about "
                f"{pilot.only_1}, only the second about {pilot.only_2}: 0 cases give "
                f"no probability; state {' and '.join(none)}"
            )
        n = len(scores.blocks)
        return cls.of_pilot({name: k / n for name, k in counts.items()}, stated)

    @property
    def signs(self) -> Sign:
        """The sign test of discordant cases."""
        discordant = self.only_first + self.only_second
        return Sign(win=self.only_first / discordant, tie=1 - discordant)

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return (
            f"shares {self.only_first:g} and {self.only_second:g} of cases about which "
            f"only one of the two is right"
        )

    def numbers(self, n: int) -> int:
        """Return how many random numbers a study of n units takes."""
        return self.signs.numbers(n)

    def formula(self, n: int, alpha: float) -> float:
        """Return the exact power."""
        return self.signs.formula(n, alpha)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw discordant cases; return exact p-values."""
        return self.signs.p_values(rng, n, trials)

    def r_arguments(self, n: Sequence[int]) -> dict[str, Any]:
        """Return what R's function of the formula needs."""
        return self.signs.r_arguments(n)


@dataclass(frozen=True, kw_only=True)
class Wilcoxon(Differences):
    """Wilcoxon's signed-rank test; see ``Differences``.

    There is no formula: the power depends on the whole distribution of the
    differences, which is normal here.
    """

    name: ClassVar[str] = "wilcoxon"
    test: ClassVar[str] = "Wilcoxon's signed-rank test (two-sided, exact)"
    has_formula: ClassVar[bool] = False
    reference: ClassVar[str] = "Wilcoxon (1945) Biometrics Bulletin 1, 80-83"

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw normal differences; return exact p-values, normal above 1000."""
        d = self.draw(rng, n, trials)
        total = np.sum(midranks(np.abs(d)) * (d > 0), axis=1)
        if n <= signed_rank.MOST:
            return _signed_rank_tails(n)[np.rint(total).astype(int)]
        mean, variance = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 24
        distance = np.abs(total - mean) - 0.5
        return np.minimum(1.0, 2 * special.ndtr(-distance / math.sqrt(variance)))


@lru_cache(maxsize=8)
def _signed_rank_tails(n: int) -> Floats:
    """Return the two-sided p-value of each rank sum, 0 to n (n + 1) / 2."""
    p, _ = signed_rank.null_distribution(np.arange(1.0, n + 1))
    below = np.cumsum(p)
    return np.minimum(1.0, 2 * np.minimum(below, below[::-1]))


@dataclass(frozen=True, kw_only=True)
class WithMargin(Differences):
    """A claim about a margin; see ``Differences``.

    Attributes
    ----------
    margin : float
        Equivalence or non-inferiority margin, in the metric's unit.
    difference : float, default 0
        True mean difference. Non-inferiority: positive if the new algorithm is better.
    """

    difference: float = 0.0
    margin: float

    def __post_init__(self) -> None:
        super().__post_init__()
        positive(self, "margin")

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return f"{super().effect} and the margin {self.margin:g}"


@dataclass(frozen=True, kw_only=True)
class Equivalence(WithMargin):
    """Two one-sided t tests of equivalence; see ``WithMargin``."""

    name: ClassVar[str] = "equivalence"
    test: ClassVar[str] = "two one-sided t tests (each at alpha)"
    reference: ClassVar[str] = (
        "Phillips (1990) J. Pharmacokinetics and Biopharmaceutics 18, 137-144"
    )

    def formula(self, n: int, alpha: float) -> float:
        """Return the power, exactly."""
        unit = self.standardised(n)
        low, high = (edge - self.difference for edge in (-self.margin, self.margin))
        return power.equivalence(n - 1, low * unit, high * unit, alpha)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw normal differences; return the larger of the two p-values."""
        mean, error = _estimates(self.draw(rng, n, trials))
        return student.sf((self.margin - np.abs(mean)) / error, n - 1)


@dataclass(frozen=True, kw_only=True)
class NonInferiority(WithMargin):
    """The one-sided t test of non-inferiority; see ``WithMargin``."""

    name: ClassVar[str] = "non-inferiority"
    article: ClassVar[str] = "the "
    test: ClassVar[str] = "one-sided t test against the margin"
    reference: ClassVar[str] = (
        "Blackwelder (1982) Controlled Clinical Trials 3, 345-353"
    )

    def formula(self, n: int, alpha: float) -> float:
        """Return the power by the noncentral t distribution."""
        shift = (self.difference + self.margin) * self.standardised(n)
        return power.t_one_sided(n - 1, shift, alpha)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw normal differences; return one-sided p-values."""
        mean, error = _estimates(self.draw(rng, n, trials))
        return student.sf((mean + self.margin) / error, n - 1)
