"""Designs over cases: the area under a ROC curve, and two areas of the same cases."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.arguments import check_word
from pycompare.base.errors import DesignError, InputError
from pycompare.base.typing import Floats
from pycompare.data.measures.cases import one_score
from pycompare.data.measures.chance import below_chance
from pycompare.data.scores import Scores
from pycompare.kernels import area_moments, gate_sizes, placements, power
from pycompare.kernels.matched_pairs import exact_p
from pycompare.kernels.new_answers import right_or_wrong
from pycompare.methods.curves.delong import delong
from pycompare.methods.multireader.roe_metz import RoeMetz
from pycompare.methods.pairs.common import pair_of_blocks
from pycompare.sizes.design import StudyDesign, finite, share

_CLOSE = 0.1
"""An error variance that no correlation gives may be larger by this share."""
_GAMMA = 2.5e-5
"""What Berger and Boos's p-value spends at the usual level of a gate, 0.025."""
FEW_CASES = 10
"""Cases of a class below which moments do not give the power."""


def classes(n: int, prevalence: float) -> tuple[int, int]:
    """Return the numbers of positive and negative cases among n."""
    n_positive = min(max(round(n * prevalence), 1), n - 1)
    return n_positive, n - n_positive


def few_cases(n_positive: int, n_negative: int) -> tuple[str, ...]:
    """Return a note if a class has few cases."""
    smaller = min(n_positive, n_negative)
    if smaller >= FEW_CASES:
        return ()
    return (
        f"The smaller class has {smaller} of {n_positive + n_negative} cases, too few "
        "for the formula: use the simulated power",
    )


@dataclass(frozen=True, kw_only=True)
class Areas(StudyDesign):
    """Cases of two classes; the power of areas under ROC curves is approximate.

    Attributes
    ----------
    prevalence : float, default 0.5
        Share of positive cases.
    """

    prevalence: float = 0.5

    pilot = "cases"
    units: ClassVar[str] = "cases"
    fewest: ClassVar[int] = 10

    def notes(self, n: int) -> tuple[str, ...]:
        """Return why the formula must not be used for n units, if it must not."""
        return few_cases(*classes(n, self.prevalence))


