"""Checks of the assumptions of a MANOVA, made on its residuals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pycompare.base.checked import checked
from pycompare.base.formatting.counts import counted, degrees_of_freedom
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns, stacked
from pycompare.base.typing import Floats
from pycompare.data.scores import Scores
from pycompare.kernels.box_m import box_m
from pycompare.kernels.multivariate_normality import henze_zirkler, mardia, whitened
from pycompare.methods.linear.assumptions import NO_RESIDUAL, undefined
from pycompare.methods.linear.responses import Responses, responses
from pycompare.results.guarantees import MEASURED
from pycompare.results.result import Result, Test, internal

_SINGULAR = 1e-7
"""A group of whitened residuals with a singular value below this, relative to its
largest, has a singular covariance matrix."""

_BOX = "Box (1949) Biometrika 36, 317-346"
_MARDIA = "Mardia (1970) Biometrika 57, 519-530"
_MARDIA_SMALL = "Mardia (1974) Sankhya B 36, 115-128"
_HENZE = "Henze & Zirkler (1990) Commun. Statist. A 19, 3595-3617"

_FIXED_SHAPE = (
    "error has no more degrees of freedom than there are independent metrics, so the "
    "residuals have one shape whatever the scores"
)
_BOX_SENSITIVE = (
    "Box's M reacts to non-normal residuals as it does to unequal covariance matrices: "
    "read it with the checks of normality"
)
_BOX_BLOCKED = (
    "residuals of different algorithms correlate by -1/(a - 1) once blocks are taken "
    "off: each algorithm's matrix has b - 1 degrees of freedom, and M is divided by "
    "1 - 1/(a - 1)^2, which makes chi2 right for many blocks; the correction for few "
    "blocks is that of independent groups, an approximation"
)
_BOX_FEW = (
    "the algorithm with the fewest scores has {v} for {p}: "
    "with no more than two for each metric, both approximations find differences that "
    "are not there too often (5 to 35 of 100 tables at 0.05, F less often than chi2)"
)
_BOX_PAIR = (
    "two algorithms in complete blocks have mirrored residuals, so their covariance "
    "matrices are equal whatever the scores"
)
_BOX_GAPS = (
    "with blocks and missing cells the residuals of the algorithms have different "
    "correlations: no version of Box's M is known for them"
)
_CORRELATED = (
    "residuals are not independent, {n} of them on {df}: the "
    "p-value is approximate{blocked}"
)
_FEWER = (
    ", and with blocks and few algorithms too large (3 algorithms in 10 to 30 blocks: "
    "Mardia's tests reject normal scores in 0.1 to 2.4 of 100 tables at 0.05)"
)
_DIFFERENCES = (
    "two algorithms in complete blocks have mirrored residuals: those of the first are "
    "used, half the differences of each block"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class BoxTest(Test):
    """Box's test by one of its approximations.

    Attributes
    ----------
    m : float
        Box's M itself, no correction in it; the same for both approximations.
    """

    m: float


@dataclass(frozen=True, kw_only=True, eq=False)
class MultivariateChecks(Result):
    """Tests of the residuals of one multivariate analysis of variance.

    Small p-values speak against the assumption. They are reported beside the planned
    analysis and never choose it.

    Attributes
    ----------
    box_m, box_m_f : Test
        Equal covariance matrices of the algorithms, by chi2 and by F: the same M.
    mardia_skewness, mardia_skewness_small, mardia_kurtosis : Test
        Normal residuals; the second is Mardia's (1974) form for small samples.
    henze_zirkler : Test
        Normal residuals, against any alternative.
    skewness, kurtosis : float
        Mardia's b1 and b2, population covariance; 0 and p (p + 2) if normal.
    metrics : tuple of str
        The metrics that the checks are made of: those that do not follow from others.
    formula : str
        The model over safe names.
    notes : tuple of str
        About the metrics.
    """

    box_m: Test
    box_m_f: Test
    mardia_skewness: Test
    mardia_skewness_small: Test
    mardia_kurtosis: Test
    henze_zirkler: Test
    skewness: float
    kurtosis: float
    metrics: tuple[str, ...]
    formula: str
    notes: tuple[str, ...]
    fit: Responses = internal()

    @property
    def tests(self) -> dict[str, Test]:
        """The tests by name."""
        return {
            "box_m": self.box_m,
            "box_m_f": self.box_m_f,
            "mardia_skewness": self.mardia_skewness,
            "mardia_skewness_small": self.mardia_skewness_small,
            "mardia_kurtosis": self.mardia_kurtosis,
            "henze_zirkler": self.henze_zirkler,
        }

    def as_columns(self) -> Columns:
        """Return one row per test."""
        return stacked(test.as_columns() for test in self.tests.values())

    def r_call(self) -> RCall | None:
        """Return the call that repeats the tests that are defined, None without any."""
        if not self.metrics:
            return None
        arguments = {
            **self.fit.r_arguments(),
            "box": not math.isnan(self.box_m.statistic),
        }
        files = ("responses", "multivariate_checks")
        return RCall(files, "multivariate_checks_reference", arguments)

    def r_values(self) -> dict[str, Any]:
        """Return statistics and p-values of the tests that are defined."""
        values: dict[str, Any] = {"skewness": self.skewness, "kurtosis": self.kurtosis}
        for name, test in self.tests.items():
            if not math.isnan(test.statistic):
                values[name] = test.statistic
                values[f"{name}_p_value"] = test.p_value
                if test.df is not None:
                    values[f"{name}_df"] = test.df
        if isinstance(self.box_m, BoxTest):
            values["m"] = self.box_m.m
        return values

    def r_also(self) -> dict[str, tuple[str, int]]:
        """Return where both forms of Box's test repeat M."""
        return {f"{name}/m": ("m", 1) for name in ("box_m", "box_m_f")}


