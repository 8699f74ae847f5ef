"""Random-effects synthesis: one difference over many data sets, sites or studies."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.arguments import case_labels, check_level, numbers, same_rows
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.numbers import interval, number, p_equals
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import label_text, require_unique_names
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats
from pycompare.kernels import student
from pycompare.kernels.synthesis import RandomEffects, random_effects
from pycompare.kernels.units import binary_unit
from pycompare.results.estimands import Estimand
from pycompare.results.guarantees import MEASURED
from pycompare.results.result import Estimate, made_when_read

_FEWEST, _FEW = 2, 20
_UNEQUAL = 5
"""Ratio of the largest standard error to the smallest: a note, with few studies."""
_REFERENCE = (
    "Viechtbauer (2005) J. Educ. Behav. Statist. 30, 261-293; Hartung & Knapp (2001) "
    "Statist. Med. 20, 3875-3889"
)
_CLOSE = (
    "the estimates are closer together than their standard errors suggest: no variance "
    "between studies fits them, and its limits are 0"
)
_NARROW = (
    "the Hartung-Knapp standard error is smaller than the one with known variances "
    "({known}): with few studies or equal estimates it may be too small"
)
_SAME = (
    "all estimates are equal: the Hartung-Knapp standard error is 0, so that there is "
    "no test and no interval"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class SynthesisResult(Estimate):
    """The mean of the true values of studies, and their spread; see ``Estimate``.

    Attributes
    ----------
    table : DataFrame
        One row per study: ``study estimate std_error weight``; weights sum to 1.
    std_error : float
        By Hartung and Knapp.
    statistic, df, p_value : float
        t of a mean of 0, its degrees of freedom and two-sided p-value.
    predicted_low, predicted_high : float
        Prediction interval: limits of the true value of a new study, at ``level``.
    tau2, tau2_low, tau2_high : float
        Variance of true values between studies (REML), with limits by the Q profile.
    i2 : float
        Share of the variance of a typical estimate that is between studies.
    q, q_df, q_p_value : float
        Cochran's test of equal true values.
    """

    table: pd.DataFrame = made_when_read()
    std_error: float
    statistic: float
    df: float
    p_value: float
    predicted_low: float
    predicted_high: float
    tau2: float
    tau2_low: float
    tau2_high: float
    i2: float
    q: float
    q_df: float
    q_p_value: float
    reference: str

    r_paths: ClassVar[Mapping[str, str]] = {"weight": "table/weight"}

    @property
    def estimand(self) -> Estimand:
        """The mean over a population of studies."""
        return Estimand(
            quantity="mean of the true values of studies",
            unit="study",
            population="studies (data sets, sites) like these",
            null="a mean of 0",
        )

    def as_columns(self) -> Columns:
        """Return one row: the mean, its test, the prediction interval, the spread."""
        names = (
            "std_error", "statistic", "df", "p_value", "predicted_low",
            "predicted_high", "tau2", "tau2_low", "tau2_high", "i2", "q", "q_df",
            "q_p_value",
        )  # fmt: skip
        return super().as_columns().but(**{name: getattr(self, name) for name in names})

    def summary(self, digits: int = 4) -> str:
        """Return the mean, the prediction interval and the spread between studies."""
        new = interval(self.predicted_low, self.predicted_high, self.level, digits)
        return "\n".join(
            [
                f"{super().summary(digits)}, {p_equals(self.p_value, digits=digits)}",
                f"  true value of a new study: {new}",
                f"  variance between studies: {number(self.tau2, digits)} "
                f"({interval(self.tau2_low, self.tau2_high, self.level, digits)})",
                *(f"  note: {note}" for note in self.notes),
            ]
        )

    def r_call(self) -> RCall | None:
        """Return the call of ``metafor::rma``; None without a standard error."""
        if not self.std_error:
            return None
        arguments = {
            "estimate": np.asarray(self.held("table")["estimate"], float),
            "std_error": np.asarray(self.held("table")["std_error"], float),
            "level": self.level,
        }
        return RCall(("synthesis",), "synthesis_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the mean, its limits and test, the spread and the weights."""
        names = (
            "estimate", "std_error", "statistic", "df", "p_value", "conf_low",
            "conf_high", "predicted_low", "predicted_high", "tau2", "tau2_low",
            "tau2_high", "i2", "q", "q_p_value",
        )  # fmt: skip
        values = {name: getattr(self, name) for name in names}
        return values | {"weight": np.asarray(self.held("table")["weight"], float)}


