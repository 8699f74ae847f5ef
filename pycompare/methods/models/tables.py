"""Tables in files, as the frames that a formula is fitted to."""

from __future__ import annotations

from os import PathLike

import numpy as np
import pandas as pd

from pycompare.base.errors import InputError
from pycompare.data.file_format import AS_ENDING, FileFormat
from pycompare.data.files import named, read_table
from pycompare.data.table import DataTable
from pycompare.methods.models.columns import require_known
from pycompare.methods.models.grammar import read_formula, read_terms


def read_frame(
    path: str | PathLike[str],
    formula: str,
    within: str | None = None,
    form: FileFormat = AS_ENDING,
    row_weights: str | None = None,
) -> pd.DataFrame:
    """Return the columns of a file that a formula, its strata and weights name.

    A column is numeric if every cell is a number or empty, and a response of true and
    false is logical; else its cells are labels, exactly as written.

    Raises
    ------
    InputError
        If the file or a column cannot be read, or the file lacks a column.
    """
    read = read_formula(formula)
    strata = read_terms(within, "within") if within is not None else ()
    factors = [*read.responses, *(f for t in (*read.terms, *strata) for f in t)]
    with named(path):
        table, _ = read_table(path, form)
        table.require_rows()
        wanted = dict.fromkeys(f.column for f in factors)
        if row_weights is not None:
            wanted[row_weights] = None
        for name in wanted:
            require_known(name, table.names)
        responses = {factor.column for factor in read.responses}
        return pd.DataFrame(
            {
                name: _cells(table, name, name in responses)
                for name in table.names
                if name in wanted
            },
            index=range(table.n_rows),
        )


def _cells(table: DataTable, name: str, is_response: bool) -> np.ndarray:
    """Return a column as numbers if it holds nothing else, or as labels.

    Responses of true and false are returned as such.
    """
    if is_response and (truths := table.truth_values(name)) is not None:
        cells = [None if np.isnan(truth) else truth == 1 for truth in truths.tolist()]
        return np.array(cells, dtype=object)
    try:
        return table.numbers(name)
    except InputError:
        levels = table.levels(name)
        return np.array(levels.labels, dtype=object)[levels.codes]
