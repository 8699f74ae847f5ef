"""``verify``: whether a report folder is as it was written, and comes out again."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from pycompare.base.arguments import check_flags
from pycompare.base.checked import checked
from pycompare.base.errors import InputError
from pycompare.base.formatting.counts import counted
from pycompare.base.formatting.packed import unpack
from pycompare.designs.blinding import key_path
from pycompare.designs.plans.beside_trail import changed_beside
from pycompare.designs.plans.keyed_hash import keyed_hash
from pycompare.designs.plans.trail import entries_of, read_trail, trail_of
from pycompare.reporting.evidence import manifest as m
from pycompare.reporting.evidence.certified import (
    CERTIFICATE,
    certified,
    files_of_certificate,
)
from pycompare.reporting.evidence.json_places import differing, place_of_line
from pycompare.reporting.evidence.signature import Signature, check_signature
from pycompare.reporting.evidence.timestamp import TimeStamp, check_timestamp
from pycompare.reporting.rewritten import RESULTS, Rewritten, rewritten

_MOST_SHOWN = 10
"""Values of one file, and differing numbers, that are named one by one."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Something in a report folder that is not as it was written.

    Attributes
    ----------
    file : str
        Below the folder, or beside the trail.
    what : str
        ``changed``, ``missing``, ``added``, ``recomputed``, ``signature``, ``key``,
        ``unblinded``, ``certificate``, ``trail`` or ``timestamp``.
    place : str
        Where in the file; empty for the whole.
    """

    file: str
    what: str
    place: str = ""

    def __str__(self) -> str:
        where = f": {self.place}" if self.place else ""
        return f"{self.file} {_WORDS[self.what]}{where}"


_WORDS = {
    "changed": "was changed",
    "missing": "is missing",
    "added": "was added",
    "recomputed": "does not agree with the analysis made again",
    "signature": "is not signed as it should be",
    "key": "is not the key of this blinded report",
    "unblinded": "has another hash than the blinded report",
    "certificate": "differs from the report",
    "timestamp": "has no valid time stamp",
    "trail": "has a trail of the plan that is not as it was written",
}


_UNSIGNED = (
    "The report is not signed: who can change its files can write a manifest that "
    "agrees with them."
)


@dataclass(frozen=True, kw_only=True)
class Verification:
    """The outcome of ``verify``.

    Attributes
    ----------
    folder : str
    files : int
        Files that the manifest names.
    problems : tuple of Problem
    again : Rewritten or None
        The comparison with the report that was written again; None without
        ``recompute``, and if it could not be written.
    signature : Signature or None
        Whose signature the manifest has, if it has one.
    manifest_sha256 : str
        Hash of the manifest itself: kept elsewhere, it vouches for the whole folder.
    timestamp : TimeStamp or None
        The contents of the time stamp, if one was given.
    blinding : str
        Whether codes stand for names, and whether the key was checked; empty if not.
    """

    folder: str
    files: int
    problems: tuple[Problem, ...]
    again: Rewritten | None
    signature: Signature | None
    manifest_sha256: str
    blinding: str = ""
    timestamp: TimeStamp | None = None

    @property
    def passed(self) -> bool:
        """Whether there is no problem."""
        return not self.problems

    def to_dict(self) -> dict[str, Any]:
        """Return plain Python values that JSON can hold."""
        return asdict(self) | {"passed": self.passed}

    def summary(self) -> str:
        """Return the outcome in lines."""
        n = len(self.problems)
        head = f"{self.folder}: {counted(self.files, 'file')} checked, "
        head += f"{counted(n, 'problem')}" if n else "all unchanged"
        lines = [head + ".", *(f"  {problem}" for problem in self.problems)]
        if self.again is not None:
            n, files = self.again.numbers, counted(self.again.files, "file")
            lines.append(
                f"Report written again: {files} compared, with {counted(n, 'number')} "
                f"of results.json."
            )
            lines += [self.again.not_compared] if self.again.not_compared else []
        lines += [self.blinding] if self.blinding else []
        lines.append(str(self.signature) if self.signature else _UNSIGNED)
        lines += [str(self.timestamp)] if self.timestamp else []
        return "\n".join([*lines, f"SHA-256 of the manifest: {self.manifest_sha256}"])


@checked
def verify(
    folder: str | Path,
    *,
    recompute: bool = False,
    signers: str | Path | None = None,
    signer: str | None = None,
    key: str | Path | None = None,
    certificate: str | Path | None = None,
    trail: str | Path | None = None,
    timestamp: str | Path | None = None,
    authority: str | Path | None = None,
) -> Verification:
    """Check that a report folder is as it was written.

    Every file is hashed and compared with ``manifest.json``. In tables, data and
    results.json the cell or value that was changed is named.

    Parameters
    ----------
    folder : path
        Of a report.
    recompute : bool, default False
        Also write the report again from the data and the plan in the folder, and
        compare every file, with the same versions of the software (the contents of
        DOCX). With other versions: results.json, tables and data, with a note.
    signers : path, optional
        File of allowed signers, as ``ssh-keygen -Y verify`` reads it. The manifest must
        then have a signature of one of them.
    signer : str, optional
        Who must have signed; required with ``signers``.
    key : path, optional
        Key of a blinded report, which must be the one that its manifest names; default
        FOLDER.key.json, if it is there. It is hashed and never read.
    certificate : path, optional
        Of ``pc.certificate``: its folder, or its JSON file. It must state what a
        certificate of this report says now.
    trail : path, optional
        Of the plan: PLAN.trail.jsonl. It must be whole, and begin with the entries that
        the report has. The plan and the data files beside it must be those of its last
        entries.
    timestamp : path, optional
        Time stamp of manifest.json by RFC 3161, as an authority answers (``.tsr``);
        openssl checks it.
    authority : path, optional
        Certificate of that authority or of its issuer, in PEM; without it the time
        stamp is checked to be of these bytes only.

    Returns
    -------
    Verification
        With ``passed``, ``problems`` and ``summary()``.

    Raises
    ------
    InputError
        If the folder has no manifest, the data to compute from are not in it, or there
        is no certificate.

    Notes
    -----
    Whoever can rewrite the files can rewrite the manifest: keep its hash elsewhere, or
    sign it (``ssh-keygen -Y sign -n pycompare -f KEY manifest.json``). R: no
    equivalent; ``reproduce.R`` in the folder repeats the numbers.

    Examples
    --------
    >>> import pycompare as pc
    >>> from tempfile import TemporaryDirectory
    >>> comparison = pc.compare(pc.example(), pc.Plan(blocks="datasets"))
    >>> with TemporaryDirectory() as folder:
    ...     report = pc.report(comparison, f"{folder}/report")
    ...     page = report / "report.html"
    ...     _ = page.write_text(page.read_text().replace("C4.5", "CN2"))
    ...     check = pc.verify(report)
    >>> check.passed, [str(problem) for problem in check.problems]
    (False, ['report.html was changed'])
    """
    check_flags(recompute=recompute)
    path = Path(folder)
    held = m.read_manifest(path)
    with m.as_written(path):
        problems = list(_files(path, held["outputs"]))
        blinding, wrong_key = _key(path, held, key)
    signature = check_signature(path, signers, signer)
    manifest = (m.MANIFEST, (path / m.MANIFEST).read_bytes())
    stamped = check_timestamp([manifest], timestamp, authority)
    if certificate is not None:
        _certificate_file(Path(certificate))  # before the analysis is made again
    again = None
    if recompute:
        again, more = _again(path, held, {problem.file for problem in problems})
        problems += more
    problems += wrong_key
    with m.as_written(path):
        problems += _trail(held, None if trail is None else Path(trail))
    if certificate is not None:
        problems += _certificate(Path(certificate), path)
    if signature is not None and not signature.good:
        problems.append(
            Problem(file=m.MANIFEST, what="signature", place=signature.text)
        )
    if stamped is not None and not stamped.good:
        wrong = Problem(file=m.MANIFEST, what="timestamp", place=stamped.text)
        problems.append(wrong)
    return Verification(
        folder=str(folder),
        files=len(held["outputs"]),
        problems=tuple(problems),
        again=again,
        signature=signature,
        manifest_sha256=m.file_entry("", (path / m.MANIFEST).read_bytes())["sha256"],
        blinding=blinding,
        timestamp=stamped,
    )


# ---- the key of a blinded report -----------------------------------------------------


_UNCHECKED = (
    "Not checked: which names the codes stand for, and whether the key is the one that "
    "the manifest names"
)


def _key(
    folder: Path, held: Mapping[str, Any], given: str | Path | None
) -> tuple[str, list[Problem]]:
    """Return the facts about the key, and whether it is another one."""
    blinding = held.get("blinding")
    if blinding is None:
        return "", []
    if blinding["state"] != "blinded":
        return _opened(blinding, held["inputs"])
    path = Path(given) if given is not None else key_path(Path(os.path.abspath(folder)))
    if given is None and not path.exists():
        return f"Blinded. {_UNCHECKED}, because {path.name} is not there.", []
    if m.file_entry("", path.read_bytes())["sha256"] != blinding["key_sha256"]:
        return "Blinded.", [Problem(file=path.name, what="key")]
    return "Blinded; the key is the one that the manifest names.", []


def _opened(
    blinding: Mapping[str, Any], inputs: Sequence[Mapping[str, Any]]
) -> tuple[str, list[Problem]]:
    """Return whether files with names are those of which codes had keyed hashes."""
    plain = {entry["what"]: entry["sha256"] for entry in inputs}
    wrong = [
        Problem(file=m.MANIFEST, what="unblinded", place=what)
        for what, keyed in blinding["keyed_hashes"].items()
        if keyed_hash(blinding["secret"], plain[what]) != keyed
    ]
    if wrong:
        return "Unblinded.", wrong
    return "Unblinded; the blinded report has the keyed hashes of the same files.", []


# ---- the trail of the plan -----------------------------------------------------------


def _trail(held: Mapping[str, Any], given: Path | None) -> Iterator[Problem]:
    """Yield the problems of the entries that a report has, and with their file."""
    file = held["plan"]["file"]
    own = entries_of(file["trail"]) if file else ()
    if own:
        for place in trail_of([entry.line for entry in own]).problems:
            yield Problem(file=m.MANIFEST, what="trail", place=place)
    if given is None:
        return
    trail = read_trail(given)
    for place in trail.problems:
        yield Problem(file=given.name, what="trail", place=place)
    for at, (entry, other) in enumerate(zip_longest(own, trail.entries), start=1):
        if entry is not None and entry != other:
            place = f"entry {at} is not the one that the report has"
            yield Problem(file=given.name, what="trail", place=place)
            return
    for name, since in changed_beside(given, trail):
        yield Problem(file=name, what="changed", place=since)
    if not own:
        place = "the plan of the report was not sealed"
        yield Problem(file=given.name, what="trail", place=place)


# ---- files ---------------------------------------------------------------------------


def _files(folder: Path, outputs: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield files that differ from the manifest; its names are never opened."""
    there = m.files_of(folder)
    for name in sorted(set(outputs) - set(there)):
        yield Problem(file=name, what="missing")
    for name in there:
        if name not in outputs:
            yield Problem(file=name, what="added")
        elif (folder / name).is_symlink():
            yield Problem(file=name, what="changed", place="it is a link now")
        elif not (folder / name).is_file():
            yield Problem(file=name, what="changed", place="it is no file now")
        else:
            yield from _content(name, (folder / name).read_bytes(), outputs[name])


