"""An hour of files and commands that nobody would write.

``python -m tests.fuzz --minutes 60`` (``make study``) tries new cases of all readers
(``tests.byte_fuzz``) and commands (``tests.command_fuzz``), round after round, each
kind in a process of its own with 2 GB and 60 seconds a case. One case of each kind of
failure is kept in ``tests/fuzz_corpus``, where the suite tries it again; the status is
then 1. A finished step, a round of one kind, is a line in the folder, so that an
interrupted hour goes on where it stopped; an hour that is over is followed by another
one with other cases.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, seed, settings

from pycompare.base.parallel.progress import duration, on_stderr
from tests import byte_fuzz
from tests.byte_fuzz import CORPUS, KINDS, MEMORY, WHOLE, changed, largest
from tests.command_fuzz import COMMANDS, DONE, REFUSED, Case, cases, ended, kept
from validation.chunk_lines import append_line, read_lines
from validation.markdown import table

FILES, CASES = 500, 40
"""Files of a kind and cases of a command in a round."""
FINE = {"read", "refused", DONE, REFUSED}
SHRINKING = 30
"""Seconds in which a case that failed is made simpler, but for the last one."""
Send = Callable[[Any], None]
say = on_stderr("fuzz")


class _Enough(BaseException):
    """A case that failed has been made simpler for long enough.

    Hypothesis takes an ``Exception`` for another failure.
    """


def try_commands(name: str, told: Send, examples: int, number: int = 0) -> None:
    """Try cases of a command; if one fails, simpler ones for some time.

    Each case is told before it is tried and with what became of it; ``number`` is the
    seed.
    """
    failed_at: list[float] = []

    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,  # each is as slow as it is
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
        report_multiple_bugs=False,
    )
    @given(cases(name))
    def hold(one: Case) -> None:
        if failed_at and time.monotonic() - failed_at[0] > SHRINKING:
            raise _Enough
        told((one, None))
        how = ended(one)
        told((one, how))
        if how not in FINE:
            failed_at.append(time.monotonic())
            raise AssertionError(how)

    with contextlib.suppress(AssertionError, _Enough):
        hold()


def kind_of(how: str) -> str:
    """Return what failures of one kind have in common: their last line, no values."""
    return re.sub(
        r"'[^']*'|\"[^\"]*\"|\d[\d.]*(e[+-]?\d+)?", "_", how.strip().splitlines()[-1]
    )


# ---- a process that may crash --------------------------------------------------------


def in_process(work: Callable[[Send], None]) -> Iterator[Any]:
    """Do work in a process of its own; yield what it sends until its end or crash."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_limited, args=(work, theirs))
    process.start()
    theirs.close()
    with contextlib.suppress(EOFError):
        while True:
            yield ours.recv()
    process.join()


def _limited(work: Callable[[Send], None], to: Any) -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    work(to.send)
    to.send((None, resource.getrusage(resource.RUSAGE_SELF)))
    to.close()


def tried(work: Callable[[Send], None]) -> Iterator[tuple[Any, Any]]:
    """Yield cases with what became of them; of a crash, the case that was under way."""
    under_way = None
    for what, answer in in_process(work):
        if what is None:
            yield None, answer.ru_utime + answer.ru_stime
            return
        if answer is not None:
            yield what, answer
        under_way = what
    yield under_way, "the process ended"


# ---- readers and commands ------------------------------------------------------------


def files_round(kind: str, number: int) -> Iterator[tuple[bytes, str]]:
    """Try the files of a round."""

    def work(send: Send) -> None:
        for at in range(number * FILES, (number + 1) * FILES):
            data = changed(kind, at)
            send((data, None))
            how = byte_fuzz.tried(kind, data, at % WHOLE < 2)
            if largest() > MEMORY:
                how = f"{largest() / 2**30:.1f} GB of memory"
            send((data, how))

    return tried(work)


def commands_round(name: str, number: int) -> Iterator[tuple[Case, str]]:
    """Try the cases of a round."""
    return tried(lambda send: try_commands(name, send, CASES, number))


