"""The Bayesian sign test and signed rank test: Dirichlet posteriors over data sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.data.blocks import (
    Scale,
    complete_blocks,
    on_scale,
    refuse_clusters_of_blocks,
)
from pycompare.data.scores import Scores
from pycompare.kernels.dirichlet import largest_shares, signed_rank_shares
from pycompare.kernels.r_random import checked_seed
from pycompare.kernels.ranks import tie_width
from pycompare.methods.pairs.common import family_pairs
from pycompare.methods.posteriors.common import (
    PosteriorPairs,
    checked_draws,
    checked_posterior,
    checked_prior,
    contains_most,
    heavy_prior,
    kept_shares,
    largest_regions,
    limits,
    posterior_fields,
    region_of,
    stacked_shares,
)

_SIGNS = "Benavoli et al. (2017) JMLR 18(77), 1-36, sec. 4.1"
_SIGNED_RANKS = "Benavoli et al. (2014) ICML, PMLR 32, 1026-1034"


@dataclass(frozen=True, kw_only=True, eq=False)
class WithPriorObservation(PosteriorPairs):
    """Posteriors of shares of data sets; see ``PosteriorPairs``.

    Attributes
    ----------
    prior_weight : float
        Weight of the prior observation, a difference of 0.
    """

    prior_weight: float

    @property
    def outweighed(self) -> bool:
        """Whether the prior has more weight than all data sets."""
        return self.prior_weight > len(self.blocks.values)


@dataclass(frozen=True, kw_only=True, eq=False)
class BayesianSigns(WithPriorObservation):
    """Posterior of the sign test; see ``WithPriorObservation``."""

    def r_call(self) -> RCall:
        """Return the call that integrates in R."""
        return self.own_call(
            "bayesian_sign_reference", prior=self.prior_weight, scale=self.scale
        )


@checked
def bayesian_sign(
    scores: Scores,
    *,
    rope: float,
    prior: float = 1.0,
    metric: str | None = None,
    control: str | None = None,
    level: float = 0.95,
    scale: Scale = "difference",
) -> BayesianSigns:
    """Return posterior probabilities of pairs by the Bayesian sign test.

    A new data set, drawn as these were, belongs to one of three regions: algorithm_1 is
    practically better, the two are equivalent, or algorithm_1 is practically worse. A
    region is the most probable one with the posterior probability that is returned.

    Parameters
    ----------
    scores : Scores
        Complete table, at least two algorithms and two blocks, one a data set.
    rope : float
        Largest difference that does not matter in practice, in the unit of the metric.
        With 0 equal scores count half for either algorithm, and so does the prior.
    prior : float, default 1
        Weight of the prior observation, a difference of 0; a data set has weight 1.
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
    BayesianSigns
        ``estimate`` is the posterior mean of the share of data sets on which
        algorithm_1 is practically better. All numbers are exact.

    Raises
    ------
    DesignError
        If cells are missing, or blocks are in clusters.
    InputError
        For an unknown name, a number out of its range, or ratios of scores that are
        not positive.

    Notes
    -----
    Equation 12.1 of docs/equations.md.

    The shares of the regions have a Dirichlet distribution. The probability that a
    share is the largest is an integral of one variable. R: derivation, ``integrate``
    and ``qbeta``. baycomp draws the same probabilities.

    References
    ----------
    .. [1] Benavoli, A., Corani, G., Demšar, J., Zaffalon, M. (2017). JMLR 18(77), 1-36.

    Examples
    --------
    >>> import pycompare as pc
    >>> posterior = pc.bayesian_sign(pc.example(), rope=0.01, control="CN2")
    >>> posterior.table[["algorithm_1", "probability_better"]].round(3)
      algorithm_1  probability_better
    0        C4.5               0.974
    1        1-NN               0.343
    2  NaiveBayes               0.997
    3      Kernel               0.000
    """
    region = checked_posterior(rope, level)
    weight = checked_prior(prior)
    refuse_clusters_of_blocks(scores, "bayesian_sign")
    blocks = on_scale(
        complete_blocks(scores, metric, None, method="bayesian_sign"), scale
    )
    half = region_of(region, scale)
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    estimates, probabilities = [], []
    for first, second in family_pairs(blocks.algorithms, control):
        x, y = blocks.values[:, first], blocks.values[:, second]
        tie = tie_width(np.maximum(np.abs(x), np.abs(y)))
        d = y - x
        counts = np.array([(d > half + tie).sum(), 0.0, (d < -half - tie).sum()])
        counts[1] = len(d) - counts.sum() + weight
        if region == 0:
            counts = np.array([counts[0] + counts[1] / 2, 0, counts[2] + counts[1] / 2])
        total = counts.sum()
        ends = special.betaincinv(counts[0], total - counts[0], tails)
        if counts[0] == 0:
            ends = np.zeros(2)
        estimates.append([counts[0] / total, *ends])
        probabilities.append(largest_shares(counts))
    fields = posterior_fields(
        *(blocks, control, estimates, probabilities),
        quantity="share of data sets on which algorithm_1 is "
        f"{'practically ' * (region > 0)}better",
        event=contains_most(region, scale, "data sets"),
        rope=region,
        scale=scale,
        level=float(level),
        prior=f"one observation of weight {weight:g} with no difference",
        prior_weight=weight,
        notes=heavy_prior(weight, len(blocks.values)),
        reference=_SIGNS,
    )
    return BayesianSigns(**fields)


@dataclass(frozen=True, kw_only=True, eq=False)
class BayesianSignedRanks(WithPriorObservation):
    """Posterior of the signed rank test; see ``WithPriorObservation``."""

    def r_call(self) -> RCall:
        """Return the call that draws the same weights in R."""
        return self.own_call(
            "bayesian_signed_rank_reference",
            "bayesian_signed_rank",
            prior=self.prior_weight,
            draws=self.draws,
            seed=self.seed,
            scale=self.scale,
        )


@checked
def bayesian_signed_rank(
    scores: Scores,
    *,
    rope: float,
    prior: float = 0.5,
    draws: int = 50_000,
    seed: int = 1,
    metric: str | None = None,
    control: str | None = None,
    level: float = 0.95,
    scale: Scale = "difference",
) -> BayesianSignedRanks:
    """Return posterior probabilities of pairs by the Bayesian signed rank test.

    The mean of two differences on new data sets, drawn as these were, belongs to one of
    three regions: algorithm_1 is practically better, the two are equivalent, or
    algorithm_1 is practically worse. A region is the most probable one with the
    posterior probability that is returned.

    Parameters
    ----------
    scores : Scores
        Complete table, at least two algorithms and two blocks, one a data set.
    rope : float
        Largest difference that does not matter in practice, in the unit of the metric.
    prior : float, default 0.5
        Weight of the prior observation, a difference of 0; a data set has weight 1.
    draws : int, default 50000
        Draws from the posterior of each pair, 400 at least.
    seed : int, default 1
        Each pair uses the same draws, so that it does not depend on other algorithms.
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
    BayesianSignedRanks
        ``estimate`` is the posterior mean of the share of means of two differences for
        which algorithm_1 is practically better.

    Raises
    ------
    DesignError
        If cells are missing, or blocks are in clusters.
    InputError
        For an unknown name, a number out of its range, or ratios of scores that are
        not positive.

    Notes
    -----
    Equation 12.2 of docs/equations.md.

    Draws are independent, so that the Monte Carlo standard error of a probability p is
    sqrt(p (1 - p) / draws). R: derivation with the same uniforms, all pairs of
    differences added up. baycomp draws other weights from the same posterior.

    References
    ----------
    .. [1] Benavoli, A., et al. (2014). ICML, PMLR 32, 1026-1034.
    .. [2] Benavoli, A., Corani, G., Demšar, J., Zaffalon, M. (2017). JMLR 18(77), 1-36.

    Examples
    --------
    >>> import pycompare as pc
    >>> posterior = pc.bayesian_signed_rank(pc.example(), rope=0.01, control="CN2")
    >>> posterior.table[["algorithm_1", "probability_better"]].round(2)
      algorithm_1  probability_better
    0        C4.5                 1.0
    1        1-NN                 0.3
    2  NaiveBayes                 1.0
    3      Kernel                 0.0
    """
    region = checked_posterior(rope, level)
    weight, count = checked_prior(prior), checked_draws(draws)
    seed = checked_seed(seed)
    refuse_clusters_of_blocks(scores, "bayesian_signed_rank")
    blocks = on_scale(
        complete_blocks(scores, metric, None, method="bayesian_signed_rank"), scale
    )
    half = region_of(region, scale)
    estimates, probabilities, kept = [], [], []
    pairs = family_pairs(blocks.algorithms, control)
    for first, second in pairs:
        x, y = blocks.values[:, first], blocks.values[:, second]
        largest = np.maximum(np.abs(x), np.abs(y)).max()
        shares = signed_rank_shares(
            y - x,
            rope=half,
            prior=weight,
            tie=2 * float(tie_width(largest)),
            draws=count,
            seed=seed,
        )
        estimates.append(limits(shares[:, 0], level))
        probabilities.append(largest_regions(shares))
        kept.append(kept_shares(shares, len(pairs)))
    p = np.array(probabilities)
    fields = posterior_fields(
        *(blocks, control, estimates, p),
        errors=np.sqrt(np.max(p * (1 - p), axis=1) / count),
        quantity="share of means of two differences for which algorithm_1 is "
        f"{'practically ' * (region > 0)}better",
        event=contains_most(region, scale, "means of two differences"),
        rope=region,
        scale=scale,
        level=float(level),
        prior=f"a Dirichlet process with one observation of weight {weight:g} and no "
        "difference",
        prior_weight=weight,
        draws=count,
        seed=seed,
        effective_draws=float(count),
        notes=heavy_prior(weight, len(blocks.values)),
        reference=_SIGNED_RANKS,
        shares=stacked_shares(kept),
    )
    return BayesianSignedRanks(**fields)
