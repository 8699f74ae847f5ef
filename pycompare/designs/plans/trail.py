"""The trail of a plan file: who sealed, amended, ran and unblinded it, and when.

A chain of entries (`base/parallel/chain.py`) in a file beside the plan. Reports name
the last hash that they saw, and so can anybody else.

The plan of a blinded analysis may name algorithms, and who guesses them could check the
guess by a hash. So its trail has hashes that are keyed by a secret, which is in another
file beside the plan, and none of its keys.
"""

from __future__ import annotations

import hashlib
import json
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from pycompare.base.checked import checked
from pycompare.base.errors import InputError, setting
from pycompare.base.file_errors import about
from pycompare.base.labels import show
from pycompare.base.version import __version__
from pycompare.base.whole_file import write_whole
from pycompare.data.folder_files import files_below
from pycompare.designs.plans import chain
from pycompare.designs.plans.chain import ChainEntry
from pycompare.designs.plans.keyed_hash import keyed_hash, new_secret

Event = Literal["sealed", "amended", "run", "unblinded"]
_ENDING = ".trail.jsonl"
_MADE_BY = "pycompare seal"
_LONGEST = 500
"""Characters of a name or a reason."""
_SEALS = ("sealed", "amended")
_NO_FILES: Mapping[str, Path] = MappingProxyType({})
_EVENTS = (*_SEALS, "run", "unblinded")


@dataclass(frozen=True, kw_only=True)
class Entry(ChainEntry):
    """One entry of a trail.

    Attributes
    ----------
    event : {"sealed", "amended", "run", "unblinded"}
    by, role, meaning, reason : str or None
        Who, as what, meaning of the signature, and why; as given.
    clock : str or None
        Time of the machine, UTC by ISO 8601; None for a seal of an earlier version.
    date : str or None
        The date that was set in the place of the clock, if one was.
    pycompare : str or None
        Version.
    plan, data : str or None
        SHA-256 of the plan file, and of the file of the data if it was there; of a
        folder that of the lines which ``sha256sum`` prints of its files, in the order
        of their paths. Of a blinded analysis ``"HMAC-SHA256 ..."``.
    files : dict of str to str
        The same of each further file of data that was there, by the key of the plan
        that names it; left out of the line if there is none.
    names : {"known", "hidden"}
        Whether the names of the algorithms were known, or codes stood for them.
    keys : dict of str to str
        Each key of a plan that is sealed, such as ``plan.alpha``, with its value as
        JSON; none of a blinded analysis.
    previous : str or None
        SHA-256 of the line before.
    """

    event: Event
    by: str | None = None
    role: str | None = None
    meaning: str | None = None
    reason: str | None = None
    clock: str | None = None
    date: str | None = None
    pycompare: str | None = None
    plan: str
    data: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    names: Literal["known", "hidden"] = "known"
    keys: Mapping[str, str]
    previous: str | None = None

    @property
    def record(self) -> dict[str, Any]:
        """The fields that the file holds; earlier versions wrote no ``files``."""
        return {k: v for k, v in vars(self).items() if k != "files" or v}

    @property
    def hashes(self) -> dict[str, str]:
        """Hash of each file of data that was there, by the key that names it."""
        return {**({"file": self.data} if self.data else {}), **self.files}

    @property
    def when(self) -> str:
        """The date that was set, or else the time of the machine."""
        return self.date or self.clock or "not known"


@dataclass(frozen=True, kw_only=True)
class Trail:
    """The entries of a trail, and what is wrong with them.

    Attributes
    ----------
    entries : tuple of Entry
        The first is the oldest.
    problems : tuple of str
        Where the trail is not as pycompare wrote it; empty if it is whole.
    """

    entries: tuple[Entry, ...]
    problems: tuple[str, ...] = ()

    @property
    def head(self) -> str | None:
        """Hash of the last entry: kept elsewhere, it vouches for all of them."""
        return chain.head(self.entries)

    @property
    def seal(self) -> Entry | None:
        """The entry by which the plan is sealed now."""
        return next(
            (entry for entry in self.entries[::-1] if entry.event in _SEALS), None
        )


# ---- reading -------------------------------------------------------------------------


def trail_path(plan: Path) -> Path:
    """Return where the trail of a plan file is."""
    return plan.with_name(f"{plan.name}{_ENDING}")


def plan_of_trail(path: Path) -> Path | None:
    """Return where the plan of a trail is; None of another name."""
    name = path.name.removesuffix(_ENDING)
    return path.with_name(name) if name not in ("", path.name) else None


def secret_path(plan: Path) -> Path:
    """Return where the secret of the trail of a blinded plan is."""
    return plan.with_name(f"{plan.name}.seal.key.json")


