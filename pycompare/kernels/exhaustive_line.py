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
4. both do: A is i, j and what lies between L and R. Where L and R could both reach, one
   of them takes all it can.

All thresholds are worked on at once: since longer windows are allowed from some
threshold number t on, an optimum over windows is a maximum over slices [t:] of arrays
with one entry per threshold. Case 1 gives lower bounds of all adjusted p-values and
v * f(a) upper bounds; only pairs and thresholds in between go through cases 2 to 4. For
a algorithms and T <= a (a - 1) / 2 distinct distances that is O(a^2 T) operations and
about 24 a T bytes, and O(w^2) for each pair and threshold that is left, w being the
number of algorithms in a window: never more than O(a^4 w^2). Normal p-values leave a
few thresholds for each pair; measured: 20 algorithms 0.01 s, 100 algorithms 0.5 s, 179
algorithms 2 s and, for t*, much the same. p-values that fall slowly from 1e-4 leave
hundreds: up to 15 s for 179.

*Equal distances.* Mean ranks are rounded, so equal distances may differ in the last
bit. Sorted distances that follow each other by no more than 1e-12 times the largest
|x_i| count as equal, and their pairs all get the largest of their p-values, which may
differ from their own in the last bits. Up to that the result is the one of
`bergmann_hommel`, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.errors import InputError
from pycompare.kernels.exhaustive_any import checked_pairs
from pycompare.typing import Floats, Ints

#: Numbers of pairs: below 2 ** 31 for 65,000 algorithms, and half as long to read.
Counts = NDArray[np.int32]

