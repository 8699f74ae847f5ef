"""Faults while a command writes: it is killed, the disk is full, another one writes."""

from __future__ import annotations

import random
import shutil
import time

from .commands import CLI, COMMANDS, workplace
from .full_disk import each_write
from .processes import (
    DATE,
    begin,
    finished,
    killed,
    leavings,
    living,
    remove,
    undisturbed,
)

IN_A_ROW = 5
"""Kills before a command is left to finish."""


def kills(name: str, number: int) -> tuple[int, list[str]]:
    """Kill a command some times in a row at random moments, then let it finish.

    Returns
    -------
    tried : int
    wrong : list of str
    """
    command, draw, wrong = COMMANDS[name], random.Random(f"{name} {number}"), []
    with workplace() as folder:
        wanted, seconds, out = finished(name)
        before = {command.out, *(path.name for path in folder.iterdir())}
        if number % 2 == 1:  # it replaces what is there
            shutil.copytree(out, folder, dirs_exist_ok=True)
        for kill in range(IN_A_ROW):
            there = command.content(folder)
            killed(command, folder, draw.uniform(0, 1.1 * seconds))
            if living(folder):
                wrong.append(f"kill {kill}: workers are left")
            if not command.resumes:
                allowed = [there, wanted]
                if command.content(folder) not in allowed:
                    wrong.append(f"kill {kill}: the output is half written")
        if undisturbed(command, folder)[0] != wanted:
            wrong.append("the output after the kills is another one")
        wrong += leavings(folder, before)
    return IN_A_ROW, wrong


def full_disk(name: str, number: int) -> tuple[int, list[str]]:
    """Run a command on a disk that is full from each of its writes on."""
    command, wrong = COMMANDS[name], []
    with workplace() as folder:
        wanted, _ = undisturbed(command, folder)
        before = {path.name for path in folder.iterdir()}
        remove(folder / command.out)
        tried = 0
        arguments = command.arguments
        for status, said in each_write(arguments, folder, {"SOURCE_DATE_EPOCH": DATE}):
            tried += 1
            lines = said.splitlines()
            refused = [line for line in lines if line.startswith("pycompare: ")]
            if status == 0 and command.content(folder) == wanted:
                break  # it wrote all it had to before the disk was full
            if "No space left" not in said or status == 0:
                wrong.append(f"write {tried}: status {status}, {said[-200:]!r}")
            if CLI[1] in arguments and (len(refused) != 1 or "Traceback" in said):
                wrong.append(f"write {tried}: {said[-200:]!r}")
            if not command.resumes and command.content(folder):
                wrong.append(f"write {tried}: something is written")
            if not command.resumes:  # else the next run removes it
                wrong += [
                    f"write {tried}: {one}"
                    for one in leavings(folder, before)
                    if ".unfinished" not in one
                ]
        if undisturbed(command, folder)[0] != wanted:
            wrong.append("the output after all of them is another one")
        wrong += leavings(folder, before)
    return tried, wrong


def two_at_once(name: str, number: int) -> tuple[int, list[str]]:
    """Run a command twice at once into one place, the second somewhat later."""
    command, draw, wrong = COMMANDS[name], random.Random(f"{name} {number}"), []
    with workplace() as folder:
        wanted, seconds = undisturbed(command, folder)
        before = {path.name for path in folder.iterdir()}
        if number % 2 == 0:
            remove(folder / command.out)
        both = [begin(command, folder)]
        time.sleep(draw.uniform(0, 0.3 * seconds))
        both.append(begin(command, folder))
        ends = [(process.communicate()[1], process.returncode) for process in both]
        for said, status in ends:
            if status not in (0, 2) or "Traceback" in said:
                wrong.append(f"status {status}: {said[-300:]!r}")
        if all(status for _, status in ends):
            wrong.append("both refuse")
        if command.content(folder) != wanted:
            wrong.append("the output is not whole")
        wrong += leavings(folder, before)
    return 1, wrong
