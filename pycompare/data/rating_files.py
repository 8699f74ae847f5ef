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
from pycompare.data.marks import rated_sites, read_cases
from pycompare.data.own_file import rating_recipe
from pycompare.data.ratings import DesignName, Ratings
from pycompare.data.reader_studies import (
    CASE_COLUMNS,
    MARK_COLUMNS,
    POSITIVE,
    STUDY_COLUMNS,
    marks_of_workbook,
    study_table,
)


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
            if not Path(path).exists():
                raise InputError("no such file or folder")
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


@checked
def read_marks(
    path: str | PathLike[str],
    *,
    case_file: str | PathLike[str] | None = None,
    modality: str | None = None,
    reader: str | None = None,
    case: str | None = None,
    lesion: str | None = None,
    rating: str | None = None,
    n_lesions: str | None = None,
    sep: str | None = None,
    decimal: str = ".",
    sheet: str | None = None,
    header: str | None = None,
) -> Ratings:
    r"""Read free-response marks from a file of marks and a file of cases.

    Parameters
    ----------
    path : path
        A text file, Parquet or .xlsx with one row per mark. A workbook of RJafroc
        (sheets TRUTH, FP or NL, and TP or LL) with FROC data has both tables: no other
        argument is given.
    case_file : path, optional
        A file with one row per case, those without a mark too. A note has its hash.
    modality, reader, case, lesion, rating, n_lesions
        As in ``Ratings.from_marks``.
    sep, decimal, sheet, header : str, optional
        How the files are written, as in ``pc.read_scores``.

    Returns
    -------
    Ratings
        For ``mrmc(figure="wafroc")`` or ``"afroc"``.

    Raises
    ------
    InputError, DesignError
        As ``Ratings.from_marks``; the message names the file.

    Examples
    --------
    >>> import tempfile, pathlib, pycompare as pc
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> marks = [
    ...     f"{m},{r},{c},{lesion},{x}" for m in (1, 2) for r in "ab"
    ...     for c, lesion, x in [(1, "", 2), (3, "left", 4), (4, "top", 3)]
    ... ]
    >>> _ = (folder / "marks.csv").write_text("\n".join(["m,r,c,on,x", *marks]))
    >>> _ = (folder / "cases.csv").write_text("c,n\n1,0\n2,0\n3,2\n4,1\n")
    >>> pc.read_marks(
    ...     folder / "marks.csv", case_file=folder / "cases.csv", modality="m",
    ...     reader="r", case="c", lesion="on", rating="x", n_lesions="n",
    ... )
    <Ratings: 2 modalities x 2 readers x 5 sites (3 lesions) in 4 cases>
    """
    form = FileFormat(sep=sep, decimal=decimal, sheet=sheet, header=header)
    roles = {
        "case_file": case_file,
        "modality": modality,
        "reader": reader,
        "case": case,
        "lesion": lesion,
        "rating": rating,
        "n_lesions": n_lesions,
    }
    with named(path):
        if all(given is None for given in roles.values()):
            tables = marks_of_workbook(Path(path))
            if tables is not None:
                known = read_cases(tables[1], CASE_COLUMNS)
                return Ratings(**rated_sites(tables[0], known, MARK_COLUMNS))
        absent = [name for name, given in roles.items() if given is None]
        if absent:
            raise InputError(
                joined(", ", (setting(name, ...) for name in absent))
                + ": give the file of cases and name the columns; only workbooks of "
                "RJafroc (sheets TRUTH, FP and TP) with FROC data need none"
            )
        marks, _ = read_table(path, form)
    assert case_file is not None
    names = {name: str(given) for name, given in roles.items()}
    with named(case_file):
        cases, source = read_table(case_file, form)
        known = read_cases(cases, {name: names[name] for name in CASE_COLUMNS})
    with named(path):
        of_marks = {name: names[name] for name in MARK_COLUMNS}
        rated = Ratings(**rated_sites(marks, known, of_marks))
    of_file = f"cases are those of {source.name}, SHA-256 {source.sha256}"
    return replace(rated, notes=(*rated.notes, of_file))


_NEEDED = ("modality", "reader", "case", "rating")
