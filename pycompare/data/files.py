"""Scores from files (text, Excel, Parquet, Feather, Arrow), hashed as they are read."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pycompare.base.arguments import check_flags
from pycompare.base.checked import checked
from pycompare.base.errors import InputError, joined, refused, setting
from pycompare.base.labels import readable, require_unique_names, show, show_all
from pycompare.base.metric import Direction, Metric, as_metrics
from pycompare.data.columns import column
from pycompare.data.compressed import by_ending, kind_of, unpacked
from pycompare.data.delimited import TextTable, parse
from pycompare.data.excel import read_sheet
from pycompare.data.file_format import AS_ENDING, FileFormat
from pycompare.data.frames import as_table
from pycompare.data.own_file import of_scores
from pycompare.data.partitions import damages
from pycompare.data.reading.answers import NO_ANSWERS, Answers, Range
from pycompare.data.reading.read import read_long, read_wide
from pycompare.data.reading.worst import Worst
from pycompare.data.records import ENDINGS as RECORDS
from pycompare.data.records import columns_of_records
from pycompare.data.roles import LONG_ONLY, RoleColumns
from pycompare.data.scores import Scores, from_cells
from pycompare.data.source import Source
from pycompare.data.table import DataTable
from pycompare.data.table_folder import read_table_folder
from pycompare.data.units import PANDAS_INDEX

if TYPE_CHECKING:
    import pyarrow as pa

BINARY = (".parquet", ".feather", ".arrow")
_EXCEL = ".xlsx"


@checked
def read_scores(
    path: str | PathLike[str],
    *,
    algorithm: str | None = None,
    block: str | None = None,
    dataset: str | None = None,
    replicate: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
    judge: str | None = None,
    stratum: str | None = None,
    metrics: Mapping[str, Direction] | None = None,
    wide: bool = False,
    metric: str | None = None,
    better: Direction | None = None,
    algorithms: Sequence[str] | None = None,
    missing: str = "error",
    worst: Worst = None,
    sep: str | None = None,
    decimal: str = ".",
    percent: Sequence[str] = (),
    sheet: str | None = None,
    header: str | None = None,
    spread: str | None = None,
    transpose: bool = False,
    number: str | None = None,
    metric_column: str | None = None,
    value: str | None = None,
    truth: str | None = None,
    one_is: str | None = None,
    range: Range = None,
    na: Sequence[str] = (),
    leave_out: Sequence[str] = (),
    confirmed: Sequence[str] = (),
) -> Scores:
    """Read scores from a file.

    Parameters
    ----------
    path : path
        The ending gives the format: ``.csv`` (commas), ``.tsv`` (tabs), ``.md`` (a
        Markdown table), ``.tex`` (a ``tabular``), ``.json`` and ``.jsonl`` (objects),
        ``.xlsx`` (with openpyxl), ``.parquet``, ``.feather`` or ``.arrow``, each also
        with ``.gz`` or ``.zst`` behind it. Names of objects within objects are joined
        by points. A folder of such tables or records is one table, in which a column
        ``path`` distinguishes their files. Text is UTF-8; its labels are read as
        written, without outer blanks. A score is a number with a decimal point, which
        may be printed in bold or starred, or missing if its cell is empty, NA, NaN or
        nan.
    algorithm, block, dataset, replicate, metrics
        The columns of a long table, as in `Scores.from_frame`. ``"path/1"`` is the
        first part of the labels in ``path`` between ``/``, ``"path/-1"`` the last one.
    group : str, optional
        Column of groups, in a long or a wide table.
    cluster : str, optional
        Column of clusters of dependent blocks, in a long or a wide table.
    judge, stratum : str, optional
        Columns of a judge's scores and of strata of items, as in `Scores.from_frame`.
    wide : bool, default False
        True if rows are blocks and columns are algorithms.
    metric, better, block, algorithms
        What a wide table holds, as in `Scores.from_wide`; but ``block`` is the
        first column unless it is named. An index that pandas stored in a
        Parquet or Feather file is treated as the first column.
    missing, worst
        As in `Scores.from_frame`.
    sep : {",", ";", "|", "tab", "space"}, optional
        What separates the cells of a text file, of any ending; default by the ending.
    decimal : {".", ","}, default "."
        Decimal mark of a text file.
    percent : sequence of str
        Columns of scores in percent, with or without percent signs: they are divided
        by 100. ``"all"``: all of them, if no column is called so.
    sheet : str, optional
        Sheet of an ``.xlsx`` file; may be left out if only one has cells.
    header : str, optional
        Lines (of a sheet: rows) that name the columns: ``"2"``, ``"1 2"`` for names
        over two lines, which are joined by ``/``, or ``"none"``: then columns are
        called ``column 1``, ``column 2``. Default: the first line.
    spread : {"ignored"}, optional
        Treatment of a second number beside a score, as in ``0.9 ± 0.1``.
    transpose : bool, default False
        Of a wide table: its rows are algorithms, named in ``block``, and its columns
        blocks, as in a leaderboard.
    number, metric_column, value, truth, one_is, range, na, leave_out, confirmed
        As in `Scores.from_frame` and `Scores.from_wide`.

    Returns
    -------
    Scores
        Its ``source`` has the name, size and SHA-256 of the bytes that were read.

    Raises
    ------
    InputError
        As `Scores.from_frame`; and if the file cannot be read, has another
        ending, is empty, or needs pyarrow, which is not installed.

    Notes
    -----
    R: ``read.csv(path, colClasses = "character", na.strings = character())``,
    then ``as.numeric`` on the columns of scores.

    Examples
    --------
    >>> import pycompare as pc
    >>> pc.read_scores(pc.example_path(), wide=True, metric="accuracy", better="higher")
    <Scores: 30 blocks x 5 algorithms, accuracy (higher is better)>
    >>> pc.read_scores(
    ...     pc.example_path("folds"), algorithm="algorithm", dataset="data",
    ...     block="fold", metrics={"error": "lower", "auc": "higher"},
    ... )
    <Scores: 30 blocks x 5 algorithms, error (lower is better), auc (higher is better)>
    """
    columns = RoleColumns(
        algorithm=algorithm,
        block=block,
        dataset=dataset,
        replicate=replicate,
        group=group,
        cluster=cluster,
        judge=judge,
        stratum=stratum,
    )
    long = {role: getattr(columns, role) for role in LONG_ONLY} | {"metrics": metrics}
    broad = {"metric": metric, "better": better, "algorithms": algorithms}
    check_flags(wide=wide, transpose=transpose)
    form = FileFormat(
        sep=sep,
        decimal=decimal,
        percent=percent,
        sheet=sheet,
        header=header,
        spread=spread,
    )
    given = Answers(
        tuple(confirmed),
        tuple(leave_out),
        tuple(na),
        number,
        metric_column,
        value,
        truth,
        one_is,
        range,
    )
    if not wide:
        if transpose:
            raise InputError(
                setting("transpose", True) + " needs " + setting("wide", True)
            )
        _refuse_given(broad, setting("wide", True))
        blocks = block is not None or number == "block"
        if algorithm is None or not blocks or metrics is None:
            raise InputError(
                "a long table needs "
                + setting("algorithm", ...)
                + ", "
                + setting("block", ...)
                + " and metrics={...}; for "
                "a table with a column for each algorithm set "
                + setting("wide", True)
                + ", "
                + setting("metric", ...)
                + " "
                "and " + setting("better", ...)
            )
        chosen = as_metrics(metrics)
        with named(path):
            return long_scores(
                *read_table(path, form),
                columns,
                metrics=chosen,
                missing=missing,
                given=given,
                worst=worst,
            )
    _refuse_given(long, setting("wide", False))
    if metric is None or better is None:
        raise InputError(
            "a wide table needs "
            + setting("metric", ...)
            + " and "
            + setting("better", "higher")
            + " or 'lower'"
        )
    only = Metric(metric, better)
    with named(path):
        return wide_scores(
            *read_table(path, form),
            columns,
            metric=only,
            algorithms=algorithms,
            missing=missing,
            given=given,
            transpose=transpose,
            worst=worst,
        )


def read_table(
    path: str | PathLike[str], form: FileFormat = AS_ENDING
) -> tuple[DataTable, Source]:
    """Read a file once; parse and hash the same bytes.

    Raises
    ------
    InputError
        If the file cannot be read, is empty, or is not the kind of file that its ending
        names.
    """
    held = _TABLES.get()
    if held is None:
        return _read_table(Path(path), form)
    key = str(path), repr(form)
    if key not in held:
        held[key] = _read_table(Path(path), form)
    return held[key]


_TABLES: ContextVar[dict[tuple[str, str], tuple[DataTable, Source]] | None] = (
    ContextVar("tables", default=None)
)


@contextmanager
def tables_read_once() -> Iterator[None]:
    """Read each file once, whatever is taken from it inside."""
    token = _TABLES.set({})
    try:
        yield
    finally:
        _TABLES.reset(token)


def _read_table(path: Path, form: FileFormat) -> tuple[DataTable, Source]:
    """Read a file, and hash its bytes."""
    if path.is_dir():
        form.require_no_sheet("folders")
        return read_table_folder(
            path,
            (".csv", ".tsv"),
            lambda content, ending: _text_table(content, ending, form),
            dict.fromkeys(BINARY, _columns_of),
            form.percent,
        )
    ending = kind_of(path)
    binary = ending in (*BINARY, _EXCEL, *RECORDS)
    if not (binary or form.delimiter(ending)):
        known = by_ending(ending)
        what = (
            f"it is {known} (ending {show(ending)}), not a table"
            if known
            else f"it is of a format (ending {show(ending)}) that is not supported"
        )
        raise InputError(
            f"{what}; save the table as .csv, .tsv, .md, .tex, .json, .jsonl, .xlsx, "
            ".parquet, .feather or .arrow and give that file, or name what separates "
            "the cells of a text file: " + setting("sep", ";")
        )
    if binary:
        form.require_text(ending)
    if ending in (*BINARY, *RECORDS):
        form.require_no_header(ending)
    if ending != _EXCEL:
        form.require_no_sheet(ending)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read the file: {error.strerror}") from error
    if not content:
        raise InputError("the file is empty (0 bytes)")
    if content.lstrip()[:14].lower().startswith((b"<!doctype html", b"<html")):
        raise InputError("the file is an HTML page, not a table; save the data itself")
    table = _table(unpacked(content, path), ending, form)
    digest = hashlib.sha256(content).hexdigest()
    source = Source(
        path.name, digest, len(content), table.n_rows, ending[1:], form.recipe(path)
    )
    return table, source


def _table(content: bytes, ending: str, form: FileFormat) -> DataTable:
    if ending == _EXCEL:
        return read_sheet(
            content,
            sheet=form.sheet,
            percent=form.percent,
            header=form.header_lines,
        )
    if ending in BINARY:
        return as_table(_index_first(_read_arrow(content, ending)), form.percent)
    if ending in RECORDS:
        return as_table(columns_of_records(content, ending), form.percent)
    return _text_table(content, ending, form)


def _text_table(content: bytes, ending: str, form: FileFormat) -> TextTable:
    delimiter = form.delimiter(ending)
    assert delimiter is not None
    return parse(
        content,
        delimiter,
        header=form.header_lines,
        decimal=form.decimal,
        percent=form.percent,
        spread=form.spread,
    )


def long_scores(
    table: DataTable,
    source: Source,
    columns: RoleColumns,
    *,
    metrics: tuple[Metric, ...],
    missing: str,
    given: Answers = NO_ANSWERS,
    worst: Worst = None,
) -> Scores:
    """Take a long table that was read from a file as scores."""
    cells, notes = read_long(table, columns, metrics, given, missing=missing)
    scores = from_cells(
        cells, metrics, missing, source, notes, given.items, worst, given
    )
    answered = _means_else(given)
    return of_scores(scores, source, table, columns, wide=False, answered=answered)


def wide_scores(
    table: DataTable,
    source: Source,
    columns: RoleColumns,
    *,
    metric: Metric,
    algorithms: Sequence[str] | None,
    missing: str,
    given: Answers = NO_ANSWERS,
    transpose: bool = False,
    worst: Worst = None,
) -> Scores:
    """Take a wide table that was read from a file as scores."""
    if columns.block is None and given.number is None:
        first = _first_column(table, (columns.group, columns.cluster, given.truth))
        columns = columns._replace(block=first)
    cells, notes = read_wide(
        table, columns, metric, algorithms, given, missing=missing, transpose=transpose
    )
    scores = from_cells(
        cells, (metric,), missing, source, notes, given.items, worst, given
    )
    answered = transpose or _means_else(given)
    return of_scores(scores, source, table, columns, wide=True, answered=answered)


def _means_else(given: Answers) -> bool:
    """Return whether any answer but a confirmation was given."""
    return dataclasses.replace(given, confirmed=()) != NO_ANSWERS


@contextmanager
def named(path: str | PathLike[str]) -> Iterator[None]:
    """Put the file's name before the message of an error."""
    try:
        yield
    except InputError as error:
        error.at(readable(Path(path).name))
        raise


