"""The folder of unfinished work: the finished parts of a job, so that it can go on."""

from __future__ import annotations

import hashlib
import io
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from pycompare.base.errors import InputError
from pycompare.base.labels import show
from pycompare.base.parallel import folder as owned
from pycompare.base.parallel.sealed import seal, unseal
from pycompare.base.parallel.whole_file import remove_strays, write_whole
from pycompare.base.version import __version__

_PLAN, _COMMAND = "_job.json", "_command.json"
_ENDING = ".done"
_AFTER = 60.0
"""Seconds of work from which a job keeps its parts without being asked."""


class PartForm(NamedTuple):
    """How results are written: to bytes, and back."""

    write: Callable[[Any], bytes]
    read: Callable[[bytes], Any]


def _to_json(result: Any) -> bytes:
    return json.dumps(result).encode("ascii")


def _to_arrays(result: Mapping[str, Any]) -> bytes:
    import numpy as np

    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **result)
    return stream.getvalue()


def _from_arrays(content: bytes) -> dict[str, Any]:
    import numpy as np

    with np.load(io.BytesIO(content), allow_pickle=False) as stored:
        return dict(stored)


JSON = PartForm(_to_json, json.loads)
ARRAYS = PartForm(_to_arrays, _from_arrays)
ARRAY = PartForm(
    lambda values: _to_arrays({"values": values}),
    lambda content: _from_arrays(content)["values"],
)


@dataclass
class _Command:
    """A command that may be interrupted, and the folder of its finished parts.

    Attributes
    ----------
    folder : Path or None
    asked : bool
        Whether the folder was given: else it is begun after a minute of work.
    words : tuple of str
        The command line that goes on with it.
    jobs : list of Unfinished
    """

    folder: Path | None
    asked: bool
    words: tuple[str, ...]
    jobs: list[Unfinished] = field(default_factory=list)


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
    command = _Command(folder, asked, tuple(words))
    before = _RUNNING.set(command)
    try:
        yield
    finally:
        _RUNNING.reset(before)
    if folder is not None and folder.is_dir():
        for job in command.jobs if not stays else ():
            job.remove()
        (folder / _COMMAND).unlink(missing_ok=True)
        if not any(folder.iterdir()):
            folder.rmdir()


def is_keeping() -> bool:
    """Return whether a command around keeps the parts of its jobs."""
    return _RUNNING.get() is not None


def identity(*values: Any) -> dict[str, Any]:
    """Return what stands for values in a plan, and the versions that matter."""
    from joblib import hash as hashed

    return {
        "values": hashed(values),
        "versions": {
            "pycompare": __version__,
            **{name: version(name) for name in ("numpy", "scipy")},
        },
    }


class Unfinished:
    """A folder with a file for each finished part of one job.

    A folder that is given is begun at once. One that nobody asked for is begun when
    the work has taken a minute; until then the parts stay in memory.

    Parameters
    ----------
    folder : Path or None
        None: nothing is kept.
    plan : mapping
        Plain values: all that the results depend on.
    what : str
        The job, in the singular.
    form : PartForm
        How a result is written.
    names : sequence of str, optional
        Of the parts; by default their numbers.
    asked : bool, default True
        Whether the folder was given.
    """

    def __init__(
        self,
        folder: Path | None,
        plan: Mapping[str, Any],
        *,
        what: str,
        form: PartForm,
        names: Sequence[str] | None = None,
        asked: bool = True,
    ) -> None:
        self.folder, self.plan, self.what, self.form = folder, plan, what, form
        self.names = names
        self._text = json.dumps(plan, sort_keys=True)
        self._start = time.monotonic()
        self._waiting: dict[int, Any] = {}
        self._begun = False
        if folder is not None and (asked or (folder / _PLAN).exists()):
            self._begin(folder)

    @classmethod
    def of_job(
        cls,
        plan: Callable[[], Mapping[str, Any]],
        *,
        what: str,
        form: PartForm,
        keep: str | os.PathLike[str] | None = None,
        names: Sequence[str] | None = None,
    ) -> Unfinished:
        """Return the folder of a job: the given one, or its own within the command's.

        Parameters
        ----------
        plan : callable
            Returns all that the results depend on; called if there is a folder.
        what, form, names
            As of the class.
        keep : path, optional
            The given folder.
        """
        if keep is not None:
            return cls(Path(keep), plan(), what=what, form=form, names=names)
        command = _RUNNING.get()
        if command is None or command.folder is None:
            return cls(None, {}, what=what, form=form, names=names)
        told = plan()
        text = json.dumps([what, told], sort_keys=True)
        own = f"{what}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        job = cls(
            command.folder / own,
            told,
            what=what,
            form=form,
            names=names,
            asked=command.asked,
        )
        command.jobs.append(job)
        return job

    def _begin(self, folder: Path) -> None:
        """Write the plan, or check it.

        Raises
        ------
        InputError
            If the folder is of another job or of something else.
        """
        owned.begin(folder, self.plan, name=_PLAN, what=self.what)
        command = _RUNNING.get()
        if command is not None and command.words:
            place = command.folder or folder
            stored = {"words": list(command.words), "folder": os.getcwd()}
            content = json.dumps(stored)
            write_whole(place / _COMMAND, lambda aside: aside.write_text(content))
        self._begun = True

    def done(self, count: int) -> dict[int, Any]:
        """Return the parts that are done; one that is not as written is not."""
        if not self._begun or self.folder is None:
            return {}
        parts = {}
        for number in range(count):
            content = unseal(self._path(number), self._of(number))
            if content is not None:
                parts[number] = self.form.read(content)
        return parts

    def keep(self, key: int, result: Any) -> None:
        """Keep a part: its file is whole, or it is not there."""
        if self.folder is None:
            return
        self._waiting[key] = result
        if not self._begun and time.monotonic() - self._start >= _AFTER:
            self._begin(self.folder)
        if self._begun:
            for number in list(self._waiting):
                content = self.form.write(self._waiting.pop(number))
                seal(self._path(number), self._of(number), content)

    def remove(self) -> None:
        """Remove the kept files: the job is over. What others put there stays.

        The plan goes last, so that leftovers of a killed run are recognised.
        """
        if not self._begun or self.folder is None:
            return
        remove_strays(self.folder)
        named = [self.folder / _COMMAND, self.folder / _PLAN]
        for path in [*self.folder.glob(f"*{_ENDING}"), *named]:
            if not path.is_dir():
                path.unlink(missing_ok=True)
        if not any(self.folder.iterdir()):
            self.folder.rmdir()
        self._begun = False

    def _name(self, number: int) -> str:
        return f"{number:06}" if self.names is None else self.names[number]

    def _of(self, number: int) -> str:
        return f"part {self._name(number)} of {self._text}"

    def _path(self, number: int) -> Path:
        assert self.folder is not None
        return self.folder / f"{self._name(number)}{_ENDING}"


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
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            f"folder {show(str(folder))} holds no unfinished command (no {_COMMAND}, "
            "or a damaged one); give the folder that --keep named, or OUT.unfinished"
        ) from error
    return words, place
