"""Synthesis over studies that compare some of several methods (network meta-analysis).

Studies overlap: one compares A with B, another B with C, a third all of them. A method
that two studies share links their differences, if true differences are consistent:
A - C is A - B plus B - C in the mean over studies.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special

from pycompare.base.arguments import case_labels, check_level, numbers, same_rows
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import interval, number, p_equals
from pycompare.base.formatting.tables import table_text
from pycompare.base.hypotheses import MEANS
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import label_text, show, show_all, unknown_control
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.kernels import network, student
from pycompare.kernels.units import binary_unit
from pycompare.methods.over_datasets.synthesis import require_effects
from pycompare.methods.pairs.common import pair_ends
from pycompare.results.adjust import (
    adjust_family,
    family_adjustment,
    repeatable_in_r,
)
from pycompare.results.estimands import Estimand
from pycompare.results.guarantees import MEASURED
from pycompare.results.result import Result, internal, made_when_read

_FEW = 20
"""Studies below which tau2 is hardly known."""
_ADDS_UP = 0.1
"""Differences of a study may miss their sum by this share of a standard error."""
_ROUNDING = 1e-9
_AGREE = (
    "the Hartung-Knapp standard errors are 0, as all estimates agree: there is no test "
    "and no interval"
)
_NARROW = (
    "the Hartung-Knapp standard errors are {ratio:.3g} times those with known "
    "variances: with few studies they may be too small"
)


@dataclass(frozen=True, eq=False)
class _StudyDifferences:
    """The differences of one study with its first method.

    Attributes
    ----------
    name : str
    methods : tuple of int
    y : ndarray, shape (k - 1,)
    variance : ndarray, shape (k - 1, k - 1)
    missed : float
        By how much differences miss their sums, as a share of a standard error.
    """

    name: str
    methods: tuple[int, ...]
    y: Floats
    variance: Floats
    missed: float

    def design(self, n_methods: int) -> Floats:
        """Return the rows of differences with the first of all methods."""
        x = np.zeros((len(self.y), n_methods))
        x[:, self.methods[0]] = 1.0
        x[np.arange(len(self.y)), list(self.methods[1:])] = -1.0
        return x[:, 1:]


@dataclass(frozen=True, kw_only=True, eq=False)
class NetworkSynthesisResult(Result):
    """Mean differences of all pairs of methods over overlapping studies.

    Attributes
    ----------
    table : DataFrame
        One row per pair: ``algorithm_1 algorithm_2 n_studies estimate std_error
        statistic df p_value p_adjusted conf_low conf_high predicted_low
        predicted_high``. ``estimate`` is the mean over studies of algorithm_1 minus
        algorithm_2; ``n_studies`` compare both directly, and the others contribute
        through common methods. ``predicted_``: limits of the true difference in a new
        study.
    algorithms : tuple of str
    n_studies : int
    adjust, family : str
        Adjustment of p-values, and over which hypotheses.
    level : float
        Confidence level of each interval separately.
    control : str or None
    tau2, tau2_low, tau2_high : float
        Variance of a true difference between studies (REML), with limits by the Q
        profile.
    q, q_df, q_p_value : float
        Test of equal and consistent true differences in all studies.
    notes : tuple of str
    """

    table: pd.DataFrame = made_when_read()
    algorithms: tuple[str, ...]
    n_studies: int
    adjust: str
    family: str
    level: float
    control: str | None
    tau2: float
    tau2_low: float
    tau2_high: float
    q: float
    q_df: float
    q_p_value: float
    notes: tuple[str, ...]
    studies: tuple[_StudyDifferences, ...] = internal()
    unit: float = internal()
    """By which the differences of ``studies`` are divided."""

    @property
    def estimand(self) -> Estimand:
        """Means over a population of studies."""
        return Estimand(
            quantity="mean over studies of the true difference of two methods",
            unit="study",
            population="studies (data sets, sites) like these, with consistent "
            "differences",
            null="a mean difference of 0",
        )

    def as_columns(self) -> Columns:
        """Return ``table``."""
        return Columns.of(self.held("table"))

    def summary(self, digits: int = 4) -> str:
        """Return the pairs, the spread between studies and its test."""
        low, high = self.tau2_low, self.tau2_high
        spread = (
            f"{number(self.tau2, digits)} ({interval(low, high, self.level, digits)})"
        )
        return "\n".join(
            [
                f"{counted(self.n_studies, 'study', 'studies')} of "
                f"{counted(len(self.algorithms), 'method')}; adjusted: {self.adjust}, "
                f"over {self.family}",
                table_text(self.as_columns(), digits),
                f"  variance between studies: {spread}",
                f"  equal and consistent differences: Q({self.q_df:g}) = "
                f"{number(self.q, digits)}, {p_equals(self.q_p_value, digits=digits)}",
                *(f"  note: {note}" for note in self.notes),
            ]
        )

    def r_call(self) -> RCall | None:
        """Return the call of ``metafor::rma.mv``; None without standard errors."""
        if np.isnan(self.as_columns()["std_error"]).any():
            return None
        arguments = {
            **_given(self.studies, self.algorithms, self.control, self.unit),
            "adjust": self.adjust if self._repeatable else "",
            "level": self.level,
        }
        files = ("adjust", "network_synthesis")
        return RCall(files, "network_synthesis_reference", arguments)

    @property
    def _repeatable(self) -> bool:
        return repeatable_in_r(self.adjust, len(self.algorithms))

    def r_values(self) -> dict[str, Any]:
        """Return the numbers of the table, the spread and its test."""
        names = ("estimate", "std_error", "statistic", "df", "p_value", "conf_low",
                 "conf_high", "predicted_low", "predicted_high",
                 *["p_adjusted"] * self._repeatable)  # fmt: skip
        own = ("tau2", "q", "q_df", "q_p_value")
        return self.columns_in_r(*names) | {name: getattr(self, name) for name in own}


@checked
def network_synthesis(
    estimate: ArrayLike,
    *,
    std_error: ArrayLike,
    study: ArrayLike,
    algorithm_1: ArrayLike,
    algorithm_2: ArrayLike,
    control: str | None = None,
    adjust: str = "holm",
    level: float = 0.95,
) -> NetworkSynthesisResult:
    """Compare methods over studies each of which has some of them.

    Parameters
    ----------
    estimate, std_error : array_like, shape (k,)
        Differences algorithm_1 - algorithm_2 within studies, in one unit, with their
        standard errors.
    study, algorithm_1, algorithm_2 : array_like, shape (k,)
        Of each difference. A study of several methods has one row for each pair of
        them: the standard errors of all pairs hold the covariances of the differences,
        whether methods had common cases or not.
    control : str, optional
        Compare each other method with this one only.
    adjust : str, default "holm"
        Any name of ``pc.adjust`` but ``nemenyi``; with a control, one that does not
        need all pairs. Consistent differences are transitive.
    level : float, default 0.95
        Confidence level of each interval separately.

    Returns
    -------
    NetworkSynthesisResult

    Raises
    ------
    DesignError
        If no chain of studies links some methods, or studies are so few that nothing is
        left for the spread between them.
    InputError
        For numbers that are not finite or positive; a study with a pair that is missing
        or given twice, differences that do not add up, or standard errors that no
        covariance has.

    Notes
    -----
    Equation 7.4 of docs/equations.md.

    The consistency model: differences of study i with its first method are N(X_i d, V_i
    + tau2 M), where M has 1 on the diagonal and 1/2 off it, so that all true
    differences vary by tau2 between studies. tau2 by restricted maximum likelihood;
    covariances of the estimates are multiplied by the mean square of the weighted
    residuals, and t has their degrees of freedom, as Hartung and Knapp's for one
    difference (``synthesis``, which it is with two methods). Within-study errors are
    assumed to be known. A large ``q`` can come from unequal differences or from
    inconsistent ones.

    R: ``metafor::rma.mv(random = ~ comparison | study, rho = 0.5)`` for tau2; with two
    methods in each study ``metafor::rma(mods =, test = "knha")`` has all numbers.

    References
    ----------
    .. [1] Lu, G., Ades, A. E. (2004). Statistics in Medicine 23, 3105-3124.
    .. [2] Rücker, G. (2012). Research Synthesis Methods 3, 312-324.
    .. [3] Hartung, J., Knapp, G. (2001). Statistics in Medicine 20, 3875-3889.

    Examples
    --------
    >>> import pycompare as pc
    >>> found = pc.network_synthesis(
    ...     [0.10, 0.14, -0.03, 0.02, 0.16, 0.11, -0.05, 0.06],
    ...     std_error=[0.04, 0.05, 0.03, 0.04, 0.04, 0.05, 0.05, 0.04],
    ...     study=["s1", "s2", "s3", "s4", "s5", "s6", "s6", "s6"],
    ...     algorithm_1=["A", "A", "B", "B", "A", "A", "B", "A"],
    ...     algorithm_2=["B", "B", "C", "C", "C", "B", "C", "C"],
    ... )
    >>> names = ["algorithm_1", "algorithm_2", "n_studies", "estimate", "p_adjusted"]
    >>> found.table[names].round(3)
      algorithm_1 algorithm_2  n_studies  estimate  p_adjusted
    0           A           B          3     0.121       0.008
    1           A           C          2     0.108       0.009
    2           B           C          3    -0.013       0.538
    """
    check_level(level)
    y, errors, labels = _rows_of(
        estimate, std_error, study, algorithm_1=algorithm_1, algorithm_2=algorithm_2
    )
    names = tuple(dict.fromkeys([*labels["algorithm_1"], *labels["algorithm_2"]]))
    if control is not None and control not in names:
        raise InputError(unknown_control(control, names))
    chosen = family_adjustment(adjust, MEANS, control)
    unit = float(binary_unit(np.concatenate([y, errors]))[0])
    studies = _studies_of(y / unit, errors / unit, labels, names)
    _check_linked(studies, names)
    parts = [network.independent_rows(s.y, s.design(len(names)), s.variance)
             for s in studies]  # fmt: skip
    rows = network.IndependentRows(
        *(np.concatenate([getattr(part, name) for part in parts])
          for name in ("y", "x", "spread"))
    )  # fmt: skip
    if rows.df < 1:
        raise DesignError(
            f"{counted(len(studies), 'study', 'studies')} of "
            f"{counted(len(names), 'method')} leave no degrees of freedom for the "
            f"spread between studies: add studies that compare the same methods"
        )
    fit = network.fitted(rows, level)
    table = _table(fit, rows.df, names, control, studies, level, unit)
    p = table["p_value"]
    at = list(table).index("p_value") + 1
    adjusted = {"p_adjusted": adjust_family(p, len(names), chosen)}
    items = list(table.items())
    pairs = counted(len(p), "pair")
    return NetworkSynthesisResult(
        table=Columns(dict(items[:at]) | adjusted | dict(items[at:])),
        algorithms=names,
        n_studies=len(studies),
        adjust=chosen.name,
        family=f"{pairs} with {show(control)}" if control is not None else pairs,
        level=level,
        control=control,
        tau2=fit.tau2 * unit * unit,
        tau2_low=fit.tau2_low * unit * unit,
        tau2_high=fit.tau2_high * unit * unit,
        q=fit.q,
        q_df=float(rows.df),
        q_p_value=float(special.chdtrc(rows.df, fit.q)),
        notes=_notes(fit, studies),
        studies=tuple(studies),
        unit=unit,
    )


def _table(
    fit: network.Network,
    df: int,
    names: tuple[str, ...],
    control: str | None,
    studies: list[_StudyDifferences],
    level: float,
    unit: float,
) -> dict[str, Any]:
    """Return the columns of the pairs, in the unit of the estimates."""
    ends = pair_ends(names, control)
    weights = np.zeros((len(ends), len(names)))
    every = np.arange(len(ends))
    weights[every, ends[:, 0]], weights[every, ends[:, 1]] = 1.0, -1.0
    difference = weights[:, 1:] @ fit.d
    inner = np.einsum("ri,ij,rj->r", weights[:, 1:], fit.covariance, weights[:, 1:])
    error = np.sqrt(fit.scale * inner)
    error = np.where(error > 0, error, math.nan)
    t = difference / error
    quantile = -float(special.stdtrit(df, (1 - level) / 2))
    half = quantile * error
    wide = quantile * np.sqrt(fit.tau2 + error**2)
    direct = [
        sum({int(i), int(j)} <= set(study.methods) for study in studies)
        for i, j in ends
    ]
    labels = np.array(names, dtype=object)
    return {
        "algorithm_1": labels[ends[:, 0]],
        "algorithm_2": labels[ends[:, 1]],
        "n_studies": np.array(direct),
        "estimate": difference * unit,
        "std_error": error * unit,
        "statistic": t,
        "df": np.full(len(t), float(df)),
        "p_value": 2 * student.sf(np.abs(t), df),
        "conf_low": (difference - half) * unit,
        "conf_high": (difference + half) * unit,
        "predicted_low": (difference - wide) * unit,
        "predicted_high": (difference + wide) * unit,
    }


def _notes(fit: network.Network, studies: list[_StudyDifferences]) -> tuple[str, ...]:
    """Return the notes for readers."""
    rounded = [study.name for study in studies if study.missed > _ROUNDING]
    told = []
    if rounded:
        worst = max(study.missed for study in studies)
        told.append(
            f"differences of {show_all(rounded)} add up to within {worst:.1%} of a "
            "standard error; those with the first method of each study are used"
        )
    ratio = math.sqrt(fit.scale)
    if not ratio:
        told.append(_AGREE)
    elif ratio < 0.9995:  # a nearer one reads as 1
        told.append(_NARROW.format(ratio=ratio))
    if len(studies) < _FEW:
        told += [
            MEASURED["network_synthesis"].text,
            MEASURED["network_synthesis: new study"].text,
        ]
    elif fit.tau2_low == 0:
        told.append(MEASURED["network_synthesis, little spread: new study"].text)
    return tuple(told)


def _given(
    studies: Sequence[_StudyDifferences],
    names: tuple[str, ...],
    control: str | None,
    unit: float,
) -> dict[str, Any]:
    """Return the differences with the first method of each study, as R gets them."""
    ends = pair_ends(names, control) + 1.0
    y = np.concatenate([study.y for study in studies]) * unit
    variance = np.zeros((len(y), len(y)))
    start = 0
    for study in studies:
        end = start + len(study.y)
        variance[start:end, start:end] = study.variance * unit * unit
        start = end
    return {
        "y": y,
        "variance": variance,
        "x": np.concatenate([study.design(len(names)) for study in studies]),
        "study": np.repeat(
            np.arange(1.0, len(studies) + 1), [len(study.y) for study in studies]
        ),
        "first": ends[:, 0],
        "second": ends[:, 1],
    }


# ---- reading


def _rows_of(
    estimate: ArrayLike, std_error: ArrayLike, study: ArrayLike, **methods: ArrayLike
) -> tuple[Floats, Floats, dict[str, list[str]]]:
    """Return checked differences, standard errors and labels."""
    given = {"estimate": estimate, "std_error": std_error, "study": study, **methods}
    same_rows(**given)
    y, errors = numbers(estimate, "estimate"), numbers(std_error, "std_error")
    if y.ndim != 1 or y.shape != errors.shape or not len(y):
        raise InputError(
            setting("std_error")
            + f" of shape {errors.shape} for estimates of shape {y.shape}: give one "
            f"number per difference, each a vector"
        )
    require_effects(y, errors, "differences")
    labels = {}
    for name in ("study", "algorithm_1", "algorithm_2"):
        values = case_labels(given[name], name)
        if values.shape != y.shape:
            raise InputError(
                setting(name)
                + f" of shape {values.shape} for {len(y)} differences: give one each"
            )
        labels[name] = [label_text(value) for value in values.tolist()]
    same = [a for a, b in zip(labels["algorithm_1"], labels["algorithm_2"], strict=True)
            if a == b]  # fmt: skip
    if same:
        raise InputError(f"a row compares {show(same[0])} with itself: leave it out")
    return y, errors, labels


def _studies_of(
    y: Floats, errors: Floats, labels: dict[str, list[str]], names: tuple[str, ...]
) -> list[_StudyDifferences]:
    """Return the studies in order of first appearance."""
    at = {name: i for i, name in enumerate(names)}
    by_study: dict[str, dict[tuple[int, int], tuple[float, float]]] = {}
    for row, name in enumerate(labels["study"]):
        i, j = at[labels["algorithm_1"][row]], at[labels["algorithm_2"][row]]
        sign = 1.0 if i < j else -1.0
        pair = (min(i, j), max(i, j))
        held = by_study.setdefault(name, {})
        if pair in held:
            raise InputError(
                f"study {show(name)} has {show(names[pair[0]])} and "
                f"{show(names[pair[1]])} twice: average the results of one study first"
            )
        held[pair] = (sign * float(y[row]), float(errors[row]))
    return [_one_study(name, pairs, names) for name, pairs in by_study.items()]


def _one_study(
    name: str,
    pairs: Mapping[tuple[int, int], tuple[float, float]],
    names: tuple[str, ...],
) -> _StudyDifferences:
    """Return the differences of a study with its first method, and covariances."""
    methods = tuple(sorted({i for pair in pairs for i in pair}))
    for pair in combinations(methods, 2):
        if pair not in pairs:
            raise InputError(
                f"study {show(name)} lacks the difference of {show(names[pair[0]])} "
                f"and {show(names[pair[1]])}: give all pairs of its "
                f"{counted(len(methods), 'method')}, whose standard errors hold the "
                f"covariances"
            )
    first, *others = methods
    y = np.array([pairs[first, j][0] for j in others])
    square = np.array([pairs[first, j][1] ** 2 for j in others])
    variance = np.diag(square)
    missed = 0.0
    for (a, i), (b, j) in combinations(enumerate(others), 2):
        between, error = pairs[i, j]
        # Of first - i and first - j, by Var(i - j).
        variance[a, b] = variance[b, a] = (square[a] + square[b] - error**2) / 2
        sums = y[b] - y[a]
        least = min(error, math.sqrt(square[a]), math.sqrt(square[b]))
        off = abs(sums - between) / least
        if off > _ADDS_UP:
            base, second, third = (show(names[k]) for k in (first, i, j))
            raise InputError(
                f"study {show(name)}: {second} - {third} differs by {off:.2g} standard "
                f"errors from ({base} - {third}) - ({base} - {second}): differences of "
                f"one study add up, so check their signs, or compute them from the "
                f"same cases"
            )
        missed = max(missed, off)
    if np.linalg.eigvalsh(variance / np.sqrt(np.outer(square, square)))[0] <= 1e-9:
        raise InputError(
            f"study {show(name)}: no covariance matrix has these standard errors of "
            f"all pairs; check them"
        )
    return _StudyDifferences(name, methods, y, variance, missed)


def _check_linked(studies: list[_StudyDifferences], names: tuple[str, ...]) -> None:
    """Reject methods that no chain of studies links."""
    reached: NDArray[np.bool_] = np.zeros(len(names), bool)
    reached[0] = True
    for _ in names:
        for study in studies:
            if reached[list(study.methods)].any():
                reached[list(study.methods)] = True
    if not reached.all():
        inside = [n for n, r in zip(names, reached, strict=True) if r]
        outside = [n for n, r in zip(names, reached, strict=True) if not r]
        raise DesignError(
            f"no chain of studies links {show_all(inside)} with {show_all(outside)}: "
            f"analyse the groups apart, or add studies"
        )
