"""One metric of the scores as blocks x algorithms, turned so that lower is better."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from pycompare.base.arguments import check_word, is_whole, require
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import are, counted
from pycompare.base.labels import levels, show
from pycompare.base.metric import Metric
from pycompare.base.tables import Labelled, Matrix
from pycompare.base.typing import Floats, Ints, TiedRanks
from pycompare.data.scores import Scores
from pycompare.data.strata import Strata
from pycompare.kernels.challenge import case_ranks, sums_of_units
from pycompare.kernels.cluster_means import sums_by
from pycompare.kernels.ranks import midranks, tie_width

Scale = Literal["difference", "ratio"]
"""How scores are compared: as they are, or their logarithms."""
_WHOLE = 2.0**46, 2.0**63
"""Whole numbers below have differences of more than noise; above, no program counts."""


@dataclass(frozen=True, eq=False)
class RankedCases:
    """Scores of cases behind sums of their ranks.

    Attributes
    ----------
    scores : ndarray, shape (n_cases, n_algorithms)
        As they came; NaN is a failed case, which ranks last.
    blocks : tuple of str
        The cases.
    codes : ndarray of int, shape (n_cases,), or None
        The cluster of each case; None: cases are independent.
    ties : {"mean", "min"}
    tasks : Strata or None
        Groups of cases with weights: a row is then the sum of its cases' ranks, each
        times the weight of its group over the number of its cases. ``Strata.codes``
        are those of the cases.
    """

    scores: Floats
    blocks: tuple[str, ...]
    codes: Ints | None
    ties: TiedRanks
    tasks: Strata | None = None

    def units_of_tasks(self) -> Ints:
        """Return the number of cases, or of clusters, of each group."""
        assert self.tasks is not None
        n, codes = len(self.tasks.names), self.tasks.codes
        if self.codes is not None:
            codes = np.unique(self.codes * n + codes) % n
        return np.bincount(codes, minlength=n)


@dataclass(frozen=True, eq=False)
class Blocks:
    """A table of one metric, turned so that lower is better.

    Attributes
    ----------
    values : ndarray, shape (n_blocks, n_algorithms)
        Scores, sign changed if higher is better, rounded to ``decimals``; NaN if
        a cell is missing (``ranked_blocks`` only).
    metric : Metric
    algorithms, blocks : tuple of str
    decimals : int or None
        None: scores tie when they are equal up to float noise.
    sizes : ndarray, shape (n_blocks,), or None
        How many cases per row is the sum of; None: a row is one block.
    strata : Strata or None
        Benchmarks of the rows, if means are weighted over benchmarks.
    scores : ndarray, shape (n_blocks, n_algorithms), or None
        The scores as they came, if ``values`` are their logarithms (`on_scale`).
    ranked : RankedCases or None
        The scores as they came, if ``values`` are ranks within cases, or their sums
        over clusters (`ranked_cases`).
    """

    values: Floats
    metric: Metric
    algorithms: tuple[str, ...]
    blocks: tuple[str, ...]
    decimals: int | None
    sizes: Floats | None = None
    strata: Strata | None = None
    scores: Floats | None = None
    ranked: RankedCases | None = None

    @property
    def scale(self) -> Scale:
        """Whether differences of scores are compared, or their ratios."""
        return "difference" if self.scores is None else "ratio"

    @property
    def cases(self) -> Floats:
        """How many cases each row stands for."""
        return np.ones(len(self.values)) if self.sizes is None else self.sizes

    @property
    def codes(self) -> Ints:
        """The benchmark of each row; 0 if there is one."""
        if self.strata is None:
            return np.zeros(len(self.values), int)
        return self.strata.codes

    @property
    def weights(self) -> Floats:
        """What each row gives way to a shift of the mean by 1.

        Without strata the number of its cases, of which the sum is their count; with
        strata their sum is 1.
        """
        if self.strata is None:
            return self.cases
        shares = self.strata.shares[self.strata.codes]
        return np.asarray(self.cases * self.strata.factors * shares)

    @property
    def factors(self) -> Floats:
        """What each row is multiplied by, shape (n, 1)."""
        factors = (
            np.ones(len(self.values)) if self.strata is None else self.strata.factors
        )
        return np.asarray(factors[:, None])

    def means(self) -> Floats:
        """Return the mean of each algorithm over all cases, weighted as declared."""
        if self.strata is None:
            return np.asarray(np.sum(self.values / self.cases.sum(), axis=0))
        means = sums_by(self.codes, self.values) / self.strata.counts[:, None]
        return np.asarray(self.strata.weights @ means)

    def ranks(self) -> Floats:
        """Return ranks within blocks, 1 = best, ties sharing their mean rank."""
        return midranks(self.values) if self.ranked is None else self.values

    def per_algorithm(self, values: Floats) -> Labelled:
        """Label one number per algorithm."""
        return Labelled(values, self.algorithms)

    def r_arguments(self) -> dict[str, Any]:
        """Return the scores as R gets them: as they came, with their direction."""
        if self.ranked is not None:
            return self._ranked_in_r(self.ranked)
        x = self.metric.sign * self.values if self.scores is None else self.scores
        given: dict[str, Any] = {
            "x": Matrix(x, self.blocks, self.algorithms),
            "better": self.metric.better,
        }
        if self.sizes is not None or self.strata is not None:
            given["sizes"] = self.cases
        if self.strata is not None:
            given["stratum"] = self.strata.codes + 1.0
            given["weights"] = self.strata.weights
        return given

    def _ranked_in_r(self, ranked: RankedCases) -> dict[str, Any]:
        """Return the scores of cases that R ranks, sums and weighs."""
        return {
            "x": Matrix(ranked.scores, ranked.blocks, self.algorithms),
            "better": self.metric.better,
            "ties": ranked.ties,
            "cluster": None if ranked.codes is None else ranked.codes + 1.0,
            "stratum": None if ranked.tasks is None else ranked.tasks.codes + 1.0,
            "weights": None if ranked.tasks is None else ranked.tasks.weights,
        }


def complete_blocks(
    scores: Scores, metric: str | None, decimals: int | None, *, method: str
) -> Blocks:
    """Return the scores of one metric, or reject a table with missing cells."""
    blocks = ranked_blocks(scores, metric, decimals)
    missing = int(np.isnan(blocks.values).sum())
    if missing:
        raise DesignError(
            f"{method} needs a complete table and {missing} of {blocks.values.size} "
            f"cells of {blocks.metric.name!r} {are(missing)} missing; use "
            f"skillings_mack, or read "
            "the scores with " + setting("missing", "drop-block")
        )
    return blocks


def cluster_totals(blocks: Blocks, clusters: tuple[str, ...] | None) -> Blocks:
    """Return sums over the clusters of cases, in order of first appearance.

    Without clusters the blocks stay as they are.
    """
    if clusters is None:
        return blocks
    cluster_levels = levels(clusters, what="clusters")
    values = np.zeros((len(cluster_levels.labels), blocks.values.shape[1]))
    np.add.at(values, cluster_levels.codes, blocks.values)
    sizes = np.bincount(cluster_levels.codes).astype(float)
    return dataclasses.replace(
        blocks, values=values, blocks=cluster_levels.labels, sizes=sizes
    )


def ranked_cases(
    blocks: Blocks,
    clusters: tuple[str, ...] | None,
    tasks: Strata | None = None,
    ties: TiedRanks = "mean",
) -> Blocks:
    """Return ranks within cases in place of scores, summed over clusters if any.

    A case without a score failed, and ranks behind all scores of its case. With
    ``tasks`` (of the cases) the mean over all rows is the weighted mean of the tasks'
    mean ranks; a cluster may have cases of several.
    """
    scores = blocks.metric.sign * blocks.values + 0.0
    codes = None if clusters is None else levels(clusters, what="clusters").codes
    ranks = case_ranks(blocks.values, ties)
    sizes = None
    if tasks is not None:
        sizes = tasks.factors
        ranks = ranks * sizes[:, None]
    ranked = dataclasses.replace(
        blocks,
        values=ranks,
        sizes=sizes,
        ranked=RankedCases(scores, blocks.blocks, codes, ties, tasks),
    )
    if codes is None:
        return ranked
    labels = levels(clusters or (), what="clusters").labels
    own = np.ones(len(codes)) if sizes is None else sizes
    return dataclasses.replace(
        ranked,
        values=sums_of_units(ranks, codes, len(labels)),
        blocks=labels,
        sizes=np.asarray(np.bincount(codes, own, minlength=len(labels)), float),
    )


def refuse_clusters_of_blocks(
    scores: Scores,
    method: str,
    instead: str = "clustered_signed_rank_pairs over data sets, cluster_pairs or max_t "
    "over cases",
) -> None:
    """Reject blocks that may depend on each other."""
    require(scores, Scores)
    if scores.clusters is None:
        return
    raise InputError(
        f"{method} assumes independent blocks, and these are in clusters ("
        + setting("cluster", ...)
        + f"): use {instead}, or leave the column of clusters out"
    )


def ranked_blocks(scores: Scores, metric: str | None, decimals: int | None) -> Blocks:
    """Return the scores of one metric; missing cells stay NaN."""
    require(scores, Scores)
    if decimals is not None and not is_whole(decimals):
        raise InputError(f"decimals={decimals!r}: give a whole number or None")
    values = scores.oriented(metric)
    if decimals is not None:
        values = rounded(values, int(decimals))
    chosen = scores.metric(metric)
    if scores.judge is not None:
        raise DesignError(
            "people labelled some items only, beside a judge's scores of all: compare "
            "these with pc.labels, or read the labelled items without "
            + setting("judge", ...)
        )
    require_no_untrue_ties(values, chosen.name)
    return Blocks(
        values=values,
        metric=chosen,
        algorithms=scores.algorithms,
        blocks=scores.blocks,
        decimals=decimals,
    )


def on_scale(blocks: Blocks, scale: Scale) -> Blocks:
    """Return blocks whose differences are those of scores, or of their logarithms.

    A constant of each block is added to the logarithms, which no difference feels: so
    they do not depend on the unit of a block, and are at least 1, as rounding error of
    a logarithm is about that of 1.

    Raises
    ------
    InputError
        For another word, and for scores that have no logarithm.
    """
    check_word("scale", scale, get_args(Scale))
    if scale == "difference":
        return blocks
    scores = blocks.metric.sign * blocks.values
    if place := _not_positive(scores, blocks):
        raise InputError(
            setting("scale", scale)
            + f" needs positive scores, and {place}; choose "
            + setting("scale", "difference")
            + ", or compare ranks"
        )
    least = np.min(np.where(np.isnan(scores), np.inf, scores), axis=1, keepdims=True)
    with np.errstate(over="ignore", invalid="ignore"):
        logs = 1 + np.log(scores / least)
    if np.isinf(logs).any():
        raise InputError(
            setting("scale", scale)
            + f": ratios of {show(blocks.metric.name)} are too large for a double"
        )
    return dataclasses.replace(
        blocks, values=blocks.metric.sign * logs, scores=scores + 0.0
    )


def _not_positive(scores: Floats, blocks: Blocks | Scores) -> str:
    """Return which scores of a table are 0 or below; empty if none is.

    ``scores`` has a row per block; ``blocks`` has the names.
    """
    places = np.argwhere(scores <= 0)
    if not len(places):
        return ""
    row, column = places[0]
    n = len(places)
    return (
        f"{n} of {counted(scores.size, 'score')} {are(n)} 0 or below, first: "
        f"block={show(blocks.blocks[row])}, "
        f"algorithm={show(blocks.algorithms[column])} ({scores[row, column]:.6g})"
    )


def require_no_untrue_ties(values: Floats, metric: str, what: str = "scores") -> None:
    """Reject large whole numbers that differ by less than the assumed noise.

    Numbers that differ in their last bits tie, as rounding errors would; of whole
    numbers, which have none, that would be untrue.
    """
    known = np.abs(values[~np.isnan(values)])
    largest = known.max(initial=0.0)
    if not _WHOLE[0] < largest < _WHOLE[1] or not np.array_equal(known, np.rint(known)):
        return
    ordered = np.sort(values, axis=1)
    steps = np.diff(ordered, axis=1)
    if ((steps > 0) & (steps <= tie_width(np.abs(ordered[:, 1:])))).any():
        raise InputError(
            f"{what} of {show(metric)} are whole numbers up to {largest:.17g} "
            "that differ by no more than rounding errors of doubles so "
            "large; subtract one number from all scores"
        )


def rounded(values: Floats, decimals: int) -> Floats:
    """Round to decimals, or reject so many that the scores cannot hold them."""
    with np.errstate(over="ignore", invalid="ignore"):
        rounded_values: Floats = np.round(values, decimals)
    if not np.array_equal(np.isfinite(rounded_values), np.isfinite(values)):
        raise InputError(
            f"decimals={decimals} is more than scores up to "
            f"{np.nanmax(np.abs(values)):.3g} can hold; give a smaller number"
        )
    return rounded_values
