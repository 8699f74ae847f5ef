"""McNemar's test: two algorithms that are right or wrong on the same cases."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_level, check_word, numbers
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import have
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.data.scores import Scores
from pycompare.kernels import paired_proportions as kernel
from pycompare.kernels.new_answers import right_or_wrong
from pycompare.kernels.paired_proportions import McNemarPValue
from pycompare.methods.pairs.common import (
    R_ALTERNATIVE,
    Alternative,
    PairTest,
    check_alternative,
    pair_of_blocks,
    refuse_clusters,
)

if TYPE_CHECKING:
    pass


_REFERENCE = (
    "McNemar (1947) Psychometrika 12, 153-157; Fagerland, Lydersen & Laake (2013) BMC "
    "Med. Res. Methodol. 13:91"
)
_NAMES = {
    "exact": "exact",
    "mid-p": "mid-p",
    "chi2": "chi-squared",
    "chi2-corrected": "chi-squared with continuity correction",
}
_NO_DISCORDANT = (
    "the two algorithms agree on every case, so no difference can be tested"
)
_TWO_CASES = (
    "2 x 2 numbers that are all 0 or 1 are read as two cases, a row each; of a 2 x 2 "
    "table of counts give the two discordant counts"
)
_AS_TABLE = (
    "read as a 2 x 2 table of counts: {only_1} cases with 1 by algorithm_1 alone, "
    "{only_2} by algorithm_2 alone, {n_cases} in all"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class McNemarResult(PairTest):
    """McNemar's test.

    ``estimate`` is only_1 / (only_1 + only_2) with the interval of the same test; 0.5 =
    no difference.

    Attributes
    ----------
    only_1, only_2 : int
        Cases on which only algorithm_1, only algorithm_2 has 1.
    n_cases : int or None
        All cases; None if only the two counts were given.
    p_form : {"exact", "mid-p", "chi2", "chi2-corrected"}
    """

    only_1: int
    only_2: int
    n_cases: int | None
    p_form: McNemarPValue

    @property
    def basis(self) -> str:
        """Where the p-value comes from, as the ledger of guarantees names it."""
        return f"two/mcnemar-{self.p_form}"

    def as_columns(self) -> Columns:
        """Return one row: the test, the share, the counts."""
        return super().as_columns().but(only_1=self.only_1, only_2=self.only_2)

    def r_call(self) -> RCall:
        """Return the call of ``binom.test`` or ``mcnemar.test``."""
        arguments = {
            "only_1": self.only_1,
            "only_2": self.only_2,
            "p_value": "exact" if self.p_source == "none" else self.p_form,
            "alternative": R_ALTERNATIVE[self.alternative],
            "level": self.level,
        }
        files = ("ranks", "paired", "sign", "mcnemar")
        return RCall(files, "mcnemar_reference", arguments)


@checked
def mcnemar(
    data: Scores | ArrayLike,
    *,
    metric: str | None = None,
    algorithms: Sequence[str] | None = None,
    p_value: McNemarPValue = "exact",
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> McNemarResult:
    """Compare two algorithms on the same cases by McNemar's test.

    Parameters
    ----------
    data : Scores, array_like of shape (n_cases, 2), two counts, or a 2 x 2 table
        0 and 1 (right, or predicted positive) per case and algorithm; as Scores the
        blocks are cases. Or only the discordant counts: cases on which only
        algorithm_1 has 1, and cases on which only algorithm_2 has 1. Or a 2 x 2 table
        of counts, as of ``mcnemar.test``: rows are algorithm_1, columns algorithm_2, 1
        before 0; a frame whose rows and columns are labelled 0 and 1, as of
        ``pd.crosstab``, is read by its labels. A note states this. 2 x 2 numbers that
        are all 0 or 1 are two cases.
    metric, algorithms : optional
        For Scores only, as in ``paired_t``.
    p_value : {"exact", "mid-p", "chi2", "chi2-corrected"}
        ``exact``: binomial given the discordant cases. ``mid-p``: half of the observed
        count's probability left out; closer to alpha, may exceed it slightly. ``chi2``
        on one degree of freedom, without and with continuity correction.
    alternative : {"two-sided", "greater", "less"}
        ``greater``: algorithm_1 has 1 more often. Chi-squared is two-sided only.
    level : float
        Confidence level of the share's interval: Clopper and Pearson's for ``exact``,
        of the mid-p value for ``mid-p``, Wilson's for chi-squared, with continuity
        correction or without. It excludes 0.5 if p <= 1 - level.

    Returns
    -------
    McNemarResult
        ``statistic`` is only_1, or chi2.

    Raises
    ------
    InputError
        If cells are not 0 or 1, counts not whole, or for an unknown word.
    DesignError
        If Scores have more than two algorithms and none is named, or their cases are in
        clusters.

    Notes
    -----
    Equations 2.7, 10.1 of docs/equations.md.

    R: ``binom.test(only_1, only_1 + only_2)``; ``mcnemar.test(table, correct =)`` with
    the limits of ``prop.test(only_1, only_1 + only_2, correct =)``. The chi-squared
    p-value takes only_1 + only_2 to be large, 25 or so.

    Cases must be independent, with one training set: the test gives no information
    about other training sets.

    References
    ----------
    .. [1] McNemar, Q. (1947). Psychometrika 12, 153-157.
    .. [2] Fagerland, M. W., Lydersen, S., Laake, P. (2013). BMC Medical Research
       Methodology 13:91.

    Examples
    --------
    >>> import pycompare as pc
    >>> right = [[1, 1], [1, 0], [1, 0], [0, 0], [1, 0], [1, 1], [0, 1], [1, 0]]
    >>> print(f"p = {pc.mcnemar(right).p_value:.3f}")
    p = 0.375
    >>> print(f"p = {pc.mcnemar([9, 2], p_value='mid-p').p_value:.3f}")
    p = 0.039
    """
    check_alternative(alternative)
    check_level(level)
    check_word("p_value", p_value, get_args(McNemarPValue))
    if p_value.startswith("chi2") and alternative != "two-sided":
        raise InputError(
            f"p_value={p_value!r} is two-sided; choose 'exact' or 'mid-p' for "
            f"alternative={alternative!r}"
        )
    counts = _counts_of(data, metric, algorithms)
    names, only_1, only_2 = counts.algorithms, counts.only_1, counts.only_2
    total = only_1 + only_2
    statistic, p = _statistic_and_p(only_1, only_2, p_value, alternative)
    limits = kernel.limits(only_1, only_2, p_value, level, alternative)
    low, high = map(float, limits) if total else (math.nan, math.nan)
    by_chi2 = p_value.startswith("chi2")
    return McNemarResult(
        name=f"McNemar's test, {names[0]} minus {names[1]}, {_NAMES[p_value]}",
        statistic_name="chi2" if by_chi2 else f"only {names[0]}",
        statistic=statistic,
        df=1.0 if by_chi2 else None,
        p_value=p,
        p_source=p_value if total else "none",
        reference=_REFERENCE,
        notes=(*counts.notes, *(() if total else (_NO_DISCORDANT,))),
        algorithm_1=names[0],
        algorithm_2=names[1],
        alternative=alternative,
        only_1=only_1,
        only_2=only_2,
        n_cases=counts.n_cases,
        p_form=p_value,
        estimate_name=f"share of {names[0]} in the discordant cases",
        estimate=only_1 / total if total else math.nan,
        conf_low=low,
        conf_high=high,
        level=level,
    )


def _statistic_and_p(
    only_1: int, only_2: int, p_value: McNemarPValue, alternative: str
) -> tuple[float, float]:
    """Return statistic and p-value of the discordant counts."""
    if only_1 + only_2 == 0:
        return math.nan, math.nan
    p = float(kernel.p_values(only_1, only_2, p_value, alternative))
    by_chi2 = p_value.startswith("chi2")
    chi2 = kernel.chi_squared(only_1, only_2, p_value)
    return float(chi2) if by_chi2 else float(only_1), p


@dataclass(frozen=True)
class _DiscordantCounts:
    """The discordant counts of two algorithms, and how they were read."""

    algorithms: tuple[str, ...]
    only_1: int
    only_2: int
    n_cases: int | None
    notes: tuple[str, ...] = ()


def _counts_of(
    data: Scores | ArrayLike, metric: str | None, algorithms: Sequence[str] | None
) -> _DiscordantCounts:
    """Count the cases on which one algorithm alone has 1."""
    if isinstance(data, Scores):
        refuse_clusters(data, "McNemar's test")
        blocks = pair_of_blocks(data, metric, algorithms, method="mcnemar")
        cells = blocks.r_arguments()["x"].values
        return _DiscordantCounts(blocks.algorithms, *_discordant(cells), len(cells))
    if metric is not None or algorithms is not None:
        raise InputError("metric and algorithms are for Scores, and none were given")
    cells = numbers(data, "data", truth_values=True)
    names = ("algorithm_1", "algorithm_2")
    if cells.shape == (2,):
        only_1, only_2 = _whole(numbers(data, "data"))
        return _DiscordantCounts(names, only_1, only_2, None)
    if cells.ndim != 2 or cells.shape[1] != 2 or not len(cells):
        raise InputError(
            f"data of shape {cells.shape}: give Scores, two columns of 0 and 1, two "
            f"discordant counts, or a 2 x 2 table of counts"
        )
    if cells.shape != (2, 2):
        return _DiscordantCounts(names, *_discordant(cells), len(cells))
    if right_or_wrong(cells):
        return _DiscordantCounts(names, *_discordant(cells), 2, (_TWO_CASES,))
    _, only_1, only_2, _ = table = _whole(cells)
    if _zero_first(data):
        only_1, only_2 = only_2, only_1
    n = sum(table)
    note = _AS_TABLE.format(only_1=only_1, only_2=only_2, n_cases=n)
    return _DiscordantCounts(names, only_1, only_2, n, (note,))


def _zero_first(data: Any) -> bool:
    """Return whether rows and columns of a frame are labelled 0 and 1, in this order.

    Numbers of positions, which an unlabelled frame of pandas has, are no labels.
    """
    axes = [getattr(data, name, None) for name in ("index", "columns")]
    if any(callable(axis) or hasattr(axis, "start") for axis in axes):
        return False
    return all(axis is not None and list(axis) == [0, 1] for axis in axes)


def _discordant(cells: np.ndarray) -> tuple[int, int]:
    """Count the cases on which only one of two columns is 1."""
    wrong = np.flatnonzero(~np.isin(cells, (0.0, 1.0)).all(axis=1))
    if len(wrong):
        raise InputError(
            f"{len(wrong)} of {len(cells)} cases {have(len(wrong))} something other "
            f"than 0 and 1, first case {wrong[0] + 1}; McNemar's test is for right and "
            "wrong"
        )
    first, second = cells.T
    return int(np.sum(first > second)), int(np.sum(first < second))


def _whole(counts: np.ndarray) -> tuple[int, ...]:
    """Return counts, or reject what cannot be counted."""
    if not np.all((counts >= 0) & (counts == np.floor(counts)) & (counts < 2**52)):
        what = "two" if counts.ndim == 1 else "a 2 x 2 table of"
        raise InputError(
            f"counts {counts.tolist()}: give {what} whole numbers, 0 or more"
        )
    return tuple(map(int, counts.ravel().tolist()))
