"""Designs with several algorithms, or several metrics, on common blocks."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import special

from pycompare.base.errors import InputError
from pycompare.base.typing import Floats
from pycompare.data.blocks import complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import manova, noncentral_wilks, power
from pycompare.kernels.ranks import midranks, permutation_chi2
from pycompare.methods.pairs.common import two_algorithms
from pycompare.sizes.design import StudyDesign, numbers, positive, words


@dataclass(frozen=True, kw_only=True)
class SeveralMeans(StudyDesign):
    """Several algorithms on common blocks: normal scores with equal variances.

    Attributes
    ----------
    means : sequence of float
        True mean of each algorithm, three or more. Block effects do not matter.
    sd : float
        Residual standard deviation of a score, after the effects of its algorithm and
        its block.
    """

    means: Sequence[float]
    sd: float

    units: ClassVar[str] = "blocks"

    def __post_init__(self) -> None:
        numbers(self, "means", least=3)
        positive(self, "sd")

    @classmethod
    def from_scores(
        cls, scores: Scores, *, metric: str | None = None, **stated: Any
    ) -> Self:
        """Take means and residual spread from a pilot study, unless stated."""
        x = complete_blocks(scores, metric, None, method=cls.name).values
        (sd,), _ = _spread(x[..., None])
        return cls.of_pilot({"means": tuple(x.mean(axis=0)), "sd": sd}, stated)

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return f"means {words(self.means)} (residual standard deviation {self.sd:g})"

    def numbers(self, n: int) -> int:
        """Return how many random numbers a study of n units takes."""
        return n * len(self.means)

    def scores(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw studies, (trials, n, a)."""
        mean = np.asarray(self.means)
        return mean + self.sd * rng.standard_normal((trials, n, len(mean)))


@dataclass(frozen=True, kw_only=True)
class BlockedAnova(SeveralMeans):
    """Analysis of variance of algorithms and blocks; see ``SeveralMeans``."""

    name: ClassVar[str] = "anova"
    article: ClassVar[str] = "the "
    test: ClassVar[str] = "F test of the algorithms in a blocked analysis of variance"
    reference: ClassVar[str] = "Cohen (1988) Statistical Power Analysis, chapter 8"

    def formula(self, n: int, alpha: float) -> float:
        """Return the power by the noncentral F distribution."""
        mean = np.asarray(self.means)
        a = len(mean)
        noncentrality = n * float(np.sum((mean - mean.mean()) ** 2)) / self.sd**2
        return power.f_test(a - 1, (n - 1) * (a - 1), noncentrality, alpha)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Return p-values of the F test."""
        x = self.scores(rng, n, trials)
        a = x.shape[2]
        centred = x - x.mean(axis=2, keepdims=True)
        means = centred.mean(axis=1, keepdims=True)
        between = n * np.sum(means**2, axis=(1, 2)) / (a - 1)
        error = np.sum((centred - means) ** 2, axis=(1, 2)) / ((n - 1) * (a - 1))
        return np.asarray(special.fdtrc(a - 1, (n - 1) * (a - 1), between / error))


@dataclass(frozen=True, kw_only=True)
class Friedman(SeveralMeans):
    """Friedman's test; see ``SeveralMeans``. Its one formula is for large samples."""

    name: ClassVar[str] = "friedman"
    test: ClassVar[str] = "Friedman's test (chi-squared)"
    units: ClassVar[str] = "data sets"
    has_formula: ClassVar[bool] = False
    reference: ClassVar[str] = "Friedman (1937) JASA 32, 675-701"

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Return p-values of Friedman's test."""
        ranks = midranks(self.scores(rng, n, trials))
        statistic, _ = permutation_chi2(ranks)
        return np.asarray(special.chdtrc(len(self.means) - 1, statistic))


