"""Pairs of algorithms that are right or wrong on the same cases: score tests."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import special

from pycompare.base.arguments import check_alpha
from pycompare.base.checked import checked
from pycompare.base.hypotheses import ACCURACIES
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import levels
from pycompare.base.typing import Floats
from pycompare.data.blocks import cluster_totals, complete_blocks
from pycompare.data.scores import Scores
from pycompare.kernels import matched_pairs as kernel
from pycompare.kernels import student
from pycompare.methods.cases.share_counts import counted_once, runs_of, share_counts
from pycompare.methods.pairs.adjusted_pairs import fields_of_pairs
from pycompare.methods.pairs.common import family_pairs
from pycompare.methods.pairs.last_step import LastStepPairs
from pycompare.results.adjust import family_adjustment
from pycompare.results.placement import means_of
from pycompare.results.result import changed as with_fields
from pycompare.results.result import internal
from pycompare.results.schema import Schema, Turned, column

_MOST_EXACT = 20_000
"""Cases at most of the exact test."""
_TOO_LARGE = 1.1
"""From this multiple of its level on, the score test gives way to the exact one."""
_SharePValue = Literal["exact", "score", "effective-size"]
_METHODS = {
    "exact": "exact unconditional score tests",
    "score": "score tests",
    "effective-size": "effective-size score tests",
}
_REFERENCE = (
    "McNemar (1947) Psychometrika 12, 153-157; Tango (1998) Statist. Med. 17, 891-908; "
    "Suissa & Shuster (1991) Biometrics 47, 361-372"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class SharePairsResult(LastStepPairs):
    """Score tests of shares of right answers; see ``PairsResult``.

    ``estimate`` is the share of ones of algorithm_1 minus that of algorithm_2;
    ``statistic`` is Tango's score statistic of a difference of 0.

    The table has more columns. ``only_1`` and ``only_2`` count the cases with 1 by one
    algorithm alone; with runs they are sums of the positive and of the negative mean
    differences of cases. ``n_effective`` is the number of cases behind the statistic.

    Attributes
    ----------
    alpha : float
        Level of the decisions with which no interval disagrees.
    p_source : {"exact", "score", "effective-size"}
    n_cases : int
    n_clusters : int or None
        None if cases are independent.
    n_runs : float or None
        Answers per case, their harmonic mean if cases have unequal numbers; None if
        cases have one answer.
    level : float
        Confidence level of each interval separately, at least 1 - alpha: 1 - a, with a
        the raw p-value up to which pairs are rejected.
    """

    differences: ClassVar[str] = "mean"

    p_source: _SharePValue
    n_cases: int
    n_clusters: int | None
    n_runs: float | None
    clusters: tuple[str, ...] | None = internal()

    interval_note: ClassVar[str] = (
        "Each interval excludes 0 exactly when the difference is significant. Each "
        "alone covers the difference with its level; together they need not."
    )
    schema: ClassVar[Schema] = (
        *LastStepPairs.schema,
        column("only_1", "count", turned=Turned(column="only_2")),
        column("only_2", "count", turned=Turned(column="only_1")),
        column("n_effective", "sum"),
    )

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return f"cases/{self.p_source}-shares"

    @property
    def clustered(self) -> bool:
        """Whether cases of a cluster may depend on each other."""
        return self.n_clusters is not None

    @property
    def n_blocks(self) -> int:
        """Independent blocks: cases, or their clusters."""
        return self.n_cases if self.n_clusters is None else self.n_clusters

    def limits(self, last: float) -> tuple[Floats, Floats]:
        """Return Tango's limits at level ``last``."""
        names = ("only_1", "only_2", "n_effective", "df")
        only_1, only_2, size, df = (self.as_columns()[n].astype(float) for n in names)
        scale = size / self.n_cases
        critical = student.isf(last / 2, float(df[0]))
        return kernel.score_limits(scale * only_1, scale * only_2, size, critical)

    def r_call(self) -> RCall:
        """Return the call of the test and interval of every pair."""
        codes: Any = np.zeros(0)
        if self.clusters is not None:
            codes = levels(self.clusters, what="clusters").codes + 1.0
        arguments = {
            "x": self.blocks.r_arguments()["x"],
            "p_source": self.p_source,
            "cluster": codes,
            "runs": float(self.n_runs or 1),
            "alpha": self.alpha,
            **self.r_adjusting(),
            "level": math.nan if self.repeatable else self.level,
        }
        files = ("ranks", "paired", "adjust", "superiority", "cluster_pairs")
        more = ("wilcoxon", "signed_rank_pairs", "matched_shares", "share_pairs")
        return RCall((*files, *more), "share_pairs_reference", arguments)


