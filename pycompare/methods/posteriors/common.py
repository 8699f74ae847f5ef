"""Common parts of posteriors of pairs: regions, probabilities, decisions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_level, is_number, is_whole
from pycompare.base.errors import InputError, setting
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, Scale
from pycompare.methods.pairs.common import pair_index
from pycompare.results.result import (
    Result,
    RowsOfPairs,
    internal,
    made_when_read,
)

if TYPE_CHECKING:
    import pandas as pd

PracticalAnswer = Literal["better", "equivalent", "worse", "undecided"]
_REGIONS: tuple[PracticalAnswer, ...] = ("better", "equivalent", "worse")
PROBABILITIES = tuple(f"probability_{region}" for region in _REGIONS)
LEAST_DRAWS = 400
"""Independent draws that a posterior must be worth (Vehtari et al. 2021)."""
MOST_R_HAT = 1.01
MOST_DRAWS = 10_000_000


@dataclass(frozen=True, kw_only=True, eq=False)
class PosteriorPairs(RowsOfPairs, Result):
    """Posterior probabilities of every pair of algorithms.

    Attributes
    ----------
    table : DataFrame
        ``algorithm_1 algorithm_2 estimate credible_low credible_high
        probability_better probability_equivalent probability_worse mc_error``.
        ``estimate`` is a posterior mean, of the ``quantity``; the limits hold its
        central credible interval. The three probabilities are about algorithm_1 and
        have the sum 1. ``mc_error`` is the largest Monte Carlo standard error of the
        three; 0 if they are exact.
    quantity : str
        The estimated quantity, in words.
    event : str
        The event of the probabilities, as a sentence.
    rope : float
        Half the width of the region of practical equivalence, in the unit of the
        metric; with ``scale="ratio"`` it reaches from 1/(1 + rope) to 1 + rope.
    scale : {"difference", "ratio"}
        Whether scores were compared as they are, or by their logarithms.
    level : float
        Of the credible intervals.
    prior : str
        The prior distribution, in words.
    control : str or None
        The algorithm that all others are compared with; None for all pairs.
    metric : str
    better : {"higher", "lower"}
        Which scores of the metric are better.
    draws : int or None
        Draws behind each number; None: all are exact.
    seed : int or None
    effective_draws : float or None
        Independent draws that those of the worst quantity are worth, at least.
    r_hat : float or None
        Largest split R-hat; below 1.01.
    notes : tuple of str
    reference : str
    shares : ndarray, shape (pairs, draws, 3), or None
        Draws of the shares of the three regions, at most 1000 of each pair, if there
        are such and at most 300 pairs; for ``plotting.posterior_triangle``.
    blocks : Blocks
        The scores that were compared.
    """

    table: pd.DataFrame = made_when_read()
    quantity: str
    event: str
    rope: float
    level: float
    prior: str
    control: str | None
    metric: str
    better: str
    draws: int | None
    seed: int | None
    effective_draws: float | None = None
    r_hat: float | None = None
    notes: tuple[str, ...] = ()
    reference: str
    scale: Scale = "difference"
    shares: Floats | None = field(default=None, repr=False, metadata={"export": False})
    blocks: Blocks = internal()

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, in the order of the data."""
        return self.blocks.algorithms

    @property
    def has_equivalence(self) -> bool:
        """Whether two algorithms can be practically equivalent."""
        return self.rope > 0

    @property
    def counts_wins(self) -> bool:
        """Whether only wins enter, not who is ahead by more than the region."""
        return False

    @property
    def outweighed(self) -> bool:
        """Whether the prior has more weight than all data sets."""
        return False

    @property
    def of_the_better(self) -> str:
        """Verb of the event behind ``probability_better``, as ``is better``."""
        if self.counts_wins:
            return "wins more often"
        return "is practically better" if self.has_equivalence else "is better"

    @property
    def when_they_differ(self) -> str:
        """The condition of that event, if ties are left out; empty if there is none."""
        if not self.counts_wins or self.rope == 0:
            return ""
        return f"when they differ by more than {width_of(self.rope, self.scale)}"

    def probabilities(self) -> Floats:
        """Return the three probabilities of each pair, shape (pairs, 3)."""
        table = self.as_columns()
        return np.column_stack(
            [np.asarray(table[name], float) for name in PROBABILITIES]
        )

    def decisions(self, at: float) -> list[PracticalAnswer]:
        """Return for each pair what has at least a probability, or ``undecided``.

        Parameters
        ----------
        at : float
            Probability above 1/2 that a decision needs.

        Examples
        --------
        >>> import pycompare as pc
        >>> posterior = pc.bayesian_sign(pc.example(), rope=0.01, control="CN2")
        >>> posterior.decisions(at=0.95)
        ['better', 'undecided', 'better', 'worse']
        """
        if not is_number(at) or not 0.5 < at < 1:
            raise InputError(
                setting("at", at) + ": give a probability above 0.5 and below 1"
            )
        return [
            _REGIONS[int(row.argmax())] if row.max() >= at else "undecided"
            for row in np.nan_to_num(self.probabilities())
        ]

    def least_loss(self, loss: Any) -> list[PracticalAnswer]:
        """Return for each pair the answer of the smallest expected loss.

        Parameters
        ----------
        loss : array_like, shape (3, 3)
            Loss of an answer (row) if the truth is a region (column), both in the
            order better, equivalent, worse. No loss is negative; right answers have 0.
        """
        losses = np.asarray(loss, float)
        if problem := fault_of_losses(losses):
            raise InputError("loss: " + problem)
        chances = self.probabilities()
        expected = chances @ losses.T
        return [
            _REGIONS[int(row.argmin())] if not np.isnan(row).any() else "undecided"
            for row in expected
        ]

    def r_values(self) -> dict[str, Any]:
        """Return the numbers of the table that R makes too."""
        table = self.as_columns()
        names = ("estimate", "credible_low", "credible_high", *PROBABILITIES)
        return {name: np.asarray(table[name], float) for name in names}

    def own_call(self, function: str, *files: str, **more: Any) -> RCall:
        """Return the call of an R function of posteriors."""
        arguments = {
            **self.blocks.r_arguments(),
            "rope": self.rope,
            "level": self.level,
            "control": self.control or "",
            **more,
        }
        return RCall(
            ("ranks", "adjust", "paired", "bayesian_sign", *files), function, arguments
        )