def _refuse_given(arguments: Mapping[str, object], form: str) -> None:
    given = [name for name, value in arguments.items() if value is not None]
    if given:
        needs = "need " if len(given) > 1 else "needs "
        raise InputError(joined(", ", map(setting, given)) + f" {needs}" + form)


def _first_column(table: DataTable, named: Collection[str | None]) -> str:
    """Take the first column without a role as the blocks, if it looks so."""
    name = next((n for n in table.names if n not in named), table.names[0])
    _refuse_index(table, name, named)
    if column(table, name).numeric and (table.numbers(name) % 1 > 0).any():
        raise InputError(
            f"the first column {show(name)} holds decimal numbers, so it may be "
            "scores; name the column of blocks with " + setting("block", ...)
        )
    return name


def _refuse_index(table: DataTable, name: str, named: Collection[str | None]) -> None:
    """Reject a pandas index as the blocks if a column of text may hold them."""
    if not PANDAS_INDEX.fullmatch(name) or not column(table, name).numeric:
        return
    text = [n for n in table.names if n != name and n not in named]
    text = [n for n in text if not column(table, n).numeric]
    if text:
        raise InputError(
            f"the first column ({show(name)}) counts the rows, as an index does that "
            "pandas wrote (to_csv without index=False); name the column of blocks ("
            + setting("block", ...)
            + f"); columns of text: {show_all(sorted(text))}"
        )


