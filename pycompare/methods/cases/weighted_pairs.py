"""Pairs of algorithms over several benchmarks with declared weights."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from pycompare.base.arguments import alpha_or_level, check_level
from pycompare.base.checked import checked
from pycompare.base.formatting.counts import counted
from pycompare.base.hypotheses import WEIGHTED_MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show
from pycompare.base.typing import Floats, GroupWeights
from pycompare.data.blocks import Blocks, cluster_totals, complete_blocks
from pycompare.data.scores import Scores
from pycompare.data.strata import Strata, strata_of
from pycompare.kernels.cluster_means import sums_by
from pycompare.kernels.new_answers import right_or_wrong
from pycompare.methods.cases.cluster_pairs import FEW_DF, robust_columns
from pycompare.methods.pairs.adjusted_pairs import fields_of_pairs
from pycompare.methods.pairs.block_differences import placement_of
from pycompare.methods.pairs.common import (
    family_pairs,
    few_cases_note,
    together,
)
from pycompare.methods.pairs.last_step import TPairs
from pycompare.results.adjust import family_adjustment
from pycompare.results.result import Result, internal

_REFERENCE = (
    "Cochran (1977) Sampling Techniques, ch. 5; Welch (1947) Biometrika 34, 28-35"
)
_MOST_NAMED = 8
"""Benchmarks that a note names."""
_FILES = ("ranks", "adjust", "cluster_pairs", "weighted_pairs")
_MEANS = ("estimate", "std_error", "df", "conf_low", "conf_high")


@dataclass(frozen=True, kw_only=True, eq=False)
class WeightedPairsResult(TPairs):
    """t tests of weighted mean differences; see ``PairsResult``.

    ``estimate`` is algorithm_1 minus algorithm_2, weighted over benchmarks, in the
    metric's own unit.

    Attributes
    ----------
    benchmarks : DataFrame
        ``benchmark weight cases clusters``; the weights have the sum 1.
    blocks : Blocks
        The scores that were compared; of clustered cases their totals.
    alpha, level
        As in ``TPairs``: of intervals that agree with decisions, or hold together.
    """

    benchmarks: pd.DataFrame

    @property
    def clustered(self) -> bool:
        """Whether blocks are clusters of cases."""
        return self.blocks.sizes is not None

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "weighted/t"

    def r_call(self) -> RCall:
        """Return the call of the test of every pair."""
        arguments = {
            **_r_arguments(self.blocks),
            **self.r_adjusting(),
        }
        return RCall(_FILES, "weighted_pairs_reference", arguments, self.of_family)


@dataclass(frozen=True, kw_only=True, eq=False)
class WeightedMeans(Result):
    """The weighted mean of each algorithm over several benchmarks.

    Attributes
    ----------
    table : DataFrame
        One row per algorithm, in the order of the data: ``algorithm estimate std_error
        df conf_low conf_high``.
    benchmarks : DataFrame
        ``benchmark weight cases clusters``; the weights have the sum 1.
    on_each : DataFrame
        The mean of each algorithm on each benchmark: ``benchmark algorithm estimate``.
    metric : str
    level : float
        Confidence level of each interval separately.
    shares : bool
        Whether all scores are 0 or 1, so that limits are cut there.
    notes : tuple of str
    """

    table: pd.DataFrame
    benchmarks: pd.DataFrame
    on_each: pd.DataFrame
    metric: str
    level: float
    shares: bool
    notes: tuple[str, ...] = ()
    blocks: Blocks = internal()

    def r_call(self) -> RCall:
        """Return the call of the mean of every algorithm."""
        arguments = {
            **_r_arguments(self.blocks),
            "level": self.level,
            "shares": self.shares,
        }
        return RCall(_FILES, "weighted_means_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the means with their limits, and those on each benchmark."""
        means = self.columns_in_r(*_MEANS)
        return means | {"on_each_estimate": self.on_each["estimate"].to_numpy(float)}


