"""One function for all long work: on this process, several, or a cluster.

A task is a pure function of constants and its key, so it can be done anywhere, again,
and gives the same bits. joblib runs the tasks on this machine, or where the caller has
chosen with ``joblib.parallel_config``; a scheduler's workers get them directly. Here is
what both lack: a killed worker ends nothing, a worker with other software does nothing,
and results are kept by the first process and added in the order of the keys.
"""

from __future__ import annotations

import os
import pickle
import socket
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol
from uuid import uuid4

from pycompare.base.errors import InputError, PyCompareError, setting
from pycompare.base.parallel.cluster import Cluster, WorkersLost, scheduler_lost
from pycompare.base.parallel.progress import Progress, discard, on_stderr
from pycompare.base.parallel.worker import (
    Function,
    Job,
    Outcome,
    run_here,
    run_task,
    software,
)

_STRIKES = 3
"""Times in a row that workers may die before anything is done."""
_AHEAD = 64
"""Tasks under way at least: workers may come later."""
_UNUSED = 256
"""Results at most that wait to be used: memory does not grow with the tasks."""
_MAPPED = 2**16
"""Bytes from which joblib writes constants once for all processes of this machine."""

Say = Callable[[str], None]


class Kept(Protocol):
    """Where finished tasks are kept."""

    def done(self, count: int) -> dict[int, Any]:
        """Return the results of the tasks that an earlier run finished."""

    def keep(self, key: int, result: Any) -> None:
        """Keep one result."""


@dataclass
class Place:
    """Where tasks are done, and who hears of them.

    Attributes
    ----------
    workers : int or None
        Processes of this machine; None: as ``joblib.parallel_config`` says, or one.
    scheduler : str, path, dask client or None
    say, notice : callable
        Get lines of progress, and lines that everybody should read.
    """

    workers: int | None = None
    scheduler: Any = None
    say: Say = discard
    notice: Say | None = None
    cluster: Cluster | None = field(default=None, repr=False)
    processes: bool = False

    def tell(self, line: str) -> None:
        """Pass on what everybody should read."""
        if self.notice is not None:
            self.notice(line)
        elif self.say is not discard:
            self.say(line)
        else:
            on_stderr("pycompare")(line)

    def connected(self) -> Cluster:
        """Return the cluster; the first time connect to it."""
        if self.cluster is None:
            self.cluster = Cluster(self.scheduler, self.tell)
        return self.cluster


_PLACE: ContextVar[Place | None] = ContextVar("place", default=None)
_NOTICE: ContextVar[Say | None] = ContextVar("notice", default=None)


@contextmanager
def noticed_by(notice: Say) -> Iterator[None]:
    """Let somebody get the lines about workers that everybody should read."""
    before = _NOTICE.set(notice)
    try:
        yield
    finally:
        _NOTICE.reset(before)


@contextmanager
def working(
    workers: int | None = None, scheduler: Any = None, say: Say = discard
) -> Iterator[None]:
    """Let tasks in the body be done by processes or a cluster.

    Parameters
    ----------
    workers : int, optional
        Processes of this machine; 1 works in this process.
    scheduler : str, path or dask client, optional
        Address, scheduler file or ``env`` of a dask.distributed scheduler.
    say : callable, optional
        Gets lines of progress.

    Raises
    ------
    InputError
        If both several workers and a scheduler are asked for.
    """
    if workers is not None and workers < 1:
        raise InputError(setting("workers", workers) + ": give 1 or more")
    if scheduler is not None and workers not in (None, 1):
        raise InputError(
            "the scheduler has its own workers: leave "
            + setting("workers", workers)
            + " out"
        )
    outer = _PLACE.get()
    if outer is not None and workers is None and scheduler is None:
        workers, scheduler = outer.workers, outer.scheduler
    place = Place(workers, scheduler, say, _NOTICE.get())
    shared = outer is not None and outer.scheduler is scheduler
    if outer is not None and shared:
        place.cluster = outer.cluster
    before = _PLACE.set(place)
    try:
        yield
    finally:
        _PLACE.reset(before)
        if place.processes:
            _end_processes()
        if place.cluster is not None and not (
            outer is not None and outer.cluster is place.cluster
        ):
            place.cluster.close()


