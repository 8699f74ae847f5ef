"""R as a witness: calls of the reference functions, in a process of their own.

R is never loaded into this process. ``quit()``, a crash and an endless loop in R end
the worker only, and each becomes a ``ReferenceUnavailable`` that says what happened.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pycompare.base.errors import ReferenceUnavailable
from pycompare.base.interop.r_call import RCall
from pycompare.base.interop.rscript import reference_source
from pycompare.base.interop.values import r_vector
from pycompare.reporting.evidence.cross_check import end_group

_WORKER = Path(__file__).with_name("r_worker.py")
PACKAGES = (
    "car",
    "clubSandwich",
    "coin",
    "emmeans",
    "lme4",
    "lmerTest",
    "multcomp",
    "nlme",
    "pROC",
    "partitions",
    "pbkrtest",
    "psych",
    "psychotools",
    "rrcov",
    "vegan",
)
"""The R packages beside base R that the reference functions use."""


def run(
    calls: Sequence[RCall], *, timeout: float = 120.0, worker: Worker | None = None
) -> list[dict[str, Any]]:
    """Call reference functions in one R process.

    Parameters
    ----------
    calls : sequence of RCall
    timeout : float
        Seconds for all of them together; then the process is killed.
    worker : Worker, optional
        A process that has answered other requests; by default a new one.

    Returns
    -------
    list of dict
        One per call: name -> float, or list of float where R has several numbers (a
        matrix column by column). R's NA and NaN are NaN. If R warned, ``_warnings``
        holds the texts.

    Raises
    ------
    ReferenceUnavailable
        If rpy2, R or an R package is missing, R stops with an error, crashes, ends
        without an answer or takes too long; the message says which.
    InputError
        If an argument cannot be handed to R.
    """
    names = ", ".join(dict.fromkeys(call.function for call in calls))
    found: list[dict[str, Any]] = _ask(request_of(calls), timeout, names, worker)
    return found


def run_source(
    source: str, *, timeout: float = 120.0, worker: Worker | None = None
) -> dict[str, Any]:
    """Evaluate R code that ends with a named list of numbers, such as ``r_code()``.

    Only for code that pycompare wrote: it is run as it stands.

    Returns
    -------
    dict
        As one element of `run`.

    Raises
    ------
    ReferenceUnavailable
        As `run`; also if the code does not end with such a list.
    """
    request = {"task": "source", "source": source}
    found: dict[str, Any] = _ask(request, timeout, "R code", worker)
    return found


def versions(*, timeout: float = 60.0) -> dict[str, str | None]:
    """Return the versions of R, rpy2 and the R packages in use; None if missing.

    Raises
    ------
    ReferenceUnavailable
        If there is no R or no rpy2.
    """
    request = {"task": "versions", "packages": PACKAGES}
    found: dict[str, str | None] = _ask(request, timeout, "versions")
    return found


def request_of(calls: Sequence[RCall]) -> dict[str, Any]:
    """Return the request for calls, in plain values."""
    stems = dict.fromkeys(stem for call in calls for stem in call.files)
    return {
        "task": "calls",
        "sources": [reference_source(stem) for stem in stems],
        "calls": [
            {
                "function": call.function,
                "arguments": {
                    k: asdict(r_vector(a)) for k, a in call.arguments.items()
                },
            }
            for call in calls
        ],
    }


def _ask(
    request: Mapping[str, Any], timeout: float, what: str, worker: Worker | None = None
) -> Any:
    """Send a request to a worker, by default one of its own; return the answer."""
    if worker is not None:
        return worker.ask(request, timeout, what)
    with Worker() as worker:
        return worker.ask(request, timeout, what)


class Worker:
    """An R process that answers requests one after another until it is closed.

    Whatever ends the process (a crash, ``quit()``, no answer in time) is the failure of
    the request in hand; the next request starts a new process.
    """

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.answered = 0
        """Requests that the present process has answered."""

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def ask(self, request: Mapping[str, Any], timeout: float, what: str) -> Any:
        """Send a request and return the answer.

        Raises
        ------
        ReferenceUnavailable
            As `run`.
        """
        deadline = time.monotonic() + timeout
        if self.process is None:
            self.start()
        line = json.dumps(request).encode() + b"\n"
        try:
            reply = self.exchange(line, deadline)
        except TimeoutError:
            self.close()
            raise ReferenceUnavailable(
                f"{what}: R gave no answer within {timeout:g} s"
            ) from None
        try:
            answer = json.loads(reply)
        except ValueError:
            raise ReferenceUnavailable(f"{what}: {self.post_mortem()}") from None
        self.answered += 1
        if "failed" in answer:
            raise ReferenceUnavailable(answer["failed"])
        return answer["answer"]

    def start(self) -> None:
        """Start the process."""
        self.stderr = tempfile.TemporaryFile()
        ours, theirs = os.pipe()
        self.replies = open(ours, "rb", buffering=0)
        with open(theirs, "wb"):  # closed here once the worker has it
            self.process = subprocess.Popen(
                [sys.executable, "-P", str(_WORKER), str(theirs)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=self.stderr,
                pass_fds=(theirs,),
                env=_environment(),
                start_new_session=True,
            )
        assert self.process.stdin is not None
        os.set_blocking(self.process.stdin.fileno(), False)

    def exchange(self, line: bytes, deadline: float) -> bytes:
        """Write a line and return the reply; less than a line if the process ended.

        Raises
        ------
        TimeoutError
            If the deadline passed.
        """
        assert self.process is not None and self.process.stdin is not None
        stdin, reply = self.process.stdin.fileno(), b""
        while not reply.endswith(b"\n"):
            left = deadline - time.monotonic()
            writing = [stdin] if line else []
            readable, writable, _ = select.select(
                [self.replies], writing, [], max(left, 0.0)
            )
            if not readable and not writable:
                raise TimeoutError
            if readable:
                part = self.replies.read(1 << 16)
                if not part:
                    break
                reply += part
            if writable:
                try:
                    line = line[os.write(stdin, line) :]
                except BrokenPipeError:
                    line = b""  # it has ended; what it replied is still to be read
        return reply

    def post_mortem(self) -> str:
        """Close the process, which ended by itself; say how."""
        assert self.process is not None
        try:
            status = self.process.wait(timeout=5.0)
            how = _silence(status)
        except subprocess.TimeoutExpired:
            how = "the R process closed its pipe without an answer"
        self.stderr.seek(0)
        last_words = self.stderr.read().decode(errors="replace").strip()[-500:]
        self.close()
        return f"{how}: {last_words}" if last_words else how

    def close(self) -> None:
        """Kill the process and everything it started; the next request starts anew."""
        process, self.process, self.answered = self.process, None, 0
        if process is None:
            return
        end_group(process)
        process.wait()
        assert process.stdin is not None
        for stream in (process.stdin, self.replies, self.stderr):
            stream.close()


def _environment() -> dict[str, str]:
    """Return the worker's environment: locale, messages, one thread, no compiler."""
    return {
        **os.environ,
        "LC_ALL": "C.UTF-8",
        "LANGUAGE": "en",
        # Several workers share the cores: each has one thread for linear algebra.
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        # A function is called a few times: compiling it first takes twice as long.
        "R_ENABLE_JIT": "0",
    }


def _silence(status: int) -> str:
    """Say what an end without an answer means."""
    if status < 0:
        return f"R crashed ({signal.Signals(-status).name})"
    if status == 0:
        return "R ended without an answer, as after quit()"
    return f"the R process ended with status {status} and without an answer"
