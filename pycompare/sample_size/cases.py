"""Designs over cases: areas under ROC curves, of one reader or of several."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import special

from pycompare.errors import InputError
from pycompare.kernels import placements, power
from pycompare.kernels import pseudovalues as pseudo
from pycompare.kernels import reader_moments as moments_of
from pycompare.multireader.error_terms import hillis
from pycompare.multireader.roe_metz import RoeMetz
from pycompare.sample_size.design import Design, numbers, share
from pycompare.typing import Floats

_COMPONENTS = ("modality x reader", "error", "Cov1", "Cov2", "Cov3")
"""Those that the formula of readers and cases needs, in R's order."""
_FEW = 10
"""Cases of a class below which a normal approximation is not to be relied on."""


def _classes(n: int, prevalence: float) -> tuple[int, int]:
    """Return the numbers of positive and negative cases among n."""
    n_positive = min(max(round(n * prevalence), 1), n - 1)
    return n_positive, n - n_positive


def _few_cases(n: int, prevalence: float) -> tuple[str, ...]:
    """Return a note where a class has few cases."""
    smaller = min(_classes(n, prevalence))
    if smaller >= _FEW:
        return ()
    return (
        f"The smaller class has {smaller} of {n} cases. The formula is for large "
        f"samples: use the simulated power",
    )


@dataclass(frozen=True, kw_only=True)
class Areas(Design):
    """Cases of two classes; the power of areas under ROC curves is approximate.

    Attributes
    ----------
    prevalence : float, default 0.5
        Share of positive cases.
    """

    prevalence: float = 0.5

    units: ClassVar[str] = "cases"
    fewest: ClassVar[int] = 10

    def notes(self, n: int) -> tuple[str, ...]:
        """Return what a reader must know of the power of n units."""
        return _few_cases(n, self.prevalence)


@dataclass(frozen=True, kw_only=True)
class Auc(Areas):
    """One classifier: a test of whether its AUC differs from a given one.

    Attributes
    ----------
    auc : float
        True area under the ROC curve.
    null : float, default 0.5
        The area to be excluded.
    variance : {"obuchowski", "hanley-mcneil"}
        Of the area: exact for normal ratings of equal spread, or Hanley and McNeil's
        for exponential ones.
    """

    auc: float
    null: float = 0.5
    variance: Literal["obuchowski", "hanley-mcneil"] = "obuchowski"

    name: ClassVar[str] = "auc"
    test: ClassVar[str] = "the z test of the AUC (variance under the null hypothesis)"
    reference: ClassVar[str] = (
        "Hanley & McNeil (1982) Radiology 143, 29-36; Obuchowski (1994) "
        "Investigative Radiology 29, 238-243"
    )

    def __post_init__(self) -> None:
        share(self, "auc", "null", "prevalence")
        if self.variance not in ("obuchowski", "hanley-mcneil"):
            raise InputError(
                f"variance={self.variance!r}: choose 'obuchowski' or 'hanley-mcneil'"
            )

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return (
            f"an AUC of {self.auc:g} against {self.null:g} (share of positive cases "
            f"{self.prevalence:g})"
        )

    def error(self, area: float, n: int) -> float:
        """Return the standard error of an estimated area."""
        n_positive, n_negative = _classes(n, self.prevalence)
        if self.variance == "obuchowski":
            found = _one_rating(area).components(n_positive, n_negative)["error"]
            return math.sqrt(found)
        both_positive, both_negative = area / (2 - area), 2 * area**2 / (1 + area)
        total = (
            area * (1 - area)
            + (n_positive - 1) * (both_positive - area**2)
            + (n_negative - 1) * (both_negative - area**2)
        )
        return math.sqrt(total / (n_positive * n_negative))

    def formula(self, n: int, alpha: float) -> float:
        """Return the power by the normal approximation."""
        null = self.error(self.null, n)
        shift = abs(self.auc - self.null) / null
        return power.normal_two_sided(shift, alpha, self.error(self.auc, n) / null)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw ratings; return p-values of the z test."""
        truth = np.arange(n) < _classes(n, self.prevalence)[0]
        if self.variance == "obuchowski":
            x = rng.standard_normal((trials, n))
            x += truth * math.sqrt(2) * special.ndtri(self.auc)
        else:  # exponential ratings: P(X > Y) = rate / (1 + rate)
            x = rng.standard_exponential((trials, n))
            x *= np.where(truth, self.auc / (1 - self.auc), 1.0)
        z = (placements.auc(truth, x) - self.null) / self.error(self.null, n)
        return 2 * special.ndtr(-np.abs(z))


def _one_rating(area: float) -> RoeMetz:
    """Return the model of one reader's normal ratings with this area."""
    return RoeMetz(
        separation=(math.sqrt(2) * float(special.ndtri(area)),),
        reader=0,
        modality_reader=0,
        case=1,
        modality_case=0,
        reader_case=0,
        error=0,
    )


