"""Error strata: the orthogonal parts of the data within which terms are tested.

With units such as folds within data sets the data fall into parts: means of data sets,
means of folds about them, rows about these. Each part has an error of its own, and what
varies between data sets has to be compared with how data sets vary (Nelder 1965; R's
``aov(Error())``). The terms of a balanced factorial design are such parts, too.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pycompare.base.typing import Floats, Indices
from pycompare.kernels.sscp import (
    RANK,
    OrthogonalPart,
    RowCells,
    adjusted,
    indicators,
    term_parts,
)

_TOLERANCE = 1e-8
"""Projections that overlap by less than this part of a vector are orthogonal."""


def strata(
    units: Sequence[Indices], finer: Sequence[Sequence[int]], n: int
) -> list[OrthogonalPart]:
    """Return the strata of the units, coarsest first, and that of the rows last.

    Parameters
    ----------
    units : sequence of ndarray of int, each of shape (n,)
        The cell of each row, by each kind of unit; cells are numbered from 0.
    finer : sequence of sequence of int
        For each kind the earlier kinds whose cells its cells lie in.
    n : int
        Rows.

    Returns
    -------
    list of OrthogonalPart
        The first is that of the constant. Rows have no stratum if a kind of unit has
        one row per cell.
    """
    parts = nested_parts(units, finer, n)
    if not _orthogonal(parts, n):
        columns = [np.ones((n, 1)), *map(indicators, units)]
        parts = list(term_parts(columns))
    rest = n - sum(part.df for part in parts)
    if rest > 0:
        parts.append(OrthogonalPart(None, rest, tuple(parts)))
    return parts


def nested_parts(
    cells: Sequence[Indices], finer: Sequence[Sequence[int]], n: int
) -> list[OrthogonalPart]:
    """Return the constant, and means of cells less those of coarser cells."""
    constant = OrthogonalPart(RowCells(np.zeros(n, np.intp)), 1)
    parts = [constant]
    for groups, coarser in zip(cells, finer, strict=True):
        inside = (constant, *(parts[1 + i] for i in coarser))
        space = RowCells(groups)
        parts.append(
            OrthogonalPart(
                space, len(space.counts) - sum(part.df for part in inside), inside
            )
        )
    return parts


def _orthogonal(strata: Sequence[OrthogonalPart], n: int) -> bool:
    """Return whether the means of some strata are orthogonal projections."""
    probe = np.random.default_rng(0).normal(size=(n, 2))
    size = float(np.linalg.norm(probe))
    parts = [stratum.project(probe) for stratum in strata]
    for i, stratum in enumerate(strata):
        for j, part in enumerate(parts):
            again = stratum.project(part) - (part if i == j else 0.0)
            if np.linalg.norm(again) > _TOLERANCE * size:
                return False
    return all(stratum.df >= 0 for stratum in strata)


def projected(
    stratum: OrthogonalPart | None, columns: Sequence[Floats]
) -> list[Floats]:
    """Return design columns within a stratum; rounding errors become 0."""
    if stratum is None or not columns:
        return list(columns)
    widths = np.cumsum([part.shape[1] for part in columns])[:-1]
    all_columns = np.hstack(list(columns))
    within = stratum.project(all_columns)
    lengths = np.linalg.norm(all_columns, axis=0)
    within[:, np.linalg.norm(within, axis=0) <= RANK * lengths] = 0.0
    return list(np.split(within, widths, axis=1))


def tested_part(
    columns: Sequence[Floats], tested: int, before: Sequence[int]
) -> OrthogonalPart:
    """Return what one term adds to some others."""
    if not columns[tested].any():
        return OrthogonalPart(np.zeros((len(columns[tested]), 0)), 0)
    others = term_parts([columns[i] for i in before if columns[i].any()])
    return adjusted(columns[tested], others)