@checked
def weighted_pairs(
    scores: Scores,
    *,
    weights: GroupWeights,
    metric: str | None = None,
    adjust: str = "holm",
    control: str | None = None,
    alpha: float | None = None,
    level: float | None = None,
) -> WeightedPairsResult:
    """Compare pairs of algorithms by means weighted over benchmarks.

    Parameters
    ----------
    scores : Scores
        Complete table whose blocks are cases of two or more benchmarks
        (``Scores.groups``), right or wrong, or graded; perhaps in clusters
        (``Scores.clusters``), each within one benchmark.
    weights : mapping of str to float, or {"equal", "cases"}
        A positive number for each benchmark, in any unit: they are divided by their
        sum. ``equal``: all benchmarks have the same weight; ``cases``: each has its
        number of cases.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``; with a control, one that does not
        need all pairs. Equal weighted means are transitive, so Bergmann-Hommel's and
        Shaffer's methods hold.
    control : str, optional
        Compare each other algorithm with this one only.
    alpha, level : float, optional
        As in ``paired_t_pairs``: intervals agree with decisions at alpha, or hold
        together with the level (0.95 if neither is given).

    Returns
    -------
    WeightedPairsResult
        ``estimate`` is the sum of w_k times the mean difference on benchmark k;
        ``std_error`` the root of the sum of w_k^2 s_k^2 / n_k (of clusters: w_k^2 times
        the CR2 variance), ``df`` Welch and Satterthwaite's. A pair whose differences
        are constant on each benchmark has an infinite t; its p-value is Hoeffding's
        bound of what sign flips would give, or 1 if the estimate is 0.

    Raises
    ------
    DesignError
        If cells are missing, a benchmark has one case (cluster), or a cluster has cases
        of two benchmarks.
    InputError
        If weights do not name exactly the benchmarks, for an unknown name, or both of
        alpha and level.

    Notes
    -----
    Equation 10.10 of docs/equations.md.

    R: own derivation from the parts of each benchmark; with two benchmarks
    ``t.test(w1 * d1, -w2 * d2)``; standard error also by ``clubSandwich::vcovCR``.

    The conclusion concerns cases like these of these benchmarks with these weights. The
    benchmarks are fixed, not sampled: to generalise over benchmarks, compare over them
    as data sets. ``pc.max_t`` takes the same weights.

    With fewer than 20 cases (clusters) on a benchmark the tests may reject too often; a
    note of the result then states how far off they were in
    ``validation/CALIBRATION.md``.

    References
    ----------
    .. [1] Cochran, W. G. (1977). Sampling Techniques, 3rd ed., sec. 5.2-5.4.
    .. [2] Welch, B. L. (1947). Biometrika 34, 28-35.
    .. [3] Satterthwaite, F. E. (1946). Biometrics Bulletin 2, 110-114.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> table = {"task": ["law"] * 30 + ["maths"] * 60}
    >>> for name, skill in (("A", 0.8), ("B", 0.0), ("C", 0.1)):
    ...     table[name] = (skill + rng.normal(size=90) > 0).astype(int).tolist()
    >>> scores = pc.Scores.from_wide(
    ...     table, metric="accuracy", better="higher", group="task",
    ...     algorithms=["A", "B", "C"],
    ... )
    >>> found = pc.weighted_pairs(scores, weights={"law": 1, "maths": 1})
    >>> found.table[["algorithm_1", "algorithm_2", "estimate", "df"]].round(3)
      algorithm_1 algorithm_2  estimate      df
    0           A           B     0.358  61.873
    1           A           C     0.350  60.725
    2           B           C    -0.008  69.163
    """
    alpha, level = alpha_or_level(alpha, level, joint=True)
    family_adjustment(adjust, WEIGHTED_MEANS, control)
    blocks = _blocks(scores, metric, weights, "weighted_pairs")
    pairs = family_pairs(blocks.algorithms, control)
    columns, flat = robust_columns(blocks, pairs, 1 - (1 - level) / len(pairs))
    fields = fields_of_pairs(
        blocks,
        control,
        columns,
        positions=blocks.per_algorithm(blocks.means()),
        method="t tests of weighted means",
        **placement_of(blocks, "scores").difference(),
        statistic_name="t",
        hypotheses=WEIGHTED_MEANS,
        interval=together(level, len(pairs)),
        level=level,
        alpha=alpha,
        reference=_REFERENCE,
        notes=_notes(blocks, columns, flat),
        benchmarks=_benchmarks(blocks),
    )
    adjusted: WeightedPairsResult = WeightedPairsResult(**fields).adjusted(adjust)
    return adjusted


@checked
def weighted_means(
    scores: Scores,
    *,
    weights: GroupWeights,
    metric: str | None = None,
    level: float = 0.95,
) -> WeightedMeans:
    """Return the mean of each algorithm, weighted over benchmarks, with its interval.

    Parameters
    ----------
    scores, weights, metric
        As in ``pc.weighted_pairs``.
    level : float
        Confidence level of each interval separately.

    Returns
    -------
    WeightedMeans
        Means in the metric's own unit with t intervals. Limits of right and wrong
        answers are cut at 0 and 1. They are NaN if no benchmark has any variance.

    Raises
    ------
    DesignError, InputError
        As in ``pc.weighted_pairs``.

    Notes
    -----
    Equation 10.10 of docs/equations.md.

    With fewer than 20 cases (clusters) on a benchmark the intervals may be too narrow;
    a note states how far off they were in ``validation/CALIBRATION.md``.

    R: own derivation, as for ``pc.weighted_pairs``. Two algorithms may differ
    significantly although their intervals overlap: compare pairs.

    References
    ----------
    .. [1] Cochran, W. G. (1977). Sampling Techniques, 3rd ed., sec. 5.2-5.4.

    Examples
    --------
    >>> import pycompare as pc
    >>> table = {"task": ["a"] * 4 + ["b"] * 6}
    >>> table |= {"A": [1, 1, 0, 1, 1, 0, 0, 1, 0, 0], "B": [0, 1, 0, 0] + [1, 0] * 3}
    >>> scores = pc.Scores.from_wide(
    ...     table, metric="accuracy", better="higher", group="task",
    ...     algorithms=["A", "B"],
    ... )
    >>> found = pc.weighted_means(scores, weights={"a": 3, "b": 1})
    >>> found.table[["algorithm", "estimate", "std_error", "df"]].round(3)
      algorithm  estimate  std_error    df
    0         A     0.646      0.195  3.48
    1         B     0.312      0.196  3.54
    """
    check_level(level)
    blocks = _blocks(scores, metric, weights, "weighted_means")
    shares = right_or_wrong(scores.column(metric))
    return WeightedMeans(
        table=pd.DataFrame(_means(blocks, level, shares)),
        benchmarks=_benchmarks(blocks),
        on_each=_on_each(blocks),
        metric=blocks.metric.name,
        level=level,
        shares=shares,
        notes=tuple(few_cases_note(_strata(blocks), "weighted_means, few cases")),
        blocks=blocks,
    )