@checked
def multivariate_checks(
    scores: Scores, *, metrics: Sequence[str] | None = None, blocked: bool = True
) -> MultivariateChecks:
    """Test residuals for equal covariance matrices and multivariate normality.

    Parameters
    ----------
    scores, metrics, blocked
        As in ``manova``.

    Returns
    -------
    MultivariateChecks
        A test that is undefined has NaN and states why.

    Raises
    ------
    DesignError
        As ``manova``: no error degrees of freedom, fewer than metrics, or a difference
        without residual variation.
    InputError
        For unknown metrics.

    Notes
    -----
    R: ``heplots::boxM(Y, algorithm)`` for a one-way design; ``MVN::mardia`` and
    ``MVN::hz`` of ``resid(fit)``. ``psych::mardia`` has the covariance with n - 1: its
    b1 is ours times ((n - 1) / n)^3, its b2 times ((n - 1) / n)^2.

    Metrics that follow from others are left out by name: nothing here depends on which.

    Box's M needs more scores of each algorithm than metrics. In complete blocks it is
    made of residuals about blocks and algorithms, which correlate; ``box_m.notes``
    states the treatment of it. It then rejects 5.2 to 5.6 of 100 normal tables at 0.05
    (10x3, 30x3, 10x5, 30x5, 15x8 blocks x algorithms, 5000 tables each, ``make
    study``); without the correction 0.4 to 3.9. With missing cells in blocks it is
    undefined.

    Normality is checked on all residuals together, whose correlation the tests do not
    know. In the same tables, Henze-Zirkler rejects 3.2 to 4.7 of 100 with blocks, 4.7
    to 5.2 without; Mardia's small-sample skewness 0.4 to 4.5 and 5.0 to 5.8, the
    kurtosis 0.3 to 3.1 and 0.9 to 3.9.

    References
    ----------
    .. [1] Box, G. E. P. (1949). Biometrika 36, 317-346.
    .. [2] Mardia, K. V. (1970). Biometrika 57, 519-530; (1974) Sankhya B 36, 115-128.
    .. [3] Henze, N., Zirkler, B. (1990). Commun. Statist. A 19, 3595-3617.

    Examples
    --------
    >>> import pycompare as pc
    >>> checks = pc.multivariate_checks(pc.example("folds"))
    >>> print(f"Box's M: p = {checks.box_m.p_value:.1e}")
    Box's M: p = 1.1e-01
    """
    model = responses(scores, metrics, blocked)
    e = model.working.error[:, model.error.kept]
    boxes = _box_tests(model, e)
    normal, b1, b2 = _normality_tests(model, e)
    return MultivariateChecks(
        **boxes,
        **normal,
        skewness=b1,
        kurtosis=b2,
        metrics=model.kept,
        formula=model.design.formula,
        notes=model.notes,
        fit=model,
    )