#: Distances this close, relative to the largest |position|, are equal.
_SAME_DISTANCE = 1e-12
#: p-values of equal distances may differ by this factor; more is an error.
_SAME_P = 1e-6
#: Thresholds of a pair that are looked at in one go.
_BATCH = 16
#: Elements of a work array in case 4.
_CHUNK = 1 << 17
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
    .. [2] Garcia, S., Herrera, F. (2008). JMLR 9, 2677-2694, sec. 3.
    """
    line = _Line.from_positions(positions, p)
    adjusted = np.ones(line.level.shape)
    for i, j, contiguous in line.contiguous():
        adjusted[i, j] = adjusted[j, i] = _adjusted(line, i, j, contiguous)
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
    line = _Line.from_positions(positions, p)
    counts = np.zeros(line.level.shape, dtype=np.int64)
    for i, j, contiguous in line.contiguous():
        start = line.level[i, j]
        most = contiguous[0]
        if most < line.total[start]:
            own = np.array([start])
            most = max(most, line.crossed_once(i, j, own)[0])
            most = max(most, line.crossed_twice(i, j, own)[0])
        counts[i, j] = counts[j, i] = most
    return line.in_given_order(counts)


def _adjusted(line: _Line, i: int, j: int, contiguous: Counts) -> float:
    """Return the adjusted p-value of a pair.

    ``contiguous`` is case 1, for the thresholds from the pair's own on.
    """
    start = line.level[i, j]
    value = float((line.p[start:] * contiguous).max())
    more = (line.promise[start:] > value) & (contiguous < line.total[start:])
    t = start + np.flatnonzero(more)
    ceiling = line.total[t]
    while t.size:
        chosen = _choice(line.p[t] * ceiling)
        value = _look(line, i, j, t, ceiling, chosen, value)
        # best(e, v) falls as v rises, so what holds for t holds for all before it.
        ceiling = np.minimum.accumulate(ceiling[::-1])[::-1]
        useful = np.minimum(1.0, line.p[t] * ceiling) > value
        t, ceiling = t[useful], ceiling[useful]
    return min(1.0, value)


def _choice(promise: Floats) -> Ints:
    """Choose thresholds to look at: all if few, else the best and an even spread."""
    n = len(promise)
    if n <= _BATCH:
        return np.arange(n)
    spread = np.linspace(0, n - 1, _BATCH).astype(np.int64)
    return np.union1d(spread, np.argmax(promise))


def _look(
    line: _Line,
    i: int,
    j: int,
    t: Ints,
    ceiling: Counts,
    chosen: Ints,
    value: float,
) -> float:
    """Go through cases 2 to 4 for the chosen thresholds; lower their ceilings."""
    at = t[chosen]
    most = line.crossed_once(i, j, at)
    value = max(value, float((line.p[at] * most).max()))
    # Case 4 is the dear one: only where it can still raise the value.
    left = np.minimum(1.0, line.p[at] * ceiling[chosen]) > value
    if left.any():
        at, chosen = at[left], chosen[left]
        most = np.maximum(most[left], line.crossed_twice(i, j, at))
        value = max(value, float((line.p[at] * most).max()))
        ceiling[chosen] = most
    return value


@dataclass(frozen=True, eq=False)
class _Side:
    """What lies left of a pair; made from the mirrored line, what lies right of it.

    Attributes
    ----------
    before, after : ndarray of int32, shape (a + 1, T)
        Best numbers of pairs among the first k and among all from k on.
    reach : ndarray of int32, shape (a, T)
        The last algorithm in one window with number l as the first.
    """

    before: Counts
    after: Counts
    reach: Counts

    def crossing(self, i: int, j: int, t: Ints) -> tuple[Counts, Counts, Counts]:
        """List the blocks L that begin before i and end between i and j.

        Parameters
        ----------
        i, j : int
        t : ndarray of int
            Numbers of thresholds, rising.

        Returns
        -------
        end : ndarray, shape (n, len(t))
            The last member u.
        size : ndarray, shape (n, len(t))
            Without i.
        count : ndarray, shape (n, len(t))
            Best number of pairs in and before the block; NEVER where it does not cross.
        """
        # The reach rises with the first member and with the threshold.
        start = int(np.count_nonzero(self.reach[:i, t[-1]] <= i))
        stop = int(np.count_nonzero(self.reach[:i, t[0]] < j))
        end = self.reach[start:stop][:, t]
        size = end - np.arange(start, stop, dtype=np.int32)[:, None]
        crosses = (end > i) & (end < j)
        count = self.before[start:stop][:, t] + _pairs(size)
        return end, size, np.where(crosses, count, _NEVER)

    def crossed(self, i: int, j: int, t: Ints) -> Counts:
        """Return the best of case 2 at thresholds t (rising), 0 where there is none."""
        best = np.zeros(len(t), dtype=np.int32)
        end, _, count = self.crossing(i, j, t)
        if not len(end):
            return best
        furthest = self.reach[i, t]
        for b in range(j, int(furthest[-1]) + 1):
            with_b = (count + _pairs(b - end + 1)).max(axis=0) + self.after[b + 1, t]
            np.maximum(best, with_b, out=best, where=b <= furthest)
        return best


@dataclass(frozen=True, eq=False)
class _Line:
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
    total: Counts
    promise: Floats
    left: _Side
    right: _Side

    @classmethod
    def from_positions(cls, positions: ArrayLike, p: ArrayLike) -> _Line:
        p = checked_pairs(p)
        x = _checked_positions(positions, len(p))
        order = np.argsort(x, kind="stable")
        level, thresholds = _thresholds(x[order], p[np.ix_(order, order)])
        mirrored = level[::-1, ::-1].T
        n = len(thresholds)
        before, after = _best_prefixes(level, n), _best_prefixes(mirrored, n)
        return cls(
            order=order,
            level=level,
            p=thresholds,
            total=before[-1],
            promise=np.minimum(1.0, thresholds * before[-1]),
            left=_Side(before, after[::-1], _reach(level, n)),
            right=_Side(after, before[::-1], _reach(mirrored, n)),
        )

    def in_given_order(self, values: NDArray) -> NDArray:
        """Bring a matrix from places on the line back to the algorithms."""
        place = np.argsort(self.order)
        return values[np.ix_(place, place)]

    def mirrored(self, i: int, j: int) -> tuple[int, int]:
        """Return the places of a pair on the mirrored line."""
        last = len(self.order) - 1
        return last - j, last - i

    def contiguous(self) -> Iterator[tuple[int, int, Counts]]:
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

    def crossed_once(self, i: int, j: int, t: Ints) -> Counts:
        """Return the best of cases 2 and 3 at thresholds t (rising)."""
        right = self.right.crossed(*self.mirrored(i, j), t)
        return np.maximum(self.left.crossed(i, j, t), right)

    def crossed_twice(self, i: int, j: int, t: Ints) -> Counts:
        """Return the best of case 4 at thresholds t (rising), 0 where there is none."""
        best = np.zeros(len(t), dtype=np.int32)
        u, in_left, left = self.left.crossing(i, j, t)
        s, in_right, right = self.right.crossing(*self.mirrored(i, j), t)
        if not len(left) or not len(right):
            return best
        s = len(self.order) - 1 - s
        step = max(1, _CHUNK // (len(left) * len(right)))
        for k in range(0, len(t), step):
            now = slice(k, k + step)
            gap = s[None, :, now] - u[:, None, now]
            count = left[:, None, now] + right[None, :, now]
            count += _pairs(np.maximum(gap + 1, 2))
            if gap.min() <= 0:
                smaller = np.minimum(in_left[:, None, now], in_right[None, :, now])
                count -= _lost(smaller, np.maximum(1 - gap, 0))
            best[now] = count.max(axis=(0, 1))
        return best


def _pairs(size: Counts) -> Counts:
    return (size * (size - 1)) >> 1


def _lost(size: Counts, given_up: Counts) -> Counts:
    """Return C(size, 2) - C(size - given_up, 2)."""
    return (given_up * (2 * size - given_up - 1)) >> 1


def _best_prefixes(level: Ints, n_thresholds: int) -> Counts:
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


def _reach(level: Ints, n_thresholds: int) -> Counts:
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