def _end_processes() -> None:
    """End joblib's processes, which would wait for more work for minutes."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor(reuse=True).shutdown(wait=True, kill_workers=True)


def is_placed() -> bool:
    """Return whether a caller has chosen who does tasks."""
    place = _PLACE.get() or Place()
    chosen = place.workers is not None or place.scheduler is not None
    return chosen or _callers_workers() != 1


def elsewhere() -> bool:
    """Return whether tasks may be done on other machines, which may see other files."""
    place = _PLACE.get() or Place()
    if place.scheduler is not None:
        return True
    return place.workers is None and _callers_workers() != 1


def tasks(
    function: Function,
    constants: Any,
    keys: Sequence[Any],
    *,
    what: str = "parts",
    kept: Kept | None = None,
    nested: bool = False,
) -> Iterator[Any]:
    """Yield ``function(constants, key)`` of each key, in the order of the keys.

    Parameters
    ----------
    function : callable
        Importable by name; the same arguments give the same result.
    constants : object
        Sent once to each worker.
    keys : sequence
        Small: one is sent with each task.
    what : str, default "parts"
        The tasks, in the plural, for lines of progress.
    kept : Kept, optional
        Where each result is kept as soon as it is there, and found again.
    nested : bool, default False
        Whether tasks have tasks of their own: a single one is then done here.

    Raises
    ------
    Exception
        What the first task raised that failed; those before it are kept.
    WorkersLost
        If workers died three times in a row before any task was done, or the scheduler
        is gone.
    PlaceError
        If no worker can take part.
    """
    place = _PLACE.get() or Place()
    progress = Progress(len(keys), what, place.say)
    waiting = dict(kept.done(len(keys))) if kept is not None else {}
    progress.resumed(len(waiting))
    todo = [key for key in range(len(keys)) if key not in waiting]
    crew = _crew(place, function, len(todo), nested)
    errors: dict[int, Exception] = {}
    due = 0
    outcomes = _done(place, crew, function, constants, keys, todo)
    with closing(outcomes):
        while due in waiting:
            yield waiting.pop(due)
            due += 1
        for outcome in outcomes:
            if outcome.error is not None:
                errors[outcome.key] = outcome.error
                continue
            if kept is not None:
                kept.keep(outcome.key, outcome.value)
            waiting[outcome.key] = outcome.value
            progress.step(*crew.notes(outcome))
            while due in waiting:
                yield waiting.pop(due)
                due += 1
    if errors:
        raise errors[min(errors)]


class _Feed:
    """The tasks of a round, given out in the order of their keys.

    Attributes
    ----------
    stopped : bool
        Nothing more is given out; what is under way comes to its end.
    taken : int
        Results that have been used.
    """

    def __init__(self, calls: Sequence[tuple[int, Any]], unused: int) -> None:
        self.calls, self.unused, self.count = calls, unused, len(calls)
        self.stopped, self.given, self.taken = False, 0, 0

    def __iter__(self) -> Iterator[tuple[int, Any]]:
        """Give out tasks until the feed is stopped, or results wait unused."""
        for call in self.calls:
            if self.stopped or self.given - self.taken > self.unused:
                return
            self.given += 1
            yield call


# ---- who works -----------------------------------------------------------------------


class _Here:
    """The first process alone."""

    def notes(self, outcome: Outcome) -> tuple[str, ...]:
        """Return what a line of progress adds."""
        return ()


class _Crew(_Here):
    """Workers of joblib, as the caller has chosen them."""

    ahead = _AHEAD
    software: dict[str, str] | None = None
    module = ""

    def __init__(self) -> None:
        self.seconds: dict[str, tuple[int, float]] = {}

    def config(self) -> AbstractContextManager[Any]:
        """Return the configuration of joblib."""
        return nullcontext()

    def jobs(self, count: int) -> int | None:
        """Return how many workers so many tasks need; None: as many as there are."""
        return None

    def outcomes(self, job: Job, packed: Any, feed: _Feed) -> Iterator[Outcome]:
        """Let joblib do the tasks of a feed."""
        from joblib import Parallel, delayed

        with self.config():  # not while results are used: it would hold there, too
            parallel = Parallel(
                n_jobs=self.jobs(feed.count),
                return_as="generator_unordered",
                pre_dispatch=self.ahead,
                max_nbytes=_MAPPED,
            )
        task = delayed(run_task)
        outcomes = parallel(task(job, packed, key, item) for key, item in feed)
        try:
            for outcome in outcomes:  # "yield from" would close them, warnings and all
                if outcome.refused:
                    raise outcome.error
                yield outcome
        finally:
            with warnings.catch_warnings(action="ignore"):  # that the rest is unused
                outcomes.close()

    def survives(self, error: Exception) -> bool:
        """Return whether the rest can be done after an error of the machinery.

        Raises
        ------
        WorkersLost
        """
        return isinstance(error, BrokenExecutor)

    def notes(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the slowest host, if there are several."""
        count, spent = self.seconds.get(outcome.host, (0, 0.0))
        self.seconds[outcome.host] = count + 1, spent + outcome.seconds
        if len(self.seconds) < 2:
            return ()
        mean = {host: spent / n for host, (n, spent) in self.seconds.items()}
        slowest = max(mean, key=lambda host: mean[host])
        return (f"slowest: {slowest} ({mean[slowest]:.1f} s each)",)


