"""Processes that a command needs and loses: its workers, a scheduler."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from .commands import COMMANDS, Command, workplace
from .processes import (
    ROOT,
    begin,
    finished,
    leavings,
    living,
    of_folder,
    refused_once,
    remove,
    undisturbed,
)


def worker_lost(name: str, number: int) -> tuple[int, list[str]]:
    """Kill one of the worker processes that a command has started."""
    command, wrong = COMMANDS[name], []
    wanted, _, _ = finished(name)
    with workplace() as folder:
        before = {command.out, *(path.name for path in folder.iterdir())}
        run = begin(command, folder)
        if not waited(run, lambda: workers(folder) != [], number):
            wrong.append("it ended before anything was lost")
        for process in workers(folder)[:1]:
            os.kill(process, signal.SIGKILL)
        _, said = run.communicate(timeout=300)
        if run.returncode:
            wrong.append(f"status {run.returncode}: {said[-300:]!r}")
        if command.content(folder) != wanted:
            wrong.append("the output is another one")
        if living(folder):
            wrong.append("workers are left")
        wrong += leavings(folder, before)
    return 1, wrong


def scheduler_lost(name: str, number: int) -> tuple[int, list[str]]:
    """Kill a worker of a dask scheduler, or the scheduler itself, and go on without."""
    command, wrong = COMMANDS[name], []
    arguments = [*command.arguments]
    del arguments[arguments.index("--workers") : arguments.index("--workers") + 2]
    with workplace() as folder:
        wanted, _ = undisturbed(command, folder)
        before = {path.name for path in folder.iterdir()}
        remove(folder / command.out)
        with scheduler(folder) as (address, processes):
            run = begin(
                Command(tuple(arguments), command.resumes),
                folder,
                *("--scheduler", address),
            )
            lost = processes[number % 2]
            if not waited(run, lambda: portions(command, folder) > 0, number):
                wrong.append("it ended before anything was lost")
            os.kill(lost.pid, signal.SIGKILL)
            _, said = run.communicate(timeout=300)
            if run.returncode == 0 and command.content(folder) != wanted:
                wrong.append("the output is another one")
            elif run.returncode and lost is processes[0]:
                wrong += refused_once(run.returncode, said)
            elif run.returncode:
                wrong.append(f"a lost worker ends it: {said[-300:]!r}")
        if undisturbed(command, folder)[0] != wanted:
            wrong.append("the output after it is another one")
        for log in ("scheduler.json", "log"):
            remove(folder / log)
        wrong += leavings(folder, before)
    return 1, wrong


def waited(run: subprocess.Popen[str], ready: Callable[[], bool], number: int) -> bool:
    """Wait until something is there, and up to a second more; tell if it still runs."""
    while run.poll() is None and not ready():
        time.sleep(0.01)
    time.sleep(number / 10)
    return run.poll() is None


def portions(command: Command, folder: Path) -> int:
    """Return how many files of results a command has written so far."""
    name = command.out.split(".")[0]
    written = [path for path in folder.glob(f"{name}*/**/*") if path.is_file()]
    return sum(path.suffix != ".json" for path in written)


def workers(folder: Path) -> list[int]:
    """Return the worker processes that a command in a folder has started."""
    ours = filter(of_folder(folder), Path("/proc").iterdir())
    return [int(one.name) for one in ours if b"popen_loky" in commandline(one)]


def commandline(process: Path) -> bytes:
    """Return the command line of a process, empty if it has ended."""
    try:
        return (process / "cmdline").read_bytes()
    except OSError:
        return b""


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a dask scheduler with two workers; give address and processes."""
    file = folder / "scheduler.json"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    own = ("--scheduler-file", str(file), "--no-dashboard")
    programs = [
        ("dask_scheduler", *own, "--host", "127.0.0.1", "--port", "0", "--no-show"),
        *[("dask_worker", *own, "--nthreads", "1", "--no-nanny")] * 2,
    ]
    with (folder / "log").open("wb") as log:
        processes = [
            subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.{program}", *options],
                cwd=tempfile.gettempdir(),
                env=environment,
                stdout=log,
                stderr=log,
            )
            for program, *options in programs
        ]
        try:
            while not (file.exists() and file.stat().st_size):
                time.sleep(0.2)
            yield json.loads(file.read_text())["address"], processes
        finally:
            for process in processes:
                process.kill()
                process.wait()