@checked
def share_pairs(
    scores: Scores,
    *,
    metric: str | None = None,
    adjust: str = "holm",
    control: str | None = None,
    alpha: float = 0.05,
) -> SharePairsResult:
    """Compare pairs of algorithms by their shares of right answers to the same cases.

    Each pair has a score test of equal shares, and Tango's interval of the difference,
    which agrees with the adjusted decision.

    Parameters
    ----------
    scores : Scores
        Complete table of 0 and 1; the blocks are cases. Cases may be in clusters, or
        have several runs, drawn anew for each case and algorithm.
    metric : str, optional
        One of ``scores.metrics``; needed if there are several.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``; with a control, one that does not
        need all pairs. Equal shares are transitive, so Bergmann-Hommel and Shaffer may
        be used.
    control : str, optional
        Compare each other algorithm with this one only.
    alpha : float
        Level of the decisions, from which that of the intervals follows: alpha/(m - r)
        of m pairs with r rejected, the level of Holm's last step.

    Returns
    -------
    SharePairsResult
        A pair that agrees on every case has p = 1.

    Raises
    ------
    DesignError
        If cells are missing, or clusters are fewer than 20.
    InputError
        For scores other than 0 and 1, or an unknown name.

    Notes
    -----
    Equations 10.11, 10.12 of docs/equations.md, with a difference of 0.

    One answer per case, no clusters: the square of the statistic is McNemar's chi2
    without continuity correction. Its p-value is that of its exact unconditional
    distribution, the largest one over all shares of discordant cases, wherever the
    level of the chi2 test exceeds 1.1 times a level of Holm's steps; the number of
    cases and alpha decide that. Runs or clusters: the score test at the effective size,
    with the t distribution of the mean difference. R: ``mcnemar.test(correct =
    FALSE)``; own derivation of the others.

    References
    ----------
    .. [1] McNemar, Q. (1947). Psychometrika 12, 153-157.
    .. [2] Tango, T. (1998). Statist. Med. 17, 891-908.
    .. [3] Suissa, S., Shuster, J. J. (1991). Biometrics 47, 361-372.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> right = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [100, 28, 12, 60], axis=0)
    >>> scores = pc.Scores.from_wide(
    ...     {"new": right[:, 0].tolist(), "old": right[:, 1].tolist()},
    ...     metric="accuracy", better="higher",
    ... )
    >>> found = pc.share_pairs(scores)
    >>> found.table[["estimate", "statistic", "p_value", "conf_low"]].round(4)
       estimate  statistic  p_value  conf_low
    0      0.08     2.5298   0.0131    0.0188
    """
    check_alpha(alpha)
    family_adjustment(adjust, ACCURACIES, control)
    tests = share_tests(scores, metric=metric, control=control, alpha=alpha)
    result: SharePairsResult = tests.adjusted(adjust)
    return result


