"""Cross-validated AUC with an interval from its influence function."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special

from pycompare.base.arguments import case_labels, check_level, same_rows
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.data.measures.cases import Cases, one_score
from pycompare.data.measures.chance import below_chance
from pycompare.kernels import placements
from pycompare.methods.curves.few_cases import few_cases
from pycompare.methods.curves.interval import fold_codes
from pycompare.results.result import Estimate, internal

_NO_VARIANCE = (
    "in every fold all cases of a class have the same place among the others, as with "
    "an AUC of 0 or 1 or equal scores, if no variance can be estimated whatever the "
    "number of cases"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class CvAucResult(Estimate):
    """Cross-validated AUC.

    Attributes
    ----------
    std_error : float
    fold_areas : DataFrame
        Columns ``repeat fold auc n_positive n_negative``.
    n_cases, n_folds, n_repeats : int
        Distinct cases; folds of one repeat; repeats.
    """

    std_error: float
    fold_areas: pd.DataFrame
    n_cases: int
    n_folds: int
    n_repeats: int
    arguments: dict[str, Any] = internal()

    def as_columns(self) -> Columns:
        """Return one row."""
        return super().as_columns().but(std_error=self.std_error)

    def r_call(self) -> RCall:
        """Return the call of the derivation in R."""
        return RCall(("roc", "cv_auc"), "cv_auc_reference", self.arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the estimate, its standard error and the interval."""
        return {
            "estimate": self.estimate,
            "std_error": self.std_error,
            "conf_low": self.conf_low,
            "conf_high": self.conf_high,
            "fold_area": self.fold_areas["auc"].to_numpy(float),
        }

    r_paths: ClassVar[Mapping[str, str]] = {"fold_area": "fold_areas/auc"}


@dataclass(frozen=True)
class CaseRows:
    """Cases, and for each row the number of its repeat, fold and case."""

    cases: Cases
    repeat: NDArray[np.intp]
    fold: NDArray[np.intp]
    case: NDArray[np.intp]
    repeats: list[Any]
    folds: list[Any]


@checked
def cv_auc(
    label: ArrayLike,
    score: ArrayLike,
    *,
    fold: ArrayLike,
    positive: object,
    repeat: ArrayLike | None = None,
    case: ArrayLike | None = None,
    level: float = 0.95,
) -> CvAucResult:
    """Return the mean AUC of cross-validation folds with an interval over cases.

    Parameters
    ----------
    label, score : array_like, shape (n,)
        As in ``roc_curve``; the score of a case by the model that was trained without
        its fold.
    fold : array_like, shape (n,)
        The fold of each row.
    positive : object
        The label of the positive class.
    repeat, case : array_like, shape (n,), optional
        Both or neither. With repeated cross-validation: the repeat of each row, and
        which case it is; each repeat has every case once.
    level : float
        Confidence level; limits are cut at 0 and 1.

    Returns
    -------
    CvAucResult
        The interval holds for the average AUC of the models that were trained, over
        new cases; unlike the t interval of folds it does not treat folds as
        independent.

    Raises
    ------
    DesignError
        If a fold has cases of one class only, or a repeat lacks a case.
    InputError
        For bad labels or scores as in ``roc_curve``, or only one of repeat and case.

    Notes
    -----
    The influence of a positive case is (V10 - A_v) / P(positive), of a negative one
    (V01 - A_v) / P(negative), V10 and V01 its placements in its fold v (ties 1/2), A_v
    the fold's AUC, the shares those of all cases. The variance is the mean over folds
    of the mean square, over the number of cases. With repeats the influences of a
    case, scaled by sqrt(n / (V n_v)), are averaged first: cases are the independent
    units, so repeats do not make an interval narrow as new cases would.

    The variance is that of many cases: with few of a class in each fold it is too small
    (normal scores, AUC 0.76, 60 or 100 cases in 10 folds: about 90% of 95% intervals
    contain the true value).

    R: ``cvAUC::ci.cvAUC``; the paper has strict inequalities, so ties count 0 there.

    References
    ----------
    .. [1] LeDell, E., Petersen, M., van der Laan, M. (2015). Electronic Journal of
       Statistics 9, 1583-1607.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ill = np.repeat([True, False], 40)
    >>> first = rng.normal(ill)
    >>> tests = {"first": first, "second": first + rng.normal(size=80)}
    >>> area = pc.cv_auc(ill, first, fold=np.tile(range(10), 8), positive=True)
    >>> print(f"{area.estimate:.3f} [{area.conf_low:.3f}, {area.conf_high:.3f}]")
    0.850 [0.763, 0.937]
    """
    check_level(level)
    if (repeat is None) != (case is None):
        raise InputError("give both repeat and case, or neither")
    same_rows(label=label, fold=fold, repeat=repeat, case=case)
    rows = rows_of(one_score(label, score, positive), fold, repeat, case)
    areas, influence = influences(rows)
    n_cases = len(influence)
    per_repeat = areas.groupby("repeat", sort=False)["auc"].mean()
    estimate = float(per_repeat.mean())
    error = math.sqrt(float(np.sum(influence**2))) / n_cases
    half = -float(special.ndtri((1 - level) / 2)) * error if error else math.nan
    return CvAucResult(
        name="cross-validated AUC",
        method="influence function (LeDell et al. 2015), normal",
        estimate=estimate,
        std_error=error,
        conf_low=float(np.maximum(estimate - half, 0.0)),
        conf_high=float(np.minimum(estimate + half, 1.0)),
        level=level,
        notes=(
            *(() if error else (_NO_VARIANCE,)),
            *below_chance(estimate),
            *few_of_rows(rows, "cv_auc"),
        ),
        fold_areas=areas,
        n_cases=n_cases,
        n_folds=len(areas) // len(per_repeat),
        n_repeats=len(per_repeat),
        arguments={
            **rows.cases.r_arguments(),
            "fold": rows.fold + 1.0,
            "repeat_number": rows.repeat + 1.0,
            "case": rows.case + 1.0,
            "level": level,
        },
    )


