"""Jobs in forked children, each with a folder of its own, ended with all they start."""

from __future__ import annotations

import json
import os
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

LONGEST = 900.0
"""Seconds of the clock after which a child is ended, whatever it does."""


def in_children(
    jobs: Sequence[Callable[[], Any]], workers: int
) -> Iterator[tuple[int, Any, int]]:
    """Run each job in a forked child; yield number, result (or None) and status.

    The result is what the job hands to ``answer``; a child that ends without one has
    the result None, and the status says how it ended.
    """
    running: dict[int, tuple[int, Path, float]] = {}
    waiting = list(enumerate(jobs))[::-1]
    with tempfile.TemporaryDirectory() as folder:
        try:
            while waiting or running:
                while waiting and len(running) < workers:
                    number, job = waiting.pop()
                    place = Path(folder) / str(number)
                    place.mkdir()
                    running[forked(job, place)] = (number, place, time.monotonic())
                for pid, (number, place, start) in list(running.items()):
                    if time.monotonic() - start > LONGEST:
                        end_group(pid)
                    ended, status = os.waitpid(pid, os.WNOHANG)
                    if ended:
                        end_group(pid)
                        del running[pid]
                        yield number, said_in(place), status
                time.sleep(0.02)
        finally:
            for pid in running:
                end_group(pid)


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
