"""Designs over readers and cases: areas under ROC curves of several readers."""

from __future__ import annotations

import dataclasses
import math
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import special

from pycompare.data.ratings import Ratings
from pycompare.errors import DesignError, InputError
from pycompare.kernels import placements, power
from pycompare.kernels import pseudovalues as pseudo
from pycompare.kernels import reader_moments as moments_of
from pycompare.kernels.reader_area_moments import Joint, Variances, joint_moments
from pycompare.multireader.components import variance_components
from pycompare.multireader.error_terms import hillis
from pycompare.multireader.roe_metz import RoeMetz
from pycompare.sample_size.cases import classes, few_cases
from pycompare.sample_size.design import Design, numbers, share, words
from pycompare.typing import Floats

_COMPONENTS = ("modality x reader", "error", "Cov1", "Cov2", "Cov3")
"""Those that the formula of readers and cases needs, in R's order."""
_VARIANCES = Variances._fields


@dataclass(frozen=True, kw_only=True)
class ReadersAndCases(Design):
    """Obuchowski and Rockette's test of readers and cases, Hillis' degrees of freedom.

    Each reader rates each case with each modality; readers and cases are random.
    Training sets that are tested on one set of cases are readers too.

    Attributes
    ----------
    areas : sequence of float
        True mean AUC of each modality.
    reader : float
        Variance of the ratings over readers, within each class (Roe and Metz's model).
    modality_reader : float
        Variance of the interaction of modalities and readers, within each class.
    case : float
        Variance of the ratings over cases.
    modality_case : float
        Variance of the interaction of modalities and cases.
    reader_case : float
        Variance of the interaction of readers and cases.
    error : float
        Variance of the error, which includes modality x reader x case.
    prevalence : float, default 0.5
        Share of positive cases.
    """

    areas: Sequence[float]
    reader: float
    modality_reader: float
    case: float
    modality_case: float
    reader_case: float
    error: float
    prevalence: float = 0.5

    pilot = "ratings"
    test: ClassVar[str] = (
        "the Obuchowski-Rockette F test (jackknife covariances, Hillis' df)"
    )
    approximate: ClassVar[str] = (
        "The formula uses the first joint moments of what the test compares: it was up "
        "to 0.01 off in simulated studies with AUCs of 0.75 to 0.9, and more with AUCs "
        "near 1 or readers who differ very much. State the simulated power"
    )
    reference: ClassVar[str] = (
        "Hillis, Obuchowski & Berbaum (2011) Academic Radiology 18, 129-142"
    )

    def __post_init__(self) -> None:
        areas = numbers(self, "areas", least=2)
        if not all(0 < area < 1 for area in areas):
            raise InputError(f"areas={areas}: give numbers between 0 and 1")
        share(self, "prevalence")
        _ = self.model  # refuses variances that are none

    @classmethod
    def from_ratings(cls, ratings: Ratings, **stated: Any) -> Self:
        """Take AUCs and variances of the ratings from a pilot study, unless stated.

        The variances are those of ``pc.variance_components(method="roe-metz")``; the
        number of cases, or of readers, is the pilot's.
        """
        parts = variance_components(ratings, method="roe-metz").table
        variances = parts["estimate"].to_numpy(float)[: len(_VARIANCES)]
        found = dict(zip(_VARIANCES, variances.tolist(), strict=True))
        assert ratings.truth is not None  # else there are no components
        areas = placements.auc(ratings.truth, ratings.values).mean(axis=1)
        found |= {"prevalence": float(ratings.truth.mean())}
        sizes = {"n_readers": ratings.shape[1], "n_cases": ratings.shape[2]}
        own = {f.name for f in dataclasses.fields(cls)}
        counts = {name: n for name, n in sizes.items() if name in own}
        return cls.of_pilot({**found, **counts, "areas": tuple(areas.tolist())}, stated)

    @property
    def model(self) -> RoeMetz:
        """The model of the ratings."""
        variances = {name: getattr(self, name) for name in _VARIANCES}
        unit = RoeMetz(separation=(0.0,) * len(self.areas), **variances)
        scale = math.sqrt(2 * sum(variances.values()))
        separation = tuple(scale * special.ndtri(np.asarray(self.areas)))
        return dataclasses.replace(unit, separation=separation)

    @property
    def truth(self) -> str:
        """The truth about the ratings, in words and numbers."""
        variances = ", ".join(
            f"{name.replace('_', ' x ')} {getattr(self, name):g}" for name in _VARIANCES
        )
        return (
            f"AUCs {words(self.areas)} (variances of ratings: {variances}; share of "
            f"positive cases {self.prevalence:g})"
        )

    @abstractmethod
    def sizes(self, n: int) -> tuple[int, int, int]:
        """Return the numbers of readers, positive and negative cases."""

    def formula(self, n: int, alpha: float) -> float:
        """Return the power from joint moments of what the test compares."""
        readers, *_ = self.sizes(n)
        own, shared = self.mean_squares(n)
        area = np.asarray(self.areas)
        effect = float(np.linalg.norm(area - area.mean()))
        joint = self.joint(n)
        return power.reader_test(len(area), readers, own, shared, effect, joint, alpha)

    def mean_squares(self, n: int) -> tuple[float, float]:
        """Return the expected MS(TR), and r (Cov2 - Cov3)."""
        readers, *_ = self.sizes(n)
        reader, error, cov1, cov2, cov3 = self.components(n).tolist()
        between = cov2 - cov3
        shared = readers * max(between, 0.0)
        # Nothing of readers: as little as rounding may leave.
        return max(reader + error - cov1 - between, 1e-9 * shared), shared

    def joint(self, n: int) -> Joint:
        """Return the joint moments of what the test compares."""
        of = Variances(*(float(getattr(self, name)) for name in _VARIANCES))
        own, _ = self.mean_squares(n)
        return joint_moments(self.model.separation, of, self.sizes(n), own)

    def in_r(self, n: Sequence[int]) -> dict[str, Any]:
        """Return what R's functions of both designs need; matrices by column."""
        rows = [[*self.components(size), *self.joint(size)] for size in n]
        return {"areas": np.asarray(self.areas), "moments": np.ravel(rows, order="F")}

    def components(self, n: int) -> Floats:
        """Return the components of variance that the formula needs, in R's order."""
        _, *cases = self.sizes(n)
        found = self.model.components(*cases)
        return np.array([found[name] for name in _COMPONENTS])

    def numbers(self, n: int) -> int:
        """Return how many numbers a study of n units takes: ratings or covariances."""
        readers, n_positive, n_negative = self.sizes(n)
        areas = len(self.areas) * readers
        return areas * max(areas, n_positive + n_negative)

    def require_effect(self) -> None:
        """Refuse equal areas: no number of readers or cases shows a difference."""
        if len(set(self.areas)) == 1:
            raise DesignError(
                f"areas={words(self.areas)}: equal areas are no effect, which no size "
                "shows; give areas that differ, or n for the power of given sizes"
            )

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw studies; return p-values of the test of all modalities."""
        n, n_positive, n_negative = self.sizes(n)
        truth, x = self.model.sample(
            rng,
            n_readers=n,
            n_positive=n_positive,
            n_negative=n_negative,
            trials=trials,
        )
        t = len(self.areas)
        found = placements.delong(truth, x.reshape(trials, t * n, -1))
        covariance = pseudo.jackknife_covariance(found).reshape(trials, t, n, t, n)
        every = moments_of.all_modalities(
            moments_of.moments(found.area.reshape(trials, t, n), covariance)
        )
        error = hillis(every, (t - 1) * (n - 1))
        with np.errstate(divide="ignore", invalid="ignore"):  # few cases may all agree
            f = every.between / error.mean_square
        return np.asarray(special.fdtrc(t - 1, error.df, f))

    def notes(self, n: int) -> tuple[str, ...]:
        """Return why the formula must not be used for n units, if it must not."""
        _, *cases = self.sizes(n)
        return few_cases(*cases)


def _whole(owner: Any, name: str) -> None:
    """Refuse a number of readers or cases that is not a whole one from 2 on."""
    value = getattr(owner, name)
    if isinstance(value, bool) or not isinstance(value, int) or value < 2:
        raise InputError(f"{name}={value!r}: give a whole number, 2 or more")


@dataclass(frozen=True, kw_only=True)
class Mrmc(ReadersAndCases):
    """How many readers, for a number of cases; see ``ReadersAndCases``.

    Attributes
    ----------
    n_cases : int
        Number of cases.
    """

    n_cases: int

    name: ClassVar[str] = "mrmc"
    units: ClassVar[str] = "readers"

    def __post_init__(self) -> None:
        super().__post_init__()
        _whole(self, "n_cases")

    def sizes(self, n: int) -> tuple[int, int, int]:
        """Return the numbers of readers, positive and negative cases."""
        return n, *classes(self.n_cases, self.prevalence)

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return f"{self.truth}, {self.n_cases} cases read by every reader"

    def r_arguments(self, n: Sequence[int]) -> dict[str, Any]:
        """Return what R's function of the formula needs."""
        return self.in_r(n)


@dataclass(frozen=True, kw_only=True)
class MrmcCases(ReadersAndCases):
    """How many cases, for a number of readers; see ``ReadersAndCases``.

    Attributes
    ----------
    n_readers : int
        Number of readers.
    """

    n_readers: int

    name: ClassVar[str] = "mrmc-cases"
    units: ClassVar[str] = "cases"
    fewest: ClassVar[int] = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        _whole(self, "n_readers")

    def sizes(self, n: int) -> tuple[int, int, int]:
        """Return the numbers of readers, positive and negative cases."""
        return self.n_readers, *classes(n, self.prevalence)

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return f"{self.truth}, every case read by {self.n_readers} readers"

    def r_arguments(self, n: Sequence[int]) -> dict[str, Any]:
        """Return what R's function of the formula needs."""
        return {**self.in_r(n), "n_readers": self.n_readers}
