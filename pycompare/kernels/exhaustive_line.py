"""Bergmann-Hommel and Shaffer's t* when p falls with the distance on a line.

Friedman's mean ranks x_i (also aligned and Quade ranks) have one standard error for all
pairs, so p_ij is a non-increasing function of |x_i - x_j|, and G_v = {p >= v} joins the
algorithms no further apart than some d: with x sorted, its cliques are the sets inside
a window of length d. What best(e, v) is: see `pycompare.kernels.exhaustive`.

*No pair in particular.* Some best partition has contiguous blocks. If two blocks
overlap, each member that lies in both spans may change sides; the number of pairs is
convex in the sizes, so moving all of them one way never loses. Nested blocks merge.
Hence f(k), the best of the first k, is max over s of f(s) + C(k - s, 2), the last
window [s, k) being no longer than d; g is the same from the right.

*A pair i < j in one block A.* The same argument, but i and j only move together:

1. A is contiguous, [a, b] with a <= i and j <= b: f(a) + C(b - a + 1, 2) + g(b + 1),
   made cumulative over a and b; or
2. one block L = l..u without i crosses A's left end, i < u < j. Then A is i and all of
   u + 1..b. L ends where its reach does: moving u into A, or u + 1 into L, would gain
   unless L is larger than A and u + 1 too far from l. (An L that could reach j might
   take in the pair, or leave A all from i on: case 1 does no worse.) Or
3. one block R crosses A's right end, the mirror image; or
4. both do: A is i, j and what lies between L and R. If L and R could both reach, one
   of them takes all it can.

All thresholds are worked on at once: since longer windows are allowed from some
threshold number t on, an optimum over windows is a maximum over slices [t:] of arrays
with one entry per threshold. Case 1 gives lower bounds of all adjusted p-values and
v * f(a) upper bounds; only pairs and thresholds in between go through cases 2 to 4, of
each pair the most promising first, and those of all pairs together. For a algorithms
and T <= a (a - 1) / 2 distinct distances that is O(a^2 T) operations and about 32 a T
bytes, and O(w^2) for each pair and threshold that is left, w being the number of
algorithms in a window: never more than O(a^4 w^2). Normal p-values leave a few
thresholds for each pair, of which two are looked at; measured: 20 algorithms 0.01 s,
100 algorithms 0.2 s, 200 algorithms 1.2 s, and less for t*. p-values that fall slowly
from 1e-4 leave hundreds: 8 s for 179.

*Equal distances.* Mean ranks are rounded, so equal distances may differ in the last
bit. Sorted distances that follow each other by no more than 1e-12 times the largest
|x_i| are treated as equal, and their pairs all get the largest of their p-values, which
may differ from their own in the last bits. Up to that the result is the one of
`bergmann_hommel`, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.base.errors import InputError
from pycompare.base.typing import Floats, Ints
from pycompare.kernels.exhaustive_any import checked_pairs

#: Numbers of pairs: below 2 ** 31 for 65,000 algorithms, and half as long to read.
NumbersOfPairs = NDArray[np.int32]

#: Distances this close, relative to the largest |position|, are equal.
_SAME_DISTANCE = 1e-12
#: p-values of equal distances may differ by this factor; more is an error.
_SAME_P = 1e-6
#: Of the thresholds of a pair the best is looked at, and one of so many.
_SPREAD = 16
#: Elements of a work array.
_CHUNK = 1 << 17
#: Numbers of blocks that are worked on together differ by less.
_LIKE = 8
#: Thresholds of pairs that are held at once.
_AT_ONCE = 1 << 18
#: Less than any number of pairs can make up for.
_NEVER = -(1 << 28)


def bergmann_hommel_line(positions: ArrayLike, p: ArrayLike) -> Floats:
    """Adjust p-values that fall with the distance on a line by Bergmann and Hommel.

    Parameters
    ----------
    positions : array_like of float, shape (a,)
        Mean ranks, or rank sums; any unit.
    p : array_like of float, shape (a, a)
        Symmetric raw p-values in [0, 1], a non-increasing function of
        ``|positions[i] - positions[j]|``; the diagonal is not looked at.

    Returns
    -------
    ndarray of float, shape (a, a)
        ``min(1, max over exhaustive I containing e of |I| * min_{h in I} p_h)``,
        symmetric, 1 on the diagonal; as `bergmann_hommel` gives.

    Raises
    ------
    InputError
        If p is not a symmetric matrix in [0, 1], the positions are not as many finite
        numbers, or a larger distance has a larger p-value.

    Notes
    -----
    R: ``scmamp::adjustBergmannHommel`` (up to 9 algorithms) before its final running
    maximum.

    References
    ----------
    .. [1] Bergmann, B., Hommel, G. (1988), Springer, 100-115.
    .. [2] García, S., Herrera, F. (2008). JMLR 9, 2677-2694, sec. 3.
    """
    line = _OrderedLine.from_positions(positions, p)
    adjusted = np.ones(line.level.shape)
    for part in _parts(line):
        i, j = part.i, part.j
        adjusted[i, j] = adjusted[j, i] = np.minimum(1.0, part.adjusted())
    return line.in_given_order(adjusted)


def largest_true_sets_line(positions: ArrayLike, p: ArrayLike) -> Ints:
    """Find Shaffer's dynamic t* when the p-values fall with the distance on a line.

    Parameters
    ----------
    positions : array_like of float, shape (a,)
        Mean ranks, or rank sums; any unit.
    p : array_like of float, shape (a, a)
        Symmetric raw p-values in [0, 1], a non-increasing function of
        ``|positions[i] - positions[j]|``; the diagonal is not looked at.

    Returns
    -------
    ndarray of int, shape (a, a)
        For pair e the size of the largest exhaustive set that contains e and no
        hypothesis with a p-value below p_e; symmetric, 0 on the diagonal. Pairs of
        equal distance, or equal p, are tied and may all be in the set.

    Raises
    ------
    InputError
        If p is not a symmetric matrix in [0, 1], the positions are not as many finite
        numbers, or a larger distance has a larger p-value.

    Notes
    -----
    R: ``multcomp``'s ``adjusted("Shaffer")`` uses these counts.

    References
    ----------
    .. [1] Shaffer, J. P. (1986). JASA 81, 826-831 (procedure S2).
    """
    line = _OrderedLine.from_positions(positions, p)
    counts = np.zeros(line.level.shape, dtype=np.int64)
    for first, last, contiguous in line.contiguous():
        counts[first, last] = contiguous[0]
    i, j = np.nonzero(line.level >= 0)
    open_ = counts[i, j] < line.total[line.level[i, j]]
    i, j = i[open_], j[open_]
    crossed = line.crossed_once(i, j, t := line.level[i, j])
    np.maximum(crossed, line.crossed_twice(i, j, t), out=crossed)
    counts[i, j] = np.maximum(counts[i, j], crossed)
    return line.in_given_order(counts + counts.T)


@dataclass(eq=False)
class _OpenPairs:
    """Some pairs, and their thresholds that may still raise their adjusted p-values.

    Attributes
    ----------
    line : _OrderedLine
    i, j : ndarray of int, shape (m,)
        The pairs.
    value : ndarray of float, shape (m,)
        The largest products found, first those of case 1.
    pair, t : ndarray of int, shape (n,)
        The number of a pair, rising, and that of a threshold, rising for each pair.
    known, ceiling : ndarray of int, shape (n,)
        Case 1 at the threshold, and what no case exceeds.
    """

    line: _OrderedLine
    i: Ints
    j: Ints
    value: Floats
    pair: Ints
    t: Ints
    known: NumbersOfPairs
    ceiling: NumbersOfPairs

    def adjusted(self) -> Floats:
        """Return the products that no threshold raises any more."""
        self.keep_open()
        while len(self.t):
            self.look(self.chosen())
            self.keep_open()
        return self.value

    def promise(self) -> Floats:
        """Return what a threshold may raise the value to."""
        return np.minimum(1.0, self.line.p[self.t] * self.ceiling)

    def keep_open(self) -> None:
        """Drop the thresholds that cannot raise a value."""
        useful = self.promise() > self.value[self.pair]
        for name in ("pair", "t", "known", "ceiling"):
            setattr(self, name, getattr(self, name)[useful])

    def chosen(self) -> Ints:
        """Choose thresholds to look at: the best of each pair and an even spread."""
        place = np.arange(len(self.t))
        place -= np.searchsorted(self.pair, self.pair)
        best_first = np.lexsort((-self.promise(), self.pair))
        chosen = place % _SPREAD == _SPREAD - 1
        chosen[best_first[place == 0]] = True
        return np.flatnonzero(chosen)

    def look(self, at: Ints) -> None:
        """Go through cases 2 to 4 at chosen places; lower the ceilings."""
        i, j, t = self.i[self.pair[at]], self.j[self.pair[at]], self.t[at]
        most = np.maximum(self.known[at], self.line.crossed_once(i, j, t))
        self.raise_values(at, most)
        # Case 4 is the dear one: only where it can still raise the value.
        left = self.promise()[at] > self.value[self.pair[at]]
        i, j, t, at = i[left], j[left], t[left], at[left]
        most = np.maximum(most[left], self.line.crossed_twice(i, j, t))
        self.raise_values(at, most)
        self.ceiling[at] = most
        # best(e, v) falls as v rises: what holds for t holds for all before it.
        offset = self.pair * (1 << 32)
        lowest = np.minimum.accumulate((self.ceiling + offset)[::-1])[::-1]
        self.ceiling = (lowest - offset).astype(np.int32)

    def raise_values(self, at: Ints, count: NumbersOfPairs) -> None:
        """Raise the values of pairs by numbers of pairs at their thresholds."""
        np.maximum.at(self.value, self.pair[at], self.line.p[self.t[at]] * count)


def _parts(line: _OrderedLine) -> Iterator[_OpenPairs]:
    """Yield all pairs with case 1, so many at once as memory has room for."""
    rows: list[tuple[int, int, float, Ints, NumbersOfPairs]] = []
    n = 0
    for i, j, contiguous in line.contiguous():
        start = line.level[i, j]
        value = float((line.p[start:] * contiguous).max())
        t = np.flatnonzero(line.promise[start:] > value)
        rows.append((i, j, value, t + start, contiguous[t]))
        n += len(t)
        if n > _AT_ONCE:
            yield _part(line, rows)
            rows, n = [], 0
    if rows:
        yield _part(line, rows)


def _part(
    line: _OrderedLine, rows: Sequence[tuple[int, int, float, Ints, NumbersOfPairs]]
) -> _OpenPairs:
    """Return pairs with their thresholds and case 1 at these, side by side."""
    i, j, value, thresholds, known = zip(*rows, strict=True)
    t = np.concatenate(thresholds)
    return _OpenPairs(
        line=line,
        i=np.array(i),
        j=np.array(j),
        value=np.array(value),
        pair=np.repeat(np.arange(len(rows)), list(map(len, thresholds))),
        t=t,
        known=np.concatenate(known),
        ceiling=line.total[t],
    )


@dataclass(frozen=True, eq=False)
class _Side:
    """What lies left of pairs; made from the mirrored line, what lies right of them.

    Attributes
    ----------
    before, after : ndarray of int32, shape (a + 1, T)
        Best numbers of pairs among the first k and among all from k on.
    reach, back : ndarray of int32, shape (a, T)
        The last algorithm in one window with number l as the first, and the first in
        one window with number l as the last.
    """

    before: NumbersOfPairs
    after: NumbersOfPairs
    reach: NumbersOfPairs
    back: NumbersOfPairs

    def n_crossing(self, i: Ints, j: Ints, t: Ints) -> Ints:
        """Count the blocks L that begin before i and end between i and j."""
        return self.back[j, t] - self.back[i + 1, t]

    def crossing(
        self, i: Ints, j: Ints, t: Ints
    ) -> tuple[NumbersOfPairs, NumbersOfPairs, NumbersOfPairs]:
        """List the blocks L that begin before i and end between i and j.

        Parameters
        ----------
        i, j, t : ndarray of int, shape (n,)
            Pairs, and for each one the number of a threshold.

        Returns
        -------
        end : ndarray, shape (most, n)
            The last member u; some member if a pair has fewer blocks than others.
        size : ndarray, shape (most, n)
            Without i.
        count : ndarray, shape (most, n)
            Best number of pairs in and before the block; NEVER if there is none.
        """
        n = self.n_crossing(i, j, t)
        k = np.arange(n.max(), dtype=np.int32)[:, None]
        first = np.minimum(self.back[i + 1, t] + k, i)
        end = self.reach[first, t]
        size = end - first
        count = self.before[first, t] + _pairs(size)
        return end, size, np.where(k < n, count, _NEVER)

    def crossed(self, i: Ints, j: Ints, t: Ints) -> NumbersOfPairs:
        """Return the best of case 2 for pairs at thresholds, 0 if there is none."""
        best = np.zeros(len(t), dtype=np.int32)
        n = self.n_crossing(i, j, t)
        for at in _alike(np.ones_like(n), n):
            best[at] = self._crossed(i[at], j[at], t[at])
        return best

    def _crossed(self, i: Ints, j: Ints, t: Ints) -> NumbersOfPairs:
        end, _, count = self.crossing(i, j, t)
        best = np.zeros(len(t), dtype=np.int32)
        # The block A ends at b, from j to the reach of i.
        left, b = np.arange(len(t)), j
        while len(left):
            within = (count + _pairs(b - end + 1)).max(axis=0)
            best[left] = np.maximum(best[left], within + self.after[b + 1, t[left]])
            more = b < self.reach[i[left], t[left]]
            left, b, end, count = left[more], b[more] + 1, end[:, more], count[:, more]
        return best


def _alike(n: Ints, m: Ints) -> Iterator[Ints]:
    """Yield places of like n, like m, none of them 0; arrays of n by m have room."""
    for most in range(_LIKE, int(n.max(initial=0)) + _LIKE, _LIKE):
        at = np.flatnonzero((n > most - _LIKE) & (n <= most) & (m > 0))
        at = at[np.argsort(m[at])[::-1]]
        while len(at):
            step = max(1, _CHUNK // int(most * m[at[0]]))
            yield at[:step]
            at = at[step:]


@dataclass(frozen=True, eq=False)
class _OrderedLine:
    """Algorithms in the order of their positions, and the thresholds.

    Attributes
    ----------
    order : ndarray of int, shape (a,)
        Which algorithm stands at each place of the line.
    level : ndarray of int, shape (a, a)
        For places i < j the number of the pair's own threshold; -1 elsewhere. A window
        from i to j is allowed at threshold number t if level[i, j] <= t.
    p : ndarray of float, shape (T,)
        The thresholds, falling.
    total : ndarray of int32, shape (T,)
        Best number of pairs, for no pair in particular.
    promise : ndarray of float, shape (T,)
        What no adjusted p-value can exceed by way of the threshold.
    left, right : _Side
    """

    order: Ints
    level: Ints
    p: Floats
    total: NumbersOfPairs
    promise: Floats
    left: _Side
    right: _Side

    @classmethod
    def from_positions(cls, positions: ArrayLike, p: ArrayLike) -> _OrderedLine:
        p = checked_pairs(p)
        x = _checked_positions(positions, len(p))
        order = np.argsort(x, kind="stable")
        level, thresholds = _thresholds(x[order], p[np.ix_(order, order)])
        mirrored = level[::-1, ::-1].T
        n = len(thresholds)
        before, after = _best_prefixes(level, n), _best_prefixes(mirrored, n)
        reach, back = _reach(level, n), _reach(mirrored, n)
        last = np.int32(len(x) - 1)
        return cls(
            order=order,
            level=level,
            p=thresholds,
            total=before[-1],
            promise=np.minimum(1.0, thresholds * before[-1]),
            left=_Side(before, after[::-1], reach, last - back[::-1]),
            right=_Side(after, before[::-1], back, last - reach[::-1]),
        )

    def in_given_order(self, values: NDArray) -> NDArray:
        """Bring a matrix from places on the line back to the algorithms."""
        place = np.argsort(self.order)
        return values[np.ix_(place, place)]

    def mirrored(self, i: Ints, j: Ints) -> tuple[Ints, Ints]:
        """Return the places of pairs on the mirrored line."""
        last = len(self.order) - 1
        return last - j, last - i

    def contiguous(self) -> Iterator[tuple[int, int, NumbersOfPairs]]:
        """Yield every pair i < j with case 1, from the pair's own threshold on.

        The counts are a view that lives until the next pair is asked for.
        """
        before, after = self.left.before, self.left.after
        a = len(self.order)
        # Best with i and j, or with j and i - 1, in a contiguous block; 0: not allowed.
        here, outside = np.zeros_like(before), np.zeros_like(before)
        for i in range(a):
            for j in range(a - 1, i, -1):
                start = self.level[i, j]
                best = here[j, start:]
                np.add(before[i, start:], after[j + 1, start:], out=best)
                best += (j - i + 1) * (j - i) // 2
                np.maximum(best, here[j + 1, start:], out=best)
                np.maximum(best, outside[j, start:], out=best)
                here[j, :start] = 0
                yield i, j, best
            here, outside = outside, here

    def crossed_once(self, i: Ints, j: Ints, t: Ints) -> NumbersOfPairs:
        """Return the best of cases 2 and 3 for pairs at thresholds."""
        right = self.right.crossed(*self.mirrored(i, j), t)
        return np.maximum(self.left.crossed(i, j, t), right)

    def crossed_twice(self, i: Ints, j: Ints, t: Ints) -> NumbersOfPairs:
        """Return the best of case 4 for pairs at thresholds, 0 if there is none."""
        best = np.zeros(len(t), dtype=np.int32)
        n = self.left.n_crossing(i, j, t)
        m = self.right.n_crossing(*self.mirrored(i, j), t)
        for at in _alike(n, m):
            best[at] = self._crossed_twice(i[at], j[at], t[at])
        return best

    def _crossed_twice(self, i: Ints, j: Ints, t: Ints) -> NumbersOfPairs:
        u, in_left, left = self.left.crossing(i, j, t)
        s, in_right, right = self.right.crossing(*self.mirrored(i, j), t)
        gap = (len(self.order) - 1 - s) - u[:, None]
        count = left[:, None] + right
        count += _pairs(np.maximum(gap + 1, 2))
        if gap.min() <= 0:
            smaller = np.minimum(in_left[:, None], in_right)
            count -= _lost(smaller, np.maximum(1 - gap, 0))
        return count.max(axis=(0, 1))


def _pairs(size: NumbersOfPairs) -> NumbersOfPairs:
    return (size * (size - 1)) >> 1


def _lost(size: NumbersOfPairs, given_up: NumbersOfPairs) -> NumbersOfPairs:
    """Return C(size, 2) - C(size - given_up, 2)."""
    return (given_up * (2 * size - given_up - 1)) >> 1


def _best_prefixes(level: Ints, n_thresholds: int) -> NumbersOfPairs:
    """Return f: the best number of pairs among the first k, shape (a + 1, T)."""
    a = len(level)
    best = np.zeros((a + 1, n_thresholds), dtype=np.int32)
    for k in range(2, a + 1):
        best[k] = best[k - 1]
        for s in range(k - 2, -1, -1):
            start = level[s, k - 1]
            with_last = best[s, start:] + (k - s) * (k - s - 1) // 2
            np.maximum(best[k, start:], with_last, out=best[k, start:])
    return best


def _reach(level: Ints, n_thresholds: int) -> NumbersOfPairs:
    """Return the last algorithm within reach of each as the first, shape (a, T)."""
    t = np.arange(n_thresholds)
    windows = [np.searchsorted(row[i:], t, "right") for i, row in enumerate(level)]
    return np.array([i + w - 1 for i, w in enumerate(windows)], dtype=np.int32)


def _thresholds(x: Floats, p: Floats) -> tuple[Ints, Floats]:
    """Find the distinct p-values of the distances between sorted positions.

    Returns
    -------
    level : ndarray of int, shape (a, a)
        For i < j the number of the pair's threshold; -1 elsewhere.
    thresholds : ndarray of float, shape (T,)
        Falling.

    Raises
    ------
    InputError
        If a larger distance has a larger p-value.
    """
    first, second = np.triu_indices(len(x), 1)
    distance = x[second] - x[first]
    order = np.argsort(distance, kind="stable")
    first, second = first[order], second[order]
    wider = np.diff(distance[order]) > _SAME_DISTANCE * np.abs(x).max()
    group = np.concatenate([[0], np.cumsum(wider)])
    common = _common_p(p[first, second], np.flatnonzero(np.diff(group, prepend=-1)))
    shared = common[group]
    wrong = shared - p[first, second] > _SAME_P * shared + np.finfo(float).tiny
    if wrong.any():
        raise InputError(
            f"the p-value {p[first, second][wrong][0]!r} of positions "
            f"{x[first][wrong][0]!r} and {x[second][wrong][0]!r} is smaller than that "
            f"of the same or a larger distance; use bergmann_hommel or "
            f"largest_true_sets, which take any p-values"
        )
    falling, number = np.unique(-common, return_inverse=True)
    level = np.full(p.shape, -1)
    level[first, second] = number[group]
    return level, -falling


def _common_p(p: Floats, starts: Ints) -> Floats:
    """Return one p-value for each group of equal distances, not rising."""
    largest = np.maximum.reduceat(p, starts)
    return np.maximum.accumulate(largest[::-1])[::-1]


def _checked_positions(positions: ArrayLike, a: int) -> Floats:
    x = np.asarray(positions, dtype=float)
    if x.shape != (a,) or not np.isfinite(x).all():
        raise InputError(
            f"positions must be {a} finite numbers, one for each row of p; "
            f"got shape {x.shape} with {np.count_nonzero(~np.isfinite(x))} not finite"
        )
    return x
