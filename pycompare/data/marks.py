"""Free-response marks: what readers marked on cases, as ratings of lesions and cases.

A reader marks any number of places of a case and rates each. The alternative
free-response (AFROC) area compares the ratings of lesions with the highest rating of
each normal case. So the sites that are rated are lesions, which are positive, and
normal cases, which are negative; sites of one case are a cluster.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pycompare.base.errors import DesignError, InputError
from pycompare.base.formatting.counts import counted, have
from pycompare.base.labels import Levels, show, show_all
from pycompare.data.reading.tables import with_parts
from pycompare.data.table import DataTable

ReadCases = tuple[tuple[str, ...], NDArray[np.intp]]
"""Labels of cases, and their numbers of lesions."""
_LESION, _NORMAL = "lesion", "normal case"
"""Labels of the classes of sites."""


@dataclass(frozen=True)
class _Site:
    """A rated site: a lesion of a case, or a normal case."""

    name: str
    case: int
    lesion: bool


def _declared(table: DataTable, roles: Mapping[str, str]) -> DataTable:
    """Return a table that has rows and the columns of its roles, or reject it."""
    table = with_parts(table, roles.values())
    table.require_roles(dict(roles))
    table.require_rows()
    return table


def rated_sites(
    marks: DataTable, cases: ReadCases, roles: Mapping[str, str]
) -> dict[str, Any]:
    """Return the attributes of the ratings of lesions and normal cases.

    Parameters
    ----------
    marks : DataTable
        One row per mark.
    cases : ReadCases
        As of ``read_cases``.
    roles : mapping
        Columns of ``marks`` by role: modality, reader, case, lesion, rating.
    """
    marks, of_marks = _declared(marks, roles), roles
    case, n_lesions = cases
    axes = [marks.levels(of_marks[role]) for role in ("modality", "reader")]
    _require_all_read(axes)
    rating = marks.scores(of_marks["rating"])
    _require_ratings(marks, rating, of_marks["rating"])
    of_case = _places(marks.levels(of_marks["case"]), case)
    lesion = _lesions(marks, of_marks["lesion"])
    sites, place = _sites(marks, case, n_lesions, of_case, lesion)
    known = place >= 0
    low = float(rating.min()) - max(1.0, float(np.ptp(rating)))
    values = np.full((*(len(axis.labels) for axis in axes), len(sites)), low)
    at = (*(axis.codes[known] for axis in axes), place[known])
    _require_once(marks, at, known, sites, axes)
    np.maximum.at(values, at, rating[known])
    unused = int((~known).sum())
    off_lesions = (
        f"{counted(unused, 'mark')} off the lesions of cases with lesions do not count"
    )
    return {
        "values": values,
        "truth": np.array([site.lesion for site in sites]),
        "modalities": axes[0].labels,
        "readers": axes[1].labels,
        "cases": tuple(site.name for site in sites),
        "cluster": np.array([site.case for site in sites], np.intp),
        "clusters": case,
        "positive": _LESION,
        "negative": _NORMAL,
        "marks": True,
        "notes": (
            f"{counted(int(known.sum()), 'mark')} on lesions and normal cases; a site "
            f"without a mark has the rating {low:g}, below all marks",
            *([off_lesions] if unused else []),
        ),
    }


def read_cases(cases: DataTable, roles: Mapping[str, str]) -> ReadCases:
    """Return the cases and their numbers of lesions.

    Parameters
    ----------
    cases : DataTable
        One row per case, those without a mark too.
    roles : mapping
        Columns by role: case, n_lesions.
    """
    cases = _declared(cases, roles)
    levels, numbers = cases.levels(roles["case"]), cases.numbers(roles["n_lesions"])
    if len(levels.labels) < cases.n_rows:
        again = np.flatnonzero(np.bincount(levels.codes) > 1)
        raise InputError(
            f"cases: {counted(len(again), 'case')} {have(len(again))} several rows, "
            f"first: {show(levels.labels[again[0]])}; give one row per case with its "
            "number of lesions"
        )
    wrong = np.flatnonzero(~((numbers >= 0) & (numbers == np.floor(numbers))))
    if wrong.size:
        raise InputError(
            f"column {show(roles['n_lesions'])}: {cases.row(int(wrong[0]))} has "
            f"{numbers[wrong[0]]:g}; give the number of lesions, 0 of a normal case"
        )
    n_lesions = np.zeros(len(levels.labels), np.intp)
    n_lesions[levels.codes] = numbers.astype(np.intp)
    if not (n_lesions > 0).any() or (n_lesions > 0).all():
        which = "has a lesion" if not (n_lesions > 0).any() else "is normal"
        raise DesignError(
            f"no case {which}: areas compare lesions with normal cases, so both are "
            "needed"
        )
    return levels.labels, n_lesions


def _require_all_read(axes: list[Levels]) -> None:
    """Reject a reader without any mark with a modality."""
    modality, reader = axes
    marked = np.zeros((len(modality.labels), len(reader.labels)), bool)
    marked[modality.codes, reader.codes] = True
    if not marked.all():
        i, j = np.argwhere(~marked)[0]
        raise InputError(
            f"reader={show(reader.labels[j])} has no mark with modality="
            f"{show(modality.labels[i])}: every reader is taken to read all cases with "
            "every modality; leave out readers or modalities that did not"
        )


def _require_ratings(marks: DataTable, rating: NDArray[np.float64], name: str) -> None:
    """Reject a mark without a rating."""
    missing = np.flatnonzero(np.isnan(rating))
    if missing.size:
        raise InputError(
            f"column {show(name)}: {counted(missing.size, 'mark')} "
            f"{have(missing.size)} no rating, first: {marks.row(int(missing[0]))}"
        )


def _places(marked: Levels, case: tuple[str, ...]) -> NDArray[np.intp]:
    """Return the case of each mark; reject marks on unknown cases."""
    known = {label: at for at, label in enumerate(case)}
    if unknown := [label for label in marked.labels if label not in known]:
        raise InputError(
            f"{counted(len(unknown), 'case')} with marks {have(len(unknown))} no row "
            f"in the table of cases: {show_all(unknown)}"
        )
    return np.array([known[label] for label in marked.labels], np.intp)[marked.codes]


def _lesions(marks: DataTable, name: str) -> list[str | None]:
    """Return the lesion of each mark; None if it is on none."""
    absent = marks.absent(name, besides=())
    lesion: list[str | None] = [None] * marks.n_rows
    rows = np.flatnonzero(~absent)
    if rows.size:
        levels = marks.taken(rows, [name]).levels(name)
        for row, code in zip(rows.tolist(), levels.codes.tolist(), strict=True):
            lesion[row] = levels.labels[code]
    return lesion


def _sites(
    marks: DataTable,
    case: tuple[str, ...],
    n_lesions: NDArray[np.intp],
    of_case: NDArray[np.intp],
    lesion: list[str | None],
) -> tuple[list[_Site], NDArray[np.intp]]:
    """Return lesions and normal cases, and the site of each mark; -1 if it is none."""
    named: list[dict[str, int]] = [{} for _ in case]
    for row, (at, name) in enumerate(zip(of_case.tolist(), lesion, strict=True)):
        if name is None:
            continue
        named[at].setdefault(name, len(named[at]))
        if len(named[at]) > n_lesions[at]:
            has = counted(int(n_lesions[at]), "lesion")
            raise InputError(
                f"{marks.row(row)}: a mark on lesion {show(name)} of case "
                f"{show(case[at])}, which has {has} in the table of cases"
                + f" (marked: {show_all(named[at])})"
                * bool(n_lesions[at])
            )
    sites: list[_Site] = []
    first = np.zeros(len(case), np.intp)
    for at, label in enumerate(case):
        first[at] = len(sites)
        if n_lesions[at] == 0:
            sites.append(_Site(label, at, False))
            continue
        own = [*named[at], *(f"unmarked {i + 1}" for i in range(n_lesions[at]))]
        for name in own[: int(n_lesions[at])]:
            sites.append(_Site(f"{label}, lesion {name}", at, True))
    place = np.full(len(lesion), -1, np.intp)
    for row, (at, name) in enumerate(zip(of_case.tolist(), lesion, strict=True)):
        if name is not None:
            place[row] = first[at] + named[at][name]
        elif n_lesions[at] == 0:
            place[row] = first[at]
    return sites, place


def _require_once(
    marks: DataTable,
    at: tuple[NDArray[np.intp], ...],
    known: NDArray[np.bool_],
    sites: list[_Site],
    axes: list[Levels],
) -> None:
    """Reject a lesion that a reader marked twice with a modality."""
    on_lesion = np.array([sites[place].lesion for place in at[2]], bool)
    shape = (len(axes[0].labels), len(axes[1].labels), len(sites))
    cells = np.ravel_multi_index(tuple(axis[on_lesion] for axis in at), shape)
    rows = np.flatnonzero(known)[on_lesion]
    order = np.argsort(cells, kind="stable")
    again = np.flatnonzero(np.diff(cells[order]) == 0)
    if again.size:
        first, other = rows[order[again[0]]], rows[order[again[0] + 1]]
        raise InputError(
            f"{marks.row(int(first))} and {marks.row(int(other))} are marks of one "
            "reader on the same lesion with one modality: keep one of them"
        )
