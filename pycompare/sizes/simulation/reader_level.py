"""Level and power of analyses of readers and cases."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from pycompare.base.errors import InputError, setting
from pycompare.base.typing import Bools, Floats
from pycompare.data.ratings import DesignName, Ratings
from pycompare.methods.multireader.mrmc import mrmc
from pycompare.methods.multireader.roe_metz import RoeMetz
from pycompare.sizes.simulation.gaussians import FEATURES, NormalClasses, neighbours
from pycompare.sizes.simulation.reader_tests import p_values
from pycompare.sizes.simulation.study import Study, Trials, several, whole

_ALPHA = 0.05
_READERS, _NEIGHBOURS = 10, 9
Draw = Callable[[np.random.Generator, int], tuple[Bools, Floats]]
"""From a generator and a number of trials to truth and ratings."""


def _rejections(draw: Draw, rng: np.random.Generator, trials: int) -> Trials:
    """Return which trials each analysis rejects."""
    return {name: p <= _ALPHA for name, p in p_values(*draw(rng, trials)).items()}


@dataclass(frozen=True)
class RoeMetzStudy(Study):
    """Rejections if ratings follow Roe and Metz's model.

    With equal separations the shares are levels, else power.

    Attributes
    ----------
    separation : sequence of float
        Mean of the positive class minus that of the negative one, for each modality.
    n_readers : int
        Number of readers.
    n_cases : int
        Number of cases; half of them are positive.
    reader : float
        Variance of the ratings over readers, within each class.
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

    References
    ----------
    .. [1] Roe, C. A., Metz, C. E. (1997). Academic Radiology 4, 298-303.
    """

    separation: Sequence[float] = (0.75, 0.75)
    n_readers: int = 5
    n_cases: int = 100
    reader: float = 0.0055
    modality_reader: float = 0.0055
    case: float = 0.3
    modality_case: float = 0.3
    reader_case: float = 0.2
    error: float = 0.2

    name = "roe-metz"
    title = "Level and power of multi-reader analyses in Roe and Metz's model"
    reference = "Roe & Metz (1997), Academic Radiology 4, 298-303"
    default_trials = 4000
    chunk = 500

    def __post_init__(self) -> None:
        object.__setattr__(self, "separation", self.model.separation)
        if len(self.separation) < 2:
            raise InputError(
                setting("separation", self.separation) + ": give two modalities or more"
            )
        whole(self, "n_readers", least=2)
        whole(self, "n_cases", least=8)

    @property
    def model(self) -> RoeMetz:
        """The model of ratings."""
        names = ("reader", "modality_reader", "case", "modality_case")
        variances = {name: getattr(self, name) for name in names}
        return RoeMetz(
            separation=tuple(self.separation),
            reader_case=self.reader_case,
            error=self.error,
            **variances,
        )

    @property
    def conditions(self) -> Mapping[str, Mapping[str, Any]]:
        """One condition, the settings."""
        t = len(self.separation)
        shown = f"{t} modalities x {self.n_readers} readers x {self.n_cases} cases"
        return {shown: {}}

    def draw(self, rng: np.random.Generator, trials: int) -> tuple[Bools, Floats]:
        """Draw ratings."""
        half = self.n_cases // 2
        return self.model.sample(
            rng,
            n_readers=self.n_readers,
            n_positive=half,
            n_negative=self.n_cases - half,
            trials=trials,
        )

    def run(self, condition: str, rng: np.random.Generator, trials: int) -> Trials:
        """Draw ratings and analyse them."""
        return _rejections(self.draw, rng, trials)


@dataclass(frozen=True)
class ReaderLevel(Study):
    """Level of multi-reader analyses if modalities do not differ.

    In the first conditions training sets are readers: two algorithms learn from ten
    training sets and rate one test set. Each lacks another of nine exchangeable
    features, so that their expected AUCs are equal. The others are Roe and Metz's
    model.

    Attributes
    ----------
    d_prime : sequence of float
        Mahalanobis distances of the classes for naive Bayes; the first one for nearest
        neighbours too.
    n : int
        Training cases of each class; a test set has a quarter of that.

    References
    ----------
    .. [1] Maloof, M. A. (2002). ICPR 2002, vol. 2, 204-207.
    .. [2] Hillis, S. L. (2007). Statistics in Medicine 26, 596-619.
    """

    d_prime: Sequence[float] = (1.0, 1.33, 1.66)
    n: int = 400

    name = "reader-level"
    title = "Level of multi-reader analyses if modalities do not differ"
    reference = "Hillis (2007), Statistics in Medicine 26, 596-619"
    default_trials = 4000
    chunk = 50

    def __post_init__(self) -> None:
        several(self, "d_prime", least=0.01)
        whole(self, "n", least=8)

    @property
    def draws(self) -> Mapping[str, Draw]:
        """How each condition draws ratings."""
        at = f"8 of 9 features, n = {self.n}, d' ="
        first = self.d_prime[0]
        four = roe_metz(4, 5, 50)
        return {
            **{
                f"naive Bayes, {at} {d:g}": _bayes_pair(NormalClasses(d, self.n))
                for d in self.d_prime
            },
            f"9 nearest neighbours, {at} {first:g}": _votes_pair(
                NormalClasses(first, self.n)
            ),
            "Roe-Metz, 2 modalities x 5 readers x 100 cases": roe_metz(2, 5, 50),
            "Roe-Metz, 4 modalities x 5 readers x 100 cases": four,
            "Roe-Metz, 4 x 5 x 100, the last modality erratic": _erratic(four),
        }

    @property
    def conditions(self) -> Mapping[str, Mapping[str, Any]]:
        """Conditions by name."""
        return {name: {} for name in self.draws}

    def run(self, condition: str, rng: np.random.Generator, trials: int) -> Trials:
        """Draw ratings and analyse them."""
        return _rejections(self.draws[condition], rng, trials)


def _bayes_pair(problem: NormalClasses) -> Draw:
    """Draw ratings by two naive Bayes classifiers that lack one feature each."""
    n, sd = problem.n, problem.sd

    def draw(rng: np.random.Generator, trials: int) -> tuple[Bools, Floats]:
        x = problem.draw(rng, trials, n=n // 4)
        terms = []
        for centre in (1.0, 0.0):
            # The estimates of a training set: normal means, chi-squared variances.
            size = (trials, _READERS, 1, FEATURES)
            mean = centre + sd / math.sqrt(n) * rng.standard_normal(size)
            variance = sd**2 * rng.chisquare(n - 1, size) / (n - 1)
            z = (x[:, None] - mean) ** 2 / variance
            terms.append(-(z + np.log(variance)) / 2)
        evidence = terms[0] - terms[1]
        every = evidence.sum(axis=-1)
        pair = np.stack([every - evidence[..., i] for i in (0, 1)], axis=1)
        return problem.truth, pair

    return draw


def _votes_pair(problem: NormalClasses) -> Draw:
    """Draw votes of nine nearest neighbours that lack one feature each."""

    def votes(rng: np.random.Generator) -> Floats:
        known, x = problem.study(rng, _READERS)
        kept = [np.arange(FEATURES) != i for i in (0, 1)]
        return np.array(
            [
                [neighbours(each[:, k], x[:, k], _NEIGHBOURS)[1] for each in known]
                for k in kept
            ]
        )

    def draw(rng: np.random.Generator, trials: int) -> tuple[Bools, Floats]:
        return problem.truth, np.stack([votes(rng) for _ in range(trials)])

    return draw


def roe_metz(t: int, r: int, n: int) -> Draw:
    """Draw ratings of Roe and Metz's model, n cases of each class."""
    return RoeMetzStudy(separation=(0.75,) * t, n_readers=r, n_cases=2 * n).draw


