"""Run the checks on several R processes at once; go on where an ended run stopped."""

from __future__ import annotations

import os
import platform
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import Any

from pycompare import __version__
from pycompare.base.errors import ReferenceUnavailable
from pycompare.base.interop.r_call import RCall

from . import r
from .agreement import (
    AGREES,
    NOT_VERIFIED,
    Agreement,
    Case,
    Check,
    Row,
    compared,
    unverified,
)
from .finished import Finished

SECONDS, CHECK_SECONDS = 900.0, 120.0
LIBRARIES = ("numpy", "scipy", "pandas", "statsmodels", "pingouin")
QUICK_CASES = 1


def run(
    checks: Sequence[Check],
    *,
    quick: bool = False,
    workers: int | None = None,
    seconds: float = SECONDS,
    check_seconds: float = CHECK_SECONDS,
    unfinished: Path | None = None,
    tell: Callable[[str], None] | None = None,
) -> Agreement:
    """Compare the numbers of all checks with their references.

    A failure of R, whatever its kind, becomes a row that says "not verified". What does
    not agree in a process that has answered other checks is asked again in a new one,
    and that answer counts: no check depends on another.

    Parameters
    ----------
    checks : sequence of Check
    quick : bool, default False
        Only the first case of each check.
    workers : int, optional
        R processes at a time; by default one for each core.
    seconds, check_seconds : float
        Limits of the whole run and of one check.
    unfinished : Path, optional
        A folder for the checks that are done, so that an ended run can go on.
    tell : callable, optional
        Gets a line for each check that is done.

    Returns
    -------
    Agreement
    """
    start, date = time.monotonic(), datetime.now().astimezone()
    of_r, no_r = r_versions()
    versions = software() | of_r
    running = Running(
        limit=start + seconds,
        whole=seconds,
        check_seconds=check_seconds,
        no_r=no_r,
        finished=None if unfinished is None else Finished(unfinished, versions),
        tally=Tally(len(checks), tell, start),
    )
    with signals_end_the_run(), running.threads(workers or cores()) as threads:
        done = [running.begin(check, quick, threads) for check in checks]
        rows = [row for each in done for row in each.result()]
    spent = time.monotonic() - start
    return Agreement(
        tuple(rows), versions, spent, date.isoformat(timespec="seconds"), quick
    )


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else 2


def software() -> dict[str, Any]:
    """Return the versions of everything but R, and the kind of machine."""
    return {
        "pycompare": __version__,
        "Python": platform.python_version(),
        **{name: installed(name) for name in LIBRARIES},
        "platform": platform.platform(),
    }


def installed(library: str) -> str | None:
    """Return the version of a library, None if it is missing."""
    try:
        return version(library)
    except PackageNotFoundError:
        return None


def r_versions() -> tuple[dict[str, Any], str]:
    """Return the versions of R and its packages, and why there are none."""
    try:
        return r.versions(), ""
    except ReferenceUnavailable as error:
        return {"R": None}, str(error)


