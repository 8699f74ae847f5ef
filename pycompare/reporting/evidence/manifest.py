"""``manifest.json``: what a report was made from, how, and the hash of each file."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from json.encoder import encode_basestring_ascii as quoted
from operator import itemgetter
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError, refused
from pycompare.base.formatting.packed import plain_name, unpack, unpacked_size
from pycompare.base.whole_file import read_regular
from pycompare.reporting.provenance import now, stamp
from pycompare.results.result import plain

MANIFEST = "manifest.json"
SIGNATURE = "manifest.json.sig"
_MADE_BY = "pycompare manifest"
_FORMAT = 2
_MOST_LINES, _MOST_BYTES = 20_000, 2_000_000
"""Lines of a file that are hashed one by one, so that a change is found in it, and the
bytes of them."""
_SHORT = 4
"""Hexadecimal digits that are kept of the hash of one line: a place, no proof."""
_PLAIN = bytes({*range(32, 127), *b"\n"} - {*b'"\\'})
"""Characters that stand in JSON as they are in CSV."""
_LineOrCells = str | Sequence[str]
"""A line, or the cells of a row or column."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One entry of the decision log.

    Attributes
    ----------
    step : str
        The step in words.
    why : str
        Why it ran.
    decided : str
        What came out of it, and whether it decides anything.
    """

    step: str
    why: str
    decided: str


@dataclass(frozen=True, kw_only=True)
class Deviation:
    """Something that was done otherwise than the plan file says."""

    planned: str
    done: str
    why: str


@dataclass(frozen=True, kw_only=True)
class ReportData:
    """The data of a report as its folder holds them."""

    kind: str = "none"  # scores, predictions, ratings or table
    files: Mapping[str, str] = field(default_factory=dict)  # of "data": name and text
    # What the files do not say exactly.
    parts: Mapping[str, Any] = field(default_factory=dict)
    sha256: str | None = None  # of the data as analysed


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Statements of the manifest about a report, besides its files."""

    data: ReportData
    asked: Mapping[str, Any]  # the plan as it was given
    settled: Mapping[str, Any]  # and with nothing left open
    steps: Sequence[Step]
    deviations: Sequence[Deviation] = ()


def manifest(
    evidence: Evidence,
    results: Mapping[str, Any],
    folder: Path,
    started: datetime,
    edition: Mapping[str, Any],
) -> dict[str, Any]:
    """Return the manifest of a folder that holds every other file already.

    ``edition`` states how the report is written: formats, style, rounding, cross-check.
    """
    origin = results["provenance"]
    settled = plain(dict(evidence.settled))
    return {
        "made_by": _MADE_BY,
        "format": _FORMAT,
        "report": results["made_by"],
        "command": origin["command"],
        "edition": dict(edition),
        "started": stamp(started),
        "ended": stamp(now()),
        "versions": origin["versions"],
        "seed": origin["seed"],
        "randomness": origin["randomness"],
        **({"blinding": origin["blinding"]} if "blinding" in origin else {}),
        "inputs": _inputs(evidence, origin),
        "plan": {
            "asked": plain(dict(evidence.asked)),
            "settled": settled,
            "sha256": sha256_of(settled),
            "file": origin["plan_file"],
        },
        "decisions": [asdict(step) for step in evidence.steps],
        "deviations": [asdict(deviation) for deviation in evidence.deviations],
        "data": {
            "kind": evidence.data.kind,
            "files": [f"data/{name}" for name in evidence.data.files],
            "parts": plain(dict(evidence.data.parts)),
        },
        "outputs": {
            name: file_entry(name, (folder / name).read_bytes())
            for name in files_of(folder)
        },
    }