@dataclass(frozen=True, kw_only=True)
class Delong(Areas):
    """Two classifiers on the same cases: DeLong's test of their AUCs.

    Attributes
    ----------
    auc_1, auc_2 : float
        True areas under the ROC curves.
    correlation : float
        Of the two normal ratings of a case, in each class; from 0 to below 1.
    """

    auc_1: float
    auc_2: float
    correlation: float

    name: ClassVar[str] = "delong"
    test: ClassVar[str] = "DeLong's test of two AUCs (two-sided)"
    reference: ClassVar[str] = "DeLong et al. (1988) Biometrics 44, 837-845"

    def __post_init__(self) -> None:
        share(self, "auc_1", "auc_2", "prevalence")
        if not 0 <= self.correlation < 1:
            raise InputError(
                f"correlation={self.correlation}: give a number from 0 to below 1"
            )

    @property
    def model(self) -> RoeMetz:
        """The model of the ratings."""
        areas = np.array([self.auc_1, self.auc_2])
        return RoeMetz(
            separation=tuple(math.sqrt(2) * special.ndtri(areas)),
            reader=0,
            modality_reader=0,
            case=self.correlation,
            modality_case=1 - self.correlation,
            reader_case=0,
            error=0,
        )

    def numbers(self, n: int) -> int:
        """Return how many random numbers a study of n units takes."""
        return 2 * n

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return (
            f"AUCs {self.auc_1:g} and {self.auc_2:g} (correlation of ratings "
            f"{self.correlation:g}, share of positive cases {self.prevalence:g})"
        )

    def formula(self, n: int, alpha: float) -> float:
        """Return the power by the normal approximation, with the true variance."""
        found = self.model.components(*_classes(n, self.prevalence))
        error = math.sqrt(2 * (found["error"] - found["Cov1"]))
        return power.normal_two_sided(abs(self.auc_1 - self.auc_2) / error, alpha)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw ratings; return p-values of DeLong's test."""
        n_positive, n_negative = _classes(n, self.prevalence)
        truth, x = self.model.sample(
            rng,
            n_readers=1,
            n_positive=n_positive,
            n_negative=n_negative,
            trials=trials,
        )
        found = placements.delong(truth, x[:, :, 0])
        c = found.covariance
        variance = c[:, 0, 0] + c[:, 1, 1] - 2 * c[:, 0, 1]
        d = found.area[:, 0] - found.area[:, 1]
        z = np.where(d == 0, 0.0, d / np.sqrt(np.where(variance > 0, variance, np.nan)))
        # Both areas are 1, or differ without any variance: no test rejects.
        return np.where(np.isnan(z), 1.0, 2 * special.ndtr(-np.abs(z)))


@dataclass(frozen=True, kw_only=True)
class Mrmc(Design):
    """Readers and cases: Obuchowski and Rockette's test, Hillis' degrees of freedom.

    Each reader rates each case with each modality; readers and cases are random.
    Training sets that are tested on one set of cases are readers too.

    Attributes
    ----------
    areas : sequence of float
        True mean AUC of each modality.
    reader, modality_reader, case, modality_case, reader_case, error : float
        Variances of the ratings; see ``pc.RoeMetz``.
    n_cases : int
        Number of cases.
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
    n_cases: int
    prevalence: float = 0.5

    name: ClassVar[str] = "mrmc"
    test: ClassVar[str] = (
        "the Obuchowski-Rockette F test (jackknife covariances, Hillis' df)"
    )
    units: ClassVar[str] = "readers"
    reference: ClassVar[str] = (
        "Hillis, Obuchowski & Berbaum (2011) Academic Radiology 18, 129-142"
    )

    def __post_init__(self) -> None:
        areas = numbers(self, "areas", least=2)
        if not all(0 < area < 1 for area in areas):
            raise InputError(f"areas={areas}: give numbers between 0 and 1")
        share(self, "prevalence")
        if not isinstance(self.n_cases, int) or self.n_cases < 2:
            raise InputError(
                f"n_cases={self.n_cases!r}: give a whole number, 2 or more"
            )
        _ = self.model  # refuses variances that are none

    @property
    def model(self) -> RoeMetz:
        """The model of the ratings."""
        variances = {
            name: getattr(self, name)
            for name in (
                "reader",
                "modality_reader",
                "case",
                "modality_case",
                "reader_case",
                "error",
            )
        }
        unit = RoeMetz(separation=(0.0,) * len(self.areas), **variances)
        scale = math.sqrt(2 * sum(variances.values()))
        separation = tuple(scale * special.ndtri(np.asarray(self.areas)))
        return dataclasses.replace(unit, separation=separation)

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        areas = ", ".join(f"{area:g}" for area in self.areas)
        return f"AUCs {areas}, {self.n_cases} cases read by every reader"

    def formula(self, n: int, alpha: float) -> float:
        """Return the power by the noncentral F distribution."""
        found = self.model.components(*_classes(self.n_cases, self.prevalence))
        area = np.asarray(self.areas)
        t = len(area)
        within = found["error"] - found["Cov1"]
        between = found["Cov2"] - found["Cov3"]
        own = found["modality x reader"] + within - between
        error = own + n * max(between, 0.0)
        df = error**2 / (own**2 / ((t - 1) * (n - 1)))
        noncentrality = n * float(np.sum((area - area.mean()) ** 2)) / error
        return power.f_test(t - 1, df, noncentrality, alpha)

    def numbers(self, n: int) -> int:
        """Return how many random numbers a study of n units takes."""
        return len(self.areas) * n * self.n_cases

    def notes(self, n: int) -> tuple[str, ...]:
        """Return what a reader must know of the power of n units."""
        return _few_cases(self.n_cases, self.prevalence)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw studies; return p-values of the test of all modalities."""
        n_positive, n_negative = _classes(self.n_cases, self.prevalence)
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
        f = every.between / error.mean_square
        return np.asarray(special.fdtrc(t - 1, error.df, f))

    def r_arguments(self) -> dict[str, Any]:
        """Return what R's function of the formula needs."""
        found = self.model.components(*_classes(self.n_cases, self.prevalence))
        return {
            "areas": np.asarray(self.areas),
            "components": np.array([found[name] for name in _COMPONENTS]),
        }
