"""The hierarchical correlated t test: differences over folds of many data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show_all
from pycompare.base.metric import metric_position
from pycompare.base.typing import Floats, Sizes
from pycompare.data.blocks import complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels.correlated_folds import FoldMeans, TailPrior, hierarchical_draws
from pycompare.kernels.r_random import checked_seed
from pycompare.kernels.ranks import tie_width
from pycompare.methods.over_datasets.dataset_tables import (
    complete_tables,
    dataset_labels,
    dataset_means,
)
from pycompare.methods.pairs.common import family_pairs
from pycompare.methods.pairs.overlap import ratio_of_sizes
from pycompare.methods.posteriors.chains import CHAINS, WARM_UP, diagnosed, errors_of
from pycompare.methods.posteriors.common import (
    PosteriorPairs,
    checked_draws,
    checked_posterior,
    contains_most,
    kept_shares,
    limits,
    posterior_fields,
    stacked_shares,
)

_REFERENCE = "Corani et al. (2017) Mach. Learn. 106, 1817-1837"
_FEWEST = 3
"""Data sets from which a spread between data sets can be learnt."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BayesianHierarchical(PosteriorPairs):
    """Posterior of the hierarchical model; see ``PosteriorPairs``.

    Attributes
    ----------
    n_train, n_test : mapping of str to float
        Sizes behind the correlation of folds, by data set.
    """

    n_train: dict[str, float]
    n_test: dict[str, float]


@checked
def bayesian_hierarchical(
    scores: Scores,
    *,
    rope: float,
    n_train: Sizes,
    n_test: Sizes,
    draws: int = 12_000,
    seed: int = 1,
    metric: str | None = None,
    control: str | None = None,
    level: float = 0.95,
) -> BayesianHierarchical:
    """Return posterior probabilities of pairs from all folds of all data sets.

    The mean difference on a new data set belongs to one of three regions: algorithm_1
    is practically better, the two are equivalent, or algorithm_1 is practically worse.
    A region is the most probable one with the posterior probability that is returned.

    Parameters
    ----------
    scores : Scores
        Folds of three data sets or more (read with ``dataset=...``), no cell missing.
    rope : float
        Largest difference that does not matter in practice, in the unit of the metric.
    n_train, n_test : float, or mapping of data set to float
        Sizes of the training and test sets, of all data sets or of each: two folds
        have the correlation n_test / (n_train + n_test).
    draws : int, default 12000
        Draws of each pair, over four chains.
    seed : int, default 1
        Each pair starts from it, so that it does not depend on other algorithms.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    control : str, optional
        Compare each other algorithm with this one only.
    level : float
        Level of the credible intervals.

    Returns
    -------
    BayesianHierarchical
        ``estimate`` is the posterior mean of the location of mean differences over data
        sets, algorithm_1 minus algorithm_2, in the unit of the metric.

    Raises
    ------
    DesignError
        If cells are missing, there are fewer than three data sets, folds of a data set
        all have one difference and ``rope`` is 0, or the chains have not converged; the
        error states how many draws to take.
    InputError
        For an unknown name, or a number out of its range.

    Notes
    -----
    Equation 12.3 of docs/equations.md.

    Mean differences of data sets are Student t; scale and degrees of freedom are
    learnt. Draws by Gibbs sampling. If all folds of a data set have the same
    difference, its standard deviation within folds is taken as that of a uniform law
    over the region, and ``notes`` count such data sets. No R package without a compiler
    of Stan has it: numbers are held against a long run of another sampler that is kept
    in the repository.

    References
    ----------
    .. [1] Corani, G., et al. (2017). Mach. Learn. 106, 1817-1837.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> rows = [
    ...     {"model": m, "data": d, "fold": f, "error": rng.normal(0.3 - 0.1 * i, 0.05)}
    ...     for i, m in enumerate("AB")
    ...     for d in "stuvwxyz"
    ...     for f in range(10)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="model", block="fold", dataset="data",
    ...     metrics={"error": "lower"},
    ... )
    >>> posterior = pc.bayesian_hierarchical(scores, rope=0.01, n_train=90, n_test=10)
    >>> print(f"{posterior.table['probability_worse'][0]:.2f}")
    1.00
    """
    region = checked_posterior(rope, level)
    count, seed = checked_draws(draws), checked_seed(seed)
    labels = dataset_labels(scores)
    train = _of_each("n_train", n_train, labels)
    test = _of_each("n_test", n_test, labels)
    ratio = np.array([ratio_of_sizes(train[name], test[name]) for name in labels])
    if len(labels) < _FEWEST:
        raise DesignError(
            f"bayesian_hierarchical needs {_FEWEST} data sets or more, and there are "
            f"{len(labels)}: {show_all(labels)}"
        )
    at = metric_position(scores.metrics, metric)
    chosen = scores.only(scores.metrics[at].name)
    tables = [table[:, :, 0] for table in complete_tables(chosen, [0])]
    blocks = complete_blocks(
        dataset_means(chosen), None, None, method="bayesian_hierarchical"
    )
    rows, estimates, probabilities, errors, drawn = [], [], [], [], []
    notes: list[str] = []
    pairs = family_pairs(blocks.algorithms, control)
    for first, second in pairs:
        names = " and ".join(blocks.algorithms[k] for k in (first, second))
        pair = [table[:, [first, second]] for table in tables]
        rho = ratio / (1 + ratio)
        folds, unit, more = _summed(pair, blocks.metric.sign, rho, region, names)
        notes += more
        kept = hierarchical_draws(
            folds,
            TailPrior(),
            chains=CHAINS,
            draws=count // CHAINS,
            warm_up=WARM_UP,
            generator=np.random.default_rng(seed),
        )
        quantities = [kept[name] for name in ("delta_0", "sigma_0", "nu")]
        rows.append(diagnosed(quantities, count))
        shares = _regions(kept, region / unit)
        drawn.append(kept_shares(shares, len(pairs)))
        largest = shares == shares.max(axis=-1, keepdims=True)
        probabilities.append(largest.reshape(-1, 3).mean(axis=0))
        errors.append(errors_of(largest.astype(float)).max())
        estimates.append(unit * limits(kept["delta_0"].ravel(), level))
    values = np.array(estimates)
    if blocks.metric.sign > 0:
        values = -values[:, [0, 2, 1]]
    fields = posterior_fields(
        *(blocks, control, values, probabilities, errors),
        quantity="location of mean differences over data sets, algorithm_1 minus "
        "algorithm_2",
        event=contains_most(region, "difference", "new data sets"),
        rope=region,
        level=float(level),
        prior="uniform in location and standard deviations; degrees of freedom less 1 "
        "gamma, its shape uniform from 0.5 to 5, its rate from 0.05 to 0.15",
        draws=count // CHAINS * CHAINS,
        seed=seed,
        effective_draws=min(row.effective for row in rows),
        r_hat=max(row.r_hat for row in rows),
        n_train=train,
        n_test=test,
        notes=tuple(notes),
        reference=_REFERENCE,
        shares=stacked_shares(drawn),
    )
    return BayesianHierarchical(**fields)


