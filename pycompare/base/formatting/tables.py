"""Tables as plain text."""

from __future__ import annotations

from pycompare.base.formatting.numbers import number, p_text
from pycompare.base.tables import Columns


def table_text(table: Columns, digits: int) -> str:
    """Return a table with each number rounded by its kind."""
    import pandas as pd

    shown = table.pandas()
    for name in shown.columns:
        if name.startswith("p_") and name != "p_source":
            shown[name] = [p_text(p, digits=digits) for p in shown[name]]
        elif pd.api.types.is_float_dtype(shown[name]):
            shown[name] = [number(v, digits) for v in shown[name]]
    return shown.to_string(index=False)