@dataclass(frozen=True, kw_only=True)
class MeanVectors(StudyDesign):
    """Two algorithms on common blocks, several metrics: Hotelling's paired T2.

    Attributes
    ----------
    difference : sequence of float
        True mean difference of each metric.
    sd : sequence of float
        Standard deviation of the differences of each metric.
    correlation : float, default 0
        Correlation of the differences of any two metrics.
    """

    difference: Sequence[float]
    sd: Sequence[float]
    correlation: float = 0.0

    name: ClassVar[str] = "mean-vectors"
    test: ClassVar[str] = "Hotelling's paired T2 test"
    units: ClassVar[str] = "blocks"
    reference: ClassVar[str] = "Anderson (2003) Multivariate Analysis, 5.2"

    def __post_init__(self) -> None:
        difference = numbers(self, "difference", least=2)
        sd = numbers(self, "sd", least=1)
        if len(sd) not in (1, len(difference)):
            raise InputError(
                f"sd={sd}: give one number, or one for each of the "
                f"{len(difference)} metrics"
            )
        _check_spread(sd, self.correlation, len(difference))

    @classmethod
    def from_scores(
        cls,
        scores: Scores,
        *,
        metrics: Sequence[str] | None = None,
        algorithms: tuple[str, str] | None = None,
        **stated: Any,
    ) -> Self:
        """Take differences and their spread from a pilot study, unless stated.

        The correlation is the mean one of pairs of metrics.
        """
        two_algorithms(scores, algorithms, method=cls.name)
        if algorithms is not None:
            scores = scores.select(algorithms=algorithms)
        x = _tables(scores, metrics, cls.name)
        d = x[:, 0] - x[:, 1]
        sd, correlation = _spread(np.stack([d, np.zeros_like(d)], axis=1))
        estimates = {
            "difference": tuple(d.mean(axis=0)),
            "sd": tuple(math.sqrt(2) * s for s in sd),
            "correlation": correlation,
        }
        return cls.of_pilot(estimates, stated)

    @property
    def least(self) -> int:
        """One block more than metrics: T2 needs a covariance matrix of full rank."""
        return len(self.difference) + 1

    def numbers(self, n: int) -> int:
        """Return how many random numbers a study of n units takes."""
        return n * len(self.difference)

    @property
    def covariance(self) -> Floats:
        """Covariance matrix of the differences."""
        return _covariance(self.sd, self.correlation, len(self.difference))

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return (
            f"mean differences {words(self.difference)} (standard deviations "
            f"{words(self.sd)}, correlation {self.correlation:g})"
        )

    def formula(self, n: int, alpha: float) -> float:
        """Return the power by the noncentral F distribution."""
        delta = np.asarray(self.difference)
        p = len(delta)
        noncentrality = n * float(delta @ np.linalg.solve(self.covariance, delta))
        return power.f_test(p, n - p, noncentrality, alpha)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Return p-values of T2."""
        p = len(self.difference)
        root = np.linalg.cholesky(self.covariance)
        d = np.asarray(self.difference) + rng.standard_normal((trials, n, p)) @ root.T
        mean = d.mean(axis=1)
        centred = d - mean[:, None]
        s = np.einsum("tni,tnj->tij", centred, centred) / (n - 1)
        t2 = n * np.einsum(
            "ti,ti->t", mean, np.linalg.solve(s, mean[..., None])[..., 0]
        )
        return np.asarray(special.fdtrc(p, n - p, t2 * (n - p) / (p * (n - 1))))

    def r_arguments(self, n: Sequence[int]) -> dict[str, Any]:
        """Return what R's function of the formula needs."""
        return {
            "difference": np.asarray(self.difference),
            "covariance": self.covariance,
        }


def _tables(scores: Scores, metrics: Sequence[str] | None, method: str) -> Floats:
    """Return scores of several metrics as they were given, (blocks, a, p)."""
    names = metrics or [metric.name for metric in scores.metrics]
    columns = [complete_blocks(scores, name, None, method=method) for name in names]
    return np.stack([c.r_arguments()["x"].values for c in columns], axis=-1)


def _spread(x: Floats) -> tuple[tuple[float, ...], float]:
    """Return residual standard deviations of metrics, and their mean correlation.

    Parameters
    ----------
    x : ndarray, shape (blocks, a, p)
    """
    n, a, p = x.shape
    if n < 2:
        raise InputError(f"the pilot has {n} block; a standard deviation needs two")
    inside = x - x.mean(axis=1, keepdims=True)
    residual = (inside - inside.mean(axis=0)).reshape(n * a, p)
    covariance = residual.T @ residual / ((n - 1) * (a - 1))
    sd = np.sqrt(np.diag(covariance))
    flat = np.flatnonzero(sd <= 1e-12 * np.abs(x).max(axis=(0, 1)))
    if len(flat):
        raise InputError(
            f"differences of metric {flat[0] + 1} of the pilot are the same in every "
            f"block: their standard deviation is 0; state sd"
        )
    pairs = np.triu_indices(p, 1)
    among = (covariance / np.outer(sd, sd))[pairs]
    return tuple(sd.tolist()), float(among.mean()) if p > 1 else 0.0


def _check_spread(sd: Sequence[float], correlation: float, p: int) -> None:
    """Reject standard deviations and a correlation that p metrics cannot have."""
    if min(sd) <= 0:
        raise InputError(f"sd={tuple(sd)}: give numbers above 0")
    lowest = -1 / (p - 1)
    if not lowest < correlation < 1:
        raise InputError(
            f"correlation={correlation}: {p} metrics can have one above {lowest:g} "
            f"and below 1"
        )


def _covariance(sd: Sequence[float], correlation: float, p: int) -> Floats:
    """Return the covariance matrix of p metrics that are all equally correlated."""
    each = np.broadcast_to(np.asarray(sd), (p,))
    shape = np.full((p, p), correlation) + (1 - correlation) * np.eye(p)
    return np.asarray(shape * each * each[:, None])


