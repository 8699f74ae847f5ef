"""Figures of all readers and modalities, with their covariances over cases.

One description serves all designs. A cell is a modality with a reader; cells are
correlated through the cases (or clusters of cases) that both rated, and independent
if they share none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import check_word
from pycompare.base.errors import DesignError, InputError, setting
from pycompare.base.formatting.counts import counted
from pycompare.base.labels import show
from pycompare.base.typing import Floats
from pycompare.data.ratings import Ratings
from pycompare.kernels import case_weights, placements
from pycompare.kernels import pseudovalues as pseudo
from pycompare.methods.curves.few_cases import LEAST_DRAWN
from pycompare.methods.multireader.figures import FigureOfMerit
from pycompare.methods.multireader.words import CovarianceName

_COVARIANCES: tuple[CovarianceName, ...] = get_args(CovarianceName)


@dataclass(frozen=True)
class ReaderCells:
    """Figures and covariances of the cells of a design.

    Attributes
    ----------
    theta : ndarray, shape (t, r)
        NaN if the reader did not read with the modality.
    covariance : ndarray, shape (t, r, t, r)
        0 between cells without common cases; NaN at cells without figure.
    n_units : int
        Independent units: cases, or clusters of them.
    """

    theta: Floats
    covariance: Floats
    n_units: int


def cells(
    ratings: Ratings,
    figure: FigureOfMerit,
    method: CovarianceName,
    rng: np.random.Generator,
    resamples: int,
) -> ReaderCells:
    """Return figures and their covariances by the method chosen."""
    _check(ratings, figure, method)
    t, r, n = ratings.shape
    units = n if ratings.cluster is None else len(ratings.clusters)
    if is_plain(ratings, figure) and method != "bootstrap":
        theta, covariance = _of_areas(ratings, method)
        return ReaderCells(theta, covariance.reshape(t, r, t, r), units)
    there = ratings.read.any(axis=-1).ravel()
    rows = ratings.values.reshape(t * r, n)[there]
    theta, covariance = np.full(t * r, np.nan), np.full((t * r, t * r), np.nan)
    part, square = _of_rows(ratings, rows, figure, method, rng, resamples)
    theta[there] = part
    covariance[np.ix_(there, there)] = square
    return ReaderCells(theta.reshape(t, r), covariance.reshape(t, r, t, r), units)


def _check(ratings: Ratings, figure: FigureOfMerit, method: str) -> None:
    """Reject a method that does not exist or not for this figure or design."""
    check_word("covariance", method, _COVARIANCES)
    if method in ("delong", "unbiased") and not figure.has_components:
        raise InputError(
            setting("covariance", method)
            + f" is not available for the {figure.title}; "
            f"choose 'jackknife' or 'bootstrap'"
        )
    if method == "unbiased" and ratings.cluster is not None:
        raise InputError(
            setting("covariance", "unbiased")
            + " assumes independent cases, and these are in "
            "clusters; choose 'jackknife', 'delong' or 'bootstrap'"
        )
    if ratings.truth is None or figure.name == "mean":
        if ratings.shape[2] < 2:
            raise DesignError("one case: a variance over cases needs two at least")
        return
    counts = np.array(
        [(ratings.read & side).sum(axis=-1) for side in figure.sides(ratings.truth)]
    )
    fewest = np.where(ratings.read.any(axis=-1), counts.min(axis=0), np.inf)
    if fewest.min() < 2:
        i, j = np.unravel_index(int(fewest.argmin()), fewest.shape)
        positive = int((ratings.read & ratings.truth)[i, j].sum())
        negative = int(ratings.read[i, j].sum()) - positive
        which = "each" if len(counts) > 1 else "the class that counts"
        raise DesignError(
            f"{positive} positive and {negative} negative cases of reader="
            f"{show(ratings.readers[j])} with modality={show(ratings.modalities[i])}: "
            f"a variance over cases needs two of {which}"
        )


def is_plain(ratings: Ratings, figure: FigureOfMerit) -> bool:
    """Return whether the closed forms for AUCs of common, independent cases apply."""
    return (
        figure.name == "auc"
        and ratings.design == "factorial"
        and ratings.cluster is None
    )


def _of_areas(ratings: Ratings, method: str) -> tuple[Floats, Floats]:
    """Return AUCs of a factorial design and their covariances, in whole numbers."""
    t, r, n = ratings.shape
    assert ratings.truth is not None
    x = ratings.values.reshape(t * r, n)
    components = placements.delong(ratings.truth, x)
    if method == "jackknife":
        covariance = pseudo.jackknife_covariance(components)
    elif method == "delong":
        covariance = components.covariance
    else:
        covariance = pseudo.unbiased_covariance(ratings.truth, x)
    return components.area.reshape(t, r), covariance


def _of_rows(
    ratings: Ratings,
    rows: Floats,
    figure: FigureOfMerit,
    method: str,
    rng: np.random.Generator,
    resamples: int,
) -> tuple[Floats, Floats]:
    """Return figures and covariances of rows of ratings, NaN if not rated."""
    n = rows.shape[1]
    truth = np.ones(n, bool) if ratings.truth is None else ratings.truth
    if method == "unbiased" and figure.name == "auc":
        return _one_shot(truth, rows)
    if method == "bootstrap":
        return _by_bootstrap(ratings, rows, truth, figure, rng, resamples)
    if figure.has_components and not (
        method == "jackknife" and ratings.cluster is not None
    ):
        # Unbiased is the same as DeLong's for a mean of independent cases.
        return _by_components(ratings, rows, truth, figure, method)
    return _by_leaving_out(ratings, rows, truth, figure)


def _unit_of(ratings: Ratings) -> NDArray[np.intp]:
    """Return the independent unit of each case: itself, or its cluster."""
    n = ratings.shape[2]
    return np.arange(n) if ratings.cluster is None else ratings.cluster


def _by_components(
    ratings: Ratings,
    rows: Floats,
    truth: NDArray[np.bool_],
    figure: FigureOfMerit,
    how: str,
) -> tuple[Floats, Floats]:
    """Return covariances from the deviation of each case from its class's mean.

    DeLong's for independent cases, Obuchowski's (1997, Biometrics 53, 567-578) for
    clusters, and the closed jackknife. Cells of other cases have factors of their own.
    """
    theta = np.empty(len(rows))
    deviation = np.zeros(rows.shape)
    for i, row in enumerate(rows):
        read = ~np.isnan(row)
        theta[i], component = figure.components(truth[read], row[read])
        deviation[i, read] = component - theta[i]
    sides = figure.sides(truth)
    unit, read = _unit_of(ratings), ~np.isnan(rows)
    sums, factors = [], []
    for side in sides:
        size = (read & side).sum(axis=1)
        units = np.array([len(np.unique(unit[row & side])) for row in read])
        _require_units(units, ratings)
        divisor = size - 1 if how == "jackknife" else size
        sums.append(_summed(deviation * side / divisor[:, None], unit))
        total = read.sum(axis=1)
        small = (total - 1) / total if how == "jackknife" else units / (units - 1)
        factors.append(np.sqrt(small))
    covariance = sum(
        (s * f[:, None]) @ (s * f[:, None]).T
        for s, f in zip(sums, factors, strict=True)
    )
    if ratings.cluster is not None and len(sides) > 1:
        units = np.array([len(np.unique(unit[row])) for row in read])
        f = np.sqrt(units / (units - 1))
        cross = (sums[0] * f[:, None]) @ (sums[1] * f[:, None]).T
        covariance = covariance + cross + cross.T
    return theta, np.asarray(covariance)


def _require_units(units: NDArray[np.intp], ratings: Ratings) -> None:
    """Reject a class whose cases are all in one cluster: it has no variance."""
    if units.min() < 2:
        raise DesignError(
            f"all cases of one class that a reader rated are in one of "
            f"{len(ratings.clusters)} clusters; a variance over clusters needs two"
        )


def _summed(values: Floats, unit: NDArray[np.intp]) -> Floats:
    """Sum the columns of each unit."""
    out = np.zeros((values.shape[0], int(unit.max()) + 1))
    np.add.at(out.T, unit, values.T)
    return out


def leave_one_out(
    ratings: Ratings, rows: Floats, truth: NDArray[np.bool_], figure: FigureOfMerit
) -> tuple[Floats, Floats]:
    """Return figures, and figures without each unit, shape (n_units, k)."""
    unit = _unit_of(ratings)
    n_units = int(unit.max()) + 1
    every = iter([np.ones((1, len(unit)))])
    theta = case_weights.measured(figure.under, truth, rows, every)[0]
    less = case_weights.measured(
        figure.under, truth, rows, case_weights.left_out(unit, n_units)
    )
    if not np.isfinite(less).all():
        c = int(np.argmax(~np.isfinite(less).all(axis=1)))
        name = ratings.clusters[c] if ratings.clusters else ratings.cases[c]
        raise DesignError(
            f"without {show(name)} a reader has cases of one class only; the "
            f"jackknife needs both classes whichever case or cluster is left out"
        )
    return theta, less


def _by_leaving_out(
    ratings: Ratings, rows: Floats, truth: NDArray[np.bool_], figure: FigureOfMerit
) -> tuple[Floats, Floats]:
    """Return jackknife covariances by leaving out one case or cluster at a time."""
    theta, less = leave_one_out(ratings, rows, truth, figure)
    unit = _unit_of(ratings)
    units = np.array([len(np.unique(unit[~np.isnan(row)])) for row in rows])
    # A unit that a cell did not rate leaves its figure as it is.
    rated = np.array([np.isin(np.arange(len(less)), unit[~np.isnan(r)]) for r in rows])
    mean = np.sum(less * rated.T, axis=0) / units
    d = (less - mean) * rated.T * np.sqrt((units - 1) / units)
    return theta, d.T @ d


def _by_bootstrap(
    ratings: Ratings,
    rows: Floats,
    truth: NDArray[np.bool_],
    figure: FigureOfMerit,
    rng: np.random.Generator,
    resamples: int,
) -> tuple[Floats, Floats]:
    """Return covariances over resamples: of cases in each class, or of clusters."""
    unit = _unit_of(ratings)
    if ratings.truth is not None:
        _require_enough_to_draw(unit, rows, truth)
    every = iter([np.ones((1, len(unit)))])
    theta = case_weights.measured(figure.under, truth, rows, every)[0]
    drawn = case_weights.resampled(
        figure.under, truth, rows, unit, _strata_of(ratings), rng, resamples
    )
    lacking = int((~np.isfinite(drawn).all(axis=1)).sum())
    if lacking:
        raise DesignError(
            f"in {lacking} of {resamples} resamples of clusters a reader has cases of "
            f"one class only; choose "
            + setting("covariance", "jackknife")
            + " or 'delong'"
        )
    return theta, np.atleast_2d(np.cov(drawn, rowvar=False))


def _require_enough_to_draw(
    unit: NDArray[np.intp], rows: Floats, truth: NDArray[np.bool_]
) -> None:
    """Reject to draw a few cases, or clusters, of a class again and again."""
    read = [~np.isnan(row) for row in rows]
    sides = ((truth, "positive"), (~truth, "negative"))
    n, which = min(
        (len(np.unique(unit[of & seen])), name)
        for of, name in sides
        for seen in read
        if of.any()
    )
    if n < LEAST_DRAWN:
        raise DesignError(
            f"a reader has {counted(n, f'{which} case')}, or clusters with some, and a "
            f"bootstrap within classes needs {LEAST_DRAWN}: resamples of fewer hardly "
            "vary; choose " + setting("covariance", "jackknife") + " or 'delong'"
        )


def _strata_of(ratings: Ratings) -> NDArray[np.intp]:
    """Return the stratum of each unit: who rated it, and the classes that it has."""
    unit = _unit_of(ratings)
    t, r, n = ratings.shape
    pattern = ratings.read.reshape(t * r, n)
    if ratings.truth is not None:
        pattern = np.vstack([pattern, ratings.truth, ~ratings.truth])
    of_unit = _summed(pattern.astype(float), unit) > 0
    _, strata = np.unique(of_unit, axis=1, return_inverse=True)
    return np.asarray(strata).ravel()


def _one_shot(truth: NDArray[np.bool_], rows: Floats) -> tuple[Floats, Floats]:
    """Return AUCs and unbiased covariances of cells with any cases."""
    from pycompare.kernels.one_shot import cell_covariance

    return cell_covariance(truth, rows)