def share_tests(
    scores: Scores,
    *,
    metric: str | None = None,
    control: str | None = None,
    alpha: float = 0.05,
    n_tables: int = 1,
) -> SharePairsResult:
    """Return the tests without intervals: those follow from the adjustment.

    ``n_tables`` is the number of tables in the family.
    """
    blocks = complete_blocks(scores, metric, None, method="share_pairs")
    n_runs = runs_of(scores, blocks)
    pairs = family_pairs(blocks.algorithms, control)
    n, m = len(blocks.values), n_tables * len(pairs)
    counted = share_counts(scores, blocks, pairs, n_runs)
    source: _SharePValue = "effective-size"
    if n_runs is None and scores.clusters is None:
        source = _source(n, m, alpha)
    z, p = _tested(counted, n, source)
    columns = {
        "estimate": counted["estimate"],
        "std_error": counted["std_error"],
        "statistic": z,
        "df": counted["df"],
        "p_value": p,
        "only_1": counted["only_1"],
        "only_2": counted["only_2"],
        "n_effective": counted["n_effective"],
    }
    units = len(cluster_totals(blocks, scores.clusters).values)
    fields = fields_of_pairs(
        blocks,
        control,
        columns,
        method=_METHODS[source],
        **means_of(blocks.metric.name).difference(),
        statistic_name="z" if source != "effective-size" else "t",
        hypotheses=ACCURACIES,
        level=1 - alpha,
        alpha=alpha,
        reference=_REFERENCE,
        notes=_notes(z, counted),
        p_source=source,
        n_cases=n,
        n_clusters=None if scores.clusters is None else units,
        n_runs=n_runs,
        clusters=scores.clusters,
    )
    return SharePairsResult(**fields)


def without_case(tests: SharePairsResult, answers: Floats) -> SharePairsResult:
    """Return tests of cases with one answer each, made again without one of them.

    ``answers`` are those of the algorithms to the case that is left out. Positions and
    blocks are those of all cases.
    """
    table, n = tests.as_columns(), tests.n_cases - 1
    first, second = np.array(family_pairs(tests.blocks.algorithms, tests.control)).T
    counted = counted_once(
        table["only_1"] - (answers[first] > answers[second]),
        table["only_2"] - (answers[first] < answers[second]),
        n,
    )
    source = _source(n, len(table), tests.alpha)
    z, p = _tested(counted, n, source)
    changed = {"statistic": z, "p_value": p, "p_adjusted": p, **counted}
    result: SharePairsResult = with_fields(
        tests,
        table=table.but(**changed),
        method=_METHODS[source],
        p_source=source,
        n_cases=n,
        notes=_notes(z, counted),
    )
    return result


def _source(n: int, m: int, alpha: float) -> _SharePValue:
    """Return where the p-values of cases with one answer each come from."""
    return "exact" if _needs_exact(n, m, alpha) else "score"


def _tested(
    counted: dict[str, Floats], n: int, source: _SharePValue
) -> tuple[Floats, Floats]:
    """Return the statistics and p-values of counts of n cases."""
    scale = counted["n_effective"] / n
    z = kernel.score_statistic(
        scale * counted["only_1"],
        scale * counted["only_2"],
        counted["n_effective"],
        0.0,
    )
    if source == "exact":
        ends = zip(counted["only_1"].tolist(), counted["only_2"].tolist(), strict=True)
        return z, np.array([_exact_p(max(pair), min(pair), n) for pair in ends])
    if source == "score":
        return z, np.asarray(2 * special.ndtr(-np.abs(z)))
    return z, np.asarray(student.two_sided(z, counted["df"]))


def _needs_exact(n: int, m: int, alpha: float) -> bool:
    """Return whether the chi2 test exceeds 1.1 times a level among Holm's steps."""
    if n > _MOST_EXACT:
        return False
    steps = {1, m} | {2**k for k in range(1, m.bit_length())}
    return any(
        kernel.two_sided_level(n, alpha / step) > _TOO_LARGE * alpha / step
        for step in sorted(steps)
    )


@lru_cache(maxsize=1 << 14)  # many pairs have the same counts
def _exact_p(more: int, fewer: int, n: int) -> float:
    """Return the exact two-sided p-value of equal shares, the same both ways round."""
    return kernel.exact_p(more, fewer, n, 0.0, "two-sided")


def _notes(z: Floats, counted: dict[str, Floats]) -> tuple[str, ...]:
    """Return the notes for readers."""
    agree = int(np.sum(counted["only_1"] + counted["only_2"] == 0))
    return (f"{agree} of {len(z)} pairs agree on every case: p = 1",) if agree else ()
