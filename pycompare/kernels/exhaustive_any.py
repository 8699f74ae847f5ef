"""Bergmann-Hommel and Shaffer's t* for any symmetric matrix of p-values.

Computation, and why partitions: see `pycompare.kernels.exhaustive`.

best(e, v), the largest clique partition of the graph G_v = {p >= v} with the pair e
kept together, is found by branching on the largest block. With e = {i, j} the two ends
are treated as one vertex of weight 2. The number of pairs, sum of C(size, 2), is convex
in the block sizes, so moving a vertex from a block to one that is no smaller always
gains. Hence a largest block of a best partition is a maximal clique, else some vertex
could join it; the rest is again such a problem, on fewer vertices. Vertex sets
are bit masks, and the answers for them are remembered and shared by all pairs of a
threshold.

Four things keep the search small:

- unconnected parts are solved apart;
- u cannot be in a block larger than omega_u, its largest clique, so no partition has
  more pairs than blocks that are filled with the largest omega first;
- best(e, v) falls as v rises, and is at most best(v), that of no pair in particular;
- a partition found for one pair is a lower bound of the APVs of all pairs in it, and a
  threshold with v * (upper bound) <= the APV so far, or an APV of 1, needs no search.

The answer is exact for every input; the time has no polynomial bound, since clique
partition is NP-hard. Measured: Wilcoxon p-values of 20 algorithms, below 0.1 s; of 40,
below a second (t*, which nothing cuts short, up to half a minute if the algorithms
do not differ). p-values without structure, small enough to matter: 1 to 2 s for 20
algorithms, 25 s for 24. The worst that was found for 20, groups of 4 to 6 algorithms
that differ inside and not between: 20 s, and 70 s for t*.

A search may be given a number of steps: cliques that are looked at, the same for the
same p-values on every machine. Past it each adjusted p-value is the largest that the
known bounds allow, which is never too small and at most Shaffer's static one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pycompare.base.errors import InputError
from pycompare.base.typing import Bools, Floats, Ints

#: A set of algorithms: bit u stands for algorithm u.
Mask = int
#: The number of pairs inside the blocks, and the blocks; blocks None: only a bound.
BestPartition = tuple[int, tuple[Mask, ...] | None]


class Effort:
    """Steps that a search may still take; without a number as many as it needs."""

    def __init__(self, steps: int | None = None) -> None:
        self.left: float = math.inf if steps is None else steps

    def take(self, steps: int) -> None:
        """Count steps, and end the search that has none left."""
        self.left -= steps
        if self.left < 0:
            raise Spent


class Spent(Exception):
    """All steps of a search are taken."""


def bergmann_hommel(p: ArrayLike) -> Floats:
    """Adjust the p-values of all pairs by Bergmann and Hommel's procedure, exactly.

    Parameters
    ----------
    p : array_like of float, shape (a, a)
        Symmetric raw p-values in [0, 1] from any test; the diagonal is not looked at.

    Returns
    -------
    ndarray of float, shape (a, a)
        ``min(1, max over exhaustive I containing e of |I| min_{h in I} p_h)``,
        symmetric, 1 on the diagonal. They need not rise with the raw p-values.

    Raises
    ------
    InputError
        If p is not a symmetric matrix of at least 2 x 2 numbers in [0, 1].

    Notes
    -----
    R: ``scmamp::adjustBergmannHommel`` (up to 9 algorithms) before its final running
    maximum. Ties in p are compared exactly, last bit included; the adjusted p-values
    are continuous in p, so a last bit changes no more than a last bit.

    References
    ----------
    .. [1] Bergmann, B., Hommel, G. (1988), Springer, 100-115.
    .. [2] García, S., Herrera, F. (2008). JMLR 9, 2677-2694, sec. 3.
    """
    return bergmann_hommel_within(p, None)[0]


def bergmann_hommel_within(
    p: ArrayLike, steps: int | None, counts: ArrayLike | None = None
) -> tuple[Floats, bool]:
    """Adjust as `bergmann_hommel` in so many steps, or return upper bounds.

    Parameters
    ----------
    p : array_like of float, shape (a, a)
    steps : int, optional
        Cliques that may be looked at; by default as many as it needs.
    counts : array_like of int, optional
        The sizes that exhaustive sets can have, rising, for sharper bounds.

    Returns
    -------
    adjusted : ndarray of float, shape (a, a)
    exact : bool
        False: they are bounds, at least the exact ones.
    """
    bounds = _Bounds(checked_pairs(p), Effort(steps), counts)
    try:
        _raise_at_few(bounds)
        _raise_by_greed(bounds)
        _lower_by_totals(bounds)
        _close(bounds)
    except Spent:
        return bounds.square(bounds.largest(), diagonal=1.0), False
    return bounds.square(bounds.adjusted, diagonal=1.0), True


def largest_true_sets(p: ArrayLike) -> Ints:
    """Find Shaffer's dynamic t*: how many hypotheses can be true when e is the next.

    Parameters
    ----------
    p : array_like of float, shape (a, a)
        Symmetric raw p-values in [0, 1]; the diagonal is not looked at.

    Returns
    -------
    ndarray of int, shape (a, a)
        For pair e the size of the largest exhaustive set that contains e and no
        hypothesis with a p-value below p_e; symmetric, 0 on the diagonal. Hypotheses
        tied with e may be in the set, so the order of tied pairs does not matter.

    Raises
    ------
    InputError
        If p is not a symmetric matrix of at least 2 x 2 numbers in [0, 1].

    Notes
    -----
    R: ``multcomp``'s ``adjusted("Shaffer")`` uses these counts.

    References
    ----------
    .. [1] Shaffer, J. P. (1986). JASA 81, 826-831 (procedure S2).
    """
    p = checked_pairs(p)
    bounds = _Bounds(p)
    counts = np.zeros(len(bounds.p), dtype=np.int64)
    for t in reversed(range(len(bounds.thresholds))):
        graph = bounds.graph(t)
        for e in np.flatnonzero(bounds.p == bounds.thresholds[t]).tolist():
            counts[e], _ = graph.keeping(bounds.pair(e)).solve(0, at_most=_MANY)
    return bounds.square(counts, diagonal=0)


def checked_pairs(p: ArrayLike) -> Floats:
    """Return the p-values of all pairs as an array of float after checking it.

    Raises
    ------
    InputError
        If it is not square, smaller than 2 x 2, not symmetric, or leaves [0, 1].
    """
    p = np.array(p, dtype=float)
    if p.ndim != 2 or p.shape[0] != p.shape[1] or len(p) < 2:
        raise InputError(
            f"a table of shape {p.shape}: the p-values of all pairs are a square table "
            f"of at least 2 x 2"
        )
    off = ~np.eye(len(p), dtype=bool)
    _refuse(p, off & ~((p >= 0) & (p <= 1)), "is not in [0, 1]")
    _refuse(p, off & (p != p.T), "its mirror is not: not symmetric; fill both alike")
    return p


def _refuse(p: Floats, bad: Bools, why: str) -> None:
    if bad.any():
        i, j = np.argwhere(bad)[0]
        raise InputError(
            f"row {i + 1}, column {j + 1} of the p-values is {p[i, j]} and {why} "
            f"({bad.sum()} such cells)"
        )


class _Bounds:
    """Facts about every adjusted p-value: a lower bound, and ceilings of best.

    Attributes
    ----------
    p, adjusted : ndarray of float, shape (m,)
        Raw p-values of the pairs i < j, and the lower bounds of the adjusted ones.
    thresholds : ndarray of float, shape (T,)
        The distinct p-values v, rising.
    ceiling : ndarray of int, shape (T, m)
        Upper bounds of best(e, v).
    known : ndarray of int, shape (T,)
        The pairs of the best partition of each graph that was found so far.
    """

    def __init__(
        self, p: Floats, effort: Effort | None = None, counts: ArrayLike | None = None
    ) -> None:
        self.effort = effort or Effort()
        self.matrix = p
        self.first, self.second = np.triu_indices(len(p), 1)
        self.p = p[self.first, self.second]
        self.thresholds = np.unique(self.p)
        self.adjusted = np.zeros(len(self.p))
        left = len(self.p) - np.searchsorted(np.sort(self.p), self.thresholds)
        if counts is not None:
            sizes = np.asarray(counts)
            left = sizes[np.searchsorted(sizes, left, side="right") - 1]
        self.ceiling = np.repeat(left[:, None], len(self.p), axis=1)
        self.known = np.zeros(len(self.thresholds), dtype=np.int64)
        self.own = np.searchsorted(self.thresholds, self.p)
        self.graphs: dict[int, _Search] = {}

    def graph(self, t: int) -> _Search:
        """Return the search for the graph {p >= v} of threshold number t."""
        if t not in self.graphs:
            above = min((u for u in self.graphs if u > t), default=len(self.thresholds))
            known = self.graphs.get(above)
            neighbours = known.neighbours.copy() if known else [0] * len(self.matrix)
            cliques = known.cliques if known else []
            for e in np.flatnonzero((self.own >= t) & (self.own < above)).tolist():
                cliques = _join(neighbours, cliques, self.pair(e))
                self.effort.take(len(cliques))
            cliques = sorted(cliques, key=int.bit_count, reverse=True)
            self.graphs[t] = _Search(neighbours, cliques, effort=self.effort)
        return self.graphs[t]

    def pair(self, e: int) -> Mask:
        """Return the two ends of a pair as a mask."""
        return 1 << int(self.first[e]) | 1 << int(self.second[e])

    def open(self) -> list[int]:
        """Return the thresholds that could still raise a pair, rising."""
        could = self._could_raise(slice(None))
        thresholds: list[int] = np.flatnonzero(could.any(axis=1)).tolist()
        return thresholds

    def open_at(self, t: int) -> list[int]:
        """Return the pairs that threshold number t could still raise."""
        pairs: list[int] = np.flatnonzero(self._could_raise(slice(t, t + 1))).tolist()
        return pairs

    def is_open(self, t: int, e: int) -> bool:
        """Return whether threshold number t could still raise a pair."""
        v = self.thresholds[t]
        reachable = min(1.0, v * self.ceiling[t, e])
        return bool(self.p[e] >= v and self.adjusted[e] < reachable)

    def _could_raise(self, some: slice) -> Bools:
        """Return which pairs some thresholds could still raise, shape (some, m)."""
        v = self.thresholds[some, None]
        reachable = np.minimum(1.0, v * self.ceiling[some])
        return (self.p >= v) & (self.adjusted < reachable)

    def largest(self) -> Floats:
        """Return upper bounds of the adjusted p-values, as known so far."""
        v = self.thresholds[:, None]
        promise = np.where(self.p >= v, v * self.ceiling, 0.0).max(axis=0)
        return np.minimum(1.0, np.maximum(self.adjusted, promise))

    def learn(self, blocks: Iterable[Mask]) -> None:
        """Raise the adjusted p-values of all pairs inside the blocks of a partition."""
        inside = np.flatnonzero(self._inside(blocks))
        smallest = self.p[inside].min(initial=1.0)
        value = min(1.0, float(len(inside) * smallest))
        self.adjusted[inside] = np.maximum(self.adjusted[inside], value)
        graphs = self.known[: np.searchsorted(self.thresholds, smallest) + 1]
        np.maximum(graphs, len(inside), out=graphs)

    def _inside(self, blocks: Iterable[Mask]) -> Bools:
        """Return which pairs lie inside a block."""
        label = -1 - np.arange(len(self.matrix))
        for number, block in enumerate(blocks):
            label[list(_members(block))] = number
        return label[self.first] == label[self.second]

    def square(self, values: NDArray, diagonal: float) -> NDArray:
        """Spread values of the pairs over a symmetric matrix."""
        out = np.full(self.matrix.shape, diagonal, dtype=values.dtype)
        out[self.first, self.second] = out[self.second, self.first] = values
        return out


def _raise_at_few(bounds: _Bounds) -> None:
    """Get lower bounds from few thresholds, so that most others need no graph."""
    few = np.linspace(0, len(bounds.thresholds) - 1, _FEW).astype(int)
    for t in np.unique(few)[::-1].tolist():
        if bounds.open_at(t):
            bounds.learn(bounds.graph(t).greedy())
    below = few[np.searchsorted(few, bounds.own, side="right") - 1].tolist()
    for e in np.argsort(bounds.p, kind="stable").tolist():
        if bounds.is_open(below[e], e):
            bounds.learn(bounds.graph(below[e]).greedy(bounds.pair(e)))


def _raise_by_greed(bounds: _Bounds) -> None:
    """Get cheap lower bounds: largest clique first, for thresholds and for pairs."""
    for t in reversed(bounds.open()):
        if bounds.open_at(t):
            bounds.learn(bounds.graph(t).greedy())
    for e, t in enumerate(bounds.own.tolist()):
        if bounds.is_open(t, e):
            bounds.learn(bounds.graph(t).greedy(bounds.pair(e)))


def _lower_by_totals(bounds: _Bounds) -> None:
    """Bound best(e, v) by the best partition for no pair in particular."""
    for t in bounds.open():
        if bounds.open_at(t):
            best, at_most = int(bounds.known[t]), int(bounds.ceiling[t].max())
            if best < at_most:
                best, blocks = bounds.graph(t).solve(best, at_most)
                bounds.learn(blocks or ())
            bounds.ceiling[t:] = np.minimum(bounds.ceiling[t:], best)


def _close(bounds: _Bounds) -> None:
    """Search for every pair and threshold whose bounds still leave a question."""
    promise = bounds.thresholds * bounds.ceiling.max(axis=1)
    still = set(bounds.open())
    for t in np.argsort(-promise, kind="stable").tolist():
        for e in bounds.open_at(t) if t in still else ():
            if bounds.is_open(t, e):
                _settle(bounds, t, e)


def _settle(bounds: _Bounds, t: int, e: int) -> None:
    """Compute best(e, v) as far as it matters; v is threshold number t."""
    search = bounds.graph(t).keeping(bounds.pair(e))
    enough = _largest_factor(bounds.thresholds[t], bounds.adjusted[e])
    pairs, blocks = search.solve(enough, at_most=int(bounds.ceiling[t, e]))
    bounds.ceiling[t:, e] = np.minimum(bounds.ceiling[t:, e], pairs)
    if blocks:
        bounds.learn(blocks)


def _largest_factor(v: float, value: float) -> int:
    """Return the largest whole k with k * v <= value, as rounded; v > 0."""
    k = int(value / v) + 1
    while k * v > value:
        k -= 1
    return k


class _Search:
    """Best clique partitions of one graph, remembered for vertex sets.

    Parameters
    ----------
    neighbours : list of Mask
        The graph.
    cliques : list of Mask
        Its maximal cliques of at least two vertices, largest first.
    pair : Mask, default 0
        Two vertices that the graph treats as one, with the same neighbours; 0: none.
    rest : _Search, optional
        The search without a pair, for vertex sets that hold the pair no longer.
    effort : Effort, optional
        Steps that are left; by default as many as it needs.
    """

    def __init__(
        self,
        neighbours: list[Mask],
        cliques: list[Mask],
        pair: Mask = 0,
        rest: _Search | None = None,
        effort: Effort | None = None,
    ) -> None:
        self.neighbours = neighbours
        self.cliques = cliques
        self.effort = effort or Effort()
        self.pair = pair
        self.rest = rest
        self.exact: dict[Mask, BestPartition] = {}
        self.upper: dict[Mask, int] = {}

    def keeping(self, pair: Mask) -> _Search:
        """Return the search in which the two ends of the pair stay together."""
        neighbours = [
            near if near & pair == pair else near & ~pair for near in self.neighbours
        ]
        i, j = _members(pair)
        both = self.neighbours[i] & self.neighbours[j]
        neighbours[i], neighbours[j] = both | 1 << j, both | 1 << i
        self.effort.take(len(self.cliques))
        search = _Search(neighbours, [], pair, rest=self, effort=self.effort)
        whole = (c if c & pair == pair else c & ~pair for c in self.cliques)
        search.cliques = search.maximal(_largest_first(whole), _ALL)
        return search

    def maximal(self, cliques: list[Mask], vertices: Mask) -> list[Mask]:
        """Drop cliques that one of the vertices could join."""
        return [c for c in cliques if not _common(self.neighbours, c, vertices)]

    def greedy(self, pair: Mask = 0) -> list[Mask]:
        """Partition by taking the largest clique again and again, the pair's first."""
        first = next(c for c in self.cliques if c & pair == pair)
        blocks, cliques = [first], _without(self.cliques, first)
        while cliques:
            self.effort.take(len(cliques))
            blocks.append(cliques[0])
            cliques = _without(cliques, cliques[0])
        return blocks

    def solve(self, above: int, at_most: int) -> BestPartition:
        """Find the best partition of the whole graph; see `best`.

        ``at_most`` is an upper bound known from elsewhere.
        """
        self.upper[_union(self.cliques)] = at_most
        return self.best(self.cliques, above)

    def best(self, cliques: list[Mask], above: int) -> BestPartition:
        """Find the best partition of the vertices that the cliques cover.

        Parameters
        ----------
        cliques : list of Mask
            All maximal cliques of at least two of these vertices, largest first;
            others may be among them. A vertex outside is a block and adds no pair.
        above : int
            No partition with fewer pairs than this, or as many, is of use.

        Returns
        -------
        BestPartition
            The best partition if it has more than ``above`` pairs. Otherwise the
            number is an upper bound that is no larger than ``above``, or the best.
        """
        vertices = _union(cliques)
        if self.rest is not None and not vertices & self.pair:
            return self.rest.best(cliques, above)
        if not cliques or cliques[0] == vertices:
            return _pairs(vertices), (vertices,)
        if vertices in self.exact:
            return self.exact[vertices]
        ceiling = min(self.upper.get(vertices, _MANY), _ceiling(cliques))
        if ceiling <= above:
            return ceiling, None
        cliques = self.maximal(cliques, vertices)
        parts = _components(cliques)
        if len(parts) > 1:
            best = self._join(parts, above)
        else:
            best = self._branch(cliques, above, ceiling)
        return self._remember(vertices, best, above)

    def _remember(
        self, vertices: Mask, best: BestPartition, above: int
    ) -> BestPartition:
        if best[0] > above:
            self.exact[vertices] = best
        else:
            self.upper[vertices] = best[0]
        return best

    def _join(self, parts: list[list[Mask]], above: int) -> BestPartition:
        """Solve unconnected parts one by one, until they cannot exceed ``above``."""
        ceilings = [_ceiling(part) for part in parts]
        total = sum(ceilings)
        blocks: tuple[Mask, ...] = ()
        for part, ceiling in zip(parts, ceilings, strict=True):
            pairs, partition = self.best(part, above - (total - ceiling))
            total += pairs - ceiling
            if total <= above or partition is None:
                return total, None
            blocks += partition
        return total, blocks

    def _branch(self, cliques: list[Mask], above: int, ceiling: int) -> BestPartition:
        """Try every maximal clique as the largest block, largest first."""
        n = _union(cliques).bit_count()
        most: BestPartition = (above, None)
        for block in cliques:
            self.effort.take(len(cliques))
            size = block.bit_count()
            # No block is larger than size, so that no partition has more pairs.
            if _packed(n, size) <= most[0] or most[0] >= ceiling:
                break
            pairs = _pairs(block)
            if pairs + _ceiling(cliques, size, block) > most[0]:
                left = _without(cliques, block)
                more, blocks = self.best(left, most[0] - pairs)
                if pairs + more > most[0] and blocks is not None:
                    most = pairs + more, (block, *blocks)
        return most


