"""Sums of squares and cross products (SSCP) of a linear model, for many responses.

An analysis of variance is a set of orthogonal projections. For a response matrix Y of
shape (..., n, p) the SSCP matrix of a term is F'F with F = Q'Y, Q an orthonormal basis
of the space that the term adds to those before it, and that of error is R'R with R the
residuals. The factors F and R are kept: E = R'R has the square of the
condition number of R, so who needs digits works on R.

Before anything is squared, the first observation is subtracted (exact if the data
share their leading digits), then the mean. On the NIST one-way sets with 13 leading
digits in common this keeps 15 digits of the exact F of the doubles, if ``lm`` has
none; against certified values the limit is that double input has lost 12 digits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from scipy import linalg

from pycompare.base.typing import Floats, Indices

RANK = 1e-9
"""A column whose part outside the columns before it is smaller than this, relative to
the column, adds nothing. Columns of 0 and 1 never come near it."""


_SHORT = 8
"""So few numbers are added one after the other, more by halves."""


@dataclass(frozen=True, eq=False)
class Factors:
    """Factors of the SSCP matrices of one hypothesis and of error.

    Attributes
    ----------
    hypothesis : ndarray, shape (..., m, p)
        ``H = hypothesis' hypothesis``; m is at least the hypothesis' degrees of
        freedom.
    error : ndarray, shape (..., n, p)
        Residuals, ``E = error' error``.
    df_hypothesis, df_error : int
    """

    hypothesis: Floats
    error: Floats
    df_hypothesis: int
    df_error: int

    @property
    def h(self) -> Floats:
        """H, shape (..., p, p)."""
        return cross(self.hypothesis)

    @property
    def e(self) -> Floats:
        """E, shape (..., p, p)."""
        return cross(self.error)


def cross(factor: Floats) -> Floats:
    """Return F'F of factors (..., m, p)."""
    product: Floats = factor.mT @ factor
    return product


def centred(y: Floats) -> Floats:
    """Subtract the first observation, then the mean, of each response (..., n, p)."""
    shifted = y - y[..., :1, :]
    shifted -= mean(shifted, -2)
    return shifted


def mean(y: Floats, axis: int) -> Floats:
    """Return the mean along an axis, which is kept, with a second pass.

    The second pass takes away what rounding left in the first.
    """
    first = folded(np.add, y, axis) / y.shape[axis]
    return first + folded(np.add, y - first, axis) / y.shape[axis]


def folded(join: np.ufunc, y: Floats, axis: int) -> Floats:
    """Reduce an axis, which is kept, to length 1 by adding (or the like) its halves.

    The error grows with the logarithm of the length, as NumPy's does along the last
    axis only, and the slices are as long as they can be: much faster for batches of
    short axes.
    """
    parts = np.moveaxis(y, axis, 0)
    while len(parts) > _SHORT:
        half = len(parts) // 2
        joined = join(parts[:half], parts[half : 2 * half])
        if len(parts) % 2:
            joined[0] = join(joined[0], parts[-1])
        parts = joined
    reduced = parts[0]
    for part in parts[1:]:
        reduced = join(reduced, part)
    return np.expand_dims(reduced, axis)


class RowCells:
    """Cells of rows; the space of constants within them.

    Attributes
    ----------
    counts : ndarray, shape (k,)
        Rows of each cell, none of them empty.
    """

    def __init__(self, groups: Indices) -> None:
        _, self.groups = np.unique(groups, return_inverse=True)
        self.counts = np.bincount(self.groups)
        # Cells that repeat in one order are a grid: outer, cells, inner.
        inner = int(np.argmax(self.groups != self.groups[0])) or len(groups)
        outer = len(groups) // (inner * len(self.counts))
        every = np.tile(np.repeat(np.arange(len(self.counts)), inner), outer)
        self.grid: tuple[int, int, int] | None = (outer, len(self.counts), inner)
        if not np.array_equal(every, self.groups):
            self.grid = None
            self.order = np.argsort(self.groups, kind="stable")
            self.starts = np.cumsum(self.counts) - self.counts

    def means(self, z: Floats) -> Floats:
        """Return means (..., k) of rows in the last axis, (..., n)."""
        if self.grid is None:
            sums = np.add.reduceat(z[..., self.order], self.starts, axis=-1)
        else:
            rows = z.reshape(*z.shape[:-1], *self.grid)
            # NumPy is fast, and adds by halves, along a last axis that is long.
            if self.grid[-1] > _SHORT:
                rows = rows.sum(axis=-1)
            else:
                rows = folded(np.add, rows, -1)[..., 0]
            sums = folded(np.add, rows, -2)[..., 0, :]
        return np.asarray(sums / self.counts)

    def coordinates(self, z: Floats) -> Floats:
        """Return coordinates (..., k) of rows in the last axis, (..., n).

        A cell's constant of length 1 is one direction.
        """
        return np.asarray(self.means(z) * np.sqrt(self.counts))

    def take_off(self, z: Floats, means: Floats) -> None:
        """Subtract from each row, in place, the mean of its cell."""
        if self.grid is None:
            z -= means[..., self.groups]
        else:
            rows = z.reshape(*z.shape[:-1], *self.grid)
            rows -= means[..., None, :, None]


