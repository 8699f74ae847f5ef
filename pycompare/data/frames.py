"""Frames of any library (pandas, polars, pyarrow) as a `DataTable`, by narwhals."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.arguments import as_double
from pycompare.base.errors import InputError, Message, refused, setting
from pycompare.base.labels import (
    Levels,
    label_text,
    levels,
    require_unique_names,
    show,
    show_all,
)
from pycompare.data.delimited import NUMBER
from pycompare.data.percent import (
    IN_PERCENT,
    percent_hint,
    proportion,
    without_signs,
)
from pycompare.data.table import DataTable, refuse_cells, require_finite

if TYPE_CHECKING:
    import narwhals as nw
    import pandas as pd

_NUMBERS = int | float | np.integer | np.floating | Decimal | Fraction
_EXACT = 2**53  # float64 holds every integer up to here
_WIDE_INTEGERS = ("Int128", "UInt128")  # NumPy has none


class FrameTable(DataTable):
    """A frame's columns, and its pandas index if that has labels."""

    def __init__(
        self, frame: nw.DataFrame[Any], percent: Collection[str] | None = None
    ) -> None:
        import narwhals as nw

        self._frame = frame
        self.percent = frozenset(label_text(name) for name in percent or ())
        self.takes_percent = percent is not None
        self.names = _column_names(frame.columns)
        self.n_rows = len(frame)
        self._rows: list[int] = []  # of the whole frame, where it is a part of one
        self._levels: dict[str, Levels] = {}
        self._index = nw.maybe_get_index(frame)
        if self._index is not None:
            self.index_names = tuple(
                label_text(name) for name in self._index.names if name is not None
            )

    def taken(self, rows: NDArray[np.intp], names: Collection[str]) -> FrameTable:
        """Return some rows and columns; rows keep their names here."""
        chosen = [i for i, name in enumerate(self.names) if name in names]
        part = FrameTable(self._frame[rows.tolist(), chosen], self.percent)
        part.percent = self.percent - (set(self.names) - set(part.names))
        part.takes_percent = self.takes_percent
        part.missing_marks = self.missing_marks
        part._rows = [self._rows[i] for i in rows] if self._rows else rows.tolist()
        return part

    @cached_property
    def _columns(self) -> dict[str, nw.Series[Any]]:
        """The columns by name."""
        return dict(zip(self.names, self._frame.iter_columns(), strict=True))

    def row(self, index: int) -> str:
        """Name a row by its position."""
        place = self._rows[index] if self._rows else index
        return f"row {place + 1} (counting from 1)"

    def levels(self, name: str) -> Levels:
        """Read a column of any type as labels; it is read once."""
        if name not in self._levels:
            self._levels[name] = self._read_levels(name)
        return self._levels[name]

    def _read_levels(self, name: str) -> Levels:
        column = self._columns[name]
        what = f"column {show(name)}"
        missing = _gaps(column)
        self._refuse_missing_labels(missing, what)
        if not _is_plain(column):
            return levels(column.to_list(), what=what, row=self.row)
        return _levels_of_plain(column.to_numpy(), what, self)

    def absent(self, name: str, *, besides: Collection[str]) -> NDArray[np.bool_]:
        """Return which values are missing, or declared to be."""
        column = self._columns[name]
        gone = _gaps(column)
        if self.missing_marks:
            cells = [label_text(cell) for cell in column.to_list()]
            gone = gone | np.array([self.is_missing(name, c) for c in cells], bool)
        return gone

    def numbers(self, name: str) -> NDArray[np.float64]:
        """Read scores from a column of numbers, or of Python objects that are."""
        column = self._columns[name]
        if name in self.percent:
            numbers = self._percentages(column, name)
        elif column.dtype.is_float():
            numbers = column.to_numpy().astype(np.float64)
        elif column.dtype.is_integer() and str(column.dtype) not in _WIDE_INTEGERS:
            numbers = self._integers(column, name)
        else:
            numbers = self._objects(column, name)
        return require_finite(numbers, name, self)

    def truth_values(self, name: str) -> NDArray[np.float64] | None:
        """Read a column of booleans, of any type or as Python objects, as 1 and 0."""
        import narwhals as nw

        column = self._columns[name]
        is_object = isinstance(column.dtype, nw.Object)
        if name in self.percent or not (
            is_object or isinstance(column.dtype, nw.Boolean)
        ):
            return None
        missing = column.is_null().to_numpy()
        cells = column.to_list()
        present = [cells[i] for i in np.flatnonzero(~missing)]
        if not present or not all(isinstance(c, bool | np.bool_) for c in present):
            return None
        read = np.full(self.n_rows, np.nan)
        read[~missing] = present
        return read

    def has_digits(self, name: str) -> bool:
        """Return whether any cell of a column has a digit."""
        cells = self._columns[name].to_list()
        return any(any(map(str.isdigit, str(cell))) for cell in cells)

    def row_levels(self, *, besides: Collection[str] = ()) -> Levels:
        """Label the rows by the pandas index; by 1, 2, ... if it is the default one."""
        if self._index is None or _is_default(self._index):
            self._refuse_unnamed_text(besides)
            return super().row_levels(besides=besides)
        if self._index.nlevels > 1:
            raise InputError(
                f"the index has {self._index.nlevels} levels; call .reset_index() "
                "and name the column of blocks with " + setting("block", ...)
            )
        self._refuse_missing_labels(self._index.isna(), "the index")
        return levels(self._index.to_list(), what="the index", row=self.row)

    def _refuse_unnamed_text(self, besides: Collection[str]) -> None:
        names = [name for name in self.names if name not in besides]
        text = [name for name in names if self._begins_with_text(name)]
        if names and names[0] in text:
            raise InputError(
                f"the first column {show(names[0])} holds text; if a column names the "
                "blocks, name it ("
                + setting("block", ...)
                + f"); columns of text: {show_all(sorted(text))}"
            )

    def _begins_with_text(self, name: str) -> bool:
        cells = self._columns[name].to_list()
        return isinstance(next((v for v in cells if v is not None), None), str)

    def _refuse_missing_labels(self, missing: NDArray[np.bool_], what: str) -> None:
        rows = np.flatnonzero(missing)
        if rows.size:
            raise InputError(
                f"{what} has no label in {rows.size} of {self.n_rows} rows, first: "
                f"{self.row(int(rows[0]))}; give each row its label or remove it"
            )

    def _integers(self, column: nw.Series[Any], name: str) -> NDArray[np.float64]:
        missing = column.is_null().to_numpy()
        # Nullable integers go to NumPy as floats, so the gaps are filled first.
        whole = column.fill_null(0).to_numpy() if missing.any() else column.to_numpy()
        large = np.flatnonzero((whole > _EXACT) | (whole < -_EXACT))
        self._refuse({int(i): int(whole[i]) for i in large}, name)
        return np.where(missing, np.nan, whole.astype(np.float64))

    def _objects(self, column: nw.Series[Any], name: str) -> NDArray[np.float64]:
        null = column.is_null().to_numpy()
        cells: list[Any] = column.to_list()
        if self.missing_marks:
            null = null | np.array([self.is_missing(name, str(c)) for c in cells], bool)
        present = np.flatnonzero(~null)
        self._refuse({int(i): cells[i] for i in present}, name)
        numbers = np.full(self.n_rows, np.nan)
        numbers[present] = [float(cells[i]) for i in present]
        return numbers

    def _percentages(self, column: nw.Series[Any], name: str) -> NDArray[np.float64]:
        """Read percentages, numbers or text with a percent sign, as proportions."""
        present = np.flatnonzero(~column.is_null().to_numpy())
        cells = {int(i): column[int(i)] for i in present}
        text = {i: _percent_text(cell) for i, cell in cells.items()}
        self._refuse(
            {i: cells[i] for i, written in text.items() if written is None}, name
        )
        read = [text.get(i) or "" for i in range(self.n_rows)]
        numbers = without_signs(read, name, self)
        return np.array(
            [proportion(number) if number else np.nan for number in numbers]
        )

    def _refuse(self, cells: Mapping[int, object], name: str) -> None:
        bad = [
            (i, cell, why) for i, cell in cells.items() if (why := _not_a_score(cell))
        ]
        if bad:
            plain = Message("scores must be numbers, a missing score None or NaN")
            signs = bad[0][2] == IN_PERCENT
            refuse_cells(bad, name, self, percent_hint(name, self) if signs else plain)

    def to_pandas(self) -> pd.DataFrame:
        """Return the columns as a pandas frame, with text as their names."""
        frame: pd.DataFrame = self._frame.to_pandas().infer_objects()
        return frame.set_axis(list(self.names), axis=1)


