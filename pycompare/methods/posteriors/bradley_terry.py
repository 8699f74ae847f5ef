"""Bayesian Bradley-Terry model: who wins more often on new data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from scipy import special

from pycompare.base.arguments import check_word, is_number
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.blocks import (
    Blocks,
    Scale,
    complete_blocks,
    on_scale,
    refuse_clusters_of_blocks,
)
from pycompare.data.scores import Scores
from pycompare.kernels.bradley_terry import ability_draws
from pycompare.kernels.r_random import checked_seed
from pycompare.kernels.ranks import tie_width
from pycompare.methods.pairs.common import family_pairs, pair_index
from pycompare.methods.posteriors.chains import CHAINS, WARM_UP, diagnosed, errors_of
from pycompare.methods.posteriors.common import (
    PosteriorPairs,
    checked_draws,
    checked_posterior,
    limits,
    posterior_fields,
    region_of,
    width_of,
)
from pycompare.results.result import made_when_read

if TYPE_CHECKING:
    import pandas as pd

_REFERENCE = "Wainer (2023) JMLR 24(341), 1-34"
SharedWins = Literal["half", "rounded-up", "none"]
_SPREAD = 0.5
"""Prior standard deviation of the logarithm of the spread of abilities."""
_HALF_WIDEST = 0.5
_TIES: dict[SharedWins, str] = {
    "half": ", with half a win for a tie",
    "rounded-up": ", with half of all ties, rounded up, as wins",
    "none": " without a tie",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class BayesianBradleyTerry(PosteriorPairs):
    """Posterior of the Bradley-Terry model; see ``PosteriorPairs``.

    Attributes
    ----------
    abilities : DataFrame
        One row per algorithm, most able first: ``algorithm ability credible_low
        credible_high probability_best``. The mean of all abilities is 0 in the prior.
    wins : DataFrame
        ``algorithm_1 algorithm_2 wins ties losses``, before ties are shared.
    ties : {"half", "rounded-up", "none"}
    win_margin : float
        Probabilities of winning within so much of 1/2 are equivalent.
    """

    abilities: pd.DataFrame = made_when_read()
    wins: pd.DataFrame = made_when_read()
    ties: SharedWins
    win_margin: float

    @property
    def counts_wins(self) -> bool:
        """Whether only wins enter, which is so."""
        return True

    @property
    def has_equivalence(self) -> bool:
        """Whether probabilities of winning near 1/2 are practically equivalent."""
        return self.win_margin > 0


@checked
def bayesian_bradley_terry(
    scores: Scores,
    *,
    rope: float,
    win_margin: float = 0.0,
    ties: SharedWins = "half",
    draws: int = 8000,
    seed: int = 1,
    metric: str | None = None,
    control: str | None = None,
    level: float = 0.95,
    scale: Scale = "difference",
) -> BayesianBradleyTerry:
    """Return posterior probabilities that one algorithm wins more often than another.

    Parameters
    ----------
    scores : Scores
        Complete table, at least two algorithms and two blocks, one a data set.
    rope : float
        Largest difference that counts as a tie, in the unit of the metric.
    win_margin : float, default 0
        Algorithms are equivalent if one wins with a probability within so much of 1/2.
        Wainer (2023) uses 0.05.
    ties : {"half", "rounded-up", "none"}
        A tie is half a win for either algorithm, half of all ties of a pair are wins
        for either, rounded up (``bbtcomp``), or ties are left out.
    draws : int, default 8000
        Draws, over four chains.
    seed : int, default 1
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    control : str, optional
        Compare each other algorithm with this one only.
    level : float
        Level of the credible intervals.
    scale : {"difference", "ratio"}
        Whether scores are compared as they are, or by their logarithms: ``rope`` r is
        then a ratio from 1/(1 + r) to 1 + r.

    Returns
    -------
    BayesianBradleyTerry
        ``estimate`` is the posterior mean of the probability that algorithm_1 wins
        against algorithm_2 on a new data set. All algorithms of the scores enter it.

    Raises
    ------
    DesignError
        If cells are missing, blocks are in clusters, or the chains have not converged;
        the error states how many draws to take.
    InputError
        For an unknown name, a number out of its range, or ratios of scores that are
        not positive.

    Notes
    -----
    Equation 12.3 of docs/equations.md.

    The model takes wins of different pairs on one data set as independent, and
    abilities as one order for all pairs: two algorithms are compared through all
    others. Draws by Hamiltonian Monte Carlo. Numbers are held against ``bbtcomp``'s
    printed tables and a long run of another sampler that is kept in the repository; no
    R package has the model without a compiler of Stan.

    References
    ----------
    .. [1] Wainer, J. (2023). JMLR 24(341), 1-34.

    Examples
    --------
    >>> import pycompare as pc
    >>> posterior = pc.bayesian_bradley_terry(pc.example(), rope=0, control="CN2")
    >>> posterior.table[["algorithm_1", "estimate"]].round(2)
      algorithm_1  estimate
    0        C4.5      0.71
    1        1-NN      0.47
    2  NaiveBayes      0.69
    3      Kernel      0.23
    """
    region = checked_posterior(rope, level)
    count, seed = checked_draws(draws), checked_seed(seed)
    check_word("ties", ties, get_args(SharedWins))
    if not is_number(win_margin) or not 0 <= win_margin < _HALF_WIDEST:
        raise InputError(
            setting("win_margin", win_margin) + ": give a number from 0 to below 0.5"
        )
    refuse_clusters_of_blocks(scores, "bayesian_bradley_terry")
    blocks = on_scale(
        complete_blocks(scores, metric, None, method="bayesian_bradley_terry"), scale
    )
    won, tied = _win_counts(blocks, region_of(region, scale))
    shared = {"half": tied / 2, "rounded-up": np.ceil(tied / 2), "none": 0 * tied}
    kept = ability_draws(
        won + shared[ties],
        spread=_SPREAD,
        chains=CHAINS,
        draws=count // CHAINS,
        warm_up=WARM_UP,
        generator=np.random.default_rng(seed),
    )
    ability = kept["ability"]
    diagnostics = diagnosed([ability, kept["sigma"]], count)
    estimates, probabilities, errors, rows = [], [], [], []
    for first, second in family_pairs(blocks.algorithms, control):
        chance = special.expit(ability[..., first] - ability[..., second])
        regions = np.stack(
            [
                chance > 0.5 + win_margin,
                np.abs(chance - 0.5) <= win_margin,
                chance < 0.5 - win_margin,
            ],
            axis=-1,
        ).astype(float)
        estimates.append(limits(chance.ravel(), level))
        probabilities.append(regions.reshape(-1, 3).mean(axis=0))
        errors.append(errors_of(regions).max())
        ends = won[first, second], tied[first, second], won[second, first]
        rows.append([int(x) for x in ends])
    counts = np.array(rows).T
    fields = posterior_fields(
        *(blocks, control, estimates, probabilities, errors),
        abilities=_ability_table(blocks.algorithms, ability, level),
        wins=Columns(
            {
                **pair_index(blocks.algorithms, control).labels,
                "wins": counts[0],
                "ties": counts[1],
                "losses": counts[2],
            }
        ),
        ties=ties,
        win_margin=float(win_margin),
        quantity="probability that algorithm_1 wins against algorithm_2 on a new data "
        f"set{_TIES[ties]}",
        event=_event(win_margin, region, scale),
        rope=region,
        scale=scale,
        level=float(level),
        prior="normal abilities; the logarithm of their standard deviation normal with "
        "mean 0 and standard deviation 0.5",
        draws=count // CHAINS * CHAINS,
        seed=seed,
        effective_draws=diagnostics.effective,
        r_hat=diagnostics.r_hat,
        reference=_REFERENCE,
    )
    return BayesianBradleyTerry(**fields)


def _event(margin: float, rope: float, scale: Scale) -> str:
    """Return the event of the probabilities."""
    if margin > 0:
        return (
            "probability that the first algorithm wins with a probability above "
            f"{0.5 + margin:g}, between the two, or below {0.5 - margin:g}"
        )
    apart = f", when they differ by more than {width_of(rope, scale)}" if rope else ""
    return (
        "probability that the first algorithm wins more often than the second on new "
        f"data sets{apart}"
    )


def _win_counts(blocks: Blocks, rope: float) -> tuple[Floats, Floats]:
    """Return wins of rows over columns, and ties, shape (k, k) each."""
    k = len(blocks.algorithms)
    won, tied = np.zeros((k, k)), np.zeros((k, k))
    for i in range(k):
        x, y = blocks.values[:, [i]], blocks.values
        ahead = y - x
        width = rope + tie_width(np.maximum(np.abs(x), np.abs(y)))
        won[i] = (ahead > width).sum(axis=0)
        tied[i] = (np.abs(ahead) <= width).sum(axis=0)
    np.fill_diagonal(tied, 0)
    return won, tied


def _ability_table(
    algorithms: tuple[str, ...], ability: Floats, level: float
) -> Columns:
    """Return abilities with their intervals, most able first."""
    flat = ability.reshape(-1, ability.shape[-1])
    best = np.bincount(flat.argmax(axis=1), minlength=len(algorithms)) / len(flat)
    rows = np.array([limits(column, level) for column in flat.T])
    order = np.argsort(-rows[:, 0], kind="stable")
    return Columns(
        {
            "algorithm": np.array(algorithms, dtype=object)[order],
            "ability": rows[order, 0],
            "credible_low": rows[order, 1],
            "credible_high": rows[order, 2],
            "probability_best": best[order],
        }
    )
