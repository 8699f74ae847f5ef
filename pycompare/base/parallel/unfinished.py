"""The folder of unfinished work: the finished parts of a job, so that it can go on.

A part is numbers, text and arrays, in a file that begins with a hash of its subject and
content. So one that was cut, damaged, copied from elsewhere or planted is never read:
that part is done again.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.base.version import __version__
from pycompare.base.whole_file import remove_strays, write_whole

_PLAN, _COMMAND = "_job.json", "_command.json"
_ENDING = ".done"
_AFTER = 60.0
"""Seconds of work from which a command keeps finished parts without being asked."""
_HASH = hashlib.sha256().digest_size
_ARRAY = "array in the file"


@dataclass
class _Command:
    """A command that may be interrupted, and the folder of its finished parts.

    Attributes
    ----------
    folder : Path or None
    words : tuple of str
        The command line that goes on with it; none once it is in the folder.
    due : float
        When parts are kept from, on the clock of this process.
    jobs : list of Unfinished
    """

    folder: Path | None
    words: tuple[str, ...]
    due: float
    jobs: list[Unfinished] = field(default_factory=list)

    @property
    def is_due(self) -> bool:
        """Whether finished parts are kept from now on."""
        return time.monotonic() >= self.due

    def note(self) -> None:
        """Write the command line, for ``pycompare resume``."""
        if self.folder is not None and self.words:
            self.folder.mkdir(parents=True, exist_ok=True)
            content = json.dumps({"words": list(self.words), "folder": os.getcwd()})
            write_whole(self.folder / _COMMAND, lambda aside: aside.write_text(content))
            self.words = ()


_RUNNING: ContextVar[_Command | None] = ContextVar("running", default=None)


@contextmanager
def keeping(
    folder: Path | None,
    words: Sequence[str] = (),
    *,
    asked: bool = True,
    stays: bool = False,
) -> Iterator[None]:
    """Let long jobs in the body keep their finished parts; remove these at the end.

    An error removes nothing: the same command, or ``pycompare resume`` with the
    folder, goes on from there.

    Parameters
    ----------
    folder : Path or None
        None: only jobs with a folder of their own keep parts.
    words : sequence of str
        The command line.
    asked : bool, default True
        Whether the user gave the folder: else it is begun after a minute of work.
    stays : bool, default False
        Whether the folder stays at the end, for later runs that add to it.
    """
    due = time.monotonic() + (0 if asked else _AFTER)
    command = _Command(folder, tuple(words), due)
    if asked:
        command.note()
    before = _RUNNING.set(command)
    try:
        yield
    finally:
        _RUNNING.reset(before)
    if folder is not None and folder.is_dir():
        for job in () if stays else command.jobs:
            job.remove()
        (folder / _COMMAND).unlink(missing_ok=True)
        _remove_empty(folder)


def is_keeping() -> bool:
    """Return whether a command around keeps the parts of its jobs."""
    return _RUNNING.get() is not None


def identity(*values: Any) -> dict[str, Any]:
    """Return a hash of values, and the versions that matter, for a plan."""
    from joblib import hash as hashed

    return {
        "values": hashed(values),
        "versions": {
            "pycompare": __version__,
            **{name: version(name) for name in ("numpy", "scipy")},
        },
    }


class Unfinished:
    """The finished parts of one job: a folder with a file for each.

    A folder that is given is begun at once. One within that of the command around is
    begun when the command has taken a minute; until then the parts stay in memory.

    Parameters
    ----------
    plan : callable
        Returns all that the results depend on, plain values; called if there is a
        folder.
    what : str
        The job, in the singular.
    keep : path, optional
        The given folder. Default: one within that of the command, if it has one.
    names : sequence of str, optional
        Of the parts; by default their numbers.

    Raises
    ------
    InputError
        If the given folder is of another job or of something else.
    """

    def __init__(
        self,
        plan: Callable[[], Mapping[str, Any]],
        *,
        what: str,
        keep: str | os.PathLike[str] | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.what, self.names = what, names
        self.folder = None if keep is None else Path(keep)
        self._command = command = _RUNNING.get()
        self._waiting: dict[int, Any] = {}
        self._begun: Path | None = None
        if keep is None and (command is None or command.folder is None):
            return
        self.plan = plan()
        self._text = json.dumps(self.plan, sort_keys=True)
        if self.folder is None and command and command.folder:
            subject = json.dumps([what, self._text]).encode()
            own = f"{what}-{hashlib.sha256(subject).hexdigest()[:16]}"
            self.folder = command.folder / own
            command.jobs.append(self)
        if self.folder and (keep or self._is_due or (self.folder / _PLAN).exists()):
            self._begin(self.folder)

    @property
    def _is_due(self) -> bool:
        return self._command is not None and self._command.is_due

    def _begin(self, folder: Path) -> None:
        """Write the plan, or check it."""
        begin(folder, self.plan, name=_PLAN, what=self.what)
        if self._command is not None:
            self._command.note()
        self._begun = folder

    def done(self, count: int) -> dict[int, Any]:
        """Return the parts that are done; one that is not as written is not."""
        if (folder := self._begun) is None:
            return {}
        parts = {}
        for number in range(count):
            content = _unsealed(*self._file(folder, number))
            if content is not None:
                parts[number] = _from_bytes(content)
        return parts

    def keep(self, key: int, result: Any) -> None:
        """Keep a part: its file is whole, or it is not there."""
        if self.folder is None:
            return
        self._waiting[key] = result
        if not self._begun and self._is_due:
            self._begin(self.folder)
        if self._begun is not None:
            for number in list(self._waiting):
                content = _to_bytes(self._waiting.pop(number))
                _seal(*self._file(self._begun, number), content)

    def remove(self) -> None:
        """Remove the kept files: the job is over. Files of others stay.

        The plan goes last, so that leftovers of a killed run are recognised.
        """
        if self.folder is None or not self.folder.is_dir():
            return
        remove_strays(self.folder)
        for path in [*self.folder.glob(f"*{_ENDING}"), self.folder / _PLAN]:
            if not path.is_dir():
                path.unlink(missing_ok=True)
        _remove_empty(self.folder)
        self._begun = None

    def _file(self, folder: Path, number: int) -> tuple[Path, str]:
        """Return the file of a part, and its subject."""
        name = f"{number:06}" if self.names is None else self.names[number]
        return folder / f"{name}{_ENDING}", f"part {name} of {self._text}"


def _remove_empty(folder: Path) -> None:
    with suppress(OSError):  # files of others
        folder.rmdir()


def _to_bytes(result: Any) -> bytes:
    """Return plain values and arrays within each other as JSON, then the arrays."""
    import numpy as np

    arrays: list[Any] = []

    def told(value: Any) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        arrays.append(np.asarray(value))
        return {_ARRAY: len(arrays) - 1}

    stream = io.BytesIO()
    stream.write(json.dumps(result, default=told).encode("ascii") + b"\n")
    for array in arrays:
        np.save(stream, array, allow_pickle=False)
    return stream.getvalue()


def _from_bytes(content: bytes) -> Any:
    import numpy as np

    stream = io.BytesIO(content)
    text = stream.readline()
    arrays = []
    while stream.tell() < len(content):
        arrays.append(np.load(stream, allow_pickle=False))
    return json.loads(
        text, object_hook=lambda x: arrays[x[_ARRAY]] if _ARRAY in x else x
    )


def _seal(path: Path, of: str, content: bytes) -> None:
    whole = _digest(of, content) + content
    write_whole(path, lambda aside: aside.write_bytes(whole))


def _unsealed(path: Path, of: str) -> bytes | None:
    """Return the content of a file; None if it was written for something else."""
    try:
        digest, content = (held := path.read_bytes())[:_HASH], held[_HASH:]
    except OSError:
        return None
    return content if digest == _digest(of, content) else None


def _digest(of: str, content: bytes) -> bytes:
    name = hashlib.sha256(of.encode("utf-8", "surrogateescape")).digest()
    return hashlib.sha256(name + content).digest()


def begin(folder: Path, plan: Mapping[str, Any], *, name: str, what: str) -> None:
    """Write the plan of a run, or check that the folder was begun with the same one.

    Parameters
    ----------
    folder : Path
    plan : mapping
        Plain values: all that the results depend on.
    name : str
        Of the file with the plan.
    what : str
        Contents of the folder, in the singular.

    Raises
    ------
    InputError
        If the folder holds something else, or another plan.
    """
    path = folder / name
    if path.exists():
        try:
            before = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            raise InputError(
                f"{name} is damaged, so it is unknown which {what} folder "
                f"{show(str(folder))} holds; give a new folder"
            ) from None
        # Through JSON, as the earlier one went.
        changed = list(_differences(before, json.loads(json.dumps(plan)), ()))
        if changed:
            more = f" and {len(changed) - 9} more" if len(changed) > 9 else ""
            raise InputError(
                f"folder {show(str(folder))} holds {_a(what)} with another plan; "
                f"changed: {', '.join(map(repr, changed[:9]))}{more}; give a new "
                "folder, or the plan as it was"
            )
        return
    # A killed run may have left the beginning of its plan.
    foreign = folder.exists() and any(
        not held.name.startswith(f".{name}") for held in folder.iterdir()
    )
    if foreign:
        raise InputError(
            f"folder {show(str(folder))} is not empty and holds no {what} (no "
            f"{name}); give a new folder"
        )
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(plan, indent=1) + "\n"
    write_whole(path, lambda aside: aside.write_text(text, encoding="utf-8"))


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _differences(before: Any, now: Any, at: tuple[str, ...]) -> list[str]:
    """Name the places where two plans differ, as deep as both are tables."""
    if not (isinstance(before, dict) and isinstance(now, dict)):
        return [] if before == now else [" / ".join(at)]
    places = []
    for name in dict.fromkeys([*before, *now]):
        places += _differences(before.get(name), now.get(name), (*at, name))
    return places


def command_of(folder: Path) -> tuple[list[str], Path]:
    """Return the command line that goes on with a folder, and where it was called.

    Raises
    ------
    InputError
        If the folder has none.
    """
    try:
        stored = json.loads((folder / _COMMAND).read_text(encoding="utf-8"))
        words, place = stored["words"], Path(stored["folder"])
        if not all(isinstance(word, str) for word in words):
            raise TypeError
        if words[:1] == ["resume"]:  # without an end
            raise ValueError
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            f"folder {show(str(folder))} holds no unfinished command (no {_COMMAND}, "
            "or a damaged one); give the folder that --keep named, or OUT.unfinished"
        ) from error
    return words, place