def _blocks(
    scores: Scores, metric: str | None, weights: GroupWeights, method: str
) -> Blocks:
    """Return cases, or totals of clusters, with the benchmark of each."""
    cases = complete_blocks(scores, metric, None, method=method)
    blocks = cluster_totals(cases, scores.clusters)
    return dataclasses.replace(blocks, strata=strata_of(scores, weights))


def _strata(blocks: Blocks) -> Strata:
    """Return the benchmarks, which are there."""
    assert blocks.strata is not None
    return blocks.strata


def _r_arguments(blocks: Blocks) -> dict[str, Any]:
    """Return the rows as R gets them."""
    arguments = blocks.r_arguments()
    return {name: arguments[name] for name in ("x", "sizes", "stratum", "weights")}


def _benchmarks(blocks: Blocks) -> pd.DataFrame:
    """Return the benchmarks with their weights and sizes."""
    strata = _strata(blocks)
    table = {
        "benchmark": np.array(strata.names, dtype=object),
        "weight": strata.weights,
        "cases": strata.counts.astype(int),
    }
    if blocks.sizes is not None:
        table["clusters"] = np.bincount(strata.codes)
    return pd.DataFrame(table)


def _on_each(blocks: Blocks) -> pd.DataFrame:
    """Return the mean of each algorithm on each benchmark."""
    strata, names = _strata(blocks), np.array(blocks.algorithms, dtype=object)
    own = blocks.metric.sign * blocks.values
    means = sums_by(strata.codes, own) / strata.counts[:, None]
    table = {
        "benchmark": np.repeat(np.array(strata.names, dtype=object), len(names)),
        "algorithm": np.tile(names, len(strata.names)),
        "estimate": means.ravel(),
    }
    return pd.DataFrame(table)


def _means(blocks: Blocks, level: float, shares: bool) -> dict[str, Any]:
    """Return the weighted mean of each algorithm: its difference from zero."""
    a = len(blocks.algorithms)
    zero = np.zeros((len(blocks.values), 1))
    beside = dataclasses.replace(blocks, values=np.hstack([blocks.values, zero]))
    columns, _ = robust_columns(beside, [(i, a) for i in range(a)], level)
    low, high = columns["conf_low"], columns["conf_high"]
    if shares:
        low, high = np.maximum(low, 0.0), np.minimum(high, 1.0)
    some = columns["std_error"] > 0
    return {
        "algorithm": np.array(blocks.algorithms, dtype=object),
        "estimate": columns["estimate"],
        "std_error": columns["std_error"],
        "df": columns["df"],
        "conf_low": np.where(some, low, np.nan),
        "conf_high": np.where(some, high, np.nan),
    }


def _notes(blocks: Blocks, columns: dict[str, Floats], flat: int) -> tuple[str, ...]:
    """Return the notes for readers."""
    t, strata = columns["statistic"], _strata(blocks)
    notes = [_in_words(strata)]
    notes += few_cases_note(strata, "weighted_pairs, few cases")
    if flat:
        notes.append(
            f"{flat} of {len(t) * len(strata.names)} standard errors of a pair on "
            "a benchmark are 0, because all cases have the same difference: the "
            "error may be underestimated"
        )
    if (df := columns["df"].min()) < FEW_DF - 1e-9:
        notes.append(
            f"{df:.1f} degrees of freedom in some pair: the t distribution is a poor "
            "approximation; max_t flips cases or whole clusters"
        )
    if tied := int(np.isnan(t).sum()):
        notes.append(f"{tied} of {len(t)} pairs have no difference at all: p = 1")
    if constant := int(np.isinf(t).sum()):
        notes.append(
            f"{constant} of {len(t)} pairs have one difference on each benchmark: t is "
            "infinite, and p is Hoeffding's bound of what sign flips would give"
        )
    return tuple(notes)


def _in_words(strata: Strata) -> str:
    """Return cases and weights of the benchmarks in words."""
    each = list(zip(strata.names, strata.weights, strict=True))
    listed = ", ".join(f"{show(name)} {w:.3g}" for name, w in each[:_MOST_NAMED])
    if len(each) > _MOST_NAMED:
        listed += f" and {len(each) - _MOST_NAMED} more"
    n = counted(int(strata.counts.sum()), "case")
    return f"{n} of {len(strata.names)} benchmarks, with the weights {listed}"
