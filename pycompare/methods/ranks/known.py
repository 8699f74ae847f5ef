"""The ways to rank and the rank tests that a plan can name: each is declared here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pycompare.base.arguments import check_word
from pycompare.base.errors import InputError
from pycompare.data.blocks import Blocks, complete_blocks, ranked_blocks
from pycompare.data.scores import Scores
from pycompare.methods.ranks.aligned import aligned_positions, aligned_ranks
from pycompare.methods.ranks.positions import Positions, friedman_positions
from pycompare.methods.ranks.quade import quade, quade_positions
from pycompare.methods.ranks.skillings_mack import incomplete_positions
from pycompare.results.result import Test

RankMethod = Literal["friedman", "aligned", "quade", "skillings-mack"]


@dataclass(frozen=True)
class Ranking:
    """One way to rank, by which pairs are compared.

    Attributes
    ----------
    name : str
        As in ``rank_pairs(method=...)``.
    basis : str
        First word of the basis of pairs in the ledger of guarantees.
    positions : callable or None
        Makes the mean ranks of complete blocks; None: of blocks with gaps. R's is the
        function ``NAME_positions`` in one of ``r_files``.
    r_files : tuple of str
        Files of R functions that only these ranks need.
    of_all_cells : bool
        Whether the cells of all blocks are ranked together.
    """

    name: RankMethod
    basis: str
    positions: Callable[[Blocks, str], Positions] | None
    r_files: tuple[str, ...] = ()
    of_all_cells: bool = False


FRIEDMAN = Ranking("friedman", "ranks", friedman_positions)
_ALIGNED = Ranking(
    "aligned",
    "aligned-ranks",
    aligned_positions,
    ("aligned_ranks",),
    of_all_cells=True,
)
_QUADE = Ranking("quade", "quade-ranks", quade_positions, ("quade",))
SKILLINGS_MACK = Ranking("skillings-mack", "skillings-mack", None, ("skillings_mack",))
RANKINGS: dict[str, Ranking] = {
    ranking.name: ranking for ranking in (FRIEDMAN, _ALIGNED, _QUADE, SKILLINGS_MACK)
}


@dataclass(frozen=True)
class PlannedRankTest:
    """A test of all algorithms by ranks, as a plan names it.

    Attributes
    ----------
    name : str
    ranking : Ranking
        That of its pairs. Friedman's is only for tests that rise with Friedman's
        statistic: if blocks are few, they share its permutation test.
    test : callable or None
        Makes the test of scores; None: of what Friedman's test gives.
    how : str
        How algorithms are ranked, in a sentence without its full stop.
    sensitivity : bool
        Whether it is a sensitivity analysis if a plan names another rank test. A new
        test is not, or the results of all earlier plans would change.
    """

    name: str
    ranking: Ranking
    test: Callable[..., Test] | None = None
    how: str = "Algorithms are ranked within each block (1 = best)"
    sensitivity: bool = False


RANK_TESTS = {
    planned.name: planned
    for planned in (
        PlannedRankTest("friedman", FRIEDMAN),
        PlannedRankTest("iman-davenport", FRIEDMAN),
        PlannedRankTest(
            "aligned-ranks",
            _ALIGNED,
            aligned_ranks,
            "Each block's mean is subtracted, then all cells are ranked together (1 = "
            "best). Scores must be on one scale",
            sensitivity=True,
        ),
        PlannedRankTest(
            "quade",
            _QUADE,
            quade,
            "Algorithms are ranked within each block (1 = best). Blocks are weighted "
            "by the range of their scores, which must be on one scale",
            sensitivity=True,
        ),
    )
}
"""By name; the first is the default."""


def positions_of(
    scores: Scores,
    metric: str | None,
    decimals: int | None,
    method: str,
    rule: str,
) -> tuple[Blocks, Positions]:
    """Rank the scores by the chosen method."""
    check_word("std_error", rule, ("textbook", "permutation"))
    ranking = RANKINGS.get(method)
    if ranking is None:
        raise InputError(f"method={method!r}: choose one of {', '.join(RANKINGS)}")
    if ranking.positions is None:
        if rule == "textbook":
            raise InputError(f"{method} has no textbook standard error")
        blocks = ranked_blocks(scores, metric, decimals)
        return blocks, incomplete_positions(blocks)
    blocks = complete_blocks(scores, metric, decimals, method=f"method={method!r}")
    return blocks, ranking.positions(blocks, rule)