#: Thresholds that are looked at first.
_FEW = 12
#: More pairs than there can be.
_MANY = 1 << 60
#: All vertices.
_ALL: Mask = -1


def _pairs(block: Mask) -> int:
    size = block.bit_count()
    return size * (size - 1) // 2


def _union(cliques: Iterable[Mask]) -> Mask:
    vertices = 0
    for c in cliques:
        vertices |= c
    return vertices


def _members(vertices: Mask) -> Iterator[int]:
    while vertices:
        bit = vertices & -vertices
        yield bit.bit_length() - 1
        vertices ^= bit


def _packed(n: int, size: int) -> int:
    """Return the pairs of n vertices in full blocks of a size and one of the rest."""
    blocks, rest = divmod(n, size)
    return (blocks * size * (size - 1) + rest * (rest - 1)) // 2


def _ceiling(cliques: list[Mask], largest: int = _MANY, block: Mask = 0) -> int:
    """Bound the pairs of a partition by the largest clique of each vertex.

    Of the vertices outside the block. A block is no larger than the largest clique of
    each of its vertices, or than ``largest``. Of all partitions that keep this, the one
    that always takes the largest block has most pairs. The cliques come largest first.
    """
    if not cliques:
        return 0
    of_size = [0] * (cliques[0].bit_count() + 1)
    for c in cliques:
        c &= ~block
        of_size[c.bit_count()] |= c
    seen = twice = left = 0
    for size in range(len(of_size) - 1, 1, -1):
        new = of_size[size] & ~seen
        if new:
            seen |= new
            size = min(size, largest)
            if left > size:
                twice += left * (left - 1)
                left = 0
            blocks, left = divmod(left + new.bit_count(), size)
            twice += blocks * size * (size - 1)
    return (twice + left * (left - 1)) // 2


