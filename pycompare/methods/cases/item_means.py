"""Means of algorithms: for new answers to these items, and for items like these."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import levels
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.blocks import Blocks, cluster_totals, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import binomial, cluster_means, student
from pycompare.kernels import new_answers as kernel
from pycompare.kernels.new_answers import right_or_wrong
from pycompare.kernels.units import binary_unit
from pycompare.methods.cases.answers import answers_of, wilson_notes
from pycompare.methods.cases.these_items import FEWEST_ANSWERS, runs_in_r
from pycompare.results.result import Result, internal, made_when_read

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS = (
    *("error_these", "low_these", "high_these"),
    *("error_like", "low_like", "high_like"),
)


@dataclass(frozen=True, kw_only=True, eq=False)
class ItemMeans(Result):
    """Means of algorithms with limits for two populations.

    Attributes
    ----------
    table : DataFrame
        One row per algorithm: ``algorithm estimate``, then standard error and limits
        for new answers to these items (``error_these low_these high_these``, NaN with
        one answer to an item) and for items like these (``error_like low_like
        high_like``).
    metric : str
    level : float
        Confidence level of each interval separately.
    n_items : int
    notes : tuple of str
        Note on limits of Wilson that can cover less than their level, with one answer
        to each item.
    """

    table: pd.DataFrame = made_when_read()
    metric: str
    level: float
    n_items: int
    notes: tuple[str, ...] = ()
    blocks: Blocks = internal()
    runs: Floats = internal()
    clusters: tuple[str, ...] | None = internal()

    def r_call(self) -> RCall:
        """Return the call of the means and limits of all algorithms."""
        codes: Any = np.zeros(0)
        if self.clusters is not None:
            codes = levels(self.clusters, what="clusters").codes + 1.0
        arguments = {
            "x": runs_in_r(self.runs, self.blocks),
            "runs": float(self.runs.shape[-1]),
            "cluster": codes,
            "level": self.level,
        }
        files = ("ranks", "adjust", "cluster_pairs", "these_items")
        return RCall(files, "item_means_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the means and their limits."""
        return self.columns_in_r("estimate", *_COLUMNS)


@checked
def item_means(
    scores: Scores, *, metric: str | None = None, level: float = 0.95
) -> ItemMeans:
    """Return the mean of each algorithm with its interval for two populations.

    New answers to these items, and items like these with new answers: the estimate is
    the same, its interval is not.

    Parameters
    ----------
    scores : Scores
        Complete table whose blocks are items (cases), right or wrong or graded, with
        one answer each or several runs (``replicate``) that are drawn independently
        given the item. Items like these are those of clusters like these, if there are
        any; clusters do not enter the interval of these items.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    level : float, default 0.95
        Confidence level of each interval separately.

    Returns
    -------
    ItemMeans
        With one answer to an item the interval of these items is NaN: it cannot be
        separated from that of items like these.

    Raises
    ------
    DesignError
        If cells are missing.
    InputError
        For an unknown name.

    Notes
    -----
    Equation 10.18 of docs/equations.md. R: own derivation.

    Shares of right answers have Wilson's limits at the effective number of answers,
    graded means t limits.

    References
    ----------
    .. [1] Wilson, E. B. (1927). JASA 22, 209-212.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> chance = rng.uniform(0, 1, (60, 1, 1)) * [[[1.0], [0.7]]]
    >>> right = (rng.random((60, 2, 5)) < chance).astype(float)
    >>> rows = [
    ...     {"model": "AB"[a], "item": i, "run": r, "accuracy": right[i, a, r]}
    ...     for i in range(60) for a in range(2) for r in range(5)
    ... ]
    >>> scores = pc.Scores.from_frame(
    ...     rows, algorithm="model", block="item", replicate="run",
    ...     metrics={"accuracy": "higher"},
    ... )
    >>> columns = ["estimate", "low_these", "high_these", "low_like", "high_like"]
    >>> pc.item_means(scores).table[columns].round(3)
       estimate  low_these  high_these  low_like  high_like
    0     0.510      0.465       0.555     0.419      0.600
    1     0.387      0.339       0.436     0.313      0.466
    """
    check_level(level)
    blocks = complete_blocks(scores, metric, None, method="item_means")
    runs = answers_of(scores, blocks)
    binary = right_or_wrong(runs)
    # A power of two, so that squares of graded answers stay in range.
    unit = 1.0 if binary else binary_unit(runs[~np.isnan(runs)]).item()
    scaled = dataclasses.replace(blocks, values=blocks.values / unit)
    x = blocks.metric.sign * scaled.values
    n = len(x)
    estimate = x.mean(axis=0)
    variances, units, df = _over_items(scaled, scores.clusters, x, estimate)
    counts = (~np.isnan(runs)).sum(axis=-1)
    enough = counts.min() >= FEWEST_ANSWERS
    answers = kernel.of_runs(runs / unit) if enough else None
    tail = (1 - level) / 2
    notes: tuple[str, ...] = ()
    columns: dict[str, Floats] = dict.fromkeys(_COLUMNS, np.full(len(estimate), np.nan))
    if binary:
        harmonic = n / np.mean(1 / counts, axis=0)
        size = kernel.effective_items(estimate, variances, units, harmonic)
        critical = student.isf(tail, df)
        if answers is None and scores.clusters is None:
            variances, size = estimate * (1 - estimate) / n, np.full(len(estimate), n)
            critical = student.isf(tail, np.inf)
            notes = wilson_notes(np.rint(n * estimate), n)
        columns |= _limits("like", binomial.wilson_at(estimate, size, critical))
        if answers is not None:
            own = kernel.effective_answers(answers, estimate)
            normal = student.isf(tail, np.inf)
            columns |= _limits("these", binomial.wilson_at(estimate, own, normal))
            columns["error_these"] = np.sqrt(estimate * (1 - estimate) / own)
    else:
        half = student.isf(tail, df) * np.sqrt(variances)
        columns |= _limits("like", (estimate - half, estimate + half))
        if answers is not None:
            errors = [kernel.mean_error(answers, [j]) for j in range(len(estimate))]
            error, own_df = (np.array(part) for part in zip(*errors, strict=True))
            half = np.array([student.isf(tail, each) for each in own_df]) * error
            columns |= _limits("these", (estimate - half, estimate + half))
            columns["error_these"] = error
    columns["error_like"] = np.sqrt(variances)
    names = np.array(blocks.algorithms, dtype=object)
    columns = {name: unit * column for name, column in columns.items()}
    return ItemMeans(
        table=Columns({"algorithm": names, "estimate": unit * estimate, **columns}),
        metric=blocks.metric.name,
        level=level,
        n_items=n,
        notes=notes,
        blocks=blocks,
        runs=runs,
        clusters=scores.clusters,
    )


def _over_items(
    blocks: Blocks, clusters: tuple[str, ...] | None, x: Floats, means: Floats
) -> tuple[Floats, float, float]:
    """Return the variance of each mean over items or clusters, their number and df."""
    totals = cluster_totals(blocks, clusters)
    sums = blocks.metric.sign * totals.values
    residual = sums - totals.cases[:, None] * means
    [squares] = cluster_means.variances(residual, totals.cases, totals.codes)
    df = cluster_means.degrees_of_freedom(totals.cases)
    return np.asarray(squares / len(x) ** 2), float(len(sums)), df


def _limits(scope: str, limits: tuple[Floats, Floats]) -> dict[str, Floats]:
    """Return both limits under their names."""
    return {f"low_{scope}": limits[0], f"high_{scope}": limits[1]}
