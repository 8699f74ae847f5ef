"""Calibration error within bins, debiased, with an interval."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from pycompare.base.arguments import (
    case_labels,
    check_flags,
    check_level,
    check_word,
    same_rows,
)
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.numbers import percent
from pycompare.base.formatting.tables import table_text
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import label_text, show, show_all
from pycompare.base.tables import Columns
from pycompare.base.typing import BinsName, Bools, Floats, Ints
from pycompare.data.measures.cases import (
    named_columns,
    probabilities,
    require_probabilities,
)
from pycompare.kernels.binned_calibration import (
    Bins,
    bin_of,
    binned,
    limits,
    share_above,
)
from pycompare.results.estimands import Estimand
from pycompare.results.guarantees import MEASURED
from pycompare.results.result import Result, internal, made_when_read

_TOP = "top label"
_OF_BINS = ("low", "high", "mean_score", "share", "difference")
_SUM = 1e-3
"""How far the probabilities of the classes may be from a sum of 1."""
_FEW, _FEW_CASES = 10, 500
"""Cases of a bin, and in all, below which there is a note."""
_CLOSE = (
    "{name}: shares are closer to the mean scores than in {share} of samples from a "
    "calibrated classifier, so that both limits are 0; the scores may have been fitted "
    "to these cases"
)
_BELOW = (
    "{name}: the debiased estimate lies below its interval, because the variance in "
    "bins is estimated from few outcomes; use the interval"
)
_STUDY = "calibration_error, strongly, U-shaped, n = 200"


@dataclass(frozen=True, kw_only=True, eq=False)
class CalibrationResult(Result):
    """Calibration errors of classifiers, each with its interval.

    Attributes
    ----------
    table : DataFrame
        One row per classifier: ``algorithm estimate squared p_value conf_low
        conf_high``. ``estimate`` is the root of ``squared``, or 0 if that is negative;
        ``squared`` is unbiased. ``p_value`` is of a calibrated classifier.
    by_bin : DataFrame
        One row per classifier and bin that counts: ``algorithm low high n mean_score
        share difference``; ``share`` is that of cases with the outcome.
    bins : str
        ``equal-width`` or ``equal-mass``.
    n_bins : int
        The number of bins that was declared.
    outcome : str
        The positive class, or ``top label``.
    level : float
    n_cases : int
    """

    table: pd.DataFrame = made_when_read()
    by_bin: pd.DataFrame = made_when_read()
    bins: BinsName
    n_bins: int
    outcome: str
    level: float
    n_cases: int
    notes: tuple[str, ...]
    score: Floats = internal()
    truth: Bools = internal()

    r_paths: ClassVar[Mapping[str, str]] = {
        f"bin_{name}": f"by_bin/{name}" for name in _OF_BINS
    }
    r_digits: ClassVar[Mapping[str, int]] = {
        "p_value": 8,
        "conf_low": 8,
        "conf_high": 8,
    }

    @property
    def estimand(self) -> Estimand:
        """The root mean square of the differences of share and score within bins."""
        return Estimand(
            quantity=f"calibration error, root mean square over {self.n_bins} bins of "
            f"{self.bins.replace('-', ' ')}",
            unit="case",
            population="cases like these, this trained model",
            null="shares equal to mean scores in every bin",
        )

    def summary(self, digits: int = 4) -> str:
        """Return the errors with their intervals, and the notes."""
        head = (
            f"calibration error of the {self._outcome}, {counted(self.n_bins, 'bin')} "
            f"({self.bins})"
        )
        notes = [f"  note: {note}" for note in self.notes]
        return "\n".join([head, table_text(self.as_columns(), digits), *notes])

    @property
    def _outcome(self) -> str:
        return _TOP if self.outcome == _TOP else f"class {show(self.outcome)}"

    def r_call(self) -> RCall:
        """Return the call of the derivation in R."""
        arguments = {
            "truth": self.truth * 1.0,
            "score": self.score.T,
            "bins": self.bins,
            "n_bins": self.n_bins,
            "level": self.level,
        }
        return RCall(("calibration_error",), "calibration_error_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the errors, limits, p-values, and the numbers of the bins."""
        names = ("estimate", "squared", "p_value", "conf_low", "conf_high")
        by_bin = self.held("by_bin")
        return self.columns_in_r(*names) | {
            f"bin_{name}": np.asarray(by_bin[name], float) for name in _OF_BINS
        }


