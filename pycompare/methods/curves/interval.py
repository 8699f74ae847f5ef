"""Confidence intervals of one AUC, eight ways, alone or side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from pycompare.base.arguments import (
    case_labels,
    check_level,
    check_resampling,
    check_word,
    same_rows,
)
from pycompare.base.checked import checked
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns, stacked
from pycompare.base.typing import Bools, Floats
from pycompare.data.measures.cases import Cases, one_score
from pycompare.data.measures.chance import below_chance
from pycompare.kernels import (
    area_variance,
    binomial,
    placements,
    resampled_curves,
    student,
)
from pycompare.kernels.area_differences import ClusterSides
from pycompare.methods.curves.few_cases import (
    LEAST_DRAWN,
    few_cases,
    require_enough_to_draw,
)
from pycompare.results.result import Estimate, Result, internal

AucIntervalMethod = Literal[
    "effective-size",
    "delong",
    "delong-logit",
    "hanley-mcneil",
    "cortes-mohri",
    "agarwal",
    "bootstrap",
    "fold-t",
]
METHODS: tuple[AucIntervalMethod, ...] = get_args(AucIntervalMethod)

_WORDS = {
    "effective-size": "Clopper-Pearson at the effective number of cases",
    "delong": "DeLong, normal",
    "delong-logit": "DeLong, normal on the logit scale",
    "hanley-mcneil": "Hanley-McNeil 1982, normal",
    "cortes-mohri": "Cortes-Mohri 2004, from the number of errors",
    "agarwal": "Agarwal et al. 2005, large deviations",
    "bootstrap": "stratified bootstrap, percentiles",
    "fold-t": "t of the AUCs of folds",
}
_WITH_CLUSTER: tuple[AucIntervalMethod, ...] = (
    "effective-size",
    "delong",
    "delong-logit",
)
"""Methods that take the cluster of each case."""
IN_CLUSTERS: tuple[AucIntervalMethod, ...] = (*_WITH_CLUSTER, "fold-t")
"""Methods of clustered cases; folds have their own AUCs, whatever is within them."""
_NO_VARIANCE = (
    "all cases of a class have the same place among the others (AUC {area:g}), so this "
    "method estimates no variance, however few the cases; 'effective-size' has an "
    "interval"
)
_GUARANTEED = "confidence at least the level"
_ALIKE = (
    "all orderings with as many errors are treated as equally likely, so the limits "
    "may miss "
    "an AUC"
)
_MISSES = "the AUC of these scores is outside the limits"
_SAME_RESAMPLES = "all resamples have the same AUC, so they do not show its error"
_SAME_FOLDS = "all folds have the same AUC, so their variance is 0"


@dataclass(frozen=True, kw_only=True, eq=False)
class AucInterval(Estimate):
    """An AUC with its confidence interval, within [0, 1].

    Attributes
    ----------
    std_error : float
        NaN if the method has none.
    n_positive, n_negative : int
    key : str
        The word that selects the method.
    """

    std_error: float
    n_positive: int
    n_negative: int
    key: str
    call: RCall | None = internal()

    def as_columns(self) -> Columns:
        """Return one row."""
        return super().as_columns().but(std_error=self.std_error)

    def r_call(self) -> RCall | None:
        """Return the R call; None for the bootstrap, which is random."""
        return self.call

    def r_values(self) -> dict[str, Any]:
        """Return the estimate, its standard error and the interval."""
        return {
            "estimate": self.estimate,
            "std_error": self.std_error,
            "conf_low": self.conf_low,
            "conf_high": self.conf_high,
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class AucIntervals(Result):
    """Intervals of one AUC side by side, as in Aslan (2009), Fig. 3.5.

    Attributes
    ----------
    intervals : tuple of AucInterval
    """

    intervals: tuple[AucInterval, ...]

    def as_columns(self) -> Columns:
        """Return one row per method."""
        return stacked(interval.as_columns() for interval in self.intervals)


@dataclass(frozen=True)
class Limits:
    """What a method found: estimate, standard error, limits, notes."""

    estimate: float
    std_error: float
    low: float
    high: float
    notes: tuple[str, ...] = ()


@checked
def auc_interval(
    label: ArrayLike,
    score: ArrayLike,
    *,
    positive: object,
    method: AucIntervalMethod = "effective-size",
    level: float = 0.95,
    threshold: float | None = None,
    fold: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    seed: int | None = None,
    resamples: int | None = None,
) -> AucInterval:
    """Return a confidence interval of one AUC.

    Parameters
    ----------
    label, score : array_like, shape (n,)
        As in ``roc_curve``.
    positive : object
        The label of the positive class.
    method : str
        ``effective-size``, the default: limits of Clopper and Pearson for a share, at
        the effective number of cases of DeLong's variance. It needs one case of each
        class, and an AUC of 1 has the upper limit 1. ``delong``: normal, variance from
        placements. ``delong-logit``: the same on the
        scale log(A / (1 - A)). ``hanley-mcneil``: normal, variance for exponential
        scores. ``cortes-mohri``: from the number of errors at ``threshold``.
        ``agarwal``: distribution-free bound. ``bootstrap``: percentiles of AUCs of
        cases resampled in each class. ``fold-t``: mean and t interval of the AUCs of
        folds.
    level : float
        Confidence level. Limits are cut at 0 and 1.
    threshold : float, optional
        For ``cortes-mohri`` only, which needs it: a case is predicted positive if its
        score >= threshold.
    fold : array_like, shape (n,), optional
        For ``fold-t`` only, which needs it: the test fold of each case.
    cluster : array_like, shape (n,), optional
        For ``effective-size``, ``delong`` and ``delong-logit`` only: the cluster of
        each case, as in ``delong``.
    seed, resamples : int, optional
        For ``bootstrap`` only; 0 and 2000 if not given. Both are reported.

    Returns
    -------
    AucInterval
        Limits are NaN, with the reason, if the method estimates no variance: an AUC
        of 0 or 1 for ``delong``, ``delong-logit`` and ``hanley-mcneil``, for which pROC
        returns [1, 1].

    Raises
    ------
    DesignError
        If a class has too few cases for the method (two for ``delong``, five
        for ``bootstrap``), or a fold has one class only.
    InputError
        For bad labels or scores as in ``roc_curve``, an unknown method, an option that
        belongs to another method.

    Notes
    -----
    Equations 8.1, 8.3, 8.4, 8.5 of docs/equations.md.

    ``effective-size`` is our own combination of published parts: Clopper and Pearson's
    limits at an effective sample size (Korn and Graubard 1998), with the largest
    variance that an AUC can have (proof with equation 8.5; Birnbaum and Klose 1957 is
    on such bounds) if few cases are on the wrong side.
    Its 95% intervals had coverage of at least 0.93 in simulations of independent cases
    with nine score laws, AUCs of 0.7 to 0.999 and 1 to 1,000 cases of a class. For AUCs
    up to 0.9 they are 4 to 7% wider than DeLong's with 100 cases of each class, 1 to 2%
    with 1,000; nearer to 1 they are wider (``validation/AUC_COVERAGE.md``). Coverage
    with clusters was not simulated. With clusters, m is the smaller of the effective
    numbers of clusters, (sum of n_c)^2 / sum of n_c^2, of both classes.

    Cortes-Mohri: the exact binomial interval of the number of errors at the level
    sqrt(level), rounded outwards, then Chebyshev's inequality at its two ends with the
    probability sqrt(level). It supposes that all orderings of the cases with as many
    errors are equally likely, which no classifier guarantees, and does not look at the
    AUC: a perfect ordering with a bad threshold is outside.

    With fewer than 50 cases of a class notes state how often intervals of the method
    held the truth in simulations (``validation/FEW_CASES.md``).

    Fold AUCs share training cases, and ``fold-t`` does not correct for that.

    R: ``pROC::ci.auc(method = "delong")``, which is ``method="delong"`` here; the
    others from their formulas.

    References
    ----------
    .. [1] DeLong et al. (1988). Biometrics 44, 837-845.
    .. [2] Hanley, J. A., McNeil, B. J. (1982). Radiology 143, 29-36.
    .. [3] Cortes, C., Mohri, M. (2004). NIPS 17, 305-312.
    .. [4] Agarwal, S. et al. (2005). JMLR 6, 393-425.
    .. [5] Qin, G., Hotilovac, L. (2008). Stat. Methods Med. Res. 17, 207-221.
    .. [6] Aslan, O. (2009). M.Sc. thesis, Bogazici University, Fig. 3.5.
    .. [7] Obuchowski, N. A. (1997). Biometrics 53, 567-578.
    .. [8] Korn, E. L., Graubard, B. I. (1998). Survey Methodology 24(2), 193-201.
    .. [9] Birnbaum, Z. W., Klose, O. M. (1957). Ann. Math. Stat. 28, 933-945.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ill = np.repeat([True, False], 40)
    >>> first = rng.normal(ill)
    >>> area = pc.auc_interval(ill, first, positive=True)
    >>> print(f"{area.estimate:.3f} [{area.conf_low:.3f}, {area.conf_high:.3f}]")
    0.841 [0.728, 0.920]
    """
    check_level(level)
    check_word("method", method, METHODS)
    options = {"threshold": threshold, "fold": fold, "cluster": cluster}
    options |= {"seed": seed, "resamples": resamples}
    _check_options(method, options)
    same_rows(label=label, fold=fold, cluster=cluster)
    cases = one_score(label, score, positive).in_clusters(cluster)
    interval = _find(cases, method, level, options)
    few = [] if method == "agarwal" else few_cases(cases, f"auc_interval, {method}")
    return AucInterval(
        name="AUC" if method != "fold-t" else "mean AUC of folds",
        estimate=interval.estimate,
        conf_low=max(interval.low, 0.0)
        if interval.low == interval.low
        else interval.low,
        conf_high=min(interval.high, 1.0)
        if interval.high == interval.high
        else interval.high,
        level=level,
        method=_WORDS[method] + ", clusters" * (cluster is not None),
        notes=(*interval.notes, *below_chance(interval.estimate), *few),
        std_error=interval.std_error,
        n_positive=cases.n_positive,
        n_negative=cases.n_negative,
        key=method,
        call=_call(cases, method, level, options),
    )


@checked
def auc_intervals(
    label: ArrayLike,
    score: ArrayLike,
    *,
    positive: object,
    methods: Sequence[AucIntervalMethod] | None = None,
    level: float = 0.95,
    threshold: float | None = None,
    fold: ArrayLike | None = None,
    cluster: ArrayLike | None = None,
    seed: int = 0,
    resamples: int = 2000,
) -> AucIntervals:
    """Return confidence intervals of one AUC by several methods.

    Parameters
    ----------
    label, score, positive, level, seed, resamples
        As in ``auc_interval``.
    methods : sequence of str, optional
        By default all; ``cortes-mohri`` only with a threshold, ``fold-t`` only with
        folds, ``delong`` and ``delong-logit`` only with two cases of each class,
        ``bootstrap`` only with five. With clusters ``effective-size``, ``delong``,
        ``delong-logit`` and ``fold-t``: the others assume independent cases.
    threshold, fold, cluster : optional
        As in ``auc_interval``.

    Returns
    -------
    AucIntervals

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> ill = np.repeat([True, False], 40)
    >>> first = rng.normal(ill)
    >>> tests = {"first": first, "second": first + rng.normal(size=80)}
    >>> side_by_side = pc.auc_intervals(
    ...     ill, first, positive=True, methods=("delong", "hanley-mcneil", "agarwal")
    ... )
    >>> side_by_side.to_frame()[["estimate", "conf_low", "conf_high"]].round(3)
       estimate  conf_low  conf_high
    0     0.841     0.752      0.930
    1     0.841     0.752      0.929
    2     0.841     0.537      1.000
    """
    given: dict[str, dict[str, Any]] = {
        "cortes-mohri": {"threshold": threshold},
        "fold-t": {"fold": fold},
        "bootstrap": {"seed": seed, "resamples": resamples},
        **{name: {"cluster": cluster} for name in _WITH_CLUSTER},
    }
    if methods is None:
        methods = possible_methods(
            one_score(label, score, positive).truth,
            threshold=threshold is not None,
            folds=fold is not None,
            clusters=cluster is not None,
        )
    elif cluster is not None and (other := set(methods) - set(IN_CLUSTERS)):
        raise InputError(
            f"methods={sorted(other)} assume independent cases, and these are in "
            f"clusters; choose from {', '.join(map(repr, IN_CLUSTERS))}"
        )
    intervals = [
        auc_interval(
            label,
            score,
            positive=positive,
            method=method,
            level=level,
            **given.get(method, {}),
        )
        for method in methods
    ]
    # One question about the area, not one for each method.
    once = set(below_chance(intervals[0].estimate)) if intervals else set()
    rest = (
        replace(interval, notes=_without(interval.notes, once))
        for interval in intervals[1:]
    )
    return AucIntervals(intervals=(*intervals[:1], *rest))


def possible_methods(
    truth: Bools, *, threshold: bool, folds: bool, clusters: bool
) -> tuple[AucIntervalMethod, ...]:
    """Return the methods that have the requirements, in order.

    Parameters
    ----------
    truth : ndarray of bool
        Whether each case is positive.
    threshold, folds, clusters : bool
        Whether there are any.
    """
    fewest = int(min(np.sum(truth), np.sum(~truth)))
    missing = {
        "cortes-mohri": not threshold,
        "fold-t": not folds,
        "bootstrap": fewest < LEAST_DRAWN,
        **dict.fromkeys(("delong", "delong-logit"), fewest < 2),
    }
    known = IN_CLUSTERS if clusters else METHODS
    return tuple(m for m in known if not missing.get(m, False))


def _without(notes: tuple[str, ...], said: set[str]) -> tuple[str, ...]:
    """Return the notes that are not given already."""
    return tuple(note for note in notes if note not in said)


def _check_options(method: str, options: dict[str, Any]) -> None:
    """Reject options of another method, and a method without the requirements."""
    belong = {
        "threshold": ("cortes-mohri",),
        "fold": ("fold-t",),
        "cluster": _WITH_CLUSTER,
        "seed": ("bootstrap",),
        "resamples": ("bootstrap",),
    }
    for name, owners in belong.items():
        if options[name] is not None and method not in owners:
            raise InputError(
                f"{name} is for method={' or '.join(map(repr, owners))} and has no "
                f"effect on {method!r}; leave it out"
            )
    for name in ("threshold", "fold"):
        if method in belong[name] and options[name] is None:
            raise InputError(f"method={method!r} needs {name}=...")
    check_resampling(options["seed"], options["resamples"], least=2)


def _find(cases: Cases, method: str, level: float, options: dict[str, Any]) -> Limits:
    """Return the interval of one method."""
    if method == "cortes-mohri":
        return _by_errors(cases, level, options["threshold"])
    if method == "agarwal":  # holds for any number of cases
        area = float(placements.auc(cases.truth, cases.score[0]))
        half = area_variance.agarwal(cases.n_positive, cases.n_negative, level)
        return Limits(area, math.nan, area - half, area + half, (_GUARANTEED,))
    if method == "bootstrap":
        return _by_bootstrap(cases, level, options["seed"], options["resamples"])
    if method == "fold-t":
        return _by_folds(cases, level, options["fold"])
    if method == "effective-size":
        return _at_effective_size(cases, level)
    area, error = _with_error(cases, method)
    return _normal(area, error, level, logit=method == "delong-logit")


def _with_error(cases: Cases, method: str) -> tuple[float, float]:
    """Return the AUC and its standard error by Hanley-McNeil or DeLong."""
    n1, n0 = cases.n_positive, cases.n_negative
    if method == "hanley-mcneil":
        area = float(placements.auc(cases.truth, cases.score[0]))
        return area, area_variance.hanley_mcneil(area, n1, n0)
    if min(n1, n0) < 2:
        raise DesignError(
            f"{n1} positive and {n0} negative cases: DeLong's variance needs two of "
            f"each"
        )
    components: ClusterSides | placements.DelongAreas
    if cases.cluster is None:
        components = placements.delong(cases.truth, cases.score)
    else:
        doubled = placements.doubled_placements(cases.truth[None], cases.score)
        components = ClusterSides.of(doubled, cases.truth, cases.cluster)
    return float(components.area[0]), math.sqrt(float(components.covariance[0, 0]))


def _at_effective_size(cases: Cases, level: float) -> Limits:
    """Return Clopper and Pearson's limits at the effective number of cases."""
    sizes = [_cases_of_units(cases, side) for side in (cases.truth, ~cases.truth)]
    least = min(float(n.sum() ** 2 / np.sum(n**2)) for n in sizes)
    area, error = float(placements.auc(cases.truth, cases.score[0])), math.nan
    if min(map(len, sizes)) > 1:
        area, error = _with_error(cases, "delong")
    n = area_variance.effective_size(area, error**2, least)
    low, high = binomial.clopper_pearson(n * area, n * (1 - area), "two-sided", level)
    return Limits(area, error, float(low), float(high))


