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
from typing import IO, Any

from pycompare.errors import ReferenceUnavailable
from pycompare.interop.rscript import reference_source
from pycompare.interop.values import r_vector
from pycompare.results import RCall

WORKER = "pycompare.interop.r_worker"
PACKAGES = (
    "car",
    "coin",
    "emmeans",
    "multcomp",
    "pROC",
    "partitions",
    "psych",
    "rrcov",
    "vegan",
)
"""The R packages beside base R that the reference functions use."""


def run(calls: Sequence[RCall], *, timeout: float = 120.0) -> list[dict[str, Any]]:
    """Call reference functions in one R process.

    Parameters
    ----------
    calls : sequence of RCall
    timeout : float
        Seconds for all of them together; then the process is killed.

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
    stems = dict.fromkeys(stem for call in calls for stem in call.files)
    request = {
        "task": "calls",
        "sources": [reference_source(stem) for stem in stems],
        "calls": [request_of(call) for call in calls],
    }
    names = ", ".join(dict.fromkeys(call.function for call in calls))
    found: list[dict[str, Any]] = ask(request, timeout, names)
    return found


def run_source(source: str, *, timeout: float = 120.0) -> dict[str, Any]:
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
    found: dict[str, Any] = ask({"task": "source", "source": source}, timeout, "R code")
    return found


def versions(*, timeout: float = 60.0) -> dict[str, str | None]:
    """Return the versions of R, rpy2 and the R packages in use; None if missing.

    Raises
    ------
    ReferenceUnavailable
        If there is no R or no rpy2.
    """
    request = {"task": "versions", "packages": PACKAGES}
    found: dict[str, str | None] = ask(request, timeout, "versions")
    return found


def request_of(call: RCall) -> dict[str, Any]:
    """Return a call in plain values."""
    arguments = {name: asdict(r_vector(a)) for name, a in call.arguments.items()}
    return {"function": call.function, "arguments": arguments}


def ask(request: Mapping[str, Any], timeout: float, what: str) -> Any:
    """Send a request to a new worker and return its answer."""
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stderr:
        stdin.write(json.dumps(request).encode())
        stdin.seek(0)
        reply, status = answer_of_worker(stdin, stderr, time.monotonic() + timeout)
        stderr.seek(0)
        last_words = stderr.read().decode(errors="replace").strip()[-500:]
    if status is None:
        raise ReferenceUnavailable(f"{what}: R gave no answer within {timeout:g} s")
    try:
        answer = json.loads(reply)
    except ValueError:
        heard = f": {last_words}" if last_words else ""
        raise ReferenceUnavailable(f"{what}: {silence(status)}{heard}") from None
    if "failed" in answer:
        raise ReferenceUnavailable(answer["failed"])
    return answer["answer"]


def answer_of_worker(
    stdin: IO[bytes], stderr: IO[bytes], deadline: float
) -> tuple[bytes, int | None]:
    """Return what the worker wrote, and its exit status; None if time ran out."""
    ours, theirs = os.pipe()
    with open(ours, "rb", buffering=0) as pipe:
        with open(theirs, "wb"):  # closed here once the worker has it
            worker = subprocess.Popen(
                [sys.executable, "-P", "-m", WORKER, str(theirs)],
                stdin=stdin,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
                pass_fds=(theirs,),
                env=environment(),
                start_new_session=True,
            )
        try:
            reply = read_all(pipe, deadline)
            if reply is None:
                return b"", None
            return reply, worker.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return b"", None
        finally:
            end(worker)


def read_all(pipe: IO[bytes], deadline: float) -> bytes | None:
    """Read until the other side closes the pipe; None if time runs out first."""
    parts: list[bytes] = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([pipe], [], [], left)[0]:
            return None
        part = pipe.read(1 << 16)
        if not part:
            return b"".join(parts)
        parts.append(part)


def end(worker: subprocess.Popen[bytes]) -> None:
    """Kill the worker and everything it started."""
    try:
        os.killpg(worker.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it has ended, and so has everything it started
    worker.wait()


def environment() -> dict[str, str]:
    """Return the worker's environment: this package, one locale, English messages."""
    here = str(Path(__file__).parents[2])
    path = os.environ.get("PYTHONPATH")
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([here, path] if path else [here]),
        "LC_ALL": "C.UTF-8",
        "LANGUAGE": "en",
    }


def silence(status: int) -> str:
    """Say what an end without an answer means."""
    if status < 0:
        return f"R crashed ({signal.Signals(-status).name})"
    if status == 0:
        return "R ended without an answer, as after quit()"
    return f"the R process ended with status {status} and without an answer"
