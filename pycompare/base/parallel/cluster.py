"""A dask.distributed cluster: its client, which workers take part, and who is lost."""

from __future__ import annotations

import json
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pycompare.base.errors import InputError, PyCompareError, setting
from pycompare.base.parallel.progress import Say
from pycompare.base.parallel.worker import PlaceError, differences, differs, software

PATIENCE = 30.0
"""Seconds until a scheduler has to answer."""
_REMIND = 30.0
"""Seconds between two lines about a cluster without workers."""
_LOOK = 2.0
"""Seconds between two looks at the workers."""
_ADDRESS = "DASK_SCHEDULER_ADDRESS"


class WorkersLost(PyCompareError, RuntimeError):
    """Workers died again and again, or the scheduler that leads them is gone."""


def address_of(scheduler: str) -> str:
    """Return the address that is meant: itself, in a scheduler file, or in ``env``.

    Raises
    ------
    InputError
    """
    if scheduler == "env":
        address = os.environ.get(_ADDRESS)
        if not address:
            raise InputError(
                setting("scheduler", scheduler)
                + f": the environment has no {_ADDRESS}; set it, or give the address"
            )
        return address
    if "://" in scheduler or not (Path(scheduler).exists() or "/" in scheduler):
        return scheduler
    try:
        return str(json.loads(Path(scheduler).read_text(encoding="utf-8"))["address"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            setting("scheduler", scheduler)
            + ": is no scheduler file, as dask scheduler --scheduler-file writes it"
        ) from error


def _within(seconds: float, call: Callable[[], Any]) -> Any:
    """Return what a call returns, unless it takes longer.

    Raises
    ------
    TimeoutError
    """
    results: list[Any] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise TimeoutError(f"no answer within {seconds:g} s")
    return results[0]


@contextmanager
def _without_log(*names: str) -> Iterator[None]:
    """Keep a library from printing tracebacks of errors that we report."""
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


class Cluster:
    """The workers of a scheduler that take part.

    Attributes
    ----------
    name : str
        The scheduler's address.
    left_out : dict of str to PlaceError
        Addresses of workers that do not take part, and why.
    """

    def __init__(self, scheduler: Any, tell: Say) -> None:
        self.tell = tell
        self.left_out: dict[str, PlaceError] = {}
        self.workers: dict[str, int] = {}
        self.lost: set[str] = set()
        self._seen: set[str] = set()
        self._module = ""
        self._ended = threading.Event()
        self._reminded = -_REMIND
        self._turn = threading.Lock()
        self.client, self._own = _client_of(scheduler)
        self.name = str(self.client.scheduler.address)
        threading.Thread(target=self._watch, daemon=True).start()

    def close(self) -> None:
        """Leave the cluster."""
        self._ended.set()
        if self._own:
            with _without_log("distributed.client"):
                self.client.close(timeout=2)

    @property
    def is_lost(self) -> bool:
        """Whether the scheduler is gone."""
        return self.client.status != "running"

    def taking_part(self) -> list[str]:
        """Return the addresses of the workers that may work."""
        return [name for name in list(self.workers) if name not in self.left_out]

    def threads(self) -> int:
        """Return how many threads the workers have that may work."""
        return sum(self.workers.get(name, 0) for name in self.taking_part())

    def gather(self, module: str) -> None:
        """Wait for workers and check them.

        Raises
        ------
        PlaceError
            If no worker can take part.
        WorkersLost
            If the scheduler is gone.
        """
        self._module = module
        self._look()
        while not self.workers:
            self._remind()
            time.sleep(0.2)
            self._look()
        self.require_some()

    def submit(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Give a task to the workers that may work.

        If all of these are lost, others try: each task checks its worker.

        Raises
        ------
        PlaceError
            If no worker can take part.
        """
        only: dict[str, Any] = {}
        if self.left_out:
            self.require_some()
            if names := self.taking_part():
                only = {"workers": names, "allow_other_workers": True}
        return self.client.submit(function, *arguments, pure=False, **only)

    def require_some(self) -> None:
        """Raise why no worker can take part, if all are left out."""
        if self.workers and not self.taking_part():
            self._look()
        if self.workers and not self.taking_part():
            raise next(self.left_out[name] for name in self.workers)

    def leave_out(self, worker: str, why: PlaceError) -> None:
        """Let a worker take no further part."""
        if worker not in self.left_out:
            self.left_out[worker] = why
            self.tell(f"{why.message} (it takes no part)")

    def summary(self) -> str:
        """Return how many workers there are, and how many were lost."""
        count = len(self.taking_part())
        lost = f", {len(self.lost)} lost" if self.lost else ""
        return f"{count} worker{'s' * (count != 1)}{lost}"

    def _watch(self) -> None:
        """Look at the workers again and again, until the end."""
        while not self._ended.wait(_LOOK):
            try:
                if self._module:
                    self._look()
                    self._remind()
            except Exception:  # the work itself notices a scheduler that is gone
                return

    def _look(self) -> None:
        """Learn which workers there are, and check new ones."""
        with self._turn:
            try:
                now: dict[str, int] = dict(_within(PATIENCE, self.client.nthreads))
            except (OSError, TimeoutError, RuntimeError) as error:
                raise scheduler_lost(self.name) from error
            gone = self._seen - set(now) - self.lost
            if gone and not self._ended.is_set():
                self.lost |= gone
                self.tell("a worker was lost; its tasks are done elsewhere")
            new = [name for name in now if name not in self._seen]
            self._seen |= set(now)
            if new:
                self._check(new)
            self.workers = now

    def _check(self, workers: list[str]) -> None:
        """Leave out workers whose software differs or is unknown."""

        def ask() -> Any:
            return self.client.run(
                software, self._module, workers=workers, on_error="return"
            )

        try:
            answers = _within(PATIENCE, ask)
        except TimeoutError:
            return  # each task checks its worker again
        wanted = software(self._module)
        for worker, here in answers.items():
            host = worker.partition("://")[2].rpartition(":")[0]
            if isinstance(here, BaseException):
                if not isinstance(here, OSError):  # which has gone meanwhile
                    told = f"{type(here).__name__}: {here}"
                    self.leave_out(worker, differs(host, told))
            elif told := differences(wanted, here):
                self.leave_out(worker, differs(host, told))

    def _remind(self) -> None:
        """Report that there are no workers, not too often."""
        now = time.monotonic()
        if not self.workers and now - self._reminded > _REMIND:
            self._reminded = now
            self.tell(f"0 workers at {self.name}; waiting (Ctrl-C ends)")


def scheduler_lost(name: str) -> WorkersLost:
    """Return the error of a scheduler that is gone."""
    return WorkersLost(
        f"the scheduler at {name} was lost; start it and run this again "
        "(parts kept in a folder are not done again)"
    )


def _client_of(scheduler: Any) -> tuple[Any, bool]:
    """Return the client of a scheduler, and whether it is ours to close."""
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(
            "a scheduler needs dask.distributed: pip install distributed"
        ) from error
    if isinstance(scheduler, Client):
        return scheduler, False
    address = address_of(os.fspath(scheduler))

    def connect() -> Any:
        return Client(address, timeout=PATIENCE, set_as_default=False)

    try:
        with _without_log("distributed.client", "distributed.comm"):
            return _within(PATIENCE + 1, connect), True
    except (OSError, ValueError) as error:
        raise InputError(f"no scheduler answers at {address}: {error}") from error
