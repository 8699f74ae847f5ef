"""How R makes the arrays of a linear model of the table in the folder of its report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import numpy as np

from pycompare.base.interop.rscript import value
from pycompare.base.typing import Floats
from pycompare.methods.models.linear_model import LinearModel
from pycompare.reporting.evidence.csv_text import no_formula
from pycompare.reporting.evidence.data_files import of_model
from pycompare.reporting.evidence.r_inputs import SAME, DataInR, Made

_CURVES: Mapping[str, np.ufunc] = {"log": np.log, "sqrt": np.sqrt}
"""What a formula may make of a response."""


class TableInR(DataInR):
    """How R makes responses, groups and covariates of the columns of a table."""

    own_stems: tuple[str, ...] = ("model_table",)
    file = "table.csv"

    def __init__(self, model: LinearModel) -> None:
        super().__init__()
        self.model = model

    @property
    def reading(self) -> Mapping[str, str]:
        """The line of R that reads the file."""
        return {"columns": "read_columns(folder)"}

    def arrays(self) -> Iterator[Made]:
        """Yield nothing: matrices are made column by column."""
        yield from ()

    def code(self, values: Floats, columns: tuple[str, ...] | None) -> str | None:
        """Return the R code of a matrix of columns, or of contrasts; None without."""
        if columns is not None:
            return None
        if values.ndim == 1:
            return self._column(values)
        if len(values) == self.model.n:
            parts = [self._column(column) for column in values.T]
            if None not in parts:
                return f"cbind({', '.join(map(str, parts))})"
        return _contrasts(values)

    def _column(self, values: Floats) -> str | None:
        """Return the R code of one column of numbers or of codes of groups."""
        for held, code in self._columns:
            alike = held.shape == values.shape
            if alike and np.allclose(held, values, rtol=SAME, atol=0, equal_nan=True):
                return code
        return None

    @cached_property
    def _columns(self) -> list[Made]:
        """The columns of the table, with what formulas make of them."""
        built: list[Made] = []
        levels = of_model(self.model).parts["levels"]
        for at, (name, column) in enumerate(self.model.data.items(), 1):
            of = f"columns[[{at}]]"
            if name not in levels:
                x = column.to_numpy(float)
                built.append((x, f"as.numeric({of})"))
                with np.errstate(all="ignore"):
                    for curve, apply in _CURVES.items():
                        built.append((apply(x), f"{curve}(as.numeric({of}))"))
                built += _groups(list(map(float, x)), of)
                continue
            labels = [no_formula(label) for label in levels[name]]
            text = column.astype(str).tolist()
            known = {label: k for k, label in enumerate(levels[name])}
            if set(text) <= set(known):
                codes = np.array([known[label] for label in text], float)
                built.append((codes, f"match({of}, {value(labels)}) - 1"))
                built += _groups(text, of)
        return built


def _groups(cells: list[float] | list[str], of: str) -> list[Made]:
    """Return codes of groups in the order in which they come."""
    first = {cell: k for k, cell in enumerate(dict.fromkeys(cells))}
    codes = np.array([first[cell] for cell in cells], float)
    return [(codes, f"match({of}, unique({of})) - 1")]


def _contrasts(weights: Floats) -> str | None:
    """Return the R code of all pairs of means, or of each against one; else None."""
    n = weights.shape[1]
    if n < 2:
        return None
    for within in (m for m in range(2, n + 1) if n % m == 0):
        pairs = [(i, j) for i in range(within) for j in range(i + 1, within)]
        of_level = _differences(pairs, within)
        levels = n // within
        if np.array_equal(weights, np.kron(np.eye(levels), of_level)):
            code = f"pairs_of_means({within})"
            return code if levels == 1 else f"diag({levels}) %x% {code}"
    for control in range(n):
        others = [(i, control) for i in range(n) if i != control]
        if np.array_equal(weights, _differences(others, n)):
            return f"means_against({n}, {control + 1})"
    return None


def _differences(pairs: list[tuple[int, int]], n: int) -> Floats:
    """Return a row of weights for each difference of two of n means."""
    weights = np.zeros((len(pairs), n))
    for row, (i, j) in enumerate(pairs):
        weights[row, i], weights[row, j] = 1, -1
    return weights
