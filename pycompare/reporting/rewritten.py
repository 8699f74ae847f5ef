"""A report written again from the data and the plan in its folder, and compared."""

from __future__ import annotations

import io
import json
import re
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from pycompare.base.errors import ReferenceUnavailable
from pycompare.base.formatting.packed import plain_name, unpack
from pycompare.base.parallel.progress import discard
from pycompare.base.whole_file import read_regular
from pycompare.reporting.edition import Writing
from pycompare.reporting.evidence import manifest as m
from pycompare.reporting.evidence.cross_check import CROSS_CHECK, require_rscript
from pycompare.reporting.evidence.json_places import (
    differing,
    is_number,
    leaves,
    same,
)
from pycompare.reporting.evidence.recompute import recomputed
from pycompare.reporting.provenance import as_before, dated, versions
from pycompare.reporting.render import RENDERERS, is_available
from pycompare.reporting.report import report

RESULTS = "results.json"
_NUMBERS = (RESULTS, "tables/", "data/")
"""Files that are compared with other versions of the software too."""
_PLATFORM = "platform"
_OF_ITS_RUN = ("started", "ended", "edition", "outputs", "versions")
"""Entries of a manifest about one run, and files, which are compared themselves."""


@dataclass(frozen=True, kw_only=True)
class Rewritten:
    """What came of a report that was written again.

    Attributes
    ----------
    numbers, files : int
        Numbers of results.json, and files, that were compared.
    problems : tuple of (str, str)
        File and place.
    not_compared : str
        Which files were not, and why; empty if all were.
    """

    numbers: int
    files: int
    problems: tuple[tuple[str, str], ...]
    not_compared: str


def rewritten(
    folder: Path, held: Mapping[str, Any], unchanged: Sequence[str]
) -> Rewritten:
    """Write a report again, and compare it with what its folder holds.

    Numbers agree if all digits do that can be expected of another machine; everything
    else agrees to the letter.

    Parameters
    ----------
    folder : Path
        Of the report.
    held : mapping
        Its manifest.
    unchanged : sequence of str
        Files that are as the manifest specifies: the others are named already.

    Raises
    ------
    InputError
        If the folder does not hold the data.
    """
    written = json.loads(read_regular(folder / RESULTS))
    origin = written["provenance"]
    own = _other_versions(origin["versions"])
    edition, gone = _edition(held["edition"], own)
    again = recomputed(folder, held)
    with (
        tempfile.TemporaryDirectory(prefix="pycompare-") as aside,
        dated(origin["date"]),
        as_before(origin),
    ):
        new = report(
            again.result, f"{aside}/again", **again.options, **edition, progress=discard
        )
        n, places = _results(written, json.loads(read_regular(new / RESULTS)))
        names = [
            name for name in unchanged if name != RESULTS and not gone.leaves_out(name)
        ]
        problems = [
            *((RESULTS, place) for place in places),
            *_files(folder, new, names),
            *_absent(new, held),
            *((m.MANIFEST, place) for place in _manifest(held, m.read_manifest(new))),
        ]
    return Rewritten(
        numbers=n,
        files=len(names) + 1,
        problems=tuple(problems),
        not_compared=str(gone),
    )


# ---- what cannot be written as it was ------------------------------------------------


@dataclass(frozen=True)
class _Gone:
    """Which files cannot be compared here, and why."""

    versions: str = ""
    formats: tuple[str, ...] = ()
    no_r: bool = False

    def leaves_out(self, name: str) -> bool:
        """Return whether a file is not compared."""
        if self.versions:
            return not name.startswith(_NUMBERS)
        if self.no_r and (name == CROSS_CHECK or _is_document(name)):
            return True
        return any(
            name == _document(kind) for kind in self.formats if kind in RENDERERS
        )

    def __str__(self) -> str:
        if self.versions:
            return (
                f"Not compared: pages, figures and reproduce.R, because the report was "
                f"written with {self.versions}."
            )
        told = []
        if self.no_r:
            told.append("the cross-check and the documents that show it (R is missing)")
        if self.formats:
            named = ", ".join(self.formats)
            told.append(f"{named} (what writes these formats is not installed)")
        return f"Not compared: {'; '.join(told)}." if told else ""


