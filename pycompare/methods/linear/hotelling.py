"""Hotelling's T2: two algorithms compared in several metrics at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pandas as pd

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.formatting.counts import have
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns, Matrix
from pycompare.data.scores import Scores
from pycompare.kernels import noncentral_f
from pycompare.methods.linear.dependencies import Dependency
from pycompare.methods.linear.mean_vectors import (
    FOLDS,
    NOTHING,
    REFERENCES,
    TITLES,
    VectorPairs,
    check_method,
    mean_vectors,
)
from pycompare.methods.pairs.common import two_algorithms
from pycompare.results.result import Estimate, Test, internal, later, made_when_read


@dataclass(frozen=True, kw_only=True, eq=False)
class HotellingResult(Test):
    """Hotelling's T2 of two algorithms; the statistic itself is its F.

    Attributes
    ----------
    algorithm_1, algorithm_2 : str
    method : {"paired", "two-sample", "two-sample-unequal"}
    n_1, n_2 : int
        Scores of each algorithm; blocks that both have, if paired.
    t2 : float
    effect : Estimate
        Mahalanobis distance sqrt(d' S^-1 d), S the covariance matrix of differences
        (paired) or of scores (two samples; if they have two, the mean of both weighted
        by 1/n), with its interval.
    table : DataFrame
        One row per metric: ``metric estimate std_error conf_low conf_high
        bonferroni_low bonferroni_high direction standardised``. ``estimate`` is the
        mean of algorithm_1 minus algorithm_2 in the metric's own unit. ``conf_`` limits
        hold for all combinations of metrics together (T2), ``bonferroni_`` limits for
        the metrics only. ``direction`` is w = S^-1 d for scores in their own units,
        ``standardised`` for scores over their standard deviation; 0 for metrics that
        are left out.
    covariance : DataFrame
        S in the metrics' own units, metrics by metrics: of the differences within
        blocks (paired), pooled over both algorithms (two samples), or the mean of both
        algorithms' own weighted by 1/n (two samples, unequal).
    level : float
        Confidence level of the intervals.
    kept : tuple of str
        The metrics that the test is made of; their number is ``rank``.
    dropped : tuple of Dependency
        The metrics that are linear functions of those before them.
    """

    algorithm_1: str
    algorithm_2: str
    method: str
    n_1: int
    n_2: int
    t2: float
    effect: Estimate = made_when_read()
    table: pd.DataFrame = made_when_read()
    covariance: pd.DataFrame = made_when_read()
    level: float
    kept: tuple[str, ...]
    dropped: tuple[Dependency, ...]
    vectors: VectorPairs = internal()

    @property
    def rank(self) -> int:
        """Dimensions of the space that the metrics span."""
        return len(self.kept)

    def as_columns(self) -> Columns:
        """Return one row: the test, T2, and the distance."""
        return (
            super()
            .as_columns()
            .but(
                algorithm_1=self.algorithm_1,
                algorithm_2=self.algorithm_2,
                t2=self.t2,
                distance=self.effect.estimate,
                distance_low=self.effect.conf_low,
                distance_high=self.effect.conf_high,
            )
        )

    def r_call(self) -> RCall:
        """Return the call that repeats the test with ``mahalanobis`` and ``pf``."""
        arguments = {**self.vectors.r_arguments(), "level": self.level}
        files = ("responses", "hotelling")
        return RCall(files, "hotelling_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the test, the distance, and the columns of the table."""
        return {
            "t2": self.t2,
            "statistic": self.statistic,
            "df": self.df,
            "p_value": self.p_value,
            "distance": self.effect.estimate,
            "distance_low": self.effect.conf_low,
            "distance_high": self.effect.conf_high,
            **dict(self.held("table").but("metric").items()),
            "covariance": self.held("covariance").values.ravel("F"),
        }

    def r_by_column(self) -> dict[str, int]:
        """Return the covariance matrix, which has a column for each metric."""
        return {"covariance": len(self.vectors.names)}


@checked
def hotelling(
    scores: Scores,
    *,
    metrics: Sequence[str] | None = None,
    algorithms: Sequence[str] | None = None,
    method: Literal["paired", "two-sample", "two-sample-unequal"] = "paired",
    level: float = 0.95,
) -> HotellingResult:
    """Compare the mean vectors of two algorithms by Hotelling's T2 test.

    Parameters
    ----------
    scores : Scores
        More blocks than metrics. If cells are missing (scores read with
        ``missing="model"``) the paired test takes the blocks that both algorithms have,
        the others each algorithm's own.
    metrics : sequence of str, optional
        The metrics, each in its own unit; all of ``scores.metrics`` by default. Which
        direction is better has no part in the test.
    algorithms : pair of str, optional
        Algorithm_1 and algorithm_2; needed if there are more than two.
    method : {"paired", "two-sample", "two-sample-unequal"}
        ``paired`` tests the mean of the differences within blocks. ``two-sample``
        leaves the blocks out, with one covariance matrix for both algorithms,
        ``two-sample-unequal`` with one each.
    level : float
        Confidence level of the intervals.

    Returns
    -------
    HotellingResult

    Raises
    ------
    DesignError
        If there are no more blocks than independent metrics, or a difference has no
        variation to be compared with; if there are more than two algorithms and none
        is named.
    InputError
        For an unknown name or word.

    Notes
    -----
    Equations 6.3, 6.4 of docs/equations.md.

    Paired, with k differences of mean d and covariance S: T2 = k d' S^-1 d and
    F = (k - p) / (p (k - 1)) T2 on (p, k - p) (Yildiz et al. 2011, eq. 2-3; its
    equation 3 prints (m, m - p + 1), erratum). Two samples, S pooled: T2 = n1 n2 / n D2
    with D2 = d' S^-1 d (Aslan 2009, eq. 4.82-4.84; 4.83 lacks the vector on the right,
    erratum) and F = (n - p - 1) / ((n - 2) p) T2 on (p, n - p - 1). Two covariance
    matrices: T2 = d' (S1/n1 + S2/n2)^-1 d and F = (nu - p + 1) / (nu p) T2 on (p, nu -
    p + 1), approximately, with nu of Nel and van der Merwe (1986) as Krishnamoorthy and
    Yu made it independent of the units of the metrics.

    p is the rank: metrics that depend linearly on those before them, to 1e-7 of their
    own variation, are left out and named. With one metric T2 is the square of t
    (``paired_t``; pooled or Welch's t). All is found from a triangular factor of the
    residuals, never from an inverse of S. Limits of the distance invert the noncentral
    F distribution.

    R: ``summary(manova(D ~ 1), intercept = TRUE)`` or ``k * mahalanobis(colMeans(D), 0,
    cov(D))``; ``rrcov::T2.test(x, y)``. ``ICSNP::HotellingsT2`` calls F "T.2".

    References
    ----------
    .. [1] Hotelling, H. (1931). Ann. Math. Statist. 2, 360-378.
    .. [2] Yildiz, O. T., Aslan, O., Alpaydin, E. (2011), eq. 2-5.
    .. [3] Aslan, O. (2009). M.Sc. thesis, Bogazici University, eq. 4.82-4.84.
    .. [4] Krishnamoorthy, K., Yu, J. (2004). Statist. Probab. Lett. 66, 161-169.

    Examples
    --------
    >>> import pycompare as pc
    >>> test = pc.hotelling(pc.example("folds"), algorithms=("QDA", "LDA"))
    >>> print(f"F = {test.statistic:.2f} on {test.df} df, p = {test.p_value:.1e}")
    F = 21.36 on (2.0, 28.0) df, p = 2.3e-06
    >>> test.covariance.round(4)
            error     auc
    error  0.0046 -0.0027
    auc   -0.0027  0.0038
    """
    check_method(method, contrast=False)
    check_level(level)
    first, second = two_algorithms(scores, algorithms, method="hotelling")
    vectors = mean_vectors(
        scores, metrics, method, np.array([first]), np.array([second])
    )
    reason = vectors.reason(0)
    if reason and reason != NOTHING:
        raise DesignError(reason)
    f, df1, df2, p = (
        float(getattr(vectors.comparison, name)[0])
        for name in ("f", "df1", "df2", "p_value")
    )
    algorithm_1, algorithm_2 = scores.algorithms[first], scores.algorithms[second]
    n_1, n_2 = (int(count[0]) for count in vectors.counts)
    dropped = vectors.dropped(0)
    approximate = ", approximate" if method == "two-sample-unequal" else ""
    return HotellingResult(
        name=f"{TITLES[method]}, {algorithm_1} minus {algorithm_2}",
        statistic_name="F",
        statistic=f,
        df=(df1, df2),
        p_value=p,
        p_source="none" if reason else f"F{approximate}",
        reference=REFERENCES[method],
        notes=_notes(vectors, dropped, reason),
        algorithm_1=algorithm_1,
        algorithm_2=algorithm_2,
        method=method,
        n_1=n_1,
        n_2=n_2,
        t2=float(vectors.comparison.t2[0]),
        effect=later(_mahalanobis, vectors, level),
        table=later(_metric_table, vectors, level),
        covariance=Matrix(vectors.covariance(0), vectors.names, vectors.names),
        level=level,
        kept=tuple(np.array(vectors.names, dtype=object)[vectors.comparison.kept[0]]),
        dropped=dropped,
        vectors=vectors,
    )


def _notes(
    vectors: VectorPairs, dropped: tuple[Dependency, ...], reason: str
) -> tuple[str, ...]:
    """Return the notes for readers about the test."""
    notes = [reason] if reason else []
    left = len(vectors.blocks) - int(vectors.counts[0][0])
    if left and vectors.method == "paired":
        notes.append(
            f"{left} of {len(vectors.blocks)} blocks "
            f"{'lacks' if left == 1 else 'lack'} "
            f"scores of one or both of the algorithms and {have(left)} no part in the "
            f"test"
        )
    if dropped:
        told = "; ".join(d.text for d in dropped)
        notes.append(
            f"the metrics have rank {vectors.comparison.rank[0]}, not "
            f"{len(vectors.names)}: {told}. Any other choice of independent metrics "
            f"gives the same test"
        )
    return (*notes, FOLDS)


def _metric_table(vectors: VectorPairs, level: float) -> Columns:
    """Return differences, intervals and directions, one row per metric."""
    estimate = vectors.estimate[0]
    half = vectors.half_widths(1 - level)[0]
    t_half = vectors.t_widths((1 - level) / len(vectors.names))[0]
    return Columns(
        {
            "metric": list(vectors.names),
            "estimate": estimate,
            "std_error": vectors.std_error[0],
            "conf_low": estimate - half,
            "conf_high": estimate + half,
            "bonferroni_low": estimate - t_half,
            "bonferroni_high": estimate + t_half,
            "direction": vectors.direction[0],
            "standardised": vectors.standardised[0],
        }
    )


def _mahalanobis(vectors: VectorPairs, level: float) -> Estimate:
    """Return the distance of the mean vectors with the noncentral F's interval."""
    c, variance = vectors.comparison, float(vectors.differences.variance[0])
    f, df1, df2 = float(c.f[0]), float(c.df1[0]), float(c.df2[0])
    low = high = math.nan
    if not math.isnan(f):
        low, high = (
            math.sqrt(variance * noncentral_f.noncentrality(f, df1, df2, p))
            for p in ((1 + level) / 2, (1 - level) / 2)
        )
    return Estimate(
        name="Mahalanobis distance",
        estimate=float(vectors.distance[0]),
        conf_low=low,
        conf_high=high,
        level=level,
        method="noncentral F distribution",
    )
