"""Diagnostic tests on the same cases: predictive values and likelihood ratios."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.arguments import check_level
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.tables import table_text
from pycompare.base.hypotheses import Hypotheses
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show
from pycompare.base.tables import Columns
from pycompare.data.measures.cases import Cases, many_scores
from pycompare.kernels import test_ratios
from pycompare.kernels.test_ratios import TestMeasure
from pycompare.results.adjust import adjust_family, family_adjustment
from pycompare.results.estimands import Estimand
from pycompare.results.result import Result, internal, made_when_read

_ALL: tuple[TestMeasure, ...] = ("ppv", "npv", "lr_positive", "lr_negative")
_RATIOS = Hypotheses(
    "equal predictive values or likelihood ratios",
    "they are hypotheses of several measures",
)
_EMPTY = (
    "{name} of {pair}: a count in it is 0, so that the logarithm of the ratio has no "
    "standard error; set to p = 1 in the adjustment"
)
_SAME = (
    "{name} of {pair}: the tests have the same results, so that their ratio is 1 "
    "without an interval; set to p = 1 in the adjustment"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class DiagnosticPairsResult(Result):
    """Pairs of diagnostic tests compared by ratios of their measures.

    Attributes
    ----------
    table : DataFrame
        One row per measure and pair: ``measure algorithm_1 algorithm_2 value_1 value_2
        estimate std_error statistic p_value p_adjusted conf_low conf_high
        score_p_value``. ``estimate`` is value_1 / value_2, ``std_error`` that of its
        logarithm; ``score_p_value`` is that of Kosinski's weighted score test of equal
        predictive values, NaN of likelihood ratios.
    tests : DataFrame
        One row per test: ``algorithm sensitivity specificity ppv npv lr_positive
        lr_negative``.
    adjust, family : str
        Adjustment of p-values, and over which hypotheses.
    level : float
        Confidence level of each interval separately.
    prevalence : float
        Share of positive cases, for which predictive values hold.
    n_positive, n_negative : int
    """

    table: pd.DataFrame = made_when_read()
    tests: pd.DataFrame = made_when_read()
    adjust: str
    family: str
    level: float
    prevalence: float
    n_positive: int
    n_negative: int
    notes: tuple[str, ...]
    cases: Cases = internal()
    measures: tuple[TestMeasure, ...] = internal()

    @property
    def estimand(self) -> Estimand:
        """Ratios on cases like these."""
        return Estimand(
            quantity="ratio of predictive values or of likelihood ratios",
            unit="case",
            population="cases like these, with this share of positive ones; these "
            "tests and thresholds",
            null="a ratio of 1",
        )

    def summary(self, digits: int = 4) -> str:
        """Return the measures of the tests, their ratios, and the notes."""
        head = (
            f"ratios of measures of tests on the same cases; adjusted: {self.adjust}, "
            f"over {self.family}"
        )
        notes = [f"  note: {note}" for note in self.notes]
        tests = table_text(self.held("tests"), digits)
        return "\n".join([head, tests, table_text(self.as_columns(), digits), *notes])

    def r_call(self) -> RCall:
        """Return the call of the counts in R."""
        arguments = {
            **self.cases.r_arguments(),
            "measures": list(self.measures),
            "adjust": self.adjust,
            "level": self.level,
        }
        files = ("adjust", "diagnostic_pairs")
        return RCall(files, "diagnostic_pairs_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the numbers of the table."""
        return self.columns_in_r(
            *("value_1", "value_2", "estimate", "std_error", "statistic", "p_value"),
            *("p_adjusted", "conf_low", "conf_high", "score_p_value"),
        )


