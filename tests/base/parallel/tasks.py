"""Tasks for workers, in a module that is imported as quickly as a worker starts."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from pycompare.base.errors import InputError


def square(number: int) -> int:
    return number * number


def threads(task: object) -> int:
    import numpy as np
    from threadpoolctl import threadpool_info

    np.ones((2, 2)) @ np.ones((2, 2))
    return max((pool["num_threads"] for pool in threadpool_info()), default=1)


def die(task: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def refuse(task: object) -> None:
    raise InputError("bad")


def touch(path: Path) -> None:
    path.touch()


def slow(number: int) -> int:
    time.sleep(0.01)
    return number


def pid_of(task: object) -> int:
    return os.getpid()
