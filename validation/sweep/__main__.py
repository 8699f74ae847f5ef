"""Sweep: each public function, each dimension of its input doubled up to a limit.

``make benchmark`` runs it after the benchmarks, or ``python -m validation.sweep``. It
prints the ten dimensions whose CPU time or memory grows the most above its stated order
(``table.py``), and writes the page and its numbers. A finished dimension is a line in
``--folder``, so that an interrupted run resumes where it stopped. ``--only FUNCTION``
measures some functions anew, and stores that beside what is stored; each dimension
has the limits up to which it was measured.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from pycompare.base.parallel.progress import Progress, on_stderr
from validation.benchmarks.__main__ import HERE, THREADS, machine
from validation.chunk_lines import append_line, read_lines
from validation.markdown import spaced_table

from .growth import FEWEST, REJECTED, ROOM, Limits, Steepness, prepare, steepness, swept
from .table import LEFT_OUT, ROWS

PAGE, STORED = "SWEEP.md", "sweep.json"
WORST = 10
_NORMAL = ("limit", "largest size", "its data take longer", "memory", "killed")
_UNITS = {"seconds": "s", "megabytes": "MB"}
_WHAT = {"seconds": "CPU time", "megabytes": "memory"}


def run(limits: Limits, path: Path, only: Sequence[str] | None) -> list[dict[str, Any]]:
    """Sweep what is not in the file yet."""
    chosen = [
        (row, dimension)
        for row in ROWS
        for dimension in row.orders
        if only is None or row.function in only
    ]
    done = {(line["function"], line["dimension"]): line for line in read_lines(path)}
    progress = Progress(len(chosen), "dimensions", on_stderr("sweep"))
    progress.resumed(sum((row.function, by) in done for row, by in chosen))
    prepare(dict.fromkeys(row for row, _ in chosen))
    found = []
    for row, dimension in chosen:
        key = row.function, dimension
        if key not in done:
            done[key] = swept(row, dimension, limits) | {"limits": vars(limits)}
            append_line(path, done[key])
            progress.step()
        found.append(done[key])
    return found


def ranked(found: Sequence[dict[str, Any]]) -> list[tuple[dict[str, Any], Steepness]]:
    """Return all slopes with their sweeps, the worst first."""
    pairs = [(sweep, slope) for sweep in found for slope in steepness(sweep)]
    return sorted(pairs, key=lambda pair: -pair[1].excess)


def line(sweep: dict[str, Any], slope: Steepness) -> list[str]:
    """Return the cells of one slope."""
    first, last = sweep["points"][0], sweep["points"][-1]
    unit = _UNITS[slope.what]
    return [
        f"{sweep['function']}, {sweep['dimension']}",
        _WHAT[slope.what],
        f"{first['size']:,} to {last['size']:,}",
        f"{last[slope.what]:.3g} {unit}",
        f"{slope.slope:.2f}",
        f"{slope.order}, {slope.stated:.2f}",
    ]


HEAD = ["function, dimension", "of", "sizes", "at the largest", "slope", "stated"]


def page(stored: dict[str, Any]) -> str:
    """Return the page."""
    found = stored["sweeps"]
    every = ranked(found)
    steep = [pair for pair in every if pair[1].excess > ROOM]
    ends = [sweep for sweep in found if sweep["ended"] not in _NORMAL]
    bounded = [sweep for sweep in ends if sweep["ended"].startswith(REJECTED)]
    bounded = [sweep for sweep in bounded if sweep["points"]]
    failed = [sweep for sweep in ends if sweep not in bounded]
    functions = {sweep["function"] for sweep in found}
    lines = [
        "# Sweep: CPU time and memory of every public function by size",
        "",
        f"Written by `make benchmark` on {stored['date']}. **{len(steep)} of "
        f"{len(every)} slopes exceed their stated order by more than {ROOM:g}.** "
        f"{len(functions)} functions, {len(found)} dimensions.",
        "",
        "Each dimension doubles from a small size until a call reaches a limit: "
        f"{_limits(found)}. CPU time includes that of the system, which hands out "
        "memory; memory is that beside the data. The slope is that of log CPU time or "
        "log memory on log size over the last four sizes, by least squares. The stated "
        "order is in `validation/sweep/table.py`; its slope is over the same sizes. "
        f"What stays below {FEWEST['seconds']:g} s or {FEWEST['megabytes']:g} MB has "
        f"no slope. A slope above its order by more than {ROOM:g} is measured twice, "
        "and the smaller figures count.",
        "",
        f"## The {WORST} worst",
        *spaced_table([HEAD, *(line(*pair) for pair in every[:WORST])]),
    ]
    lines += _ends("Ended by an error", failed)
    lines += ["", "## All slopes", *spaced_table([HEAD, *(line(*p) for p in every)])]
    lines += _ends("Limits of the methods", bounded)
    lines += ["", "## Left out", ""]
    lines += [f"- `{name}` {reason}." for name, reason in LEFT_OUT.items()]
    facts = [[name, str(value)] for name, value in stored["machine"].items()]
    lines += ["", "## Machine", *spaced_table([["", ""], *facts])]
    return "\n".join(lines).rstrip() + "\n"


def _limits(sweeps: Sequence[dict[str, Any]]) -> str:
    """Return the limits, and how many dimensions have each."""
    counts = Counter(
        f"{of['seconds']:g} s, {of['megabytes']:,g} MB or size {of['size']:,}"
        for of in (sweep["limits"] for sweep in sweeps)
    )
    if len(counts) == 1:
        return next(iter(counts))
    return "; ".join(f"{limits} ({n} dimensions)" for limits, n in counts.most_common())


def _ends(title: str, sweeps: Sequence[dict[str, Any]]) -> list[str]:
    """Return what ended sweeps, under a title; nothing if there are none."""
    entries = [
        f"- {s['function']}, {s['dimension']}, after {len(s['points'])} sizes: "
        f"{s['ended']}"
        for s in sweeps
    ]
    return ["", f"## {title}", "", *entries] if entries else []


def main(arguments: Sequence[str] | None = None) -> int:
    """Sweep, print the worst, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10, help="CPU time of a call")
    parser.add_argument(
        "--megabytes", type=float, default=1000, help="memory of a call"
    )
    parser.add_argument("--size", type=int, default=2**18, help="of a dimension")
    parser.add_argument("--folder", type=Path, default=Path("study") / "sweep")
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--only", nargs="+", metavar="FUNCTION")
    options = parser.parse_args(arguments)
    limits = Limits(options.seconds, options.megabytes, options.size)
    options.folder.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.folder / ("all.jsonl" if options.only is None else "only.jsonl")
    found = run(limits, path, options.only)
    for pair in ranked(found)[:WORST]:
        print("; ".join(line(*pair)))
    if options.only is not None:
        found = beside(options.out / STORED, found)
    stored = {
        "date": date.today().isoformat(),
        "machine": machine(),
        "sweeps": found,
    }
    text = json.dumps(stored, ensure_ascii=False) + "\n"
    (options.out / STORED).write_text(text, encoding="utf-8")
    (options.out / PAGE).write_text(page(stored), encoding="utf-8")
    path.unlink(missing_ok=True)
    return 0


def beside(path: Path, found: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return stored sweeps, some of them measured anew, in the order of the table."""
    sweeps = []
    if path.exists():
        sweeps = json.loads(path.read_text(encoding="utf-8"))["sweeps"]
    known = {
        (sweep["function"], sweep["dimension"]): sweep for sweep in [*sweeps, *found]
    }
    every = [(row.function, by) for row in ROWS for by in row.orders]
    return [known[key] for key in every if key in known]


if __name__ == "__main__":
    if any(os.environ.get(name) != "1" for name in THREADS):
        again = [sys.executable, "-m", "validation.sweep", *sys.argv[1:]]
        os.execve(sys.executable, again, os.environ | THREADS)
    sys.exit(main())