class _Callers(_Crew):
    """Workers that the caller has chosen with ``joblib.parallel_config``."""

    def __init__(self, module: str) -> None:
        super().__init__()
        self.software, self.module = software(module), module


class _Processes(_Crew):
    """Processes of this machine."""

    def __init__(self, workers: int) -> None:
        super().__init__()
        self.workers, self.ahead = workers, 2 * workers
        self.deaths = 0

    def config(self) -> AbstractContextManager[Any]:
        """Return the configuration of joblib."""
        from joblib import parallel_config

        chosen: AbstractContextManager[Any] = parallel_config(
            "loky", inner_max_num_threads=1
        )
        return chosen

    def jobs(self, count: int) -> int | None:
        """Return how many processes so many tasks need: one would be no worker."""
        return max(2, min(self.workers, count))

    def survives(self, error: Exception) -> bool:
        """Count a death."""
        self.deaths += isinstance(error, BrokenExecutor)
        return isinstance(error, BrokenExecutor)

    def notes(self, outcome: Outcome) -> tuple[str, ...]:
        """Return how many processes work, and how many died."""
        lost = f", {self.deaths} lost" if self.deaths else ""
        return (f"{self.workers} workers{lost}",)


class _OnCluster(_Crew):
    """Workers of a dask.distributed scheduler.

    Not by joblib's dask: it never returns when a worker's error is none of the task,
    and a cluster of one thread it leaves for this process.
    """

    def __init__(self, cluster: Cluster, module: str) -> None:
        super().__init__()
        self.cluster, self.module = cluster, module
        self.software = software(module)

    def outcomes(self, job: Job, packed: Any, feed: _Feed) -> Iterator[Outcome]:
        """Wait for workers, and let them do the tasks of a feed."""
        from distributed import as_completed

        cluster = self.cluster
        cluster.gather(self.module)
        constants = cluster.client.scatter(packed, broadcast=True, hash=False)
        done = as_completed(
            with_results=True, raise_errors=False, loop=cluster.client.loop
        )
        calls: dict[Any, tuple[int, Any]] = {}
        ahead = iter(feed)

        def submit(items: Iterable[tuple[int, Any]]) -> None:
            for key, item in items:
                future = cluster.submit(run_task, job, constants, key, item)
                calls[future] = key, item
                done.add(future)

        submit(islice(ahead, max(_AHEAD, 4 * cluster.threads())))
        for future, result in done:
            call = calls.pop(future)
            if future.cancelled():  # its result is an error that nobody raises
                raise result
            if future.status == "error":
                raise result[1]
            if result.refused:
                cluster.leave_out(result.worker, result.error)
                submit([call])
                continue
            more = max(_AHEAD, 4 * cluster.threads()) - len(calls)
            submit(islice(ahead, max(1, more)))
            yield result

    def survives(self, error: Exception) -> bool:
        """Return whether the scheduler is still there, and workers that can work."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        if self.cluster.is_lost:
            raise scheduler_lost(self.cluster.name) from error
        if isinstance(error, KilledWorker):
            raise _lost() from error
        # Constants are lost with all workers that had them.
        return isinstance(error, CancelledError)

    def notes(self, outcome: Outcome) -> tuple[str, ...]:
        """Return how many workers there are, and the slowest host."""
        return self.cluster.summary(), *super().notes(outcome)


def _crew(place: Place, function: Function, count: int, nested: bool) -> _Here:
    """Return who does so many tasks."""
    if not count or (nested and count == 1):
        return _Here()
    module = getattr(function, "__module__", "") or ""
    foreign = "" if module.partition(".")[0] in ("pycompare", "__main__") else module
    if place.scheduler is not None:
        return _OnCluster(place.connected(), foreign)
    if place.workers is not None:
        if place.workers == 1 or count == 1:
            return _Here()
        place.processes = True
        return _Processes(place.workers)
    return _Here() if _callers_workers() == 1 else _Callers(foreign)


def _callers_workers() -> int:
    """Return how many workers the caller has chosen with ``joblib.parallel_config``."""
    if "joblib" not in sys.modules:  # who never imported it has chosen nothing
        return 1
    from joblib import effective_n_jobs

    return int(effective_n_jobs(None))


# ---- rounds of work ------------------------------------------------------------------


def _done(
    place: Place,
    crew: _Here,
    function: Function,
    constants: Any,
    keys: Sequence[Any],
    todo: Sequence[int],
) -> Iterator[Outcome]:
    """Yield the outcome of each task, in any order; none of a task after an error."""
    if isinstance(crew, _Crew):
        packed = _packed(function, constants)
        process = socket.gethostname(), os.getpid()
        job = Job(uuid4().hex, process, crew.software, crew.module)
        yield from _by_crew(place, crew, job, packed, keys, todo)
        return
    for key in todo:
        value = run_here(function, constants, keys[key])
        yield Outcome(key, value, None, False, "", "", 0.0)


def _packed(function: Function, constants: Any) -> Any:
    """Return function and constants as bytes in an array, which joblib sends once."""
    import numpy as np
    from joblib import wrap_non_picklable_objects

    whole = wrap_non_picklable_objects((function, constants), keep_wrapper=False)
    return np.frombuffer(pickle.dumps(whole), np.uint8)


def _by_crew(
    place: Place,
    crew: _Crew,
    job: Job,
    packed: Any,
    keys: Sequence[Any],
    todo: Sequence[int],
) -> Iterator[Outcome]:
    """Yield outcomes; what is not done when a worker dies is given out again."""
    left, strikes, failed = dict.fromkeys(todo), 0, False
    while left and not failed:
        before = len(left)
        feed = _Feed([(key, keys[key]) for key in left], _UNUSED + crew.ahead)
        try:
            with closing(crew.outcomes(job, packed, feed)) as outcomes:
                for outcome in outcomes:
                    feed.taken += 1
                    failed = failed or outcome.error is not None
                    feed.stopped = failed
                    del left[outcome.key]
                    yield outcome
        except PyCompareError:
            raise
        except Exception as error:
            if not crew.survives(error):
                raise
            strikes = 0 if len(left) < before else strikes + 1
            if strikes == _STRIKES:
                raise _lost() from error
            place.tell(f"a worker died; going on with {len(left)}")


def _lost() -> WorkersLost:
    return WorkersLost(
        f"workers died {_STRIKES} times before anything was done; is the memory "
        "enough? (fewer workers need less)"
    )
