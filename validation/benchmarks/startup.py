"""How long a user waits: import, help, the whole example."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pycompare as pc
from validation.benchmarks.timing import Row


def seconds(command: list[str], runs: int) -> float:
    """Median wall time of a whole process; one warm-up."""
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def benchmarks() -> Iterator[Row]:
    python = sys.executable
    bare = seconds([python, "-c", "pass"], 9)
    imported = seconds([python, "-c", "import pycompare"], 9)
    yield Row("import pycompare (beyond bare Python)", imported - bare, 0.150)
    entry = str(Path(python).with_name("pycompare"))
    yield Row("pycompare --help", seconds([entry, "--help"], 9), 0.200)
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "report")
        command = [entry, "compare", str(pc.example_path()), "--wide"]
        command += ["--metric", "accuracy:higher", "--out", out, "--overwrite"]
        yield Row("pycompare compare of the example", seconds(command, 3), 6.0)
