"""Designs over readers and cases: areas, sensitivities or specificities of readers."""

from __future__ import annotations

import dataclasses
import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
from scipy import special

from pycompare.base.arguments import check_word
from pycompare.base.errors import DesignError, InputError, joined, setting
from pycompare.base.typing import Floats
from pycompare.data.measures.chance import below_chance
from pycompare.data.ratings import Ratings
from pycompare.kernels import placements, power
from pycompare.kernels import pseudovalues as pseudo
from pycompare.kernels import reader_moments as moments_of
from pycompare.kernels.reader_area_moments import Joint, RatingVariances, joint_moments
from pycompare.methods.multireader.components import variance_components
from pycompare.methods.multireader.error_terms import hillis
from pycompare.methods.multireader.roe_metz import RoeMetz
from pycompare.sizes.cases import FEW_CASES, classes, few_cases
from pycompare.sizes.design import StudyDesign, numbers, share, words
from pycompare.sizes.reader_components import NAMES, FigureComponents

_EXPECTED = ("modality x reader", "error", "Cov1", "Cov2", "Cov3")
"""Those that the formula of readers and cases needs, in R's order."""
_VARIANCES = RatingVariances._fields
_APPROXIMATE = (
    "The formula uses the first joint moments of the statistics that the test "
    "compares: it was up "
    "to 0.01 off in simulated studies with AUCs of 0.75 to 0.9, and more with AUCs "
    "near 1 or readers who differ very much. State the simulated power"
)
_APPROXIMATE_SHARES = (
    "The formula treats the readers' shares as normal with one variance for all "
    "modalities: it was up to 0.03 off in simulated studies of three readers with "
    "shares of 0.75 to 0.92, 0.01 with more readers, and is further off with shares "
    "near 1. State the simulated power"
)
_FEW_OF_SHARES = (
    "The class that counts has fewer than 10 cases: shares of so few cases are not "
    "normal, which the formula assumes"
)
_TITLES = {
    "auc": "AUCs",
    "sensitivity": "sensitivities",
    "specificity": "specificities",
}
_FEW_WITH_COMPONENTS = (
    "A class has fewer than 10 cases: AUCs of so few cases are not normal, which "
    "formula and simulated studies assume"
)