def _content(name: str, content: bytes, entry: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the changes of one file."""
    if m.file_entry("", content)["sha256"] == entry["sha256"]:
        return
    try:
        places = list(_places(unpack(name, content), entry)) or [""]
    except InputError as error:
        places = [error.message]
    yield from _first(name, "changed", places, "places")


def _first(
    file: str, what: str, places: Sequence[str], noun: str = "values"
) -> Iterator[Problem]:
    """Yield a problem per place, as many as are named; then how many more there are."""
    more = len(places) - _MOST_SHOWN
    last = [f"{more} more {noun}"] if more > 0 else []
    for place in [*places[:_MOST_SHOWN], *last]:
        yield Problem(file=file, what=what, place=place)


def _places(content: bytes, entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the places of a file that are changed, as far as they are known."""
    if "rows" in entry:
        yield from _cells(m.rows_of(content), entry)
    elif "lines" in entry:
        yield from _lines(m.lines_of(content), entry["lines"])


def _cells(rows: Sequence[Sequence[str]], entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the cells of a table that are changed."""
    n, columns = m.count(entry["rows"]), m.columns_of(rows)
    if len(rows) != n or len(columns) != m.count(entry["columns"]):
        yield (
            f"{len(rows) - 1} rows and {len(columns)} columns instead of {n - 1} and "
            f"{m.count(entry['columns'])}"
        )
        return
    across = m.differing(columns, entry["columns"])
    for at in m.differing(rows, entry["rows"]):
        where = "the names of the columns" if at == 0 else f"row {at}"
        named = [rows[0][k] for k in across] if at else [str(k + 1) for k in across]
        yield f"{where}, column {', '.join(named)}" if named else where


def _lines(lines: list[str], hashes: str) -> Iterator[str]:
    """Yield the values of a JSON file that are changed."""
    differing = m.differing(lines, hashes)
    if len(lines) != m.count(hashes):
        first = place_of_line(lines, differing[0]) if differing else "the end"
        yield f"{len(lines)} lines instead of {m.count(hashes)}, from {first}"
        return
    for at in differing:
        yield place_of_line(lines, at) or f"line {at + 1}"


# ---- again -------------------------------------------------------------------------


def _again(
    folder: Path, held: Mapping[str, Any], known: Collection[str]
) -> tuple[Rewritten | None, list[Problem]]:
    """Return the report written again, and where it differs; None if it cannot be."""
    names = [name for name in sorted(held["outputs"]) if name not in known]
    try:
        again = rewritten(folder, held, names)
    except (OSError, *m.CHANGED) as error:
        place = f"it cannot be made again: {error}"
        return None, [Problem(file=RESULTS, what="recomputed", place=place)]
    places: dict[str, list[str]] = {}
    for file, place in again.problems:
        places.setdefault(file, []).append(place)
    problems = [
        problem
        for file, each in places.items()
        for problem in _first(file, "recomputed", each)
    ]
    return again, problems


# ---- certificate ---------------------------------------------------------------------


def _certificate_file(at: Path) -> Path:
    """Return the JSON file of a certificate, or of the folder that it is in."""
    path = at if at.is_file() else at / CERTIFICATE
    if not path.is_file():
        raise InputError(f"{at} holds no {CERTIFICATE}; name a certificate")
    return path


def _certificate(at: Path, report: Path) -> Iterator[Problem]:
    """Yield what of a certificate is not as the report would have it."""
    alone, path = at.is_file(), _certificate_file(at)
    try:
        written = json.loads(path.read_bytes())
        held = certified(report, str(written["version"]))
        files = files_of_certificate(held)
    except m.CHANGED as e:
        yield Problem(file=CERTIFICATE, what="certificate", place=f"not readable: {e}")
        return
    if path.read_bytes() != files.pop(CERTIFICATE):
        yield from _said(written, json.loads(json.dumps(held)))
    there = set() if alone else {entry.name for entry in at.iterdir()} - {CERTIFICATE}
    for name in sorted(there | (set() if alone else set(files))):
        if name not in files:
            yield Problem(file=name, what="added")
        elif name not in there:
            yield Problem(file=name, what="missing")
        elif not _is_file_with(at / name, files[name]):
            yield Problem(file=name, what="certificate")


def _is_file_with(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


def _said(written: Any, held: Mapping[str, Any]) -> Iterator[Problem]:
    """Yield the values of a certificate that the report does not have."""
    places = [
        f"{place} is {old!r}, in the report {new!r}"
        for place, old, new in differing(written, held)
    ]
    yield from _first(CERTIFICATE, "certificate", places or [""])
