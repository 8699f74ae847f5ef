"""Intervals of the error of one learner from one cross-validation."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import case_labels, check_level, numbers, same_rows
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import levels
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats, Ints
from pycompare.kernels import student
from pycompare.kernels.units import binary_unit
from pycompare.methods.pairs.overlap import (
    MOST_FOLDS,
    enlarged_of_repeats,
    enlarged_of_run,
)
from pycompare.results.result import Result, internal, made_when_read

if TYPE_CHECKING:
    import pandas as pd

_OF_MODELS = "mean error of these trained models on new cases"
_OF_LEARNER = "expected error of new training sets of this size on new cases"
_REFERENCES = (
    "Bayle et al. (2020) Advances in Neural Information Processing Systems 33; Nadeau "
    "& Bengio (2003) Machine Learning 52, 239-281"
)
_MANY_FOLDS = (
    f"no corrected t interval: its overlap term has been studied up to {MOST_FOLDS} "
    "folds of one cross-validation"
)
_STILL = "the {} interval has no limits: its standard error is 0"
_REPEATED = "no per-case interval: it is for one cross-validation, without repeats"


@dataclass(frozen=True, kw_only=True, eq=False)
class CvErrorIntervals(Result):
    """Intervals of the error of one learner, each with the quantity it covers.

    Attributes
    ----------
    table : DataFrame
        One row per method: ``method covers estimate std_error df conf_low conf_high``.
        ``covers`` is the quantity of the interval. Limits are NaN if losses do not
        vary.
    level : float
    n_cases, n_folds, n_repeats : int
    overlap : float
        Factor c of n_test/n_train in the variance of the corrected t interval.
    notes : tuple of str
    reference : str
    """

    table: pd.DataFrame = made_when_read()
    level: float
    n_cases: int
    n_folds: int
    n_repeats: int
    overlap: float
    notes: tuple[str, ...]
    reference: str = _REFERENCES
    arguments: dict[str, Any] = internal()

    r_columns: ClassVar[tuple[str, ...]] = (
        "estimate", "std_error", "df", "conf_low", "conf_high",
    )  # fmt: skip

    def row_labels(self) -> list[Any]:
        """Return the method of each row."""
        return [(name,) for name in self.as_columns()["method"].tolist()]

    def r_call(self) -> RCall:
        """Return the call of both intervals."""
        return RCall(("cv_errors",), "cv_error_intervals_reference", self.arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the estimates and their limits."""
        return self.columns_in_r(*self.r_columns)