def _document(format: str) -> str:
    return f"report.{RENDERERS[format].ending}"


def _is_document(name: str) -> bool:
    return name.startswith("report.") and "/" not in name


def _other_versions(then: Mapping[str, str]) -> str:
    """Return which software has another version here; empty if none has."""
    here = versions()
    return ", ".join(
        f"{name} {then.get(name, 'none')} (here {here.get(name, 'none')})"
        for name in dict.fromkeys([*then, *here])
        if name != _PLATFORM and then.get(name) != here.get(name)
    )


def _edition(held: Mapping[str, Any], other: str) -> tuple[Writing, _Gone]:
    """Return how a report is written again, and what of it cannot be."""
    missing = tuple(name for name in held["formats"] if not _can_be_made(name))
    no_r = False
    if held["cross_check"] and not other:
        try:
            require_rscript()
        except ReferenceUnavailable:
            no_r = True
    formats = [name for name in held["formats"] if name not in missing]
    writing: dict[str, Any] = {
        **held,
        "formats": ["text"] if other or not formats else formats,
        "cross_check": held["cross_check"] and not other and not no_r,
    }
    edition: Writing = writing  # type: ignore[assignment]
    return edition, _Gone(versions=other, formats=missing, no_r=no_r)


def _can_be_made(name: str) -> bool:
    return name in RENDERERS and is_available(RENDERERS[name])


# ---- comparing -----------------------------------------------------------------------


def _results(
    written: Mapping[str, Any], again: Mapping[str, Any]
) -> tuple[int, list[str]]:
    """Return how many numbers were compared, and the places that differ."""
    old, new = ({**results, "provenance": None} for results in (written, again))
    places = [
        f"{place} is {was!r}, computed again {now!r}"
        for place, was, now in differing(old, new, same)
    ]
    return sum(is_number(value) for _, value in leaves(old)), places


def _files(folder: Path, new: Path, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield files that were written otherwise, and the first place."""
    for name in names:
        if not (new / name).is_file():
            yield name, "the report that is written again has no such file"
            continue
        old, again = (read_regular(where / name) for where in (folder, new))
        place = None if old == again else _place(name, old, again)
        if place is not None:
            yield name, place


def _absent(new: Path, held: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield files that only the report that is written again has."""
    asked = {
        _document(kind) for kind in held["edition"]["formats"] if kind in RENDERERS
    }
    for name in m.files_of(new):
        is_asked = name in asked or not _is_document(name)
        if is_asked and name not in held["outputs"]:
            yield name, "only the report that is written again has it"


def _place(name: str, old: bytes, new: bytes) -> str | None:
    """Return the first place where two files differ; None if they agree."""
    if name.endswith(".docx"):
        return _in_archive(old, new)
    try:
        texts = [
            unpack(name, content).decode("utf-8").splitlines() for content in (old, new)
        ]
    except UnicodeDecodeError:
        return ""
    for at, (line, other) in enumerate(zip_longest(*texts)):
        if line != other and not _agree(line, other):
            where = "row" if plain_name(name).endswith(".csv") else "line"
            return f"{where} {at if where == 'row' else at + 1}"
    return None


_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.]*\w)")


def _agree(line: str | None, other: str | None) -> bool:
    """Return whether two lines have the same words, and numbers that agree."""
    if line is None or other is None or _NUMBER.split(line) != _NUMBER.split(other):
        return False
    pairs = zip(_NUMBER.findall(line), _NUMBER.findall(other), strict=True)
    return all(same(float(a), float(b)) for a, b in pairs)


def _in_archive(old: bytes, new: bytes) -> str | None:
    """Return which part of an archive differs."""
    try:
        parts = [_parts(content) for content in (old, new)]
    except zipfile.BadZipFile:
        return "it is no archive"
    for name in dict.fromkeys([*parts[0], *parts[1]]):
        if parts[0].get(name) != parts[1].get(name):
            return name
    return None


def _parts(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _manifest(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield the manifest's statements about the analysis that it does not repeat."""
    first, second = (
        {name: value for name, value in held.items() if name not in _OF_ITS_RUN}
        for held in (old, new)
    )
    for place, was, now in differing(first, second, same):
        yield f"{place} is {was!r}, made again {now!r}"
