"""Exact sign test of two algorithms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.arguments import check_level, check_word
from pycompare.base.checked import checked
from pycompare.base.hypotheses import WINNING
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import SignTies
from pycompare.data.blocks import refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import binomial
from pycompare.methods.pairs.common import (
    NO_DIFFERENCE,
    Alternative,
    PairedTest,
    check_alternative,
    differences,
    pair_fields,
    pair_of_blocks,
    tied,
)

if TYPE_CHECKING:
    pass


_TITLE = "Exact sign test"
_REFERENCE = "Arbuthnott (1710) Phil. Trans. 27, 186-190; Dixon & Mood (1946) JASA 41"


@dataclass(frozen=True, kw_only=True, eq=False)
class SignTestResult(PairedTest):
    """Sign test; ``estimate`` is the share of blocks with a positive difference.

    Attributes
    ----------
    positive, n_ties, negative : int
        Blocks in which the score of algorithm_1 is above, equal and below.
    n_used : int
        Blocks that count: without ties, or with the split ones.
    ties : {"drop", "split"}
    """

    positive: int
    n_ties: int
    negative: int
    n_used: int
    ties: SignTies

    hypotheses = WINNING

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "two/sign"

    def as_columns(self) -> Columns:
        """Return one row: the test, the share, and the counts."""
        return (
            super()
            .as_columns()
            .but(positive=self.positive, n_ties=self.n_ties, negative=self.negative)
        )

    def r_call(self) -> RCall:
        """Return the call of ``binom.test``."""
        arguments = {**self.r_arguments(), "ties": self.ties}
        return RCall(("ranks", "paired", "sign"), "sign_test_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the test, the share with its interval, the counts."""
        return {
            **PairedTest.r_values(self),
            "n_used": self.n_used,
            "positive": self.positive,
            "negative": self.negative,
        }


@checked
def sign_test(
    scores: Scores,
    *,
    metric: str | None = None,
    algorithms: Sequence[str] | None = None,
    alternative: Alternative = "two-sided",
    ties: SignTies = "drop",
    level: float = 0.95,
) -> SignTestResult:
    """Compare two algorithms by the exact sign test.

    Parameters
    ----------
    scores : Scores
        At least two blocks. The two algorithms have no missing cell.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    algorithms : pair of str, optional
        Algorithm_1 and algorithm_2; needed if there are more than two.
    alternative : {"two-sided", "greater", "less"}
        ``greater``: the score of algorithm_1 is more often the larger one. With an
        error rate that means that algorithm_1 is worse.
    ties : {"drop", "split"}
        Blocks with equal scores are dropped, or split equally between both sides and
        an odd one dropped (Aslan 2009, sec. 4.6). Splitting makes the test
        conservative.
    level : float
        Confidence level of the interval.

    Returns
    -------
    SignTestResult
        ``statistic`` is the number of positive differences that count.

    Raises
    ------
    DesignError
        If there are more than two algorithms and none is named, or cells are missing.
    InputError
        For an unknown name or word.

    Notes
    -----
    Equation 2.6 of docs/equations.md.

    R: ``binom.test(positive, positive + negative)``, with its Clopper-Pearson interval
    of the share. Scores tie when they differ by no more than 64 units in the last
    place. With all blocks tied p is 1 if they are split, NaN if they are dropped.

    References
    ----------
    .. [1] Aslan, O. (2009). M.Sc. thesis, Bogazici University, 4.6.
    .. [2] Clopper, C. J., Pearson, E. S. (1934). Biometrika 26, 404-413.

    Examples
    --------
    >>> import pycompare as pc
    >>> test = pc.sign_test(pc.example(), algorithms=("C4.5", "CN2"))
    >>> print(f"p = {test.p_value:.4f}")
    p = 0.0023
    """
    check_alternative(alternative)
    check_level(level)
    check_word("ties", ties, ("drop", "split"))
    refuse_clusters_of_blocks(scores, "sign_test")
    blocks = pair_of_blocks(scores, metric, algorithms, method="sign_test")
    d = tied(*differences(blocks))
    positive, negative = int(np.sum(d > 0)), int(np.sum(d < 0))
    n_ties = len(d) - positive - negative
    each = n_ties // 2 if ties == "split" else 0
    above, below = positive + each, negative + each
    n = above + below
    low, high = binomial.clopper_pearson(above, below, alternative, level)
    return SignTestResult(
        **pair_fields(blocks),
        name=(
            f"{_TITLE}, {blocks.algorithms[0]} minus {blocks.algorithms[1]}, "
            f"ties: {ties}"
        ),
        short=_TITLE,
        statistic_name="positive",
        statistic=float(above) if n else math.nan,
        df=None,
        p_value=float(binomial.p_values(above, below, alternative)) if n else math.nan,
        p_source="exact" if n else "none",
        reference=_REFERENCE,
        notes=() if positive + negative else (NO_DIFFERENCE,),
        alternative=alternative,
        estimate_name=f"share of blocks with a positive difference of "
        f"{blocks.metric.name}",
        estimate=above / n if n else math.nan,
        conf_low=float(low),
        conf_high=float(high),
        level=level,
        positive=positive,
        n_ties=n_ties,
        negative=negative,
        n_used=n,
        ties=ties,
    )