def _columns_of(content: bytes, ending: str) -> dict[str, list[Any]]:
    """Return the columns of a Parquet, Feather or Arrow file."""
    columns: dict[str, list[Any]] = _read_arrow(content, ending).to_pydict()
    return columns


def _flat(table: pa.Table) -> pa.Table:
    """Return columns of objects as one column for each name, joined by points."""
    import pyarrow as pa

    while any(pa.types.is_struct(kind) for kind in table.schema.types):
        table = table.flatten()
    require_unique_names(table.column_names)
    return table


def _read_arrow(content: bytes, ending: str) -> pa.Table:
    try:
        import pyarrow as pa
        from pyarrow import feather, ipc, parquet
    except ImportError as error:
        raise InputError(f"{ending} files need pyarrow: pip install pyarrow") from error
    buffer = pa.BufferReader(content)
    with refused(f"this is no readable {ending} file", *damages()):
        # An Arrow file begins with ARROW1, Feather's first version with FEA1; the
        # stream format has no mark.
        if ending == ".parquet":
            file = parquet.ParquetFile(buffer)
            names, read = file.schema_arrow.names, file.read
        elif content[:6] == b"ARROW1":
            file = ipc.open_file(buffer)
            names, read = file.schema.names, file.read_all
        elif content[:4] == b"FEA1":
            table = feather.read_table(buffer)
            names, read = table.column_names, lambda: table
        else:
            stream = ipc.open_stream(buffer)
            names, read = stream.schema.names, stream.read_all
        require_unique_names(names)
        arrow = read()
        arrow.validate(full=True)  # damaged lengths of text would end the reading later
    return _flat(arrow)


def _index_first(table: pa.Table) -> pa.Table:
    """Put an index that pandas stored, which it writes last, before the columns."""
    # A default index is stored as a dict (start, stop, step), not as a column.
    index = [n for n in _stored_index(table) if isinstance(n, str)]
    index = [n for n in dict.fromkeys(index) if n in table.column_names]
    return table.select(index + [n for n in table.column_names if n not in index])


def _stored_index(table: pa.Table) -> list[Any]:
    """Return what pandas wrote of its index beside the columns."""
    try:
        metadata = table.schema.pandas_metadata
        stored = {} if metadata is None else metadata
        return list(stored.get("index_columns") or [])
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise InputError(
            "what pandas wrote about its index is damaged; write the file again"
        ) from None