def few_of_rows(rows: CaseRows, function: str) -> list[str]:
    """Note that a class has few cases, each counted once whatever the repeats."""
    once = np.unique(rows.case, return_index=True)[1]
    return few_cases(replace(rows.cases, truth=rows.cases.truth[once]), function)


def rows_of(cases: Cases, fold: Any, repeat: Any, case: Any) -> CaseRows:
    """Return the numbers of repeats, folds and cases; each repeat has every case."""
    n = len(cases.truth)
    folds, fold_names = fold_codes(fold, n)
    if repeat is None:
        return CaseRows(
            cases, np.zeros(n, np.intp), folds, np.arange(n), [1], fold_names
        )
    repeats, names = _codes(repeat, n, "repeat")
    units, unit_names = _codes(case, n, "case")
    counts = np.bincount(
        repeats * len(unit_names) + units, minlength=len(names) * len(unit_names)
    )
    wrong = np.flatnonzero(counts != 1)
    if len(wrong):
        r, c = divmod(int(wrong[0]), len(unit_names))
        raise DesignError(
            f"case {unit_names[c]!r} is {counts[wrong[0]]} times in repeat "
            f"{names[r]!r}; each repeat has every case once"
        )
    truth = np.zeros(len(unit_names), bool)
    truth[units] = cases.truth
    differ = np.flatnonzero(truth[units] != cases.truth)
    if len(differ):
        raise DesignError(
            f"case {unit_names[units[differ[0]]]!r} has both labels; give it one"
        )
    return CaseRows(cases, repeats, folds, units, names, fold_names)


def _codes(values: Any, n: int, what: str) -> tuple[NDArray[np.intp], list[Any]]:
    """Return numbers for the distinct values of a column, and these values."""
    column = case_labels(values, what)
    if column.shape != (n,):
        raise InputError(f"{what} of shape {column.shape}: give one per row, ({n},)")
    numbers, names = pd.factorize(column)
    return numbers, list(names)


def influences(rows: CaseRows, classifier: int = 0) -> tuple[pd.DataFrame, Floats]:
    """Return the AUCs of folds, and the scaled influence of each case."""
    truth, score = rows.cases.truth, rows.cases.score[classifier]
    n_cases = int(rows.case.max()) + 1
    share = float(truth.mean())
    total = np.zeros(n_cases)
    table = []
    for r, name in enumerate(rows.repeats):
        here = np.flatnonzero(rows.repeat == r)
        present = pd.unique(rows.fold[here])
        for v in present:
            at = here[rows.fold[here] == v]
            area = float(placements.auc(truth[at], score[at]))
            n1 = int(truth[at].sum())
            if area != area:
                raise DesignError(
                    f"fold {rows.folds[v]!r} of repeat {name!r} has cases of one class "
                    f"only; its AUC is undefined: stratify the folds"
                )
            away = placements.placements(truth[at], score[at]) - area
            away /= np.where(truth[at], share, 1 - share)
            total[rows.case[at]] += away * math.sqrt(n_cases / len(present) / len(at))
            table.append((name, rows.folds[v], area, n1, len(at) - n1))
    columns = ["repeat", "fold", "auc", "n_positive", "n_negative"]
    return pd.DataFrame(table, columns=pd.Index(columns)), total / len(rows.repeats)
