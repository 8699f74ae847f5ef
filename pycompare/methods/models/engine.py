"""Design matrices from statsmodels' formula engine, over safe names alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from pycompare.base.typing import Floats
from pycompare.kernels.units import binary_unit
from pycompare.methods.models.columns import Categories, ModelColumn
from pycompare.methods.models.grammar import CONSTANT, Factor, Term

_SUM_TO_ZERO = {"patsy": "Sum", "formulaic": "contr.sum"}
"""What each engine calls effects that sum to zero over the levels."""


@dataclass(frozen=True, eq=False)
class DesignMatrix:
    """A design matrix, and the same columns for other rows.

    Attributes
    ----------
    columns : dict of Term to ndarray, each of shape (n, columns of the term)
        The constant, if there is one, is ``()`` and comes first.
    grid : dict of Term to ndarray
        The same for the rows of a reference grid.
    formula : str
        The formula for the engine.
    engine : str
        ``patsy`` or ``formulaic``.
    """

    columns: dict[Term, Floats]
    grid: dict[Term, Floats]
    formula: str
    engine: str
    roots: Floats | None = None
    """Square roots of the weights of rows, by which ``columns`` are multiplied."""
    root_unit: float = 1.0
    """The power of two that ``roots`` are divided by."""

    def weighted(self, weights: Floats) -> DesignMatrix:
        """Return the design matrix of rows with weights."""
        roots = np.sqrt(weights)
        unit = binary_unit(roots).item()
        roots = roots / unit
        columns = {term: roots[:, None] * x for term, x in self.columns.items()}
        return replace(self, columns=columns, roots=roots, root_unit=unit)


def _safe_names(columns: Mapping[Factor, ModelColumn]) -> dict[Factor, tuple[str, ...]]:
    """Return the names that each column has for the engine."""
    names: dict[Factor, tuple[str, ...]] = {}
    for place, (factor, column) in enumerate(columns.items()):
        if isinstance(column, Categories):
            names[factor] = (f"v{place}",)
        else:
            width = max(column.degree, 1)
            names[factor] = tuple(f"x{place}_{j}" for j in range(width))
    return names


def design_matrix(
    terms: Sequence[Term],
    constant: bool,
    columns: Mapping[Factor, ModelColumn],
    grid: Mapping[Factor, NDArray[np.generic]],
) -> DesignMatrix:
    """Return the columns of each term, for the data and for a grid of other rows.

    Parameters
    ----------
    terms : sequence of Term
    constant : bool
    columns : mapping of Factor to ModelColumn
    grid : mapping of Factor to ndarray, each of shape (m,)
        Codes of levels, or values of covariates before their transformation.
    """
    names = _safe_names(columns)
    frame = _safe_frame(columns, grid, names)
    engine = _formula_engine()
    coding = _SUM_TO_ZERO[engine]
    parts = {term: _engine_terms(term, columns, names, coding) for term in terms}
    text = " + ".join(
        [
            "1" if constant else "0",
            *(engine_term for many in parts.values() for engine_term in many),
        ]
    )
    # Rows that repeat have the same columns, and the engine takes long for each row.
    first, place = _distinct(columns, grid)
    values, places = _by_engine(text, frame.iloc[first])
    n = len(place) - _grid_rows(grid)
    by_term = {
        term: np.hstack([values[:, places[engine_term]] for engine_term in many])[place]
        for term, many in parts.items()
    }
    if constant:
        by_term = {CONSTANT: np.ones((len(place), 1)), **by_term}
    return DesignMatrix(
        columns={term: part[:n] for term, part in by_term.items()},
        grid={term: part[n:] for term, part in by_term.items()},
        formula=text,
        engine=engine,
    )


def _formula_engine() -> str:
    """Return the engine that statsmodels uses: ``patsy`` or ``formulaic``."""
    # statsmodels takes a second to import: only who asks for a formula waits for it.
    from statsmodels import formula

    options = getattr(formula, "options", None)  # before 0.15 patsy is the only one
    return "patsy" if options is None else str(options.formula_engine)


def _by_engine(text: str, frame: pd.DataFrame) -> tuple[Floats, Mapping[str, slice]]:
    """Return the columns of a formula over safe names, and where each term's are."""
    from statsmodels.formula import handle_formula_data

    # statsmodels keeps the places of terms only for a formula with a response.
    frame = frame.assign(response=0.0)
    (_, matrix), _, design_info = handle_formula_data(frame, None, f"response ~ {text}")
    by_patsy = _formula_engine() == "patsy"
    places = design_info.term_name_slices if by_patsy else design_info.term_slices
    return np.asarray(matrix, float), places


def _distinct(
    columns: Mapping[Factor, ModelColumn], grid: Mapping[Factor, NDArray[np.generic]]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first of each kind of row, and the kind of each row."""
    cell = np.zeros(1, np.intp)
    for factor, column in columns.items():
        own = column.codes if isinstance(column, Categories) else column.raw
        _, codes = np.unique(np.concatenate([own, grid[factor]]), return_inverse=True)
        _, first, cell = np.unique(
            cell * (codes.max() + 1) + codes, return_index=True, return_inverse=True
        )
    return first, cell


def _engine_terms(
    term: Term,
    columns: Mapping[Factor, ModelColumn],
    names: Mapping[Factor, tuple[str, ...]],
    coding: str,
) -> list[str]:
    """Return the engine's terms that make up one of ours: several with ``poly``."""
    spelled = [
        [f"C({name}, {coding})" for name in names[factor]]
        if isinstance(columns[factor], Categories)
        else list(names[factor])
        for factor in term
    ]
    return [":".join(parts) for parts in product(*spelled)]


def _grid_rows(grid: Mapping[Factor, NDArray[np.generic]]) -> int:
    """Return the number of rows of a grid."""
    return len(next(iter(grid.values()))) if grid else 0


def _safe_frame(
    columns: Mapping[Factor, ModelColumn],
    grid: Mapping[Factor, NDArray[np.generic]],
    names: Mapping[Factor, tuple[str, ...]],
) -> pd.DataFrame:
    """Return data and grid, one under the other, under safe names."""
    data: dict[str, object] = {}
    for factor, column in columns.items():
        if isinstance(column, Categories):
            codes = np.concatenate([column.codes, np.asarray(grid[factor], np.intp)])
            labels = [f"L{i}" for i in range(len(column.levels))]
            data[names[factor][0]] = pd.Categorical.from_codes(codes, labels)
        else:
            both = np.vstack(
                [column.columns(), column.columns(np.asarray(grid[factor]))]
            )
            data |= dict(zip(names[factor], both.T, strict=True))
    return pd.DataFrame(data)