@checked
def diagnostic_pairs(
    label: ArrayLike,
    results: Any,
    *,
    positive: object,
    measures: Sequence[TestMeasure] = _ALL,
    adjust: str = "holm",
    level: float = 0.95,
) -> DiagnosticPairsResult:
    """Compare diagnostic tests by predictive values and likelihood ratios.

    All tests are applied to the same cases. A predictive value answers whether a case
    with this result is positive, so it depends on the share of positive cases; a
    likelihood ratio does not.

    Parameters
    ----------
    label : array_like, shape (n,)
        True classes; two distinct labels.
    results : DataFrame, mapping or array_like, shape (n, k)
        Result of each test on each case: 1 or True if it is positive, else 0.
    positive : object
        The label of the positive class.
    measures : sequence of {"ppv", "npv", "lr_positive", "lr_negative"}
        Positive and negative predictive value, likelihood ratio of a positive and of a
        negative result; all by default.
    adjust : str, default "holm"
        A name of ``pc.adjust`` for any family: over all measures and pairs.
    level : float, default 0.95
        Confidence level of each interval separately.

    Returns
    -------
    DiagnosticPairsResult
        An interval leaves out 1 exactly when the raw ``p_value < 1 - level``. A
        negative likelihood ratio is better if it is smaller.

    Raises
    ------
    InputError
        For results other than 0 and 1, an unknown measure, or labels as in
        ``roc_curve``.

    Notes
    -----
    Equation 10.22 of docs/equations.md.

    z = log(value_1 / value_2) / se, with the variance of the multinomial law of cases.
    It is asymptotic: a note names ratios in which a count is 0, and tests with the same
    results, whose ratio has no interval. R: own derivation from the counts;
    ``DTComPair::pv.rpv``, ``dlr.regtest`` and ``pv.wgs`` (not in Debian) have the same
    numbers.

    References
    ----------
    .. [1] Moskowitz, C. S., Pepe, M. S. (2006). Clinical Trials 3, 272-279.
    .. [2] Gu, W., Pepe, M. S. (2009). Statistics in Biosciences 1, 1-20.
    .. [3] Kosinski, A. S. (2013). Statistics in Medicine 32, 964-977.

    Examples
    --------
    >>> import pycompare as pc
    >>> counts = [(1, 1, 1, 319), (1, 1, 0, 78), (1, 0, 1, 22), (1, 0, 0, 32),
    ...           (0, 1, 1, 31), (0, 1, 0, 53), (0, 0, 1, 22), (0, 0, 0, 155)]
    >>> ill, first, second = zip(*[c[:3] for c in counts for _ in range(c[3])])
    >>> found = pc.diagnostic_pairs(
    ...     ill, {"first": first, "second": second}, positive=1, measures=["ppv", "npv"]
    ... )
    >>> found.table[["measure", "estimate", "conf_low", "conf_high"]].round(3)
      measure  estimate  conf_low  conf_high
    0     ppv     0.954     0.917      0.992
    1     npv     1.171     1.088      1.262
    """
    check_level(level)
    chosen = family_adjustment(adjust, _RATIOS)
    names = _measures(measures)
    cases = many_scores(label, results, positive)
    calls = _calls(cases)
    rows = [
        _row(cases, calls, i, j, measure, level)
        for measure in names
        for i, j in combinations(range(len(cases.names)), 2)
    ]
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    for name in ("measure", "algorithm_1", "algorithm_2"):
        columns[name] = columns[name].astype(object)
    p = columns["p_value"]
    at = list(columns).index("p_value") + 1
    adjusted = {"p_adjusted": adjust_family(p, len(cases.names), chosen)}
    items = list(columns.items())
    table = Columns(dict(items[:at]) | adjusted | dict(items[at:]))
    return DiagnosticPairsResult(
        table=table,
        tests=_tests(cases, calls),
        adjust=chosen.name,
        family=f"{counted(len(names), 'measure')} of "
        f"{counted(len(p) // len(names), 'pair')}",
        level=level,
        prevalence=float(cases.truth.mean()),
        n_positive=cases.n_positive,
        n_negative=cases.n_negative,
        notes=_notes(rows),
        cases=cases,
        measures=names,
    )


def _measures(measures: Sequence[str]) -> tuple[TestMeasure, ...]:
    """Return the chosen measures, each once."""
    asked = [measures] if isinstance(measures, str) else list(measures)
    unknown = [name for name in asked if name not in _ALL]
    if unknown or not asked:
        wrong = show(unknown[0]) if unknown else "nothing"
        raise InputError(
            setting("measures") + f" has {wrong}: choose from {', '.join(_ALL)}"
        )
    return tuple(name for name in _ALL if name in asked)


def _calls(cases: Cases) -> Any:
    """Return which cases each test calls positive."""
    for name, column in zip(cases.names, cases.score, strict=True):
        wrong = np.flatnonzero((column != 0) & (column != 1))
        if len(wrong):
            raise InputError(
                f"result of test {show(name)} on case {wrong[0] + 1} is "
                f"{column[wrong[0]]:g}: give 1 for a positive and 0 for a negative "
                f"result, such as scores >= threshold"
            )
    return cases.score == 1


def _row(
    cases: Cases, calls: Any, i: int, j: int, measure: TestMeasure, level: float
) -> dict[str, Any]:
    """Return the comparison of two tests in one measure."""
    two = calls[[i, j]]
    value = test_ratios.of_tests(cases.truth, two, measure)
    gradient = test_ratios.log_gradient(cases.truth, two, measure)
    error = math.sqrt(float(np.sum((gradient[0] - gradient[1]) ** 2)))
    log_ratio, z = math.nan, math.nan
    if math.isfinite(error) and (value > 0).all() and np.isfinite(value).all():
        log_ratio = float(np.log(value[0]) - np.log(value[1]))
        z = log_ratio / error if error > 0 else math.nan
    else:
        error = math.nan
    half = -float(special.ndtri((1 - level) / 2)) * error if error > 0 else math.nan
    score = math.nan
    if measure in ("ppv", "npv"):
        statistic = test_ratios.weighted_score(cases.truth, two[0], two[1], measure)
        score = float(special.chdtrc(1, statistic)) if statistic >= 0 else math.nan
    return {
        "measure": measure,
        "algorithm_1": cases.names[i],
        "algorithm_2": cases.names[j],
        "value_1": value[0],
        "value_2": value[1],
        "estimate": math.exp(log_ratio),
        "std_error": error,
        "statistic": z,
        "p_value": 2 * float(special.ndtr(-abs(z))),
        "conf_low": math.exp(log_ratio - half),
        "conf_high": math.exp(log_ratio + half),
        "score_p_value": score,
    }


def _tests(cases: Cases, calls: Any) -> Columns:
    """Return the measures of each test."""
    truth = cases.truth
    of: dict[str, Any] = {
        name: test_ratios.of_tests(truth, calls, name) for name in _ALL
    }
    return Columns(
        {
            "algorithm": list(cases.names),
            "sensitivity": calls[:, truth].mean(axis=1),
            "specificity": (~calls[:, ~truth]).mean(axis=1),
            **of,
        }
    )


def _notes(rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Name the ratios that have no test."""
    return tuple(
        (_SAME if row["std_error"] == 0 else _EMPTY).format(
            name=row["measure"], pair=f"{row['algorithm_1']} and {row['algorithm_2']}"
        )
        for row in rows
        if math.isnan(row["statistic"])
    )