@checked
def synthesis(
    estimate: ArrayLike,
    *,
    std_error: ArrayLike,
    study: ArrayLike | None = None,
    level: float = 0.95,
) -> SynthesisResult:
    """Return the mean of one quantity over studies that estimate it with known errors.

    A study is a data set, a site or a publication that reports the same difference,
    such as that of two algorithms on its own test set, with its standard error. True
    values differ between studies; the mean is that of studies like these.

    Parameters
    ----------
    estimate, std_error : array_like, shape (k,)
        One estimate per study and its standard error, in one unit; two studies or more.
    study : array_like, shape (k,), optional
        Names of the studies; by default their numbers.
    level : float, default 0.95
        Confidence level of all intervals.

    Returns
    -------
    SynthesisResult
        The confidence interval is about the mean, the prediction interval about the
        true value of one new study. ``estimate`` is a difference if the studies'
        estimates are.

    Raises
    ------
    DesignError
        If there are fewer than two studies.
    InputError
        For estimates that are not finite, standard errors that are not positive, or
        studies with equal names: average the results of one study first, since its
        results are not independent.

    Notes
    -----
    Equation 7.3 of docs/equations.md.

    Estimates are independent and normal about their true values, these normal with
    variance tau2: y_i ~ N(mu, v_i + tau2), with tau2 by restricted maximum likelihood,
    the highest of several maxima. The mean has weights 1 / (v_i + tau2), the standard
    error of Hartung and Knapp and t on k - 1 degrees of freedom. The prediction
    interval is mu -+ t sqrt(tau2 + se^2) on the same degrees of freedom (Higgins et al.
    take k - 2). Limits of tau2 invert the generalised Q. The within-study errors are
    assumed to be known: with few cases per study the interval is too short. With few
    studies tau2 is hardly known, and intervals are too short too, the prediction
    interval most. With many studies the prediction interval is too short if the lower
    limit of tau2 is 0. ``notes`` state by how much.

    R: ``metafor::rma(estimate, sei = std_error, method = "REML", test = "knha")`` with
    ``confint`` and ``predict``.

    References
    ----------
    .. [1] Hartung, J., Knapp, G. (2001). Statistics in Medicine 20, 3875-3889.
    .. [2] Viechtbauer, W. (2005). J. Educ. Behav. Statist. 30, 261-293; (2007)
       Statistics in Medicine 26, 37-52.
    .. [3] Higgins, J. P. T., Thompson, S. G., Spiegelhalter, D. J. (2009). JRSS A 172,
       137-159.

    Examples
    --------
    >>> import pycompare as pc
    >>> gain = [0.10, 0.30, 0.35, 0.65, 0.45, 0.15]
    >>> error = [0.15, 0.18, 0.12, 0.20, 0.22, 0.10]
    >>> mean = pc.synthesis(gain, std_error=error)
    >>> print(f"{mean.estimate:.3f} [{mean.conf_low:.3f}, {mean.conf_high:.3f}]")
    0.289 [0.094, 0.484]
    >>> print(f"a new study: [{mean.predicted_low:.3f}, {mean.predicted_high:.3f}]")
    a new study: [-0.035, 0.613]
    """
    check_level(level)
    y, errors, names = _studies(estimate, std_error, study)
    unit = float(binary_unit(np.concatenate([y, errors]))[0])
    effects = random_effects(y / unit, (errors / unit) ** 2, level)
    k = len(y)
    t = math.nan if effects.std_error == 0 else effects.mean / effects.std_error
    quantile = -float(special.stdtrit(k - 1, (1 - level) / 2))
    half = quantile * effects.std_error if effects.std_error else math.nan
    wide = quantile * math.sqrt(effects.tau2 + effects.std_error**2)
    wide = wide if effects.std_error else math.nan
    return SynthesisResult(
        name="mean over studies",
        method="random effects, REML, Hartung-Knapp t",
        estimate=effects.mean * unit,
        conf_low=(effects.mean - half) * unit,
        conf_high=(effects.mean + half) * unit,
        level=level,
        notes=_notes(effects, k, float(errors.max() / errors.min()), unit),
        table=Columns(
            {
                "study": list(names),
                "estimate": y,
                "std_error": errors,
                "weight": effects.weights,
            }
        ),
        std_error=effects.std_error * unit,
        statistic=t,
        df=float(k - 1),
        p_value=2 * float(student.sf(np.array(abs(t)), k - 1)) if t == t else t,
        predicted_low=(effects.mean - wide) * unit,
        predicted_high=(effects.mean + wide) * unit,
        tau2=effects.tau2 * unit * unit,
        tau2_low=effects.tau2_low * unit * unit,
        tau2_high=effects.tau2_high * unit * unit,
        i2=effects.tau2 / (effects.tau2 + effects.typical),
        q=effects.q,
        q_df=float(k - 1),
        q_p_value=float(special.chdtrc(k - 1, effects.q)),
        reference=_REFERENCE,
    )


