"""Welch's analysis of variance and Games-Howell's pairs: no blocks, no common variance.

Rows of the table are independent samples of each algorithm, as if it had been run on
data of its own. With common blocks the paired tests are more powerful.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import special

from pycompare.base.arguments import check_level, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError
from pycompare.base.hypotheses import MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show, show_all
from pycompare.base.metric import Metric
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, ranked_blocks, refuse_clusters_of_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import studentized_range
from pycompare.kernels.units import binary_unit
from pycompare.methods.linear.pairs import family_of, pair_indices
from pycompare.methods.pairs.common import pair_index
from pycompare.results.guarantees import MEASURED
from pycompare.results.placement import means_of
from pycompare.results.result import PairsResult, Test, internal
from pycompare.results.schema import Schema, changed

_LEAST = 2
"""Scores of an algorithm that a variance needs."""
_WELCH = "Welch (1951) Biometrika 38, 330-336"
_BLOCKS = (
    "rows are treated as independent samples of each algorithm: if they are common "
    "blocks, paired_t_pairs is more powerful"
)
_FEW = 6
"""Scores of an algorithm below which the approximation is noted."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WelchAnovaResult(Test):
    """Welch's test of equal means of independent samples; see ``Test``.

    Attributes
    ----------
    metric : str
    """

    metric: str
    blocks: Blocks = internal()

    def r_call(self) -> RCall:
        """Return the call of ``oneway.test``."""
        arguments = {"x": self.blocks.r_arguments()["x"]}
        return RCall(("games_howell",), "welch_anova_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the statistic, its degrees of freedom and the p-value."""
        return {"statistic": self.statistic, "df": self.df, "p_value": self.p_value}


@dataclass(frozen=True, kw_only=True, eq=False)
class GamesHowellResult(PairsResult):
    """Pairs of means of independent samples; see ``PairsResult``.

    ``estimate`` is algorithm_1 minus algorithm_2 in the metric's own unit; each pair
    has the variances of its two algorithms.

    Attributes
    ----------
    omnibus : WelchAnovaResult
        Welch's test of equal means.
    """

    omnibus: WelchAnovaResult
    blocks: Blocks = internal()

    r_named: ClassVar[bool] = True
    differences: ClassVar[str] = "mean"
    schema: ClassVar[Schema] = changed(PairsResult.schema, only="")

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "means/unequal-variances"

    @property
    def metric(self) -> Metric:
        """The metric whose means are compared."""
        return self.blocks.metric

    @property
    def lower_is_better(self) -> bool:
        """Whether a negative ``estimate`` means that algorithm_1 is better."""
        return self.metric.sign > 0

    def r_call(self) -> RCall:
        """Return the call of ``ptukey`` at Welch's degrees of freedom."""
        arguments = {"x": self.blocks.r_arguments()["x"], "level": self.level}
        files = ("studentized_range", "mean_pairs", "games_howell")
        return RCall(files, "games_howell_reference", arguments)


@checked
def welch_anova(scores: Scores, *, metric: str | None = None) -> WelchAnovaResult:
    """Test equal means of independent samples with variances of their own.

    Parameters
    ----------
    scores : Scores
        Two algorithms or more, with two scores or more each; cells may be missing if
        the scores were read with ``missing="model"``.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.

    Returns
    -------
    WelchAnovaResult

    Raises
    ------
    DesignError
        If an algorithm has fewer than two scores, or all its scores are equal.

    Notes
    -----
    Equation 5.11 of docs/equations.md.

    Blocks have no part in it. R: ``oneway.test(score ~ algorithm)``.

    References
    ----------
    .. [1] Welch, B. L. (1951). Biometrika 38, 330-336.

    Examples
    --------
    >>> import pycompare as pc
    >>> test = pc.welch_anova(pc.example())
    >>> print(f"F = {test.statistic:.2f}, p = {test.p_value:.4f}")
    F = 5.24, p = 0.0009
    """
    samples = _samples(scores, metric, "welch_anova")
    return _welch_of(samples)


@checked
def games_howell(
    scores: Scores, *, metric: str | None = None, level: float = 0.95
) -> GamesHowellResult:
    """Compare all pairs of means of independent samples by Games and Howell's test.

    Parameters
    ----------
    scores : Scores
        As in ``welch_anova``.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    level : float, default 0.95
        Confidence level of the intervals, together.

    Returns
    -------
    GamesHowellResult
        An interval leaves out 0 exactly when ``p_adjusted < 1 - level``; ``omnibus`` is
        Welch's test.

    Raises
    ------
    DesignError
        As ``welch_anova``.

    Notes
    -----
    Equation 5.11 of docs/equations.md.

    p = P(Q > |t| sqrt(2)), t with both algorithms' own variances on Welch's degrees of
    freedom, Q the studentised range of all means: approximate, slightly liberal with
    few scores. Blocks have no part in it. R: own derivation with ``ptukey``;
    ``PMCMRplus::gamesHowellTest`` and ``rstatix::games_howell_test`` are the same.

    References
    ----------
    .. [1] Games, P. A., Howell, J. F. (1976). J. Educ. Statist. 1, 113-125.

    Examples
    --------
    >>> import pycompare as pc
    >>> pairs = pc.games_howell(pc.example())
    >>> pairs.table[["algorithm_1", "algorithm_2", "p_adjusted"]].head(3).round(4)
      algorithm_1 algorithm_2  p_adjusted
    0        C4.5        1-NN      0.2594
    1        C4.5  NaiveBayes      0.9796
    2        C4.5      Kernel      0.0006
    """
    check_level(level)
    samples = _samples(scores, metric, "games_howell")
    names = samples.blocks.algorithms
    first, second = pair_indices(names, None)
    share = samples.variance / samples.n
    variance = share[first] + share[second]
    error = np.sqrt(variance)
    difference = samples.mean[first] - samples.mean[second]
    t = difference / error
    # Welch's degrees of freedom of each pair.
    df = variance**2 / (
        share[first] ** 2 / (samples.n[first] - 1)
        + share[second] ** 2 / (samples.n[second] - 1)
    )
    a, unit = len(names), samples.unit
    adjusted = np.array(
        [
            studentized_range.sf(abs(x) * math.sqrt(2), a, v)
            for x, v in zip(t, df, strict=True)
        ]
    )
    quantile = [float(studentized_range.isf(1 - level, a, v)) for v in df]
    half = np.array(quantile) / math.sqrt(2) * error
    table = {
        **pair_index(names, None).labels,
        "estimate": difference * unit,
        "std_error": error * unit,
        "statistic": t,
        "df": df,
        "p_value": np.minimum(1.0, 2 * special.stdtr(df, -np.abs(t))),
        "p_adjusted": adjusted,
        "conf_low": (difference - half) * unit,
        "conf_high": (difference + half) * unit,
    }
    of = samples.blocks.metric
    return GamesHowellResult(
        table=Columns(table),
        positions=samples.blocks.per_algorithm(of.sign * samples.mean * unit + 0.0),
        **means_of(of.name).difference(),
        statistic_name="t",
        hypotheses=MEANS,
        method="Games-Howell tests",
        adjust="games-howell",
        family=family_of(a, None, of.name),
        interval=f"simultaneous {100 * level:g}% (Games-Howell)",
        level=level,
        control=None,
        notes=_notes(
            samples,
            "games_howell, few rows",
            "games_howell, few rows: smallest adjusted",
            "games_howell, few rows, all at once",
        ),
        reference="Games & Howell (1976) J. Educ. Statist. 1, 113-125",
        omnibus=_welch_of(samples),
        blocks=samples.blocks,
    )


@dataclass(frozen=True, eq=False)
class _OwnMoments:
    """Means and variances of each algorithm, in ``unit``."""

    blocks: Blocks
    n: Floats
    mean: Floats
    variance: Floats
    unit: float


def _samples(scores: Scores, metric: str | None, method: str) -> _OwnMoments:
    """Return the moments of each algorithm; reject those without a variance."""
    require(scores, Scores)
    refuse_clusters_of_blocks(scores, method)
    blocks = ranked_blocks(scores, metric, None)
    x = blocks.metric.sign * blocks.values  # in the metric's own direction
    unit = float(binary_unit(np.nan_to_num(x)).ravel()[0])
    moments = []
    for name, column in zip(blocks.algorithms, (x / unit).T, strict=True):
        own = column[~np.isnan(column)]
        if len(own) < _LEAST:
            raise DesignError(
                f"{show(name)} has {len(own)} score: a variance of its own needs two "
                f"or more; leave the algorithm out"
            )
        moments.append((len(own), own.mean(), own.var(ddof=1)))
        if np.ptp(own) == 0:
            raise DesignError(
                f"all scores of {show(name)} are equal: the test needs a variance of "
                f"each algorithm; compare by paired_t_pairs or signed_rank_pairs"
            )
    n, mean, variance = np.array(moments).T
    return _OwnMoments(blocks, n, mean, variance, unit)


def _notes(samples: _OwnMoments, *known: str) -> tuple[str, ...]:
    """Return the notes for readers; ``known``: rows of ``MEASURED``, of few scores."""
    names = samples.blocks.algorithms
    few = [name for name, n in zip(names, samples.n, strict=True) if n < _FEW]
    if not few:
        return (_BLOCKS,)
    told = f"algorithms with fewer than {_FEW} scores: {show_all(few)}"
    return (_BLOCKS, told, *(MEASURED[row].text for row in known))


def _welch_of(samples: _OwnMoments) -> WelchAnovaResult:
    """Return Welch's test of all means."""
    a = len(samples.n)
    w = samples.n / samples.variance
    share = w / w.sum()
    mean = float(np.sum(share * samples.mean))
    spread = float(np.sum((1 - share) ** 2 / (samples.n - 1)))
    # Welch (1951), eq. 21 and 22.
    top = float(np.sum(w * (samples.mean - mean) ** 2)) / (a - 1)
    f = top / (1 + 2 * (a - 2) / (a * a - 1) * spread)
    df = (a - 1.0, (a * a - 1) / (3 * spread))
    metric = samples.blocks.metric.name
    return WelchAnovaResult(
        name=f"Welch's test of equal means of {metric}",
        statistic_name="F",
        statistic=f,
        df=df,
        p_value=float(special.fdtrc(*df, f)),
        p_source="F, approximate",
        reference=_WELCH,
        notes=_notes(samples, "welch_anova, few rows"),
        metric=metric,
        blocks=samples.blocks,
    )
