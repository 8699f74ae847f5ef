"""Files of reader studies whose columns are known: iMRMC, and workbooks of RJafroc."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError, refused
from pycompare.base.labels import show, show_all
from pycompare.data.compressed import kind_of, opened_text, unpacked
from pycompare.data.excel import tables_of
from pycompare.data.frames import as_table
from pycompare.data.table import DataTable

STUDY_COLUMNS = {
    name: name for name in ("modality", "reader", "case", "rating", "truth")
}
"""Roles of the table of a study, and its columns."""
MARK_COLUMNS = {
    name: name for name in ("modality", "reader", "case", "lesion", "rating")
}
CASE_COLUMNS = {name: name for name in ("case", "n_lesions")}
"""Roles of the tables of marks and of cases, and their columns."""
POSITIVE = "1"
_IMRMC = ".imrmc"
_BEGIN = "BEGIN DATA"
_TRUTH = ("truth", "-1")
"""What iMRMC has in the place of a reader if a row shows the true class."""
_CSV = ("readerid", "caseid", "modalityid", "score")
_SHEETS = (("TRUTH",), ("FP", "NL"), ("TP", "LL"))
_StudyRow = tuple[str, str, str, str]
"""Reader, case, modality, and the rating or true class."""


def study_table(path: Path) -> DataTable | None:
    """Return the ratings of a study as a table; None of a file of another kind.

    Parameters
    ----------
    path : Path
        ``.imrmc``, a table with the columns of iMRMC (readerID, caseID, modalityID,
        score), in which rows of the reader ``truth`` hold true classes, or a workbook
        of RJafroc (sheets TRUTH, FP and TP) with ROC data.

    Raises
    ------
    InputError
        If such a file is damaged, a case has no true class or two, or the workbook
        holds FROC or LROC data, with several marks on a case.
    """
    kind = kind_of(path)
    if not path.is_file():
        return None
    if kind == _IMRMC:
        with refused("the file is not UTF-8; save it as UTF-8", UnicodeDecodeError):
            return _of_imrmc(_imrmc_rows(path))
    if kind == ".csv":
        rows = _csv_rows(path)
        return None if rows is None else _of_imrmc(rows)
    sheets = _workbook(path)
    return None if sheets is None else _of_workbook(*sheets)


def _imrmc_rows(path: Path) -> Iterator[tuple[int, _StudyRow]]:
    """Yield the rows that follow the line BEGIN DATA."""
    begun = False
    with opened_text(path, newline="") as file:
        for at, line in enumerate(file, start=1):
            if not begun:
                begun = line.strip().upper().startswith(_BEGIN)
            elif line.strip():
                cells = [cell.strip() for cell in next(csv.reader([line]))]
                if len(cells) != 4:
                    raise InputError(
                        f"line {at}: {len(cells)} cells, expected reader, case, "
                        "modality and score"
                    )
                reader, case, modality, score = cells
                yield at, (reader, case, modality, score)
    if not begun:
        raise InputError(f"there is no line {_BEGIN}:, after which an iMRMC file rates")


def _csv_rows(path: Path) -> list[tuple[int, _StudyRow]] | None:
    """Return the rows of a table with the columns of iMRMC that has true classes."""
    try:
        with opened_text(path, newline="") as file:
            reader = csv.reader(file)
            names = [name.strip().lower() for name in next(reader, [])]
            if not {*_CSV} <= {*names}:
                return None
            at = [names.index(name) for name in _CSV]
            rows = [(reader.line_num, row) for row in reader if row]
    except (csv.Error, UnicodeDecodeError):
        return None  # refused as a table, with its place
    numbered_rows: list[tuple[int, _StudyRow]] = []
    for line, row in rows:
        if len(row) <= max(at):
            return None
        first, case, modality, score = (row[i].strip() for i in at)
        numbered_rows.append((line, (first, case, modality, score)))
    return (
        numbered_rows
        if any(row[0].lower() in _TRUTH for _, row in numbered_rows)
        else None
    )


def _of_imrmc(rows: Iterable[tuple[int, _StudyRow]]) -> DataTable:
    """Return a table of ratings from rows among which some show the true classes."""
    truth: dict[str, str] = {}
    rated: list[tuple[int, _StudyRow]] = []
    for at, row in rows:
        reader, case, _, score = row
        if reader.lower() not in _TRUTH:
            rated.append((at, row))
        elif truth.setdefault(case, _class(score, at)) != _class(score, at):
            raise InputError(f"line {at}: case {show(case)} has two true classes")
    return _table(rated, truth)


def _class(text: str, at: int) -> str:
    """Return a true class, 0 or 1."""
    if text in ("0", "1", "0.0", "1.0"):
        return text[0]
    raise InputError(f"line {at}: the true class is {show(text)}; it is 0 or 1")


def _table(rated: Sequence[tuple[int, _StudyRow]], truth: dict[str, str]) -> DataTable:
    without = list(dict.fromkeys(row[1] for _, row in rated if row[1] not in truth))
    if without:
        raise InputError(f"cases without a true class: {show_all(without)}")
    if not rated:
        raise InputError("there are no ratings")
    ratings: list[float | None] = []
    for at, row in rated:
        try:
            ratings.append(float(row[3]) if row[3] else None)
        except ValueError:
            raise InputError(f"line {at}: {show(row[3])} is no rating") from None
    columns: dict[str, list[str] | list[float | None]] = {
        "modality": [row[2] for _, row in rated],
        "reader": [row[0] for _, row in rated],
        "case": [row[1] for _, row in rated],
        "rating": ratings,
        "truth": [truth[row[1]] for _, row in rated],
    }
    return as_table(columns)


def _workbook(path: Path) -> tuple[list[str], list[dict[str, list[str]]]] | None:
    """Return the sheets of a workbook of RJafroc; None of another file."""
    if kind_of(path) != ".xlsx" or not path.is_file():
        return None
    return _sheets_of(unpacked(path.read_bytes(), path))


def holds_marks(path: Path) -> bool:
    """Return whether a file is a workbook of RJafroc that states FROC data."""
    sheets = _workbook(path)
    return sheets is not None and _paradigm(sheets[1][0]) == "FROC"


def marks_of_workbook(path: Path) -> tuple[DataTable, DataTable] | None:
    """Return the marks and the cases of a workbook of RJafroc; None of another file."""
    sheets = _workbook(path)
    if sheets is None:
        return None
    named, (cases, normal, diseased) = sheets
    if (paradigm := _paradigm(cases)) != "FROC":
        raise InputError(
            f"the workbook holds {paradigm} data: one rating for each case is read by "
            "pc.read_ratings"
        )
    lesions: dict[str, int] = {}
    for case, lesion in zip(cases["CASEID"], cases["LESIONID"], strict=True):
        own = lesion not in ("0", "0.0")
        lesions[case] = lesions.get(case, 0) + own
    marks: dict[str, list[Any]] = {name: [] for name in MARK_COLUMNS}
    for sheet, name in ((normal, named[1]), (diseased, named[2])):
        on_lesions = sheet is diseased
        if on_lesions and "LESIONID" not in sheet:
            raise InputError(f"sheet {name}: no column LESIONID")
        on = sheet["LESIONID"] if on_lesions else [None] * len(sheet["CASEID"])
        marks["modality"] += sheet["MODALITYID"]
        marks["reader"] += sheet["READERID"]
        marks["case"] += sheet["CASEID"]
        marks["lesion"] += on
        marks["rating"] += [
            _number(text, name, row) for row, text in enumerate(_scores(sheet, name), 2)
        ]
    return as_table(marks), as_table(
        {"case": list(lesions), "n_lesions": list(lesions.values())}
    )


def _number(text: str, sheet: str, row: int) -> float:
    """Return a rating; name the row of one that is none."""
    try:
        return float(text)
    except ValueError:
        raise InputError(
            f"sheet {sheet}, row {row}: {show(text)} is no rating"
        ) from None


def _scores(sheet: dict[str, list[str]], name: str) -> list[str]:
    """Return the ratings of a sheet."""
    score = next((n for n in sheet if n.endswith("RATING")), None)
    if score is None:
        raise InputError(f"sheet {name}: no column of ratings ({name}_Rating)")
    return sheet[score]


def _sheets_of(
    content: bytes,
) -> tuple[list[str], list[dict[str, list[str]]]] | None:
    """Return the names and the columns of the sheets TRUTH, FP and TP, if all exist."""
    sheets = {name.upper(): rows.cells for name, rows in tables_of(content).items()}
    named = [next((n for n in names if n in sheets), "") for names in _SHEETS]
    if not all(named):
        return None
    return named, [_columns(sheets[name], name) for name in named]


def _of_workbook(named: list[str], sheets: list[dict[str, list[str]]]) -> DataTable:
    """Return the ratings of a workbook of RJafroc."""
    cases, normal, diseased = sheets
    _require_roc(cases)
    truth: dict[str, str] = {}
    for case, lesion in zip(cases["CASEID"], cases["LESIONID"], strict=True):
        own = "0" if lesion in ("0", "0.0") else POSITIVE
        if truth.setdefault(case, own) != own:
            raise InputError(f"sheet TRUTH: case {show(case)} has two true classes")
    rated: list[tuple[int, _StudyRow]] = []
    for sheet, name, expected in (
        (normal, named[1], "0"),
        (diseased, named[2], POSITIVE),
    ):
        columns = [sheet[n] for n in ("READERID", "CASEID", "MODALITYID")]
        columns.append(_scores(sheet, name))
        for at, row in enumerate(zip(*columns, strict=True), start=2):
            if truth.get(row[1], expected) != expected:
                raise InputError(
                    f"sheet {name}: case {show(row[1])} is of the other class in "
                    "TRUTH: these are marks on a case, not one rating (FROC data)"
                )
            reader, case, modality, rating = row
            rated.append((at, (reader, case, modality, rating)))
    return _table(rated, truth)


def _columns(rows: Sequence[Sequence[str]], sheet: str) -> dict[str, list[str]]:
    """Return the columns of a sheet that have names; empty rows are left out."""
    head = [name.strip().upper() for name in rows[0]] if rows else []
    needed = ["READERID", "MODALITYID", "CASEID"] + ["LESIONID"] * (sheet == "TRUTH")
    if absent := [name for name in needed if name not in head]:
        raise InputError(f"sheet {sheet}: no column {absent[0]}")
    filled = [row for row in rows[1:] if any(cell.strip() for cell in row)]
    return {
        name: [row[at].strip() if at < len(row) else "" for row in filled]
        for at, name in enumerate(head)
        if name
    }


def _paradigm(cases: dict[str, list[str]]) -> str:
    """Return ROC, FROC or LROC; reject a workbook that states none."""
    told = [text.upper() for text in cases.get("PARADIGM", ()) if text]
    if not told or not told[0].endswith("ROC"):
        raise InputError(
            "sheet TRUTH: the column Paradigm does not state ROC or FROC; this is a "
            "workbook of an older form, which RJafroc rewrites (DfSaveDataFile)"
        )
    return told[0]


def _require_roc(cases: dict[str, list[str]]) -> None:
    """Reject other data than one rating for each case, and other designs."""
    paradigm = _paradigm(cases)
    if paradigm == "FROC":
        raise InputError(
            "the workbook holds FROC data, with several marks on a case: read them by "
            "pc.read_marks (--marks, or marks = true in a plan), or let RJafroc take "
            "the highest of each case (DfFroc2Roc)"
        )
    if paradigm != "ROC":
        raise InputError(
            f"the workbook holds {paradigm} data, with a place beside the rating of a "
            "case; one rating for each case is compared here: RJafroc makes it "
            "(DfLroc2Roc) and saves it (DfSaveDataFile)"
        )
