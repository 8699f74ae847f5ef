"""Roe and Metz's model of ratings: normal effects of modalities, readers and cases."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from pycompare.base.arguments import numbers
from pycompare.base.checked import checked_class
from pycompare.base.errors import InputError
from pycompare.base.typing import Floats
from pycompare.data.ratings import Ratings
from pycompare.kernels.bivariate_normal import both_below

_AXES = {
    "reader": (1,),
    "modality_reader": (0, 1),
    "case": (2,),
    "modality_case": (0, 2),
    "reader_case": (1, 2),
    "error": (0, 1, 2),
}
"""Effect -> the axes (modality, reader, case) along which it varies."""
OF_CASES = ("case", "modality_case", "reader_case", "error")


@checked_class
@dataclass(frozen=True, kw_only=True)
class RoeMetz:
    """Roe and Metz's model of ratings, with variances of readers and cases.

    The rating of a case of class c by reader j with modality i is the mean of the class
    with that modality, plus independent normal effects: of reader, modality x reader,
    case, modality x case, reader x case, and an error. Readers have effects of their
    own for each class.

    Attributes
    ----------
    separation : tuple of float
        Mean of the positive class less that of the negative one, for each modality.
    reader, modality_reader : float
        Variances of readers, for each class.
    case, modality_case, reader_case, error : float
        Variances of cases; Roe and Metz let them add up to 1.
    spread : float
        Standard deviation of positive cases relative to negative ones (Hillis 2012):
        all effects of the positive class are multiplied by it.

    Notes
    -----
    Equation 9.2 of docs/equations.md.

    References
    ----------
    .. [1] Roe, C. A., Metz, C. E. (1997). Academic Radiology 4, 298-303.
    .. [2] Hillis, S. L. (2012). Academic Radiology 19, 1518-1528.
    .. [3] Hillis, S. L. (2018). Statistics in Medicine 37, 2067-2093.
    .. [4] Hillis, S. L. et al. (2022). Journal of Medical Imaging 9, 045501.

    Examples
    --------
    >>> import pycompare as pc
    >>> model = pc.RoeMetz(
    ...     separation=(1.5, 1.5), reader=0.0055, modality_reader=0.0055,
    ...     case=0.3, modality_case=0.3, reader_case=0.2, error=0.2,
    ... )
    >>> model.auc.round(4).tolist()
    [0.8543, 0.8543]
    >>> model.draw(n_readers=5, n_positive=25, n_negative=25, seed=1)
    <Ratings: 2 modalities x 5 readers x 50 cases (25 positive), factorial>
    """

    separation: tuple[float, ...]
    reader: float
    modality_reader: float
    case: float
    modality_case: float
    reader_case: float
    error: float
    spread: float = 1.0

    def __post_init__(self) -> None:
        given = numbers(self.separation, "separation")
        separation = tuple(np.atleast_1d(given).ravel().tolist())
        object.__setattr__(self, "separation", separation)
        if not np.isfinite(separation).all():
            raise InputError(f"separation={separation}: give finite numbers")
        for field in fields(self)[1:]:
            value = getattr(self, field.name)
            least_one = field.name == "spread"
            if not (value > 0 if least_one else value >= 0) or not math.isfinite(value):
                kind = "a positive number" if least_one else "a variance, 0 or more"
                raise InputError(f"{field.name}={value}: give {kind}")
        if not any(getattr(self, name) for name in OF_CASES):
            raise InputError("one variance of cases at least must be positive")

    @classmethod
    def from_components(
        cls,
        area: ArrayLike,
        components: Mapping[str, float],
        *,
        n_positive: int,
        n_negative: int,
    ) -> RoeMetz:
        """Return the model whose expected AUCs and components are these.

        Parameters
        ----------
        area : array_like, shape (t,)
            Mean AUC of each modality, between 0 and 1.
        components : mapping
            Obuchowski and Rockette's, as in ``mrmc(...).components``: ``reader``,
            ``modality x reader``, ``Cov1``, ``Cov2``, ``Cov3``. Negative ones are
            treated as 0, and each covariance as at least that of fewer things in
            common.
        n_positive, n_negative : int
            Cases of the study that they are of.

        Returns
        -------
        RoeMetz
            With variances of cases that add up to 1 and equal spreads; the variance of
            the error of an AUC is then no free number, so it is not fitted.

        Raises
        ------
        InputError
            If an AUC is 0 or 1, or the components are larger than any model gives.

        Notes
        -----
        Expected products of scores rise with the correlation of latent ratings, so each
        component has one root (Hillis et al. 2022, Journal of Medical Imaging 9,
        045501).
        """
        return _fitted(np.atleast_1d(area), components, n_positive, n_negative)

    @property
    def auc(self) -> Floats:
        """Expected AUC of each modality over readers and cases."""
        variance = sum(getattr(self, name) for name in _AXES)
        scale = math.sqrt(variance * (1 + self.spread**2))
        return np.asarray(special.ndtr(np.array(self.separation) / scale))

    def components(self, n_positive: int, n_negative: int) -> dict[str, float]:
        """Return the expected components of variance of the AUC.

        Parameters
        ----------
        n_positive, n_negative : int
            Cases of each class.

        Returns
        -------
        dict
            Obuchowski and Rockette's, as in ``mrmc(...).components``, averaged over
            modalities (Hillis 2018, Statistics in Medicine 37, 2067-2093).
        """
        t = len(self.separation)
        own = [(i, i) for i in range(t)]
        other = [(i, k) for i in range(t) for k in range(t) if i != k]

        def mean(pairs: list[tuple[int, int]], reader: bool) -> float:
            sizes = n_positive, n_negative
            covariances = [
                self._error_covariance(i, k, reader, *sizes) for i, k in pairs
            ]
            return float(np.mean(covariances)) if covariances else math.nan

        def over_readers(pairs: list[tuple[int, int]]) -> float:
            differences = [
                self._product(i, k, "r") - self._product(i, k, "") for i, k in pairs
            ]
            return float(np.mean(differences)) if differences else math.nan

        reader = over_readers(other)
        return {
            "reader": reader,
            "modality x reader": over_readers(own) - reader,
            "error": mean(own, True),
            "Cov1": mean(other, True),
            "Cov2": mean(own, False),
            "Cov3": mean(other, False),
        }

    def _error_covariance(
        self, i: int, k: int, reader: bool, n_positive: int, n_negative: int
    ) -> float:
        """Return the covariance over cases of the AUCs of two cells."""
        r = "r" if reader else ""
        none = self._product(i, k, r)
        total = (
            self._product(i, k, r + "pq")
            - none
            + (n_negative - 1) * (self._product(i, k, r + "p") - none)
            + (n_positive - 1) * (self._product(i, k, r + "q") - none)
        )
        return total / (n_positive * n_negative)

    def _product(self, i: int, k: int, shared: str) -> float:
        """Return the mean product of two scores (positive rated above negative).

        ``shared``: their common parts, r reader, p positive and q negative case.
        """
        same, reader = i == k, "r" in shared
        cov = (
            (self.reader + same * self.modality_reader) * reader * (1 + self.spread**2)
        )
        case = self.case + same * self.modality_case
        case += reader * (self.reader_case + same * self.error)
        cov += case * (("p" in shared) * self.spread**2 + ("q" in shared))
        variance = sum(getattr(self, name) for name in _AXES) * (1 + self.spread**2)
        h, g = (self.separation[m] / math.sqrt(variance) for m in (i, k))
        return float(both_below(h, g, cov / variance))

    def sample(
        self,
        rng: np.random.Generator,
        *,
        n_readers: int,
        n_positive: int,
        n_negative: int,
        trials: int = 1,
    ) -> tuple[NDArray[np.bool_], Floats]:
        """Draw ratings of several studies at once.

        Returns
        -------
        truth : ndarray of bool, shape (n_positive + n_negative,)
            Positive cases first.
        ratings : ndarray, shape (trials, modalities, n_readers, n_cases)
        """
        for name, n in (("n_readers", n_readers), ("trials", trials)):
            if n < 1:
                raise InputError(f"{name}={n}: give 1 at least")
        if min(n_positive, n_negative) < 1:
            raise InputError(
                f"n_positive={n_positive}, n_negative={n_negative}: give 1 at least"
            )
        parts = [
            self._class(rng, (trials, n_readers, n_positive), self.spread),
            self._class(rng, (trials, n_readers, n_negative), 1.0),
        ]
        parts[0] += np.array(self.separation)[:, None, None]
        truth = np.arange(n_positive + n_negative) < n_positive
        return truth, np.concatenate(parts, axis=-1)

    def _class(
        self, rng: np.random.Generator, shape: tuple[int, int, int], scale: float
    ) -> Floats:
        """Draw the effects of the cases of one class."""
        trials, r, n = shape
        sizes = (len(self.separation), r, n)
        total = np.zeros((trials, *sizes))
        for name, axes in _AXES.items():
            sd = scale * math.sqrt(getattr(self, name))
            of = tuple(m if axis in axes else 1 for axis, m in enumerate(sizes))
            if sd:
                total += sd * rng.standard_normal((trials, *of))
        return total

    def draw(
        self, *, n_readers: int, n_positive: int, n_negative: int, seed: int
    ) -> Ratings:
        """Draw one study; the same numbers for the same seed."""
        truth, values = self.sample(
            np.random.default_rng(seed),
            n_readers=n_readers,
            n_positive=n_positive,
            n_negative=n_negative,
        )
        return Ratings(
            values=values[0],
            truth=truth,
            modalities=_labels("M", len(self.separation)),
            readers=_labels("R", n_readers),
            cases=_labels("c", len(truth)),
            positive="1",
            negative="0",
        )


def _labels(letter: str, n: int) -> tuple[str, ...]:
    """Return n labels that begin with a letter."""
    return tuple(f"{letter}{i + 1}" for i in range(n))


def _fitted(
    area: Floats, components: Mapping[str, float], n_positive: int, n_negative: int
) -> RoeMetz:
    if not ((area > 0) & (area < 1)).all():
        raise InputError(f"area={area.tolist()}: give AUCs between 0 and 1")
    h = special.ndtri(area)
    t = len(h)
    own = [(i, i) for i in range(t)]
    other = [(i, k) for i in range(t) for k in range(t) if i != k]

    def product(pairs: list[tuple[int, int]], rho: float) -> float:
        first, second = np.transpose(pairs)
        return float(np.mean(both_below(h[first], h[second], min(rho, 1.0))))

    def readers(pairs: list[tuple[int, int]], wanted: float, what: str) -> float:
        none = product(pairs, 0.0)
        return _root(lambda rho: product(pairs, rho) - none, wanted, what)

    # Correlations of differences of a positive and a negative rating.
    reader = readers(other, components["reader"], "reader")
    both = max(components["reader"], 0.0) + max(components["modality x reader"], 0.0)
    total = max(readers(own, both, "modality x reader"), reader)
    spread = total / (1 - total)
    unit = 2 * (1 + spread)

    def cases(pairs: list[tuple[int, int]], base: float, name: str) -> float:
        none = product(pairs, base)

        def covariance(x: float) -> float:
            at_x = product(pairs, base + x / unit) - none
            at_2x = product(pairs, base + 2 * x / unit) - none
            each = (n_positive + n_negative - 2) * at_x
            return (at_2x + each) / (n_positive * n_negative)

        return _root(covariance, components[name], name)

    case = cases(other, 0.0, "Cov3")
    modality_case = max(cases(own, 0.0, "Cov2") - case, 0.0)
    reader_case = max(cases(other, reader, "Cov1") - case, 0.0)
    error = 1 - case - modality_case - reader_case
    if error < 0:
        raise InputError(
            f"components: the variances of cases would add up to {1 - error:.3g}, "
            f"more than 1; no model of Roe and Metz has these covariances"
        )
    return RoeMetz(
        separation=tuple(h * math.sqrt(unit)),
        reader=reader * unit / 2,
        modality_reader=(total - reader) * unit / 2,
        case=case,
        modality_case=modality_case,
        reader_case=reader_case,
        error=error,
    )


def _root(rising: Callable[[float], float], wanted: float, what: str) -> float:
    """Return where a function of [0, 1) that is 0 at 0 reaches a number; 0 below it."""
    if not wanted > 0:
        return 0.0
    largest = 1 - 1e-12
    if rising(largest) < wanted:
        raise InputError(
            f"{what}={wanted:.3g} is larger than any model of Roe and Metz gives"
        )
    root = scipy.optimize.brentq(lambda x: rising(x) - wanted, 0.0, largest, xtol=1e-15)
    return float(root)
