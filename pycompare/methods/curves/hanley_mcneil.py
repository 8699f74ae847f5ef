"""Hanley and McNeil's z of two AUCs on the same cases."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.arguments import check_level, check_word
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.measures.cases import Cases, many_scores
from pycompare.data.measures.chance import below_chance
from pycompare.kernels import placements
from pycompare.kernels.area_variance import hanley_mcneil as standard_error
from pycompare.kernels.hanley_mcneil_table import correlation_of_areas
from pycompare.kernels.units import binary_unit
from pycompare.methods.curves.exchange import RESAMPLES, auc_exchange
from pycompare.methods.curves.few_cases import few_cases
from pycompare.methods.pairs.common import (
    R_ALTERNATIVE,
    Alternative,
    PairTest,
    check_alternative,
)
from pycompare.results.result import internal

Correlation = Literal["pearson", "kendall"]

_REFERENCE = "Hanley & McNeil (1983) Radiology 148, 839-843"
_OUTSIDE = (
    "the average AUC {area:.4g} is outside the table's .700 to .975; its nearest "
    "column was used"
)
_NO_VARIANCE = "both AUCs are 0 or 1 and have an estimated variance of 0, so "
_ALIKE = "their difference cannot be tested"
_BY_EXCHANGES = (
    f"there is no interval, and the p-value is that of {RESAMPLES:,} exchanges of the "
    "ranks of cases (auc_exchange, seed 0), which test whether the two are exchangeable"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class HanleyMcNeilResult(PairTest):
    """Hanley and McNeil's test of two correlated AUCs.

    Attributes
    ----------
    area_1, area_2, std_error_1, std_error_2 : float
        AUCs and their standard errors of 1982.
    std_error : float
        Of the difference.
    correlation : str
        ``pearson`` or ``kendall``; ``given`` if ``r`` was.
    correlation_positive, correlation_negative : float
        Of the two scores among positives and among negatives; NaN if ``r`` was given.
    r : float
        Correlation of the two AUCs.
    """

    area_1: float
    area_2: float
    std_error_1: float
    std_error_2: float
    std_error: float
    correlation: str
    correlation_positive: float
    correlation_negative: float
    r: float
    cases: Cases = internal()

    def as_columns(self) -> Columns:
        """Return one row: the test, the difference, the parts of its error."""
        return (
            super()
            .as_columns()
            .but(
                std_error=self.std_error,
                area_1=self.area_1,
                area_2=self.area_2,
                r=self.r,
            )
        )

    def r_call(self) -> RCall | None:
        """Return the call of the formula in R; None if exchanges were drawn."""
        if self.p_source == "permutation":
            return None
        arguments = {
            **self.cases.r_arguments(),
            "correlation": self.correlation,
            "r": self.r if self.correlation == "given" else None,
            "alternative": R_ALTERNATIVE[self.alternative],
            "level": self.level,
        }
        files = ("roc", "auc_interval", "hanley_mcneil")
        return RCall(files, "hanley_mcneil_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the test, the difference, the parts of its error."""
        return {
            **PairTest.r_values(self),
            "std_error": self.std_error,
            "std_error_1": self.std_error_1,
            "std_error_2": self.std_error_2,
            "correlation_positive": self.correlation_positive,
            "correlation_negative": self.correlation_negative,
            "r": self.r,
        }


