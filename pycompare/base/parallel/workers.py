"""Tasks on several processes or machines; a lost worker loses nothing.

A task is a pure function of its arguments, so it can be repeated anywhere and gives the
same bits: it computes with one thread, because sums depend on their number. loky ends
all work when a worker is killed; here only unfinished work is given to new
workers. A dask scheduler does the same separately. Few tasks are under way at a time,
so the memory does not grow with their number.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from itertools import islice
from typing import Any

from pycompare.base.errors import InputError, PyCompareError, setting
from pycompare.base.parallel.progress import discard

_STRIKES = 3
"""Times in a row that workers may die before anything is done."""
_IN_QUEUE = 2
"""Tasks under way for each process of this machine.

No more than loky hands on at once, so that all are begun soon (``_all_begun``).
"""
_AHEAD = 4
"""Tasks under way for each thread of a scheduler."""
_MOST_AHEAD = 16
"""Tasks under way at least on a scheduler, whose workers may come later."""
_HANDED_ON = 1.0
"""Seconds at most until loky has handed on the tasks; often milliseconds."""
_LOOK = 1.0
"""Seconds between two looks whether the first process is still there."""
PATIENCE = 30
"""Seconds to wait for a scheduler."""

Function = Callable[[Any], Any]
Say = Callable[[str], None]


class WorkersLost(PyCompareError, RuntimeError):
    """Workers died again and again, or the scheduler that leads them is gone."""


def results(
    function: Function,
    tasks: Mapping[int, Any],
    *,
    workers: int = 1,
    scheduler: str | None = None,
    say: Say | None = None,
) -> Iterator[tuple[int, Any]]:
    """Yield (key, result) of each task, in any order.

    Parameters
    ----------
    function : callable
        Importable by name; the same arguments give the same result.
    tasks : mapping of int to argument
    workers : int, default 1
        Processes of this machine; 1 works in this process.
    scheduler : str, optional
        Address of a dask.distributed scheduler, such as ``tcp://host:8786``.
    say : callable, optional
        Gets a line when a worker died.

    Raises
    ------
    WorkersLost
        If workers died three times in a row before any task was done, or the scheduler
        is gone.
    InputError
        If both several workers and a scheduler are asked for, or dask is missing.
    """
    if workers < 1:
        raise InputError(setting("workers", workers) + ": give 1 or more")
    if scheduler is not None:
        if workers != 1:
            raise InputError(
                "the scheduler has its own workers: leave "
                + setting("workers")
                + " out"
            )
        yield from _on_scheduler(function, tasks, scheduler)
    elif workers == 1:
        for key, task in tasks.items():
            yield key, _with_one_thread(function, task)
    else:
        yield from _on_processes(function, dict(tasks), workers, say or discard)


def _with_one_thread(function: Function, task: Any) -> Any:
    """Do one task with one thread of linear algebra."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        return function(task)


def _on_processes(
    function: Function, waiting: dict[int, Any], workers: int, say: Say
) -> Iterator[tuple[int, Any]]:
    """Work in processes of this machine; start new ones when one is killed."""
    strikes = 0
    while waiting:
        before = len(waiting)
        try:
            for key, result in _one_pool(function, waiting, workers):
                del waiting[key]
                yield key, result
        except BrokenExecutor as error:
            strikes = 0 if len(waiting) < before else strikes + 1
            if strikes == _STRIKES:
                raise _lost() from error
            say(f"a worker died; going on with {len(waiting)}")


def _lost() -> WorkersLost:
    return WorkersLost(
        f"workers died {_STRIKES} times before anything was done; is the memory "
        "enough? (fewer workers need less)"
    )


def _one_pool(
    function: Function, waiting: Mapping[int, Any], workers: int
) -> Iterator[tuple[int, Any]]:
    """Work until all is done, or a worker dies."""
    from concurrent.futures import FIRST_COMPLETED, wait

    from joblib.externals.loky import ProcessPoolExecutor

    ahead = iter(list(waiting.items()))
    pool = ProcessPoolExecutor(
        max_workers=min(workers, len(waiting)),
        initializer=_begin,
        initargs=(os.getpid(),),
    )
    keys: dict[Future[Any], int] = {}

    def submit(count: int) -> None:
        for key, task in islice(ahead, count):
            keys[pool.submit(_with_one_thread, function, task)] = key

    try:
        submit(_IN_QUEUE * workers)
        while keys:
            done, _ = wait(keys, return_when=FIRST_COMPLETED)
            for future in done:
                key, result = keys.pop(future), future.result()
                yield key, result
                submit(1)
    except BaseException:
        _all_begun(keys)
        pool.shutdown(kill_workers=True)
        raise
    pool.shutdown()


def _all_begun(futures: Iterable[Future[Any]]) -> None:
    """Wait until the pool has handed on every task.

    Its thread drops all tasks when it ends its workers, and would look for those that
    it has not handed on yet: it would end in a KeyError.
    """
    end = time.monotonic() + _HANDED_ON
    while not all(future.running() or future.done() for future in futures):
        if time.monotonic() > end:
            return
        time.sleep(0.001)


def _begin(parent: int) -> None:
    """Prepare a worker.

    Ctrl-C, which reaches all processes of a terminal, is left to the first one. A
    worker ends when that one is killed; loky would let it wait for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_without, args=(parent,), daemon=True).start()


def _end_without(parent: int) -> None:
    """End this process when its parent is gone."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)


def _on_scheduler(
    function: Function, tasks: Mapping[int, Any], address: str
) -> Iterator[tuple[int, Any]]:
    """Work on a dask.distributed scheduler."""
    try:
        from dask.distributed import Client, as_completed
        from distributed.client import ClosedClientError
        from distributed.scheduler import KilledWorker
    except ImportError as error:
        raise InputError(
            "a scheduler needs dask.distributed: pip install distributed"
        ) from error
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"no scheduler answers at {address}: {error}") from error
    with _without_log("distributed.client"), client:
        ahead = iter(tasks.items())
        done = as_completed(with_results=True, loop=client.loop)
        keys: dict[Any, int] = {}

        def submit(count: int) -> None:
            for key, task in islice(ahead, count):
                future = client.submit(_with_one_thread, function, task, pure=False)
                keys[future] = key
                done.add(future)

        submit(max(_MOST_AHEAD, _AHEAD * sum(client.nthreads().values())))
        try:
            for future, result in done:
                if future.cancelled():  # its result is an error that nobody raises
                    raise _scheduler_lost(address)
                key = keys.pop(future)
                submit(1)
                yield key, result
        except KilledWorker as error:
            raise _lost() from error
        except ClosedClientError as error:
            raise _scheduler_lost(address) from error


def _scheduler_lost(address: str) -> WorkersLost:
    return WorkersLost(
        f"the scheduler at {address} was lost; start it and run this again "
        "(parts kept in a folder are not done again)"
    )


@contextmanager
def _without_log(name: str) -> Iterator[None]:
    """Keep a library from printing tracebacks of our own errors."""
    logger = logging.getLogger(name)
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)
