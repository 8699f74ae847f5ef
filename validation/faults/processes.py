"""Processes of commands: started, killed, counted; what they leave and say."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from .commands import COMMANDS, Command, workplace

ROOT = Path(__file__).parents[2]

DATE = "1700000000"
MARK = "PYCOMPARE_FAULTS"
"""The variable by which the processes of a command are known, workers included."""


def begin(command: Command, folder: Path, *more: str) -> subprocess.Popen[str]:
    """Start a command in a group of processes of its own."""
    environment = {
        **{key: value for key, value in os.environ.items() if key != MARK},
        **{"PYTHONPATH": str(ROOT), "SOURCE_DATE_EPOCH": DATE, MARK: folder.name},
    }
    return subprocess.Popen(
        [sys.executable, *command.arguments, *more],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def undisturbed(command: Command, folder: Path) -> tuple[dict[str, str], float]:
    """Run a command; return what it wrote, and the seconds that it took."""
    start = time.monotonic()
    process = begin(command, folder)
    _, said = process.communicate()
    if process.returncode:
        raise RuntimeError(said[-2000:])
    return command.content(folder), time.monotonic() - start


@cache
def _outputs() -> tempfile.TemporaryDirectory[str]:
    """Return the folder of outputs of undisturbed runs, removed at the end."""
    return tempfile.TemporaryDirectory()


@cache
def finished(name: str) -> tuple[dict[str, str], float, Path]:
    """Run a command undisturbed, once; return a folder with its output as well."""
    command = COMMANDS[name]
    with workplace() as folder:
        wanted, seconds = undisturbed(command, folder)
        kept = Path(tempfile.mkdtemp(dir=_outputs().name))
        shutil.move(folder / command.out, kept / command.out)
    return wanted, seconds, kept


def killed(command: Command, folder: Path, after: float) -> None:
    """Start a command, and kill it and its group after some seconds."""
    process = begin(command, folder)
    try:
        process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def living(folder: Path, seconds: float = 30.0) -> int:
    """Return how many processes of a folder are there when they had time to end."""
    end = time.monotonic() + seconds
    while (count := sum(map(of_folder(folder), Path("/proc").iterdir()))) > 0:
        if time.monotonic() > end:
            break
        time.sleep(0.2)
    return count


def of_folder(folder: Path) -> Callable[[Path], bool]:
    """Return whether a process was started for a folder."""
    mark = f"{MARK}={folder.name}".encode()

    def is_one(process: Path) -> bool:
        try:
            return mark in (process / "environ").read_bytes().split(b"\0")
        except (OSError, ValueError):
            return False

    return is_one


def remove(path: Path) -> None:
    """Remove a file or a folder, if it is there."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def leavings(folder: Path, before: set[str]) -> list[str]:
    """Say which files are there that were not there before."""
    left = sorted({path.name for path in folder.rglob(".*")})
    left += sorted({path.name for path in folder.iterdir()} - before)
    return [f"{', '.join(dict.fromkeys(left))} is left"] if left else []


def refused_once(status: int, said: str) -> list[str]:
    """Say what is wrong about how a command refused."""
    lines = [line for line in said.splitlines() if line.startswith("pycompare: ")]
    if status == 2 and len(lines) == 1 and "Traceback" not in said:
        return []
    return [f"status {status}: {said[-300:]!r}"]
