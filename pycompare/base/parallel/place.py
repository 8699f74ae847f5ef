"""The place of tasks: one process, several, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from pycompare.base.errors import InputError, setting
from pycompare.base.parallel.cluster import Cluster
from pycompare.base.parallel.progress import Say, discard, heard_by, reader_of_notices


@dataclass
class WorkPlace:
    """The place of tasks.

    Attributes
    ----------
    workers : int or None
        Processes of this machine; None: as ``joblib.parallel_config`` is set, or one.
    scheduler : str, path, dask client or None
    """

    workers: int | None = None
    scheduler: Any = None
    cluster: Cluster | None = field(default=None, repr=False)
    processes: bool = False

    @property
    def several(self) -> bool:
        """Whether there are workers, or more than one process."""
        if self.scheduler is not None:
            return True
        if self.workers is not None:
            return self.workers > 1
        from joblib import effective_n_jobs

        return int(effective_n_jobs(None)) > 1

    def connected(self) -> Cluster:
        """Return the cluster; the first time connect to it."""
        if self.cluster is None:
            self.cluster = Cluster(self.scheduler, reader_of_notices())
        return self.cluster

    def leave(self) -> None:
        """End the processes, and leave the cluster."""
        if self.processes:
            _end_processes()
        if self.cluster is not None:
            self.cluster.close()


_PLACE: ContextVar[WorkPlace | None] = ContextVar("place", default=None)


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
        If both several workers and a scheduler are asked for, or it is none.
    """
    if workers is not None and workers < 1:
        raise InputError(setting("workers", workers) + ": give 1 or more")
    if scheduler is not None and workers not in (None, 1):
        raise InputError(
            "the scheduler has its own workers: leave "
            + setting("workers", workers)
            + " out"
        )
    if not (
        isinstance(scheduler, str | PathLike | None) or hasattr(scheduler, "submit")
    ):
        raise InputError(
            setting("scheduler", scheduler)
            + ": give an address, a scheduler file, 'env' or a dask client"
        )
    outer, asked = _PLACE.get(), (workers, scheduler)
    with heard_by(say):
        if outer and asked in ((None, None), (outer.workers, outer.scheduler)):
            yield
            return
        place = WorkPlace(workers, scheduler)
        before = _PLACE.set(place)
        try:
            yield
        finally:
            _PLACE.reset(before)
            place.leave()


def _end_processes() -> None:
    """End joblib's processes, which would wait for more work for minutes."""
    from joblib.externals.loky import get_reusable_executor

    executor = get_reusable_executor(reuse=True)
    if hasattr(executor, "terminate"):  # joblib's: removes the files of constants, too
        executor.terminate(kill_workers=True)
    else:  # joblib has ended its own after an error, and this is a new one
        executor.shutdown(wait=True, kill_workers=True)


def cores() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def is_placed() -> bool:
    """Return whether a caller has chosen who does tasks."""
    place = current_place()
    return place.workers is not None or place.several


def elsewhere() -> bool:
    """Return whether tasks may be done on other machines, which may see other files."""
    place = current_place()
    return place.workers is None and place.several


def current_place() -> WorkPlace:
    """Return where the present code has its tasks done."""
    return _PLACE.get() or WorkPlace()
