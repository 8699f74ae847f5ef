"""What a user waits for: whole commands, imports, first calls, in new processes."""

from __future__ import annotations

import sys
import tempfile
from functools import cache
from pathlib import Path

import pycompare as pc

from .timing import Benchmark, command

BARE = command(sys.executable, "-c", "pass")
ADJUST = "import pycompare as pc\npc.adjust([0.01, 0.02, 0.5], 'holm')"
AUTORANK = """
import sys, warnings
warnings.simplefilter("ignore")
import matplotlib
matplotlib.use("Agg")
import autorank, pandas
import matplotlib.pyplot as plt
scores = pandas.read_csv(sys.argv[1]).select_dtypes("number")
found = autorank.autorank(scores, alpha=0.05, force_mode="nonparametric")
autorank.create_report(found)
autorank.latex_table(found)
autorank.plot_stats(found)
plt.savefig(sys.argv[2])
"""
"""A script of autorank that makes its report, its table and its picture."""


@cache
def folder() -> tempfile.TemporaryDirectory:
    """Return a folder that is removed at the end."""
    return tempfile.TemporaryDirectory()


def compare(_: int) -> None:
    out = str(Path(folder().name) / "report")
    options = ("--wide", "--blocks", "datasets", "--metric", "accuracy:higher")
    python = (sys.executable, "-m", "pycompare.apps.cli", "compare")
    command(*python, str(pc.example_path()), *options, "--out", out, "--overwrite")(_)


def autorank(_: int) -> None:
    picture = str(Path(folder().name) / "picture.pdf")
    command(sys.executable, "-c", AUTORANK, str(pc.example_path()), picture)(_)


BENCHMARKS = (
    Benchmark(
        name="pycompare compare, with its report",
        size="5 x 30, a new process",
        ours=compare,
        peer=autorank,
        by="autorank, a script with report and plot",
        ratio=0.5,
        seconds=6,
    ),
    Benchmark(
        name="first pc.adjust",
        size="3 p-values, a new process",
        ours=command(sys.executable, "-c", ADJUST),
        seconds=0.5,
    ),
    Benchmark(
        name="import pycompare",
        size="a new process, less one of bare Python",
        ours=command(sys.executable, "-c", "import pycompare"),
        less=BARE,
        seconds=0.15,
    ),
    Benchmark(
        name="pycompare --help",
        size="a new process",
        ours=command(sys.executable, "-m", "pycompare.apps.cli", "--help"),
        seconds=0.2,
    ),
)