@dataclass(frozen=True, kw_only=True)
class ReadersAndCases(StudyDesign):
    """Obuchowski and Rockette's test of readers and cases, Hillis' degrees of freedom.

    Each reader rates each case with each modality; readers and cases are random.
    Training sets that are tested on one set of cases are readers too. Beside the areas
    the truth is stated by components of variance of the AUC, or by the six variances of
    the ratings in Roe and Metz's model.

    Attributes
    ----------
    areas : sequence of float
        True mean AUC of each modality, or its sensitivity or specificity.
    figure : {"auc", "sensitivity", "specificity"}
        Figure of merit. Sensitivity and specificity are of ratings at one threshold, or
        of calls without ratings.
    components : mapping of str to float, optional
        Obuchowski and Rockette's components of variance of the AUC, as published or
        from ``mrmc(...).components``: VAR_R, VAR_TR, COV1, COV2, COV3, ERROR.
    component_cases : int, optional
        Number of cases of the study that the components are of.
    reader : float, optional
        Variance of the ratings over readers, within each class (Roe and Metz's model).
    modality_reader : float, optional
        Variance of the interaction of modalities and readers, within each class.
    case : float, optional
        Variance of the ratings over cases.
    modality_case : float, optional
        Variance of the interaction of modalities and cases.
    reader_case : float, optional
        Variance of the interaction of readers and cases.
    error : float, optional
        Variance of the error, which includes modality x reader x case.
    prevalence : float, default 0.5
        Share of positive cases.
    """

    areas: Sequence[float]
    figure: Literal["auc", "sensitivity", "specificity"] = "auc"
    components: Mapping[str, float] | None = None
    component_cases: int | None = None
    reader: float | None = None
    modality_reader: float | None = None
    case: float | None = None
    modality_case: float | None = None
    reader_case: float | None = None
    error: float | None = None
    prevalence: float = 0.5

    pilot = "ratings"
    article: ClassVar[str] = "the "
    test: ClassVar[str] = (
        "Obuchowski-Rockette F test (jackknife covariances, Hillis' df)"
    )
    reference: ClassVar[str] = (
        "Hillis, Obuchowski & Berbaum (2011) Academic Radiology 18, 129-142"
    )

    def __post_init__(self) -> None:
        areas = numbers(self, "areas", least=2)
        if not all(0 < area < 1 for area in areas):
            raise InputError(f"areas={areas}: give numbers between 0 and 1")
        share(self, "prevalence")
        check_word("figure", self.figure, _TITLES)
        stated = [name for name in _VARIANCES if getattr(self, name) is not None]
        if self.components is not None:
            self._require_no_variances(stated)
            of = FigureComponents.checked(self.components, self.component_cases)
            object.__setattr__(self, "components", of.values)
            return
        if self.component_cases is not None:
            raise InputError(
                setting("component_cases") + " is for " + setting("components")
            )
        if lacking := [name for name in _VARIANCES if name not in stated]:
            raise InputError(
                joined(", ", [setting(name) for name in lacking])
                + f" {'is' if len(lacking) == 1 else 'are'} missing: give all six "
                "variances of the ratings, or none of them and the components of "
                "variance of the AUC, " + setting("components")
            )
        _ = self.model  # refuses variances that are none

    def _require_no_variances(self, stated: Sequence[str]) -> None:
        """Reject variances of the ratings beside components of the AUC."""
        if stated:
            raise InputError(
                setting("components")
                + " and "
                + joined(", ", [setting(name) for name in stated])
                + " state the same variances twice: leave one out"
            )

    @classmethod
    def from_ratings(
        cls, ratings: Ratings, *, threshold: float | None = None, **stated: Any
    ) -> Self:
        """Take figures and components of variance from a pilot study, unless stated.

        ``threshold`` is that of a sensitivity or specificity, as in ``pc.mrmc``.

        The components are those of ``pc.variance_components``, which hold for the
        pilot's share of positive cases; the number of cases, or of readers, is the
        pilot's. Stated variances of ratings replace all components.
        """
        if ratings.truth is None:
            raise InputError(
                "a pilot study needs the true classes: name their column, "
                + setting("truth")
            )
        if ratings.marks:
            raise InputError(
                "the pilot has free-response marks; state components of the figure of "
                "merit (pc.variance_components), " + setting("components")
            )
        figure = stated.get("figure", "auc")
        check_word("figure", figure, _TITLES)
        components = variance_components(ratings, figure=figure, threshold=threshold)
        parts = components.as_columns()["estimate"].tolist()
        positive = float(ratings.truth.mean())
        estimates: dict[str, Any] = {"prevalence": positive}
        if not {"components", "component_cases", *_VARIANCES} & stated.keys():
            if stated.get("prevalence", positive) != positive:
                raise InputError(
                    setting("prevalence", stated["prevalence"])
                    + f": the components of the pilot hold for its own share of "
                    f"positive cases, {positive:.3g}; leave it out, or state the six "
                    "variances of the ratings as well"
                )
            # Their order is reader, modality x reader, error, Cov1, Cov2, Cov3.
            names = ("VAR_R", "VAR_TR", "ERROR", "COV1", "COV2", "COV3")
            of = dict(zip(names, parts, strict=True))
            # Hillis et al. (2011): MS(TR) - error + Cov1 + max(Cov2 - Cov3, 0)
            of["VAR_TR"] -= min(of["COV2"] - of["COV3"], 0.0)
            estimates["components"] = of
            estimates["component_cases"] = ratings.shape[2]
        areas = _figures_of(ratings, figure, threshold).mean(axis=1)
        sizes = {"n_readers": ratings.shape[1], "n_cases": ratings.shape[2]}
        own = {f.name for f in dataclasses.fields(cls)}
        counts = {name: n for name, n in sizes.items() if name in own}
        return cls.of_pilot(
            {**estimates, **counts, "areas": tuple(areas.tolist())}, stated
        )

    @property
    def figures(self) -> FigureComponents | None:
        """The components of variance; None of AUCs if ratings are stated."""
        if self.components is None or self.component_cases is None:
            if self.figure == "auc":
                return None
            return FigureComponents.of_shares(self.areas, self._variances)
        return FigureComponents(self.components, self.component_cases)

    @property
    def approximate(self) -> str:
        """Why the simulated power is stated; empty if it has the formula's model."""
        if self.components:
            return ""
        return _APPROXIMATE if self.figure == "auc" else _APPROXIMATE_SHARES

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes for readers of the assumed truth."""
        asked = below_chance(self.areas, of="rating") if self.figure == "auc" else ()
        of_components = self.figures if self.components else None
        return (*asked, *(of_components.remarks if of_components else ()))

    @property
    def _variances(self) -> RatingVariances:
        """The variances of the ratings."""
        return RatingVariances(*(float(getattr(self, name)) for name in _VARIANCES))

    @property
    def model(self) -> RoeMetz:
        """The model of the ratings."""
        variances = self._variances._asdict()
        unit = RoeMetz(separation=(0.0,) * len(self.areas), **variances)
        # Ratings of both classes are compared for an AUC, else one with a threshold.
        classes_compared = 2 if self.figure == "auc" else 1
        scale = math.sqrt(classes_compared * sum(variances.values()))
        separation = tuple(scale * special.ndtri(np.asarray(self.areas)))
        return dataclasses.replace(unit, separation=separation)

    @property
    def truth(self) -> str:
        """The truth about the ratings, in words and numbers."""
        title = _TITLES[self.figure]
        if self.components and self.figures:
            return (
                f"{title} {words(self.areas)} ({self.figures.words}; share of positive "
                f"cases {self.prevalence:.3g})"
            )
        variances = ", ".join(
            f"{name.replace('_', ' x ')} {getattr(self, name):g}" for name in _VARIANCES
        )
        return (
            f"{title} {words(self.areas)} (variances of ratings: {variances}; share of "
            f"positive cases {self.prevalence:g})"
        )

    @abstractmethod
    def sizes(self, n: int) -> tuple[int, int, int]:
        """Return the numbers of readers, positive and negative cases."""

    def formula(self, n: int, alpha: float) -> float:
        """Return the power; of ratings from joint moments of the test's statistics."""
        readers, *cases = self.sizes(n)
        area = np.asarray(self.areas)
        if self.figures:
            return self.figures.power(area, readers, self._counted(*cases), alpha)
        own, shared = self.mean_squares(n)
        effect = float(np.linalg.norm(area - area.mean()))
        joint = self.joint(n)
        return power.reader_test(len(area), readers, own, shared, effect, joint, alpha)

    def _counted(self, n_positive: int, n_negative: int) -> int:
        """Return the cases by which components are divided.

        Stated components are of all cases, those of ratings of a class at a threshold
        of the cases of the class.
        """
        if self.components:
            return n_positive + n_negative
        return n_positive if self.figure == "sensitivity" else n_negative

    def mean_squares(self, n: int) -> tuple[float, float]:
        """Return the expected MS(TR), and r (Cov2 - Cov3)."""
        readers, *_ = self.sizes(n)
        reader, error, cov1, cov2, cov3 = self.expected(n).tolist()
        between = cov2 - cov3
        shared = readers * max(between, 0.0)
        # Nothing of readers: as little as rounding may leave.
        return max(reader + error - cov1 - between, 1e-9 * shared), shared

    def joint(self, n: int) -> Joint:
        """Return the joint moments of the statistics that the test compares."""
        of = self._variances
        own, _ = self.mean_squares(n)
        return joint_moments(self.model.separation, of, self.sizes(n), own)

    def in_r(self, n: Sequence[int]) -> dict[str, Any]:
        """Return what R's functions of both designs need; matrices by column."""
        area = np.asarray(self.areas)
        if self.components and self.figures:
            values = [self.figures.values[name] for name in NAMES[1:]]
            return {
                "areas": area,
                "components": np.array(values),
                "component_cases": self.figures.n_cases,
            }
        if self.figures:
            sizes = [self._counted(*self.sizes(size)[1:]) for size in n]
            return {
                "areas": area,
                "variances": np.array(self._variances),
                "n_cases": np.array(sizes, float),
            }
        rows = [[*self.expected(size), *self.joint(size)] for size in n]
        return {"areas": area, "moments": np.ravel(rows, order="F")}

    @property
    def r_name(self) -> str:
        """The name of R's function of the formula."""
        if self.figures and not self.components:
            return "power_mrmc_shares"
        return super().r_name + ("_components" if self.figures else "")

    def expected(self, n: int) -> Floats:
        """Return the components of variance that the formula needs, in R's order."""
        _, *cases = self.sizes(n)
        components = self.model.components(*cases)
        return np.array([components[name] for name in _EXPECTED])

    def numbers(self, n: int) -> int:
        """Return how many numbers a study of n units takes: ratings or covariances."""
        if self.components:
            return 4  # mean squares
        readers, n_positive, n_negative = self.sizes(n)
        areas = len(self.areas) * readers
        return areas * max(areas, n_positive + n_negative)

    def require_effect(self) -> None:
        """Reject equal areas: no number of readers or cases shows a difference."""
        if len(set(self.areas)) == 1:
            raise DesignError(
                f"areas={words(self.areas)}: equal areas are no effect, which no size "
                "shows; give areas that differ, or n for the power of given sizes"
            )

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw studies; return p-values of the test of all modalities."""
        n, n_positive, n_negative = self.sizes(n)
        area = np.asarray(self.areas)
        if self.components and self.figures:
            cases = n_positive + n_negative
            return self.figures.p_values(rng, area, n, cases, trials)
        if self.figure != "auc":
            return self._p_values_of_shares(rng, n, n_positive, n_negative, trials)
        truth, x = self.model.sample(
            rng,
            n_readers=n,
            n_positive=n_positive,
            n_negative=n_negative,
            trials=trials,
        )
        t = len(area)
        components = placements.delong(truth, x.reshape(trials, t * n, -1))
        covariance = pseudo.jackknife_covariance(components).reshape(trials, t, n, t, n)
        return _hillis_p(components.area.reshape(trials, t, n), covariance)

    def _p_values_of_shares(
        self,
        rng: np.random.Generator,
        n: int,
        n_positive: int,
        n_negative: int,
        trials: int,
    ) -> Floats:
        """Draw ratings of one class and a threshold; return p-values of the shares."""
        # Ratings of the class are above the threshold 0 with the probabilities stated.
        _, x = self.model.sample(
            rng,
            n_readers=n,
            n_positive=self._counted(n_positive, n_negative),
            n_negative=1,
            trials=trials,
        )
        right = (x[..., :-1] >= 0) * 1.0
        t, m = len(self.areas), right.shape[-1]
        theta = right.mean(axis=-1)
        rest = (right - theta[..., None]).reshape(trials, t * n, m)
        # As the jackknife over all cases of both classes has it.
        total = n_positive + n_negative
        scale = (total - 1) / total / (m - 1) ** 2
        covariance = (rest @ np.swapaxes(rest, -1, -2)) * scale
        return _hillis_p(theta, covariance.reshape(trials, t, n, t, n))

    def notes(self, n: int) -> tuple[str, ...]:
        """Return why the formula must not be used for n units, if it must not."""
        _, *cases = self.sizes(n)
        if self.figure != "auc":
            counted = cases[0 if self.figure == "sensitivity" else 1]
            return (_FEW_OF_SHARES,) if counted < FEW_CASES else ()
        few = few_cases(*cases)
        return (_FEW_WITH_COMPONENTS,) if few and self.figures else few


def _hillis_p(theta: Floats, covariance: Floats) -> Floats:
    """Return p-values of all modalities, from figures (trials, t, r)."""
    _, t, r = theta.shape
    every = moments_of.all_modalities(moments_of.moments(theta, covariance))
    error = hillis(every, (t - 1) * (r - 1))
    with np.errstate(divide="ignore", invalid="ignore"):  # few cases may all agree
        f = every.between / error.mean_square
    return np.asarray(special.fdtrc(t - 1, error.df, f))


def _figures_of(ratings: Ratings, figure: str, threshold: float | None) -> Floats:
    """Return the figure of each reader with each modality, shape (t, r)."""
    assert ratings.truth is not None
    if figure == "auc":
        return placements.auc(ratings.truth, ratings.values)
    assert threshold is not None
    above = ratings.values >= threshold
    right = (
        above[..., ratings.truth]
        if figure == "sensitivity"
        else ~above[..., ~ratings.truth]
    )
    return np.asarray(right.mean(axis=-1))


def _whole(owner: Any, name: str) -> None:
    """Reject a number of readers or cases that is not a whole one from 2 on."""
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
        of = self.in_r(n)
        if self.figures and not self.components:
            return of | {"n_readers": np.array(n, float)}
        return of | ({"n_cases": self.n_cases} if self.components else {})


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
        of = self.in_r(n)
        if self.figures and not self.components:
            of["n_readers"] = np.full(len(n), float(self.n_readers))
            return of
        return {**of, "n_readers": self.n_readers}