@dataclass(frozen=True, kw_only=True)
class Auc(Areas):
    """One classifier: a test of whether its AUC differs from a given one.

    Attributes
    ----------
    auc : float
        True area under the ROC curve.
    null : float, default 0.5
        Area under the null hypothesis.
    variance : {"obuchowski", "hanley-mcneil"}
        Variance formula. obuchowski: exact for normal ratings of equal variance.
        hanley-mcneil: for exponential ratings.
    """

    auc: float
    null: float = 0.5
    variance: Literal["obuchowski", "hanley-mcneil"] = "obuchowski"

    name: ClassVar[str] = "auc"
    article: ClassVar[str] = "the "
    test: ClassVar[str] = "z test of the AUC (variance under the null hypothesis)"
    reference: ClassVar[str] = (
        "Hanley & McNeil (1982) Radiology 143, 29-36; Obuchowski (1994) "
        "Investigative Radiology 29, 238-243"
    )

    def __post_init__(self) -> None:
        share(self, "auc", "null", "prevalence")
        check_word("variance", self.variance, ("obuchowski", "hanley-mcneil"))

    @classmethod
    def from_cases(
        cls, label: ArrayLike, score: ArrayLike, *, positive: object, **stated: Any
    ) -> Self:
        """Take AUC and share of positive cases from a pilot study, unless stated.

        ``label`` and ``score`` are those of ``pc.auc``: one of each for a case.
        """
        pilot = one_score(label, score, positive)
        auc = float(placements.auc(pilot.truth, pilot.score[0]))
        _require_inside({"auc": auc}, stated)
        share_positive = pilot.n_positive / len(pilot.truth)
        return cls.of_pilot({"auc": auc, "prevalence": share_positive}, stated)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Whether the area is below 0.5."""
        return below_chance(self.auc)

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return (
            f"an AUC of {self.auc:g} against {self.null:g} (share of positive cases "
            f"{self.prevalence:g})"
        )

    def moments(self, area: float, n: int) -> area_moments.ScoreMoments:
        """Return mean, standard error and skewness of an estimated area."""
        sizes = classes(n, self.prevalence)
        if self.variance == "obuchowski":
            return area_moments.binormal((_separation(area),)).moments(*sizes)
        return area_moments.exponential(area, *sizes)

    def formula(self, n: int, alpha: float) -> float:
        """Return the power by a gamma distribution with the area's three moments."""
        m, k = classes(n, self.prevalence)
        far = power.normal_quantile(alpha) * self.moments(self.null, n).sd
        # The smallest area above the null that is significant, in pairs won; and with
        # the classes exchanged the largest one below.
        total = 0.0
        for null, sign in ((self.null, 1), (1 - self.null, -1)):
            pairs = math.ceil((null + far) * m * k)
            mean, sd, skewness = self.moments(self.auc, n)
            mean = mean if sign > 0 else 1 - mean
            if pairs <= m * k:
                edge = (pairs - 0.5) / (m * k)
                total += power.skewed_above(edge, mean, sd, sign * skewness)
        return total

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw ratings; return p-values of the z test."""
        truth = np.arange(n) < classes(n, self.prevalence)[0]
        if self.variance == "obuchowski":
            x = rng.standard_normal((trials, n))
            x += truth * _separation(self.auc)
        else:  # exponential ratings: P(X > Y) = rate / (1 + rate)
            x = rng.standard_exponential((trials, n))
            x *= np.where(truth, self.auc / (1 - self.auc), 1.0)
        z = (placements.auc(truth, x) - self.null) / self.moments(self.null, n).sd
        return 2 * special.ndtr(-np.abs(z))


@dataclass(frozen=True, kw_only=True)
class Gate(StudyDesign):
    """A gate: whether a candidate is not worse than a baseline by a margin.

    The exact test of right or wrong answers to independent items, one each, one-sided
    at alpha; a gate of a budget has ``margin_alpha / budget``.

    Attributes
    ----------
    margin : float
        Largest acceptable loss, between 0 and 1.
    discordance : float
        Share of items that one of both models answers right and the other wrong.
    difference : float, default 0
        True share of the candidate minus that of the baseline.
    """

    margin: float
    discordance: float
    difference: float = 0.0

    name: ClassVar[str] = "gate"
    article: ClassVar[str] = "the "
    test: ClassVar[str] = "exact score test against the margin (one-sided)"
    units: ClassVar[str] = "items"
    reference: ClassVar[str] = (
        "Tango (1998) Statist. Med. 17, 891-908; Berger & Boos (1994) JASA 89, "
        "1012-1016"
    )
    monotone: ClassVar[bool] = False

    def __post_init__(self) -> None:
        share(self, "margin", "discordance")
        finite(self, "difference")
        if abs(self.difference) > self.discordance:
            raise InputError(
                f"difference={self.difference}: shares differ by the discordance at "
                f"most, {self.discordance:g}"
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
        """Take the discordance from a pilot study, unless stated.

        The difference is 0 unless stated: a gate is planned for equal models, never for
        the observed difference.
        """
        blocks = pair_of_blocks(scores, metric, algorithms, method=cls.name)
        if not right_or_wrong(blocks.metric.sign * blocks.values):
            raise InputError(
                f"gate: {blocks.metric.name!r} of the pilot has scores other than 0 "
                "and 1; give a pilot of right and wrong answers with one run, or state "
                "the discordance"
            )
        discordance = float(np.mean(blocks.values[:, 0] != blocks.values[:, 1]))
        if discordance in (0, 1) and "discordance" not in stated:
            raise InputError(
                f"the models differ on {discordance:.0%} of the pilot's items; state "
                "discordance"
            )
        return cls.of_pilot({"discordance": discordance}, stated)

    @property
    def approximate(self) -> str:
        """The formula is that of the score test."""
        return "the formula is that of the score test, within 0.01 of the exact one"

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return (
            f"a difference of {self.difference:g} of the shares, discordance "
            f"{self.discordance:g}, and the margin {self.margin:g}"
        )

    def numbers(self, n: int) -> int:
        """Return how many random numbers a study of n units takes."""
        return 2

    def formula(self, n: int, alpha: float) -> float:
        """Return the power of the score test, over all counts."""
        critical = -float(special.ndtri(alpha))
        truth = self.margin, self.discordance, critical, self.difference
        return gate_sizes.score_power(n, *truth)

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw wins and losses; return exact p-values."""
        counted = rng.binomial(n, self.discordance, trials)
        of_wins = (self.discordance + self.difference) / (2 * self.discordance)
        wins = rng.binomial(counted, of_wins)
        tables, place = np.unique(
            np.column_stack([wins, counted - wins]), axis=0, return_inverse=True
        )
        p = [
            exact_p(int(w), int(x), n, -self.margin, "greater", _GAMMA)
            for w, x in tables
        ]
        return np.array(p)[place.ravel()]