def seal_path(plan: Path) -> Path:
    """Return where earlier versions wrote the seal of a plan file."""
    return plan.with_name(f"{plan.name}.seal")


@checked
def read_trail(path: str | Path) -> Trail:
    """Read the trail of a plan file, and check that it is whole.

    Parameters
    ----------
    path : path
        ``PLAN.trail.jsonl``, which ``pycompare plan PLAN --seal`` begins.

    Returns
    -------
    Trail
        With ``entries``, ``problems`` and ``head``, the hash of the last entry.

    Raises
    ------
    InputError
        If the file cannot be read.

    Notes
    -----
    Entries that were edited, taken out, put in or moved are problems. A trail that was
    forged from its first line, or cut at its end, has none: compare it with a report
    (``pc.verify(folder, trail=path)``), or with a hash that was kept elsewhere.
    R: no equivalent.

    Examples
    --------
    >>> import pycompare as pc
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "plan.toml.trail.jsonl"
    ...     _ = path.write_text('{"event": "sealed"}')
    ...     pc.read_trail(path).problems
    ('entry 1 is not as pycompare writes it',)
    """
    path = Path(path)
    if not path.is_file():
        raise InputError(f"there is no trail {path}; name the file PLAN{_ENDING}")
    return trail_of(chain.read_lines(path))


def trail_of(lines: Sequence[str]) -> Trail:
    """Return the entries of lines, as far as they are entries, and what is wrong."""
    entries = [_entry(line) for line in lines]
    problems = [*_out_of_order(entries), *chain.broken(entries)]
    if not lines:
        problems.append("there is no entry")
    known = tuple(entry for entry in entries if entry is not None)
    return Trail(entries=known, problems=tuple(problems))


def entries_of(held: Sequence[Mapping[str, Any]]) -> tuple[Entry, ...]:
    """Return the entries that a report holds."""
    return tuple(Entry(**record) for record in held)


_TABLES = ("files", "keys")
_TEXTS = tuple(f.name for f in fields(Entry) if f.name not in ("event", *_TABLES))


def _entry(line: str) -> Entry | None:
    """Return the entry of a line; None if it is none, or written otherwise."""
    entry = chain.link_of(line, Entry)
    tables = [] if entry is None else [getattr(entry, name) for name in _TABLES]
    if entry is None or not all(isinstance(table, dict) for table in tables):
        return None
    texts = [getattr(entry, name) for name in _TEXTS]
    texts += [text for table in tables for text in table.values()]
    is_one = entry.event in _EVENTS and isinstance(entry.plan, str)
    is_one &= all(text is None or isinstance(text, str) for text in texts)
    return entry if is_one else None


def _out_of_order(entries: Sequence[Entry | None]) -> Iterator[str]:
    """Yield entries that cannot come after those before them."""
    before: Entry | None = None
    for at, entry in enumerate(entries, start=1):
        if entry is not None and at == 1 and entry.event != "sealed":
            yield f"entry 1 is {entry.event!r}; the first entry seals the plan"
        if entry is not None and before is not None:
            follows = entry.event in ("run", "unblinded")
            if follows and entry.plan != before.plan:
                yield f"entry {at} is of a plan that entry {at - 1} did not seal"
        before = entry


def sealed_by(plan: Path, content: bytes) -> tuple[Entry, ...]:
    """Return the trail of a plan file; empty if the plan was never sealed.

    Raises
    ------
    InputError
        If the trail is not whole, or the plan was changed after its last seal.
    """
    trail = _whole(plan)
    seal = trail.seal
    if seal is not None and seal.plan != _hash(content, _secret(plan, seal)):
        raise _changed(plan, seal)
    return trail.entries


def _changed(plan: Path, seal: Entry) -> InputError:
    """Return the error that a plan is not the one that was sealed."""
    return InputError(
        f"{plan} was changed after it was sealed ({seal.when}); restore it, or amend "
        f"the seal: pycompare plan {plan.name} --amend --by NAME --reason WHY"
    )


def _whole(plan: Path) -> Trail:
    """Return the trail of a plan, or reject one that is not whole."""
    path, seal = trail_path(plan), _earlier_seal(plan)
    if not path.exists():
        return Trail(entries=() if seal is None else (seal,))
    trail = read_trail(path)
    if trail.problems:
        raise InputError(
            f"{path} is not whole: {chain.told(trail.problems)}; restore it from a copy"
        )
    if seal is not None and trail.entries[0].plan != seal.plan:
        raise InputError(
            f"{path} does not begin with the seal {seal_path(plan).name}; restore them"
        )
    return trail


