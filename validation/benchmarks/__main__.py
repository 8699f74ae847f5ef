"""Measure every benchmark: ``make benchmark``, or ``python -m validation.benchmarks``.

A measured benchmark is a line in ``--folder``, so that an interrupted run goes on where
it stopped. When all are measured, they are stored with the versions and the machine,
and the page and its picture are written. A benchmark that fails, for want of a peer or
for any other reason, is named; the status is 1, and nothing is stored.

``--only TEXT`` measures what has the text in its name anew, and stores that beside what
is stored. ``--turns N`` is for a quick look. ``--pages`` writes the page only.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import psutil

from pycompare.base.parallel.progress import Progress, on_stderr
from validation.chunk_lines import append_line, read_lines
from validation.running import installed, software

from . import page, summary
from .own_python import PINNED
from .timing import Benchmark, Growth

MODULES = (
    *("commands", "calls", "ranks", "linear", "multivariate", "curves", "datasets"),
    *("battles", "agents", "labels", "challenges", "tables", "sizes", "growth"),
)
STORED = "benchmarks.json"
HERE = Path(__file__).parents[1]
PEERS = ("autorank", "scikit-posthocs", "scikit-learn", "matplotlib")
THREADS = {f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")}


def declared() -> dict[str, Benchmark | Growth]:
    """Return all benchmarks by key, in the order of the page."""
    modules = (importlib.import_module(f"{__package__}.{name}") for name in MODULES)
    return {one.key: one for module in modules for one in module.BENCHMARKS}


def run(
    chosen: Mapping[str, Benchmark | Growth], path: Path, turns: int | None = None
) -> tuple[dict[str, Any], list[str]]:
    """Measure what is not in the file yet; return rows by key, and what failed."""
    found = {line["key"]: line for line in read_lines(path) if line["key"] in chosen}
    told = Progress(len(chosen), "benchmarks", on_stderr("benchmark"))
    told.resumed(len(found))
    failed = []
    for key, one in chosen.items():
        if key in found:
            continue
        try:
            found[key] = {"key": key} | measured(one, turns)
        except Exception as error:  # a peer may fail in any way; the others still run
            failed.append(f"{key}: {type(error).__name__}: {error}")
            print(f"FAILED {failed[-1]}", flush=True)
        else:
            append_line(path, found[key])
            print(summary.line(found[key]), flush=True)
        told.step()
    return {key: found[key] for key in chosen if key in found}, failed


def measured(one: Benchmark | Growth, turns: int | None) -> dict[str, Any]:
    """Measure a benchmark; add its date and the load of the machine before it."""
    date = datetime.now().astimezone().isoformat(timespec="minutes")
    load = round(os.getloadavg()[0], 2)
    return one.measure(turns) | {"date": date, "load": load}


def machine() -> dict[str, Any]:
    """Return what the numbers depend on beside the code."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory": f"{psutil.virtual_memory().total / 2**30:.0f} GiB",
        "system": platform.platform(),
        "threads": int(THREADS["OMP_NUM_THREADS"]),
    }


def processor() -> str:
    """Return the name of the processor."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.machine()


def versions() -> dict[str, Any]:
    """Return the versions of ours, of Python, R and the peers."""
    of_python = {name: installed(name) for name in PEERS}
    found = software() | of_python | PINNED | {"R": r_version()}
    return {name: found[name] for name in found if name != "platform"}


def r_version() -> str | None:
    """Return the version of R, None if there is no R."""
    code = "cat(format(getRversion()))"
    call = ["Rscript", "--vanilla", "-e", code]
    try:
        return subprocess.run(call, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return None


def pinned() -> None:
    """Start again with one thread for BLAS and OpenMP, and with compiled modules.

    Where Python may not keep compiled modules, each command would compile ours but not
    the peer's, which were compiled when they were installed.
    """
    wanted = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    wanted |= THREADS
    if wanted != dict(os.environ):
        again = [sys.executable, "-m", __package__, *sys.argv[1:]]
        os.execve(sys.executable, again, wanted)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, store, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("study") / "benchmarks")
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--only", nargs="+", metavar="TEXT")
    parser.add_argument("--turns", type=int)
    parser.add_argument("--pages", action="store_true", help="write the page only")
    options = parser.parse_args(arguments)
    stored = options.out / STORED
    if not options.pages:
        failed = measure_all(options, stored)
        if failed:
            print(f"{len(failed)} failed:", *failed, sep="\n  ", file=sys.stderr)
            return 1
    page.write(json.loads(stored.read_text(encoding="utf-8")), options.out)
    return 0


def measure_all(options: argparse.Namespace, stored: Path) -> list[str]:
    """Measure what was chosen and store it; return what failed."""
    every = declared()
    chosen = {key: every[key] for key in every if is_chosen(key, options.only)}
    options.folder.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    name = "all" if options.only is None else "only"
    path = options.folder / f"{name}.jsonl"
    found, failed = run(chosen, path, options.turns)
    if not failed:
        store(every, found, stored)
        path.unlink(missing_ok=True)
    return failed


def is_chosen(key: str, only: Sequence[str] | None) -> bool:
    return only is None or any(text in key for text in only)


def store(
    every: Mapping[str, Benchmark | Growth], found: Mapping[str, Any], path: Path
) -> None:
    """Write rows with the machine; those that were not measured now stay."""
    old = json.loads(path.read_text(encoding="utf-8"))["rows"] if path.exists() else []
    rows = {row["key"]: row for row in old} | dict(found)
    content = {
        "machine": machine(),
        "versions": versions(),
        "rows": [rows[key] for key in every if key in rows],
        "unmeasured": [key for key in every if key not in rows],
    }
    path.write_text(json.dumps(content, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    pinned()
    sys.exit(main())
