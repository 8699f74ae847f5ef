"""All faults, caused one after the other. A finished one is a line in a file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..chunk_lines import append_line, read_lines
from .commands import COMMANDS
from .lost import scheduler_lost, worker_lost
from .reading import changing_input
from .threads import THREADS, in_threads
from .writing import full_disk, kills, two_at_once

STORED = Path(__file__).parents[1] / "faults.jsonl"
KINDS = (
    "kill -9",
    "full disk",
    "two at once",
    "lost worker",
    "lost dask worker or scheduler",
    "input written again",
    "eight threads",
)
Fault = Callable[[str, int], tuple[int, list[str]]]
WITH_WORKERS = ("measure", "experiment", "simulate")
WITH_SCHEDULER = ("measure", "simulate")
WITH_INPUT = ("compare", "curves", "measure")


def faults(rounds: int) -> list[tuple[str, Fault, str, int]]:
    """Return all faults: its name, its function, the command, its number."""
    return [
        *(("kill -9", kills, name, i) for i in range(rounds) for name in COMMANDS),
        *(("full disk", full_disk, name, 0) for name in COMMANDS),
        *(("two at once", two_at_once, name, i) for name in COMMANDS for i in range(2)),
        *(
            ("lost worker", worker_lost, name, i)
            for name in WITH_WORKERS
            for i in range(4)
        ),
        *(
            ("lost dask worker or scheduler", scheduler_lost, name, i)
            for name in WITH_SCHEDULER
            for i in range(4)
        ),
        *(
            ("input written again", changing_input, name, i)
            for name in WITH_INPUT
            for i in range(2)
        ),
        *(("eight threads", in_threads, name, 0) for name in THREADS),
    ]


def run(path: Path, wanted: list[tuple[str, Fault, str, int]]) -> list[dict[str, Any]]:
    """Try the faults that are not done yet; return the lines of all that are."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = read_lines(path)
    done = {(line["fault"], line["command"], line["number"]) for line in lines}
    # The first of each kind, then the second: an early end has some of all.
    for fault, tried_by, command, number in sorted(wanted, key=lambda one: one[3]):
        if (fault, command, number) in done:
            continue
        tried, wrong = tried_by(command, number)
        line = {"fault": fault, "command": command, "number": number}
        line |= {"tried": tried, "wrong": wrong}
        append_line(path, line)
        lines.append(line)
        print(f"{fault}, {command} {number}: {tried} tried, {wrong or 'fine'}")
        sys.stdout.flush()
    return lines


def in_order(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lines by kind of fault, by what is disturbed, by number."""
    return sorted(
        lines,
        key=lambda x: (
            KINDS.index(x["fault"]),
            [*COMMANDS, *THREADS].index(x["command"]),
            x["number"],
        ),
    )