def _earlier_seal(plan: Path) -> Entry | None:
    """Return the seal that an earlier version wrote, as an entry."""
    path = seal_path(plan)
    if not path.is_file():
        return None
    sha256, date = _read(path, "sha256", "sealed")
    names: Literal["known", "hidden"] = "hidden" if " " in sha256 else "known"
    return Entry(event="sealed", date=date, plan=sha256, names=names, keys={})


def _secret(plan: Path, seal: Entry) -> str | None:
    """Return the secret of a blinded plan; None of another one."""
    if seal.names == "known":
        return None
    path = secret_path(plan)
    if not path.is_file():
        raise InputError(
            f"{plan} is sealed for a blinded analysis, and its secret "
            f"{path.name} is not beside it; put it back"
        )
    (secret,) = _read(path, "secret")
    try:
        keyed_hash(secret, "")
    except ValueError:
        raise InputError(f"{path} is not a secret that pycompare wrote") from None
    return secret


def _read(path: Path, *names: str) -> tuple[str, ...]:
    """Return words of a file beside the plan."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        return tuple(str(held[name]) for name in names)
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path} is not a seal that pycompare wrote") from None


def _hash(content: bytes, secret: str | None) -> str:
    return _keyed(hashlib.sha256(content).hexdigest(), secret)


def _keyed(sha256: str, secret: str | None) -> str:
    return sha256 if secret is None else keyed_hash(secret, sha256)


# ---- files ---------------------------------------------------------------------------


def changed_files(
    plan: Path, trail: Trail, data: Mapping[str, Path]
) -> Iterator[tuple[str, str]]:
    """Yield the files that are not those of the trail: name, and since when.

    Files that are not there are left out, and all of them if the secret of a blinded
    plan is not there.
    """
    seal = trail.seal
    if seal is None or (seal.names == "hidden" and not secret_path(plan).is_file()):
        return
    secret = _secret(plan, seal)
    if _hash(plan.read_bytes(), secret) != seal.plan:
        yield plan.name, _since(trail, seal)
        return
    for key, path in data.items():
        sha256 = _of_file(path, plan)
        last = next((e for e in trail.entries[::-1] if key in e.hashes), None)
        if sha256 is None or last is None:
            continue
        if last.hashes[key] != _keyed(sha256, secret):
            yield path.name, _since(trail, last)


def _since(trail: Trail, entry: Entry) -> str:
    at = trail.entries.index(entry) + 1
    return f"after entry {at} of the trail ({entry.event}, {entry.when})"


# ---- writing -------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Signed:
    """Who writes an entry, and why.

    Raises
    ------
    InputError
        If a text is empty, too long, or no single line.
    """

    by: str | None = None
    role: str | None = None
    meaning: str | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        for name, text in asdict(self).items():
            if text is None:
                continue
            if not text.strip() or not text.isprintable() or len(text) > _LONGEST:
                raise InputError(
                    setting(name) + f"={show(text)}: give one line of text, up to "
                    f"{_LONGEST} characters"
                )


def seal(
    plan: Path,
    content: bytes,
    signed: Signed,
    *,
    date: str | None,
    blind: bool,
    data: Mapping[str, Path],
    amend: bool = False,
) -> Entry:
    """Add the seal of a plan, or its amendment, to the trail.

    A blinded plan's secret is written first. ``data``: the files of data, by the keys
    of the plan that name them.

    Raises
    ------
    InputError
        If the plan is sealed so already, was changed since, or is to be amended and was
        never sealed or not changed.
    """
    with _alone(plan):
        trail = _whole(plan)
        last = trail.seal
        if amend and last is None:
            raise InputError(f"{plan} was never sealed: seal it first (--seal)")
        if last is not None and blind != (last.names == "hidden"):
            raise InputError(
                f"{plan} was sealed with another blind = ...; a trail cannot turn from "
                "the one to the other, since earlier entries would show the names"
            )
        secret = None
        if last is not None:
            secret = _secret(plan, last)
        elif blind:
            secret = _new_secret(plan)
        sha256 = _hash(content, secret)
        if last is not None and not amend:
            _refuse_again(plan, trail, last, sha256, signed)
        if amend and last is not None and sha256 == last.plan:
            raise InputError(f"{plan} was not changed since its seal ({last.when})")
        entry = Entry(
            event="amended" if amend else "sealed",
            **asdict(signed),
            **_now(date),
            plan=sha256,
            **_of_data(plan, data, secret),
            names="hidden" if blind else "known",
            keys={} if blind else _keys_of(content),
            previous=trail.head,
        )
        _write(plan, [*trail.entries, entry])
    return entry


def _refuse_again(
    plan: Path, trail: Trail, last: Entry, sha256: str, signed: Signed
) -> None:
    """Reject the seal of a plan that was changed, or that is signed so already."""
    if sha256 != last.plan:
        raise _changed(plan, last)
    same = (signed.by, signed.role, signed.meaning)
    for entry in trail.entries:
        if entry.plan == sha256 and (entry.by, entry.role, entry.meaning) == same:
            raise InputError(f"{plan} was sealed by {signed.by} already ({entry.when})")


def add_event(
    plan: Path,
    content: bytes,
    event: Literal["run", "unblinded"],
    signed: Signed,
    *,
    date: str | None,
    data: Mapping[str, Path] = _NO_FILES,
) -> tuple[Entry, ...]:
    """Add a run or an unblinding to the trail of a sealed plan, and return all of it.

    Raises
    ------
    InputError
        As `sealed_by`.
    """
    with _alone(plan):
        trail = Trail(entries=sealed_by(plan, content))
        last = trail.seal
        assert last is not None  # callers know that the plan is sealed
        secret = _secret(plan, last)
        hidden = last.names == "hidden" and event == "run"
        hidden &= all(earlier.event != "unblinded" for earlier in trail.entries)
        entry = Entry(
            event=event,
            **asdict(signed),
            **_now(date),
            plan=last.plan,
            **_of_data(plan, data, secret),
            names="hidden" if hidden else "known",
            keys={},
            previous=trail.head,
        )
        entries = (*trail.entries, entry)
        _write(plan, entries)
    return entries


def _keys_of(content: bytes) -> dict[str, str]:
    """Return each key of a plan with its value as JSON."""
    keys: dict[str, str] = {}
    waiting: list[tuple[str, Any]] = [("", tomllib.loads(content.decode("utf-8")))]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, dict):
            inside = [(f"{place}.{k}" if place else k, v) for k, v in value.items()]
            waiting += reversed(inside)
        else:
            keys[place] = json.dumps(value, default=str)
    return keys


def changes(entries: Sequence[Entry]) -> list[tuple[int, str, str | None, str | None]]:
    """Return the changes by amendments: number of the entry, key, old and new value.

    A value is None if the key was not given. Entries of blinded plans have no keys.
    """
    changed = []
    before: Mapping[str, str] | None = None
    for at, entry in enumerate(entries, start=1):
        if entry.event not in _SEALS:
            continue
        if before and entry.keys:
            for key in dict.fromkeys([*before, *entry.keys]):
                old, new = before.get(key), entry.keys.get(key)
                if old != new:
                    changed.append((at, key, old, new))
        before = entry.keys
    return changed


def _now(date: str | None) -> dict[str, Any]:
    """Return the machine's clock, beside a date that was set."""
    return {"clock": chain.now(), "date": date, "pycompare": __version__}


