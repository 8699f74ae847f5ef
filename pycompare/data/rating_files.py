"""Ratings of cases by readers, from files."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from pycompare.base.checked import checked
from pycompare.base.errors import InputError, joined, setting
from pycompare.data.file_format import FileFormat
from pycompare.data.files import named, read_table
from pycompare.data.own_file import rating_recipe
from pycompare.data.ratings import DesignName, Ratings
from pycompare.data.reader_studies import POSITIVE, STUDY_COLUMNS, study_table


@checked
def read_ratings(
    path: str | PathLike[str],
    *,
    modality: str | None = None,
    reader: str | None = None,
    case: str | None = None,
    rating: str | None = None,
    truth: str | None = None,
    positive: object = None,
    cluster: str | None = None,
    design: DesignName = "factorial",
    sep: str | None = None,
    decimal: str = ".",
    sheet: str | None = None,
    header: str | None = None,
) -> Ratings:
    r"""Read ratings from a file with one row for each modality, reader and case.

    Parameters
    ----------
    path : path
        A text file, Parquet or .xlsx. The columns of some need no names: ``.imrmc``, a
        .csv file with the columns of iMRMC (readerID, caseID, modalityID, score) whose
        reader ``truth`` has the true classes, and workbooks of RJafroc (sheets TRUTH,
        FP and TP) with ROC data. Their positive class is 1.
    modality, reader, case, rating, truth, positive, cluster, design
        As in ``Ratings.from_frame``.
    sep, decimal, sheet, header : str, optional
        How the file is written, as in ``pc.read_scores``.

    Returns
    -------
    Ratings

    Raises
    ------
    InputError
        As ``Ratings.from_frame``; the message names the file.

    Examples
    --------
    >>> import tempfile, pathlib, pycompare as pc
    >>> rows = [
    ...     f"{m},{r},{c},{c % 2},{(7 * c + 3 * r + m) % 5}"
    ...     for m in (1, 2) for r in (1, 2, 3) for c in range(12)
    ... ]
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "ratings.csv"
    >>> _ = path.write_text("\n".join(["m,r,c,ill,x", *rows]))
    >>> pc.read_ratings(
    ...     path, modality="m", reader="r", case="c", truth="ill", rating="x"
    ... )
    <Ratings: 2 modalities x 3 readers x 12 cases (6 positive), factorial>
    """
    form = FileFormat(sep=sep, decimal=decimal, sheet=sheet, header=header)
    roles: dict[str, Any] = {
        "modality": modality,
        "reader": reader,
        "case": case,
        "rating": rating,
        "truth": truth,
        "cluster": cluster,
    }
    with named(path):
        if all(name is None for name in roles.values()) and positive is None:
            table = study_table(Path(path))
            if table is not None:
                return Ratings.from_table(
                    table, STUDY_COLUMNS, positive=POSITIVE, design=design
                )
        absent = [name for name in _NEEDED if roles[name] is None]
        if absent:
            raise InputError(
                joined(", ", (setting(name, ...) for name in absent))
                + ": name the column; only files of iMRMC and workbooks of RJafroc "
                "(sheets TRUTH, FP and TP) need no names, and then none is given"
            )
        table, source = read_table(path, form)
        ratings = Ratings.from_table(table, roles, positive=positive, design=design)
        recipe = rating_recipe(source, table, roles, ratings.positive)
        if recipe is None or ratings.notes:
            return ratings
        n_ratings = int(ratings.read.sum())
        return replace(ratings, recipe={**recipe, "n_ratings": n_ratings})


_NEEDED = ("modality", "reader", "case", "rating")