@checked
def cv_error_intervals(
    loss: ArrayLike,
    fold: ArrayLike,
    *,
    repeat: ArrayLike | None = None,
    level: float = 0.95,
) -> CvErrorIntervals:
    """Return intervals of the error of one learner from the losses of its test cases.

    Parameters
    ----------
    loss : array_like, shape (n,)
        The loss of each case by the model that was trained without its fold: 0 or 1
        for a right or wrong class, or a number such as a squared error.
    fold : array_like, shape (n,)
        The fold of each row; all cases of a cross-validation are given.
    repeat : array_like, shape (n,), optional
        With repeated cross-validation: the repeat of each row.
    level : float, default 0.95
        Confidence level of each interval separately.

    Returns
    -------
    CvErrorIntervals
        ``per-case``: without repeats; treats cases as independent and covers the mean
        error of the models that were trained. ``corrected t``: from the means of
        folds, with the enlarged term for shared training data; covers the expected
        error over training sets. It is left out for more than 10 folds of one
        cross-validation.

    Raises
    ------
    InputError
        If a loss is missing, or lengths differ.
    DesignError
        If a repeat has fewer than two folds, or repeats differ in size.

    Notes
    -----
    Equation 14.1 of docs/equations.md. R: own derivation.

    With learners trained on 60 or 100 cases, 95% intervals covered 0.87 to 0.94 (per
    case) and 0.97 to 1.00 (corrected t). Neither interval is about the model trained on
    all cases: ``pc.nested_cv`` is.

    References
    ----------
    .. [1] Bayle, P., Bayle, A., Janson, L., Mackey, L. (2020). Cross-validation
       confidence intervals for test error. NeurIPS 33.
    .. [2] Nadeau, C., Bengio, Y. (2003). Machine Learning 52, 239-281.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> wrong = (rng.random(100) < 0.2).astype(float)
    >>> result = pc.cv_error_intervals(wrong, np.arange(100) % 10)
    >>> result.table[["method", "estimate", "conf_low", "conf_high"]].round(3)
            method  estimate  conf_low  conf_high
    0     per-case      0.19     0.113      0.267
    1  corrected t      0.19     0.083      0.297
    """
    check_level(level)
    losses, folds, repeats = _checked(loss, fold, repeat)
    unit = binary_unit(losses).item()
    scaled = losses / unit
    n_repeats = int(repeats.max()) + 1
    n_cases = len(losses) // n_repeats
    cells = repeats * (int(folds.max()) + 1) + folds
    sizes = np.bincount(cells)
    means = np.bincount(cells, scaled)[sizes > 0] / sizes[sizes > 0]
    n_folds = len(means) // n_repeats
    tail = (1 - level) / 2
    rows = []
    if n_repeats == 1:
        error = math.sqrt(float(np.mean((scaled - scaled.mean()) ** 2)) / n_cases)
        rows.append(("per-case", _OF_MODELS, scaled.mean(), error, math.inf))
    overlap = _overlap(n_folds, n_repeats)
    if n_repeats > 1 or n_folds <= MOST_FOLDS:
        factor = 1 / len(means) + overlap / (n_folds - 1)
        error = math.sqrt(float(means.var(ddof=1)) * factor)
        rows.append(("corrected t", _OF_LEARNER, means.mean(), error, len(means) - 1))
    method, covers, estimate, errors, df = zip(*rows, strict=True)
    center, spread, free = (np.array(c, float) for c in (estimate, errors, df))
    half = student.half_widths(spread, free, tail)
    table = {
        "method": np.array(method, dtype=object),
        "covers": np.array(covers, dtype=object),
        "estimate": unit * center,
        "std_error": unit * spread,
        "df": free,
        "conf_low": unit * (center - half),
        "conf_high": unit * (center + half),
    }
    return CvErrorIntervals(
        table=Columns(table),
        level=float(level),
        n_cases=n_cases,
        n_folds=n_folds,
        n_repeats=n_repeats,
        overlap=overlap,
        notes=(
            *_notes(n_folds, n_repeats),
            *(_STILL.format(row[0]) for row in rows if row[3] == 0),
        ),
        arguments={
            "loss": losses,
            "fold": folds + 1.0,
            "repeat_number": repeats + 1.0,
            "overlap": overlap,
            "most_folds": float(MOST_FOLDS),
            "level": level,
        },
    )


def _overlap(n_folds: int, n_repeats: int) -> float:
    """Return the enlarged overlap term of equal folds."""
    if n_repeats > 1:
        return enlarged_of_repeats(n_folds - 1, 1)
    return enlarged_of_run(min(n_folds, MOST_FOLDS))


def _notes(n_folds: int, n_repeats: int) -> tuple[str, ...]:
    """Return which interval there is not, and why."""
    if n_repeats > 1:
        return (_REPEATED,)
    return (_MANY_FOLDS,) if n_folds > MOST_FOLDS else ()


def _checked(loss: Any, fold: Any, repeat: Any) -> tuple[Floats, Ints, Ints]:
    """Return losses with the numbers of their folds and repeats."""
    losses = numbers(loss, "loss", truth_values=True)
    if losses.ndim != 1 or len(losses) < 2:
        raise InputError(
            f"loss of shape {losses.shape}: give one loss per test case, two or more"
        )
    if not np.isfinite(losses).all():
        [first, *_] = np.flatnonzero(~np.isfinite(losses))
        raise InputError(
            f"loss of row {first + 1} is {losses[first]}: give a finite number for "
            "each case"
        )
    same_rows(loss=loss, fold=fold, repeat=repeat)
    columns = [_codes(fold, "fold", len(losses))]
    if repeat is None:
        columns.append(np.zeros(len(losses), int))
    else:
        columns.append(_codes(repeat, "repeat", len(losses)))
    folds, repeats = columns
    of_each = np.bincount(repeats)
    if len(set(of_each.tolist())) > 1:
        raise DesignError(
            f"repeats have {of_each.min()} to {of_each.max()} rows; each repeat of a "
            "cross-validation tests every case once"
        )
    pairs = np.unique(np.column_stack([repeats, folds]), axis=0)[:, 0]
    n_folds = np.bincount(pairs)
    if n_folds.min() < 2 or len(set(n_folds.tolist())) > 1:
        raise DesignError(
            f"repeats have {n_folds.min()} to {n_folds.max()} folds; give two or more, "
            "as many in each repeat"
        )
    return losses, folds, repeats


def _codes(values: Any, what: str, n: int) -> Ints:
    """Return numbers for the labels of a column."""
    column = case_labels(values, what)
    if column.shape != (n,):
        raise InputError(f"{what} of shape {column.shape}: give one per row, ({n},)")
    return np.asarray(levels(column.tolist(), what=what).codes, int)