def _largest_first(cliques: Iterable[Mask]) -> list[Mask]:
    """Sort those with at least two members, each once."""
    distinct = {c for c in cliques if c & (c - 1)}
    return sorted(distinct, key=int.bit_count, reverse=True)


def _without(cliques: list[Mask], block: Mask) -> list[Mask]:
    """Return the rest of the cliques outside the block."""
    return _largest_first([c & ~block for c in cliques])


def _components(cliques: list[Mask]) -> list[list[Mask]]:
    """Sort the cliques by the connected part of the graph they lie in."""
    first = 0
    for c in cliques:
        if c & first or not first:
            first |= c
    if first == _union(cliques):
        return [cliques]
    parts: list[Mask] = []
    for c in cliques:
        touched = [part for part in parts if part & c]
        parts = [part for part in parts if not part & c] + [_union([c, *touched])]
    return [[c for c in cliques if c & part] for part in parts]


def _join(neighbours: list[Mask], cliques: list[Mask], pair: Mask) -> list[Mask]:
    """Make two vertices neighbours, and return the maximal cliques there are then.

    Those of at least two vertices. A clique of both ends is one of the vertices that
    are neighbours of both, and lies in a clique that there was, of either end.
    """
    i, j = _members(pair)
    both = neighbours[i] & neighbours[j]
    joined = both | pair
    neighbours[i] |= 1 << j
    neighbours[j] |= 1 << i
    kept = [c for c in cliques if not c & pair or c & ~joined]
    inside = {c & both for c in cliques} | {0}
    first, second = (
        {c & both for c in cliques if c >> end & 1} | {0} for end in (i, j)
    )
    few = first if len(first) <= len(second) else second
    largest: list[Mask] = []
    for c in sorted(few, key=int.bit_count, reverse=True):
        if all(c & ~larger for larger in largest):
            largest.append(c)
    new = set(largest)
    return kept + [c | pair for c in inside if c in new]


def _common(neighbours: list[Mask], clique: Mask, vertices: Mask) -> Mask:
    """Return those of the vertices that are neighbours of all of the clique."""
    vertices &= ~clique  # none is its own neighbour
    while clique and vertices:
        bit = clique & -clique
        vertices &= neighbours[bit.bit_length() - 1]
        clique ^= bit
    return vertices
