"""Predictions from files: CSV, TSV, Parquet, Feather, Arrow, folders of Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path

from pycompare.base.checked import checked
from pycompare.data.file_format import AS_ENDING, FileFormat
from pycompare.data.files import named, read_table
from pycompare.data.frames import as_table
from pycompare.data.partitions import read_folder
from pycompare.data.predictions import Predictions, from_table
from pycompare.data.roles import RoleColumns
from pycompare.data.source import Source
from pycompare.data.table import DataTable


@checked
def read_predictions(
    path: str | PathLike[str],
    *,
    label: str,
    positive: object,
    algorithm: str | None = None,
    score: str | None = None,
    algorithms: Sequence[str] | None = None,
    block: str | None = None,
    dataset: str | None = None,
    case: str | None = None,
    replicate: str | None = None,
    group: str | None = None,
    cluster: str | None = None,
    rest: bool = False,
    classes: Sequence[object] | None = None,
    one_class: str = "error",
    missing: str = "error",
    sep: str | None = None,
    decimal: str = ".",
    sheet: str | None = None,
    header: str | None = None,
) -> Predictions:
    """Read predictions from a file, or from a folder of Parquet files.

    Everything is held in memory; ``pycompare.measure_file`` measures files of any
    size.

    Parameters
    ----------
    path : path
        ``.csv``, ``.tsv``, ``.parquet``, ``.feather``, ``.arrow`` as in
        `read_scores`; or a folder, in which all ``.parquet`` files are read, those
        of folders within it too. A folder ``fold=3`` gives its rows the text ``3``
        in the column ``fold``. Names that begin with ``_`` or ``.`` are passed over.
    label, positive, algorithm, score, algorithms, block, dataset, case, replicate, \
group, cluster, rest, classes, one_class, missing
        As in `Predictions.from_frame`.
    sep, decimal, sheet, header
        How a text or ``.xlsx`` file is written, as in `read_scores`.

    Returns
    -------
    Predictions
        Its ``source`` has the name, size and SHA-256 of the data read.

    Raises
    ------
    InputError
        As `Predictions.from_frame` and `read_scores`.

    Examples
    --------
    >>> import pycompare as pc
    >>> pc.read_predictions(
    ...     pc.example_path("predictions"), algorithm="algorithm", dataset="data",
    ...     block="fold", case="case", label="class", score="probability",
    ...     positive="yes",
    ... )
    <Predictions: 5760 scores, 80 blocks x 3 algorithms, positive: yes>
    """
    columns = RoleColumns(
        algorithm, block, label, score, dataset, case, replicate, group, cluster
    )
    form = FileFormat(sep=sep, decimal=decimal, sheet=sheet, header=header)
    with named(path):
        table, source = read_rows(path, columns, form, algorithms or ())
        return from_table(
            table,
            columns,
            algorithms=algorithms,
            positive=positive,
            rest=rest,
            classes=classes,
            one_class=one_class,
            missing=missing,
            source=source,
        )


def read_rows(
    path: str | PathLike[str],
    columns: RoleColumns,
    form: FileFormat = AS_ENDING,
    algorithms: Sequence[str] = (),
) -> tuple[DataTable, Source]:
    """Read the rows of a file, or of the named columns of a folder's files."""
    path = Path(path)
    if not path.is_dir():
        return read_table(path, form)
    form.require_parquet()
    names = list(dict.fromkeys((*columns.given().values(), *algorithms)))
    whole, source = read_folder(path, names)
    return as_table(whole), source
