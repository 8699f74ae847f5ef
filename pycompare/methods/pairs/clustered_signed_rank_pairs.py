"""Typical differences of pairs over data sets in clusters: whole clusters flip."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pycompare.base.arguments import check_alpha, require
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import levels
from pycompare.base.typing import Bools, Floats, Ints
from pycompare.data.blocks import Scale
from pycompare.data.scores import Scores
from pycompare.kernels import clustered_ranks, signed_rank
from pycompare.kernels.walsh_averages import means_of_two
from pycompare.methods.pairs.common import differences_of_pairs, family_pairs
from pycompare.methods.pairs.signed_rank_pairs import (
    OfRatios,
    SignedRankPairsResult,
    blocks_of_pairs,
    notes_of,
    raw_tests,
    tested,
)
from pycompare.methods.pairs.wilcoxon import hodges_lehmann_limits
from pycompare.results.adjust import family_adjustment
from pycompare.results.result import internal
from pycompare.results.schema import Schema, column, of_ratios

_REFERENCE = (
    "Rosner, Glynn & Lee (2006) Biometrics 62, 185-192; Streitberg & Roehmel (1986) "
    "Stat. Softw. Newsl. 12, 10-17; Hodges & Lehmann (1963) Ann. Math. Statist. 34, "
    "598-611; Holm (1979) Scand. J. Statist. 6, 65-70"
)
_JOINT = ("closed-permutation", "step-down-flips")


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusteredSignedRankPairsResult(SignedRankPairsResult):
    """Signed rank tests that flip whole clusters; see ``SignedRankPairsResult``.

    The table has one more column, ``n_clusters``: clusters with a block that both
    algorithms have. p-values and intervals count these, not blocks.

    Attributes
    ----------
    clusters : tuple of str
        The cluster of each block.
    """

    clusters: tuple[str, ...] = internal()

    interval_note: ClassVar[str] = (
        "Each interval excludes 0 exactly when the difference is significant. Each "
        "alone covers the difference with its level at least, if the differences of a "
        "cluster are jointly symmetric about their centre and clusters are "
        "independent; together they need not."
    )
    schema: ClassVar[Schema] = (
        *SignedRankPairsResult.schema,
        column("n_clusters", "count"),
    )

    @property
    def clustered(self) -> bool:
        """True: blocks of one cluster may depend on each other."""
        return True

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "signed-ranks/clusters"

    @property
    def n_units(self) -> Ints:
        """Independent units of each pair that can change their sign: its clusters."""
        return self.as_columns()["n_clusters"].astype(int)

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return the values that the tests do not reject at level ``last``."""
        pairs = family_pairs(self.blocks.algorithms, self.control)
        low, high = (np.full(len(pairs), math.nan) for _ in range(2))
        has = ~np.isnan(self.blocks.values)
        for rows, d, noise in differences_of_pairs(self.blocks, pairs):
            codes = _codes(self.clusters, np.all(has[:, pairs[rows[0]]], axis=1))
            n_clusters = int(codes.max()) + 1
            if math.ldexp(2.0, -n_clusters) > last:  # no value can be rejected
                low[rows], high[rows] = -math.inf, math.inf
            elif n_clusters == d.shape[1]:  # clusters are blocks
                both = hodges_lehmann_limits(d, noise, "two-sided", 1 - last)
                low[rows], high[rows] = both
            else:
                for row, own, scale in zip(rows.tolist(), d, noise, strict=True):
                    means = np.sort(means_of_two(own[None])[0])
                    low[row], high[row] = clustered_ranks.limits(
                        own, scale, codes, means, last
                    )
        return low, high

    def r_call(self) -> RCall:
        """Return the call of the test and interval of every pair."""
        call = super().r_call()
        codes = _codes(self.clusters, np.ones(len(self.clusters), bool))
        files = (*call.files, "clustered_signed_rank_pairs")
        name = "clustered_signed_rank_pairs_reference"
        arguments = {**call.arguments, "cluster": codes + 1.0}
        return RCall(files, name, arguments)