@checked
def hanley_mcneil(
    label: ArrayLike,
    scores: Any,
    *,
    positive: object,
    correlation: Correlation = "pearson",
    r: float | None = None,
    alternative: Alternative = "two-sided",
    level: float = 0.95,
) -> HanleyMcNeilResult:
    """Compare two AUCs on the same cases by Hanley and McNeil's z test (1983).

    For a new study ``delong`` needs no table and no shape of the scores; this is the
    classical test, for comparison with published ones.

    Parameters
    ----------
    label, scores, positive
        As in ``delong``; exactly two classifiers.
    correlation : {"pearson", "kendall"}
        Of the two scores, taken among positives and among negatives. The authors use
        Pearson's for scores on a continuous scale and Kendall's tau-b for ratings.
    r : float, optional
        The correlation of the two AUCs, in [0, 1); by default from the authors' table:
        rows are the mean of the two correlations, columns the mean of the two AUCs,
        bilinear in between. Below .02 the line goes to 0 at 0; the first and last
        column serve mean AUCs outside .700 to .975, with a note.
    alternative, level
        As in ``delong_unpaired``.

    Returns
    -------
    HanleyMcNeilResult
        z = (A1 - A2) / sqrt(SE1^2 + SE2^2 - 2 r SE1 SE2). Of an AUC of 1 and one of 0,
        which have no standard error, the p-value of ``auc_exchange``, without interval.

    Raises
    ------
    DesignError
        If the mean correlation is outside the table (below 0 or above .90) or
        undefined; give ``r``.
    InputError
        As ``delong``; if there are not exactly two classifiers.

    Notes
    -----
    Equation 8.2 of docs/equations.md.

    References
    ----------
    .. [1] Hanley, J. A., McNeil, B. J. (1983). Radiology 148, 839-843.
    .. [2] Hanley, J. A., McNeil, B. J. (1982). Radiology 143, 29-36.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ill = np.repeat([True, False], 40)
    >>> first = rng.normal(ill)
    >>> tests = {"first": first, "second": first + rng.normal(size=80)}
    >>> test = pc.hanley_mcneil(ill, tests, positive=True)
    >>> print(f"z = {test.statistic:.2f}, p = {test.p_value:.3f}")
    z = 1.46, p = 0.143
    """
    check_alternative(alternative)
    check_level(level)
    check_word("correlation", correlation, ("pearson", "kendall"))
    cases = many_scores(label, scores, positive)
    if len(cases.names) != 2:
        raise InputError(
            f"there are {len(cases.names)} classifiers; this test compares two: choose "
            f"two columns, or use delong for all"
        )
    areas = placements.auc(cases.truth, cases.score)
    first, second = float(areas[0]), float(areas[1])
    among = (math.nan, math.nan) if r is not None else _correlations(cases, correlation)
    common = _given(r) if r is not None else _from_table(among, (first + second) / 2)
    errors = [
        standard_error(a, cases.n_positive, cases.n_negative) for a in (first, second)
    ]
    # SE1^2 + SE2^2 - 2 r SE1 SE2, as a sum that cannot be negative.
    spread = (errors[0] - errors[1]) ** 2 + 2 * (1 - common) * errors[0] * errors[1]
    error, estimate = math.sqrt(spread), first - second
    z = estimate / error if error else math.nan
    p, p_source = _p_of(z, alternative), "normal" if error else "none"
    if not error and estimate:
        exchange = auc_exchange(
            label, scores, positive=positive, alternative=alternative
        )
        p, p_source = exchange.p_value, "permutation"
    low, high = _limits(estimate, error, alternative, level)
    return HanleyMcNeilResult(
        name=f"Hanley and McNeil's test, {cases.names[0]} minus {cases.names[1]}",
        statistic_name="z",
        statistic=z,
        df=None,
        p_value=p,
        p_source=p_source,
        reference=_REFERENCE,
        notes=(
            *_notes(cases, r, (first + second) / 2, estimate, error),
            *below_chance([first, second]),
        ),
        algorithm_1=cases.names[0],
        algorithm_2=cases.names[1],
        alternative=alternative,
        estimate_name="difference of AUCs",
        estimate=estimate,
        conf_low=low,
        conf_high=high,
        level=level,
        area_1=first,
        area_2=second,
        std_error_1=errors[0],
        std_error_2=errors[1],
        std_error=error,
        correlation=correlation if r is None else "given",
        correlation_positive=among[0],
        correlation_negative=among[1],
        r=common,
        cases=cases,
    )


def _given(r: float) -> float:
    """Reject a correlation outside [0, 1)."""
    if not 0 <= r < 1:
        raise InputError(f"r={r}: give a correlation of the two AUCs in [0, 1)")
    return r


def _correlations(cases: Cases, kind: str) -> tuple[float, float]:
    """Return the correlations of the two scores among positives and negatives."""
    if not np.isfinite(cases.score).all() and kind == "pearson":
        raise InputError(
            "some scores are infinite, so they have no Pearson correlation; use "
            "correlation='kendall'"
        )
    of_positives, of_negatives = (
        _correlate(cases.score[:, cases.truth == side], kind) for side in (True, False)
    )
    return of_positives, of_negatives


def _correlate(pair: Floats, kind: str) -> float:
    """Return the correlation of two rows; NaN if one is constant."""
    if pair.shape[1] < 2 or np.any(np.ptp(pair, axis=1) == 0):
        return math.nan
    if kind == "kendall":
        return float(scipy.stats.kendalltau(*pair).statistic)
    return float(np.asarray(np.corrcoef(pair / binary_unit(pair, axis=1)))[0, 1])


def _from_table(among: tuple[float, float], area: float) -> float:
    """Return the correlation of the AUCs from the table."""
    mean = sum(among) / 2
    if not 0 <= mean <= 0.9:
        what = f"is {mean:.3g}" if mean == mean else "is undefined (constant scores)"
        raise DesignError(
            f"the mean correlation of the scores {what}; the table of Hanley and "
            f"McNeil goes from 0 to .90: give the correlation of the AUCs (r=...), or "
            f"use delong"
        )
    return correlation_of_areas(mean, area)


def _p_of(z: float, alternative: str) -> float:
    """Return the normal p-value of z."""
    if alternative == "two-sided":
        return float(2 * special.ndtr(-abs(z)))
    return float(special.ndtr(-z if alternative == "greater" else z))


def _limits(
    estimate: float, error: float, alternative: str, level: float
) -> tuple[float, float]:
    """Return the interval that belongs to the alternative; NaN without variance."""
    if error == 0:
        return math.nan, math.nan
    tail = (1 - level) / (2 if alternative == "two-sided" else 1)
    half = -float(special.ndtri(tail)) * error
    low = -math.inf if alternative == "less" else estimate - half
    high = math.inf if alternative == "greater" else estimate + half
    return low, high


def _notes(
    cases: Cases, r: float | None, area: float, estimate: float, error: float
) -> tuple[str, ...]:
    """Return the notes for readers."""
    notes = []
    if r is None and not 0.7 <= area <= 0.975:
        notes.append(_OUTSIDE.format(area=area))
    if error == 0:
        notes.append(_NO_VARIANCE + (_BY_EXCHANGES if estimate else _ALIKE))
    return (*notes, *few_cases(cases, "hanley_mcneil"))
