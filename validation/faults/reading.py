"""A file that another program writes while a command reads it."""

from __future__ import annotations

import time
from pathlib import Path

import pandas as pd

from .commands import COMMANDS, workplace
from .processes import begin, refused_once, remove, undisturbed


def changing_input(name: str, number: int) -> tuple[int, list[str]]:
    """Write the input again while it is read: the result is of one state, or none."""
    command = COMMANDS[name]
    read = next(p for p in command.arguments if p.endswith((".csv", ".parquet")))
    with workplace() as folder:
        file, other = folder / read, folder / f"other{Path(read).suffix}"
        first, seconds = undisturbed(command, folder)
        rewritten(file, other)
        one, two = file.read_bytes(), other.read_bytes()
        file.write_bytes(two)
        second, _ = undisturbed(command, folder)
        remove(folder / command.out)
        run = begin(command, folder)
        states = 0
        while run.poll() is None:
            file.write_bytes((one, two)[states % 2])
            states += 1
            time.sleep(0.05 * seconds)
        said = run.stderr.read() if run.stderr else ""
        written = command.content(folder)
    wrong = [] if written in (first, second, {}) else ["the output is of no one state"]
    if run.returncode:
        wrong += refused_once(run.returncode, said)
    return states, wrong


def rewritten(file: Path, other: Path) -> None:
    """Write a table again with its last column in another order."""
    if file.suffix == ".parquet":
        frame = pd.read_parquet(file)
        frame.assign(score=frame.score.to_numpy()[::-1]).to_parquet(
            other, row_group_size=20
        )
    else:
        frame = pd.read_csv(file)
        last = frame.columns[-1]
        frame.assign(**{last: frame[last].to_numpy()[::-1]}).to_csv(other, index=False)
