"""``variance_components``: where the variance of figures of merit comes from."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from scipy import special

from pycompare.base.arguments import check_level, check_word, require
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError
from pycompare.base.interop.r_call import RCall
from pycompare.base.labels import show
from pycompare.data.ratings import Ratings
from pycompare.kernels import one_shot
from pycompare.kernels import reader_moments as rm
from pycompare.methods.multireader import tables
from pycompare.methods.multireader.covariances import ReaderCells, cells
from pycompare.methods.multireader.figures import FigureOfMerit, figure_of
from pycompare.methods.multireader.mrmc import (
    RESAMPLES,
    pseudovalues_of,
    r_call_of,
)
from pycompare.methods.multireader.roe_metz import RoeMetz
from pycompare.methods.multireader.words import R_FILES, CovarianceName, FigureName
from pycompare.results.result import Result, internal

ComponentsName = Literal["or", "dbm", "one-shot", "bootstrap", "roe-metz"]
_METHODS: tuple[ComponentsName, ...] = get_args(ComponentsName)

_REFERENCES: dict[ComponentsName, str] = {
    "or": "Obuchowski & Rockette (1995) Commun. Stat. Simul. Comput. 24, 285-308",
    "dbm": "Dorfman, Berbaum & Metz (1992) Invest. Radiol. 27, 723-731",
    "one-shot": "Gallas (2006) Acad. Radiol. 13, 353-362",
    "bootstrap": "Beiden, Wagner & Campbell (2000) Acad. Radiol. 7, 341-349",
    "roe-metz": "Roe & Metz (1997) Acad. Radiol. 4, 298-303; Hillis et al. (2022) J. "
    "Med. Imaging 9, 045501",
}
_CLOSE = 0.1
"""An error variance that is missed by less is not worth a note."""
_SHARED = {
    "r": "reader",
    "p": "positive case",
    "q": "negative case",
    "rp": "reader x positive case",
    "rq": "reader x negative case",
    "pq": "positive case x negative case",
    "rpq": "reader x positive case x negative case",
}


@dataclass(frozen=True, kw_only=True, eq=False)
class ComponentsResult(Result):
    """Components of variance.

    Attributes
    ----------
    table : DataFrame
        ``of component estimate floored conf_low conf_high``. ``of`` is ``all``, a
        modality or a difference; ``estimate`` may be negative, ``floored`` is 0 then.
        Limits may be negative, too; NaN if there is no interval.
    level : float or None
        Of the intervals; None for methods without.
    method, figure, reference : str
    seed, resamples : int or None
        Of the bootstrap.
    notes : tuple of str
        Which estimates are negative, and how far the model of ``roe-metz`` is from the
        estimated error variance.
    """

    table: pd.DataFrame
    method: str
    figure: str
    reference: str
    level: float | None
    seed: int | None
    resamples: int | None
    notes: tuple[str, ...] = ()
    call: RCall | None = internal()

    def r_call(self) -> RCall | None:
        """Return the R call; None for the bootstrap, which is random."""
        return self.call

    def r_values(self) -> dict[str, Any]:
        """Return the estimates, and the intervals that there are."""
        numbers = self.columns_in_r("estimate", "conf_low", "conf_high")
        component = numbers.pop("estimate")
        known = ~np.isnan(numbers["conf_low"] + numbers["conf_high"])
        limits = {name: column[known] for name, column in numbers.items()}
        return {"component": component} | (limits if known.any() else {})


@checked
def variance_components(
    ratings: Ratings,
    *,
    method: ComponentsName = "or",
    figure: FigureName = "auc",
    threshold: float | None = None,
    fpr_range: tuple[float, float] | None = None,
    level: float | None = None,
    seed: int | None = None,
    resamples: int | None = None,
) -> ComponentsResult:
    """Estimate the components of variance of figures of merit.

    Parameters
    ----------
    ratings : Ratings
        Factorial, with two readers at least.
    method : {"or", "dbm", "one-shot", "bootstrap", "roe-metz"}
        ``or``: readers, modality x reader, and the error with its covariances, by the
        jackknife. ``dbm``: those of the pseudovalues. ``one-shot``: unbiased components
        of the AUC of each modality and of each difference, due to readers, positive and
        negative cases and their interactions. ``bootstrap``: Beiden, Wagner and
        Campbell's six components from two bootstrap experiments, one over cases and one
        over readers. ``roe-metz``: the variances of latent ratings in Roe and Metz's
        model that would give the components of ``or``, in units in which those of cases
        add up to 1.
    figure, threshold, fpr_range
        As in ``mrmc``; ``one-shot`` and ``roe-metz`` are for the AUC.
    level : float, optional
        Of the intervals of readers and modality x reader, which ``or`` and ``dbm``
        have; 0.95 if not given.
    seed, resamples : int, optional
        For ``bootstrap`` only; 0 and 2000 if not given.

    Returns
    -------
    ComponentsResult
        Estimates are moments and may be negative. The rule: they are reported as they
        are, and beside them floored at 0.

    Raises
    ------
    DesignError
        If the design is not factorial, or there are too few modalities, readers or
        cases.
    InputError
        For an option that does not exist or does not belong to the method.

    Notes
    -----
    Equations 9.2, 9.8 of docs/equations.md.

    One-shot: the variance of a mean AUC (or difference) over r readers, n1 positive and
    n0 negative cases is the sum of each component over its numbers, reader / r +
    positive case / n1 + ... + reader x positive case x negative case / (r n1 n0).

    Intervals: the modified large-sample limits of Ting et al. for linear combinations
    of the mean squares of pseudovalues, of which some have negative coefficients. They
    are made for the components of readers only. Those of cases have none: pseudovalues
    of an AUC are far from normal, and such limits then cover much less than their
    level (``validation/MULTIREADER.md`` has both).

    Bootstrap: resampled cases, each class separately, give the variance of a figure and
    its covariances; resampled readers the covariances of modalities over readers, times
    r / (r - 1). The variances over readers are the limit of infinitely many resamples.

    References
    ----------
    .. [1] Ting, N. et al. (1990). Journal of Statistical Computation and Simulation 35,
       135-143.
    .. [2] Gallas, B. D. (2006). Academic Radiology 13, 353-362.
    .. [3] Beiden, S. V., Wagner, R. F., Campbell, G. (2000). Academic Radiology 7,
       341-349.

    Examples
    --------
    >>> import pycompare as pc
    >>> model = pc.RoeMetz(
    ...     separation=(1.5, 1.5), reader=0.01, modality_reader=0.01,
    ...     case=0.3, modality_case=0.3, reader_case=0.2, error=0.2,
    ... )
    >>> ratings = model.draw(n_readers=8, n_positive=40, n_negative=40, seed=1)
    >>> found = pc.variance_components(ratings)
    >>> list(found.table["component"])
    ['reader', 'modality x reader', 'error', 'Cov1', 'Cov2', 'Cov3']
    >>> found.table[["conf_low", "conf_high"]].iloc[0].round(4).tolist()
    [-0.0024, 0.0046]
    """
    require(ratings, Ratings)
    check_word("method", method, _METHODS)
    chosen = figure_of(figure, threshold, fpr_range, "higher", ratings)
    _require_factorial(ratings, method, chosen)
    if method == "bootstrap":
        seed, resamples = seed or 0, RESAMPLES if resamples is None else resamples
        if resamples < 2:
            raise InputError(f"resamples={resamples}: give 2 at least")
    elif seed is not None or resamples is not None:
        raise InputError("seed= and resamples= belong to method='bootstrap'")
    used = _level_of(method, level)
    components = _estimated(ratings, method, chosen, seed, resamples)
    table = _table_of(components)
    if used is not None:
        limits = tables.reader_limits(pseudovalues_of(ratings, chosen), used)
        for at, name in enumerate(("conf_low", "conf_high")):
            table[name] = [
                limits[c][at] if c in limits else np.nan for c in table["component"]
            ]
    return ComponentsResult(
        table=table,
        level=used,
        method=method,
        figure=chosen.title,
        reference=_REFERENCES[method],
        seed=seed,
        resamples=resamples,
        notes=_negative(components)
        + (_missed(ratings, components["all"]) if method == "roe-metz" else ()),
        call=_call_of(ratings, method, chosen, used),
    )


def _level_of(method: ComponentsName, level: float | None) -> float | None:
    """Return the level of the intervals; None for methods that have none."""
    if method in ("or", "dbm"):
        used = 0.95 if level is None else level
        check_level(used)
        return used
    if level is not None:
        raise InputError(
            f"level={level}: method={show(method)} has no intervals; choose 'or' or "
            "'dbm', or leave it out"
        )
    return None


def _require_factorial(ratings: Ratings, method: str, figure: FigureOfMerit) -> None:
    """Reject designs and figures that the method is not for."""
    t, r, _ = ratings.shape
    if ratings.design != "factorial":
        raise DesignError(
            f"components need a factorial design, and this is "
            f"{show(ratings.design)}; mrmc(...).components has those of other designs"
        )
    if r < 2 or (t < 2 and method != "one-shot"):
        raise DesignError(
            f"{t} modalities and {r} readers: components need two of each (one "
            f"modality is enough for 'one-shot')"
        )
    if method in ("one-shot", "roe-metz") and figure.name != "auc":
        raise InputError(
            f"method={show(method)} is for the AUC, not the {figure.title}"
        )
    if method == "one-shot" and ratings.cluster is not None:
        raise InputError(
            "method='one-shot' assumes independent cases, and these are in clusters"
        )


def _estimated(
    ratings: Ratings,
    method: ComponentsName,
    figure: FigureOfMerit,
    seed: int | None,
    resamples: int | None,
) -> dict[str, dict[str, float]]:
    """Return the components of each thing they are of."""
    if method == "one-shot":
        return _of_scores(ratings)
    kind: CovarianceName = "bootstrap" if method == "bootstrap" else "jackknife"
    rng = np.random.default_rng(seed)
    figure_cells = cells(ratings, figure, kind, rng, resamples or 0)
    if method == "dbm":
        y = pseudovalues_of(ratings, figure)
        return {"all": tables.pseudovalue_components(y)}
    moments = rm.moments(figure_cells.theta, figure_cells.covariance)
    if method == "roe-metz":
        return {"all": _latent(ratings, figure_cells)}
    if method == "or":
        return {"all": tables.figure_components(moments)}
    return {"all": _multiple_bootstrap(figure_cells)}


def _call_of(
    ratings: Ratings, method: ComponentsName, figure: FigureOfMerit, level: float | None
) -> RCall | None:
    """Return the R call; None for the bootstrap, and for fitted models."""
    if method in ("bootstrap", "roe-metz"):
        return None
    if method != "one-shot":
        call = r_call_of(ratings, figure, "dbm" if method == "dbm" else "or")
        names = ("rating", "truth", "cluster", "n_modalities", "figure", "parameters")
        arguments = {name: call.arguments[name] for name in (*names, "method")}
        return RCall(call.files, "components_reference", arguments | {"level": level})
    t, r, n = ratings.shape
    assert ratings.truth is not None
    arguments = {
        "rating": ratings.values.reshape(t * r, n).T,
        "truth": ratings.truth * 1.0,
        "n_modalities": t,
    }
    return RCall(R_FILES, "one_shot_reference", arguments)


def _of_scores(ratings: Ratings) -> dict[str, dict[str, float]]:
    """Return the one-shot components of modalities and of their differences."""
    assert ratings.truth is not None
    names, x = ratings.modalities, ratings.values
    components = {}
    for i, name in enumerate(names):
        components[name] = one_shot.score_components(ratings.truth, x[i])[1]
    for i, k in combinations(range(len(names)), 2):
        parts = one_shot.score_components(ratings.truth, x[i], x[k])[1]
        components[f"{names[i]} - {names[k]}"] = parts
    return {
        of: {_SHARED[key]: value for key, value in parts.items()}
        for of, parts in components.items()
    }


_LATENT = {
    "reader": "reader",
    "modality_reader": "modality x reader",
    "case": "case",
    "modality_case": "modality x case",
    "reader_case": "reader x case",
    "error": "error",
}
"""Variances of Roe and Metz's model, as `RoeMetz` has them, in words."""


