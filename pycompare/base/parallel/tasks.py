"""One function for all long work: on this process, several, or a cluster.

A task is a pure function of constants and its key, so it can be done anywhere, again,
and gives the same bits. joblib runs the tasks on this machine, or where the caller has
chosen with ``joblib.parallel_config``; a scheduler's workers get them directly.
Added here: a killed worker ends nothing, a worker with other software does nothing, and
results are kept by the first process and added in the order of the keys.
"""

from __future__ import annotations

import os
import pickle
import socket
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Any, Protocol
from uuid import uuid4

from pycompare.base.errors import PyCompareError
from pycompare.base.parallel.crews import STRIKES, Crew, Feed, crew_of, workers_lost
from pycompare.base.parallel.place import current_place
from pycompare.base.parallel.progress import Progress, discard, reader_of_notices
from pycompare.base.parallel.worker import Function, Job, TaskOutcome, run_here

_UNUSED = 256
"""Results at most that wait to be used: memory does not grow with the tasks."""


class Kept(Protocol):
    """The store of finished tasks."""

    def done(self, count: int) -> dict[int, Any]:
        """Return the results of the tasks that an earlier run finished."""

    def keep(self, key: int, result: Any) -> None:
        """Keep one result."""


def tasks(
    function: Function,
    constants: Any,
    keys: Sequence[Any],
    *,
    what: str | None = "parts",
    name: Callable[[Any], str] | None = None,
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
    what : str or None, default "parts"
        The tasks, in the plural, for lines of progress; None of such as are quick.
    name : callable, optional
        From a key to its name, for a line before each task that is done here.
    kept : Kept, optional
        Keeps each result as soon as it is there, and has those of earlier runs.
    nested : bool, default False
        Whether tasks have tasks of their own: a single one is then done here.

    Raises
    ------
    Exception
        That of the first task that failed; results before it are kept.
    WorkersLost
        If workers died three times in a row before any task was done, or the scheduler
        is gone.
    PlaceError
        If no worker can take part.
    """
    progress = Progress(len(keys), what or "", None if what else discard)
    waiting = dict(kept.done(len(keys))) if kept is not None else {}
    progress.resumed(len(waiting))
    todo = [key for key in range(len(keys)) if key not in waiting]
    crew = crew_of(current_place(), function, len(todo), nested)
    errors: dict[int, Exception] = {}
    due = 0

    def here() -> Generator[TaskOutcome]:
        for key in todo:
            if name is not None:
                progress.tell(name=name(keys[key]))
            yield TaskOutcome(key, run_here(function, constants, keys[key]))

    by_crew = crew and _by_crew(crew, function, constants, keys, todo)
    outcomes = by_crew or here()
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
            if crew is None and name is not None:
                progress.done += 1  # the next one's line says so
            else:
                progress.step(*(crew.notes(outcome) if crew else ()))
            while due in waiting:
                yield waiting.pop(due)
                due += 1
    if errors:
        raise errors[min(errors)]


def _packed(function: Function, constants: Any) -> Any:
    """Return function and constants as bytes in an array, which joblib sends once."""
    import numpy as np
    from joblib import wrap_non_picklable_objects

    whole = wrap_non_picklable_objects((function, constants), keep_wrapper=False)
    return np.frombuffer(pickle.dumps(whole), np.uint8)


def _by_crew(
    crew: Crew,
    function: Function,
    constants: Any,
    keys: Sequence[Any],
    todo: Sequence[int],
) -> Generator[TaskOutcome]:
    """Yield outcomes in any order, none of a task after an error.

    Unfinished tasks are given out again when a worker dies.
    """
    packed, process = _packed(function, constants), (socket.gethostname(), os.getpid())
    job = Job(uuid4().hex, process, crew.software, crew.module)
    left, strikes, failed = dict.fromkeys(todo), 0, False
    while left and not failed:
        before = len(left)
        feed = Feed([(key, keys[key]) for key in left], _UNUSED + crew.ahead)
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
            if strikes == STRIKES:
                raise workers_lost() from error
            reader_of_notices()(f"a worker died; going on with {len(left)}")
