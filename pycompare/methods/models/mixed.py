"""Mixed models: terms tested by REML if error strata are not balanced."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import DesignError
from pycompare.base.typing import Floats
from pycompare.kernels import reml
from pycompare.kernels.manova import EPS, ROUNDING
from pycompare.kernels.sscp import RANK, OrthogonalPart, without
from pycompare.kernels.unit_inverses import sums_of
from pycompare.methods.models.grammar import Term

Df = Literal["kenward-roger", "satterthwaite"]
UnitRows = tuple[str, NDArray[np.intp], tuple[int, ...]]
MIXED = "mixed model"
"""What terms are tested against: the covariance of all strata together."""
ROWS = "rows"
_NO_ROWS = (
    "rows do not vary within units: REML has no residual variance; leave the finest "
    "kind of unit out of within"
)


@dataclass(frozen=True, eq=False)
class Mixed:
    """Variances of units by REML, and the tests made with them.

    Attributes
    ----------
    basis : ndarray, shape (n, r)
        Orthonormal, of all terms.
    bases : dict of Term to ndarray, shape (n, df)
        What each term adds to those it is adjusted for.
    kinds : tuple of str
        Units with a variance, then the rows.
    estimates : tuple of Reml
        One a response, less its shift.
    df : {"kenward-roger", "satterthwaite"}
    shifts : tuple of float
        The number subtracted from each response: the digits that all its values share
        take none of those of its variances. 0 if the terms hold no constant.
    """

    basis: Floats
    bases: Mapping[Term, Floats]
    kinds: tuple[str, ...]
    estimates: tuple[reml.Reml, ...]
    df: Df
    shifts: tuple[float, ...]

    def test(self, term: Term, response: int) -> tuple[float, float]:
        """Return F of a term and its denominator degrees of freedom."""
        weights = self.bases[term].T
        rows = weights @ self.basis
        chosen = (
            reml.satterthwaite_f if self.df == "satterthwaite" else reml.kenward_roger_f
        )
        moved = self.shifts[response] * weight_sums(weights)
        return chosen(self.estimates[response], rows, moved)

    def combined(self, weights: Floats, response: int) -> tuple[Floats, Floats, Floats]:
        """Return estimates, standard errors and df of combinations.

        Parameters
        ----------
        weights : ndarray, shape (m, n)
            Weights of the rows that estimate each combination by least squares.
        """
        rows = weights @ self.basis
        fit = self.estimates[response]
        moved = self.shifts[response] * weight_sums(weights)
        estimate = rows @ fit.coefficients + moved
        if self.df == "satterthwaite":
            variance, df = reml.satterthwaite(fit, rows)
        else:
            variance, df = reml.kenward_roger(fit, rows)
        return estimate, np.sqrt(variance), df

    def covariance(self, weights: Floats, response: int) -> Floats:
        """Return the covariance matrix of combinations; weights as in `combined`."""
        rows = weights @ self.basis
        fit = self.estimates[response]
        own = fit.covariance if self.df == "satterthwaite" else fit.adjusted
        return np.asarray(rows @ own @ rows.T)

    def deviation(self, response: int) -> float:
        """Return the residual standard deviation of rows."""
        return math.sqrt(self.estimates[response].variances[-1])


def mixed_model(
    y: Floats,
    basis: Floats,
    bases: Mapping[Term, Floats],
    units: Sequence[UnitRows],
    df: Df,
) -> tuple[Mixed, tuple[str, ...]]:
    """Return the mixed model of responses, and notes on units without a variance.

    Raises
    ------
    DesignError
        If no variance can be estimated, or rows do not vary within units.
    """
    kept, notes = _estimable_units(units, basis)
    if len(basis) <= basis.shape[1]:
        raise DesignError("no degrees of freedom are left for error; leave terms out")
    terms = OrthogonalPart(basis, basis.shape[1])
    about = _shifted(y, terms)
    rounding = EPS * ROUNDING * math.sqrt(len(y)) * np.abs(y).max(axis=0)
    fits = []
    for column, noise in zip(about.T, rounding, strict=True):
        residual = without(column[:, None], [terms])
        if np.abs(residual).max() <= noise:
            raise DesignError("the terms explain the response without any residual")
        fit = reml.reml(column, basis, [cells for _, cells, _ in kept])
        if not fit.converged:
            raise DesignError(_NO_ROWS)
        fits.append(fit)
    kinds = (*(name for name, _, _ in kept), ROWS)
    shifts = tuple((y - about)[0].tolist())
    return Mixed(basis, bases, kinds, tuple(fits), df, shifts), notes


def _shifted(y: Floats, terms: OrthogonalPart) -> Floats:
    """Return responses (n, p) less their first values, if the terms hold a constant.

    The difference of two doubles that share leading digits is exact.
    """
    constant = np.ones((len(y), 1))
    if np.abs(without(constant, [terms])).max() > RANK:
        return y
    return y - y[:1]


def weight_sums(weights: Floats) -> Floats:
    """Return sums of weights (m, n); those of contrasts are 0 and not its rounding."""
    total: Floats = weights.sum(axis=1)
    rounding = EPS * ROUNDING * weights.shape[1] * np.abs(weights).sum(axis=1)
    return np.where(np.abs(total) <= rounding, 0.0, total)


def _estimable_units(
    units: Sequence[UnitRows], basis: Floats
) -> tuple[list[UnitRows], tuple[str, ...]]:
    """Return the kinds of units that can have a variance, and notes on the others."""
    kept: list[UnitRows] = []
    notes = []
    for name, cells, up in units:
        reason = _no_variance(cells, [other for _, other, _ in kept], basis)
        if reason:
            notes.append(f"units {name} have no variance of their own: {reason}")
        else:
            kept.append((name, cells, up))
    if not kept:
        raise DesignError(f"no units with a variance: {'; '.join(notes)}")
    return kept, tuple(notes)


def _no_variance(
    cells: NDArray[np.intp], others: Sequence[NDArray[np.intp]], basis: Floats
) -> str:
    """Return why a kind of unit has no variance to estimate; nothing if it has one."""
    many = int(cells.max()) + 1
    if many == len(cells):
        return "each is one row"
    if any(len(np.unique(np.stack([cells, other]), axis=1).T) == many ==
           other.max() + 1 for other in others):  # fmt: skip
        return "they are the same rows as other units"
    # The units' columns of 0 and 1 have the squared length n, less that in the terms.
    left = len(cells) - np.square(sums_of(cells, basis)).sum()
    if left <= 1e-12 * len(cells):
        return "terms of the formula hold all that varies between them"
    return ""
