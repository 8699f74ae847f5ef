"""Hotelling's T2 of one algorithm against given means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pycompare.base.arguments import is_finite, require
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.labels import label_positions, show
from pycompare.data.scores import Scores
from pycompare.methods.linear.hotelling import HotellingResult, hotelling

_GIVEN = "given means"
_REFERENCE = "Hotelling (1931) Ann. Math. Statist. 2, 360-378"


@checked
def hotelling_one_sample(
    scores: Scores,
    *,
    algorithm: str,
    means: Mapping[str, float],
    level: float = 0.95,
) -> HotellingResult:
    """Compare the mean vector of one algorithm with given means by Hotelling's T2.

    Parameters
    ----------
    scores : Scores
        More blocks than metrics. Blocks that lack a score of the algorithm (scores read
        with ``missing="model"``) have no part.
    algorithm : str
    means : mapping of str to float
        The mean of each metric under the hypothesis, in its own unit. These metrics are
        tested together, the others not.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    HotellingResult
        ``algorithm_2`` is ``given means``; ``estimate`` is the algorithm's mean minus
        the given one.

    Raises
    ------
    DesignError
        If there are no more blocks than independent metrics, or a metric differs from
        its given mean without any variation.
    InputError
        For an unknown name, no means, or a mean that is no finite number.

    Notes
    -----
    Equation 6.3 of docs/equations.md, with the differences from the given means.

    T2 = k (m - mu)' S^-1 (m - mu) of k blocks, F = (k - p) / (p (k - 1)) T2 on
    (p, k - p): the paired test against an algorithm that has the given means in every
    block. R: ``rrcov::T2.test(x, mu = mu)``.

    References
    ----------
    .. [1] Hotelling, H. (1931). Ann. Math. Statist. 2, 360-378.

    Examples
    --------
    >>> import pycompare as pc
    >>> test = pc.hotelling_one_sample(
    ...     pc.example("folds"), algorithm="QDA", means={"error": 0.16, "auc": 0.92}
    ... )
    >>> print(f"F = {test.statistic:.2f} on {test.df} df, p = {test.p_value:.2f}")
    F = 0.79 on (2.0, 28.0) df, p = 0.46
    """
    require(scores, Scores)
    if not isinstance(means, Mapping) or not means:
        raise InputError(f"means={means!r}: give the mean of each metric by its name")
    for name, value in means.items():
        if not is_finite(value):
            raise InputError(f"means: {show(name)} has {value!r}, no finite number")
    metrics = tuple(scores.metric(name) for name in means)
    given = _GIVEN + " (hypothesis)" if algorithm == _GIVEN else _GIVEN
    test = hotelling(
        _against(scores, algorithm, means, given),
        algorithms=(algorithm, given),
        metrics=[metric.name for metric in metrics],
        level=level,
    )
    return replace(
        test,
        name=f"Hotelling's T2 of one sample, {algorithm} minus {given}",
        method="one-sample",
        reference=_REFERENCE,
    )


def _against(
    scores: Scores, algorithm: str, means: Mapping[str, float], given: str
) -> Scores:
    """Return the algorithm beside one that has the given means in every block."""
    own = np.stack([scores.column(name) for name in means], axis=-1)
    own = own[:, label_positions("algorithm", algorithm, scores.algorithms)]
    other = np.broadcast_to(np.array([float(v) for v in means.values()]), own.shape)
    kept = np.asarray(~np.isnan(own).any(axis=(1, 2)))
    return Scores(
        values=np.concatenate([own, other], axis=1)[kept],
        blocks=scores.labels.take(kept).block,
        algorithms=(algorithm, given),
        metrics=tuple(scores.metric(name) for name in means),
    )
