"""The commands that are disturbed, and the files that they read."""

from __future__ import annotations

import hashlib
import io
import json
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

import pycompare as pc


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
from pycompare.apps.experiments.learners import naive_bayes, nearest_neighbours
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
CLI = ("-m", "pycompare.apps.cli")
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
            *("--out", "OUT.parquet", "--overwrite", "--keep", "OUT.unfinished"),
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
