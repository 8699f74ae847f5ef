"""Error strata: the orthogonal parts of the data within which terms are tested.

With units such as folds within data sets the data fall into parts: means of data sets,
means of folds about them, rows about these. Each part has an error of its own, and what
varies between data sets has to be compared with how data sets vary (Nelder 1965; R's
``aov(Error())``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pycompare.kernels.sscp import RANK, term_bases, without
from pycompare.typing import Floats, Indices

_TOLERANCE = 1e-8
"""Projections that overlap by less than this part of a vector are orthogonal."""


class _Cells:
    """Cells of rows, sorted once for the means of many columns."""

    def __init__(self, groups: Indices) -> None:
        self.groups = groups
        self.order = np.argsort(groups, kind="stable")
        self.counts = np.bincount(groups)
        self.starts = np.concatenate([[0], np.cumsum(self.counts)[:-1]])

    def means(self, y: Floats) -> Floats:
        """Return the mean of each row's cell, for columns (n, p)."""
        sums = np.add.reduceat(y[self.order], self.starts, axis=0)
        return np.asarray((sums / self.counts[:, None])[self.groups])


@dataclass(frozen=True, eq=False)
class Stratum:
    """One part of the data.

    Attributes
    ----------
    groups : ndarray of int, shape (n,), or None
        The cell of each row whose mean is taken; None: the rows themselves.
    coarser : tuple of Stratum
        What is taken off these means.
    basis : ndarray, shape (n, df), or None
        An orthonormal basis where means do not do; then ``groups`` is of no use.
    df : int
        Dimensions.
    """

    groups: Indices | None
    coarser: tuple[Stratum, ...]
    basis: Floats | None
    df: int

    @cached_property
    def cells(self) -> _Cells | None:
        """The cells whose means are taken; None: the rows themselves."""
        return None if self.groups is None else _Cells(self.groups)

    def project(self, y: Floats) -> Floats:
        """Return the part of columns (n, p) that lies in the stratum."""
        return self._part(y, {})

    def _part(self, y: Floats, known: dict[int, Floats]) -> Floats:
        """Return the part; ``known`` are those of strata that were met before."""
        if id(self) not in known:
            known[id(self)] = self._made(y, known)
        return known[id(self)]

    def _made(self, y: Floats, known: dict[int, Floats]) -> Floats:
        """Return the part by a basis, or as means without those of coarser strata."""
        if self.basis is not None:
            return np.asarray(self.basis @ (self.basis.T @ y))
        found = y if self.cells is None else self.cells.means(y)
        for other in self.coarser:
            found = found - other._part(y, known)
        return found


def strata(
    units: Sequence[Indices], finer: Sequence[Sequence[int]], n: int
) -> list[Stratum]:
    """Return the strata of the units, coarsest first, and that of the rows last.

    Parameters
    ----------
    units : sequence of ndarray of int, each of shape (n,)
        The cell of each row, by each kind of unit; cells are numbered from 0.
    finer : sequence of sequence of int
        For each kind the earlier kinds whose cells its cells lie in.
    n : int
        Rows.

    Returns
    -------
    list of Stratum
        The first is that of the constant. Rows have no stratum if a kind of unit has
        one row a cell.
    """
    constant = Stratum(np.zeros(n, np.intp), (), None, 1)
    found = [constant]
    for groups, coarser in zip(units, finer, strict=True):
        inside = (constant, *(found[1 + i] for i in coarser))
        df = int(groups.max()) + 1 - sum(one.df for one in inside)
        found.append(Stratum(groups, inside, None, df))
    if not _orthogonal(found, n):
        found = _by_bases(units, n)
    rest = n - sum(one.df for one in found)
    if rest > 0:
        found.append(Stratum(None, tuple(found), None, rest))
    return found


def _orthogonal(found: Sequence[Stratum], n: int) -> bool:
    """Return whether the means of some strata are orthogonal projections."""
    probe = np.random.default_rng(0).normal(size=(n, 2))
    size = float(np.linalg.norm(probe))
    parts = [one.project(probe) for one in found]
    for i, one in enumerate(found):
        for j, part in enumerate(parts):
            again = one.project(part) - (part if i == j else 0.0)
            if np.linalg.norm(again) > _TOLERANCE * size:
                return False
    return all(one.df >= 0 for one in found)


def _by_bases(units: Sequence[Indices], n: int) -> list[Stratum]:
    """Return strata of units that are not balanced: each without those before it."""
    columns = [np.ones((n, 1))]
    columns += [np.eye(int(groups.max()) + 1)[groups] for groups in units]
    return [Stratum(None, (), q, q.shape[1]) for q in term_bases(columns)]


def projected(stratum: Stratum | None, columns: Sequence[Floats]) -> list[Floats]:
    """Return design columns within a stratum; what is rounding there becomes 0."""
    if stratum is None or not columns:
        return list(columns)
    widths = np.cumsum([part.shape[1] for part in columns])[:-1]
    all_columns = np.hstack(list(columns))
    found = stratum.project(all_columns)
    lengths = np.linalg.norm(all_columns, axis=0)
    found[:, np.linalg.norm(found, axis=0) <= RANK * lengths] = 0.0
    return list(np.split(found, widths, axis=1))


def hypothesis_basis(
    columns: Sequence[Floats], tested: int, before: Sequence[int]
) -> Floats:
    """Return a basis of what one term adds to some others, shape (n, rank)."""
    if not columns[tested].any():
        return np.zeros((len(columns[tested]), 0))
    others = [columns[i] for i in before if columns[i].any()]
    return term_bases([*others, columns[tested]])[-1]


def residuals(y: Floats, bases: Sequence[Floats]) -> Floats:
    """Return responses (n, p) without what all terms explain."""
    return without(y, [q for q in bases if q.shape[1]])
