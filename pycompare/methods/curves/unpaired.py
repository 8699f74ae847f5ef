"""DeLong's test of two AUCs from different cases."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from numpy.typing import ArrayLike

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show_all
from pycompare.base.tables import Columns
from pycompare.data.measures.cases import Cases, one_score
from pycompare.data.measures.chance import below_chance
from pycompare.kernels import placements, student
from pycompare.methods.curves.delong import require_two_of_each
from pycompare.methods.curves.few_cases import few_cases
from pycompare.methods.pairs.common import (
    R_ALTERNATIVE,
    Alternative,
    PairTest,
    check_alternative,
)
from pycompare.results.result import internal

_REFERENCE = (
    "DeLong, DeLong & Clarke-Pearson (1988) Biometrics 44, 837-845; degrees of freedom "
    "of Welch's kind as in pROC (Robin et al. 2011, BMC Bioinformatics 12:77)"
)
_NO_VARIANCE = (
    "both AUCs have an estimated variance of 0, as an AUC of 0 or 1 or equal scores of "
    "all cases give, so "
)
_ALIKE = "their difference cannot be tested"
_ESTIMATE_ONLY = (
    "their difference of {estimate:g} is an estimate without interval and test: ranks "
    "of different cases cannot be exchanged"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class UnpairedResult(PairTest):
    """Test of two AUCs from different cases.

    Attributes
    ----------
    area_1, area_2 : float
    std_error : float
        Of the difference.
    positive : str
        The label of the positive class.
    """

    area_1: float
    area_2: float
    std_error: float
    positive: str
    cases: tuple[Cases, Cases] = internal()

    def as_columns(self) -> Columns:
        """Return one row: the test, the difference, both areas."""
        return (
            super()
            .as_columns()
            .but(std_error=self.std_error, area_1=self.area_1, area_2=self.area_2)
        )

    def r_call(self) -> RCall:
        """Return the call of ``pROC::roc.test(paired = FALSE)``."""
        first, second = (cases.r_arguments() for cases in self.cases)
        arguments = {
            "truth_1": first["truth"],
            "score_1": first["score"],
            "truth_2": second["truth"],
            "score_2": second["score"],
            "alternative": R_ALTERNATIVE[self.alternative],
            "level": self.level,
        }
        return RCall(("roc", "delong_unpaired"), "delong_unpaired_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the test, the difference, both areas."""
        return {
            **PairTest.r_values(self),
            "df": self.df,
            "std_error": self.std_error,
            "area_1": self.area_1,
            "area_2": self.area_2,
        }


