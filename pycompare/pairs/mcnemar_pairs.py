"""Pairs of algorithms that are right or wrong on the same cases: McNemar's tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, get_args

import numpy as np
from scipy import special

from pycompare.arguments import check_level
from pycompare.checked import checked
from pycompare.data.blocks import Blocks, complete_blocks
from pycompare.data.scores import Scores
from pycompare.errors import InputError
from pycompare.formatting.counts import have
from pycompare.hypotheses import ACCURACIES
from pycompare.interop.r_call import RCall
from pycompare.kernels import binomial
from pycompare.kernels import paired_proportions as kernel
from pycompare.kernels.paired_proportions import PairCounts
from pycompare.multiplicity.adjust import family_adjustment
from pycompare.multiplicity.adjusted_pairs import AdjustedPairs
from pycompare.pairs.common import family_pairs, pairs_family, refuse_clusters, together
from pycompare.pairs.mcnemar import PValue
from pycompare.schema import Schema, Turned, changed, column
from pycompare.tables import Columns
from pycompare.typing import Floats, Ints

_REFERENCE = (
    "McNemar (1947) Psychometrika 12, 153-157; Newcombe (1998) Statist. Med. 17, "
    "2635-2650"
)
_METHODS = {
    "exact": "exact McNemar tests",
    "mid-p": "mid-p McNemar tests",
    "chi2": "McNemar chi-squared tests",
    "chi2-corrected": "McNemar chi-squared tests with continuity correction",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class McNemarPairsResult(AdjustedPairs):
    """McNemar's tests of pairs; see ``PairsResult``.

    ``estimate`` is the share of ones of algorithm_1 minus that of algorithm_2, with
    Newcombe's interval for paired proportions. ``odds_ratio`` is only_1 / only_2 with
    the exact conditional interval ``odds_low``, ``odds_high``.

    Attributes
    ----------
    p_form : {"exact", "mid-p", "chi2", "chi2-corrected"}
    n_cases : int
    blocks : Blocks
        The scores that were compared.
    """

    differences: ClassVar[str] = "mean"

    schema: ClassVar[Schema] = (
        *changed(AdjustedPairs.schema, "df", r=None),
        column("only_1", "count", turned=Turned(column="only_2")),
        column("only_2", "count", turned=Turned(column="only_1")),
        column("odds_ratio", "ratio", turned=Turned("inverse")),
        column("odds_low", "limit", turned=Turned("inverse", "odds_high")),
        column("odds_high", "limit", turned=Turned("inverse", "odds_low")),
    )
    p_form: PValue
    n_cases: int

    @property
    def basis(self) -> str:
        """Where the p-values come from, as the ledger of guarantees names it."""
        return f"cases/mcnemar-{self.p_form}"

    def r_call(self) -> RCall:
        """Return the call of the test of every pair."""
        arguments = {
            "x": self.blocks.r_arguments()["x"],
            "p_value": self.p_form,
            **self.r_adjusting(),
        }
        files = ("ranks", "paired", "sign", "mcnemar", "adjust", "mcnemar_pairs")
        return RCall(files, "mcnemar_pairs_reference", arguments)


@checked
def mcnemar_pairs(
    scores: Scores,
    *,
    metric: str | None = None,
    p_value: PValue = "exact",
    adjust: str = "bergmann-hommel",
    control: str | None = None,
    level: float = 0.95,
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
    level : float
        Confidence level of the intervals of differences, together (Bonferroni). Those
        of odds ratios hold together with the same level.

    Returns
    -------
    McNemarPairsResult
        ``statistic`` is (only_1 - only_2) / sqrt(only_1 + only_2), whose square is
        McNemar's chi-squared; ``only_1`` and ``only_2`` count the cases on which one
        algorithm alone has 1.

    Raises
    ------
    InputError
        If cells are not 0 or 1, or for an unknown name or word.
    DesignError
        If cells are missing, or the cases are in clusters.

    Notes
    -----
    Equations 2.7, 10.1, 10.2 of docs/equations.md.

    R: ``binom.test(only_1, only_1 + only_2)`` and ``mcnemar.test`` of each pair,
    ``prop.test`` for Wilson's limits, ``p.adjust``.

    Cases must be independent; for clusters of cases see ``pc.cluster_pairs``. The
    conclusion concerns these algorithms as they were trained, on cases like these.

    References
    ----------
    .. [1] McNemar, Q. (1947). Psychometrika 12, 153-157.
    .. [2] Newcombe, R. G. (1998). Statist. Med. 17, 2635-2650.
    .. [3] Fagerland, M. W., Lydersen, S., Laake, P. (2014). Statist. Med. 33,
       2850-2875.
    .. [4] Bergmann, B., Hommel, G. (1988). Multiple Hypotheses Testing, 100-115.

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
    0           A           B       0.7    0.046875
    1           A           C       0.3    0.250000
    2           B           C      -0.4    0.125000
    """
    check_level(level)
    if p_value not in get_args(PValue):
        raise InputError(
            f"p_value={p_value!r}: choose 'exact', 'mid-p', 'chi2' or 'chi2-corrected'"
        )
    family_adjustment(adjust, ACCURACIES, control)
    blocks = complete_blocks(scores, metric, None, method="mcnemar_pairs")
    refuse_clusters(scores, "McNemar's test")
    x = binary(blocks)
    first, second = np.array(family_pairs(blocks.algorithms, control)).T
    names = np.array(blocks.algorithms, dtype=object)
    counts = kernel.pair_counts(x, first, second)
    p = _p_values(counts, p_value)
    labels = {"algorithm_1": names[first], "algorithm_2": names[second]}
    numbers = _numbers(counts, 1 - (1 - level) / len(first))
    numbers["p_value"] = p
    numbers["p_adjusted"] = p
    tests = McNemarPairsResult(
        table=Columns(labels | numbers),
        positions=blocks.per_algorithm(blocks.values.mean(axis=0)),
        method=_METHODS[p_value],
        estimate_name=f"difference of means of {blocks.metric.name}, in its own unit",
        statistic_name="z",
        hypotheses=ACCURACIES,
        adjust="none",
        family=pairs_family(blocks, control),
        interval=together(level, len(numbers["p_value"]), "Newcombe"),
        level=level,
        control=control,
        reference=_REFERENCE,
        notes=_notes(counts),
        p_form=p_value,
        n_cases=len(x),
        blocks=blocks,
    )
    made: McNemarPairsResult = tests.adjusted(adjust)
    return made