def _cases_of_units(cases: Cases, side: np.ndarray) -> Floats:
    """Return the cases of one class in each independent unit that has some."""
    if cases.cluster is None:
        return np.ones(int(side.sum()))
    return np.unique(cases.cluster[side], return_counts=True)[1].astype(float)


def _normal(area: float, error: float, level: float, *, logit: bool) -> Limits:
    """Return a normal interval, on the logit scale if wanted; none without variance."""
    if error == 0:
        note = _NO_VARIANCE.format(area=area)
        return Limits(area, error, math.nan, math.nan, (note,))
    z = -float(special.ndtri((1 - level) / 2))
    if not logit:
        return Limits(area, error, area - z * error, area + z * error)
    centre = math.log(area / (1 - area))
    half = z * error / (area * (1 - area))
    low, high = special.expit([centre - half, centre + half])
    return Limits(area, error, float(low), float(high))


def _by_errors(cases: Cases, level: float, threshold: float) -> Limits:
    """Return Cortes and Mohri's interval; the estimate is the AUC of the scores."""
    if not math.isfinite(threshold):
        raise InputError(setting("threshold", threshold) + ": give a number")
    predicted = cases.score[0] >= threshold
    errors = int(np.sum(predicted != cases.truth))
    n, part = len(cases.truth), math.sqrt(level)
    least, largest = binomial.clopper_pearson(errors, n - errors, "two-sided", part)
    fewest, most = math.floor(least * n), math.ceil(largest * n)
    width = 1 / math.sqrt(1 - part)
    best, best_sd = area_variance.cortes_mohri(
        fewest, cases.n_positive, cases.n_negative
    )
    worst, worst_sd = area_variance.cortes_mohri(
        most, cases.n_positive, cases.n_negative
    )
    area = float(placements.auc(cases.truth, cases.score[0]))
    note = (
        f"{errors} errors at the threshold {threshold:g} ({fewest} to {most} with "
        f"confidence {part:.4g})"
    )
    low, high = worst - width * worst_sd, best + width * best_sd
    outside = not max(low, 0.0) <= area <= min(high, 1.0)
    return Limits(
        area,
        math.nan,
        low,
        high,
        (note, _ALIKE, *((_MISSES,) if outside else ())),
    )