def _latent(ratings: Ratings, cells: ReaderCells) -> dict[str, float]:
    """Return the variances of Roe and Metz's model."""
    assert ratings.truth is not None
    model = RoeMetz.from_components(
        cells.theta.mean(axis=1),
        tables.figure_components(rm.moments(cells.theta, cells.covariance)),
        n_positive=int(ratings.truth.sum()),
        n_negative=int((~ratings.truth).sum()),
    )
    return {name: getattr(model, of) for of, name in _LATENT.items()}


def _missed(ratings: Ratings, latent: dict[str, float]) -> tuple[str, ...]:
    """Return how far the model's error variance is from the one that is estimated."""
    assert ratings.truth is not None
    figure_cells = cells(
        ratings, FigureOfMerit(), "jackknife", np.random.default_rng(0), 0
    )
    area = figure_cells.theta.mean(axis=1)
    variances = {of: latent[name] for of, name in _LATENT.items()}
    scale = np.sqrt(2 * sum(variances.values()))
    model = RoeMetz(
        separation=tuple(scale * special.ndtri(area)),
        **variances,
    )
    n = int(ratings.truth.sum())
    error = model.components(n, len(ratings.truth) - n)["error"]
    estimated = float(
        rm.components(rm.moments(figure_cells.theta, figure_cells.covariance)).error
    )
    ratio = error / estimated
    if abs(ratio - 1) < _CLOSE:
        return ()
    return (
        f"the error variance of an AUC is {ratio:.2f} times the estimated one in this "
        "model, which has no free number for it: ordinal ratings, or classes of "
        "unequal spread, are not of this model",
    )