def binary(blocks: Blocks) -> Floats:
    """Return scores as they came, shape (n_cases, a); refuse all but 0 and 1."""
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


def _p_values(counts: PairCounts, form: PValue) -> Floats:
    """Return raw p-values; 1 where no case is discordant."""
    b, c = counts.only_1, counts.only_2
    if form == "exact":
        return binomial.p_values(b, c)
    if form == "mid-p":
        return binomial.mid_p(b, c)
    # R corrects by 1 unless the counts are equal.
    step = np.where(b != c, 1.0, 0.0) if form == "chi2-corrected" else 0.0
    total = np.maximum(b + c, 1.0)
    return np.asarray(special.chdtrc(1, (np.abs(b - c) - step) ** 2 / total))


def _numbers(counts: PairCounts, level: float) -> dict[str, Floats | Ints]:
    """Return the columns that no adjustment touches; ``level`` is that of one pair."""
    b, c, n = counts.only_1, counts.only_2, counts.n
    low, high = kernel.newcombe(counts, level)
    ratio, odds_low, odds_high = kernel.odds_ratio(b, c, level)
    with np.errstate(invalid="ignore"):
        z = (b - c) / np.sqrt(b + c)
    return {
        "estimate": (b - c) / n,
        # Variance of a difference of paired proportions.
        "std_error": np.sqrt(np.maximum(b + c - (b - c) ** 2 / n, 0.0)) / n,
        "statistic": z,
        "df": np.full(len(b), np.inf),
        "p_value": np.full(len(b), np.nan),
        "p_adjusted": np.full(len(b), np.nan),
        "conf_low": low,
        "conf_high": high,
        "only_1": b.astype(np.int64),
        "only_2": c.astype(np.int64),
        "odds_ratio": ratio,
        "odds_low": odds_low,
        "odds_high": odds_high,
    }


def _notes(counts: PairCounts) -> tuple[str, ...]:
    """Return what a reader must know."""
    agree = int(np.sum(counts.only_1 + counts.only_2 == 0))
    if not agree:
        return ()
    return (f"{agree} of {len(counts.only_1)} pairs agree on every case: p = 1",)