@dataclass(frozen=True, eq=False)
class OrthogonalPart:
    """An orthogonal part of the data: what a term of a model, or a kind of units, adds.

    Attributes
    ----------
    space : RowCells, or ndarray of shape (n, df), or None
        Constants in cells, an orthonormal basis, or all rows.
    df : int
    coarser : tuple of OrthogonalPart
        The parts that are taken off before, one after the other.
    """

    space: RowCells | Floats | None
    df: int
    coarser: tuple[OrthogonalPart, ...] = ()

    def take(self, z: Floats) -> Floats:
        """Take the part off rows in the last axis, in place; return its factor.

        z (..., n) has to be without the coarser parts. The factor has shape (..., m);
        its sum of squares is that of the part taken off. All is done twice, for the
        rounding.
        """
        if isinstance(self.space, RowCells):
            first = self.space.means(z)
            self.space.take_off(z, first)
            again = self.space.means(z)
            self.space.take_off(z, again)
            return np.asarray((first + again) * np.sqrt(self.space.counts))
        if self.space is None:
            factor = z.copy()
            z[...] = 0.0
            return factor
        first = z @ self.space
        z -= first @ self.space.T
        again = z @ self.space
        z -= again @ self.space.T
        return np.asarray(first + again)

    def _finer(self, y: Floats) -> Floats:
        """Return responses (..., n, p) without the coarser parts, (..., p, n)."""
        z = y.mT.copy()
        for part in self.coarser:
            part.take(z)
        return z

    def factor(self, y: Floats) -> Floats:
        """Return the factor (..., m, p) of responses (..., n, p)."""
        return self.take(self._finer(y)).mT

    def project(self, y: Floats) -> Floats:
        """Return the part of responses (..., n, p) that lies in this part."""
        z = self._finer(y)
        if self.space is None:
            return z.mT
        rest = z.copy()
        self.take(rest)
        return (z - rest).mT

    @cached_property
    def basis(self) -> Floats:
        """An orthonormal basis, shape (n, df)."""
        if isinstance(self.space, RowCells):
            return _adding(indicators(self.space.groups), self.coarser)
        assert self.space is not None
        return self.space


def coordinates(space: RowCells | Floats, z: Floats) -> Floats:
    """Return coordinates (..., m) of rows in the last axis, (..., n), in a space.

    The rows are without the coarser parts. Their cells stand for the basis (n, m) that
    the parts leave of the cells' indicators: the same sums of squares and products, in
    time that does not grow with the number of cells.
    """
    return space.coordinates(z) if isinstance(space, RowCells) else z @ space


def split(parts: Sequence[OrthogonalPart], y: Floats) -> tuple[list[Floats], Floats]:
    """Split responses (..., n, p) into the parts of a model and the rest.

    Returns
    -------
    list of ndarray, each of shape (..., m, p)
        A factor of each part's sums of squares and cross products.
    ndarray, shape (..., n, p)
    """
    # Responses first: what is added up lies together.
    z = np.ascontiguousarray(y.mT)
    z = z - z[..., :1]
    return [part.take(z).mT for part in parts], z.mT


def adjusted(columns: Floats, parts: Sequence[OrthogonalPart]) -> OrthogonalPart:
    """Return what columns (n, k) add to some parts."""
    basis = _adding(columns, parts)
    return OrthogonalPart(basis, basis.shape[1])


def _adding(columns: Floats, parts: Sequence[OrthogonalPart]) -> Floats:
    """Return an orthonormal basis of what columns (n, k) add to some parts."""
    scale = np.linalg.norm(columns, axis=0).max(initial=0.0)
    # The rank that they add shows on the diagonal of a pivoted R.
    q, r, _ = linalg.qr(without(columns, parts), mode="economic", pivoting=True)
    rank = int(np.sum(np.abs(np.diag(r)) > RANK * scale))
    # A basis of nearly dependent columns is cleaned once more.
    basis: Floats = linalg.qr(without(q[:, :rank], parts), mode="economic")[0]
    return basis


def without(y: Floats, parts: Sequence[OrthogonalPart]) -> Floats:
    """Return responses (..., n, p) less some parts, in their order."""
    z = y.mT.copy()
    for part in parts:
        part.take(z)
    return z.mT


def indicators(levels: Indices) -> Floats:
    """Return one 0/1 column for each level 0, 1, ..., shape (n, levels)."""
    return (levels[:, None] == np.arange(levels.max() + 1)).astype(float)


def term_parts(terms: Sequence[Floats]) -> tuple[OrthogonalPart, ...]:
    """Return what each term adds to the terms before it.

    Parameters
    ----------
    terms : sequence of ndarray, each of shape (n, columns)
        Columns of the design, term by term, the constant first. They may depend on
        each other: the part has as many degrees of freedom as the term adds.
    """
    parts: list[OrthogonalPart] = []
    for columns in terms:
        parts.append(adjusted(columns, parts))
    return tuple(parts)


def factors(parts: Sequence[OrthogonalPart], y: Floats) -> Factors:
    """Return the factors of the last part and of error for responses (..., n, p)."""
    split_parts, rest = split(parts, y)
    df = parts[-1].df, y.shape[-2] - sum(part.df for part in parts)
    return Factors(split_parts[-1], rest, *df)


@lru_cache(maxsize=64)
def two_way(b: int, a: int, blocked: bool) -> tuple[OrthogonalPart, OrthogonalPart]:
    """Return blocks and algorithms as parts of complete tables, row by row."""
    rows, at = np.divmod(np.arange(b * a), a)
    before = (
        OrthogonalPart(RowCells(rows), b)
        if blocked
        else OrthogonalPart(RowCells(0 * at), 1)
    )
    return before, OrthogonalPart(RowCells(at), a - 1, (before,))