def as_table(frame: object, percent: Collection[str] | None = None) -> FrameTable:
    """Take a frame of any library as a `DataTable`.

    Parameters
    ----------
    frame : DataFrame of pandas or polars, pyarrow.Table, list of dict or dict
        A list holds one dict for each row, a dict one sequence for each column. Frames
        of other libraries are read by the dataframe interchange protocol or as Arrow
        streams, which need pyarrow.
    percent : collection of str, optional
        Columns in percent, numbers or text with a percent sign; None if a caller
        cannot declare them.

    Raises
    ------
    InputError
        If it is none of these, or if two columns have the same name.
    """
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    native: Any = _from_plain(frame) if isinstance(frame, list | dict) else frame
    if not nw.dependencies.is_into_dataframe(native):
        native = _exchanged(native)
    try:
        with refused("column names must differ", DuplicateError):
            return FrameTable(nw.from_native(native, eager_only=True), percent)
    except TypeError as error:
        collect = "; call .collect() first" if hasattr(native, "collect") else ""
        raise InputError(
            "expected a table of pandas, polars or pyarrow, a list of dicts or a "
            f"dict of columns, got {type(native).__name__}{collect}"
        ) from error


def _exchanged(native: Any) -> Any:
    """Return a frame of another library that can be handed over; else the object."""
    by_stream = hasattr(native, "__arrow_c_stream__")
    if hasattr(native, "collect") or not (
        by_stream or hasattr(native, "__dataframe__")
    ):
        return native
    try:
        import pyarrow as pa
        from pyarrow.interchange import from_dataframe
    except ImportError as error:
        raise InputError(
            f"a {type(native).__name__} is read by pyarrow: pip install pyarrow, or "
            "give a frame of pandas or polars"
        ) from error
    try:
        return pa.table(native) if by_stream else from_dataframe(native)
    except pa.ArrowInvalid:  # a column alone
        return native


