"""Commands that are killed, that find the disk full, or that lose what they need.

``python -m validation.faults [--folder DIR] [--kills N] [--only NAME ...]``, on Linux
with gcc, writes ``FAULTS.md``. Each command is run once undisturbed. Then it is killed
(signal 9, with its workers) at random moments and run again; it runs on a disk that is
full from its first write on, from its second, and so on; and twice at once into one
place. What it leaves is nothing, what was there before, or the output of the
undisturbed run to the last byte. The other faults of the page have a function each. A
finished fault is a line in the folder, so that an interrupted run goes on where it
stopped. The status is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

import pycompare as pc

from .chunk_lines import append_line, read_lines
from .full_disk import each_write

HERE = Path(__file__).parent
ROOT = HERE.parent
STORED, PAGE = HERE / "faults.jsonl", HERE / "FAULTS.md"
DATE = "1700000000"
MARK = "PYCOMPARE_FAULTS"
"""The variable by which the processes of a command are known, workers included."""
IN_A_ROW = 5
"""Kills before a command is left to finish."""
FINISHED = tempfile.TemporaryDirectory()
"""Outputs of undisturbed runs; removed when the program ends."""


@dataclass(frozen=True)
class Command:
    """What is disturbed.

    Attributes
    ----------
    arguments : tuple of str
        After ``python``; OUT is where it writes.
    resumes : bool
        OUT holds what is done, and a second run goes on with it.
    of_page : callable
        Returns what of a file must be the same in each run: all of it, by default.
    """

    arguments: tuple[str, ...]
    resumes: bool = False
    of_page: Callable[[Path], bytes] = Path.read_bytes

    @property
    def out(self) -> str:
        """Return the name of what the command writes."""
        return next(part for part in self.arguments if part.startswith("OUT"))

    def content(self, folder: Path) -> dict[str, str]:
        """Return the hashes of all files that are written; empty if there are none."""
        out = folder / self.out
        files = [out] if out.is_file() else sorted(out.rglob("*"))
        return {
            str(path.relative_to(out)): hashlib.sha256(self.of_page(path)).hexdigest()
            for path in files
            if path.is_file()
        }


EXPERIMENT = """
import numpy as np, pycompare as pc
from pycompare.experiments.learners import naive_bayes, nearest_neighbours
draw = np.random.default_rng(1)
label = np.array(["ham", "spam"] * 60)
features = lambda: draw.normal(size=(120, 3)) + (label == "spam")[:, None]
data = {name: pc.DataSet.of(features(), label, positive="spam") for name in "ab"}
found = pc.experiment(
    data, {"NB": naive_bayes(), "k-NN": nearest_neighbours()}, seed=1, progress=False,
    protocol=pc.StratifiedFolds(10), folder="OUT", workers=2)
print(found.sha256)
"""
PLAN = """
[data]
file = "scores.csv"
format = "wide"
block = "dataset"

[metrics]
accuracy = "higher"

