"""Decision curves: net benefit at risk thresholds, and tests of its differences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.arguments import check_level, numbers
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.tables import table_text
from pycompare.base.hypotheses import Hypotheses
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show, show_all
from pycompare.base.tables import Columns
from pycompare.base.typing import Bools, Floats
from pycompare.data.measures.cases import Cases, probabilities
from pycompare.kernels import student
from pycompare.results.adjust import adjust_family, family_adjustment
from pycompare.results.estimands import Estimand
from pycompare.results.guarantees import MEASURED
from pycompare.results.result import Result, internal, made_when_read

ALL, NONE = "treat all", "treat none"
"""Rules without a model."""
_EQUAL = Hypotheses("equal net benefits", "they are hypotheses of several thresholds")
_SAME = (
    "{pair} at threshold {at:g} decide every case alike: there is no test, and p = 1 "
    "in the adjustment"
)
_FEW = 5
"""Positive, or negative, cases that one rule only treats: fewer are noted."""


@dataclass(frozen=True, kw_only=True, eq=False)
class NetBenefitResult(Result):
    """Net benefits at thresholds, and their differences.

    Attributes
    ----------
    table : DataFrame
        One row per threshold and pair: ``threshold algorithm_1 algorithm_2 estimate
        std_error statistic df p_value p_adjusted conf_low conf_high``; ``estimate`` is
        the net benefit of algorithm_1 minus that of algorithm_2. ``treat all`` and
        ``treat none`` are algorithm_2 of each classifier.
    curves : DataFrame
        One row per threshold and rule: ``threshold algorithm net_benefit treated``, the
        share of cases that the rule treats.
    adjust, family : str
        Adjustment of p-values, and over which hypotheses.
    level : float
        Confidence level of each interval separately.
    n_positive, n_negative : int
    """

    table: pd.DataFrame = made_when_read()
    curves: pd.DataFrame = made_when_read()
    adjust: str
    family: str
    level: float
    n_positive: int
    n_negative: int
    notes: tuple[str, ...]
    cases: Cases = internal()
    thresholds: tuple[float, ...] = internal()

    r_paths: ClassVar[Mapping[str, str]] = {
        "net_benefit": "curves/net_benefit",
        "treated": "curves/treated",
    }

    @property
    def estimand(self) -> Estimand:
        """Differences of net benefit on cases like these."""
        return Estimand(
            quantity="difference of net benefit, in true positives per case",
            unit="case",
            population="cases like these, with this share of positive ones; these "
            "trained models",
            null="equal net benefits",
        )

    def summary(self, digits: int = 4) -> str:
        """Return the net benefits, their differences, and the notes."""
        head = f"net benefit; adjusted: {self.adjust}, over {self.family}"
        notes = [f"  note: {note}" for note in self.notes]
        curves = table_text(self.held("curves"), digits)
        return "\n".join([head, curves, table_text(self.as_columns(), digits), *notes])

    def r_call(self) -> RCall:
        """Return the call of ``t.test`` of the cases' differences."""
        arguments = {
            **self.cases.r_arguments(),
            "threshold": list(self.thresholds),
            "adjust": self.adjust,
            "level": self.level,
        }
        return RCall(("adjust", "net_benefit"), "net_benefit_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the numbers of the table and the net benefits."""
        names = (
            *("estimate", "std_error", "statistic", "df", "p_value", "p_adjusted"),
            *("conf_low", "conf_high"),
        )
        curves = {
            name: np.asarray(self.held("curves")[name], float)
            for name in ("net_benefit", "treated")
        }
        return self.columns_in_r(*names) | curves


@checked
def net_benefit(
    label: ArrayLike,
    scores: Any,
    *,
    positive: object,
    threshold: ArrayLike,
    adjust: str = "holm",
    level: float = 0.95,
) -> NetBenefitResult:
    """Return the net benefit of classifiers at risk thresholds, with tests.

    At threshold t a case is treated if its probability is t or more. The net benefit is
    the share of true positives less that of false positives times t / (1 - t): treating
    a negative case costs that many true positives.

    Parameters
    ----------
    label : array_like, shape (n,)
        True classes; two distinct labels.
    scores : array_like, DataFrame or mapping, shape (n,) or (n, k)
        Probabilities of the positive class by one classifier or more, in [0, 1].
    positive : object
        The label of the positive class.
    threshold : float or array_like
        Risk thresholds in (0, 1), chosen before the data are seen.
    adjust : str, default "holm"
        A name of ``pc.adjust`` for any family: over all thresholds and pairs.
    level : float, default 0.95
        Confidence level of each interval separately.

    Returns
    -------
    NetBenefitResult
        Pairs of classifiers, and each classifier against ``treat all`` and ``treat
        none``. An interval leaves out 0 exactly when ``p_value < 1 - level``.

    Raises
    ------
    InputError
        For scores outside [0, 1], thresholds outside (0, 1) or given twice, or a
        classifier that is called ``treat all`` or ``treat none``.

    Notes
    -----
    Equation 10.23 of docs/equations.md.

    The net benefit is a mean over cases, so a difference is tested by the t test of the
    cases' differences: the share of positive cases is random, that of the population
    that the cases are drawn from. With separately drawn classes (a case-control study)
    it does not hold. R: ``t.test`` of the cases' differences.

    References
    ----------
    .. [1] Vickers, A. J., Elkin, E. B. (2006). Medical Decision Making 26, 565-574.
    .. [2] Vickers, A. J., Cronin, A. M., Elkin, E. B., Gonen, M. (2008). BMC Medical
       Informatics and Decision Making 8, 53.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> risk = rng.uniform(size=300)
    >>> ill = rng.uniform(size=300) < risk
    >>> blurred = np.clip(risk + 0.3 * rng.normal(size=300), 0, 1)
    >>> models = {"known": risk, "blurred": blurred}
    >>> found = pc.net_benefit(ill, models, positive=True, threshold=0.3)
    >>> found.table[["algorithm_1", "algorithm_2", "estimate", "p_adjusted"]].round(3)
      algorithm_1 algorithm_2  estimate  p_adjusted
    0       known     blurred     0.053       0.005
    1       known   treat all     0.066       0.001
    2     blurred   treat all     0.012       0.584
    3       known  treat none     0.328       0.000
    4     blurred  treat none     0.274       0.000
    """
    check_level(level)
    chosen = family_adjustment(adjust, _EQUAL)
    cases = _probabilities(label, scores, positive)
    thresholds = _thresholds(threshold)
    names, rules = _rules(cases, thresholds)
    pairs = list(_pairs(len(cases.names)))
    numbers_of = [
        _compared(cases.truth, rule[i], rule[j], at, level)
        for at, rule in zip(thresholds, rules, strict=True)
        for i, j in pairs
    ]
    few = [
        _rarer(cases.truth, rule[i] != rule[j]) < _FEW
        for rule in rules
        for i, j in pairs
    ]
    rows = np.array(numbers_of).reshape(len(thresholds) * len(pairs), -1)
    estimate, error, t, df, p, low, high = rows.T
    first = np.array([names[i] for i, _ in pairs] * len(thresholds), object)
    second = np.array([names[j] for _, j in pairs] * len(thresholds), object)
    at = np.repeat(thresholds, len(pairs))
    table = Columns(
        {
            "threshold": at,
            "algorithm_1": first,
            "algorithm_2": second,
            "estimate": estimate,
            "std_error": error,
            "statistic": t,
            "df": df,
            "p_value": p,
            "p_adjusted": adjust_family(p, len(names), chosen),
            "conf_low": low,
            "conf_high": high,
        }
    )
    return NetBenefitResult(
        table=table,
        curves=_curves(cases.truth, names, thresholds, rules),
        adjust=chosen.name,
        family=f"{counted(len(pairs), 'pair')} at "
        f"{counted(len(thresholds), 'threshold')}",
        level=level,
        n_positive=cases.n_positive,
        n_negative=cases.n_negative,
        notes=(
            *(
                _SAME.format(pair=f"{name} and {other}", at=threshold)
                for name, other, threshold, each in zip(
                    first, second, at, p, strict=True
                )
                if math.isnan(each)
            ),
            *_few_cases(
                first.tolist(), second.tolist(), at, np.array(few) & ~np.isnan(p)
            ),
        ),
        cases=cases,
        thresholds=tuple(map(float, thresholds)),
    )


def _probabilities(label: ArrayLike, scores: Any, positive: object) -> Cases:
    """Return the cases; no classifier has the name of a rule."""
    cases = probabilities(label, scores, positive)
    for name in cases.names:
        if name in (ALL, NONE):
            raise InputError(
                f"a classifier is called {show(name)}, which is the rule without a "
                f"model: rename it"
            )
    return cases


def _thresholds(threshold: ArrayLike) -> Floats:
    """Return checked thresholds, rising."""
    given = np.atleast_1d(numbers(threshold, "threshold"))
    wrong = [t for t in given.ravel() if not 0 < t < 1]
    if given.ndim != 1 or not given.size or wrong:
        shown = show(float(wrong[0])) if wrong else "none"
        raise InputError(
            setting("threshold") + f": {shown} given; give risks between 0 and 1"
        )
    if len(np.unique(given)) < len(given):
        raise InputError(setting("threshold") + " is given twice; give each once")
    return np.sort(given)


def _rules(cases: Cases, thresholds: Floats) -> tuple[list[str], Bools]:
    """Return the rules, and whom they treat: (thresholds, rules, cases)."""
    treated = np.array([cases.score >= t for t in thresholds])
    none = np.zeros((len(thresholds), 1, len(cases.truth)), bool)
    return [*cases.names, ALL, NONE], np.concatenate([treated, ~none, none], axis=1)


def _pairs(k: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of k classifiers, then each against the two rules."""
    yield from combinations(range(k), 2)
    for rule in (k, k + 1):
        yield from ((i, rule) for i in range(k))


def _compared(
    truth: Bools, first: Bools, second: Bools, threshold: float, level: float
) -> tuple[float, ...]:
    """Return the difference of two rules with its t test and interval."""
    d = _benefits(truth, first, threshold) - _benefits(truth, second, threshold)
    n, mean = len(d), float(d.mean())
    error = float(d.std(ddof=1)) / math.sqrt(n)
    if error == 0:
        return mean, 0.0, math.nan, n - 1.0, math.nan, math.nan, math.nan
    t = mean / error
    half = -float(special.stdtrit(n - 1, (1 - level) / 2)) * error
    p = 2 * float(student.sf(np.array(abs(t)), n - 1))
    return mean, error, t, n - 1.0, p, mean - half, mean + half


def _rarer(truth: Bools, differ: Bools) -> int:
    """Return how many positive, or negative if fewer, cases one rule only treats."""
    return int(min((differ & truth).sum(), (differ & ~truth).sum()))


def _few_cases(
    first: Sequence[str], second: Sequence[str], at: Floats, few: Bools
) -> Iterator[str]:
    """Yield the note of tests that rest on very few positive or negative cases."""
    named = [
        f"{name} and {other} at {threshold:g}"
        for name, other, threshold, is_few in zip(first, second, at, few, strict=True)
        if is_few
    ]
    if named:
        yield (
            f"fewer than {_FEW} positive, or fewer than {_FEW} negative, cases are "
            f"treated by one of two rules only: {show_all(named)}; "
            f"{MEASURED['net_benefit, few cases'].text}"
        )


def _curves(
    truth: Bools, names: list[str], thresholds: Floats, rules: Bools
) -> Columns:
    """Return the net benefit of each rule at each threshold."""
    each = [
        _benefits(truth, rule, t).mean(axis=1)
        for t, rule in zip(thresholds, rules, strict=True)
    ]
    return Columns(
        {
            "threshold": np.repeat(thresholds, len(names)),
            "algorithm": np.array(names * len(thresholds), object),
            "net_benefit": np.concatenate(each),
            "treated": rules.mean(axis=-1).ravel(),
        }
    )


def _benefits(truth: Bools, treated: Bools, threshold: float) -> Floats:
    """Return the net benefit of each case: its mean is that of the decision rule.

    Parameters
    ----------
    truth : ndarray of bool, shape (n,)
    treated : ndarray of bool, shape (..., n)
    threshold : float
        In (0, 1): odds at which a false positive outweighs a true one.

    Notes
    -----
    TP / n - FP / n * t / (1 - t) (Vickers and Elkin 2006).
    """
    odds = threshold / (1 - threshold)
    return np.asarray(np.where(truth, 1.0, -odds) * treated)