def _by_bootstrap(
    cases: Cases, level: float, seed: int | None, resamples: int | None
) -> Limits:
    """Return percentiles of resampled AUCs."""
    require_enough_to_draw(cases)
    seed, resamples = seed or 0, resamples or 2000
    areas = resampled_curves.resampled(
        cases.truth,
        cases.score,
        resampled_curves.areas,
        np.random.default_rng(seed),
        resamples,
    )[:, 0]
    area = float(placements.auc(cases.truth, cases.score[0]))
    note = f"{resamples} resamples, seed {seed}"
    if np.all(areas == areas[0]):
        return Limits(area, 0.0, math.nan, math.nan, (note, _SAME_RESAMPLES))
    low, high = np.quantile(areas, [(1 - level) / 2, (1 + level) / 2])
    error = float(np.std(areas, ddof=1))
    return Limits(area, error, float(low), float(high), (note,))


def _by_folds(cases: Cases, level: float, fold: Any) -> Limits:
    """Return mean and t interval of the AUCs of folds."""
    areas = _fold_areas(cases, fold)
    k = len(areas)
    if k < 2:
        raise DesignError(f"{k} fold: a t interval needs two or more")
    mean = float(np.mean(areas))
    if np.all(areas == areas[0]):
        return Limits(float(areas[0]), 0.0, math.nan, math.nan, (_SAME_FOLDS,))
    error = float(np.std(areas, ddof=1)) / math.sqrt(k)
    half = student.isf((1 - level) / 2, k - 1) * error
    return Limits(mean, error, mean - half, mean + half, (f"{k} folds",))