def _of_each(key: str, given: Sizes, labels: Sequence[str]) -> dict[str, float]:
    """Return the size of each data set; one for all, or a table of all."""
    if not isinstance(given, Mapping):
        return dict.fromkeys(labels, given)
    if set(given) != set(labels):
        raise InputError(
            setting(key, given)
            + f": give one number, or one for each data set: {show_all(labels)}"
        )
    return {name: given[name] for name in labels}


_LARGEST_ROPE = 1e6
"""Largest half width of the region, in largest differences."""


def _summed(
    pair: list[Floats], sign: float, rho: Floats, rope: float, names: str
) -> tuple[FoldMeans, float, list[str]]:
    """Return the model's data from a pair's scores (folds, 2), its unit, and notes.

    The largest difference is the unit; positive differences are for the first.
    """
    unit = max(np.abs(x[:, 1] - x[:, 0]).max() for x in pair) or 1.0
    if rope > _LARGEST_ROPE * unit:
        raise InputError(
            setting("rope", rope)
            + f": the largest difference of {names} is {unit:.3g}, and all values near "
            "it are equivalent; give the region in the unit of the scores"
        )
    d = [sign * (x[:, 1] - x[:, 0]) / unit for x in pair]
    n = np.array([len(x) for x in d], float)
    squares = np.array([((x - x.mean()) ** 2).sum() for x in d])
    largest = np.array([np.abs(x).max() for x in pair])
    equal = np.array([np.ptp(x) for x in d]) <= 2 * tie_width(largest) / unit
    alike = counted(int(equal.sum()), "data set")
    if equal.any() and rope == 0:
        raise DesignError(
            f"{names}: {alike} with the same difference in all folds, so that their "
            "standard deviation is 0 and the posterior does not exist; give "
            + setting("rope", ...)
            + " above 0, or leave these data sets out"
        )
    notes = []
    if equal.any():
        squares[equal] = n[equal] * (rope / unit) ** 2 / 3
        notes.append(
            f"{names}: {alike} with the same difference in all folds; the standard "
            "deviation there is that of a uniform law over the region"
        )
    folds = FoldMeans(
        mean=np.array([x.mean() for x in d]),
        squares=squares,
        n=n,
        rho=rho,
        largest=max(1.0, rope / unit),
    )
    return folds, unit, notes


def _regions(kept: dict[str, Floats], rope: float) -> Floats:
    """Return the shares of new data sets in the three regions, for each draw."""
    centre, scale, nu = kept["delta_0"], kept["sigma_0"], kept["nu"]
    better = special.stdtr(nu, (centre - rope) / scale)
    worse = special.stdtr(nu, (-rope - centre) / scale)
    middle = np.zeros_like(worse) if rope == 0 else 1 - better - worse
    return np.stack([better, middle, worse], axis=-1)
