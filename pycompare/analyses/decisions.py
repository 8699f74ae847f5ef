"""Decisions on each pair, and pairs on which two analyses differ."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pycompare.analyses.one_pair import OnePair
from pycompare.pairs.superiority import SuperiorityResult
from pycompare.results import Pairs, PairsResult, rejected


@dataclass(frozen=True)
class Decision:
    """What the plan decides about one pair.

    ``better`` comes before ``worse`` (data order where they tie). ``rejected`` is
    ``p_adjusted <= alpha`` by the plan's decisive method.
    """

    better: str
    worse: str
    p_value: float
    p_adjusted: float
    rejected: bool

    @property
    def pair(self) -> frozenset[str]:
        """The two algorithms."""
        return frozenset((self.better, self.worse))


@dataclass(frozen=True)
class Disagreement:
    """A pair on which another analysis differs from the planned one."""

    planned: Decision
    other: Decision

    @property
    def opposite(self) -> bool:
        """Whether both reject, each in favour of another algorithm."""
        return self.planned.rejected and self.other.rejected


def decisions(
    pairs: PairsResult, alpha: float, better: str = "lower"
) -> tuple[Decision, ...]:
    """Return what is decided about each pair, strongest evidence first.

    ``better`` is the direction of ``estimate``: that of the metric for means in their
    own unit, ``lower`` for ranks.
    """
    table = pairs.table
    ends = table["algorithm_1"].to_numpy(object), table["algorithm_2"].to_numpy(object)
    names = list(zip(*ends, strict=True))
    p_value, p_adjusted = table["p_value"].to_numpy(), table["p_adjusted"].to_numpy()
    significant = rejected(p_adjusted, alpha)
    if isinstance(pairs, OnePair):  # whom the test favours, its estimate need not
        worse_by = np.broadcast_to(pairs.worse_by, len(names))
    else:
        sign = 1.0 if better == "lower" else -1.0
        worse_by = sign * table["estimate"].to_numpy(float)
    made = []
    for i in np.lexsort((p_value, p_adjusted)):
        first, second = names[i] if worse_by[i] <= 0 else names[i][::-1]
        made.append(
            Decision(
                better=first,
                worse=second,
                p_value=float(p_value[i]),
                p_adjusted=float(p_adjusted[i]),
                rejected=bool(significant[i]),
            )
        )
    return tuple(made)


def unable(pairs: Pairs | SuperiorityResult, alpha: float) -> set[frozenset[str]]:
    """Return the pairs that their exact test could not reject, whatever the scores.

    With few blocks the smallest p-value that there can be is above alpha; to retain
    such a pair is no disagreement with a test that rejects it.
    """
    table = pairs.table
    if "p_smallest" not in table:
        return set()
    hopeless = table[~rejected(table["p_smallest"], alpha)]
    names = hopeless[["algorithm_1", "algorithm_2"]]
    return set(map(frozenset, names.itertuples(index=False)))


def disagreements(
    planned: Iterable[Decision], others: Iterable[Decision]
) -> tuple[Disagreement, ...]:
    """Return the pairs on which one is rejected alone, or both the other way round."""
    known = {other.pair: other for other in others}
    both = ((mine, known[mine.pair]) for mine in planned)
    return tuple(
        Disagreement(mine, other)
        for mine, other in both
        if mine.rejected != other.rejected
        or (mine.rejected and mine.better != other.better)
    )