@checked
def calibration_error(
    label: ArrayLike,
    scores: Any,
    *,
    bins: BinsName,
    n_bins: int,
    positive: object = None,
    top_label: bool = False,
    level: float = 0.95,
) -> CalibrationResult:
    """Return calibration errors within bins of the probability, with intervals.

    The error is the root mean square, over cases, of the difference between the share
    of cases with the outcome and the mean probability of their bin. The plug-in
    estimate is too large, most of all for calibrated classifiers; this one is debiased.

    Parameters
    ----------
    label : array_like, shape (n,)
        True classes.
    scores : array_like, DataFrame or mapping, shape (n,) or (n, k)
        Probabilities in [0, 1]: of the positive class by one classifier or more, or
        with ``top_label=True`` of one classifier, a column for each class, named as the
        class.
    bins : {"equal-width", "equal-mass"}
        Bins of equal width from 0 to 1, or with equally many cases.
    n_bins : int
        Number of bins, 1 or more, chosen before the data are seen: fewer bins hide
        differences within a bin, more bins widen the interval.
    positive : object, optional
        The label of the positive class.
    top_label : bool, default False
        Take the class with the highest probability of each case (of equal ones the
        first column); the outcome is that it is the true one.
    level : float, default 0.95
        Confidence level of each interval separately.

    Returns
    -------
    CalibrationResult
        An interval begins at 0 exactly when ``p_value >= (1 - level) / 2``.

    Raises
    ------
    InputError
        For scores outside [0, 1], unknown bins, a number of bins that is no whole
        number, both or none of ``positive`` and ``top_label``, or labels that are no
        column.
    DesignError
        If no bin has two cases.

    Notes
    -----
    Equation 10.25 of docs/equations.md.

    Bins with one case have no variance: they are left out. The error within bins is at
    most the error without bins, so a calibrated bin may hold scores that are too high
    and scores that are too low.

    The interval holds the errors under which the observed sum of squares is in neither
    tail of its distribution. True differences are taken to be in the proportion of the
    observed ones; cases are independent. In simulations (4,000 data sets each, 10 bins;
    rows of ``validation/CALIBRATION.md``) 95% intervals covered the true error within
    bins in these shares:

    ==================  ===========  =======  =========  ==========
    scores, bins        error        n = 200  n = 1,000  n = 10,000
    ==================  ===========  =======  =========  ==========
    U-shaped, mass      0            0.978    0.978      0.977
    U-shaped, mass      0.035        0.959    0.954      0.947
    U-shaped, mass      0.149        0.938    0.951      0.952
    rare, width         0            0.982    0.982
    rare, width         0.026        0.967    0.969
    rare, width         0.058        0.958    0.955
    ==================  ===========  =======  =========  ==========

    U-shaped scores are Beta(0.5, 0.5), those of a rare outcome Beta(1, 9). With an
    error of 0 the interval begins at 0 in about 98% of data sets and is then an upper
    limit. The p-value rejected 4.9% of calibrated classifiers at 0.05 (n = 500).

    R: own derivation, with the unbiased square as a mean over pairs of cases.

    References
    ----------
    .. [1] Kumar, A., Liang, P., Ma, T. (2019). Verified uncertainty calibration.
       NeurIPS.
    .. [2] Ferro, C. A. T., Fricker, T. E. (2012). Quarterly Journal of the Royal
       Meteorological Society 138, 1954-1960.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> risk = rng.uniform(size=500)
    >>> ill = rng.uniform(size=500) < risk
    >>> models = {"known": risk, "too sure": np.clip(2 * risk - 0.5, 0, 1)}
    >>> found = pc.calibration_error(
    ...     ill, models, positive=True, bins="equal-width", n_bins=10
    ... )
    >>> found.table[["algorithm", "estimate", "conf_low", "conf_high"]].round(3)
      algorithm  estimate  conf_low  conf_high
    0     known     0.033     0.000      0.087
    1  too sure     0.143     0.107      0.185
    """
    check_level(level)
    check_word("bins", bins, get_args(BinsName))
    if isinstance(n_bins, bool) or not isinstance(n_bins, int) or n_bins < 1:
        raise InputError(setting("n_bins", n_bins) + ": give a whole number, 1 or more")
    check_flags(top_label=top_label)
    if top_label == (positive is not None):
        raise InputError(
            "give either "
            + setting("positive", ...)
            + ", the class whose probability is measured, or "
            + setting("top_label", True)
        )
    names, truth, score = (
        _top(label, scores) if top_label else _binary(label, scores, positive)
    )
    each = [_measured(truth, own, bins, n_bins) for own in score]
    each_bins = [of for of, _ in each]
    return CalibrationResult(
        table=_table(names, each_bins, level),
        by_bin=_by_bin(names, each, n_bins),
        bins=bins,
        n_bins=n_bins,
        outcome=_TOP if top_label else label_text(positive),
        level=level,
        n_cases=len(truth),
        notes=tuple(_notes(names, each_bins, len(truth), level)),
        score=score,
        truth=truth,
    )


