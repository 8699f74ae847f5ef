"""A job in a forked child with its own folder, ended with all it starts."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1
LONGEST = 900.0
"""Seconds of the clock after which a child is ended, whatever it does."""


def in_child(job: Callable[[], Any]) -> tuple[Any, int]:
    """Run a job in a forked child; return its result (or None) and status.

    The result is what the job hands to ``answer``; a child that ends without one has
    the result None, and the status says how it ended.
    """
    with tempfile.TemporaryDirectory() as folder:
        start, pid = time.monotonic(), forked(job, Path(folder))
        try:
            while True:
                if time.monotonic() - start > LONGEST:
                    end_group(pid)
                ended, status = os.waitpid(pid, os.WNOHANG)
                if ended:
                    return said_in(Path(folder)), status
                time.sleep(0.02)
        finally:
            end_group(pid)


def end_with_parent() -> None:
    """Ask Linux to kill this process when the one that started it dies."""
    try:
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    except (OSError, AttributeError):
        pass  # another system


def said_in(place: Path) -> Any:
    """Return the answer that a child left; None if it left none."""
    found = place / "answer"
    return json.loads(found.read_text()) if found.exists() else None


def end_group(pid: int) -> None:
    """End what a child has left behind."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def forked(job: Callable[[], Any], place: Path) -> int:
    """Start a child with its own folder for temporary files; return its id."""
    pid = os.fork()
    if pid:
        return pid
    try:
        os.setsid()
        end_with_parent()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        for name in ("TMPDIR", "PYTEST_DEBUG_TEMPROOT"):
            os.environ[name] = str(place)
        tempfile.tempdir = str(place)
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(silent, stream)
        answer(place, job())
    except BaseException as error:
        answer(place, {"error": repr(error)})
    finally:
        os._exit(0)


def answer(place: Path, said: Any) -> None:
    """Leave an answer where the parent finds it, whole or not at all."""
    (place / "unfinished").write_text(json.dumps(said))
    (place / "unfinished").rename(place / "answer")