@dataclass(frozen=True, kw_only=True, eq=False)
class ClusteredSignedRankRatiosResult(OfRatios, ClusteredSignedRankPairsResult):
    """Tests of the logarithms of scores; see ``ClusteredSignedRankPairsResult``.

    ``estimate`` is the typical ratio, as in ``SignedRankRatiosResult``.
    """

    interval_note: ClassVar[str] = (
        "Each interval excludes 1 exactly when the ratio is significant. Each alone "
        "covers the ratio with its level at least, if the logarithms of ratios of a "
        "cluster are jointly symmetric about their centre and clusters are "
        "independent; together they need not."
    )
    schema: ClassVar[Schema] = of_ratios(ClusteredSignedRankPairsResult.schema)

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "signed-ranks-of-logarithms/clusters"


@checked
def clustered_signed_rank_pairs(
    scores: Scores,
    *,
    metric: str | None = None,
    adjust: str = "holm",
    control: str | None = None,
    alpha: float = 0.05,
    decimals: int | None = None,
    scale: Scale = "difference",
) -> ClusteredSignedRankPairsResult:
    """Compare pairs of algorithms by their typical difference over related data sets.

    Data sets of one family or domain may depend on each other. The units of the test
    are the sums of the signed ranks of each cluster, and whole clusters change their
    sign together. The raw p-value of a pair depends on these two algorithms alone.

    Parameters
    ----------
    scores : Scores
        At most 1000 blocks in two clusters or more (read with ``cluster=...``);
        clusters are assumed independent. Cells may be missing if the scores were read
        with ``missing="model"``; a pair is then compared over the blocks that both
        have.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` whose method needs no transitive hypotheses.
    control : str, optional
        Compare each other algorithm with this one only.
    alpha : float
        Level of the decisions, from which that of the intervals follows: alpha/(m - r)
        of m pairs with r rejected, the level of Holm's last step.
    decimals : int, optional
        Round scores to so many decimals first.
    scale : {"difference", "ratio"}
        ``ratio``: the tests are of the logarithms of positive scores, estimate and
        limits are ratios, as in ``signed_rank_pairs``.

    Returns
    -------
    ClusteredSignedRankPairsResult
        A pair with the estimate 0, or with an estimate of the other sign than the rank
        sum, has p = 1; ``notes`` count such pairs. With too few clusters to reject
        anything an interval is unbounded: n clusters have no p-value below 2^(1-n).

    Raises
    ------
    DesignError
        For more than 1000 blocks.
    InputError
        For scores without clusters, an unknown name, or an adjustment that does not
        hold here.

    Notes
    -----
    Equations 2.4, 2.5 of docs/equations.md, with cluster sums in place of ranks.

    p is exact given the ranks that occurred, ties included, for up to 100 clusters, and
    from the saddlepoint approximation for more whose sums tie. Every block has the same
    weight in the estimate and in the ranks. The interval reaches from the smallest to
    the largest value that the test does not reject; values at which differences tie are
    not tried. It is cut or extended at 0, so that it holds 0 exactly when the test of
    0 does not reject. Clusters of one block each give ``signed_rank_pairs``.

    R: own derivation, all flips of the cluster sums listed, or convolved.

    References
    ----------
    .. [1] Rosner, B., Glynn, R. J., Lee, M.-L. T. (2006). Biometrics 62, 185-192.
    .. [2] Streitberg, B., Roehmel, J. (1986). Stat. Softw. Newsletter 12, 10-17.
    .. [3] Hodges, J. L., Lehmann, E. L. (1963). Ann. Math. Statist. 34, 598-611.
    .. [4] Holm, S. (1979). Scandinavian Journal of Statistics 6, 65-70.

    Examples
    --------
    Eight families of three data sets each:

    >>> import numpy as np
    >>> import pycompare as pc
    >>> family = np.repeat(np.arange(8), 3)
    >>> rng = np.random.default_rng(1)
    >>> y = rng.normal(size=(24, 2)) + rng.normal(size=(8, 2))[family] + [0, 2]
    >>> rows = [
    ...     {"data": f"d{i}", "family": f"f{family[i]}", "A": a, "B": b}
    ...     for i, (a, b) in enumerate(y.tolist())
    ... ]
    >>> scores = pc.Scores.from_wide(
    ...     rows, block="data", cluster="family", metric="score", better="higher"
    ... )
    >>> found = pc.clustered_signed_rank_pairs(scores)
    >>> found.table[["n_blocks", "n_clusters", "p_value"]]
       n_blocks  n_clusters   p_value
    0        24           8  0.007812
    """
    check_alpha(alpha)
    require(scores, Scores)
    if scores.clusters is None:
        raise InputError(
            "the scores do not state which cluster a block belongs to; read them with "
            + setting("cluster", ...)
            + ", or use signed_rank_pairs for independent blocks"
        )
    if adjust in _JOINT:
        raise InputError(
            setting("adjust", adjust)
            + ": it exchanges or flips single blocks, and these are in clusters; "
            "choose holm"
        )
    tests = clustered_signed_rank_tests(
        scores,
        metric=metric,
        control=control,
        alpha=alpha,
        decimals=decimals,
        scale=scale,
    )
    family_adjustment(adjust, tests.hypotheses, control)
    adjusted: ClusteredSignedRankPairsResult = tests.adjusted(adjust)
    return adjusted


