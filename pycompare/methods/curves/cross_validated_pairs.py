"""Differences of cross-validated AUCs of classifiers on the same folds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_level, same_rows
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show
from pycompare.base.tables import Columns
from pycompare.data.measures.cases import many_scores
from pycompare.kernels import student
from pycompare.methods.curves.cross_validated import few_of_rows, influences, rows_of
from pycompare.methods.pairs.common import pair_index
from pycompare.results.result import Result, RowsOfPairs, internal, made_when_read

if TYPE_CHECKING:
    import pandas as pd

_COLUMNS = ("estimate", "std_error", "conf_low", "conf_high")
_SAME = "{} and {} rank the cases of every fold alike: there is no interval"
_COVERS = "difference of the mean AUCs of these trained models on new cases"


@dataclass(frozen=True, kw_only=True, eq=False)
class CvAucPairs(RowsOfPairs, Result):
    """Differences of cross-validated AUCs.

    Attributes
    ----------
    table : DataFrame
        One row per pair: ``algorithm_1 algorithm_2 estimate std_error conf_low
        conf_high``; the first AUC minus the second.
    covers : str
        The quantity of the intervals.
    areas : DataFrame
        ``algorithm auc``: means over folds and repeats.
    algorithms : tuple of str
        The classifiers, in the order of the data.
    control : str or None
    level : float
        Confidence level of each interval separately.
    n_cases, n_folds, n_repeats : int
    notes : tuple of str
    reference : str
    """

    table: pd.DataFrame = made_when_read()
    covers: str = _COVERS
    areas: pd.DataFrame = made_when_read()
    algorithms: tuple[str, ...]
    control: str | None
    level: float
    n_cases: int
    n_folds: int
    n_repeats: int
    notes: tuple[str, ...]
    reference: str = (
        "LeDell et al. (2015) Electronic Journal of Statistics 9, 1583-1607"
    )
    arguments: dict[str, Any] = internal()

    def r_call(self) -> RCall:
        """Return the call of all differences."""
        return RCall(
            ("ranks", "roc", "cv_auc"), "cv_auc_pairs_reference", self.arguments
        )

    def r_values(self) -> dict[str, Any]:
        """Return the differences and their limits."""
        return self.columns_in_r(*_COLUMNS)


@checked
def cv_auc_pairs(
    label: ArrayLike,
    scores: Any,
    *,
    fold: ArrayLike,
    positive: object,
    repeat: ArrayLike | None = None,
    case: ArrayLike | None = None,
    control: str | None = None,
    level: float = 0.95,
) -> CvAucPairs:
    """Return differences of cross-validated AUCs with intervals over cases.

    Parameters
    ----------
    label : array_like, shape (n,)
        As in ``roc_curve``.
    scores : DataFrame, mapping of str to array_like, or array (n, classifiers)
        The scores of two classifiers or more, each by the model that was trained
        without the fold of the case. All classifiers have the same folds.
    fold, positive, repeat, case, level
        As in ``cv_auc``.
    control : str, optional
        Compare each other classifier with this one. Default: all pairs.

    Returns
    -------
    CvAucPairs
        The intervals hold for the models that were trained, over new cases, not for new
        training sets. A note names classifiers that rank the cases alike: these have no
        interval.

    Raises
    ------
    InputError, DesignError
        As ``cv_auc``.

    Notes
    -----
    Equation 14.3 of docs/equations.md. R: own derivation.

    With models trained on 48 of 60 cases, 95% intervals covered 0.91; on 160 of 200,
    0.93. The influence of a case on a difference is the difference of its influences.
    With one fold this is DeLong's variance with n in place of n - 1.

    References
    ----------
    .. [1] LeDell, E., Petersen, M., van der Laan, M. (2015). Electronic Journal of
       Statistics 9, 1583-1607.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> sick = rng.random(100) < 0.4
    >>> scores = {name: sick + k * rng.normal(size=100) for name, k in
    ...           {"A": 0.8, "B": 1.6}.items()}
    >>> pairs = pc.cv_auc_pairs(sick, scores, fold=np.arange(100) % 5, positive=True)
    >>> pairs.table[["estimate", "conf_low", "conf_high"]].round(3)
       estimate  conf_low  conf_high
    0     0.108    -0.027      0.243
    """
    check_level(level)
    if (repeat is None) != (case is None):
        raise InputError("give both repeat and case, or neither")
    cases = many_scores(label, scores, positive)
    same_rows(label=label, fold=fold, repeat=repeat, case=case)
    rows = rows_of(cases, fold, repeat, case)
    pairs = pair_index(cases.names, control)
    areas, each = zip(
        *(influences(rows, j) for j in range(len(cases.names))), strict=True
    )
    means = np.array([own["auc"].mean() for own in areas])
    influence = np.array(each)
    difference = means[pairs.first] - means[pairs.second]
    away = influence[pairs.first] - influence[pairs.second]
    error = np.sqrt((away**2).sum(axis=1)) / influence.shape[1]
    half = student.half_widths(error, np.full(len(error), math.inf), (1 - level) / 2)
    n_repeats = len(rows.repeats)
    same = [
        _SAME.format(
            show(cases.names[pairs.first[k]]), show(cases.names[pairs.second[k]])
        )
        for k in np.flatnonzero(error == 0)
    ]
    return CvAucPairs(
        table=Columns(
            {
                **pairs.labels,
                "estimate": difference,
                "std_error": error,
                "conf_low": np.maximum(difference - half, -1.0),
                "conf_high": np.minimum(difference + half, 1.0),
            }
        ),
        algorithms=tuple(map(str, cases.names)),
        areas=Columns({"algorithm": np.array(cases.names, dtype=object), "auc": means}),
        control=control,
        level=float(level),
        n_cases=influence.shape[1],
        n_folds=len(areas[0]) // n_repeats,
        n_repeats=n_repeats,
        notes=(*few_of_rows(rows, "cv_auc_pairs"), *same),
        arguments={
            **cases.r_arguments(),
            "fold": rows.fold + 1.0,
            "repeat_number": rows.repeat + 1.0,
            "case": rows.case + 1.0,
            "control": control or "",
            "level": level,
        },
    )
