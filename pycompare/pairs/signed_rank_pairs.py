"""Typical differences of pairs: signed rank tests, adjusted, with their intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from pycompare.arguments import check_alpha
from pycompare.data.blocks import Blocks, ranked_blocks
from pycompare.data.scores import Scores
from pycompare.errors import DesignError
from pycompare.formatting.counts import counted
from pycompare.hypotheses import SYMMETRY
from pycompare.interop.r_call import RCall
from pycompare.kernels import signed_rank
from pycompare.multiplicity.adjust import family_adjustment
from pycompare.pairs.common import (
    SHARED_ONLY,
    differences_of_pairs,
    family_pairs,
    pair_index,
    pairs_family,
)
from pycompare.pairs.last_step import LastStepPairs
from pycompare.pairs.wilcoxon import hodges_lehmann_rows, signed_rank_rows
from pycompare.results import PairsResult, later
from pycompare.schema import Schema, Turned, changed, column
from pycompare.tables import Columns
from pycompare.typing import Bools, Floats

_REFERENCE = (
    "Wilcoxon (1945) Biometrics Bull. 1, 80-83; Hodges & Lehmann (1963) Ann. Math. "
    "Statist. 34, 598-611; Holm (1979) Scand. J. Statist. 6, 65-70"
)
_STATISTIC = "W = V+ - V-"


@dataclass(frozen=True, kw_only=True, eq=False)
class SignedRankPairsResult(LastStepPairs):
    """Signed rank tests of pairs with Hodges-Lehmann estimates; see ``PairsResult``.

    ``estimate`` is the median of the means of each two block differences, algorithm_1
    minus algorithm_2, in the metric's own unit. ``statistic`` is the sum of the signed
    ranks. ``std_error`` and ``df`` are NaN: the test has none.

    The table has more columns: ``n_blocks`` that both algorithms have, and ``wins``,
    ``ties`` and ``losses`` of algorithm_1 on them. ``positions`` is the rank of each
    algorithm: 1 plus the number of algorithms with an estimate in their favour. Ranks
    may be shared, and circles are possible.

    Attributes
    ----------
    alpha : float
        Level of the decisions with which no interval disagrees.
    p_source : {"exact", "saddlepoint"}
        ``saddlepoint`` if any raw p-value is an approximation, which R does not have.
    level : float
        Confidence level of each interval by itself, at least 1 - alpha: 1 - a, with a
        the raw p-value up to which pairs are rejected.
    """

    alpha: float
    p_source: Literal["exact", "saddlepoint"]

    interval_note: ClassVar[str] = (
        "Each interval excludes 0 exactly where the difference is significant. Each "
        "alone covers the difference with its level at least, if differences are "
        "symmetric about their centre; together they need not."
    )
    schema: ClassVar[Schema] = (
        *changed(
            changed(
                changed(PairsResult.schema, "p_adjusted", only="repeatable"),
                "p_value",
                only="is_exact",
            ),
            "estimate",
            "conf_low",
            "conf_high",
            unit="metric",
        ),
        column("n_blocks", "count"),
        column("wins", "count", turned=Turned(column="losses")),
        column("ties", "count"),
        column("losses", "count", turned=Turned(column="wins")),
    )

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return "two/wilcoxon"

    @property
    def algorithms(self) -> tuple[str, ...]:
        """All algorithms, in the order of the data."""
        return self.blocks.algorithms

    @property
    def is_exact(self) -> bool:
        """Whether every raw p-value is exact, as R's."""
        return self.p_source == "exact"

    @property
    def repeatable(self) -> bool:
        """Whether R can adjust these p-values."""
        return self.is_exact and super().repeatable

    def better(self) -> Bools:
        """Return whether row is better than column by their estimate."""
        estimate = self.square("estimate")
        return np.asarray(estimate < 0 if self.lower_is_better else estimate > 0)

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return what the tests do not reject at level ``last``."""
        pairs = family_pairs(self.blocks.algorithms, self.control)
        low, high = (np.full(len(pairs), math.nan) for _ in range(2))
        for rows, d, noise in differences_of_pairs(self.blocks, pairs):
            if 2 * 0.5 ** d.shape[1] > last:  # no value can be rejected
                low[rows], high[rows] = -math.inf, math.inf
                continue
            _, *limits, _ = hodges_lehmann_rows(d, noise, "two-sided", 1 - last)
            low[rows], high[rows] = limits
        return low, high

    def r_call(self) -> RCall:
        """Return the call of the test and interval of every pair."""
        arguments = {
            **self.blocks.r_arguments(),
            **self.r_adjusting(),
            "alpha": self.alpha,
            "level": math.nan if self.repeatable else self.level,
        }
        files = ("ranks", "paired", "wilcoxon", "adjust", "signed_rank_pairs")
        return RCall(files, "signed_rank_pairs_reference", arguments)


def signed_rank_pairs(
    scores: Scores,
    *,
    metric: str | None = None,
    adjust: str = "holm",
    control: str | None = None,
    alpha: float = 0.05,
) -> SignedRankPairsResult:
    """Compare pairs of algorithms by their typical difference.

    Each pair has Wilcoxon's signed rank test and the Hodges-Lehmann estimate of its
    differences, and an interval that agrees with the adjusted decision. The raw p-value
    of a pair depends on these two algorithms alone.

    Parameters
    ----------
    scores : Scores
        At most 1000 blocks, assumed independent: data sets (see ``dataset_means``).
        Cells may be missing if the scores were read with ``missing="model"``; a pair is
        then compared over the blocks that both have.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` that does not need transitive hypotheses:
        Bergmann-Hommel's and Shaffer's methods are refused.
    control : str, optional
        Compare each other algorithm with this one only.
    alpha : float
        Level of the decisions, from which that of the intervals follows: alpha/(m - r)
        of m pairs with r rejected, the level of Holm's last step.

    Returns
    -------
    SignedRankPairsResult
        A pair with the estimate 0, or with an estimate of the other sign than the rank
        sum, has p = 1; ``notes`` count such pairs. With too few blocks to reject
        anything an interval is unbounded.

    Raises
    ------
    DesignError
        For more than 1000 blocks.
    InputError
        For an unknown name, or an adjustment that does not hold here.

    Notes
    -----
    Equations 2.4, 2.5 of docs/equations.md.

    p is exact given the ranks that occurred, ties included; zeros are left out of the
    test, not of the estimate. With ties among more than 100 differences, of 20 sizes or
    more, it comes from the saddlepoint approximation. Without ties an interval holds
    the values that the test does not reject. With ties it lies between the same means
    of two differences. It is cut or extended at 0, so that it holds 0 exactly where the
    test of 0 does not reject.

    R: ``wilcox.test(conf.int = TRUE)`` of each pair, with ties
    ``coin::wilcoxsign_test(distribution = "exact")``, and ``p.adjust``.

    References
    ----------
    .. [1] Wilcoxon, F. (1945). Biometrics Bulletin 1, 80-83.
    .. [2] Hodges, J. L., Lehmann, E. L. (1963). Ann. Math. Statist. 34, 598-611.
    .. [3] Holm, S. (1979). Scandinavian Journal of Statistics 6, 65-70.
    .. [4] Lugannani, R., Rice, S. (1980). Adv. Appl. Probab. 12, 475-490.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.signed_rank_pairs(pc.example(), control="C4.5")
    >>> found.table[["algorithm_1", "estimate", "conf_low", "conf_high"]].round(3)
      algorithm_1  estimate  conf_low  conf_high
    0        1-NN    -0.048    -0.128     -0.017
    1  NaiveBayes    -0.007    -0.053      0.015
    2      Kernel    -0.198    -0.283     -0.133
    3         CN2    -0.042    -0.069     -0.021
    >>> round(found.level, 4), found.interval
    (0.95, '95% each, at the level of the last step')
    """
    check_alpha(alpha)
    family_adjustment(adjust, SYMMETRY, control)
    made: SignedRankPairsResult = _signed_rank_tests(
        scores, metric=metric, control=control, alpha=alpha
    ).adjusted(adjust)
    return made


def _signed_rank_tests(
    scores: Scores,
    *,
    metric: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
) -> SignedRankPairsResult:
    """Return the tests without intervals: those follow from the adjustment."""
    blocks = ranked_blocks(scores, metric, None)
    if len(blocks.values) > signed_rank.MOST:
        raise DesignError(
            f"signed_rank_pairs: there are {len(blocks.values)} blocks, and Hodges-"
            f"Lehmann estimates are made of at most {signed_rank.MOST}; compare means "
            "(paired_t_pairs) or mean ranks (rank_pairs)"
        )
    pairs = family_pairs(blocks.algorithms, control)
    columns = _tested(blocks, pairs)
    index = pair_index(blocks.algorithms, control)
    nothing = np.full(len(pairs), math.nan)
    table: dict[str, Any] = {
        **index.labels,
        "estimate": columns["estimate"],
        "std_error": nothing,
        "statistic": columns["statistic"],
        "df": nothing,
        "p_value": columns["p_value"],
        "p_adjusted": columns["p_value"],
        "conf_low": nothing,
        "conf_high": nothing,
        **{name: columns[name] for name in ("n_blocks", "wins", "ties", "losses")},
    }
    found = SignedRankPairsResult(
        table=Columns(table),
        positions=later(
            _positions, blocks, columns["estimate"] if control is None else None
        ),
        method="Wilcoxon signed rank tests",
        estimate_name=f"typical difference (Hodges-Lehmann) of {blocks.metric.name}",
        statistic_name=_STATISTIC,
        hypotheses=SYMMETRY,
        adjust="none",
        family=pairs_family(blocks, control),
        interval="",
        level=1 - alpha,
        alpha=alpha,
        p_source="exact" if columns["exact"].all() else "saddlepoint",
        control=control,
        reference=_REFERENCE,
        notes=_notes(blocks, columns),
        blocks=blocks,
    )
    return found


def _tested(
    blocks: Blocks, pairs: Sequence[tuple[int, int]]
) -> dict[str, NDArray[Any]]:
    """Return estimates, rank sums, raw p-values and counts of pairs."""
    m = len(pairs)
    made: dict[str, NDArray[Any]] = {
        name: np.full(m, math.nan) for name in ("estimate", "statistic", "p_value")
    }
    counts = ("n_blocks", "wins", "ties", "losses")
    made |= {name: np.zeros(m, np.int64) for name in counts}
    made |= {"opposed": np.zeros(m, bool), "exact": np.ones(m, bool)}
    lower_is_better = blocks.metric.sign > 0
    for rows, d, noise in differences_of_pairs(blocks, pairs):
        estimate = hodges_lehmann_rows(d, noise, "two-sided", 0.5)[0]
        ranks, above = signed_rank_rows(d, noise)
        signed = 2 * above - ranks.sum(axis=1)
        p, made["exact"][rows] = signed_rank.two_sided(ranks, above)
        opposed = (np.sign(estimate) != np.sign(signed)) & (p < 1)
        made["opposed"][rows] = opposed
        made["estimate"][rows], made["statistic"][rows] = estimate, signed
        made["p_value"][rows] = np.where(opposed | (estimate == 0), 1.0, p)
        below, over = np.sum(d < 0, axis=1), np.sum(d > 0, axis=1)
        made["wins"][rows] = below if lower_is_better else over
        made["losses"][rows] = over if lower_is_better else below
        made["ties"][rows], made["n_blocks"][rows] = np.sum(d == 0, axis=1), d.shape[1]
    return made


def _positions(blocks: Blocks, estimate: Floats | None) -> Any:
    """Return 1 plus the number of algorithms with an estimate in their favour.

    ``estimate`` is that of all pairs, made here where they are not the family.
    """
    pairs = family_pairs(blocks.algorithms, None)
    worse_by = _tested(blocks, pairs)["estimate"] if estimate is None else estimate
    if blocks.metric.sign < 0:
        worse_by = -worse_by
    first, second = np.array(pairs).T
    a = len(blocks.algorithms)
    behind = np.bincount(first[worse_by > 0], minlength=a)
    behind += np.bincount(second[worse_by < 0], minlength=a)
    return blocks.per_algorithm(np.asarray(1 + behind, float))


def _notes(blocks: Blocks, columns: dict[str, NDArray[Any]]) -> tuple[str, ...]:
    """Return what a reader must know."""
    found = [SHARED_ONLY] if np.isnan(blocks.values).any() else []
    m = len(columns["estimate"])
    if apart := int(np.sum(columns["n_blocks"] == 0)):
        found.append(
            f"{apart} of {counted(m, 'pair')} share no block and cannot be tested; the "
            "adjustment counts them with p = 1"
        )
    if opposed := int(np.sum(columns["opposed"])):
        found.append(
            f"{opposed} of {counted(m, 'pair')}: the estimate is 0 or its sign differs "
            "from that of the rank sum, so p = 1"
        )
    if approximate := int(np.sum(~columns["exact"])):
        found.append(
            f"{approximate} of {counted(m, 'pair')}: p-values of more than "
            f"{signed_rank.MOST_TIED} differences with ties are from the saddlepoint "
            "approximation"
        )
    return tuple(found)
