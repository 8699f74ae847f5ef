"""Sums over units of V^-1, the inverse of a covariance with components of variance.

V = I + sum_k g_k Z_k Z_k', as in `pycompare.kernels.reml`: Z_k has a column of 0 and 1
for each unit of kind k, and Z has the columns of all kinds. In general a dense matrix,
units by units, is factorised. If one of two kinds is nested within the other, the sums
over an outer unit are added up from the inner units within it: time and memory then
grow linearly with the number of units.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy import linalg

from pycompare.base.typing import Floats, Indices

_MOST_DENSE = 100
"""Units within units for which a dense matrix takes no time."""


@dataclass(frozen=True, eq=False)
class Forms:
    """Traces and quadratic forms of P = V^-1 - V^-1 X (X'V^-1 X)^-1 X'V^-1.

    Attributes
    ----------
    traces : ndarray, shape (k,)
        tr(P G_i), G_i = Z_i Z_i'.
    cross_traces, cross_lengths : ndarray, shape (k, k)
        tr(P G_i P G_j) and y'P G_i P G_j P y.
    """

    traces: Floats
    cross_traces: Floats
    cross_lengths: Floats


@dataclass(frozen=True, eq=False)
class DenseInverse:
    """Z'V^-1 at some ratios by one factorisation."""

    kinds: tuple[slice, ...]
    logdet: float
    zvz: Floats
    zvx: Floats
    zvy: Floats

    def forms(self, half_x: Floats, zpy: Floats) -> Forms:
        """Return the forms of P; Z'P Z is Z'V^-1 Z less ``half_x.T @ half_x``."""
        t, kinds = self.zvz - half_x.T @ half_x, self.kinds
        return Forms(
            traces=np.array([np.trace(t[i, i]) for i in kinds]),
            cross_traces=np.array(
                [[np.square(t[i, j]).sum() for j in kinds] for i in kinds]
            ),
            cross_lengths=np.array(
                [[zpy[i] @ t[i, j] @ zpy[j] for j in kinds] for i in kinds]
            ),
        )

    def pairs(self) -> Floats:
        """Return X'V^-1 G_i V^-1 G_j V^-1 X, shape (k, k, r, r)."""
        return np.array(
            [[self.zvx[i].T @ self.zvz[i, j] @ self.zvx[j] for j in self.kinds]
             for i in self.kinds]
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class DenseUnits:
    """Units of any kinds.

    Attributes
    ----------
    kinds : tuple of slice
        The columns of each kind of unit.
    zz, zx, zy : ndarray, shapes (q, q), (q, r), (q,)
        Cross products of the units, with each other and with what stands in the name.
    """

    kinds: tuple[slice, ...]
    zz: Floats
    zx: Floats
    zy: Floats

    def at(self, ratios: Floats) -> DenseInverse:
        """Return Z'V^-1 at some ratios of variances."""
        g = each_unit(ratios, self.kinds)
        # Z'V^-1 = (I + Z'Z D)^-1 Z', with no difference of large numbers.
        lu = linalg.lu_factor(np.eye(len(g)) + self.zz * g)
        both = np.column_stack([self.zz, self.zx, self.zy])
        solved = linalg.lu_solve(lu, both)
        q = len(g)
        logdet = float(np.log(np.abs(np.diag(lu[0]))).sum())
        return DenseInverse(
            self.kinds, logdet, solved[:, :q], solved[:, q:-1], solved[:, -1]
        )


@dataclass(frozen=True, eq=False)
class NestedInverse:
    """Z'V^-1 at some ratios, from the units within others to these.

    Attributes
    ----------
    inner : ndarray
        1'V_f^-1 1 of each inner unit f, V_f the part of V without outer units.
    left : ndarray
        1 / (1 + g w) of each outer unit, w the sum of ``inner`` within it.
    """

    units: NestedUnits
    ratio: float
    inner: Floats
    left: Floats
    logdet: float

    @property
    def zvx(self) -> Floats:
        """Z'V^-1 X."""
        return self._summed(self.units.x_of_inner)

    @property
    def zvy(self) -> Floats:
        """Z'V^-1 y."""
        return self._summed(self.units.y_of_inner[:, None])[:, 0]

    def _summed(self, sums: Floats) -> Floats:
        """Return Z'V^-1 of columns of which each inner unit has these sums."""
        units = self.units
        mean = sums / units.sizes[:, None]
        own = self.inner[:, None] * mean
        if units.outer is None:
            return own
        whole = units.of_outer(own)
        weight = units.of_outer(self.inner[:, None])
        centre = (whole / weight)[units.outer]
        # Deviations from the outer unit's mean, and what is left of this mean.
        within = self.inner[:, None] * (
            mean - centre + self.left[units.outer, None] * centre
        )
        return units.stacked(self.left[:, None] * whole, within)

    def _times(self, kind: slice, columns: Floats) -> Floats:
        """Return Z'V^-1 Z_kind times columns with a row for each unit of the kind."""
        units = self.units
        of_inner = columns if kind == units.inner_kind else columns[units.outer]
        return self._summed(units.sizes[:, None] * of_inner)

    def _squares(self) -> tuple[Floats, Floats]:
        """Return tr(Z_i'V^-1 Z_i), and sums of squares of Z_i'V^-1 Z_j."""
        units, v = self.units, self.inner
        if units.outer is None:
            return np.array([v.sum()]), np.array([[v @ v]])
        part = self.ratio * self.left
        alone = v * (1 - part[units.outer] * v)
        squares = units.of_outer(np.square(v)[:, None])[:, 0]
        fourth = units.of_outer((v**4)[:, None])[:, 0]
        outer = self.left * units.of_outer(v[:, None])[:, 0]
        both = float(np.square(self.left) @ squares)
        inner = float(alone @ alone + np.square(part) @ (squares**2 - fourth))
        traces = np.array([outer.sum(), alone.sum()])
        sums = np.array([[outer @ outer, both], [both, inner]])
        order = units.order
        return traces[order], sums[np.ix_(order, order)]

    def forms(self, half_x: Floats, zpy: Floats) -> Forms:
        """Return the forms of P; see `DenseInverse.forms`."""
        kinds = self.units.kinds
        traces, squares = self._squares()
        of_x = [half_x[:, i] for i in kinds]
        grams = [own @ own.T for own in of_x]
        of_y = [own @ zpy[i] for own, i in zip(of_x, kinds, strict=True)]
        k = len(kinds)
        lengths = np.empty((k, k))
        for b, j in enumerate(kinds):
            product = self._times(j, np.column_stack([of_x[b].T, zpy[j]]))
            for a, i in enumerate(kinds):
                crossed = np.sum(of_x[a].T * product[i, :-1])
                squares[a, b] += np.sum(grams[a] * grams[b]) - 2 * crossed
                lengths[a, b] = zpy[i] @ product[i, -1] - of_y[a] @ of_y[b]
        return Forms(
            traces=traces - np.array([np.trace(gram) for gram in grams]),
            cross_traces=squares,
            cross_lengths=lengths,
        )

    def pairs(self) -> Floats:
        """Return X'V^-1 G_i V^-1 G_j V^-1 X, shape (k, k, r, r)."""
        zvx, kinds = self.zvx, self.units.kinds
        products = [self._times(j, zvx[j]) for j in kinds]
        return np.array([[zvx[i].T @ own[i] for own in products] for i in kinds])


@dataclass(frozen=True, eq=False)
class NestedUnits:
    """Units of one kind, or of two kinds of which one is within the other.

    Attributes
    ----------
    kinds : tuple of slice
        The rows of each kind of unit in sums of all.
    order : list of int
        The place among outer and inner units of each kind.
    sizes : ndarray
        Rows of each inner unit.
    outer : ndarray of int or None
        The outer unit of each inner one; None if there is one kind.
    x_of_inner, y_of_inner : ndarray, shapes (units, r), (units,)
        Sums of the fixed effects, and of the residuals, over inner units.
    """

    kinds: tuple[slice, ...]
    order: list[int]
    sizes: Floats
    outer: Indices | None
    x_of_inner: Floats
    y_of_inner: Floats

    @property
    def inner_kind(self) -> slice:
        """The kind of the inner units."""
        return self.kinds[self.order.index(max(self.order))]

    @property
    def zx(self) -> Floats:
        """Z'X."""
        return self._of_all(self.x_of_inner)

    @property
    def zy(self) -> Floats:
        """Z'y."""
        return self._of_all(self.y_of_inner[:, None])[:, 0]

    def _of_all(self, sums: Floats) -> Floats:
        """Return sums over units of all kinds."""
        return sums if self.outer is None else self.stacked(self.of_outer(sums), sums)

    def of_outer(self, sums: Floats) -> Floats:
        """Return sums over outer units of sums over inner ones."""
        assert self.outer is not None
        return sums_of(self.outer, sums)

    def stacked(self, outer: Floats, inner: Floats) -> Floats:
        """Return rows of outer and inner units in the order of the kinds."""
        return np.concatenate([(outer, inner)[place] for place in self.order])

    def at(self, ratios: Floats) -> NestedInverse:
        """Return Z'V^-1 at some ratios of variances."""
        by_place = dict(zip(self.order, ratios.tolist(), strict=True))
        own = by_place[max(self.order)] * self.sizes
        inner = self.sizes / (1 + own)
        logdet = float(np.log1p(own).sum())
        if self.outer is None:
            return NestedInverse(self, 0.0, inner, np.ones(0), logdet)
        beyond = by_place[0] * self.of_outer(inner[:, None])[:, 0]
        logdet += float(np.log1p(beyond).sum())
        return NestedInverse(self, by_place[0], inner, 1 / (1 + beyond), logdet)


UnitSums = DenseUnits | NestedUnits


def each_unit(ratios: Floats, kinds: Sequence[slice]) -> Floats:
    """Return the ratio of each unit's kind."""
    lengths = [kind.stop - kind.start for kind in kinds]
    return np.repeat(ratios, lengths)


def units_of(residual: Floats, x: Floats, units: Sequence[Indices]) -> UnitSums:
    """Return the sums over units of residuals and fixed effects.

    Parameters
    ----------
    residual, x : ndarray, shapes (n,), (n, r)
    units : sequence of ndarray of int, each of shape (n,)
        The cell of each row by each kind of unit, numbered from 0.
    """
    numbers = [int(cells.max()) + 1 for cells in units]
    ends = np.cumsum([0, *numbers])
    kinds = tuple(slice(a, b) for a, b in pairwise(ends.tolist()))
    nested = None if ends[-1] <= _MOST_DENSE else _nested(units)
    if nested is not None:
        order, outer = nested
        inner = units[order.index(max(order))]
        both = sums_of(inner, np.column_stack([np.ones(len(x)), residual, x]))
        return NestedUnits(kinds, order, both[:, 0], outer, both[:, 2:], both[:, 1])
    z = np.hstack([np.eye(n)[cells] for n, cells in zip(numbers, units, strict=True)])
    return DenseUnits(kinds, z.T @ z, z.T @ x, z.T @ residual)


def _nested(units: Sequence[Indices]) -> tuple[list[int], Indices | None] | None:
    """Return the place of each kind, and the outer unit of each inner one.

    None if there are more than two kinds, or none is within the other.
    """
    if len(units) == 1:
        return [0], None
    if len(units) > 2:
        return None
    for order in ([0, 1], [1, 0]):
        inner, outer = units[order.index(1)], units[order.index(0)]
        within = np.empty(int(inner.max()) + 1, np.intp)
        within[inner] = outer
        if np.array_equal(within[inner], outer):
            return order, within
    return None


def sums_of(cells: Indices, columns: Floats) -> Floats:
    """Return the sums of columns over the rows of each cell."""
    return np.column_stack([np.bincount(cells, column) for column in columns.T])