def _separation(area: float) -> float:
    """Return the distance of two unit normal distributions with this area."""
    return math.sqrt(2) * float(special.ndtri(area))


@dataclass(frozen=True, kw_only=True)
class Delong(Areas):
    """Two classifiers on the same cases: DeLong's test of their AUCs.

    Attributes
    ----------
    auc_1 : float
        True area under the ROC curve of the first classifier.
    auc_2 : float
        True area under the ROC curve of the second classifier.
    correlation : float
        Correlation of the two normal ratings of a case within each class, from 0 to
        below 1.
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

    @classmethod
    def from_cases(
        cls, label: ArrayLike, scores: Any, *, positive: object, **stated: Any
    ) -> Self:
        """Take AUCs and share of positive cases from a pilot study, unless stated.

        ``label`` and ``scores`` are those of ``pc.delong``, of two classifiers. The
        correlation is the one with which normal ratings have DeLong's standard error
        of the difference.
        """
        pilot = delong(label, scores, positive=positive)
        if len(pilot.area) != 2:
            raise InputError(f"scores of {len(pilot.area)} classifiers: give two")
        areas = {f"auc_{i + 1}": float(area) for i, area in enumerate(pilot.area)}
        _require_inside(areas, stated)
        sizes = pilot.n_positive, pilot.n_negative
        estimates = {**areas, "prevalence": sizes[0] / sum(sizes)}
        if "correlation" not in stated:
            error = float(pilot.as_columns()["std_error"][0])
            estimates["correlation"] = correlation_of(
                tuple(areas.values()), error, *sizes
            )
        return cls.of_pilot(estimates, stated)

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
    def remarks(self) -> tuple[str, ...]:
        """Whether both areas are below 0.5."""
        return below_chance([self.auc_1, self.auc_2])

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return (
            f"AUCs {self.auc_1:g} and {self.auc_2:g} (correlation of ratings "
            f"{self.correlation:g}, share of positive cases {self.prevalence:g})"
        )

    def formula(self, n: int, alpha: float) -> float:
        """Return the power from three moments of the difference less z errors."""
        separation = _separation(self.auc_1), _separation(self.auc_2)
        parts = area_moments.binormal(separation, self.correlation)
        z = power.normal_quantile(alpha)
        sizes = classes(n, self.prevalence)
        return sum(
            power.skewed_above(0.0, *parts.less_error(*sizes, z, sign))
            for sign in (1, -1)
        )

    def draw(
        self, rng: np.random.Generator, n: int, trials: int
    ) -> tuple[Floats, Floats]:
        """Draw ratings; return differences of the AUCs with their standard errors."""
        n_positive, n_negative = classes(n, self.prevalence)
        truth, x = self.model.sample(
            rng,
            n_readers=1,
            n_positive=n_positive,
            n_negative=n_negative,
            trials=trials,
        )
        components = placements.delong(truth, x[:, :, 0])
        c = components.covariance
        variance = c[:, 0, 0] + c[:, 1, 1] - 2 * c[:, 0, 1]
        d = components.area[:, 0] - components.area[:, 1]
        return d, np.sqrt(np.maximum(variance, 0.0))

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw ratings; return p-values of DeLong's test."""
        d, error = self.draw(rng, n, trials)
        z = np.where(d == 0, 0.0, d / np.where(error > 0, error, np.nan))
        # Both areas are 1, or differ without any variance: no test rejects.
        return np.where(np.isnan(z), 1.0, 2 * special.ndtr(-np.abs(z)))


