"""Error of a comparison of modalities, and its degrees of freedom.

Which mean square a difference is compared with defines its scope. All terms
are in the units of ``Contrast``: a difference of two means over r readers has variance
2 D / r.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pycompare.base.typing import Floats
from pycompare.kernels.reader_moments import Contrast
from pycompare.methods.multireader.words import DfRule, Effect, ReaderMethod

_ULPS = 64
"""Rounding allowed for, in units in the last place of the largest number used."""


@dataclass(frozen=True)
class Model:
    """Random factors, and how the error's degrees of freedom are found.

    Attributes
    ----------
    method : {"or", "dbm"}
    readers, cases : {"random", "fixed"}
    rule : {"hillis", "1992"}
    n_readers, n_units : int
        Readers, and independent cases (or clusters).
    fewest_readers : int
        Readers of the modality that has the fewest.
    """

    method: ReaderMethod
    readers: Effect
    cases: Effect
    rule: DfRule
    n_readers: int
    n_units: int
    fewest_readers: int

    @property
    def of_both(self) -> bool:
        """Whether conclusions are about new readers and new cases."""
        return self.readers == self.cases == "random"


@dataclass(frozen=True)
class ErrorTerm:
    """The error term of comparisons, one element each; ``df`` may be infinite."""

    mean_square: Floats
    df: Floats


def error_of(contrast: Contrast, model: Model, between: int) -> ErrorTerm:
    """Return the error term.

    Parameters
    ----------
    contrast : Contrast
        Mean squares, cleared of rounding.
    model : Model
    between : int
        Degrees of freedom between modalities: modalities - 1, or 1 for one modality.
    """
    readers = np.asarray(contrast.readers, float)
    if model.cases == "fixed":
        df = between * (model.n_readers - 1)
        return ErrorTerm(readers, np.full(readers.shape, float(df)))
    if model.readers == "fixed":
        # The variance of a mean over these readers, nothing cut at zero.
        finite = between * (model.n_units - 1) if model.method == "dbm" else np.inf
        cases = np.asarray(contrast.cases, float)
        return ErrorTerm(cases, np.full(cases.shape, float(finite)))
    if model.rule == "hillis":
        return hillis(contrast, between * (model.n_readers - 1))
    return _satterthwaite(contrast, between, model)


def hillis(contrast: Contrast, df_readers: int) -> ErrorTerm:
    """Return MS(TR) + max(r (Cov2 - Cov3), 0) on Hillis' degrees of freedom.

    Hillis (2007), Statistics in Medicine 26, 596-619: D^2 / (MS(TR)^2 / df).
    The model has Cov2 >= Cov3; a negative difference is noise and is set to 0.
    """
    square = contrast.readers + np.maximum(contrast.excess, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = (square / contrast.readers) ** 2 * df_readers
    return ErrorTerm(square, df)


def _satterthwaite(contrast: Contrast, between: int, model: Model) -> ErrorTerm:
    """Return MS(TR) + MS(TC) - MS(TRC) as in Dorfman, Berbaum and Metz (1992).

    A component that is not positive is dropped, and with it its mean square: without
    modality x case the error is MS(TR), without modality x reader MS(TC), without both
    MS(TRC). The degrees of freedom jump with it.
    """
    r, n = model.n_readers, model.n_units
    squares = np.stack(
        [contrast.readers, contrast.cases, contrast.cases - contrast.excess]
    )
    df = between * np.array([r - 1, n - 1, (r - 1) * (n - 1)], float)
    with_readers = squares[0] > squares[2]
    with_cases = contrast.excess > 0
    signs = np.where(
        with_readers & with_cases,
        np.array([[1.0], [1.0], [-1.0]]),
        np.stack(
            [
                with_readers & ~with_cases,
                ~with_readers & with_cases,
                ~with_readers & ~with_cases,
            ]
        ).reshape(3, -1),
    ).reshape(squares.shape)
    total = np.sum(signs * squares, axis=0)
    shape = (3,) + (1,) * (squares.ndim - 1)
    parts = np.sum((signs * squares) ** 2 / df.reshape(shape), axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return ErrorTerm(total, total**2 / parts)


def without_rounding(contrast: Contrast, theta: Floats, variance: float) -> Contrast:
    """Set mean squares to 0 that rounding of the figures can explain.

    Parameters
    ----------
    theta : ndarray
        The figures of merit.
    variance : float
        The largest variance of a figure over cases.
    """
    eps = np.finfo(float).eps
    largest = float(np.nanmax(np.abs(theta)))
    square = (_ULPS * eps * largest) ** 2 * theta.shape[-1]
    linear = _ULPS * eps * variance * theta.shape[-1]
    return Contrast(
        _cleared(contrast.between, square),
        _cleared(contrast.readers, square),
        _cleared(contrast.cases, linear),
        _cleared(contrast.excess, linear),
    )


def sums_without_rounding(sums: Floats, x: Floats) -> Floats:
    """Set sums of squares of some numbers to 0 that their rounding can explain."""
    largest = float(np.nanmax(np.abs(x)))
    return _cleared(sums, (_ULPS * np.finfo(float).eps * largest) ** 2 * x.size)


def _cleared(values: Floats, bound: float) -> Floats:
    """Return values with those at or below a bound set to 0."""
    return np.where(np.abs(values) <= bound, 0.0, values)