def keep_file(kind: str, data: bytes) -> Path:
    """Keep a file that failed."""
    digest = sha256(data).hexdigest()[:8]
    path = CORPUS / f"{kind.replace(' ', '-')}-{digest}"
    path.write_bytes(data)
    return path


# ---- the hour ------------------------------------------------------------------------


class Hour:
    """Rounds of all kinds, a kind a step, and where they are written down.

    Attributes
    ----------
    folder : Path
    lines : list of dict
        Finished steps of this hour.
    first : int
        Number of the next step.
    """

    def __init__(self, folder: Path, minutes: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.seconds = folder, 60 * minutes
        lines = read_lines(folder / "steps.jsonl")
        self.first = lines[-1]["step"] + 1 if lines else 0
        over = [i for i, line in enumerate(lines, start=1) if line.get("over")]
        self.lines = lines[over[-1] if over else 0 :]

    @property
    def spent(self) -> float:
        """Seconds of the finished steps."""
        return float(sum(line["seconds"] for line in self.lines))

    def run(self) -> bool:
        """Try steps until the time is over; return whether nothing failed."""
        if self.lines:
            say(f"{duration(self.spent)} were done before")
        while self.spent < self.seconds:
            self.step(self.first)
            self.first += 1
            say(f"{duration(self.spent)} of {duration(self.seconds)}")
        return not any(line["failed"] for line in self.lines)

    def step(self, number: int) -> None:
        """Try a round of one kind, and write it down; the round is the seed."""
        names = (*KINDS, *COMMANDS)
        turn, at = divmod(number, len(names))
        name, start, cpu = names[at], time.monotonic(), 0.0
        wrong: dict[str, tuple[Any, str]] = {}
        count: Counter[str] = Counter()
        for case, how in self.cases(name, turn):
            if case is None:
                cpu = float(how)
            elif how in FINE:
                count[how] += not (wrong and name in COMMANDS)  # made simpler
            else:
                wrong[kind_of(how)] = case, how  # the last one is the simplest
        count["failed"] += len(wrong)
        failed = [self.keep(name, case, how) for case, how in wrong.values()]
        spent = time.monotonic() - start
        line = {"step": number, "name": name, "seconds": spent, "cpu": cpu}
        line |= {"counts": count, "failed": failed}
        line |= {"over": self.spent + spent >= self.seconds}
        self.lines.append(line)
        append_line(self.folder / "steps.jsonl", line)

    def keep(self, name: str, case: Any, how: str) -> str:
        """Keep a case that failed, and say where it is."""
        at = keep_file(name, case) if isinstance(case, bytes) else kept(case)
        say(f"{at}: {how}")
        return f"{at}: {how}"

    def cases(self, name: str, number: int) -> Iterator[tuple[Any, Any]]:
        """Try the cases of a kind."""
        if name in KINDS:
            return files_round(name, number)
        return commands_round(name, number)

    def summary(self) -> Iterator[str]:
        """Return the table of ``validation/FUZZ.md``, and its totals."""
        rows = [("kind", "cases", "read or done", "failed", "CPU minutes")]
        for name in dict.fromkeys(line["name"] for line in self.lines):
            own = [line for line in self.lines if line["name"] == name]
            count: Counter[str] = sum(
                (Counter(line["counts"]) for line in own), Counter()
            )
            share = (count[DONE] + count["read"]) / max(1, count.total())
            cpu = sum(line["cpu"] for line in own) / 60
            told = f"{count.total():,}", f"{share:.0%}", str(count["failed"])
            rows.append((name, *told, f"{cpu:.2f}"))
        yield from table(rows, right=True)
        took = duration(self.spent), duration(sum(line["cpu"] for line in self.lines))
        cases = sum(sum(line["counts"].values()) for line in self.lines)
        yield f"{cases:,} cases, {len(self.lines)} steps, {took[0]}, {took[1]} of CPU"


def main() -> None:
    """Try new cases of all kinds until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--folder", type=Path, default=Path(".venv/fuzz"))
    chosen = parser.parse_args()
    hour = Hour(chosen.folder, chosen.minutes)
    fine = hour.run()
    print("\n".join(hour.summary()))
    sys.exit(not fine)


if __name__ == "__main__":
    main()
