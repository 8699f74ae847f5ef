"""How often one algorithm beats another: wins, ties, losses, and their interval."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import special

from pycompare.base.arguments import check_flags, check_level
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.formatting.families import family_text
from pycompare.base.hypotheses import WINNING, Hypotheses
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import AnyTable, Columns
from pycompare.base.typing import Floats, Ints
from pycompare.data.blocks import Blocks, Scale, complete_blocks, on_scale
from pycompare.data.scores import Scores
from pycompare.kernels import binomial
from pycompare.kernels.matched_pairs import score_limits
from pycompare.methods.pairs.common import (
    MANY,
    column_of,
    ends_of,
    pair_index,
    tied,
)
from pycompare.results.adjust import family_adjustment
from pycompare.results.family import Adjustable
from pycompare.results.result import (
    OwnLimits,
    Result,
    RowsOfPairs,
    WithinFamily,
    exported_as,
    internal,
    made_when_read,
    with_adjustment,
)

if TYPE_CHECKING:
    import pandas as pd


_AT_ONCE = 1 << 16
"""Differences that are held at once."""
_SIMULTANEOUS = "Tango's score intervals, simultaneous by Šidák's bound"


@dataclass(frozen=True, kw_only=True, eq=False)
class SuperiorityResult(RowsOfPairs, Adjustable, OwnLimits, Result):
    """Probability of superiority of every pair of algorithms.

    Attributes
    ----------
    table : DataFrame
        ``algorithm_1 algorithm_2 wins ties losses estimate conf_low conf_high p_value
        p_adjusted p_smallest median_difference``. Wins are blocks on which algorithm_1
        is better; ``estimate`` is (wins + ties / 2) / blocks, 0.5 = no difference, 1 =
        algorithm_1 always better; ``p_value`` is that of the exact two-sided sign test,
        ties dropped; ``p_smallest`` is the smallest adjusted p-value that so many
        blocks without a tie allow; ``median_difference`` of scores, algorithm_1 minus
        algorithm_2, is in the metric's own unit. ``median_ratio`` stands in its place
        where ratios are compared: algorithm_1 divided by algorithm_2.
    hypotheses : Hypotheses
        Those of the sign tests.
    adjust, family : str
        Adjustment behind ``p_adjusted``, and the family it was made over, in words.
    control : str or None
        The algorithm that all others are compared with; None for all pairs.
    decided_in : Family or None
        The family that ``p_adjusted`` is over; None: this table, unadjusted.
    level : float
    method : str
        Of the intervals.
    simultaneous : bool
        Whether the intervals hold together at ``level``.
    blocks : Blocks
        The scores that were compared.
    """

    table: pd.DataFrame = made_when_read()
    adjust: str
    level: float
    method: str
    family: str
    control: str | None
    hypotheses: Hypotheses
    decided_in: WithinFamily | None = exported_as("adjusted_here", "adjusted_here")
    # Exported by the words of the method.
    simultaneous: bool = field(default=False, metadata={"export": False})
    blocks: Blocks = internal()

    def raw_p(self) -> dict[str, Floats]:
        """Return the p-values behind each adjusted column."""
        used = self.as_columns()["wins"] + self.as_columns()["losses"]
        return {
            "p_adjusted": self.as_columns()["p_value"],
            "p_smallest": binomial.smallest_p(used),
        }

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, in the order of the data."""
        return self.blocks.algorithms

    @property
    def called(self) -> str:
        """What a plan calls the method: its adjustment."""
        return self.adjust

    @property
    def repeatable(self) -> bool:
        """Whether R's adjustment is made for so many algorithms."""
        return True

    @property
    def gate(self) -> None:
        """No test of all algorithms comes before these."""

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "superiority/sign"

    def as_written(self) -> AnyTable:
        """Return the table as CSV files have it: with the name of its adjustment."""
        return with_adjustment(self.as_columns(), self.adjust)

    def r_call(self) -> RCall:
        """Return the call that counts in R, of ``prop.test`` and ``binom.test``."""
        arguments = {
            **self.blocks.r_arguments(),
            "level": self.level,
            "simultaneous": self.simultaneous,
            "adjust": self.adjust if self.adjusted_here else "",
            "control": self.control or "",
        }
        if self.blocks.scale == "ratio":
            arguments["scale"] = "ratio"
        files = ("ranks", "adjust", "superiority")
        return RCall(files, "superiority_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the numeric columns of the table, adjusted if the family is here."""
        values = self.columns_in_r(*[*self.as_columns()][2:])
        if not self.adjusted_here:
            del values["p_adjusted"], values["p_smallest"]
        return values


@checked
def superiority(
    scores: Scores,
    *,
    metric: str | None = None,
    decimals: int | None = None,
    level: float = 0.95,
    simultaneous: bool = False,
    adjust: str = "none",
    control: str | None = None,
    scale: Scale = "difference",
) -> SuperiorityResult:
    """Return wins, ties, losses and probabilities of superiority of pairs.

    The estimate is of the probability that, on a new block drawn as these were, the
    first algorithm is better, plus half the probability that the two tie. Of items that
    are right or wrong it is 1/2 plus half the difference of the accuracies.

    Parameters
    ----------
    scores : Scores
        Complete table, at least two algorithms and two blocks.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    decimals : int, optional
        Round scores to so many decimals first. By default two scores tie when they
        differ by no more than 64 units in the last place.
    level : float
        Confidence level: of each interval, or of all intervals together.
    simultaneous : bool, default False
        Whether the intervals hold together: Tango's score intervals, each at level
        ``level ** (1 / pairs)`` (Šidák).
    adjust : str, default "none"
        Adjustment of the sign tests' p-values over the pairs: any name of ``pc.adjust``
        that needs no transitive hypotheses, such as ``holm``.
    control : str, optional
        Compare each other algorithm with this one only.
    scale : {"difference", "ratio"}
        The values whose median is estimated: differences of scores, or ratios of
        positive scores, for blocks of different units or levels. It changes nothing
        else.

    Returns
    -------
    SuperiorityResult

    Raises
    ------
    DesignError
        If cells are missing, or simultaneous intervals are asked of blocks in clusters.
    InputError
        For an unknown name, an adjustment for transitive hypotheses (Shaffer,
        Bergmann-Hommel, Nemenyi; see ``sign_grid``), or ratios of scores of 0 or below.

    Notes
    -----
    Equation 10.7 of docs/equations.md (simultaneous intervals).

    Wilson's score interval, ties counted half, which makes it conservative: with many
    ties, as of items right or wrong, much too long. Simultaneous intervals treat ties
    as ties (Tango). Šidák's bound holds for jointly normal estimates, whatever their
    correlation. R: ``prop.test(wins + ties / 2, n, correct = FALSE)$conf.int`` and
    ``binom.test(wins, wins + losses)``; derivation of Tango's limits. The sign test
    looks at the two algorithms alone, so its p-value is exact whatever the other
    algorithms do.

    References
    ----------
    .. [1] Vargha, A., Delaney, H. D. (2000). J. Educ. Behav. Stat. 25, 101-132.
    .. [2] Wilson, E. B. (1927). JASA 22, 209-212.
    .. [3] Tango, T. (1998). Statist. Med. 17, 891-908.
    .. [4] Šidák, Z. (1967). JASA 62, 626-633.

    Examples
    --------
    >>> import pycompare as pc
    >>> pairs = pc.superiority(pc.example(), control="C4.5")
    >>> pairs.table[["algorithm_1", "estimate", "p_adjusted"]].round(3)
      algorithm_1  estimate  p_adjusted
    0        1-NN     0.250       0.008
    1  NaiveBayes     0.533       0.856
    2      Kernel     0.100       0.000
    3         CN2     0.217       0.002
    """
    check_level(level)
    check_flags(simultaneous=simultaneous)
    family_adjustment(adjust, WINNING, control)
    blocks = complete_blocks(scores, metric, decimals, method="superiority")
    if simultaneous:
        _require_unclustered(scores)
    compared = on_scale(blocks, scale)
    index = pair_index(blocks.algorithms, control)
    first, second = index.first, index.second
    m, n = len(first), len(blocks.values)
    wins, losses = _counted(blocks.values, first, second)
    p = _sign_tests(wins, losses)

    def share(rows: Ints) -> Floats:
        return np.asarray((1 - (losses[rows] - wins[rows]) / n) / 2)

    def limits(rows: Ints) -> tuple[Floats, Floats]:
        if not simultaneous:
            return binomial.wilson(share(rows), n, level)
        # P(win) - P(loss) is twice the probability of superiority, less 1.
        critical = -special.ndtri((1 - level ** (1 / m)) / 2)
        low, high = score_limits(wins[rows], losses[rows], n, critical)
        return (1 + low) / 2, (1 + high) / 2

    def medians(rows: Ints) -> Floats:
        middle = _medians(compared.values, first[rows], second[rows])
        # + 0.0 turns the -0.0 of a changed sign into 0.0.
        middle = blocks.metric.sign * middle + 0.0
        return np.exp(middle) if scale == "ratio" else middle

    low, high = ends_of(m, limits)
    table = Columns(
        {
            **index.labels,
            "wins": wins,
            "ties": column_of(m, lambda rows: n - wins[rows] - losses[rows]),
            "losses": losses,
            "estimate": column_of(m, share),
            "conf_low": low,
            "conf_high": high,
            "p_value": p,
            "p_adjusted": p,
            "p_smallest": column_of(
                m, lambda rows: binomial.smallest_p(wins[rows] + losses[rows])
            ),
            f"median_{scale}": column_of(m, medians),
        }
    )
    tests = SuperiorityResult(
        table=table,
        hypotheses=WINNING,
        adjust="none",
        family=family_text(len(blocks.algorithms), control),
        control=control,
        level=level,
        simultaneous=simultaneous,
        method=_SIMULTANEOUS
        if simultaneous
        else "Wilson score interval, ties counted half",
        blocks=compared,
    )
    if adjust == "none":
        return tests
    adjusted: SuperiorityResult = tests.adjusted(adjust)
    return adjusted


def _counted(values: Floats, first: Ints, second: Ints) -> tuple[Ints, Ints]:
    """Return wins and losses of pairs."""
    m, n = len(first), len(values)
    wins, losses = np.zeros((2, m), np.int64 if m <= MANY else np.int32)
    for rows in _at_once(m, n):
        sign = _block_signs(values[:, first[rows]], values[:, second[rows]])
        wins[rows], losses[rows] = (sign < 0).sum(axis=0), (sign > 0).sum(axis=0)
    return wins, losses


def _at_once(m: int, n: int) -> Iterator[slice]:
    """Yield as many of m pairs over n blocks as there is room for."""
    step = max(1, _AT_ONCE // n)
    return (slice(start, start + step) for start in range(0, m, step))


def _sign_tests(wins: Ints, losses: Ints) -> Floats:
    """Return exact p-values, once for pairs of the same counts."""
    step = int(losses.max(initial=0)) + 1
    codes, place = np.unique(wins * np.int64(step) + losses, return_inverse=True)
    return binomial.p_values(*np.divmod(codes, step))[place]


def _medians(values: Floats, first: Ints, second: Ints) -> Floats:
    """Return the median difference of pairs."""
    medians = np.empty(len(first))
    for rows in _at_once(len(first), len(values)):
        better, worse = values[:, first[rows]], values[:, second[rows]]
        size = np.maximum(np.abs(better), np.abs(worse))
        middle = np.median(better - worse, axis=0)
        medians[rows] = tied(middle, np.max(size, axis=0))
    return medians


def _require_unclustered(scores: Scores) -> None:
    """Reject blocks that are not independent."""
    if scores.clusters is not None:
        raise DesignError(
            "simultaneous intervals of probabilities of superiority need independent "
            "blocks, and these are in clusters; compare means by cluster_pairs"
        )


def _block_signs(x: Floats, y: Floats) -> Floats:
    """Return -1 if x is lower (better), 1 if it is higher, 0 if they tie."""
    with np.errstate(over="ignore"):
        return np.sign(tied(x - y, np.maximum(np.abs(x), np.abs(y))))