def _studies(
    estimate: ArrayLike, std_error: ArrayLike, study: ArrayLike | None
) -> tuple[Floats, Floats, Sequence[str]]:
    """Return checked estimates, standard errors and names."""
    given = {"estimate": estimate, "std_error": std_error, "study": study}
    same_rows(**{name: value for name, value in given.items() if value is not None})
    y, errors = numbers(estimate, "estimate"), numbers(std_error, "std_error")
    if y.ndim != 1 or y.shape != errors.shape:
        raise InputError(
            setting("std_error")
            + f" of shape {errors.shape} for estimates of shape {y.shape}: give one "
            f"number per study, each a vector"
        )
    if len(y) < _FEWEST:
        raise DesignError(
            f"{len(y)} study: a spread between studies needs two or more; give one "
            f"estimate per study"
        )
    require_effects(y, errors, "estimates")
    if study is None:
        return y, errors, [str(i + 1) for i in range(len(y))]
    labels = case_labels(study, "study")
    if labels.shape != (len(y),):
        raise InputError(
            setting("study")
            + f" of shape {labels.shape} for {len(y)} estimates: give one name each"
        )
    names = [label_text(name) for name in labels.tolist()]
    require_unique_names(names)
    return y, errors, names


def require_effects(y: Floats, errors: Floats, several: str) -> None:
    """Reject estimates that are not finite, and standard errors without a size."""
    wrong = np.flatnonzero(~np.isfinite(y))
    if len(wrong):
        raise InputError(
            setting("estimate")
            + f" number {wrong[0] + 1} is {y[wrong[0]]}: give finite {several}"
        )
    wrong = np.flatnonzero(~(np.isfinite(errors) & (errors > 0)))
    if len(wrong):
        raise InputError(
            setting("std_error")
            + f" number {wrong[0] + 1} is {errors[wrong[0]]}: give positive standard "
            f"errors, or leave the study out"
        )


def _notes(
    effects: RandomEffects, k: int, ratio: float, unit: float
) -> tuple[str, ...]:
    """Return the notes for readers; ``ratio``: of the largest error to the least."""
    notes = []
    if effects.std_error == 0:
        notes.append(_SAME)
    elif effects.std_error < effects.wald_error:
        notes.append(_NARROW.format(known=f"{effects.wald_error * unit:.4g}"))
    if effects.empty:
        notes.append(_CLOSE)
    if k < _FEW:
        known = "synthesis, unequal errors" if ratio >= _UNEQUAL else "synthesis"
        notes += [MEASURED[known].text, MEASURED[f"{known}: new study"].text]
    elif effects.tau2_low == 0 and effects.std_error > 0:
        notes.append(MEASURED["synthesis, little spread: new study"].text)
    return tuple(notes)