def _fold_areas(cases: Cases, fold: Any) -> Floats:
    """Return the AUC of each fold, in order of first appearance."""
    codes, names = fold_codes(fold, len(cases.truth))
    order = np.argsort(codes, kind="stable")
    folds = np.split(order, np.cumsum(np.bincount(codes))[:-1])
    areas = [
        float(placements.auc(cases.truth[rows], cases.score[0][rows])) for rows in folds
    ]
    one_class = [str(n) for n, area in zip(names, areas, strict=True) if area != area]
    if one_class:
        raise DesignError(
            f"fold {one_class[0]!r} has cases of one class only ({len(one_class)} such "
            f"folds); its AUC is undefined: stratify the folds"
        )
    return np.array(areas)


def fold_codes(fold: Any, n: int) -> tuple[np.ndarray, list[Any]]:
    """Return the number of each case's fold, and the folds."""
    folds = case_labels(fold, "fold")
    if folds.shape != (n,):
        raise InputError(f"folds of shape {folds.shape}: give one per case, ({n},)")
    codes, names = pd.factorize(folds)
    return codes, list(names)


def _call(
    cases: Cases, method: str, level: float, options: dict[str, Any]
) -> RCall | None:
    """Return the R call of a method that is not random."""
    if method == "bootstrap":
        return None
    arguments = {**cases.r_arguments(), "method": method, "level": level}
    if cases.cluster is not None:
        files = ("adjust", "roc", "auc_interval", "delong", "delong_clusters")
        return RCall(files, "auc_interval_clusters_reference", arguments)
    if method == "cortes-mohri":
        arguments["threshold"] = float(options["threshold"])
    if method == "fold-t":
        arguments["fold"] = fold_codes(options["fold"], len(cases.truth))[0] + 1.0
    return RCall(("roc", "auc_interval"), "auc_interval_reference", arguments)
