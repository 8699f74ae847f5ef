"""Prediction of the rank that an algorithm will have on a new data set."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.formatting.numbers import percent
from pycompare.base.formatting.tables import table_text
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, complete_blocks
from pycompare.data.scores import Scores
from pycompare.results.result import Result, internal, made_when_read

if TYPE_CHECKING:
    import pandas as pd


_REFERENCE = (
    "Vovk, Gammerman & Shafer (2005) Algorithmic Learning in a Random World; Lei et "
    "al. (2018) JASA 113, 1094-1111; for ranks: own derivation"
)
_ROUNDING = 1e-9
"""What a level such as 0.95 is off as a double, times the number of blocks."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RankPrediction(Result):
    """Prediction intervals of ranks on a new block.

    Attributes
    ----------
    table : DataFrame
        One row per algorithm, in the order of the data: ``algorithm mean_rank
        predicted_low predicted_high``, limits included.
    metric : str
    level : float
        Probability of each interval separately, at least.
    blocks : Blocks
        The scores that were ranked.
    """

    table: pd.DataFrame = made_when_read()
    metric: str
    level: float
    reference: str = _REFERENCE
    notes: tuple[str, ...] = ()
    blocks: Blocks = internal()

    def summary(self, digits: int = 4) -> str:
        """Return the level, the intervals and the notes."""
        head = (
            f"{percent(self.level)} prediction intervals of the rank on a new block, "
            "each separately"
        )
        notes = (f"  note: {note}" for note in self.notes)
        return "\n".join([head, table_text(self.as_columns(), digits), *notes])

    def r_call(self) -> RCall:
        """Return the call that tries every rank."""
        arguments = {**self.blocks.r_arguments(), "level": self.level}
        return RCall(
            ("ranks", "rank_prediction"), "rank_prediction_reference", arguments
        )

    def r_values(self) -> dict[str, Any]:
        """Return mean ranks and limits."""
        names = ("mean_rank", "predicted_low", "predicted_high")
        table = self.as_columns()
        return {name: np.asarray(table[name], float) for name in names}


@checked
def rank_prediction(
    scores: Scores,
    *,
    metric: str | None = None,
    decimals: int | None = None,
    level: float = 0.95,
) -> RankPrediction:
    """Return prediction intervals for the ranks of algorithms on a new data set.

    Parameters
    ----------
    scores : Scores
        Complete table; the blocks are data sets.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    decimals : int, optional
        Round scores to so many decimals first.
    level : float
        Probability of each interval separately.

    Returns
    -------
    RankPrediction
        Limits are ranks from 1 (best) to the number of algorithms, in halves. With
        fewer than ``level / (1 - level)`` data sets every rank is possible.

    Raises
    ------
    DesignError
        If cells are missing.
    InputError
        For an unknown metric or a level outside (0, 1).

    Notes
    -----
    Equation 10.8 of docs/equations.md.

    Full conformal prediction: the interval holds the new rank with probability
    ``level`` at least, of any size of data and any distribution, if the new data set
    and these are exchangeable. A mean rank's confidence interval is about the mean over
    many data sets and much shorter. ``validation/CASES.md`` has the coverage in
    simulated studies. R: derivation, by trying every rank.

    References
    ----------
    .. [1] Vovk, V., Gammerman, A., Shafer, G. (2005). Algorithmic Learning in a Random
       World, chapter 2. Springer.
    .. [2] Lei, J., G'Sell, M., Rinaldo, A., Tibshirani, R. J., Wasserman, L. (2018).
       JASA 113, 1094-1111.

    Examples
    --------
    >>> import pycompare as pc
    >>> pc.rank_prediction(pc.example(), level=0.9).table.round(2)
        algorithm  mean_rank  predicted_low  predicted_high
    0        C4.5       2.10            1.0             3.0
    1        1-NN       3.25            1.0             5.0
    2  NaiveBayes       2.20            1.0             4.0
    3      Kernel       4.33            1.0             5.0
    4         CN2       3.12            1.5             5.0
    """
    check_level(level)
    blocks = complete_blocks(scores, metric, decimals, method="rank_prediction")
    ranks = blocks.ranks()
    low, high = _limits(ranks, level)
    table = {
        "algorithm": np.array(blocks.algorithms, dtype=object),
        "mean_rank": ranks.mean(axis=0),
        "predicted_low": low,
        "predicted_high": high,
    }
    fewest = math.ceil(level / (1 - level) - _ROUNDING)
    few = f"with fewer than {fewest} blocks every rank is possible at this level"
    return RankPrediction(
        table=Columns(table),
        metric=blocks.metric.name,
        level=level,
        notes=(few,) if len(ranks) < fewest else (),
        blocks=blocks,
    )


def _limits(ranks: Floats, level: float) -> tuple[Floats, Floats]:
    """Return the lowest and highest rank that could belong to the same sample.

    A rank is possible if more than a share of 1 - level of all blocks, the new one
    included, is as far from the mean of all: eq. 10.8. Twice the ranks are whole, so
    that equal distances are equal.
    """
    n, a = ranks.shape
    twice = np.rint(2 * ranks)
    low, high = np.full(a, float(a)), np.ones(a)
    new = np.arange(2.0, 2 * a + 1)
    for at, own in enumerate(twice.T):
        # (n + 1) times each distance from the mean, which moves with the new rank.
        total = own.sum()
        far = np.abs(n * new - total)
        rest = np.sort((n + 1) * own - total)
        as_far = n - np.searchsorted(rest, new + far, "left")
        as_far += np.searchsorted(rest, new - far, "right")
        as_far[far == 0] = n
        possible = 1 + as_far > (1 - level) * (n + 1) + _ROUNDING
        if possible.any():
            low[at], high[at] = new[possible][[0, -1]] / 2
    return low, high
