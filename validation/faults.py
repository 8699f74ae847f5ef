"""Commands that are killed, that find the disk full, or that run twice at once.

``python -m validation.faults [--kills N] [--sizes N] [--only NAME]``, on Linux. Each
command is run once undisturbed. Then it is killed (signal 9, with its workers) at
random moments and run again: what it writes is not there, or is that of the undisturbed
run to the last byte, and so is what the second run writes and prints. On file systems
that are too small it refuses in one line and leaves nothing. Two at once into one place
leave the whole output of one. Prints one line a command, and ends with status 1 if
anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

import pycompare as pc

ROOT = Path(__file__).parents[1]
RUN = (sys.executable, "-m", "pycompare.cli")
DATE = "1700000000"
FOLDS = ("--algorithm", "algorithm", "--block", "fold", "--case", "case")
TRUTH = ("--label", "label", "--score", "score", "--positive", "yes")
COMMANDS: Mapping[str, Sequence[str]] = {
    "compare": (
        *("compare", "scores.csv", "--wide", "--block", "dataset", "--metric"),
        *("accuracy:higher", "--blocks", "datasets", "--out", "OUT", "--overwrite"),
    ),
    "measure": (
        *("measure", "predictions.parquet", *FOLDS, *TRUTH, "--metric", "auc"),
        *("--workers", "2", "--out", "OUT.parquet", "--overwrite"),
    ),
    "curves": (
        *("curves", "predictions.csv", *FOLDS, *TRUTH, "--out", "OUT", "--overwrite"),
    ),
    "simulate": (
        *("simulate", "roe-metz", "--trials", "9000", "--workers", "2"),
        *("--keep", "OUT", "--json"),
    ),
}


def inputs(folder: Path) -> None:
    """Write the tables that the commands read."""
    shutil.copy(pc.example_path(), folder / "scores.csv")
    rows = ["algorithm,fold,case,label,score"]
    draw = random.Random(1)
    for name in ("one", "two"):
        for fold in range(3):
            for case in range(30):
                label = "yes" if case % 3 else "no"
                score = draw.gauss(label == "yes", 1)
                rows.append(f"{name},f{fold},c{fold}-{case},{label},{score:.4f}")
    text = "\n".join(rows)
    (folder / "predictions.csv").write_text(text + "\n", encoding="utf-8")
    frame = pd.read_csv(io.StringIO(text))
    frame.to_parquet(folder / "predictions.parquet", row_group_size=20)


def begin(command: Sequence[str], folder: Path) -> subprocess.Popen[str]:
    """Start a command in a group of processes of its own."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SOURCE_DATE_EPOCH": DATE}
    return subprocess.Popen(
        [*RUN, *command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def target(command: Sequence[str]) -> str:
    """Return the name of what a command writes, or of where it keeps what is done."""
    option = "--out" if "--out" in command else "--keep"
    return command[command.index(option) + 1]


def content(path: Path) -> dict[str, str]:
    """Return the hashes of all files below a path, by name; empty if there are none."""
    files = (
        [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    )
    return {str(p.relative_to(path)): hashed(p) for p in files}


def hashed(path: Path) -> str:
    """Return the hash of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def undisturbed(
    command: Sequence[str], folder: Path
) -> tuple[dict[str, str], str, float]:
    """Return what a command writes and prints, and the seconds that it takes."""
    start = time.monotonic()
    process = begin(command, folder)
    printed, said = process.communicate()
    if process.returncode:
        raise SystemExit(f"{command[0]}: {said}")
    return content(folder / target(command)), printed, time.monotonic() - start


def killed(command: Sequence[str], folder: Path, after: float) -> None:
    """Start a command, and kill it and its workers after some seconds."""
    process = begin(command, folder)
    try:
        process.communicate(timeout=after)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def kills(name: str, times: int, seed: int = 1) -> list[str]:
    """Kill a command at random moments; return what went wrong."""
    command, draw, wrong = COMMANDS[name], random.Random(seed), []
    resumes = "--keep" in command
    with tempfile.TemporaryDirectory() as at:
        folder = Path(at)
        inputs(folder)
        written, printed, seconds = undisturbed(command, folder)
        before = {path.name for path in folder.iterdir()}
        for number in range(times):
            out = folder / target(command)
            fresh = resumes or number % 2 == 0  # else it replaces what is there
            if fresh:
                remove(out)
            killed(command, folder, draw.uniform(0, 1.1 * seconds))
            if not resumes and content(out) not in (
                [{}, written] if fresh else [written]
            ):
                wrong.append(f"{name}, kill {number}: the output is half written")
            if undisturbed(command, folder)[:2] != (written, printed):
                wrong.append(f"{name}, kill {number}: another output after it")
            left = {path.name for path in folder.iterdir()} - before
            if left:
                wrong.append(
                    f"{name}, kill {number}: {', '.join(sorted(left))} is left"
                )
    return wrong


def remove(path: Path) -> None:
    """Remove a file or a folder."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()


def small_disks(name: str, sizes: int) -> list[str]:
    """Run a command on file systems that are too small; return what went wrong.

    In a name space of its own, where a user may mount what only she sees.
    """
    command, wrong = COMMANDS[name], []
    with tempfile.TemporaryDirectory() as at:
        folder = Path(at)
        inputs(folder)
        undisturbed(command, folder)
        out = folder / target(command)
        files = [out] if out.is_file() else [p for p in out.rglob("*") if p.is_file()]
        total = sum(path.stat().st_size // 4096 + 1 for path in files) + len(files)
        remove(out)
        for number in range(sizes):
            pages = max(1, total * (number + 1) // (sizes + 1))
            said, left = on_small_disk(command, folder, pages * 4096)
            if said is None:  # what it writes is smaller than its files on this disk
                continue
            lines = said.splitlines()
            refused = sum(line.startswith("pycompare: ") for line in lines)
            if refused != 1 or "Traceback" in said:
                wrong.append(f"{name}, {pages} pages: {said[-300:]!r}")
            if left:
                wrong.append(f"{name}, {pages} pages: {left} is left")
    return wrong


SMALL = """
set -e
mkdir -p disk
mount -t tmpfs -o size="$1" tmpfs disk
shift
"$@" >/dev/null 2>said || echo "$?" >status
ls -A disk >left
umount disk
"""


def on_small_disk(
    command: Sequence[str], folder: Path, size: int
) -> tuple[str | None, str]:
    """Run a command with its output on a small file system.

    Returns
    -------
    said : str or None
        What it says on stderr; None if it is done.
    left : str
        The files that are left on the disk, but for those that it goes on from.
    """
    place = f"disk/{target(command)}"
    there = [place if part == target(command) else part for part in command]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    (folder / "status").unlink(missing_ok=True)
    subprocess.run(
        ["unshare", "-rm", "sh", "-c", SMALL, "sh", str(size), *RUN, *there],
        cwd=folder,
        env=environment,
        check=True,
    )
    said = (folder / "said").read_text(encoding="utf-8")
    if not (folder / "status").exists():
        return None, ""
    names = (folder / "left").read_text(encoding="utf-8").split("\n")
    resumed = (target(command) if "--keep" in command else "", "")
    left = [n for n in names if n not in resumed and not n.endswith(".unfinished")]
    return said, ", ".join(left)


def twice(name: str) -> list[str]:
    """Run a command twice at once into one folder; return what went wrong."""
    command, wrong = COMMANDS[name], []
    with tempfile.TemporaryDirectory() as at:
        folder = Path(at)
        inputs(folder)
        wanted, *_ = undisturbed(command, folder)
        before = {path.name for path in folder.iterdir()}
        both = [begin(command, folder) for _ in range(2)]
        ends = [(process.communicate()[1], process.returncode) for process in both]
        for said, status in ends:
            if status not in (0, 2) or "Traceback" in said:
                wrong.append(f"{name}, two at once: {said[-300:]!r}")
        if all(status for _, status in ends):
            wrong.append(f"{name}, two at once: both refuse")
        if content(folder / target(command)) != wanted:
            wrong.append(f"{name}, two at once: the output is not whole")
        left = {path.name for path in folder.iterdir()} - before
        if left:
            wrong.append(f"{name}, two at once: {', '.join(sorted(left))} is left")
    return wrong


def main() -> None:
    """Try all faults on all commands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=50, help="of each command")
    parser.add_argument("--sizes", type=int, default=8, help="of file systems")
    parser.add_argument("--only", choices=COMMANDS)
    chosen = parser.parse_args()
    wrong = []
    for name in [chosen.only] if chosen.only else COMMANDS:
        found = [
            *kills(name, chosen.kills),
            *small_disks(name, chosen.sizes),
            *twice(name),
        ]
        wrong += found
        print(
            f"{name}: {chosen.kills} kills, {chosen.sizes} small disks, two at once: "
            f"{len(found)} wrong",
            *found,
            sep="\n  ",
            flush=True,
        )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