@contextmanager
def signals_end_the_run() -> Iterator[None]:
    """Turn SIGTERM into an exit, which ends the R processes on its way out."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def leave(number: int, _: Any) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@dataclass
class Tally:
    """Counts checks that are done, and tells how much time is left."""

    total: int
    tell: Callable[[str], None] | None
    start: float
    done: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def step(self, statistic: str) -> None:
        """Count one more check."""
        with self.lock:
            self.done += 1
            if self.tell is not None:
                self.tell(f"[{self.done}/{self.total}] {statistic}{self.left()}")

    def left(self) -> str:
        """Say how long the rest takes, if it goes on as it went."""
        rest = self.total - self.done
        spent = time.monotonic() - self.start
        return f" (about {spent / self.done * rest:.0f} s left)" if rest else ""


@dataclass
class Running:
    """One run: its limits, its R processes, and what it has finished.

    Attributes
    ----------
    limit : float
        The end of the whole run on the monotonic clock.
    whole, check_seconds : float
        The limits of the whole run and of a check, in seconds.
    no_r : str
        Why there is no R; empty if there is.
    """

    limit: float
    whole: float
    check_seconds: float
    no_r: str
    finished: Finished | None
    tally: Tally
    stopped: threading.Event = field(default_factory=threading.Event)
    workers: list[r.Worker] = field(default_factory=list)
    own: threading.local = field(default_factory=threading.local)

    @contextmanager
    def threads(self, count: int) -> Iterator[ThreadPoolExecutor]:
        """Yield threads, each with an R process of its own; end the processes."""
        pool = ThreadPoolExecutor(count, initializer=self.open_worker)
        try:
            yield pool
        finally:
            self.stopped.set()
            for worker in list(self.workers):
                worker.kill()
            pool.shutdown(cancel_futures=True)
            for worker in self.workers:
                worker.close()

    def open_worker(self) -> None:
        """Give the present thread an R process."""
        self.own.worker = r.Worker()
        self.workers.append(self.own.worker)

    def begin(
        self, check: Check, quick: bool, threads: ThreadPoolExecutor
    ) -> Future[list[Row]]:
        """Make the cases of a check, here and now; let a thread ask R.

        Our own numbers are computed in one thread: not everything that Python's
        libraries do may be done in several.
        """
        try:
            self.require_time()
            cases = list(islice(check.cases(), QUICK_CASES if quick else None))
        except ReferenceUnavailable as error:
            return self.over(check, [unverified(check, "*", "*", str(error))])
        except Exception as error:  # whatever goes wrong in our code fails the check
            reason = f"{type(error).__name__} in our own code: {error}"
            return self.over(check, [unverified(check, "*", "*", reason)])
        if not cases:
            reason = "the check has no cases"
            return self.over(check, [unverified(check, "*", "*", reason)])
        if any(not isinstance(case.call, RCall) for case in cases):
            return self.over(check, asked_in_python(check, cases))
        if self.no_r:
            return self.over(check, unanswered(check, cases, self.no_r))
        return threads.submit(self.finish, check, cases)

    def over(self, check: Check, rows: list[Row]) -> Future[list[Row]]:
        """Return rows that are there already as what a thread would return."""
        future: Future[list[Row]] = Future()
        future.set_result(rows)
        self.tally.step(check.statistic)
        return future

    def finish(self, check: Check, cases: list[Case]) -> list[Row]:
        """Return the rows of a check, kept from an earlier run or asked now."""
        key = "" if self.finished is None else self.finished.key(check, cases)
        rows = self.finished.rows(key) if self.finished is not None else None
        if rows is None:
            rows = self.asked(check, cases)
            verified = all(row.verdict != NOT_VERIFIED for row in rows)
            if self.finished is not None and verified:
                self.finished.keep(key, rows)
        self.tally.step(check.statistic)
        return rows

    def asked(self, check: Check, cases: list[Case]) -> list[Row]:
        """Ask this thread's R process; a new one again, if they do not agree."""
        worker: r.Worker = self.own.worker
        used = worker.answered > 0
        rows = self.answered(check, cases, worker)
        if (
            used
            and not self.stopped.is_set()
            and any(r.verdict != AGREES for r in rows)
        ):
            worker.close()
            rows = self.answered(check, cases, worker)
        return rows

    def answered(self, check: Check, cases: list[Case], worker: r.Worker) -> list[Row]:
        """Return the rows of a check as one R process answers it."""
        calls = [case.call for case in cases if isinstance(case.call, RCall)]
        try:
            timeout = min(self.check_seconds, self.require_time())
            answers = r.run(calls, timeout=timeout, worker=worker)
        except ReferenceUnavailable as error:
            return unanswered(check, cases, str(error))
        pairs = zip(cases, answers, strict=True)
        return [row for case, answer in pairs for row in compared(check, case, answer)]

    def require_time(self) -> float:
        """Return the seconds that the whole run has left.

        Raises
        ------
        ReferenceUnavailable
            If there are none, or the run is being ended.
        """
        left = self.limit - time.monotonic()
        if left <= 0 or self.stopped.is_set():
            raise ReferenceUnavailable(
                f"the time limit of the whole run, {self.whole:g} s, was reached before"
            )
        return left


def unanswered(check: Check, cases: Sequence[Case], reason: str) -> list[Row]:
    """Return the rows of cases that the reference gave no answer for."""
    return [
        unverified(check, case.name, quantity, reason)
        for case in cases
        for quantity in case.ours
    ]


def asked_in_python(check: Check, cases: Sequence[Case]) -> list[Row]:
    """Return the rows of a check whose reference is a Python library."""
    rows: list[Row] = []
    for case in cases:
        assert not isinstance(case.call, RCall)
        try:
            with warnings.catch_warnings(action="ignore"):
                rows += compared(check, case, case.call())
        except Exception as error:  # a library may fail in any way
            reason = f"{check.reference}: {type(error).__name__}: {error}"
            rows += unanswered(check, [case], reason)
    return rows
