"""The numbers of an analysis of readers and modalities, before any table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import special

from pycompare.base.typing import Floats
from pycompare.kernels import reader_moments as rm
from pycompare.kernels import student
from pycompare.kernels.crossed import CrossedTest, largest
from pycompare.methods.multireader.covariances import ReaderCells
from pycompare.methods.multireader.error_terms import Model, error_of, without_rounding


@dataclass(frozen=True)
class Means:
    """Estimates with standard errors; infinite ``df`` is the normal distribution."""

    estimate: Floats
    std_error: Floats
    df: Floats

    @property
    def statistic(self) -> Floats:
        """Estimate over standard error; NaN without one."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.std_error > 0, self.estimate / self.std_error, np.nan)

    def limits(self, level: float) -> tuple[Floats, Floats]:
        """Return confidence limits; NaN without a standard error."""
        width = np.array([student.isf((1 - level) / 2, df) for df in self.df])
        half = np.where(self.std_error > 0, width * self.std_error, np.nan)
        return self.estimate - half, self.estimate + half


@dataclass(frozen=True)
class Omnibus:
    """Test that all modalities have one mean; NaN if it cannot be made."""

    name: str
    statistic: float
    df: tuple[float, ...]
    p_value: float


@dataclass(frozen=True)
class Findings:
    """What an analysis gives for modalities and for pairs of them.

    Attributes
    ----------
    omnibus : Omnibus
    each : Means
        Modalities.
    pairs : Means
        Differences of pairs of modalities.
    """

    omnibus: Omnibus
    each: Means
    pairs: Means


def above(tests: Sequence[Means], bound: float) -> tuple[Means, Floats]:
    """Return the test that the mean is above a bound, the one with the largest p-value.

    A test without an error sets no limit to the others; p is NaN if none has one.

    Parameters
    ----------
    tests : sequence of Means
        One test, or several of the same estimates.
    bound : float

    Returns
    -------
    largest : Means
        Estimates less the bound.
    p_value : ndarray
    """
    ahead = tests[0].estimate - bound
    each = [CrossedTest(test.std_error, test.df) for test in tests]
    some = np.any([test.std_error > 0 for test in tests], axis=0)
    p = [_upper_of(ahead, test) for test in each]
    largest_test = largest(each, np.where(some, p, np.nan))
    return Means(ahead, largest_test.std_error, largest_test.df), largest_test.p_value


def _upper_of(ahead: Floats, test: CrossedTest) -> Floats:
    """Return one-sided p-values; 0 without an error."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(
            test.std_error > 0, student.sf(ahead / test.std_error, test.df), 0.0
        )


def f_test(between: float, error: float, df1: float, df2: float) -> Omnibus:
    """Test a mean square against its error; chi-squared for infinite ``df2``."""
    name = "chi2" if np.isinf(df2) else "F"
    df = (df1,) if np.isinf(df2) else (df1, df2)
    if not error > 0:
        return Omnibus(name, np.nan, df, np.nan)
    f = between / error
    if np.isinf(df2):
        return Omnibus(name, df1 * f, df, float(special.chdtrc(df1, df1 * f)))
    return Omnibus(name, f, df, float(special.fdtrc(df1, df2, f)))


@dataclass(frozen=True)
class Squares:
    """Mean squares of all modalities, of pairs, and of each modality."""

    every: rm.Contrast
    pairs: rm.Contrast
    each: rm.Contrast


def squares_of_cells(cells: ReaderCells) -> Squares:
    """Return the mean squares by figures and their covariances."""
    moments = rm.moments(cells.theta, cells.covariance)
    contrasts = rm.all_modalities(moments), rm.pairs(moments), rm.each_modality(moments)
    return _cleared(contrasts, cells)


def squares_of_pseudovalues(y: Floats, cells: ReaderCells) -> Squares:
    """Return the mean squares by the analysis of variance of pseudovalues."""
    contrasts = (
        rm.of_pseudovalues(y),
        rm.pairs_of_pseudovalues(y),
        rm.each_of_pseudovalues(y),
    )
    return _cleared(contrasts, cells)


def _cleared(
    contrasts: tuple[rm.Contrast, rm.Contrast, rm.Contrast], cells: ReaderCells
) -> Squares:
    """Take the noise of rounding out of mean squares."""
    t, r = cells.theta.shape
    variance = float(np.max(np.diag(cells.covariance.reshape(t * r, -1))))
    return Squares(*(without_rounding(m, cells.theta, variance) for m in contrasts))


def crossed(theta: Floats, squares: Squares, model: Model, pooled: bool) -> Findings:
    """Analyse a design in which every reader reads with every modality.

    Parameters
    ----------
    theta : ndarray, shape (t, r)
    squares : Squares
    model : Model
    pooled : bool
        Whether pairs have the error of all modalities, or their own.
    """
    t, r = theta.shape
    every = error_of(squares.every, model, t - 1)
    omnibus = f_test(
        float(squares.every.between), float(every.mean_square), t - 1, float(every.df)
    )
    first, second = np.array(list(combinations(range(t), 2))).T
    mean = theta.mean(axis=1)
    # Differences before means: equal figures then differ by 0, not by rounding.
    difference = (theta[first] - theta[second]).mean(axis=1)
    pair = every if pooled else error_of(squares.pairs, model, 1)
    each = error_of(squares.each, model, 1)
    return Findings(
        omnibus,
        Means(mean, root(each.mean_square / r), _spread_out(each.df, t)),
        Means(
            difference,
            root(_spread_out(2 * pair.mean_square / r, len(first))),
            _spread_out(pair.df, len(first)),
        ),
    )


def root(variance: Floats) -> Floats:
    """Return standard errors; NaN if an estimated variance is negative."""
    with np.errstate(invalid="ignore"):
        return np.sqrt(variance)


def _spread_out(value: Floats, n: int) -> Floats:
    """Return a value for each of n, from one for all or one each."""
    return np.array(np.broadcast_to(value, (n,)))


def anova_of_figures(theta: Floats) -> tuple[Omnibus, Omnibus]:
    """Return Maloof's (2002) two-way and one-way tests of the figures themselves.

    The two-way analysis treats readers as blocks, the one-way analysis as replicates.
    Neither has a term for cases.
    """
    t, r = theta.shape
    between, readers, both = (float(v) for v in rm.spread(theta))
    none = np.nan
    if r < 2:
        return Omnibus("F", none, (t - 1, 0.0), none), Omnibus(
            "F", none, (t - 1, 0.0), none
        )
    floor = without_rounding(
        rm.Contrast(*map(np.asarray, (between, both, 0.0, 0.0))), theta, 0.0
    )
    within = ((r - 1) * readers + (t - 1) * (r - 1) * float(floor.readers)) / (
        t * (r - 1)
    )
    return (
        f_test(float(floor.between), float(floor.readers), t - 1, (t - 1) * (r - 1)),
        f_test(float(floor.between), within, t - 1, t * (r - 1)),
    )