@dataclass(frozen=True, kw_only=True)
class DelongMargin(Delong):
    """A classifier and its control on the same cases: AUCs against a margin.

    The one-sided test of ``pc.auc_margins(kind="non-inferiority")``: the first
    classifier is not inferior if its AUC is above that of the second, the control, less
    the margin.

    Attributes
    ----------
    margin : float
        Largest acceptable loss of AUC, between 0 and 1.
    """

    margin: float

    name: ClassVar[str] = "delong-margin"
    article: ClassVar[str] = "the "
    test: ClassVar[str] = "one-sided DeLong test of two AUCs against a margin"
    reference: ClassVar[str] = (
        "DeLong et al. (1988) Biometrics 44, 837-845; Liu et al. (2006) Statistics in "
        "Medicine 25, 1219-1238"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        share(self, "margin")

    @property
    def r_name(self) -> str:
        """The name of R's function of the formula."""
        return "power_delong"

    @property
    def effect(self) -> str:
        """The true effect, in words and numbers."""
        return f"{super().effect} and the margin {self.margin:g}"

    def require_effect(self) -> None:
        """Reject a loss of the margin or more: no number of cases shows less."""
        if self.auc_1 <= self.auc_2 - self.margin:
            raise DesignError(
                f"auc_1={self.auc_1:g} is below auc_2={self.auc_2:g} by the margin "
                f"{self.margin:g} or more, which no size shows to be less; give n for "
                "the power of given sizes"
            )

    def formula(self, n: int, alpha: float) -> float:
        """Return the power from three moments of the difference less z errors."""
        separation = _separation(self.auc_1), _separation(self.auc_2)
        parts = area_moments.binormal(separation, self.correlation)
        z = power.normal_quantile(2 * alpha)
        sizes = classes(n, self.prevalence)
        return power.skewed_above(-self.margin, *parts.less_error(*sizes, z, 1))

    def p_values(self, rng: np.random.Generator, n: int, trials: int) -> Floats:
        """Draw ratings; return one-sided p-values, 1 without a standard error."""
        d, error = self.draw(rng, n, trials)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(error > 0, special.ndtr(-(d + self.margin) / error), 1.0)


def _require_inside(areas: Mapping[str, float], stated: Mapping[str, Any]) -> None:
    """Reject areas of a pilot that leave no room for an error."""
    for name, area in areas.items():
        if name not in stated and not 0 < area < 1:
            raise InputError(
                f"the AUC of the pilot is {area:g}: perfect separation has no "
                f"variance to plan with; state {name}"
            )


def correlation_of(
    areas: tuple[float, ...], error: float, n_positive: int, n_negative: int
) -> float:
    """Return the correlation of normal ratings whose areas differ with this error."""
    separation = tuple(map(_separation, areas))

    def excess(correlation: float) -> float:
        parts = area_moments.binormal(separation, correlation)
        return parts.variance(n_positive, n_negative, pairs=2) - error**2

    highest = 0.999
    if excess(highest) > 0:
        raise InputError(
            f"the standard error of the difference in the pilot is {error:.3g}: the "
            f"two classifiers order the cases alike; state correlation"
        )
    most = error**2 + excess(0.0)
    if error**2 > (1 + _CLOSE) * most:
        raise InputError(
            f"the standard error of the difference in the pilot is {error:.3g}, and "
            f"independent normal ratings of equal spread have {math.sqrt(most):.3g}: "
            "no correlation gives it, and the power would be too high; state "
            "correlation"
        )
    if excess(0.0) <= 0:
        return 0.0
    return float(scipy.optimize.brentq(excess, 0.0, highest, xtol=1e-10))