def _inputs(evidence: Evidence, origin: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the files that were read, and the data as analysed, with their hashes."""
    plan = origin["plan_file"]
    named = [
        ("data file", origin["file"], origin["file_sha256"]),
        ("plan file", plan and plan["name"], plan and plan["sha256"]),
        (f"{evidence.data.kind} as analysed", None, evidence.data.sha256),
    ]
    return [
        {"what": what, "name": name, "sha256": digest}
        for what, name, digest in named
        if digest is not None
    ]


def sha256_of(value: Any) -> str:
    """Return the hash of plain values, whatever the order of their keys."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def files_of(folder: Path) -> list[str]:
    """Return the files of a report folder, without its manifest and signature.

    A link is named and never followed.
    """
    names = [
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()
    ]
    return sorted(set(names) - {MANIFEST, SIGNATURE})


# ---- files and places in them -------------------------------------------------------


def file_entry(name: str, content: bytes) -> dict[str, Any]:
    """Return size and hash of a file, and short hashes of its lines or cells."""
    return {
        "sha256": hashlib.sha256(content).hexdigest(),
        "size": len(content),
        **_places(name, content),
    }


def _places(name: str, content: bytes) -> dict[str, str]:
    """Return short hashes of rows and columns, or of lines."""
    if unpacked_size(name, content) > _MOST_BYTES:
        return {}
    name, content = plain_name(name), unpack(name, content)
    if content.count(b"\n") > _MOST_LINES:
        return {}
    if name.endswith(".csv"):
        if _is_plain(content):
            return _places_of_plain(content)
        rows = rows_of(content)
        return {"rows": _hashes(rows), "columns": _hashes(columns_of(rows))}
    if name.endswith(".json"):
        return {"lines": _hashes(lines_of(content))}
    return {}


def _is_plain(content: bytes) -> bool:
    """Return whether each line of a CSV file is a row of cells as JSON has them."""
    empty = content[:1] == b"\n" or b"\n\n" in content
    return not content.translate(None, _PLAIN) and not empty and content != b""


def _places_of_plain(content: bytes) -> dict[str, str]:
    """Return the hashes of `rows_of` and `columns_of` in a fraction of their time."""
    lines = content.removesuffix(b"\n").split(b"\n")
    cells = [line.split(b",") for line in lines]
    columns = (
        b'", "'.join(map(itemgetter(k), cells)) for k in range(min(map(len, cells)))
    )
    rows = (line.replace(b",", b'", "') for line in lines)
    return {"rows": _hashes_of_plain(rows), "columns": _hashes_of_plain(columns)}


def _hashes_of_plain(parts: Iterable[bytes]) -> str:
    """Return the short hash of each part, one behind the other; see `_hash`."""
    short = [hashlib.sha256(b'["%b"]' % part).digest()[: _SHORT // 2] for part in parts]
    return b"".join(short).hex()


def rows_of(content: bytes) -> list[tuple[str, ...]]:
    """Return the rows of a CSV file."""
    text = content.decode("utf-8", "replace")
    # Tuples of text, unlike lists, are left alone by the garbage collection.
    return list(map(tuple, csv.reader(io.StringIO(text, newline=""))))


def columns_of(rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the columns of rows, as far as all rows have them."""
    width = min(map(len, rows), default=0)
    # zip(*rows) makes an iterator for each row, and garbage is collected meanwhile.
    return [tuple(map(itemgetter(k), rows)) for k in range(width)]


def lines_of(content: bytes) -> list[str]:
    """Return the lines of a text file, without commas at their ends."""
    text = content.decode("utf-8", "replace")
    return [line.rstrip(",") for line in text.split("\n")]


def _hashes(parts: Sequence[_LineOrCells]) -> str:
    """Return the short hash of each part, one behind the other."""
    return "".join(map(_hash, parts))


def _hash(part: _LineOrCells) -> str:
    """Return the short hash of a part as JSON."""
    text = quoted(part) if isinstance(part, str) else _listed(part)
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:_SHORT]


def _listed(cells: Sequence[str]) -> str:
    """Return cells as a JSON list, in less time than its encoder needs to start."""
    return f"[{', '.join(map(quoted, cells))}]"


def differing(parts: Sequence[_LineOrCells], hashes: str) -> list[int]:
    """Return the places at which parts are not those that were hashed."""
    kept = [hashes[i : i + _SHORT] for i in range(0, len(hashes), _SHORT)]
    return [i for i, part in enumerate(parts[: len(kept)]) if _hash(part) != kept[i]]


def count(hashes: str) -> int:
    """Return how many parts were hashed."""
    return len(hashes) // _SHORT


# ---- reading -----------------------------------------------------------------------


CHANGED = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError),
    ValueError,
)
"""What reading values raises if a file was changed, and they may be anything."""


def as_written(folder: str | Path) -> AbstractContextManager[None]:
    """Reject a report whose files were changed, when they are read."""
    return refused(f"{folder} is not as it was written", *CHANGED)


def _are_tables(outputs: Any) -> bool:
    """Return whether a manifest has an entry for each file."""
    return isinstance(outputs, dict) and all(
        isinstance(entry, dict) for entry in outputs.values()
    )


def read_manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest of a report folder.

    Raises
    ------
    InputError
        If there is none, or it is none of ours.
    """
    path = folder / MANIFEST
    try:
        held = json.loads(read_regular(path))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"{folder} has no {MANIFEST}; name the folder of a report"
        ) from None
    except (ValueError, RecursionError):
        raise InputError(f"{path} is no JSON file: it was changed or cut") from None
    if not isinstance(held, dict) or held.get("made_by") != _MADE_BY:
        raise InputError(f"{path} is not the manifest of a pycompare report")
    missing = {"outputs", "report", "edition", "plan", "data", "inputs"} - set(held)
    if not _are_tables(held.get("outputs", {})):
        raise InputError(f"{path}: outputs does not list files; it was changed")
    if held.get("format") != _FORMAT or missing:
        raise InputError(
            f"{path} is in another format ({held.get('format')!r}); this version of "
            f"pycompare reads format {_FORMAT}"
        )
    return held