def _of_data(
    plan: Path, data: Mapping[str, Path], secret: str | None
) -> dict[str, Any]:
    """Return the hashes of the files of data that are there."""
    held = {
        key: _keyed(sha256, secret)
        for key, path in data.items()
        if (sha256 := _of_file(path, plan)) is not None
    }
    return {"data": held.pop("file", None), "files": held}


def _of_file(path: Path, plan: Path) -> str | None:
    """Return the hash of a file, or of a folder without the plan; None of no file."""
    with about(path):
        if path.is_file():
            return _of_content(path)
        if not path.is_dir():
            return None
        lines = [
            f"{_of_content(file)}  {file.relative_to(path).as_posix()}\n"
            for file in files_below(path, hidden=".")
            if not (file.name.startswith(plan.name) and file.parent == plan.parent)
        ]
    return hashlib.sha256(os.fsencode("".join(lines))).hexdigest()


def _of_content(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _new_secret(plan: Path) -> str:
    """Write the secret of a blinded plan, which must not be there yet."""
    path, secret = secret_path(plan), new_secret()
    if path.exists():
        raise InputError(
            f"{path} exists, and {plan.name} has no trail; put the trail back, or "
            "move this secret away"
        )
    text = json.dumps({"made_by": _MADE_BY, "secret": secret}, indent=1) + "\n"
    write_whole(path, lambda aside: aside.write_text(text, encoding="utf-8"))
    return secret


def _write(plan: Path, entries: Sequence[Entry]) -> None:
    chain.write_lines(trail_path(plan), entries)


def _alone(plan: Path) -> AbstractContextManager[None]:
    """Let one process at a time read a trail and add to it."""
    return chain.alone(trail_path(plan), f"the trail of {plan.name}")
