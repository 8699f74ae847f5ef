"""Who does tasks, and how they get them: processes, a cluster, joblib's workers."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import AbstractContextManager, nullcontext
from itertools import islice
from typing import Any

from pycompare.base.parallel.cluster import Cluster, WorkersLost, scheduler_lost
from pycompare.base.parallel.place import WorkPlace
from pycompare.base.parallel.worker import (
    Function,
    Job,
    TaskOutcome,
    begin_process,
    inside_task,
    run_task,
    software,
)

STRIKES = 3
"""Times in a row that workers may die before anything is done."""
_AHEAD = 64
"""Tasks under way at least: workers may come later."""
_IDLE = 20.0
"""Seconds without a task after which a process ends: it may be nobody's."""
_MAPPED = 2**16
"""Bytes from which joblib writes constants once for all processes of this machine."""


class Feed:
    """The tasks of a round in the order of their keys, given out until ``stopped``.

    ``taken`` counts the results that have been used.
    """

    def __init__(self, calls: Sequence[tuple[int, Any]], unused: int) -> None:
        self.calls, self.unused, self.count = calls, unused, len(calls)
        self.stopped, self.given, self.taken = False, 0, 0

    def __iter__(self) -> Iterator[tuple[int, Any]]:
        """Give out tasks, unless too many results wait unused."""
        for call in self.calls:
            if self.stopped or self.given - self.taken > self.unused:
                return
            self.given += 1
            yield call


class Crew:
    """Workers of joblib: processes of this machine, or as the caller has chosen.

    Parameters
    ----------
    module : str, optional
        Other code that tasks need.
    workers : int, optional
        Processes; None: as joblib is configured, perhaps on other machines.
    """

    def __init__(self, module: str = "", workers: int | None = None) -> None:
        self.module, self.workers, self.deaths = module, workers, 0
        self.software = None if workers else software(module)
        self.ahead = 2 * workers if workers else _AHEAD
        self.seconds: dict[str, tuple[int, float]] = {}

    def outcomes(self, job: Job, packed: Any, feed: Feed) -> Generator[TaskOutcome]:
        """Let joblib do the tasks of a feed."""
        from joblib import Parallel, delayed, parallel_config

        how: dict[str, Any] = {}
        own: AbstractContextManager[Any] = nullcontext()
        if self.workers:
            how["n_jobs"] = max(2, min(self.workers, feed.count))  # 1 is no worker
            own = parallel_config(
                "loky",
                inner_max_num_threads=1,
                idle_worker_timeout=_IDLE,
                initializer=begin_process,
                initargs=job.process,
            )
        with own:  # not while results are used: it would hold there, too
            parallel = Parallel(
                return_as="generator_unordered",
                pre_dispatch=self.ahead,
                max_nbytes=_MAPPED,
                **how,
            )
        task = delayed(run_task)
        outcomes = parallel(task(job, packed, key, item) for key, item in feed)
        try:
            for outcome in outcomes:  # "yield from" would close them, warnings and all
                if outcome.is_of_place:
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
        self.deaths += isinstance(error, BrokenExecutor)
        return isinstance(error, BrokenExecutor)

    def notes(self, outcome: TaskOutcome) -> tuple[str, ...]:
        """Return how many workers there are, and the slowest of several hosts."""
        count, spent = self.seconds.get(outcome.host, (0, 0.0))
        self.seconds[outcome.host] = count + 1, spent + outcome.seconds
        mean = {host: spent / n for host, (n, spent) in self.seconds.items()}
        slowest = max(mean, key=lambda host: mean[host])
        told = (f"slowest: {slowest} ({mean[slowest]:.1f} s each)",) * (len(mean) > 1)
        return (*self.summary(), *told)

    def summary(self) -> tuple[str, ...]:
        """Return how many workers there are, if that is known."""
        lost = f", {self.deaths} lost" if self.deaths else ""
        return (f"{self.workers} workers{lost}",) if self.workers else ()


class _OnCluster(Crew):
    """Workers of a dask.distributed scheduler.

    Not by joblib's dask: it never returns when a worker's error is none of the task,
    and a cluster of one thread it leaves for this process.
    """

    def __init__(self, cluster: Cluster, module: str) -> None:
        super().__init__(module)
        self.cluster = cluster

    def outcomes(self, job: Job, packed: Any, feed: Feed) -> Generator[TaskOutcome]:
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
                future = cluster.submit(_run_there, job, constants, key, item)
                calls[future] = key, item
                done.add(future)

        submit(islice(ahead, max(_AHEAD, 4 * cluster.threads())))
        for future, result in done:
            call = calls.pop(future)
            if future.cancelled():  # its result is an error that nobody raises
                raise result
            if future.status == "error":
                raise result[1]
            outcome, worker = result
            if outcome.is_of_place:
                cluster.leave_out(worker, outcome.error)
                submit([call])
                continue
            more = max(_AHEAD, 4 * cluster.threads()) - len(calls)
            submit(islice(ahead, max(1, more)))
            yield outcome

    def survives(self, error: Exception) -> bool:
        """Return whether the scheduler is still there, and workers that can work."""
        from concurrent.futures import CancelledError

        from distributed import KilledWorker

        if self.cluster.is_lost:
            raise scheduler_lost(self.cluster.name) from error
        if isinstance(error, KilledWorker):
            raise workers_lost() from error
        # Constants are lost with all workers that had them.
        return isinstance(error, CancelledError)

    def summary(self) -> tuple[str, ...]:
        """Return how many workers take part."""
        return (self.cluster.summary(),)


def _run_there(*call: Any) -> tuple[TaskOutcome, str]:
    """Do a task; return the worker's address, too."""
    from distributed import get_worker

    return run_task(*call), str(get_worker().address)


def crew_of(
    place: WorkPlace, function: Function, count: int, nested: bool
) -> Crew | None:
    """Return who does so many tasks; None: the first process, without workers."""
    alone = nested or place.workers is not None
    # The number first: who has workers is known to joblib, whose import takes time.
    if count <= (1 if alone else 0) or inside_task() or not place.several:
        return None
    module = getattr(function, "__module__", "") or ""
    foreign = "" if module.partition(".")[0] in ("pycompare", "__main__") else module
    if place.scheduler is not None:
        return _OnCluster(place.connected(), foreign)
    if place.workers is not None:
        place.processes = True
        return Crew(workers=place.workers)
    return Crew(foreign)


def workers_lost() -> WorkersLost:
    """Return the error of workers that die again and again."""
    return WorkersLost(
        f"workers died {STRIKES} times before anything was done; is the memory "
        "enough? (fewer workers need less)"
    )
