"""The largest of many studentised sums under signs flipped block by block.

A flip changes the sign of all differences of a block together, so it keeps how the
differences of several pairs go together. ``|sum d| / sqrt(sum d^2)`` rises with |t|,
and its denominator stays when signs change: all flips are one product of matrices.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import special

from pycompare.base.parallel.draws import on_draws, portions
from pycompare.base.typing import Bools, Floats, Ints
from pycompare.kernels.r_random import Uniforms

CELLS = 2_000_000
"""Numbers that one chunk of signs or flipped sums holds: 16 MB."""
PACKED = 100_000_000
"""Signs (blocks times flips) of more than which a random number gives 32."""
_WORD = 32
"""Bits of a random number."""
_WIDTH = 256
"""Blocks whose signs are multiplied at once if they are packed."""
_OF_BYTE = 1.0 - 2.0 * np.unpackbits(
    np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"
)
"""The eight signs that a byte stands for, its lowest bit first; a set bit is -1."""
TIE = 1e-11
"""Studentised sums, of standard deviation 1, that differ by no more are the same."""


_WIDEST = 12
"""Standard deviations about the mean in which a number of signs is tabulated."""


@dataclass(frozen=True, eq=False)
class _Patterns:
    """Rows that are equal, in order of first appearance.

    Attributes
    ----------
    first : ndarray of int, shape (m,)
        The first row of each pattern.
    counts : ndarray of int, shape (m,)
    """

    first: Ints
    counts: Ints


def _patterns_of(rows: Floats) -> _Patterns | None:
    """Return the patterns of rows; None if there are more than one for 32 rows."""
    n = len(rows)
    most = n // _WORD
    code = np.zeros(n, np.int64)
    for column in rows.T:
        values, own = np.unique(column, return_inverse=True)
        if len(values) > most:
            return None
        code = np.unique(code * len(values) + own, return_inverse=True)[1]
        if code.max() >= most:
            return None
    _, first, counts = np.unique(code, return_index=True, return_counts=True)
    order = np.argsort(first)
    return _Patterns(first[order], counts[order])


def _heads(uniforms: Floats, size: int) -> Ints:
    """Return how many of ``size`` fair coins fall heads, as R's ``qbinom(u, size)``."""
    width = int(_WIDEST * np.sqrt(size) / 2) + 1
    few = np.arange(max(0, size // 2 - width), min(size, size // 2 + width))
    return few[0] + np.searchsorted(special.betainc(size - few, few + 1, 0.5), uniforms)


@dataclass(frozen=True)
class Signs:
    """Which signs the blocks get.

    Attributes
    ----------
    n : int
        Number of blocks.
    count : int
        Number of flips; ``2^(n - 1)`` if all are listed, the first being no flip.
    seed : int or None
        None: all flips are listed, the first block's sign fixed, since |sum| is the
        same when all signs change.
    patterns : _Patterns or None
        Blocks that are equal; if there are many, their sum of signs is drawn.
    """

    n: int
    count: int
    seed: int | None
    patterns: _Patterns | None = field(default=None, compare=False)

    @property
    def listed(self) -> bool:
        """Whether all flips are listed."""
        return self.seed is None

    @property
    def size(self) -> int:
        """Number of flips that p-values are shares of, no flip among them."""
        return self.count if self.listed else self.count + 1

    @property
    def packed(self) -> bool:
        """Whether each random number gives the signs of 32 blocks."""
        return not self.listed and self.n * self.count > PACKED

    def sums(self, x: Floats) -> Iterator[Floats]:
        """Yield sums of columns, shape (n, m), under some flips, shape (flips, m).

        Signs at random are -1 if R's ``runif(n * count)`` is below 1/2, flip after
        flip. If that would be more than `PACKED` numbers, bit j of number i of a
        flip, the lowest one 0, is set if block 32 i + j has the sign -1. If
        blocks have few patterns, each number gives the signs -1 of a pattern, by
        ``qbinom``.
        """
        if self.seed is None:
            most = self._most(x)
            for start in range(0, self.count, most):
                rows = min(most, self.count - start)
                yield self._listed(start, rows, x.dtype) @ x
            return
        draw, function, held, width, most = self._drawn(x)
        sizes, numbers = portions(self.count, most), self.count * width
        yield from on_draws(function, held, draw, Uniforms(self.seed), sizes, numbers)

    def _most(self, x: Floats) -> int:
        """Return how many flips are held at once."""
        return max(1, CELLS // max(x.shape[1], self.n))

    def _listed(self, start: int, rows: int, kind: np.dtype[Any]) -> Floats:
        """Return some rows of the list of all flips."""
        numbers = np.arange(start, start + rows)[:, None]
        negative = (numbers >> np.arange(self.n - 1)) & 1 == 1
        signs = np.ones((rows, self.n), kind)
        signs[:, 1:][negative] = -1
        return signs

    def _drawn(self, x: Floats) -> tuple[Any, Any, Any, int, int]:
        """Return what draws signs, what sums columns by them, of what, and sizes.

        The sizes are the numbers that a flip takes, and flips at once.
        """
        if self.patterns is not None:
            own, counts = x[self.patterns.first], self.patterns.counts

            def uniforms(stream: Uniforms, rows: int) -> Floats:
                return stream.draw(rows, len(counts))

            most = CELLS // max(own.shape)
            return uniforms, _by_pattern, (own, counts), len(counts), most
        if self.packed:
            n_words = -(-self.n // _WORD)
            padded = np.pad(x, ((0, n_words * _WORD - self.n), (0, 0)))

            def bits(stream: Uniforms, rows: int) -> NDArray[np.uint8]:
                return stream.bits(rows, n_words)

            most = CELLS // (8 * max(x.shape[1], n_words))
            return bits, _by_bits, padded, self.n, most

        def heads(stream: Uniforms, rows: int) -> Bools:
            return stream.heads(rows, self.n)

        return heads, _by_heads, x, self.n, self._most(x)


def _by_heads(x: Floats, heads: Bools) -> Floats:
    """Return sums of columns; heads are the sign -1."""
    signs = heads.astype(x.dtype)
    signs *= -2
    signs += 1
    return np.asarray(signs @ x)


def _by_pattern(held: tuple[Floats, Ints], uniforms: Floats) -> Floats:
    """Return sums of columns of which equal blocks have equal rows."""
    own, counts = held
    for k, size in enumerate(counts.tolist()):
        uniforms[:, k] = size - 2 * _heads(uniforms[:, k], size)
    return np.asarray(uniforms.astype(own.dtype) @ own)


def _by_bits(x: Floats, held: NDArray[np.uint8]) -> Floats:
    """Return sums of columns under signs of which a random number gives 32."""
    of_byte = _OF_BYTE.astype(x.dtype)
    sums = np.zeros((len(held), x.shape[1]), x.dtype)
    for at in range(0, len(x), _WIDTH):
        part = of_byte[held[:, at // 8 : (at + _WIDTH) // 8]]
        sums += part.reshape(len(held), -1) @ x[at : at + _WIDTH]
    return sums


def signs_for(
    n: int, flips: int, seed: int | None, rows: Floats | None = None
) -> Signs:
    """List all flips of n blocks if no more than ``flips``, else draw so many.

    ``rows``: what blocks are, shape (n, m). If there are many and equal ones among
    them, the signs of equal blocks are drawn together.
    """
    if n - 1 < 62 and 2 ** (n - 1) <= flips:
        return Signs(n, 2 ** (n - 1), None)
    signs = Signs(n, flips, seed)
    if not signs.packed or rows is None:
        return signs
    return replace(signs, patterns=_patterns_of(rows))


def unit_columns(d: Floats) -> Floats:
    """Return columns of length 1, or of zeros if a column is 0, of any scale."""
    largest = np.max(np.abs(d), axis=0, initial=0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        scaled = np.where(largest > 0, d / largest, 0.0)
        return np.where(largest > 0, scaled / np.linalg.norm(scaled, axis=0), 0.0)


@dataclass(frozen=True, eq=False)
class Counted:
    """Shares of flips, no flip among them.

    Attributes
    ----------
    raw : ndarray, shape (m,)
        Of flips in which this sum is as large as observed.
    adjusted : ndarray, shape (m,)
        Step-down: of flips in which the largest of this sum and of those observed to
        be smaller is as large; no smaller than that of any larger sum.
    """

    raw: Floats
    adjusted: Floats


def step_down(z: Floats, signs: Signs) -> Counted:
    """Return raw and step-down adjusted p-values of studentised sums.

    Parameters
    ----------
    z : ndarray, shape (n, m)
        Columns of length 1 or 0.
    signs : Signs

    References
    ----------
    Westfall, P. H., Young, S. S. (1993). Resampling-Based Multiple Testing, alg. 4.1.
    """
    observed = np.abs(z.sum(axis=0))
    order = np.argsort(-observed, kind="stable")
    limit = observed[order] - TIE
    alone, together = np.zeros(len(order)), np.zeros(len(order))
    for flipped in signs.sums(z[:, order]):
        sums = np.abs(flipped)
        alone += np.sum(sums >= limit, axis=0)
        # Largest of this one and all that were observed to be smaller.
        # Westfall & Young (1993), algorithm 4.1: successive maxima.
        largest = np.maximum.accumulate(sums[:, ::-1], axis=1)[:, ::-1]
        together += np.sum(largest >= limit, axis=0)
    seen = 0 if signs.listed else 1
    raw, adjusted = np.empty(len(order)), np.empty(len(order))
    raw[order] = (seen + alone) / signs.size
    # The same, last step: p-values may not fall along the order.
    adjusted[order] = np.maximum.accumulate((seen + together) / signs.size)
    return Counted(raw, adjusted)


def critical_value(z: Floats, signs: Signs, alpha: float) -> float:
    """Return the critical value of the largest sum; ``z`` are centred columns."""
    largest = np.concatenate([np.abs(sums).max(axis=1) for sums in signs.sums(z)])
    return quantile_of_largest(largest, signs, alpha)


def quantile_of_largest(largest: Floats, signs: Signs, alpha: float) -> float:
    """Return the value that a studentised sum must exceed to be outside of 1 - alpha.

    ``largest`` is the largest sum under each flip. A sum T is treated as one of the
    flips: it is outside if (1 + #{flips whose largest sum is >= T}) / size <= alpha.
    Infinite if there are too few flips for that.
    """
    least = int(np.floor(alpha * signs.size * (1 + 1e-12)))
    if least < 1:
        return np.inf
    others = np.sort(largest[1:] if signs.listed else largest)[::-1]
    return float(others[least - 1]) if least <= len(others) else 0.0