def clustered_signed_rank_tests(
    scores: Scores,
    *,
    metric: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    decimals: int | None = None,
    scale: Scale = "difference",
) -> ClusteredSignedRankPairsResult:
    """Return the tests without intervals: those follow from the adjustment."""
    clusters = scores.clusters
    assert clusters is not None
    blocks = blocks_of_pairs(scores, metric, decimals, scale)
    pairs = family_pairs(blocks.algorithms, control)
    has = ~np.isnan(blocks.values)

    def of(pair: tuple[int, int]) -> Ints:
        return _codes(clusters, np.all(has[:, pair], axis=1))

    def p_values(
        pair: tuple[int, int], d: Floats, ranks: Floats
    ) -> tuple[Floats, Bools]:
        sums = clustered_ranks.cluster_sums(d, ranks, of(pair))
        return clustered_ranks.two_sided(sums)

    columns = tested(blocks, pairs, p_values)
    n_clusters = np.zeros(len(pairs), np.int64)
    for rows, *_ in differences_of_pairs(blocks, pairs):
        n_clusters[rows] = of(pairs[rows[0]]).max() + 1
    fields = raw_tests(blocks, columns, control=control, alpha=alpha)
    fields["table"] = fields["table"].but(n_clusters=n_clusters)
    approximate = int(np.sum(~columns["exact"]))
    columns["exact"] = np.ones(len(pairs), bool)  # whose note counts blocks
    notes = [*notes_of(blocks, columns), _size_note(clusters)]
    if approximate:
        notes.append(
            f"{approximate} of {counted(len(pairs), 'pair')}: p-values of more than "
            f"{signed_rank.MOST_TIED} clusters are from the saddlepoint approximation"
        )
    as_ratios = blocks.scale == "ratio"
    kind = (
        ClusteredSignedRankRatiosResult if as_ratios else ClusteredSignedRankPairsResult
    )
    return kind(
        **fields,
        method="signed rank tests of clusters" + ", of logarithms" * as_ratios,
        reference=_REFERENCE,
        notes=tuple(notes),
        clusters=clusters,
    )


def _codes(clusters: tuple[str, ...], kept: Bools) -> Ints:
    """Return the cluster of each kept block, from 0 in order of appearance."""
    names = [name for name, keep in zip(clusters, kept.tolist(), strict=True) if keep]
    return np.asarray(levels(names, what="clusters").codes)


def _size_note(clusters: tuple[str, ...]) -> str:
    """Return how many blocks and clusters there are."""
    sizes = np.unique(clusters, return_counts=True)[1]
    return (
        f"{len(clusters)} blocks in {len(sizes)} clusters of {sizes.min()} to "
        f"{sizes.max()}: whole clusters change their sign, and p-values count clusters"
    )
