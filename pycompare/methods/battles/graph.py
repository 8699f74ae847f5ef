"""Which models met, directly or by others, and who took points from whom."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from pycompare.base.errors import DesignError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show_all
from pycompare.base.typing import Bools, Floats, Ints
from pycompare.data.battles import Battles
from pycompare.kernels.davidson import Games

_MODELS_NAMED = 6


def connected(battles: Battles, unconnected: str) -> Battles:
    """Return battles of models that can all be compared.

    Raises
    ------
    DesignError
        If models form groups that never met, and ``unconnected`` is ``"error"``.
    """
    k = len(battles.models)
    meets = np.ones(len(battles.first))
    graph = sparse.coo_array((meets, (battles.first, battles.second)), (k, k))
    count, group = connected_components(graph, directed=False)
    if count == 1:
        return battles
    fought = np.bincount(group[battles.first], minlength=count)
    if unconnected == "error":
        groups = ", ".join(
            f"{{{_named(battles.models, group == g)}}} "
            f"({counted(int(fought[g]), 'battle')})"
            for g in np.argsort(-fought, kind="stable").tolist()
        )
        raise DesignError(
            f"the battles form {count} groups that never met: {groups}. Strengths of "
            "different groups cannot be compared; add battles between them, or give "
            + setting("unconnected", "largest")
        )
    largest = int(np.argmax(fought))
    left = [name for name, g in zip(battles.models, group, strict=True) if g != largest]
    taken = battles.taken(group[battles.first] == largest)
    note = f"left out, for they never met the others: {show_all(left)}"
    return dataclasses.replace(taken, notes=(*battles.notes, note))


@dataclasses.dataclass(frozen=True)
class Points:
    """Who took half a point or more from whom, directly or by others (Ford 1957).

    Attributes
    ----------
    group : ndarray of int, shape (K,)
        Models of one group took points from each other, directly or by others.
    reaches : ndarray of bool, shape (K, K)
        Whether the first took points from the second, directly or by others: by how
        much the second is stronger than the first is then bounded.
    """

    group: Ints
    reaches: Bools

    @property
    def one_group(self) -> bool:
        """Whether all differences of strengths are bounded."""
        return bool(self.reaches.all())


def points(games: Games) -> Points:
    """Return who took points from whom."""
    k = games.models
    won, lost = games.halves > 0, games.n > games.halves
    taken = np.concatenate([games.first[won], games.second[lost]])
    whom = np.concatenate([games.second[won], games.first[lost]])
    graph = sparse.coo_array((np.ones(len(taken)), (taken, whom)), (k, k))
    count, group = connected_components(graph, directed=True, connection="strong")
    step = np.eye(count, dtype=bool)
    step[group[taken], group[whom]] = True
    # Paths twice as long, until none is new.
    while not np.array_equal(step, longer := (step.astype(np.float32) @ step) > 0):
        step = longer
    return Points(group=group, reaches=step[np.ix_(group, group)])


def boundary_variance(held: Points, inverse: Floats) -> Floats:
    """Return what differences between groups vary by more than voters show.

    If nobody of a group ever lost to the others, all its battles end as expected: their
    spread shows no error. The expected information does, of the group's models against
    those of the largest group; within a group nothing is added.

    Parameters
    ----------
    inverse : ndarray, shape (K or more,) * 2
        Inverse of the expected information, rows of strengths first.
    """
    k = len(held.group)
    added = np.zeros((k, k))
    sizes = np.bincount(held.group)[held.group]
    main = held.group == held.group[np.argmax(sizes)]
    errors = np.diag(inverse)[:k]
    for g in set(held.group[~main].tolist()):
        own = held.group == g
        of_pairs = errors[own][:, None] + errors[:k][main]
        of_pairs = of_pairs - 2 * inverse[:k, :k][np.ix_(own, main)]
        added[np.ix_(own, own)] = of_pairs.max()
    # Strengths have the mean 0, and so has what is added to them.
    return added - added.mean(0) - added.mean(1)[:, None] + added.mean()


def unbounded(held: Points, models: tuple[str, ...]) -> tuple[list[str], Bools, Bools]:
    """Return notes on models, or sets of them, that never lost, or won nothing.

    Then which models' strengths have no upper and no lower bound.
    """
    notes: list[str] = []
    above, below = (np.zeros(len(models), bool) for _ in range(2))
    if held.one_group:
        return notes, above, below
    for g in range(int(held.group.max()) + 1):
        own = held.group == g
        if 2 * own.sum() > len(models):
            continue  # of a few models and all the others, the few are named
        for into, end, told, by in (
            (held.reaches[~own][:, own], above, "lost and tied no", "stronger"),
            (held.reaches[own][:, ~own], below, "won and tied no", "weaker"),
        ):
            if into.any():
                continue
            end[own] = True
            notes.append(
                f"{_named(models, own)} {told} battle against the other models: by how "
                f"much {'they are' if own.sum() > 1 else 'it is'} {by} has no upper "
                "bound in these battles"
            )
    return notes, above, below


def _named(models: tuple[str, ...], which: Any) -> str:
    """Return a few names, and how many more there are."""
    names = [models[at] for at in np.flatnonzero(which)]
    more = len(names) - _MODELS_NAMED
    return show_all(names[:_MODELS_NAMED]) + (f" and {more} more" if more > 0 else "")