def _box_tests(model: Responses, e: Floats) -> dict[str, Test]:
    """Return Box's test by chi2 and by F."""
    names = {
        "box_m": "Box's M test of equal covariance matrices, chi2",
        "box_m_f": "Box's M test of equal covariance matrices, F",
    }
    why = _no_box(model, e)
    if why:
        return {
            "box_m": undefined(names["box_m"], "chi2", None, _BOX, why),
            "box_m_f": undefined(names["box_m_f"], "F", None, _BOX, why),
        }
    a = len(model.algorithms)
    blocked = model.design.blocked
    groups = _by_algorithm(model, e)
    scale = (a - 1) ** 2 / (a * (a - 2)) if blocked else 1.0
    box = box_m(groups, scale, model.rounding)
    notes = [_BOX_SENSITIVE, _BOX_BLOCKED] if blocked else [_BOX_SENSITIVE]
    v = min(map(len, groups)) - 1
    if v <= 2 * model.rank:
        notes.append(
            _BOX_FEW.format(v=degrees_of_freedom(v), p=counted(model.rank, "metric"))
        )
    else:
        notes.append(MEASURED["multivariate_checks: box_m"].text)
    common: dict[str, Any] = {"reference": _BOX, "notes": tuple(notes), "m": box.m}
    return {
        "box_m": BoxTest(
            name=names["box_m"],
            statistic_name="chi2",
            statistic=box.chi2,
            df=box.df,
            p_value=box.p_values[0],
            p_source="chi2",
            **common,
        ),
        "box_m_f": BoxTest(
            name=names["box_m_f"],
            statistic_name="F",
            statistic=box.f,
            df=box.df_f,
            p_value=box.p_values[1],
            p_source="F",
            **common,
        ),
    }


def _by_algorithm(model: Responses, e: Floats) -> list[Floats]:
    """Return the residuals of each algorithm."""
    at = np.nonzero(model.design.present)[1]
    return [e[at == j] for j in range(len(model.algorithms))]


def _no_box(model: Responses, e: Floats) -> str:
    """Return the reason why Box's M is undefined; nothing if it is defined."""
    design, rank = model.design, model.rank
    if rank == 0:
        return NO_RESIDUAL
    if design.blocked and not design.complete:
        return _BOX_GAPS
    if design.blocked and len(model.algorithms) == 2:
        return _BOX_PAIR
    groups = _by_algorithm(model, whitened(e))
    for name, group in zip(model.algorithms, groups, strict=True):
        if len(group) <= rank:
            return (
                f"{name!r} has {counted(len(group), 'score')}, and {rank} metrics need "
                f"{rank + 1} at least"
            )
        s = np.linalg.svd(group, compute_uv=False)
        if s[-1] <= _SINGULAR * s[0] or s[0] <= _SINGULAR:
            return f"the covariance matrix of {name!r} is singular"
    return ""


def _normality_tests(
    model: Responses, e: Floats
) -> tuple[dict[str, Test], float, float]:
    """Return the tests of normality, Mardia's b1 and b2."""
    forms = {
        "mardia_skewness": ("Mardia's skewness", "chi2", _MARDIA),
        "mardia_skewness_small": (
            "Mardia's skewness, form for small samples",
            "chi2",
            _MARDIA_SMALL,
        ),
        "mardia_kurtosis": ("Mardia's kurtosis", "z", _MARDIA),
        "henze_zirkler": ("Henze-Zirkler test of normal residuals", "HZ", _HENZE),
    }
    design = model.design
    if model.rank == 0 or design.df_error <= model.rank:
        why = NO_RESIDUAL if model.rank == 0 else _FIXED_SHAPE
        undone = {
            key: undefined(name, word, None, reference, why)
            for key, (name, word, reference) in forms.items()
        }
        return undone, math.nan, math.nan
    notes: tuple[str, ...] = (
        _CORRELATED.format(
            n=design.n,
            df=degrees_of_freedom(design.df_error),
            blocked=_FEWER if design.blocked else "",
        ),
    )
    if _mirrored(model):
        e = _by_algorithm(model, e)[0]
        notes = (_DIFFERENCES,)
    m = mardia(e, model.rounding)
    hz, p_hz = henze_zirkler(e)
    numbers = {
        "mardia_skewness": (m.chi2, m.df, m.p_values[0], "chi2"),
        "mardia_skewness_small": (m.chi2_small, m.df, m.p_values[1], "chi2"),
        "mardia_kurtosis": (m.z, None, m.p_values[2], "normal"),
        "henze_zirkler": (hz, None, p_hz, "lognormal"),
    }
    tests = {
        key: Test(
            name=forms[key][0],
            statistic_name=forms[key][1],
            statistic=statistic,
            df=df,
            p_value=p,
            p_source=source,
            reference=forms[key][2],
            notes=notes,
        )
        for key, (statistic, df, p, source) in numbers.items()
    }
    return tests, m.skewness, m.kurtosis


def _mirrored(model: Responses) -> bool:
    """Return whether each block has two residuals, one minus the other."""
    design = model.design
    return design.blocked and design.complete and len(model.algorithms) == 2
