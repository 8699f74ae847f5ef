"""Pairs of algorithms that are right or wrong on the same cases: McNemar's tests."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import numpy as np

from pycompare.base.arguments import check_alpha, check_word
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import have
from pycompare.base.hypotheses import ACCURACIES
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Floats, Ints
from pycompare.data.blocks import Blocks, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import paired_proportions as kernel
from pycompare.kernels.paired_proportions import McNemarPValue, PairCounts
from pycompare.methods.pairs.adjusted_pairs import fields_of_pairs
from pycompare.methods.pairs.common import pair_index, refuse_clusters
from pycompare.methods.pairs.last_step import LastStepPairs
from pycompare.results.adjust import family_adjustment
from pycompare.results.family import Family
from pycompare.results.schema import Schema, Turned, column, of_shares

_REFERENCE = (
    "McNemar (1947) Psychometrika 12, 153-157; Fagerland, Lydersen & Laake (2013) BMC "
    "Med. Res. Methodol. 13:91"
)
_SHARES = {
    "higher": "share of the discordant cases that the first wins",
    "lower": "share of the discordant cases that the first loses",
}
_METHODS = {
    "exact": "exact McNemar tests",
    "mid-p": "mid-p McNemar tests",
    "chi2": "McNemar chi-squared tests",
    "chi2-corrected": "McNemar chi-squared tests with continuity correction",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class McNemarPairsResult(LastStepPairs):
    """McNemar's tests of pairs; see ``PairsResult``.

    ``estimate`` is the share of the discordant cases on which algorithm_1 alone has 1,
    with the interval of the same test; 0.5 is no difference. It is NaN of a pair that
    agrees on every case. Of a metric of which lower is better it is the share that
    algorithm_1 loses. ``odds_ratio`` is only_1 / only_2, the odds of that share, with
    the limits ``odds_low``, ``odds_high``.

    Attributes
    ----------
    p_form : {"exact", "mid-p", "chi2", "chi2-corrected"}
    n_cases : int
    alpha : float
        Level of the decisions with which no interval disagrees.
    level : float
        Confidence level of each interval separately, at least 1 - alpha: 1 - a, with a
        the raw p-value up to which pairs are rejected.
    blocks : Blocks
        The scores that were compared.
    """

    differences: ClassVar[str] = "share"
    limit_null: ClassVar[float] = 0.5
    interval_note: ClassVar[str] = (
        "Each interval excludes 0.5 exactly when the difference is significant. Each "
        "alone covers the share with its level; together they need not."
    )

    schema: ClassVar[Schema] = (
        *of_shares(LastStepPairs.schema),
        column("only_1", "count", turned=Turned(column="only_2")),
        column("only_2", "count", turned=Turned(column="only_1")),
        column("odds_ratio", "ratio", turned=Turned("inverse")),
        column("odds_low", "limit", turned=Turned("inverse", "odds_high")),
        column("odds_high", "limit", turned=Turned("inverse", "odds_low")),
    )
    p_form: McNemarPValue
    n_cases: int

    @property
    def null(self) -> float:
        """The share of two algorithms that do not differ."""
        return 0.5

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return f"cases/mcnemar-{self.p_form}"

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return the shares that the test of each pair does not reject at ``last``."""
        only_1, only_2 = (self.as_columns()[f"only_{end}"] for end in (1, 2))
        return kernel.limits(only_1, only_2, self.p_form, 1 - last)

    def following(
        self, columns: dict[str, Floats], family: Family
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return intervals at the level that the adjustment's last step has."""
        with_limits, fields = super().following(columns, family)
        ends = {
            f"odds_{end}": _odds(with_limits[f"conf_{end}"]) for end in ("low", "high")
        }
        return with_limits | ends, fields

    def r_call(self) -> RCall:
        """Return the call of the test and interval of every pair."""
        arguments = {
            "x": self.blocks.r_arguments()["x"],
            "p_value": self.p_form,
            "alpha": self.alpha,
            **self.r_adjusting(),
            "level": math.nan if self.repeatable else self.level,
        }
        files = ("ranks", "paired", "sign", "mcnemar", "adjust", "wilcoxon")
        more = ("signed_rank_pairs", "mcnemar_pairs")
        return RCall((*files, *more), "mcnemar_pairs_reference", arguments)


@checked
def mcnemar_pairs(
    scores: Scores,
    *,
    metric: str | None = None,
    p_value: McNemarPValue = "exact",
    adjust: str = "bergmann-hommel",
    control: str | None = None,
    alpha: float = 0.05,
) -> McNemarPairsResult:
    """Compare pairs of algorithms that are right or wrong on the same cases.

    Parameters
    ----------
    scores : Scores
        Complete table of 0 and 1; the blocks are cases (items of a test set).
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    p_value : {"exact", "mid-p", "chi2", "chi2-corrected"}
        As in ``pc.mcnemar``; two-sided. A pair that agrees on every case has p = 1.
    adjust : str, default "bergmann-hommel"
        Any name of ``pc.adjust`` but ``nemenyi``; with a control, one that does not
        need all pairs, such as ``holm``. Equal accuracies are transitive, so
        Bergmann-Hommel's and Shaffer's methods hold. For more than about 40 algorithms
        ``holm`` or ``pc.max_t`` is faster.
    control : str, optional
        Compare each other algorithm with this one only.
    alpha : float
        Level of the decisions, from which that of the intervals follows: alpha/(m - r)
        of m pairs with r rejected, the level of Holm's last step.

    Returns
    -------
    McNemarPairsResult
        ``estimate`` is the share of the discordant cases on which algorithm_1 alone has
        1, 0.5 if two algorithms do not differ. ``statistic`` is (only_1 - only_2) /
        sqrt(only_1 + only_2), whose square is McNemar's chi-squared; ``only_1`` and
        ``only_2`` count the cases on which one algorithm alone has 1.

    Raises
    ------
    InputError
        If cells are not 0 or 1, or for an unknown name or word.
    DesignError
        If cells are missing, or the cases are in clusters.

    Notes
    -----
    Equations 2.7, 10.1, 10.2 of docs/equations.md.

    R: ``binom.test(only_1, only_1 + only_2)`` of each pair, or ``mcnemar.test`` with
    the limits of ``prop.test``; ``p.adjust``.

    The quantity is another one than the difference of the shares of right answers,
    which ``pc.share_pairs`` compares. Cases must be independent; for clusters of cases
    see ``pc.cluster_pairs``. The conclusion concerns these algorithms as they were
    trained, on cases like these.

    References
    ----------
    .. [1] McNemar, Q. (1947). Psychometrika 12, 153-157.
    .. [2] Fagerland, M. W., Lydersen, S., Laake, P. (2014). Statist. Med. 33,
       2850-2875.
    .. [3] Bergmann, B., Hommel, G. (1988). Multiple Hypotheses Testing, 100-115.

    Examples
    --------
    >>> import pycompare as pc
    >>> right = {
    ...     "A": [1, 1, 1, 1, 1, 1, 1, 1, 0, 1],
    ...     "B": [1, 0, 0, 0, 0, 0, 1, 0, 0, 0],
    ...     "C": [1, 1, 0, 1, 0, 1, 1, 0, 0, 1],
    ... }
    >>> scores = pc.Scores.from_wide(right, metric="accuracy", better="higher")
    >>> found = pc.mcnemar_pairs(scores)
    >>> found.table[["algorithm_1", "algorithm_2", "estimate", "p_adjusted"]]
      algorithm_1 algorithm_2  estimate  p_adjusted
    0           A           B       1.0    0.046875
    1           A           C       1.0    0.250000
    2           B           C       0.0    0.125000
    """
    check_alpha(alpha)
    check_word("p_value", p_value, get_args(McNemarPValue))
    family_adjustment(adjust, ACCURACIES, control)
    blocks = complete_blocks(scores, metric, None, method="mcnemar_pairs")
    refuse_clusters(scores, "McNemar's test")
    x = binary(blocks)
    pairs = pair_index(blocks.algorithms, control)
    counts = kernel.pair_counts(x, pairs.first, pairs.second)
    p = kernel.p_values(counts.only_1, counts.only_2, p_value)
    fields = fields_of_pairs(
        blocks,
        control,
        _numbers(counts) | {"p_value": p},
        method=_METHODS[p_value],
        estimate_name=_SHARES[blocks.metric.better],
        statistic_name="z",
        hypotheses=ACCURACIES,
        level=1 - alpha,
        alpha=alpha,
        reference=_REFERENCE,
        notes=_notes(counts),
        p_form=p_value,
        n_cases=len(x),
    )
    adjusted: McNemarPairsResult = McNemarPairsResult(**fields).adjusted(adjust)
    return adjusted


def binary(blocks: Blocks) -> Floats:
    """Return scores as they came, shape (n_cases, a); reject all but 0 and 1."""
    x = np.abs(blocks.values)
    wrong = np.flatnonzero(
        ~np.isin(blocks.r_arguments()["x"].values, (0.0, 1.0)).all(axis=1)
    )
    if len(wrong):
        raise InputError(
            f"{len(wrong)} of {len(x)} cases {have(len(wrong))} a score of "
            f"{blocks.metric.name!r} other than 0 and 1, first case "
            f"{blocks.blocks[wrong[0]]!r}; for graded scores use max_t or cluster_pairs"
        )
    return x


def _numbers(counts: PairCounts) -> dict[str, Floats | Ints]:
    """Return the columns that no adjustment touches."""
    b, c = counts.only_1, counts.only_2
    nothing = np.full(len(b), np.nan)
    with np.errstate(invalid="ignore"):
        share = b / (b + c)
        z = (b - c) / np.sqrt(b + c)
        error = np.sqrt(share * (1 - share) / (b + c))
    return {
        "estimate": share,
        "std_error": error,
        "statistic": z,
        "df": np.full(len(b), np.inf),
        "p_value": nothing,
        "only_1": b.astype(np.int64),
        "only_2": c.astype(np.int64),
        "odds_ratio": _odds(share),
        "odds_low": nothing,
        "odds_high": nothing,
    }


def _odds(share: Floats) -> Floats:
    """Return the odds of shares; infinite of 1."""
    with np.errstate(divide="ignore"):
        return np.asarray(share / (1 - share))


def _notes(counts: PairCounts) -> tuple[str, ...]:
    """Return the notes for readers."""
    agree = int(np.sum(counts.only_1 + counts.only_2 == 0))
    if not agree:
        return ()
    return (f"{agree} of {len(counts.only_1)} pairs agree on every case: p = 1",)
