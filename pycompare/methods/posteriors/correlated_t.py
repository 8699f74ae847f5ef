"""The Bayesian correlated t test: a mean difference over folds of one data set."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import special

from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.data.blocks import complete_blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels.ranks import tie_width
from pycompare.methods.pairs.common import check_sizes, family_pairs
from pycompare.methods.pairs.overlap import overlap_term
from pycompare.methods.posteriors.common import (
    PosteriorPairs,
    checked_posterior,
    posterior_fields,
)

_REFERENCE = "Corani & Benavoli (2015) Mach. Learn. 100, 285-304"
_ALL_EQUAL = (
    "the difference of {} is the same in every block, so that its variance cannot be "
    "estimated and no probability is given"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class BayesianCorrelatedT(PosteriorPairs):
    """Posterior of mean differences over folds; see ``PosteriorPairs``.

    Attributes
    ----------
    n_train, n_test : float
        Sizes behind the correlation of folds.
    overlap : float
        Factor c of n_test/n_train in the variance; 1 as published.
    """

    n_train: float
    n_test: float
    overlap: float

    def r_call(self) -> RCall:
        """Return the call of ``pt`` and ``qt``."""
        return self.own_call(
            "bayesian_correlated_t_reference",
            "bayesian_correlated_t",
            n_train=self.n_train,
            n_test=self.n_test,
            overlap=self.overlap,
        )


@checked
def bayesian_correlated_t(
    scores: Scores,
    *,
    rope: float,
    n_train: float,
    n_test: float,
    overlap: float = 1.0,
    metric: str | None = None,
    control: str | None = None,
    level: float = 0.95,
) -> BayesianCorrelatedT:
    """Return posterior probabilities of mean differences over folds that share data.

    Parameters
    ----------
    scores : Scores
        Complete table, at least two algorithms and two blocks: folds, or repeats, of
        one data set.
    rope : float
        Largest mean difference that does not matter in practice, in the unit of the
        metric.
    n_train, n_test : float
        Sizes of each training and test set, as in ``paired_t``.
    overlap : float, default 1
        Factor c of n_test/n_train in the variance, as in ``paired_t``.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    control : str, optional
        Compare each other algorithm with this one only.
    level : float
        Level of the credible intervals.

    Returns
    -------
    BayesianCorrelatedT
        ``estimate`` is the posterior mean of the mean difference, algorithm_1 minus
        algorithm_2, in the unit of the metric. All numbers are exact. A pair with the
        same difference in every block has NaN, and ``notes`` name it.

    Raises
    ------
    DesignError
        If cells are missing, or blocks are in clusters.
    InputError
        For an unknown name, or a number out of its range.

    Notes
    -----
    Equation 12.3 of docs/equations.md.

    Under the matching prior, uniform in the mean and in the logarithm of the standard
    deviation, the posterior is Student t with k - 1 degrees of freedom about the mean,
    variance (1/k + c n_test/n_train) s^2 over k blocks: the credible interval is that
    of ``corrected_pairs``. R: ``pt``, ``qt``.

    References
    ----------
    .. [1] Corani, G., Benavoli, A. (2015). Mach. Learn. 100, 285-304.

    Examples
    --------
    >>> import pycompare as pc
    >>> folds = pc.example("folds")
    >>> posterior = pc.bayesian_correlated_t(
    ...     folds, metric="error", rope=0.01, n_train=216, n_test=24
    ... )
    >>> posterior.table[["algorithm_2", "probability_better"]].head(2).round(3)
      algorithm_2  probability_better
    0        9-NN               0.920
    1         LDA               0.979
    """
    region = checked_posterior(rope, level)
    term = overlap_term(n_train, n_test, overlap)
    refuse_clusters_of_blocks(scores, "bayesian_correlated_t")
    blocks = complete_blocks(scores, metric, None, method="bayesian_correlated_t")
    estimates, probabilities, notes = [], [], []
    k = len(blocks.values)
    for first, second in family_pairs(blocks.algorithms, control):
        x, y = blocks.values[:, first], blocks.values[:, second]
        # Values are turned so that lower is better: positive is for algorithm_1.
        d = y - x
        mean = d.mean()
        if np.ptp(d) <= 2 * tie_width(np.maximum(np.abs(x), np.abs(y)).max()):
            names = " and ".join(blocks.algorithms[at] for at in (first, second))
            notes.append(_ALL_EQUAL.format(names))
            probabilities.append(np.full(3, np.nan))
            estimates.append([mean, np.nan, np.nan])
            continue
        check_sizes(d[None], blocks.metric)
        unit = np.abs(d).max()  # squares of tiny differences would vanish
        error = unit * np.sqrt((1 / k + term) * (d / unit).var(ddof=1))
        half = -special.stdtrit(k - 1, (1 - level) / 2) * error
        with np.errstate(over="ignore"):  # a region beyond all differences
            ends = np.array([mean - region, -mean - region, region - mean]) / error
        *tails, below = special.stdtr(k - 1, ends)
        middle = below - tails[1]
        if region == 0:
            middle = 0.0
        probabilities.append(np.array([tails[0], middle, tails[1]]))
        estimates.append([mean, mean - half, mean + half])
    # In the metric's own direction algorithm_1 minus algorithm_2 is -d of the turned.
    values = np.array(estimates)
    if blocks.metric.sign > 0:
        values = -values[:, [0, 2, 1]]
    fields = posterior_fields(
        *(blocks, control, values, probabilities),
        quantity="mean difference over new folds, algorithm_1 minus algorithm_2",
        event=_event(region, blocks.metric.sign),
        rope=region,
        level=float(level),
        prior="uniform in the mean and in the logarithm of the standard deviation",
        n_train=n_train,
        n_test=n_test,
        overlap=float(overlap),
        notes=tuple(notes),
        reference=_REFERENCE,
    )
    return BayesianCorrelatedT(**fields)


def _event(rope: float, sign: float) -> str:
    """Return the event of the three probabilities; the first is better in the first."""
    ends = [f"above {rope:g}", f"below {-rope or 0:g}".replace("-", "−")]
    first, last = ends if sign < 0 else ends[::-1]
    middle = f"within ±{rope:g}, " if rope else ""
    return f"probability that the mean difference is {first}, {middle}or {last}"
