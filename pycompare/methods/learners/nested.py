"""Nested cross-validation: an interval of the error of one learner."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pycompare.base.arguments import check_level, is_whole, numbers
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.interop.r_call import RCall
from pycompare.base.tables import Columns
from pycompare.base.typing import Floats, Ints
from pycompare.kernels import student
from pycompare.kernels.r_random import Uniforms, checked_seed
from pycompare.results.result import Estimate, internal

Losses = Callable[[Ints, Ints], ArrayLike]
"""Trains on the cases of the first places; returns the loss of those of the second."""
_OF_MODEL = "error on new cases of a model trained on as many cases as these"
_REFERENCE = (
    "Bates et al. (2023) Journal of the American Statistical Association 119, 1434-1445"
)
_FEWEST_FOLDS, _FEWEST_REPEATS = 3, 2
_FEW_REPEATS = 20
_NOTE = (
    "few repeats: the estimate of the mean squared error varies; the authors advise 200"
)


@dataclass(frozen=True, kw_only=True, eq=False)
class NestedCvResult(Estimate):
    """Error of one learner by nested cross-validation.

    Attributes
    ----------
    std_error : float
        Square root of the estimated mean squared error.
    covers : str
        The quantity of the interval.
    cv_estimate, nested_estimate : float
        Mean loss of the outer folds (cross-validation) and of the inner ones.
        ``estimate`` is the nested one, corrected for smaller training sets.
    naive_error : float
        Standard error of a mean of independent losses; ``std_error`` is at least this
        and at most the square root of the number of folds times it.
    n_cases, n_folds, repeats, seed : int
    n_fits : int
        How often the learner was trained.
    reference : str
    """

    std_error: float
    covers: str = _OF_MODEL
    cv_estimate: float
    nested_estimate: float
    naive_error: float
    n_cases: int
    n_folds: int
    repeats: int
    seed: int
    n_fits: int
    reference: str = _REFERENCE
    arguments: dict[str, Any] = internal()

    def as_columns(self) -> Columns:
        """Return one row."""
        return super().as_columns().but(std_error=self.std_error)

    def r_call(self) -> RCall:
        """Return the call of the estimate from the losses of all folds."""
        return RCall(("nested_cv",), "nested_cv_reference", self.arguments)

    def r_values(self) -> dict[str, Any]:
        """Return the estimates and the interval."""
        names = ("estimate", "std_error", "conf_low", "conf_high", "cv_estimate",
                 "nested_estimate", "naive_error")  # fmt: skip
        return {name: getattr(self, name) for name in names}


@checked
def nested_cv(
    losses: Losses,
    n_cases: int,
    *,
    n_folds: int = 10,
    repeats: int = 50,
    level: float = 0.95,
    seed: int = 0,
) -> NestedCvResult:
    """Return the error of one learner with the interval of nested cross-validation.

    Parameters
    ----------
    losses : callable
        ``losses(train, test)`` trains on the cases whose places are in ``train`` and
        returns the loss of each case whose place is in ``test``, in their order.
    n_cases : int
        Number of cases; places are 0 to ``n_cases - 1``.
    n_folds : int, default 10
        Three or more.
    repeats : int, default 50
        Random divisions into folds; each trains ``n_folds * (n_folds + 1) / 2`` models.
    level : float, default 0.95
    seed : int, default 0
        Of the divisions into folds.

    Returns
    -------
    NestedCvResult

    Raises
    ------
    InputError
        If ``losses`` returns another number of losses, or one that is not finite, and
        for numbers that do not fit.

    Notes
    -----
    Equation 14.2 of docs/equations.md. R: own derivation, from the losses.

    The mean squared error of an inner cross-validation is estimated by how far it is
    from the mean loss of the outer fold, minus the variance of that mean. As published,
    the standard error is at least that of independent losses, and the estimate is
    corrected for training sets that are smaller by a fold or two.

    References
    ----------
    .. [1] Bates, S., Hastie, T., Tibshirani, R. (2023). Cross-validation: what does it
       estimate and how well does it do it? JASA 119, 1434-1445.

    Examples
    --------
    >>> import numpy as np
    >>> import pycompare as pc
    >>> rng = np.random.default_rng(1)
    >>> label = rng.integers(0, 2, 60)
    >>> x = label + rng.normal(size=60)
    >>> def losses(train, test):
    ...     means = [x[train][label[train] == k].mean() for k in (0, 1)]
    ...     return (x[test] > sum(means) / 2) != label[test]
    >>> result = pc.nested_cv(losses, 60, n_folds=5, repeats=20)
    >>> f"{result.estimate:.3f} [{result.conf_low:.3f}, {result.conf_high:.3f}]"
    '0.204 [0.087, 0.322]'
    """
    check_level(level)
    _check_sizes(n_cases, n_folds, repeats)
    seed = checked_seed(seed)
    stream = Uniforms(seed)
    parts = [
        _repeat(losses, _folds(stream, n_cases, n_folds), n_folds)
        for _ in range(repeats)
    ]
    inner, outer, variance, sizes = (
        np.array(column) for column in zip(*parts, strict=True)
    )
    means = _estimates(inner, outer, variance, sizes)
    half = student.isf((1 - level) / 2, math.inf) * means["std_error"]
    return NestedCvResult(
        name="error by nested cross-validation",
        method="mean squared error of inner folds (Bates et al. 2023), normal",
        estimate=means["estimate"],
        conf_low=means["estimate"] - half if half else math.nan,
        conf_high=means["estimate"] + half if half else math.nan,
        level=level,
        notes=(_NOTE,) * (repeats < _FEW_REPEATS),
        std_error=means["std_error"],
        cv_estimate=means["cv_estimate"],
        nested_estimate=means["nested_estimate"],
        naive_error=means["naive_error"],
        n_cases=n_cases,
        n_folds=n_folds,
        repeats=repeats,
        seed=seed,
        n_fits=repeats * n_folds * (n_folds + 1) // 2,
        arguments={
            "inner": inner,
            "outer": outer,
            "variance": variance,
            "sizes": sizes.astype(float),
            "level": level,
        },
    )


def _estimates(
    inner: Floats, outer: Floats, variance: Floats, sizes: Floats
) -> dict[str, float]:
    """Return the estimates of nested cross-validation from means of losses.

    Parameters
    ----------
    inner, outer, variance, sizes : ndarray, shape (repeats, folds)
        Mean loss of the inner cross-validation without a fold; mean, variance and
        number of the losses of that fold.
    """
    k, n = outer.shape[1], sizes[0].sum()
    # Bates et al. (2023), algorithm 1; inner means have n - size losses each.
    squared = np.mean((inner - outer) ** 2) - np.mean(variance / sizes)
    share = sizes / n
    cv = float(np.mean((share * outer).sum(axis=1)))
    nested = float(np.mean((inner * (1 - share)).sum(axis=1) / (k - 1)))
    within = (variance * (sizes - 1) + sizes * (outer - cv) ** 2).sum(axis=1)
    naive = math.sqrt(float(np.mean(within)) / (n - 1) / n)
    scaled = math.sqrt((k - 1) / k * max(float(squared), 0.0))
    bias = (1 + (k - 2) / k) * (nested - cv)
    return {
        "estimate": nested - bias,
        "std_error": min(max(scaled, naive), math.sqrt(k) * naive),
        "cv_estimate": cv,
        "nested_estimate": nested,
        "naive_error": naive,
    }


def _check_sizes(n_cases: Any, n_folds: Any, repeats: Any) -> None:
    """Reject sizes that leave a fold or a training set empty."""
    if not is_whole(n_folds) or n_folds < _FEWEST_FOLDS:
        raise InputError(
            setting("n_folds", n_folds)
            + f": give a whole number, {_FEWEST_FOLDS} or more"
        )
    if not is_whole(n_cases) or n_cases < 2 * n_folds:
        raise InputError(
            setting("n_cases", n_cases)
            + f": give a whole number, {2 * n_folds} or more for {n_folds} folds"
        )
    if not is_whole(repeats) or repeats < _FEWEST_REPEATS:
        raise InputError(
            setting("repeats", repeats)
            + f": give a whole number, {_FEWEST_REPEATS} or more"
        )


def _folds(stream: Uniforms, n_cases: int, n_folds: int) -> Ints:
    """Return the fold of each case in a random division."""
    folds = np.empty(n_cases, int)
    folds[np.argsort(stream.draw(n_cases), kind="stable")] = (
        np.arange(n_cases) % n_folds
    )
    return folds


def _repeat(losses: Losses, folds: Ints, n_folds: int) -> tuple[Any, ...]:
    """Return means of losses of one division: inner, outer, variance and size."""
    totals = np.zeros(n_folds)  # of the inner losses without a fold
    outer, variance = np.zeros(n_folds), np.zeros(n_folds)
    sizes = np.bincount(folds, minlength=n_folds)
    for k in range(n_folds):
        own = _asked(losses, folds != k, folds == k)
        outer[k], variance[k] = own.mean(), own.var(ddof=1)
        for j in range(k + 1, n_folds):
            # One model, trained without both folds, is tested on either.
            both = (folds == k) | (folds == j)
            pair = _asked(losses, ~both, both)
            of_k = folds[both] == k
            totals[j] += pair[of_k].sum()
            totals[k] += pair[~of_k].sum()
    return totals / (len(folds) - sizes), outer, variance, sizes


def _asked(losses: Losses, train: Any, test: Any) -> Floats:
    """Return the losses of test cases, or reject another number of losses."""
    at = np.flatnonzero(test)
    try:
        returned = losses(np.flatnonzero(train), at)
    except TypeError as error:
        raise TypeError(f"losses(train, test): {error}") from error
    given = numbers(returned, "losses", truth_values=True)
    if given.shape != at.shape or not np.isfinite(given).all():
        raise InputError(
            f"losses(train, test) returned shape {given.shape} for {len(at)} test "
            "cases: return one finite loss for each"
        )
    return given
