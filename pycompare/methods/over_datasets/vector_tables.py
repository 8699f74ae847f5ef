"""Paired tests of all pairs in many complete tables at once, after MANOVA."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pycompare.base.errors import DesignError
from pycompare.base.interop.r_call import RCall
from pycompare.base.typing import Bools, Floats
from pycompare.data.scores import Scores
from pycompare.kernels import hotelling, manova
from pycompare.kernels.hotelling import Samples
from pycompare.kernels.units import binary_unit
from pycompare.methods.linear.mean_vectors import NOTHING
from pycompare.methods.linear.zero_residual import blocks_p
from pycompare.results.adjust import (
    Adjustment,
    adjust_family,
    repeatable_in_r,
)

_NO_ERROR = (
    "a difference has no variation over the blocks to be compared with: it is the same "
    "in all of them, or the blocks are too few for the metrics"
)


@dataclass(frozen=True, eq=False)
class VectorTests:
    """Tests of n tables, m pairs each.

    Attributes
    ----------
    p_value, p_pairs : ndarray, shape (n, m)
        Hotelling's T2, raw and adjusted over the pairs of the table; NaN if a pair
        could not be tested, which is set to 1 in the adjustment. One paired metric
        whose difference does not vary has an exact p-value.
    p_omnibus, wilks : ndarray, shape (n,)
        Wilks' Lambda with Rao's F; of one metric without error exact too.
    p_dimensions : ndarray, shape (n, s)
        Bartlett's test that r dimensions hold all differences, r = 0 .. s - 1; NaN
        beyond those of the table.
    kept : ndarray of bool, shape (n, m, p)
        Metrics that count in each pair: those that do not depend on others.
    kept_omnibus : ndarray of bool, shape (n, p)
    reason : ndarray of str, shape (n, m)
    """

    p_value: Floats
    p_pairs: Floats
    p_omnibus: Floats
    wilks: Floats
    p_dimensions: Floats
    kept: Bools
    kept_omnibus: Bools
    reason: NDArray[np.object_]

    def dimension(self, alpha: float) -> Floats:
        """Return in how many dimensions mean vectors differ; NaN if nothing is tested.

        The first number that Bartlett's test does not reject at alpha, or all.
        """
        kept = ~(self.p_dimensions <= alpha) & ~np.isnan(self.p_dimensions)
        count = (~np.isnan(self.p_dimensions)).sum(axis=-1)
        first = np.where(kept.any(axis=-1), kept.argmax(axis=-1), count)
        return np.where(count > 0, first, np.nan)

    def refuse_if_none(self, scores: Scores) -> None:
        """Reject scores of which no pair can be tested, unless none differs."""
        if np.isnan(self.p_value).all() and (self.reason == _NO_ERROR).any():
            raise DesignError(
                f"no pair of algorithms can be tested on any data set: {_NO_ERROR}; "
                f"there are {scores.n_blocks} blocks in all and {self.kept.shape[-1]} "
                f"metrics"
            )


def vector_tests(
    tables: list[Floats], method: Samples, chosen: Adjustment
) -> VectorTests:
    """Test all pairs of each table.

    Parameters
    ----------
    tables : list of ndarray, shape (T, b, a, p)
        One entry per data set: T tables (thresholds) of b blocks; b may differ between
        entries, T, a and p do not. Complete.
    """
    by_blocks: dict[int, list[int]] = {}
    for i, table in enumerate(tables):
        by_blocks.setdefault(table.shape[1], []).append(i)
    parts: dict[int, VectorTests] = {}
    for members in by_blocks.values():
        t = len(tables[members[0]])
        tests = _tests_of(np.concatenate([tables[i] for i in members]), method, chosen)
        for place, i in enumerate(members):
            parts[i] = _rows_of(tests, slice(place * t, (place + 1) * t))
    ordered = [parts[i] for i in range(len(tables))]
    return VectorTests(
        *(np.concatenate([getattr(p, n) for p in ordered]) for n in _FIELDS)
    )


_FIELDS = (
    "p_value",
    "p_pairs",
    "p_omnibus",
    "wilks",
    "p_dimensions",
    "kept",
    "kept_omnibus",
    "reason",
)


def _rows_of(tests: VectorTests, rows: slice) -> VectorTests:
    """Return the tests of some tables."""
    return VectorTests(*(getattr(tests, name)[rows] for name in _FIELDS))


def _tests_of(y: Floats, method: Samples, chosen: Adjustment) -> VectorTests:
    """Test tables of the same shape, (n, b, a, p)."""
    y = y / binary_unit(y, axis=(1, 2))  # each metric of each table
    roots, df_hypothesis, df_error = manova.complete_roots(y, blocked=True)
    wilks = manova.tests(roots.eigenvalues, roots.rank, df_hypothesis, df_error)
    pairs = hotelling.hotelling(y, method=method)
    p, p_omnibus = pairs.p_value, wilks["wilks"].p_value
    if method == "paired" and y.shape[-1] == 1:
        p, p_omnibus = _without_error(p, pairs.total > 0, p_omnibus, y.shape[1:3])
    reason = np.where(np.isnan(p), np.where(pairs.total == 0, NOTHING, _NO_ERROR), "")
    return VectorTests(
        p_value=p,
        p_pairs=_adjusted_rows(p, y.shape[2], chosen),
        p_omnibus=p_omnibus,
        wilks=np.where(roots.rank > 0, wilks["wilks"].statistic, np.nan),
        p_dimensions=_dimensions(roots, df_hypothesis, df_error, p_omnibus),
        kept=pairs.kept & ~np.isnan(p)[..., None],
        kept_omnibus=roots.kept,
        reason=reason.astype(object),
    )


def _dimensions(
    roots: manova.Roots, df_hypothesis: int, df_error: int, p_omnibus: Floats
) -> Floats:
    """Return Bartlett's p-values of each table; of one metric without error the exact.

    The number of roots that count is the smaller of a table's rank and df_hypothesis.
    """
    n, s = roots.eigenvalues.shape
    p = np.full((n, s), np.nan)
    for i in range(n):
        rank = int(roots.rank[i])
        own = roots.eigenvalues[i, : min(rank, df_hypothesis)]
        if len(own) and not np.isnan(own).any() and df_error >= rank:
            p[i, : len(own)] = manova.dimensionality(
                own, rank, df_hypothesis, df_error
            )[2]
    exact = np.isnan(p).all(axis=-1) & ~np.isnan(p_omnibus)
    p[exact, 0] = p_omnibus[exact]
    return p


def _without_error(
    p: Floats, differ: Bools, p_omnibus: Floats, shape: tuple[int, int]
) -> tuple[Floats, Floats]:
    """Return p-values of one metric, exact if differences do not vary over blocks.

    As ``pc.paired_t`` and ``pc.anova`` have them: 2^(1 - b) for a pair, and the share
    of arrangements within blocks that fit as well for all algorithms.
    """
    b, a = shape
    p = np.where(np.isnan(p) & differ, math.ldexp(1.0, 1 - b), p)
    p_omnibus = p_omnibus.copy()
    for i in np.flatnonzero(np.isnan(p_omnibus) & differ.any(axis=1)):
        p_omnibus[i] = blocks_p(_levels(differ[i], a), b)
    return p, p_omnibus


def _levels(differ: Bools, a: int) -> list[int]:
    """Return a number for each algorithm, one for all that do not differ."""
    apart = np.zeros((a, a), bool)
    apart[np.triu_indices(a, 1)] = differ
    return np.argmin(apart | apart.T, axis=0).tolist()


def _adjusted_rows(p: Floats, n_algorithms: int, chosen: Adjustment) -> Floats:
    """Adjust the pairs of each table; what could not be tested is set to 1."""
    return np.array([adjust_family(row, n_algorithms, chosen) for row in p])


def vector_call(
    cells: Floats,
    algorithms: tuple[str, ...],
    tables: list[str],
    tested: tuple[VectorTests, str, str, bool, float],
    risk: tuple[list[int], Floats],
    sign: float = 1.0,
) -> RCall | None:
    """Return the call that repeats tests and wins, if R can adjust them.

    Parameters
    ----------
    cells : ndarray, shape (rows, a, p)
        Blocks of all tables, one after the other, in columns tested and not.
    algorithms : tuple of str
    tables : list of str
        Label of each row's table.
    tested : tuple
        Tests, method, adjustment, whether the omnibus test stands first, alpha.
    risk : tuple
        Columns that were tested; what each column costs, (n_tables, p), lower better.
    sign : float
        Of the values in results, of which higher may be better.
    """
    tests, method, adjust, omnibus, alpha = tested
    columns, weights = risk
    b, a, p = cells.shape
    if not repeatable_in_r(adjust, a):
        return None
    n, m, _ = tests.kept.shape
    kept = np.zeros((n * m, p))
    kept[:, columns] = tests.kept.reshape(n * m, -1)
    first = np.zeros((n, p))
    first[:, columns] = tests.kept_omnibus
    if len(columns) == 1:  # 2: nothing varies, and R counts arrangements as well
        [only] = columns
        exact = (kept[:, only] == 0) & ~np.isnan(tests.p_value.ravel())
        kept[exact, only] = 2
        first[(first[:, only] == 0) & ~np.isnan(tests.p_omnibus), only] = 2
    arguments: dict[str, Any] = {
        "y": _numbered(cells.reshape(b * a, p), np.repeat(np.arange(b), a)),
        "algorithm": list(algorithms) * b,
        "table": [name for name in tables for _ in range(a)],
        "kept": _numbered(kept),
        "kept_omnibus": _numbered(first),
        "weights": _numbered(weights),
        "method": method,
        "adjust": adjust,
        "omnibus": omnibus,
        "alpha": alpha,
    }
    if sign < 0:
        arguments["sign"] = sign
    files = (
        "linear", "responses", "adjust", "hotelling", "manova", "wins", "vector_wins",
    )  # fmt: skip
    return RCall(files, "vector_wins_reference", arguments)


def _numbered(values: Floats, rows: NDArray[np.int_] | None = None) -> pd.DataFrame:
    """Return an array with plain names for R."""
    index = np.arange(len(values)) if rows is None else rows
    return pd.DataFrame(
        values, [str(i + 1) for i in index], [f"y{j}" for j in range(values.shape[1])]
    )