def _from_plain(rows: list[Any] | dict[Any, Any]) -> object:
    """Make a frame of Python objects, so that no value is converted on the way."""
    import pandas as pd

    if isinstance(rows, list) and not all(isinstance(row, dict) for row in rows):
        raise InputError("a list must hold one dict for each row of the table")
    try:
        frame = pd.DataFrame(rows, dtype=object)
    except (ValueError, TypeError) as error:
        raise InputError(f"the columns do not make a table: {error}") from error
    for name, column in rows.items() if isinstance(rows, dict) else ():
        of_pandas = isinstance(column, pd.Series | pd.Index | pd.Categorical)
        if of_pandas and isinstance(column.dtype, pd.CategoricalDtype):
            frame[name] = column
    return frame


def _gaps(column: nw.Series[Any]) -> NDArray[np.bool_]:
    """Return where a column has no value."""
    missing: NDArray[np.bool_] = column.is_null().to_numpy()
    return missing | np.isnan(column.to_numpy()) if column.dtype.is_float() else missing


def _is_plain(column: nw.Series[Any]) -> bool:
    """Return whether all values are of one type whose equal values read alike."""
    import narwhals as nw

    if column.dtype.is_integer():
        return str(column.dtype) not in _WIDE_INTEGERS
    plain = nw.String | nw.Categorical | nw.Enum | nw.Boolean
    return isinstance(column.dtype, plain)


def _levels_of_plain(values: NDArray[Any], what: str, table: DataTable) -> Levels:
    """Read millions of labels at the speed of a hash table."""
    import pandas as pd

    codes, distinct = pd.factorize(values)
    first = np.empty(len(distinct), np.intp)
    first[codes[::-1]] = np.arange(values.size)[::-1]

    def row(code: int) -> str:
        return table.row(int(first[code]))

    labels = levels(distinct.tolist(), what=what, row=row).labels
    return Levels(labels, codes.astype(np.intp))


def _column_names(columns: list[Any]) -> tuple[str, ...]:
    if any(isinstance(name, tuple) for name in columns):
        raise InputError(
            f"the columns have several levels ({show_all(columns)}); give each "
            "column one name"
        )
    names = tuple(label_text(name) for name in columns)
    if not names:
        raise InputError("the table has no columns")
    require_unique_names(names)
    return names


def _is_default(index: Any) -> bool:
    import pandas as pd

    return (
        isinstance(index, pd.RangeIndex)
        and index.name is None
        and (index.start, index.step) == (0, 1)
    )


def _not_a_score(value: object) -> str | None:
    """Return the reason why a value cannot be a score; None if it can."""
    if isinstance(value, bool | np.bool_):
        return "true or false"
    if isinstance(value, str):
        return IN_PERCENT if _percent_text(value) else "text"
    if not isinstance(value, _NUMBERS):
        return f"of type {type(value).__name__}"
    if isinstance(value, int | np.integer) and as_double(value) is None:
        return "an integer that float64 cannot hold"
    if as_double(value) is None:
        return "a number that float64 cannot hold"
    return None


def _percent_text(value: object) -> str | None:
    """Return a percentage as text, with its sign if it has one; None if it is none."""
    if isinstance(value, str):
        text = value.strip()
        number = text.removesuffix("%").rstrip()
        return text if text != number and NUMBER.fullmatch(number) else None
    numeric = isinstance(value, _NUMBERS) and not isinstance(value, bool | Fraction)
    return label_text(value) if numeric and _not_a_score(value) is None else None
