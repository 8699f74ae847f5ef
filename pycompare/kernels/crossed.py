"""Differences of items under runs that all share: three tests, the largest p-value.

Readers and cases of a comparison of modalities take the largest of the same three.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pycompare.base.typing import Floats
from pycompare.kernels import student


class CrossedTest(NamedTuple):
    """Standard error and degrees of freedom of the mean difference, one a pair."""

    std_error: Floats
    df: Floats


def mean_squares(d: Floats, noise: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Return mean and mean squares of items, runs and residual.

    Parameters
    ----------
    d : ndarray, shape (pairs, items, runs)
        Differences; two items and two runs or more.
    noise : ndarray, shape (pairs,)
        Magnitude of the scores behind the differences: values within their rounding
        error are 0.

    Returns
    -------
    mean, ms_items, ms_runs, ms_residual : ndarray, shape (pairs,)
    """
    _, n_items, n_runs = d.shape
    mean = d.mean(axis=(1, 2))
    items = d.mean(axis=2) - mean[:, None]
    runs = d.mean(axis=1) - mean[:, None]
    rest = d - mean[:, None, None] - items[:, :, None] - runs[:, None, :]
    least = 64 * np.finfo(float).eps * noise
    for part in (items, runs, rest):
        part[np.abs(part) <= least.reshape(-1, *[1] * (part.ndim - 1))] = 0.0
    return (
        mean,
        n_runs * (items**2).sum(axis=1) / (n_items - 1),
        n_items * (runs**2).sum(axis=1) / (n_runs - 1),
        (rest**2).sum(axis=(1, 2)) / ((n_items - 1) * (n_runs - 1)),
    )


def three_tests(
    ms_items: Floats, ms_runs: Floats, ms_residual: Floats, n_items: int, n_runs: int
) -> tuple[CrossedTest, CrossedTest, CrossedTest]:
    """Return the tests for new items, for new runs, and for both (Hillis 2007).

    Without a mean square of runs the degrees of freedom of the last are infinite.
    """
    n = n_items * n_runs
    both = ms_runs + np.maximum(ms_items - ms_residual, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = (n_runs - 1) * (both / ms_runs) ** 2
    return (
        CrossedTest(np.sqrt(ms_items / n), np.full(len(both), n_items - 1.0)),
        CrossedTest(np.sqrt(ms_runs / n), np.full(len(both), n_runs - 1.0)),
        CrossedTest(np.sqrt(both / n), np.where(ms_runs > 0, df, np.inf)),
    )


def two_sided(mean: Floats, test: CrossedTest) -> Floats:
    """Return p-values: 1 if the mean is 0, 0 if only the variance is."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t = mean / test.std_error
        p = student.two_sided(t, test.df)
    return np.where(mean == 0, 1.0, p)


class LargestP(NamedTuple):
    """The test of each pair that has the largest p-value, and all p-values.

    ``each`` has shape (tests, pairs).
    """

    std_error: Floats
    df: Floats
    p_value: Floats
    each: Floats


def largest(tests: Sequence[CrossedTest], p: Floats) -> LargestP:
    """Return the test with the largest p-value of each pair.

    Parameters
    ----------
    tests : sequence of CrossedTest
    p : ndarray, shape (tests, pairs)
        Of equal p-values the one with the largest error: if all underflow, the
        widest interval.
    """
    errors, dfs = (np.array(part) for part in zip(*tests, strict=True))
    rows = np.arange(p.shape[1])
    at = np.lexsort((errors, p), axis=0)[-1]
    return LargestP(errors[at, rows], dfs[at, rows], p[at, rows], p)


def largest_half_width(tests: Sequence[CrossedTest], alpha: float) -> Floats:
    """Return the half-width of the hull of all intervals; NaN without any error."""
    half = np.max([_half_width(test, alpha) for test in tests], axis=0)
    # Without an error nothing is known of how far other differences may lie.
    return np.where(half > 0, half, np.nan)


def _half_width(test: CrossedTest, alpha: float) -> Floats:
    """Return the critical value times the standard error."""
    critical = np.array([student.isf(alpha / 2, df) for df in test.df.tolist()])
    return np.where(test.std_error > 0, critical * test.std_error, 0.0)