def _multiple_bootstrap(cells: ReaderCells) -> dict[str, float]:
    """Return Beiden, Wagner and Campbell's components.

    Over cases: Var, Cov1, Cov2 and Cov3 are sums of the components that two figures
    share. Over readers, with these cases: S of one modality is reader + modality x
    reader + reader x case + error, S of two is reader + reader x case.
    """
    t = len(cells.theta)
    c = rm.components(rm.moments(cells.theta, cells.covariance))
    readers = np.cov(cells.theta)
    own = float(np.trace(readers)) / t
    other = float(readers.sum() - np.trace(readers)) / (t * (t - 1))
    case = float(c.cov3)
    reader_case, modality_case = float(c.cov1) - case, float(c.cov2) - case
    error = float(c.error) - case - reader_case - modality_case
    return {
        "reader": other - reader_case,
        "case": case,
        "modality x reader": own - other - error,
        "modality x case": modality_case,
        "reader x case": reader_case,
        "error": error,
    }


def _table_of(components: dict[str, dict[str, float]]) -> pd.DataFrame:
    """Return one row per component, beside its value cut at zero."""
    rows = [
        (of, component, value, max(value, 0.0))
        for of, parts in components.items()
        for component, value in parts.items()
    ]
    table = pd.DataFrame(rows, columns=["of", "component", "estimate", "floored"])
    return table.assign(conf_low=np.nan, conf_high=np.nan)


def _negative(components: dict[str, dict[str, float]]) -> tuple[str, ...]:
    """Name the estimates below zero."""
    below = [
        f"{component} ({value:.3g})" + ("" if of == "all" else f" of {of}")
        for of, parts in components.items()
        for component, value in parts.items()
        if value < 0
    ]
    if not below:
        return ()
    return (f"estimated negative, 0 in 'floored': {', '.join(below)}",)