_MOST_PAIRS, _KEPT_DRAWS = 300, 1000
"""Pairs whose draws are kept for pictures, and how many of each."""


def kept_shares(shares: Floats, n_pairs: int) -> Floats | None:
    """Return draws of one pair for pictures, shape (draws, 3); None of many pairs."""
    if n_pairs > _MOST_PAIRS:
        return None
    flat = shares.reshape(-1, 3)
    return flat[:: max(1, len(flat) // _KEPT_DRAWS)][:_KEPT_DRAWS].copy()


def stacked_shares(kept: list[Floats | None]) -> Floats | None:
    """Return the draws of all pairs as one array that cannot be changed."""
    known = [shares for shares in kept if shares is not None]
    if not known:
        return None
    stacked = np.stack(known)
    stacked.flags.writeable = False
    return stacked


def posterior_fields(
    blocks: Blocks,
    control: str | None,
    estimates: ArrayLike,
    probabilities: ArrayLike,
    errors: ArrayLike = 0.0,
    **fields: Any,
) -> dict[str, Any]:
    """Return the fields of a result, by default one whose numbers are exact.

    ``estimates`` of each pair are an estimate with its lower and upper limit.
    """
    of_pairs = pair_index(blocks.algorithms, control)
    columns: dict[str, Any] = dict(of_pairs.labels)
    names = ("estimate", "credible_low", "credible_high", *PROBABILITIES)
    values = np.column_stack([estimates, probabilities])
    columns |= {name: values[:, k] + 0.0 for k, name in enumerate(names)}
    columns["mc_error"] = np.broadcast_to(errors, len(values)).copy()
    return {
        "table": Columns(columns),
        "control": control,
        "metric": blocks.metric.name,
        "better": blocks.metric.better,
        "draws": None,
        "seed": None,
        "blocks": blocks,
        **fields,
    }


def fault_of_losses(losses: Floats) -> str:
    """Return the fault of losses of answers; empty if there is none."""
    if losses.shape != (3, 3) or not np.all(np.isfinite(losses) & (losses >= 0)):
        return (
            "give 3 rows (answers better, equivalent, worse) of 3 finite losses "
            "(truths in the same order), 0 or more"
        )
    return "a right answer has the loss 0" if np.diag(losses).any() else ""


def width_of(rope: float, scale: Scale) -> str:
    """Return half the width of the region in words."""
    return f"a factor of {1 + rope:g}" if scale == "ratio" else f"{rope:g}"


def contains_most(rope: float, scale: Scale, what: str) -> str:
    """Return the event of a posterior of shares of three regions, as a sentence."""
    middle = f"equivalent within {width_of(rope, scale)}, " if rope else ""
    return (
        f"each probability is that of the region (first better, {middle}second better) "
        f"that contains most {what}"
    )


def heavy_prior(weight: float, n: int) -> tuple[str, ...]:
    """Return the note of a prior that outweighs the data sets, if it does."""
    if weight <= n:
        return ()
    return (
        f"the prior observation has the weight {weight:g}, more than all {n} data "
        "sets: the probabilities describe the prior more than the data",
    )


def region_of(rope: float, scale: Scale) -> float:
    """Return half the width of the region on the scale of the differences."""
    return math.log1p(rope) if scale == "ratio" else rope


def _checked_rope(rope: Any) -> float:
    """Return half the width of the region of practical equivalence, or reject it."""
    if not is_number(rope) or not 0 <= rope < math.inf:
        raise InputError(
            setting("rope", rope)
            + ": give the largest difference that does not matter in practice, a "
            "number in the unit of the metric; 0 leaves no region"
        )
    return float(rope)


def checked_prior(prior: Any) -> float:
    """Return the weight of the prior observation, or reject it."""
    if not is_number(prior) or not 0 < prior < math.inf:
        raise InputError(
            setting("prior", prior)
            + ": give the weight of the prior observation, a positive number; a data "
            "set has the weight 1"
        )
    return float(prior)


def checked_draws(draws: Any) -> int:
    """Return a number of draws, or reject it."""
    if not is_whole(draws) or not LEAST_DRAWS <= draws <= MOST_DRAWS:
        raise InputError(
            setting("draws", draws)
            + f": give a whole number from {LEAST_DRAWS} to {MOST_DRAWS}"
        )
    return int(draws)


def checked_posterior(rope: Any, level: Any) -> float:
    """Reject a bad level; return the region."""
    check_level(level)
    return _checked_rope(rope)


def limits(draws: Floats, level: float) -> Floats:
    """Return the mean and the ends of the central credible interval of draws."""
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return np.array([draws.mean(), low, high])


def largest_regions(shares: Floats) -> Floats:
    """Return how often each of three shares is the largest, ties divided equally.

    Parameters
    ----------
    shares : ndarray, shape (..., 3)
    """
    flat = shares.reshape(-1, 3)
    most = flat == flat.max(axis=1, keepdims=True)
    return np.asarray((most / most.sum(axis=1, keepdims=True)).mean(axis=0))
