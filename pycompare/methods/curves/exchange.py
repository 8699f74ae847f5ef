"""Permutation test of two AUCs: the ranks of each case are exchanged or not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_resampling, check_word
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.data.measures.cases import Cases, many_scores
from pycompare.data.measures.chance import below_chance
from pycompare.kernels import exchanges, placements
from pycompare.methods.pairs.common import R_ALTERNATIVE, Alternative, check_alternative
from pycompare.results.result import Test, internal

ExchangePValue = Literal["permutation", "exact"]

_REFERENCE = "Bandos, Rockette & Gur (2005) Stat. Med. 24, 2873-2893"
RESAMPLES = 10_000
"""Exchanges if a call does not state how many."""
_MOST_EXACT = 20
"""Cases at most for all 2^n exchanges: a million."""
_SAME_RANKS = (
    "the two classifiers rank all cases identically, so no exchange changes anything "
    "and nothing can be tested"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class ExchangeResult(Test):
    """Permutation test of two AUCs on the same cases.

    ``statistic`` is the difference of AUCs, algorithm_1 minus algorithm_2.

    Attributes
    ----------
    algorithm_1, algorithm_2 : str
    alternative : {"two-sided", "greater", "less"}
    area_1, area_2 : float
    """

    algorithm_1: str
    algorithm_2: str
    alternative: Alternative
    area_1: float
    area_2: float
    cases: Cases = internal()

    def as_columns(self) -> Columns:
        """Return one row: the test and both areas."""
        return (
            super()
            .as_columns()
            .but(
                algorithm_1=self.algorithm_1,
                algorithm_2=self.algorithm_2,
                alternative=self.alternative,
                area_1=self.area_1,
                area_2=self.area_2,
            )
        )

    def r_call(self) -> RCall | None:
        """Return the call that lists all exchanges; None if they were drawn."""
        if self.p_source != "exact":
            return None
        arguments = {
            **self.cases.r_arguments(),
            "alternative": R_ALTERNATIVE[self.alternative],
        }
        return RCall(("roc", "auc_exchange"), "auc_exchange_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return difference and p-value."""
        return {"statistic": self.statistic, "p_value": self.p_value}


@checked
def auc_exchange(
    label: ArrayLike,
    scores: Any,
    *,
    positive: object,
    p_value: ExchangePValue = "permutation",
    alternative: Alternative = "two-sided",
    seed: int | None = None,
    resamples: int | None = None,
) -> ExchangeResult:
    """Compare two AUCs on the same cases by exchanging ranks within cases.

    Each classifier's scores are replaced by their ranks among all cases (ties share
    the mean rank), which makes the two comparable whatever their scales and leaves the
    AUCs as they are. If the classifiers are exchangeable, so are the two ranks of each
    case; the statistic is the difference of AUCs after each case was exchanged or not.

    Parameters
    ----------
    label, scores, positive
        As in ``delong``; exactly two classifiers.
    p_value : {"permutation", "exact"}
        ``permutation``: (1 + exchanges at least as far) / (1 + resamples), never 0.
        ``exact``: all 2^n exchanges of n cases, 20 at most.
    alternative : {"two-sided", "greater", "less"}
        ``greater``: the AUC of the first is above that of the second.
    seed, resamples : int, optional
        For ``permutation`` only; 0 and 10000 if not given. Both are reported.

    Returns
    -------
    ExchangeResult

    Raises
    ------
    DesignError
        If ``exact`` is asked for more than 20 cases.
    InputError
        As ``delong``; if there are not exactly two classifiers; seed or resamples
        with ``exact``.

    Notes
    -----
    The null hypothesis is exchangeable ranks, which is more than equal AUCs: it is
    sensitive to differences of AUCs only, unlike the test of Venkatraman and Begg
    (1996) of equal curves, ``pROC::roc.test(method = "venkatraman")``.

    References
    ----------
    .. [1] Bandos, A. I., Rockette, H. E., Gur, D. (2005). Stat. Med. 24, 2873-2893.
    .. [2] Venkatraman, E. S., Begg, C. B. (1996). Biometrika 83, 835-848.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ill = np.repeat([True, False], 40)
    >>> first = rng.normal(ill)
    >>> tests = {"first": first, "second": first + rng.normal(size=80)}
    >>> test = pc.auc_exchange(ill, tests, positive=True, resamples=999, seed=1)
    >>> print(f"{test.area_1:.3f}, {test.area_2:.3f}, p = {test.p_value:.3f}")
    0.841, 0.776, p = 0.117
    """
    check_alternative(alternative)
    _check_p_value(p_value, seed, resamples)
    cases = many_scores(label, scores, positive)
    if len(cases.names) != 2:
        raise InputError(
            f"there are {len(cases.names)} classifiers; this test compares two: choose "
            f"two columns, or use delong for all"
        )
    n = len(cases.truth)
    if p_value == "exact" and n > _MOST_EXACT:
        raise DesignError(
            f"{n} cases have 2^{n} exchanges; exact p-values end at {_MOST_EXACT} "
            "cases: " + setting("p_value", "permutation")
        )
    ranks = scipy.stats.rankdata(cases.score, axis=1)
    areas = placements.auc(cases.truth, cases.score)
    seed, resamples = seed or 0, resamples or RESAMPLES
    alike = bool(np.array_equal(ranks[0], ranks[1]))
    p, note = math.nan, _SAME_RANKS
    if not alike and p_value == "exact":
        p = exchanges.exact_p(ranks, exchanges.wins(cases.truth), alternative)
        note = f"all 2^{n} exchanges"
    elif not alike:
        p = exchanges.drawn_p(
            ranks,
            exchanges.wins(cases.truth),
            np.random.default_rng(seed),
            resamples,
            alternative=alternative,
        )
        note = f"{resamples} resamples, seed {seed}"
    return ExchangeResult(
        name=f"Exchange of ranks, AUC of {cases.names[0]} minus {cases.names[1]}",
        statistic_name="difference of AUCs",
        statistic=float(areas[0] - areas[1]),
        df=None,
        p_value=p,
        p_source="none" if alike else p_value,
        reference=_REFERENCE,
        notes=(note, *below_chance(areas)),
        algorithm_1=cases.names[0],
        algorithm_2=cases.names[1],
        alternative=alternative,
        area_1=float(areas[0]),
        area_2=float(areas[1]),
        cases=cases,
    )


def _check_p_value(p_value: str, seed: int | None, resamples: int | None) -> None:
    """Reject an unknown form, and options without effect."""
    check_word("p_value", p_value, ("permutation", "exact"))
    if p_value == "exact" and not (seed is None and resamples is None):
        raise InputError(
            "seed and resamples have no effect on " + setting("p_value", "exact")
        )
    check_resampling(seed, resamples, least=1)
