"""Who is significantly better than whom, as a partial order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pycompare.base.arguments import check_alpha
from pycompare.base.errors import InputError
from pycompare.base.typing import Bools
from pycompare.methods.over_datasets.sign_grid import SignGridResult
from pycompare.results.result import Pairs, PairsResult, rejected


@dataclass(frozen=True, eq=False)
class Dominance:
    """Significant dominance, reduced to what does not follow from the rest.

    Attributes
    ----------
    groups : tuple of tuple of str
        One algorithm each, or those that dominate each other in a circle; the most
        dominant first, ties in the order of the positions.
    edges : tuple of (int, int)
        Group above, group below; without those that a longer path makes anyway. Of
        typical differences all that are decided, unless they are transitive: then
        nothing follows from a path.
    layers : tuple of tuple of int
        Groups by the longest path from above.
    implied : tuple of (str, str)
        Algorithms joined by a path though their own pair does not differ significantly.
    """

    groups: tuple[tuple[str, ...], ...]
    edges: tuple[tuple[int, int], ...]
    layers: tuple[tuple[int, ...], ...]
    implied: tuple[tuple[str, str], ...]


def dominates(pairs: Pairs, alpha: float) -> Bools:
    """Return whether row is significantly better than column, in the order of the data.

    Raises
    ------
    InputError
        If the pairs do not show which of two algorithms is better.
    """
    check_alpha(alpha)
    if not isinstance(pairs, PairsResult):
        raise InputError(
            f"{pairs.method} shows that two algorithms differ, not which is better; "
            f"decide by risk with pc.wins and pc.sign_grid, or look at one metric"
        )
    significant = rejected(pairs.square("p_adjusted"), alpha)
    if isinstance(pairs, SignGridResult) and pairs.alternative == "greater":
        return significant
    return np.asarray(significant & pairs.better())


def dominance_order(pairs: Pairs, *, alpha: float = 0.05) -> Dominance:
    """Return the partial order of significant dominance, transitively reduced.

    Verdicts of sign tests can run in a circle; the algorithms of a circle are one
    group. Significance need not be transitive: ``implied`` names the pairs that a path
    joins and no verdict; of typical differences it is empty.
    """
    direct = dominates(pairs, alpha)
    reach = closure(direct)
    order = [int(i) for i in pairs.order]
    members = _circles(reach, order)
    group_reach = np.array(
        [[reach[u[0], v[0]] and u != v for v in members] for u in members]
    )
    depth = _depths(group_reach)
    sorting = sorted(range(len(members)), key=lambda g: depth[g])
    members = [members[g] for g in sorting]
    group_reach = group_reach[np.ix_(sorting, sorting)]
    depth = [depth[g] for g in sorting]
    names = pairs.algorithms
    edges = _reduced(group_reach)
    if pairs.counts_better and (direct != reach).any():
        edges = _between(direct, members)
    implied = [
        (names[i], names[j])
        for u in range(len(members))
        for v in np.flatnonzero(group_reach[u])
        for i in members[u]
        for j in members[v]
        if not direct[i, j] and not pairs.counts_better
    ]
    return Dominance(
        groups=tuple(tuple(names[i] for i in group) for group in members),
        edges=edges,
        layers=tuple(
            tuple(g for g in range(len(members)) if depth[g] == d)
            for d in range(max(depth) + 1)
        ),
        implied=tuple(implied),
    )


def closure(direct: Bools) -> Bools:
    """Return which nodes a path leads to (Warshall 1962)."""
    reach = direct.copy()
    for k in range(len(reach)):
        reach |= reach[:, k : k + 1] & reach[k]
    return reach


def _circles(reach: Bools, order: list[int]) -> list[tuple[int, ...]]:
    """Return the strongly connected components, in the order given."""
    circles: list[tuple[int, ...]] = []
    seen: set[int] = set()
    for i in order:
        if i not in seen:
            group = tuple(j for j in order if j == i or (reach[i, j] and reach[j, i]))
            seen.update(group)
            circles.append(group)
    return circles


def _depths(reach: Bools) -> list[int]:
    """Return the length of the longest path that ends in each node of a partial order.

    ``reach`` is transitive and has no circle.
    """
    depth = np.zeros(len(reach), dtype=int)
    # In the order of how many nodes lie above: all of them come before.
    for g in np.argsort(reach.sum(axis=0), kind="stable"):
        above = reach[:, g]
        depth[g] = depth[above].max() + 1 if above.any() else 0
    return [int(d) for d in depth]


def _between(
    direct: Bools, members: list[tuple[int, ...]]
) -> tuple[tuple[int, int], ...]:
    """Return the groups of which a member is directly better than one of another."""
    return tuple(
        (u, v)
        for u, above in enumerate(members)
        for v, below in enumerate(members)
        if u != v and direct[np.ix_(above, below)].any()
    )


def _reduced(reach: Bools) -> tuple[tuple[int, int], ...]:
    """Return the pairs of a partial order with nothing between them."""
    between = (reach.astype(int) @ reach.astype(int)) > 0
    return tuple((int(i), int(j)) for i, j in np.argwhere(reach & ~between))
