"""Corrections of F for differences that vary unequally, for terms within units."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pycompare.base.typing import Floats
from pycompare.methods.linear import sphericity
from pycompare.methods.models.columns import Categories, ModelColumn
from pycompare.methods.models.fit import Layer
from pycompare.methods.models.grammar import Factor, Term
from pycompare.methods.models.mixed import UnitRows


@dataclass(frozen=True, eq=False)
class Repeated:
    """Rows as repeated measurements of units, each in the same cells.

    Attributes
    ----------
    order : ndarray of int, shape (n,)
        The rows, unit by unit, cells in one order.
    n_units : int
    levels : dict of str to int
        Factors that vary within units, with their numbers of levels.
    """

    order: NDArray[np.intp]
    n_units: int
    levels: dict[str, int]

    def spectra(self, residual: Floats) -> Floats:
        """Return eigenvalues of E, units as rows and cells as columns.

        For residuals (n, p) of shape (p, values), descending.
        """
        tables = residual[self.order].T.reshape(residual.shape[1], self.n_units, -1)
        return np.square(np.linalg.svd(tables, compute_uv=False))

    def dimensions(self, layer: Layer) -> int:
        """Return in how many dimensions of cells the residuals of a stratum vary."""
        probe = np.random.default_rng(0).normal(size=(len(self.order), 1))
        values = self.spectra(layer.residuals(probe))[0]
        return int(np.sum(values > 1e-12 * values[0]))


def repeated_measures(
    strata: Sequence[Term],
    units: Sequence[UnitRows],
    columns: Mapping[Factor, ModelColumn],
) -> Repeated | None:
    """Return the rows by unit; None if units are not all measured in the same cells."""
    if not strata or len(strata[0]) != 1:
        return None
    unit = units[0][1]
    levels, cell = {}, np.zeros(len(unit), np.int64)
    for factor, column in columns.items():
        if not isinstance(column, Categories) or factor.column in levels:
            continue
        pairs = np.unique(np.stack([unit, column.codes]), axis=1)
        if pairs.shape[1] > unit.max() + 1:  # it varies within a unit
            levels[factor.column] = len(column.levels)
            cell = cell * len(column.levels) + column.codes
    order = np.lexsort((cell, unit))
    counts = np.bincount(unit)
    if len(set(counts.tolist())) > 1:
        return None
    cells = cell[order].reshape(len(counts), -1)
    if (cells != cells[0]).any():
        return None
    return Repeated(order, len(counts), levels)


def epsilons(
    repeated: Repeated | None, layer: Layer, term: Term, f: Floats, residual: Floats
) -> dict[str, Floats]:
    """Return epsilons and corrected p-values of a term, one a response; none: no keys.

    They are of the covariance of the term's contrasts between units: of the residuals
    (n, p) of its stratum, one row per unit. There are none for terms between units, for
    one degree of freedom (always spherical), if the stratum holds the variation of
    other terms as well, and if units are not all measured in the same cells.

    References
    ----------
    .. [1] Greenhouse, S. W., Geisser, S. (1959). Psychometrika 24, 95-112.
    .. [2] Huynh, H., Feldt, L. S. (1976). J. Educ. Statist. 1, 69-82.
    """
    if repeated is None or layer.stratum is None:
        return {}
    inside = [repeated.levels[x.column] for x in term if x.column in repeated.levels]
    q = math.prod(n - 1 for n in inside)
    df1, df2 = layer.df(term), layer.df_error
    if not inside or q < 2 or df2 % q or repeated.dimensions(layer) > q:
        return {}
    values = repeated.spectra(residual)[:, :q]
    known = np.isfinite(f) & (values[:, 0] > 0)
    values = np.where(known[:, None], values, np.nan)
    corrections = sphericity.epsilons(values, q, df2 // q, f, df1, df2)
    return {
        "epsilon_gg": corrections["greenhouse_geisser"],
        "p_gg": corrections["p_greenhouse_geisser"],
        "epsilon_hf": corrections["huynh_feldt"],
        "p_hf": corrections["p_huynh_feldt"],
    }