def _binary(
    label: ArrayLike, scores: Any, positive: object
) -> tuple[tuple[str, ...], Bools, Floats]:
    """Return classifiers, outcomes and probabilities of the positive class."""
    cases = probabilities(label, scores, positive)
    return cases.names, cases.truth, cases.score


def _top(label: ArrayLike, scores: Any) -> tuple[tuple[str, ...], Bools, Floats]:
    """Return whether the class with the highest probability is the true one."""
    if not isinstance(scores, Mapping) and not hasattr(scores, "columns"):
        raise InputError(
            setting("top_label", True)
            + ": give scores as a mapping or frame with a column for each class, named "
            "as the class"
        )
    same_rows(label=label, scores=scores)
    labels = [label_text(value) for value in case_labels(label, "labels").ravel()]
    names, columns = named_columns(scores)
    for name, column in zip(names, columns, strict=True):
        if column.shape != (len(labels),):
            raise InputError(
                f"scores of {show(name)} have shape {column.shape} for {len(labels)} "
                "labels: give one probability per case"
            )
        require_probabilities(column, f"scores of {show(name)}")
    if unknown := [text for text in dict.fromkeys(labels) if text not in names]:
        raise InputError(
            f"no column has the name of the class {show(unknown[0])}; columns are "
            f"{show_all(names)}"
        )
    table = np.array(columns)
    total = table.sum(axis=0)
    wrong = np.flatnonzero(np.abs(total - 1) > _SUM)
    if len(wrong):
        raise InputError(
            f"scores: the probabilities of case {wrong[0] + 1} have the sum "
            f"{total[wrong[0]]:g}; give those of all classes, with the sum 1"
        )
    best = table.argmax(axis=0)
    return (
        (_TOP,),
        np.array(names)[best] == np.array(labels),
        table.max(axis=0)[None],
    )


def _measured(
    truth: Bools, score: Floats, how: BinsName, n_bins: int
) -> tuple[Bins, Floats]:
    """Return the bins of a classifier, and their inner edges."""
    place, edges = bin_of(score, how, n_bins)
    of = binned(score, truth, place)
    if not len(of.n):
        raise DesignError(
            f"no bin has two cases ({counted(len(score), 'case')}, "
            f"{counted(n_bins, 'bin')}): choose fewer bins, " + setting("n_bins", ...)
        )
    return of, edges


def _table(names: tuple[str, ...], each_bins: list[Bins], level: float) -> Columns:
    """Return one row per classifier."""
    squared = np.array([of.squared for of in each_bins])
    ends = np.array([limits(of, level) for of in each_bins])
    return Columns(
        {
            "algorithm": np.array(names, object),
            "estimate": np.sqrt(np.maximum(squared, 0)),
            "squared": squared,
            "p_value": np.array([share_above(of, 0.0) for of in each_bins]),
            "conf_low": ends[:, 0],
            "conf_high": ends[:, 1],
        }
    )


def _by_bin(
    names: tuple[str, ...], each: list[tuple[Bins, Floats]], n_bins: int
) -> Columns:
    """Return one row per classifier and bin."""
    ends = [np.concatenate([[0.0], edges, [1.0]]) for _, edges in each]
    each_bins = [of for of, _ in each]

    def joined(parts: list[Any]) -> Any:
        return np.concatenate(parts)

    at: list[Ints] = [of.at for of in each_bins]
    return Columns(
        {
            "algorithm": np.repeat(np.array(names, object), [len(a) for a in at]),
            "low": joined([e[a] for e, a in zip(ends, at, strict=True)]),
            "high": joined([e[a + 1] for e, a in zip(ends, at, strict=True)]),
            "n": joined([of.n.astype(int) for of in each_bins]),
            "mean_score": joined([of.score for of in each_bins]),
            "share": joined([of.share for of in each_bins]),
            "difference": joined([of.gap for of in each_bins]),
        }
    )


def _notes(
    names: tuple[str, ...], each_bins: list[Bins], n: int, level: float
) -> list[str]:
    """Return which cases are left out, which bins are small or too close."""
    notes = []
    for name, of in zip(names, each_bins, strict=True):
        out, small = n - int(of.n.sum()), int((of.n < _FEW).sum())
        if out:
            notes.append(
                f"{name}: left out {counted(out, 'case')}, with no other in the bin"
            )
        if small:
            notes.append(
                f"{name}: {counted(small, 'bin')} of {len(of.n)} with fewer than "
                f"{_FEW} cases"
            )
        low, high = limits(of, level)
        if math.sqrt(max(of.squared, 0.0)) < low:
            notes.append(_BELOW.format(name=name))
        if high == 0:
            notes.append(_CLOSE.format(name=name, share=percent((1 - level) / 2)))
    if n < _FEW_CASES:
        notes.append(MEASURED[_STUDY].text)
    return notes