@checked
def delong_unpaired(
    label_1: ArrayLike,
    score_1: ArrayLike,
    label_2: ArrayLike,
    score_2: ArrayLike,
    *,
    positive: object,
    names: tuple[str, str] = ("curve 1", "curve 2"),
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> UnpairedResult:
    """Compare two AUCs measured on different cases by DeLong's test.

    Parameters
    ----------
    label_1, score_1, label_2, score_2 : array_like, shape (n_1,) and (n_2,)
        As in ``roc_curve``, at least two cases of each class each.
    positive : object
        The label of the positive class, the same for both.
    names : pair of str
        Names of the two.
    alternative : {"two-sided", "greater", "less"}
        ``greater``: the AUC of the first is above that of the second.
    level : float
        Confidence level of the interval, which is not cut at -1 and 1.

    Returns
    -------
    UnpairedResult
        t = difference / standard error, on V^2 / (V_1^2 / (n_1 - 1) + V_2^2 / (n_2 -
        1)) degrees of freedom, V_1 and V_2 DeLong's variances, V their sum, n the
        cases of a curve.

    Raises
    ------
    DesignError
        If a class has fewer than two cases.
    InputError
        For bad labels or scores as in ``roc_curve``.

    Notes
    -----
    Equation 8.1 of docs/equations.md.

    For curves on the same cases ``delong`` is right, and usually more powerful. R:
    ``pROC::roc.test(roc1, roc2, method = "delong", paired = FALSE)``.

    References
    ----------
    .. [1] DeLong, E. R., DeLong, D. M., Clarke-Pearson, D. L. (1988). Biometrics 44,
       837-845.
    .. [2] Robin, X. et al. (2011). BMC Bioinformatics 12:77.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ill = np.repeat([True, False], 40)
    >>> first = rng.normal(ill)
    >>> tests = {"first": first, "second": first + rng.normal(size=80)}
    >>> other = rng.normal(2 * ill)
    >>> test = pc.delong_unpaired(ill, first, ill, other, positive=True)
    >>> print(f"difference = {test.estimate:.3f}, p = {test.p_value:.3f}")
    difference = -0.103, p = 0.050
    """
    check_alternative(alternative)
    check_level(level)
    if len(names) != 2 or not all(isinstance(name, str) for name in names):
        raise InputError(f"names={show_all(names)}: give two names")
    both = one_score(label_1, score_1, positive), one_score(label_2, score_2, positive)
    for cases in both:
        require_two_of_each(cases)
    first, second = (placements.delong(cases.truth, cases.score) for cases in both)
    areas = float(first.area[0]), float(second.area[0])
    parts = float(first.covariance[0, 0]), float(second.covariance[0, 0])
    estimate, error = areas[0] - areas[1], math.sqrt(sum(parts))
    df = _welch_df(parts, (len(both[0].truth), len(both[1].truth)))
    t = estimate / error if error else math.nan
    low, high = _limits(estimate, error, df, alternative, level)
    return UnpairedResult(
        name=f"DeLong's test, different cases, {names[0]} minus {names[1]}",
        statistic_name="t",
        statistic=t,
        df=df,
        p_value=_p_of(t, df, alternative),
        p_source="t" if error else "none",
        reference=_REFERENCE,
        notes=(*_notes(both, estimate, error), *below_chance(areas)),
        algorithm_1=names[0],
        algorithm_2=names[1],
        alternative=alternative,
        estimate_name="difference of AUCs",
        estimate=estimate,
        conf_low=low,
        conf_high=high,
        level=level,
        area_1=areas[0],
        area_2=areas[1],
        std_error=error,
        positive=both[0].positive,
        cases=both,
    )


def _notes(both: tuple[Cases, Cases], estimate: float, error: float) -> tuple[str, ...]:
    """Return whether there is a variance, and which cases are few."""
    smaller = min(both, key=lambda cases: min(cases.n_positive, cases.n_negative))
    few = few_cases(smaller, "delong_unpaired")
    if error:
        return tuple(few)
    what = _ESTIMATE_ONLY.format(estimate=estimate) if estimate else _ALIKE
    return (_NO_VARIANCE + what, *few)


def _welch_df(variances: tuple[float, float], n: tuple[int, int]) -> float:
    """Return the degrees of freedom of a sum of two variances; NaN if it is 0."""
    total = sum(variances)
    if total == 0:
        return math.nan
    shares = [v / total for v in variances]
    return 1 / sum(s * s / (m - 1) for s, m in zip(shares, n, strict=True))


def _p_of(t: float, df: float, alternative: str) -> float:
    """Return the p-value of t; NaN without one."""
    if math.isnan(t):
        return math.nan
    if alternative == "two-sided":
        return 2 * float(student.sf(abs(t), df))
    return float(student.sf(t if alternative == "greater" else -t, df))


def _limits(
    estimate: float, error: float, df: float, alternative: str, level: float
) -> tuple[float, float]:
    """Return the interval that belongs to the alternative; NaN without variance."""
    if error == 0:
        return math.nan, math.nan
    tail = (1 - level) / (2 if alternative == "two-sided" else 1)
    half = student.isf(tail, df) * error
    low = -math.inf if alternative == "less" else estimate - half
    high = math.inf if alternative == "greater" else estimate + half
    return low, high
