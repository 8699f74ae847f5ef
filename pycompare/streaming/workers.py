"""Portions of work on several processes or machines; a lost worker loses nothing.

A portion is a pure function of its arguments, so it can be repeated anywhere and gives
the same bits. loky ends all work when a worker is killed; here only what was not yet
done is given to new workers. A dask scheduler does the same by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from pycompare.errors import InputError, PyCompareError, setting

_STRIKES = 3
"""Times in a row that workers may die before anything is done."""


PATIENCE = 30
"""Seconds to wait for a scheduler."""


class WorkersLost(PyCompareError, RuntimeError):
    """Workers died again and again."""


def results(
    function: Callable[[Any], Any],
    tasks: Mapping[int, Any],
    *,
    workers: int = 1,
    scheduler: str | None = None,
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

    Raises
    ------
    WorkersLost
        If workers died three times in a row before any task was done.
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
            yield key, function(task)
    else:
        yield from _on_processes(function, dict(tasks), workers)


def _on_processes(
    function: Callable[[Any], Any], waiting: dict[int, Any], workers: int
) -> Iterator[tuple[int, Any]]:
    """Work in processes of this machine; start new ones when one is killed."""
    strikes = 0
    while waiting:
        before = len(waiting)
        try:
            for key, result in _one_pool(function, waiting, workers):
                del waiting[key]
                yield key, result
        except BrokenProcessPool as error:
            strikes = 0 if len(waiting) < before else strikes + 1
            if strikes == _STRIKES:
                raise WorkersLost(
                    f"workers died {_STRIKES} times before anything was done; is the "
                    "memory enough? (fewer workers need less)"
                ) from error


def _one_pool(
    function: Callable[[Any], Any], waiting: Mapping[int, Any], workers: int
) -> Iterator[tuple[int, Any]]:
    """Work until all is done, or a worker dies."""
    from concurrent.futures import as_completed

    from joblib.externals.loky import ProcessPoolExecutor

    with ProcessPoolExecutor(max_workers=min(workers, len(waiting))) as pool:
        keys = {pool.submit(function, task): key for key, task in waiting.items()}
        try:
            for future in as_completed(list(keys)):
                yield keys[future], future.result()
        finally:
            for future in keys:
                future.cancel()


def _on_scheduler(
    function: Callable[[Any], Any], tasks: Mapping[int, Any], address: str
) -> Iterator[tuple[int, Any]]:
    """Work on a dask.distributed scheduler."""
    try:
        from dask.distributed import Client, as_completed
    except ImportError as error:
        raise InputError(
            "a scheduler needs dask.distributed: pip install distributed"
        ) from error
    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(f"no scheduler answers at {address}: {error}") from error
    with client:
        futures = {
            client.submit(function, task, pure=False): key
            for key, task in tasks.items()
        }
        done = as_completed(list(futures), with_results=True, loop=client.loop)
        for future, result in done:
            yield futures[future], result
