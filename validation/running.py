"""Run the checks, each with R in a process of its own; interrupted runs resume."""

from __future__ import annotations

import platform
import signal
import socket
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import Any

from pycompare import __version__
from pycompare.base.errors import ReferenceUnavailable
from pycompare.base.interop.r_call import RCall
from pycompare.base.interop.rscript import reference_folder
from pycompare.base.parallel import worker
from pycompare.base.parallel.tasks import tasks
from pycompare.base.parallel.unfinished import Unfinished

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

SECONDS, CHECK_SECONDS = 900.0, 120.0
LIBRARIES = ("numpy", "scipy", "pandas", "statsmodels", "pingouin")
QUICK_CASES = 1
_R = r.Worker()
"""R of this process; each request starts it if need be."""


PlainRows = list[dict[str, Any]]
"""Rows, each field by name."""


class Verified(Unfinished):
    """Finished checks; one without an answer is not finished."""

    def keep(self, key: int, result: Any) -> None:
        """Keep the rows of a check if the reference has answered."""
        if all(row["verdict"] != NOT_VERIFIED for row in result):
            super().keep(key, result)


def run(
    checks: Sequence[Check],
    *,
    quick: bool = False,
    seconds: float = SECONDS,
    check_seconds: float = CHECK_SECONDS,
    only: tuple[str, ...] = (),
    task: Callable[[Mapping[str, Any], int], PlainRows] | None = None,
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
    seconds, check_seconds : float
        Limits of the whole run and of one check.
    only : tuple of str
        The words by which the checks were chosen, for ``task``.
    task : callable, optional
        Does what `plain_rows` does with a check, by its number: for workers that have
        no module of this name.

    Returns
    -------
    Agreement
    """
    start, date = time.monotonic(), datetime.now().astimezone()
    versions, no_r = here()
    terms = {
        "no_r": no_r,
        "quick": quick,
        "only": only,
        "end": time.time() + seconds,
        "seconds": seconds,
        "check_seconds": check_seconds,
        "versions": versions,
        "host": socket.gethostname(),
    }

    def plan() -> dict[str, Any]:
        names = [check.statistic for check in checks]
        return {"versions": versions, "quick": quick, "checks": names}

    def own(terms: Mapping[str, Any], number: int) -> PlainRows:
        return plain_rows(checks[number], terms)

    kept = Verified(plan, what="validation")
    numbers = range(len(checks))
    with signals_end_the_run():
        try:
            of_checks = tasks(task or own, terms, numbers, what="checks", kept=kept)
            rows = [Row(**row) for of_check in of_checks for row in of_check]
        finally:
            _R.close()
    spent = time.monotonic() - start
    shown = {name: value for name, value in versions.items() if name not in _HASHES}
    return Agreement(
        tuple(rows), shown, spent, date.isoformat(timespec="seconds"), quick
    )


_HASHES = ("checks", "R functions", "pycompare's code")


def here() -> tuple[dict[str, Any], str]:
    """Return all that rows depend on, on this machine, and why there is no R."""
    folders = (Path(__file__).parent, "*.py"), (reference_folder(), "*.R")
    hashes = [worker.sources(*folder) for folder in folders]
    own = worker.software()["pycompare"]
    values = zip(_HASHES, (*hashes, own), strict=True)
    of_r, no_r = r_versions()
    return software() | of_r | dict(values), no_r


def plain_rows(check: Check, terms: Mapping[str, Any]) -> PlainRows:
    """Return what `rows_of` returns, as plain values."""
    return [asdict(row) for row in rows_of(check, terms)]


def rows_of(check: Check, terms: Mapping[str, Any]) -> list[Row]:
    """Return the rows of a check.

    Raises
    ------
    PlaceError
        If this machine has other software, such as another version of R.
    """
    if terms["host"] != socket.gethostname():
        told = worker.differences(terms["versions"], _here_once()[0])
        if told:
            raise worker.differs(socket.gethostname(), told)
    try:
        require_time(terms)
        cases = list(islice(check.cases(), QUICK_CASES if terms["quick"] else None))
    except ReferenceUnavailable as error:
        return [unverified(check, "*", "*", str(error))]
    except Exception as error:  # whatever goes wrong in our code fails the check
        reason = f"{type(error).__name__} in our own code: {error}"
        return [unverified(check, "*", "*", reason)]
    if not cases:
        return [unverified(check, "*", "*", "the check has no cases")]
    if any(not isinstance(case.call, RCall) for case in cases):
        return asked_in_python(check, cases)
    if terms["no_r"]:
        return unanswered(check, cases, terms["no_r"])
    return asked(check, cases, terms)


_here_once = cache(here)


def asked(check: Check, cases: list[Case], terms: Mapping[str, Any]) -> list[Row]:
    """Ask R; a new process again, if they do not agree."""
    used = _R.answered > 0
    rows = answered(check, cases, terms)
    if used and any(row.verdict != AGREES for row in rows):
        _R.close()
        rows = answered(check, cases, terms)
    return rows


def answered(check: Check, cases: list[Case], terms: Mapping[str, Any]) -> list[Row]:
    """Return the rows of a check as one R process answers it."""
    calls = [case.call for case in cases if isinstance(case.call, RCall)]
    try:
        timeout = min(terms["check_seconds"], require_time(terms))
        answers = r.run(calls, timeout=timeout, worker=_R)
    except ReferenceUnavailable as error:
        return unanswered(check, cases, str(error))
    pairs = zip(cases, answers, strict=True)
    return [row for case, answer in pairs for row in compared(check, case, answer)]


def require_time(terms: Mapping[str, Any]) -> float:
    """Return the seconds that the whole run has left.

    Raises
    ------
    ReferenceUnavailable
        If there are none.
    """
    left: float = terms["end"] - time.time()
    if left <= 0:
        raise ReferenceUnavailable(
            f"the time limit of the whole run, {terms['seconds']:g} s, was reached "
            "before"
        )
    return left


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
    """Turn SIGTERM into an exit, which ends R on the way out."""
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