def _erratic(alike: Draw, extra: float = 0.3) -> Draw:
    """Let the last modality vary more from reader to reader.

    The expected AUC of that modality stays that of the others: 2.022 is the variance of
    a difference of a positive and a negative rating.
    """

    def draw(rng: np.random.Generator, trials: int) -> tuple[Bools, Floats]:
        truth, x = alike(rng, trials)
        noise = math.sqrt(extra) * rng.standard_normal((trials, x.shape[2], 1))
        shift = 0.75 * (math.sqrt(1 + extra / 2.022) - 1)
        x[:, -1] += truth * (noise + shift)
        return truth, x

    return draw


_SEPARATION = 1.2
REJECTED = "a pair is rejected (Holm)"


class DesignSize(NamedTuple):
    """A design and its size."""

    design: DesignName
    modalities: int
    readers: int
    cases: int

    def hidden(self) -> Bools:
        """Return which ratings the design does not have; both classes alternate."""
        _, t, r, n = self
        i, j, k = np.ogrid[:t, :r, :n]
        flags = {
            "readers-in-modalities": (j % t != i),
            "cases-in-readers": (k // 2 % 2 != j % 2),
            "cases-in-modalities": (k // 2 % t != i),
            "incomplete": ((j == 0) & (i == 1)) | ((j == 1) & (i == 0)) | (k % 7 == j),
        }[self.design]
        return np.broadcast_to(flags, (t, r, n))

    def ratings(self, truth: Bools, values: Floats) -> Ratings:
        """Return what the design has of all ratings (t, r, n), positive cases first."""
        _, t, r, n = self
        order = np.arange(n).reshape(2, -1).T.ravel()
        return Ratings(
            values=np.where(self.hidden(), np.nan, values[..., order]),
            truth=truth[order],
            modalities=tuple(map(str, range(t))),
            readers=tuple(map(str, range(r))),
            cases=tuple(map(str, range(n))),
            design=self.design,
        )


LAYOUTS: Mapping[str, DesignSize] = {
    "readers nested in modalities, 2 x 4 readers": DesignSize(
        "readers-in-modalities", 2, 8, 60
    ),
    "readers nested in modalities, 3 x 3 readers": DesignSize(
        "readers-in-modalities", 3, 9, 60
    ),
    "2 groups of 3 readers with cases of their own": DesignSize(
        "cases-in-readers", 2, 6, 60
    ),
    "cases nested in modalities, 4 readers": DesignSize(
        "cases-in-modalities", 2, 4, 80
    ),
    "incomplete: two readers with one modality each": DesignSize(
        "incomplete", 2, 6, 56
    ),
}


@dataclass(frozen=True)
class ReaderDesigns(Study):
    """Level of ``pc.mrmc`` in nested and incomplete designs, in Roe and Metz's model.

    References
    ----------
    .. [1] Roe, C. A., Metz, C. E. (1997). Academic Radiology 4, 298-303.
    """

    name = "reader-designs"
    title = "Level of multi-reader analyses in nested and incomplete designs"
    reference = "Roe & Metz (1997), Academic Radiology 4, 298-303"
    chunk = 20

    @property
    def conditions(self) -> Mapping[str, Mapping[str, Any]]:
        """A condition for each design."""
        return {name: {"design": layout.design} for name, layout in LAYOUTS.items()}

    def run(self, condition: str, rng: np.random.Generator, trials: int) -> Trials:
        """Draw all ratings, hide those that the design lacks, and analyse the rest."""
        layout = LAYOUTS[condition]
        model = RoeMetz(
            separation=(_SEPARATION,) * layout.modalities,
            reader=0.05,
            modality_reader=0.05,
            case=0.3,
            modality_case=0.3,
            reader_case=0.2,
            error=0.2,
        )
        half = layout.cases // 2
        truth, x = model.sample(
            rng,
            n_readers=layout.readers,
            n_positive=half,
            n_negative=half,
            trials=trials,
        )
        rejected = [
            mrmc(layout.ratings(truth, values)).rejected(_ALPHA).any() for values in x
        ]
        return {REJECTED: np.array(rejected, float)}