[plan]
blocks = "datasets"
"""
CLI = ("-m", "pycompare.cli")
FOLDS = ("--algorithm", "algorithm", "--block", "fold", "--case", "case")
TRUTH = ("--label", "label", "--score", "score", "--positive", "yes")


def numbers(path: Path) -> bytes:
    """Return the compared numbers of an evidence, without times; of a page, nothing."""
    if path.suffix != ".json":
        return b""
    rows = json.loads(path.read_text(encoding="utf-8"))["rows"]
    return json.dumps(rows).encode()


COMMANDS: Mapping[str, Command] = {
    "compare": Command(
        (
            *(*CLI, "compare", "scores.csv", "--wide", "--block", "dataset"),
            *("--metric", "accuracy:higher", "--blocks", "datasets"),
            *("--out", "OUT", "--overwrite"),
        )
    ),
    "report": Command(
        (
            *(*CLI, "run", "plan.toml", "--out", "OUT", "--overwrite"),
            *("--format", "html,docx,latex,md,pdf,rtf,text"),
        )
    ),
    "curves": Command(
        (
            *(*CLI, "curves", "predictions.csv", *FOLDS, *TRUTH),
            *("--out", "OUT", "--overwrite"),
        )
    ),
    "measure": Command(
        (
            *(*CLI, "measure", "predictions.parquet", *FOLDS, *TRUTH),
            *("--metric", "auc", "--workers", "2"),
            *("--out", "OUT.parquet", "--overwrite"),
        )
    ),
    "experiment": Command(("-c", EXPERIMENT, "OUT"), resumes=True),
    "simulate": Command(
        (
            *(*CLI, "simulate", "roe-metz", "--trials", "9000", "--workers", "2"),
            *("--keep", "OUT", "--json"),
        ),
        resumes=True,
    ),
    "validate": Command(
        (
            *(*CLI, "validate", "--only", "Quade", "--only", "Wilcoxon", "--workers"),
            *("2", "--out", "OUT", "--overwrite"),
        ),
        of_page=numbers,
    ),
}


def inputs(folder: Path) -> None:
    """Write the files that the commands read."""
    shutil.copy(pc.example_path(), folder / "scores.csv")
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
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


@contextmanager
def workplace() -> Iterator[Path]:
    """Give a folder with the inputs."""
    with tempfile.TemporaryDirectory() as at:
        inputs(Path(at))
        yield Path(at)


# ---- processes -----------------------------------------------------------------------


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
def finished(name: str) -> tuple[dict[str, str], float, Path]:
    """Run a command undisturbed, once; return a folder with its output as well."""
    command = COMMANDS[name]
    with workplace() as folder:
        wanted, seconds = undisturbed(command, folder)
        kept = Path(tempfile.mkdtemp(dir=FINISHED.name))
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


# ---- faults --------------------------------------------------------------------------


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


def leavings(folder: Path, before: set[str]) -> list[str]:
    """Say which files are there that were not there before."""
    left = sorted({path.name for path in folder.rglob(".*")})
    left += sorted({path.name for path in folder.iterdir()} - before)
    return [f"{', '.join(dict.fromkeys(left))} is left"] if left else []


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


def refused_once(status: int, said: str) -> list[str]:
    """Say what is wrong about how a command refused."""
    lines = [line for line in said.splitlines() if line.startswith("pycompare: ")]
    if status == 2 and len(lines) == 1 and "Traceback" not in said:
        return []
    return [f"status {status}: {said[-300:]!r}"]


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


def measured() -> pc.Scores:
    """Measure the example of predictions."""
    return pc.example("predictions").measure(["error", "auc"])


def rated() -> Any:
    """Compare modalities by readers."""
    model = pc.RoeMetz(
        separation=(1.0, 1.2),
        reader=0.01,
        modality_reader=0.01,
        case=0.3,
        modality_case=0.3,
        reader_case=0.2,
        error=0.2,
    )
    return pc.mrmc(model.draw(n_readers=4, n_positive=40, n_negative=40, seed=1))


def modelled() -> Any:
    """Fit a linear model with error strata to the example."""
    frame = pc.example().to_frame()
    return pc.linear_model(frame, "accuracy ~ algorithm", within="block")


def written() -> dict[str, str]:
    """Write a report; return the hashes of its files."""
    with tempfile.TemporaryDirectory() as at:
        out = pc.report(pc.compare(pc.example()), Path(at) / "OUT")
        return Command((out.name,)).content(out.parent)


THREADS: Mapping[str, Callable[[], Any]] = {
    "ranks": lambda: pc.compare(pc.example()).to_dict(),
    "folds": lambda: pc.compare(
        pc.example("folds"), pc.Plan(n_train=216, n_test=24)
    ).to_dict(),
    "flips": lambda: pc.max_t(pc.example()).to_dict(),
    "permutations": lambda: pc.closed_permutation(
        pc.example(), permutations=99
    ).to_dict(),
    "bergmann-hommel": lambda: pc.rank_pairs(pc.example()).to_dict(),
    "measure": lambda: measured().sha256,
    "readers": lambda: rated().to_dict(),
    "model": lambda: modelled().to_dict(),
    "page": written,
}
"""What is computed in eight threads at once."""


def in_threads(name: str, number: int = 0) -> tuple[int, list[str]]:
    """Compute in eight threads at once what one thread computes alone."""
    work = THREADS[name]
    os.environ["SOURCE_DATE_EPOCH"] = DATE
    alone = json.dumps(work())
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda _: json.dumps(work()), range(8)))
    return 8, [] if found == {alone} else [f"{len(found)} results"]


# ---- all of them ---------------------------------------------------------------------

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


def page(lines: list[dict[str, Any]]) -> str:
    """Return the page of what was tried."""
    names = list(dict.fromkeys(line["command"] for line in in_order(lines)))
    tried = sum(line["tried"] for line in lines)
    wrong = [one for line in lines for one in line["wrong"]]
    kills = sum(line["tried"] for line in lines if line["fault"] == KINDS[0])
    return "\n".join(
        [
            "# Faults: killed commands, full disks, lost workers",
            "",
            f"{kills:,} kills and {tried - kills:,} other faults were caused. "
            f"{len(wrong) or 'None'} of them left an incomplete output, an output that "
            "differs from that of an undisturbed run, or stray files or processes.",
            "",
            "| disturbed | " + " | ".join(KINDS) + " |",
            "|---|" + "---:|" * len(KINDS),
            *(row(name, [x for x in lines if x["command"] == name]) for name in names),
            "",
            *WORDS,
            "",
        ]
    )


def row(name: str, lines: list[dict[str, Any]]) -> str:
    """Return the line of a table: what was disturbed, and how often by each fault."""
    cells = [cell([x for x in lines if x["fault"] == kind]) for kind in KINDS]
    return f"| {name} | " + " | ".join(cells) + " |"


def cell(lines: list[dict[str, Any]]) -> str:
    """Return how often a fault was caused; and what was wrong, if anything."""
    if not lines:
        return ""
    wrong = sum(len(line["wrong"]) for line in lines)
    tried = f"{sum(line['tried'] for line in lines):,}"
    return f"{tried} ({wrong} wrong)" if wrong else tried


WORDS = (
    "- **kill -9**: the command and its workers are killed at a random moment, several "
    "times in a row; then the command runs to its end. After each kill the output is "
    "the previous one, or complete. At the end every byte equals an undisturbed run, "
    "no process is left, and no file is left beside the output.",
    "- **full disk**: all writes fail from the first on, then from the second on, and "
    "so on through the command. The command ends with one line and leaves no files, "
    "except a folder of finished portions from which the next run resumes.",
    "- **two at once**: two processes write to one place. Both finish, or one ends "
    "with one line; the output is complete.",
    "- **lost worker**: a process that the command has started is killed. The command "
    "starts another one, and its output equals that of an undisturbed run.",
    "- **lost dask worker or scheduler**: a lost worker is replaced. Without the "
    "scheduler the command ends with one line; the next run resumes, and its output "
    "equals that of an undisturbed run.",
    "- **input written again**: another program writes the file while it is read. The "
    "output is that of one state of the file, or the command says that it changed.",
    "- **eight threads**: the same computation in eight threads at once gives the same "
    "bits as in one thread.",
    "",
    "`python -m validation.faults` repeats this, and `make study` runs it.",
)


def main() -> None:
    """Try all faults on all commands, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("study") / "faults")
    parser.add_argument("--kills", type=int, default=245, help="over all commands")
    parser.add_argument("--only", nargs="*", help="names of faults or commands")
    chosen = parser.parse_args()
    rounds = -(-chosen.kills // (IN_A_ROW * len(COMMANDS)))
    wanted = faults(rounds)
    if chosen.only:
        wanted = [one for one in wanted if {one[0], one[2]} & set(chosen.only)]
    lines = run(chosen.folder / "faults.jsonl", wanted)
    kept = in_order(lines)
    STORED.write_text("".join(json.dumps(line) + "\n" for line in kept))
    PAGE.write_text(page(kept), encoding="utf-8")
    sys.exit(any(line["wrong"] for line in lines))


if __name__ == "__main__":
    main()
