"""Durbin's pairs: mean ranks of balanced incomplete blocks, by Conover's t tests."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.hypotheses import MEAN_RANKS
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, ranked_blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import student
from pycompare.kernels.ranks import midranks
from pycompare.methods.pairs.adjusted_pairs import AdjustedPairs
from pycompare.methods.pairs.common import pair_index, pairs_family
from pycompare.methods.ranks.common import ALL_TIED
from pycompare.results.adjust import family_adjustment
from pycompare.results.placement import Placement
from pycompare.results.result import NOT_AVAILABLE

_ALIKE = (
    "all blocks rank their algorithms alike, so that no residual variation is left: t "
    "is infinite, and no difference can be tested; use rank_pairs"
)
_USE = "use rank_pairs with method='skillings-mack', which takes any gaps"


@dataclass(frozen=True, kw_only=True, eq=False)
class DurbinPairsResult(AdjustedPairs):
    """Pairs of mean ranks of balanced incomplete blocks; see ``PairsResult``.

    ``estimate`` is the mean rank of algorithm_1 minus that of algorithm_2, ranks from 1
    to the number of scores in a block, 1 = best.

    Attributes
    ----------
    per_block : int
        Scores of each block.
    per_algorithm : int
        Blocks of each algorithm.
    """

    per_block: int
    per_algorithm: int

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "ranks/conover-t"

    @property
    def gives_limits(self) -> bool:
        """Whether there are intervals: the standard error is that of equal ranks."""
        return False

    @property
    def lower_is_better(self) -> bool:
        """Whether a negative ``estimate`` means that algorithm_1 is better."""
        return True

    def r_call(self) -> RCall:
        """Return the call of the residual mean square of ``lm(rank ~ block + ...)``."""
        arguments = {**self.blocks.r_arguments(), **self.r_adjusting()}
        del arguments["level"]
        files = ("ranks", "adjust", "durbin_pairs")
        return RCall(files, "durbin_pairs_reference", arguments, ("adjust",))


@checked
def durbin_pairs(
    scores: Scores,
    *,
    metric: str | None = None,
    adjust: str = "holm",
    control: str | None = None,
    decimals: int | None = None,
) -> DurbinPairsResult:
    """Compare pairs of algorithms by ranks within balanced incomplete blocks (Durbin).

    Each block has scores of some of the algorithms, so planned that all pairs meet
    equally often: seven models, of which each judge sees three.

    Parameters
    ----------
    scores : Scores
        Read with ``missing="model"``. A balanced incomplete block design: the same
        number of scores in each block and of each algorithm, and each pair of
        algorithms in equally many blocks; a complete table is one.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``; with a control, one that does not
        need all pairs.
    control : str, optional
        Compare each other algorithm with this one only.
    decimals : int, optional
        Round scores to so many decimals first.

    Returns
    -------
    DurbinPairsResult
        There are no intervals: the standard error is that of algorithms with equal
        ranks. ``skillings_mack`` has the test of all algorithms, Durbin's statistic in
        such a design.

    Raises
    ------
    DesignError
        If the design is not balanced: the message names what differs.

    Notes
    -----
    Equation 3.10 of docs/equations.md.

    R_j is the sum of ranks of algorithm j, over r blocks of k scores. The variance of
    R_i - R_j is set to 2 r times the residual mean square of the ranks after blocks
    and algorithms, t on its b k - b - a + 1 degrees of freedom, as published (Conover).
    That variance is (a - 1) k / (a (k - 1)) times the one of an analysis within blocks.
    If no algorithm differs, at most 3.8 of 100 tables have a false rejection by Holm
    (``validation/DURBIN_LEVEL.md``). Among others that differ equal algorithms are
    rejected too often, in up to 39 of 100: sure places leave little residual variation.
    ``signed_rank_pairs`` holds its level whatever the others do, from the blocks that a
    pair shares; ``rank_pairs(p_value="sign-flips")`` does so in complete tables. R:
    ``PMCMRplus::durbinAllPairsTest``.

    References
    ----------
    .. [1] Durbin, J. (1951). Brit. J. Statist. Psychol. 4, 85-90.
    .. [2] Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed., p. 388.

    Examples
    --------
    >>> import pandas as pd, pycompare as pc
    >>> seen = ["ABD", "BCE", "CDF", "DEG", "EFA", "FGB", "GAC"]
    >>> place = ["231", "321", "213", "123", "312", "312", "132"]
    >>> rows = [
    ...     (f"judge {i}", model, int(rank))
    ...     for i, pair in enumerate(zip(seen, place)) for model, rank in zip(*pair)
    ... ]
    >>> frame = pd.DataFrame(rows, columns=["judge", "model", "place"])
    >>> scores = pc.Scores.from_frame(
    ...     frame, algorithm="model", block="judge", metrics={"place": "lower"},
    ...     missing="model",
    ... )
    >>> pairs = pc.durbin_pairs(scores)
    >>> first = pairs.table.iloc[0]
    >>> print(f"t({first.df:.0f}) = {first.statistic:.2f}, p = {first.p_value:.2f}")
    t(8) = -0.43, p = 0.68
    """
    family_adjustment(adjust, MEAN_RANKS, control)
    refuse_clusters_of_blocks(scores, "durbin_pairs")
    blocks = ranked_blocks(scores, metric, decimals)
    k, r = _balanced(blocks)
    ranks = _ranks(blocks)
    pairs = pair_index(blocks.algorithms, control)
    mean_square, df = _residual(ranks, k, r)
    means = np.nansum(ranks, axis=0) / r
    # Conover (1999), p. 388: R_i - R_j over sqrt(2 r MS); here over r.
    error = math.sqrt(2 * mean_square / r) or math.nan
    estimate = means[pairs.first] - means[pairs.second]
    t = estimate / error
    p = 2 * student.sf(np.abs(t), df)
    undefined = np.full(len(t), math.nan)
    table = {
        **pairs.labels,
        "estimate": estimate,
        "std_error": np.full(len(t), error),
        "statistic": t,
        "df": np.full(len(t), float(df)),
        "p_value": p,
        "p_adjusted": p,
        "conf_low": undefined,
        "conf_high": undefined,
    }
    tied = np.nanmax(np.ptp(np.nan_to_num(ranks, nan=(k + 1) / 2), axis=1)) == 0
    reason = ALL_TIED if tied else _ALIKE
    placed = Placement("mean ranks within blocks", "mean rank")
    result: DurbinPairsResult = DurbinPairsResult(
        table=Columns(table),
        positions=blocks.per_algorithm(means),
        **placed.difference(),
        statistic_name="t",
        hypotheses=MEAN_RANKS,
        method="Durbin's pairs, t tests of rank sums (Conover)",
        adjust="none",
        family=pairs_family(blocks, control),
        interval=f"{NOT_AVAILABLE}: the standard error is that of equal mean ranks",
        level=0.95,
        control=control,
        notes=(reason,) if math.isnan(error) else (),
        reference="Conover (1999) Practical Nonparametric Statistics, 3rd ed., 388-390",
        blocks=blocks,
        per_block=k,
        per_algorithm=r,
    ).adjusted(adjust)
    return result


def _balanced(blocks: Blocks) -> tuple[int, int]:
    """Return scores per block and blocks per algorithm; reject unbalanced designs."""
    present = ~np.isnan(blocks.values)
    per_block, per_algorithm = present.sum(axis=1), present.sum(axis=0)
    for counts, names, what in (
        (per_block, blocks.blocks, "scores"),
        (per_algorithm, blocks.algorithms, "scores"),
    ):
        other = np.flatnonzero(counts != counts[0])
        if len(other):
            raise DesignError(
                f"the design is not balanced: {show(names[0])} has {counts[0]} {what}, "
                f"{show(names[other[0]])} has {counts[other[0]]}; {_USE}"
            )
    k, r = int(per_block[0]), int(per_algorithm[0])
    if k < 2:
        raise DesignError("each block has a single score, which compares nothing")
    together = present.T.astype(int) @ present
    first, second = np.triu_indices(len(together), 1)
    meet = together[first, second]
    other = np.flatnonzero(meet != meet[0])
    if len(other):
        pair = [
            show(blocks.algorithms[side[at]])
            for at in (0, other[0])
            for side in (first, second)
        ]
        raise DesignError(
            f"the design is not balanced: {pair[0]} and {pair[1]} meet in {meet[0]} "
            f"blocks, {pair[2]} and {pair[3]} in {meet[other[0]]}; {_USE}"
        )
    if len(present) * (k - 1) - len(per_algorithm) + 1 < 1:
        raise DesignError(
            "no residual degrees of freedom are left: add blocks of this design"
        )
    return k, r


def _ranks(blocks: Blocks) -> Floats:
    """Return ranks within blocks, 1 = best; NaN if a score is missing."""
    ranks = np.full(blocks.values.shape, math.nan)
    for row, values in zip(ranks, blocks.values, strict=True):
        there = ~np.isnan(values)
        row[there] = midranks(values[there])
    return ranks


def _residual(ranks: Floats, k: int, r: int) -> tuple[float, int]:
    """Return the mean square of ranks after blocks and algorithms, and its df."""
    n, a = ranks.shape
    df = n * (k - 1) - a + 1
    # Sums of quarters are exact; the product is free of divisions.
    within = float(np.nansum((ranks - (k + 1) / 2) ** 2))
    sums = np.nansum(ranks - (k + 1) / 2, axis=0)
    among = (a - 1) * float(np.sum(sums**2))
    rest = within * (n * (k - 1)) - among
    return rest / (n * (k - 1)) / df, df
