"""What runs on a worker: its check, one task at a time, and where an error arose.

A worker that has other software than the process that began the work would give other
numbers, so it is checked before it unpacks anything. Errors of a place (no such file
here, another file under this path) are apart from errors of the work: another place may
do it.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import platform
import signal
import socket
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from contextvars import ContextVar
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from pycompare.base.errors import PyCompareError
from pycompare.base.labels import readable

_LIBRARIES = ("numpy", "scipy", "pandas", "pyarrow", "scikit-learn")
_THREADS = tuple(f"{name}_NUM_THREADS" for name in ("OMP", "OPENBLAS", "MKL"))
_LOOK = 1.0
"""Seconds between two looks whether the first process is still there."""
_END = 2**16
"""Bytes at the end of a file that are hashed; of Parquet all metadata."""

Function = Callable[[Any, Any], Any]


class PlaceError(PyCompareError, RuntimeError):
    """An error of a place, not of the work: another place may do it."""


class WorkerCannotRead(PlaceError):
    """A file cannot be read on a worker, or another one has its name there.

    Attributes
    ----------
    host, path : str
    """

    host = path = ""


class Job(NamedTuple):
    """What a worker knows of a job before it unpacks its function and constants.

    Attributes
    ----------
    token : str
        Names the function and the constants, which are unpacked once.
    process : (str, int)
        Host and process that began the job.
    software : dict of str, or None
        What a worker must have; None on the same machine.
    module : str
        Of the function, if it is no part of pycompare.
    """

    token: str
    process: tuple[str, int]
    software: dict[str, str] | None
    module: str


class TaskOutcome(NamedTuple):
    """The outcome of one task, which an error of its place sends elsewhere."""

    key: int
    value: Any
    error: Exception | None = None
    is_of_place: bool = False
    host: str = ""
    seconds: float = 0.0


class FileState(NamedTuple):
    """A file as the first process read it, to know it again elsewhere.

    Attributes
    ----------
    path : str
    size : int
    end : str
        SHA-256 of its end; of Parquet that is all metadata.
    """

    path: str
    size: int
    end: str

    @classmethod
    def of(cls, path: str) -> FileState:
        """Read the state of a file."""
        with open(path, "rb") as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - 8))
            tail = stream.read(8)
            end = _END
            if tail[4:] == b"PAR1":
                end = int.from_bytes(tail[:4], "little") + 8
            stream.seek(max(0, size - end))
            return cls(path, size, hashlib.sha256(stream.read(end)).hexdigest())

    def require(self) -> None:
        """Check that the same file is here.

        Raises
        ------
        WorkerCannotRead
        """
        here = FileState.of(self.path)
        if here != self:
            sizes = f"{here.size} bytes, not {self.size}"
            why = "its end differs" if here.size == self.size else sizes
            raise _cannot_read(self.path, f"another file is there ({why})")


def _cannot_read(path: str, why: str) -> WorkerCannotRead:
    host = socket.gethostname()
    error = WorkerCannotRead(
        f"worker on {host}: {readable(path)}: {why}; a worker needs the same files "
        "under the same path"
    )
    error.host, error.path = host, path
    return error


@cache
def software(module: str = "") -> dict[str, str]:
    """Return all that the numbers of a job depend on, by name.

    Parameters
    ----------
    module : str, optional
        Another module whose code is part of the job.
    """
    return {
        "Python": platform.python_version(),
        "machine": platform.machine(),
        **{name: _version_of(name) for name in _LIBRARIES},
        "BLAS": _blas(),
        "pycompare": sources(Path(__file__).parents[2], "*.py"),
        **({module: _source_of(module)} if module else {}),
    }


def _version_of(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:
        return "missing"


def _blas() -> str:
    """Return the libraries of linear algebra of NumPy and SciPy."""
    import numpy as np
    import scipy

    built = (lib.show_config(mode="dicts") for lib in (np, scipy))
    libraries = (config["Build Dependencies"]["blas"] for config in built)
    return ", ".join(f"{blas['name']} {blas['version']}" for blas in libraries)


def sources(root: Path, pattern: str) -> str:
    """Return a hash of all code in a folder."""
    digest = hashlib.sha256()
    for path in sorted(root.rglob(pattern)):
        digest.update(path.relative_to(root).as_posix().encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _source_of(module: str) -> str:
    """Return a hash of a module that is no part of pycompare."""
    try:
        spec = find_spec(module)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        return "missing"
    source = Path(spec.origin or "")
    return (
        hashlib.sha256(source.read_bytes()).hexdigest()[:16] if source.is_file() else ""
    )


def differences(wanted: Mapping[str, str], here: Mapping[str, str]) -> str:
    """Return in words what a worker has other than the first process; empty: nothing.

    Hashes of code differ without a name for the difference.
    """
    told = []
    for name, value in wanted.items():
        other = here.get(name, "missing")
        if other != value:
            is_code = name == "pycompare" or "." in name
            both = "its code differs" if is_code else f"{other}, not {value}"
            told.append(f"{name}: {both}")
    return "; ".join(told)


# ---- tasks ---------------------------------------------------------------------------

_TURN = threading.Lock()
"""A worker with several threads does one of our tasks at a time: warnings that are
caught, and the threads of linear algebra, belong to the whole process."""
_INSIDE: ContextVar[bool] = ContextVar("inside", default=False)
_FEW: ContextVar[bool] = ContextVar("few", default=False)
"""Whether a task of the first process has the threads of its tasks limited already."""
_UNPACKED: dict[str, tuple[Function, Any]] = {}
_PREPARED: set[int] = set()


def inside_task() -> bool:
    """Return whether a worker does the present code: tasks of its own stay there."""
    return _INSIDE.get()


def run_task(job: Job, packed: Any, key: int, item: Any) -> TaskOutcome:
    """Do one task of a job, here: of ``packed`` function and constants, on an item."""
    with _TURN:
        outside = _INSIDE.set(True)
        start = time.perf_counter()
        value, error = None, None
        try:
            value = _value_of(job, packed, item)
        except Exception as problem:
            error = _sendable(problem)
        spent = time.perf_counter() - start
        _INSIDE.reset(outside)
        is_of_place = job.software is not None and isinstance(
            error, PlaceError | OSError
        )
        if is_of_place and isinstance(error, OSError):
            why = os.strerror(error.errno) if error.errno else str(error)
            error = _cannot_read(os.fsdecode(error.filename or "a file"), why)
        host = socket.gethostname()
        return TaskOutcome(key, value, error, is_of_place, host, spent)


def _value_of(job: Job, packed: Any, item: Any) -> Any:
    if job.software is not None:
        told = differences(job.software, software(job.module))
        if told:
            raise differs(socket.gethostname(), told)
    own = job.process != (socket.gethostname(), os.getpid())
    if own:
        _prepare_process(*job.process)
    function, constants = _unpacked(job.token, packed, limit=own)
    if own:
        return function(constants, item)
    return run_here(function, constants, item)


def differs(host: str, told: str) -> PlaceError:
    """Return the error of a worker with other software."""
    return PlaceError(
        f"worker on {host} has other software, so its numbers may differ: {told}; "
        "install the same there"
    )


def _unpacked(token: str, packed: Any, *, limit: bool) -> tuple[Function, Any]:
    """Return function and constants; the last job's stay until the next one.

    ``limit``: the process belongs to the workers, and libraries that were loaded so
    far get one thread for the rest of it.
    """
    if token not in _UNPACKED:
        _UNPACKED.clear()
        _UNPACKED[token] = pickle.loads(memoryview(packed))
        if limit:
            _few_threads()
    return _UNPACKED[token]


def begin_process(host: str, parent: int) -> None:
    """Prepare a worker before its first task; end it if its parent is gone by then."""
    is_child = host == socket.gethostname() and os.name == "posix"
    if is_child and os.getppid() != parent:
        os._exit(1)
    _prepare_process(host, parent)


def _prepare_process(host: str, parent: int) -> None:
    """Prepare a worker process, once.

    Libraries that are loaded from now on have one thread. Ctrl-C, which reaches all
    processes of a terminal, is left to the first process. A child ends when that one
    is killed; it would wait for ever.

    Parameters
    ----------
    host, parent
        Of the first process.
    """
    if _PREPARED:
        return
    _PREPARED.add(os.getpid())
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    if host == socket.gethostname() and os.getppid() == parent:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        threading.Thread(target=_end_without, args=(parent,), daemon=True).start()


def _end_without(parent: int) -> None:
    """End this process when its parent is gone."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)


def _few_threads() -> Any:
    """Limit linear algebra to one thread: sums depend on their number."""
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1)


def run_here(function: Function, constants: Any, item: Any) -> Any:
    """Do one task in the first process, whose threads come back after it."""
    with nullcontext() if _FEW.get() or _INSIDE.get() else _few_threads():
        outside = _FEW.set(True)
        try:
            return function(constants, item)
        finally:
            _FEW.reset(outside)


def _sendable(error: Exception) -> Exception:
    """Return an error that can go to another process; of a fault also its place."""
    if not isinstance(error, PyCompareError):
        error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever an error of another library does not survive
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
