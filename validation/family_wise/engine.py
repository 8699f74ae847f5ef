"""Run the scenarios in chunks that survive a kill, and add up what they find."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from validation.cells import finish_cells
from validation.chunk_lines import append_line, read_lines

from .methods import ALPHA, Method
from .scenarios import Scenario
from .versions import Kept, key

CHUNKS = 50
RUNS = 10_000
COUNTS = ("runs", "errors", "found", "wrong")
Counts = dict[str, float]
Report = Callable[[str], None]


@dataclass(frozen=True)
class Job:
    """Some methods of a scenario on the data of one chunk."""

    scenario: Scenario
    chunk: int
    runs: int
    methods: tuple[Method, ...]


def label(method: Method, hypothesis: str) -> str:
    """Return the name of a method's counts under a hypothesis."""
    family = " (control)" if method.control else ""
    return f"{method.title}{family}; {hypothesis}"


def work(job: Job) -> dict[str, Any]:
    """Count what the methods find in the runs of a chunk."""
    start = time.process_time()
    data = job.scenario.make(job.chunk, job.runs)
    counts: dict[str, Counts] = {}
    for method in job.methods:
        signs = method.signs(data)
        for hypothesis in job.scenario.hypotheses(method):
            expected = job.scenario.expected(method, hypothesis)
            counts[label(method, hypothesis)] = counted(signs, expected)
    return {
        "scenario": job.scenario.name,
        "chunk": job.chunk,
        "seconds": round(time.process_time() - start, 3),
        "counts": counts,
    }


def counted(signs: np.ndarray, expected: np.ndarray) -> Counts:
    """Count runs with an error, shares of differences found, and wrong directions."""
    one_sided = np.abs(expected) == 1
    said = signs != 0
    right = said & one_sided & (signs == expected)
    return {
        "runs": len(signs),
        "errors": int((said & (expected == 0)).any(axis=1).sum()),
        "found": float(right.sum() / max(1, one_sided.sum())),
        "wrong": int((said & one_sided & ~right).any(axis=1).sum()),
    }


def chunks(method: Method, a: int) -> int:
    """Return how many chunks a method has with so many algorithms."""
    return max(1, round(method.part(a) * CHUNKS))


def wanted(
    scenarios: Sequence[Scenario],
    runs: int,
    done: dict[tuple[str, int], dict],
    kept: Kept,
) -> Iterator[Job]:
    """Yield what is not done: all scenarios of a chunk before the next chunk."""
    each = runs // CHUNKS
    for chunk in range(CHUNKS):
        for scenario in scenarios:
            have = done.get((scenario.name, chunk), {})
            methods = tuple(
                method
                for method in scenario.methods
                if chunk < chunks(method, scenario.a)
                and any(
                    label(method, h) not in have
                    for h in scenario.hypotheses(method)
                    if key(scenario, method, h) not in kept
                )
            )
            if methods:
                yield Job(scenario, chunk, each, methods)


def finished(path: Path) -> dict[tuple[str, int], dict]:
    """Return the counts of finished chunks."""
    done: dict[tuple[str, int], dict[str, Counts]] = defaultdict(dict)
    for line in read_lines(path):
        done[line["scenario"], line["chunk"]].update(line["counts"])
    return done


def run(
    scenarios: Sequence[Scenario],
    path: Path,
    runs: int,
    report: Report,
    kept: Kept,
) -> None:
    """Make the chunks that are missing; each is a line in the file when it is done.

    Rows that are ``kept`` are not made again.

    A chunk's seeds are its scenario's name and its number, so neither the number of
    workers nor an interruption changes a count.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    done = finished(path)
    jobs = list(wanted(scenarios, runs, done, kept))
    if not jobs:
        return
    report(f"{len(jobs)} chunks of {len(scenarios)} scenarios to do")
    finish_cells(work, jobs, "family-wise", lambda _, line: append_line(path, line))


def added(scenarios: Sequence[Scenario], path: Path) -> dict[str, dict[str, Counts]]:
    """Add up the finished chunks of each scenario, in the order of the scenarios."""
    done = finished(path)
    total: dict[str, dict[str, Counts]] = {s.name: {} for s in scenarios}
    for (name, _), counts in sorted(done.items()):
        for method, each in counts.items() if name in total else ():
            sums = total[name].setdefault(method, dict.fromkeys(COUNTS, 0.0))
            for name_of in COUNTS:
                sums[name_of] += each[name_of]
    return total


def bound(runs: float, errors: float = 3.0) -> float:
    """Return alpha and some Monte Carlo standard errors."""
    return ALPHA + errors * math.sqrt(ALPHA * (1 - ALPHA) / runs)
