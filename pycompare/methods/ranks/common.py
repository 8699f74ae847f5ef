"""Shared parts of the rank tests: result, word for ties, undefined and perfect."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy import special

from pycompare.base.arguments import check_word
from pycompare.base.errors import InputError
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks
from pycompare.kernels import friedman_exact
from pycompare.results.result import Test, internal, made_when_read

if TYPE_CHECKING:
    import pandas as pd


RankTies = Literal["corrected", "uncorrected"]

ALL_TIED = (
    "in every block all algorithms tie, so the statistic is 0/0 and no difference can "
    "be tested"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class RankTest(Test):
    """A test of ranks over blocks.

    Attributes
    ----------
    mean_ranks : Series
        Mean rank per algorithm, low = good; each test names its ranks.
    n_blocks : int
        Blocks that were used.
    blocks : Blocks
        The scores that were ranked.
    """

    mean_ranks: pd.Series = made_when_read()
    n_blocks: int
    blocks: Blocks = internal()

    def r_values(self) -> dict[str, Any]:
        """Return statistic, degrees of freedom, p-value and mean ranks."""
        return {
            "statistic": self.statistic,
            "df": self.df,
            "p_value": self.p_value,
            "mean_ranks": np.asarray(self.held("mean_ranks")),
        }


def check_ties(ties: str) -> None:
    """Reject an unknown word for the treatment of ties."""
    check_word("ties", ties, ("corrected", "uncorrected"))


def p_of_chi2(
    statistic: float,
    ranks: Floats,
    exact_p: Callable[[Floats], float],
    p_value: str,
    seed: int,
    resamples: int,
) -> tuple[float, str, tuple[str, ...]]:
    """Return the p-value of ranks, where it comes from, and what to note about it."""
    check_word("p_value", p_value, ("chi2", "exact", "permutation"))
    if math.isnan(statistic):
        return math.nan, "none", (ALL_TIED,)
    if p_value == "exact":
        return exact_p(ranks), "exact", ()
    if p_value == "permutation":
        if resamples < 1:
            raise InputError(f"resamples={resamples}: give at least 1")
        rng = np.random.default_rng(seed)
        p = friedman_exact.permutation_p_value(ranks, rng, resamples)
        return p, "permutation", (f"{resamples} resamples, seed {seed}",)
    return float(special.chdtrc(ranks.shape[1] - 1, statistic)), "chi2", ()


def divide(numerator: float, denominator: float) -> float:
    """Divide as IEEE 754 does: x/0 is infinite, 0/0 is NaN."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.float64(numerator) / np.float64(denominator))


def perfect_agreement_p(ranks: Floats) -> float:
    """Return the chance that all blocks rank like the first: orders^(1 - n)."""
    n, a = ranks.shape
    _, tied = np.unique(ranks[0], return_counts=True)
    orders = math.factorial(a) // math.prod(math.factorial(t) for t in tied.tolist())
    return float(Fraction(1, orders ** (n - 1)))