@dataclass(frozen=True, kw_only=True)
class Manova(StudyDesign):
    """Several algorithms on common blocks, several metrics: Wilks' lambda, Rao's F.

    Attributes
    ----------
    means : sequence of float
        True means: every metric of the first algorithm, then of the second, and so on;
        in Python also an array of algorithms x metrics. Block effects do not matter.
    sd : sequence of float
        Residual standard deviation of each metric, after the effects of algorithm and
        block: one number for each metric.
    correlation : float, default 0
        Correlation of the residuals of any two metrics.

    Notes
    -----
    The formula takes the power of the very rejections that ``pc.manova`` makes; the
    noncentral distribution of lambda is exact for two algorithms, and for means on one
    line; otherwise it was at most 0.002 off in 200,000 simulated studies.

    Examples
    --------
    >>> from pycompare import sizes
    >>> design = sizes.Manova(
    ...     means=[[0.90, 0.80], [0.92, 0.80], [0.93, 0.81]],
    ...     sd=(0.04, 0.03), correlation=0.3,
    ... )
    >>> round(design.formula(40, 0.05), 3)
    0.82
    """

    means: Sequence[float] | Sequence[Sequence[float]]
    sd: Sequence[float]
    correlation: float = 0.0

    name: ClassVar[str] = "manova"
    test: ClassVar[str] = (
        "Wilks' lambda (Rao's F) in a blocked multivariate analysis of variance"
    )
    units: ClassVar[str] = "blocks"
    reference: ClassVar[str] = "Anderson (2003) Multivariate Analysis, 8.6"

    def __post_init__(self) -> None:
        p = len(numbers(self, "sd", least=2))
        _check_spread(self.sd, self.correlation, p)
        _flatten(self, "means")
        count = len(numbers(self, "means", least=2 * p))
        if count % p:
            raise InputError(
                f"means={self.means}: {count} numbers are no whole number of "
                f"algorithms with {p} metrics (one for each sd)"
            )

    @classmethod
    def from_scores(
        cls, scores: Scores, *, metrics: Sequence[str] | None = None, **stated: Any
    ) -> Self:
        """Take means and residual spread from a pilot study, unless stated.

        The correlation is the mean one of pairs of metrics.
        """
        x = _tables(scores, metrics, cls.name)
        sd, correlation = _spread(x)
        means = tuple(x.mean(axis=0).ravel().tolist())
        estimates = {"means": means, "sd": sd, "correlation": correlation}
        return cls.of_pilot(estimates, stated)

    @property
    def table(self) -> Floats:
        """Means, (algorithms, metrics)."""
        return np.asarray(self.means, float).reshape(-1, len(self.sd))

    @property
    def covariance(self) -> Floats:
        """Covariance matrix of the residuals."""
        return _covariance(self.sd, self.correlation, len(self.sd))

    @property
    def least(self) -> int:
        """Enough blocks for a residual covariance matrix of full rank."""
        a, p = self.table.shape
        return max(2, 1 + math.ceil(p / (a - 1)))

    def numbers(self, n: int) -> int:
        """Return how many random numbers a study of n units takes."""
        return n * self.table.size

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        each = "; ".join(f"({words(row)})" for row in self.table.tolist())
        return (
            f"mean vectors {each} (residual standard deviations {words(self.sd)}, "
            f"correlation {self.correlation:g})"
        )

    def formula(self, n: int, alpha: float) -> float:
        """Return the power by the noncentral distribution of Wilks' lambda."""
        a, p = self.table.shape
        q, v = a - 1, (a - 1) * (n - 1)
        root = np.linalg.cholesky(self.covariance)
        between = np.linalg.solve(root, (self.table - self.table.mean(axis=0)).T)
        roots = n * np.square(np.linalg.svd(between, compute_uv=False))[: min(p, q)]
        limit = manova.wilks_limit(p, q, v, alpha)
        return noncentral_wilks.above(limit, p, q, v, roots)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Return p-values of Rao's F."""
        a, p = self.table.shape
        root = np.linalg.cholesky(self.covariance)
        y = self.table + rng.standard_normal((trials, n, a, p)) @ root.T
        roots, q, v = manova.complete_roots(y, blocked=True)
        return manova.tests(roots.eigenvalues, roots.rank, q, v)["wilks"].p_value

    def r_arguments(self, n: Sequence[int]) -> dict[str, Any]:
        """Return what R's function of the formula needs."""
        return {"means": self.table, "covariance": self.covariance}


def _flatten(owner: Any, name: str) -> None:
    """Make rows of numbers one row; leave other values to the caller."""
    with contextlib.suppress(TypeError, ValueError):
        flat = tuple(np.asarray(getattr(owner, name), float).ravel().tolist())
        object.__setattr__(owner, name, flat)
