"""Tasks for workers, in a module that is imported as quickly as a worker starts."""

from __future__ import annotations

import os
import signal
import time
import warnings
from pathlib import Path

from pycompare.base.errors import InputError
from pycompare.base.parallel.worker import FileState


def square(constants: int, number: int) -> int:
    return constants + number * number


def length(constants: object, key: object) -> int:
    return len(constants)


def threads(constants: object, key: object) -> int:
    import numpy as np
    from threadpoolctl import threadpool_info

    np.ones((2, 2)) @ np.ones((2, 2))
    return max((pool["num_threads"] for pool in threadpool_info()), default=1)


def caught(constants: object, key: int) -> tuple[list[str], int]:
    """Return the warnings of this task, and the threads of linear algebra after it."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for _ in range(20):
            warnings.warn(str(key), stacklevel=1)
            time.sleep(0.001)
    return sorted({str(each.message) for each in told}), threads(None, key)


def die(constants: object, key: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def die_once(constants: str, key: int) -> int:
    """Kill the first process that comes here."""
    try:
        Path(constants).touch(exist_ok=False)
    except FileExistsError:
        return key
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(constants: object, key: int) -> int:
    if key % 2:
        raise InputError(f"bad {key}")
    return key


def fault(constants: object, key: int) -> None:
    raise ZeroDivisionError(key)


def touch(constants: object, path: Path) -> None:
    path.touch()


def within(constants: object, key: int) -> list[int]:
    """Do tasks of its own within a task."""
    from pycompare.base.parallel.tasks import tasks

    return list(tasks(square, 0, range(key)))


def slow(constants: object, number: int) -> int:
    time.sleep(0.01)
    return number


def pid_of(constants: object, key: object) -> int:
    return os.getpid()


def checked_size(state: FileState, key: object) -> int:
    state.require()
    return len(Path(state.path).read_bytes())
